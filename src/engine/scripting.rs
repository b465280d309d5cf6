//! Running scripts: a Lua program that calls commands, until it is done or its budget is used up.
//!
//! A script runs inside the command that started it, so it is atomic. When it has used up its
//! budget of VM instructions the instance is *busy*: the script is part of the instance's state,
//! other connections get BUSY, SCRIPT KILL ends it, and [`Instance::continue_script`] continues it.
//! A script sees one time throughout, as in Redis.

use std::rc::Rc;

use super::command::{Command, Flags};
use super::context::{Ctx, Fail};
use super::dispatch::clean;
use super::script_values::{argument_in, error_table, reply_to_lua, to_reply};
use super::version::Version;
use super::{ConnId, Instance};
use ground::resp::{Bytes, Proto, Value};
use ground::sorted::SortedMap;
use lua::memo::{Told, Went};
use lua::{self, Chunk, Data, Failure, Pause, Profile, ProfileKind, Vm};

/// The functions of the table `redis` that need the instance; the Lua layer has the others.
static SCRIPT: Profile = Profile { host: &HOST, kind: ProfileKind::Script };

const HOST: [&str; 4] = ["redis.call", "redis.pcall", "redis.setresp", "redis.acl_check_cmd"];

/// The same for libraries of functions, in the same order.
static LIBRARY: Profile = Profile {
    host: &[
        "redis.call",
        "redis.pcall",
        "redis.setresp",
        "redis.acl_check_cmd",
        "redis.register_function",
        // Where a library waits for the next FCALL.
        "redis.__next",
    ],
    kind: ProfileKind::Script,
};

/// The first state of Redis's `math.random` (the seed of drand48).
const RANDOM_START: u64 = 0x1234_abcd_330e;

/// The cost of a command to a script, in VM instructions.
pub(super) const COMMAND_FUEL: u64 = 100;

thread_local! {
    /// Programs that know their version, by version and profile: cloned for each script.
    static PRISTINE: std::cell::RefCell<Vec<((Version, bool), Vm)>> = const {
        std::cell::RefCell::new(Vec::new())
    };
}

/// Returns a VM in which `chunk` is about to run: a script, or a library of functions.
pub fn new_vm(version: Version, chunk: &Rc<Chunk>, is_library: bool) -> Vm {
    let mut vm = PRISTINE.with_borrow_mut(|known| {
        let wanted = (version, is_library);
        if let Some((_, vm)) = known.iter().find(|(key, _)| *key == wanted) {
            return vm.clone();
        }
        let profile = if is_library { &LIBRARY } else { &SCRIPT };
        let mut vm = Vm::new(chunk, profile, lua::Limits::default());
        let mut tell = |product: &str, number: &str| {
            let parts = number.split('.').map(|part| part.parse().unwrap_or(0));
            let packed = parts.fold(0, |n: u32, part: u32| n << 8 | part);
            vm.set_field("redis", &format!("{product}_VERSION"), &Data::str(number));
            vm.set_field("redis", &format!("{product}_VERSION_NUM"), &Data::Num(packed.into()));
        };
        tell("REDIS", version.number());
        if let ("valkey", number) = version.product() {
            tell("VALKEY", number);
            vm.set_field("redis", "SERVER_NAME", &Data::str("valkey"));
            vm.alias("redis", "server");
        }
        known.push((wanted, vm.clone()));
        vm
    });
    vm.begin(chunk);
    vm
}

/// The flags declared by `#!lua flags=...` or by FUNCTION LOAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ScriptFlags {
    pub no_writes: bool,
    pub allow_oom: bool,
    pub allow_stale: bool,
    pub no_cluster: bool,
    pub allow_cross_slot_keys: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Script {
    pub chunk: Rc<Chunk>,
    pub flags: ScriptFlags,
}

/// The scripts by digest, and the libraries of functions by name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scripts {
    pub cache: SortedMap<Bytes, Rc<Script>>,
    pub libraries: SortedMap<Bytes, Rc<Library>>,
    /// The state of `math.random`, which all scripts share.
    pub random: u64,
}

impl Default for Scripts {
    fn default() -> Self {
        Scripts {
            cache: SortedMap::default(),
            libraries: SortedMap::default(),
            random: RANDOM_START,
        }
    }
}

/// A library of functions, waiting for a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Library {
    pub code: Bytes,
    pub functions: SortedMap<Bytes, Function>,
    pub vm: Vm,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Function {
    pub description: Option<Bytes>,
    pub flags: ScriptFlags,
}

/// The origin of a running program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Origin {
    Eval {
        sha: Bytes,
    },
    Function {
        library: Bytes,
        name: Bytes,
    },
    /// FUNCTION LOAD, which only registers.
    Load,
}

/// A running script.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Running {
    pub vm: Vm,
    pub conn: ConnId,
    pub origin: Origin,
    pub db: usize,
    /// The protocol chosen by `redis.setresp`.
    pub proto: Proto,
    pub read_only: bool,
    pub allow_oom: bool,
    pub has_written: bool,
    pub started_ms: u64,
    pub argv: Rc<[Bytes]>,
    pub registered: SortedMap<Bytes, Function>,
}

/// The value with which a script starts or resumes.
enum Given {
    Start,
    /// A command's reply, true if its error is raised, and the protocol that the script has chosen.
    Reply(Value, bool, Proto),
    Answer(Result<Vec<Data>, Data>),
}

impl Given {
    fn told(&self) -> Told<'_> {
        match self {
            Given::Start => Told::Start,
            Given::Reply(reply, raises, proto) => {
                Told::Reply(reply, u8::from(*raises) * 2 + u8::from(*proto == Proto::Resp3))
            }
            Given::Answer(answer) => Told::Data(answer),
        }
    }

    fn answer(&self) -> Option<Result<Vec<Data>, Data>> {
        match self {
            Given::Start => None,
            Given::Reply(Value::Error(text), true, _) => Some(Err(error_table(text))),
            Given::Reply(reply, _, proto) => Some(Ok(vec![reply_to_lua(reply, *proto)])),
            Given::Answer(answer) => Some(answer.clone()),
        }
    }
}

/// A view of a script that keeps the instance busy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptView {
    pub conn: ConnId,
    pub line: Option<u32>,
    pub has_written: bool,
}

impl Running {
    pub fn new(cx: &Ctx<'_>, vm: Vm, origin: Origin, argv: &[Bytes]) -> Running {
        Running {
            vm,
            conn: cx.conn,
            origin,
            db: cx.db,
            proto: Proto::Resp2,
            read_only: false,
            allow_oom: false,
            has_written: false,
            started_ms: cx.now_for_deadlines(),
            argv: argv.into(),
            registered: SortedMap::default(),
        }
    }

    /// Returns the error reply for an uncaught error.
    fn failure(&self, failure: &Failure) -> Value {
        let text = match &failure.value {
            Data::Table(_) => match failure.value.get(&Data::str("err")) {
                Some(Data::Str(text)) => text.to_vec(),
                _ => b"ERR unknown error".to_vec(),
            },
            // As `tostring` has it.
            Data::Nil => b"ERR nil".to_vec(),
            Data::Bool(is) => format!("ERR {is}").into_bytes(),
            _ => [b"ERR ", &failure.message[..]].concat(),
        };
        self.located(text, failure.line, failure.origin.as_deref())
    }

    /// Adds the script and the line to an error; `chunk` is where it happened, if not in the script
    /// itself.
    pub fn located(&self, mut text: Vec<u8>, line: Option<u32>, chunk: Option<&str>) -> Value {
        let (name, source) = match &self.origin {
            Origin::Eval { sha } => (sha.clone(), chunk.unwrap_or("@user_script")),
            Origin::Function { name, .. } => (name.clone(), "@user_function"),
            Origin::Load => return Value::Error(clean(text.into())),
        };
        if let Some(line) = line {
            text.extend(b" script: ");
            text.extend_from_slice(&name);
            text.extend(format!(", on {source}:{line}.").bytes());
        }
        Value::Error(clean(text.into()))
    }
}

/// Returns the words of the command that a script calls; the error is a text.
fn words(args: &[Data], version: Version) -> Result<Rc<[Bytes]>, &'static str> {
    if args.is_empty() {
        return Err("ERR Please specify at least one argument for this redis lib call");
    }
    let words = args.iter().map(|arg| argument_in(arg, version)).collect::<Option<Rc<[Bytes]>>>();
    words.ok_or("ERR Lua redis lib command arguments must be strings or integers")
}

impl Instance {
    /// Returns the script that keeps the instance busy, if there is one.
    pub fn busy_script(&self) -> Option<ScriptView> {
        self.script.as_ref().map(|running| ScriptView {
            conn: running.conn,
            line: running.vm.line(),
            has_written: running.has_written,
        })
    }

    /// Continues a busy script for `fuel` VM instructions; returns true if it is still busy. Its
    /// reply is pushed to the connection that started it.
    pub fn continue_script(&mut self, fuel: u64) -> bool {
        let Some(running) = self.script.take() else { return false };
        let mut running = Rc::unwrap_or_clone(running);
        self.running = Some(running.conn);
        match self.run_script(&mut running, fuel) {
            None => self.script = Some(Rc::new(running)),
            Some(reply) => self.end_busy(&running, reply),
        }
        self.running = None;
        self.script.is_some()
    }

    /// Ends a busy script with an error; the reply goes to the connection that started it.
    pub(super) fn kill_script(&mut self) {
        if let Some(running) = self.script.take() {
            let text = b"ERR Script killed by user with SCRIPT KILL...".to_vec();
            let reply = running.located(text, running.vm.line(), None);
            self.end_busy(&running, reply);
        }
    }

    fn end_busy(&mut self, running: &Running, reply: Value) {
        let conn = running.conn;
        self.keep_library(running);
        if self.conn_index(conn).is_some() {
            self.stop_waiting(conn);
            self.push_reply(conn, reply);
        }
        let now = running.started_ms;
        if self.tracking.has_news() {
            self.tell_own_changes();
        }
        self.serve_waiting(now);
        if self.tracking.has_news() {
            self.tell_own_changes();
            self.broadcast_changes();
        }
    }

    /// Stores the state of a library after a call, with the changes its functions made.
    pub(super) fn keep_library(&mut self, running: &Running) {
        if let Origin::Function { library, .. } = &running.origin
            && running.vm.is_waiting()
            && let Some(library) = Rc::make_mut(&mut self.scripts).libraries.get_mut(library)
        {
            Rc::make_mut(library).vm = running.vm.clone();
        }
    }

    /// Runs the script until it is done; `None` if the fuel is used up before that.
    pub(super) fn run_script(&mut self, running: &mut Running, fuel: u64) -> Option<Value> {
        if running.vm.random() != self.scripts.random {
            running.vm.set_random(self.scripts.random);
        }
        let mut left = fuel;
        self.room.take_fuel();
        let reply = self.run_to_reply(running, &mut left);
        self.stats.work += fuel - left;
        let random = running.vm.random();
        if random != self.scripts.random {
            let has_drawn = running.vm.has_drawn();
            self.note(|access| {
                access.random = true;
                access.lua_random |= has_drawn;
            });
            Rc::make_mut(&mut self.scripts).random = random;
        }
        reply
    }

    fn run_to_reply(&mut self, running: &mut Running, fuel: &mut u64) -> Option<Value> {
        let mut given = Given::Start;
        loop {
            let went = running.vm.go_on(given.told(), || given.answer(), fuel);
            match went.pause() {
                Pause::OutOfFuel => return None,
                Pause::Done(values) => {
                    let first = values.first().unwrap_or(&Data::Nil);
                    return Some(to_reply(first, running.proto, self.proto(running.conn)));
                }
                Pause::Failed(failure) => return Some(running.failure(failure)),
                Pause::Call { host, args } => {
                    let name = LIBRARY.host.get(*host).copied().unwrap_or_default();
                    if name == "redis.__next" {
                        // A function has returned; a library just loaded has nothing to say.
                        let result = args.first().unwrap_or(&Data::Nil);
                        let proto = self.proto(running.conn);
                        return Some(to_reply(result, running.proto, proto));
                    }
                    *fuel = fuel.saturating_sub(self.room.command_fuel(args));
                    given = self.host_call(running, name, args, &went);
                    *fuel = fuel.saturating_sub(self.room.take_fuel());
                }
            }
        }
    }

    /// Answers a call of a function of the table `redis`.
    fn host_call(
        &mut self,
        running: &mut Running,
        name: &str,
        args: &[Data],
        went: &Went,
    ) -> Given {
        let raise = |text: &str| Err(error_table(text.as_bytes()));
        Given::Answer(match name {
            "redis.call" | "redis.pcall" => {
                let reply = self.script_command(running, args, went);
                return Given::Reply(reply, name == "redis.call", running.proto);
            }
            "redis.acl_check_cmd" => match words(args, self.settings.version) {
                Err(text) => raise(text),
                Ok(argv) if self.resolve(&argv).is_err() => {
                    raise("ERR Invalid command passed to redis.acl_check_cmd()")
                }
                // The one user may do everything.
                Ok(_) => Ok(vec![Data::Bool(true)]),
            },
            "redis.setresp" if args.len() != 1 => {
                raise("ERR redis.setresp() requires one argument.")
            }
            "redis.setresp" => match args[0] {
                Data::Num(2.0) => {
                    running.proto = Proto::Resp2;
                    Ok(vec![])
                }
                Data::Num(3.0) => {
                    running.proto = Proto::Resp3;
                    Ok(vec![])
                }
                _ => raise("ERR RESP version must be 2 or 3."),
            },
            "redis.register_function" => match super::functions::register(running, args) {
                Ok(()) => Ok(vec![]),
                Err(text) => raise(&text),
            },
            _ => Ok(vec![]),
        })
    }

    /// Runs a command called by a script.
    fn script_command(&mut self, running: &mut Running, args: &[Data], went: &Went) -> Value {
        let version = self.settings.version;
        let argv = match went.kept(|| words(args, version)) {
            Ok(argv) => argv,
            Err(text) => return Value::error(text),
        };
        match self.try_script_command(running, &argv) {
            Ok(reply) => {
                self.room.answers(&reply);
                reply
            }
            Err(fail) => {
                let text = clean(fail.0);
                self.stats.error(&text);
                Value::Error(text)
            }
        }
    }

    /// Enters the keys that the script has declared into the table of CLIENT TRACKING, once one of
    /// its commands has read.
    #[inline(never)]
    fn remember_script_read(&mut self, running: &Running, ran: &Command) {
        if let Ok(command) = self.resolve(&running.argv) {
            self.remember_read(running.conn, ran, command, &running.argv);
        }
    }

    fn try_script_command(&mut self, running: &mut Running, argv: &[Bytes]) -> Result<Value, Fail> {
        let unknown = "ERR Unknown Redis command called from script";
        let command = self.resolve(argv).map_err(|_| Fail::from(unknown))?;
        if !command.arity_fits_in(self.settings.version, argv.len()) {
            return Err("ERR Wrong number of args calling Redis command from script".into());
        }
        if running.origin == Origin::Load {
            return Err("ERR redis.call is not allowed while a library is loaded".into());
        }
        if command.flags_in(self.settings.version).has(Flags::NOSCRIPT) {
            return Err("ERR This Redis command is not allowed from script".into());
        }
        let writes = command.flags.has(Flags::WRITE);
        if writes && running.read_only {
            return Err("ERR Write commands are not allowed from read-only scripts.".into());
        }
        if command.flags.has(Flags::DENYOOM)
            && !running.allow_oom
            && !running.has_written
            && self.settings.maxmemory > 0
            && self.is_out_of_memory()
        {
            return Err("OOM command not allowed when used memory > 'maxmemory'.".into());
        }
        running.has_written |= writes;
        let stats = self.stats.command(command.index);
        stats.calls += 1;
        self.show_monitors(running.conn, command, argv, running.started_ms, true);
        let mut cx = Ctx::new(self, running.conn, command, running.started_ms);
        (cx.db, cx.proto) = (running.db, running.proto);
        (cx.deny_blocking, cx.in_script) = (true, true);
        let result = cx.run(argv);
        running.db = cx.db;
        if self.trackers > 0 {
            self.remember_script_read(running, command);
        }
        result
    }
}
