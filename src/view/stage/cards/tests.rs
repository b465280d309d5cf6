//! Cards that are gone on with are what new ones would be.

use std::path::Path;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::lesson::source::read_folder;
use crate::session::Msg;
use crate::session::link::Link;

fn session(lesson: &str, link: &str) -> Session {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(lesson);
    let lesson = read_folder(&folder).expect("the lesson is right");
    Session::open(Rc::new(lesson), &Link::parse(link)).expect("it opens").0
}

#[test]
fn a_deck_that_goes_on_is_a_new_deck() {
    for (seed, id) in ["watch", "lost-update", "redlock", "watchdog"].into_iter().enumerate() {
        let mut session = session(id, "mode=schedule");
        let mut random = ChaCha8Rng::seed_from_u64(seed as u64);
        let mut deck = Deck::default();
        for _ in 0..80 {
            let enabled = session.timeline().world().enabled();
            let drawn = random.random_range(0..enabled.len() as u32 + 3) as usize;
            session.update(match enabled.get(drawn) {
                Some(action) => Msg::Act(*action),
                None if drawn.is_multiple_of(3) => {
                    Msg::Seek(random.random_range(0..=session.timeline().len() as u32) as usize)
                }
                None => Msg::Back,
            });
            let face = if random.random_range(0..8) == 0 { "java" } else { LUA };
            assert_eq!(
                deck.cards(&session, face, Lang::En),
                cards(&session, face, Lang::En),
                "{id}: {}",
                session.timeline().schedule()
            );
        }
    }
}

#[test]
fn a_step_makes_only_the_cards_that_it_changes() {
    let mut session = session("lost-update", "variant=naive&schedule=A1.B1.A2&step=3");
    let mut deck = Deck::default();
    let before = deck.cards(&session, LUA, Lang::En);
    let again = deck.cards(&session, LUA, Lang::En);
    assert!(before.iter().zip(&again).all(|(one, other)| Rc::ptr_eq(one, other)));
    session.update(Msg::Step(ClientId(1)));
    let after = deck.cards(&session, LUA, Lang::En);
    let same = |at: usize| Rc::ptr_eq(&before[at].lines, &after[at].lines);
    assert!(!same(1), "B has gone on");
    session.update(Msg::Back);
    assert_eq!(deck.cards(&session, LUA, Lang::En), before);
}

/// The values at the ends of a client's lines: `14 reply = …`.
fn values(session: &Session, client: usize) -> Vec<String> {
    let card = &cards(session, LUA, Lang::En)[client];
    let lines = card.lines.iter().flat_map(|line| {
        line.values.iter().filter(|set| set.current).map(|set| (line.number, set))
    });
    lines.map(|(number, set)| format!("{number} {} = {}", set.name, set.value)).collect()
}

#[test]
fn a_line_in_a_loop_shows_the_values_of_the_present_turn_alone() {
    let mut session = session("redlock", "mode=watch&walk=one-machine");
    session.update(Msg::Seek(2));
    let has = |all: &[String], begins: &str| all.iter().any(|one| one.starts_with(begins));
    // A has asked for the first key and waits; then it asks for the second.
    session.update(Msg::Seek(3));
    let second = values(&session, 0);
    assert!(has(&second, "13 key = \"lock:2\""), "{second:?}");
    assert!(!has(&second, "14 reply"), "that was said of the first key: {second:?}");
    assert!(has(&second, "12 votes = 0"), "it goes through all turns: {second:?}");
}
