//! The report of a run on a real Redis, for display and export: a row for each step, and the first
//! difference, which is kept.

use crate::json::{Json, ToJson};
use crate::text::{Lang, RealWord, real};

use super::compare::Why;
use super::plan::Cannot;

/// The result of one comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Equal,
    Alike(Why),
    Differs,
    /// It was impossible on the real server.
    Undone(Cannot),
}

impl Mark {
    pub fn id(self) -> &'static str {
        match self {
            Mark::Equal => "equal",
            Mark::Alike(_) => "alike",
            Mark::Differs => "differs",
            Mark::Undone(_) => "simulated",
        }
    }

    pub fn sign(self) -> &'static str {
        match self {
            Mark::Equal => "=",
            Mark::Alike(_) => "≈",
            Mark::Differs => "≠",
            Mark::Undone(_) => "–",
        }
    }

    /// Returns it in words.
    pub fn said(self, lang: Lang) -> &'static str {
        let word = match self {
            Mark::Equal => RealWord::Equal,
            Mark::Alike(Why::Clock) => RealWord::AlikeClock,
            Mark::Alike(Why::Random) => RealWord::AlikeRandom,
            Mark::Alike(Why::Server) => RealWord::AlikeServer,
            Mark::Alike(Why::Order) => RealWord::AlikeOrder,
            Mark::Alike(Why::Wording) => RealWord::AlikeWording,
            Mark::Alike(Why::NoAnswer) => RealWord::AlikeNoAnswer,
            Mark::Differs => RealWord::Differs,
            Mark::Undone(Cannot::Replicas) => RealWord::NoReplicas,
            Mark::Undone(Cannot::Clock) => RealWord::NoClock,
            Mark::Undone(Cannot::Shared) => RealWord::NoFault,
            Mark::Undone(Cannot::Snapshot) => RealWord::NoSnapshot,
            Mark::Undone(Cannot::Left) => RealWord::NoLeft,
            Mark::Undone(Cannot::Cancel) => RealWord::CannotCancel,
        };
        real(lang, word)
    }
}

/// The comparison of two replies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The client's name: `A`, `c1`.
    pub client: String,
    pub command: String,
    pub simulated: String,
    pub real: String,
    pub mark: Mark,
}

/// A step and its comparisons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The step, from 1.
    pub step: usize,
    /// The step as text, as in schedules.
    pub token: String,
    pub checks: Vec<Check>,
}

impl Row {
    /// Returns the worst of all comparisons; `None` if Redis had no part in the step.
    pub fn mark(&self) -> Option<Mark> {
        let rank = |mark: &Mark| match mark {
            Mark::Equal => 0,
            Mark::Alike(_) => 1,
            Mark::Undone(_) => 2,
            Mark::Differs => 3,
        };
        let mut worst: Option<Mark> = None;
        for check in &self.checks {
            if worst.as_ref().is_none_or(|mark| rank(&check.mark) > rank(mark)) {
                worst = Some(check.mark);
            }
        }
        worst
    }
}

/// The first difference, with everything needed to reproduce it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub server: String,
    /// The schedule up to the step at which it was found.
    pub schedule: String,
    pub row: Row,
    /// The rows before it.
    pub before: Vec<Row>,
    /// The ms since the run began in the simulator; and below, by the wall clock.
    pub simulated_ms: u64,
    pub real_ms: u64,
    pub leases_wait: bool,
}

impl ToJson for Check {
    fn to_json(&self) -> Json {
        let mut fields = vec![
            ("client", self.client.to_json()),
            ("command", self.command.to_json()),
            ("simulator", self.simulated.to_json()),
            ("real", self.real.to_json()),
            ("verdict", self.mark.id().to_owned().to_json()),
        ];
        if !matches!(self.mark, Mark::Equal | Mark::Differs) {
            fields.push(("because", self.mark.said(Lang::En).to_owned().to_json()));
        }
        object(fields)
    }
}

impl ToJson for Row {
    fn to_json(&self) -> Json {
        object(vec![
            ("step", self.step.to_json()),
            ("token", self.token.to_json()),
            ("checks", self.checks.to_json()),
        ])
    }
}

fn object(fields: Vec<(&str, Json)>) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Returns the difference as a file; `lesson` and `variant` name its origin.
pub fn export(found: &Difference, lesson: &str, variant: &str) -> String {
    let text = |text: &str| Json::Text(text.to_owned());
    let json = object(vec![
        ("lesson", text(lesson)),
        ("variant", text(variant)),
        ("schedule", found.schedule.to_json()),
        ("server", found.server.to_json()),
        ("leasesWaitForTheSchedule", found.leases_wait.to_json()),
        ("simulatedMs", found.simulated_ms.to_json()),
        ("realMs", found.real_ms.to_json()),
        ("difference", found.row.to_json()),
        ("before", found.before.to_json()),
    ]);
    format!("{json}\n")
}
