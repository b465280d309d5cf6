//! Find, drawn: the answers of a search in words, with the runs that show them.
//!
//! - [`Results`] is what is known of a search; the page's search (`app`) fills it in.
//! - [`Panel`] has all of it in words; [`live`] is the verdict beside the playground's editor.
//! - [`conditions`] says under what an answer holds; [`fix`] is the exercise with its grade.
//!
//! Absent: the search itself and its messages (`jobs::find`).

pub mod conditions;
pub mod fix;
pub mod live;
mod panel;

pub use panel::{Bar, Counted, Panel, Question, RunView, Tone, hint};

use std::rc::Rc;

use crate::engine::Lacking;
use crate::jobs::find::{Progress, Report, Run, Stands};
use crate::sim::{ClientId, Kind, Scenario, Timeline, endless_line, unexpected_error};

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

/// What is known of a search.
#[derive(Debug, Clone)]
pub struct Results {
    pub variant: usize,
    pub scenario: Rc<Scenario>,
    pub phase: Phase,
    pub progress: Progress,
    /// The progress when it was last read out.
    pub spoken: Progress,
    /// For each property, the run that was found.
    pub runs: Vec<Option<Shown>>,
    pub deadlock: Option<Shown>,
    /// The run that needs slower clients.
    pub slower: Option<Shown>,
    /// Verdicts without a run that came before the report.
    pub settled: Vec<Stands>,
    pub report: Option<Report>,
}

impl Results {
    /// Returns the results of a search that begins.
    pub fn new(variant: usize, scenario: Rc<Scenario>) -> Results {
        Results {
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
}
