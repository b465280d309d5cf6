//! One long reply of Redis, passed on in pieces as it comes, without the visitor's prefix.
//!
//! Contract: bytes in, bytes out; of a reply that has not ended nothing is kept but a header and
//! the beginning of one string. Whole replies are the work of [`wire`](super::wire); what both see
//! of one reply is the same.

use super::wire::{BODY_BYTES_MAX, DEPTH_MAX, LINE_BYTES_MAX, line_end};
use ground::resp::number::parse_int;

#[derive(Debug)]
pub struct Pieces {
    /// Taken off the strings that begin with it; may be empty.
    prefix: Vec<u8>,
    /// Bytes that are too few to know what they are.
    tail: Vec<u8>,
    /// The bytes of a string that are still to come, with the end of its line.
    body: usize,
    /// True in the middle of a line.
    line: bool,
    /// The elements still to come, from the outermost aggregate inwards.
    open: Vec<u64>,
    done: bool,
    /// The bytes passed on so far.
    pub passed: usize,
}

impl Pieces {
    pub fn new(prefix: &[u8]) -> Self {
        Self {
            prefix: prefix.to_vec(),
            tail: Vec::new(),
            body: 0,
            line: false,
            open: Vec::new(),
            done: false,
            passed: 0,
        }
    }

    /// Returns true if the reply has ended.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Passes on what is certain, into `out`; returns the bytes after the end of the reply.
    pub fn pass(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<Vec<u8>, &'static str> {
        let mut all = std::mem::take(&mut self.tail);
        all.extend_from_slice(bytes);
        let (mut at, before) = (0, out.len());
        while !self.done {
            let n = self.step(&all[at..], out)?;
            if n == 0 {
                break;
            }
            at += n;
        }
        self.passed += out.len() - before;
        let rest = all.split_off(at);
        if self.done {
            return Ok(rest);
        }
        self.tail = rest;
        Ok(Vec::new())
    }

    /// Takes one step; returns the number of bytes it took. 0: more must come.
    fn step(&mut self, rest: &[u8], out: &mut Vec<u8>) -> Result<usize, &'static str> {
        if self.body > 0 {
            let n = self.body.min(rest.len());
            out.extend_from_slice(&rest[..n]);
            self.body -= n;
            if self.body == 0 {
                self.ended(None)?;
            }
            return Ok(n);
        }
        let Some(&sign) = rest.first() else { return Ok(0) };
        if self.line || matches!(sign, b'+' | b'-' | b':' | b'_' | b'#' | b',' | b'(') {
            let end = line_end(rest);
            // The last byte may be the first half of the end.
            let n = end.map_or(rest.len() - 1, |end| end + 2);
            out.extend_from_slice(&rest[..n]);
            self.line = end.is_none() && (self.line || n > 0);
            if end.is_some() {
                self.ended(None)?;
            }
            return Ok(n);
        }
        let window = &rest[..rest.len().min(LINE_BYTES_MAX)];
        let Some(end) = line_end(window) else {
            return if rest.len() < LINE_BYTES_MAX { Ok(0) } else { Err("a line without end") };
        };
        let (line, after) = rest.split_at(end + 2);
        let number = parse_int(&line[1..end]).ok_or("a length that is no number")?;
        let n = usize::try_from(number).ok();
        match (sign, n) {
            (b'$' | b'=' | b'!', None) => {
                out.extend_from_slice(line);
                self.ended(None)?;
            }
            (b'$' | b'=' | b'!', Some(n)) if n > BODY_BYTES_MAX => {
                return Err("a string without measure");
            }
            (b'$', Some(n)) if !self.prefix.is_empty() && n >= self.prefix.len() => {
                let Some(start) = after.get(..self.prefix.len()) else { return Ok(0) };
                if start == self.prefix {
                    let short = n - start.len();
                    out.extend(format!("${short}\r\n").as_bytes());
                    self.body = short + 2;
                    return Ok(line.len() + start.len());
                }
                out.extend_from_slice(line);
                self.body = n + 2;
            }
            (b'$' | b'=' | b'!', Some(n)) => {
                out.extend_from_slice(line);
                self.body = n + 2;
            }
            (b'*' | b'~' | b'>', n) => {
                out.extend_from_slice(line);
                self.ended(Some(n.unwrap_or(0) as u64))?;
            }
            (b'%', n) => {
                out.extend_from_slice(line);
                self.ended(Some((n.unwrap_or(0) as u64).saturating_mul(2)))?;
            }
            _ => return Err("a reply of no known type"),
        }
        Ok(line.len())
    }

    /// Counts an element; `inner`: it has so many of its own.
    fn ended(&mut self, inner: Option<u64>) -> Result<(), &'static str> {
        if let Some(left) = self.open.last_mut() {
            *left -= 1;
        }
        if let Some(inner) = inner {
            if self.open.len() == DEPTH_MAX {
                return Err("a reply that nests too deep");
            }
            self.open.push(inner);
        }
        while self.open.last() == Some(&0) {
            self.open.pop();
        }
        self.done = self.open.is_empty();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::wire::without_prefix;
    use super::*;

    #[test]
    fn in_pieces_a_reply_is_the_same() {
        let replies: [&[u8]; 10] = [
            b"$4\r\na\r\nb\r\n",
            b"$7\r\np:stock\r\n",
            b"+OK and more\r\n",
            b"*3\r\n$7\r\np:stock\r\n:12\r\n*2\r\n$2\r\np:\r\n$-1\r\n",
            b"*2\r\n*1\r\n:1\r\n$0\r\n\r\n",
            b"%1\r\n+k\r\n~2\r\n#t\r\n_\r\n",
            b"=7\r\np:t:abc\r\n",
            b"*3\r\n*0\r\n*0\r\n*1\r\n,1.5\r\n",
            b"*-1\r\n",
            b"*1\r\n-ERR no\r\n",
        ];
        for reply in replies {
            let expect = without_prefix(reply, b"p:");
            // What comes next is not part of it.
            let stream = [reply, b"+next\r\n"].concat();
            for size in 1..stream.len() {
                let (mut pieces, mut out, mut rest) = (Pieces::new(b"p:"), Vec::new(), Vec::new());
                for piece in stream.chunks(size) {
                    match pieces.is_done() {
                        true => rest.extend_from_slice(piece),
                        false => rest.extend(pieces.pass(piece, &mut out).unwrap()),
                    }
                    assert!(pieces.tail.len() < LINE_BYTES_MAX + 2);
                }
                assert!(pieces.is_done());
                let shown = String::from_utf8_lossy(&out);
                assert_eq!(
                    (out.as_slice(), rest.as_slice()),
                    (&*expect, &b"+next\r\n"[..]),
                    "{shown}"
                );
                assert_eq!(pieces.passed, out.len());
            }
        }
    }

    #[test]
    fn nonsense_ends_it() {
        let deep = b"*1\r\n".repeat(DEPTH_MAX + 1);
        for bytes in
            [b"x\r\n".as_slice(), b"*x\r\n", b"$9223372036854775807\r\n", &deep, &[b'$'; 99]]
        {
            assert!(Pieces::new(b"").pass(bytes, &mut Vec::new()).is_err(), "{bytes:?}");
        }
    }
}
