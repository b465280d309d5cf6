//! Checks a scenario: searches every schedule and decides each property, with a run that shows it.
//!
//! [`Check::advance`] works on a given number of states and returns, so that a page stays
//! responsive and a tool can show progress. It has phases. First it searches the whole space. If
//! that is too large, it searches again with the reductions of [`Limits`]; with faults, the first
//! such search is short, to learn what need not be searched any more. Then it builds the graph,
//! decides every `eventually`, makes the runs easy to follow, and counts the schedules. At last it
//! searches other orders of unique ids, and with smaller ticks.

mod finer;
mod graph;
mod limits;
mod map;
mod orders;
mod slower;
mod unless;
mod vacuous;
mod worlds;

use crate::checker::{
    Bound, Census, Components, Counting, Counts, Graph, Options, Search, StateId, Status,
};

pub use graph::{Count, End, Outcome};
pub use limits::Limits;
pub use map::{AskMap, Lattice, Mapped, Site};
pub use orders::Ids;
pub use slower::{AskSlower, Late, Slower, as_prompt};
pub use vacuous::{AskVacuous, Never};

pub use super::components::{Assumed, Assumption, Unfollowed};

use self::finer::{Finer, Finest};
use self::graph::{Deciding, Measured, Polishing};
use self::limits::Effort;
use self::orders::Orders;
use self::unless::Unless;
use super::Action;
use super::components::{Observed, QuestionKind, WorldComponents};
use super::ids::{CLIENTS_WITH_TEXT, IdOrder};
use super::property::{Kind, Property, Unset};
use super::scenario::{Scenario, StartError};
use super::world::World;
use crate::mutant::{Mutant, is_on};

/// The most states of which the graph is kept if no property needs it.
const GRAPH_MAX: u64 = 200_000;

/// The verdict on one property, with the run that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// `None` if a bound ended the search before the property was decided.
    pub holds: Option<bool>,
    /// A shortest run to the violation (`always`), or to the example (`sometimes`); for
    /// `eventually` a run on which the condition never becomes true.
    pub trace: Option<Vec<Action>>,
    /// The actions that repeat forever after the trace.
    pub cycle: Vec<Action>,
    /// False if partial order may have hidden a shorter run.
    pub is_shortest: bool,
}

#[derive(Debug)]
enum Phase {
    Search,
    /// Builds the graph, for the questions that need all of it.
    Graph(Graph),
    Decide(Box<Deciding>),
    /// Decides an `eventually` without a graph of all states.
    Unless(Box<Unless>),
    Polish(Box<Polishing>),
    Count(Box<Counting<Action>>),
    /// Groups the schedules by their ends, from this end on, with the outcomes found so far.
    Ends(Box<Census>, usize, Vec<Outcome>),
    /// Searches other orders of unique ids.
    Ids(Box<Orders>),
    /// Searches with smaller ticks.
    Finer(Box<Finer>),
    Done,
}

/// A check under way.
#[derive(Debug)]
pub struct Check {
    scenario: Scenario,
    /// The world where the search starts; `None` for the scenario's beginning.
    start: Option<World>,
    limits: Limits,
    search: Search<WorldComponents>,
    effort: Effort,
    /// For each property, the verdict that an earlier search with less effort found.
    settled: Vec<Option<Verdict>>,
    deadlock: Option<Vec<Action>>,
    phase: Phase,
    /// For each `eventually`, its verdict once decided.
    eventually: Vec<Option<Verdict>>,
    graph: Option<Graph>,
    /// For each property, the easiest of the shortest runs that show its verdict, once chosen.
    easiest: Vec<Option<Vec<Action>>>,
    measured: Vec<Measured>,
    count: Option<Count>,
    is_endless: bool,
    /// What other orders of unique ids have shown; `None` before that is known.
    ids: Option<Ids>,
    /// What smaller ticks have shown; `None` before that is known.
    finest: Option<Finest>,
    /// The bound that ended a phase after the search of all states.
    cut_short: Option<Bound>,
}

impl Check {
    /// Starts a check; the error is a mistake of the scenario's author.
    pub fn new(scenario: &Scenario, limits: Limits) -> Result<Check, StartError> {
        Check::begin(scenario, None, limits, None)
    }

    /// Starts a check of all continuations of `world`, which a run of the scenario has led to;
    /// traces begin there.
    pub fn starting_at(
        scenario: &Scenario,
        world: &World,
        limits: Limits,
    ) -> Result<Check, StartError> {
        Check::begin(scenario, Some(world.clone()), limits, None)
    }

    /// The same from a given world, with the components that another search has `observed`.
    fn begin(
        scenario: &Scenario,
        start: Option<World>,
        limits: Limits,
        observed: Option<&Observed>,
    ) -> Result<Check, StartError> {
        let properties = scenario.properties.len();
        let known = observed.map(|observed| (observed, Assumed::default()));
        Ok(Check {
            search: search(scenario, start.as_ref(), limits, Effort::Plain, &[], known)?,
            effort: Effort::Plain,
            settled: vec![None; properties],
            deadlock: None,
            scenario: scenario.clone(),
            start,
            limits,
            phase: Phase::Search,
            eventually: vec![None; properties],
            graph: None,
            easiest: vec![None; properties],
            measured: (0..properties).map(|_| Measured::Unasked).collect(),
            count: None,
            is_endless: false,
            ids: None,
            finest: None,
            cut_short: None,
        })
    }

    /// Works on this number of further `states`, or on work of the same cost; true when the check
    /// is complete.
    pub fn advance(&mut self, states: u32) -> bool {
        // Then there are no answers; a later search would not meet it where it is settled.
        if self.mistake().is_some() {
            self.phase = Phase::Done;
            return true;
        }
        if self.search.is_outdated() {
            self.begin_anew();
        }
        self.phase = match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Search => match self.search.advance(states) {
                Status::Running => Phase::Search,
                Status::Complete if self.wants_graph() => Phase::Graph(Graph::new()),
                Status::Complete => self.unless(),
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
            Phase::Unless(mut asked) => match asked.advance(states) {
                false => Phase::Unless(asked),
                true if asked.is_mistaken() => {
                    self.search = asked.into_search();
                    Phase::Done
                }
                true => {
                    let index = asked.index;
                    self.cut_short = self.cut_short.or(asked.bound());
                    self.eventually[index] = Some(asked.verdict().unwrap_or(UNDECIDED));
                    self.unless()
                }
            },
            Phase::Polish(polishing) => self.polish(polishing, states),
            Phase::Count(counting) => self.count_on(counting, states),
            Phase::Ends(census, from, outcomes) => self.count_ends(census, from, outcomes, states),
            Phase::Ids(mut orders) => match orders.advance(states) {
                false => Phase::Ids(orders),
                true => {
                    self.ids = Some(orders.answer);
                    Phase::Done
                }
            },
            Phase::Finer(mut finer) => match finer.advance(states) {
                false => Phase::Finer(finer),
                true => {
                    self.settle(finer.answer);
                    Phase::Done
                }
            },
            Phase::Done => Phase::Done,
        };
        if matches!(self.phase, Phase::Done) {
            self.phase = self.ask_ids();
        }
        if matches!(self.phase, Phase::Done) {
            self.phase = self.ask_finer();
        }
        matches!(self.phase, Phase::Done)
    }

    /// Ends a check that takes too long: undecided properties stay undecided.
    pub fn give_up(&mut self) {
        self.search.give_up();
        match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Done => {}
            // What holds with the tick of the search stands, and names it.
            Phase::Finer(finer) => self.settle(finer.answer),
            _ => _ = self.cut_short.get_or_insert(Bound::Time),
        }
    }

    /// Runs to the end, or to a bound.
    pub fn run(&mut self) {
        while !self.advance(1 << 14) {}
    }

    /// Returns true if the graph is needed: for `eventually`, for counting and for easy traces. It
    /// takes more memory than the states do.
    fn wants_graph(&self) -> bool {
        let is_small = self.search.counts().states <= GRAPH_MAX;
        !self.is_reduced() && (is_small || has_eventually(&self.scenario))
    }

    /// Begins again, because a condition that was evaluated after the search has read a component
    /// that was no part of the states.
    fn begin_anew(&mut self) {
        let properties = self.scenario.properties.len();
        self.eventually = vec![None; properties];
        self.easiest = vec![None; properties];
        self.measured = (0..properties).map(|_| Measured::Unasked).collect();
        (self.graph, self.count, self.ids, self.finest) = (None, None, None, None);
        self.search.begin_anew();
        self.phase = Phase::Search;
    }

    /// Searches again with more reductions, if there are any that may help. Verdicts found so far
    /// stand.
    fn bounded(&mut self) -> Phase {
        // It may have shown in the last states before the bound.
        if self.mistake().is_some() {
            return Phase::Done;
        }
        let Some(effort) = self.effort.next(&self.scenario, self.limits) else {
            return self.unless();
        };
        if self.search.status() == Status::Bounded(Bound::Moves) {
            return Phase::Done;
        }
        for index in 0..self.settled.len() {
            if self.is_decided(index) {
                self.settled[index] = Some(self.verdict(index));
            }
        }
        self.deadlock = self.deadlock();
        // Whether something happens in the end is asked afterwards.
        let is_later = |at: usize| self.scenario.properties[at].kind == Kind::Eventually;
        let settled = self.settled.iter().enumerate();
        let settled: Vec<bool> =
            settled.map(|(at, verdict)| verdict.is_some() || is_later(at)).collect();
        let (start, limits) = (self.start.as_ref(), self.limits);
        let known = Some(self.search.model().known());
        match search(&self.scenario, start, limits, effort, &settled, known) {
            Ok(search) => {
                (self.effort, self.search) = (effort, search);
                Phase::Search
            }
            Err(_) => Phase::Done,
        }
    }

    /// Works on the next `eventually` that is not decided, if there were too many states for a
    /// graph.
    fn unless(&mut self) -> Phase {
        let properties = self.scenario.properties.iter().zip(&self.eventually);
        let is_open = |(property, verdict): (&Property, &Option<Verdict>)| {
            property.kind == Kind::Eventually && verdict.is_none()
        };
        let Some(index) = properties.into_iter().position(is_open) else { return Phase::Done };
        if self.effort == Effort::Plain {
            return Phase::Done;
        }
        let settled: Vec<bool> = (0..self.eventually.len()).map(|other| other != index).collect();
        let (start, limits) = (self.start.as_ref(), self.limits);
        let reduced = reduced(&self.scenario, start, limits, QuestionKind::Rounds, &settled);
        let Ok(model) = reduced else { return Phase::Done };
        let model = model.knowing(self.search.model().known());
        let options = Options {
            states_max: self.limits.states_max,
            depth_max: self.limits.depth_max,
            bytes_max: self.limits.bytes_max,
            budgets: self.limits.budgets,
            ..Options::default()
        };
        Phase::Unless(Box::new(Unless::new(index, model, options)))
    }

    pub fn counts(&self) -> Counts {
        self.search.counts()
    }

    /// Returns the bound that ended the search, if one did.
    pub fn bound(&self) -> Option<Bound> {
        match self.search.status() {
            Status::Bounded(bound) => Some(bound),
            _ => self.cut_short,
        }
    }

    /// Returns the tick in ms, the unit of delays where clients may be held up; 0 if time moves
    /// from deadline to deadline.
    pub fn tick_ms(&self) -> u32 {
        let searched_ms = self.search.model().ticks().unit_ms;
        self.finest.as_ref().map_or(searched_ms, |finest| finest.tick_ms)
    }

    /// Returns true if a command drew at random, and each outcome was followed.
    pub fn has_chance(&self) -> bool {
        self.search.model().has_chance()
    }

    /// Returns what the search takes for granted about the steps and conditions that it met.
    pub fn assumed(&self) -> Assumed {
        self.search.model().assumed()
    }

    /// Returns something that the search did not follow; then most is not decided.
    pub fn unfollowed(&self) -> Option<&Unfollowed> {
        self.search.model().unfollowed()
    }

    /// Returns what other orders of unique ids have shown, if they were searched.
    pub fn ids(&self) -> Option<&Ids> {
        self.ids.as_ref()
    }

    /// Returns true if a client was seen to take a unique id.
    pub fn has_ids(&self) -> bool {
        self.search.model().ids().iter().any(|taken| *taken > 0)
    }

    /// Returns true if some runs go round forever, so that the number of schedules is infinite.
    /// Known only if counting was tried.
    pub fn is_endless(&self) -> bool {
        self.is_endless
    }

    /// Returns true if every reachable state was searched.
    pub fn is_complete(&self) -> bool {
        self.search.status() == Status::Complete
    }

    /// Returns true if it is known whether a client can get stuck: found ([`Check::deadlock`]), or
    /// ruled out.
    pub fn is_deadlock_decided(&self) -> bool {
        self.deadlock.is_some() || self.is_complete() && !self.is_open(self.settled.len())
    }

    /// Returns true if reductions were used. Then there are more states than were counted.
    pub fn is_reduced(&self) -> bool {
        self.effort != Effort::Plain
    }

    /// Returns a mistake in a property that showed when it was evaluated.
    pub fn mistake(&self) -> Option<&str> {
        self.search.model().mistake()
    }

    /// Returns the property that the mistake is in, if it is in one, and a run to a state in which
    /// the property cannot be evaluated, if one is known.
    pub fn mistaken(&mut self) -> Option<(usize, Option<Vec<Action>>)> {
        let index = self.search.model().mistaken()?;
        let wanted = self.scenario.properties[index].kind == Kind::Sometimes;
        let run = self.search.first(index, wanted).map(|state| self.search.trace(state));
        let fails =
            |world: World| self.scenario.properties[index].holds(&mut world.facts()).is_err();
        Some((index, run.filter(|run| self.world_after(run).is_some_and(fails))))
    }

    /// Returns the verdict on property `index` as far as it is known.
    pub fn verdict(&mut self, index: usize) -> Verdict {
        // The search keeps a run to a state in which it cannot be evaluated: that is no answer.
        if self.search.model().mistaken() == Some(index) {
            return UNDECIDED;
        }
        let found = self.verdict_in_letters(index);
        match self.is_of_every_order(index, &found) && self.is_open(index) {
            // Some order is the true one, and each may be: what one denies does not hold.
            true => {
                let holds = self.is_denied(index).then(|| found.holds != Some(true));
                Verdict { holds, trace: None, cycle: Vec::new(), ..found }
            }
            false => found,
        }
    }

    /// Returns true if the answer is the opposite one for unique ids in another order or of another
    /// text.
    fn is_denied(&self, index: usize) -> bool {
        self.ids.as_ref().is_some_and(|ids| {
            ids.by_property.get(index).is_some_and(Option::is_some)
                || ids.by_text.get(index) == Some(&true)
        })
    }

    /// Returns true if other orders of unique ids could deny the verdict.
    fn is_of_every_order(&self, index: usize, verdict: &Verdict) -> bool {
        let is_sometimes = self.scenario.properties[index].kind == Kind::Sometimes;
        verdict.holds == Some(!is_sometimes)
    }

    /// Returns true if other orders of unique ids, or smaller ticks, are still to be searched, or
    /// left a property open (after the last one: that no client gets stuck).
    fn is_open(&self, index: usize) -> bool {
        self.finest.is_none() && self.may_be_finer()
            || match &self.ids {
                Some(ids) => ids.open.get(index) == Some(&true),
                None => !self.other_orders().is_empty() || self.asks_texts(),
            }
    }

    fn may_be_finer(&self) -> bool {
        self.limits.finer && self.search.model().ticks().unit_ms > 1
    }

    fn other_orders(&self) -> Vec<IdOrder> {
        if !self.limits.id_orders || self.start.is_some() {
            return Vec::new();
        }
        let model = self.search.model();
        orders::others(&model.ids(), &model.alike(&self.scenario), self.counts().states)
    }

    /// Returns true if it can be asked whether a step reads the text of an id.
    fn asks_texts(&self) -> bool {
        self.limits.id_orders
            && self.start.is_none()
            && self.has_ids()
            && self.scenario.clients.len() <= CLIENTS_WITH_TEXT
            && self.is_complete()
            && !self.is_reduced()
            && self.counts().states <= orders::TEXT_STATES_MAX.into()
    }

    /// Begins to search other orders of unique ids, if that could deny a verdict.
    fn ask_ids(&mut self) -> Phase {
        if self.ids.is_some() || self.cut_short == Some(Bound::Time) || self.mistake().is_some() {
            return Phase::Done;
        }
        let orders = self.other_orders();
        let texts = self.asks_texts();
        let (claims, asks_deadlock) = self.claims();
        if orders.is_empty() && !texts || claims.is_empty() && !asks_deadlock {
            self.ids = Some(Ids::default());
            return Phase::Done;
        }
        Phase::Ids(Box::new(Orders::new(self, orders, texts, claims, asks_deadlock)))
    }

    /// Begins to search with smaller ticks, if that could deny a verdict.
    fn ask_finer(&mut self) -> Phase {
        if self.finest.is_some() || self.mistake().is_some() || !self.may_be_finer() {
            return Phase::Done;
        }
        let (claims, asks_deadlock) = self.claims();
        let finer = Finer::new(self, claims, asks_deadlock);
        if self.is_complete() && self.cut_short.is_none() && finer.asks() {
            return Phase::Finer(Box::new(finer));
        }
        self.settle(finer.answer);
        Phase::Done
    }

    /// Takes over what smaller ticks have shown.
    fn settle(&mut self, finest: Finest) {
        for (index, verdict) in &finest.others {
            self.settled[*index] = Some(verdict.clone());
        }
        self.deadlock = self.deadlock.take().or_else(|| finest.deadlock.clone());
        self.finest = Some(finest);
    }

    /// Returns the verdicts that another run could deny: the properties, each with its answer, and
    /// whether no client gets stuck.
    fn claims(&mut self) -> (Vec<(usize, bool)>, bool) {
        let mut claims = Vec::new();
        for index in 0..self.settled.len() {
            let verdict = self.verdict_in_letters(index);
            let holds = verdict.holds.filter(|_| self.is_of_every_order(index, &verdict));
            claims.extend(holds.map(|holds| (index, holds)));
        }
        (claims, self.deadlock().is_none() && self.is_complete())
    }

    /// Returns the verdict for unique ids in the order of the clients' letters.
    fn verdict_in_letters(&mut self, index: usize) -> Verdict {
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
                let easiest = self.easiest[index].clone();
                let trace = easiest.unwrap_or_else(|| self.search.trace(state));
                let is_partial = Components::is_partial(self.search.model());
                if is_partial && !self.is_shown(index, wanted, &trace) {
                    return nothing;
                }
                let is_shortest = is_shortest && !is_partial;
                Verdict { holds: Some(wanted), trace: Some(trace), is_shortest, ..nothing }
            }
            None => Verdict { holds: self.is_complete().then_some(!wanted), ..nothing },
        }
    }

    /// Returns true if the property is `wanted` in the world to which the run leads. Where a step
    /// read what is part of no state (counters), the run may show something else.
    fn is_shown(&self, index: usize, wanted: bool, run: &[Action]) -> bool {
        let property = &self.scenario.properties[index];
        let world = self.world_after(run);
        world.is_some_and(|world| property.holds(&mut world.facts()) == Ok(wanted))
            || is_on(Mutant::CountersBelieved)
    }

    /// Returns the world to which a run from the start of the search leads, if it is possible.
    fn world_after(&self, run: &[Action]) -> Option<World> {
        let start = || World::start(&self.scenario).ok().map(|(world, _)| world);
        let mut world = self.start.clone().or_else(start)?;
        run.iter().try_for_each(|action| world.apply_unseen(*action)).ok()?;
        Some(world)
    }

    /// Returns the globals that property `index` reads and that no program gives a value, in no
    /// order; empty if not every state was met.
    pub fn unset(&self, index: usize) -> Vec<Unset> {
        // In another order of unique ids there may be one.
        let is_open = self.ids.as_ref().is_some_and(Ids::is_open);
        match self.is_complete() && !is_open {
            true => self.search.model().unset(index),
            false => Vec::new(),
        }
    }

    /// Returns true if property `index` holds only because the globals it reads have no value, and
    /// no program assigns to them. That a line which assigns to one never runs is a verdict.
    pub fn says_nothing(&mut self, index: usize) -> bool {
        let holds = self.verdict(index).holds == Some(true);
        let mut unset = self.unset(index);
        unset.retain(|one| !self.is_assigned(one));
        holds && self.scenario.properties[index].says_nothing(&unset)
    }

    /// Returns true if a program may give the global a value: on a line that may never run.
    fn is_assigned(&self, unset: &Unset) -> bool {
        let clients = self.scenario.clients.iter().enumerate();
        let asked = clients.filter(|(at, _)| unset.client.is_none_or(|only| only.index() == *at));
        asked.map(|(_, client)| client).any(|client| client.program.may_set_global(&unset.name))
    }

    /// Returns true if the verdict is final, even if the search goes on.
    pub fn is_decided(&mut self, index: usize) -> bool {
        if self.settled.get(index).is_some_and(Option::is_some) {
            return true;
        }
        let is_complete = self.is_complete() && !self.is_open(index);
        match self.scenario.properties.get(index).map(|property| property.kind) {
            Some(Kind::Always) => is_complete || self.is_found(index, false),
            Some(Kind::Sometimes) => is_complete || self.is_found(index, true),
            Some(Kind::Eventually) => {
                let verdict = self.eventually[index].as_ref();
                let holds = verdict.and_then(|verdict| verdict.holds);
                holds == Some(false) || holds == Some(true) && !self.is_open(index)
            }
            None => false,
        }
    }

    /// Returns true if a state was found in which the property is `wanted`, and its run shows it.
    fn is_found(&mut self, index: usize, wanted: bool) -> bool {
        let is_found = self.search.first(index, wanted).is_some();
        let is_partial = Components::is_partial(self.search.model());
        is_found && (!is_partial || self.verdict_in_letters(index).holds == Some(wanted))
    }

    /// Returns a shortest run to a state where no client can go on and one is not at its end.
    pub fn deadlock(&mut self) -> Option<Vec<Action>> {
        if self.deadlock.is_some() {
            return self.deadlock.clone();
        }
        let state = self.search.first_deadlock()?;
        let run = self.search.trace(state);
        let is_stuck = |world: World| {
            let may_stop = |action: &Action| action.is_fault() || matches!(action, Action::Up(_));
            world.choices().iter().all(may_stop) && !world.all_over()
        };
        let is_partial = Components::is_partial(self.search.model());
        let is_shown = !is_partial || self.world_after(&run).is_some_and(is_stuck);
        is_shown.then_some(run)
    }

    /// Returns the number of `world`'s state, if the search has met it.
    pub fn locate(&mut self, world: &World) -> Option<StateId> {
        let row = self.search.model_mut().row_of(world);
        self.search.find(&row)
    }
}

fn has_eventually(scenario: &Scenario) -> bool {
    scenario.properties.iter().any(|property| property.kind == Kind::Eventually)
}

/// The verdict on an `eventually` whose search met a bound.
const UNDECIDED: Verdict =
    Verdict { holds: None, trace: None, cycle: Vec::new(), is_shortest: true };

fn model(
    scenario: &Scenario,
    start: Option<&World>,
    limits: Limits,
) -> Result<WorldComponents, StartError> {
    let model = match start {
        Some(world) => WorldComponents::from_world(scenario, world)?,
        None => WorldComponents::new(scenario)?,
    };
    let model = if limits.named_ticks { model.with_named_ticks() } else { model };
    Ok(if limits.single_ticks { model.with_single_ticks() } else { model })
}

/// Returns the model with the reductions that the limits allow, and without the properties that are
/// `settled`.
fn reduced(
    scenario: &Scenario,
    start: Option<&World>,
    limits: Limits,
    asked: QuestionKind,
    settled: &[bool],
) -> Result<WorldComponents, StartError> {
    let mut model = model(scenario, start, limits)?.with_settled(settled);
    if limits.late_faults && scenario.faults.any() {
        model = model.with_late_faults(asked);
    }
    if limits.unseen {
        model = model.without_unseen(scenario);
    }
    Ok(model)
}

fn search(
    scenario: &Scenario,
    start: Option<&World>,
    limits: Limits,
    effort: Effort,
    settled: &[bool],
    known: Option<(&Observed, Assumed)>,
) -> Result<Search<WorldComponents>, StartError> {
    let options = effort.options(scenario, limits);
    let model = match effort {
        Effort::Plain => model(scenario, start, limits)?,
        _ => reduced(scenario, start, limits, QuestionKind::States, settled)?,
    };
    let model = match known {
        Some(known) => model.knowing(known),
        None => model,
    };
    Ok(Search::new(model, options))
}
