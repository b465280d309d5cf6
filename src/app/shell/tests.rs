//! The whole page without a browser: effects are carried out here, as far as a test needs it.

mod class;
mod drafts;
mod walks;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use super::*;
use crate::app::done::LAST;
use crate::app::effect::{ForWorker, Socket, ToCourse};
use crate::app::keys::KeyPress;
use crate::app::shell::press::{ANSWERED, ANSWERS};
use crate::app::stage::Say;
use crate::jobs::Request;
use crate::lesson::source::read_folder;
use crate::lesson::{Card, Chapter, Index};
use crate::playground::Part;
use crate::playground::edit::Edit;
use crate::real::{Heard, Pace};
use crate::session::progress::Goal;
use crate::sim::ClientId;

thread_local! {
    static STORED: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
    static FRAGMENT: RefCell<String> = const { RefCell::new(String::new()) };
    static IS_FULL: Cell<bool> = const { Cell::new(false) };
}

struct Memory;

impl Shelf for Memory {
    fn get(&self, name: &str) -> Option<String> {
        STORED.with_borrow(|stored| stored.get(name).cloned())
    }

    fn set(&self, name: &str, text: &str) -> bool {
        let fits = !IS_FULL.get();
        if fits {
            STORED.with_borrow_mut(|stored| stored.insert(name.to_owned(), text.to_owned()));
        }
        fits
    }

    fn remove(&self, name: &str) {
        STORED.with_borrow_mut(|stored| stored.remove(name));
    }

    fn tab(&self, _: &str) -> Option<String> {
        None
    }

    fn set_tab(&self, _: &str, _: &str) {}
}

const HOST: Host = Host {
    now_ms: || 0.0,
    today: || "2026-11-28".to_owned(),
    seed: || 7,
    cores: || 4,
    is_touch: || false,
    // Then the address follows at once.
    is_calm: || true,
    is_whole: || true,
    window: || (1280, 720),
    fragment: || FRAGMENT.with_borrow(String::clone),
    address_with: |fragment| format!("http://here/#{fragment}"),
    address: || FRAGMENT.with_borrow(|fragment| format!("http://here/{fragment}")),
    proxy: || "ws://here/ws".to_owned(),
    languages: || vec!["fr".to_owned(), "zh-CN".to_owned(), "en".to_owned()],
    shelf: &Memory,
};

/// The text of a file beside the page.
fn file(wanted: &Wanted) -> Result<String, String> {
    match wanted {
        Wanted::Lesson(id) => {
            // Each is compiled once for all tests.
            static KNOWN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
            if let Some(known) = KNOWN.lock().unwrap().get(id) {
                return Ok(known.clone());
            }
            let lesson = read_folder(&Path::new("static/lessons").join(id));
            let lesson = lesson.map_err(|_| "404 Not Found".to_owned())?;
            let text = serde_json::to_string(&lesson).map_err(|why| why.to_string())?;
            KNOWN.lock().unwrap().insert(id.clone(), text.clone());
            Ok(text)
        }
        Wanted::Index => Ok(format!("{{\"format\":{FORMAT},\"chapters\":[],\"starts\":[]}}")),
        _ => Err("503 not here".to_owned()),
    }
}

struct Tab {
    shell: Shell,
    /// What was carried out since it was looked at last.
    seen: Vec<Effect>,
}

impl Tab {
    /// A page that is opened at an address; what earlier ones stored is there.
    fn open(fragment: &str) -> Tab {
        Tab::asked(fragment, "")
    }

    /// The same in a course page with this query.
    fn asked(fragment: &str, query: &str) -> Tab {
        Tab::on(HOST, fragment, query)
    }

    /// The same in another browser.
    fn on(host: Host, fragment: &str, query: &str) -> Tab {
        FRAGMENT.set(fragment.to_owned());
        let mut tab = Tab { shell: Shell::new(host, Embed::parse(query)), seen: Vec::new() };
        tab.carry_out();
        tab
    }

    fn hear(&mut self, event: Event) -> &mut Tab {
        self.shell.hear(event);
        self.carry_out();
        self
    }

    fn press(&mut self, input: Input) -> &mut Tab {
        self.hear(Event::Input(input))
    }

    fn step(&mut self, client: u16) -> &mut Tab {
        self.press(Input::Session(Msg::Step(ClientId(client))))
    }

    fn carry_out(&mut self) {
        let mut events = Vec::new();
        for effect in self.shell.take_effects() {
            self.seen.push(effect.clone());
            match effect {
                Effect::Load(wanted) => {
                    let text = file(&wanted);
                    events.push(Event::Loaded(wanted, text));
                }
                Effect::Store(name, value) => {
                    Memory.set(&name, &value);
                }
                Effect::Address { fragment, .. } => {
                    FRAGMENT.set(format!("#{fragment}"));
                    self.shell.is_written(format!("#{fragment}"));
                }
                Effect::Force(fragment) | Effect::Go(fragment) => {
                    FRAGMENT.set(format!("#{fragment}"));
                    events.push(Event::Moved);
                }
                _ => {}
            }
        }
        for event in events {
            self.hear(event);
        }
    }

    /// The effects since this was asked last, without those of every event.
    fn news(&mut self) -> Vec<Effect> {
        let mut news = std::mem::take(&mut self.seen);
        news.retain(|effect| {
            !matches!(
                effect,
                Effect::Root(..)
                    | Effect::Title(_)
                    | Effect::Time(Timer::GoOn | Timer::Address, None)
                    | Effect::Worker(_)
            )
        });
        news
    }

    fn title(&self) -> String {
        let title = self.seen.iter().rev().find_map(|effect| match effect {
            Effect::Title(title) => Some(title.clone()),
            _ => None,
        });
        title.unwrap_or_default()
    }

    fn schedule(&self) -> String {
        self.shell.lesson.run.session.as_ref().unwrap().timeline().schedule()
    }
}

fn fragment() -> String {
    FRAGMENT.with_borrow(String::clone)
}

fn key(key: &str) -> KeyPress {
    KeyPress { key: key.to_owned(), ..KeyPress::default() }
}

#[test]
fn a_link_is_followed_and_the_address_follows_the_run() {
    let mut tab = Tab::open("#lesson=lost-update&mode=schedule&lang=en");
    assert_eq!(
        tab.title(),
        "Lost update · Two clients each add 10 to a balance of 10. It must end at 30. · Interleave"
    );
    tab.news();
    tab.step(0).step(1);
    assert_eq!(tab.schedule(), "A1.B1");
    let is_head = |one: &Effect| matches!(one, Effect::Title(_) | Effect::Root(..));
    assert!(!tab.seen.iter().any(is_head), "the document is told what has changed");
    assert!(fragment().contains("schedule=A1.B1"), "{}", fragment());
    let turns = |effect: &Effect| matches!(effect, Effect::Address { turns: true, .. });
    assert!(!tab.news().iter().any(turns), "a step is no new entry of the history");
    tab.press(Input::Session(Msg::Mode(Mode::Find)));
    assert_eq!(tab.news().iter().filter(|effect| turns(effect)).count(), 1);
}

#[test]
fn a_run_can_be_given_a_name_that_travels_in_its_link() {
    let mut tab = Tab::open("#lesson=lost-update&mode=schedule&schedule=A1.B1&lang=en");
    tab.press(Input::NameRun("both read 10".to_owned()));
    assert!(fragment().contains("&schedule=A1.B1&run=both%20read%2010"), "{}", fragment());
    let mut tab = Tab::open(&fragment());
    assert!(tab.title().starts_with("both read 10 · Lost update"), "{}", tab.title());
    // A story has no name of the learner's, and a course page may forbid it.
    tab.press(Input::Session(Msg::Mode(Mode::Watch)));
    assert!(!fragment().contains("run="), "{}", fragment());
    let link = "#lesson=lost-update&mode=schedule&schedule=A1.B1";
    let mut tab = Tab::asked(link, "?embed&readonly=1");
    tab.press(Input::NameRun("mine".to_owned()));
    assert!(!fragment().contains("run="), "{}", fragment());
    // Another run has no name, or its own.
    let mut tab = Tab::open(&format!("{link}&run={}", "n".repeat(100)));
    assert!(fragment().contains(&format!("run={}&", "n".repeat(40))), "{}", fragment());
    tab.press(Input::Session(Msg::Open("B1.A1".to_owned())));
    assert!(!fragment().contains("run="), "{}", fragment());
}

#[test]
fn the_language_is_the_readers_first_that_there_is() {
    assert_eq!(Tab::open("").shell.lang, Lang::Zh);
    Tab::open("").press(Input::Lang(Lang::En));
    assert_eq!(Tab::open("").shell.lang, Lang::En, "chosen in an earlier visit");
    let tab = Tab::open("#lang=xx");
    assert_eq!(tab.shell.banners, [Banner::Lang("xx".to_owned())]);
}

#[test]
fn what_cannot_be_loaded_is_said() {
    let tab = Tab::open("#lesson=no-such");
    assert!(tab.shell.banners.contains(&Banner::NoSuchLesson("no-such".to_owned())));
    assert!(tab.shell.wanted.is_none() && tab.shell.lesson.run.session.is_none());
    let mut tab = Tab::open("#lesson=../../etc");
    assert!(tab.shell.banners.contains(&Banner::NoSuchLesson("../../etc".to_owned())));
    let asked = |effect: &Effect| matches!(effect, Effect::Load(Wanted::Lesson(_)));
    assert!(!tab.news().iter().any(asked), "it must not become a path");
    for (query, stays) in [("", false), ("?embed", true)] {
        let mut tab = Tab::asked(&format!("#lesson={}", "x".repeat(200)), query);
        assert_eq!(tab.shell.is_bare(), stays);
        tab.press(Input::Dismiss);
        assert_eq!(!tab.shell.banners.is_empty(), stays, "nothing is behind it in a course page");
    }
}

#[test]
fn a_misspelt_lesson_names_the_nearest() {
    let card = |id: &str| Card { id: id.to_owned(), ..Card::default() };
    let lessons = ["sign-up", "lost-update", "oversell"].map(card).to_vec();
    let chapter = Chapter { lessons, ..Chapter::default() };
    let nearest = |link: &str| {
        let mut tab = Tab::open(link);
        tab.shell.index = Some(Index { chapters: vec![chapter.clone()], ..Index::default() });
        tab.shell.nearest().map(|card| card.id.clone())
    };
    assert_eq!(nearest("#lesson=lost-updat").as_deref(), Some("lost-update"));
    assert_eq!(nearest("#lesson=oevrsell").as_deref(), Some("oversell"));
    assert_eq!(nearest("#lesson=lost-update"), None);
    assert_eq!(nearest("#lesson=xyzzy"), None);
    assert_eq!(nearest(&format!("#lesson={}", "lost-update".repeat(1000))), None);
}

#[test]
fn a_lesson_that_comes_late_does_not_replace_the_one_asked_for_since() {
    let mut tab = Tab::open("#lesson=lost-update");
    FRAGMENT.set("#page=glossary".to_owned());
    tab.hear(Event::Moved);
    let late = Wanted::Lesson("lost-update".to_owned());
    let text = file(&late);
    tab.hear(Event::Loaded(late, text));
    assert_eq!((tab.shell.lesson.run.session.is_some(), tab.shell.page), (false, Page::Glossary));
}

#[test]
fn an_address_that_came_from_outside_is_not_overwritten() {
    let mut tab = Tab::open("#lesson=lost-update&mode=schedule");
    // The event that tells of it is on its way.
    FRAGMENT.set("#lesson=watch".to_owned());
    tab.step(0);
    assert_eq!(fragment(), "#lesson=watch");
    tab.hear(Event::Moved);
    assert_eq!(tab.shell.lesson_shown().unwrap().id, "watch");
}

#[test]
fn play_steps_by_its_timer_and_a_press_ends_it() {
    let mut tab = Tab::open("#lesson=lost-update&mode=schedule&schedule=A1.B1.A2.B2&step=0");
    let is_beat = |effect: &Effect| match effect {
        Effect::Time(Timer::Beat, ms) => Some(ms.is_some()),
        _ => None,
    };
    tab.news();
    tab.press(Input::Play);
    let beats: Vec<bool> = tab.news().iter().filter_map(is_beat).collect();
    assert_eq!(beats, [true]);
    let mut events = 0;
    while tab.shell.lesson.run.playing {
        tab.hear(Event::Time(Timer::Beat));
        events += 1;
        assert!(events < 10);
    }
    assert!(at_end(tab.shell.lesson.run.session.as_ref().unwrap().timeline()));
    assert_eq!(tab.news().iter().filter_map(is_beat).next_back(), Some(false));
    // From the end it begins anew.
    tab.press(Input::Play).step(0);
    assert!(!tab.shell.lesson.run.playing);
}

#[test]
fn a_presenter_leaves_a_question_with_the_second_press_and_hears_the_answer() {
    let link = "#lesson=lost-update&mode=watch&walk=lost&step=3&present=1&lang=en";
    let mut tab = Tab::open(link);
    let pressed = |tab: &mut Tab, name: &str, repeats: bool| {
        let input = tab.shell.pressed(&key(name), repeats).unwrap();
        tab.press(input);
        let view = tab.shell.lesson.run.view().unwrap();
        (view.step, view.ask.as_ref().map(|ask| ask.passes))
    };
    assert_eq!(pressed(&mut tab, "PageDown", false), (3, Some(true)));
    assert_eq!(pressed(&mut tab, "PageDown", true), (3, Some(false)), "a key that is held");
    assert_eq!(pressed(&mut tab, "PageDown", false), (3, Some(true)));
    // Who goes back has to be told again.
    assert_eq!(pressed(&mut tab, "PageUp", false), (2, None));
    assert_eq!(pressed(&mut tab, "PageDown", false), (3, Some(false)));
    assert_eq!(pressed(&mut tab, "PageDown", false), (3, Some(true)));
    assert_eq!(pressed(&mut tab, "PageDown", false), (4, None));
    let told = match &tab.shell.lesson.run.view().unwrap().say {
        Say::Told(told) => told.foretold.clone(),
        _ => None,
    };
    assert_eq!(told, Some((None, "The answer: 20.".to_owned())));
}

#[test]
fn a_link_to_the_presenter_view_opens_it_in_every_part() {
    let opened = |mode: &str| {
        let tab = Tab::open(&format!("#lesson=redlock&mode={mode}&present=1"));
        let session = tab.shell.lesson.run.session.as_ref().unwrap();
        (tab.shell.lesson.presenter.is_some(), session.mode(), tab.shell.banners.len())
    };
    for mode in ["situation", "find", "fix", "crowd", "review"] {
        assert_eq!(opened(mode), (true, Mode::Watch, 0), "{mode}");
    }
    for (id, mode) in [("schedule", Mode::Schedule), ("break", Mode::Break)] {
        assert_eq!(opened(id), (true, mode, 0));
    }
    assert_eq!(opened("nothing").2, 1, "what is misspelt is said");
}

#[test]
fn a_step_has_a_film_only_when_the_page_is_whole() {
    let moving = Host { is_calm: || false, ..HOST };
    for (host, film) in [(moving, true), (Host { is_whole: || false, ..moving }, false)] {
        let mut tab = Tab::on(host, "#lesson=lost-update&mode=schedule", "");
        tab.step(0);
        let view = tab.shell.lesson.run.view().unwrap();
        assert_eq!((view.picture.step, view.showing.is_some()), (1, film));
    }
}

#[test]
fn at_most_one_dialog_is_open_and_none_stays_over_another_page() {
    let mut tab = Tab::open("#lesson=lost-update&mode=schedule");
    tab.press(Input::ShareOpen(true));
    assert_eq!(tab.shell.pressed(&key("a"), false), None, "a dialog has keys of its own");
    tab.press(Input::EmbedOpen(true));
    assert_eq!(tab.shell.window, Some(Window::Embed));
    // The one that gave way says so later.
    tab.press(Input::ShareOpen(false));
    assert_eq!(tab.shell.window, Some(Window::Embed));
    FRAGMENT.set("#page=glossary".to_owned());
    tab.hear(Event::Moved);
    assert_eq!(tab.shell.window, None);
}

#[test]
fn the_work_done_is_kept_for_the_next_visit() {
    let mut tab = Tab::open("#lesson=lost-update&mode=watch");
    for _ in 0..20 {
        tab.press(Input::Session(Msg::Forward)).press(Input::Session(Msg::Skip));
    }
    assert!(tab.shell.lesson.progress.watched);
    assert_eq!(Memory.get(LAST).as_deref(), Some("lost-update"));
    assert!(Tab::open("#lesson=lost-update").shell.lesson.progress.watched);
}

/// The question of a story is not passed by a key that is pressed again and again, or held.
#[test]
fn a_question_takes_the_keyboard_and_is_not_passed_by_the_key_that_led_to_it() {
    let focused = |tab: &mut Tab| {
        let news = tab.news();
        news.iter().find_map(|effect| match effect {
            Effect::Focus(selector) => Some(*selector),
            _ => None,
        })
    };
    let press = |tab: &mut Tab, name: &str, repeats: bool| {
        let input = tab.shell.pressed(&key(name), repeats).expect("a key of the page");
        tab.press(input);
    };
    let step = |tab: &Tab| tab.shell.lesson.run.view().unwrap().step;
    for name in ["ArrowRight", "PageDown"] {
        let mut tab = Tab::open("#lesson=lost-update&mode=watch&step=2");
        press(&mut tab, name, false);
        assert_eq!((step(&tab), focused(&mut tab)), (3, Some(ANSWERS)));
        press(&mut tab, name, false);
        press(&mut tab, name, true);
        assert_eq!((step(&tab), focused(&mut tab)), (3, Some(ANSWERS)));
        tab.press(Input::Session(Msg::Foretell(1)));
        assert_eq!((step(&tab), focused(&mut tab)), (3, Some(ANSWERED)));
        press(&mut tab, name, false);
        assert_eq!(step(&tab), 4);
    }
    // Before an audience the question is asked aloud, and the key goes on; but not while held.
    let mut tab = Tab::open("#lesson=lost-update&mode=watch&step=3&present=1");
    tab.press(Input::Present(true));
    press(&mut tab, "PageDown", true);
    assert_eq!(step(&tab), 3);
    press(&mut tab, "PageDown", false);
    press(&mut tab, "PageDown", false);
    assert_eq!(step(&tab), 4);
    // "Play" waits at it.
    let mut tab = Tab::open("#lesson=lost-update&mode=watch&step=2");
    tab.press(Input::Play).press(Input::Play);
    assert_eq!((step(&tab), tab.shell.lesson.run.playing), (3, false));
}

#[test]
fn the_key_n_goes_where_the_button_leads() {
    let mut tab = Tab::open("#lesson=lost-update&mode=situation");
    for _ in 0..20 {
        let Some(onward) = tab.shell.onward() else { break };
        let before = fragment();
        let input = tab.shell.pressed(&key("n"), false).expect("a key of the page");
        tab.press(input);
        match onward.to {
            Goal::Part(part) => {
                assert_eq!(tab.shell.lesson.run.session.as_ref().unwrap().mode(), part);
            }
            Goal::Address(address) => {
                assert!(fragment() != before && fragment().starts_with(&address), "{address}");
                return;
            }
        }
    }
    panic!("no other lesson comes after the last part");
}

#[test]
fn a_mixed_exercise_that_is_answered_first_is_ticked_at_its_rule() {
    let mut tab = Tab::open("#lesson=mix-atomic&mode=situation");
    let lesson = tab.shell.lesson_shown().unwrap().clone();
    for (number, quiz) in lesson.quizzes.iter().enumerate() {
        for choice in &quiz.right {
            tab.press(Input::Tick(number, *choice));
        }
        tab.press(Input::GiveAnswer(number));
    }
    assert!(!tab.shell.lesson.progress.answered);
    tab.press(Input::Session(Msg::Mode(Mode::Review)));
    assert!(tab.shell.lesson.progress.answered && tab.shell.lesson.progress.read);
}

#[test]
fn what_is_copied_is_said_for_a_while() {
    let mut tab = Tab::open("#lesson=lost-update&mode=schedule");
    tab.news();
    tab.press(Input::Share);
    let address = format!("http://here/{}", fragment());
    assert_eq!(tab.news(), [Effect::Copy("link", address)]);
    tab.hear(Event::Copied("link", true));
    assert_eq!(tab.shell.copied, Some("link"));
    assert_eq!(tab.news(), [Effect::Time(Timer::Copied, Some(COPIED_MS))]);
    tab.hear(Event::Time(Timer::Copied));
    assert_eq!(tab.shell.copied, None);
    tab.press(Input::ShareOpen(true)).hear(Event::Copied("link", false));
    assert_eq!((tab.shell.window, &tab.shell.banners[..]), (None, &[Banner::ShareFailed][..]));
}

#[test]
fn the_checker_is_made_ready_only_when_the_page_is_whole_and_alone() {
    let warms = |tab: &mut Tab| {
        tab.hear(Event::Time(Timer::Idle));
        let asks = |effect: &Effect| matches!(effect, Effect::Worker(ForWorker::Ask(0, _)));
        std::mem::take(&mut tab.seen).iter().any(asks)
    };
    let mut tab = Tab::open("#lesson=lost-update");
    tab.seen.clear();
    assert!(warms(&mut tab));
    let mut tab = Tab::asked("#lesson=lost-update", "?embed");
    tab.seen.clear();
    assert!(!warms(&mut tab), "ten embeds on a page would load it ten times");
}

/// Answers what the checker is asked, until it is asked nothing more.
fn answered(tab: &mut Tab) {
    let mut map: Option<crate::jobs::map::Work> = None;
    loop {
        let mut asked = Vec::new();
        tab.seen.retain(|effect| match effect {
            Effect::Worker(ForWorker::Ask(0, request)) => {
                asked.push(request.clone());
                false
            }
            _ => true,
        });
        if asked.is_empty() {
            return;
        }
        for request in asked {
            let answer = match request {
                Request::Start(start) => {
                    let mut work = crate::jobs::find::Work::start(&start).unwrap();
                    while !work.advance(1_000) {}
                    Some(Answer::Done(Box::new(work.report(20))))
                }
                Request::Map(plan) => {
                    let mut work = crate::jobs::map::Work::start(&plan).unwrap();
                    let made = std::iter::repeat_with(|| work.advance(1_000).unwrap());
                    let made = made.flatten().next().map(|made| Answer::Map(Box::new(made)));
                    map = Some(work);
                    made
                }
                Request::Along(ask) => {
                    let map = map.as_ref().filter(|map| map.id() == ask.id);
                    map.and_then(|map| map.along(&ask)).map(|along| Answer::Along(Box::new(along)))
                }
                other => panic!("{other:?}"),
            };
            if let Some(answer) = answer {
                tab.hear(Event::Heard(0, answer));
            }
        }
    }
}

#[test]
fn find_begins_by_itself_and_keeps_its_maps_from_part_to_part() {
    let mut tab = Tab::open("#lesson=lost-update&variant=naive&mode=find");
    let wrong = |tab: &mut Tab, mode: Mode| {
        tab.press(Input::Session(Msg::Mode(mode)));
        answered(tab);
        let lesson = &tab.shell.lesson;
        let session = lesson.run.session.as_ref().unwrap();
        let sheet = lesson.searches.map_of(session);
        (session.variant(), sheet.map(|sheet| sheet.view.wrong.as_ref().unwrap().to_string()))
    };
    answered(&mut tab);
    assert_eq!(wrong(&mut tab, Mode::Find), (0, Some("4".to_owned())));
    wrong(&mut tab, Mode::Fix);
    let lesson = tab.shell.lesson.run.session.as_ref().unwrap().lesson().clone();
    let (yours, solution) = (lesson.variants.len(), lesson.exercise.clone().unwrap().solution);
    tab.press(Input::Draft(solution)).press(Input::Grade);
    answered(&mut tab);
    assert_eq!(wrong(&mut tab, Mode::Find), (yours, Some("0".to_owned())), "a good fix");
    wrong(&mut tab, Mode::Fix);
    tab.press(Input::Grade);
    answered(&mut tab);
    wrong(&mut tab, Mode::Break);
    tab.press(Input::Session(Msg::Variant(0)));
    assert_eq!(wrong(&mut tab, Mode::Find), (0, Some("4".to_owned())));
    tab.press(Input::Session(Msg::Variant(yours)));
    assert_eq!(wrong(&mut tab, Mode::Find), (yours, Some("0".to_owned())));
    // In a course page, and in the playground, it waits to be asked for.
    for (fragment, query) in
        [("#lesson=lost-update&mode=find", "?embed"), ("#page=playground&mode=find", "")]
    {
        let tab = Tab::asked(fragment, query);
        let asks = |effect: &Effect| matches!(effect, Effect::Worker(ForWorker::Ask(..)));
        assert!(!tab.seen.iter().any(asks), "{fragment}");
    }
}

// ---- The playground -----------------------------------------------------------------------------

/// Types a text that is run, and drawn.
fn typed(tab: &mut Tab, text: &str) {
    hangs(tab, text);
    tab.hear(Event::Time(Timer::Drawn));
}

/// The same with one that is not drawn.
fn hangs(tab: &mut Tab, text: &str) {
    tab.press(Input::Own(OwnInput::Edit(Edit::Text(Part::Program(0), text.to_owned()))));
}

#[test]
fn what_is_typed_is_kept_at_once_and_the_address_follows_when_typing_pauses() {
    let mut tab = Tab::open("#page=playground");
    let before = fragment();
    tab.news();
    typed(&mut tab, "redis.call('SET', 'x', 1)");
    assert!(tab.news().contains(&Effect::Time(Timer::OwnPaused, Some(700))));
    assert_eq!(fragment(), before);
    // The page is loaded again before typing has paused.
    let again = Tab::open(&before);
    assert_eq!(
        again.shell.playground().unwrap().own.text(Part::Program(0)),
        "redis.call('SET', 'x', 1)"
    );
    tab.hear(Event::Time(Timer::OwnPaused));
    assert!(fragment().contains("scenario="), "{}", fragment());
}

#[test]
fn a_found_run_is_opened_and_shared_by_its_name() {
    let mut tab = Tab::open("#page=playground");
    let found = |schedule: &str| Input::Session(Msg::Open(schedule.to_owned()));
    tab.press(Input::Own(OwnInput::NameFound("A1.B1".to_owned(), "the race".to_owned())));
    tab.news();
    tab.press(Input::ShareRun("A1.B1".to_owned()));
    let copies = |effect: &Effect, name: &str| match effect {
        Effect::Copy("run", link) => link.contains(name),
        _ => false,
    };
    assert!(tab.news().iter().any(|one| copies(one, "&run=the%20race&")));
    tab.press(Input::ShareRun("B1.A1".to_owned()));
    assert!(!tab.news().iter().any(|one| copies(one, "run=")));
    tab.press(found("A1.B1"));
    assert!(tab.shell.lesson.run.playing, "it is played");
    tab.press(Input::Play);
    assert!(fragment().contains("&run=the%20race&"), "{}", fragment());
    // After an edit it is the same run.
    tab.press(Input::Session(Msg::Mode(Mode::Edit)));
    typed(&mut tab, "redis.call('INCR', 'x') redis.call('INCR', 'x')");
    tab.press(Input::Session(Msg::Mode(Mode::Schedule)));
    assert_eq!(tab.shell.lesson.run.session.as_ref().unwrap().run_name(), "the race");
}

#[test]
fn in_a_course_page_nothing_of_the_readers_own_is_taken_or_replaced() {
    typed(&mut Tab::open("#page=playground"), "redis.call('SET', 'mine', 1)");
    let mut tab = Tab::asked("#page=playground", "?embed");
    let text = |tab: &Tab| tab.shell.playground().unwrap().own.text(Part::Program(0)).to_owned();
    assert!(!text(&tab).contains("mine"));
    typed(&mut tab, "redis.call('SET', 'course', 1)");
    assert!(text(&Tab::open("#page=playground")).contains("mine"));
}

// ---- A course page ------------------------------------------------------------------------------

fn told(tab: &mut Tab) -> Vec<String> {
    let words = tab.news().into_iter().filter_map(|effect| match effect {
        Effect::Course(ToCourse::Tell(json) | ToCourse::Confide(json)) => Some(json.to_string()),
        Effect::Course(ToCourse::Answer(json, origin)) => Some(format!("{origin} {json}")),
        _ => None,
    });
    words.collect()
}

#[test]
fn a_course_page_whose_browser_keeps_nothing_says_so() {
    let says = |query| Tab::asked("#lesson=lost-update", query).shell.banners == [Banner::NotKept];
    assert!(!says("?embed"));
    IS_FULL.set(true);
    assert!(says("?embed") && !says(""));
    IS_FULL.set(false);
}

#[test]
fn a_course_page_that_asks_for_a_console_gets_its_reference_at_once() {
    let loads = |query| {
        let docs = |effect: &Effect| matches!(effect, Effect::Load(Wanted::Docs));
        Tab::asked("#lesson=lost-update", query).seen.iter().any(docs)
    };
    assert!(loads("?embed&tabs=schedule&panels=console") && !loads("?embed&tabs=schedule"));
}

#[test]
fn a_course_page_is_told_each_thing_once() {
    let mut tab = Tab::asked("#lesson=lost-update&mode=schedule", "?embed");
    let first = told(&mut tab);
    assert!(first.len() == 1 && first[0].contains("\"ready\""), "{first:?}");
    tab.step(0);
    let step = told(&mut tab);
    assert!(step.len() == 1 && step[0].contains("\"step\""), "{step:?}");
    tab.hear(Event::Room(500, 400));
    assert_eq!(told(&mut tab), Vec::<String>::new());
}

#[test]
fn a_course_page_is_obeyed_and_answered_and_withholds_what_it_likes() {
    let mut tab = Tab::asked("#lesson=lost-update&mode=fix", "?embed&readonly");
    told(&mut tab);
    let message = |command: &str| {
        let text = format!("{{\"ns\":\"interleave\",\"v\":1,\"id\":3,{command}}}");
        Event::Parent(text, "https://course".to_owned())
    };
    tab.hear(message("\"type\":\"load\",\"lesson\":\"watch\",\"mode\":\"schedule\""));
    assert_eq!(tab.shell.lesson_shown().unwrap().id, "watch");
    let words = told(&mut tab);
    assert!(words[0].starts_with("https://course"), "the answer comes first: {words:?}");
    assert!(words.iter().any(|word| word.contains("\"ready\"")), "{words:?}");
    let before = tab.shell.lesson.exercise.fix.draft().to_owned();
    tab.press(Input::Draft("changed".to_owned()));
    assert_eq!(tab.shell.lesson.exercise.fix.draft(), before);
}

// ---- A real Redis -------------------------------------------------------------------------------

fn connect(address: &str) -> Input {
    let (address, token) = (address.to_owned(), "t".to_owned());
    Input::Real(RealInput::Connect { address, token, pace: Pace::default() })
}

#[test]
fn a_proxy_that_is_not_there_is_told_in_the_dialog() {
    let mut tab = Tab::open("#lesson=lost-update&mode=schedule");
    tab.press(Input::Real(RealInput::Dialog(true))).news();
    tab.press(connect("http://there"));
    assert!(tab.shell.real.as_ref().unwrap().wrong.is_some() && !tab.shell.is_real());
    tab.press(connect("ws://there"));
    let news = tab.news();
    assert!(news.iter().any(|effect| matches!(effect, Effect::Connect(Socket::Run, proxy)
        if proxy.address == "ws://there" && proxy.token == "t")));
    assert!(news.contains(&Effect::Store("real.address".to_owned(), "ws://there".to_owned())));
    let opened = news.iter().find_map(|effect| match effect {
        Effect::Sockets(Socket::Run, effects) => effects.iter().find_map(|effect| match effect {
            crate::real::Effect::Open { id, .. } => Some(*id),
            _ => None,
        }),
        _ => None,
    });
    let id = opened.expect("a WebSocket is opened at once");
    tab.hear(Event::Socket(Socket::Run, id, Heard::Closed("nobody there".to_owned())));
    assert!(tab.news().contains(&Effect::HangUp(Socket::Run)));
    assert!(tab.shell.is_open(Window::Real) && !tab.shell.is_real());
    assert!(tab.shell.real.as_ref().unwrap().wrong.as_ref().unwrap().contains("nobody there"));
}

/// They are one visitor of the proxy, and a crowd removes the keys of the run.
#[test]
fn a_run_and_a_crowd_do_not_use_the_servers_at_once() {
    let mut tab = Tab::open("#lesson=oversell&mode=crowd");
    let run = || connect("ws://there");
    tab.press(Input::Real(RealInput::Dialog(true))).press(run()).news();
    assert!(tab.shell.is_real());
    tab.press(Input::Real(RealInput::Crowd));
    let news = tab.news();
    let at = |wanted: &dyn Fn(&Effect) -> bool| news.iter().position(wanted).expect("it is asked");
    let left = at(&|effect| *effect == Effect::HangUp(Socket::Run));
    let joined = at(&|effect| matches!(effect, Effect::Connect(Socket::Crowd, _)));
    assert!(left < joined && !tab.shell.is_real());
    tab.press(Input::Real(RealInput::Dialog(true))).press(run());
    let news = tab.news();
    let at = |wanted: &dyn Fn(&Effect) -> bool| news.iter().position(wanted).expect("it is asked");
    let left = at(&|effect| *effect == Effect::HangUp(Socket::Crowd));
    assert!(left < at(&|effect| matches!(effect, Effect::Connect(Socket::Run, _))));
}

#[test]
fn a_dialog_that_was_closed_says_so_without_harm() {
    let mut tab = Tab::open("#lesson=lost-update&mode=schedule");
    tab.press(Input::Real(RealInput::Replay("A1.B1".to_owned())));
    assert!(tab.shell.is_open(Window::Real));
    assert_eq!(tab.schedule(), "A1.B1");
    tab.press(Input::Real(RealInput::Dialog(false))).press(Input::Real(RealInput::Dialog(false)));
    assert_eq!(tab.shell.window, None);
}
