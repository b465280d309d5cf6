//! CLIENT TRACKING, the server's side of client-side caching: tells connections that keys they
//! have read, or whose prefix they have named (BCAST), have changed.
//!
//! As in Redis, the table of readers knows no databases; a change tells each reader of the key
//! once, until it reads the key again; a connection is told of its own changes after the reply;
//! and BCAST tells all keys that a command, transaction or script has changed in one message for
//! each prefix.
//!
//! DIFFERENCE: Redis sends the messages of BCAST once per round of its event loop, so a pipeline's
//! changes may come in one message; here each command sends its own. Where `PREFIX` names
//! overlapping prefixes after the first, Redis replies with an error and `OK` and tracks; here it
//! is an error only. Redis writes the null of FLUSHALL in the protocol of the tracking connection;
//! here it is written in that of the connection that is told. When the table is full, Redis
//! forgets keys at random; here the first in order go, so that equal instances behave equally.

use std::rc::Rc;

use super::access::Use;
use super::command::{Command, Flags, Group};
use super::footprint::key_uses;
use super::memory::ARG_BYTES;
use super::{ConnId, Instance};
use ground::resp::{Bytes, Proto, Value};
use ground::sorted::{SortedMap, SortedSet};

/// The most keys in the table of readers, and the most bytes of their names, if the instance has a
/// memory bound.
pub const TRACKED_MAX: usize = 1_000;
pub const TRACKED_BYTES_MAX: usize = 256 * 1024;

/// The keys that a connection is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Those that it reads.
    #[default]
    Read,
    /// Those that it reads right after CLIENT CACHING YES.
    OptIn,
    /// Those that it reads, but for those right after CLIENT CACHING NO.
    OptOut,
    /// All that begin with one of its prefixes.
    Broadcast,
}

/// What a connection has asked for with CLIENT TRACKING ON.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Tracker {
    pub mode: Mode,
    /// It is not told of its own changes.
    pub no_loop: bool,
    /// The connection that is told in its place.
    pub redirect: Option<ConnId>,
    /// That connection was gone when it had to be told.
    pub is_broken: bool,
    pub prefixes: SortedSet<Bytes>,
}

/// What an instance remembers for its tracking connections.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Tracking {
    /// For each key the connections that have read it and were not told since. A connection stays
    /// listed after CLIENT TRACKING OFF.
    readers: SortedMap<Bytes, SortedSet<ConnId>>,
    /// What the running command's own connection is told after its reply; `None` is all keys.
    later: Vec<(ConnId, Option<Bytes>)>,
    /// The keys that the running command has changed and that have a prefix of BCAST, each with
    /// the connection that was the last to change it; `None` for an expiry or a script.
    changed: SortedMap<Bytes, Option<ConnId>>,
}

impl Tracking {
    pub fn is_empty(&self) -> bool {
        self.readers.is_empty() && !self.has_news()
    }

    pub fn keys(&self) -> usize {
        self.readers.len()
    }

    /// Returns the number of pairs of a key and a reader.
    pub fn items(&self) -> usize {
        self.readers.values().map(SortedSet::len).sum()
    }

    /// Returns true if something waits to be sent for the running command.
    pub fn has_news(&self) -> bool {
        !self.later.is_empty() || !self.changed.is_empty()
    }

    /// Returns the bytes of the table, by the estimate of `memory`.
    pub fn bytes(&self) -> u64 {
        self.readers.keys().map(|key| key.len() as u64 + ARG_BYTES).sum()
    }
}

impl Instance {
    fn tracker(&self, conn: ConnId) -> Option<&Tracker> {
        let at = self.conn_index(conn)?;
        self.conns[at].1.tracking.as_deref()
    }

    /// Returns the connections that have tracking on.
    pub(super) fn tracking_conns(&self) -> impl Iterator<Item = (ConnId, &Tracker)> {
        self.conns.iter().filter_map(|(id, conn)| Some((*id, conn.tracking.as_deref()?)))
    }

    /// Switches tracking on or changes it.
    pub(super) fn track(&mut self, conn: ConnId, tracker: Tracker) {
        if let Some(target) = tracker.redirect {
            self.note(|access| access.reached.push(target));
            self.conn_mut(target).is_redirected_to = true;
        }
        let this = self.conn_mut(conn);
        let was_on = this.tracking.replace(Rc::new(tracker)).is_some();
        self.trackers += usize::from(!was_on);
    }

    #[inline(never)]
    pub(super) fn untrack(&mut self, conn: ConnId) {
        let this = self.conn_mut(conn);
        this.caches_next = false;
        if this.tracking.take().is_some() {
            self.trackers -= 1;
        }
    }

    /// Removes a connection that is gone from the table.
    #[inline(never)]
    pub(super) fn forget_reader(&mut self, conn: ConnId) {
        let lists_it = |(_, conns): (&Bytes, &SortedSet<ConnId>)| conns.contains(&conn);
        if self.tracking.readers.iter().any(lists_it) {
            let tracking = Rc::make_mut(&mut self.tracking);
            for conns in tracking.readers.values_mut() {
                conns.remove(&conn);
            }
            let idle = tracking.readers.iter().filter(|(_, conns)| conns.is_empty());
            for key in idle.map(|(key, _)| key.clone()).collect::<Vec<_>>() {
                tracking.readers.remove(&key);
            }
        }
    }

    /// Enters the keys that a command of `conn` names into the table, if `ran`, which is that
    /// command or one of its script, reads, and if the connection wants that.
    #[inline(never)]
    pub(super) fn remember_read(
        &mut self,
        conn: ConnId,
        ran: &Command,
        command: &Command,
        argv: &[Bytes],
    ) {
        if !ran.flags.has(Flags::READONLY)
            || ran.group == Group::Scripting
            || !self.wants_read(conn)
        {
            return;
        }
        for (key, _) in key_uses(command, argv) {
            self.note_key(0, &key, Use::Read);
            if self.tracking.readers.get(&key).is_some_and(|conns| conns.contains(&conn)) {
                continue;
            }
            self.use_room(key.len() as u64 + ARG_BYTES);
            Rc::make_mut(&mut self.tracking).readers.get_or_default(key).insert(conn);
        }
        self.keep_table_small();
    }

    fn wants_read(&self, conn: ConnId) -> bool {
        let this = self.conn_ref(conn);
        this.tracking.as_ref().is_some_and(|tracker| match tracker.mode {
            Mode::Read => true,
            Mode::OptIn => this.caches_next,
            Mode::OptOut => !this.caches_next,
            Mode::Broadcast => false,
        })
    }

    /// Forgets keys beyond the bounds of the table: their readers are told, as if they had changed.
    fn keep_table_small(&mut self) {
        let is_bounded = self.room.max > 0;
        let max = match self.settings.tracking_keys_max {
            0 => usize::MAX,
            max => max,
        };
        let max = if is_bounded { max.min(TRACKED_MAX) } else { max };
        let bytes = |this: &Self| this.tracking.readers.keys().map(|key| key.len()).sum::<usize>();
        let is_over = |this: &Self, part: usize| {
            this.tracking.readers.len() > max / part
                || is_bounded && bytes(this) > TRACKED_BYTES_MAX / part
        };
        if self.access.is_some() && is_over(self, 2) {
            // Which key goes depends on all that were read.
            self.note(|access| access.everything = true);
        }
        while is_over(self, 1) {
            let Some(key) = self.tracking.readers.keys().next().cloned() else { return };
            self.tell_readers(&key);
        }
    }

    /// Records a change of `key` for those that track it.
    #[inline(never)]
    pub(super) fn invalidate(&mut self, key: &Bytes) {
        if self.trackers > 0 {
            // The table knows no databases: the key of database 0 stands for all.
            self.note_key(0, key, Use::Write);
            let has_prefix =
                |tracker: &Tracker| tracker.prefixes.iter().any(|prefix| key.starts_with(prefix));
            if self.tracking_conns().any(|(_, tracker)| has_prefix(tracker)) {
                let by = self.changing;
                Rc::make_mut(&mut self.tracking).changed.insert(key.clone(), by);
            }
        }
        self.tell_readers(key);
    }

    fn tell_readers(&mut self, key: &Bytes) {
        if !self.tracking.readers.contains_key(key) {
            return;
        }
        let readers = Rc::make_mut(&mut self.tracking).readers.remove(key).unwrap_or_default();
        for conn in readers.iter().copied() {
            let Some(tracker) = self.tracker(conn) else { continue };
            let is_own = self.running == Some(conn);
            if tracker.mode == Mode::Broadcast || tracker.no_loop && is_own {
                continue;
            }
            match is_own {
                true => Rc::make_mut(&mut self.tracking).later.push((conn, Some(key.clone()))),
                false => self.tell(conn, Some(vec![key.clone()])),
            }
        }
    }

    /// Empties the table, and tells all tracking connections that all keys are gone.
    pub(super) fn invalidate_all(&mut self) {
        if !self.tracking.readers.is_empty() {
            Rc::make_mut(&mut self.tracking).readers.clear();
        }
        for conn in self.tracking_conns().map(|(id, _)| id).collect::<Vec<_>>() {
            match self.running == Some(conn) {
                true => Rc::make_mut(&mut self.tracking).later.push((conn, None)),
                false => self.tell(conn, None),
            }
        }
    }

    /// Tells connections what their own command, which is over, has changed.
    #[inline(never)]
    pub(super) fn tell_own_changes(&mut self) {
        if self.script.is_some() {
            return;
        }
        for (conn, key) in std::mem::take(&mut Rc::make_mut(&mut self.tracking).later) {
            self.tell(conn, key.map(|key| vec![key]));
        }
    }

    /// Sends the messages of BCAST after a command, for each prefix in order.
    #[inline(never)]
    pub(super) fn broadcast_changes(&mut self) {
        if self.script.is_some() {
            return;
        }
        let changed = std::mem::take(&mut Rc::make_mut(&mut self.tracking).changed);
        let mut messages = Vec::new();
        for (conn, tracker) in self.tracking_conns() {
            for prefix in tracker.prefixes.iter() {
                let is_told = |by: &Option<ConnId>| !tracker.no_loop || *by != Some(conn);
                let keys =
                    changed.iter().filter(|(key, by)| key.starts_with(prefix) && is_told(by));
                let keys: Vec<Bytes> = keys.map(|(key, _)| key.clone()).collect();
                if !keys.is_empty() {
                    messages.push((prefix.clone(), conn, keys));
                }
            }
        }
        messages.sort();
        for (_, conn, keys) in messages {
            self.tell(conn, Some(keys));
        }
    }

    /// Sends an invalidation for `conn`; `None` is all keys.
    fn tell(&mut self, conn: ConnId, keys: Option<Vec<Bytes>>) {
        let Some(redirect) = self.tracker(conn).map(|tracker| tracker.redirect) else { return };
        self.note(|access| access.reached.extend([conn].into_iter().chain(redirect)));
        let to = redirect.unwrap_or(conn);
        let Some(at) = self.conn_index(to).filter(|at| !self.conns[*at].1.is_closed) else {
            return self.tell_broken(conn, to);
        };
        let target = &self.conns[at].1;
        let keys = keys
            .map_or(Value::Null, |keys| Value::Array(keys.into_iter().map(Value::Bulk).collect()));
        let parts = match target.proto {
            Proto::Resp3 => vec![Value::bulk("invalidate"), keys],
            // Whatever it has subscribed to.
            Proto::Resp2 if redirect.is_some() && target.in_pubsub() => {
                vec![Value::bulk("message"), Value::bulk("__redis__:invalidate"), keys]
            }
            Proto::Resp2 => return,
        };
        self.push_message(to, parts);
    }

    fn tell_broken(&mut self, conn: ConnId, target: ConnId) {
        let this = self.conn_mut(conn);
        if let Some(tracker) = &mut this.tracking {
            Rc::make_mut(tracker).is_broken = true;
        }
        if this.proto == Proto::Resp3 {
            let name = Value::bulk("tracking-redir-broken");
            self.push_message(conn, vec![name, Value::Int(target.into())]);
        }
    }
}
