//! Faults and their repair: pauses, crashes, clock jumps, instances that fail and return; resuming,
//! coming up, replication, eviction.
//!
//! To add a fault, say when it is possible (`fault_possible`) and what it does (`fault`, where it
//! also spends its budget). Both have an arm for everything else, which says that it cannot happen.
//! The whole recipe is in docs/ARCHITECTURE.md. Absent: partitions between clients and instances,
//! partial writes.

use std::rc::Rc;

use super::EVICTABLE_MAX;
use super::action::{Action, ClientId, Impossible, NodeId, ProcessId};
use super::apply::Log;
use super::client::{CallKind, Paused, State, Woken};
use super::node::{Link, Node, conn_id};
use super::world::World;
use crate::resp::Bytes;

/// Returns true if a kind of fault may strike all these clients. `of` has a bit for each client; 0:
/// all.
pub(super) fn aims_at(of: u32, clients: &[ClientId]) -> bool {
    of == 0
        || clients.iter().all(|id| of.checked_shr(id.0.into()).is_some_and(|bits| bits & 1 != 0))
}

impl World {
    /// Returns the reason why a fault or repair cannot happen. Calls and time are handled
    /// elsewhere.
    pub(super) fn fault_possible(&self, action: Action) -> Result<(), Impossible> {
        let met = |condition: bool| if condition { Ok(()) } else { Err(Impossible::NotNow) };
        let within = |left: u8| if left > 0 { Ok(()) } else { Err(Impossible::NoBudget) };
        // A process of one client is that client: there is one way to say it.
        let several = |process: ProcessId| self.setting.members(process).len() > 1;
        let some = |process: ProcessId, is: fn(&super::Client) -> bool| {
            let mut members = self.setting.members(process).iter();
            members.any(|id| self.client(*id).is_some_and(is))
        };
        match action {
            Action::Resume(id) => met(self.existing(id)?.paused == Some(Paused::Client)),
            Action::ResumeProcess(id) => {
                met(some(id, |client| client.paused == Some(Paused::Process)))
            }
            Action::Pause(id) => {
                within(self.budget.pause)?;
                let client = self.existing(id)?;
                met(aims_at(self.budget.pause_of, &[id])
                    && !client.is_over()
                    && client.paused.is_none())
            }
            Action::PauseProcess(id) => {
                within(self.budget.pause)?;
                met(several(id)
                    && aims_at(self.budget.pause_of, self.setting.members(id))
                    && some(id, |client| !client.is_over() && client.paused.is_none()))
            }
            Action::Crash(id) => {
                within(self.budget.crash)?;
                met(aims_at(self.budget.crash_of, &[id]) && !self.existing(id)?.is_over())
            }
            Action::CrashProcess(id) => {
                within(self.budget.crash)?;
                met(several(id)
                    && aims_at(self.budget.crash_of, self.setting.members(id))
                    && some(id, |client| !client.is_over()))
            }
            Action::Cancel(id) => {
                within(self.budget.cancel)?;
                met(aims_at(self.budget.cancel_of, &[id]))?;
                self.may_give_up(id)
            }
            Action::JumpClient(id) => {
                within(self.budget.jump)?;
                met(!self.existing(id)?.is_over() && self.budget.jump_ms != 0)
            }
            Action::JumpNode(id) => {
                within(self.budget.jump)?;
                met(self.node(id).is_some() && self.budget.jump_ms != 0)
            }
            Action::Up(id) => met(self.node(id).is_some_and(|node| !node.up)),
            Action::Down(id) => within(self.budget.down).and(met(self.is_up(id))),
            Action::Restart(id) => within(self.budget.restart).and(met(self.node(id).is_some())),
            Action::Rewind(id) => within(self.budget.rewind).and(met(self.stands_alone(id))),
            Action::Replicate(id) => met(self.link_of(id).is_some_and(|link| {
                let flows = self.is_up(id) && self.is_up(link.master) && !link.stale;
                flows && !link.backlog.is_empty()
            })),
            Action::Failover(id) => {
                within(self.budget.failover)?;
                met(self.successor(id).is_some())
            }
            Action::Evict(id, number) => {
                within(self.budget.evict)?;
                met(usize::from(number) < self.evictable(id).len())
            }
            _ => Err(Impossible::NotNow),
        }
    }

    /// Returns true for an instance that follows no other, and that none follows.
    fn stands_alone(&self, id: NodeId) -> bool {
        let is_linked = self.links.iter().any(|link| link.replica == id || link.master == id);
        self.node(id).is_some() && !is_linked
    }

    /// Returns the keys that an instance may drop now because its memory is full, by database and
    /// name; at most [`EVICTABLE_MAX`]. A replica drops none itself (`replica-ignore-maxmemory`).
    pub fn evictable(&self, id: NodeId) -> Vec<(usize, Bytes)> {
        let mut keys = self.all_evictable(id);
        keys.truncate(EVICTABLE_MAX);
        keys
    }

    /// The same, however many.
    pub(super) fn all_evictable(&self, id: NodeId) -> Vec<(usize, Bytes)> {
        let masters = self.node(id).filter(|node| node.up && self.link_of(id).is_none());
        masters.map(|node| node.instance.evictable()).unwrap_or_default()
    }

    /// Returns the replica that takes the place of master `id`: the first one that is up.
    fn successor(&self, id: NodeId) -> Option<NodeId> {
        let mut links = self.links.iter().filter(|link| link.master == id && !link.stale);
        links.find(|link| self.is_up(link.replica)).map(|link| link.replica)
    }

    /// Applies a fault or a repair that is possible.
    pub(super) fn fault(&mut self, action: Action, log: &mut Log) {
        match action {
            Action::Resume(id) => self.resume(id, log),
            Action::ResumeProcess(process) => {
                for id in self.members(process) {
                    if self.clients[id.index()].paused == Some(Paused::Process) {
                        self.resume(id, log);
                    }
                }
            }
            Action::Pause(id) => {
                self.budget.pause -= 1;
                self.pause(id, Paused::Client);
            }
            Action::PauseProcess(process) => {
                self.budget.pause -= 1;
                for id in self.members(process) {
                    if !self.clients[id.index()].is_over() {
                        self.pause(id, Paused::Process);
                    }
                }
            }
            Action::Crash(id) => {
                self.budget.crash -= 1;
                self.crash(id);
            }
            Action::CrashProcess(process) => {
                self.budget.crash -= 1;
                self.members(process).into_iter().for_each(|id| self.crash(id));
            }
            Action::JumpClient(id) => {
                self.budget.jump -= 1;
                let jump_ms = self.budget.jump_ms;
                let client = self.client_mut(id);
                client.clock_ms = client.clock_ms.saturating_add(jump_ms);
            }
            Action::JumpNode(id) => {
                self.budget.jump -= 1;
                let jump_ms = self.budget.jump_ms;
                let node = Rc::make_mut(&mut self.nodes[id.index()]);
                node.clock_ms = node.clock_ms.saturating_add(jump_ms);
                self.expire(id, log);
            }
            Action::Up(id) => self.up(id, log),
            Action::Down(id) => {
                self.budget.down -= 1;
                self.down(id, log);
            }
            Action::Restart(id) => {
                self.budget.restart -= 1;
                self.restart(id, log);
            }
            Action::Rewind(id) => {
                self.budget.rewind -= 1;
                self.rewind(id, log);
            }
            Action::Replicate(id) => self.replicate(id, log),
            Action::Failover(id) => {
                self.budget.failover -= 1;
                self.failover(id, log);
            }
            Action::Evict(id, number) => {
                self.budget.evict -= 1;
                self.evict(id, number.into(), log);
            }
            _ => {}
        }
    }

    fn members(&self, process: ProcessId) -> Vec<ClientId> {
        self.setting.members(process).to_vec()
    }

    fn pause(&mut self, id: ClientId, how: Paused) {
        let end_ms = self.now_ms.saturating_add(self.budget.pause_ms.into());
        let end_ms = (self.budget.pause_ms > 0).then_some(end_ms);
        let remembers = self.setting.remembers_pauses;
        let late_ms = self.late_ms(id);
        let client = self.client_mut(id);
        (client.paused, client.pause_end_ms) = (Some(how), end_ms);
        // When it goes on it has not been held up: it was paused. It may have been late to begin.
        client.held_ms = client.held_ms.min(late_ms);
        client.was_paused |= remembers;
    }

    /// Ends a pause: the client goes on with the reply that has arrived, or because its deadline
    /// has come.
    pub(super) fn resume(&mut self, id: ClientId, log: &mut Log) {
        let client = self.client_mut(id);
        (client.paused, client.pause_end_ms) = (None, None);
        // It was late already, and is not again where only pauses make it late.
        let turn = if self.setting.slow_ms == 0 { Some(id) } else { log.turn };
        let before = std::mem::replace(&mut log.turn, turn);
        self.resume_now(id, log);
        log.turn = before;
    }

    fn resume_now(&mut self, id: ClientId, log: &mut Log) {
        match self.clients[id.index()].state.clone() {
            State::Answered(call, reply) => self.settle(id, &call, reply, log),
            State::Receiving { call, .. } => {
                let connection = call.connection().unwrap_or_default();
                if let Some(message) = self.take_message(id, connection) {
                    return self.end(id, Some(&call), Woken::Message(message), log);
                }
                self.wake_if_due(id, log);
            }
            _ => self.wake_if_due(id, log),
        }
    }

    fn wake_if_due(&mut self, id: ClientId, log: &mut Log) {
        let due = self.clients[id.index()].deadline_ms();
        if due.is_some_and(|at_ms| at_ms <= self.now_ms) {
            self.time_is_up(id, log);
        }
    }

    /// Crashes a client: its own connections close, and its mutexes are released with its process.
    /// Its writes stay. With the last client of a process its variables and shared connections go.
    fn crash(&mut self, id: ClientId) {
        if self.clients[id.index()].is_over() {
            return;
        }
        self.close_connections(id);
        self.leave_shared(id);
        self.end_transaction(id);
        if self.mutexes.has_any(id) {
            Rc::make_mut(&mut self.mutexes).drop_all_of(id);
        }
        let client = self.client_mut(id);
        client.connections = Rc::default();
        (client.paused, client.pause_end_ms, client.held_ms) = (None, None, 0);
        client.state = State::Crashed;
        let process = self.process(id);
        let is_over = |id: &ClientId| self.clients[id.index()].is_over();
        if !self.setting.members(process).iter().all(is_over) {
            return;
        }
        if self.variables.has_any(process) {
            Rc::make_mut(&mut self.variables).drop_all_of(process);
        }
        self.close_shared(process);
    }

    /// Removes the server's side of a client's own connections.
    pub(super) fn close_connections(&mut self, id: ClientId) {
        for number in 0..self.clients[id.index()].connections.len() as u8 {
            let conn = conn_id(id, number);
            for node in self.nodes.iter_mut().filter(|n| n.instance.conn(conn).is_some()) {
                Rc::make_mut(node).instance.disconnect(conn);
            }
        }
    }

    /// Cuts every connection of an instance: a client that waited for it gets an error.
    fn cut(&mut self, at: NodeId, log: &mut Log) {
        let node = Rc::make_mut(&mut self.nodes[at.index()]);
        for conn in node.instance.conn_ids() {
            node.instance.disconnect(conn);
        }
        for id in self.everybody() {
            let call = match self.client(id).map(|client| &client.state) {
                Some(State::Blocked(call) | State::Waiting(call, _)) => call.clone(),
                Some(State::Receiving { call, .. }) => call.clone(),
                _ => continue,
            };
            if call.node().is_some_and(|node| self.serving(node) == at) {
                let error = self.lost(&call);
                self.settle(id, &call, error, log);
            }
        }
        self.cut_shared(at);
    }

    fn down(&mut self, at: NodeId, log: &mut Log) {
        self.cut(at, log);
        Rc::make_mut(&mut self.nodes[at.index()]).up = false;
    }

    fn up(&mut self, at: NodeId, log: &mut Log) {
        Rc::make_mut(&mut self.nodes[at.index()]).up = true;
        self.expire(at, log);
        // A server that was away has no part of a stream to go on with: its replicas ask it, or it
        // asks its master, for a copy of everything.
        for link in 0..self.links.len() {
            let Link { replica, master, .. } = *self.links[link];
            let met = (replica == at || master == at) && self.is_up(replica) && self.is_up(master);
            if met && !self.links[link].backlog.is_empty() {
                let link = Rc::make_mut(&mut self.links[link]);
                link.backlog.clear();
                link.stale = true;
            }
        }
        self.sync(log);
    }

    /// Removes all data and scripts. A replica copies its master again; the replicas of a master
    /// copy its empty data.
    fn restart(&mut self, at: NodeId, log: &mut Log) {
        self.cut(at, log);
        let old = &self.nodes[at.index()];
        let new = Node::new(old.clock_ms, old.instance.version());
        self.nodes[at.index()] = Rc::new(new);
        for link in self.links.iter_mut().filter(|l| l.replica == at || l.master == at) {
            let link = Rc::make_mut(link);
            link.backlog.clear();
            link.stale = true;
        }
        self.sync(log);
    }

    /// Restarts an instance with the keys of its snapshot; those whose time is up by now are gone.
    fn rewind(&mut self, at: NodeId, log: &mut Log) {
        self.restart(at, log);
        let setting = self.setting.clone();
        let Some(saved) = setting.saved.get(at.index()) else { return };
        let instance = &mut Rc::make_mut(&mut self.nodes[at.index()]).instance;
        let all = instance.differences(&saved.instance);
        instance.copy(&all);
        self.expire(at, log);
    }

    fn evict(&mut self, at: NodeId, number: usize, log: &mut Log) {
        let Some((db, key)) = self.evictable(at).into_iter().nth(number) else { return };
        let before = self.nodes[at.index()].clone();
        let instance = &mut Rc::make_mut(&mut self.nodes[at.index()]).instance;
        instance.evict(db, &key);
        let pushes = instance.take_pushes();
        self.send_changes(at, &before);
        self.deliver(pushes, log);
    }

    fn replicate(&mut self, replica: NodeId, log: &mut Log) {
        let Some(link) = self.links.iter_mut().find(|link| link.replica == replica) else { return };
        let link = Rc::make_mut(link);
        let Some(effects) = link.backlog.pop_front() else { return };
        let left = link.backlog.len();
        Rc::make_mut(&mut self.nodes[replica.index()]).instance.absorb(&effects);
        self.expire(replica, log);
        self.caught_up(replica, left, log);
    }

    /// Makes the first replica that is up the master: the name leads to it from now on, and writes
    /// that had not reached it are lost. The old master is down, and will follow the new one.
    fn failover(&mut self, old: NodeId, log: &mut Log) {
        let Some(new) = self.successor(old) else { return };
        if self.is_up(old) {
            self.down(old, log);
        }
        for route in self.routes.iter_mut().filter(|route| **route == old) {
            *route = new;
        }
        for link in &mut self.links {
            if link.master == old {
                let replica = if link.replica == new { old } else { link.replica };
                let backlog = Default::default();
                *link = Rc::new(Link { replica, master: new, backlog, stale: true });
            }
        }
        self.links.sort_by_key(|link| link.replica);
        self.sync(log);
    }

    /// Makes replicas that have diverged copy everything from their masters, where both are up, and
    /// wakes the clients that wait for them.
    pub(super) fn sync(&mut self, log: &mut Log) {
        for replica in self.sync_stale() {
            self.expire(replica, log);
            self.caught_up(replica, 0, log);
        }
    }

    /// Returns the replicas that have copied everything.
    fn sync_stale(&mut self) -> Vec<NodeId> {
        let mut synced = Vec::new();
        for at in 0..self.links.len() {
            let (replica, master) = (self.links[at].replica, self.links[at].master);
            if !self.links[at].stale || !self.is_up(replica) || !self.is_up(master) {
                continue;
            }
            let master = &self.nodes[master.index()].instance;
            let differences = self.nodes[replica.index()].instance.differences(master);
            if !differences.is_empty() {
                Rc::make_mut(&mut self.nodes[replica.index()]).instance.copy(&differences);
            }
            Rc::make_mut(&mut self.links[at]).stale = false;
            synced.push(replica);
        }
        synced
    }

    /// Returns true if a call of this kind goes to an instance that is down.
    pub fn goes_nowhere(&self, kind: &CallKind) -> bool {
        matches!(kind, CallKind::Redis { node, .. } if !self.is_up(self.serving(*node)))
    }
}
