//! What the model has answered so far, kept by what it read: a tree for each question, whose nodes
//! are reads and whose leaves are answers. A search walks a few of its edges where the model would
//! have run an interpreter.

use super::layout::{Layout, Place};
use super::parts::{Answer, Move, Parts, Query};
use crate::hash::QuickMap;

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

/// The answer to "what can this actor do?".
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    /// Its moves are `moves[first..first + count]`.
    pub first: u32,
    pub count: u32,
    /// So many of them have to happen in the end: all, if the actor is fair.
    pub fair: u32,
    pub reads: Slots,
}

/// A move as the search makes it: clear these bits, set those. The masks lie in [`Memo::masks`].
#[derive(Debug, Clone)]
pub(super) struct Stored<A> {
    pub action: A,
    pub writes: Box<[(usize, u32)]>,
    pub touched: Slots,
}

/// Where an edge leads: nowhere yet (0), to a node (its number + 1), or to a leaf (marked).
type Target = u32;
const UNKNOWN: Target = 0;
const LEAF: Target = 1 << 31;

#[derive(Debug, Clone, Copy)]
struct Node {
    query: Query,
    /// Where the slot lies that is asked for.
    place: Place,
    /// Its edges are `edges[base..base + len]`, by answer. For `Where` and `Which`, `base` is the
    /// number of a map.
    base: u32,
    len: u32,
}

type Found = Box<[(u16, u32)]>;

/// What one lens shows.
#[derive(Debug, Clone, Default)]
struct Facts {
    /// By slot and part.
    of: Vec<Vec<u32>>,
    /// Slots of which some part has a fact other than 0.
    telling: Vec<u16>,
}

/// Trees, leaves and facts. The first trees are the actors', then the conditions', then the one for
/// the end of a run.
#[derive(Debug)]
pub(super) struct Memo<A> {
    roots: Vec<Target>,
    nodes: Vec<Node>,
    edges: Vec<Target>,
    maps: Vec<QuickMap<Found, Target>>,
    /// By lens. A lens that was never used has none.
    facts: Vec<Facts>,
    /// The lenses in use, and how many of them are known of every part.
    lenses: Vec<u16>,
    lenses_known: usize,
    /// By slot, of so many parts the facts are known.
    known: Vec<u32>,
    pub leaves: Vec<Leaf>,
    pub moves: Vec<Stored<A>>,
    /// For each move, as many words to clear and then to set as a state has.
    pub masks: Vec<u64>,
    /// How often the model was asked.
    pub asked: u64,
}

impl<A: Copy> Memo<A> {
    pub fn new(trees: usize) -> Memo<A> {
        Memo {
            roots: vec![UNKNOWN; trees],
            nodes: Vec::new(),
            edges: Vec::new(),
            maps: Vec::new(),
            facts: Vec::new(),
            lenses: Vec::new(),
            lenses_known: 0,
            known: Vec::new(),
            leaves: Vec::new(),
            moves: Vec::new(),
            masks: Vec::new(),
            asked: 0,
        }
    }

    /// Forgets which answer is for which state; the answers themselves may still be referred to.
    pub fn forget(&mut self) {
        self.roots.fill(UNKNOWN);
        self.nodes.clear();
        self.edges.clear();
        self.maps.clear();
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + (self.edges.capacity() + self.masks.capacity() * 2) * 4
            + self.leaves.capacity() * size_of::<Leaf>()
            + self.moves.capacity() * size_of::<Stored<A>>()
    }

    /// The leaf of `tree` for `state`, if the model was ever asked about such a state. For
    /// conditions a leaf is the answer: 0 or 1.
    #[inline(always)]
    pub fn look<const W: usize>(
        &self,
        tree: usize,
        state: &[u64; W],
        layout: &Layout,
    ) -> Option<u32> {
        self.walk(tree, state, layout)
    }

    /// [`Memo::look`] for where its speed does not matter.
    pub fn look_any(&self, tree: usize, state: &[u64], layout: &Layout) -> Option<u32> {
        self.walk(tree, state, layout)
    }

    #[inline(always)]
    fn walk(&self, tree: usize, state: &[u64], layout: &Layout) -> Option<u32> {
        let mut target = self.roots[tree];
        loop {
            if target & LEAF != 0 {
                return Some(target & !LEAF);
            }
            if target == UNKNOWN {
                return None;
            }
            let node = self.nodes[target as usize - 1];
            let answer = match node.query {
                Query::Slot(_) => node.place.get(state),
                query => match self.rare(query, node.base, state, layout)? {
                    Step::Answer(answer) => answer,
                    Step::To(next) => {
                        target = next;
                        continue;
                    }
                },
            };
            if answer >= node.len {
                return None;
            }
            target = self.edges[(node.base + answer) as usize];
        }
    }

    /// The queries other than for a slot's part.
    fn rare(&self, query: Query, base: u32, state: &[u64], layout: &Layout) -> Option<Step> {
        let (Query::Fact(lens, _)
        | Query::Any(lens)
        | Query::Where(lens)
        | Query::Which(lens)
        | Query::Each(lens)) = query
        else {
            return None;
        };
        let facts = self.facts.get(usize::from(lens))?;
        let fact = |slot: usize| {
            let part = layout.get(state, slot);
            facts.of.get(slot)?.get(part as usize).map(|fact| (*fact, part))
        };
        match query {
            Query::Any(_) => {
                for slot in &facts.telling {
                    if fact((*slot).into())?.0 != 0 {
                        return Some(Step::Answer(1));
                    }
                }
                Some(Step::Answer(0))
            }
            Query::Where(_) | Query::Which(_) | Query::Each(_) => {
                let mut found = Vec::new();
                for slot in &facts.telling {
                    let (fact, part) = fact((*slot).into())?;
                    if fact != 0 {
                        let shown = match query {
                            Query::Where(_) => part,
                            Query::Each(_) => fact,
                            _ => 0,
                        };
                        found.push((*slot, shown));
                    }
                }
                self.maps[base as usize].get(&*found).map(|target| Step::To(*target))
            }
            Query::Fact(_, slot) | Query::Slot(slot) => Some(Step::Answer(fact(slot.into())?.0)),
        }
    }

    /// Notes in which lenses the reads looked.
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

    /// Learns the facts of all parts there are, in the lenses in use; true where some were new.
    pub fn learn_facts<P: Parts>(&mut self, parts: &mut P) -> bool {
        let mut any = self.lenses_known < self.lenses.len();
        for slot in 0..parts.slots() {
            let count = parts.parts(slot);
            let known = std::mem::replace(&mut at_least(&mut self.known, slot + 1)[slot], count);
            if known == count && self.lenses_known == self.lenses.len() {
                continue;
            }
            any = true;
            for lens in &self.lenses {
                let facts = &mut self.facts[usize::from(*lens)];
                let of = &mut at_least(&mut facts.of, slot + 1)[slot];
                let mut tells = false;
                for part in of.len() as u32..count {
                    let fact = parts.fact(*lens, slot, part);
                    of.push(fact);
                    tells |= fact != 0;
                }
                if tells && let Err(place) = facts.telling.binary_search(&(slot as u16)) {
                    facts.telling.insert(place, slot as u16);
                }
            }
        }
        self.lenses_known = self.lenses.len();
        any
    }

    /// Notes an answer of the model under what it read.
    pub fn learn(&mut self, tree: usize, reads: &[(Query, Answer)], leaf: u32, layout: &Layout) {
        self.asked += 1;
        let mut place = Spot::Root(tree);
        for (query, answer) in reads {
            let mut target = self.target(&place);
            if target == UNKNOWN {
                self.nodes.push(self.new_node(*query, layout));
                if let Query::Where(_) | Query::Which(_) | Query::Each(_) = query {
                    self.maps.push(QuickMap::default());
                }
                target = self.nodes.len() as Target;
                self.set_target(place, target);
            }
            let node = target as usize - 1;
            place = match answer {
                Answer::One(answer) => Spot::Edge(self.edge(node, *answer)),
                Answer::Many(found) => Spot::Map(self.nodes[node].base as usize, found.clone()),
            };
        }
        self.set_target(place, LEAF | leaf);
    }

    fn new_node(&self, query: Query, layout: &Layout) -> Node {
        let base = match query {
            Query::Where(_) | Query::Which(_) | Query::Each(_) => self.maps.len(),
            _ => self.edges.len(),
        };
        Node { query, place: place_of(query, layout), base: base as u32, len: 0 }
    }

    /// The place of a node's edge, made where there is none: its edges move to the end when they
    /// outgrow their room, and the room is doubled.
    fn edge(&mut self, node: usize, answer: u32) -> usize {
        let Node { base, len, .. } = self.nodes[node];
        if answer >= len {
            let room = (answer + 1).next_power_of_two();
            let start = self.edges.len();
            self.edges.extend_from_within(base as usize..(base + len) as usize);
            self.edges.resize(start + room as usize, UNKNOWN);
            self.nodes[node].base = start as u32;
            self.nodes[node].len = room;
        }
        (self.nodes[node].base + answer) as usize
    }

    fn target(&self, place: &Spot) -> Target {
        match place {
            Spot::Root(tree) => self.roots[*tree],
            Spot::Edge(edge) => self.edges[*edge],
            Spot::Map(map, found) => self.maps[*map].get(found).copied().unwrap_or(UNKNOWN),
        }
    }

    fn set_target(&mut self, place: Spot, target: Target) {
        match place {
            Spot::Root(tree) => self.roots[tree] = target,
            Spot::Edge(edge) => self.edges[edge] = target,
            Spot::Map(map, found) => {
                self.maps[map].insert(found, target);
            }
        }
    }

    /// Keeps the moves of one answer; the number of its leaf.
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
        self.leaves.push(Leaf { first, count, fair: if is_fair { count } else { 0 }, reads });
        for Move { action, writes } in found {
            let touched =
                writes.iter().fold(Slots::default(), |s, (slot, _)| s.and(Slots::of(*slot)));
            self.moves.push(Stored { action, writes: writes.into(), touched });
            self.add_masks(self.moves.len() - 1, layout);
        }
        self.leaves.len() as u32 - 1
    }

    /// After a change of layout.
    pub fn repack(&mut self, layout: &Layout) {
        self.masks.clear();
        (0..self.moves.len()).for_each(|at| self.add_masks(at, layout));
        self.nodes.iter_mut().for_each(|node| node.place = place_of(node.query, layout));
    }

    fn add_masks(&mut self, at: usize, layout: &Layout) {
        let words = layout.words();
        let start = self.masks.len();
        self.masks.resize(start + 2 * words, 0);
        let (clear, set) = self.masks[start..].split_at_mut(words);
        for (slot, part) in &*self.moves[at].writes {
            layout.write(clear, set, *slot, *part);
        }
    }

    /// What follows from `state` by move `at`.
    #[inline(always)]
    pub fn after<const W: usize>(&self, at: usize, state: &[u64; W]) -> [u64; W] {
        let masks = &self.masks[at * 2 * W..][..2 * W];
        let mut next = [0; W];
        for word in 0..W {
            next[word] = (state[word] & !masks[word]) | masks[W + word];
        }
        next
    }
}

fn place_of(query: Query, layout: &Layout) -> Place {
    match query {
        Query::Slot(slot) => layout.place(slot.into()),
        _ => Place::default(),
    }
}

enum Step {
    Answer(u32),
    To(Target),
}

enum Spot {
    Root(usize),
    Edge(usize),
    Map(usize, Found),
}

fn at_least<T: Default>(list: &mut Vec<T>, len: usize) -> &mut Vec<T> {
    if list.len() < len {
        list.resize_with(len, T::default);
    }
    list
}
