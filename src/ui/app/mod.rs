//! The page's state, and every effect it has on the browser.

use std::cell::Cell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

use crate::app::run::{Outside, RunState, SPEEDS, at_end, can_compare};
use crate::app::stage::Hint;
use crate::json;
use crate::lesson::{ANSWER, FORMAT, Glossary, Index, Lesson, OWN, plain};
use crate::sim::ClientId;
use crate::text::{CrowdWord, Key, Lang, crowd, fill, tr};
use crate::view::challenge;
use crate::view::console::docs::Docs;
use crate::view::console::{Do, Panel as ConsolePanel};
use crate::view::embed::Bad;
use crate::view::export::{Form, export};
use crate::view::faults;
use crate::view::find::Answer;
use crate::view::fix::{Fix, Grade};
use crate::view::guide::Trail;
use crate::view::import::Imported;
use crate::view::link::{LeftOut, Link};
use crate::view::own::example::Examples;
use crate::view::own::{Mistake, TEXT_MAX};
use crate::view::progress::Progress;
use crate::view::review::Answers;
use crate::view::session::{Mode, Msg, Notice, Session};

mod address;
mod console;
mod crowd;
mod embed;
mod input;
mod kept;
mod own;
mod real;

pub(super) use crowd::CrowdInput;
pub(super) use kept::KeptInput;
pub(super) use own::{OwnInput, Playground};
pub(super) use real::RealInput;
use real::{Real, RealEvent};

use self::embed::Embedded;
use self::kept::Drafts;
use super::browser;
use super::crowds::Crowds;
use super::embed::dialog::Maker;
use super::front::Kept;
use super::glossary::glossary;
use super::guide::guide;
use super::header::{BannersProps, HeaderProps, Help, banners, header};
use super::home::{Done, Home, home, progress};
use super::lazy::memo;
use super::line::Line;
use super::offline::{self, Offline};
use super::pages::hint_words;
use super::picture;
use super::present::Presenter;
use super::searches::Searches;
use super::share::Share;

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
    /// A finger on the strip stands at this place of the run.
    Scrub(f64),
    Speed(usize),
    Lang(Lang),
    Theme,
    Share,
    /// The dialog that makes a snippet for course pages.
    EmbedOpen(bool),
    Help(bool),
    /// Opens or closes the fault menu.
    Faults(bool),
    /// Opens or closes the list of runs.
    Runs(bool),
    /// Shows this kept run beside the present one.
    CompareRun(u32),
    /// Shows what scripts and transactions do inside, or no longer.
    Inside(bool),
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
    /// Opens the run of a question, by its id.
    LookAt(String, Msg),
    ToQuestion,
    /// A question and one of its choices.
    Tick(usize, usize),
    GiveAnswer(usize),
    AnswerAgain(usize),
    GuideAnswer(usize),
    GuideBack,
    GuideStart,
    /// What the glossary is searched for.
    Filter(String),
    /// Opens or leaves the presenter view.
    Present(bool),
    /// Darkens the presenter's screen, or brings it back.
    Dark(bool),
    /// Takes the new version of the page; false: not now.
    Renew(bool),
    /// Keeps a copy of the page for use without a network, or removes it.
    KeepCopy(bool),
    Console(Do),
    /// A transcript that was read is opened: as programs, or where it is false typed at consoles.
    Imported(Rc<Imported>, bool),
    Own(OwnInput),
    Real(RealInput),
    Crowd(CrowdInput),
    Kept(KeptInput),
    /// Takes the last change of the learner's program back; true: makes it again.
    UndoDraft(bool),
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
    /// The reference of the commands.
    Docs(Result<Docs, String>),
    /// Its id; the lesson, and the file it was read from.
    Lesson(String, Box<Result<(Lesson, String), String>>),
    /// From the checker.
    Heard(Answer),
    /// From a worker of the crowd.
    Crowd(usize, Answer),
    /// There is time to get the checker ready.
    Idle,
    /// There is time to bring the address up to date.
    Address,
    /// The page has answered: a run that is under way goes on.
    GoOn,
    Tick,
    /// The room of the diagram, in px.
    Room(i32, i32),
    /// What was copied; whether it was.
    Copied(String, bool),
    Saved(bool),
    ShareSettled,
    /// The keeper of the offline copy has said something.
    Offline,
    /// What the page around this one says, and the origin it comes from.
    Parent(String, String),
    Examples(Result<Examples, String>),
    /// A file's name and bytes.
    File(String, Result<Vec<u8>, String>),
    /// Nobody has typed for a while.
    OwnPaused,
    /// What was run has been drawn.
    Drawn,
    /// Of the run on a real Redis.
    Real(RealEvent),
    /// Of the crowd on real servers.
    Servers(RealEvent),
}

/// What is shown while no lesson is open; its name stands in the address as `page`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    /// The list of lessons, with no name.
    List,
    Glossary,
    /// For teachers: a snippet for their own pages.
    Embed,
    Playground,
}

impl Page {
    const ALL: [Page; 4] = [Page::List, Page::Glossary, Page::Embed, Page::Playground];

    fn id(self) -> Option<&'static str> {
        match self {
            Page::List => None,
            Page::Glossary => Some("glossary"),
            Page::Embed => Some("embed"),
            Page::Playground => Some("playground"),
        }
    }

    /// A name that no page has.
    #[inline(never)]
    fn unknown(link: &Link) -> Option<Bad> {
        let asked = link.page.as_ref().filter(|_| link.lesson.is_none())?;
        let names = || Page::ALL.into_iter().filter_map(Page::id);
        let value = asked.chars().take(60).collect();
        let accepted = || names().collect::<Vec<_>>().join(", ");
        (!names().any(|name| name == asked)).then(|| Bad {
            name: "page",
            value,
            accepted: accepted(),
        })
    }

    fn of(link: &Link) -> Page {
        let asked = link.page.as_deref();
        let named = Page::ALL.into_iter().find(|page| page.id() == asked && asked.is_some());
        let own = link.scenario.as_ref().map(|_| Page::Playground);
        named.or(own).unwrap_or(Page::List)
    }
}

/// Something the page has to say above its content.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Banner {
    NoSuchLesson(String),
    LoadFailed(String, String),
    IndexFailed(String),
    Lang(String),
    /// A parameter of an embed.
    Param(Bad),
    Lesson(Notice),
    /// The learner's program, in words.
    Answer(String),
    TooLong,
    /// A link that was copied leads to less than what is shown.
    LeftOut(LeftOut),
    /// Of the learner's scenario, or of a file that should have become one.
    Own(Mistake),
    OwnTooLong,
    Examples(String),
    ShareFailed,
    SaveFailed,
}

pub struct App {
    /// Always the same one, so that what is drawn from it can be compared.
    on: Callback<Input>,
    pub(super) lang: Lang,
    theme: Theme,
    index: Option<Index>,
    /// The lesson asked for; its session follows when the file is here.
    wanted: Option<String>,
    pub(super) run: RunState,
    /// The next step of "play".
    beat: Option<Timeout>,
    /// A key that is held down steps at full rate: without films.
    held_key: bool,
    pub(super) on_room: Callback<(i32, i32)>,
    pub(super) banners: Vec<Banner>,
    help: bool,
    pub(super) faults: bool,
    /// The list of runs is open.
    pub(super) runs: bool,
    /// The fragment of the address as it was last read or written here. Another one has come from
    /// outside; the event that tells of it is on its way, and it must not be overwritten.
    fragment: String,
    /// What was just copied.
    shared: Option<String>,
    /// The share dialog is open.
    pub(super) sharing: bool,
    share_settles: Option<Timeout>,
    pub(super) searches: Searches,
    pub(super) crowds: Crowds,
    idle: Option<Timeout>,
    pub(super) fix: Fix,
    /// The draft may be thrown away at the next press.
    pub(super) sure: bool,
    pub(super) answers: Answers,
    /// What was done of the lesson that is open.
    pub(super) progress: Progress,
    /// A guide has no runs, and so no session.
    guide: Option<Rc<Lesson>>,
    trail: Trail,
    /// What is shown while no lesson is open.
    page: Page,
    glossary: Option<Glossary>,
    filter: String,
    /// What was done of the lessons, as the list says; read when it is shown.
    done: Option<Done>,
    /// The run on the front page.
    front: Kept,
    pub(super) offline: Offline,
    pub(super) presenter: Option<Presenter>,
    /// Where this stands in a course page.
    pub(super) embed: Option<Embedded>,
    /// The dialog that makes a snippet is open.
    making: bool,
    /// The consoles beside the run.
    pub(super) console: ConsolePanel,
    /// Grows when a console is to be typed at.
    console_focus: u32,
    docs: Option<Rc<Docs>>,
    docs_asked: bool,
    /// The playground, once it was opened.
    own: Option<Playground>,
    /// How what is written is kept for the next visit.
    drafts: Drafts,
    /// The address is behind.
    address_waits: Option<Timeout>,
    /// A run is under way, and goes on as soon as the page has answered.
    slice: Option<Timeout>,
    /// The mode is another one: the address becomes a new entry in the history.
    turns: bool,
    /// The question whose run is shown.
    pub(super) question: Option<String>,
    /// What the address has no room for.
    left_out: Option<LeftOut>,
    /// The dialogs that were opened once, a bit each.
    met: Cell<u8>,
    /// The run on a real Redis, once it was asked for.
    pub(super) real: Option<Real>,
    /// A crowd that runs on real servers.
    servers: Option<crowd::OnServers>,
}

impl Component for App {
    type Message = Event;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> App {
        listen(ctx);
        let embed = Embedded::new(ctx);
        let stored = browser::stored("theme");
        let stored = Theme::ALL.into_iter().find(|one| Some(one.id()) == stored.as_deref());
        // A course page has a theme of its own, whatever the reader chose elsewhere.
        let theme = embed.as_ref().map_or(stored, Embedded::theme);
        let lang = embed.as_ref().and_then(|embed| embed.asked.lang);
        let line = Rc::new(Line::new({
            let link = ctx.link().clone();
            move |answer| link.send_message(Event::Heard(answer))
        }));
        let mut app = App {
            on: ctx.link().callback(Event::Input),
            lang: lang.unwrap_or_else(preferred_lang),
            theme: theme.unwrap_or(Theme::Auto),
            index: None,
            wanted: None,
            run: RunState::new(browser::stored("face").unwrap_or_default()),
            beat: None,
            held_key: false,
            on_room: ctx.link().callback(|(width, height)| Event::Room(width, height)),
            banners: Vec::new(),
            help: false,
            faults: false,
            runs: false,
            fragment: String::new(),
            shared: None,
            sharing: false,
            share_settles: None,
            searches: Searches::new(line.clone()),
            crowds: Crowds::new(embed.is_some(), line, {
                let link = ctx.link().clone();
                move |hand, answer| link.send_message(Event::Crowd(hand, answer))
            }),
            idle: None,
            fix: Fix::default(),
            sure: false,
            answers: Answers::default(),
            progress: Progress::default(),
            guide: None,
            trail: Trail::default(),
            page: Page::List,
            glossary: None,
            filter: String::new(),
            done: None,
            front: Kept::default(),
            offline: Offline::default(),
            presenter: None,
            embed,
            making: false,
            console: ConsolePanel::default(),
            console_focus: 0,
            docs: None,
            docs_asked: false,
            own: None,
            drafts: Drafts::default(),
            address_waits: None,
            slice: None,
            turns: false,
            question: None,
            left_out: None,
            met: Cell::new(0),
            real: None,
            servers: None,
        };
        app.offline.hear();
        app.load_index(ctx);
        app.follow_address(ctx);
        app.settle(ctx);
        app.refresh();
        app.look_up();
        app
    }

    fn update(&mut self, ctx: &Context<Self>, event: Event) -> bool {
        match event {
            Event::Input(input) => self.input(ctx, input),
            Event::Key(event) => match self.key(&event) {
                Some(input) => {
                    event.prevent_default();
                    self.held_key = event.repeat();
                    self.input(ctx, input);
                }
                None => return false,
            },
            Event::Moved => self.follow_address(ctx),
            Event::Index(Ok(index)) => self.index = Some(index),
            Event::Index(Err(why)) | Event::Glossary(Err(why)) => {
                self.banners.push(Banner::IndexFailed(why));
            }
            Event::Docs(Ok(docs)) => self.docs = Some(Rc::new(docs)),
            // Typing works without it; `help` says that it is missing.
            Event::Docs(Err(_)) => self.docs_asked = false,
            Event::Glossary(Ok(glossary)) => self.glossary = Some(glossary),
            Event::Lesson(id, loaded) => {
                self.loaded(id, *loaded);
                let link = ctx.link().clone();
                let idle = move || link.send_message(Event::Idle);
                self.idle = Some(Timeout::new(IDLE_MS, idle));
            }
            Event::Heard(answer) if Crowds::is_for(&answer) => {
                if !self.crowd_says(0, answer) {
                    return false;
                }
            }
            Event::Heard(answer) => {
                if !self.searches.hear(answer) {
                    return false;
                }
            }
            Event::Crowd(hand, answer) => {
                if !self.crowd_says(hand, answer) {
                    return false;
                }
            }
            Event::Idle => {
                // Ten embeds on a page would load it ten times, for nobody perhaps.
                if let Some(session) = self.run.session.as_ref().filter(|_| self.embed.is_none()) {
                    self.searches.warm(session);
                }
                return false;
            }
            Event::Address => {
                self.write_address();
                return false;
            }
            Event::GoOn => {
                let notices = self.run.session.as_mut().map(Session::go_on).unwrap_or_default();
                self.banners.extend(notices.into_iter().map(Banner::Lesson));
            }
            Event::Tick => self.tick(ctx),
            Event::Room(width, height) => {
                if (width, height) == self.run.room || width == 0 {
                    return false;
                }
                self.run.room = (width, height);
            }
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
            Event::Offline => self.offline.hear(),
            Event::Parent(text, origin) => self.parent_says(ctx, &text, &origin),
            Event::Examples(_) | Event::File(..) | Event::OwnPaused => self.own_event(event),
            Event::Drawn => {
                self.drawn();
                return false;
            }
            Event::Real(event) => self.real_event(event),
            Event::Servers(event) => {
                if !self.servers_say(ctx, event) {
                    return false;
                }
            }
        }
        if self.real.is_some() {
            self.follow_real(ctx);
        }
        self.settle(ctx);
        self.refresh();
        self.look_up();
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        self.settle_mark(ctx);
        if let Some(embed) = self.embed.as_ref().filter(|_| first) {
            embed.observe();
        }
        if let (Some(presenter), Some(session)) = (&mut self.presenter, &self.run.session) {
            let told = if session.mode() == Mode::Watch { session.walk() } else { usize::MAX };
            presenter.fit(format!(
                "{} {told} {} {:?}",
                session.variant(),
                self.run.face,
                self.lang
            ));
        }
    }

    fn view(&self, _: &Context<Self>) -> Html {
        let on = self.on.clone();
        let open = self.run.session.as_ref().map(Session::lesson).or(self.guide.as_ref());
        let title = open.map(|lesson| lesson.title.get(self.lang).clone());
        let title = match self.playground() {
            Some(_) => title
                .filter(|title| !title.is_empty())
                .or_else(|| Some(tr(self.lang, Key::Playground).to_owned())),
            None => title,
        };
        let modes = self.run.session.as_ref().map(|session| (session.modes(), session.mode()));
        let retry = self
            .banners
            .iter()
            .any(|banner| matches!(banner, Banner::LoadFailed(..) | Banner::IndexFailed(_)));
        html! {
            <div class={classes!("page", self.run.session.is_some().then_some("in-lesson"),
                self.presenter.is_some().then_some("presenting"))}>
                { memo(HeaderProps {
                    lang: self.lang,
                    theme: self.theme,
                    title,
                    modes,
                    embed: self.embed.is_some(),
                    on: on.clone(),
                }, header) }
                { banners(&BannersProps {
                    lang: self.lang,
                    banners: self.banner_texts(),
                    retry,
                    on: on.clone(),
                }) }
                { offline::news(self.offline.news, self.lang, &on) }
                { self.offers(&on) }
                { match &self.run.session {
                    Some(session) => self.lesson(session, &on),
                    None if self.guide.is_some() => self.guiding(&on),
                    None if self.wanted.is_some() => html! {
                        <main class="loading">
                            <p role="status">{ tr(self.lang, Key::Loading) }</p>
                        </main>
                    },
                    None if self.page == Page::Glossary => {
                        glossary(self.glossary.as_ref(), &self.filter, self.lang, &on)
                    }
                    None if self.page == Page::Embed => self.embed_page(&on),
                    None => home(&Home {
                        index: self.index.as_ref(),
                        done: self.done.as_ref(),
                        front: &self.front,
                        lang: self.lang,
                    }),
                } }
                <p class="toast" role="status">
                    if self.shared.as_deref() == Some("run") { { tr(self.lang, Key::Shared) } }
                </p>
                if self.met(Dialog::Share, self.sharing) { { self.share_dialog(&on) } }
                if self.run.session.is_some() && self.met(Dialog::Embed, self.making) {
                    { self.embed_dialog(&on) }
                }
                if self.real.is_some() { { self.real_dialog(&on) } }
                { self.presenter.as_ref().map(|one| one.overlay(self.lang, &on)) }
                if self.met(Dialog::Help, self.help) { { self.help_dialog(&on) } }
            </div>
        }
    }
}

/// What stands above the page when it is called up.
#[derive(Debug, Clone, Copy)]
pub(super) enum Dialog {
    Share,
    Embed,
    Help,
    Faults,
    Runs,
}

impl App {
    /// Whether a dialog is there: from when it is opened first. It stays when it is closed, and so
    /// can put the focus back where it was.
    pub(super) fn met(&self, dialog: Dialog, open: bool) -> bool {
        let bit = 1 << dialog as u8;
        if open {
            self.met.set(self.met.get() | bit);
        }
        self.met.get() & bit != 0
    }

    #[inline(never)]
    fn share_dialog(&self, on: &Callback<Input>) -> Html {
        html! {
            <Share lang={self.lang} open={self.sharing} copied={self.shared.clone()}
                run={self.run.session.as_ref().is_some_and(|session| session.mode().is_stepped())}
                left_out={self.left_out}
                address={if self.sharing { browser::address() } else { String::new() }}
                {on} />
        }
    }

    #[inline(never)]
    fn embed_dialog(&self, on: &Callback<Input>) -> Html {
        html! {
            <Maker lang={self.lang} open={self.making} {on}
                link={self.run.session.as_ref().filter(|_| self.making)
                    .map(|s| self.link_of(s.link(self.lang)))}
                lesson={self.run.session.as_ref().map(|s| s.lesson().clone())} />
        }
    }

    #[inline(never)]
    fn embed_page(&self, on: &Callback<Input>) -> Html {
        html! {
            <Maker lang={self.lang} page=true open=true index={self.index.clone()} {on} />
        }
    }

    #[inline(never)]
    fn help_dialog(&self, on: &Callback<Input>) -> Html {
        html! { <Help lang={self.lang} open={self.help} copy={self.offline.copy} {on} /> }
    }

    /// Makes what the stage shows.
    fn refresh(&mut self) {
        let session = self.run.session.as_ref();
        let hint = session.map_or(Hint::Absent, |one| hint_words(one, &self.searches, self.lang));
        let outside = Outside {
            lang: self.lang,
            calm: std::mem::take(&mut self.held_key) || browser::is_calm(),
            is_own: self.playground().is_some(),
            hint,
            best: self.progress.best,
        };
        self.run.refresh(&outside);
    }

    /// Reads what was done of the lessons, once each time when their list is shown.
    fn look_up(&mut self) {
        match &self.index {
            Some(index) if self.at_list() => {
                self.done.get_or_insert_with(|| Done::read(index));
            }
            _ => self.done = None,
        }
    }

    /// The list of lessons is shown, and above it the run.
    fn at_list(&self) -> bool {
        let open = self.run.session.is_some() || self.guide.is_some() || self.wanted.is_some();
        !open && self.page == Page::List
    }

    #[inline(never)]
    fn guiding(&self, on: &Callback<Input>) -> Html {
        let found = self.guide.as_ref().and_then(|lesson| Some((lesson, lesson.guide.as_ref()?)));
        let Some((lesson, found)) = found else { return Html::default() };
        guide(lesson, found, &self.trail, self.lang, on)
    }

    fn banner_texts(&self) -> Vec<String> {
        self.banners.iter().filter_map(|banner| self.banner_text(banner)).collect()
    }

    #[inline(never)]
    fn banner_text(&self, banner: &Banner) -> Option<String> {
        let lang = self.lang;
        let session = self.run.session.as_ref();
        match banner {
            Banner::NoSuchLesson(id) => {
                let id: String = id.chars().take(60).collect();
                Some(fill(tr(lang, Key::NoSuchLesson), &[&id]))
            }
            Banner::LoadFailed(id, why) => Some(fill(tr(lang, Key::LoadFailed), &[id, why])),
            Banner::IndexFailed(why) => Some(fill(tr(lang, Key::IndexFailed), &[why])),
            Banner::Lang(tag) => Some(fill(tr(lang, Key::BadParam), &["lang", tag, "en, zh"])),
            Banner::Param(bad) => {
                Some(fill(tr(lang, Key::BadParam), &[bad.name, &bad.value, &bad.accepted]))
            }
            Banner::Lesson(notice) => session.map(|session| notice.text(lang, session)),
            Banner::Answer(why) => Some(why.clone()),
            Banner::LeftOut(what) => Some(what.text(lang).to_owned()),
            Banner::TooLong => Some(tr(lang, Key::FixTooLong).to_owned()),
            Banner::Own(mistake) => {
                let own = self.own.as_ref().map(|play| play.own.clone()).unwrap_or_default();
                Some(mistake.text(&own, lang))
            }
            Banner::OwnTooLong => {
                let kilobytes = (TEXT_MAX / 1024).to_string();
                Some(fill(tr(lang, Key::OwnTooLong), &[&kilobytes]))
            }
            Banner::Examples(why) => Some(fill(tr(lang, Key::OwnExamplesFailed), &[why])),
            Banner::SaveFailed => Some(tr(lang, Key::SaveFailed).to_owned()),
            Banner::ShareFailed => Some(tr(lang, Key::ShareFailed).to_owned()),
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
    let link = ctx.link().clone();
    let on_word = Closure::<dyn Fn()>::new(move || link.send_message(Event::Offline));
    let listeners = [
        ("keydown", on_key.as_ref()),
        ("hashchange", on_move.as_ref()),
        (offline::HEARD, on_word.as_ref()),
    ];
    for (name, listener) in listeners {
        let _ = window.add_event_listener_with_callback(name, listener.unchecked_ref());
    }
    on_key.forget();
    on_move.forget();
    on_word.forget();
    own::listen_for_files(ctx);
}
