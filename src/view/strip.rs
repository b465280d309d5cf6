//! The schedule strip: one cell per step in its client's colour. It is also the scrubber.

use std::rc::Rc;

use crate::sim::{Action, ClientId, Frame, Kind, Timeline};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// From 1.
    pub step: usize,
    /// `None` where time moved, or something happened to an instance or a process.
    pub client: Option<ClientId>,
    /// A letter: the client's, `T` for time, `!` for what goes wrong or is mended.
    pub mark: char,
    /// Another client ran before: a gap stands here.
    pub switch: bool,
    /// An `always` property breaks at this step.
    pub breaks: bool,
    /// After the cursor.
    pub future: bool,
    pub now: bool,
}

/// A kept run, drawn thin below the strip.
#[derive(Debug, Clone)]
pub struct Kept {
    /// As the timeline numbers its runs.
    pub id: u32,
    /// Empty where the learner has given none.
    pub name: String,
    /// The number of steps it shares with the run shown.
    pub shared: usize,
    pub frames: Vec<Rc<Frame>>,
    broken: Vec<usize>,
}

impl Kept {
    pub fn steps(&self) -> usize {
        self.frames.len() - 1
    }

    pub fn cells(&self) -> Vec<Cell> {
        cells(&self.frames, &self.broken, self.frames.len())
    }
}

pub fn strip(timeline: &Timeline) -> Vec<Cell> {
    let broken = first_broken(timeline, timeline.frames());
    cells(timeline.frames(), &broken, timeline.cursor())
}

pub fn kept(timeline: &Timeline) -> Vec<Kept> {
    let runs = timeline.branches().iter();
    runs.map(|branch| Kept {
        id: branch.id,
        name: branch.name.clone(),
        shared: branch.shared_steps(timeline.frames()),
        broken: first_broken(timeline, &branch.frames),
        frames: branch.frames.clone(),
    })
    .collect()
}

fn cells(frames: &[Rc<Frame>], broken_at: &[usize], cursor: usize) -> Vec<Cell> {
    let client = |frame: &Frame| frame.token.and_then(|token| token.action.client());
    let steps = frames.iter().enumerate().skip(1);
    steps
        .map(|(step, frame)| Cell {
            step,
            client: client(frame),
            mark: frame.token.map_or(' ', |token| mark(token.action)),
            switch: step > 1 && client(frame) != client(&frames[step - 1]),
            breaks: broken_at.contains(&step),
            future: step > cursor,
            now: step == cursor,
        })
        .collect()
}

fn mark(action: Action) -> char {
    match (action, action.runs()) {
        (Action::Advance, _) => 'T',
        (_, Some(id)) => id.letter(),
        _ => '!',
    }
}

/// For each `always` property the first step at which it is broken.
pub(super) fn first_broken(timeline: &Timeline, frames: &[Rc<Frame>]) -> Vec<usize> {
    let properties = timeline.scenario().properties.iter();
    broken_steps(&properties.map(|property| property.kind).collect::<Vec<_>>(), frames)
}

/// The same, where the properties are of these kinds.
pub(super) fn broken_steps(kinds: &[Kind], frames: &[Rc<Frame>]) -> Vec<usize> {
    let always = kinds.iter().enumerate().filter(|(_, kind)| **kind == Kind::Always);
    let step = |(index, _): (usize, &Kind)| {
        frames.iter().position(|frame| frame.truths.get(index) == Some(&false))
    };
    always.filter_map(step).collect()
}
