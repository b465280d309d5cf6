//! Calls, returns, errors and coroutine switches.
//!
//! Nothing here recurses into the interpreter: a call pushes a frame, and a library function that
//! must wait for another pushes a frame that says how it continues. So a program can be paused at
//! any call.

use std::rc::Rc;

use super::ProfileKind;
use super::debug;
use super::library::guard::Phase;
use super::opcode::{Proto, Source, VARARG, VARARG_HAS_ARG, VARARG_NEEDS_ARG};
use super::state::{Body, Event, Frame, FrameKind, State, Status, Thrown, WINDOW};
use super::table::Table;
use super::value::{ThreadId, Value};

/// The state after a call was started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Called {
    /// The call is over, and its results are in place.
    Done,
    /// Frames have changed; the frame on top decides how to continue.
    Frame,
    /// The program pauses for the host.
    Pause,
}

/// The way in which a library function ended.
pub(super) enum Flow {
    /// It left this number of results at the top of the stack.
    Return(usize),
    /// It pushed frames.
    Frame,
}

/// An error that ends the program.
pub(super) struct Uncaught {
    pub error: Value,
    /// The program and line where it happened.
    pub at: Option<(Rc<Source>, u32)>,
}

/// The arguments of a library function, in the slots from `func + 1` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Args {
    pub func: usize,
    pub len: usize,
    pub results: i32,
    pub meta: bool,
}

/// The properties of a Lua function that a call needs.
#[derive(Clone, Copy)]
struct Shape {
    params: u8,
    vararg: u8,
    registers: u8,
}

impl Shape {
    fn of(proto: &Proto) -> Self {
        Self { params: proto.params, vararg: proto.vararg, registers: proto.registers }
    }
}

pub(super) type Native = fn(&mut State, Args) -> Result<Flow, Thrown>;

/// The frames above the limit that an error handler may use.
const HANDLER_FRAMES: usize = 200;
/// Handlers that may fail inside each other.
// DIFFERENCE: PUC goes on until its C stack is full, about 200 deep; the outcome is the same.
const HANDLERS_MAX: usize = 10;

impl State {
    /// Calls the value at slot `func` with `len` arguments above it.
    pub fn call(
        &mut self,
        func: usize,
        mut len: usize,
        results: i32,
        meta: bool,
    ) -> Result<Called, Thrown> {
        loop {
            match &self.stack[func] {
                Value::Func(id) => match &self.funcs[*id as usize].body {
                    Body::Lua { proto, .. } => {
                        let shape = Shape::of(proto);
                        self.push_lua_frame(func, len, results, meta, shape)?;
                        return Ok(Called::Frame);
                    }
                    Body::Gmatch { .. } => {
                        let next = super::library::gsub::gmatch_next;
                        return self.call_native(next, func, len, results, meta);
                    }
                    Body::Wrap(_) => {
                        let wrapped = super::library::coroutine::wrapped;
                        return self.call_native(wrapped, func, len, results, meta);
                    }
                },
                Value::Native(id) => {
                    let native = super::library::native(*id);
                    return self.call_native(native, func, len, results, meta);
                }
                Value::Host(index)
                    if self.prelude.profile.host[usize::from(*index)].ends_with("()") =>
                {
                    let index = *index;
                    self.top = func + 1 + len;
                    return super::library::guard::begin(
                        self,
                        index,
                        Args { func, len, results, meta },
                    );
                }
                Value::Host(index) => {
                    let kind = FrameKind::Host(*index);
                    self.top = func + 1 + len;
                    self.push_frame(Args { func, len, results, meta }, kind)?;
                    return Ok(Called::Pause);
                }
                other => {
                    let handler = self.metamethod(other, Event::Call);
                    if !handler.is_function() {
                        return Err(self.type_error_at(func, "call"));
                    }
                    // The object becomes the first argument.
                    self.ensure(func + len + 2);
                    self.stack[func..func + len + 2].rotate_right(1);
                    self.stack[func] = handler;
                    len += 1;
                }
            }
        }
    }

    fn call_native(
        &mut self,
        native: Native,
        func: usize,
        len: usize,
        results: i32,
        meta: bool,
    ) -> Result<Called, Thrown> {
        self.top = func + 1 + len;
        self.ensure(self.top + 8);
        match native(self, Args { func, len, results, meta })? {
            Flow::Return(count) => {
                self.move_results(func, self.top - count, count, results);
                Ok(Called::Done)
            }
            Flow::Frame => Ok(Called::Frame),
        }
    }

    /// Pushes the frame of a library function that continues later.
    pub fn push_frame(&mut self, args: Args, kind: FrameKind) -> Result<(), Thrown> {
        self.check_depth()?;
        self.frames.push(Frame {
            func: args.func as u32,
            base: args.func as u32 + 1,
            pc: 0,
            results: args.results,
            tail_calls: 0,
            meta: args.meta,
            kind,
        });
        Ok(())
    }

    // DIFFERENCE: library functions that call back nest as deep as Lua functions do; PUC stops them
    // at 200 with "C stack overflow", having a C stack to lose.
    fn check_depth(&self) -> Result<(), Thrown> {
        let limit = self.limits.depth as usize;
        let depth = self.frames.len();
        if depth >= limit {
            let handling = || self.frames.iter().any(|f| matches!(f.kind, FrameKind::Handler));
            if depth >= limit + HANDLER_FRAMES || !handling() {
                return Err(self.run_error("stack overflow"));
            }
        }
        Ok(())
    }

    #[inline]
    fn push_lua_frame(
        &mut self,
        func: usize,
        len: usize,
        results: i32,
        meta: bool,
        shape: Shape,
    ) -> Result<(), Thrown> {
        self.check_depth()?;
        let params = usize::from(shape.params);
        let mut base = func + 1;
        let mut given = len.min(params);
        if shape.vararg & VARARG != 0 {
            base += len.max(params);
        }
        if !self.reserve_slots(base + WINDOW) {
            return Err(self.run_error("stack overflow"));
        }
        if shape.vararg & VARARG != 0 {
            let arg = if shape.vararg & VARARG_NEEDS_ARG != 0 {
                self.arg_table(func + 1 + params, len.saturating_sub(params))
            } else {
                Value::Nil
            };
            for at in 0..given {
                self.stack[base + at] = std::mem::take(&mut self.stack[func + 1 + at]);
            }
            if shape.vararg & VARARG_HAS_ARG != 0 {
                self.stack[base + given..base + params].fill(Value::Nil);
                self.stack[base + params] = arg;
                given = params + 1;
            }
        }
        for slot in &mut self.stack[base + given..base + usize::from(shape.registers)] {
            *slot = Value::Nil;
        }
        self.frames.push(Frame {
            func: func as u32,
            base: base as u32,
            pc: 0,
            results,
            tail_calls: 0,
            meta,
            kind: FrameKind::Lua,
        });
        Ok(())
    }

    /// Creates Lua 5.0's `arg`: a table of the extra arguments and their count.
    fn arg_table(&mut self, from: usize, count: usize) -> Value {
        let mut table = Table::with_sizes(count, 1);
        table.array.clone_from_slice(&self.stack[from..from + count]);
        let made = self.new_table(table);
        if let Value::Table(id) = made {
            let _ = self.raw_set(id, &Value::str(b"n"), Value::Num(count as f64));
        }
        made
    }

    /// Moves `count` results to where the caller wants them, cut or filled to the number it wants.
    #[inline]
    pub fn move_results(&mut self, func: usize, from: usize, count: usize, results: i32) {
        if (count, results) == (1, 1) {
            self.stack[func] = std::mem::take(&mut self.stack[from]);
            self.top = func + 1;
            return;
        }
        let wanted = if results < 0 { count } else { results as usize };
        let moved = count.min(wanted);
        for at in 0..moved {
            self.stack[func + at] = std::mem::take(&mut self.stack[from + at]);
        }
        if wanted > moved {
            self.ensure(func + wanted);
            self.stack[func + moved..func + wanted].fill(Value::Nil);
        }
        self.top = func + wanted;
    }

    /// Ends the top frame with the results at `from`.
    pub fn return_from_frame(&mut self, from: usize, count: usize) -> Result<(), Thrown> {
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        self.move_results(frame.func as usize, from, count, frame.results);
        if frame.meta { self.finish_op(frame.func as usize) } else { Ok(()) }
    }

    /// Continues the library function on top, whose callee has left its results above it.
    pub fn continue_native(&mut self) -> Result<Called, Thrown> {
        let Some(frame) = self.frames.last_mut() else { return Ok(Called::Done) };
        let func = frame.func as usize;
        let first = func + 1;
        match &mut frame.kind {
            FrameKind::Lua | FrameKind::Host(_) | FrameKind::Yield => Ok(Called::Done),
            FrameKind::Pcall => {
                self.stack[func] = Value::Bool(true);
                self.return_from_frame(func, self.top - func)?;
                Ok(Called::Done)
            }
            FrameKind::Xpcall => {
                // The handler's slot makes room for `true`.
                self.stack[first] = Value::Bool(true);
                self.return_from_frame(first, self.top - first)?;
                Ok(Called::Done)
            }
            FrameKind::Handler => {
                let error = std::mem::take(&mut self.stack[first]);
                self.fail_protected(error)?;
                Ok(Called::Done)
            }
            FrameKind::Forward(most) => {
                let most = *most;
                let count = self.top - first;
                let count = if most < 0 { count } else { count.min(most as usize) };
                self.return_from_frame(first, count)?;
                Ok(Called::Done)
            }
            FrameKind::Resume(_) => Ok(Called::Done),
            FrameKind::Sort(_) => super::library::sort::resume(self),
            FrameKind::Gsub(_) => super::library::gsub::resume(self),
            FrameKind::Foreach(_) => super::library::table::foreach_resume(self),
            FrameKind::Load(_) => super::library::base::load_resume(self),
            FrameKind::Guard(..) => super::library::guard::resume(self),
        }
    }

    // Errors.

    /// Unwinds the stack to the frame that catches `error`. Returns the error if no frame does.
    pub fn throw(&mut self, mut error: Value) -> Option<Uncaught> {
        let at = self.source_and_line();
        // The message was put together.
        self.reads_value(&error);
        loop {
            let catcher = self.frames.iter().rposition(|frame| {
                matches!(
                    frame.kind,
                    FrameKind::Pcall
                        | FrameKind::Xpcall
                        | FrameKind::Handler
                        | FrameKind::Load(_)
                        | FrameKind::Guard(_, Phase::Body)
                )
            });
            let result = match catcher {
                Some(at) => match self.frames[at].kind {
                    FrameKind::Pcall | FrameKind::Load(_) | FrameKind::Guard(..) => {
                        self.fail_protected(error)
                    }
                    _ => self.start_handler(error),
                },
                None if self.current == 0 => return Some(Uncaught { error, at }),
                None => self.fail_coroutine(error),
            };
            match result {
                Ok(()) => return None,
                Err(next) => error = next,
            }
        }
    }

    /// Calls the error handler on top of the failed frames, so that it sees the stack of the error.
    fn start_handler(&mut self, error: Value) -> Result<(), Thrown> {
        let handlers = self.frames.iter().filter(|f| matches!(f.kind, FrameKind::Handler)).count();
        let guard = self.frames.iter().rfind(|f| matches!(f.kind, FrameKind::Xpcall));
        let Some(handler) = guard.map(|f| self.stack[f.func as usize + 1].clone()) else {
            return Ok(());
        };
        if handlers >= HANDLERS_MAX || !handler.is_function() {
            return self.fail_protected(Value::str(b"error in error handling"));
        }
        let func = self.frame_limit();
        self.ensure(func + 3);
        self.stack[func] = Value::Nil;
        self.stack[func + 1] = handler;
        self.stack[func + 2] = error;
        self.top = func + 3;
        let args = Args { func, len: 1, results: 1, meta: false };
        self.push_frame(args, FrameKind::Handler)?;
        self.call(func + 1, 1, 1, false).map(drop)
    }

    /// Returns the first slot above everything the top frame uses.
    pub fn frame_limit(&self) -> usize {
        match self.frames.last() {
            Some(frame) if frame.is_lua() => {
                let registers = self.proto_of(frame).map_or(0, |p| usize::from(p.registers));
                (frame.base as usize + registers).max(self.top)
            }
            Some(frame) => self.top.max(frame.func as usize + 2),
            None => self.top,
        }
    }

    /// Unwinds to the innermost protected call and makes it return false and the error.
    fn fail_protected(&mut self, error: Value) -> Result<(), Thrown> {
        while let Some(frame) = self.frames.pop() {
            if matches!(frame.kind, FrameKind::Guard(_, Phase::Body)) {
                return super::library::guard::fail(self, frame, error);
            }
            if matches!(frame.kind, FrameKind::Pcall | FrameKind::Xpcall | FrameKind::Load(_)) {
                let is_load = matches!(frame.kind, FrameKind::Load(_));
                let func = frame.func as usize;
                let error = self.error_for_script(&frame, error);
                self.close_upvals(func + 1);
                self.ensure(func + 2);
                self.stack[func] = if is_load { Value::Nil } else { Value::Bool(false) };
                self.stack[func + 1] = error;
                self.frames.push(frame);
                return self.return_from_frame(func, 2);
            }
        }
        Ok(())
    }

    /// Returns the error that `pcall` returns. In Redis it is the text of an error table, as
    /// scripts older than such tables expect.
    fn error_for_script(&self, frame: &Frame, error: Value) -> Value {
        if self.prelude.profile.kind == ProfileKind::Script
            && let (FrameKind::Pcall, Value::Table(id)) = (&frame.kind, &error)
            && let text @ (Value::Str(_) | Value::Num(_)) = self.raw_get(*id, &Value::str(b"err"))
        {
            return text;
        }
        error
    }

    // Coroutines.

    /// Makes `id` the running thread.
    pub fn switch_to(&mut self, id: ThreadId) {
        self.main_thread_entry();
        debug_assert_ne!(self.current, id, "the running thread has no stack of its own there");
        let from = &mut self.threads[self.current as usize];
        from.stack = std::mem::take(&mut self.stack);
        from.frames = std::mem::take(&mut self.frames);
        from.open = std::mem::take(&mut self.open);
        from.top = self.top;
        let to = &mut self.threads[id as usize];
        self.stack = std::mem::take(&mut to.stack);
        self.frames = std::mem::take(&mut to.frames);
        self.open = std::mem::take(&mut to.open);
        self.top = to.top;
        self.current = id;
        to.status = Status::Running;
    }

    /// Ends or suspends the running coroutine and gives `values` to its resumer.
    pub fn leave_coroutine(&mut self, status: Status, values: Vec<Value>) -> Result<(), Thrown> {
        let id = self.current;
        let parent = self.threads[id as usize].parent;
        self.switch_to(parent);
        self.threads[id as usize].status = status;
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let is_wrap = matches!(frame.kind, FrameKind::Resume(true));
        let from = frame.func as usize + 1;
        self.top = from;
        if !is_wrap {
            self.push(Value::Bool(true));
        }
        for value in values {
            self.push(value);
        }
        self.return_from_frame(from, self.top - from)
    }

    fn fail_coroutine(&mut self, error: Value) -> Result<(), Thrown> {
        let id = self.current;
        self.close_upvals(0);
        self.frames.clear();
        self.stack.clear();
        self.top = 0;
        let parent = self.threads[id as usize].parent;
        self.switch_to(parent);
        self.threads[id as usize].status = Status::Dead;
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let from = frame.func as usize + 1;
        if matches!(frame.kind, FrameKind::Resume(true)) {
            self.frames.pop();
            return Err(match error {
                Value::Str(_) | Value::Num(_) => {
                    let mut text = self.position(1);
                    debug::push_text(&mut text, &error);
                    Value::str(&text)
                }
                error => error,
            });
        }
        self.top = from;
        self.push(Value::Bool(false));
        self.push(error);
        self.return_from_frame(from, 2)
    }

    /// Takes the values at `from` and above off the stack.
    pub fn take_values(&mut self, from: usize) -> Vec<Value> {
        let top = self.top.max(from);
        self.stack[from..top].iter_mut().map(std::mem::take).collect()
    }
}
