//! The map as a table, one row for each block: its place, and the fates of its states.

use crate::checker::map::{Block, Fate, Kind};
use crate::jobs::map::Sheet;
use crate::session::spelling::thousands;
use crate::text::{Lang, MapWord, fill, map};

use super::words;

/// The most rows. If there are more blocks, the last row stands for all the others.
pub const ROWS_MAX: usize = 60;
/// The fates in the order of their columns.
pub const FATES: [Fate; 5] = [Fate::Open, Fate::Safe, Fate::Right, Fate::Doomed, Fate::Broken];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub title: String,
    pub head: Vec<String>,
    /// The rows, each as long as the head; the first cell is the row's name.
    pub rows: Vec<Vec<String>>,
}

/// Returns the table of a sheet, each column of the picture from the top.
pub fn table(sheet: &Sheet, lang: Lang) -> Table {
    let word = |word: MapWord| map(lang, word).to_owned();
    let mut head = match sheet.view.kind {
        Kind::Lattice => {
            sheet.clients.iter().map(|name| fill(map(lang, MapWord::SendsNext), &[name])).collect()
        }
        Kind::Terrain => vec![word(MapWord::StepColumn), word(MapWord::NearColumn)],
    };
    head.push(word(MapWord::StatesColumn));
    head.extend(FATES.map(|fate| words::fate(fate, lang).to_owned()));
    let blocks = &sheet.view.blocks;
    let single = if blocks.len() > ROWS_MAX { ROWS_MAX - 1 } else { blocks.len() };
    let (own, rest) = blocks.split_at(single);
    let row = |block: &Block| {
        let [first, second] = place(sheet, block, lang);
        cells(first, second, &block.count)
    };
    let mut rows: Vec<Vec<String>> = own.iter().map(row).collect();
    if !rest.is_empty() {
        let mut count = [0; 5];
        for block in rest {
            count.iter_mut().zip(block.count).for_each(|(sum, one)| *sum += one);
        }
        rows.push(cells(word(MapWord::Rest), String::new(), &count));
    }
    Table { title: word(MapWord::Title), head, rows }
}

fn cells(first: String, second: String, count: &[u32; 5]) -> Vec<String> {
    let mut cells = vec![first, second, thousands(count.iter().map(|one| u64::from(*one)).sum())];
    cells.extend(FATES.map(|fate| match count[fate as usize] {
        0 => String::new(),
        some => thousands(some.into()),
    }));
    cells
}

/// Returns the place of a block: the calls of both clients, or the distances from the start and to
/// a break.
pub fn place(sheet: &Sheet, block: &Block, lang: Lang) -> [String; 2] {
    let done = || map(lang, MapWord::Done).to_owned();
    let call = |at: usize, place: u16| {
        sheet.calls[at].get(usize::from(place)).cloned().unwrap_or_else(done)
    };
    let view = &sheet.view;
    if view.kind == Kind::Lattice {
        return [call(0, block.x), call(1, block.y)];
    }
    let from = u32::from(block.x) * u32::from(view.per);
    let steps = match () {
        () if view.tail == Some(block.x) => format!("{from}+"),
        () if view.per > 1 => format!("{from}–{}", from + u32::from(view.per) - 1),
        () => from.to_string(),
    };
    let near = match (view.rows - 1).checked_sub(block.y) {
        _ if block.y == 0 => map(lang, MapWord::CannotBreak).to_owned(),
        Some(0) | None => map(lang, MapWord::BrokenRow).to_owned(),
        Some(left) if left == view.farthest && view.far > left => format!("{left}+"),
        Some(left) => left.to_string(),
    };
    [steps, near]
}
