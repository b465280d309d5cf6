//! Lua, coloured: a source text as lines of tokens. It never fails; what is no Lua is plain text.

/// What a piece of source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Plain,
    Keyword,
    String,
    Number,
    Comment,
}

const KEYWORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
    "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// The lines of `source`; each is a list of pieces that together are the line.
pub fn lines(source: &str) -> Vec<Vec<(Kind, String)>> {
    let mut lines = vec![Vec::new()];
    let mut rest = source.strip_suffix('\n').unwrap_or(source);
    while !rest.is_empty() {
        let (kind, length) = piece(rest);
        let (text, after) = rest.split_at(length);
        rest = after;
        for (number, part) in text.split('\n').enumerate() {
            if number > 0 {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
                push(line, kind, part);
            }
        }
    }
    lines
}

/// Neighbours of one kind are one piece: fewer nodes on the page.
fn push(line: &mut Vec<(Kind, String)>, kind: Kind, text: &str) {
    match line.last_mut() {
        Some((last, joined)) if *last == kind => joined.push_str(text),
        _ => line.push((kind, text.to_owned())),
    }
}

/// The kind and length (in bytes, at least one character) of the piece at the start of `text`.
fn piece(text: &str) -> (Kind, usize) {
    let first = text.chars().next().map_or(' ', |c| c);
    if let Some(comment) = text.strip_prefix("--") {
        let length = long_bracket(comment).unwrap_or_else(|| until_newline(comment));
        return (Kind::Comment, 2 + length);
    }
    if let Some(length) = long_bracket(text) {
        return (Kind::String, length);
    }
    if first == '"' || first == '\'' {
        return (Kind::String, quoted(text, first));
    }
    if first.is_ascii_digit() {
        return (Kind::Number, run(text, |c| c.is_ascii_alphanumeric() || c == '.'));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let length = run(text, |c| c.is_ascii_alphanumeric() || c == '_');
        let keyword = KEYWORDS.contains(&&text[..length]);
        return (if keyword { Kind::Keyword } else { Kind::Plain }, length);
    }
    (Kind::Plain, first.len_utf8())
}

fn run(text: &str, part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !part(c)).unwrap_or(text.len())
}

fn until_newline(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The length of `[[…]]` or `[==[…]==]`; an unfinished one goes to the end.
fn long_bracket(text: &str) -> Option<usize> {
    let after = text.strip_prefix('[')?;
    let level = run(after, |c| c == '=');
    if !after[level..].starts_with('[') {
        return None;
    }
    let close = format!("]{}]", "=".repeat(level));
    Some(text.find(&close).map_or(text.len(), |at| at + close.len()))
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> Vec<String> {
        let line = |line: Vec<(Kind, String)>| {
            line.iter().map(|(kind, text)| format!("{kind:?}:{text}")).collect::<Vec<_>>().join("|")
        };
        lines(source).into_iter().map(line).collect()
    }

    #[test]
    fn pieces_and_lines() {
        assert_eq!(
            shown("local n = redis.call(\"GET\", 'a') -- read\nn = n + 10\n"),
            [
                "Keyword:local|Plain: n = redis.call(|String:\"GET\"|Plain:, |String:'a'|Plain:) |\
                 Comment:-- read",
                "Plain:n = n + |Number:10"
            ]
        );
        assert_eq!(shown("s = [[a\n  b]]"), ["Plain:s = |String:[[a", "String:  b]]"]);
    }

    #[test]
    fn nothing_is_lost_whatever_it_is() {
        for source in ["", "\"open", "[==[ open", "--[[ open", "中文 'x", "a\\\"b", "[=", "\n\n"]
        {
            let joined: Vec<String> = lines(source)
                .into_iter()
                .map(|line| line.into_iter().map(|(_, text)| text).collect())
                .collect();
            assert_eq!(joined.join("\n"), source.strip_suffix('\n').unwrap_or(source));
        }
    }
}
