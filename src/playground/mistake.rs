//! A mistake in a scenario of the playground: its place, its description, and a remedy.

use crate::text::{Key, Lang, fill, tr};

/// A text that can be edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Program(usize),
    Script(usize),
    Setup,
    Sql,
}

/// A field of the playground, or a file that was opened.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
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
    pub place: Place,
    /// The line, from 1; 0 for the whole field.
    pub line: u32,
    what: Key,
    values: Vec<String>,
    remedy: Key,
}

impl Mistake {
    /// A mistake; `values` fill the placeholders of both texts.
    pub fn new(place: Place, line: u32, what: Key, values: &[&str], remedy: Key) -> Mistake {
        let values =
            values.iter().map(|value| crate::session::spelling::shortened(value, 300)).collect();
        Mistake { place, line, what, values, remedy }
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
    pub fn text(&self, own: &super::Own, lang: Lang) -> String {
        let mut at = self.place.name(own, lang);
        if self.line > 0 {
            let line = fill(tr(lang, Key::OwnAtLine), &[&self.line.to_string()]);
            at = format!("{at}{line}");
        }
        let says = [at.as_str(), &self.what(lang), &self.remedy(lang)];
        fill(tr(lang, Key::OwnMistake), &says)
    }
}

impl Place {
    pub fn name(&self, own: &super::Own, lang: Lang) -> String {
        let letter = |at: usize| char::from(b'A' + at as u8).to_string();
        match self {
            Place::Text(part) | Place::Name(part) => part.name(own, lang),
            Place::Client(at) => fill(tr(lang, Key::OwnClient), &[&letter(*at)]),
            Place::Instance(at) => match own.instances.get(*at) {
                Some(instance) => fill(tr(lang, Key::OwnInstance), &[&instance.name]),
                None => tr(lang, Key::OwnInstances).to_owned(),
            },
            Place::Property(at) => fill(tr(lang, Key::OwnProperty), &[&(at + 1).to_string()]),
            Place::Faults => tr(lang, Key::OwnFaults).to_owned(),
            Place::Whole => tr(lang, Key::OwnScenario).to_owned(),
            Place::File(name) => name.clone(),
        }
    }
}

impl Part {
    /// Returns its name on the page.
    pub fn name(self, own: &super::Own, lang: Lang) -> String {
        let script = match self {
            Part::Program(at) => own.programs.get(at),
            Part::Script(at) => own.scripts.get(at),
            Part::Setup => return tr(lang, Key::OwnSetup).to_owned(),
            Part::Sql => return tr(lang, Key::Tables).to_owned(),
        };
        script.map(|script| format!("{}.lua", script.name)).unwrap_or_default()
    }
}
