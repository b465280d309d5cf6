//! The verdict beside the editor, in words: one line about the scenario, and under it each
//! condition with its answer. It is made of Find's panel, so that both say the same.

use crate::sim::Timeline;
use crate::text::{Key, Lang, LiveWord, fill, live, tr};
use crate::view::find::{Panel, Question, RunView, Tone};

use crate::playground::Definition;

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
pub fn called_lines(own: &Definition, timeline: &Timeline, program: usize) -> Vec<(u32, String)> {
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
