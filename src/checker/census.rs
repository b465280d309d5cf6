//! The census: how many schedules there are, how many of them are really different, and how many
//! end where, having broken what on the way. Counted on the graph by dynamic programming, over
//! pairs of a state and the set of conditions broken so far; no schedule is run by itself.
//!
//! Two schedules are not really different if they swap only steps that commute (Mazurkiewicz
//! traces). Absent: graphs with cycles, whose schedules are without number.

use std::collections::HashMap;
use std::hash::Hash;

use super::components::Components;
use super::graph::{Edge, Graph};
use super::natural::Natural;
use super::search::{Search, StateId};

/// The most pairs that are counted on: of a state and a set of sleeping moves, or of a state and a
/// set of broken conditions.
const PAIRS_MAX: usize = 2_000_000;
/// The most sets of broken conditions in one state.
const SETS_MAX: usize = 1_000;
/// The most conditions in such a set; one more bit says that the run was stuck.
const CONDITIONS_MAX: usize = 63;

/// The count of all runs from the start to an end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    /// The number of runs from the start to an end.
    pub schedules: Natural,
    /// The number of runs up to the order of steps that commute (Mazurkiewicz traces). `None` where
    /// counting them would take too much memory.
    pub classes: Option<Natural>,
    /// The ends of runs, nearest first.
    pub ends: Vec<End>,
    /// False where following what breaks on the way would take too much memory. Then each state is
    /// one end, whose `broke` is empty.
    pub is_split: bool,
    /// The last step of a shortest run to each pair, with the pair before it.
    trail: Vec<(u32, Option<Edge>)>,
}

/// The runs that end in the same state, having broken the same conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    pub state: StateId,
    /// The conditions that were false in some state of the run, the last one included: a bit for
    /// each, in the order asked for. The bit after the last one: a state was stuck.
    pub broke: u64,
    pub runs: Natural,
    /// The length of a shortest of these runs.
    pub steps: u32,
    pair: u32,
}

impl Census {
    /// Takes the whole census. `None` where the graph has a cycle, so the number of runs is
    /// infinite.
    pub fn take<C: Components>(
        search: &mut Search<C>,
        graph: &Graph,
        conditions: Vec<usize>,
    ) -> Option<Census> {
        let mut counting = Counting::new(graph, conditions);
        while !counting.advance(search, graph, u32::MAX) {}
        counting.finish()
    }

    /// Returns a shortest of the runs of `end`.
    pub fn run_to<C: Components>(&self, search: &mut Search<C>, end: &End) -> Vec<C::Action> {
        if !self.is_split {
            return search.trace(end.state);
        }
        let mut run = Vec::with_capacity(end.steps as usize);
        let mut at = end.pair;
        while let Some((before, Some(edge))) = self.trail.get(at as usize) {
            run.push(search.action(edge));
            at = *before;
        }
        run.reverse();
        run
    }
}

/// A [`Census`] being taken.
#[derive(Debug)]
pub struct Counting<A> {
    /// The conditions that no state of a run should break; `None` where that is not followed.
    conditions: Option<Vec<usize>>,
    stage: Stage<A>,
    census: Option<Census>,
}

#[derive(Debug)]
enum Stage<A> {
    Order(Order),
    /// Computes the conditions that each state breaks. `order` holds the states in which runs are
    /// counted, the next one last.
    Marks {
        order: Vec<StateId>,
        marks: Vec<u64>,
    },
    Runs(Runs),
    Classes(Classes<A>),
    Done,
}

impl<A: Copy + Eq + Hash> Counting<A> {
    pub fn new(graph: &Graph, conditions: Vec<usize>) -> Counting<A> {
        let is_small = conditions.len() <= CONDITIONS_MAX && graph.len() <= PAIRS_MAX;
        let conditions = Some(conditions).filter(|_| is_small);
        Counting { conditions, stage: Stage::Order(Order::new(graph)), census: None }
    }

    /// Does this number of `steps`; true when the census is complete.
    pub fn advance<C>(&mut self, search: &mut Search<C>, graph: &Graph, steps: u32) -> bool
    where
        C: Components<Action = A>,
    {
        match &mut self.stage {
            Stage::Order(order) => match order.advance(graph, steps) {
                None => {}
                Some(false) => self.stage = Stage::Done,
                Some(true) => {
                    let order = std::mem::take(&mut order.order);
                    self.stage = Stage::Marks { order, marks: Vec::new() };
                }
            },
            Stage::Marks { order, marks } => {
                if let Some(conditions) = &self.conditions {
                    let until = graph.len().min(marks.len().saturating_add(steps as usize));
                    for state in marks.len() as StateId..until as StateId {
                        let bits = conditions.iter().enumerate();
                        let broken = bits.filter(|(_, one)| !search.is_true(**one, state));
                        let broken = broken.fold(0, |set, (bit, _)| set | 1 << bit);
                        let is_stuck = u64::from(graph.is_stuck(search, state));
                        marks.push(broken | is_stuck << conditions.len());
                    }
                }
                if marks.len() == graph.len() || self.conditions.is_none() {
                    let (order, marks) = (std::mem::take(order), std::mem::take(marks));
                    self.stage = Stage::Runs(Runs::new(graph, order, marks));
                }
            }
            Stage::Runs(runs) => match runs.advance(graph, steps) {
                None => {}
                Some(false) => {
                    self.conditions = None;
                    self.stage = Stage::Order(Order::new(graph));
                }
                Some(true) => {
                    self.census = Some(std::mem::take(&mut runs.census));
                    self.stage = match search.knows_slots_apart() {
                        true => Stage::Classes(Classes::default()),
                        false => Stage::Done,
                    };
                }
            },
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

/// The runs to each pair, being counted.
#[derive(Debug)]
struct Runs {
    /// The states that are left, the next one last.
    order: Vec<StateId>,
    /// The conditions that each state breaks; empty if that is not followed.
    marks: Vec<u64>,
    /// By state, its pairs met so far.
    pairs: Vec<Vec<Pair>>,
    census: Census,
}

/// The runs to a state that have broken the same conditions.
#[derive(Debug)]
struct Pair {
    broke: u64,
    runs: Natural,
    /// The length of a shortest run, and the state before its last step: of shortest runs the one
    /// through the state that the search met first.
    near: (u32, StateId),
    /// Its place in [`Census::trail`].
    id: u32,
}

impl Runs {
    fn new(graph: &Graph, order: Vec<StateId>, marks: Vec<u64>) -> Runs {
        let mut census = Census { is_split: !marks.is_empty(), ..Census::default() };
        let mut pairs: Vec<Vec<Pair>> = (0..graph.len()).map(|_| Vec::new()).collect();
        let broke = marks.first().copied().unwrap_or(0);
        pairs[0].push(Pair { broke, runs: Natural::from(1), near: (0, 0), id: 0 });
        census.trail.push((0, None));
        Runs { order, marks, pairs, census }
    }

    /// Returns true when all runs are counted, false if there are too many pairs; `None` if steps
    /// ran out first.
    fn advance(&mut self, graph: &Graph, steps: u32) -> Option<bool> {
        for _ in 0..steps {
            let Some(state) = self.order.pop() else {
                self.census.ends.sort_by_key(|end| (end.steps, end.state, end.broke));
                return Some(true);
            };
            let pairs = std::mem::take(&mut self.pairs[state as usize]);
            if pairs.len() > SETS_MAX || self.census.trail.len() > PAIRS_MAX {
                return Some(false);
            }
            pairs.into_iter().for_each(|pair| self.go_on(graph, state, pair));
        }
        None
    }

    /// Adds the runs of a pair to the pairs that follow it.
    fn go_on(&mut self, graph: &Graph, state: StateId, pair: Pair) {
        let Pair { broke, runs, near: (steps, _), id } = pair;
        let trail = &mut self.census.trail;
        for edge in graph.of(state) {
            let broke = broke | self.marks.get(edge.to as usize).copied().unwrap_or(0);
            let near = (steps + 1, state);
            let pairs = &mut self.pairs[edge.to as usize];
            let Some(known) = pairs.iter_mut().find(|known| known.broke == broke) else {
                pairs.push(Pair { broke, runs: runs.clone(), near, id: trail.len() as u32 });
                if self.census.is_split {
                    trail.push((id, Some(*edge)));
                }
                continue;
            };
            known.runs.add(&runs);
            if near < known.near {
                known.near = near;
                if self.census.is_split {
                    trail[known.id as usize] = (id, Some(*edge));
                }
            }
        }
        if graph.of(state).is_empty() {
            self.census.schedules.add(&runs);
            self.census.ends.push(End { state, broke, runs, steps, pair: id });
        }
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
    fn advance<C>(
        &mut self,
        search: &Search<C>,
        graph: &Graph,
        steps: u32,
    ) -> Option<Option<Natural>>
    where
        C: Components<Action = A>,
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
    fn open<C>(
        &mut self,
        search: &Search<C>,
        graph: &Graph,
        (state, asleep): (StateId, u128),
    ) -> Option<Open>
    where
        C: Components<Action = A>,
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
