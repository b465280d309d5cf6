//! A lesson's crowd: its requests, and its measures. A crowd has thousands of requests where the
//! lesson's own world has two or three clients.

use std::rc::Rc;

use serde::Serialize;

use crate::from_json;
use crate::load::{Job, Measure, Plan};
use crate::lua;
use crate::scenario::start::bytes;
use crate::sim::Scenario;
use crate::text::Both;

use super::{Lesson, Program};

/// The table `[crowd]` of a lesson.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CrowdDef {
    /// Setup commands that replace the variants' own; if empty, theirs are used.
    pub setup: Vec<Vec<String>>,
    /// The differences from [`Plan::default`], in the form of [`Plan::read`].
    pub plan: String,
    pub seeds: u64,
    /// The variants worth comparing, by index.
    pub variants: Vec<usize>,
    /// Programs that replace those of variants, which are for two or three clients.
    pub programs: Vec<CrowdProgram>,
    pub measures: Vec<MeasureDef>,
}

from_json!(CrowdDef { setup, plan, seeds, variants, programs, measures });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CrowdProgram {
    pub variant: usize,
    pub program: Program,
}

from_json!(CrowdProgram { variant, program });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct MeasureDef {
    pub id: String,
    /// The condition, see [`Measure::new`].
    pub check: String,
    pub label: Both<String>,
    /// True if a value other than 0 means that something went wrong.
    pub bad: bool,
}

from_json!(MeasureDef { id, check, label, bad });

impl CrowdDef {
    /// Returns the plan that the lesson proposes for a variant with this number of processes.
    pub fn plan_for(&self, processes: u32) -> Result<Plan, String> {
        let base = Plan { processes, ..Plan::default() };
        Plan::read(&self.plan, &base)
    }

    pub fn program_of(&self, variant: usize) -> Option<&Program> {
        let own = self.programs.iter().find(|one| one.variant == variant);
        own.map(|one| &one.program)
    }
}

/// Returns the number of processes that a scenario names; 0 if it names none, and each client is a
/// process of its own.
pub fn processes(scenario: &Scenario) -> u32 {
    let mut names: Vec<&str> =
        scenario.clients.iter().filter_map(|client| client.process.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    names.len() as u32
}

/// Returns the job of a crowd that runs a scenario's programs.
pub fn job_of(mut scenario: Scenario, measures: Vec<Measure>) -> Rc<Job> {
    let clients = std::mem::take(&mut scenario.clients);
    let programs = clients.into_iter().map(|client| client.program).collect();
    Rc::new(Job::new(scenario, programs, measures))
}

impl Lesson {
    /// Returns the crowd's proposed plan and job for a variant. The error is an author's mistake,
    /// in words.
    pub fn crowd_of(&self, variant: usize) -> Result<(Plan, Rc<Job>), String> {
        let usual = CrowdDef { seeds: 20, ..CrowdDef::default() };
        let def = self.crowd.as_ref().unwrap_or(&usual);
        let mut scenario = self.scenario(variant)?;
        let plan = def.plan_for(processes(&scenario))?;
        if !def.setup.is_empty()
            && let Some(first) = scenario.nodes.first_mut()
        {
            first.setup = def.setup.iter().map(|argv| bytes(argv)).collect();
        }
        let measures = def.measures.iter().map(|one| Measure::new(&one.id, &one.check));
        let measures = measures.collect::<Result<_, _>>()?;
        if let Some(own) = def.program_of(variant) {
            let first = self.variants.get(variant).and_then(|one| one.world.clients.first());
            let source = first.map_or(own.source.clone(), |one| one.with.program(&own.source));
            let chunk = lua::compile(source.as_bytes(), &own.file);
            let chunk = chunk.map_err(|error| error.to_string())?;
            scenario.clients.truncate(1);
            scenario.clients.iter_mut().for_each(|client| client.program = chunk.clone());
        }
        Ok((plan, job_of(scenario, measures)))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::lesson::source::read_folder;
    use crate::load::{Crowd, Summary};

    /// Few seeds of a lesson's own plan, changed by `plan`.
    fn crowd(id: &str, variant: &str, plan: &str) -> Summary {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(id);
        let lesson = read_folder(&folder).unwrap();
        let (own, job) = lesson.crowd_of(lesson.variant(variant).unwrap()).unwrap();
        let mut crowd = Crowd::new(&Plan::read(plan, &own).unwrap(), &job, 3);
        while !crowd.advance(100_000).unwrap() {}
        crowd.into_summary()
    }

    /// The measure at that place, of each run.
    fn values(of: &Summary, at: usize) -> Vec<f64> {
        of.runs.iter().map(|run| run.values[at]).collect()
    }

    #[test]
    fn a_unit_is_sold_to_many_unless_looking_and_taking_are_one() {
        let naive = crowd("oversell", "naive", "");
        assert!(values(&naive, 0).iter().all(|oversold| *oversold > 0.0), "{naive:?}");
        for variant in ["decr-check", "lua"] {
            let safe = crowd("oversell", variant, "");
            assert_eq!((values(&safe, 0), values(&safe, 1)), (vec![0.0; 3], vec![0.0; 3]));
            assert_eq!(values(&safe, 2), [200.0; 3]);
        }
    }

    #[test]
    fn a_mutex_of_one_process_is_enough_for_one_process() {
        let one = crowd("synchronized", "one-process", "");
        assert_eq!((values(&one, 0), values(&one, 1)), (vec![0.0; 3], vec![300.0; 3]));
        let three = crowd("synchronized", "three-processes", "");
        assert!(values(&three, 0).iter().all(|left| (100.0..250.0).contains(left)), "{three:?}");
        assert_eq!(values(&three, 1), [300.0; 3]);
    }

    #[test]
    fn a_long_script_keeps_everybody_waiting() {
        let (short, long) = (crowd("lua-script", "eval", ""), crowd("lua-script", "long", ""));
        assert_eq!((values(&short, 0), values(&long, 0)), (vec![0.0; 3], vec![0.0; 3]));
        assert!(long.response.percentile(50.0) > 5 * short.response.percentile(50.0));
        let outside = crowd("lua-script", "client-side", "");
        assert!(values(&outside, 1).iter().all(|apart| *apart > 0.0), "{outside:?}");
    }

    #[test]
    fn tries_grow_with_the_crowd_and_no_update_is_lost() {
        let (few, many) = (
            crowd("watch", "watch-retry", "clients=5,requests=4"),
            crowd("watch", "watch-retry", "clients=20,requests=1"),
        );
        assert_eq!((values(&few, 0), values(&many, 0)), (vec![0.0; 3], vec![0.0; 3]));
        assert!(values(&many, 2).iter().sum::<f64>() > values(&few, 2).iter().sum::<f64>());
        assert!(values(&crowd("watch", "naive", ""), 0).iter().all(|lost| *lost > 0.0));
    }

    #[test]
    fn guards_of_a_market_rank_by_what_they_cost() {
        let plan = "clients=30,requests=3";
        let rate = |variant: &str| {
            let found = crowd("lock-grain", variant, plan);
            assert_eq!(values(&found, 0), [0.0; 3], "{variant}");
            assert!(found.runs.iter().all(|run| run.finished == 90), "{variant}");
            found.mean(|run| run.throughput())
        };
        let [script, item, market] = ["lua", "lock-item", "lock-market"].map(rate);
        assert!(script > item && item > market, "{script} {item} {market}");
        rate("watch");
    }

    #[test]
    fn a_lock_of_several_nodes_has_one_holder_and_bears_one_that_is_down() {
        for down in ["down=0", "down=1"] {
            let found = crowd("redlock", "redlock", down);
            assert_eq!(values(&found, 0), [1.0; 3], "{down}");
        }
        let without_majority = crowd("redlock", "redlock", "down=2");
        assert_eq!(values(&without_majority, 1), [50.0; 3]);
    }
}
