use std::path::Path;

use super::*;
use crate::session::Msg;
use crate::session::link::Link;
use crate::sim::ClientId;
use crate::view::stage::chips::ChipState;

const LOST: &str = "lesson=lost-update&variant=naive&schedule=A1.B1.A2.B2&step=4";

fn session(fragment: &str) -> Session {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons/lost-update");
    let lesson = crate::lesson::source::read_folder(&folder).expect("the lesson is right");
    let (session, notices) =
        Session::open(Rc::new(lesson), &Link::parse(fragment)).expect("it opens");
    assert_eq!(notices, []);
    session
}

fn compared(session: &Session) -> Comparison {
    comparison(session, &mut Followers::default(), Lang::En).expect("something beside it")
}

#[test]
fn two_runs_part_where_they_part() {
    let mut session = session(LOST);
    session.update(Msg::Seek(1));
    for id in [0, 1, 1] {
        session.update(Msg::Step(ClientId(id)));
    }
    assert_eq!(session.timeline().schedule(), "A1.A2.B1.B2");
    session.update(Msg::Compare(Some(Beside::Run(1))));
    session.update(Msg::NameRun(1, "the lost one".into()));
    let shown = compared(&session);
    assert_eq!(
        (shown.columns[0].title.as_str(), shown.columns[1].title.as_str()),
        ("Run 2", "the lost one")
    );
    assert_eq!((shown.parts_at, shown.rows.len()), (Some(2), 4));
    assert!(shown.rows[3].cells[1].breaks && !shown.rows[3].cells[0].breaks);
    assert_eq!(shown.columns[1].chips[0].state, ChipState::Broken(4));
    let [balance] = shown.keys.as_slice() else { panic!("{:?}", shown.keys) };
    assert_eq!(balance.values, [Some("30".to_owned()), Some("20".to_owned())]);
    assert!(balance.differs);
    // In the middle, the keys are those of that step.
    session.update(Msg::Seek(1));
    assert!(!compared(&session).keys[0].differs);
    // The link brings the other run along.
    session.update(Msg::Seek(4));
    let link = session.link(Lang::En);
    assert_eq!(link.compare.as_deref(), Some("A1.B1.A2.B2"));
    let again = self::session(&link.write());
    assert_eq!(compared(&again).rows, compared(&session).rows);
    // Going back to it exchanges the two, with their names.
    session.update(Msg::TakeBranch(1));
    assert_eq!((session.timeline().id(), session.timeline().name()), (1, "the lost one"));
    session.update(Msg::RemoveRun(2));
    assert_eq!((session.timeline().branches().len(), session.beside()), (0, None));
}

#[test]
fn a_run_that_is_made_again_shares_its_frames() {
    let mut session = session(LOST);
    session.update(Msg::Reset);
    for id in [0, 1, 0] {
        session.update(Msg::Step(ClientId(id)));
    }
    let timeline = session.timeline();
    assert_eq!(timeline.branches()[0].shared_steps(timeline.frames()), 3);
}

#[test]
fn a_variant_follows_as_far_as_it_can() {
    let mut session = session(LOST);
    let other = session.lesson().variant("incrby").expect("the lesson has it");
    session.update(Msg::Compare(Some(Beside::Variants(vec![other]))));
    let mut followers = Followers::default();
    let shown = comparison(&session, &mut followers, Lang::En).expect("something beside it");
    let cells: Vec<(&str, bool)> =
        shown.rows.iter().map(|row| (row.cells[1].what.as_str(), row.cells[1].refused)).collect();
    let done = |who| (who, true);
    assert_eq!(
        cells,
        [
            ("INCRBY balance 10", false),
            ("INCRBY balance 10", false),
            done("A finished"),
            done("B finished")
        ]
    );
    assert_eq!(shown.columns[1].about, "follows: 2 of 4 steps");
    assert_eq!(shown.columns[0].chips[0].state, ChipState::Broken(4));
    assert_eq!(shown.columns[1].chips[0].state, ChipState::Holds);
    // Going another way, it follows there too, and is what it would be from the start.
    session.update(Msg::Seek(1));
    session.update(Msg::Step(ClientId(0)));
    let gone_on = comparison(&session, &mut followers, Lang::En);
    assert_eq!(gone_on, comparison(&session, &mut Followers::default(), Lang::En));
    let link = session.link(Lang::En);
    assert_eq!(link.beside.as_deref(), Some("incrby"));
    assert_eq!(self::session(&link.write()).beside(), session.beside());
}
