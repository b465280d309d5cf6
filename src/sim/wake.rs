//! What follows a wait: a sleep, a time limit, a late reply, a message.
//!
//! Where clients are prompt, a client whose wait is over goes on in the same step. Where they may
//! be slow ([`Scenario::slow_ms`](super::Scenario)), it is ready to wake ([`CallKind::Wake`]),
//! which is a step of its own: time may pass before it. A program that reads the clock before its
//! first call begins with such a step, too ([`World::start`]).
//!
//! Absent: the wait for a mutex, which is a step in any case.

use super::action::ClientId;
use super::apply::{Log, message_to_lua};
use super::client::{Call, CallKind, Client, State, Woken};
use super::world::World;

impl World {
    /// Returns true if the next step of the client is to wake.
    pub fn wakes(&self, id: ClientId) -> bool {
        let call = self.client(id).and_then(Client::ready);
        call.is_some_and(|call| matches!(call.kind, CallKind::Wake(_)))
    }

    /// Ends the wait of a client: it goes on at once, or, where clients may be slow and it is not
    /// its turn, by a step. `call`: what it waited in, `None` for a sleep.
    pub(super) fn end(&mut self, id: ClientId, call: Option<&Call>, woken: Woken, log: &mut Log) {
        let protected = call.is_some_and(|call| call.protected);
        if self.setting.slow_ms == 0 || log.turn == Some(id) {
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
