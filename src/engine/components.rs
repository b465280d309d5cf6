//! Takes an instance apart into keys, connections and the rest, and puts it together again. The
//! components are for a model checker, which has many instances that differ in few of them.

use std::rc::Rc;

use super::conn::{Conn, Seen};
use super::dict::Fingerprint;
use super::stats::Stats;
use super::unobserved::Unobserved;
use super::value::{Data, Obj, Str};
use super::{ConnId, Instance};
use ground::resp::Bytes;

/// A key's value and deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey(Obj);

impl std::hash::Hash for StoredKey {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.fp());
    }
}

impl StoredKey {
    /// Calls `each` with every string in the value.
    pub fn strings(&self, each: &mut dyn FnMut(&[u8])) {
        match self.0.data() {
            Data::Str(text) => each(&text.to_shared()),
            Data::List(list) => list.iter().for_each(|item| each(item)),
            Data::Set(set) => set.members().iter().for_each(|item| each(item)),
            Data::Hash(hash) => hash.pairs().iter().for_each(|(field, value)| {
                each(field);
                each(value);
            }),
            Data::ZSet(zset) => zset.iter().for_each(|(member, _)| each(member)),
            Data::Stream(stream) => {
                let entries = stream.plain_entries();
                entries.flat_map(|(_, fields)| fields).for_each(|field| each(&field));
            }
        }
    }

    /// Returns the text of a string value.
    pub fn text(&self) -> Option<Bytes> {
        match self.0.data() {
            Data::Str(text) => Some(text.to_shared()),
            _ => None,
        }
    }

    /// Returns the same key with another text.
    pub fn with_text(&self, text: &[u8]) -> StoredKey {
        StoredKey(Obj::new(Data::Str(Str::new(&text.into())), self.0.expires_at))
    }

    /// Returns the earliest of its deadlines, in ms since the epoch, on its instance's clock.
    pub fn next_deadline(&self) -> Option<u64> {
        self.0.next_deadline()
    }

    /// Calls `each` with every deadline in it: its own, and those of a hash's fields.
    pub fn deadlines(&self, each: &mut dyn FnMut(u64)) {
        self.0.expires_at.into_iter().for_each(&mut *each);
        if let Data::Hash(hash) = self.0.data() {
            hash.deadlines().for_each(each);
        }
    }

    /// Moves the key's deadline.
    pub fn shift_ms(&mut self, by: i64) {
        self.0.expires_at = self.0.expires_at.map(|at| at.saturating_add_signed(by));
    }

    /// Returns true if it has deadlines that [`StoredKey::shift_ms`] does not move: those of a
    /// hash's fields.
    pub fn has_inner_deadlines(&self) -> bool {
        self.0.field_deadline().is_some()
    }

    /// Sets every time noted in a stream (deliveries, consumers) to `now_ms`.
    pub fn note_all_at(&mut self, now_ms: u64) {
        let Data::Stream(stream) = self.0.data() else { return };
        if stream.groups.iter().any(|(_, group)| !group.consumers.is_empty())
            && let Data::Stream(stream) = self.0.data_mut()
        {
            Rc::make_mut(stream).note_all_at(now_ms);
        }
    }
}

/// The server's side of a connection, taken out of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StoredConn {
    conn: Rc<Conn>,
    /// When it was opened and last used, if that tells connections apart.
    seen: Option<Seen>,
}

impl StoredConn {
    /// Returns the connection told apart from others by when it was opened and last used, and by
    /// which command.
    pub fn told_by_use(self) -> StoredConn {
        StoredConn { seen: Some(self.conn.seen.0), ..self }
    }

    /// Returns true if others can affect it: end its wait, send it a message, fail its transaction.
    pub fn is_within_reach(&self) -> bool {
        self.is_listening() || self.is_watching()
    }

    /// Returns true if a change of a key could fail its transaction.
    pub fn is_watching(&self) -> bool {
        !self.conn.watched.is_empty()
    }

    /// Returns true if the server may send to it unasked: it waits, it is in MONITOR or pub/sub
    /// mode, or it takes part in CLIENT TRACKING.
    pub fn is_listening(&self) -> bool {
        let conn = &*self.conn;
        conn.blocked.is_some() || conn.is_monitor || conn.in_pubsub() || conn.is_told_of_keys()
    }

    /// Returns true if nothing has changed since it was opened.
    pub fn is_fresh(&self) -> bool {
        *self.conn == Conn { id: self.conn.id, ..Conn::default() }
    }

    pub fn id(&self) -> ConnId {
        self.conn.id
    }

    /// Returns the connection with another number, and other words in its queue. `None` if other
    /// components of the instance hold its number: it waits, or listens.
    pub fn renamed(&self, id: ConnId, rename: &dyn Fn(&Bytes) -> Bytes) -> Option<StoredConn> {
        let conn = &*self.conn;
        if self.is_listening() {
            return None;
        }
        let words = |argv: &Rc<[Bytes]>| argv.iter().map(rename).collect();
        let queued = conn.queued.iter().map(words).collect();
        Some(StoredConn { conn: Rc::new(Conn { id, queued, ..conn.clone() }), seen: self.seen })
    }

    /// Returns the timeout of its wait.
    pub fn timeout_at_ms(&self) -> Option<u64> {
        self.conn.blocked.as_ref()?.timeout_at_ms
    }

    /// Moves the timeout of its wait.
    pub fn shift_ms(&mut self, by: i64) {
        if by != 0 && self.timeout_at_ms().is_some() {
            let blocked = &mut Rc::make_mut(&mut self.conn).blocked;
            if let Some(at) = blocked.as_mut().and_then(|b| b.timeout_at_ms.as_mut()) {
                *at = at.saturating_add_signed(by);
            }
        }
    }
}

impl Instance {
    /// Returns true if no connection waits or is subscribed, none is listed as a reader of keys,
    /// and no script is running.
    pub fn is_at_rest(&self) -> bool {
        self.waiting.is_empty()
            && self.pubsub.is_empty()
            && self.tracking.is_empty()
            && self.script.is_none()
    }

    /// Returns the instance without keys and connections. Counters (INFO) are dropped too.
    pub fn bare(&self) -> Instance {
        Instance {
            dbs: vec![Default::default(); self.dbs.len()],
            conns: Vec::new(),
            watchers: Rc::default(),
            ready: Vec::new(),
            monitors: 0,
            trackers: 0,
            closed: Vec::new(),
            stats: Unobserved(Stats::default()),
            dirty: 0,
            now_ms: 0,
            ..self.clone()
        }
    }

    /// Returns true if it holds times that [`Instance::shift_waits_ms`] does not move: the end of a
    /// pause of all clients, the start of a script under way.
    pub fn has_own_times(&self) -> bool {
        self.pause_until().is_some() || self.script.is_some()
    }

    /// Calls `each` with the times that belong to no key: timeouts of clients, and the end of a
    /// pause.
    pub fn waits_until(&self, each: &mut dyn FnMut(u64)) {
        self.waiting.ends().for_each(&mut *each);
        self.pause_until().into_iter().for_each(each);
    }

    /// Returns true if a pause (CLIENT PAUSE) ends by then, so that the commands it held back run.
    pub fn ends_pause(&self, now_ms: u64) -> bool {
        self.pause_until().is_some_and(|until| until <= now_ms)
    }

    /// Forgets the number that the next connection would get.
    pub fn forget_next_connection(&mut self) {
        self.next_conn = 1;
    }

    /// Empties the cache of scripts for EVALSHA.
    pub fn forget_scripts(&mut self) {
        if !self.scripts.cache.is_empty() {
            Rc::make_mut(&mut self.scripts).cache = Default::default();
        }
    }

    /// Returns every key by database, including expired ones that were not removed yet.
    pub fn key_names(&self) -> Vec<(usize, Bytes)> {
        let mut names = Vec::new();
        for (db, keys) in self.dbs.iter().enumerate() {
            names.extend(keys.keys().iter().map(|(key, _)| (db, key.clone())));
        }
        names
    }

    pub fn stored_key(&self, db: usize, key: &[u8]) -> Option<StoredKey> {
        self.dbs.get(db)?.get(key).cloned().map(StoredKey)
    }

    /// Puts a stored key back. Unlike a write it wakes no client and dirties no WATCH.
    pub fn put_key(&mut self, db: usize, key: &Bytes, stored: StoredKey) {
        if let Some(keys) = self.dbs.get_mut(db) {
            keys.insert(key, stored.0);
        }
    }

    pub fn stored_conn(&self, conn: ConnId) -> Option<StoredConn> {
        self.conn_index(conn).map(|at| StoredConn { conn: self.conns[at].1.clone(), seen: None })
    }

    /// Puts the connection back as it was taken, with its watched keys.
    pub fn put_conn(&mut self, stored: StoredConn) {
        let id = stored.conn.id;
        let place = self.conns.binary_search_by_key(&id, |(id, _)| *id);
        debug_assert!(place.is_err(), "connection {id} is put in twice");
        let Err(at) = place else { return };
        for watched in &stored.conn.watched {
            let watchers = Rc::make_mut(&mut self.watchers);
            watchers.get_or_default((watched.db, watched.key.clone())).push(id);
        }
        self.monitors += usize::from(stored.conn.is_monitor);
        self.trackers += usize::from(stored.conn.tracking.is_some());
        self.conns.insert(at, (id, stored.conn));
    }

    /// Returns true if both have the same connections, each opened and last used at the same time,
    /// and by the same command: what CLIENT LIST shows, and equality ignores.
    pub fn is_used_like(&self, other: &Instance) -> bool {
        let use_of = |(id, conn): &(ConnId, Rc<Conn>)| (*id, conn.seen.0);
        self.conns.iter().map(use_of).eq(other.conns.iter().map(use_of))
    }

    /// Moves the timeouts of all waits.
    pub fn shift_waits_ms(&mut self, by: i64) {
        if by != 0 && self.first_timeout().is_some() {
            Rc::make_mut(&mut self.waiting).shift_ms(by);
        }
    }
}
