//! Follows the address, loads the lesson it names, and keeps it up to date.

use super::*;
use crate::app::done::{LAST, progress, stored_as};

/// A run with more steps than this changes the address only after a pause.
const STEPS_LONG: usize = 100;
const ADDRESS_MS: u32 = 400;

impl Shell {
    /// Reads the address and shows the page it leads to.
    pub(super) fn follow_address(&mut self) {
        self.fragment = (self.host.fragment)();
        self.stop();
        // No dialog stays over another page. Where its element goes before its `close` event,
        // nothing else says that it was closed.
        self.window = self.window.filter(|window| *window == Window::Real);
        self.banners.clear();
        let bad = self.course.iter().flat_map(|course| course.bad.iter().cloned());
        self.banners.extend(bad.map(Banner::Param));
        let link = self.asked_for();
        if let Some(tag) = &link.lang {
            match Lang::from_tag(tag) {
                Some(lang) => self.lang = lang,
                None => self.banners.push(Banner::Lang(tag.clone())),
            }
        }
        self.guide = None;
        self.lesson.presenter = (link.present.as_deref() == Some("1")).then_some(false);
        self.page = Page::of(&link);
        if link.page.is_some() {
            self.banners.extend(Page::unknown(&link).map(Banner::Param));
        }
        if self.page == Page::Glossary && self.glossary.is_none() {
            self.load(Wanted::Glossary);
        }
        if self.page == Page::Class {
            self.open_class(&link);
        }
        if self.page == Page::Playground {
            self.wanted = None;
            self.ready_console();
            return self.open_own(&link);
        }
        let Some(id) = link.lesson.clone() else {
            self.lesson.run.session = None;
            self.wanted = None;
            return;
        };
        let known = self.lesson.run.session.take().filter(|session| session.lesson().id == id);
        self.wanted = Some(id.clone());
        self.lesson.review.question = None;
        if let Some(mut session) = known {
            if session.returns_to(&link, self.lang) {
                self.lesson.run.session = Some(session);
                return;
            }
            let lesson = session.lesson().clone();
            return self.open(lesson, &link);
        }
        if !is_id(&id) {
            return self.no_such_lesson(id);
        }
        self.load(Wanted::Lesson(id));
    }

    /// Returns the link in the address. The presenter view shows a run, so of a part without one it
    /// shows the story instead.
    fn asked_for(&self) -> Link {
        let link = Link::parse(&self.fragment);
        let part = Mode::ALL.into_iter().find(|mode| link.mode.as_deref() == Some(mode.id()));
        let has_run = part.is_none_or(Mode::is_stepped);
        match link.present.as_deref() {
            Some("1") if link.lesson.is_some() && !has_run => Link { mode: None, ..link },
            _ => link,
        }
    }

    pub(super) fn loaded(&mut self, id: String, text: Result<String, String>) {
        // The reader may have gone on to another one meanwhile.
        if self.wanted.as_ref() != Some(&id) {
            return;
        }
        let read = |text: String| Ok((json::read::<Lesson>(&text)?, text));
        match text.and_then(read) {
            Ok((lesson, text)) if lesson.format == FORMAT => {
                self.lesson.searches.open(&id, &text);
                let link = self.asked_for();
                self.open(Rc::new(lesson), &link);
            }
            Ok((lesson, _)) => {
                let why = format!("format {} ≠ {FORMAT}", lesson.format);
                self.wanted = None;
                self.banners.push(Banner::LoadFailed(id, why));
            }
            Err(why) if why.starts_with("404") => self.no_such_lesson(id),
            Err(why) => {
                self.wanted = None;
                self.banners.push(Banner::LoadFailed(id, why));
            }
        }
    }

    pub(super) fn no_such_lesson(&mut self, id: String) {
        self.wanted = None;
        self.lesson.run.session = None;
        self.banners.push(Banner::NoSuchLesson(id));
    }

    pub(super) fn open(&mut self, lesson: Rc<Lesson>, link: &Link) {
        let id = lesson.id.clone();
        let moved = |one: &&Moved| link.variant.as_ref() == Some(&one.variant);
        if let Some(moved) = lesson.moved.iter().find(moved) {
            return self.follow(moved, link);
        }
        if let Some(guide) = &lesson.guide {
            let trail = link.at.as_ref().map(|at| Trail::to(guide, at)).unwrap_or_default();
            self.guide = Some(Guided { lesson, trail });
            return;
        }
        self.lesson.console.for_another();
        let (draft, instead) = self.open_draft(&id, link);
        let link = instead.as_ref().unwrap_or(link);
        self.lesson.begin(&lesson, draft, progress(&id, self.host.shelf));
        let answers = link.variant.as_deref() == Some(ANSWER);
        if answers {
            self.run_draft();
        }
        let own = answers.then(|| self.lesson.with_draft(&lesson)).flatten();
        let lesson = own.map_or(lesson, Rc::new);
        let narrowed = self.course.as_ref().map(|course| course.asked.narrowed(link, &lesson));
        match Session::open_with(lesson, narrowed.as_ref().unwrap_or(link), self.clock()) {
            Ok((session, notices)) => {
                self.lesson.run.session = Some(session);
                self.banners.extend(notices.into_iter().map(Banner::Lesson));
                self.confine();
                self.follow_crowd(link);
            }
            Err(why) => {
                self.wanted = None;
                self.banners.push(Banner::LoadFailed(id, why));
            }
        }
    }

    /// Goes on to the lesson that has the variant of the link now. What of the link it does not
    /// have, a story or a run, is told as of any other link.
    #[inline(never)]
    fn follow(&mut self, moved: &Moved, link: &Link) {
        let (lesson, variant) = (Some(moved.lesson.clone()), Some(moved.to.clone()));
        self.wanted = lesson.clone();
        let fragment = Link { lesson, variant, ..link.clone() }.write();
        self.ask(Effect::Address { fragment, turns: false });
        self.load(Wanted::Lesson(moved.lesson.clone()));
    }

    /// Returns true where a search or a crowd may begin by itself. One page may embed ten lessons;
    /// the playground is searched while it is written, and drafts may be large.
    pub(super) fn may_begin(&self, session: &Session) -> bool {
        self.course.is_none() && session.lesson().id != OWN
    }

    /// Starts the search for a map that a course page embeds alone, without the button that starts
    /// it, and a search that is small.
    fn settle_map(&mut self) {
        if let Some(session) = self.lesson.run.session.as_ref().filter(|one| self.may_begin(one)) {
            self.lesson.searches.begin_by_itself(session);
        }
        if self.course.as_ref().is_some_and(|course| course.asked.is_alone(crate::view::embed::MAP))
        {
            self.begin_search(|searches, session| searches.of(session).is_none());
        }
    }

    /// Stores the learner's progress.
    pub(super) fn remember(&mut self) {
        let (Some(now), Some(session)) = (self.lesson.worked(), &self.lesson.run.session) else {
            return;
        };
        let id = session.lesson().id.clone();
        let before = self.lesson.progress;
        self.lesson.progress.add(now);
        if let Some(course) = &mut self.course {
            course.earn(now);
        }
        if self.lesson.progress != before {
            self.store(LAST, &id);
            self.store(&stored_as(&id), &self.lesson.progress.write());
        }
    }

    /// Updates everything that depends on the state: searches, drafts, the document, the address.
    pub(super) fn settle(&mut self) {
        // The checker comes with the rest of the program.
        let session = self.lesson.run.session.as_ref();
        if let Some(session) = session.filter(|_| (self.host.is_whole)()) {
            self.lesson.searches.settle(session);
        }
        self.settle_map();
        if self.own.is_some() {
            self.settle_own();
            self.settle_live();
        }
        self.settle_drafts();
        self.settle_crowd();
        self.remember();
        let presentable = match &self.lesson.run.session {
            Some(session) => session.mode().is_stepped(),
            None => self.wanted.is_some() && self.guide.is_none(),
        };
        if !presentable {
            self.lesson.presenter = None;
        }
        self.tell();
        self.head();
        let is_under_way = self.lesson.run.session.as_ref().is_some_and(Session::is_under_way);
        self.time(Timer::GoOn, is_under_way.then_some(0));
        // Until then the address says what was asked for.
        if is_under_way {
            return self.time(Timer::Address, None);
        }
        // Browsers take their time with long addresses, and refuse many in a short while. A film
        // that is about to begin has the time before any address.
        let long =
            self.lesson.run.session.as_ref().is_some_and(|one| one.timeline().len() > STEPS_LONG);
        let waits = long || (!self.turns && !(self.host.is_calm)() && self.lesson.run.has_films());
        match waits && !self.is_open(Window::Share) {
            true => self.time(Timer::Address, Some(ADDRESS_MS)),
            false => {
                self.time(Timer::Address, None);
                self.write_address();
            }
        }
    }

    /// Gives the document its language, theme and title, where they have changed.
    fn head(&mut self) {
        let now = (self.lang, self.theme, self.title());
        if self.head.as_ref() == Some(&now) {
            return;
        }
        self.ask(Effect::Root("lang", now.0.html().to_owned()));
        self.ask(Effect::Root("data-theme", now.1.id().to_owned()));
        self.ask(Effect::Title(now.2.clone()));
        self.head = Some(now);
    }

    /// Returns the title of the document.
    fn title(&self) -> String {
        let Some(lesson) = self.lesson_shown() else {
            return format!("Interleave · {}", tr(self.lang, Key::Tagline));
        };
        let title = lesson.title.get(self.lang);
        let about = match lesson.id == OWN {
            true => tr(self.lang, Key::Playground).to_owned(),
            false => plain(lesson.goal.get(self.lang)),
        };
        let run = self.lesson.run.session.as_ref().map_or("", Session::run_name);
        let parts = [run, title, &about, "Interleave"].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(" · ")
    }

    /// Writes a link to the current view into the address.
    pub(super) fn write_address(&mut self) {
        let fragment = match &self.lesson.run.session {
            Some(session) => {
                let present = self.lesson.presenter.map(|_| "1".to_owned());
                let crowding = self.lesson.crowds.get().filter(|_| session.mode() == Mode::Crowd);
                let crowd = crowding.and_then(|at| at.form.write(at));
                let link = Link { present, crowd, ..session.link(self.lang) };
                let linked = link.schedule.as_ref().map(|text| text.split('.').count());
                let cut = linked.is_some_and(|linked| linked < session.timeline().len());
                let (fragment, left_out) = self.link_of(link).write_within();
                self.lesson.left_out = left_out.or(cut.then_some(LeftOut::Steps));
                fragment
            }
            None if self.guide.is_some() || self.page != Page::List => {
                let page = self.page.id().map(str::to_owned);
                let lesson = self.guide.as_ref().map(|guide| guide.lesson.id.clone());
                let at = self.guide.as_ref().and_then(|guide| guide.trail.id());
                let at = at.map(str::to_owned);
                let lang = Some(self.lang.tag().to_owned());
                Link { page, lesson, at, lang, ..Link::default() }.write()
            }
            None if self.wanted.is_none() && self.banners.is_empty() => {
                format!("lang={}", self.lang.tag())
            }
            // The address says what was asked for.
            None => return,
        };
        // In a course page the history is that of the page around this one.
        let turns = std::mem::take(&mut self.turns) && self.course.is_none();
        if (self.host.fragment)() == self.fragment && self.fragment != format!("#{fragment}") {
            self.ask(Effect::Address { fragment, turns });
        }
    }

    /// Records the written fragment in the spelling of the browser.
    pub fn is_written(&mut self, fragment: String) {
        self.fragment = fragment;
    }

    /// Returns the clock by which a session measures its time slices.
    pub(super) fn clock(&self) -> Option<fn() -> f64> {
        Some(self.host.now_ms)
    }
}
