//! The table `redis` of scripts, without the functions of the host.
//!
//! Errors of this library are tables with a field `err`, as in Redis 7.

use super::{args::to_integer, put};
use crate::call::{Args, Flow, Native};
use crate::state::{State, Thrown};
use crate::table::Table;
use crate::value::{Str, Value};

pub(crate) const FUNCTIONS: &[(&str, Native)] = &[
    ("breakpoint", |s, _| give(s, Value::Bool(false))),
    ("debug", |_, _| Ok(Flow::Return(0))),
    ("error_reply", error_reply),
    ("log", log),
    ("replicate_commands", |s, _| give(s, Value::Bool(true))),
    ("set_repl", set_repl),
    ("setresp", setresp),
    ("sha1hex", sha1hex),
    ("status_reply", status_reply),
];

type Result<T> = std::result::Result<T, Thrown>;

pub(super) fn constants(table: &mut Table) {
    for (name, value) in [
        ("LOG_DEBUG", 0),
        ("LOG_VERBOSE", 1),
        ("LOG_NOTICE", 2),
        ("LOG_WARNING", 3),
        ("REPL_NONE", 0),
        ("REPL_AOF", 1),
        ("REPL_SLAVE", 2),
        ("REPL_REPLICA", 2),
        ("REPL_ALL", 3),
        ("REDIS_VERSION_NUM", 0x0007_000f),
    ] {
        put(table, name, Value::Num(value.into()));
    }
    put(table, "REDIS_VERSION", Value::str(b"7.0.15"));
}

fn give(state: &mut State, value: Value) -> Result<Flow> {
    state.push(value);
    Ok(Flow::Return(1))
}

/// Creates a table with one field.
fn field(state: &mut State, name: &str, text: &[u8]) -> Value {
    state.reads(text.len());
    let mut table = Table::default();
    put(&mut table, name, Value::str(text));
    state.new_table(table)
}

/// Returns the error that this library raises: `{err = "ERR …"}`.
fn raise(state: &mut State, message: &str) -> Thrown {
    field(state, "err", format!("ERR {message}").as_bytes())
}

fn one_string(state: &State, args: Args) -> Option<Str> {
    match state.arg(args, 1) {
        Value::Str(text) if args.len == 1 => Some(text.clone()),
        _ => None,
    }
}

fn error_reply(state: &mut State, args: Args) -> Result<Flow> {
    let Some(text) = one_string(state, args) else {
        // Returned, not raised.
        let table = raise(state, "wrong number or type of arguments");
        return give(state, table);
    };
    let bytes = text.as_bytes();
    let bytes = bytes.strip_prefix(b"-").unwrap_or(bytes);
    // One word is a message without a code.
    let table = if bytes.contains(&b' ') {
        field(state, "err", bytes)
    } else {
        field(state, "err", &[b"ERR ", bytes].concat())
    };
    give(state, table)
}

fn status_reply(state: &mut State, args: Args) -> Result<Flow> {
    let table = match one_string(state, args) {
        Some(text) => field(state, "ok", text.as_bytes()),
        None => raise(state, "wrong number or type of arguments"),
    };
    give(state, table)
}

fn log(state: &mut State, args: Args) -> Result<Flow> {
    if args.len < 2 {
        return Err(raise(state, "redis.log() requires two arguments or more."));
    }
    let Some(level) = state.number_arg(args, 1) else {
        return Err(raise(state, "First argument must be a number (log level)."));
    };
    if !(0..=3).contains(&to_integer(level)) {
        return Err(raise(state, "Invalid debug level."));
    }
    Ok(Flow::Return(0))
}

fn set_repl(state: &mut State, args: Args) -> Result<Flow> {
    if args.len != 1 {
        return Err(raise(state, "redis.set_repl() requires two arguments."));
    }
    let flags = to_integer(state.number_arg(args, 1).unwrap_or(0.0));
    if flags & !3 != 0 {
        let message =
            "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.";
        return Err(raise(state, message));
    }
    Ok(Flow::Return(0))
}

fn setresp(state: &mut State, args: Args) -> Result<Flow> {
    if args.len != 1 {
        return Err(raise(state, "redis.setresp() requires one argument."));
    }
    match to_integer(state.number_arg(args, 1).unwrap_or(0.0)) {
        2 | 3 => Ok(Flow::Return(0)),
        _ => Err(raise(state, "RESP version must be 2 or 3.")),
    }
}

fn sha1hex(state: &mut State, args: Args) -> Result<Flow> {
    if args.len != 1 {
        return Err(raise(state, "wrong number of arguments"));
    }
    let text = match state.arg(args, 1) {
        Value::Str(_) | Value::Num(_) => state.check_str(args, 1)?,
        _ => Str::new(b""),
    };
    state.spend(text.len() / 4);
    let hex = crate::sha1::hex(text.as_bytes());
    state.push_bytes(hex.as_bytes())?;
    Ok(Flow::Return(1))
}
