//! Parts of the page that know nothing of the page: what they draw, and what a press says, they are
//! told by who uses them.

pub mod dialog;
