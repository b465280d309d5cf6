//! The lesson in a course page, and the dialog that makes the snippet for one.
//!
//! [`post`] is the line to the page around the frame, [`paper`] how high the lesson is when that is
//! printed, [`dialog`] what a teacher chooses. What the page does with all that is in
//! `app::shell::course`.

pub mod dialog;
mod paper;
pub mod post;
