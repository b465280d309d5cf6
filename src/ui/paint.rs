//! What a link to a lesson shows before the page's program has come: the page as the program will
//! draw it first, drawn natively by the same code. Nothing of it works yet; a script in the page's
//! head keeps what is pressed until the program is there.
//!
//! Contract: a first visit, with nothing stored. What is measured after a render is absent.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use yew::LocalServerRenderer;
use yew::prelude::*;

use crate::app::effect::{Effect, Wanted};
use crate::app::event::Event;
use crate::app::host::Host;
use crate::app::shell::Shell;
use crate::playground::kept::Shelf;

use super::app::draw;
use super::front::Kept;
use super::lazy::{Lazy, LazyProps};

thread_local! {
    static WINDOW: Cell<(i32, i32)> = const { Cell::new((0, 0)) };
    static FRAGMENT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Nothing is stored, and nothing can be.
struct Nothing;

impl Shelf for Nothing {
    fn get(&self, _: &str) -> Option<String> {
        None
    }

    fn set(&self, _: &str, _: &str) -> bool {
        false
    }

    fn remove(&self, _: &str) {}

    fn tab(&self, _: &str) -> Option<String> {
        None
    }

    fn set_tab(&self, _: &str, _: &str) {}
}

const HOST: Host = Host {
    now_ms: || 0.0,
    today: String::new,
    seed: || 0,
    cores: || 1,
    is_touch: || false,
    is_calm: || false,
    is_whole: || false,
    window: window_size,
    fragment: || FRAGMENT.with_borrow(String::clone),
    address_with: |fragment| format!("#{fragment}"),
    address: || FRAGMENT.with_borrow(String::clone),
    proxy: String::new,
    languages: Vec::new,
    shelf: &Nothing,
};

/// Returns width and height of the window that is drawn for, in px.
pub fn window_size() -> (i32, i32) {
    WINDOW.get()
}

/// Draws the page at an address (its fragment, with the `#`) as HTML, for windows of these widths
/// and heights in px; `file` reads a file beside the page.
pub fn paint<const N: usize>(
    fragment: &str,
    windows_px: [(i32, i32); N],
    file: impl Fn(&Wanted) -> Result<String, String>,
) -> [String; N] {
    FRAGMENT.set(fragment.to_owned());
    WINDOW.set(windows_px.first().copied().unwrap_or_default());
    let mut shell = Shell::new(HOST, None);
    loop {
        let loads = shell.take_effects().into_iter().filter_map(|effect| match effect {
            Effect::Load(wanted) => Some(wanted),
            _ => None,
        });
        let came: Vec<Event> = loads.map(|one| Event::Loaded(one.clone(), file(&one))).collect();
        if came.is_empty() {
            break;
        }
        for event in came {
            shell.hear(event);
        }
    }
    let shell = Rc::new(shell);
    windows_px.map(|window_px| {
        WINDOW.set(window_px);
        drawn(&shell)
    })
}

fn drawn(shell: &Rc<Shell>) -> String {
    let shell = shell.clone();
    let page = move || draw(&shell, &Callback::noop(), &Callback::noop(), &Kept::default(), false);
    let props = LazyProps { of: Rc::new(()), draw: Rc::new(page) };
    let renderer = LocalServerRenderer::<Lazy>::with_props(props).hydratable(false);
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let set = tokio::task::LocalSet::new();
    runtime.map(|runtime| set.block_on(&runtime, renderer.render())).unwrap_or_default()
}
