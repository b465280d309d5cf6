use std::path::Path;
use std::rc::Rc;

use expect_test::{ExpectFile, expect, expect_file};

use super::cards::{Status, cards};
use super::chips::{ChipState, chips};
use super::diagram::{Diagram, RowKind, Space, diagram};
use super::explain::explain;
use super::link::Link;
use super::redis::panel;
use super::session::{Mode, Msg, Session};
use super::strip::{kept, strip};
use crate::lesson::Lesson;
use crate::lesson::source::read_folder;
use crate::sim::{Action, ClientId};
use crate::text::Lang;

fn lesson(id: &str) -> Rc<Lesson> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(id);
    Rc::new(read_folder(&folder).unwrap_or_else(|problems| panic!("{problems:?}")))
}

/// A session opened by a fragment; the link must have nothing wrong.
fn session(fragment: &str) -> Session {
    let link = Link::parse(fragment);
    let id = link.lesson.clone().expect("a lesson");
    let (session, notices) = Session::open(lesson(&id), &link).expect("a lesson that runs");
    assert_eq!(notices, [], "{fragment}");
    session
}

const LOST: &str = "lesson=lost-update&variant=naive&schedule=A1.B1.A2.B2&step=4";

const A: ClientId = ClientId(0);
const B: ClientId = ClientId(1);

/// The sentences for every step, against a file that UPDATE_EXPECT=1 writes anew.
fn said(fragment: &str, lang: Lang, expected: ExpectFile) {
    let mut session = session(fragment);
    let mut text = String::new();
    for step in 0..=session.timeline().len() {
        session.update(Msg::Seek(step));
        text += &format!("{step}. {}\n", explain(&session, lang).join(" "));
    }
    expected.assert_eq(&text);
}

#[test]
fn a_lost_update_in_words() {
    said(LOST, Lang::En, expect_file!["goldens/lost-en.txt"]);
    said(LOST, Lang::Zh, expect_file!["goldens/lost-zh.txt"]);
}

#[test]
fn other_steps_in_words() {
    said(
        "lesson=oversell&variant=lua&schedule=A1.B1",
        Lang::En,
        expect_file!["goldens/script-en.txt"],
    );
    said(
        "lesson=atomic-counters&variant=hget-hset&schedule=A1.B1.B2.A2",
        Lang::En,
        expect_file!["goldens/hash-en.txt"],
    );
    said(
        "lesson=atomic-counters&variant=zincrby&schedule=A1.B1",
        Lang::Zh,
        expect_file!["goldens/zset-zh.txt"],
    );
}

#[test]
fn the_card_of_a_client_between_its_two_commands() {
    let session = session("lesson=lost-update&variant=naive&schedule=A1.B1&step=2");
    let cards = cards(&session, Lang::En);
    let [a, b] = cards.as_slice() else { panic!("two clients") };
    assert_eq!((a.status, b.status), (Status::Ready, Status::JustRan));
    assert_eq!(b.command.as_deref(), Some("SET balance 20"));
    assert!(b.button.enabled && b.button.label == "Step B");
    let values = |line: usize| -> Vec<(&str, &str, bool)> {
        let values = b.lines[line].values.iter();
        values.map(|v| (v.name.as_str(), v.value.as_str(), v.fresh)).collect()
    };
    assert_eq!(values(0), [("n", "\"10\"", true)]);
    assert_eq!(values(1), [("n", "20", true)]);
    assert!(a.lines[0].values.iter().all(|value| !value.fresh), "A ran a step earlier");
    let arrows: Vec<(bool, bool)> = b.lines.iter().map(|line| (line.ran, line.next)).collect();
    assert_eq!(arrows, [(false, false), (true, false), (false, true)]);
}

#[test]
fn a_client_that_is_done_says_so() {
    let session = session(LOST);
    let cards = cards(&session, Lang::Zh);
    assert_eq!(cards[0].status, Status::Done);
    assert_eq!((cards[0].button.enabled, cards[0].button.label.as_str()), (false, "A 已执行完"));
    assert!(cards[0].lines.iter().all(|line| !line.next));
}

#[test]
fn the_chip_turns_red_and_green_again() {
    let mut session = session(LOST);
    let state = |session: &Session| chips(session, Lang::En)[0].state;
    assert_eq!(state(&session), ChipState::Broken(4));
    assert_eq!(chips(&session, Lang::En)[0].words, "broken at step 4");
    session.update(Msg::Back);
    assert_eq!(state(&session), ChipState::Holds);
    assert_eq!(chips(&session, Lang::En)[1].state, ChipState::NotYet);
}

#[test]
fn the_panel_shows_what_the_step_replaced() {
    let mut session = session(LOST);
    session.update(Msg::Seek(3));
    let shown = panel(session.timeline());
    assert_eq!(shown.ready, [(B, "SET balance 20".to_owned())]);
    let slot = shown.slot.expect("a command was executed");
    assert_eq!((slot.client, slot.command.as_str()), (A, "SET balance 20"));
    assert_eq!(slot.reply.as_deref(), Some("OK"));
    let row = &shown.keys[0];
    assert_eq!(
        (row.key.as_str(), row.kind, row.by, row.changed),
        ("balance", "string", Some(A), true)
    );
    let item = &row.items[0];
    assert_eq!((item.before.as_deref(), item.now.as_deref()), (Some("10"), Some("20")));
    session.update(Msg::Seek(1));
    let row = &panel(session.timeline()).keys[0];
    assert_eq!((row.by, row.changed, row.items[0].before.as_deref()), (None, false, None));
}

#[test]
fn a_hash_shows_the_field_that_changed() {
    let session = session("lesson=atomic-counters&variant=hincrby&schedule=A1&step=1");
    let row = &panel(session.timeline()).keys[0];
    let items: Vec<_> = row
        .items
        .iter()
        .map(|item| (item.name.as_deref(), item.before.as_deref(), item.now.as_deref()))
        .collect();
    let apples = (Some("apples"), Some("1"), Some("3"));
    assert_eq!(items, [apples, (Some("pears"), None, Some("4"))]);
}

#[test]
fn the_race_window_is_red_from_the_foreign_write_on() {
    let session = session(LOST);
    let drawn = diagram(session.timeline(), Space { width: 540, touch: false }, Lang::En);
    let [a, b] = drawn.windows.as_slice() else { panic!("{:?}", drawn.windows) };
    assert_eq!((a.client, a.read_step, a.write_step, a.stale_from), (A, 1, Some(3), None));
    assert_eq!((b.client, b.read_step, b.write_step, b.intruder), (B, 2, Some(4), Some(A)));
    assert!(b.stale_from.is_some_and(|y| b.top < y && y < b.bottom));
}

#[test]
fn a_window_is_open_while_the_client_stands_before_its_write() {
    let session = session("lesson=lost-update&variant=naive&schedule=A1&step=1");
    let drawn = diagram(session.timeline(), Space { width: 540, touch: false }, Lang::En);
    assert_eq!(drawn.windows.len(), 1);
    assert_eq!((drawn.windows[0].client, drawn.windows[0].write_step), (A, None));
    let atomic = self::session("lesson=lost-update&variant=incrby&schedule=A1&step=1");
    let drawn = diagram(atomic.timeline(), Space { width: 540, touch: false }, Lang::En);
    assert_eq!(drawn.windows, [], "one command has no gap");
}

/// Every text of a diagram as a box: left, top, right, bottom, and what it says.
fn texts(drawn: &Diagram) -> Vec<(i32, i32, i32, i32, String)> {
    let mut texts = Vec::new();
    let mut add = |x: i32, y: i32, text: &str| {
        let columns: i32 = text.chars().map(|c| if (c as u32) < 0x1100 { 7 } else { 12 }).sum();
        texts.push((x, y - 9, x + columns, y + 3, text.to_owned()));
    };
    add(drawn.redis.label_x, 16, &drawn.redis.title);
    for row in &drawn.rows {
        if let RowKind::Call { y_request, y_reply, command, reply, .. } = &row.kind {
            add(drawn.redis.label_x, y_request + 4, command);
            add(drawn.redis.label_x, y_reply + 4, reply.as_deref().unwrap_or_default());
        }
        for note in &row.notes {
            add(note.x, note.y, &note.text);
        }
    }
    for label in drawn.windows.iter().filter_map(|window| window.label.as_ref()) {
        add(label.x, label.y, &label.text);
    }
    texts
}

#[test]
fn no_label_collides_with_another_or_leaves_the_picture() {
    for id in ["lost-update", "oversell", "atomic-counters"] {
        let lesson = lesson(id);
        for walk in &lesson.walks {
            let fragment = format!("lesson={id}&walk={}", walk.id);
            let session = session(&fragment);
            for (width, touch) in [(358, true), (420, false), (512, false), (576, false)] {
                for lang in Lang::ALL {
                    let drawn = diagram(session.timeline(), Space { width, touch }, lang);
                    assert_eq!(drawn.width, width, "{fragment}");
                    let texts = texts(&drawn);
                    for (n, a) in texts.iter().enumerate() {
                        assert!(a.2 <= drawn.width, "{fragment} at {width}: {a:?} sticks out");
                        for b in &texts[n + 1..] {
                            let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
                            assert!(apart, "{fragment} at {width}, {lang:?}: {a:?} on {b:?}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_strip_marks_switches_breaks_and_the_future() {
    let mut session = session("lesson=lost-update&variant=naive&schedule=A1.B1.B2.A2&step=2");
    let cells = strip(session.timeline());
    let shown: Vec<_> = cells.iter().map(|c| (c.client, c.switch, c.breaks, c.future)).collect();
    assert_eq!(
        shown,
        [
            (Some(A), false, false, false),
            (Some(B), true, false, false),
            (Some(B), false, false, true),
            (Some(A), true, true, true),
        ]
    );
    session.update(Msg::Step(A));
    let kept = kept(session.timeline());
    assert_eq!((kept[0].schedule.as_str(), kept[0].shared), ("A1.B1.B2.A2", 2));
}

#[test]
fn a_link_opens_the_view_that_wrote_it() {
    for fragment in [
        LOST,
        "lesson=lost-update&walk=in-turn&step=2",
        "lesson=oversell&variant=decr-check&schedule=A1.B1&step=1",
        "lesson=atomic-counters&variant=zincrby",
    ] {
        let session = session(fragment);
        let again = self::session(&session.link(Lang::Zh).write());
        assert_eq!(again.link(Lang::Zh), session.link(Lang::Zh), "{fragment}");
        assert_eq!((again.mode(), again.variant()), (session.mode(), session.variant()));
        assert!(again.timeline().world() == session.timeline().world());
    }
}

#[test]
fn a_lesson_opens_with_its_story_and_a_run_with_the_schedule() {
    assert_eq!(session("lesson=lost-update").mode(), Mode::Watch);
    assert_eq!(session(LOST).mode(), Mode::Schedule);
    assert_eq!(session("lesson=lost-update&mode=schedule").mode(), Mode::Schedule);
}

#[test]
fn in_a_story_only_its_own_next_step_can_be_made() {
    let mut session = session("lesson=lost-update&walk=lost");
    assert_eq!(session.story_next(), Some(Action::Step(A)));
    session.update(Msg::Step(B));
    session.update(Msg::Random(1));
    session.update(Msg::RunClient(A));
    assert_eq!(session.timeline().cursor(), 0);
    session.update(Msg::Step(A));
    assert_eq!((session.timeline().cursor(), session.timeline().len()), (1, 4));
}

#[test]
fn runs_are_kept_when_variant_or_mode_change() {
    let mut session = session("lesson=lost-update&variant=naive&schedule=A1.B1&step=2");
    session.update(Msg::Variant(1));
    assert!(session.timeline().is_empty());
    session.update(Msg::Step(B));
    session.update(Msg::Mode(Mode::Watch));
    assert_eq!(session.variant(), 1, "the story of this very variant");
    session.update(Msg::Mode(Mode::Schedule));
    assert_eq!(session.timeline().schedule(), "B1");
    session.update(Msg::Variant(0));
    assert_eq!(session.timeline().schedule(), "A1.B1");
    session.update(Msg::Variant(77));
    session.update(Msg::Walk(77));
    session.update(Msg::TakeBranch(77));
    assert_eq!(session.timeline().schedule(), "A1.B1");
}

#[test]
fn random_runs_end_and_repeat_by_seed() {
    let run = |seed| {
        let mut session = session("lesson=oversell&variant=decr-check&mode=schedule");
        session.update(Msg::Random(seed));
        assert!(session.timeline().world().all_over());
        session.timeline().schedule()
    };
    assert_eq!(run(7), run(7));
    let different: std::collections::BTreeSet<String> = (0..20).map(run).collect();
    assert!(different.len() > 5, "{different:?}");
    // Pinned, because wasm must draw the same.
    expect!["A1.B1.B2.C1.C2"].assert_eq(&run(7));
}

#[test]
fn texts_are_cut_by_their_width() {
    assert_eq!(super::shortened("SET balance 20", 20), "SET balance 20");
    assert_eq!(super::shortened("SET balance 20", 8), "SET bal…");
    assert_eq!(super::shortened("中文中文", 5), "中文…");
    assert_eq!(super::shortened("abc", 0), "…");
}
