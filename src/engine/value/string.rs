//! Strings: integers, immutable shared bytes, and bytes that have been edited in place.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use ground::resp::{Bytes, number};

/// The longest string that Redis allocates together with its header.
const EMBSTR_LEN_MAX: usize = 44;

#[derive(Debug, Clone)]
pub enum Str {
    Int(i64),
    Plain(Bytes),
    /// A string left by APPEND, SETRANGE or SETBIT: always `raw` to OBJECT ENCODING, and with spare
    /// capacity, so that a string built by appending costs no more than in Redis.
    Raw(Rc<Vec<u8>>),
}

impl Str {
    /// Encodes bytes as SET does: as an integer if they are one in canonical form.
    pub fn new(bytes: &Bytes) -> Str {
        match number::parse_int(bytes) {
            Some(n) => Str::Int(n),
            None => Str::Plain(bytes.clone()),
        }
    }

    pub fn as_bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Str::Int(n) => {
                let mut digits = Vec::with_capacity(20);
                number::push_int(*n, &mut digits);
                Cow::Owned(digits)
            }
            Str::Plain(bytes) => Cow::Borrowed(bytes),
            Str::Raw(bytes) => Cow::Borrowed(bytes),
        }
    }

    pub fn to_shared(&self) -> Bytes {
        match self {
            Str::Plain(bytes) => bytes.clone(),
            _ => self.as_bytes().as_ref().into(),
        }
    }

    /// Returns the first `most` bytes, or all.
    pub fn first(&self, most: usize) -> Bytes {
        match self.len() <= most {
            true => self.to_shared(),
            false => self.as_bytes()[..most].into(),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Str::Int(_) => self.as_bytes().len(),
            Str::Plain(bytes) => bytes.len(),
            Str::Raw(bytes) => bytes.len(),
        }
    }

    /// Returns the bytes for editing; the encoding becomes `raw`.
    pub fn edit(&mut self) -> &mut Vec<u8> {
        if !matches!(self, Str::Raw(_)) {
            *self = Str::Raw(Rc::new(self.as_bytes().into_owned()));
        }
        match self {
            Str::Raw(bytes) => Rc::make_mut(bytes),
            _ => unreachable!("made raw above"),
        }
    }

    pub fn encoding(&self) -> &'static str {
        match self {
            Str::Int(_) => "int",
            Str::Plain(bytes) if bytes.len() <= EMBSTR_LEN_MAX => "embstr",
            _ => "raw",
        }
    }
}

/// Compares bytes and the encoding that a client sees.
impl PartialEq for Str {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Str::Int(a), Str::Int(b)) => a == b,
            (Str::Int(_), _) | (_, Str::Int(_)) => false,
            _ => self.encoding() == other.encoding() && self.as_bytes() == other.as_bytes(),
        }
    }
}

impl Eq for Str {}

impl Hash for Str {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.encoding().hash(state);
        self.as_bytes().hash(state);
    }
}
