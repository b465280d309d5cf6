//! The census: how many schedules there are, how many of them are really different, and how many
//! end where. Counted on the graph by dynamic programming; no schedule is run by itself.
//!
//! Two schedules are not really different if they swap only steps that commute (Mazurkiewicz
//! traces). Absent: graphs with cycles, whose schedules are without number.

use std::collections::HashMap;
use std::hash::Hash;

use super::graph::Graph;
use super::natural::Natural;
use super::parts::Parts;
use super::search::{Search, StateId};

/// The most pairs (a state, a set of sleeping moves) that the counting of classes keeps.
const PAIRS_MAX: usize = 2_000_000;

/// The count of all runs from the start to an end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    /// The number of runs from the start to an end.
    pub schedules: Natural,
    /// The number of runs up to the order of steps that commute (Mazurkiewicz traces). `None` where
    /// counting them would take too much memory.
    pub classes: Option<Natural>,
    /// Each state in which a run can end, with the number of runs that end there; nearest first.
    pub ends: Vec<(StateId, Natural)>,
}

impl Census {
    /// Takes the whole census. `None` where the graph has a cycle, so the number of runs is
    /// infinite.
    pub fn take<P: Parts>(search: &Search<P>, graph: &Graph) -> Option<Census> {
        let mut counting = Counting::new(graph);
        while !counting.advance(search, graph, u32::MAX) {}
        counting.finish()
    }
}

/// A [`Census`] being taken.
#[derive(Debug)]
pub struct Counting<A> {
    stage: Stage<A>,
    census: Option<Census>,
}

#[derive(Debug)]
enum Stage<A> {
    Order(Order),
    /// Counts the runs to each state; `order` holds the states that are left, the next one last.
    Runs {
        order: Vec<StateId>,
        runs: Vec<Natural>,
    },
    Classes(Classes<A>),
    Done,
}

impl<A: Copy + Eq + Hash> Counting<A> {
    pub fn new(graph: &Graph) -> Counting<A> {
        Counting { stage: Stage::Order(Order::new(graph)), census: None }
    }

    /// Does this number of `steps`; true when the census is complete.
    pub fn advance<P>(&mut self, search: &Search<P>, graph: &Graph, steps: u32) -> bool
    where
        P: Parts<Action = A>,
    {
        match &mut self.stage {
            Stage::Order(order) => match order.advance(graph, steps) {
                None => {}
                Some(false) => self.stage = Stage::Done,
                Some(true) => {
                    let order = std::mem::take(&mut order.order);
                    let mut runs = vec![Natural::default(); graph.len()];
                    runs[0] = Natural::from(1);
                    self.census = Some(Census::default());
                    self.stage = Stage::Runs { order, runs };
                }
            },
            Stage::Runs { order, runs } => {
                let census = self.census.get_or_insert_default();
                for state in
                    order.split_off(order.len().saturating_sub(steps as usize)).iter().rev()
                {
                    count_runs(graph, *state, runs, census);
                }
                if order.is_empty() {
                    census.ends.sort_by_key(|(state, _)| *state);
                    self.stage = match search.knows_slots_apart() {
                        true => Stage::Classes(Classes::default()),
                        false => Stage::Done,
                    };
                }
            }
            Stage::Classes(classes) => {
                if let Some(counted) = classes.advance(search, graph, steps) {
                    self.census.get_or_insert_default().classes = counted;
                    self.stage = Stage::Done;
                }
            }
            Stage::Done => {}
        }
        matches!(self.stage, Stage::Done)
    }

    /// Returns the census; `None` if nothing could be counted.
    pub fn finish(self) -> Option<Census> {
        self.census
    }
}

/// Adds the number of runs to `state` to each state that follows it.
fn count_runs(graph: &Graph, state: StateId, runs: &mut [Natural], census: &mut Census) {
    let here = std::mem::take(&mut runs[state as usize]);
    for edge in graph.of(state) {
        runs[edge.to as usize].add(&here);
    }
    if graph.of(state).is_empty() {
        census.schedules.add(&here);
        census.ends.push((state, here));
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Mark {
    New,
    OnPath,
    Done,
}

/// A topological order being computed: each state after those it leads to.
#[derive(Debug)]
struct Order {
    order: Vec<StateId>,
    marks: Vec<Mark>,
    path: Vec<(StateId, usize)>,
}

impl Order {
    fn new(graph: &Graph) -> Order {
        let mut marks = vec![Mark::New; graph.len()];
        marks[0] = Mark::OnPath;
        Order { order: Vec::with_capacity(graph.len()), marks, path: vec![(0, 0)] }
    }

    /// Returns `Some(true)` when the order is complete, `Some(false)` if there is a cycle, `None`
    /// if steps ran out first.
    fn advance(&mut self, graph: &Graph, steps: u32) -> Option<bool> {
        for _ in 0..steps {
            let Some((state, next)) = self.path.last_mut() else { return Some(true) };
            match graph.of(*state).get(*next) {
                Some(edge) => {
                    *next += 1;
                    match self.marks[edge.to as usize] {
                        Mark::OnPath => return Some(false),
                        Mark::Done => {}
                        Mark::New => {
                            self.marks[edge.to as usize] = Mark::OnPath;
                            self.path.push((edge.to, 0));
                        }
                    }
                }
                None => {
                    self.marks[*state as usize] = Mark::Done;
                    self.order.push(*state);
                    self.path.pop();
                }
            }
        }
        None
    }
}

/// Counts one run of each class: the one that sleep sets leave (Godefroid 1996). A move is asleep
/// where doing it would only repeat, in another order, what was counted from an earlier state.
#[derive(Debug)]
struct Classes<A> {
    /// The bit of each action in a set of sleeping moves.
    moves: HashMap<A, u32>,
    known: HashMap<(StateId, u128), Natural>,
    path: Vec<Open>,
}

impl<A> Default for Classes<A> {
    fn default() -> Self {
        Classes { moves: HashMap::new(), known: HashMap::new(), path: Vec::new() }
    }
}

/// A pair whose runs are being counted.
#[derive(Debug)]
struct Open {
    key: (StateId, u128),
    /// Pairs that follow from this one and are not counted yet.
    todo: Vec<(StateId, u128)>,
    runs: Natural,
}

impl<A: Copy + Eq + Hash> Classes<A> {
    /// Returns the number of classes when they are counted; `Some(None)` where they cannot be
    /// counted, `None` if steps ran out first.
    fn advance<P>(
        &mut self,
        search: &Search<P>,
        graph: &Graph,
        steps: u32,
    ) -> Option<Option<Natural>>
    where
        P: Parts<Action = A>,
    {
        for _ in 0..steps {
            let next = match self.path.last_mut() {
                None => Some((0, 0)),
                Some(top) => top.todo.pop(),
            };
            let Some(pair) = next else {
                let done = self.path.pop()?;
                let Some(parent) = self.path.last_mut() else { return Some(Some(done.runs)) };
                parent.runs.add(&done.runs);
                self.known.insert(done.key, done.runs);
                continue;
            };
            match (self.known.get(&pair), self.path.last_mut()) {
                (Some(runs), Some(top)) => top.runs.add(runs),
                _ => match self.open(search, graph, pair) {
                    Some(open) => self.path.push(open),
                    None => return Some(None),
                },
            }
        }
        None
    }

    /// Opens a pair. `None` where that takes too much memory, or there are more actions than bits.
    fn open<P>(
        &mut self,
        search: &Search<P>,
        graph: &Graph,
        (state, asleep): (StateId, u128),
    ) -> Option<Open>
    where
        P: Parts<Action = A>,
    {
        if self.known.len() >= PAIRS_MAX {
            return None;
        }
        let edges = graph.of(state);
        let runs = Natural::from(u64::from(edges.is_empty()));
        let bits = edges.iter().map(|edge| self.bit(search.action(edge)));
        let bits: Vec<u128> = bits.collect::<Option<_>>()?;
        let mut todo = Vec::new();
        let mut earlier = asleep;
        for (edge, bit) in edges.iter().zip(&bits) {
            if asleep & bit != 0 {
                continue;
            }
            let stays = edges.iter().zip(&bits).filter(|(other, other_bit)| {
                earlier & **other_bit != 0 && search.independent(edge, other)
            });
            todo.push((edge.to, stays.fold(0, |set, (_, bit)| set | bit)));
            earlier |= bit;
        }
        Some(Open { key: (state, asleep), todo, runs })
    }

    fn bit(&mut self, action: A) -> Option<u128> {
        let next = self.moves.len() as u32;
        1_u128.checked_shl(*self.moves.entry(action).or_insert(next))
    }
}
