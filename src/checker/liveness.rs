//! Does it happen on every run? A run on which it never does either ends, or goes round for ever.
//!
//! Runs are *weakly fair*: an actor that can always act does act in the end. So a round counts only
//! if each fair actor moves in it, or cannot move at some place of it. All rounds through a
//! strongly connected component together are the fairest there is: one component, one question
//! (Tarjan 1972; Lichtenstein and Pnueli 1985).

use super::graph::{Edge, Graph};
use super::parts::Parts;
use super::search::{Search, StateId};

/// A run on which it never happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lasso<A> {
    pub stem: Vec<A>,
    /// What repeats for ever after the stem; empty where the run ends.
    pub cycle: Vec<A>,
}

const NONE: u32 = u32::MAX;

/// A run on which no state satisfies `goal`, if there is one: one that ends if there is such, with
/// a shortest stem.
pub fn never<P: Parts>(
    search: &Search<P>,
    graph: &Graph,
    goal: impl FnMut(StateId) -> bool,
) -> Option<Lasso<P::Action>> {
    let without = Without::explore(graph, goal);
    if let Some(&end) = without.order.iter().find(|state| graph.of(**state).is_empty()) {
        return Some(Lasso { stem: without.path(search, end), cycle: Vec::new() });
    }
    let fair = |actor: usize| search.parts.is_fair(actor);
    let fair: Vec<usize> = (0..search.parts.actors()).filter(|actor| fair(*actor)).collect();
    let mut best: Option<(u32, Vec<StateId>)> = None;
    for component in components(graph, &without) {
        let inside = |edge: &Edge| component.binary_search(&edge.to).is_ok();
        let is_round = component.len() > 1 || graph.of(component[0]).iter().any(inside);
        if !is_round || !fair.iter().all(|actor| is_content(graph, &component, *actor)) {
            continue;
        }
        let nearest = component.iter().map(|state| without.place[*state as usize]).min();
        let nearest = nearest.unwrap_or(NONE);
        if best.as_ref().is_none_or(|(place, _)| nearest < *place) {
            best = Some((nearest, component));
        }
    }
    let (place, component) = best?;
    let entry = without.order[place as usize];
    let cycle = round(search, graph, &component, entry, &fair);
    Some(Lasso { stem: without.path(search, entry), cycle })
}

/// The states that can be reached without ever meeting the goal.
struct Without {
    /// Nearest first.
    order: Vec<StateId>,
    /// For each state its place in `order`, or [`NONE`].
    place: Vec<u32>,
    /// By place: where it was reached from (as a place), and by which move.
    from: Vec<Option<(u32, Edge)>>,
}

impl Without {
    fn explore(graph: &Graph, mut goal: impl FnMut(StateId) -> bool) -> Without {
        let mut found =
            Without { order: Vec::new(), place: vec![NONE; graph.len()], from: Vec::new() };
        if !goal(0) {
            found.add(0, None);
        }
        let mut at = 0;
        while at < found.order.len() {
            for edge in graph.of(found.order[at]) {
                if !found.has(edge.to) && !goal(edge.to) {
                    found.add(edge.to, Some((at as u32, *edge)));
                }
            }
            at += 1;
        }
        found
    }

    fn add(&mut self, state: StateId, from: Option<(u32, Edge)>) {
        self.place[state as usize] = self.order.len() as u32;
        self.order.push(state);
        self.from.push(from);
    }

    fn has(&self, state: StateId) -> bool {
        self.place[state as usize] != NONE
    }

    /// The actions to `state`.
    fn path<P: Parts>(&self, search: &Search<P>, state: StateId) -> Vec<P::Action> {
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
fn components(graph: &Graph, without: &Without) -> Vec<Vec<StateId>> {
    let mut index = vec![NONE; graph.len()];
    let mut low = vec![NONE; graph.len()];
    let mut is_open = vec![false; graph.len()];
    let mut open: Vec<StateId> = Vec::new();
    let mut path: Vec<(StateId, usize)> = Vec::new();
    let mut found = Vec::new();
    let mut count = 0;
    let mut enter = |state: StateId, path: &mut Vec<_>, open: &mut Vec<_>, low: &mut Vec<u32>| {
        low[state as usize] = count;
        count += 1;
        open.push(state);
        path.push((state, 0));
        count - 1
    };
    for &root in &without.order {
        if index[root as usize] != NONE {
            continue;
        }
        index[root as usize] = enter(root, &mut path, &mut open, &mut low);
        is_open[root as usize] = true;
        while let Some((state, next)) = path.last_mut() {
            let at = *state as usize;
            if let Some(Edge { to, .. }) = graph.of(*state).get(*next) {
                *next += 1;
                let to = *to;
                if !without.has(to) {
                    continue;
                }
                if index[to as usize] == NONE {
                    index[to as usize] = enter(to, &mut path, &mut open, &mut low);
                    is_open[to as usize] = true;
                } else if is_open[to as usize] {
                    low[at] = low[at].min(index[to as usize]);
                }
                continue;
            }
            let state = *state;
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent as usize] = low[*parent as usize].min(low[at]);
            }
            if low[at] == index[at] {
                let start = open.iter().rposition(|s| *s == state).unwrap_or(0);
                let mut component = open.split_off(start);
                component.iter().for_each(|s| is_open[*s as usize] = false);
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

/// Does `actor` move within the component, or is there a place in it where it cannot?
fn is_content(graph: &Graph, component: &[StateId], actor: usize) -> bool {
    component.iter().any(|state| satisfies(graph, component, *state, actor).is_some())
}

/// How being in `state` satisfies an actor: by a move of its own within the component, or (`None`
/// inside) because it cannot move.
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

/// A way from `entry` through the component and back that leaves no fair actor out.
fn round<P: Parts>(
    search: &Search<P>,
    graph: &Graph,
    component: &[StateId],
    entry: StateId,
    fair: &[usize],
) -> Vec<P::Action> {
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

/// A shortest way within the component to a state that is wanted.
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
