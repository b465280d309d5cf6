//! The map of all schedules: the graph of a small search as plain data ([`Space`]), what becomes of
//! each state ([`Fates`]), and the picture's places ([`MapView`]).
//!
//! [`Mapping`] makes a search of its own, on request, so that an ordinary search is neither slower
//! nor larger. A map shows every order of the steps, so all reductions that leave out edges or put
//! different states together are off: partial order, symmetry and budgets here; late faults and
//! dead state in the model (`sim::check::AskMap` gives it none of them). What is left is what the
//! census counts on: two states are one only if they are equal in all components.
//!
//! A state is *broken* where a condition of the map is false, and where the run is stuck, if that
//! counts: no fair actor can move and the run may not end.
//!
//! Bounds: [`STATES_MAX`], [`EDGES_MAX`]; beyond them the answer is [`NoMap::TooLarge`]. Absent:
//! what states look like; where two programs stand is told by who asks.

mod fates;
#[cfg(test)]
mod tests;
mod view;

pub use fates::{Counted, Fate, Fates};
pub use view::{Block, Kind, LATTICE_MAX, MapView, NO_BLOCK, Path, Ribbon, Room};

use super::components::Components;
use super::graph::Graph;
use super::search::{Options, Search, StateId, Status};

/// The most states of a map.
pub const STATES_MAX: u32 = 60_000;
/// The most steps between them.
pub const EDGES_MAX: u64 = 600_000;

/// The graph of a complete search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Space<A> {
    /// The steps out of state n are `steps[starts[n]..starts[n + 1]]`.
    starts: Vec<u32>,
    steps: Vec<(A, StateId)>,
    /// Steps from the start, by state.
    pub depth: Vec<u16>,
    pub broken: Vec<bool>,
}

impl<A: Copy> Space<A> {
    fn new() -> Space<A> {
        Space { starts: vec![0], steps: Vec::new(), depth: Vec::new(), broken: Vec::new() }
    }

    /// The number of states. State 0 is the initial one, so there is at least one.
    pub fn len(&self) -> usize {
        self.depth.len()
    }

    pub fn is_empty(&self) -> bool {
        self.depth.is_empty()
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The steps possible in a state, each with the state it leads to.
    pub fn of(&self, state: StateId) -> &[(A, StateId)] {
        let at = state as usize;
        &self.steps[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Returns true if no step goes on from this state.
    pub fn is_end(&self, state: StateId) -> bool {
        self.of(state).is_empty()
    }

    /// For each state, those that lead to it, once for each step.
    fn backwards(&self) -> Backwards {
        let mut starts = vec![0_u32; self.len() + 1];
        self.steps.iter().for_each(|(_, to)| starts[*to as usize] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut from = vec![0; self.steps.len()];
        for state in 0..self.len() as StateId {
            for (_, to) in self.of(state) {
                // Lists are filled from behind, after which they begin where they should.
                let place = &mut starts[*to as usize];
                *place -= 1;
                from[*place as usize] = state;
            }
        }
        Backwards { starts, from }
    }

    /// A shortest way from the start to a state: each step with the state it leads to.
    pub fn way_to(&self, state: StateId) -> Vec<(A, StateId)> {
        let mut way = Vec::new();
        let back = self.backwards();
        let mut at = state;
        while self.depth[at as usize] > 0 {
            let near = self.depth[at as usize] - 1;
            let mut before = back.of(at).iter().filter(|one| self.depth[**one as usize] == near);
            // Numbers are given in the order of meeting, so the least one met it first.
            let Some(&parent) = before.by_ref().min() else { break };
            let step = self.of(parent).iter().find(|(_, to)| *to == at);
            way.extend(step.copied());
            at = parent;
        }
        way.reverse();
        way
    }

    /// A shortest way from a state to a broken one.
    pub fn way_to_break(&self, fates: &Fates, state: StateId) -> Vec<(A, StateId)> {
        let mut way = Vec::new();
        let mut at = state;
        while let Some(left @ 1..) = fates.distance(at) {
            let nearer = |to: StateId| fates.distance(to) == Some(left - 1);
            let Some(step) = self.of(at).iter().find(|(_, to)| nearer(*to)) else { break };
            way.push(*step);
            at = step.1;
        }
        way
    }
}

/// The predecessors of each state.
#[derive(Debug)]
struct Backwards {
    starts: Vec<u32>,
    from: Vec<StateId>,
}

impl Backwards {
    fn of(&self, state: StateId) -> &[StateId] {
        let at = state as usize;
        &self.from[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// The reason why there is no map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoMap {
    /// There are more states or steps than a map may have.
    TooLarge,
    /// A step has more outcomes than the search follows, so some orders are unknown.
    NotAll,
}

/// A map being computed.
#[derive(Debug)]
pub struct Mapping<C: Components> {
    search: Search<C>,
    /// The conditions whose being false makes a state broken.
    conditions: Vec<usize>,
    /// True if a state in which a run is stuck counts as broken.
    stuck_breaks: bool,
    graph: Graph,
    space: Space<C::Action>,
}

impl<C: Components> Mapping<C> {
    pub fn new(model: C, conditions: Vec<usize>, stuck_breaks: bool) -> Mapping<C> {
        let options = Options { states_max: STATES_MAX, ..Options::default() };
        Mapping {
            search: Search::new(model, options),
            conditions,
            stuck_breaks,
            graph: Graph::new(),
            space: Space::new(),
        }
    }

    /// The number of states met.
    pub fn met(&self) -> u64 {
        self.search.counts().states
    }

    pub fn search_mut(&mut self) -> &mut Search<C> {
        &mut self.search
    }

    pub fn space(&self) -> &Space<C::Action> {
        &self.space
    }

    /// Works on this number of further `states`; true when all are there.
    pub fn advance(&mut self, states: u32) -> Result<bool, NoMap> {
        if self.search.is_outdated() {
            self.search.begin_anew();
            (self.graph, self.space) = (Graph::new(), Space::new());
        }
        match self.search.status() {
            Status::Running => {
                self.search.advance(states);
                match self.search.counts().transitions > EDGES_MAX {
                    true => Err(NoMap::TooLarge),
                    false => Ok(false),
                }
            }
            Status::Bounded(super::search::Bound::Moves) => Err(NoMap::NotAll),
            Status::Bounded(_) => Err(NoMap::TooLarge),
            Status::Complete => self.note(states),
        }
    }

    /// Copies up to this number of further states from the search into the space.
    fn note(&mut self, states: u32) -> Result<bool, NoMap> {
        let all = self.graph.advance(&mut self.search, states).ok_or(NoMap::TooLarge)?;
        for state in self.space.len()..self.graph.len() {
            let state = state as StateId;
            let edges = self.graph.of(state);
            let steps = edges.iter().map(|edge| (self.search.action(edge), edge.to));
            self.space.steps.extend(steps);
            self.space.starts.push(self.space.steps.len() as u32);
            let is_stuck = self.stuck_breaks && self.graph.is_stuck(&mut self.search, state);
            let search = &mut self.search;
            let broken = self.conditions.iter().any(|one| !search.is_true(*one, state));
            self.space.broken.push(broken || is_stuck);
            self.space.depth.push(self.search.depth(state) as u16);
        }
        match self.space.steps.len() as u64 > EDGES_MAX {
            true => Err(NoMap::TooLarge),
            false => Ok(all && !self.search.is_outdated()),
        }
    }

    /// Works to the end.
    pub fn run(&mut self) -> Result<(), NoMap> {
        while !self.advance(1 << 14)? {}
        Ok(())
    }
}
