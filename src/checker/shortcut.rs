//! Short cuts through the trees of [`super::memo`]: for each tree, a table from the values of a few
//! slots to the node that a walk over these slots reaches.
//!
//! Most walks end there. One look into memory replaces a walk of branches that the processor cannot
//! predict.

use super::layout::{BitField, Layout};
use super::memo::{Target, UNKNOWN};

/// The most slots that a table looks at.
const SLOTS_MAX: usize = 4;
/// The binary logarithm of the most places of a table, of 4 bytes each.
const BITS_MAX: u32 = 13;

/// The digit that a slot contributes to an index of the table: the slot's word rotated right by
/// `turn`, under the mask.
#[derive(Debug, Clone, Copy, Default)]
struct Digit {
    word: u16,
    turn: u16,
    mask: u32,
}

/// A slot that the table looks at.
#[derive(Debug)]
struct Taken {
    slot: u16,
    field: BitField,
    /// The number of components for which there is room.
    room: u32,
}

#[derive(Debug, Default)]
pub(super) struct Shortcut {
    /// The slots that the tree's nodes ask for, in the order of the walk.
    slots: Vec<u16>,
    /// The slots among them that the table looks at.
    taken: Vec<Taken>,
    digits: [Digit; SLOTS_MAX],
    table: Vec<Target>,
}

impl Shortcut {
    /// Returns the target that a walk over these slots reaches; unknown where none went there yet.
    #[inline(always)]
    pub fn get<const W: usize>(&self, state: &[u64; W]) -> Target {
        self.table.get(self.place(state)).copied().unwrap_or(UNKNOWN)
    }

    #[inline(always)]
    fn place<const W: usize>(&self, state: &[u64; W]) -> usize {
        debug_assert!(self.taken.iter().all(|one| one.field.get(state) < one.room));
        let digits = self.digits.iter();
        digits.fold(0, |sum, Digit { word, turn, mask }| {
            sum | state[usize::from(*word) % W].rotate_right(u32::from(*turn)) as u32 & mask
        }) as usize
    }

    /// Enters the target that a walk over these slots has reached.
    pub fn set<const W: usize>(&mut self, state: &[u64; W], target: Target) {
        let place = self.place(state);
        let is_inside = place < self.table.len() || self.table.is_empty();
        debug_assert!(is_inside, "place {place} of {} is lost", self.table.len());
        if let Some(known) = self.table.get_mut(place) {
            *known = target;
        }
    }

    /// Returns true if the table looks at this slot.
    pub fn has(&self, slot: u16) -> bool {
        self.taken.iter().any(|own| own.slot == slot)
    }

    /// Notes a slot that a node asks for. True where the table has to be made anew for it.
    pub fn note(&mut self, slot: u16) -> bool {
        let is_new = !self.slots.contains(&slot) && self.slots.len() < 2 * SLOTS_MAX;
        if is_new {
            self.slots.push(slot);
        }
        is_new
    }

    /// Returns true if a slot with this number of components no longer fits the table.
    pub fn is_outgrown(&self, slot: usize, components: u32) -> bool {
        self.taken.iter().any(|own| usize::from(own.slot) == slot && components > own.room)
    }

    /// Makes the table anew, for slots with these numbers of components.
    pub fn make(&mut self, layout: &Layout, components: impl Fn(usize) -> u32) {
        let mut bits = 0;
        self.taken.clear();
        self.digits = [Digit::default(); SLOTS_MAX];
        for &slot in &self.slots {
            let needed = u32::BITS - components(slot.into()).saturating_sub(1).leading_zeros();
            if let Some(digit) = self.digits.get_mut(self.taken.len())
                && bits + needed <= BITS_MAX
            {
                let field = layout.field(slot.into());
                let (word, shift) = field.at();
                let turn = (u64::BITS + u32::from(shift) - bits) % u64::BITS;
                *digit = Digit { word, turn: turn as u16, mask: ((1 << needed) - 1) << bits };
                self.taken.push(Taken { slot, field, room: 1 << needed });
                bits += needed;
            }
        }
        self.table.clear();
        if !self.taken.is_empty() {
            self.table.resize(1 << bits, UNKNOWN);
        }
    }

    /// Forgets all targets.
    pub fn forget(&mut self) {
        self.table.fill(UNKNOWN);
    }

    pub fn bytes(&self) -> usize {
        self.table.capacity() * size_of::<Target>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_walk_stands_is_known_by_what_few_slots_hold() {
        let sizes = [5, 1 << 30, 3, 9, 1 << 25, 2, 2];
        let layout = Layout::new(sizes.into_iter()).unwrap();
        assert_eq!(layout.words(), 2);
        let pack = |components: [u32; 7]| {
            let mut state = [0; 2];
            layout.pack(&components, &mut state);
            state
        };
        let mut shortcut = Shortcut::default();
        assert_eq!(shortcut.get(&pack([0; 7])), UNKNOWN);
        for slot in [6, 1, 3, 0, 6, 4, 2] {
            shortcut.note(slot);
        }
        shortcut.make(&layout, |slot| sizes[slot]);
        // The second one would make the table too large, and so would the last but one.
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6].map(|slot| shortcut.has(slot)),
            [true, false, true, true, false, false, true]
        );
        let all = || (0..5).flat_map(|a| (0..3).flat_map(move |c| (0..9).map(move |d| (a, c, d))));
        let at = |(a, c, d): (u32, u32, u32)| pack([a, 7 * a, c, d, 400, 1, a % 2]);
        let target = |(a, c, d): (u32, u32, u32)| 1 + a * 100 + c * 10 + d;
        all().for_each(|one| shortcut.set(&at(one), target(one)));
        assert!(all().all(|one| shortcut.get(&at(one)) == target(one)));
        assert!(!shortcut.is_outgrown(0, 8) && shortcut.is_outgrown(0, 9));
        shortcut.forget();
        assert!(all().all(|one| shortcut.get(&at(one)) == UNKNOWN));
    }
}
