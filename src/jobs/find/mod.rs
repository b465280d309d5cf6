//! Find: a search for orders of steps that break a condition, and the distance from the end of a
//! run to such an order.
//!
//! No clocks: the caller of a [`Work`] measures time and passes it in.

pub mod wire;
mod work;

pub use wire::{Found, IdsShown, Near, Outcome, Progress, Report, Run, Slow, Stands, Start};
pub use work::{OUTCOMES_MAX, Work, ids_of_other, ids_shown, never_set};
