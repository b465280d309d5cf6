//! Reads a WebAssembly module: its sections from wasmparser, its functions by index, and what a
//! function uses. It changes nothing; `cut` writes.

use std::collections::BTreeSet;
use std::convert::Infallible;

use wasm_encoder::CodeSection;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasmparser::{
    Data, Element, ElementItems, ElementKind, Export, ExternalKind, FuncType, FunctionBody, Global,
    Import, Imports, KnownCustom, MemoryType, Name, Operator, Parser, Payload, Table, TypeRef,
};

use super::names::stable;

/// A module as `wasm-bindgen` and `wasm-opt` make it from a Rust program; others may be refused.
#[derive(Debug, Default)]
pub struct Wasm<'a> {
    pub types: Vec<FuncType>,
    /// The imports, all of them functions; they have the first indices.
    pub imports: Vec<Import<'a>>,
    /// The types of the functions defined here.
    pub functions: Vec<u32>,
    pub tables: Vec<Table<'a>>,
    pub memories: Vec<MemoryType>,
    pub globals: Vec<Global<'a>>,
    pub exports: Vec<Export<'a>>,
    pub start: Option<u32>,
    pub elements: Vec<Elements>,
    pub data: Vec<Data<'a>>,
    pub bodies: Vec<FunctionBody<'a>>,
    /// The linker's name of each function defined here; empty if it is not known.
    pub symbols: Vec<&'a str>,
    /// The same, in a form that is stable from build to build.
    pub names: Vec<String>,
}

/// Functions that are in a table from the start.
#[derive(Debug)]
pub struct Elements {
    pub table: u32,
    pub offset: u32,
    pub functions: Vec<u32>,
}

type Problem = String;

impl<'a> Wasm<'a> {
    pub fn read(bytes: &'a [u8]) -> Result<Wasm<'a>, Problem> {
        let mut wasm = Wasm::default();
        let mut names = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            wasm.take(payload.map_err(words)?, &mut names)?;
        }
        wasm.symbols = vec![""; wasm.bodies.len()];
        for (index, name) in names {
            let place = (index as usize).checked_sub(wasm.imports.len());
            if let Some(place) = place.and_then(|place| wasm.symbols.get_mut(place)) {
                *place = name;
            }
        }
        wasm.names = wasm.symbols.iter().map(|symbol| stable(symbol)).collect();
        Ok(wasm)
    }

    fn take(
        &mut self,
        payload: Payload<'a>,
        names: &mut Vec<(u32, &'a str)>,
    ) -> Result<(), Problem> {
        match payload {
            Payload::TypeSection(reader) => {
                for found in reader.into_iter_err_on_gc_types() {
                    self.types.push(found.map_err(words)?);
                }
            }
            Payload::ImportSection(reader) => {
                for found in reader {
                    match found.map_err(words)? {
                        Imports::Single(_, import) if matches!(import.ty, TypeRef::Func(_)) => {
                            self.imports.push(import);
                        }
                        other => return Err(format!("it imports what is no function: {other:?}")),
                    }
                }
            }
            Payload::FunctionSection(reader) => self.functions = all(reader)?,
            Payload::TableSection(reader) => self.tables = all(reader)?,
            Payload::MemorySection(reader) => self.memories = all(reader)?,
            Payload::GlobalSection(reader) => self.globals = all(reader)?,
            Payload::ExportSection(reader) => self.exports = all(reader)?,
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(reader) => {
                for element in reader {
                    self.elements.push(elements(element.map_err(words)?)?);
                }
            }
            Payload::DataSection(reader) => self.data = all(reader)?,
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::TagSection(_) => return Err("it has tags of exceptions".to_owned()),
            Payload::CustomSection(reader) => {
                if let KnownCustom::Name(sections) = reader.as_known() {
                    for section in sections {
                        if let Name::Function(map) = section.map_err(words)? {
                            for naming in map {
                                let naming = naming.map_err(words)?;
                                names.push((naming.index, naming.name));
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    pub fn type_of(&self, function: u32) -> Result<u32, Problem> {
        let index = function as usize;
        let found = match self.imports.get(index) {
            Some(import) => match import.ty {
                TypeRef::Func(found) => Some(found),
                _ => None,
            },
            None => self.functions.get(index - self.imports.len()).copied(),
        };
        found.ok_or_else(|| format!("there is no function {function}"))
    }

    pub fn exported(&self, kind: ExternalKind) -> impl Iterator<Item = (u32, &'a str)> {
        let of_kind = self.exports.iter().filter(move |export| export.kind == kind);
        of_kind.map(|export| (export.index, export.name))
    }
}

fn all<'a, T: wasmparser::FromReader<'a>>(
    reader: wasmparser::SectionLimited<'a, T>,
) -> Result<Vec<T>, Problem> {
    reader.into_iter().collect::<Result<_, _>>().map_err(words)
}

fn elements(element: Element<'_>) -> Result<Elements, Problem> {
    let strange = || "elements of a kind that is not known here".to_owned();
    let ElementKind::Active { table_index, offset_expr } = element.kind else {
        return Err(strange());
    };
    let ElementItems::Functions(functions) = element.items else { return Err(strange()) };
    let Ok(Operator::I32Const { value }) = offset_expr.get_operators_reader().read() else {
        return Err(strange());
    };
    let offset = value.cast_unsigned();
    Ok(Elements { table: table_index.unwrap_or(0), offset, functions: all(functions)? })
}

pub fn words(error: impl std::fmt::Display) -> Problem {
    error.to_string()
}

/// The indices that functions use.
#[derive(Debug, Default)]
pub struct Uses {
    pub functions: BTreeSet<u32>,
    pub globals: BTreeSet<u32>,
    pub tables: BTreeSet<u32>,
}

impl Uses {
    pub fn add(&mut self, body: &FunctionBody<'_>) -> Result<(), Problem> {
        let mut unread = CodeSection::new();
        utils::parse_function_body(self, &mut unread, body.clone()).map_err(words)
    }
}

impl Reencode for Uses {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        self.functions.insert(function);
        Ok(function)
    }

    fn global_index(&mut self, global: u32) -> Result<u32, Error> {
        self.globals.insert(global);
        Ok(global)
    }

    fn table_index(&mut self, table: u32) -> Result<u32, Error> {
        self.tables.insert(table);
        Ok(table)
    }
}
