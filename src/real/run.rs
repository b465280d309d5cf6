//! The state machine: a run to follow, the WebSockets on which it is followed, and the result of
//! each step.
//!
//! [`Runner::aim`] sets the frames that are shown. The steps done so far are kept if the frames
//! continue them; otherwise the keys are removed and the run begins again, because a server cannot
//! go back. One task is in progress at a time (`work`); nothing is sent while another reply is
//! awaited, except commands that block in the simulator too.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::engine::Version;
use crate::json;
use crate::resp::{Bytes, Value, split_inline};
use crate::sim::{Frame, START_MS, Timeline, schedule};
use crate::text::{Lang, RealWord, fill, real};

use super::plan::{Cannot, deeds, first_links, leases, nodes, setup};
use super::report::{Check, Difference, Mark, Row};
use super::sockets::{Came, Due, Effect, Heard, Owner, Socket, Told, wire};
use super::work::Task;

/// The ms between two looks at deadlines of the real server while time is real.
pub(super) const LOOK_MS: u32 = 500;
/// The most lines that a console keeps.
const SAID_MAX: usize = 200;

/// The clock by which leases expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// The schedule: deadlines are moved away, and come when it lets time pass.
    #[default]
    Schedule,
    /// The wall clock.
    Clock,
}

/// The reason why a run cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The connection to Redis is gone.
    Lost(String),
    /// The connection to the proxy is gone, or was refused.
    Closed(String),
    /// The lesson needs `wanted` instances, and the proxy has `there`.
    Nodes { wanted: usize, there: usize },
    /// The scenario cannot run on real servers here.
    Cannot(Cannot),
    /// The proxy, or a server, fails to do what the start of the run needs.
    Start(String),
}

impl Trouble {
    /// In words, with a way on.
    pub fn text(&self, lang: Lang) -> String {
        let say = |word: RealWord, with: &[&str]| fill(real(lang, word), with);
        match self {
            Trouble::Lost(why) => say(RealWord::Lost, &[why]),
            Trouble::Closed(why) => say(RealWord::Closed, &[why]),
            Trouble::Nodes { wanted, there } => {
                say(RealWord::Nodes, &[&wanted.to_string(), &there.to_string()])
            }
            Trouble::Cannot(Cannot::Cancel) => say(RealWord::CannotCancel, &[]),
            Trouble::Cannot(_) => say(RealWord::Cannot, &[]),
            Trouble::Start(why) => say(RealWord::StartFailed, &[why]),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    Connecting,
    /// Everything that is shown was done.
    Ready,
    Working,
    Stopped(Trouble),
}

/// An entry on a console at the real server.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    Typed(String),
    Reply(Value),
    /// The connection was lost, with the reason.
    Gone(String),
}

#[derive(Debug)]
pub struct Runner {
    pub pace: Pace,
    pub(super) phase: Phase,
    /// The frames that were done or are in progress, the first one included.
    pub(super) done: Vec<Rc<Frame>>,
    goal: Vec<Rc<Frame>>,
    pub(super) timeline: Option<Start>,
    pub(super) rows: Vec<Row>,
    pub(super) first: Option<Difference>,
    pub(super) sockets: Vec<Socket>,
    pub(super) tasks: VecDeque<Task>,
    pub(super) effects: Vec<Effect>,
    /// True if the first task's command was sent.
    pub(super) sent: bool,
    pub(super) since: Option<u64>,
    pub(super) polled: u64,
    pub(super) now_ms: u64,
    /// The time at which the run began.
    pub(super) began_ms: u64,
    /// The nodes that were taken down.
    pub(super) down: Vec<usize>,
    /// By replica, the master's offsets after the entries that it lacks.
    pub(super) offsets: Vec<VecDeque<u64>>,
    /// Ids of stream entries: the simulator's and the real one.
    pub(super) names: Vec<(Bytes, Bytes)>,
    /// The digests of scripts that read the clock.
    pub(super) clock_scripts: Vec<Bytes>,
    /// The keys that such scripts were given.
    pub(super) clock_keys: Vec<Bytes>,
    /// True if the wait in progress is to be cut short.
    pub(super) hurry: bool,
    /// The remaining time of keys: node, key, ms, and the time (ms) of the server's answer.
    left: Vec<(usize, Bytes, i64, u64)>,
    looked_ms: u64,
    next_id: u32,
    pub server: String,
    /// The number of nodes that the proxy has.
    pub there: usize,
    pub own: bool,
    said: Vec<(u8, Said)>,
}

/// The input of a run.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub nodes: usize,
    pub setup: Vec<Vec<Vec<Bytes>>>,
}

impl Default for Runner {
    fn default() -> Runner {
        Runner::new(Pace::default())
    }
}

impl Runner {
    pub fn new(pace: Pace) -> Runner {
        Runner {
            pace,
            phase: Phase::Connecting,
            done: Vec::new(),
            goal: Vec::new(),
            timeline: None,
            rows: Vec::new(),
            first: None,
            sockets: Vec::new(),
            tasks: VecDeque::new(),
            effects: Vec::new(),
            sent: false,
            since: None,
            polled: 0,
            now_ms: 0,
            began_ms: 0,
            down: Vec::new(),
            offsets: Vec::new(),
            names: Vec::new(),
            clock_scripts: Vec::new(),
            clock_keys: Vec::new(),
            hurry: false,
            left: Vec::new(),
            looked_ms: 0,
            next_id: 0,
            server: String::new(),
            there: 0,
            own: false,
            said: Vec::new(),
        }
    }

    // ---- What is shown --------------------------------------------------------------------------

    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Returns one row for each step done; the last may still be in progress.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the first difference of this connection, even if the run began again since.
    pub fn first(&self) -> Option<&Difference> {
        self.first.as_ref()
    }

    /// Returns the version of an instance of the run, if the real server is of another.
    pub fn other_version(&self) -> Option<Version> {
        let mut nodes = self.goal.first().filter(|_| !self.server.is_empty())?.world.nodes().iter();
        let mut versions = nodes.by_ref().map(|node| node.instance.version());
        versions.find(|version| !version.is_server(&self.server))
    }

    /// Returns true while time passes for real, until the schedule's next deadline.
    pub fn is_waiting(&self) -> bool {
        matches!(self.tasks.front(), Some(Task::Pass { .. })) && self.pace == Pace::Clock
    }

    /// Returns the remaining time of keys on the real servers: node, key, ms.
    pub fn left(&self) -> impl Iterator<Item = (usize, &Bytes, u64)> {
        self.left.iter().filter_map(|(node, key, ms, at)| {
            let ms = u64::try_from(*ms).ok()?;
            Some((*node, key, ms.saturating_sub(self.now_ms.saturating_sub(*at))))
        })
    }

    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    // ---- What happens ---------------------------------------------------------------------------

    /// Sets the frames, up to the cursor, that have to be done for real.
    pub fn aim(&mut self, timeline: &Timeline, now_ms: u64) {
        self.now_ms = now_ms;
        let frames = &timeline.frames()[..=timeline.cursor()];
        let is = |one: &[Rc<Frame>], other: &[Rc<Frame>]| {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| Rc::ptr_eq(a, b))
        };
        if is(&self.goal, frames) {
            return;
        }
        let other = match (self.goal.first(), frames.first()) {
            (Some(old), Some(new)) => !Rc::ptr_eq(old, new),
            _ => true,
        };
        self.goal = frames.to_vec();
        if other {
            let scenario = timeline.scenario();
            let nodes = nodes(scenario);
            let setup = (0..nodes).map(|node| setup(scenario, node).to_vec()).collect();
            self.timeline = Some(Start { nodes, setup });
        }
        let goes_on = frames.len() >= self.done.len() && is(&self.done, &frames[..self.done.len()]);
        match self.phase {
            Phase::Stopped(_) if !other => {}
            _ if !goes_on || self.done.is_empty() => self.again(now_ms),
            _ => self.work(),
        }
    }

    /// Begins the run again, on servers without keys.
    pub fn again(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
        (self.sent, self.since, self.hurry) = (false, None, false);
        self.tasks.clear();
        self.rows.clear();
        self.done.clear();
        self.names.clear();
        self.clock_keys.clear();
        self.left.clear();
        for socket in &mut self.sockets {
            socket.forget();
        }
        let Some(first) = self.goal.first().cloned() else { return };
        self.phase = Phase::Connecting;
        let Some(start) = self.timeline.clone() else { return };
        self.tasks.push_back(Task::CutAll);
        for (node, commands) in start.setup.iter().enumerate() {
            self.tasks.push_back(Task::Watch { node });
            self.tasks.push_back(Task::Clean { node });
            let leases = match self.pace {
                Pace::Schedule => leases(&first.world, node),
                Pace::Clock => Vec::new(),
            };
            let keys: Vec<Bytes> = leases.into_iter().map(|(key, _)| key).collect();
            for argv in commands {
                let hold = keys.iter().filter(|key| argv.contains(key)).cloned().collect();
                self.tasks.push_back(Task::Setup { node, argv: argv.clone(), hold });
            }
            // A script may make up a key's name.
            let unnamed = keys.iter().filter(|key| !commands.iter().any(|argv| argv.contains(key)));
            for argv in unnamed.map(super::work::held) {
                self.tasks.push_back(Task::Setup { node, argv, hold: Vec::new() });
            }
        }
        let links = first_links(&first.world).into_iter().map(Task::Deed);
        self.tasks.extend(links);
        self.tasks.push_back(Task::Begin);
        self.offsets.clear();
        self.done.push(first);
        self.work();
    }

    /// To be called when time has passed.
    pub fn wake(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
        self.look();
        self.work();
    }

    /// Cuts the wait in progress short, and brings its end about.
    pub fn hurry(&mut self, now_ms: u64) {
        self.now_ms = now_ms;
        self.hurry = true;
        self.work();
    }

    /// Takes an event of a WebSocket.
    pub fn hear(&mut self, id: u32, heard: Heard, now_ms: u64) {
        self.now_ms = now_ms;
        let Some(at) = self.sockets.iter().position(|socket| socket.id == id) else { return };
        let mut came = Vec::new();
        match heard {
            Heard::Bytes(bytes) => {
                if let Err(why) = self.sockets[at].feed(&bytes, &mut came) {
                    self.stop(Trouble::Closed(why));
                }
            }
            Heard::Text(text) => match json::read::<Told>(&text) {
                Ok(told) => self.told(at, &told),
                Err(why) => self.stop(Trouble::Closed(why)),
            },
            Heard::Closed(why) => self.closed(at, why),
        }
        for one in came {
            match one {
                Came::Left(key, ms) => self.keep_left(self.sockets[at].node, key, ms),
                Came::Console(number, value) => self.say(number, Said::Reply(value)),
            }
        }
        self.work();
    }

    fn told(&mut self, at: usize, told: &Told) {
        let (owner, node) = (self.sockets[at].owner, self.sockets[at].node);
        self.sockets[at].told(told);
        match told.event.as_str() {
            "ready" | "back" => {
                (self.server, self.there) = (told.server.clone(), told.nodes);
                self.own = told.own;
                if let Owner::Line(_) = owner
                    && told.own
                {
                    self.ask(at, &["CLIENT", "ID"], Due::Id);
                }
            }
            "lost" => {
                let begins = self.phase == Phase::Connecting && owner == Owner::Watch;
                if let Owner::Console(number) = owner {
                    self.say(number, Said::Gone(told.why.clone()));
                } else if !self.down.contains(&node) && !begins {
                    self.stop(Trouble::Lost(told.why.clone()));
                }
            }
            _ => {}
        }
    }

    fn closed(&mut self, at: usize, why: String) {
        let socket = &mut self.sockets[at];
        (socket.closed, socket.ready) = (true, false);
        let owner = socket.owner;
        let cut = matches!(self.tasks.front(), Some(task) if task.cuts(&self.sockets[at]));
        match owner {
            Owner::Console(number) => {
                self.say(number, Said::Gone(why));
                self.sockets.remove(at);
            }
            _ if cut => {}
            _ => {
                self.sockets.remove(at);
                self.stop(Trouble::Closed(why));
            }
        }
    }

    /// Ends the run because of `trouble`, unless it has ended before, and drops its tasks.
    pub(super) fn stop(&mut self, trouble: Trouble) {
        if !matches!(self.phase, Phase::Stopped(_)) {
            self.phase = Phase::Stopped(trouble);
        }
        self.tasks.clear();
        (self.sent, self.since) = (false, None);
    }

    /// Starts the next step of the run, if there is one.
    pub(super) fn next_step(&mut self) -> bool {
        let at = self.done.len();
        let Some(frame) = self.goal.get(at).filter(|_| at > 0).cloned() else { return false };
        let before = self.goal[at - 1].clone();
        let setting = frame.world.setting().clone();
        let token = match (&frame.typed, frame.token) {
            (Some(typed), _) => typed.write(&setting),
            (None, Some(token)) => schedule::write(token, &setting),
            (None, None) => String::new(),
        };
        self.rows.push(Row { step: at, token, checks: Vec::new() });
        self.hurry = false;
        let todo = deeds(&before.world, &frame);
        self.enqueue(todo, frame.world.now_ms());
        self.done.push(frame);
        true
    }

    /// Records a comparison for the step in progress.
    pub(super) fn note(&mut self, check: Check) {
        let mark = check.mark;
        let Some(row) = self.rows.last_mut() else { return };
        row.checks.push(check);
        if mark != Mark::Differs || self.first.is_some() {
            return;
        }
        let row = row.clone();
        let tokens: Vec<&str> = self.rows.iter().map(|row| row.token.as_str()).collect();
        let now_ms = self.done.last().map_or(START_MS, |frame| frame.world.now_ms());
        self.first = Some(Difference {
            server: self.server.clone(),
            schedule: tokens.join("."),
            before: self.rows[..self.rows.len() - 1].to_vec(),
            row,
            simulated_ms: now_ms.saturating_sub(START_MS),
            real_ms: self.now_ms.saturating_sub(self.began_ms),
            leases_wait: self.pace == Pace::Schedule,
        });
    }

    // ---- WebSockets -----------------------------------------------------------------------------

    pub(super) fn open(&mut self, owner: Owner, node: usize) -> usize {
        self.next_id += 1;
        self.effects.push(Effect::Open { id: self.next_id, node });
        self.sockets.push(Socket::new(self.next_id, owner, node));
        self.sockets.len() - 1
    }

    /// Returns the one connection of `owner`, which leads to `node`; one to another instance is
    /// closed.
    pub(super) fn only(&mut self, owner: Owner, node: usize) -> usize {
        if let Some(at) = self.find(owner, Some(node)) {
            return at;
        }
        if let Some(other) = self.find(owner, None) {
            self.close(other);
        }
        self.open(owner, node)
    }

    pub(super) fn find(&self, owner: Owner, node: Option<usize>) -> Option<usize> {
        let fits = |socket: &Socket| {
            socket.owner == owner && node.is_none_or(|node| socket.node == node) && !socket.closed
        };
        self.sockets.iter().position(fits)
    }

    /// Sends a command, and records the use of its reply.
    pub(super) fn ask<W: AsRef<[u8]>>(&mut self, at: usize, argv: &[W], due: Due) {
        let socket = &mut self.sockets[at];
        socket.due.push_back(due);
        // What follows at once goes in the same message.
        if let Some(Effect::Bytes { id, bytes }) = self.effects.last_mut()
            && *id == socket.id
        {
            return wire(argv, bytes);
        }
        let mut bytes = Vec::new();
        wire(argv, &mut bytes);
        self.effects.push(Effect::Bytes { id: socket.id, bytes });
    }

    pub(super) fn order(&mut self, at: usize, text: &str) {
        self.effects.push(Effect::Text { id: self.sockets[at].id, text: text.to_owned() });
    }

    pub(super) fn close(&mut self, at: usize) {
        let socket = self.sockets.remove(at);
        self.effects.push(Effect::Close { id: socket.id });
    }

    // ---- Deadlines ------------------------------------------------------------------------------

    fn keep_left(&mut self, node: usize, key: Bytes, ms: i64) {
        self.left.retain(|(at, one, ..)| (*at, one) != (node, &key));
        if ms >= 0 {
            self.left.push((node, key, ms, self.now_ms));
        }
    }

    /// Asks for the remaining time of keys, from time to time.
    fn look(&mut self) {
        if self.pace != Pace::Clock || matches!(self.phase, Phase::Stopped(_)) {
            return;
        }
        let Some(last) = self.done.last().filter(|_| self.began_ms > 0).cloned() else { return };
        if self.now_ms < self.looked_ms + u64::from(LOOK_MS) {
            self.effects.push(Effect::Wake { ms: LOOK_MS });
            return;
        }
        self.looked_ms = self.now_ms;
        for node in 0..self.timeline.as_ref().map_or(0, |start| start.nodes) {
            let mut keys: Vec<Bytes> =
                leases(&last.world, node).into_iter().map(|(key, _)| key).take(8).collect();
            let known = self.left.iter().filter(|(at, ..)| *at == node);
            keys.extend(known.map(|(_, key, ..)| key.clone()));
            crate::sorted::sort_by(&mut keys, |a, b| a.cmp(b));
            keys.dedup();
            let Some(at) = self.find(Owner::Watch, Some(node)) else { continue };
            if !self.sockets[at].ready {
                continue;
            }
            for key in keys {
                let argv = [b"PTTL".as_slice(), &key];
                self.ask(at, &argv, Due::Left(key.clone()));
            }
        }
        self.effects.push(Effect::Wake { ms: LOOK_MS });
    }

    // ---- Consoles -------------------------------------------------------------------------------

    /// Sends a line that was typed at a console to the real server.
    pub fn type_line(&mut self, number: u8, node: usize, line: &str) {
        self.say(number, Said::Typed(line.to_owned()));
        let Ok(argv) = split_inline(line.as_bytes()) else {
            // As redis-cli says it.
            return self.say(number, Said::Gone("Invalid argument(s)".into()));
        };
        if argv.is_empty() {
            return;
        }
        let at = self.only(Owner::Console(number), node);
        if argv[0].to_ascii_uppercase().ends_with(b"SUBSCRIBE") {
            self.sockets[at].subscribed = true;
        }
        self.ask(at, &argv, Due::Reply);
    }

    /// Closes the console's connection, with the commands that wait on it.
    pub fn hang_up(&mut self, number: u8) {
        if let Some(at) = self.find(Owner::Console(number), None) {
            self.close(at);
        }
    }

    pub fn clear_console(&mut self, number: u8) {
        self.said.retain(|(one, _)| *one != number);
    }

    /// Returns the entries of a console, oldest first.
    pub fn said(&self, number: u8) -> impl Iterator<Item = &Said> {
        self.said.iter().filter(move |(one, _)| *one == number).map(|(_, said)| said)
    }

    /// Returns true if a console waits for a reply, and true if it receives messages.
    pub fn console_state(&self, number: u8) -> (bool, bool) {
        match self.find(Owner::Console(number), None) {
            Some(at) => (!self.sockets[at].due.is_empty(), self.sockets[at].subscribed),
            None => (false, false),
        }
    }

    fn say(&mut self, number: u8, said: Said) {
        self.said.push((number, said));
        if self.said.len() > SAID_MAX {
            self.said.remove(0);
        }
    }
}
