//! The state of the whole page, and everything that changes it.
//!
//! [`Shell::hear`] takes an [`Event`], changes the state, and leaves the [`Effect`]s that follow
//! in [`Shell::take_effects`]; `ui` carries them out and draws the state. [`Shell`] holds what
//! outlives a lesson (language, theme, the course page around, the connection to a real Redis), the
//! [`LessonState`] of the lesson that is open, and the text of the [`Playground`]. The files of
//! this folder handle one kind of event each.
//!
//! Absent: the size of anything that is drawn, and the run of the front page, which is a component
//! of its own.

use std::rc::Rc;

use super::banner::{Banner, NAME_MAX};
use super::crowd::{CrowdStore, Machine};
use super::done::Done;
use super::effect::{Effect, Timer, ToCourse, Wanted};
use super::event::Event;
use super::host::Host;
use super::input::{CrowdInput, Input, KeptInput, OwnInput, RealInput, Theme};
use super::lesson::LessonState;
use super::route::Page;
use super::run::{SPEEDS, at_end};
use super::search::SearchStore;
use crate::app::console::Do;
use crate::jobs::Answer;
use crate::json;
use crate::lesson::{ANSWER, Card, FORMAT, Glossary, Index, Lesson, Moved, OWN, is_id, plain};
use crate::playground::kept::Shelf;
use crate::session::link::{LeftOut, Link};
use crate::session::progress::Progress;
use crate::session::{Mode, Msg, Session};
use crate::text::{CrowdWord, Key, Lang, crowd, tr};
use crate::view::console::import::Imported;
use crate::view::embed::{Bad, Embed};
use crate::view::export::export;
use crate::view::find::Results;
use crate::view::find::fix::Fix;
use crate::view::learn::guide::Trail;
use crate::view::learn::review::Answers;

mod address;
mod class;
mod console;
mod course;
mod crowd;
mod drafts;
mod exercise;
mod live;
mod onward;
mod playground;
mod press;
mod real;
#[cfg(test)]
mod tests;

pub use self::class::{ClassState, ResultView};
pub use self::console::ConsoleState;
pub use self::course::Course;
pub use self::drafts::{Drafts, Offered};
pub use self::exercise::{ExerciseState, ReviewState};
pub use self::playground::Playground;
pub use self::real::Connection;

pub(in crate::app) use self::crowd::OnServers;

/// The delay from opening a lesson to starting the checker's worker, in ms.
const IDLE_MS: u32 = 800;
/// The time for which the page says that something was copied, in ms.
const COPIED_MS: u32 = 2_500;

/// A dialog of the page; at most one is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    Help,
    /// The goal in full.
    Goal,
    Share,
    /// The dialog that makes a snippet for course pages.
    Embed,
    Faults,
    /// The list of runs.
    Runs,
    /// The connection to a real Redis.
    Real,
    /// The result code.
    Result,
}

/// The copy of the page for use without a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OfflineCopy {
    /// This browser cannot keep a copy.
    #[default]
    Impossible,
    None,
    Kept,
}

/// An open guide, which is read instead of run, and the reader's way through it.
#[derive(Debug)]
pub struct Guided {
    pub lesson: Rc<Lesson>,
    pub trail: Trail,
}

/// The state of the workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Workers {
    /// The first worker was not asked anything yet, or it has ended.
    pub are_idle: bool,
    /// The first worker has started and runs in its own thread, beside the page.
    pub are_beside: bool,
}

#[derive(Debug)]
pub struct Shell {
    host: Host,
    /// The state of the workers while an event is handled.
    pub workers: Workers,
    effects: Vec<Effect>,
    pub lang: Lang,
    pub theme: Theme,
    /// False if the learner has switched off keys of one character.
    pub letters: bool,
    pub banners: Vec<Banner>,
    pub window: Option<Window>,
    pub copy: OfflineCopy,
    /// True if a new version of the page is waiting to be used.
    pub has_news: bool,

    // ---- Where the page is ----
    /// The page that is shown while no lesson is open.
    pub page: Page,
    /// The id of the lesson asked for. Its session opens when its file has loaded.
    pub wanted: Option<String>,
    /// The fragment of the address as last read or written by the page. If the browser's fragment
    /// differs, it was changed from outside: the event that reports the change is on its way, and
    /// the page must not overwrite the fragment.
    fragment: String,
    /// True if the mode has changed, so that the address becomes a new entry in the history.
    turns: bool,
    /// What the document was told last: its language, theme and title.
    head: Option<(Lang, Theme, String)>,
    pub index: Option<Index>,
    /// The work done on all lessons, for the list. Read each time the list is shown.
    pub done: Option<Done>,
    pub glossary: Option<Glossary>,
    pub filter: String,
    pub guide: Option<Guided>,

    /// The lesson that is open, and the work on it.
    pub lesson: LessonState,
    /// The name of the thing that was just copied.
    pub copied: Option<&'static str>,

    // ---- The parts that are not always there ----
    /// The course page that embeds this page.
    pub course: Option<Course>,
    /// The playground; `None` until it is opened.
    own: Option<Playground>,
    /// The results of the learner and of a class.
    pub class: ClassState,
    /// The storing of drafts for the next visit.
    pub drafts: Drafts,
    /// The connection to a real Redis; `None` until the reader asks for one.
    pub real: Option<Connection>,
}

impl Shell {
    /// Opens the page at its address. `asked` holds the parameters of the course page that embeds
    /// it, and the mistakes in them.
    pub fn new(host: Host, asked: Option<(Embed, Vec<Bad>)>) -> Shell {
        let course = asked.map(|(asked, bad)| Course::new(asked, bad));
        let stored = host.stored("theme");
        let stored = Theme::ALL.into_iter().find(|one| Some(one.id()) == stored.as_deref());
        // A course page has a theme of its own, whatever the reader chose elsewhere.
        let theme = course.as_ref().map_or(stored, Course::theme);
        let lang = course.as_ref().and_then(|course| course.asked.lang);
        let mut shell = Shell {
            workers: Workers { are_idle: true, are_beside: false },
            effects: Vec::new(),
            lang: lang.unwrap_or_else(|| preferred_lang(&host)),
            theme: theme.unwrap_or(Theme::Auto),
            letters: host.stored("letters").as_deref() != Some("off"),
            banners: Vec::new(),
            window: None,
            copy: OfflineCopy::default(),
            has_news: false,
            page: Page::List,
            wanted: None,
            fragment: String::new(),
            turns: false,
            head: None,
            index: None,
            done: None,
            glossary: None,
            filter: String::new(),
            guide: None,
            lesson: LessonState::new(
                host.stored("face").unwrap_or_default(),
                host.is_touch,
                course.is_some(),
            ),
            copied: None,
            course,
            own: None,
            class: ClassState::default(),
            drafts: Drafts::default(),
            real: None,
            host,
        };
        shell.load(Wanted::Index);
        shell.follow_address();
        shell.tell_unkept();
        shell.settle();
        shell.refresh();
        shell.look_up();
        shell
    }

    /// In a course page, says once that the browser keeps nothing.
    fn tell_unkept(&mut self) {
        if self.course.is_none() {
            return;
        }
        if !self.host.shelf.set("kept", "") {
            self.banners.push(Banner::NotKept);
        }
        self.host.shelf.remove("kept");
    }

    /// Returns the effects to carry out, in order, and empties the queue.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        let mut effects = std::mem::take(&mut self.effects);
        let workers = self
            .lesson
            .searches
            .take_effects()
            .into_iter()
            .chain(self.lesson.crowds.take_effects());
        effects.extend(workers.map(Effect::Worker));
        effects
    }

    fn ask(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    fn load(&mut self, wanted: Wanted) {
        self.ask(Effect::Load(wanted));
    }

    fn time(&mut self, timer: Timer, ms: Option<u32>) {
        self.ask(Effect::Time(timer, ms));
    }

    fn store(&mut self, name: &str, value: &str) {
        self.ask(Effect::Store(name.to_owned(), value.to_owned()));
    }

    fn save(&mut self, name: String, kind: &'static str, bytes: impl Into<Vec<u8>>) {
        self.ask(Effect::Save { name, kind, bytes: bytes.into() });
    }

    fn reveal(&mut self, selector: &str) {
        self.ask(Effect::Reveal(selector.to_owned()));
    }

    /// Handles an event. Returns whether there is something new to show.
    pub fn hear(&mut self, event: Event) -> bool {
        match event {
            Event::Input(input) => self.input(input),
            Event::Moved => self.follow_address(),
            Event::Loaded(wanted, text) => self.came(wanted, text),
            Event::Heard(0, answer) if !CrowdStore::is_for(&answer) => {
                // Where a run goes in a map changes nothing else, but in "Break it".
                let dares = |session: &Session| session.mode() == Mode::Break;
                let is_of_map = matches!(answer, Answer::Along(_))
                    && !self.lesson.run.session.as_ref().is_some_and(dares);
                if !self.lesson.searches.hear(answer) {
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
            Event::Time(timer) => {
                if !self.timed(timer) {
                    return false;
                }
            }
            Event::Room(width, height) => {
                if (width, height) == self.lesson.run.room || width == 0 {
                    return false;
                }
                self.lesson.run.room = (width, height);
                self.refresh();
                return true;
            }
            // These change neither the run nor what is searched.
            Event::Copied(what, done) => {
                self.copied(what, done);
                return true;
            }
            Event::Saved(done) => {
                self.saved(done);
                return true;
            }
            Event::Offline(word) => {
                self.keeper_says(&word);
                return true;
            }
            Event::Parent(text, origin) => self.parent_says(&text, &origin),
            Event::Socket(socket, id, heard) => {
                if !self.socket_says(socket, id, heard) {
                    return false;
                }
            }
        }
        self.follow_real();
        self.settle();
        self.refresh();
        self.start_clock();
        self.look_up();
        true
    }

    /// Handles the press of a key; `repeats` if the key is held down. Returns its input, or `None`
    /// if the key does nothing on the page.
    pub fn pressed(&mut self, press: &super::keys::KeyPress, repeats: bool) -> Option<Input> {
        let input = self.key(press)?;
        // One who holds a key down has not seen what comes.
        let input = match input {
            Input::Session(Msg::Skip) | Input::PassQuestion if repeats => {
                Input::Session(Msg::Forward)
            }
            input => input,
        };
        self.lesson.held_key = repeats;
        Some(input)
    }

    /// Handles the end of a timer. Returns whether there is something new to show.
    fn timed(&mut self, timer: Timer) -> bool {
        match timer {
            Timer::Beat => self.beat(),
            Timer::Idle if !(self.host.is_whole)() => {
                self.time(Timer::Idle, Some(IDLE_MS));
                return false;
            }
            Timer::Idle => {
                // Ten embeds on a page would load it ten times, for nobody perhaps.
                let cold = self.course.is_none() && self.workers.are_idle;
                if let Some(session) = self.lesson.run.session.as_ref().filter(|_| cold) {
                    self.lesson.searches.warm(session);
                    // The map beside the run is there before the first step.
                    self.lesson.searches.settle(session);
                }
                if self.course.is_some() {
                    self.ask(Effect::Course(ToCourse::Paper));
                }
                return false;
            }
            Timer::Address => {
                self.write_address();
                return false;
            }
            Timer::GoOn => self.go_on(),
            Timer::Copied => self.copied = None,
            Timer::OwnPaused => self.commit_own(),
            Timer::OwnLive => self.begin_live(),
            Timer::Drawn => {
                self.drawn();
                return false;
            }
            Timer::Real(socket) => return self.woken(socket),
        }
        true
    }

    #[inline(never)]
    fn go_on(&mut self) {
        let notices = self.lesson.run.session.as_mut().map(Session::go_on).unwrap_or_default();
        self.banners.extend(notices.into_iter().map(Banner::Lesson));
    }

    #[inline(never)]
    fn copied(&mut self, what: &'static str, done: bool) {
        self.copied = done.then_some(what);
        if !done {
            self.close(Window::Share);
            self.banners.push(Banner::ShareFailed);
        }
        self.time(Timer::Copied, Some(COPIED_MS));
    }

    /// Takes a file that was asked for, or the error of loading it.
    fn came(&mut self, wanted: Wanted, text: Result<String, String>) {
        match wanted {
            Wanted::Index => match text.and_then(|text| json::read(&text)) {
                Ok(index) => self.index = Some(index),
                Err(why) => self.banners.push(Banner::IndexFailed(why)),
            },
            Wanted::Lesson(id) => {
                self.loaded(id, text);
                self.time(Timer::Idle, Some(IDLE_MS));
            }
            Wanted::Glossary => match text.and_then(|text| json::read(&text)) {
                Ok(glossary) => self.glossary = Some(glossary),
                Err(why) => self.banners.push(Banner::IndexFailed(why)),
            },
            Wanted::Docs => self.lesson.console.docs_came(text),
            Wanted::Examples => self.examples_came(text),
        }
    }

    fn keeper_says(&mut self, word: &str) {
        match word {
            "in" | "kept" => self.copy = OfflineCopy::Kept,
            "new" => (self.copy, self.has_news) = (OfflineCopy::Kept, true),
            "out" => (self.copy, self.has_news) = (OfflineCopy::None, false),
            _ => {}
        }
    }

    // ---- Dialogs --------------------------------------------------------------------------------

    pub fn is_open(&self, window: Window) -> bool {
        self.window == Some(window)
    }

    /// Opens or closes a dialog. A dialog reports being closed only later; one opened meanwhile
    /// stays open.
    fn show(&mut self, window: Window, open: bool) {
        match open {
            true => self.window = Some(window),
            false => self.close(window),
        }
    }

    fn close(&mut self, window: Window) {
        self.window = self.window.filter(|one| *one != window);
    }

    // ---- Told to others -------------------------------------------------------------------------

    /// Returns the properties of the machine that a crowd depends on.
    fn machine(&self) -> Machine {
        Machine {
            now_ms: self.now_ms(),
            cores: (self.host.cores)(),
            is_touch: (self.host.is_touch)(),
            beside: self.workers.are_beside,
        }
    }

    fn now_ms(&self) -> u64 {
        (self.host.now_ms)() as u64
    }

    /// Makes the data that the stage shows.
    fn refresh(&mut self) {
        let is_own = self.playground().is_some();
        // Films are in the part of the program that comes later: a step before that has none.
        let calm = (self.host.is_calm)() || !(self.host.is_whole)();
        self.lesson.refresh(self.lang, is_own, calm);
    }

    /// Reads the work done on the lessons, once each time their list is shown.
    fn look_up(&mut self) {
        match &self.index {
            Some(index) if self.at_list() => {
                let shelf = self.host.shelf;
                self.done.get_or_insert_with(|| Done::read(index, shelf));
            }
            _ => self.done = None,
        }
    }

    /// Returns whether the list of lessons is shown, below the run of the front page.
    pub fn at_list(&self) -> bool {
        let open =
            self.lesson.run.session.is_some() || self.guide.is_some() || self.wanted.is_some();
        !open && self.page == Page::List
    }

    /// Returns the lesson or the guide that is open.
    pub fn lesson_shown(&self) -> Option<&Rc<Lesson>> {
        let guide = self.guide.as_ref().map(|guide| &guide.lesson);
        self.lesson.run.session.as_ref().map(Session::lesson).or(guide)
    }

    /// Returns the sentences to show above the page.
    pub fn banner_texts(&self) -> Vec<String> {
        let (session, own) =
            (self.lesson.run.session.as_ref(), self.own.as_ref().map(|play| &play.own));
        self.banners.iter().filter_map(|one| one.text(session, own, self.lang)).collect()
    }

    /// The lesson whose id is nearest to the unknown one that a link names, once the list of
    /// lessons is there.
    #[inline(never)]
    pub fn nearest(&self) -> Option<&Card> {
        let unknown = self.unknown()?;
        let far = |card: &&Card| strsim::damerau_levenshtein(&card.id, unknown);
        self.index.as_ref()?.lessons().min_by_key(far).filter(|card| far(card) <= unknown.len() / 2)
    }

    /// Returns true if a course page wanted a lesson that there is not: its frame is no front page,
    /// and there is nothing behind what says so.
    pub fn is_bare(&self) -> bool {
        let wanted = |banner: &Banner| matches!(banner, Banner::NoSuchLesson(_));
        let is_empty = self.lesson.run.session.is_none();
        self.course.is_some() && is_empty && self.banners.iter().any(wanted)
    }

    /// The id of no lesson that a link names; bounded.
    fn unknown(&self) -> Option<&str> {
        self.banners.iter().find_map(|banner| match banner {
            Banner::NoSuchLesson(id) if id.len() <= NAME_MAX => Some(id.as_str()),
            _ => None,
        })
    }
}

/// Returns the language of the last visit, or the first of the reader's languages that the page
/// has.
fn preferred_lang(host: &Host) -> Lang {
    let stored = host.stored("lang").and_then(|tag| Lang::from_tag(&tag));
    let preferred = || (host.languages)().iter().find_map(|tag| Lang::from_tag(tag));
    stored.or_else(preferred).unwrap_or_default()
}
