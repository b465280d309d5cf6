//! The browser's functions that answer synchronously.
//!
//! Contract: none of them changes anything, except [`Shelf`], which stores drafts, because a
//! refusal must be handled at once. All other changes are [`Effect`](super::effect::Effect)s.

use crate::playground::kept::Shelf;

/// The functions that the browser provides. Searches and sessions keep copies of those they need.
#[derive(Clone, Copy)]
pub struct Host {
    /// The time in ms since an arbitrary moment.
    pub now_ms: fn() -> f64,
    /// The day, by the clock of the reader: `2026-11-28`.
    pub today: fn() -> String,
    /// A random number.
    pub seed: fn() -> u64,
    /// The number of the machine's cores.
    pub cores: fn() -> usize,
    /// True if the main pointer is a finger.
    pub is_touch: fn() -> bool,
    /// True if the reader prefers reduced motion.
    pub is_calm: fn() -> bool,
    /// True if all parts of the program have loaded.
    pub is_whole: fn() -> bool,
    /// Width and height of the window, in px.
    pub window: fn() -> (i32, i32),
    /// The fragment of the address, with the `#`.
    pub fragment: fn() -> String,
    /// The address with this fragment, which has no `#`.
    pub address_with: fn(&str) -> String,
    pub address: fn() -> String,
    /// The address that the proxy has if it also serves this page; else a local default.
    pub proxy: fn() -> String,
    /// The reader's languages, as tags.
    pub languages: fn() -> Vec<String>,
    /// The storage that lasts until the next visit.
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
