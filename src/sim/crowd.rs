//! A world whose clients' places are reused: each runs one program a request of a crowd. Its steps
//! are those of every world ([`World::apply`]); this file adds the places, and a clock that the
//! crowd sets itself, because finding the next deadline among thousands of clients would be slow.

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
    /// Creates the instances of `scenario` with their setup, and no client. Sending, executing and
    /// replying are three actions.
    pub fn empty(scenario: &Scenario) -> Result<World, StartError> {
        let nobody = Scenario { clients: Vec::new(), ..scenario.clone() };
        let (mut world, _) = World::start(&nobody)?;
        let setting = Rc::make_mut(&mut world.setting);
        (setting.wire, setting.is_crowd) = (true, true);
        // How long its clients take is drawn by the crowd.
        (setting.slow_ms, setting.starts_within_ms) = (0, 0);
        world.budget = Faults::default();
        Ok(world)
    }

    /// Adds a place in `process`, which is created if it is new. `None` if there are [`CROWD_MAX`].
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

    /// Runs `program` in the place `id` from its first line to its first call. The connections
    /// stay, as in a connection pool; a program that was still running is abandoned.
    pub fn begin(&mut self, id: ClientId, program: &Rc<Chunk>) {
        if id.index() >= self.clients.len() {
            return;
        }
        let conn = conn_id(id, 0);
        let first = &mut self.nodes[0];
        let now_ms = first.now_ms(self.now_ms);
        if first.instance.is_idle(conn) != Some(true) {
            let instance = &mut Rc::make_mut(first).instance;
            instance.disconnect(conn);
            instance.connect_as(conn, now_ms);
        }
        Rc::make_mut(&mut self.clients[id.index()]).begin(program);
        let shared = (&mut self.mutexes, &mut self.variables);
        let mut around = super::client::Around::new(self.now_ms, &self.setting, shared);
        Rc::make_mut(&mut self.clients[id.index()]).run(&mut around, None);
    }

    /// Continues `id`, which sleeps or waits for something, if its deadline has come.
    pub fn wake(&mut self, id: ClientId) {
        let due = self.client(id).and_then(Client::deadline_ms);
        if due.is_some_and(|at_ms| at_ms <= self.now_ms) {
            self.time_is_up(id, &mut Log::new(false));
        }
    }

    /// Gives `id` the reply to the command that it wants to send, which was executed elsewhere, and
    /// runs its program on.
    pub fn take_reply(&mut self, id: ClientId, reply: &Value) {
        let Some(call) = self.client(id).and_then(Client::ready).cloned() else { return };
        self.hand_over(id, call.protected, reply, &mut Log::new(false));
    }

    /// Applies everything that is due on every instance that is up.
    pub fn expire_all(&mut self) {
        let mut log = Log::new(false);
        for at in self.setting.clone().node_ids() {
            self.expire(at, &mut log);
        }
    }

    /// Returns true if `id` waits for another client: for a reply that is held back, or a message.
    pub fn is_parked(&self, id: ClientId) -> bool {
        let state = self.client(id).map(Client::state);
        matches!(state, Some(State::Blocked(_) | State::Waiting(..) | State::Receiving { .. }))
    }
}
