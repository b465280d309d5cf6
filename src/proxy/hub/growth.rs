//! What a command may add to the memory that a visitor's keys take on a shared server.
//!
//! Contract: never less than Redis takes for it, but for scripts. To add a command whose effect is
//! not proportional to its arguments, name it in [`Growth::of`].

use engine::{Command, Flags, Group};
use ground::resp::number::parse_int;

/// Redis's bookkeeping for a word: at most a member's entries in a skip list and a hash table.
const WORD_BYTES: u64 = 96;
/// A HyperLogLog that is dense.
const SKETCH_BYTES: u64 = 13_000;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Growth {
    /// It removes, or changes nothing in size: allowed even to a visitor who has too much.
    #[default]
    None,
    Bytes(u64),
    /// It stores what it makes of other keys: not more than there is. Scripts are taken for such,
    /// and what a stream keeps for its readers; only measuring tells what they took.
    Copies,
}

impl Growth {
    pub fn of(command: &Command, argv: &[&[u8]]) -> Self {
        if command.group == Group::Scripting {
            return Self::Copies;
        }
        let number = |at: usize| -> u64 {
            let n = argv.get(at).and_then(|word| parse_int(word)).unwrap_or(0);
            u64::try_from(n).unwrap_or(0)
        };
        let more = match command.name {
            "xreadgroup" | "xclaim" | "xautoclaim" => return Self::Copies,
            _ if !command.flags.has(Flags::DENYOOM) => return Self::None,
            "bitop" | "pfmerge" => return Self::Copies,
            name if name.ends_with("store") => return Self::Copies,
            "setrange" => number(2),
            "setbit" => number(2) / 8,
            // `#N` counts in fields, of 64 bits at most; N alone in bits.
            "bitfield" => argv.iter().map(|word| offset(word)).max().unwrap_or(0),
            "pfadd" => SKETCH_BYTES,
            _ => 0,
        };
        let words = argv.iter().map(|word| word.len() as u64 + WORD_BYTES).sum::<u64>();
        Self::Bytes(words.saturating_add(more))
    }
}

fn offset(word: &[u8]) -> u64 {
    let number = |digits| u64::try_from(parse_int(digits).unwrap_or(0)).unwrap_or(0);
    match word.strip_prefix(b"#") {
        Some(fields) => number(fields).saturating_mul(8),
        None => number(word) / 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::resolve;

    #[test]
    fn a_command_counts_for_all_that_it_may_add() {
        let of = |line: &str| {
            let argv: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
            Growth::of(resolve(&argv).unwrap(), &argv)
        };
        for line in ["DEL k", "LPOP k", "EXPIRE k 1", "ZREM k m", "RENAME a b"] {
            assert_eq!(of(line), Growth::None, "{line}");
        }
        for line in ["SUNIONSTORE d a", "ZRANGESTORE d a 0 1", "BITOP AND d a b", "PFMERGE d a"] {
            assert_eq!(of(line), Growth::Copies, "{line}");
        }
        for line in ["EVAL x 0", "EVALSHA x 0", "XREADGROUP GROUP g c STREAMS s >"] {
            assert_eq!(of(line), Growth::Copies, "{line}");
        }
        for (line, least) in [
            ("SET k 12345", 5),
            ("SETRANGE k 1000000 x", 1_000_001),
            ("SETBIT k 8000000 1", 1_000_000),
            ("BITFIELD k SET u8 8000000 1", 1_000_000),
            ("BITFIELD k SET i64 #1000000 1", 8_000_000),
            ("PFADD k m", 12_304),
        ] {
            let Growth::Bytes(bytes) = of(line) else { panic!("{line}") };
            assert!((least..least + 2000).contains(&bytes), "{line}: {bytes}");
        }
    }
}
