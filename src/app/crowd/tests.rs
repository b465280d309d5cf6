use std::rc::Rc;

use super::*;
use crate::jobs::Failure;
use crate::jobs::crowd::Work;
use crate::lesson::source::read_folder;
use crate::session::link::Link;

const HOST: Machine = Machine { now_ms: 0, cores: 4, is_touch: false, beside: true };

fn open(id: &str) -> (CrowdStore, Session, String) {
    let lesson = read_folder(&std::path::Path::new("static/lessons").join(id)).unwrap();
    let text = serde_json::to_string(&lesson).unwrap();
    let session = Session::open(Rc::new(lesson), &Link::parse("mode=crowd")).unwrap().0;
    let mut crowds = CrowdStore::new(false);
    assert_eq!(crowds.open(&session, Some("seeds:8")), [""; 0]);
    (crowds, session, text)
}

#[test]
fn a_small_crowd_begins_by_itself_once() {
    let (mut crowds, session, text) = open("watch");
    crowds.run_by_itself(&text, &HOST);
    assert!(crowds.is_by_itself() && !crowds.take_effects().is_empty());
    crowds.run(&text, Which::Form, &HOST);
    assert!(!crowds.is_by_itself(), "it was asked for");
    crowds.stop();
    crowds.take_effects();
    crowds.run_by_itself(&text, &HOST);
    assert_eq!(crowds.take_effects(), [], "it was stopped");
    crowds.open(&session, Some("clients:1000,requests:100"));
    crowds.run_by_itself(&text, &HOST);
    assert_eq!(crowds.take_effects(), [], "it is large");
}

/// Which workers are told what they run, and how many runs each is given.
fn given(effects: &[ForWorker]) -> Vec<(usize, bool, usize)> {
    let mut given: Vec<(usize, bool, usize)> = Vec::new();
    for effect in effects {
        let ForWorker::Ask(hand, request) = effect else { panic!("{effect:?}") };
        if given.last().is_none_or(|(last, ..)| last != hand) {
            given.push((*hand, false, 0));
        }
        let last = given.last_mut().unwrap();
        match request {
            Request::Crowd(_) if last.2 == 0 => last.1 = true,
            Request::Task(_) => last.2 += 1,
            other => panic!("{other:?}"),
        }
    }
    given
}

/// Workers that do what the effects say.
#[derive(Default)]
struct Workers(Vec<Option<Work>>);

impl Workers {
    fn carry_out(&mut self, effects: Vec<ForWorker>) {
        for effect in effects {
            let ForWorker::Ask(hand, request) = effect else { panic!("{effect:?}") };
            if self.0.len() <= hand {
                self.0.resize_with(hand + 1, Default::default);
            }
            let work = &mut self.0[hand];
            match request {
                Request::Crowd(begin) => *work = Some(Work::start(&begin).unwrap()),
                Request::Task(task) => work.as_mut().expect("it was told first").take(task),
                other => panic!("{other:?}"),
            }
        }
    }

    /// The next run that one of them has made.
    fn answer(&mut self) -> Option<(usize, Answer)> {
        let working = self.0.iter_mut().enumerate();
        let (hand, work) = working
            .filter_map(|(hand, work)| Some((hand, work.as_mut()?)))
            .find(|(_, work)| work.is_working())?;
        loop {
            if let Some(ran) = work.advance(999).unwrap() {
                return Some((hand, Answer::Ran(Box::new(ran))));
            }
        }
    }
}

#[test]
fn a_crowd_is_spread_over_workers_and_every_run_comes_back() {
    let (mut crowds, _, text) = open("oversell");
    crowds.run(&text, Which::Form, &HOST);
    let effects = crowds.take_effects();
    let hands = given(&effects);
    assert_eq!(
        hands.iter().map(|one| one.0).collect::<Vec<_>>(),
        [0, 1, 2],
        "a core is the page's"
    );
    assert!(hands.iter().all(|(_, told, runs)| *told && *runs > 0));
    let mut workers = Workers::default();
    workers.carry_out(effects);
    let mut runs = 0;
    while let Some((hand, answer)) = workers.answer() {
        runs += 1;
        let heard = crowds.hear(hand, answer, &HOST);
        let effects = crowds.take_effects();
        assert!(given(&effects).iter().all(|(_, told, _)| !told), "they know what they run");
        workers.carry_out(effects);
        if heard == Heard::Over {
            break;
        }
    }
    let at = crowds.get().unwrap();
    assert_eq!(at.phase, Phase::Done);
    assert_eq!(runs, at.asked().tasks);
    crowds.stop();
    assert_eq!(crowds.take_effects(), [], "there is nothing to end");
}

#[test]
fn how_many_workers_there_are() {
    let hands = |host: Machine, small: bool| {
        let (mut crowds, _, text) = open("oversell");
        crowds.small = small;
        crowds.run(&text, Which::Form, &host);
        given(&crowds.take_effects()).len()
    };
    assert_eq!(hands(Machine { cores: 1, ..HOST }, false), HANDS_MIN);
    assert_eq!(hands(Machine { cores: 64, ..HOST }, false), HANDS_MAX);
    assert_eq!(hands(Machine { cores: 64, is_touch: true, ..HOST }, false), HANDS_MAX_SMALL);
    assert_eq!(hands(Machine { cores: 64, ..HOST }, true), HANDS_MAX_SMALL);
    assert_eq!(hands(Machine { beside: false, ..HOST }, false), 1, "it works on the page");
}

#[test]
fn what_is_stopped_is_stopped_everywhere() {
    let (mut crowds, _, text) = open("oversell");
    crowds.run(&text, Which::Form, &HOST);
    crowds.take_effects();
    let id = crowds.at.as_ref().unwrap().id();
    assert!(id > FIRST_ID, "no search has this number");
    crowds.stop();
    let stops = [ForWorker::Stop(0, id), ForWorker::Stop(1, id), ForWorker::Stop(2, id)];
    assert_eq!(crowds.take_effects(), stops);
    assert_eq!(crowds.hear(1, Answer::Stopped(id), &HOST), Heard::Nothing);
    assert_eq!(crowds.take_effects(), [ForWorker::Stopped(1)]);
    crowds.close();
    assert_eq!(crowds.take_effects(), [ForWorker::Dismiss]);
    assert!(crowds.get().is_none());
}

#[test]
fn a_mistake_that_a_worker_finds_ends_the_others() {
    let (mut crowds, _, text) = open("oversell");
    crowds.run(&text, Which::Form, &HOST);
    crowds.take_effects();
    let id = crowds.at.as_ref().unwrap().id();
    let failed = Answer::Failed(Failure { id, why: "no such client".to_owned() });
    assert!(CrowdStore::is_for(&failed));
    assert_eq!(crowds.hear(0, failed, &HOST), Heard::Over);
    assert_eq!(crowds.take_effects().len(), 3);
    assert_eq!(crowds.get().unwrap().phase, Phase::Failed("no such client".to_owned()));
}

#[test]
fn a_first_worker_that_ends_ends_the_crowd_and_not_a_search() {
    let (mut crowds, _, text) = open("oversell");
    crowds.run(&text, Which::Form, &HOST);
    crowds.take_effects();
    let id = crowds.at.as_ref().unwrap().id();
    assert!(CrowdStore::is_for(&Answer::Ended(id)));
    assert!(!CrowdStore::is_for(&Answer::Ended(7)));
    assert_eq!(crowds.hear(0, Answer::Ended(id), &HOST), Heard::Over);
    assert_eq!(crowds.get().unwrap().phase, Phase::Ended);
}

#[test]
fn the_form_stays_while_the_lesson_does() {
    let (mut crowds, session, _) = open("oversell");
    crowds.change(|at| at.form.set("clients", "5"));
    crowds.open(&session, None);
    let form = crowds.get().unwrap().form.clone();
    // The same lesson with another program of the learner's.
    let again = Rc::new((**session.lesson()).clone());
    let (other, _) = Session::open(again, &Link::parse("mode=crowd")).unwrap();
    crowds.open(&other, None);
    assert_eq!(crowds.get().unwrap().form, form);
    let strange = crowds.open(&other, Some("nonsense:1"));
    assert_eq!(strange, ["nonsense:1"]);
}
