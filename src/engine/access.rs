//! The access log: the keys and other state that a command touched, from which a checker decides
//! which steps commute.
//!
//! [`Instance::execute_logged`] runs a command as `execute` does and lists the keys it read and
//! wrote (inside scripts and transactions too, and on behalf of clients it woke) and what else
//! its reply or effect may depend on. Contract, held by a test over random commands: two commands
//! of different connections that [`Access::commutes_with`] each other from one state, run in
//! either order, give the same replies and the same state.
//!
//! Absent: the effects of time ([`Instance::advance`]), except the commands that it runs at the end
//! of a pause ([`Instance::advance_logged`]). A key's deadline is part of the key, so reading a key
//! that has one is no dependence on time. Outside of these two functions nothing is logged, at next
//! to no cost.

use std::rc::Rc;

use super::command::{Command, Flags, Group};
use super::scripting::Scripts;
use super::{ConnId, Instance, Outcome};
use ground::resp::{Bytes, Value};

/// The kind of a use; a key that is written is not listed as read too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Use {
    Read,
    Write,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyAccess {
    pub db: usize,
    pub key: Bytes,
    pub how: Use,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Access {
    /// The connection that ran the command.
    pub conn: ConnId,
    /// The keys used, sorted by database and key. Waiting for a key counts as a write, because each
    /// key has its own queue. WATCH reads the key, and EXEC and a further WATCH read all keys under
    /// WATCH. Meeting an expired key writes it. The table of CLIENT TRACKING, which knows no
    /// databases, counts as the key of database 0: a reader enters itself without changing what
    /// other readers find, so it reads the key.
    pub keys: Vec<KeyAccess>,
    /// The use of the keyspace as a whole: read by KEYS, SCAN, DBSIZE, RANDOMKEY and memory limits,
    /// written by FLUSHDB, FLUSHALL and SWAPDB.
    pub keyspace: Option<Use>,
    /// The use of the script cache and of the libraries of functions.
    pub scripts: Option<Use>,
    /// The use of subscriptions: read by PUBLISH, written by SUBSCRIBE.
    pub pubsub: Option<Use>,
    /// True if randomness was consumed, of the instance or of Lua.
    pub random: bool,
    /// True if a script used `math.random` without seeding it.
    pub lua_random: bool,
    /// The reply or the effect depends on the time only as the origin that deadlines are counted
    /// from: TTL, EXPIRE, SET PX, the timeout of BLPOP, the time at which XREADGROUP notes that it
    /// delivered an entry. The same command `d` ms later, where every deadline of a key or a wait
    /// is `d` ms later, gives the same reply and an effect that is `d` ms later.
    pub deadline: bool,
    /// The reply or effect depends on the time itself: TIME, EXPIREAT, PEXPIRETIME, XADD `*`; or on
    /// the age of something that is not counted from now: idle times of streams, CLIENT LIST.
    pub clock: bool,
    /// The reply contains the time that a key still has: TTL, PTTL.
    pub left: bool,
    /// The durations in ms with which an age or the time that a key still has was compared: the
    /// idle times of XCLAIM, XAUTOCLAIM and XPENDING, and of EXPIRE with GT or LT.
    pub spans: Vec<u64>,
    /// The command depends on which connections exist, or on their numbers: CLIENT, HELLO, INFO.
    pub connections: bool,
    /// The command depends on which scripts are cached: EVALSHA, SCRIPT EXISTS.
    pub digests: bool,
    /// The reply shows when connections were opened and last used, and by which command, which
    /// equality of instances ignores: CLIENT LIST, CLIENT INFO.
    pub uses: bool,
    /// The reply contains counters or ages that equality of instances ignores, and that are no part
    /// of a connection: INFO, OBJECT IDLETIME.
    pub counters: bool,
    /// The reply lists several elements of a set, a hash or the keyspace, whose order Redis does
    /// not promise: SMEMBERS, HGETALL, KEYS, SORT BY nosort; SCAN and its like, which give one page
    /// of them.
    pub order: bool,
    /// The reply has the microseconds of the server's clock, which are whole milliseconds here.
    pub micros: bool,
    /// The reply counts keys of which some may run out, or a message told that one has: Redis
    /// removes a key that nobody asks for later than here.
    pub lazy: bool,
    /// The other connections that were sent something, woken or closed, and those of which it was
    /// asked whether CLIENT TRACKING has something to tell them.
    pub reached: Vec<ConnId>,
    /// The command may depend on anything, or change anything: CONFIG SET, CLIENT KILL, INFO, a
    /// script that keeps the instance busy ...
    pub everything: bool,
}

impl Access {
    /// Returns true if the two, as commands of two connections from one state, commute.
    pub fn commutes_with(&self, other: &Access) -> bool {
        let reaches = |a: &Access, b: &Access| {
            a.reached.contains(&b.conn) || a.reached.iter().any(|conn| b.reached.contains(conn))
        };
        let in_the_way = self.conn == other.conn
            || self.everything
            || other.everything
            || (self.random && other.random)
            || reaches(self, other)
            || reaches(other, self)
            || conflict(self.scripts, other.scripts)
            || conflict(self.pubsub, other.pubsub)
            || conflict(self.keyspace, other.any_key())
            || conflict(self.any_key(), other.keyspace)
            || self.shares_key_with(other);
        !in_the_way
    }

    /// Returns the strongest use of any key or of the keyspace; `None` if the command used neither.
    fn any_key(&self) -> Option<Use> {
        self.keys.iter().map(|key| key.how).max().max(self.keyspace)
    }

    /// Returns true if one of them writes a key that the other uses.
    fn shares_key_with(&self, other: &Access) -> bool {
        let (mut a, mut b) = (self.keys.iter().peekable(), other.keys.iter().peekable());
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match (x.db, &x.key).cmp(&(y.db, &y.key)) {
                std::cmp::Ordering::Less => _ = a.next(),
                std::cmp::Ordering::Greater => _ = b.next(),
                std::cmp::Ordering::Equal if x.how.max(y.how) == Use::Write => return true,
                std::cmp::Ordering::Equal => _ = (a.next(), b.next()),
            }
        }
        false
    }

    pub(super) fn key(&mut self, db: usize, key: &[u8], how: Use) {
        match self.keys.binary_search_by(|known| (known.db, &*known.key).cmp(&(db, key))) {
            Ok(at) => self.keys[at].how = self.keys[at].how.max(how),
            Err(at) => self.keys.insert(at, KeyAccess { db, key: key.into(), how }),
        }
    }

    /// Records that a handler has run, with its reply.
    pub(super) fn ran(&mut self, command: &Command, reply: Option<&Value>) {
        self.order |= reply.is_some_and(|reply| lists_several(command, reply));
        if command.group == Group::Scripting {
            self.scripts = self.scripts.max(Some(Use::Read));
        }
        // The rest of INFO and its like is about other connections and the server's counters.
        let looks_around = ["info", "memory|stats", "function|stats"].contains(&command.name);
        // What it asks to be told decides what any later write of others sends.
        let tracks = command.name == "client|tracking";
        self.everything |= looks_around || tracks || command.flags.has(Flags::ADMIN);
        let (container, _) = command.name.split_once('|').unwrap_or((command.name, ""));
        self.connections |= matches!(container, "client" | "hello" | "info" | "monitor");
        self.counters |= looks_around
            || matches!(container, "latency" | "memory" | "slowlog")
            || matches!(command.name, "object|freq" | "object|idletime");
        // They show ages: the time itself is read.
        let shows_uses = matches!(command.name, "client|info" | "client|list");
        self.uses |= shows_uses;
        self.clock |= shows_uses;
    }
}

/// Returns true if the reply lists more than one element in an order that Redis does not promise.
fn lists_several(command: &Command, reply: &Value) -> bool {
    if !command.tips.contains(&"nondeterministic_output_order") {
        return false;
    }
    match reply {
        // A field and its value.
        Value::Array(items) if command.name == "hgetall" => items.len() > 2,
        Value::Array(items) | Value::Set(items) => items.len() > 1,
        Value::Map(pairs) => pairs.len() > 1,
        _ => false,
    }
}

fn conflict(a: Option<Use>, b: Option<Use>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a.max(b) == Use::Write)
}

impl Instance {
    /// [`Instance::execute`] that also records in `access` what was touched.
    pub fn execute_logged(
        &mut self,
        conn: ConnId,
        argv: &[Bytes],
        now_ms: u64,
        access: &mut Access,
    ) -> Outcome {
        self.logged(conn, access, |this| this.execute(conn, argv, now_ms))
    }

    /// [`Instance::advance`] to the end of a pause: `access` records what the commands touched that
    /// the pause had held back, and the keys that expired.
    pub fn advance_logged(&mut self, now_ms: u64, access: &mut Access) {
        // No connection's number: all that is sent is sent to others.
        self.logged(ConnId::MAX, access, |this| this.advance(now_ms));
    }

    fn logged<T>(
        &mut self,
        conn: ConnId,
        access: &mut Access,
        run: impl FnOnce(&mut Instance) -> T,
    ) -> T {
        let mut log = std::mem::take(access);
        log.keys.clear();
        log.reached.clear();
        let Access { keys, reached, .. } = log;
        self.access = Some(Box::new(Access { conn, keys, reached, ..Access::default() }));
        let (settings, pubsub) = (self.settings.clone(), self.pubsub.clone());
        let scripts = self.scripts.clone();
        let (pushes, monitors) = (self.pushes.len(), self.monitors);
        let mut everything = self.script.is_some() || self.pause_until().is_some();
        let outcome = run(self);
        everything |= self.script.is_some() || self.monitors != monitors;
        everything |= !Rc::ptr_eq(&self.settings, &settings);
        *access = self.access.take().map_or_else(Access::default, |log| *log);
        access.everything |= everything;
        if !Rc::ptr_eq(&self.pubsub, &pubsub) {
            access.pubsub = Some(Use::Write);
        }
        let kept = |a: &Scripts, b: &Scripts| a.cache == b.cache && a.libraries == b.libraries;
        if !Rc::ptr_eq(&self.scripts, &scripts) && !kept(&self.scripts, &scripts) {
            access.scripts = Some(Use::Write);
        }
        let sent = self.pushes.get(pushes..).unwrap_or_default().iter().map(|(to, _)| *to);
        access.reached.extend(sent.chain(self.closed.iter().copied()));
        access.reached.retain(|to| *to != conn);
        access.reached.sort_unstable();
        access.reached.dedup();
        outcome
    }

    /// Records something in the log, if there is one.
    #[inline]
    pub(super) fn note(&mut self, what: impl FnOnce(&mut Access)) {
        if let Some(access) = self.access.as_deref_mut() {
            what(access);
        }
    }

    #[inline]
    pub(super) fn note_key(&mut self, db: usize, key: &[u8], how: Use) {
        self.note(|access| access.key(db, key, how));
    }

    pub(super) fn note_keyspace(&mut self, how: Use) {
        self.note(|access| access.keyspace = access.keyspace.max(Some(how)));
    }

    /// Records a read of each key that `conn` has under WATCH: WATCH and EXEC depend on them.
    pub(super) fn note_watched(&mut self, conn: ConnId) {
        if self.access.is_some() {
            for watched in self.conn_ref(conn).watched.clone() {
                self.note_key(watched.db, &watched.key, Use::Read);
            }
        }
    }
}
