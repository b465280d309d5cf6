//! The value of a key: plain data of six types, each cheap to clone.
//!
//! The variants inside a type are Redis's encodings, because a client can see them (OBJECT
//! ENCODING, and the order in which a small hash or an integer set answers).
//!
//! Absent: commands, expiry of keys, the keyspace.

mod hash;
mod set;
mod string;
mod zset;

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

pub use hash::HashVal;
pub use set::SetVal;
pub use string::Str;
pub use zset::{Score, ZSetVal};

use super::dict::Fingerprint;
use super::seq::Seq;
use super::stream::Stream;
use ground::hash::Fingerprinter;
use ground::resp::Bytes;

/// The number of positions from which building a list of all elements is faster than separate
/// look-ups.
const MANY: usize = 16;

pub type List = Seq<Bytes>;

/// The limits of the small encodings; CONFIG SET changes them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Limits {
    pub hash_entries: usize,
    pub hash_value: usize,
    pub set_ints: usize,
    /// Zero before 7.2, which has no listpack sets.
    pub set_entries: usize,
    pub set_value: usize,
    pub zset_entries: usize,
    pub zset_value: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            hash_entries: 512,
            hash_value: 64,
            set_ints: 512,
            set_entries: 0,
            set_value: 64,
            zset_entries: 128,
            zset_value: 64,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    Str(Str),
    List(Rc<List>),
    Set(Rc<SetVal>),
    Hash(Rc<HashVal>),
    ZSet(Rc<ZSetVal>),
    Stream(Rc<Stream>),
}

/// The types, named as in TYPE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    String,
    List,
    Set,
    ZSet,
    Hash,
    Stream,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::String => "string",
            Kind::List => "list",
            Kind::Set => "set",
            Kind::ZSet => "zset",
            Kind::Hash => "hash",
            Kind::Stream => "stream",
        }
    }
}

impl Data {
    pub fn kind(&self) -> Kind {
        match self {
            Data::Str(_) => Kind::String,
            Data::List(_) => Kind::List,
            Data::Set(_) => Kind::Set,
            Data::Hash(_) => Kind::Hash,
            Data::ZSet(_) => Kind::ZSet,
            Data::Stream(_) => Kind::Stream,
        }
    }

    /// Returns true for an aggregate without elements, which Redis removes (a stream may be empty).
    pub fn is_empty_aggregate(&self) -> bool {
        match self {
            Data::Str(_) | Data::Stream(_) => false,
            Data::List(list) => list.is_empty(),
            Data::Set(set) => set.len() == 0,
            Data::Hash(hash) => hash.len() == 0,
            Data::ZSet(zset) => zset.len() == 0,
        }
    }

    /// Returns the number of elements of an aggregate.
    pub fn elements(&self) -> usize {
        match self {
            Data::Str(_) => 0,
            Data::List(list) => list.len(),
            Data::Set(set) => set.len(),
            Data::Hash(hash) => hash.len(),
            Data::ZSet(zset) => zset.len(),
            Data::Stream(stream) => stream.entries.len(),
        }
    }

    /// Returns its approximate size in bytes.
    pub fn bytes(&self) -> u64 {
        const ITEM: usize = 16;
        let bytes = match self {
            Data::Str(s) => s.len(),
            Data::List(list) => list.iter().map(|item| item.len() + ITEM).sum(),
            Data::Set(set) => set.members().iter().map(|m| m.len() + ITEM).sum(),
            Data::Hash(hash) => hash.pairs().iter().map(|(f, v)| f.len() + v.len() + ITEM).sum(),
            Data::ZSet(zset) => zset.iter().map(|(m, _)| m.len() + 2 * ITEM).sum(),
            Data::Stream(stream) => {
                let fields = |(_, fields): (String, Vec<Bytes>)| -> usize {
                    fields.iter().map(|f| f.len() + ITEM).sum()
                };
                stream.plain_entries().map(fields).sum()
            }
        };
        bytes as u64
    }

    fn fp(&self) -> u64 {
        let mut hasher = Fingerprinter::default();
        self.kind().hash(&mut hasher);
        match self {
            Data::Str(s) => s.hash(&mut hasher),
            Data::List(list) => hasher.write_u64(list.fp()),
            Data::Set(set) => hasher.write_u64(set.fp()),
            Data::Hash(hash) => hasher.write_u64(hash.fp()),
            Data::ZSet(zset) => hasher.write_u64(zset.fp()),
            Data::Stream(stream) => stream.hash(&mut hasher),
        }
        hasher.finish()
    }
}

/// A key's value with its expiry.
#[derive(Debug, Clone)]
pub struct Obj {
    data: Data,
    /// The deadline, in ms since the epoch.
    pub expires_at: Option<u64>,
    /// The fingerprint of `data`, or `None` after a change.
    fp: Cell<Option<u64>>,
}

impl Obj {
    pub fn new(data: Data, expires_at: Option<u64>) -> Obj {
        Obj { data, expires_at, fp: Cell::new(None) }
    }

    pub fn data(&self) -> &Data {
        &self.data
    }

    pub fn data_mut(&mut self) -> &mut Data {
        self.fp.set(None);
        &mut self.data
    }

    /// Returns the earliest deadline of a hash's fields, in ms since the epoch.
    pub fn field_deadline(&self) -> Option<u64> {
        match &self.data {
            Data::Hash(hash) => hash.next_deadline(),
            _ => None,
        }
    }

    /// Returns the earliest deadline: its own, or a field's.
    pub fn next_deadline(&self) -> Option<u64> {
        self.expires_at.into_iter().chain(self.field_deadline()).min()
    }

    /// Returns the fingerprint of the value, without its deadline.
    pub fn data_fp(&self) -> u64 {
        self.fp.get().unwrap_or_else(|| {
            let fp = self.data.fp();
            self.fp.set(Some(fp));
            fp
        })
    }
}

impl PartialEq for Obj {
    fn eq(&self, other: &Self) -> bool {
        self.expires_at == other.expires_at && self.data == other.data
    }
}

impl Eq for Obj {}

impl Fingerprint for Obj {
    fn fp(&self) -> u64 {
        ground::hash::fingerprint(&(self.data_fp(), self.expires_at))
    }
}
