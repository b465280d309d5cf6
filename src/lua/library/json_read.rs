//! `cjson.decode`, with lua-cjson's tokens and error messages.

use crate::call::{Args, Flow};
use crate::number;
use crate::state::{State, Thrown};
use crate::table::Table;
use crate::value::{Str, Value};

type Result<T> = std::result::Result<T, Thrown>;

#[derive(Clone, PartialEq)]
enum Token {
    ObjectBegin,
    ObjectEnd,
    ArrayBegin,
    ArrayEnd,
    Colon,
    Comma,
    End,
    String(Vec<u8>),
    Number(f64),
    Bool(bool),
    Null,
    Bad(&'static str),
}

impl Token {
    fn name(&self) -> &'static str {
        match self {
            Self::ObjectBegin => "T_OBJ_BEGIN",
            Self::ObjectEnd => "T_OBJ_END",
            Self::ArrayBegin => "T_ARR_BEGIN",
            Self::ArrayEnd => "T_ARR_END",
            Self::Colon => "T_COLON",
            Self::Comma => "T_COMMA",
            Self::End => "T_END",
            Self::String(_) => "T_STRING",
            Self::Number(_) => "T_NUMBER",
            Self::Bool(_) => "T_BOOLEAN",
            Self::Null => "T_NULL",
            Self::Bad(what) => what,
        }
    }
}

struct Reader {
    text: Str,
    at: usize,
    /// The position where the last token started, or was malformed.
    index: usize,
    depth: i32,
    any_number: bool,
}

pub(super) fn decode(state: &mut State, args: Args) -> Result<Flow> {
    if args.len != 1 {
        return Err(state.arg_error(1, "expected 1 argument"));
    }
    let text = state.check_str(args, 1)?;
    if let [first, second, ..] = text.as_bytes()
        && (*first == 0 || *second == 0)
    {
        return Err(state.lib_error("JSON parser does not support UTF-16 or UTF-32"));
    }
    state.spend(text.len() / 4);
    let any_number = state.json.decode_invalid;
    let mut reader = Reader { text, at: 0, index: 0, depth: 0, any_number };
    let token = reader.next();
    let value = reader.value(state, token)?;
    match reader.next() {
        Token::End => {}
        token => return Err(reader.unexpected(state, "the end", &token)),
    }
    state.push(value);
    Ok(Flow::Return(1))
}

impl Reader {
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn unexpected(&self, state: &State, expected: &str, found: &Token) -> Thrown {
        let (found, at) = (found.name(), self.index + 1);
        state.lib_error(&format!("Expected {expected} but found {found} at character {at}"))
    }

    fn next(&mut self) -> Token {
        while matches!(self.byte(self.at), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
        self.index = self.at;
        let simple = match self.byte(self.at) {
            b'{' => Token::ObjectBegin,
            b'}' => Token::ObjectEnd,
            b'[' => Token::ArrayBegin,
            b']' => Token::ArrayEnd,
            b':' => Token::Colon,
            b',' => Token::Comma,
            0 => return Token::End,
            b'"' => return self.string(),
            b'-' | b'0'..=b'9' => {
                if !self.any_number && self.is_odd_number() {
                    return Token::Bad("invalid number");
                }
                return self.number();
            }
            _ => return self.word(),
        };
        self.at += 1;
        simple
    }

    fn word(&mut self) -> Token {
        let rest = &self.text.as_bytes()[self.at..];
        for (word, token) in [
            (b"true".as_slice(), Token::Bool(true)),
            (b"false", Token::Bool(false)),
            (b"null", Token::Null),
        ] {
            if rest.starts_with(word) {
                self.at += word.len();
                return token;
            }
        }
        let starts_number = matches!(rest[0], b'+' | b'i' | b'I' | b'n' | b'N');
        if self.any_number && starts_number && self.is_odd_number() {
            return self.number();
        }
        Token::Bad("invalid token")
    }

    /// Returns true if a number follows that `strtod` reads and JSON does not allow.
    fn is_odd_number(&self) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let rest = match rest[0] {
            b'+' => return true,
            b'-' => &rest[1..],
            _ => rest,
        };
        match rest {
            [b'0', second, ..] => second.is_ascii_digit() || second.eq_ignore_ascii_case(&b'x'),
            [first, ..] if *first <= b'9' => false,
            [a, b, c, ..] => {
                matches!(&[*a, *b, *c].map(|c| c.to_ascii_lowercase()), b"inf" | b"nan")
            }
            _ => false,
        }
    }

    fn number(&mut self) -> Token {
        let rest = &self.text.as_bytes()[self.at..];
        match prefix(rest) {
            Some((n, len)) => {
                self.at += len;
                Token::Number(n)
            }
            None => Token::Bad("invalid number"),
        }
    }

    fn string(&mut self) -> Token {
        let mut out = Vec::new();
        self.at += 1;
        loop {
            let c = self.byte(self.at);
            match c {
                b'"' => break,
                0 => {
                    self.index = self.at;
                    return Token::Bad("unexpected end of string");
                }
                b'\\' => {
                    let escaped = match self.byte(self.at + 1) {
                        c @ (b'"' | b'\\' | b'/') => c,
                        b'b' => 8,
                        b't' => 9,
                        b'n' => 10,
                        b'f' => 12,
                        b'r' => 13,
                        b'u' => match self.unicode() {
                            Some((code, len)) => {
                                let mut utf8 = [0; 4];
                                out.extend(code.encode_utf8(&mut utf8).bytes());
                                self.at += len;
                                continue;
                            }
                            None => {
                                self.index = self.at;
                                return Token::Bad("invalid unicode escape code");
                            }
                        },
                        _ => {
                            self.index = self.at;
                            return Token::Bad("invalid escape code");
                        }
                    };
                    out.push(escaped);
                    self.at += 2;
                }
                c => {
                    out.push(c);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        Token::String(out)
    }

    fn hex4(&self, at: usize) -> Option<u32> {
        (at..at + 4)
            .try_fold(0, |code, at| Some(code << 4 | char::from(self.byte(at)).to_digit(16)?))
    }

    /// Decodes one `\uXXXX`, or a surrogate pair of them; also returns its length.
    fn unicode(&self) -> Option<(char, usize)> {
        let code = self.hex4(self.at + 2)?;
        if code & 0xf800 != 0xd800 {
            return Some((char::from_u32(code)?, 6));
        }
        if self.byte(self.at + 6) != b'\\' || self.byte(self.at + 7) != b'u' {
            return None;
        }
        let low = self.hex4(self.at + 8)?;
        if code & 0x400 != 0 || low & 0xfc00 != 0xdc00 {
            return None;
        }
        let code = ((code & 0x3ff) << 10 | low & 0x3ff) + 0x1_0000;
        Some((char::from_u32(code)?, 12))
    }

    fn value(&mut self, state: &mut State, token: Token) -> Result<Value> {
        Ok(match token {
            Token::String(text) => state.new_str(&text),
            Token::Number(n) => Value::Num(n),
            Token::Bool(b) => Value::Bool(b),
            Token::Null => Value::Null,
            Token::ObjectBegin => return self.object(state),
            Token::ArrayBegin => return self.array(state),
            other => return Err(self.unexpected(state, "value", &other)),
        })
    }

    fn descend(&mut self, state: &State) -> Result<()> {
        self.depth += 1;
        if self.depth > state.json.decode_depth.min(super::cjson::DEPTH_MAX) {
            let (depth, at) = (self.depth, self.at);
            let text = format!("Found too many nested data structures ({depth}) at character {at}");
            return Err(state.lib_error(&text));
        }
        Ok(())
    }

    fn store(state: &mut State, table: &Value, key: &Value, value: Value) -> Result<()> {
        let Value::Table(id) = table else { return Ok(()) };
        state.raw_set(*id, key, value).map_err(|message| Value::str(message.as_bytes()))
    }

    fn object(&mut self, state: &mut State) -> Result<Value> {
        self.descend(state)?;
        let table = state.new_table(Table::default());
        let mut token = self.next();
        if token != Token::ObjectEnd {
            loop {
                let Token::String(key) = token else {
                    return Err(self.unexpected(state, "object key string", &token));
                };
                let colon = self.next();
                if colon != Token::Colon {
                    return Err(self.unexpected(state, "colon", &colon));
                }
                let first = self.next();
                let value = self.value(state, first)?;
                Self::store(state, &table, &Value::str(&key), value)?;
                match self.next() {
                    Token::ObjectEnd => break,
                    Token::Comma => token = self.next(),
                    other => return Err(self.unexpected(state, "comma or object end", &other)),
                }
            }
        }
        self.depth -= 1;
        Ok(table)
    }

    fn array(&mut self, state: &mut State) -> Result<Value> {
        self.descend(state)?;
        let table = state.new_table(Table::default());
        let mut token = self.next();
        if token != Token::ArrayEnd {
            for index in 1.. {
                let value = self.value(state, token)?;
                Self::store(state, &table, &Value::Num(f64::from(index)), value)?;
                match self.next() {
                    Token::ArrayEnd => break,
                    Token::Comma => token = self.next(),
                    other => return Err(self.unexpected(state, "comma or array end", &other)),
                }
            }
        }
        self.depth -= 1;
        Ok(table)
    }
}

/// Returns the longest number at the start of `text`, as `strtod` reads it.
fn prefix(text: &[u8]) -> Option<(f64, usize)> {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let rest = &text[sign..];
    let lower: Vec<u8> = rest.iter().take(8).map(u8::to_ascii_lowercase).collect();
    for word in [b"infinity".as_slice(), b"inf", b"nan"] {
        if lower.starts_with(word) {
            return Some((number::parse(&text[..sign + word.len()])?, sign + word.len()));
        }
    }
    let run = |from: usize, is: fn(&u8) -> bool| {
        rest[from.min(rest.len())..].iter().take_while(|c| is(c)).count()
    };
    let is_hex = lower.starts_with(b"0x") && run(2, u8::is_ascii_hexdigit) > 0;
    let (start, digit): (usize, fn(&u8) -> bool) =
        if is_hex { (2, u8::is_ascii_hexdigit) } else { (0, u8::is_ascii_digit) };
    let mut len = start + run(start, digit);
    if rest.get(len) == Some(&b'.') {
        len += 1 + run(len + 1, digit);
    }
    let power: &[u8] = if is_hex { b"pP" } else { b"eE" };
    if rest.get(len).is_some_and(|c| power.contains(c)) {
        let signed = usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
        let digits = run(len + 1 + signed, u8::is_ascii_digit);
        len += if digits > 0 { 1 + signed + digits } else { 0 };
    }
    Some((number::parse(&text[..sign + len])?, sign + len))
}
