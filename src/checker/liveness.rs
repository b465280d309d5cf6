//! Liveness: decides if a condition becomes true on every run. A counterexample is a run on which
//! it never does; such a run either ends or goes round forever.
//!
//! Runs are *weakly fair*: an actor that can always act does act in the end. So a round counts only
//! if each fair actor moves in it, or cannot move at some place of it. All rounds through a
//! strongly connected component together are the fairest there is: one component, one question
//! (Tarjan 1972; Lichtenstein and Pnueli 1985).

use super::components::Components;
use super::graph::{Edge, Graph, NOWHERE};
use super::search::{Search, StateId};
use ground::mutant::{Mutant, is_on};

/// A run on which the goal is never reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasso<A> {
    pub stem: Vec<A>,
    /// The moves that repeat forever after the stem; empty if the run ends.
    pub cycle: Vec<A>,
}

const NONE: u32 = u32::MAX;

/// Returns a run on which no state satisfies `goal`, if there is one. A run that ends is preferred;
/// its stem is a shortest one.
pub fn never<C: Components>(
    search: &mut Search<C>,
    graph: &Graph,
    goal: impl Fn(StateId) -> bool,
) -> Option<Lasso<C::Action>> {
    let mut never = Never::new(graph, &goal);
    while !never.advance(search, graph, &goal, u32::MAX) {}
    never.finish(search, graph)
}

/// [`never()`] as a computation in steps.
#[derive(Debug)]
pub struct Never {
    without: Without,
    /// The first state found in which a run ends without the goal.
    end: Option<StateId>,
    /// The fair actors: each of them must act eventually if it always can.
    fair: Vec<usize>,
    components: StrongComponents,
    /// The strongly connected component with a fair cycle that is entered first, and the place of
    /// its entry.
    best: Option<(u32, Vec<StateId>)>,
}

impl Never {
    pub fn new(graph: &Graph, goal: impl Fn(StateId) -> bool) -> Never {
        Never::among(Without::new(graph, goal))
    }

    /// The same for a search that does not go on from goal states, so every other state is reached
    /// without the goal. It needs only the graph of cycles ([`Graph::of_rounds`]).
    pub fn of_search(graph: &Graph, goal: impl Fn(StateId) -> bool) -> Never {
        Never::among(Without::of_search(graph, goal))
    }

    fn among(without: Without) -> Never {
        Never {
            without,
            end: None,
            fair: Vec::new(),
            components: StrongComponents::default(),
            best: None,
        }
    }

    /// Does this number of `steps`, each of which looks at a state or a move; true when the answer
    /// is known. The `goal` must be the same in each call.
    pub fn advance<C: Components>(
        &mut self,
        search: &Search<C>,
        graph: &Graph,
        goal: impl Fn(StateId) -> bool,
        mut steps: u32,
    ) -> bool {
        if !self.without.explore(graph, goal, &mut steps) {
            return false;
        }
        if self.fair.is_empty() && self.components.index.is_empty() {
            let is_fair = |actor: usize| search.model.is_fair(actor);
            let must_go_on =
                |state: StateId| graph.of(state).iter().any(|edge| is_fair(edge.actor.into()));
            let mut states = self.without.order.iter();
            self.end = states.find(|state| !must_go_on(**state)).copied();
            self.fair = (0..search.model.actors()).filter(|actor| is_fair(*actor)).collect();
            self.components = StrongComponents::new(graph);
        }
        if self.end.is_some() {
            return true;
        }
        loop {
            match self.components.next(graph, &self.without, &mut steps) {
                Found::Component(component) => self.judge(graph, component),
                Found::Nothing => return true,
                Found::Pause => return false,
            }
        }
    }

    fn judge(&mut self, graph: &Graph, component: Vec<StateId>) {
        let inside = |edge: &Edge| component.binary_search(&edge.to).is_ok();
        let is_round = component.len() > 1 || graph.of(component[0]).iter().any(inside);
        if !is_round
            || is_on(Mutant::RoundsNever)
            || !self.fair.iter().all(|actor| is_content(graph, &component, *actor))
        {
            return;
        }
        let nearest = component.iter().map(|state| self.without.place[*state as usize]).min();
        let nearest = nearest.unwrap_or(NONE);
        if self.best.as_ref().is_none_or(|(place, _)| nearest < *place) {
            self.best = Some((nearest, component));
        }
    }

    /// Returns the run, if there is one.
    pub fn finish<C: Components>(
        self,
        search: &mut Search<C>,
        graph: &Graph,
    ) -> Option<Lasso<C::Action>> {
        if let Some(end) = self.end {
            return Some(Lasso { stem: self.without.path(search, end), cycle: Vec::new() });
        }
        let (place, component) = self.best?;
        let entry = self.without.order[place as usize];
        let cycle = round(search, graph, &component, entry, &self.fair);
        Some(Lasso { stem: self.without.path(search, entry), cycle })
    }
}

/// The states that can be reached without ever meeting the goal.
#[derive(Debug)]
struct Without {
    /// The states, nearest first.
    order: Vec<StateId>,
    /// By state, its place in `order`, or [`NONE`].
    place: Vec<u32>,
    /// By place, the place of the predecessor and the move from there. Empty where the search keeps
    /// the parents itself.
    from: Vec<Option<(u32, Edge)>>,
    /// The place of the next state to look at.
    at: usize,
}

impl Without {
    fn new(graph: &Graph, goal: impl Fn(StateId) -> bool) -> Without {
        let place = vec![NONE; graph.len()];
        let mut found = Without { order: Vec::new(), place, from: Vec::new(), at: 0 };
        if !goal(0) {
            found.add(0, None);
        }
        found
    }

    fn of_search(graph: &Graph, goal: impl Fn(StateId) -> bool) -> Without {
        let order: Vec<StateId> = (0..graph.len() as StateId).filter(|at| !goal(*at)).collect();
        let mut place = vec![NONE; graph.len()];
        order.iter().enumerate().for_each(|(at, state)| place[*state as usize] = at as u32);
        let at = order.len();
        Without { order, place, from: Vec::new(), at }
    }

    /// Looks for further states; true when all are found.
    fn explore(&mut self, graph: &Graph, goal: impl Fn(StateId) -> bool, steps: &mut u32) -> bool {
        while self.at < self.order.len() && *steps > 0 {
            for edge in graph.of(self.order[self.at]) {
                if edge.to != NOWHERE && !self.has(edge.to) && !goal(edge.to) {
                    self.add(edge.to, Some((self.at as u32, *edge)));
                }
            }
            self.at += 1;
            *steps -= 1;
        }
        self.at == self.order.len()
    }

    fn add(&mut self, state: StateId, from: Option<(u32, Edge)>) {
        self.place[state as usize] = self.order.len() as u32;
        self.order.push(state);
        self.from.push(from);
    }

    fn has(&self, state: StateId) -> bool {
        self.place[state as usize] != NONE
    }

    /// Returns the actions from the start to `state`.
    fn path<C: Components>(&self, search: &mut Search<C>, state: StateId) -> Vec<C::Action> {
        if self.from.is_empty() {
            return search.trace(state);
        }
        let mut path = Vec::new();
        let mut place = self.place[state as usize];
        while let Some((from, edge)) = &self.from[place as usize] {
            path.push(search.action(edge));
            place = *from;
        }
        path.reverse();
        path
    }
}

/// The strongly connected components without the goal, each sorted (Tarjan's algorithm, with its
/// stack in the open: a path can be as long as there are states).
#[derive(Debug, Default)]
struct StrongComponents {
    index: Vec<u32>,
    low: Vec<u32>,
    is_open: Vec<bool>,
    open: Vec<StateId>,
    path: Vec<(StateId, usize)>,
    count: u32,
    /// The place of the next state to begin at.
    root: usize,
}

enum Found {
    Component(Vec<StateId>),
    /// All components were returned.
    Nothing,
    /// The steps ran out.
    Pause,
}

impl StrongComponents {
    fn new(graph: &Graph) -> StrongComponents {
        StrongComponents {
            index: vec![NONE; graph.len()],
            low: vec![NONE; graph.len()],
            is_open: vec![false; graph.len()],
            ..StrongComponents::default()
        }
    }

    fn enter(&mut self, state: StateId) {
        let at = state as usize;
        (self.index[at], self.low[at], self.is_open[at]) = (self.count, self.count, true);
        self.count += 1;
        self.open.push(state);
        self.path.push((state, 0));
    }

    /// Returns the next component.
    fn next(&mut self, graph: &Graph, without: &Without, steps: &mut u32) -> Found {
        while *steps > 0 {
            *steps -= 1;
            let Some((state, next)) = self.path.last_mut() else {
                let Some(root) = without.order.get(self.root) else { return Found::Nothing };
                self.root += 1;
                if self.index[*root as usize] == NONE {
                    self.enter(*root);
                }
                continue;
            };
            let (state, at) = (*state, *state as usize);
            if let Some(edge) = graph.of(state).get(*next) {
                *next += 1;
                let to = edge.to as usize;
                if edge.to == NOWHERE {
                    continue;
                }
                if without.has(edge.to) && self.index[to] == NONE {
                    self.enter(edge.to);
                } else if self.is_open[to] {
                    self.low[at] = self.low[at].min(self.index[to]);
                }
                continue;
            }
            self.path.pop();
            if let Some((parent, _)) = self.path.last() {
                let parent = *parent as usize;
                self.low[parent] = self.low[parent].min(self.low[at]);
            }
            if self.low[at] == self.index[at] {
                let start = self.open.iter().rposition(|s| *s == state).unwrap_or(0);
                let mut component = self.open.split_off(start);
                component.iter().for_each(|s| self.is_open[*s as usize] = false);
                component.sort_unstable();
                return Found::Component(component);
            }
        }
        Found::Pause
    }
}

/// Returns true if a cycle through the whole component is fair to `actor`: it moves within the
/// component, or cannot move in some state of it.
fn is_content(graph: &Graph, component: &[StateId], actor: usize) -> bool {
    let satisfied = |state: &StateId| satisfies(graph, component, *state, actor).is_some();
    is_on(Mutant::RoundsUnfair) || component.iter().any(satisfied)
}

/// Returns how `state` satisfies fairness for an actor: `Some(edge)` if the actor moves within the
/// component, `Some(None)` if it cannot move, `None` if neither.
fn satisfies(
    graph: &Graph,
    component: &[StateId],
    state: StateId,
    actor: usize,
) -> Option<Option<Edge>> {
    let mut own = graph.of(state).iter().filter(|edge| usize::from(edge.actor) == actor);
    let within = own.clone().find(|edge| component.binary_search(&edge.to).is_ok());
    match within {
        Some(edge) => Some(Some(*edge)),
        None => own.next().is_none().then_some(None),
    }
}

/// Returns a cycle from `entry` through the component that is fair to every actor in `fair`.
fn round<C: Components>(
    search: &Search<C>,
    graph: &Graph,
    component: &[StateId],
    entry: StateId,
    fair: &[usize],
) -> Vec<C::Action> {
    let mut cycle: Vec<Edge> = Vec::new();
    let mut at = entry;
    for &actor in fair {
        // Satisfied on the way already?
        let mut on_the_way = std::iter::once(entry).chain(cycle.iter().map(|edge| edge.to));
        if cycle.iter().any(|edge| usize::from(edge.actor) == actor)
            || on_the_way.any(|s| satisfies(graph, component, s, actor) == Some(None))
        {
            continue;
        }
        let target = |state: StateId| satisfies(graph, component, state, actor).is_some();
        let way = way(graph, component, at, target);
        at = way.last().map_or(at, |edge| edge.to);
        cycle.extend(way);
        if let Some(Some(edge)) = satisfies(graph, component, at, actor) {
            cycle.push(edge);
            at = edge.to;
        }
    }
    if cycle.is_empty() {
        let inside = |edge: &&Edge| component.binary_search(&edge.to).is_ok();
        if let Some(edge) = graph.of(at).iter().find(inside) {
            cycle.push(*edge);
            at = edge.to;
        }
    }
    cycle.extend(way(graph, component, at, |state| state == entry));
    cycle.iter().map(|edge| search.action(edge)).collect()
}

/// Returns a shortest path within the component to a wanted state.
fn way(
    graph: &Graph,
    component: &[StateId],
    start: StateId,
    is_wanted: impl Fn(StateId) -> bool,
) -> Vec<Edge> {
    let place = |state: StateId| component.binary_search(&state).ok();
    let mut from: Vec<Option<(StateId, Edge)>> = vec![None; component.len()];
    let mut queue = vec![start];
    let mut next = 0;
    while let Some(&state) = queue.get(next) {
        next += 1;
        if is_wanted(state) {
            let mut way = Vec::new();
            let mut at = state;
            while at != start {
                let Some((before, edge)) = place(at).and_then(|p| from[p]) else { break };
                way.push(edge);
                at = before;
            }
            way.reverse();
            return way;
        }
        for edge in graph.of(state) {
            if edge.to != start
                && let Some(place) = place(edge.to)
                && from[place].is_none()
            {
                from[place] = Some((state, *edge));
                queue.push(edge.to);
            }
        }
    }
    Vec::new()
}
