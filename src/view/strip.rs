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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub schedule: String,
    /// The number of steps it shares with the run shown.
    pub shared: usize,
    pub cells: Vec<Cell>,
}

pub fn strip(timeline: &Timeline) -> Vec<Cell> {
    cells(timeline, timeline.frames(), timeline.cursor())
}

pub fn kept(timeline: &Timeline) -> Vec<Kept> {
    let runs = timeline.branches().iter();
    runs.map(|branch| Kept {
        schedule: branch.schedule(),
        shared: branch.shared_steps(timeline.frames()),
        cells: cells(timeline, &branch.frames, branch.frames.len()),
    })
    .collect()
}

fn cells(timeline: &Timeline, frames: &[Rc<Frame>], cursor: usize) -> Vec<Cell> {
    let broken_at = first_broken(timeline, frames);
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
fn first_broken(timeline: &Timeline, frames: &[Rc<Frame>]) -> Vec<usize> {
    let properties = timeline.scenario().properties.iter().enumerate();
    properties
        .filter(|(_, property)| property.kind == Kind::Always)
        .filter_map(|(index, _)| {
            frames.iter().position(|frame| frame.truths.get(index) == Some(&false))
        })
        .collect()
}
