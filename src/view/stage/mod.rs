//! A frame of a run, to be drawn, and the words that go with it.
//!
//! - [`cards`] has each client's program and state, [`listing`] joins the cards of one program;
//!   [`readings`] are the languages in which a program can be shown.
//! - [`diagram`] is the space–time diagram; [`spans`] and [`windows`] are what lasts in a run, and
//!   its races.
//! - [`redis`] has the keys and what stands beside them, [`gauges`] and [`flow`] a lesson's
//!   instruments.
//! - [`strip`] is the schedule, [`chips`] the conditions, [`faults`] the menu of faults.
//! - [`explain`] describes the last step in words, [`why`] the steps that led to it; `stale` and
//!   `deadlines` have their sentences about old values and times to live, [`basis`] tells whether a
//!   write was computed from a value.
//! - [`compare`] shows runs side by side, or variants under one schedule.

pub mod basis;
pub mod cards;
pub mod chips;
pub mod compare;
mod deadlines;
pub mod diagram;
pub mod explain;
pub mod faults;
pub mod flow;
pub mod gauges;
pub mod listing;
pub mod readings;
pub mod redis;
mod shaped;
pub mod spans;
mod stale;
pub mod strip;
pub mod why;
pub mod windows;

#[cfg(test)]
pub(in crate::view) mod tests;
