//! The contract between a model and the search ([`Components`]), made so that the search can be
//! fast: a state is a row of *slots*, each holding the number of an *interned* component (a key's
//! value, a client's local state, a clock).
//!
//! A step of an actor depends on few slots. The model reads them through a [`View`], which records
//! them. The answer then holds for every state that agrees in those slots, so the model (an
//! interpreter, say) runs a few hundred times for millions of states.

use std::fmt::Debug;
use std::hash::Hash;

/// A system whose state is a row of interned components.
///
/// # Contract
/// - Every answer is a function of what was read through the view. So is the next read, but for a
///   model that has found out what it need not read: from where the reads differ, earlier answers
///   are forgotten.
/// - Slots and components may become more while the search runs. A slot that comes later holds
///   component 0 in every state met before.
pub trait Components {
    type Action: Copy + Eq + Hash + Debug;

    /// The number of slots now.
    fn slots(&self) -> usize;
    /// The number of components known in `slot`; they are numbered from 0.
    fn components(&self, slot: usize) -> u32;
    /// Returns the initial state, one component per slot. Where [`Components::is_outdated`], the
    /// model first applies what it has learned since; slots and components are numbered anew then.
    fn initial(&mut self) -> Vec<u32>;
    /// True if the model has found that different states were taken for one. All results so far are
    /// void then, and the search begins again.
    fn is_outdated(&self) -> bool {
        false
    }
    /// True if moves were left out because there were too many. A state that was not found may
    /// exist then.
    fn is_partial(&self) -> bool {
        false
    }

    /// The number of actors. An actor's moves are alternatives; fairness is towards actors.
    fn actors(&self) -> usize;
    /// Returns true if the actor is fair: it must act eventually if it always can. (Faults need not
    /// happen, so a run may end where only they could act.)
    fn is_fair(&self, _actor: usize) -> bool {
        true
    }
    /// The slot that holds the actor's own local state, if there is one.
    fn home(&self, _actor: usize) -> Option<usize> {
        None
    }
    /// Returns true if the actor acts only when no other fair one can (time, which waits for all).
    fn gives_way(&self, _actor: usize) -> bool {
        false
    }
    /// Returns true if the slot is a budget: it counts what may still happen, and its components
    /// are numbered by what is left. Of two states that are equal in all other slots, the one with
    /// no less in each budget can do whatever the other one can; conditions do not read budgets,
    /// and whether a fair actor can move does not depend on them.
    fn is_budget(&self, _slot: usize) -> bool {
        false
    }
    /// The budget that counts how often this actor may still act, if there is one: the actor has no
    /// moves where that slot holds component 0.
    fn spends(&self, _actor: usize) -> Option<usize> {
        None
    }
    /// Grows when earlier answers may have missed something that no state had until now. They are
    /// forgotten then, and the present question is asked again.
    fn epoch(&self) -> u32 {
        0
    }
    /// Appends what `actor` can do, in a fixed order.
    fn moves(&mut self, actor: usize, view: &mut View, out: &mut Vec<Move<Self::Action>>);

    /// The number of conditions.
    fn conditions(&self) -> usize;
    fn holds(&mut self, condition: usize, view: &mut View) -> bool;
    /// Returns true if a run may end here. Elsewhere a state without moves is a deadlock.
    fn may_end(&mut self, _view: &mut View) -> bool {
        true
    }

    /// Returns a fact about a component, a projection of it: "is runnable", "its global `sold`". An
    /// answer that read only the fact holds for more states than one that read the component.
    fn fact(&mut self, _lens: u16, _slot: usize, _component: u32) -> u32 {
        0
    }

    /// False if [`Components::canonical`] turned out to be unsound. Asked whenever a search begins,
    /// or begins again.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// Replaces `state` by the representative of its symmetry class (a renaming of equal actors),
    /// and reports the renaming: `renaming[old] = new`. Returns false if nothing was changed.
    fn canonical(&mut self, _state: &mut Vec<u32>, _renaming: &mut Vec<usize>) -> bool {
        false
    }

    /// Sets the state whose successors the next calls of [`Components::canonical_after`] are about.
    fn depart(&mut self, _state: &[u32]) {}

    /// Returns true if all moves of this actor in that state equal, up to a renaming, moves of an
    /// actor before it.
    fn repeats(&self, _actor: usize) -> bool {
        false
    }

    /// [`Components::canonical`] for the successor of `state` by these writes: returns in `besides`
    /// what else has to be written.
    fn canonical_after(
        &mut self,
        state: &[u32],
        writes: &[(usize, u32)],
        besides: &mut Vec<(usize, u32)>,
    ) {
        let mut next = state.to_vec();
        writes.iter().for_each(|&(slot, component)| next[slot] = component);
        let mut canonical = next.clone();
        self.canonical(&mut canonical, &mut Vec::new());
        let changed =
            canonical.into_iter().enumerate().filter(|&(slot, component)| component != next[slot]);
        besides.clear();
        besides.extend(changed);
    }

    /// Returns `action` as an action of the renamed actor.
    fn rename(&self, action: Self::Action, _renaming: &[usize]) -> Self::Action {
        action
    }
}

/// A move: one thing that an actor can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move<A> {
    pub action: A,
    /// The slots that change, with the components they hold afterwards.
    pub writes: Vec<(usize, u32)>,
}

/// Checks what a model says that `actor` can do in `state`, before it is remembered for other
/// states: slots and components that there are, each slot once, and budgets that only shrink.
pub(super) fn check_moves<C: Components>(
    model: &C,
    actor: usize,
    state: &[u32],
    moves: &[Move<C::Action>],
) {
    if !cfg!(debug_assertions) {
        return;
    }
    let held = |slot: usize| state.get(slot).copied().unwrap_or(0);
    let may_act = model.spends(actor).is_none_or(|budget| held(budget) > 0);
    debug_assert!(may_act || moves.is_empty(), "actor {actor} acts though its budget is spent");
    for Move { action, writes } in moves {
        for (at, &(slot, component)) in writes.iter().enumerate() {
            debug_assert!(slot < model.slots(), "{action:?} writes slot {slot}, which is none");
            debug_assert!(
                component < model.components(slot),
                "{action:?} writes component {component} into slot {slot}, which has no such one"
            );
            let is_again = writes[..at].iter().any(|(other, _)| *other == slot);
            debug_assert!(!is_again, "{action:?} writes slot {slot} twice");
            let has_risen = model.is_budget(slot) && component > held(slot);
            debug_assert!(!has_risen, "{action:?} raises budget {slot}");
        }
    }
}

/// A state as a model reads it; it records the reads.
#[derive(Debug)]
pub struct View<'s> {
    state: &'s [u32],
    reads: Vec<(Query, Answer)>,
}

/// A question to a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Query {
    /// The component in a slot.
    Slot(u16),
    /// A fact about the component in a slot.
    Fact(u16, u16),
    /// True if any slot has a non-zero fact in this lens.
    Any(u16),
    /// All slots with a non-zero fact, each with its component.
    Where(u16),
    /// All slots with a non-zero fact, without their components.
    Which(u16),
    /// All slots with a non-zero fact, each with the fact.
    Each(u16),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    One(u32),
    Many(Box<[(u16, u32)]>),
}

impl<'s> View<'s> {
    pub fn new(state: &'s [u32]) -> Self {
        View { state, reads: Vec::new() }
    }

    pub(super) fn into_reads(self) -> Vec<(Query, Answer)> {
        self.reads
    }

    /// Reads the component in `slot`; a slot that did not exist when the state was met holds
    /// component 0.
    pub fn slot(&mut self, slot: usize) -> u32 {
        let component = self.component(slot);
        self.note(Query::Slot(slot as u16), Answer::One(component));
        component
    }

    /// Reads a fact about the component in `slot`.
    pub fn fact<C: Components>(&mut self, model: &mut C, lens: u16, slot: usize) -> u32 {
        let fact = model.fact(lens, slot, self.component(slot));
        self.note(Query::Fact(lens, slot as u16), Answer::One(fact));
        fact
    }

    /// Returns true if the fact is other than 0 for any slot.
    pub fn any<C: Components>(&mut self, model: &mut C, lens: u16) -> bool {
        let mut slots = 0..self.state.len();
        let any = slots.any(|slot| model.fact(lens, slot, self.component(slot)) != 0);
        self.note(Query::Any(lens), Answer::One(any.into()));
        any
    }

    /// Returns the slots whose fact is other than 0, each with its component.
    pub fn find<C: Components>(&mut self, model: &mut C, lens: u16) -> Vec<(usize, u32)> {
        let all = (0..self.state.len()).map(|slot| (slot, self.component(slot)));
        let found: Vec<_> =
            all.filter(|&(slot, component)| model.fact(lens, slot, component) != 0).collect();
        let noted = found.iter().map(|&(slot, component)| (slot as u16, component)).collect();
        self.note(Query::Where(lens), Answer::Many(noted));
        found
    }

    /// Returns the slots whose fact is other than 0. Their components count as not read.
    pub fn which<C: Components>(&mut self, model: &mut C, lens: u16) -> Vec<usize> {
        let all = 0..self.state.len();
        let found: Vec<usize> =
            all.filter(|&slot| model.fact(lens, slot, self.component(slot)) != 0).collect();
        let noted = found.iter().map(|&slot| (slot as u16, 0)).collect();
        self.note(Query::Which(lens), Answer::Many(noted));
        found
    }

    /// Returns the slots whose fact is other than 0, each with the fact.
    pub fn each<C: Components>(&mut self, model: &mut C, lens: u16) -> Vec<(usize, u32)> {
        let all = 0..self.state.len();
        let facts = all.map(|slot| (slot, model.fact(lens, slot, self.component(slot))));
        let found: Vec<(usize, u32)> = facts.filter(|(_, fact)| *fact != 0).collect();
        let noted = found.iter().map(|&(slot, fact)| (slot as u16, fact)).collect();
        self.note(Query::Each(lens), Answer::Many(noted));
        found
    }

    fn component(&self, slot: usize) -> u32 {
        self.state.get(slot).copied().unwrap_or(0)
    }

    /// Records a read, once.
    fn note(&mut self, query: Query, answer: Answer) {
        if !self.reads.iter().any(|(known, _)| *known == query) {
            self.reads.push((query, answer));
        }
    }
}
