//! Crowds: thousands of requests in one world, under seeded latencies, with counts of failures and
//! costs.
//!
//! A request is one run of a client's program, in a place of a [`World`] that becomes free when the
//! program has ended. [`Run`] is a discrete-event simulation of one seed: it decides when a command
//! arrives at its instance, when its reply arrives at its client, and which client sleeps when; the
//! effects are those of [`World::apply_unseen`], as for the learner and for the checker.
//!
//! - [`Plan`] says how many requests come, when, from how far, and with which faults.
//! - [`Job`] says what they do: the instances, the programs, and the measures at the end.
//! - [`Run`] runs one seed, within its budget; [`Tally`] has its results.
//! - [`Crowd`] runs many seeds and summarises them; [`reduce()`] finds the two or three requests of
//!   a crowd that show a failure.
//!
//! # The model
//!
//! An instance has one thread: commands wait for it in the order in which they arrive, and each
//! keeps it busy for `command_ns` and for the work that the engine counts
//! ([`crate::engine::Instance::work`]), so a long script makes all clients wait. A network's round
//! trip is drawn in two halves. A process has its threads, its mutexes and its clock; a mutex goes
//! to the client that has waited longest. SQL and other resources are a round trip away, unqueued.
//! The simulation's clock counts nanoseconds, the world's milliseconds, as Redis's own.
//!
//! Absent: replication and failover (a replica never follows), bandwidth, connections that take
//! time to open, how many elements a command goes through.
//!
//! [`World`]: crate::sim::World
//! [`World::apply_unseen`]: crate::sim::World::apply_unseen

mod crowd;
mod histogram;
mod job;
mod plan;
mod random;
mod reduce;
mod run;
mod tally;

#[cfg(test)]
mod tests;

pub use crowd::{Crowd, Point, SEEDS_MAX, Summary};
pub use histogram::Histogram;
pub(crate) use job::CrowdFacts;
pub use job::{Having, Job, Measure, Sum, Watched, What};
pub use plan::{Arrival, FIELDS, Field, Plan, REQUESTS_MAX};
pub use random::{Pcg, Spread};
pub use reduce::{Small, reduce};
pub use run::{Called, EVENTS_MAX, Run};
pub use tally::Tally;
