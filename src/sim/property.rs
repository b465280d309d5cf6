//! What a lesson claims about its runs, as conditions on a world.
//!
//! A condition is a Lua expression over the world: `redis.call(...)` with reading commands,
//! `number(key)` for a counter, `done("A")`, `all_done()`, and the programs' globals through
//! `global("A", "sold")`, `sum("sold")` and `count("holding")`. It sees a copy of the instance, so
//! it cannot change what it judges; a writing command in it is an error.

use std::rc::Rc;

use crate::engine::{self, Instance, Outcome};
use crate::lua::{self, Chunk, Data, Limits, Pause, Profile, ProfileKind, SyntaxError, Vm};
use crate::resp::{Bytes, Proto};

use super::client::to_argv;
use super::world::{ClientId, World};

static PROFILE: Profile = Profile {
    host: &["redis.call", "number", "done", "all_done", "global", "sum", "count"],
    kind: ProfileKind::Client,
};

/// Lua instructions one evaluation may use.
const FUEL: u64 = 100_000;

/// When a condition has to be true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// In every state of every run.
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
}

impl Property {
    /// `expression` is a Lua expression; `name` stands in error messages.
    pub fn new(kind: Kind, expression: &str, name: &str) -> Result<Property, SyntaxError> {
        let source = format!("return {expression}");
        Ok(Property { kind, chunk: lua::compile(source.as_bytes(), name)? })
    }

    /// Is the condition true in `world`? The error is a mistake of the author, in words.
    pub fn holds(&self, world: &World) -> Result<bool, String> {
        let mut vm = Vm::new(&self.chunk, &PROFILE, Limits::default());
        let mut view = Observer { world, redis: None };
        let mut fuel = FUEL;
        loop {
            match vm.run(&mut fuel, None) {
                Pause::Call { host, args } => {
                    let answer = view.answer(PROFILE.host[host], &args);
                    vm.answer(answer.map(|data| vec![data]).map_err(|why| text(&why)));
                }
                Pause::Done(values) => {
                    return Ok(values.first().is_some_and(truthy));
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

/// Answers the questions of one evaluation.
struct Observer<'w> {
    world: &'w World,
    /// A copy to read from, made at the first command.
    redis: Option<(Instance, engine::ConnId)>,
}

impl Observer<'_> {
    fn answer(&mut self, function: &str, args: &[Data]) -> Result<Data, String> {
        let world = self.world;
        match function {
            "redis.call" => self.read(to_argv(args).map_err(|error| error.short())?),
            "number" => {
                let argv = [b"GET".as_slice().into(), name(args, 0, "number(key)")?];
                let value = match self.read(argv.to_vec())? {
                    Data::Str(digits) => {
                        std::str::from_utf8(&digits).ok().and_then(|s| s.parse().ok())
                    }
                    _ => None,
                };
                Ok(value.map_or(Data::Nil, Data::Num))
            }
            "done" => {
                let id = client(world, args, "done(client)")?;
                Ok(Data::Bool(world.client(id).is_some_and(|client| client.is_over())))
            }
            "all_done" => Ok(Data::Bool(world.all_over())),
            "global" => {
                let usage = "global(client, name)";
                let id = client(world, args, usage)?;
                let name = string(args, 1, usage)?;
                Ok(world.client(id).map_or(Data::Nil, |client| client.global(&name)))
            }
            "sum" => {
                let name = string(args, 0, "sum(name)")?;
                let values = world.clients().iter().map(|client| client.global(&name));
                Ok(Data::Num(values.map(|v| if let Data::Num(n) = v { n } else { 0.0 }).sum()))
            }
            _ => {
                let name = string(args, 0, "count(name)")?;
                let values = world.clients().iter().map(|client| client.global(&name));
                Ok(Data::Num(values.filter(truthy).count() as f64))
            }
        }
    }

    fn read(&mut self, argv: Vec<Bytes>) -> Result<Data, String> {
        let shown = || argv.first().map(|name| String::from_utf8_lossy(name).to_uppercase());
        let command = argv.first().and_then(|name| engine::lookup(name));
        if command.is_none_or(|command| !command.flags.has(engine::Flags::READONLY)) {
            let shown = shown().unwrap_or_default();
            return Err(format!("a property may only read: {shown} is not a reading command"));
        }
        let (redis, conn) = self.redis.get_or_insert_with(|| {
            let mut copy = self.world.redis().clone();
            let conn = copy.connect();
            (copy, conn)
        });
        match redis.execute(*conn, &argv, self.world.now_ms()) {
            Outcome::Reply(reply) if reply.is_error() => Err(reply.to_cli_short()),
            Outcome::Reply(reply) => Ok(engine::reply_to_lua(&reply, Proto::Resp2)),
            _ => Err(format!("{} does not answer at once", shown().unwrap_or_default())),
        }
    }
}

fn truthy(data: &Data) -> bool {
    !matches!(data, Data::Nil | Data::Bool(false))
}

fn name(args: &[Data], at: usize, usage: &str) -> Result<Bytes, String> {
    match args.get(at) {
        Some(Data::Str(name)) => Ok(name.clone()),
        _ => Err(format!("{usage}: a string is missing")),
    }
}

fn string(args: &[Data], at: usize, usage: &str) -> Result<String, String> {
    name(args, at, usage).map(|name| String::from_utf8_lossy(&name).into_owned())
}

fn client(world: &World, args: &[Data], usage: &str) -> Result<ClientId, String> {
    let letter = string(args, 0, usage)?;
    let mut chars = letter.chars();
    let id = chars.next().and_then(ClientId::from_letter).filter(|_| chars.next().is_none());
    id.filter(|id| world.client(*id).is_some())
        .ok_or_else(|| format!("{usage}: there is no client \"{letter}\""))
}

fn text(message: &str) -> Data {
    Data::Str(message.as_bytes().into())
}
