//! A parser for the part of TOML that manifests use, which keeps line numbers: strings of all four
//! kinds, whole numbers in every base, booleans, lists, tables in every spelling.
//!
//! Absent: fractions, dates. They are reported as errors.

use crate::hexadecimal;
use crate::json::Json;
use crate::text::{Key, shortened};

use super::tree::{Tree, Value};

/// The deepest nesting of lists and tables.
const DEPTH_MAX: usize = 20;

/// A mistake, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    pub line: u32,
    pub what: Key,
    pub found: String,
}

/// Parses `text` to a table; some editors begin a file with a byte order mark.
pub fn parse(text: &str) -> Result<Tree, Wrong> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { text, at: 0, depth: 0 };
    let mut root = Tree::table(1);
    // Where keys go that stand under a header.
    let mut path: Vec<String> = Vec::new();
    loop {
        reader.blank();
        let line = reader.line();
        if reader.at == text.len() {
            return Ok(root);
        }
        if reader.accept("[") {
            let listed = reader.accept("[");
            path = reader.path()?;
            reader.expect(if listed { "]]" } else { "]" })?;
            open(&mut root, &path, listed, line)?;
        } else {
            let names = reader.path()?;
            reader.expect("=")?;
            let item = reader.value()?;
            let found = names.join(".");
            let table = place(&mut root, &path, line)?;
            insert(table, &names, item).ok_or(Wrong { line, what: Key::TomlTwice, found })?;
        }
        reader.end_of_line()?;
    }
}

/// Returns the table at `path`; of a list of tables the last.
fn place<'r>(root: &'r mut Tree, path: &[String], line: u32) -> Result<&'r mut Tree, Wrong> {
    let mut at = root;
    for name in path {
        at = step(at, name, line).ok_or_else(|| Wrong {
            line,
            what: Key::TomlTwice,
            found: name.clone(),
        })?;
    }
    Ok(at)
}

fn step<'r>(at: &'r mut Tree, name: &str, line: u32) -> Option<&'r mut Tree> {
    let Value::Table(entries) = &mut at.value else { return None };
    let known = entries.iter().position(|(key, _)| key == name);
    let index = known.unwrap_or(entries.len());
    if known.is_none() {
        entries.push((name.to_owned(), Tree::table(line)));
    }
    let item = &mut entries[index].1;
    match item.value {
        Value::Table(_) => Some(item),
        Value::List(ref mut items) => items.last_mut(),
        _ => None,
    }
}

/// Handles a header: `[a.b]` names a table, `[[a.b]]` appends one to a list.
fn open(root: &mut Tree, path: &[String], listed: bool, line: u32) -> Result<(), Wrong> {
    if !listed {
        return place(root, path, line).map(drop);
    }
    let Some((name, above)) = path.split_last() else { return Ok(()) };
    let twice = || Wrong { line, what: Key::TomlTwice, found: name.clone() };
    let table = place(root, above, line)?;
    let Value::Table(entries) = &mut table.value else { return Err(twice()) };
    match entries.iter_mut().find(|(key, _)| key == name) {
        Some((_, Tree { value: Value::List(items), .. })) => items.push(Tree::table(line)),
        Some(_) => return Err(twice()),
        None => {
            let list = Tree { line, value: Value::List(vec![Tree::table(line)]) };
            entries.push((name.clone(), list));
        }
    }
    Ok(())
}

/// Inserts a value; `None` if the key has one already.
fn insert(table: &mut Tree, names: &[String], item: Tree) -> Option<()> {
    let (name, above) = names.split_last()?;
    let mut at = table;
    for name in above {
        at = step(at, name, item.line)?;
    }
    let Value::Table(entries) = &mut at.value else { return None };
    if entries.iter().any(|(key, _)| key == name) {
        return None;
    }
    entries.push((name.clone(), item));
    Some(())
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn line(&self) -> u32 {
        1 + self.text.as_bytes()[..self.at].iter().filter(|byte| **byte == b'\n').count() as u32
    }

    fn wrong<T>(&self, what: Key) -> Result<T, Wrong> {
        let found = self.rest().lines().next().unwrap_or_default();
        Err(Wrong { line: self.line(), what, found: shortened(found, 40) })
    }

    fn spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    /// Skips white space, ends of lines and comments.
    fn blank(&mut self) {
        loop {
            let rest = self.rest();
            let after = rest.trim_start_matches([' ', '\t', '\n', '\r']);
            self.at += rest.len() - after.len();
            if !after.starts_with('#') {
                return;
            }
            self.at += after.find('\n').unwrap_or(after.len());
        }
    }

    fn accept(&mut self, word: &str) -> bool {
        self.spaces();
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn expect(&mut self, word: &'static str) -> Result<(), Wrong> {
        match self.accept(word) {
            true => Ok(()),
            false => self.wrong(match word {
                "=" => Key::TomlNoEquals,
                _ => Key::TomlNoBracket,
            }),
        }
    }

    fn end_of_line(&mut self) -> Result<(), Wrong> {
        self.spaces();
        match self.rest().chars().next() {
            None | Some('\n' | '#') => Ok(()),
            Some('\r') if self.rest().starts_with("\r\n") => Ok(()),
            _ => self.wrong(Key::TomlMore),
        }
    }

    /// Parses a key such as `a.b."c d"`.
    fn path(&mut self) -> Result<Vec<String>, Wrong> {
        let mut names = Vec::new();
        loop {
            self.spaces();
            let name = match self.rest().chars().next() {
                Some('"' | '\'') => self.string()?,
                _ => {
                    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                    let rest = self.rest();
                    let length = rest.find(|c| !plain(c)).unwrap_or(rest.len());
                    let name = rest[..length].to_owned();
                    self.at += length;
                    name
                }
            };
            if name.is_empty() || names.len() == DEPTH_MAX {
                return self.wrong(Key::TomlNoKey);
            }
            names.push(name);
            if !self.accept(".") {
                return Ok(names);
            }
        }
    }

    fn value(&mut self) -> Result<Tree, Wrong> {
        self.spaces();
        let line = self.line();
        let rest = self.rest();
        let value = match rest.chars().next() {
            Some('"' | '\'') => Value::Text(self.string()?),
            Some('[') => self.list()?,
            Some('{') => self.inline_table()?,
            Some(c) if c.is_ascii_digit() || c == '-' || c == '+' => self.number()?,
            _ if rest.starts_with("true") => self.word(4, true),
            _ if rest.starts_with("false") => self.word(5, false),
            _ => return self.wrong(Key::TomlNoValue),
        };
        Ok(Tree { line, value })
    }

    fn word(&mut self, length: usize, is: bool) -> Value {
        self.at += length;
        Value::Bool(is)
    }

    fn number(&mut self) -> Result<Value, Wrong> {
        let rest = self.rest();
        let part = |c: char| c.is_ascii_alphanumeric() || "+-_.:".contains(c);
        let length = rest.find(|c| !part(c)).unwrap_or(rest.len());
        let digits = rest[..length].replace('_', "");
        let bases = [("0x", 16), ("0o", 8), ("0b", 2)];
        let based = bases.iter().find_map(|(mark, base)| Some((digits.strip_prefix(mark)?, *base)));
        let number = match based {
            Some((digits, _)) if digits.starts_with(['+', '-']) => {
                return self.wrong(Key::TomlNumber);
            }
            Some((digits, base)) => i64::from_str_radix(digits, base),
            None => digits.parse(),
        };
        match number {
            Ok(number) => {
                self.at += length;
                Ok(Value::Number(number))
            }
            Err(_) => self.wrong(Key::TomlNumber),
        }
    }

    fn deeper(&mut self) -> Result<(), Wrong> {
        self.at += 1;
        self.depth += 1;
        if self.depth > DEPTH_MAX { self.wrong(Key::TomlDeep) } else { Ok(()) }
    }

    fn list(&mut self) -> Result<Value, Wrong> {
        self.deeper()?;
        let mut items = Vec::new();
        loop {
            self.blank();
            if self.accept("]") {
                break;
            }
            items.push(self.value()?);
            self.blank();
            if !self.accept(",") {
                self.expect("]")?;
                break;
            }
        }
        self.depth -= 1;
        Ok(Value::List(items))
    }

    fn inline_table(&mut self) -> Result<Value, Wrong> {
        let line = self.line();
        self.deeper()?;
        let mut table = Tree::table(line);
        loop {
            self.blank();
            if self.accept("}") {
                break;
            }
            let names = self.path()?;
            self.expect("=")?;
            let item = self.value()?;
            let found = names.join(".");
            let line = item.line;
            insert(&mut table, &names, item).ok_or(Wrong { line, what: Key::TomlTwice, found })?;
            self.blank();
            if !self.accept(",") {
                self.expect("}")?;
                break;
            }
        }
        self.depth -= 1;
        Ok(table.value)
    }

    fn string(&mut self) -> Result<String, Wrong> {
        for quote in ["\"\"\"", "'''", "\"", "'"] {
            if self.rest().starts_with(quote) {
                return self.quoted(quote);
            }
        }
        self.wrong(Key::TomlNoValue)
    }

    fn quoted(&mut self, quote: &str) -> Result<String, Wrong> {
        let start = self.at;
        self.at += quote.len();
        let (long, escapes) = (quote.len() == 3, quote.starts_with('"'));
        if long {
            // A line break right behind the opening is no part of it.
            for end in ["\r\n", "\n"] {
                if self.rest().starts_with(end) {
                    self.at += end.len();
                    break;
                }
            }
        }
        let mut out = String::new();
        loop {
            let rest = self.rest();
            if rest.starts_with(quote) {
                // Up to two more quotation marks belong to the text.
                let mark = &quote[..1];
                let more = if long { quote.len() } else { 0 };
                let extra = rest[more..].chars().take(2).take_while(|c| mark.starts_with(*c));
                let extra = if long { extra.count() } else { 0 };
                out += &mark.repeat(extra);
                self.at += quote.len() + extra;
                return Ok(out);
            }
            match rest.chars().next() {
                Some('\\') if escapes => self.escape(&mut out)?,
                Some('\n') if !long => break,
                Some(c) => {
                    out.push(c);
                    self.at += c.len_utf8();
                }
                None => break,
            }
        }
        self.at = start;
        self.wrong(Key::TomlString)
    }

    fn escape(&mut self, out: &mut String) -> Result<(), Wrong> {
        let rest = &self.rest()[1..];
        let letter = rest.chars().next().unwrap_or(' ');
        let digits = match letter {
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        if digits > 0 {
            let code = rest.get(1..=digits).and_then(hexadecimal);
            let Some(c) = code.and_then(char::from_u32) else { return self.wrong(Key::TomlEscape) };
            out.push(c);
            self.at += 2 + digits;
            return Ok(());
        }
        let trimmed = rest.trim_start_matches([' ', '\t', '\r']);
        if trimmed.starts_with('\n') {
            // A line that goes on.
            let length = rest.len() - rest.trim_start().len();
            self.at += 1 + length;
            return Ok(());
        }
        out.push(match letter {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            '"' | '\\' => letter,
            _ => return self.wrong(Key::TomlEscape),
        });
        self.at += 2;
        Ok(())
    }
}

/// Writes `text` as a TOML string, over several lines if it has them.
pub fn quoted(text: &str) -> String {
    let literal =
        !text.contains(['\'', '\r']) && !text.contains(|c: char| c != '\n' && c.is_control());
    if literal && !text.contains('\n') {
        return format!("'{text}'");
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            '\r' => out += "\\r",
            c if c.is_control() => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Writes a value on one line.
pub fn value(json: &Json) -> String {
    match json {
        Json::Text(text) => quoted(text),
        Json::List(items) => {
            format!("[{}]", items.iter().map(value).collect::<Vec<_>>().join(", "))
        }
        Json::Object(fields) => {
            let fields = fields.iter().map(|(name, one)| format!("{name} = {}", value(one)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Writes fields, each on a line of its own.
pub fn entries(fields: &[(&str, Json)]) -> String {
    fields.iter().map(|(name, one)| format!("{name} = {}\n", value(one))).collect()
}
