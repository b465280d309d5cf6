//! The page (wasm32; natively only drawn): it turns inputs into messages and plain data into nodes,
//! no more.
//!
//! `app` is the page as a component: it hands what arrives to the state in [`crate::app`], whose
//! effects `runtime` carries out (loading, the address, storage, timers, WebSockets; `workers`
//! has a `line` to each checker, `shelf` is the storage in which drafts are kept). The other
//! modules draw one part each from values of [`crate::view`] and report what was pressed.
//! `stage` is the run that is stepped, and plays its films. `pages` and `dialogs` put them
//! together.
//! The checker is not the page's: `crate::worker` is a program of its own, compiled for speed.
//! `embed` is the line to a course page around this one. `paint` draws natively what is shown
//! before the program has come.
//! They are functions; a Yew component, whose machinery every visitor loads, is only what has an
//! effect of its own: scrolling, measuring, a dialog (`parts`); and `lazy`, by which long lists
//! are drawn in parts. What a first visit does not run, but a function that it does run calls, is
//! marked `#[inline(never)]`: only what is a function of its own can come later (src/divide).
//!
//! To add a part of the page: its data in [`crate::view`], with tests; a module here that draws it;
//! its place in `pages` or `stage`; an input in [`crate::app::input`] for what is pressed.

mod app;
mod browser;
mod cards;
mod class;
mod compare;
mod console;
mod crowd;
mod diagram;
mod dialogs;
mod editor;
mod embed;
mod faults;
mod find;
mod fix;
mod focus;
mod front;
mod gauges;
mod glossary;
mod goal;
mod guide;
mod header;
mod home;
mod icons;
mod import;
mod kept;
mod lazy;
mod line;
mod live;
mod map;
mod menu;
mod offline;
mod own;
mod pages;
#[cfg(not(target_arch = "wasm32"))]
pub mod paint;
mod paper;
mod parts;
mod picture;
mod present;
mod real;
mod returns;
mod review;
mod rich;
mod runtime;
mod share;
mod shelf;
mod stage;
mod strip;
mod workers;

/// By which the page's head hears what the program says when it ends; static/broken shows it.
const PANIC: &str = "interleave-panic";

/// Puts the page into the document's body.
pub fn run() {
    yew::set_custom_panic_hook(Box::new(|panic| browser::tell(PANIC, &panic.to_string())));
    yew::Renderer::<app::App>::new().render();
}
