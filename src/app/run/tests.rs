use std::rc::Rc;

use super::*;
use crate::lesson::source::read_folder;
use crate::session::link::Link;
use crate::sim::ClientId;

fn outside() -> Outside {
    Outside {
        passes: None,
        lang: Lang::En,
        calm: false,
        is_own: false,
        hint: Hint::Absent,
        best: None,
        outlook: None,
    }
}

fn open(link: &str) -> RunState {
    let lesson = read_folder(std::path::Path::new("static/lessons/lost-update")).unwrap();
    let (session, _) = Session::open(Rc::new(lesson), &Link::parse(link)).unwrap();
    let mut run = RunState { session: Some(session), ..RunState::new(String::new()) };
    run.refresh(&outside());
    run
}

fn press(run: &mut RunState, msg: Msg) -> Option<(usize, Way)> {
    run.session.as_mut().unwrap().update(msg);
    run.refresh(&outside());
    shown(run)
}

/// The step whose film is shown, and how.
fn shown(run: &RunState) -> Option<(usize, Way)> {
    let showing = run.view()?.showing.as_ref()?;
    assert_eq!(showing.before.step + 1, showing.after.step);
    Some((showing.after.step, showing.way))
}

#[test]
fn a_step_is_its_film_and_a_step_back_the_same_one_backwards() {
    let mut run = open("mode=schedule");
    assert_eq!(shown(&run), None);
    assert_eq!(press(&mut run, Msg::Step(ClientId(0))), Some((1, Way::Forward)));
    assert_eq!(press(&mut run, Msg::Step(ClientId(1))), Some((2, Way::Forward)));
    assert_eq!(press(&mut run, Msg::Back), Some((2, Way::Back)));
    assert_eq!(press(&mut run, Msg::Forward), Some((2, Way::Forward)));
    // Another choice forks the run; it is a step on all the same.
    press(&mut run, Msg::Back);
    assert_eq!(press(&mut run, Msg::Step(ClientId(0))), Some((2, Way::Forward)));
}

#[test]
fn a_jump_has_no_film_nor_has_another_run() {
    let mut run = open("mode=schedule&schedule=A1.B1.A2.B2");
    assert_eq!(press(&mut run, Msg::Seek(0)), None);
    assert_eq!(press(&mut run, Msg::Seek(1)), Some((1, Way::Forward)), "a step by another way");
    assert_eq!(press(&mut run, Msg::Seek(4)), None);
    assert_eq!(press(&mut run, Msg::Variant(1)), None);
}

#[test]
fn what_does_not_move_the_run_leaves_its_film_alone() {
    let mut run = open("mode=schedule");
    press(&mut run, Msg::Step(ClientId(0)));
    let serial = run.view().unwrap().showing.as_ref().unwrap().serial;
    run.refresh(&Outside { hint: Hint::Offered, ..outside() });
    assert_eq!(run.view().unwrap().showing.as_ref().unwrap().serial, serial);
    run.refresh(&Outside { lang: Lang::Zh, ..outside() });
    assert_eq!(shown(&run), None, "the words are others now");
}

#[test]
fn nothing_moves_where_the_reader_prefers_so() {
    let mut run = open("mode=schedule");
    run.session.as_mut().unwrap().update(Msg::Step(ClientId(0)));
    run.refresh(&Outside { calm: true, ..outside() });
    assert_eq!(shown(&run), None);
    run.speed = INSTANT;
    assert_eq!(press(&mut run, Msg::Step(ClientId(1))), None);
}

#[test]
fn a_finger_on_the_strip_stands_inside_of_a_step() {
    let mut run = open("mode=schedule&schedule=A1.B1.A2.B2&step=4");
    let mut drag = |place: f64| {
        run.scrub(place);
        run.refresh(&outside());
        (run.view().unwrap().step, shown(&run))
    };
    assert_eq!(drag(2.25), (3, Some((3, Way::Hold(0.25)))));
    assert_eq!(drag(2.5), (3, Some((3, Way::Hold(0.5)))));
    assert_eq!(drag(0.5), (1, Some((1, Way::Hold(0.5)))));
    assert_eq!(drag(1.99), (2, None), "near a step it stands at the step");
    assert_eq!(drag(99.0).0, 4);
    assert_eq!(drag(f64::NAN).0, 0);
}

#[test]
fn the_stage_has_what_the_run_has() {
    let mut run = open("mode=schedule");
    press(&mut run, Msg::Step(ClientId(0)));
    let view = run.view().unwrap();
    assert_eq!((view.step, view.steps, view.picture.step), (1, 1, 1));
    assert_eq!(view.picture.cards.len(), 2);
    assert!(matches!(&view.say, Say::Happened(said) if !said.is_empty()));
    assert_eq!(view.other, None, "no time passes in this lesson");
    press(&mut run, Msg::Mode(Mode::Watch));
    assert!(matches!(&run.view().unwrap().say, Say::Told(_)));
    press(&mut run, Msg::Mode(Mode::Find));
    assert!(run.view().is_none(), "no run is stepped here");
}

#[test]
fn a_story_asks_before_its_decisive_step_and_the_step_answers() {
    let mut run = open("mode=watch");
    press(&mut run, Msg::Seek(3));
    let ask = run.view().unwrap().ask.clone().expect("a question");
    assert_eq!(ask.question, "What will balance be after B’s SET?");
    assert_eq!(ask.choices, ["10", "20", "30"]);
    assert_eq!((ask.said, ask.go.as_str()), (None, "Step B and see"));
    let next = |run: &RunState| {
        let view = run.view().unwrap();
        view.command_shown(&view.picture.cards[1]).unwrap_or_default()
    };
    assert_eq!(next(&run), "SET balance …", "the value would be the answer");
    assert!(run.session.as_ref().unwrap().asks(), "play waits");
    // To choose does not answer, and may be done again.
    press(&mut run, Msg::Foretell(1));
    press(&mut run, Msg::Foretell(2));
    press(&mut run, Msg::Foretell(3));
    assert_eq!(run.view().unwrap().ask.as_ref().unwrap().said, Some(2));
    assert!(!run.session.as_ref().unwrap().asks());
    press(&mut run, Msg::Forward);
    let told = |run: &RunState| match &run.view().unwrap().say {
        Say::Told(told) => told.foretold.clone(),
        _ => None,
    };
    assert_eq!(run.view().unwrap().ask, None);
    assert_eq!(next(&run), "");
    assert_eq!(told(&run), Some((Some(false), "You said 30. It is 20.".to_owned())));
    press(&mut run, Msg::Back);
    press(&mut run, Msg::Foretell(1));
    press(&mut run, Msg::Forward);
    assert_eq!(told(&run), Some((Some(true), "20, as you said.".to_owned())));
}

#[test]
fn a_broken_run_says_why_and_nothing_that_is_seen() {
    let mut run = open("mode=break");
    for client in [0, 1, 0] {
        press(&mut run, Msg::Step(ClientId(client)));
    }
    let said = |run: &RunState| match &run.view().unwrap().say {
        Say::Dared(dared, said) => (dared.done, said.clone()),
        _ => panic!("a challenge"),
    };
    assert!(said(&run).1[0].starts_with("A changed balance"), "{:?}", said(&run));
    press(&mut run, Msg::Step(ClientId(1)));
    let (done, said) = said(&run);
    assert_eq!((done, said.len()), (Some(4), 1), "{said:?}");
    assert!(said[0].starts_with("A changed balance to 20 (step 3), but B computed"), "{said:?}");
}

#[test]
fn only_to_skip_the_question_passes_it_without_an_answer_and_says_so() {
    let mut run = open("mode=watch");
    press(&mut run, Msg::Skip);
    assert_eq!(run.view().unwrap().step, 0, "there is no question");
    press(&mut run, Msg::Seek(3));
    for msg in [Msg::Forward, Msg::Step(ClientId(1)), Msg::Forward] {
        press(&mut run, msg);
        assert_eq!(run.view().unwrap().step, 3);
    }
    assert_eq!(press(&mut run, Msg::Skip), Some((4, Way::Forward)));
    let Say::Told(told) = &run.view().unwrap().say else { panic!("a story") };
    let skipped = "The question was skipped. The answer: 20.".to_owned();
    assert_eq!(told.foretold, Some((None, skipped)));
}

/// Every lesson's folder.
fn lessons() -> impl Iterator<Item = std::path::PathBuf> {
    let folders = std::fs::read_dir("static/lessons").unwrap().map(|entry| entry.unwrap().path());
    folders.filter(|folder| folder.join("lesson.toml").exists())
}

#[test]
fn no_step_button_has_more_words_than_room() {
    // Lower ones are measured in a browser, which breaks a word where it must (labels.test.mjs).
    const WINDOWS: [(i32, i32); 1] = [(1280, 720)];
    let mut cut = std::collections::BTreeSet::new();
    for folder in lessons() {
        let lesson = Rc::new(read_folder(&folder).unwrap());
        for variant in &lesson.variants {
            let open = |schedule: &str| {
                let link = format!("variant={}&mode=schedule&schedule={schedule}", variant.id);
                Session::open(lesson.clone(), &Link::parse(&link)).map(|(session, _)| session)
            };
            let Ok(session) = open("") else { continue };
            let stories = session.stories().map(|story| story.schedule());
            for schedule in stories.chain([String::new()]) {
                let session = open(&schedule).unwrap();
                let steps = session.timeline().len();
                let mut run = RunState { session: Some(session), ..RunState::new(String::new()) };
                for (step, lang) in (0..=steps).flat_map(|at| Lang::ALL.map(|lang| (at, lang))) {
                    run.session.as_mut().unwrap().update(Msg::Seek(step));
                    run.refresh(&Outside { lang, ..outside() });
                    let Some(view) = run.view() else { continue };
                    let cards = &view.picture.cards;
                    let buttons = cards.iter().map(|card| card.forms.clone());
                    let asked = cards.iter().filter_map(|card| card.asked().map(|one| vec![one]));
                    let other = view.other.iter().map(|one| one.forms.clone());
                    for forms in &buttons.chain(asked).chain(other).collect::<Vec<_>>() {
                        for window in WINDOWS {
                            let words = view.on_button(forms, window);
                            if !view.button_room(window).takes(&words) {
                                cut.insert(format!("{window:?} {}: {forms:?}", lesson.id));
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(cut.is_empty(), "{} are cut: {cut:#?}", cut.len());
}
