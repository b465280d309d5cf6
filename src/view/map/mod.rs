//! The map of all schedules, drawn: words, shapes, and a table for screen readers.
//!
//! - [`Sheet`] is one map from the page's side: the blocks and ribbons of [`MapView`], and the
//!   names of the two programs' calls. [`Atlas`] is the checker's side: it has all states, and says
//!   where a run goes ([`Spot`]).
//! - [`Work`] makes one where the checker runs; [`wire`] is the form in which it is sent.
//! - [`draw()`] makes shapes of a sheet; [`run`] those of a run alone, so that a step redraws
//!   nothing else. Both are pure functions of a size.
//! - [`around`] has the next two steps from the end of a run, exactly.
//! - [`words`] describes it in a sentence, [`table()`] in rows.
//!
//! Colours are classes: `k-open`, `k-doomed`, `k-broken`, `k-safe`, `k-right`. Colour is never
//! alone: broken is a diamond, right a disc, doomed filled, safe tinted, open hollow.
//!
//! It is not needed at a first visit. Absent: pointers and keys, and the browser.

pub mod around;
mod draw;
mod layout;
mod shapes;
mod table;
#[cfg(test)]
mod tests;
pub mod wire;
pub mod words;
mod work;

pub use draw::{class_of, draw, preview, run};
pub use shapes::{Anchor, Drawing, Form, Shape};
pub use table::{FATES, Table, table};
pub use work::Work;

use std::rc::Rc;

use crate::checker::map::{Block, Fate, MapView, NO_BLOCK, Room};
use crate::checker::{Natural, StateId};
use crate::sim::{Action, Mapped, Site};
use crate::text::Lang;

pub use self::around::Around;
use crate::session::spelling::{argument_text, call_text, shortened};

/// The most characters of a call's name.
const NAME_MAX: usize = 32;
/// The least width of a terrain's column.
const COLUMN_MIN: f64 = 15.0;
const COLUMN_MIN_SMALL: f64 = 8.0;
/// The number of distances to a break that get a row of their own.
const DISTANCES_MAX: u16 = 12;

/// One map, ready to be drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    pub view: MapView,
    /// The number of states of the search, including those after a break.
    pub met: u32,
    /// For a lattice, the calls of both programs in order; empty for a terrain.
    pub calls: [Vec<String>; 2],
    /// The letters of the two clients.
    pub clients: [String; 2],
}

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

/// Returns how many columns and rows fit into a picture of this width.
pub fn room(width: f64) -> Room {
    let (wide, column) = match is_small(width) {
        true => (width - 2.0 * layout::SMALL_MARGIN, COLUMN_MIN_SMALL),
        false => {
            let around = layout::left_of_terrain(width) + layout::RIGHT_OF_TERRAIN;
            (width - around, COLUMN_MIN)
        }
    };
    Room { columns: (wide / column).clamp(2.0, 200.0) as u16, distances: DISTANCES_MAX }
}

/// Returns true for a picture on a card, without labels.
fn is_small(width: f64) -> bool {
    width < 240.0
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

/// The place of a run after a step, and what is known of its continuations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The block; `None` if the state is met only after a break.
    pub block: Option<u16>,
    /// The index of the state among those that the block names.
    pub place: Option<u16>,
    pub fate: Fate,
    /// The number of steps to the nearest break.
    pub distance: Option<u16>,
    /// The number of orders from here, and of those that break, if they were counted.
    pub from: Option<Natural>,
    pub wrong: Option<Natural>,
    /// The sign of a step that no client makes.
    pub sign: Option<char>,
}

/// A map with all its states.
#[derive(Debug)]
pub struct Atlas {
    mapped: Mapped,
    /// The block of each state.
    blocks: Vec<u16>,
    sheet: Sheet,
}

impl Atlas {
    pub fn new(mapped: Mapped, room: Room) -> Atlas {
        let places = mapped.lattice.as_ref().map(|lattice| &lattice.places[..]);
        let (view, blocks) = MapView::of(&mapped.space, &mapped.fates, places, room);
        let mut sheet = Sheet {
            view,
            met: mapped.space.len() as u32,
            calls: Default::default(),
            clients: Default::default(),
        };
        if let Some(lattice) = &mapped.lattice {
            for at in 0..2 {
                sheet.calls[at] = lattice.sites[at].iter().map(call_name).collect();
                sheet.clients[at] = lattice.clients[at].letter().to_string();
            }
        }
        Atlas { mapped, blocks, sheet }
    }

    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    pub fn mapped(&self) -> &Mapped {
        &self.mapped
    }

    /// Returns the places of a run, including its start, as far as the search has its steps.
    pub fn spots(&self, run: &[Action]) -> Vec<Spot> {
        let states = self.mapped.follow(run.iter().copied());
        let signs = std::iter::once(None).chain(run.iter().map(|action| sign(*action)));
        states.iter().zip(signs).map(|(state, sign)| self.spot(*state, sign)).collect()
    }

    fn spot(&self, state: StateId, sign: Option<char>) -> Spot {
        let (at, fates) = (state as usize, &self.mapped.fates);
        let block = Some(self.blocks[at]).filter(|block| *block != NO_BLOCK);
        let named = block.and_then(|block| self.sheet.view.block(block));
        let place = named.and_then(|one| one.states.iter().position(|own| *own == state));
        Spot {
            block,
            place: place.map(|place| place as u16),
            fate: fates.fate[at],
            distance: fates.distance(state),
            from: fates.from.get(at).cloned(),
            wrong: fates.wrong.get(at).cloned(),
            sign,
        }
    }

    /// Returns a shortest run to a block: to a broken state in it, else to a doomed one, else to
    /// its first one.
    pub fn way_to(&self, block: u16) -> Vec<Action> {
        let Some(block) = self.sheet.view.block(block) else { return Vec::new() };
        let fates = block.fates();
        let find = |fate: Fate| fates.iter().position(|own| *own == fate);
        let at = find(Fate::Broken).or_else(|| find(Fate::Doomed)).unwrap_or(0);
        let Some(state) = block.states.get(at) else { return Vec::new() };
        self.mapped.space.way_to(*state).into_iter().map(|(action, _)| action).collect()
    }

    /// Returns a shortest path from the end of a run to a break; empty if there is none.
    pub fn way_to_break(&self, run: &[Action]) -> Vec<Action> {
        let states = self.mapped.follow(run.iter().copied());
        let Some(state) = states.last().filter(|_| states.len() == run.len() + 1) else {
            return Vec::new();
        };
        let way = self.mapped.space.way_to_break(&self.mapped.fates, *state);
        way.into_iter().map(|(action, _)| action).collect()
    }
}

/// Returns the name of a call: its command and its constant arguments, `GET balance`.
fn call_name(site: &Site) -> String {
    let argv = site.call.argv();
    if argv.is_empty() {
        return shortened(&call_text(&site.call), NAME_MAX);
    }
    let words = argv.iter().take(site.same.min(2)).map(|word| argument_text(word));
    let words: Vec<String> = words.filter(|word| word != "\"…\"").collect();
    match words.is_empty() {
        true => "…".to_owned(),
        false => shortened(&words.join(" "), NAME_MAX),
    }
}

fn sign(action: Action) -> Option<char> {
    Some(match action {
        _ if action.runs().is_some() => return None,
        _ if action.is_time() => 'T',
        Action::Pause(_) | Action::PauseProcess(_) => '‖',
        Action::Resume(_) | Action::ResumeProcess(_) => '▸',
        Action::Crash(_) | Action::CrashProcess(_) => '✕',
        Action::Up(_) => '↑',
        Action::Replicate(_) => '→',
        _ => '↯',
    })
}
