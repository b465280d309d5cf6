//! The places of lanes and words, and the sizes of everything.

use crate::session::spelling::{chars_wide, shortened};
use crate::sim::ClientId;
use crate::view::short::fitting;

use super::{FOOT, HEAD, Label, Space};

/// The width below which a pane has no room for gutters.
const TIGHT: i32 = 520;
/// The least width of words. If the pane has less, the picture is wider than its pane.
const WORDS_MIN: i32 = 84;
/// The distance between the words and the first instance's lane.
pub const CLEAR: i32 = 20;
/// The size of the lanes' names.
pub const NAME_SIZE: i32 = 14;
/// A run counts as having a command of at least this length, so that the type does not shrink at
/// its first step.
const LONGEST_MIN: usize = 24;

const ROW_MIN: i32 = 48;
const ROW_MAX: i32 = 136;
const SIZE_MIN: i32 = 13;

/// Returns the width of this number of characters, in px.
pub fn chars_px(chars: usize, size: i32) -> i32 {
    (chars as i32 * size * 605 + 999) / 1000
}

/// Returns the base line of words above a line at `y`.
pub fn above(y: i32, size: i32) -> i32 {
    y - 5 - size / 5
}

/// Returns the base line of words whose middle is at `y`.
pub fn across(y: i32, size: i32) -> i32 {
    y + size * 35 / 100
}

/// Returns how many characters of this size fit.
pub fn chars_in(px: i32, size: i32) -> usize {
    (px.max(0) * 1000 / (size * 605)) as usize
}

/// Returns the number of steps for which the height has to suffice. A growing run gets room for
/// several more steps at once, so that its rows seldom change.
pub fn rows_expected(space: Space, steps: usize) -> usize {
    let mut rows = space.total.max(4);
    while rows < steps {
        rows += rows.div_ceil(2);
    }
    rows
}

pub fn row_height(space: Space, rows: usize) -> i32 {
    ((space.height - HEAD - FOOT) / rows.max(1) as i32).clamp(ROW_MIN, ROW_MAX)
}

/// Returns the distances from a row's top to its request and to its reply.
pub fn lines_of(row: i32) -> (i32, i32) {
    let apart = (row / 4).clamp(14, 44);
    let request = row / 2 - (apart - 14) / 2;
    (request, request + apart)
}

#[derive(Debug)]
pub struct Columns {
    pub width: i32,
    /// The clients from left to right.
    pub lanes: Vec<ClientId>,
    first: i32,
    gap: i32,
    /// The left edge of words.
    pub zone: i32,
    /// The lanes of instances, resources and tables; there is at least one.
    pub dots: Vec<i32>,
    /// The distance between two of these.
    spacing: i32,
    /// The names of these.
    pub servers: Vec<String>,
    /// The size of the type, in px.
    pub size: i32,
}

impl Columns {
    pub fn new(lanes: Vec<ClientId>, width: i32, servers: &[String]) -> Columns {
        let tight = width < TIGHT;
        let (first, gap, beside) = if tight { (18, 30, 20) } else { (28, 40, 24) };
        let zone = first + gap * (lanes.len() as i32 - 1).max(0) + beside;
        let name = |name: &String| chars_px(chars_wide(name), NAME_SIZE);
        let longest = servers.iter().map(name).max().unwrap_or(0);
        let spacing = match tight {
            true => (longest + 6).clamp(30, 48),
            false => (longest + 13).clamp(44, 96),
        };
        let last = servers.last().map_or(0, name);
        // Half of the last name, or the bracket that joins two steps.
        let gutter = if tight { (last / 2 + 12).clamp(36, 52) } else { 52 };
        let many = servers.len().max(1) as i32;
        let between = spacing * (many - 1);
        let width = width.max(zone + WORDS_MIN + CLEAR + between + gutter);
        let dot = |number: i32| width - gutter - spacing * (many - 1 - number);
        let dots = (0..many).map(dot).collect();
        Columns {
            width,
            lanes,
            first,
            gap,
            zone,
            dots,
            spacing,
            servers: servers.to_vec(),
            size: SIZE_MIN,
        }
    }

    pub fn x(&self, id: ClientId) -> i32 {
        let place = self.lanes.iter().position(|lane| *lane == id).unwrap_or(id.index());
        self.first + self.gap * place as i32
    }

    pub fn dot(&self, server: usize) -> i32 {
        self.dots.get(server).or(self.dots.last()).copied().unwrap_or_default()
    }

    /// Returns the right edge of words.
    fn words_end(&self) -> i32 {
        self.dot(0) - CLEAR
    }

    /// Returns the name of a lane on the right, cut if its neighbours are too near.
    pub fn server_name(&self, name: &str) -> String {
        let room = if self.dots.len() > 1 { self.spacing - 4 } else { 2 * self.spacing };
        shortened(name, chars_in(room, NAME_SIZE))
    }

    /// Sets the largest type in which a command of this number of characters fits into rows of this
    /// height.
    pub fn with_type(mut self, row: i32, longest: usize) -> Columns {
        let room = self.words_end() - self.zone;
        let fits = room * 1000 / (longest.max(LONGEST_MIN) as i32 * 605);
        let most = match row {
            ..62 => SIZE_MIN,
            62..100 => 15,
            _ => 18,
        };
        self.size = fits.clamp(SIZE_MIN, most);
        self
    }

    pub fn label(&self, text: String) -> Label {
        self.label_after(text, 0)
    }

    /// Returns a label in the longest form that fits.
    pub fn label_of(&self, forms: &[String], exact: String) -> Label {
        let room = chars_in(self.words_end() - self.zone, self.size);
        self.label_for(Some(fitting(forms, 1, room).to_owned()), exact, 0)
    }

    /// Returns a label with a shorter form of `exact`, whose whole text is `exact`.
    pub fn label_for(&self, short: Option<String>, exact: String, less: i32) -> Label {
        let short = short.filter(|short| *short != exact);
        let Some(short) = short else { return self.label_after(exact, less) };
        Label { whole: Some(exact), ..self.label_after(short, less) }
    }

    /// Returns a label that has `less` px less room than others.
    pub fn label_after(&self, text: String, less: i32) -> Label {
        let room = chars_in(self.words_end() - self.zone - less, self.size).max(4);
        let shown = shortened(&text, room);
        Label { whole: Some(text).filter(|text| *text != shown), shown }
    }
}
