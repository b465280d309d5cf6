//! What follows a wait: a sleep, a time limit, a late reply, a message, and what a program is told
//! of a message.
//!
//! Where clients are prompt, a client whose wait is over goes on in the same step. Where it may be
//! slow ([`Scenario::slow_ms`](super::Scenario)), or in a pause that ends, it is ready to wake
//! ([`CallKind::Wake`]), which is a step of its own: time may pass before it. Where clients may be
//! slow, a program that reads the clock before its first call begins with such a step, too
//! ([`World::start`]); where clients may begin late
//! ([`Scenario::starts_within_ms`](super::Scenario)), so does every program.
//!
//! Absent: the wait for a mutex, which is a step in any case; and a pause before a program begins.

use crate::engine::reply_to_lua;
use crate::lua::Data;
use crate::resp::{Proto, Value};

use super::action::ClientId;
use super::apply::Log;
use super::client::{Call, CallKind, Client, State, Woken};
use super::faults::aims_at;
use super::world::World;

impl World {
    /// Returns true if the next step of the client is to wake.
    pub fn wakes(&self, id: ClientId) -> bool {
        let call = self.client(id).and_then(Client::ready);
        call.is_some_and(|call| matches!(call.kind, CallKind::Wake(_)))
    }

    /// Returns for how many ms time may still pass although the client can go on.
    pub(super) fn patience_ms(&self, id: ClientId) -> u64 {
        let held_ms = u64::from(self.clients[id.index()].held_ms);
        let most_ms = u64::from(self.setting.slow_ms) + u64::from(self.late_ms(id));
        most_ms.saturating_sub(held_ms)
    }

    /// Returns how late the client may begin, if it has not begun; else 0.
    pub(super) fn late_ms(&self, id: ClientId) -> u32 {
        let next = self.client(id).and_then(Client::ready).map(|call| &call.kind);
        let begins = matches!(next, Some(CallKind::Wake(Woken::Start)));
        if begins { self.setting.starts_within_ms } else { 0 }
    }

    /// Returns true if the client may be late when it wakes.
    pub(super) fn may_be_late(&self, id: ClientId) -> bool {
        let pauses_end = self.budget.pause_ms > 0 && aims_at(self.budget.pause_of, &[id]);
        self.setting.slow_ms > 0 || pauses_end
    }

    /// Ends the wait of a client: it goes on at once, or, where it may be late and it is not its
    /// turn, by a step. `call`: what it waited in, `None` for a sleep.
    pub(super) fn end(&mut self, id: ClientId, call: Option<&Call>, woken: Woken, log: &mut Log) {
        let protected = call.is_some_and(|call| call.protected);
        if !self.may_be_late(id) || log.turn == Some(id) {
            return self.go_on(id, protected, &woken, log);
        }
        let line = || self.clients[id.index()].vm().line().unwrap_or_default();
        let line = call.map_or_else(line, |call| call.line);
        let call = Call { kind: CallKind::Wake(woken), line, protected };
        self.client_mut(id).state = State::Ready(call);
    }

    /// Lets a client go on whose wait is over.
    pub(super) fn go_on(&mut self, id: ClientId, protected: bool, woken: &Woken, log: &mut Log) {
        match woken {
            Woken::Start => self.run(id, log, |client, around, trace| client.run(around, trace)),
            Woken::Time => self.answer(id, Ok(vec![]), log),
            Woken::Message(message) => self.answer(id, Ok(vec![message_to_lua(message)]), log),
            Woken::Reply(reply) => self.hand_over(id, protected, reply, log),
        }
    }
}

/// Returns `{kind =, channel =, payload =}`, and for a pattern's message also `pattern`. The
/// payload of an invalidation is a list of keys, or nil for all. A reply that was given up is what
/// `pcall` returns.
pub(super) fn message_to_lua(message: &Value) -> Data {
    let Value::Push(parts) = message else { return reply_to_lua(message, Proto::Resp2) };
    let names: &[&str] = match parts.len() {
        4 => &["kind", "pattern", "channel", "payload"],
        2 => &["kind", "payload"],
        _ => &["kind", "channel", "payload"],
    };
    let fields = names.iter().zip(parts).map(|(name, part)| {
        let value = match part {
            Value::Bulk(bytes) => Data::Str(bytes.clone()),
            Value::Array(_) => reply_to_lua(part, Proto::Resp2),
            _ => Data::Nil,
        };
        (Data::str(name), value)
    });
    Data::Table(fields.collect())
}
