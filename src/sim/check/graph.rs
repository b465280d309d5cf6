//! Questions that need the graph of all states: liveness, the shortest run that is easiest to
//! follow, the number of schedules and their ends, the distance of a state from a violation.

use crate::checker::{self, Census, Counting, Distances, Natural, Never, Polish, Search, StateId};
use crate::engine::Entry;
use crate::lua::Data;

use super::super::components::WorldComponents;
use super::super::facts::Facts;
use super::super::property::Kind;
use super::super::world::World;
use super::super::{Action, ClientId, NodeId};
use super::{Check, Phase, Verdict};

/// The most states for which easiest runs and distances are computed: both take memory for each
/// state.
const STATES_MAX: usize = 200_000;
/// The cost of one end of the schedules (a replay), in states.
const STEPS_PER_END: usize = 4096;

/// An end of schedules: the data left when every program has ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct End {
    /// The keys of each instance, without deadlines.
    pub keys: Vec<(NodeId, Entry)>,
    /// The globals that properties read, where they have a value.
    pub globals: Vec<(ClientId, String, Data)>,
}

/// The number of schedules with the same end that have broken the same conditions.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub end: End,
    /// The truth of each property in that end.
    pub truths: Vec<bool>,
    /// By property, true if it is an `always` that was false in some state of these schedules, the
    /// last one included. Where [`Count::is_split`] is false: in the last one.
    pub broke: Vec<bool>,
    /// True if they came to a state where no client could go on and one was not at its end.
    pub stuck: bool,
    pub schedules: Natural,
    /// A shortest of these schedules.
    pub witness: Vec<Action>,
}

/// The number of schedules, and their ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    pub schedules: Natural,
    /// The number of classes of schedules (Mazurkiewicz traces); `None` if counting them would take
    /// too much memory.
    pub classes: Option<Natural>,
    /// The ends, the most frequent first.
    pub outcomes: Vec<Outcome>,
    /// False if it is not known what schedules broke before their end.
    pub is_split: bool,
}

impl Outcome {
    /// Returns true if these schedules go wrong: they break an `always`, or get stuck.
    pub fn is_wrong(&self) -> bool {
        self.stuck || self.broke.contains(&true)
    }
}

impl Count {
    /// Returns the number of schedules that go wrong, if it is known.
    pub fn wrong(&self) -> Option<Natural> {
        let mut wrong = Natural::default();
        let outcomes = self.outcomes.iter().filter(|outcome| outcome.is_wrong());
        outcomes.for_each(|outcome| wrong.add(&outcome.schedules));
        Some(wrong).filter(|_| self.is_split)
    }
}

/// An `eventually` being decided: first its truth in every state, then liveness.
#[derive(Debug, Default)]
pub(super) struct Deciding {
    index: usize,
    truths: Vec<bool>,
    never: Option<Never>,
}

/// The choice of the easiest among the shortest runs, property by property.
#[derive(Debug, Default)]
pub(super) struct Polishing {
    index: usize,
    choice: Option<Polish>,
}

/// The distance of each state from one that breaks (or satisfies) a property.
#[derive(Debug)]
pub(super) enum Measured {
    Unasked,
    Asked(Distances),
    Known(Vec<u32>),
}

impl Check {
    /// Works on the first `eventually` that is not decided.
    pub(super) fn decide(&mut self, mut deciding: Box<Deciding>, steps: u32) -> Phase {
        let Some(graph) = &self.graph else { return Phase::Done };
        let Deciding { index, truths, never } = &mut *deciding;
        match self.scenario.properties.get(*index) {
            None => return Phase::Polish(Box::default()),
            Some(property) if property.kind != Kind::Eventually => {
                *index += 1;
                return Phase::Decide(deciding);
            }
            Some(_) => {}
        }
        if truths.len() < graph.len() {
            let until = graph.len().min(truths.len().saturating_add(steps as usize));
            let states = truths.len() as StateId..until as StateId;
            truths.extend(states.map(|state| self.search.is_true(*index, state)));
            return Phase::Decide(deciding);
        }
        let goal = |state: StateId| truths[state as usize];
        let asked = never.get_or_insert_with(|| Never::new(graph, goal));
        if !asked.advance(&self.search, graph, goal, steps) {
            return Phase::Decide(deciding);
        }
        let lasso = never.take().and_then(|never| never.finish(&mut self.search, graph));
        self.eventually[*index] = Some(Verdict {
            holds: Some(lasso.is_none()),
            trace: lasso.as_ref().map(|lasso| lasso.stem.clone()),
            cycle: lasso.map(|lasso| lasso.cycle).unwrap_or_default(),
            is_shortest: true,
        });
        Phase::Decide(Box::new(Deciding { index: *index + 1, ..Deciding::default() }))
    }

    /// Chooses, among the shortest runs that show a verdict, the one with the fewest switches
    /// between clients.
    pub(super) fn polish(&mut self, mut polishing: Box<Polishing>, steps: u32) -> Phase {
        let Some(graph) = self.graph.as_ref() else { return Phase::Done };
        let index = polishing.index;
        let Some(property) = self.scenario.properties.get(index) else { return self.census() };
        let wanted = property.kind == Kind::Sometimes;
        let first = match property.kind {
            Kind::Eventually => None,
            _ => self.search.first(index, wanted).filter(|_| graph.len() <= STATES_MAX),
        };
        if let Some(first) = first {
            let depth = self.search.depth(first);
            let choice = polishing.choice.get_or_insert_with(|| Polish::new(depth));
            let is_wanted = |search: &mut Search<WorldComponents>, state: StateId| {
                search.is_true(index, state) == wanted
            };
            if !choice.advance(&mut self.search, graph, is_wanted, steps) {
                return Phase::Polish(polishing);
            }
            let choice = polishing.choice.take();
            self.easiest[index] = choice.and_then(|choice| choice.finish(&self.search));
        }
        Phase::Polish(Box::new(Polishing { index: index + 1, choice: None }))
    }

    fn census(&self) -> Phase {
        match &self.graph {
            Some(graph) if self.limits.census => {
                let always = (0..self.scenario.properties.len()).filter(|at| self.is_always(*at));
                Phase::Count(Box::new(Counting::new(graph, always.collect())))
            }
            _ => Phase::Done,
        }
    }

    fn is_always(&self, index: usize) -> bool {
        self.scenario.properties[index].kind == Kind::Always
    }

    pub(super) fn count_on(&mut self, mut counting: Box<Counting<Action>>, steps: u32) -> Phase {
        let Some(graph) = &self.graph else { return Phase::Done };
        if !counting.advance(&mut self.search, graph, steps) {
            return Phase::Count(counting);
        }
        // There is no end to them where runs go round forever.
        let census = counting.finish();
        self.is_endless = census.is_none();
        census.map_or(Phase::Done, |census| Phase::Ends(Box::new(census), 0, Vec::new()))
    }

    /// Merges schedules whose ends are equal, `from` this end on.
    pub(super) fn count_ends(
        &mut self,
        census: Box<Census>,
        from: usize,
        mut outcomes: Vec<Outcome>,
        steps: u32,
    ) -> Phase {
        let until = census.ends.len().min(from + 1 + steps as usize / STEPS_PER_END);
        for one in &census.ends[from..until] {
            let witness = census.run_to(&mut self.search, one);
            // Where a step read what is part of no state, its run may be impossible: then not all
            // that was counted is known to be an end.
            let Some(world) = self.world_after(&witness) else { return Phase::Done };
            let end = self.end_of(&world);
            let count = self.scenario.properties.len();
            let truths: Vec<bool> =
                (0..count).map(|index| self.search.is_true(index, one.state)).collect();
            let (broke, stuck) = self.broken_by(one, &truths, census.is_split);
            let schedules = one.runs.clone();
            let outcome = Outcome { end, truths, broke, stuck, schedules, witness };
            let is_it = |known: &&mut Outcome| {
                (&known.end, &known.truths) == (&outcome.end, &outcome.truths)
                    && (&known.broke, known.stuck) == (&outcome.broke, outcome.stuck)
            };
            match outcomes.iter_mut().find(is_it) {
                Some(known) => known.schedules.add(&outcome.schedules),
                None => outcomes.push(outcome),
            }
        }
        if until < census.ends.len() {
            return Phase::Ends(census, until, outcomes);
        }
        outcomes.sort_by(|a, b| b.schedules.cmp(&a.schedules));
        let Census { schedules, classes, is_split, .. } = *census;
        self.count = Some(Count { schedules, classes, outcomes, is_split });
        Phase::Done
    }

    /// Returns, by property, whether it is an `always` that these schedules have broken, and
    /// whether they got stuck. Where only their end is known, that decides.
    fn broken_by(&self, end: &checker::End, truths: &[bool], is_split: bool) -> (Vec<bool>, bool) {
        let mut bit = 0;
        let mut broke = vec![false; truths.len()];
        for index in (0..truths.len()).filter(|at| self.is_always(*at)) {
            broke[index] = if is_split { end.broke >> bit & 1 == 1 } else { !truths[index] };
            bit += 1;
        }
        (broke, is_split && end.broke >> bit & 1 == 1)
    }

    /// Returns the schedule counts. `None` if there are infinitely many schedules, or not all
    /// states were searched.
    pub fn count(&self) -> Option<&Count> {
        self.count.as_ref()
    }

    fn end_of(&self, world: &World) -> End {
        let mut end = End::default();
        for (id, node) in world.setting().node_ids().zip(world.nodes()) {
            for entry in node.instance.entries(0, node.now_ms(world.now_ms())) {
                end.keys.push((id, Entry { expires_at: None, ..entry }));
            }
        }
        let facts = world.facts();
        for name in self.search.model().globals() {
            for id in world.ids() {
                let value = facts.global(id, name);
                if value != Data::Nil {
                    end.globals.push((id, name.clone(), value));
                }
            }
        }
        end
    }

    /// Works on this number of `states` to compute the distance of each state from one that breaks
    /// property `index` (or satisfies it, for other kinds than `always`). True when done; `None` if
    /// there is no graph.
    pub fn measure(&mut self, index: usize, states: u32) -> Option<bool> {
        let graph = self.graph.as_ref().filter(|graph| graph.len() <= STATES_MAX)?;
        let wanted = self.scenario.properties.get(index)?.kind != Kind::Always;
        let measured = self.measured.get_mut(index)?;
        if let Measured::Unasked = measured {
            *measured = Measured::Asked(Distances::new(graph));
        }
        let Measured::Asked(distances) = measured else { return Some(true) };
        let search = &mut self.search;
        let is_wanted = |state: StateId| search.is_true(index, state) == wanted;
        let is_known = distances.advance(graph, is_wanted, states);
        if is_known
            && let Measured::Asked(distances) = std::mem::replace(measured, Measured::Unasked)
        {
            *measured = Measured::Known(distances.finish());
        }
        Some(is_known)
    }

    /// Returns the distance of a state in steps; `None` if no such state can be reached.
    pub fn distance(&self, index: usize, state: StateId) -> Option<u32> {
        match self.measured.get(index)? {
            Measured::Known(all) => {
                all.get(state as usize).copied().filter(|steps| *steps != u32::MAX)
            }
            _ => None,
        }
    }
}
