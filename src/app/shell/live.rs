//! Searches the playground's text while it is written: when it is opened, and after each pause in
//! typing. [`SearchStore`] holds the results.

use crate::playground::alone::{Trouble, alone};

use super::*;

/// The pause in typing after which the text is searched, in ms.
const PAUSE_MS: u32 = 100;

impl Shell {
    /// Schedules a search of the text in the editor if its verdict is not known.
    #[inline(never)]
    pub(super) fn settle_live(&mut self) {
        let wanted = self.wants_live();
        let Some(play) = &mut self.own else { return };
        if std::mem::replace(&mut play.waits, wanted) != wanted {
            self.time(Timer::OwnLive, wanted.then_some(PAUSE_MS));
        }
    }

    /// Returns whether the text in the editor should be searched. In a course page this waits for
    /// the first edit, because one page may embed ten playgrounds.
    fn wants_live(&self) -> bool {
        let (Some(play), Some(session)) = (self.playground(), &self.lesson.run.session) else {
            return false;
        };
        let part = session.part();
        let may = !part.exam && !part.readonly && (self.course.is_none() || play.undo.can_undo());
        let is_well = play.mistakes.is_empty() && !play.unrun && !play.is_refused;
        may && is_well && session.mode() == Mode::Edit && self.lesson.searches.of(session).is_none()
    }

    /// Starts the search of the scenario in the editor, after a pause in typing.
    #[inline(never)]
    pub(super) fn begin_live(&mut self) {
        let wanted = self.wants_live();
        let (Some(play), Some(session)) = (&mut self.own, &self.lesson.run.session) else { return };
        play.waits = false;
        if !wanted {
            return;
        }
        play.alone = session.lesson().scenario(0).map(|one| alone(&play.own, &one)).ok();
        play.is_refused = !self.lesson.searches.begin_live(session);
    }

    /// Returns the errors of the programs, and whether each occurs when its program runs alone
    /// (true) or in an order that the search found (false).
    pub fn troubles(&self, play: &Playground) -> (Vec<Trouble>, bool) {
        let is_known = play.mistakes.is_empty();
        let alone = play.alone.iter().flatten().filter(|_| is_known).cloned();
        let alone: Vec<Trouble> = alone.collect();
        if !alone.is_empty() || !is_known {
            return (alone, true);
        }
        let results =
            self.lesson.run.session.as_ref().and_then(|session| self.lesson.searches.of(session));
        let error = results.and_then(Results::error);
        let found = error.and_then(|(client, why)| {
            let lacking = results.and_then(|results| results.lacking(client));
            Trouble::new(&play.own, client, &why, lacking)
        });
        (found.into_iter().collect(), false)
    }
}
