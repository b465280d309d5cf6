//! Adapts any [`Model`] with whole states to [`Components`]: one slot, which holds the state.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;

use super::components::{Components, Move, View};

/// A system that moves from state to state by actions.
pub trait Model {
    type State: Clone + Eq + Hash + Debug;
    type Action: Copy + Eq + Hash + Debug;

    fn initial(&self) -> Self::State;
    /// Appends the actions possible in `state`, in a fixed order.
    fn actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);
    /// Returns the state after `action`, or `None` where the model leaves it out.
    fn next(&self, state: &Self::State, action: Self::Action) -> Option<Self::State>;
    /// The number of conditions.
    fn conditions(&self) -> usize;
    /// Returns true if condition `index` holds in `state`.
    fn holds(&self, index: usize, state: &Self::State) -> bool;

    /// The number of actors, for fairness.
    fn actors(&self) -> usize {
        1
    }
    /// Returns the actor of an action.
    fn actor(&self, _action: Self::Action) -> usize {
        0
    }
    /// Returns true if a run may end here.
    fn may_end(&self, _state: &Self::State) -> bool {
        true
    }
    /// Returns the representative of the state's symmetry class, and the renaming of equal actors
    /// that leads to it: `renaming[old] = new`.
    fn canonical(&self, _state: &Self::State, _renaming: &mut Vec<usize>) -> Option<Self::State> {
        None
    }
    /// Returns `action` as an action of the renamed actor.
    fn rename(&self, action: Self::Action, _renaming: &[usize]) -> Self::Action {
        action
    }
}

/// A [`Model`] as [`Components`]: its states are the components of the only slot.
#[derive(Debug)]
pub struct Whole<M: Model> {
    model: M,
    states: Vec<M::State>,
    numbers: HashMap<M::State, u32>,
}

impl<M: Model> Whole<M> {
    pub fn new(model: M) -> Whole<M> {
        Whole { model, states: Vec::new(), numbers: HashMap::new() }
    }

    /// Returns the state that is component `number`.
    pub fn state(&self, number: u32) -> &M::State {
        &self.states[number as usize]
    }

    fn number(&mut self, state: M::State) -> u32 {
        let states = &mut self.states;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            states.push(state.clone());
            states.len() as u32 - 1
        })
    }
}

impl<M: Model> Components for Whole<M> {
    type Action = M::Action;

    fn slots(&self) -> usize {
        1
    }

    fn components(&self, _slot: usize) -> u32 {
        self.states.len() as u32
    }

    fn initial(&mut self) -> Vec<u32> {
        let initial = self.model.initial();
        vec![self.number(initial)]
    }

    fn actors(&self) -> usize {
        self.model.actors()
    }

    fn home(&self, _actor: usize) -> Option<usize> {
        Some(0)
    }

    fn moves(&mut self, actor: usize, view: &mut View, out: &mut Vec<Move<M::Action>>) {
        let state = self.states[view.slot(0) as usize].clone();
        let mut actions = Vec::new();
        self.model.actions(&state, &mut actions);
        for action in actions {
            if self.model.actor(action) == actor
                && let Some(next) = self.model.next(&state, action)
            {
                let writes = vec![(0, self.number(next))];
                out.push(Move { action, writes });
            }
        }
    }

    fn conditions(&self) -> usize {
        self.model.conditions()
    }

    fn holds(&mut self, condition: usize, view: &mut View) -> bool {
        self.model.holds(condition, &self.states[view.slot(0) as usize])
    }

    fn may_end(&mut self, view: &mut View) -> bool {
        self.model.may_end(&self.states[view.slot(0) as usize])
    }

    fn canonical(&mut self, state: &mut Vec<u32>, renaming: &mut Vec<usize>) -> bool {
        let canonical = self.model.canonical(&self.states[state[0] as usize], renaming);
        match canonical {
            Some(canonical) => {
                state[0] = self.number(canonical);
                true
            }
            None => false,
        }
    }

    fn rename(&self, action: M::Action, renaming: &[usize]) -> M::Action {
        self.model.rename(action, renaming)
    }
}
