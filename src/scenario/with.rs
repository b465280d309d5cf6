//! What a client gives its program ([`With`]), so that clients can run one program with different
//! values: `with = { key = "a", n = 2 }`.
//!
//! The values become locals in front of the program's first line, so that lines keep their numbers.
//! Clients with different values therefore run different programs, for a search as well. In a form
//! they are typed as between the braces.

use crate::json::Json;
use crate::lua;

use super::fields::{Field, object};
use super::mistakes::Mistakes;
use super::setup::is_word;
use super::tree::{Tree, Value};
use super::{MANY_MAX, toml, too_many};

/// The greatest whole number that Lua tells from the next one.
const NUMBER_MAX: u64 = 1 << 53;

/// The values that a client gives its program, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct With {
    /// Texts, whole numbers, true and false.
    values: Vec<(String, Json)>,
    /// What was typed, if it is not how the values are written; it may be no values at all.
    typed: String,
}

impl With {
    /// Returns the program with the values in front of its first line.
    pub fn program(&self, text: &str) -> String {
        let local = |(name, value): &(String, Json)| match value {
            Json::Text(text) => {
                format!("local {name} = {} ", lua::literal(text.as_bytes(), '"'))
            }
            other => format!("local {name} = {other} "),
        };
        self.values.iter().map(local).collect::<String>() + text
    }

    /// Returns the values as they are typed.
    pub fn text(&self) -> String {
        let written = |(name, value): &(String, Json)| format!("{name} = {}", toml::value(value));
        match self.typed.as_str() {
            "" => self.values.iter().map(written).collect::<Vec<_>>().join(", "),
            typed => typed.to_owned(),
        }
    }

    /// Returns what is wrong with what was typed.
    pub fn mistake(&self) -> Option<String> {
        typed(&self.typed).err()
    }
}

impl Field for With {
    fn of_tree(tree: &Tree, name: &str, wrong: &mut Mistakes) -> With {
        if let Value::Text(text) = &tree.value {
            let mut with = With::default();
            with.type_in(text);
            return with;
        }
        let values = values(tree).map_err(|(line, why)| wrong.bad(line, name, &why));
        With { values: values.unwrap_or_default(), typed: String::new() }
    }

    fn written(&self) -> Json {
        match self.values.is_empty() {
            true => Json::Text(self.typed.clone()),
            false => object(self.values.iter().map(|(name, one)| (&**name, one.clone())).collect()),
        }
    }

    fn type_in(&mut self, text: &str) {
        *self = With { values: typed(text).unwrap_or_default(), typed: String::new() };
        if self.text() != text {
            text.clone_into(&mut self.typed);
        }
    }

    #[cfg(test)]
    fn other() -> With {
        let values = [
            ("key", Json::Text("it's \"x\"\n1".to_owned())),
            ("n", Json::Number(-7)),
            ("is_first", Json::Bool(true)),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value)).into();
        With { values, typed: String::new() }
    }
}

/// Reads the values that were typed.
fn typed(text: &str) -> Result<Vec<(String, Json)>, String> {
    let tree = toml::parse(&format!("with = {{{text}}}"));
    let tree = tree.map_err(|_| "key = \"a\", n = 2 should be there".to_owned())?;
    tree.get("with").map_or(Ok(Vec::new()), values).map_err(|(_, why)| why)
}

/// Returns true if a variable can have this name in Lua.
pub fn is_variable(name: &str) -> bool {
    is_word(name) && lua::compile(format!("local {name}").as_bytes(), "").is_ok()
}

pub fn not_variable(name: &str) -> String {
    format!("{name} cannot be the name of a variable in Lua")
}

/// Reads the values of a table. The error is a line, and what is wrong there.
fn values(tree: &Tree) -> Result<Vec<(String, Json)>, (u32, String)> {
    let Value::Table(fields) = &tree.value else {
        return Err((tree.line, format!("{} where a table should be", tree.to_json().what())));
    };
    if fields.len() > MANY_MAX {
        return Err((tree.line, too_many(fields.len())));
    }
    let mut values: Vec<(String, Json)> = Vec::new();
    for (name, item) in fields {
        let why = match item.value {
            _ if !is_variable(name) => not_variable(name),
            _ if values.iter().any(|(known, _)| known == name) => {
                format!("{name} is there twice")
            }
            Value::Number(number) if number.unsigned_abs() > NUMBER_MAX => {
                format!("Lua has no number {number}")
            }
            Value::Text(_) | Value::Number(_) | Value::Bool(_) => {
                values.push((name.clone(), item.to_json()));
                continue;
            }
            _ => format!("{name} is no text, whole number, true or false"),
        };
        return Err((item.line, why));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Definition;
    use crate::text::Lang;

    #[test]
    fn what_is_typed_is_kept_as_it_is_and_read() {
        let mut with = With::default();
        for (text, program, wrong) in [
            ("key = 'a', n = 2", "local key = \"a\" local n = 2 ", false),
            ("key = \"a\", ", "local key = \"a\" ", false),
            ("key = ", "", true),
            ("end = 1", "", true),
            ("a = 1.5", "", true),
            ("", "", false),
        ] {
            with.type_in(text);
            assert_eq!((with.text(), with.program("")), (text.to_owned(), program.to_owned()));
            assert_eq!(with.mistake().is_some(), wrong, "{text}");
        }
        let other = With::other().program("return");
        assert_eq!(other.lines().count(), 1, "{other}");
        lua::compile(other.as_bytes(), "a.lua").expect("Lua");
    }

    #[test]
    fn a_mistake_in_a_value_is_named_with_its_line() {
        for (with, line, said) in [
            ("{\n\"end\": 1 }", 2, "end cannot be the name of a variable"),
            ("{ \"a b\": 1 }", 1, "a b cannot be"),
            ("{ \"a\": 1,\n\"b\": [2] }", 2, "b is no text, whole number, true or false"),
            ("{ \"a\": 9007199254740993 }", 1, "no number 9007199254740993"),
            ("{ \"a\": 1, \"a\": 2 }", 1, "a is there twice"),
            ("1", 1, "with cannot be read: a number where a table should be"),
        ] {
            let world = "\"programs\": [{ \"name\": \"a\", \"text\": \"\" }]";
            let text = format!("{{ {world}, \"clients\": [{{ \"with\": {with} }}] }}");
            let found = Definition::read(&text, "").expect_err(with);
            assert_eq!(found[0].line, line, "{with}");
            assert!(found[0].what(Lang::En).contains(said), "{with}: {found:?}");
        }
    }
}
