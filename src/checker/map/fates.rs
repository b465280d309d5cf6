//! The fate of each state of a [`Space`]: its distance to a break, whether the break can be
//! avoided, how many orders go on from it and how many of those break.
//!
//! Four passes: backwards from the broken states, breadth-first; a least fixed point for *doomed*;
//! orders from here in reverse topological order; orders to here forwards. There is no number of
//! orders where the graph has a cycle, nor beyond `ORDERS_MAX`. A pass is linear in the steps,
//! which [`super::EDGES_MAX`] bounds.

use super::{Backwards, Space};
use crate::{Natural, StateId};

/// Orders are not counted beyond this number: shares of larger numbers do not fit an `f64`.
const ORDERS_MAX: f64 = 1e300;
/// The distance of a state from which no break can be reached.
const FAR: u16 = u16::MAX;

/// The outcome of the orders that go on from a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// Some orders break, some do not.
    Open,
    /// All orders break.
    Doomed,
    /// The state is broken itself.
    Broken,
    /// No order breaks.
    Safe,
    /// The run ends here, and nothing is broken.
    Right,
}

impl Fate {
    /// All fates in the order of [`Fate`], which is also that of `Block::count`.
    pub const ALL: [Fate; 5] = [Fate::Open, Fate::Doomed, Fate::Broken, Fate::Safe, Fate::Right];

    /// Returns true if every order breaks, or has broken.
    pub fn is_lost(self) -> bool {
        matches!(self, Fate::Doomed | Fate::Broken)
    }

    /// Returns true if no order can break any longer.
    pub fn is_saved(self) -> bool {
        matches!(self, Fate::Safe | Fate::Right)
    }
}

/// The result of counting the orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counted {
    #[default]
    All,
    /// Some orders go round forever.
    Endless,
    /// There are more than `ORDERS_MAX`.
    TooMany,
}

ground::json_enum!(Counted { All, Endless, TooMany });

/// The fates of all states. `from`, `wrong` and `ways` are empty where orders were not counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Fates {
    /// The number of steps to the nearest break, by state.
    distance: Vec<u16>,
    pub fate: Vec<Fate>,
    /// The number of orders from here to an end.
    pub from: Vec<Natural>,
    /// The number of those orders that break, here or later.
    pub wrong: Vec<Natural>,
    /// The number of orders from the start to here without a break on the way.
    pub ways: Vec<f64>,
    /// True if the state is reached without a break before it. Only such states are drawn.
    pub before: Vec<bool>,
    pub counted: Counted,
}

impl Fates {
    pub fn of<A: Copy>(space: &Space<A>) -> Fates {
        let back = space.backwards();
        let distance = distances(space, &back);
        let doomed = doomed(space, &back);
        let fate = |state: usize| match () {
            () if space.broken[state] => Fate::Broken,
            () if doomed[state] => Fate::Doomed,
            () if distance[state] != FAR => Fate::Open,
            () if space.is_end(state as StateId) => Fate::Right,
            () => Fate::Safe,
        };
        let mut fates = Fates {
            fate: (0..space.len()).map(fate).collect(),
            distance,
            from: Vec::new(),
            wrong: Vec::new(),
            ways: Vec::new(),
            before: before(space),
            counted: Counted::Endless,
        };
        if let Some(order) = topological(space) {
            fates.count(space, &order);
        }
        fates
    }

    /// Returns the steps to the nearest break; `None` where none can be reached.
    pub fn distance(&self, state: StateId) -> Option<u16> {
        self.distance.get(state as usize).copied().filter(|steps| *steps != FAR)
    }

    fn count<A: Copy>(&mut self, space: &Space<A>, order: &[StateId]) {
        let mut from = vec![Natural::default(); space.len()];
        let mut wrong = from.clone();
        for &state in order.iter().rev() {
            let (mut all, mut bad) = (Natural::default(), Natural::default());
            for (_, to) in space.of(state) {
                all.add(&from[*to as usize]);
                bad.add(&wrong[*to as usize]);
            }
            if space.is_end(state) {
                all = Natural::from(1);
            }
            if all.to_f64() > ORDERS_MAX {
                self.counted = Counted::TooMany;
                return;
            }
            let at = state as usize;
            wrong[at] = if space.broken[at] { all.clone() } else { bad };
            from[at] = all;
        }
        let mut ways = vec![0.0; space.len()];
        ways[0] = 1.0;
        for &state in order.iter().filter(|state| !space.broken[**state as usize]) {
            for (_, to) in space.of(state) {
                ways[*to as usize] += ways[state as usize];
            }
        }
        (self.from, self.wrong, self.ways) = (from, wrong, ways);
        self.counted = Counted::All;
    }
}

fn distances<A: Copy>(space: &Space<A>, back: &Backwards) -> Vec<u16> {
    let mut distance = vec![FAR; space.len()];
    let mut queue = broken(space);
    queue.iter().for_each(|state| distance[*state as usize] = 0);
    let mut at = 0;
    while let Some(&state) = queue.get(at) {
        at += 1;
        // There are fewer states than `FAR`.
        let farther = distance[state as usize] + 1;
        for &before in back.of(state) {
            let known = &mut distance[before as usize];
            if *known == FAR {
                *known = farther;
                queue.push(before);
            }
        }
    }
    distance
}

/// Returns the states from which every run breaks: broken states, and states all of whose steps
/// lead to such states. States of a cycle without a break are not among them, as a run can stay
/// there.
fn doomed<A: Copy>(space: &Space<A>, back: &Backwards) -> Vec<bool> {
    let mut doomed = space.broken.clone();
    let mut left: Vec<usize> = (0..space.len()).map(|at| space.of(at as StateId).len()).collect();
    let mut queue = broken(space);
    while let Some(state) = queue.pop() {
        for &before in back.of(state) {
            let before = before as usize;
            left[before] -= 1;
            if left[before] == 0 && !doomed[before] {
                doomed[before] = true;
                queue.push(before as StateId);
            }
        }
    }
    doomed
}

fn broken<A>(space: &Space<A>) -> Vec<StateId> {
    let all = space.broken.iter().enumerate();
    all.filter(|(_, broken)| **broken).map(|(at, _)| at as StateId).collect()
}

/// Returns a topological order: each state before those it leads to. `None` if there is a cycle.
fn topological<A: Copy>(space: &Space<A>) -> Option<Vec<StateId>> {
    let mut left = vec![0_u32; space.len()];
    space.steps.iter().for_each(|(_, to)| left[*to as usize] += 1);
    let states = 0..space.len() as StateId;
    let mut order: Vec<StateId> = states.filter(|state| left[*state as usize] == 0).collect();
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        at += 1;
        for (_, to) in space.of(state) {
            left[*to as usize] -= 1;
            if left[*to as usize] == 0 {
                order.push(*to);
            }
        }
    }
    (order.len() == space.len()).then_some(order)
}

fn before<A: Copy>(space: &Space<A>) -> Vec<bool> {
    let mut before = vec![false; space.len()];
    let mut queue = vec![0];
    before[0] = true;
    while let Some(state) = queue.pop() {
        if space.broken[state as usize] {
            continue;
        }
        for (_, to) in space.of(state) {
            if !std::mem::replace(&mut before[*to as usize], true) {
                queue.push(*to);
            }
        }
    }
    before
}
