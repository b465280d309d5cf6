//! State packing: how a row of components becomes a few 64-bit words (component compression;
//! Holzmann's COLLAPSE, 1997).
//!
//! Each slot gets as many bits as its components need. Bits that a word has left over are shared
//! out, so that the packing seldom has to change; when it has to, [`super::search`] repacks
//! (`widen`).

/// The field of a slot in a packed state. The empty field holds component 0.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BitField {
    word: u16,
    shift: u16,
    mask: u32,
}

impl BitField {
    #[inline(always)]
    pub fn get(self, state: &[u64]) -> u32 {
        (state[usize::from(self.word)] >> self.shift) as u32 & self.mask
    }

    /// Returns the field's word and its first bit.
    pub fn at(self) -> (u16, u16) {
        (self.word, self.shift)
    }

    /// Returns the mask of the field within its word.
    fn bits(self) -> u64 {
        u64::from(self.mask) << self.shift
    }
}

/// The packing of all slots.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    fields: Vec<BitField>,
    words: usize,
}

/// The most words a state may take: 1,008 bits.
pub(super) const WORDS_MAX: usize = 16;

/// Calls `$this.$method::<W>($arguments)` for the width `W` of `$layout`: the one place, beside
/// [`words_for`], that knows the widths for which the search is compiled.
macro_rules! by_width {
    ($layout:expr, $this:ident.$method:ident($($argument:expr),*)) => {
        match $layout.words() {
            1 => $this.$method::<1>($($argument),*),
            2 => $this.$method::<2>($($argument),*),
            4 => $this.$method::<4>($($argument),*),
            _ => $this.$method::<{ $crate::layout::WORDS_MAX }>($($argument),*),
        }
    };
}
pub(super) use by_width;

/// The usable bits of a word. The top bit stays 0, so a word with that bit set is no state.
const WORD_BITS: u32 = 63;

/// The widest field: components are numbered by u32.
const BITS_MAX: u32 = 32;

impl Layout {
    /// Packs slots that have these numbers of components; `None` if a state would be too wide.
    pub fn new(components: impl Iterator<Item = u32>) -> Option<Layout> {
        // One bit more than needed now is twice as many components later.
        let needed: Vec<u32> =
            components.map(|n| u32::BITS - n.saturating_sub(1).leading_zeros()).collect();
        let words = words_for(&needed)?;
        let mut widths = needed.clone();
        // Spend the spare bits evenly, one each in turn, as long as no further word is needed.
        // Slots whose components have begun to vary come first: they are the ones that grow.
        for varying in [true, true, false, true, true, true] {
            for slot in 0..widths.len() {
                if (needed[slot] > 0) != varying || widths[slot] >= BITS_MAX {
                    continue;
                }
                widths[slot] += 1;
                if words_for(&widths) != Some(words) {
                    widths[slot] -= 1;
                }
            }
        }
        let fields = fields(&widths);
        let ends_within = fields.last().is_none_or(|last| usize::from(last.word) < words);
        debug_assert!(ends_within, "the last field lies beyond the {words} words of a state");
        Some(Layout { fields, words })
    }

    pub fn words(&self) -> usize {
        self.words
    }

    pub fn slots(&self) -> usize {
        self.fields.len()
    }

    /// Returns true if `slot` can hold component number `component`.
    pub fn has_room(&self, slot: usize, component: u32) -> bool {
        self.fields.get(slot).is_some_and(|field| component <= field.mask)
    }

    /// The component in `slot`; a slot that came after this layout holds component 0.
    #[inline(always)]
    pub fn get(&self, state: &[u64], slot: usize) -> u32 {
        self.fields.get(slot).map_or(0, |field| field.get(state))
    }

    /// Returns the field of a slot, for callers that read it often.
    pub fn field(&self, slot: usize) -> BitField {
        self.fields.get(slot).copied().unwrap_or_default()
    }

    pub fn set(&self, state: &mut [u64], slot: usize, component: u32) {
        debug_assert!(self.has_room(slot, component), "slot {slot} is too narrow for {component}");
        let field = &self.fields[slot];
        let word = &mut state[usize::from(field.word)];
        *word = (*word & !field.bits()) | (u64::from(component) << field.shift);
    }

    /// Adds a write to a mask of bits to clear and the bits to set.
    pub fn write(&self, clear: &mut [u64], set: &mut [u64], slot: usize, component: u32) {
        let field = &self.fields[slot];
        let word = usize::from(field.word);
        debug_assert!(self.has_room(slot, component), "slot {slot} is too narrow for {component}");
        debug_assert_eq!(clear[word] & field.bits(), 0, "a move writes slot {slot} twice");
        clear[word] |= field.bits();
        set[word] |= u64::from(component) << field.shift;
    }

    /// Returns a mask of all bits except those of these slots.
    pub fn without(&self, slots: &[usize]) -> [u64; WORDS_MAX] {
        let mut mask = [!0; WORDS_MAX];
        for field in slots.iter().map(|slot| self.field(*slot)) {
            mask[usize::from(field.word)] &= !field.bits();
        }
        mask
    }

    pub fn unpack(&self, state: &[u64], out: &mut Vec<u32>) {
        out.clear();
        out.extend((0..self.fields.len()).map(|slot| self.get(state, slot)));
    }

    pub fn pack(&self, components: &[u32], out: &mut [u64]) {
        out.fill(0);
        // A slot that this layout does not know yet holds component 0.
        for (slot, component) in components.iter().enumerate().take(self.fields.len()) {
            self.set(out, slot, *component);
        }
    }
}

/// Returns the number of words needed. Slots are packed in order, and none is split across two
/// words.
fn words_for(widths: &[u32]) -> Option<usize> {
    let (mut words, mut used) = (1, 0);
    for width in widths {
        if used + width > WORD_BITS {
            words += 1;
            used = 0;
        }
        used += width;
    }
    // The search is compiled for these numbers of words.
    [1, 2, 4, WORDS_MAX].into_iter().find(|n| words <= *n)
}

fn fields(widths: &[u32]) -> Vec<BitField> {
    let (mut word, mut used) = (0, 0);
    let field = |width: &u32| {
        if used + width > WORD_BITS {
            word += 1;
            used = 0;
        }
        let mask = ((1_u64 << width) - 1) as u32;
        let field = BitField { word, shift: used as u16, mask };
        used += width;
        field
    };
    widths.iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let sizes = [1, 2, 3, 1 << 20, 5, 1 << 30, 9, 1, 1 << 16];
        let layout = Layout::new(sizes.into_iter()).unwrap();
        let components: Vec<u32> = sizes.iter().map(|n| n - 1).collect();
        let mut packed = vec![!0; layout.words()];
        layout.pack(&components, &mut packed);
        let mut back = Vec::new();
        layout.unpack(&packed, &mut back);
        assert_eq!(back, components);
    }

    #[test]
    fn spare_bits_are_room_to_grow() {
        let layout = Layout::new([4, 4].into_iter()).unwrap();
        assert_eq!(layout.words(), 1);
        assert!(layout.has_room(0, 15) && layout.has_room(1, 15));
        assert!(!layout.has_room(2, 0), "there is no such slot");
    }

    #[test]
    fn too_wide_is_said() {
        assert!(Layout::new(std::iter::repeat_n(u32::MAX, 33)).is_none());
    }
}
