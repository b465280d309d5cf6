//! The lexer, after `llex.c`: source text to tokens, with the same tokens and error messages.

use std::borrow::Cow;

use super::SyntaxError;
use super::number;
use super::value::Str;

/// A token; operators of one character are `Char`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Eof,
    Char(u8),
    Word(Word),
    Concat,
    Dots,
    Eq,
    Ge,
    Le,
    Ne,
    Number(f64),
    Name(Str),
    String(Str),
}

macro_rules! words {
    ($($name:ident $text:literal),* $(,)?) => {
        /// A reserved word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Word { $($name),* }
        const WORDS: &[(&str, Word)] = &[$(($text, Word::$name)),*];
    };
}

words! {
    And "and", Break "break", Do "do", Else "else", ElseIf "elseif", End "end", False "false",
    For "for", Function "function", If "if", In "in", Local "local", Nil "nil", Not "not",
    Or "or", Repeat "repeat", Return "return", Then "then", True "true", Until "until",
    While "while",
}

impl Word {
    pub fn text(self) -> &'static str {
        WORDS.iter().find(|(_, word)| *word == self).map_or("", |(text, _)| text)
    }
}

impl Token {
    /// Returns the token as error messages name it.
    pub fn text(&self) -> String {
        match self {
            Self::Eof => "<eof>".into(),
            Self::Char(c) if c.is_ascii_control() => format!("char({c})"),
            Self::Char(c) => char::from(*c).to_string(),
            Self::Word(word) => word.text().into(),
            Self::Concat => "..".into(),
            Self::Dots => "...".into(),
            Self::Eq => "==".into(),
            Self::Ge => ">=".into(),
            Self::Le => "<=".into(),
            Self::Ne => "~=".into(),
            Self::Number(_) => "<number>".into(),
            Self::Name(_) => "<name>".into(),
            Self::String(_) => "<string>".into(),
        }
    }
}

/// Reads one token after another.
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// The start of the token being read.
    start: usize,
    pub line: u32,
    /// The spelling of the last token; escapes in strings are resolved.
    pub spelling: Cow<'a, [u8]>,
    /// Names and strings read lately, by hash. A repeated one shares its header, so that two can be
    /// compared by their addresses.
    recent: Vec<Str>,
}

/// The number of places in `recent`.
const RECENT: usize = 64;

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            start: 0,
            line: 1,
            spelling: Cow::Borrowed(b""),
            recent: vec![Str::new(b""); RECENT],
        }
    }

    fn share(&mut self, text: Str) -> Str {
        let place = &mut self.recent[text.hash() as usize % RECENT];
        if *place != text {
            *place = text;
        }
        place.clone()
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn accept(&mut self, c: u8) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }

    /// Returns an error about the token read so far.
    fn fail<T>(&self, message: &str) -> Result<T, SyntaxError> {
        Err(self.error(message, Some(&self.text[self.start..self.at.min(self.text.len())])))
    }

    /// Returns an error, with the text it is near to.
    pub fn error(&self, message: &str, near: Option<&[u8]>) -> SyntaxError {
        let message = match near {
            Some(near) => {
                // C strings end at the first zero byte.
                let near = near.split(|&c| c == 0).next().unwrap_or(near);
                [message.as_bytes(), b" near '", near, b"'"].concat()
            }
            None => message.as_bytes().to_vec(),
        };
        SyntaxError { chunk: "".into(), line: self.line, message }
    }

    /// Reads the next token.
    pub fn next(&mut self) -> Result<Token, SyntaxError> {
        let token = self.scan()?;
        let written = &self.text[self.start..self.at.min(self.text.len())];
        self.spelling = match (&token, written) {
            (Token::String(text), [quote @ (b'"' | b'\''), ..]) => {
                [&[*quote], text.as_bytes(), &[*quote]].concat().into()
            }
            _ => written.into(),
        };
        Ok(token)
    }

    fn scan(&mut self) -> Result<Token, SyntaxError> {
        loop {
            self.start = self.at;
            let Some(c) = self.peek() else { return Ok(Token::Eof) };
            self.at += 1;
            return Ok(match c {
                b'\n' | b'\r' => {
                    self.newline(c);
                    continue;
                }
                b' ' | b'\t' | 11 | 12 => continue,
                b'-' if self.accept(b'-') => {
                    self.skip_comment()?;
                    continue;
                }
                b'[' => match self.long_bracket() {
                    Ok(level) => Token::String(self.long_string(level, true)?),
                    Err(true) => return self.fail("invalid long string delimiter"),
                    Err(false) => Token::Char(c),
                },
                b'=' if self.accept(b'=') => Token::Eq,
                b'<' if self.accept(b'=') => Token::Le,
                b'>' if self.accept(b'=') => Token::Ge,
                b'~' if self.accept(b'=') => Token::Ne,
                b'"' | b'\'' => self.string(c)?,
                b'.' => match self.peek() {
                    Some(b'.') => {
                        self.at += 1;
                        if self.accept(b'.') { Token::Dots } else { Token::Concat }
                    }
                    Some(b'0'..=b'9') => self.number()?,
                    _ => Token::Char(c),
                },
                b'0'..=b'9' => self.number()?,
                c if c.is_ascii_alphabetic() || c == b'_' => self.word(),
                c => Token::Char(c),
            });
        }
    }

    /// Counts a line end just read; "\r\n" and "\n\r" are one.
    fn newline(&mut self, c: u8) {
        if let Some(next @ (b'\n' | b'\r')) = self.peek()
            && next != c
        {
            self.at += 1;
        }
        self.line += 1;
    }

    fn word(&mut self) -> Token {
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == b'_') {
            self.at += 1;
        }
        let text = &self.text[self.start..self.at];
        match WORDS.iter().find(|(word, _)| word.as_bytes() == text) {
            Some((_, word)) => Token::Word(*word),
            None => Token::Name(self.share(Str::new(text))),
        }
    }

    fn number(&mut self) -> Result<Token, SyntaxError> {
        while self.peek().is_some_and(|c| c.is_ascii_digit() || c == b'.') {
            self.at += 1;
        }
        if self.accept(b'e') || self.accept(b'E') {
            let _signed = self.accept(b'+') || self.accept(b'-');
        }
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == b'_') {
            self.at += 1;
        }
        match number::parse(&self.text[self.start..self.at]) {
            Some(n) => Ok(Token::Number(n)),
            None => self.fail("malformed number"),
        }
    }

    /// After a '[': the level of a long bracket, `Err(true)` for "[==" without a second bracket,
    /// `Err(false)` for a plain '['.
    fn long_bracket(&mut self) -> Result<usize, bool> {
        let mut ahead = self.at;
        while self.text.get(ahead) == Some(&b'=') {
            ahead += 1;
        }
        let level = ahead - self.at;
        if self.text.get(ahead) == Some(&b'[') {
            self.at = ahead + 1;
            return Ok(level);
        }
        if level > 0 {
            self.at = ahead;
        }
        Err(level > 0)
    }

    fn skip_comment(&mut self) -> Result<(), SyntaxError> {
        if self.accept(b'[') {
            self.start = self.at - 1;
            if let Ok(level) = self.long_bracket() {
                self.long_string(level, false)?;
                return Ok(());
            }
        }
        while self.peek().is_some_and(|c| !matches!(c, b'\n' | b'\r')) {
            self.at += 1;
        }
        Ok(())
    }

    fn long_string(&mut self, level: usize, is_string: bool) -> Result<Str, SyntaxError> {
        if let Some(c @ (b'\n' | b'\r')) = self.peek() {
            self.at += 1;
            self.newline(c);
        }
        let mut out = Vec::new();
        loop {
            let Some(c) = self.peek() else {
                let what = if is_string { "string" } else { "comment" };
                let message = format!("unfinished long {what}");
                return Err(self.error(&message, Some(b"<eof>")));
            };
            self.at += 1;
            match c {
                b']' if self.closes(level) => return Ok(Str::new(&out)),
                // Nesting was 5.0's; 5.1 refuses what would have nested.
                b'[' if level == 0 && self.peek() == Some(b'[') => {
                    self.at += 1;
                    return Err(self.error("nesting of [[...]] is deprecated", Some(b"[")));
                }
                b'\n' | b'\r' => {
                    self.newline(c);
                    out.push(b'\n');
                }
                c => out.push(c),
            }
        }
    }

    fn closes(&mut self, level: usize) -> bool {
        let equals = self.text[self.at..].iter().take_while(|&&c| c == b'=').count();
        let closed = equals == level && self.text.get(self.at + level) == Some(&b']');
        if closed {
            self.at += level + 1;
        }
        closed
    }

    fn string(&mut self, quote: u8) -> Result<Token, SyntaxError> {
        let mut out = Vec::new();
        loop {
            match self.peek() {
                None => return Err(self.error("unfinished string", Some(b"<eof>"))),
                Some(b'\n' | b'\r') => {
                    return Err(self.in_string("unfinished string", quote, &out));
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape(quote, &mut out)?;
                }
                Some(c) => {
                    self.at += 1;
                    if c == quote {
                        return Ok(Token::String(self.share(Str::new(&out))));
                    }
                    out.push(c);
                }
            }
        }
    }

    /// Returns an error about the string read so far.
    fn in_string(&self, message: &str, quote: u8, out: &[u8]) -> SyntaxError {
        self.error(message, Some(&[&[quote], out].concat()))
    }

    fn escape(&mut self, quote: u8, out: &mut Vec<u8>) -> Result<(), SyntaxError> {
        // The end of the text is complained about by the caller.
        let Some(c) = self.peek() else { return Ok(()) };
        self.at += 1;
        match c {
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(11),
            b'\n' | b'\r' => {
                out.push(b'\n');
                self.newline(c);
            }
            b'0'..=b'9' => {
                let mut code = u32::from(c - b'0');
                for _ in 0..2 {
                    if let Some(digit @ b'0'..=b'9') = self.peek() {
                        code = code * 10 + u32::from(digit - b'0');
                        self.at += 1;
                    }
                }
                match u8::try_from(code) {
                    Ok(byte) => out.push(byte),
                    Err(_) => return Err(self.in_string("escape sequence too large", quote, out)),
                }
            }
            c => out.push(c),
        }
        Ok(())
    }
}
