//! A Redis instance in the world: whether it is up, its clock, and the link by which a replica
//! follows its master.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::engine::{Config, ConnId, Effects, Instance, Version};
use crate::resp::Bytes;

use super::{
    CONNECTIONS_MAX, CONSOLES_MAX, CROWD_MAX, ClientId, MAX_CLIENTS, NodeId, SCRIPT_BUDGET,
    WORLD_BYTES_MAX,
};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Node {
    pub instance: Instance,
    pub up: bool,
    /// The lead of its clock over the world's, in ms.
    pub clock_ms: i64,
}

impl Node {
    pub(super) fn new(clock_ms: i64, version: Version) -> Node {
        let (bytes_max, script_budget) = (WORLD_BYTES_MAX, SCRIPT_BUDGET);
        let config = Config { version, bytes_max, script_budget, ..Config::default() };
        Node { instance: Instance::new(config), up: true, clock_ms }
    }

    /// Converts the world's time `now_ms` to this instance's clock.
    pub fn now_ms(&self, now_ms: u64) -> u64 {
        now_ms.saturating_add_signed(self.clock_ms)
    }

    /// Converts this instance's time `at_ms` to the world's time.
    pub fn world_ms(&self, at_ms: u64) -> u64 {
        at_ms.saturating_add_signed(self.clock_ms.saturating_neg())
    }

    /// Returns the next time at which something happens here by itself, in the world's time.
    /// Overdue keys that only a command removes are no deadline.
    pub fn next_deadline_ms(&self, now_ms: u64) -> Option<u64> {
        let at = self.instance.next_deadline().filter(|_| self.up)?;
        Some(self.world_ms(at)).filter(|at| *at > now_ms)
    }
}

/// Returns the id of a client's own connection on any instance
/// ([`World::conn_of`](super::World::conn_of) knows shared ones, too). First connections are
/// numbered by their letters from 2 on (the setup had number 1), then come second ones; so the
/// order of connecting makes no difference. Then come the consoles', a crowd's, and shared ones.
pub fn conn_id(client: ClientId, connection: u8) -> ConnId {
    if let Some(number) = client.console_number() {
        return FIRST_CONSOLE + ConnId::from(number) - 1;
    }
    let (client, connection) = (ConnId::from(client.0), ConnId::from(connection));
    match client.checked_sub(MAX_CLIENTS as ConnId) {
        None => 2 + client + connection * MAX_CLIENTS as ConnId,
        Some(place) => FIRST_OF_CROWD + place + connection * CROWD_MAX as ConnId,
    }
}

/// Returns the id of the shared connection of this number. They come after all others.
pub(super) fn shared_conn(number: u8) -> ConnId {
    FIRST_SHARED + ConnId::from(number)
}

/// Returns the number of a shared connection; `None` for another one.
pub(super) fn shared_number(conn: ConnId) -> Option<u8> {
    conn.checked_sub(FIRST_SHARED)?.try_into().ok()
}

const FIRST_CONSOLE: ConnId = 2 + (MAX_CLIENTS * CONNECTIONS_MAX) as ConnId;
const FIRST_OF_CROWD: ConnId = FIRST_CONSOLE + CONSOLES_MAX as ConnId;
const FIRST_SHARED: ConnId = FIRST_OF_CROWD + (CROWD_MAX as ConnId) * 256;

/// Returns the client that a connection belongs to, and its number there; `None` for a shared one.
pub(super) fn conn_owner(conn: ConnId) -> Option<(ClientId, u8)> {
    if conn >= FIRST_SHARED {
        return None;
    }
    if let Some(at) = conn.checked_sub(FIRST_CONSOLE).filter(|at| *at < CONSOLES_MAX as ConnId) {
        return Some((ClientId::console(at as u8 + 1)?, 0));
    }
    let (first, before, several) = match conn.checked_sub(FIRST_OF_CROWD) {
        Some(number) => (number, MAX_CLIENTS, CROWD_MAX),
        None => (conn.checked_sub(2)?, 0, MAX_CLIENTS),
    };
    let connection = u8::try_from(first / several as ConnId).ok()?;
    Some((ClientId((before + first as usize % several) as u16), connection))
}

/// A replica's link to its master.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Link {
    pub replica: NodeId,
    pub master: NodeId,
    /// Writes that the master has and the replica lacks, oldest first: one entry for a command, a
    /// transaction or a script.
    pub backlog: VecDeque<Rc<Effects>>,
    /// True if the two have diverged; as soon as both are up, the replica copies everything.
    pub stale: bool,
}

/// The most entries of a backlog; beyond, the oldest two are delivered as one.
pub const BACKLOG_MAX: usize = 64;

impl Link {
    pub(super) fn push(&mut self, effects: &Rc<Effects>) {
        if self.stale {
            return;
        }
        self.backlog.push_back(effects.clone());
        if self.backlog.len() > BACKLOG_MAX
            && let (Some(first), Some(second)) =
                (self.backlog.pop_front(), self.backlog.pop_front())
        {
            self.backlog.push_front(Rc::new(first.then(&second)));
        }
    }

    /// Returns the keys that the replica lacks or has differently.
    pub fn behind(&self) -> Vec<Bytes> {
        let keys = self.backlog.iter().flat_map(|effects| effects.entries());
        let mut keys: Vec<Bytes> = keys.map(|(key, _)| key.clone()).collect();
        keys.sort();
        keys.dedup();
        keys
    }
}
