//! Handles a learner's program, and everything that leaves the page: copies and files.

use yew::prelude::*;

use crate::app::banner::Banner;
use crate::app::input::Input;

use super::app::{App, Event};
use super::{browser, picture};

impl App {
    pub(super) fn copy(&self, ctx: &Context<Self>, what: &str, text: String) {
        let what = what.to_owned();
        ctx.link().send_future(async move { Event::Copied(what, browser::copy(text).await) });
    }

    pub(super) fn picture(&mut self, ctx: &Context<Self>, png: bool) {
        let name = self.run.session.as_ref().map(|session| session.lesson().id.clone());
        let Some((drawing, name)) = picture::diagram().zip(name) else {
            return self.saved(false);
        };
        if !png {
            return self.saved(drawing.save_svg(&name).is_ok());
        }
        ctx.link().send_future(async move { Event::Saved(drawing.save_png(name).await.is_ok()) });
    }

    pub(super) fn saved(&mut self, done: bool) {
        if !done {
            self.sharing = false;
            self.banners.push(Banner::SaveFailed);
        }
    }

    pub(super) fn draft(&mut self, text: String) {
        self.banners.retain(|banner| !matches!(banner, Banner::Answer(_) | Banner::TooLong));
        match self.fix.edit(text) {
            true => self.keep_fix(),
            false => self.banners.push(Banner::TooLong),
        }
    }

    pub(super) fn undo_draft(&mut self, redo: bool) {
        if self.fix.undo(redo) {
            self.keep_fix();
        }
    }

    pub(super) fn exercise(&mut self, input: &Input) {
        let Some(session) = &self.run.session else { return };
        let lesson = session.lesson().clone();
        match input {
            Input::ResetDraft if self.sure => {
                self.sure = false;
                self.fix.reset(&lesson);
                self.draft(self.fix.draft().to_owned());
            }
            Input::ResetDraft => self.sure = true,
            Input::ShowAnswer(shown) => self.fix.show_answer(*shown),
            Input::TakeAnswer => {
                if let Some(exercise) = &lesson.exercise {
                    self.draft(exercise.solution.clone());
                }
            }
            _ => {}
        }
    }

    /// The learner's program becomes a variant. False where it cannot.
    pub(super) fn take_answer(&mut self) -> bool {
        self.run_draft();
        let Some(session) = &mut self.run.session else { return false };
        let changed = session.lesson().answer() != Some(self.fix.draft());
        match session.set_answer(self.fix.draft()) {
            Ok(()) if changed => self.searches.forget(session.variant()),
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
        self.fix.grade();
        let Some(session) = &self.run.session else { return };
        if let Err(why) = self.searches.begin(session) {
            self.banners.push(Banner::Answer(why));
        }
    }
}
