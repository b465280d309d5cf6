//! One client: a Lua program, its connections, and its state.
//!
//! A call to something shared pauses the program; answering it is one step of the world. Everything
//! the program does between two calls runs at once, as part of the step before. A call that
//! concerns no other client (`now`, `uuid`, `log`, `connect`, `resource`, releasing a mutex) is
//! answered on the spot; `sleep` parks the client until the clock has moved. So is the use of a
//! variable of the process in a step of the client's own; elsewhere it is a step ([`Around`]).
//! Where clients may be slow, so is what follows a wait ([`CallKind::Wake`]).
//!
//! To add a function for programs, name it in `host` and answer it here: on the spot, or by a state
//! in which the client waits.

use std::rc::Rc;

use crate::engine;
use crate::lua::memo::{self, Told, Went};
use crate::lua::{Chunk, Data, Failure, Limits, Pause, Profile, ProfileKind, Trace, Vm};
use crate::resp::{Bytes, Proto, Value};

use super::connections::Connection;
use super::host::{self, Function, HostAnswer};
use super::mutexes::Mutexes;
use super::scenario::Setting;
use super::sql;
use super::variables::{VariableUse, Variables};
use super::{ClientId, FUEL_PER_STEP, NodeId, ProcessId};

/// The functions that a client program may call outside itself, in the order of [`Function`].
static PROFILE: Profile = Profile { host: host::NAMES, kind: ProfileKind::Client };

/// The end of the error message of a program that used up [`FUEL_PER_STEP`].
const ENDLESS: &str = " instructions without a call: an endless loop?";

/// Returns the line of the loop, if the message is that error.
pub fn endless_line(message: &str) -> Option<u32> {
    let line = message.strip_suffix(ENDLESS)?.strip_prefix("line ")?;
    line.split(':').next()?.parse().ok()
}

/// The most messages that wait for `receive` on one connection. Redis closes the connection of a
/// slow subscriber; here further messages are lost.
pub const INBOX_MAX: usize = 64;

/// A call that a program is about to make, or has made.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Call {
    pub kind: CallKind,
    /// The program's line of the call, from 1.
    pub line: u32,
    /// `pcall`: an error reply comes back as a table instead of being raised.
    pub(super) protected: bool,
}

/// The receiver of a call, and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CallKind {
    /// A command on the client's connection of that number. `node` is the instance that the program
    /// named; after a failover another instance serves its name.
    Redis {
        node: NodeId,
        connection: u8,
        argv: Rc<[Bytes]>,
    },
    /// Waits for a message on a connection.
    Receive {
        node: NodeId,
        connection: u8,
        timeout_ms: u64,
    },
    /// Closes a connection; the next call on it opens another one.
    Close {
        node: NodeId,
        connection: u8,
    },
    Sql(Rc<sql::Prepared>),
    /// Writes to a resource, with a fencing token or without.
    Resource {
        name: Bytes,
        value: Bytes,
        token: Option<i64>,
    },
    /// Takes a mutex of the process.
    Lock {
        name: Bytes,
    },
    /// Reads or writes a variable of the process. Only where the client has not come here by a step
    /// of its own; else that is part of the step.
    Variable(Rc<VariableUse>),
    /// The program has come to its end and begins again, with new connections.
    Again,
    /// Its wait is over, and it is about to go on. Only where clients may be slow
    /// ([`super::Scenario::slow_ms`]): else it goes on at that moment.
    Wake(Woken),
}

/// What ended the wait of a program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Woken {
    /// The beginning of the run.
    Start,
    /// The end of its sleep, or of the time for which it waited for a message.
    Time,
    Message(Value),
    /// The reply to its call, later than in the same step.
    Reply(Value),
}

impl Woken {
    /// Returns what the client has got.
    pub(super) fn got(&self) -> Value {
        match self {
            Woken::Start | Woken::Time => Value::NilBulk,
            Woken::Message(value) | Woken::Reply(value) => value.clone(),
        }
    }
}

impl Call {
    /// Returns the words of a command; empty for other calls.
    pub fn argv(&self) -> &[Bytes] {
        match &self.kind {
            CallKind::Redis { argv, .. } => argv,
            _ => &[],
        }
    }

    /// Returns the instance that the call goes to, by the name the program knows it by.
    pub fn node(&self) -> Option<NodeId> {
        match &self.kind {
            CallKind::Redis { node, .. }
            | CallKind::Receive { node, .. }
            | CallKind::Close { node, .. } => Some(*node),
            _ => None,
        }
    }

    /// Returns the number of the client's connection that the call uses.
    pub fn connection(&self) -> Option<u8> {
        match &self.kind {
            CallKind::Redis { connection, .. }
            | CallKind::Receive { connection, .. }
            | CallKind::Close { connection, .. } => Some(*connection),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum State {
    /// The client is about to make this call; it goes out when the client is stepped.
    Ready(Call),
    /// In wire mode: the command is on its way.
    Sent(Call),
    /// The call is sent, and Redis holds the reply back (a blocking command).
    Blocked(Call),
    /// WAIT: the call is sent, and enough replicas have not yet caught up.
    Waiting(Call, Wait),
    /// The reply has arrived but the client has not read it: it is paused, or wire mode shows the
    /// reply on its way.
    Answered(Call, Value),
    /// The instance is down; the client gives up at `until_ms`.
    Unanswered {
        call: Call,
        until_ms: u64,
    },
    /// The client waits for a message.
    Receiving {
        call: Call,
        until_ms: u64,
    },
    Sleeping {
        until_ms: u64,
    },
    /// A console at which nothing is typed.
    Idle,
    Done,
    /// Stopped by an uncaught error; the message is Lua's.
    Failed(Rc<str>),
    /// Stopped for good by a fault.
    Crashed,
}

impl State {
    /// Returns the state with its call's words replaced by `rename`.
    pub(super) fn renamed(&self, rename: &dyn Fn(&Bytes) -> Bytes) -> State {
        let call = |call: &Call| call.renamed(rename);
        match self {
            State::Ready(one) => State::Ready(call(one)),
            State::Sent(one) => State::Sent(call(one)),
            State::Blocked(one) => State::Blocked(call(one)),
            State::Waiting(one, wait) => State::Waiting(call(one), wait.clone()),
            State::Answered(one, reply) => State::Answered(call(one), reply.clone()),
            State::Unanswered { call: one, until_ms } => {
                State::Unanswered { call: call(one), until_ms: *until_ms }
            }
            other => other.clone(),
        }
    }

    /// Calls `each` with every argument of the pending call, every string of an unread reply, and
    /// the message of an error that ended the program.
    pub(super) fn words(&self, each: &mut dyn FnMut(&[u8])) {
        match self {
            State::Ready(call)
            | State::Sent(call)
            | State::Blocked(call)
            | State::Waiting(call, _)
            | State::Unanswered { call, .. }
            | State::Receiving { call, .. } => call.words(each),
            State::Answered(call, reply) => {
                call.words(each);
                reply.strings(each);
            }
            State::Failed(why) => each(why.as_bytes()),
            State::Sleeping { .. } | State::Idle | State::Done | State::Crashed => {}
        }
    }
}

impl Call {
    fn renamed(&self, rename: &dyn Fn(&Bytes) -> Bytes) -> Call {
        let kind = match &self.kind {
            CallKind::Redis { node, connection, argv } => {
                let argv = argv.iter().map(rename).collect();
                CallKind::Redis { node: *node, connection: *connection, argv }
            }
            CallKind::Resource { name, value, token } => {
                CallKind::Resource { name: name.clone(), value: rename(value), token: *token }
            }
            CallKind::Variable(used) => CallKind::Variable(Rc::new(used.renamed(rename))),
            other => other.clone(),
        };
        Call { kind, ..self.clone() }
    }

    fn words(&self, each: &mut dyn FnMut(&[u8])) {
        match &self.kind {
            CallKind::Redis { argv, .. } => argv.iter().for_each(|word| each(word)),
            CallKind::Resource { value, .. } => each(value),
            CallKind::Variable(used) => used.words(each),
            CallKind::Wake(Woken::Message(value) | Woken::Reply(value)) => value.strings(each),
            _ => {}
        }
    }
}

/// The condition that a WAIT waits for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wait {
    /// How many replicas must have caught up.
    pub wanted: u32,
    /// The deadline; `None`: forever.
    pub until_ms: Option<u64>,
    /// For each replica, the number of deliveries that it lacks of the writes WAIT asked about.
    pub behind: Vec<(NodeId, u32)>,
}

impl Wait {
    pub fn caught_up(&self) -> usize {
        self.behind.iter().filter(|(_, behind)| *behind == 0).count()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Paused {
    /// The client alone.
    Client,
    /// Its whole process.
    Process,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Client {
    vm: Vm,
    pub(super) id: ClientId,
    pub(super) connections: Rc<Vec<Connection>>,
    uuids: u32,
    /// The lead of its clock over the world's, in ms; negative if it is behind.
    pub(super) clock_ms: i64,
    pub(super) paused: Option<Paused>,
    /// When its pause ends by itself, in the world's time (ms).
    pub(super) pause_end_ms: Option<u64>,
    /// True if it was paused, where the setting remembers that.
    pub(super) was_paused: bool,
    /// How long it could have gone on and did not, in ms, where clients may be slow.
    pub(super) held_ms: u32,
    pub(super) state: State,
}

/// The surroundings of a program while it runs between two calls.
#[derive(Debug)]
pub(super) struct Around<'w> {
    pub now_ms: u64,
    /// True if the program has read the clock.
    pub has_told_time: bool,
    /// True if the client runs by a step of its own. Then what it does up to its next call is one
    /// step. Else others may run at the same moment (at the start, when time wakes several): it
    /// stops before it uses a variable of its process, so that the order is a choice.
    pub in_turn: bool,
    /// True if the program has read or written a variable of its process.
    pub has_used_variables: bool,
    pub setting: &'w Setting,
    pub mutexes: &'w mut Rc<Mutexes>,
    pub variables: &'w mut Rc<Variables>,
}

impl<'w> Around<'w> {
    /// Surroundings in which it is nobody's turn.
    pub fn new(
        now_ms: u64,
        setting: &'w Setting,
        (mutexes, variables): (&'w mut Rc<Mutexes>, &'w mut Rc<Variables>),
    ) -> Around<'w> {
        let (has_told_time, in_turn, has_used_variables) = (false, false, false);
        Around { now_ms, has_told_time, in_turn, has_used_variables, setting, mutexes, variables }
    }

    /// Returns what a client's program gets for its use of a variable.
    pub fn variable(&mut self, id: ClientId, used: &VariableUse) -> Result<Vec<Data>, Data> {
        self.has_used_variables = true;
        Variables::answer(self.variables, self.process(id), used)
    }

    pub fn process(&self, id: ClientId) -> ProcessId {
        self.setting.process_of.get(id.index()).copied().unwrap_or_default()
    }
}

impl Client {
    /// Creates a client at the first line of its program; [`Client::run`] takes it to its first
    /// call.
    pub(super) fn new(chunk: &Rc<Chunk>, id: ClientId, clock_ms: i64) -> Client {
        Client {
            vm: Vm::new(chunk, &PROFILE, Limits::default()),
            id,
            connections: Rc::new(vec![default_connection()]),
            uuids: 0,
            clock_ms,
            paused: None,
            pause_end_ms: None,
            was_paused: false,
            held_ms: 0,
            state: State::Done,
        }
    }

    /// Restarts the client with another program, at its first line. Unique ids continue,
    /// connections stay.
    pub(super) fn begin(&mut self, chunk: &Rc<Chunk>) {
        self.vm = memo::root(chunk, &[], [0, 0], || {
            let mut vm = Vm::new(chunk, &PROFILE, Limits::default());
            vm.keep_waste();
            vm
        });
        let kept = Rc::make_mut(&mut self.connections);
        kept.truncate(1);
        match kept.first_mut() {
            Some(first) => first.clear(),
            None => kept.push(default_connection()),
        }
        self.paused = None;
        self.state = State::Done;
    }

    /// Creates a console that is connected to `node`. It has no program.
    pub(super) fn console(empty: &Rc<Chunk>, id: ClientId, node: NodeId) -> Client {
        let mut client = Client::new(empty, id, 0);
        // Timeout 0: a console shows at once that no instance answers.
        client.connections = Rc::new(vec![Connection::new(node, 0, None)]);
        client.state = State::Idle;
        client
    }

    /// Returns the number of unique ids that it got; 0 where that is left out of a state.
    pub(super) fn ids(&self) -> u32 {
        self.uuids
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the connections by number; number 0 leads to the default instance.
    pub fn connections(&self) -> &[Connection] {
        &self.connections
    }

    /// Returns the program's state: its line, frames, locals and globals.
    pub fn vm(&self) -> &Vm {
        &self.vm
    }

    /// Returns a global of the program, for properties (`sold`, `holding`).
    pub fn global(&self, name: &str) -> Data {
        self.vm.global(name)
    }

    pub fn paused(&self) -> Option<Paused> {
        self.paused
    }

    /// Returns the lead of its clock over the world's, in ms.
    pub fn clock_ms(&self) -> i64 {
        self.clock_ms
    }

    /// Returns the call that the client is about to make.
    pub fn ready(&self) -> Option<&Call> {
        match &self.state {
            State::Ready(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the call that the client is about to make or waits in.
    pub fn call(&self) -> Option<&Call> {
        match &self.state {
            State::Ready(call)
            | State::Sent(call)
            | State::Blocked(call)
            | State::Waiting(call, _)
            | State::Answered(call, _)
            | State::Unanswered { call, .. }
            | State::Receiving { call, .. } => Some(call),
            State::Sleeping { .. }
            | State::Idle
            | State::Done
            | State::Failed(_)
            | State::Crashed => None,
        }
    }

    pub fn is_over(&self) -> bool {
        matches!(self.state, State::Done | State::Failed(_) | State::Crashed)
    }

    /// See [`super::Scenario::slow_ms`].
    pub fn held_ms(&self) -> u32 {
        self.held_ms
    }

    /// Returns the time at which the client goes on by itself, in the world's time (ms).
    pub fn deadline_ms(&self) -> Option<u64> {
        match &self.state {
            _ if self.paused.is_some() => self.pause_end_ms,
            State::Sleeping { until_ms }
            | State::Unanswered { until_ms, .. }
            | State::Receiving { until_ms, .. } => Some(*until_ms),
            State::Waiting(_, wait) => wait.until_ms,
            _ => None,
        }
    }

    /// Returns true if it then goes on because it has slept or its pause ends, and not because a
    /// wait of its own runs out.
    pub(super) fn wakes(&self) -> bool {
        self.paused.is_some() || matches!(self.state, State::Sleeping { .. })
    }

    /// In wire mode: returns the connections on which a message can arrive next. None overtakes the
    /// reply that was sent before it on the same connection.
    pub fn arrivals(&self) -> impl Iterator<Item = u8> + '_ {
        let awaits = match &self.state {
            State::Answered(call, _) => call.connection(),
            _ => None,
        };
        let is_over = self.is_over();
        let may_arrive = move |(number, one): (u8, &Connection)| {
            (one.under_way > 0 && awaits != Some(number) && !is_over).then_some(number)
        };
        (0..).zip(self.connections.iter()).filter_map(may_arrive)
    }

    pub(super) fn connection_mut(&mut self, number: u8) -> Option<&mut Connection> {
        Rc::make_mut(&mut self.connections).get_mut(usize::from(number))
    }

    /// Returns the client without dead state; `globals` are the globals that others read.
    pub(super) fn without_dead(&self, globals: &[&str]) -> Client {
        let mut client = Client { vm: self.vm.without_dead(globals), ..self.clone() };
        if self.is_over() {
            client.uuids = 0;
        }
        client
    }

    /// Reduces a finished client to `state` and these `globals`.
    pub(super) fn remains(&self, globals: &[&str], state: State) -> Client {
        let vm = self.vm.finished(globals);
        Client {
            vm,
            connections: Rc::default(),
            uuids: 0,
            clock_ms: 0,
            paused: None,
            pause_end_ms: None,
            held_ms: 0,
            state,
            ..self.clone()
        }
    }

    pub(super) fn with_vm(&self, vm: Vm) -> Client {
        Client { vm, ..self.clone() }
    }

    /// Returns the client with nothing left of it, as a placeholder where it is not needed.
    pub(super) fn absent(&self) -> Client {
        let mut client = self.clone();
        client.state = State::Crashed;
        (client.paused, client.pause_end_ms, client.held_ms) = (None, None, 0);
        client.connections = Rc::default();
        client
    }

    /// Moves the deadlines of its waits by `by` ms, but not before `start_ms`.
    pub(super) fn shift_ms(&mut self, by: i64, start_ms: u64) {
        let shifted = |at: &mut u64| *at = at.saturating_add_signed(by).max(start_ms);
        self.pause_end_ms.iter_mut().for_each(shifted);
        match &mut self.state {
            State::Sleeping { until_ms }
            | State::Unanswered { until_ms, .. }
            | State::Receiving { until_ms, .. } => shifted(until_ms),
            State::Waiting(_, wait) => wait.until_ms.iter_mut().for_each(shifted),
            _ => {}
        }
    }

    /// Returns the deadline of its wait, paused or not.
    pub(super) fn waits_until_ms(&self) -> Option<u64> {
        self.pause_end_ms.or_else(|| Client { paused: None, ..self.clone() }.deadline_ms())
    }

    /// Gives the program Redis's reply to `call`, and runs it to the next pause.
    pub(super) fn reply(
        &mut self,
        protected: bool,
        reply: &Value,
        around: &mut Around<'_>,
        trace: Option<&mut Trace>,
    ) {
        self.go_on(Given::Reply(reply, protected), around, trace);
    }

    /// Gives the program the answer to its call, and runs it to the next pause.
    pub(super) fn answer(
        &mut self,
        answer: Result<Vec<Data>, Data>,
        around: &mut Around<'_>,
        trace: Option<&mut Trace>,
    ) {
        self.go_on(Given::Answer(answer), around, trace);
    }

    /// Runs the program to its next call, sleep, end or error.
    pub(super) fn run(&mut self, around: &mut Around<'_>, trace: Option<&mut Trace>) {
        self.go_on(Given::Start, around, trace);
    }

    /// Begins the next round. Unique ids continue.
    pub(super) fn begin_round(
        &mut self,
        chunk: &Rc<Chunk>,
        around: &mut Around<'_>,
        trace: Option<&mut Trace>,
    ) {
        self.vm = Vm::new(chunk, &PROFILE, Limits::default());
        self.connections = Rc::new(vec![default_connection()]);
        // As at the first beginning: a program that begins with a variable stops before it.
        around.in_turn = false;
        self.go_on(Given::Start, around, trace);
    }

    fn go_on(
        &mut self,
        mut given: Given<'_>,
        around: &mut Around<'_>,
        mut trace: Option<&mut Trace>,
    ) {
        let mut fuel = FUEL_PER_STEP;
        let is_begin = matches!(given, Given::Start);
        loop {
            let went = match &mut trace {
                None => self.vm.go_on(given.told(), || given.answer(), &mut fuel),
                Some(trace) => {
                    if let Some(answer) = given.answer() {
                        self.vm.answer(answer);
                    }
                    Went::Ran(self.vm.run(&mut fuel, Some(trace)))
                }
            };
            self.state = match went.pause() {
                Pause::Call { host, args } => match self.host_call(*host, args, &went, around) {
                    HostAnswer::Now(answer) => {
                        given = Given::Answer(answer);
                        continue;
                    }
                    HostAnswer::Wait(state) => state,
                },
                Pause::Done(_) => match around.setting.again.get(self.id.index()) {
                    Some(Some(_)) if is_begin => {
                        State::Failed("a program that begins anew has to make a call".into())
                    }
                    // Its final globals are seen before the next round begins, which is a step.
                    Some(Some(_)) => {
                        State::Ready(Call { kind: CallKind::Again, line: 1, protected: false })
                    }
                    _ => State::Done,
                },
                Pause::Failed(failure) => State::Failed(words(failure).into()),
                Pause::OutOfFuel => {
                    let line = self.vm.line().unwrap_or_default();
                    State::Failed(format!("line {line}: {FUEL_PER_STEP}{ENDLESS}").into())
                }
            };
            // An endless loop inside `synchronized` never came to give its mutex back.
            if self.is_over() && around.mutexes.has_any(self.id) {
                Rc::make_mut(around.mutexes).drop_all_of(self.id);
            }
            return;
        }
    }

    fn host_call(
        &mut self,
        host: usize,
        args: &[Data],
        went: &Went,
        around: &mut Around<'_>,
    ) -> HostAnswer {
        let line = self.vm.line().unwrap_or_default();
        let ready = |kind: CallKind, protected| {
            HostAnswer::Wait(State::Ready(Call { kind, line, protected }))
        };
        let Some(function) = Function::ALL.get(host) else { return HostAnswer::Now(Ok(vec![])) };
        let result = match function {
            Function::Call | Function::Pcall => argv_of(args, went).map(|argv| {
                let kind = CallKind::Redis { node: NodeId(0), connection: 0, argv };
                ready(kind, *function == Function::Pcall)
            }),
            Function::ConnectionCall | Function::ConnectionPcall => {
                self.connection_of(args).and_then(|(connection, node)| {
                    let argv = argv_of(&args[1..], went)?;
                    let kind = CallKind::Redis { node, connection, argv };
                    Ok(ready(kind, *function == Function::ConnectionPcall))
                })
            }
            Function::Receive => self.connection_of(args).and_then(|(connection, node)| {
                let timeout_ms = host::milliseconds(args.get(1), "receive(timeout_ms)")?;
                Ok(ready(CallKind::Receive { node, connection, timeout_ms }, false))
            }),
            Function::Close => self
                .connection_of(args)
                .map(|(connection, node)| ready(CallKind::Close { node, connection }, false)),
            Function::Sleep => host::milliseconds(args.first(), "sleep(ms)")
                .map(|ms| HostAnswer::Wait(State::Sleeping { until_ms: around.now_ms + ms })),
            Function::Now => {
                around.has_told_time = true;
                let now_ms = around.now_ms.saturating_add_signed(self.clock_ms);
                Ok(HostAnswer::Now(Ok(vec![Data::Num(now_ms as f64)])))
            }
            Function::Uuid => {
                self.uuids += 1;
                let uuid = Data::str(around.setting.ids.id(self.id, self.uuids));
                Ok(HostAnswer::Now(Ok(vec![uuid])))
            }
            // The trace already shows the line; nothing else keeps it yet.
            Function::Log => Ok(HostAnswer::Now(Ok(vec![]))),
            Function::Connect => self.connect(args, around),
            Function::Synchronized => self.synchronized(args, around, ready),
            Function::Sql => statement(args, around).map(|kind| ready(kind, false)),
            Function::Resource => host::name(args.first(), "resource(name)").map(|name| {
                let write = Data::Host(Function::Write as u16);
                let fields = [("name", Data::Str(name)), ("write", write)];
                HostAnswer::Now(Ok(vec![host::object(fields)]))
            }),
            Function::Write => host::resource_write(args).map(|kind| ready(kind, false)),
            Function::Process => VariableUse::parse(args).map(|used| match around.in_turn {
                true => HostAnswer::Now(around.variable(self.id, &used)),
                false => ready(CallKind::Variable(Rc::new(used)), false),
            }),
        };
        result.unwrap_or_else(|error| HostAnswer::Now(Err(error)))
    }

    /// Answers `synchronized(name, function)`, which asks twice: to enter, and with `true` to
    /// leave.
    fn synchronized(
        &self,
        args: &[Data],
        around: &mut Around<'_>,
        ready: impl Fn(CallKind, bool) -> HostAnswer,
    ) -> Result<HostAnswer, Data> {
        let name = host::name(args.first(), "synchronized(name, function)")?;
        let process = around.process(self.id);
        if args.get(1).is_some_and(Data::truthy) {
            Rc::make_mut(around.mutexes).give_back(process, &name, self.id);
        } else if around.mutexes.owner(process, &name) == Some(self.id) {
            Rc::make_mut(around.mutexes).take(process, &name, self.id);
        } else {
            return Ok(ready(CallKind::Lock { name }, false));
        }
        Ok(HostAnswer::Now(Ok(vec![])))
    }
}

/// The value with which a program starts or resumes.
enum Given<'a> {
    Start,
    /// Redis's reply; true if errors in it are values (`pcall`).
    Reply(&'a Value, bool),
    Answer(Result<Vec<Data>, Data>),
}

impl Given<'_> {
    fn told(&self) -> Told<'_> {
        match self {
            Given::Start => Told::Start,
            Given::Reply(reply, protected) => Told::Reply(reply, u8::from(*protected)),
            Given::Answer(answer) => Told::Data(answer),
        }
    }

    fn answer(&self) -> Option<Result<Vec<Data>, Data>> {
        match self {
            Given::Start => None,
            Given::Reply(reply, protected) => {
                let data = engine::reply_to_lua(reply, Proto::Resp2);
                Some(if reply.is_error() && !protected { Err(data) } else { Ok(vec![data]) })
            }
            Given::Answer(answer) => Some(answer.clone()),
        }
    }
}

/// Returns the words of a command. They are built once for each known path of the program.
fn argv_of(args: &[Data], went: &Went) -> Result<Rc<[Bytes]>, Data> {
    went.kept(|| host::to_argv(args).map(Rc::from))
}

/// Reads `sql(statement, ...)`.
fn statement(args: &[Data], around: &Around<'_>) -> Result<CallKind, Data> {
    let Some(Data::Str(text)) = args.first() else {
        return Err(Data::str("sql(statement, ...): the statement is missing"));
    };
    let prepared = sql::Prepared::new(text, &args[1..]).map_err(Data::str)?;
    if prepared.is_of_transaction() && around.setting.is_crowd {
        return Err(Data::str("SQL: the clients of a crowd have no transactions"));
    }
    Ok(CallKind::Sql(Rc::new(prepared)))
}

fn default_connection() -> Connection {
    Connection::new(NodeId(0), super::TIMEOUT_MS, None)
}

/// Returns the message of an uncaught error. Redis's errors are tables with the text in `err`;
/// Lua's own already name their place.
fn words(failure: &Failure) -> String {
    let Data::Table(_) = &failure.value else {
        return String::from_utf8_lossy(&failure.message).into_owned();
    };
    let text = match failure.value.get(&Data::str("err")) {
        Some(Data::Str(text)) => String::from_utf8_lossy(text).into_owned(),
        _ => failure.value.short(),
    };
    match failure.line {
        Some(line) => format!("line {line}: {text}"),
        None => text,
    }
}
