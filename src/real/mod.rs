//! The same run on a real Redis: the learner's schedule releases one command at a time, and every
//! reply is compared with the simulator's.
//!
//! - [`plan`] says what a step requires of real servers; [`compare`] defines "equal".
//! - `work` does a step's deeds one after the other, `replicas` those of replication.
//! - [`run`] is the state machine between a run and its WebSockets: it takes events and the time,
//!   and returns what to send. It opens no WebSocket itself, so a test drives it as the page does.
//! - [`sockets`] is its side of the proxy's protocol (described in the head of the module `proxy`).
//! - [`report`] is the part that is shown and exported.
//! - [`crowd`] is another machine: a small crowd, whose programs use the real replies.
//!
//! Programs run in the simulator, with the simulator's replies. A real reply is compared and shown,
//! never fed back, so one difference does not hide the next.
//!
//! Time is real. A learner thinks for longer than a lease of 20 ms lasts, so by default leases wait
//! for the schedule: the deadline of a key is moved far away right after the command that set it,
//! and it comes when the schedule lets time pass ([`run::Pace`]).

pub mod compare;
pub mod crowd;
pub mod plan;
mod replicas;
pub mod report;
pub mod run;
pub mod sockets;
#[cfg(test)]
mod tests;
mod work;

pub use compare::Why;
pub use report::{Check, Difference, Mark, Row};
pub use run::{Pace, Phase, Runner, Said, Trouble};
pub use sockets::{Effect, Heard};
