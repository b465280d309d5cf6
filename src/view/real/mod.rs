//! The same run on a real Redis: the learner's schedule releases one command at a time, and every
//! reply is held against the simulator's.
//!
//! - [`plan`] says what a step asks of real servers; [`compare`] what "equal" means.
//! - `work` does a step's deeds one after the other, `replicas` those of replication.
//! - [`run`] is the machine between a run and its WebSockets: it is told what came and what time it
//!   is, and says what to send. It opens none itself, so a test drives it as the page does.
//! - [`sockets`] is its side of the proxy's protocol (the head of the module `proxy` has it).
//! - [`report`] is what of it is shown and exported.
//! - [`crowd`] is another machine: a small crowd, whose programs go on with the real replies.
//!
//! The simulator's replies count: programs run in the simulator, and go on with its replies. A real
//! reply is compared and shown, never fed back; so one difference does not hide the next.
//!
//! Time is real. A learner thinks for longer than a lease of 20 ms lasts, so by default leases wait
//! for the schedule: the deadline of a key is moved far away in the same breath in which a command
//! has set it, and when the schedule lets time pass, it comes ([`run::Pace`]).

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
