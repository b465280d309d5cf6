//! Parses a line as redis-cli does before it sends anything.

use crate::resp::{Bytes, quoted, split_inline};

/// The most repetitions that a line may ask for here.
pub const TIMES_MAX: u32 = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Nothing,
    /// An invalid line, with redis-cli's error.
    Wrong(String),
    /// `help`, and its topic.
    Help(Vec<String>),
    Clear,
    Quit,
    /// `--raw`, `--no-raw`.
    Raw(bool),
    /// `:set hints`, `:set nohints`.
    Hints(bool),
    /// `--eval script.lua key , argument`.
    Eval {
        name: String,
        keys: Vec<Bytes>,
        args: Vec<Bytes>,
    },
    /// A command, to be sent this number of times.
    Send {
        line: String,
        times: u32,
    },
}

pub fn read(text: &str) -> Line {
    let text = text.trim();
    let Ok(words) = split_inline(text.as_bytes()) else {
        return Line::Wrong("Invalid argument(s)".to_owned());
    };
    let [first, rest @ ..] = words.as_slice() else { return Line::Nothing };
    // strtol takes a sign as well.
    let times = std::str::from_utf8(first).ok().and_then(|first| first.parse::<i64>().ok());
    match times.filter(|_| !rest.is_empty()) {
        None => once(text, &words),
        Some(..=0) => Line::Wrong("Invalid redis-cli repeat command option value.".to_owned()),
        Some(times) => {
            let text = text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim());
            match once(text, rest) {
                Line::Send { line, .. } => {
                    Line::Send { line, times: u32::try_from(times).unwrap_or(u32::MAX) }
                }
                other => other,
            }
        }
    }
}

/// Parses a line without a number of times. Redis has no command that is a number: it will say so.
fn once(text: &str, words: &[Bytes]) -> Line {
    let first = words.first().map(|word| String::from_utf8_lossy(word).to_ascii_lowercase());
    let first = first.unwrap_or_default();
    let texts = || words[1..].iter().map(|word| String::from_utf8_lossy(word).into_owned());
    match (first.as_str(), words.len()) {
        ("quit" | "exit", _) => Line::Quit,
        ("clear", 1) => Line::Clear,
        ("help" | "?", _) => Line::Help(texts().collect()),
        ("--raw" | "--no-raw", 1) => Line::Raw(first == "--raw"),
        ("--eval", 2..) => {
            let name = String::from_utf8_lossy(&words[1]).into_owned();
            let words = &words[2..];
            let comma = words.iter().position(|word| **word == *b",");
            let (keys, args) = words.split_at(comma.unwrap_or(words.len()));
            let args = args.iter().skip(1).cloned().collect();
            Line::Eval { name, keys: keys.to_vec(), args }
        }
        (word, _) if word.starts_with(':') => {
            match (word, texts().next().as_deref().map(str::to_ascii_lowercase).as_deref()) {
                (":set", Some("hints")) => Line::Hints(true),
                (":set", Some("nohints")) => Line::Hints(false),
                _ => Line::Wrong(format!("unknown internal redis-cli command '{text}'")),
            }
        }
        _ => Line::Send { line: text.to_owned(), times: 1 },
    }
}

/// Joins words to a line that splits into the same words.
pub fn joined(words: &[Bytes]) -> String {
    let plain = |word: &[u8]| {
        let plain = |b: &u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'\'' | b'\\');
        !word.is_empty() && word.iter().all(plain)
    };
    let word = |word: &Bytes| match std::str::from_utf8(word) {
        Ok(text) if plain(word) => text.to_owned(),
        _ => quoted(word),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(line: &str, times: u32) -> Line {
        Line::Send { line: line.to_owned(), times }
    }

    #[test]
    fn what_the_client_does_itself_is_not_sent() {
        assert_eq!(read("  "), Line::Nothing);
        assert_eq!(read("get \"a"), Line::Wrong("Invalid argument(s)".into()));
        assert_eq!(read(" SET k  'a b' "), send("SET k  'a b'", 1));
        assert_eq!(read("5 INCR x"), send("INCR x", 5));
        assert_eq!(read("5"), send("5", 1));
        assert_eq!(read("5 6 x"), send("6 x", 5));
        let numbers = "1 ".repeat(100_000) + "PING";
        assert!(matches!(read(&numbers), Line::Send { times: 1, .. }));
        // What is a space elsewhere is part of a word here.
        let numbers = "1 \u{a0}".repeat(100_000) + "1 PING";
        assert!(matches!(read(&numbers), Line::Send { times: 1, .. }));
        let wrong = Line::Wrong("Invalid redis-cli repeat command option value.".into());
        assert_eq!(read("0 INCR x"), wrong);
        assert_eq!(read("-1 INCR x"), wrong);
        assert_eq!(read("QUIT"), Line::Quit);
        assert_eq!(read("clear"), Line::Clear);
        assert_eq!(read("clear x"), send("clear x", 1));
        assert_eq!(read("? @string"), Line::Help(vec!["@string".into()]));
        assert_eq!(read(":set nohints"), Line::Hints(false));
        let word = |word: &str| Bytes::from(word.as_bytes());
        let eval = Line::Eval {
            name: "s.lua".into(),
            keys: vec![word("k1"), word("k2")],
            args: vec![word("a")],
        };
        assert_eq!(read("--eval s.lua k1 k2 , a"), eval);
    }

    #[test]
    fn joined_words_are_split_into_themselves() {
        let words = ["a", "", "b c", "\"x\"\n", "中", "it's", "\\"];
        let words: Vec<Bytes> = words.iter().map(|word| Bytes::from(word.as_bytes())).collect();
        assert_eq!(split_inline(joined(&words).as_bytes()), Ok(words));
    }
}
