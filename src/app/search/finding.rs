//! One search: it takes the checker's answers, and has the results that are drawn.

use std::rc::Rc;

use crate::jobs::Answer;
use crate::jobs::find::{Report, Run, Slow};
use crate::sim::{Scenario, Timeline, schedule};
use crate::view::find::{Phase, Results, Shown};

/// The ms between two sentences for screen readers.
const SPOKEN_MS: u64 = 2_000;

/// One search, from the page's side.
#[derive(Debug, Clone)]
pub struct Finding {
    id: u32,
    results: Results,
}

impl Finding {
    pub fn begin(id: u32, variant: usize, scenario: Rc<Scenario>) -> Finding {
        Finding { id, results: Results::new(variant, scenario) }
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    pub fn results(&self) -> &Results {
        &self.results
    }

    pub fn is_running(&self) -> bool {
        self.results.is_running()
    }

    /// Stops the search; its results stay.
    pub fn stop(&mut self) {
        if self.is_running() {
            self.results.phase = Phase::Stopped;
        }
    }

    /// Takes an answer of the checker. True if it belongs to this search and changed something.
    pub fn receive(&mut self, answer: Answer) -> bool {
        if !self.is_running() {
            return false;
        }
        match answer {
            Answer::Progress(progress) if progress.id == self.id => {
                if progress.elapsed_ms >= self.results.spoken.elapsed_ms + SPOKEN_MS {
                    self.results.spoken = progress;
                }
                self.results.progress = progress;
            }
            Answer::Found(found) if found.id == self.id => {
                let shown = self.replayed(found.run);
                match found.property.map(|index| self.results.runs.get_mut(index)) {
                    Some(Some(place)) => *place = shown,
                    Some(None) => {}
                    None => self.results.deadlock = shown,
                }
            }
            Answer::Stands(stands) if stands.id == self.id => self.results.settled.push(stands),
            Answer::Done(report) if report.progress.id == self.id => self.done(*report),
            Answer::Failed(failure) if failure.id == self.id => {
                self.results.phase = Phase::Failed(failure.why);
            }
            Answer::Ended(id) if id == self.id && self.is_running() => {
                self.results.phase = Phase::Ended
            }
            _ => return false,
        }
        true
    }

    fn done(&mut self, report: Report) {
        self.results.phase = Phase::Done;
        self.results.progress = report.progress;
        for index in 0..self.results.runs.len() {
            let run = report.verdicts.get(index).and_then(|verdict| verdict.run.clone());
            let before = self.results.runs[index].take();
            self.results.runs[index] = run.and_then(|run| self.shown(run, before));
        }
        let before = self.results.deadlock.take();
        self.results.deadlock = report.deadlock.clone().and_then(|run| self.shown(run, before));
        let slower = report.slower.as_ref().and_then(Slow::shown);
        self.results.slower = slower.and_then(|(_, run)| self.replayed(run.clone()));
        self.results.report = Some(report);
    }

    /// Returns the run with its frames: as it was shown before, or else replayed.
    fn shown(&self, run: Run, before: Option<Shown>) -> Option<Shown> {
        before.filter(|before| before.run == run).or_else(|| self.replayed(run))
    }

    /// Replays the run with all its frames, to be drawn and explained.
    fn replayed(&self, run: Run) -> Option<Shown> {
        let mut timeline = Timeline::start(self.results.scenario.clone()).ok()?;
        schedule::play(&mut timeline, &run.schedule).ok()?;
        Some(Shown { run, timeline })
    }
}

#[cfg(test)]
mod tests;
