use std::path::Path;
use std::rc::Rc;

use expect_test::{Expect, expect};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::lesson::source::read_folder;
use crate::view::link::Link;
use crate::view::session::{Msg, Session};

const SPACE: Space = Space { width: 560, touch: false };

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

/// What lasts in a run, and what is remarked at its steps.
fn lasts(fragment: &str, expected: &Expect) {
    let session = session(fragment);
    let drawn = diagram(session.timeline(), SPACE, Lang::En);
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
        Clash 6–: A believes so together with another: one too many
        Clash 6–: B believes so together with another: one too many
        1. A holds lock
        1. A believes that it holds (holding = true)
        5. A no longer holds lock
        6. B holds lock
        6. B believes that it holds (holding = true)
        6. A believes so together with another: one too many
        6. B believes so together with another: one too many
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
            Clash 7–: A believes so together with another: one too many
            Clash 7–: B believes so together with another: one too many
            1. A holds lock
            1. A believes that it holds (holding = true)
            7. A no longer holds lock
            7. B holds lock
            7. B believes that it holds (holding = true)
            7. A believes so together with another: one too many
            7. B believes so together with another: one too many
        "#]],
    );
}

#[test]
fn what_runs_as_one_is_opened() {
    let inside = |fragment: &str| -> Vec<Vec<String>> {
        let session = session(fragment);
        let mut plan = Plan::default();
        plan.set_open(true);
        let drawn = plan.diagram(session.timeline(), SPACE, Lang::En);
        assert!(drawn.has_inside, "{fragment}");
        let rows = drawn.rows.iter().map(|row| match &row.kind {
            RowKind::Call { inside, .. } => inside.clone(),
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
    let drawn = diagram(session.timeline(), SPACE, Lang::En);
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
            let gone_on = plan.diagram(timeline, SPACE, lang);
            assert_eq!(
                gone_on,
                new.diagram(timeline, SPACE, lang),
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
    let before = plan.diagram(session.timeline(), SPACE, Lang::En);
    session.update(Msg::Step(ClientId(1)));
    let after = plan.diagram(session.timeline(), SPACE, Lang::En);
    let same = before.rows.iter().zip(after.rows.iter()).filter(|(a, b)| Rc::ptr_eq(a, b)).count();
    assert_eq!((before.rows.len(), after.rows.len(), same), (3, 4, 3));
    session.update(Msg::Seek(0));
    let back = plan.diagram(session.timeline(), SPACE, Lang::En);
    assert!(after.rows.iter().zip(back.rows.iter()).all(|(a, b)| Rc::ptr_eq(a, b)));
    assert_eq!((back.step, back.cursor), (0, None));
}
