//! Converts a scenario to a lesson with one variant, and a variant of a lesson to a scenario.

use crate::engine::Lacking;
use crate::lesson::{Claim, FORMAT, Lesson, OWN, Program, PropertyDef, Variant};
use crate::lua;
use crate::scenario::checks::{check_condition, check_sql};
use crate::scenario::setup::{SetUp, is_file, is_plain, is_word, without_digests};
use crate::sim::{Scenario, StartError, World};
use crate::text::{Both, Key, Lang, tr};

use super::{Definition, Expect, Mistake, MistakePlace, Part, Property, Script};

impl Definition {
    /// Returns the lesson. The error lists all mistakes.
    pub fn lesson(&self) -> Result<Lesson, Vec<Mistake>> {
        let mut maker = Maker { own: self, mistakes: Vec::new(), setup: Vec::new() };
        let lesson = maker.lesson();
        if maker.mistakes.is_empty() {
            maker.starts(&lesson);
        }
        match maker.mistakes.is_empty() {
            true => Ok(lesson),
            false => {
                maker.mistakes.sort_by(|a, b| (&a.place, a.line).cmp(&(&b.place, b.line)));
                Err(maker.mistakes)
            }
        }
    }

    /// Returns a lesson in which nothing happens, which is shown while there is no valid one.
    pub fn nothing() -> Lesson {
        Lesson { format: FORMAT, id: OWN.to_owned(), variants: vec![blank()], ..Lesson::default() }
    }

    /// Returns the world alone, as a lesson's variant has it.
    pub fn world(&self) -> Definition {
        let (title, programs, properties) = Default::default();
        Definition { title, programs, properties, ..self.clone() }
    }
}

/// The id of the only variant.
pub const VARIANT: &str = "own";

fn blank() -> Variant {
    Variant { id: VARIANT.to_owned(), ..Variant::default() }
}

struct Maker<'o> {
    own: &'o Definition,
    mistakes: Vec<Mistake>,
    setup: Vec<SetUp>,
}

impl Maker<'_> {
    fn wrong(&mut self, place: MistakePlace, line: u32, what: Key, values: &[&str], remedy: Key) {
        self.mistakes.push(Mistake::new(place, line, what, values, remedy));
    }

    fn lesson(&mut self) -> Lesson {
        let own = self.own;
        let (programs, properties) = (self.programs(), self.properties());
        self.names();
        let (setup, mistakes) = own.commands();
        self.setup = setup;
        self.mistakes.extend(mistakes);
        self.mistakes.extend(own.check_cast());
        self.mistakes.extend(check_sql(own.statements()));
        let claim = |(property, one): (usize, &Property)| Claim {
            property,
            holds: !one.breaks(),
            steps: None,
        };
        let name = |lang| tr(lang, Key::OwnScenario).to_owned();
        let variant = Variant {
            label: match own.title.as_str() {
                "" => Both { en: name(Lang::En), zh: name(Lang::Zh) },
                title => both(title),
            },
            claims: own.properties.iter().enumerate().map(claim).collect(),
            world: own.world(),
            ..blank()
        };
        Lesson {
            title: both(&own.title),
            programs,
            properties,
            variants: vec![variant],
            ..Definition::nothing()
        }
    }

    fn programs(&mut self) -> Vec<Program> {
        let own = self.own;
        let mut programs = Vec::new();
        for (at, script) in own.programs.iter().enumerate() {
            let program = Program { file: format!("{}.lua", script.name), source: own.program(at) };
            if let Err(error) = lua::compile(program.source.as_bytes(), &program.file) {
                let place = MistakePlace::Text(Part::Program(at));
                let message = error.message();
                let why = [message.as_str()];
                self.wrong(place, error.line, Key::OwnNotLua, &why, Key::OwnNotLuaRemedy);
            }
            programs.push(program);
        }
        programs
    }

    /// Checks the names: a program's is a file name; a script's is also a Lua identifier.
    fn names(&mut self) {
        let own = self.own;
        let mut seen: Vec<&str> = Vec::new();
        let programs = own.programs.iter().enumerate().map(|(at, one)| (Part::Program(at), one));
        let scripts = own.scripts.iter().enumerate().map(|(at, one)| (Part::Script(at), one));
        for (part, script) in programs.chain(scripts) {
            let name = script.name.as_str();
            let fits = match part {
                Part::Program(_) => is_file(name),
                _ => is_word(name),
            };
            let place = MistakePlace::Name(part);
            if !fits {
                let remedy = match part {
                    Part::Program(_) => Key::OwnFileNameRemedy,
                    _ => Key::OwnWordRemedy,
                };
                self.wrong(place, 0, Key::OwnBadName, &[name], remedy);
            } else if seen.contains(&name) {
                self.wrong(place, 0, Key::OwnTwice, &[name], Key::OwnTwiceRemedy);
            }
            seen.push(name);
        }
    }

    fn properties(&mut self) -> Vec<PropertyDef> {
        let own = self.own;
        let mut properties = Vec::new();
        let ids = own.ids();
        for (at, (id, property)) in ids.iter().zip(&own.properties).enumerate() {
            let place = || MistakePlace::Property(at);
            if !is_id(id) {
                self.wrong(place(), 0, Key::OwnBadName, &[id], Key::OwnIdRemedy);
            } else if ids[..at].contains(id) {
                self.wrong(place(), 0, Key::OwnTwice, &[id], Key::OwnTwiceRemedy);
            }
            self.mistakes.extend(check_condition(at, property.kind, &property.check, id));
            let label = both(property.label());
            let check = property.check.clone();
            properties.push(PropertyDef { id: id.clone(), kind: property.kind, check, label });
        }
        properties
    }

    /// Checks that the world starts, and that every check can be evaluated then.
    fn starts(&mut self, lesson: &Lesson) {
        let scenario = match lesson.scenario(0) {
            Ok(scenario) => scenario,
            Err(why) => {
                return self.wrong(
                    MistakePlace::Whole,
                    0,
                    Key::OwnNoStart,
                    &[&why],
                    Key::OwnStartRemedy,
                );
            }
        };
        match World::start(&scenario) {
            Ok((world, _)) => self.answers(&scenario, &world),
            Err(StartError::Setup { node, command, reply, lacking }) => {
                self.refused(&node, command, &reply.to_cli_short(), lacking);
            }
            Err(why) => {
                let why = why.to_string();
                self.wrong(MistakePlace::Whole, 0, Key::OwnNoStart, &[&why], Key::OwnStartRemedy);
            }
        }
    }

    /// Records that Redis refused a command of the setup.
    fn refused(&mut self, node: &str, command: usize, reply: &str, lacking: Option<Lacking>) {
        let named = self.own.instances.iter().position(|one| one.name == node).unwrap_or(0);
        let Some(found) = self.setup.iter().filter(|one| one.node == named).nth(command) else {
            return self.wrong(
                MistakePlace::Whole,
                0,
                Key::OwnNoStart,
                &[reply],
                Key::OwnStartRemedy,
            );
        };
        let (place, mut line) = (found.place.clone(), found.line);
        let reply = reply.trim_start_matches("(error) ").to_owned();
        let mut remedy = Key::OwnRefusedRemedy;
        if matches!(place, MistakePlace::Text(Part::Script(_))) {
            remedy = Key::OwnScriptRemedy;
            let at = ["user_script:", "user_function:"].iter().find_map(|name| {
                let digits = reply.split(name).nth(1)?.split(':').next()?;
                digits.parse::<u32>().ok()
            });
            // An error at the end of a script is reported on a later line, in text that Redis adds.
            let last = script_lines(self.own, &place);
            line = at.unwrap_or(1).min(last);
        }
        if let Some(lacking) = lacking {
            let [what, since, word] = lacking.values();
            let values = [what.as_str(), &since, &word, &reply];
            return self.wrong(place, line, Key::OwnLacking, &values, Key::Lacking);
        }
        self.wrong(place, line, Key::OwnRefused, &[&reply], remedy);
    }

    fn answers(&mut self, scenario: &Scenario, world: &World) {
        for (at, property) in scenario.properties.iter().enumerate() {
            if let Err(why) = property.holds(&mut world.facts()) {
                let place = MistakePlace::Property(at);
                self.wrong(place, 0, Key::OwnBadCheck, &[&why], Key::OwnAnswerRemedy);
            }
        }
    }
}

fn script_lines(own: &Definition, place: &MistakePlace) -> u32 {
    match place {
        MistakePlace::Text(part) => own.text(*part).lines().count().max(1) as u32,
        _ => 1,
    }
}

/// Returns true for a valid id of a property.
fn is_id(id: &str) -> bool {
    is_plain(id, 60)
}

/// Returns a file name close to `name`, for instance to `127.0.0.1:6379`. Of a long name the end is
/// kept, because it has the port.
pub fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let plain: String = name.chars().map(plain).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let name = words.join("-");
    let name = name[name.len().saturating_sub(18)..].trim_start_matches('-');
    if name.is_empty() { "client".to_owned() } else { name.to_owned() }
}

fn both(text: &str) -> Both<String> {
    Both { en: text.to_owned(), zh: text.to_owned() }
}

// ---- From a lesson ------------------------------------------------------------------------------

impl Definition {
    /// Converts a variant of a lesson to a scenario, with its words in `lang`. `None` if there is
    /// no such variant, or it does not fit.
    pub fn of_lesson(lesson: &Lesson, variant: usize, lang: Lang) -> Option<Definition> {
        let def = lesson.variants.get(variant)?;
        let mut own = Definition { title: lesson.title.get(lang).clone(), ..def.world.clone() };
        if lesson.variants.len() > 1 && lesson.id != OWN {
            own.title = format!("{} · {}", own.title, def.label.get(lang));
        }
        let mut places: Vec<usize> = Vec::new();
        for client in &mut own.clients {
            let place = client.program;
            client.program =
                places.iter().position(|known| *known == place).unwrap_or(places.len());
            if client.program == places.len() {
                places.push(place);
                let program = lesson.programs.get(place)?;
                let (_, text) = without_digests(&program.source);
                let name = program.file.trim_end_matches(".lua").to_owned();
                own.programs.push(Script { name, text: text.to_owned() });
            }
        }
        own.names_differ();
        for (at, claim) in def.claims.iter().enumerate() {
            let property = lesson.properties.get(claim.property)?;
            let (id, label) = (&property.id, property.label.get(lang));
            let is_plain = *label == property.check || label == id;
            own.properties.push(Property {
                id: Property::stored_id(id, at),
                name: if is_plain { String::new() } else { label.clone() },
                expect: if claim.holds { Expect::Holds } else { Expect::Breaks },
                ..Property::new(property.kind, property.check.clone())
            });
        }
        let fits = own.clients.len() <= super::MANY_MAX && !own.programs.is_empty();
        fits.then_some(own)
    }

    /// Renames programs of one name: one was the lesson's, the other is the learner's; or two
    /// connections have names that differ only in characters no file name may have.
    pub fn names_differ(&mut self) {
        for at in 1..self.programs.len() {
            let (before, rest) = self.programs.split_at_mut(at);
            while before.iter().any(|one| one.name == rest[0].name) {
                rest[0].name = format!("{}-{}", rest[0].name, at + 1);
            }
        }
    }
}
