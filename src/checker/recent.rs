//! A cache of states met lately, direct-mapped by hash, in front of the table of all states.
//!
//! More than half of all moves lead to a state that another move led to a moment ago, and a look
//! here stays in the processor's cache. A state that is here is known; of one that is not, nothing
//! is said.

use crate::mutant::{Mutant, is_on};

/// The fewest states that are kept, and the most words. More places than states would be asked for
/// in vain, and each of them has to be written first.
const PLACES_MIN: usize = 1 << 10;
const WORDS_MAX: usize = 1 << 17;

/// For each place, the last state whose hash led there.
#[derive(Debug, Default)]
pub(super) struct Recent {
    words: Vec<u64>,
    /// A power of two.
    places: usize,
}

impl Recent {
    /// An empty cache for states of `words` words, a power of two. An empty place holds a pattern
    /// that is no state.
    pub fn new(words: usize) -> Recent {
        Recent { words: vec![!0; PLACES_MIN * words], places: PLACES_MIN }
    }

    /// Grows to the number of states met, within bounds. Growing empties the cache.
    pub fn grow(&mut self, words: usize, states: u32) {
        let places = (states as usize).next_power_of_two().min(WORDS_MAX / words);
        if places > self.places {
            *self = Recent { words: vec![!0; places * words], places };
        }
    }

    /// Whether this state is in the cache; puts it there.
    #[inline(always)]
    pub fn meets<const W: usize>(&mut self, state: &[u64; W], hash: u64) -> bool {
        let at = ((hash >> 20) as usize & (self.places - 1)) * W;
        let place = &mut self.words[at..at + W];
        let is_known = match is_on(Mutant::RecentByPlace) {
            true => place[0] != !0,
            false => place == state,
        };
        place.copy_from_slice(state);
        is_known
    }
}
