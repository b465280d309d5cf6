//! Looks up successors in batches, so that cache misses overlap.
//!
//! Branch-free: a candidate is always written to the next place, which is reused if it was no
//! successor or a duplicate. Whether it is one cannot be predicted, and a mispredicted branch would
//! cost more than the write.

use super::recent::Recent;
use super::search::StateId;
use super::store::{NONE, Store};

/// The number of successors that are looked up together.
const LEN: usize = 256;

/// A successor that has to be looked up.
#[derive(Clone, Copy)]
pub(super) struct Due<const W: usize> {
    pub state: [u64; W],
    pub parent: StateId,
}

/// The successors that are looked up together, and their hashes.
pub(super) struct Batch<const W: usize> {
    due: Box<[Due<W>; LEN]>,
    hashes: Box<[u64; LEN]>,
    len: usize,
}

impl<const W: usize> Batch<W> {
    pub fn new() -> Batch<W> {
        let nothing = Due { state: [0; W], parent: NONE };
        Batch { due: Box::new([nothing; LEN]), hashes: Box::new([0; LEN]), len: 0 }
    }

    pub fn is_full(&self) -> bool {
        self.len == LEN
    }

    /// Appends `due` if `count` is 1, and nothing if it is 0. The batch must not be full.
    #[inline(always)]
    pub fn push(&mut self, due: Due<W>, count: u32) {
        debug_assert!(self.len < LEN && count <= 1, "a full batch must be looked up first");
        self.due[self.len % LEN] = due;
        self.len += count as usize;
    }

    /// Computes the hashes, and drops successors that were met lately.
    #[inline(always)]
    pub fn sift(&mut self, store: &Store, recent: &mut Recent) {
        debug_assert!(recent.is_for(W), "the cache is for states of another width");
        let mut len = 0;
        for at in 0..self.len.min(LEN) {
            let due = self.due[at];
            let hash = store.hash(&due.state);
            let is_known = recent.meets(&due.state, hash);
            self.due[len % LEN] = due;
            self.hashes[len % LEN] = hash;
            len += usize::from(!is_known);
        }
        self.len = len;
    }

    /// Returns the hashes that [`Batch::sift`] computed.
    #[inline(always)]
    pub fn hashes(&self) -> &[u64] {
        &self.hashes[..self.len.min(LEN)]
    }

    /// Returns the successors in the batch, each with its hash.
    #[inline(always)]
    pub fn due(&self) -> impl Iterator<Item = (&Due<W>, u64)> {
        self.due.iter().zip(self.hashes().iter().copied())
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }
}
