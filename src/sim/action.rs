//! Actions: what can happen next ([`Action`]), why something cannot ([`Impossible`]), and the
//! numbers of clients, instances and processes.
//!
//! The order of the actions is the order of `World::enabled`, and everything from
//! [`Action::LoseReply`] on is a fault. To add an action or a fault, add it at its place here and
//! follow the recipe in docs/ARCHITECTURE.md: a few matches stop compiling (`view::faults::label`,
//! `view::film`), most have an arm for everything else.

use std::hash::{Hash, Hasher};

use super::{CONSOLES_MAX, MAX_CLIENTS};

/// A client's place in the cast: 0 is A. A crowd has places beyond the letters; the consoles come
/// after all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientId(pub u16);

/// The number of the first console.
const CONSOLE_FIRST: u16 = u16::MAX - CONSOLES_MAX as u16 + 1;

impl Hash for ClientId {
    /// One byte: fingerprints stand in lessons and links, and a world that has one has few clients.
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 as u8).hash(state);
    }
}

impl ClientId {
    /// A, B, C … of a console the digit of its name.
    pub fn letter(self) -> char {
        match self.console_number() {
            Some(number) => char::from(b'0' + number),
            None => char::from(b'A' + (self.0 % 26) as u8),
        }
    }

    /// `A`; of a console `c1`.
    pub fn name(self) -> String {
        match self.is_console() {
            true => format!("c{}", self.letter()),
            false => self.letter().to_string(),
        }
    }

    /// Console `number`, counted from 1.
    pub fn console(number: u8) -> Option<ClientId> {
        let there_is = (1..=CONSOLES_MAX).contains(&usize::from(number));
        there_is.then(|| ClientId(CONSOLE_FIRST + (u16::from(number) - 1)))
    }

    /// The console of that name: `c1`.
    pub fn console_of(name: &str) -> Option<ClientId> {
        ClientId::console(name.strip_prefix('c').filter(|digit| digit.len() == 1)?.parse().ok()?)
    }

    pub fn is_console(self) -> bool {
        self.0 >= CONSOLE_FIRST
    }

    /// From 1, of a console.
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

/// A Redis instance's place in the scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NodeId(pub u8);

impl NodeId {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A process's place in the setting; every client is in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct ProcessId(pub u16);

impl Hash for ProcessId {
    /// One byte, as for [`ClientId`].
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.0 as u8).hash(state);
    }
}

impl ProcessId {
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One thing that can happen next. `World::enabled` lists them in the order in which they stand
/// here, those of one kind in the order of their clients, processes or instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// This client's call goes out, is executed, and its reply arrives.
    Step(ClientId),
    /// The same of a command that draws at random (in wire mode, its execution), the draw coming to
    /// the outcome of this number: see [`World::outcomes`](super::World::outcomes).
    Draw(ClientId, u8),
    /// In wire mode: the command goes out …
    Send(ClientId),
    /// … Redis executes it …
    Execute(ClientId),
    /// … and the reply arrives.
    Reply(ClientId),
    /// Time moves to the next deadline: a key expires, a sleeper wakes, a wait times out.
    Advance,
    /// So many ms pass, and nothing is due by then: a client is held up for less than until the
    /// next deadline. Searches list it ([`World::choices`](super::World::choices)).
    Tick(u32),
    /// A paused client goes on.
    Resume(ClientId),
    ResumeProcess(ProcessId),
    /// An instance can be reached again, its data as it was.
    Up(NodeId),
    /// This replica executes the next write of its master.
    Replicate(NodeId),
    /// A console's connection is closed. No world lists it: people do it, searches do not.
    Disconnect(ClientId),
    /// The command is executed, and the connection breaks before the reply has arrived.
    LoseReply(ClientId),
    /// A client stands still, as in a long garbage collection.
    Pause(ClientId),
    PauseProcess(ProcessId),
    /// A client is gone for good. Its connections close, what it left in Redis stays.
    Crash(ClientId),
    CrashProcess(ProcessId),
    /// A client's clock jumps.
    JumpClient(ClientId),
    /// An instance's clock jumps.
    JumpNode(NodeId),
    /// An instance cannot be reached.
    Down(NodeId),
    /// An instance comes back empty, without data and scripts.
    Restart(NodeId),
    /// A master is lost; its first replica that is up takes its place.
    Failover(NodeId),
}

impl Action {
    /// Does time move by it?
    pub fn is_time(self) -> bool {
        matches!(self, Action::Advance | Action::Tick(_))
    }

    /// The client that goes on by it, if it is that kind of action.
    pub fn runs(self) -> Option<ClientId> {
        match self {
            Action::Step(id)
            | Action::Draw(id, _)
            | Action::Send(id)
            | Action::Execute(id)
            | Action::Reply(id) => Some(id),
            _ => None,
        }
    }

    /// Something that goes wrong, and that a scenario allows so many times.
    pub fn is_fault(self) -> bool {
        self >= Action::LoseReply(ClientId(0))
    }

    /// The client it happens to, where it happens to one.
    pub fn client(self) -> Option<ClientId> {
        match self {
            Action::LoseReply(id)
            | Action::Pause(id)
            | Action::Resume(id)
            | Action::Crash(id)
            | Action::JumpClient(id)
            | Action::Disconnect(id) => Some(id),
            other => other.runs(),
        }
    }

    /// The same thing happening to another client.
    pub(super) fn renamed(self, to: &dyn Fn(ClientId) -> ClientId) -> Action {
        match self {
            Action::Step(id) => Action::Step(to(id)),
            Action::Draw(id, outcome) => Action::Draw(to(id), outcome),
            Action::Send(id) => Action::Send(to(id)),
            Action::Execute(id) => Action::Execute(to(id)),
            Action::Reply(id) => Action::Reply(to(id)),
            Action::Resume(id) => Action::Resume(to(id)),
            Action::LoseReply(id) => Action::LoseReply(to(id)),
            Action::Pause(id) => Action::Pause(to(id)),
            Action::Crash(id) => Action::Crash(to(id)),
            Action::JumpClient(id) => Action::JumpClient(to(id)),
            other => other,
        }
    }

    /// The instance it happens to, where it happens to one.
    pub fn node(self) -> Option<NodeId> {
        match self {
            Action::Up(id)
            | Action::Replicate(id)
            | Action::JumpNode(id)
            | Action::Down(id)
            | Action::Restart(id)
            | Action::Failover(id) => Some(id),
            _ => None,
        }
    }
}

/// Why an action cannot happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Impossible {
    NoSuchClient(ClientId),
    /// It is blocked, asleep, done or failed: see `Client::state`.
    NotReady(ClientId),
    Paused(ClientId),
    /// The mutex it wants is held by another client.
    Locked {
        client: ClientId,
        owner: ClientId,
    },
    /// Nothing has a deadline.
    NoDeadline,
    /// The scenario allows no (further) fault of this kind.
    NoBudget,
    /// It does not fit: an instance that is up cannot come up, a master does not replicate.
    NotNow,
}
