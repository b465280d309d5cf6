//! The world in a manifest: a variant of `lesson.toml`, or `scenario.toml`, which is made into one.
//!
//! A variant's settings stand in place of the lesson's. Most fields are those of a [`Definition`]
//! ([`plain`]); clients name their programs by files, and each instance has its setup.

use super::checks::{self, check_sql};
use super::fields::Field;
use super::setup::Commands;
use super::tree::{Tree, Value};
use super::{Definition, Instance, MANY_MAX, Mistake, MistakePlace, Mistakes};
use crate::text::Key;

/// The fields of a world that manifests have in another form, or not at all.
pub const RESHAPED: [&str; 8] =
    ["title", "programs", "clients", "scripts", "setup", "sql", "instances", "properties"];
/// The field that only a variant has.
pub const OF_VARIANT: &str = "expect_deadlock";
/// What else a lesson and its variant say of a world.
const OF_LESSON: [&str; 6] = ["minutes", "setup", "sql", "expect_error", "instance", "property"];
const OF_ONE: [&str; 7] = ["id", "clients", "setup", "instances", "sql", "expect_error", "expect"];
/// The fields of a lesson that a scenario cannot have.
pub const FURTHER: [&str; 11] = [
    "walk",
    "challenge",
    "exercise",
    "quiz",
    "lens",
    "flow",
    "panels",
    "question",
    "advice",
    "moved",
    "crowd",
];

/// Returns the names of the fields that manifests have as they are.
pub fn plain() -> impl Iterator<Item = &'static str> {
    Definition::FIELDS.iter().copied().filter(|name| !RESHAPED.contains(name))
}

/// Returns the names of what a lesson says of its worlds.
pub fn of_lesson() -> Vec<&'static str> {
    plain().filter(|name| *name != OF_VARIANT).chain(OF_LESSON).collect()
}

/// Returns the names of what a variant says of its world.
pub fn of_variant() -> Vec<&'static str> {
    plain().chain(OF_ONE).collect()
}

/// Returns the variants of a lesson.
pub fn variants(root: &Tree) -> &[Tree] {
    root.get("variant").map(Tree::items).unwrap_or_default()
}

/// A variant in its manifest.
#[derive(Debug, Clone, Copy)]
pub struct InManifest<'t> {
    pub root: &'t Tree,
    pub variant: &'t Tree,
}

impl<'t> InManifest<'t> {
    /// Returns a setting: the variant's own, or else the lesson's.
    fn get(self, name: &str) -> Option<&'t Tree> {
        self.variant.get(name).or_else(|| self.root.get(name))
    }

    /// Returns by client its line, and the file of its program.
    pub fn files(self) -> impl Iterator<Item = (u32, &'t str)> {
        let file = |item: &'t Tree| item.text().or_else(|| item.get("program")?.text());
        self.clients().iter().map(move |item| (item.line, file(item).unwrap_or_default()))
    }

    fn clients(self) -> &'t [Tree] {
        self.variant.get("clients").map(Tree::items).unwrap_or_default()
    }

    /// Returns the rows of the instances that take part, in the order in which the variant names
    /// them.
    fn instances(self) -> Vec<&'t Tree> {
        let rows = self.root.get("instance").map(Tree::items).unwrap_or_default();
        let name = |row: &Tree| row.get("name").and_then(Tree::text).map(str::to_owned);
        let Some(named) = self.variant.get("instances") else { return rows.iter().collect() };
        let row = |one: &Tree| rows.iter().find(|row| name(row).as_deref() == one.text());
        named.items().iter().filter_map(row).collect()
    }

    /// Reads the world, without its setup; `program` gives a program's file its index, and `None`
    /// if there is no such file.
    pub fn world(
        self,
        program: impl FnMut(&str) -> Option<usize>,
        wrong: &mut Mistakes,
    ) -> Definition {
        let settings = plain().filter_map(|name| Some((name.to_owned(), self.get(name)?.clone())));
        let mut whole = Tree { line: self.root.line, value: Value::Table(settings.collect()) };
        let statements = self.statements(wrong).into_iter();
        let sql = statements.map(|(_, text)| text.replace('\n', " ") + "\n").collect();
        whole.set("sql", Value::Text(sql));
        whole.set("clients", Value::List(self.cast(program, wrong)));
        self.names_known(wrong);
        let rows = self.instances().into_iter().map(|row| row.keeping(Instance::FIELDS));
        whole.set("instances", Value::List(rows.collect()));
        Definition::of_tree(&whole, "", wrong)
    }

    /// Returns the clients, with the indices of their programs.
    fn cast(
        self,
        mut program: impl FnMut(&str) -> Option<usize>,
        wrong: &mut Mistakes,
    ) -> Vec<Tree> {
        let clients = self.clients();
        if clients.is_empty() || clients.len() > MANY_MAX {
            let line = self.variant.get("clients").unwrap_or(self.variant).line;
            let (count, most) = (clients.len().to_string(), MANY_MAX.to_string());
            let (what, remedy) = (Key::OwnManyClients, Key::OwnManyClientsRemedy);
            wrong.note(line, what, &[&count, &most], remedy);
            return Vec::new();
        }
        let mut rows = Vec::new();
        for (item, (line, file)) in clients.iter().zip(self.files()) {
            let mut row = match item.value {
                Value::Text(_) => Tree::table(line),
                _ => item.clone(),
            };
            let Some(at) = program(file) else {
                wrong.note(line, Key::OwnNoProgram, &[file], Key::OwnNoProgramRemedy);
                continue;
            };
            row.set("program", Value::Number(at as i64));
            if let Some(error) = self.get("expect_error")
                && row.get("expect_error").is_none()
            {
                row.put("expect_error", error.clone());
            }
            rows.push(row);
        }
        rows
    }

    /// Notes fields of instances that are not known, and instances that there are not.
    fn names_known(self, wrong: &mut Mistakes) {
        let rows = self.root.get("instance").map(Tree::items).unwrap_or_default();
        rows.iter().for_each(|row| wrong.only(row, Instance::FIELDS, &["setup"]));
        let known: Vec<&str> = rows.iter().filter_map(|row| row.get("name")?.text()).collect();
        for (line, one) in strings(self.variant.get("instances"), "instances", wrong) {
            if !known.contains(&one.as_str()) {
                let said = [one.as_str(), &known.join(", ")];
                wrong.note(line, Key::OwnNoInstance, &said, Key::OwnNoInstanceRemedy);
            }
        }
    }

    fn statements(self, wrong: &mut Mistakes) -> Vec<(u32, String)> {
        strings(self.get("sql"), "sql", wrong)
    }

    /// Gives the world its setup; `digests` are those of scripts that its programs name.
    pub fn set_up(
        self,
        world: &mut Definition,
        digests: &[(String, String)],
        wrong: &mut Mistakes,
    ) {
        let first = commands(self.get("setup"), wrong);
        let setups = self.instances().into_iter().map(|row| commands(row.get("setup"), wrong));
        world.set_up(first, setups.collect(), digests);
    }

    /// Notes what is wrong with the cast and the tables of its world, each where it stands.
    pub fn check(self, world: &Definition, wrong: &mut Mistakes) {
        for row in self.instances().into_iter().filter(|row| row.get("replica_of").is_some()) {
            if let Some(command) = row.get("setup").and_then(|setup| setup.items().first()) {
                let name = row.get("name").and_then(Tree::text).unwrap_or_default();
                wrong.note(command.line, Key::OwnToReplica, &[name], Key::OwnToReplicaRemedy);
            }
        }
        let statements = self.statements(wrong);
        let sql = check_sql(statements.iter().map(|(line, text)| (*line, text.as_str())));
        let mut cast = world.check_cast();
        cast.iter_mut().for_each(|mistake| mistake.line = self.line(mistake));
        wrong.found.extend(cast.into_iter().chain(sql));
    }

    /// Returns the line of a mistake in the cast.
    fn line(self, mistake: &Mistake) -> u32 {
        let row = match mistake.place {
            MistakePlace::Client(at) => self.clients().get(at),
            MistakePlace::Instance(at) => self.instances().get(at).map(|row| {
                let name = if mistake.is(Key::OwnBadMaster) { "replica_of" } else { "name" };
                row.get(name).unwrap_or(row)
            }),
            _ => self.get("faults"),
        };
        row.or(self.variant.get("id")).unwrap_or(self.variant).line
    }
}

/// Reads the strings of a list, with their lines.
fn strings(list: Option<&Tree>, name: &str, wrong: &mut Mistakes) -> Vec<(u32, String)> {
    let items = list.map(Tree::items).unwrap_or_default().iter();
    items.filter_map(|one| Some((one.line, wrong.value::<String>(one, name)?))).collect()
}

/// Reads the commands of a setup.
fn commands(list: Option<&Tree>, wrong: &mut Mistakes) -> Commands {
    let mut commands = Vec::new();
    for (line, text) in strings(list, "setup", wrong) {
        match checks::command(&text, wrong.place.clone(), line) {
            Ok(argv) => commands.push(argv),
            Err(mistake) => wrong.found.push(mistake),
        }
    }
    commands
}
