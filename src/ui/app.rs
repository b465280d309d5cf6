//! The page's state, and every effect it has on the browser.

use std::rc::Rc;

use gloo_timers::callback::{Interval, Timeout};
use wasm_bindgen::prelude::*;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

use crate::json;
use crate::lesson::{ANSWER, FORMAT, Glossary, Index, Lesson, plain};
use crate::sim::ClientId;
use crate::text::{Key, Lang, fill, tr};
use crate::view::challenge;
use crate::view::export::{Form, export};
use crate::view::faults;
use crate::view::find::Answer;
use crate::view::fix::{Fix, Grade};
use crate::view::guide::Trail;
use crate::view::link::Link;
use crate::view::progress::Progress;
use crate::view::review::Answers;
use crate::view::session::{LINKED_MAX, Mode, Msg, Notice, Session};

use super::browser;
use super::glossary::glossary;
use super::guide::guide;
use super::header::{BannersProps, HeaderProps, Help, banners, header};
use super::home::{home, progress};
use super::line::Line;
use super::picture;
use super::searches::Searches;
use super::share::Share;

/// What "play" can be multiplied with.
pub const SPEEDS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
/// Between two steps of "play" at 1×.
const PLAY_MS: f64 = 1_200.0;
/// After a lesson has opened, before the checker's worker is started.
const IDLE_MS: u32 = 800;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Auto,
    Light,
    Dark,
}

impl Theme {
    const ALL: [Theme; 3] = [Theme::Auto, Theme::Light, Theme::Dark];

    fn id(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub fn label(self) -> Key {
        match self {
            Theme::Auto => Key::ThemeAuto,
            Theme::Light => Key::ThemeLight,
            Theme::Dark => Key::ThemeDark,
        }
    }

    fn next(self) -> Theme {
        let at = Theme::ALL.iter().position(|theme| *theme == self).unwrap_or(0);
        Theme::ALL[(at + 1) % Theme::ALL.len()]
    }
}

/// What was pressed.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Session(Msg),
    Random,
    Play,
    Speed(usize),
    Lang(Lang),
    Theme,
    Share,
    Help(bool),
    /// Opens or closes the fault menu.
    Faults(bool),
    Dismiss,
    Retry,
    /// Opens Find and searches.
    Find,
    FindStop,
    ShareRun(String),
    ShareOpen(bool),
    ExportCopy(Form),
    ExportSave(Form),
    /// The diagram as a file; true: as a PNG.
    Picture(bool),
    Hints(bool),
    /// The form in which the programs are shown.
    Face(String),
    /// The learner's program is now this.
    Draft(String),
    Grade,
    /// Opens the learner's program to be stepped.
    StepAnswer,
    /// Asks first; pressed again, the draft is gone.
    ResetDraft,
    ShowAnswer(bool),
    /// The answer becomes the draft.
    TakeAnswer,
    /// A question and one of its choices.
    Tick(usize, usize),
    GiveAnswer(usize),
    AnswerAgain(usize),
    GuideAnswer(usize),
    GuideBack,
    GuideStart,
    /// What the glossary is searched for.
    Filter(String),
}

/// What arrives at the page.
#[derive(Debug)]
pub enum Event {
    Input(Input),
    Key(KeyboardEvent),
    /// The address was changed by hand, by a link or by the history.
    Moved,
    Index(Result<Index, String>),
    Glossary(Result<Glossary, String>),
    /// Its id; the lesson, and the file it was read from.
    Lesson(String, Box<Result<(Lesson, String), String>>),
    /// From the checker.
    Heard(Answer),
    /// There is time to get the checker ready.
    Idle,
    Tick,
    Width(i32),
    /// What was copied; whether it was.
    Copied(String, bool),
    Saved(bool),
    ShareSettled,
}

/// Something the page has to say above its content.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Banner {
    NoSuchLesson(String),
    LoadFailed(String, String),
    IndexFailed(String),
    Lang(String),
    Lesson(Notice),
    /// The learner's program, in words.
    Answer(String),
    TooLong,
    ShareFailed,
    SaveFailed,
}

pub struct App {
    pub(super) lang: Lang,
    theme: Theme,
    index: Option<Index>,
    /// The lesson asked for; its session follows when the file is here.
    wanted: Option<String>,
    pub(super) session: Option<Session>,
    pub(super) banners: Vec<Banner>,
    pub(super) width: i32,
    pub(super) playing: Option<Interval>,
    pub(super) speed: usize,
    help: bool,
    pub(super) faults: bool,
    /// The fragment of the address as it was last read or written here. Another one has come from
    /// outside; the event that tells of it is on its way, and it must not be overwritten.
    fragment: String,
    /// What was just copied.
    shared: Option<String>,
    /// The share dialog is open.
    pub(super) sharing: bool,
    share_settles: Option<Timeout>,
    pub(super) searches: Searches,
    idle: Option<Timeout>,
    /// The form in which the programs are shown, where there is such a one.
    pub(super) face: String,
    pub(super) fix: Fix,
    /// The draft may be thrown away at the next press.
    pub(super) sure: bool,
    pub(super) answers: Answers,
    /// What was done of the lesson that is open.
    pub(super) progress: Progress,
    /// A guide has no runs, and so no session.
    guide: Option<Rc<Lesson>>,
    trail: Trail,
    /// The glossary is what is shown.
    in_glossary: bool,
    glossary: Option<Glossary>,
    filter: String,
}

impl Component for App {
    type Message = Event;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> App {
        listen(ctx);
        let theme = browser::stored("theme");
        let theme = Theme::ALL.into_iter().find(|one| Some(one.id()) == theme.as_deref());
        let mut app = App {
            lang: preferred_lang(),
            theme: theme.unwrap_or(Theme::Auto),
            index: None,
            wanted: None,
            session: None,
            banners: Vec::new(),
            width: 560,
            playing: None,
            speed: 2,
            help: false,
            faults: false,
            fragment: String::new(),
            shared: None,
            sharing: false,
            share_settles: None,
            searches: Searches::new(Line::new({
                let link = ctx.link().clone();
                move |answer| link.send_message(Event::Heard(answer))
            })),
            idle: None,
            face: browser::stored("face").unwrap_or_default(),
            fix: Fix::default(),
            sure: false,
            answers: Answers::default(),
            progress: Progress::default(),
            guide: None,
            trail: Trail::default(),
            in_glossary: false,
            glossary: None,
            filter: String::new(),
        };
        app.load_index(ctx);
        app.follow_address(ctx);
        app.settle();
        app
    }

    fn update(&mut self, ctx: &Context<Self>, event: Event) -> bool {
        match event {
            Event::Input(input) => self.input(ctx, input),
            Event::Key(event) => match self.key(&event) {
                Some(input) => {
                    event.prevent_default();
                    self.input(ctx, input);
                }
                None => return false,
            },
            Event::Moved => self.follow_address(ctx),
            Event::Index(Ok(index)) => self.index = Some(index),
            Event::Index(Err(why)) | Event::Glossary(Err(why)) => {
                self.banners.push(Banner::IndexFailed(why));
            }
            Event::Glossary(Ok(glossary)) => self.glossary = Some(glossary),
            Event::Lesson(id, loaded) => {
                self.loaded(id, *loaded);
                let link = ctx.link().clone();
                let idle = move || link.send_message(Event::Idle);
                self.idle = Some(Timeout::new(IDLE_MS, idle));
            }
            Event::Heard(answer) => {
                if !self.searches.hear(answer) {
                    return false;
                }
            }
            Event::Idle => {
                if let Some(session) = &self.session {
                    self.searches.warm(session);
                }
                return false;
            }
            Event::Tick => self.tick(),
            Event::Width(width) if width == self.width || width == 0 => return false,
            Event::Width(width) => self.width = width,
            Event::Copied(what, done) => {
                self.shared = done.then_some(what);
                if !done {
                    self.sharing = false;
                    self.banners.push(Banner::ShareFailed);
                }
                let link = ctx.link().clone();
                let settle = move || link.send_message(Event::ShareSettled);
                self.share_settles = Some(Timeout::new(2_500, settle));
            }
            Event::ShareSettled => self.shared = None,
            Event::Saved(done) => self.saved(done),
        }
        self.settle();
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let on = ctx.link().callback(Event::Input);
        let open = self.session.as_ref().map(Session::lesson).or(self.guide.as_ref());
        let title = open.map(|lesson| lesson.title.get(self.lang).clone());
        let modes = self
            .session
            .as_ref()
            .map(|session| (Mode::of(session.lesson()).collect::<Vec<_>>(), session.mode()));
        let retry = self
            .banners
            .iter()
            .any(|banner| matches!(banner, Banner::LoadFailed(..) | Banner::IndexFailed(_)));
        html! {
            <div class={classes!("page", self.session.is_some().then_some("in-lesson"))}>
                { header(&HeaderProps {
                    lang: self.lang,
                    theme: self.theme,
                    title,
                    modes,
                    on: on.clone(),
                }) }
                { banners(&BannersProps {
                    lang: self.lang,
                    banners: self.banner_texts(),
                    retry,
                    on: on.clone(),
                }) }
                { match &self.session {
                    Some(session) => self.lesson(ctx, session, &on),
                    None if self.guide.is_some() => self.guiding(&on),
                    None if self.wanted.is_some() => html! {
                        <main class="loading">
                            <p role="status">{ tr(self.lang, Key::Loading) }</p>
                        </main>
                    },
                    None if self.in_glossary => {
                        glossary(self.glossary.as_ref(), &self.filter, self.lang, &on)
                    }
                    None => home(self.index.as_ref(), self.lang),
                } }
                <p class="toast" role="status">
                    if self.shared.as_deref() == Some("run") { { tr(self.lang, Key::Shared) } }
                </p>
                <Share lang={self.lang} open={self.sharing} copied={self.shared.clone()}
                    run={self.session.as_ref().is_some_and(|session| session.mode().is_stepped())}
                    too_long={self.session.as_ref().and_then(Session::answer_shown)
                        .is_some_and(|program| program.len() > LINKED_MAX)}
                    address={if self.sharing { browser::address() } else { String::new() }}
                    on={on.clone()} />
                <Help lang={self.lang} open={self.help} {on} />
            </div>
        }
    }
}

impl App {
    fn guiding(&self, on: &Callback<Input>) -> Html {
        let found = self.guide.as_ref().and_then(|lesson| Some((lesson, lesson.guide.as_ref()?)));
        let Some((lesson, found)) = found else { return Html::default() };
        guide(lesson, found, &self.trail, self.lang, on)
    }

    fn input(&mut self, ctx: &Context<Self>, input: Input) {
        self.sure &= input == Input::ResetDraft;
        match input {
            Input::Session(msg) => self.session_input(msg),
            Input::Random => self.session_input(Msg::Random(browser::seed())),
            Input::Play if self.playing.is_some() => self.playing = None,
            Input::Play => self.play(ctx),
            Input::Speed(speed) => {
                self.speed = speed.min(SPEEDS.len() - 1);
                if self.playing.is_some() {
                    self.start_clock(ctx);
                }
            }
            Input::Lang(lang) => {
                self.lang = lang;
                browser::store("lang", lang.tag());
            }
            Input::Theme => {
                self.theme = self.theme.next();
                browser::store("theme", self.theme.id());
            }
            Input::Share => self.copy(ctx, "link", browser::address()),
            Input::ShareOpen(open) => self.sharing = open,
            Input::ExportCopy(form) => {
                if let Some(session) = &self.session {
                    self.copy(ctx, form.id(), export(session, form, self.lang));
                }
            }
            Input::ExportSave(form) => {
                if let Some(session) = &self.session {
                    let text = export(session, form, self.lang);
                    let name = form.file(&session.lesson().id);
                    self.saved(picture::save(&name, "text/plain;charset=utf-8", &text).is_ok());
                }
            }
            Input::Picture(png) => self.picture(ctx, png),
            Input::ShareRun(schedule) => {
                if let Some(session) = &self.session {
                    let link = session.link_to_run(&schedule, self.lang);
                    self.copy(ctx, "run", browser::address_with(&link.write()));
                }
            }
            Input::Find => self.find(),
            Input::FindStop => self.searches.stop(),
            Input::Hints(on) => self.searches.set_hints(on),
            Input::Face(face) => {
                browser::store("face", &face);
                self.face = face;
            }
            Input::Draft(text) => self.draft(text),
            Input::Grade => self.grade(),
            Input::StepAnswer => {
                if self.take_answer() {
                    self.session_input(Msg::Mode(Mode::Schedule));
                }
            }
            Input::ResetDraft | Input::ShowAnswer(_) | Input::TakeAnswer => self.exercise(&input),
            Input::Tick(quiz, choice) => {
                if let Some(session) = &self.session {
                    self.answers.tick(session.lesson(), quiz, choice);
                }
            }
            Input::GiveAnswer(quiz) => self.answers.give(quiz),
            Input::AnswerAgain(quiz) => self.answers.again(quiz),
            Input::GuideBack => self.trail.back(),
            Input::GuideStart => self.trail = Trail::default(),
            Input::GuideAnswer(number) => {
                if let Some(guide) = self.guide.as_ref().and_then(|lesson| lesson.guide.as_ref()) {
                    self.trail.answer(guide, number);
                }
            }
            Input::Filter(text) => self.filter = text.chars().take(60).collect(),
            Input::Help(open) => self.help = open,
            Input::Faults(open) => self.faults = open,
            Input::Dismiss => self.banners.clear(),
            Input::Retry => {
                self.banners.clear();
                if self.index.is_none() {
                    self.load_index(ctx);
                }
                self.follow_address(ctx);
            }
        }
    }

    fn find(&mut self) {
        self.session_input(Msg::Mode(Mode::Find));
        let Some(session) = &self.session else { return };
        if let Err(why) = self.searches.begin(session) {
            self.banners.push(Banner::LoadFailed(session.lesson().id.clone(), why));
        }
    }

    /// An input to the lesson. Whoever touches the run takes it over from "play", and has read
    /// what the banners said of the link.
    pub(super) fn session_input(&mut self, msg: Msg) {
        self.playing = None;
        self.faults = false;
        let Some(session) = &mut self.session else { return };
        let notice = session.update(msg);
        self.banners.retain(|banner| !matches!(banner, Banner::Lesson(_)));
        self.banners.extend(notice.map(Banner::Lesson));
    }

    fn play(&mut self, ctx: &Context<Self>) {
        let Some(session) = &mut self.session else { return };
        let timeline = session.timeline();
        if timeline.is_empty() {
            return;
        }
        if timeline.cursor() == timeline.len() {
            session.update(Msg::Seek(0));
        } else {
            session.update(Msg::Forward);
        }
        self.start_clock(ctx);
    }

    fn start_clock(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        let every_ms = (PLAY_MS / SPEEDS[self.speed]) as u32;
        self.playing = Some(Interval::new(every_ms, move || link.send_message(Event::Tick)));
    }

    fn tick(&mut self) {
        let Some(session) = self.session.as_mut().filter(|_| self.playing.is_some()) else {
            return;
        };
        session.update(Msg::Forward);
        if session.timeline().cursor() == session.timeline().len() {
            self.playing = None;
        }
    }

    fn key(&self, event: &KeyboardEvent) -> Option<Input> {
        if self.help
            || self.faults
            || self.sharing
            || event.ctrl_key()
            || event.alt_key()
            || event.meta_key()
        {
            return None;
        }
        let session = self.session.as_ref()?;
        let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
        let tag = target.map(|element| element.tag_name()).unwrap_or_default();
        if matches!(tag.as_str(), "INPUT" | "TEXTAREA" | "SELECT") {
            return None;
        }
        if matches!(session.mode(), Mode::Fix | Mode::Review) {
            return (event.key() == "?").then_some(Input::Help(true));
        }
        if session.mode() == Mode::Find {
            return match event.key().as_str() {
                "f" | "F" => Some(Input::Find),
                "Escape" => Some(Input::FindStop),
                "?" => Some(Input::Help(true)),
                _ => None,
            };
        }
        let code = event.code();
        if let Some(digit) = code.strip_prefix("Digit").or(code.strip_prefix("Numpad")) {
            let number: u8 = digit.parse().ok().filter(|n| *n > 0)?;
            let id = ClientId(number - 1);
            let can = session.timeline().world().next_of(id).is_some();
            let msg = if event.shift_key() { Msg::RunClient(id) } else { Msg::Step(id) };
            return can.then_some(Input::Session(msg));
        }
        Some(match event.key().as_str() {
            // On a button or a link, Space is for that.
            " " if tag == "BUTTON" || tag == "A" => return None,
            " " => Input::Play,
            "ArrowLeft" | "ArrowUp" | "PageUp" => Input::Session(Msg::Back),
            "ArrowRight" | "ArrowDown" | "PageDown" | "." => Input::Session(Msg::Forward),
            "Home" => Input::Session(Msg::Seek(0)),
            "End" => Input::Session(Msg::Seek(session.timeline().len())),
            "r" | "R" => Input::Session(Msg::Reset),
            "x" | "X" => Input::Random,
            "f" | "F" => Input::Find,
            "d" | "D" if !faults::menu(session, self.lang).is_empty() => Input::Faults(true),
            "?" => Input::Help(true),
            _ => return None,
        })
    }

    fn load_index(&mut self, ctx: &Context<Self>) {
        ctx.link().send_future(async {
            let text = browser::load("lessons/index.json".into()).await;
            Event::Index(text.and_then(|text| json::read(&text)))
        });
    }

    /// Shows what the address says.
    fn follow_address(&mut self, ctx: &Context<Self>) {
        self.playing = None;
        self.banners.clear();
        self.fragment = browser::fragment();
        let link = Link::parse(&self.fragment);
        if let Some(tag) = &link.lang {
            match Lang::from_tag(tag) {
                Some(lang) => self.lang = lang,
                None => self.banners.push(Banner::Lang(tag.clone())),
            }
        }
        self.guide = None;
        self.in_glossary = link.lesson.is_none() && link.page.as_deref() == Some("glossary");
        if self.in_glossary && self.glossary.is_none() {
            ctx.link().send_future(async {
                let text = browser::load("lessons/glossary.json".into()).await;
                Event::Glossary(text.and_then(|text| json::read(&text)))
            });
        }
        let Some(id) = link.lesson.clone() else {
            self.session = None;
            self.wanted = None;
            return;
        };
        let known = self.session.take().filter(|session| session.lesson().id == id);
        self.wanted = Some(id.clone());
        if let Some(session) = known {
            let lesson = session.lesson().clone();
            return self.open(lesson, &link);
        }
        // An id is a folder's name; anything else is no lesson, and must not become a path.
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !id.chars().all(plain) {
            return self.no_such_lesson(id);
        }
        ctx.link().send_future(async move {
            let text = browser::load(format!("lessons/{id}.json")).await;
            let read = |text: String| Ok((json::read(&text)?, text));
            Event::Lesson(id, Box::new(text.and_then(read)))
        });
    }

    fn loaded(&mut self, id: String, loaded: Result<(Lesson, String), String>) {
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

    fn no_such_lesson(&mut self, id: String) {
        self.wanted = None;
        self.session = None;
        self.banners.push(Banner::NoSuchLesson(id));
    }

    fn open(&mut self, lesson: Rc<Lesson>, link: &Link) {
        let id = lesson.id.clone();
        if let Some(guide) = &lesson.guide {
            self.trail = link.at.as_ref().map(|at| Trail::to(guide, at)).unwrap_or_default();
            self.guide = Some(lesson);
            return;
        }
        // A program that came with the link is shown, and kept only once it is edited.
        let draft = || browser::stored(&format!("draft.{id}"));
        self.fix = Fix::new(&lesson, link.program.clone().or_else(draft));
        self.answers = Answers::new(&lesson);
        self.progress = progress(&id);
        let own = (link.variant.as_deref() == Some(ANSWER))
            .then(|| lesson.without_answer().with_answer(self.fix.draft()).ok())
            .flatten();
        let lesson = own.map_or(lesson, Rc::new);
        match Session::open(lesson, link) {
            Ok((session, notices)) => {
                self.session = Some(session);
                self.banners.extend(notices.into_iter().map(Banner::Lesson));
            }
            Err(why) => {
                self.wanted = None;
                self.banners.push(Banner::LoadFailed(id, why));
            }
        }
    }

    fn banner_texts(&self) -> Vec<String> {
        let lang = self.lang;
        let session = self.session.as_ref();
        let text = |banner: &Banner| match banner {
            Banner::NoSuchLesson(id) => {
                let id: String = id.chars().take(60).collect();
                Some(fill(tr(lang, Key::NoSuchLesson), &[&id]))
            }
            Banner::LoadFailed(id, why) => Some(fill(tr(lang, Key::LoadFailed), &[id, why])),
            Banner::IndexFailed(why) => Some(fill(tr(lang, Key::IndexFailed), &[why])),
            Banner::Lang(tag) => Some(fill(tr(lang, Key::BadParam), &["lang", tag, "en, zh"])),
            Banner::Lesson(notice) => session.map(|session| notice.text(lang, session)),
            Banner::Answer(why) => Some(why.clone()),
            Banner::TooLong => Some(tr(lang, Key::FixTooLong).to_owned()),
            Banner::SaveFailed => Some(tr(lang, Key::SaveFailed).to_owned()),
            Banner::ShareFailed => Some(tr(lang, Key::ShareFailed).to_owned()),
        };
        self.banners.iter().filter_map(text).collect()
    }

    /// Keeps what the learner has done.
    fn remember(&mut self) {
        let Some(session) = &self.session else { return };
        let before = self.progress;
        let timeline = session.timeline();
        let at_end = !timeline.is_empty() && timeline.cursor() == timeline.len();
        let done = &mut self.progress;
        done.watched |= session.mode() == Mode::Watch && at_end;
        done.best = done.best.into_iter().chain(challenge::met(session)).min();
        let finding = session.answer_shown().and_then(|_| self.searches.of(session));
        done.fixed |= self.fix.graded(finding) == Grade::Passed;
        done.answered |= self.answers.all_right(session.lesson());
        if *done != before {
            browser::store(&format!("progress.{}", session.lesson().id), &done.write());
        }
    }

    /// Brings the document around the page in line with its state.
    fn settle(&mut self) {
        if let Some(session) = &self.session {
            self.searches.settle(session);
        }
        self.remember();
        browser::set_root("lang", self.lang.html());
        browser::set_root("data-theme", self.theme.id());
        let lesson = self.session.as_ref().map(Session::lesson).or(self.guide.as_ref());
        let title = match lesson {
            Some(lesson) => {
                let goal = plain(lesson.goal.get(self.lang));
                format!("{} · {goal} · Interleave", lesson.title.get(self.lang))
            }
            None => format!("Interleave · {}", tr(self.lang, Key::Tagline)),
        };
        browser::set_title(&title);
        let fragment = match &self.session {
            Some(session) => session.link(self.lang).write(),
            None if self.guide.is_some() || self.in_glossary => {
                let page = self.in_glossary.then(|| "glossary".to_owned());
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
        if browser::fragment() == self.fragment && self.fragment != format!("#{fragment}") {
            browser::replace_fragment(&fragment);
            self.fragment = browser::fragment();
        }
    }
}

/// The language of the last visit, or the reader's first that there is.
fn preferred_lang() -> Lang {
    let stored = browser::stored("lang").and_then(|tag| Lang::from_tag(&tag));
    let preferred = || browser::languages().iter().find_map(|tag| Lang::from_tag(tag));
    stored.or_else(preferred).unwrap_or_default()
}

/// Keys and the address, for as long as the page lives.
fn listen(ctx: &Context<App>) {
    let Some(window) = browser::window() else { return };
    let link = ctx.link().clone();
    let on_key = Closure::<dyn Fn(KeyboardEvent)>::new(move |event| {
        link.send_message(Event::Key(event));
    });
    let link = ctx.link().clone();
    let on_move = Closure::<dyn Fn()>::new(move || link.send_message(Event::Moved));
    let listeners = [("keydown", on_key.as_ref()), ("hashchange", on_move.as_ref())];
    for (name, listener) in listeners {
        let _ = window.add_event_listener_with_callback(name, listener.unchecked_ref());
    }
    on_key.forget();
    on_move.forget();
}
