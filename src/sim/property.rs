//! Properties: what a lesson claims about its runs, as conditions on a state.
//!
//! A condition is a Lua expression. It may ask:
//!
//! - `redis.call(...)` with reading commands, `number(key)` for a counter; of another instance than
//!   the default one `on("r1"):call(...)` and `on("r1"):number(key)`;
//! - `done("A")` (it ended well: neither by an error nor by a crash), `failed("A")` (by an error),
//!   `crashed("A")`, `over("A")` (in one of these ways), `error("A")` (the message of its error, or
//!   nil), `paused("A")`, `was_paused("A")` (by now), `count_done()`, `all_over()`;
//! - `all_done()`: no client has anything left to do. Each has ended well or has crashed; one that
//!   ended by an error keeps it false;
//! - `no_errors()`: no program ended with an error; `no_errors{B = "WRONGTYPE"}`: but B may, with
//!   a message that has this text in it. It is asked of every scenario, see
//!   [`Property::no_errors`];
//! - the programs' globals: `global("A", name)`; `sum(name)` of the numbers of all clients;
//!   `count(name)`, how many living or finished clients have it neither nil nor false: one that has
//!   crashed holds nothing any more; `each(name)`, a table from letter to value;
//! - `sql(select, ...)`, a list of rows; `resource(name)`, a table with `value`, `token` (the
//!   highest seen) and `writes`, a list of `{client, value, token}`.
//!
//! It sees copies, so it cannot change what it judges; a writing command in it is an error.

use std::rc::Rc;

use crate::engine;
use crate::lua::{self, Chunk, Data, Limits, Pause, Profile, ProfileKind, SyntaxError, Vm};
use crate::resp::Proto;

use super::action::{Action, ClientId, NodeId};
use super::client::State;
use super::facts::{Facts, Fate};
use super::host::to_argv;
use super::missing;
use super::scenario::Scenario;
use super::sql::Prepared;
use super::world::World;

static PROFILE: Profile = Profile {
    host: &[
        "redis.call",
        "number",
        "done",
        "all_done",
        "global",
        "sum",
        "count",
        "on",
        ":call",
        ":number",
        "failed",
        "crashed",
        "paused",
        "count_done",
        "each",
        "sql",
        "over",
        "all_over",
        "error",
        "no_errors",
        "was_paused",
        "resource",
    ],
    kind: ProfileKind::Client,
};

/// The indices of the methods of `on(...)`.
const ON_CALL: u16 = 8;
const ON_NUMBER: u16 = 9;

/// The most Lua instructions of one evaluation.
const FUEL: u64 = 100_000;

/// The answer of a paused instance to a condition.
pub(super) const HELD_BACK: &str = "PAUSED no command is answered while CLIENT PAUSE lasts";
/// Texts of errors by which an instance says that it answers no client.
const NOBODY_IS_ANSWERED: [&str; 2] = [HELD_BACK, "BUSY Redis is busy running a script"];

/// A function that answers the questions of a condition: takes a function's name and arguments.
type Answers<'a> = dyn FnMut(&str, &[Data]) -> Result<Data, String> + 'a;

/// Functions by which conditions ask whether clients have come to their ends.
pub(super) const ENDS: [&str; 4] = ["done", "over", "all_done", "all_over"];

/// The most questions about ends of a condition for which [`Property::says_nothing`] is computed.
const ENDS_ASKED_MAX: usize = 12;

/// A global that a condition asks for and that never has a value: of this client, or of any client.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unset {
    pub client: Option<ClientId>,
    pub name: String,
}

impl Unset {
    /// Returns the global that a question is about, if it is about one.
    pub(super) fn of(function: &str, args: &[Data]) -> Option<Unset> {
        let text = |at: usize| string(args, at, "").ok();
        match function {
            "global" => {
                let client = ClientId::from_letter(text(0)?.chars().next()?)?;
                Some(Unset { client: Some(client), name: text(1)? })
            }
            "sum" | "count" | "each" => Some(Unset { client: None, name: text(0)? }),
            _ => None,
        }
    }

    /// Returns `holding`, or `A.holding`.
    pub fn words(&self) -> String {
        match self.client {
            Some(client) => format!("{}.{}", client.name(), self.name),
            None => self.name.clone(),
        }
    }
}

/// When a condition has to be true.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// In every state of every run.
    #[default]
    Always,
    /// In some state of some run.
    Sometimes,
    /// At some moment of every (fair) run.
    Eventually,
}

#[derive(Debug, Clone)]
pub struct Property {
    pub kind: Kind,
    chunk: Rc<Chunk>,
    is_no_errors: bool,
}

impl Property {
    /// Compiles `expression`, a Lua expression; `name` is used in error messages.
    pub fn new(kind: Kind, expression: &str, name: &str) -> Result<Property, SyntaxError> {
        if let Some(line) = missing::compared_with_nil(expression) {
            return Err(SyntaxError::new(name, line, missing::NEVER_NIL));
        }
        let source = format!("return {expression}");
        let chunk = lua::compile(source.as_bytes(), name)?;
        Ok(Property { kind, chunk, is_no_errors: false })
    }

    /// The property "no program ends with an error", except for the errors that clients `expect`:
    /// texts that the message contains.
    pub fn no_errors(expect: &[Option<String>]) -> Property {
        let expected = expect.iter().zip(0..).filter_map(|(text, at)| {
            let text = text.as_ref()?;
            Some(format!("{} = {}", ClientId(at).letter(), in_brackets(text)))
        });
        let expected: Vec<String> = expected.collect();
        let expression = match expected.is_empty() {
            true => "no_errors()".to_owned(),
            false => format!("no_errors{{{}}}", expected.join(", ")),
        };
        let property = Property::new(Kind::Always, &expression, "no errors");
        Property { is_no_errors: true, ..property.expect("letters, and texts in brackets") }
    }

    /// Puts its name before an error, unless Lua has done so.
    pub(super) fn named(&self, why: String) -> String {
        let name = format!("{}:", self.chunk.name());
        if why.starts_with(&name) { why } else { format!("{name} {why}") }
    }

    /// Returns true if it is [`Property::no_errors`].
    pub fn is_no_errors(&self) -> bool {
        self.is_no_errors
    }

    /// Returns the quoted strings in it: all globals that it names are among them.
    pub fn names(&self) -> Vec<String> {
        let text = self.expression();
        let quoted = text.split(['"', '\'']).enumerate().filter(|(at, _)| at % 2 == 1);
        quoted.map(|(_, name)| name.to_owned()).collect()
    }

    /// Returns true if the condition is true for all ends and pauses of clients, because everything
    /// else that it asks for are these globals, which never have a value.
    pub fn says_nothing(&self, unset: &[Unset]) -> bool {
        // Each run takes other answers to what is asked about ends; the last one that can still be
        // no becomes no.
        let mut answers: Vec<bool> = Vec::new();
        let mut rests = false;
        loop {
            let mut asked = 0;
            let value = self.run(&mut |function, args| {
                match function {
                    "global" | "sum" | "count" | "each" => {
                        rests = true;
                        if !Unset::of(function, args).is_some_and(|one| unset.contains(&one)) {
                            return Err("it has a value".into());
                        }
                        return Ok(match function {
                            "global" => Data::Nil,
                            "each" => Data::Table(Default::default()),
                            _ => Data::Num(0.0),
                        });
                    }
                    "done" | "over" | "failed" | "crashed" | "paused" | "was_paused"
                    | "all_done" | "all_over" => {}
                    _ => return Err("it says something".into()),
                }
                if asked == answers.len() {
                    answers.push(true);
                }
                asked += 1;
                Ok(Data::Bool(answers[asked - 1]))
            });
            if asked > ENDS_ASKED_MAX || !value.is_ok_and(|value| value.truthy()) {
                return false;
            }
            while answers.pop_if(|answer| !*answer).is_some() {}
            match answers.last_mut() {
                Some(last) => *last = false,
                None => return rests,
            }
        }
    }

    /// Returns true if the condition is true in `world` because ends have not come: it asked for
    /// nothing else.
    pub fn waits_for_ends(&self, world: &World) -> bool {
        let (mut asked, mut only_ends) = (false, true);
        let value = self.value_told(&mut world.facts(), &mut |function, _, answer| {
            asked = true;
            only_ends &= ENDS.contains(&function) && !answer.truthy();
        });
        asked && only_ends && value.is_ok_and(|value| value.truthy())
    }

    /// Returns the compiled condition.
    pub(super) fn chunk(&self) -> &Chunk {
        &self.chunk
    }

    /// Returns true if it can ask who was paused.
    pub(super) fn asks_who_was_paused(&self) -> bool {
        let read = self.chunk.globals_read();
        read.is_none_or(|read| read.iter().any(|name| **name == *b"was_paused"))
    }

    /// Returns the condition as it was written.
    pub fn expression(&self) -> String {
        let source = String::from_utf8_lossy(self.chunk.source());
        source.strip_prefix("return ").unwrap_or_default().to_owned()
    }

    /// Evaluates the condition. The error is a mistake of the author, in words.
    pub fn holds(&self, facts: &mut dyn Facts) -> Result<bool, String> {
        self.truth(self.value(facts))
    }

    /// Returns the truth of the expression's value. If an instance answers no client at the time
    /// (CLIENT PAUSE, a busy script), the condition is not asked: it neither breaks nor happens.
    pub(super) fn truth(&self, value: Result<Data, String>) -> Result<bool, String> {
        match value {
            Ok(value) => Ok(value.truthy()),
            Err(why) if NOBODY_IS_ANSWERED.iter().any(|text| why.contains(text)) => {
                Ok(self.kind == Kind::Always)
            }
            Err(why) => Err(why),
        }
    }

    /// Returns the value of the expression.
    pub fn value(&self, facts: &mut dyn Facts) -> Result<Data, String> {
        self.value_told(facts, &mut |_, _, _| {})
    }

    /// The same; calls `told` with each question, its arguments and the answer.
    pub(super) fn value_told(
        &self,
        facts: &mut dyn Facts,
        told: &mut dyn FnMut(&str, &[Data], &Data),
    ) -> Result<Data, String> {
        self.run(&mut |function, args| {
            let answer = answer(facts, function, args);
            if let Ok(answer) = &answer {
                told(function, args, answer);
            }
            answer
        })
    }

    /// Evaluates the expression with these answers to its questions.
    fn run(&self, answer: &mut Answers<'_>) -> Result<Data, String> {
        let mut vm = Vm::new(&self.chunk, &PROFILE, Limits::default());
        let mut fuel = FUEL;
        loop {
            match vm.run(&mut fuel, None) {
                Pause::Call { host, args } => {
                    let answer = answer(PROFILE.host[host], &args);
                    vm.answer(answer.map(|data| vec![data]).map_err(Data::str));
                }
                Pause::Done(values) => {
                    return Ok(values.into_iter().next().unwrap_or(Data::Nil));
                }
                Pause::Failed(failure) => {
                    return Err(String::from_utf8_lossy(&failure.message).into_owned());
                }
                Pause::OutOfFuel => {
                    return Err(format!("more than {FUEL} instructions: an endless loop?"));
                }
            }
        }
    }
}

/// Answers one question of a condition.
fn answer(facts: &mut dyn Facts, function: &str, args: &[Data]) -> Result<Data, String> {
    let default = NodeId(0);
    let fate_is = |facts: &dyn Facts, usage: &str, is: fn(Fate) -> bool| {
        Ok(Data::Bool(is(facts.fate(client(facts, args, usage)?))))
    };
    match function {
        "redis.call" => read(facts, default, args),
        "number" => number(facts, default, args.first()),
        "on" => {
            let name = string(args, 0, "on(instance)")?;
            let nodes = facts.nodes();
            if !nodes.contains(&name) {
                let known = nodes.join(", ");
                return Err(format!("on: there is no instance {name}; there are: {known}"));
            }
            Ok(super::host::object([
                ("name", Data::str(name)),
                ("call", Data::Host(ON_CALL)),
                ("number", Data::Host(ON_NUMBER)),
            ]))
        }
        ":call" => {
            let node = node(facts, args)?;
            read(facts, node, args.get(1..).unwrap_or_default())
        }
        ":number" => {
            let node = node(facts, args)?;
            number(facts, node, args.get(1))
        }
        "done" => fate_is(facts, "done(client)", |fate| fate == Fate::Done),
        "over" => fate_is(facts, "over(client)", |fate| fate != Fate::Alive),
        "failed" => fate_is(facts, "failed(client)", |fate| fate == Fate::Failed),
        "crashed" => fate_is(facts, "crashed(client)", |fate| fate == Fate::Crashed),
        "paused" => Ok(Data::Bool(facts.is_paused(client(facts, args, "paused(client)")?))),
        "was_paused" => {
            let usage = "was_paused(client)";
            let known = facts.was_paused(client(facts, args, usage)?);
            known.map(Data::Bool).ok_or_else(|| format!("{usage}: write its name as it stands"))
        }
        "all_done" => {
            let has_nothing_to_do = |id| matches!(facts.fate(id), Fate::Done | Fate::Crashed);
            Ok(Data::Bool(ids(facts).all(has_nothing_to_do)))
        }
        "count_done" => Ok(Data::Num(facts.done() as f64)),
        "all_over" => Ok(Data::Bool(ids(facts).all(|id| facts.fate(id) != Fate::Alive))),
        "error" => Ok(facts.error(client(facts, args, "error(client)")?)),
        "no_errors" => Ok(Data::Bool(ids(facts).all(|id| is_expected(facts, id, args.first())))),
        "global" => {
            let usage = "global(client, name)";
            let id = client(facts, args, usage)?;
            Ok(facts.global(id, &string(args, 1, usage)?))
        }
        "sum" => {
            let name = string(args, 0, "sum(name)")?;
            Ok(Data::Num(facts.sum(&name)))
        }
        "count" => {
            let name = string(args, 0, "count(name)")?;
            Ok(Data::Num(facts.count(&name) as f64))
        }
        "each" => {
            let name = string(args, 0, "each(name)")?;
            let value =
                |id: ClientId| (Data::str(id.letter().to_string()), facts.global(id, &name));
            let values = ids(facts).map(value).filter(|(_, value)| *value != Data::Nil);
            Ok(Data::Table(values.collect()))
        }
        "sql" => match args.first() {
            Some(Data::Str(text)) => {
                facts.select(&Prepared::new(text, &args[1..])?).map(|answer| answer.to_lua())
            }
            _ => Err("sql(statement, ...): the statement is missing".into()),
        },
        _ => Ok(resource(facts, &string(args, 0, "resource(name)")?)),
    }
}

/// Returns the text as a Lua string in long brackets: a string in quotation marks may be taken for
/// a global's name.
fn in_brackets(text: &str) -> String {
    let levels = (1..).map(|level| "=".repeat(level));
    let mut fitting = levels.filter(|level| !format!("{text}]").contains(&format!("]{level}]")));
    let level = fitting.next().unwrap_or_default();
    format!("[{level}[{text}]{level}]")
}

/// Returns the client whose program ended with an error that it does not expect, and the error.
pub fn unexpected_error(scenario: &Scenario, world: &World) -> Option<(ClientId, String)> {
    world.ids().zip(&scenario.clients).find_map(|(id, def)| match world.client(id)?.state() {
        State::Failed(message) => {
            let expected = def.expect_error.as_ref().is_some_and(|text| message.contains(text));
            (!expected).then(|| (id, message.to_string()))
        }
        _ => None,
    })
}

/// The same at the end of a run of the scenario.
pub fn error_after(scenario: &Scenario, run: &[Action]) -> Option<(ClientId, String)> {
    let (mut world, _) = World::start(scenario).ok()?;
    run.iter().try_for_each(|action| world.apply_unseen(*action)).ok()?;
    unexpected_error(scenario, &world)
}

/// Returns true for a *Zeno run*, which makes infinitely many steps before the next moment of a
/// clock: no time passes while it repeats forever, although something is due.
pub fn is_zeno(scenario: &Scenario, run: &[Action], cycle: &[Action]) -> bool {
    if cycle.is_empty() || cycle.iter().any(|action| action.is_time()) {
        return false;
    }
    let Ok((mut world, _)) = World::start(scenario) else { return false };
    let mut steps = run.iter().chain(cycle);
    let is_played = steps.all(|action| world.apply_unseen(*action).is_ok());
    is_played && world.next_deadline_ms().is_some()
}

/// Returns true if the client has no error, or the one that is `expected` of it.
fn is_expected(facts: &dyn Facts, id: ClientId, expected: Option<&Data>) -> bool {
    if facts.fate(id) != Fate::Failed {
        return true;
    }
    let text = expected.and_then(|expected| expected.get(&Data::str(id.letter().to_string())));
    match (text, facts.error(id)) {
        (Some(Data::Str(text)), Data::Str(message)) => {
            text.is_empty() || message.windows(text.len()).any(|part| part == &**text)
        }
        _ => false,
    }
}

fn ids(facts: &dyn Facts) -> impl Iterator<Item = ClientId> + use<> {
    (0..facts.clients() as u16).map(ClientId)
}

fn read(facts: &mut dyn Facts, node: NodeId, args: &[Data]) -> Result<Data, String> {
    let argv = to_argv(args).map_err(|error| error.short())?;
    let command = engine::row_of(&argv);
    let shown = || {
        let has_sub = command.is_some_and(|command| command.is_container || command.is_sub);
        let words = argv.iter().take(if has_sub { 2 } else { 1 });
        words.map(|word| crate::resp::lossy(word).to_uppercase()).collect::<Vec<_>>().join(" ")
    };
    if command.is_none_or(|command| !command.flags.has(engine::Flags::READONLY)) {
        return Err(format!("a property may only read: {} is not a reading command", shown()));
    }
    match facts.read(node, &argv) {
        Some(reply) if reply.is_error() => Err(reply.to_cli_short()),
        Some(reply) => Ok(engine::reply_to_lua(&reply, Proto::Resp2)),
        None => Err(format!("{} does not answer at once", shown())),
    }
}

/// Returns the number at a key; nil if there is none.
fn number(facts: &mut dyn Facts, node: NodeId, key: Option<&Data>) -> Result<Data, String> {
    let Some(key @ Data::Str(_)) = key else {
        return Err("number(key): a string is missing".into());
    };
    let value = match read(facts, node, &[Data::str("GET"), key.clone()])? {
        Data::Str(digits) => {
            let value = crate::resp::number::parse_double(&digits);
            // Two counters that differ would be told to be equal.
            let whole = std::str::from_utf8(&digits).ok().and_then(|text| text.parse::<i64>().ok());
            if whole.is_some_and(|whole| value.is_some_and(|value| value as i128 != whole.into())) {
                let digits = String::from_utf8_lossy(&digits);
                return Err(format!(
                    "number(key): Lua has no number {digits}; compare redis.call(\"GET\", key)"
                ));
            }
            value
        }
        _ => None,
    };
    Ok(value.map_or(Data::Nil, Data::Num))
}

/// Returns the instance that a method of `on(...)` was called on.
fn node(facts: &dyn Facts, args: &[Data]) -> Result<NodeId, String> {
    let name = args.first().and_then(|this| this.get(&Data::str("name")));
    let Some(Data::Str(name)) = name else {
        return Err("call it with a colon: on(\"r1\"):call(\"GET\", \"key\")".into());
    };
    let at = facts.nodes().iter().position(|node| node.as_bytes() == &**name);
    at.map(|at| NodeId(at as u8)).ok_or_else(|| "there is no such instance".into())
}

fn resource(facts: &dyn Facts, name: &str) -> Data {
    let resource = facts.resource(name.as_bytes()).unwrap_or_default();
    let token = |token: Option<i64>| token.map_or(Data::Nil, |token| Data::Num(token as f64));
    let writes = resource.writes.iter().map(|write| {
        super::host::object([
            ("client", Data::str(write.client.letter().to_string())),
            ("value", Data::Str(write.value.clone())),
            ("token", token(write.token)),
        ])
    });
    super::host::object([
        ("value", resource.value().map_or(Data::Nil, |value| Data::Str(value.clone()))),
        ("token", token(resource.highest_token)),
        ("writes", Data::list(writes)),
    ])
}

fn string(args: &[Data], at: usize, usage: &str) -> Result<String, String> {
    match args.get(at) {
        Some(Data::Str(name)) => Ok(String::from_utf8_lossy(name).into_owned()),
        _ => Err(format!("{usage}: a string is missing")),
    }
}

fn client(facts: &dyn Facts, args: &[Data], usage: &str) -> Result<ClientId, String> {
    let letter = string(args, 0, usage)?;
    let mut chars = letter.chars();
    let id = chars.next().and_then(ClientId::from_letter).filter(|_| chars.next().is_none());
    id.filter(|id| id.index() < facts.clients())
        .ok_or_else(|| format!("{usage}: there is no client \"{letter}\""))
}
