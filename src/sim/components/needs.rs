//! The slots from which a step is computed. They are found by trial: a step that reached for a
//! missing slot is tried again with it.

use super::super::action::NodeId;
use super::super::world::World;
use super::WorldComponents;
use crate::checker::View;

/// The slots of a state that a step needs, and how it needs them.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// The slots, in the order in which they were found.
    pub slots: Vec<usize>,
    /// Slots whose content does not matter: they are taken to hold these components.
    as_if: Vec<Taken>,
    /// Instances that afterwards have only the keys that they copied: their former keys make no
    /// difference.
    pub emptied: Vec<NodeId>,
}

#[derive(Debug, Clone, Copy)]
struct Taken {
    slot: usize,
    component: u32,
    is_written: bool,
}

impl Needs {
    pub fn of(slots: Vec<usize>) -> Needs {
        Needs { slots, ..Needs::default() }
    }

    /// Notes that an instance is emptied: once, as its keys are written once.
    pub fn empty(&mut self, node: NodeId) {
        if !self.emptied.contains(&node) {
            self.emptied.push(node);
        }
    }

    /// Needs in which slots are taken to hold these components, whatever the state.
    pub fn taken(components: Vec<(usize, u32)>) -> Needs {
        let mut needs = Needs::default();
        components.into_iter().for_each(|(slot, component)| needs.show(slot, component));
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

    /// Adds a slot whose component afterwards does not depend on its component before, which is
    /// taken to be `component`.
    pub fn overwrite(&mut self, slot: usize, component: u32) {
        self.add(slot);
        self.as_if.push(Taken { slot, component, is_written: true });
    }

    /// Adds a slot of which the step reads only what `component` has in common with the state's
    /// component, and which it leaves as it is.
    pub fn show(&mut self, slot: usize, component: u32) {
        self.add(slot);
        self.as_if.push(Taken { slot, component, is_written: false });
    }

    pub fn component(&self, slot: usize, view: &mut View) -> u32 {
        let taken = self.as_if.iter().find(|taken| taken.slot == slot);
        taken.map_or_else(|| view.slot(slot), |taken| taken.component)
    }

    /// Returns true if the slot counts as written even if the step leaves it as it was taken to be.
    pub fn is_overwritten(&self, slot: usize) -> bool {
        self.as_if.iter().any(|taken| taken.slot == slot && taken.is_written)
    }
}

impl WorldComponents {
    /// Returns the slots for which the fact is other than 0; their components count as read.
    pub(super) fn found(&mut self, lens: u16, view: &mut View) -> Vec<usize> {
        view.find(self, lens).into_iter().map(|(slot, _)| slot).collect()
    }

    /// The slots of an assembled world read off to the components that were put in.
    pub(super) fn check_assembled(&self, world: &World, needs: &Needs, view: &mut View) {
        if cfg!(debug_assertions) {
            for &slot in &needs.slots {
                self.check_slot(world, slot, needs.component(slot, view), 16);
            }
        }
    }

    /// A slot of this world reads off to component `number`. One attempt in `every` is looked at.
    pub(super) fn check_slot(&self, world: &World, slot: usize, number: u32, every: usize) {
        if cfg!(debug_assertions) && self.tried.len().is_multiple_of(every) {
            let was = self.client_component(slot, number).map(|(client, _)| client);
            let read = self.read_off(world, &self.slots[slot], was);
            debug_assert_eq!(&read, self.component(slot, number), "{:?}", self.slots[slot]);
        }
    }

    /// Assembles a world in which only these slots are filled.
    pub(super) fn assemble(&mut self, view: &mut View, needs: &Needs) -> World {
        let mut world = self.empty.clone();
        for &slot in &needs.slots {
            let component = needs.component(slot, view);
            self.put(&mut world, slot, component);
        }
        world
    }
}
