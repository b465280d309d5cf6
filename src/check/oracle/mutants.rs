//! Mistakes on purpose, each of which the comparison must notice on a scenario of `mutants.toml`.
//!
//! `cargo test --lib mistakes -- --nocapture` prints each mistake and its evidence. For a mistake
//! without a scenario, it looks for a random one, prints that shrunk, and fails.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Deserialize;

use super::compare::{Known, many_ways};
use super::draft::Draft;
use super::generate::generate;
use super::tests::WORLDS_MAX;
use crate::engine::Version;
use crate::mutant::{self, Mutant};
use crate::scenario::Client;
use crate::sim::{DEFAULT_NODE, Faults, Kind, TimeMode};

/// The table: scenarios by their names, and mistakes that cannot be noticed, with the reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    equivalent: BTreeMap<String, String>,
    case: Vec<Case>,
}

/// A scenario, and the mistakes that it reveals.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Case {
    kills: Vec<String>,
    setup: Vec<String>,
    version: Option<String>,
    /// Instances besides the first one, each with its master.
    instances: Vec<(String, String)>,
    programs: Vec<String>,
    /// The process of each client, if any is named.
    processes: Vec<String>,
    clocks: Vec<i64>,
    /// The clock of the first instance.
    clock: i64,
    again: bool,
    sql: Vec<String>,
    slow_ms: u32,
    starts_within_ms: u32,
    early: bool,
    wire: bool,
    asks_errors: bool,
    faults: BTreeMap<String, i64>,
    always: Vec<String>,
    sometimes: Vec<String>,
    eventually: Vec<String>,
}

impl Case {
    fn draft(&self) -> Draft {
        let mut draft = Draft { asks_errors: self.asks_errors, ..Draft::default() };
        draft.add_node(DEFAULT_NODE, "");
        self.instances.iter().for_each(|(name, master)| draft.add_node(name, master));
        for (at, text) in self.programs.iter().enumerate() {
            let process = self.processes.get(at).cloned().unwrap_or_default();
            let clock_ms = self.clocks.get(at).copied().unwrap_or_default();
            let client = Client { process, clock_ms, again: self.again, ..Client::default() };
            draft.add(text.clone(), client);
        }
        let all = [
            (Kind::Always, &self.always),
            (Kind::Sometimes, &self.sometimes),
            (Kind::Eventually, &self.eventually),
        ];
        for (kind, checks) in all {
            checks.iter().for_each(|check| draft.ask(kind, check.clone()));
        }
        let world = &mut draft.world;
        world.instances[0].clock_ms = self.clock;
        world.setup = self.setup.join("\n");
        world.version = self.version.as_deref().and_then(Version::parse);
        world.sql = self.sql.join("\n");
        world.faults = faults(&self.faults);
        world.time = if self.early { TimeMode::Any } else { TimeMode::Prompt };
        world.slow_ms = self.slow_ms;
        world.starts_within_ms = self.starts_within_ms;
        world.wire = self.wire;
        draft
    }
}

fn faults(counts: &BTreeMap<String, i64>) -> Faults {
    let mut faults = Faults::default();
    for (kind, &count) in counts {
        let few = || u8::try_from(count).expect("few");
        match kind.as_str() {
            "pause_of" => faults.pause_of = few().into(),
            "pause_ms" => faults.pause_ms = few().into(),
            "jump_ms" => faults.jump_ms = count,
            name => *faults.named_mut(name).expect("a kind of fault") = few(),
        }
    }
    faults
}

/// Returns the disagreement that the mistake causes on this scenario; `None` if there is none.
fn notices(draft: &Draft, mutant: Mutant) -> Option<String> {
    let scenario = draft.scenario()?;
    let known = Known::of(&scenario, WORLDS_MAX).ok()?;
    let ways = many_ways();
    mutant::set(Some(mutant));
    let compared = catch_unwind(AssertUnwindSafe(|| known.compare(&ways)));
    mutant::set(None);
    let told = match compared {
        Ok(compared) => compared.err()?,
        Err(_) => "a panic".to_owned(),
    };
    // What is known of the programs by now is known with the mistake.
    let scenario = draft.scenario()?;
    let is_fine = Known::of(&scenario, WORLDS_MAX).is_ok_and(|one| one.compare(&ways).is_ok());
    is_fine.then_some(told)
}

/// Reads the table, or with `MUTANTS=FILE` another one, without compiling.
fn table() -> Table {
    let text = match std::env::var("MUTANTS") {
        Ok(path) => fs::read_to_string(path).expect("a file"),
        Err(_) => include_str!("mutants.toml").to_owned(),
    };
    toml::from_str(&text).expect("a table of scenarios")
}

/// The number of seeds tried for a mistake that has no scenario.
const TRIED: u64 = 400;

/// Looks for a random scenario that reveals the mistake, and shrinks it.
fn look_for(mutant: Mutant) -> Option<Draft> {
    let mut drafts = (0..TRIED).map(generate);
    let draft = drafts.find(|draft| notices(draft, mutant).is_some())?;
    Some(draft.cut_down(|less| notices(less, mutant).is_some()))
}

#[test]
fn mistakes_on_purpose_are_noticed() {
    let table = table();
    std::panic::set_hook(Box::new(|_| {}));
    let mut wrong = Vec::new();
    for case in &table.case {
        let draft = case.draft();
        let agrees = draft.scenario().ok_or_else(|| "it does not start".to_owned());
        let agrees = agrees.and_then(|scenario| {
            Known::of(&scenario, WORLDS_MAX)?.compare(&many_ways()).map(|_| ())
        });
        wrong.extend(agrees.err().map(|why| format!("{:?}: {why}", case.kills)));
    }
    for &mutant in Mutant::ALL {
        let name = format!("{mutant:?}");
        let mut cases = table.case.iter().filter(|case| case.kills.contains(&name)).peekable();
        let told = match table.equivalent.get(&name) {
            Some(why) if cases.peek().is_none() => format!("cannot be noticed: {why}"),
            None if cases.peek().is_none() => {
                let found = look_for(mutant).map_or("no seed either".to_owned(), |d| d.folder());
                wrong.push(format!("{name} has no scenario; one may be made of:\n{found}"));
                continue;
            }
            _ => {
                let told: Vec<Option<String>> =
                    cases.map(|case| notices(&case.draft(), mutant)).collect();
                if told.contains(&None) {
                    wrong.push(format!("nothing notices {name}: {told:?}"));
                }
                told.into_iter().flatten().next().unwrap_or_default()
            }
        };
        println!("{name:20} {}\n{:20} {told}", mutant.what(), "");
    }
    drop(std::panic::take_hook());
    let known: Vec<String> = Mutant::ALL.iter().map(|mutant| format!("{mutant:?}")).collect();
    let named = table.case.iter().flat_map(|case| &case.kills).chain(table.equivalent.keys());
    wrong.extend(named.filter(|name| !known.contains(name)).map(|name| format!("no {name}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
