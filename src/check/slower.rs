//! The question for slower clients, and for clients that begin later: asked of every scenario with
//! timers, in a line; with `--slower` at length, and with the runs.

use std::fmt::Write as _;

use crate::sim::{AskSlower, Scenario, Slower, Verdict};
use crate::text::Lang;
use crate::view::find::conditions;

use super::report::{STATES_BETWEEN, schedule, told};
use super::{Job, count};

/// The most states of one search, and of all of them for one scenario: at most about a second.
const STATES: (u32, u32) = (2_000, 5_000);
/// The same with `--slower`.
const STATES_AT_LENGTH: (u32, u32) = (100_000, u32::MAX);

/// Returns the answer about the properties that hold; `None` if there is nothing to ask.
pub(super) fn ask(scenario: &Scenario, holds: &[bool], at_length: bool) -> Option<Slower> {
    let (each, all) = if at_length { STATES_AT_LENGTH } else { STATES };
    let mut asked = AskSlower::new(scenario, holds)?.within(each, all);
    while !asked.advance(STATES_BETWEEN) {}
    asked.answer().cloned()
}

/// Says what came of it, in a line; with `is_told` also the runs, each with what allows it.
pub(super) fn lines(answer: &Slower, scenario: &Scenario, job: &Job, is_told: bool) -> String {
    let mut text = format!("  Slower clients: {}\n", words(answer, job));
    for (at, trace, slowed) in answer.runs(scenario).into_iter().filter(|_| is_told) {
        let with = match slowed.slow_ms {
            0 => format!("starts_within_ms = {}", slowed.starts_within_ms),
            ms => format!("slow_ms = {ms}"),
        };
        let steps = count(trace.len() as u64, "step");
        let run = schedule(&slowed, trace);
        let _ = writeln!(text, "    {}, {with} (after {steps}: {run})", name(job, at));
        let (holds, trace) = (Some(false), Some(trace.to_vec()));
        let verdict = Verdict { holds, trace, cycle: Vec::new(), is_shortest: false };
        text.push_str(&told(&slowed, &verdict));
    }
    text
}

/// Returns the same for programs. A schedule is one of the scenario with the two numbers in it.
pub(super) fn in_json(answer: &Slower, scenario: &Scenario, job: &Job) -> serde_json::Value {
    let runs = answer.runs(scenario);
    let breaks = runs.iter().map(|(at, trace, slowed)| {
        serde_json::json!({
            "property": name(job, *at),
            "starts_within_ms": slowed.starts_within_ms,
            "slow_ms": slowed.slow_ms,
            "schedule": schedule(slowed, trace),
        })
    });
    let breaks: Vec<serde_json::Value> = breaks.collect();
    serde_json::json!({ "words": words(answer, job), "breaks": breaks })
}

fn words(answer: &Slower, job: &Job) -> String {
    conditions::slower(answer, |at| name(job, at).to_owned(), Lang::En)
}

fn name(job: &Job, at: usize) -> &str {
    job.properties.get(at).map_or("", |(name, _)| name)
}
