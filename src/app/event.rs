//! Everything that arrives at the page: what is pressed, and what comes of effects.

use super::effect::{Socket, Timer, Wanted};
use super::input::Input;
use crate::view::find::Answer;
use crate::view::real;

/// What arrives at the page.
#[derive(Debug)]
pub enum Event {
    Input(Input),
    /// The address was changed by hand, by a link or by the history.
    Moved,
    /// A file that was asked for, or why it cannot be had.
    Loaded(Wanted, Result<String, String>),
    /// From a worker, with its number.
    Heard(usize, Answer),
    Time(Timer),
    /// The room of the diagram, in px.
    Room(i32, i32),
    /// Something was copied, or could not be.
    Copied(&'static str, bool),
    /// A file was saved, or could not be.
    Saved(bool),
    /// The word of the keeper of the offline copy.
    Offline(String),
    /// A message of the page around this one, and the origin it comes from.
    Parent(String, String),
    /// From a WebSocket, with its number.
    Socket(Socket, u32, real::Heard),
}
