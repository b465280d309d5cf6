//! The transitions of a world: calls, replies, and time. Every action goes through
//! [`World::apply`].

use std::mem;
use std::rc::Rc;

use crate::engine::{self, Access, ConnId, Flags, Outcome};
use crate::lua::{Data, Trace};
use crate::mutant::{Mutant, is_on};
use crate::resp::{Bytes, Value, number::parse_int};

use super::action::{Action, ClientId, Impossible, NodeId};
use super::check::{Assumed, Assumption};
use super::client::{Around, Call, CallKind, Client, State, Wait, Woken};
use super::connections::CANCELLED;
use super::deliver::is_message;
use super::node::{Link, Node};
use super::resource::Write;
use super::scenario::TimeMode;
use super::sql::{self, Prepared};
use super::variables::VariableUse;
use super::world::{Event, Ran, Seen, World};

/// The record of an action, for a viewer and for a search.
#[derive(Debug)]
pub(super) struct Log {
    pub watched: bool,
    /// The client that makes this step; `None` if time, a fault or a repair does.
    pub turn: Option<ClientId>,
    ran: Vec<Ran>,
    /// Values that reached consoles.
    pub heard: Vec<(ClientId, Value)>,
    /// Replies and messages that instances sent later than the call: (client, connection, value).
    pub late: Vec<(ClientId, u8, Value)>,
    /// Reads and writes, recorded for a search only.
    pub touched: Option<Touched>,
}

/// The reads and writes of an action.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// The accesses of commands, each with its instance.
    pub commands: Vec<(NodeId, Access)>,
    /// The clients that read their clocks.
    pub clocks: Vec<ClientId>,
    /// What a search takes for granted of the step.
    pub assumed: Assumed,
    /// True if a program has used `math.random` without seeding it.
    pub has_drawn: bool,
}

/// What becomes of the reply to a command that is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The client gets it.
    Arrives,
    /// The connection breaks before it has arrived.
    Lost,
    /// The client has given up, and it stays on the connection.
    GivenUp,
}

impl Log {
    pub fn new(watched: bool) -> Log {
        let (ran, heard, late) = Default::default();
        Log { watched, turn: None, ran, heard, late, touched: None }
    }

    /// A log that records only reads and writes.
    pub fn touching() -> Log {
        Log { touched: Some(Touched::default()), ..Log::new(false) }
    }
}

impl World {
    /// Applies `action`. If it is impossible, the world is unchanged.
    pub fn apply(&mut self, action: Action) -> Result<Seen, Impossible> {
        self.possible(action)?;
        let before = self.nodes.clone();
        let (left, then_ms) = (self.budget.left(), self.now_ms);
        let mut log = Log::new(true);
        let event = self.happen(action, &mut log);
        debug_assert!(self.now_ms >= then_ms, "{action:?} moves time back");
        let is_spent = || left.iter().zip(self.budget.left()).all(|(left, now)| now <= *left);
        debug_assert!(is_spent(), "{action:?} gives a fault back");
        Ok(self.seen(&before, event, log))
    }

    /// [`World::apply`] that also returns the reads and writes.
    pub(super) fn apply_seen_and_logged(
        &mut self,
        action: Action,
    ) -> Result<(Seen, Touched), Impossible> {
        self.possible(action)?;
        let before = self.nodes.clone();
        let mut log = Log { touched: Some(Touched::default()), ..Log::new(true) };
        let event = self.happen(action, &mut log);
        let touched = log.touched.take().unwrap_or_default();
        Ok((self.seen(&before, event, log), touched))
    }

    /// Returns the visible effects since the instances were as `before`.
    pub(super) fn seen(&self, before: &[Rc<Node>], event: Event, log: Log) -> Seen {
        let pairs = before.iter().zip(&self.nodes);
        let wrote =
            pairs.into_iter().any(|(old, new)| old.instance.dirty() != new.instance.dirty());
        let changes = self.changes_since(before);
        Seen { event, changes, wrote, ran: log.ran, heard: log.heard, late: log.late }
    }

    /// [`World::apply`] without a record of what was seen, which is faster; for searches.
    pub fn apply_unseen(&mut self, action: Action) -> Result<(), Impossible> {
        self.possible(action)?;
        self.happen(action, &mut Log::new(false));
        Ok(())
    }

    /// [`World::apply_unseen`] that also returns the reads and writes.
    pub(super) fn apply_logged(&mut self, action: Action) -> Result<Touched, Impossible> {
        self.possible(action)?;
        let mut log = Log::touching();
        self.happen(action, &mut log);
        Ok(log.touched.unwrap_or_default())
    }

    /// Applies an action that is known to be possible.
    pub(super) fn happen(&mut self, action: Action, log: &mut Log) -> Event {
        log.turn = action.runs();
        // To wake is part of the next step: both together are held up for no longer than one. It
        // could have begun as late as it may, and been held up for the rest.
        if let Some(id) = log.turn.filter(|_| !matches!(action, Action::Arrive(..))) {
            let held_ms = self.clients[id.index()].held_ms.saturating_sub(self.late_ms(id));
            self.set_held(id, if self.wakes(id) { held_ms } else { 0 });
        }
        match action {
            Action::Step(id) => self.step(id, log),
            Action::Draw(id, outcome) => {
                self.draw(id, outcome, log).unwrap_or(Event::Other(action))
            }
            Action::Send(id) => self.send(id),
            Action::Execute(id) => match self.clients[id.index()].state.clone() {
                State::Sent(call) => {
                    let reply = self.execute(id, &call, Ending::Arrives, log);
                    Event::Execute { client: id, call, reply }
                }
                _ => Event::Other(action),
            },
            // Taken, not copied: a reply may be long.
            Action::Reply(id) => match mem::replace(&mut self.client_mut(id).state, State::Idle) {
                State::Answered(call, reply) => {
                    self.leave_pipe(id, &call);
                    self.hand_over(id, call.protected, &reply, log);
                    Event::Reply { client: id, call, reply }
                }
                other => {
                    self.client_mut(id).state = other;
                    Event::Other(action)
                }
            },
            Action::Arrive(id, connection) => {
                self.arrive(id, connection, log);
                Event::Other(action)
            }
            Action::Advance => self.advance(log),
            Action::Tick(ms) => self.tick(ms),
            Action::LoseReply(id) => {
                self.budget.lose -= 1;
                self.lose_reply(id, log)
            }
            Action::LoseRequest(id) => {
                self.budget.drop -= 1;
                self.lose_request(id, log)
            }
            Action::Cancel(id) => {
                self.budget.cancel -= 1;
                self.cancel(id, log)
            }
            Action::Disconnect(id) => {
                self.disconnect(id);
                Event::Other(action)
            }
            other => {
                self.fault(other, log);
                Event::Other(other)
            }
        }
    }

    fn step(&mut self, id: ClientId, log: &mut Log) -> Event {
        let Some(call) = self.clients[id.index()].ready().cloned() else {
            return Event::Other(Action::Step(id));
        };
        let reply = match &call.kind {
            CallKind::Redis { .. } => self.execute(id, &call, Ending::Arrives, log),
            CallKind::Receive { connection, timeout_ms, .. } => {
                self.receive(id, &call, *connection, *timeout_ms, log)
            }
            CallKind::Sql(prepared) => Some(self.execute_sql(id, prepared, false, log)),
            CallKind::Resource { name, value, token } => {
                let write = Write { client: id, value: value.clone(), token: *token };
                let accepted = Rc::make_mut(&mut self.resources).write(name, write);
                let reply = match &accepted {
                    Ok(accepted) => Value::Bool(*accepted),
                    Err(why) => Value::error(why),
                };
                let answer = accepted.map(|accepted| vec![Data::Bool(accepted)]);
                self.answer(id, answer.map_err(Data::str), log);
                Some(reply)
            }
            CallKind::Lock { name } => {
                let process = self.process(id);
                Rc::make_mut(&mut self.mutexes).take(process, name, id);
                self.answer(id, Ok(vec![]), log);
                Some(Value::ok())
            }
            CallKind::Variable(used) => Some(self.use_variable(id, used, log)),
            CallKind::Close { .. } => {
                self.close(id, &call, log);
                self.answer(id, Ok(vec![]), log);
                Some(Value::ok())
            }
            CallKind::Again => {
                self.begin_round(id, log);
                Some(Value::ok())
            }
            CallKind::Wake(woken) => {
                self.go_on(id, call.protected, woken, log);
                Some(woken.got())
            }
        };
        Event::Call { client: id, call, reply, lost: false }
    }

    /// Executes a statement and gives the client its answer, or with `lose` an error instead. One
    /// that would have to wait gets here only in a deadlock: its transaction is given up.
    pub(super) fn execute_sql(
        &mut self,
        id: ClientId,
        prepared: &Prepared,
        lose: bool,
        log: &mut Log,
    ) -> Value {
        let is_victim = !self.waits_for_rows_of(id).is_empty();
        let tables = Rc::make_mut(&mut self.sql);
        let answer = match is_victim {
            true => Err(sql::DEADLOCK.to_owned()),
            false => tables.execute_for(id, prepared),
        };
        if let Some(touched) = &mut log.touched {
            touched.assumed.add(Assumption::Isolation, tables.has_open());
        }
        // With its connection the client loses its transaction.
        if is_victim || lose {
            tables.roll_back(id);
        }
        let reply = match &answer {
            Ok(answer) => answer.to_reply(),
            Err(why) => Value::error(why),
        };
        let answer = if lose { Err(sql::LOST.to_owned()) } else { answer };
        let answer = answer.map(|answer| vec![answer.to_lua()]).map_err(Data::str);
        self.answer(id, answer, log);
        reply
    }

    /// Begins the next round of a program that was at its end, with new connections.
    fn begin_round(&mut self, id: ClientId, log: &mut Log) {
        let setting = self.setting.clone();
        let Some(chunk) = setting.again.get(id.index()).and_then(Option::as_ref) else { return };
        self.close_connections(id);
        self.end_transaction(id);
        self.run(id, log, |client, around, trace| client.begin_round(chunk, around, trace));
    }

    /// Lets a client that stopped at a variable of its process go on, and returns what it got.
    fn use_variable(&mut self, id: ClientId, used: &VariableUse, log: &mut Log) -> Value {
        let mut reply = Value::NilBulk;
        self.run(id, log, |client, around, trace| {
            let answer = around.variable(id, used);
            reply = match &answer {
                Ok(values) => values.first().map_or_else(Value::ok, |v| Value::status(&v.short())),
                Err(why) => Value::error(why.short()),
            };
            client.answer(answer, around, trace);
        });
        reply
    }

    fn send(&mut self, id: ClientId) -> Event {
        let Some(call) = self.clients[id.index()].ready().cloned() else {
            return Event::Other(Action::Send(id));
        };
        self.enter_pipe(id, &call);
        self.client_mut(id).state = State::Sent(call.clone());
        Event::Send { client: id, call }
    }

    /// Executes a command, and either gives the client its reply or makes it wait. Returns the
    /// reply that it gets, if there is one; if that is lost or given up, the client gets an error.
    pub(super) fn execute(
        &mut self,
        id: ClientId,
        call: &Call,
        ending: Ending,
        log: &mut Log,
    ) -> Option<Value> {
        let CallKind::Redis { node, connection, argv } = &call.kind else { return None };
        let at = self.serving(*node);
        if !self.is_up(at) {
            return self.no_answer(id, call, *connection, log);
        }
        self.use_shared(id, *connection);
        let conn = self.conn_of(id, *connection);
        self.open(at, conn);
        let arrives = ending == Ending::Arrives;
        if let Some(wait) = self.wait_request(at, conn, argv).filter(|_| arrives) {
            return self.start_wait(id, call, wait, log);
        }
        let (outcome, mut pushes) = self.execute_on(at, conn, argv, log);
        if id.is_console() && outcome == Outcome::None {
            // Only pushes come; the diagram shows the first one.
            let first = pushes.iter().find(|(to, _)| *to == conn).map(|(_, push)| push.clone());
            self.deliver(pushes, log);
            return Some(first.unwrap_or(Value::NilBulk));
        }
        let held = outcome == Outcome::Blocked;
        let own = match outcome {
            Outcome::Reply(reply) => Some(reply),
            Outcome::Blocked => None,
            // SUBSCRIBE acknowledges by a push. After CLIENT REPLY OFF and the like nothing comes,
            // and the program goes on with nil.
            Outcome::None => {
                let own = pushes.iter().position(|(to, push)| *to == conn && !is_message(push));
                own.map(|at| pushes.remove(at).1)
            }
        };
        let nothing = (!held).then_some(Value::NilBulk);
        let mut reply = own.clone().or_else(|| nothing.clone());
        match ending {
            Ending::Lost => self.lose_connection(id, call, log),
            Ending::GivenUp => {
                self.leave_unread(id, call, own, held);
                self.hand_over(id, call.protected, &Value::error(CANCELLED), log);
            }
            Ending::Arrives => match self.first_reply(id, call, own, held).or(nothing) {
                Some(first) => {
                    self.settle(id, call, first.clone(), log);
                    if !self.setting.wire {
                        reply = Some(first);
                    }
                }
                None => {
                    self.enter_pipe(id, call);
                    self.client_mut(id).state = State::Blocked(call.clone());
                }
            },
        }
        self.deliver(pushes, log);
        self.notice_killed(at, log);
        reply
    }

    /// Opens the connection, or reopens it if the server has closed it.
    fn open(&mut self, at: NodeId, conn: ConnId) {
        let node = &mut self.nodes[at.index()];
        if node.instance.is_closed(conn) {
            let node = Rc::make_mut(node);
            node.instance.disconnect(conn);
            node.instance.connect_as(conn, node.now_ms(self.now_ms));
            self.forget_left(conn);
        }
    }

    /// Executes a command on an instance that is up, and records its effects for the replicas.
    fn execute_on(
        &mut self,
        at: NodeId,
        conn: ConnId,
        argv: &[Bytes],
        log: &mut Log,
    ) -> (Outcome, Vec<(ConnId, Value)>) {
        let follows = self.link_of(at).is_some();
        let leads = self.links.iter().any(|link| link.master == at);
        let before = (follows || leads).then(|| self.nodes[at.index()].clone());
        let now_ms = self.now_ms;
        let node = Rc::make_mut(&mut self.nodes[at.index()]);
        let clock_ms = node.now_ms(now_ms);
        if let Some(why) = refused_by_replica(node, conn, argv).filter(|_| follows) {
            return (node.instance.refuse(conn, argv, why), Vec::new());
        }
        let outcome = match &mut log.touched {
            None => node.instance.execute(conn, argv, clock_ms),
            Some(touched) => {
                let mut access = Access::default();
                let outcome = node.instance.execute_logged(conn, argv, clock_ms, &mut access);
                read_clock(&mut access, before.as_deref().filter(|_| leads), node);
                touched.commands.push((at, access));
                outcome
            }
        };
        let pushes = node.instance.take_pushes();
        if let Some(before) = before.filter(|old| old.instance.dirty() != node.instance.dirty()) {
            // A script or a transaction that writes: a replica undoes it.
            if follows && !only_reads(argv) {
                *node = (*before).clone();
                node.instance.execute(conn, &[b"DISCARD".as_slice().into()], clock_ms);
                return (Outcome::Reply(Value::error(READONLY)), Vec::new());
            }
            if leads {
                self.send_changes(at, &before);
            }
        }
        (outcome, pushes)
    }

    /// Gives the client an error, at once or after its timeout, because the instance is down.
    fn no_answer(
        &mut self,
        id: ClientId,
        call: &Call,
        connection: u8,
        log: &mut Log,
    ) -> Option<Value> {
        self.leave_pipe(id, call);
        let connections = self.client(id).map(Client::connections).unwrap_or_default();
        let timeout_ms = connections.get(usize::from(connection)).map_or(0, |c| c.timeout_ms);
        if timeout_ms > 0 {
            let until_ms = self.now_ms + timeout_ms;
            self.client_mut(id).state = State::Unanswered { call: call.clone(), until_ms };
            return None;
        }
        let error = self.refused(call);
        self.settle(id, call, error.clone(), log);
        Some(error)
    }

    /// Returns the error of a call to an instance that is down.
    fn refused(&self, call: &Call) -> Value {
        let name = self.setting.node_name(call.node().unwrap_or_default());
        Value::error(format!("ERR connection refused: {name} does not answer"))
    }

    /// Returns the error of a call whose connection broke before the reply.
    pub(super) fn lost(&self, call: &Call) -> Value {
        let name = self.setting.node_name(call.node().unwrap_or_default());
        Value::error(format!("ERR connection to {name} lost before the reply"))
    }

    /// WAIT on a master with replicas, which only the world can answer.
    ///
    /// DIFFERENCE: Redis waits for the writes of the client that asks; here it waits for all that
    /// were made before, by whomever.
    fn wait_request(&self, at: NodeId, conn: ConnId, argv: &[Bytes]) -> Option<Wait> {
        let [name, wanted, timeout] = argv else { return None };
        if !name.eq_ignore_ascii_case(b"WAIT") || self.instance(at)?.conn(conn)?.in_multi {
            return None;
        }
        let links = self.links.iter().filter(|link| link.master == at);
        let behind =
            |link: &Rc<Link>| (link.replica, link.backlog.len() as u32 + u32::from(link.stale));
        let behind: Vec<(NodeId, u32)> = links.map(behind).collect();
        if behind.is_empty() {
            return None;
        }
        // Wrong arguments are left to the engine, which refuses them.
        let wanted = u32::try_from(parse_int(wanted)?).ok()?;
        let timeout_ms = u64::try_from(parse_int(timeout)?).ok()?;
        let until_ms = (timeout_ms > 0).then(|| self.now_ms.saturating_add(timeout_ms));
        Some(Wait { wanted, until_ms, behind })
    }

    fn start_wait(
        &mut self,
        id: ClientId,
        call: &Call,
        wait: Wait,
        log: &mut Log,
    ) -> Option<Value> {
        let caught_up = wait.caught_up();
        if caught_up >= wait.wanted as usize {
            let reply = self.first_reply(id, call, Some(Value::int(caught_up)), false)?;
            self.settle(id, call, reply.clone(), log);
            return Some(reply);
        }
        self.enter_pipe(id, call);
        self.client_mut(id).state = State::Waiting(call.clone(), wait);
        None
    }

    /// Wakes the clients that waited for replica `at` to apply one entry of its backlog, or all.
    pub(super) fn caught_up(&mut self, at: NodeId, left: usize, log: &mut Log) {
        for id in self.everybody() {
            let Some(State::Waiting(call, wait)) = self.client(id).map(Client::state) else {
                continue;
            };
            let (call, mut wait) = (call.clone(), wait.clone());
            let Some((_, behind)) = wait.behind.iter_mut().find(|(node, _)| *node == at) else {
                continue;
            };
            *behind = behind.saturating_sub(1).min(left as u32);
            let caught_up = wait.caught_up();
            if caught_up >= wait.wanted as usize {
                self.end_wait(id, &call, caught_up, log);
            } else {
                self.client_mut(id).state = State::Waiting(call, wait);
            }
        }
    }

    fn advance(&mut self, log: &mut Log) -> Event {
        let from_ms = self.now_ms;
        let to_ms = self.next_deadline_ms().unwrap_or(from_ms).max(from_ms);
        if self.setting.time == TimeMode::Any && !self.is_slow_enough() {
            let runs = self.ids().any(|id| self.next_of(id).is_some());
            self.budget.early = self.budget.early.saturating_sub(u8::from(runs));
        }
        if !self.setting.is_prompt() {
            self.hold_up(to_ms - from_ms);
        }
        self.now_ms = to_ms;
        let (mut over, mut woken) = (false, false);
        for at in self.setting.clone().node_ids() {
            over |= self.expire(at, log);
        }
        for id in self.everybody() {
            let due =
                self.client(id).and_then(|client| Some((client.deadline_ms()?, client.wakes())));
            if let Some((at_ms, wakes)) = due
                && at_ms <= to_ms
            {
                (over, woken) = (over || !wakes, woken || wakes);
                self.time_is_up(id, log);
            }
        }
        if let Some(touched) = &mut log.touched {
            touched.assumed.add(Assumption::Ties, over && woken);
        }
        Event::Advance { from_ms, to_ms }
    }

    /// Moves time by `ms`; nothing is due by then.
    fn tick(&mut self, ms: u32) -> Event {
        let from_ms = self.now_ms;
        if !self.setting.is_prompt() {
            self.hold_up(ms.into());
        }
        self.now_ms = from_ms.saturating_add(ms.into());
        Event::Advance { from_ms, to_ms: self.now_ms }
    }

    /// Adds `ms` to the time for which clients that can go on have been held up. For the others it
    /// starts at 0 when they can, or with the time for which they have not begun.
    fn hold_up(&mut self, ms: u64) {
        let ms = u32::try_from(ms).unwrap_or(u32::MAX);
        for id in self.ids() {
            let held_ms = self.clients[id.index()].held_ms;
            let runs = self.next_of(id).is_some();
            let idle_ms = held_ms.min(self.late_ms(id));
            let held_ms = if runs { held_ms.saturating_add(ms) } else { idle_ms };
            self.set_held(id, held_ms);
        }
    }

    pub(super) fn set_held(&mut self, id: ClientId, held_ms: u32) {
        if self.clients.get(id.index()).is_some_and(|client| client.held_ms != held_ms) {
            self.client_mut(id).held_ms = held_ms;
        }
    }

    /// Applies everything that is due on an instance that is up: expiry, timeouts. Returns true if
    /// something was.
    pub(super) fn expire(&mut self, at: NodeId, log: &mut Log) -> bool {
        let node = &self.nodes[at.index()];
        let clock_ms = node.now_ms(self.now_ms);
        let is_due = node.instance.next_deadline().is_some_and(|due| due <= clock_ms);
        // What a replica takes over may leave messages of CLIENT TRACKING.
        if !node.up || !is_due && !node.instance.has_pushes() {
            return false;
        }
        // What expires a replica finds out by its own clock.
        let leads = self.links.iter().any(|link| link.master == at);
        let before = (leads && node.instance.ends_pause(clock_ms)).then(|| node.clone());
        let node = Rc::make_mut(&mut self.nodes[at.index()]);
        match &mut log.touched {
            Some(touched) if node.instance.ends_pause(clock_ms) => {
                let mut access = Access::default();
                node.instance.advance_logged(clock_ms, &mut access);
                read_clock(&mut access, before.as_deref(), node);
                touched.commands.push((at, access));
            }
            _ => node.instance.advance(clock_ms),
        }
        let pushes = node.instance.take_pushes();
        if let Some(touched) = &mut log.touched {
            let tells = pushes.iter().any(|(_, push)| is_message(push));
            touched.assumed.add(Assumption::Expiry, tells);
        }
        if let Some(before) = before {
            self.send_changes(at, &before);
        }
        self.deliver(pushes, log);
        true
    }

    /// Sends the replicas of `at` what has changed there since `before`.
    pub(super) fn send_changes(&mut self, at: NodeId, before: &Node) {
        let node = &self.nodes[at.index()];
        if before.instance.dirty() == node.instance.dirty() {
            return;
        }
        let effects = before.instance.effects(&node.instance);
        if !effects.is_empty() {
            let effects = Rc::new(effects);
            let links = self.links.iter_mut().filter(|link| link.master == at);
            links.for_each(|link| Rc::make_mut(link).push(&effects));
        }
    }

    /// Ends the wait, the sleep or the pause of `id`, whose deadline has come.
    pub(super) fn time_is_up(&mut self, id: ClientId, log: &mut Log) {
        let Some(client) = self.client(id) else { return };
        if client.paused.is_some() {
            return self.resume(id, log);
        }
        let state = client.state.clone();
        match state {
            State::Sleeping { .. } => self.end(id, None, Woken::Time, log),
            State::Receiving { call, .. } => self.end(id, Some(&call), Woken::Time, log),
            State::Unanswered { call, .. } => {
                let error = self.refused(&call);
                self.settle(id, &call, error, log);
            }
            State::Waiting(call, wait) => {
                self.end_wait(id, &call, wait.caught_up(), log);
            }
            _ => {}
        }
    }

    /// Ends a WAIT, whether enough replicas have caught up or not: the reply is their number.
    fn end_wait(&mut self, id: ClientId, call: &Call, caught_up: usize, log: &mut Log) {
        let own = Some(Value::int(caught_up));
        let Some(reply) = self.first_reply(id, call, own, false) else { return };
        if log.watched {
            log.late.push((id, call.connection().unwrap_or_default(), reply.clone()));
        }
        self.settle(id, call, reply, log);
    }

    /// Handles a reply that has arrived: the client takes it at once, unless it is paused, in wire
    /// mode, or may be slow.
    pub(super) fn settle(&mut self, id: ClientId, call: &Call, reply: Value, log: &mut Log) {
        if id.is_console() {
            return self.answer_console(id, reply, log);
        }
        if self.setting.wire && self.arrive_before(id, call, log) {
            return;
        }
        let on_the_wire = self.setting.wire && matches!(call.kind, CallKind::Redis { .. });
        if !on_the_wire {
            self.leave_pipe(id, call);
        }
        if on_the_wire || self.clients[id.index()].paused.is_some() {
            self.client_mut(id).state = State::Answered(call.clone(), reply);
        } else {
            self.end(id, Some(call), Woken::Reply(reply), log);
        }
    }

    /// Gives the program Redis's reply, and runs it to the next call. `protected`: see [`Call`].
    pub(super) fn hand_over(
        &mut self,
        id: ClientId,
        protected: bool,
        reply: &Value,
        log: &mut Log,
    ) {
        self.run(id, log, |client, around, trace| client.reply(protected, reply, around, trace));
    }

    /// Returns this world as it would be if `id`, as it was in `before`, had been given `answer` in
    /// the last step.
    pub fn told(&self, before: &World, id: ClientId, answer: Data) -> World {
        let mut world = self.clone();
        let (Some(client), false) = (before.client(id), id.is_console()) else { return world };
        world.set_client(id, Rc::new(client.clone()));
        world.client_mut(id).paused = None;
        world.mutexes = before.mutexes.clone();
        world.variables = before.variables.clone();
        let mut log = Log { turn: Some(id), ..Log::new(false) };
        world.answer(id, Ok(vec![answer]), &mut log);
        world
    }

    /// Gives the program the answer to its call, and runs it to the next one.
    pub(super) fn answer(&mut self, id: ClientId, answer: Result<Vec<Data>, Data>, log: &mut Log) {
        self.run(id, log, |client, around, trace| client.answer(answer, around, trace));
    }

    pub(super) fn run(
        &mut self,
        id: ClientId,
        log: &mut Log,
        how: impl FnOnce(&mut Client, &mut Around<'_>, Option<&mut Trace>),
    ) {
        let shared = (&mut self.mutexes, &mut self.variables);
        let mut around = Around::new(self.now_ms, &self.setting, shared);
        around.in_turn = log.turn == Some(id);
        let client = Rc::make_mut(&mut self.clients[id.index()]);
        if log.watched {
            let mut trace = Trace::default();
            how(client, &mut around, Some(&mut trace));
            log.ran.push(Ran { client: id, trace });
        } else {
            how(client, &mut around, None);
        }
        let has_told_time = around.has_told_time;
        let has_used_variables = around.has_used_variables;
        if self.clients[id.index()].is_over() {
            self.end_transaction(id);
        }
        if let Some(touched) = &mut log.touched {
            touched.clocks.extend(has_told_time.then_some(id));
            touched.assumed.add(Assumption::Threads, has_used_variables);
            touched.has_drawn |= self.clients[id.index()].vm().has_drawn();
        }
    }

    /// Rolls back what a client leaves open: its connection to the database closes.
    pub(super) fn end_transaction(&mut self, id: ClientId) {
        if self.sql.is_open(id) {
            Rc::make_mut(&mut self.sql).roll_back(id);
        }
    }

    /// Returns a client that is known to exist.
    pub(super) fn client_mut(&mut self, id: ClientId) -> &mut Client {
        match self.console_at(id) {
            Some(at) => Rc::make_mut(&mut self.consoles[at]),
            None => Rc::make_mut(&mut self.clients[id.index()]),
        }
    }
}

const READONLY: &str = "READONLY You can't write against a read only replica.";

fn only_reads(argv: &[Bytes]) -> bool {
    let command = argv.first().and_then(|name| engine::lookup(name));
    command.is_some_and(|command| command.flags.has(Flags::READONLY))
}

const WAIT_ON_REPLICA: &str = "ERR WAIT cannot be used with replica instances. Please also note \
                               that since Redis 4.0 if a replica is configured to be writable \
                               (which is not the default) writes to replicas are just local and \
                               are not propagated.";

/// Notes that a command of a master's read the clock if only the time may say whether there is
/// something to send to its replicas.
fn read_clock(access: &mut Access, before: Option<&Node>, after: &Node) {
    let renews = before.is_some_and(|old| old.instance.renews(&after.instance, access));
    access.clock |= renews && !is_on(Mutant::RenewedUnseen);
}

/// Returns the error by which a replica refuses a command before execution: a writing one, also in
/// a transaction, and WAIT. A script's writes are found only by executing it.
fn refused_by_replica(node: &Node, conn: ConnId, argv: &[Bytes]) -> Option<&'static str> {
    let command = argv.first().and_then(|name| engine::lookup(name))?;
    let in_multi = node.instance.conn(conn).is_some_and(|conn| conn.in_multi);
    match command.name {
        _ if command.flags.has(Flags::WRITE) => Some(READONLY),
        "wait" if !in_multi && argv.len() == 3 => Some(WAIT_ON_REPLICA),
        _ => None,
    }
}
