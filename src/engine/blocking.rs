//! Blocking commands: the clients that wait for each key, their order, and their timeouts.
//!
//! As in Redis 7.0, a key that is created while clients wait for it is recorded as ready. When the
//! command (or transaction, or script) is over, the clients are served by trying their commands
//! again on that key alone, longest wait first.

use std::rc::Rc;

use super::access::Use;
use super::context::BlockRequest;
use super::pause::Pause;
use super::value::{Data, Kind};
use super::{ConnId, Instance};
use ground::resp::{Bytes, Value};
use ground::sorted::{SortedMap, SortedSet};

/// The event that a blocked client waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockedOn {
    List,
    ZSet,
    Stream,
    /// A stream read for a consumer group, which also ends when the group is deleted.
    Group,
    /// Only its timeout: WAIT without replicas.
    Time,
    /// The end of a CLIENT PAUSE.
    Pause,
    /// The end of its own script, which keeps the instance busy.
    Script,
}

impl BlockedOn {
    fn kind(self) -> Option<Kind> {
        match self {
            BlockedOn::List => Some(Kind::List),
            BlockedOn::ZSet => Some(Kind::ZSet),
            BlockedOn::Stream | BlockedOn::Group => Some(Kind::Stream),
            BlockedOn::Time | BlockedOn::Pause | BlockedOn::Script => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Blocked {
    pub on: BlockedOn,
    pub db: usize,
    pub keys: Vec<Bytes>,
    pub argv: Rc<[Bytes]>,
    pub timeout_at_ms: Option<u64>,
    /// The reply if the timeout passes first.
    pub on_timeout: Value,
}

/// For each key the connections that wait for it, longest wait first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Waiting {
    queues: SortedMap<(usize, Bytes), Vec<ConnId>>,
    /// `(timeout, client)`, sorted, to find the earliest.
    timeouts: SortedSet<(u64, ConnId)>,
    pub pause: Option<Pause>,
}

impl Waiting {
    pub fn is_empty(&self) -> bool {
        self.queues.is_empty() && self.timeouts.is_empty()
    }

    /// Returns the timeout of each wait.
    pub fn ends(&self) -> impl Iterator<Item = u64> {
        self.timeouts.iter().map(|(at, _)| *at)
    }

    /// Moves the timeouts of all waits.
    pub fn shift_ms(&mut self, by: i64) {
        for (at, conn) in std::mem::take(&mut self.timeouts).iter() {
            self.timeouts.insert((at.saturating_add_signed(by), *conn));
        }
    }
}

impl Instance {
    /// Makes `conn` wait with its command.
    pub(super) fn start_waiting(
        &mut self,
        conn: ConnId,
        db: usize,
        argv: Rc<[Bytes]>,
        request: BlockRequest,
        on_timeout: Value,
    ) {
        debug_assert!(self.conn_ref(conn).blocked.is_none(), "{conn} waits for two things");
        for key in &request.keys {
            self.note_key(db, key, Use::Write);
        }
        let waiting = Rc::make_mut(&mut self.waiting);
        for key in &request.keys {
            let queue = waiting.queues.get_or_default((db, key.clone()));
            if !queue.contains(&conn) {
                queue.push(conn);
            }
        }
        if let Some(at) = request.timeout_at_ms {
            waiting.timeouts.insert((at, conn));
        }
        self.conn_mut(conn).blocked = Some(Blocked {
            on: request.on,
            db,
            keys: request.keys,
            argv,
            timeout_at_ms: request.timeout_at_ms,
            on_timeout,
        });
    }

    /// Ends the wait of `conn`, for whatever reason.
    pub(super) fn stop_waiting(&mut self, conn: ConnId) -> Option<Blocked> {
        self.conn_ref(conn).blocked.as_ref()?;
        let blocked = self.conn_mut(conn).blocked.take()?;
        let waiting = Rc::make_mut(&mut self.waiting);
        // The worlds in which a search tries a step may lack the queues of an instance.
        let is_whole = !waiting.is_empty();
        let is_queued = |key: &Bytes| {
            let queue = waiting.queues.get(&(blocked.db, key.clone()));
            queue.is_some_and(|queue| queue.iter().filter(|id| **id == conn).count() == 1)
        };
        debug_assert!(
            !is_whole || blocked.keys.iter().all(is_queued),
            "{conn} is not in its queues, once each"
        );
        for key in &blocked.keys {
            let place = (blocked.db, key.clone());
            if let Some(queue) = waiting.queues.get_mut(&place) {
                queue.retain(|id| *id != conn);
                if queue.is_empty() {
                    waiting.queues.remove(&place);
                }
            }
        }
        if let Some(at) = blocked.timeout_at_ms {
            let was_there = waiting.timeouts.remove(&(at, conn));
            debug_assert!(
                was_there || !is_whole,
                "the timeout of {conn}, {at}, is not among the others"
            );
        }
        Some(blocked)
    }

    pub(super) fn is_awaited(&self, db: usize, key: &Bytes) -> bool {
        !self.waiting.queues.is_empty() && self.waiting.queues.contains_key(&(db, key.clone()))
    }

    pub(super) fn waiting_clients(&self) -> usize {
        self.conns.iter().filter(|(_, conn)| conn.blocked.is_some()).count()
    }

    /// Records that a key was created (or a stream has grown), so that its clients are served
    /// later.
    pub(super) fn signal_ready(&mut self, db: usize, key: &Bytes, kind: Kind) {
        if !matches!(kind, Kind::List | Kind::ZSet | Kind::Stream) || !self.is_awaited(db, key) {
            return;
        }
        if !self.ready.iter().any(|(d, k)| *d == db && k == key) {
            self.ready.push((db, key.clone()));
        }
    }

    /// Records that any key of `db` may have been created (SWAPDB, RENAME of many).
    pub(super) fn signal_all_ready(&mut self, db: usize) {
        let awaited: Vec<_> =
            self.waiting.queues.keys().filter(|(d, _)| *d == db).cloned().collect();
        for (db, key) in awaited {
            if let Some(kind) = self.dbs[db].get(&key).map(|obj| obj.data().kind()) {
                self.signal_ready(db, &key, kind);
            }
        }
    }

    /// Serves clients whose keys are ready. That may make further keys ready (BLMOVE), which are
    /// served in the next round.
    pub(super) fn serve_waiting(&mut self, now_ms: u64) {
        while !self.ready.is_empty() {
            for (db, key) in std::mem::take(&mut self.ready) {
                self.serve_key(db, &key, now_ms);
            }
        }
    }

    /// Ends the waits of consumers whose group or stream is gone, with an error.
    pub(super) fn release_groupless(&mut self) {
        if self.waiting.queues.is_empty() {
            return;
        }
        for at in 0..self.conns.len() {
            let (conn, this) = &self.conns[at];
            let Some(blocked) = this.blocked.as_ref().filter(|b| b.on == BlockedOn::Group) else {
                continue;
            };
            let (conn, why) = (*conn, self.why_groupless(blocked));
            if self.access.is_some() {
                let (db, keys) = (blocked.db, blocked.keys.clone());
                keys.iter().for_each(|key| self.note_key(db, key, Use::Read));
            }
            if let Some(text) = why {
                self.stop_waiting(conn);
                self.push_reply(conn, Value::error(text));
            }
        }
    }

    fn why_groupless(&self, blocked: &Blocked) -> Option<&'static str> {
        let at = blocked.argv.iter().position(|arg| arg.eq_ignore_ascii_case(b"GROUP"))?;
        let group = blocked.argv.get(at + 1)?;
        for key in &blocked.keys {
            match self.dbs[blocked.db].get(key).map(|obj| obj.data()) {
                Some(Data::Stream(stream)) if stream.groups.contains_key(group) => {}
                Some(Data::Stream(_)) => {
                    return Some(
                        "NOGROUP the consumer group this client was blocked on no longer \
                                 exists",
                    );
                }
                _ => return Some("UNBLOCKED the stream key no longer exists"),
            }
        }
        None
    }

    fn serve_key(&mut self, db: usize, key: &Bytes, now_ms: u64) {
        let place = (db, key.clone());
        let queue = self.waiting.queues.get(&place).cloned().unwrap_or_default();
        for conn in queue {
            let kind = self.dbs[db].get(key).map(|obj| obj.data().kind());
            let Some(blocked) =
                self.conn_index(conn).and_then(|_| self.conn_ref(conn).blocked.as_ref())
            else {
                continue;
            };
            let fits = blocked.on.kind().is_some_and(|wanted| Some(wanted) == kind);
            if !fits {
                continue;
            }
            if let Some(reply) = self.retry_blocked(conn, key, now_ms) {
                let was = self.stop_waiting(conn);
                debug_assert!(was.is_some(), "{conn} gets a late reply and does not wait");
                self.push_reply(conn, reply);
            }
        }
    }

    /// Pushes a late reply, unless the client has said CLIENT REPLY OFF.
    pub(super) fn push_reply(&mut self, conn: ConnId, reply: Value) {
        if self.conn_ref(conn).reply_mode == super::conn::ReplyMode::On {
            self.pushes.push((conn, reply));
        }
    }

    pub(super) fn first_timeout(&self) -> Option<u64> {
        self.waiting.timeouts.first().map(|(at, _)| *at)
    }

    pub(super) fn time_out(&mut self, now_ms: u64) {
        while let Some(&(at, conn)) = self.waiting.timeouts.first() {
            if at > now_ms {
                break;
            }
            match self.stop_waiting(conn) {
                Some(blocked) => self.push_reply(conn, blocked.on_timeout),
                None => {
                    debug_assert!(false, "{conn} has a timeout and does not wait");
                    Rc::make_mut(&mut self.waiting).timeouts.remove(&(at, conn));
                }
            }
        }
    }
}
