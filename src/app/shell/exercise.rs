//! The learner's own program of a lesson, and the answers to its questions.

use super::crowd::NARROW;
use super::*;

/// The learner's program.
#[derive(Debug, Default)]
pub struct ExerciseState {
    pub fix: Fix,
    /// True if the next press of "reset" discards the draft.
    pub sure: bool,
}

/// The answers to a lesson's questions.
#[derive(Debug, Default)]
pub struct ReviewState {
    pub answers: Answers,
    /// The question whose run is shown.
    pub question: Option<String>,
}

impl Shell {
    pub(super) fn saved(&mut self, done: bool) {
        if !done {
            self.close(Window::Share);
            self.banners.push(Banner::SaveFailed);
        }
    }

    pub(super) fn draft(&mut self, text: String) {
        self.banners.retain(|banner| !matches!(banner, Banner::Answer(_) | Banner::TooLong));
        match self.lesson.exercise.fix.edit(text) {
            true => self.keep_fix(),
            false => self.banners.push(Banner::TooLong),
        }
    }

    pub(super) fn undo_draft(&mut self, redo: bool) {
        if self.lesson.exercise.fix.undo(redo) {
            self.keep_fix();
        }
    }

    pub(super) fn exercise(&mut self, input: &Input) {
        let Some(session) = &self.lesson.run.session else { return };
        let lesson = session.lesson().clone();
        match input {
            Input::ResetDraft if self.lesson.exercise.sure => {
                self.lesson.exercise.sure = false;
                self.lesson.exercise.fix.reset(&lesson);
                self.draft(self.lesson.exercise.fix.draft().to_owned());
            }
            Input::ResetDraft => self.lesson.exercise.sure = true,
            Input::ShowAnswer(shown) => {
                self.lesson.exercise.fix.show_answer(*shown);
                // It stands below what a check came to.
                if *shown {
                    self.reveal(".fix .answer");
                }
            }
            Input::TakeAnswer => {
                if let Some(exercise) = &lesson.exercise {
                    self.draft(exercise.solution.clone());
                }
            }
            _ => {}
        }
    }

    /// Makes the learner's program a variant. Returns false, with a banner, if it cannot be one.
    pub(super) fn take_answer(&mut self) -> bool {
        self.run_draft();
        let Some(session) = &mut self.lesson.run.session else { return false };
        let draft = self.lesson.exercise.fix.draft();
        let changed = session.lesson().answer().as_deref() != Some(draft);
        match session.set_answer(draft) {
            Ok(()) if changed => self.lesson.searches.forget(session.variant()),
            Ok(()) => {}
            Err(why) => {
                self.banners.push(Banner::Answer(why));
                return false;
            }
        }
        true
    }

    pub(super) fn grade(&mut self) {
        self.banners.retain(|banner| !matches!(banner, Banner::Answer(_)));
        if !self.take_answer() {
            return;
        }
        self.lesson.exercise.fix.grade();
        // There the verdict stands below the editor.
        if (self.host.window)().0 < NARROW {
            self.reveal(".fix .grade");
        }
        let Some(session) = &self.lesson.run.session else { return };
        if let Err(why) = self.lesson.searches.begin(session) {
            self.banners.push(Banner::Answer(why));
        }
    }
}
