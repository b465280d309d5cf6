//! Guards: host functions around a function of the program, as a lock is around its critical
//! section. `guard(x, f)` asks the host with `x`, calls `f`, and asks the host with `x` and `true`,
//! both if `f` returned and if it threw; then the caller gets its results or its error.
//!
//! The slots, from the guard's own up: the guard, `x`, `f` (later its results), and above these the
//! call of the host.

use crate::call::{Args, Called};
use crate::state::{Frame, FrameKind, State, Thrown};
use crate::value::Value;

/// The progress of a guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// The host is asked to let the program in.
    Enter,
    /// `f` runs.
    Body,
    /// The host is told that `f` has returned.
    Leave,
    /// The host is told that `f` has thrown.
    LeaveThrown,
}

type Result<T> = std::result::Result<T, Thrown>;

pub(crate) fn begin(state: &mut State, host: u16, args: Args) -> Result<Called> {
    if args.len < 2 || !state.arg(args, 2).is_function() {
        let name = state.prelude.profile.host[usize::from(host)].trim_end_matches("()");
        return Err(state.run_error(&format!("{name}(name, function): the function is missing")));
    }
    state.top = args.func + 3;
    state.push_frame(args, FrameKind::Guard(host, Phase::Enter))?;
    ask(state, host, args.func, false)
}

/// Continues the guard on top: the host has answered, or `f` has returned.
pub(crate) fn resume(state: &mut State) -> Result<Called> {
    let Some(frame) = state.frames.last_mut() else { return Ok(Called::Done) };
    let (func, FrameKind::Guard(host, phase)) = (frame.func as usize, &mut frame.kind) else {
        return Ok(Called::Done);
    };
    let (host, first) = (*host, func + 2);
    match *phase {
        Phase::Enter => {
            *phase = Phase::Body;
            state.top = first + 1;
            state.call(first, 0, -1, false)
        }
        Phase::Body => {
            *phase = Phase::Leave;
            ask(state, host, func, true)
        }
        Phase::Leave => {
            state.return_from_frame(first, state.top - first)?;
            Ok(Called::Done)
        }
        Phase::LeaveThrown => {
            state.frames.pop();
            Err(std::mem::take(&mut state.stack[first]))
        }
    }
}

/// Handles the `error` thrown by `f`; `frame` is the guard's, which was removed.
pub(crate) fn fail(state: &mut State, mut frame: Frame, error: Value) -> Result<()> {
    let FrameKind::Guard(host, phase) = &mut frame.kind else { return Err(error) };
    *phase = Phase::LeaveThrown;
    let (host, func) = (*host, frame.func as usize);
    state.close_upvals(func + 1);
    state.ensure(func + 3);
    state.stack[func + 2] = error;
    state.top = func + 3;
    state.frames.push(frame);
    ask(state, host, func, true).map(drop)
}

/// Asks the host, in slots above all others.
fn ask(state: &mut State, host: u16, guard: usize, leaving: bool) -> Result<Called> {
    let slot = state.top;
    let name = state.stack[guard + 1].clone();
    state.push(Value::Host(host));
    state.push(name);
    if leaving {
        state.push(Value::Bool(true));
    }
    let args = Args { func: slot, len: 1 + usize::from(leaving), results: 0, meta: false };
    state.push_frame(args, FrameKind::Host(host))?;
    Ok(Called::Pause)
}
