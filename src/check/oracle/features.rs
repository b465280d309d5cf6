//! What a run of the oracle has tried: a table of features, and in how many of its programs each
//! one was drawn, and met by a step of some run.
//!
//! *Drawn* is told from the scenario that was generated: from its fields, and from the calls in its
//! texts. *Met* is told from the worlds that the oracle has visited; where that would cost a
//! search, the row has no such number. A call whose name is put together is told when it is met.
//!
//! To add a feature, add its row to [`ROWS`]. A test asks that the generator draws each of them.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

use crate::engine::{Command, Group, Version, commands, lookup};
use crate::sim::oracle::Oracle;
use crate::sim::{
    Action, Call, CallKind, Client, Due, Faults, Kind, NodeDef, READY, Scenario, State, TimeMode,
    World,
};

/// A call: its name, and its arguments in upper case. A command has its own name in upper case, a
/// function of the host one in lower case. An argument that is no constant is empty.
type Words = Vec<String>;

/// How a row is told.
enum Told {
    /// By a call, of the texts and of a client.
    Call(fn(&[String]) -> bool),
    /// By a call of the texts; no step tells it.
    Text(fn(&[String]) -> bool),
    /// By the scenario; no step tells it.
    Scenario(fn(&Scenario) -> bool),
    /// By the scenario, and by something that happened.
    Action(fn(&Scenario) -> bool, fn(&Action) -> bool),
    /// By the scenario, and by a world.
    World(fn(&Scenario) -> bool, fn(&World) -> bool),
    /// By something that happened.
    Step(fn(&Action) -> bool),
    /// By a world.
    Moment(fn(&World) -> bool),
    /// By the length of the packed search's tick.
    Tick(fn(u32) -> bool),
}

use Told::{Call as Calls, Scenario as Has, Text, World as Worlds};

/// The families of commands whose rows begin the table.
const GROUPS: [Group; 15] = [
    Group::Generic,
    Group::String,
    Group::Bitmap,
    Group::Hash,
    Group::List,
    Group::Set,
    Group::SortedSet,
    Group::Geo,
    Group::HyperLogLog,
    Group::Stream,
    Group::PubSub,
    Group::Transactions,
    Group::Scripting,
    Group::Connection,
    Group::Server,
];

/// The other features.
const ROWS: &[(&str, Told)] = &[
    ("one client", Has(|one| one.clients.len() == 1)),
    ("two clients", Has(|one| one.clients.len() == 2)),
    ("three clients", Has(|one| one.clients.len() == 3)),
    ("four clients", Has(|one| one.clients.len() == 4)),
    ("equal clients", Has(|one| groups(one).any(|many| many > 1))),
    ("two groups of equal clients", Has(|one| groups(one).filter(|many| *many > 1).count() > 1)),
    ("a process of several clients", Has(|one| processes(one).iter().any(|(_, many)| *many > 1))),
    ("two named processes", Has(|one| processes(one).len() > 1)),
    ("again", Worlds(|one| one.clients.iter().any(|one| one.again), |world| calls(world, again))),
    ("an error that is expected", Has(|one| one.clients.iter().any(|c| c.expect_error.is_some()))),
    ("a client's clock", Has(|one| one.clients.iter().any(|client| client.clock_ms != 0))),
    ("an instance's clock ahead", Has(|one| one.nodes.iter().any(|node| node.clock_ms > 0))),
    ("an instance's clock behind", Has(|one| one.nodes.iter().any(|node| node.clock_ms < 0))),
    ("several instances", Has(|one| one.nodes.len() > 1)),
    ("replicas", Has(|one| one.nodes.iter().any(|node| node.replica_of.is_some()))),
    ("instances apart", Has(|one| one.nodes.iter().skip(1).any(|n| n.replica_of.is_none()))),
    ("Redis 7.2", Has(|one| versions(one, |version| version == Version::V7_2))),
    ("Redis 7.4", Has(|one| versions(one, |version| version == Version::V7_4))),
    ("Redis 8", Has(|one| versions(one, |version| version >= Version::V8_0))),
    (
        "Valkey",
        Has(|one| versions(one, |version| [Version::Valkey8, Version::Valkey9].contains(&version))),
    ),
    (
        "versions that differ",
        Has(|one| one.nodes.iter().any(|node| node.version != one.nodes[0].version)),
    ),
    ("wire", Told::Action(|one| one.wire, |action| matches!(action, Action::Send(_)))),
    (
        "a message under way",
        Told::Action(|one| one.wire, |action| matches!(action, Action::Arrive(..))),
    ),
    ("slow_ms", Told::Action(|one| one.slow_ms > 0, |action| matches!(action, Action::Tick(_)))),
    (
        "starts_within_ms",
        Told::Action(|one| one.starts_within_ms > 0, |action| matches!(action, Action::Tick(_))),
    ),
    (
        "time early",
        Worlds(
            |one| one.time == TimeMode::Any && one.faults.early > 0,
            |world| world.budget().early == 0,
        ),
    ),
    ("a tick of several ms", Told::Tick(|tick_ms| tick_ms > 1)),
    (
        "deadlines at one moment",
        Told::Moment(|world| {
            let due = world.due();
            due.len() > 1 && due.iter().any(|one| matches!(one, Due::Client(_)))
        }),
    ),
    ("chance", Told::Step(|action| matches!(action, Action::Draw(_, 1..)))),
    ("chance of three outcomes", Told::Step(|action| matches!(action, Action::Draw(_, 2..)))),
    ("ids", Text(|call| call[0] == "uuid")),
    ("ids in another order", Has(|one| one.ids != Default::default())),
    // Faults.
    (
        "crash",
        Told::Action(|one| one.faults.crash > 0, |action| matches!(action, Action::Crash(_))),
    ),
    (
        "crash of a process",
        Told::Action(
            |one| one.faults.crash > 0 && processes(one).iter().any(|(_, many)| *many > 1),
            |action| matches!(action, Action::CrashProcess(_)),
        ),
    ),
    ("crash of one client", Has(|one| one.faults.crash > 0 && one.faults.crash_of > 0)),
    (
        "pause without an end",
        Told::Action(
            |one| one.faults.pause > 0 && one.faults.pause_ms == 0,
            |action| matches!(action, Action::Pause(_)),
        ),
    ),
    (
        "pause with an end",
        Told::Action(
            |one| one.faults.pause > 0 && one.faults.pause_ms > 0,
            |action| matches!(action, Action::Pause(_)),
        ),
    ),
    (
        "pause of a process",
        Told::Action(
            |one| one.faults.pause > 0 && processes(one).iter().any(|(_, many)| *many > 1),
            |action| matches!(action, Action::PauseProcess(_)),
        ),
    ),
    ("pause of one client", Has(|one| one.faults.pause > 0 && one.faults.pause_of > 0)),
    (
        "two pauses",
        Worlds(
            |one| one.faults.pause > 1,
            |world| world.clients().iter().filter(|client| client.paused().is_some()).count() > 1,
        ),
    ),
    (
        "lost reply",
        Told::Action(|one| one.faults.lose > 0, |action| matches!(action, Action::LoseReply(_))),
    ),
    ("lost reply of one client", Has(|one| one.faults.lose > 0 && one.faults.lose_of > 0)),
    (
        "lost request",
        Told::Action(|one| one.faults.drop > 0, |action| matches!(action, Action::LoseRequest(_))),
    ),
    (
        "cancelled call",
        Told::Action(|one| one.faults.cancel > 0, |action| matches!(action, Action::Cancel(_))),
    ),
    (
        "jump forward",
        Told::Action(
            |one| one.faults.jump > 0 && one.faults.jump_ms > 0,
            |action| matches!(action, Action::JumpClient(_) | Action::JumpNode(_)),
        ),
    ),
    (
        "jump back",
        Told::Action(
            |one| one.faults.jump > 0 && one.faults.jump_ms < 0,
            |action| matches!(action, Action::JumpClient(_) | Action::JumpNode(_)),
        ),
    ),
    ("down", Told::Action(|one| one.faults.down > 0, |action| matches!(action, Action::Down(_)))),
    (
        "restart",
        Told::Action(|one| one.faults.restart > 0, |action| matches!(action, Action::Restart(_))),
    ),
    (
        "restart with a snapshot",
        Told::Action(|one| one.faults.rewind > 0, |action| matches!(action, Action::Rewind(_))),
    ),
    (
        "failover",
        Told::Action(|one| one.faults.failover > 0, |action| matches!(action, Action::Failover(_))),
    ),
    (
        "eviction",
        Told::Action(|one| one.faults.evict > 0, |action| matches!(action, Action::Evict(..))),
    ),
    ("several kinds of faults", Has(|one| kinds_of_faults(one.faults) > 1)),
    // Conditions.
    ("always", Has(|one| one.properties.iter().any(|it| it.kind == Kind::Always))),
    ("sometimes", Has(|one| one.properties.iter().any(|it| it.kind == Kind::Sometimes))),
    ("eventually", Has(|one| one.properties.iter().any(|it| it.kind == Kind::Eventually))),
    ("no errors", Has(|one| one.properties.iter().any(|it| it.is_no_errors()))),
    ("conditions of keys", Has(|one| asks(one, |call| is_command(call).is_some()))),
    (
        "conditions of globals",
        Has(|one| asks(one, |call| ["count", "sum", "global", "each"].contains(&call[0].as_str()))),
    ),
    (
        "conditions of ends",
        Has(|one| {
            asks(one, |call| {
                ["done", "all_done", "over", "all_over", "failed", "crashed"]
                    .contains(&call[0].as_str())
            })
        }),
    ),
    (
        "conditions of deadlines",
        Has(|one| {
            asks(one, |call| {
                ["PTTL", "TTL", "PEXPIRETIME", "EXPIRETIME"].contains(&call[0].as_str())
            })
        }),
    ),
    ("conditions of pauses", Has(|one| asks(one, |call| call[0].ends_with("paused")))),
    ("conditions of tables", Has(|one| asks(one, |call| call[0] == "sql"))),
    (
        "ready-made conditions",
        Has(|one| {
            let texts = READY.iter().filter_map(|ready| ready.check(Some("x"), Some("n")));
            let texts: Vec<String> = texts.collect();
            one.properties.iter().any(|it| texts.contains(&it.expression()))
        }),
    ),
    ("conditions of a resource", Has(|one| asks(one, |call| call[0] == "resource"))),
    ("conditions of orders", Has(|one| asks(one, is_in_order))),
    // Calls of programs.
    ("several databases", Calls(|call| ["SELECT", "SWAPDB", "MOVE"].contains(&call[0].as_str()))),
    ("WATCH", Calls(|call| call[0] == "WATCH")),
    ("MULTI", Calls(|call| call[0] == "MULTI")),
    ("EVAL", Calls(|call| call[0].starts_with("EVAL"))),
    ("FCALL", Calls(|call| call[0].starts_with("FCALL"))),
    ("blocking on lists", Calls(|call| is_blocking(call, Group::List))),
    ("blocking on sorted sets", Calls(|call| is_blocking(call, Group::SortedSet))),
    ("blocking on streams", Calls(|call| call[0].starts_with("XREAD") && has(call, "BLOCK"))),
    ("WAIT", Calls(|call| call[0] == "WAIT")),
    ("consumer groups", Calls(|call| call[0] == "XREADGROUP")),
    ("claims", Calls(|call| ["XCLAIM", "XAUTOCLAIM"].contains(&call[0].as_str()))),
    ("groups that change", Calls(|call| call[0] == "XGROUP")),
    ("lifetimes", Calls(|call| ["PX", "EX", "PXAT", "EXAT"].iter().any(|word| has(call, word)))),
    ("EXPIRE NX", Calls(|call| is_expire(call, "NX"))),
    ("EXPIRE XX", Calls(|call| is_expire(call, "XX"))),
    ("EXPIRE GT", Calls(|call| is_expire(call, "GT"))),
    ("EXPIRE LT", Calls(|call| is_expire(call, "LT"))),
    ("EXPIREAT", Calls(|call| call[0].ends_with("EXPIREAT"))),
    (
        "fields with a deadline",
        Calls(|call| ["HEXPIRE", "HPEXPIRE", "HSETEX", "HGETEX"].contains(&call[0].as_str())),
    ),
    ("SET KEEPTTL", Calls(|call| call[0] == "SET" && has(call, "KEEPTTL"))),
    ("SET GET", Calls(|call| call[0] == "SET" && has(call, "GET"))),
    ("SET IFEQ", Calls(|call| call[0] == "SET" && has(call, "IFEQ"))),
    ("DELEX", Calls(|call| call[0] == "DELEX")),
    (
        "ZADD with conditions",
        Calls(|call| {
            call[0] == "ZADD" && ["NX", "XX", "GT", "LT"].iter().any(|word| has(call, word))
        }),
    ),
    ("orders of sets and hashes", Calls(is_in_order)),
    ("SORT", Calls(|call| call[0].starts_with("SORT"))),
    ("cursors", Calls(|call| call[0].ends_with("SCAN"))),
    ("numbers with a point", Calls(|call| call[0].ends_with("INCRBYFLOAT"))),
    ("DUMP and RESTORE", Calls(|call| call[0] == "RESTORE")),
    ("the clock of Redis", Calls(|call| call[0] == "TIME")),
    ("idle times", Calls(|call| call[0] == "OBJECT" && has(call, "IDLETIME"))),
    ("CLIENT TRACKING", Calls(|call| is_sub(call, "CLIENT", "TRACKING"))),
    ("CLIENT PAUSE", Calls(|call| is_sub(call, "CLIENT", "PAUSE"))),
    ("CLIENT KILL", Calls(|call| is_sub(call, "CLIENT", "KILL"))),
    ("CLIENT REPLY", Calls(|call| is_sub(call, "CLIENT", "REPLY"))),
    ("CLIENT UNBLOCK", Calls(|call| is_sub(call, "CLIENT", "UNBLOCK"))),
    ("CLIENT LIST", Calls(|call| is_sub(call, "CLIENT", "LIST"))),
    ("CONFIG SET", Calls(|call| is_sub(call, "CONFIG", "SET"))),
    ("RESP3", Calls(|call| call[0] == "HELLO" && has(call, "3"))),
    ("RESET", Calls(|call| call[0] == "RESET")),
    (
        "keyspace events",
        Calls(|call| {
            call[0].ends_with("SUBSCRIBE") && call.iter().any(|word| word.starts_with("__KEY"))
        }),
    ),
    ("messages", Calls(|call| call[0] == "receive")),
    ("another connection", Text(|call| call[0] == "connect")),
    ("shared connection", Text(|call| call[0] == "shared")),
    ("shared connection with a timeout", Text(|call| call[0] == "timeout_ms")),
    ("close", Calls(|call| call[0] == "close")),
    ("variables of a process", Text(|call| call[0] == "process")),
    ("mutex", Calls(|call| call[0] == "synchronized")),
    ("resource", Calls(|call| call[0] == "write")),
    ("SQL", Calls(|call| call[0] == "sql")),
    (
        "SQL transaction",
        Calls(|call| call[0] == "sql" && (has(call, "BEGIN") || has(call, "START TRANSACTION"))),
    ),
    ("SQL lock", Calls(|call| call[0] == "sql" && call[1].contains("FOR UPDATE"))),
    ("sleep", Text(|call| call[0] == "sleep")),
    ("the client's clock", Text(|call| call[0] == "now")),
    ("coroutine", Text(|call| call[0] == "wrap")),
    ("metatable", Text(|call| call[0] == "setmetatable")),
    ("text that becomes a program", Text(|call| call[0] == "loadstring")),
    ("environment", Text(|call| call[0] == "setfenv")),
    ("call in a callback", Text(|call| call[0] == "gsub" || call[0] == "sort")),
    ("string.format", Text(|call| call[0] == "format")),
    ("math.random", Text(|call| call[0] == "random")),
];

/// Returns the sizes of the groups of clients that run one program.
fn groups(one: &Scenario) -> impl Iterator<Item = usize> {
    let firsts = one.clients.iter().enumerate().filter(|(at, client)| {
        !one.clients[..*at].iter().any(|other| Rc::ptr_eq(&other.program, &client.program))
    });
    let same = |(_, client): (usize, &crate::sim::ClientDef)| {
        one.clients.iter().filter(|other| Rc::ptr_eq(&other.program, &client.program)).count()
    };
    firsts.map(same)
}

/// Returns the processes with a name, and the number of their clients.
fn processes(one: &Scenario) -> Vec<(&str, usize)> {
    let mut all: Vec<(&str, usize)> = Vec::new();
    for name in one.clients.iter().filter_map(|client| client.process.as_deref()) {
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, many)) => *many += 1,
            None => all.push((name, 1)),
        }
    }
    all
}

fn versions(one: &Scenario, is: fn(Version) -> bool) -> bool {
    one.nodes.iter().any(|NodeDef { version, .. }| version.is_some_and(is))
}

fn kinds_of_faults(mut faults: Faults) -> usize {
    (0..Faults::NAMES.len()).filter(|kind| *faults.left_mut(*kind) > 0).count()
}

fn again(client: &Client) -> bool {
    matches!(client.call(), Some(Call { kind: CallKind::Again, .. }))
}

fn calls(world: &World, is: fn(&Client) -> bool) -> bool {
    world.clients().iter().any(|client| is(client))
}

fn asks(one: &Scenario, is: fn(&[String]) -> bool) -> bool {
    one.properties.iter().any(|it| calls_in(&it.expression()).iter().any(|call| is(call)))
}

/// Returns the command that is called.
fn is_command(call: &[String]) -> Option<&'static Command> {
    let is_loud = call[0].starts_with(|c: char| c.is_ascii_uppercase());
    lookup(call[0].as_bytes()).filter(|_| is_loud)
}

fn has(call: &[String], word: &str) -> bool {
    call.iter().skip(1).any(|other| other == word)
}

fn is_sub(call: &[String], name: &str, sub: &str) -> bool {
    call[0] == name && call.get(1).is_some_and(|word| word == sub)
}

fn is_expire(call: &[String], flag: &str) -> bool {
    ["EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT"].contains(&call[0].as_str()) && has(call, flag)
}

fn is_blocking(call: &[String], group: Group) -> bool {
    is_command(call).is_some_and(|command| {
        command.group == group && command.flags.names().any(|flag| flag == "blocking")
    })
}

/// Returns true for a command whose reply lists a set or a hash in an order that is Redis's own.
fn is_in_order(call: &[String]) -> bool {
    ["SMEMBERS", "SINTER", "SUNION", "SDIFF", "HGETALL", "HKEYS", "HVALS"]
        .contains(&call[0].as_str())
}

/// Returns the calls in a text of Lua, with those in its strings. A field `shared` or `timeout_ms`
/// of a connection and a variable of a process are calls with no argument.
fn calls_in(text: &str) -> Vec<Words> {
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let from = at;
        while at < bytes.len() && is_name(bytes[at]) {
            at += 1;
        }
        let name = &text[from..at];
        if name.is_empty() {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let is_method = from > 0 && matches!(bytes[from - 1], b'.' | b':');
        match (name, bytes.get(at)) {
            ("shared" | "timeout_ms" | "process", _) => all.push(vec![name.to_owned()]),
            ("call" | "pcall", Some(b'(')) if is_method => all.push(arguments(&text[at + 1..])),
            ("pcall", Some(b'(')) if text[at..].starts_with("(sql,") => {
                let words = arguments(&text[at + 5..]);
                all.push([vec!["sql".to_owned()], words].concat());
            }
            (_, Some(b'(')) => {
                let words = arguments(&text[at + 1..]);
                all.push([vec![name.to_owned()], words].concat());
            }
            _ => {}
        }
    }
    all.retain(|call| !call[0].is_empty());
    all
}

/// Returns the arguments at the beginning of a text, up to the parenthesis that ends them.
fn arguments(text: &str) -> Words {
    let mut all = Vec::new();
    let mut word = String::new();
    let (mut depth, mut quote, mut is_long) = (0, None, false);
    let mut chars = text.trim_start().char_indices().peekable();
    while let Some((_, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        match (c, quote) {
            (']', None) if is_long && next == Some(']') => is_long = false,
            _ if is_long => {}
            ('[', None) if next == Some('[') => is_long = true,
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (_, Some(_)) => {}
            (')' | '}' | ']', None) if depth == 0 => break,
            (')' | '}' | ']', None) => depth -= 1,
            ('(' | '{' | '[', None) => depth += 1,
            (',', None) if depth == 0 => {
                all.push(std::mem::take(&mut word));
                continue;
            }
            _ => {}
        }
        word.push(c);
    }
    all.push(word);
    all.iter().map(|word| constant(word.trim())).collect()
}

/// Returns what a constant says, in upper case; nothing for another expression.
fn constant(text: &str) -> String {
    let inner = text.strip_prefix(['\'', '"']).and_then(|rest| rest.strip_suffix(['\'', '"']));
    match inner {
        Some(inner) if !inner.contains(['\'', '"', '\\']) => inner.to_ascii_uppercase(),
        None if text.parse::<f64>().is_ok() => text.to_owned(),
        _ => String::new(),
    }
}

/// Returns the call that a client makes, if a table of features may tell it.
fn pending(client: &Client) -> Option<Words> {
    let host = |name: &str| Some(vec![name.to_owned()]);
    let (State::Ready(call) | State::Sent(call) | State::Blocked(call)) = client.state() else {
        return None;
    };
    match &call.kind {
        CallKind::Redis { argv, .. } => {
            let word = |word: &[u8]| String::from_utf8_lossy(word).to_ascii_uppercase();
            Some(argv.iter().map(|one| word(one)).collect())
        }
        CallKind::Receive { .. } => host("receive"),
        CallKind::Close { .. } => host("close"),
        CallKind::Resource { .. } => host("write"),
        CallKind::Lock { .. } => host("synchronized"),
        CallKind::Sql(statement) => {
            Some(vec!["sql".to_owned(), statement.to_string().to_ascii_uppercase()])
        }
        CallKind::Variable(_) | CallKind::Again | CallKind::Wake(_) => None,
    }
}

/// In how many programs a feature was drawn, and in how many it was met.
#[derive(Debug, Clone, Copy, Default)]
struct Times {
    drawn: u64,
    /// `None` if no step tells it.
    met: Option<u64>,
}

/// The table of a run.
#[derive(Debug)]
pub struct Table {
    programs: u64,
    /// By [`GROUPS`], then by [`ROWS`].
    rows: Vec<Times>,
    /// The names of the commands that were drawn.
    commands: BTreeSet<&'static str>,
}

impl Table {
    pub fn new() -> Table {
        let tells = |(_, told): &(_, Told)| !matches!(told, Has(_) | Text(_));
        let met = std::iter::repeat_n(true, GROUPS.len()).chain(ROWS.iter().map(tells));
        let rows = met.map(|met| Times { drawn: 0, met: met.then_some(0) }).collect();
        Table { programs: 0, rows, commands: BTreeSet::new() }
    }

    /// Counts a program, with the worlds that the oracle has visited and the packed search's tick.
    pub fn add(&mut self, scenario: &Scenario, oracle: &Oracle, tick_ms: u32) {
        self.programs += 1;
        let text = |client: &crate::sim::ClientDef| {
            calls_in(&String::from_utf8_lossy(client.program.source()))
        };
        let drawn: BTreeSet<Words> = scenario.clients.iter().flat_map(text).collect();
        let worlds = oracle.worlds();
        let clients = || worlds.iter().flat_map(World::clients);
        let met: BTreeSet<Words> = clients().filter_map(|client| pending(client)).collect();
        let happened = |is: fn(&Action) -> bool| oracle.actions().iter().any(is);
        let any =
            |calls: &BTreeSet<Words>, is: fn(&[String]) -> bool| calls.iter().any(|call| is(call));
        for (row, group) in self.rows.iter_mut().zip(GROUPS) {
            let is_one = |call: &Words| is_command(call).is_some_and(|one| one.group == group);
            let is_met = met.iter().any(is_one);
            row.count(is_met || drawn.iter().any(is_one), is_met);
        }
        for (row, (_, told)) in self.rows[GROUPS.len()..].iter_mut().zip(ROWS) {
            let (is_drawn, is_met) = match *told {
                Calls(is) => (any(&drawn, is), any(&met, is)),
                Text(is) => (any(&drawn, is), false),
                Has(is) => (is(scenario), false),
                Told::Action(may, is) => (may(scenario), may(scenario) && happened(is)),
                Worlds(may, is) => (may(scenario), may(scenario) && worlds.iter().any(is)),
                Told::Step(is) => (false, happened(is)),
                Told::Moment(is) => (false, worlds.iter().any(is)),
                Told::Tick(is) => (is(tick_ms), is(tick_ms)),
            };
            row.count(is_drawn || is_met, is_met);
        }
        for call in drawn.iter().chain(&met) {
            let Some(command) = is_command(call) else { continue };
            let name = |sub: &String| format!("{}|{}", command.name, sub.to_ascii_lowercase());
            let sub = call.get(1).filter(|_| command.is_container);
            let sub = sub.and_then(|sub| lookup(name(sub).as_bytes()));
            self.commands.insert(sub.unwrap_or(command).name);
        }
    }

    /// Returns the features that no program has.
    #[cfg(test)]
    pub fn holes(&self) -> Vec<&'static str> {
        let names = GROUPS.iter().map(|group| group.name()).chain(ROWS.iter().map(|row| row.0));
        names.zip(&self.rows).filter(|(_, row)| row.drawn == 0).map(|(name, _)| name).collect()
    }
}

impl Times {
    fn count(&mut self, is_drawn: bool, is_met: bool) {
        self.drawn += u64::from(is_drawn);
        self.met = self.met.map(|met| met + u64::from(is_met));
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:34}{:>8}{:>8}  of {} programs", "", "drawn", "met", self.programs)?;
        let mut line = |name: &str, times: &Times, more: &str| {
            let met = times.met.map_or("–".to_owned(), |met| met.to_string());
            let more = if times.drawn == 0 { "never" } else { more };
            let line = format!("{name:34}{:>8}{met:>8}  {more}", times.drawn);
            writeln!(f, "{}", line.trim_end())
        };
        for (group, times) in GROUPS.iter().zip(&self.rows) {
            let all = commands().iter().filter(|one| one.group == *group && !one.is_container);
            let missing = all.clone().filter(|one| !self.commands.contains(one.name));
            let missing: Vec<&str> = missing.map(|one| one.name).collect();
            let all = all.count();
            let more = match missing.as_slice() {
                [] => format!("{all} of {all} commands"),
                _ => format!("{} of {all} commands", all - missing.len()),
            };
            line(&format!("commands: {}", group.name()), times, &more)?;
        }
        ROWS.iter()
            .zip(&self.rows[GROUPS.len()..])
            .try_for_each(|((name, _), times)| line(name, times, ""))?;
        let has = |command: &&Command| GROUPS.contains(&command.group) && !command.is_container;
        let missing = commands().iter().filter(has);
        let missing = missing.map(|one| one.name).filter(|name| !self.commands.contains(name));
        let missing: Vec<&str> = missing.collect();
        write!(f, "commands that no program has: {}", missing.join(" "))
    }
}
