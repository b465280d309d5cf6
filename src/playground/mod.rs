//! A scenario of the learner's own, written in the playground.
//!
//! [`Own`] is the written scenario; [`Own::lesson`] makes an ordinary lesson with one variant of
//! it, so that everything a lesson can do works for it, or lists its mistakes ([`Mistake`]).
//! [`edit`] changes it; [`folder`] writes and reads it as a lesson's folder, in a [`zip`]; `toml`
//! parses such folders' manifests, and `scenario` reads those of scenario folders; [`example`]s are
//! scenarios to begin with. [`alone`] tries each client by itself, [`conditions`] has conditions to
//! choose from, and [`live`] is the verdict beside the editor. As one text it is JSON:
//! [`Own::write`], [`Own::read`]; links carry that text packed.

pub mod alone;
pub mod conditions;
pub mod edit;
pub mod example;
pub mod folder;
pub mod kept;
mod lesson;
mod mistake;
mod scenario;
mod toml;
pub mod zip;

pub use lesson::file_name;

#[cfg(test)]
mod tests;

pub use mistake::{Mistake, Part, Place};

use crate::from_json;
use crate::json::{self, FromJson, Json, ToJson, Wrong};
use crate::sim::{Faults, Kind, TimeMode};
use crate::text::Key;

use crate::session::deflate;

/// The most client programs, clients, server scripts, instances and properties.
pub const MANY_MAX: usize = 8;
/// The most bytes of one text.
pub const TEXT_MAX: usize = 16 * 1024;
/// The most bytes of the whole scenario as one text.
pub const WHOLE_MAX: usize = 96 * 1024;

/// A learner's scenario.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Own {
    pub title: String,
    /// The Lua programs of the clients.
    pub programs: Vec<Script>,
    pub clients: Vec<Client>,
    /// The Lua scripts of the server: loaded beforehand, by SCRIPT LOAD, or by FUNCTION LOAD if one
    /// begins with `#!lua name=`. Programs read the digest of a script as `SHA.name`.
    pub scripts: Vec<Script>,
    /// Redis commands, one per line, as typed into redis-cli; `r1> SET a 1` is for the instance
    /// `r1`.
    pub setup: String,
    /// SQL statements, one per line.
    pub sql: String,
    /// The instances; if empty, there is one called `redis`.
    pub instances: Vec<Instance>,
    pub properties: Vec<Property>,
    pub faults: Faults,
    pub time: TimeMode,
    /// No client is held up longer than this between two of its steps, in ms.
    pub slow_ms: u32,
    pub wire: bool,
}

/// A named text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// The name, without `.lua`.
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Client {
    /// The index of its program.
    pub program: usize,
    /// The process of the client; clients of one process share mutexes and variables. Empty: a
    /// process of its own.
    pub process: String,
    /// The lead of its clock, in ms.
    pub clock_ms: i64,
    /// The text of an error with which it may end; empty: none.
    pub expect_error: String,
    /// True if its program begins again when it has ended.
    pub again: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Instance {
    pub name: String,
    /// The master; empty: it is no replica.
    pub replica_of: String,
    pub clock_ms: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// The name in the reader's words; empty: the check is shown instead.
    pub name: String,
    pub kind: Kind,
    pub check: String,
}

impl Property {
    /// Returns its name on the page.
    pub fn label(&self) -> &str {
        if self.name.is_empty() { &self.check } else { &self.name }
    }
}

// ---- As JSON ------------------------------------------------------------------------------------

/// Reads a field; its type's default if it is absent.
fn field<T: FromJson + Default>(json: &mut Json, name: &str, wrong: &mut Wrong) -> T {
    json.read::<Option<T>>(name, wrong).unwrap_or_default()
}

impl FromJson for Own {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Own {
        let own = Own {
            title: field(&mut json, "title", wrong),
            programs: field(&mut json, "programs", wrong),
            clients: field(&mut json, "clients", wrong),
            scripts: field(&mut json, "scripts", wrong),
            setup: field(&mut json, "setup", wrong),
            sql: field(&mut json, "sql", wrong),
            instances: field(&mut json, "instances", wrong),
            properties: field(&mut json, "properties", wrong),
            faults: field::<Allowed>(&mut json, "faults", wrong).0,
            time: json.read::<Option<TimeMode>>("time", wrong).unwrap_or_default(),
            slow_ms: field(&mut json, "slow_ms", wrong),
            wire: field(&mut json, "wire", wrong),
        };
        if own.programs.is_empty() {
            wrong.say("programs: a list with at least one program should be there".to_owned());
        }
        own
    }
}

from_json!(Script { name, text });

impl FromJson for Client {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Client {
        Client {
            program: field(&mut json, "program", wrong),
            process: field(&mut json, "process", wrong),
            clock_ms: field(&mut json, "clock_ms", wrong),
            expect_error: field(&mut json, "expect_error", wrong),
            again: field(&mut json, "again", wrong),
        }
    }
}

impl FromJson for Instance {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Instance {
        Instance {
            name: json.read("name", wrong),
            replica_of: field(&mut json, "replica_of", wrong),
            clock_ms: field(&mut json, "clock_ms", wrong),
        }
    }
}

impl FromJson for Property {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Property {
        Property {
            name: field(&mut json, "name", wrong),
            kind: json.read("kind", wrong),
            check: json.read("check", wrong),
        }
    }
}

/// Faults, of which only the named ones are written.
#[derive(Default)]
struct Allowed(Faults);

impl FromJson for Allowed {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Allowed {
        let mut faults = Faults::default();
        for (name, _) in FAULTS {
            let Aimed { count, of, at_most_ms } = field(&mut json, name, wrong);
            if let Some(place) = fault_mut(&mut faults, name) {
                *place = count;
            }
            match name {
                "pause" => (faults.pause_of, faults.pause_ms) = (of, at_most_ms),
                "crash" => faults.crash_of = of,
                _ => {}
            }
        }
        faults.jump_ms = field(&mut json, "jump_ms", wrong);
        Allowed(faults)
    }
}

/// The number of a kind, or an object with that and the clients that they strike.
#[derive(Default)]
struct Aimed {
    count: u8,
    of: u32,
    at_most_ms: u32,
}

impl FromJson for Aimed {
    fn made_of(json: Json, wrong: &mut Wrong) -> Aimed {
        let mut json = match json {
            Json::Object(fields) => Json::Object(fields),
            count => return Aimed { count: u8::made_of(count, wrong), ..Aimed::default() },
        };
        Aimed {
            count: json.read::<Option<u8>>("count", wrong).unwrap_or(1),
            of: Faults::mask(&field::<String>(&mut json, "client", wrong)),
            at_most_ms: field(&mut json, "at_most_ms", wrong),
        }
    }
}

/// Returns the clients that faults of this kind strike, and for how long: fields of an object.
fn aim(faults: Faults, name: &str) -> Vec<(&'static str, Json)> {
    let (of, ms) = match name {
        "pause" => (faults.pause_of, faults.pause_ms),
        "crash" => (faults.crash_of, 0),
        _ => (0, 0),
    };
    let letters = (of != 0).then(|| ("client", Json::Text(Faults::letters(of))));
    let at_most = (ms != 0).then(|| ("at_most_ms", Json::Number(ms.into())));
    letters.into_iter().chain(at_most).collect()
}

/// Returns how many faults of a kind are allowed, with the clients that they strike if limited.
pub(super) fn fault_json(faults: Faults, name: &str, count: i64) -> Json {
    let aim = aim(faults, name);
    match aim.is_empty() {
        true => Json::Number(count),
        false => object([("count", Json::Number(count))].into_iter().chain(aim).collect()),
    }
}

/// The kinds of faults by name, with the page's words for them.
pub const FAULTS: [(&str, Key); 8] = [
    ("pause", Key::OwnPause),
    ("crash", Key::OwnCrash),
    ("lose", Key::OwnLose),
    ("jump", Key::OwnJump),
    ("down", Key::OwnDown),
    ("restart", Key::OwnRestart),
    ("failover", Key::OwnFailover),
    ("early", Key::OwnEarly),
];

/// Returns the number of faults of the kind called `name`.
pub fn fault_mut<'f>(faults: &'f mut Faults, name: &str) -> Option<&'f mut u8> {
    Some(match name {
        "pause" => &mut faults.pause,
        "crash" => &mut faults.crash,
        "lose" => &mut faults.lose,
        "jump" => &mut faults.jump,
        "down" => &mut faults.down,
        "restart" => &mut faults.restart,
        "failover" => &mut faults.failover,
        "early" => &mut faults.early,
        _ => return None,
    })
}

/// Returns the kinds of faults that are allowed, each with its number.
pub fn allowed(faults: Faults) -> Vec<(&'static str, i64)> {
    let mut faults = faults;
    let counts = FAULTS.map(|(name, _)| (name, fault_mut(&mut faults, name).map_or(0, |n| *n)));
    let mut allowed: Vec<(&str, i64)> =
        counts.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name, n.into())).collect();
    if faults.jump_ms != 0 {
        allowed.push(("jump_ms", faults.jump_ms));
    }
    allowed
}

pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Always => "always",
        Kind::Sometimes => "sometimes",
        Kind::Eventually => "eventually",
    }
}

/// Makes an object of the fields that are not empty.
fn object(fields: Vec<(&str, Json)>) -> Json {
    let says = |json: &Json| match json {
        Json::Null | Json::Bool(false) | Json::Number(0) => false,
        Json::Text(text) => !text.is_empty(),
        Json::List(items) => !items.is_empty(),
        Json::Object(fields) => !fields.is_empty(),
        _ => true,
    };
    let fields = fields.into_iter().filter(|(_, json)| says(json));
    Json::Object(fields.map(|(name, json)| (name.to_owned(), json)).collect())
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

fn list<T>(items: &[T], one: fn(&T) -> Json) -> Json {
    Json::List(items.iter().map(one).collect())
}

impl ToJson for Script {
    fn to_json(&self) -> Json {
        let fields = [("name", text(&self.name)), ("text", text(&self.text))];
        Json::Object(fields.into_iter().map(|(name, json)| (name.to_owned(), json)).collect())
    }
}

impl ToJson for Own {
    fn to_json(&self) -> Json {
        let faults = allowed(self.faults);
        let faults =
            faults.into_iter().map(|(name, n)| (name.to_owned(), fault_json(self.faults, name, n)));
        object(vec![
            ("title", text(&self.title)),
            ("programs", list(&self.programs, Script::to_json)),
            (
                "clients",
                list(&self.clients, |client| {
                    object(vec![
                        ("program", client.program.to_json()),
                        ("process", text(&client.process)),
                        ("clock_ms", Json::Number(client.clock_ms)),
                        ("expect_error", text(&client.expect_error)),
                        ("again", Json::Bool(client.again)),
                    ])
                }),
            ),
            ("scripts", list(&self.scripts, Script::to_json)),
            ("setup", text(&self.setup)),
            ("sql", text(&self.sql)),
            (
                "instances",
                list(&self.instances, |instance| {
                    let name = ("name".to_owned(), text(&instance.name));
                    let rest = object(vec![
                        ("replica_of", text(&instance.replica_of)),
                        ("clock_ms", Json::Number(instance.clock_ms)),
                    ]);
                    let Json::Object(rest) = rest else { return Json::Null };
                    Json::Object([name].into_iter().chain(rest).collect())
                }),
            ),
            (
                "properties",
                list(&self.properties, |property| {
                    let name = ("name".to_owned(), text(&property.name));
                    let kind = ("kind".to_owned(), text(kind_name(property.kind)));
                    let check = ("check".to_owned(), text(&property.check));
                    Json::Object(vec![name, kind, check])
                }),
            ),
            ("faults", Json::Object(faults.collect())),
            ("time", text(if self.time == TimeMode::Any { "any" } else { "" })),
            ("slow_ms", Json::Number(self.slow_ms.into())),
            ("wire", Json::Bool(self.wire)),
        ])
    }
}

impl Own {
    /// Returns the whole scenario as one text.
    pub fn write(&self) -> String {
        self.to_json().to_string()
    }

    /// Undoes [`Own::write`], and reads text written by hand. `file` is the name of the text in the
    /// mistake that is returned if it cannot be read.
    pub fn read(written: &str, file: &str) -> Result<Own, Mistake> {
        let wrong = |line: usize, why: String| {
            let place = Place::File(file.to_owned());
            Mistake::new(place, line as u32, Key::OwnBadJson, &[&why], Key::OwnBadJsonRemedy)
        };
        if written.len() > WHOLE_MAX {
            let place = Place::File(file.to_owned());
            let kilobytes = (WHOLE_MAX / 1024).to_string();
            return Err(Mistake::new(
                place,
                0,
                Key::OwnTooBig,
                &[&kilobytes],
                Key::OwnTooBigRemedy,
            ));
        }
        let json = json::parse_at(written).map_err(|(at, why)| {
            let before = written.bytes().take(at).filter(|byte| *byte == b'\n').count();
            wrong(before + 1, why)
        })?;
        let mut own = Own::from_json(json).map_err(|why| wrong(0, why))?;
        own.tidy();
        Ok(own)
    }

    /// Packs the scenario for a link.
    pub fn pack(&self) -> String {
        deflate::pack(&self.write())
    }

    /// Undoes [`Own::pack`].
    pub fn unpack(code: &str) -> Result<Own, Mistake> {
        match deflate::unpack(code, WHOLE_MAX) {
            Some(text) => Own::read(&text, "#scenario"),
            None => {
                let place = Place::File("#scenario".to_owned());
                Err(Mistake::new(place, 0, Key::OwnBadLink, &[], Key::OwnBadLinkRemedy))
            }
        }
    }

    /// Brings numbers into the range that the page can show, and makes clients run existing
    /// programs.
    pub fn tidy(&mut self) {
        self.programs.truncate(MANY_MAX);
        self.scripts.truncate(MANY_MAX);
        self.instances.truncate(MANY_MAX);
        self.properties.truncate(MANY_MAX);
        self.clients.truncate(MANY_MAX);
        if self.clients.is_empty() {
            self.clients = (0..self.programs.len().min(MANY_MAX))
                .map(|program| Client { program, ..Client::default() })
                .collect();
        }
        let last = self.programs.len().saturating_sub(1);
        self.clients.iter_mut().for_each(|client| client.program = client.program.min(last));
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

    /// Returns the scenario of a first visit to the playground: two clients count.
    pub fn first() -> Own {
        let script = |name: &str, text: &str| Script { name: name.into(), text: text.into() };
        Own {
            programs: vec![script(
                "count",
                "local n = tonumber(redis.call(\"GET\", \"n\"))\n\
                 redis.call(\"SET\", \"n\", n + 1)\n",
            )],
            clients: vec![Client::default(), Client::default()],
            setup: "SET n 0\n".to_owned(),
            properties: vec![Property {
                name: String::new(),
                kind: Kind::Always,
                check: "not all_done() or number(\"n\") == 2".to_owned(),
            }],
            ..Own::default()
        }
    }
}
