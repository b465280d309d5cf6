//! The two searches against each other on random scenarios.

use super::compare::compare;
use super::generate::generate;
use crate::share;

/// Worlds of one scenario; fewer than the tool takes, as tests are not optimised as far.
pub(super) const WORLDS_MAX: usize = 300;

fn agree_on(seeds: std::ops::Range<u64>) {
    let mut complete = 0;
    for seed in seeds.clone() {
        let draft = generate(seed);
        let scenario = draft.scenario().unwrap_or_else(|| panic!("seed {seed} does not start"));
        match compare(&scenario, seed, WORLDS_MAX) {
            Ok(compared) => complete += u64::from(compared.is_complete),
            Err(why) => panic!("seed {seed}: {why}\n{}", draft.folder()),
        }
    }
    let all = seeds.end - seeds.start;
    println!("{complete} of {all} scenarios were searched to the end");
    assert!(complete * 2 > all, "only {complete} of {all} were searched to the end");
}

/// In two tests, which run at once.
#[test]
fn random_scenarios_are_searched_alike() {
    agree_on(0..share(150));
}

#[test]
fn more_random_scenarios_are_searched_alike() {
    agree_on(1_000_000..1_000_000 + share(150));
}

/// Seeds of scenarios on which the two disagreed once.
#[test]
fn what_was_searched_differently_once_is_searched_alike() {
    // CLIENT LIST: a connection was as old as the time of a command that is part of no state.
    agree_on(6_014_525..6_014_526);
}
