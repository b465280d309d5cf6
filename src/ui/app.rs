//! The page's state, and every effect it has on the browser.

use std::rc::Rc;

use gloo_timers::callback::{Interval, Timeout};
use wasm_bindgen::prelude::*;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

use crate::json;
use crate::lesson::{FORMAT, Index, Lesson, plain};
use crate::sim::ClientId;
use crate::text::{Key, Lang, fill, tr};
use crate::view::cards::cards;
use crate::view::chips::chips;
use crate::view::diagram::{Space, diagram};
use crate::view::explain::explain;
use crate::view::faults;
use crate::view::find::{Answer, Panel, hint};
use crate::view::link::Link;
use crate::view::redis::panel;
use crate::view::session::{Mode, Msg, Notice, Session};
use crate::view::strip;

use super::browser;
use super::cards::Cards;
use super::diagram::DiagramPane;
use super::faults::Faults;
use super::find::{self, FindProps, Hint};
use super::header::{BannersProps, GoalProps, HeaderProps, Help, banners, goal, header};
use super::home::home;
use super::line::Line;
use super::redis::redis;
use super::searches::Searches;
use super::story::{StoryProps, Told, story};
use super::transport::{TransportProps, transport};

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
    Hints(bool),
}

/// What arrives at the page.
#[derive(Debug)]
pub enum Event {
    Input(Input),
    Key(KeyboardEvent),
    /// The address was changed by hand, by a link or by the history.
    Moved,
    Index(Result<Index, String>),
    /// Its id; the lesson, and the file it was read from.
    Lesson(String, Result<(Lesson, String), String>),
    /// From the checker.
    Heard(Answer),
    /// There is time to get the checker ready.
    Idle,
    Tick,
    Width(i32),
    Copied(bool),
    ShareSettled,
}

/// Something the page has to say above its content.
#[derive(Debug, Clone, PartialEq)]
enum Banner {
    NoSuchLesson(String),
    LoadFailed(String, String),
    IndexFailed(String),
    Lang(String),
    Lesson(Notice),
    ShareFailed,
}

pub struct App {
    lang: Lang,
    theme: Theme,
    index: Option<Index>,
    /// The lesson asked for; its session follows when the file is here.
    wanted: Option<String>,
    session: Option<Session>,
    banners: Vec<Banner>,
    width: i32,
    playing: Option<Interval>,
    speed: usize,
    help: bool,
    faults: bool,
    /// The fragment of the address as it was last read or written here. Another one has come from
    /// outside; the event that tells of it is on its way, and it must not be overwritten.
    fragment: String,
    shared: Option<bool>,
    share_settles: Option<Timeout>,
    searches: Searches,
    idle: Option<Timeout>,
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
            share_settles: None,
            searches: Searches::new(Line::new({
                let link = ctx.link().clone();
                move |answer| link.send_message(Event::Heard(answer))
            })),
            idle: None,
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
            Event::Index(Err(why)) => self.banners.push(Banner::IndexFailed(why)),
            Event::Lesson(id, loaded) => {
                self.loaded(id, loaded);
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
            Event::Copied(done) => {
                self.shared = Some(done);
                if !done {
                    self.banners.push(Banner::ShareFailed);
                }
                let link = ctx.link().clone();
                let settle = move || link.send_message(Event::ShareSettled);
                self.share_settles = Some(Timeout::new(2_500, settle));
            }
            Event::ShareSettled => self.shared = None,
        }
        self.settle();
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let on = ctx.link().callback(Event::Input);
        let lesson = self
            .session
            .as_ref()
            .map(|session| (session.lesson().title.get(self.lang).clone(), session.mode()));
        let retry = self
            .banners
            .iter()
            .any(|banner| matches!(banner, Banner::LoadFailed(..) | Banner::IndexFailed(_)));
        html! {
            <div class={classes!("page", self.session.is_some().then_some("in-lesson"))}>
                { header(&HeaderProps {
                    lang: self.lang,
                    theme: self.theme,
                    lesson,
                    shared: self.shared,
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
                    None if self.wanted.is_some() => html! {
                        <main class="loading">
                            <p role="status">{ tr(self.lang, Key::Loading) }</p>
                        </main>
                    },
                    None => home(self.index.as_ref(), self.lang),
                } }
                <Help lang={self.lang} open={self.help} {on} />
            </div>
        }
    }
}

impl App {
    fn lesson(&self, ctx: &Context<Self>, session: &Session, on: &Callback<Input>) -> Html {
        let lang = self.lang;
        let lesson = session.lesson();
        if session.mode() == Mode::Find {
            return self.finding(session, on);
        }
        let timeline = session.timeline();
        let (step, steps) = (timeline.cursor(), timeline.len());
        let send = |make: fn(usize) -> Msg| on.reform(move |n: usize| Input::Session(make(n)));
        let say = |msg: Msg| on.reform(move |()| Input::Session(msg.clone()));
        let cards = cards(session, lang);
        let watching = session.mode() == Mode::Watch;
        let hint = watching.then(|| AttrValue::from(tr(lang, Key::WatchOnly)));
        let told = watching.then(|| self.told(session));
        let labels = lesson.variants.iter().map(|v| v.label.get(lang).clone());
        let variants: Vec<String> = labels.collect();
        let space = Space { width: self.width, touch: browser::is_touch() };
        let menu = faults::menu(session, lang);
        let world = format!("{:016x}", timeline.frame().fingerprint);
        let run = format!("{:016x}", timeline.digest());
        html! {
            <>
                { goal(&GoalProps {
                    lang,
                    goal: lesson.goal.get(lang).clone(),
                    variants,
                    variant: session.variant(),
                    chips: chips(session, lang),
                    on_variant: send(Msg::Variant),
                }) }
                <main class="lesson" data-fingerprint={world} data-digest={run}
                    data-step-now={step.to_string()} data-clients={cards.len().to_string()}>
                    <div class="words-pane">
                        { story(&StoryProps {
                            lang,
                            step,
                            steps,
                            told,
                            said: explain(session, lang),
                            on_walk: send(Msg::Walk),
                            on_back: say(Msg::Back),
                            on_next: say(Msg::Forward),
                            on_free: say(Msg::Mode(Mode::Schedule)),
                        }) }
                        { find::hint(&hint_words(session, &self.searches, lang), lang, on) }
                    </div>
                    <section class="programs" aria-label={tr(lang, Key::Clients)}>
                        <h2>{ tr(lang, Key::Clients) }</h2>
                        <Cards cards={cards.clone()} {lang} hint={hint.clone()} {step}
                            on_step={on.reform(|id: ClientId| Input::Session(Msg::Step(id)))} />
                    </section>
                    <section class="time" aria-label={tr(lang, Key::Time)}>
                        <h2>{ tr(lang, Key::Time) }<span aria-hidden="true">{ " ↓" }</span></h2>
                        <DiagramPane diagram={diagram(timeline, space, lang)} {lang} {step}
                            on_seek={send(Msg::Seek)}
                            on_width={ctx.link().callback(Event::Width)} />
                    </section>
                    <section class="redis" aria-label={tr(lang, Key::Redis)}>
                        { redis(&panel(timeline, lang), lang) }
                    </section>
                </main>
                { transport(&TransportProps {
                    lang,
                    mode: session.mode(),
                    step,
                    steps,
                    cells: strip::strip(timeline),
                    kept: strip::kept(timeline),
                    cards,
                    hint,
                    playing: self.playing.is_some(),
                    speed: self.speed,
                    advance: faults::advance_label(timeline.world(), lang),
                    faults: !menu.is_empty(),
                    wire: session.wire(),
                    on: on.clone(),
                }) }
                <Faults {lang} open={self.faults} groups={menu} on={on.clone()} />
            </>
        }
    }

    fn finding(&self, session: &Session, on: &Callback<Input>) -> Html {
        let lang = self.lang;
        let lesson = session.lesson();
        let labels = lesson.variants.iter().map(|v| v.label.get(lang).clone());
        let variants: Vec<String> = labels.collect();
        let variant = session.variant();
        let panel = Panel::new(lesson, variant, self.searches.of(session), lang);
        html! {
            <>
                { goal(&GoalProps {
                    lang,
                    goal: lesson.goal.get(lang).clone(),
                    variants: variants.clone(),
                    variant,
                    // They speak of a run; here all runs are meant.
                    chips: Vec::new(),
                    on_variant: on.reform(|n: usize| Input::Session(Msg::Variant(n))),
                }) }
                { find::find(&FindProps {
                    lang,
                    variant: variants.get(variant).cloned().unwrap_or_default(),
                    panel: &panel,
                    on: on.clone(),
                }) }
            </>
        }
    }

    fn told(&self, session: &Session) -> Told {
        let lesson = session.lesson();
        let walk = session.walk();
        let titles = || {
            let titles = lesson.walks.iter().map(|walk| walk.title.get(self.lang).clone());
            titles.enumerate()
        };
        let of_variant = |(number, _): &(usize, String)| {
            lesson.walks.get(*number).is_some_and(|walk| walk.variant == session.variant())
        };
        let others: Vec<(usize, String)> = titles().filter(of_variant).collect();
        Told {
            words: lesson.walk_step(walk, session.timeline().cursor(), self.lang).to_vec(),
            title: titles().nth(walk).map(|(_, title)| title).unwrap_or_default(),
            others: if others.len() > 1 { others } else { Vec::new() },
            walk,
            next: titles().nth(walk + 1),
        }
    }

    fn input(&mut self, ctx: &Context<Self>, input: Input) {
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
            Input::Share => self.copy(ctx, browser::address()),
            Input::ShareRun(schedule) => {
                if let Some(session) = &self.session {
                    let link = session.link_to_run(&schedule, self.lang);
                    self.copy(ctx, browser::address_with(&link.write()));
                }
            }
            Input::Find => self.find(),
            Input::FindStop => self.searches.stop(),
            Input::Hints(on) => self.searches.set_hints(on),
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

    fn copy(&self, ctx: &Context<Self>, address: String) {
        ctx.link().send_future(async move { Event::Copied(browser::copy(address).await) });
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
    fn session_input(&mut self, msg: Msg) {
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
        if self.help || self.faults || event.ctrl_key() || event.alt_key() || event.meta_key() {
            return None;
        }
        let session = self.session.as_ref()?;
        let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
        let tag = target.map(|element| element.tag_name()).unwrap_or_default();
        if matches!(tag.as_str(), "INPUT" | "TEXTAREA" | "SELECT") {
            return None;
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
            Event::Lesson(id, text.and_then(read))
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
            Banner::ShareFailed => Some(tr(lang, Key::ShareFailed).to_owned()),
        };
        self.banners.iter().filter_map(text).collect()
    }

    /// Brings the document around the page in line with its state.
    fn settle(&mut self) {
        if let Some(session) = &self.session {
            self.searches.settle(session);
        }
        browser::set_root("lang", self.lang.html());
        browser::set_root("data-theme", self.theme.id());
        let title = match &self.session {
            Some(session) => {
                let lesson = session.lesson();
                let goal = plain(lesson.goal.get(self.lang));
                format!("{} · {goal} · Interleave", lesson.title.get(self.lang))
            }
            None => format!("Interleave · {}", tr(self.lang, Key::Tagline)),
        };
        browser::set_title(&title);
        let fragment = match &self.session {
            Some(session) => session.link(self.lang).write(),
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

/// The hint below the words of a free run: `None` where there is none to ask for.
fn hint_words(session: &Session, searches: &Searches, lang: Lang) -> Hint {
    match (session.mode(), searches.hints()) {
        (Mode::Schedule, true) => Hint::Said(hint(session, searches.near(), lang)),
        (Mode::Schedule, false) => Hint::Offered,
        _ => Hint::Absent,
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
