//! The slots from which a step is computed. They are found by trial: a step that reached for a
//! missing slot is tried again with it.

use super::super::action::NodeId;
use super::super::world::World;
use super::WorldParts;
use crate::checker::View;

/// The slots of a state that a step needs, and how it needs them.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// The slots, in the order in which they were found.
    pub slots: Vec<usize>,
    /// Slots whose content does not matter: they are taken to hold these parts.
    as_if: Vec<Taken>,
    /// Instances that afterwards have only the keys that they copied: their former keys make no
    /// difference.
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

    /// Needs in which slots are taken to hold these parts, whatever the state.
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

    /// Adds a slot whose part afterwards does not depend on its part before, which is taken to be
    /// `part`.
    pub fn overwrite(&mut self, slot: usize, part: u32) {
        self.add(slot);
        self.as_if.push(Taken { slot, part, is_written: true });
    }

    /// Adds a slot of which the step reads only what `part` has in common with the state's part,
    /// and which it leaves as it is.
    pub fn show(&mut self, slot: usize, part: u32) {
        self.add(slot);
        self.as_if.push(Taken { slot, part, is_written: false });
    }

    pub fn part(&self, slot: usize, view: &mut View) -> u32 {
        let taken = self.as_if.iter().find(|taken| taken.slot == slot);
        taken.map_or_else(|| view.slot(slot), |taken| taken.part)
    }

    /// Returns true if the slot counts as written even if the step leaves it as it was taken to be.
    pub fn is_overwritten(&self, slot: usize) -> bool {
        self.as_if.iter().any(|taken| taken.slot == slot && taken.is_written)
    }
}

impl WorldParts {
    /// Returns the slots for which the fact is other than 0; their parts count as read.
    pub(super) fn found(&mut self, lens: u16, view: &mut View) -> Vec<usize> {
        view.find(self, lens).into_iter().map(|(slot, _)| slot).collect()
    }

    /// Assembles a world in which only these slots are filled.
    pub(super) fn assemble(&mut self, view: &mut View, needs: &Needs) -> World {
        let mut world = self.empty.clone();
        for &slot in &needs.slots {
            let part = needs.part(slot, view);
            self.put(&mut world, slot, part);
        }
        world
    }
}
