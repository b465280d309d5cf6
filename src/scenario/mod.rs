//! How a world is written down, once for all who write one: lessons, the playground, `check`.
//!
//! A [`Definition`] is a world with its texts; [`fields`] makes the struct, its reader, its writer
//! and the list of its names of one row a field. [`toml`] and JSON are read to a [`tree`] of values
//! with their lines; a [`Definition`] is read from that alone, so other forms are made into such a
//! tree first: the folder of a lesson or a scenario by [`manifest`]. [`checks`] finds what is wrong
//! in a world that can be read, and [`mistakes`] words what is wrong, with its line. [`setup`]
//! makes commands of a world's texts, and [`start`] makes the world that is run and searched.
//!
//! To add a field: its row in [`def`], what it means in [`start`], and docs/authoring.md. Manifests
//! have it under the same name.

pub mod checks;
pub mod def;
pub mod faults;
pub mod fields;
pub mod manifest;
pub mod mistakes;
pub mod setup;
pub mod start;
pub mod toml;
pub mod tree;
pub mod with;

pub use def::{Client, Definition, Expect, Instance, Property, Script, whole_too_big};
pub use mistakes::{Mistake, MistakePlace, Mistakes, Part, lacking_words};
pub use with::With;

/// The most client programs, clients, server scripts, instances and properties: as many as a world
/// has clients.
pub const MANY_MAX: usize = crate::sim::MAX_CLIENTS;
/// The most bytes of the whole as one text.
pub const WHOLE_MAX: usize = 96 * 1024;

/// Says that there are too many of something.
fn too_many(count: usize) -> String {
    format!("there are {count}, and there may be at most {MANY_MAX}")
}
