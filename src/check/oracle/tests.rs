//! The two searches against each other, and mistakes on purpose that they must notice.
//!
//! `cargo test --lib mistakes -- --nocapture` prints each mistake and the seed that shows it;
//! `MISTAKES=open` before it looks for seeds of those that have none.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::compare::compare;
use super::generate::generate;
use crate::mutant::{self, Mutant};

/// Worlds of one scenario; fewer than the tool takes, as tests are not optimised as far.
const WORLDS_MAX: usize = 300;

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
    assert!(complete * 2 > all, "only {complete} of {all} were searched to the end");
}

#[test]
fn random_scenarios_are_searched_alike() {
    agree_on(0..150);
}

#[test]
fn more_random_scenarios_are_searched_alike() {
    agree_on(150..300);
}

/// Does the comparison of this seed go wrong with the mistake, and only with it?
fn notices(mutant: Mutant, seed: u64) -> bool {
    let Some(scenario) = generate(seed).scenario() else { return false };
    mutant::set(Some(mutant));
    let compared = catch_unwind(AssertUnwindSafe(|| compare(&scenario, seed, WORLDS_MAX)));
    mutant::set(None);
    !matches!(compared, Ok(Ok(_))) && compare(&scenario, seed, WORLDS_MAX).is_ok()
}

/// For each mistake a seed whose scenario shows it. One that has none is looked for.
const KILLERS: &[(Mutant, u64)] = &[
    (Mutant::ReadForgotten, 0),
    (Mutant::FactForgotten, 2),
    (Mutant::OverviewKept, 2),
    (Mutant::ShortcutOutgrown, 0),
    (Mutant::EpochIgnored, 19),
    (Mutant::StoreByHash, 1),
    (Mutant::RecentByPlace, 0),
    (Mutant::TurnsShort, 6),
];

/// Seeds that are tried for a mistake that has none.
const TRIED: u64 = 400;

/// Mistakes for which no seed is known yet: to be looked for.
const OPEN: &[Mutant] = &[
    Mutant::BudgetsReversed,
    Mutant::BudgetsIgnored,
    Mutant::AmpleReads,
    Mutant::AmpleUnknown,
    Mutant::AmpleVisible,
    Mutant::AmpleIgnoring,
    Mutant::AmpleUnverified,
    Mutant::RoundsUnfair,
    Mutant::RoundsNever,
    Mutant::RoundsThroughOthers,
    Mutant::OutdatedIgnored,
    Mutant::NowUnseen,
    Mutant::ClockUnseen,
    Mutant::ServerClockUnseen,
    Mutant::PartTimesUnseen,
    Mutant::ConnectionsUnseen,
    Mutant::DigestsUnseen,
    Mutant::FateUnasked,
    Mutant::CrashUnasked,
    Mutant::FailureUnasked,
    Mutant::PauseUnasked,
    Mutant::KeysUnasked,
    Mutant::ValuesUnasked,
    Mutant::DeadlineForgotten,
    Mutant::WaitForgotten,
    Mutant::MomentMerged,
    Mutant::NearerForgotten,
    Mutant::EarlyForgotten,
    Mutant::WantsForgotten,
    Mutant::GlobalsForgotten,
    Mutant::ConnectionForgotten,
    Mutant::KeyForgotten,
    Mutant::KeyspaceForgotten,
    Mutant::TriedForgotten,
    Mutant::MutexForgotten,
    Mutant::ReachForgotten,
    Mutant::LinksForgotten,
    Mutant::RoutesForgotten,
    Mutant::BacklogKept,
    Mutant::WaitersForgotten,
    Mutant::EmptiedKept,
    Mutant::UnseenKept,
    Mutant::LateRounds,
    Mutant::LateClock,
    Mutant::LateAlone,
    Mutant::LateTrace,
    Mutant::LateDue,
    Mutant::LateMet,
    Mutant::TwinsNamed,
    Mutant::TwinsUnlike,
    Mutant::TwinsClock,
    Mutant::TwinsProcess,
    Mutant::TwinsKeep,
    Mutant::TwinsKnown,
    Mutant::DeadTest,
    Mutant::DeadGlobals,
];

#[test]
fn mistakes_on_purpose_are_noticed() {
    let wants_open = std::env::var("MISTAKES").is_ok_and(|which| which == "open");
    std::panic::set_hook(Box::new(|_| {}));
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Option<u64>)>> = Mutex::default();
    let look = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&mutant) = Mutant::ALL.get(at) else { break };
            if OPEN.contains(&mutant) != wants_open {
                continue;
            }
            let known = KILLERS.iter().filter(|(killed, _)| *killed == mutant);
            let mut seeds = known.map(|(_, seed)| *seed).chain(0..TRIED);
            let seed = seeds.find(|seed| notices(mutant, *seed));
            let told = seed.map_or("SURVIVES".to_owned(), |seed| format!("seed {seed}"));
            println!("{:24} {told:12} {}", format!("{mutant:?}"), mutant.what());
            found.lock().unwrap_or_else(PoisonError::into_inner).push((at, seed));
        }
    };
    thread::scope(|scope| {
        scope.spawn(look);
        scope.spawn(look);
    });
    drop(std::panic::take_hook());
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable();
    let alive: Vec<Mutant> =
        found.iter().filter(|(_, seed)| seed.is_none()).map(|(at, _)| Mutant::ALL[*at]).collect();
    assert!(alive.is_empty(), "nothing notices {alive:?}");
}
