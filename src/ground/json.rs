//! JSON for the page: it reads lessons and their list, and exchanges messages with its checker.
//!
//! [`read`] parses a text into any type that implements [`FromJson`]; for structs,
//! [`from_json!`](crate::from_json) implements it from the names of the fields. Unknown fields are
//! ignored. [`ToJson`] does the reverse; `Display` writes the text. Both at once are implemented by
//! [`json_struct!`](crate::json_struct) and, for enums, [`json_enum!`](crate::json_enum). Derived
//! code would do the same at ten times the size, which every visitor would load.
//!
//! Absent: fractions, which no field holds.

use std::fmt::{self, Write};
use std::rc::Rc;

/// The greatest depth of nested lists and objects.
const DEPTH_MAX: usize = 100;

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    List(Vec<Json>),
    /// The fields, in the order of the text.
    Object(Vec<(String, Json)>),
}

/// A mistake in a text, in words.
pub type Error = String;

/// A type that can be read.
pub trait FromJson: Sized {
    /// Returns the value of `json`. On a mistake it notes the mistake in `wrong` and returns a
    /// placeholder that is never used: an early return for every field of every type would double
    /// the size.
    fn made_of(json: Json, wrong: &mut Wrong) -> Self;

    fn from_json(json: Json) -> Result<Self, Error> {
        let mut wrong = Wrong::default();
        let value = Self::made_of(json, &mut wrong);
        wrong.into_result().map(|()| value)
    }
}

/// The first mistake met, with the path of fields that leads to it.
#[derive(Debug, Default)]
pub struct Wrong {
    error: Option<Error>,
}

impl Wrong {
    #[cold]
    #[inline(never)]
    pub fn say(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }

    /// Returns the mistake, if there was one.
    pub fn into_result(self) -> Result<(), Error> {
        self.error.map_or(Ok(()), Err)
    }

    #[inline(never)]
    fn mismatch(&mut self, found: &Json, wanted: &str) {
        self.say(found.not(wanted));
    }
}

/// Reads the whole of `text`.
pub fn read<T: FromJson>(text: &str) -> Result<T, Error> {
    T::from_json(parse(text)?)
}

/// `from_json!(Point { x, y });` makes a struct readable from an object with these fields.
#[macro_export]
macro_rules! from_json {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl $crate::json::FromJson for $type {
            fn made_of(json: $crate::json::Json, wrong: &mut $crate::json::Wrong) -> Self {
                let mut json = json;
                $type { $($field: json.read(stringify!($field), wrong)),* }
            }
        }
    };
}

impl Json {
    /// Takes a field out of an object; an absent field is null. One function for each type, not for
    /// each field, to keep the program small.
    #[inline(never)]
    pub fn read<T: FromJson>(&mut self, name: &str, wrong: &mut Wrong) -> T {
        let taken = self.take(name, wrong);
        let before = wrong.error.is_some();
        let value = T::made_of(taken, wrong);
        if !before && let Some(error) = &mut wrong.error {
            *error = in_field(name, error);
        }
        value
    }

    /// Notes the first field of an object that has none of these names: for texts that people
    /// write, in which a misspelt field would be ignored.
    pub fn only(&self, known: &[&str], wrong: &mut Wrong) {
        let Json::Object(fields) = self else { return };
        if let Some((name, _)) = fields.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            wrong.say(format!("no field is called {name}; there are: {}", known.join(", ")));
        }
    }

    /// Takes a field out of an object, with the mistake as an error.
    pub fn field<T: FromJson>(&mut self, name: &str) -> Result<T, Error> {
        let mut wrong = Wrong::default();
        let value = self.read(name, &mut wrong);
        wrong.into_result().map(|()| value)
    }

    fn take(&mut self, name: &str, wrong: &mut Wrong) -> Json {
        let Json::Object(fields) = self else {
            wrong.mismatch(self, "an object");
            return Json::Null;
        };
        let found = fields.iter_mut().find(|(field, _)| field == name);
        found.map_or(Json::Null, |(_, value)| std::mem::replace(value, Json::Null))
    }

    #[inline(never)]
    fn items(self, wrong: &mut Wrong) -> Vec<Json> {
        match self {
            Json::List(items) => items,
            other => {
                wrong.mismatch(&other, "a list");
                Vec::new()
            }
        }
    }

    /// Returns the name and the content of a variant: `{"name": content}`.
    #[inline(never)]
    pub fn variant(self, wrong: &mut Wrong) -> (String, Json) {
        match self {
            Json::Object(mut fields) if fields.len() == 1 => fields.remove(0),
            other => {
                wrong.mismatch(&other, "an object with one field");
                (String::new(), Json::Null)
            }
        }
    }

    /// Makes a variant of its name and the fields of its content.
    #[inline(never)]
    pub fn of_variant(name: &str, content: Vec<(&str, Json)>) -> Json {
        if content.is_empty() {
            return Json::Text(name.to_owned());
        }
        let content = content.into_iter().map(|(field, value)| (field.to_owned(), value));
        Json::Object(vec![(name.to_owned(), Json::Object(content.collect()))])
    }

    /// Returns the error "a list where an object should be".
    fn not(&self, wanted: &str) -> Error {
        format!("{} where {wanted} should be", self.what())
    }

    /// Returns what kind of value it is: "a list".
    pub fn what(&self) -> &'static str {
        match self {
            Json::Null => "nothing",
            Json::Bool(_) => "true or false",
            Json::Number(_) => "a number",
            Json::Text(_) => "a text",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
}

/// A function of its own, as fields are many and the page is small.
#[cold]
#[inline(never)]
fn in_field(name: &str, error: &str) -> Error {
    format!("{name}: {error}")
}

/// A type that can be made into a [`Json`] value.
pub trait ToJson {
    fn to_json(&self) -> Json;
}

/// `json_struct!(Point { x, y });` makes a struct readable from an object with these fields, and
/// writable as one.
#[macro_export]
macro_rules! json_struct {
    ($type:ident { $($field:ident),* $(,)? }) => {
        $crate::from_json!($type { $($field),* });
        impl $crate::json::ToJson for $type {
            fn to_json(&self) -> $crate::json::Json {
                let fields = [$((stringify!($field), self.$field.to_json())),*];
                $crate::json::Json::Object(
                    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
                )
            }
        }
    };
}

/// `json_enum!(Shape { Point, Circle(radius), Box { width, height } });` makes an enum writable and
/// readable: `"Point"`, `{"Circle": {"radius": 2}}`. The value in a tuple gets its name here.
#[macro_export]
macro_rules! json_enum {
    ($type:ident { $(
        $name:ident $(($($item:ident),+))? $({ $($field:ident),+ })?
    ),* $(,)? }) => {
        impl $crate::json::ToJson for $type {
            fn to_json(&self) -> $crate::json::Json {
                let (name, content) = match self { $(
                    $type::$name $(($($item),+))? $({ $($field),+ })? => (stringify!($name), vec![
                        $($((stringify!($item), $item.to_json())),+)?
                        $($((stringify!($field), $field.to_json())),+)?
                    ]),
                )* };
                $crate::json::Json::of_variant(name, content)
            }
        }

        impl $crate::json::FromJson for $type {
            fn made_of(json: $crate::json::Json, wrong: &mut $crate::json::Wrong) -> Self {
                #[allow(unused_mut, unused_variables)]
                let (name, mut content) = match json {
                    $crate::json::Json::Text(name) => (name, $crate::json::Json::Null),
                    json => json.variant(wrong),
                };
                match name.as_str() {
                    $(stringify!($name) => {
                        $($(let $item = content.read(stringify!($item), wrong);)+)?
                        $($(let $field = content.read(stringify!($field), wrong);)+)?
                        $type::$name $(($($item),+))? $({ $($field),+ })?
                    })*
                    _ => {
                        let names = [$(stringify!($name)),*];
                        wrong.say(format!("{name} where {} should be", names.join(" or ")));
                        // Some value; it is never used.
                        Self::made_of($crate::json::Json::Text(names[0].to_owned()), wrong)
                    }
                }
            }
        }
    };
}

impl ToJson for bool {
    fn to_json(&self) -> Json {
        Json::Bool(*self)
    }
}

impl ToJson for u64 {
    fn to_json(&self) -> Json {
        Json::Number((*self).try_into().unwrap_or(i64::MAX))
    }
}

impl ToJson for i64 {
    fn to_json(&self) -> Json {
        Json::Number(*self)
    }
}

impl ToJson for u32 {
    fn to_json(&self) -> Json {
        Json::Number((*self).into())
    }
}

impl ToJson for usize {
    fn to_json(&self) -> Json {
        (*self as u64).to_json()
    }
}

impl ToJson for String {
    fn to_json(&self) -> Json {
        Json::Text(self.clone())
    }
}

impl ToJson for Rc<[u8]> {
    fn to_json(&self) -> Json {
        Json::List(self.iter().map(|byte| Json::Number((*byte).into())).collect())
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(&self) -> Json {
        Json::List(self.iter().map(T::to_json).collect())
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::to_json)
    }
}

impl serde::Serialize for Json {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => to.serialize_unit(),
            Json::Bool(value) => to.serialize_bool(*value),
            Json::Number(value) => to.serialize_i64(*value),
            Json::Text(text) => to.serialize_str(text),
            Json::List(items) => to.collect_seq(items),
            Json::Object(fields) => to.collect_map(fields.iter().map(|(name, one)| (name, one))),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(value) => write!(f, "{value}"),
            Json::Number(value) => write!(f, "{value}"),
            Json::Text(text) => write_text(text, f),
            Json::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at == 0 { '[' } else { ',' })?;
                }
                f.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Json::Object(fields) => {
                for (at, (name, value)) in fields.iter().enumerate() {
                    f.write_char(if at == 0 { '{' } else { ',' })?;
                    write_text(name, f)?;
                    write!(f, ":{value}")?;
                }
                f.write_str(if fields.is_empty() { "{}" } else { "}" })
            }
        }
    }
}

fn write_text(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            c if c < ' ' => write!(f, "\\u{:04x}", c as u32)?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

impl FromJson for bool {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        match json {
            Json::Bool(value) => value,
            other => {
                wrong.mismatch(&other, "true or false");
                false
            }
        }
    }
}

impl FromJson for i64 {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        match json {
            Json::Number(value) => value,
            other => {
                wrong.mismatch(&other, "a number");
                0
            }
        }
    }
}

/// Reads a number from 0 to `max`.
#[inline(never)]
fn number(json: Json, max: u64, wrong: &mut Wrong) -> u64 {
    match u64::try_from(i64::made_of(json, wrong)) {
        Ok(value) if value <= max => return value,
        Ok(_) => wrong.say("too large".to_owned()),
        Err(_) => wrong.say("too small".to_owned()),
    }
    0
}

impl FromJson for u64 {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        number(json, u64::MAX, wrong)
    }
}

impl FromJson for u8 {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        number(json, u8::MAX.into(), wrong) as u8
    }
}

impl FromJson for u32 {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        number(json, u32::MAX.into(), wrong) as u32
    }
}

impl FromJson for usize {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        number(json, usize::MAX as u64, wrong) as usize
    }
}

impl FromJson for String {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        match json {
            Json::Text(text) => text,
            other => {
                wrong.mismatch(&other, "a text");
                String::new()
            }
        }
    }
}

impl FromJson for Rc<[u8]> {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        Vec::made_of(json, wrong).into()
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        json.items(wrong).into_iter().map(|item| T::made_of(item, wrong)).collect()
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        match json {
            Json::Null => None,
            other => Some(T::made_of(other, wrong)),
        }
    }
}

/// Parses the whole of `text` as one value.
pub fn parse(text: &str) -> Result<Json, Error> {
    parse_at(text).map(|(json, _)| json).map_err(|(_, error)| error)
}

/// Parses `text`. With the value come the byte offsets at which it and the values in it begin, in
/// their order; with an error comes the offset at which it was met.
pub fn parse_at(text: &str) -> Result<(Json, Vec<usize>), (usize, Error)> {
    let mut parser = Parser { text, at: 0, depth: 0, starts: Vec::new() };
    let value = parser.value().and_then(|value| match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.unexpected("the end")),
    });
    match value {
        Ok(value) => Ok((value, parser.starts)),
        Err(error) => Err((parser.at.min(text.len()), error)),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// Where the values began that were met.
    starts: Vec<usize>,
}

impl Parser<'_> {
    /// Skips white space and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn accept(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        match self.accept(byte) {
            true => Ok(()),
            false => Err(self.unexpected(&char::from(byte).to_string())),
        }
    }

    fn unexpected(&self, wanted: &str) -> Error {
        format!("not JSON at byte {}: {wanted} should be there", self.at)
    }

    fn value(&mut self) -> Result<Json, Error> {
        let first = self.peek();
        self.starts.push(self.at);
        Ok(match first {
            Some(b'"') => Json::Text(self.string()?),
            Some(b'[') => Json::List(self.items(b']', Self::value)?),
            Some(b'{') => Json::Object(self.items(b'}', Self::entry)?),
            Some(b'-' | b'0'..=b'9') => Json::Number(self.number()?),
            _ if self.word("null") => Json::Null,
            _ if self.word("true") => Json::Bool(true),
            _ if self.word("false") => Json::Bool(false),
            _ => return Err(self.unexpected("a value")),
        })
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Reads the items between the bracket here and its counterpart, `close`.
    fn items<T>(
        &mut self,
        close: u8,
        item: fn(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err("nested too deeply".to_owned());
        }
        let mut items = Vec::new();
        if !self.accept(close) {
            loop {
                items.push(item(self)?);
                if !self.accept(b',') {
                    break;
                }
            }
            self.expect(close)?;
        }
        self.depth -= 1;
        Ok(items)
    }

    fn entry(&mut self) -> Result<(String, Json), Error> {
        let name = self.string()?;
        self.expect(b':')?;
        Ok((name, self.value()?))
    }

    fn number(&mut self) -> Result<i64, Error> {
        let rest = &self.text[self.at..];
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest.bytes().skip(sign).take_while(u8::is_ascii_digit).count();
        let digits = &rest[..sign + digits];
        let number = digits.parse().map_err(|_| self.unexpected("a smaller number"))?;
        self.at += digits.len();
        match self.text.as_bytes().get(self.at) {
            Some(b'.' | b'e' | b'E') => Err(self.unexpected("the end of a whole number")),
            _ => Ok(number),
        }
    }

    fn string(&mut self) -> Result<String, Error> {
        self.expect(b'"')?;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.bytes().take_while(|&b| b != b'"' && b != b'\\' && b >= b' ').count();
            out.push_str(&rest[..plain]);
            self.at += plain + 1;
            match rest.as_bytes().get(plain) {
                Some(b'"') => return Ok(out),
                Some(b'\\') => out.push(self.escape()?),
                _ => return Err(self.unexpected("the end of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Error> {
        let letter = self.text.as_bytes().get(self.at).copied();
        self.at += 1;
        Ok(match letter {
            Some(c @ (b'"' | b'\\' | b'/')) => c.into(),
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                let unit = self.code_unit()?;
                let code = match unit {
                    // The first half of a pair.
                    0xd800..0xdc00 if self.word("\\u") => {
                        0x10000 + ((unit - 0xd800) << 10) + (self.code_unit()? & 0x3ff)
                    }
                    _ => unit,
                };
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(self.unexpected("an escape")),
        })
    }

    /// Reads four hexadecimal digits.
    fn code_unit(&mut self) -> Result<u32, Error> {
        let digits = self.text.get(self.at..self.at + 4);
        let unit = digits.and_then(crate::hexadecimal);
        self.at += 4;
        unit.ok_or_else(|| self.unexpected("four hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Sample {
        name: String,
        at: Vec<u32>,
        note: Option<bool>,
    }

    from_json!(Sample { name, at, note });

    #[test]
    fn reads_what_the_fields_ask_for() {
        let text =
            r#" { "at" : [ 1, 22 ], "more": {"x": null}, "name": "a\"\u00e9\ud83d\ude00é" } "#;
        let sample = Sample { name: "a\"é😀é".into(), at: vec![1, 22], note: None };
        assert_eq!(read(text), Ok(sample));
        assert_eq!(read("[true, false]"), Ok(vec![true, false]));
        assert_eq!(read::<Sample>("{}"), Err("name: nothing where a text should be".to_owned()));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "null",
            "[]",
            "{}",
            r#"{"a":[1,9223372036854775807,-4,true,null,{}],"b\"\\":{"c":"é😀\u0001\n"}}"#,
        ] {
            let value = parse(text).expect(text);
            assert_eq!(value.to_string(), text);
        }
        assert_eq!(Some(vec![1u32, 2]).to_json().to_string(), "[1,2]");
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text: &str| read::<Sample>(text).expect_err(text);
        assert_eq!(error("7"), "a number where an object should be");
        assert_eq!(error(r#"{"name": []}"#), "name: a list where a text should be");
        assert_eq!(error(r#"{"name": "a", "at": [4294967296]}"#), "at: too large");
        assert_eq!(error(r#"{"name" "a"}"#), "not JSON at byte 8: : should be there");
        assert_eq!(error(&"[".repeat(1000)), "nested too deeply");
    }

    #[test]
    fn no_text_harms() {
        for bad in [
            "",
            "\"",
            "\"\\",
            "\"\\u12",
            "\"\\u12é",
            "\"\\u+041\"",
            "[1",
            "[1,",
            "{\"a\":",
            "-",
            "--1",
            "1.5",
            "1e3",
            "nul",
            "1 2",
            "99999999999999999999",
            "\"\n\"",
            "{1:2}",
            "\"\\ud800\\u",
            "é",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert_eq!(parse("-12"), Ok(Json::Number(-12)));
        assert_eq!(parse("\"\\ud800\""), Ok(Json::Text("\u{fffd}".into())));
    }
}
