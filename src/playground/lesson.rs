//! Converts a scenario to a lesson with one variant, and a variant of a lesson to a scenario.

use crate::engine;
use crate::lesson::{
    Claim, FORMAT, Instance as LessonInstance, Lesson, OWN, Program, PropertyDef, Role, Variant,
};
use crate::lua;
use crate::scenario::checks::{arguments, check_condition, check_sql};
use crate::sim::{DEFAULT_NODE, Scenario, StartError, World, is_name};
use crate::text::{Both, Key, Lang, tr};

use super::{Client, Expect, Instance, Mistake, Own, Part, Place, Property, Script};

/// The code before and after the digests of scripts that a program uses. It stands on the program's
/// first line, so that lines keep their numbers.
const DIGESTS: (&str, &str) = ("local SHA = { ", " } ");

impl Own {
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
        let variant = Variant { id: VARIANT.to_owned(), ..Variant::default() };
        Lesson { format: FORMAT, id: OWN.to_owned(), variants: vec![variant], ..Lesson::default() }
    }

    /// Returns the program as a client runs it.
    pub fn program(&self, at: usize) -> String {
        let Some(script) = self.programs.get(at) else { return String::new() };
        let plain = |one: &&Script| !is_library(&one.text) && is_word(&one.name);
        let digest =
            |one: &Script| format!("{} = \"{}\"", one.name, lua::sha1::hex(one.text.as_bytes()));
        let digests: Vec<String> = self.scripts.iter().filter(plain).map(digest).collect();
        match script.text.contains("SHA.") && !digests.is_empty() {
            true => format!("{}{}{}{}", DIGESTS.0, digests.join(", "), DIGESTS.1, script.text),
            false => script.text.clone(),
        }
    }
}

/// The id of the only variant.
pub const VARIANT: &str = "own";

/// Commands, each as its arguments.
pub(super) type Commands = Vec<Vec<String>>;

/// A command of the setup and where it was written.
struct SetUp {
    /// The index of its instance.
    node: usize,
    place: Place,
    line: u32,
    argv: Vec<String>,
}

struct Maker<'o> {
    own: &'o Own,
    mistakes: Vec<Mistake>,
    setup: Vec<SetUp>,
}

impl Maker<'_> {
    fn wrong(&mut self, place: Place, line: u32, what: Key, values: &[&str], remedy: Key) {
        self.mistakes.push(Mistake::new(place, line, what, values, remedy));
    }

    fn lesson(&mut self) -> Lesson {
        // Every field, so that none is forgotten: what is read elsewhere has a function here.
        let Own {
            title,
            programs: _,
            clients,
            scripts: _,
            setup: _,
            sql: _,
            instances: _,
            properties: conditions,
            faults,
            time,
            slow_ms,
            wire,
            expect_deadlock,
        } = self.own;
        let (programs, properties) = (self.programs(), self.properties());
        self.names();
        let instances = self.instances();
        self.scripts();
        self.commands();
        self.mistakes.extend(self.own.check_cast());
        let sql = self.sql();
        let claim = |(property, one): (usize, &Property)| Claim {
            property,
            holds: !one.breaks(),
            steps: None,
        };
        let role = |client: &Client| Role {
            process: Some(client.process.clone()).filter(|process| !process.is_empty()),
            clock_ms: client.clock_ms,
            again: client.again,
            expect_error: Some(client.expect_error.clone()).filter(|text| !text.is_empty()),
        };
        let name = |lang| tr(lang, Key::OwnScenario).to_owned();
        let mut variant = Variant {
            id: VARIANT.to_owned(),
            label: match title.as_str() {
                "" => Both { en: name(Lang::En), zh: name(Lang::Zh) },
                title => both(title),
            },
            clients: clients.iter().map(|client| client.program).collect(),
            roles: clients.iter().map(role).collect(),
            instances,
            sql,
            faults: *faults,
            time: *time,
            slow_ms: *slow_ms,
            wire: *wire,
            claims: conditions.iter().enumerate().map(claim).collect(),
            expect_deadlock: *expect_deadlock,
            ..Variant::default()
        };
        for command in &self.setup {
            let setup = match variant.instances.get_mut(command.node) {
                Some(instance) if command.node > 0 => &mut instance.setup,
                _ => &mut variant.setup,
            };
            setup.push(command.argv.clone());
        }
        Lesson {
            title: both(title),
            programs,
            properties,
            variants: vec![variant],
            ..Own::nothing()
        }
    }

    fn programs(&mut self) -> Vec<Program> {
        let own = self.own;
        let mut programs = Vec::new();
        for (at, script) in own.programs.iter().enumerate() {
            let program = Program { file: format!("{}.lua", script.name), source: own.program(at) };
            if let Err(error) = lua::compile(program.source.as_bytes(), &program.file) {
                let place = Place::Text(Part::Program(at));
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
            let place = Place::Name(part);
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

    fn instances(&mut self) -> Vec<LessonInstance> {
        let own = self.own;
        let instance = |one: &Instance| LessonInstance {
            name: one.name.clone(),
            replica_of: Some(one.replica_of.clone()).filter(|master| !master.is_empty()),
            clock_ms: one.clock_ms,
            ..LessonInstance::default()
        };
        own.instances.iter().map(instance).collect()
    }

    /// Loads the scripts on every instance that is no replica.
    fn scripts(&mut self) {
        for (at, script) in self.own.scripts.iter().enumerate() {
            let container = if is_library(&script.text) { "FUNCTION" } else { "SCRIPT" };
            for node in 0..self.own.instances.len().max(1) {
                let is_replica = |one: &Instance| !one.replica_of.is_empty();
                if self.own.instances.get(node).is_some_and(is_replica) {
                    continue;
                }
                self.setup.push(SetUp {
                    node,
                    place: Place::Text(Part::Script(at)),
                    line: 0,
                    argv: vec![container.to_owned(), "LOAD".to_owned(), script.text.clone()],
                });
            }
        }
    }

    fn commands(&mut self) {
        let own = self.own;
        for (line, text) in (1..).zip(own.setup.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let place = Place::Text(Part::Setup);
            let (node, command) = match prompt(text) {
                Some((name, command)) => {
                    let node = own.instances.iter().position(|one| one.name == name);
                    let alone = own.instances.is_empty() && name == DEFAULT_NODE;
                    match node.or(alone.then_some(0)) {
                        Some(node) => (node, command),
                        None => {
                            let names: Vec<&str> =
                                own.instances.iter().map(|one| one.name.as_str()).collect();
                            let known = match names.is_empty() {
                                true => DEFAULT_NODE.to_owned(),
                                false => names.join(", "),
                            };
                            let (what, remedy) = (Key::OwnNoInstance, Key::OwnNoInstanceRemedy);
                            self.wrong(place, line, what, &[name, &known], remedy);
                            continue;
                        }
                    }
                }
                None => (0, text),
            };
            if own.instances.get(node).is_some_and(|one| !one.replica_of.is_empty()) {
                let name = &own.instances[node].name;
                self.wrong(place, line, Key::OwnToReplica, &[name], Key::OwnToReplicaRemedy);
                continue;
            }
            let Some(argv) = arguments(command) else {
                self.wrong(place, line, Key::OwnQuotes, &[command], Key::OwnQuotesRemedy);
                continue;
            };
            let Some(name) = argv.first() else { continue };
            if engine::lookup(name.as_bytes()).is_none() {
                self.wrong(place, line, Key::OwnNoCommand, &[name], Key::OwnNoCommandRemedy);
                continue;
            }
            self.setup.push(SetUp { node, place, line, argv });
        }
    }

    fn properties(&mut self) -> Vec<PropertyDef> {
        let own = self.own;
        let mut properties = Vec::new();
        let ids = own.ids();
        for (at, (id, property)) in ids.iter().zip(&own.properties).enumerate() {
            let place = || Place::Property(at);
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

    fn sql(&mut self) -> Vec<String> {
        let lines = (1..).zip(self.own.sql.lines());
        let lines = lines.map(|(line, text)| (line, text.trim().trim_end_matches(';')));
        let is_said =
            |text: &str| text.is_empty() || text.starts_with("--") || text.starts_with('#');
        let statements: Vec<(u32, &str)> = lines.filter(|(_, text)| !is_said(text)).collect();
        self.mistakes.extend(check_sql(statements.iter().copied()));
        statements.into_iter().map(|(_, text)| text.to_owned()).collect()
    }

    /// Checks that the world starts, and that every check can be evaluated then.
    fn starts(&mut self, lesson: &Lesson) {
        let scenario = match lesson.scenario(0) {
            Ok(scenario) => scenario,
            Err(why) => {
                return self.wrong(Place::Whole, 0, Key::OwnNoStart, &[&why], Key::OwnStartRemedy);
            }
        };
        match World::start(&scenario) {
            Ok((world, _)) => self.answers(&scenario, &world),
            Err(StartError::Setup { node, command, reply }) => {
                self.refused(&node, command, &reply.to_cli_short());
            }
            Err(why) => {
                let why = why.to_string();
                self.wrong(Place::Whole, 0, Key::OwnNoStart, &[&why], Key::OwnStartRemedy);
            }
        }
    }

    /// Records that Redis refused a command of the setup.
    fn refused(&mut self, node: &str, command: usize, reply: &str) {
        let named = self.own.instances.iter().position(|one| one.name == node).unwrap_or(0);
        let Some(found) = self.setup.iter().filter(|one| one.node == named).nth(command) else {
            return self.wrong(Place::Whole, 0, Key::OwnNoStart, &[reply], Key::OwnStartRemedy);
        };
        let (place, mut line) = (found.place.clone(), found.line);
        let reply = reply.trim_start_matches("(error) ").to_owned();
        let mut remedy = Key::OwnRefusedRemedy;
        if matches!(place, Place::Text(Part::Script(_))) {
            remedy = Key::OwnScriptRemedy;
            let at = ["user_script:", "user_function:"].iter().find_map(|name| {
                let digits = reply.split(name).nth(1)?.split(':').next()?;
                digits.parse::<u32>().ok()
            });
            // An error at the end of a script is reported on a later line, in text that Redis adds.
            let last = script_lines(self.own, &place);
            line = at.unwrap_or(1).min(last);
        }
        self.wrong(place, line, Key::OwnRefused, &[&reply], remedy);
    }

    fn answers(&mut self, scenario: &Scenario, world: &World) {
        for (at, property) in scenario.properties.iter().enumerate() {
            if let Err(why) = property.holds(&mut world.facts()) {
                let place = Place::Property(at);
                self.wrong(place, 0, Key::OwnBadCheck, &[&why], Key::OwnAnswerRemedy);
            }
        }
    }
}

fn script_lines(own: &Own, place: &Place) -> u32 {
    match place {
        Place::Text(part) => own.text(*part).lines().count().max(1) as u32,
        _ => 1,
    }
}

/// Returns true for a library of functions, which FUNCTION LOAD takes.
fn is_library(text: &str) -> bool {
    text.starts_with("#!")
}

/// Returns true for a valid file name.
pub fn is_file(name: &str) -> bool {
    is_plain(name, 24)
}

/// Returns true for a valid id of a property.
fn is_id(id: &str) -> bool {
    is_plain(id, 60)
}

/// Returns true for 1 to `most` ASCII letters, digits, hyphens and underscores.
fn is_plain(name: &str, most: usize) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    (1..=most).contains(&name.len()) && name.bytes().all(plain)
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

/// Returns true for a Lua identifier.
fn is_word(name: &str) -> bool {
    is_file(name) && !name.contains('-') && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// Splits `r1> SET a 1` into the name of the instance and the command.
fn prompt(line: &str) -> Option<(&str, &str)> {
    let (name, command) = line.split_once('>')?;
    (is_name(name) && command.starts_with(' ')).then_some((name, command.trim()))
}

fn both(text: &str) -> Both<String> {
    Both { en: text.to_owned(), zh: text.to_owned() }
}

// ---- From a lesson ------------------------------------------------------------------------------

impl Own {
    /// Converts a variant of a lesson to a scenario, with its words in `lang`. `None` if there is
    /// no such variant, or it does not fit.
    pub fn of_lesson(lesson: &Lesson, variant: usize, lang: Lang) -> Option<Own> {
        let def = lesson.variants.get(variant)?;
        let mut own = Own {
            title: lesson.title.get(lang).clone(),
            faults: def.faults,
            time: def.time,
            slow_ms: def.slow_ms,
            wire: def.wire,
            expect_deadlock: def.expect_deadlock,
            sql: def.sql.iter().map(|statement| format!("{statement}\n")).collect(),
            ..Own::default()
        };
        if lesson.variants.len() > 1 && lesson.id != OWN {
            own.title = format!("{} · {}", own.title, def.label.get(lang));
        }
        let mut places: Vec<usize> = Vec::new();
        let mut digests: Vec<(String, String)> = Vec::new();
        for (client, &place) in def.clients.iter().enumerate() {
            let program = lesson.programs.get(place)?;
            let at = places.iter().position(|known| *known == place);
            if at.is_none() {
                places.push(place);
                let (known, text) = without_digests(&program.source);
                digests.extend(known);
                let name = program.file.trim_end_matches(".lua").to_owned();
                own.programs.push(Script { name, text: text.to_owned() });
            }
            let role = def.roles.get(client).cloned().unwrap_or_default();
            own.clients.push(Client {
                program: at.unwrap_or(places.len() - 1),
                process: role.process.unwrap_or_default(),
                clock_ms: role.clock_ms,
                expect_error: role.expect_error.unwrap_or_default(),
                again: role.again,
            });
        }
        own.names_differ();
        let mut setups = Vec::new();
        for one in &def.instances {
            own.instances.push(Instance {
                name: one.name.clone(),
                replica_of: one.replica_of.clone().unwrap_or_default(),
                clock_ms: one.clock_ms,
            });
            setups.push(one.setup.clone());
        }
        own.set_up(def.setup.clone(), setups, &digests);
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

    /// Adopts the setup commands of the whole, which the first instance executes, and of each
    /// instance. A script that each instance but the replicas loads becomes a script of the
    /// scenario, which is loaded so.
    pub(super) fn set_up(
        &mut self,
        mut first: Commands,
        mut setups: Vec<Commands>,
        digests: &[(String, String)],
    ) {
        match setups.first_mut() {
            Some(own) => {
                first.append(own);
                *own = first;
            }
            None => setups.push(first),
        }
        let is_replica =
            |at: usize| self.instances.get(at).is_some_and(|one| !one.replica_of.is_empty());
        let is_everywhere = |argv: &Vec<String>| {
            (0..setups.len()).all(|at| is_replica(at) || setups[at].contains(argv))
        };
        let (mut lines, mut scripts) = (String::new(), Vec::new());
        for (at, setup) in setups.iter().enumerate() {
            for argv in setup {
                if let Some(text) = loaded(argv).filter(|_| is_everywhere(argv)) {
                    scripts.push(text);
                    continue;
                }
                if at > 0 {
                    lines += &format!("{}> ", self.instances[at].name);
                }
                let words: Vec<String> = argv.iter().map(|argument| quoted(argument)).collect();
                lines += &words.join(" ");
                lines.push('\n');
            }
        }
        self.setup += &lines;
        scripts.into_iter().for_each(|text| self.add_script(text, digests));
    }

    fn add_script(&mut self, text: &str, digests: &[(String, String)]) {
        if self.scripts.iter().any(|one| one.text == text) {
            return;
        }
        let sha = lua::sha1::hex(text.as_bytes());
        let called =
            digests.iter().find(|(_, digest)| *digest == sha).map(|(name, _)| name.clone());
        let head = text.lines().next().unwrap_or_default();
        let library = head.split("name=").nth(1).map(|name| name.trim().to_owned());
        let name = called.or(library.filter(|_| is_library(text)));
        let name = name.unwrap_or_else(|| format!("script{}", self.scripts.len() + 1));
        self.scripts.push(Script { name, text: text.to_owned() });
    }
}

/// Returns the text of the script or the library that a command loads.
fn loaded(argv: &[String]) -> Option<&String> {
    let [container, load, text] = argv else { return None };
    let loads = |name: &str| container.eq_ignore_ascii_case(name);
    let library = loads("FUNCTION") && is_library(text);
    (load.eq_ignore_ascii_case("LOAD") && (library || loads("SCRIPT"))).then_some(text)
}

/// Splits a program into its table of digests and the rest.
pub(super) fn without_digests(source: &str) -> (Vec<(String, String)>, &str) {
    let found = source.strip_prefix(DIGESTS.0).and_then(|rest| rest.split_once(DIGESTS.1));
    let Some((table, text)) = found.filter(|(table, _)| !table.contains('\n')) else {
        return (Vec::new(), source);
    };
    let pair = |entry: &str| {
        let (name, digest) = entry.split_once(" = ")?;
        Some((name.to_owned(), digest.trim_matches('"').to_owned()))
    };
    (table.split(", ").filter_map(pair).collect(), text)
}

/// Quotes an argument as in redis-cli.
pub fn quoted(argument: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"\"'\\".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) && !argument.starts_with('#') {
        return argument.to_owned();
    }
    let mut out = String::from("\"");
    for c in argument.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            c if (c as u32) < 0x20 || c as u32 == 0x7f => out += &format!("\\x{:02x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}
