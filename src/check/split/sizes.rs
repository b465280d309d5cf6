//! Prints the size of each function of the page: `check split --sizes app`.

use std::collections::{BTreeMap, BTreeSet};

use super::module::Wasm;

const LINES_MAX: usize = 200;

/// Prints the largest functions that a first visit loads, and the sums.
pub fn print(wasm: &Wasm<'_>, unused: &BTreeSet<String>) {
    let mut by_name: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, body) in wasm.names.iter().zip(&wasm.bodies) {
        let (bytes, copies) = by_name.entry(name).or_default();
        *bytes += body.range().len();
        *copies += 1;
    }
    let sum = |later: bool| -> usize {
        let found = by_name.iter().filter(|(name, _)| unused.contains(**name) == later);
        found.map(|(_, (bytes, _))| bytes).sum()
    };
    println!("{:>9} bytes of functions come first\n{:>9} come later", sum(false), sum(true));
    let mut first: Vec<_> = by_name.iter().filter(|(name, _)| !unused.contains(**name)).collect();
    first.sort_by_key(|(_, (bytes, _))| std::cmp::Reverse(*bytes));
    for (name, (bytes, copies)) in first.into_iter().take(LINES_MAX) {
        let copies = if *copies > 1 { format!(" ({copies} times)") } else { String::new() };
        println!("{bytes:>9} {name}{copies}");
    }
}
