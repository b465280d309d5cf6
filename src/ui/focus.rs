//! Where the keyboard goes when the element that has it goes away.
//!
//! An element that is removed, hidden or disabled gives the focus to the body, and the next Tab
//! begins at the top of the page. [`Focus`] is noted before an event; once the page is drawn, the
//! nearest part of the page that is left takes the focus: a row's neighbour, the dock of the next
//! part. A page that was gone to by a link takes it as a whole. Who had no focus gets none, and a
//! frame takes none from the page around it. Elements that get the focus for a reason of their own
//! (a dialog, a question) are not this file's.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::browser;

#[derive(Default)]
pub struct Focus {
    /// The element that had the focus, and the parts of the page that it lay in, from the inside.
    had: Vec<Element>,
    /// True if another page was gone to.
    is_moved: bool,
}

/// The page itself, in which nothing is near.
const PAGE: &str = "main, .page, body";
/// In the nearest part: a step that is possible, or the way on, or any control.
const CONTROLS: [&str; 3] = [
    ".dock .step:not([aria-disabled])",
    "[data-move=next]",
    "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary",
];

impl Focus {
    /// Notes where the focus is, before an event. An event may come while the one before it is
    /// being drawn: what is gone by then stays noted.
    pub fn note(&mut self, is_moved: bool) {
        self.is_moved |= is_moved;
        if let Some(has) = browser::focused().filter(|one| !is(one, "body")) {
            self.had = std::iter::successors(Some(has), |one| one.parent_element()).collect();
        }
    }

    /// Gives the focus to what is nearest, if the element that had it is gone.
    pub fn keep(self) {
        let Some(had) = self.had.first() else { return };
        let is_taken = browser::focused().is_some_and(|one| &one != had && !is(&one, "body"));
        if is_taken || (is_shown(had) && is(had, ":enabled, :not(:disabled)")) {
            return;
        }
        let near = self.had.iter().skip(1).take_while(|part| !is(part, PAGE));
        let near = near.filter(|part| is_shown(part)).find_map(|part| first(part, &CONTROLS));
        if let Some(found) = near {
            return browser::give_focus(&found, true);
        }
        to_page(self.is_moved || is(had, "main"));
    }
}

/// Gives the focus to the way on, or to the page's content.
pub fn to_page(whole: bool) {
    let onward = if whole { &[] } else { &CONTROLS[..2] };
    let page = browser::document().and_then(|page| page.document_element());
    let found = page.and_then(|page| first(&page, onward).or_else(|| first(&page, &["main"])));
    if let Some(found) = found {
        browser::give_focus(&found, false);
    }
}

fn is(element: &Element, selector: &str) -> bool {
    element.matches(selector).unwrap_or_default()
}

fn is_shown(element: &Element) -> bool {
    element.is_connected() && element.get_client_rects().length() > 0
}

/// Returns the first element of the first selector that has one in sight.
fn first(part: &Element, selectors: &[&str]) -> Option<HtmlElement> {
    selectors.iter().find_map(|selector| {
        let found = part.query_selector_all(selector).ok()?;
        let mut found = (0..found.length()).filter_map(|at| found.get(at)?.dyn_into().ok());
        found.find(|one: &HtmlElement| is_shown(one))
    })
}
