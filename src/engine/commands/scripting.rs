//! EVAL and its relatives, and SCRIPT.

use std::rc::Rc;

use crate::args::int;
use crate::blocking::BlockedOn;
use crate::context::{BlockRequest, Ctx, Fail, Reply};
use crate::functions::set_flag;
use crate::scripting::{Origin, Running, Script, ScriptFlags, new_vm};
use ground::resp::{Bytes, Value};
use lua::{self, Data, memo};

/// `numkeys key... arg...` as keys and arguments.
pub fn keys_and_args(args: &[Bytes]) -> Result<(&[Bytes], &[Bytes]), Fail> {
    let n = int(&args[0])?;
    if n > args.len() as i64 - 1 {
        return Err("ERR Number of keys can't be greater than number of args".into());
    }
    match usize::try_from(n) {
        Ok(n) => Ok(args[1..].split_at(n)),
        Err(_) => Err("ERR Number of keys can't be negative".into()),
    }
}

pub fn lua_list(items: &[Bytes]) -> Data {
    Data::list(items.iter().map(|item| Data::Str(item.clone())))
}

/// Parses a first line `#!lua flags=...`: returns its flags, and the code with that line empty.
fn shebang(code: &[u8]) -> Result<(ScriptFlags, Bytes), Fail> {
    let mut flags = ScriptFlags::default();
    if !code.starts_with(b"#!") {
        return Ok((flags, code.into()));
    }
    let Some(end) = code.iter().position(|&b| b == b'\n') else {
        return Err("ERR Invalid script shebang".into());
    };
    let head = String::from_utf8_lossy(&code[..end]).into_owned();
    let mut words = head.split(' ').filter(|word| !word.is_empty());
    let engine = words.next().unwrap_or_default();
    if engine != "#!lua" {
        return Err(format!("ERR Unexpected engine in script shebang: {engine}").into());
    }
    for word in words {
        let Some(names) = word.strip_prefix("flags=") else {
            return Err(format!("ERR Unknown lua shebang option: {word}").into());
        };
        for name in names.split(',').filter(|name| !name.is_empty()) {
            if set_flag(&mut flags, name.as_bytes()).is_none() {
                return Err(format!("ERR Unexpected flag in script shebang: {name}").into());
            }
        }
    }
    Ok((flags, code[end..].into()))
}

/// Returns the script from the cache; adds it if it is not there.
fn cached(cx: &mut Ctx<'_>, code: &[u8]) -> Result<(Bytes, Rc<Script>), Fail> {
    let sha: Bytes = lua::sha1::hex(code).as_bytes().into();
    if let Some(script) = cx.inst.scripts.cache.get(&sha) {
        return Ok((sha, script.clone()));
    }
    let (flags, body) = shebang(code)?;
    let chunk = lua::compile(&body, "user_script").map_err(|error| {
        let why = [b"ERR Error compiling script (new function): ", &*error.bytes()].concat();
        Fail(why.into())
    })?;
    let script = Rc::new(Script { chunk, flags });
    Rc::make_mut(&mut cx.inst.scripts).cache.insert(sha.clone(), script.clone());
    Ok((sha, script))
}

/// Returns the flags that a script declares in its first line; `None` if that line is malformed.
pub fn flags_of(code: &[u8]) -> Option<ScriptFlags> {
    shebang(code).ok().map(|(flags, _)| flags)
}

fn run(cx: &mut Ctx<'_>, argv: &[Bytes], sha: Bytes, script: &Script, read_only: bool) -> Reply {
    let (keys, args) = keys_and_args(&argv[2..])?;
    let (version, random) = (cx.version(), cx.inst.scripts.random);
    let vm = memo::root(&script.chunk, &argv[2..], [random, version as u64], || {
        let mut vm = new_vm(version, &script.chunk, false);
        vm.set_global("KEYS", &lua_list(keys));
        vm.set_global("ARGV", &lua_list(args));
        vm.set_random(random);
        vm
    });
    let mut running = Running::new(cx, vm, Origin::Eval { sha }, argv);
    running.read_only = read_only || script.flags.no_writes;
    running.allow_oom = script.flags.allow_oom;
    start(cx, running)
}

/// Runs a script up to the budget; beyond it, the instance is busy.
pub fn start(cx: &mut Ctx<'_>, mut running: Running) -> Reply {
    let budget = cx.inst.settings.script_budget;
    if let Some(reply) = cx.inst.run_script(&mut running, budget) {
        cx.inst.keep_library(&running);
        return Ok(reply);
    }
    if cx.deny_blocking {
        // DIFFERENCE: a transaction cannot be left half done, so a script that does not end
        // inside EXEC is ended with this error.
        return Err("ERR Script killed: inside MULTI a script must end within its budget".into());
    }
    cx.inst.script = Some(Rc::new(running));
    cx.block = Some(BlockRequest {
        on: BlockedOn::Script,
        keys: Vec::new(),
        timeout_at_ms: None,
        argv: None,
    });
    Ok(Value::Null)
}

pub fn eval(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    keys_and_args(&argv[2..])?;
    let (sha, script) = cached(cx, &argv[1])?;
    let read_only = cx.command.name == "eval_ro";
    run(cx, argv, sha, &script, read_only)
}

pub fn eval_ro(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    eval(cx, argv)
}

pub fn evalsha(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    keys_and_args(&argv[2..])?;
    let sha: Bytes = argv[1].to_ascii_lowercase().into();
    cx.inst.note(|access| access.digests = true);
    let Some(script) = cx.inst.scripts.cache.get(&sha).cloned() else {
        return Err("NOSCRIPT No matching script. Please use EVAL.".into());
    };
    let read_only = cx.command.name == "evalsha_ro";
    run(cx, argv, sha, &script, read_only)
}

pub fn evalsha_ro(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    evalsha(cx, argv)
}

pub fn script_load(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (sha, _) = cached(cx, &argv[2])?;
    Ok(Value::Bulk(sha))
}

pub fn script_exists(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    cx.inst.note(|access| access.digests = true);
    let known = |sha: &Bytes| {
        let sha: Bytes = sha.to_ascii_lowercase().into();
        Value::Int(cx.inst.scripts.cache.contains_key(&sha).into())
    };
    Ok(Value::Array(argv[2..].iter().map(known).collect()))
}

pub fn script_flush(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    use crate::args::is;
    let fits = match &argv[2..] {
        [] => true,
        [mode] => is(mode, "SYNC") || is(mode, "ASYNC"),
        _ => false,
    };
    if !fits {
        return Err("ERR SCRIPT FLUSH only support SYNC|ASYNC option".into());
    }
    Rc::make_mut(&mut cx.inst.scripts).cache.clear();
    Ok(Value::ok())
}

fn kill(cx: &mut Ctx<'_>, function: bool) -> Reply {
    let Some(running) = cx.inst.script.as_ref() else {
        return Err("NOTBUSY No scripts in execution right now.".into());
    };
    if matches!(running.origin, Origin::Function { .. }) != function {
        return Err(busy_text(&running.origin).into());
    }
    if running.has_written {
        return Err("UNKILLABLE Sorry the script already executed write commands against the \
                    dataset. You can either wait the script termination or kill the server in a \
                    hard way using the SHUTDOWN NOSAVE command."
            .into());
    }
    cx.inst.kill_script();
    Ok(Value::ok())
}

/// Returns the error that other clients get while a script keeps the instance busy.
pub fn busy_text(origin: &Origin) -> &'static str {
    match origin {
        Origin::Function { .. } => {
            "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN \
             NOSAVE."
        }
        _ => {
            "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."
        }
    }
}

pub fn script_kill(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    kill(cx, false)
}

pub fn function_kill(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    kill(cx, true)
}

/// DIFFERENCE: there is no Lua debugger behind this port; the page shows scripts line by line.
pub fn script_debug(_cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    use crate::args::is;
    match &argv[2] {
        mode if is(mode, "NO") => Ok(Value::ok()),
        mode if is(mode, "YES") || is(mode, "SYNC") => {
            Err("ERR the Lua debugger is not supported by this engine".into())
        }
        _ => Err("ERR Use SCRIPT DEBUG YES/SYNC/NO".into()),
    }
}
