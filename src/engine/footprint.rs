//! Footprints: the keys that a command names, found from its row before it runs. Used for
//! explanations and race windows, and in a test against the access log ([`super::access`], by which
//! the checker commutes steps).
//!
//! [`may_draw`] decides which steps have outcomes to choose from. A command that draws, that
//! depends on the whole keyspace or that changes it, is listed here by name.

use super::command::{Begin, Command, Find, KeySpec, lookup, row_of};
use super::commands::keys_of;
use ground::resp::Bytes;

/// The keys that a command may read and write. A key that is written is not listed as read too.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Footprint {
    pub reads: Vec<Bytes>,
    pub writes: Vec<Bytes>,
    /// True if it depends on the keyspace as a whole (KEYS, SCAN, DBSIZE, RANDOMKEY, SORT BY).
    pub reads_keyspace: bool,
    /// True if it may change any key (FLUSHALL, SWAPDB; a script's undeclared keys are not
    /// counted).
    pub writes_keyspace: bool,
    /// True if it acts on other connections or on the server: PUBLISH, CLIENT, CONFIG SET, SCRIPT
    /// LOAD ...
    pub touches_server: bool,
    /// True if it consumes randomness: SPOP, RANDOMKEY, SRANDMEMBER ...
    pub is_random: bool,
}

/// Returns true if this command may draw at random. Scripts and transactions may call one that
/// does.
pub fn may_draw(argv: &[Bytes]) -> bool {
    let Some(command) = argv.first().and_then(|name| lookup(name)) else { return false };
    command.group == super::Group::Scripting
        || matches!(command.name, "acl" | "exec")
        || footprint(argv).is_random
}

/// Returns the footprint of `argv`; an unknown command's is empty, as it changes nothing.
pub fn footprint(argv: &[Bytes]) -> Footprint {
    let mut footprint = Footprint::default();
    let Some(command) = row_of(argv) else { return footprint };
    for (key, writes) in key_uses(command, argv) {
        let list = if writes { &mut footprint.writes } else { &mut footprint.reads };
        if !list.contains(&key) {
            list.push(key);
        }
    }
    footprint.reads.retain(|key| !footprint.writes.contains(key));
    use super::Group::*;
    match command.name {
        "keys" | "scan" | "dbsize" | "randomkey" | "sort" | "sort_ro" => {
            footprint.reads_keyspace = true;
        }
        "flushall" | "flushdb" | "swapdb" | "move" | "copy" => footprint.writes_keyspace = true,
        _ => {}
    }
    footprint.touches_server = matches!(command.group, PubSub | Server | Connection | Cluster)
        && !matches!(command.name, "ping" | "echo" | "time" | "dbsize" | "select")
        && !footprint.writes_keyspace;
    footprint.is_random =
        matches!(command.name, "spop" | "srandmember" | "hrandfield" | "zrandmember" | "randomkey");
    footprint
}

/// Returns each key among `argv`, and true if it may be written.
pub(super) fn key_uses(command: &Command, argv: &[Bytes]) -> Vec<(Bytes, bool)> {
    let mut uses = Vec::new();
    for (at, spec) in key_positions(command, argv) {
        let mut writes = spec.flags.iter().any(|flag| matches!(*flag, "RW" | "OW" | "RM"));
        if spec.flags.contains(&"variable_flags") {
            writes = keys_of::writes_really(command, argv).unwrap_or(writes);
        }
        if let Some(key) = argv.get(at) {
            uses.push((key.clone(), writes));
        }
    }
    uses.extend(keys_of::unspecified(command, argv));
    uses
}

/// Returns each key among `argv`, and the flags of its specification.
pub(super) fn key_uses_flags(command: &Command, argv: &[Bytes]) -> Vec<(Bytes, Vec<&'static str>)> {
    let found = key_positions(command, argv);
    let shown = |spec: &KeySpec| -> Vec<&'static str> {
        if spec.flags.contains(&"variable_flags")
            && let Some(flags) = keys_of::flags_really(command, argv)
        {
            return flags.to_vec();
        }
        spec.flags.iter().copied().filter(|f| *f != "incomplete").collect()
    };
    let mut uses: Vec<(Bytes, Vec<&'static str>)> = found
        .into_iter()
        .filter_map(|(at, spec)| Some((argv.get(at)?.clone(), shown(spec))))
        .collect();
    for (key, _) in keys_of::unspecified(command, argv) {
        uses.push((key, vec!["OW", "update"]));
    }
    uses
}

/// Returns the positions of the keys that the specifications find.
pub(super) fn key_positions<'c>(command: &'c Command, argv: &[Bytes]) -> Vec<(usize, &'c KeySpec)> {
    let mut positions = Vec::new();
    for spec in &command.keys {
        let Some(first) = begin(spec, argv) else { continue };
        match spec.find {
            Find::Range { last, step, limit } => {
                let last = match last {
                    last if last >= 0 => first + last as usize,
                    // A limit of n: only the first n-th of the arguments from there on.
                    _ if limit > 1 => first + (argv.len() - first) / limit - 1,
                    last => argv.len().saturating_sub(last.unsigned_abs() as usize),
                };
                let last = last.min(argv.len() - 1);
                let range = (first..=last).step_by(step.max(1));
                positions.extend(range.map(|at| (at, spec)));
            }
            Find::KeyNum { count, first: offset, step } => {
                let number =
                    argv.get(first + count).map(|arg| ground::resp::number::parse_int(arg));
                let Some(Some(n)) = number else { continue };
                let range = (first + offset..argv.len()).step_by(step.max(1));
                let n = usize::try_from(n).unwrap_or(0);
                positions.extend(range.take(n).map(|at| (at, spec)));
            }
            Find::Unknown => {}
        }
    }
    positions
}

/// Returns true if there are as many arguments as each count of keys asks for.
pub(super) fn has_all_keys(command: &Command, argv: &[Bytes]) -> bool {
    command.keys.iter().all(|spec| match (begin(spec, argv), spec.find) {
        (Some(at), Find::KeyNum { count, first, step }) => {
            let number = argv.get(at + count).and_then(|arg| ground::resp::number::parse_int(arg));
            let number = number.and_then(|n| usize::try_from(n).ok());
            number.and_then(|n| n.checked_mul(step)).is_some_and(|n| n <= argv.len() - at - first)
        }
        _ => true,
    })
}

fn begin(spec: &KeySpec, argv: &[Bytes]) -> Option<usize> {
    let first = match spec.begin {
        Begin::Index(index) => index,
        Begin::Keyword(word, from) => {
            let is_word = |at: &usize| argv[*at].eq_ignore_ascii_case(word.as_bytes());
            let at = if from >= 0 {
                (from as usize..argv.len()).find(is_word)
            } else {
                (1..argv.len().saturating_sub(from.unsigned_abs() as usize - 1)).rev().find(is_word)
            };
            at? + 1
        }
        Begin::Unknown => return None,
    };
    (first < argv.len()).then_some(first)
}
