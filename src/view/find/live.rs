//! The verdict beside the editor, in words: one line about the scenario, and under it each
//! condition with its answer. It is made of Find's panel, so that both say the same.

use crate::sim::Timeline;
use crate::text::{Key, Lang, LiveWord, fill, live, tr};
use crate::view::find::{Panel, Question, RunView, Tone};

use crate::playground::Own;

/// The verdict beside the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub tone: Tone,
    pub head: String,
    /// The condition that the head is about, or the assumptions under which it holds.
    pub about: String,
    /// The run that breaks it, if there is one.
    pub watch: Option<Watch>,
    pub rows: Vec<Row>,
    /// The assumptions, and how much was searched.
    pub notes: Vec<String>,
    /// True if a bound ended the search before all was decided.
    pub is_cut: bool,
}

/// The run that breaks it in the fewest steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// The label of the condition.
    pub label: String,
    /// The run; its error is described in `why`.
    pub run: RunView,
}

/// A condition and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub id: String,
    pub tone: Tone,
    pub label: String,
    pub words: String,
    /// The run that breaks it, as links write it.
    pub run: Option<String>,
}

/// Returns the lines of a program at which a run makes its calls, from 1, each with the letters of
/// the clients that make them, in their order.
pub fn called_lines(own: &Own, timeline: &Timeline, program: usize) -> Vec<(u32, String)> {
    let mut lines: Vec<(u32, String)> = Vec::new();
    for pair in timeline.frames().windows(2) {
        let client = pair[1].token.and_then(|token| token.action.runs());
        let Some(client) = client.filter(|id| {
            own.clients.get(id.index()).is_some_and(|client| client.program == program)
        }) else {
            continue;
        };
        let Some(call) = pair[0].world.clients().get(client.index()).and_then(|one| one.call())
        else {
            continue;
        };
        let at = lines.iter().position(|(line, _)| *line == call.line);
        let at = at.unwrap_or_else(|| {
            lines.push((call.line, String::new()));
            lines.len() - 1
        });
        let letters = &mut lines[at].1;
        if !letters.contains(client.letter()) {
            letters.push(client.letter());
        }
    }
    lines
}

/// The id of a question that is asked automatically, and is no verdict about the scenario as it is.
const SLOWER: &str = "slower";

impl Verdict {
    pub fn new(panel: &Panel, lang: Lang) -> Verdict {
        let word = |word: LiveWord| live(lang, word).to_owned();
        let rows = panel.questions.iter().filter(|one| !one.words.is_empty() || panel.running);
        let mut verdict = Verdict {
            tone: Tone::Open,
            head: word(LiveWord::Checking),
            about: String::new(),
            watch: None,
            rows: rows.map(row).collect(),
            notes: [&*panel.caveats, &*panel.notes].concat(),
            is_cut: false,
        };
        if let Some(mistake) = &panel.mistake {
            verdict.head = word(LiveWord::NotChecked);
            verdict.about.clone_from(mistake);
            return verdict;
        }
        let asked = || panel.questions.iter().filter(|one| one.id != SLOWER);
        let bad = || asked().filter(|one| one.tone == Tone::Bad);
        let steps = |one: &Question| one.run.as_ref().map_or(usize::MAX, |run| run.cells.len());
        if let Some(worst) = bad().min_by_key(|one| (rank(one), steps(one))) {
            verdict.tone = Tone::Bad;
            verdict.head = head(worst, lang);
            verdict.about = match rank(worst) {
                RowRank::Asked => worst.label.clone(),
                RowRank::Fails | RowRank::Stuck => worst.words.clone(),
            };
            let run = worst.run.clone();
            verdict.watch = run.map(|run| Watch { label: worst.label.clone(), run });
        } else if asked().all(|one| one.tone == Tone::Good) && panel.begun {
            verdict.tone = Tone::Good;
            verdict.about = verdict.notes.first().cloned().unwrap_or_default();
            verdict.head = word(match asked().any(|one| rank(one) == RowRank::Asked) {
                true => LiveWord::Holds,
                false => LiveWord::NothingAsked,
            });
        } else if !panel.running && panel.begun {
            verdict.is_cut = true;
            verdict.head = word(LiveWord::Undecided);
            verdict.about = panel.caveats.first().cloned().unwrap_or_default();
        }
        verdict
    }
}

fn row(one: &Question) -> Row {
    let run = one.run.as_ref().filter(|_| one.tone == Tone::Bad);
    Row {
        id: one.id.clone(),
        tone: one.tone,
        label: one.label.clone(),
        words: one.words.clone(),
        run: run.map(|run| run.schedule.clone()),
    }
}

/// The order of rows: the reader's own conditions come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RowRank {
    Fails,
    Asked,
    Stuck,
}

fn rank(one: &Question) -> RowRank {
    match one.id.as_str() {
        "errors" => RowRank::Fails,
        "deadlock" => RowRank::Stuck,
        _ => RowRank::Asked,
    }
}

fn head(worst: &Question, lang: Lang) -> String {
    let steps = worst.run.as_ref().map(|run| run.cells.len()).filter(|steps| *steps > 0);
    match (rank(worst), steps) {
        (RowRank::Fails, _) => live(lang, LiveWord::Fails).to_owned(),
        (RowRank::Stuck, _) => live(lang, LiveWord::Stuck).to_owned(),
        (RowRank::Asked, Some(steps)) => {
            let steps = fill(tr(lang, Key::Steps), &[&steps.to_string()]);
            fill(live(lang, LiveWord::BreaksIn), &[&steps])
        }
        (RowRank::Asked, None) => live(lang, LiveWord::Breaks).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::playground::Own;
    use crate::view::find::{Answer, Finding, Start, Work};

    /// Returns the verdict on the first scenario with this program, from at most this number of
    /// states.
    fn verdict(program: &str, states_max: u32, change: fn(&mut Own)) -> Verdict {
        searched(program, states_max, change).1
    }

    /// The same, with the search that it is made of.
    fn searched(program: &str, states_max: u32, change: fn(&mut Own)) -> (Own, Verdict, Finding) {
        let mut own = Own::first();
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
        let verdict = Verdict::new(&Panel::new(&lesson, 0, Some(&finding), Lang::En), Lang::En);
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
        let run = finding.found(&watch.run.schedule).expect("it was found");
        for (program, letter) in [(0, "A"), (1, "B")] {
            let lines = called_lines(&own, run, program);
            assert_eq!(lines, [(1, letter.to_owned()), (3, letter.to_owned())]);
        }
        let (own, verdict, finding) = searched(text, 1_000, |_| {});
        let run = finding.found(&verdict.watch.expect("it breaks").run.schedule);
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

        let lost = &Own::first().programs[0].text;
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
}
