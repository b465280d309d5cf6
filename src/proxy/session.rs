//! The protocol of one connection, without its sockets: commands in, replies out, matched in order.
//! Nothing here waits.
//!
//! Contract: every command gets exactly one answer, in the order of the commands, whether Redis
//! replies, the policy refuses, or the connection to Redis is lost. A command is sent at most once.
//! Pushes of Redis are passed on between the answers.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::Message;

use super::budget::Share;
use super::confine;
use super::control;
use super::hub::{Hub, Queued, Ticket, Turn, Write};
use super::limits::{PENDING_MAX, PIECE_BYTES, REPLY_BYTES_MAX, SMALL_PIECE_BYTES};
use super::metrics::Metrics;
use super::pieces::Pieces;
use super::policy::{Ground, resolve};
use super::wire::{self, Framer, Request};
use engine::{Command, Flags, Group};

/// The three kinds of subscription, and Redis's confirmations of their changes.
const SUBSCRIBE: [&[u8]; 3] = [b"subscribe", b"psubscribe", b"ssubscribe"];
const UNSUBSCRIBE: [&[u8]; 3] = [b"unsubscribe", b"punsubscribe", b"sunsubscribe"];
const MESSAGES: [&[u8]; 3] = [b"message", b"pmessage", b"smessage"];

/// An answer that is awaited.
#[derive(Debug)]
enum Pending {
    /// The proxy's own answer, which waits for those before it.
    Local(Vec<u8>),
    Reply {
        since: Instant,
        what: What,
        /// True if the reply is dropped when it comes.
        lose: bool,
    },
    /// A reply that is dropped.
    Swallow { since: Instant },
    /// Confirmations of a subscription's change; `None`: as many as there are subscriptions.
    Confirm { kind: usize, left: Option<usize>, since: Instant },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Plain,
    Script,
    /// A blocking command, which may take any time.
    Blocking,
    /// HELLO with a version.
    Hello {
        resp3: bool,
    },
}

/// The state of the connection between MULTI and EXEC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Multi {
    Out,
    In,
    /// A command was refused: EXEC must fail, as after Redis's own refusals.
    Spoilt,
}

/// A command for a shared server that waits for its turn.
#[derive(Debug)]
struct Unsent {
    bytes: Vec<u8>,
    pace: Pace,
    write: Option<Write>,
    /// True inside MULTI.
    queued: bool,
}

/// What a command takes of Redis's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    Fast,
    Slow,
    /// It may take any time and none of Redis's.
    Blocks,
}

/// The command that a shared server is carrying out.
#[derive(Debug)]
struct Flight {
    began: Instant,
    pace: Pace,
    /// One that blocks has given it back.
    turn: Option<Turn>,
}

/// A long reply that is passed on as it comes.
#[derive(Debug)]
struct Passing {
    pieces: Pieces,
    /// True if it answers no command.
    pushed: bool,
    /// True if it is thrown away.
    lost: bool,
}

#[derive(Debug)]
pub struct Session {
    hub: Arc<Hub>,
    pub ticket: Ticket,
    /// On a shared server, commands go one after the other: Redis carries out all that one client
    /// has sent before it turns to another.
    unsent: VecDeque<Unsent>,
    unsent_bytes: usize,
    flight: Option<Flight>,
    /// What the open transaction may add to the visitor's keys.
    queued: Vec<Queued>,
    /// Bytes to send to Redis next.
    pub out: Vec<u8>,
    /// Messages to send to the page next, in order.
    pub outbox: Vec<Message>,
    replies: Vec<u8>,
    framer: Framer,
    /// What `framer` holds, out of the bytes that all connections may.
    share: Share,
    passing: Option<Passing>,
    /// The reason why the page has half of a reply and can get no other.
    pub torn: Option<String>,
    pending: VecDeque<Pending>,
    ground: Option<Ground>,
    prefix: Option<Vec<u8>>,
    multi: Multi,
    subscriptions: [BTreeSet<Vec<u8>>; 3],
    resp3: bool,
    lose_next: bool,
    /// True if the client has sent QUIT.
    quit: bool,
    /// The reason why there is no connection to Redis.
    down: String,
}

impl Session {
    pub fn new(hub: Arc<Hub>, ticket: Ticket) -> Self {
        Self {
            unsent: VecDeque::new(),
            unsent_bytes: 0,
            flight: None,
            queued: Vec::new(),
            share: hub.budget.share(),
            passing: None,
            torn: None,
            hub,
            ticket,
            out: Vec::new(),
            outbox: Vec::new(),
            replies: Vec::new(),
            framer: Framer::default(),
            pending: VecDeque::new(),
            ground: None,
            prefix: None,
            multi: Multi::Out,
            subscriptions: Default::default(),
            resp3: false,
            lose_next: false,
            quit: false,
            down: "not connected yet".into(),
        }
    }

    // ---- The connection to Redis ----------------------------------------------------------------

    pub fn connected(&mut self, ground: Ground) {
        let confined = matches!(ground, Ground::Prefix { .. });
        self.prefix = confined.then(|| self.ticket.visitor.prefix.clone().into_bytes());
        self.ground = Some(ground);
    }

    /// Answers every waiting command with an error; none is sent again.
    pub fn lost(&mut self, why: &str) {
        self.ground = None;
        self.down = why.to_owned();
        self.out.clear();
        self.unsent.clear();
        self.unsent_bytes = 0;
        self.flight = None;
        self.queued.clear();
        self.framer.reset();
        self.share.set(0);
        if let Some(passing) = self.passing.take()
            && !passing.lost
        {
            self.torn = Some(why.to_owned());
        }
        self.multi = Multi::Out;
        self.subscriptions = Default::default();
        self.resp3 = false;
        self.lose_next = false;
        let words = format!("{why}; whether this command was carried out is not known");
        for pending in std::mem::take(&mut self.pending) {
            match pending {
                Pending::Local(reply) => self.replies.extend(reply),
                Pending::Swallow { .. } => {}
                Pending::Reply { .. } | Pending::Confirm { .. } => {
                    self.replies.extend(wire::refusal(&words));
                }
            }
        }
    }

    pub fn cannot_connect(&mut self, why: &str) {
        self.down = why.to_owned();
    }

    /// Returns true if the client has sent QUIT and everything before it was answered.
    pub fn has_quit(&self) -> bool {
        self.quit && self.pending.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.pending.len() >= PENDING_MAX
    }

    /// Returns how long the oldest command that should not block has waited; the flag is true for a
    /// script.
    pub fn waiting(&self) -> Option<(Duration, bool)> {
        if self.wants_turn() {
            return None;
        }
        match self.pending.front()? {
            Pending::Reply { what: What::Blocking, .. } | Pending::Local(_) => None,
            Pending::Reply { since, what, .. } => Some((since.elapsed(), *what == What::Script)),
            Pending::Confirm { since, .. } | Pending::Swallow { since } => {
                Some((since.elapsed(), false))
            }
        }
    }

    // ---- Turns on a shared server ---------------------------------------------------------------

    /// Returns true if a command waits for the visitor's turn.
    pub fn wants_turn(&self) -> bool {
        let reads = self.passing.is_none() && self.framer.waiting() == 0;
        self.flight.is_none() && reads && !self.unsent.is_empty()
    }

    /// Returns whether that command may be slow, and what it may write.
    pub fn next(&self) -> (bool, Option<Write>) {
        let next = self.unsent.front();
        next.map_or((false, None), |next| (next.pace == Pace::Slow, next.write.clone()))
    }

    /// Refuses that command.
    pub fn go_without(&mut self, turn: Turn, why: &str) {
        let Some(next) = self.unsent.front_mut() else { return };
        Metrics::one(&self.hub.metrics.refused_commands_total);
        let refusal = wire::refusal(why);
        self.pending.pop_front();
        if !next.queued {
            self.unsent_bytes -= next.bytes.len();
            self.unsent.pop_front();
            self.replies.extend(refusal);
            return self.settle();
        }
        // EXEC must fail, and may be under way already: Redis refuses the transaction because of
        // this, whose answer is not the client's.
        self.unsent_bytes -= next.bytes.len();
        next.bytes = wire::command(&["GET"]);
        self.unsent_bytes += next.bytes.len();
        self.pending.push_front(Pending::Local(refusal));
        self.pending.push_front(Pending::Swallow { since: Instant::now() });
        self.go(turn, None);
    }

    /// Lets others' slow commands go, as this connection does nothing for a while.
    pub fn give_way(&mut self) {
        if let Some(Flight { turn: Some(turn), .. }) = &mut self.flight {
            turn.lane = None;
        }
    }

    /// Sends the next command: it is the visitor's turn, until the reply.
    pub fn go(&mut self, turn: Turn, queued: Option<Queued>) {
        let Some(next) = self.unsent.pop_front() else { return };
        if !next.queued {
            // The transaction ends in this turn.
            self.queued.clear();
        }
        self.queued.extend(queued);
        self.unsent_bytes -= next.bytes.len();
        self.out.extend(next.bytes);
        let began = Instant::now();
        let turn = (next.pace != Pace::Blocks).then_some(turn);
        self.flight = Some(Flight { began, pace: next.pace, turn });
        if let Some(
            Pending::Reply { since, .. }
            | Pending::Confirm { since, .. }
            | Pending::Swallow { since },
        ) = self.pending.front_mut()
        {
            *since = began;
        }
    }

    /// The command under way has its answer.
    fn landed(&mut self) {
        if let Some(Flight { began, pace: Pace::Slow, .. }) = self.flight.take() {
            self.hub.charge(&self.ticket.visitor, began.elapsed());
        }
    }

    /// The command under way has been carried out, however slowly its long reply is read. Others'
    /// commands may go, but the visitor's own wait. So Redis keeps one unread reply of each.
    fn comes(&mut self) {
        if let Some(flight) = &mut self.flight
            && flight.pace == Pace::Slow
        {
            flight.pace = Pace::Fast;
            self.hub.charge(&self.ticket.visitor, flight.began.elapsed());
        }
        self.give_way();
    }

    /// Returns the bytes of commands that Redis has not taken.
    pub fn waiting_bytes(&self) -> usize {
        self.out.len() + self.unsent_bytes
    }

    /// Sends a command, now or in its turn.
    fn emit(&mut self, bytes: Vec<u8>, (pace, queued): (Pace, bool), write: Option<Write>) {
        Metrics::add(&self.hub.metrics.bytes_to_redis_total, bytes.len());
        if self.ground == Some(Ground::Own) {
            return self.out.extend(bytes);
        }
        self.unsent_bytes += bytes.len();
        self.unsent.push_back(Unsent { bytes, pace, write, queued });
    }

    // ---- From the page --------------------------------------------------------------------------

    /// Takes a message of commands. If it is not valid, the error says why, and nothing of it is
    /// sent.
    pub fn take(&mut self, message: &[u8]) -> Result<(), String> {
        let hub = self.hub.clone();
        if message.len() > hub.limits.message {
            Metrics::one(&hub.metrics.malformed_total);
            let why = format!(
                "a message of {} bytes: {} are allowed; nothing of it was carried out",
                message.len(),
                hub.limits.message
            );
            self.answer(wire::refusal(&why));
            self.spoil();
            return Ok(());
        }
        let requests = match wire::requests(message, PENDING_MAX) {
            Ok(requests) => requests,
            Err(why) => {
                Metrics::one(&hub.metrics.malformed_total);
                self.answer(wire::refusal(&format!("this is no command in RESP: {why}")));
                return Err(why);
            }
        };
        for request in requests {
            if let Err(why) = self.command(&hub, &request) {
                self.spoil();
                self.answer(wire::refusal(&why));
            }
        }
        Ok(())
    }

    /// Marks the transaction as failed, because a command was refused.
    fn spoil(&mut self) {
        if self.multi == Multi::In {
            self.multi = Multi::Spoilt;
        }
    }

    /// Sends one command, or answers it here; an error refuses it.
    fn command(&mut self, hub: &Hub, request: &Request<'_>) -> Result<(), String> {
        if !hub.may_send(&self.ticket.visitor) {
            Metrics::one(&hub.metrics.rate_limited_total);
            let rate = hub.limits.rate;
            return Err(format!("more than {rate} commands per second, or slow ones: slow down"));
        }
        let argv = &request.argv;
        let denied = |why| {
            Metrics::one(&hub.metrics.refused_commands_total);
            Err(why)
        };
        let Some(ground) = self.ground else {
            return Err(format!("there is no connection to Redis: {}", self.down));
        };
        let command = match resolve(argv) {
            Ok(command) => command,
            Err(why) => return denied(why),
        };
        if command.name == "quit" {
            self.answer(b"+OK\r\n".to_vec());
            self.quit = true;
            return Ok(());
        }
        if let Some(why) = hub.policy.refuses(command, ground).or_else(|| self.unfit(command, argv))
        {
            return denied(why);
        }
        if ground != Ground::Own
            && let Some(why) = hub.scripts.refuses(command, argv)
        {
            return denied(why);
        }
        if self.multi == Multi::Spoilt && matches!(command.name, "exec" | "discard") {
            return self.end_spoilt(command);
        }
        let positions = match &self.prefix {
            None => Vec::new(),
            Some(_) => match confine::positions(command, argv) {
                Ok(positions) => positions,
                Err(why) => return denied(why),
            },
        };
        // EXEC itself writes nothing that is not known by then.
        let queued = self.multi != Multi::Out && !matches!(command.name, "exec" | "discard");
        let write = Write::of(command, argv, &positions, queued);
        let mut bytes = Vec::new();
        match (&self.prefix, positions.is_empty()) {
            (Some(prefix), false) => {
                let mut words: Vec<Vec<u8>> = argv.iter().map(|word| word.to_vec()).collect();
                for at in positions {
                    words[at] = [prefix.as_slice(), argv[at]].concat();
                }
                wire::push_command(&words, &mut bytes);
            }
            _ => bytes.extend_from_slice(request.raw),
        }
        Metrics::one(&hub.metrics.commands_total);
        self.await_answer(command, argv);
        let blocks =
            matches!(self.pending.back(), Some(Pending::Reply { what: What::Blocking, .. }));
        let pace = match command.flags.has(Flags::FAST) {
            _ if blocks => Pace::Blocks,
            // Of a transaction, only EXEC does anything.
            true if command.name != "exec" => Pace::Fast,
            _ if self.multi != Multi::Out => Pace::Fast,
            _ => Pace::Slow,
        };
        self.emit(bytes, (pace, queued), write);
        Ok(())
    }

    /// Returns why the state of this connection forbids a command; `None` if it does not.
    fn unfit(&self, command: &Command, argv: &[&[u8]]) -> Option<String> {
        let has = |word: &[u8]| argv.iter().skip(2).any(|arg| arg.eq_ignore_ascii_case(word));
        let subscribes = command.group == Group::PubSub && command.name.ends_with("subscribe");
        match command.name {
            "hello" if has(b"AUTH") => Some("the proxy logs in for you: HELLO without AUTH".into()),
            _ if subscribes && self.multi != Multi::Out => {
                Some("a subscription inside MULTI is not possible here".into())
            }
            _ => None,
        }
    }

    /// Handles EXEC or DISCARD of a transaction in which the proxy has refused a command.
    fn end_spoilt(&mut self, command: &Command) -> Result<(), String> {
        self.multi = Multi::Out;
        self.emit(wire::command(&["DISCARD"]), (Pace::Fast, false), None);
        if command.name == "discard" {
            self.push(What::Plain, false);
            return Ok(());
        }
        // Redis forgets the transaction; its answer to that is not the client's.
        self.pending.push_back(Pending::Swallow { since: Instant::now() });
        self.answer(b"-EXECABORT Transaction discarded because of previous errors.\r\n".to_vec());
        Ok(())
    }

    fn push(&mut self, what: What, lose: bool) {
        self.pending.push_back(Pending::Reply { since: Instant::now(), what, lose });
    }

    /// Records which answer the command will get.
    fn await_answer(&mut self, command: &Command, argv: &[&[u8]]) {
        let name = command.name.as_bytes();
        if let Some(kind) = SUBSCRIBE.iter().position(|known| *known == name) {
            let left = Some((argv.len() - 1).max(1));
            return self.pending.push_back(Pending::Confirm { kind, left, since: Instant::now() });
        }
        if let Some(kind) = UNSUBSCRIBE.iter().position(|known| *known == name) {
            let left = (argv.len() > 1).then(|| argv.len() - 1);
            return self.pending.push_back(Pending::Confirm { kind, left, since: Instant::now() });
        }
        let queued = self.multi != Multi::Out;
        match command.name {
            "multi" if !queued => self.multi = Multi::In,
            "exec" | "discard" => self.multi = Multi::Out,
            _ => {}
        }
        let script = command.group == Group::Scripting
            && ["eval", "fcall"].iter().any(|begin| command.name.starts_with(begin));
        let what = match command.name {
            "exec" => What::Script,
            "hello" if argv.len() > 1 => What::Hello { resp3: argv[1] == b"3" },
            _ if queued => What::Plain,
            _ if script => What::Script,
            // WAIT too: for replicas, which may be held back for as long as a visitor likes.
            _ if command.flags.has(Flags::BLOCKING) => What::Blocking,
            _ => What::Plain,
        };
        let lose = std::mem::take(&mut self.lose_next);
        self.push(what, lose);
    }

    pub fn lose_next(&mut self) {
        self.lose_next = true;
    }

    /// Adds an answer of the proxy's own, after those that are awaited.
    fn answer(&mut self, reply: Vec<u8>) {
        match self.pending.is_empty() {
            true => self.replies.extend(reply),
            false => self.pending.push_back(Pending::Local(reply)),
        }
    }

    /// Adds a text message, after the replies that have come.
    pub fn tell(&mut self, text: String) {
        self.flush();
        self.outbox.push(Message::Text(text.into()));
    }

    /// Moves the replies that have come to the outbox.
    pub fn flush(&mut self) {
        if !self.replies.is_empty() {
            let bytes = std::mem::take(&mut self.replies);
            self.outbox.push(Message::Binary(bytes.into()));
        }
    }

    // ---- From Redis -----------------------------------------------------------------------------

    /// Takes bytes of replies; an error says why the connection cannot go on.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), String> {
        Metrics::add(&self.hub.metrics.bytes_from_redis_total, bytes.len());
        if self.passing.is_some() {
            let rest = self.pass(bytes)?;
            self.framer.feed(&rest);
        } else {
            self.framer.feed(bytes);
        }
        loop {
            let next = self.framer.next_reply().map_err(no_reply)?;
            if let Some(range) = next {
                let reply = self.framer.bytes(range).to_vec();
                self.reply(&reply);
                continue;
            }
            let waiting = self.framer.waiting();
            let room = self.share.set(waiting);
            if waiting <= if room { PIECE_BYTES } else { SMALL_PIECE_BYTES } {
                return Ok(());
            }
            let pushed = self.pushed(self.framer.rest());
            if let Some(Pushed::Subscribed(_) | Pushed::Unsubscribed(_)) = pushed {
                // The name of a channel, which is needed: no longer than a message.
                return match waiting > REPLY_BYTES_MAX {
                    true => Err(too_long()),
                    false => Ok(()),
                };
            }
            if self.framer.announced() > REPLY_BYTES_MAX {
                return Err(too_long());
            }
            let lost = matches!(
                self.pending.front(),
                Some(Pending::Reply { lose: true, .. } | Pending::Swallow { .. })
            );
            if pushed.is_none() {
                self.comes();
            }
            let pieces = Pieces::new(self.prefix.as_deref().unwrap_or_default());
            let pushed = pushed.is_some();
            self.passing = Some(Passing { pieces, pushed, lost: lost && !pushed });
            let bytes = self.framer.take();
            self.share.set(0);
            let rest = self.pass(&bytes)?;
            self.framer.feed(&rest);
        }
    }

    /// Takes bytes of a long reply; returns those after its end.
    fn pass(&mut self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let Some(passing) = &mut self.passing else { return Ok(bytes.to_vec()) };
        let mut nowhere = Vec::new();
        let out = if passing.lost { &mut nowhere } else { &mut self.replies };
        let rest = passing.pieces.pass(bytes, out).map_err(no_reply)?;
        if passing.pieces.passed > REPLY_BYTES_MAX {
            return Err(too_long());
        }
        if !passing.pieces.is_done() {
            // It has not stopped coming.
            if let Some(Pending::Reply { since, .. }) = self.pending.front_mut() {
                *since = Instant::now();
            }
            return Ok(rest);
        }
        let pushed = passing.pushed;
        self.passing = None;
        if !pushed {
            self.landed();
        }
        Metrics::one(&self.hub.metrics.replies_total);
        if !pushed
            && !matches!(self.pending.front(), Some(Pending::Local(_)))
            && let Some(Pending::Reply { lose: true, .. }) = self.pending.pop_front()
        {
            Metrics::one(&self.hub.metrics.faults_total);
            self.tell(control::reply_lost());
        }
        self.settle();
        Ok(rest)
    }

    fn reply(&mut self, reply: &[u8]) {
        Metrics::one(&self.hub.metrics.replies_total);
        let pushed = self.pushed(reply);
        if let Some(pushed) = pushed {
            self.confirm(pushed, reply);
            self.forward(reply);
            return self.settle();
        }
        self.landed();
        match self.pending.pop_front() {
            Some(Pending::Reply { lose: true, .. }) => {
                Metrics::one(&self.hub.metrics.faults_total);
                self.tell(control::reply_lost());
            }
            Some(Pending::Reply { what, .. }) => {
                if let What::Hello { resp3 } = what
                    && reply.first() != Some(&b'-')
                {
                    self.resp3 = resp3;
                }
                self.forward(reply);
            }
            Some(Pending::Swallow { .. }) => {}
            // An error ends a change of subscriptions at once. Anything else answers no command.
            Some(Pending::Confirm { .. }) | None => self.forward(reply),
            Some(local @ Pending::Local(_)) => {
                self.pending.push_front(local);
                self.forward(reply);
            }
        }
        self.settle();
    }

    /// Returns the kind of a push or of a confirmation of a subscription change; `None` for an
    /// ordinary reply.
    fn pushed(&self, reply: &[u8]) -> Option<Pushed> {
        let subscribing = matches!(self.pending.front(), Some(Pending::Confirm { .. }))
            || self.subscriptions.iter().any(|set| !set.is_empty());
        let may_be = match reply.first() {
            Some(b'>') => true,
            // To RESP2, a message is an array like any other; while subscribed there are no others.
            Some(b'*') => !self.resp3 && subscribing,
            _ => false,
        };
        if !may_be {
            return None;
        }
        let first = *wire::words(reply, 1).first()?;
        let at = |list: [&[u8]; 3]| list.iter().position(|known| *known == first);
        if let Some(kind) = at(SUBSCRIBE) {
            return Some(Pushed::Subscribed(kind));
        }
        if let Some(kind) = at(UNSUBSCRIBE) {
            return Some(Pushed::Unsubscribed(kind));
        }
        let other = reply.first() == Some(&b'>') || at(MESSAGES).is_some();
        other.then_some(Pushed::Message)
    }

    /// Records a change of subscriptions.
    fn confirm(&mut self, pushed: Pushed, reply: &[u8]) {
        let (Pushed::Subscribed(kind) | Pushed::Unsubscribed(kind)) = pushed else { return };
        let channel = wire::words(reply, 2).get(1).map(|name| name.to_vec()).unwrap_or_default();
        // UNSUBSCRIBE of everything is confirmed for each subscription, and at least once.
        let all = self.subscriptions[kind].len().max(1);
        match pushed {
            Pushed::Subscribed(_) => _ = self.subscriptions[kind].insert(channel),
            _ => _ = self.subscriptions[kind].remove(&channel),
        }
        if let Some(Pending::Confirm { kind: due, left, .. }) = self.pending.front_mut()
            && *due == kind
        {
            let rest = left.unwrap_or(all) - 1;
            *left = Some(rest);
            if rest == 0 {
                self.pending.pop_front();
                self.landed();
            }
        }
    }

    /// Emits the proxy's own answers whose turn has come.
    fn settle(&mut self) {
        while let Some(Pending::Local(_)) = self.pending.front() {
            if let Some(Pending::Local(reply)) = self.pending.pop_front() {
                self.replies.extend(reply);
            }
        }
    }

    fn forward(&mut self, reply: &[u8]) {
        let Some(prefix) = &self.prefix else { return self.replies.extend_from_slice(reply) };
        if reply.starts_with(b"-") {
            let says = |words: &[u8]| reply.windows(words.len()).any(|part| part == words);
            let denied = says(b"access at least one of the keys") || says(b"permissions to access");
            let hint: &[u8] = match denied {
                true => b" (on a shared server a script has the keys that it is given in KEYS)",
                false => b"",
            };
            let reply = wire::without_prefix(reply, prefix);
            let line = reply.strip_suffix(b"\r\n").unwrap_or(&reply);
            self.replies.extend([line, hint, b"\r\n"].concat());
            return;
        }
        match reply.windows(prefix.len()).any(|window| window == prefix) {
            true => self.replies.extend(wire::without_prefix(reply, prefix)),
            false => self.replies.extend_from_slice(reply),
        }
    }
}

fn no_reply(what: &str) -> String {
    format!("Redis sent what is no reply ({what})")
}

fn too_long() -> String {
    format!("a reply of more than {REPLY_BYTES_MAX} bytes")
}

#[derive(Debug, Clone, Copy)]
enum Pushed {
    Message,
    Subscribed(usize),
    Unsubscribed(usize),
}

#[cfg(test)]
mod tests;
