//! The state graph in memory, for the questions that need all of it: does something happen on every
//! run, how many runs are there, how far is it from here.

use super::layout::by_width;
use super::memo::Slots;
use super::parts::Parts;
use super::search::{Search, StateId, Status};

/// The most edges kept: a gigabyte.
const EDGES_MAX: usize = 100_000_000;

/// Every state's moves, by state. Only of a complete search without reductions.
#[derive(Debug, Default)]
pub struct Graph {
    /// The moves of state n are `edges[starts[n]..starts[n + 1]]`.
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

/// A move possible in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    pub to: StateId,
    /// Its place in [`Search`]'s list of moves.
    pub(super) stored: u32,
    /// The answer it belongs to.
    pub(super) leaf: u32,
    pub actor: u16,
}

impl Graph {
    pub fn new() -> Graph {
        Graph { starts: vec![0], edges: Vec::new() }
    }

    /// Adds the moves of some `states` more; true when all are there. `None`: the search is not
    /// complete, or there are more moves than fit.
    pub fn advance<P: Parts>(&mut self, search: &mut Search<P>, states: u32) -> Option<bool> {
        if search.status() != Status::Complete {
            return None;
        }
        let until = (self.len() as u32).saturating_add(states).min(search.counts().states as u32);
        for state in self.len() as u32..until {
            search.edges(state, &mut self.edges);
            self.starts.push(self.edges.len() as u32);
        }
        (self.edges.len() <= EDGES_MAX).then_some(self.len() as u64 == search.counts().states)
    }

    /// All moves at once.
    pub fn whole<P: Parts>(search: &mut Search<P>) -> Option<Graph> {
        let mut graph = Graph::new();
        graph.advance(search, u32::MAX)?.then_some(graph)
    }

    /// How many states have their moves here.
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

    /// For each state the fewest steps to one of `targets`; `u32::MAX` where none can be reached.
    pub fn distances(&self, targets: impl Iterator<Item = StateId>) -> Vec<u32> {
        let (starts, from) = self.reversed();
        let mut distances = vec![u32::MAX; self.len()];
        let mut layer: Vec<StateId> = targets.collect();
        let mut distance = 0;
        while !layer.is_empty() {
            layer.retain(|state| {
                let known = &mut distances[*state as usize];
                let is_new = *known == u32::MAX;
                *known = (*known).min(distance);
                is_new
            });
            let before = |state: &StateId| {
                let at = *state as usize;
                from[starts[at] as usize..starts[at + 1] as usize].iter().copied()
            };
            layer = layer.iter().flat_map(before).collect();
            distance += 1;
        }
        distances
    }

    /// The edges by the state they lead to: where the list of each begins, and all lists.
    fn reversed(&self) -> (Vec<u32>, Vec<StateId>) {
        let mut starts = vec![0_u32; self.len() + 1];
        for edge in &self.edges {
            starts[edge.to as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut from = vec![0; self.edges.len()];
        for state in 0..self.len() as u32 {
            for edge in self.of(state) {
                let place = &mut next[edge.to as usize];
                from[*place as usize] = state;
                *place += 1;
            }
        }
        (starts, from)
    }
}

impl<P: Parts> Search<P> {
    /// Appends the moves of a state that was looked at.
    fn edges(&mut self, state: StateId, out: &mut Vec<Edge>) {
        by_width!(self.layout, self.edges_of(state, out))
    }

    fn edges_of<const W: usize>(&mut self, state: StateId, out: &mut Vec<Edge>) {
        let words = self.store.get::<W>(state);
        for actor in 0..self.parts.actors() {
            let Ok(leaf) = self.leaf(actor, &words) else { continue };
            let moves = &self.memo.leaves[leaf as usize];
            for stored in moves.first..moves.first + moves.count {
                let next = self.memo.after(stored as usize, &words);
                if let Some(to) = self.store.find(&next, self.store.hash(&next)) {
                    out.push(Edge { to, stored, leaf, actor: actor as u16 });
                }
            }
        }
    }

    /// The number of a state given by its parts, if it was met. Slots may be missing at the end.
    pub fn find(&self, parts: &[u32]) -> Option<StateId> {
        let fits = |(slot, part): (usize, &u32)| *part == 0 || self.layout.has_room(slot, *part);
        if !parts.iter().enumerate().all(fits) {
            return None;
        }
        let mut words = [0; super::layout::WORDS_MAX];
        let width = self.layout.words();
        self.layout.pack(parts, &mut words[..width]);
        by_width!(self.layout, self.find_packed(&words))
    }

    fn find_packed<const W: usize>(&self, words: &[u64]) -> Option<StateId> {
        let mut state = [0; W];
        state.copy_from_slice(&words[..W]);
        self.store.find(&state, self.store.hash(&state))
    }

    /// The action of a move.
    pub fn action(&self, edge: &Edge) -> P::Action {
        self.memo.moves[edge.stored as usize].action
    }

    /// Would it make no difference which of two moves of one state comes first? So it is if neither
    /// writes what the other touches.
    pub(super) fn independent(&self, one: &Edge, other: &Edge) -> bool {
        let touch = |edge: &Edge| {
            let reads = self.memo.leaves[edge.leaf as usize].reads;
            let writes = self.memo.moves[edge.stored as usize].touched;
            (reads.and(writes), writes)
        };
        let ((all, writes), (other_all, other_writes)) = (touch(one), touch(other));
        !writes.meets(other_all) && !other_writes.meets(all)
    }

    /// Are there so few slots that [`Search::independent`] is exact?
    pub(super) fn knows_slots_apart(&self) -> bool {
        self.layout.slots() < Slots::default().0.count_zeros() as usize
    }
}
