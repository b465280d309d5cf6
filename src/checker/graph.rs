//! The state graph in memory, for questions that need all of it: [`super::liveness`],
//! [`super::census`], distances to a set of states.

use super::components::Components;
use super::layout::by_width;
use super::memo::{Leaf, Slots};
use super::search::{NoRoom, Search, StateId, Status};
use ground::mutant::{Mutant, is_on};

/// The most edges kept: a gigabyte.
const EDGES_MAX: usize = 100_000_000;

/// The moves of every state. Built only from a complete search without symmetry and partial order.
#[derive(Debug, Default)]
pub struct Graph {
    /// Keep only moves that can be part of a cycle.
    only_rounds: bool,
    /// The moves of state n are `edges[starts[n]..starts[n + 1]]`.
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

/// A move possible in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// The state it leads to; `NOWHERE` if the search took another state for that one.
    pub to: StateId,
    /// The index of the move in [`Search`]'s list of moves.
    pub(super) stored: u32,
    /// The number of the leaf (the model's answer) that the move belongs to.
    pub(super) leaf: u32,
    pub actor: u16,
}

/// No state.
pub(super) const NOWHERE: StateId = StateId::MAX;

impl Graph {
    pub fn new() -> Graph {
        Graph { only_rounds: false, starts: vec![0], edges: Vec::new() }
    }

    /// A graph without the moves of actors that use up a budget ([`Components::spends`]). Such a
    /// move is in no cycle, because budgets only decrease.
    pub fn of_rounds() -> Graph {
        Graph { only_rounds: true, ..Graph::new() }
    }

    /// Adds the moves of up to this number of further `states`; true when all are there. `None` if
    /// the search is not complete, or there are more than `EDGES_MAX` moves.
    pub fn advance<C: Components>(&mut self, search: &mut Search<C>, states: u32) -> Option<bool> {
        if search.status() != Status::Complete {
            return None;
        }
        search.settle();
        let until = (self.len() as u32).saturating_add(states).min(search.counts().states as u32);
        for state in self.len() as u32..until {
            search.edges(state, self.only_rounds, &mut self.edges);
            self.starts.push(self.edges.len() as u32);
        }
        (self.edges.len() <= EDGES_MAX).then_some(self.len() as u64 == search.counts().states)
    }

    /// Adds all moves at once.
    pub fn whole<C: Components>(search: &mut Search<C>) -> Option<Graph> {
        let mut graph = Graph::new();
        graph.advance(search, u32::MAX)?.then_some(graph)
    }

    /// The number of states whose moves have been added.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn of(&self, state: StateId) -> &[Edge] {
        let at = state as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Returns true if no fair actor can move in a state, and the run may not end there.
    pub(super) fn is_stuck<C: Components>(&self, search: &mut Search<C>, state: StateId) -> bool {
        let may_end = search.model().conditions();
        let is_fair = |edge: &Edge| search.model().is_fair(edge.actor.into());
        !self.of(state).iter().any(is_fair) && !search.is_true(may_end, state)
    }
}

/// Computes the fewest steps from each state to a wanted one (breadth-first, backwards).
#[derive(Debug)]
pub struct Distances {
    stage: Stage,
    /// By state, the index in `from` at which the list of its predecessors begins.
    starts: Vec<u32>,
    /// The lists of predecessors, one after the other.
    from: Vec<StateId>,
    distances: Vec<u32>,
    /// States whose distance is known, nearest first.
    queue: Vec<StateId>,
    at: usize,
}

/// The stages of the computation; each visits one state after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Marks the wanted states, and counts the edges into each state.
    Targets,
    /// Enters each state into the lists of its successors.
    Lists,
    /// Gives the predecessors of a state a distance one larger.
    Steps,
}

impl Distances {
    pub fn new(graph: &Graph) -> Distances {
        Distances {
            stage: Stage::Targets,
            starts: vec![0; graph.len() + 1],
            from: Vec::new(),
            distances: vec![u32::MAX; graph.len()],
            queue: Vec::new(),
            at: 0,
        }
    }

    /// Works on this number of `states`; true when all distances are known.
    pub fn advance(
        &mut self,
        graph: &Graph,
        mut is_wanted: impl FnMut(StateId) -> bool,
        states: u32,
    ) -> bool {
        let all = match self.stage {
            Stage::Steps => self.queue.len(),
            _ => graph.len(),
        };
        let until = all.min(self.at.saturating_add(states as usize));
        for at in self.at..until {
            match self.stage {
                Stage::Targets => {
                    graph.of(at as StateId).iter().for_each(|edge| {
                        self.starts[edge.to as usize] += 1;
                    });
                    if is_wanted(at as StateId) {
                        self.distances[at] = 0;
                        self.queue.push(at as StateId);
                    }
                }
                Stage::Lists => {
                    for edge in graph.of(at as StateId) {
                        // Lists are filled from behind, after which they begin where they should.
                        let place = &mut self.starts[edge.to as usize];
                        *place -= 1;
                        self.from[*place as usize] = at as StateId;
                    }
                }
                Stage::Steps => self.step_back(self.queue[at] as usize),
            }
        }
        self.at = until;
        match self.stage {
            Stage::Targets if until == all => {
                let mut sum = 0;
                for start in &mut self.starts {
                    sum += *start;
                    *start = sum;
                }
                self.from = vec![0; sum as usize];
                (self.stage, self.at) = (Stage::Lists, 0);
                false
            }
            Stage::Lists if until == all => {
                (self.stage, self.at) = (Stage::Steps, 0);
                false
            }
            Stage::Steps => self.at == self.queue.len(),
            _ => false,
        }
    }

    fn step_back(&mut self, state: usize) {
        let farther = self.distances[state] + 1;
        let list = self.starts[state] as usize..self.starts[state + 1] as usize;
        for before in &self.from[list] {
            let known = &mut self.distances[*before as usize];
            if *known == u32::MAX {
                *known = farther;
                self.queue.push(*before);
            }
        }
    }

    /// Returns the distance of each state; `u32::MAX` where no wanted state can be reached.
    pub fn finish(self) -> Vec<u32> {
        self.distances
    }
}

impl<C: Components> Search<C> {
    /// Appends the moves of a state that was expanded. Answers that were forgotten are asked again,
    /// and may name slots that were added since.
    fn edges(&mut self, state: StateId, only_rounds: bool, out: &mut Vec<Edge>) {
        let before = out.len();
        while let Err(NoRoom) = by_width!(self.layout, self.edges_of(state, only_rounds, out)) {
            out.truncate(before);
            if !self.make_room() {
                return;
            }
        }
    }

    fn edges_of<const W: usize>(
        &mut self,
        state: StateId,
        only_rounds: bool,
        out: &mut Vec<Edge>,
    ) -> Result<(), NoRoom> {
        let words = self.store.get::<W>(state);
        self.memo.turn_to_another();
        if self.is_goal(&words) {
            return Ok(());
        }
        let list = match only_rounds {
            true => self.turns.for_nothing(),
            false => self.turns.of(&words),
        };
        for turn in 0..self.turns.list(list).len() {
            let actor = self.turns.list(list)[turn].actor;
            let leaf = self.leaf(actor, &words)?;
            let Leaf { first, count, .. } = self.memo.leaves[leaf as usize];
            for stored in first..first + count {
                let next = self.memo.after(stored as usize, &words);
                let hash = self.store.hash(&next);
                if let Some(to) = self.store.number_of(&next, hash) {
                    let is_it =
                        self.store.get::<W>(to) == next || is_on(Mutant::RoundsThroughOthers);
                    let to = if is_it { to } else { NOWHERE };
                    out.push(Edge { to, stored, leaf, actor: actor as u16 });
                }
            }
        }
        Ok(())
    }

    /// Returns the number of the state with these components, if it was met. Trailing slots may be
    /// missing.
    pub fn find(&mut self, components: &[u32]) -> Option<StateId> {
        self.settle();
        let fits = |(slot, component): (usize, &u32)| {
            *component == 0 || self.layout.has_room(slot, *component)
        };
        if !components.iter().enumerate().all(fits) {
            return None;
        }
        let mut words = [0; super::layout::WORDS_MAX];
        let width = self.layout.words();
        self.layout.pack(components, &mut words[..width]);
        by_width!(self.layout, self.find_packed(&words))
    }

    fn find_packed<const W: usize>(&mut self, words: &[u64]) -> Option<StateId> {
        let mut state = [0; W];
        state.copy_from_slice(&words[..W]);
        let hash = self.store.hash(&state);
        self.store.number_of(&state, hash)
    }

    /// The action of a move.
    pub fn action(&self, edge: &Edge) -> C::Action {
        self.memo.moves[edge.stored as usize].action
    }

    /// Returns true if two moves of one state are independent: neither writes what the other reads
    /// or writes.
    pub(super) fn independent(&self, one: &Edge, other: &Edge) -> bool {
        let touch = |edge: &Edge| {
            let reads = self.memo.reads[edge.leaf as usize];
            let writes = self.memo.moves[edge.stored as usize].touched;
            (reads.and(writes), writes)
        };
        let ((all, writes), (other_all, other_writes)) = (touch(one), touch(other));
        !writes.meets(other_all) && !other_writes.meets(all)
    }

    /// Returns true if no two slots share a bit of [`Slots`], so that [`Search::independent`] is
    /// exact.
    pub(super) fn knows_slots_apart(&self) -> bool {
        self.layout.slots() < Slots::default().0.count_zeros() as usize
    }
}
