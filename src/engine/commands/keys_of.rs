//! Keys that a row's specifications cannot find, because other arguments decide where they are.

use crate::args::is;
use crate::command::Command;
use ground::resp::Bytes;

/// For a row with `variable_flags`: returns whether this call writes.
pub fn writes_really(command: &Command, argv: &[Bytes]) -> Option<bool> {
    match command.name {
        // BITFIELD with nothing but GET reads.
        "bitfield" => Some(argv[2..].iter().any(|arg| is(arg, "SET") || is(arg, "INCRBY"))),
        _ => None,
    }
}

/// For a row with `variable_flags`: returns the flags of this call.
pub fn flags_really(command: &Command, argv: &[Bytes]) -> Option<&'static [&'static str]> {
    match command.name {
        "set" if argv[2..].iter().skip(1).any(|arg| is(arg, "GET")) => {
            Some(&["RW", "access", "update"])
        }
        "set" => Some(&["OW", "update"]),
        "bitfield" if writes_really(command, argv) == Some(false) => Some(&["RO", "access"]),
        "bitfield" => Some(&["RW", "access", "update"]),
        _ => None,
    }
}

/// Returns each such key, and true if it may be written.
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
