//! A mistake in a written world: its place, its description, and a remedy, in both languages.
//!
//! [`Mistakes`] collects those of one text while it is read.

use crate::engine::Lacking;
use crate::json::FromJson;
use crate::text::{Key, Lang, fill, shortened, tr};

use super::Definition;
use super::fields::Field;
use super::tree::{Tree, Value};

/// A text that can be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Program(usize),
    Script(usize),
    Setup,
    Sql,
}

/// Says since when there is what a version lacks, and what to write.
pub fn lacking_words(lacking: &Lacking, lang: Lang) -> String {
    fill(tr(lang, Key::Lacking), &lacking.values().each_ref().map(String::as_str))
}

/// A field of the playground, or a file that was opened.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum MistakePlace {
    Text(Part),
    /// The name of a program or a script.
    Name(Part),
    Client(usize),
    Instance(usize),
    Property(usize),
    Faults,
    Whole,
    File(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    pub place: MistakePlace,
    /// The line, from 1; 0 for the whole field.
    pub line: u32,
    what: Key,
    values: Vec<String>,
    remedy: Key,
}

impl Mistake {
    /// A mistake; `values` fill the placeholders of both texts.
    pub fn new(place: MistakePlace, line: u32, what: Key, values: &[&str], remedy: Key) -> Mistake {
        let values = values.iter().map(|value| shortened(value, 300)).collect();
        Mistake { place, line, what, values, remedy }
    }

    /// Returns true if this is what it says.
    pub fn is(&self, what: Key) -> bool {
        self.what == what
    }

    fn fill(&self, key: Key, lang: Lang) -> String {
        let values: Vec<&str> = self.values.iter().map(String::as_str).collect();
        fill(tr(lang, key), &values)
    }

    pub fn what(&self, lang: Lang) -> String {
        self.fill(self.what, lang)
    }

    pub fn remedy(&self, lang: Lang) -> String {
        self.fill(self.remedy, lang)
    }

    /// Returns the whole sentence: `lesson.toml, line 3: … — …`.
    pub fn text(&self, own: &Definition, lang: Lang) -> String {
        let mut at = self.place.name(own, lang);
        if self.line > 0 {
            let line = fill(tr(lang, Key::OwnAtLine), &[&self.line.to_string()]);
            at = format!("{at}{line}");
        }
        let says = [at.as_str(), &self.what(lang), &self.remedy(lang)];
        fill(tr(lang, Key::OwnMistake), &says)
    }
}

impl MistakePlace {
    pub fn name(&self, own: &Definition, lang: Lang) -> String {
        let letter = |at: usize| char::from(b'A' + at as u8).to_string();
        match self {
            MistakePlace::Text(part) | MistakePlace::Name(part) => part.name(own, lang),
            MistakePlace::Client(at) => fill(tr(lang, Key::OwnClient), &[&letter(*at)]),
            MistakePlace::Instance(at) => match own.instances.get(*at) {
                Some(instance) => fill(tr(lang, Key::OwnInstance), &[&instance.name]),
                None => tr(lang, Key::OwnInstances).to_owned(),
            },
            MistakePlace::Property(at) => {
                fill(tr(lang, Key::OwnProperty), &[&(at + 1).to_string()])
            }
            MistakePlace::Faults => tr(lang, Key::OwnFaults).to_owned(),
            MistakePlace::Whole => tr(lang, Key::OwnScenario).to_owned(),
            MistakePlace::File(name) => name.clone(),
        }
    }
}

impl Part {
    /// Returns its name on the page.
    pub fn name(self, own: &Definition, lang: Lang) -> String {
        let script = match self {
            Part::Program(at) => own.programs.get(at),
            Part::Script(at) => own.scripts.get(at),
            Part::Setup => return tr(lang, Key::OwnSetup).to_owned(),
            Part::Sql => return tr(lang, Key::Tables).to_owned(),
        };
        script.map(|script| format!("{}.lua", script.name)).unwrap_or_default()
    }
}

/// The mistakes of one text, noted while it is read.
#[derive(Debug)]
pub struct Mistakes {
    pub place: MistakePlace,
    /// Where its fields are explained.
    remedy: Key,
    pub found: Vec<Mistake>,
}

impl Mistakes {
    pub fn new(place: MistakePlace, remedy: Key) -> Mistakes {
        Mistakes { place, remedy, found: Vec::new() }
    }

    /// Notes a mistake in a line.
    pub fn note(&mut self, line: u32, what: Key, values: &[&str], remedy: Key) {
        self.found.push(Mistake::new(self.place.clone(), line, what, values, remedy));
    }

    /// Notes that the field called `name` cannot be read.
    pub fn bad(&mut self, line: u32, name: &str, why: &str) {
        self.note(line, Key::OwnBadField, &[name, why], self.remedy);
    }

    /// Notes the fields of a table that have none of these names: a misspelt one would be ignored.
    pub fn only(&mut self, table: &Tree, known: &[&str], also: &[&str]) {
        let Value::Table(fields) = &table.value else {
            let why = format!("{} where an object should be", table.to_json().what());
            return self.note(table.line, Key::OwnBadJson, &[&why], self.remedy);
        };
        for (name, field) in fields {
            if !known.contains(&name.as_str()) && !also.contains(&name.as_str()) {
                let known = [known, also].concat().join(", ");
                self.note(field.line, Key::OwnNoField, &[name, &known], Key::OwnNoFieldRemedy);
            }
        }
    }

    /// Reads a value of some type.
    pub fn value<T: FromJson>(&mut self, tree: &Tree, name: &str) -> Option<T> {
        T::from_json(tree.to_json()).map_err(|why| self.bad(tree.line, name, &why)).ok()
    }

    /// Reads a field of a table: the default if it is absent, which is a mistake if it must be
    /// there.
    pub fn field<T: Field>(&mut self, table: &Tree, name: &str, must: bool) -> T {
        match table.get(name) {
            Some(tree) => T::of_tree(tree, name, self),
            None if must => T::of_tree(&Tree { line: table.line, value: Value::Null }, name, self),
            None => T::default(),
        }
    }
}
