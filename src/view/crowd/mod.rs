//! Crowd, drawn: thousands of requests to a lesson's programs, with failures and costs.
//!
//! - [`Form`] is the learner's request, [`Crowding`] that and what is known of its runs; the page's
//!   crowd (`app`) fills it in. [`View`] is made of it.
//! - [`chart`] lays charts out; [`csv`] writes the results as a table for other programs.
//!
//! Absent: the runs and their messages (`jobs::crowd`), and the distribution over workers.

pub mod chart;
pub mod csv;
pub mod dots;
mod form;
mod panel;

pub use form::{Control, Form, Group, Kind, SEEDS_USUAL};
pub use panel::{Bar, Bars, Cell as TableCell, Choice, Row, Sweep, View};

use std::rc::Rc;

use crate::jobs::crowd::wire::Task;
use crate::jobs::crowd::{Spot, Which};
use crate::lesson::{CrowdDef, Lesson, processes};
use crate::load::{Plan, Summary};
use crate::real::crowd::RealRun;

/// The state of a crowd.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Phase {
    #[default]
    Idle,
    Running,
    Done,
    /// Stopped by the learner.
    Stopped,
    TimeUp,
    /// It could not begin, or a measure failed; with the error.
    Failed(String),
    /// A worker ended by an internal error.
    Ended,
}

/// The results of one variant at one place.
#[derive(Debug, Clone)]
pub struct Cell {
    pub variant: usize,
    pub spot: Spot,
    pub summary: Summary,
    /// The response times of each run, in ns: mean, 50 %, 95 %, 99 %.
    pub responses: Vec<[u64; 4]>,
}

/// The request as it was at the start; the form may have changed since.
#[derive(Debug, Clone, Default)]
pub struct BatchRequest {
    pub variants: Vec<usize>,
    pub seeds: u32,
    pub changes: String,
    pub tasks: usize,
}

/// A request and its results.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    pub asked: BatchRequest,
    /// By variants, then by places.
    pub cells: Vec<Cell>,
}

/// The crowd of a lesson, as far as it is drawn.
#[derive(Debug, Clone)]
pub struct Crowding {
    lesson: Rc<Lesson>,
    /// The plan that the lesson proposes for each variant; `None` if it cannot be run.
    plans: Vec<Option<Plan>>,
    pub form: Form,
    /// The measure whose histogram is shown.
    pub measure: usize,
    pub phase: Phase,
    /// The last batch of each kind.
    pub batches: [Batch; 3],
    /// The kind of runs under way, or of the last ones.
    pub which: Which,
    /// The run that is being reduced; and the seed for which no smaller run was found.
    pub reducing: Option<Task>,
    pub in_vain: Option<u64>,
    pub elapsed_ms: u64,
    /// The number of requests that have ended.
    pub ended: u64,
    /// The crowd on real servers.
    pub real: OnReal,
}

/// The results of the crowd on real servers.
#[derive(Debug, Clone, Default)]
pub struct OnReal {
    /// The runs of each variant, in the order in which they were run.
    pub runs: Vec<(usize, Vec<RealRun>)>,
    /// The clients and requests to which the form was reduced.
    pub bounded: Option<(u32, u64)>,
    pub state: RealState,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RealState {
    #[default]
    Absent,
    Connecting,
    /// This variant is running; the number of its run, and of all its runs.
    Running(usize, usize, u32),
    Done,
    /// It was stopped, with the reason.
    Stopped(String),
}

impl OnReal {
    pub fn of(&self, variant: usize) -> &[RealRun] {
        let found = self.runs.iter().find(|(known, _)| *known == variant);
        found.map_or(&[], |(_, runs)| runs)
    }
}

impl Crowding {
    pub fn new(lesson: &Rc<Lesson>) -> Crowding {
        let usual = CrowdDef::default();
        let def = lesson.crowd.as_ref().unwrap_or(&usual);
        let plan = |variant| {
            let scenario = lesson.scenario(variant).ok()?;
            def.plan_for(processes(&scenario)).ok()
        };
        let mut crowd = Crowding {
            plans: (0..lesson.variants.len()).map(plan).collect(),
            form: Form::default(),
            measure: 0,
            phase: Phase::Idle,
            batches: Default::default(),
            which: Which::Form,
            reducing: None,
            in_vain: None,
            elapsed_ms: 0,
            ended: 0,
            real: OnReal::default(),
            lesson: lesson.clone(),
        };
        crowd.form.variants = crowd.offered();
        crowd
    }

    pub fn lesson(&self) -> &Rc<Lesson> {
        &self.lesson
    }

    pub fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    /// Returns the batch under way, or the last one.
    fn batch(&self) -> &Batch {
        &self.batches[self.which as usize]
    }

    pub fn asked(&self) -> &BatchRequest {
        &self.batch().asked
    }

    pub fn cells(&self, which: Which) -> &[Cell] {
        &self.batches[which as usize].cells
    }

    /// Returns the number of sweeps that have results.
    pub fn sweeps_shown(&self) -> usize {
        let shown = |which: &Which| !self.cells(*which).is_empty();
        [Which::Clients, Which::Down].iter().filter(|which| shown(which)).count()
    }

    /// Returns the variants that can be compared: those that the lesson names, and the learner's
    /// program.
    pub fn offered(&self) -> Vec<usize> {
        let named = self.lesson.crowd.as_ref().map_or(&[][..], |def| &def.variants);
        let own = self.lesson.answer().map(|_| self.lesson.variants.len() - 1);
        let all = 0..self.lesson.variants.len();
        let is_named = |at: &usize| named.is_empty() || named.contains(at) || Some(*at) == own;
        all.filter(is_named).filter(|at| self.plans[*at].is_some()).collect()
    }

    /// Returns the plan that the lesson proposes for a variant; `None` if it cannot be run.
    pub fn proposed(&self, variant: usize) -> Option<&Plan> {
        self.plans.get(variant)?.as_ref()
    }

    /// Returns the plan of a variant as in the form; `None` while the form has errors.
    pub fn plan(&self, variant: usize) -> Option<Plan> {
        Plan::read(&self.form.changes(), self.proposed(variant)?).ok()
    }

    /// Returns the plan of a cell.
    pub fn plan_of(&self, cell: &Cell) -> Option<Plan> {
        let changes = &self.batches[cell.spot.which() as usize].asked.changes;
        let plan = Plan::read(changes, self.proposed(cell.variant)?).ok()?;
        Some(cell.spot.of(&plan))
    }

    /// Returns the number of instances of a variant.
    pub fn instances(&self, variant: usize) -> u32 {
        let found = self.lesson.variants.get(variant).map(|variant| variant.world.instances.len());
        found.unwrap_or(0).max(1) as u32
    }

    /// Returns true if some variant has more than one instance, so that a sweep over instances down
    /// makes sense.
    pub fn has_several_instances(&self) -> bool {
        self.form.variants.iter().any(|variant| self.instances(*variant) > 1)
    }

    pub fn seeds(&self) -> u32 {
        self.form.seeds(self.lesson.crowd.as_ref().map_or(SEEDS_USUAL, |def| def.seeds as u32))
    }

    /// Returns the seed of the run that is being reduced.
    pub fn reducing(&self) -> Option<u64> {
        self.reducing.map(|task| task.seed)
    }

    /// Returns the number of runs that are over.
    pub fn done(&self) -> usize {
        self.batch().cells.iter().map(|cell| cell.summary.runs.len()).sum()
    }
}
