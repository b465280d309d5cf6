//! The access log: what a command really touched, by which a checker decides which steps commute.
//!
//! [`Instance::execute_logged`] runs a command as `execute` does and lists the keys it read and
//! wrote (inside scripts and transactions too, and on behalf of clients it woke) and what else
//! its reply or effect may depend on. Contract, held by a test over random commands: two commands
//! of different connections that [`Access::commutes_with`] each other from one state, run in
//! either order, give the same replies and the same state.
//!
//! Absent: what the passing of time does ([`Instance::advance`]), but for the commands that it lets
//! go at the end of a pause ([`Instance::advance_logged`]); a key's deadline is part of the key, so
//! reading a key that has one is no dependence on time. Nothing is logged, and next to nothing
//! spent, outside of these two.

use std::rc::Rc;

use super::command::{Command, Flags, Group};
use super::scripting::Scripts;
use super::{ConnId, Instance, Outcome};
use crate::resp::Bytes;

/// How something was used; what is written is not listed as read too.
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
    /// Sorted by database and key. To wait for a key is to write it: the queue is its own. WATCH
    /// reads the key, and EXEC and a further WATCH read all keys under WATCH. Meeting an expired
    /// key writes it.
    pub keys: Vec<KeyAccess>,
    /// The keyspace as a whole: read by KEYS, SCAN, DBSIZE, RANDOMKEY and memory limits, written
    /// by FLUSHDB, FLUSHALL and SWAPDB.
    pub keyspace: Option<Use>,
    /// The script cache and the libraries of functions.
    pub scripts: Option<Use>,
    /// Subscriptions: read by PUBLISH, written by SUBSCRIBE.
    pub pubsub: Option<Use>,
    /// Consumed randomness, of the instance or of Lua.
    pub random: bool,
    /// A script has drawn numbers that it did not seed.
    pub lua_random: bool,
    /// The reply or the effect depends on the time only as the origin that deadlines are counted
    /// from: TTL, EXPIRE, SET PX, the timeout of BLPOP, the time at which XREADGROUP notes that it
    /// delivered an entry. The same command `d` ms later, where every deadline of a key or a wait
    /// is `d` ms later, gives the same reply and an effect that is `d` ms later.
    pub deadline: bool,
    /// It depends on what time it is: TIME, EXPIREAT, PEXPIRETIME, XADD `*`; or on how long ago
    /// something was noted, which is not counted from now: idle times of streams.
    pub clock: bool,
    /// The reply tells how long a key still has: TTL, PTTL.
    pub left: bool,
    /// How long ago something was noted, or how long a key still has, is compared with these: the
    /// idle times of XCLAIM, XAUTOCLAIM and XPENDING, and of EXPIRE with GT or LT, in ms.
    pub spans: Vec<u64>,
    /// It depends on which connections there are, or on their numbers: CLIENT, HELLO, INFO.
    pub connections: bool,
    /// It depends on which scripts can be called by their digests: EVALSHA, SCRIPT EXISTS.
    pub digests: bool,
    /// The reply tells counters, or ages, that are no part of what makes two instances equal: INFO,
    /// CLIENT LIST, OBJECT IDLETIME.
    pub counters: bool,
    /// Other connections that were sent something, woken or closed.
    pub reached: Vec<ConnId>,
    /// Depends on anything, or changes anything: CONFIG SET, CLIENT KILL, INFO, a script that
    /// keeps the instance busy ...
    pub everything: bool,
}

impl Access {
    /// Whether the two, as commands of two connections from one state, may change places.
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

    /// Whether one of them writes a key that the other uses.
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

    /// A handler has run.
    pub(super) fn ran(&mut self, command: &Command) {
        if command.group == Group::Scripting {
            self.scripts = self.scripts.max(Some(Use::Read));
        }
        // The rest of INFO and its like is about other connections and the server's counters.
        let looks_around = ["info", "memory|stats", "function|stats"].contains(&command.name);
        self.everything |= looks_around || command.flags.has(Flags::ADMIN);
        let (container, _) = command.name.split_once('|').unwrap_or((command.name, ""));
        self.connections |= matches!(container, "client" | "hello" | "info" | "monitor");
        self.counters |= looks_around
            || matches!(container, "latency" | "memory" | "slowlog")
            || matches!(
                command.name,
                "client|info" | "client|list" | "object|freq" | "object|idletime"
            );
    }
}

fn conflict(a: Option<Use>, b: Option<Use>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a.max(b) == Use::Write)
}

impl Instance {
    /// [`Instance::execute`], with `access` telling afterwards what was touched.
    pub fn execute_logged(
        &mut self,
        conn: ConnId,
        argv: &[Bytes],
        now_ms: u64,
        access: &mut Access,
    ) -> Outcome {
        self.logged(conn, access, |this| this.execute(conn, argv, now_ms))
    }

    /// [`Instance::advance`] where a pause ends by it: `access` tells what the commands touched
    /// that it held back. What runs out by the way is logged, too.
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
        access.reached.extend(sent.chain(self.closed.iter().copied()).filter(|to| *to != conn));
        access.reached.sort_unstable();
        access.reached.dedup();
        outcome
    }

    /// Notes in the log, if there is one.
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

    /// Notes a read of each key that `conn` has under WATCH: WATCH and EXEC depend on them.
    pub(super) fn note_watched(&mut self, conn: ConnId) {
        if self.access.is_some() {
            for watched in self.conn_ref(conn).watched.clone() {
                self.note_key(watched.db, &watched.key, Use::Read);
            }
        }
    }
}
