//! The page (wasm32 only): it turns inputs into messages and plain data into nodes, no more.
//!
//! [`app`] holds the state and every effect (loading, the URL, storage, the clock of "play"),
//! except that [`checker`] runs searches, in a worker if it can, and [`searches`] keeps what it
//! finds; the other modules draw one part each from values of [`crate::view`] and report what was
//! pressed.
//! [`pages`] puts them together.
//! They are functions; a Yew component, whose machinery weighs about 5 KB each, is only what has an
//! effect of its own: scrolling, measuring, a dialog.

mod app;
mod browser;
mod cards;
mod checker;
mod diagram;
mod editor;
mod faults;
mod find;
mod fix;
mod gauges;
mod glossary;
mod guide;
mod header;
mod home;
mod icons;
mod pages;
mod picture;
mod redis;
mod review;
mod rich;
mod searches;
mod share;
mod story;
mod transport;

/// Puts the page into the document's body. A worker that loads the same script has no body: there
/// it is the checker.
pub fn run() {
    if checker::is_worker() {
        return checker::serve();
    }
    yew::Renderer::<app::App>::new().render();
}
