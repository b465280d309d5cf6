//! The verdict beside the playground's editor. Each pause in typing starts a search; until it has a
//! verdict, the verdict on an earlier text stays.
//!
//! It is the search of Find with fewer states, so Find shows its result. Absent: the pause itself,
//! which is in [`crate::app::shell`].

use super::*;
use crate::view::find::Phase;

/// The verdict and the map beside the editor.
#[derive(Debug, Clone, Copy)]
pub struct Beside<'s> {
    pub lesson: &'s Rc<Lesson>,
    /// The number of the search.
    pub id: u32,
    pub results: &'s Results,
    /// True if the results are about the text in the editor.
    pub is_new: bool,
    pub sheet: Option<&'s Rc<Sheet>>,
    /// True if the map is of the text in the editor, or if that text gets no map.
    pub is_map_new: bool,
    /// The states met so far, if the search has run for some time.
    pub met: Option<u64>,
}

/// The time in ms after which the number of states met is shown.
const LONG_MS: u64 = 400;

impl SearchStore {
    /// Searches the text in the editor if its verdict is not known. Returns false if it cannot be
    /// searched.
    pub fn begin_live(&mut self, session: &Session) -> bool {
        if self.of(session).is_some() {
            return true;
        }
        self.is_live = true;
        self.begin_anew(session).is_ok()
    }

    /// Ends the search, because the text in the editor has a mistake and the search is about an
    /// earlier text.
    pub fn end_live(&mut self) {
        if self.lesson == OWN && self.is_searching() {
            self.set_aside(OWN);
            self.forget(0);
        }
    }

    /// Returns whether the last search was for a text that is being written.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// Returns the verdict and the map beside the editor; `None` before the first verdict.
    pub fn beside(&self, session: &Session) -> Option<Beside<'_>> {
        let now = self.finding_of(session);
        let told = now.filter(|finding| is_told(finding.results())).zip(self.searched.as_ref());
        let running = now.filter(|finding| finding.is_running());
        let (finding, lesson, is_new) = match (told, &self.before) {
            (Some((finding, lesson)), _) => (finding, lesson, true),
            (None, Some((lesson, finding))) => (finding, lesson, false),
            // The first one: it grows while one looks.
            (None, None) => (now?, self.searched.as_ref()?, true),
        };
        let met = running.map(|finding| finding.results().met()).filter(|(_, ms)| *ms >= LONG_MS);
        Some(Beside {
            lesson,
            id: finding.id(),
            results: finding.results(),
            is_new,
            sheet: self.maps.last().and_then(|(_, sheet)| sheet.as_ref()),
            is_map_new: now.is_some_and(|now| self.maps.iter().any(|(id, _)| *id == now.id())),
            met: met.map(|(states, _)| states),
        })
    }

    /// Keeps the verdict on a text until the next text has its own.
    #[inline(never)]
    pub(super) fn set_aside(&mut self, lesson: &str) {
        if lesson != OWN {
            self.before = None;
            return;
        }
        let told = self.list.iter().find(|finding| is_told(finding.results()));
        if let Some((finding, lesson)) = told.zip(self.searched.as_ref()) {
            self.before = Some((lesson.clone(), finding.clone()));
        }
    }
}

/// Returns whether there is a verdict to show.
fn is_told(results: &Results) -> bool {
    match results.phase {
        Phase::Running => results.is_decided() || results.is_refuted(),
        Phase::Stopped => results.is_refuted(),
        Phase::Done | Phase::Failed(_) | Phase::Ended => true,
    }
}

#[cfg(test)]
mod tests;
