//! Code generation, after `lcode.c`: an expression becomes instructions as late as possible.
//!
//! The parser describes an expression as an [`Exp`]; the methods here turn descriptions into
//! registers, constants and jumps. Jumps that still lack their target form a linked list through
//! their own offsets.

use super::SyntaxError;
use super::func::{ConstKey, NO_REG};
use super::opcode::{FIELDS_PER_FLUSH, Instr, K, K_MAX, Op, REGISTERS_MAX};
use super::parser::Parser;
use super::value::Value;

pub(super) const NO_JUMP: i32 = -1;
/// As many results as there are.
pub(super) const MULTI: i32 = -1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Void,
    Nil,
    True,
    False,
    /// `info`: constant.
    Const,
    /// `num`: a number not yet among the constants.
    Number,
    /// `info`: register.
    Local,
    /// `info`: upvalue.
    Upval,
    /// `info`: constant that holds the name.
    Global,
    /// `info`: register of the table, `aux`: key as register or constant.
    Indexed,
    /// `info`: the jump.
    Jump,
    /// `info`: the instruction whose A awaits a register.
    Relocable,
    /// `info`: register.
    Fixed,
    /// `info`: the instruction.
    Call,
    /// `info`: the instruction.
    Vararg,
}

/// An expression that was read but not yet (wholly) coded; `t` and `f` are the jumps out of it for
/// true and false.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exp {
    pub kind: Kind,
    pub info: i32,
    pub aux: u16,
    pub num: f64,
    pub t: i32,
    pub f: i32,
}

impl Exp {
    pub fn new(kind: Kind, info: i32) -> Self {
        Self { kind, info, aux: 0, num: 0.0, t: NO_JUMP, f: NO_JUMP }
    }

    fn has_jumps(&self) -> bool {
        self.t != self.f
    }

    fn is_numeral(&self) -> bool {
        self.kind == Kind::Number && !self.has_jumps() && self.t == NO_JUMP
    }

    fn settle(&mut self, kind: Kind, info: i32) {
        self.kind = kind;
        self.info = info;
    }
}

impl Parser<'_> {
    pub fn emit(&mut self, instr: Instr) -> i32 {
        let pending = std::mem::replace(&mut self.func.pending, NO_JUMP);
        let here = self.func.pc();
        self.func.patch_list_to(pending, here, NO_REG, here);
        self.func.code.push(instr);
        self.func.lines.push(self.last_line);
        here
    }

    pub fn emit_abc(&mut self, op: Op, a: i32, b: i32, c: i32) -> i32 {
        self.emit(Instr::new(op, a as u8, b as u16, c as u16))
    }

    pub fn emit_abx(&mut self, op: Op, a: i32, bx: i32) -> i32 {
        self.emit(Instr::with_bx(op, a as u8, bx as u32))
    }

    pub fn fix_line(&mut self, line: u32) {
        if let Some(last) = self.func.lines.last_mut() {
            *last = line;
        }
    }

    pub fn emit_nil(&mut self, from: usize, count: usize) {
        let func = &mut self.func;
        if func.pc() > func.last_target {
            match func.code.last_mut() {
                // A frame starts out nil.
                None if from >= func.active.len() => return,
                Some(last) if last.op == Op::LoadNil => {
                    let (first, end) = (usize::from(last.a), usize::from(last.b));
                    if first <= from && from <= end + 1 {
                        last.b = end.max(from + count - 1) as u16;
                        return;
                    }
                }
                _ => {}
            }
        }
        self.emit_abc(Op::LoadNil, from as i32, (from + count - 1) as i32, 0);
    }

    pub fn jump(&mut self) -> i32 {
        let pending = std::mem::replace(&mut self.func.pending, NO_JUMP);
        let mut jump = self.emit_abx(Op::Jmp, 0, NO_JUMP);
        // Jumps to here go on to wherever this one goes.
        self.func.join(&mut jump, pending);
        jump
    }

    pub fn emit_return(&mut self, first: usize, count: i32) {
        self.emit_abc(Op::Return, first as i32, count + 1, 0);
    }

    fn cond_jump(&mut self, op: Op, a: i32, b: i32, c: i32) -> i32 {
        self.emit_abc(op, a, b, c);
        self.jump()
    }

    pub fn check_stack(&mut self, count: usize) -> Result<(), SyntaxError> {
        let size = self.func.free + count;
        if size > self.func.registers {
            if size >= REGISTERS_MAX {
                return Err(self.syntax_error("function or expression too complex"));
            }
            self.func.registers = size;
        }
        Ok(())
    }

    pub fn reserve(&mut self, count: usize) -> Result<(), SyntaxError> {
        self.check_stack(count)?;
        self.func.free += count;
        Ok(())
    }

    pub fn set_returns(&mut self, e: &Exp, results: i32) -> Result<(), SyntaxError> {
        match e.kind {
            Kind::Call => self.func.code[e.info as usize].c = (results + 1) as u16,
            Kind::Vararg => {
                let free = self.func.free as u8;
                let instr = &mut self.func.code[e.info as usize];
                instr.b = (results + 1) as u16;
                instr.a = free;
                self.reserve(1)?;
            }
            _ => {}
        }
        Ok(())
    }

    pub fn set_one_return(&mut self, e: &mut Exp) {
        match e.kind {
            Kind::Call => e.settle(Kind::Fixed, self.func.code[e.info as usize].a.into()),
            Kind::Vararg => {
                self.func.code[e.info as usize].b = 2;
                e.kind = Kind::Relocable;
            }
            _ => {}
        }
    }

    pub fn discharge(&mut self, e: &mut Exp) {
        match e.kind {
            Kind::Local => e.kind = Kind::Fixed,
            Kind::Upval => {
                let at = self.emit_abc(Op::GetUpval, 0, e.info, 0);
                e.settle(Kind::Relocable, at);
            }
            Kind::Global => {
                let at = self.emit_abx(Op::GetGlobal, 0, e.info);
                e.settle(Kind::Relocable, at);
            }
            Kind::Indexed => {
                self.func.free_register(e.aux);
                self.func.free_register(e.info as u16);
                let at = self.emit_abc(Op::GetTable, 0, e.info, e.aux.into());
                e.settle(Kind::Relocable, at);
            }
            Kind::Call | Kind::Vararg => self.set_one_return(e),
            _ => {}
        }
    }

    fn discharge_to(&mut self, e: &mut Exp, reg: usize) {
        self.discharge(e);
        let a = reg as i32;
        match e.kind {
            Kind::Nil => self.emit_nil(reg, 1),
            Kind::True | Kind::False => {
                self.emit_abc(Op::LoadBool, a, (e.kind == Kind::True).into(), 0);
            }
            Kind::Const => {
                self.emit_abx(Op::LoadK, a, e.info);
            }
            Kind::Number => {
                let constant = self.func.number_constant(e.num);
                self.emit_abx(Op::LoadK, a, constant);
            }
            Kind::Relocable => self.func.code[e.info as usize].a = reg as u8,
            Kind::Fixed if e.info != a => {
                self.emit_abc(Op::Move, a, e.info, 0);
            }
            Kind::Fixed => {}
            _ => return,
        }
        e.settle(Kind::Fixed, a);
    }

    fn discharge_to_any(&mut self, e: &mut Exp) -> Result<(), SyntaxError> {
        if e.kind != Kind::Fixed {
            self.reserve(1)?;
            self.discharge_to(e, self.func.free - 1);
        }
        Ok(())
    }

    fn bool_label(&mut self, reg: usize, value: i32, skip: i32) -> i32 {
        self.func.label();
        self.emit_abc(Op::LoadBool, reg as i32, value, skip)
    }

    pub fn put_in(&mut self, e: &mut Exp, reg: usize) {
        self.discharge_to(e, reg);
        if e.kind == Kind::Jump {
            let info = e.info;
            self.func.join(&mut e.t, info);
        }
        if e.has_jumps() {
            let (mut on_false, mut on_true) = (NO_JUMP, NO_JUMP);
            if self.func.needs_value(e.t) || self.func.needs_value(e.f) {
                let over = if e.kind == Kind::Jump { NO_JUMP } else { self.jump() };
                on_false = self.bool_label(reg, 0, 1);
                on_true = self.bool_label(reg, 1, 0);
                self.func.patch_to_here(over);
            }
            let end = self.func.label();
            self.func.patch_list_to(e.f, end, reg as u8, on_false);
            self.func.patch_list_to(e.t, end, reg as u8, on_true);
        }
        *e = Exp::new(Kind::Fixed, reg as i32);
    }

    pub fn put_in_next(&mut self, e: &mut Exp) -> Result<(), SyntaxError> {
        self.discharge(e);
        self.func.free_exp(e);
        self.reserve(1)?;
        self.put_in(e, self.func.free - 1);
        Ok(())
    }

    pub fn put_in_any(&mut self, e: &mut Exp) -> Result<i32, SyntaxError> {
        self.discharge(e);
        if e.kind == Kind::Fixed {
            if !e.has_jumps() {
                return Ok(e.info);
            }
            if e.info as usize >= self.func.active.len() {
                self.put_in(e, e.info as usize);
                return Ok(e.info);
            }
        }
        self.put_in_next(e)?;
        Ok(e.info)
    }

    pub fn make_value(&mut self, e: &mut Exp) -> Result<(), SyntaxError> {
        if e.has_jumps() {
            self.put_in_any(e)?;
        } else {
            self.discharge(e);
        }
        Ok(())
    }

    /// Makes the expression an operand: a constant or a register.
    pub fn make_operand(&mut self, e: &mut Exp) -> Result<u16, SyntaxError> {
        self.make_value(e)?;
        let constant = match e.kind {
            Kind::Number | Kind::True | Kind::False | Kind::Nil
                if self.func.constants.len() <= K_MAX =>
            {
                let func = &mut self.func;
                Some(match e.kind {
                    Kind::Number => func.number_constant(e.num),
                    Kind::Nil => func.constant(ConstKey::Nil, Value::Nil),
                    kind => {
                        let value = kind == Kind::True;
                        func.constant(ConstKey::Bool(value), Value::Bool(value))
                    }
                })
            }
            Kind::Const => Some(e.info),
            _ => None,
        };
        match constant {
            Some(constant) if constant as usize <= K_MAX => {
                e.settle(Kind::Const, constant);
                Ok(constant as u16 | K)
            }
            _ => Ok(self.put_in_any(e)? as u16),
        }
    }

    pub fn store(&mut self, var: &Exp, e: &mut Exp) -> Result<(), SyntaxError> {
        match var.kind {
            Kind::Local => {
                self.func.free_exp(e);
                self.put_in(e, var.info as usize);
                return Ok(());
            }
            Kind::Upval => {
                let from = self.put_in_any(e)?;
                self.emit_abc(Op::SetUpval, from, var.info, 0);
            }
            Kind::Global => {
                let from = self.put_in_any(e)?;
                self.emit_abx(Op::SetGlobal, from, var.info);
            }
            _ => {
                let from = self.make_operand(e)?;
                self.emit_abc(Op::SetTable, var.info, var.aux.into(), from.into());
            }
        }
        self.func.free_exp(e);
        Ok(())
    }

    pub fn method(&mut self, e: &mut Exp, key: &mut Exp) -> Result<(), SyntaxError> {
        self.put_in_any(e)?;
        self.func.free_exp(e);
        let at = self.func.free as i32;
        self.reserve(2)?;
        let operand = self.make_operand(key)?;
        self.emit_abc(Op::Method, at, e.info, operand.into());
        self.func.free_exp(key);
        e.settle(Kind::Fixed, at);
        Ok(())
    }

    fn jump_on(&mut self, e: &mut Exp, condition: bool) -> Result<i32, SyntaxError> {
        if e.kind == Kind::Relocable {
            let instr = self.func.code[e.info as usize];
            if instr.op == Op::Not {
                self.func.code.pop();
                self.func.lines.pop();
                let wanted = i32::from(!condition);
                return Ok(self.cond_jump(Op::Test, instr.b.into(), 0, wanted));
            }
        }
        self.discharge_to_any(e)?;
        self.func.free_exp(e);
        Ok(self.cond_jump(Op::TestSet, NO_REG.into(), e.info, condition.into()))
    }

    pub fn go_if_true(&mut self, e: &mut Exp) -> Result<(), SyntaxError> {
        self.discharge(e);
        let jump = match e.kind {
            Kind::Const | Kind::Number | Kind::True => NO_JUMP,
            Kind::Jump => {
                let control = self.func.jump_control(e.info);
                control.a = u8::from(control.a == 0);
                e.info
            }
            _ => self.jump_on(e, false)?,
        };
        self.func.join(&mut e.f, jump);
        self.func.patch_to_here(e.t);
        e.t = NO_JUMP;
        Ok(())
    }

    pub fn go_if_false(&mut self, e: &mut Exp) -> Result<(), SyntaxError> {
        self.discharge(e);
        let jump = match e.kind {
            Kind::Nil | Kind::False => NO_JUMP,
            Kind::Jump => e.info,
            _ => self.jump_on(e, true)?,
        };
        self.func.join(&mut e.t, jump);
        self.func.patch_to_here(e.f);
        e.f = NO_JUMP;
        Ok(())
    }

    fn negate(&mut self, e: &mut Exp) -> Result<(), SyntaxError> {
        self.discharge(e);
        match e.kind {
            Kind::Nil | Kind::False => e.kind = Kind::True,
            Kind::Const | Kind::Number | Kind::True => e.kind = Kind::False,
            Kind::Jump => {
                let control = self.func.jump_control(e.info);
                control.a = u8::from(control.a == 0);
            }
            _ => {
                self.discharge_to_any(e)?;
                self.func.free_exp(e);
                let at = self.emit_abc(Op::Not, 0, e.info, 0);
                e.settle(Kind::Relocable, at);
            }
        }
        std::mem::swap(&mut e.t, &mut e.f);
        self.func.remove_values(e.f);
        self.func.remove_values(e.t);
        Ok(())
    }

    pub fn index(&mut self, table: &mut Exp, key: &mut Exp) -> Result<(), SyntaxError> {
        table.aux = self.make_operand(key)?;
        table.kind = Kind::Indexed;
        Ok(())
    }

    fn arith(&mut self, op: Op, left: &mut Exp, right: &mut Exp) -> Result<(), SyntaxError> {
        if fold(op, left, right) {
            return Ok(());
        }
        let unary = matches!(op, Op::Unm | Op::Len);
        let second = if unary { 0 } else { self.make_operand(right)? };
        let first = self.make_operand(left)?;
        if first > second {
            self.func.free_exp(left);
            self.func.free_exp(right);
        } else {
            self.func.free_exp(right);
            self.func.free_exp(left);
        }
        let at = self.emit_abc(op, 0, first.into(), second.into());
        left.settle(Kind::Relocable, at);
        Ok(())
    }

    fn compare(
        &mut self,
        op: Op,
        wanted: bool,
        left: &mut Exp,
        right: &mut Exp,
    ) -> Result<(), SyntaxError> {
        let mut first = self.make_operand(left)?;
        let mut second = self.make_operand(right)?;
        self.func.free_exp(right);
        self.func.free_exp(left);
        let mut wanted = wanted;
        if !wanted && op != Op::Eq {
            // a > b is b < a.
            std::mem::swap(&mut first, &mut second);
            wanted = true;
        }
        let jump = self.cond_jump(op, wanted.into(), first.into(), second.into());
        left.settle(Kind::Jump, jump);
        Ok(())
    }

    pub fn prefix(&mut self, op: Unary, e: &mut Exp) -> Result<(), SyntaxError> {
        let mut none = Exp::new(Kind::Number, 0);
        match op {
            Unary::Not => self.negate(e),
            Unary::Minus => {
                if !e.is_numeral() {
                    self.put_in_any(e)?;
                }
                self.arith(Op::Unm, e, &mut none)
            }
            Unary::Len => {
                self.put_in_any(e)?;
                self.arith(Op::Len, e, &mut none)
            }
        }
    }

    /// Prepares the left operand, before the right one is read.
    pub fn infix(&mut self, op: Binary, e: &mut Exp) -> Result<(), SyntaxError> {
        match op {
            Binary::And => self.go_if_true(e),
            Binary::Or => self.go_if_false(e),
            Binary::Concat => self.put_in_next(e),
            Binary::Arith(_) if e.is_numeral() => Ok(()),
            _ => self.make_operand(e).map(drop),
        }
    }

    /// Emits the operation, after the right operand has been read.
    pub fn postfix(
        &mut self,
        op: Binary,
        left: &mut Exp,
        right: &mut Exp,
    ) -> Result<(), SyntaxError> {
        match op {
            Binary::And => {
                self.discharge(right);
                self.func.join(&mut right.f, left.f);
                *left = *right;
                Ok(())
            }
            Binary::Or => {
                self.discharge(right);
                self.func.join(&mut right.t, left.t);
                *left = *right;
                Ok(())
            }
            Binary::Concat => {
                self.make_value(right)?;
                let at = right.info as usize;
                if right.kind == Kind::Relocable && self.func.code[at].op == Op::Concat {
                    // a .. (b .. c) is one instruction over three registers.
                    self.func.free_exp(left);
                    self.func.code[at].b = left.info as u16;
                    left.settle(Kind::Relocable, right.info);
                    return Ok(());
                }
                self.put_in_next(right)?;
                self.arith(Op::Concat, left, right)
            }
            Binary::Arith(op) => self.arith(op, left, right),
            Binary::Compare(op, wanted) => self.compare(op, wanted, left, right),
        }
    }

    pub fn set_list(&mut self, base: i32, stored: usize, pending: i32) -> Result<(), SyntaxError> {
        let flush = (stored - 1) / FIELDS_PER_FLUSH + 1;
        if flush > usize::from(u16::MAX) {
            return Err(self.syntax_error("constructor too long"));
        }
        let count = if pending == MULTI { 0 } else { pending };
        self.emit_abc(Op::SetList, base, count, flush as i32);
        self.func.free = base as usize + 1;
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Unary {
    Minus,
    Not,
    Len,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Binary {
    And,
    Or,
    Concat,
    Arith(Op),
    Compare(Op, bool),
}

/// Computes an operation between two numerals at compile time; false if that is not possible.
fn fold(op: Op, left: &mut Exp, right: &Exp) -> bool {
    if !left.is_numeral() || !right.is_numeral() {
        return false;
    }
    let (x, y) = (left.num, right.num);
    if matches!(op, Op::Div | Op::Mod) && y == 0.0 || matches!(op, Op::Concat | Op::Len) {
        return false;
    }
    let n = if op == Op::Unm { -x } else { arith(op, x, y) };
    if n.is_nan() {
        return false;
    }
    left.num = n;
    true
}

/// Computes an arithmetic operation of the language.
#[inline]
pub(super) fn arith(op: Op, x: f64, y: f64) -> f64 {
    match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::Div => x / y,
        Op::Mod => modulo(x, y),
        Op::Pow => power(x, y),
        _ => -x,
    }
}

/// Returns `a - floor(a/b)*b`, with the same rounding as Lua.
#[inline]
pub(super) fn modulo(x: f64, y: f64) -> f64 {
    x - (x / y).floor() * y
}

#[inline]
pub(super) fn power(x: f64, y: f64) -> f64 {
    if y == 2.0 { x * x } else { libm::pow(x, y) }
}
