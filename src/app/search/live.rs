//! The verdict beside the playground's editor: the search that each pause in typing begins, and
//! what stands there until it has an answer, which is the verdict on an earlier text.
//!
//! It is the search of Find, with fewer states, so that Find shows what was found here. Absent: the
//! pause itself, which is [`crate::app::shell`]'s.

use super::*;
use crate::view::find::Phase;

/// What stands beside the editor.
#[derive(Debug, Clone, Copy)]
pub struct Beside<'s> {
    pub lesson: &'s Rc<Lesson>,
    pub finding: &'s Finding,
    /// The finding is about the text that is in the editor.
    pub is_new: bool,
    pub sheet: Option<&'s Rc<Sheet>>,
    /// The map is of the text that is in the editor; where there is none, it gets none.
    pub is_map_new: bool,
    /// States that a search has met that takes its time.
    pub met: Option<u64>,
}

/// After which a search is one that takes its time.
const LONG_MS: u64 = 400;

impl SearchStore {
    /// Searches the text that is in the editor, where it is not known what becomes of it. False
    /// where it cannot be searched.
    pub fn begin_live(&mut self, session: &Session) -> bool {
        if self.of(session).is_some() {
            return true;
        }
        self.is_live = true;
        self.begin_anew(session).is_ok()
    }

    /// Something in the editor is wrong: what runs is about an earlier text.
    pub fn end_live(&mut self) {
        if self.lesson == OWN && self.is_searching() {
            self.set_aside(OWN);
            self.forget(0);
        }
    }

    /// The search that runs is one for a text that is being written, or was.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    /// What stands beside the editor; `None` before the first verdict.
    pub fn beside(&self, session: &Session) -> Option<Beside<'_>> {
        let now = self.of(session);
        let told = now.filter(|finding| is_told(finding)).zip(self.searched.as_ref());
        let running = now.filter(|finding| finding.is_running());
        let (finding, lesson, is_new) = match (told, &self.before) {
            (Some((finding, lesson)), _) => (finding, lesson, true),
            (None, Some((lesson, finding))) => (finding, lesson, false),
            // The first one: it grows while one looks.
            (None, None) => (now?, self.searched.as_ref()?, true),
        };
        let met = running.map(Finding::met).filter(|(_, ms)| *ms >= LONG_MS);
        Some(Beside {
            lesson,
            finding,
            is_new,
            sheet: self.map.as_ref().map(|(_, sheet)| sheet),
            is_map_new: now.is_some_and(|finding| finding.id() == self.mapped),
            met: met.map(|(states, _)| states),
        })
    }

    /// Keeps the verdict on a text that becomes another one, until that has its own.
    #[inline(never)]
    pub(super) fn set_aside(&mut self, lesson: &str) {
        if lesson != OWN {
            self.before = None;
            return;
        }
        let told = self.list.iter().find(|finding| is_told(finding));
        if let Some((finding, lesson)) = told.zip(self.searched.as_ref()) {
            self.before = Some((lesson.clone(), finding.clone()));
        }
    }

    /// The map that was asked for last cannot be made.
    pub(super) fn is_without_map(&self, id: u32) -> bool {
        let answered = self.list.iter().find(|finding| finding.id() == id);
        id == self.last && answered.is_some_and(Finding::is_answered)
    }
}

/// There is something to say that will stay.
fn is_told(finding: &Finding) -> bool {
    match finding.phase() {
        Phase::Running => finding.is_decided() || finding.is_refuted(),
        Phase::Stopped => finding.is_refuted(),
        Phase::Done | Phase::Failed(_) | Phase::Ended => true,
    }
}
