//! The crowd by itself, as wasm, for `tests/browser/harness.test.mjs` and `benches/crowd.mjs`:
//! programs of lessons under plans that use every distribution and fault.

use std::rc::Rc;

use interleave::hash::fingerprint;
use interleave::load::{Crowd, Job, Measure, Plan};
use interleave::lua;
use interleave::sim::Scenario;

/// Name, setup, program, measure.
const JOBS: [(&str, &str, &str, &str); 4] = [
    (
        "oversell",
        "SET stock 200",
        include_str!("../../static/lessons/oversell/get-set.lua"),
        "sum('sold')",
    ),
    (
        "script",
        "SET stock 200",
        include_str!("../../static/lessons/oversell/eval.lua"),
        "sum('sold')",
    ),
    (
        "synchronized",
        "SET stock 300",
        include_str!("../../static/lessons/synchronized/buy.lua"),
        "number('stock')",
    ),
    (
        "watch",
        "SET points 10",
        include_str!("../../static/lessons/watch/watch-retry.lua"),
        "sum('tries')",
    ),
];

/// Runs that go on bit by bit.
#[derive(Debug)]
pub struct Runs(Crowd);

impl Runs {
    pub fn new(name: &str, plan: &str, seeds: u32) -> Result<Runs, String> {
        let found = JOBS.iter().find(|(known, ..)| *known == name);
        let (_, setup, source, check) = found.ok_or_else(|| format!("there is no job {name}"))?;
        let program = lua::compile(source.as_bytes(), name).map_err(|error| error.to_string())?;
        let setup = setup.split(' ').map(|word| word.as_bytes().into()).collect();
        let scenario = Scenario::simple(vec![setup], Vec::new());
        let measure = Measure::new("measure", check)?;
        let job = Rc::new(Job::new(scenario, vec![program], vec![measure]));
        Ok(Runs(Crowd::new(&Plan::read(plan, &Plan::default())?, &job, seeds)))
    }

    /// True when all runs are over.
    pub fn advance(&mut self, events: u32) -> Result<bool, String> {
        self.0.advance(events.into())
    }

    /// Requests that ended, commands and events.
    pub fn counts(&self) -> Vec<f64> {
        let runs = &self.0.summary().runs;
        let sum = |of: fn(&interleave::load::Tally) -> u64| runs.iter().map(of).sum::<u64>() as f64;
        vec![sum(|run| run.ended()), sum(|run| run.commands), sum(|run| run.events)]
    }

    /// One number for all that was found, to the last bit.
    pub fn digest(&self) -> String {
        format!("{:016x}", fingerprint(&format!("{:?}", self.0.summary())))
    }
}

#[cfg(target_arch = "wasm32")]
mod exports {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    #[derive(Debug)]
    pub struct Runs(super::Runs);

    #[wasm_bindgen]
    impl Runs {
        #[wasm_bindgen(constructor)]
        pub fn new(name: &str, plan: &str, seeds: u32) -> Result<Runs, String> {
            super::Runs::new(name, plan, seeds).map(Runs)
        }
        pub fn advance(&mut self, events: u32) -> Result<bool, String> {
            self.0.advance(events)
        }
        pub fn counts(&self) -> Vec<f64> {
            self.0.counts()
        }
        pub fn digest(&self) -> String {
            self.0.digest()
        }
    }
}

/// wasm-bindgen calls it when the module loads; there is nothing to do by then.
#[cfg(target_arch = "wasm32")]
fn main() {}

/// What must come out in the browser: a line for each job and plan.
#[cfg(not(target_arch = "wasm32"))]
pub fn print() {
    for (name, plan) in [
        ("oversell", "clients=60,requests=5"),
        ("oversell", "clients=60,requests=5,spread=lognormal,think_ms=3"),
        ("script", "clients=40,requests=9,arrival=poisson,rate=5000,spread=uniform"),
        ("synchronized", "clients=100,requests=3,processes=3,threads=20,arrival=ramp,ramp_ms=50"),
        ("watch", "clients=20,requests=4,crash_ppm=5000,pause_ppm=5000,skew_ms=40"),
    ] {
        let mut runs = Runs::new(name, plan, 3).expect("a job");
        while !runs.advance(10_000).expect("it measures") {}
        let counts: Vec<String> = runs.counts().iter().map(f64::to_string).collect();
        println!("{name} {plan} {} {}", counts.join(" "), runs.digest());
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    print();
}
