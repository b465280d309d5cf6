//! Mutexes of processes: Java's `synchronized`. A client that finds one free takes it. There is no
//! queue: a client that waits is ready again when the mutex is free. The owner may take it again
//! (it is reentrant), and must release it as many times.

use std::collections::BTreeMap;

use crate::resp::Bytes;

use super::{ClientId, ProcessId};

/// The mutexes that are held, by process and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Mutexes {
    held: BTreeMap<(ProcessId, Bytes), Held>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Held {
    pub owner: ClientId,
    /// The number of times that its owner has taken it.
    pub depth: u32,
}

impl Mutexes {
    pub fn owner(&self, process: ProcessId, name: &Bytes) -> Option<ClientId> {
        self.held.get(&(process, name.clone())).map(|held| held.owner)
    }

    /// Returns all mutexes that are held.
    pub fn iter(&self) -> impl Iterator<Item = (ProcessId, &Bytes, Held)> {
        self.held.iter().map(|((process, name), held)| (*process, name, *held))
    }

    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Takes the mutex for `client`; false if another client holds it.
    pub(super) fn take(&mut self, process: ProcessId, name: &Bytes, client: ClientId) -> bool {
        let held =
            self.held.entry((process, name.clone())).or_insert(Held { owner: client, depth: 0 });
        if held.owner != client {
            return false;
        }
        held.depth += 1;
        true
    }

    pub(super) fn give_back(&mut self, process: ProcessId, name: &Bytes, client: ClientId) {
        let place = (process, name.clone());
        let Some(held) = self.held.get_mut(&place).filter(|held| held.owner == client) else {
            return;
        };
        held.depth -= 1;
        if held.depth == 0 {
            self.held.remove(&place);
        }
    }

    pub(super) fn drop_all_of(&mut self, client: ClientId) {
        self.held.retain(|_, held| held.owner != client);
    }

    /// Returns the mutexes with owners and their processes renamed.
    pub(super) fn renamed(
        &self,
        owner: &dyn Fn(ClientId) -> ClientId,
        process: &dyn Fn(ProcessId) -> ProcessId,
    ) -> Mutexes {
        let mut renamed = Mutexes::default();
        for (at, name, held) in self.iter() {
            let held = Held { owner: owner(held.owner), ..held };
            renamed.held.insert((process(at), name.clone()), held);
        }
        renamed
    }

    pub(super) fn has_any(&self, client: ClientId) -> bool {
        self.held.values().any(|held| held.owner == client)
    }
}
