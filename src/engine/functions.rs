//! Libraries of functions: how they are compiled, and how they register functions.
//!
//! A library's program ends in a loop that waits for the next call (`redis.__next`), so that its
//! local variables live on between calls, as in Redis.

use std::rc::Rc;

use super::context::Fail;
use super::script_values::argument;
use super::scripting::{Function, Running, ScriptFlags};
use ground::resp::Bytes;
use lua::{self, Chunk, Data};

/// Returns the name of a library from its first line, and the rest of the code.
pub fn parse_head(code: &[u8]) -> Result<(Bytes, &[u8]), String> {
    let end = code.iter().position(|&b| b == b'\n');
    let Some(end) = end.filter(|_| code.starts_with(b"#!")) else {
        return Err("ERR Missing library metadata".into());
    };
    let head = String::from_utf8_lossy(&code[2..end]).into_owned();
    let mut words = head.split_whitespace();
    let engine = words.next().unwrap_or_default();
    if !engine.eq_ignore_ascii_case("lua") {
        return Err(format!("ERR Engine '{engine}' not found"));
    }
    let mut name = None;
    for word in words {
        match word.strip_prefix("name=") {
            Some(_) if name.is_some() => {
                return Err(
                    "ERR Invalid metadata value, name argument was given multiple times".into()
                );
            }
            Some(value) => name = Some(value.to_string()),
            None => return Err(format!("ERR Invalid metadata value given: {word}")),
        }
    }
    let Some(name) = name else { return Err("ERR Library name was not given".into()) };
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Err("ERR Library names can only contain letters, numbers, or underscores(_) and \
                    must be at least one character long"
            .into());
    }
    Ok((name.as_bytes().into(), &code[end..]))
}

/// Compiles a library. Its first line, which is not Lua, is replaced by code that collects the
/// registered functions; the loop that calls them is appended.
pub fn compile(body: &[u8]) -> Result<Rc<Chunk>, Fail> {
    let head = b"local __f={} local __r=redis.register_function local redis=setmetatable(\
        {register_function=function(a,b) local n,c=a,b if type(a)=='table' then \
        n,c=a.function_name,a.callback end if type(c)~='function' then \
        __r(a,type(c)) else __r(a,'function') end __f[tostring(n)]=c end},{__index=redis}); \
        (function() ";
    let tail =
        b"\nend)() local __v while true do local n,k,a=redis.__next(__v) __v=__f[n](k,a) end";
    let source = [&head[..], body, &tail[..]].concat();
    lua::compile(&source, "user_function")
        .map_err(|why| Fail([b"ERR Error compiling function: ", &*why.bytes()].concat().into()))
}

/// Handles `redis.register_function` of a library that is being loaded. The second argument is the
/// type of the callback, which stays in Lua.
pub fn register(running: &mut Running, args: &[Data]) -> Result<(), String> {
    if running.origin != super::scripting::Origin::Load {
        return Err(
            "ERR redis.register_function can only be called on FUNCTION LOAD command".into()
        );
    }
    let is_function = args.get(1) == Some(&Data::str("function"));
    let mut function = Function::default();
    let name = match args.first() {
        Some(table @ Data::Table(entries)) => {
            read_table(entries, &mut function)?;
            match table.get(&Data::str("function_name")) {
                Some(Data::Str(name)) => name.clone(),
                Some(_) => {
                    return Err(
                        "ERR function_name argument given to redis.register_function must \
                                be a string"
                            .into(),
                    );
                }
                None => {
                    return Err(
                        "ERR redis.register_function must get a function name argument".into()
                    );
                }
            }
        }
        Some(name @ (Data::Str(_) | Data::Num(_))) => {
            argument(name).unwrap_or_else(|| Bytes::from(b"".as_slice()))
        }
        _ => {
            return Err("ERR first argument to redis.register_function must be a string".into());
        }
    };
    if !is_function {
        let by_table = matches!(args.first(), Some(Data::Table(_)));
        return Err(if by_table {
            "ERR redis.register_function must get a callback argument".into()
        } else {
            "ERR second argument to redis.register_function must be a function".into()
        });
    }
    if name.is_empty() || !name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        // Redis's own words, for functions too.
        return Err("ERR Library names can only contain letters, numbers, or underscores(_) and \
                    must be at least one character long"
            .into());
    }
    if running.registered.contains_key(&name) {
        return Err("ERR Function already exists in the library".into());
    }
    running.registered.insert(name, function);
    Ok(())
}

fn read_table(entries: &[(Data, Data)], function: &mut Function) -> Result<(), String> {
    for (key, value) in entries {
        let Data::Str(key) = key else {
            return Err(
                "ERR named argument key given to redis.register_function is not a string".into()
            );
        };
        match (&**key, value) {
            (b"function_name" | b"callback", _) => {}
            (b"description", Data::Str(text)) => function.description = Some(text.clone()),
            (b"description", _) => {
                return Err("ERR description argument given to redis.register_function must be a \
                            string"
                    .into());
            }
            (b"flags", Data::Table(flags)) => {
                for (_, flag) in flags {
                    let Data::Str(flag) = flag else { return Err("ERR unknown flag given".into()) };
                    set_flag(&mut function.flags, flag).ok_or("ERR unknown flag given")?;
                }
            }
            (b"flags", _) => {
                return Err("ERR flags argument to redis.register_function must be a table \
                            representing function flags"
                    .into());
            }
            _ => {
                return Err("ERR unknown argument given to redis.register_function".into());
            }
        }
    }
    Ok(())
}

/// Sets a flag by its name; `None` if there is no such flag.
pub fn set_flag(flags: &mut ScriptFlags, name: &[u8]) -> Option<()> {
    match name {
        b"no-writes" => flags.no_writes = true,
        b"allow-oom" => flags.allow_oom = true,
        b"allow-stale" => flags.allow_stale = true,
        b"no-cluster" => flags.no_cluster = true,
        b"allow-cross-slot-keys" => flags.allow_cross_slot_keys = true,
        _ => return None,
    }
    Some(())
}

pub fn flag_names(flags: ScriptFlags) -> Vec<&'static str> {
    let all = [
        (flags.no_writes, "no-writes"),
        (flags.allow_oom, "allow-oom"),
        (flags.allow_stale, "allow-stale"),
        (flags.no_cluster, "no-cluster"),
        (flags.allow_cross_slot_keys, "allow-cross-slot-keys"),
    ];
    all.into_iter().filter(|(set, _)| *set).map(|(_, name)| name).collect()
}
