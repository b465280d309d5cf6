//! Drafts between visits: the slot this tab writes into, the drafts offered to the reader, and the
//! warning when storage fails. The rules are in [`crate::playground::kept`].

use super::*;
use crate::playground::Definition;
use crate::playground::kept::{Keeper, Offer, Outcome, is_there};

/// The name of the playground's draft; the names below are of values stored beside it.
pub(super) const OWN_DRAFT: &str = "own.draft";
pub(super) const OWN_CODE: &str = "own.code";
pub(super) const OWN_PAST: &str = "own.past";
/// The draft that a link replaced, kept until the reader edits the linked scenario.
pub(super) const OWN_BEFORE: &str = "own.before";
/// The name of a draft as a file, where it is saved or cannot be read.
pub(super) const DRAFT_FILE: &str = "interleave-draft.json";
/// The attribute of the root element that tells static/broken which draft is open.
const ATTRIBUTE: &str = "data-draft";

#[derive(Debug, Default)]
pub struct Drafts {
    /// The draft of the open lesson; `None` until there is one.
    fix: Option<Keeper>,
    /// The name of the draft to which the offers belong.
    of: String,
    offers: Vec<Offer>,
    sure: Option<u8>,
    /// True if the text could not be stored and the reader should be warned.
    unkept: bool,
    told: bool,
    /// True if the root element's attribute names a draft.
    named: bool,
}

pub(super) fn of_lesson(id: &str) -> String {
    format!("draft.{id}")
}

impl Shell {
    /// Returns the name of the draft that is shown or run.
    fn draft_shown(&self) -> Option<String> {
        let session = self.lesson.run.session.as_ref()?;
        match session.lesson().id.as_str() {
            OWN => Some(OWN_DRAFT.to_owned()),
            id => (session.mode() == Mode::Fix || session.answer_shown().is_some())
                .then(|| of_lesson(id)),
        }
    }

    fn keeper(&mut self) -> Option<&mut Keeper> {
        match self.lesson.run.session.as_ref()?.lesson().id == OWN {
            true => self.own.as_mut()?.keeper.as_mut(),
            false => self.drafts.fix.as_mut(),
        }
    }

    /// Handles the result of storing a draft: warns of a failure once, looks for offers after a
    /// move.
    pub(super) fn was_kept(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Kept => self.drafts.unkept = false,
            Outcome::Moved => {
                self.drafts.unkept = false;
                self.look_for_offers();
            }
            Outcome::Refused if self.drafts.told => {}
            Outcome::Refused => {
                (self.drafts.unkept, self.drafts.told) = (true, true);
                // A course page decides itself what is asked before it is left.
                if self.course.is_none() {
                    self.ask(Effect::Guard);
                }
            }
        }
    }

    /// Looks for drafts of other tabs, and for those that stopped the page.
    fn look_for_offers(&mut self) {
        let Some(of) = self.draft_shown() else { return };
        let (shown, plain) = match (&self.own, &self.lesson.run.session) {
            (Some(play), _) if of == OWN_DRAFT => (play.own.write(), Definition::first().write()),
            (_, Some(session)) => {
                let exercise = session.lesson().exercise.as_ref();
                let starter = exercise.map(|exercise| exercise.starter.clone());
                (self.lesson.exercise.fix.draft().to_owned(), starter.unwrap_or_default())
            }
            _ => return,
        };
        let shelf = self.host.shelf;
        let found = self.keeper().map(|keeper| keeper.offers(shelf, &shown)).unwrap_or_default();
        self.drafts.offers = found;
        self.drafts.offers.retain(|offer| offer.stopped || offer.text != plain);
        (self.drafts.of, self.drafts.sure) = (of, None);
    }

    /// Writes the draft's name into an attribute of the root element, and looks for other drafts
    /// once.
    #[inline(never)]
    fn settle_draft(&mut self) {
        if let Some(outcome) = self.own.as_mut().and_then(|play| play.outcome.take()) {
            self.was_kept(outcome);
        }
        let shown = self.draft_shown();
        let name = shown.as_ref().and_then(|_| Some(self.keeper()?.name())).unwrap_or_default();
        self.drafts.named = !name.is_empty();
        self.ask(Effect::Root(ATTRIBUTE, name));
        if shown.is_some_and(|of| of != self.drafts.of) {
            self.look_for_offers();
        }
    }

    pub(super) fn settle_drafts(&mut self) {
        if self.own.is_some() || self.drafts.fix.is_some() || self.drafts.named {
            self.settle_draft();
        }
    }

    /// Returns whether the open draft is marked as running. The mark stays until the page has drawn
    /// the draft's run, which [`Timer::Drawn`] reports.
    pub fn is_marked(&self) -> bool {
        let keeper = match self.playground() {
            None if self.lesson.run.session.is_none() => None,
            Some(play) => play.keeper.as_ref(),
            None => self.drafts.fix.as_ref(),
        };
        keeper.is_some_and(Keeper::is_running)
    }

    #[inline(never)]
    pub(super) fn drawn(&mut self) {
        let shelf = self.host.shelf;
        if let Some(keeper) = self.keeper() {
            keeper.drawn(shelf);
        }
    }

    // ---- Of a lesson ----------------------------------------------------------------------------

    /// Opens the draft of a lesson. Returns its text, and the link to use instead if `link` would
    /// run a draft that stopped the page.
    pub(super) fn open_draft(&mut self, id: &str, link: &Link) -> (Option<String>, Option<Link>) {
        self.drafts.fix = None;
        match is_there(self.host.shelf, &of_lesson(id)) {
            true => self.read_draft(id, link),
            false => (link.program.clone(), None),
        }
    }

    #[inline(never)]
    fn read_draft(&mut self, id: &str, link: &Link) -> (Option<String>, Option<Link>) {
        let shelf = self.host.shelf;
        let keeper = self.drafts.fix.insert(Keeper::open(shelf, &of_lesson(id)));
        let draft = keeper.text().map(str::to_owned);
        let stopped = |text: &String| {
            let offers = keeper.offers(shelf, "");
            offers.iter().any(|offer| offer.stopped && offer.text == *text)
        };
        self.drafts.of.clear();
        // A program that came with the link is shown, and kept only once it is edited.
        let linked = link.program.clone().filter(|text| !stopped(text));
        let held = draft.is_none() && linked.is_none() && link.variant.as_deref() == Some(ANSWER);
        let instead = held.then(|| Link {
            mode: Some(Mode::Fix.id().to_owned()),
            lang: link.lang.clone(),
            lesson: link.lesson.clone(),
            ..Link::default()
        });
        (linked.or(draft), instead)
    }

    /// Marks the learner's program as running, before it is run.
    pub fn run_draft(&mut self) {
        let draft = self.lesson.exercise.fix.draft();
        if let Some(keeper) = self.drafts.fix.as_mut().filter(|one| one.text() == Some(draft)) {
            keeper.running(self.host.shelf);
        }
    }

    pub fn keep_fix(&mut self) {
        let Some(session) = &self.lesson.run.session else { return };
        let of = of_lesson(&session.lesson().id);
        let keeper = self.drafts.fix.get_or_insert_with(|| Keeper::new(&of));
        let outcome = keeper.keep(self.host.shelf, self.lesson.exercise.fix.draft());
        self.was_kept(outcome);
    }

    // ---- What is pressed ------------------------------------------------------------------------

    #[inline(never)]
    pub(super) fn kept_input(&mut self, input: &KeptInput) {
        self.drafts.sure = match input {
            KeptInput::Discard(slot) if self.drafts.sure != Some(*slot) => Some(*slot),
            KeptInput::Discard(slot) => {
                self.discard(*slot);
                None
            }
            _ => None,
        };
        match input {
            KeptInput::Open(slot) => self.take_draft(*slot, false),
            KeptInput::OpenText(slot) => self.take_draft(*slot, true),
            KeptInput::Save(slot) => {
                let offer = self.drafts.offers.iter().find(|offer| offer.slot == *slot);
                if let Some(text) = offer.map(|offer| offer.text.clone()) {
                    self.save_draft(&text);
                }
            }
            KeptInput::SaveMine => {
                let text = match self.playground() {
                    Some(play) => play.own.write(),
                    None => self.lesson.exercise.fix.draft().to_owned(),
                };
                self.save_draft(&text);
            }
            KeptInput::Discard(_) => {}
            KeptInput::Run => self.run_text(),
            KeptInput::Later => {
                self.drafts.unkept = false;
                self.drafts.offers.retain(|offer| offer.stopped);
            }
        }
    }

    fn take_draft(&mut self, slot: u8, text_only: bool) {
        let shelf = self.host.shelf;
        let Some(text) = self.keeper().and_then(|keeper| keeper.look(shelf, slot)) else {
            return;
        };
        let own = self.playground().map(|_| Definition::read(&text, DRAFT_FILE)).transpose();
        // The tab would write over what it has taken.
        let own = match own {
            Ok(own) => own,
            Err(mistakes) => return self.refuse(mistakes),
        };
        self.keeper().and_then(|keeper| keeper.take(shelf, slot));
        match own {
            Some(own) => self.open_kept(own, text_only),
            None => {
                self.lesson.exercise.fix.edit(text);
                self.keep_fix();
                // Nothing runs it until that is asked for: this is its text, drawn.
                self.run_draft();
                self.session_input(Msg::Mode(Mode::Fix));
            }
        }
        self.look_for_offers();
    }

    fn discard(&mut self, slot: u8) {
        let shelf = self.host.shelf;
        if let Some(keeper) = self.keeper() {
            keeper.discard(shelf, slot, &[OWN_CODE, OWN_PAST, OWN_BEFORE]);
        }
        self.look_for_offers();
    }

    /// Saves a draft as a file that the page can open.
    fn save_draft(&mut self, text: &str) {
        let (name, kind) = match (self.playground(), &self.lesson.run.session) {
            (None, Some(session)) => {
                let name = format!("{}.lua", session.lesson().id);
                (name, "text/plain;charset=utf-8")
            }
            _ => (DRAFT_FILE.to_owned(), "application/json"),
        };
        self.save(name, kind, text);
    }

    /// Returns the drafts to offer and the warnings to show above the page; `None` if there are
    /// none.
    pub fn offered(&self) -> Option<Offered<'_>> {
        let drafts = &self.drafts;
        let unrun = self.own.as_ref().is_some_and(|play| play.unrun);
        match drafts.offers.is_empty() && !drafts.unkept && !unrun {
            true => None,
            false => self.offers(),
        }
    }

    #[inline(never)]
    fn offers(&self) -> Option<Offered<'_>> {
        let drafts = &self.drafts;
        let of = self.draft_shown()?;
        Some(Offered {
            offers: if of == drafts.of { &drafts.offers } else { &[] },
            own: of == OWN_DRAFT,
            sure: drafts.sure,
            unkept: drafts.unkept,
            unrun: self.playground().is_some_and(|play| play.unrun),
        })
    }
}

/// The drafts and warnings shown above the page.
#[derive(Debug, Clone, Copy)]
pub struct Offered<'a> {
    pub offers: &'a [Offer],
    /// True if the drafts are the playground's.
    pub own: bool,
    /// The slot whose draft is discarded at the next press.
    pub sure: Option<u8>,
    /// True if the text could not be stored.
    pub unkept: bool,
    /// True if the draft is open as text only and is not run.
    pub unrun: bool,
}
