//! The world: Redis instances, the client programs that use them, and time. Who goes next is
//! decided outside: by a learner, a story, a test or a search, all through [`World::apply`].
//!
//! - [`Scenario`] is what a world starts from: commands run beforehand, programs, properties.
//! - [`World`] is a value: [`World::enabled`] lists what can happen next, [`World::apply`] lets one
//!   of these happen and reports what was seen ([`Seen`]).
//! - [`Timeline`] keeps the frames of a run, so that going back is a look-up and choosing
//!   differently is a fork.
//! - [`schedule`] writes a run as `A1.B1.A2.B2` and reads it back.
//!
//! Time stands still while somebody can run; it moves by [`Action::Advance`] to the next deadline.
//! Absent for now: several instances, faults, the wire view.

mod client;
mod property;
pub mod schedule;
mod timeline;
mod world;

#[cfg(test)]
mod tests;

pub use client::{Call, Client, State};
pub use property::{Kind, Property};
pub use schedule::{ScheduleError, Token};
pub use timeline::{Branch, Frame, Timeline};
pub use world::{Action, ClientId, Event, Impossible, Ran, Scenario, Seen, World};

/// The clock of every world starts here (2026-01-01T00:00:00Z, in ms since 1970): a fixed moment,
/// so that the same schedule shows the same times for ever.
pub const START_MS: u64 = 1_767_225_600_000;

/// The most steps one run may have. A learner never gets there; a link or a loop can.
pub const MAX_STEPS: usize = 2_000;

/// The most clients a world may have: their letters are A to P, and `T` stays free for time.
pub const MAX_CLIENTS: usize = 16;

/// Lua instructions a program may use between two calls before it counts as an endless loop.
pub const FUEL_PER_STEP: u64 = 2_000_000;
