//! Splits one module into several: the first, and later ones, which are loaded in their order.
//!
//! A later module has only functions: it imports the memory, the tables and the variables of the
//! first, and those functions of the modules before it that it calls. A function of a later module
//! that can be reached from one before it leaves a *door* there: a place in the table of functions,
//! and a small function that calls the function at that place. Instantiating a module puts its
//! functions into their places. A door makes sure that the module it leads to is there before it
//! calls, so that nothing depends on when that happens.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataCountSection, DataSection, ElementSection, Elements,
    EntityType, ExportKind, ExportSection, Function, FunctionSection, GlobalSection, GlobalType,
    ImportSection, Instruction, MemorySection, Module, TableSection, TableType, TypeSection,
    ValType,
};
use wasmparser::{ExternalKind, FuncType, RefType};

use super::data;
use super::module::{Uses, Wasm, words};
use super::names::brief;

/// The module and the name of the import by which a later module is asked for, by its number.
pub const LOAD: (&str, &str) = ("later", "load");
/// The module name under which later modules import from those before them.
pub const FIRST: &str = "first";

#[derive(Debug)]
pub struct Cut {
    /// The first module, and the later ones in the order in which they are loaded.
    pub modules: Vec<Vec<u8>>,
    /// The number of functions, of moved ones, and of doors.
    pub counts: [usize; 3],
    /// The names of the functions of the first module, by their indices.
    pub names: Vec<String>,
}

/// Data that moves: its addresses, and the number of its module.
pub type Moved = (Range<u32>, usize);

/// `part_of` says for each function defined in `wasm` to which of `count` modules it goes; `data`
/// has the data that moves, in the order of its addresses.
pub fn cut(
    wasm: &Wasm<'_>,
    count: usize,
    part_of: &[usize],
    data: &[Moved],
) -> Result<Cut, String> {
    let plan = Plan::new(wasm, count, part_of)?;
    let moved = part_of.iter().filter(|part| **part > 0).count();
    Ok(Cut {
        modules: (0..count).map(|part| plan.module(part, data)).collect::<Result<_, _>>()?,
        counts: [part_of.len(), moved, plan.doors.len()],
        names: plan.names(),
    })
}

/// A function of a later module that a module before it can reach.
#[derive(Debug, Clone, Copy)]
struct Door {
    function: u32,
    type_index: u32,
    /// Its index in the table of functions.
    place: u32,
    /// The first module that can reach it: there is the door.
    home: usize,
}

/// What one module has of another: something of the program's, or a function that makes sure that
/// the module of this number is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Loan {
    Global(u32),
    Table(u32),
    Memory(u32),
    /// A function itself, or the door to it.
    Function(u32),
    Door(u32),
    Ensure(usize),
}

struct Plan<'a> {
    wasm: &'a Wasm<'a>,
    part_of: &'a [usize],
    /// The index of the table of functions.
    table: u32,
    /// Those of a module beside each other, by their types and places.
    doors: Vec<Door>,
    /// The number of places that were added to it.
    added: u32,
    /// What the functions of each module use.
    uses: Vec<Uses>,
    /// The names of what is lent, and the number of the module that lends it.
    names: BTreeMap<Loan, (String, usize)>,
}

impl<'a> Plan<'a> {
    fn new(wasm: &'a Wasm<'a>, count: usize, part_of: &'a [usize]) -> Result<Plan<'a>, String> {
        let mut uses: Vec<Uses> = (0..count).map(|_| Uses::default()).collect();
        for (body, part) in wasm.bodies.iter().zip(part_of) {
            uses[*part].add(body)?;
        }
        let reached = &mut uses[0].functions;
        reached.extend(wasm.exported(ExternalKind::Func).map(|(function, _)| function));
        reached.extend(wasm.start);
        reached.extend(wasm.elements.iter().flat_map(|found| &found.functions));

        let is_table = |table: &wasmparser::Table<'_>| table.ty.element_type == RefType::FUNCREF;
        let Some(table) = wasm.tables.iter().position(is_table) else {
            return Err("it has no table of functions".to_owned());
        };
        let table = table as u32;
        if wasm.elements.iter().any(|found| found.table != table) {
            return Err("it has functions in several tables".to_owned());
        }
        let (doors, names) = Default::default();
        let mut plan = Plan { wasm, part_of, table, doors, added: 0, uses, names };
        plan.doors = plan.doors()?;
        plan.added = {
            let size = wasm.tables[table as usize].ty.initial as u32;
            let places = plan.doors.iter().map(|door| door.place + 1);
            places.max().unwrap_or_default().saturating_sub(size)
        };
        plan.names = plan.named();
        Ok(plan)
    }

    fn doors(&self) -> Result<Vec<Door>, String> {
        let mut places = BTreeMap::new();
        for (place, function) in placed(self.wasm) {
            places.entry(function).or_insert(place);
        }
        let mut doors = Vec::new();
        for function in self.defined_from(1) {
            let part = self.part(function).unwrap_or_default();
            let reaches = |uses: &Uses| uses.functions.contains(&function);
            if let Some(home) = self.uses[..part].iter().position(reaches) {
                let place = places.get(&function).copied().unwrap_or(u32::MAX);
                let type_index = self.wasm.type_of(function)?;
                doors.push(Door { function, type_index, place, home });
            }
        }
        // Alike beside each other: they compress.
        let alike = |door: &Door| (door.home, door.type_index, door.place, door.function);
        doors.sort_by_key(alike);
        let free = self.wasm.tables[self.table as usize].ty.initial as u32;
        for (door, place) in doors.iter_mut().filter(|door| door.place == u32::MAX).zip(free..) {
            door.place = place;
        }
        doors.sort_by_key(alike);
        Ok(doors)
    }

    /// Returns the number of the module that a function goes to; of an imported one, none.
    fn part(&self, function: u32) -> Option<usize> {
        let place = (function as usize).checked_sub(self.wasm.imports.len())?;
        self.part_of.get(place).copied()
    }

    /// Returns the functions defined in `wasm` that go to a module.
    fn defined(&self, part: usize) -> impl Iterator<Item = u32> {
        self.defined_from(0).filter(move |function| self.part(*function) == Some(part))
    }

    /// Returns the functions defined in `wasm` that go to a module, or to one after it.
    fn defined_from(&self, part: usize) -> impl Iterator<Item = u32> {
        let first = self.wasm.imports.len() as u32;
        let parts = (first..).zip(self.part_of);
        parts.filter(move |(_, of)| **of >= part).map(|(function, _)| function)
    }

    /// Returns the doors that stand in a module.
    fn doors_of(&self, part: usize) -> impl Iterator<Item = &Door> {
        self.doors.iter().filter(move |door| door.home == part)
    }

    /// Returns what a module has of those before it, in the order of its imports.
    fn loans(&self, part: usize) -> Vec<Loan> {
        if part == 0 {
            return Vec::new();
        }
        let uses = &self.uses[part];
        let globals = uses.globals.iter().map(|index| Loan::Global(*index));
        let tables: BTreeSet<u32> = uses.tables.iter().copied().chain([self.table]).collect();
        let tables = tables.into_iter().map(Loan::Table);
        let memories = (0..self.wasm.memories.len() as u32).map(Loan::Memory);
        let functions = uses.functions.iter().filter_map(|function| {
            let of = self.part(*function)?;
            let is_here = self.doors_of(part).any(|door| door.function == *function);
            match of.cmp(&part) {
                Ordering::Less => Some(Loan::Function(*function)),
                Ordering::Greater if !is_here => Some(Loan::Door(*function)),
                _ => None,
            }
        });
        let leads = |door: &Door| self.part(door.function).map(Loan::Ensure);
        let ensures: BTreeSet<Loan> = self.doors_of(part).filter_map(leads).collect();
        globals.chain(tables).chain(memories).chain(functions).chain(ensures).collect()
    }

    /// Names what is lent. What the program exports keeps its name.
    fn named(&self) -> BTreeMap<Loan, (String, usize)> {
        let mut names = (0..).map(brief);
        let taken: BTreeSet<&str> = self.wasm.exports.iter().map(|export| export.name).collect();
        let mut named = BTreeMap::new();
        for loan in (1..self.uses.len()).flat_map(|part| self.loans(part)) {
            let exported = |kind, index: u32| {
                let found = self.wasm.exported(kind).find(|(exported, _)| *exported == index);
                found.map(|(_, name)| name.to_owned())
            };
            let lender = match loan {
                Loan::Function(function) => self.part(function).unwrap_or_default(),
                Loan::Door(function) => {
                    let door = self.doors.iter().find(|door| door.function == function);
                    door.map_or(0, |door| door.home)
                }
                _ => 0,
            };
            let known = match loan {
                Loan::Global(index) => exported(ExternalKind::Global, index),
                Loan::Table(index) => exported(ExternalKind::Table, index),
                Loan::Memory(index) => exported(ExternalKind::Memory, index),
                Loan::Function(index) | Loan::Door(index) => exported(ExternalKind::Func, index),
                Loan::Ensure(_) => None,
            };
            let known = known.filter(|_| lender == 0);
            let mut fresh = || names.find(|name| !taken.contains(name.as_str()));
            let name = || known.or_else(&mut fresh).unwrap_or_default();
            named.entry(loan).or_insert_with(|| (name(), lender));
        }
        named
    }

    fn names(&self) -> Vec<String> {
        let first = self.wasm.imports.len() as u32;
        let imports = (0..first).filter(|function| self.uses[0].functions.contains(function));
        let imports = imports.map(|import| self.wasm.imports[import as usize].name);
        let name = |function: u32| self.wasm.names[(function - first) as usize].as_str();
        let functions = self.defined(0).map(name);
        let ensures = (1..self.uses.len()).map(|_| "(ensure)");
        let doors = self.doors_of(0).map(|door| name(door.function));
        let all = imports.chain([LOAD.1]).chain(functions).chain(ensures).chain(doors);
        all.map(str::to_owned).collect()
    }

    fn module(&self, part: usize, data: &[Moved]) -> Result<Vec<u8>, String> {
        let wasm = self.wasm;
        let is_first = part == 0;
        let mut map = Map::new(wasm);
        let mut imports = ImportSection::new();
        for function in 0..wasm.imports.len() as u32 {
            if self.uses[part].functions.contains(&function) {
                map.import(&mut imports, function)?;
            }
        }
        // The functions that make sure of a module, by its number.
        let mut ensures = BTreeMap::new();
        for loan in self.loans(part) {
            let entity = self.borrow(loan, &mut map, &mut ensures)?;
            imports.import(FIRST, &self.names[&loan].0, entity);
        }
        let mut load = 0;
        if is_first {
            load = map.next();
            let type_index = map.types.add(&FuncType::new([wasmparser::ValType::I32], []));
            imports.import(LOAD.0, LOAD.1, EntityType::Function(type_index));
        }

        let mut functions = FunctionSection::new();
        for function in self.defined(part) {
            let type_index = map.types.of(wasm.type_of(function)?);
            map.define(&mut functions, function, type_index);
        }
        let nothing = map.types.add(&FuncType::new([], []));
        for later in (1..self.uses.len()).filter(|_| is_first) {
            ensures.insert(later, map.next());
            functions.function(nothing);
        }
        for door in self.doors_of(part) {
            let type_index = map.types.of(door.type_index);
            map.define(&mut functions, door.function, type_index);
        }

        let mut code = CodeSection::new();
        for function in self.defined(part) {
            let place = function as usize - wasm.imports.len();
            utils::parse_function_body(&mut map, &mut code, wasm.bodies[place].clone())
                .map_err(words)?;
        }
        let globals = wasm.globals.len() as u32;
        for later in (1..self.uses.len()).filter(|_| is_first) {
            code.function(&Self::ensure(globals + later as u32 - 1, load, later));
        }
        for door in self.doors_of(part) {
            let leads = self.part(door.function).unwrap_or_default();
            code.function(&self.door(door, ensures[&leads], &mut map)?);
        }

        let exports = self.exports(part, &mut map, &ensures)?;
        let elements = match is_first {
            true => self.elements_of_first(&mut map)?,
            false => self.elements_of(part, &mut map)?,
        };
        let start = wasm.start.filter(|_| is_first).map(|start| map.function_index(start));
        let (count, data) = pieces(wasm, data, part);
        let (mut tables, mut memory, mut globals) = (None, None, None);
        if is_first {
            tables = Some(self.tables(&mut map)?);
            memory = Some(memories(wasm, &mut map)?);
            globals = Some(self.globals(&mut map)?);
        }
        Sections {
            imports,
            functions,
            tables,
            memories: memory,
            globals,
            exports,
            start: start.transpose().map_err(words)?,
            elements,
            count,
            code,
            data,
        }
        .finish(&map)
    }

    /// Gives what is lent an index in a later module, and returns what it is.
    fn borrow(
        &self,
        loan: Loan,
        map: &mut Map<'_>,
        ensures: &mut BTreeMap<usize, u32>,
    ) -> Result<EntityType, String> {
        let wasm = self.wasm;
        Ok(match loan {
            Loan::Function(index) | Loan::Door(index) => {
                let place = map.functions.len() as u32 + map.fresh;
                map.functions.insert(index, place);
                EntityType::Function(map.types.of(wasm.type_of(index)?))
            }
            Loan::Ensure(part) => {
                ensures.insert(part, map.next());
                EntityType::Function(map.types.add(&FuncType::new([], [])))
            }
            Loan::Global(index) => {
                map.globals.insert(index, map.globals.len() as u32);
                let kind = wasm.globals[index as usize].ty;
                EntityType::Global(map.global_type(kind).map_err(words)?)
            }
            Loan::Table(index) => {
                map.tables.insert(index, map.tables.len() as u32);
                EntityType::Table(self.table_type(index, map)?)
            }
            Loan::Memory(index) => {
                EntityType::Memory(map.memory_type(wasm.memories[index as usize]).map_err(words)?)
            }
        })
    }

    /// Returns a function that asks for a module if it is not there.
    fn ensure(is_there: u32, load: u32, part: usize) -> Function {
        let mut body = Function::new([]);
        for step in [
            Instruction::GlobalGet(is_there),
            Instruction::I32Eqz,
            Instruction::If(BlockType::Empty),
            Instruction::I32Const(part as i32),
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

    fn door(&self, door: &Door, ensure: u32, map: &mut Map<'_>) -> Result<Function, String> {
        let mut body = Function::new([]);
        body.instruction(&Instruction::Call(ensure));
        let arguments = self.wasm.types[door.type_index as usize].params().len();
        for argument in 0..arguments {
            body.instruction(&Instruction::LocalGet(argument as u32));
        }
        let type_index = map.types.of(door.type_index);
        let table_index = map.table_index(self.table).map_err(words)?;
        body.instruction(&Instruction::I32Const(door.place.cast_signed()));
        body.instruction(&Instruction::CallIndirect { type_index, table_index });
        body.instruction(&Instruction::End);
        Ok(body)
    }

    fn table_type(&self, index: u32, map: &mut Map<'_>) -> Result<TableType, String> {
        let mut kind = map.table_type(self.wasm.tables[index as usize].ty).map_err(words)?;
        if index == self.table {
            kind.minimum += u64::from(self.added);
            kind.maximum = kind.maximum.map(|maximum| maximum.max(kind.minimum));
        }
        Ok(kind)
    }

    fn tables(&self, map: &mut Map<'_>) -> Result<TableSection, String> {
        let mut tables = TableSection::new();
        for index in 0..self.wasm.tables.len() as u32 {
            tables.table(self.table_type(index, map)?);
        }
        Ok(tables)
    }

    /// Returns the program's variables, and one for each later module: is it there?
    fn globals(&self, map: &mut Map<'_>) -> Result<GlobalSection, String> {
        let mut globals = GlobalSection::new();
        for global in &self.wasm.globals {
            utils::parse_global(map, &mut globals, global.clone()).map_err(words)?;
        }
        let flag = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        for _ in 1..self.uses.len() {
            globals.global(flag, &ConstExpr::i32_const(0));
        }
        Ok(globals)
    }

    /// Returns what the program exports, in the first module, and what a module lends.
    fn exports(
        &self,
        part: usize,
        map: &mut Map<'_>,
        ensures: &BTreeMap<usize, u32>,
    ) -> Result<Option<ExportSection>, String> {
        let mut exports = ExportSection::new();
        let mut known = BTreeSet::new();
        for export in self.wasm.exports.iter().filter(|_| part == 0) {
            known.insert(export.name);
            utils::parse_export(map, &mut exports, *export).map_err(words)?;
        }
        for (loan, (name, _)) in self.names.iter().filter(|(_, (_, lender))| *lender == part) {
            let (kind, index) = match *loan {
                Loan::Global(index) => (ExportKind::Global, map.global_index(index)),
                Loan::Table(index) => (ExportKind::Table, map.table_index(index)),
                Loan::Memory(index) => (ExportKind::Memory, Ok(index)),
                Loan::Function(index) | Loan::Door(index) => {
                    (ExportKind::Func, map.function_index(index))
                }
                Loan::Ensure(later) => (ExportKind::Func, Ok(ensures[&later])),
            };
            if !known.contains(name.as_str()) {
                exports.export(name, kind, index.map_err(words)?);
            }
        }
        Ok(Some(exports).filter(|exports| !exports.is_empty()))
    }

    fn elements_of_first(&self, map: &mut Map<'_>) -> Result<ElementSection, String> {
        let mut runs = Vec::new();
        for found in &self.wasm.elements {
            let list = found.functions.iter().map(|function| map.function_index(*function));
            runs.push((found.offset, list.collect::<Result<_, _>>().map_err(words)?));
        }
        self.elements(runs, map)
    }

    /// Returns the places of all functions of a later module, in runs.
    fn elements_of(&self, part: usize, map: &mut Map<'_>) -> Result<ElementSection, String> {
        let doors = self.doors.iter().map(|door| (door.place, door.function));
        let placed = placed(self.wasm).chain(doors);
        let places: BTreeMap<u32, u32> =
            placed.filter(|(_, function)| self.part(*function) == Some(part)).collect();
        let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
        for (place, function) in places {
            let function = map.function_index(function).map_err(words)?;
            match runs.last_mut() {
                Some((start, run)) if *start + run.len() as u32 == place => run.push(function),
                _ => runs.push((place, vec![function])),
            }
        }
        self.elements(runs, map)
    }

    fn elements(
        &self,
        runs: Vec<(u32, Vec<u32>)>,
        map: &mut Map<'_>,
    ) -> Result<ElementSection, String> {
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

/// Returns the data of a module; the first has what does not move.
fn pieces(wasm: &Wasm<'_>, moved: &[Moved], part: usize) -> (u32, DataSection) {
    let mut section = DataSection::new();
    for piece in &wasm.data {
        let Some(start) = data::address(&piece.kind) else {
            // At no fixed address: it stays, unread.
            if part == 0 {
                section.passive(piece.data.iter().copied());
            }
            continue;
        };
        let end = start + piece.data.len() as u32;
        let inside = |(range, _): &&Moved| range.start < end && start < range.end;
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
        for (range, of) in moved.iter().filter(inside) {
            let (from, to) = (range.start.max(start), range.end.min(end));
            match part {
                0 => put(at, from),
                _ if part == *of => put(from, to),
                _ => {}
            }
            at = to;
        }
        if part == 0 {
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
