//! The two searches against each other on random scenarios.

use super::compare::{compare, ways};
use super::draft::Draft;
use super::features::Table;
use super::generate::{generate, without_more};
use crate::scenario::Client;
use crate::share;
use crate::sim::oracle::Oracle;
use crate::sim::{Check, DEFAULT_NODE, Limits};

/// Worlds of one scenario; fewer than the tool takes, as tests are not optimised as far.
pub(super) const WORLDS_MAX: usize = 300;

fn agree_on(seeds: std::ops::Range<u64>, make: fn(u64) -> Draft) {
    let mut complete = 0;
    for seed in seeds.clone() {
        let draft = make(seed);
        let scenario = draft.scenario().unwrap_or_else(|| panic!("seed {seed} does not start"));
        match compare(&scenario, seed, WORLDS_MAX, None) {
            Ok(compared) => complete += u64::from(compared.is_complete),
            Err(why) => panic!("seed {seed}: {why}\n{}", draft.folder()),
        }
    }
    let all = seeds.end - seeds.start;
    println!("{complete} of {all} scenarios were searched to the end");
    assert!(complete * 4 > all, "only {complete} of {all} were searched to the end");
}

/// In two tests, which run at once.
#[test]
fn random_scenarios_are_searched_alike() {
    agree_on(0..share(60), generate);
}

#[test]
fn more_random_scenarios_are_searched_alike() {
    agree_on(1_000_000..1_000_000 + share(60), generate);
}

/// Seeds of scenarios on which the two disagreed once.
#[test]
fn what_was_searched_differently_once_is_searched_alike() {
    // CLIENT LIST: a connection was as old as the time of a command that is part of no state.
    agree_on(6_014_525..6_014_526, |seed| without_more(seed, 1));
}

/// The first copy kept a key that the replica's own clock says has expired, until the first write
/// that the replica took over.
#[test]
fn a_replica_whose_clock_is_ahead_is_searched_alike() {
    let mut draft = Draft::default();
    draft.set_up(&["SET", "a", "1", "PX", "3"]);
    draft.add_node(DEFAULT_NODE, "");
    draft.second(DEFAULT_NODE).clock_ms = 3;
    draft.world.faults.failover = 1;
    draft.add("for i = 1, 2 do redis.call('INCR', 'n') end".to_owned(), Client::default());
    let compared = compare(&draft.scenario().unwrap(), 0, WORLDS_MAX, None).unwrap();
    assert!(compared.is_complete && compared.ends > 0);
}

/// Features that no scenario of these seeds has: none, and it shall stay so.
const HOLES: &[&str] = &[];

/// The first of few seeds that are enough: rare features need more of them from other seeds on.
const FIRST: u64 = 2_100;

/// The oracle visits a few worlds of each, and nothing is compared.
#[test]
fn every_feature_is_generated() {
    let mut table = Table::new();
    for seed in FIRST..FIRST + 240 {
        let scenario = generate(seed).scenario().unwrap_or_else(|| panic!("{seed} does not start"));
        let oracle = Oracle::explore(&scenario, 20).unwrap_or_else(|why| panic!("{seed}: {why}"));
        let limits = Limits { states_max: 10, ..ways(seed)[0].1 };
        let mut check = Check::new(&scenario, limits).expect("it starts");
        check.run();
        table.add(&scenario, &oracle, check.tick_ms());
    }
    assert_eq!(table.holes(), HOLES, "{table}");
}
