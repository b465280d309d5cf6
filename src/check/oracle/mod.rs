//! `check oracle`: runs random scenarios through both searches, and prints those on which they
//! disagree, shrunk; at the end a table of what was tried. docs/oracle.md explains it.

mod compare;
mod draft;
mod features;
mod generate;
mod more;
#[cfg(test)]
mod mutants;
mod templates;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use self::compare::{Compared, compare};
use self::draft::Draft;
use self::features::Table;
use self::generate::generate;
use super::Clock;
use super::call::number;

/// The default bound on the oracle's worlds.
const WORLDS_MAX: usize = 1_000;
/// The seconds between two lines of progress.
const BETWEEN: f64 = 10.0;

/// The options of `check oracle`.
#[derive(Debug, clap::Args)]
pub(super) struct OracleArgs {
    #[arg(long, value_name = "N", default_value = "300", value_parser = number::<u64>)]
    programs: u64,
    /// The first seed; the others are counted from it
    #[arg(long, value_name = "S", default_value = "0", value_parser = number::<u64>)]
    seed: u64,
    /// The most worlds of one program
    #[arg(long = "worlds", value_name = "N", default_value_t = WORLDS_MAX)]
    #[arg(value_parser = number::<usize>)]
    worlds_max: usize,
    /// The number of disagreements after which it ends
    #[arg(long = "differences", value_name = "N", default_value = "10")]
    #[arg(value_parser = number::<u64>)]
    differences_max: u64,
    /// Print only the scenario of the seed
    #[arg(long)]
    show: bool,
}

thread_local! {
    /// The seed, for the message of a panic.
    static SEED: Cell<u64> = const { Cell::new(0) };
}

/// Compares this number of scenarios; true if the searches agree on all of them.
pub(super) fn run(asked: &OracleArgs, clock: Clock<'_>) -> bool {
    if asked.show {
        println!("{}", generate(asked.seed).folder());
        return true;
    }
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        eprintln!("seed {}", SEED.get());
        report(info);
    }));
    let started = clock();
    let (mut complete, mut with_ends, mut worlds, mut differences) = (0, 0, 0, 0);
    let mut table = Table::new();
    let mut next_line = BETWEEN;
    let mut done = 0;
    while done < asked.programs && differences < asked.differences_max {
        let seed = asked.seed.wrapping_add(done);
        SEED.set(seed);
        let draft = generate(seed);
        match outcome(&draft, seed, asked.worlds_max, Some(&mut table)) {
            Ok(compared) => {
                complete += u64::from(compared.is_complete);
                with_ends += u64::from(compared.ends > 0);
                worlds += compared.worlds;
            }
            Err(why) => {
                differences += 1;
                say_difference(draft, seed, asked.worlds_max, &why);
            }
        }
        done += 1;
        if clock() - started > next_line {
            next_line += BETWEEN;
            eprintln!("{done} of {}, {differences} disagree", asked.programs);
        }
    }
    println!("{table}\n");
    println!(
        "{done} programs from seed {}: {differences} disagree; {complete} searched to the end by \
         the oracle, {with_ends} compared by all their ends, {worlds} worlds ({:.1} s)",
        asked.seed,
        clock() - started
    );
    differences == 0
}

fn outcome(
    draft: &Draft,
    seed: u64,
    worlds_max: usize,
    table: Option<&mut Table>,
) -> Result<Compared, String> {
    match draft.scenario() {
        Some(scenario) => compare(&scenario, seed, worlds_max, table),
        None => Err("it does not start".to_owned()),
    }
}

/// Returns true if the scenario starts, and the searches disagree about it.
fn differs(draft: &Draft, seed: u64, worlds_max: usize) -> bool {
    draft.scenario().is_some_and(|scenario| {
        crate::sim::World::start(&scenario).is_ok()
            && compare(&scenario, seed, worlds_max, None).is_err()
    })
}

fn say_difference(draft: Draft, seed: u64, worlds_max: usize, why: &str) {
    println!("≠ seed {seed}: {why}");
    let least = draft.cut_down(|less| differs(less, seed, worlds_max));
    if let Err(why) = outcome(&least, seed, worlds_max, None) {
        println!("cut down: {why}\n{}", least.folder());
    }
}
