//! The server's side of one connection.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::blocking::Blocked;
use super::command::Command;
use super::tracking::Tracker;
use super::unobserved::Unobserved;
use ground::resp::{Bytes, Proto};
use ground::sorted::SortedSet;

pub type ConnId = u32;

/// The mode set by CLIENT REPLY.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReplyMode {
    #[default]
    On,
    Off,
    /// The next reply, or (after that command) the one now due, is not sent.
    SkipNext,
    Skip,
}

/// A key under WATCH.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Watched {
    pub db: usize,
    pub key: Bytes,
    /// True if the key had already expired when it was watched: its removal is no change.
    pub expired: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Conn {
    pub id: ConnId,
    pub db: usize,
    pub proto: Proto,
    pub name: Bytes0,
    pub in_multi: bool,
    pub queued: Vec<Rc<[Bytes]>>,
    /// A queued command was refused: EXEC will return EXECABORT.
    pub dirty_exec: bool,
    /// A watched key has changed: EXEC will return nil.
    pub dirty_cas: bool,
    pub watched: Vec<Watched>,
    pub blocked: Option<Blocked>,
    pub reply_mode: ReplyMode,
    pub channels: SortedSet<Bytes>,
    pub patterns: SortedSet<Bytes>,
    pub shard_channels: SortedSet<Bytes>,
    pub no_evict: bool,
    /// Set by CLIENT TRACKING ON.
    pub tracking: Option<Rc<Tracker>>,
    /// CLIENT CACHING decides for the next command or transaction.
    pub caches_next: bool,
    /// Another connection has named it with REDIRECT, at any time.
    pub is_redirected_to: bool,
    pub is_monitor: bool,
    /// The server has closed it: QUIT, CLIENT KILL.
    pub is_closed: bool,
    pub library: (Bytes0, Bytes0),
    /// For CLIENT LIST: the times of its creation and of its last command, and that command.
    pub seen: Unobserved<Seen>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    pub created_ms: u64,
    pub last_ms: u64,
    pub command: Option<&'static Command>,
}

impl Seen {
    fn all(&self) -> (u64, u64, Option<u16>) {
        (self.created_ms, self.last_ms, self.command.map(|command| command.index))
    }
}

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        self.all() == other.all()
    }
}
impl Eq for Seen {}

impl Hash for Seen {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.all().hash(state);
    }
}

impl Conn {
    pub fn subscriptions(&self) -> usize {
        self.channels.len() + self.patterns.len()
    }

    /// Returns true if others may tell it, or another one in its place, that a key has changed.
    pub fn is_told_of_keys(&self) -> bool {
        self.tracking.is_some() || self.is_redirected_to
    }

    pub fn in_pubsub(&self) -> bool {
        self.subscriptions() + self.shard_channels.len() > 0
    }
}

/// Bytes with a default: empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bytes0(pub Bytes);

impl Default for Bytes0 {
    fn default() -> Self {
        Bytes0(Rc::from(b"".as_slice()))
    }
}

/// A view of a connection, for inspection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnView {
    pub id: ConnId,
    pub db: usize,
    pub proto: Proto,
    pub name: Bytes,
    pub in_multi: bool,
    pub queued: Vec<Rc<[Bytes]>>,
    pub dirty_cas: bool,
    pub dirty_exec: bool,
    /// `(database, key)`, in the order of WATCH.
    pub watching: Vec<(usize, Bytes)>,
    pub blocked: Option<BlockedView>,
    /// Subscribed channels, then patterns.
    pub subscribed: Vec<Bytes>,
    /// The server has closed the connection; the host has to disconnect it.
    pub is_closed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockedView {
    /// The command that is blocked.
    pub argv: Rc<[Bytes]>,
    /// The keys it waits for; empty for WAIT.
    pub keys: Vec<Bytes>,
    pub timeout_at_ms: Option<u64>,
}

impl From<&Conn> for ConnView {
    fn from(conn: &Conn) -> Self {
        ConnView {
            id: conn.id,
            db: conn.db,
            proto: conn.proto,
            name: conn.name.0.clone(),
            in_multi: conn.in_multi,
            queued: conn.queued.clone(),
            dirty_cas: conn.dirty_cas,
            dirty_exec: conn.dirty_exec,
            watching: conn.watched.iter().map(|w| (w.db, w.key.clone())).collect(),
            blocked: conn.blocked.as_ref().map(|blocked| BlockedView {
                argv: blocked.argv.clone(),
                keys: blocked.keys.clone(),
                timeout_at_ms: blocked.timeout_at_ms,
            }),
            subscribed: conn.channels.iter().chain(&conn.patterns).cloned().collect(),
            is_closed: conn.is_closed,
        }
    }
}
