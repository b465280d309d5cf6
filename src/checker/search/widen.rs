//! Repacks all stored states when a component needs more bits than its field has.
//!
//! Contract: a few states at a time ([`MOVED_PER_STATE`]), as there may be millions, so that
//! [`Search::advance`] keeps its budget. Numbers of states stay.

use super::{Bound, Search, Status};
use crate::StateId;
use crate::components::Components;
use crate::layout::{Layout, by_width};
use crate::recent::Recent;
use crate::store::Store;

/// A repacking under way: the old states, their layout, and the next one to repack.
#[derive(Debug)]
pub(super) struct Moving {
    pub store: Store,
    layout: Layout,
    /// The next state to repack.
    at: StateId,
}

/// How many states are repacked for each state that is searched.
pub(super) const MOVED_PER_STATE: u32 = 4;

impl<C: Components> Search<C> {
    /// Makes room for the components there are now, and begins to repack every state.
    pub(super) fn widen(&mut self) {
        if let Some((mut store, layout)) = self.lay_out() {
            store.drop_table();
            self.moving = Some(Box::new(Moving { store, layout, at: 0 }));
        }
    }

    /// Makes room for the components there are now and repacks at once, for a caller that looks at
    /// a single state. False if states become too wide.
    pub(crate) fn make_room(&mut self) -> bool {
        self.widen();
        self.settle();
        self.status != Status::Bounded(Bound::Width)
    }

    /// Repacks this many states; true when all are.
    pub(super) fn move_on(&mut self, states: u32) -> bool {
        if let Some(mut moving) = self.moving.take() {
            by_width!(self.layout, self.move_some(&mut moving, states));
            self.moving = (moving.at < moving.store.len()).then_some(moving);
        }
        self.moving.is_none()
    }

    fn move_some<const W: usize>(&mut self, moving: &mut Moving, states: u32) {
        let until = moving.at.saturating_add(states).min(moving.store.len());
        let mut components = Vec::new();
        for number in moving.at..until {
            moving.layout.unpack(moving.store.words(number), &mut components);
            let mut state = [0; W];
            self.layout.pack(&components, &mut state);
            let is_kept = |(slot, one): (usize, &u32)| self.layout.get(&state, slot) == *one;
            debug_assert!(components.iter().enumerate().all(is_kept), "state {number} has changed");
            // None is left out now: those that others stand for are not here.
            let hash = self.store.hash(&state);
            let new = self.store.insert(&state, hash, moving.store.parent(number));
            debug_assert_eq!(new, Some(number));
        }
        moving.at = until;
        moving.store.drop_before(until);
        if until == moving.store.len() {
            self.recent = Recent::new(W);
        }
    }

    /// Finishes the repacking under way, for a caller that looks at a state.
    pub(crate) fn settle(&mut self) {
        while !self.move_on(u32::MAX) {}
    }
}
