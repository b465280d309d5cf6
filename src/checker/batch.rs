//! Successors that are looked up together, so that they wait for memory together. Whether one is
//! there at all, and whether it is known already, cannot be foretold, and a wrong guess costs a
//! processor more than the work itself: one is put into its place without asking, and the next one
//! takes that place where it was for nothing.

use super::recent::Recent;
use super::search::StateId;
use super::store::{NONE, Store};

/// So many are looked up together.
const LEN: usize = 256;

/// A successor whose look-up is due.
#[derive(Clone, Copy)]
pub(super) struct Due<const W: usize> {
    pub state: [u64; W],
    pub parent: StateId,
}

/// Those of them that are looked up together.
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

    /// Puts so many of these into a batch that is not full: one or none.
    #[inline(always)]
    pub fn push(&mut self, due: Due<W>, count: u32) {
        self.due[self.len % LEN] = due;
        self.len += count as usize;
    }

    /// Works out the hashes, and leaves out those that were met lately.
    #[inline(always)]
    pub fn sift(&mut self, store: &Store, recent: &mut Recent) {
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

    /// The hashes, once they were worked out.
    #[inline(always)]
    pub fn hashes(&self) -> &[u64] {
        &self.hashes[..self.len.min(LEN)]
    }

    /// All that is due, with the hashes.
    #[inline(always)]
    pub fn due(&self) -> impl Iterator<Item = (&Due<W>, u64)> {
        self.due.iter().zip(self.hashes().iter().copied())
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }
}
