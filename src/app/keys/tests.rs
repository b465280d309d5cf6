use std::rc::Rc;

use super::*;
use crate::lesson::source::read_folder;
use crate::playground::Definition;
use crate::session::link::Link;

fn open(lesson: &str, link: &str) -> Session {
    let folder = std::path::Path::new("static/lessons").join(lesson);
    let lesson = read_folder(&folder).unwrap();
    Session::open(Rc::new(lesson), &Link::parse(link)).unwrap().0
}

fn playground() -> Session {
    let lesson = Definition::first().lesson().unwrap();
    Session::open(Rc::new(lesson), &Link::parse("mode=edit")).unwrap().0
}

fn around(session: &Session) -> Around<'_> {
    Around {
        session: Some(session),
        keyless: false,
        letters: true,
        dialog: false,
        nothing_to_undo: false,
        presenter: None,
        examples: false,
    }
}

fn press(key: &str) -> KeyPress {
    KeyPress { key: key.to_owned(), tag: "BODY".to_owned(), ..KeyPress::default() }
}

fn digit(code: &str, shift: bool) -> KeyPress {
    KeyPress { code: code.to_owned(), shift, ..press("") }
}

fn says(session: &Session, name: &str) -> Option<Input> {
    key(&press(name), &around(session))
}

#[test]
fn the_keys_of_a_run() {
    let session = open("lost-update", "mode=schedule&schedule=A1.B1&step=1");
    assert_eq!(says(&session, " "), Some(Input::Play));
    for name in ["ArrowLeft", "ArrowUp", "PageUp"] {
        assert_eq!(says(&session, name), Some(Input::Session(Msg::Back)));
    }
    for name in ["ArrowRight", "ArrowDown", "PageDown", "."] {
        assert_eq!(says(&session, name), Some(Input::Session(Msg::Forward)));
    }
    assert_eq!(says(&session, "Home"), Some(Input::Session(Msg::Seek(0))));
    assert_eq!(says(&session, "End"), Some(Input::Session(Msg::Seek(2))));
    assert_eq!(says(&session, "P"), Some(Input::Present(true)));
    assert_eq!(says(&session, "r"), Some(Input::Session(Msg::Reset)));
    assert_eq!(says(&session, "x"), Some(Input::Random));
    assert_eq!(says(&session, "s"), Some(Input::Find));
    assert_eq!(says(&session, "v"), Some(Input::Runs(true)), "it has two variants");
    assert_eq!(says(&session, "/"), Some(Input::Console(Do::Open(true))));
    assert_eq!(says(&session, "?"), Some(Input::Help(true)));
    assert_eq!(says(&session, "g"), Some(Input::Goal(true)));
    assert_eq!(says(&session, "M"), Some(Input::More));
    assert_eq!(says(&session, "q"), None);
    assert_eq!(says(&session, "t"), None, "nothing is due");
    let asleep = open("setnx-lock", "mode=schedule&schedule=A1.A2.B1.B2");
    assert_eq!(says(&asleep, "t"), Some(Input::Session(Msg::Advance)));
    assert_eq!(says(&session, "Escape"), None, "nothing stands beside the run");
}

#[test]
fn a_digit_steps_a_client_that_can_be_stepped() {
    let session = open("lost-update", "mode=schedule");
    let around = around(&session);
    let step = |code, shift| key(&digit(code, shift), &around);
    assert_eq!(step("Digit1", false), Some(Input::Session(Msg::Step(ClientId(0)))));
    assert_eq!(step("Numpad2", false), Some(Input::Session(Msg::Step(ClientId(1)))));
    assert_eq!(step("Digit2", true), Some(Input::Session(Msg::RunClient(ClientId(1)))));
    assert_eq!(step("Digit3", false), None, "there are two clients");
    assert_eq!(step("Digit0", false), None);
    assert_eq!(step("NumpadAdd", false), None);
}

#[test]
fn a_letter_steps_its_client_and_does_nothing_else() {
    let session = open("lost-update", "mode=schedule&schedule=A1.A2");
    let step = |id| Some(Input::Session(Msg::Step(ClientId(id))));
    assert_eq!((says(&session, "b"), says(&session, "B")), (step(1), step(1)));
    assert_eq!(says(&session, "a"), None, "A is done");
    assert_eq!(says(&session, "c"), None, "there are two clients");
    let shift = KeyPress { shift: true, ..press("B") };
    let run = Some(Input::Session(Msg::RunClient(ClientId(1))));
    assert_eq!(key(&shift, &around(&session)), run);
    let presented = Around { presenter: Some(false), ..around(&session) };
    assert_eq!(key(&press("b"), &presented), step(1));
    let asked = open("lost-update", "mode=watch");
    let mut stopped = asked;
    while !stopped.is_at_stop() {
        stopped.update(Msg::Forward);
    }
    assert_eq!((says(&stopped, "a"), says(&stopped, "b")), (None, None), "a question stands there");
}

#[test]
fn keys_of_one_character_can_be_switched_off() {
    let session = open("lost-update", "mode=schedule&schedule=A1&step=1");
    let off = Around { letters: false, ..around(&session) };
    for name in ["a", "x", "?", "/", ".", "1"] {
        assert_eq!(key(&press(name), &off), None, "{name}");
    }
    assert_eq!(key(&press(" "), &off), Some(Input::Play));
    assert_eq!(key(&press("ArrowLeft"), &off), Some(Input::Session(Msg::Back)));
}

#[test]
fn faults_are_offered_where_there_are_some() {
    let without = open("lost-update", "mode=schedule");
    assert!(!faults::has_any(&without));
    assert_eq!(says(&without, "w"), None);
    let with = open("failover", "mode=schedule");
    assert_eq!(says(&with, "W"), Some(Input::Faults(true)));
}

#[test]
fn a_run_beside_is_closed_before_anything_else() {
    let session = open("lost-update", "mode=schedule&beside=incrby");
    assert_eq!(says(&session, "Escape"), Some(Input::Session(Msg::Compare(None))));
}

#[test]
fn keys_that_are_not_for_the_page() {
    let session = open("lost-update", "mode=schedule");
    let free = around(&session);
    for tag in ["INPUT", "TEXTAREA", "SELECT"] {
        assert_eq!(key(&KeyPress { tag: tag.to_owned(), ..press("x") }, &free), None);
    }
    for tag in ["BUTTON", "A"] {
        let on = |name| KeyPress { tag: tag.to_owned(), ..press(name) };
        assert_eq!(key(&on(" "), &free), None, "it presses the button");
        assert_eq!(key(&on("x"), &free), Some(Input::Random));
    }
    let inner = |name| KeyPress { is_inner: true, ..press(name) };
    assert_eq!(key(&inner("ArrowDown"), &free), None, "it scrolls the log");
    assert_eq!(key(&inner("/"), &free), Some(Input::Console(Do::Open(true))));
    assert_eq!(key(&KeyPress { command: true, ..press("r") }, &free), None, "the browser's");
    assert_eq!(key(&KeyPress { alt: true, ..press("ArrowLeft") }, &free), None);
    assert_eq!(key(&press("x"), &Around { keyless: true, ..free }), None);
    assert_eq!(key(&press("x"), &Around { dialog: true, ..free }), None);
    assert_eq!(key(&press("x"), &Around { session: None, ..free }), None);
}

#[test]
fn a_presenters_keys_come_first_and_any_key_ends_the_dark() {
    let session = open("lost-update", "mode=schedule&beside=incrby");
    let light = Around { presenter: Some(false), ..around(&session) };
    assert_eq!(key(&press("."), &light), Some(Input::Dark(true)));
    for name in ["Escape", "p", "P"] {
        assert_eq!(key(&press(name), &light), Some(Input::Present(false)));
    }
    assert_eq!(key(&press("ArrowRight"), &light), Some(Input::Session(Msg::Forward)));
    let dark = Around { presenter: Some(true), ..light };
    for name in ["b", "ArrowRight", "Escape", "q"] {
        assert_eq!(key(&press(name), &dark), Some(Input::Dark(false)));
    }
}

#[test]
fn a_presenters_step_says_at_a_question_that_the_next_one_passes_it() {
    let mut session = open("lost-update", "mode=watch");
    while !session.asks() {
        session.update(Msg::Forward);
    }
    let presented = Around { presenter: Some(false), ..around(&session) };
    for name in ["ArrowRight", "PageDown"] {
        assert_eq!(key(&press(name), &presented), Some(Input::PassQuestion));
    }
    let digit = digit("Digit2", false);
    assert_eq!(key(&digit, &presented), Some(Input::Session(Msg::Foretell(1))));
    assert_eq!(says(&session, "ArrowRight"), Some(Input::Session(Msg::Forward)), "no presenter");
}

#[test]
fn modes_in_which_nothing_is_stepped_have_few_keys() {
    let find = open("lost-update", "mode=find");
    assert_eq!(says(&find, "S"), Some(Input::Find));
    assert_eq!(says(&find, "Escape"), Some(Input::FindStop));
    let crowd = open("oversell", "mode=crowd");
    assert_eq!(says(&crowd, "Escape"), Some(Input::Crowd(CrowdInput::Stop)));
    assert_eq!(says(&crowd, "f"), None);
    let review = open("lost-update", "mode=review");
    let fix = open("lost-update", "mode=fix");
    for (session, mode) in
        [(&find, Mode::Find), (&crowd, Mode::Crowd), (&review, Mode::Review), (&fix, Mode::Fix)]
    {
        assert_eq!(session.mode(), mode);
        assert_eq!(says(session, "?"), Some(Input::Help(true)));
        assert_eq!(says(session, "G"), Some(Input::Goal(true)));
        assert_eq!(says(session, "m"), Some(Input::More));
        for name in [" ", "ArrowRight", "r", "/", "p"] {
            assert_eq!(says(session, name), None, "{name} in {mode:?}");
        }
    }
}

#[test]
fn undo_reaches_what_is_written_wherever_the_focus_is() {
    let fix = open("lost-update", "mode=fix");
    let edit = playground();
    let run = open("lost-update", "mode=schedule");
    let field = |name: &str, shift| KeyPress {
        command: true,
        shift,
        tag: "TEXTAREA".to_owned(),
        ..press(name)
    };
    for (name, shift, redo) in [("z", false, false), ("Z", true, true), ("y", false, true)] {
        let press = field(name, shift);
        let own = if redo { OwnInput::Redo } else { OwnInput::Undo };
        assert_eq!(key(&press, &around(&fix)), Some(Input::UndoDraft(redo)));
        assert_eq!(key(&press, &around(&edit)), Some(Input::Own(own)));
        assert_eq!(key(&press, &around(&run)), None, "there is a button for it");
        let asked = Around { nothing_to_undo: true, dialog: true, ..around(&fix) };
        assert_eq!(key(&press, &asked), None);
    }
    let with_alt = KeyPress { alt: true, ..field("z", false) };
    assert_eq!(key(&with_alt, &around(&fix)), None);
}

#[test]
fn the_list_of_examples_is_closed_by_escape() {
    let session = playground();
    assert_eq!(session.mode(), Mode::Edit);
    assert_eq!(says(&session, "Escape"), None);
    let open = Around { examples: true, ..around(&session) };
    assert_eq!(key(&press("Escape"), &open), Some(Input::Own(OwnInput::Menu(false))));
    assert_eq!(key(&press("?"), &open), Some(Input::Help(true)));
}
