//! Maps keys to inputs: a table in the form of a function.
//!
//! Contract: nothing here knows the document. [`KeyPress`] (where a key was pressed) and [`Around`]
//! (what is open) decide whether a key is for the page. `ui::header` lists the keys for the reader.

use super::input::{CrowdInput, Input, OwnInput};
use super::run::can_compare;
use crate::app::console::Do;
use crate::lesson::OWN;
use crate::session::{Mode, Msg, Session};
use crate::sim::{Action, ClientId};
use crate::view::stage::faults;

/// A key that was pressed, in the browser's terms.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyPress {
    /// The character or the name of the key: `x`, `ArrowLeft`.
    pub key: String,
    /// The position of the key on the keyboard: `Digit1`.
    pub code: String,
    pub shift: bool,
    pub alt: bool,
    /// True if Control or the command key is held.
    pub command: bool,
    /// The element that has the focus: `BUTTON`.
    pub tag: String,
    /// True if the focus is inside a dialog or a log, which has keys of its own.
    pub is_inner: bool,
}

/// The state of the page while a key is pressed.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    pub session: Option<&'a Session>,
    /// True in a course page that turns the page's keys off.
    pub keyless: bool,
    /// False if the learner has switched off keys of one character (WCAG 2.2, 2.1.4).
    pub letters: bool,
    /// True if a dialog is open.
    pub dialog: bool,
    /// True if that dialog has nothing to undo.
    pub nothing_to_undo: bool,
    /// `Some` while the presenter view is shown; `Some(true)` with a dark screen.
    pub presenter: Option<bool>,
    /// True if the playground's list of examples is open.
    pub examples: bool,
}

/// Returns the input of a key; `None` if it has none.
pub fn key(press: &KeyPress, around: &Around<'_>) -> Option<Input> {
    let session = around.session?;
    if let Some(undo) = undo(press, session, around) {
        return Some(undo);
    }
    if around.keyless || around.dialog || press.command || press.alt {
        return None;
    }
    let key = press.key.as_str();
    if !around.letters && is_character(key) {
        return None;
    }
    if press.is_inner && key != "/" {
        return None;
    }
    if matches!(press.tag.as_str(), "INPUT" | "TEXTAREA" | "SELECT") {
        return None;
    }
    if let Some(dark) = around.presenter {
        if let Some(input) = presented(key, dark) {
            return Some(input);
        }
        // The question is the room's, which may answer aloud.
        if session.asks() && is_forward(key) {
            return Some(Input::PassQuestion);
        }
    }
    let help = (key == "?").then_some(Input::Help(true));
    if session.mode().is_stepped()
        && let Some(id) = client_of(key, session)
    {
        return step(id, press, session).filter(|_| !session.is_at_stop());
    }
    if matches!(key, "n" | "N") && session.lesson().id != OWN {
        return Some(Input::Onward);
    }
    match key {
        "g" | "G" if session.mode() != Mode::Edit => return Some(Input::Goal(true)),
        "m" | "M" => return Some(Input::More),
        _ => {}
    }
    match session.mode() {
        Mode::Edit if key == "Escape" && around.examples => Some(Input::Own(OwnInput::Menu(false))),
        Mode::Edit | Mode::Situation | Mode::Fix | Mode::Review => help,
        Mode::Crowd if key == "Escape" => Some(Input::Crowd(CrowdInput::Stop)),
        Mode::Crowd => help,
        Mode::Find => match key {
            "s" | "S" => Some(Input::Find),
            "Escape" => Some(Input::FindStop),
            _ => help,
        },
        Mode::Watch | Mode::Schedule | Mode::Break => stepped(press, session),
    }
}

/// Returns true for a key that stands for one character, but Space.
pub fn is_character(key: &str) -> bool {
    key != " " && key.chars().count() == 1
}

fn is_forward(key: &str) -> bool {
    matches!(key, "ArrowRight" | "ArrowDown" | "PageDown" | ".")
}

/// Returns the client that has this letter; its key comes before all others.
fn client_of(key: &str, session: &Session) -> Option<ClientId> {
    let letter = key.chars().next().filter(|c| key.len() == 1 && c.is_ascii_alphabetic())?;
    let mut ids = session.timeline().world().ids();
    ids.find(|id| id.letter() == letter.to_ascii_uppercase())
}

/// Returns the step of a client, with Shift all its steps, if it can take one.
fn step(id: ClientId, press: &KeyPress, session: &Session) -> Option<Input> {
    session.timeline().world().next_of(id)?;
    Some(Input::Session(if press.shift { Msg::RunClient(id) } else { Msg::Step(id) }))
}

/// Returns the input of a key where a run is stepped.
fn stepped(press: &KeyPress, session: &Session) -> Option<Input> {
    let code = press.code.as_str();
    if let Some(digit) = code.strip_prefix("Digit").or(code.strip_prefix("Numpad")) {
        let number: u8 = digit.parse().ok().filter(|n| *n > 0)?;
        if session.is_at_stop() {
            return Some(Input::Session(Msg::Foretell(usize::from(number) - 1)));
        }
        return step(ClientId(u16::from(number) - 1), press, session);
    }
    Some(match press.key.as_str() {
        // On a button or a link, Space is for that.
        " " if press.tag == "BUTTON" || press.tag == "A" => return None,
        " " => Input::Play,
        "ArrowLeft" | "ArrowUp" | "PageUp" => Input::Session(Msg::Back),
        key if is_forward(key) => Input::Session(Msg::Forward),
        "Home" => Input::Session(Msg::Seek(0)),
        "End" => Input::Session(Msg::Seek(session.timeline().len())),
        "p" | "P" => Input::Present(true),
        "r" | "R" => Input::Session(Msg::Reset),
        "x" | "X" => Input::Random,
        "s" | "S" => Input::Find,
        "t" | "T" if session.timeline().world().possible(Action::Advance).is_ok() => {
            Input::Session(Msg::Advance)
        }
        "w" | "W" if faults::has_any(session) => Input::Faults(true),
        "/" => Input::Console(Do::Open(true)),
        "v" | "V" if can_compare(session) => Input::Runs(true),
        "Enter" if session.is_at_stop() && press.tag != "BUTTON" => Input::Session(Msg::Forward),
        "Escape" if session.asks() => Input::Session(Msg::Skip),
        "Escape" if session.beside().is_some() => Input::Session(Msg::Compare(None)),
        "?" => Input::Help(true),
        _ => return None,
    })
}

/// Returns the input of a key in the presenter view. Any key ends a dark screen; clickers that make
/// it send a full stop.
fn presented(key: &str, dark: bool) -> Option<Input> {
    match key {
        "." => Some(Input::Dark(!dark)),
        _ if dark => Some(Input::Dark(false)),
        "Escape" | "p" | "P" => Some(Input::Present(false)),
        _ => None,
    }
}

/// Returns undo or redo wherever text is written. The browser's own undo would not know the changes
/// that buttons made.
fn undo(press: &KeyPress, session: &Session, around: &Around<'_>) -> Option<Input> {
    if !press.command || press.alt || around.nothing_to_undo {
        return None;
    }
    let redo = match press.key.as_str() {
        "z" | "Z" => press.shift,
        "y" | "Y" => true,
        _ => return None,
    };
    match session.mode() {
        Mode::Edit => Some(Input::Own(if redo { OwnInput::Redo } else { OwnInput::Undo })),
        Mode::Fix => Some(Input::UndoDraft(redo)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
