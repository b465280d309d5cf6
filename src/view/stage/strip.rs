//! The schedule strip: one cell per step in its client's colour. It is also the scrubber.

use std::rc::Rc;

use crate::sim::{Action, ClientId, Frame, Kind, Run, Timeline};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The step, from 1.
    pub step: usize,
    /// The client; `None` if time moved, or something happened to an instance or a process.
    pub client: Option<ClientId>,
    /// A letter: the client's, `T` for time, `!` for a fault or repair.
    pub mark: char,
    /// True if another client ran before: there is a gap before the cell.
    pub switch: bool,
    /// True if an `always` property breaks at this step.
    pub breaks: bool,
    /// True after the cursor.
    pub future: bool,
    pub now: bool,
}

/// The most cells with room for letters and for gaps between them.
pub const DENSE: usize = 60;

/// The strip of a run; a cell is made on request.
#[derive(Debug, Clone)]
pub struct Strip {
    pub run: Run,
    /// The steps at which something breaks, one per broken property.
    pub broken: Vec<usize>,
    pub cursor: usize,
}

impl Strip {
    pub fn new(timeline: &Timeline) -> Strip {
        let run = timeline.run().clone();
        Strip { broken: first_broken(timeline, &run), run, cursor: timeline.cursor() }
    }

    pub fn steps(&self) -> usize {
        self.run.len() - 1
    }

    /// Returns the cell of a step; `None` for the start.
    pub fn cell(&self, step: usize) -> Option<Cell> {
        let client = |step: usize| self.run.get(step).and_then(|frame| client_of(frame));
        let frame = self.run.get(step).filter(|_| step > 0)?;
        Some(Cell {
            step,
            client: client(step),
            mark: frame.token.map_or(' ', |token| mark(token.action)),
            switch: step > 1 && client(step) != client(step - 1),
            breaks: self.broken.contains(&step),
            future: step > self.cursor,
            now: step == self.cursor,
        })
    }
}

fn client_of(frame: &Frame) -> Option<ClientId> {
    frame.token.and_then(|token| token.action.client())
}

/// A kept run, drawn thin below the strip.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The number of the run in its timeline.
    pub id: u32,
    /// The name; empty if the learner has given none.
    pub name: String,
    /// The number of steps it shares with the run shown.
    pub shared: usize,
    pub run: Run,
    /// The kinds of its properties.
    kinds: Rc<[Kind]>,
}

/// Compares what is drawn: no two runs have the same last frame.
impl PartialEq for Kept {
    fn eq(&self, other: &Kept) -> bool {
        let ends = self.run.last().zip(other.run.last());
        (self.id, &self.name, self.shared) == (other.id, &other.name, other.shared)
            && ends.is_some_and(|(ours, theirs)| Rc::ptr_eq(ours, theirs))
    }
}

/// The steps of one colour in a run that is too long for cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bars {
    pub client: Option<ClientId>,
    /// The numbers of steps after which they begin and end.
    pub places: Vec<(usize, usize)>,
}

impl Kept {
    pub fn steps(&self) -> usize {
        self.run.len() - 1
    }

    pub fn cells(&self) -> Vec<Cell> {
        let (run, cursor) = (self.run.clone(), self.run.len());
        let strip = Strip { broken: broken_steps(&self.kinds, &run), run, cursor };
        (1..=self.steps()).filter_map(|step| strip.cell(step)).collect()
    }
}

/// Returns the steps of a run by colour.
pub fn bars(run: &Run) -> Vec<Bars> {
    let mut bars: Vec<Bars> = Vec::new();
    for (at, frame) in run.iter().skip(1).enumerate() {
        let client = client_of(frame);
        let known = bars.iter().position(|one| one.client == client);
        let known = known.unwrap_or_else(|| {
            bars.push(Bars { client, places: Vec::new() });
            bars.len() - 1
        });
        let places = &mut bars[known].places;
        match places.last_mut() {
            Some((_, to)) if *to == at => *to = at + 1,
            _ => places.push((at, at + 1)),
        }
    }
    bars
}

pub fn strip(timeline: &Timeline) -> Vec<Cell> {
    let strip = Strip::new(timeline);
    (1..=strip.steps()).filter_map(|step| strip.cell(step)).collect()
}

pub fn kept(timeline: &Timeline) -> Vec<Kept> {
    let kinds: Rc<[Kind]> = timeline.scenario().properties.iter().map(|one| one.kind).collect();
    let runs = timeline.branches().iter();
    runs.map(|branch| Kept {
        id: branch.id,
        name: branch.name.clone(),
        shared: branch.shared_steps(timeline.frames()),
        run: branch.frames.clone(),
        kinds: kinds.clone(),
    })
    .collect()
}

fn mark(action: Action) -> char {
    match (action, action.runs()) {
        (Action::Advance | Action::Tick(_), _) => 'T',
        (_, Some(id)) => id.letter(),
        _ => '!',
    }
}

/// Returns for each `always` property the first step at which it is broken.
pub fn first_broken(timeline: &Timeline, frames: &[Rc<Frame>]) -> Vec<usize> {
    let properties = timeline.scenario().properties.iter();
    broken_steps(&properties.map(|property| property.kind).collect::<Vec<_>>(), frames)
}

/// The same for properties of these kinds.
pub(super) fn broken_steps(kinds: &[Kind], frames: &[Rc<Frame>]) -> Vec<usize> {
    let always = kinds.iter().enumerate().filter(|(_, kind)| **kind == Kind::Always);
    always.filter_map(|(index, _)| *frames.last()?.decided.get(index)?).collect()
}
