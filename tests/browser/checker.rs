//! The checker by itself, as wasm, for `tests/browser/harness.test.mjs` and `benches/checker.mjs`:
//! models A, B and C of benches/models, searched as fast as it goes.

use std::rc::Rc;

use interleave::checker::{Options, Search, Status};
use interleave::lua::{self, Chunk};
use interleave::sim::{Faults, Kind, Property, Scenario, TimeMode, WorldComponents};

/// A model as `scenario.toml` has it, which only native tools can read.
fn model(name: &str, clients: usize, rounds: usize, early: u8) -> Result<Scenario, String> {
    let (source, setup, check) = match name {
        "oversell" => (
            include_str!("../../benches/models/oversell/buy.lua"),
            "SET stock 3;SET sold 0",
            "number('sold') <= 3",
        ),
        "commuting" => (
            include_str!("../../benches/models/commuting/buy.lua"),
            "SET stock 3;SET sold 0",
            "number('sold') <= 3",
        ),
        "lock" => (
            include_str!("../../benches/models/lock/add.lua"),
            "SET counter 0",
            "count('holding') <= 1",
        ),
        other => return Err(format!("there is no model {other}")),
    };
    let source = format!("local R = {rounds} {source}");
    let program = lua::compile(source.as_bytes(), "p.lua").map_err(|error| error.to_string())?;
    let words = |line: &str| line.split(' ').map(|word| word.as_bytes().into()).collect();
    let programs: Vec<Rc<Chunk>> = vec![program; clients];
    let mut scenario = Scenario::simple(setup.split(';').map(words).collect(), programs);
    let property = Property::new(Kind::Always, check, "p").map_err(|error| error.to_string())?;
    scenario.properties = vec![property];
    if early > 0 {
        scenario.faults = Faults { early, ..Faults::default() };
        scenario.time = TimeMode::Any;
    }
    Ok(scenario)
}

/// A search that goes on bit by bit.
#[derive(Debug)]
pub struct Run(Search<WorldComponents>);

/// What a search makes do with less by, in words.
fn options(how: &str) -> Options {
    let (symmetry, partial_order) = (how.contains("symmetry"), how.contains("partial-order"));
    Options { symmetry, partial_order, ..Options::default() }
}

impl Run {
    pub fn new(
        name: &str,
        clients: usize,
        rounds: usize,
        early: u8,
        how: &str,
    ) -> Result<Run, String> {
        let scenario = model(name, clients, rounds, early)?;
        let model = WorldComponents::new(&scenario).map_err(|why| why.to_string())?;
        Ok(Run(Search::new(model, options(how))))
    }

    /// Looks at some states more; false when all were seen.
    pub fn advance(&mut self, states: u32) -> bool {
        self.0.advance(states) == Status::Running
    }

    /// Distinct states, transitions that change something, bytes held, and the steps of a shortest
    /// violation (0: none yet).
    pub fn counts(&self) -> Vec<f64> {
        let counts = self.0.counts();
        let steps = self.0.first(0, false).map_or(0, |state| self.0.depth(state));
        let changes = counts.transitions - counts.stutters;
        vec![counts.states as f64, changes as f64, counts.bytes as f64, f64::from(steps)]
    }

    /// The shortest violation.
    pub fn trace(&mut self) -> String {
        let state = self.0.first(0, false);
        state.map_or(String::new(), |state| format!("{:?}", self.0.trace(state)))
    }
}

#[cfg(target_arch = "wasm32")]
mod exports {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    #[derive(Debug)]
    pub struct Check(super::Run);

    #[wasm_bindgen]
    impl Check {
        #[wasm_bindgen(constructor)]
        pub fn new(
            name: &str,
            clients: usize,
            rounds: usize,
            early: u8,
            how: &str,
        ) -> Result<Check, String> {
            super::Run::new(name, clients, rounds, early, how).map(Check)
        }
        pub fn advance(&mut self, states: u32) -> bool {
            self.0.advance(states)
        }
        pub fn counts(&self) -> Vec<f64> {
            self.0.counts()
        }
        pub fn trace(&mut self) -> String {
            self.0.trace()
        }
    }
}

/// wasm-bindgen calls it when the module loads; there is nothing to do by then.
#[cfg(target_arch = "wasm32")]
fn main() {}

/// What must come out in the browser: a line for each model.
#[cfg(not(target_arch = "wasm32"))]
pub fn print() {
    let counted =
        [("oversell", 1, 0, 6), ("oversell", 2, 0, 4), ("lock", 1, 1, 5), ("lock", 2, 2, 3)]
            .into_iter()
            .flat_map(|(name, rounds, early, most)| {
                (2..=most).map(move |clients| (name, clients, rounds, early, "plain"))
            });
    let reduced = [
        ("oversell", 6, 1, 0, "symmetry"),
        ("oversell", 6, 2, 0, "symmetry"),
        ("lock", 6, 1, 1, "symmetry"),
        ("lock", 6, 2, 2, "symmetry"),
        ("commuting", 3, 1, 0, "plain"),
        ("commuting", 3, 1, 0, "partial-order"),
        ("commuting", 4, 1, 0, "symmetry+partial-order"),
    ];
    for (name, clients, rounds, early, how) in counted.chain(reduced) {
        let mut run = Run::new(name, clients, rounds, early, how).expect("a model");
        while run.advance(1 << 14) {}
        let counts: Vec<String> = run.counts().iter().map(f64::to_string).collect();
        let [states, transitions, _, steps] = counts.as_slice() else { continue };
        let trace = run.trace();
        println!("{name} {clients} {rounds} {early} {how} {states} {transitions} {steps} {trace}");
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    print();
}
