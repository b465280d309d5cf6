//! Symmetry reduction: replaces a successor by the representative of its symmetry class, the states
//! that differ by a renaming of equal actors.
//!
//! The model computes representatives ([`Components::canonical_after`]) and answers for their
//! soundness; this file only asks for them. Absent without
//! [`Options::symmetry`](crate::Options).

use super::{NoRoom, Search};
use crate::StateId;
use crate::components::Components;

/// Buffers that are reused.
#[derive(Debug, Default)]
pub(super) struct Symmetry {
    /// The state that [`Components::depart`] was last called for, and its components.
    origin: Option<StateId>,
    state: Vec<u32>,
    besides: Vec<(usize, u32)>,
}

impl Symmetry {
    /// Forgets that state: the model may have departed from another one since, or slots were added.
    pub fn forget(&mut self) {
        self.origin = None;
    }
}

impl<C: Components> Search<C> {
    /// Tells the model which state is expanded, if symmetry is on.
    #[inline(always)]
    pub(super) fn depart<const W: usize>(&mut self, state: &[u64; W]) {
        let Symmetry { origin, state: from, .. } = &mut self.symmetry;
        if self.options.symmetry && *origin != Some(self.at) {
            self.layout.unpack(state, from);
            self.model.depart(from);
            *origin = Some(self.at);
        }
    }

    /// [`Components::repeats`], if symmetry is on.
    #[inline(always)]
    pub(super) fn repeats(&self, actor: usize) -> bool {
        self.options.symmetry && self.model.repeats(actor)
    }

    /// Replaces `next`, the successor of the expanded state by move `at`, by its representative.
    pub(super) fn make_canonical<const W: usize>(
        &mut self,
        next: &mut [u64; W],
        at: usize,
    ) -> Result<(), NoRoom> {
        let Symmetry { state: from, besides, .. } = &mut self.symmetry;
        let writes = &self.memo.moves[at].writes;
        self.model.canonical_after(from, writes, besides);
        if cfg!(debug_assertions) {
            let mut whole = from.clone();
            writes.iter().for_each(|&(slot, component)| whole[slot] = component);
            let mut bit_by_bit = whole.clone();
            besides.iter().for_each(|&(slot, component)| bit_by_bit[slot] = component);
            self.model.canonical(&mut whole, &mut Vec::new());
            assert_eq!(whole, bit_by_bit);
            self.model.depart(from);
        }
        let mut is_known = true;
        for &(slot, component) in &*besides {
            if !self.layout.has_room(slot, component) {
                return Err(NoRoom);
            }
            self.layout.set(next, slot, component);
            is_known &= self.memo.knows(slot, component);
        }
        // Renamed components may be new ones.
        if !is_known {
            self.memo.learn_facts(&mut self.model, &self.layout);
        }
        Ok(())
    }
}
