//! A scenario checked: every schedule searched, each property decided, with the run that shows it.
//!
//! [`Check::advance`] works for a while and returns, so that a page stays alive and a tool can show
//! progress. It goes through phases: first the whole space as it is; if that is too large and it is
//! allowed, again with symmetry and partial order; then the graph of the states, on which it
//! decides every `eventually` and counts the schedules.

use crate::checker::{
    Bound, Census, Counting, Counts, Graph, Natural, Never, Options, Search, StateId, Status,
    fewest_switches,
};
use crate::engine::Entry;
use crate::lua::Data;

use super::facts::Facts;
use super::parts::WorldParts;
use super::property::Kind;
use super::scenario::{Scenario, StartError};
use super::world::World;
use super::{Action, ClientId, NodeId};

/// States of which the graph is kept though no property needs it, and of which distances and
/// easiest traces are computed: these take no time worth slicing.
const GRAPH_MAX: u64 = 200_000;
/// Counting one end of the schedules, which replays one, takes as long as so many states.
const STEPS_PER_END: usize = 4096;

/// How far to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub states_max: u32,
    pub depth_max: u32,
    pub bytes_max: usize,
    /// If the space has more states than this, it is searched again with the reductions allowed.
    pub plain_max: u32,
    /// The same where something can go wrong: most of what faults lead to differs in nothing but
    /// in what else may go wrong.
    pub plain_max_with_faults: u32,
    pub partial_order: bool,
    /// The same for clients that run the same program.
    pub symmetry: bool,
    /// The same for states that differ only in the faults that may still happen.
    pub budgets: bool,
    /// Let faults wait until somebody can meet them.
    pub late_faults: bool,
    /// Count the schedules, where the graph is at hand.
    pub census: bool,
}

impl Default for Limits {
    /// For a page: half a gigabyte, and a search that a person waits for.
    fn default() -> Self {
        Limits {
            states_max: 10_000_000,
            depth_max: u32::MAX,
            bytes_max: 512 << 20,
            plain_max: 1_000_000,
            plain_max_with_faults: 20_000,
            partial_order: true,
            symmetry: true,
            budgets: true,
            late_faults: true,
            census: true,
        }
    }
}

/// What was found out about one property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// `None` where a bound ended the search before it was decided.
    pub holds: Option<bool>,
    /// A shortest run to the violation (`always`), or to the example (`sometimes`); for
    /// `eventually` a run on which it never happens.
    pub trace: Option<Vec<Action>>,
    /// What repeats for ever after the trace.
    pub cycle: Vec<Action>,
    /// Partial order may have hidden a shorter one.
    pub is_shortest: bool,
}

/// What is left when everybody has come to the end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct End {
    /// Without deadlines.
    pub keys: Vec<(NodeId, Entry)>,
    /// The globals that properties ask for, where they have a value.
    pub globals: Vec<(ClientId, String, Data)>,
}

/// How many schedules end in one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    pub end: End,
    /// The truth of each property in the end.
    pub truths: Vec<bool>,
    pub schedules: Natural,
    /// A shortest schedule with this end.
    pub witness: Vec<Action>,
}

/// The schedules counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    pub schedules: Natural,
    /// Really different ones; `None` where it would take too much memory to count them.
    pub classes: Option<Natural>,
    /// The ends, the most frequent first.
    pub outcomes: Vec<Outcome>,
}

/// How a search makes do with fewer states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// It does not: the counts are exact.
    Plain,
    /// By what keeps the shortest lengths: budgets and symmetry.
    Exact,
    /// By partial order too.
    All,
}

impl Effort {
    /// The next one that may help.
    fn next(self, scenario: &Scenario, limits: Limits) -> Option<Effort> {
        let exact = limits.symmetry || limits.budgets || limits.late_faults;
        match self {
            // Cycles are looked for in the whole graph only.
            _ if has_eventually(scenario) => None,
            Effort::Plain if scenario.faults.any() && exact => Some(Effort::Exact),
            Effort::Plain if exact || limits.partial_order => Some(Effort::All),
            Effort::Exact if limits.partial_order => Some(Effort::All),
            _ => None,
        }
    }

    fn options(self, scenario: &Scenario, limits: Limits) -> Options {
        let is_reduced = self != Effort::Plain;
        let worth_trying = match self {
            Effort::Plain if scenario.faults.any() => limits.plain_max_with_faults,
            _ => limits.plain_max,
        };
        let is_last = self.next(scenario, limits).is_none();
        let states_max = limits.states_max;
        Options {
            states_max: if is_last { states_max } else { worth_trying.min(states_max) },
            depth_max: limits.depth_max,
            bytes_max: limits.bytes_max,
            partial_order: self == Effort::All && limits.partial_order,
            symmetry: is_reduced && limits.symmetry,
            budgets: is_reduced && limits.budgets,
            ..Options::default()
        }
    }
}

#[derive(Debug)]
enum Phase {
    Search,
    /// The graph is built, for what needs all of it.
    Graph(Graph),
    Decide(Box<Deciding>),
    Count(Box<Counting<Action>>),
    /// Schedules are counted by where they end: from which end on, and what was found so far.
    Ends(Box<Census>, usize, Vec<Outcome>),
    Done,
}

/// An `eventually` being decided: its truth in every state, then whether a run can do without.
#[derive(Debug, Default)]
struct Deciding {
    index: usize,
    truths: Vec<bool>,
    never: Option<Never>,
}

/// A check under way.
#[derive(Debug)]
pub struct Check {
    scenario: Scenario,
    /// Where it starts, where that is not the scenario's beginning.
    start: Option<World>,
    limits: Limits,
    search: Search<WorldParts>,
    effort: Effort,
    /// For each property, what an earlier search with less effort has found out.
    settled: Vec<Option<Verdict>>,
    deadlock: Option<Vec<Action>>,
    phase: Phase,
    /// For each `eventually`, when it is decided.
    eventually: Vec<Option<Verdict>>,
    graph: Option<Graph>,
    count: Option<Count>,
}

impl Check {
    /// The error is a mistake of the scenario's author.
    pub fn new(scenario: &Scenario, limits: Limits) -> Result<Check, StartError> {
        Check::begin(scenario, None, limits)
    }

    /// A check of all ways to go on from `world`, to which a run of the scenario has led; traces
    /// begin there.
    pub fn starting_at(
        scenario: &Scenario,
        world: &World,
        limits: Limits,
    ) -> Result<Check, StartError> {
        Check::begin(scenario, Some(world.clone()), limits)
    }

    fn begin(
        scenario: &Scenario,
        start: Option<World>,
        limits: Limits,
    ) -> Result<Check, StartError> {
        Ok(Check {
            search: search(scenario, start.as_ref(), limits, Effort::Plain, &[])?,
            effort: Effort::Plain,
            settled: vec![None; scenario.properties.len()],
            deadlock: None,
            scenario: scenario.clone(),
            start,
            limits,
            phase: Phase::Search,
            eventually: vec![None; scenario.properties.len()],
            graph: None,
            count: None,
        })
    }

    /// Looks at some `states` more, or does what takes as long; true when there is no more to find
    /// out.
    pub fn advance(&mut self, states: u32) -> bool {
        self.phase = match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Search => match self.search.advance(states) {
                Status::Running => Phase::Search,
                Status::Complete if self.wants_graph() => Phase::Graph(Graph::new()),
                Status::Complete => Phase::Done,
                Status::Bounded(_) => self.bounded(),
            },
            Phase::Graph(mut graph) => match graph.advance(&mut self.search, states) {
                Some(false) => Phase::Graph(graph),
                Some(true) => {
                    self.graph = Some(graph);
                    Phase::Decide(Box::default())
                }
                None => Phase::Done,
            },
            Phase::Decide(deciding) => self.decide(deciding, states),
            Phase::Count(counting) => self.count_on(counting, states),
            Phase::Ends(census, from, outcomes) => self.count_ends(census, from, outcomes, states),
            Phase::Done => Phase::Done,
        };
        matches!(self.phase, Phase::Done)
    }

    /// Runs to the end, or to a bound.
    pub fn run(&mut self) {
        while !self.advance(1 << 14) {}
    }

    /// The graph is for `eventually`, for counting and for easy traces; it takes more memory than
    /// the states do.
    fn wants_graph(&self) -> bool {
        let is_small = self.search.counts().states <= GRAPH_MAX && !self.is_reduced();
        is_small || has_eventually(&self.scenario)
    }

    /// The space is larger than was hoped: once more with less of it, if that may help. What was
    /// found stands.
    fn bounded(&mut self) -> Phase {
        let Some(effort) = self.effort.next(&self.scenario, self.limits) else {
            return Phase::Done;
        };
        for index in 0..self.settled.len() {
            if self.is_decided(index) {
                self.settled[index] = Some(self.verdict(index));
            }
        }
        self.deadlock = self.deadlock();
        let settled: Vec<bool> = self.settled.iter().map(Option::is_some).collect();
        let start = self.start.as_ref();
        match search(&self.scenario, start, self.limits, effort, &settled) {
            Ok(search) => {
                (self.effort, self.search) = (effort, search);
                Phase::Search
            }
            Err(_) => Phase::Done,
        }
    }

    /// Goes on with the first `eventually` that is not decided.
    fn decide(&mut self, mut deciding: Box<Deciding>, steps: u32) -> Phase {
        let Some(graph) = &self.graph else { return Phase::Done };
        let Deciding { index, truths, never } = &mut *deciding;
        match self.scenario.properties.get(*index) {
            None if self.limits.census => return Phase::Count(Box::new(Counting::new(graph))),
            None => return Phase::Done,
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
        let lasso = never.take().and_then(|never| never.finish(&self.search, graph));
        self.eventually[*index] = Some(Verdict {
            holds: Some(lasso.is_none()),
            trace: lasso.as_ref().map(|lasso| lasso.stem.clone()),
            cycle: lasso.map(|lasso| lasso.cycle).unwrap_or_default(),
            is_shortest: true,
        });
        Phase::Decide(Box::new(Deciding { index: *index + 1, ..Deciding::default() }))
    }

    fn count_on(&mut self, mut counting: Box<Counting<Action>>, steps: u32) -> Phase {
        let Some(graph) = &self.graph else { return Phase::Done };
        if !counting.advance(&self.search, graph, steps) {
            return Phase::Count(counting);
        }
        // There is no end to them where runs go round for ever.
        let census = counting.finish();
        census.map_or(Phase::Done, |census| Phase::Ends(Box::new(census), 0, Vec::new()))
    }

    /// Puts those schedules together that leave the same behind.
    fn count_ends(
        &mut self,
        census: Box<Census>,
        from: usize,
        mut outcomes: Vec<Outcome>,
        steps: u32,
    ) -> Phase {
        let until = census.ends.len().min(from + 1 + steps as usize / STEPS_PER_END);
        for (state, schedules) in &census.ends[from..until] {
            let witness = self.search.trace(*state);
            let Some(world) = self.replay(&witness) else { continue };
            let end = self.end_of(&world);
            let count = self.scenario.properties.len();
            let truths = (0..count).map(|index| self.search.is_true(index, *state)).collect();
            match outcomes.iter_mut().find(|known| known.end == end && known.truths == truths) {
                Some(known) => known.schedules.add(schedules),
                None => {
                    let schedules = schedules.clone();
                    outcomes.push(Outcome { end, truths, schedules, witness });
                }
            }
        }
        if until < census.ends.len() {
            return Phase::Ends(census, until, outcomes);
        }
        outcomes.sort_by(|a, b| b.schedules.cmp(&a.schedules));
        let Census { schedules, classes, .. } = *census;
        self.count = Some(Count { schedules, classes, outcomes });
        Phase::Done
    }

    pub fn counts(&self) -> Counts {
        self.search.counts()
    }

    /// Which bound ended the search, if one did.
    pub fn bound(&self) -> Option<Bound> {
        match self.search.status() {
            Status::Bounded(bound) => Some(bound),
            _ => None,
        }
    }

    pub fn is_complete(&self) -> bool {
        self.search.status() == Status::Complete
    }

    /// Were reductions needed? Then there are more states than were counted.
    pub fn is_reduced(&self) -> bool {
        self.effort != Effort::Plain
    }

    /// A mistake in a property that showed while it was asked.
    pub fn mistake(&self) -> Option<&str> {
        self.search.parts().mistake()
    }

    /// What is known of property `index` by now.
    pub fn verdict(&mut self, index: usize) -> Verdict {
        if let Some(settled) = &self.settled[index] {
            return settled.clone();
        }
        let is_shortest = !self.search.options().partial_order;
        let nothing = Verdict { holds: None, trace: None, cycle: Vec::new(), is_shortest };
        let kind = self.scenario.properties[index].kind;
        let wanted = match kind {
            Kind::Always => false,
            Kind::Sometimes => true,
            Kind::Eventually => return self.eventually[index].clone().unwrap_or(nothing),
        };
        match self.search.first(index, wanted) {
            Some(state) => {
                let trace = Some(self.easiest_trace(index, wanted, state));
                Verdict { holds: Some(wanted), trace, ..nothing }
            }
            None => Verdict { holds: self.is_complete().then_some(!wanted), ..nothing },
        }
    }

    /// Whether the verdict stands, though the search may go on.
    pub fn is_decided(&self, index: usize) -> bool {
        if self.settled.get(index).is_some_and(Option::is_some) {
            return true;
        }
        match self.scenario.properties.get(index).map(|property| property.kind) {
            Some(Kind::Always) => self.is_complete() || self.search.first(index, false).is_some(),
            Some(Kind::Sometimes) => self.is_complete() || self.search.first(index, true).is_some(),
            Some(Kind::Eventually) => self.eventually[index].is_some(),
            None => false,
        }
    }

    /// Of the shortest traces the one with the fewest switches between clients, where the graph is
    /// at hand.
    fn easiest_trace(&mut self, index: usize, wanted: bool, state: StateId) -> Vec<Action> {
        if let Some(graph) = self.graph.take_if(|graph| graph.len() as u64 <= GRAPH_MAX) {
            let depth = self.search.depth(state);
            let count = self.search.counts().states as StateId;
            let at_depth: Vec<StateId> =
                (0..count).filter(|s| self.search.depth(*s) == depth).collect();
            let mut found = std::collections::HashSet::new();
            for state in at_depth {
                if self.search.is_true(index, state) == wanted {
                    found.insert(state);
                }
            }
            let trace = fewest_switches(&self.search, &graph, |state| found.contains(&state));
            self.graph = Some(graph);
            if let Some(trace) = trace {
                return trace;
            }
        }
        self.search.trace(state)
    }

    /// A shortest run to a state where nobody can go on and somebody is not at the end.
    pub fn deadlock(&mut self) -> Option<Vec<Action>> {
        if self.deadlock.is_some() {
            return self.deadlock.clone();
        }
        let state = self.search.first_deadlock()?;
        Some(self.search.trace(state))
    }

    /// The schedules counted. `None` where there is no end to them, or not all were searched.
    pub fn count(&self) -> Option<&Count> {
        self.count.as_ref()
    }

    fn replay(&self, trace: &[Action]) -> Option<World> {
        let mut world = match &self.start {
            Some(start) => start.clone(),
            None => World::start(&self.scenario).ok()?.0,
        };
        trace.iter().try_for_each(|action| world.apply_unseen(*action)).ok()?;
        Some(world)
    }

    fn end_of(&self, world: &World) -> End {
        let mut end = End::default();
        for (id, node) in world.setting().node_ids().zip(world.nodes()) {
            for entry in node.instance.entries(0, node.now_ms(world.now_ms())) {
                end.keys.push((id, Entry { expires_at: None, ..entry }));
            }
        }
        let facts = world.facts();
        for name in self.search.parts().globals() {
            for id in world.ids() {
                let value = facts.global(id, name);
                if value != Data::Nil {
                    end.globals.push((id, name.clone(), value));
                }
            }
        }
        end
    }

    /// For each state the fewest steps to one that breaks property `index` (or satisfies it, if
    /// that is what is wanted); to be asked about with [`Check::locate`].
    pub fn distances(&mut self, index: usize) -> Option<Vec<u32>> {
        let is_small = |graph: &&Graph| graph.len() as u64 <= GRAPH_MAX;
        let graph = self.graph.as_ref().filter(is_small)?;
        let wanted = self.scenario.properties[index].kind != Kind::Always;
        let count = self.search.counts().states as StateId;
        let found: Vec<StateId> =
            (0..count).filter(|state| self.search.is_true(index, *state) == wanted).collect();
        Some(graph.distances(found.into_iter()))
    }

    /// The state that `world` is in, if the search has met it.
    pub fn locate(&mut self, world: &World) -> Option<StateId> {
        let row = self.search.parts_mut().row_of(world);
        self.search.find(&row)
    }
}

fn has_eventually(scenario: &Scenario) -> bool {
    scenario.properties.iter().any(|property| property.kind == Kind::Eventually)
}

fn search(
    scenario: &Scenario,
    start: Option<&World>,
    limits: Limits,
    effort: Effort,
    settled: &[bool],
) -> Result<Search<WorldParts>, StartError> {
    let mut parts = match start {
        Some(world) => WorldParts::from_world(scenario, world)?,
        None => WorldParts::new(scenario)?,
    };
    if effort != Effort::Plain && limits.late_faults && scenario.faults.any() {
        parts = parts.with_late_faults(settled);
    }
    Ok(Search::new(parts, effort.options(scenario, limits)))
}
