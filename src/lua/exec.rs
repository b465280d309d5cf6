//! The interpreter loop.
//!
//! One function runs the topmost Lua frame and all Lua frames it pushes, and returns when another
//! kind of frame is on top. Registers are reached through a window of 256 slots, which every
//! one-byte index fits without a check. Rare cases are handled in methods that may change the
//! stack; the window is taken again after them.

use std::rc::Rc;

use super::call::Called;
use super::code::{modulo, power};
use super::expr::from_float_byte;
use super::meta::field;
use super::opcode::{FIELDS_PER_FLUSH, Instr, K, Op, Proto};
use super::state::{Body, Frame, Function, STRING_META, State, Thrown, WINDOW, cost_of};
use super::table::{Key, NO_META, Table};
use super::value::Value;

/// The reason why the loop stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The frame on top is not Lua's, or there is none.
    Frames,
    OutOfFuel,
}

type Registers = [Value; WINDOW];

/// Returns the 256 registers from `base`.
#[inline(always)]
fn window(stack: &mut Vec<Value>, base: usize) -> &mut Registers {
    if stack.len() < base + WINDOW {
        stack.resize(base + 2 * WINDOW, Value::Nil);
    }
    match (&mut stack[base..base + WINDOW]).try_into() {
        Ok(registers) => registers,
        // The slice has the length of the array.
        Err(_) => unreachable!("window of a fixed length"),
    }
}

/// Returns what a key costs for its length.
fn cost_of_key(key: &Value) -> i64 {
    if let Value::Str(text) = key { cost_of(text.len()) as i64 } else { 0 }
}

/// Returns true if two values are compared without a metamethod, and for nothing.
fn is_compared_at_once(x: &Value, y: &Value) -> bool {
    match (x, y) {
        (Value::Table(a), Value::Table(b)) => a == b,
        (Value::Str(a), Value::Str(b)) => cost_of(a.len().min(b.len())) == 0,
        _ => true,
    }
}

impl State {
    /// Runs the Lua frames on top.
    pub fn exec(&mut self) -> Result<Stop, Thrown> {
        'frame: loop {
            if self.allocated >= self.collect_at && self.frames.last().is_some_and(Frame::is_lua) {
                self.collect()?;
            }
            let Some(frame) = self.frames.last() else { return Ok(Stop::Frames) };
            if !frame.is_lua() {
                return Ok(Stop::Frames);
            }
            let base = frame.base as usize;
            let mut pc = frame.pc as usize;
            let Value::Func(id) = self.stack[frame.func as usize] else {
                return Ok(Stop::Frames);
            };
            let function = self.funcs[id as usize].clone();
            let Body::Lua { proto, upvals } = &function.body else { return Ok(Stop::Frames) };
            let (code, constants) = (proto.code.as_slice(), proto.constants.as_slice());
            let mut regs = window(&mut self.stack, base);

            macro_rules! save {
                () => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                };
            }
            macro_rules! reg {
                ($n:expr) => {
                    regs[usize::from($n as u8)]
                };
            }
            macro_rules! rk {
                ($n:expr) => {{
                    let n: u16 = $n;
                    if n & K == 0 { &reg!(n) } else { &constants[usize::from(n & !K)] }
                }};
            }
            macro_rules! arith {
                ($i:expr, |$x:ident, $y:ident| $result:expr) => {{
                    if let (Value::Num($x), Value::Num($y)) = (rk!($i.b), rk!($i.c)) {
                        let result = $result;
                        reg!($i.a) = Value::Num(result);
                    } else {
                        save!();
                        if !self.arith($i, base)? {
                            continue 'frame;
                        }
                        regs = window(&mut self.stack, base);
                    }
                }};
            }
            // A test: the jump that follows is taken when it comes out as A says.
            macro_rules! branch {
                ($i:expr, $holds:expr) => {
                    if ($holds) == ($i.a != 0) {
                        pc = (pc as i32 + 1 + code[pc].sbx()) as usize;
                    } else {
                        pc += 1;
                    }
                };
            }
            macro_rules! compare {
                ($i:expr, |$x:ident, $y:ident| $numbers:expr) => {{
                    if let (Value::Num($x), Value::Num($y)) = (rk!($i.b), rk!($i.c)) {
                        branch!($i, $numbers);
                    } else {
                        save!();
                        match self.compare($i, base)? {
                            Some(holds) => {
                                regs = window(&mut self.stack, base);
                                branch!($i, holds);
                            }
                            None => continue 'frame,
                        }
                    }
                }};
            }
            // A value fetched through the slow path, which may call a metamethod.
            macro_rules! index_slow {
                ($i:expr, $object:expr, $key:expr, $register:expr) => {{
                    let (object, key) = ($object, $key);
                    save!();
                    match self.index(object, &key, $register)? {
                        Some(value) => {
                            regs = window(&mut self.stack, base);
                            reg!($i.a) = value;
                        }
                        None => continue 'frame,
                    }
                }};
            }

            loop {
                if self.fuel <= 0 {
                    save!();
                    return Ok(Stop::OutOfFuel);
                }
                self.fuel -= 1;
                let i: Instr = code[pc];
                pc += 1;
                match i.op {
                    Op::Move => reg!(i.a) = reg!(i.b).clone(),
                    Op::LoadK => reg!(i.a) = constants[i.bx()].clone(),
                    Op::LoadBool => {
                        reg!(i.a) = Value::Bool(i.b != 0);
                        pc += usize::from(i.c != 0);
                    }
                    Op::LoadNil => {
                        regs[usize::from(i.a)..=usize::from(i.b as u8)].fill(Value::Nil);
                    }
                    Op::GetUpval => {
                        let value = self.upval(upvals[usize::from(i.b)]).clone();
                        regs = window(&mut self.stack, base);
                        reg!(i.a) = value;
                    }
                    Op::GetGlobal => {
                        let Value::Str(name) = &constants[i.bx()] else { continue };
                        match self.tables[function.env as usize].get_str(name) {
                            Some(value) if !value.is_nil() => reg!(i.a) = value.clone(),
                            _ => {
                                let env = Value::Table(function.env);
                                index_slow!(i, env, Value::Str(name.clone()), None);
                            }
                        }
                    }
                    Op::GetTable => {
                        let key = rk!(i.c);
                        let found = match (&reg!(i.b), key) {
                            (Value::Table(id), Value::Num(n)) => {
                                self.tables[*id as usize].get_num(*n)
                            }
                            (Value::Table(id), Value::Str(s)) => {
                                self.fuel -= cost_of_key(key);
                                let value = field(&self.tables, &self.prelude.index, *id, s);
                                if let Some(value) = value {
                                    reg!(i.a) = value.clone();
                                    continue;
                                }
                                None
                            }
                            _ => None,
                        };
                        match found {
                            Some(value) if !value.is_nil() => reg!(i.a) = value.clone(),
                            _ => {
                                let key = key.clone();
                                index_slow!(i, reg!(i.b).clone(), key, Some(i.b.into()));
                            }
                        }
                    }
                    Op::Method => {
                        let object = reg!(i.b).clone();
                        let home = match object {
                            Value::Table(id) => Some(id),
                            Value::Str(_) => Some(STRING_META),
                            _ => None,
                        };
                        let found = match (home, rk!(i.c)) {
                            (Some(STRING_META), Value::Str(key)) => {
                                match self.tables[STRING_META as usize].get_str(&self.prelude.index)
                                {
                                    Some(Value::Table(id)) => {
                                        field(&self.tables, &self.prelude.index, *id, key)
                                    }
                                    _ => None,
                                }
                            }
                            (Some(id), Value::Str(key)) => {
                                field(&self.tables, &self.prelude.index, id, key)
                            }
                            _ => None,
                        };
                        match found {
                            Some(method) => {
                                let method = method.clone();
                                regs[(usize::from(i.a) + 1) % WINDOW] = object;
                                reg!(i.a) = method;
                            }
                            None => {
                                let key = rk!(i.c).clone();
                                regs[(usize::from(i.a) + 1) % WINDOW] = object.clone();
                                index_slow!(i, object, key, Some(i.b.into()));
                            }
                        }
                    }
                    Op::SetGlobal => {
                        let Value::Str(_) = &constants[i.bx()] else { continue };
                        let (env, key) = (Value::Table(function.env), &constants[i.bx()]);
                        let value = reg!(i.a).clone();
                        save!();
                        if !self.set_index(env, key, &value, None)? {
                            continue 'frame;
                        }
                        regs = window(&mut self.stack, base);
                    }
                    Op::SetUpval => {
                        let value = reg!(i.a).clone();
                        self.set_upval(upvals[usize::from(i.b)], value);
                        regs = window(&mut self.stack, base);
                    }
                    Op::SetTable => {
                        let (key, value) = (rk!(i.b), rk!(i.c));
                        self.fuel -= cost_of_key(key);
                        let stored = match (&reg!(i.a), key) {
                            (Value::Table(id), Value::Num(_) | Value::Str(_)) => {
                                let table = &mut self.tables[*id as usize];
                                let key = Key { value: key, identity: 0 };
                                if table.read_only {
                                    false
                                } else if table.meta == NO_META {
                                    Rc::make_mut(table).replace(key, value)
                                } else {
                                    // A value that is there needs no metamethod.
                                    Rc::make_mut(table).replace_present(key, value)
                                }
                            }
                            _ => false,
                        };
                        if !stored {
                            let (key, value) = (key.clone(), value.clone());
                            let object = reg!(i.a).clone();
                            save!();
                            let done = self.set_index(object, &key, &value, Some(i.a.into()))?;
                            if !done || self.allocated >= self.collect_at {
                                continue 'frame;
                            }
                            regs = window(&mut self.stack, base);
                        }
                    }
                    Op::NewTable => {
                        let sizes = (from_float_byte(i.b), from_float_byte(i.c));
                        let made = self.new_table(Table::with_sizes(sizes.0, sizes.1));
                        regs = window(&mut self.stack, base);
                        reg!(i.a) = made;
                        if self.allocated >= self.collect_at {
                            save!();
                            continue 'frame;
                        }
                    }
                    Op::Add => arith!(i, |x, y| x + y),
                    Op::Sub => arith!(i, |x, y| x - y),
                    Op::Mul => arith!(i, |x, y| x * y),
                    Op::Div => arith!(i, |x, y| x / y),
                    Op::Mod => arith!(i, |x, y| modulo(*x, *y)),
                    Op::Pow => arith!(i, |x, y| power(*x, *y)),
                    Op::Unm => {
                        let i = Instr { c: i.b, ..i };
                        arith!(i, |x, _y| -x);
                    }
                    Op::Not => reg!(i.a) = Value::Bool(!reg!(i.b).truthy()),
                    Op::Len => match &reg!(i.b) {
                        Value::Table(id) => {
                            let length = self.tables[*id as usize].length();
                            reg!(i.a) = Value::Num(length as f64);
                        }
                        Value::Str(s) => reg!(i.a) = Value::Num(s.len() as f64),
                        _ => {
                            let value = reg!(i.b).clone();
                            save!();
                            return Err(self.type_error(&value, Some(i.b.into()), "get length of"));
                        }
                    },
                    Op::Concat => {
                        save!();
                        let (first, last) = (base + usize::from(i.b), base + usize::from(i.c));
                        match self.concat(first, last)? {
                            Some(value) if self.allocated < self.collect_at => {
                                regs = window(&mut self.stack, base);
                                reg!(i.a) = value;
                            }
                            Some(value) => {
                                self.stack[base + usize::from(i.a)] = value;
                                continue 'frame;
                            }
                            None => continue 'frame,
                        }
                    }
                    Op::Jmp => pc = (pc as i32 + i.sbx()) as usize,
                    Op::Eq => {
                        let (x, y) = (rk!(i.b), rk!(i.c));
                        if !is_compared_at_once(x, y) {
                            let (x, y) = (x.clone(), y.clone());
                            save!();
                            match self.equals(&x, &y)? {
                                Some(holds) => {
                                    regs = window(&mut self.stack, base);
                                    branch!(i, holds);
                                }
                                None => continue 'frame,
                            }
                        } else {
                            branch!(i, x == y);
                        }
                    }
                    Op::Lt => compare!(i, |x, y| x < y),
                    Op::Le => compare!(i, |x, y| x <= y),
                    Op::Test => {
                        if reg!(i.a).truthy() == (i.c != 0) {
                            pc = (pc as i32 + 1 + code[pc].sbx()) as usize;
                        } else {
                            pc += 1;
                        }
                    }
                    Op::TestSet => {
                        if reg!(i.b).truthy() == (i.c != 0) {
                            reg!(i.a) = reg!(i.b).clone();
                            pc = (pc as i32 + 1 + code[pc].sbx()) as usize;
                        } else {
                            pc += 1;
                        }
                    }
                    Op::Call => {
                        save!();
                        let func = base + usize::from(i.a);
                        let len = match i.b {
                            0 => self.top - func - 1,
                            b => usize::from(b) - 1,
                        };
                        match self.call(func, len, i32::from(i.c) - 1, false)? {
                            Called::Done if self.allocated < self.collect_at => {
                                regs = window(&mut self.stack, base);
                            }
                            _ => continue 'frame,
                        }
                    }
                    Op::TailCall => {
                        save!();
                        let func = base + usize::from(i.a);
                        let len = match i.b {
                            0 => self.top - func - 1,
                            b => usize::from(b) - 1,
                        };
                        if self.tail_call(func, len)? {
                            continue 'frame;
                        }
                        regs = window(&mut self.stack, base);
                    }
                    Op::Return => {
                        let from = base + usize::from(i.a);
                        let count = match i.b {
                            0 => self.top - from,
                            b => usize::from(b) - 1,
                        };
                        if !self.open.is_empty() {
                            self.close_upvals(base);
                        }
                        if let Some(frame) = self.frames.pop() {
                            let func = frame.func as usize;
                            self.move_results(func, from, count, frame.results);
                            if frame.meta {
                                self.finish_op(func)?;
                            }
                        }
                        continue 'frame;
                    }
                    Op::ForLoop => {
                        let a = usize::from(i.a);
                        if let [Value::Num(index), Value::Num(limit), Value::Num(step), ..] =
                            &regs[a..]
                        {
                            let (next, limit, step) = (index + step, *limit, *step);
                            if if step > 0.0 { next <= limit } else { limit <= next } {
                                pc = (pc as i32 + i.sbx()) as usize;
                                regs[a] = Value::Num(next);
                                regs[(a + 3) % WINDOW] = Value::Num(next);
                            }
                        }
                    }
                    Op::ForPrep => {
                        save!();
                        self.prepare_for(base + usize::from(i.a))?;
                        pc = (pc as i32 + i.sbx()) as usize;
                        regs = window(&mut self.stack, base);
                    }
                    Op::TForLoop => {
                        save!();
                        let a = base + usize::from(i.a);
                        self.ensure(a + 6);
                        for at in 0..3 {
                            self.stack[a + 3 + at] = self.stack[a + at].clone();
                        }
                        match self.call(a + 3, 2, i.c.into(), true)? {
                            Called::Done => self.finish_iteration(a),
                            _ => continue 'frame,
                        }
                        // The frame knows whether the jump back is taken.
                        pc = self.frames.last().map_or(pc, |frame| frame.pc as usize);
                        regs = window(&mut self.stack, base);
                    }
                    Op::SetList => {
                        save!();
                        self.set_list(base, i)?;
                        if self.allocated >= self.collect_at {
                            continue 'frame;
                        }
                        regs = window(&mut self.stack, base);
                    }
                    Op::Close => {
                        self.close_upvals(base + usize::from(i.a));
                        regs = window(&mut self.stack, base);
                    }
                    Op::Closure => {
                        let made =
                            self.closure(base, &proto.protos[i.bx()], &code[pc..], &function);
                        pc += proto.protos[i.bx()].upvalues.len();
                        regs = window(&mut self.stack, base);
                        reg!(i.a) = made;
                        if self.allocated >= self.collect_at {
                            save!();
                            continue 'frame;
                        }
                    }
                    Op::Vararg => {
                        save!();
                        self.vararg(base, i, proto)?;
                        regs = window(&mut self.stack, base);
                    }
                }
            }
        }
    }

    /// Makes a call whose results are the caller's own. False if a library function was called in
    /// the ordinary way, and the return instruction follows.
    fn tail_call(&mut self, func: usize, len: usize) -> Result<bool, Thrown> {
        let is_lua = matches!(&self.stack[func], Value::Func(id)
            if matches!(self.funcs[*id as usize].body, Body::Lua { .. }));
        if !is_lua {
            let called = self.call(func, len, -1, false)?;
            return Ok(called != Called::Done || self.allocated >= self.collect_at);
        }
        let Some(frame) = self.frames.last() else { return Ok(true) };
        let (base, home) = (frame.base as usize, frame.func as usize);
        let (results, meta, tail_calls) = (frame.results, frame.meta, frame.tail_calls);
        self.close_upvals(base);
        for at in 0..=len {
            self.stack[home + at] = std::mem::take(&mut self.stack[func + at]);
        }
        self.frames.pop();
        self.call(home, len, results, meta)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.tail_calls = tail_calls.saturating_add(1);
        }
        Ok(true)
    }

    fn prepare_for(&mut self, a: usize) -> Result<(), Thrown> {
        let mut numbers = [0.0; 3];
        for (at, what) in ["initial value", "limit", "step"].into_iter().enumerate() {
            let value = self.stack[a + at].clone();
            self.parses(&value);
            match value.to_number() {
                Some(n) => {
                    self.stack[a + at] = Value::Num(n);
                    numbers[at] = n;
                }
                None => return Err(self.run_error(&format!("'for' {what} must be a number"))),
            }
        }
        self.stack[a] = Value::Num(numbers[0] - numbers[2]);
        Ok(())
    }

    fn set_list(&mut self, base: usize, i: Instr) -> Result<(), Thrown> {
        let a = base + usize::from(i.a);
        let count = match i.b {
            0 => self.top - a - 1,
            b => usize::from(b),
        };
        let Value::Table(id) = self.stack[a] else { return Ok(()) };
        let first = (usize::from(i.c) - 1) * FIELDS_PER_FLUSH;
        let before = self.table(id).size();
        let table = Rc::make_mut(&mut self.tables[id as usize]);
        if first + count > table.array.len() {
            let hash = table.nodes.len();
            table.resize(first + count, hash);
        }
        for at in 0..count {
            table.array[first + at] = self.stack[a + 1 + at].clone();
        }
        self.allocated += self.table(id).size().saturating_sub(before);
        self.spend(count);
        Ok(())
    }

    fn closure(
        &mut self,
        base: usize,
        proto: &Rc<Proto>,
        captures: &[Instr],
        parent: &Function,
    ) -> Value {
        let Body::Lua { upvals: outer, .. } = &parent.body else { return Value::Nil };
        let upvals = captures[..proto.upvalues.len()]
            .iter()
            .map(|capture| match capture.op {
                Op::GetUpval => outer[usize::from(capture.b)],
                _ => self.find_upval((base + usize::from(capture.b)) as u32),
            })
            .collect();
        let body = Body::Lua { proto: proto.clone(), upvals };
        self.new_function(Function { body, env: parent.env, identity: 0 })
    }

    fn vararg(&mut self, base: usize, i: Instr, proto: &Proto) -> Result<(), Thrown> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let extra_from = frame.func as usize + 1 + usize::from(proto.params);
        let available = base.saturating_sub(extra_from);
        let a = base + usize::from(i.a);
        let wanted = match i.b {
            0 => available,
            b => usize::from(b) - 1,
        };
        if !self.reserve_slots(a + wanted + WINDOW) {
            return Err(self.run_error("stack overflow"));
        }
        for at in 0..wanted {
            self.stack[a + at] = match at < available {
                true => self.stack[extra_from + at].clone(),
                false => Value::Nil,
            };
        }
        self.spend(wanted / 4);
        if i.b == 0 {
            self.top = a + wanted;
        }
        Ok(())
    }
}
