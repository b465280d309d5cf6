//! The schedulable actors of a state: all but those whose budget is used up.
//!
//! With many kinds of faults allowed, most actors are faults and most budgets are spent, so the
//! lists of actors are computed once for each set of spent budgets. [`Components::spends`] names an
//! actor's budget.

use super::components::Components;
use super::layout::{BitField, Layout};
use ground::mutant::{Mutant, is_on};

/// The most budgets for which lists are kept: one list for each set of spent ones.
const SLOTS_MAX: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Turns {
    /// Where the budgets lie in a packed state.
    fields: Vec<BitField>,
    /// By set of used-up budgets (a bit each), the actors that remain, in order.
    lists: Vec<Box<[Turn]>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    pub actor: usize,
    /// [`Components::gives_way`].
    pub gives_way: bool,
}

impl Turns {
    pub fn new<C: Components>(model: &C, layout: &Layout) -> Turns {
        let spent: Vec<Option<usize>> = (0..model.actors()).map(|at| model.spends(at)).collect();
        let mut slots: Vec<usize> = spent.iter().flatten().copied().collect();
        slots.sort_unstable();
        slots.dedup();
        let are_budgets = slots.iter().all(|slot| model.is_budget(*slot));
        debug_assert!(are_budgets, "an actor spends what is no budget");
        slots.truncate(SLOTS_MAX);
        let acts = |actor: usize, used_up: usize| {
            let bit = spent[actor].and_then(|slot| slots.iter().position(|own| *own == slot));
            bit.is_none_or(|bit| used_up & 1 << bit == 0)
        };
        let turn = |actor| Turn { actor, gives_way: model.gives_way(actor) };
        let list =
            |used_up| (0..spent.len()).filter(|actor| acts(*actor, used_up)).map(turn).collect();
        Turns {
            lists: (0..1 << slots.len()).map(list).collect(),
            fields: slots.into_iter().map(|slot| layout.field(slot)).collect(),
        }
    }

    /// Returns the number of the list for this state.
    #[inline(always)]
    pub fn of(&self, state: &[u64]) -> usize {
        let bits = self.fields.iter().enumerate();
        let least = u32::from(is_on(Mutant::TurnsShort));
        bits.fold(0, |set, (bit, field)| set | usize::from(field.get(state) <= least) << bit)
    }

    /// Returns the number of the list of actors that use up no budget.
    pub fn for_nothing(&self) -> usize {
        self.lists.len() - 1
    }

    /// Returns the actors of a list.
    #[inline(always)]
    pub fn list(&self, number: usize) -> &[Turn] {
        &self.lists[number]
    }
}
