//! The data of the stage. It is made when something has changed (see
//! [`super::run::RunState::refresh`]) and drawn by one component, `ui::stage`.
//!
//! To show something more: add it to [`Picture`] where it belongs to a frame and takes part in the
//! film, to [`StageView`] where it stands beside the run.

use std::rc::Rc;

use crate::lesson::{Block, Lesson};
use crate::session::mode::Mode;
use crate::sim::{ClientId, Frame};
use crate::text::Lang;
use crate::view::film::Film;
use crate::view::film::board::Board;
use crate::view::learn::challenge::ChallengeView;
use crate::view::short::fits;
use crate::view::stage::cards::Card;
use crate::view::stage::chips::Chip;
use crate::view::stage::compare::Comparison;
use crate::view::stage::diagram::Diagram;
use crate::view::stage::flow::Chart;
use crate::view::stage::gauges::Gauges;
use crate::view::stage::listing::Listing;
use crate::view::stage::redis::Panel;
use crate::view::stage::strip::{Kept, Strip};

/// A frame, drawn: everything that a film moves or changes.
#[derive(Debug, Clone)]
pub struct Picture {
    pub step: usize,
    /// The frame that is drawn.
    pub frame: Rc<Frame>,
    pub cards: Rc<[Rc<Card>]>,
    pub listings: Rc<[Rc<Listing>]>,
    pub diagram: Diagram,
    /// True if the commands inside scripts and transactions are shown.
    pub is_open: bool,
    pub redis: Panel,
    pub board: Board,
    pub gauges: Gauges,
    pub chips: Vec<Chip>,
    /// The flow charts, if they are shown instead of the programs.
    pub charts: Vec<Chart>,
}

/// Everything that the page of a stepped run shows.
#[derive(Debug, Clone)]
pub struct StageView {
    pub lang: Lang,
    pub lesson: Rc<Lesson>,
    /// The labels of the variants to choose from; empty if there is no choice.
    pub variants: Vec<String>,
    pub variant: usize,
    /// The learner's name for the run; empty if it has none.
    pub run_name: String,
    pub mode: Mode,
    pub step: usize,
    pub steps: usize,
    pub picture: Rc<Picture>,
    pub showing: Option<Showing>,
    pub say: Say,
    pub ask: Option<Ask>,
    pub hint: Hint,
    pub strip: Strip,
    /// The number of steps that the strip has room for; the run grows into it.
    pub places: usize,
    pub kept: Vec<Kept>,
    pub playing: bool,
    /// An index into [`super::run::SPEEDS`].
    pub speed: usize,
    /// The button for the steps that no client takes; `None` if the run has none.
    pub other: Option<OtherStep>,
    /// True if the run is given, and can only be followed.
    pub is_given: bool,
    /// True if the menu offers faults to cause or to repair.
    pub has_faults: bool,
    /// True if some story of the variant has a fault: the lesson is about faults.
    pub tells_of_faults: bool,
    /// True if there are runs or variants to compare this one with.
    pub can_compare: bool,
    pub wire: bool,
    pub comparison: Option<Comparison>,
    /// The form of the programs, see [`crate::view::stage::readings`].
    pub face: &'static str,
    /// The fingerprint of the world, and the digest of the run, for tests.
    pub world: u64,
    pub digest: u64,
}

/// The lines of a step button below its name.
const BUTTON_LINES: usize = 2;
/// In a window of at most this height the letter alone stands for the name, before the words.
const LOW_PX: i32 = 560;

/// The room of the words on a step button.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// The characters of a line.
    chars: usize,
    /// True if the letter takes room in the first line.
    is_low: bool,
}

/// Returns the room in the words' lines beside so many other buttons. The numbers are those of
/// `.dock` in stage.css: what stands beside the buttons, their gaps, borders and padding, and the
/// width of a character in hundredths of a px.
fn room_of_button(buttons: usize, faults: bool, (width, height): (i32, i32)) -> Room {
    let is_low = height <= LOW_PX;
    let (within, char_px) = if is_low { (18, 722) } else { (22, 783) };
    let most = (width * 16 / 100).clamp(132, 248);
    let (beside, least, most) = match width {
        ..600 if !is_low => (24, 0, width),
        ..1100 if is_low => (296, 64, most),
        600..1100 => (360, 64, most),
        _ => (540, 76, most),
    };
    let row = width - beside - if faults { 104 } else { 0 };
    let each = ((row + 8) / buttons.max(1) as i32 - 8).clamp(least, most.max(least));
    Room { chars: ((each - within).max(0) * 100 / char_px) as usize, is_low }
}

impl Room {
    /// Returns the words with what stands before them.
    fn with_letter(self, words: &str) -> String {
        if self.is_low { format!("A {words}") } else { words.to_owned() }
    }

    /// Returns true if the words fit.
    pub fn takes(self, words: &str) -> bool {
        fits(&self.with_letter(words), BUTTON_LINES, self.chars)
    }
}

impl StageView {
    /// Returns what stands on a client's button, beside its name: its next command, or why it
    /// cannot step. What stands after the key would answer a question about the key's value.
    pub fn button_words(&self, card: &Card, window_px: (i32, i32)) -> String {
        let asks = self.ask.as_ref().is_some_and(|ask| ask.is_of_key);
        match card.asked() {
            Some(asked) if asks => self.on_button(&[asked], window_px),
            _ => self.on_button(&card.forms, window_px),
        }
    }

    /// Returns a client's next command with everything, unless a question asks for it.
    pub fn command_shown(&self, card: &Card) -> Option<String> {
        let asks = self.ask.as_ref().is_some_and(|ask| ask.is_of_key);
        if asks { card.asked() } else { card.command.clone() }
    }

    /// Returns the one of these forms that a step button shows. If none fits, a long key may be
    /// broken after its colons and dots, a verb before its BY.
    pub fn on_button(&self, forms: &[String], window_px: (i32, i32)) -> String {
        let room = self.button_room(window_px);
        if let Some(shown) = forms.iter().find(|form| room.takes(form)) {
            return shown.clone();
        }
        let broken = |form: &String| {
            form.replace(':', ":\u{200b}").replace('.', ".\u{200b}").replace("BY", "\u{200b}BY")
        };
        let mut forms = forms.iter().map(broken);
        let last = forms.clone().next_back().unwrap_or_default();
        forms.find(|form| room.takes(form)).unwrap_or(last)
    }

    pub fn button_room(&self, window_px: (i32, i32)) -> Room {
        let buttons = self.picture.cards.len() + usize::from(self.other.is_some());
        room_of_button(buttons, self.offers_faults(), window_px)
    }

    /// Returns true if the dock has the button of the faults.
    pub fn offers_faults(&self) -> bool {
        self.mode.is_free() && self.has_faults && self.tells_of_faults
    }
}

/// The button for a step that no client takes: that time passes, and in a story any other event. It
/// is there in every step of a run that may have such steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherStep {
    /// Its name: "Time".
    pub who: String,
    /// What happens; of time, how long and until what; or why nothing can. The longest form first.
    pub forms: Vec<String>,
    pub enabled: bool,
}

/// A step that is shown as a film.
#[derive(Debug, Clone)]
pub struct Showing {
    /// A new number each time a film is shown, even the same film.
    pub serial: u32,
    pub film: Rc<Film>,
    pub before: Rc<Picture>,
    pub after: Rc<Picture>,
    pub way: Way,
}

/// The direction in which a film is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    Forward,
    Back,
    /// The film is held by a finger: 0 is the frame before, 1 the frame after.
    Hold(f64),
}

/// The text beside the stage: the story's, or a description of the step.
#[derive(Debug, Clone, PartialEq)]
pub enum Say {
    Told(Told),
    /// A description of the step, sentence by sentence.
    Happened(Vec<String>),
    Dared(ChallengeView, Vec<String>),
}

/// A story at one of its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub words: Vec<Block>,
    pub title: String,
    /// The stories of this variant, as number and title, if there are several.
    pub others: Vec<(usize, String)>,
    pub walk: usize,
    /// The story after this one.
    pub next: Option<(usize, String)>,
    /// The result of the reader's prediction of this step: whether it was right (`None` if the
    /// question was skipped), and the result in words.
    pub foretold: Option<(Option<bool>, String)>,
}

/// A question to the reader before a step of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    pub question: String,
    pub choices: Vec<String>,
    /// The index of the reader's choice.
    pub said: Option<usize>,
    /// True if the presenter's next step leaves it without an answer.
    pub passes: bool,
    /// True if it asks for a key's value, else for a reply.
    pub is_of_key: bool,
    /// The label of the button that steps on: "Step B and see".
    pub go: String,
    /// The client whose step it is, for its colour.
    pub by: Option<ClientId>,
}

/// The hint on how far the run is from breaking a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    Absent,
    Offered,
    Said(String),
}
