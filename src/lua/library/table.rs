//! The table library, after `ltablib.c`. All accesses are raw: without metamethods.

use crate::call::{Args, Called, Flow, Native};
use crate::debug::push_text;
use crate::state::{FrameKind, State, Thrown};
use crate::value::Value;

pub(crate) const FUNCTIONS: &[(&str, Native)] = &[
    ("concat", concat),
    ("foreach", foreach),
    ("foreachi", foreachi),
    ("getn", getn),
    ("insert", insert),
    ("maxn", maxn),
    ("remove", remove),
    ("setn", setn),
    ("sort", super::sort::sort),
];

type Result<T> = std::result::Result<T, Thrown>;

/// Assigns `t[index] = value`; errors are raised like the core's.
fn set(state: &mut State, id: u32, index: i32, value: Value) -> Result<()> {
    state
        .raw_set(id, &Value::Num(index.into()), value)
        .map_err(|message| Value::str(message.as_bytes()))
}

fn get(state: &State, id: u32, index: i32) -> Value {
    state.raw_get(id, &Value::Num(index.into()))
}

fn concat(state: &mut State, args: Args) -> Result<Flow> {
    let separator = state.opt_str(args, 2, "")?;
    let id = state.check_table(args, 1)?;
    let first = state.opt_int(args, 3, 1)? as i32;
    let last = match state.arg(args, 4).is_nil() {
        true => state.table(id).length() as i32,
        false => state.check_int32(args, 4)?,
    };
    let mut out = Vec::new();
    let mut index = first;
    while index <= last {
        let value = get(state, id, index);
        if !matches!(value, Value::Str(_) | Value::Num(_)) {
            state.spend(out.len() / 16);
            let kind = value.type_name();
            let text = format!("invalid value ({kind}) at index {index} in table for 'concat'");
            return Err(state.lib_error(&text));
        }
        push_text(&mut out, &value);
        if index == last {
            break;
        }
        out.extend_from_slice(separator.as_bytes());
        state.check_size(out.len())?;
        state.spend(1);
        index += 1;
    }
    state.push_bytes(&out)?;
    Ok(Flow::Return(1))
}

fn getn(state: &mut State, args: Args) -> Result<Flow> {
    let length = { state.check_table(args, 1).map(|id| state.table(id).length())? };
    state.push(Value::Num(length as f64));
    Ok(Flow::Return(1))
}

fn setn(state: &mut State, args: Args) -> Result<Flow> {
    state.check_table(args, 1)?;
    Err(state.lib_error("'setn' is obsolete"))
}

fn insert(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    let mut end = state.table(id).length() as i32 + 1;
    let position = match args.len {
        2 => end,
        3 => {
            let position = state.check_int32(args, 2)?;
            end = end.max(position);
            // A position far below the list would move forever.
            state.spend((i64::from(end) - i64::from(position)).max(0) as usize);
            if state.fuel <= 0 && i64::from(end) - i64::from(position) > 1_000_000 {
                return Err(state.lib_error("instruction limit reached"));
            }
            let mut index = end;
            while index > position {
                let value = get(state, id, index - 1);
                set(state, id, index, value)?;
                index -= 1;
            }
            position
        }
        _ => return Err(state.lib_error("wrong number of arguments to 'insert'")),
    };
    let value = state.arg(args, args.len).clone();
    set(state, id, position, value)?;
    Ok(Flow::Return(0))
}

fn remove(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    let end = state.table(id).length() as i32;
    let position = state.opt_int(args, 2, end.into())? as i32;
    if !(1..=end).contains(&position) {
        return Ok(Flow::Return(0));
    }
    let removed = get(state, id, position);
    state.spend((end - position) as usize);
    for index in position..end {
        let value = get(state, id, index + 1);
        set(state, id, index, value)?;
    }
    set(state, id, end, Value::Nil)?;
    state.push(removed);
    Ok(Flow::Return(1))
}

fn maxn(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    let table = state.table(id);
    let array = table.array.iter().rposition(|value| !value.is_nil()).map_or(0, |at| at + 1);
    let hash = table.nodes.iter().filter(|node| !node.value.is_nil());
    let most = hash.fold(array as f64, |most, node| match node.key {
        Value::Num(n) if n > most => n,
        _ => most,
    });
    let places = table.places();
    state.spend(places);
    state.push(Value::Num(most));
    Ok(Flow::Return(1))
}

fn foreach(state: &mut State, args: Args) -> Result<Flow> {
    state.check_table(args, 1)?;
    state.check_function(args, 2)?;
    state.push_frame(args, FrameKind::Foreach(Box::new(Value::Nil)))?;
    foreach_next(state, Value::Nil)?;
    Ok(Flow::Frame)
}

fn foreachi(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    state.check_function(args, 2)?;
    let length = state.table(id).length();
    // The length taken now, above the function, tells the two apart.
    state.ensure(args.func + 8);
    state.stack[args.func + 3] = Value::Num(length as f64);
    state.push_frame(args, FrameKind::Foreach(Box::new(Value::Num(0.0))))?;
    foreachi_next(state, 0)?;
    Ok(Flow::Frame)
}

/// The slot of the callback above the function.
const CALLBACK: usize = 4;

/// Continues after the callback of `foreach` or `foreachi` has returned.
pub(crate) fn foreach_resume(state: &mut State) -> Result<Called> {
    let Some(frame) = state.frames.last() else { return Ok(Called::Done) };
    let FrameKind::Foreach(key) = &frame.kind else { return Ok(Called::Done) };
    let func = frame.func as usize;
    let key = (**key).clone();
    if !state.stack[func + CALLBACK].is_nil() {
        state.return_from_frame(func + CALLBACK, 1)?;
        return Ok(Called::Done);
    }
    match (&state.stack[func + 3], &key) {
        (Value::Num(_), Value::Num(index)) => foreachi_next(state, *index as usize),
        _ => foreach_next(state, key),
    }
}

fn callback(state: &mut State, key: Value, value: Value) -> Result<Called> {
    let Some(frame) = state.frames.last_mut() else { return Ok(Called::Done) };
    let func = frame.func as usize;
    frame.kind = FrameKind::Foreach(Box::new(key.clone()));
    let slot = func + CALLBACK;
    state.ensure(slot + 3);
    state.stack[slot] = state.stack[func + 2].clone();
    state.stack[slot + 1] = key;
    state.stack[slot + 2] = value;
    state.call(slot, 2, 1, false)
}

fn foreach_next(state: &mut State, key: Value) -> Result<Called> {
    let Some(frame) = state.frames.last() else { return Ok(Called::Done) };
    let func = frame.func as usize;
    state.ensure(func + 8);
    if key.is_nil() {
        state.stack[func + 3] = Value::Nil;
    }
    let Value::Table(id) = state.stack[func + 1] else { return Ok(Called::Done) };
    match state.next(id, &key) {
        Ok(Some((key, value))) => callback(state, key, value),
        Ok(None) => {
            state.return_from_frame(func + CALLBACK, 0)?;
            Ok(Called::Done)
        }
        Err(()) => Err(Value::str(b"invalid key to 'next'")),
    }
}

fn foreachi_next(state: &mut State, index: usize) -> Result<Called> {
    let func = state.frames.last().map_or(0, |frame| frame.func as usize);
    let Value::Table(id) = state.stack[func + 1] else { return Ok(Called::Done) };
    let Value::Num(length) = state.stack[func + 3] else { return Ok(Called::Done) };
    if index as f64 >= length {
        state.return_from_frame(func + CALLBACK, 0)?;
        return Ok(Called::Done);
    }
    let value = state.raw_get_int(id, index + 1);
    callback(state, Value::Num((index + 1) as f64), value)
}
