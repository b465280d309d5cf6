//! Connections as components. A client's own ones are part of it; those that the clients of a
//! process share have a slot of their own, with what stands on the process's side of them
//! ([`SharedConnections`](super::SharedConnections)).
//!
//! A step of one client on a shared connection depends on the others: on who waits for a reply or a
//! message there, and in wire mode on which replies have arrived. So wherever a step needs a client
//! whose call is on one, or those connections, it needs them all: [`WorldComponents::join`].

use std::rc::Rc;

use super::super::action::{ClientId, NodeId, ProcessId};
use super::super::client::{Client, State};
use super::super::node::{conn_owner, shared_number};
use super::super::world::World;
use super::{Conns, Needs, Slot, WorldComponents};
use crate::checker::View;
use crate::engine::{ConnId, StoredConn};
use crate::mutant::{Mutant, is_on};

impl WorldComponents {
    /// Returns a client's own connections; times in them are moved by `by` ms.
    pub(super) fn conns_of(&self, world: &World, id: ClientId, by: i64) -> Conns {
        let is_own = |conn| conn_owner(conn).is_some_and(|(owner, _)| owner == id);
        let mut conns = self.conns_where(world, &is_own, by);
        if self.unseen.is_some() && !self.known.connections {
            let is_over = world.clients[id.index()].is_over() || is_on(Mutant::ConnectionForgotten);
            let drops = |conn: &StoredConn| conn.is_fresh() || is_over && !conn.is_listening();
            conns.retain(|(_, conn)| !drops(conn));
        }
        if self.known.uses {
            conns.iter_mut().for_each(|(_, conn)| *conn = conn.clone().told_by_use());
        }
        conns
    }

    /// Returns the shared connections.
    pub(super) fn shared_conns(&self, world: &World, by: i64) -> Conns {
        let mut conns = self.conns_where(world, &|conn| shared_number(conn).is_some(), by);
        if self.known.uses {
            conns.iter_mut().for_each(|(_, conn)| *conn = conn.clone().told_by_use());
        }
        conns
    }

    fn conns_where(&self, world: &World, is: &dyn Fn(ConnId) -> bool, by: i64) -> Conns {
        let mut conns = Vec::new();
        for (at, node) in world.nodes.iter().enumerate() {
            let node_id = NodeId(at as u8);
            for conn in node.instance.conn_ids().into_iter().filter(|conn| is(*conn)) {
                if let Some(mut stored) = node.instance.stored_conn(conn) {
                    stored.shift_ms(self.shift_at(world, node_id, by));
                    conns.push((node_id, stored));
                }
            }
        }
        conns
    }

    /// Adds what a step reads where clients share connections.
    pub(super) fn join(&mut self, needs: &mut Needs, view: &mut View) {
        self.join_rows(needs, view);
        if !self.shares || is_on(Mutant::SharedForgotten) {
            return;
        }
        let has_all = self.numbers.get(&Slot::Shared).is_some_and(|slot| needs.has(*slot));
        let clients = 0..self.start.clients.len();
        let mut held = clients.clone().filter(|at| needs.has(*at));
        let is_met = has_all
            || held.any(|at| {
                let component = needs.component(at, view);
                self.client_component(at, component)
                    .is_some_and(|(client, _)| client.is_on_shared())
            });
        if is_met {
            needs.add(self.slot(&Slot::Shared));
            for at in clients.filter(|at| self.has_threads(ClientId(*at as u16))) {
                needs.add(self.client_slot(at));
            }
        }
    }

    /// Returns true if the client is one of several in its process.
    fn has_threads(&self, id: ClientId) -> bool {
        let process: ProcessId = self.start.process(id);
        self.start.setting.members(process).len() > 1
    }

    /// Returns true if the crash of this client may close a connection that others share.
    pub(super) fn may_close(&self, id: ClientId) -> bool {
        self.shares && self.has_threads(id)
    }
}

pub(super) fn put_conns(world: &mut World, conns: &Conns) {
    for (node, conn) in conns {
        let node = Rc::make_mut(&mut world.nodes[node.index()]);
        node.instance.put_conn(conn.clone());
    }
}

pub(super) fn is_within_reach(client: &Client, conns: &Conns) -> bool {
    are_within_reach(conns) || matches!(client.state(), State::Receiving { .. })
}

pub(super) fn are_within_reach(conns: &[(NodeId, StoredConn)]) -> bool {
    conns.iter().any(|(_, conn)| conn.is_within_reach())
}
