//! Instruments the module: each function sets a byte of its own when it is called.
//! tests/browser/record.mjs reads the bytes after first visits.
//!
//! The bytes are behind the program's initial memory, which the program never touches. Absent:
//! counts, and the order of calls.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, Instruction, MemArg, Module};
use wasmparser::{CustomSectionReader, FunctionBody, Parser};

use super::module::{Wasm, words};

const PAGE: u64 = 1 << 16;

/// Returns the instrumented module, and the address of its first function's byte. The bytes are
/// behind the initial memory; memory that the program allocates later is behind them.
pub fn record(bytes: &[u8], wasm: &Wasm<'_>) -> Result<(Vec<u8>, u64), String> {
    let memory = wasm.memories.first().ok_or("it has no memory")?;
    let base = memory.initial * PAGE;
    let pages = (wasm.bodies.len() as u64).div_ceil(PAGE);
    let mut recorder = Recorder { next: base, pages };
    let mut module = Module::new();
    recorder.parse_core_module(&mut module, Parser::new(0), bytes).map_err(words)?;
    Ok((module.finish(), base))
}

struct Recorder {
    next: u64,
    pages: u64,
}

impl Reencode for Recorder {
    type Error = Infallible;

    fn memory_type(
        &mut self,
        memory: wasmparser::MemoryType,
    ) -> Result<wasm_encoder::MemoryType, Error> {
        let mut memory = utils::memory_type(self, memory);
        memory.minimum += self.pages;
        memory.maximum = memory.maximum.map(|maximum| maximum + self.pages);
        Ok(memory)
    }

    fn parse_custom_section(
        &mut self,
        _: &mut Module,
        _: CustomSectionReader<'_>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<(), Error> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        function.instruction(&Instruction::I32Const(0));
        function.instruction(&Instruction::I32Const(1));
        let mark = MemArg { offset: self.next, align: 0, memory_index: 0 };
        function.instruction(&Instruction::I32Store8(mark));
        self.next += 1;
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            function.instruction(&self.parse_instruction(&mut reader)?);
        }
        code.function(&function);
        Ok(())
    }
}
