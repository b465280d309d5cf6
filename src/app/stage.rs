//! The data of the stage. It is made when something has changed (see
//! [`super::run::RunState::refresh`]) and drawn by one component, `ui::stage`.
//!
//! To show something more: add it to [`Picture`] where it belongs to a frame and takes part in the
//! film, to [`StageView`] where it stands beside the run.

use std::rc::Rc;

use crate::lesson::{Block, Lesson};
use crate::sim::Frame;
use crate::text::Lang;
use crate::view::board::Board;
use crate::view::cards::{Card, Face};
use crate::view::challenge::ChallengeView;
use crate::view::chips::Chip;
use crate::view::compare::Comparison;
use crate::view::diagram::Diagram;
use crate::view::film::Film;
use crate::view::flow::Chart;
use crate::view::gauges::Gauges;
use crate::view::listing::Listing;
use crate::view::mode::Mode;
use crate::view::redis::Panel;
use crate::view::strip::{Kept, Strip};

/// A frame, drawn: everything that a film moves or changes.
#[derive(Debug, Clone)]
pub struct Picture {
    pub step: usize,
    /// Which frame it is.
    pub frame: Rc<Frame>,
    pub cards: Rc<[Rc<Card>]>,
    pub listings: Rc<[Rc<Listing>]>,
    pub diagram: Diagram,
    /// The commands inside of scripts and transactions are shown.
    pub is_open: bool,
    pub redis: Panel,
    pub board: Board,
    pub gauges: Gauges,
    pub chips: Vec<Chip>,
    /// The flow charts, where they stand in place of the programs.
    pub charts: Vec<Chart>,
}

/// Everything that the page of a stepped run shows.
#[derive(Debug, Clone)]
pub struct StageView {
    pub lang: Lang,
    pub lesson: Rc<Lesson>,
    /// The labels of the variants to choose from; none where there is no choice.
    pub variants: Vec<String>,
    pub variant: usize,
    pub mode: Mode,
    pub step: usize,
    pub steps: usize,
    pub picture: Rc<Picture>,
    pub showing: Option<Showing>,
    pub say: Say,
    pub ask: Option<Ask>,
    pub hint: Hint,
    pub strip: Strip,
    /// The steps that the strip has room for: what is there grows into it.
    pub places: usize,
    pub kept: Vec<Kept>,
    pub playing: bool,
    /// Of [`super::run::SPEEDS`].
    pub speed: usize,
    /// What letting time pass says, where it can be chosen; nothing where time never passes.
    pub advance: Option<Advance>,
    /// Something may go wrong, or be put right; the menu has it.
    pub has_faults: bool,
    /// Some story of the variant has a fault: it is what the lesson is about.
    pub tells_of_faults: bool,
    /// There are runs or variants to set beside this one.
    pub can_compare: bool,
    pub wire: bool,
    pub comparison: Option<Comparison>,
    /// The verdicts at the end of the run, for paper.
    pub end_chips: Vec<Chip>,
    pub faces: Vec<Face>,
    pub face: String,
    /// The fingerprint of the world, and the digest of the run, for tests.
    pub world: u64,
    pub digest: u64,
}

/// The button that lets time pass. It is there in every step of a run in which time may pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advance {
    pub label: String,
    pub enabled: bool,
}

/// A step that is shown as a film.
#[derive(Debug, Clone)]
pub struct Showing {
    /// A new number for each showing, also when the same film is shown again.
    pub serial: u32,
    pub film: Rc<Film>,
    pub before: Rc<Picture>,
    pub after: Rc<Picture>,
    pub way: Way,
}

/// In which direction a film is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    Forward,
    Back,
    /// It stands where a finger holds it: 0 is the frame before, 1 the frame after.
    Hold(f64),
}

/// The text beside the stage: a story's, or what the step did.
#[derive(Debug, Clone, PartialEq)]
pub enum Say {
    Told(Told),
    /// What the step did, sentence by sentence.
    Happened(Vec<String>),
    Dared(ChallengeView, Vec<String>),
}

/// A story at one of its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub words: Vec<Block>,
    pub title: String,
    /// The stories of this variant, where there are several: number and title.
    pub others: Vec<(usize, String)>,
    pub walk: usize,
    /// The story after this one.
    pub next: Option<(usize, String)>,
    /// What became of what the reader had said of this step: whether it was right, in words.
    pub foretold: Option<(bool, String)>,
}

/// What the reader is asked before a step of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    pub question: String,
    pub choices: Vec<String>,
    /// What was said, by its place.
    pub said: Option<usize>,
    /// "Step B and see".
    pub go: String,
}

/// How far the run is from breaking something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    Absent,
    Offered,
    Said(String),
}
