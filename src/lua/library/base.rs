//! The base library, after `lbaselib.c`.
//!
//! Absent: dofile, loadfile, require and print, which need files or an output; newproxy.

use super::IPAIRS_NEXT;
use crate::ProfileKind;
use crate::call::{Args, Called, Flow, Native};
use crate::debug::Level;
use crate::number;
use crate::state::{Body, Event, FrameKind, Function, GLOBALS, State, Thrown};
use crate::table::NO_META;
use crate::value::Value;

pub(crate) const FUNCTIONS: &[(&str, Native)] = &[
    ("assert", assert),
    ("collectgarbage", collectgarbage),
    ("error", error),
    ("gcinfo", gcinfo),
    ("getfenv", getfenv),
    ("getmetatable", getmetatable),
    ("ipairs", ipairs),
    ("load", load),
    ("loadstring", loadstring),
    ("next", next),
    ("pairs", pairs),
    ("pcall", pcall),
    ("rawequal", rawequal),
    ("rawget", rawget),
    ("rawset", rawset),
    ("select", select),
    ("setfenv", setfenv),
    ("setmetatable", setmetatable),
    ("tonumber", tonumber),
    ("tostring", tostring),
    ("type", type_of),
    ("unpack", unpack),
    ("xpcall", xpcall),
];

type Result<T> = std::result::Result<T, Thrown>;

fn assert(state: &mut State, args: Args) -> Result<Flow> {
    if !state.check_any(args, 1)?.truthy() {
        let message = state.opt_str(args, 2, "assertion failed!")?;
        let mut text = state.position(1);
        text.extend_from_slice(message.as_bytes());
        return Err(Value::str(&text));
    }
    Ok(Flow::Return(args.len))
}

fn collectgarbage(state: &mut State, args: Args) -> Result<Flow> {
    let option = state.opt_str(args, 1, "collect")?;
    let number = match option.as_bytes() {
        b"count" => state.allocated as f64 / 1024.0,
        b"step" => {
            state.collect_at = 0;
            state.push(Value::Bool(true));
            return Ok(Flow::Return(1));
        }
        b"collect" => {
            // Done before the next instruction.
            state.collect_at = 0;
            0.0
        }
        b"stop" | b"restart" => 0.0,
        b"setpause" | b"setstepmul" => 200.0,
        other => {
            let text = format!("invalid option '{}'", String::from_utf8_lossy(other));
            return Err(state.arg_error(1, &text));
        }
    };
    state.push(Value::Num(number));
    Ok(Flow::Return(1))
}

fn gcinfo(state: &mut State, _: Args) -> Result<Flow> {
    state.push(Value::Num((state.allocated / 1024) as f64));
    Ok(Flow::Return(1))
}

fn error(state: &mut State, args: Args) -> Result<Flow> {
    let level = state.opt_int(args, 2, 1)?;
    let value = state.arg(args, 1).clone();
    if let (Value::Str(_) | Value::Num(_), true) = (&value, level > 0) {
        let mut text = state.position(usize::try_from(level).unwrap_or(1));
        crate::debug::push_text(&mut text, &value);
        return Err(Value::str(&text));
    }
    Err(value)
}

/// Returns the function that the first argument of `getfenv` and `setfenv` names.
fn env_target(state: &mut State, args: Args, is_optional: bool) -> Result<Option<Value>> {
    let value = state.arg(args, 1);
    if value.is_function() {
        return Ok(Some(value.clone()));
    }
    let level = match is_optional {
        true => state.opt_int(args, 1, 1)?,
        false => state.check_int(args, 1)?,
    };
    if level < 0 {
        return Err(state.arg_error(1, "level must be non-negative"));
    }
    if level == 0 {
        return Ok(None);
    }
    match state.frame_at(level as usize) {
        Level::Frame(at) => Ok(Some(state.stack[state.frames[at].func as usize].clone())),
        Level::TailCall => {
            let text = format!("no function environment for tail call at level {level}");
            Err(state.lib_error(&text))
        }
        Level::None => Err(state.arg_error(1, "invalid level")),
    }
}

fn getfenv(state: &mut State, args: Args) -> Result<Flow> {
    let env = match env_target(state, args, true)? {
        Some(Value::Func(id)) => state.funcs[id as usize].env,
        _ => GLOBALS,
    };
    state.push(Value::Table(env));
    Ok(Flow::Return(1))
}

fn setfenv(state: &mut State, args: Args) -> Result<Flow> {
    let env = state.check_table(args, 2)?;
    match env_target(state, args, false)? {
        Some(Value::Func(id)) if matches!(state.funcs[id as usize].body, Body::Lua { .. }) => {
            std::rc::Rc::make_mut(&mut state.funcs[id as usize]).env = env;
            // The interpreter must fetch the function again.
            state.collect_at = 0;
            state.push(Value::Func(id));
            Ok(Flow::Return(1))
        }
        // DIFFERENCE: the thread's own environment, level 0, stays as it is.
        None => Ok(Flow::Return(0)),
        _ => Err(state.lib_error("'setfenv' cannot change environment of given object")),
    }
}

fn getmetatable(state: &mut State, args: Args) -> Result<Flow> {
    let value = state.check_any(args, 1)?.clone();
    let result = match state.metatable(&value) {
        None => Value::Nil,
        Some(meta) => match state.metamethod(&value, Event::Metatable) {
            Value::Nil => Value::Table(meta),
            shown => shown,
        },
    };
    state.push(result);
    Ok(Flow::Return(1))
}

fn setmetatable(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    let meta = match state.arg(args, 2) {
        Value::Table(meta) => *meta,
        Value::Nil if args.len >= 2 => NO_META,
        _ => return Err(state.arg_error(2, "nil or table expected")),
    };
    let value = Value::Table(id);
    if !state.metamethod(&value, Event::Metatable).is_nil() {
        return Err(state.lib_error("cannot change a protected metatable"));
    }
    if state.table(id).read_only {
        return Err(Value::str(b"Attempt to modify a readonly table"));
    }
    state.table_mut(id).meta = meta;
    state.push(value);
    Ok(Flow::Return(1))
}

fn ipairs(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    state.push(Value::Native(IPAIRS_NEXT));
    state.push(Value::Table(id));
    state.push(Value::Num(0.0));
    Ok(Flow::Return(3))
}

pub(crate) fn ipairs_next(state: &mut State, args: Args) -> Result<Flow> {
    let index = state.check_int32(args, 2)?.wrapping_add(1);
    let id = state.check_table(args, 1)?;
    let value = state.raw_get(id, &Value::Num(index.into()));
    if value.is_nil() {
        state.push(Value::Nil);
        return Ok(Flow::Return(1));
    }
    state.push(Value::Num(index.into()));
    state.push(value);
    Ok(Flow::Return(2))
}

fn pairs(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    state.push(state.prelude.next.clone());
    state.push(Value::Table(id));
    state.push(Value::Nil);
    Ok(Flow::Return(3))
}

fn next(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    let key = state.arg(args, 2).clone();
    match state.next(id, &key) {
        Ok(Some((key, value))) => {
            state.push(key);
            state.push(value);
            Ok(Flow::Return(2))
        }
        Ok(None) => {
            state.push(Value::Nil);
            Ok(Flow::Return(1))
        }
        // Raised by the core in PUC: no position.
        Err(()) => Err(Value::str(b"invalid key to 'next'")),
    }
}

/// Raises Redis's error for reading a global that does not exist.
pub(crate) fn no_such_global(state: &mut State, args: Args) -> Result<Flow> {
    let mut text = state.position(1);
    text.extend_from_slice(b"Script attempted to access nonexistent global variable '");
    crate::debug::push_text(&mut text, state.arg(args, 2));
    text.push(b'\'');
    Err(Value::str(&text))
}

fn pcall(state: &mut State, args: Args) -> Result<Flow> {
    state.check_any(args, 1)?;
    state.push_frame(args, FrameKind::Pcall)?;
    state.call(args.func + 1, args.len - 1, -1, false)?;
    Ok(Flow::Frame)
}

fn xpcall(state: &mut State, args: Args) -> Result<Flow> {
    state.check_any(args, 2)?;
    let function = state.arg(args, 1).clone();
    let first = args.func + 1;
    state.stack[first] = state.arg(args, 2).clone();
    state.stack[first + 1] = function;
    state.push_frame(args, FrameKind::Xpcall)?;
    state.call(first + 1, 0, -1, false)?;
    Ok(Flow::Frame)
}

fn rawequal(state: &mut State, args: Args) -> Result<Flow> {
    let (x, y) = (state.check_any(args, 1)?.clone(), state.check_any(args, 2)?.clone());
    state.compares(&x, &y);
    let equal = x == y;
    state.push(Value::Bool(equal));
    Ok(Flow::Return(1))
}

fn rawget(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    let key = state.check_any(args, 2)?.clone();
    state.reads_value(&key);
    let value = state.raw_get(id, &key);
    state.push(value);
    Ok(Flow::Return(1))
}

fn rawset(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    let key = state.check_any(args, 2)?.clone();
    let value = state.check_any(args, 3)?.clone();
    state.reads_value(&key);
    // Raised by the core in PUC: no position.
    state.raw_set(id, &key, value).map_err(|message| Value::str(message.as_bytes()))?;
    state.push(Value::Table(id));
    Ok(Flow::Return(1))
}

fn select(state: &mut State, args: Args) -> Result<Flow> {
    if matches!(state.arg(args, 1), Value::Str(s) if s.as_bytes().first() == Some(&b'#')) {
        state.push(Value::Num((args.len - 1) as f64));
        return Ok(Flow::Return(1));
    }
    let len = args.len as i64;
    let n = match i64::from(state.check_int32(args, 1)?) {
        n if n < 0 => len + n,
        n => n.min(len),
    };
    if n < 1 {
        return Err(state.arg_error(1, "index out of range"));
    }
    Ok(Flow::Return((len - n) as usize))
}

fn tonumber(state: &mut State, args: Args) -> Result<Flow> {
    let base = state.opt_int(args, 2, 10)? as i32;
    let result = if base == 10 {
        state.check_any(args, 1)?;
        state.number_arg(args, 1)
    } else {
        let text = state.check_str(args, 1)?;
        if !(2..=36).contains(&base) {
            return Err(state.arg_error(2, "base out of range"));
        }
        state.reads(text.len());
        parse_in_base(text.as_bytes(), base as u32)
    };
    state.push(result.map_or(Value::Nil, Value::Num));
    Ok(Flow::Return(1))
}

/// Parses the whole text as C's `strtoul` does; blanks around it are allowed.
fn parse_in_base(text: &[u8], base: u32) -> Option<f64> {
    let text = text.split(|&c| c == 0).next().unwrap_or(text);
    let start = text.iter().position(|&c| !number::is_space(c))?;
    let end = text.iter().rposition(|&c| !number::is_space(c))? + 1;
    let (negative, mut digits) = match &text[start..end] {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if base == 16
        && let [b'0', b'x' | b'X', rest @ ..] = digits
    {
        digits = rest;
    }
    if digits.is_empty() {
        return None;
    }
    let mut n = 0u64;
    for &c in digits {
        let digit = (c as char).to_digit(base)?;
        n = n
            .checked_mul(base.into())
            .and_then(|n| n.checked_add(digit.into()))
            .unwrap_or(u64::MAX);
    }
    Some(if negative { n.wrapping_neg() as f64 } else { n as f64 })
}

impl State {
    /// Formats a value as `tostring` does without metamethods.
    pub fn show(&mut self, value: &Value) -> Vec<u8> {
        match value {
            Value::Nil => b"nil".to_vec(),
            Value::Bool(b) => b.to_string().into_bytes(),
            Value::Num(_) | Value::Str(_) => {
                let mut out = Vec::new();
                crate::debug::push_text(&mut out, value);
                out
            }
            Value::Null => b"userdata: (nil)".to_vec(),
            reference => {
                // Made up, but the same for the same object as long as it lives.
                let number = self.identity(reference) as usize * 32;
                let base = match reference {
                    Value::Native(_) => 0x0804_0000,
                    Value::Host(_) => 0x0808_0000,
                    Value::Object(_) => 0x080c_0000,
                    _ => 0x0a00_0000,
                };
                format!("{}: 0x{:08x}", reference.type_name(), base + number).into_bytes()
            }
        }
    }
}

fn tostring(state: &mut State, args: Args) -> Result<Flow> {
    let value = state.check_any(args, 1)?.clone();
    let handler = state.metamethod(&value, Event::ToString);
    if handler.is_nil() {
        let result = match value {
            Value::Str(_) => value,
            other => {
                let text = state.show(&other);
                state.new_str(&text)
            }
        };
        state.push(result);
        return Ok(Flow::Return(1));
    }
    state.ensure(args.func + 3);
    state.stack[args.func + 1] = handler;
    state.stack[args.func + 2] = value;
    state.push_frame(args, FrameKind::Forward(1))?;
    state.call(args.func + 1, 1, 1, false)?;
    Ok(Flow::Frame)
}

fn type_of(state: &mut State, args: Args) -> Result<Flow> {
    let name = state.check_any(args, 1)?.type_name();
    state.push(Value::str(name.as_bytes()));
    Ok(Flow::Return(1))
}

/// The most arguments and results of `unpack`; PUC's stack allows no more.
const UNPACK_MAX: i64 = 8000;

fn unpack(state: &mut State, args: Args) -> Result<Flow> {
    let id = state.check_table(args, 1)?;
    let first = state.opt_int(args, 2, 1)? as i32;
    let last = match state.arg(args, 3).is_nil() {
        true => state.table(id).length() as i32,
        false => state.check_int32(args, 3)?,
    };
    if first > last {
        return Ok(Flow::Return(0));
    }
    let count = i64::from(last) - i64::from(first) + 1;
    if count + args.len as i64 > UNPACK_MAX {
        return Err(state.lib_error("too many results to unpack"));
    }
    for index in first..=last {
        let value = state.raw_get(id, &Value::Num(index.into()));
        state.push(value);
    }
    state.spend(count as usize);
    Ok(Flow::Return(count as usize))
}

/// Returns the chunk name that messages show for the name given to `loadstring`; `luaO_chunkid`.
fn chunk_id(name: &[u8], size: usize) -> String {
    let name = name.split(|&c| c == 0).next().unwrap_or(name);
    let shown = match name {
        [b'=', rest @ ..] => rest[..rest.len().min(size - 1)].to_vec(),
        [b'@', rest @ ..] => {
            let room = size - 8;
            match rest.len().checked_sub(room) {
                Some(cut) if cut > 0 => [b"...", &rest[cut..]].concat(),
                _ => rest.to_vec(),
            }
        }
        text => {
            let line = text.iter().position(|c| matches!(c, b'\n' | b'\r')).unwrap_or(text.len());
            let len = line.min(size - 17);
            let dots: &[u8] = if len < text.len() { b"..." } else { b"" };
            [b"[string \"", &text[..len], dots, b"\"]"].concat()
        }
    };
    String::from_utf8_lossy(&shown).into_owned()
}

/// Compiles and pushes a function, or nil and the error.
fn push_compiled(state: &mut State, text: &[u8], name: &[u8]) -> usize {
    state.spend(text.len());
    state.reads(name.len());
    // LUA_IDSIZE as Redis has it, and as Debian's Lua does.
    let size = if state.prelude.profile.kind == ProfileKind::Script { 60 } else { 80 };
    let origin = String::from_utf8_lossy(name);
    match crate::compile_from(text, &chunk_id(name, size), &origin) {
        Ok(chunk) => {
            let body = Body::Lua { proto: chunk.proto.clone(), upvals: Box::new([]) };
            state.allocated += text.len() * 8;
            let function = state.new_function(Function { body, env: GLOBALS, identity: 0 });
            state.push(function);
            1
        }
        Err(error) => {
            state.push(Value::Nil);
            state.push(Value::str(&error.bytes()));
            2
        }
    }
}

fn loadstring(state: &mut State, args: Args) -> Result<Flow> {
    let text = state.check_str(args, 1)?;
    let name = match state.arg(args, 2).is_nil() {
        true => text.clone(),
        false => state.check_str(args, 2)?,
    };
    Ok(Flow::Return(push_compiled(state, text.as_bytes(), name.as_bytes())))
}

fn load(state: &mut State, args: Args) -> Result<Flow> {
    state.check_function(args, 1)?;
    let name = state.opt_str(args, 2, "=(load)")?;
    let first = args.func + 1;
    state.ensure(first + 3);
    // The name waits above the reader.
    state.stack[first + 1] = Value::Str(name);
    state.top = first + 2;
    state.push_frame(args, FrameKind::Load(Box::default()))?;
    load_next(state, first)?;
    Ok(Flow::Frame)
}

fn load_next(state: &mut State, first: usize) -> Result<Called> {
    let at = first + 2;
    state.ensure(at + 1);
    state.stack[at] = state.stack[first].clone();
    state.call(at, 0, 1, false)
}

/// Continues `load` with a piece from its reader.
pub(crate) fn load_resume(state: &mut State) -> Result<Called> {
    let Some(frame) = state.frames.last_mut() else { return Ok(Called::Done) };
    let FrameKind::Load(text) = &mut frame.kind else { return Ok(Called::Done) };
    let first = frame.func as usize + 1;
    let piece = std::mem::take(&mut state.stack[first + 2]);
    let more = match &piece {
        Value::Str(s) => {
            text.extend_from_slice(s.as_bytes());
            s.len() > 0 && text.len() <= state.limits.string as usize
        }
        Value::Num(n) => {
            number::write(*n, text);
            true
        }
        Value::Nil => false,
        _ => {
            // The parser reports what the reader raises.
            let mut message = state.position(2);
            message.extend_from_slice(b"reader function must return a string");
            state.top = first;
            state.push(Value::Nil);
            state.push(Value::str(&message));
            state.return_from_frame(first, 2)?;
            return Ok(Called::Done);
        }
    };
    if more {
        return load_next(state, first);
    }
    let text = std::mem::take(&mut **text);
    let name = std::mem::take(&mut state.stack[first + 1]);
    state.top = first;
    let name = match &name {
        Value::Str(s) => s.as_bytes(),
        _ => b"=(load)",
    };
    let count = push_compiled(state, &text, name);
    state.return_from_frame(first, count)?;
    Ok(Called::Done)
}
