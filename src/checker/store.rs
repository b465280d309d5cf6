//! All states met, in the order in which they were met, and the hash table by which a state is
//! recognised.
//!
//! A state takes its packed words, four bytes for its parent, and its place in the table: about six
//! bytes where the table holds the states' numbers; about thirteen where states are one word and
//! the table holds that word itself, so that a look-up waits for memory once and not twice. The
//! table is cut into segments that grow one at a time, so that growing never stops the search for
//! long.
//!
//! Absent: hash compaction. A state is known only if all its words are equal.

use super::layout::{BitField, Layout, WORDS_MAX};
use ground::mutant::{Mutant, is_on};

/// States per piece of the list: a list that grows by pieces is never copied.
const CHUNK: usize = 1 << 14;
/// Segments of the table; the top bits of a hash choose one.
const SEGMENTS: usize = 256;
/// An entry is a state's number + 1, shifted left by this many bits, and below it that many bits of
/// its hash; 0 is an empty place.
const TAG_BITS: u32 = 6;
/// The most states that fit: 2²⁶ − 2.
pub(super) const STATES_MAX: u32 = (1 << (32 - TAG_BITS)) - 2;
/// A bit that is set in entries of tables that hold states; no state has it.
const TAKEN: u64 = 1 << 63;

/// The parent of the initial state.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Store {
    list: List,
    parents: Vec<Vec<u32>>,
    table: Table,
    /// The number of bytes that were requested from the allocator in advance.
    ahead: usize,
}

/// A browser takes as long to give one page of memory as a thousand, and collects garbage each
/// time. So a growing store requests this part more than it has, and no less than the minimum
/// below.
const AHEAD_PART: usize = 16;
const AHEAD_MIN: usize = 1 << 20;

/// The states in the order in which they were met.
#[derive(Debug)]
struct List {
    words: usize,
    states: Vec<Vec<u64>>,
    len: u32,
    budgets: Option<Box<Budgets>>,
}

#[derive(Debug)]
enum Table {
    /// Entries are state numbers, for states of any width.
    Numbers(Vec<Segment<u32, 16>>),
    /// Entries are the states themselves, of one word. Their numbers are not kept.
    States(Vec<Segment<u64, 8>>),
}

/// The slots that are budgets. A state that differs from a known one only in these, and has no more
/// in any of them, is taken for the known one.
#[derive(Debug)]
struct Budgets {
    fields: Vec<BitField>,
    /// The mask of all other bits.
    rest: [u64; WORDS_MAX],
}

impl Budgets {
    #[inline]
    fn rest<const W: usize>(&self, state: &[u64; W]) -> [u64; W] {
        std::array::from_fn(|word| state[word] & self.rest[word])
    }

    /// Returns true if `known` has no less than `state` in any budget, and equals it otherwise.
    #[inline]
    fn covers<const W: usize>(&self, known: &[u64; W], state: &[u64; W]) -> bool {
        let (more, less) = match is_on(Mutant::BudgetsReversed) {
            false => (known, state),
            true => (state, known),
        };
        let is_enough = |field: &BitField| field.get(more) >= field.get(less);
        self.rest(known) == self.rest(state)
            && (self.fields.iter().all(is_enough) || is_on(Mutant::BudgetsIgnored))
    }
}

/// The entries of a cache line: a look-up stays within one line, and goes to the next one only
/// where it is full.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Line<E, const N: usize>([E; N]);

#[derive(Debug, Clone)]
struct Segment<E, const N: usize> {
    lines: Vec<Line<E, N>>,
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

impl<E: Copy + Default + PartialEq, const N: usize> Segment<E, N> {
    fn table() -> Vec<Segment<E, N>> {
        vec![Segment { lines: Vec::new(), used: 0 }; SEGMENTS]
    }

    fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<Line<E, N>>()
    }

    /// Returns the line where a look-up begins: the hash's middle bits, scaled, so that any number
    /// of lines will do.
    #[inline(always)]
    fn line(&self, hash: u64) -> usize {
        let middle = (hash >> 16) as u32;
        ((u64::from(middle) * self.lines.len() as u64) >> 32) as usize
    }

    /// Returns the entry of its line where a look-up begins. Its bits of the hash are neither in
    /// the tag nor in the middle.
    #[inline(always)]
    fn start(hash: u64) -> usize {
        (hash >> TAG_BITS) as usize % N
    }

    /// Returns the entry that a look-up of this hash reads first.
    #[inline(always)]
    fn first(&self, hash: u64) -> E {
        self.lines.get(self.line(hash)).map_or(E::default(), |line| line.0[Self::start(hash)])
    }

    /// Returns the entry for which `is_it` is true, or the empty place for it: a line, and an index
    /// in that.
    #[inline(always)]
    fn look(&self, hash: u64, is_it: impl Fn(E) -> bool) -> Result<E, (usize, usize)> {
        let mut at = self.line(hash);
        let start = Self::start(hash);
        loop {
            let Some(line) = self.lines.get(at) else { return Err((0, 0)) };
            for place in start..start + N {
                let entry = line.0[place % N];
                if entry == E::default() {
                    return Err((at, place % N));
                }
                if is_it(entry) {
                    return Ok(entry);
                }
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    /// Puts a new entry into `place`, which is empty; the segment grows first if it must.
    #[inline(always)]
    fn enter(
        &mut self,
        mut place: (usize, usize),
        hash: u64,
        entry: E,
        room: Room,
        hashed: impl Fn(E) -> u64,
    ) {
        if (self.used as usize + 1) * 100 > self.lines.len() * N * room.percent {
            self.grow(room, hashed);
            place = self.look(hash, |_| false).err().unwrap_or_default();
        }
        let (line, place) = place;
        self.lines[line].0[place] = entry;
        self.used += 1;
    }

    /// Grows. The entries' hashes are computed a line at a time, so that cache misses overlap where
    /// that reads states. A bit set keeps the places taken in the new lines, which avoids
    /// unpredictable branches.
    #[inline(never)]
    fn grow(&mut self, room: Room, hashed: impl Fn(E) -> u64) {
        let old = std::mem::take(&mut self.lines);
        let len = old.len() + (old.len() / room.part).max(1);
        self.lines.reserve_exact(len);
        self.lines.resize(len, Line([E::default(); N]));
        let mut taken = vec![0_u32; len];
        for Line(entries) in old {
            let hashes = entries.map(&hashed);
            for (hash, entry) in hashes.into_iter().zip(entries) {
                let mut at = self.line(hash);
                while taken[at].count_ones() == N as u32 {
                    at = if at + 1 == len { 0 } else { at + 1 };
                }
                let start = Self::start(hash);
                let twice = taken[at] | taken[at] << N;
                let place = (start + (twice >> start).trailing_ones() as usize) % N;
                self.lines[at].0[place] = entry;
                taken[at] |= u32::from(entry != E::default()) << place;
            }
        }
        let entered = || taken.iter().map(|line| line.count_ones()).sum::<u32>();
        debug_assert_eq!(entered(), self.used, "growing has lost states");
    }
}

/// When a segment grows (at this percentage of use), and by which part of its size.
#[derive(Debug, Clone, Copy)]
struct Room {
    percent: usize,
    part: usize,
}

/// Growing reads states all over memory, so it is rare.
const FOR_NUMBERS: Room = Room { percent: 80, part: 1 };
/// Growing is cheap, and entries are large, so it is in small steps.
const FOR_STATES: Room = Room { percent: 75, part: 2 };

impl List {
    #[inline(always)]
    fn get<const W: usize>(&self, state: u32) -> [u64; W] {
        let at = (state as usize % CHUNK) * W;
        let chunk = &self.states[state as usize / CHUNK];
        let mut words = [0; W];
        words.copy_from_slice(&chunk[at..at + W]);
        words
    }

    #[inline(always)]
    fn hash<const W: usize>(&self, state: &[u64; W]) -> u64 {
        match &self.budgets {
            None => hash(state),
            Some(budgets) => hash(&budgets.rest(state)),
        }
    }

    /// Returns the hash of an entry's state; any number for an empty entry.
    #[inline(always)]
    fn hash_of<const W: usize>(&self, entry: u32) -> u64 {
        self.hash(&self.get::<W>((entry >> TAG_BITS).saturating_sub(1)))
    }

    /// Returns true if the entry is that of `state`, or of a state that covers it (budgets).
    #[inline(always)]
    fn is_it<const W: usize>(&self, entry: u32, state: &[u64; W], hash: u64) -> bool {
        if entry & ((1 << TAG_BITS) - 1) != tag_of(hash) {
            return false;
        }
        let known = self.get::<W>((entry >> TAG_BITS) - 1);
        if is_on(Mutant::StoreByHash) {
            return true;
        }
        known == *state || self.budgets.as_deref().is_some_and(|one| one.covers(&known, state))
    }
}

impl Store {
    /// An empty store for states of this number of words. `numbered`: states can be looked up by
    /// number.
    pub fn new(words: usize, numbered: bool) -> Store {
        let list = List { words, states: Vec::new(), len: 0, budgets: None };
        Store { list, parents: Vec::new(), table: Table::new(words, numbered), ahead: 0 }
    }

    /// Makes these slots budgets. Must be called before a state is inserted.
    pub fn set_budgets(&mut self, layout: &Layout, slots: &[usize]) {
        debug_assert_eq!(self.list.len, 0, "states were entered without budgets");
        let fields = slots.iter().map(|slot| layout.field(*slot)).collect();
        let budgets = Budgets { fields, rest: layout.without(slots) };
        self.list.budgets = (!slots.is_empty()).then(|| Box::new(budgets));
        if self.list.budgets.is_some() {
            self.table = Table::Numbers(Segment::table());
        }
    }

    /// Returns the hash by which a state is looked up.
    #[inline(always)]
    pub fn hash<const W: usize>(&self, state: &[u64; W]) -> u64 {
        self.list.hash(state)
    }

    pub fn len(&self) -> u32 {
        self.list.len
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let words: usize = self.list.states.iter().map(Vec::capacity).sum();
        let parents: usize = self.parents.iter().map(Vec::capacity).sum();
        let entries: usize = match &self.table {
            Table::Numbers(segments) => segments.iter().map(Segment::bytes).sum(),
            Table::States(segments) => segments.iter().map(Segment::bytes).sum(),
        };
        words * 8 + parents * 4 + entries
    }

    pub fn parent(&self, state: u32) -> u32 {
        self.parents[state as usize / CHUNK][state as usize % CHUNK]
    }

    pub fn words(&self, state: u32) -> &[u64] {
        let at = (state as usize % CHUNK) * self.list.words;
        &self.list.states[state as usize / CHUNK][at..at + self.list.words]
    }

    #[inline(always)]
    pub fn get<const W: usize>(&self, state: u32) -> [u64; W] {
        self.list.get(state)
    }

    /// Reads the lines that later look-ups of these hashes will read first, so that cache misses
    /// overlap. The result has no meaning.
    #[inline(always)]
    pub fn touch<const W: usize>(&self, hashes: impl Iterator<Item = u64> + Clone) -> u64 {
        match &self.table {
            Table::States(all) => {
                hashes.fold(0, |sum, hash| sum ^ all[segment_of(hash)].first(hash))
            }
            Table::Numbers(all) => {
                let first = |hash: u64| all[segment_of(hash)].first(hash);
                let sum = hashes.clone().fold(0, |sum, hash| sum ^ first(hash));
                // The second read: the state that the entry speaks of.
                let numbers = hashes.filter_map(|hash| (first(hash) >> TAG_BITS).checked_sub(1));
                numbers.fold(sum.into(), |sum, number| sum ^ self.get::<W>(number)[0])
            }
        }
    }

    /// Returns true if this state, or one that covers it, was met.
    #[inline(always)]
    pub fn knows<const W: usize>(&self, state: &[u64; W], hash: u64) -> bool {
        let at = segment_of(hash);
        match &self.table {
            Table::States(all) => all[at].look(hash, |known| known == state[0] | TAKEN).is_ok(),
            Table::Numbers(all) => {
                all[at].look(hash, |entry| self.list.is_it(entry, state, hash)).is_ok()
            }
        }
    }

    /// Returns the number of this state, or of one that covers it, if it was met.
    pub fn number_of<const W: usize>(&mut self, state: &[u64; W], hash: u64) -> Option<u32> {
        if let Table::States(_) = self.table {
            self.table = Table::Numbers(Segment::table());
            self.enter_all::<W>();
        }
        let Table::Numbers(all) = &self.table else { return None };
        let is_it = |entry| self.list.is_it(entry, state, hash);
        let entry = all[segment_of(hash)].look(hash, is_it).ok()?;
        (entry >> TAG_BITS).checked_sub(1)
    }

    /// Inserts `state` and returns its number, or `None` if it is known. The caller makes sure that
    /// there is room (fewer than [`STATES_MAX`] states).
    #[inline(always)]
    pub fn insert<const W: usize>(
        &mut self,
        state: &[u64; W],
        hash: u64,
        parent: u32,
    ) -> Option<u32> {
        let number = self.list.len;
        debug_assert!(parent == NONE || parent < number, "a state is older than its parent");
        if !self.table.enter(&self.list, number, state, hash) {
            return None;
        }
        let (chunk, within) = (number as usize / CHUNK, number as usize % CHUNK);
        if within == 0 {
            // The first piece grows as it must: most searches are small.
            let room = if chunk == 0 { 0 } else { CHUNK };
            if cfg!(target_arch = "wasm32") && chunk > 0 {
                self.get_ahead();
            }
            self.list.states.push(Vec::with_capacity(room * W));
            self.parents.push(Vec::with_capacity(room));
        }
        self.list.states[chunk].extend_from_slice(state);
        self.parents[chunk].push(parent);
        self.list.len += 1;
        self.check_entered(number, state, hash);
        Some(number)
    }

    /// What was entered reads back and is found in the table. One state in 64 is looked at.
    #[inline(always)]
    fn check_entered<const W: usize>(&self, number: u32, state: &[u64; W], hash: u64) {
        if cfg!(debug_assertions) && number & 63 == 0 {
            debug_assert!(number < STATES_MAX, "the table has no numbers left");
            debug_assert!(state.iter().all(|word| word & TAKEN == 0), "the top bit marks an entry");
            debug_assert_eq!(self.get::<W>(number), *state, "state {number} reads back as another");
            debug_assert_eq!(hash, self.hash(state), "the hash is that of another state");
            debug_assert!(self.knows(state, hash), "state {number} is not found again");
        }
    }

    /// Requests memory that will be needed soon and frees it at once: the allocator keeps it.
    #[inline(never)]
    fn get_ahead(&mut self) {
        let bytes = self.bytes();
        if bytes + bytes / (2 * AHEAD_PART) > self.ahead {
            let more = AHEAD_MIN.max(bytes / AHEAD_PART);
            drop(std::hint::black_box(Vec::<u8>::with_capacity(more)));
            self.ahead = bytes + more;
        }
    }

    /// Drops the table: no state is looked up afterwards.
    pub fn drop_table(&mut self) {
        self.table = Table::Numbers(Vec::new());
    }

    /// Drops the states before `state` that are no longer needed, in whole chunks of the list.
    pub fn drop_before(&mut self, state: u32) {
        debug_assert!(state <= self.list.len);
        let chunks = state as usize / CHUNK;
        self.list.states[..chunks].fill(Vec::new());
        self.parents[..chunks].fill(Vec::new());
    }

    /// Enters all states into an empty table.
    fn enter_all<const W: usize>(&mut self) {
        for number in 0..self.list.len {
            let state = self.get::<W>(number);
            self.table.enter(&self.list, number, &state, self.list.hash(&state));
        }
    }
}

impl Table {
    fn new(words: usize, numbered: bool) -> Table {
        match numbered || words > 1 {
            true => Table::Numbers(Segment::table()),
            false => Table::States(Segment::table()),
        }
    }

    /// Enters state `number`; false where it, or a state that covers it, is there already.
    #[inline(always)]
    fn enter<const W: usize>(
        &mut self,
        list: &List,
        number: u32,
        state: &[u64; W],
        hash: u64,
    ) -> bool {
        let at = segment_of(hash);
        match self {
            Table::States(all) => {
                let entry = state[0] | TAKEN;
                let Err(place) = all[at].look(hash, |known| known == entry) else { return false };
                let hash_of = |entry: u64| self::hash(&[entry & !TAKEN]);
                all[at].enter(place, hash, entry, FOR_STATES, hash_of);
            }
            Table::Numbers(all) => {
                let is_it = |entry| list.is_it(entry, state, hash);
                let Err(place) = all[at].look(hash, is_it) else { return false };
                let entry = ((number + 1) << TAG_BITS) | tag_of(hash);
                all[at].enter(place, hash, entry, FOR_NUMBERS, |entry| list.hash_of::<W>(entry));
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_known_again() {
        let mut store = Store::new(2, false);
        let state = |n: u64| [n / 7, n.wrapping_mul(n)];
        for n in 0..50_000 {
            assert_eq!(store.insert(&state(n), hash(&state(n)), NONE), Some(n as u32));
        }
        for n in 0..50_000 {
            assert_eq!(store.number_of(&state(n), hash(&state(n))), Some(n as u32));
            assert_eq!(store.insert(&state(n), hash(&state(n)), NONE), None);
        }
        assert!(!store.knows(&[1, 1], hash(&[1, 1])));
        store.drop_table();
        store.drop_before(30_000);
        assert_eq!(store.words(49_999), state(49_999));
    }

    #[test]
    fn a_table_of_states_can_be_numbered_later() {
        let mut store = Store::new(1, false);
        let state = |n: u64| [n * n];
        for n in 0..50_000 {
            assert_eq!(store.insert(&state(n), hash(&state(n)), NONE), Some(n as u32));
        }
        assert!(matches!(store.table, Table::States(_)));
        assert!(store.knows(&state(49_999), hash(&state(49_999))));
        assert!(!store.knows(&[3], hash(&[3])));
        assert_eq!(store.insert(&state(77), hash(&state(77)), NONE), None);
        assert_eq!(store.number_of(&state(77), hash(&state(77))), Some(77));
        assert_eq!(store.number_of(&[3], hash(&[3])), None);
        assert_eq!(store.insert(&[3], hash(&[3]), NONE), Some(50_000), "it goes on with numbers");
    }
}
