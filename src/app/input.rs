//! Everything that can be pressed on the page, as plain data.
//!
//! Whatever draws a part of the page gets a callback that takes an [`Input`]; the keys of
//! [`super::keys`] are inputs too. To add a button: its case here, and what it does in
//! [`super::shell`].

use std::rc::Rc;

use crate::text::{Key, Lang};
use crate::view::console::Do;
use crate::view::crowd::Which;
use crate::view::export::Form;
use crate::view::import::Imported;
use crate::view::own::Part;
use crate::view::own::edit::Edit;
use crate::view::real::Pace;
use crate::view::session::Msg;

/// What was pressed.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Session(Msg),
    Random,
    Play,
    /// A finger on the strip stands at this place of the run.
    Scrub(f64),
    Speed(usize),
    Lang(Lang),
    Theme,
    Share,
    /// The dialog that makes a snippet for course pages.
    EmbedOpen(bool),
    Help(bool),
    /// Opens or closes the fault menu.
    Faults(bool),
    /// Opens or closes the list of runs.
    Runs(bool),
    /// Shows this kept run side by side with the present one.
    CompareRun(u32),
    /// Shows or hides what scripts and transactions do inside.
    Inside(bool),
    Dismiss,
    Retry,
    /// Opens Find and searches.
    Find,
    FindStop,
    /// Points at a block of the map of all schedules.
    Point(u16),
    ShareRun(String),
    ShareOpen(bool),
    ExportCopy(Form),
    ExportSave(Form),
    /// The diagram as a file; true: as a PNG.
    Picture(bool),
    Hints(bool),
    /// The form in which the programs are shown.
    Face(String),
    /// Replaces the learner's program by this text.
    Draft(String),
    Grade,
    /// Opens the learner's program to be stepped.
    StepAnswer,
    /// Asks first; pressed again, the draft is gone.
    ResetDraft,
    ShowAnswer(bool),
    /// Makes the answer the draft.
    TakeAnswer,
    /// Opens the run of a question, by its id.
    LookAt(String, Msg),
    ToQuestion,
    /// A question and one of its choices.
    Tick(usize, usize),
    GiveAnswer(usize),
    AnswerAgain(usize),
    GuideAnswer(usize),
    GuideBack,
    GuideStart,
    /// What the glossary is searched for.
    Filter(String),
    /// Opens or leaves the presenter view.
    Present(bool),
    /// Darkens the presenter's screen, or brings it back.
    Dark(bool),
    /// Takes the new version of the page; false: not now.
    Renew(bool),
    /// Keeps a copy of the page for use without a network, or removes it.
    KeepCopy(bool),
    Console(Do),
    /// A transcript that was read is opened: as programs, or where it is false typed at consoles.
    Imported(Rc<Imported>, bool),
    Own(OwnInput),
    Real(RealInput),
    Crowd(CrowdInput),
    Kept(KeptInput),
    /// Takes the last change of the learner's program back; true: makes it again.
    UndoDraft(bool),
}

/// What the playground does.
#[derive(Debug, Clone, PartialEq)]
pub enum OwnInput {
    Edit(Edit),
    /// Shows a text in the editor.
    Show(Part),
    Undo,
    Redo,
    /// Opens or closes the list of examples.
    Menu(bool),
    Example(usize),
    /// Asks first.
    Reset,
    Save,
    /// A file was read: its name, and what stands in it.
    Open(String, Result<Vec<u8>, Unread>),
    /// Opens the variant that is shown.
    FromLesson,
}

/// Why a file was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    TooBig,
    /// In the browser's words.
    Failed(String),
}

/// What is pressed in Crowd.
#[derive(Debug, Clone, PartialEq)]
pub enum CrowdInput {
    /// Runs the crowd, or a sweep.
    Run(Which),
    Stop,
    /// A row of the form, and what was typed.
    Set(&'static str, String),
    Reset,
    /// Adds a variant to those that are run, or takes it out.
    Toggle(usize),
    Measure(usize),
    /// Shows one run of a variant, by its seed.
    Look(usize, u64),
    /// The runs as a file.
    Save(Which),
    /// The same on real servers.
    Real,
}

/// What is pressed for a run on a real Redis.
#[derive(Debug, Clone, PartialEq)]
pub enum RealInput {
    /// Opens or closes the dialog.
    Dialog(bool),
    Connect {
        address: String,
        token: String,
        pace: Pace,
    },
    Disconnect,
    /// Replays from the start; after a loss connects anew.
    Again,
    /// Brings about at once what a real wait waits for.
    Hurry,
    /// Saves the first difference.
    Export,
    /// Shows the replies, or no longer.
    Fold,
    /// Plays this run there.
    Replay(String),
    /// Runs the crowd there.
    Crowd,
    /// Lines typed at consoles go to the real server; false: to the simulator.
    Console(bool),
}

/// What is done with a draft that waits for a decision.
#[derive(Debug, Clone, PartialEq)]
pub enum KeptInput {
    /// Goes on with the draft of this slot.
    Open(u8),
    OpenText(u8),
    Save(u8),
    /// Saves what is written here.
    SaveMine,
    /// Asks first.
    Discard(u8),
    /// Runs what only the text of is open.
    Run,
    Later,
}

/// The colours of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub const ALL: [Theme; 3] = [Theme::Auto, Theme::Light, Theme::Dark];

    /// Its name in the storage and in the document.
    pub fn id(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub fn label(self) -> Key {
        match self {
            Theme::Auto => Key::ThemeAuto,
            Theme::Light => Key::ThemeLight,
            Theme::Dark => Key::ThemeDark,
        }
    }

    /// The one after it, in a circle.
    pub fn next(self) -> Theme {
        let at = Theme::ALL.iter().position(|theme| *theme == self).unwrap_or(0);
        Theme::ALL[(at + 1) % Theme::ALL.len()]
    }
}
