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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lua;
    use crate::sim::{Kind, Property};

    /// A's lease ends while it works; B has one try. In a line, with the runs, and for programs.
    #[test]
    fn what_breaks_with_slower_clients_is_told_in_three_ways() {
        let take = |who: &str, work: &str| {
            let source = format!(
                "if redis.call('SET', 'lock', '{who}', 'NX', 'PX', 50) then holding = true {work} \
                 holding = false end"
            );
            lua::compile(source.as_bytes(), "a.lua").expect("a program")
        };
        let programs = vec![take("a", "sleep(100)"), take("b", "redis.call('PING')")];
        let mut scenario = Scenario::simple(Vec::new(), programs);
        let alone = Property::new(Kind::Always, "count('holding') <= 1", "p").expect("it compiles");
        scenario.properties = vec![alone];
        let job = Job {
            lesson: "lease".to_owned(),
            variant: String::new(),
            scenario: Ok(scenario.clone()),
            file: "scenario.toml".to_owned(),
            lines: Vec::new(),
            properties: vec![("alone".to_owned(), None)],
            states: None,
            deadlock: false,
        };
        let answer = ask(&scenario, &[true], false).expect("there are timers");
        let line = "breaks if B begins 50 ms later: alone; breaks if clients may be held up 50 ms \
                    between two steps: alone";
        let told = format!("  Slower clients: {line}\n");
        assert_eq!(lines(&answer, &scenario, &job, false), told);
        let told = lines(&answer, &scenario, &job, true);
        for run in ["starts_within_ms = 100 (after 5 steps: A1.A2.T1.B1.B2)", "4. B begins."] {
            assert!(told.contains(run), "{told}");
        }
        let json = in_json(&answer, &scenario, &job);
        assert_eq!(json["words"], line);
        assert_eq!(json["breaks"][0]["starts_within_ms"], 100);
        assert_eq!(json["breaks"][1]["schedule"], "A1.T1.B1");
    }
}
