//! What the page's states want done in the world: plain data, so that a native test can read it.
//!
//! A state keeps its effects, in order, until `ui` takes them and carries them out: after every
//! message, before anything else happens. Absent so far: everything but the workers.

use crate::view::find::Request;

/// Something to be done with the workers, which are numbered. Number 0 searches, and has a share in
/// crowds; the others are for crowds only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Asks a worker, which is started where it is not there.
    Ask(usize, Request),
    /// Ends what a worker, if there is one, does under this id. One that does not listen is
    /// replaced.
    Stop(usize, u32),
    /// The worker has stopped: it may stay.
    Stopped(usize),
    /// Ends all workers but number 0.
    Dismiss,
}
