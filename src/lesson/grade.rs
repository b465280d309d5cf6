//! An answer to a lesson's exercise, graded: every schedule of the rewritten program is searched.
//! A program that fails, or that never comes to an end, gets a verdict like any other.

use crate::checker::Bound;
use crate::sim::{Check, ClientId, Kind, Limits, Scenario, Verdict, error_after};

use super::Lesson;

/// States looked at before it is asked whether something is broken already.
const PORTION: u32 = 1 << 14;

/// The result of grading an answer.
#[derive(Debug)]
pub struct Graded {
    /// The properties that do not hold. The search stops at the first ones, so there may be more.
    pub failures: Vec<Failure>,
    pub states: u64,
    /// The bound that ended the search early; `None` if it visited all states, or stopped at a
    /// failure.
    pub bound: Option<Bound>,
    /// A property could not be asked, in words.
    pub mistake: Option<String>,
    /// The error by which a client's program ends on the run of a [`Failure`] without a property.
    pub error: Option<(ClientId, String)>,
}

#[derive(Debug)]
pub struct Failure {
    /// Its place in the lesson's list. `None`: a program ends with an error.
    pub property: Option<usize>,
    pub verdict: Verdict,
}

impl Graded {
    /// `None` where a bound came before the answer.
    pub fn is_solved(&self) -> Option<bool> {
        match self.failures.is_empty() && self.mistake.is_none() {
            false => Some(false),
            true => self.bound.is_none().then_some(true),
        }
    }
}

/// Grades `source` as an answer to the exercise of `lesson`. The error is a mistake in it, in
/// words: it is no Lua.
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

/// The error that the run shows on which a program ends with one.
fn error_of(scenario: &Scenario, failures: &[Failure]) -> Option<(ClientId, String)> {
    let failure = failures.iter().find(|failure| failure.property.is_none())?;
    error_after(scenario, failure.verdict.trace.as_deref().unwrap_or_default())
}
