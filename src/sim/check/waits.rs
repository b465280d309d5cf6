//! Can nobody get stuck, whatever happens? Read off the texts of the programs, before any search.
//!
//! A client that cannot go on sleeps, or waits for a reply, a message or a mutex. All of that has
//! an end but a mutex, a blocking command without a timeout, and a script that never ends. Where no
//! program has one of these, time can always move, and somebody goes on.
//!
//! That a program has none is seen only where it speaks plainly: the names of its commands stand
//! there in quotes, and it puts no texts together that could be a name or a script. Otherwise the
//! answer is no, and a search has to tell.

use crate::engine::{self, Flags, Group};
use crate::lua;

use super::super::scenario::Scenario;

/// Names with which a program can make texts, reach functions by texts, wait for a mutex, or stay
/// long in a script.
const UNCLEAR: [&str; 30] = [
    "_G",
    "char",
    "cjson",
    "cmsgpack",
    "concat",
    "debug",
    "dofile",
    "find",
    "foreach",
    "foreachi",
    "format",
    "getfenv",
    "getmetatable",
    "gmatch",
    "gsub",
    "load",
    "loadstring",
    "lower",
    "match",
    "next",
    "pairs",
    "rawget",
    "rep",
    "reverse",
    "setfenv",
    "setmetatable",
    "struct",
    "sub",
    "synchronized",
    "upper",
];

/// What makes a script more than a straight line.
const ROUNDS: [&str; 4] = ["for", "function", "repeat", "while"];

/// Commands that wait, their last argument being for how long at most; 0 is for ever.
const TIMEOUT_IS_LAST: [&str; 7] =
    ["blmove", "blpop", "brpop", "brpoplpush", "bzpopmax", "bzpopmin", "wait"];

/// Commands that put texts together or take them apart.
const MAKES_TEXTS: [&str; 7] =
    ["append", "dump", "getrange", "lcs", "restore", "setrange", "substr"];

/// Is it certain that somebody can always go on, or everybody is at the end?
pub fn nobody_gets_stuck(scenario: &Scenario) -> bool {
    let given = scenario.nodes.iter().flat_map(|node| node.setup.iter().flatten());
    given.into_iter().all(|word| is_harmless(&String::from_utf8_lossy(word)))
        && scenario.clients.iter().all(|client| is_plain(client.program.source()))
}

fn is_plain(source: &[u8]) -> bool {
    let Ok(tokens) = lua::tokens(source) else { return false };
    let words: Vec<&str> = tokens.iter().map(|(_, word)| word.as_str()).collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    (0..words.len()).all(|at| {
        let before = at.checked_sub(1).map_or("", word);
        match (words[at], word(at + 1)) {
            // A name that is put together has something between its parts, or a number in it.
            ("..", after) => {
                let end = quoted(before).and_then(|text| text.chars().next_back());
                let start = quoted(after).and_then(|text| text.chars().next());
                end.into_iter().chain(start).any(|c| !is_word(c)) || is_counter(&words, after)
            }
            ("redis", after) => after == ".",
            ("call" | "pcall", "(") if quoted(word(at + 2)).is_some() => {
                comes_back(&words[at + 2..])
            }
            ("pcall", "(") => word(at + 2) == "function" && !matches!(before, "." | ":"),
            ("call" | "pcall", _) => false,
            (name, _) => match quoted(name) {
                Some(text) => is_harmless(text),
                None => !UNCLEAR.contains(&name),
            },
        }
    })
}

/// Is this a variable that only counts, `for name = …`, and is read behind operators?
fn is_counter(words: &[&str], name: &str) -> bool {
    const OPERATORS: [&str; 12] = ["..", "[", "+", "-", "*", "/", "%", "^", "<", "<=", ">", ">="];
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let next = |at: usize| words.get(at + 1).copied().unwrap_or_default();
    let begins = |at: usize| words[at - 1] == "for" && next(at) == "=";
    let is_used = |at: usize| {
        let is_more = quoted(next(at)).is_some() || matches!(next(at), "(" | "." | ":" | "[" | "{");
        OPERATORS.contains(&words[at - 1]) && !is_more
    };
    let places = || (1..words.len()).filter(|at| words[*at] == name);
    is_name
        && words[0] != name
        && places().any(begins)
        && places().all(|at| begins(at) || is_used(at))
}

/// Does the command of which these are the words, and more after it, come back by itself?
fn comes_back(words: &[&str]) -> bool {
    let name = quoted(words[0]).unwrap_or_default().to_ascii_lowercase();
    let Some(command) = engine::lookup(name.as_bytes()) else { return true };
    let is_simple = matches!(
        command.group,
        Group::Generic
            | Group::String
            | Group::Hash
            | Group::List
            | Group::Set
            | Group::SortedSet
            | Group::PubSub
            | Group::Transactions
            | Group::Scripting
    );
    if !is_simple || MAKES_TEXTS.contains(&command.name) {
        return false;
    }
    if !command.flags.has(Flags::BLOCKING) && command.name != "wait" {
        return true;
    }
    let arguments = words.split(|word| *word == ")").next().unwrap_or_default();
    let is_time = |word: &str| {
        let number = quoted(word).unwrap_or(word).parse::<f64>();
        number.is_ok_and(|number| number.is_finite() && number > 0.0)
    };
    TIMEOUT_IS_LAST.contains(&command.name)
        && !arguments.contains(&"(")
        && matches!(arguments, [.., ",", last] if is_time(last))
}

/// Whether this text, as a script, goes straight on to its end, and is no name of a function.
fn is_harmless(text: &str) -> bool {
    let mut words = text.split(|c| !is_word(c));
    !matches!(text, "call" | "pcall")
        && !words.any(|word| ROUNDS.contains(&word) || UNCLEAR.contains(&word))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What a string says, if the token is one.
fn quoted(token: &str) -> Option<&str> {
    if let Some(rest) = token.strip_prefix(['"', '\'']) {
        return rest.strip_suffix(['"', '\'']);
    }
    let (level, text) = token.strip_prefix('[')?.split_once('[')?;
    let rest = text.strip_suffix(']')?.strip_suffix(level)?.strip_suffix(']')?;
    level.bytes().all(|b| b == b'=').then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn who_waits_for_ever_is_seen() {
        for endless in [
            "redis.call('BLPOP', 'queue', 0)",
            "redis.call('blpop', 'queue', '0')",
            "redis.call('\\66LPOP', 'queue', 0)",
            "redis.call('BLPOP', 'queue', timeout)",
            "redis.call('BLPOP', 'queue', 5, 0)",
            "redis.call('BLPOP', ('queue'), -5)",
            "redis.call('WAIT', 1, 0)",
            "redis.call('BL' .. 'POP', 'queue', 0)",
            "redis.call(command, 'queue', 0)",
            "local ask = redis.call ask('BLPOP', 'queue', 0)",
            "redis['ca' .. 'll']('BLPOP', 'queue', 0)",
            "redis['call']('BLPOP', 'queue', 0)",
            "for _, f in pairs(connect('r1')) do pcall(f, 'BLPOP', 'queue', 0) end",
            "pcall(redis.call, 'BLPOP', 'queue', 0)",
            "redis.call('XREAD', 'BLOCK', 0, 'STREAMS', 's', '$')",
            "redis.call('CLIENT', 'PAUSE', 100000)",
            "redis.call('EVAL', 'while true do end', 0)",
            "redis.call('EVAL', 'whi' .. 'le true do end', 0)",
            "local n = 'le true do end' for n = 1, 2 do end redis.call('EVAL', 'whi' .. n, 0)",
            "local t = { x } redis.call('EVAL', 'whi' .. tostring(t[1]), 0)",
            "n = 'le true do end' redis.call('EVAL', 'whi' .. n, 0)",
            "redis.call('EVAL', [==[ for i = 1, 1e9 do end ]==], 0)",
            "synchronized('lock', function() end)",
        ] {
            assert!(!is_plain(endless.as_bytes()), "{endless}");
        }
        for plain in [
            "redis.call('BLPOP', 'queue', 5)",
            "redis.call('WAIT', 1, 100)",
            "while not redis.call('SET', 'lock', uuid(), 'NX') do sleep(10) end",
            "redis.call('SET', 'user:' .. id .. ':name', \"blpop\")",
            "local node = connect('r1') node:pcall('GET', 'k') node:receive(10)",
            "pcall(function() redis.call('EVAL', [[return redis.call('GET', 'k')]], 0) end)",
            "for n = 1, 3 do connect('r' .. n):pcall('GET', 'k') end",
            "error('no')",
        ] {
            assert!(is_plain(plain.as_bytes()), "{plain}");
        }
    }
}
