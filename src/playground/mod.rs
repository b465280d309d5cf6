//! A scenario of the learner's own, written in the playground.
//!
//! [`Own`] is the written scenario; [`Own::lesson`] makes an ordinary lesson with one variant of
//! it, so that everything a lesson can do works for it, or lists its mistakes ([`Mistake`]).
//! [`edit`] changes it; [`folder`] writes and reads it as a lesson's folder, in a [`zip`]; `toml`
//! parses such folders' manifests, and `scenario` reads those of scenario folders; [`example`]s are
//! scenarios to begin with; `disk` reads all of these for `check`. [`alone`] tries each client by
//! itself, and [`conditions`] has conditions to choose from. As one text it is JSON:
//! [`Own::write`], [`Own::read`]; links carry that text packed.
//!
//! Nothing in a file is ignored: a field that is not known, or more of something than there may be,
//! is a mistake. To add a field: its reader and writer here, those of the manifests in [`folder`],
//! its name in `scenario::FIELDS`, an [`edit`], and docs/authoring.md.

pub mod alone;
pub mod conditions;
#[cfg(not(target_arch = "wasm32"))]
pub mod disk;
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

use crate::json::{self, FromJson, Json, ToJson, Wrong};
use crate::sim::{Faults, Kind, READY, Ready, TimeMode};
use crate::text::Key;

use crate::session::deflate;

/// The most client programs, clients, server scripts, instances and properties: as many as a world
/// has clients.
pub const MANY_MAX: usize = crate::sim::MAX_CLIENTS;
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
    /// True if the author expects that a client gets stuck in some order.
    pub expect_deadlock: bool,
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
    /// The name by which files and verdicts of `check` know it; empty: `p1`, `p2` … by its place.
    pub id: String,
    /// The name in the reader's words; empty: its id, or else the check is shown instead.
    pub name: String,
    pub kind: Kind,
    pub check: String,
    /// True if the author expects that it breaks.
    pub breaks: bool,
}

impl Property {
    pub fn new(kind: Kind, check: String) -> Property {
        Property { id: String::new(), name: String::new(), kind, check, breaks: false }
    }

    /// Returns the id at a place as it is stored: none if the place gives it.
    fn stored_id(id: &str, at: usize) -> String {
        if id == placed(at) { String::new() } else { id.to_owned() }
    }

    /// Returns its name on the page.
    pub fn label(&self) -> &str {
        [&self.name, &self.id].into_iter().find(|text| !text.is_empty()).unwrap_or(&self.check)
    }
}

/// Returns the id that its place gives a property.
fn placed(at: usize) -> String {
    format!("p{}", at + 1)
}

// ---- As JSON ------------------------------------------------------------------------------------

/// Reads a field; its type's default if it is absent.
fn field<T: FromJson + Default>(json: &mut Json, name: &str, wrong: &mut Wrong) -> T {
    json.read::<Option<T>>(name, wrong).unwrap_or_default()
}

/// Reads a list of at most [`MANY_MAX`] items.
fn many<T: FromJson>(json: &mut Json, name: &str, wrong: &mut Wrong) -> Vec<T> {
    let items: Vec<T> = field(json, name, wrong);
    if items.len() > MANY_MAX {
        wrong.say(format!("{name}: {}", too_many(items.len())));
    }
    items
}

fn too_many(count: usize) -> String {
    format!("there are {count}, and there may be at most {MANY_MAX}")
}

const FIELDS: [&str; 13] = [
    "title",
    "programs",
    "clients",
    "scripts",
    "setup",
    "sql",
    "instances",
    "properties",
    "faults",
    "time",
    "slow_ms",
    "wire",
    "expect_deadlock",
];

impl FromJson for Own {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Own {
        json.only(&FIELDS, wrong);
        let mut own = Own {
            title: field(&mut json, "title", wrong),
            programs: many(&mut json, "programs", wrong),
            clients: many(&mut json, "clients", wrong),
            scripts: many(&mut json, "scripts", wrong),
            setup: field(&mut json, "setup", wrong),
            sql: field(&mut json, "sql", wrong),
            instances: many(&mut json, "instances", wrong),
            properties: many(&mut json, "properties", wrong),
            faults: field::<Allowed>(&mut json, "faults", wrong).0,
            time: json.read::<Option<TimeMode>>("time", wrong).unwrap_or_default(),
            slow_ms: field(&mut json, "slow_ms", wrong),
            wire: field(&mut json, "wire", wrong),
            expect_deadlock: field(&mut json, "expect_deadlock", wrong),
        };
        let programs = own.programs.len();
        if programs == 0 {
            wrong.say("programs: a list with at least one program should be there".to_owned());
        }
        if own.clients.iter().any(|client| client.program >= programs) {
            wrong.say(format!("clients: program: a number below {programs} should be there"));
        }
        // Without a list each program has a client.
        if own.clients.is_empty() {
            let client = |program| Client { program, ..Client::default() };
            own.clients = (0..programs).map(client).collect();
        }
        own
    }
}

impl FromJson for Script {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Script {
        json.only(&["name", "text"], wrong);
        Script { name: json.read("name", wrong), text: json.read("text", wrong) }
    }
}

impl FromJson for Client {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Client {
        json.only(&["program", "process", "clock_ms", "expect_error", "again"], wrong);
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
        json.only(&["name", "replica_of", "clock_ms"], wrong);
        Instance {
            name: json.read("name", wrong),
            replica_of: field(&mut json, "replica_of", wrong),
            clock_ms: field(&mut json, "clock_ms", wrong),
        }
    }
}

impl FromJson for Property {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Property {
        json.only(&["id", "name", "kind", "check", "ready", "of", "key", "expect"], wrong);
        let (kind, check) = asked(&mut json, wrong).unwrap_or((Kind::Always, String::new()));
        let expect: Option<Expect> = json.read("expect", wrong);
        let breaks = expect.is_some_and(|expect| expect.breaks);
        let (id, name) = (field(&mut json, "id", wrong), field(&mut json, "name", wrong));
        Property { id, name, kind, check, breaks }
    }
}

/// A verdict that an author expects.
struct Expect {
    breaks: bool,
}

impl FromJson for Expect {
    fn made_of(json: Json, wrong: &mut Wrong) -> Expect {
        let verdict = String::made_of(json, wrong);
        if verdict != "holds" && verdict != "breaks" {
            wrong.say(format!("{verdict} where holds or breaks should be"));
        }
        Expect { breaks: verdict == "breaks" }
    }
}

/// Reads what a property asks: its kind and its check, or those of the ready-made condition that it
/// names ([`Ready`]).
fn asked(json: &mut Json, wrong: &mut Wrong) -> Option<(Kind, String)> {
    let ready: Option<String> = json.read("ready", wrong);
    let [check, of, key] =
        ["check", "of", "key"].map(|name| json.read::<Option<String>>(name, wrong));
    let kind: Option<Kind> = json.read("kind", wrong);
    let Some(name) = ready else {
        if kind.is_none() || check.is_none() || of.is_some() || key.is_some() {
            let names = READY.map(|ready| ready.name).join(", ");
            wrong.say(format!("a property has a kind and a check, or is ready: {names}"));
        }
        return Some((kind?, check?));
    };
    let made =
        Ready::named(&name).map(|ready| (ready.kind, ready.check(of.as_deref(), key.as_deref())));
    match made {
        _ if kind.is_some() || check.is_some() => {
            wrong.say("ready: it stands in place of a kind and a check".to_owned());
        }
        None => wrong.say(format!("ready: no property is called {name}")),
        Some((_, None)) => wrong.say("ready: a quotation mark in a name".to_owned()),
        Some((kind, Some(check))) => return Some((kind, check)),
    }
    None
}

/// Faults, of which only the named ones are written.
#[derive(Default)]
struct Allowed(Faults);

impl FromJson for Allowed {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Allowed {
        let mut faults = Faults::default();
        let known: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).chain(["jump_ms"]).collect();
        json.only(&known, wrong);
        for (name, _) in FAULTS {
            let Aimed { count, of, at_most_ms } = field(&mut json, name, wrong);
            if let Some(place) = fault_mut(&mut faults, name) {
                *place = count;
            }
            match name {
                "pause" => (faults.pause_of, faults.pause_ms) = (of, at_most_ms),
                "crash" => faults.crash_of = of,
                _ if of != 0 => wrong.say(format!("{name}: client is for pause and crash")),
                _ => {}
            }
            if at_most_ms > 0 && name != "pause" {
                wrong.say(format!("{name}: at_most_ms is for pause"));
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
        json.only(&["count", "client", "at_most_ms"], wrong);
        Aimed {
            count: json.read::<Option<u8>>("count", wrong).unwrap_or(1),
            of: json.read::<Clients>("client", wrong).0,
            at_most_ms: field(&mut json, "at_most_ms", wrong),
        }
    }
}

/// Letters of clients; none: all.
struct Clients(u32);

impl FromJson for Clients {
    fn made_of(json: Json, wrong: &mut Wrong) -> Clients {
        let letters = Option::<String>::made_of(json, wrong);
        Clients(letters.map_or(Ok(0), |letters| Faults::named(&letters)).unwrap_or_else(|why| {
            wrong.say(why);
            0
        }))
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
    whole(Vec::new(), fields)
}

/// Makes an object of all of these fields, and of the others that are not empty.
fn whole(fields: Vec<(&str, Json)>, others: Vec<(&str, Json)>) -> Json {
    let says = |json: &Json| match json {
        Json::Null | Json::Bool(false) | Json::Number(0) => false,
        Json::Text(text) => !text.is_empty(),
        Json::List(items) => !items.is_empty(),
        Json::Object(fields) => !fields.is_empty(),
        _ => true,
    };
    let fields = fields.into_iter().chain(others.into_iter().filter(|(_, json)| says(json)));
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
        whole(vec![("name", text(&self.name)), ("text", text(&self.text))], Vec::new())
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
                    whole(
                        vec![("name", text(&instance.name))],
                        vec![
                            ("replica_of", text(&instance.replica_of)),
                            ("clock_ms", Json::Number(instance.clock_ms)),
                        ],
                    )
                }),
            ),
            (
                "properties",
                list(&self.properties, |property| {
                    whole(
                        vec![
                            ("name", text(&property.name)),
                            ("kind", text(kind_name(property.kind))),
                            ("check", text(&property.check)),
                        ],
                        vec![
                            ("id", text(&property.id)),
                            ("expect", text(if property.breaks { "breaks" } else { "" })),
                        ],
                    )
                }),
            ),
            ("faults", Json::Object(faults.collect())),
            ("time", text(if self.time == TimeMode::Any { "any" } else { "" })),
            ("slow_ms", Json::Number(self.slow_ms.into())),
            ("wire", Json::Bool(self.wire)),
            ("expect_deadlock", Json::Bool(self.expect_deadlock)),
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
        Own::from_json(json).map_err(|why| wrong(0, why))
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
            properties: vec![Property::new(
                Kind::Always,
                "not all_done() or number(\"n\") == 2".to_owned(),
            )],
            ..Own::default()
        }
    }
}
