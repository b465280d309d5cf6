//! A function under construction: its code, constants, variables, and the lists of jumps whose
//! target is not known yet. The lists run through the jumps' own offsets.

use std::collections::HashMap;
use std::rc::Rc;

use super::code::{Exp, Kind, NO_JUMP};
use super::opcode::{Instr, K, LocVar, Op, Proto};
use super::value::{Str, Value};

/// No register.
pub(super) const NO_REG: u8 = 255;

#[derive(PartialEq, Eq, Hash)]
pub(super) enum ConstKey {
    Nil,
    Bool(bool),
    Number(u64),
    Str(Str),
}

/// A variable that the enclosing function must capture for an upvalue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Capture {
    pub kind: Kind,
    pub index: u8,
}

/// A block: a loop when `breakable`.
pub(super) struct Block {
    pub breaks: i32,
    pub active: usize,
    pub has_upvalue: bool,
    pub breakable: bool,
}

/// A function under construction.
#[derive(Default)]
pub(super) struct Func {
    pub code: Vec<Instr>,
    pub lines: Vec<u32>,
    pub constants: Vec<Value>,
    keys: HashMap<ConstKey, u32>,
    pub protos: Vec<Rc<Proto>>,
    pub locals: Vec<LocVar>,
    pub upvalues: Vec<Str>,
    pub captures: Vec<Capture>,
    /// The active locals, as indices into `locals`, by register.
    pub active: Vec<usize>,
    pub blocks: Vec<Block>,
    pub params: u8,
    pub vararg: u8,
    pub registers: usize,
    pub free: usize,
    pub line_defined: u32,
    pub last_target: i32,
    /// The list of jumps to the next instruction.
    pub pending: i32,
}

impl Func {
    pub fn new(line_defined: u32) -> Self {
        Self { registers: 2, line_defined, last_target: -1, pending: NO_JUMP, ..Self::default() }
    }

    pub fn pc(&self) -> i32 {
        self.code.len() as i32
    }

    pub fn constant(&mut self, key: ConstKey, value: Value) -> i32 {
        let constants = &mut self.constants;
        let index = *self.keys.entry(key).or_insert_with(|| {
            constants.push(value);
            constants.len() as u32 - 1
        });
        index as i32
    }

    pub fn string_constant(&mut self, text: &Str) -> i32 {
        self.constant(ConstKey::Str(text.clone()), Value::Str(text.clone()))
    }

    pub fn number_constant(&mut self, n: f64) -> i32 {
        // The two zeros share a constant, whichever came first: so it is in PUC.
        let bits = if n == 0.0 { 0 } else { n.to_bits() };
        self.constant(ConstKey::Number(bits), Value::Num(n))
    }

    fn jump_target(&self, pc: i32) -> i32 {
        match self.code[pc as usize].sbx() {
            NO_JUMP => NO_JUMP,
            offset => pc + 1 + offset,
        }
    }

    fn fix_jump(&mut self, pc: i32, target: i32) {
        self.code[pc as usize].set_sbx(target - (pc + 1));
    }

    /// Returns the test before a jump, or the jump itself.
    pub fn jump_control(&mut self, pc: i32) -> &mut Instr {
        let pc = pc as usize;
        let at = if pc >= 1 && self.code[pc - 1].op.is_test() { pc - 1 } else { pc };
        &mut self.code[at]
    }

    pub fn needs_value(&mut self, mut list: i32) -> bool {
        while list != NO_JUMP {
            if self.jump_control(list).op != Op::TestSet {
                return true;
            }
            list = self.jump_target(list);
        }
        false
    }

    fn patch_test(&mut self, node: i32, reg: u8) -> bool {
        let instr = self.jump_control(node);
        if instr.op != Op::TestSet {
            return false;
        }
        if reg != NO_REG && u16::from(reg) != instr.b {
            instr.a = reg;
        } else {
            *instr = Instr::new(Op::Test, instr.b as u8, 0, instr.c);
        }
        true
    }

    pub fn remove_values(&mut self, mut list: i32) {
        while list != NO_JUMP {
            self.patch_test(list, NO_REG);
            list = self.jump_target(list);
        }
    }

    pub fn patch_list_to(&mut self, mut list: i32, with_value: i32, reg: u8, without: i32) {
        while list != NO_JUMP {
            let next = self.jump_target(list);
            let target = if self.patch_test(list, reg) { with_value } else { without };
            self.fix_jump(list, target);
            list = next;
        }
    }

    pub fn label(&mut self) -> i32 {
        self.last_target = self.pc();
        self.last_target
    }

    pub fn patch_to_here(&mut self, list: i32) {
        self.label();
        let mut pending = self.pending;
        self.join(&mut pending, list);
        self.pending = pending;
    }

    pub fn patch_list(&mut self, list: i32, target: i32) {
        if target == self.pc() {
            self.patch_to_here(list);
        } else {
            self.patch_list_to(list, target, NO_REG, target);
        }
    }

    /// Joins list `second` to list `first`; the shorter one goes first, so that long chains of
    /// `and` do not take the square of their length.
    pub fn join(&mut self, first: &mut i32, second: i32) {
        if second == NO_JUMP {
            return;
        }
        if *first == NO_JUMP {
            *first = second;
            return;
        }
        let (mut a, mut b) = (*first, second);
        loop {
            match (self.jump_target(a), self.jump_target(b)) {
                (_, NO_JUMP) => {
                    self.fix_jump(b, *first);
                    *first = second;
                    return;
                }
                (NO_JUMP, _) => return self.fix_jump(a, second),
                (next, other) => (a, b) = (next, other),
            }
        }
    }

    pub fn free_register(&mut self, reg: u16) {
        if reg & K == 0 && usize::from(reg) >= self.active.len() {
            self.free -= 1;
        }
    }

    pub fn free_exp(&mut self, e: &Exp) {
        if e.kind == Kind::Fixed {
            self.free_register(e.info as u16);
        }
    }
}
