//! Splits one module into two: the first, and the later one, which is loaded when it is needed.
//!
//! The later module has only functions: it imports the memory, the tables and the variables of the
//! first, and those functions of the first that it calls. A moved function that can be reached from
//! the first module leaves a *door*: a place in the table of functions, and a small function that
//! calls the function at that place. At first the door itself is at that place; instantiating the
//! later module puts the real functions into all places. A door makes sure that the later module is
//! loaded before it calls, so that nothing depends on when that happens.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataCountSection, DataSection, ElementSection, Elements,
    EntityType, ExportSection, Function, FunctionSection, GlobalSection, GlobalType, ImportSection,
    Instruction, MemorySection, Module, TableSection, TypeSection, ValType,
};
use wasmparser::{ExternalKind, FuncType, RefType};

use super::data;
use super::module::{Uses, Wasm, words};
use super::names::brief;

/// The module and the name of the import by which the first module asks for the later one.
pub const LOAD: (&str, &str) = ("later", "load");
/// The module name under which the later module imports from the first.
pub const FIRST: &str = "first";

#[derive(Debug)]
pub struct Cut {
    pub first: Vec<u8>,
    pub later: Vec<u8>,
    /// The number of functions, of moved ones, and of doors.
    pub counts: [usize; 3],
    /// The names of the functions of the first module, by their indices.
    pub names: Vec<String>,
}

/// `goes` says for each function defined in `wasm` if it moves to the later module; `data` has the
/// addresses, in order, of the data that moves.
pub fn cut(wasm: &Wasm<'_>, goes: &[bool], data: &[Range<u32>]) -> Result<Cut, String> {
    let plan = Plan::new(wasm, goes)?;
    let moved = goes.iter().filter(|goes| **goes).count();
    Ok(Cut {
        first: plan.first(data)?,
        later: plan.later(data)?,
        counts: [goes.len(), moved, plan.doors.len()],
        names: plan.names(),
    })
}

/// A moved function that the first module can reach.
#[derive(Debug, Clone, Copy)]
struct Door {
    function: u32,
    type_index: u32,
    /// Its index in the table of functions.
    place: u32,
}

struct Plan<'a> {
    wasm: &'a Wasm<'a>,
    goes: &'a [bool],
    /// The index of the table of functions.
    table: u32,
    doors: Vec<Door>,
    /// The first of the places that were added to it, and their number.
    added: (u32, u32),
    of_first: Uses,
    of_later: Uses,
}

impl<'a> Plan<'a> {
    fn new(wasm: &'a Wasm<'a>, goes: &'a [bool]) -> Result<Plan<'a>, String> {
        let (mut of_first, mut of_later) = (Uses::default(), Uses::default());
        for (body, goes) in wasm.bodies.iter().zip(goes) {
            if *goes { of_later.add(body)? } else { of_first.add(body)? }
        }
        for (function, _) in wasm.exported(ExternalKind::Func) {
            of_first.functions.insert(function);
        }
        of_first.functions.extend(wasm.start);
        of_first.functions.extend(wasm.elements.iter().flat_map(|found| &found.functions));

        let is_table = |table: &wasmparser::Table<'_>| table.ty.element_type == RefType::FUNCREF;
        let Some(table) = wasm.tables.iter().position(is_table) else {
            return Err("it has no table of functions".to_owned());
        };
        let table = table as u32;
        if wasm.elements.iter().any(|found| found.table != table) {
            return Err("it has functions in several tables".to_owned());
        }
        let mut places = BTreeMap::new();
        for (place, function) in placed(wasm) {
            places.entry(function).or_insert(place);
        }
        let mut doors = Vec::new();
        for function in of_first.functions.iter().copied() {
            if is_moved(wasm, goes, function) {
                let place = places.get(&function).copied();
                let type_index = wasm.type_of(function)?;
                doors.push(Door { function, type_index, place: place.unwrap_or(u32::MAX) });
            }
        }
        // Alike beside each other: they compress.
        doors.sort_by_key(|door| (door.type_index, door.place, door.function));
        let mut added = (wasm.tables[table as usize].ty.initial as u32, 0);
        for door in doors.iter_mut().filter(|door| door.place == u32::MAX) {
            door.place = added.0 + added.1;
            added.1 += 1;
        }
        doors.sort_by_key(|door| (door.type_index, door.place));
        Ok(Plan { wasm, goes, table, doors, added, of_first, of_later })
    }

    fn is_moved(&self, function: u32) -> bool {
        is_moved(self.wasm, self.goes, function)
    }

    fn is_imported(&self, function: u32) -> bool {
        (function as usize) < self.wasm.imports.len()
    }

    /// Returns the functions defined in `wasm` that move, or that stay.
    fn defined(&self, go: bool) -> impl Iterator<Item = u32> {
        let first = self.wasm.imports.len() as u32;
        let goes = self.goes.iter().enumerate().filter(move |(_, goes)| **goes == go);
        goes.map(move |(place, _)| first + place as u32)
    }

    /// Returns the functions that the later module imports from the first.
    fn lent(&self) -> impl Iterator<Item = u32> {
        let functions = self.of_later.functions.iter().copied();
        functions.filter(|function| !self.is_imported(*function) && !self.is_moved(*function))
    }

    /// Returns the imports of the later module from the first, each with the name of its export.
    fn loans(&self) -> Vec<(ExternalKind, u32, String)> {
        let globals = self.of_later.globals.iter().map(|index| (ExternalKind::Global, *index));
        let tables: BTreeSet<u32> =
            self.of_later.tables.iter().copied().chain([self.table]).collect();
        let tables = tables.into_iter().map(|index| (ExternalKind::Table, index));
        let memories = 0..self.wasm.memories.len() as u32;
        let memories = memories.map(|index| (ExternalKind::Memory, index));
        let functions = self.lent().map(|index| (ExternalKind::Func, index));
        let mut names = (0..).map(brief);
        let taken: BTreeSet<&str> = self.wasm.exports.iter().map(|export| export.name).collect();
        let all = globals.chain(tables).chain(memories).chain(functions);
        let named = |(kind, index)| {
            let known = self.wasm.exported(kind).find(|(exported, _)| *exported == index);
            let fresh = || names.find(|name| !taken.contains(name.as_str()));
            let name = known.map(|(_, name)| name.to_owned()).or_else(fresh);
            (kind, index, name.unwrap_or_default())
        };
        all.map(named).collect()
    }

    fn names(&self) -> Vec<String> {
        let first = self.wasm.imports.len() as u32;
        let imports = (0..first).filter(|function| self.of_first.functions.contains(function));
        let imports = imports.map(|import| self.wasm.imports[import as usize].name);
        let name = |function: u32| self.wasm.names[(function - first) as usize].as_str();
        let functions = self.defined(false).map(name);
        let doors = self.doors.iter().map(|door| name(door.function));
        let all = imports.chain([LOAD.1]).chain(functions).chain(["(ensure)"]).chain(doors);
        all.map(str::to_owned).collect()
    }

    // ---- The first module -----------------------------------------------------------------------

    fn first(&self, data: &[Range<u32>]) -> Result<Vec<u8>, String> {
        let wasm = self.wasm;
        let mut map = Map::new(wasm);
        let load_type = map.types.add(&FuncType::new([], []));

        let mut imports = ImportSection::new();
        for function in 0..wasm.imports.len() as u32 {
            if self.of_first.functions.contains(&function) {
                map.import(&mut imports, function)?;
            }
        }
        let load = map.next();
        imports.import(LOAD.0, LOAD.1, EntityType::Function(load_type));

        let mut functions = FunctionSection::new();
        for function in self.defined(false) {
            let type_index = map.types.of(wasm.type_of(function)?);
            map.define(&mut functions, function, type_index);
        }
        let ensure = map.next();
        functions.function(load_type);
        for door in &self.doors {
            let type_index = map.types.of(door.type_index);
            map.define(&mut functions, door.function, type_index);
        }

        let mut globals = GlobalSection::new();
        for global in &wasm.globals {
            utils::parse_global(&mut map, &mut globals, global.clone()).map_err(words)?;
        }
        let is_there = wasm.globals.len() as u32;
        let flag = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        globals.global(flag, &ConstExpr::i32_const(0));

        let mut code = CodeSection::new();
        for function in self.defined(false) {
            self.body(function, &mut map, &mut code)?;
        }
        code.function(&Self::ensure(is_there, load));
        for door in &self.doors {
            code.function(&self.door(door, ensure, &mut map));
        }

        let exports = self.exports(&mut map)?;
        let elements = self.elements_of_first(&mut map)?;
        let start = wasm.start.map(|start| map.function_index(start)).transpose();
        let (count, data) = pieces(wasm, data, false);
        Sections {
            imports,
            functions,
            tables: Some(self.tables(&mut map)?),
            memories: Some(memories(wasm, &mut map)?),
            globals: Some(globals),
            exports: Some(exports),
            start: start.map_err(words)?,
            elements,
            count,
            code,
            data,
        }
        .finish(&map)
    }

    fn body(&self, function: u32, map: &mut Map<'_>, code: &mut CodeSection) -> Result<(), String> {
        let place = function as usize - self.wasm.imports.len();
        utils::parse_function_body(map, code, self.wasm.bodies[place].clone()).map_err(words)
    }

    /// Returns a function that loads the later module if it is not loaded.
    fn ensure(is_there: u32, load: u32) -> Function {
        let mut body = Function::new([]);
        for step in [
            Instruction::GlobalGet(is_there),
            Instruction::I32Eqz,
            Instruction::If(BlockType::Empty),
            Instruction::Call(load),
            Instruction::I32Const(1),
            Instruction::GlobalSet(is_there),
            Instruction::End,
            Instruction::End,
        ] {
            body.instruction(&step);
        }
        body
    }

    fn door(&self, door: &Door, ensure: u32, map: &mut Map<'_>) -> Function {
        let mut body = Function::new([]);
        body.instruction(&Instruction::Call(ensure));
        let arguments = self.wasm.types[door.type_index as usize].params().len();
        for argument in 0..arguments {
            body.instruction(&Instruction::LocalGet(argument as u32));
        }
        let type_index = map.types.of(door.type_index);
        body.instruction(&Instruction::I32Const(door.place.cast_signed()));
        body.instruction(&Instruction::CallIndirect { type_index, table_index: self.table });
        body.instruction(&Instruction::End);
        body
    }

    fn tables(&self, map: &mut Map<'_>) -> Result<TableSection, String> {
        let mut tables = TableSection::new();
        for (index, table) in self.wasm.tables.iter().enumerate() {
            let mut kind = map.table_type(table.ty).map_err(words)?;
            if index as u32 == self.table {
                kind.minimum += u64::from(self.added.1);
                kind.maximum = kind.maximum.map(|maximum| maximum.max(kind.minimum));
            }
            tables.table(kind);
        }
        Ok(tables)
    }

    fn exports(&self, map: &mut Map<'_>) -> Result<ExportSection, String> {
        let mut exports = ExportSection::new();
        let mut known = BTreeSet::new();
        for export in &self.wasm.exports {
            known.insert(export.name);
            utils::parse_export(map, &mut exports, *export).map_err(words)?;
        }
        for (kind, index, name) in self.loans() {
            if !known.contains(name.as_str()) {
                let index = map.external_index(kind, index).map_err(words)?;
                exports.export(&name, map.export_kind(kind).map_err(words)?, index);
            }
        }
        Ok(exports)
    }

    fn elements_of_first(&self, map: &mut Map<'_>) -> Result<ElementSection, String> {
        let mut elements = ElementSection::new();
        let mut put = |offset: u32, functions: &mut dyn Iterator<Item = u32>| {
            let list = functions.map(|function| map.function_index(function));
            let list: Vec<u32> = list.collect::<Result<_, _>>().map_err(words)?;
            let offset = ConstExpr::i32_const(offset.cast_signed());
            let table = Some(self.table).filter(|table| *table > 0);
            elements.active(table, &offset, Elements::Functions(list.into()));
            Ok::<(), String>(())
        };
        for found in &self.wasm.elements {
            put(found.offset, &mut found.functions.iter().copied())?;
        }
        if self.added.1 > 0 {
            let mut added: Vec<&Door> =
                self.doors.iter().filter(|door| door.place >= self.added.0).collect();
            added.sort_by_key(|door| door.place);
            put(self.added.0, &mut added.iter().map(|door| door.function))?;
        }
        Ok(elements)
    }

    // ---- The later module -----------------------------------------------------------------------

    fn later(&self, data: &[Range<u32>]) -> Result<Vec<u8>, String> {
        let wasm = self.wasm;
        let mut map = Map::new(wasm);
        let mut imports = ImportSection::new();
        for function in 0..wasm.imports.len() as u32 {
            if self.of_later.functions.contains(&function) {
                map.import(&mut imports, function)?;
            }
        }
        for (kind, index, name) in self.loans() {
            let entity = match kind {
                ExternalKind::Func => {
                    map.functions.insert(index, map.functions.len() as u32);
                    EntityType::Function(map.types.of(wasm.type_of(index)?))
                }
                ExternalKind::Global => {
                    map.globals.insert(index, map.globals.len() as u32);
                    let kind = wasm.globals[index as usize].ty;
                    EntityType::Global(map.global_type(kind).map_err(words)?)
                }
                ExternalKind::Table => {
                    map.tables.insert(index, map.tables.len() as u32);
                    let mut kind = map.table_type(wasm.tables[index as usize].ty).map_err(words)?;
                    if index == self.table {
                        kind.minimum += u64::from(self.added.1);
                        kind.maximum = kind.maximum.map(|maximum| maximum.max(kind.minimum));
                    }
                    EntityType::Table(kind)
                }
                _ => EntityType::Memory(
                    map.memory_type(wasm.memories[index as usize]).map_err(words)?,
                ),
            };
            imports.import(FIRST, &name, entity);
        }
        let mut functions = FunctionSection::new();
        for function in self.defined(true) {
            let type_index = map.types.of(wasm.type_of(function)?);
            map.define(&mut functions, function, type_index);
        }
        let mut code = CodeSection::new();
        for function in self.defined(true) {
            self.body(function, &mut map, &mut code)?;
        }
        let elements = self.elements_of_later(&mut map)?;
        let (count, data) = pieces(wasm, data, true);
        Sections {
            imports,
            functions,
            tables: None,
            memories: None,
            globals: None,
            exports: None,
            start: None,
            elements,
            count,
            code,
            data,
        }
        .finish(&map)
    }

    /// Returns the places of all moved functions, in runs.
    fn elements_of_later(&self, map: &mut Map<'_>) -> Result<ElementSection, String> {
        let placed = placed(self.wasm).filter(|(_, function)| self.is_moved(*function));
        let mut places: BTreeMap<u32, u32> = placed.collect();
        places.extend(self.doors.iter().map(|door| (door.place, door.function)));
        let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
        for (place, function) in places {
            let function = map.function_index(function).map_err(words)?;
            match runs.last_mut() {
                Some((start, run)) if *start + run.len() as u32 == place => run.push(function),
                _ => runs.push((place, vec![function])),
            }
        }
        let table = map.table_index(self.table).map_err(words)?;
        let table = Some(table).filter(|table| *table > 0);
        let mut elements = ElementSection::new();
        for (start, run) in runs {
            let offset = ConstExpr::i32_const(start.cast_signed());
            elements.active(table, &offset, Elements::Functions(run.into()));
        }
        Ok(elements)
    }
}

fn is_moved(wasm: &Wasm<'_>, goes: &[bool], function: u32) -> bool {
    let place = (function as usize).checked_sub(wasm.imports.len());
    place.and_then(|place| goes.get(place)).is_some_and(|goes| *goes)
}

/// Returns the places in the table of functions, and the functions there at the start.
fn placed(wasm: &Wasm<'_>) -> impl Iterator<Item = (u32, u32)> {
    wasm.elements.iter().flat_map(|found| (found.offset..).zip(found.functions.iter().copied()))
}

fn memories(wasm: &Wasm<'_>, map: &mut Map<'_>) -> Result<MemorySection, String> {
    let mut memories = MemorySection::new();
    for memory in &wasm.memories {
        memories.memory(map.memory_type(*memory).map_err(words)?);
    }
    Ok(memories)
}

/// Returns the data that moves, or that stays.
fn pieces(wasm: &Wasm<'_>, moved: &[Range<u32>], go: bool) -> (u32, DataSection) {
    let mut section = DataSection::new();
    for piece in &wasm.data {
        let Some(start) = data::address(&piece.kind) else {
            // At no fixed address: it stays, unread.
            if !go {
                section.passive(piece.data.iter().copied());
            }
            continue;
        };
        let end = start + piece.data.len() as u32;
        let inside = |range: &&Range<u32>| range.start < end && start < range.end;
        let mut at = start;
        let mut put = |from: u32, to: u32| {
            let bytes = &piece.data[(from - start) as usize..(to - start) as usize];
            // Memory is full of zeros before.
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count() as u32;
            let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            if used > 0 {
                let offset = ConstExpr::i32_const((from + zeros).cast_signed());
                section.active(0, &offset, bytes[zeros as usize..used].iter().copied());
            }
        };
        for range in moved.iter().filter(inside) {
            let (from, to) = (range.start.max(start), range.end.min(end));
            if go {
                put(from, to)
            } else {
                put(at, from)
            }
            at = to;
        }
        if !go {
            put(at, end);
        }
    }
    (section.len(), section)
}

// ---- Encoding -----------------------------------------------------------------------------------

/// A map from old indices to new ones.
struct Map<'a> {
    wasm: &'a Wasm<'a>,
    types: Types<'a>,
    functions: BTreeMap<u32, u32>,
    /// The number of functions that had no index before.
    fresh: u32,
    /// New indices of globals; empty if they keep theirs, as tables do.
    globals: BTreeMap<u32, u32>,
    tables: BTreeMap<u32, u32>,
}

impl<'a> Map<'a> {
    fn new(wasm: &'a Wasm<'a>) -> Map<'a> {
        let types = Types { all: &wasm.types, used: Vec::new(), map: BTreeMap::new() };
        let (functions, globals, tables) = Default::default();
        Map { wasm, types, functions, fresh: 0, globals, tables }
    }

    /// Returns the index for a new function.
    fn next(&mut self) -> u32 {
        self.fresh += 1;
        self.functions.len() as u32 + self.fresh - 1
    }

    fn import(&mut self, imports: &mut ImportSection, function: u32) -> Result<(), String> {
        let import = self.wasm.imports[function as usize];
        let entity = EntityType::Function(self.types.of(self.wasm.type_of(function)?));
        imports.import(import.module, import.name, entity);
        self.functions.insert(function, self.functions.len() as u32 + self.fresh);
        Ok(())
    }

    fn define(&mut self, section: &mut FunctionSection, function: u32, type_index: u32) {
        section.function(type_index);
        self.functions.insert(function, self.functions.len() as u32 + self.fresh);
    }
}

impl Reencode for Map<'_> {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Result<u32, Error<String>> {
        let missing = || Error::UserError(format!("function {function} is out of reach"));
        self.functions.get(&function).copied().ok_or_else(missing)
    }

    fn type_index(&mut self, index: u32) -> Result<u32, Error<String>> {
        Ok(self.types.of(index))
    }

    fn global_index(&mut self, global: u32) -> Result<u32, Error<String>> {
        Ok(self.globals.get(&global).copied().unwrap_or(global))
    }

    fn table_index(&mut self, table: u32) -> Result<u32, Error<String>> {
        Ok(self.tables.get(&table).copied().unwrap_or(table))
    }
}

/// The function types that a module needs.
struct Types<'a> {
    all: &'a [FuncType],
    used: Vec<FuncType>,
    map: BTreeMap<u32, u32>,
}

impl Types<'_> {
    fn of(&mut self, index: u32) -> u32 {
        if let Some(known) = self.map.get(&index) {
            return *known;
        }
        let found = self.add(&self.all[index as usize].clone());
        self.map.insert(index, found);
        found
    }

    fn add(&mut self, wanted: &FuncType) -> u32 {
        let known = self.used.iter().position(|one| one == wanted);
        let place = known.unwrap_or_else(|| {
            self.used.push(wanted.clone());
            self.used.len() - 1
        });
        place as u32
    }

    fn section(&self) -> Result<TypeSection, String> {
        let mut section = TypeSection::new();
        for one in &self.used {
            let kind = wasm_encoder::FuncType::try_from(one.clone());
            section.ty().func_type(&kind.map_err(words)?);
        }
        Ok(section)
    }
}

struct Sections {
    imports: ImportSection,
    functions: FunctionSection,
    tables: Option<TableSection>,
    memories: Option<MemorySection>,
    globals: Option<GlobalSection>,
    exports: Option<ExportSection>,
    start: Option<u32>,
    elements: ElementSection,
    count: u32,
    code: CodeSection,
    data: DataSection,
}

impl Sections {
    fn finish(&self, map: &Map<'_>) -> Result<Vec<u8>, String> {
        let mut module = Module::new();
        module.section(&map.types.section()?);
        module.section(&self.imports).section(&self.functions);
        if let Some(tables) = &self.tables {
            module.section(tables);
        }
        if let Some(memories) = &self.memories {
            module.section(memories);
        }
        if let Some(globals) = &self.globals {
            module.section(globals);
        }
        if let Some(exports) = &self.exports {
            module.section(exports);
        }
        if let Some(function_index) = self.start {
            module.section(&wasm_encoder::StartSection { function_index });
        }
        module.section(&self.elements);
        if self.count > 0 {
            module.section(&DataCountSection { count: self.count });
        }
        module.section(&self.code).section(&self.data);
        Ok(module.finish())
    }
}
