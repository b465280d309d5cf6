//! Splits a master's replication stream into writes, and holds them back until they are released.
//! Bytes in, bytes out; nothing here waits.
//!
//! Contract: bytes pass in their order and unchanged. The full copy at the beginning passes at
//! once, as does everything that is no write (SELECT, PING, REPLCONF GETACK, PUBLISH) while no
//! write is held before it. A write is one command, or a transaction from MULTI to EXEC; it passes
//! as a whole. Positions are replication offsets, as both servers count them.

use std::collections::VecDeque;

use super::limits::{HELD_BYTES_MAX, HELD_WRITES_MAX};
use super::wire::{self, Framer};

/// The longest line of the handshake, in bytes.
const LINE_BYTES_MAX: usize = 64 * 1024;
/// Commands that carry no data.
const FREE: [&[u8]; 5] = [b"SELECT", b"PING", b"REPLCONF", b"PUBLISH", b"SPUBLISH"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Replies to the replica's handshake, a line each.
    Handshake,
    /// A full copy is announced; its length comes next.
    Copy,
    /// This number of bytes of it are left.
    Payload(usize),
    /// Commands.
    Stream,
}

/// Commands that are released together.
#[derive(Debug)]
struct Unit {
    bytes: Vec<u8>,
    writes: bool,
}

#[derive(Debug)]
pub struct Held {
    stage: Stage,
    /// The beginning of a line that has not ended.
    line: Vec<u8>,
    framer: Framer,
    /// A transaction that has not ended.
    open: Option<Vec<u8>>,
    units: VecDeque<Unit>,
    bytes: usize,
    writes: usize,
    /// Bytes that may pass at once.
    out: Vec<u8>,
    /// The offset after the last byte that has passed.
    passed: u64,
    /// Writes that end at this offset or before may pass.
    until: u64,
    /// The number of writes that passed because too much was held.
    pushed_out: u64,
    /// The offset from which the replica asked to continue.
    asked: Option<u64>,
    from_replica: Framer,
}

impl Default for Held {
    fn default() -> Self {
        Self {
            stage: Stage::Handshake,
            line: Vec::new(),
            framer: Framer::default(),
            open: None,
            units: VecDeque::new(),
            bytes: 0,
            writes: 0,
            out: Vec::new(),
            passed: 0,
            until: 0,
            pushed_out: 0,
            asked: None,
            from_replica: Framer::default(),
        }
    }
}

impl Held {
    /// Returns true if the replica has its copy and receives the stream.
    pub fn streams(&self) -> bool {
        self.stage == Stage::Stream
    }

    /// Returns the number of writes held.
    pub fn writes(&self) -> usize {
        self.writes
    }

    /// Returns the offset after everything that has passed.
    pub fn passed(&self) -> u64 {
        self.passed
    }

    /// Returns the offset after all whole commands received.
    pub fn seen(&self) -> u64 {
        self.passed + self.bytes as u64
    }

    /// Returns the number of writes that passed without an order, because too much was held.
    pub fn pushed_out(&self) -> u64 {
        self.pushed_out
    }

    /// Releases the next write, with everything before it; returns the offset after it. `None` if
    /// none is held.
    pub fn release_next(&mut self) -> Option<u64> {
        let mut end = self.passed;
        for unit in &self.units {
            end += unit.bytes.len() as u64;
            if unit.writes {
                self.until = self.until.max(end);
                return Some(end);
            }
        }
        None
    }

    /// Releases everything that ends at `until` or before, also what is still to come.
    pub fn release(&mut self, until: u64) {
        self.until = self.until.max(until);
    }

    /// Takes the bytes to write to the replica now.
    pub fn take(&mut self) -> Vec<u8> {
        while let Some(unit) = self.units.front() {
            let end = self.passed + unit.bytes.len() as u64;
            let full = self.writes > HELD_WRITES_MAX || self.bytes > HELD_BYTES_MAX;
            if unit.writes && end > self.until {
                if !full {
                    break;
                }
                self.pushed_out += 1;
            }
            let Some(unit) = self.units.pop_front() else { break };
            self.passed = end;
            self.bytes -= unit.bytes.len();
            self.writes -= usize::from(unit.writes);
            self.out.extend(unit.bytes);
        }
        std::mem::take(&mut self.out)
    }

    /// Takes bytes from the replica, which pass unchanged: only the offset it wants to continue
    /// from is read.
    pub fn replica(&mut self, bytes: &[u8]) {
        if self.stage != Stage::Handshake {
            return;
        }
        self.from_replica.feed(bytes);
        while let Ok(Some(range)) = self.from_replica.next_reply() {
            let words = wire::words(self.from_replica.bytes(range), 3);
            if let [name, _, offset] = words[..]
                && name.eq_ignore_ascii_case(b"PSYNC")
            {
                self.asked = std::str::from_utf8(offset).ok().and_then(|text| text.parse().ok());
            }
        }
    }

    /// Takes bytes from the master. An error says why the link cannot go on.
    pub fn master(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        while !bytes.is_empty() {
            bytes = match self.stage {
                Stage::Handshake | Stage::Copy => self.line(bytes)?,
                Stage::Payload(left) => {
                    let (now, rest) = bytes.split_at(left.min(bytes.len()));
                    self.out.extend_from_slice(now);
                    self.stage = match left - now.len() {
                        0 => Stage::Stream,
                        left => Stage::Payload(left),
                    };
                    rest
                }
                Stage::Stream => {
                    self.framer.feed(bytes);
                    self.commands()?;
                    &[]
                }
            };
        }
        Ok(())
    }

    /// Takes one line, or the part of it that has arrived; returns the bytes after it.
    fn line<'b>(&mut self, bytes: &'b [u8]) -> Result<&'b [u8], String> {
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            self.line.extend_from_slice(bytes);
            return match self.line.len() > LINE_BYTES_MAX {
                true => Err("the master's answer is too long".into()),
                false => Ok(&[]),
            };
        };
        let (now, rest) = bytes.split_at(end + 1);
        self.line.extend_from_slice(now);
        let line = std::mem::take(&mut self.line);
        self.out.extend_from_slice(&line);
        let text = String::from_utf8_lossy(&line);
        let mut words = text.split_whitespace();
        let number = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok());
        match (self.stage, words.next()) {
            (Stage::Handshake, Some("+FULLRESYNC")) => {
                let offset = number(words.nth(1)).ok_or("a full copy from nowhere")?;
                (self.passed, self.until) = (offset, offset);
                self.stage = Stage::Copy;
            }
            (Stage::Handshake, Some("+CONTINUE")) => {
                let from = self.asked.and_then(|from| from.checked_sub(1));
                let from = from.ok_or("the stream goes on from nowhere")?;
                (self.passed, self.until) = (from, from);
                self.stage = Stage::Stream;
            }
            (Stage::Copy, Some(word)) => {
                let len = word.strip_prefix('$').and_then(|len| len.parse::<usize>().ok());
                let len = len.ok_or_else(|| format!("a copy of unknown length ({word})"))?;
                self.stage = if len == 0 { Stage::Stream } else { Stage::Payload(len) };
            }
            // Empty lines say that the copy is being made.
            _ => {}
        }
        Ok(rest)
    }

    fn commands(&mut self) -> Result<(), String> {
        loop {
            let next = self.framer.next_reply();
            let next = next.map_err(|what| format!("the master sent no command ({what})"))?;
            let Some(range) = next else { break };
            let bytes = self.framer.bytes(range).to_vec();
            let name = wire::words(&bytes, 1).first().map(|name| name.to_ascii_uppercase());
            let name = name.unwrap_or_default();
            match (&mut self.open, name.as_slice()) {
                (Some(open), _) => {
                    open.extend_from_slice(&bytes);
                    if name == b"EXEC"
                        && let Some(whole) = self.open.take()
                    {
                        self.push(whole, true);
                    }
                }
                (None, b"MULTI") => self.open = Some(bytes),
                (None, name) => {
                    let writes = !FREE.contains(&name);
                    self.push(bytes, writes);
                }
            }
        }
        let open = self.open.as_ref().map_or(0, Vec::len) + self.framer.waiting();
        match open > HELD_BYTES_MAX {
            true => Err(format!("one write of more than {HELD_BYTES_MAX} bytes")),
            false => Ok(()),
        }
    }

    fn push(&mut self, bytes: Vec<u8>, writes: bool) {
        self.bytes += bytes.len();
        self.writes += usize::from(writes);
        self.units.push_back(Unit { bytes, writes });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Vec<u8> {
        wire::command(&line.split(' ').collect::<Vec<_>>())
    }

    /// The beginning, with a copy that looks like anything; the stream goes on from 100.
    fn start() -> Vec<u8> {
        let copy = b"REDIS\r\n*1\r\n$4\r\nPING\r\n+CONTINUE\r\n\0\xff$3\r\n";
        let mut bytes = b"+PONG\r\n+OK\r\n+OK\r\n\n+FULLRESYNC abc 100\r\n\n\n".to_vec();
        bytes.extend(format!("${}\r\n", copy.len()).as_bytes());
        bytes.extend(copy);
        bytes
    }

    fn begun() -> Held {
        let mut held = Held::default();
        held.master(&start()).unwrap();
        assert_eq!(held.take(), start());
        assert!(held.streams() && held.seen() == 100);
        held
    }

    #[test]
    fn frames_are_the_same_wherever_they_are_cut() {
        let free = [command("SELECT 0"), command("PING")].concat();
        let set = wire::command(&["SET", "k", "a\r\n*1\r\n$4\r\nEXEC\r\n"]);
        let transaction = ["MULTI", "SET a 1", "PING", "DEL b", "EXEC"].map(command).concat();
        let behind = command("REPLCONF GETACK *");
        let stream = [&free[..], &set, &transaction, &behind].concat();
        let all = [start(), stream.clone()].concat();
        for cut in 0..=all.len() {
            for pieces in [vec![&all[..cut], &all[cut..]], all.chunks(1 + cut % 7).collect()] {
                let (mut held, mut passed) = (Held::default(), Vec::new());
                for piece in pieces {
                    held.master(piece).unwrap();
                    passed.extend(held.take());
                }
                assert_eq!(passed, [&start()[..], &free].concat(), "{cut}");
                assert_eq!((held.writes(), held.seen()), (2, 100 + stream.len() as u64));
                let first = held.release_next();
                assert_eq!(first, Some(100 + (free.len() + set.len()) as u64));
                assert_eq!(held.take(), set, "{cut}");
                assert_eq!(held.release_next(), Some(first.unwrap() + transaction.len() as u64));
                assert_eq!(held.take(), [&transaction[..], &behind].concat(), "{cut}");
                assert_eq!((held.writes(), held.release_next()), (0, None));
            }
        }
    }

    #[test]
    fn what_is_no_write_waits_behind_one() {
        let mut held = begun();
        for line in ["PING", "REPLCONF GETACK *", "PUBLISH c m", "SELECT 1"] {
            held.master(&command(line)).unwrap();
            assert_eq!(held.take(), command(line), "{line}");
        }
        held.master(&command("INCR n")).unwrap();
        held.master(&command("REPLCONF GETACK *")).unwrap();
        assert_eq!(held.take(), b"");
        held.release_next();
        assert_eq!(held.take(), [command("INCR n"), command("REPLCONF GETACK *")].concat());
    }

    #[test]
    fn a_release_up_to_an_offset_holds_for_what_is_still_to_come() {
        let mut held = begun();
        let writes = ["INCR a", "INCR b", "INCR c"].map(command);
        held.release(100 + (writes[0].len() + writes[1].len()) as u64);
        for write in &writes {
            held.master(write).unwrap();
        }
        assert_eq!(held.take(), writes[..2].concat());
        assert_eq!(held.writes(), 1);
        // An earlier offset takes nothing back.
        held.release(100);
        assert_eq!(held.take(), b"");
    }

    #[test]
    fn a_replica_that_goes_on_is_counted_from_where_it_asked() {
        let mut held = Held::default();
        let psync = wire::command(&["PSYNC", "abc", "501"]);
        for byte in [command("PING"), psync].concat() {
            held.replica(&[byte]);
        }
        held.master(b"+CONTINUE abc\r\n").unwrap();
        held.master(&command("INCR a")).unwrap();
        assert_eq!(held.take(), b"+CONTINUE abc\r\n");
        assert_eq!(held.release_next(), Some(500 + command("INCR a").len() as u64));
    }

    #[test]
    fn what_is_held_has_a_bound() {
        let mut held = begun();
        let write = command("INCR a");
        for _ in 0..HELD_WRITES_MAX {
            held.master(&write).unwrap();
        }
        assert_eq!(held.take(), b"");
        held.master(&write).unwrap();
        assert_eq!(held.take(), write);
        assert_eq!((held.writes(), held.pushed_out()), (HELD_WRITES_MAX, 1));
        let mut held = begun();
        held.master(format!("*2\r\n$3\r\nSET\r\n${}\r\n", HELD_BYTES_MAX + 1).as_bytes()).unwrap();
        let error = held.master(&vec![b'x'; HELD_BYTES_MAX + 1]).unwrap_err();
        assert!(error.contains("one write"), "{error}");
    }

    #[test]
    fn what_cannot_be_cut_ends_the_link() {
        for (bytes, what) in [
            ("+FULLRESYNC abc 1\r\n$EOF:0123\r\n", "unknown length"),
            ("+FULLRESYNC abc x\r\n", "from nowhere"),
            ("+CONTINUE\r\n", "from nowhere"),
            ("+FULLRESYNC abc 1\r\n$0\r\nhello\r\n", "no command"),
        ] {
            let error = Held::default().master(bytes.as_bytes()).unwrap_err();
            assert!(error.contains(what), "{bytes:?}: {error}");
        }
    }
}
