//! What a lesson claims, computed: every variant searched over all its schedules.

use crate::checker::{Model, Options, Search, Status, Whole};
use crate::sim::{Action, Kind, Property, World};

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
    let properties = scenario.properties.clone();
    let options = Options { states_max: STATES_MAX as u32, ..Options::default() };
    let mut search = Search::new(Whole::new(Worlds { world, properties }), options);
    let complete = search.run() == Status::Complete;
    let kinds = scenario.properties.iter().map(|property| property.kind);
    let verdicts = kinds.enumerate().map(|(index, kind)| verdict(&mut search, index, kind));
    let verdicts = verdicts.collect();
    let counts = search.counts();
    Ok(Verdicts {
        states: counts.states as usize,
        transitions: counts.transitions as usize,
        complete,
        verdicts,
    })
}

fn verdict(search: &mut Search<Whole<Worlds>>, index: usize, kind: Kind) -> Verdict {
    // `eventually` needs the state graph's cycles; until the search has them, lessons may not use it
    // (their reader says so).
    let is_always = kind == Kind::Always;
    let found = search.first(index, !is_always);
    let trace = found.map(|state| search.trace(state));
    Verdict { holds: trace.is_some() != is_always, trace }
}

/// The world as a model, with what [`World::choices`] allows.
#[derive(Debug)]
struct Worlds {
    world: World,
    properties: Vec<Property>,
}

impl Model for Worlds {
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
        self.properties.len()
    }

    fn holds(&self, index: usize, state: &World) -> bool {
        self.properties[index].holds(&mut state.facts()).unwrap_or(false)
    }
}
