//! Memoised steps: the answers of the model, kept by what the model read to give them (the contract
//! is in [`super::components`]).
//!
//! For each question there is a decision tree, whose nodes are reads and whose leaves are answers.
//! A search walks a few edges where the model would have run an interpreter. An answer is exact: it
//! is used only for states that agree in everything that was read.

use super::components::{Answer, Components, Move, Query};
use super::layout::{BitField, Layout};
use super::shortcut::Shortcut;
use ground::hash::QuickMap;
use ground::mutant::{Mutant, is_on};

/// Slots read or written, for up to 128 of them. The last bit stands for all slots from 127 on, and
/// two sets that share it count as overlapping: too much is safe, too little is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Slots(pub u128);

impl Slots {
    pub const ALL: Slots = Slots(u128::MAX);

    pub fn of(slot: usize) -> Slots {
        Slots(1 << slot.min(127))
    }
    pub fn and(self, other: Slots) -> Slots {
        Slots(self.0 | other.0)
    }
    pub fn meets(self, other: Slots) -> bool {
        self.0 & other.0 != 0
    }
}

/// The model's answer for one actor: its moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    /// Its moves are `moves[first..first + count]`.
    pub first: u32,
    pub count: u32,
    /// The number of its moves that are of a fair actor: all or none.
    pub fair: u32,
    /// Where the masks of its first move begin; the masks of a no-op if it has none.
    pub masks: u32,
}

/// A move in packed form: bits to clear and bits to set. The masks lie in [`Memo::masks`].
#[derive(Debug, Clone)]
pub(super) struct Stored<A> {
    pub action: A,
    pub writes: Box<[(usize, u32)]>,
    pub touched: Slots,
}

/// The target of an edge: unknown (0), a node (its number + 1), or a leaf (marked by a bit).
pub(super) type Target = u32;
pub(super) const UNKNOWN: Target = 0;
const LEAF: Target = 1 << 31;

/// The kind of question a node asks.
#[derive(Debug, Clone, Copy)]
enum By {
    /// The component in the slot.
    Component,
    /// A fact about that component, stored in row `of` of the facts.
    Fact,
    /// The result of this overview.
    Overview,
}

/// How a node's edges are stored. Most nodes have one edge; nodes with many often have few of the
/// possible ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edges {
    /// No edge, or one: from answer `low` to `base`.
    One,
    /// By answer from `low` on: `edges[base..base + room]`.
    Row,
    /// The edges are in [`Memo::table`].
    Table,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    by: By,
    edges: Edges,
    /// The slot that is read, and its field in a packed state; an overview has none.
    slot: u16,
    field: BitField,
    of: u32,
    /// The number of edges.
    used: u32,
    low: u32,
    base: u32,
    room: u32,
}

impl Node {
    fn asks_for_slot(&self) -> bool {
        !matches!(self.by, By::Overview)
    }
}

/// A row may have this many times the room that its edges need, or else the edges go into the
/// table. Short rows are exempt.
const ROW_PER_EDGE: u32 = 8;
const SHORT_ROW: u32 = 16;

type Found = Box<[(u16, u32)]>;

/// The estimated bytes of a list: most lists name fewer than six slots.
const LIST_BYTES: usize = 64;

/// The facts of one lens.
#[derive(Debug, Clone, Default)]
struct Facts {
    /// By slot, the row in [`Memo::rows`].
    rows: Vec<u32>,
    /// The slots in which some component has a fact other than 0.
    telling: Vec<Telling>,
}

#[derive(Debug, Clone, Copy)]
struct Telling {
    slot: u16,
    field: BitField,
    row: u32,
}

/// A question about all slots. Many actors ask the same one of the same state, so its result is
/// computed once a state.
#[derive(Debug)]
struct Overview {
    query: Query,
    lens: u16,
    /// The lists that were results, numbered.
    lists: QuickMap<Found, u32>,
    /// The turn in which it was last evaluated, and the result.
    turn: u64,
    shown: u32,
}

/// The decision trees with their leaves and facts. Trees are numbered: the actors first, then the
/// conditions, then the tree for the end of a run.
#[derive(Debug)]
pub(super) struct Memo<A> {
    roots: Vec<Target>,
    /// The short cut of each tree.
    shortcuts: Vec<Shortcut>,
    nodes: Vec<Node>,
    edges: Vec<Target>,
    /// The edges of nodes of kind [`Edges::Table`], by node and answer.
    table: QuickMap<(u32, u32), Target>,
    overviews: Vec<Overview>,
    /// The number of the state that is looked at; each state gets another one.
    turn: u64,
    /// The facts by lens; empty for a lens that was never used.
    facts: Vec<Facts>,
    /// By row (a lens and a slot), the fact of each component.
    rows: Vec<Vec<u32>>,
    /// The lenses in use, and how many of them have their facts computed for all components.
    lenses: Vec<u16>,
    lenses_known: usize,
    /// By slot, the number of components whose facts are computed.
    known: Vec<u32>,
    pub leaves: Vec<Leaf>,
    /// By leaf, the slots read to compute it.
    pub reads: Vec<Slots>,
    pub moves: Vec<Stored<A>>,
    /// Masks to clear and masks to set, a state's width each: first those of a no-op, then those of
    /// each move.
    pub masks: Vec<u64>,
    /// The number of questions put to the model.
    pub asked: u64,
    /// A buffer that is reused.
    found: Vec<(u16, u32)>,
}

impl<A: Copy> Memo<A> {
    pub fn new(trees: usize) -> Memo<A> {
        Memo {
            roots: vec![UNKNOWN; trees],
            shortcuts: std::iter::repeat_with(Shortcut::default).take(trees).collect(),
            nodes: Vec::new(),
            edges: Vec::new(),
            table: QuickMap::default(),
            overviews: Vec::new(),
            turn: 1,
            facts: Vec::new(),
            rows: vec![Vec::new()],
            lenses: Vec::new(),
            lenses_known: 0,
            known: Vec::new(),
            leaves: Vec::new(),
            reads: Vec::new(),
            moves: Vec::new(),
            masks: Vec::new(),
            asked: 0,
            found: Vec::new(),
        }
    }

    /// Forgets which answer belongs to which state. Answers stay, as they may still be referred to.
    pub fn forget(&mut self) {
        self.roots.fill(UNKNOWN);
        self.shortcuts.iter_mut().for_each(Shortcut::forget);
        self.nodes.clear();
        self.edges.clear();
        self.table.clear();
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.edges.capacity() + self.masks.capacity() * 2) * 4
            + self.shortcuts.iter().map(Shortcut::bytes).sum::<usize>()
            + self.table.capacity() * (size_of::<((u32, u32), Target)>() + 1)
            + self.rows.iter().map(|row| row.capacity() * 4).sum::<usize>()
            + self.overviews.iter().map(|one| one.lists.capacity() * LIST_BYTES).sum::<usize>()
            + self.leaves.capacity() * size_of::<Leaf>()
            + self.moves.capacity() * size_of::<Stored<A>>()
    }

    /// Begins a turn for another state.
    #[inline(always)]
    pub fn turn_to_another(&mut self) {
        self.turn += u64::from(!is_on(Mutant::OverviewKept));
    }

    /// The leaf of `tree` for `state`, if the model was ever asked about such a state. For
    /// conditions a leaf is the answer: 0 or 1.
    #[inline(always)]
    pub fn look<const W: usize>(&mut self, tree: usize, state: &[u64; W]) -> Option<u32> {
        let found = match self.shortcuts[tree].get(state) {
            UNKNOWN => self.look_anew(tree, state),
            target if target & LEAF != 0 => Some(target & !LEAF),
            target => self.walk(target, state),
        };
        if cfg!(debug_assertions) && self.turn & 255 == 0 {
            let by_walk = self.walk(self.roots[tree], state);
            debug_assert_eq!(found, by_walk, "the short cut of tree {tree} leads elsewhere");
        }
        found
    }

    /// The same, but only if the short cut leads to a leaf.
    #[inline(always)]
    pub fn at_hand<const W: usize>(&self, tree: usize, state: &[u64; W]) -> Option<u32> {
        let target = self.shortcuts[tree].get(state);
        (target & LEAF != 0).then_some(target & !LEAF)
    }

    /// Walks where the short cut knows no target, and enters the target there.
    #[inline(never)]
    fn look_anew<const W: usize>(&mut self, tree: usize, state: &[u64; W]) -> Option<u32> {
        let mut target = self.roots[tree];
        while target & LEAF == 0 {
            let number = target.wrapping_sub(1);
            let node = *self.nodes.get(number as usize)?;
            if !node.asks_for_slot() || !self.shortcuts[tree].has(node.slot) {
                break;
            }
            let answer = self.answer(&node, state)?;
            target = self.edge(&node, number, answer);
        }
        self.shortcuts[tree].set(state, target);
        self.walk(target, state)
    }

    /// [`Memo::look`] for callers whose speed does not matter; it may be called for any state.
    pub fn look_any(&mut self, tree: usize, state: &[u64]) -> Option<u32> {
        self.turn_to_another();
        self.walk(self.roots[tree], state)
    }

    /// Returns the leaf that a walk from `target` reaches.
    fn walk(&mut self, mut target: Target, state: &[u64]) -> Option<u32> {
        while target & LEAF == 0 {
            let number = target.wrapping_sub(1);
            let node = *self.nodes.get(number as usize)?;
            let answer = self.answer(&node, state)?;
            target = self.edge(&node, number, answer);
        }
        Some(target & !LEAF)
    }

    #[inline(always)]
    fn answer(&mut self, node: &Node, state: &[u64]) -> Option<u32> {
        match node.by {
            By::Component => Some(node.field.get(state)),
            By::Fact => fact(&self.rows, node.of, node.field, state),
            By::Overview => self.overview(node.of as usize, state),
        }
    }

    /// Returns whether an overview finds anything, or the number of its list. `None` if a fact is
    /// not known yet.
    #[inline(always)]
    fn overview(&mut self, number: usize, state: &[u64]) -> Option<u32> {
        let overview = &self.overviews[number];
        match overview.turn == self.turn {
            true => Some(overview.shown),
            false => self.look_over(number, state),
        }
    }

    fn look_over(&mut self, number: usize, state: &[u64]) -> Option<u32> {
        let overview = &mut self.overviews[number];
        let facts = self.facts.get(usize::from(overview.lens))?;
        let facts = facts.telling.iter().map(|one| {
            let component = one.field.get(state);
            fact(&self.rows, one.row, one.field, state).map(|fact| (one.slot, component, fact))
        });
        self.found.clear();
        for fact in facts {
            let (slot, component, fact) = fact?;
            if fact != 0 {
                let shown = match overview.query {
                    Query::Where(_) => component,
                    Query::Each(_) => fact,
                    _ => 0,
                };
                self.found.push((slot, shown));
            }
        }
        overview.shown = match overview.query {
            Query::Any(_) => u32::from(!self.found.is_empty()),
            _ => number_of(&mut overview.lists, &self.found),
        };
        overview.turn = self.turn;
        Some(overview.shown)
    }

    /// Notes the lenses of these reads as in use.
    pub fn note_lenses(&mut self, reads: &[(Query, Answer)]) {
        for (query, _) in reads {
            match *query {
                Query::Slot(_) => {}
                Query::Fact(lens, _)
                | Query::Any(lens)
                | Query::Where(lens)
                | Query::Which(lens)
                | Query::Each(lens) => {
                    if !self.lenses.contains(&lens) {
                        self.lenses.push(lens);
                        at_least(&mut self.facts, usize::from(lens) + 1);
                    }
                }
            }
        }
    }

    /// Returns true if the facts of this component are computed.
    pub fn knows(&self, slot: usize, component: u32) -> bool {
        self.known.get(slot).is_some_and(|known| component < *known)
    }

    /// Learns the facts of all components there are, in the lenses in use; true where some were
    /// new.
    pub fn learn_facts<C: Components>(&mut self, model: &mut C, layout: &Layout) -> bool {
        let all_lenses = std::mem::replace(&mut self.lenses_known, self.lenses.len());
        let mut any = all_lenses < self.lenses.len();
        for slot in 0..model.slots() {
            let count = model.components(slot);
            let known = std::mem::replace(&mut at_least(&mut self.known, slot + 1)[slot], count);
            if known == count && all_lenses == self.lenses.len() {
                continue;
            }
            any = true;
            for one in self.shortcuts.iter_mut().filter(|one| one.is_outgrown(slot, count)) {
                if is_on(Mutant::ShortcutOutgrown) {
                    break;
                }
                one.make(layout, |slot| model.components(slot));
            }
            for lens in &self.lenses {
                let facts = &mut self.facts[usize::from(*lens)];
                let row = row_of(&mut self.rows, facts, slot);
                let of = &mut self.rows[row as usize];
                let mut tells = false;
                for component in of.len() as u32..count {
                    let is_forgotten = is_on(Mutant::FactForgotten) && known > 0;
                    let fact = if is_forgotten { 0 } else { model.fact(*lens, slot, component) };
                    of.push(fact);
                    tells |= fact != 0;
                }
                let slot = slot as u16;
                if tells && let Err(at) = facts.telling.binary_search_by_key(&slot, |one| one.slot)
                {
                    let field = layout.field(slot.into());
                    facts.telling.insert(at, Telling { slot, field, row });
                }
            }
        }
        // Overviews of this turn were evaluated without the new facts.
        if any {
            self.turn_to_another();
        }
        any
    }

    /// Stores an answer of the model under the reads that led to it. Where an earlier answer read
    /// something else at some place, the model has since found out what it need not read again: the
    /// new question takes the place of the old one.
    pub fn learn(&mut self, tree: usize, reads: &[(Query, Answer)], leaf: u32, layout: &Layout) {
        self.asked += 1;
        for (query, _) in reads {
            if let Query::Slot(slot) | Query::Fact(_, slot) = query
                && self.shortcuts[tree].note(*slot)
            {
                let known = &self.known;
                self.shortcuts[tree].make(layout, |slot| known.get(slot).copied().unwrap_or(0));
            }
        }
        let mut spot = Spot::Root(tree);
        for (query, answer) in reads {
            let mut target = self.target(&spot);
            if !self.asks(target, *query) {
                if target != UNKNOWN {
                    // It may lead to the old question.
                    self.shortcuts[tree].forget();
                }
                let node = self.new_node(*query, layout);
                self.nodes.push(node);
                target = self.nodes.len() as Target;
                self.set_target(&spot, target);
            }
            let node = target - 1;
            let answer = match answer {
                Answer::One(answer) => *answer,
                Answer::Many(found) => {
                    let of = self.nodes[node as usize].of;
                    number_of(&mut self.overviews[of as usize].lists, found)
                }
            };
            spot = Spot::Edge(node, answer);
        }
        debug_assert!(leaf < LEAF && self.nodes.len() < LEAF as usize, "targets have 31 bits");
        let known = self.target(&spot);
        if known != UNKNOWN && known & LEAF == 0 {
            self.shortcuts[tree].forget();
        }
        self.set_target(&spot, LEAF | leaf);
    }

    /// Returns true if the target is a node that asks this.
    fn asks(&self, target: Target, query: Query) -> bool {
        let Some(node) = self.nodes.get(target.wrapping_sub(1) as usize) else { return false };
        match (node.by, query) {
            (By::Component, Query::Slot(slot)) => node.slot == slot,
            (By::Fact, Query::Fact(lens, slot)) => {
                let row = self.facts[usize::from(lens)].rows.get(usize::from(slot));
                node.slot == slot && row == Some(&node.of)
            }
            (By::Overview, query) => self.overviews[node.of as usize].query == query,
            _ => false,
        }
    }

    fn new_node(&mut self, query: Query, layout: &Layout) -> Node {
        let (by, of, slot) = match query {
            Query::Slot(slot) => (By::Component, 0, slot),
            Query::Fact(lens, slot) => {
                let facts = &mut self.facts[usize::from(lens)];
                (By::Fact, row_of(&mut self.rows, facts, slot.into()), slot)
            }
            Query::Any(lens) | Query::Where(lens) | Query::Which(lens) | Query::Each(lens) => {
                (By::Overview, self.overview_of(query, lens), 0)
            }
        };
        let field = layout.field(slot.into());
        Node { by, edges: Edges::One, slot, field, of, used: 0, low: 0, base: UNKNOWN, room: 0 }
    }

    /// Returns the number of an overview, added if it is new.
    fn overview_of(&mut self, query: Query, lens: u16) -> u32 {
        let known = self.overviews.iter().position(|one| one.query == query);
        let number = known.unwrap_or_else(|| {
            let lists = QuickMap::default();
            self.overviews.push(Overview { query, lens, lists, turn: 0, shown: 0 });
            self.overviews.len() - 1
        });
        number as u32
    }

    fn target(&self, spot: &Spot) -> Target {
        match *spot {
            Spot::Root(tree) => self.roots[tree],
            Spot::Edge(node, answer) => self.edge(&self.nodes[node as usize], node, answer),
        }
    }

    /// Returns the target of the edge for `answer` from node `number`.
    #[inline(always)]
    fn edge(&self, node: &Node, number: u32, answer: u32) -> Target {
        match node.edges {
            Edges::One if answer == node.low => node.base,
            Edges::Row if answer.wrapping_sub(node.low) < node.room => {
                self.edges[(node.base + (answer - node.low)) as usize]
            }
            Edges::Table => self.table.get(&(number, answer)).copied().unwrap_or(UNKNOWN),
            _ => UNKNOWN,
        }
    }

    fn set_target(&mut self, spot: &Spot, target: Target) {
        let (number, answer) = match *spot {
            Spot::Root(tree) => return self.roots[tree] = target,
            Spot::Edge(node, answer) => (node, answer),
        };
        let is_new = self.target(spot) == UNKNOWN;
        let node = &mut self.nodes[number as usize];
        node.used += u32::from(is_new);
        if node.edges == Edges::One && node.used == 1 {
            (node.low, node.base) = (answer, target);
            return;
        }
        if is_new && node.edges != Edges::Table {
            self.make_room(number as usize, answer);
        }
        let node = &self.nodes[number as usize];
        match node.edges {
            Edges::Table => {
                self.table.insert((number, answer), target);
            }
            _ => self.edges[(node.base + (answer - node.low)) as usize] = target,
        }
    }

    /// Makes room for an edge for `answer`, in the node's row or in the table. A row doubles when
    /// it moves, and leaves its old place empty.
    fn make_room(&mut self, number: usize, answer: u32) {
        let Node { edges, used, low, base, room, .. } = self.nodes[number];
        let known: Vec<(u32, Target)> = match edges {
            Edges::One => vec![(low, base)],
            _ if answer.wrapping_sub(low) < room => return,
            _ => (0..room).map(|at| (low + at, self.edges[(base + at) as usize])).collect(),
        };
        let known = known.into_iter().filter(|(_, target)| *target != UNKNOWN);
        let (from, high) = (low.min(answer), answer.max(low + room.saturating_sub(1)));
        let wide = (high - from).checked_add(1).and_then(u32::checked_next_power_of_two);
        match wide.filter(|wide| *wide <= SHORT_ROW.max(used * ROW_PER_EDGE)) {
            Some(wide) => {
                let base = self.edges.len();
                self.edges.resize(base + wide as usize, UNKNOWN);
                known.for_each(|(answer, target)| {
                    self.edges[base + (answer - from) as usize] = target;
                });
                let node = &mut self.nodes[number];
                (node.edges, node.low, node.base, node.room) =
                    (Edges::Row, from, base as u32, wide);
            }
            None => {
                let number = number as u32;
                self.table.extend(known.map(|(answer, target)| ((number, answer), target)));
                self.nodes[number as usize].edges = Edges::Table;
            }
        }
    }

    /// Stores the moves of one answer and returns the number of its leaf.
    pub fn add_leaf(
        &mut self,
        found: Vec<Move<A>>,
        is_fair: bool,
        reads: &[(Query, Answer)],
        layout: &Layout,
    ) -> u32 {
        let reads = reads.iter().fold(Slots::default(), |slots, (query, _)| match query {
            Query::Slot(slot) | Query::Fact(_, slot) => slots.and(Slots::of((*slot).into())),
            Query::Any(_) | Query::Where(_) | Query::Which(_) | Query::Each(_) => Slots::ALL,
        });
        let first = self.moves.len() as u32;
        let count = found.len() as u32;
        let fair = if is_fair { count } else { 0 };
        let masks = if count > 0 { (first + 1) * 2 * layout.words() as u32 } else { 0 };
        self.leaves.push(Leaf { first, count, fair, masks });
        self.reads.push(reads);
        for Move { action, writes } in found {
            let touched =
                writes.iter().fold(Slots::default(), |s, (slot, _)| s.and(Slots::of(*slot)));
            self.moves.push(Stored { action, writes: writes.into(), touched });
            self.add_masks(self.moves.len() - 1, layout);
        }
        self.leaves.len() as u32 - 1
    }

    /// Recomputes masks and short cuts for a new layout.
    pub fn repack<C: Components>(&mut self, model: &C, layout: &Layout) {
        self.masks = vec![0; 2 * layout.words()];
        for leaf in self.leaves.iter_mut().filter(|leaf| leaf.count > 0) {
            leaf.masks = (leaf.first + 1) * self.masks.len() as u32;
        }
        for one in &mut self.shortcuts {
            one.make(layout, |slot| model.components(slot));
        }
        (0..self.moves.len()).for_each(|at| self.add_masks(at, layout));
        self.nodes.iter_mut().for_each(|node| node.field = layout.field(node.slot.into()));
        for one in self.facts.iter_mut().flat_map(|facts| &mut facts.telling) {
            one.field = layout.field(one.slot.into());
        }
        self.turn_to_another();
    }

    fn add_masks(&mut self, at: usize, layout: &Layout) {
        let words = layout.words();
        let start = self.masks.len();
        debug_assert_eq!(start, (at + 1) * 2 * words, "the masks of move {at} are out of place");
        self.masks.resize(start + 2 * words, 0);
        let (clear, set) = self.masks[start..].split_at_mut(words);
        for (slot, component) in &*self.moves[at].writes {
            layout.write(clear, set, *slot, *component);
        }
    }

    /// Returns the successor of `state` by move `at`.
    #[inline(always)]
    pub fn after<const W: usize>(&self, at: usize, state: &[u64; W]) -> [u64; W] {
        self.after_masks((at + 1) * 2 * W, state)
    }

    /// Returns the successor of `state` by the masks at `at`: bits to clear, then bits to set.
    #[inline(always)]
    pub fn after_masks<const W: usize>(&self, at: usize, state: &[u64; W]) -> [u64; W] {
        let masks = &self.masks[at..][..2 * W];
        let mut next = [0; W];
        for word in 0..W {
            next[word] = (state[word] & !masks[word]) | masks[W + word];
        }
        next
    }
}

/// Returns a fact about the component that a state holds in a field; `None` if it is not known.
#[inline(always)]
fn fact(rows: &[Vec<u32>], row: u32, field: BitField, state: &[u64]) -> Option<u32> {
    rows[row as usize].get(field.get(state) as usize).copied()
}

/// Returns the row for a slot, made if there is none. Row 0 stays empty: it belongs to no slot.
fn row_of(rows: &mut Vec<Vec<u32>>, facts: &mut Facts, slot: usize) -> u32 {
    let row = &mut at_least(&mut facts.rows, slot + 1)[slot];
    if *row == 0 {
        *row = rows.len() as u32;
        rows.push(Vec::new());
    }
    *row
}

fn number_of(lists: &mut QuickMap<Found, u32>, list: &[(u16, u32)]) -> u32 {
    match lists.get(list) {
        Some(number) => *number,
        None => {
            lists.insert(list.into(), lists.len() as u32);
            lists.len() as u32 - 1
        }
    }
}

/// The location of a target: the root of a tree, or an edge of a node.
enum Spot {
    Root(usize),
    Edge(u32, u32),
}

/// Returns the list, extended to at least `len` elements.
pub fn at_least<T: Default>(list: &mut Vec<T>, len: usize) -> &mut Vec<T> {
    if list.len() < len {
        list.resize_with(len, T::default);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model reads slot 1 after slot 0, and later slot 2, or nothing more. What it said of slot 2
    /// holds for no state that only looks so in slot 1.
    #[test]
    fn an_answer_is_found_only_by_what_was_read_for_it() {
        let layout = Layout::new([4, 4, 4].into_iter()).expect("one word");
        let found = |memo: &mut Memo<()>, components: [u32; 3]| {
            let mut state = [0];
            layout.pack(&components, &mut state);
            let by_walk = memo.look_any(0, &state);
            memo.turn_to_another();
            // Once to enter the short cut, and once to take it.
            assert_eq!([memo.look(0, &state), memo.look(0, &state)], [by_walk; 2]);
            by_walk
        };
        let read = |slot: u16, component: u32| (Query::Slot(slot), Answer::One(component));
        let mut memo: Memo<()> = Memo::new(1);
        memo.known = vec![4; 3];
        memo.learn(0, &[read(0, 1), read(1, 2)], 10, &layout);
        assert_eq!(found(&mut memo, [1, 2, 0]), Some(10));
        memo.learn(0, &[read(0, 1), read(2, 3)], 11, &layout);
        assert_eq!(found(&mut memo, [1, 0, 3]), Some(11));
        assert_eq!(found(&mut memo, [1, 3, 0]), None);
        assert_eq!(found(&mut memo, [1, 2, 0]), None, "asked again");
        memo.learn(0, &[read(0, 1)], 12, &layout);
        assert_eq!(found(&mut memo, [1, 3, 0]), Some(12));
        memo.learn(0, &[read(0, 1), read(1, 3)], 13, &layout);
        assert_eq!(found(&mut memo, [1, 3, 0]), Some(13));
        assert_eq!(found(&mut memo, [1, 0, 0]), None);
    }
}
