//! Confines a visitor's keys on a server that others use: every key and channel of a command gets
//! the visitor's prefix, at the positions that the command table names.
//!
//! Without the server's help this is sound only for commands whose keys the table finds for
//! certain; the policy refuses the others. If the server has a user for the visitor, it refuses all
//! other keys itself (`~prefix*`).

use engine::{Begin, Command, Find, Group, KeySpec};
use ground::resp::number::parse_int;

/// Returns the positions in `argv` that get the prefix, in order; an error refuses the command.
pub fn positions(command: &Command, argv: &[&[u8]]) -> Result<Vec<usize>, String> {
    if !command.arity_fits(argv.len()) {
        // Redis says what is missing, and touches nothing.
        return Ok(Vec::new());
    }
    if command.group == Group::PubSub {
        let last = if command.name.ends_with("publish") { 2 } else { argv.len() };
        return Ok((1..last.min(argv.len())).collect());
    }
    let mut found = Vec::new();
    for spec in &command.keys {
        one(spec, argv, &mut found).ok_or_else(|| {
            format!("the proxy cannot tell the keys of this {} apart", command.name)
        })?;
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Appends the positions that one specification finds; `None` if it cannot know them.
fn one(spec: &KeySpec, argv: &[&[u8]], found: &mut Vec<usize>) -> Option<()> {
    let is_word = |at: &usize, word: &str| argv[*at].eq_ignore_ascii_case(word.as_bytes());
    let first = match spec.begin {
        Begin::Index(index) => index,
        Begin::Keyword(word, from) => {
            let at = match usize::try_from(from) {
                Ok(from) => (from..argv.len()).find(|at| is_word(at, word)),
                Err(_) => {
                    let end = argv.len().saturating_sub(from.unsigned_abs() as usize - 1);
                    (1..end).rev().find(|at| is_word(at, word))
                }
            };
            match at {
                Some(at) => at + 1,
                // An option that is not there.
                None => return Some(()),
            }
        }
        Begin::Unknown => return None,
    };
    if first >= argv.len() {
        return Some(());
    }
    match spec.find {
        Find::Range { last, step, limit } => {
            let last = match usize::try_from(last) {
                Ok(last) => first + last,
                Err(_) if limit > 1 => first + ((argv.len() - first) / limit).checked_sub(1)?,
                Err(_) => argv.len().saturating_sub(last.unsigned_abs() as usize),
            };
            found.extend((first..=last.min(argv.len() - 1)).step_by(step.max(1)));
        }
        Find::KeyNum { count, first: offset, step } => {
            // A count that is written in another way (`+1`, `01`, `1.0`) could be one to Redis.
            let n = match argv.get(first + count) {
                Some(text) => parse_int(text)?,
                None => 0,
            };
            // Of a negative one Redis says so, and touches nothing.
            let n = usize::try_from(n).unwrap_or(0);
            let range = (first + offset..argv.len()).step_by(step.max(1));
            found.extend(range.take(n));
        }
        Find::Unknown => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Ground, Policy, resolve};
    use engine::commands;

    /// The command with its keys in brackets.
    fn marked(line: &str) -> String {
        let argv: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
        let at = positions(resolve(&argv).unwrap(), &argv).unwrap();
        let mark = |(i, word): (usize, &str)| match at.contains(&i) {
            true => format!("[{word}]"),
            false => word.to_owned(),
        };
        line.split(' ').enumerate().map(mark).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn keys_and_channels_are_found() {
        for expect in [
            "GET [a]",
            "MSET [a] 1 [b] 2",
            "DEL [a] [b] [c]",
            "BLPOP [a] [b] 0",
            "EVAL return 2 [a] [b] x y",
            "EVALSHA x 0 a",
            "ZUNIONSTORE [d] 2 [a] [b] WEIGHTS 1 2",
            "LMPOP 2 [a] [b] LEFT",
            "BLMPOP 0 1 [a] LEFT",
            "XREAD COUNT 1 STREAMS [a] [b] 0 0",
            "XREADGROUP GROUP g c STREAMS [a] >",
            "XADD [a] * f v",
            "BITOP AND [d] [a] [b]",
            "OBJECT ENCODING [a]",
            "GEOSEARCHSTORE [d] [s] FROMMEMBER m BYRADIUS 1 m",
            "SUBSCRIBE [a] [b]",
            "UNSUBSCRIBE",
            "PUBLISH [c] a",
            "WATCH [a] [b]",
            "SINTERCARD 2 [a] [b] LIMIT 1",
            "PING a",
            "MULTI",
            "GET",
        ] {
            let line = expect.replace(['[', ']'], "");
            assert_eq!(marked(&line), expect);
        }
    }

    #[test]
    fn a_count_that_is_no_plain_number_is_refused() {
        for line in
            ["ZUNION +1 k", "ZUNION 01 k", "ZUNION 1.0 k", "EVAL return x a", "LMPOP x k LEFT"]
        {
            let argv: Vec<&[u8]> = line.split(' ').map(str::as_bytes).collect();
            let why = positions(resolve(&argv).unwrap(), &argv).unwrap_err();
            assert!(why.contains("cannot tell the keys"), "{line}: {why}");
        }
    }

    /// Whatever is allowed on a shared server has keys that the table finds for certain.
    #[test]
    fn nothing_allowed_has_keys_that_cannot_be_found() {
        let policy = Policy::named("open").unwrap();
        for command in commands() {
            if policy.refuses(command, Ground::Prefix { user: true }).is_some() {
                continue;
            }
            for spec in &command.keys {
                let certain = !matches!(spec.begin, Begin::Unknown)
                    && !matches!(spec.find, Find::Unknown)
                    && !spec.flags.contains(&"incomplete");
                assert!(certain, "{}", command.name);
            }
        }
    }
}
