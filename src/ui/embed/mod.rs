//! The lesson in a course page, and the dialog that makes the snippet for one.
//!
//! [`post`] is the line to the page around the frame, [`dialog`] what a teacher chooses. What the
//! page does with all that is in `app::shell::course`.

pub mod dialog;
pub mod post;
