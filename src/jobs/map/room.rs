//! How much of a map fits into a picture: the page draws what the checker has divided so.

use crate::checker::map::Room;

/// The least width of a terrain's column.
const COLUMN_MIN: f64 = 15.0;
const COLUMN_MIN_SMALL: f64 = 8.0;
/// The number of distances to a break that get a row of their own.
const DISTANCES_MAX: u16 = 12;
/// The margins of a terrain, and of a picture on a card.
pub const RIGHT_OF_TERRAIN: f64 = 16.0;
pub const SMALL_MARGIN: f64 = 9.0;
/// The width below which labels are short.
pub const NARROW: f64 = 480.0;

/// Returns how many columns and rows fit into a picture of this width.
pub fn room(width: f64) -> Room {
    let (wide, column) = match is_small(width) {
        true => (width - 2.0 * SMALL_MARGIN, COLUMN_MIN_SMALL),
        false => (width - (left_of_terrain(width) + RIGHT_OF_TERRAIN), COLUMN_MIN),
    };
    Room { columns: (wide / column).clamp(2.0, 200.0) as u16, distances: DISTANCES_MAX }
}

/// Returns true for a picture on a card, without labels.
pub fn is_small(width: f64) -> bool {
    width < 240.0
}

/// Returns the room for the names of a terrain's rows.
pub fn left_of_terrain(width: f64) -> f64 {
    if width < NARROW { 54.0 } else { 96.0 }
}
