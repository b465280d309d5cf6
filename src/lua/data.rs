//! Copies values out of a program, or into one.

use super::number;
use super::state::{State, Thrown};
use super::table::Table;
use super::value::{Str, Value};
use ground::resp::Bytes;

/// The levels of nested tables that are copied; deeper ones appear as opaque.
const DEPTH_MAX: usize = 16;
/// The most entries of one table that are copied.
const ENTRIES_MAX: usize = 100_000;
/// The most characters of a short rendering.
const SHORT: usize = 40;

/// The length from which a string that is copied in counts as allocated.
const LONG: usize = 1024;

/// A value as a plain tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Nil,
    Bool(bool),
    Num(f64),
    Str(Bytes),
    /// The array part, then the rest in `pairs` order. A cycle is cut to `Opaque("table")`.
    Table(Vec<(Data, Data)>),
    /// A value that cannot leave the program, by the name of its type.
    Opaque(&'static str),
    /// A function of the host, by its position in the profile; only for copying in.
    Host(u16),
}

impl Data {
    /// Creates a string.
    pub fn str(text: impl AsRef<[u8]>) -> Self {
        Self::Str(text.as_ref().into())
    }

    /// Creates a table with the items 1, 2, …
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        let entries = items.into_iter().enumerate();
        Self::Table(entries.map(|(at, item)| (Self::Num((at + 1) as f64), item)).collect())
    }

    /// Returns the entry at `key`, if this is a table with such an entry.
    pub fn get(&self, key: &Self) -> Option<&Self> {
        match self {
            Self::Table(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns true for everything but nil and false.
    pub fn truthy(&self) -> bool {
        !matches!(self, Self::Nil | Self::Bool(false))
    }

    /// Returns a short rendering, as in `10`, `"abc"`, `{1, 2}`, `{x = 1}`.
    pub fn short(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, SHORT);
        if out.chars().count() > SHORT {
            out = out.chars().take(SHORT - 1).chain(['…']).collect();
        }
        out
    }

    fn write(&self, out: &mut String, room: usize) {
        match self {
            Self::Nil => out.push_str("nil"),
            Self::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
            Self::Num(n) => out.push_str(&String::from_utf8_lossy(&number::format(*n))),
            Self::Str(bytes) => {
                let shown = &bytes[..bytes.len().min(room + 4)];
                out.push('"');
                for c in String::from_utf8_lossy(shown).chars() {
                    match c {
                        '"' => out.push_str("\\\""),
                        '\\' => out.push_str("\\\\"),
                        '\n' => out.push_str("\\n"),
                        c if c.is_control() => out.push_str(&format!("\\{}", c as u32)),
                        c => out.push(c),
                    }
                }
                out.push('"');
            }
            Self::Table(entries) => {
                if let Some(name) = name_of_object(entries) {
                    return out.push_str(&name);
                }
                out.push('{');
                // Of an object what it holds is of interest, not its methods.
                let shown = entries.iter().filter(|(key, value)| !is_method(key, value));
                for (at, (key, value)) in shown.enumerate() {
                    if at > 0 {
                        out.push_str(", ");
                    }
                    if out.len() > room {
                        out.push('…');
                        break;
                    }
                    write_key(key, at, out, room);
                    value.write(out, room);
                }
                out.push('}');
            }
            Self::Opaque(kind) => out.push_str(kind),
            Self::Host(_) => out.push_str("function"),
        }
    }
}

fn is_method(key: &Data, value: &Data) -> bool {
    matches!((key, value), (Data::Str(_), Data::Opaque("function") | Data::Host(_)))
}

/// Returns what an object is called that has methods and holds nothing but its name and number: a
/// connection, a resource.
fn name_of_object(entries: &[(Data, Data)]) -> Option<String> {
    let mut held = entries.iter().filter(|(key, value)| !is_method(key, value));
    let is_told = |key: &Data| [Data::str("name"), Data::str("number")].contains(key);
    let is_object = entries.iter().any(|(key, value)| is_method(key, value));
    if !is_object || !held.clone().all(|(key, _)| is_told(key)) {
        return None;
    }
    held.find_map(|(key, value)| match value {
        Data::Str(name) if *key == Data::str("name") => {
            Some(String::from_utf8_lossy(name).into_owned())
        }
        _ => None,
    })
}

/// Writes `name = ` or `[key] = `; nothing for the items of an array.
fn write_key(key: &Data, at: usize, out: &mut String, room: usize) {
    match key {
        Data::Num(n) if *n == (at + 1) as f64 => {}
        Data::Str(name)
            if name.iter().all(|c| c.is_ascii_alphanumeric() || *c == b'_')
                && name.first().is_some_and(|c| !c.is_ascii_digit()) =>
        {
            out.push_str(&String::from_utf8_lossy(name));
            out.push_str(" = ");
        }
        key => {
            out.push('[');
            key.write(out, room);
            out.push_str("] = ");
        }
    }
}

impl State {
    /// Copies a value out.
    pub fn export(&self, value: &Value) -> Data {
        let mut all = usize::MAX;
        self.export_at(value, &mut Vec::new(), &mut all)
    }

    /// [`Data::short`] of a value; the cost depends only on what is shown.
    pub fn short(&self, value: &Value) -> String {
        // Each takes a character at least.
        self.export_at(value, &mut Vec::new(), &mut (2 * SHORT)).short()
    }

    /// Copies at most `left` values.
    fn export_at(&self, value: &Value, inside: &mut Vec<u32>, left: &mut usize) -> Data {
        *left = left.saturating_sub(1);
        match value {
            Value::Nil => Data::Nil,
            Value::Bool(b) => Data::Bool(*b),
            Value::Num(n) => Data::Num(*n),
            Value::Str(s) => Data::Str(s.to_bytes()),
            Value::Table(id) if !inside.contains(id) && inside.len() < DEPTH_MAX => {
                inside.push(*id);
                let entries = self.entries(*id, inside, left);
                inside.pop();
                Data::Table(entries)
            }
            other => Data::Opaque(other.type_name()),
        }
    }

    fn entries(&self, id: u32, inside: &mut Vec<u32>, left: &mut usize) -> Vec<(Data, Data)> {
        let table = self.table(id);
        let array = table.array.iter().enumerate();
        let array = array.map(|(at, value)| (Value::Num((at + 1) as f64), value));
        let hash = table.nodes.iter().map(|node| (node.key.clone(), &node.value));
        let mut entries = Vec::new();
        for (key, value) in array.chain(hash).filter(|(_, value)| !value.is_nil()) {
            if entries.len() == ENTRIES_MAX || *left == 0 {
                break;
            }
            // Methods are not shown: they do not count.
            let before = *left;
            let entry = (self.export_at(&key, inside, left), self.export_at(value, inside, left));
            if is_method(&entry.0, &entry.1) {
                *left = before;
            }
            entries.push(entry);
        }
        entries
    }

    /// Copies a value in; an opaque one becomes nil.
    pub fn import(&mut self, data: &Data) -> Result<Value, Thrown> {
        Ok(match data {
            Data::Nil | Data::Opaque(_) => Value::Nil,
            Data::Bool(b) => Value::Bool(*b),
            Data::Host(index) => Value::Host(*index),
            Data::Num(n) => Value::Num(*n),
            Data::Str(bytes) => {
                // A reply may be a copy of its own.
                self.allocated += 48 + if bytes.len() > LONG { bytes.len() } else { 0 };
                Value::Str(Str::from_bytes(bytes))
            }
            Data::Table(entries) => {
                let in_order = |(at, (key, _)): (usize, &(Data, Data))| {
                    let place = (at + 1) as f64;
                    matches!(key, Data::Num(n) if *n == place)
                };
                let array = entries.iter().enumerate().take_while(|e| in_order(*e)).count();
                let table = Table::with_sizes(array, entries.len() - array);
                let made = self.new_table(table);
                let Value::Table(id) = made else { return Ok(Value::Nil) };
                for (key, value) in entries {
                    let (key, value) = (self.import(key)?, self.import(value)?);
                    self.raw_set(id, &key, value).map_err(|m| self.run_error(m))?;
                }
                made
            }
        })
    }
}
