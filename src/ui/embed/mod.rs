//! The lesson in a course page, and the dialog that makes the snippet for one.
//!
//! [`post`] is the line to the page around the frame, [`compat`] what other hosts expect of it,
//! [`dialog`] what a teacher chooses. What the page does with all that is in the app's own `embed`.

pub mod compat;
pub mod dialog;
pub mod post;
