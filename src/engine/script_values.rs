//! Converts replies to Lua values, and Lua values to replies.

use ground::resp::{Bytes, Proto, Value, number};
use lua::Data;

use super::version::Version;

/// How deep a script's result may nest.
const DEPTH_MAX: usize = 100;

/// Converts an argument of `redis.call`, as a version writes numbers.
pub fn argument_in(data: &Data, version: Version) -> Option<Bytes> {
    match data {
        Data::Num(n) if version >= Version::V7_2 => {
            // A zero has no sign here.
            Some(number::double_shortest(*n + 0.0).as_bytes().into())
        }
        data => argument(data),
    }
}

/// Converts an argument of `redis.call`, which must be a string or a number.
pub fn argument(data: &Data) -> Option<Bytes> {
    match data {
        Data::Str(text) => Some(text.clone()),
        Data::Num(n) => Some(number::double_g17(*n).as_bytes().into()),
        _ => None,
    }
}

fn entry(key: &str, value: Data) -> Data {
    Data::Table(vec![(Data::str(key), value)])
}

/// Makes the table that `redis.error_reply` returns and `redis.call` raises.
pub fn error_table(text: &[u8]) -> Data {
    entry("err", Data::str(text))
}

/// Converts a reply to the Lua value that a script gets under the protocol it has chosen.
pub fn reply_to_lua(reply: &Value, proto: Proto) -> Data {
    let inner = |reply: &Value| reply_to_lua(reply, proto);
    match reply {
        Value::NilBulk | Value::NilArray if proto == Proto::Resp3 => Data::Nil,
        Value::Status(text) => entry("ok", Data::Str(text.clone())),
        Value::Error(text) => error_table(text),
        Value::Int(n) => Data::Num(*n as f64),
        Value::Bulk(bytes) => Data::Str(bytes.clone()),
        Value::NilBulk | Value::NilArray => Data::Bool(false),
        Value::Null => Data::Nil,
        Value::Array(items) | Value::Push(items) => Data::list(items.iter().map(inner)),
        Value::Map(pairs) => {
            let pairs = pairs.iter().map(|(k, v)| (inner(k), inner(v)));
            entry("map", Data::Table(pairs.collect()))
        }
        Value::Set(items) => {
            let members = items.iter().map(|item| (inner(item), Data::Bool(true)));
            entry("set", Data::Table(members.collect()))
        }
        Value::Double(d) => entry("double", Data::Num(*d)),
        Value::Bool(b) => Data::Bool(*b),
        Value::BigNumber(digits) => entry("big_number", Data::Str(digits.clone())),
        Value::Verbatim { format, text } => {
            let parts = vec![
                (Data::str("format"), Data::str(format)),
                (Data::str("string"), Data::Str(text.clone())),
            ];
            entry("verbatim_string", Data::Table(parts))
        }
    }
}

/// Converts a script's result to the client's reply. `script` is the protocol that the script has
/// chosen, `client` that of the connection.
pub fn to_reply(data: &Data, script: Proto, client: Proto) -> Value {
    convert(data, script, client, 0)
}

fn convert(data: &Data, script: Proto, client: Proto, depth: usize) -> Value {
    match data {
        Data::Str(bytes) => Value::Bulk(bytes.clone()),
        Data::Num(n) => Value::Int(truncated(*n)),
        Data::Bool(b) if script == Proto::Resp3 && client == Proto::Resp3 => Value::Bool(*b),
        Data::Bool(true) => Value::Int(1),
        Data::Table(_) if depth > DEPTH_MAX => Value::error("ERR reached lua stack limit"),
        Data::Table(entries) => table(data, entries, script, client, depth),
        Data::Nil | Data::Bool(false) | Data::Opaque(_) | Data::Host(_) => Value::NilBulk,
    }
}

/// C's conversion to `long long` on x86, which is what scripts see: out of range is the minimum.
fn truncated(n: f64) -> i64 {
    if n.is_nan() || n >= 9_223_372_036_854_775_808.0 { i64::MIN } else { n as i64 }
}

fn table(
    data: &Data,
    entries: &[(Data, Data)],
    script: Proto,
    client: Proto,
    depth: usize,
) -> Value {
    let field = |name: &str| data.get(&Data::str(name));
    let inner = |data: &Data| convert(data, script, client, depth + 1);
    // Most tables are plain arrays: no need to look for the marked kinds.
    let named = entries.iter().any(|(key, _)| matches!(key, Data::Str(_)));
    if named {
        if let Some(Data::Str(text)) = field("err") {
            let end = text.iter().rposition(|b| !b"\r\n".contains(b)).map_or(0, |at| at + 1);
            return Value::Error(super::dispatch::clean(text[..end].into()));
        }
        if let Some(Data::Str(text)) = field("ok") {
            return Value::Status(super::dispatch::clean(text.clone()));
        }
        if let Some(Data::Num(d)) = field("double") {
            return match client {
                Proto::Resp3 => Value::Double(*d),
                Proto::Resp2 => Value::bulk(number::double_g17(*d)),
            };
        }
        if let Some(Data::Table(pairs)) = field("map") {
            let pairs = pairs.iter().map(|(k, v)| (inner(k), inner(v)));
            return match client {
                Proto::Resp3 => Value::Map(pairs.collect()),
                Proto::Resp2 => Value::Array(pairs.flat_map(|(k, v)| [k, v]).collect()),
            };
        }
        if let Some(Data::Table(members)) = field("set") {
            let members = members.iter().map(|(member, _)| inner(member)).collect();
            return match client {
                Proto::Resp3 => Value::Set(members),
                Proto::Resp2 => Value::Array(members),
            };
        }
        if let Some(Data::Str(digits)) = field("big_number") {
            let digits = super::dispatch::clean(digits.clone());
            return match client {
                Proto::Resp3 => Value::BigNumber(digits),
                Proto::Resp2 => Value::Bulk(digits),
            };
        }
        if let Some(value) = field("verbatim_string").and_then(|parts| verbatim(parts, client)) {
            return value;
        }
    }
    let mut items = Vec::with_capacity(entries.len());
    while let Some(item) = item(data, entries, items.len()) {
        items.push(inner(item));
    }
    Value::Array(items)
}

/// Returns item `at + 1` of an array; items are usually stored in order.
fn item<'d>(data: &'d Data, entries: &'d [(Data, Data)], at: usize) -> Option<&'d Data> {
    let wanted = (at + 1) as f64;
    match entries.get(at) {
        Some((Data::Num(n), value)) if *n == wanted => Some(value),
        _ => data.get(&Data::Num(wanted)),
    }
    .filter(|value| **value != Data::Nil)
}

fn verbatim(parts: &Data, client: Proto) -> Option<Value> {
    let (Some(Data::Str(format)), Some(Data::Str(text))) =
        (parts.get(&Data::str("format")), parts.get(&Data::str("string")))
    else {
        return None;
    };
    let format: [u8; 3] = format[..].try_into().ok()?;
    Some(match client {
        Proto::Resp3 => Value::Verbatim { format, text: text.clone() },
        Proto::Resp2 => Value::Bulk(text.clone()),
    })
}
