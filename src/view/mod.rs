//! Everything that the page draws, as plain data: a pure function of a lesson, a run, a position in
//! it, and what is known beside it.
//!
//! Each room may use only what stands above it in this list (tests/tidy.rs holds the order).
//! Nothing here knows of the browser or changes a session, so all of it is tested natively. What a
//! press does is in `app`, what the checker does in `jobs`. To add a room, give it a line at its
//! height.

// Shorter labels, with names for times and scripts.
pub mod short;

// Code in colours.
pub mod highlight;

// A frame: programs, diagram, keys, the sentence of the step and the chips of its conditions.
pub mod stage;

// The movements from one frame to the next, and Redis as a place, on which they play.
pub mod film;

// What a lesson asks and says around its run.
pub mod learn;

// The lesson in a course page: the page's options and messages.
pub mod embed;

// A run written down for elsewhere.
pub mod export;

// The consoles beside a run, and recorded sessions read for them.
pub mod console;

// The picture of all schedules.
pub mod map;

// The answers of the checker.
pub mod find;

// The form of a crowd, and the tables and charts of its results.
pub mod crowd;

// The result codes of a class, read into a table.
pub mod class;

// The page before all lessons.
pub mod home;
