//! Symmetry reduction: replaces a successor by the representative of its symmetry class, the states
//! that differ by a renaming of equal actors.
//!
//! The model computes representatives ([`Parts::canonical_after`]) and answers for their soundness;
//! this file only asks for them. Absent without [`Options::symmetry`](crate::checker::Options).

use super::{NoRoom, Search};
use crate::checker::StateId;
use crate::checker::parts::Parts;

/// Buffers that are reused.
#[derive(Debug, Default)]
pub(super) struct Symmetry {
    /// The state that [`Parts::depart`] was last called for, and its parts.
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

impl<P: Parts> Search<P> {
    /// Tells the model which state is expanded, if symmetry is on.
    #[inline(always)]
    pub(super) fn depart<const W: usize>(&mut self, state: &[u64; W]) {
        let Symmetry { origin, state: from, .. } = &mut self.symmetry;
        if self.options.symmetry && *origin != Some(self.at) {
            self.layout.unpack(state, from);
            self.parts.depart(from);
            *origin = Some(self.at);
        }
    }

    /// [`Parts::repeats`], if symmetry is on.
    #[inline(always)]
    pub(super) fn repeats(&self, actor: usize) -> bool {
        self.options.symmetry && self.parts.repeats(actor)
    }

    /// Replaces `next`, the successor of the expanded state by move `at`, by its representative.
    pub(super) fn make_canonical<const W: usize>(
        &mut self,
        next: &mut [u64; W],
        at: usize,
    ) -> Result<(), NoRoom> {
        let Symmetry { state: from, besides, .. } = &mut self.symmetry;
        let writes = &self.memo.moves[at].writes;
        self.parts.canonical_after(from, writes, besides);
        if cfg!(debug_assertions) {
            let mut whole = from.clone();
            writes.iter().for_each(|&(slot, part)| whole[slot] = part);
            let mut bit_by_bit = whole.clone();
            besides.iter().for_each(|&(slot, part)| bit_by_bit[slot] = part);
            self.parts.canonical(&mut whole, &mut Vec::new());
            assert_eq!(whole, bit_by_bit);
            self.parts.depart(from);
        }
        let mut is_known = true;
        for &(slot, part) in &*besides {
            if !self.layout.has_room(slot, part) {
                return Err(NoRoom);
            }
            self.layout.set(next, slot, part);
            is_known &= self.memo.knows(slot, part);
        }
        // Renamed parts may be new ones.
        if !is_known {
            self.memo.learn_facts(&mut self.parts, &self.layout);
        }
        Ok(())
    }
}
