use std::path::Path;
use std::rc::Rc;

use expect_test::{ExpectFile, expect, expect_file};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::cards::{Status, cards};
use super::chips::{ChipState, chips};
use super::diagram::{BandKind, RowKind, Space, diagram};
use super::explain::{explain, row_words};
use super::faults::{advance_forms, has_any, menu};
use super::readings::LUA;
use super::redis::panel;
use super::strip::{kept, strip};
use crate::lesson::Lesson;
use crate::lesson::source::read_folder;
use crate::playground::Definition;
use crate::session::link::Link;
use crate::session::{Mode, Msg, Session, not_ready_text};
use crate::sim::{Action, ClientId, NodeId, Scenario, Timeline};
use crate::text::Lang;
use crate::view::export::{Form, export};
use crate::view::learn::challenge::met;

mod bounds;
mod causes;

pub(in crate::view) fn lesson(id: &str) -> Rc<Lesson> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["static/lessons", "tests/scenarios"].map(|folder| root.join(folder).join(id));
    let folder = folders.into_iter().find(|folder| folder.exists()).expect("a lesson's folder");
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
    let cards = cards(&session, LUA, Lang::En);
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
    let cards = cards(&session, LUA, Lang::Zh);
    assert_eq!(cards[0].status, Status::Done);
    assert_eq!((cards[0].button.enabled, cards[0].button.label.as_str()), (false, "A 已结束"));
    assert!(cards[0].lines.iter().all(|line| !line.next));
}

#[test]
fn the_chip_turns_red_and_green_again() {
    let mut session = session(LOST);
    let state = |session: &Session| chips(session, Lang::En)[0].state;
    assert_eq!(state(&session), ChipState::Broken(4));
    assert_eq!(chips(&session, Lang::En)[0].words, "broken at step 4");
    assert_eq!(chips(&session, Lang::En)[1].state, ChipState::Reached(4));
    session.update(Msg::Back);
    // It is about the end, which has not come.
    assert_eq!(state(&session), ChipState::Open);
    assert_eq!(chips(&session, Lang::En)[1].state, ChipState::NotYet);
}

#[test]
fn the_panel_shows_what_the_step_replaced() {
    let mut session = session(LOST);
    session.update(Msg::Seek(3));
    let shown = panel(session.timeline(), Lang::En);
    assert_eq!(shown.ready, [(B, "SET balance 20".to_owned())]);
    let slot = shown.slot.expect("a command was executed");
    assert_eq!((slot.client, slot.command.as_str()), (A, "SET balance 20"));
    assert_eq!(slot.reply.as_deref(), Some("OK"));
    let row = &shown.nodes[0].keys[0];
    assert_eq!(
        (row.key.as_str(), row.kind, row.by, row.changed),
        ("balance", "string", Some(A), true)
    );
    let item = &row.items[0];
    assert_eq!((item.before.as_deref(), item.now.as_deref()), (Some("10"), Some("20")));
    session.update(Msg::Seek(1));
    let row = &panel(session.timeline(), Lang::En).nodes[0].keys[0];
    assert_eq!((row.by, row.changed, row.items[0].before.as_deref()), (None, false, None));
}

#[test]
fn a_hash_shows_the_field_that_changed() {
    let session = session("lesson=atomic-counters&variant=hincrby&schedule=A1&step=1");
    let row = &panel(session.timeline(), Lang::En).nodes[0].keys[0];
    let items: Vec<_> = row
        .items
        .iter()
        .map(|item| (item.name.as_deref(), item.before.as_deref(), item.now.as_deref()))
        .collect();
    let apples = (Some("apples"), Some("1"), Some("3"));
    assert_eq!(items, [apples, (Some("pears"), None, Some("4"))]);
}

#[test]
fn what_a_client_gives_its_program_stands_at_its_first_line() {
    let text = r#"{ "programs": [{ "name": "w", "text": "redis.call('INCRBY', key, n)" }],
        "clients": [{ "with": { "key": "a", "n": 1 } }, { "with": { "key": "b", "n": 3 } }] }"#;
    let lesson = Definition::read(text, "").expect("no mistake").lesson().expect("no mistake");
    let (session, _) = Session::open(lesson.into(), &Link::default()).expect("it opens");
    let cards = super::cards::cards(&session, "", Lang::En);
    let shown = cards[1].lines[0].values.iter().map(|one| (&*one.name, &*one.value));
    assert_eq!(shown.collect::<Vec<_>>(), [("key", "\"b\""), ("n", "3")]);
}

#[test]
fn the_race_window_is_red_from_the_foreign_write_on() {
    let session = session(LOST);
    let drawn = diagram(session.timeline(), Space::default(), Lang::En);
    let [a, b] = drawn.windows.as_slice() else { panic!("{:?}", drawn.windows) };
    assert_eq!((a.client, a.read_step, a.write_step, a.stale_from), (A, 1, Some(3), None));
    assert_eq!((b.client, b.read_step, b.write_step, b.intruder), (B, 2, Some(4), Some(A)));
    assert!(b.stale_from.is_some_and(|y| b.top < y && y < b.bottom));
}

#[test]
fn a_window_is_open_while_the_client_stands_before_its_write() {
    let session = session("lesson=lost-update&variant=naive&schedule=A1&step=1");
    let drawn = diagram(session.timeline(), Space::default(), Lang::En);
    assert_eq!(drawn.windows.len(), 1);
    assert_eq!((drawn.windows[0].client, drawn.windows[0].write_step), (A, None));
    let atomic = self::session("lesson=lost-update&variant=incrby&schedule=A1&step=1");
    let drawn = diagram(atomic.timeline(), Space::default(), Lang::En);
    assert!(drawn.windows.is_empty(), "one command has no gap");
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
    assert_eq!((kept[0].id, kept[0].shared, kept[0].steps()), (1, 2, 4));
    assert_eq!(kept[0].cells().iter().map(|cell| cell.mark).collect::<String>(), "ABBA");
    assert_eq!(session.timeline().branches()[0].schedule(), "A1.B1.B2.A2");
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
fn break_it_has_a_run_of_its_own() {
    let mut session = session("lesson=lost-update&mode=schedule&schedule=A1.B1.A2.B2&step=4");
    session.update(Msg::Mode(Mode::Break));
    assert_eq!((session.timeline().cursor(), session.timeline().len()), (0, 0));
    assert_eq!(met(&session), None, "that run was made in Schedule");
    for client in [A, B, A, B] {
        session.update(Msg::Step(client));
    }
    assert_eq!(met(&session), Some(4));
    session.update(Msg::Reset);
    session.update(Msg::Mode(Mode::Schedule));
    assert_eq!(session.timeline().schedule(), "A1.B1.A2.B2");
    session.update(Msg::Mode(Mode::Break));
    session.update(Msg::Wire(true));
    assert!(session.wire() && session.timeline().is_empty());
}

#[test]
fn going_back_leads_to_a_view_of_before_and_loses_nothing() {
    let mut session = session(LOST);
    let views = [Mode::Schedule, Mode::Find, Mode::Review].map(|mode| {
        session.update(Msg::Mode(mode));
        session.link(Lang::En)
    });
    session.update(Msg::Mode(Mode::Break));
    session.update(Msg::Step(A));
    for view in views.iter().rev() {
        assert!(session.returns_to(view, Lang::En), "{view:?}");
        assert_eq!(session.link(Lang::En), *view);
    }
    session.update(Msg::OpenIn { variant: 0, schedule: "A1".into(), to_end: true });
    assert!(session.returns_to(&views[2], Lang::En), "no run is shown there");
    assert!(!session.returns_to(&views[0], Lang::En), "the run is another one");
    session.update(Msg::Mode(Mode::Break));
    assert_eq!(session.timeline().schedule(), "A1", "that run is still there");
    let other = Link::parse("lesson=lost-update&variant=naive&mode=schedule&schedule=B1&step=1");
    assert!(!session.returns_to(&other, Lang::En), "a run that is not there");
    assert!(!session.returns_to(&Link::parse("lesson=lost-update"), Lang::En));
}

#[test]
fn labels_say_times_since_the_start_and_scripts_by_their_names() {
    let session = session("lesson=fair-semaphore&mode=watch");
    let space = Space { width: 1200, ..Space::default() };
    let drawn = diagram(session.timeline(), space, Lang::En);
    let RowKind::Call { command, .. } = &drawn.rows[0].kind else { panic!("a call") };
    assert_eq!(command.shown, "draw owners times tickets +0\u{a0}ms");
    assert_eq!(command.all(), "EVAL \"…\" 3 owners times tickets 1767225600000");
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
    assert_eq!(crate::session::spelling::shortened("SET balance 20", 20), "SET balance 20");
    assert_eq!(crate::session::spelling::shortened("SET balance 20", 8), "SET bal…");
    assert_eq!(crate::session::spelling::shortened("中文中文", 5), "中文…");
    assert_eq!(crate::session::spelling::shortened("abc", 0), "…");
}

/// Every item of the fault menu that can be chosen.
fn offered(session: &Session) -> Vec<String> {
    let groups = menu(session, Lang::En);
    let items = groups.into_iter().flat_map(|group| group.items);
    items.filter(|item| item.enabled).map(|item| item.label).collect()
}

#[test]
fn the_fault_menu_offers_what_the_lesson_allows() {
    let mut session = session("lesson=failover-lock&mode=schedule");
    assert_eq!(offered(&session), ["Take redis down", "Fail over from redis", "Take r1 down"]);
    session.update(Msg::Step(A));
    assert!(offered(&session).contains(&"Replicate to r1".to_owned()));
    session.update(Msg::Act(Action::Failover(NodeId(0))));
    assert_eq!(offered(&session), ["Bring redis up", "Take r1 down"]);
    session.update(Msg::Step(B));
    assert_eq!(session.timeline().schedule(), "A1.failover-redis.B1");
    let shown = panel(session.timeline(), Lang::En);
    assert_eq!(shown.nodes[1].notes, ["serves redis"]);
    assert_eq!(shown.nodes[0].notes, ["down", "replica of r1"]);
    assert_eq!(menu(&self::session("lesson=lost-update&mode=schedule"), Lang::En), []);
    assert_eq!(
        menu(&self::session("lesson=failover-lock"), Lang::En),
        [],
        "a story decides itself"
    );
}

#[test]
fn faults_in_words_and_on_the_cards() {
    let run = "A1.A2.pauseA.B1.T1.B2.T2.T3.B3.B4.B5.resumeA.A3";
    let fragment = format!("lesson=pause-lease&variant=fence&schedule={run}&step=3");
    let mut session = session(&fragment);
    let a = cards(&session, LUA, Lang::En).swap_remove(0);
    assert_eq!((a.status, a.button.enabled), (Status::Paused, false));
    assert_eq!(a.button.label, "A is paused");
    let said = |session: &Session| explain(session, Lang::En).join(" ");
    assert!(said(&session).starts_with("A is paused. Time and leases go on"), "{}", said(&session));
    assert_eq!(
        advance_forms(session.timeline().world(), Lang::En).unwrap_or_default(),
        ["Let 30 ms pass\u{a0}· lock expires", "+30\u{a0}ms\u{a0}· lock expires", "+30\u{a0}ms"]
    );
    session.update(Msg::Seek(13));
    assert!(said(&session).contains("The resource refused A’s write"), "{}", said(&session));
    let drawn = diagram(session.timeline(), Space::default(), Lang::En);
    let names: Vec<&str> = drawn.servers.iter().map(|server| server.name.as_str()).collect();
    assert_eq!(names, ["redis", "disk"]);
    let paused = drawn.bands.iter().find(|band| band.kind == BandKind::Paused).expect("a pause");
    assert!(paused.client == Some(A) && paused.bottom > paused.top);
    let shown = panel(session.timeline(), Lang::Zh);
    assert_eq!(shown.resources[0].token.as_deref(), Some("最大令牌：2"));
    assert_eq!(shown.resources[0].writes.len(), 1);
}

#[test]
fn the_wire_shows_the_same_run_in_three_parts() {
    let mut session = session("lesson=lost-update&variant=naive&schedule=A1.B1&step=2");
    let frame = session.timeline().world().redis().fingerprint();
    session.update(Msg::Wire(true));
    assert_eq!(session.timeline().schedule(), "sendA1.execA1.replyA1.sendB1.execB1.replyB1");
    assert_eq!(session.timeline().world().redis().fingerprint(), frame);
    let link = session.link(Lang::En);
    assert_eq!(link.wire.as_deref(), Some("1"));
    let again = self::session(&link.write());
    assert_eq!(again.timeline().digest(), session.timeline().digest());
    // The buttons carry what comes next on the way.
    session.update(Msg::Step(A));
    let a = cards(&session, LUA, Lang::En).swap_remove(0);
    assert_eq!(
        (a.button.label.as_str(), a.command.as_deref()),
        ("Execute A", Some("SET balance 20"))
    );
    session.update(Msg::Step(A));
    session.update(Msg::Step(A));
    session.update(Msg::Wire(false));
    assert_eq!(session.timeline().schedule(), "A1.B1.A2");
    assert_eq!(session.link(Lang::En).wire, None);
}

/// Runs with their numbers and names, the steps each shares with the one shown, and the cursor.
#[test]
fn the_wire_keeps_the_other_runs_too() {
    let runs = |session: &Session| {
        let timeline = session.timeline();
        let kept = timeline.branches().iter();
        let kept = kept.map(|run| (run.id, run.name.clone(), run.shared_steps(timeline.frames())));
        (kept.collect::<Vec<_>>(), (timeline.id(), timeline.name().to_owned()), timeline.cursor())
    };
    let mut session = session("lesson=lost-update&variant=naive&schedule=A1.A2.B1.B2");
    session.update(Msg::NameRun(1, "in turn".to_owned()));
    session.update(Msg::Seek(1));
    for client in [B, A, B] {
        session.update(Msg::Step(client));
    }
    session.update(Msg::Seek(3));
    let before = runs(&session);
    assert_eq!(before, (vec![(1, "in turn".to_owned(), 1)], (2, String::new()), 3));
    for wire in [true, false] {
        session.update(Msg::Wire(wire));
        let (kept, shown, at) = runs(&session);
        let factor = if wire { 3 } else { 1 };
        assert_eq!(kept, [(1, "in turn".to_owned(), factor)]);
        assert_eq!((shown, at), ((2, String::new()), 3 * factor));
        assert_eq!(session.timeline().len(), 4 * factor, "what is after the cursor stays");
    }
    assert_eq!(session.timeline().schedule(), "A1.B1.A2.B2");
    assert_eq!(session.timeline().branches()[0].schedule(), "A1.A2.B1.B2");
    let told = |wire| self::session(&format!("lesson=lost-update&mode=watch&wire={wire}"));
    assert_eq!(told(1).timeline().len(), told(0).timeline().len(), "a story is left alone");
}

#[test]
fn tables_and_mutexes_are_shown() {
    let session = session("lesson=shop&variant=one-process&schedule=A1.A2.A3&step=2");
    let shown = panel(session.timeline(), Lang::En);
    assert_eq!(shown.mutexes, [(A, "stock".to_owned(), "stock, in process vm".to_owned())]);
    assert_eq!(shown.tables[0].rows, [["1", "1"]]);
    let b = cards(&session, LUA, Lang::En).swap_remove(1);
    assert_eq!(b.button.label, "B waits for the mutex, which A holds");
    assert_eq!(offered(&session), ["Crash A", "Crash B", "Crash vm"]);
}

/// Variables of a process have a table of their own, from the first step of a run that uses one.
#[test]
fn variables_of_a_process_are_shown() {
    let program = "process.taken = true process.n = 2 redis.call('PING') process.taken = nil";
    let program = crate::lua::compile(program.as_bytes(), "a.lua").expect("Lua");
    let mut timeline =
        Timeline::start(Rc::new(Scenario::simple(Vec::new(), vec![program]))).expect("starts");
    assert!(panel(&timeline, Lang::En).tables.is_empty());
    timeline.step(Action::Step(A)).expect("a step");
    let shown = panel(&timeline, Lang::En).tables;
    assert_eq!(shown[0].rows, [["n", "2"], ["taken", "true"]]);
    assert!(shown[0].changed);
    timeline.seek(0);
    assert_eq!(panel(&timeline, Lang::Zh).tables[0].rows, [[""; 2]; 0]);
}

/// A run through everything, drawn and told in both languages, at every step.
#[test]
fn whatever_happens_can_be_shown() {
    for id in ["failover-lock", "pause-lease", "shop", "lost-update"] {
        let variants = lesson(id).variants.len();
        for seed in 0..12 {
            let mut session = session(&format!("lesson={id}&mode=schedule"));
            session.update(Msg::Variant(seed % variants));
            session.update(Msg::Wire(seed % 3 == 0));
            let mut random = ChaCha8Rng::seed_from_u64(seed as u64);
            for _ in 0..25 {
                let enabled = session.timeline().world().enabled();
                let drawn = random.random_range(0..enabled.len().max(1) as u32) as usize;
                let Some(action) = enabled.get(drawn) else { break };
                session.update(Msg::Act(*action));
                for lang in Lang::ALL {
                    assert!(explain(&session, lang).iter().all(|said| !said.contains("{0}")));
                    assert_eq!(cards(&session, LUA, lang).len(), 2);
                    let drawn = diagram(session.timeline(), Space::default(), lang);
                    assert_eq!(drawn.rows.len(), session.timeline().len());
                    panel(session.timeline(), lang);
                    assert_eq!(menu(&session, lang).is_empty(), !has_any(&session));
                    advance_forms(session.timeline().world(), lang);
                }
            }
            let link = session.link(Lang::En).write();
            let again = self::session(&link);
            assert_eq!(again.timeline().digest(), session.timeline().digest(), "{link}");
        }
    }
}

/// The README shows it. UPDATE_EXPECT=1 makes it anew.
#[test]
fn the_lost_update_plays_in_a_picture_of_its_own() {
    let picture = |fragment: &str| export(&session(fragment), Form::Animated, Lang::En);
    let run = "lesson=lost-update&variant=naive&mode=schedule&schedule=A1.B1.A2.B2&step=4";
    let drawn = picture(run);
    expect_file![concat!(env!("CARGO_MANIFEST_DIR"), "/static/readme/lost-update.svg")]
        .assert_eq(&drawn);
    let redlock = "lesson=redlock&variant=redlock&mode=schedule&schedule=A1.B1.A2.B2.A3";
    for drawn in [drawn, picture(redlock)] {
        for part in drawn.split("animation-name:").skip(1) {
            let name = part.split('"').next().unwrap_or_default();
            assert!(drawn.contains(&format!("@keyframes {name}{{")), "{name}");
        }
        for tag in ["g", "text", "style", "svg"] {
            let count = |what: &str| drawn.matches(what).count();
            let opened = count(&format!("<{tag} ")) + count(&format!("<{tag}>"));
            assert_eq!(opened, count(&format!("</{tag}>")), "{tag}");
        }
    }
    // However long the run.
    let long = format!("lesson=lost-update&mode=schedule&schedule={}", ["c1-PING"; 500].join("."));
    assert!(picture(&long).len() < 100_000);
}

/// A step on a shared connection names it, and so does the reason why another one has to wait.
#[test]
fn shared_connections_are_named() {
    let shared = "local c = connect('redis', { shared = 'pool' })";
    let compile = |rest: &str| {
        crate::lua::compile(format!("{shared} {rest}").as_bytes(), "a.lua").expect("Lua")
    };
    let programs = vec![compile("c:call('BLPOP', 'q', 0)"), compile("c:call('GET', 'n')")];
    let mut scenario = Scenario::simple(vec![], programs);
    scenario.clients.iter_mut().for_each(|client| client.process = Some("app".to_owned()));
    let mut timeline = Timeline::start(Rc::new(scenario)).expect("it starts");
    timeline.step(Action::Step(A)).expect("A can go on");
    let mut told = Vec::new();
    for lang in [Lang::En, Lang::Zh] {
        told.push(row_words(timeline.frame(), lang));
        told.extend(not_ready_text(lang, B, timeline.world()));
    }
    expect![[r#"
        A sent BLPOP q 0 and now waits for the reply. It used the shared connection pool.
        B waits for the connection that it shares with A
        A 发送 BLPOP q 0，正在等回复。 它走的是共享连接 pool。
        B 在等它和 A 共用的连接
    "#]]
    .assert_eq(&(told.join("\n") + "\n"));
}

/// Draws are told by what they gave, entries of streams by their fields, and taking over in words.
#[test]
fn draws_and_streams_are_told_in_words() {
    let program = "\
        redis.call('SRANDMEMBER', 's') redis.call('SPOP', 's') redis.call('RANDOMKEY') \
        redis.call('RPUSH', 'l', 50, 60, 70) redis.call('LPOP', 'l') redis.call('LSET', 'l', 0, 5) \
        redis.call('RPOP', 'l', 2) redis.call('LPOP', 'l') \
        redis.call('XADD', 'jobs', '8-1', 'job', 'a b') \
        redis.call('XADD', 'jobs', '9-1', 'n', '*') \
        redis.call('XGROUP', 'CREATE', 'jobs', 'g', '0') \
        redis.call('XREADGROUP', 'GROUP', 'g', 'a-1', 'COUNT', 2, 'STREAMS', 'jobs', '>') \
        redis.call('XREADGROUP', 'GROUP', 'g', 'a-1', 'COUNT', 2, 'STREAMS', 'jobs', '>') \
        redis.call('XAUTOCLAIM', 'jobs', 'g', 'a-2', 0, '0') \
        redis.call('XAUTOCLAIM', 'jobs', 'g', 'a-2', 50, '0') \
        redis.call('XACK', 'jobs', 'g', '9-1') redis.call('XACK', 'jobs', 'g', '9-1') \
        redis.call('XRANGE', 'jobs', '9', '+') redis.call('XREAD', 'STREAMS', 'jobs', '8')";
    let program = crate::lua::compile(program.as_bytes(), "a.lua").expect("Lua");
    let setup = crate::resp::split_inline(b"SADD s x").expect("a command");
    let scenario = Scenario::simple(vec![setup], vec![program]);
    let mut timeline = Timeline::start(Rc::new(scenario)).expect("it starts");
    let mut told = String::new();
    while timeline.step(Action::Step(A)).is_ok() {
        told += &row_words(timeline.frame(), Lang::En);
        told += "\n";
        told += &row_words(timeline.frame(), Lang::Zh);
        told += "\n";
    }
    expect![[r#"
        A drew x at random from s.
        A 从 s 随机抽到 x。
        A took x at random out of s.
        A 从 s 随机取走 x。
        A sent RANDOMKEY; the reply is (nil).
        A 发送 RANDOMKEY，回复是 (nil)。
        A changed l: (nil) → 50, 60, 70.
        A 修改了 l：(nil) → 50, 60, 70。
        A took 50 from l.
        A 从 l 取走 50。
        A changed l 0: 60 → 5.
        A 修改了 l 0：60 → 5。
        A took 70, 5 from l.
        A 从 l 取走 70, 5。
        A sent LPOP l; the reply is (nil).
        A 发送 LPOP l，回复是 (nil)。
        A appended job "a b" to jobs, as entry 8-1.
        A 向 jobs 追加 job "a b"，条目为 8-1。
        A appended n * to jobs, as entry 9-1.
        A 向 jobs 追加 n *，条目为 9-1。
        A sent XGROUP CREATE jobs g 0; the reply is OK.
        A 发送 XGROUP CREATE jobs g 0，回复是 OK。
        A got 8-1 job "a b", 9-1 n * from jobs, as consumer a-1 of group g.
        A 以组 g 的消费者 a-1 的身份，从 jobs 得到 8-1 job "a b", 9-1 n *。
        A asked as consumer a-1 of group g, and got nothing.
        A 以组 g 的消费者 a-1 的身份读取，什么也没得到。
        A took over 8-1 job "a b", 9-1 n * from jobs: it is pending for consumer a-2 of group g now.
        A 从 jobs 接管 8-1 job "a b", 9-1 n *：它现在由组 g 的消费者 a-2 处理。
        A took over nothing from jobs: no entry of group g has been idle for so long.
        A 没有从 jobs 接管任何条目：组 g 里没有闲置这么久的条目。
        A acknowledged 9-1 of jobs for group g.
        A 向组 g 确认了 jobs 的 9-1。
        A acknowledged 9-1 of jobs for group g, but it was not pending.
        A 向组 g 确认 jobs 的 9-1，但它并不在待处理之列。
        A read jobs: 9-1 n *.
        A 读取 jobs，得到 9-1 n *。
        A read jobs: 8-1 job "a b", 9-1 n *.
        A 读取 jobs，得到 8-1 job "a b", 9-1 n *。
    "#]]
    .assert_eq(&told);
}
