//! The world: Redis instances, the client programs that use them, what stands beside them, and
//! time. The order of steps, and the faults, are decided outside: by a learner, a story, a test or
//! a search, all through [`World::apply`].
//!
//! - [`Scenario`] is what a world starts from: instances, programs, faults allowed, properties.
//! - [`World`] is a value made of components: [`World::enabled`] lists what can happen next
//!   ([`Action`]), [`World::choices`] the part of it that a search may do, [`World::apply`] applies
//!   one of these and reports what was seen ([`Seen`]).
//! - [`Timeline`] keeps the frames of a run: going back moves a cursor, and choosing differently
//!   makes a fork.
//! - A console ([`Typed`]) is a person who types commands: a step like any other, with a lane of
//!   its own, that no world lists as enabled and no search makes.
//! - [`schedule`] writes a run as `A1.B1.crashA.T1` and reads it back.
//! - [`Property`] judges a state through [`Facts`].
//! - `oracle` (native) is a second search that shares nothing with [`Check`], to compare with it.
//!
//! Time does not move while a client can run; [`Action::Advance`] moves it to the next deadline.
//! Where clients may be held up, [`Action::Tick`] moves it less far (`ticks`). A step reads and
//! writes the stepping client, the instance it calls (and that one's links), and the clients it
//! wakes. [`Seen`] holds what is only for display and takes no part in equality.
//!
//! Absent: partitions between clients and instances, replicas of replicas, partial writes. A crash
//! also removes what the client had on the wire.

mod action;
mod apply;
mod chance;
mod check;
mod client;
mod components;
mod connections;
mod console;
mod crowd;
mod deliver;
mod facts;
mod faults;
mod host;
mod ids;
mod lost;
mod missing;
mod mutexes;
mod node;
#[cfg(not(target_arch = "wasm32"))]
pub mod oracle;
mod property;
mod ready;
mod resource;
mod scenario;
pub mod schedule;
pub mod sql;
mod ticks;
mod timeline;
mod variables;
mod wake;
mod world;

#[cfg(test)]
mod tests;

pub use action::{Action, ClientId, Impossible, NodeId, ProcessId};
pub use check::{
    AskMap, AskSlower, AskVacuous, Assumed, Assumption, Check, Count, End, Ids, Late, Lattice,
    Limits, Mapped, Never, Outcome, Site, Slower, Unfollowed, Verdict, as_prompt,
};
pub use client::{Call, CallKind, Client, INBOX_MAX, Paused, State, Wait, Woken, endless_line};
pub use components::{QuestionKind, WorldComponents};
pub use connections::{Connection, Shared, SharedConnections};
pub use console::{LINE_MAX, Typed};
pub use facts::{Facts, Fate, WorldFacts};
pub use missing::compared_with_nil;
pub use mutexes::{Held, Mutexes};
pub use node::{BACKLOG_MAX, Link, Node, conn_id};
pub use property::{Kind, Property, Unset, error_after, is_zeno, unexpected_error};
pub use ready::{READY, Ready};
pub use resource::{Resource, Resources, Write};
pub use scenario::{
    ClientDef, DEFAULT_NODE, Faults, NodeDef, Process, Scenario, Setting, StartError, TimeMode,
    is_name,
};
pub use schedule::{ScheduleError, Token};
pub use timeline::{Branch, Frame, NAME_MAX, Run, Timeline, shared_frames};
pub use variables::{Plain, VARIABLES_BYTES_MAX, VARIABLES_MAX, VariableUse, Variables};
pub use world::{Change, Due, Event, Ran, Seen, World};

/// The clock of every world starts here (2026-01-01T00:00:00Z, in ms since 1970): a fixed moment,
/// so that the same schedule shows the same times forever.
pub const START_MS: u64 = 1_767_225_600_000;

/// The most outcomes of one random draw that are listed and searched.
pub const OUTCOMES_MAX: usize = 16;
/// The most keys of an instance that may be evicted: the first ones by database and name.
pub const EVICTABLE_MAX: usize = 32;

/// The most steps of one run. A learner never gets there; a link or a loop can.
pub const MAX_STEPS: usize = 2_000;

/// The most bytes that each instance of a world may hold, by the engine's estimate. No lesson holds
/// a hundredth of it; a link or a loop could ask for Redis's 512 MB a string, which a browser tab
/// cannot hold. Eight such instances, and their display, fit into a tab.
pub const WORLD_BYTES_MAX: u64 = 16 << 20;

/// The VM instructions that a script may run before other clients are told BUSY. They are one step,
/// for which the page waits.
pub const SCRIPT_BUDGET: u64 = 2_000_000;

/// The most bytes that the frames of a timeline may hold, by estimate. Every step keeps what it
/// changed, so a loop that writes a long value keeps it each time: 2,000 steps of 16 MiB do not fit
/// into a tab. A run of a lesson holds less than a megabyte.
pub const RUN_BYTES_MAX: u64 = 256 << 20;

/// The most clients a world may have: their letters are A to P, and `T` stays free for time.
pub const MAX_CLIENTS: usize = 16;

/// The most places of a crowd: requests under way at once.
pub const CROWD_MAX: usize = 4_096;

/// The most consoles: `c1` to `c8`.
pub const CONSOLES_MAX: usize = 8;

/// The most instances of a world.
pub const MAX_NODES: usize = 8;

/// The most connections one client may open.
pub const CONNECTIONS_MAX: usize = 16;

/// How long a client waits for an instance that is down, in ms, unless `connect` says otherwise.
pub const TIMEOUT_MS: u64 = 50;

/// The most Lua instructions of a program between two calls; beyond, it counts as an endless loop.
pub const FUEL_PER_STEP: u64 = 1_000_000;
