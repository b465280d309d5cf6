//! Calls whose reply or request is lost: the connection breaks, and the client gets an error.

use std::rc::Rc;

use super::action::{Action, ClientId};
use super::apply::{Ending, Log};
use super::client::{Call, CallKind, State};
use super::sql;
use super::world::{Event, World};
use crate::lua::Data;

impl World {
    /// Loses the reply to a call: it was executed, or is now.
    pub(super) fn lose_reply(&mut self, id: ClientId, log: &mut Log) -> Event {
        match self.clients[id.index()].state.clone() {
            State::Ready(call) => {
                let reply = match &call.kind {
                    CallKind::Sql(prepared) => Some(self.execute_sql(id, prepared, true, log)),
                    _ => self.execute(id, &call, Ending::Lost, log),
                };
                Event::Call { client: id, call, reply, lost: true }
            }
            State::Answered(call, _) => {
                self.lose_connection(id, &call, log);
                Event::Other(Action::LoseReply(id))
            }
            _ => Event::Other(Action::LoseReply(id)),
        }
    }

    /// Loses a call on its way to the server: it is not executed.
    pub(super) fn lose_request(&mut self, id: ClientId, log: &mut Log) -> Event {
        let (State::Ready(call) | State::Sent(call)) = self.clients[id.index()].state.clone()
        else {
            return Event::Other(Action::LoseRequest(id));
        };
        if let CallKind::Sql(_) = call.kind {
            self.end_transaction(id);
            self.answer(id, Err(Data::str(sql::LOST)), log);
        } else {
            self.use_shared(id, call.connection().unwrap_or_default());
            self.lose_connection(id, &call, log);
        }
        Event::Unheard { client: id, call }
    }

    /// Breaks the connection of `call`; the server forgets all about it, and the client gets an
    /// error.
    pub(super) fn lose_connection(&mut self, id: ClientId, call: &Call, log: &mut Log) {
        if let Some((node, connection)) = call.node().zip(call.connection()) {
            let conn = self.conn_of(id, connection);
            let node = &mut self.nodes[self.routes[node.index()].index()];
            Rc::make_mut(node).instance.disconnect(conn);
            self.leave_pipe(id, call);
            self.break_shared(id, call, log);
        }
        let error = self.lost(call);
        self.hand_over(id, call.protected, &error, log);
    }
}
