//! What the readers of TOML and JSON yield: values, each with the line at which it stands, so that
//! every mistake of an author can be named with its line.

use crate::json::{self, Json};

/// A value and its place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
    pub value: Value,
}

/// A value without fractions.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Value {
    /// Only JSON has it; as a field it counts as absent.
    #[default]
    Null,
    Text(String),
    Number(i64),
    Bool(bool),
    List(Vec<Tree>),
    /// The fields, in the order of the text.
    Table(Vec<(String, Tree)>),
}

impl Tree {
    /// Parses JSON; some editors begin a file with a byte order mark. The error is a line, and what
    /// is wrong there.
    pub fn of_json(text: &str) -> Result<Tree, (u32, String)> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut line, mut last) = (1, 0);
        let mut line_of = |at: usize| {
            line += text.as_bytes()[last..at].iter().filter(|byte| **byte == b'\n').count() as u32;
            last = at;
            line
        };
        match json::parse_at(text) {
            Ok((json, starts)) => Ok(Tree::new(json, &mut starts.into_iter().map(line_of))),
            Err((at, why)) => Err((line_of(at), why)),
        }
    }

    /// Gives every value of `json`, in the order in which they begin, the next of these lines.
    fn new(json: Json, lines: &mut dyn Iterator<Item = u32>) -> Tree {
        let line = lines.next().unwrap_or(0);
        let value = match json {
            Json::Null => Value::Null,
            Json::Bool(is) => Value::Bool(is),
            Json::Number(number) => Value::Number(number),
            Json::Text(text) => Value::Text(text),
            Json::List(items) => {
                Value::List(items.into_iter().map(|item| Tree::new(item, lines)).collect())
            }
            Json::Object(fields) => {
                let field = |(name, json)| (name, Tree::new(json, lines));
                Value::Table(fields.into_iter().map(field).collect())
            }
        };
        Tree { line, value }
    }

    /// Returns the same without lines.
    pub fn to_json(&self) -> Json {
        match &self.value {
            Value::Null => Json::Null,
            Value::Text(text) => Json::Text(text.clone()),
            Value::Number(number) => Json::Number(*number),
            Value::Bool(is) => Json::Bool(*is),
            Value::List(items) => Json::List(items.iter().map(Tree::to_json).collect()),
            Value::Table(entries) => {
                let entry = |(name, item): &(String, Tree)| (name.clone(), item.to_json());
                Json::Object(entries.iter().map(entry).collect())
            }
        }
    }

    /// Returns the value of a table's key.
    pub fn get(&self, name: &str) -> Option<&Tree> {
        let found = self.entries().iter().find(|(key, _)| key == name).map(|(_, item)| item);
        found.filter(|item| item.value != Value::Null)
    }

    /// Gives a field of a table a value, at the table's line.
    pub fn set(&mut self, name: &str, value: Value) {
        self.put(name, Tree { line: self.line, value });
    }

    /// Gives a field of a table a value that has a line of its own.
    pub fn put(&mut self, name: &str, tree: Tree) {
        let Value::Table(fields) = &mut self.value else { return };
        fields.retain(|(known, _)| known != name);
        fields.push((name.to_owned(), tree));
    }

    /// Returns the table with those of its fields that have one of these names.
    pub fn keeping(&self, names: &[&str]) -> Tree {
        let fields = self.entries().iter().filter(|(name, _)| names.contains(&name.as_str()));
        Tree { line: self.line, value: Value::Table(fields.cloned().collect()) }
    }

    /// Returns the fields of a table; none if it is something else.
    pub fn entries(&self) -> &[(String, Tree)] {
        if let Value::Table(entries) = &self.value { entries } else { &[] }
    }

    /// Returns the text that it is.
    pub fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    /// Returns the items of a list; a single table counts as a list of one.
    pub fn items(&self) -> &[Tree] {
        match &self.value {
            Value::List(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    /// A table without fields.
    pub fn table(line: u32) -> Tree {
        Tree { line, value: Value::Table(Vec::new()) }
    }
}

impl From<Json> for Tree {
    /// Makes a tree of which no line is known.
    fn from(json: Json) -> Tree {
        Tree::new(json, &mut std::iter::empty())
    }
}
