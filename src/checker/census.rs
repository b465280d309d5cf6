//! How many schedules there are, how many of them are really different, and how many end where:
//! counted on the graph by dynamic programming, none of them run one by one.

use std::collections::HashMap;

use super::graph::{Edge, Graph};
use super::natural::Natural;
use super::parts::Parts;
use super::search::{Search, StateId};

/// Pairs of a state and a set of moves put off that counting classes may keep.
const PAIRS_MAX: usize = 2_000_000;

/// The count of all runs from the start to an end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// Runs to the end.
    pub schedules: Natural,
    /// Runs that do not differ only in the order of steps that commute (Mazurkiewicz traces).
    /// `None` where counting them would take too much memory.
    pub classes: Option<Natural>,
    /// Each state in which a run can end, with the number of runs that end there; nearest first.
    pub ends: Vec<(StateId, Natural)>,
}

impl Census {
    /// `None` where runs can go round for ever: their number has no end.
    pub fn take<P: Parts>(search: &Search<P>, graph: &Graph) -> Option<Census> {
        let order = topological(graph)?;
        let mut runs = vec![Natural::default(); graph.len()];
        runs[0] = Natural::from(1);
        let (mut schedules, mut ends) = (Natural::default(), Vec::new());
        for &state in order.iter().rev() {
            let here = std::mem::take(&mut runs[state as usize]);
            for edge in graph.of(state) {
                runs[edge.to as usize].add(&here);
            }
            if graph.of(state).is_empty() {
                schedules.add(&here);
                ends.push((state, here));
            }
        }
        ends.sort_by_key(|(state, _)| *state);
        let classes = search.knows_slots_apart().then(|| classes(search, graph)).flatten();
        Some(Census { schedules, classes, ends })
    }
}

/// All states, each after those it leads to; `None` if there is a cycle.
fn topological(graph: &Graph) -> Option<Vec<StateId>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnPath,
        Done,
    }
    let mut marks = vec![Mark::New; graph.len()];
    let mut order = Vec::with_capacity(graph.len());
    let mut path: Vec<(StateId, usize)> = vec![(0, 0)];
    marks[0] = Mark::OnPath;
    while let Some((state, next)) = path.last_mut() {
        match graph.of(*state).get(*next) {
            Some(edge) => {
                *next += 1;
                match marks[edge.to as usize] {
                    Mark::OnPath => return None,
                    Mark::Done => {}
                    Mark::New => {
                        marks[edge.to as usize] = Mark::OnPath;
                        path.push((edge.to, 0));
                    }
                }
            }
            None => {
                marks[*state as usize] = Mark::Done;
                order.push(*state);
                path.pop();
            }
        }
    }
    Some(order)
}

/// Counts one run of each class: the one that sleep sets leave (Godefroid 1996). A move is asleep
/// where doing it would only repeat, in another order, what was counted from an earlier state.
fn classes<P: Parts>(search: &Search<P>, graph: &Graph) -> Option<Natural> {
    let mut classes = Classes { search, graph, moves: HashMap::new(), known: HashMap::new() };
    let mut path = vec![classes.open(0, 0)?];
    loop {
        let top = path.last_mut()?;
        let Some((to, asleep)) = top.todo.pop() else {
            let done = path.pop()?;
            classes.known.insert(done.key, done.runs.clone());
            match path.last_mut() {
                Some(parent) => parent.runs.add(&done.runs),
                None => return Some(done.runs),
            }
            continue;
        };
        match classes.known.get(&(to, asleep)) {
            Some(runs) => top.runs.add(runs),
            None => path.push(classes.open(to, asleep)?),
        }
    }
}

struct Classes<'s, P: Parts> {
    search: &'s Search<P>,
    graph: &'s Graph,
    /// Each different action has a bit.
    moves: HashMap<P::Action, u32>,
    known: HashMap<(StateId, u128), Natural>,
}

/// A pair whose runs are being counted.
struct Open {
    key: (StateId, u128),
    /// Pairs that follow and are not counted yet.
    todo: Vec<(StateId, u128)>,
    runs: Natural,
}

impl<P: Parts> Classes<'_, P> {
    fn open(&mut self, state: StateId, asleep: u128) -> Option<Open> {
        if self.known.len() >= PAIRS_MAX {
            return None;
        }
        let edges = self.graph.of(state);
        let runs = Natural::from(u64::from(edges.is_empty()));
        let bits: Vec<u128> = edges.iter().map(|edge| self.bit(edge)).collect::<Option<_>>()?;
        let mut todo = Vec::new();
        let mut earlier = asleep;
        for (edge, bit) in edges.iter().zip(&bits) {
            if asleep & bit != 0 {
                continue;
            }
            let stays = edges.iter().zip(&bits).filter(|(other, other_bit)| {
                earlier & **other_bit != 0 && self.search.independent(edge, other)
            });
            todo.push((edge.to, stays.fold(0, |set, (_, bit)| set | bit)));
            earlier |= bit;
        }
        Some(Open { key: (state, asleep), todo, runs })
    }

    /// `None` where there are more different actions than bits.
    fn bit(&mut self, edge: &Edge) -> Option<u128> {
        let next = self.moves.len() as u32;
        let number = *self.moves.entry(self.search.action(edge)).or_insert(next);
        1_u128.checked_shl(number)
    }
}
