//! Lenses: the numbers by which the search asks for a fact of a part (`WorldParts::fact_of`). A
//! lens is of a client's part unless its doc says otherwise.
//!
//! To add one, take a free number below 32, or a range for one lens per instance, and give its
//! answer in `WorldParts::fact_of`.

/// It can go on, mutex or no mutex.
pub const RUNS_FREELY: u16 = 1;
pub const WANTS_MUTEX: u16 = 2;
/// Of any part: something in it is due at a time.
pub const TIMED: u16 = 3;
/// Commands of others, or time, can do something to it without its doing.
pub const WITHIN_REACH: u16 = 4;
/// It waits for replicas.
pub const WAITS: u16 = 15;
pub const ALIVE: u16 = 5;
/// It watches keys.
pub const WATCHES: u16 = 16;
/// `Fate` as a number.
pub const FATE: u16 = 6;
pub const PAUSED: u16 = 7;
/// The message of its error, as a value.
pub const ERROR: u16 = 17;
pub const WAS_PAUSED: u16 = 18;
/// Of the mutexes: one is held.
pub const HELD: u16 = 8;
/// With a clock: when next it is due, see [`super::due_number`].
pub const DUE: u16 = 12;
/// Of an instance: it answers.
pub const UP: u16 = 9;
/// Of a link: the replica's number + 1.
pub const FOLLOWS: u16 = 10;
/// Of a link: the replica lacks something.
pub const BEHIND: u16 = 11;
/// Of a link: the master's number + 1.
pub const LEADS: u16 = 13;
pub const STALE: u16 = 14;
/// Of a key's part: it is there. One lens for each instance.
pub const KEY_OF: u16 = 32;
/// Of a client: its call, or what it waits for, is this instance's. One lens for each instance.
pub const CALLS: u16 = 40;
/// Something in this instance, or for a client that waits for it, is due. One for each instance.
pub const TIMED_AT: u16 = 48;
/// Of a client: it has a connection to this instance, or waits for one. One for each instance.
pub const CUT_WITH: u16 = 56;
/// From here on lenses show the globals that properties look at: [`of_global`].
pub const GLOBALS: u16 = 64;
/// Of a global: its value.
pub const VALUE: u16 = 0;
/// Of a global: it is true, and its client has not crashed.
pub const COUNTED: u16 = 1;
const EACH: u16 = 2;

/// The lens of this projection of the global with index `at`.
pub fn of_global(what: u16, at: usize) -> u16 {
    GLOBALS + what + EACH * at as u16
}

/// Splits a lens number into a projection ([`VALUE`], [`COUNTED`]) and the index of a global;
/// `None` for other lenses.
pub fn global(lens: u16) -> Option<(u16, usize)> {
    let number = lens.checked_sub(GLOBALS)?;
    Some((number % EACH, usize::from(number / EACH)))
}
