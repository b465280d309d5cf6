//! FUNCTION and FCALL.
//!
//! DIFFERENCE: FUNCTION DUMP and RESTORE use a form of their own, not RDB.

use std::rc::Rc;

use crate::args::{int, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::functions::{compile, flag_names, parse_head};
use crate::glob::glob_match;
use crate::scripting::{Library, Origin, Running, new_vm};
use ground::resp::{Bytes, Value};

use super::scripting::{lua_list, start};

fn load(cx: &mut Ctx<'_>, code: &Bytes, replace: bool) -> Result<Bytes, Fail> {
    let (name, body) = parse_head(code).map_err(Fail::from)?;
    if !replace && cx.inst.scripts.libraries.contains_key(&name) {
        let name = String::from_utf8_lossy(&name).into_owned();
        return Err(format!("ERR Library '{name}' already exists").into());
    }
    let chunk = compile(body)?;
    let vm = new_vm(cx.version(), &chunk, true);
    let mut running = Running::new(cx, vm, Origin::Load, &[]);
    let budget = cx.inst.settings.script_budget;
    match cx.inst.run_script(&mut running, budget) {
        None => return Err("ERR FUNCTION LOAD timeout".into()),
        Some(Value::Error(text)) => {
            let text = [b"ERR Error registering functions: ", &text[..]].concat();
            return Err(Fail(text.into()));
        }
        Some(_) => {}
    }
    if running.registered.is_empty() {
        return Err("ERR No functions registered".into());
    }
    let others = cx.inst.scripts.libraries.iter().filter(|(other, _)| **other != name);
    for (_, library) in others {
        if let Some(taken) = running.registered.keys().find(|f| library.functions.contains_key(*f))
        {
            let taken = String::from_utf8_lossy(taken).into_owned();
            return Err(format!("ERR Function {taken} already exists").into());
        }
    }
    let library = Library { code: code.clone(), functions: running.registered, vm: running.vm };
    let libraries = &mut Rc::make_mut(&mut cx.inst.scripts).libraries;
    libraries.insert(name.clone(), Rc::new(library));
    Ok(name)
}

pub fn function_load(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (options, code) = argv[2..].split_at(argv.len() - 3);
    let mut replace = false;
    for option in options {
        if !is(option, "REPLACE") {
            let option = String::from_utf8_lossy(option).into_owned();
            return Err(format!("ERR Unknown option given: {option}").into());
        }
        replace = true;
    }
    load(cx, &code[0], replace).map(Value::Bulk)
}

pub fn function_delete(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    match Rc::make_mut(&mut cx.inst.scripts).libraries.remove(&argv[2]) {
        Some(_) => Ok(Value::ok()),
        None => Err("ERR Library not found".into()),
    }
}

pub fn function_flush(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let fits = match &argv[2..] {
        [] => true,
        [mode] => is(mode, "SYNC") || is(mode, "ASYNC"),
        _ => false,
    };
    if !fits {
        return Err("ERR FUNCTION FLUSH only supports SYNC|ASYNC option".into());
    }
    Rc::make_mut(&mut cx.inst.scripts).libraries.clear();
    Ok(Value::ok())
}

pub fn function_list(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (mut with_code, mut pattern) = (false, None);
    let mut rest = argv[2..].iter();
    while let Some(arg) = rest.next() {
        if is(arg, "WITHCODE") && !with_code {
            with_code = true;
        } else if is(arg, "LIBRARYNAME") && pattern.is_none() {
            match rest.next() {
                Some(text) => pattern = Some(text),
                None => return Err("ERR library name argument was not given".into()),
            }
        } else {
            let arg = String::from_utf8_lossy(arg).into_owned();
            return Err(format!("ERR Unknown argument {arg}").into());
        }
    }
    let pair = |key: &str, value: Value| (Value::bulk(key), value);
    let mut out = Vec::new();
    for (name, library) in &cx.inst.scripts.libraries {
        if pattern.is_some_and(|pattern| !glob_match(pattern, name, true)) {
            continue;
        }
        let mut functions = Vec::new();
        for (name, function) in &library.functions {
            let description = function.description.clone().map_or(Value::NilBulk, Value::Bulk);
            let flags = flag_names(function.flags).into_iter().map(Value::status).collect();
            functions.push(cx.map(vec![
                pair("name", Value::Bulk(name.clone())),
                pair("description", description),
                pair("flags", cx.set(flags)),
            ]));
        }
        let mut pairs = vec![
            pair("library_name", Value::Bulk(name.clone())),
            pair("engine", Value::bulk("LUA")),
            pair("functions", Value::Array(functions)),
        ];
        if with_code {
            pairs.push(pair("library_code", Value::Bulk(library.code.clone())));
        }
        out.push(cx.map(pairs));
    }
    Ok(Value::Array(out))
}

pub fn function_stats(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let pair = |key: &str, value: Value| (Value::bulk(key), value);
    let running = match &cx.inst.script {
        None => Value::NilBulk,
        Some(running) => {
            let name = match &running.origin {
                Origin::Function { name, .. } => name.clone(),
                Origin::Eval { sha } => sha.clone(),
                Origin::Load => Bytes::from(b"".as_slice()),
            };
            let command = running.argv.iter().map(|arg| Value::Bulk(arg.clone())).collect();
            let age = cx.now().saturating_sub(running.started_ms);
            cx.map(vec![
                pair("name", Value::Bulk(name)),
                pair("command", Value::Array(command)),
                pair("duration_ms", Value::Int(age as i64)),
            ])
        }
    };
    let libraries = &cx.inst.scripts.libraries;
    let functions: usize = libraries.values().map(|library| library.functions.len()).sum();
    let lua = cx.map(vec![
        pair("libraries_count", Value::int(libraries.len())),
        pair("functions_count", Value::int(functions)),
    ]);
    let engines = cx.map(vec![pair("LUA", lua)]);
    Ok(cx.map(vec![pair("running_script", running), pair("engines", engines)]))
}

fn call(cx: &mut Ctx<'_>, argv: &[Bytes], read_only: bool) -> Reply {
    let name = &argv[1];
    let mut libraries = cx.inst.scripts.libraries.iter();
    let found = libraries.find(|(_, library)| library.functions.contains_key(name));
    let Some((library_name, library)) = found.map(|(n, l)| (n.clone(), l.clone())) else {
        return Err("ERR Function not found".into());
    };
    let n = int(&argv[2]).map_err(|_| Fail::from("ERR Bad number of keys provided"))?;
    if n > argv.len() as i64 - 3 {
        return Err("ERR Number of keys can't be greater than number of args".into());
    }
    let Ok(n) = usize::try_from(n) else {
        return Err("ERR Number of keys can't be negative".into());
    };
    let (keys, args) = argv[3..].split_at(n);
    let flags = library.functions.get(name).map(|f| f.flags).unwrap_or_default();
    if read_only && !flags.no_writes {
        return Err("ERR Can not execute a script with write flag using *_ro command.".into());
    }
    let mut vm = library.vm.clone();
    vm.answer(Ok(vec![lua::Data::Str(name.clone()), lua_list(keys), lua_list(args)]));
    let origin = Origin::Function { library: library_name, name: name.clone() };
    let mut running = Running::new(cx, vm, origin, argv);
    running.read_only = flags.no_writes;
    running.allow_oom = flags.allow_oom;
    start(cx, running)
}

pub fn fcall(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    call(cx, argv, false)
}

pub fn fcall_ro(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    call(cx, argv, true)
}

/// FUNCTION DUMP: the code of each library, preceded by its length.
pub fn function_dump(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let mut out = b"ILF1".to_vec();
    for library in cx.inst.scripts.libraries.values() {
        out.extend((library.code.len() as u32).to_le_bytes());
        out.extend_from_slice(&library.code);
    }
    Ok(Value::bulk(out))
}

pub fn function_restore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let policy = argv.get(3);
    let (flush, replace) = match policy {
        None => (false, false),
        Some(word) if is(word, "APPEND") => (false, false),
        Some(word) if is(word, "REPLACE") => (false, true),
        Some(word) if is(word, "FLUSH") => (true, false),
        Some(_) => {
            return Err("ERR Wrong restore policy given, value should be either FLUSH, APPEND or \
                        REPLACE."
                .into());
        }
    };
    let bad = || Fail::from("ERR DUMP payload version or checksum are wrong");
    let mut rest = argv[2].strip_prefix(b"ILF1").ok_or_else(bad)?;
    let before = cx.inst.scripts.clone();
    if flush {
        Rc::make_mut(&mut cx.inst.scripts).libraries.clear();
    }
    while !rest.is_empty() {
        let Some((len, tail)) = rest.split_at_checked(4) else { return Err(bad()) };
        let len = u32::from_le_bytes(len.try_into().unwrap_or_default()) as usize;
        let Some((code, tail)) = tail.split_at_checked(len) else { return Err(bad()) };
        if let Err(fail) = load(cx, &code.into(), replace) {
            cx.inst.scripts = before;
            return Err(fail);
        }
        rest = tail;
    }
    if argv.len() > 4 { syntax() } else { Ok(Value::ok()) }
}
