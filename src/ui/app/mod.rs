//! The page's state, and every effect it has on the browser.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use web_sys::KeyboardEvent;
use yew::prelude::*;

use crate::app::banner::Banner;
use crate::app::crowd::{CrowdStore, Host};
use crate::app::input::{CrowdInput, Input, KeptInput, OwnInput, RealInput, Theme};
use crate::app::route::{self, Page};
use crate::app::run::{Outside, RunState, SPEEDS, at_end};
use crate::app::search::SearchStore;
use crate::app::stage::Hint;
use crate::json;
use crate::lesson::{ANSWER, FORMAT, Glossary, Index, Lesson, OWN, plain};
use crate::text::{CrowdWord, Key, Lang, crowd, tr};
use crate::view::challenge;
use crate::view::console::docs::Docs;
use crate::view::console::{Do, Panel as ConsolePanel};
use crate::view::embed::Bad;
use crate::view::export::export;
use crate::view::find::{Answer, Finding};
use crate::view::fix::{Fix, Grade};
use crate::view::guide::Trail;
use crate::view::import::Imported;
use crate::view::link::{LeftOut, Link};
use crate::view::own::example::Examples;
use crate::view::progress::Progress;
use crate::view::review::Answers;
use crate::view::session::{Mode, Msg, Session};

mod address;
mod console;
mod crowd;
mod embed;
mod input;
mod kept;
mod live;
mod own;
mod real;

pub(super) use own::Playground;
use real::{Real, RealEvent};

use self::embed::Embedded;
use self::kept::Drafts;
use super::browser;
use super::embed::dialog::{Maker, MakerProps};
use super::front::Kept;
use super::glossary::glossary;
use super::guide::guide;
use super::header::{BannersProps, HeaderProps, HelpProps, banners, header, help};
use super::home::{Done, Home, LAST, home, progress};
use super::lazy::memo;
use super::offline::{self, Offline};
use super::pages::hint_words;
use super::parts::dialog::{Frame, dialog};
use super::picture;
use super::present::Presenter;
use super::share::{ShareProps, share};
use super::workers::Workers;

/// After a lesson has opened, before the checker's worker is started.
const IDLE_MS: u32 = 800;

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
    /// From a worker, with its number.
    Heard(usize, Answer),
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
    /// Nobody has typed for a while.
    OwnPaused,
    /// Nor for the moment after which what was typed is searched.
    OwnLive,
    /// What was run has been drawn.
    Drawn,
    /// Of the run on a real Redis.
    Real(RealEvent),
    /// Of the crowd on real servers.
    Servers(RealEvent),
}

pub struct App {
    /// Always the same one, so that what is drawn from it can be compared.
    on: Callback<Input>,
    pub(super) lang: Lang,
    theme: Theme,
    pub(super) index: Option<Index>,
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
    pub(super) searches: SearchStore,
    pub(super) crowds: CrowdStore,
    /// To whom these two speak.
    workers: Workers,
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
            searches: SearchStore::new(browser::is_touch),
            crowds: CrowdStore::new(embed.is_some()),
            workers: Workers::new({
                let link = ctx.link().clone();
                move |number, answer| link.send_message(Event::Heard(number, answer))
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
            real: None,
            servers: None,
        };
        app.offline.hear();
        app.load_index(ctx);
        app.follow_address(ctx);
        app.settle(ctx);
        app.refresh();
        app.look_up();
        app.ask_workers();
        app
    }

    fn update(&mut self, ctx: &Context<Self>, event: Event) -> bool {
        let shows = self.take(ctx, event);
        self.ask_workers();
        shows
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
        html! {
            <div class={classes!("page", self.run.session.is_some().then_some("in-lesson"),
                self.presenter.is_some().then_some("presenting"))}>
                { memo(HeaderProps {
                    lang: self.lang,
                    theme: self.theme,
                    title,
                    modes,
                    done: self.progress,
                    embed: self.embed.is_some(),
                    on: on.clone(),
                }, header) }
                { banners(&BannersProps {
                    lang: self.lang,
                    banners: self.banner_texts(),
                    retry: self.banners.iter().any(Banner::can_retry),
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
                { self.share_dialog(&on) }
                { self.run.session.as_ref().map(|session| self.embed_dialog(session, &on)) }
                if self.real.is_some() { { self.real_dialog(&on) } }
                { self.presenter.as_ref().map(|one| one.overlay(self.lang, &on)) }
                { self.help_dialog(&on) }
            </div>
        }
    }
}

impl App {
    fn wait_until_idle(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        let idle = move || link.send_message(Event::Idle);
        self.idle = Some(Timeout::new(IDLE_MS, idle));
    }

    /// Handles an event. Returns whether there is something new to show.
    fn take(&mut self, ctx: &Context<Self>, event: Event) -> bool {
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
                self.wait_until_idle(ctx);
            }
            Event::Heard(0, answer) if !CrowdStore::is_for(&answer) => {
                // Where a run goes in a map changes nothing else, but in "Break it".
                let dares = |session: &Session| session.mode() == Mode::Break;
                let is_of_map = matches!(answer, Answer::Along(_))
                    && !self.run.session.as_ref().is_some_and(dares);
                if !self.searches.hear(answer) {
                    return false;
                }
                if is_of_map {
                    return true;
                }
            }
            Event::Heard(number, answer) => {
                if !self.crowd_says(number, answer) {
                    return false;
                }
            }
            Event::Idle if !browser::is_whole() => {
                self.wait_until_idle(ctx);
                return false;
            }
            Event::Idle => {
                // Ten embeds on a page would load it ten times, for nobody perhaps.
                let cold = self.embed.is_none() && self.workers.is_idle();
                if let Some(session) = self.run.session.as_ref().filter(|_| cold) {
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
            Event::OwnLive => self.begin_live(),
            Event::Examples(_) | Event::OwnPaused => self.own_event(event),
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

    /// Does what searches and the crowd want of their workers.
    fn ask_workers(&mut self) {
        self.workers.carry_out(self.searches.take_effects());
        self.workers.carry_out(self.crowds.take_effects());
    }

    /// The machine, as a crowd needs to know it.
    fn host(&self) -> Host {
        Host {
            now_ms: browser::now_ms() as u64,
            cores: browser::cores(),
            is_touch: browser::is_touch(),
            beside: self.workers.is_beside(),
        }
    }

    fn share_dialog(&self, on: &Callback<Input>) -> Html {
        let frame = Frame {
            class: "share-dialog",
            label: tr(self.lang, Key::ShareTitle),
            on_close: on.reform(|()| Input::ShareOpen(false)),
            forgets: false,
        };
        let session = self.run.session.as_ref();
        let props = self.sharing.then(|| ShareProps {
            lang: self.lang,
            run: session.is_some_and(|session| session.mode().is_stepped()),
            address: browser::address(),
            left_out: self.left_out,
            copied: self.shared.clone(),
            on: on.clone(),
        });
        dialog(frame, props, share)
    }

    fn embed_dialog(&self, session: &Session, on: &Callback<Input>) -> Html {
        let frame = Frame {
            class: "maker-dialog",
            label: tr(self.lang, Key::Embed),
            on_close: on.reform(|()| Input::EmbedOpen(false)),
            // The lesson in it would go on.
            forgets: true,
        };
        let props = self.making.then(|| MakerProps {
            lang: self.lang,
            page: false,
            index: None,
            link: Some(self.link_of(session.link(self.lang))),
            lesson: Some(session.lesson().clone()),
            on: on.clone(),
        });
        dialog(frame, props, |props| html! { <Maker ..props.clone() /> })
    }

    #[inline(never)]
    fn embed_page(&self, on: &Callback<Input>) -> Html {
        html! { <Maker lang={self.lang} page=true index={self.index.clone()} {on} /> }
    }

    fn help_dialog(&self, on: &Callback<Input>) -> Html {
        let frame = Frame {
            class: "help",
            label: tr(self.lang, Key::Help),
            on_close: on.reform(|()| Input::Help(false)),
            forgets: false,
        };
        let props = self.help.then(|| HelpProps {
            lang: self.lang,
            copy: self.offline.copy,
            on: on.clone(),
        });
        dialog(frame, props, help)
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
            outlook: session.and_then(|one| self.searches.outlook(one)).cloned(),
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
        let (session, own) = (self.run.session.as_ref(), self.own.as_ref().map(|play| &play.own));
        self.banners.iter().filter_map(|one| one.text(session, own, self.lang)).collect()
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
