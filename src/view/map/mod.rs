//! The map of all schedules, drawn: words, shapes, and a table for screen readers.
//!
//! - [`draw()`] makes shapes of a [`Sheet`]; [`run`] those of a run alone, so that a step redraws
//!   nothing else. Both are pure functions of a size.
//! - [`words`] describes it in a sentence, [`table()`] in rows.
//!
//! Colours are classes: `k-open`, `k-doomed`, `k-broken`, `k-safe`, `k-right`. Colour is never
//! alone: broken is a diamond, right a disc, doomed filled, safe tinted, open hollow.
//!
//! It is not needed at a first visit. Absent: how a map is made (`jobs::map`), pointers and keys,
//! and the browser.

mod draw;
mod layout;
mod shapes;
mod table;
#[cfg(test)]
mod tests;
pub mod words;

pub use draw::{class_of, draw, preview, run};
pub use shapes::{Anchor, Drawing, Form, Shape};
pub use table::{FATES, Table, table};

use std::rc::Rc;

use crate::checker::StateId;
use crate::checker::map::{Block, MapView};
use crate::jobs::map::room::is_small;
use crate::jobs::map::{Around, Sheet, Spot};
use crate::text::Lang;

/// The appearance of a sheet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    pub width: f64,
    pub height: f64,
    /// True for a card, without labels.
    pub small: bool,
    /// True if a small one has short names at its axes.
    pub axes: bool,
    /// The number of states met so far, while the search runs: fates are not known yet.
    pub lit: Option<StateId>,
    /// True if fates are hidden, because a story is told and its end is still to come.
    pub blind: bool,
    /// True if paths that differ only by exchanging the clients are joined.
    pub fold: bool,
    /// True if paths are in the background.
    pub faint: bool,
    /// The block under the pointer.
    pub hover: Option<u16>,
    pub lang: Lang,
}

impl Look {
    pub fn new(width: f64, height: f64, lang: Lang) -> Look {
        let small = is_small(width);
        let (lit, hover) = (None, None);
        let (axes, blind, fold, faint) = (false, false, false, false);
        Look { width, height, small, axes, lit, blind, fold, faint, hover, lang }
    }

    /// Returns true if names stand at its axes.
    fn has_axes(&self) -> bool {
        self.axes || !self.small
    }

    fn knows_fates(&self) -> bool {
        self.lit.is_none() && !self.blind
    }
}

/// The small map beside a run: all orders, and the path of this one.
#[derive(Debug, Clone)]
pub struct Orders {
    pub sheet: Rc<Sheet>,
    /// The places of the run, including its start.
    pub spots: Rc<[Spot]>,
    /// True if the end of the story is still to come.
    pub blind: bool,
    /// True if it may be said how far the nearest break is.
    pub far: bool,
    /// The next two steps, where they may be shown.
    pub around: Option<Rc<Around>>,
}

/// Returns the block nearest to `from` in a direction; without `from`, the first one.
pub fn next_block(view: &MapView, from: Option<u16>, (right, down): (i32, i32)) -> Option<u16> {
    let Some(from) = from else { return (!view.blocks.is_empty()).then_some(0) };
    let here = view.block(from)?;
    let way = |block: &Block| {
        let (x, y) =
            (i32::from(block.x) - i32::from(here.x), i32::from(block.y) - i32::from(here.y));
        let (ahead, aside) = (x * right + y * down, (x * down).abs() + (y * right).abs());
        (ahead > 0).then_some(ahead + 2 * aside)
    };
    let ways = view.blocks.iter().enumerate().filter_map(|(at, block)| Some((way(block)?, at)));
    ways.min().map(|(_, at)| at as u16)
}

/// Compares allocations: a changed map is a new one.
impl PartialEq for Orders {
    fn eq(&self, other: &Orders) -> bool {
        Rc::ptr_eq(&self.sheet, &other.sheet)
            && Rc::ptr_eq(&self.spots, &other.spots)
            && self.blind == other.blind
            && self.around.as_ref().map(Rc::as_ptr) == other.around.as_ref().map(Rc::as_ptr)
    }
}
