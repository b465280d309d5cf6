//! Operations that may call a metamethod: indexing, arithmetic, comparison, concatenation.
//!
//! Each either finishes at once or calls the metamethod in a frame marked `meta`; when that frame
//! returns, [`State::finish_op`] gives its result to the instruction that is waiting.

use std::cmp::Ordering;
use std::rc::Rc;

use super::call::Called;
use super::code;
use super::opcode::{Instr, K, Op};
use super::state::{Event, State, Thrown};
use super::table::{NO_META, Table};
use super::value::{Str, TableId, Value};

/// The most tables that `__index` and `__newindex` may lead through.
const CHAIN_MAX: usize = 100;

impl State {
    /// Calls a metamethod for the current instruction. Its result is passed to `finish_op`.
    fn call_meta(&mut self, function: Value, args: &[&Value]) -> Result<(), Thrown> {
        let func = self.frame_limit();
        self.call_meta_at(func, function, args)
    }

    fn call_meta_at(
        &mut self,
        func: usize,
        function: Value,
        args: &[&Value],
    ) -> Result<(), Thrown> {
        self.ensure(func + 1 + args.len());
        self.stack[func] = function;
        for (at, arg) in args.iter().enumerate() {
            self.stack[func + 1 + at] = (*arg).clone();
        }
        match self.call(func, args.len(), 1, true)? {
            Called::Done => self.finish_op(func),
            _ => Ok(()),
        }
    }

    /// Gives the result of a metamethod, at `slot`, to the instruction that waits for it.
    pub fn finish_op(&mut self, slot: usize) -> Result<(), Thrown> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let (base, pc) = (frame.base as usize, frame.pc as usize);
        let Some(instr) =
            self.proto_of(frame).and_then(|p| p.code.get(pc.wrapping_sub(1)).copied())
        else {
            return Ok(());
        };
        let a = base + usize::from(instr.a);
        match instr.op {
            Op::Eq | Op::Lt | Op::Le => {
                let mut holds = self.stack[slot].truthy();
                if instr.op == Op::Le {
                    // `a <= b` without __le was asked as `not (b < a)`.
                    let left = self.operand(base, instr.b);
                    holds ^= self.metamethod(&left, Event::Le).is_nil();
                }
                self.skip_unless(holds == (instr.a != 0));
            }
            Op::TForLoop => self.finish_iteration(a),
            Op::Concat => {
                let last = slot - 2;
                self.stack[last] = std::mem::take(&mut self.stack[slot]);
                let first = base + usize::from(instr.b);
                if let Some(value) = self.concat(first, last)? {
                    self.stack[a] = value;
                }
            }
            Op::SetTable | Op::SetGlobal => {}
            _ => self.stack[a] = std::mem::take(&mut self.stack[slot]),
        }
        Ok(())
    }

    fn operand(&self, base: usize, operand: u16) -> Value {
        if operand & K == 0 {
            return self.stack[base + usize::from(operand)].clone();
        }
        let proto = self.frames.last().and_then(|frame| self.proto_of(frame));
        proto.and_then(|p| p.constants.get(usize::from(operand & !K)).cloned()).unwrap_or_default()
    }

    /// Lets the jump after a test run, or skips it.
    fn skip_unless(&mut self, taken: bool) {
        if let Some(frame) = self.frames.last_mut()
            && !taken
        {
            frame.pc += 1;
        }
    }

    /// Continues a generic `for` after it has called its iterator.
    pub fn finish_iteration(&mut self, a: usize) {
        let goes_on = !self.stack[a + 3].is_nil();
        if goes_on {
            self.stack[a + 2] = self.stack[a + 3].clone();
        }
        self.skip_unless(goes_on);
    }

    /// Returns `object[key]`; `None` if a metamethod has been called. `register` holds the object,
    /// for the error message.
    pub fn index(
        &mut self,
        object: Value,
        key: &Value,
        register: Option<usize>,
    ) -> Result<Option<Value>, Thrown> {
        let (mut object, mut register) = (object, register);
        for _ in 0..CHAIN_MAX {
            let handler = match &object {
                Value::Table(id) => {
                    let value = self.raw_get(*id, key);
                    if !value.is_nil() {
                        return Ok(Some(value));
                    }
                    let handler = self.metamethod(&object, Event::Index);
                    if handler.is_nil() {
                        return Ok(Some(Value::Nil));
                    }
                    handler
                }
                _ => match self.metamethod(&object, Event::Index) {
                    Value::Nil => return Err(self.type_error(&object, register, "index")),
                    handler => handler,
                },
            };
            if handler.is_function() {
                self.call_meta(handler, &[&object, key])?;
                return Ok(None);
            }
            object = handler;
            register = None;
        }
        Err(self.run_error("loop in gettable"))
    }

    /// Assigns `object[key] = value`; false if a metamethod has been called.
    pub fn set_index(
        &mut self,
        object: Value,
        key: &Value,
        value: &Value,
        register: Option<usize>,
    ) -> Result<bool, Thrown> {
        let (mut object, mut register) = (object, register);
        for _ in 0..CHAIN_MAX {
            let handler = match &object {
                Value::Table(id) => {
                    let id = *id;
                    let plain =
                        self.metatable(&object).is_none() || !self.raw_get(id, key).is_nil();
                    let handler = match plain {
                        true => Value::Nil,
                        false => self.metamethod(&object, Event::NewIndex),
                    };
                    if handler.is_nil() {
                        let set = self.raw_set(id, key, value.clone());
                        return set.map(|()| true).map_err(|message| self.run_error(message));
                    }
                    // The key is entered before the metamethod is asked: `pairs` shows it.
                    self.raw_set(id, key, Value::Nil).map_err(|m| self.run_error(m))?;
                    handler
                }
                _ => match self.metamethod(&object, Event::NewIndex) {
                    Value::Nil => return Err(self.type_error(&object, register, "index")),
                    handler => handler,
                },
            };
            if handler.is_function() {
                self.call_meta(handler, &[&object, key, value])?;
                return Ok(false);
            }
            object = handler;
            register = None;
        }
        Err(self.run_error("loop in settable"))
    }

    /// Does arithmetic on operands that are not both numbers; false if a metamethod has been
    /// called.
    pub fn arith(&mut self, instr: Instr, base: usize) -> Result<bool, Thrown> {
        let (x, y) = (self.operand(base, instr.b), self.operand(base, instr.c));
        self.parses(&x);
        self.parses(&y);
        if let (Some(a), Some(b)) = (x.to_number(), y.to_number()) {
            self.stack[base + usize::from(instr.a)] = Value::Num(code::arith(instr.op, a, b));
            return Ok(true);
        }
        let event = match instr.op {
            Op::Add => Event::Add,
            Op::Sub => Event::Sub,
            Op::Mul => Event::Mul,
            Op::Div => Event::Div,
            Op::Mod => Event::Mod,
            Op::Pow => Event::Pow,
            _ => Event::Unm,
        };
        let handler = self.binary_handler(&x, &y, event);
        if handler.is_nil() {
            let (culprit, operand) =
                if x.to_number().is_none() { (x, instr.b) } else { (y, instr.c) };
            let register = (operand & K == 0).then_some(usize::from(operand));
            return Err(self.type_error(&culprit, register, "perform arithmetic on"));
        }
        self.call_meta(handler, &[&x, &y])?;
        Ok(false)
    }

    fn binary_handler(&self, x: &Value, y: &Value, event: Event) -> Value {
        match self.metamethod(x, event) {
            Value::Nil => self.metamethod(y, event),
            handler => handler,
        }
    }

    /// Returns the metamethod that two operands share, or nil.
    fn shared_handler(&self, x: &Value, y: &Value, event: Event) -> Value {
        let handler = self.metamethod(x, event);
        if !handler.is_nil() && handler == self.metamethod(y, event) { handler } else { Value::Nil }
    }

    /// Computes `x == y`; `None` if a metamethod has been called.
    pub fn equals(&mut self, x: &Value, y: &Value) -> Result<Option<bool>, Thrown> {
        self.compares(x, y);
        if x == y {
            return Ok(Some(true));
        }
        if let (Value::Table(_), Value::Table(_)) = (x, y) {
            let handler = self.shared_handler(x, y, Event::Eq);
            if !handler.is_nil() {
                self.call_meta(handler, &[x, y])?;
                return Ok(None);
            }
        }
        Ok(Some(false))
    }

    /// Returns the metamethod that orders `x` and `y`; the error says that there is none.
    pub fn order_handler(&self, x: &Value, y: &Value, event: Event) -> Result<Value, Value> {
        let handler = match x.type_name() == y.type_name() {
            true => self.shared_handler(x, y, event),
            false => Value::Nil,
        };
        if handler.is_nil() { Err(self.order_error(x, y)) } else { Ok(handler) }
    }

    fn order_error(&self, x: &Value, y: &Value) -> Value {
        let (x, y) = (x.type_name(), y.type_name());
        // PUC compares the third letters.
        let message = if x.as_bytes()[2] == y.as_bytes()[2] {
            format!("attempt to compare two {x} values")
        } else {
            format!("attempt to compare {x} with {y}")
        };
        self.run_error(&message)
    }

    /// Computes `x < y` or `x <= y`; `None` if a metamethod has been called.
    pub fn compare(&mut self, instr: Instr, base: usize) -> Result<Option<bool>, Thrown> {
        let op = instr.op;
        let (x, y) = (&self.operand(base, instr.b), &self.operand(base, instr.c));
        self.compares(x, y);
        if let Some(holds) = plain_compare(op, x, y) {
            return Ok(Some(holds));
        }
        if op == Op::Le && x.type_name() == y.type_name() {
            let handler = self.shared_handler(x, y, Event::Le);
            if !handler.is_nil() {
                self.call_meta(handler, &[x, y])?;
                return Ok(None);
            }
            let handler =
                self.order_handler(y, x, Event::Lt).map_err(|_| self.order_error(x, y))?;
            self.call_meta(handler, &[y, x])?;
            return Ok(None);
        }
        let handler = self.order_handler(x, y, Event::Lt)?;
        self.call_meta(handler, &[x, y])?;
        Ok(None)
    }

    /// Joins the values in slots `first..=last`; `None` if a metamethod has been called.
    pub fn concat(&mut self, first: usize, mut last: usize) -> Result<Option<Value>, Thrown> {
        while last > first {
            let (x, y) = (&self.stack[last - 1], &self.stack[last]);
            if !is_text(x) || !is_text(y) {
                let (x, y) = (x.clone(), y.clone());
                let handler = self.binary_handler(&x, &y, Event::Concat);
                if handler.is_nil() {
                    let at = if is_text(&x) { last } else { last - 1 };
                    return Err(self.type_error_at(at, "concatenate"));
                }
                self.call_meta_at(last + 1, handler, &[&x, &y])?;
                return Ok(None);
            }
            let texts = self.stack[first..=last].iter().rev().take_while(|v| is_text(v)).count();
            let start = last + 1 - texts;
            let mut out = Vec::new();
            for value in &self.stack[start..=last] {
                super::debug::push_text(&mut out, value);
                if out.len() > self.limits.string as usize {
                    self.spend(out.len() / 16);
                    return Err(self.run_error("string length overflow"));
                }
            }
            self.spend(out.len() / 16);
            self.stack[start] = self.new_str(&out);
            last = start;
        }
        Ok(Some(std::mem::take(&mut self.stack[first])))
    }
}

/// Returns `tables[id][key]`, following `__index` through tables; `None` if a function has to be
/// called. `index` is the name "__index".
#[inline]
pub(super) fn field<'a>(
    tables: &'a [Rc<Table>],
    index: &Str,
    mut id: TableId,
    key: &Str,
) -> Option<&'a Value> {
    for _ in 0..CHAIN_MAX {
        let table = &tables[id as usize];
        if let Some(value) = table.get_str(key)
            && !value.is_nil()
        {
            return Some(value);
        }
        if table.meta == NO_META {
            return Some(&Value::Nil);
        }
        match tables[table.meta as usize].get_str(index) {
            Some(Value::Table(next)) => id = *next,
            None | Some(Value::Nil) => return Some(&Value::Nil),
            Some(_) => return None,
        }
    }
    None
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Str(_) | Value::Num(_))
}

/// Compares two numbers or two strings.
pub(super) fn plain_compare(op: Op, x: &Value, y: &Value) -> Option<bool> {
    match (x, y) {
        (Value::Num(x), Value::Num(y)) => Some(if op == Op::Lt { x < y } else { x <= y }),
        (Value::Str(x), Value::Str(y)) => {
            let order = compare_text(x, y);
            Some(if op == Op::Lt { order.is_lt() } else { order.is_le() })
        }
        _ => None,
    }
}

fn compare_text(x: &Str, y: &Str) -> Ordering {
    x.as_bytes().cmp(y.as_bytes())
}
