//! Of all shortest traces to a state that is wanted, one that switches actors least: the easiest to
//! follow. Then one with the fewest moves of actors that need not act (faults).

use std::collections::HashMap;

use super::graph::{Edge, Graph};
use super::parts::Parts;
use super::search::{Search, StateId};

/// What a way costs: switches of actor, then moves of unfair actors.
type Cost = (u32, u32);

/// The moves into a state in the end of a cheapest way by each last actor.
type Ways = HashMap<(StateId, u16), (Cost, Option<(StateId, u16, Edge)>)>;

/// The trace, if a wanted state can be reached. Dynamic programming over the layers of the search,
/// by state and last actor.
pub fn fewest_switches<P: Parts>(
    search: &Search<P>,
    graph: &Graph,
    mut is_wanted: impl FnMut(StateId) -> bool,
) -> Option<Vec<P::Action>> {
    const NOBODY: u16 = u16::MAX;
    let mut layers: Vec<Ways> = vec![HashMap::from([((0, NOBODY), ((0, 0), None))])];
    loop {
        let last = layers.last()?;
        let wanted = last.iter().filter(|((state, _), _)| is_wanted(*state));
        // Keys make the choice among equals the same every time.
        if let Some((&key, _)) = wanted.min_by_key(|(key, (cost, _))| (*cost, **key)) {
            return Some(read_back(search, &layers, key));
        }
        let depth = layers.len() as u32;
        let mut next: Ways = HashMap::new();
        for (&(state, actor), (cost, _)) in last {
            for edge in graph.of(state).iter().filter(|edge| search.depth(edge.to) == depth) {
                let switch = u32::from(actor != NOBODY && actor != edge.actor);
                let fault = u32::from(!search.parts.is_fair(edge.actor.into()));
                let cost = (cost.0 + switch, cost.1 + fault);
                let way = (cost, Some((state, actor, *edge)));
                let known = next.entry((edge.to, edge.actor)).or_insert(way);
                if (cost, state, actor) < (known.0, key_of(known).0, key_of(known).1) {
                    *known = way;
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        layers.push(next);
    }
}

fn key_of(way: &(Cost, Option<(StateId, u16, Edge)>)) -> (StateId, u16) {
    way.1.map_or((0, 0), |(state, actor, _)| (state, actor))
}

fn read_back<P: Parts>(
    search: &Search<P>,
    layers: &[Ways],
    mut key: (StateId, u16),
) -> Vec<P::Action> {
    let mut trace = Vec::new();
    for layer in layers.iter().rev() {
        let Some((_, Some((state, actor, edge)))) = layer.get(&key) else { break };
        trace.push(search.action(edge));
        key = (*state, *actor);
    }
    trace.reverse();
    trace
}
