//! Adds a learner's answer to a lesson as one more variant, so that it can be scheduled, searched
//! and drawn like any other.
//!
//! An answer is one text. Where an exercise replaces several programs, each begins after a line
//! with its name, `-- relay.lua`; the first line is such a line.

use std::borrow::Cow;

use crate::sim::Scenario;
use crate::text::{Both, Key, Lang, VerdictWord, fill, tr, verdict};

use super::{Claim, Lesson, Program};

/// The id of the variant that runs the learner's program.
pub const ANSWER: &str = "yours";

/// A program in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The index of the lesson's program that it replaces.
    pub program: usize,
    /// How many lines of the answer stand before it.
    pub before: usize,
    pub text: &'t str,
}

/// Returns the line after which a program begins in an answer.
fn head(file: &str) -> String {
    format!("-- {file}")
}

/// Says that an answer lacks a program.
pub fn no_piece(file: &str, lang: Lang) -> String {
    fill(verdict(lang, VerdictWord::FixNoPiece), &[file, &head(file)])
}

impl Lesson {
    /// Returns the answer that consists of these programs as they are, by their indices.
    pub fn as_they_are(&self, programs: &[usize]) -> String {
        let programs = programs.iter().filter_map(|at| self.programs.get(*at));
        joined(&programs.collect::<Vec<_>>()).into_owned()
    }

    /// Splits an answer that replaces these programs, in the order of its text. The error is the
    /// file of a program that it lacks.
    pub fn pieces<'t>(
        &self,
        programs: &[usize],
        source: &'t str,
    ) -> Result<Vec<Piece<'t>>, String> {
        let file = |at: usize| self.programs.get(at).map_or("", |program| program.file.as_str());
        if let [program] = *programs {
            return Ok(vec![Piece { program, before: 0, text: source }]);
        }
        let mut pieces: Vec<Piece> = Vec::new();
        // Where the last piece begins, and what was read.
        let (mut from, mut end, mut before) = (0, 0, 0);
        for line in source.split_inclusive('\n') {
            (before, end) = (before + 1, end + line.len());
            let is_head = |at: &&usize| line.trim_end_matches('\n') == head(file(**at));
            let named = programs.iter().find(is_head).copied();
            let named = named.filter(|at| pieces.iter().all(|one| one.program != *at));
            match (named, pieces.last_mut()) {
                (Some(program), _) => {
                    from = end;
                    pieces.push(Piece { program, before, text: "" });
                }
                (None, Some(last)) => last.text = &source[from..end],
                (None, None) => break,
            }
        }
        let is_there = |at: &&usize| pieces.iter().any(|one| one.program == **at);
        match programs.iter().find(|at| !is_there(at)) {
            Some(missing) => Err(file(*missing).to_owned()),
            None => Ok(pieces),
        }
    }

    /// Returns the lesson with the exercise's variant once more at its end, in which `source`
    /// replaces the programs to be rewritten. The error is a mistake in `source`, in words, with
    /// its line.
    pub fn with_answer(&self, source: &str) -> Result<Lesson, String> {
        let mut lesson = self.clone();
        let exercise = self.exercise.as_ref().ok_or("the lesson has no exercise")?;
        let base = self.variants.get(exercise.variant).ok_or("the exercise has no variant")?;
        let pieces = self.pieces(&exercise.programs, source);
        let pieces = pieces.map_err(|file| no_piece(&file, Lang::En))?;
        let mut variant = base.clone();
        ANSWER.clone_into(&mut variant.id);
        let label = |lang| tr(lang, Key::YourAnswer).to_owned();
        variant.label = Both { en: label(Lang::En), zh: label(Lang::Zh) };
        variant.about = Both::default();
        variant.world.faults = exercise.faults;
        variant.states = None;
        let claim = |&property: &usize| Claim { property, holds: true, steps: None };
        variant.claims = exercise.properties.iter().map(claim).collect();
        for Piece { program, text, .. } in pieces {
            let old = self.programs.get(program).ok_or("the exercise has no program")?;
            let place = lesson.programs.len();
            for (client, was) in variant.world.clients.iter_mut().zip(&base.world.clients) {
                if was.program == program {
                    client.program = place;
                }
            }
            lesson.programs.push(Program { file: old.file.clone(), source: text.to_owned() });
        }
        lesson.variants.push(variant);
        lesson.scenario(lesson.variants.len() - 1)?;
        Ok(lesson)
    }

    /// Undoes [`Lesson::with_answer`].
    pub fn without_answer(&self) -> Lesson {
        let mut lesson = self.clone();
        let first = self.programs.len() - self.answered().len();
        if self.variant(ANSWER).is_some() {
            lesson.variants.pop();
            lesson.programs.truncate(first);
        }
        lesson
    }

    /// Returns the scenario whose search grades `source` as an answer to the exercise.
    pub fn exercise_scenario(&self, source: &str) -> Result<Scenario, String> {
        let lesson = self.with_answer(source)?;
        lesson.scenario(lesson.variants.len() - 1)
    }

    /// Returns the learner's answer, if the lesson has one.
    pub fn answer(&self) -> Option<Cow<'_, str>> {
        let answered = self.answered();
        (!answered.is_empty()).then(|| joined(&answered.iter().collect::<Vec<_>>()))
    }

    /// Returns the programs of the learner's answer; none if the lesson has none.
    fn answered(&self) -> &[Program] {
        let has_answer = self.variant(ANSWER).is_some();
        let count = self.exercise.as_ref().map_or(0, |exercise| exercise.programs.len());
        let first = self.programs.len().checked_sub(count).filter(|_| has_answer);
        first.map_or(&[], |first| &self.programs[first..])
    }
}

/// Makes one text of the programs of an answer.
fn joined<'p>(programs: &[&'p Program]) -> Cow<'p, str> {
    if let [program] = programs {
        return Cow::Borrowed(&program.source);
    }
    let mut whole = String::new();
    for Program { file, source } in programs {
        if !whole.is_empty() && !whole.ends_with('\n') {
            whole.push('\n');
        }
        whole += &format!("{}\n{source}", head(file));
    }
    Cow::Owned(whole)
}
