//! RESP in transit: splits messages into commands, and a stream into replies. Bytes stay unchanged;
//! only what must be known is decoded.

use std::ops::Range;

use ground::resp::number::parse_int;

/// The longest line that announces a length or a count, in bytes.
pub(super) const LINE_BYTES_MAX: usize = 32;
/// Redis's own bound for a string, in bytes.
pub(super) const BODY_BYTES_MAX: usize = 512 * 1024 * 1024;
/// The deepest nesting of a reply.
pub(super) const DEPTH_MAX: usize = 64;

/// One command of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request<'m> {
    pub argv: Vec<&'m [u8]>,
    /// The same bytes as in the message.
    pub raw: &'m [u8],
}

/// Returns the commands of a message, which must contain whole ones: arrays of bulk strings. An
/// error says what is wrong, for the developer of a client.
pub fn requests(message: &[u8], commands_max: usize) -> Result<Vec<Request<'_>>, String> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < message.len() {
        if found.len() == commands_max {
            return Err(format!("more than {commands_max} commands in one message"));
        }
        let start = at;
        let count = announced(message, &mut at, b'*', "a command begins with *")?;
        if count == 0 {
            return Err("a command of no words".into());
        }
        // Each word takes at least five bytes: a count cannot reserve more than was sent.
        let mut argv = Vec::with_capacity(count.min((message.len() - at) / 5));
        for _ in 0..count {
            let len = announced(message, &mut at, b'$', "each word of a command begins with $")?;
            let end = at.checked_add(len).filter(|end| *end <= message.len());
            let end = end.ok_or("a word is longer than the message")?;
            if message.get(end..end + 2) != Some(b"\r\n".as_slice()) {
                return Err("a word does not end where its length says".into());
            }
            argv.push(&message[at..end]);
            at = end + 2;
        }
        found.push(Request { argv, raw: &message[start..at] });
    }
    match found.is_empty() {
        true => Err("an empty message".into()),
        false => Ok(found),
    }
}

/// Parses `sign`, a number, and the end of the line.
fn announced(message: &[u8], at: &mut usize, sign: u8, rule: &str) -> Result<usize, String> {
    let rest = &message[*at..];
    let Some((&first, digits)) = rest.split_first() else {
        return Err("the message ends in the middle of a command".into());
    };
    if first != sign {
        return Err(format!("{rule}, not with byte 0x{first:02x}"));
    }
    let window = &digits[..digits.len().min(LINE_BYTES_MAX)];
    let Some(end) = window.windows(2).position(|pair| pair == b"\r\n") else {
        return Err(match digits.len() < LINE_BYTES_MAX {
            true => "the message ends in the middle of a command".into(),
            false => "a length without an end of line".into(),
        });
    };
    let number = parse_int(&digits[..end]).and_then(|n| usize::try_from(n).ok());
    *at += 1 + end + 2;
    number.ok_or_else(|| "a length is no number".into())
}

/// Encodes `argv` as a command.
pub fn command<W: AsRef<[u8]>>(argv: &[W]) -> Vec<u8> {
    let mut out = Vec::new();
    push_command(argv, &mut out);
    out
}

pub fn push_command<W: AsRef<[u8]>>(argv: &[W], out: &mut Vec<u8>) {
    out.extend(format!("*{}\r\n", argv.len()).as_bytes());
    for word in argv {
        let word = word.as_ref();
        out.extend(format!("${}\r\n", word.len()).as_bytes());
        out.extend_from_slice(word);
        out.extend(b"\r\n");
    }
}

/// Returns an error reply of the proxy's own: `PROXY` is its code, as `WRONGTYPE` is one of
/// Redis's.
pub fn refusal(why: &str) -> Vec<u8> {
    // A line end inside would begin another reply.
    let why: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("-PROXY {why}\r\n").into_bytes()
}

/// Finds the ends of replies in a stream that comes in pieces, without looking at a byte twice.
#[derive(Debug, Default)]
pub struct Framer {
    buffer: Vec<u8>,
    /// The start of the reply under way, and below, the position up to which it was read.
    start: usize,
    at: usize,
    /// The bytes from `at` in which no line ends.
    seen: usize,
    /// The elements still to come, from the outermost aggregate inwards.
    open: Vec<u64>,
    /// The bytes in which an end of line was looked for, so that a test can count them.
    #[cfg(test)]
    looked: usize,
}

impl Framer {
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.at -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the bytes of a reply that has not ended.
    pub fn waiting(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// The bytes of a reply that has not ended.
    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// The length of such a reply, if it is one string; else 0.
    pub fn announced(&self) -> usize {
        let rest = self.rest();
        let line = &rest[..rest.len().min(LINE_BYTES_MAX)];
        match (line.first(), line_end(line)) {
            (Some(b'$' | b'=' | b'!'), Some(end)) => {
                parse_int(&line[1..end]).and_then(|n| usize::try_from(n).ok()).unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Takes the bytes of such a reply.
    pub fn take(&mut self) -> Vec<u8> {
        let mut all = std::mem::take(self);
        all.buffer.drain(..all.start);
        all.buffer
    }

    /// Forgets a connection's bytes, and frees the space of a large reply.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.buffer[range]
    }

    /// Returns the next whole reply, as a range for [`Framer::bytes`]; the error says that this is
    /// not RESP.
    pub fn next_reply(&mut self) -> Result<Option<Range<usize>>, &'static str> {
        loop {
            let Some(len) = self.element()? else { return Ok(None) };
            self.at += len;
            self.seen = 0;
            while let Some(left) = self.open.last_mut() {
                if *left > 0 {
                    break;
                }
                self.open.pop();
            }
            if self.open.is_empty() {
                let range = self.start..self.at;
                self.start = self.at;
                return Ok(Some(range));
            }
        }
    }

    /// Returns the length of the element at `at`; for an aggregate, that of its first line. Counts
    /// the elements still open.
    fn element(&mut self) -> Result<Option<usize>, &'static str> {
        let rest = &self.buffer[self.at..];
        let found = line_end(&rest[self.seen..]);
        #[cfg(test)]
        {
            self.looked += found.map_or(rest.len() - self.seen, |end| end + 2);
        }
        let Some(end) = found.map(|end| self.seen + end) else {
            // The last byte may be the first half of an end.
            self.seen = rest.len().saturating_sub(1);
            return Ok(None);
        };
        // A string that has not come in full is asked about again: its line has ended here.
        self.seen = end;
        let Some((&sign, text)) = rest[..end].split_first() else { return Err("an empty line") };
        let line = end + 2;
        let number = || parse_int(text).ok_or("a length that is no number");
        let mut inner = None;
        let len = match sign {
            b'+' | b'-' | b':' | b'_' | b'#' | b',' | b'(' => line,
            b'$' | b'=' | b'!' => match usize::try_from(number()?) {
                // A nil.
                Err(_) => line,
                Ok(body) if body > BODY_BYTES_MAX => return Err("a string without measure"),
                Ok(body) => {
                    let whole = line + body + 2;
                    if rest.len() < whole {
                        return Ok(None);
                    }
                    whole
                }
            },
            b'*' | b'~' | b'>' => {
                inner = Some(u64::try_from(number()?).unwrap_or(0));
                line
            }
            b'%' => {
                inner = Some(u64::try_from(number()?).unwrap_or(0).saturating_mul(2));
                line
            }
            _ => return Err("a reply of no known type"),
        };
        if let Some(left) = self.open.last_mut() {
            *left -= 1;
        }
        if let Some(inner) = inner {
            if self.open.len() == DEPTH_MAX {
                return Err("a reply that nests too deep");
            }
            self.open.push(inner);
        }
        Ok(Some(len))
    }
}

pub(super) fn line_end(bytes: &[u8]) -> Option<usize> {
    // Short lines are the rule.
    bytes.windows(2).position(|pair| pair == b"\r\n")
}

/// Returns `reply` with `prefix` removed from every string that begins with it, at any depth, and
/// from everywhere in errors and statuses, which may tell a key.
pub fn without_prefix(reply: &[u8], prefix: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(reply.len());
    let mut rest = reply;
    while let Some(end) = line_end(rest) {
        let (line, after) = rest.split_at(end + 2);
        let len = match line.first() {
            Some(b'$' | b'=' | b'!') => parse_int(&line[1..end]),
            _ => None,
        };
        rest = after;
        let body = len.and_then(|len| usize::try_from(len).ok()).and_then(|len| after.get(..len));
        let Some(body) = body else {
            match line.first() {
                Some(b'+' | b'-') => push_without(line, prefix, &mut out),
                _ => out.extend_from_slice(line),
            }
            continue;
        };
        match body.strip_prefix(prefix) {
            Some(short) if line[0] == b'$' => {
                out.extend(format!("${}\r\n", short.len()).as_bytes());
                out.extend_from_slice(short);
            }
            _ => {
                out.extend_from_slice(line);
                out.extend_from_slice(body);
            }
        }
        out.extend(b"\r\n");
        rest = after.get(body.len() + 2..).unwrap_or_default();
    }
    out
}

fn push_without(mut line: &[u8], word: &[u8], out: &mut Vec<u8>) {
    let find = |line: &[u8]| line.windows(word.len().max(1)).position(|part| part == word);
    while let Some(at) = find(line) {
        out.extend_from_slice(&line[..at]);
        line = &line[at + word.len()..];
    }
    out.extend_from_slice(line);
}

/// Returns the words of an array (or push) of strings or numbers, as many as are plain.
pub fn words(reply: &[u8], most: usize) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let Some(end) = line_end(reply) else { return found };
    let mut rest = &reply[end + 2..];
    while found.len() < most {
        let Some(end) = line_end(rest) else { break };
        let Some((&sign, text)) = rest[..end].split_first() else { break };
        let after = &rest[end + 2..];
        let len = parse_int(text).and_then(|len| usize::try_from(len).ok());
        match (sign, len) {
            (b'$', Some(len)) if after.len() >= len + 2 => {
                found.push(&after[..len]);
                rest = &after[len + 2..];
            }
            (b':' | b'+', _) => {
                found.push(text);
                rest = after;
            }
            (b'$' | b'_', _) => {
                found.push(b"");
                rest = after;
            }
            _ => break,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_into_its_commands() {
        let message = b"*2\r\n$3\r\nGET\r\n$1\r\na\r\n*1\r\n$4\r\nPING\r\n";
        let found = requests(message, 8).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].argv, [b"GET".as_slice(), b"a"]);
        assert_eq!(found[1].raw, b"*1\r\n$4\r\nPING\r\n");
        assert_eq!(command(&found[0].argv), found[0].raw);
    }

    #[test]
    fn what_is_no_command_is_named() {
        for (message, expect) in [
            (b"".as_slice(), "an empty message"),
            (b"PING\r\n", "a command begins with *, not with byte 0x50"),
            (b"*0\r\n", "a command of no words"),
            (b"*1\r\n", "the message ends in the middle of a command"),
            (b"*1\r\n:1\r\n", "each word of a command begins with $, not with byte 0x3a"),
            (b"*-1\r\n", "a length is no number"),
            (b"*1\r\n$9\r\nPING\r\n", "a word is longer than the message"),
            (b"*1\r\n$3\r\nPING\r\n", "a word does not end where its length says"),
            (b"*1\r\n$99999999999999999999\r\n", "a length is no number"),
            (b"*111111111111111111111111111111111111", "a length without an end of line"),
            (b"*1\r\n$9223372036854775807\r\nx\r\n", "a word is longer than the message"),
        ] {
            let text = String::from_utf8_lossy(message);
            assert_eq!(requests(message, 8), Err(expect.to_owned()), "{text:?}");
        }
        let many = command(&["PING"]).repeat(9);
        assert_eq!(requests(&many, 8), Err("more than 8 commands in one message".into()));
    }

    #[test]
    fn replies_end_where_they_end_however_they_come() {
        let replies: [&[u8]; 9] = [
            b"+OK\r\n",
            b"$-1\r\n",
            b"*-1\r\n",
            b"$4\r\na\r\nb\r\n",
            b"*2\r\n*1\r\n:1\r\n$0\r\n\r\n",
            b"%1\r\n+k\r\n~2\r\n#t\r\n_\r\n",
            b">2\r\n+message\r\n*0\r\n",
            b"=7\r\ntxt:abc\r\n",
            b"*3\r\n*0\r\n*0\r\n*1\r\n,1.5\r\n",
        ];
        let stream: Vec<u8> = replies.concat();
        for piece in 1..stream.len() {
            let mut framer = Framer::default();
            let mut found = Vec::new();
            for bytes in stream.chunks(piece) {
                framer.feed(bytes);
                while let Some(range) = framer.next_reply().unwrap() {
                    found.push(framer.bytes(range).to_vec());
                }
            }
            assert_eq!(found, replies, "in pieces of {piece}");
            assert_eq!(framer.waiting(), 0);
        }
    }

    #[test]
    fn no_byte_is_looked_at_twice() {
        let (line, pieces) = (vec![b'x'; 100_000], 16);
        let string = [b"$100000\r\n", line.as_slice(), b"\r\n"].concat();
        let status = [b"+", line.as_slice(), b"\r\n"].concat();
        for reply in [
            string,
            status,
            b"*20000\r\n".iter().chain(&b":1\r\n".repeat(20_000)).copied().collect(),
        ] {
            let mut framer = Framer::default();
            let mut found = 0;
            for piece in reply.chunks(pieces) {
                framer.feed(piece);
                while framer.next_reply().unwrap().is_some() {
                    found += 1;
                }
            }
            assert_eq!(found, 1);
            // The two bytes of an end, again with each piece.
            let most = reply.len() + 2 * reply.len() / pieces + 16;
            assert!(framer.looked <= most, "{} of {}", framer.looked, reply.len());
        }
    }

    #[test]
    fn nonsense_from_upstream_is_an_error_not_a_panic() {
        for bytes in [b"x\r\n".as_slice(), b"\r\n", b"*x\r\n", b"$9223372036854775807\r\n"] {
            let mut framer = Framer::default();
            framer.feed(bytes);
            assert!(framer.next_reply().is_err(), "{bytes:?}");
        }
        let mut framer = Framer::default();
        framer.feed(&b"*1\r\n".repeat(DEPTH_MAX + 1));
        assert!(framer.next_reply().is_err());
    }

    #[test]
    fn the_prefix_goes_from_strings_errors_and_statuses() {
        let reply = b"*3\r\n$7\r\np:stock\r\n+p:x\r\n*2\r\n$2\r\np:\r\n$-1\r\n";
        let expect = b"*3\r\n$5\r\nstock\r\n+x\r\n*2\r\n$0\r\n\r\n$-1\r\n";
        let error = b"-NOGROUP No such key 'p:s' or group 'p:g'\r\n";
        let without = b"-NOGROUP No such key 's' or group 'g'\r\n";
        assert_eq!(without_prefix(error, b"p:"), without);
        assert_eq!(without_prefix(reply, b"p:"), expect);
        assert_eq!(without_prefix(b"$5\r\n\r\np:x\r\n", b"p:"), b"$5\r\n\r\np:x\r\n");
    }

    #[test]
    fn a_refusal_is_one_reply() {
        assert_eq!(refusal("no\r\n+OK"), b"-PROXY no  +OK\r\n");
    }

    #[test]
    fn words_of_a_pushed_message() {
        let reply = b"*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n";
        assert_eq!(words(reply, 9), [b"subscribe".as_slice(), b"c", b"1"]);
        assert!(words(b"*1\r\n*0\r\n", 9).is_empty());
    }
}
