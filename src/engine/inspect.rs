//! Views of an instance for display: its entries as plain data, and its difference from another
//! instance.

use super::Instance;
use super::dict::Fingerprint;
use super::value::{Data, Kind, Obj};
use ground::resp::Bytes;
use ground::sorted::{SortedSet, sort_by};

/// The most members of a value in a view. A value may have as many as memory has room for, and is
/// looked at several times a step.
pub const MEMBERS_MAX: usize = 500;
/// The most bytes of a string in a view.
pub const STRING_MAX: usize = 65_536;

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: Bytes,
    pub kind: Kind,
    pub value: EntryValue,
    /// The part that `value` leaves out; it tells apart two values that begin alike.
    pub rest: Option<Rest>,
    /// The deadline, in ms since the epoch.
    pub expires_at: Option<u64>,
}

/// The members beyond the first [`MEMBERS_MAX`], or the bytes beyond the first [`STRING_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// The number of members left out; 0 for a string.
    pub members: usize,
    /// The number of bytes of a string left out.
    pub bytes: usize,
    /// The fingerprint of the whole value.
    fingerprint: u64,
}

/// The first `STRING_MAX` bytes of a string, or the first [`MEMBERS_MAX`] members.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryValue {
    Str(Bytes),
    List(Vec<Bytes>),
    Set(Vec<Bytes>),
    Hash(Vec<(Bytes, Bytes)>),
    ZSet(Vec<(Bytes, f64)>),
    /// Entry ids with their fields and values.
    Stream(Vec<(String, Vec<Bytes>)>),
}

/// The change of one key between two instances.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyChange {
    pub db: usize,
    pub key: Bytes,
    pub before: Option<Entry>,
    pub after: Option<Entry>,
}

impl Entry {
    pub(super) fn new(key: &Bytes, obj: &Obj) -> Entry {
        let value = match obj.data() {
            Data::Str(s) => EntryValue::Str(s.first(STRING_MAX)),
            Data::List(list) => EntryValue::List(list.iter().take(MEMBERS_MAX).cloned().collect()),
            Data::Set(set) => EntryValue::Set(set.first(MEMBERS_MAX)),
            Data::Hash(hash) => EntryValue::Hash(hash.first(MEMBERS_MAX)),
            Data::ZSet(zset) => {
                let first = zset.iter().take(MEMBERS_MAX);
                EntryValue::ZSet(first.map(|(m, s)| (m.clone(), s)).collect())
            }
            Data::Stream(stream) => {
                EntryValue::Stream(stream.plain_entries().take(MEMBERS_MAX).collect())
            }
        };
        let members = obj.data().elements().saturating_sub(MEMBERS_MAX);
        let bytes = match obj.data() {
            Data::Str(s) => s.len().saturating_sub(STRING_MAX),
            _ => 0,
        };
        let is_cut = members > 0 || bytes > 0;
        let rest = is_cut.then(|| Rest { members, bytes, fingerprint: obj.data_fp() });
        Entry { key: key.clone(), kind: obj.data().kind(), value, rest, expires_at: obj.expires_at }
    }
}

impl Instance {
    /// Returns the live keys of a database, sorted; each entry is made when the iterator reaches
    /// it.
    pub fn entries(&self, db: usize, now_ms: u64) -> impl ExactSizeIterator<Item = Entry> + '_ {
        let keys = self.dbs.get(db).into_iter().flat_map(|keys| keys.keys().iter());
        let live = keys.filter(|(_, obj)| obj.expires_at.is_none_or(|at| at > now_ms));
        let mut live: Vec<(&Bytes, &Obj)> = live.collect();
        sort_by(&mut live, |a, b| a.0.cmp(b.0));
        live.into_iter().map(|(key, obj)| Entry::new(key, obj))
    }

    /// Returns the entry of one live key.
    pub fn entry(&self, db: usize, key: &[u8], now_ms: u64) -> Option<Entry> {
        let place = self.dbs.get(db)?.find(key)?;
        let (key, obj) = self.dbs[db].keys().at(place);
        obj.expires_at.is_none_or(|at| at > now_ms).then(|| Entry::new(key, obj))
    }

    /// Returns a fingerprint of a key's value and deadline, expired or not; it is cached until the
    /// value changes. `None` if there is no such key.
    pub fn key_fingerprint(&self, db: usize, key: &[u8]) -> Option<u64> {
        self.dbs.get(db)?.get(key).map(Fingerprint::fp)
    }

    /// The number of databases.
    pub fn databases(&self) -> usize {
        self.dbs.len()
    }

    /// The number of keys in a database, including expired ones that were not removed yet.
    pub fn db_len(&self, db: usize) -> usize {
        self.dbs.get(db).map_or(0, |keys| keys.len())
    }

    /// Returns the keys that differ in `later`, sorted by database and key. Shared parts are
    /// skipped, so the cost is that of the change.
    pub fn diff(&self, later: &Instance) -> Vec<KeyChange> {
        let mut changes = Vec::new();
        for db in 0..self.dbs.len().min(later.dbs.len()) {
            let (a, b) = (&self.dbs[db], &later.dbs[db]);
            let mut keys: SortedSet<&Bytes> = SortedSet::default();
            a.keys().unshared(b.keys(), |key| {
                keys.insert(key);
            });
            for key in keys {
                let (before, after) = (a.get(key), b.get(key));
                if before != after {
                    changes.push(KeyChange {
                        db,
                        key: key.clone(),
                        before: before.map(|obj| Entry::new(key, obj)),
                        after: after.map(|obj| Entry::new(key, obj)),
                    });
                }
            }
        }
        changes
    }
}
