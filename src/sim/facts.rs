//! The questions that a property can ask about a world ([`Facts`]). A search that stores worlds in
//! another form answers them from that form.

use crate::engine::{ConnId, Instance, Outcome};
use crate::lua::Data;
use crate::resp::{Bytes, Value};

use super::action::{ClientId, NodeId};
use super::client::{Client, State};
use super::property::HELD_BACK;
use super::resource::Resource;
use super::sql::{Answer, Prepared};
use super::world::World;

/// The fate of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It has not ended: it can go on, waits, sleeps or is paused.
    Alive,
    /// It came to its end without an error.
    Done,
    /// It ended by an uncaught error.
    Failed,
    Crashed,
}

impl Fate {
    pub fn of(client: &Client) -> Fate {
        match client.state() {
            State::Done => Fate::Done,
            State::Failed(_) => Fate::Failed,
            State::Crashed => Fate::Crashed,
            _ => Fate::Alive,
        }
    }
}

/// Returns the message of the error that ended a client; nil if none did.
pub(super) fn error_of(client: &Client) -> Data {
    match client.state() {
        State::Failed(message) => Data::str(&**message),
        _ => Data::Nil,
    }
}

/// Returns the instance's reply to a condition's command; `None` if no reply comes at once.
pub(super) fn answered(outcome: Outcome, instance: &Instance) -> Option<Value> {
    match outcome {
        Outcome::Reply(reply) => Some(reply),
        Outcome::Blocked if instance.has_own_times() => Some(Value::error(HELD_BACK)),
        _ => None,
    }
}

/// The facts of one state.
pub trait Facts {
    fn clients(&self) -> usize;
    fn fate(&self, client: ClientId) -> Fate;
    fn is_paused(&self, client: ClientId) -> bool;
    /// Returns true if the client was paused at any time; `None` if that is not recorded.
    fn was_paused(&self, client: ClientId) -> Option<bool>;
    /// Returns the message of the error that ended a client's program; nil if none did.
    fn error(&self, client: ClientId) -> Data;
    /// Returns a global of the client's program.
    fn global(&self, client: ClientId, name: &str) -> Data;
    /// Returns true if the global is true and the client has not crashed.
    fn counts(&self, client: ClientId, name: &str) -> bool {
        self.fate(client) != Fate::Crashed && self.global(client, name).truthy()
    }
    /// Returns the sum of a global over all clients; values that are no numbers count as 0.
    fn sum(&self, name: &str) -> f64 {
        let number = |value: Data| if let Data::Num(n) = value { n } else { 0.0 };
        (0..self.clients() as u16).map(|at| number(self.global(ClientId(at), name))).sum()
    }
    /// Returns the number of clients for which [`Facts::counts`] is true.
    fn count(&self, name: &str) -> usize {
        (0..self.clients() as u16).filter(|at| self.counts(ClientId(*at), name)).count()
    }
    /// Returns the number of clients that came to their end without an error.
    fn done(&self) -> usize {
        (0..self.clients() as u16).filter(|at| self.fate(ClientId(*at)) == Fate::Done).count()
    }
    /// Returns the names of the instances; the first is the default one.
    fn nodes(&self) -> Vec<String>;
    /// Executes a reading command on the instance that serves this name. `None` if no reply comes
    /// at once.
    fn read(&mut self, node: NodeId, argv: &[Bytes]) -> Option<Value>;
    /// Executes a SELECT. The error says what is wrong with the statement.
    fn select(&self, statement: &Prepared) -> Result<Answer, String>;
    fn resource(&self, name: &[u8]) -> Option<Resource>;
}

/// The facts of a [`World`].
#[derive(Debug)]
pub struct WorldFacts<'w> {
    world: &'w World,
    /// Copies of instances to read from, each made at the first command.
    copies: Vec<(NodeId, Instance, ConnId)>,
}

impl World {
    pub fn facts(&self) -> WorldFacts<'_> {
        WorldFacts { world: self, copies: Vec::new() }
    }
}

impl Facts for WorldFacts<'_> {
    fn clients(&self) -> usize {
        self.world.clients().len()
    }

    fn fate(&self, client: ClientId) -> Fate {
        self.world.client(client).map_or(Fate::Alive, Fate::of)
    }

    fn is_paused(&self, client: ClientId) -> bool {
        self.world.client(client).is_some_and(|client| client.paused().is_some())
    }

    fn was_paused(&self, client: ClientId) -> Option<bool> {
        let remembers = self.world.setting().remembers_pauses;
        remembers.then(|| self.world.client(client).is_some_and(|client| client.was_paused))
    }

    fn error(&self, client: ClientId) -> Data {
        self.world.client(client).map_or(Data::Nil, error_of)
    }

    fn global(&self, client: ClientId, name: &str) -> Data {
        self.world.client(client).map_or(Data::Nil, |client| client.global(name))
    }

    fn nodes(&self) -> Vec<String> {
        self.world.setting().nodes.clone()
    }

    fn read(&mut self, node: NodeId, argv: &[Bytes]) -> Option<Value> {
        let serving = self.world.serving(node);
        let at = match self.copies.iter().position(|(id, ..)| *id == serving) {
            Some(at) => at,
            None => {
                let mut copy = self.world.instance(serving)?.clone();
                let conn = copy.connect();
                self.copies.push((serving, copy, conn));
                self.copies.len() - 1
            }
        };
        let now_ms = self.world.node(serving)?.now_ms(self.world.now_ms());
        let (_, copy, conn) = &mut self.copies[at];
        let outcome = copy.execute(*conn, argv, now_ms);
        answered(outcome, copy)
    }

    fn select(&self, statement: &Prepared) -> Result<Answer, String> {
        self.world.sql().select(statement)
    }

    fn resource(&self, name: &[u8]) -> Option<Resource> {
        self.world.resources().get(name).cloned()
    }
}
