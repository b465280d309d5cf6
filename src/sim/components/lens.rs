//! Lenses: the numbers by which the search asks for a fact of a component
//! (`WorldComponents::fact_of`). A lens is about a client's component unless its doc says
//! otherwise.
//!
//! To add one, take a free number below 32, or a range for one lens per instance, and give its
//! answer in `WorldComponents::fact_of`.

/// The client can go on, and needs no mutex for it.
pub const RUNS_FREELY: u16 = 1;
pub const WANTS_MUTEX: u16 = 2;
/// The client can go on unless its statement waits for a row.
pub const WANTS_ROWS: u16 = 20;
/// Any component: something in it has a deadline.
pub const TIMED: u16 = 3;
/// Commands of others, or time, can change the client without its doing.
pub const WITHIN_REACH: u16 = 4;
/// The client waits for replicas.
pub const WAITS: u16 = 15;
pub const ALIVE: u16 = 5;
/// The client watches keys.
pub const WATCHES: u16 = 16;
/// The client's `Fate` as a number.
pub const FATE: u16 = 6;
pub const PAUSED: u16 = 7;
/// The message of the client's error, as a value.
pub const ERROR: u16 = 17;
pub const WAS_PAUSED: u16 = 18;
/// The mutexes: one is held. The tables: a transaction is open.
pub const HELD: u16 = 8;
/// The variables of processes: there is one.
pub const KEPT: u16 = 19;
/// Any component with a clock: its next deadline, see [`super::time::due_number`].
pub const DUE: u16 = 12;
/// An instance: it is up.
pub const UP: u16 = 9;
/// A link: the replica's number + 1.
pub const FOLLOWS: u16 = 10;
/// A link: the replica lacks some writes.
pub const BEHIND: u16 = 11;
/// A link: the master's number + 1.
pub const LEADS: u16 = 13;
pub const STALE: u16 = 14;
/// A key: it exists. One lens for each instance.
pub const KEY_OF: u16 = 32;
/// A client: its call, or what it waits for, goes to this instance. One lens for each instance.
pub const CALLS: u16 = 40;
/// Something in this instance, or for a client that waits for it, has a deadline. One lens for each
/// instance.
pub const TIMED_AT: u16 = 48;
/// A client: it has a connection to this instance, or waits for one. One lens for each instance.
pub const CUT_WITH: u16 = 56;
/// The first of the lenses for globals that properties read: [`of_global`].
pub const GLOBALS: u16 = 64;
/// A global: its value.
pub const VALUE: u16 = 0;
/// A global: it is true, and its client has not crashed.
pub const COUNTED: u16 = 1;
const EACH: u16 = 2;

/// Returns the lens of this projection of the global with index `at`.
pub fn of_global(what: u16, at: usize) -> u16 {
    GLOBALS + what + EACH * at as u16
}

/// Splits a lens number into a projection ([`VALUE`], [`COUNTED`]) and the index of a global;
/// `None` for other lenses.
pub fn global(lens: u16) -> Option<(u16, usize)> {
    let number = lens.checked_sub(GLOBALS)?;
    Some((number % EACH, usize::from(number / EACH)))
}
