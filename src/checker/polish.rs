//! Chooses among the shortest traces to a state the one that is easiest to follow: it switches
//! actors least, then it has the fewest moves of actors that need not act (faults). By dynamic
//! programming over the graph, so the length stays the shortest.

use std::collections::HashMap;

use super::components::Components;
use super::graph::{Edge, Graph};
use super::search::{Search, StateId};

/// The cost of a way: switches of actor, then moves of unfair actors.
type Cost = (u32, u32);

/// A state, and the actor that moved last.
type Key = (StateId, u16);

/// No actor has moved yet.
const NOBODY: u16 = u16::MAX;

/// A cheapest way to a state by a last actor; of equal ones the first in the order of actors.
#[derive(Debug, Clone, Copy)]
struct Way {
    cost: Cost,
    /// The index in the previous layer of the way that this one extends, then the actor of its last
    /// move.
    order: (u32, u16),
    last: Option<Edge>,
}

/// The choice of a trace as a computation in steps: dynamic programming over the layers of the
/// search, by state and last actor.
#[derive(Debug)]
pub struct Polish {
    /// The depth of the nearest wanted states.
    depth: u32,
    /// The ways of each layer, in order.
    layers: Vec<Vec<(Key, Way)>>,
    /// The number of ways of the last layer that were extended.
    at: usize,
    next: HashMap<Key, Way>,
    best: Option<(Cost, usize)>,
}

impl Polish {
    pub fn new(depth: u32) -> Polish {
        let start = Way { cost: (0, 0), order: (0, NOBODY), last: None };
        let layers = vec![vec![((0, NOBODY), start)]];
        Polish { depth, layers, at: 0, next: HashMap::new(), best: None }
    }

    /// Extends this number of ways; true when the choice is made.
    pub fn advance<C: Components>(
        &mut self,
        search: &mut Search<C>,
        graph: &Graph,
        is_wanted: impl Fn(&mut Search<C>, StateId) -> bool,
        steps: u32,
    ) -> bool {
        let depth = self.layers.len() as u32;
        let is_last = depth > self.depth;
        let Some(layer) = self.layers.last() else { return true };
        let until = layer.len().min(self.at.saturating_add(steps as usize));
        for (place, (key, way)) in layer.iter().enumerate().take(until).skip(self.at) {
            if !is_last {
                follow(search, graph, depth, (place as u32, *key, *way), &mut self.next);
            } else if self.best.is_none_or(|(cost, _)| way.cost < cost) && is_wanted(search, key.0)
            {
                self.best = Some((way.cost, place));
            }
        }
        self.at = until;
        if is_last || until < layer.len() {
            return until == layer.len();
        }
        let mut next: Vec<(Key, Way)> = std::mem::take(&mut self.next).into_iter().collect();
        next.sort_unstable_by_key(|(key, way)| (way.order, *key));
        self.at = 0;
        let is_over = next.is_empty();
        self.layers.push(next);
        is_over
    }

    /// The trace, if a wanted state was reached.
    pub fn finish<C: Components>(self, search: &Search<C>) -> Option<Vec<C::Action>> {
        let (_, mut place) = self.best?;
        let mut trace = Vec::new();
        for layer in self.layers.iter().rev() {
            let (_, way) = layer.get(place)?;
            let Some(edge) = &way.last else { break };
            trace.push(search.action(edge));
            place = way.order.0 as usize;
        }
        trace.reverse();
        Some(trace)
    }
}

/// Extends a way to the states at `depth`.
fn follow<C: Components>(
    search: &Search<C>,
    graph: &Graph,
    depth: u32,
    (place, (state, actor), way): (u32, Key, Way),
    next: &mut HashMap<Key, Way>,
) {
    for edge in graph.of(state).iter().filter(|edge| search.depth(edge.to) == depth) {
        let switch = u32::from(actor != NOBODY && actor != edge.actor);
        let fault = u32::from(!search.model.is_fair(edge.actor.into()));
        let cost = (way.cost.0 + switch, way.cost.1 + fault);
        let way = Way { cost, order: (place, edge.actor), last: Some(*edge) };
        let known = next.entry((edge.to, edge.actor)).or_insert(way);
        if (way.cost, way.order) < (known.cost, known.order) {
            *known = way;
        }
    }
}
