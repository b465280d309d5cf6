//! The tasks of the machine ([`super::run`]), one after the other: each is tried whenever something
//! has happened, until it is done.
//!
//! To add a deed of a step, add it to `plan::Deed` and handle it here.

use std::rc::Rc;

use crate::json::ToJson;
use crate::resp::number::parse_int;
use crate::resp::{Bytes, Value};
use crate::sim::{ClientId, START_MS};

use super::compare::{Asked, Match, Why, compare, is_stream_time, reads_clock};
use super::plan::{Cannot, Deed, Line, Sent, is_replica, obstacle};
use super::report::{Check, Mark};
use super::run::{LOOK_MS, Pace, Phase, Runner, Trouble};
use super::sockets::{Due, Effect, Owner, Socket, wire};
use crate::session::spelling::command_text;

/// The ms within which a reply, a connection or an order has to come.
pub(super) const PATIENCE_MS: u64 = 10_000;
/// The ms for a reply, so long that a slow machine shows no difference.
pub(super) const REPLY_MS: u64 = 5_000;
/// The ms between two looks for something new.
const POLL_MS: u32 = 5;
/// Time in ms for a blocking command to arrive, where the server cannot be asked whether it has.
const BLIND_MS: u64 = 60;
/// The time to live in ms of a lease that waits for the schedule.
const HELD_MS: &str = "3600000";
/// Shorter times (ms) pass for real at either pace, for scripts that read the server's time.
const SHORT_MS: u64 = 250;

#[derive(Debug, Clone)]
pub(super) enum Task {
    /// Closes the programs' connections.
    CutAll,
    /// Opens the machine's own connection to a node.
    Watch {
        node: usize,
    },
    /// Removes the keys and scripts of a node.
    Clean {
        node: usize,
    },
    /// Sends a command of the setup, and moves the deadlines of `hold` away.
    Setup {
        node: usize,
        argv: Vec<Bytes>,
        hold: Vec<Bytes>,
    },
    /// The servers are in the first state.
    Begin,
    Deed(Deed),
    /// Waits until this time (ms) has passed since the run began.
    Pass {
        until_ms: u64,
        ms: u64,
        hasten: bool,
    },
    /// Waits until this key is gone.
    Gone {
        node: usize,
        key: Bytes,
    },
    /// Ends a wait of this line on the server, too.
    Unblock {
        line: Line,
    },
}

impl Task {
    /// Returns true if it closes this connection.
    pub fn cuts(&self, socket: &Socket) -> bool {
        match (self, socket.owner) {
            (Task::CutAll, Owner::Line(_)) => true,
            (Task::Deed(Deed::Cut { client }), owner) => of_client(owner, *client),
            (Task::Deed(Deed::CutLine { line: one } | Deed::Lost { line: one }), owner) => {
                owner == Owner::Line(*one)
            }
            (Task::Deed(Deed::Down { node, .. }), Owner::Line(_)) => socket.node == *node,
            _ => false,
        }
    }
}

/// The result of trying a task.
pub(super) enum Tried {
    Done,
    /// Try again when something has come.
    Wait,
    /// The same, or after this number of ms.
    Poll(u32),
}

/// The command that puts a key's deadline out of reach while the schedule holds the time.
pub(super) fn held(key: &Bytes) -> Vec<Bytes> {
    vec![b"PEXPIRE".as_slice().into(), key.clone(), HELD_MS.as_bytes().into()]
}

impl Runner {
    /// Turns the deeds of a step into tasks.
    pub(super) fn enqueue(&mut self, deeds: Vec<Deed>, until_ms: u64) {
        let by_clock = self.pace == Pace::Clock;
        for deed in deeds.iter().cloned() {
            let Deed::Pass { ms, expire } = deed else {
                if let Deed::Reply { line, .. } = &deed
                    && matches!(deeds.first(), Some(Deed::Pass { .. }))
                {
                    self.tasks.push_back(Task::Unblock { line: *line });
                }
                self.tasks.push_back(Task::Deed(deed));
                continue;
            };
            self.tasks.push_back(Task::Pass { until_ms, ms, hasten: !by_clock });
            for (node, key) in expire {
                self.tasks.push_back(Task::Gone { node, key });
            }
        }
    }

    /// Does the tasks that can be done.
    pub(super) fn work(&mut self) {
        loop {
            if matches!(self.phase, Phase::Stopped(_)) {
                return;
            }
            let Some(task) = self.tasks.front().cloned() else {
                if self.phase == Phase::Connecting && self.began_ms == 0 {
                    return;
                }
                self.phase = Phase::Working;
                if self.next_step() {
                    continue;
                }
                self.phase = Phase::Ready;
                if self.pace == Pace::Clock {
                    self.effects.push(Effect::Wake { ms: LOOK_MS });
                }
                return;
            };
            let since = *self.since.get_or_insert(self.now_ms);
            let waited = self.now_ms.saturating_sub(since);
            match self.attempt(&task, waited) {
                Tried::Done => {
                    if matches!(self.phase, Phase::Stopped(_)) {
                        return;
                    }
                    self.tasks.pop_front();
                    (self.sent, self.since, self.polled) = (false, None, 0);
                }
                Tried::Wait => {
                    self.effects.push(Effect::Wake { ms: 100 });
                    return;
                }
                Tried::Poll(ms) => {
                    self.effects.push(Effect::Wake { ms });
                    return;
                }
            }
        }
    }

    fn attempt(&mut self, task: &Task, waited: u64) -> Tried {
        match task {
            Task::CutAll => self.cut(waited, |owner| matches!(owner, Owner::Line(_))),
            Task::Watch { node } => self.watch(*node, waited),
            Task::Clean { node } => self.clean(*node, waited),
            Task::Setup { node, argv, hold } => self.set_up(*node, argv, hold, waited),
            Task::Begin => {
                self.began_ms = self.now_ms.max(1);
                Tried::Done
            }
            Task::Pass { until_ms, ms, hasten } => self.pass(*until_ms, *ms, *hasten, waited),
            Task::Gone { node, key } => self.gone(*node, key, waited),
            Task::Unblock { line } => self.unblock(*line),
            Task::Deed(deed) => self.deed(deed, waited),
        }
    }

    // ---- Before the run -------------------------------------------------------------------------

    fn watch(&mut self, node: usize, waited: u64) -> Tried {
        let at = match self.find(Owner::Watch, Some(node)) {
            Some(at) => at,
            None => self.open(Owner::Watch, node),
        };
        let wanted = self.timeline.as_ref().map_or(1, |start| start.nodes);
        if self.sockets[at].ready {
            if self.there < wanted {
                self.stop(Trouble::Nodes { wanted, there: self.there });
            }
            let own = self.sockets[at].own;
            let first = self.done.first().and_then(|first| obstacle(&first.world, node, own));
            if let Some(cannot) = first {
                self.stop(Trouble::Cannot(cannot));
            }
            return Tried::Done;
        }
        if let Some(why) = self.sockets[at].lost.clone() {
            // A throw-away server that was taken down, or has died, is started again.
            match self.sockets[at].answers.pop_front() {
                Some(Err(refused)) => {
                    self.stop(Trouble::Lost(format!("{why}; {refused}")));
                    return Tried::Done;
                }
                Some(Ok(())) => self.down.retain(|one| *one != node),
                None => {}
            }
            if !self.sent {
                self.sent = true;
                self.order(at, r#"{"do":"up"}"#);
            }
        }
        if waited > PATIENCE_MS {
            let why = self.sockets[at].lost.clone().unwrap_or_else(|| "…".into());
            self.stop(Trouble::Lost(why));
            return Tried::Done;
        }
        Tried::Wait
    }

    /// Removes the keys of a node; on a throw-away one the scripts, too.
    fn clean(&mut self, node: usize, waited: u64) -> Tried {
        let Some(at) = self.find(Owner::Watch, Some(node)) else { return Tried::Done };
        if !self.sent {
            self.sent = true;
            self.sockets[at].forget();
            self.order(at, r#"{"do":"clean"}"#);
            if self.sockets[at].own {
                self.ask(at, &["SCRIPT", "FLUSH"], Due::Drop);
                self.ask(at, &["FUNCTION", "FLUSH"], Due::Drop);
            }
        }
        match self.sockets[at].answers.pop_front() {
            Some(Ok(())) => Tried::Done,
            Some(Err(why)) => {
                self.stop(Trouble::Start(why));
                Tried::Done
            }
            None if waited > PATIENCE_MS => {
                self.stop(Trouble::Start("clean: …".into()));
                Tried::Done
            }
            None => Tried::Wait,
        }
    }

    fn set_up(&mut self, node: usize, argv: &[Bytes], hold: &[Bytes], waited: u64) -> Tried {
        let first = !self.sent;
        let told = self.tell(node, argv, waited);
        if first && let Some(at) = self.find(Owner::Watch, Some(node)) {
            // In the same message: a session of 20 ms is over before its reply arrives.
            for key in hold {
                self.ask(at, &held(key), Due::Drop);
            }
        }
        match told {
            Ok(Some(Value::Error(why))) => {
                let why = String::from_utf8_lossy(&why).into_owned();
                self.stop(Trouble::Start(format!("{}: {why}", command_text(argv))));
                Tried::Done
            }
            Ok(None) => Tried::Wait,
            Ok(Some(_)) | Err(()) => Tried::Done,
        }
    }

    /// Sends a command of the machine's own; returns its reply once it is there.
    pub(super) fn tell<W: AsRef<[u8]>>(
        &mut self,
        node: usize,
        argv: &[W],
        waited: u64,
    ) -> Result<Option<Value>, ()> {
        let at = self.find(Owner::Watch, Some(node)).ok_or(())?;
        if !self.sent {
            self.sent = true;
            self.ask(at, argv, Due::Reply);
        }
        match self.sockets[at].replies.pop_front() {
            Some(reply) => Ok(Some(reply)),
            None if waited > PATIENCE_MS => {
                self.stop(Trouble::Lost("…".into()));
                Err(())
            }
            None => Ok(None),
        }
    }

    // ---- Time -----------------------------------------------------------------------------------

    fn pass(&mut self, until_ms: u64, ms: u64, hasten: bool, waited: u64) -> Tried {
        let left = match hasten || self.hurry {
            true => ms.min(SHORT_MS).saturating_sub(waited),
            false => {
                let due = self.began_ms + until_ms.saturating_sub(START_MS);
                due.saturating_sub(self.now_ms)
            }
        };
        match left {
            0 => Tried::Done,
            left => Tried::Poll(left.min(500) as u32),
        }
    }

    /// Waits until a key is gone; at the schedule's pace it is removed.
    fn gone(&mut self, node: usize, key: &Bytes, waited: u64) -> Tried {
        let Some(at) = self.find(Owner::Watch, Some(node)) else { return Tried::Done };
        if self.down.contains(&node) {
            return Tried::Done;
        }
        if !self.sent {
            self.sent = true;
            let told = self.pace == Pace::Schedule || self.hurry;
            if told && self.done.last().is_some_and(|last| is_replica(&last.world, node)) {
                // A replica takes no command for it.
                let key = String::from_utf8_lossy(key).into_owned().to_json().to_string();
                self.order(at, &format!(r#"{{"do":"expire","key":{key}}}"#));
            } else if told {
                self.ask(at, &[b"PEXPIRE".as_slice(), key, b"1"], Due::Drop);
            }
            self.ask(at, &[b"EXISTS".as_slice(), key], Due::Reply);
        }
        match self.sockets[at].replies.pop_front() {
            Some(Value::Int(0)) => Tried::Done,
            Some(reply) if waited > REPLY_MS => {
                let command = format!("EXISTS {}", String::from_utf8_lossy(key));
                let simulated = Value::Int(0).to_cli_short();
                self.note(Check {
                    client: String::new(),
                    command,
                    simulated,
                    real: reply.to_cli_short(),
                    mark: Mark::Differs,
                });
                Tried::Done
            }
            Some(_) => {
                self.polled = self.now_ms;
                Tried::Poll(POLL_MS)
            }
            None if self.polled > 0 && self.now_ms >= self.polled + u64::from(POLL_MS) => {
                self.polled = 0;
                self.ask(at, &[b"EXISTS".as_slice(), key], Due::Reply);
                Tried::Wait
            }
            None if self.polled > 0 => Tried::Poll(POLL_MS),
            None if waited > PATIENCE_MS => {
                self.stop(Trouble::Lost("…".into()));
                Tried::Done
            }
            None => Tried::Wait,
        }
    }

    /// Ends a wait on the server whose own clock has not come as far.
    fn unblock(&mut self, line: Line) -> Tried {
        if self.pace == Pace::Clock && !self.hurry {
            return Tried::Done;
        }
        let Some(at) = self.find(Owner::Line(line), None) else { return Tried::Done };
        let (node, id) = (self.sockets[at].node, self.sockets[at].server_id);
        if let (Some(id), Some(watch)) = (id, self.find(Owner::Watch, Some(node)))
            && self.sockets[at].waits
        {
            self.ask(watch, &["CLIENT", "UNBLOCK", &id.to_string(), "TIMEOUT"], Due::Drop);
        }
        Tried::Done
    }

    // ---- A step ---------------------------------------------------------------------------------

    fn deed(&mut self, deed: &Deed, waited: u64) -> Tried {
        match deed {
            Deed::Send { line, node, asked, hold } => self.send(*line, *node, asked, hold, waited),
            Deed::Reply { line, expected } => self.reply(*line, expected, waited),
            Deed::Waits { line, node } => self.waits(*line, *node, waited),
            Deed::Lost { line } => self.lost(*line, waited),
            Deed::NoAnswer { line } => self.no_answer(*line, waited),
            Deed::Message { line, expected } => self.message(*line, expected, waited),
            Deed::Cut { client } => {
                let client = *client;
                self.cut(waited, |owner| of_client(owner, client))
            }
            Deed::CutLine { line } => {
                let line = Owner::Line(*line);
                self.cut(waited, |owner| owner == line)
            }
            Deed::Down { node, keep } => self.take_down(*node, *keep, waited),
            Deed::Up { node } => self.bring_up(*node, waited),
            Deed::Follow { node, master } => self.follow(*node, *master, waited),
            Deed::Promote { node } => self.promote(*node, waited),
            Deed::Written { line, node, links } => self.written(*line, *node, links, waited),
            Deed::Deliver { node } => self.deliver(*node, waited),
            Deed::Level { node } => self.level(*node, waited),
            Deed::Ask { node, argv, expected } => self.ask_node(*node, argv, expected, waited),
            Deed::Cannot(cannot) => {
                self.undone(*cannot);
                Tried::Done
            }
            Deed::Pass { .. } => Tried::Done,
        }
    }

    fn undone(&mut self, cannot: Cannot) {
        let nothing = String::new;
        self.note(Check {
            client: nothing(),
            command: nothing(),
            simulated: nothing(),
            real: nothing(),
            mark: Mark::Undone(cannot),
        });
    }

    fn send(
        &mut self,
        line: Line,
        node: usize,
        asked: &Sent,
        hold: &[Bytes],
        waited: u64,
    ) -> Tried {
        let at = self.only(Owner::Line(line), node);
        let socket = &self.sockets[at];
        let settled = socket.ready && (!socket.own || socket.server_id.is_some());
        if !settled && !self.down.contains(&node) {
            if waited > PATIENCE_MS {
                let why = socket.lost.clone().unwrap_or_else(|| "…".into());
                self.stop(Trouble::Lost(why));
                return Tried::Done;
            }
            return Tried::Wait;
        }
        let mut argv: Vec<Bytes> = asked.argv.iter().map(|word| self.real_name(word)).collect();
        if asked.waits && self.pace == Pace::Schedule {
            wait_for_ever(&mut argv);
        }
        let name = argv.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
        let (id, mut bytes) = (self.sockets[at].id, Vec::new());
        if asked.lose {
            self.order(at, r#"{"do":"lose-reply"}"#);
        }
        wire(&argv, &mut bytes);
        let socket = &mut self.sockets[at];
        if !asked.lose {
            socket.due.push_back(Due::Reply);
        }
        if name.ends_with(b"SUBSCRIBE") {
            socket.subscribed = true;
            // One confirmation for each channel.
            socket.due.extend(argv.iter().skip(2).map(|_| Due::Drop));
        }
        socket.waits = false;
        self.effects.push(Effect::Bytes { id, bytes });
        if self.pace == Pace::Schedule {
            // In the same message: a lease of a few milliseconds is over before the next arrives.
            for key in hold {
                self.ask(at, &held(key), Due::Drop);
            }
        }
        Tried::Done
    }

    fn real_name(&self, word: &Bytes) -> Bytes {
        let known = self.names.iter().find(|(simulated, _)| simulated == word);
        known.map_or_else(|| word.clone(), |(_, real)| real.clone())
    }

    /// Replaces ids of the real server by the simulator's.
    fn simulated_names(&self, value: Value) -> Value {
        if self.names.is_empty() {
            return value;
        }
        match value {
            Value::Bulk(text) => {
                let known = self.names.iter().find(|(_, real)| *real == text);
                Value::Bulk(known.map_or(text, |(simulated, _)| simulated.clone()))
            }
            Value::Array(items) => {
                Value::Array(items.into_iter().map(|item| self.simulated_names(item)).collect())
            }
            other => other,
        }
    }

    /// Returns the command that was last sent on a line, which its reply belongs to.
    fn last_sent(&self, line: Line) -> Option<Sent> {
        let frames = self.done.iter().zip(self.done.iter().skip(1)).rev();
        frames.flat_map(|(before, frame)| super::plan::deeds(&before.world, frame)).find_map(
            |deed| match deed {
                Deed::Send { line: one, asked, .. } if one == line => Some(asked),
                _ => None,
            },
        )
    }

    fn reply(&mut self, line: Line, expected: &Value, waited: u64) -> Tried {
        let found = self.find(Owner::Line(line), None);
        let reply = found.and_then(|at| self.sockets[at].replies.pop_front());
        if reply.is_none() && found.is_some() && waited <= REPLY_MS {
            return Tried::Wait;
        }
        if let Some(at) = found {
            self.sockets[at].waits = false;
        }
        let asked = self.last_sent(line);
        let argv = words_of(&asked);
        let Some(reply) = reply else {
            self.check(line, &argv, expected.to_cli_short(), "…".into(), Mark::Differs);
            return Tried::Done;
        };
        let by_clock = self.is_by_clock(&argv, expected);
        if is_stream_time(&argv, expected, &reply)
            && let (Value::Bulk(simulated), Value::Bulk(real)) = (expected, &reply)
        {
            self.names.push((simulated.clone(), real.clone()));
        }
        let reply = self.simulated_names(reply);
        let asked = Asked {
            argv: &argv,
            queued: asked.as_ref().map_or(&[], |sent| &sent.queued),
            proto: asked.as_ref().map(|sent| sent.proto).unwrap_or_default(),
            by_clock,
        };
        let mark = match compare(asked, expected, &reply) {
            Match::Equal => Mark::Equal,
            Match::Alike(why) => Mark::Alike(why),
            Match::Differs => Mark::Differs,
        };
        self.check(line, &argv, expected.to_cli_short(), reply.to_cli_short(), mark);
        Tried::Done
    }

    /// Returns true if a reply depends on the server's clock: that of a script that reads it, or of
    /// a command on keys that such a script has written. Scripts and keys are remembered.
    fn is_by_clock(&mut self, argv: &[Bytes], expected: &Value) -> bool {
        let word = |at: usize| argv.get(at).map(|word| word.to_ascii_uppercase());
        let name = word(0).unwrap_or_default();
        let text = |at: usize| argv.get(at).is_some_and(|text| reads_clock(text));
        let script = match name.as_slice() {
            b"EVAL" | b"EVAL_RO" => text(1),
            b"EVALSHA" | b"EVALSHA_RO" => {
                argv.get(1).is_some_and(|digest| self.clock_scripts.contains(digest))
            }
            b"SCRIPT" if text(2) => {
                if let Value::Bulk(digest) = expected {
                    self.clock_scripts.push(digest.clone());
                }
                false
            }
            _ => false,
        };
        if script && let Some(count) = argv.get(2).and_then(|count| parse_int(count)) {
            let count = usize::try_from(count).unwrap_or(0);
            self.clock_keys.extend(argv.iter().skip(3).take(count).cloned());
        }
        script || argv.iter().any(|word| self.clock_keys.contains(word))
    }

    fn check(&mut self, line: Line, argv: &[Bytes], simulated: String, real: String, mark: Mark) {
        let command = command_text(argv);
        let client = self.last_sent(line).map_or(line.client, |asked| asked.client);
        self.note(Check { client: client.name(), command, simulated, real, mark });
    }

    /// Waits until a blocking command has arrived: the server counts it among its blocked clients.
    fn waits(&mut self, line: Line, node: usize, waited: u64) -> Tried {
        let Some(at) = self.find(Owner::Line(line), None) else { return Tried::Done };
        self.sockets[at].waits = true;
        let mine = |socket: &&Socket| socket.node == node && socket.waits;
        let wanted = self.sockets.iter().filter(mine).count() as i64;
        let argv = words_of(&self.last_sent(line));
        if let Some(reply) = self.sockets[at].replies.pop_front() {
            self.sockets[at].waits = false;
            self.check(line, &argv, "…".into(), reply.to_cli_short(), Mark::Differs);
            return Tried::Done;
        }
        let Some(watch) = self.find(Owner::Watch, Some(node)) else { return Tried::Done };
        if !self.sent {
            self.sent = true;
            self.ask(watch, &["INFO", "clients"], Due::Reply);
        }
        let arrived = match self.sockets[watch].replies.pop_front() {
            Some(Value::Error(_)) => waited >= BLIND_MS,
            Some(info) => blocked_clients(&info).is_some_and(|blocked| blocked >= wanted),
            None => return Tried::Wait,
        };
        if arrived || waited > REPLY_MS {
            let mark = if arrived { Mark::Equal } else { Mark::Differs };
            let real = if arrived { "…" } else { "?" };
            self.check(line, &argv, "…".into(), real.into(), mark);
            return Tried::Done;
        }
        self.sent = false;
        Tried::Poll(POLL_MS)
    }

    fn lost(&mut self, line: Line, waited: u64) -> Tried {
        let Some(at) = self.find(Owner::Line(line), None) else { return Tried::Done };
        let dropped = self.sockets[at].dropped > 0;
        if !dropped && waited <= REPLY_MS {
            return Tried::Wait;
        }
        let argv = words_of(&self.last_sent(line));
        let mark = if dropped { Mark::Equal } else { Mark::Differs };
        self.check(line, &argv, "✕".into(), if dropped { "✕" } else { "?" }.into(), mark);
        self.close(at);
        Tried::Done
    }

    fn no_answer(&mut self, line: Line, waited: u64) -> Tried {
        let Some(at) = self.find(Owner::Line(line), None) else { return Tried::Done };
        let reply = self.sockets[at].replies.pop_front();
        if reply.is_none() && waited <= REPLY_MS {
            return Tried::Wait;
        }
        let argv = words_of(&self.last_sent(line));
        let mark = match &reply {
            Some(reply) if !reply.is_error() => Mark::Differs,
            _ => Mark::Alike(Why::NoAnswer),
        };
        let real = reply.map_or_else(|| "…".to_owned(), |reply| reply.to_cli_short());
        self.check(line, &argv, "…".into(), real, mark);
        // The next attempt is a new connection's.
        self.close(at);
        Tried::Done
    }

    fn message(&mut self, line: Line, expected: &Value, waited: u64) -> Tried {
        let found = self.find(Owner::Line(line), None);
        let message = found.and_then(|at| self.sockets[at].messages.pop_front());
        if message.is_none() && found.is_some() && waited <= REPLY_MS {
            return Tried::Wait;
        }
        let asked = Asked { argv: &[], queued: &[], proto: Default::default(), by_clock: false };
        let (mark, real) = match message {
            Some(message) => {
                let equal = compare(asked, expected, &message) == Match::Equal;
                (if equal { Mark::Equal } else { Mark::Differs }, message.to_cli_short())
            }
            None => (Mark::Differs, "…".to_owned()),
        };
        self.check(line, &[], expected.to_cli_short(), real, mark);
        Tried::Done
    }

    // ---- Faults ---------------------------------------------------------------------------------

    /// Breaks connections, and waits until the server's side is closed too.
    fn cut(&mut self, waited: u64, which: impl Fn(Owner) -> bool) -> Tried {
        if !self.sent {
            self.sent = true;
            for at in 0..self.sockets.len() {
                if which(self.sockets[at].owner) {
                    self.order(at, r#"{"do":"crash"}"#);
                }
            }
        }
        let open = |socket: &Socket| which(socket.owner) && !socket.closed;
        if self.sockets.iter().any(open) && waited <= REPLY_MS {
            return Tried::Wait;
        }
        while let Some(at) = self.sockets.iter().position(|socket| which(socket.owner)) {
            self.close(at);
        }
        Tried::Done
    }

    fn take_down(&mut self, node: usize, keep: bool, waited: u64) -> Tried {
        let Some(watch) = self.find(Owner::Watch, Some(node)) else { return Tried::Done };
        if !self.sent {
            self.sent = true;
            self.down.push(node);
            self.order(watch, &format!(r#"{{"do":"down","keep":{keep}}}"#));
        }
        match self.sockets[watch].answers.pop_front() {
            None if waited <= PATIENCE_MS => return Tried::Wait,
            // Its connections break now; the word of that is on its way.
            Some(Ok(())) => self.sockets[watch].ready = false,
            // Others may use the server: it stays up, and so do its answers.
            _ => {
                self.down.retain(|one| *one != node);
                self.undone(Cannot::Shared);
                return Tried::Done;
            }
        }
        let of_node =
            |socket: &Socket| socket.node == node && matches!(socket.owner, Owner::Line(_));
        while let Some(at) = self.sockets.iter().position(of_node) {
            self.close(at);
        }
        Tried::Done
    }

    fn bring_up(&mut self, node: usize, waited: u64) -> Tried {
        let Some(watch) = self.find(Owner::Watch, Some(node)) else { return Tried::Done };
        if !self.down.contains(&node) {
            return Tried::Done;
        }
        if !self.sent {
            self.sent = true;
            self.order(watch, r#"{"do":"up"}"#);
        }
        if let Some(Err(why)) = self.sockets[watch].answers.pop_front() {
            self.stop(Trouble::Lost(why));
            return Tried::Done;
        }
        // The proxy looks for it again, at growing intervals.
        if self.sockets[watch].ready {
            self.down.retain(|one| *one != node);
            let of_node =
                |socket: &Socket| socket.node == node && matches!(socket.owner, Owner::Line(_));
            while let Some(at) = self.sockets.iter().position(of_node) {
                self.close(at);
            }
            return Tried::Done;
        }
        if waited > 2 * PATIENCE_MS {
            let why = self.sockets[watch].lost.clone().unwrap_or_else(|| "…".into());
            self.stop(Trouble::Lost(why));
            return Tried::Done;
        }
        Tried::Wait
    }
}

fn of_client(owner: Owner, client: ClientId) -> bool {
    matches!(owner, Owner::Line(line) if line.client == client && !line.is_shared())
}

/// Removes the timeout of a blocking command, so that it waits until the schedule lets time pass,
/// and is then ended ([`Task::Unblock`]).
fn wait_for_ever(argv: &mut [Bytes]) {
    let name = argv.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
    let at = match name.as_slice() {
        b"WAIT" | b"BLPOP" | b"BRPOP" | b"BRPOPLPUSH" | b"BLMOVE" | b"BZPOPMIN" | b"BZPOPMAX" => {
            argv.len().checked_sub(1)
        }
        b"BLMPOP" | b"BZMPOP" => Some(1),
        b"XREAD" | b"XREADGROUP" => {
            let block = argv.iter().position(|word| word.eq_ignore_ascii_case(b"BLOCK"));
            block.map(|at| at + 1)
        }
        _ => None,
    };
    if let Some(word) = at.and_then(|at| argv.get_mut(at)) {
        *word = b"0".as_slice().into();
    }
}

fn words_of(sent: &Option<Sent>) -> Rc<[Bytes]> {
    match sent {
        Some(sent) => sent.argv.clone(),
        None => Vec::new().into(),
    }
}

/// Parses `blocked_clients` in INFO.
fn blocked_clients(info: &Value) -> Option<i64> {
    let (Value::Bulk(text) | Value::Verbatim { text, .. }) = info else { return None };
    let text = String::from_utf8_lossy(text);
    let line = text.lines().find_map(|line| line.strip_prefix("blocked_clients:"))?;
    line.trim().parse().ok()
}
