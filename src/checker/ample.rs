//! Partial-order reduction: where one actor's next move commutes with all that the others may still
//! do, the search follows that move alone (a persistent set of one actor; Godefroid 1996, Peled
//! 1993).
//!
//! The remaining moves of the others are learned, not declared: for each local state of an actor,
//! the slots that its moves touch, and the local states they lead to. A pass of the search relies
//! on what the passes before it learned; where it finds that an actor can do more than it relied
//! on, the search is run again. A local state of which nothing was known counts as able to do
//! anything.

use std::collections::HashMap;

use super::components::{Answer, Components, Query};
use super::memo::{Memo, Slots};
use ground::mutant::{Mutant, is_on};

/// The slots that an actor may read and write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Touch {
    reads: Slots,
    writes: Slots,
}

impl Touch {
    fn and(self, other: Touch) -> Touch {
        Touch { reads: self.reads.and(other.reads), writes: self.writes.and(other.writes) }
    }

    /// Returns true if the order of two steps with these accesses could make a difference.
    fn conflicts(self, other: Touch) -> bool {
        let others =
            if is_on(Mutant::AmpleReads) { other.writes } else { other.reads.and(other.writes) };
        self.writes.meets(others) || self.reads.meets(other.writes) && !is_on(Mutant::AmpleReads)
    }
}

/// What is known of a local state of an actor.
#[derive(Debug, Default)]
struct Local {
    /// The slots touched by the moves from this local state.
    own: Touch,
    leads_to: Vec<u32>,
    /// The slots touched by the moves from here and from all local states that follow. Passes so
    /// far have relied on it; `None` before the first.
    future: Option<Touch>,
}

/// The known futures of the actors, and the slots that conditions read.
#[derive(Debug)]
pub(super) struct Ample {
    /// Local states by actor, then by the component in its home slot; an actor without a home has
    /// component 0 only.
    locals: Vec<HashMap<u32, Local>>,
    /// By actor, the local states into which another actor's move can put it.
    put_into: Vec<Vec<u32>>,
    /// The slots that conditions read.
    visible: Slots,
    visible_facts: Vec<(u16, u16)>,
    /// A condition read more than the last pass relied on.
    sees_more: bool,
}

/// Returns the actor's local state for which a leaf was computed.
fn local_of<C: Components>(model: &C, actor: usize, reads: &[(Query, Answer)]) -> u32 {
    let home = model.home(actor);
    let read = reads.iter().find_map(|(query, answer)| match (query, answer) {
        (Query::Slot(slot), Answer::One(component)) if home == Some((*slot).into()) => {
            Some(*component)
        }
        _ => None,
    });
    read.unwrap_or(0)
}

impl Ample {
    pub fn new(actors: usize) -> Ample {
        Ample {
            locals: (0..actors).map(|_| HashMap::new()).collect(),
            put_into: vec![Vec::new(); actors],
            visible: Slots::default(),
            visible_facts: Vec::new(),
            sees_more: false,
        }
    }

    /// Notes what a leaf of `actor` does.
    pub fn learn<C: Components>(
        &mut self,
        model: &C,
        memo: &Memo<C::Action>,
        actor: usize,
        reads: &[(Query, Answer)],
        leaf: u32,
    ) {
        let looked_at = memo.reads[leaf as usize];
        let leaf = &memo.leaves[leaf as usize];
        let from = local_of(model, actor, reads);
        let moves = &memo.moves[leaf.first as usize..(leaf.first + leaf.count) as usize];
        let local = self.locals[actor].entry(from).or_default();
        // Reads that kept it from moving count too: had it come first, it might have moved.
        local.own.reads = local.own.reads.and(looked_at);
        for one in moves {
            local.own.writes = local.own.writes.and(one.touched);
        }
        for (slot, component) in moves.iter().flat_map(|one| &*one.writes) {
            for whose in (0..model.actors()).filter(|a| model.home(*a) == Some(*slot)) {
                let list = if whose == actor {
                    &mut self.locals[actor].entry(from).or_default().leads_to
                } else {
                    &mut self.put_into[whose]
                };
                if !list.contains(component) {
                    list.push(*component);
                }
            }
        }
    }

    /// Notes what a condition reads.
    pub fn see(&mut self, reads: &[(Query, Answer)]) {
        for (query, _) in reads {
            let slots = match *query {
                Query::Slot(slot) => Slots::of(slot.into()),
                Query::Any(_) | Query::Where(_) | Query::Which(_) | Query::Each(_) => Slots::ALL,
                Query::Fact(lens, slot) => {
                    if !self.visible_facts.contains(&(lens, slot)) {
                        self.visible_facts.push((lens, slot));
                        self.sees_more = true;
                    }
                    continue;
                }
            };
            self.sees_more |= self.visible.and(slots) != self.visible;
            self.visible = self.visible.and(slots);
        }
    }

    /// Recomputes all futures from what was learned. Returns true if a pass relied on less than
    /// that: then the search has to be run again.
    pub fn refine(&mut self) -> bool {
        let mut again = std::mem::take(&mut self.sees_more);
        for (locals, put_into) in self.locals.iter_mut().zip(&self.put_into) {
            let known: Vec<u32> = locals.keys().copied().collect();
            for component in known {
                let future = closure(locals, put_into, component);
                if let Some(local) = locals.get_mut(&component) {
                    again |= local.future.is_some_and(|relied_on| relied_on != future);
                    local.future = Some(future);
                }
            }
        }
        again
    }

    fn future(&self, actor: usize, local: u32) -> Option<Touch> {
        self.locals[actor].get(&local)?.future
    }

    /// Returns the actors that can be followed alone, without the moves of the others. `leaves` are
    /// the actors' answers, `component` gives the component in a slot of this state.
    pub fn choose<C: Components>(
        &self,
        model: &mut C,
        memo: &Memo<C::Action>,
        leaves: &[u32],
        component: impl Fn(usize) -> u32,
    ) -> Vec<usize> {
        let local = |actor: usize| model.home(actor).map_or(0, &component);
        let futures: Vec<Option<Touch>> =
            (0..leaves.len()).map(|actor| self.future(actor, local(actor))).collect();
        let commutes = |actor: usize, touch: Touch| {
            (0..leaves.len()).all(|other| {
                other == actor
                    || model.gives_way(other)
                    || match futures[other] {
                        Some(future) => !touch.conflicts(future),
                        None => is_on(Mutant::AmpleUnknown),
                    }
            })
        };
        let mut candidates = Vec::new();
        for (actor, number) in leaves.iter().enumerate() {
            let leaf = &memo.leaves[*number as usize];
            let moves = &memo.moves[leaf.first as usize..(leaf.first + leaf.count) as usize];
            let writes = moves.iter().fold(Slots::default(), |all, one| all.and(one.touched));
            let touch = Touch { reads: memo.reads[*number as usize], writes };
            // One that need not act would leave out that it does not.
            let may_be_alone = leaf.fair > 0;
            let is_seen = writes.meets(self.visible) && !is_on(Mutant::AmpleVisible);
            if may_be_alone && !is_seen && commutes(actor, touch) {
                candidates.push(actor);
            }
        }
        candidates.retain(|actor| {
            let leaf = &memo.leaves[leaves[*actor] as usize];
            let moves = &memo.moves[leaf.first as usize..(leaf.first + leaf.count) as usize];
            let mut writes = moves.iter().flat_map(|one| &*one.writes);
            is_on(Mutant::AmpleVisible)
                || writes.all(|&(slot, new)| {
                    let mut facts =
                        self.visible_facts.iter().filter(|(_, s)| usize::from(*s) == slot);
                    facts.all(|&(lens, _)| {
                        model.fact(lens, slot, new) == model.fact(lens, slot, component(slot))
                    })
                })
        });
        candidates
    }
}

/// Returns the slots that can be touched from the local state `component` on.
fn closure(locals: &HashMap<u32, Local>, put_into: &[u32], component: u32) -> Touch {
    let mut todo = vec![component];
    todo.extend_from_slice(put_into);
    let mut seen = todo.clone();
    let mut touch = Touch::default();
    while let Some(component) = todo.pop() {
        let Some(local) = locals.get(&component) else { continue };
        touch = touch.and(local.own);
        for next in &local.leads_to {
            if !seen.contains(next) {
                seen.push(*next);
                todo.push(*next);
            }
        }
    }
    touch
}
