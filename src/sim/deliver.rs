//! What instances send to clients later than the call, or unasked: replies to commands that were
//! held back, and messages.

use std::rc::Rc;

use crate::engine::ConnId;
use crate::resp::Value;

use super::action::{ClientId, NodeId};
use super::apply::Log;
use super::check::Assumption;
use super::client::{Call, Client, INBOX_MAX, State, Woken};
use super::node::conn_owner;
use super::wake::message_to_lua;
use super::world::World;

impl World {
    pub(super) fn receive(
        &mut self,
        id: ClientId,
        call: &Call,
        connection: u8,
        timeout_ms: u64,
        log: &mut Log,
    ) -> Option<Value> {
        if let Some(message) = self.take_message(id, connection) {
            self.answer(id, Ok(vec![message_to_lua(&message)]), log);
            return Some(message);
        }
        if timeout_ms == 0 {
            self.answer(id, Ok(vec![]), log);
            return Some(Value::NilBulk);
        }
        let until_ms = self.now_ms + timeout_ms;
        self.client_mut(id).state = State::Receiving { call: call.clone(), until_ms };
        None
    }

    /// Ends the waits of clients whose connection a command has closed (CLIENT KILL).
    pub(super) fn notice_killed(&mut self, at: NodeId, log: &mut Log) {
        let killed = Rc::make_mut(&mut self.nodes[at.index()]).instance.take_closed();
        for conn in killed {
            for id in self.waiting_on(conn) {
                let Some(call) = self.client(id).and_then(Client::call).cloned() else { continue };
                let error = self.lost(&call);
                self.settle(id, &call, error, log);
            }
            self.forget_left(conn);
        }
    }

    /// Delivers the pushes of an instance to their clients: replies to commands that waited, and
    /// messages.
    pub(super) fn deliver(&mut self, pushes: Vec<(ConnId, Value)>, log: &mut Log) {
        for (conn, push) in pushes {
            if !is_message(&push) && self.keep_owed(conn, &push) {
                self.wake_receiver(conn, log);
                continue;
            }
            let to = conn_owner(conn).or_else(|| self.shared_receiver(conn, is_message(&push)));
            let Some((id, connection)) = to else { continue };
            let Some(client) = self.client(id) else { continue };
            if is_message(&push) && self.is_on_the_wire(id, connection) {
                self.put_in_inbox(id, connection, push, true);
                continue;
            }
            if log.watched {
                log.late.push((id, connection, push.clone()));
            }
            if id.is_console() {
                self.hear(id, push, log);
            } else if is_message(&push) {
                self.deliver_message(id, connection, push, log);
            } else if let State::Blocked(call) = client.state()
                && call.connection() == Some(connection)
            {
                let call = call.clone();
                self.settle(id, &call, push, log);
            }
        }
    }

    /// Gives a reply that no call waits for to the client that waits for a message there.
    fn wake_receiver(&mut self, conn: ConnId, log: &mut Log) {
        let waits = |id: &ClientId| {
            self.client(*id).is_some_and(|client| {
                matches!(client.state(), State::Receiving { .. }) && client.paused().is_none()
            })
        };
        for id in self.waiting_on(conn).into_iter().filter(waits).collect::<Vec<_>>() {
            let Some(call) = self.client(id).and_then(Client::call).cloned() else { continue };
            let connection = call.connection().unwrap_or_default();
            let inbox = self.inbox_mut(id, connection);
            let Some(reply) = inbox.and_then(|inbox| inbox.pop_front()) else { continue };
            if log.watched {
                log.late.push((id, connection, reply.clone()));
            }
            self.end(id, Some(&call), Woken::Message(reply), log);
        }
    }

    fn deliver_message(&mut self, id: ClientId, connection: u8, message: Value, log: &mut Log) {
        if let Some(touched) = &mut log.touched {
            touched.assumed.add(Assumption::Messages, self.setting.wire);
        }
        if let Some(call) = self.receives_on(id, connection) {
            return self.end(id, Some(&call), Woken::Message(message), log);
        }
        self.put_in_inbox(id, connection, message, false);
    }

    /// Returns the call in which a client waits for a message of this connection.
    fn receives_on(&self, id: ClientId, connection: u8) -> Option<Call> {
        let client = self.client(id).filter(|client| client.paused.is_none())?;
        match client.state() {
            State::Receiving { call, .. } if call.connection() == Some(connection) => {
                Some(call.clone())
            }
            _ => None,
        }
    }

    /// Adds a message to those of a connection, unless its client is over or there are too many.
    fn put_in_inbox(&mut self, id: ClientId, connection: u8, message: Value, is_under_way: bool) {
        if self.client(id).is_none_or(Client::is_over) {
            return;
        }
        let inbox = self.inbox_mut(id, connection);
        let Some(inbox) = inbox.filter(|inbox| inbox.len() < INBOX_MAX) else { return };
        inbox.push_back(message);
        if is_under_way && let Some(one) = self.client_mut(id).connection_mut(connection) {
            one.under_way += 1;
        }
    }

    /// Returns true if messages of this connection are under way for a while. Not those of a shared
    /// one, of a console, or of a crowd.
    fn is_on_the_wire(&self, id: ClientId, connection: u8) -> bool {
        let own = self.client(id).and_then(|one| one.connections().get(usize::from(connection)));
        let is_own = own.is_some_and(|one| one.shared.is_none()) && !id.is_console();
        self.setting.wire && !self.setting.is_crowd && is_own
    }

    /// Lets the oldest message under way arrive: the client takes it if it waits for one.
    pub(super) fn arrive(&mut self, id: ClientId, connection: u8, log: &mut Log) {
        let receives = self.receives_on(id, connection);
        let Some(one) = self.client_mut(id).connection_mut(connection) else { return };
        let at = one.inbox.len() - usize::from(one.under_way);
        one.under_way -= 1;
        let message = one.inbox.get(at).cloned();
        if log.watched {
            log.late.extend(message.map(|message| (id, connection, message)));
        }
        if let Some(call) = receives
            && let Some(message) = self.take_message(id, connection)
        {
            self.set_held(id, 0);
            self.end(id, Some(&call), Woken::Message(message), log);
        }
    }

    /// Lets the messages under way on the connection of a call arrive: what ends the call comes
    /// behind them. Returns true if the client waited for one, and goes on with it.
    pub(super) fn arrive_before(&mut self, id: ClientId, call: &Call, log: &mut Log) -> bool {
        let Some(connection) = call.connection() else { return false };
        // Behind a reply that is there already, they came later.
        let client = self.client(id).filter(|one| !matches!(one.state, State::Answered(..)));
        let own = client.and_then(|one| one.connections().get(usize::from(connection)));
        let count = own.map_or(0, |one| one.under_way);
        let receives = count > 0 && self.receives_on(id, connection).is_some();
        for _ in 0..count {
            self.arrive(id, connection, log);
        }
        receives
    }
}

/// Returns true for a message of a channel or of CLIENT TRACKING; false for an acknowledgement or a
/// late reply.
pub(super) fn is_message(push: &Value) -> bool {
    let Value::Push(parts) = push else { return false };
    let kinds: [&[u8]; 5] =
        [b"message", b"pmessage", b"smessage", b"invalidate", b"tracking-redir-broken"];
    matches!(parts.first(), Some(Value::Bulk(kind)) if kinds.contains(&kind.as_ref()))
}
