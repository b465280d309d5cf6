//! RESP2 and RESP3: the values Redis replies with, how they are written and read.
//!
//! [`Value`] is one reply. Encoding is for the protocol version a connection has agreed on;
//! what RESP2 cannot say is flattened as Redis flattens it. [`Decoder`] reads requests, piece by
//! piece, under Redis's limits and with its error texts; [`decode_reply`] reads replies.
//! `to_cli` renders as redis-cli does on a terminal.
//!
//! Absent: sockets, RESP3 attributes and streamed aggregates (Redis sends neither).

mod cli;
pub mod decimal;
mod decode;
mod inline;
pub mod number;

use std::hash::{Hash, Hasher};
use std::rc::Rc;

pub use cli::{lossy, quoted};
pub use decode::{Decoder, ProtocolError, decode_reply};
pub use inline::{UnbalancedQuotes, split_inline};

/// A Redis string: any bytes, cheap to share between a keyspace, its clones and replies.
pub type Bytes = Rc<[u8]>;

/// The protocol version of one connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Proto {
    #[default]
    Resp2,
    Resp3,
}

/// One reply.
#[derive(Debug, Clone)]
pub enum Value {
    Status(Bytes),
    Error(Bytes),
    Int(i64),
    Bulk(Bytes),
    NilBulk,
    NilArray,
    /// RESP3's own null; where a command of RESP2 age says nil, it is one of the two above.
    Null,
    Array(Vec<Value>),
    Map(Vec<(Value, Value)>),
    Set(Vec<Value>),
    Push(Vec<Value>),
    Double(f64),
    Bool(bool),
    BigNumber(Bytes),
    Verbatim {
        format: [u8; 3],
        text: Bytes,
    },
}

thread_local! {
    // Most commands answer one of these: shared, so that answering allocates nothing.
    static OK: Bytes = Rc::from(b"OK".as_slice());
    static QUEUED: Bytes = Rc::from(b"QUEUED".as_slice());
    static PONG: Bytes = Rc::from(b"PONG".as_slice());
}

impl Value {
    pub fn ok() -> Value {
        Value::Status(OK.with(Rc::clone))
    }
    pub fn queued() -> Value {
        Value::Status(QUEUED.with(Rc::clone))
    }
    pub fn pong() -> Value {
        Value::Status(PONG.with(Rc::clone))
    }
    pub fn status(text: &str) -> Value {
        Value::Status(Rc::from(text.as_bytes()))
    }
    pub fn error(text: impl AsRef<[u8]>) -> Value {
        Value::Error(Rc::from(text.as_ref()))
    }
    pub fn bulk(text: impl AsRef<[u8]>) -> Value {
        Value::Bulk(Rc::from(text.as_ref()))
    }
    pub fn int(n: usize) -> Value {
        Value::Int(n as i64)
    }
    pub fn is_error(&self) -> bool {
        matches!(self, Value::Error(_))
    }
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::NilBulk | Value::NilArray | Value::Null)
    }

    /// Roughly the bytes it takes.
    pub fn bytes(&self) -> u64 {
        const ITEM: u64 = 32;
        let all = |items: &[Value]| items.iter().map(Value::bytes).sum::<u64>();
        ITEM + match self {
            Value::Status(b) | Value::Error(b) | Value::Bulk(b) | Value::BigNumber(b) => {
                b.len() as u64
            }
            Value::Verbatim { text, .. } => text.len() as u64,
            Value::Array(items) | Value::Set(items) | Value::Push(items) => all(items),
            Value::Map(pairs) => pairs.iter().map(|(k, v)| k.bytes() + v.bytes()).sum(),
            _ => 0,
        }
    }

    /// Every string in it, whole.
    pub fn strings(&self, each: &mut dyn FnMut(&[u8])) {
        match self {
            Value::Status(b) | Value::Error(b) | Value::Bulk(b) | Value::BigNumber(b) => each(b),
            Value::Verbatim { text, .. } => each(text),
            Value::Array(items) | Value::Set(items) | Value::Push(items) => {
                items.iter().for_each(|item| item.strings(each));
            }
            Value::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                key.strings(each);
                value.strings(each);
            }),
            Value::Int(n) => each(n.to_string().as_bytes()),
            Value::Double(d) => each(number::double_g17(*d).as_bytes()),
            _ => {}
        }
    }

    /// Appends the wire form to `out`.
    pub fn encode(&self, proto: Proto, out: &mut Vec<u8>) {
        let resp3 = proto == Proto::Resp3;
        match self {
            Value::Status(text) => line(b'+', text, out),
            Value::Error(text) => line(b'-', text, out),
            Value::Int(n) => header(b':', *n, out),
            Value::Bulk(bytes) => bulk(bytes, out),
            Value::NilBulk | Value::NilArray | Value::Null if resp3 => out.extend(b"_\r\n"),
            Value::NilBulk | Value::Null => out.extend(b"$-1\r\n"),
            Value::NilArray => out.extend(b"*-1\r\n"),
            Value::Array(items) => sequence(b'*', items, proto, out),
            Value::Set(items) => sequence(if resp3 { b'~' } else { b'*' }, items, proto, out),
            Value::Push(items) => sequence(if resp3 { b'>' } else { b'*' }, items, proto, out),
            Value::Map(pairs) => {
                if resp3 {
                    header(b'%', pairs.len() as i64, out);
                } else {
                    header(b'*', pairs.len() as i64 * 2, out);
                }
                for (key, value) in pairs {
                    key.encode(proto, out);
                    value.encode(proto, out);
                }
            }
            Value::Double(d) if resp3 => line(b',', number::double_g17(*d).as_bytes(), out),
            Value::Double(d) => bulk(number::double_g17(*d).as_bytes(), out),
            Value::Bool(b) if resp3 => line(b'#', if *b { b"t" } else { b"f" }, out),
            Value::Bool(b) => header(b':', i64::from(*b), out),
            Value::BigNumber(digits) if resp3 => line(b'(', digits, out),
            Value::BigNumber(digits) => bulk(digits, out),
            Value::Verbatim { format, text } if resp3 => {
                header(b'=', text.len() as i64 + 4, out);
                out.extend(format);
                out.push(b':');
                out.extend_from_slice(text);
                out.extend(b"\r\n");
            }
            Value::Verbatim { text, .. } => bulk(text, out),
        }
    }

    /// The wire form by itself.
    pub fn to_bytes(&self, proto: Proto) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode(proto, &mut out);
        out
    }
}

fn line(sign: u8, text: &[u8], out: &mut Vec<u8>) {
    out.push(sign);
    out.extend_from_slice(text);
    out.extend(b"\r\n");
}

fn header(sign: u8, n: i64, out: &mut Vec<u8>) {
    out.push(sign);
    number::push_int(n, out);
    out.extend(b"\r\n");
}

fn bulk(bytes: &[u8], out: &mut Vec<u8>) {
    header(b'$', bytes.len() as i64, out);
    out.extend_from_slice(bytes);
    out.extend(b"\r\n");
}

fn sequence(sign: u8, items: &[Value], proto: Proto, out: &mut Vec<u8>) {
    header(sign, items.len() as i64, out);
    for item in items {
        item.encode(proto, out);
    }
}

/// A form in which a double compares and hashes by its bits: a state must equal itself, NaN or not.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        use Value::*;
        match (self, other) {
            (Status(a), Status(b))
            | (Error(a), Error(b))
            | (Bulk(a), Bulk(b))
            | (BigNumber(a), BigNumber(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (NilBulk, NilBulk) | (NilArray, NilArray) | (Null, Null) => true,
            (Array(a), Array(b)) | (Set(a), Set(b)) | (Push(a), Push(b)) => a == b,
            (Map(a), Map(b)) => a == b,
            (Double(a), Double(b)) => a.to_bits() == b.to_bits(),
            (Bool(a), Bool(b)) => a == b,
            (Verbatim { format: f, text: a }, Verbatim { format: g, text: b }) => f == g && a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Value::Status(b) | Value::Error(b) | Value::Bulk(b) | Value::BigNumber(b) => {
                b.hash(state);
            }
            Value::Int(n) => n.hash(state),
            Value::NilBulk | Value::NilArray | Value::Null => {}
            Value::Array(items) | Value::Set(items) | Value::Push(items) => items.hash(state),
            Value::Map(pairs) => pairs.hash(state),
            Value::Double(d) => d.to_bits().hash(state),
            Value::Bool(b) => b.hash(state),
            Value::Verbatim { format, text } => (format, text).hash(state),
        }
    }
}

#[cfg(test)]
mod tests;
