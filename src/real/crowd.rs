//! A small crowd on real servers: every client has its own connections and goes on as soon as its
//! reply has arrived, so that servers, network and browser decide the order. Replies are fed to the
//! programs; the measures are those of a simulated crowd.
//!
//! The caller opens the WebSockets and passes the time in, as for [`super::Runner`]. Mutexes, SQL
//! and fenced resources, which are not in Redis, stay in the simulator.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::json;
use crate::load::{CrowdFacts, Having, Histogram, Job, Plan, Sum, Watched};
use crate::resp::{Bytes, Value};
use crate::sim::{
    Action, CallKind, Client, ClientId, Fate, NodeId, ProcessId, START_MS, State, World,
};

use super::plan::{Line, setup};
use super::sockets::{Came, Due, Effect, Heard, Owner, Socket, Told, wire};

/// The most connections for clients. A visitor of the proxy has 64; some are the machine's own, and
/// those of a run may not be closed yet.
const CONNECTIONS_MAX: u32 = 28;
/// The most requests of one run.
pub const REQUESTS_MAX: u32 = 320;
/// The most runs of each variant.
pub const RUNS_MAX: u32 = 10;
/// The commands that may be sent at once. A visitor may send 200 per second, and as many at once;
/// commands in transit are counted earlier here than there, and a few are the machine's own.
const BURST: f64 = 160.0;
const PER_MS: f64 = 0.18;
/// The ms after which a run is cut off.
const RUN_MS: u64 = 30_000;
/// The ms within which connections and replies of the machine's own have to come.
const PATIENCE_MS: u64 = 10_000;
/// The most questions of one measure.
const READS_MAX: usize = 64;

/// The results of a run on real servers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RealRun {
    /// The measures, in the order of the job.
    pub values: Vec<f64>,
    /// The response times of requests, in ns; the clock here has whole milliseconds.
    pub response: Histogram,
    pub finished: u64,
    pub failed: u64,
    /// The error of the first that failed.
    pub mistake: String,
    /// True if it was cut off.
    pub cut: bool,
}

/// The state of the crowd.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RealPhase {
    Connecting,
    Running,
    Done,
    /// It was stopped, with the reason.
    Stopped(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Waits for connections of the machine's own.
    Connect,
    /// Removes keys and sends the setup; waits for the replies.
    Prepare,
    Run,
    /// Asks the servers for the measures.
    Measure,
}

/// A client of the crowd.
#[derive(Debug, Default, Clone)]
struct Asker {
    left: u32,
    /// True while a request is under way.
    busy: bool,
    /// True while its command is on its way, or waits to be sent.
    sent: bool,
    arrived_ms: u64,
    having: Having,
}

/// A crowd on real servers.
#[derive(Debug)]
pub struct RealCrowd {
    job: Rc<Job>,
    plan: Plan,
    runs: u32,
    nodes: usize,
    phase: RealPhase,
    stage: Stage,
    world: World,
    askers: Vec<Asker>,
    sockets: Vec<Socket>,
    effects: Vec<Effect>,
    next_id: u32,
    now_ms: u64,
    /// The time at which the stage began.
    since_ms: u64,
    /// The number of commands that may be sent at once, and the time at which that was computed.
    tokens: f64,
    counted_ms: u64,
    /// The clients whose commands wait to be sent.
    queue: VecDeque<u16>,
    sums: Vec<Sum>,
    watched: Vec<Watched>,
    reads: Vec<Read>,
    run: RealRun,
    found: Vec<RealRun>,
    /// The name of the server from the proxy.
    pub server: String,
}

/// A question to a server, and its answer.
#[derive(Debug, Clone)]
struct Read {
    node: NodeId,
    argv: Vec<Bytes>,
    reply: Option<Value>,
}

/// Returns `plan` reduced to a real run: at most as many clients as there are connections, and no
/// more requests than such a run may have.
pub fn bounded(plan: &Plan, nodes: usize) -> Plan {
    let clients = plan.clients.min(CONNECTIONS_MAX / nodes.max(1) as u32).max(1);
    let wanted = plan.total().min(REQUESTS_MAX.into()) as u32;
    Plan { clients, requests: wanted.div_ceil(clients).max(1), ..plan.clone() }
}

impl RealCrowd {
    /// A crowd; the error is a mistake of the job's author.
    /// `first_id` is above the ids of all WebSockets that its host has open.
    pub fn new(
        plan: &Plan,
        job: &Rc<Job>,
        runs: u32,
        first_id: u32,
        now_ms: u64,
    ) -> Result<RealCrowd, String> {
        let world = World::empty(&job.scenario).map_err(|why| why.to_string())?;
        let nodes = world.nodes().len();
        let mut crowd = RealCrowd {
            plan: bounded(plan, nodes),
            job: job.clone(),
            runs: runs.clamp(1, RUNS_MAX),
            nodes,
            phase: RealPhase::Connecting,
            stage: Stage::Connect,
            world,
            askers: Vec::new(),
            sockets: Vec::new(),
            effects: Vec::new(),
            next_id: first_id,
            now_ms,
            since_ms: now_ms,
            tokens: BURST,
            counted_ms: now_ms,
            queue: VecDeque::new(),
            sums: Vec::new(),
            watched: Vec::new(),
            reads: Vec::new(),
            run: RealRun::default(),
            found: Vec::new(),
            server: String::new(),
        };
        (0..nodes).for_each(|node| crowd.open(Owner::Watch, node));
        crowd.effects.push(Effect::Wake { ms: 100 });
        Ok(crowd)
    }

    pub fn phase(&self) -> &RealPhase {
        &self.phase
    }

    /// Returns the id of the last WebSocket.
    pub fn last_id(&self) -> u32 {
        self.next_id
    }

    /// Returns the runs that are over, and the number of all.
    pub fn found(&self) -> (&[RealRun], u32) {
        (&self.found, self.runs)
    }

    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    fn stop(&mut self, why: String) {
        if !matches!(self.phase, RealPhase::Stopped(_) | RealPhase::Done) {
            self.phase = RealPhase::Stopped(why);
        }
    }

    /// To be called when time has passed.
    pub fn wake(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
        self.work();
    }

    /// Takes an event of a WebSocket.
    pub fn hear(&mut self, id: u32, heard: Heard, now_ms: u64) {
        self.now_ms = now_ms;
        let Some(at) = self.sockets.iter().position(|socket| socket.id == id) else { return };
        let mut came: Vec<Came> = Vec::new();
        match heard {
            Heard::Bytes(bytes) => {
                if let Err(why) = self.sockets[at].feed(&bytes, &mut came) {
                    self.stop(why);
                }
            }
            Heard::Text(text) => match json::read::<Told>(&text) {
                Ok(told) => {
                    self.sockets[at].told(&told);
                    match told.event.as_str() {
                        "ready" | "back" => self.server = told.server,
                        "lost" => self.stop(told.why),
                        _ => {}
                    }
                }
                Err(why) => self.stop(why),
            },
            Heard::Closed(why) => self.stop(why),
        }
        self.work();
    }

    // ---- Stages ---------------------------------------------------------------------------------

    fn work(&mut self) {
        for _ in 0..8 {
            if matches!(self.phase, RealPhase::Done | RealPhase::Stopped(_)) {
                return;
            }
            let stage = self.stage;
            let over = match stage {
                Stage::Connect => self.connected(),
                Stage::Prepare => self.prepared(),
                Stage::Run => self.ran(),
                Stage::Measure => self.measured(),
            };
            if !over {
                if stage != Stage::Run && self.now_ms - self.since_ms > PATIENCE_MS {
                    self.stop("…".to_owned());
                }
                self.effects.push(Effect::Wake { ms: if stage == Stage::Run { 5 } else { 50 } });
                return;
            }
            self.since_ms = self.now_ms;
            self.stage = match stage {
                Stage::Connect => self.prepare(),
                Stage::Prepare => self.begin(),
                Stage::Run => self.end(),
                Stage::Measure => {
                    let run = std::mem::take(&mut self.run);
                    self.found.push(run);
                    if self.found.len() as u32 >= self.runs {
                        self.phase = RealPhase::Done;
                        return;
                    }
                    self.prepare()
                }
            };
        }
    }

    fn watches(&self) -> impl Iterator<Item = &Socket> {
        self.sockets.iter().filter(|socket| socket.owner == Owner::Watch)
    }

    fn connected(&mut self) -> bool {
        self.watches().all(|socket| socket.ready)
    }

    /// Removes the keys and sends the setup.
    fn prepare(&mut self) -> Stage {
        self.phase = RealPhase::Running;
        let scenario = self.job.scenario.clone();
        for at in 0..self.sockets.len() {
            let (owner, node) = (self.sockets[at].owner, self.sockets[at].node);
            if owner != Owner::Watch {
                continue;
            }
            self.sockets[at].forget();
            let id = self.sockets[at].id;
            self.effects.push(Effect::Text { id, text: r#"{"do":"clean"}"#.to_owned() });
            for command in setup(&scenario, node) {
                self.ask(at, command);
            }
        }
        Stage::Prepare
    }

    /// Returns true when the replies are there, so that the next run may begin with a full budget
    /// of commands.
    fn prepared(&mut self) -> bool {
        let failed = self.sockets.iter().find_map(|socket| {
            let refused = socket.answers.iter().find_map(|answer| answer.as_ref().err());
            let error = socket.replies.iter().find(|reply| reply.is_error());
            refused.cloned().or_else(|| error.map(Value::to_cli_short))
        });
        if let Some(why) = failed {
            self.stop(why);
            return false;
        }
        self.count();
        let done = |socket: &Socket| socket.due.is_empty() && !socket.answers.is_empty();
        self.watches().all(done) && self.tokens >= BURST
    }

    /// Starts the next run, with all its clients.
    fn begin(&mut self) -> Stage {
        for socket in &mut self.sockets {
            socket.forget();
        }
        let world = World::empty(&self.job.scenario);
        if let Ok(world) = world {
            self.world = world;
        }
        self.sums = vec![Sum::default(); self.job.globals().len()];
        self.watched = vec![Watched::default(); self.job.watched().len()];
        self.queue.clear();
        self.reads.clear();
        self.askers.clear();
        let processes =
            if self.plan.processes == 0 { self.plan.clients } else { self.plan.processes };
        for client in 0..self.plan.clients {
            let process = ProcessId((client % processes) as u16);
            if self.world.add_place(process, &self.job.programs[0], 0).is_none() {
                break;
            }
            self.askers.push(Asker { left: self.plan.requests, ..Asker::default() });
        }
        for client in 0..self.askers.len() {
            self.next_request(client);
        }
        Stage::Run
    }

    fn next_request(&mut self, client: usize) {
        let program = self.job.programs[client % self.job.programs.len()].clone();
        let asker = &mut self.askers[client];
        asker.left -= 1;
        (asker.busy, asker.sent, asker.arrived_ms) = (true, false, self.now_ms);
        self.world.begin(ClientId(client as u16), &program);
        self.look_at_watched(client);
    }

    /// Runs every client as far as it can; true when all requests have ended or the time is up.
    fn ran(&mut self) -> bool {
        self.world.set_now_ms(START_MS + (self.now_ms - self.since_ms));
        self.take_replies();
        // A mutex that is released lets a client run on that was visited before.
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for client in 0..self.askers.len() {
                moved |= self.go_on(client);
            }
        }
        self.flush();
        if self.now_ms - self.since_ms > RUN_MS {
            self.run.cut = true;
            return true;
        }
        self.askers.iter().all(|asker| !asker.busy && asker.left == 0)
    }

    fn take_replies(&mut self) {
        for at in 0..self.sockets.len() {
            let Owner::Line(line) = self.sockets[at].owner else { continue };
            while let Some(reply) = self.sockets[at].replies.pop_front() {
                self.world.take_reply(line.client, &reply);
                let client = line.client.index();
                self.askers[client].sent = false;
                self.look_at_watched(client);
            }
        }
    }

    /// Returns true if the client has gone on by itself.
    fn go_on(&mut self, client: usize) -> bool {
        let id = ClientId(client as u16);
        if !self.askers[client].busy || self.askers[client].sent {
            return false;
        }
        let Some(state) = self.world.client(id).map(Client::state) else { return false };
        match state {
            State::Ready(call) => match &call.kind {
                CallKind::Redis { .. } => {
                    self.askers[client].sent = true;
                    self.queue.push_back(client as u16);
                    false
                }
                CallKind::Receive { .. } => {
                    self.stop("receive()".to_owned());
                    false
                }
                _ => {
                    let went = self.world.apply_unseen(Action::Step(id)).is_ok();
                    self.look_at_watched(client);
                    went
                }
            },
            State::Sleeping { until_ms } if *until_ms <= self.world.now_ms() => {
                self.world.wake(id);
                self.look_at_watched(client);
                true
            }
            State::Done | State::Failed(_) | State::Crashed => {
                let finished = matches!(state, State::Done);
                if let State::Failed(why) = state
                    && self.run.mistake.is_empty()
                {
                    self.run.mistake = why.to_string();
                }
                self.end_request(client, finished);
                true
            }
            _ => false,
        }
    }

    fn end_request(&mut self, client: usize, finished: bool) {
        let asker = &mut self.askers[client];
        asker.busy = false;
        self.run.response.add((self.now_ms - asker.arrived_ms) * 1_000_000);
        match finished {
            true => self.run.finished += 1,
            false => self.run.failed += 1,
        }
        for (bit, watched) in self.watched.iter_mut().enumerate() {
            watched.end(bit, &asker.having);
        }
        asker.having = Having::default();
        self.add_globals(client);
        if self.askers[client].left > 0 {
            self.next_request(client);
        }
    }

    fn add_globals(&mut self, client: usize) {
        let Some(of) = self.world.client(ClientId(client as u16)) else { return };
        for (name, sum) in self.job.globals().iter().zip(&mut self.sums) {
            sum.add(&of.global(name), Fate::of(of));
        }
    }

    fn look_at_watched(&mut self, client: usize) {
        let Some(of) = self.world.client(ClientId(client as u16)) else { return };
        let asker = &mut self.askers[client];
        let since = (self.now_ms - asker.arrived_ms) * 1_000_000;
        for (bit, (watched, name)) in self.watched.iter_mut().zip(self.job.watched()).enumerate() {
            watched.see(bit, of.global(name).truthy(), &mut asker.having, since);
        }
    }

    /// Ends the run; requests that have not ended count too.
    fn end(&mut self) -> Stage {
        for client in 0..self.askers.len() {
            if self.askers[client].busy {
                self.add_globals(client);
            }
        }
        Stage::Measure
    }

    /// Takes the measures when the servers have answered all their questions.
    fn measured(&mut self) -> bool {
        for read in &mut self.reads {
            let node = read.node.index();
            let own = |socket: &&mut Socket| socket.owner == Owner::Watch && socket.node == node;
            if read.reply.is_none()
                && let Some(socket) = self.sockets.iter_mut().find(own)
            {
                read.reply = socket.replies.pop_front();
            }
        }
        if self.reads.iter().any(|read| read.reply.is_none()) {
            return false;
        }
        let known = self.reads.len();
        let job = self.job.clone();
        let mut watched = self.watched.iter();
        let mut values = Vec::new();
        let mut mistake = None;
        // What is not known is asked for; the measure is taken again later.
        let reads = &mut self.reads;
        let mut read = |node: NodeId, argv: &[Bytes]| {
            let is_it = |read: &&Read| read.node == node && read.argv == argv;
            if let Some(read) = reads.iter().find(is_it) {
                return read.reply.clone();
            }
            if reads.len() < READS_MAX {
                reads.push(Read { node, argv: argv.to_vec(), reply: None });
            }
            None
        };
        let mut facts = CrowdFacts {
            of_world: self.world.facts(),
            names: job.globals(),
            sums: &self.sums,
            done: self.run.finished,
            read: Some(&mut read),
        };
        for measure in &job.measures {
            values.push(measure.value(&mut facts, &mut watched).unwrap_or_else(|why| {
                mistake.get_or_insert(why);
                f64::NAN
            }));
        }
        drop(facts);
        if self.reads.len() > known && known < READS_MAX {
            let asked = self.reads[known..].to_vec();
            for read in asked {
                let node = read.node.index();
                let is_own = |socket: &Socket| socket.owner == Owner::Watch && socket.node == node;
                if let Some(at) = self.sockets.iter().position(is_own) {
                    self.ask(at, &read.argv);
                }
            }
            return false;
        }
        if let Some(why) = mistake {
            self.stop(why);
            return false;
        }
        self.run.values = values;
        true
    }

    // ---- WebSockets -----------------------------------------------------------------------------

    fn open(&mut self, owner: Owner, node: usize) {
        self.next_id += 1;
        self.effects.push(Effect::Open { id: self.next_id, node });
        self.sockets.push(Socket::new(self.next_id, owner, node));
    }

    fn ask(&mut self, at: usize, argv: &[Bytes]) {
        let mut bytes = Vec::new();
        wire(argv, &mut bytes);
        let socket = &mut self.sockets[at];
        socket.due.push_back(Due::Reply);
        self.effects.push(Effect::Bytes { id: socket.id, bytes });
    }

    fn count(&mut self) {
        let earned = (self.now_ms - self.counted_ms) as f64 * PER_MS;
        (self.tokens, self.counted_ms) = ((self.tokens + earned).min(BURST), self.now_ms);
    }

    /// Sends waiting commands, first come first served, as fast as the proxy allows.
    fn flush(&mut self) {
        self.count();
        while self.tokens >= 1.0 {
            let Some(client) = self.queue.pop_front() else { return };
            self.tokens -= 1.0;
            let id = ClientId(client);
            let Some(call) = self.world.client(id).and_then(Client::ready).cloned() else {
                continue;
            };
            let CallKind::Redis { node, connection, argv } = &call.kind else { continue };
            let owner = Owner::Line(Line { client: id, connection: *connection });
            let node = node.index().min(self.nodes - 1);
            let is_it = |socket: &Socket| socket.owner == owner && socket.node == node;
            let at = self.sockets.iter().position(is_it).unwrap_or_else(|| {
                self.open(owner, node);
                self.sockets.len() - 1
            });
            self.ask(at, argv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run is opened while the connections of the one before are being closed.
    #[test]
    fn a_crowd_stays_within_what_the_proxy_lets_a_visitor_do() {
        let limits = ::proxy::limits::Limits::default();
        assert!(2 * CONNECTIONS_MAX as usize <= limits.connections);
        let rate = f64::from(limits.rate);
        assert!(BURST < rate);
        assert!(PER_MS * 1000.0 < rate);
    }
}
