//! Traces: follows parents back from a state's number, and returns the actions that lead to it. A
//! trace is a list of actions; the model replays it.

use super::components::Components;
use super::search::{Search, StateId};
use super::store::NONE;

/// A successor with what a trace needs of it.
struct Successor<A> {
    action: A,
    state: Vec<u32>,
}

impl<C: Components> Search<C> {
    /// Returns a shortest run to a state that was met. Of several moves to the next state it takes
    /// the first.
    pub fn trace(&mut self, state: StateId) -> Vec<C::Action> {
        self.settle();
        let mut chain = vec![state];
        let mut at = state;
        while self.store.parent(at) != NONE {
            at = self.store.parent(at);
            chain.push(at);
        }
        chain.reverse();
        // With symmetry, a state stands for all that are equal but for a renaming of actors.
        // `actors` says which actor of the real run each one of the present state is.
        let mut actors: Vec<usize> = (0..self.model.actors()).collect();
        let mut initial = self.model.initial();
        initial.resize(self.layout.slots(), 0);
        self.follow_renaming(&mut initial, &mut actors);
        let mut trace = Vec::new();
        for pair in chain.windows(2) {
            let from = self.state(pair[0]);
            let successors = self.successors(&from);
            let to = self.state(pair[1]);
            for Successor { action, mut state } in successors {
                let mut renamed = actors.clone();
                self.follow_renaming(&mut state, &mut renamed);
                if state == to {
                    trace.push(self.model.rename(action, &actors));
                    actors = renamed;
                    break;
                }
            }
        }
        debug_assert_eq!(trace.len() + 1, chain.len(), "no move leads to the next state met");
        trace
    }

    /// Replaces `state` by its representative, and renames `actors` accordingly.
    fn follow_renaming(&mut self, state: &mut Vec<u32>, actors: &mut Vec<usize>) {
        let mut renaming = Vec::new();
        if self.options().symmetry && self.model.canonical(state, &mut renaming) {
            let mut renamed = actors.clone();
            for (old, new) in renaming.iter().enumerate() {
                renamed[*new] = actors[old];
            }
            *actors = renamed;
        }
        state.resize(self.layout.slots(), 0);
    }

    fn successors(&mut self, state: &[u32]) -> Vec<Successor<C::Action>> {
        let mut successors = Vec::new();
        for actor in 0..self.model.actors() {
            // A leaf that was forgotten is computed again, and may then name slots added since.
            let leaf = loop {
                let mut words = vec![0; self.layout.words()];
                self.layout.pack(state, &mut words);
                match self.known_leaf(actor, &words) {
                    None if self.make_room() => {}
                    leaf => break leaf,
                }
            };
            let Some(leaf) = leaf else { continue };
            let leaf = &self.memo.leaves[leaf as usize];
            for one in &self.memo.moves[leaf.first as usize..(leaf.first + leaf.count) as usize] {
                let mut next = state.to_vec();
                next.resize(self.layout.slots(), 0);
                for (slot, component) in &*one.writes {
                    next[*slot] = *component;
                }
                successors.push(Successor { action: one.action, state: next });
            }
        }
        successors
    }
}
