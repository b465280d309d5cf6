//! Lua 5.1 as plain data: programs that can be cloned, compared, hashed, paused and inspected.
//!
//! [`compile`] turns a source into a [`Chunk`]; a [`Vm`] runs it until it calls a function of the
//! host, and continues when the host has answered. In between, the `Vm` is a value: cloning it is
//! cheap, two that will behave alike are equal, and its fingerprint is the same on every target.
//!
//! The language and its library are PUC Lua 5.1's, including the order of `pairs` and the wording
//! of errors; the tests compare with `lua5.1` (`tests/lua.rs`). Two profiles exist: client
//! programs, and scripts inside Redis.
//!
//! Absent: files, processes, clocks, true randomness, binary chunks, userdata. A program can only
//! compute, and ask its host.
//!
//! Reading order: `value`, `table`, `opcode`, `lexer`, `parser`, `expr`,
//! `func`, `code`, `state`,
//! `exec`, `call`, `meta`, `debug`, `gc`, `data`, `trace`, `vm`, then the library
//! under `library`.

mod call;
mod code;
mod data;
mod debug;
mod exec;
mod expr;
mod func;
mod gc;
mod lexer;
mod library;
mod liveness;
pub mod memo;
mod meta;
mod number;
mod opcode;
mod parser;
mod prelude;
mod rename;
pub mod sha1;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod trace;
mod value;
mod vm;

use std::fmt;
use std::rc::Rc;

pub use data::Data;
pub use trace::{Assigned, FrameView, Trace, Turned, Variable};
pub use vm::{Failure, Pause, Vm};

use ground::hash::fingerprint;
use ground::resp::Bytes;

/// A compiled program. Equal when name and source are.
#[derive(Debug)]
pub struct Chunk {
    proto: Rc<opcode::Proto>,
}

impl Chunk {
    /// Returns the name that precedes `:line:` in messages.
    pub fn name(&self) -> &str {
        &self.proto.source.name
    }

    /// Returns the text it was compiled from.
    pub fn source(&self) -> &Bytes {
        &self.proto.source.text
    }
}

impl PartialEq for Chunk {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.proto, &other.proto) || self.proto.source == other.proto.source
    }
}

impl Eq for Chunk {}

impl std::hash::Hash for Chunk {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.proto.source.fingerprint);
    }
}

/// Compiles `source`; messages put `chunk_name` before the line.
pub fn compile(source: &[u8], chunk_name: &str) -> Result<Rc<Chunk>, SyntaxError> {
    compile_from(source, chunk_name, &format!("@{chunk_name}"))
}

fn compile_from(source: &[u8], chunk_name: &str, origin: &str) -> Result<Rc<Chunk>, SyntaxError> {
    let source = Rc::new(opcode::Source {
        name: chunk_name.into(),
        origin: origin.into(),
        text: source.into(),
        fingerprint: fingerprint(&(chunk_name, source)),
    });
    match parser::parse(&source) {
        Ok(proto) => Ok(Rc::new(Chunk { proto })),
        Err(error) => Err(SyntaxError { chunk: chunk_name.into(), ..error }),
    }
}

/// Returns the words of `source` as they are written, each with its line.
pub fn tokens(source: &[u8]) -> Result<Vec<(u32, String)>, SyntaxError> {
    let mut lexer = lexer::Lexer::new(source);
    let mut tokens = Vec::new();
    while !matches!(lexer.next()?, lexer::Token::Eof) {
        tokens.push((lexer.line, String::from_utf8_lossy(&lexer.spelling).into_owned()));
    }
    Ok(tokens)
}

/// Returns a string literal on one line, between two of `quote`.
pub fn literal(bytes: &[u8], quote: char) -> String {
    let mut out = String::from(quote);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => out += "\\\\",
                '\n' => out += "\\n",
                c if c == quote => out.extend(['\\', c]),
                c if c.is_ascii_control() => out += &format!("\\{:03}", c as u32),
                c => out.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| out += &format!("\\{byte:03}"));
    }
    out.push(quote);
    out
}

/// An error: the source is not Lua.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The name of the chunk.
    pub chunk: String,
    pub line: u32,
    /// The message, without the position. It quotes the source, which need not be text.
    message: Vec<u8>,
}

impl SyntaxError {
    pub fn new(chunk: &str, line: u32, message: &str) -> SyntaxError {
        SyntaxError { chunk: chunk.into(), line, message: message.into() }
    }

    /// Returns the message with its position, byte by byte as Lua has it.
    pub fn bytes(&self) -> Vec<u8> {
        [format!("{}:{}: ", self.chunk, self.line).as_bytes(), &self.message].concat()
    }

    /// Returns the message without the position, for people: a byte that is no text is `\xef`.
    pub fn message(&self) -> String {
        let mut shown = String::new();
        for part in self.message.utf8_chunks() {
            shown += part.valid();
            shown.extend(part.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        }
        shown
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.chunk, self.line, self.message())
    }
}

impl std::error::Error for SyntaxError {}

/// The libraries that a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProfileKind {
    /// base, string, table, math, coroutine.
    Client,
    /// The libraries of Redis's scripts: the same and cjson, cmsgpack, struct, bit.
    Script,
}

/// The libraries and host functions that a program can use.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    /// The functions at which the program pauses; "redis.call" is in the table `redis`. A name that
    /// begins with a colon is a method: no name leads to it, the host hands it out
    /// ([`Data::Host`]). A name that ends with "()" is a guard: `guard(x, f)` asks the host with
    /// `x`, then calls `f`, and after that, even if `f` threw, asks the host with `x` and `true`;
    /// the caller gets the results or the error of `f`. A name that ends with "[]" is an object:
    /// `object[key]` asks the host with the object and the key, `object[key] = value` with the
    /// value besides.
    pub host: &'static [&'static str],
    pub kind: ProfileKind,
}

/// Bounds of one program; reaching one is a Lua error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The most live bytes.
    pub memory: u32,
    /// The most bytes of one string.
    pub string: u32,
    /// The most nested calls.
    pub depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        // 20,000 calls are PUC's limit; the others keep a browser tab well: a world has up to 16
        // programs and runs a script beside them.
        Self { memory: 32 << 20, string: 16 << 20, depth: 20_000 }
    }
}

/// The example of README.md, which `cargo test --doc` runs.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct ReadMe;
