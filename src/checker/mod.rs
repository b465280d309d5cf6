//! An explicit-state model checker over any [`Model`]; it knows nothing of Redis.
//!
//! Breadth-first, so the first counterexample found is a shortest one, and the counts of states
//! and transitions are exact. It takes a bound on states and says when it reached it. Absent for
//! now: `eventually`, reductions, compact states.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// A system that moves from state to state by actions.
pub trait Model {
    type State: Clone + Eq + Hash;
    type Action: Copy;

    fn initial(&self) -> Self::State;
    /// Appends what can happen in `state`, in a fixed order.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);
    /// The state after `action`, or `None` where the model leaves it out.
    fn next(&self, state: &Self::State, action: Self::Action) -> Option<Self::State>;
    /// How many conditions are watched.
    fn conditions(&self) -> usize;
    /// Is condition `index` true in `state`?
    fn holds(&self, index: usize, state: &Self::State) -> bool;
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report<A> {
    /// Distinct states, the initial one included.
    pub states: usize,
    /// Pairs of a state and an action possible in it.
    pub transitions: usize,
    /// True where every reachable state was seen; false where the bound ended the search.
    pub complete: bool,
    /// For each condition a shortest run to a state in which it is false, and one to a state in
    /// which it is true, where there are such.
    pub first_false: Vec<Option<Vec<A>>>,
    pub first_true: Vec<Option<Vec<A>>>,
}

/// A state, and how it was reached: from which (by its number) and by what.
type Found<S, A> = (S, Option<(usize, A)>);

/// Searches all that is reachable, up to `states_max` states.
pub fn search<M: Model>(model: &M, states_max: usize) -> Report<M::Action> {
    let conditions = model.conditions();
    let mut report = Report {
        states: 0,
        transitions: 0,
        complete: true,
        first_false: vec![None; conditions],
        first_true: vec![None; conditions],
    };
    let mut numbers: HashMap<M::State, usize> = HashMap::new();
    let mut found: Vec<Found<M::State, M::Action>> = Vec::new();
    let initial = model.initial();
    numbers.insert(initial.clone(), 0);
    found.push((initial, None));
    let mut actions = Vec::new();
    let mut at = 0;
    while at < found.len() {
        let state = found[at].0.clone();
        for index in 0..conditions {
            let holds = model.holds(index, &state);
            let first = if holds { &mut report.first_true } else { &mut report.first_false };
            if first[index].is_none() {
                first[index] = Some(trace(&found, at));
            }
        }
        actions.clear();
        model.actions(&state, &mut actions);
        for &action in &actions {
            let Some(next) = model.next(&state, action) else { continue };
            report.transitions += 1;
            if let Entry::Vacant(vacant) = numbers.entry(next) {
                if found.len() == states_max {
                    report.complete = false;
                    continue;
                }
                found.push((vacant.key().clone(), Some((at, action))));
                vacant.insert(found.len() - 1);
            }
        }
        at += 1;
    }
    report.states = found.len();
    report
}

fn trace<S, A: Copy>(found: &[Found<S, A>], mut at: usize) -> Vec<A> {
    let mut actions = Vec::new();
    while let Some((parent, action)) = found[at].1 {
        actions.push(action);
        at = parent;
    }
    actions.reverse();
    actions
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads that each load a shared counter and then store it plus one: the textbook lost
    /// update. Two threads have 13 distinct states, a count also published for other checkers.
    struct Increment {
        threads: usize,
    }

    #[derive(Clone, PartialEq, Eq, Hash)]
    struct State {
        shared: u8,
        /// Each thread's program counter (1: load, 2: store, 3: done) and its loaded value.
        threads: Vec<(u8, u8)>,
    }

    impl Model for Increment {
        type State = State;
        type Action = usize;

        fn initial(&self) -> State {
            State { shared: 0, threads: vec![(1, 0); self.threads] }
        }
        fn actions(&self, state: &State, out: &mut Vec<usize>) {
            out.extend((0..self.threads).filter(|&n| state.threads[n].0 < 3));
        }
        fn next(&self, state: &State, n: usize) -> Option<State> {
            let mut next = state.clone();
            match next.threads[n].0 {
                1 => next.threads[n] = (2, next.shared),
                _ => {
                    next.shared = next.threads[n].1 + 1;
                    next.threads[n].0 = 3;
                }
            }
            Some(next)
        }
        fn conditions(&self) -> usize {
            1
        }
        fn holds(&self, _: usize, state: &State) -> bool {
            let stored = state.threads.iter().filter(|thread| thread.0 == 3).count();
            usize::from(state.shared) == stored
        }
    }

    #[test]
    fn two_increments_have_thirteen_states_and_lose_an_update_in_four_steps() {
        let report = search(&Increment { threads: 2 }, 1_000);
        assert_eq!((report.states, report.complete), (13, true));
        assert_eq!(report.first_false[0].as_deref(), Some([0, 1, 0, 1].as_slice()));
        assert_eq!(report.first_true[0].as_deref(), Some([].as_slice()));
    }

    #[test]
    fn a_bounded_search_says_so() {
        let report = search(&Increment { threads: 3 }, 10);
        assert_eq!((report.states, report.complete), (10, false));
    }
}
