//! What a lesson's crowd does and what is measured: thousands of requests where the lesson's own
//! world has two or three clients.

use std::rc::Rc;

use serde::Serialize;

use crate::from_json;
use crate::load::{Job, Measure, Plan};
use crate::lua;
use crate::sim::Scenario;
use crate::text::Both;

use super::{Lesson, Program, commands};

/// `[crowd]` of a lesson.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CrowdDef {
    /// In place of the variants' setup; where it is empty, theirs.
    pub setup: Vec<Vec<String>>,
    /// What differs from [`Plan::default`], as [`Plan::read`] reads it.
    pub plan: String,
    pub seeds: u64,
    /// The variants that are worth comparing, by their places.
    pub variants: Vec<usize>,
    /// Programs in place of those of variants, which are for two or three clients.
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
    /// See [`Measure::new`].
    pub check: String,
    pub label: Both<String>,
    /// Where it is not 0, something went wrong.
    pub bad: bool,
}

from_json!(MeasureDef { id, check, label, bad });

impl CrowdDef {
    /// The plan that the lesson proposes for a variant of so many processes.
    pub fn plan_for(&self, processes: u32) -> Result<Plan, String> {
        let base = Plan { processes, ..Plan::default() };
        Plan::read(&self.plan, &base)
    }

    pub fn program_of(&self, variant: usize) -> Option<&Program> {
        let own = self.programs.iter().find(|one| one.variant == variant);
        own.map(|one| &one.program)
    }
}

/// The processes that a scenario names; 0 where it names none, and each client is one of its own.
pub fn processes(scenario: &Scenario) -> u32 {
    let mut names: Vec<&str> =
        scenario.clients.iter().filter_map(|client| client.process.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    names.len() as u32
}

/// The job of a crowd that runs a scenario's programs.
pub fn job_of(mut scenario: Scenario, measures: Vec<Measure>) -> Rc<Job> {
    let clients = std::mem::take(&mut scenario.clients);
    let programs = clients.into_iter().map(|client| client.program).collect();
    Rc::new(Job::new(scenario, programs, measures))
}

impl Lesson {
    /// The crowd's job and proposed plan for a variant. The error is an author's mistake, in words.
    pub fn crowd_of(&self, variant: usize) -> Result<(Plan, Rc<Job>), String> {
        let usual = CrowdDef { seeds: 20, ..CrowdDef::default() };
        let def = self.crowd.as_ref().unwrap_or(&usual);
        let mut scenario = self.scenario(variant)?;
        let plan = def.plan_for(processes(&scenario))?;
        if !def.setup.is_empty()
            && let Some(first) = scenario.nodes.first_mut()
        {
            first.setup = commands(&def.setup).collect();
        }
        let measures = def.measures.iter().map(|one| Measure::new(&one.id, &one.check));
        let measures = measures.collect::<Result<_, _>>()?;
        if let Some(own) = def.program_of(variant) {
            let chunk = lua::compile(own.source.as_bytes(), &own.file);
            let chunk = chunk.map_err(|error| error.to_string())?;
            scenario.clients.truncate(1);
            scenario.clients.iter_mut().for_each(|client| client.program = chunk.clone());
        }
        Ok((plan, job_of(scenario, measures)))
    }
}
