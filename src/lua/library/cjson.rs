//! Redis's `cjson`: writes JSON as lua-cjson 2.1.0 does. Reading is in
//! [`json_read`](super::json_read).

use std::rc::Rc;

use super::put;
use crate::call::{Args, Flow, Native};
use crate::number;
use crate::state::{State, Thrown};
use crate::table::Table;
use crate::value::{TableId, Value};

pub(crate) const FUNCTIONS: &[(&str, Native)] = &[
    ("decode", super::json_read::decode),
    ("decode_invalid_numbers", |s, a| flag(s, a, |c| &mut c.decode_invalid)),
    ("decode_max_depth", |s, a| integer(s, a, i32::MAX, |c| &mut c.decode_depth)),
    ("encode", encode),
    ("encode_invalid_numbers", encode_invalid_numbers),
    ("encode_keep_buffer", |s, a| flag(s, a, |c| &mut c.keep_buffer)),
    ("encode_max_depth", |s, a| integer(s, a, i32::MAX, |c| &mut c.encode_depth)),
    ("encode_number_precision", |s, a| integer(s, a, 14, |c| &mut c.precision)),
    ("encode_sparse_array", encode_sparse_array),
    ("new", new),
];

/// The deepest nesting of tables, whatever the setting says.
pub(super) const DEPTH_MAX: i32 = 1000;

/// The library's settings, which are kept between calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Config {
    sparse_convert: bool,
    sparse_ratio: i32,
    sparse_safe: i32,
    encode_depth: i32,
    pub decode_depth: i32,
    precision: i32,
    encode_invalid: Invalid,
    pub decode_invalid: bool,
    keep_buffer: bool,
}

/// The treatment of numbers that JSON lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Invalid {
    Refused,
    Written,
    Null,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            sparse_convert: false,
            sparse_ratio: 2,
            sparse_safe: 10,
            encode_depth: DEPTH_MAX,
            decode_depth: DEPTH_MAX,
            precision: 14,
            encode_invalid: Invalid::Refused,
            decode_invalid: true,
            keep_buffer: true,
        }
    }
}

type Result<T> = std::result::Result<T, Thrown>;

pub(super) fn constants(table: &mut Table) {
    put(table, "_NAME", Value::str(b"cjson"));
    put(table, "_VERSION", Value::str(b"2.1.0"));
    put(table, "null", Value::Null);
}

fn too_many(state: &State, args: Args, most: usize) -> Result<()> {
    match args.len <= most {
        true => Ok(()),
        false => Err(state.arg_error(most + 1, "found too many arguments")),
    }
}

fn in_range(state: &mut State, args: Args, n: usize, low: i32, high: i32) -> Result<i32> {
    let value = state.check_int(args, n)?;
    if (i64::from(low)..=i64::from(high)).contains(&value) {
        return Ok(value as i32);
    }
    Err(state.arg_error(1, &format!("expected integer between {low} and {high}")))
}

/// Returns the settings for changing; the program gets a copy of its own.
fn config(state: &mut State) -> &mut Config {
    Rc::make_mut(&mut state.json)
}

fn integer(
    state: &mut State,
    args: Args,
    high: i32,
    setting: impl Fn(&mut Config) -> &mut i32,
) -> Result<Flow> {
    too_many(state, args, 1)?;
    if !state.arg(args, 1).is_nil() {
        let value = in_range(state, args, 1, 1, high)?;
        *setting(config(state)) = value;
    }
    let value = *setting(config(state));
    state.push(Value::Num(value.into()));
    Ok(Flow::Return(1))
}

/// Parses an argument that is a boolean, or one of these names.
fn option(state: &State, args: Args, n: usize, names: &[&str]) -> Result<Option<usize>> {
    Ok(match state.arg(args, n) {
        Value::Nil => None,
        Value::Bool(b) => Some((*b).into()),
        _ => {
            let text = state.check_str(args, n)?;
            let found = names.iter().position(|name| name.as_bytes() == text.as_bytes());
            if found.is_none() {
                let message = format!("invalid option '{}'", text.lossy());
                return Err(state.arg_error(n, &message));
            }
            found
        }
    })
}

fn flag(state: &mut State, args: Args, setting: impl Fn(&mut Config) -> &mut bool) -> Result<Flow> {
    too_many(state, args, 1)?;
    if let Some(choice) = option(state, args, 1, &["off", "on"])? {
        *setting(config(state)) = choice == 1;
    }
    let value = *setting(config(state));
    state.push(Value::Bool(value));
    Ok(Flow::Return(1))
}

fn encode_invalid_numbers(state: &mut State, args: Args) -> Result<Flow> {
    too_many(state, args, 1)?;
    match option(state, args, 1, &["off", "on", "null"])? {
        Some(0) => config(state).encode_invalid = Invalid::Refused,
        Some(1) => config(state).encode_invalid = Invalid::Written,
        Some(_) => config(state).encode_invalid = Invalid::Null,
        None => {}
    }
    let value = match state.json.encode_invalid {
        Invalid::Refused => Value::Bool(false),
        Invalid::Written => Value::Bool(true),
        Invalid::Null => Value::str(b"null"),
    };
    state.push(value);
    Ok(Flow::Return(1))
}

fn encode_sparse_array(state: &mut State, args: Args) -> Result<Flow> {
    too_many(state, args, 3)?;
    if let Some(choice) = option(state, args, 1, &["off", "on"])? {
        config(state).sparse_convert = choice == 1;
    }
    if !state.arg(args, 2).is_nil() {
        let value = in_range(state, args, 2, 0, i32::MAX)?;
        config(state).sparse_ratio = value;
    }
    if !state.arg(args, 3).is_nil() {
        let value = in_range(state, args, 3, 0, i32::MAX)?;
        config(state).sparse_safe = value;
    }
    let config = *state.json;
    state.push(Value::Bool(config.sparse_convert));
    state.push(Value::Num(config.sparse_ratio.into()));
    state.push(Value::Num(config.sparse_safe.into()));
    Ok(Flow::Return(3))
}

fn new(state: &mut State, _: Args) -> Result<Flow> {
    // DIFFERENCE: returns the same library, so its settings are shared instead of separate.
    let own = state.raw_get(crate::state::GLOBALS, &Value::str(b"cjson"));
    state.push(own);
    Ok(Flow::Return(1))
}

fn encode(state: &mut State, args: Args) -> Result<Flow> {
    if args.len != 1 {
        return Err(state.arg_error(1, "expected 1 argument"));
    }
    let value = state.arg(args, 1).clone();
    let mut out = Vec::new();
    write(state, &value, 0, &mut out)?;
    state.push_bytes(&out)?;
    Ok(Flow::Return(1))
}

fn refuse(state: &State, value: &Value, reason: &str) -> Thrown {
    state.lib_error(&format!("Cannot serialise {}: {reason}", value.type_name()))
}

fn write(state: &mut State, value: &Value, depth: i32, out: &mut Vec<u8>) -> Result<()> {
    state.spend(1);
    state.check_size(out.len())?;
    match value {
        Value::Str(text) => write_string(text.as_bytes(), out),
        Value::Num(n) => write_number(state, *n, out)?,
        Value::Bool(b) => out.extend_from_slice(if *b { b"true" } else { b"false" }),
        Value::Nil | Value::Null => out.extend_from_slice(b"null"),
        Value::Table(id) => {
            let depth = depth + 1;
            if depth > state.json.encode_depth.min(DEPTH_MAX) {
                let text = format!("Cannot serialise, excessive nesting ({depth})");
                return Err(state.lib_error(&text));
            }
            state.reads(state.table(*id).places());
            match array_len(state, *id)? {
                Some(len) if len > 0 => write_array(state, *id, len, depth, out)?,
                _ => write_object(state, *id, depth, out)?,
            }
        }
        other => return Err(refuse(state, other, "type not supported")),
    }
    Ok(())
}

fn write_string(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &c in text {
        match c {
            b'"' | b'\\' | b'/' => out.extend([b'\\', c]),
            8 => out.extend(b"\\b"),
            9 => out.extend(b"\\t"),
            10 => out.extend(b"\\n"),
            12 => out.extend(b"\\f"),
            13 => out.extend(b"\\r"),
            0..=31 | 127 => out.extend(format!("\\u{c:04x}").into_bytes()),
            c => out.push(c),
        }
    }
    out.push(b'"');
}

fn write_number(state: &State, n: f64, out: &mut Vec<u8>) -> Result<()> {
    if n.is_finite() {
        out.extend(number::general(n, state.json.precision as usize, false).into_bytes());
        return Ok(());
    }
    match state.json.encode_invalid {
        Invalid::Refused => {
            return Err(refuse(state, &Value::Num(n), "must not be NaN or Inf"));
        }
        Invalid::Null => out.extend(b"null"),
        Invalid::Written if n.is_nan() => out.extend(b"nan"),
        Invalid::Written => out.extend(number::special(n).unwrap_or("inf").bytes()),
    }
    Ok(())
}

/// Returns the length of a table that is an array; `None` if it has other keys.
fn array_len(state: &State, id: TableId) -> Result<Option<usize>> {
    let table = state.table(id);
    // An `int` in C, which a greater key makes the least there is: the table is an object then.
    let (mut most, mut items) = (0.0f64, 0.0f64);
    let array = table.array.iter().enumerate().filter(|(_, value)| !value.is_nil());
    for (at, _) in array {
        most = (at + 1) as f64;
        items += 1.0;
    }
    for node in table.nodes.iter().filter(|node| !node.value.is_nil()) {
        match node.key {
            Value::Num(n) if n >= 1.0 && n == n.floor() => {
                if n > most {
                    most = if n > f64::from(i32::MAX) { f64::from(i32::MIN) } else { n };
                }
                items += 1.0;
            }
            _ => return Ok(None),
        }
    }
    let config = &state.json;
    let ratio = f64::from(config.sparse_ratio);
    if ratio > 0.0 && most > items * ratio && most > f64::from(config.sparse_safe) {
        if config.sparse_convert {
            return Ok(None);
        }
        return Err(refuse(state, &Value::Table(id), "excessively sparse array"));
    }
    Ok(Some(most as usize))
}

fn write_array(
    state: &mut State,
    id: TableId,
    len: usize,
    depth: i32,
    out: &mut Vec<u8>,
) -> Result<()> {
    for index in 1..=len {
        out.push(if index == 1 { b'[' } else { b',' });
        let item = state.raw_get_int(id, index);
        write(state, &item, depth, out)?;
    }
    out.push(b']');
    Ok(())
}

fn write_object(state: &mut State, id: TableId, depth: i32, out: &mut Vec<u8>) -> Result<()> {
    out.push(b'{');
    let mut key = Value::Nil;
    while let Ok(Some((next, value))) = state.next(id, &key) {
        if !key.is_nil() {
            out.push(b',');
        }
        match &next {
            Value::Str(text) => write_string(text.as_bytes(), out),
            Value::Num(n) => {
                out.push(b'"');
                write_number(state, *n, out)?;
                out.push(b'"');
            }
            other => {
                return Err(refuse(state, other, "table key must be a number or string"));
            }
        }
        out.push(b':');
        write(state, &value, depth, out)?;
        key = next;
    }
    out.push(b'}');
    Ok(())
}
