//! Redis as a value: the data commands of a single-threaded server, without clock, randomness
//! or sockets.
//!
//! [`Instance::execute`] runs one command of one connection at a given time and returns its reply.
//! What it sends to other connections (messages, replies to blocked commands) is collected and
//! taken with [`Instance::take_pushes`]. An instance is cheap to clone (copy on write, in parts),
//! compares exactly and has a fingerprint, so that a model checker can keep millions of them.
//!
//! Map: `command` and `rows/` are the command table, `commands/` the handlers, one file per type;
//! `dispatch` takes a command from arguments to reply; `context` is what a handler works with;
//! `db`, `dict`, `seq` and `value/` are the keyspace; `expiry` and `eviction` remove keys; `conn`,
//! `blocking`, `pubsub` and `notify` connect the clients; `tracking` tells them which keys have
//! changed; `inspect` makes views for display; `access` logs what a command touched; `replica` has
//! the effects of a master's commands, for a replica.
//!
//! Contract: time is an argument (ms since the epoch) and randomness a seed, so that equal
//! instances behave equally. An error is a reply with Redis's text; no input panics. Where the
//! engine differs from Redis on purpose, a comment says `DIFFERENCE:`.
//!
//! Absent: persistence, cluster, modules; they are refused with an error. Replication links belong
//! to the world (`sim`); only their contents are here.

mod access;
mod args;
mod blocking;
mod command;
mod commands;
mod components;
mod conn;
mod context;
mod db;
mod dict;
mod dispatch;
mod eviction;
mod expiry;
mod footprint;
mod functions;
mod geohash;
mod glob;
mod inspect;
mod longdouble;
mod memory;
mod notify;
mod pause;
mod pubsub;
mod replica;
mod rows;
mod script_values;
mod scripting;
mod seq;
mod settings;
mod stats;
mod stream;
mod tracking;
mod unobserved;
mod value;
mod version;
mod watch;

use std::rc::Rc;

pub use access::{Access, KeyAccess, Use};
pub use command::{Begin, Command, Find, Flags, Group, KeySpec, commands, lookup, row_of};
pub use components::{StoredConn, StoredKey};
pub use conn::{BlockedView, ConnId, ConnView};
pub use footprint::{Footprint, footprint, may_draw};
pub use glob::glob_match;
pub use inspect::{Entry, EntryValue, KeyChange, MEMBERS_MAX};
pub use replica::Effects;
pub use script_values::{argument, error_table, reply_to_lua};
pub use scripting::ScriptView;
pub use value::Kind;
pub use version::{Lacking, Version};

use blocking::Waiting;
use conn::{Conn, Seen};
use db::SharedDb;
use memory::Room;
use pubsub::PubSub;
use scripting::{Running, Scripts};
use settings::Settings;
use stats::Stats;
use tracking::Tracking;
use unobserved::Unobserved;

use ground::hash::fingerprint;
use ground::resp::{Bytes, Proto, Value};
use ground::sorted::SortedMap;

/// The configuration with which an instance begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    pub version: Version,
    pub databases: usize,
    /// The connections that a server with a port takes at a time, until CONFIG SET says otherwise.
    pub max_clients: usize,
    /// Decides everything that Redis leaves to chance: SPOP, RANDOMKEY, SRANDMEMBER ...
    pub seed: u64,
    /// The VM instructions that a script may run before other clients are told BUSY.
    pub script_budget: u64,
    /// The most bytes that the instance may hold, by its own estimate: a command that would exceed
    /// them is refused before it allocates anything. 0 is no bound except Redis's own, as in
    /// `resp`; the page sets one, because it has a tab's memory.
    pub bytes_max: u64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            version: Version::V7_0,
            databases: 16,
            max_clients: 10_000,
            seed: 0,
            script_budget: 5_000_000,
            bytes_max: 0,
        }
    }
}

/// Random draws fixed in advance, and the bound below which each had to be.
#[derive(Debug, Clone, Default)]
struct Draws {
    row: Vec<u32>,
    bounds: Vec<u64>,
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Reply(Value),
    /// The reply will come as a push, when a key is ready or the timeout has passed.
    Blocked,
    /// No reply (CLIENT REPLY OFF), or only pushes (SUBSCRIBE).
    None,
}

/// One Redis server.
#[derive(Debug, Clone)]
pub struct Instance {
    dbs: Vec<SharedDb>,
    /// The connections, sorted by id.
    conns: Vec<(ConnId, Rc<Conn>)>,
    next_conn: ConnId,
    random: u64,
    settings: Rc<Settings>,
    /// The connections that watch each key.
    watchers: Rc<SortedMap<(usize, Bytes), Vec<ConnId>>>,
    waiting: Rc<Waiting>,
    pubsub: Rc<PubSub>,
    tracking: Rc<Tracking>,
    scripts: Rc<Scripts>,
    /// A script that has used up its budget and keeps the instance busy.
    script: Option<Rc<Running>>,
    pushes: Vec<(ConnId, Value)>,
    /// Keys that clients wait for and that were created during this command.
    ready: Vec<(usize, Bytes)>,
    /// The number of connections in MONITOR.
    monitors: usize,
    /// The number of connections with CLIENT TRACKING ON.
    trackers: usize,
    /// The connection whose command runs; `None` between commands, and when time moves.
    running: Option<ConnId>,
    /// The connection that changes keys, as BCAST with NOLOOP sees it: that of the command, or of
    /// a command that waited; `None` for a script and an expiry.
    changing: Option<ConnId>,
    /// Connections that a command has closed, until the host takes them.
    closed: Vec<ConnId>,
    stats: Unobserved<Stats>,
    /// The log of what the running command touches; `None` unless the host asked for it.
    access: Option<Box<Access>>,
    /// The random choices fixed in advance; `None` unless the host fixed them.
    draws: Option<Box<Draws>>,
    /// The number of changes, as `rdb_changes_since_last_save` counts them.
    dirty: u64,
    /// The time of the last command, for events that belong to no command.
    now_ms: u64,
    room: Room,
}

/// Compares what clients can observe: the keyspace, the connections, blocked commands. Counters and
/// the time of the last command are ignored, see `Unobserved`; `watchers` follows from the
/// connections; `ready` is empty between commands.
impl PartialEq for Instance {
    fn eq(&self, other: &Self) -> bool {
        self.dbs == other.dbs
            && self.conns == other.conns
            && self.next_conn == other.next_conn
            && self.random == other.random
            && self.settings == other.settings
            && self.waiting == other.waiting
            && self.pubsub == other.pubsub
            && self.tracking == other.tracking
            && self.scripts == other.scripts
            && self.script == other.script
            && self.pushes == other.pushes
    }
}
impl Eq for Instance {}

impl std::hash::Hash for Instance {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.fingerprint());
    }
}

impl Default for Instance {
    fn default() -> Self {
        Instance::new(Config::default())
    }
}

impl Instance {
    pub fn new(config: Config) -> Self {
        Instance {
            dbs: vec![SharedDb::default(); config.databases.clamp(1, 1024)],
            conns: Vec::new(),
            next_conn: 1,
            random: config.seed,
            settings: Rc::new(Settings::new(&config)),
            watchers: Rc::default(),
            waiting: Rc::default(),
            pubsub: Rc::default(),
            tracking: Rc::default(),
            scripts: Rc::default(),
            script: None,
            pushes: Vec::new(),
            ready: Vec::new(),
            monitors: 0,
            trackers: 0,
            running: None,
            changing: None,
            closed: Vec::new(),
            stats: Unobserved::default(),
            access: None,
            draws: None,
            dirty: 0,
            now_ms: 0,
            room: Room::new(config.bytes_max),
        }
    }

    pub fn version(&self) -> Version {
        self.settings.version
    }

    /// Opens a new connection, at the time of the last command. Ids count up from 1 and are not
    /// used again.
    pub fn connect(&mut self) -> ConnId {
        let id = self.next_conn;
        debug_assert!(self.conns.last().map(|(last, _)| *last) < Some(id), "ids count up");
        self.next_conn = self.next_conn.wrapping_add(1);
        self.conns.push((id, Rc::new(opened(id, self.now_ms))));
        self.stats.connections += 1;
        id
    }

    /// Opens a connection at `now_ms` with an id of the host's choosing, if that is free, so that
    /// the order of connecting makes no difference.
    pub fn connect_as(&mut self, id: ConnId, now_ms: u64) {
        let Err(at) = self.conns.binary_search_by_key(&id, |(id, _)| *id) else { return };
        self.conns.insert(at, (id, Rc::new(opened(id, now_ms))));
        self.next_conn = self.next_conn.max(id.saturating_add(1));
        self.stats.connections += 1;
    }

    /// Closes the connection and forgets what it watched, waited for and subscribed to.
    pub fn disconnect(&mut self, conn: ConnId) {
        if self.conn_index(conn).is_none() {
            return;
        }
        // DIFFERENCE: Redis lets a busy script run on without its client.
        if self.script.as_ref().is_some_and(|running| running.conn == conn) {
            self.script = None;
        }
        self.let_go(conn);
        self.stop_waiting(conn);
        if !self.tracking.is_empty() {
            self.forget_reader(conn);
        }
        if let Some(at) = self.conn_index(conn) {
            self.conns.remove(at);
        }
        self.pushes.retain(|(to, _)| *to != conn);
    }

    /// Closes the connection on the server's side. Its client learns of it when it is used again.
    pub fn close(&mut self, conn: ConnId) {
        self.stop_waiting(conn);
        self.let_go(conn);
        self.conn_mut(conn).is_closed = true;
        self.closed.push(conn);
    }

    /// Takes the replies to blocked commands, and messages, in the order they were sent.
    pub fn take_pushes(&mut self) -> Vec<(ConnId, Value)> {
        std::mem::take(&mut self.pushes)
    }

    /// Returns the number of changes so far, including writes that left the value as it was.
    pub fn dirty(&self) -> u64 {
        self.dirty
    }

    /// Returns the work of this instance so far, in VM instructions: a fixed number for each
    /// command, and for a script its own instructions and its commands. It shows how long a command
    /// keeps the other clients waiting; the number of elements a command visits is not counted.
    pub fn work(&self) -> u64 {
        self.stats.work
    }

    pub fn has_pushes(&self) -> bool {
        !self.pushes.is_empty()
    }

    /// Returns true if the connection waits for the reply to an earlier command.
    pub fn is_blocked(&self, conn: ConnId) -> bool {
        self.conn_index(conn).is_some_and(|at| self.conns[at].1.blocked.is_some())
    }

    /// Returns true if the connection hears channels, and may be silent for that reason.
    pub fn is_subscribed(&self, conn: ConnId) -> bool {
        self.conn_index(conn).is_some_and(|at| self.conns[at].1.subscriptions() > 0)
    }

    /// Returns true if the server has closed the connection (QUIT, CLIENT KILL); the host has to
    /// [`Instance::disconnect`] it.
    pub fn is_closed(&self, conn: ConnId) -> bool {
        self.conn_index(conn).is_none_or(|at| self.conns[at].1.is_closed)
    }

    /// Returns the protocol in which replies to `conn` have to be encoded.
    pub fn proto(&self, conn: ConnId) -> Proto {
        self.conn_index(conn).map_or(Proto::Resp2, |at| self.conns[at].1.proto)
    }

    /// Takes the connections that were closed since the last call.
    pub fn take_closed(&mut self) -> Vec<ConnId> {
        std::mem::take(&mut self.closed)
    }

    /// Returns a fingerprint of the state; equal states have equal numbers, on every target.
    pub fn fingerprint(&self) -> u64 {
        let dbs: Vec<(usize, u64)> = (self.dbs.iter().enumerate())
            .filter(|(_, db)| !db.is_empty())
            .map(|(index, db)| (index, db.fp()))
            .collect();
        let conns: Vec<&Conn> = self.conns.iter().map(|(_, conn)| &**conn).collect();
        fingerprint(&(
            dbs,
            conns,
            self.next_conn,
            self.random,
            &self.settings,
            &self.waiting,
            (&self.pubsub, &self.tracking),
            (&self.scripts, &self.script),
            &self.pushes,
        ))
    }

    /// Returns true if a connection has no transaction, WATCH, subscription, tracking or blocked
    /// command.
    /// `None` if there is no such connection.
    pub fn is_idle(&self, conn: ConnId) -> Option<bool> {
        let conn = &self.conns[self.conn_index(conn)?].1;
        let busy = conn.in_multi || conn.blocked.is_some() || conn.in_pubsub() || conn.is_closed;
        Some(!busy && conn.watched.is_empty() && !conn.is_told_of_keys() && conn.db == 0)
    }

    pub fn conn(&self, conn: ConnId) -> Option<ConnView> {
        self.conn_index(conn).map(|at| ConnView::from(&*self.conns[at].1))
    }

    /// Returns the ids of all connections, oldest first.
    pub fn conn_ids(&self) -> Vec<ConnId> {
        self.conns.iter().map(|(id, _)| *id).collect()
    }

    fn conn_index(&self, conn: ConnId) -> Option<usize> {
        self.conns.binary_search_by_key(&conn, |(id, _)| *id).ok()
    }

    /// Returns a connection that is known to exist: commands run for existing ones only.
    fn conn_ref(&self, conn: ConnId) -> &Conn {
        let at = self.conn_index(conn).expect("commands run for existing connections");
        &self.conns[at].1
    }

    fn conn_mut(&mut self, conn: ConnId) -> &mut Conn {
        let at = self.conn_index(conn).expect("commands run for existing connections");
        Rc::make_mut(&mut self.conns[at].1)
    }

    /// Makes random draws return these numbers, one after the other, and then 0; the seed is left
    /// as it is.
    pub fn draw_as(&mut self, row: &[u32]) {
        self.draws = Some(Box::new(Draws { row: row.to_vec(), bounds: Vec::new() }));
    }

    /// Ends [`Instance::draw_as`]; returns the bound below which each draw had to be.
    pub fn drawn(&mut self) -> Vec<u64> {
        self.draws.take().map(|draws| draws.bounds).unwrap_or_default()
    }

    /// Returns a random number below `bound`: SplitMix64 and Lemire's reduction, equal on every
    /// target.
    fn random_below(&mut self, bound: u64) -> u64 {
        self.note(|access| access.random = true);
        if let Some(draws) = &mut self.draws {
            let number = draws.row.get(draws.bounds.len()).copied().unwrap_or_default();
            draws.bounds.push(bound);
            return number.into();
        }
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * u128::from(bound.max(1))) >> 64) as u64
    }
}

/// A connection that was opened just now.
fn opened(id: ConnId, now_ms: u64) -> Conn {
    let seen = Seen { created_ms: now_ms, last_ms: now_ms, command: None };
    Conn { id, seen: Unobserved(seen), ..Conn::default() }
}

#[cfg(test)]
mod tests;

/// The example of README.md, which `cargo test --doc` runs.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct ReadMe;
