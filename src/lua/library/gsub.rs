//! `string.gsub` and the iterator of `string.gmatch`.
//!
//! `gsub` with a function waits for it in a frame of its own, which holds the text built so far and
//! the position as plain data.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::pattern::Matcher;
use crate::call::{Args, Called, Flow};
use crate::state::{Body, Event, FrameKind, State, Thrown};
use crate::value::{Str, Value};

/// A substitution under way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gsub {
    text: Str,
    pattern: Str,
    out: Vec<u8>,
    /// The position where the next match is tried.
    at: usize,
    /// The match that is being replaced.
    matched: (usize, usize),
    count: usize,
    count_max: usize,
}

impl Gsub {
    /// Hashes the state; a fingerprint must cover it.
    pub fn numbers(&self) -> impl Hash + use<> {
        let mut hasher = ground::hash::Fingerprinter::default();
        (&self.text, &self.pattern, &self.out).hash(&mut hasher);
        (hasher.finish(), self.at, self.matched, self.count, self.count_max)
    }
}

/// The slot of the callback above the function, after text, pattern, replacement and limit.
const CALLBACK: usize = 5;

pub(crate) fn gsub(state: &mut State, args: Args) -> Result<Flow, Thrown> {
    let text = state.check_str(args, 1)?;
    let pattern = state.check_str(args, 2)?;
    let replacement = state.arg(args, 3);
    let is_text = matches!(replacement, Value::Num(_) | Value::Str(_));
    let is_callback = matches!(replacement, Value::Table(_)) || replacement.is_function();
    let count_max = state.opt_int(args, 4, text.len() as i64 + 1)? as i32;
    if !is_text && !is_callback {
        return Err(state.arg_error(3, "string/function/table expected"));
    }
    let gsub = Gsub {
        text,
        pattern,
        out: Vec::new(),
        at: 0,
        matched: (0, 0),
        count: 0,
        count_max: usize::try_from(count_max).unwrap_or(0),
    };
    if is_callback {
        // Slots of the missing limit are there to be skipped.
        state.ensure(args.func + CALLBACK + 40);
        state.push_frame(args, FrameKind::Gsub(Box::new(gsub)))?;
        advance(state)?;
        return Ok(Flow::Frame);
    }
    plain(state, args, gsub)
}

/// Replaces by a string: no callbacks.
fn plain(state: &mut State, args: Args, mut gsub: Gsub) -> Result<Flow, Thrown> {
    let replacement = state.check_str(args, 3)?;
    let (text, pattern) = (gsub.text.clone(), gsub.pattern.clone());
    let mut matcher = Matcher::new(text.as_bytes(), pattern.as_bytes());
    while let Some((start, end)) = find_next(&mut gsub, &mut matcher, state)? {
        expand(state, &mut matcher, replacement.as_bytes(), (start, end), &mut gsub.out)?;
        state.check_size(gsub.out.len())?;
        if !pass(&mut gsub) {
            break;
        }
    }
    state.spend(matcher.steps);
    finish(state, &mut gsub)?;
    Ok(Flow::Return(2))
}

/// Returns true if the pattern is anchored at the start, and where its items begin.
fn anchor(pattern: &[u8]) -> (bool, usize) {
    let anchored = pattern.first() == Some(&b'^');
    (anchored, usize::from(anchored))
}

/// Finds the next match and copies the text before it.
fn find_next(
    gsub: &mut Gsub,
    matcher: &mut Matcher<'_>,
    state: &mut State,
) -> Result<Option<(usize, usize)>, Thrown> {
    let (anchored, p) = anchor(gsub.pattern.as_bytes());
    while gsub.count < gsub.count_max {
        let found = matcher.match_at(gsub.at, p);
        let found = found.map_err(|message| matcher.failed(state, message))?;
        if let Some(end) = found {
            gsub.count += 1;
            gsub.matched = (gsub.at, end);
            return Ok(Some(gsub.matched));
        }
        let Some(&c) = gsub.text.as_bytes().get(gsub.at) else { return Ok(None) };
        gsub.out.push(c);
        gsub.at += 1;
        if anchored {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Moves past the match just replaced; false at the end.
fn pass(gsub: &mut Gsub) -> bool {
    let (start, end) = gsub.matched;
    if end > start {
        gsub.at = end;
    } else {
        let Some(&c) = gsub.text.as_bytes().get(start) else { return false };
        gsub.out.push(c);
        gsub.at += 1;
    }
    !anchor(gsub.pattern.as_bytes()).0
}

fn finish(state: &mut State, gsub: &mut Gsub) -> Result<(), Thrown> {
    gsub.out.extend_from_slice(&gsub.text.as_bytes()[gsub.at.min(gsub.text.len())..]);
    state.push_bytes(&gsub.out)?;
    state.push(Value::Num(gsub.count as f64));
    Ok(())
}

/// Appends a replacement string with `%1` and the like filled in.
fn expand(
    state: &mut State,
    matcher: &mut Matcher<'_>,
    replacement: &[u8],
    (start, end): (usize, usize),
    out: &mut Vec<u8>,
) -> Result<(), Thrown> {
    let (mut at, mut escapes) = (0, 0);
    while at < replacement.len() {
        let c = replacement[at];
        at += 1;
        if c != b'%' {
            out.push(c);
            continue;
        }
        // A '%' at the end escapes the zero byte that C puts there.
        let c = replacement.get(at).copied().unwrap_or(0);
        at += 1;
        match c {
            b'0' => out.extend_from_slice(&matcher.text[start..end]),
            b'1'..=b'9' => {
                let value = matcher.capture(state, usize::from(c - b'1'), start, end)?;
                crate::debug::push_text(out, &value);
            }
            c => out.push(c),
        }
        escapes += 1;
        state.check_size(out.len())?;
    }
    matcher.steps += escapes / 8;
    Ok(())
}

/// Takes the substitution out of the frame on top; it must be put back before anything looks at the
/// frame.
fn take(state: &mut State) -> Option<(usize, Box<Gsub>)> {
    let frame = state.frames.last_mut()?;
    let kind = std::mem::replace(&mut frame.kind, FrameKind::Forward(0));
    let FrameKind::Gsub(gsub) = kind else { return None };
    Some((frame.func as usize, gsub))
}

/// Raises an error at the caller's position, without the substitution's own frame.
fn complain(state: &mut State, message: &str) -> Thrown {
    state.frames.pop();
    state.lib_error(message)
}

/// Continues with the next match and gets its replacement.
fn advance(state: &mut State) -> Result<Called, Thrown> {
    let own = state.frames.len() - 1;
    let Some((func, mut gsub)) = take(state) else { return Ok(Called::Done) };
    let (text, pattern) = (gsub.text.clone(), gsub.pattern.clone());
    let mut matcher = Matcher::new(text.as_bytes(), pattern.as_bytes());
    loop {
        let found = match find_next(&mut gsub, &mut matcher, state) {
            Ok(found) => found,
            Err(_) => {
                let (_, p) = anchor(pattern.as_bytes());
                let message = matcher.match_at(gsub.at, p).err().unwrap_or("pattern too complex");
                return Err(complain(state, message));
            }
        };
        let Some((start, end)) = found else { break };
        let slot = func + CALLBACK;
        state.ensure(slot + 40);
        let replacement = state.stack[func + 3].clone();
        if let Value::Table(_) = replacement {
            let key = matcher.capture(state, 0, start, end)?;
            match table_replacement(state, slot, replacement, key)? {
                None => {
                    state.spend(matcher.steps);
                    return Ok(store(state, own, gsub));
                }
                Some(value) => add(state, &mut gsub, value)?,
            }
        } else {
            state.stack[slot] = replacement;
            state.top = slot + 1;
            let count = match matcher.push_captures(state, start, end) {
                Ok(count) => count,
                Err(_) => return Err(complain(state, "unfinished capture")),
            };
            if state.call(slot, count, 1, false)? != Called::Done {
                state.spend(matcher.steps);
                return Ok(store(state, own, gsub));
            }
            let value = std::mem::take(&mut state.stack[slot]);
            add(state, &mut gsub, value)?;
        }
        if !pass(&mut gsub) {
            break;
        }
    }
    state.spend(matcher.steps);
    state.top = func + CALLBACK;
    finish(state, &mut gsub)?;
    state.return_from_frame(func + CALLBACK, 2)?;
    Ok(Called::Done)
}

/// Puts the substitution back into its frame, which may now lie under the callback's.
fn store(state: &mut State, own: usize, gsub: Box<Gsub>) -> Called {
    state.frames[own].kind = FrameKind::Gsub(gsub);
    Called::Frame
}

/// Looks up the key, with metamethods; `None` if one has been called.
fn table_replacement(
    state: &mut State,
    slot: usize,
    table: Value,
    key: Value,
) -> Result<Option<Value>, Thrown> {
    let mut object = table;
    for _ in 0..100 {
        if let Value::Table(id) = object {
            let value = state.raw_get(id, &key);
            if !value.is_nil() {
                return Ok(Some(value));
            }
        }
        let handler = state.metamethod(&object, Event::Index);
        match handler {
            Value::Nil if matches!(object, Value::Table(_)) => return Ok(Some(Value::Nil)),
            Value::Nil => return Err(state.type_error(&object, None, "index")),
            handler if handler.is_function() => {
                state.stack[slot] = handler;
                state.stack[slot + 1] = object;
                state.stack[slot + 2] = key;
                let called = state.call(slot, 2, 1, false)?;
                let done = called == Called::Done;
                return Ok(done.then(|| std::mem::take(&mut state.stack[slot])));
            }
            next => object = next,
        }
    }
    Err(state.run_error("loop in gettable"))
}

fn add(state: &mut State, gsub: &mut Gsub, value: Value) -> Result<(), Thrown> {
    match value {
        Value::Nil | Value::Bool(false) => {
            let (start, end) = gsub.matched;
            gsub.out.extend_from_slice(&gsub.text.as_bytes()[start..end]);
        }
        Value::Str(_) | Value::Num(_) => crate::debug::push_text(&mut gsub.out, &value),
        other => {
            let text = format!("invalid replacement value (a {})", other.type_name());
            return Err(complain(state, &text));
        }
    }
    if gsub.out.len() > state.limits.string as usize {
        state.spend(gsub.out.len() / 16);
        return Err(complain(state, "resulting string too large"));
    }
    Ok(())
}

/// Continues after a callback has returned.
pub(crate) fn resume(state: &mut State) -> Result<Called, Thrown> {
    let Some((func, mut gsub)) = take(state) else { return Ok(Called::Done) };
    let value = std::mem::take(&mut state.stack[func + CALLBACK]);
    add(state, &mut gsub, value)?;
    if pass(&mut gsub) {
        let own = state.frames.len() - 1;
        store(state, own, gsub);
        return advance(state);
    }
    state.top = func + CALLBACK;
    finish(state, &mut gsub)?;
    state.return_from_frame(func + CALLBACK, 2)?;
    Ok(Called::Done)
}

/// Runs a call of the iterator that `string.gmatch` returned.
pub(crate) fn gmatch_next(state: &mut State, args: Args) -> Result<Flow, Thrown> {
    let Value::Func(id) = state.stack[args.func] else { return Ok(Flow::Return(0)) };
    let Body::Gmatch { text, pattern, at } = &state.funcs[id as usize].body else {
        return Ok(Flow::Return(0));
    };
    let (text, pattern, first) = (text.clone(), pattern.clone(), *at as usize);
    let mut matcher = Matcher::new(text.as_bytes(), pattern.as_bytes());
    for start in first..=text.len() {
        let found = matcher.match_at(start, 0);
        let found = found.map_err(|message| matcher.failed(state, message))?;
        let Some(end) = found else { continue };
        let next = end + usize::from(end == start);
        if let Body::Gmatch { at, .. } = &mut Rc::make_mut(&mut state.funcs[id as usize]).body {
            *at = next as u32;
        }
        state.spend(matcher.steps);
        return Ok(Flow::Return(matcher.push_captures(state, start, end)?));
    }
    state.spend(matcher.steps);
    Ok(Flow::Return(0))
}
