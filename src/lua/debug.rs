//! The position of a program, and the texts of its errors.
//!
//! Names in messages ("local 'a'", "field 'b'") are found as PUC finds them: by running the
//! bytecode symbolically up to the failing instruction and looking at what last wrote the register.

use std::rc::Rc;

use super::number;
use super::opcode::{K, Op, Proto, Source};
use super::state::{Body, Frame, Function, State};
use super::value::{Str, ThreadId, Value};

/// Appends a string, or a number as text.
pub(super) fn push_text(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Str(s) => out.extend_from_slice(s.as_bytes()),
        Value::Num(n) => number::write(*n, out),
        _ => {}
    }
}

/// The activations of one thread.
#[derive(Clone, Copy)]
pub(super) struct Activations<'a> {
    pub funcs: &'a [Rc<Function>],
    pub stack: &'a [Value],
    pub frames: &'a [Frame],
    /// The thread that resumed this one; `None` for the main thread.
    pub parent: Option<ThreadId>,
}

impl<'a> Activations<'a> {
    /// Returns the code and the upvalues of a frame's function, if it is a Lua function.
    pub fn function_of(self, frame: &Frame) -> Option<(&'a Rc<Proto>, &'a [u32])> {
        let Value::Func(id) = self.stack.get(frame.func as usize)? else { return None };
        match &self.funcs[*id as usize].body {
            Body::Lua { proto, upvals } if frame.is_lua() => Some((proto, upvals)),
            _ => None,
        }
    }

    /// Returns how the frame at `at` was called: kind and name of the function.
    pub fn called_as(self, at: usize) -> Option<(&'static str, Str)> {
        if self.frames[at].is_lua() && self.frames[at].tail_calls > 0 {
            return None;
        }
        self.callee_name(at.checked_sub(1)?)
    }

    /// Returns the kind and name under which the frame at `at` calls a function; `None` if unnamed.
    fn callee_name(self, at: usize) -> Option<(&'static str, Str)> {
        let caller = &self.frames[at];
        let (proto, _) = self.function_of(caller)?;
        let pc = (caller.pc as usize).saturating_sub(1);
        let instr = proto.code.get(pc)?;
        match instr.op {
            Op::Call | Op::TailCall | Op::TForLoop => name_in(proto, pc, instr.a.into()),
            _ => None,
        }
    }
}

impl State {
    /// The activations of the running thread.
    pub fn running(&self) -> Activations<'_> {
        self.activations(self.current)
    }

    /// The activations of a thread.
    pub fn activations(&self, thread: ThreadId) -> Activations<'_> {
        let entry = self.threads.get(thread as usize);
        let (stack, frames) = match entry {
            Some(entry) if thread != self.current => (&entry.stack, &entry.frames),
            _ => (&self.stack, &self.frames),
        };
        let parent = entry.map(|entry| entry.parent).filter(|_| thread != 0);
        Activations { funcs: &self.funcs, stack, frames, parent }
    }

    /// Returns the code of a Lua frame of the running thread.
    pub fn proto_of(&self, frame: &Frame) -> Option<&Rc<Proto>> {
        self.running().function_of(frame).map(|(proto, _)| proto)
    }

    /// Returns the line of a Lua frame.
    pub fn line_of(&self, frame: &Frame) -> Option<u32> {
        let pc = (frame.pc as usize).saturating_sub(1);
        self.proto_of(frame)?.lines.get(pc).copied()
    }

    /// Returns the line of the innermost Lua frame.
    pub fn line(&self) -> Option<u32> {
        self.frames.iter().rev().find_map(|frame| self.line_of(frame))
    }

    /// The same, with the index of the instruction in its function.
    pub fn place(&self) -> Option<(u32, u32)> {
        self.frames.iter().rev().find_map(|frame| Some((self.line_of(frame)?, frame.pc)))
    }

    /// The same, with the program.
    pub fn source_and_line(&self) -> Option<(Rc<Source>, u32)> {
        self.frames
            .iter()
            .rev()
            .find_map(|frame| Some((self.proto_of(frame)?.source.clone(), self.line_of(frame)?)))
    }

    /// Returns the frame at `level`, counted from the caller of the running library function (1);
    /// `None` beyond the last one and for levels that tail calls removed.
    pub fn frame_at(&self, level: usize) -> Level {
        let mut rest = level;
        for (at, frame) in self.frames.iter().enumerate().rev() {
            rest -= 1;
            if rest == 0 {
                return Level::Frame(at);
            }
            let lost = frame.tail_calls as usize;
            if frame.is_lua() && rest <= lost {
                return Level::TailCall;
            }
            rest -= lost;
        }
        Level::None
    }

    /// Returns "chunk:line: " for the frame at `level`; empty if it is not Lua's.
    pub fn position(&self, level: usize) -> Vec<u8> {
        match self.frame_at(level) {
            Level::Frame(at) => self.position_of(&self.frames[at]),
            _ => Vec::new(),
        }
    }

    fn position_of(&self, frame: &Frame) -> Vec<u8> {
        match (self.proto_of(frame), self.line_of(frame)) {
            (Some(proto), Some(line)) => format!("{}:{line}: ", proto.source.name).into_bytes(),
            _ => Vec::new(),
        }
    }

    /// Returns an error with the position of the function on top; for errors of library functions
    /// and of the interpreter.
    pub fn run_error(&self, message: &str) -> Value {
        let mut text = self.frames.last().map_or_else(Vec::new, |frame| self.position_of(frame));
        text.extend_from_slice(message.as_bytes());
        Value::str(&text)
    }

    /// Returns `attempt to <operation> local 'x' (a nil value)`; the value is in `register` of the
    /// top frame.
    pub fn type_error(&self, value: &Value, register: Option<usize>, operation: &str) -> Value {
        let kind = value.type_name();
        let name = register
            .zip(self.frames.last())
            .and_then(|(register, frame)| self.name_of(frame, register));
        self.run_error(&match name {
            Some((what, name)) => {
                format!("attempt to {operation} {what} '{}' (a {kind} value)", c_text(&name))
            }
            None => format!("attempt to {operation} a {kind} value"),
        })
    }

    /// The same for the value in a stack slot.
    pub fn type_error_at(&self, slot: usize, operation: &str) -> Value {
        let base = self.frames.last().filter(|f| f.is_lua()).map(|f| f.base as usize);
        let register = base.and_then(|base| slot.checked_sub(base));
        self.type_error(&self.stack[slot], register, operation)
    }

    /// Returns the kind and name of the variable in a register; `None` if it has no name.
    pub fn name_of(&self, frame: &Frame, register: usize) -> Option<(&'static str, Str)> {
        let proto = self.proto_of(frame)?;
        name_in(proto, (frame.pc as usize).saturating_sub(1), register)
    }

    /// Returns the kind and name under which the running thread's frame at `at` calls a function.
    pub fn callee_name(&self, at: usize) -> Option<(&'static str, Str)> {
        self.running().callee_name(at)
    }
}

/// The result of `frame_at`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    Frame(usize),
    TailCall,
    None,
}

/// Returns the text up to its first zero byte, as C prints it.
fn c_text(text: &Str) -> String {
    let bytes = text.as_bytes();
    let end = bytes.iter().position(|&c| c == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

fn name_in(proto: &Proto, pc: usize, register: usize) -> Option<(&'static str, Str)> {
    if let Some(name) = proto.local_name(register + 1, pc) {
        return Some(("local", name.clone()));
    }
    let instr = last_write(proto, pc, register)?;
    let constant = |operand: u16| match proto.constants.get(usize::from(operand & !K)) {
        Some(Value::Str(name)) if operand & K != 0 => name.clone(),
        _ => Str::new(b"?"),
    };
    match instr.op {
        Op::GetGlobal => match &proto.constants[instr.bx()] {
            Value::Str(name) => Some(("global", name.clone())),
            _ => None,
        },
        Op::Move if instr.b < instr.a.into() => name_in(proto, pc, instr.b.into()),
        Op::GetTable => Some(("field", constant(instr.c))),
        Op::GetUpval => {
            let name = proto.upvalues.get(usize::from(instr.b)).cloned();
            Some(("upvalue", name.unwrap_or_else(|| Str::new(b"?"))))
        }
        Op::Method => Some(("method", constant(instr.c))),
        _ => None,
    }
}

/// Returns the instruction that last wrote `register` before `last`.
fn last_write(proto: &Proto, last: usize, register: usize) -> Option<super::opcode::Instr> {
    let mut found = None;
    let mut pc = 0;
    while pc < last {
        let instr = proto.code[pc];
        let a = usize::from(instr.a);
        let mut writes = instr.op.sets_a() && a == register;
        match instr.op {
            Op::LoadNil => writes |= a <= register && register <= instr.b.into(),
            Op::Method => writes |= register == a + 1,
            Op::TForLoop => writes |= register >= a + 2,
            Op::Call | Op::TailCall => writes |= register >= a,
            Op::Closure => {
                found = if writes { Some(instr) } else { found };
                pc += 1 + proto.protos[instr.bx()].upvalues.len();
                continue;
            }
            Op::Jmp | Op::ForLoop | Op::ForPrep => {
                found = if writes { Some(instr) } else { found };
                let target = pc as i64 + 1 + i64::from(instr.sbx());
                // A jump ahead, but not past the instruction asked about.
                pc = if target > pc as i64 && target <= last as i64 {
                    target as usize
                } else {
                    pc + 1
                };
                continue;
            }
            _ => {}
        }
        if writes {
            found = Some(instr);
        }
        pc += 1;
    }
    found
}
