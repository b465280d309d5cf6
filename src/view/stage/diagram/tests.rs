use std::path::Path;
use std::rc::Rc;

use expect_test::{Expect, expect};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::lesson::source::{read_all, read_folder};
use crate::session::link::Link;
use crate::session::spelling::chars_wide;
use crate::session::{Msg, Session};

fn session(fragment: &str) -> Session {
    let link = Link::parse(fragment);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let id = link.lesson.clone().expect("a lesson");
    let folders = ["static/lessons", "tests/scenarios"].map(|folder| root.join(folder).join(&id));
    let folder = folders.into_iter().find(|folder| folder.exists()).expect("a lesson's folder");
    let lesson = read_folder(&folder).unwrap_or_else(|problems| panic!("{problems:?}"));
    let (session, notices) = Session::open(Rc::new(lesson), &link).expect("a lesson that runs");
    assert_eq!(notices, [], "{fragment}");
    session
}

/// Checks the spans of a run, and the remarks at its steps.
fn lasts(fragment: &str, expected: &Expect) {
    let session = session(fragment);
    let drawn = diagram(session.timeline(), Space::default(), Lang::En);
    let mut text = String::new();
    for band in drawn.bands.iter() {
        let to = band.to.map(|step| step.to_string()).unwrap_or_default();
        text += &format!("{:?} {}–{to}: {}", band.kind, band.from, band.words);
        if !band.notches.is_empty() {
            text += &format!(", {} notches", band.notches.len());
        }
        if band.red_from.is_some() {
            text += ", dirty";
        }
        text += "\n";
    }
    for row in drawn.rows.iter() {
        for remark in &row.remarks {
            text += &format!("{}. {remark}\n", row.step);
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn leases_and_beliefs() {
    lasts(
        "lesson=lease-too-short&variant=pause&schedule=A1.pauseA.B1.T1.T2.B2",
        &expect![[r#"
        Lease 1–5: A holds lock
        Belief 1–: A believes that it holds (holding = true)
        Paused 2–: paused
        Lease 6–: B holds lock
        Belief 6–: B believes that it holds (holding = true)
        Clash 6–: A and another client both believe so: one too many
        Clash 6–: B and another client both believe so: one too many
        1. A holds lock
        1. A believes that it holds (holding = true)
        5. A no longer holds lock
        6. B holds lock
        6. B believes that it holds (holding = true)
        6. A and another client both believe so: one too many
        6. B and another client both believe so: one too many
    "#]],
    );
}

#[test]
fn a_lease_is_renewed() {
    lasts(
        "lesson=watchdog&variant=watchdog&schedule=A1.T1.C1.T2.C2",
        &expect![[r#"
        Lease 1–: A holds lock, 2 notches
        Belief 1–: A believes that it holds (holding = true)
        1. A holds lock
        1. A believes that it holds (holding = true)
        3. the lease of A on lock is renewed
        5. the lease of A on lock is renewed
    "#]],
    );
}

#[test]
fn watched_keys_and_transactions() {
    lasts(
        "lesson=watch&variant=watch-once&schedule=A1.A2.B1.B2.B3.B4.B5.A3.A4.A5",
        &expect![[r#"
        Watch 1–10: A watches points, dirty
        Watch 3–7: B watches points
        Multi 5–7: B queues commands until EXEC, 1 notches
        Multi 8–10: A queues commands until EXEC, 1 notches
        1. A watches points
        3. B watches points
        5. B queues commands until EXEC
        7. points, which A watches, has changed: its EXEC will do nothing
        8. A queues commands until EXEC
    "#]],
    );
}

#[test]
fn a_lock_changes_hands() {
    lasts(
        "lesson=getset-takeover&variant=slow-blind&schedule=A1.B1.B2.T1.B3.B4.B5",
        &expect![[r#"
            Lease 1–7: A holds lock
            Belief 1–: A believes that it holds (holding = true)
            Lease 7–: B holds lock
            Belief 7–: B believes that it holds (holding = true)
            Clash 7–: A and another client both believe so: one too many
            Clash 7–: B and another client both believe so: one too many
            1. A holds lock
            1. A believes that it holds (holding = true)
            7. A no longer holds lock
            7. B holds lock
            7. B believes that it holds (holding = true)
            7. A and another client both believe so: one too many
            7. B and another client both believe so: one too many
        "#]],
    );
}

#[test]
fn what_runs_as_one_is_opened() {
    let inside = |fragment: &str| -> Vec<Vec<String>> {
        let session = session(fragment);
        let mut plan = Plan::default();
        plan.set_open(true);
        let drawn = plan.diagram(session.timeline(), Space::default(), Lang::En);
        assert!(drawn.has_inside, "{fragment}");
        let rows = drawn.rows.iter().map(|row| match &row.kind {
            RowKind::Call { inside, .. } => inside.iter().map(|one| one.shown.clone()).collect(),
            _ => Vec::new(),
        });
        rows.collect()
    };
    assert_eq!(
        inside("lesson=oversell&variant=lua&schedule=A1.B1"),
        [vec!["GET stock", "DECR stock"], vec!["GET stock"]]
    );
    let run = "lesson=watch&variant=watch-once&schedule=A1.A2.A3.A4.A5";
    assert_eq!(inside(run).last().expect("EXEC"), &["SET points 20"]);
}

#[test]
fn refused_queued_and_whole_look_different() {
    let run = "lesson=watch&variant=watch-once&schedule=A1.A2.B1.B2.B3.B4.B5.A3.A4.A5";
    let session = session(run);
    let drawn = diagram(session.timeline(), Space::default(), Lang::En);
    let shapes: Vec<Shape> = drawn
        .rows
        .iter()
        .filter_map(|row| match &row.kind {
            RowKind::Call { shape, .. } => Some(*shape),
            _ => None,
        })
        .collect();
    assert_eq!(
        shapes[5..],
        [Shape::Queued, Shape::Whole, Shape::Dot, Shape::Queued, Shape::Refused]
    );
}

/// Whatever a learner does, a plan that goes on is what a new one would be.
#[test]
fn a_plan_that_goes_on_is_a_new_plan() {
    for (seed, id) in ["watch", "lease-too-short", "redlock", "failover-lock", "shop"]
        .into_iter()
        .cycle()
        .take(10)
        .enumerate()
    {
        let mut session = session(&format!("lesson={id}&mode=schedule"));
        session.update(Msg::Variant(seed % session.lesson().variants.len()));
        let mut random = ChaCha8Rng::seed_from_u64(seed as u64);
        let mut plan = Plan::default();
        plan.set_open(seed % 2 == 0);
        for _ in 0..60 {
            let enabled = session.timeline().world().enabled();
            let drawn = random.random_range(0..enabled.len() as u32 + 2) as usize;
            session.update(match enabled.get(drawn) {
                Some(action) => Msg::Act(*action),
                None if drawn.is_multiple_of(2) => Msg::Back,
                None => {
                    Msg::Seek(random.random_range(0..=session.timeline().len() as u32) as usize)
                }
            });
            let mut new = Plan::default();
            new.set_open(plan.is_open());
            let lang = Lang::ALL[seed % 2];
            let timeline = session.timeline();
            let gone_on = plan.diagram(timeline, Space::default(), lang);
            assert_eq!(
                gone_on,
                new.diagram(timeline, Space::default(), lang),
                "{id}: {}",
                timeline.schedule()
            );
            assert_eq!(plan.races(timeline), windows::find(timeline));
        }
    }
}

#[test]
fn a_step_lays_out_only_its_own_row() {
    let mut session = session("lesson=lost-update&variant=naive&schedule=A1.B1.A2&step=3");
    let mut plan = Plan::default();
    let before = plan.diagram(session.timeline(), Space::default(), Lang::En);
    session.update(Msg::Step(ClientId(1)));
    let after = plan.diagram(session.timeline(), Space::default(), Lang::En);
    let same = before.rows.iter().zip(after.rows.iter()).filter(|(a, b)| Rc::ptr_eq(a, b)).count();
    assert_eq!((before.rows.len(), after.rows.len(), same), (3, 4, 3));
    session.update(Msg::Seek(0));
    let back = plan.diagram(session.timeline(), Space::default(), Lang::En);
    assert!(after.rows.iter().zip(back.rows.iter()).all(|(a, b)| Rc::ptr_eq(a, b)));
    assert_eq!((back.step, back.present), (0, TOP..TOP));
}

/// A box with words: left, top, right, bottom.
type Words = (i32, i32, i32, i32, String);

/// Every text of a picture.
fn texts(drawn: &Diagram) -> Vec<Words> {
    let mut texts = Vec::new();
    let mut add = |x: i32, baseline: i32, size: i32, text: &str| {
        let (top, bottom) = (baseline - size * 3 / 4, baseline + size / 5);
        texts.push((x, top, x + chars_px(chars_wide(text), size), bottom, text.to_owned()));
    };
    let middle = |x: i32, text: &str| x - chars_px(chars_wide(text), NAME_SIZE) / 2;
    for lane in &drawn.lanes {
        add(middle(lane.x, &lane.client.name()), 23, NAME_SIZE, &lane.client.name());
    }
    for server in &drawn.servers {
        add(middle(server.x, &server.name), 23, NAME_SIZE, &server.name);
    }
    let (zone, size) = (drawn.zone, drawn.size);
    add(zone, 23, 13, drawn.clock.as_deref().unwrap_or_default());
    for row in drawn.rows.iter() {
        match &row.kind {
            RowKind::Call { y_request, y_reply, command, reply, parts, inside, waits, .. } => {
                if parts.request {
                    add(zone, above(*y_request, size), size, &command.shown);
                }
                let back = reply.as_ref().map(|reply| &reply.shown).or(waits.as_ref());
                add(zone, across(*y_reply, size), size, back.unwrap_or(&String::new()));
                for (at, one) in inside.iter().enumerate() {
                    let y = y_reply + (size + LEADING) * (at as i32 + 1);
                    add(zone + size, across(y, size), size, &one.shown);
                }
            }
            RowKind::Mark { y, label, .. } => add(zone, across(*y, size), size, &label.shown),
            RowKind::Advance { y, height, label } => {
                add(zone, across(y + height / 2, size), size, label);
            }
        }
        for served in &row.served {
            let reply = served.reply.as_ref().map(|reply| reply.shown.as_str());
            add(zone, across(served.y, size), size, reply.unwrap_or_default());
        }
    }
    texts.retain(|text| !text.4.is_empty());
    texts
}

/// The heights of solid lines: they lead through the words' zone.
fn requests(drawn: &Diagram) -> Vec<i32> {
    let request = |row: &Rc<Row>| match row.kind {
        RowKind::Call { y_request, parts, .. } if parts.request => Some(y_request),
        _ => None,
    };
    drawn.rows.iter().filter_map(request).collect()
}

#[test]
fn no_words_collide_or_leave_the_picture_or_are_struck_through() {
    let scenarios = ["failover-lock", "pause-lease", "shop", "fencing", "redlock"];
    let lessons = ["lost-update", "oversell", "atomic-counters", "watch", "fair-semaphore"];
    for id in lessons.into_iter().chain(scenarios) {
        let walks = session(&format!("lesson={id}")).lesson().walks.len();
        for walk in 0..walks.max(1) {
            let mut session = session(&format!("lesson={id}"));
            session.update(Msg::Walk(walk));
            for (width, height) in [(358, 240), (420, 300), (576, 420), (640, 660), (1100, 900)] {
                for (lang, open) in [(Lang::En, false), (Lang::Zh, true)] {
                    let total = session.timeline().len();
                    let space = Space { width, height, total, ..Space::default() };
                    let mut plan = Plan::default();
                    plan.set_open(open);
                    let drawn = plan.diagram(session.timeline(), space, lang);
                    let what = format!("{id}, walk {walk}, at {width}×{height}");
                    assert_eq!(drawn.width, width, "{what}");
                    assert!(drawn.size >= 13);
                    let texts = texts(&drawn);
                    for (n, a) in texts.iter().enumerate() {
                        assert!(a.2 <= drawn.width && a.0 >= 0, "{what}: {a:?} sticks out");
                        for b in &texts[n + 1..] {
                            let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
                            assert!(apart, "{what}, {lang:?}: {a:?} on {b:?}");
                        }
                    }
                    for y in requests(&drawn) {
                        let struck = texts.iter().find(|text| text.1 <= y && y <= text.3);
                        assert_eq!(struck, None, "{what}: a line at {y}");
                    }
                }
            }
        }
    }
}

/// The pane's width on a phone that lies, 667 px wide (stage.css).
#[test]
fn every_lane_is_in_a_pane_of_366_px() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons");
    let course = read_all(&root).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut cut = Vec::new();
    for lesson in course.lessons.iter().map(|written| &written.lesson) {
        for (number, variant) in lesson.variants.iter().enumerate() {
            let scenario = Rc::new(lesson.scenario(number).expect("a scenario"));
            let run = Timeline::start(scenario).expect("it starts");
            let space = Space { width: 366, height: 205, ..Space::default() };
            let width = diagram(&run, space, Lang::En).width;
            if width > 366 {
                cut.push(format!("{} {}: {width} px", lesson.id, variant.id));
            }
        }
    }
    assert!(cut.is_empty(), "{cut:#?}");
}

#[test]
fn words_are_cut_only_where_they_do_not_fit() {
    let session = session("lesson=redlock");
    let total = session.timeline().len();
    let labels = |width: i32| -> (i32, Vec<Label>) {
        let space = Space { width, total, ..Space::default() };
        let drawn = diagram(session.timeline(), space, Lang::En);
        let label = |row: &Rc<Row>| match &row.kind {
            RowKind::Call { command, .. } => Some(command.clone()),
            _ => None,
        };
        let room = drawn.servers[0].x - CLEAR - drawn.zone;
        (chars_in(room, drawn.size) as i32, drawn.rows.iter().filter_map(label).collect())
    };
    for width in [358, 420, 560, 900, 1400] {
        let (room, labels) = labels(width);
        for label in labels {
            let long = chars_wide(label.all()) as i32 > room;
            assert_eq!(label.whole.is_some(), long, "{label:?} in {room}");
            assert!(!long || label.shown.ends_with('…'));
        }
    }
}

#[test]
fn rows_and_type_grow_with_the_pane_and_seldom_change() {
    let mut session = session("lesson=lost-update&variant=naive&schedule=A1.B1.A2&step=3");
    let measure = |session: &Session, height: i32| {
        let space = Space { width: 700, height, ..Space::default() };
        let drawn = diagram(session.timeline(), space, Lang::En);
        (drawn.rows[0].height, drawn.size, drawn.height)
    };
    assert_eq!(measure(&session, 200), (48, 13, HEAD + 6 * 48 + FOOT), "as low as can be read");
    assert_eq!(measure(&session, 480), (73, 15, HEAD + 6 * 73 + FOOT), "fills the pane");
    assert_eq!(measure(&session, 660), (103, 18, HEAD + 6 * 103 + FOOT));
    assert_eq!(measure(&session, 2000), (136, 18, HEAD + 6 * 136 + FOOT), "no higher than that");
    session.update(Msg::Step(ClientId(1)));
    assert_eq!(measure(&session, 480), (73, 15, HEAD + 6 * 73 + FOOT), "as it was");
    let rows = |steps| columns::rows_expected(Space::default(), steps);
    assert_eq!([0, 6, 7, 9, 10, 14].map(rows), [6, 6, 9, 9, 14, 14]);
}

#[test]
fn who_watches_is_not_told_the_end() {
    let mut session = session("lesson=lease-too-short");
    let space = Space { hides_future: true, total: session.timeline().len(), ..Space::default() };
    let mut plan = Plan::default();
    for step in 0..=session.timeline().len() {
        session.update(Msg::Seek(step));
        let drawn = plan.diagram(session.timeline(), space, Lang::En);
        assert_eq!(drawn.rows.len(), step);
        assert!(drawn.summary.contains(&format!(" {step} step")));
        let end = drawn.present.end;
        for band in drawn.bands.iter() {
            assert!(band.from <= step && band.bottom <= end && band.to.is_none_or(|to| to <= step));
        }
        for window in drawn.windows.iter() {
            let written = window.write_step.is_none_or(|write| write <= step);
            assert!(window.read_step <= step && window.bottom <= end && written);
        }
        for lane in &drawn.lanes {
            assert!(lane.ends.is_some_and(|ends| ends <= step) || lane.bottom == drawn.bottom);
        }
    }
    // In a schedule it stays, under a veil.
    session.update(Msg::Seek(1));
    let space = Space { hides_future: false, ..space };
    let drawn = plan.diagram(session.timeline(), space, Lang::En);
    assert_eq!(drawn.rows.len(), session.timeline().len());
}

#[test]
fn the_steps_that_collide_are_joined_while_the_broken_one_is_shown() {
    let joined = |fragment: &str| {
        let session = session(fragment);
        diagram(session.timeline(), Space::default(), Lang::En).join
    };
    let run = "lesson=lost-update&variant=naive&schedule=A1.B1.A2.B2";
    assert_eq!(joined(&format!("{run}&step=4")), Some((3, 4)), "both wrote balance");
    assert_eq!(joined(&format!("{run}&step=3")), None);
    let run = "lesson=lease-too-short&variant=pause&schedule=A1.pauseA.B1.T1.T2.B2";
    assert_eq!(joined(&format!("{run}&step=6")), Some((1, 6)), "both took the lock");
}
