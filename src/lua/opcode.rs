//! The instruction set, which the compiler makes and the interpreter runs: PUC 5.1's, one for one.
//!
//! The instruction set is kept because two visible things depend on it: the names in error messages
//! are found by reading the code backwards (see [`debug`](super::debug)), and the size hints of a
//! table constructor decide the order of `pairs`.
//!
//! To add an operation: `sets_a` and `is_test` here; its case in [`exec`](super::exec) and the
//! registers it reads in [`liveness`](super::liveness), which stop compiling without it; who emits
//! it ([`code`](super::code)); then the places that have an arm for everything else: `kill` and
//! `next` of [`liveness`](super::liveness), `name_in` and `last_write` of [`debug`](super::debug),
//! `finish_op` of [`meta`](super::meta), [`trace`](super::trace).

use std::cell::OnceCell;
use std::rc::Rc;

use super::liveness::Registers;
use super::value::{Str, Value};
use ground::resp::Bytes;

/// An operation; the comments of `lopcodes.h` hold for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    Move,
    LoadK,
    LoadBool,
    LoadNil,
    GetUpval,
    GetGlobal,
    GetTable,
    SetGlobal,
    SetUpval,
    SetTable,
    NewTable,
    Method,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
    Unm,
    Not,
    Len,
    Concat,
    Jmp,
    Eq,
    Lt,
    Le,
    Test,
    TestSet,
    Call,
    TailCall,
    Return,
    ForLoop,
    ForPrep,
    TForLoop,
    SetList,
    Close,
    Closure,
    Vararg,
}

/// One instruction. `b` and `c` are registers, or constants when [`K`] is set, or together one
/// 32-bit number.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub(super) struct Instr {
    pub op: Op,
    pub a: u8,
    pub b: u16,
    pub c: u16,
}

/// Marks a `b` or `c` that names a constant.
pub(super) const K: u16 = 0x8000;
/// The highest index of a constant that fits beside the mark.
pub(super) const K_MAX: usize = 0x7fff;
/// The number of array items that one `SetList` stores.
pub(super) const FIELDS_PER_FLUSH: usize = 50;
/// The most registers of a function; PUC's `MAXSTACK`.
pub(super) const REGISTERS_MAX: usize = 250;

impl Instr {
    pub fn new(op: Op, a: u8, b: u16, c: u16) -> Self {
        Self { op, a, b, c }
    }

    pub fn with_bx(op: Op, a: u8, bx: u32) -> Self {
        Self { op, a, b: bx as u16, c: (bx >> 16) as u16 }
    }

    #[inline]
    pub fn bx(self) -> usize {
        (u32::from(self.b) | u32::from(self.c) << 16) as usize
    }

    #[inline]
    pub fn sbx(self) -> i32 {
        self.bx() as u32 as i32
    }

    pub fn set_sbx(&mut self, offset: i32) {
        *self = Self::with_bx(self.op, self.a, offset as u32);
    }
}

impl Op {
    /// Returns true if the operation writes register A.
    pub fn sets_a(self) -> bool {
        !matches!(
            self,
            Self::SetGlobal
                | Self::SetUpval
                | Self::SetTable
                | Self::Jmp
                | Self::Eq
                | Self::Lt
                | Self::Le
                | Self::Return
                | Self::TForLoop
                | Self::SetList
                | Self::Close
        )
    }

    /// Returns true if the next instruction is the jump taken when this test holds.
    pub fn is_test(self) -> bool {
        matches!(self, Self::Eq | Self::Lt | Self::Le | Self::Test | Self::TestSet | Self::TForLoop)
    }
}

/// A local variable's name and the instructions in which it is alive.
#[derive(Debug)]
pub(super) struct LocVar {
    pub name: Str,
    pub start: u32,
    pub end: u32,
}

/// The program that a function belongs to.
#[derive(Debug)]
pub(super) struct Source {
    pub name: Rc<str>,
    /// The name as it was given: "@file", "=name" or the text itself.
    pub origin: Rc<str>,
    pub text: Bytes,
    /// The fingerprint of name and text together.
    pub fingerprint: u64,
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint && self.name == other.name && self.text == other.text
    }
}

impl Proto {
    /// The interpreter looks neither at the number of a register nor at that of a constant.
    pub fn check(&self) {
        if !cfg!(debug_assertions) {
            return;
        }
        let (registers, constants) = (u16::from(self.registers), self.constants.len());
        debug_assert_eq!(self.lines.len(), self.code.len(), "each instruction has its line");
        for instr in &self.code {
            let is_operand = |n: u16| match n & K {
                0 => n < registers,
                _ => usize::from(n & !K) < constants,
            };
            let in_frame = match instr.op {
                Op::Jmp | Op::Close => true,
                Op::Eq | Op::Lt | Op::Le => is_operand(instr.b) && is_operand(instr.c),
                Op::SetTable => is_operand(instr.b) && is_operand(instr.c),
                Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Pow => {
                    u16::from(instr.a) < registers && is_operand(instr.b) && is_operand(instr.c)
                }
                Op::LoadK | Op::GetGlobal | Op::SetGlobal => {
                    u16::from(instr.a) < registers && instr.bx() < constants
                }
                Op::Closure => instr.bx() < self.protos.len(),
                _ => u16::from(instr.a) < registers,
            };
            debug_assert!(in_frame, "{instr:?} goes beyond {registers} registers");
        }
    }
}

/// A compiled function.
#[derive(Debug)]
pub(super) struct Proto {
    pub code: Vec<Instr>,
    pub constants: Vec<Value>,
    pub protos: Vec<Rc<Proto>>,
    pub lines: Vec<u32>,
    pub locals: Vec<LocVar>,
    pub upvalues: Vec<Str>,
    pub params: u8,
    pub vararg: u8,
    pub registers: u8,
    pub line_defined: u32,
    /// The position in its source, counting functions in the order in which they end.
    pub id: u32,
    pub source: Rc<Source>,
    /// The registers live before each instruction; computed at the first use.
    pub live: OnceCell<Vec<Registers>>,
}

/// The function has the 5.0 parameter `arg` (used or not).
pub(super) const VARARG_HAS_ARG: u8 = 1;
/// The function takes `...`.
pub(super) const VARARG: u8 = 2;
/// `arg` must be filled: the function never uses `...`.
pub(super) const VARARG_NEEDS_ARG: u8 = 4;

impl Proto {
    /// Name of the `number`th local (from 1) alive at `pc`.
    pub fn local_name(&self, number: usize, pc: usize) -> Option<&Str> {
        self.active_locals(pc).nth(number - 1)
    }

    /// Names of the locals alive at `pc`, in register order.
    pub fn active_locals(&self, pc: usize) -> impl Iterator<Item = &Str> {
        let pc = pc as u32;
        self.locals
            .iter()
            .take_while(move |local| local.start <= pc)
            .filter(move |local| pc < local.end)
            .map(|local| &local.name)
    }

    /// Returns true if both functions came from the same place of the same source.
    pub fn same(&self, other: &Self) -> bool {
        self.id == other.id
            && (Rc::ptr_eq(&self.source, &other.source) || self.source == other.source)
    }
}
