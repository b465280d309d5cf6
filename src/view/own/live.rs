//! The verdict beside the editor, in words: one line that says how the scenario stands, and under
//! it each condition with its answer. Made of Find's panel, so that both say the same.

use crate::text::{Key, Lang, LiveWord, fill, live, tr};
use crate::view::find::{Panel, Question, RunView, Tone};

/// What stands beside the editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub tone: Tone,
    pub head: String,
    /// What the head is about, or under what it holds.
    pub about: String,
    /// What breaks it, where a run shows it.
    pub watch: Option<Watch>,
    pub rows: Vec<Row>,
    /// Under what it holds, and how much was searched.
    pub notes: Vec<String>,
    /// A bound ended the search before all was decided.
    pub is_cut: bool,
}

/// The run that breaks it in the fewest steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// Of the condition.
    pub label: String,
    /// What is wrong about it is said in `why`.
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

/// The question that is asked unasked, and is no verdict about the scenario as it is.
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
            notes: panel.notes.clone(),
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
        if let Some(worst) = bad().min_by_key(|one| (place(one), steps(one))) {
            verdict.tone = Tone::Bad;
            verdict.head = head(worst, lang);
            verdict.about = match place(worst) {
                Place::Asked => worst.label.clone(),
                Place::Fails | Place::Stuck => worst.words.clone(),
            };
            let run = worst.run.clone();
            verdict.watch = run.map(|run| Watch { label: worst.label.clone(), run });
        } else if asked().all(|one| one.tone == Tone::Good) && panel.begun {
            verdict.tone = Tone::Good;
            verdict.about = verdict.notes.first().cloned().unwrap_or_default();
            verdict.head = word(match asked().any(|one| place(one) == Place::Asked) {
                true => LiveWord::Holds,
                false => LiveWord::NothingAsked,
            });
        } else if !panel.running && panel.begun {
            verdict.is_cut = true;
            verdict.head = word(LiveWord::Undecided);
        }
        verdict
    }

    /// How it stands, for tests and styles.
    pub fn id(&self) -> &'static str {
        match self.tone {
            Tone::Open => "open",
            Tone::Good => "ok",
            Tone::Bad => "bad",
        }
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

/// What the reader asks comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Fails,
    Asked,
    Stuck,
}

fn place(one: &Question) -> Place {
    match one.id.as_str() {
        "errors" => Place::Fails,
        "deadlock" => Place::Stuck,
        _ => Place::Asked,
    }
}

fn head(worst: &Question, lang: Lang) -> String {
    let steps = worst.run.as_ref().map(|run| run.cells.len()).filter(|steps| *steps > 0);
    match (place(worst), steps) {
        (Place::Fails, _) => live(lang, LiveWord::Fails).to_owned(),
        (Place::Stuck, _) => live(lang, LiveWord::Stuck).to_owned(),
        (Place::Asked, Some(steps)) => {
            let many = if steps == 1 { Key::OneStep } else { Key::ManySteps };
            let steps = fill(tr(lang, many), &[&steps.to_string()]);
            fill(live(lang, LiveWord::BreaksIn), &[&steps])
        }
        (Place::Asked, None) => live(lang, LiveWord::Breaks).to_owned(),
    }
}
