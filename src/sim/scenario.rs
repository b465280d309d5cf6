//! Scenarios: the start of a world ([`Scenario`]), its constants ([`Setting`]), and the number of
//! faults allowed ([`Faults`]).
//!
//! To add a kind of fault, add a field to [`Faults`] and its row to `kinds!`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::engine::{Lacking, Version};
use crate::lua::Chunk;
use crate::resp::{Bytes, Value};

use super::ids::IdOrder;
use super::node::Node;
use super::property::Property;
use super::ticks::Ticks;
use super::{ClientId, MAX_CLIENTS, MAX_NODES, NodeId, ProcessId};

/// The name of the instance that `redis.call` speaks to, unless the scenario says otherwise.
pub const DEFAULT_NODE: &str = "redis";

/// Everything that a world starts from.
#[derive(Debug, Clone, Default)]
pub struct Scenario {
    /// Redis instances; the first one is the default of `redis.call`. None means one named
    /// [`DEFAULT_NODE`].
    pub nodes: Vec<NodeDef>,
    /// The clients, in the order of their letters; at most [`MAX_CLIENTS`].
    pub clients: Vec<ClientDef>,
    /// SQL statements executed first: CREATE TABLE, INSERT.
    pub sql: Vec<String>,
    pub faults: Faults,
    pub time: TimeMode,
    /// In a search, no client is held up longer than this between two of its steps: time may reach
    /// a deadline though clients can go on, as long as each of them could for no longer than this.
    /// 0: time does not move while a client can go on.
    pub slow_ms: u32,
    /// In a search, each client begins at any moment up to this many ms after the run. To begin is
    /// a step then, and time does not wait for it. 0: all begin at the same moment.
    pub starts_within_ms: u32,
    /// The order of the ids that `uuid()` gives: only a search asks for another.
    pub ids: IdOrder,
    /// Sending, executing and replying are three actions.
    pub wire: bool,
    pub properties: Vec<Property>,
}

/// The definition of a Redis instance.
#[derive(Debug, Clone, Default)]
pub struct NodeDef {
    pub name: String,
    /// Commands run on it before any client connects.
    pub setup: Vec<Vec<Bytes>>,
    /// The instance that this one replicates; it begins with that one's data.
    pub replica_of: Option<String>,
    /// The lead of its clock over the world's, in ms.
    pub clock_ms: i64,
    /// The server version, if the author names one.
    pub version: Option<Version>,
}

/// The definition of a client.
#[derive(Debug, Clone)]
pub struct ClientDef {
    pub program: Rc<Chunk>,
    /// The process of the client. Clients of one process share mutexes and variables; a
    /// client without a name is a process of its own.
    pub process: Option<String>,
    /// The lead of its clock over the world's, in ms.
    pub clock_ms: i64,
    /// The program may end with an error whose message contains this.
    pub expect_error: Option<String>,
    /// True if the program begins again when it has ended without an error. Variables start anew,
    /// unique ids continue, and connections are new.
    pub again: bool,
}

impl ClientDef {
    pub fn new(program: Rc<Chunk>) -> ClientDef {
        ClientDef { program, process: None, clock_ms: 0, expect_error: None, again: false }
    }
}

impl Scenario {
    /// Returns the scenario with one more property, [`Property::no_errors`]: no program ends with
    /// an error that is not expected of it.
    pub fn asked_for_errors(mut self) -> Scenario {
        let expected: Vec<Option<String>> =
            self.clients.iter().map(|client| client.expect_error.clone()).collect();
        self.properties.push(Property::no_errors(&expected));
        self
    }

    /// A scenario with one instance, `setup` executed on it, and a client per program.
    pub fn simple(setup: Vec<Vec<Bytes>>, programs: Vec<Rc<Chunk>>) -> Scenario {
        let node = NodeDef { name: DEFAULT_NODE.to_owned(), setup, ..NodeDef::default() };
        let clients = programs.into_iter().map(ClientDef::new).collect();
        Scenario { nodes: vec![node], clients, ..Scenario::default() }
    }
}

/// When time may move while a search is at work. A learner may always let it move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeMode {
    /// Only when no unpaused client can go on.
    #[default]
    Prompt,
    /// Also earlier, as often as [`Faults::early`] says.
    Any,
}

/// The number of faults of each kind that may still happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    pub crash: u8,
    /// The clients that may crash, a bit for each; 0: all.
    pub crash_of: u32,
    pub pause: u8,
    /// The clients that may be paused, a bit for each; 0: all.
    pub pause_of: u32,
    /// The longest pause in ms, after which it ends by itself; 0: time does not end it.
    pub pause_ms: u32,
    /// A command or an SQL statement is executed and its reply is lost.
    pub lose: u8,
    /// A clock jumps by `jump_ms`.
    pub jump: u8,
    pub down: u8,
    /// An instance restarts empty.
    pub restart: u8,
    pub failover: u8,
    /// In the time mode `any`: time moves although a client could go on.
    pub early: u8,
    /// The size of a clock jump in ms, the same every time.
    pub jump_ms: i64,
    /// A call on a shared connection is given up, and its reply stays there.
    pub cancel: u8,
    /// The clients whose calls may be given up, a bit for each; 0: all.
    pub cancel_of: u32,
    /// An instance runs out of memory and drops a key.
    pub evict: u8,
    /// The clients whose replies may be lost, a bit for each; 0: all.
    pub lose_of: u32,
    /// A command or an SQL statement is lost on its way to the server.
    pub drop: u8,
    /// The clients whose requests may be lost, a bit for each; 0: all.
    pub drop_of: u32,
    /// An instance restarts with the data that it had when the run began.
    pub rewind: u8,
}

impl Hash for Faults {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Faults { crash, crash_of, pause, pause_of, pause_ms, lose, jump, down, .. } = *self;
        (crash, crash_of, pause, pause_of, pause_ms, lose, jump, down).hash(state);
        (self.restart, self.failover, self.early, self.jump_ms).hash(state);
        // A run without them keeps the fingerprints that it has always had.
        if self.cancel > 0 || self.cancel_of > 0 {
            (self.cancel, self.cancel_of).hash(state);
        }
        if self.evict > 0 || self.lose_of > 0 {
            (self.evict, self.lose_of).hash(state);
        }
        if self.drop > 0 || self.drop_of > 0 {
            (self.drop, self.drop_of).hash(state);
        }
        if self.rewind > 0 {
            self.rewind.hash(state);
        }
    }
}

impl Faults {
    /// Returns the longest pause that time ends, in ms; 0 if there is none.
    pub fn longest_pause_ms(&self) -> u32 {
        if self.pause > 0 { self.pause_ms } else { 0 }
    }

    /// Returns the clients of these letters, a bit for each; an error if there is anything else.
    pub fn named(letters: &str) -> Result<u32, String> {
        match letters.chars().all(|letter| ClientId::from_letter(letter).is_some()) {
            true if !letters.is_empty() => Ok(Faults::mask(letters)),
            _ => Err(format!("letters of clients, such as A or AB, not \"{letters}\"")),
        }
    }

    /// Returns the clients of these letters, a bit for each; anything else is passed over.
    pub fn mask(letters: &str) -> u32 {
        let ids = letters.chars().filter_map(ClientId::from_letter);
        ids.fold(0, |mask: u32, id| mask | 1 << id.index())
    }

    /// Returns the letters of the clients that faults are limited to and that are not among the
    /// first `clients`.
    pub fn strangers(&self, clients: usize) -> String {
        let named = Faults::letters(self.aims());
        let is_here = |letter| ClientId::from_letter(letter).is_some_and(|id| id.index() < clients);
        named.chars().filter(|letter| !is_here(*letter)).collect()
    }

    /// Returns the clients that some kind is limited to.
    pub fn aims(&self) -> u32 {
        self.pause_of | self.crash_of | self.cancel_of | self.lose_of | self.drop_of
    }

    /// Returns the clients that the kind of this name is limited to; `None` if it cannot be.
    pub fn aim_mut(&mut self, name: &str) -> Option<&mut u32> {
        match name {
            "pause" => Some(&mut self.pause_of),
            "crash" => Some(&mut self.crash_of),
            "cancel" => Some(&mut self.cancel_of),
            "lose" => Some(&mut self.lose_of),
            "drop" => Some(&mut self.drop_of),
            _ => None,
        }
    }

    /// Returns the letters of these clients.
    pub fn letters(mask: u32) -> String {
        let ids = (0..16).map(ClientId).filter(|id| mask >> id.0 & 1 != 0);
        ids.map(ClientId::letter).collect()
    }

    /// Returns true if any fault can happen.
    pub fn any(&self) -> bool {
        self.left().iter().any(|left| *left > 0)
    }

    /// The default clock jump in ms: longer than most leases of the lessons.
    const JUMP_MS: i64 = 50;

    /// Returns the faults with at least one of each kind allowed.
    pub fn with_all_once(self) -> Faults {
        let jump_ms = if self.jump_ms == 0 { Faults::JUMP_MS } else { self.jump_ms };
        let mut faults = Faults { jump_ms, ..self };
        for kind in (0..Faults::KINDS).filter(|kind| *kind != Faults::EARLY) {
            let count = faults.left_mut(kind);
            *count = (*count).max(1);
        }
        faults
    }
}

/// Lists the kinds of faults, with their counts in [`Faults`].
macro_rules! kinds {
    ($($kind:ident $count:ident),*) => {
        /// A kind of fault, numbered from 0.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum FaultKind { $($kind),* }

        impl Faults {
            /// The names of the kinds, by their numbers.
            pub const NAMES: [&str; Faults::KINDS] = [$(stringify!($count)),*];
            /// The number of kinds.
            pub(super) const KINDS: usize = [$(FaultKind::$kind),*].len();
            /// The numbers of some kinds.
            pub(super) const CRASH: usize = FaultKind::Crash as usize;
            pub(super) const PAUSE: usize = FaultKind::Pause as usize;
            pub(super) const EARLY: usize = FaultKind::Early as usize;

            /// Returns how often each kind may still happen, in the order of [`Faults::NAMES`].
            pub(super) fn left(&self) -> [u8; Faults::KINDS] {
                [$(self.$count),*]
            }

            /// Returns how often the kind of this number may still happen.
            pub fn left_mut(&mut self, kind: usize) -> &mut u8 {
                match kind {
                    $(kind if kind == FaultKind::$kind as usize => &mut self.$count,)*
                    _ => unreachable!("a kind of fault is below {}", Faults::KINDS),
                }
            }

            /// Returns how often the kind of this name may still happen.
            pub fn named_mut(&mut self, name: &str) -> Option<&mut u8> {
                match name {
                    $(stringify!($count) => Some(&mut self.$count),)*
                    _ => None,
                }
            }
        }
    };
}

kinds!(
    Crash crash, Pause pause, Lose lose, Jump jump, Down down, Restart restart,
    Failover failover, Early early, Cancel cancel, Evict evict, Drop drop, Rewind rewind
);

/// The constants of a world: names and relations that no action changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Setting {
    pub nodes: Vec<String>,
    pub processes: Vec<Process>,
    /// By client, its process.
    pub process_of: Vec<ProcessId>,
    pub time: TimeMode,
    pub slow_ms: u32,
    pub starts_within_ms: u32,
    pub ids: IdOrder,
    pub ticks: Ticks,
    pub wire: bool,
    /// By client, the program if it begins again, see [`ClientDef::again`].
    pub again: Vec<Option<Rc<Chunk>>>,
    /// True if some property asks who was paused, so that it is recorded.
    pub remembers_pauses: bool,
    /// True if the clients are places of a crowd.
    pub is_crowd: bool,
    /// The instances as they were after the setup, if one may restart with its snapshot.
    pub saved: Vec<Rc<Node>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    pub name: String,
    pub members: Vec<ClientId>,
}

impl Setting {
    pub fn node(&self, name: &str) -> Option<NodeId> {
        let at = self.nodes.iter().position(|node| node == name)?;
        Some(NodeId(at as u8))
    }

    /// Returns true if time never passes while a client can go on, except early
    /// ([`TimeMode::Any`]): no client is slow or begins late.
    pub(super) fn is_prompt(&self) -> bool {
        self.slow_ms == 0 && self.starts_within_ms == 0
    }

    pub fn process_name(&self, id: ProcessId) -> &str {
        self.processes.get(id.index()).map_or("", |process| &process.name)
    }

    pub fn node_name(&self, id: NodeId) -> &str {
        self.nodes.get(id.index()).map_or("", String::as_str)
    }

    pub fn process(&self, name: &str) -> Option<ProcessId> {
        let at = self.processes.iter().position(|process| process.name == name)?;
        Some(ProcessId(at as u16))
    }

    /// Returns the clients of a process; empty if there is no such process.
    pub fn members(&self, id: ProcessId) -> &[ClientId] {
        self.processes.get(id.index()).map_or(&[], |process| process.members.as_slice())
    }

    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u8).map(NodeId)
    }

    /// Returns the setting of `scenario`; the error is its author's mistake.
    pub(super) fn new(scenario: &Scenario) -> Result<Setting, StartError> {
        let mistake = |text: String| Err(StartError::Scenario(text));
        let again = |client: &ClientDef| client.again.then(|| client.program.clone());
        let mut setting = Setting {
            time: scenario.time,
            slow_ms: scenario.slow_ms,
            starts_within_ms: scenario.starts_within_ms,
            ids: scenario.ids.clone(),
            ticks: Ticks::of(scenario),
            wire: scenario.wire,
            again: scenario.clients.iter().map(again).collect(),
            remembers_pauses: scenario.properties.iter().any(Property::asks_who_was_paused),
            ..Setting::default()
        };
        if scenario.nodes.len() > MAX_NODES {
            return mistake(format!("a world has at most {MAX_NODES} instances"));
        }
        if scenario.clients.len() > MAX_CLIENTS {
            return mistake(format!("a world has at most {MAX_CLIENTS} clients"));
        }
        for node in &scenario.nodes {
            if !is_name(&node.name) {
                return mistake(bad_name("instance", &node.name));
            }
            if setting.node(&node.name).is_some() {
                return mistake(format!("two instances are named {}", node.name));
            }
            setting.nodes.push(node.name.clone());
        }
        if setting.nodes.is_empty() {
            setting.nodes.push(DEFAULT_NODE.to_owned());
        }
        for (index, client) in scenario.clients.iter().enumerate() {
            let id = ClientId(index as u16);
            let name = match &client.process {
                Some(name) if !is_name(name) => return mistake(bad_name("process", name)),
                Some(name) => name.clone(),
                // A capital letter, which no process of the author's can be.
                None => id.letter().to_string(),
            };
            let process = setting.process(&name).unwrap_or_else(|| {
                setting.processes.push(Process { name, members: Vec::new() });
                ProcessId(setting.processes.len() as u16 - 1)
            });
            setting.processes[process.index()].members.push(id);
            setting.process_of.push(process);
        }
        Ok(setting)
    }
}

/// Returns true if the text can name an instance or a process. Names stand in schedules
/// (`down-r2`), so they are plain.
pub fn is_name(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=16).contains(&name.len()) && name.bytes().all(plain)
}

fn bad_name(what: &str, name: &str) -> String {
    format!("\"{name}\" cannot name an {what}: 1 to 16 of a-z, 0-9 and hyphens can")
}

/// The reason why a scenario cannot start: its author's mistake.
#[derive(Debug, Clone, PartialEq)]
pub enum StartError {
    /// Redis refused a setup command; its index is counted from 0.
    Setup {
        node: String,
        command: usize,
        reply: Value,
        /// What the instance lacks of it.
        lacking: Option<Lacking>,
    },
    /// A statement of the SQL setup was refused; its index is counted from 0.
    Sql {
        statement: usize,
        why: String,
    },
    Scenario(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Setup { node, command, reply, lacking: _ } => {
                write!(f, "setup command {}", command + 1)?;
                if node != DEFAULT_NODE {
                    write!(f, " of {node}")?;
                }
                write!(f, ": {}", reply.to_cli_short())
            }
            StartError::Sql { statement, why } => {
                write!(f, "sql statement {}: {why}", statement + 1)
            }
            StartError::Scenario(why) => f.write_str(why),
        }
    }
}
