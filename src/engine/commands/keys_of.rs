//! Keys that a row's specifications cannot find, because words among the arguments decide.

use crate::engine::args::is;
use crate::engine::command::Command;
use crate::resp::Bytes;

/// For a row whose flags vary: whether this call writes.
pub fn writes_really(command: &Command, argv: &[Bytes]) -> Option<bool> {
    match command.name {
        // BITFIELD with nothing but GET reads.
        "bitfield" => Some(argv[2..].iter().any(|arg| is(arg, "SET") || is(arg, "INCRBY"))),
        _ => None,
    }
}

/// `(key, whether it may be written)`
pub fn unspecified(command: &Command, argv: &[Bytes]) -> Vec<(Bytes, bool)> {
    let after = |word: &str| {
        let at = argv.iter().skip(2).rposition(|arg| is(arg, word))? + 3;
        argv.get(at).map(|key| (key.clone(), true))
    };
    match command.name {
        "sort" => after("STORE").into_iter().collect(),
        _ => Vec::new(),
    }
}
