//! Why a search gave no answer, as `check` prints it: a mistake in the scenario, above all a
//! condition that fails while the search runs.

use std::fmt::Write as _;

use crate::sim::{Action, Verdict};

use super::report::{schedule, told};
use super::{Job, count};

/// How a run without steps is called.
pub(super) const BEFORE_ALL: &str = "at the start, before any client sends a command";

/// Why a search gave no answer: a mistake in the scenario.
pub(super) struct Failed {
    pub why: String,
    /// The property that could not be evaluated, if it was one.
    pub property: Option<usize>,
    /// A run to a state in which it could not.
    pub run: Option<Vec<Action>>,
}

impl From<String> for Failed {
    fn from(why: String) -> Failed {
        Failed { why, property: None, run: None }
    }
}

impl Failed {
    /// Returns the file with the line of the property; the file alone if the line is not known.
    pub fn place(&self, job: &Job) -> String {
        match self.line(job) {
            0 => job.file.clone(),
            line => format!("{}:{line}", job.file),
        }
    }

    pub fn line(&self, job: &Job) -> usize {
        self.property.and_then(|at| job.lines.get(at)).copied().unwrap_or_default()
    }

    /// Returns the name of the property that could not be evaluated.
    pub fn name<'j>(&self, job: &'j Job) -> Option<&'j str> {
        job.properties.get(self.property?).map(|(name, _)| name.as_str())
    }

    /// Says what failed, where it stands, and after which steps.
    pub fn words(&self, job: &Job) -> String {
        let (Some(at), Some(name), Ok(scenario)) = (self.property, self.name(job), &job.scenario)
        else {
            return format!("{}\n", self.why);
        };
        let kind = scenario.properties[at].kind.word();
        let why = self.why.strip_prefix(name).and_then(|why| why.strip_prefix(": "));
        let why = why.unwrap_or(&self.why);
        let mut text = format!("{kind} {name}: cannot be evaluated: {why}\n");
        let _ = write!(text, "    {}", self.place(job));
        let Some(run) = &self.run else { return text + "\n" };
        let after = match run.is_empty() {
            true => BEFORE_ALL.to_owned(),
            false => {
                let steps = count(run.len() as u64, "step");
                format!("after {steps}: {}", schedule(scenario, run))
            }
        };
        let _ = writeln!(text, ", {after}");
        let run = Some(run.clone());
        text + &told(
            scenario,
            &Verdict { holds: None, trace: run, cycle: Vec::new(), is_shortest: false },
        )
    }
}
