use super::*;
use crate::jobs::find::{Progress, Work};
use crate::lesson::source::read_folder;
use crate::session::Msg;
use crate::session::link::Link;
use crate::sim::ClientId;
use crate::text::Lang;
use crate::view::learn::challenge::challenge;

fn open(link: &str) -> (SearchStore, Session) {
    let lesson = read_folder(std::path::Path::new("static/lessons/lost-update")).unwrap();
    let mut searches = SearchStore::new(|| false);
    searches.open(&lesson.id, &serde_json::to_string(&lesson).unwrap());
    (searches, Session::open(Rc::new(lesson), &Link::parse(link)).unwrap().0)
}

/// The only effect, which asks for a search.
fn asked(searches: &mut SearchStore) -> Start {
    match searches.take_effects().as_slice() {
        [ForWorker::Ask(0, Request::Start(start))] => start.clone(),
        other => panic!("{other:?}"),
    }
}

/// Does what a worker does: searches to the end, and says so.
fn work(searches: &mut SearchStore, start: &Start) -> Work {
    let mut work = Work::start(start).unwrap();
    while !work.advance(1_000) {}
    for found in work.news() {
        assert!(searches.hear(Answer::Found(found)));
    }
    assert!(searches.hear(Answer::Done(Box::new(work.report(20)))));
    // Then it is asked for the map.
    match searches.take_effects().as_slice() {
        [ForWorker::Ask(0, Request::Map(plan))] => assert_eq!(plan.id, start.id),
        other => panic!("{other:?}"),
    }
    work
}

#[test]
fn a_search_is_asked_for_once_and_its_verdict_stays() {
    let (mut searches, session) = open("mode=find");
    searches.begin(&session).unwrap();
    let start = asked(&mut searches);
    assert_eq!((start.id, start.variant, start.states_max), (1, 0, STATES_MAX));
    searches.begin(&session).unwrap();
    assert_eq!(searches.take_effects(), [], "it is running");
    work(&mut searches, &start);
    let finding = searches.of(&session).unwrap();
    assert!(!finding.is_running() && finding.is_answered());
    searches.stop();
    assert_eq!(searches.take_effects(), [], "it is over");
}

#[test]
fn another_variant_ends_the_search_that_runs_and_keeps_what_is_known() {
    let (mut searches, mut session) = open("mode=find");
    searches.begin(&session).unwrap();
    let first = asked(&mut searches);
    work(&mut searches, &first);
    session.update(Msg::Variant(1));
    searches.begin(&session).unwrap();
    assert_eq!(asked(&mut searches).variant, 1);
    session.update(Msg::Variant(0));
    assert!(searches.of(&session).unwrap().is_answered());
    // Asked again it begins anew, and what ran ends.
    searches.begin(&session).unwrap();
    match searches.take_effects().as_slice() {
        [ForWorker::Stop(0, 2), ForWorker::Ask(0, Request::Start(start))] => {
            assert_eq!(start.id, 3)
        }
        other => panic!("{other:?}"),
    }
}

/// As after Find, Check my fix and Break it, in this order.
#[test]
fn the_map_of_a_search_stays_when_another_is_made() {
    let (mut searches, mut session) = open("mode=find");
    for variant in [0, 1] {
        session.update(Msg::Variant(variant));
        searches.begin(&session).unwrap();
        let start = asked(&mut searches);
        let mut check = Work::start(&start).unwrap();
        while !check.advance(1_000) {}
        searches.hear(Answer::Done(Box::new(check.report(20))));
        made(&mut searches);
    }
    session.update(Msg::Variant(0));
    let of = |searches: &SearchStore, session: &Session| {
        searches.map_of(session).and_then(|sheet| sheet.view.wrong.clone())
    };
    assert_eq!(of(&searches, &session), Some(4_u64.into()));
    session.update(Msg::Variant(1));
    assert_eq!(of(&searches, &session), Some(0_u64.into()));
    // A map that was never made, because the worker was asked for another one, is asked for again.
    searches.begin(&session).unwrap();
    let start = asked(&mut searches);
    let _ = work(&mut searches, &start);
    session.update(Msg::Mode(Mode::Break));
    searches.settle(&session);
    made(&mut searches);
    session.update(Msg::Mode(Mode::Find));
    session.update(Msg::Variant(1));
    assert_eq!(of(&searches, &session), None);
    searches.settle(&session);
    made(&mut searches);
    assert_eq!(of(&searches, &session), Some(0_u64.into()));
    searches.settle(&session);
    assert_eq!(searches.take_effects(), []);
}

#[test]
fn a_lesson_that_is_left_takes_its_search_with_it() {
    let (mut searches, session) = open("mode=find");
    searches.begin(&session).unwrap();
    searches.take_effects();
    searches.open("watch", "{}");
    assert_eq!(searches.take_effects(), [ForWorker::Stop(0, 1)]);
    assert!(searches.of(&session).is_none());
    assert!(!searches.hear(Answer::Stopped(1)), "there is nothing to show");
    assert_eq!(searches.take_effects(), [ForWorker::Stopped(0)]);
}

#[test]
fn a_hint_searches_first_and_asks_about_each_run_once() {
    let (mut searches, mut session) = open("mode=schedule");
    searches.settle(&session);
    assert_eq!(searches.take_effects(), [], "no hint is wanted");
    searches.set_hints(true);
    searches.settle(&session);
    let start = asked(&mut searches);
    searches.settle(&session);
    assert_eq!(searches.take_effects(), [], "it is running");
    let mut work = work(&mut searches, &start);
    searches.settle(&session);
    let near =
        |schedule: &str| ForWorker::Ask(0, Request::Near { id: 1, schedule: schedule.to_owned() });
    assert_eq!(searches.take_effects(), [near("")]);
    searches.settle(&session);
    assert_eq!(searches.take_effects(), [], "it was asked");

    session.update(Msg::Step(ClientId(0)));
    searches.settle(&session);
    assert_eq!(searches.take_effects(), [near("A1")]);
    let mut answer = |schedule: &str| {
        work.ask_near(schedule.to_owned());
        loop {
            if let Some(near) = work.near(1_000) {
                return Answer::Near(near);
            }
        }
    };
    assert!(!searches.hear(answer("")), "the learner has gone on");
    assert!(searches.near().is_none());
    assert!(searches.hear(answer("A1")));
    assert_eq!(searches.near().unwrap().schedule, "A1");
}

#[test]
fn a_checker_that_ends_takes_the_hint_with_it() {
    let (mut searches, session) = open("mode=schedule");
    searches.set_hints(true);
    searches.settle(&session);
    searches.take_effects();
    assert!(searches.hear(Answer::Ended(1)));
    assert!(!searches.hints() && !searches.of(&session).unwrap().is_running());
    searches.settle(&session);
    assert_eq!(searches.take_effects(), [], "it would end the next one too");
    searches.begin(&session).unwrap();
    assert_eq!(asked(&mut searches).id, 3, "no search of the checker that ended has this number");
}

#[test]
fn a_small_search_begins_by_itself_and_a_long_one_waits_to_be_asked_for() {
    let (mut searches, mut session) = open("mode=schedule");
    searches.begin_by_itself(&session);
    assert_eq!(searches.take_effects(), [], "Find is not open");
    session.update(Msg::Mode(Mode::Find));
    searches.begin_by_itself(&session);
    let first = asked(&mut searches);
    assert!(searches.is_by_itself());
    work(&mut searches, &first);
    searches.begin_by_itself(&session);
    assert_eq!(searches.take_effects(), [], "it is known");
    let progress = |id: u32, states: u64, elapsed_ms: u64| {
        Answer::Progress(Progress { id, states, elapsed_ms, ..Progress::default() })
    };
    for (states, ms) in [(ITSELF_STATES + 1, 100), (100, ITSELF_MS + 1)] {
        searches.forget(0);
        searches.begin_by_itself(&session);
        let id = asked(&mut searches).id;
        assert!(searches.hear(progress(id, ITSELF_STATES, ITSELF_MS)) && searches.is_by_itself());
        searches.hear(progress(id, states, ms));
        assert_eq!(searches.take_effects(), [ForWorker::Stop(0, id)]);
        searches.begin_by_itself(&session);
        assert_eq!(searches.take_effects(), [], "what has ended is not begun again");
    }
    // One that was asked for meanwhile goes on.
    searches.forget(0);
    searches.begin_by_itself(&session);
    let id = asked(&mut searches).id;
    searches.begin(&session).unwrap();
    assert!(!searches.is_by_itself());
    searches.hear(progress(id, STATES_MAX.into(), 60_000));
    assert_eq!(searches.take_effects(), []);
}

#[test]
fn what_is_forgotten_is_searched_anew() {
    let (mut searches, session) = open("mode=find");
    searches.begin(&session).unwrap();
    searches.take_effects();
    searches.forget(1);
    assert_eq!(searches.take_effects(), [], "that is another one");
    searches.forget(0);
    assert_eq!(searches.take_effects(), [ForWorker::Stop(0, 1)]);
    assert!(searches.of(&session).is_none());
}

#[test]
fn a_phone_has_less_room_and_what_warms_up_is_small() {
    let (mut searches, session) = open("mode=find");
    searches.is_touch = || true;
    searches.begin(&session).unwrap();
    assert_eq!(asked(&mut searches).bytes_max, BYTES_MAX_TOUCH);
    searches.warm(&session);
    let warm = asked(&mut searches);
    assert_eq!((warm.id, warm.states_max), (0, WARM_STATES));
    assert!(searches.of(&session).unwrap().is_running(), "it is no search of the learner's");
}

/// Makes the map that is asked for, as a worker does.
fn made(searches: &mut SearchStore) -> crate::jobs::map::Work {
    let plan = match searches.take_effects().as_slice() {
        [ForWorker::Ask(0, Request::Map(plan))] => plan.clone(),
        other => panic!("{other:?}"),
    };
    let mut work = crate::jobs::map::Work::start(&plan).unwrap();
    loop {
        if let Some(made) = work.advance(1_000).unwrap() {
            searches.hear(Answer::Map(Box::new(made)));
            return work;
        }
    }
}

/// Answers what is asked of the run.
fn follow(searches: &mut SearchStore, session: &Session, work: &crate::jobs::map::Work) {
    searches.settle(session);
    for effect in searches.take_effects() {
        let ForWorker::Ask(0, Request::Along(ask)) = effect else { panic!("{effect:?}") };
        searches.hear(Answer::Along(Box::new(work.along(&ask).unwrap())));
    }
}

#[test]
fn break_it_says_when_no_order_is_left_that_breaks() {
    let (mut searches, mut session) = open("mode=break");
    searches.settle(&session);
    let work = made(&mut searches);
    follow(&mut searches, &session, &work);
    assert_eq!(searches.outlook(&session), None, "four of six orders break it");
    for (step, client) in [0, 0, 1].into_iter().enumerate() {
        session.update(Msg::Step(ClientId(client)));
        follow(&mut searches, &session, &work);
        // A has written before B has read: that decides it.
        let instead = || Some("B1".to_owned());
        let fine = (step > 0).then(|| Outlook::Fine { since: 2, instead: instead() });
        assert_eq!(searches.outlook(&session), fine.as_ref(), "{step}");
    }
    let said = challenge(&session, None, searches.outlook(&session), Lang::En);
    let told = said.and_then(|said| said.outlook).expect("it is fine");
    assert_eq!(
        told.words,
        "This order is fine: A’s SET balance 20 closed the gap. \
         Step back: an order that breaks it goes on with B: GET balance."
    );
    assert_eq!(told.back_to, Some(1));
    session.update(Msg::Seek(1));
    follow(&mut searches, &session, &work);
    assert_eq!(searches.outlook(&session), None);
    session.update(Msg::Step(ClientId(1)));
    follow(&mut searches, &session, &work);
    assert_eq!(searches.outlook(&session), Some(&Outlook::Doomed), "both have read");
    // The map is asked for once, and again where the program has changed.
    searches.settle(&session);
    assert_eq!(searches.take_effects(), []);
    searches.forget(0);
    assert!(searches.orders(&session).is_none(), "that of the old program");
    searches.settle(&session);
    made(&mut searches);
}

/// The playground with this program, whose text the searches have.
fn own(searches: &mut SearchStore, program: &str) -> Session {
    let mut own = crate::playground::Definition::first();
    own.programs[0].text = program.to_owned();
    searches.open(OWN, &own.write());
    let lesson = own.lesson().unwrap();
    Session::open(Rc::new(lesson), &Link::parse("mode=edit")).unwrap().0
}

const SAFE: &str = "redis.call(\"INCR\", \"n\")";
const LOST: &str = "local n = redis.call(\"GET\", \"n\")\nredis.call(\"SET\", \"n\", n + 1)";

#[test]
fn beside_the_editor_the_old_verdict_stays_until_there_is_a_new_one() {
    let mut searches = SearchStore::new(|| false);
    let session = own(&mut searches, LOST);
    assert!(searches.beside(&session).is_none());
    assert!(searches.begin_live(&session));
    let first = asked(&mut searches);
    assert_eq!((first.states_max, first.own), (LIVE_STATES_MAX, true));
    assert!(searches.begin_live(&session));
    assert_eq!(searches.take_effects(), [], "it is running");
    work(&mut searches, &first);
    let beside = searches.beside(&session).unwrap();
    assert!(beside.is_new && !beside.is_map_new && beside.results.is_refuted());

    // The same text is known; another one ends nothing that is over.
    let session = own(&mut searches, LOST);
    assert!(searches.beside(&session).unwrap().is_new);
    let session = own(&mut searches, SAFE);
    let beside = searches.beside(&session).unwrap();
    assert!(!beside.is_new && beside.results.is_refuted(), "it is about the earlier text");
    searches.begin_live(&session);
    let second = asked(&mut searches);
    assert!(!searches.beside(&session).unwrap().is_new);

    // A newer text ends the search for the older one.
    let session = own(&mut searches, &format!("{SAFE}\n-- twice"));
    assert_eq!(searches.take_effects(), [ForWorker::Stop(0, second.id)]);
    searches.begin_live(&session);
    let third = asked(&mut searches);
    work(&mut searches, &third);
    let beside = searches.beside(&session).unwrap();
    assert!(beside.is_new && !beside.results.is_refuted());
    // In Find it can be searched as far as one likes; where it is over, that begins anew.
    searches.begin(&session).unwrap();
    assert_eq!(asked(&mut searches).states_max, OWN_STATES_MAX);
}

#[test]
fn a_mistake_ends_the_search_and_leaves_what_was_found() {
    let mut searches = SearchStore::new(|| false);
    let session = own(&mut searches, LOST);
    searches.begin_live(&session);
    let first = asked(&mut searches);
    work(&mut searches, &first);
    let session = own(&mut searches, SAFE);
    searches.begin_live(&session);
    let second = asked(&mut searches);
    searches.end_live();
    assert_eq!(searches.take_effects(), [ForWorker::Stop(0, second.id)]);
    assert!(!searches.beside(&session).unwrap().is_new);
    // Another lesson has nothing to do with it.
    searches.open("watch", "{}");
    assert!(searches.beside(&session).is_none());
}
