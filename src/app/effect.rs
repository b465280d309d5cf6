//! The effects that the page's states ask for: plain data, so that a native test can read them.
//!
//! A state queues its effects; `ui` takes them after every message and carries them out in order,
//! before anything else happens. So far there are effects for the workers only. To add a kind,
//! add a variant to [`Effect`] and its branch in `ui/workers.rs`.

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
