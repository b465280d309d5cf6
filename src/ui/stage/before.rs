//! The frame before a film: positions of its elements, and copies of those that will be gone.

use std::collections::BTreeMap;

use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement};

use crate::ui::browser;
use crate::view::film::{Film, How, Place};

use super::places::{Places, Rect};

/// The measurements and copies of the frame before.
#[derive(Default)]
pub struct Before {
    pub places: Places,
    /// Copies of the elements that will be gone or look different.
    pub ghosts: BTreeMap<String, HtmlElement>,
    /// The scroll positions of the panes: the diagram and the open listing.
    pub scrolled: Vec<Scrolled>,
}

impl Before {
    /// Measures all elements that the film uses.
    pub fn measure(film: &Film) -> Before {
        let places = Places::of(film);
        let mut before = Before { places, scrolled: scrolled(), ghosts: BTreeMap::new() };
        for one in film.moves.iter().filter(|one| leaves_a_ghost(one.how)) {
            if !before.ghosts.contains_key(one.what.name()) {
                before.keep_ghost(&one.what);
            }
        }
        before
    }

    fn keep_ghost(&mut self, place: &Place) {
        let Some(element) = self.places.element(place.name()).filter(can_be_copied) else { return };
        let Some(rect) = self.places.rect(place.name()) else { return };
        if is_out_of_sight(&element, rect) {
            return;
        }
        if let Some(ghost) = ghost(&element, rect) {
            self.ghosts.insert(place.name().to_owned(), ghost);
        }
    }
}

/// The panes that scroll on their own.
pub const PANES: [&str; 2] = [".stage .diagram", ".stage .listing.open .lines"];

/// Returns whether a film may copy an element. Parts of an SVG cannot be drawn outside of it.
fn can_be_copied(element: &Element) -> bool {
    element.namespace_uri().as_deref() != Some("http://www.w3.org/2000/svg")
}

fn leaves_a_ghost(how: How) -> bool {
    matches!(
        how,
        How::Swap
            | How::Turn
            | How::Leave
            | How::Fall
            | How::Dust
            | How::Break
            | How::Appear
            | How::Show
            | How::Roll
            | How::Drain
    )
}

/// A pane, its scroll position, and its height.
#[derive(Default)]
pub struct Scrolled {
    pane: Option<Element>,
    pub top: i32,
    pub height: i32,
}

impl Scrolled {
    /// Returns whether both are of the same pane. Another listing may have been opened since.
    pub fn is_of(&self, other: &Scrolled) -> bool {
        self.pane == other.pane
    }
}

pub fn scrolled() -> Vec<Scrolled> {
    let look = |selector: &&str| {
        let pane = browser::document()?.query_selector(selector).ok()??;
        let (top, height) = (pane.scroll_top(), pane.client_height());
        Some(Scrolled { pane: Some(pane), top, height })
    };
    PANES.iter().map(|selector| look(selector).unwrap_or_default()).collect()
}

/// Returns whether the element is beyond the edge of the pane that scrolls it.
fn is_out_of_sight(element: &Element, rect: Rect) -> bool {
    const EDGE: f64 = 4.0;
    let Ok(Some(pane)) = element.closest(".lines, .diagram, .redis") else { return false };
    let Some(pane) = Rect::of(&pane) else { return true };
    rect.top + rect.height < pane.top + EDGE || rect.top > pane.top + pane.height - EDGE
}

/// Returns a copy of `element` at its position, with the classes of its ancestors, so that it looks
/// the same.
fn ghost(element: &Element, rect: Rect) -> Option<HtmlElement> {
    let document = browser::document()?;
    let copy: Element = element.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
    let _ = copy.remove_attribute("data-place");
    // Outside of its grid or row it would be laid out as what it is by itself.
    let display = browser::window()
        .and_then(|window| window.get_computed_style(element).ok()?)
        .and_then(|style| style.get_property_value("display").ok());
    if let (Some(display), Some(copy)) = (display, copy.dyn_ref::<HtmlElement>()) {
        let _ = copy.style().set_property("display", &display);
    }
    if let Ok(inner) = copy.query_selector_all("[data-place], [id]") {
        for at in 0..inner.length() {
            if let Some(one) = inner.get(at).and_then(|one| one.dyn_into::<Element>().ok()) {
                let _ = one.remove_attribute("data-place");
                let _ = one.remove_attribute("id");
            }
        }
    }
    let shell: HtmlElement = document.create_element("div").ok()?.dyn_into().ok()?;
    shell.set_class_name("ghost");
    let style = format!(
        "left:{:.1}px;top:{:.1}px;width:{:.1}px;height:{:.1}px",
        rect.left, rect.top, rect.width, rect.height
    );
    let _ = shell.set_attribute("style", &style);
    // What stands around it, from the inside to the outside, without a box of its own.
    let mut inside = copy;
    let mut around = element.parent_element();
    while let Some(one) = around.filter(|one| !one.class_list().contains("page")) {
        let wrap = document.create_element("div").ok()?;
        wrap.set_class_name(&one.class_name());
        let own = one.get_attribute("style").unwrap_or_default();
        let _ = wrap.set_attribute("style", &format!("{own};display:contents"));
        let _ = wrap.append_child(&inside);
        inside = wrap;
        around = one.parent_element();
    }
    let _ = shell.append_child(&inside);
    Some(shell)
}
