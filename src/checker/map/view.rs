//! The places of the map's picture, without a size in pixels: blocks of states, the ribbons of
//! orders between them, and single paths where there are few.
//!
//! A *lattice* has a block for each pair of places at which two programs stand. A *terrain* has one
//! for each depth and distance to the nearest break: the foot is broken, the top can no longer
//! break. Its columns and rows are put together until all of it can be drawn with [`PIECES_MAX`]
//! pieces, so a picture is small however many states there are.

use std::collections::{BTreeMap, BTreeSet};

use super::{Counted, Fate, Fates, Space};
use crate::{Natural, StateId};

/// The most states of a lattice; a larger space becomes a terrain.
pub const LATTICE_MAX: usize = 800;
/// The most states that a block lists; a larger block lists the first state of each fate.
pub const NAMED_MAX: usize = 64;
/// The most orders that are drawn as single paths.
const PATHS_MAX: u64 = 24;
/// The most states of a block in which single paths can be told apart.
const PATH_STATES_MAX: usize = 4;
/// The most drawn pieces of blocks and ribbons, without single states and decoration.
const PIECES_MAX: usize = 520;
/// The number of steps after the last state that can still break; later steps share one column.
const TAIL: u16 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    #[default]
    Lattice,
    Terrain,
}

ground::json_enum!(Kind { Lattice, Terrain });

/// The number of columns and rows for which there is room where a terrain is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    pub columns: u16,
    /// The number of distances to a break that get a row of their own.
    pub distances: u16,
}

/// A cell of the picture, and the states in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub x: u16,
    pub y: u16,
    /// The states by fate, then by number; of more than `NAMED_MAX` only the first of each fate.
    pub states: Vec<StateId>,
    /// The number of states by [`Fate`].
    pub count: [u32; 5],
}

impl Block {
    /// The number of states in this block.
    pub fn len(&self) -> u32 {
        self.count.iter().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn of(&self, fate: Fate) -> u32 {
        self.count[fate as usize]
    }

    /// Returns the fates of the listed states, in the same order.
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
    /// The steps among them that lead to a state from which no order can break.
    pub safe: u32,
    /// The number of orders that pass and, in `wrong`, of those that break. Where orders are not
    /// counted: the number of steps, and of those that lead to a lost state.
    pub orders: f64,
    pub wrong: f64,
}

/// One complete order of all steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The block after each step, and the fate of the state there; from a break on
    /// [`Fate::Broken`].
    pub steps: Vec<(u16, Fate)>,
    /// The index of the earlier path that becomes this one when the two programs are exchanged.
    pub mirror: Option<u16>,
}

/// The picture. It holds only states that are reached without a break before them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MapView {
    pub kind: Kind,
    /// The number of states in all blocks.
    pub states: u32,
    /// The number of orders, and of those that break; `None` where they were not counted.
    pub orders: Option<Natural>,
    pub wrong: Option<Natural>,
    pub counted: Counted,
    /// The blocks from left to right, each column from the top.
    pub blocks: Vec<Block>,
    pub ribbons: Vec<Ribbon>,
    pub paths: Vec<Path>,
    pub columns: u16,
    pub rows: u16,
    /// The number of depths that share a column of a terrain.
    pub per: u16,
    /// The column of a terrain that holds all later depths.
    pub tail: Option<u16>,
    /// The greatest distance to a break, and the one from which on distances share a row.
    pub far: u16,
    pub farthest: u16,
}

/// The block number of a state that is in no block.
pub const NO_BLOCK: u16 = u16::MAX;

impl MapView {
    /// Returns the picture, and for each state its block or [`NO_BLOCK`]. `places` says where each
    /// of two programs stands, by state; `None` if there are not two.
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

/// The division of a terrain's depths into columns and distances into rows.
#[derive(Debug, Clone, Copy, Default)]
struct Bins {
    /// The last depth that has a column of its own.
    last: u16,
    /// The column of all later depths.
    tail: Option<u16>,
    per: u16,
    far: u16,
    farthest: u16,
    /// True if some state is broken.
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

    /// The number of pieces drawn, without single states: for a block its frame, ground, hit area,
    /// number, and a bar segment for each fate; for a ribbon the ribbon and its red part.
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

/// Returns all orders as paths; the caller has made sure that there are at most [`PATHS_MAX`].
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
