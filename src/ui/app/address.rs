//! The address: following it, loading what it asks for, and keeping it true.

use super::*;

/// Steps of a run with which the address waits until nothing has happened for a while.
const STEPS_LONG: usize = 100;
const ADDRESS_MS: u32 = 400;

/// The clock by which a session measures its time slices.
pub(super) const CLOCK: Option<fn() -> f64> = Some(browser::now_ms);

impl App {
    pub(super) fn load_index(&mut self, ctx: &Context<Self>) {
        ctx.link().send_future(async {
            let text = browser::load("lessons/index.json".into()).await;
            Event::Index(text.and_then(|text| json::read(&text)))
        });
    }

    /// Shows what the address says.
    pub(super) fn follow_address(&mut self, ctx: &Context<Self>) {
        self.stop();
        // No dialog stays over another page. Where its element goes before its `close` event,
        // nothing else says that it was closed.
        (self.faults, self.runs, self.help) = (false, false, false);
        (self.sharing, self.making) = (false, false);
        self.banners.clear();
        let bad = self.embed.iter().flat_map(|embed| embed.bad.iter().cloned());
        self.banners.extend(bad.map(Banner::Param));
        self.fragment = browser::fragment();
        let link = Link::parse(&self.fragment);
        if let Some(tag) = &link.lang {
            match Lang::from_tag(tag) {
                Some(lang) => self.lang = lang,
                None => self.banners.push(Banner::Lang(tag.clone())),
            }
        }
        self.guide = None;
        self.presenter = (link.present.as_deref() == Some("1")).then(Presenter::new);
        self.page = Page::of(&link);
        if link.page.is_some() {
            self.banners.extend(Page::unknown(&link).map(Banner::Param));
        }
        if self.page == Page::Glossary && self.glossary.is_none() {
            ctx.link().send_future(async {
                let text = browser::load("lessons/glossary.json".into()).await;
                Event::Glossary(text.and_then(|text| json::read(&text)))
            });
        }
        if self.page == Page::Playground {
            self.wanted = None;
            self.ready_console(ctx);
            return self.open_own(&link);
        }
        let Some(id) = link.lesson.clone() else {
            self.run.session = None;
            self.wanted = None;
            return;
        };
        let known = self.run.session.take().filter(|session| session.lesson().id == id);
        self.wanted = Some(id.clone());
        self.question = None;
        if let Some(mut session) = known {
            if session.returns_to(&link, self.lang) {
                self.run.session = Some(session);
                return;
            }
            let lesson = session.lesson().clone();
            return self.open(lesson, &link);
        }
        if !route::is_id(&id) {
            return self.no_such_lesson(id);
        }
        ctx.link().send_future(async move {
            let text = browser::load(format!("lessons/{id}.json")).await;
            let read = |text: String| Ok((json::read(&text)?, text));
            Event::Lesson(id, Box::new(text.and_then(read)))
        });
    }

    pub(super) fn loaded(&mut self, id: String, loaded: Result<(Lesson, String), String>) {
        // The reader may have gone on to another one meanwhile.
        if self.wanted.as_ref() != Some(&id) {
            return;
        }
        match loaded {
            Ok((lesson, text)) if lesson.format == FORMAT => {
                self.searches.open(&id, &text);
                let link = Link::parse(&self.fragment);
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
        self.run.session = None;
        self.banners.push(Banner::NoSuchLesson(id));
    }

    pub(super) fn open(&mut self, lesson: Rc<Lesson>, link: &Link) {
        let id = lesson.id.clone();
        if let Some(guide) = &lesson.guide {
            self.trail = link.at.as_ref().map(|at| Trail::to(guide, at)).unwrap_or_default();
            self.guide = Some(lesson);
            return;
        }
        self.console = self.console.for_another();
        let (draft, instead) = self.open_draft(&id, link);
        let link = instead.as_ref().unwrap_or(link);
        self.fix = Fix::new(&lesson, draft);
        self.answers = Answers::new(&lesson);
        self.progress = progress(&id);
        let answers = link.variant.as_deref() == Some(ANSWER);
        if answers {
            self.run_draft();
        }
        let own =
            answers.then(|| lesson.without_answer().with_answer(self.fix.draft()).ok()).flatten();
        let lesson = own.map_or(lesson, Rc::new);
        let narrowed = self.embed.as_ref().map(|embed| embed.asked.narrowed(link, &lesson));
        match Session::open_with(lesson, narrowed.as_ref().unwrap_or(link), CLOCK) {
            Ok((session, notices)) => {
                self.run.session = Some(session);
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

    /// A map that stands alone in a course page has no button that asks for it.
    fn settle_map(&mut self) {
        if self.embed.as_ref().is_some_and(|embed| embed.asked.is_map()) {
            self.begin_search(|searches, session| searches.of(session).is_none());
        }
    }

    /// Keeps what the learner has done.
    pub(super) fn remember(&mut self) {
        let Some(session) = self.run.session.as_ref().filter(|session| session.lesson().id != OWN)
        else {
            return;
        };
        let before = self.progress;
        let timeline = session.timeline();
        let at_end = !timeline.is_empty() && timeline.cursor() == timeline.len();
        let finding = session.answer_shown().and_then(|_| self.searches.of(session));
        let is_searched = || self.searches.of(session).is_some_and(Finding::is_answered);
        let now = Progress {
            read: session.has_read(),
            found: session.mode() == Mode::Find && is_searched(),
            watched: session.mode() == Mode::Watch && at_end,
            best: challenge::met(session),
            fixed: self.fix.graded(finding) == Grade::Passed,
            answered: self.answers.all_right(session.lesson()),
        };
        self.progress.add(now);
        if let Some(embed) = &mut self.embed {
            embed.earn(now);
        }
        if self.progress != before {
            browser::store(LAST, &session.lesson().id);
            browser::store(&format!("progress.{}", session.lesson().id), &self.progress.write());
        }
    }

    /// Brings the document around the page in line with its state.
    pub(super) fn settle(&mut self, ctx: &Context<Self>) {
        if let Some(session) = &self.run.session {
            self.searches.settle(session);
        }
        self.settle_map();
        self.settle_own();
        if self.own.is_some() {
            self.settle_live(ctx);
        }
        self.settle_drafts();
        self.settle_crowd();
        self.remember();
        let presentable = match &self.run.session {
            Some(session) => session.mode().is_stepped(),
            None => self.wanted.is_some() && self.guide.is_none(),
        };
        if !presentable {
            self.presenter = None;
        }
        self.tell();
        browser::set_root("lang", self.lang.html());
        browser::set_root("data-theme", self.theme.id());
        let lesson = self.run.session.as_ref().map(Session::lesson).or(self.guide.as_ref());
        let title = match lesson {
            Some(lesson) if lesson.id == OWN => {
                let own = lesson.title.get(self.lang);
                format!(
                    "{own}{}{} · Interleave",
                    if own.is_empty() { "" } else { " · " },
                    tr(self.lang, Key::Playground)
                )
            }
            Some(lesson) => {
                let goal = plain(lesson.goal.get(self.lang));
                format!("{} · {goal} · Interleave", lesson.title.get(self.lang))
            }
            None => format!("Interleave · {}", tr(self.lang, Key::Tagline)),
        };
        browser::set_title(&title);
        let is_under_way = self.run.session.as_ref().is_some_and(Session::is_under_way);
        self.slice = is_under_way.then(|| {
            let link = ctx.link().clone();
            Timeout::new(0, move || link.send_message(Event::GoOn))
        });
        // Until then the address says what was asked for.
        if is_under_way {
            self.address_waits = None;
            return;
        }
        // Browsers take their time with long addresses, and refuse many in a short while. A film
        // that is about to begin has the time before any address.
        let long = self.run.session.as_ref().is_some_and(|one| one.timeline().len() > STEPS_LONG);
        let waits = long || (!self.turns && !browser::is_calm() && self.run.has_films());
        self.address_waits = (waits && !self.sharing).then(|| {
            let link = ctx.link().clone();
            Timeout::new(ADDRESS_MS, move || link.send_message(Event::Address))
        });
        if self.address_waits.is_none() {
            self.write_address();
        }
    }

    /// Makes the address lead to what is shown.
    pub(super) fn write_address(&mut self) {
        self.address_waits = None;
        let fragment = match &self.run.session {
            Some(session) => {
                let present = self.presenter.as_ref().map(|_| "1".to_owned());
                let crowding = self.crowds.get().filter(|_| session.mode() == Mode::Crowd);
                let crowd = crowding.and_then(|at| at.form.write(at));
                let link = Link { present, crowd, ..session.link(self.lang) };
                let linked = link.schedule.as_ref().map(|text| text.split('.').count());
                let cut = linked.is_some_and(|linked| linked < session.timeline().len());
                let (fragment, left_out) = self.link_of(link).write_within();
                self.left_out = left_out.or(cut.then_some(LeftOut::Steps));
                fragment
            }
            None if self.guide.is_some() || self.page != Page::List => {
                let page = self.page.id().map(str::to_owned);
                let lesson = self.guide.as_ref().map(|lesson| lesson.id.clone());
                let at = lesson.as_ref().and(self.trail.id()).map(str::to_owned);
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
        let turns = std::mem::take(&mut self.turns) && self.embed.is_none();
        if browser::fragment() == self.fragment && self.fragment != format!("#{fragment}") {
            match turns {
                true => browser::push_fragment(&fragment),
                false => browser::replace_fragment(&fragment),
            }
            self.fragment = browser::fragment();
        }
    }
}
