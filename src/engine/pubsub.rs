//! Channels, patterns and shard channels: subscriptions, and the delivery of messages.

use std::rc::Rc;

use super::access::Use;
use super::{ConnId, Instance, glob_match};
use ground::resp::{Bytes, Value};
use ground::sorted::{SortedMap, SortedSet};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    Channel,
    Pattern,
    Shard,
}

/// Subscribers by channel or pattern, in order of subscription.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct PubSub {
    subscribers: SortedMap<(Scope, Bytes), Vec<ConnId>>,
}

impl PubSub {
    pub fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    pub fn names(&self, scope: Scope) -> impl Iterator<Item = (&Bytes, &Vec<ConnId>)> {
        let of = self.subscribers.iter().filter(move |((s, _), _)| *s == scope);
        of.map(|((_, name), conns)| (name, conns))
    }

    pub fn count(&self, scope: Scope, name: &Bytes) -> usize {
        self.subscribers.get(&(scope, name.clone())).map_or(0, Vec::len)
    }
}

impl Instance {
    fn names_of(&mut self, conn: ConnId, scope: Scope) -> &mut SortedSet<Bytes> {
        let conn = self.conn_mut(conn);
        match scope {
            Scope::Channel => &mut conn.channels,
            Scope::Pattern => &mut conn.patterns,
            Scope::Shard => &mut conn.shard_channels,
        }
    }

    pub(super) fn subscribe(&mut self, conn: ConnId, scope: Scope, name: &Bytes) {
        if self.names_of(conn, scope).insert(name.clone()) {
            let subscribers = &mut Rc::make_mut(&mut self.pubsub).subscribers;
            subscribers.get_or_default((scope, name.clone())).push(conn);
        }
    }

    pub(super) fn unsubscribe(&mut self, conn: ConnId, scope: Scope, name: &Bytes) {
        if !self.names_of(conn, scope).remove(name) {
            return;
        }
        let subscribers = &mut Rc::make_mut(&mut self.pubsub).subscribers;
        let place = (scope, name.clone());
        if let Some(list) = subscribers.get_mut(&place) {
            list.retain(|id| *id != conn);
            if list.is_empty() {
                subscribers.remove(&place);
            }
        }
    }

    pub(super) fn unsubscribe_all(&mut self, conn: ConnId) {
        for scope in [Scope::Channel, Scope::Pattern, Scope::Shard] {
            for name in self.names_of(conn, scope).clone() {
                self.unsubscribe(conn, scope, &name);
            }
        }
    }

    /// Sends `message` to the subscribers of `channel`, then to those of matching patterns; returns
    /// their number.
    pub(super) fn publish(&mut self, channel: &Bytes, message: &Bytes) -> usize {
        self.note(|access| access.pubsub = access.pubsub.max(Some(Use::Read)));
        let pubsub = self.pubsub.clone();
        if pubsub.subscribers.is_empty() {
            return 0;
        }
        let mut receivers = 0;
        let bulk = |bytes: &Bytes| Value::Bulk(bytes.clone());
        for conn in pubsub.subscribers.get(&(Scope::Channel, channel.clone())).into_iter().flatten()
        {
            let parts = vec![Value::bulk("message"), bulk(channel), bulk(message)];
            self.push_message(*conn, parts);
            receivers += 1;
        }
        for (pattern, conns) in pubsub.names(Scope::Pattern) {
            if !glob_match(pattern, channel, false) {
                continue;
            }
            for conn in conns {
                let name = Value::bulk("pmessage");
                let parts = vec![name, bulk(pattern), bulk(channel), bulk(message)];
                self.push_message(*conn, parts);
                receivers += 1;
            }
        }
        receivers
    }

    pub(super) fn publish_shard(&mut self, channel: &Bytes, message: &Bytes) -> usize {
        self.note(|access| access.pubsub = access.pubsub.max(Some(Use::Read)));
        let pubsub = self.pubsub.clone();
        let conns = pubsub.subscribers.get(&(Scope::Shard, channel.clone()));
        for conn in conns.into_iter().flatten() {
            let bulk = |bytes: &Bytes| Value::Bulk(bytes.clone());
            let parts = vec![Value::bulk("smessage"), bulk(channel), bulk(message)];
            self.push_message(*conn, parts);
        }
        conns.map_or(0, Vec::len)
    }

    pub(super) fn push_message(&mut self, conn: ConnId, parts: Vec<Value>) {
        // CLIENT REPLY OFF silences replies to commands, not messages (they carry the push
        // flag in Redis).
        let message = Value::Push(parts);
        self.use_room(message.bytes());
        self.pushes.push((conn, message));
    }
}
