//! Exchanges two equal clients in a state, component by component, and memoises each result.
//! Symmetry reduction ([`super::symmetry`]) builds on it.

use std::rc::Rc;

use super::super::ClientId;
use super::super::action::{Action, NodeId, ProcessId};
use super::super::scenario::Scenario;
use super::super::variables::Plain;
use super::super::world::World;
use super::observed::Questions;
use super::symmetry::{
    MINE, Places, Renaming, Said, code, entry, groups, identity, named, renamed, renamed_conn,
};
use super::{Component, Needs, Slot, WorldComponents};
use crate::checker::View;
use crate::engine::StoredConn;
use crate::mutant::{Mutant, is_on};
use crate::resp::Bytes;

impl WorldComponents {
    /// Records how many unique ids the clients of a world got.
    pub(super) fn see_ids(&mut self, world: &World) {
        for (most, client) in self.exchange.ids.iter_mut().zip(&world.clients) {
            *most = client.ids().max(*most);
        }
    }

    /// Returns the number of unique ids that each client got, in any state.
    pub(in crate::sim) fn ids(&self) -> Vec<u32> {
        let clients = self.start.clients.iter().zip(self.exchange.ids);
        clients.map(|(client, most)| client.ids().max(most)).collect()
    }

    /// Returns the groups of clients that neither a condition nor a command can tell apart.
    pub(in crate::sim) fn alike(&self, scenario: &Scenario) -> Vec<Vec<usize>> {
        let has_names = Questions::of(scenario.properties.iter()).names;
        if has_names || self.observed.connections { Vec::new() } else { groups(scenario) }
    }

    /// Returns the clients that a component names.
    #[inline(always)]
    fn said(&mut self, slot: usize, component: u32) -> Said {
        let known =
            self.exchange.said.get(slot).and_then(|components| components.get(component as usize));
        match known {
            Some(Some(said)) => *said,
            _ => self.learn_said(slot, component),
        }
    }

    #[cold]
    fn learn_said(&mut self, slot: usize, component: u32) -> Said {
        let named = self.find_names(slot, component).unwrap_or_else(|| {
            self.exchange.failed = true;
            0
        });
        let several = self.spoken_of(slot, named).count() > 1;
        let mut said = Said { named, several, client: 0, like: 0 };
        for client in self.spoken_of(slot, named) {
            said.client = client as u8;
            said.like = self.likeness(slot, component, client);
        }
        *entry(&mut self.exchange.said, slot, component) = Some(said);
        said
    }

    /// Returns the client whose own component the slot holds, as a bit; 0 if it holds none's.
    fn own(&self, slot: usize) -> u16 {
        if matches!(self.slots[slot], Slot::Client(_)) { 1 << slot } else { 0 }
    }

    /// Returns the group clients named in a component; a client's own component counts as naming
    /// that client only.
    fn spoken_of(&self, slot: usize, named: u16) -> impl Iterator<Item = usize> + use<> {
        let of = match self.own(slot) {
            0 => self.exchange.all,
            own => self.exchange.all & own,
        };
        let set = named & of;
        (0..16).filter(move |client| set & 1 << client != 0)
    }

    /// Returns what a component adds to a client's `like`, by which the clients of a group are
    /// sorted.
    fn likeness(&mut self, slot: usize, component: u32, client: usize) -> u64 {
        let number = u64::from(self.relative_number(slot, component, client));
        match self.slots[slot] {
            Slot::Client(_) => number << 32,
            // Equal sums of unequal clients cost a state now and then, and no more.
            _ => (number + 1) * (slot as u64 + 1) % (1 << 31),
        }
    }

    /// Returns the clients named in a component, a bit each; `None` if names cannot be exchanged in
    /// it.
    pub(super) fn find_names(&self, slot: usize, component: u32) -> Option<u16> {
        match self.component(slot, component) {
            Component::Client(client, conns) => {
                let fits = conns.iter().all(|(_, conn)| renamed_conn(conn, &identity()).is_some());
                client.knows().filter(|_| fits)
            }
            Component::Key(Some(stored)) => {
                let mut set = 0;
                stored.strings(&mut |text| set |= named(text));
                (set == 0 || stored.text().is_some()).then_some(set)
            }
            Component::Mutexes(mutexes) => {
                Some(mutexes.iter().fold(0, |set, (.., held)| set | 1 << held.owner.0))
            }
            Component::Variables(variables) => {
                let own = |process| match self.start.setting.members(process) {
                    [only] => 1 << only.0,
                    _ => 0,
                };
                let of = |set, (process, name, value): (ProcessId, &Plain, &Plain)| {
                    set | own(process) | named(name.text()) | named(value.text())
                };
                Some(variables.iter().fold(0, of))
            }
            Component::Shared(shared, conns) => {
                (shared.is_empty() && conns.is_empty()).then_some(0)
            }
            Component::Resources(resources) => {
                let writes = resources.iter().flat_map(|(_, resource)| &resource.writes);
                let of = |set, write: &super::super::Write| {
                    set | 1 << write.client.0 | named(&write.value)
                };
                Some(writes.fold(0, of))
            }
            Component::Sql(tables) => tables.is_empty().then_some(0),
            Component::Node(node) => node.instance.is_at_rest().then_some(0),
            _ => Some(0),
        }
    }

    /// A client that is a process of its own takes it along.
    fn renamed_process(&self, id: ProcessId, to: &Renaming) -> ProcessId {
        let setting = &self.start.setting;
        match setting.members(id) {
            [only] => {
                let new = setting.process_of.get(usize::from(to[only.index()]));
                new.copied().unwrap_or(ProcessId(MINE.into()))
            }
            _ => id,
        }
    }

    pub(super) fn rename_component(
        &self,
        slot: usize,
        component: u32,
        to: &Renaming,
    ) -> Option<Component> {
        Some(match self.component(slot, component) {
            Component::Client(client, conns) => {
                let conn =
                    |(node, conn): &(NodeId, StoredConn)| Some((*node, renamed_conn(conn, to)?));
                let conns = conns.iter().map(conn).collect::<Option<_>>()?;
                Component::Client(Rc::new(client.renamed(to)?), conns)
            }
            Component::Key(Some(_)) | Component::Mutexes(_) | Component::Variables(_)
                if is_on(Mutant::TwinsKeep) =>
            {
                self.component(slot, component).clone()
            }
            Component::Key(Some(stored)) => {
                let text = stored.text().and_then(|text| renamed(&text, to));
                Component::Key(Some(
                    text.map_or_else(|| stored.clone(), |text| stored.with_text(&text)),
                ))
            }
            Component::Mutexes(mutexes) => {
                let process = |id: ProcessId| self.renamed_process(id, to);
                let owner = |id: ClientId| ClientId(to[id.index()].into());
                Component::Mutexes(Rc::new(mutexes.renamed(&owner, &process)))
            }
            Component::Variables(variables) => {
                let process = |id: ProcessId| self.renamed_process(id, to);
                let rename =
                    |text: &Bytes| renamed(text, to).map_or_else(|| text.clone(), Bytes::from);
                Component::Variables(Rc::new(variables.renamed(&process, &rename)))
            }
            Component::Resources(resources) => {
                let mut resources = (**resources).clone();
                resources.rename(&|id| ClientId(to[id.index()].into()), &|text| {
                    renamed(text, to).map_or_else(|| text.clone(), Bytes::from)
                });
                Component::Resources(Rc::new(resources))
            }
            other => other.clone(),
        })
    }

    /// Returns the number of the renamed component in `target`.
    fn renamed_number(
        &mut self,
        slot: usize,
        component: u32,
        named: u16,
        to: &Places,
        target: usize,
    ) -> u32 {
        let only =
            named.is_power_of_two().then(|| usize::from(to[named.trailing_zeros() as usize]));
        let key = || (slot as u32, component, code(to, named));
        let known = match only {
            Some(new) => self.exchange.renamed_one.get(slot, component, new),
            None => self.exchange.renamed.get(&key()).copied(),
        };
        if let Some(number) = known {
            return number;
        }
        let mut all: Renaming = identity();
        all[..to.len()].copy_from_slice(to);
        let Some(new) = self.rename_component(slot, component, &all) else {
            self.exchange.failed = true;
            return component;
        };
        let number = self.held[target].number(new);
        self.note_new(target, number);
        match only {
            Some(new) => self.exchange.renamed_one.set(slot, component, new, number),
            None => drop(self.exchange.renamed.insert(key(), number)),
        }
        number
    }

    /// Returns a number for the component relative to a client: equal for two clients if the
    /// component is the same for both.
    fn relative_number(&mut self, slot: usize, component: u32, client: usize) -> u32 {
        if let Some(number) = self.exchange.relative.get(slot, component, client) {
            return number;
        }
        let mut to = identity();
        to[client] = MINE;
        let number = match self.rename_component(slot, component, &to) {
            Some(new) => self.relative.number(new),
            None => {
                self.exchange.failed = true;
                0
            }
        };
        self.exchange.relative.set(slot, component, client, number);
        number
    }

    /// Calls `add` with each client that a component names, and the component's contribution to
    /// that client's `like`.
    #[inline(always)]
    fn each_likeness(
        &mut self,
        slot: usize,
        component: u32,
        said: Said,
        mut add: impl FnMut(usize, u64),
    ) {
        if !said.several {
            return add(usize::from(said.client % 16), said.like);
        }
        for client in self.spoken_of(slot, said.named) {
            add(client, self.likeness(slot, component, client));
        }
    }

    /// Returns the pairs of clients of a group of which these components name at least one. Of the
    /// clients that are not named, one stands for all.
    pub(super) fn pairs(&mut self, components: &[(usize, u32)]) -> Vec<Places> {
        let named = components
            .iter()
            .fold(0, |set, &(slot, component)| set | self.said(slot, component).named);
        let is_named = |at: usize| named & 1 << at != 0;
        let mut pairs = Vec::new();
        for group in &self.exchange.groups {
            let other = group.iter().find(|at| !is_named(**at));
            for (at, &one) in group.iter().enumerate().filter(|(_, one)| is_named(**one)) {
                let known = group[at + 1..].iter().filter(|at| is_named(**at));
                for &two in known.chain(other) {
                    let mut to: Places = identity();
                    to.swap(one, two);
                    pairs.push(to);
                }
            }
        }
        pairs
    }

    /// Returns these components with clients exchanged.
    pub(super) fn exchanged(
        &mut self,
        components: &[(usize, u32)],
        to: &Places,
    ) -> Vec<(usize, u32)> {
        let mut exchanged = Vec::new();
        for &(slot, component) in components {
            let named = self.said(slot, component).named;
            let target = match self.slots[slot] {
                Slot::Client(id) => usize::from(to[id.index()]),
                _ => slot,
            };
            exchanged.push(match named {
                0 => (target, component),
                _ => (target, self.renamed_number(slot, component, named, to, target)),
            });
        }
        exchanged
    }

    /// Returns true if the step is equivariant: the renamed step, from the renamed slots that it
    /// needs, makes the renamed `writes`.
    pub(super) fn is_equivariant(
        &mut self,
        action: Action,
        needs: &Needs,
        writes: &[(usize, u32)],
        view: &mut View,
    ) -> bool {
        let components: Vec<(usize, u32)> =
            needs.slots.iter().map(|slot| (*slot, needs.component(*slot, view))).collect();
        self.pairs(&components).into_iter().all(|to| {
            let mut other = Needs::taken(self.exchanged(&components, &to));
            other.emptied.clone_from(&needs.emptied);
            let before = self.assemble(view, &other);
            let mut after = before.clone();
            let action = action.renamed(&|id| ClientId(to[id.index()].into()));
            if after.apply_logged(action).is_err() {
                return false;
            }
            let mut written = self.writes(&before, &after, &other, view);
            let mut expected = self.exchanged(writes, &to);
            written.sort_unstable();
            expected.sort_unstable();
            written == expected
        })
    }

    /// Prepares renamings of this state, and of the states that follow it.
    pub(super) fn depart_from(&mut self, state: &[u32]) {
        let mut now = std::mem::take(&mut self.exchange.now);
        now.slots.clear();
        now.like = [0; 16];
        // The clients that are named outside their own components.
        let mut known = 0;
        for (slot, &component) in state.iter().enumerate() {
            let said = self.said(slot, component);
            now.slots.push((component, said.named));
            known |= said.named & !self.own(slot);
            self.each_likeness(slot, component, said, |client, like| {
                now.like[client] = now.like[client].wrapping_add(like);
            });
        }
        now.twins = 0;
        for pair in self.exchange.groups.iter().flat_map(|group| group.windows(2)) {
            let are_known = known & (1 << pair[0] | 1 << pair[1]) != 0;
            let is_twin =
                (!are_known || is_on(Mutant::TwinsKnown)) && now.like[pair[0]] == now.like[pair[1]];
            now.twins |= u16::from(is_twin) << pair[1];
        }
        self.exchange.now = now;
    }

    /// Returns the renaming that sorts the clients of each group after these writes, and in
    /// `besides` the further writes that it makes. `None` if they are sorted.
    #[inline(always)]
    pub(super) fn exchange_after(
        &mut self,
        writes: &[(usize, u32)],
        besides: &mut Vec<(usize, u32)>,
    ) -> Option<Places> {
        besides.clear();
        let mut like = self.exchange.now.like;
        let mut undo = std::mem::take(&mut self.exchange.undo);
        undo.clear();
        for &(slot, component) in writes {
            let before = self.exchange.now.slots[slot];
            undo.push((slot, before));
            let was = self.said(slot, before.0);
            let is = self.said(slot, component);
            self.each_likeness(slot, before.0, was, |at, what| {
                like[at] = like[at].wrapping_sub(what)
            });
            self.each_likeness(slot, component, is, |at, what| {
                like[at] = like[at].wrapping_add(what)
            });
            self.exchange.now.slots[slot] = (component, is.named);
        }
        let to = self.exchange.sort(&like);
        if let Some(to) = &to {
            self.rename_all(to, besides);
        }
        for &(slot, before) in undo.iter().rev() {
            self.exchange.now.slots[slot] = before;
        }
        self.exchange.undo = undo;
        if self.exchange.failed {
            besides.clear();
        }
        to.filter(|_| !self.exchange.failed)
    }

    /// Adds the writes that a renaming makes.
    fn rename_all(&mut self, to: &Places, besides: &mut Vec<(usize, u32)>) {
        let moved = (0..16).fold(0_u16, |set, at| set | u16::from(to[at] != at as u8) << at);
        for slot in 0..self.exchange.now.slots.len() {
            let (component, named) = self.exchange.now.slots[slot];
            // A client's own component names it.
            if named & moved != 0 {
                let target = match self.slots[slot] {
                    Slot::Client(_) => usize::from(to[slot]),
                    _ => slot,
                };
                besides.push((target, self.renamed_number(slot, component, named, to, target)));
            }
        }
    }
}
