//! Reading: requests as they arrive in pieces, and replies.

use super::{Bytes, Value, number, split_inline};

/// An inline request, or a length line, may be this long.
const LINE_BYTES_MAX: usize = 64 * 1024;
/// The deepest nesting of a reply that [`decode_reply`] accepts.
const DEPTH_MAX: usize = 128;

/// A breach of the protocol by the other side. Redis writes `-ERR Protocol error: {0}` and closes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProtocolError(pub String);

impl std::fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ERR Protocol error: {}", self.0)
    }
}

impl std::error::Error for ProtocolError {}

fn fail<T>(text: impl Into<String>) -> Result<T, ProtocolError> {
    Err(ProtocolError(text.into()))
}

/// Requests out of a byte stream. After an error the connection is to be closed.
#[derive(Debug, Clone)]
pub struct Decoder {
    buffer: Vec<u8>,
    /// Everything before this has been consumed.
    at: usize,
    /// Arguments still to come of the request under way, and those that have come.
    missing: i64,
    args: Vec<Bytes>,
    /// The length of the argument under way, once its header has been read.
    bulk_len: Option<usize>,
    pub max_bulk_len: usize,
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder {
            buffer: Vec::new(),
            at: 0,
            missing: 0,
            args: Vec::new(),
            bulk_len: None,
            max_bulk_len: 512 * 1024 * 1024,
        }
    }
}

impl Decoder {
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.at == self.buffer.len() {
            self.buffer.clear();
            self.at = 0;
        } else if self.at > 32 * 1024 {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole request, never empty; `None` when more bytes are needed.
    pub fn next_request(&mut self) -> Result<Option<Vec<Bytes>>, ProtocolError> {
        loop {
            if self.missing == 0 {
                let request = match self.buffer.get(self.at) {
                    None => return Ok(None),
                    Some(b'*') => match self.multibulk_header()? {
                        None => return Ok(None),
                        Some(()) => continue,
                    },
                    Some(_) => self.inline()?,
                };
                match request {
                    // An empty line is no request.
                    Some(args) if args.is_empty() => continue,
                    other => return Ok(other),
                }
            }
            if !self.bulks()? {
                return Ok(None);
            }
            return Ok(Some(std::mem::take(&mut self.args)));
        }
    }

    /// The bytes up to the next `end`, if it is there.
    fn line(&self, end: u8) -> Option<&[u8]> {
        let rest = &self.buffer[self.at..];
        rest.iter().position(|&b| b == end).map(|n| &rest[..n])
    }

    fn inline(&mut self) -> Result<Option<Vec<Bytes>>, ProtocolError> {
        let Some(line) = self.line(b'\n') else {
            if self.buffer.len() - self.at > LINE_BYTES_MAX {
                return fail("too big inline request");
            }
            return Ok(None);
        };
        let len = line.len();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let Ok(args) = split_inline(line) else { return fail("unbalanced quotes in request") };
        self.at += len + 1;
        Ok(Some(args))
    }

    fn multibulk_header(&mut self) -> Result<Option<()>, ProtocolError> {
        let Some(line) = self.line(b'\r') else {
            if self.buffer.len() - self.at > LINE_BYTES_MAX {
                return fail("too big mbulk count string");
            }
            return Ok(None);
        };
        let len = line.len();
        let count = number::parse_int(&line[1..]);
        if self.buffer.len() - self.at < len + 2 {
            return Ok(None);
        }
        match count {
            Some(n) if n <= i64::from(i32::MAX) => {
                self.at += len + 2;
                self.missing = n.max(0);
                // Trust the client's count only so far: the arguments have not arrived yet.
                self.args = Vec::with_capacity(n.clamp(0, 1024) as usize);
                Ok(Some(()))
            }
            _ => fail("invalid multibulk length"),
        }
    }

    /// Reads arguments while they are there; whether the request is complete.
    fn bulks(&mut self) -> Result<bool, ProtocolError> {
        while self.missing > 0 {
            let len = match self.bulk_len {
                Some(len) => len,
                None => match self.bulk_header()? {
                    None => return Ok(false),
                    Some(len) => len,
                },
            };
            let Some(bytes) = self.buffer.get(self.at..self.at + len + 2) else {
                return Ok(false);
            };
            self.args.push(bytes[..len].into());
            self.at += len + 2;
            self.bulk_len = None;
            self.missing -= 1;
        }
        Ok(true)
    }

    fn bulk_header(&mut self) -> Result<Option<usize>, ProtocolError> {
        let Some(line) = self.line(b'\r') else {
            if self.buffer.len() - self.at > LINE_BYTES_MAX {
                return fail("too big bulk count string");
            }
            return Ok(None);
        };
        if line.first() != Some(&b'$') {
            let got = line.first().copied().unwrap_or(b'\r');
            return fail(format!("expected '$', got '{}'", char::from(got)));
        }
        let len = line.len();
        let size = number::parse_int(&line[1..]).and_then(|n| usize::try_from(n).ok());
        if self.buffer.len() - self.at < len + 2 {
            return Ok(None);
        }
        match size {
            Some(n) if n <= self.max_bulk_len => {
                self.at += len + 2;
                self.bulk_len = Some(n);
                Ok(Some(n))
            }
            _ => fail("invalid bulk length"),
        }
    }
}

/// The first whole reply in `bytes` and its length; `None` when more bytes are needed.
pub fn decode_reply(bytes: &[u8]) -> Result<Option<(Value, usize)>, ProtocolError> {
    let mut at = 0;
    Ok(reply(bytes, &mut at, 0)?.map(|value| (value, at)))
}

fn reply(bytes: &[u8], at: &mut usize, depth: usize) -> Result<Option<Value>, ProtocolError> {
    if depth > DEPTH_MAX {
        return fail("reply nests too deep");
    }
    let rest = &bytes[*at..];
    let Some(end) = rest.windows(2).position(|pair| pair == b"\r\n") else { return Ok(None) };
    let Some((&sign, text)) = rest[..end].split_first() else { return fail("empty reply line") };
    *at += end + 2;
    let Some(n) = (if b":$*%~>=".contains(&sign) { number::parse_int(text) } else { Some(0) })
    else {
        return fail("invalid number in reply");
    };
    let shared = || Bytes::from(text);
    Ok(Some(match sign {
        b'+' => Value::Status(shared()),
        b'-' => Value::Error(shared()),
        b':' => Value::Int(n),
        b'_' => Value::Null,
        b'#' => Value::Bool(text == b"t"),
        b'(' => Value::BigNumber(shared()),
        b',' => match number::parse_double(text) {
            Some(d) => Value::Double(d),
            None if text == b"nan" || text == b"-nan" => Value::Double(f64::NAN),
            None => return fail("invalid double in reply"),
        },
        b'$' if n < 0 => Value::NilBulk,
        b'*' if n < 0 => Value::NilArray,
        b'$' | b'=' => {
            let len = usize::try_from(n).unwrap_or(usize::MAX);
            let Some(body) = at.checked_add(len).and_then(|end| bytes.get(*at..end)) else {
                return Ok(None);
            };
            if bytes.len() < *at + len + 2 {
                return Ok(None);
            }
            *at += len + 2;
            match (sign, body) {
                (b'=', [a, b, c, b':', text @ ..]) => {
                    Value::Verbatim { format: [*a, *b, *c], text: text.into() }
                }
                _ => Value::Bulk(body.into()),
            }
        }
        b'*' | b'~' | b'>' | b'%' => {
            let count = n.max(0).saturating_mul(if sign == b'%' { 2 } else { 1 });
            let mut items = Vec::new();
            for _ in 0..count {
                match reply(bytes, at, depth + 1)? {
                    Some(item) => items.push(item),
                    None => return Ok(None),
                }
            }
            match sign {
                b'*' => Value::Array(items),
                b'~' => Value::Set(items),
                b'>' => Value::Push(items),
                _ => {
                    let mut items = items.into_iter();
                    let mut pairs = Vec::new();
                    while let (Some(key), Some(value)) = (items.next(), items.next()) {
                        pairs.push((key, value));
                    }
                    Value::Map(pairs)
                }
            }
        }
        _ => return fail(format!("unknown reply type '{}'", char::from(sign))),
    }))
}
