//! The functions that client programs have beside Lua's own ([`Function`]), and the parsing of
//! their arguments.
//!
//! To add one, give it a row in `functions!`, and an answer in `client`.

use crate::engine;
use crate::lua::Data;
use crate::resp::Bytes;
use crate::resp::number::double_shortest;

use super::client::{CallKind, State};

macro_rules! functions {
    ($($name:ident $path:literal),* $(,)?) => {
        /// A function of the host; its number is its position.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Function { $($name),* }

        impl Function {
            pub const ALL: &[Function] = &[$(Function::$name),*];
        }

        /// The functions' names, as [`crate::lua::Profile`] wants them.
        pub const NAMES: &[&str] = &[$($path),*];
    };
}

functions! {
    Call "redis.call",
    Pcall "redis.pcall",
    Sleep "sleep",
    Now "now",
    Uuid "uuid",
    Log "log",
    Connect "connect",
    Synchronized "synchronized()",
    Sql "sql",
    Resource "resource",
    ConnectionCall ":call",
    ConnectionPcall ":pcall",
    Receive ":receive",
    Write ":write",
    Process "process[]",
    Close ":close",
}

/// The result of a call to the host.
#[derive(Debug)]
pub enum HostAnswer {
    Now(Result<Vec<Data>, Data>),
    Wait(State),
}

/// The longest `sleep`, in ms: a day.
const MS_MAX: f64 = 86_400_000.0;

/// Converts the arguments of `redis.call` to a command's words; the error is the one the call
/// raises, in the words of Redis's own scripts.
pub fn to_argv(args: &[Data]) -> Result<Vec<Bytes>, Data> {
    if args.is_empty() {
        let message = b"ERR Please specify at least one argument for this redis lib call";
        return Err(engine::error_table(message));
    }
    // A client library writes 0.05 for 0.05; Redis's own Lua would write 0.050000000000000003.
    let word = |arg: &Data| match arg {
        Data::Num(n) if n.trunc() != *n => Some(double_shortest(*n).as_bytes().into()),
        arg => engine::argument(arg),
    };
    let words: Option<Vec<Bytes>> = args.iter().map(word).collect();
    let message = b"ERR Lua redis lib command arguments must be strings or integers";
    words.ok_or_else(|| engine::error_table(message))
}

/// Parses a number of milliseconds.
pub fn milliseconds(arg: Option<&Data>, usage: &str) -> Result<u64, Data> {
    match arg {
        // The comparison is false for NaN too.
        Some(Data::Num(ms)) if *ms >= 0.0 && *ms <= MS_MAX => Ok(ms.ceil() as u64),
        _ => Err(Data::str(format!("{usage} takes a number of milliseconds from 0 to {MS_MAX}"))),
    }
}

/// Parses a name: a string of 1 to 64 bytes.
pub fn name(arg: Option<&Data>, usage: &str) -> Result<Bytes, Data> {
    match arg {
        Some(Data::Str(name)) if (1..=64).contains(&name.len()) => Ok(name.clone()),
        _ => Err(Data::str(format!("{usage}: the name is a string of 1 to 64 bytes"))),
    }
}

/// Parses the second argument of `connect`: a timeout, or `{ shared =, timeout_ms = }`. Returns the
/// timeout as it was given, and the name under which the connection is shared.
pub fn connect_options(given: Option<&Data>) -> Result<(Option<&Data>, Option<Bytes>), Data> {
    let Some(Data::Table(fields)) = given else { return Ok((given, None)) };
    let [shared, timeout] = ["shared", "timeout_ms"].map(Data::str);
    if fields.iter().any(|(key, _)| *key != shared && *key != timeout) {
        return Err(Data::str("connect(name, { ... }) takes shared and timeout_ms"));
    }
    let find = |key: &Data| given.and_then(|given| given.get(key));
    let shared = match find(&shared) {
        None => None,
        given => Some(name(given, "connect(name, { shared = name })")?),
    };
    Ok((find(&timeout), shared))
}

pub fn object<const N: usize>(fields: [(&str, Data); N]) -> Data {
    Data::Table(fields.map(|(name, value)| (Data::str(name), value)).into())
}

/// Parses the arguments of `resource:write(value, token)`.
pub fn resource_write(args: &[Data]) -> Result<CallKind, Data> {
    let usage = "resource:write(value, token)";
    let this = args.first().and_then(|this| this.get(&Data::str("name")));
    let name = name(this, usage)?;
    let value = args.get(1).and_then(engine::argument);
    let value =
        value.ok_or_else(|| Data::str(format!("{usage}: a string or number is missing")))?;
    let token = match args.get(2) {
        None | Some(Data::Nil) => None,
        // A token that came from Redis may be a string.
        Some(token) => {
            let digits = engine::argument(token);
            let token = digits.and_then(|digits| crate::resp::number::parse_int(&digits));
            Some(token.ok_or_else(|| Data::str(format!("{usage}: a token is an integer or nil")))?)
        }
    };
    Ok(CallKind::Resource { name, value, token })
}
