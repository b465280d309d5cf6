//! The effects of commands on the keyspace, in the form in which replicas receive them: the keys
//! that changed, each with its new value and deadline.
//!
//! DIFFERENCE: Redis sends commands, made deterministic (SET with an absolute deadline, the single
//! writes of a script). Values say the same, and no two ways of saying it exist. An expiry is not
//! sent as a DEL: the replica has the deadline and the same time.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use super::Instance;
use super::dict::Fingerprint;
use super::inspect::Entry;
use super::value::Obj;
use crate::resp::Bytes;

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

    /// Returns true if a key gets a deadline by them.
    pub fn has_deadlines(&self) -> bool {
        self.0.iter().any(|(.., obj)| obj.as_ref().is_some_and(|obj| obj.expires_at.is_some()))
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
    /// Returns the changes that give this instance the keyspace of `later`. Parts that the two
    /// share in memory are skipped.
    pub fn effects(&self, later: &Instance) -> Effects {
        let mut effects = Vec::new();
        for db in 0..self.dbs.len().min(later.dbs.len()) {
            let (a, b) = (&self.dbs[db], &later.dbs[db]);
            let mut keys: BTreeSet<&Bytes> = BTreeSet::new();
            a.keys().unshared(b.keys(), |key| {
                keys.insert(key);
            });
            let changed = keys.into_iter().filter(|key| a.get(key) != b.get(key));
            effects.extend(changed.map(|key| (db, key.clone(), b.get(key).cloned())));
        }
        Effects(effects)
    }

    /// Applies these changes. Clients that watch a changed key are marked; blocked ones stay
    /// blocked.
    pub fn absorb(&mut self, effects: &Effects) {
        for (db, key, obj) in &effects.0 {
            let Some(keys) = self.dbs.get_mut(*db) else { continue };
            match obj {
                Some(obj) => keys.insert(key, obj.clone()),
                None => drop(keys.remove(key)),
            }
            self.touch(*db, key);
            self.dirty += 1;
        }
    }
}
