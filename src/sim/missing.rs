//! Conditions that compare a reply with nil. A missing key is `false` in Redis's Lua, and so it is
//! in a condition: `redis.call("GET", "k") == nil` is never true, and a condition built on it is
//! true of every program. It is refused where it is written.
//!
//! It reads the words of the condition: a call compared at once, or by a local that has its reply.
//! Absent: replies that go through tables, functions or other variables.

use crate::lua;

/// What is said of such a comparison.
pub const NEVER_NIL: &str = "redis.call never gives nil: of a missing key it gives false. Write \
    `not redis.call(...)` for a missing key";

/// Returns the line of the first comparison of a reply with nil.
pub fn compared_with_nil(expression: &str) -> Option<u32> {
    let words = lua::tokens(expression.as_bytes()).ok()?;
    let word = |at: usize| words.get(at).map_or("", |(_, text)| text.as_str());
    let before = |at: usize, back: usize| at.checked_sub(back).map_or("", word);
    let compares = |at: usize| matches!(word(at), "==" | "~=");
    // `== nil` from this word on, or `nil ==` before it.
    let with_nil = |from: usize, to: usize| {
        compares(to) && word(to + 1) == "nil"
            || before(from, 2) == "nil" && from > 0 && compares(from - 1)
    };
    for open in (0..words.len()).filter(|at| word(*at) == "(" && before(*at, 1) == "call") {
        let end = after_brackets(&words, open)?;
        let is_plain = before(open, 2) == "." && before(open, 3) == "redis";
        let start = if is_plain { open - 3 } else { open - 1 };
        // A part of the reply may be nil.
        if !is_plain && before(open, 2) != ":" || matches!(word(end), "[" | ".") {
            continue;
        }
        if with_nil(start, end) {
            return words.get(open).map(|(line, _)| *line);
        }
        let named = is_plain && before(start, 1) == "=" && before(start, 3) == "local";
        let whole = !matches!(word(end), "and" | "or" | ".." | "==" | "~=" | "<" | ">" | "+" | "-");
        if named && whole {
            let name = before(start, 2);
            let later: Vec<usize> = (end..words.len()).filter(|at| word(*at) == name).collect();
            let is_changed = later.iter().any(|at| word(at + 1) == "=");
            let found = later.into_iter().find(|at| with_nil(*at, at + 1));
            if let Some(at) = found.filter(|_| !is_changed) {
                return words.get(at).map(|(line, _)| *line);
            }
        }
    }
    None
}

/// Returns the place after the bracket that closes the one at `open`.
fn after_brackets(words: &[(u32, String)], open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, (_, text)) in words.iter().enumerate().skip(open) {
        match text.as_str() {
            "(" => depth += 1,
            ")" if depth == 1 => return Some(at + 1),
            ")" => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each by hand: whether the comparison can never be true (or never false).
    #[test]
    fn a_reply_is_never_nil() {
        let never = [
            "redis.call('GET', 'x') == nil",
            "not (done('A') and redis.call(\"GET\", \"x\") == nil)",
            "nil ~= redis.call('HGET', 'h', tostring(1))",
            "on('r1'):call('GET', 'x') ~= nil",
            "(function()\n local v = redis.call('GET', 'x')\n return v == nil end)()",
        ];
        let lines = never.map(compared_with_nil);
        assert_eq!(lines, [1, 1, 1, 1, 3].map(Some));
        let may = [
            "redis.call('GET', 'x') == false",
            "not redis.call('GET', 'x')",
            "number('x') == nil",
            "global('A', 'x') == nil and redis.call('GET', 'x')",
            "redis.call('LRANGE', 'l', 0, -1)[2] == nil",
            "nil == redis.call('LRANGE', 'l', 0, -1)[2]",
            "redis.call('GET', 'x') == \"nil\"",
            "(function() local v = redis.call('GET', 'x') or nil return v == nil end)()",
            "(function() local v = redis.call('GET', 'x') v = v or nil return v == nil end)()",
        ];
        assert_eq!(may.map(compared_with_nil), [None; 9]);
    }

    #[test]
    fn such_a_condition_is_refused_with_what_to_write() {
        use crate::sim::{Kind, Property};
        let check = "not (done('A') and redis.call('GET', 'x') == nil)";
        let why = Property::new(Kind::Always, check, "kept").expect_err("it is refused");
        assert!(why.to_string().starts_with("kept:1: redis.call never gives nil"), "{why}");
    }
}
