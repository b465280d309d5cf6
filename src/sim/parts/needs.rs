//! The slots from which a step is computed, found out by trying: a step that reached for a slot
//! that was not there is tried again with it.

use super::super::action::NodeId;
use super::super::world::World;
use super::WorldParts;
use crate::checker::View;

/// Slots, and what else a step needs to know of a state.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// The slots that it needs, in the order in which it was found out.
    pub slots: Vec<usize>,
    /// Some of these it needs whatever they hold: they are taken to hold this.
    as_if: Vec<Taken>,
    /// Instances that have no key afterwards but those that they copied: which they had before
    /// makes no difference.
    pub emptied: Vec<NodeId>,
}

#[derive(Debug, Clone, Copy)]
struct Taken {
    slot: usize,
    part: u32,
    is_written: bool,
}

impl Needs {
    pub fn of(slots: Vec<usize>) -> Needs {
        Needs { slots, ..Needs::default() }
    }

    /// Slots that are taken to hold these parts, whatever the state.
    pub fn taken(parts: Vec<(usize, u32)>) -> Needs {
        let mut needs = Needs::default();
        parts.into_iter().for_each(|(slot, part)| needs.show(slot, part));
        needs
    }

    pub fn has(&self, slot: usize) -> bool {
        self.slots.contains(&slot)
    }

    pub fn add(&mut self, slot: usize) {
        if !self.has(slot) {
            self.slots.push(slot);
        }
    }

    pub fn add_all(&mut self, slots: impl IntoIterator<Item = usize>) {
        slots.into_iter().for_each(|slot| self.add(slot));
    }

    /// Adds a slot whose part afterwards does not depend on its part now, which may as well be
    /// `part`.
    pub fn overwrite(&mut self, slot: usize, part: u32) {
        self.add(slot);
        self.as_if.push(Taken { slot, part, is_written: true });
    }

    /// The step looks at the slot, but only at what `part` has in common with what it holds, and
    /// leaves it as it is.
    pub fn show(&mut self, slot: usize, part: u32) {
        self.add(slot);
        self.as_if.push(Taken { slot, part, is_written: false });
    }

    pub fn part(&self, slot: usize, view: &mut View) -> u32 {
        let taken = self.as_if.iter().find(|taken| taken.slot == slot);
        taken.map_or_else(|| view.slot(slot), |taken| taken.part)
    }

    /// Is it written though the step leaves it as it was taken to be?
    pub fn is_overwritten(&self, slot: usize) -> bool {
        self.as_if.iter().any(|taken| taken.slot == slot && taken.is_written)
    }
}

impl WorldParts {
    /// The slots of which the fact is other than 0: what they hold is needed.
    pub(super) fn found(&mut self, lens: u16, view: &mut View) -> Vec<usize> {
        view.find(self, lens).into_iter().map(|(slot, _)| slot).collect()
    }

    /// A world with these slots filled, and nothing else.
    pub(super) fn assemble(&mut self, view: &mut View, needs: &Needs) -> World {
        let mut world = self.empty.clone();
        for &slot in &needs.slots {
            let part = needs.part(slot, view);
            self.put(&mut world, slot, part);
        }
        world
    }
}
