//! A cache of states met lately, direct-mapped by hash, in front of the table of all states.
//!
//! More than half of all moves lead to a state that another move led to a moment ago, and this
//! cache stays in the processor's cache. A state found here is known; one not found here may be
//! known too.

use ground::mutant::{Mutant, is_on};

/// Bounds of the cache: the fewest places, and the most words. Places beyond the number of states
/// would never hit, and each of them has to be written first.
const PLACES_MIN: usize = 1 << 10;
const WORDS_MAX: usize = 1 << 17;

/// By place, the last state whose hash led there.
#[derive(Debug, Default)]
pub(super) struct Recent {
    words: Vec<u64>,
    /// The number of places, a power of two.
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

    /// Returns true if it is for states of this number of words.
    pub fn is_for(&self, words: usize) -> bool {
        self.words.len() == self.places * words
    }

    /// Returns true if this state is in the cache, and puts it there.
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
