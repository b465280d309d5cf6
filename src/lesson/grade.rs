//! Grades an answer to a lesson's exercise by searching every schedule of the rewritten program. A
//! program that fails, or never ends, gets a verdict like any other.

use crate::checker::Bound;
use crate::sim::{Check, ClientId, Kind, Limits, Scenario, Verdict, error_after};

use super::Lesson;

/// The states searched between two checks for a violation.
const PORTION: u32 = 1 << 14;

/// The result of grading an answer.
#[derive(Debug)]
pub struct Graded {
    /// The properties that do not hold. The search stops at the first failures, so there may be
    /// more.
    pub failures: Vec<Failure>,
    pub states: u64,
    /// The bound that ended the search early; `None` if it visited all states, or stopped at a
    /// failure.
    pub bound: Option<Bound>,
    /// An error in words, if a property could not be evaluated.
    pub mistake: Option<String>,
    /// The error by which a client's program ends on the run of a [`Failure`] without a property.
    pub error: Option<(ClientId, String)>,
}

#[derive(Debug)]
pub struct Failure {
    /// The index of the property in the lesson's list. `None`: a program ends with an error.
    pub property: Option<usize>,
    pub verdict: Verdict,
}

impl Graded {
    /// Returns true if the answer solves the exercise; `None` if a bound came before the verdict.
    pub fn is_solved(&self) -> Option<bool> {
        match self.failures.is_empty() && self.mistake.is_none() {
            false => Some(false),
            true => self.bound.is_none().then_some(true),
        }
    }
}

/// Grades `source` as an answer to the exercise of `lesson`. The error is a syntax error in it, in
/// words.
pub fn grade(lesson: &Lesson, source: &str, limits: Limits) -> Result<Graded, String> {
    let scenario = lesson.exercise_scenario(source)?;
    let mut check = Check::new(&scenario, limits).map_err(|why| why.to_string())?;
    while !check.advance(PORTION) && failures(lesson, &scenario, &mut check).is_empty() {}
    let failures = failures(lesson, &scenario, &mut check);
    Ok(Graded {
        states: check.counts().states,
        bound: check.bound(),
        mistake: check.mistake().map(str::to_owned),
        error: error_of(&scenario, &failures),
        failures,
    })
}

fn failures(lesson: &Lesson, scenario: &Scenario, check: &mut Check) -> Vec<Failure> {
    let properties = lesson.exercise.iter().flat_map(|exercise| &exercise.properties);
    let properties = properties.map(|property| Some(*property)).chain([None]);
    let verdicts = properties.enumerate().take(scenario.properties.len());
    let verdicts = verdicts.map(|(at, property)| Failure { property, verdict: check.verdict(at) });
    let mut failures: Vec<Failure> =
        verdicts.filter(|failure| failure.verdict.holds == Some(false)).collect();
    // Failures with a run to show come first.
    failures.sort_by_key(|failure| {
        let property = failure.property.and_then(|at| lesson.properties.get(at));
        let kind = property.map(|property| property.kind);
        // A program that dies is told of before what that breaks.
        (
            failure.property.is_some(),
            kind != Some(Kind::Always),
            failure.verdict.trace.as_ref().map(Vec::len),
        )
    });
    failures
}

/// Returns the error of a program, from the run that shows it.
fn error_of(scenario: &Scenario, failures: &[Failure]) -> Option<(ClientId, String)> {
    let failure = failures.iter().find(|failure| failure.property.is_none())?;
    error_after(scenario, failure.verdict.trace.as_deref().unwrap_or_default())
}
