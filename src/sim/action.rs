//! Actions: the things that can happen next ([`Action`]), the reasons why one cannot
//! ([`Impossible`]), and the numbers of clients, instances and processes.
//!
//! The order of the actions is the order of `World::enabled`, and everything from
//! [`Action::LoseReply`] on is a fault. To add an action or a fault, add it at its place here and
//! follow the recipe in docs/ARCHITECTURE.md: a few matches stop compiling
//! (`view::stage::faults::label`, `view::film`), most have an arm for everything else.

use std::hash::{Hash, Hasher};

use super::{CONSOLES_MAX, MAX_CLIENTS};

/// A client's number in the scenario: 0 is A. A crowd's numbers go beyond the letters; those of the
/// consoles come after all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientId(pub u16);

/// The number of the first console.
const CONSOLE_FIRST: u16 = u16::MAX - CONSOLES_MAX as u16 + 1;

impl Hash for ClientId {
    /// Hashed as one byte, because fingerprints are written in lessons and links. A world that has
    /// a fingerprint has few clients.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 as u8).hash(state);
    }
}

impl ClientId {
    /// Returns the client's letter A, B, C …; for a console the digit of its name.
    pub fn letter(self) -> char {
        match self.console_number() {
            Some(number) => char::from(b'0' + number),
            None => char::from(b'A' + (self.0 % 26) as u8),
        }
    }

    /// Returns `A`; for a console `c1`.
    pub fn name(self) -> String {
        match self.is_console() {
            true => format!("c{}", self.letter()),
            false => self.letter().to_string(),
        }
    }

    /// Returns console `number`, counted from 1; `None` if there is no such console.
    pub fn console(number: u8) -> Option<ClientId> {
        let there_is = (1..=CONSOLES_MAX).contains(&usize::from(number));
        there_is.then(|| ClientId(CONSOLE_FIRST + (u16::from(number) - 1)))
    }

    /// Returns the console with this name, such as `c1`.
    pub fn console_of(name: &str) -> Option<ClientId> {
        ClientId::console(name.strip_prefix('c').filter(|digit| digit.len() == 1)?.parse().ok()?)
    }

    pub fn is_console(self) -> bool {
        self.0 >= CONSOLE_FIRST
    }

    /// Returns the number of a console, from 1; `None` for other clients.
    pub fn console_number(self) -> Option<u8> {
        self.0.checked_sub(CONSOLE_FIRST).map(|at| at as u8 + 1)
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn from_letter(letter: char) -> Option<ClientId> {
        let index = u8::try_from(letter).ok()?.checked_sub(b'A')?;
        (usize::from(index) < MAX_CLIENTS).then_some(ClientId(index.into()))
    }
}

/// The number of a Redis instance in the scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NodeId(pub u8);

impl NodeId {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The number of a process in the setting; every client belongs to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ProcessId(pub u16);

impl Hash for ProcessId {
    /// Hashed as one byte, as for [`ClientId`].
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 as u8).hash(state);
    }
}

impl ProcessId {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Something that can happen next. `World::enabled` lists actions in the order of these variants,
/// and those of one variant in the order of their clients, processes or instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// This client's call goes out, is executed, and its reply arrives.
    Step(ClientId),
    /// The same for a command that draws at random (in wire mode, its execution), with the outcome
    /// of this number: see [`World::outcomes`](super::World::outcomes).
    Draw(ClientId, u8),
    /// In wire mode: the client sends the command.
    Send(ClientId),
    /// In wire mode: Redis executes the command.
    Execute(ClientId),
    /// In wire mode: the reply arrives.
    Reply(ClientId),
    /// In wire mode: the oldest message that is under way on this connection of the client arrives.
    Arrive(ClientId, u8),
    /// Time moves to the next deadline: a key expires, a sleeper wakes, a wait times out.
    Advance,
    /// This many ms pass, and nothing is due by then: a client is held up for a shorter time than
    /// until the next deadline. Searches list it ([`World::choices`](super::World::choices)).
    Tick(u32),
    /// A paused client continues.
    Resume(ClientId),
    ResumeProcess(ProcessId),
    /// An instance becomes reachable again, with its data as it was.
    Up(NodeId),
    /// This replica executes the next write of its master.
    Replicate(NodeId),
    /// A console's connection is closed. No world lists this action: only people do it, searches do
    /// not.
    Disconnect(ClientId),
    /// The command or SQL statement is executed, and the connection breaks before the reply has
    /// arrived.
    LoseReply(ClientId),
    /// A client's process stops for a while, as in a long garbage collection.
    Pause(ClientId),
    PauseProcess(ProcessId),
    /// A client stops for good. Its connections close; its data in Redis stays.
    Crash(ClientId),
    CrashProcess(ProcessId),
    /// A client's clock jumps.
    JumpClient(ClientId),
    /// An instance's clock jumps.
    JumpNode(NodeId),
    /// An instance becomes unreachable.
    Down(NodeId),
    /// An instance restarts empty, without data and scripts.
    Restart(NodeId),
    /// A master fails; its first replica that is up takes its place.
    Failover(NodeId),
    /// A client gives up its call on a shared connection: the command is executed, and its reply
    /// stays on the connection, for whichever client reads there next.
    Cancel(ClientId),
    /// An instance runs out of memory and drops the key with this number among those of
    /// [`World::evictable`](super::World::evictable).
    Evict(NodeId, u8),
    /// The connection breaks before the command or SQL statement has reached the server: it is not
    /// executed, and the client gets the same error as for a lost reply.
    LoseRequest(ClientId),
    /// An instance restarts with its snapshot, the data that it had when the run began.
    Rewind(NodeId),
}

impl Action {
    /// Returns true if time moves by this action.
    pub fn is_time(self) -> bool {
        matches!(self, Action::Advance | Action::Tick(_))
    }

    /// Returns the client that makes this step, if the action is a client's step.
    pub fn runs(self) -> Option<ClientId> {
        match self {
            Action::Step(id)
            | Action::Draw(id, _)
            | Action::Send(id)
            | Action::Execute(id)
            | Action::Reply(id)
            | Action::Arrive(id, _) => Some(id),
            _ => None,
        }
    }

    /// Returns true for faults: actions that a scenario allows a limited number of times.
    pub fn is_fault(self) -> bool {
        self >= Action::LoseReply(ClientId(0))
    }

    /// Returns the client that the action concerns, if it concerns one.
    pub fn client(self) -> Option<ClientId> {
        match self {
            Action::LoseReply(id)
            | Action::LoseRequest(id)
            | Action::Pause(id)
            | Action::Resume(id)
            | Action::Crash(id)
            | Action::JumpClient(id)
            | Action::Cancel(id)
            | Action::Disconnect(id) => Some(id),
            other => other.runs(),
        }
    }

    /// Returns the same action for the renamed client.
    pub(super) fn renamed(self, to: &dyn Fn(ClientId) -> ClientId) -> Action {
        match self {
            Action::Step(id) => Action::Step(to(id)),
            Action::Draw(id, outcome) => Action::Draw(to(id), outcome),
            Action::Send(id) => Action::Send(to(id)),
            Action::Execute(id) => Action::Execute(to(id)),
            Action::Reply(id) => Action::Reply(to(id)),
            Action::Arrive(id, connection) => Action::Arrive(to(id), connection),
            Action::Resume(id) => Action::Resume(to(id)),
            Action::LoseReply(id) => Action::LoseReply(to(id)),
            Action::LoseRequest(id) => Action::LoseRequest(to(id)),
            Action::Pause(id) => Action::Pause(to(id)),
            Action::Crash(id) => Action::Crash(to(id)),
            Action::JumpClient(id) => Action::JumpClient(to(id)),
            Action::Cancel(id) => Action::Cancel(to(id)),
            other => other,
        }
    }

    /// Returns the instance that the action concerns, if it concerns one.
    pub fn node(self) -> Option<NodeId> {
        match self {
            Action::Up(id)
            | Action::Replicate(id)
            | Action::JumpNode(id)
            | Action::Down(id)
            | Action::Restart(id)
            | Action::Failover(id)
            | Action::Rewind(id)
            | Action::Evict(id, _) => Some(id),
            _ => None,
        }
    }
}

/// The reason why an action cannot happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Impossible {
    NoSuchClient(ClientId),
    /// The client is blocked, asleep, done or failed: see `Client::state`.
    NotReady(ClientId),
    Paused(ClientId),
    /// The mutex that the client wants is held by another client.
    Locked {
        client: ClientId,
        owner: ClientId,
    },
    /// The transaction of another client has locked a row that the statement meets.
    RowLocked {
        client: ClientId,
        owner: ClientId,
    },
    /// Another client's call is under way on the connection that they share.
    Busy {
        client: ClientId,
        owner: ClientId,
    },
    /// There is no deadline to which time could move.
    NoDeadline,
    /// The scenario allows no (further) fault of this kind.
    NoBudget,
    /// The action does not fit the state: an instance that is up cannot come up, a master does not
    /// replicate.
    NotNow,
}
