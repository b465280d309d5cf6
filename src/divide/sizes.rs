//! Lists the size of each function of the page: `divide --sizes app`.

use std::collections::BTreeMap;

use super::PARTS;
use super::module::Wasm;

const LINES_MAX: usize = 200;

/// Lists the largest functions that a first visit loads, those that lessons add, and the sums, in
/// bytes.
pub fn table(wasm: &Wasm<'_>, unused: &BTreeMap<String, usize>) -> String {
    let mut by_name: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, body) in wasm.names.iter().zip(&wasm.bodies) {
        let (bytes, copies) = by_name.entry(name).or_default();
        *bytes += body.range().len();
        *copies += 1;
    }
    let part_of = |name: &str| unused.get(name).copied().unwrap_or_default();
    let mut table = String::new();
    for (part, title) in PARTS.iter().enumerate() {
        let here = by_name.iter().filter(|(name, _)| part_of(name) == part);
        let mut here: Vec<_> = here.collect();
        let sum: usize = here.iter().map(|(_, (bytes, _))| bytes).sum();
        table += &format!("{sum:>9} bytes of functions: {title}\n");
        here.sort_by_key(|(_, (bytes, _))| std::cmp::Reverse(*bytes));
        let shown = if part + 1 < PARTS.len() { LINES_MAX } else { 0 };
        for (name, (bytes, copies)) in here.into_iter().take(shown) {
            let copies = if *copies > 1 { format!(" ({copies} times)") } else { String::new() };
            table += &format!("{bytes:>9} {name}{copies}\n");
        }
    }
    table
}
