//! The map of all schedules, drawn: words, shapes, and a table for those who do not see them.
//!
//! - [`Sheet`] is one map as the page knows it: the blocks and ribbons of [`MapView`], and how the
//!   two programs' calls are called. [`Atlas`] is the checker's side: it knows all states, and says
//!   where a run goes ([`Spot`]).
//! - [`Work`] makes one where the checker runs; [`wire`] is how it travels.
//! - [`draw`] makes shapes of a sheet; [`run`] those of a run alone, so that a step redraws nothing
//!   else. Both are pure functions of a size.
//! - [`words`] says it in a sentence, [`table`] in rows.
//!
//! Colours are classes: `k-open`, `k-doomed`, `k-broken`, `k-safe`, `k-right`. Colour is never
//! alone: broken is a diamond, right a disc, doomed filled, safe tinted, open hollow.
//!
//! No first visit needs any of it. Absent: pointers and keys, and the browser.

mod draw;
mod layout;
mod shapes;
mod table;
#[cfg(test)]
mod tests;
pub mod wire;
pub mod words;
mod work;

pub use draw::{draw, preview, run};
pub use shapes::{Anchor, Drawing, Form, Shape};
pub use table::{FATES, Table, table};
pub use work::Work;

use std::rc::Rc;

use crate::checker::map::{Block, Fate, MapView, NO_BLOCK, Room};
use crate::checker::{Natural, StateId};
use crate::sim::{Action, Mapped, Site};
use crate::text::Lang;

use super::{argument_text, call_text, shortened};

/// Characters of a call's name.
const NAME_MAX: usize = 32;
/// A column of a terrain is so wide at least.
const COLUMN_MIN: f64 = 15.0;
const COLUMN_MIN_SMALL: f64 = 8.0;
/// Distances to a break with a row each.
const DISTANCES_MAX: u16 = 12;

/// One map, as it is drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    pub view: MapView,
    /// All states of the search, those after a break among them.
    pub met: u32,
    /// Of a lattice, the calls of both programs in order; empty of a terrain.
    pub calls: [Vec<String>; 2],
    /// The letters of the two clients.
    pub clients: [String; 2],
}

/// How a sheet is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    pub width: f64,
    pub height: f64,
    /// Without labels, for a card.
    pub small: bool,
    /// Only states with a smaller number were met so far: nothing is known of their fates yet.
    pub lit: Option<StateId>,
    /// Nothing is said of fates: a story is told, and its end is still to come.
    pub blind: bool,
    /// Paths that are the same with the clients exchanged are one.
    pub fold: bool,
    /// Paths are in the background.
    pub faint: bool,
    /// The block that is pointed at.
    pub hover: Option<u16>,
    pub lang: Lang,
}

impl Look {
    pub fn new(width: f64, height: f64, lang: Lang) -> Look {
        let small = is_small(width);
        let (lit, hover) = (None, None);
        let (blind, fold, faint) = (false, false, false);
        Look { width, height, small, lit, blind, fold, faint, hover, lang }
    }

    fn knows_fates(&self) -> bool {
        self.lit.is_none() && !self.blind
    }
}

/// The small map beside a run: all orders, and the way that this one takes.
#[derive(Debug, Clone)]
pub struct Orders {
    pub sheet: Rc<Sheet>,
    /// The places of the run, its beginning included.
    pub spots: Rc<[Spot]>,
    /// The end of the story is still to come.
    pub blind: bool,
}

/// How many columns and rows have room in a picture so wide.
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

/// Is it a picture for a card, without labels?
fn is_small(width: f64) -> bool {
    width < 240.0
}

/// The block that is nearest to `from` in a direction: from no block, the first one.
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

/// What is another one was made anew.
impl PartialEq for Orders {
    fn eq(&self, other: &Orders) -> bool {
        Rc::ptr_eq(&self.sheet, &other.sheet)
            && Rc::ptr_eq(&self.spots, &other.spots)
            && self.blind == other.blind
    }
}

/// Where a run is after a step, and what is known of what comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The block, unless the state is met after a break only.
    pub block: Option<u16>,
    /// The state's place among those that the block names.
    pub place: Option<u16>,
    pub fate: Fate,
    /// Steps to the nearest break.
    pub distance: Option<u16>,
    /// Orders from here, and those of them that break, where they were counted.
    pub from: Option<Natural>,
    pub wrong: Option<Natural>,
    /// The sign of a step that is no client's.
    pub sign: Option<char>,
}

/// A map with all its states.
#[derive(Debug)]
pub struct Atlas {
    mapped: Mapped,
    /// By state.
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

    /// Where a run goes, its beginning included, as far as it is one of the search.
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

    /// A shortest run to a block: to a broken state in it, else to one that nothing can save, else
    /// to its first one.
    pub fn way_to(&self, block: u16) -> Vec<Action> {
        let Some(block) = self.sheet.view.block(block) else { return Vec::new() };
        let fates = block.fates();
        let find = |fate: Fate| fates.iter().position(|own| *own == fate);
        let at = find(Fate::Broken).or_else(|| find(Fate::Doomed)).unwrap_or(0);
        let Some(state) = block.states.get(at) else { return Vec::new() };
        self.mapped.space.way_to(*state).into_iter().map(|(action, _)| action).collect()
    }

    /// A shortest way on from the end of a run to a break; nothing where there is none.
    pub fn way_to_break(&self, run: &[Action]) -> Vec<Action> {
        let states = self.mapped.follow(run.iter().copied());
        let Some(state) = states.last().filter(|_| states.len() == run.len() + 1) else {
            return Vec::new();
        };
        let way = self.mapped.space.way_to_break(&self.mapped.fates, *state);
        way.into_iter().map(|(action, _)| action).collect()
    }
}

/// A call by its command and what it always names: `GET balance`.
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
