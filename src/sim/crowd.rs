//! A world whose places are used again and again: a crowd's requests, one program run each. Its
//! steps are those of every world ([`World::apply`]); here are only the places, and the clock,
//! which a crowd sets itself: looking for the next deadline among thousands of clients would be
//! slow.

use std::rc::Rc;

use crate::lua::Chunk;
use crate::resp::Value;

use super::action::{ClientId, ProcessId};
use super::apply::Log;
use super::client::{Client, State};
use super::node::conn_id;
use super::scenario::{Process, Scenario, Setting, StartError};
use super::world::World;
use super::{CROWD_MAX, Faults};

impl World {
    /// Makes the instances of `scenario` with their setup, and no client yet. Sending, executing
    /// and replying are three actions.
    pub fn empty(scenario: &Scenario) -> Result<World, StartError> {
        let nobody = Scenario { clients: Vec::new(), ..scenario.clone() };
        let (mut world, _) = World::start(&nobody)?;
        let setting = Rc::make_mut(&mut world.setting);
        setting.wire = true;
        world.budget = Faults::default();
        Ok(world)
    }

    /// One more place, in `process`; a process that is not there yet comes into being. `None` where
    /// there are [`CROWD_MAX`].
    pub fn add_place(
        &mut self,
        process: ProcessId,
        idle: &Rc<Chunk>,
        clock_ms: i64,
    ) -> Option<ClientId> {
        let at = self.clients.len();
        if at >= CROWD_MAX || process.index() >= CROWD_MAX {
            return None;
        }
        let id = ClientId(at as u16);
        let setting: &mut Setting = Rc::make_mut(&mut self.setting);
        while setting.processes.len() <= process.index() {
            let name = format!("p{}", setting.processes.len() + 1);
            setting.processes.push(Process { name, members: Vec::new() });
        }
        setting.processes[process.index()].members.push(id);
        setting.process_of.push(process);
        self.clients.push(Rc::new(Client::new(idle, id, clock_ms)));
        Some(id)
    }

    /// The place `id` runs `program` from its first line to its first call. It keeps its
    /// connections, as of a pool; of one that is in the middle of something the rest is given up.
    pub fn begin(&mut self, id: ClientId, program: &Rc<Chunk>) {
        if id.index() >= self.clients.len() {
            return;
        }
        let conn = conn_id(id, 0);
        let first = &mut self.nodes[0];
        if first.instance.is_idle(conn) != Some(true) {
            let instance = &mut Rc::make_mut(first).instance;
            instance.disconnect(conn);
            instance.connect_as(conn);
        }
        Rc::make_mut(&mut self.clients[id.index()]).begin(program);
        let mut around = super::client::Around {
            now_ms: self.now_ms,
            has_told_time: false,
            setting: &self.setting,
            mutexes: &mut self.mutexes,
        };
        Rc::make_mut(&mut self.clients[id.index()]).run(&mut around, None);
    }

    /// Lets `id`, which sleeps or waits for something, go on if the time for it has come.
    pub fn wake(&mut self, id: ClientId) {
        let due = self.client(id).and_then(Client::deadline_ms);
        if due.is_some_and(|at_ms| at_ms <= self.now_ms) {
            self.time_is_up(id, &mut Log::new(false));
        }
    }

    /// The command that `id` wants to send was carried out elsewhere: its program goes on with that
    /// reply.
    pub fn take_reply(&mut self, id: ClientId, reply: &Value) {
        let Some(call) = self.client(id).and_then(Client::ready).cloned() else { return };
        self.hand_over(id, &call, reply, &mut Log::new(false));
    }

    /// On every instance that is up, what is due happens.
    pub fn expire_all(&mut self) {
        let mut log = Log::new(false);
        for at in self.setting.clone().node_ids() {
            self.expire(at, &mut log);
        }
    }

    /// Whether `id` waits for another client: for a reply that is held back, or a message.
    pub fn is_parked(&self, id: ClientId) -> bool {
        let state = self.client(id).map(Client::state);
        matches!(state, Some(State::Blocked(_) | State::Waiting(..) | State::Receiving { .. }))
    }
}
