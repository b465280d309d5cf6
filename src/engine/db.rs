//! One database: keys with their values, and an index of deadlines.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use super::dict::{Dict, EntryPlace};
use super::seq::Seq;
use super::value::Obj;
use ground::resp::Bytes;

#[derive(Debug, Clone, Default)]
pub struct Db {
    keys: Dict<Obj>,
    /// `(deadline, key)`, sorted, for exactly the keys that have a deadline. Hashes with expiring
    /// fields are in `field_deadlines` too.
    deadlines: Seq<(u64, Bytes)>,
    field_deadlines: Seq<(u64, Bytes)>,
}

/// A database shared by the copies of an instance until one of them changes it. Most of the sixteen
/// databases are never changed.
#[derive(Debug, Clone, Default)]
pub struct SharedDb(Rc<Db>);

impl Deref for SharedDb {
    type Target = Db;

    fn deref(&self) -> &Db {
        &self.0
    }
}

impl DerefMut for SharedDb {
    fn deref_mut(&mut self) -> &mut Db {
        Rc::make_mut(&mut self.0)
    }
}

impl PartialEq for SharedDb {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || *self.0 == *other.0
    }
}
impl Eq for SharedDb {}

/// Compares keys only; the indexes follow from them.
impl PartialEq for Db {
    fn eq(&self, other: &Self) -> bool {
        self.keys == other.keys
    }
}
impl Eq for Db {}

fn index_remove(index: &mut Seq<(u64, Bytes)>, at: u64, key: &Bytes) {
    let place = index.partition_point(|(w, k)| (*w, k) < (at, key));
    let is_there = index.get(place).is_some_and(|(w, k)| *w == at && k == key);
    debug_assert!(is_there, "a key's deadline, {at}, is not in the index");
    if is_there {
        index.remove(place);
    }
}

fn index_insert(index: &mut Seq<(u64, Bytes)>, at: u64, key: &Bytes) {
    let place = index.partition_point(|(w, k)| (*w, k) < (at, key));
    let is_there = |(w, k): &(u64, Bytes)| *w == at && k == key;
    debug_assert!(!index.get(place).is_some_and(is_there), "a deadline, {at}, is there twice");
    index.insert(place, (at, key.clone()));
}

impl Db {
    pub fn keys(&self) -> &Dict<Obj> {
        &self.keys
    }

    pub fn find(&self, key: &[u8]) -> Option<EntryPlace> {
        self.keys.find(key)
    }

    pub fn at(&self, place: EntryPlace) -> &Obj {
        self.keys.at(place).1
    }

    /// Returns a key's object for changing its value; a deadline is changed by [`Db::set_deadline`]
    /// alone.
    pub fn at_mut(&mut self, place: EntryPlace) -> &mut Obj {
        self.keys.at_mut(place)
    }

    pub fn get(&self, key: &[u8]) -> Option<&Obj> {
        self.keys.get(key)
    }

    /// Puts `obj` under `key`, over any old value.
    pub fn insert(&mut self, key: &Bytes, obj: Obj) {
        let deadline = obj.expires_at;
        let fields = obj.field_deadline();
        if let Some(old) = self.keys.insert(key, obj) {
            self.unindex(key, &old);
        }
        if let Some(at) = deadline {
            index_insert(&mut self.deadlines, at, key);
        }
        if let Some(at) = fields {
            index_insert(&mut self.field_deadlines, at, key);
        }
    }

    fn unindex(&mut self, key: &Bytes, old: &Obj) {
        if let Some(at) = old.expires_at {
            index_remove(&mut self.deadlines, at, key);
        }
        if let Some(at) = old.field_deadline() {
            index_remove(&mut self.field_deadlines, at, key);
        }
    }

    pub fn remove(&mut self, key: &[u8]) -> Option<(Bytes, Obj)> {
        let (key, old) = self.keys.remove(key)?;
        self.unindex(&key, &old);
        Some((key, old))
    }

    pub fn set_deadline(&mut self, key: &Bytes, deadline: Option<u64>) {
        let Some(place) = self.keys.find(key) else { return };
        let old = self.keys.at(place).1.expires_at;
        if old == deadline {
            return;
        }
        self.keys.at_mut(place).expires_at = deadline;
        if let Some(at) = old {
            index_remove(&mut self.deadlines, at, key);
        }
        if let Some(at) = deadline {
            index_insert(&mut self.deadlines, at, key);
        }
    }

    /// Updates the index when the fields' deadlines of the hash at `key` may have changed; `before`
    /// is the result of [`Db::field_deadline`] before the change.
    pub fn field_deadline_changed(&mut self, key: &Bytes, before: Option<u64>) {
        let after = self.field_deadline(key);
        if before == after {
            return;
        }
        if let Some(at) = before {
            index_remove(&mut self.field_deadlines, at, key);
        }
        if let Some(at) = after {
            index_insert(&mut self.field_deadlines, at, key);
        }
    }

    pub fn field_deadline(&self, key: &[u8]) -> Option<u64> {
        if self.field_deadlines.is_empty() && !self.keys.contains(key) {
            return None;
        }
        self.keys.get(key).and_then(Obj::field_deadline)
    }

    /// Returns the key that expires first.
    pub fn first_deadline(&self) -> Option<&(u64, Bytes)> {
        self.deadlines.first()
    }

    pub fn first_field_deadline(&self) -> Option<&(u64, Bytes)> {
        self.field_deadlines.first()
    }

    /// Returns the number of keys with a deadline.
    pub fn expiring(&self) -> usize {
        self.deadlines.len()
    }

    pub fn mean_ttl(&self, now_ms: u64) -> u64 {
        let n = self.deadlines.len() as u64;
        let total: u64 = self.deadlines.iter().map(|(at, _)| at.saturating_sub(now_ms)).sum();
        total.checked_div(n).unwrap_or(0)
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub fn fp(&self) -> u64 {
        self.keys.fp()
    }
}
