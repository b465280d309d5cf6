//! A world as source text: generated, shrunk while the searches still disagree, printed as a
//! folder.
//!
//! A new field of a [`Definition`] is shrunk and printed unasked. To extend generated worlds, draw
//! the field in `generate`.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::json::Json;
use crate::lua::{self, Chunk};
use crate::playground::folder;
use crate::scenario::fields::Field;
use crate::scenario::setup::quoted;
use crate::scenario::{Client, Definition, Instance, MistakePlace, Script, With};
use crate::sim::{DEFAULT_NODE, Kind, Property, Scenario};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// The world; each client has a program of its own, at its place.
    pub world: Definition,
    /// True if the scenario also has the property that no program ends with an error.
    pub asks_errors: bool,
    /// The order of the ids that `uuid()` gives, up to [`Draft::ID_ORDERS`]; 0 is that of the
    /// letters. A folder cannot say it.
    pub ids: u8,
}

impl Draft {
    pub const ID_ORDERS: u8 = 3;

    /// Adds a client that runs this program.
    pub fn add(&mut self, text: String, client: Client) {
        let program = self.world.programs.len();
        let name = char::from(b'a' + program as u8).to_string();
        self.world.programs.push(Script { name, text });
        self.world.clients.push(Client { program, ..client });
    }

    /// Adds a client like this one.
    pub fn add_again(&mut self, at: usize) {
        self.add(self.world.programs[at].text.clone(), self.world.clients[at].clone());
    }

    /// Adds a command to the setup of the first instance.
    pub fn set_up(&mut self, words: &[&str]) {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        self.world.setup += &format!("{DEFAULT_NODE}> {}\n", words.join(" "));
    }

    /// Adds an instance; the first one is called [`DEFAULT_NODE`].
    pub fn add_node(&mut self, name: &str, replica_of: &str) {
        let (name, replica_of) = (name.to_owned(), replica_of.to_owned());
        self.world.instances.push(Instance { name, replica_of, ..Instance::default() });
    }

    /// Returns the second instance; if there is none, adds one with this master.
    pub fn second(&mut self, replica_of: &str) -> &mut Instance {
        if self.world.instances.len() < 2 {
            self.add_node("r", replica_of);
        }
        &mut self.world.instances[1]
    }

    /// Adds a condition.
    pub fn ask(&mut self, kind: Kind, check: String) {
        self.world.properties.push(crate::scenario::Property::new(kind, check));
    }

    /// Returns the scenario; `None` if a program is not Lua, or the setup is refused.
    pub fn scenario(&self) -> Option<Scenario> {
        let world = &self.world;
        // Equal clients run one program.
        let mut known: Vec<(&str, Rc<Chunk>)> = Vec::new();
        let compiled = |at: usize, _: &With| {
            let text = world.programs[at].text.as_str();
            if let Some((_, chunk)) = known.iter().find(|(one, _)| *one == text) {
                return Ok(chunk.clone());
            }
            let chunk = lua::compile(text.as_bytes(), "p.lua").map_err(|why| why.to_string())?;
            known.push((text, chunk.clone()));
            Ok(chunk)
        };
        let property = |one: &crate::scenario::Property| Property::new(one.kind, &one.check, "p");
        let properties = world.properties.iter().map(property).collect::<Result<_, _>>().ok()?;
        let mut scenario = world.start(compiled, properties).ok()?;
        if self.ids & 1 > 0 {
            scenario.ids.places = (0..scenario.clients.len() as u8).rev().collect();
        }
        scenario.ids.falls = self.ids & 2 > 0;
        Some(if self.asks_errors { scenario.asked_for_errors() } else { scenario })
    }

    /// Returns drafts with a little less in them, the smallest first.
    fn smaller(&self) -> Vec<Draft> {
        let world = |world: Definition| Draft { world, ..*self };
        let clients = self.world.clients.len();
        let without_client = (0..clients).filter(|_| clients > 1).map(|at| {
            let mut less = self.world.clone();
            less.clients.remove(at);
            less.programs.remove(at);
            less.clients[at..].iter_mut().for_each(|client| client.program -= 1);
            world(less)
        });
        // Of clients that run the same program.
        let texts: BTreeSet<&str> = self.world.programs.iter().map(|one| &*one.text).collect();
        let without_line = texts.into_iter().flat_map(|text| {
            fewer_lines(text).map(move |fewer| {
                let mut less = self.world.clone();
                let same = less.programs.iter_mut().filter(|one| one.text == text);
                same.for_each(|one| one.text.clone_from(&fewer));
                world(less)
            })
        });
        let without_part = less(&self.world.written()).into_iter().filter_map(|json| {
            Definition::of_whole(&json.into(), MistakePlace::Whole).ok().map(world)
        });
        let plain =
            [Draft { ids: 0, ..self.clone() }, Draft { asks_errors: false, ..self.clone() }];
        let all = without_client.chain(without_part).chain(plain).chain(without_line);
        all.filter(|less| less != self).collect()
    }

    /// Shrinks the draft, one removal after the other, as long as `is_still_so`.
    pub fn cut_down(self, is_still_so: impl Fn(&Draft) -> bool) -> Draft {
        let mut draft = self;
        while let Some(less) = draft.smaller().into_iter().find(|less| is_still_so(less)) {
            draft = less;
        }
        draft
    }

    /// Returns the files of a scenario folder, one after the other, each under its name.
    pub fn folder(&self) -> String {
        let files = folder::write_scenario(&self.world).into_iter();
        files.map(|(name, text)| format!("--- {name}\n{text}\n")).collect()
    }
}

/// Returns the text without one of its lines, for each of them.
fn fewer_lines(text: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).map(move |at| [&lines[..at], &lines[at + 1..]].concat().join("\n"))
}

/// Returns a written world with one field, item or line less. A client goes with its program, and
/// not here.
fn less(json: &Json) -> Vec<Json> {
    match json {
        Json::Text(text) if text.contains('\n') => fewer_lines(text).map(Json::Text).collect(),
        Json::List(items) => {
            let without = (0..items.len()).map(|at| [&items[..at], &items[at + 1..]].concat());
            without.map(Json::List).chain(each_less(items, less, Json::List)).collect()
        }
        Json::Object(fields) => {
            let of_field = |(name, value): &(String, Json)| {
                let found = match (name.as_str(), value) {
                    ("programs" | "clients", Json::List(items)) => {
                        each_less(items, less, Json::List).collect()
                    }
                    ("program", _) => Vec::new(),
                    _ => [vec![Json::Null], less(value)].concat(),
                };
                found.into_iter().map(|value| (name.clone(), value)).collect()
            };
            each_less(fields, of_field, Json::Object).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the list with one item less, for each way that `less` finds, `made` into JSON.
fn each_less<T: Clone>(
    items: &[T],
    less: impl Fn(&T) -> Vec<T>,
    made: fn(Vec<T>) -> Json,
) -> impl Iterator<Item = Json> {
    let changed = (0..items.len())
        .flat_map(move |at| less(&items[at]).into_iter().map(move |item| (at, item)));
    changed.map(move |(at, item)| {
        let mut items = items.to_vec();
        items[at] = item;
        made(items)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_does_not_matter_is_left_out() {
        let mut draft = Draft { world: Definition::other(), asks_errors: true, ids: 3 };
        draft.world.clients.iter_mut().enumerate().for_each(|(at, one)| one.program = at);
        draft.world.setup = "SET a 1\nSET b 2\n".to_owned();
        let least = draft.cut_down(|less| less.world.wire && less.world.setup.contains("b 2"));
        let mut needed = Draft::default();
        needed.add(String::new(), Client::default());
        needed.world.programs[0].name = "x".to_owned();
        needed.world.setup = "SET b 2".to_owned();
        needed.world.wire = true;
        assert_eq!(least, needed);
    }
}
