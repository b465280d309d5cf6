//! The effects that the page's state asks for: plain data, so that a native test can read them.
//!
//! A state queues its effects; `ui::runtime` takes them after every event and carries them out in
//! order, before anything is drawn. What comes of one that takes time arrives as an
//! [`Event`](super::event::Event). To add a kind: a variant of [`Effect`], and its arm in
//! `ui/runtime.rs`, or in `ui/workers.rs` where it is the workers'.

use crate::json::Json;
use crate::text::Lang;
use crate::view::find::Request;
use crate::view::real;

/// Something to be done outside the page's state.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    Worker(ForWorker),
    /// Sets a timer, in ms from now, in the place of an earlier one of that name; `None` ends it.
    Time(Timer, Option<u32>),
    /// Loads a file that lies beside the page.
    Load(Wanted),
    /// Keeps a value for the next visit; its name is without the page's prefix.
    Store(String, String),
    /// Copies a text to the clipboard; the name of what it is comes back with the result.
    Copy(&'static str, String),
    /// Hands a file to the reader.
    Save {
        name: String,
        kind: &'static str,
        bytes: Vec<u8>,
    },
    /// Hands the diagram that is drawn to the reader, as an SVG or as a PNG.
    Picture {
        name: String,
        png: bool,
    },
    /// Makes this the fragment of the address; `turns`: as a new entry in the history.
    Address {
        fragment: String,
        turns: bool,
    },
    /// Makes this the fragment of the address, where it might be refused at first.
    Force(String),
    /// Goes to a fragment, with a new entry in the history; an event tells of it.
    Go(String),
    Title(String),
    /// Sets an attribute of the document's root element.
    Root(&'static str, String),
    /// Scrolls to what a selector names, as soon as it is drawn.
    Reveal(String),
    Focus(&'static str),
    /// Asks the reader before the page is left, while something is not stored.
    Guard,
    /// Takes the new version of the page.
    Renew,
    /// Keeps a copy of the page for use without a network, or removes it.
    KeepCopy(bool),
    /// To the course page around this one.
    Course(ToCourse),
    /// Makes WebSockets to a proxy possible, in the place of earlier ones.
    Connect(Socket, Proxy),
    Sockets(Socket, Vec<real::Effect>),
    /// Closes all WebSockets; others can be opened.
    CloseAll(Socket),
    /// Closes all WebSockets for good.
    HangUp(Socket),
}

/// Something to be done with the workers, which are numbered. Number 0 searches, and has a share in
/// crowds; the others are for crowds only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForWorker {
    /// Asks a worker, which is started where it is not there.
    Ask(usize, Request),
    /// Ends what a worker, if there is one, does under this id. One that does not listen is
    /// replaced.
    Stop(usize, u32),
    /// The worker has stopped: it may stay.
    Stopped(usize),
    /// Ends all workers but number 0.
    Dismiss,
}

/// The timers of the page, one of each name at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timer {
    /// The next step of "play".
    Beat,
    /// There is time to get the checker ready.
    Idle,
    /// There is time to bring the address up to date.
    Address,
    /// The page has answered: a run that is under way goes on.
    GoOn,
    /// The word that something was copied has stood for long enough.
    Copied,
    /// Typing in the playground has paused.
    OwnPaused,
    /// It has paused for the moment after which what was typed is searched.
    OwnLive,
    /// What was run has been drawn.
    Drawn,
    /// A run on a real Redis, or a crowd there, waits for this moment.
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

/// A proxy, and how this page is let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxy {
    pub address: String,
    pub token: String,
    /// The language of errors.
    pub lang: Lang,
}

/// A message to the course page, and who may read it there.
#[derive(Debug, Clone, PartialEq)]
pub enum ToCourse {
    /// To anybody.
    Tell(Json),
    /// To the origin that is trusted with what the learner does.
    Confide(Json),
    /// To the origin that asked.
    Answer(Json, String),
    /// The origin that says hello is trusted, where the address names no other.
    GreetedBy(String),
    H5pGreeted,
    /// What is shown is another thing, and may be lower.
    Sink,
}
