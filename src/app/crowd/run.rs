//! The run of a crowd: it hands out [`Task`]s to workers, takes their answers, and has the results
//! that are drawn.
//!
//! No clocks: the caller passes the time in.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::jobs::Answer;
use crate::jobs::crowd::wire::{Begin, Ran, Task, unpacked};
use crate::jobs::crowd::{Spot, Which};
use crate::lesson::{Lesson, OWN};
use crate::load::{Arrival, Plan, Summary};
use crate::real::crowd::bounded;
use crate::view::crowd::{Batch, BatchRequest, Cell, Crowding, OnReal, Phase};

/// The numbers of clients of a sweep.
pub const SWEEP: [u32; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// The most seeds at each place of a sweep.
const SWEEP_SEEDS: u32 = 5;
/// The most requests of a crowd that begins by itself.
const ITSELF_REQUESTS: u64 = 50_000;
/// The longest time that a crowd runs, in ms.
const TIME_MS_MAX: u64 = 180_000;
/// The ms between two pictures while it runs.
const DRAW_MS: u64 = 120;
/// The number of runs that a worker has at once: one under way, and the next one.
const GIVEN: usize = 2;

/// One worker, as the page knows it.
#[derive(Debug, Clone, Default)]
struct Hand {
    given: Vec<Task>,
    /// The number of requests ended in the run under way.
    ended: u64,
}

/// A crowd, and the runs that it still has to make.
#[derive(Debug, Clone)]
pub struct CrowdRun {
    /// What is drawn of it.
    pub shown: Crowding,
    id: u32,
    waiting: VecDeque<Task>,
    hands: Vec<Hand>,
    began_ms: u64,
    drawn_ms: u64,
    /// The number of requests of finished runs.
    finished: u64,
}

impl CrowdRun {
    pub fn new(lesson: &Rc<Lesson>) -> CrowdRun {
        CrowdRun {
            shown: Crowding::new(lesson),
            id: 0,
            waiting: VecDeque::new(),
            hands: Vec::new(),
            began_ms: 0,
            drawn_ms: 0,
            finished: 0,
        }
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    /// Returns true if the form's crowd is so small that it may begin by itself.
    pub fn is_small(&self) -> bool {
        let plans = self.shown.form.variants.iter().filter_map(|at| self.shown.plan(*at));
        let requests: u64 = plans.map(|plan| plan.total()).sum();
        requests.saturating_mul(self.shown.seeds().into()) <= ITSELF_REQUESTS
    }

    /// Begins runs, or a sweep of them. The result has to be sent to every worker first; `None` if
    /// the form has errors.
    pub fn begin(&mut self, id: u32, text: &str, which: Which, now_ms: u64) -> Option<Begin> {
        if !self.shown.form.is_right(&self.shown) {
            return None;
        }
        let (variants, mut seeds) = (self.shown.form.variants.clone(), self.shown.seeds());
        let spots = match which {
            Which::Form => vec![Spot::Form],
            Which::Clients => {
                seeds = seeds.min(SWEEP_SEEDS);
                self.swept().into_iter().map(Spot::Clients).collect()
            }
            Which::Down => {
                let most = variants.iter().map(|variant| self.shown.instances(*variant)).max();
                (0..=most.unwrap_or(0)).map(Spot::Down).collect()
            }
        };
        let mut tasks = VecDeque::new();
        for spot in spots {
            let has = |variant: &&usize| match spot {
                Spot::Down(down) => down <= self.shown.instances(**variant),
                _ => true,
            };
            for seed in 1..=seeds {
                let one = |variant| Task { id, variant, spot, seed: seed.into(), reduce: false };
                tasks.extend(variants.iter().filter(has).map(|variant| one(*variant)));
            }
        }
        self.id = id;
        self.shown.phase = Phase::Running;
        let changes = self.shown.form.changes();
        let asked = BatchRequest { variants, seeds, changes, tasks: tasks.len() };
        self.shown.batches[which as usize] = Batch { asked, cells: Vec::new() };
        self.shown.which = which;
        if which == Which::Form {
            self.shown.real = OnReal::default();
        }
        self.waiting = tasks;
        self.hands.clear();
        (self.shown.reducing, self.shown.in_vain) = (None, None);
        (self.began_ms, self.drawn_ms, self.finished) = (now_ms, now_ms, 0);
        (self.shown.elapsed_ms, self.shown.ended) = (0, 0);
        Some(self.begin_text(text, which))
    }

    fn begin_text(&self, text: &str, which: Which) -> Begin {
        Begin {
            id: self.id,
            lesson: text.to_owned(),
            own: self.shown.lesson().id == OWN,
            answer: self.shown.lesson().answer().map(Cow::into_owned),
            changes: self.shown.batches[which as usize].asked.changes.clone(),
        }
    }

    /// Returns the numbers of clients of a sweep whose requests fit into a run.
    fn swept(&self) -> Vec<u32> {
        let fits = |clients: &u32| {
            let plan =
                |at: &usize| self.shown.plan(*at).map(|plan| Spot::Clients(*clients).of(&plan));
            let mut plans = self.shown.form.variants.iter().filter_map(plan);
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
        if self.shown.is_running() || self.shown.reducing.is_some() {
            return None;
        }
        let task = Task { id, variant, spot: Spot::Form, seed, reduce: true };
        (self.id, self.shown.in_vain, self.shown.reducing) = (id, None, Some(task));
        Some((self.begin_text(text, Which::Form), task))
    }

    /// Limits the form to the size of a crowd on real servers.
    pub fn bound(&mut self) {
        let nodes = |at: usize| self.shown.instances(at) as usize;
        let plans = self
            .shown
            .form
            .variants
            .iter()
            .filter_map(|at| Some((self.shown.plan(*at)?, nodes(*at))));
        let Some((plan, nodes)) = plans.max_by_key(|(plan, nodes)| (*nodes, plan.clients)) else {
            return;
        };
        let small = Plan { arrival: Arrival::AtOnce, ..bounded(&plan, nodes) };
        if small != plan {
            self.shown.form.set("arrival", Arrival::AtOnce.name());
            self.shown.form.set("clients", &small.clients.to_string());
            self.shown.form.set("requests", &small.requests.to_string());
            self.shown.real.bounded = Some((small.clients, small.total()));
        }
    }

    /// Takes the next tasks for worker `hand`; empty if it has enough or nothing is left.
    pub fn next_for(&mut self, hand: usize) -> Vec<Task> {
        if !self.shown.is_running() {
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
        self.shown.is_running() && !self.waiting.is_empty()
    }

    /// Stops the crowd; its results stay.
    pub fn stop(&mut self) {
        if self.shown.is_running() {
            self.shown.phase = Phase::Stopped;
        }
        self.shown.reducing = None;
        self.waiting.clear();
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
            Answer::Ran(ran) if ran.task.id == self.id && self.shown.is_running() => {
                if let Some(hand) = self.hands.get_mut(hand) {
                    hand.given.retain(|task| *task != ran.task);
                    hand.ended = 0;
                }
                self.take(&ran);
            }
            Answer::Failed(failure) if failure.id == self.id => {
                self.stop();
                self.shown.phase = Phase::Failed(failure.why);
                return Heard::Over;
            }
            Answer::Ended(id)
                if id == self.id && (self.shown.is_running() || self.shown.reducing.is_some()) =>
            {
                self.stop();
                self.shown.phase = Phase::Ended;
                return Heard::Over;
            }
            _ => return Heard::Nothing,
        }
        self.shown.ended = self.finished + self.hands.iter().map(|hand| hand.ended).sum::<u64>();
        if !self.shown.is_running() {
            return Heard::Nothing;
        }
        self.shown.elapsed_ms = now_ms.saturating_sub(self.began_ms);
        if self.shown.done() >= self.shown.asked().tasks {
            self.shown.phase = Phase::Done;
            return Heard::Over;
        }
        if self.shown.elapsed_ms > TIME_MS_MAX {
            self.stop();
            self.shown.phase = Phase::TimeUp;
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
        self.finished += tally.ended();
        let cells = &mut self.shown.batches[self.shown.which as usize].cells;
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
        if self.shown.reducing.take() != Some(ran.task) {
            return Heard::Nothing;
        }
        match &ran.schedule {
            Some(schedule) => Heard::Reduced(ran.task.variant, schedule.clone()),
            None => {
                self.shown.in_vain = Some(ran.task.seed);
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

#[cfg(test)]
mod tests;
