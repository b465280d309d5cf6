//! Inspection: frames with their variables, and a trace of a run line by line.
//!
//! A traced run executes one instruction at a time and compares the named locals of the frame
//! before and after. It is slow, and only used for display.

use super::Data;
use super::debug::Activations;
use super::opcode::Op;
use super::state::{Phase, State};
use super::value::{Str, Value};
use super::vm::End;

/// The most entries of each list; the oldest go first.
const KEPT: usize = 256;

/// The lines and assignments of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The lines that ran, in order, with repeats in a row collapsed.
    pub lines: Vec<u32>,
    /// The assignments to named variables.
    pub assigned: Vec<Assigned>,
    /// The turns of loops and the calls of functions that began.
    pub turned: Vec<Turned>,
    /// The number of entries that no longer fit.
    pub dropped: usize,
}

/// A variable that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The line of the assignment.
    pub line: u32,
    pub name: String,
    /// A short rendering, at most 40 characters.
    pub value: String,
    /// The number of entries of [`Trace::turned`] that came before.
    pub turns: usize,
}

/// A turn of a loop, or a call of a function: its lines begin anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turned {
    pub first: u32,
    pub last: u32,
    /// The line that it begins with.
    to: u32,
    /// The number of entries of [`Trace::lines`] that came before.
    at: usize,
}

/// One activation, for display.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameView {
    /// "main chunk", a function's name, or "?".
    pub function: String,
    /// `None` inside library functions.
    pub line: Option<u32>,
    pub locals: Vec<Variable>,
    pub upvalues: Vec<Variable>,
}

/// A variable with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    pub value: Data,
    /// A short rendering of the value.
    pub short: String,
}

impl Trace {
    fn push_line(&mut self, line: u32) {
        if self.lines.last() == Some(&line) {
            return;
        }
        if self.lines.len() == KEPT {
            self.lines.remove(0);
            self.dropped += 1;
            self.turned.iter_mut().for_each(|one| one.at = one.at.saturating_sub(1));
        }
        self.lines.push(line);
    }

    fn push_assigned(&mut self, line: u32, name: String, value: String) {
        if self.assigned.len() == KEPT {
            self.assigned.remove(0);
            self.dropped += 1;
        }
        self.assigned.push(Assigned { line, name, value, turns: self.turned.len() });
    }

    fn push_turned(&mut self, lines: &[u32], to: u32) {
        let (Some(first), Some(last)) = (lines.iter().min(), lines.iter().max()) else { return };
        if self.turned.len() == KEPT {
            self.turned.remove(0);
            self.dropped += 1;
            self.assigned.iter_mut().for_each(|one| one.turns = one.turns.saturating_sub(1));
        }
        let at = self.lines.len();
        self.turned.push(Turned { first: *first, last: *last, to, at });
    }

    /// Returns the turns that began with or after the entry `from` of [`Trace::turned`], without
    /// those that were over at once: a `while` whose condition no longer held.
    pub fn turns_from(&self, from: usize) -> impl Iterator<Item = &Turned> {
        self.turned.iter().skip(from).filter(|turn| {
            let mut after = self.lines.iter().skip(turn.at);
            let decides =
                |line: &&u32| **line > turn.last || (**line > turn.first && **line != turn.to);
            after.find(decides).is_none_or(|line| *line <= turn.last)
        })
    }
}

/// The top frame as last seen, to compare with its next state.
pub(super) struct Tracer {
    /// The number of frames on the stack, and the thread they are on.
    depth: usize,
    thread: u32,
    pc: usize,
    line: u32,
    locals: Vec<(Str, Value)>,
}

impl State {
    /// Runs like `drive`, one instruction at a time, and records what happens.
    pub fn drive_traced(&mut self, fuel: &mut u64, trace: &mut Trace) -> End {
        let mut seen = Vec::new();
        loop {
            if !seen.iter().any(|s: &Tracer| s.thread == self.current) {
                // A thread that goes on: its locals may just have been given values.
                let resumed = |at| self.look(at, self.is_resumed(at));
                seen.extend((0..self.frames.len()).filter_map(resumed));
            }
            if let Some(now) = self.frames.len().checked_sub(1).and_then(|at| self.look(at, false))
            {
                self.absorb(&mut seen, now, trace);
            }
            if *fuel == 0 {
                return End::OutOfFuel;
            }
            self.fuel = 1;
            let end = self.drive();
            *fuel = fuel.saturating_sub(self.fuel.abs_diff(1));
            if let Some(last) = seen.last() {
                trace.push_line(last.line);
                self.note_global(last, trace);
            }
            if !matches!(end, End::OutOfFuel) {
                return end;
            }
        }
    }

    /// Returns true if the frame at `at` has just received, or still awaits, the results of a call.
    fn is_resumed(&self, at: usize) -> bool {
        let frame = &self.frames[at];
        let call = self
            .proto_of(frame)
            .and_then(|proto| proto.code.get((frame.pc as usize).wrapping_sub(1)));
        at + 1 < self.frames.len()
            || call.is_some_and(|i| matches!(i.op, Op::Call | Op::TailCall | Op::TForLoop))
    }

    /// Returns the Lua frame at `at`, about to run an instruction or, if `calling`, at the call
    /// before it.
    fn look(&self, at: usize, calling: bool) -> Option<Tracer> {
        let frame = &self.frames[at];
        let proto = self.proto_of(frame)?;
        let pc = (frame.pc as usize).saturating_sub(calling.into());
        let base = frame.base as usize;
        let locals = proto
            .active_locals(pc)
            .enumerate()
            .filter(|(_, name)| name.as_bytes().first() != Some(&b'('))
            .map(|(register, name)| {
                (name.clone(), self.stack.get(base + register).cloned().unwrap_or_default())
            })
            .collect();
        let line = proto.lines.get(pc).copied().unwrap_or_default();
        Some(Tracer { depth: at, thread: self.current, pc, line, locals })
    }

    /// Compares a frame with its last recorded state; frames that were above it have returned.
    fn absorb(&self, seen: &mut Vec<Tracer>, now: Tracer, trace: &mut Trace) {
        let known = seen.iter().rposition(|s| s.depth == now.depth && s.thread == now.thread);
        if let Some(at) = known {
            let before = &seen[at];
            if now.pc < before.pc
                && let Some(lines) = self.lines_between(now.depth, now.pc, before.pc)
            {
                trace.push_turned(lines, now.line);
            }
            // Another function in the same place has other locals: it begins anew.
            if before.pc != now.pc || before.locals.len() != now.locals.len() {
                self.note(before, &now, trace);
            }
            seen.truncate(at);
        } else if let Some(lines) = self.lines_between(now.depth, 0, usize::MAX) {
            trace.push_turned(lines, now.line);
        }
        seen.push(now);
    }

    /// Returns the lines of a frame's instructions from one to another, both included.
    fn lines_between(&self, depth: usize, from: usize, to: usize) -> Option<&[u32]> {
        let lines = &self.proto_of(self.frames.get(depth)?)?.lines;
        lines.get(from..lines.len().min(to.saturating_add(1)))
    }

    /// Returns the line that gives the variables of a `for … in` their values, if the instruction
    /// at `pc` is the jump back into its body, which has the line of the body's end.
    fn line_of_for(&self, depth: usize, pc: usize) -> Option<u32> {
        let proto = self.proto_of(self.frames.get(depth)?)?;
        let at = pc.checked_sub(1)?;
        proto.code.get(at).filter(|i| i.op == Op::TForLoop)?;
        proto.lines.get(at).copied()
    }

    fn note(&self, before: &Tracer, after: &Tracer, trace: &mut Trace) {
        let is_back = after.pc < before.pc;
        let of_for = is_back.then(|| self.line_of_for(before.depth, before.pc)).flatten();
        let line = of_for.unwrap_or(before.line);
        for (at, (name, value)) in after.locals.iter().enumerate() {
            let unchanged = before
                .locals
                .get(at)
                .is_some_and(|(old_name, old)| old_name == name && old.same(value));
            if !unchanged {
                trace.push_assigned(line, name.lossy(), self.short(value));
            }
        }
    }

    /// Records the assignment of a global.
    fn note_global(&self, before: &Tracer, trace: &mut Trace) {
        let Some(frame) = self.frames.get(before.depth).filter(|_| before.thread == self.current)
        else {
            return;
        };
        let Some(proto) = self.proto_of(frame) else { return };
        let Some(instr) = proto.code.get(before.pc).filter(|_| frame.pc as usize == before.pc + 1)
        else {
            return;
        };
        let register = frame.base as usize + usize::from(instr.a);
        let name = match instr.op {
            Op::SetGlobal => match &proto.constants[instr.bx()] {
                Value::Str(name) => name,
                _ => return,
            },
            Op::SetUpval => match proto.upvalues.get(usize::from(instr.b)) {
                Some(name) => name,
                None => return,
            },
            _ => return,
        };
        let value = self.stack.get(register).cloned().unwrap_or_default();
        trace.push_assigned(before.line, name.lossy(), self.short(&value));
    }

    /// Returns the line of the call at which the program is paused, or of the instruction that runs
    /// next.
    pub fn next_line(&self) -> Option<u32> {
        if self.phase == Phase::Finished {
            return None;
        }
        match self.frames.last() {
            Some(frame) if frame.is_lua() => {
                self.proto_of(frame)?.lines.get(frame.pc as usize).copied()
            }
            _ => self.line(),
        }
    }

    /// Returns all activations: the running thread's, then those of the thread that resumed it, and
    /// so on down to the main thread.
    pub fn frame_views(&self) -> Vec<FrameView> {
        let mut views = Vec::new();
        let mut thread = Some(self.current);
        while let Some(id) = thread {
            let activations = self.activations(id);
            let innermost_first = (0..activations.frames.len()).rev();
            views.extend(innermost_first.filter_map(|at| self.frame_view(activations, at)));
            thread = activations.parent;
        }
        views
    }

    /// Returns the Lua frame at `at` of a thread.
    fn frame_view(&self, thread: Activations<'_>, at: usize) -> Option<FrameView> {
        let frame = &thread.frames[at];
        let (proto, upvals) = thread.function_of(frame)?;
        // All but the topmost are at the call before their next instruction.
        let on_top = at + 1 == thread.frames.len();
        let pc = (frame.pc as usize).saturating_sub(usize::from(!on_top));
        let variable = |name: &Str, value: &Value| {
            let value = self.export(value);
            Variable { name: name.lossy(), short: value.short(), value }
        };
        let locals = proto
            .active_locals(pc)
            .enumerate()
            .filter(|(_, name)| name.as_bytes().first() != Some(&b'('))
            .map(|(register, name)| {
                let slot = frame.base as usize + register;
                variable(name, thread.stack.get(slot).unwrap_or(&Value::Nil))
            })
            .collect();
        let upvalues = proto.upvalues.iter().zip(upvals);
        let upvalues = upvalues.map(|(name, id)| variable(name, self.upval(*id))).collect();
        let function = match thread.called_as(at) {
            _ if proto.line_defined == 0 => "main chunk".to_owned(),
            Some((_, name)) => name.lossy(),
            None => "?".to_owned(),
        };
        Some(FrameView { function, line: proto.lines.get(pc).copied(), locals, upvalues })
    }
}
