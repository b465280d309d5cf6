//! Every state met, in the order in which it was met, and the table by which a state is known
//! again.
//!
//! A state takes its packed words, four bytes for where it came from, and about six in the table.
//! The table is cut into segments that grow one at a time, so that growing never stops anything for
//! long.

use super::layout::{Layout, Place, WORDS_MAX};

/// States per piece of the list: a list that grows by pieces is never copied.
const CHUNK: usize = 1 << 14;
/// Segments of the table; the top bits of a hash choose one.
const SEGMENTS: usize = 256;
/// An entry is a state's number + 1 above these bits of its hash; 0 is an empty place.
const TAG_BITS: u32 = 6;
/// The most states that fit: 2²⁶ − 2.
pub(super) const STATES_MAX: u32 = (1 << (32 - TAG_BITS)) - 2;

/// No parent: the initial state.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Store {
    words: usize,
    states: Vec<Vec<u64>>,
    parents: Vec<Vec<u32>>,
    len: u32,
    segments: Vec<Segment>,
    budgets: Option<Box<Budgets>>,
}

/// Slots that count what may still happen. A state that differs from one met before in these alone,
/// and has no more in any of them, is taken for that one.
#[derive(Debug)]
struct Budgets {
    places: Vec<Place>,
    /// All other bits.
    rest: [u64; WORDS_MAX],
}

impl Budgets {
    #[inline]
    fn rest<const W: usize>(&self, state: &[u64; W]) -> [u64; W] {
        std::array::from_fn(|word| state[word] & self.rest[word])
    }

    /// Can `known` do whatever `state` can?
    #[inline]
    fn covers<const W: usize>(&self, known: &[u64; W], state: &[u64; W]) -> bool {
        self.rest(known) == self.rest(state)
            && self.places.iter().all(|place| place.get(known) >= place.get(state))
    }
}

#[derive(Debug, Default)]
struct Segment {
    entries: Vec<u32>,
    used: u32,
}

/// Fibonacci hashing per word, with the high half folded down.
#[inline(always)]
fn hash<const W: usize>(state: &[u64; W]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for word in state {
        hash = (hash ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^= hash >> 32;
    }
    hash.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[inline(always)]
fn segment_of(hash: u64) -> usize {
    (hash >> (u64::BITS - SEGMENTS.trailing_zeros())) as usize
}

#[inline(always)]
fn tag_of(hash: u64) -> u32 {
    hash as u32 & ((1 << TAG_BITS) - 1)
}

impl Segment {
    /// Any length will do: the place is the hash's middle bits, scaled.
    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        let middle = (hash >> 16) as u32;
        ((u64::from(middle) * self.entries.len() as u64) >> 32) as usize
    }
}

impl Store {
    pub fn new(words: usize) -> Store {
        let segments = (0..SEGMENTS).map(|_| Segment::default()).collect();
        Store { words, states: Vec::new(), parents: Vec::new(), len: 0, segments, budgets: None }
    }

    /// From now on, before anything is put in, these slots are budgets.
    pub fn set_budgets(&mut self, layout: &Layout, slots: &[usize]) {
        let places = slots.iter().map(|slot| layout.place(*slot)).collect();
        let budgets = Budgets { places, rest: layout.without(slots) };
        self.budgets = (!slots.is_empty()).then(|| Box::new(budgets));
    }

    /// The hash by which a state is looked up.
    #[inline(always)]
    pub fn hash<const W: usize>(&self, state: &[u64; W]) -> u64 {
        match &self.budgets {
            None => hash(state),
            Some(budgets) => hash(&budgets.rest(state)),
        }
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let words: usize = self.states.iter().map(Vec::capacity).sum();
        let parents: usize = self.parents.iter().map(Vec::capacity).sum();
        let entries: usize = self.segments.iter().map(|s| s.entries.capacity()).sum();
        words * 8 + (parents + entries) * 4
    }

    pub fn parent(&self, state: u32) -> u32 {
        self.parents[state as usize / CHUNK][state as usize % CHUNK]
    }

    pub fn words(&self, state: u32) -> &[u64] {
        let at = (state as usize % CHUNK) * self.words;
        &self.states[state as usize / CHUNK][at..at + self.words]
    }

    #[inline(always)]
    pub fn get<const W: usize>(&self, state: u32) -> [u64; W] {
        let at = (state as usize % CHUNK) * W;
        let chunk = &self.states[state as usize / CHUNK];
        let mut words = [0; W];
        words.copy_from_slice(&chunk[at..at + W]);
        words
    }

    /// Reads what a later look-up of this hash will read first, so that a batch of look-ups waits
    /// for memory once and not each in turn. The answer is worth nothing.
    #[inline(always)]
    pub fn touch(&self, hash: u64) -> u32 {
        let segment = &self.segments[segment_of(hash)];
        segment.entries.get(segment.place(hash)).copied().unwrap_or(0)
    }

    /// The second read of a look-up: the state that `entry` speaks of.
    #[inline(always)]
    pub fn touch_state<const W: usize>(&self, entry: u32) -> u64 {
        match (entry >> TAG_BITS).checked_sub(1) {
            Some(state) => self.get::<W>(state)[0],
            None => 0,
        }
    }

    /// The number of a state, if it was met, or one that can do as much.
    #[inline(always)]
    pub fn find<const W: usize>(&self, state: &[u64; W], hash: u64) -> Option<u32> {
        let segment = &self.segments[segment_of(hash)];
        if segment.entries.is_empty() {
            return None;
        }
        let tag = tag_of(hash);
        let mut place = segment.place(hash);
        loop {
            let entry = segment.entries[place];
            let number = (entry >> TAG_BITS).checked_sub(1)?;
            if entry & ((1 << TAG_BITS) - 1) == tag {
                let known = self.get::<W>(number);
                let covers = |budgets: &Budgets| budgets.covers(&known, state);
                if known == *state || self.budgets.as_deref().is_some_and(covers) {
                    return Some(number);
                }
            }
            place += 1;
            if place == segment.entries.len() {
                place = 0;
            }
        }
    }

    /// The number of `state`, and whether it is new. The caller has seen to it that there is room
    /// (fewer than [`STATES_MAX`]).
    #[inline(always)]
    pub fn insert<const W: usize>(
        &mut self,
        state: &[u64; W],
        hash: u64,
        parent: u32,
    ) -> (u32, bool) {
        if let Some(number) = self.find(state, hash) {
            return (number, false);
        }
        let number = self.len;
        let (chunk, within) = (number as usize / CHUNK, number as usize % CHUNK);
        if within == 0 {
            // The first piece grows as it must: most searches are small.
            let room = if chunk == 0 { 0 } else { CHUNK };
            self.states.push(Vec::with_capacity(room * W));
            self.parents.push(Vec::with_capacity(room));
        }
        self.states[chunk].extend_from_slice(state);
        self.parents[chunk].push(parent);
        self.len += 1;
        self.enter::<W>(number, hash);
        (number, true)
    }

    /// Puts a number into the table.
    fn enter<const W: usize>(&mut self, number: u32, hash: u64) {
        let at = segment_of(hash);
        let segment = &self.segments[at];
        if (segment.used as usize + 1) * 5 > segment.entries.len() * 4 {
            self.grow::<W>(at);
        }
        let segment = &mut self.segments[at];
        segment.used += 1;
        let place = segment.place(hash);
        put(&mut segment.entries, place, entry(number, hash));
    }

    /// Gives a segment twice the room. Where an entry goes is known by the state it speaks of:
    /// these are read some at a time, so that memory answers many questions at once.
    fn grow<const W: usize>(&mut self, at: usize) {
        let old = std::mem::take(&mut self.segments[at].entries);
        let mut grown = Segment { entries: Vec::new(), used: self.segments[at].used };
        let room = (old.len() * 2).max(4);
        grown.entries.reserve_exact(room);
        grown.entries.resize(room, 0);
        let mut hashes = [0; 64];
        for entries in old.chunks(hashes.len()) {
            for (hash, entry) in hashes.iter_mut().zip(entries) {
                let number = (entry >> TAG_BITS).saturating_sub(1);
                *hash = self.hash(&self.get::<W>(number));
            }
            for (hash, entry) in hashes.iter().zip(entries) {
                if *entry != 0 {
                    let place = grown.place(*hash);
                    put(&mut grown.entries, place, *entry);
                }
            }
        }
        self.segments[at] = grown;
    }

    /// Writes every state anew with `repack`, for a layout of `W` words.
    pub fn repack<const W: usize>(&mut self, mut repack: impl FnMut(&[u64], &mut [u64; W])) {
        let old_words = std::mem::replace(&mut self.words, W);
        for chunk in &mut self.states {
            let old = std::mem::take(chunk);
            chunk.reserve_exact(old.len() / old_words * W);
            for state in old.chunks_exact(old_words) {
                let mut new = [0; W];
                repack(state, &mut new);
                chunk.extend_from_slice(&new);
            }
        }
        for segment in &mut self.segments {
            segment.entries.fill(0);
            segment.used = 0;
        }
        for number in 0..self.len {
            let hash = self.hash(&self.get::<W>(number));
            self.enter::<W>(number, hash);
        }
    }
}

#[inline(always)]
fn entry(number: u32, hash: u64) -> u32 {
    ((number + 1) << TAG_BITS) | tag_of(hash)
}

#[inline(always)]
fn put(entries: &mut [u32], mut place: usize, entry: u32) {
    while entries[place] != 0 {
        place += 1;
        if place == entries.len() {
            place = 0;
        }
    }
    entries[place] = entry;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_known_again() {
        let mut store = Store::new(2);
        let state = |n: u64| [n / 7, n.wrapping_mul(n)];
        for n in 0..50_000 {
            assert_eq!(store.insert(&state(n), hash(&state(n)), NONE), (n as u32, true));
        }
        for n in 0..50_000 {
            assert_eq!(store.find(&state(n), hash(&state(n))), Some(n as u32));
        }
        assert_eq!(store.find(&[1, 1], hash(&[1, 1])), None);
        store.repack::<4>(|old, new| new[..2].copy_from_slice(old));
        let wide = [state(777)[0], state(777)[1], 0, 0];
        assert_eq!(store.find(&wide, hash(&wide)), Some(777));
        assert_eq!(store.words(777), wide);
    }
}
