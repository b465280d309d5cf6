//! The effects of commands on the keyspace, in the form in which replicas receive them: the keys
//! that changed, each with its new value and deadline.
//!
//! DIFFERENCE: Redis sends commands, made deterministic (SET with an absolute deadline, the single
//! writes of a script). Values say the same, and no two ways of saying it exist. An expiry is not
//! sent as a DEL: the replica has the deadline and the same time.
//!
//! When a consumer of a stream was last seen is sent only with another change of the stream (Redis
//! sends XCLAIM for what XREADGROUP delivers, and nothing for a consumer that comes and finds
//! nothing). So whether there is something to send does not depend on that time, which the states
//! of a search leave out.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use super::Instance;
use super::access::{Access, Use};
use super::dict::Fingerprint;
use super::inspect::Entry;
use super::stream::Stream;
use super::value::{Data, Obj};
use ground::mutant::{Mutant, is_on};
use ground::resp::Bytes;

/// One change: the database, the key, and its new value; `None` if it was removed.
type Effect = (usize, Bytes, Option<Obj>);

/// The changes of one command, transaction or script, by database and key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Effects(Vec<Effect>);

impl Hash for Effects {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (db, key, obj) in &self.0 {
            (db, key, obj.as_ref().map(Fingerprint::fp)).hash(state);
        }
    }
}

impl Effects {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the keys with their new values; `None` for a removed key.
    pub fn entries(&self) -> impl Iterator<Item = (&Bytes, Option<Entry>)> {
        let entry = |key, obj: &Option<Obj>| obj.as_ref().map(|obj| Entry::new(key, obj));
        self.0.iter().map(move |(_, key, obj)| (key, entry(key, obj)))
    }

    /// Returns the keys, each with its database.
    pub fn keys(&self) -> impl Iterator<Item = (usize, &Bytes)> {
        self.0.iter().map(|(db, key, _)| (*db, key))
    }

    /// Returns true if a key, or a field of a hash, gets a deadline by them.
    pub fn has_deadlines(&self) -> bool {
        self.0.iter().any(|(.., obj)| obj.as_ref().and_then(Obj::next_deadline).is_some())
    }

    /// Shifts every deadline by `by` ms.
    pub fn shift_ms(&mut self, by: i64) {
        for obj in self.0.iter_mut().filter_map(|(.., obj)| obj.as_mut()) {
            obj.expires_at = obj.expires_at.map(|at| at.saturating_add_signed(by));
        }
    }

    /// Merges these changes and `later` ones.
    pub fn then(&self, later: &Effects) -> Effects {
        let newer = |db: usize, key: &Bytes| later.0.iter().any(|(d, k, _)| *d == db && k == key);
        let kept = self.0.iter().filter(|(db, key, _)| !newer(*db, key)).cloned();
        let mut all: Vec<Effect> = kept.chain(later.0.iter().cloned()).collect();
        all.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        Effects(all)
    }
}

impl Instance {
    /// Returns the changes that a replica is sent when this instance has become `later`.
    pub fn effects(&self, later: &Instance) -> Effects {
        let Effects(mut effects) = self.differences(later);
        effects.retain(|(db, key, obj)| {
            let both = streams(self.obj(*db, key), obj.as_ref());
            !both.is_some_and(|(old, new)| old.differs_only_in_seen(new)) || is_on(Mutant::SeenSent)
        });
        Effects(effects)
    }

    /// Returns the changes that give this instance the keyspace of `later`. Parts that the two
    /// share in memory are skipped.
    pub fn differences(&self, later: &Instance) -> Effects {
        let mut found = Vec::new();
        for db in 0..self.dbs.len().min(later.dbs.len()) {
            let (a, b) = (&self.dbs[db], &later.dbs[db]);
            let mut keys: BTreeSet<&Bytes> = BTreeSet::new();
            a.keys().unshared(b.keys(), |key| {
                keys.insert(key);
            });
            let changed = keys.into_iter().filter(|key| a.get(key) != b.get(key));
            found.extend(changed.map(|key| (db, key.clone(), b.get(key).cloned())));
        }
        Effects(found)
    }

    /// Returns true if a command that this log is of may have changed nothing but the times of
    /// deliveries (XCLAIM with JUSTID by the consumer that has the entry), from this instance to
    /// `later`: then it depends on the time whether there is anything to send.
    pub fn renews(&self, later: &Instance, access: &Access) -> bool {
        let may_renew = |db: usize, key: &Bytes| {
            let both = streams(self.obj(db, key), later.obj(db, key));
            both.is_some_and(|(old, new)| new.has_pending() && old.differs_only_in_times(new))
        };
        let mut written = access.keys.iter().filter(|used| used.how == Use::Write);
        access.deadline && written.any(|used| may_renew(used.db, &used.key))
    }

    fn obj(&self, db: usize, key: &[u8]) -> Option<&Obj> {
        self.dbs.get(db)?.get(key)
    }

    /// Applies these changes. Clients that watch a changed key are marked; blocked ones stay
    /// blocked.
    pub fn absorb(&mut self, effects: &Effects) {
        for (db, key, obj) in &effects.0 {
            self.take_over(*db, key, obj);
            self.touch(*db, key);
        }
        if self.tracking.has_news() {
            self.broadcast_changes();
        }
    }

    /// Applies the differences from another instance, which this one copies. Clients that watch a
    /// key that is another one then, not only in its times, are marked.
    pub fn copy(&mut self, differences: &Effects) {
        for (db, key, obj) in &differences.0 {
            let both = streams(self.obj(*db, key), obj.as_ref());
            let is_same = both.is_some_and(|(old, new)| old.differs_only_in_times(new));
            self.take_over(*db, key, obj);
            if !is_same {
                self.touch(*db, key);
            }
        }
        if self.tracking.has_news() {
            self.broadcast_changes();
        }
    }

    fn take_over(&mut self, db: usize, key: &Bytes, obj: &Option<Obj>) {
        let Some(keys) = self.dbs.get_mut(db) else { return };
        match obj {
            Some(obj) => keys.insert(key, obj.clone()),
            None => drop(keys.remove(key)),
        }
        self.dirty += 1;
    }
}

/// Returns the two values if both are streams with the same deadline.
fn streams<'o>(one: Option<&'o Obj>, other: Option<&'o Obj>) -> Option<(&'o Stream, &'o Stream)> {
    let (one, other) = (one?, other?);
    match (one.data(), other.data()) {
        (Data::Stream(a), Data::Stream(b)) if one.expires_at == other.expires_at => Some((a, b)),
        _ => None,
    }
}
