//! One client: a Lua program, the connection it talks through, and where it stands.
//!
//! `redis.call` pauses the program; answering it is one step of the world. Everything the program
//! does between two calls runs at once, as part of the step before. `now`, `uuid` and `log` are
//! answered on the spot, `sleep` parks the client until the clock has moved.

use std::rc::Rc;

use crate::engine::{self, ConnId};
use crate::lua::{Chunk, Data, Failure, Limits, Pause, Profile, ProfileKind, Trace, Vm};
use crate::resp::{Bytes, Proto, Value};

use super::FUEL_PER_STEP;

/// What a client program may call outside itself; the positions are those of [`Host`].
static PROFILE: Profile = Profile {
    host: &["redis.call", "redis.pcall", "sleep", "now", "uuid", "log"],
    kind: ProfileKind::Client,
};

const CALL: usize = 0;
const PCALL: usize = 1;
const SLEEP: usize = 2;
const NOW: usize = 3;
const UUID: usize = 4;

/// The longest `sleep`, in ms: a day.
const SLEEP_MS_MAX: f64 = 86_400_000.0;

/// A command that a program is about to send or has sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Call {
    pub argv: Rc<[Bytes]>,
    /// The program's line of the call, from 1.
    pub line: u32,
    /// `redis.pcall`: an error reply comes back as a table instead of being raised.
    protected: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum State {
    /// Stands before this call; it goes out when the client is stepped.
    Ready(Call),
    /// The call is out and Redis holds the reply back (a blocking command).
    Blocked(Call),
    Sleeping {
        until_ms: u64,
    },
    Done,
    /// Stopped with an uncaught error; the message is Lua's.
    Failed(Rc<str>),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Client {
    vm: Vm,
    conn: ConnId,
    index: u32,
    uuids: u32,
    state: State,
}

impl Client {
    /// A client at the first line of its program; [`Client::run`] takes it to its first call.
    pub(super) fn new(chunk: &Rc<Chunk>, conn: ConnId, index: u32) -> Client {
        let vm = Vm::new(chunk, &PROFILE, Limits::default());
        Client { vm, conn, index, uuids: 0, state: State::Done }
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn conn(&self) -> ConnId {
        self.conn
    }

    /// The program as it stands: its line, frames, locals and globals.
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// A global of the program, for properties (`sold`, `holding`).
    pub fn global(&self, name: &str) -> Data {
        self.vm.global(name)
    }

    /// The call it stands before, where it can be stepped.
    pub fn ready(&self) -> Option<&Call> {
        match &self.state {
            State::Ready(call) => Some(call),
            _ => None,
        }
    }

    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Done | State::Failed(_))
    }

    pub(super) fn block(&mut self, call: Call) {
        self.state = State::Blocked(call);
    }

    /// Hands over the reply to `call` and runs on to the next pause.
    pub(super) fn reply(&mut self, call: &Call, reply: &Value, now_ms: u64, trace: &mut Trace) {
        let data = engine::reply_to_lua(reply, Proto::Resp2);
        let answer = match data {
            error if reply.is_error() && !call.protected => Err(error),
            data => Ok(vec![data]),
        };
        self.vm.answer(answer);
        self.run(now_ms, trace);
    }

    pub(super) fn wake(&mut self, now_ms: u64, trace: &mut Trace) {
        self.vm.answer(Ok(vec![]));
        self.run(now_ms, trace);
    }

    /// Runs the program to its next call, sleep, end or error.
    pub(super) fn run(&mut self, now_ms: u64, trace: &mut Trace) {
        let mut fuel = FUEL_PER_STEP;
        loop {
            let pause = self.vm.run(&mut fuel, Some(trace));
            match pause {
                Pause::Call { host, args } => match self.host_call(host, args, now_ms) {
                    HostAnswer::Now(answer) => self.vm.answer(answer),
                    HostAnswer::Wait(state) => return self.state = state,
                },
                Pause::Done(_) => return self.state = State::Done,
                Pause::Failed(failure) => {
                    return self.state = State::Failed(words(&failure).into());
                }
                Pause::OutOfFuel => {
                    let line = self.vm.line().unwrap_or_default();
                    let message = format!(
                        "line {line}: {FUEL_PER_STEP} instructions without a call: an endless loop?"
                    );
                    return self.state = State::Failed(message.into());
                }
            }
        }
    }

    fn host_call(&mut self, host: usize, args: Vec<Data>, now_ms: u64) -> HostAnswer {
        match host {
            CALL | PCALL => match to_argv(&args) {
                Ok(argv) => HostAnswer::Wait(State::Ready(Call {
                    argv: argv.into(),
                    line: self.vm.line().unwrap_or_default(),
                    protected: host == PCALL,
                })),
                Err(error) => HostAnswer::Now(Err(error)),
            },
            SLEEP => match args.first() {
                // The comparison is false for NaN too.
                Some(Data::Num(ms)) if *ms >= 0.0 && *ms <= SLEEP_MS_MAX => {
                    HostAnswer::Wait(State::Sleeping { until_ms: now_ms + ms.ceil() as u64 })
                }
                _ => HostAnswer::Now(Err(text(&format!(
                    "sleep(ms) takes a number of milliseconds from 0 to {SLEEP_MS_MAX}"
                )))),
            },
            NOW => HostAnswer::Now(Ok(vec![Data::Num(now_ms as f64)])),
            UUID => {
                self.uuids += 1;
                let letter = char::from(b'a' + (self.index % 26) as u8);
                HostAnswer::Now(Ok(vec![text(&format!("{letter}-{}", self.uuids))]))
            }
            // log(): the trace already shows the line; nothing else keeps it yet.
            _ => HostAnswer::Now(Ok(vec![])),
        }
    }
}

/// An uncaught error in words. Redis's errors are tables with the text in `err`; Lua's own already
/// name their place.
fn words(failure: &Failure) -> String {
    let Data::Table(fields) = &failure.value else {
        return String::from_utf8_lossy(&failure.message).into_owned();
    };
    let err = fields.iter().find(|(name, _)| matches!(name, Data::Str(name) if **name == *b"err"));
    let text = match err {
        Some((_, Data::Str(text))) => String::from_utf8_lossy(text).into_owned(),
        _ => failure.value.short(),
    };
    match failure.line {
        Some(line) => format!("line {line}: {text}"),
        None => text,
    }
}

enum HostAnswer {
    Now(Result<Vec<Data>, Data>),
    Wait(State),
}

/// Arguments of `redis.call` as a command's words; the error is what the call raises, in the words
/// of Redis's own scripts.
pub(super) fn to_argv(args: &[Data]) -> Result<Vec<Bytes>, Data> {
    if args.is_empty() {
        let message = b"ERR Please specify at least one argument for this redis lib call";
        return Err(engine::error_table(message));
    }
    let words: Option<Vec<Bytes>> = args.iter().map(engine::argument).collect();
    let message = b"ERR Lua redis lib command arguments must be strings or integers";
    words.ok_or_else(|| engine::error_table(message))
}

fn text(message: &str) -> Data {
    Data::Str(message.as_bytes().into())
}
