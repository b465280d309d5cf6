//! Syntax highlighting: source text as lines of coloured tokens. It never fails; anything that is
//! not of the language is plain text.

/// The kind of a piece of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Plain,
    Keyword,
    String,
    Number,
    Comment,
}

/// The syntax of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grammar {
    keywords: &'static [&'static str],
    /// The start of a comment that goes to the end of the line.
    comment: &'static str,
    /// True if it has `[[long strings]]` and `--[[long comments]]`.
    brackets: bool,
    /// True if `'` begins a string of several characters.
    apostrophes: bool,
}

const LUA: Grammar = Grammar {
    keywords: &[
        "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in",
        "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
    ],
    comment: "--",
    brackets: true,
    apostrophes: true,
};

const JAVA: Grammar = Grammar {
    keywords: &[
        "boolean", "break", "catch", "class", "else", "false", "final", "finally", "for", "if",
        "import", "int", "long", "new", "null", "private", "public", "return", "static", "this",
        "throw", "throws", "true", "try", "var", "void", "while",
    ],
    comment: "//",
    brackets: false,
    apostrophes: true,
};

const PYTHON: Grammar = Grammar {
    keywords: &[
        "and", "as", "def", "else", "elif", "except", "False", "finally", "for", "from", "if",
        "import", "in", "is", "lambda", "None", "not", "or", "pass", "raise", "return", "True",
        "try", "while", "with", "yield",
    ],
    comment: "#",
    brackets: false,
    apostrophes: true,
};

const JAVASCRIPT: Grammar = Grammar {
    keywords: &[
        "async", "await", "break", "catch", "class", "const", "else", "export", "false", "finally",
        "for", "from", "function", "if", "import", "let", "new", "null", "of", "return", "this",
        "throw", "true", "try", "while",
    ],
    comment: "//",
    brackets: false,
    apostrophes: true,
};

const GO: Grammar = Grammar {
    keywords: &[
        "break", "case", "const", "defer", "else", "err", "false", "for", "func", "go", "if",
        "import", "nil", "package", "range", "return", "select", "struct", "switch", "true",
        "type", "var",
    ],
    comment: "//",
    brackets: false,
    apostrophes: true,
};

const CSHARP: Grammar = Grammar {
    keywords: &[
        "async", "await", "bool", "class", "const", "else", "enum", "false", "finally", "if",
        "int", "long", "new", "null", "private", "public", "readonly", "return", "string", "this",
        "true", "try", "using", "var", "while",
    ],
    comment: "//",
    brackets: false,
    apostrophes: true,
};

const RUST: Grammar = Grammar {
    keywords: &[
        "as", "async", "await", "break", "const", "else", "enum", "false", "fn", "for", "if",
        "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
        "Self", "struct", "true", "use", "where", "while",
    ],
    comment: "//",
    brackets: false,
    // Of a lifetime it does not.
    apostrophes: false,
};

/// Returns the lines of a Lua program; each is a list of pieces that together are the line.
pub fn lines(source: &str) -> Vec<Vec<(Kind, String)>> {
    lines_of(source, LUA)
}

/// Returns the grammar of files with this extension; Lua's for unknown ones.
pub fn grammar(extension: &str) -> Grammar {
    match extension {
        "java" => JAVA,
        "py" => PYTHON,
        "mjs" => JAVASCRIPT,
        "go" => GO,
        "cs" => CSHARP,
        "rs" => RUST,
        _ => LUA,
    }
}

/// Returns the lines of `source`; each is a list of pieces that together are the line.
pub fn lines_of(source: &str, grammar: Grammar) -> Vec<Vec<(Kind, String)>> {
    let mut lines = vec![Vec::new()];
    let mut rest = source.strip_suffix('\n').unwrap_or(source);
    while !rest.is_empty() {
        let (kind, length) = piece(rest, grammar);
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

/// Appends a piece. Neighbours of one kind are joined: fewer nodes on the page.
fn push(line: &mut Vec<(Kind, String)>, kind: Kind, text: &str) {
    match line.last_mut() {
        Some((last, joined)) if *last == kind => joined.push_str(text),
        _ => line.push((kind, text.to_owned())),
    }
}

/// Returns the kind and length (in bytes, at least one character) of the piece at the start of
/// `text`.
fn piece(text: &str, grammar: Grammar) -> (Kind, usize) {
    let first = text.chars().next().map_or(' ', |c| c);
    let long_bracket = |text| long_bracket(text).filter(|_| grammar.brackets);
    if let Some(comment) = text.strip_prefix(grammar.comment) {
        let length = long_bracket(comment).unwrap_or_else(|| until_newline(comment));
        return (Kind::Comment, grammar.comment.len() + length);
    }
    if let Some(length) = long_bracket(text) {
        return (Kind::String, length);
    }
    if first == '"' || (first == '\'' && grammar.apostrophes) {
        return (Kind::String, quoted(text, first));
    }
    if first.is_ascii_digit() {
        return (Kind::Number, run(text, |c| c.is_ascii_alphanumeric() || c == '.' || c == '_'));
    }
    if first.is_ascii_alphabetic() || first == '_' {
        let length = run(text, |c| c.is_ascii_alphanumeric() || c == '_');
        let keyword = grammar.keywords.contains(&&text[..length]);
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

/// Returns the length of `[[…]]` or `[==[…]==]`; an unfinished one goes to the end.
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
