//! Between Redis's replies and Lua's values, as Redis's own scripts have it.

use super::Data;
use crate::resp::{Bytes, Value, number};

/// Arguments of `redis.call` as a command's words. Numbers are written with `%.17g`. The error is
/// what the call raises.
pub fn to_argv(args: &[Data]) -> Result<Vec<Bytes>, Data> {
    if args.is_empty() {
        return Err(error("ERR Please specify at least one argument for this redis.call() call"));
    }
    let word = |arg: &Data| match arg {
        Data::Str(text) => Ok(text.clone()),
        Data::Num(n) => Ok(number::double_g17(*n).as_bytes().into()),
        _ => Err(error("ERR Lua redis lib command arguments must be strings or integers")),
    };
    args.iter().map(word).collect()
}

/// A RESP2 reply as scripts see it: nil is `false`, a status `{ok = …}`, an error `{err = …}`.
pub fn from_reply(reply: &Value) -> Data {
    match reply {
        Value::Int(n) => Data::Num(*n as f64),
        Value::Bulk(text) => Data::Str(text.clone()),
        Value::Status(text) => field("ok", text),
        Value::Error(text) => field("err", text),
        Value::Array(items) | Value::Set(items) | Value::Push(items) => {
            let pairs = items.iter().zip(1u32..);
            Data::Table(pairs.map(|(v, n)| (Data::Num(n.into()), from_reply(v))).collect())
        }
        Value::Double(d) => Data::Str(number::double_g17(*d).as_bytes().into()),
        _ => Data::Bool(false),
    }
}

fn error(message: &str) -> Data {
    field("err", &message.as_bytes().into())
}

fn field(name: &str, text: &Bytes) -> Data {
    Data::Table(vec![(Data::Str(name.as_bytes().into()), Data::Str(text.clone()))])
}
