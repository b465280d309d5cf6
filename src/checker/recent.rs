//! States met lately: half of all moves lead to a state that another move led to a moment ago, and
//! a look here, which stays in the processor's cache, saves one in the large table.

/// How many are kept.
const PLACES: usize = 1 << 15;

/// By hash, the state met last. A state that is here is known; of one that is not, nothing is said.
#[derive(Debug, Default)]
pub(super) struct Recent {
    words: Vec<u64>,
}

impl Recent {
    /// For states of so many words. A place that nothing was put into holds what is no state.
    pub fn new(words: usize) -> Recent {
        Recent { words: vec![!0; words * PLACES] }
    }

    /// Was this state met lately? From now on it was.
    #[inline(always)]
    pub fn meets<const W: usize>(&mut self, state: &[u64; W], hash: u64) -> bool {
        let at = (hash >> 20) as usize % PLACES * W;
        let place = &mut self.words[at..at + W];
        let is_known = place == state;
        place.copy_from_slice(state);
        is_known
    }
}
