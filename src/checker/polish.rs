//! Of all shortest traces to a state that is wanted, one that switches actors least: the easiest to
//! follow. Then one with the fewest moves of actors that need not act (faults).

use std::collections::HashMap;

use super::graph::{Edge, Graph};
use super::parts::Parts;
use super::search::{Search, StateId};

/// What a way costs: switches of actor, then moves of unfair actors.
type Cost = (u32, u32);

/// Nobody has moved yet.
const NOBODY: u16 = u16::MAX;

/// A cheapest way to a state by a last actor; of equal ones the first in the order of actors.
#[derive(Clone, Copy)]
struct Way {
    cost: Cost,
    /// Place of the way before the last move in the order of its layer, then that move's actor.
    order: (u32, u16),
    /// Place in the order of this layer.
    rank: u32,
    last: Option<(StateId, u16, Edge)>,
}

type Ways = HashMap<(StateId, u16), Way>;

/// The trace, if a wanted state can be reached. Dynamic programming over the layers of the search,
/// by state and last actor.
pub fn fewest_switches<P: Parts>(
    search: &Search<P>,
    graph: &Graph,
    mut is_wanted: impl FnMut(StateId) -> bool,
) -> Option<Vec<P::Action>> {
    let start = Way { cost: (0, 0), order: (0, NOBODY), rank: 0, last: None };
    let mut layers: Vec<Ways> = vec![HashMap::from([((0, NOBODY), start)])];
    loop {
        let last = layers.last()?;
        let wanted = last.iter().filter(|((state, _), _)| is_wanted(*state));
        if let Some((&key, _)) = wanted.min_by_key(|(_, way)| (way.cost, way.rank)) {
            return Some(read_back(search, &layers, key));
        }
        let next = next_layer(search, graph, last, layers.len() as u32);
        if next.is_empty() {
            return None;
        }
        layers.push(next);
    }
}

fn next_layer<P: Parts>(search: &Search<P>, graph: &Graph, last: &Ways, depth: u32) -> Ways {
    let mut next: Ways = HashMap::new();
    for (&(state, actor), way) in last {
        for edge in graph.of(state).iter().filter(|edge| search.depth(edge.to) == depth) {
            let switch = u32::from(actor != NOBODY && actor != edge.actor);
            let fault = u32::from(!search.parts.is_fair(edge.actor.into()));
            let cost = (way.cost.0 + switch, way.cost.1 + fault);
            let order = (way.rank, edge.actor);
            let way = Way { cost, order, rank: 0, last: Some((state, actor, *edge)) };
            let known = next.entry((edge.to, edge.actor)).or_insert(way);
            if (cost, order) < (known.cost, known.order) {
                *known = way;
            }
        }
    }
    let mut keys: Vec<(StateId, u16)> = next.keys().copied().collect();
    keys.sort_unstable_by_key(|key| (next[key].order, *key));
    for (rank, key) in keys.iter().enumerate() {
        if let Some(way) = next.get_mut(key) {
            way.rank = rank as u32;
        }
    }
    next
}

fn read_back<P: Parts>(
    search: &Search<P>,
    layers: &[Ways],
    mut key: (StateId, u16),
) -> Vec<P::Action> {
    let mut trace = Vec::new();
    for layer in layers.iter().rev() {
        let Some((state, actor, edge)) = layer.get(&key).and_then(|way| way.last) else { break };
        trace.push(search.action(&edge));
        key = (state, actor);
    }
    trace.reverse();
    trace
}
