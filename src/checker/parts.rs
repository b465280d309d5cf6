//! The contract between a model and the search ([`Parts`]), made so that the search can be fast: a
//! state is a row of *slots*, each holding the number of an *interned* part (a key's value, a
//! client's local state, a clock).
//!
//! A step of an actor depends on few slots, and the model says on which by reading them through a
//! [`View`]. What it answered is then known for every state that agrees in those slots, so the
//! model (an interpreter, say) runs a few hundred times for millions of states.

use std::fmt::Debug;
use std::hash::Hash;

/// A system whose state is a row of interned parts.
///
/// # Contract
/// - Every answer is a function of what was read through the view, in an order that itself depends
///   on nothing else.
/// - Slots and parts may become more while the search runs. A slot that comes later holds part 0 in
///   every state met before.
pub trait Parts {
    type Action: Copy + Eq + Hash + Debug;

    /// How many slots there are now.
    fn slots(&self) -> usize;
    /// How many parts are known in `slot`; they are numbered from 0.
    fn parts(&self, slot: usize) -> u32;
    /// One part per slot. Where [`Parts::is_outdated`], the model first makes states of what it has
    /// learned since; slots and parts are numbered anew then.
    fn initial(&mut self) -> Vec<u32>;
    /// Has it shown that states were taken for one that are not? Then what was found so far counts
    /// for nothing, and the search begins again.
    fn is_outdated(&self) -> bool {
        false
    }
    /// Were moves left out, as there were too many? Then what was not found may be there.
    fn is_partial(&self) -> bool {
        false
    }

    /// The number of actors. An actor's moves are alternatives; fairness is towards actors.
    fn actors(&self) -> usize;
    /// Whether this actor must act in the end if it always can. (Faults need not happen, so a run
    /// may end where no other actor can act.)
    fn is_fair(&self, _actor: usize) -> bool {
        true
    }
    /// The slot in which this actor's own state lies, if one does.
    fn home(&self, _actor: usize) -> Option<usize> {
        None
    }
    /// Whether this actor acts only when no other fair one can (time, which waits for all).
    fn gives_way(&self, _actor: usize) -> bool {
        false
    }
    /// Does this slot only count what may still happen? Its parts are numbered by what is left. Of
    /// two states that are equal in all other slots, the one with no less in each of these can do
    /// whatever the other one can, conditions do not look at them, and whether a fair actor can
    /// move does not depend on them.
    fn is_budget(&self, _slot: usize) -> bool {
        false
    }
    /// The slot that counts how often this actor may still act, if there is one: it has no moves
    /// where that holds part 0.
    fn spends(&self, _actor: usize) -> Option<usize> {
        None
    }
    /// Grows when earlier answers may have left something out that no state had until now: they are
    /// forgotten, and the present question is asked again.
    fn epoch(&self) -> u32 {
        0
    }
    /// Appends what `actor` can do, in a fixed order.
    fn moves(&mut self, actor: usize, view: &mut View, out: &mut Vec<Move<Self::Action>>);

    /// How many conditions are watched.
    fn conditions(&self) -> usize;
    fn holds(&mut self, condition: usize, view: &mut View) -> bool;
    /// May a run end here? Elsewhere a state without moves is a deadlock.
    fn may_end(&mut self, _view: &mut View) -> bool {
        true
    }

    /// A fact about a part that is worth less than the whole part: "is runnable", "its global
    /// `sold`". Conditions and moves that read facts are known for more states.
    fn fact(&mut self, _lens: u16, _slot: usize, _part: u32) -> u32 {
        0
    }

    /// False where [`Parts::canonical`] turned out not to be sound: asked where a search begins,
    /// and begins again.
    fn is_symmetric(&self) -> bool {
        true
    }

    /// Brings `state` into the form that stands for all states that differ by a renaming of equal
    /// actors, and says which renaming that was: `renaming[old] = new` actor numbers. Returns false
    /// where nothing was changed.
    fn canonical(&mut self, _state: &mut Vec<u32>, _renaming: &mut Vec<usize>) -> bool {
        false
    }

    /// The states that [`Parts::canonical_after`] asks about follow from this one.
    fn depart(&mut self, _state: &[u32]) {}

    /// Are all moves of this actor in the state departed from, up to a renaming, moves that an
    /// actor before it has there?
    fn repeats(&self, _actor: usize) -> bool {
        false
    }

    /// [`Parts::canonical`] of what follows from `state` by these writes: what has to be written
    /// besides.
    fn canonical_after(
        &mut self,
        state: &[u32],
        writes: &[(usize, u32)],
        besides: &mut Vec<(usize, u32)>,
    ) {
        let mut next = state.to_vec();
        writes.iter().for_each(|&(slot, part)| next[slot] = part);
        let mut canonical = next.clone();
        self.canonical(&mut canonical, &mut Vec::new());
        let changed = canonical.into_iter().enumerate().filter(|&(slot, part)| part != next[slot]);
        besides.clear();
        besides.extend(changed);
    }

    /// `action` as the renamed actor's.
    fn rename(&self, action: Self::Action, _renaming: &[usize]) -> Self::Action {
        action
    }
}

/// One thing an actor can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move<A> {
    pub action: A,
    /// Slots and the parts they hold afterwards.
    pub writes: Vec<(usize, u32)>,
}

/// A state as a model reads it. What is read is noted down.
#[derive(Debug)]
pub struct View<'s> {
    state: &'s [u32],
    reads: Vec<(Query, Answer)>,
}

/// A question to a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Query {
    /// The part in a slot.
    Slot(u16),
    /// A fact about the part in a slot.
    Fact(u16, u16),
    /// Is this fact non-zero of any slot?
    Any(u16),
    /// All slots of whose parts this fact is non-zero, with the parts.
    Where(u16),
    /// The same without the parts.
    Which(u16),
    /// The same with the facts in place of the parts.
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

    /// The part in `slot`; a slot that did not exist when the state was met holds part 0.
    pub fn slot(&mut self, slot: usize) -> u32 {
        let part = self.part(slot);
        self.note(Query::Slot(slot as u16), Answer::One(part));
        part
    }

    /// A fact about the part in `slot`.
    pub fn fact<P: Parts>(&mut self, parts: &mut P, lens: u16, slot: usize) -> u32 {
        let fact = parts.fact(lens, slot, self.part(slot));
        self.note(Query::Fact(lens, slot as u16), Answer::One(fact));
        fact
    }

    /// Is the fact other than 0 for any slot?
    pub fn any<P: Parts>(&mut self, parts: &mut P, lens: u16) -> bool {
        let mut slots = 0..self.state.len();
        let any = slots.any(|slot| parts.fact(lens, slot, self.part(slot)) != 0);
        self.note(Query::Any(lens), Answer::One(any.into()));
        any
    }

    /// The slots of which the fact is other than 0, each with its part.
    pub fn find<P: Parts>(&mut self, parts: &mut P, lens: u16) -> Vec<(usize, u32)> {
        let all = (0..self.state.len()).map(|slot| (slot, self.part(slot)));
        let found: Vec<_> = all.filter(|&(slot, part)| parts.fact(lens, slot, part) != 0).collect();
        let noted = found.iter().map(|&(slot, part)| (slot as u16, part)).collect();
        self.note(Query::Where(lens), Answer::Many(noted));
        found
    }

    /// The slots of which the fact is other than 0, whatever else their parts are.
    pub fn which<P: Parts>(&mut self, parts: &mut P, lens: u16) -> Vec<usize> {
        let all = 0..self.state.len();
        let found: Vec<usize> =
            all.filter(|&slot| parts.fact(lens, slot, self.part(slot)) != 0).collect();
        let noted = found.iter().map(|&slot| (slot as u16, 0)).collect();
        self.note(Query::Which(lens), Answer::Many(noted));
        found
    }

    /// The slots of which the fact is other than 0, each with the fact.
    pub fn each<P: Parts>(&mut self, parts: &mut P, lens: u16) -> Vec<(usize, u32)> {
        let all = 0..self.state.len();
        let facts = all.map(|slot| (slot, parts.fact(lens, slot, self.part(slot))));
        let found: Vec<(usize, u32)> = facts.filter(|(_, fact)| *fact != 0).collect();
        let noted = found.iter().map(|&(slot, fact)| (slot as u16, fact)).collect();
        self.note(Query::Each(lens), Answer::Many(noted));
        found
    }

    fn part(&self, slot: usize) -> u32 {
        self.state.get(slot).copied().unwrap_or(0)
    }

    /// Reading twice is one read.
    fn note(&mut self, query: Query, answer: Answer) {
        if !self.reads.iter().any(|(known, _)| *known == query) {
            self.reads.push((query, answer));
        }
    }
}
