//! "Fix it": the learner's program, the errors in its text, and its grade.

use crate::lesson::{Block, Lesson, no_piece};
use crate::lua;
use crate::session::link::PROGRAM_BYTES_MAX;
use crate::sim::Kind;
use crate::text::{Key, Lang, VerdictWord, fill, tr, verdict};

use super::Results;
use crate::session::undo::Undo;
use crate::view::highlight;
use crate::view::highlight::Kind as Colour;

/// The learner's work on an exercise.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fix {
    draft: String,
    undo: Undo,
    /// The program that was last graded.
    graded: Option<String>,
    answer_shown: bool,
}

/// A mistake in the program's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: u32,
    pub message: String,
}

/// The grade of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// The present text was not graded.
    None,
    Running,
    Passed,
    Failed,
    /// A program ends with an error.
    Error,
    /// The search ended before it had a verdict.
    Unknown,
}

/// A line of the answer beside the learner's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    pub sign: Sign,
    pub pieces: Vec<(Colour, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Same,
    /// A line that is only in the answer.
    Added,
    /// A line that is only in the learner's program.
    Removed,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FixView {
    pub task: String,
    pub about: Vec<Block>,
    pub file: String,
    pub draft: String,
    pub lines: Vec<Vec<(Colour, String)>>,
    pub mistake: Option<Mistake>,
    pub is_starter: bool,
    pub can_undo: bool,
    pub can_redo: bool,
    pub grade: Grade,
    /// The grade in words; and the error that ends the program.
    pub said: String,
    pub error: Option<String>,
    /// The answer, if it is shown.
    pub answer: Option<Vec<DiffLine>>,
}

impl Fix {
    /// Continues with a draft, or begins with the exercise's starter.
    pub fn new(lesson: &Lesson, draft: Option<String>) -> Fix {
        let draft = draft.filter(|draft| draft.len() <= PROGRAM_BYTES_MAX);
        let starter = || lesson.exercise.as_ref().map(|exercise| exercise.starter.clone());
        Fix { draft: draft.or_else(starter).unwrap_or_default(), ..Fix::default() }
    }

    pub fn draft(&self) -> &str {
        &self.draft
    }

    /// Replaces the draft; false if the text is too long, and the draft stays.
    pub fn edit(&mut self, text: String) -> bool {
        let fits = text.len() <= PROGRAM_BYTES_MAX;
        if fits {
            self.undo.changed(&self.draft, &text);
            self.draft = text;
        }
        fits
    }

    /// Undoes the last change, or redoes it. False if there is none.
    pub fn undo(&mut self, redo: bool) -> bool {
        let now = self.draft.as_str();
        let text = if redo { self.undo.redo(now) } else { self.undo.undo(now) };
        let found = text.is_some();
        self.draft = text.unwrap_or_else(|| std::mem::take(&mut self.draft));
        found
    }

    pub fn reset(&mut self, lesson: &Lesson) {
        // Undo can restore the learner's text.
        let starter = Fix::new(lesson, None).draft;
        self.edit(starter);
        (self.graded, self.answer_shown) = (None, false);
    }

    pub fn show_answer(&mut self, shown: bool) {
        self.answer_shown = shown;
    }

    /// Marks the draft as being graded.
    pub fn grade(&mut self) {
        self.graded = Some(self.draft.clone());
    }

    /// Returns the first mistake in the draft's text.
    fn mistake(&self, lesson: &Lesson, programs: &[usize], lang: Lang) -> Option<Mistake> {
        let pieces = match lesson.pieces(programs, &self.draft) {
            Ok(pieces) => pieces,
            Err(file) => return Some(Mistake { line: 1, message: no_piece(&file, lang) }),
        };
        pieces.iter().find_map(|piece| {
            let error = lua::compile(piece.text.as_bytes(), "draft").err()?;
            let line = piece.before as u32 + error.line;
            Some(Mistake { line, message: error.message() })
        })
    }

    /// Returns the grade of the draft, from the search of the variant that runs it.
    pub fn graded(&self, results: Option<&Results>) -> Grade {
        if self.graded.as_deref() != Some(&self.draft) {
            return Grade::None;
        }
        results.map_or(Grade::None, |results| match (results.is_running(), results.verdicts()) {
            _ if results.error().is_some() => Grade::Error,
            _ if results.is_refuted() => Grade::Failed,
            (true, _) => Grade::Running,
            (false, Some(verdicts)) if verdicts.contains(&Some(false)) => Grade::Failed,
            (false, Some(verdicts)) if verdicts.iter().all(|holds| *holds == Some(true)) => {
                Grade::Passed
            }
            _ => Grade::Unknown,
        })
    }

    /// Returns the view; `None` if the lesson has no exercise.
    pub fn view(&self, lesson: &Lesson, results: Option<&Results>, lang: Lang) -> Option<FixView> {
        let exercise = lesson.exercise.as_ref()?;
        let files = exercise.programs.iter().filter_map(|at| lesson.programs.get(*at));
        let files: Vec<&str> = files.map(|program| program.file.as_str()).collect();
        let grade = self.graded(results);
        let found = results.filter(|_| grade == Grade::Error);
        Some(FixView {
            task: exercise.words.label.get(lang).clone(),
            about: exercise.words.body.get(lang).clone(),
            file: files.join(", "),
            lines: highlight::lines(&self.draft),
            draft: self.draft.clone(),
            mistake: self.mistake(lesson, &exercise.programs, lang),
            is_starter: self.draft == exercise.starter,
            can_undo: self.undo.can_undo(),
            can_redo: self.undo.can_redo(),
            said: match grade {
                Grade::None => tr(lang, Key::FixNone).to_owned(),
                Grade::Running => tr(lang, Key::FixRunning).to_owned(),
                Grade::Passed => tr(lang, Key::FixPassed).to_owned(),
                Grade::Failed => failed(lesson, results, lang),
                Grade::Error if found.is_some_and(Results::is_endless) => {
                    verdict(lang, VerdictWord::FixEndless).to_owned()
                }
                Grade::Error => verdict(lang, VerdictWord::FixError).to_owned(),
                Grade::Unknown => tr(lang, Key::FixUnknown).to_owned(),
            },
            error: found.and_then(|found| found.error_words(lang)),
            grade,
            answer: self.answer_shown.then(|| diff(&self.draft, &exercise.solution)),
        })
    }
}

/// Says in which way a program that runs is wrong: a promise is broken, or something that must come
/// never comes.
fn failed(lesson: &Lesson, results: Option<&Results>, lang: Lang) -> String {
    let at = results.and_then(Results::failed);
    let Some(property) = at.and_then(|at| lesson.properties.get(at)) else {
        return tr(lang, Key::FixFailed).to_owned();
    };
    let word = match property.kind {
        Kind::Always => VerdictWord::FixBreaks,
        Kind::Eventually => VerdictWord::FixStuck,
        Kind::Sometimes => VerdictWord::FixNever,
    };
    fill(verdict(lang, word), &[property.label.get(lang)])
}

/// Returns the lines that lead from `old` to `new`, by a longest common subsequence.
fn diff(old: &str, new: &str) -> Vec<DiffLine> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    // common[i][j]: how many lines old[i..] and new[j..] have in common.
    let mut common = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let mut out = Vec::new();
    let mut push = |sign, text: &str| {
        let pieces = highlight::lines(text).into_iter().next().unwrap_or_default();
        out.push(DiffLine { sign, pieces });
    };
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            push(Sign::Same, new[j]);
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            push(Sign::Removed, old[i]);
            i += 1;
        } else {
            push(Sign::Added, new[j]);
            j += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_has_both_texts_in_it() {
        let (old, new) = ("a\nb\nc\nd", "a\nx\nc\nd\ne");
        let lines = diff(old, new);
        let text = |left_out: Sign| {
            let kept = lines.iter().filter(|line| line.sign != left_out);
            let line =
                |line: &DiffLine| line.pieces.iter().map(|(_, text)| text.as_str()).collect();
            kept.map(line).collect::<Vec<String>>().join("\n")
        };
        assert_eq!((text(Sign::Added).as_str(), text(Sign::Removed).as_str()), (old, new));
        assert_eq!(lines.iter().filter(|line| line.sign == Sign::Same).count(), 3);
        assert!(diff("", "").is_empty());
    }
}
