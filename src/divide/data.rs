//! Finds the data that only functions of later modules use.
//!
//! The linker leaves a list of every reference to a function or to a piece of data (build.rs asks
//! for it). `wasm-opt` has changed the functions since, and inlined some: the references of an
//! inlined or a small function count for its callers. Data that a function of a module
//! reaches, directly or through other data, goes to no module after it; nor does data at an address
//! that appears in such a function.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::ops::Range;

use wasm_encoder::CodeSection;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasmparser::{
    DataKind, FunctionBody, KnownCustom, Linking, MemArg, Operator, Parser, Payload,
    RelocationType, SymbolInfo,
};

use super::cut::Moved;
use super::module::{Wasm, words};

/// The length below which data stays: moving it costs as much.
const LENGTH_MIN: u32 = 24;
/// The size up to which a function may have been inlined into its callers.
const SMALL_MAX: usize = 60;
/// A number in functions that is no address, though data may lie there: one more than the largest
/// `char`.
const PAST_CHARS: u32 = char::MAX as u32 + 1;

/// Returns the data that moves to one of `count` modules, in the order of its addresses. `linked`
/// is the linker's output, `wasm` that of `wasm-opt`; `part_of` has the module of each function.
pub fn movable(
    linked: &[u8],
    wasm: &Wasm<'_>,
    count: usize,
    part_of: &[usize],
) -> Result<Vec<Moved>, String> {
    let links = Links::read(linked)?;
    let mut moved: Vec<Moved> = Vec::new();
    let mut rest = links.unused(wasm, |place| part_of[place] < 1)?;
    for part in 1..count {
        let next = match part + 1 < count {
            true => links.unused(wasm, |place| part_of[place] <= part)?,
            false => Vec::new(),
        };
        let here = without(&rest, &next);
        rest = without(&rest, &here);
        let long = here.into_iter().filter(|range| range.end - range.start >= LENGTH_MIN);
        moved.extend(long.map(|range| (range, part)));
    }
    moved.sort_by_key(|(range, _)| range.start);
    Ok(moved)
}

/// Returns what of `ranges` is not in `taken`; both are in order.
fn without(ranges: &[Range<u32>], taken: &[Range<u32>]) -> Vec<Range<u32>> {
    let mut free = Vec::new();
    for range in ranges {
        let mut start = range.start;
        for keep in taken.iter().filter(|keep| keep.start < range.end && range.start < keep.end) {
            free.push(start..keep.start.max(start));
            start = keep.end.max(start);
        }
        free.push(start..range.end.max(start));
    }
    free.retain(|range| !range.is_empty());
    free
}

/// Returns true if `symbol` is in the set, or there with a number appended.
fn is_among(symbols: &BTreeSet<&str>, symbol: &str) -> bool {
    let numbered = || symbols.range(symbol..).take_while(|one| one.starts_with(symbol));
    let is_it = |one: &str| {
        let rest = &one[symbol.len()..];
        rest.is_empty() || rest.strip_prefix('_').is_some_and(|n| n.parse::<u32>().is_ok())
    };
    !symbol.is_empty() && numbered().any(|one| is_it(one))
}

fn joined(mut ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    ranges.retain(|range| range.start < range.end);
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut all: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        match all.last_mut() {
            // A gap of a few bytes up to an aligned address is padding.
            Some(last) if range.start <= last.end.next_multiple_of(16) => {
                last.end = last.end.max(range.end);
            }
            _ => all.push(range),
        }
    }
    all
}

// ---- What refers to what ------------------------------------------------------------------------

#[derive(Default)]
struct Links<'a> {
    /// The functions of the linker's output.
    symbols: BTreeMap<u32, &'a str>,
    lengths: BTreeMap<u32, usize>,
    of_function: BTreeMap<u32, References>,
    /// The addresses of pieces of data, by symbol number.
    pieces: BTreeMap<u32, Range<u32>>,
    /// The pieces that each piece refers to.
    of_data: BTreeMap<u32, BTreeSet<u32>>,
}

#[derive(Default)]
struct References {
    called: BTreeSet<u32>,
    data: BTreeSet<u32>,
}

impl<'a> Links<'a> {
    /// Returns the addresses of data that none of the functions that stay uses, in order.
    fn unused(
        &self,
        wasm: &Wasm<'_>,
        stays: impl Fn(usize) -> bool,
    ) -> Result<Vec<Range<u32>>, String> {
        let staying = wasm.symbols.iter().enumerate().filter(|(place, _)| stays(*place));
        let staying: BTreeSet<&str> = staying.map(|(_, symbol)| *symbol).collect();
        let there: BTreeSet<&str> = wasm.symbols.iter().copied().collect();
        let numbers = numbers(wasm, stays)?;

        let mut reached = BTreeSet::new();
        let mut functions: Vec<u32> = Vec::new();
        let mut seen = BTreeSet::new();
        for (function, symbol) in &self.symbols {
            if is_among(&staying, symbol) {
                functions.push(*function);
            }
        }
        while let Some(function) = functions.pop() {
            if !seen.insert(function) {
                continue;
            }
            let Some(of_function) = self.of_function.get(&function) else { continue };
            reached.extend(&of_function.data);
            for called in &of_function.called {
                let symbol = self.symbols.get(called).copied().unwrap_or_default();
                let length = self.lengths.get(called).copied().unwrap_or_default();
                if length <= SMALL_MAX || !is_among(&there, symbol) {
                    functions.push(*called);
                }
            }
        }
        let starts: BTreeSet<u32> = self.pieces.values().map(|range| range.start).collect();
        for (piece, range) in &self.pieces {
            // The address at its end, unless another piece begins there.
            let end = range.end + u32::from(!starts.contains(&range.end));
            if numbers.range(range.start..end).next().is_some() {
                reached.insert(*piece);
            }
        }
        let mut waiting: Vec<u32> = reached.iter().copied().collect();
        while let Some(piece) = waiting.pop() {
            let next = self.of_data.get(&piece).into_iter().flatten().copied();
            waiting.extend(next.filter(|next| reached.insert(*next)));
        }

        // Pieces may lie in one another.
        let (mut moved, mut kept) = (Vec::new(), Vec::new());
        for (piece, range) in &self.pieces {
            if reached.contains(piece) { &mut kept } else { &mut moved }.push(range.clone());
        }
        Ok(without(&joined(moved), &joined(kept)))
    }

    fn read(linked: &'a [u8]) -> Result<Links<'a>, String> {
        let wasm = Wasm::read(linked)?;
        let imports = wasm.imports.len() as u32;
        let mut links = Links::default();
        for (place, (symbol, body)) in (imports..).zip(wasm.symbols.iter().zip(&wasm.bodies)) {
            links.symbols.insert(place, *symbol);
            links.lengths.insert(place, body.range().len());
        }
        let segments: Vec<Option<(u32, usize)>> = wasm
            .data
            .iter()
            .map(|data| Some((address(&data.kind)?, data.range.end - data.data.len())))
            .collect();
        let bodies: Vec<usize> = wasm.bodies.iter().map(|body| body.range().start).collect();

        let mut sections = Vec::new();
        let mut symbols: Vec<SymbolInfo<'_>> = Vec::new();
        let mut relocations = Vec::new();
        for payload in Parser::new(0).parse_all(linked) {
            let payload = payload.map_err(words)?;
            // Relocations count the sections in their order.
            match &payload {
                Payload::CodeSectionStart { range, .. } => sections.push(range.clone()),
                Payload::CodeSectionEntry(_) => {}
                other => sections.extend(other.as_section().map(|(_, range)| range)),
            }
            let Payload::CustomSection(reader) = payload else { continue };
            match reader.as_known() {
                KnownCustom::Linking(reader) => {
                    for part in reader.subsections() {
                        if let Linking::SymbolTable(table) = part.map_err(words)? {
                            for symbol in table {
                                symbols.push(symbol.map_err(words)?);
                            }
                        }
                    }
                }
                KnownCustom::Reloc(reader) => relocations.push(reader),
                _ => {}
            }
        }
        if symbols.is_empty() || relocations.is_empty() {
            return Err("the linker has not said what refers to what".to_owned());
        }
        for (number, symbol) in (0..).zip(&symbols) {
            if let SymbolInfo::Data { symbol: Some(found), .. } = symbol
                && let Some(Some((start, _))) = segments.get(found.index as usize)
            {
                let start = start + found.offset;
                links.pieces.insert(number, start..start + found.size);
            }
        }
        // Places in the file, to find out whose they are.
        let mut owners: Vec<(Range<usize>, u32)> = Vec::new();
        for (number, symbol) in (0..).zip(&symbols) {
            if let SymbolInfo::Data { symbol: Some(found), .. } = symbol
                && let Some(Some((_, file))) = segments.get(found.index as usize)
            {
                let start = file + found.offset as usize;
                owners.push((start..start + found.size as usize, number));
            }
        }
        owners.sort_by_key(|(range, _)| (range.start, range.end));
        for reader in relocations {
            let section = sections.get(reader.section_index() as usize);
            let section = section.ok_or("relocations of no section")?.clone();
            let is_code = bodies.first().is_some_and(|first| section.contains(first));
            for entry in reader.entries() {
                let entry = entry.map_err(words)?;
                let place = section.start + entry.offset as usize;
                let target = symbols.get(entry.index as usize);
                if is_code {
                    let body = bodies.partition_point(|start| *start <= place);
                    let Some(body) = body.checked_sub(1) else { continue };
                    let found = links.of_function.entry(imports + body as u32).or_default();
                    match target {
                        Some(SymbolInfo::Func { index, .. })
                            if entry.ty == RelocationType::FunctionIndexLeb =>
                        {
                            found.called.insert(*index);
                        }
                        Some(SymbolInfo::Data { .. }) => {
                            found.data.insert(entry.index);
                        }
                        _ => {}
                    }
                } else if let Some(SymbolInfo::Data { .. }) = target {
                    let until = owners.partition_point(|(range, _)| range.start <= place);
                    let around = owners[..until].iter().rev().take(64);
                    let around = around.filter(|(range, _)| range.contains(&place));
                    for (_, owner) in around {
                        links.of_data.entry(*owner).or_default().insert(entry.index);
                    }
                }
            }
        }
        Ok(links)
    }
}

/// Returns the address of a piece of data, if it is a constant.
pub fn address(kind: &DataKind<'_>) -> Option<u32> {
    let DataKind::Active { offset_expr, .. } = kind else { return None };
    match offset_expr.get_operators_reader().read() {
        Ok(Operator::I32Const { value }) => Some(value.cast_unsigned()),
        _ => None,
    }
}

// ---- Numbers in functions -----------------------------------------------------------------------

/// Returns every number in the functions that stay that may be an address.
fn numbers(wasm: &Wasm<'_>, stays: impl Fn(usize) -> bool) -> Result<BTreeSet<u32>, String> {
    let mut found = Numbers::default();
    let mut unread = CodeSection::new();
    for (_, body) in wasm.bodies.iter().enumerate().filter(|(place, _)| stays(*place)) {
        utils::parse_function_body(&mut found, &mut unread, FunctionBody::clone(body))
            .map_err(words)?;
    }
    found.all.remove(&PAST_CHARS);
    Ok(found.all)
}

#[derive(Default)]
struct Numbers {
    all: BTreeSet<u32>,
}

impl Reencode for Numbers {
    type Error = Infallible;

    fn instruction<'a>(
        &mut self,
        operator: Operator<'a>,
    ) -> Result<wasm_encoder::Instruction<'a>, Error> {
        if let Operator::I32Const { value } = operator {
            self.all.insert(value.cast_unsigned());
        }
        utils::instruction(self, operator)
    }

    fn mem_arg(&mut self, found: MemArg) -> Result<wasm_encoder::MemArg, Error> {
        self.all.insert(found.offset as u32);
        utils::mem_arg(self, found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn the_address_at_an_end_is_of_the_piece_that_begins_there() {
        let bytes = sample();
        let wasm = Wasm::read(&bytes).unwrap();
        // The one that stays reads at 100.
        let unused = |pieces: &[Range<u32>]| -> Vec<(u32, u32)> {
            let pieces = (0..).zip(pieces.iter().cloned()).collect();
            let links = Links { pieces, ..Links::default() };
            let unused = links.unused(&wasm, |place| place == 3).unwrap();
            unused.iter().map(|range| (range.start, range.end)).collect()
        };
        assert_eq!(unused(&[92..100, 100..140]), [(92, 100)]);
        assert_eq!(unused(&[92..100, 104..140]), [(104, 140)]);
    }
}
