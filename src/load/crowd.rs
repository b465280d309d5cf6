//! Runs many seeds of one plan, and summarises them.

use std::rc::Rc;

use super::{Histogram, Job, Plan, Run, Tally};

/// The most seeds.
pub const SEEDS_MAX: u32 = 1_000;

/// A crowd: runs with seeds 1, 2, 3 … one after the other.
#[derive(Debug)]
pub struct Crowd {
    plan: Plan,
    job: Rc<Job>,
    seeds: u32,
    run: Option<Run>,
    events: u64,
    summary: Summary,
}

/// The results of the finished runs, taken together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// One tally for each run, without its histograms: these are added up below.
    pub runs: Vec<Tally>,
    pub response: Histogram,
    pub waiting: Histogram,
    pub queueing: Histogram,
}

/// A point of a sweep: the number of clients, and its summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub clients: u32,
    pub summary: Summary,
}

impl Crowd {
    pub fn new(plan: &Plan, job: &Rc<Job>, seeds: u32) -> Crowd {
        Crowd {
            plan: plan.clone(),
            job: job.clone(),
            seeds: seeds.clamp(1, SEEDS_MAX),
            run: None,
            events: 0,
            summary: Summary::default(),
        }
    }

    /// Advances by this number of events; true when all runs are over. The error is a mistake of
    /// the job's author.
    pub fn advance(&mut self, events: u64) -> Result<bool, String> {
        let until = self.events_so_far() + events;
        while (self.summary.runs.len() as u32) < self.seeds {
            let mut run = match self.run.take() {
                Some(run) => run,
                None => {
                    let seed = self.summary.runs.len() as u64 + 1;
                    Run::new(&self.plan, &self.job, seed).map_err(|error| error.to_string())?
                }
            };
            let left = until.saturating_sub(self.events + run.events());
            if !run.advance(left.max(1)) {
                self.run = Some(run);
                return Ok(false);
            }
            self.events += run.events();
            self.summary.add(run.finish()?);
            if self.events >= until {
                break;
            }
        }
        Ok(self.summary.runs.len() as u32 >= self.seeds)
    }

    pub fn events_so_far(&self) -> u64 {
        self.events + self.run.as_ref().map_or(0, Run::events)
    }

    /// Returns the number of requests that have ended, and of all requests.
    pub fn progress(&self) -> (u64, u64) {
        let done: u64 = self.summary.runs.iter().map(|run| run.arrived).sum();
        let now = self.run.as_ref().map_or(0, Run::ended);
        (done + now, self.plan.total() * u64::from(self.seeds))
    }

    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    pub fn into_summary(self) -> Summary {
        self.summary
    }
}

impl Summary {
    fn add(&mut self, run: Tally) {
        self.add_at(self.runs.len(), run);
    }

    /// Inserts a run at that place among the others.
    pub fn add_at(&mut self, place: usize, mut run: Tally) {
        self.response.merge(&std::mem::take(&mut run.response));
        self.waiting.merge(&std::mem::take(&mut run.waiting));
        self.queueing.merge(&std::mem::take(&mut run.queueing));
        self.runs.insert(place.min(self.runs.len()), run);
    }

    /// Returns the mean of a value over all runs.
    pub fn mean(&self, of: impl Fn(&Tally) -> f64) -> f64 {
        if self.runs.is_empty() {
            return 0.0;
        }
        self.runs.iter().map(of).sum::<f64>() / self.runs.len() as f64
    }
}
