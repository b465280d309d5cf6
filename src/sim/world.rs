//! The world as a value, and the one way it changes.

use std::fmt;
use std::rc::Rc;

use crate::engine::{Config, Instance, KeyChange, Outcome};
use crate::lua::{Chunk, Trace};
use crate::resp::{Bytes, Value};

use super::client::{Call, Client, State};
use super::property::Property;
use super::{MAX_CLIENTS, START_MS};

/// A client's place in the cast: 0 is A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClientId(pub u8);

impl ClientId {
    /// A, B, C …
    pub fn letter(self) -> char {
        char::from(b'A' + self.0)
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn from_letter(letter: char) -> Option<ClientId> {
        let index = u8::try_from(letter).ok()?.checked_sub(b'A')?;
        (usize::from(index) < MAX_CLIENTS).then_some(ClientId(index))
    }
}

/// What a world starts from.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Commands run on the instance before anybody connects.
    pub setup: Vec<Vec<Bytes>>,
    /// One program per client, in the order of their letters; at most [`MAX_CLIENTS`].
    pub programs: Vec<Rc<Chunk>>,
    pub properties: Vec<Property>,
}

/// One thing that can happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// This client sends its next command, Redis executes it, the reply arrives.
    Step(ClientId),
    /// Time moves to the next deadline: a key expires, a sleeper wakes, a blocked call times out.
    Advance,
}

/// Why an action cannot happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Impossible {
    NoSuchClient(ClientId),
    /// It is blocked, asleep, done or failed: see [`Client::state`].
    NotReady(ClientId),
    /// Nothing has a deadline.
    NoDeadline,
}

/// What could be seen while an action happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    pub event: Event,
    /// Keys that are different now, in order of (database, key).
    pub changes: Vec<KeyChange>,
    /// Redis counted a write, be it one that left the value as it was.
    pub wrote: bool,
    /// The programs that ran on, with their lines and the values that changed.
    pub ran: Vec<Ran>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The setup was executed and every program ran to its first call.
    Start,
    /// `reply` is `None` where Redis holds it back.
    Call {
        client: ClientId,
        call: Call,
        reply: Option<Value>,
    },
    Advance {
        from_ms: u64,
        to_ms: u64,
    },
}

/// One program's run between two pauses.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    pub client: ClientId,
    pub trace: Trace,
}

/// A Redis instance, its clients and the time. Cloning is cheap; equality and hash are exact.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct World {
    now_ms: u64,
    redis: Instance,
    clients: Vec<Rc<Client>>,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: Vec<_> = self.clients.iter().map(|client| client.state()).collect();
        f.debug_struct("World").field("now_ms", &self.now_ms).field("clients", &states).finish()
    }
}

impl World {
    /// Executes the setup and runs every program to its first call. A setup command that Redis
    /// refuses is the author's mistake: its number (from 0) and Redis's error come back.
    pub fn start(scenario: &Scenario) -> Result<(World, Seen), (usize, Value)> {
        let mut redis = Instance::new(Config::default());
        let admin = redis.connect();
        for (number, argv) in scenario.setup.iter().enumerate() {
            match redis.execute(admin, argv, START_MS) {
                Outcome::Reply(reply) if reply.is_error() => return Err((number, reply)),
                _ => {}
            }
        }
        redis.disconnect(admin);
        let before = Instance::new(Config::default());
        let changes = before.diff(&redis);

        let mut ran = Vec::new();
        let mut clients = Vec::new();
        for (index, chunk) in scenario.programs.iter().take(MAX_CLIENTS).enumerate() {
            let mut client = Client::new(chunk, redis.connect(), index as u32);
            let mut trace = Trace::default();
            client.run(START_MS, &mut trace);
            ran.push(Ran { client: ClientId(index as u8), trace });
            clients.push(Rc::new(client));
        }
        let world = World { now_ms: START_MS, redis, clients };
        let wrote = !changes.is_empty();
        Ok((world, Seen { event: Event::Start, changes, wrote, ran }))
    }

    /// Milliseconds since 1970, as Redis and the clients see it.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    pub fn redis(&self) -> &Instance {
        &self.redis
    }

    pub fn clients(&self) -> &[Rc<Client>] {
        &self.clients
    }

    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.get(id.index()).map(Rc::as_ref)
    }

    pub fn ids(&self) -> impl Iterator<Item = ClientId> + use<> {
        (0..self.clients.len() as u8).map(ClientId)
    }

    /// True when every client has come to its end or failed.
    pub fn all_over(&self) -> bool {
        self.clients.iter().all(|client| client.is_over())
    }

    /// The next moment at which something happens by itself.
    pub fn next_deadline_ms(&self) -> Option<u64> {
        let sleepers = self.clients.iter().filter_map(|client| match client.state() {
            State::Sleeping { until_ms } => Some(*until_ms),
            _ => None,
        });
        sleepers.chain(self.redis.next_deadline()).min()
    }

    /// All that can happen next: the clients that stand before a call, in the order of their
    /// letters, then time. A search lets time move only when nobody can step (see the module's
    /// head); a learner may let it move whenever there is a deadline.
    pub fn enabled(&self) -> Vec<Action> {
        let steps = self.ids().filter(|id| self.clients[id.index()].ready().is_some());
        let mut actions: Vec<Action> = steps.map(Action::Step).collect();
        if self.next_deadline_ms().is_some() {
            actions.push(Action::Advance);
        }
        actions
    }

    /// Lets `action` happen. The world is unchanged where it cannot.
    pub fn apply(&mut self, action: Action) -> Result<Seen, Impossible> {
        match action {
            Action::Step(id) => self.step(id),
            Action::Advance => self.advance(),
        }
    }

    fn step(&mut self, id: ClientId) -> Result<Seen, Impossible> {
        let client = self.client(id).ok_or(Impossible::NoSuchClient(id))?;
        let call = client.ready().ok_or(Impossible::NotReady(id))?.clone();
        let conn = client.conn();
        let before = self.redis.clone();
        let outcome = self.redis.execute(conn, &call.argv, self.now_ms);
        let mut ran = Vec::new();
        let reply = match outcome {
            Outcome::Reply(reply) => {
                self.hand_over(id, &call, &reply, &mut ran);
                Some(reply)
            }
            Outcome::Blocked => {
                self.client_mut(id).block(call.clone());
                None
            }
            // CLIENT REPLY OFF and the like: the program goes on with nil.
            Outcome::None => {
                self.hand_over(id, &call, &Value::NilBulk, &mut ran);
                None
            }
        };
        self.deliver(&mut ran);
        Ok(self.seen(&before, Event::Call { client: id, call, reply }, ran))
    }

    fn advance(&mut self) -> Result<Seen, Impossible> {
        let to_ms = self.next_deadline_ms().ok_or(Impossible::NoDeadline)?;
        let from_ms = self.now_ms;
        self.now_ms = to_ms.max(from_ms);
        let before = self.redis.clone();
        self.redis.advance(self.now_ms);
        let mut ran = Vec::new();
        self.deliver(&mut ran);
        for id in self.ids() {
            if matches!(self.clients[id.index()].state(),
                State::Sleeping { until_ms } if *until_ms <= self.now_ms)
            {
                let mut trace = Trace::default();
                let now_ms = self.now_ms;
                self.client_mut(id).wake(now_ms, &mut trace);
                ran.push(Ran { client: id, trace });
            }
        }
        Ok(self.seen(&before, Event::Advance { from_ms, to_ms: self.now_ms }, ran))
    }

    fn seen(&self, before: &Instance, event: Event, ran: Vec<Ran>) -> Seen {
        let wrote = before.dirty() != self.redis.dirty();
        Seen { event, changes: before.diff(&self.redis), wrote, ran }
    }

    /// Gives replies that Redis held back to the clients that wait for them. Messages to a client
    /// that does not wait (pub/sub) have no reader yet.
    fn deliver(&mut self, ran: &mut Vec<Ran>) {
        for (conn, reply) in self.redis.take_pushes() {
            let waiting = self.ids().find_map(|id| match self.clients[id.index()].state() {
                State::Blocked(call) if self.clients[id.index()].conn() == conn => {
                    Some((id, call.clone()))
                }
                _ => None,
            });
            if let Some((id, call)) = waiting {
                self.hand_over(id, &call, &reply, ran);
            }
        }
    }

    fn hand_over(&mut self, id: ClientId, call: &Call, reply: &Value, ran: &mut Vec<Ran>) {
        let mut trace = Trace::default();
        let now_ms = self.now_ms;
        self.client_mut(id).reply(call, reply, now_ms, &mut trace);
        ran.push(Ran { client: id, trace });
    }

    fn client_mut(&mut self, id: ClientId) -> &mut Client {
        Rc::make_mut(&mut self.clients[id.index()])
    }
}
