//! The events of the page: inputs, and the results of effects.

use super::effect::{Socket, Timer, Wanted};
use super::input::Input;
use crate::jobs::Answer;
use crate::real;

/// An event of the page.
#[derive(Debug)]
pub enum Event {
    Input(Input),
    /// The address was changed by hand, by a link or by the history.
    Moved,
    /// A file that was asked for, or the error of loading it.
    Loaded(Wanted, Result<String, String>),
    /// An answer from the worker of this number.
    Heard(usize, Answer),
    Time(Timer),
    /// The width and height of the diagram's room, in px.
    Room(i32, i32),
    /// The result of copying: the name of the text, and whether it worked.
    Copied(&'static str, bool),
    /// The result of saving a file: true if it was saved.
    Saved(bool),
    /// A message of the service worker that keeps the offline copy.
    Offline(String),
    /// A message of the page that embeds this one, with its origin.
    Parent(String, String),
    /// A message of the WebSocket of this number.
    Socket(Socket, u32, real::Heard),
}
