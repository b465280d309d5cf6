//! The inputs of the page, as plain data.
//!
//! A component that draws a part of the page gets a callback that takes an [`Input`]; the keys of
//! [`super::keys`] are inputs too. To add a button: its case here, and its handler in
//! [`super::shell`].

use std::rc::Rc;

use crate::app::console::Do;
use crate::jobs::crowd::Which;
use crate::playground::Part;
use crate::playground::edit::Edit;
use crate::real::Pace;
use crate::session::Msg;
use crate::text::{Key, Lang};
use crate::view::console::import::Imported;
use crate::view::export::Form;

/// An input of the reader.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Session(Msg),
    Random,
    Play,
    /// Shows the run at the place of a finger on the strip.
    Scrub(f64),
    Speed(usize),
    Lang(Lang),
    Theme,
    /// Keys of one character, on or off.
    Letters(bool),
    Share,
    /// Opens or closes the dialog that makes a snippet for course pages.
    EmbedOpen(bool),
    Help(bool),
    /// Opens or closes the goal in full.
    Goal(bool),
    /// Opens *More*, or closes it.
    More,
    Print,
    /// Opens or closes the fault menu.
    Faults(bool),
    /// Opens or closes the list of runs.
    Runs(bool),
    /// Compares this kept run with the present one, side by side.
    CompareRun(u32),
    /// Shows or hides the commands inside scripts and transactions.
    Inside(bool),
    Dismiss,
    Retry,
    /// Goes where the button at the end of the dock leads.
    Onward,
    /// Opens Find and searches.
    Find,
    FindStop,
    /// Points at a block of the map of all schedules.
    Point(u16),
    ShareRun(String),
    /// Names the run shown.
    NameRun(String),
    ShareOpen(bool),
    /// Copies the call of a library that is shown.
    CopyCall(String),
    ExportCopy(Form),
    ExportSave(Form),
    /// Saves the diagram as a file: as a PNG if true, else as an SVG.
    Picture(bool),
    Hints(bool),
    /// Chooses the form in which the programs are shown.
    Face(String),
    /// Replaces the learner's program by this text.
    Draft(String),
    Grade,
    /// Opens the learner's program in a mode that steps it.
    StepAnswer,
    /// Discards the draft. The first press asks, the second discards.
    ResetDraft,
    ShowAnswer(bool),
    /// Makes the answer the draft.
    TakeAnswer,
    /// Opens the run of a question, by its id.
    LookAt(String, Msg),
    ToQuestion,
    /// Ticks a choice of a question: the indexes of the question and of the choice.
    Tick(usize, usize),
    GiveAnswer(usize),
    AnswerAgain(usize),
    GuideAnswer(usize),
    GuideBack,
    GuideStart,
    /// Searches the glossary for a text.
    Filter(String),
    /// Opens or leaves the presenter view.
    Present(bool),
    /// A key of the presenter's that steps, at a question: the first press says that the next one
    /// goes on without an answer.
    PassQuestion,
    /// Darkens the presenter's screen, or ends that.
    Dark(bool),
    /// Switches to the new version of the page; false: not now.
    Renew(bool),
    /// Keeps a copy of the page for use without a network, or removes it.
    KeepCopy(bool),
    Console(Do),
    /// Opens a transcript: as programs, or, if false, typed at consoles.
    Imported(Rc<Imported>, bool),
    Own(OwnInput),
    Real(RealInput),
    Crowd(CrowdInput),
    Kept(KeptInput),
    Class(ClassInput),
    /// Undoes the last change of the learner's program; true: redoes it.
    UndoDraft(bool),
}

/// An input of the playground.
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
    /// Discards the scenario. The first press asks, the second discards.
    Reset,
    Save,
    /// Opens a file: its name, and its bytes or the error of reading it.
    Open(String, Result<Vec<u8>, Unread>),
    /// Opens the variant that is shown in the playground.
    FromLesson,
    /// Names the run with this schedule, which a search has found.
    NameFound(String, String),
}

/// The reason why a file was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    TooBig,
    /// The browser's error message.
    Failed(String),
}

/// An input of the mode Crowd.
#[derive(Debug, Clone, PartialEq)]
pub enum CrowdInput {
    /// Runs the crowd, or a sweep.
    Run(Which),
    Stop,
    /// Sets a row of the form to the text typed.
    Set(&'static str, String),
    Reset,
    /// Adds a variant to those that are run, or removes it.
    Toggle(usize),
    Measure(usize),
    /// Shows one run of a variant, by its seed.
    Look(usize, u64),
    /// Saves the runs as a file.
    Save(Which),
    /// Runs the crowd on real servers too.
    Real,
}

/// An input for a run on a real Redis.
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
    /// Replays from the start; reconnects if the connection was lost.
    Again,
    /// Ends a wait on the real server at once.
    Hurry,
    /// Saves the first difference.
    Export,
    /// Shows or hides the replies.
    Fold,
    /// Plays this run on the real Redis.
    Replay(String),
    /// Runs the crowd on the real Redis.
    Crowd,
    /// Sends lines typed at consoles to the real server; false: to the simulator.
    Console(bool),
}

/// An input about a draft that is offered.
#[derive(Debug, Clone, PartialEq)]
pub enum KeptInput {
    /// Opens the draft of this slot.
    Open(u8),
    OpenText(u8),
    Save(u8),
    /// Saves the text of this tab as a file.
    SaveMine,
    /// Discards the draft of this slot. The first press asks, the second discards.
    Discard(u8),
    /// Runs a draft that was opened as text only.
    Run,
    Later,
}

/// An input about results: the learner's own, or those of a class.
#[derive(Debug, Clone, PartialEq)]
pub enum ClassInput {
    /// Opens or closes the dialog of the result code.
    Result(bool),
    /// The learner's name.
    Name(String),
    /// Puts all lessons into the code that were begun.
    All(bool),
    /// Copies the link with the code.
    Copy,
    /// The text with the codes of a class.
    Text(String),
    SaveCsv,
    SaveProgress,
    /// Opens a file: its name, and its bytes or the error of reading it.
    OpenProgress(String, Result<Vec<u8>, Unread>),
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

    /// Returns the theme's name in the storage and in the document.
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

    /// Returns the next theme; the first follows the last.
    pub fn next(self) -> Theme {
        let at = Theme::ALL.iter().position(|theme| *theme == self).unwrap_or(0);
        Theme::ALL[(at + 1) % Theme::ALL.len()]
    }
}
