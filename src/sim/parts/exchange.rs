//! Equal clients exchanged in a state: part by part, each answer kept.

use std::rc::Rc;

use super::super::ClientId;
use super::super::action::{NodeId, ProcessId};
use super::symmetry::{MINE, Renaming, code, identity, named, renamed, renamed_conn, sorted};
use super::{Part, Slot, WorldParts};
use crate::engine::StoredConn;
use crate::resp::Bytes;

impl WorldParts {
    /// The clients named in a part, a bit each.
    #[inline(always)]
    pub(super) fn named_in(&mut self, slot: usize, part: u32) -> u16 {
        let known = self.exchange.named.get(slot).and_then(|parts| parts.get(part as usize));
        match known {
            Some(Some(set)) => *set,
            _ => self.learn_names(slot, part),
        }
    }

    #[cold]
    fn learn_names(&mut self, slot: usize, part: u32) -> u16 {
        let set = self.find_names(slot, part);
        self.exchange.failed |= set.is_none();
        let named = &mut self.exchange.named;
        if named.len() <= slot {
            named.resize(slot + 1, Vec::new());
        }
        if named[slot].len() <= part as usize {
            named[slot].resize(part as usize + 1, None);
        }
        named[slot][part as usize] = Some(set.unwrap_or(0));
        set.unwrap_or(0)
    }

    /// `None` where names cannot be exchanged in the part.
    pub(super) fn find_names(&self, slot: usize, part: u32) -> Option<u16> {
        match self.part(slot, part) {
            Part::Client(client, conns) => {
                let fits = conns.iter().all(|(_, conn)| renamed_conn(conn, &identity()).is_some());
                client.knows().filter(|_| fits)
            }
            Part::Key(Some(stored)) => {
                let mut set = 0;
                stored.strings(&mut |text| set |= named(text));
                (set == 0 || stored.text().is_some()).then_some(set)
            }
            Part::Mutexes(mutexes) => {
                Some(mutexes.iter().fold(0, |set, (.., held)| set | 1 << held.owner.0))
            }
            Part::Resources(resources) => {
                let writes = resources.iter().flat_map(|(_, resource)| &resource.writes);
                let of = |set, write: &super::super::Write| {
                    set | 1 << write.client.0 | named(&write.value)
                };
                Some(writes.fold(0, of))
            }
            Part::Node(node) => node.instance.is_at_rest().then_some(0),
            _ => Some(0),
        }
    }

    pub(super) fn rename_part(&self, slot: usize, part: u32, to: &Renaming) -> Option<Part> {
        Some(match self.part(slot, part) {
            Part::Client(client, conns) => {
                let conn =
                    |(node, conn): &(NodeId, StoredConn)| Some((*node, renamed_conn(conn, to)?));
                let conns = conns.iter().map(conn).collect::<Option<_>>()?;
                Part::Client(Rc::new(client.renamed(to)?), conns)
            }
            Part::Key(Some(stored)) => {
                let text = stored.text().and_then(|text| renamed(&text, to));
                Part::Key(Some(text.map_or_else(|| stored.clone(), |text| stored.with_text(&text))))
            }
            Part::Mutexes(mutexes) => {
                let setting = &self.start.setting;
                // A client that is a process of its own takes it along.
                let process = |id: ProcessId| match setting.members(id) {
                    [only] => {
                        let new = setting.process_of.get(usize::from(to[only.index()]));
                        new.copied().unwrap_or(ProcessId(MINE.into()))
                    }
                    _ => id,
                };
                let owner = |id: ClientId| ClientId(to[id.index()].into());
                Part::Mutexes(Rc::new(mutexes.renamed(&owner, &process)))
            }
            Part::Resources(resources) => {
                let mut resources = (**resources).clone();
                resources.rename(&|id| ClientId(to[id.index()].into()), &|text| {
                    renamed(text, to).map_or_else(|| text.clone(), Bytes::from)
                });
                Part::Resources(Rc::new(resources))
            }
            other => other.clone(),
        })
    }

    /// The number of the renamed part in `target`.
    pub(super) fn renamed_number(
        &mut self,
        slot: usize,
        part: u32,
        to: &Renaming,
        target: usize,
    ) -> u32 {
        let set = self.named_in(slot, part);
        let only = set.is_power_of_two().then(|| usize::from(to[set.trailing_zeros() as usize]));
        let key = || (slot as u32, part, code(to, set));
        let known = match only {
            Some(new) => self.exchange.renamed_one.get(slot, part, new),
            None => self.exchange.renamed.get(&key()).copied(),
        };
        if let Some(number) = known {
            return number;
        }
        let Some(new) = self.rename_part(slot, part, to) else {
            self.exchange.failed = true;
            return part;
        };
        let number = self.held[target].number(new);
        self.note_new(target, number);
        match only {
            Some(new) => self.exchange.renamed_one.set(slot, part, new, number),
            None => drop(self.exchange.renamed.insert(key(), number)),
        }
        number
    }

    /// A number for what a part is to a client, the same for every client to which a part is the
    /// same.
    pub(super) fn relative_number(&mut self, slot: usize, part: u32, client: usize) -> u32 {
        if let Some(number) = self.exchange.relative.get(slot, part, client) {
            return number;
        }
        let mut to = identity();
        to[client] = MINE;
        let number = match self.rename_part(slot, part, &to) {
            Some(new) => self.relative.number(new),
            None => {
                self.exchange.failed = true;
                0
            }
        };
        self.exchange.relative.set(slot, part, client, number);
        number
    }

    /// The renaming that sorts the clients of each group; false where they are sorted.
    pub(super) fn sort_clients(&mut self, state: &[u32], to: &mut Renaming) -> bool {
        let mut like = [0_u64; 16];
        let groups = std::mem::take(&mut self.exchange.groups);
        for &client in groups.iter().flatten() {
            let slot = self.client_slot(client);
            let local = self.relative_number(slot, state[slot], client);
            like[client] = u64::from(local) << 32;
        }
        for (slot, &part) in state.iter().enumerate() {
            if matches!(self.slots[slot], Slot::Client(_)) {
                continue;
            }
            let mut set = self.named_in(slot, part);
            while set != 0 {
                let client = set.trailing_zeros() as usize;
                set &= set - 1;
                let number = self.relative_number(slot, part, client);
                // Equal sums of unequal clients cost a state now and then, and no more.
                like[client] += u64::from(number + 1) * (slot as u64 + 1) % (1 << 31);
            }
        }
        let mut changed = false;
        for group in groups.iter().filter(|group| !group.is_sorted_by_key(|at| like[*at])) {
            changed |= sorted(group, |client| like[client], to);
        }
        self.exchange.groups = groups;
        changed && self.exchange.is_on()
    }
}
