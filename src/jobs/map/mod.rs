//! The map of all schedules, as the checker makes it.
//!
//! - [`Sheet`] is one map from the page's side: the blocks and ribbons of [`MapView`], and the
//!   names of the two programs' calls. [`Atlas`] is the checker's side: it has all states, and says
//!   where a run goes ([`Spot`]).
//! - [`Work`] makes one; [`wire`] is the form in which it is sent.
//! - [`around`] has the next two steps from the end of a run, exactly.
//! - [`room()`] is what fits into a picture. The checker divides a map into as many columns.

pub mod around;
pub mod room;
pub mod wire;
mod work;

pub use around::{Around, Nearby};
pub use room::room;
pub use work::Work;

use crate::checker::map::{Fate, MapView, NO_BLOCK, Room};
use crate::checker::{Natural, StateId};
use crate::session::spelling::{argument_text, call_text, shortened};
use crate::sim::{Action, Mapped, Site};

/// The most characters of a call's name.
const NAME_MAX: usize = 32;

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
    /// As in [`Mapped`].
    pub has_eventually: bool,
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
            has_eventually: mapped.has_eventually,
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
