//! The verdict beside the editor, of searches of small scenarios.

use std::rc::Rc;

use super::*;
use crate::jobs::find::Work;
use crate::playground::Definition;
use crate::text::Lang;
use crate::view::find::live::{Verdict, called_lines};
use crate::view::find::{Panel, Tone};

/// Returns the verdict on the first scenario with this program, from at most this number of
/// states.
fn verdict(program: &str, states_max: u32, change: fn(&mut Definition)) -> Verdict {
    searched(program, states_max, change).1
}

/// The same, with the search that it is made of.
fn searched(
    program: &str,
    states_max: u32,
    change: fn(&mut Definition),
) -> (Definition, Verdict, Finding) {
    let mut own = Definition::first();
    own.programs[0].text = program.to_owned();
    change(&mut own);
    let lesson = own.lesson().expect("no mistake");
    let scenario = Rc::new(lesson.scenario(0).expect("a scenario"));
    let mut finding = Finding::begin(1, 0, scenario);
    let start = Start { id: 1, lesson: own.write(), own: true, ..Start::default() };
    let start = Start { states_max, bytes_max: 1 << 26, ..start };
    let mut work = Work::start(&start).expect("it starts");
    while !work.advance(1_000) {}
    finding.receive(Answer::Done(Box::new(work.report(1))));
    let verdict =
        Verdict::new(&Panel::new(&lesson, 0, Some(finding.results()), Lang::En), Lang::En);
    (own, verdict, finding)
}

#[test]
fn calls_of_the_run_that_breaks_it_are_known_by_line_and_client() {
    let text = "local n = redis.call(\"GET\", \"n\")\n\nredis.call(\"SET\", \"n\", n + 1)\n";
    let (own, verdict, finding) = searched(text, 1_000, |own| {
        own.programs.push(own.programs[0].clone());
        own.programs[1].name = "other".to_owned();
        own.clients[1].program = 1;
    });
    let watch = verdict.watch.expect("it breaks");
    let run = finding.results().found(&watch.run.schedule).expect("it was found");
    for (program, letter) in [(0, "A"), (1, "B")] {
        let lines = called_lines(&own, run, program);
        assert_eq!(lines, [(1, letter.to_owned()), (3, letter.to_owned())]);
    }
    let (own, verdict, finding) = searched(text, 1_000, |_| {});
    let run = finding.results().found(&verdict.watch.expect("it breaks").run.schedule);
    let lines = called_lines(&own, run.expect("it was found"), 0);
    assert_eq!(lines, [(1, "AB".to_owned()), (3, "BA".to_owned())]);
}

const SAFE: &str = "redis.call(\"INCR\", \"n\")";

#[test]
fn one_line_says_how_it_stands() {
    let right = verdict(SAFE, 1_000, |_| {});
    assert_eq!((right.tone, right.head.as_str()), (Tone::Good, "Holds in every order"));
    assert!(right.about.starts_with("This covers every order"), "{}", right.about);
    let unasked = verdict(SAFE, 1_000, |own| own.properties.clear());
    assert_eq!(unasked.head, "No error, and every client can finish");

    let lost = &Definition::first().programs[0].text;
    let wrong = verdict(lost, 1_000, |_| {});
    assert_eq!((wrong.tone, wrong.head.as_str()), (Tone::Bad, "Breaks in 4 steps"));
    assert_eq!(wrong.about, "not all_done() or number(\"n\") == 2");
    let watch = wrong.watch.expect("a run shows it");
    assert_eq!((watch.run.cells.len(), wrong.rows[0].run.is_some()), (4, true));

    let cut = verdict(SAFE, 2, |_| {});
    assert_eq!((cut.tone, cut.head.as_str(), cut.is_cut), (Tone::Open, "Not decided", true));
}

#[test]
fn errors_come_before_conditions_and_these_before_who_is_stuck() {
    let fails = verdict("redis.call(\"LPUSH\", \"n\", 1)", 1_000, |_| {});
    assert_eq!(fails.head, "A program ends with an error");
    assert!(fails.about.contains("WRONGTYPE"), "{}", fails.about);
    let stuck = verdict("redis.call(\"BLPOP\", \"jobs\", 0)", 1_000, |_| {});
    assert_eq!((stuck.tone, stuck.head.as_str()), (Tone::Bad, "Not every client can finish"));
    assert!(stuck.watch.is_some());
}
