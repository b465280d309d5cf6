//! The places of blocks and states in a picture of a given size.

use crate::checker::map::{Block, Kind};
use crate::jobs::map::Sheet;
use crate::jobs::map::room::{NARROW, RIGHT_OF_TERRAIN, SMALL_MARGIN, left_of_terrain};

use super::Look;

/// The least size of a square for a single state.
const CELL_MIN: f64 = 4.2;
const CELL_MAX: f64 = 16.0;
/// The most squares, beside all other shapes.
const SQUARES_MAX: usize = 600;

/// The places of a picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub below: f64,
    pub dx: f64,
    pub dy: f64,
    /// The frames of a lattice's blocks; 0 where paths are drawn.
    pub wide: f64,
    pub high: f64,
    pub is_narrow: bool,
    is_lattice: bool,
    /// The arrangement of states, by block.
    pub cells: Vec<Cells>,
}

/// The arrangement of the states in a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cells {
    /// The area that a bar may cover.
    pub wide: f64,
    pub high: f64,
    pub size: f64,
    per_row: u32,
    rows: u32,
    /// True if each state has a square of its own.
    pub each: bool,
}

impl Layout {
    /// Lays a sheet out; `spent` shapes are drawn beside the squares of single states.
    pub fn new(sheet: &Sheet, look: &Look, spent: usize) -> Layout {
        let view = &sheet.view;
        let is_lattice = view.kind == Kind::Lattice;
        let has_paths = !view.paths.is_empty();
        let is_narrow = look.width < NARROW;
        let small = look.small;
        // The gaps between a lattice's places, the columns of a terrain.
        let across = f64::from(view.columns - u16::from(is_lattice)).max(1.0);
        let down = f64::from(view.rows - u16::from(is_lattice)).max(1.0);
        let [mut left, mut top, mut right, mut below] = match (small, is_lattice) {
            (true, true) if look.axes => [44.0, 20.0, 34.0, 20.0],
            (true, false) if look.axes => [28.0, 20.0, SMALL_MARGIN, 22.0],
            (true, _) => [SMALL_MARGIN; 4],
            (_, true) if has_paths => match is_narrow {
                true => [66.0, 36.0, 104.0, 24.0],
                false => [128.0, 36.0, 112.0, 24.0],
            },
            (_, true) => [if is_narrow { 66.0 } else { 128.0 }, 36.0, 40.0, 24.0],
            (_, false) => [left_of_terrain(look.width), 26.0, RIGHT_OF_TERRAIN, 40.0],
        };
        let (mut wide, mut high) = (0.0, 0.0);
        if is_lattice && !has_paths {
            let [widest, highest, beside] =
                if small { [17.0, 12.0, -2.0] } else { [100.0, 64.0, 4.0] };
            let share = 0.6;
            wide = (share * (look.width - left - right) / (across + share)).clamp(2.0, widest);
            high = (share * (look.height - top - below) / (down + share)).clamp(2.0, highest);
            left += wide / 2.0 + beside;
            right += wide / 2.0 + beside;
            top += high / 2.0 + beside;
            below += high / 2.0 + beside;
        }
        let mut dx = ((look.width - left - right) / across).max(1.0);
        let mut dy = ((look.height - top - below) / down).max(1.0);
        if is_lattice && !small {
            dx = dx.min(250.0);
            if has_paths {
                dy = dy.min(dx * 0.75);
            }
            wide = wide.min(dx * 0.64);
        }
        let mut layout = Layout {
            left,
            top,
            right,
            below,
            dx,
            dy,
            wide,
            high,
            is_narrow,
            is_lattice,
            cells: Vec::new(),
        };
        layout.fill(&view.blocks, small, spent);
        layout
    }

    /// Gives squares to the states of small blocks first, up to the bound.
    fn fill(&mut self, blocks: &[Block], small: bool, spent: usize) {
        let pad = if small { 2.0 } else { 6.0 };
        let (wide, high) = match self.is_lattice {
            true => {
                ((self.wide - pad).max(self.wide * 0.8), (self.high - pad).max(self.high * 0.8))
            }
            false => ((self.dx * 0.8).min(56.0), (self.dy * 0.8).min(40.0)),
        };
        self.cells = blocks.iter().map(|block| Cells::new(block, wide, high)).collect();
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        order.sort_by_key(|at| (blocks[*at].len(), *at));
        let mut left = SQUARES_MAX.saturating_sub(spent);
        for at in order {
            let states = blocks[at].len() as usize;
            let cells = &mut self.cells[at];
            cells.each &= states <= left;
            if cells.each {
                left -= states;
            }
        }
    }

    pub fn x(&self, block: &Block) -> f64 {
        let x = f64::from(block.x);
        self.left + if self.is_lattice { x } else { x + 0.5 } * self.dx
    }

    pub fn y(&self, block: &Block) -> f64 {
        let y = f64::from(block.y);
        self.top + if self.is_lattice { y } else { y + 0.5 } * self.dy
    }

    /// Returns the place of a state of a block; the middle for a state that is not named, or in a
    /// bar.
    pub fn state(&self, block: &Block, number: u16, place: Option<u16>) -> (f64, f64) {
        let (x, y) = (self.x(block), self.y(block));
        match (self.cells.get(usize::from(number)), place) {
            (Some(cells), Some(place)) if cells.each => {
                let (right, down) = cells.offset(place.into());
                (x + right, y + down)
            }
            _ => (x, y),
        }
    }
}

impl Cells {
    fn new(block: &Block, wide: f64, high: f64) -> Cells {
        let states = block.len().max(1);
        let square = libm::sqrt(f64::from(states) * wide / high.max(0.1));
        let per_row = (libm::ceil(square) as u32).clamp(1, states);
        let rows = states.div_ceil(per_row);
        let size = (wide / f64::from(per_row)).min(high / f64::from(rows)).min(CELL_MAX);
        let each = size >= CELL_MIN && block.states.len() == states as usize;
        Cells { wide, high, size, per_row, rows, each }
    }

    /// Returns the offset from the block's middle.
    pub fn offset(&self, place: u32) -> (f64, f64) {
        let at = |place: u32, of: u32| {
            (f64::from(place) - f64::from(of.saturating_sub(1)) / 2.0) * self.size
        };
        (at(place % self.per_row, self.per_row), at(place / self.per_row, self.rows))
    }
}
