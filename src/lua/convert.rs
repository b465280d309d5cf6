//! Values between Redis and its scripts, both ways.
//!
//! What Redis does: numbers lose their fraction in replies and keep 17 digits as arguments, nil
//! ends an array, true is 1, false and nil are null; a reply of a type that Lua has not becomes a
//! table with one field that names it.

use super::lib::args::to_integer;
use super::{Data, Failure, number};
use crate::resp::{Bytes, Value};

/// The fields that make a table a reply of a special kind, in the order in which Redis looks.
const KINDS: [&str; 7] = ["err", "ok", "double", "map", "set", "big_number", "verbatim_string"];

/// The arguments of `redis.call` as a command's words; the error is the table to raise.
pub fn to_argv(args: &[Data]) -> Result<Vec<Bytes>, Data> {
    if args.is_empty() {
        return Err(error("Please specify at least one argument for this redis lib call"));
    }
    let text = |arg: &Data| match arg {
        Data::Str(text) => Ok(text.clone()),
        Data::Num(n) => Ok(number::general(*n, 17, false).into_bytes().into()),
        _ => Err(error("Lua redis lib command arguments must be strings or integers")),
    };
    args.iter().map(text).collect()
}

/// The table that a failed call raises: `message` without a code gets "ERR".
pub fn error(message: &str) -> Data {
    error_table(format!("ERR {message}").as_bytes())
}

/// The table for a complete error text.
pub fn error_table(text: &[u8]) -> Data {
    field("err", Data::str(text))
}

fn field(name: &str, value: Data) -> Data {
    Data::Table(vec![(Data::str(name), value)])
}

/// A reply as `redis.call` returns it: RESP2, whatever types the engine answers with.
pub fn from_reply(reply: &Value) -> Data {
    match reply {
        Value::Status(text) => field("ok", Data::Str(text.clone())),
        Value::Error(text) => field("err", Data::Str(text.clone())),
        Value::Int(n) => Data::Num(*n as f64),
        Value::Bulk(text) | Value::BigNumber(text) | Value::Verbatim { text, .. } => {
            Data::Str(text.clone())
        }
        Value::NilBulk | Value::NilArray | Value::Null => Data::Bool(false),
        Value::Array(items) | Value::Push(items) | Value::Set(items) => {
            Data::list(items.iter().map(from_reply))
        }
        Value::Map(pairs) => {
            Data::list(pairs.iter().flat_map(|(key, value)| [from_reply(key), from_reply(value)]))
        }
        Value::Double(n) => Data::str(number::general(*n, 17, false)),
        Value::Bool(b) => Data::Num(f64::from(u8::from(*b))),
    }
}

/// The same after `redis.setresp(3)`: types that Lua has not become tables that name them.
pub fn from_reply3(reply: &Value) -> Data {
    match reply {
        Value::Null | Value::NilBulk | Value::NilArray => Data::Nil,
        Value::Array(items) | Value::Push(items) => Data::list(items.iter().map(from_reply3)),
        Value::Map(pairs) => {
            let pairs = pairs.iter().map(|(key, value)| (from_reply3(key), from_reply3(value)));
            field("map", Data::Table(pairs.collect()))
        }
        Value::Set(items) => {
            let items = items.iter().map(|item| (from_reply3(item), Data::Bool(true)));
            field("set", Data::Table(items.collect()))
        }
        Value::Double(n) => field("double", Data::Num(*n)),
        Value::Bool(b) => Data::Bool(*b),
        Value::BigNumber(text) => field("big_number", Data::Str(text.clone())),
        Value::Verbatim { format, text } => {
            let parts = vec![
                (Data::str("format"), Data::str(format)),
                (Data::str("string"), Data::Str(text.clone())),
            ];
            field("verbatim_string", Data::Table(parts))
        }
        other => from_reply(other),
    }
}

/// What a script returned, as a reply; `resp3` is the client's protocol.
pub fn to_reply(value: &Data, resp3: bool) -> Value {
    match value {
        Data::Nil | Data::Opaque(_) => nil(resp3),
        Data::Bool(b) if resp3 => Value::Bool(*b),
        Data::Bool(true) => Value::Int(1),
        Data::Bool(false) => Value::NilBulk,
        Data::Num(n) => Value::Int(to_integer(*n)),
        Data::Str(text) => Value::Bulk(text.clone()),
        Data::Table(entries) => table_reply(entries, resp3),
    }
}

fn nil(resp3: bool) -> Value {
    if resp3 { Value::Null } else { Value::NilBulk }
}

fn table_reply(entries: &[(Data, Data)], resp3: bool) -> Value {
    let named = entries.iter().filter_map(|(key, value)| match key {
        Data::Str(name) => Some((KINDS.iter().position(|k| k.as_bytes() == &**name)?, value)),
        _ => None,
    });
    let mut kinds: Vec<_> = named.collect();
    kinds.sort_by_key(|(kind, _)| *kind);
    for (kind, value) in kinds {
        let special = match (KINDS[kind], value) {
            ("err", Data::Str(text)) => Some(Value::Error(one_line(text))),
            ("ok", Data::Str(text)) => Some(Value::Status(one_line(text))),
            ("double", Data::Num(n)) => Some(Value::Double(*n)),
            ("map", Data::Table(pairs)) => {
                let pair = |(k, v): &(Data, Data)| (to_reply(k, resp3), to_reply(v, resp3));
                Some(Value::Map(pairs.iter().map(pair).collect()))
            }
            ("set", Data::Table(items)) => {
                Some(Value::Set(items.iter().map(|(item, _)| to_reply(item, resp3)).collect()))
            }
            ("big_number", Data::Str(text)) => Some(Value::BigNumber(one_line(text))),
            ("verbatim_string", Data::Table(_)) => verbatim(value),
            _ => None,
        };
        if let Some(reply) = special {
            return reply;
        }
    }
    let mut items = Vec::new();
    for (key, item) in entries {
        match key {
            Data::Num(n) if *n == (items.len() + 1) as f64 => items.push(to_reply(item, resp3)),
            _ => break,
        }
    }
    // What lies in the hash part comes in any order.
    while let Some(item) = rest(entries, items.len()) {
        items.push(to_reply(item, resp3));
    }
    Value::Array(items)
}

/// The item that follows `len` others.
fn rest(entries: &[(Data, Data)], len: usize) -> Option<&Data> {
    let wanted = (len + 1) as f64;
    let later = entries.get(len..)?;
    later.iter().find(|(key, _)| *key == Data::Num(wanted)).map(|(_, item)| item)
}

fn verbatim(value: &Data) -> Option<Value> {
    match (value.get(&Data::str("format")), value.get(&Data::str("string"))) {
        (Some(Data::Str(format)), Some(Data::Str(text))) => {
            let mut short = [b' '; 3];
            for (place, c) in short.iter_mut().zip(format.iter()) {
                *place = *c;
            }
            Some(Value::Verbatim { format: short, text: text.clone() })
        }
        _ => None,
    }
}

/// Line ends would end the reply early: blanks.
fn one_line(text: &Bytes) -> Bytes {
    if !text.iter().any(|c| matches!(c, b'\r' | b'\n')) {
        return text.clone();
    }
    text.iter().map(|c| if matches!(c, b'\r' | b'\n') { b' ' } else { *c }).collect()
}

/// What a script's uncaught error is answered with: the message, and where it came from.
pub fn failure_reply(failure: &Failure, sha: &str) -> Value {
    let mut text = match failure.value.get(&Data::str("err")) {
        Some(Data::Str(text)) => text.to_vec(),
        _ => [b"ERR ", failure.message.as_slice()].concat(),
    };
    if let (Some(origin), Some(line)) = (&failure.origin, failure.line) {
        text.extend(format!(" script: {sha}, on {origin}:{line}.").into_bytes());
    }
    Value::Error(one_line(&text.into()))
}
