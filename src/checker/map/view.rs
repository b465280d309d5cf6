//! The places of the map's picture, without a size in pixels: blocks of states, the ribbons of
//! orders between them, and single paths where there are few.
//!
//! A *lattice* has a block for each pair of places at which two programs stand. A *terrain* has one
//! for each depth and distance to the nearest break: the foot is broken, the top can no longer
//! break. Its columns and rows are put together until all of it can be drawn with [`PIECES_MAX`]
//! pieces, so a picture is small however many states there are.

use std::collections::{BTreeMap, BTreeSet};

use super::{Counted, Fate, Fates, Space};
use crate::checker::{Natural, StateId};

/// More states are no lattice.
pub const LATTICE_MAX: usize = 800;
/// States that a block names; beyond, the first of each fate.
pub const NAMED_MAX: usize = 64;
/// Up to so many orders are drawn as paths.
const PATHS_MAX: u64 = 24;
/// In blocks of more states paths are not told apart.
const PATH_STATES_MAX: usize = 4;
/// What is drawn for blocks and ribbons, without single states and what stands around.
const PIECES_MAX: usize = 520;
/// Steps after the last state that can still break, from which on all is one column.
const TAIL: u16 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    #[default]
    Lattice,
    Terrain,
}

/// How many columns and rows of a terrain can be told apart where it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    pub columns: u16,
    /// Distances to a break with a row each.
    pub distances: u16,
}

/// A place of the picture, and the states that are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub x: u16,
    pub y: u16,
    /// By fate, then by number; of more than [`NAMED_MAX`] the first of each fate only.
    pub states: Vec<StateId>,
    /// By [`Fate`].
    pub count: [u32; 5],
}

impl Block {
    /// How many states are here.
    pub fn len(&self) -> u32 {
        self.count.iter().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn of(&self, fate: Fate) -> u32 {
        self.count[fate as usize]
    }

    /// The fate of each state that is named, in their order.
    pub fn fates(&self) -> Vec<Fate> {
        let is_short = self.len() as usize > NAMED_MAX;
        let times = |fate: Fate| if is_short { self.of(fate).min(1) } else { self.of(fate) };
        let all = Fate::ALL.into_iter();
        all.flat_map(|fate| (0..times(fate)).map(move |_| fate)).collect()
    }
}

/// The steps from one block to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Ribbon {
    pub from: u16,
    pub to: u16,
    pub steps: u32,
    /// Those of them that lead to where nothing can break.
    pub safe: u32,
    /// How many orders pass, and how many of these break. Where orders are not counted: the steps,
    /// and those that lead to where nothing can save it.
    pub orders: f64,
    pub wrong: f64,
}

/// One order of all steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The block after each step, and the fate there; after a break that of the break.
    pub steps: Vec<(u16, Fate)>,
    /// The path of the list before it that this one is with the two programs exchanged.
    pub mirror: Option<u16>,
}

/// What is drawn. Only states that are reached without a break before are there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MapView {
    pub kind: Kind,
    /// All states in the blocks.
    pub states: u32,
    /// All orders, and those that break; `None` where they were not counted.
    pub orders: Option<Natural>,
    pub wrong: Option<Natural>,
    pub counted: Counted,
    /// From left to right, each column from above.
    pub blocks: Vec<Block>,
    pub ribbons: Vec<Ribbon>,
    pub paths: Vec<Path>,
    pub columns: u16,
    pub rows: u16,
    /// Steps of a terrain that are one column.
    pub per: u16,
    /// The column of a terrain in which all later steps are.
    pub tail: Option<u16>,
    /// The greatest distance to a break, and the one from which on distances are one row.
    pub far: u16,
    pub farthest: u16,
}

/// Of a state that is in no block.
pub const NO_BLOCK: u16 = u16::MAX;

impl MapView {
    /// The picture, and for each state its block or [`NO_BLOCK`]. `places` are those of two
    /// programs, by state, where there are two.
    pub fn of<A: Copy>(
        space: &Space<A>,
        fates: &Fates,
        places: Option<&[(u16, u16)]>,
        room: Room,
    ) -> (MapView, Vec<u16>) {
        let places = places.filter(|places| places.len() == space.len());
        if let Some(places) = places.filter(|_| space.len() <= LATTICE_MAX) {
            let at = |state: StateId| places[state as usize];
            let drawn = Drawn::new(space, fates, at);
            if drawn.pieces() <= PIECES_MAX {
                let top = |one: fn(&(u16, u16)) -> u16| places.iter().map(one).max().unwrap_or(0);
                let size = (top(|place| place.0) + 1, top(|place| place.1) + 1);
                return drawn.finish(space, fates, Kind::Lattice, size, Bins::default());
            }
        }
        let mut room = room;
        loop {
            let bins = Bins::new(space, fates, room);
            let drawn = Drawn::new(space, fates, |state| bins.place(space, fates, state));
            let is_least = room.columns <= 2 && room.distances <= 1;
            if drawn.pieces() <= PIECES_MAX || is_least {
                let size = (bins.column(bins.last) + 1, bins.rows());
                return drawn.finish(space, fates, Kind::Terrain, size, bins);
            }
            // Columns first: how far a break is says more than when.
            match room.columns > 12 || room.distances <= 1 {
                true => room.columns = (room.columns * 3 / 4).max(2),
                false => room.distances = (room.distances * 3 / 4).max(1),
            }
            if room.columns <= 12 && room.distances <= 4 {
                room.columns = (room.columns * 3 / 4).max(2);
            }
        }
    }

    pub fn block(&self, number: u16) -> Option<&Block> {
        self.blocks.get(usize::from(number))
    }
}

/// How depths and distances of a terrain become columns and rows.
#[derive(Debug, Clone, Copy, Default)]
struct Bins {
    /// The last depth that has a place of its own.
    last: u16,
    /// All from it on is one column.
    tail: Option<u16>,
    per: u16,
    far: u16,
    farthest: u16,
    /// Some state is broken.
    breaks: bool,
}

impl Bins {
    fn new<A: Copy>(space: &Space<A>, fates: &Fates, room: Room) -> Bins {
        let (mut deep, mut live, mut far, mut breaks) = (0, 0, 0, false);
        for state in shown(fates) {
            let depth = space.depth[state as usize];
            deep = deep.max(depth);
            if let Some(distance) = fates.distance(state) {
                live = live.max(depth);
                far = far.max(distance);
                breaks = true;
            }
        }
        let tail = (breaks && far > 0 && deep > live + TAIL + 1).then_some(live + TAIL);
        let last = tail.unwrap_or(deep);
        let per = (u32::from(last) + 1).div_ceil(room.columns.max(1).into()) as u16;
        Bins { last, tail, per, far, farthest: far.min(room.distances), breaks }
    }

    fn column(&self, depth: u16) -> u16 {
        depth.min(self.last) / self.per
    }

    fn rows(&self) -> u16 {
        if self.breaks { self.farthest + 2 } else { 1 }
    }

    fn place<A: Copy>(&self, space: &Space<A>, fates: &Fates, state: StateId) -> (u16, u16) {
        let row = match fates.distance(state) {
            None => 0,
            Some(distance) => 1 + self.farthest - distance.min(self.farthest),
        };
        (self.column(space.depth[state as usize]), row)
    }
}

fn shown(fates: &Fates) -> impl Iterator<Item = StateId> + '_ {
    (0..fates.before.len() as StateId).filter(|state| fates.before[*state as usize])
}

/// Blocks and ribbons.
#[derive(Debug)]
struct Drawn {
    blocks: Vec<Block>,
    ribbons: Vec<Ribbon>,
    of: Vec<u16>,
}

impl Drawn {
    fn new<A: Copy>(space: &Space<A>, fates: &Fates, at: impl Fn(StateId) -> (u16, u16)) -> Drawn {
        let mut places: BTreeMap<(u16, u16), Vec<StateId>> = BTreeMap::new();
        for state in shown(fates) {
            places.entry(at(state)).or_default().push(state);
        }
        let mut of = vec![NO_BLOCK; space.len()];
        let mut blocks = Vec::new();
        for (number, ((x, y), states)) in places.into_iter().enumerate() {
            states.iter().for_each(|state| of[*state as usize] = number as u16);
            blocks.push(block(fates, x, y, states));
        }
        let ribbons = ribbons(space, fates, &of);
        Drawn { blocks, ribbons, of }
    }

    /// What is drawn of it, without single states: of a block a frame, its ground, a place to point
    /// at, a number, and a part of a bar for each fate; of a ribbon itself and its red part.
    fn pieces(&self) -> usize {
        let fates = |block: &Block| block.count.iter().filter(|count| **count > 0).count();
        let blocks: usize = self.blocks.iter().map(|block| 3 + fates(block)).sum();
        let both = |one: &Ribbon| 1 + usize::from(one.wrong > 0.0 && one.wrong < one.orders);
        blocks + self.ribbons.iter().map(both).sum::<usize>()
    }

    fn finish<A: Copy>(
        self,
        space: &Space<A>,
        fates: &Fates,
        kind: Kind,
        (columns, rows): (u16, u16),
        bins: Bins,
    ) -> (MapView, Vec<u16>) {
        let Drawn { blocks, ribbons, of } = self;
        let most = blocks.iter().map(Block::len).max().unwrap_or(0);
        let few = fates.from.first().is_some_and(|all| *all <= Natural::from(PATHS_MAX));
        let paths = match kind {
            Kind::Lattice if few && most as usize <= PATH_STATES_MAX => {
                paths(space, fates, &blocks, &of)
            }
            _ => Vec::new(),
        };
        let view = MapView {
            kind,
            states: blocks.iter().map(Block::len).sum(),
            orders: fates.from.first().cloned(),
            wrong: fates.wrong.first().cloned(),
            counted: fates.counted,
            blocks,
            ribbons,
            paths,
            columns,
            rows,
            per: bins.per.max(1),
            tail: bins.tail.map(|depth| bins.column(depth)),
            far: bins.far,
            farthest: bins.farthest,
        };
        (view, of)
    }
}

fn block(fates: &Fates, x: u16, y: u16, mut states: Vec<StateId>) -> Block {
    let fate = |state: StateId| fates.fate[state as usize];
    let mut count = [0; 5];
    states.iter().for_each(|state| count[fate(*state) as usize] += 1);
    states.sort_by_key(|state| (fate(*state), *state));
    if states.len() > NAMED_MAX {
        states.dedup_by_key(|state| fate(*state));
    }
    Block { x, y, states, count }
}

fn ribbons<A: Copy>(space: &Space<A>, fates: &Fates, of: &[u16]) -> Vec<Ribbon> {
    let mut ribbons: BTreeMap<(u16, u16), Ribbon> = BTreeMap::new();
    for state in shown(fates) {
        let at = state as usize;
        if space.broken[at] {
            continue;
        }
        for &(_, to) in space.of(state) {
            let (from, next) = (of[at], of[to as usize]);
            if from == next {
                continue;
            }
            let new = Ribbon { from, to: next, steps: 0, safe: 0, orders: 0.0, wrong: 0.0 };
            let ribbon = ribbons.entry((from, next)).or_insert(new);
            let fate = fates.fate[to as usize];
            ribbon.steps += 1;
            ribbon.safe += u32::from(fate.is_saved());
            match fates.counted {
                Counted::All => {
                    ribbon.orders += fates.ways[at] * fates.from[to as usize].to_f64();
                    ribbon.wrong += fates.ways[at] * fates.wrong[to as usize].to_f64();
                }
                _ => {
                    ribbon.orders += 1.0;
                    ribbon.wrong += if fate.is_lost() { 1.0 } else { 0.0 };
                }
            }
        }
    }
    ribbons.into_values().collect()
}

/// All orders, one by one; there are at most [`PATHS_MAX`].
fn paths<A: Copy>(space: &Space<A>, fates: &Fates, blocks: &[Block], of: &[u16]) -> Vec<Path> {
    let mut done: Vec<Vec<(u16, Fate)>> = Vec::new();
    // States to go on from, each with what led to it.
    let mut open = vec![(0, Vec::new())];
    while let Some((state, steps)) = open.pop() {
        if space.is_end(state) {
            done.push(steps);
            continue;
        }
        for &(_, to) in space.of(state).iter().rev() {
            let mut steps: Vec<(u16, Fate)> = steps.clone();
            let (last, fate) = match steps.last() {
                Some(last) => *last,
                None => (of[0], fates.fate[0]),
            };
            // What comes after a break is not drawn.
            let step = match fate {
                Fate::Broken => (last, fate),
                _ => (of[to as usize], fates.fate[to as usize]),
            };
            steps.push(step);
            open.push((to, steps));
        }
    }
    let turned = |steps: &[(u16, Fate)]| {
        let place = |number: u16| (blocks[usize::from(number)].x, blocks[usize::from(number)].y);
        let both = |(number, fate): &(u16, Fate)| (place(*number), *fate);
        let straight: Vec<_> = steps.iter().map(both).collect();
        let over: Vec<_> = straight.iter().map(|((x, y), fate)| ((*y, *x), *fate)).collect();
        (straight, over)
    };
    let shapes: Vec<_> = done.iter().map(|steps| turned(steps)).collect();
    let mut taken = BTreeSet::new();
    let mirrors: Vec<Option<u16>> = (0..done.len())
        .map(|at| {
            let is_it = |other: &usize| {
                shapes[*other].0 == shapes[at].1 && shapes[*other].0 != shapes[at].0
            };
            let mirror = (0..at).find(|other| is_it(other) && !taken.contains(other));
            taken.extend(mirror);
            mirror.map(|other| other as u16)
        })
        .collect();
    let with_mirror = |(steps, mirror)| Path { steps, mirror };
    done.into_iter().zip(mirrors).map(with_mirror).collect()
}
