//! The checker against counts that other model checkers gave for the same models (TLC, SPIN, rumur,
//! stateright), here with clients in Lua on the engine: benches/models.

use std::path::Path;

use interleave::checker::{Options, Search, Status};
use interleave::playground::disk;
use interleave::sim::{Action, Check, Limits, Scenario, World, WorldComponents};

fn model(name: &str, set: &[(&str, i64)]) -> Scenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/models").join(name);
    let set: Vec<(String, i64)> = set.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
    let read = disk::read(&folder, &set).unwrap_or_else(|problems| panic!("{problems:?}"));
    read.scenario().expect("it starts")
}

/// Distinct states, and transitions that change something.
fn counts(name: &str, set: &[(&str, i64)], symmetry: bool) -> (u64, u64) {
    let options = Options { symmetry, ..Options::default() };
    let mut search =
        Search::new(WorldComponents::new(&model(name, set)).expect("it starts"), options);
    assert_eq!(search.run(), Status::Complete);
    (search.counts().states, search.counts().transitions - search.counts().stutters)
}

#[test]
fn model_a_oversell() {
    let once = [(3, 170, 363), (4, 1_279, 3_704), (5, 9_797, 36_065), (6, 74_794, 335_100)];
    for (n, states, transitions) in &once {
        assert_eq!(counts("oversell", &[("N", *n)], false), (*states, *transitions), "N={n}");
    }
    for (n, states, transitions) in
        [(3, 1_946, 4_815), (4, 30_123, 100_140), (5, 434_638, 1_823_425)]
    {
        let set = [("N", n), ("R", 2)];
        assert_eq!(counts("oversell", &set, false), (states, transitions), "N={n}");
    }
}

#[test]
fn model_a_of_six_buyers_of_two() {
    let set = [("N", 6), ("R", 2)];
    assert_eq!(counts("oversell", &set, false), (5_895_305, 29_970_282));
}

#[test]
fn model_a_with_symmetry() {
    assert_eq!(counts("oversell", &[("N", 6)], true).0, 835);
    assert_eq!(counts("oversell", &[("N", 6), ("R", 2)], true).0, 28_856);
}

#[test]
fn model_b_lock() {
    let once = [(3, 350, 618), (4, 1_416, 2_660), (5, 5_032, 9_820), (6, 16_348, 32_730)];
    for (n, states, transitions) in once {
        assert_eq!(counts("lock", &[("N", n)], false), (states, transitions), "N={n}");
    }
    let twice = [(3, 10_858, 26_103), (4, 129_729, 344_244), (5, 1_182_271, 3_306_675)];
    for (n, states, transitions) in twice {
        let set = [("N", n), ("R", 2), ("E", 2)];
        assert_eq!(counts("lock", &set, false), (states, transitions), "N={n}");
    }
}

#[test]
fn model_b_with_symmetry() {
    assert_eq!(counts("lock", &[("N", 6)], true).0, 281);
    assert_eq!(counts("lock", &[("N", 6), ("R", 2), ("E", 2)], true).0, 42_758);
}

/// Six buyers of two each: the fourth unit of three is sold in 12 steps and not sooner.
#[test]
fn the_shortest_oversell_has_twelve_steps() {
    let scenario = model("oversell", &[("N", 6), ("R", 2)]);
    let mut search =
        Search::new(WorldComponents::new(&scenario).expect("it starts"), Options::default());
    while search.first(0, false).is_none() && search.advance(1 << 12) == Status::Running {}
    let state = search.first(0, false).expect("it breaks");
    let trace = search.trace(state);
    assert_eq!(trace.len(), 12);
    let (mut world, _) = World::start(&scenario).expect("it starts");
    trace.iter().for_each(|action| drop(world.apply(*action)));
    assert_eq!(scenario.properties[0].holds(&mut world.facts()), Ok(false));
}

/// A space that is too large as it is, but not reduced; and a trace that is a run of the world.
#[test]
fn a_check_reduces_what_is_too_large() {
    let scenario = model("commuting", &[("N", 5)]);
    let limits = Limits { plain_max: 2_000, ..Limits::default() };
    let mut check = Check::new(&scenario, limits).expect("it starts");
    check.run();
    assert!(check.is_complete() && check.is_reduced());
    let verdict = check.verdict(0);
    assert_eq!(verdict.holds, Some(false));
    let (mut world, _) = World::start(&scenario).expect("it starts");
    for action in verdict.trace.expect("it breaks") {
        assert!(matches!(action, Action::Step(_)));
        world.apply(action).expect("it is possible");
    }
    assert_eq!(scenario.properties[0].holds(&mut world.facts()), Ok(false));
    let mut whole = Check::new(&scenario, Limits::default()).expect("it starts");
    whole.run();
    assert!(!whole.is_reduced() && whole.counts().states > check.counts().states);
}
