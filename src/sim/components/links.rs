//! Replication as components. Each place in a replica's backlog has a slot of its own, so that a
//! command adds to the end without depending on what is there. Where an instance loses or copies
//! all its data, the step does not depend on what it had.

use std::rc::Rc;

use super::super::action::{Action, NodeId};
use super::super::node::Link;
use super::super::world::World;
use super::{Component, Needs, Slot, WorldComponents, lens};
use crate::checker::{Move, View};
use crate::engine::Effects;
use crate::mutant::{Mutant, is_on};

/// A link's slot, and the instances it connects.
#[derive(Debug, Clone, Copy)]
struct Ends {
    slot: usize,
    replica: NodeId,
    master: NodeId,
}

impl Ends {
    /// Returns the other end, if `at` is one of the two.
    fn other(self, at: NodeId) -> Option<NodeId> {
        match at {
            _ if at == self.replica => Some(self.master),
            _ if at == self.master => Some(self.replica),
            _ => None,
        }
    }
}

/// Returns a link without the entries of its backlog, of which only the number is kept.
pub(super) fn outline(link: &Link) -> Rc<Link> {
    let backlog = link.backlog.iter().map(|_| Rc::default()).collect();
    Rc::new(Link { backlog, ..link.clone() })
}

/// Puts a link into a world that may already hold entries of its backlog.
pub(super) fn put_link(world: &mut World, at: usize, outline: &Rc<Link>) {
    let old = std::mem::replace(&mut world.links[at], outline.clone());
    if !old.backlog.is_empty() {
        let backlog = &mut Rc::make_mut(&mut world.links[at]).backlog;
        backlog.iter_mut().zip(&old.backlog).for_each(|(new, old)| *new = old.clone());
    }
}

pub(super) fn put_entry(world: &mut World, at: usize, place: usize, effects: &Rc<Effects>) {
    let backlog = &mut Rc::make_mut(&mut world.links[at]).backlog;
    if backlog.len() <= place {
        backlog.resize(place + 1, Rc::default());
    }
    backlog[place] = effects.clone();
}

fn begins_with(new: &Link, old: &Link) -> bool {
    let (new, old) = (&new.backlog, &old.backlog);
    old.len() <= new.len() && old.iter().zip(new).all(|(old, new)| Rc::ptr_eq(old, new))
}

impl WorldComponents {
    pub(super) fn link_slots(&mut self) -> Vec<usize> {
        (0..self.start.links.len()).map(|at| self.slot(&Slot::Link(at))).collect()
    }

    fn entry_slots(&mut self, at: usize, places: std::ops::Range<usize>) -> Vec<usize> {
        places.map(|place| self.slot(&Slot::Entry(at, place))).collect()
    }

    /// Returns the slots of all places of this backlog met so far; a new place begins a new epoch.
    fn entries_of(&self, at: usize) -> Vec<usize> {
        let all = self.slots.iter().enumerate();
        let own = |slot: &Slot| matches!(slot, Slot::Entry(of, _) if *of == at);
        all.filter(|(_, slot)| own(slot)).map(|(slot, _)| slot).collect()
    }

    /// Returns the slots of links that an attempt has changed. The former entries of a backlog that
    /// is now empty make no difference.
    pub(super) fn changed_links(&mut self, before: &World, after: &World) -> Vec<usize> {
        let mut changed = Vec::new();
        for (at, (old, new)) in before.links.iter().zip(&after.links).enumerate() {
            if Rc::ptr_eq(old, new) || old == new {
                continue;
            }
            changed.push(self.slot(&Slot::Link(at)));
            let (was, is) = (old.backlog.len(), new.backlog.len());
            match begins_with(new, old) {
                true => changed.extend(self.entry_slots(at, was..is)),
                false if is == 0 => {}
                false => changed.extend(self.entry_slots(at, 0..was.max(is))),
            }
        }
        changed
    }

    /// Adds writes for the backlog entries that a step has removed without reading them.
    pub(super) fn cleared(
        &mut self,
        before: &World,
        after: &World,
        needs: &Needs,
        writes: &mut Vec<(usize, u32)>,
    ) {
        for (at, (old, new)) in before.links.iter().zip(&after.links).enumerate() {
            if !new.backlog.is_empty() || is_on(Mutant::BacklogKept) {
                continue;
            }
            let link = self.slot(&Slot::Link(at));
            let slots = match needs.is_overwritten(link) {
                true => self.entries_of(at),
                false => self.entry_slots(at, 0..old.backlog.len()),
            };
            let unseen = slots.into_iter().filter(|slot| !needs.has(*slot));
            writes.extend(unseen.map(|slot| (slot, 0)));
        }
    }

    /// Adds writes for the keys of instances that have only what they copied.
    pub(super) fn copied(&mut self, after: &World, needs: &Needs, writes: &mut Vec<(usize, u32)>) {
        for id in &needs.emptied {
            for (db, key) in after.nodes[id.index()].instance.key_names() {
                let slot = self.slot(&Slot::Key(*id, db, key));
                if !needs.has(slot) {
                    let component = self.read_off(after, &self.slots[slot], None);
                    writes.push((slot, self.held[slot].number(component)));
                }
            }
        }
    }

    /// Returns the slots of the link by which `replica` follows, and of the keys that it writes
    /// next. `None` if there is no such link, or nothing to write.
    pub(super) fn backlog_of(&mut self, replica: NodeId, view: &mut View) -> Option<Vec<usize>> {
        let links = self.link_slots();
        let follows = u32::from(replica.0) + 1;
        let own = links.iter().position(|slot| view.fact(self, lens::FOLLOWS, *slot) == follows)?;
        let length = self.link(links[own], view)?.backlog.len();
        let entries = self.entry_slots(own, 0..length);
        let first = *entries.first()?;
        let component = view.slot(first);
        let Component::Entry(Some(effects)) = self.component(first, component) else { return None };
        let keys = effects.keys();
        let keys: Vec<Slot> = keys.map(|(db, key)| Slot::Key(replica, db, key.clone())).collect();
        // A link that is not put in is there as it was in the beginning.
        let began = self.empty.links.iter().zip(&links).filter(|(link, _)| link.replica == replica);
        let mut needs: Vec<usize> = began.map(|(_, slot)| *slot).collect();
        needs.push(links[own]);
        needs.extend(entries);
        needs.extend(keys.iter().map(|key| self.slot(key)));
        Some(needs)
    }

    fn link(&self, slot: usize, view: &mut View) -> Option<Rc<Link>> {
        match self.component(slot, view.slot(slot)) {
            Component::Link(link) => Some(link.clone()),
            _ => None,
        }
    }

    fn ends(&mut self, view: &mut View) -> Vec<Ends> {
        let mut ends = Vec::new();
        for slot in self.link_slots() {
            let [replica, master] = [lens::FOLLOWS, lens::LEADS]
                .map(|lens| NodeId(view.fact(self, lens, slot).saturating_sub(1) as u8));
            ends.push(Ends { slot, replica, master });
        }
        ends
    }

    /// Returns the component of this link with an empty backlog.
    fn empty_link(&mut self, link: Ends, stale: bool) -> u32 {
        let Ends { slot, replica, master } = link;
        let link = Link { replica, master, backlog: Default::default(), stale };
        self.held[slot].number(Component::Link(Rc::new(link)))
    }

    /// Returns true if this instance is up, else adds its slot: a missing instance counts as up.
    fn is_there(&mut self, at: NodeId, view: &mut View, needs: &mut Needs) -> bool {
        let is_up = self.is_up(at, view);
        if !is_up {
            needs.add(self.slot(&Slot::Node(at)));
        }
        is_up
    }

    /// Adds the slots needed when an instance loses its data, comes back or takes the place of
    /// another, in a world with replicas.
    pub(super) fn data_moves(&mut self, action: Action, view: &mut View, needs: &mut Needs) {
        needs.add(self.slot(&Slot::Routes));
        self.surroundings(view, needs);
        let links = self.ends(view);
        // Pairs of a replica and the master that it copies.
        let mut copies: Vec<(NodeId, NodeId)> = Vec::new();
        match action {
            Action::Restart(at) => {
                needs.add(self.slot(&Slot::Node(at)));
                needs.emptied.push(at);
                for link in links {
                    match link.other(at) {
                        None => needs.show(link.slot, self.empty_link(link, false)),
                        Some(other) => {
                            needs.overwrite(link.slot, self.empty_link(link, true));
                            match self.is_there(other, view, needs) {
                                true if other == link.master => copies.push((at, other)),
                                true => needs.emptied.push(other),
                                false => {}
                            }
                        }
                    }
                }
                self.cut_off(at, view, needs);
            }
            Action::Up(at) => {
                needs.add(self.slot(&Slot::Node(at)));
                for link in links {
                    let other = link.other(at);
                    let other = other.filter(|_| view.fact(self, lens::BEHIND, link.slot) != 0);
                    match other {
                        Some(other) if self.is_there(other, view, needs) => {
                            needs.overwrite(link.slot, self.empty_link(link, true));
                            copies.push((link.replica, link.master));
                        }
                        _ => needs.show(link.slot, self.empty_link(link, false)),
                    }
                }
                if copies.iter().all(|(replica, _)| *replica != at) {
                    needs.add_all(self.found(lens::TIMED_AT + u16::from(at.0), view));
                }
                self.within_reach(view, needs);
                self.waiting(view, needs);
            }
            Action::Failover(old) => {
                needs.add(self.slot(&Slot::Node(old)));
                let (mut new, mut others) = (None, Vec::new());
                for (at, link) in links.into_iter().enumerate() {
                    if link.master != old {
                        needs.add(link.slot);
                        needs.add_all(self.entries_of(at));
                        continue;
                    }
                    let stale = view.fact(self, lens::STALE, link.slot) != 0;
                    needs.overwrite(link.slot, self.empty_link(link, stale));
                    match self.is_there(link.replica, view, needs) {
                        true if new.is_none() && !stale => new = Some(link.replica),
                        true => others.push(link.replica),
                        false => {}
                    }
                }
                copies.extend(others.into_iter().zip(new.into_iter().cycle()));
                self.cut_off(old, view, needs);
            }
            _ => {}
        }
        for (replica, master) in copies {
            needs.add(self.slot(&Slot::Node(replica)));
            needs.add_all(self.keys_of(master, view));
            needs.empty(replica);
        }
        // A key that goes dirties the clients that watch it.
        if !needs.emptied.is_empty() && view.any(self, lens::WATCHES) {
            for at in needs.emptied.clone() {
                needs.add_all(self.keys_of(at, view));
            }
        }
    }

    /// Adds the clients that go on when a replica has caught up.
    pub(super) fn waiting(&mut self, view: &mut View, needs: &mut Needs) {
        if !is_on(Mutant::WaitersForgotten) {
            needs.add_all(self.found(lens::WAITS, view));
        }
    }

    pub(super) fn keys_of(&mut self, at: NodeId, view: &mut View) -> Vec<usize> {
        self.found(lens::KEY_OF + u16::from(at.0), view)
    }

    /// Adds writes to each move that remove all keys of an emptied instance, whatever they held.
    pub(super) fn forget_keys(
        &mut self,
        needs: &Needs,
        view: &mut View,
        made: &mut [Move<Action>],
    ) {
        for at in needs.emptied.iter().filter(|_| !is_on(Mutant::EmptiedKept)) {
            for slot in view.which(self, lens::KEY_OF + u16::from(at.0)) {
                if needs.has(slot) {
                    continue;
                }
                let none = self.held[slot].number(Component::Key(None));
                let unsaid = |one: &&mut Move<Action>| one.writes.iter().all(|(at, _)| *at != slot);
                made.iter_mut().filter(unsaid).for_each(|one| one.writes.push((slot, none)));
            }
        }
    }
}
