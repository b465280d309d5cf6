//! The positions of a film's places in the page. All are found and measured together, before
//! anything is changed, because a browser lays the page out anew for each measurement that follows
//! a change.
//!
//! The places of a diagram's row are looked up in that row alone: its parts are marked with
//! `data-part`, and the ends of its lines, at which nothing is drawn, are in `data-ends`.

use std::collections::BTreeMap;

use wasm_bindgen::prelude::*;
use web_sys::Element;

use crate::ui::browser;
use crate::ui::diagram::{Ends, row_id};
use crate::view::film::{Film, How, RowPart};

/// The position and size of an element, in px of the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn of(element: &Element) -> Option<Rect> {
        let rect = element.get_bounding_client_rect();
        let found =
            Rect { left: rect.left(), top: rect.top(), width: rect.width(), height: rect.height() };
        // What is not drawn has a place at the corner, of no size.
        let nowhere = found == Rect { left: 0.0, top: 0.0, width: 0.0, height: 0.0 };
        (!nowhere).then_some(found)
    }
}

/// The element at a place.
#[derive(Debug, Clone, Default)]
struct Spot {
    element: Option<Element>,
    rect: Option<Rect>,
}

#[derive(Debug, Default)]
pub struct Places {
    spots: BTreeMap<String, Spot>,
    /// The lines that grow, by the places of their rows' parts.
    lines: BTreeMap<String, Rect>,
}

impl Places {
    /// Finds all places that `film` uses.
    pub fn of(film: &Film) -> Places {
        let mut places = Places::default();
        for one in &film.moves {
            for place in one.via.iter().chain(&one.from).chain(&one.to).chain([&one.what]) {
                places.want(place.name());
                // What stands for a line that is not shown.
                if let ("line", Some(client)) = (place.kind(), place.name().split(':').nth(1)) {
                    places.want(place.name().trim_end_matches(":end"));
                    places.want(&format!("client:{client}"));
                }
            }
        }
        places.find();
        for one in film.moves.iter().filter(|one| one.how == How::Draw) {
            let name = one.what.name();
            let line = places.element(name).and_then(|one| one.query_selector("path").ok()?);
            if let Some(rect) = line.and_then(|line| Rect::of(&line)) {
                places.lines.insert(name.to_owned(), rect);
            }
        }
        places
    }

    pub fn element(&self, name: &str) -> Option<Element> {
        self.spots.get(name)?.element.clone()
    }

    pub fn rect(&self, name: &str) -> Option<Rect> {
        self.spots.get(name)?.rect
    }

    pub fn line(&self, name: &str) -> Option<Rect> {
        self.lines.get(name).copied()
    }

    fn want(&mut self, name: &str) {
        if !self.spots.contains_key(name) {
            self.spots.insert(name.to_owned(), Spot::default());
        }
    }

    fn find(&mut self) -> Option<()> {
        let document = browser::document()?;
        for (name, spot) in &mut self.spots {
            if let Some((step, part)) = RowPart::parse(name) {
                let Some(row) = document.get_element_by_id(&row_id(step)) else { continue };
                *spot = in_row(row, part);
            }
        }
        let all = document.query_selector_all("[data-place]").ok()?;
        for at in 0..all.length() {
            let Some(element) = all.get(at).and_then(|one| one.dyn_into::<Element>().ok()) else {
                continue;
            };
            let names = element.get_attribute("data-place").unwrap_or_default();
            for name in names.split(' ') {
                if let Some(spot) = self.spots.get_mut(name).filter(|one| one.element.is_none()) {
                    spot.rect = Rect::of(&element);
                    spot.element = Some(element.clone());
                }
            }
        }
        Some(())
    }
}

fn in_row(row: Element, part: RowPart) -> Spot {
    let seen = |element: Element| Spot { rect: Rect::of(&element), element: Some(element) };
    if part == RowPart::All {
        return seen(row);
    }
    let ends = row.get_attribute("data-ends").and_then(|words| Ends::parse(&words));
    if let Some((x, y)) = ends.and_then(|ends| ends.of(part)) {
        // The ground of the row, as wide as the drawing.
        let ground = row.query_selector(":scope > .hit").ok().flatten();
        let ground = ground.and_then(|ground| Rect::of(&ground));
        let rect = ground.map(|ground| Rect {
            left: ground.left + x * ground.width,
            top: ground.top + y * ground.height,
            width: 0.0,
            height: 0.0,
        });
        return Spot { rect, element: None };
    }
    let found = row.query_selector(&format!("[data-part=\"{}\"]", part.name()));
    found.ok().flatten().map(seen).unwrap_or_default()
}
