//! The effects that the page's state asks for: plain data, so that a native test can read them.
//!
//! A state queues its effects; `ui::runtime` takes them after every event and carries them out in
//! order, before anything is drawn. The result of an asynchronous effect arrives as an
//! [`Event`](super::event::Event). To add a kind: a variant of [`Effect`], and its arm in
//! `ui/runtime.rs`, or in `ui/workers.rs` if it is for the workers.

use crate::jobs::Request;
use crate::json::Json;
use crate::real;
use crate::text::Lang;

/// An action outside the page's state.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Worker(ForWorker),
    /// Sets a timer, in ms from now, in place of an earlier one of that name; `None` cancels it.
    Time(Timer, Option<u32>),
    /// Loads a file that lies beside the page.
    Load(Wanted),
    /// Keeps a value for the next visit; its name is without the page's prefix.
    Store(String, String),
    /// Copies a text to the clipboard. The name of its kind comes back with the result.
    Copy(&'static str, String),
    /// Hands a file to the reader.
    Save {
        name: String,
        kind: &'static str,
        bytes: Vec<u8>,
    },
    /// Saves the drawn diagram for the reader, as an SVG or as a PNG.
    Picture {
        name: String,
        png: bool,
    },
    /// Makes this the fragment of the address; with `turns`, as a new entry in the history.
    Address {
        fragment: String,
        turns: bool,
    },
    /// Makes this the fragment of the address, in a second way if the browser refuses the first.
    Force(String),
    /// Goes to a fragment, with a new entry in the history;
    /// [`Event::Moved`](super::event::Event::Moved) follows.
    Go(String),
    Title(String),
    /// Sets an attribute of the document's root element.
    Root(&'static str, String),
    /// Scrolls to the element of this selector as soon as it is drawn.
    Reveal(String),
    /// Scrolls the page to its top.
    ToTop,
    /// Gives the keyboard to the element of this selector as soon as it is drawn.
    Focus(&'static str),
    /// Focuses and presses a button.
    Press(&'static str),
    Print,
    /// Makes the browser ask before the page is left, while something is not stored.
    Guard,
    /// Switches to the new version of the page.
    Renew,
    /// Keeps a copy of the page for use without a network, or removes it.
    KeepCopy(bool),
    /// Sends a message to the course page that embeds this page.
    Course(ToCourse),
    /// Opens the way for WebSockets to a proxy, in place of earlier ones.
    Connect(Socket, Proxy),
    Sockets(Socket, Vec<real::Effect>),
    /// Closes all WebSockets; new ones can be opened.
    CloseAll(Socket),
    /// Closes all WebSockets for good.
    HangUp(Socket),
}

/// An action on the workers, which are numbered. Worker 0 searches and takes part in crowds; the
/// others only run crowds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForWorker {
    /// Sends a request to a worker, which is started if necessary.
    Ask(usize, Request),
    /// Ends the work of a worker under this id, if the worker exists. A worker that does not
    /// respond is replaced.
    Stop(usize, u32),
    /// Notes that the worker has stopped as asked, so that it is not replaced.
    Stopped(usize),
    /// Ends all workers except number 0.
    Dismiss,
}

/// The timers of the page, at most one of each name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timer {
    /// Until the next step of "play".
    Beat,
    /// Until the checker is made ready.
    Idle,
    /// Until the address is updated.
    Address,
    /// Until a long run goes on, after the page has handled its events.
    GoOn,
    /// Until the message that something was copied goes.
    Copied,
    /// A pause in typing in the playground after which the edit is committed.
    OwnPaused,
    /// A pause in typing in the playground after which the text is searched.
    OwnLive,
    /// Until the run has been drawn.
    Drawn,
    /// Until a run or a crowd on a real Redis goes on.
    Real(Socket),
}

/// A file that lies beside the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Index,
    Glossary,
    /// The reference of the commands.
    Docs,
    /// The examples of the playground.
    Examples,
    /// A lesson, by its id.
    Lesson(String),
}

impl Wanted {
    pub fn path(&self) -> String {
        let name = match self {
            Wanted::Index => "index",
            Wanted::Glossary => "glossary",
            Wanted::Docs => "commands",
            Wanted::Examples => "examples",
            Wanted::Lesson(id) => id,
        };
        format!("lessons/{name}.json")
    }
}

/// The user of WebSockets to a proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Socket {
    /// The run that is shown.
    Run,
    Crowd,
}

/// A proxy, and the token that lets this page in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    pub address: String,
    pub token: String,
    /// The language of the proxy's errors.
    pub lang: Lang,
}

/// A message to the course page, with the origins that may read it.
#[derive(Debug, Clone, PartialEq)]
pub enum ToCourse {
    /// To any origin.
    Tell(Json),
    /// To the origin that may read what the learner does.
    Confide(Json),
    /// To the origin of the request.
    Answer(Json, String),
    /// Trusts the origin that said hello, unless the address names another.
    /// With the height of its window in pixels, where it says so.
    GreetedBy(String, Option<u32>),
    H5pGreeted,
    /// Says that the content has changed and may be lower.
    Sink,
    /// Tells how high the lesson is on paper. Every other word does too, once the page is whole.
    Paper,
}
