//! The page without a browser: what it knows, what a press does to it, and what is to be drawn.
//!
//! Contract: nothing here knows of the document, of storage, of timers; all of it is tested
//! natively. [`run`] is the run that is stepped, and [`stage`] what its stage shows, as plain data.
//! Absent so far: searches, crowds, exercises and the playground, whose state `ui::app` still has.

pub mod path;
pub mod run;
pub mod stage;
