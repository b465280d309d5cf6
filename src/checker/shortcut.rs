//! Short cuts through the trees of what the model has answered: a table for each tree, by what a
//! few slots hold, of where a walk stands that has looked at these. Most walks end there. What is
//! one look into memory replaces a walk whose every turn the processor would have to guess.

use super::layout::Layout;
use super::memo::{Target, UNKNOWN};

/// A table looks at no more slots than these.
const SLOTS_MAX: usize = 4;
/// … and has 2 to this many places, of 4 bytes.
const BITS_MAX: u32 = 13;

/// What a slot adds to a place in the table: its word turned to the right by so many bits, and of
/// that the bits of the mask.
#[derive(Debug, Clone, Copy, Default)]
struct Digit {
    word: u16,
    turn: u16,
    mask: u32,
}

#[derive(Debug, Default)]
pub(super) struct Shortcut {
    /// The slots that the tree's nodes ask for, the first ones first.
    slots: Vec<u16>,
    /// Those of them that the table looks at, and how many parts each may have.
    taken: Vec<(u16, u32)>,
    digits: [Digit; SLOTS_MAX],
    table: Vec<Target>,
}

impl Shortcut {
    /// Where a walk stands after these slots; unknown where none went there yet.
    #[inline(always)]
    pub fn get<const W: usize>(&self, state: &[u64; W]) -> Target {
        self.table.get(self.place(state)).copied().unwrap_or(UNKNOWN)
    }

    #[inline(always)]
    fn place<const W: usize>(&self, state: &[u64; W]) -> usize {
        let digits = self.digits.iter();
        digits.fold(0, |sum, Digit { word, turn, mask }| {
            sum | state[usize::from(*word) % W].rotate_right(u32::from(*turn)) as u32 & mask
        }) as usize
    }

    /// A walk that has looked at these slots stands there.
    pub fn set<const W: usize>(&mut self, state: &[u64; W], target: Target) {
        let place = self.place(state);
        if let Some(known) = self.table.get_mut(place) {
            *known = target;
        }
    }

    /// Does the table look at this slot?
    pub fn has(&self, slot: u16) -> bool {
        self.taken.iter().any(|(own, _)| *own == slot)
    }

    /// A node asks for this slot. True where the table has to be made anew for it.
    pub fn note(&mut self, slot: u16) -> bool {
        let is_new = !self.slots.contains(&slot) && self.slots.len() < 2 * SLOTS_MAX;
        if is_new {
            self.slots.push(slot);
        }
        is_new
    }

    /// Would a slot with so many parts be beyond the table?
    pub fn is_outgrown(&self, slot: usize, parts: u32) -> bool {
        self.taken.iter().any(|&(own, room)| usize::from(own) == slot && parts > room)
    }

    /// Makes the table anew, for slots that have so many parts.
    pub fn make(&mut self, layout: &Layout, parts: impl Fn(usize) -> u32) {
        let mut bits = 0;
        self.taken.clear();
        self.digits = [Digit::default(); SLOTS_MAX];
        for &slot in &self.slots {
            let needed = u32::BITS - parts(slot.into()).saturating_sub(1).leading_zeros();
            if let Some(digit) = self.digits.get_mut(self.taken.len())
                && bits + needed <= BITS_MAX
            {
                let (word, shift) = layout.place(slot.into()).at();
                let turn = (u64::BITS + u32::from(shift) - bits) % u64::BITS;
                *digit = Digit { word, turn: turn as u16, mask: ((1 << needed) - 1) << bits };
                self.taken.push((slot, 1 << needed));
                bits += needed;
            }
        }
        self.table.clear();
        if !self.taken.is_empty() {
            self.table.resize(1 << bits, UNKNOWN);
        }
    }

    /// Forgets where walks stand.
    pub fn forget(&mut self) {
        self.table.fill(UNKNOWN);
    }

    pub fn bytes(&self) -> usize {
        self.table.capacity() * size_of::<Target>()
    }
}
