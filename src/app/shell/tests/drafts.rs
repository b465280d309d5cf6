//! Tests of drafts: none is lost, and none stops the page twice.

use super::*;
use crate::app::shell::drafts::DRAFT_FILE;
use crate::playground::{Definition, Script, WHOLE_MAX, folder};
use crate::session::deflate;

#[test]
fn a_draft_that_stopped_the_page_is_offered_and_not_run() {
    let mut tab = Tab::open("#page=playground");
    hangs(&mut tab, "while true do end");
    assert!(tab.shell.is_marked(), "it runs, and is not drawn yet");
    // The page ends here.
    let mut tab = Tab::open("#page=playground");
    let offered = tab.shell.offered().unwrap();
    assert!(offered.offers.len() == 1 && offered.offers[0].stopped && offered.own);
    assert!(!tab.shell.playground().unwrap().own.text(Part::Program(0)).contains("while"));
    let slot = offered.offers[0].slot;
    tab.press(Input::Kept(KeptInput::OpenText(slot)));
    let play = tab.shell.playground().unwrap();
    assert!(play.unrun && play.own.text(Part::Program(0)).contains("while"));
}

#[test]
fn a_draft_that_cannot_be_stored_is_said_and_guarded_once() {
    let mut tab = Tab::open("#page=playground");
    IS_FULL.set(true);
    tab.news();
    typed(&mut tab, "redis.call('SET', 'x', 1)");
    typed(&mut tab, "redis.call('SET', 'x', 2)");
    IS_FULL.set(false);
    assert_eq!(tab.news().iter().filter(|effect| **effect == Effect::Guard).count(), 1);
    assert!(tab.shell.offered().unwrap().unkept);
}

#[test]
fn a_draft_that_cannot_be_read_is_offered_and_not_written_over() {
    let mut tab = Tab::open("#page=playground");
    typed(&mut tab, "redis.call('SET', 'x', 1)");
    let shelf = tab.shell.host.shelf;
    let damaged = shelf.get("own.draft").unwrap() + "?";
    shelf.set("own.draft", &damaged);
    let mut tab = Tab::open("#page=playground");
    let offer = tab.shell.offered().unwrap().offers[0].clone();
    assert_eq!(offer.text, damaged);
    let play = tab.shell.playground().unwrap();
    assert!(play.of_file[0].text(&play.own, Lang::En).contains(DRAFT_FILE), "it is said");
    // Opened, it is refused, and offered still.
    tab.press(Input::Kept(KeptInput::Open(offer.slot)));
    assert!(tab.shell.banners.iter().any(|banner| matches!(banner, Banner::Own(_))));
    assert_eq!(tab.shell.offered().unwrap().offers[0], offer);
    typed(&mut tab, "redis.call('SET', 'x', 2)");
    assert_eq!(shelf.get("own.draft"), Some(damaged));
}

#[test]
fn no_draft_becomes_longer_than_can_be_read() {
    let mut tab = Tab::open("#page=playground");
    let long = "-- ".to_owned() + &"x".repeat(15 * 1024);
    for at in 0..8 {
        tab.press(Input::Own(OwnInput::Edit(Edit::AddProgram)));
        tab.press(Input::Own(OwnInput::Edit(Edit::Text(Part::Program(at), long.clone()))));
    }
    let text = tab.shell.playground().unwrap().own.write();
    assert!((WHOLE_MAX - 16 * 1024..=WHOLE_MAX).contains(&text.len()), "{}", text.len());
    let is_said = |banner: &Banner| matches!(banner, Banner::Own(_));
    assert!(tab.shell.banners.iter().any(is_said));
    tab.hear(Event::Time(Timer::Drawn));
    let again = Tab::open("#page=playground");
    assert!(again.shell.playground().unwrap().own.write() == text, "it is read again");
}

#[test]
fn a_file_or_a_link_that_is_longer_than_a_draft_may_be_is_refused() {
    let script = |name: String| Script { name, text: "x".repeat(16 * 1024) };
    let programs = (0..7).map(|at| script(format!("p{at}"))).collect();
    let zip = folder::write_zip(&Definition { programs, ..Definition::first() });
    let mut tab = Tab::open("#page=playground");
    tab.press(Input::Own(OwnInput::Open("long.zip".into(), Ok(zip))));
    let of = |text: &str| {
        let head = "{ \"properties\": [{ \"ready\": \"mutual-exclusion\", \"of\": \"h\" }],";
        format!("{head} \"programs\": [{{ \"name\": \"a\", \"text\": \"{text}\" }}] }}")
    };
    // It becomes longer where it is read: a ready-made condition is written out.
    let text = of(&"x".repeat(WHOLE_MAX - of("").len()));
    let link = Tab::open(&format!("#page=playground&scenario={}", deflate::pack(&text)));
    for tab in [tab, link] {
        let said = |banner: &Banner| banner.text(None, None, Lang::En);
        assert!(tab.shell.banners.iter().filter_map(said).any(|said| said.contains("96 KB")));
        assert!(tab.shell.playground().unwrap().own == Definition::first());
    }
}

#[test]
fn undo_stays_where_it_is_if_the_text_before_cannot_be_read() {
    let mut tab = Tab::open("#page=playground");
    typed(&mut tab, "redis.call('SET', 'x', 1)");
    tab.hear(Event::Time(Timer::OwnPaused));
    tab.shell.host.shelf.set("own.past", "[\"damaged\"]");
    let mut tab = Tab::open("#page=playground");
    let undo = tab.shell.playground().unwrap().undo.clone();
    assert!(undo.can_undo() && !undo.can_redo());
    tab.press(Input::Own(OwnInput::Undo));
    assert_eq!(tab.shell.playground().unwrap().undo, undo);
}
