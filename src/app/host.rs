//! The browser, as far as it can be asked at once.
//!
//! Contract: nothing here changes anything but the drafts of [`Shelf`], whose refusals matter at
//! once. All else that is done to the world is an [`Effect`](super::effect::Effect).

use crate::view::kept::Shelf;

/// Functions, so that the searches and a session can keep the one that they need.
#[derive(Clone, Copy)]
pub struct Host {
    /// In ms from any moment on.
    pub now_ms: fn() -> f64,
    /// A random number.
    pub seed: fn() -> u64,
    /// The cores of the machine.
    pub cores: fn() -> usize,
    /// The main pointer is a finger.
    pub is_touch: fn() -> bool,
    /// The reader prefers that nothing moves.
    pub is_calm: fn() -> bool,
    /// No part of the program is still to come.
    pub is_whole: fn() -> bool,
    /// Width and height of the window, in px.
    pub window: fn() -> (i32, i32),
    /// The fragment of the address, with the `#`.
    pub fragment: fn() -> String,
    /// The address with this fragment, which has no `#`.
    pub address_with: fn(&str) -> String,
    pub address: fn() -> String,
    /// The address of the proxy from which the page has come, if it has.
    pub proxy: fn() -> String,
    /// The reader's languages, as tags.
    pub languages: fn() -> Vec<String>,
    /// What is kept from one visit to the next.
    pub shelf: &'static dyn Shelf,
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").finish_non_exhaustive()
    }
}

impl Host {
    pub fn stored(&self, name: &str) -> Option<String> {
        self.shelf.get(name)
    }
}
