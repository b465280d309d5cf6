//! Adds a learner's program to a lesson as one more variant, so that it can be scheduled, searched
//! and drawn like any other.

use crate::sim::Scenario;
use crate::text::{Both, Key, Lang, tr};

use super::{Claim, Lesson, Program};

/// The id of the variant that runs the learner's program.
pub const ANSWER: &str = "yours";

impl Lesson {
    /// Returns the lesson with the exercise's variant once more at its end, in which `source`
    /// replaces the program to be rewritten. The error is a mistake in `source`, in words, with its
    /// line.
    pub fn with_answer(&self, source: &str) -> Result<Lesson, String> {
        let mut lesson = self.clone();
        let exercise = lesson.exercise.as_ref().ok_or("the lesson has no exercise")?;
        let old = lesson.programs.get(exercise.program).ok_or("the exercise has no program")?;
        let program = Program { file: old.file.clone(), source: source.to_owned() };
        let base = lesson.variants.get(exercise.variant).ok_or("the exercise has no variant")?;
        let mut variant = base.clone();
        ANSWER.clone_into(&mut variant.id);
        let label = |lang| tr(lang, Key::YourAnswer).to_owned();
        variant.label = Both { en: label(Lang::En), zh: label(Lang::Zh) };
        variant.about = Both::default();
        variant.world.faults = exercise.faults;
        variant.states = None;
        let claim = |&property: &usize| Claim { property, holds: true, steps: None };
        variant.claims = exercise.properties.iter().map(claim).collect();
        let place = lesson.programs.len();
        for client in &mut variant.world.clients {
            if client.program == exercise.program {
                client.program = place;
            }
        }
        lesson.programs.push(program);
        lesson.variants.push(variant);
        lesson.scenario(lesson.variants.len() - 1)?;
        Ok(lesson)
    }

    /// Undoes [`Lesson::with_answer`].
    pub fn without_answer(&self) -> Lesson {
        let mut lesson = self.clone();
        if self.answer().is_some() {
            lesson.variants.pop();
            lesson.programs.pop();
        }
        lesson
    }

    /// Returns the scenario whose search grades `source` as an answer to the exercise.
    pub fn exercise_scenario(&self, source: &str) -> Result<Scenario, String> {
        let lesson = self.with_answer(source)?;
        lesson.scenario(lesson.variants.len() - 1)
    }

    /// Returns the learner's program, if the lesson has one.
    pub fn answer(&self) -> Option<&str> {
        let variant = self.variant(ANSWER)?;
        let place = self.programs.len().checked_sub(1)?;
        let answers = self.variants[variant].programs().any(|at| at == place);
        self.programs.get(place).filter(|_| answers).map(|program| program.source.as_str())
    }
}
