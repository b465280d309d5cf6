//! The connections of clients: `connect(name)`, and those that the clients of a process share,
//! `connect(name, { shared = "pool" })`.
//!
//! All clients of one process (its threads, or tasks) that ask for the same instance and name share
//! one connection of the server: its transaction, watched keys, database and subscriptions are
//! those of them all. It is opened at its first use, and outlives the client that opened it: it
//! closes when the process crashes, or the last of its clients does, and an instance that fails
//! cuts it like any other.
//!
//! It carries one call at a time: while Redis holds back a reply (a blocking command), the calls of
//! the other clients wait. In wire mode several may be under way; they are executed, and their
//! replies arrive, in the order in which they were sent. A client that crashes in a blocking
//! command leaves it behind, and its reply is dropped. One client at a time waits for messages.
//!
//! A call that is given up ([`Action::Cancel`]) leaves its reply on the connection. A client knows
//! replies by their order alone. So the next call there takes that reply and leaves its own, and so
//! does every later call, as in redis-py's issues 2624 and 2665. `receive` takes it as it takes a
//! message. It is gone when the connection closes (`close`) or breaks.
//!
//! Absent: a call given up, or one that has taken an older reply, before the server has executed it
//! (in wire mode); WAIT given up.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::engine::ConnId;
use crate::lua::Data;
use crate::resp::{Bytes, Value};

use super::action::{Action, ClientId, Impossible, NodeId, ProcessId};
use super::apply::{Ending, Log};
use super::client::{Around, Call, CallKind, Client, State};
use super::deliver::is_message;
use super::host::{self, Function, HostAnswer};
use super::node::{conn_id, shared_conn, shared_number};
use super::world::{Event, World};

/// The error of a call that its client has given up, as asyncio's CancelledError.
pub(super) const CANCELLED: &str = "ERR cancelled before the reply";

/// A connection, from the client's side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// The instance that the program named.
    pub node: NodeId,
    /// How long the client waits for an instance that is down, in ms.
    pub timeout_ms: u64,
    /// Messages that arrived and were not yet received, oldest first; of a shared connection they
    /// are in [`Shared`].
    pub inbox: VecDeque<Value>,
    /// In wire mode: how many of these messages, the newest, are still under way.
    pub under_way: u8,
    /// The name under which the clients of its process share it.
    pub shared: Option<Bytes>,
}

impl Connection {
    pub(super) fn new(node: NodeId, timeout_ms: u64, shared: Option<Bytes>) -> Connection {
        Connection { node, timeout_ms, inbox: VecDeque::new(), under_way: 0, shared }
    }

    /// Takes the oldest message that has arrived.
    fn take(&mut self) -> Option<Value> {
        let has_arrived = self.inbox.len() > usize::from(self.under_way);
        has_arrived.then(|| self.inbox.pop_front()).flatten()
    }

    pub(super) fn clear(&mut self) {
        self.inbox.clear();
        self.under_way = 0;
    }
}

impl Hash for Connection {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.node, self.timeout_ms, &self.inbox).hash(state);
        // A run without them keeps the fingerprints that it has always had.
        if let Some(name) = &self.shared {
            name.hash(state);
        }
        if self.under_way > 0 {
            self.under_way.hash(state);
        }
    }
}

/// The process that shares a connection, the instance that its programs named, and the name.
type Name = (ProcessId, NodeId, Bytes);

/// The shared connections that are open, or were used to send.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct SharedConnections(BTreeMap<Name, Shared>);

/// A shared connection, from the side of its process.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shared {
    /// Its number among those of the world.
    number: u8,
    /// What arrived and was not yet received, oldest first: messages, and replies to calls that
    /// were given up. The replies belong behind those that clients in the pipe have got.
    pub inbox: VecDeque<Value>,
    /// The clients whose calls are under way, in the order of sending.
    pub pipe: VecDeque<ClientId>,
    /// The client whose call Redis holds back (a blocking command) without a client that waits for
    /// its reply: it was given up, or took an older reply.
    owed: Option<ClientId>,
}

impl Hash for Shared {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.number, &self.inbox, &self.pipe).hash(state);
        // A run without one keeps the fingerprints that it has always had.
        if let Some(owed) = self.owed {
            owed.hash(state);
        }
    }
}

impl Shared {
    /// Returns the place of the oldest reply that was not read.
    fn unread(&self) -> Option<usize> {
        self.inbox.iter().position(|value| !is_message(value))
    }
}

impl SharedConnections {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of a connection; of one that is not open, the one that it would get.
    fn number(&self, name: &Name) -> u8 {
        let is_free = |number: &u8| self.0.values().all(|one| one.number != *number);
        let open = self.0.get(name).map(|one| one.number);
        open.or_else(|| (0..=u8::MAX).find(is_free)).unwrap_or_default()
    }
}

impl Client {
    /// `connect(name)`, with a timeout in ms or `{ shared =, timeout_ms = }`. The connection is
    /// opened when it is first used.
    pub(super) fn connect(
        &mut self,
        args: &[Data],
        around: &Around<'_>,
    ) -> Result<HostAnswer, Data> {
        let usage = "connect(name, timeout_ms)";
        let name = host::name(args.first(), usage)?;
        let Some(node) = around.setting.node(&String::from_utf8_lossy(&name)) else {
            let name = String::from_utf8_lossy(&name).into_owned();
            let known = around.setting.nodes.join(", ");
            let text = format!("connect: there is no instance {name}; there are: {known}");
            return Err(Data::str(text));
        };
        let (timeout, shared) = host::connect_options(args.get(1))?;
        let timeout_ms = match timeout {
            None | Some(Data::Nil) => super::TIMEOUT_MS,
            given => host::milliseconds(given, usage)?,
        };
        if shared.is_some() {
            let process = around.setting.members(around.process(self.id));
            let why = match process {
                _ if around.setting.is_crowd => {
                    "connect: the clients of a crowd cannot share a connection"
                }
                [] | [_] => {
                    "connect: a shared connection needs threads of a process: give two clients or \
                     more the same process"
                }
                _ => "",
            };
            if !why.is_empty() {
                return Err(Data::str(why));
            }
        }
        let new = Connection::new(node, timeout_ms, shared);
        let known = self.connections.iter().position(|one| one.shared.is_some() && *one == new);
        if known.is_none() && self.connections.len() == super::CONNECTIONS_MAX {
            let most = super::CONNECTIONS_MAX;
            return Err(Data::str(format!("connect: a client has at most {most} connections")));
        }
        let number = known.unwrap_or(self.connections.len());
        if known.is_none() {
            Rc::make_mut(&mut self.connections).push(new);
        }
        let method = |function: Function| Data::Host(function as u16);
        let fields = [
            ("name", Data::Str(name)),
            ("number", Data::Num(number as f64)),
            ("call", method(Function::ConnectionCall)),
            ("pcall", method(Function::ConnectionPcall)),
            ("receive", method(Function::Receive)),
            ("close", method(Function::Close)),
        ];
        Ok(HostAnswer::Now(Ok(vec![host::object(fields)])))
    }

    /// Returns the connection that a method was called on.
    pub(super) fn connection_of(&self, args: &[Data]) -> Result<(u8, NodeId), Data> {
        let number = match args.first().and_then(|this| this.get(&Data::str("number"))) {
            Some(Data::Num(number)) => *number as usize,
            _ => return Err(Data::str("call it with a colon: connection:call(\"GET\", \"key\")")),
        };
        match self.connections.get(number) {
            Some(connection) => Ok((number as u8, connection.node)),
            None => Err(Data::str("there is no such connection")),
        }
    }

    /// Returns the name of the shared connection that `call` uses; `None` if it uses none.
    pub fn shares(&self, call: &Call) -> Option<&Bytes> {
        self.connections.get(usize::from(call.connection()?))?.shared.as_ref()
    }

    /// Returns true if its call, made or to be made, uses a shared connection.
    pub(super) fn is_on_shared(&self) -> bool {
        self.call().is_some_and(|call| self.shares(call).is_some())
    }
}

impl World {
    pub fn shared(&self) -> &Rc<SharedConnections> {
        &self.shared
    }

    fn shared_name(&self, id: ClientId, number: u8) -> Option<Name> {
        let one = self.client(id)?.connections().get(usize::from(number))?;
        Some((self.process(id), one.node, one.shared.clone()?))
    }

    fn name_of(&self, id: ClientId, call: &Call) -> Option<Name> {
        self.shared_name(id, call.connection()?)
    }

    fn shared_of(&self, id: ClientId, call: &Call) -> Option<&Shared> {
        self.shared.0.get(&self.name_of(id, call)?)
    }

    /// Returns the id of a client's connection on any instance: see [`conn_id`].
    pub fn conn_of(&self, id: ClientId, number: u8) -> ConnId {
        match self.shared_name(id, number) {
            Some(name) => shared_conn(self.shared.number(&name)),
            None => conn_id(id, number),
        }
    }

    /// Returns the connection as all that share it know it: for a shared one the first client of
    /// the process, and a number beyond those of its own ones.
    pub fn line_of(&self, id: ClientId, number: u8) -> (ClientId, u8) {
        let Some(name) = self.shared_name(id, number) else { return (id, number) };
        let first = self.setting.members(name.0).first().copied().unwrap_or(id);
        (first, super::CONNECTIONS_MAX as u8 + self.shared.number(&name))
    }

    /// Returns the shared connections that are open, as [`World::line_of`] knows them.
    pub fn shared_lines(&self) -> Vec<(ClientId, u8)> {
        let line = |(name, one): (&Name, &Shared)| {
            let first = self.setting.members(name.0).first()?;
            Some((*first, super::CONNECTIONS_MAX as u8 + one.number))
        };
        self.shared.0.iter().filter_map(line).collect()
    }

    /// Notes that a connection is used; the server's side of it is opened elsewhere.
    pub(super) fn use_shared(&mut self, id: ClientId, number: u8) {
        let Some(name) = self.shared_name(id, number) else { return };
        if !self.shared.0.contains_key(&name) {
            let new = Shared { number: self.shared.number(&name), ..Shared::default() };
            Rc::make_mut(&mut self.shared).0.insert(name, new);
        }
    }

    /// Returns the messages that wait on a client's connection.
    pub(super) fn inbox_mut(&mut self, id: ClientId, number: u8) -> Option<&mut VecDeque<Value>> {
        match self.shared_name(id, number) {
            Some(name) if self.shared.0.contains_key(&name) => {
                Rc::make_mut(&mut self.shared).0.get_mut(&name).map(|one| &mut one.inbox)
            }
            Some(_) => None,
            None => self.client_mut(id).connection_mut(number).map(|one| &mut one.inbox),
        }
    }

    /// Takes the oldest message that has arrived on a client's connection.
    pub(super) fn take_message(&mut self, id: ClientId, number: u8) -> Option<Value> {
        match self.shared_name(id, number) {
            Some(_) => self.inbox_mut(id, number)?.pop_front(),
            None => self.client_mut(id).connection_mut(number)?.take(),
        }
    }

    /// Returns the client whose use of a shared connection keeps `id` from making its call.
    pub(super) fn kept_off(&self, id: ClientId, call: &Call) -> Option<ClientId> {
        let name = self.name_of(id, call)?;
        if let CallKind::Receive { .. } = call.kind {
            return self.receiver(&name).filter(|other| *other != id);
        }
        let one =
            self.shared.0.get(&name).filter(|_| !matches!(call.kind, CallKind::Close { .. }))?;
        one.owed.or_else(|| one.pipe.front().copied().filter(|other| *other != id))
    }

    /// Returns true if a reply is left on the connection of this call, or will be. After a call
    /// that got one, the client got an older reply than its own.
    pub fn leaves_unread(&self, id: ClientId, call: &Call) -> bool {
        let shared = self.shared_of(id, call);
        shared.is_some_and(|one| one.owed.is_some() || one.unread().is_some())
    }

    /// Returns true if the next call like this one would take a reply that another left unread.
    fn takes_older(&self, id: ClientId, call: &Call) -> bool {
        self.shared_of(id, call).is_some_and(|one| one.unread().is_some())
    }

    /// Returns the client that waits for a message of this connection.
    fn receiver(&self, name: &Name) -> Option<ClientId> {
        self.setting.members(name.0).iter().copied().find(|id| {
            matches!(self.client(*id).map(Client::state), Some(State::Receiving { call, .. })
                if self.name_of(*id, call).as_ref() == Some(name))
        })
    }

    /// Returns true if all commands that were sent before this one on its connection are executed.
    pub(super) fn may_execute(&self, id: ClientId, call: &Call) -> bool {
        let shared = self.shared_of(id, call);
        if shared.is_some_and(|one| one.owed.is_some()) {
            return false;
        }
        let before = shared.map(|one| &one.pipe).into_iter().flatten();
        let is_executed = |id: &ClientId| {
            matches!(self.client(*id).map(Client::state), Some(State::Answered(..)))
        };
        before.take_while(|other| **other != id).all(is_executed)
    }

    /// Returns true if all replies that come before this one on its connection have arrived.
    pub(super) fn may_arrive(&self, id: ClientId, call: &Call) -> bool {
        let at = self.shared_of(id, call).and_then(|one| one.pipe.iter().position(|on| *on == id));
        at.is_none_or(|at| at == 0)
    }

    /// Notes that the call of `id` is under way on a shared connection.
    pub(super) fn enter_pipe(&mut self, id: ClientId, call: &Call) {
        if let Some(connection) = call.connection() {
            self.use_shared(id, connection);
        }
        if self.shared_of(id, call).is_some_and(|one| !one.pipe.contains(&id)) {
            self.with_pipe(id, call, |pipe| pipe.push_back(id));
        }
    }

    /// Notes that it is no longer.
    pub(super) fn leave_pipe(&mut self, id: ClientId, call: &Call) {
        if self.shared_of(id, call).is_some_and(|one| one.pipe.contains(&id)) {
            self.with_pipe(id, call, |pipe| pipe.retain(|other| *other != id));
        }
    }

    fn with_pipe(&mut self, id: ClientId, call: &Call, with: impl FnOnce(&mut VecDeque<ClientId>)) {
        let Some(name) = self.name_of(id, call) else { return };
        if let Some(one) = Rc::make_mut(&mut self.shared).0.get_mut(&name) {
            with(&mut one.pipe);
        }
    }

    /// Returns the client that gets what the server sent on a shared connection, and the number of
    /// the connection there. A reply to a call that its client left behind is for none.
    pub(super) fn shared_receiver(
        &mut self,
        conn: ConnId,
        is_message: bool,
    ) -> Option<(ClientId, u8)> {
        let number = shared_number(conn)?;
        let (name, one) = self.shared.0.iter().find(|(_, one)| one.number == number)?;
        let name = name.clone();
        if is_message {
            let number_of = |id: ClientId| {
                let count = self.client(id)?.connections().len() as u8;
                (0..count).find(|at| self.shared_name(id, *at).as_ref() == Some(&name))
            };
            let waits = self
                .receiver(&name)
                .filter(|id| self.client(*id).is_some_and(|client| client.paused().is_none()));
            let members = self.setting.members(name.0).iter().copied();
            let alive = members.filter(|id| self.client(*id).is_some_and(|one| !one.is_over()));
            return waits.into_iter().chain(alive).find_map(|id| Some((id, number_of(id)?)));
        }
        let waits = |id: &ClientId| match self.client(*id).map(Client::state) {
            Some(State::Blocked(call)) if self.name_of(*id, call).as_ref() == Some(&name) => {
                Some((*id, call.connection()?))
            }
            _ => None,
        };
        let found = one.pipe.iter().find_map(waits);
        if found.is_none() {
            self.drop_left(&name);
        }
        found
    }

    /// Returns the reply that a client gets whose call was executed: the oldest one on its
    /// connection. `own`: what Redis answered, if it did; `held`: it holds the reply back.
    pub(super) fn first_reply(
        &mut self,
        id: ClientId,
        call: &Call,
        own: Option<Value>,
        held: bool,
    ) -> Option<Value> {
        if !self.takes_older(id, call) {
            return own;
        }
        self.leave_unread(id, call, own, held);
        let one = self.shared_of_mut(id, call)?;
        one.unread().and_then(|at| one.inbox.remove(at))
    }

    /// Leaves the reply to a call, which has come or is held back, on the connection.
    pub(super) fn leave_unread(
        &mut self,
        id: ClientId,
        call: &Call,
        own: Option<Value>,
        held: bool,
    ) {
        let Some(one) = self.shared_of_mut(id, call) else { return };
        one.inbox.extend(own);
        one.owed = one.owed.or(held.then_some(id));
    }

    fn shared_of_mut(&mut self, id: ClientId, call: &Call) -> Option<&mut Shared> {
        let name = self.name_of(id, call)?;
        Rc::make_mut(&mut self.shared).0.get_mut(&name)
    }

    /// Keeps the reply to a command that Redis held back and for which no client waits. Returns
    /// false if there is no such command on this connection.
    pub(super) fn keep_owed(&mut self, conn: ConnId, reply: &Value) -> bool {
        let Some(number) = shared_number(conn) else { return false };
        let is_owed = |one: &Shared| one.number == number && one.owed.is_some();
        if !self.shared.0.values().any(is_owed) {
            return false;
        }
        let mut all = Rc::make_mut(&mut self.shared).0.values_mut();
        if let Some(one) = all.find(|one| is_owed(one)) {
            one.owed = None;
            one.inbox.push_back(reply.clone());
        }
        true
    }

    /// Returns the reason why a client cannot give up its call.
    pub(super) fn may_give_up(&self, id: ClientId) -> Result<(), Impossible> {
        let client = self.existing(id)?;
        if client.paused().is_some() {
            return Err(Impossible::Paused(id));
        }
        let Some(call) = client.call().filter(|call| client.shares(call).is_some()) else {
            return Err(Impossible::NotNow);
        };
        let CallKind::Redis { node, argv, .. } = &call.kind else { return Err(Impossible::NotNow) };
        let is_wait = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"WAIT"));
        let wire = self.setting.wire;
        let may = match client.state() {
            State::Ready(_) => {
                self.is_free(id, call)?;
                !wire && self.is_up(self.serving(*node))
            }
            State::Answered(..) => wire,
            State::Blocked(_) => true,
            _ => false,
        };
        if may && !is_wait { Ok(()) } else { Err(Impossible::NotNow) }
    }

    /// Lets a client give up its call: its program gets an error, and the reply stays on the
    /// connection.
    pub(super) fn cancel(&mut self, id: ClientId, log: &mut Log) -> Event {
        let other = Event::Other(Action::Cancel(id));
        self.set_held(id, 0);
        let Some(call) = self.client(id).and_then(Client::call).cloned() else { return other };
        let event = match self.clients[id.index()].state.clone() {
            State::Ready(_) => {
                let reply = self.execute(id, &call, Ending::GivenUp, log);
                return Event::Call { client: id, call, reply, lost: true };
            }
            State::Answered(_, reply) => {
                self.pass_back(id, &call, reply);
                other
            }
            _ => {
                self.leave_unread(id, &call, None, true);
                other
            }
        };
        self.leave_pipe(id, &call);
        self.hand_over(id, call.protected, &Value::error(CANCELLED), log);
        event
    }

    /// Leaves a reply that has arrived (in wire mode) to the next client in the pipe, and its reply
    /// to the one after it; the last one's stays on the connection.
    fn pass_back(&mut self, id: ClientId, call: &Call, reply: Value) {
        let pipe = self.shared_of(id, call).map(|one| one.pipe.clone()).unwrap_or_default();
        if !pipe.contains(&id) {
            // The connection broke before.
            return;
        }
        let mut carried = reply;
        for next in pipe.into_iter().skip_while(|other| *other != id).skip(1) {
            match &mut self.client_mut(next).state {
                State::Answered(_, reply) => std::mem::swap(reply, &mut carried),
                State::Blocked(held) => {
                    let held = held.clone();
                    self.client_mut(next).state = State::Answered(held.clone(), carried);
                    return self.leave_unread(next, &held, None, true);
                }
                _ => break,
            }
        }
        if let Some(one) = self.shared_of_mut(id, call) {
            one.inbox.insert(one.unread().unwrap_or(one.inbox.len()), carried);
        }
    }

    /// Closes a connection from the client's side. The next call on it opens another one.
    pub(super) fn close(&mut self, id: ClientId, call: &Call, log: &mut Log) {
        let Some(connection) = call.connection() else { return };
        let conn = self.conn_of(id, connection);
        for node in self.nodes.iter_mut().filter(|node| node.instance.conn(conn).is_some()) {
            Rc::make_mut(node).instance.disconnect(conn);
        }
        match self.shared_name(id, connection) {
            Some(name) => {
                self.break_shared(id, call, log);
                Rc::make_mut(&mut self.shared).0.remove(&name);
            }
            None => {
                if let Some(one) = self.client_mut(id).connection_mut(connection) {
                    one.clear();
                }
            }
        }
    }

    /// Forgets what was on a connection that broke: the calls, but for those on their way (in wire
    /// mode), and the replies that were not read.
    fn forget_unread(&mut self, name: &Name) {
        let Some(one) = self.shared.0.get(name) else { return };
        let is_on_its_way = |id: &ClientId| {
            matches!(self.client(*id).map(Client::state), Some(State::Sent(call))
                if self.name_of(*id, call).as_ref() == Some(name))
        };
        let mut new = one.clone();
        new.pipe.retain(is_on_its_way);
        new.inbox.retain(is_message);
        new.owed = None;
        if new != *one {
            Rc::make_mut(&mut self.shared).0.insert(name.clone(), new);
        }
    }

    /// Forgets the calls on a connection that crashed clients have left behind.
    fn drop_left(&mut self, name: &Name) {
        let Some(one) = self.shared.0.get(name) else { return };
        let uses = |id: &ClientId| {
            let call = self.client(*id).and_then(Client::call);
            call.is_some_and(|call| self.name_of(*id, call).as_ref() == Some(name))
        };
        let left: VecDeque<ClientId> = one.pipe.iter().copied().filter(uses).collect();
        if left != one.pipe
            && let Some(one) = Rc::make_mut(&mut self.shared).0.get_mut(name)
        {
            one.pipe = left;
        }
    }

    /// Notes that an instance has cut its connections: what was left behind there is gone.
    pub(super) fn cut_shared(&mut self, at: NodeId) {
        let cut = |name: &&Name| self.serving(name.1) == at;
        let cut: Vec<Name> = self.shared.0.keys().filter(cut).cloned().collect();
        cut.iter().for_each(|name| self.forget_unread(name));
    }

    /// Gives every other client that waits for something on a shared connection an error, because
    /// it broke.
    pub(super) fn break_shared(&mut self, id: ClientId, call: &Call, log: &mut Log) {
        let Some(name) = self.name_of(id, call) else { return };
        for other in self.setting.members(name.0).to_vec() {
            let call = match self.client(other).map(Client::state) {
                Some(
                    State::Sent(call)
                    | State::Blocked(call)
                    | State::Waiting(call, _)
                    | State::Answered(call, _)
                    | State::Receiving { call, .. },
                ) if other != id && self.name_of(other, call).as_ref() == Some(&name) => {
                    call.clone()
                }
                _ => continue,
            };
            let error = self.lost(&call);
            self.settle(other, &call, error, log);
        }
        self.forget_unread(&name);
    }

    /// Returns the clients that wait on a connection that the server has closed.
    pub(super) fn waiting_on(&self, conn: ConnId) -> Vec<ClientId> {
        let waits = |id: &ClientId| {
            matches!(self.client(*id).map(Client::state),
                Some(State::Blocked(call) | State::Receiving { call, .. })
                    if call.connection().is_some_and(|at| self.conn_of(*id, at) == conn))
        };
        self.everybody().filter(waits).collect()
    }

    /// Notes that a connection is closed: calls that were left behind on it are gone.
    pub(super) fn forget_left(&mut self, conn: ConnId) {
        let Some(number) = shared_number(conn) else { return };
        let of = self.shared.0.iter().find(|(_, one)| one.number == number);
        if let Some(name) = of.map(|(name, _)| name.clone()) {
            self.forget_unread(&name);
        }
    }

    /// Takes a client that crashes off the shared connections; a command that blocks stays.
    pub(super) fn leave_shared(&mut self, id: ClientId) {
        let Some(call) = self.client(id).and_then(Client::call).cloned() else { return };
        if !matches!(self.client(id).map(Client::state), Some(State::Blocked(_))) {
            self.leave_pipe(id, &call);
        }
    }

    /// Closes the shared connections of a process of which every client is over.
    pub(super) fn close_shared(&mut self, process: ProcessId) {
        let own = |(name, _): &(&Name, &Shared)| name.0 == process;
        let conns: Vec<ConnId> =
            self.shared.0.iter().filter(own).map(|(_, one)| shared_conn(one.number)).collect();
        if conns.is_empty() {
            return;
        }
        for conn in conns {
            for node in self.nodes.iter_mut().filter(|n| n.instance.conn(conn).is_some()) {
                Rc::make_mut(node).instance.disconnect(conn);
            }
        }
        Rc::make_mut(&mut self.shared).0.retain(|name, _| name.0 != process);
    }
}
