//! A written world: [`Definition`], whose fields are rows ([`fields!`](super::fields)).
//!
//! As one text it is JSON: [`Definition::write`], [`Definition::read`]. Nothing in a file is
//! ignored: a field that is not known, or more of something than there may be, is a mistake.

use crate::engine::Version;
use crate::json::{FromJson, Json, ToJson, Wrong};
use crate::sim::{Faults, Kind, READY, Ready, TimeMode};
use crate::text::Key;

use super::fields::{Field, fields, in_lessons, object, plain, row, words};
use super::mistakes::{Mistake, MistakePlace, Mistakes, Part};
use super::tree::{Tree, Value};
use super::{WHOLE_MAX, With};

fields! {
    /// A world as it is written down.
    pub struct Definition {
        title: String,
        /// The Lua programs of the clients.
        programs: Vec<Script>,
        clients: Vec<Client>,
        /// The Lua scripts of the server: loaded beforehand, by SCRIPT LOAD, or by FUNCTION LOAD if
        /// one begins with `#!lua name=`. Programs read the digest of a script as `SHA.name`.
        scripts: Vec<Script>,
        /// Redis commands, one per line, as typed into redis-cli; `r1> SET a 1` is for the instance
        /// `r1`.
        setup: String,
        /// SQL statements, one per line.
        sql: String,
        /// The server version of every instance that has none of its own; 7.0 if there is none.
        version: Option<Version>,
        /// The instances; if empty, there is one called `redis`.
        instances: Vec<Instance>,
        properties: Vec<Property>,
        faults: Faults,
        time: TimeMode,
        /// No client is held up longer than this between two of its steps, in ms.
        slow_ms: u32,
        /// Each client begins at any moment up to this many ms after the run.
        starts_within_ms: u32,
        /// Sending, executing and replying are three steps.
        wire: bool,
        /// True if the author expects that a client gets stuck in some order.
        expect_deadlock: bool,
    }
}

fields! {
    /// A named text.
    pub struct Script {
        /// The name, without `.lua`.
        name: String = must,
        text: String = must,
    }
}

fields! {
    /// A client: its program, and its differences from a plain one.
    pub struct Client {
        /// The index of its program.
        program: usize,
        /// The process of the client; clients of one process share mutexes and variables. Empty: a
        /// process of its own.
        process: String,
        /// The lead of its clock, in ms.
        clock_ms: i64,
        /// The text of an error with which it may end; empty: none.
        expect_error: String,
        /// True if its program begins again when it has ended.
        again: bool,
        /// What it gives its program.
        with: With,
    }
}

fields! {
    /// A Redis instance.
    pub struct Instance {
        name: String = must,
        /// The master; empty: it is no replica.
        replica_of: String,
        /// The lead of its clock, in ms.
        clock_ms: i64,
        /// Its server version; the scenario's if there is none.
        version: Option<Version>,
    }
}

fields! {
    /// A condition, and what its author expects of it.
    pub struct Property by with_check {
        /// The name in the reader's words; empty: its id, or else the check is shown instead.
        name: String,
        kind: Kind = must,
        check: String = must,
        /// The name by which files and verdicts of `check` know it; empty: `p1`, `p2` … by its
        /// place.
        id: String,
        expect: Expect,
    }
}

in_lessons!(Definition, Faults);

/// A verdict that an author expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Expect {
    #[default]
    Holds,
    Breaks,
}

words!(Expect: "holds" => Holds, "breaks" => Breaks; other: Breaks);
words!(Kind: "always" => Always, "sometimes" => Sometimes, "eventually" => Eventually;
    other: Eventually);
words!(TimeMode: "prompt" => Prompt, "any" => Any; other: Any);

plain!(Version: Version::V8_4);

/// What a property may have in place of a kind and a check.
const OF_READY: [&str; 3] = ["ready", "of", "key"];

/// Adds the kind and the check of the ready-made condition ([`Ready`]) that a property names.
fn with_check(row: &Tree, wrong: &mut Mistakes) -> Tree {
    let has = |name: &str| row.get(name).is_some();
    let [ready, of, key] =
        OF_READY.map(|name| row.get(name).and_then(|one| wrong.value::<String>(one, name)));
    wrong.only(row, Property::FIELDS, &OF_READY);
    let mut whole = row.keeping(Property::FIELDS);
    let made = match ready {
        None if has("kind") && has("check") && of.is_none() && key.is_none() => return whole,
        None => {
            let names = READY.map(|ready| ready.name).join(", ");
            Err(format!("a property has a kind and a check, or is ready: {names}"))
        }
        Some(_) if has("kind") || has("check") => {
            Err("ready stands in place of a kind and a check".to_owned())
        }
        Some(name) => match Ready::named(&name) {
            None => Err(format!("no property is called {name}")),
            Some(ready) => match ready.check(of.as_deref(), key.as_deref()) {
                None => Err("a quotation mark in a name".to_owned()),
                Some(check) => Ok((ready.kind, check)),
            },
        },
    };
    let (kind, check) = made.unwrap_or_else(|why| {
        wrong.bad(row.line, "property", &why);
        (Kind::Always, String::new())
    });
    whole.set("kind", Value::Text(kind.word().to_owned()));
    whole.set("check", Value::Text(check));
    whole
}

impl Property {
    pub fn new(kind: Kind, check: String) -> Property {
        Property { kind, check, ..Property::default() }
    }

    /// Returns true if the author expects that it breaks.
    pub fn breaks(&self) -> bool {
        self.expect == Expect::Breaks
    }

    /// Returns the id at a place as it is stored: none if the place gives it.
    pub fn stored_id(id: &str, at: usize) -> String {
        if id == placed(at) { String::new() } else { id.to_owned() }
    }

    /// Returns its name on the page.
    pub fn label(&self) -> &str {
        [&self.name, &self.id].into_iter().find(|text| !text.is_empty()).unwrap_or(&self.check)
    }
}

/// What is wrong with more than [`WHOLE_MAX`].
pub fn whole_too_big(place: MistakePlace) -> Mistake {
    let kilobytes = (WHOLE_MAX / 1024).to_string();
    Mistake::new(place, 0, Key::OwnTooBig, &[&kilobytes], Key::OwnTooBigRemedy)
}

/// Returns the id that its place gives a property.
fn placed(at: usize) -> String {
    format!("p{}", at + 1)
}

impl Definition {
    /// Returns the whole as one text.
    pub fn write(&self) -> String {
        self.written().to_string()
    }

    /// Undoes [`Definition::write`], and reads text written by hand. `file` is the name of the text
    /// in the mistakes that are returned if it cannot be read.
    pub fn read(text: &str, file: &str) -> Result<Definition, Vec<Mistake>> {
        let place = || MistakePlace::File(file.to_owned());
        if text.len() > WHOLE_MAX {
            return Err(vec![whole_too_big(place())]);
        }
        let tree = Tree::of_json(text).map_err(|(line, why)| {
            vec![Mistake::new(place(), line, Key::OwnBadJson, &[&why], Key::OwnBadJsonRemedy)]
        })?;
        let whole = Definition::of_whole(&tree, place())?;
        // What is short by hand may be longer as it is written.
        if whole.write().len() > WHOLE_MAX { Err(vec![whole_too_big(place())]) } else { Ok(whole) }
    }

    /// Reads all of a world from one tree.
    pub fn of_whole(tree: &Tree, place: MistakePlace) -> Result<Definition, Vec<Mistake>> {
        let mut wrong = Mistakes::new(place, Key::OwnFolderRemedy);
        let mut whole = Definition::of_tree(tree, "", &mut wrong);
        let programs = whole.programs.len();
        if programs == 0 && wrong.found.is_empty() {
            let why = "a list with at least one program should be there";
            wrong.bad(tree.line, "programs", why);
        }
        for (at, client) in whole.clients.iter().enumerate() {
            if client.program >= programs && programs > 0 {
                let line = tree.get("clients").and_then(|all| all.items().get(at));
                let why = format!("a number below {programs} should be there");
                wrong.bad(line.map_or(0, |client| client.line), "program", &why);
            }
        }
        // Without a list each program has a client.
        if whole.clients.is_empty() {
            let client = |program| Client { program, ..Client::default() };
            whole.clients = (0..programs).map(client).collect();
        }
        if wrong.found.is_empty() { Ok(whole) } else { Err(wrong.found) }
    }

    /// Returns the ids of its properties; those without one are called by their places.
    pub fn ids(&self) -> Vec<String> {
        let is_taken = |id: &String| self.properties.iter().any(|property| property.id == *id);
        let id = |(at, property): (usize, &Property)| match property.id.as_str() {
            "" => {
                let mut id = placed(at);
                while is_taken(&id) {
                    id.push('-');
                }
                id
            }
            id => id.to_owned(),
        };
        self.properties.iter().enumerate().map(id).collect()
    }

    /// Returns one of its texts.
    pub fn text(&self, part: Part) -> &str {
        match part {
            Part::Program(at) => self.programs.get(at).map_or("", |one| one.text.as_str()),
            Part::Script(at) => self.scripts.get(at).map_or("", |one| one.text.as_str()),
            Part::Setup => &self.setup,
            Part::Sql => &self.sql,
        }
    }

    /// Returns its parts, in the order in which the page lists them.
    pub fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        let programs = (0..self.programs.len()).map(Part::Program);
        let scripts = (0..self.scripts.len()).map(Part::Script);
        programs.chain(scripts).chain([Part::Setup, Part::Sql])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lang;

    #[test]
    fn every_field_is_written_and_read_back() {
        let world = Definition::other();
        assert_eq!(Definition::read(&world.write(), "").expect("what was written"), world);
        let named: Vec<&str> = world.rows().iter().map(|(name, _)| *name).collect();
        assert_eq!(named, Definition::FIELDS, "none is a default");
        assert_eq!(Definition::default().write(), "{}");
    }

    #[test]
    fn a_mistake_in_json_is_named_with_its_line() {
        for (text, line, said) in [
            ("{\n \"title\": 1,\n \"programs\": 2 }", vec![2, 3], "title cannot be read: a number"),
            ("\u{feff}{\n\n\"tilte\": \"\" }", vec![3], "called “tilte”"),
            ("{ \"properties\": [\n{ \"kind\": \"never\",\n\"check\": \"\" }] }", vec![2], "never"),
            ("{\n\"version\": \"6.2\" }", vec![2], "6.2 where one of 7.0, 7.2, 7.4, 8.0, 8.2, 8.4"),
            ("{ \"instances\": [\n{ \"version\": 8 }] }", vec![2, 2], "name"),
            (
                "{ \"faults\": {\n\"crash\": {\n\"client\": \"a\" } } }",
                vec![2],
                "letters of clients",
            ),
            (
                "{ \"programs\": [{ \"name\": \"a\",\n \"text\": \"b\\n\" }],\n\"clients\": [{},\n\
              { \"program\": 1 }] }",
                vec![4],
                "a number below 1",
            ),
            ("[\n1", vec![2], "not JSON"),
        ] {
            let found = Definition::read(text, "").expect_err(text);
            let lines: Vec<u32> = found.iter().map(|one| one.line).collect();
            assert_eq!(lines, line, "{text}: {found:?}");
            assert!(found[0].what(Lang::En).contains(said), "{text}: {found:?}");
        }
    }
}
