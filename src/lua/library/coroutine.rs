//! Coroutines, after `lbaselib.c`.
//!
//! A coroutine is a thread of its own in the arena; resuming swaps stacks. As in 5.1 a yield may
//! not cross a metamethod, an iterator or a library function that calls back; a pause for the host
//! may.

use crate::call::{Args, Called, Flow, Native};
use crate::state::{Body, FrameKind, Function, GLOBALS, State, Status, Thread, Thrown};
use crate::value::{ThreadId, Value};

pub(crate) const FUNCTIONS: &[(&str, Native)] = &[
    ("create", create),
    ("resume", resume),
    ("running", running),
    ("status", status),
    ("wrap", wrap),
    ("yield", yield_),
];

/// The most coroutines that have resumed one another; PUC's `LUAI_MAXCCALLS`.
const NESTED_MAX: usize = 200;

type Result<T> = std::result::Result<T, Thrown>;

fn new_thread(state: &mut State, args: Args) -> Result<ThreadId> {
    let function = state.arg(args, 1).clone();
    if !matches!(&function, Value::Func(id)
        if matches!(state.funcs[*id as usize].body, Body::Lua { .. }))
    {
        return Err(state.arg_error(1, "Lua function expected"));
    }
    state.main_thread_entry();
    let mut thread = Thread::new(Status::Suspended);
    thread.stack.push(function);
    thread.top = 1;
    state.threads.push(thread);
    state.allocated += 1024;
    Ok(state.threads.len() as ThreadId - 1)
}

fn create(state: &mut State, args: Args) -> Result<Flow> {
    let id = new_thread(state, args)?;
    state.push(Value::Thread(id));
    Ok(Flow::Return(1))
}

fn wrap(state: &mut State, args: Args) -> Result<Flow> {
    let id = new_thread(state, args)?;
    let body = Body::Wrap(id);
    let function = state.new_function(Function { body, env: GLOBALS, identity: 0 });
    state.push(function);
    Ok(Flow::Return(1))
}

fn check_thread(state: &State, args: Args) -> Result<ThreadId> {
    match state.arg(args, 1) {
        Value::Thread(id) => Ok(*id),
        _ => Err(state.arg_error(1, "coroutine expected")),
    }
}

fn status_of(state: &State, id: ThreadId) -> Status {
    if id == state.current {
        return Status::Running;
    }
    state.threads.get(id as usize).map_or(Status::Dead, |thread| thread.status)
}

fn status_name(status: Status) -> &'static str {
    match status {
        Status::Suspended => "suspended",
        Status::Running => "running",
        Status::Normal => "normal",
        Status::Dead => "dead",
    }
}

fn status(state: &mut State, args: Args) -> Result<Flow> {
    let id = check_thread(state, args)?;
    let name = status_name(status_of(state, id));
    state.push(Value::str(name.as_bytes()));
    Ok(Flow::Return(1))
}

fn running(state: &mut State, _: Args) -> Result<Flow> {
    // The main thread is not a coroutine.
    let value = if state.current == 0 { Value::Nil } else { Value::Thread(state.current) };
    state.push(value);
    Ok(Flow::Return(1))
}

/// Returns the reason why a coroutine cannot be resumed.
fn obstacle(state: &State, id: ThreadId) -> Option<String> {
    match status_of(state, id) {
        Status::Suspended => {
            let mut depth = 0;
            let mut at = state.current;
            while at != 0 {
                at = state.threads[at as usize].parent;
                depth += 1;
            }
            (depth >= NESTED_MAX).then(|| "C stack overflow".to_owned())
        }
        other => Some(format!("cannot resume {} coroutine", status_name(other))),
    }
}

fn resume(state: &mut State, args: Args) -> Result<Flow> {
    let id = check_thread(state, args)?;
    if let Some(text) = obstacle(state, id) {
        state.push(Value::Bool(false));
        state.push(Value::str(text.as_bytes()));
        return Ok(Flow::Return(2));
    }
    state.push_frame(args, FrameKind::Resume(false))?;
    let values = state.take_values(args.func + 2);
    start(state, id, values)
}

/// Runs a call of the function that `coroutine.wrap` returned.
pub(crate) fn wrapped(state: &mut State, args: Args) -> Result<Flow> {
    let Value::Func(function) = state.stack[args.func] else { return Ok(Flow::Return(0)) };
    let Body::Wrap(id) = state.funcs[function as usize].body else { return Ok(Flow::Return(0)) };
    if let Some(text) = obstacle(state, id) {
        return Err(state.lib_error(&text));
    }
    state.push_frame(args, FrameKind::Resume(true))?;
    let values = state.take_values(args.func + 1);
    start(state, id, values)
}

/// Switches to a suspended coroutine and passes it `values`.
fn start(state: &mut State, id: ThreadId, values: Vec<Value>) -> Result<Flow> {
    let parent = state.current;
    state.switch_to(id);
    state.threads[parent as usize].status = Status::Normal;
    state.threads[id as usize].parent = parent;
    let count = values.len();
    let yielded = state.frames.last().map(|frame| frame.func as usize + 1);
    let from = yielded.unwrap_or(1);
    state.top = from;
    for value in values {
        state.push(value);
    }
    if yielded.is_some() {
        state.return_from_frame(from, count)?;
    } else {
        let called = state.call(0, count, -1, false)?;
        debug_assert_ne!(called, Called::Done);
    }
    Ok(Flow::Frame)
}

fn yield_(state: &mut State, args: Args) -> Result<Flow> {
    let crosses = state.frames.iter().any(|frame| !frame.is_lua() || frame.meta);
    if state.current == 0 || crosses || args.meta {
        // Raised by the core in PUC: no position.
        return Err(Value::str(b"attempt to yield across metamethod/C-call boundary"));
    }
    let values = state.take_values(args.func + 1);
    state.push_frame(args, FrameKind::Yield)?;
    state.leave_coroutine(Status::Suspended, values)?;
    Ok(Flow::Frame)
}
