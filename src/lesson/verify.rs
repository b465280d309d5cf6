//! What a lesson claims, computed: every variant searched over all its schedules.

use crate::checker::{self, Model, Report};
use crate::sim::{Action, Kind, World};

use super::Lesson;

/// More states than any lesson should have.
pub const STATES_MAX: usize = 200_000;

/// What a search of one variant answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdicts {
    pub states: usize,
    pub transitions: usize,
    pub complete: bool,
    /// In the order of the variant's claims.
    pub verdicts: Vec<Verdict>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub holds: bool,
    /// A shortest run to the violation (`always`) or to the example (`sometimes`).
    pub trace: Option<Vec<Action>>,
}

/// Searches all schedules of `variant`. The error is an author's mistake, in words.
pub fn verdicts(lesson: &Lesson, variant: usize) -> Result<Verdicts, String> {
    let scenario = lesson.scenario(variant)?;
    let (world, _) = World::start(&scenario).map_err(|why| why.to_string())?;
    for property in &scenario.properties {
        property.holds(&mut world.facts())?;
    }
    let model = Worlds { world, scenario: &scenario };
    let report = checker::search(&model, STATES_MAX);
    let kinds = scenario.properties.iter().map(|property| property.kind);
    let verdicts = kinds.enumerate().map(|(index, kind)| verdict(&report, index, kind)).collect();
    Ok(Verdicts {
        states: report.states,
        transitions: report.transitions,
        complete: report.complete,
        verdicts,
    })
}

fn verdict(report: &Report<Action>, index: usize, kind: Kind) -> Verdict {
    match kind {
        Kind::Always => {
            let trace = report.first_false[index].clone();
            Verdict { holds: trace.is_none(), trace }
        }
        // `eventually` needs the state graph's cycles; until the search has them, lessons may not
        // use it (their reader says so).
        Kind::Sometimes | Kind::Eventually => {
            let trace = report.first_true[index].clone();
            Verdict { holds: trace.is_some(), trace }
        }
    }
}

/// The world as a model, with what [`World::choices`] allows.
struct Worlds<'s> {
    world: World,
    scenario: &'s crate::sim::Scenario,
}

impl Model for Worlds<'_> {
    type State = World;
    type Action = Action;

    fn initial(&self) -> World {
        self.world.clone()
    }

    fn actions(&self, state: &World, out: &mut Vec<Action>) {
        out.append(&mut state.choices());
    }

    fn next(&self, state: &World, action: Action) -> Option<World> {
        let mut next = state.clone();
        next.apply_unseen(action).ok()?;
        Some(next)
    }

    fn conditions(&self) -> usize {
        self.scenario.properties.len()
    }

    fn holds(&self, index: usize, state: &World) -> bool {
        self.scenario.properties[index].holds(&mut state.facts()).unwrap_or(false)
    }
}
