//! Imports a session of redis-cli, or the output of MONITOR, as clients that can be stepped.
//!
//! Each connection of the text becomes a client whose program makes its commands, one call each,
//! and their order becomes a schedule. Printed replies are ignored, because they are computed
//! again. A connection is recognised by its prompt (`127.0.0.1:6380> `, `A (TX, 2 queued)> `)
//! without database and state, or by MONITOR's address.
//!
//! It needs nothing but the text. [`Imported::own`] makes a scenario of it.

use std::rc::Rc;

use crate::engine::Version;
use crate::lua;
use crate::playground::{Client, Definition, Script, file_name};
use crate::resp::{Bytes, split_inline};
use crate::sim::{Action, ClientId, Scenario, Timeline};
use crate::text::{Key, Lang, fill, tr};

use super::line::{Line, joined, read};
use crate::session::spelling::shortened;

pub const CLIENTS_MAX: usize = 8;
pub const COMMANDS_MAX: usize = 500;
/// The bytes at which a longer text is cut.
pub const TEXT_MAX: usize = 1024 * 1024;
/// The most notes that are kept.
const NOTES_MAX: usize = 200;

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    pub clients: Vec<ImportedClient>,
    /// The recorded order: `A1.B1.A2`.
    pub schedule: String,
    /// The same as lines to be typed, each with the index of its client.
    pub lines: Vec<(usize, String)>,
    /// The least version that has all its commands.
    pub version: Version,
    /// Remarks on lines that were left out or added, in order.
    pub notes: Vec<Note>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedClient {
    /// The connection's name in the text.
    pub name: String,
    /// Lua: one `redis.pcall` for each command, so that an error ends nothing.
    pub program: String,
    /// The number of its commands.
    pub commands: usize,
}

/// A remark on a line, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub line: usize,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Its quotes are not closed properly.
    Quotes,
    /// redis-cli does it by itself; it is no command.
    Local(String),
    /// A script called it; the script is imported.
    Script,
    /// There is no room for this client.
    NoRoom(String),
    /// There is no room for this command, nor for later ones.
    TooMany,
    /// It stands before the first prompt.
    NoPrompt,
    /// Its command came with this version, which the servers have therefore.
    Version(Version),
    /// SELECT was added, because the line was in this database.
    Select(String),
    /// In the recorded order this client would still wait for a reply.
    Waits(String),
    /// The text was cut here.
    Cut,
    /// The text contains no command.
    Nothing,
}

impl Note {
    pub fn text(&self, lang: Lang) -> String {
        let (key, about) = match &self.what {
            What::Version(version) => {
                let label = version.label();
                let said = fill(tr(lang, Key::ImportVersion), &[&label]);
                return fill(tr(lang, Key::ImportLine), &[&self.line.to_string(), &said]);
            }
            What::Quotes => (Key::ImportQuotes, ""),
            What::Local(word) => (Key::ImportLocal, word.as_str()),
            What::Script => (Key::ImportScript, ""),
            What::NoRoom(name) => (Key::ImportNoRoom, name.as_str()),
            What::TooMany => (Key::ImportTooMany, ""),
            What::NoPrompt => (Key::ImportNoPrompt, ""),
            What::Select(db) => (Key::ImportSelect, db.as_str()),
            What::Waits(name) => (Key::ImportWaits, name.as_str()),
            What::Cut => (Key::ImportCut, ""),
            What::Nothing => return tr(lang, Key::ImportNothing).to_owned(),
        };
        let most = [CLIENTS_MAX.to_string(), COMMANDS_MAX.to_string()];
        let said = fill(tr(lang, key), &[&shortened(about, 40), &most[0], &most[1]]);
        fill(tr(lang, Key::ImportLine), &[&self.line.to_string(), &said])
    }
}

/// A line's connection, and the command typed.
struct Heard<'t> {
    name: &'t str,
    db: Option<&'t str>,
    command: &'t str,
}

#[derive(Default)]
struct Reader {
    names: Vec<String>,
    /// By client, its commands, and its database.
    commands: Vec<Vec<Vec<Bytes>>>,
    databases: Vec<String>,
    /// The order of commands: line and client.
    order: Vec<(usize, usize)>,
    /// The sum of all words: a line may stand for many commands.
    bytes: usize,
    version: Version,
    notes: Vec<Note>,
    full: bool,
}

impl Imported {
    /// Returns a scenario with the clients of the transcript, each with a program of its own.
    pub fn own(&self, lang: Lang) -> Definition {
        let clients = self.clients.iter();
        let programs = clients
            .map(|client| Script { name: file_name(&client.name), text: client.program.clone() });
        let mut own = Definition {
            title: tr(lang, Key::ImportedTitle).to_owned(),
            programs: programs.collect(),
            clients: (0..self.clients.len())
                .map(|program| Client { program, ..Client::default() })
                .collect(),
            version: Some(self.version).filter(|version| *version != Version::default()),
            ..Definition::default()
        };
        own.names_differ();
        own
    }
}

/// Imports a transcript or MONITOR's output.
pub fn import(text: &str) -> Imported {
    let end = (0..=text.len().min(TEXT_MAX)).rev().find(|at| text.is_char_boundary(*at));
    let (text, rest) = text.split_at(end.unwrap_or(0));
    let lines = || text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
    let is_said =
        |line: &str| line.is_empty() || ["#", "--", "//"].iter().any(|mark| line.starts_with(mark));
    let mut reader = Reader::default();
    let has_prompts = lines().any(|(line, _)| heard(line).is_some());
    for (line, number) in lines().filter(|(line, _)| !is_said(line)) {
        match heard(line) {
            Some(heard) => reader.take(&heard, number),
            // Commands alone, as one keeps them in a file.
            None if !has_prompts => {
                let first = line.split_ascii_whitespace().next().unwrap_or_default();
                match crate::engine::lookup(first.as_bytes()).is_some() {
                    true => reader.take(&Heard { name: "A", db: None, command: line }, number),
                    false => reader.note(number, What::NoPrompt),
                }
            }
            // Output of a command.
            None if !reader.names.is_empty() || is_monitors_ok(line) => {}
            None => reader.note(number, What::NoPrompt),
        }
    }
    if !rest.is_empty() {
        reader.note(text.lines().count(), What::Cut);
    }
    reader.done()
}

fn is_monitors_ok(line: &str) -> bool {
    matches!(line, "OK" | "+OK")
}

/// Parses a line that was typed, or that MONITOR printed.
fn heard(line: &str) -> Option<Heard<'_>> {
    monitored(line).or_else(|| prompted(line))
}

/// Parses `1700000000.123456 [0 127.0.0.1:50000] "SET" "k" "1"`.
fn monitored(line: &str) -> Option<Heard<'_>> {
    let (time, rest) = line.strip_prefix('+').unwrap_or(line).split_once(" [")?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (seconds, parts) = time.split_once('.')?;
    if !digits(seconds) || !digits(parts) {
        return None;
    }
    // An IPv6 address has brackets of its own.
    let (from, command) = rest.split_once("] \"")?;
    let (db, name) = from.split_once(' ')?;
    let at = rest.len() - command.len() - 1;
    digits(db).then(|| Heard { name, db: Some(db), command: &rest[at..] })
}

/// Parses `127.0.0.1:6379[2](TX)> SET k 1`, `c1 (TX, 2 queued)> GET k`.
fn prompted(line: &str) -> Option<Heard<'_>> {
    let is_name = |c: char| c.is_alphanumeric() || "._:@/-".contains(c);
    let end = line.find(|c| !is_name(c))?;
    let (name, mut rest) = line.split_at(end);
    let mut db = None;
    if let Some(inner) = rest.strip_prefix('[') {
        let (number, behind) = inner.split_once(']')?;
        // The address may be IPv6, the number is a database.
        (db, rest) = (number.parse::<u8>().ok().map(|_| number), behind);
    }
    if let Some(inner) = rest.trim_start().strip_prefix('(') {
        rest = inner.split_once(')')?.1;
    }
    // `redis A> `, `not connected> `: a second word.
    let (name, rest) = match rest.strip_prefix(' ').and_then(|rest| rest.split_once("> ")) {
        Some((word, rest)) if !word.is_empty() && word.chars().all(is_name) => {
            (&line[..end + 1 + word.len()], rest)
        }
        _ => (name, rest.strip_prefix('>')?),
    };
    (!name.is_empty()).then(|| Heard { name, db, command: rest.trim() })
}

impl Reader {
    fn note(&mut self, line: usize, what: What) {
        if self.notes.len() < NOTES_MAX {
            self.notes.push(Note { line, what });
        }
    }

    fn take(&mut self, heard: &Heard<'_>, line: usize) {
        if heard.name == "lua" {
            return self.note(line, What::Script);
        }
        let (command, times) = match read(heard.command) {
            Line::Nothing => return,
            Line::Send { line, times } => (line, times),
            Line::Wrong(_) => return self.note(line, What::Quotes),
            _ => {
                let word = heard.command.split_ascii_whitespace().next().unwrap_or_default();
                return self.note(line, What::Local(word.to_owned()));
            }
        };
        let Ok(argv) = split_inline(command.as_bytes()) else {
            return self.note(line, What::Quotes);
        };
        // redis-cli sends this when it starts.
        if argv.iter().map(|word| word.as_ref()).eq([b"COMMAND".as_slice(), b"DOCS"]) {
            return self.note(line, What::Local("COMMAND DOCS".to_owned()));
        }
        if argv.is_empty() || self.full {
            return;
        }
        let at = match self.names.iter().position(|name| name == heard.name) {
            Some(at) => at,
            None if self.names.len() == CLIENTS_MAX => {
                let known = |note: &Note| note.what == What::NoRoom(heard.name.to_owned());
                if !self.notes.iter().any(known) {
                    self.note(line, What::NoRoom(heard.name.to_owned()));
                }
                return;
            }
            None => {
                self.names.push(heard.name.to_owned());
                self.commands.push(Vec::new());
                self.databases.push("0".to_owned());
                self.names.len() - 1
            }
        };
        let selects = argv[0].eq_ignore_ascii_case(b"SELECT");
        if let Some(db) = heard.db.filter(|db| *db != self.databases[at]) {
            self.databases[at] = db.to_owned();
            // MONITOR prints SELECT with the database that was left, or with the new one.
            if !selects {
                self.add(at, line, vec![b"SELECT".as_slice().into(), db.as_bytes().into()]);
                self.note(line, What::Select(db.to_owned()));
            }
        }
        if let (true, [_, db]) = (selects, argv.as_slice()) {
            self.databases[at] = String::from_utf8_lossy(db).into_owned();
        }
        for _ in 0..times {
            if !self.add(at, line, argv.clone()) {
                break;
            }
        }
    }

    /// Adds a command; false if there is no more room.
    fn add(&mut self, at: usize, line: usize, argv: Vec<Bytes>) -> bool {
        self.bytes += argv.iter().map(|word| word.len()).sum::<usize>();
        if self.order.len() == COMMANDS_MAX || self.bytes > TEXT_MAX {
            if !self.full {
                self.note(line, What::TooMany);
            }
            self.full = true;
            return false;
        }
        let version = self.version.for_command(&argv);
        if version != self.version {
            self.version = version;
            self.note(line, What::Version(version));
        }
        self.commands[at].push(argv);
        self.order.push((line, at));
        true
    }

    fn done(mut self) -> Imported {
        if self.order.is_empty() {
            self.note(1, What::Nothing);
        }
        let named = self.names.iter().zip(&self.commands);
        let clients: Vec<ImportedClient> = named
            .map(|(name, commands)| {
                let program: String = commands.iter().map(|argv| call(argv)).collect();
                ImportedClient { name: name.clone(), program, commands: commands.len() }
            })
            .collect();
        let schedule = self.play(&clients);
        self.notes.sort_by_key(|note| note.line);
        let mut next = vec![0; self.names.len()];
        let lines = self.order.iter().map(|(_, at)| {
            next[*at] += 1;
            (*at, joined(&self.commands[*at][next[*at] - 1]))
        });
        let lines = lines.collect();
        Imported { clients, schedule, lines, version: self.version, notes: self.notes }
    }

    /// Returns the recorded order, as far as it is possible on an instance that begins empty.
    fn play(&mut self, clients: &[ImportedClient]) -> String {
        let programs = clients.iter().map(|client| lua::compile(client.program.as_bytes(), "c"));
        let Ok(programs) = programs.collect::<Result<Vec<_>, _>>() else { return String::new() };
        let mut scenario = Scenario::simple(Vec::new(), programs);
        scenario.nodes[0].version = Some(self.version);
        let Ok(mut timeline) = Timeline::start(Rc::new(scenario)) else { return String::new() };
        let mut waits = [false; CLIENTS_MAX];
        for (line, at) in self.order.clone() {
            let step = Action::Step(ClientId(at as u16));
            if !waits[at] && timeline.step(step).is_err() {
                waits[at] = true;
                self.note(line, What::Waits(self.names[at].clone()));
            }
        }
        timeline.schedule()
    }
}

/// Returns a command as a line of a program.
fn call(argv: &[Bytes]) -> String {
    let words: Vec<String> = argv.iter().map(|word| lua::literal(word, '\'')).collect();
    format!("redis.pcall({})\n", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::session::link::Link;

    fn names(imported: &Imported) -> Vec<&str> {
        imported.clients.iter().map(|client| client.name.as_str()).collect()
    }

    fn notes(imported: &Imported) -> Vec<(usize, &What)> {
        imported.notes.iter().map(|note| (note.line, &note.what)).collect()
    }

    #[test]
    fn a_transcript_becomes_programs_and_their_order() {
        let text = "# two people at once
127.0.0.1:6379> WATCH stock
OK
127.0.0.1:6380> set stock \"it's\\n1\"
OK
127.0.0.1:6379> MULTI
OK
127.0.0.1:6379(TX)> 2 INCR n
QUEUED
127.0.0.1:6379(TX)> EXEC
(nil)
127.0.0.1:6380[2]> GET \"x
127.0.0.1:6380> help get
127.0.0.1:6380> quit
";
        let imported = import(text);
        assert_eq!(names(&imported), ["127.0.0.1:6379", "127.0.0.1:6380"]);
        assert_eq!(
            imported.clients[0].program,
            "redis.pcall('WATCH', 'stock')\nredis.pcall('MULTI')\nredis.pcall('INCR', 'n')\n\
             redis.pcall('INCR', 'n')\nredis.pcall('EXEC')\n"
        );
        assert_eq!(imported.clients[1].program, "redis.pcall('set', 'stock', 'it\\'s\\n1')\n");
        assert_eq!(imported.schedule, "A1.B1.A2.A3.A4.A5");
        let local = |word: &str| What::Local(word.to_owned());
        assert_eq!(
            notes(&imported),
            [(12, &What::Quotes), (13, &local("help")), (14, &local("quit"))]
        );
    }

    #[test]
    fn monitor_is_read_with_databases_and_scripts() {
        let text = "OK
1795325600.000001 [0 127.0.0.1:40001] \"MULTI\"
1795325600.000002 [0 127.0.0.1:40001] \"SET\" \"k\" \"a b\\x00\\xe9\"
1795325600.000003 [0 127.0.0.1:40001] \"EXEC\"
1795325600.000004 [2 unix:/tmp/r.sock] \"EVAL\" \"return redis.call('INCR', 'n')\" \"0\"
1795325600.000005 [2 lua] \"INCR\" \"n\"
+1795325600.000006 [1 [::1]:40002] \"PING\"
";
        let imported = import(text);
        assert_eq!(names(&imported), ["127.0.0.1:40001", "unix:/tmp/r.sock", "[::1]:40002"]);
        assert!(imported.clients[0].program.contains("'a b\\000\\233'"));
        assert!(imported.clients[1].program.starts_with("redis.pcall('SELECT', '2')\n"));
        assert_eq!(imported.schedule, "A1.A2.A3.B1.B2.C1.C2");
        let select = |db: &str| What::Select(db.to_owned());
        assert_eq!(notes(&imported), [(5, &select("2")), (6, &What::Script), (7, &select("1"))]);
    }

    #[test]
    fn prompts_of_many_kinds_are_known() {
        let names_of = |line| prompted(line).map(|heard| (heard.name, heard.db, heard.command));
        assert_eq!(names_of("A> GET x"), Some(("A", None, "GET x")));
        assert_eq!(names_of("c1 (TX, 2 queued)> EXEC"), Some(("c1", None, "EXEC")));
        assert_eq!(names_of("c1@r2[3] (WATCH 1)> GET a"), Some(("c1@r2", Some("3"), "GET a")));
        assert_eq!(
            names_of("redis.example:7000[12](TX)> a > b"),
            Some(("redis.example:7000", Some("12"), "a > b"))
        );
        assert_eq!(names_of("not connected> PING"), Some(("not connected", None, "PING")));
        assert_eq!(names_of("redis A> GET x"), Some(("redis A", None, "GET x")));
        assert_eq!(names_of("客户端甲> GET x"), Some(("客户端甲", None, "GET x")));
        assert_eq!(names_of("127.0.0.1:6379>"), Some(("127.0.0.1:6379", None, "")));
        for printed in ["1) \"a> b\"", "(integer) 1", "\"x> y\"", "OK", "1# \"a\" => \"b\"", "> x"]
        {
            assert_eq!(names_of(printed), None, "{printed}");
        }
    }

    #[test]
    fn commands_alone_are_one_client() {
        let imported = import("SET a 1\n-- comment\nGET a\nwhat is this\n");
        assert_eq!(imported.schedule, "A1.A2");
        assert_eq!(notes(&imported), [(4, &What::NoPrompt)]);
    }

    #[test]
    fn the_servers_have_the_version_that_has_every_command() {
        let imported = import("A> HSET h f 1\nA> HTTL h FIELDS 1 f\nA> DELEX k IFEQ v\nA> PING\n");
        assert_eq!(imported.own(Lang::En).version, Some(Version::V8_4));
        let of = |version: Version| What::Version(version);
        assert_eq!(notes(&imported), [(2, &of(Version::V7_4)), (3, &of(Version::V8_4))]);
        assert!(imported.notes[0].text(Lang::En).contains("Redis 7.4"));
        assert_eq!(import("A> GET HTTL\n").own(Lang::En).version, None);
    }

    #[test]
    fn who_waits_in_vain_is_said() {
        let imported = import("A> BLPOP q 0\nB> PING\nA> GET x\nA> GET y\n");
        assert_eq!(imported.schedule, "A1.B1");
        assert_eq!(notes(&imported), [(3, &What::Waits("A".to_owned()))]);
        let served = import("A> BLPOP q 0\nB> RPUSH q 1\nA> GET x\n");
        assert_eq!(served.schedule, "A1.B1.A2");
    }

    #[test]
    fn everything_has_a_bound_and_nothing_panics() {
        let many: String = (0..12).map(|n| format!("c{n}> PING\n")).collect();
        let imported = import(&many);
        assert_eq!(imported.clients.len(), CLIENTS_MAX);
        assert_eq!(notes(&imported)[0], (9, &What::NoRoom("c8".to_owned())));
        let imported = import(&"A> 1000000 PING\nB> PING\n".repeat(3));
        assert_eq!(imported.clients[0].commands, COMMANDS_MAX);
        assert_eq!(notes(&imported), [(1, &What::TooMany)]);
        let large = import(&format!("A> 500 SET k {}\n", "x".repeat(TEXT_MAX / 4)));
        assert_eq!((large.clients[0].commands, notes(&large)), (3, vec![(1, &What::TooMany)]));
        let long = import(&"A> PING\n".repeat(TEXT_MAX / 4));
        assert!(long.notes.iter().any(|note| note.what == What::Cut));
        for text in ["", "\0", "1.2 [", "1.2 [0 x] \"", "A> \"", "[]> x", "中[9999]> PING", "(x"] {
            let imported = import(text);
            for note in &imported.notes {
                assert!(Lang::ALL.iter().all(|lang| !note.text(*lang).is_empty()), "{text}");
            }
        }
    }

    #[test]
    fn what_was_imported_can_be_stepped_whatever_its_connections_are_called() {
        let names = ["127.0.0.1:6379", "127-0-0-1-6379", "客户端甲", "[::1]:40002", "客户端乙"];
        let lines = names.map(|name| format!("1.2 [0 {name}] \"INCR\" \"n\"\n"));
        let imported = import(&lines.concat());
        let own = imported.own(Lang::En);
        let called: Vec<&str> = own.programs.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(called, ["127-0-0-1-6379", "127-0-0-1-6379-2", "client", "1-40002", "client-5"]);
        let lesson = own.lesson().unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
        let link = Link { schedule: Some(imported.schedule.clone()), ..Link::default() };
        let (session, notices) = Session::open(lesson.into(), &link).expect("a lesson");
        assert_eq!((session.timeline().len(), notices), (5, Vec::new()));
        let long = import("a-host-with-a-very-long-name.example:7001> PING\n");
        assert_eq!(long.own(Lang::En).programs[0].name, "name-example-7001");
    }
}
