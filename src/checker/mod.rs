//! An explicit-state model checker over any model; it knows nothing of Redis.
//!
//! - [`Components`] describes a model: slots that hold interned components, actors and their moves,
//!   conditions. Any [`Model`] with whole states is adapted by [`Whole`].
//! - [`Search`] visits every reachable state, nearest first: exact counts, first states where a
//!   condition is true or false, deadlocks, shortest traces.
//! - [`Graph`] keeps all moves of a complete search, for the rest: [`never()`] finds a fair run on
//!   which a condition never becomes true, [`Census`] counts schedules and classes of them,
//!   [`Distances`] computes how far states are from a set of states.
//! - [`map`] is the graph of a small search as plain data, with the fate of each state.
//! - [`Polish`] picks among shortest traces the one that is easiest to follow.
//!
//! Two reductions may be switched on, each of which keeps verdicts: symmetry (states that differ by
//! a renaming of equal actors are one) and partial order (steps that commute are tried in one
//! order).
//!
//! Contract: no clocks; [`Search::advance`] works on a given number of states and returns. Every
//! bound is in [`Options`], and a search that met one says which.
//!
//! Reading order: `components` (the contract), `memo`, `shortcut`, `recent` and `batch` (why it is
//! fast), `layout` and `store` (why it is small), `search`, `trace`, `graph`, `liveness`, `census`,
//! `polish`, `map`, `ample`.

mod ample;
mod batch;
mod census;
mod components;
mod graph;
mod layout;
mod liveness;
pub mod map;
mod memo;
mod natural;
mod polish;
mod recent;
mod search;
mod shortcut;
mod store;
mod trace;
mod turns;
mod whole;

#[cfg(test)]
mod models;
#[cfg(test)]
mod tests;

pub use census::{Census, Counting, End};
pub use components::{Components, Move, View};
pub use graph::{Distances, Edge, Graph};
pub use liveness::{Lasso, Never, never};
pub use memo::at_least;
pub use natural::Natural;
pub use polish::Polish;
pub use search::{Bound, Counts, Options, Search, StateId, Status};
pub use whole::{Model, Whole};

/// The example of README.md, which `cargo test --doc` runs.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct ReadMe;
