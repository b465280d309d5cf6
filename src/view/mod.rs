//! Everything that the page draws, as plain data: a pure function of a lesson, a run and a position
//! in it.
//!
//! - [`stage`] is a frame: programs, diagram, keys, the sentence of the step and the chips of its
//!   conditions.
//! - [`film`] has the movements from one frame to the next, and Redis as a place, on which they
//!   play.
//! - [`learn`] is what a lesson asks and says around its run; [`home`] is the page before all
//!   lessons.
//! - [`find`] has the questions to the checker, its answers, and their display; [`map`] is the
//!   picture of all schedules.
//! - [`crowd`] is the form of a crowd, its workers' side, and the tables and charts of its results.
//! - [`class`] reads the result codes of a class into a table.
//! - [`console`] is the consoles beside a run, and imports recorded sessions.
//! - [`export`] writes a run down for elsewhere; [`embed`] is the lesson in a course page: the
//!   page's options and messages.
//! - [`highlight`] colours code, [`short`] shortens labels.
//!
//! A room uses what stands before it in this list, and `find` what `learn` challenges; `home` uses
//! `map`. Nothing here knows of the browser, so all of it is tested natively.

pub mod class;
pub mod console;
pub mod crowd;
pub mod embed;
pub mod export;
pub mod film;
pub mod find;
pub mod highlight;
pub mod home;
pub mod learn;
pub mod map;
pub mod short;
pub mod stage;
