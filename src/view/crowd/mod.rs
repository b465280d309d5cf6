//! Crowd: sends thousands of requests to a lesson's programs, and counts failures and costs.
//!
//! - [`Form`] is the learner's request, [`Crowding`] what is running and its results: it hands out
//!   [`wire::Task`]s, takes the answers, and [`View`] is made of it.
//! - [`wire`] has the messages to the workers, [`Work`] the workers' side.
//! - [`chart`] lays charts out; [`csv`] writes the results as a table for other programs.
//!
//! No clocks: the caller passes the time in.

pub mod chart;
pub mod csv;
pub mod dots;
mod form;
mod panel;
pub mod wire;
mod work;

#[cfg(test)]
mod tests;

pub use form::{Control, Form, Group, Kind, SEEDS_USUAL};
pub use panel::{Bar, Bars, Cell as TableCell, Choice, Row, Sweep, View};
pub use work::Work;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::lesson::{CrowdDef, Lesson, OWN, processes};
use crate::load::{Arrival, Plan, Summary};
use crate::real::crowd::{RealRun, bounded};
use crate::view::find::Answer;

use wire::{Begin, Ran, Task, unpacked};

/// The numbers of clients of a sweep.
pub const SWEEP: [u32; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// The most seeds at each place of a sweep.
const SWEEP_SEEDS: u32 = 5;
/// The most events of one run of a sweep.
pub const SWEEP_EVENTS: u64 = 400_000;
/// The most requests of a crowd that begins by itself.
const ITSELF_REQUESTS: u64 = 50_000;
/// The longest time that a crowd runs, in ms.
const TIME_MS_MAX: u64 = 180_000;
/// The ms between two pictures while it runs.
const DRAW_MS: u64 = 120;
/// The number of runs that a worker has at once: one under way, and the next one.
const GIVEN: usize = 2;

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

/// The runs to make: the crowd of the form, or that crowd at each place of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Which {
    #[default]
    Form,
    /// With more and more clients.
    Clients,
    /// With more and more instances down.
    Down,
}

/// A place of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Spot {
    #[default]
    Form,
    Clients(u32),
    Down(u32),
}

impl Spot {
    pub fn which(self) -> Which {
        match self {
            Spot::Form => Which::Form,
            Spot::Clients(_) => Which::Clients,
            Spot::Down(_) => Which::Down,
        }
    }

    /// Returns the number of clients, or of instances down.
    pub fn number(self) -> u32 {
        match self {
            Spot::Form => 0,
            Spot::Clients(number) | Spot::Down(number) => number,
        }
    }

    /// Returns the plan at this place. The arrivals become closed-loop, because an open stream of
    /// requests would not grow with the clients.
    fn of(self, plan: &Plan) -> Plan {
        let plan = plan.clone();
        match self {
            Spot::Form => plan,
            Spot::Clients(clients) => Plan { clients, arrival: Arrival::AtOnce, ..plan },
            Spot::Down(down) => Plan { down, ..plan },
        }
    }
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
struct Batch {
    asked: BatchRequest,
    /// By variants, then by places.
    cells: Vec<Cell>,
}

/// One worker, as the page knows it.
#[derive(Debug, Clone, Default)]
struct Hand {
    given: Vec<Task>,
    /// The number of requests ended in the run under way.
    ended: u64,
}

/// The crowd of a lesson.
#[derive(Debug, Clone)]
pub struct Crowding {
    lesson: Rc<Lesson>,
    /// The plan that the lesson proposes for each variant; `None` if it cannot be run.
    plans: Vec<Option<Plan>>,
    pub form: Form,
    /// The measure whose histogram is shown.
    pub measure: usize,
    id: u32,
    phase: Phase,
    /// The last batch of each kind.
    batches: [Batch; 3],
    /// The kind of runs under way, or of the last ones.
    which: Which,
    waiting: VecDeque<Task>,
    hands: Vec<Hand>,
    /// The run that is being reduced; and the seed for which no smaller run was found.
    reducing: Option<Task>,
    in_vain: Option<u64>,
    began_ms: u64,
    elapsed_ms: u64,
    drawn_ms: u64,
    /// The number of requests of finished runs.
    ended: u64,
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
            id: 0,
            phase: Phase::Idle,
            batches: Default::default(),
            which: Which::Form,
            waiting: VecDeque::new(),
            hands: Vec::new(),
            reducing: None,
            in_vain: None,
            began_ms: 0,
            elapsed_ms: 0,
            drawn_ms: 0,
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

    pub fn phase(&self) -> &Phase {
        &self.phase
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

    /// Returns the kind of runs under way, or of the last ones.
    pub fn which(&self) -> Which {
        self.which
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
    fn instances(&self, variant: usize) -> u32 {
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

    /// Returns true if the form's crowd is so small that it may begin by itself.
    pub fn is_small(&self) -> bool {
        let plans = self.form.variants.iter().filter_map(|at| self.plan(*at));
        let requests: u64 = plans.map(|plan| plan.total()).sum();
        requests.saturating_mul(self.seeds().into()) <= ITSELF_REQUESTS
    }

    /// Begins runs, or a sweep of them. The result has to be sent to every worker first; `None` if
    /// the form has errors.
    pub fn begin(&mut self, id: u32, text: &str, which: Which, now_ms: u64) -> Option<Begin> {
        if !self.form.is_right(self) {
            return None;
        }
        let (variants, mut seeds) = (self.form.variants.clone(), self.seeds());
        let spots = match which {
            Which::Form => vec![Spot::Form],
            Which::Clients => {
                seeds = seeds.min(SWEEP_SEEDS);
                self.swept().into_iter().map(Spot::Clients).collect()
            }
            Which::Down => {
                let most = variants.iter().map(|variant| self.instances(*variant)).max();
                (0..=most.unwrap_or(0)).map(Spot::Down).collect()
            }
        };
        let mut tasks = VecDeque::new();
        for spot in spots {
            let has = |variant: &&usize| match spot {
                Spot::Down(down) => down <= self.instances(**variant),
                _ => true,
            };
            for seed in 1..=seeds {
                let one = |variant| Task { id, variant, spot, seed: seed.into(), reduce: false };
                tasks.extend(variants.iter().filter(has).map(|variant| one(*variant)));
            }
        }
        self.id = id;
        self.phase = Phase::Running;
        let changes = self.form.changes();
        let asked = BatchRequest { variants, seeds, changes, tasks: tasks.len() };
        self.batches[which as usize] = Batch { asked, cells: Vec::new() };
        self.which = which;
        if which == Which::Form {
            self.real = OnReal::default();
        }
        self.waiting = tasks;
        self.hands.clear();
        (self.reducing, self.in_vain) = (None, None);
        (self.began_ms, self.drawn_ms, self.elapsed_ms, self.ended) = (now_ms, now_ms, 0, 0);
        Some(self.begin_text(text, which))
    }

    fn begin_text(&self, text: &str, which: Which) -> Begin {
        Begin {
            id: self.id,
            lesson: text.to_owned(),
            own: self.lesson.id == OWN,
            answer: self.lesson.answer().map(Cow::into_owned),
            changes: self.batches[which as usize].asked.changes.clone(),
        }
    }

    /// Returns the numbers of clients of a sweep whose requests fit into a run.
    fn swept(&self) -> Vec<u32> {
        let fits = |clients: &u32| {
            let plan = |at: &usize| self.plan(*at).map(|plan| Spot::Clients(*clients).of(&plan));
            let mut plans = self.form.variants.iter().filter_map(plan);
            plans.all(|plan| plan.fits().is_ok())
        };
        SWEEP.into_iter().filter(fits).collect()
    }

    /// Looks for the few requests of a run that show what went wrong in it. The workers have
    /// forgotten the run, so the result has to be sent to them again.
    pub fn reduce(
        &mut self,
        id: u32,
        text: &str,
        variant: usize,
        seed: u64,
    ) -> Option<(Begin, Task)> {
        if self.is_running() || self.reducing.is_some() {
            return None;
        }
        let task = Task { id, variant, spot: Spot::Form, seed, reduce: true };
        (self.id, self.in_vain, self.reducing) = (id, None, Some(task));
        Some((self.begin_text(text, Which::Form), task))
    }

    /// Limits the form to the size of a crowd on real servers.
    pub fn bound(&mut self) {
        let nodes = |at: usize| self.instances(at) as usize;
        let plans = self.form.variants.iter().filter_map(|at| Some((self.plan(*at)?, nodes(*at))));
        let Some((plan, nodes)) = plans.max_by_key(|(plan, nodes)| (*nodes, plan.clients)) else {
            return;
        };
        let small = Plan { arrival: Arrival::AtOnce, ..bounded(&plan, nodes) };
        if small != plan {
            self.form.set("arrival", Arrival::AtOnce.name());
            self.form.set("clients", &small.clients.to_string());
            self.form.set("requests", &small.requests.to_string());
            self.real.bounded = Some((small.clients, small.total()));
        }
    }

    /// Takes the next tasks for worker `hand`; empty if it has enough or nothing is left.
    pub fn next_for(&mut self, hand: usize) -> Vec<Task> {
        if !self.is_running() {
            return Vec::new();
        }
        if self.hands.len() <= hand {
            self.hands.resize(hand + 1, Hand::default());
        }
        let room = GIVEN.saturating_sub(self.hands[hand].given.len());
        let next: Vec<Task> = self.waiting.drain(..room.min(self.waiting.len())).collect();
        self.hands[hand].given.extend(&next);
        next
    }

    /// Returns true if there is work for one more worker.
    pub fn has_more(&self) -> bool {
        self.is_running() && !self.waiting.is_empty()
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    /// Stops the crowd; its results stay.
    pub fn stop(&mut self) {
        if self.is_running() {
            self.phase = Phase::Stopped;
        }
        self.reducing = None;
        self.waiting.clear();
    }

    /// Returns the number of requests that have ended.
    pub fn ended(&self) -> u64 {
        self.ended + self.hands.iter().map(|hand| hand.ended).sum::<u64>()
    }

    pub fn elapsed_ms(&self) -> u64 {
        self.elapsed_ms
    }

    /// Returns the number of runs that are over.
    pub fn done(&self) -> usize {
        self.batch().cells.iter().map(|cell| cell.summary.runs.len()).sum()
    }

    pub fn reducing(&self) -> Option<u64> {
        self.reducing.map(|task| task.seed)
    }

    pub fn in_vain(&self) -> Option<u64> {
        self.in_vain
    }

    /// Takes an answer of worker `hand`.
    pub fn hear(&mut self, hand: usize, answer: Answer, now_ms: u64) -> Heard {
        match answer {
            Answer::Under(under) if under.id == self.id => {
                if let Some(hand) = self.hands.get_mut(hand) {
                    hand.ended = under.ended;
                }
            }
            Answer::Ran(ran) if ran.task.id == self.id && ran.task.reduce => {
                return self.reduced(&ran);
            }
            Answer::Ran(ran) if ran.task.id == self.id && self.is_running() => {
                if let Some(hand) = self.hands.get_mut(hand) {
                    hand.given.retain(|task| *task != ran.task);
                    hand.ended = 0;
                }
                self.take(&ran);
            }
            Answer::Failed(failure) if failure.id == self.id => {
                self.stop();
                self.phase = Phase::Failed(failure.why);
                return Heard::Over;
            }
            Answer::Ended(id)
                if id == self.id && (self.is_running() || self.reducing.is_some()) =>
            {
                self.stop();
                self.phase = Phase::Ended;
                return Heard::Over;
            }
            _ => return Heard::Nothing,
        }
        if !self.is_running() {
            return Heard::Nothing;
        }
        self.elapsed_ms = now_ms.saturating_sub(self.began_ms);
        if self.done() >= self.asked().tasks {
            self.phase = Phase::Done;
            return Heard::Over;
        }
        if self.elapsed_ms > TIME_MS_MAX {
            self.stop();
            self.phase = Phase::TimeUp;
            return Heard::Over;
        }
        if now_ms.saturating_sub(self.drawn_ms) < DRAW_MS {
            return Heard::Quiet;
        }
        self.drawn_ms = now_ms;
        Heard::News
    }

    fn take(&mut self, ran: &Ran) {
        let Some(tally) = unpacked(&ran.numbers) else { return };
        self.ended += tally.ended();
        let cells = &mut self.batches[self.which as usize].cells;
        let (variant, spot) = (ran.task.variant, ran.task.spot);
        // Workers are done in the order neither of the variants nor of the seeds.
        let place_of = |cell: &Cell| (cell.variant, cell.spot);
        let at = cells.binary_search_by_key(&(variant, spot), place_of).unwrap_or_else(|at| {
            let (summary, responses) = (Summary::default(), Vec::new());
            cells.insert(at, Cell { variant, spot, summary, responses });
            at
        });
        let of = &tally.response;
        let responses =
            [of.mean() as u64, of.percentile(50.0), of.percentile(95.0), of.percentile(99.0)];
        let cell = &mut cells[at];
        let place = cell.summary.runs.partition_point(|run| run.seed < tally.seed);
        cell.summary.add_at(place, tally);
        cell.responses.insert(place, responses);
    }

    fn reduced(&mut self, ran: &Ran) -> Heard {
        if self.reducing.take() != Some(ran.task) {
            return Heard::Nothing;
        }
        match &ran.schedule {
            Some(schedule) => Heard::Reduced(ran.task.variant, schedule.clone()),
            None => {
                self.in_vain = Some(ran.task.seed);
                Heard::News
            }
        }
    }
}

/// The consequence of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// None: it was not for this crowd.
    Nothing,
    /// The answer was taken; there is nothing to show yet.
    Quiet,
    News,
    /// The crowd is complete.
    Over,
    /// The run of this variant, as links write it, has to be opened.
    Reduced(usize, String),
}
