//! The one button that leads on from a part of a lesson, and its key.

use super::*;
use crate::app::done::lesson_link;
use crate::lesson::Card;
use crate::session::progress::{Goal, Onward, next_part};
use crate::text::{ScreenWord, fill, screen};

impl Shell {
    /// Returns the button to the next part, or after the last part to the next lesson; `None` if
    /// there is none.
    pub fn onward(&self) -> Option<Onward> {
        let session = self.lesson.run.session.as_ref()?;
        let (lang, lesson) = (self.lang, session.lesson());
        let modes = session.modes();
        if lesson.id == OWN || modes.len() < 2 {
            return None;
        }
        let is_done = self.lesson.progress.has_done(session.mode());
        let brief = tr(lang, Key::NextBrief).to_owned();
        // Who steps through a program of their own goes back to it.
        let own = session.answer_shown().filter(|_| session.mode() == Mode::Schedule);
        let next = own.map(|_| Mode::Fix).or_else(|| next_part(&modes, session.mode()));
        if let Some(part) = next {
            let label = fill(tr(lang, Key::NextPart), &[tr(lang, part.label())]);
            return Some(Onward { label, brief, to: Goal::Part(part), is_done });
        }
        if self.course.is_some() {
            return None;
        }
        let (label, to) = self.next_lesson(&lesson.id);
        Some(Onward { label, brief, to: Goal::Address(to), is_done })
    }

    /// Returns the lesson after this one, or the list after the last one: in words, and its
    /// address.
    #[inline(never)]
    fn next_lesson(&self, id: &str) -> (String, String) {
        let lang = self.lang;
        let mut lessons = self.index.iter().flat_map(|index| index.lessons());
        let next = lessons.find(|card| card.id == id).and_then(|_| lessons.next());
        let is_mixed = |card: &Card| {
            let mut chapters = self.index.iter().flat_map(|index| &index.chapters);
            chapters.any(|one| one.exercise.as_ref().is_some_and(|mixed| mixed.id == card.id))
        };
        match next {
            Some(card) => {
                let words = match is_mixed(card) {
                    true => tr(lang, Key::MixedExercise),
                    false => screen(lang, ScreenWord::NextLesson),
                };
                let label = fill(words, &[card.title.get(lang)]);
                (label, lesson_link(card, Progress::default(), lang))
            }
            None => {
                let label = screen(lang, ScreenWord::AllLessons).to_owned();
                (label, format!("#lang={}", lang.tag()))
            }
        }
    }

    /// Goes where that button leads.
    pub(super) fn go_onward(&mut self) {
        match self.onward().map(|one| one.to) {
            Some(Goal::Part(part)) => self.session_input(Msg::Mode(part)),
            Some(Goal::Address(address)) => {
                self.ask(Effect::Go(address.trim_start_matches('#').to_owned()));
            }
            None => {}
        }
    }
}
