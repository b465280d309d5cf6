//! The playground: edits of the learner's scenario, and how it is kept.
//!
//! Every edit is stored at once; the address and the undo list follow when typing pauses. Until
//! then the address is older than the draft: a visitor who returns to the address under which the
//! draft was stored gets the draft.

use crate::app::input::Unread;
use crate::json::ToJson;
use crate::lesson::OWN;
use crate::playground::alone::Trouble;
use crate::playground::edit::Edit;
use crate::playground::example::{Example, Examples};
use crate::playground::kept::{Keeper, Outcome};
use crate::playground::{Definition, Expect, Mistake, MistakePlace, Part, WHOLE_MAX, folder};
use crate::scenario::whole_too_big;
use crate::session::undo::Undo;
use crate::sim::NAME_MAX;

use super::drafts::{DRAFT_FILE, OWN_BEFORE, OWN_CODE, OWN_DRAFT, OWN_PAST};
use super::*;

/// The pause in typing after which the address is updated, in ms.
const PAUSE_MS: u32 = 700;
/// The most bytes of earlier texts that are stored for the next visit.
const PAST_MAX: usize = 200 * 1024;
/// The most mistakes that are shown of a text that cannot be read.
const MISTAKES_MAX: usize = 5;

#[derive(Debug)]
pub struct Playground {
    pub own: Definition,
    /// The text in the editor.
    pub part: Part,
    /// The mistakes in the scenario.
    pub mistakes: Vec<Mistake>,
    /// The parts that were left out of the file that was opened, or the mistakes in the draft.
    pub of_file: Vec<Mistake>,
    pub undo: Undo,
    pub examples: Option<Vec<Example>>,
    pub menu: bool,
    /// True if the scenario has replaced another one.
    pub replaced: bool,
    pub sure: bool,
    /// The run to return to after an edit of the scenario, and the step shown of it.
    run: Option<(String, usize)>,
    /// The name that the reader gives the run found by the search, and the run's schedule.
    found: (String, String),
    /// The scenario as encoded in the address.
    code: String,
    /// True if the scenario was edited since `code` was made.
    stale: bool,
    /// True if a search starts after the next pause in typing.
    pub(super) waits: bool,
    /// True if the scenario cannot be searched.
    pub(super) is_refused: bool,
    /// The errors of programs run alone; `None` if they are not known.
    pub(super) alone: Option<Vec<Trouble>>,
    /// Stores the draft for the next visit. `None` in a course page, so that it does not replace
    /// the reader's own draft.
    pub(super) keeper: Option<Keeper>,
    /// The result of storing the draft, until it is reported.
    pub(super) outcome: Option<Outcome>,
    /// True if the scenario is open as text only and is not run.
    pub unrun: bool,
}

impl Playground {
    /// Restores the playground of the last visit.
    fn restored(shelf: &dyn Shelf) -> Playground {
        let mut keeper = Keeper::open(shelf, OWN_DRAFT);
        let mut outcome = None;
        // Where a link stopped the page, what the reader had written before goes on.
        let left = keeper.left(OWN_BEFORE);
        if let Some(before) = shelf.get(&left).filter(|_| keeper.text().is_none()) {
            outcome = Some(keeper.keep(shelf, &before)).filter(|it| *it != Outcome::Refused);
            outcome.inspect(|_| shelf.remove(&left));
        }
        let draft = keeper.text().map(|text| Definition::read(text, DRAFT_FILE)).transpose();
        // What cannot be read stays where it is, and is offered.
        let (draft, mut wrong) = draft.map_or_else(|wrong| (None, wrong), |own| (own, Vec::new()));
        if !wrong.is_empty() {
            keeper.leave();
            wrong.truncate(MISTAKES_MAX);
        }
        let beside = |what| keeper.beside(what).and_then(|name| shelf.get(&name));
        let past = beside(OWN_PAST).and_then(|text| json::read(&text).ok());
        let code = draft.as_ref().and_then(|_| beside(OWN_CODE)).unwrap_or_default();
        let own = draft.unwrap_or_else(Definition::first);
        let mut undo = Undo::restored(past.unwrap_or_default());
        // Where the page went before typing had paused, what was typed since is a step.
        let paused =
            if code.is_empty() { Ok(Definition::first()) } else { Definition::unpack(&code) };
        if let Ok(paused) = paused {
            undo.changed(&paused.write(), &own.write());
        }
        let keeper = Some(keeper);
        Playground { code, undo, keeper, outcome, of_file: wrong, ..Playground::begun(own) }
    }

    /// Returns a playground without a past that is not stored, as in a course page.
    fn begun(own: Definition) -> Playground {
        Playground {
            code: String::new(),
            own,
            part: Part::Program(0),
            mistakes: Vec::new(),
            of_file: Vec::new(),
            undo: Undo::default(),
            examples: None,
            menu: false,
            replaced: false,
            sure: false,
            run: None,
            found: Default::default(),
            stale: false,
            waits: false,
            is_refused: false,
            alone: None,
            keeper: None,
            outcome: None,
            unrun: false,
        }
    }

    /// Returns the name of a run that the search has found; empty if it has none.
    pub fn name_of_found(&self, schedule: &str) -> &str {
        if self.found.1 == schedule { &self.found.0 } else { "" }
    }

    fn keep_draft(&mut self, shelf: &dyn Shelf) {
        let Some(keeper) = &mut self.keeper else { return };
        let text = self.own.write();
        let mut outcome = keeper.keep(shelf, &text);
        // Where there is not room for all, what can be undone goes first.
        if let Some(past) = keeper.beside(OWN_PAST).filter(|_| outcome == Outcome::Refused) {
            shelf.remove(&past);
            outcome = keeper.keep(shelf, &text);
        }
        // That it has moved is not told twice.
        let told = self.outcome == Some(Outcome::Moved) && outcome == Outcome::Kept;
        self.outcome = if told { self.outcome } else { Some(outcome) };
    }

    /// Returns whether `own` is a draft that stopped the page.
    fn stopped(&self, own: &Definition, shelf: &dyn Shelf) -> bool {
        let text = own.write();
        let offers = self.keeper.as_ref().map(|keeper| keeper.offers(shelf, ""));
        offers.into_iter().flatten().any(|offer| offer.stopped && offer.text == text)
    }

    /// Replaces the scenario; undo brings the old one back.
    fn replace(&mut self, own: Definition, shelf: &dyn Shelf) {
        let before = self.own.write();
        self.replaced = self.own != Definition::first() && self.own != own;
        self.own = own;
        self.undo.changed(&before, &self.own.write());
        self.part = Part::Program(0);
        self.of_file.clear();
        (self.run, self.stale, self.unrun) = (None, true, false);
        (self.alone, self.is_refused) = (None, false);
        self.keep_draft(shelf);
    }

    /// Encodes the scenario for the address, and stores the draft.
    pub(super) fn commit(&mut self, shelf: &dyn Shelf) {
        self.stale = false;
        self.code = if self.own == Definition::first() { String::new() } else { self.own.pack() };
        self.keep_draft(shelf);
        let keeper = self.keeper.as_ref();
        let beside = keeper.and_then(|it| it.beside(OWN_CODE).zip(it.beside(OWN_PAST)));
        if let Some((code, past)) = beside.filter(|_| self.outcome != Some(Outcome::Refused)) {
            shelf.set(&code, &self.code);
            shelf.set(&past, &self.undo.kept(PAST_MAX).to_json().to_string());
        }
        // Undo has it from now on.
        if let Some(before) = self.keeper.as_ref().and_then(|keeper| keeper.beside(OWN_BEFORE)) {
            shelf.remove(&before);
        }
    }

    /// Stores the draft that a link has replaced, because the linked scenario may stop the page.
    fn set_aside(&self, before: &str, shelf: &dyn Shelf) {
        let beside = self.keeper.as_ref().and_then(|keeper| keeper.beside(OWN_BEFORE));
        if let Some(name) = beside.filter(|_| before != Definition::first().write()) {
            shelf.set(&name, before);
        }
    }

    fn step_back(&mut self, redo: bool) -> bool {
        let now = self.own.write();
        let mut undo = self.undo.clone();
        let text = if redo { undo.redo(&now) } else { undo.undo(&now) };
        let Some(own) = text.and_then(|text| Definition::read(&text, "").ok()) else {
            return false;
        };
        self.undo = undo;
        // What changed is brought into view.
        let changed = own.parts().find(|part| own.text(*part) != self.own.text(*part));
        let there = |part: &Part| own.parts().any(|one| one == *part);
        let shown = changed.or(Some(self.part)).filter(there);
        self.part = shown.unwrap_or(Part::Program(0));
        self.own = own;
        true
    }
}

impl Shell {
    /// Returns the name of a run that the playground's search has found; empty elsewhere.
    pub(super) fn name_of_found(&self, schedule: &str) -> &str {
        self.playground().map_or("", |play| play.name_of_found(schedule))
    }

    /// Returns the playground if it is shown.
    pub fn playground(&self) -> Option<&Playground> {
        let shown =
            self.lesson.run.session.as_ref().is_some_and(|session| session.lesson().id == OWN);
        self.own.as_ref().filter(|_| shown)
    }

    /// Takes the playground out of the state; makes one if there is none. In a course page, the
    /// reader's stored draft is neither read nor replaced.
    fn take_own(&mut self) -> Playground {
        let (in_course_page, shelf) = (self.course.is_some(), self.host.shelf);
        self.own.take().unwrap_or_else(|| match in_course_page {
            true => Playground::begun(Definition::first()),
            false => Playground::restored(shelf),
        })
    }

    /// Opens the playground as the address asks.
    #[inline(never)]
    pub(super) fn open_own(&mut self, link: &Link) {
        let mut play = self.take_own();
        let shelf = self.host.shelf;
        let mut held = false;
        if let Some(code) = link.scenario.as_ref().filter(|code| **code != play.code) {
            match Definition::unpack(code) {
                // It is offered.
                Ok(own) if play.stopped(&own, shelf) => held = true,
                Ok(own) => {
                    let before = play.own.write();
                    play.replace(own, shelf);
                    self.end_pause();
                    play.commit(shelf);
                    play.set_aside(&before, shelf);
                    self.lesson.run.session = None;
                }
                Err(mistakes) => self.refuse(mistakes),
            }
        }
        self.own = Some(play);
        if self.lesson.run.session.as_ref().is_some_and(|session| session.lesson().id != OWN) {
            self.lesson.run.session = None;
        }
        let edit = Link { mode: Some(Mode::Edit.id().to_owned()), ..Link::default() };
        self.stage(if held { &edit } else { link });
    }

    /// Shows the first mistakes of a text that cannot be opened.
    pub(super) fn refuse(&mut self, mistakes: Vec<Mistake>) {
        self.banners.extend(mistakes.into_iter().take(MISTAKES_MAX).map(Banner::Own));
    }

    /// Opens a draft that was offered; with `text_only`, without running it.
    pub(super) fn open_kept(&mut self, own: Definition, text_only: bool) {
        let shelf = self.host.shelf;
        let Some(play) = &mut self.own else { return };
        play.replace(own, shelf);
        let past = play.keeper.as_ref().and_then(|keeper| shelf.get(&keeper.left(OWN_PAST)));
        play.undo =
            Undo::restored(past.and_then(|text| json::read(&text).ok()).unwrap_or_default());
        (play.unrun, play.replaced) = (text_only, false);
        play.commit(shelf);
        self.end_pause();
        self.lesson.run.session = None;
        self.stage(&Link { mode: Some(Mode::Edit.id().to_owned()), ..Link::default() });
    }

    /// Runs the scenario that was open as text only.
    pub(super) fn run_text(&mut self) {
        let Some(play) = &mut self.own else { return };
        play.unrun = false;
        self.lesson.run.session = None;
        self.stage(&Link { mode: Some(Mode::Edit.id().to_owned()), ..Link::default() });
    }

    /// Makes a lesson of the scenario and opens it. If the scenario has mistakes, the last lesson
    /// stays.
    fn stage(&mut self, link: &Link) {
        let shelf = self.host.shelf;
        let Some(play) = &mut self.own else { return };
        if let Some(keeper) = play.keeper.as_mut().filter(|_| !play.unrun) {
            keeper.running(shelf);
        }
        let lesson = if play.unrun { Err(Vec::new()) } else { play.own.lesson() };
        let (lesson, text) = match lesson {
            Ok(lesson) => {
                play.mistakes.clear();
                (lesson, play.own.write())
            }
            Err(mistakes) => {
                play.mistakes = mistakes;
                if self.lesson.run.session.is_some() {
                    return;
                }
                (Definition::nothing(), String::new())
            }
        };
        let nothing = text.is_empty();
        let edit = Link { mode: Some(Mode::Edit.id().to_owned()), ..Link::default() };
        self.lesson.searches.open(OWN, &text);
        let narrowed = self.course.as_ref().map(|course| course.asked.narrowed(link, &lesson));
        let link = if nothing { &edit } else { narrowed.as_ref().unwrap_or(link) };
        match Session::open_with(Rc::new(lesson), link, self.clock()) {
            Ok((session, notices)) => {
                self.lesson.run.session = Some(session);
                self.banners.extend(notices.into_iter().map(Banner::Lesson));
                self.confine();
            }
            Err(why) => self.banners.push(Banner::Answer(why)),
        }
    }

    /// Stores the edited scenario and runs it again.
    fn own_changed(&mut self) {
        let shelf = self.host.shelf;
        let (Some(play), Some(session)) = (&mut self.own, &self.lesson.run.session) else { return };
        play.stale = true;
        (play.waits, play.is_refused) = (false, false);
        play.keep_draft(shelf);
        self.effects.push(Effect::Time(Timer::OwnPaused, Some(PAUSE_MS)));
        let timeline = session.timeline();
        let (schedule, step) =
            play.run.get_or_insert_with(|| (timeline.schedule(), timeline.cursor())).clone();
        let link = Link {
            mode: Some(session.mode().id().to_owned()),
            schedule: Some(schedule).filter(|schedule| !schedule.is_empty()),
            step: Some(step.to_string()),
            run: Some(timeline.name().to_owned()).filter(|name| !name.is_empty()),
            ..Link::default()
        };
        let said = self.banners.len();
        self.stage(&link);
        if self.own.as_ref().is_some_and(|play| !play.mistakes.is_empty()) {
            self.lesson.searches.end_live();
        }
        // How far a run still goes is seen once it is looked at.
        self.banners.truncate(said);
    }

    pub(super) fn own_input(&mut self, input: OwnInput) {
        let Some(play) = &mut self.own else { return self.own_from_outside(input) };
        play.sure &= input == OwnInput::Reset;
        self.banners.retain(|banner| !matches!(banner, Banner::OwnTooLong | Banner::Own(_)));
        match input {
            OwnInput::NameFound(schedule, name) => {
                play.found = (name.chars().take(NAME_MAX).collect(), schedule);
            }
            OwnInput::Edit(edit) => self.own_edit(edit),
            OwnInput::Show(part) => play.part = part,
            OwnInput::Undo | OwnInput::Redo => {
                if play.step_back(input == OwnInput::Redo) {
                    play.replaced = false;
                    self.own_changed();
                }
            }
            OwnInput::Menu(open) => {
                play.menu = open;
                match open {
                    false => self.ask(Effect::Focus("[data-own=examples]")),
                    true if play.examples.is_none() => self.load(Wanted::Examples),
                    true => {}
                }
            }
            OwnInput::Example(number) => {
                let example = play.examples.as_ref().and_then(|all| all.get(number));
                let own = example.map(|example| {
                    let mut own = example.scenario.get(self.lang).clone();
                    // A template breaks as it is; the learner is to make it right.
                    if example.template == Some(true) {
                        own.properties
                            .iter_mut()
                            .for_each(|property| property.expect = Expect::Holds);
                    }
                    own
                });
                play.menu = false;
                if let Some(own) = own {
                    self.put(own, None, Mode::Edit);
                }
            }
            OwnInput::Reset if play.sure => {
                play.sure = false;
                self.put(Definition::first(), None, Mode::Edit);
            }
            OwnInput::Reset => play.sure = true,
            OwnInput::Save => self.save_own(),
            OwnInput::Open(..) | OwnInput::FromLesson => self.own_from_outside(input),
        }
    }

    fn own_edit(&mut self, edit: Edit) {
        let Some(play) = &mut self.own else { return };
        let (own, before) = (play.own.clone(), play.own.write());
        let adds = match edit {
            Edit::AddProgram => Some(Part::Program(play.own.programs.len())),
            Edit::AddScript => Some(Part::Script(play.own.scripts.len())),
            _ => None,
        };
        if !play.own.edit(edit) {
            return self.banners.push(Banner::OwnTooLong);
        }
        let after = play.own.write();
        // Neither a draft nor a link could hold more.
        if after.len() > before.len().max(WHOLE_MAX) {
            play.own = own;
            return self.refuse(vec![whole_too_big(MistakePlace::Whole)]);
        }
        let there = |part: &Part| play.own.parts().any(|one| one == *part);
        let added = adds.filter(there);
        let shown = added.or(Some(play.part)).filter(there);
        play.part = shown.unwrap_or(Part::Program(0));
        play.undo.changed(&before, &after);
        play.replaced = false;
        self.own_changed();
        if added.is_some() {
            self.ask(Effect::Focus(".editor textarea"));
        }
    }

    /// Handles the inputs that also work where the playground is not shown.
    fn own_from_outside(&mut self, input: OwnInput) {
        match input {
            OwnInput::FromLesson => {
                let Some(session) = &self.lesson.run.session else { return };
                let own = Definition::of_lesson(session.lesson(), session.variant(), self.lang);
                let run = (session.run_so_far(), session.timeline().cursor());
                if let Some(own) = own {
                    self.put(own, Some(run), Mode::Edit);
                }
            }
            OwnInput::Open(name, Ok(bytes)) => match folder::open(&name, &bytes, self.lang) {
                Ok((own, left_out)) => {
                    self.put(own, None, Mode::Edit);
                    if let Some(play) = &mut self.own {
                        play.of_file = left_out;
                    }
                }
                Err(mistakes) => self.refuse(mistakes),
            },
            OwnInput::Open(name, Err(Unread::TooBig)) => {
                self.banners.push(Banner::Own(folder::too_big(&name)));
            }
            OwnInput::Open(_, Err(Unread::Failed(why))) => {
                self.banners.push(Banner::Answer(why));
            }
            _ => {}
        }
    }

    /// Replaces the scenario and shows it in `mode`, at its start or with a run of it.
    pub(super) fn put(&mut self, own: Definition, run: Option<(String, usize)>, mode: Mode) {
        if own.write().len() > WHOLE_MAX {
            return self.refuse(vec![whole_too_big(MistakePlace::Whole)]);
        }
        let mut play = self.take_own();
        play.replace(own, self.host.shelf);
        play.commit(self.host.shelf);
        self.end_pause();
        let (schedule, step) = run.unwrap_or_default();
        let link = Link {
            page: Page::Playground.id().map(str::to_owned),
            mode: Some(mode.id().to_owned()),
            step: Some(step.to_string()).filter(|_| !schedule.is_empty()),
            schedule: Some(schedule).filter(|schedule| !schedule.is_empty()),
            scenario: Some(play.code.clone()).filter(|code| !code.is_empty()),
            lang: Some(self.lang.tag().to_owned()),
            ..Link::default()
        };
        self.own = Some(play);
        if self.page == Page::Playground && self.wanted.is_none() {
            self.lesson.run.session = None;
            self.stage(&link);
        } else {
            // The event that tells of the new address opens it.
            self.ask(Effect::Go(link.write_within().0));
        }
    }

    #[inline(never)]
    pub(super) fn examples_came(&mut self, text: Result<String, String>) {
        let Some(play) = &mut self.own else { return };
        match text.and_then(|text| json::read(&text)) {
            Ok(Examples { examples }) => play.examples = Some(examples),
            Err(why) => {
                play.menu = false;
                self.banners.push(Banner::Examples(why));
            }
        }
    }

    /// Commits the edits: typing has paused, or the edited text is no longer shown.
    pub(super) fn commit_own(&mut self) {
        if let Some(play) = &mut self.own {
            play.commit(self.host.shelf);
        }
        self.end_pause();
    }

    fn end_pause(&mut self) {
        self.time(Timer::OwnPaused, None);
    }

    fn save_own(&mut self) {
        let Some(play) = &self.own else { return };
        let bytes = folder::write_zip(&play.own);
        let name = format!("{}.zip", folder::id(&play.own));
        self.save(name, "application/zip", bytes);
    }

    /// Adapts a link to the playground if that is shown; otherwise returns it unchanged.
    pub fn link_of(&self, link: Link) -> Link {
        match self.playground() {
            Some(play) => Link {
                lesson: None,
                variant: None,
                page: Page::Playground.id().map(str::to_owned),
                scenario: Some(play.code.clone()).filter(|code| !code.is_empty()),
                ..link
            },
            None => link,
        }
    }

    /// Commits pending edits when the reader leaves the editor or shares a link.
    #[inline(never)]
    pub(super) fn settle_own(&mut self) {
        let sharing = self.is_open(Window::Share);
        let mode = self.lesson.run.session.as_ref().filter(|session| session.lesson().id == OWN);
        let Some(mode) = mode.map(Session::mode) else { return };
        if let Some(play) = &mut self.own {
            if mode != Mode::Edit {
                play.run = None;
            }
            if play.stale && (mode != Mode::Edit || sharing) {
                self.commit_own();
            }
        }
    }
}
