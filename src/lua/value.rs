//! Values: the contents of registers, table slots and constants.
//!
//! Numbers, booleans and strings are stored directly; tables, functions and threads are indices
//! into the arenas of a [`State`](super::state::State), so that a value never points into another
//! program's heap. Strings are immutable and shared by reference count between programs, their
//! clones and the keyspace.
//!
//! Absent: userdata, except `cjson.null` and objects whose fields the host keeps.

use std::fmt;
use std::rc::Rc;

use ground::resp::Bytes;

/// Index of a table in its state's arena.
pub(super) type TableId = u32;
/// Index of a function (Lua closure or stateful iterator) in its state's arena.
pub(super) type FuncId = u32;
/// Index of a coroutine in its state's arena.
pub(super) type ThreadId = u32;

/// A library function: the high byte is the library, the low byte the row in its table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct NativeId(pub u16);

/// A Lua value.
#[derive(Clone, Default, PartialEq)]
pub(super) enum Value {
    #[default]
    Nil,
    Bool(bool),
    Num(f64),
    Str(Str),
    Table(TableId),
    Func(FuncId),
    Native(NativeId),
    /// A function of the host, by its position in the profile: calling it pauses the program.
    Host(u16),
    /// An object of the host: reading or writing a field calls the function of this number.
    Object(u16),
    Thread(ThreadId),
    /// A light userdata with no content: `cjson.null`.
    Null,
}

impl Value {
    /// Returns true for everything but nil and false.
    #[inline]
    pub fn truthy(&self) -> bool {
        !matches!(self, Self::Nil | Self::Bool(false))
    }

    #[inline]
    pub fn is_nil(&self) -> bool {
        matches!(self, Self::Nil)
    }

    pub fn is_function(&self) -> bool {
        matches!(self, Self::Func(_) | Self::Native(_) | Self::Host(_))
    }

    /// Returns the name that Lua's `type` returns.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Bool(_) => "boolean",
            Self::Num(_) => "number",
            Self::Str(_) => "string",
            Self::Table(_) => "table",
            Self::Func(_) | Self::Native(_) | Self::Host(_) => "function",
            Self::Thread(_) => "thread",
            Self::Object(_) | Self::Null => "userdata",
        }
    }

    /// Creates a string value.
    pub fn str(bytes: &[u8]) -> Self {
        Self::Str(Str::new(bytes))
    }

    /// Returns the number; a string is parsed.
    #[inline]
    pub fn to_number(&self) -> Option<f64> {
        match self {
            Self::Num(n) => Some(*n),
            Self::Str(s) => super::number::parse(s.as_bytes()),
            _ => None,
        }
    }

    /// Returns true for values that the fingerprint and exact equality take for one: like `==`, but
    /// NaN equals itself and the two zeros differ.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Num(a), Self::Num(b)) => a.to_bits() == b.to_bits(),
            _ => self == other,
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => f.write_str("nil"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Num(n) => write!(f, "{n}"),
            Self::Str(s) => write!(f, "{s:?}"),
            Self::Table(id) => write!(f, "table#{id}"),
            Self::Func(id) => write!(f, "function#{id}"),
            Self::Native(id) => write!(f, "native#{}", id.0),
            Self::Host(id) => write!(f, "host#{id}"),
            Self::Object(id) => write!(f, "object#{id}"),
            Self::Thread(id) => write!(f, "thread#{id}"),
            Self::Null => f.write_str("null"),
        }
    }
}

/// The longest string kept in its header; longer ones are shared with the rest of the crate.
const SMALL: usize = 22;

/// An immutable byte string with its hash.
#[derive(Clone)]
pub(super) struct Str(Rc<StrObj>);

struct StrObj {
    hash: u32,
    repr: Repr,
}

enum Repr {
    Small(u8, [u8; SMALL]),
    Big(Bytes),
}

impl Str {
    pub fn new(bytes: &[u8]) -> Self {
        let repr = if bytes.len() <= SMALL {
            let mut small = [0; SMALL];
            small[..bytes.len()].copy_from_slice(bytes);
            Repr::Small(bytes.len() as u8, small)
        } else {
            Repr::Big(bytes.into())
        };
        Self(Rc::new(StrObj { hash: hash(bytes), repr }))
    }

    /// Creates a string that shares `bytes` if they are long.
    pub fn from_bytes(bytes: &Bytes) -> Self {
        if bytes.len() <= SMALL {
            return Self::new(bytes);
        }
        Self(Rc::new(StrObj { hash: hash(bytes), repr: Repr::Big(bytes.clone()) }))
    }

    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0.repr {
            Repr::Small(len, bytes) => &bytes[..usize::from(*len)],
            Repr::Big(bytes) => bytes,
        }
    }

    pub fn to_bytes(&self) -> Bytes {
        match &self.0.repr {
            Repr::Small(..) => self.as_bytes().into(),
            Repr::Big(bytes) => bytes.clone(),
        }
    }

    pub fn len(&self) -> usize {
        self.as_bytes().len()
    }

    #[inline]
    pub fn hash(&self) -> u32 {
        self.0.hash
    }

    /// Returns the header's address, by which memory counting recognises a string. Never hashed.
    pub fn address(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    pub fn lossy(&self) -> String {
        String::from_utf8_lossy(self.as_bytes()).into_owned()
    }
}

impl PartialEq for Str {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
            || (self.0.hash == other.0.hash
                && match (&self.0.repr, &other.0.repr) {
                    // The rest of the array is zero: a comparison of fixed length.
                    (Repr::Small(len, a), Repr::Small(other_len, b)) => len == other_len && a == b,
                    _ => self.as_bytes() == other.as_bytes(),
                })
    }
}

impl Eq for Str {}

impl std::hash::Hash for Str {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.lossy())
    }
}

/// PUC's string hash, which decides a key's place in a table and so the order of `pairs`. At most
/// 32 bytes of a long string are sampled.
fn hash(bytes: &[u8]) -> u32 {
    let mut h = bytes.len() as u32;
    let step = (bytes.len() >> 5) + 1;
    let mut at = bytes.len();
    while at >= step {
        let rotated = (h << 5).wrapping_add(h >> 2).wrapping_add(bytes[at - 1].into());
        h ^= rotated;
        at -= step;
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_strings_compare_by_content() {
        for text in ["", "a", "exactly twenty-two byt", "one that does not fit the header"] {
            let bytes: Bytes = text.as_bytes().into();
            assert_eq!(Str::new(text.as_bytes()), Str::from_bytes(&bytes));
            assert_eq!(Str::new(text.as_bytes()).to_bytes(), bytes);
        }
        assert_ne!(Str::new(b"a"), Str::new(b"b"));
    }

    #[test]
    fn a_value_stays_two_words() {
        assert_eq!(size_of::<Value>(), 16);
    }
}
