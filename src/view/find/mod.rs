//! Find: the questions to the checker, its answers, and their display.
//!
//! - [`wire`] has the messages between the page and the checker; `work` is the checker's side.
//! - [`Finding`] is one search from the page's side: it takes [`Answer`]s and makes a [`Panel`].
//!
//! No clocks: the caller of a [`Work`] measures time and passes it in.

pub mod conditions;
pub mod fix;
pub mod live;
mod panel;
pub mod wire;
mod work;

#[cfg(test)]
mod tests;

pub use panel::{Bar, Counted, Panel, Question, RunView, Tone, hint, thousands};
pub use wire::{
    Answer, Failure, Found, Near, Never, Progress, Report, Request, Run, Slow, Stands, Start,
};
pub use work::{
    OUTCOMES_MAX, Work, bound_name, ids_of_other, ids_said, lesson_of, never, never_set,
    unfollowed_said,
};

use std::rc::Rc;

use crate::engine::Lacking;
use crate::sim::{ClientId, Kind, Scenario, Timeline, endless_line, schedule, unexpected_error};

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    Running,
    /// Stopped by the learner.
    Stopped,
    Done,
    /// It could not begin, with the checker's error.
    Failed(String),
    /// The checker ended by an internal error before it could answer.
    Ended,
}

/// A run that was found, replayed.
#[derive(Debug, Clone)]
pub struct Shown {
    pub run: Run,
    pub timeline: Timeline,
}

/// One search, from the page's side.
#[derive(Debug, Clone)]
pub struct Finding {
    id: u32,
    variant: usize,
    scenario: Rc<Scenario>,
    phase: Phase,
    progress: Progress,
    /// The progress when it was last read out.
    spoken: Progress,
    /// For each property, the run that was found.
    runs: Vec<Option<Shown>>,
    deadlock: Option<Shown>,
    /// The run that needs slower clients.
    slower: Option<Shown>,
    /// Verdicts without a run that came before the report.
    settled: Vec<Stands>,
    report: Option<Report>,
}

/// The ms between two sentences for screen readers.
const SPOKEN_MS: u64 = 2_000;

impl Finding {
    pub fn begin(id: u32, variant: usize, scenario: Rc<Scenario>) -> Finding {
        Finding {
            id,
            variant,
            phase: Phase::Running,
            progress: Progress::default(),
            spoken: Progress::default(),
            runs: vec![None; scenario.properties.len()],
            deadlock: None,
            slower: None,
            settled: Vec::new(),
            report: None,
            scenario,
        }
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    pub fn variant(&self) -> usize {
        self.variant
    }

    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Returns true if the search has ended with an answer.
    pub fn is_answered(&self) -> bool {
        self.report.is_some()
    }

    /// Returns true if every question has its answer; there may still be something to count.
    pub fn is_decided(&self) -> bool {
        let has_answer = |at: usize| self.runs[at].is_some() || self.settled(Some(at)).is_some();
        let is_stuck_known = self.deadlock.is_some() || self.settled(None).is_some();
        self.report.is_some() || (is_stuck_known && (0..self.runs.len()).all(has_answer))
    }

    /// Returns the number of states met so far, and the ms of searching.
    pub fn met(&self) -> (u64, u64) {
        (self.progress.states, self.progress.elapsed_ms)
    }

    pub fn is_running(&self) -> bool {
        self.phase == Phase::Running
    }

    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Returns for each property whether it holds, if that is known; `None` before the end.
    pub fn verdicts(&self) -> Option<Vec<Option<bool>>> {
        let report = self.report.as_ref().filter(|report| report.mistake.is_none())?;
        Some(report.verdicts.iter().map(|verdict| verdict.holds).collect())
    }

    /// Returns the early verdict on a property (`None`: on deadlock); `None` if there is none.
    fn settled(&self, property: Option<usize>) -> Option<&Stands> {
        self.settled.iter().find(|stands| stands.property == property)
    }

    /// Returns true if a run was found that breaks an `always`; it may be known long before the
    /// end.
    pub fn is_refuted(&self) -> bool {
        self.broken().is_some()
    }

    /// Returns the first `always` that a run breaks.
    fn broken(&self) -> Option<usize> {
        let mut found = self.runs.iter().zip(&self.scenario.properties);
        found.position(|(run, property)| run.is_some() && property.kind == Kind::Always)
    }

    /// Returns the property that fails: an `always` that a run breaks, before one that the report
    /// denies.
    pub fn failed(&self) -> Option<usize> {
        let denied = || self.verdicts()?.iter().position(|holds| *holds == Some(false));
        self.broken().or_else(denied)
    }

    /// Returns the replayed run that links write like this, if it was found.
    pub fn found(&self, schedule: &str) -> Option<&Timeline> {
        let shown = self.runs.iter().flatten().chain(&self.deadlock).chain(&self.slower);
        let mut found = shown.filter(|shown| shown.run.schedule == schedule);
        found.next().map(|shown| &shown.timeline)
    }

    /// Returns the error by which a program ends on the run that was found, and its client.
    pub fn error(&self) -> Option<(ClientId, String)> {
        let at = self.scenario.properties.iter().position(|one| one.is_no_errors())?;
        let shown = self.runs.get(at)?.as_ref()?;
        unexpected_error(&self.scenario, &shown.timeline.frames().last()?.world)
    }

    /// Returns what the instance lacked whose reply is that error.
    pub fn lacking(&self, client: ClientId) -> Option<Lacking> {
        let at = self.scenario.properties.iter().position(|one| one.is_no_errors())?;
        let timeline = &self.runs.get(at)?.as_ref()?.timeline;
        timeline.lacking(client, timeline.len())
    }

    /// Returns true if that error is an endless loop.
    pub fn is_endless(&self) -> bool {
        self.error().is_some_and(|(_, message)| endless_line(&message).is_some())
    }

    /// Stops the search; its results stay.
    pub fn stop(&mut self) {
        if self.is_running() {
            self.phase = Phase::Stopped;
        }
    }

    /// Takes an answer of the checker. True if it belongs to this search and changed something.
    pub fn receive(&mut self, answer: Answer) -> bool {
        if !self.is_running() {
            return false;
        }
        match answer {
            Answer::Progress(progress) if progress.id == self.id => {
                if progress.elapsed_ms >= self.spoken.elapsed_ms + SPOKEN_MS {
                    self.spoken = progress;
                }
                self.progress = progress;
            }
            Answer::Found(found) if found.id == self.id => {
                let shown = self.replayed(found.run);
                match found.property.map(|index| self.runs.get_mut(index)) {
                    Some(Some(place)) => *place = shown,
                    Some(None) => {}
                    None => self.deadlock = shown,
                }
            }
            Answer::Stands(stands) if stands.id == self.id => self.settled.push(stands),
            Answer::Done(report) if report.progress.id == self.id => self.done(*report),
            Answer::Failed(failure) if failure.id == self.id => {
                self.phase = Phase::Failed(failure.why);
            }
            Answer::Ended(id) if id == self.id && self.is_running() => self.phase = Phase::Ended,
            _ => return false,
        }
        true
    }

    fn done(&mut self, report: Report) {
        self.phase = Phase::Done;
        self.progress = report.progress;
        for index in 0..self.runs.len() {
            let run = report.verdicts.get(index).and_then(|verdict| verdict.run.clone());
            self.runs[index] = run.and_then(|run| self.replayed(run));
        }
        self.deadlock = report.deadlock.clone().and_then(|run| self.replayed(run));
        let slower = report.slower.as_ref().and_then(Slow::shown);
        self.slower = slower.and_then(|(_, run)| self.replayed(run.clone()));
        self.report = Some(report);
    }

    /// Replays the run with all its frames, to be drawn and explained.
    fn replayed(&self, run: Run) -> Option<Shown> {
        let mut timeline = Timeline::start(self.scenario.clone()).ok()?;
        schedule::play(&mut timeline, &run.schedule).ok()?;
        Some(Shown { run, timeline })
    }
}
