//! COMMAND: answers questions about the command table.
//!
//! DIFFERENCE: COMMAND DOCS leaves out `complexity` and `arguments`.

use crate::args::{is, syntax};
use crate::command::{Begin, Command, Find, Flags, KeySpec};
use crate::context::{Ctx, Reply};
use crate::footprint::{has_all_keys, key_uses_flags};
use crate::glob::glob_match;
use crate::{commands, lookup};
use ground::resp::{Bytes, Value};

fn top_level(cx: &Ctx<'_>) -> Vec<&'static Command> {
    let version = cx.version();
    let rows = commands().iter();
    rows.filter(|c| !c.name.contains('|') && version.has(c.since)).collect()
}

fn pair(key: &str, value: Value) -> (Value, Value) {
    (Value::bulk(key), value)
}

fn spec_value(cx: &Ctx<'_>, spec: &KeySpec) -> Value {
    let number = |key: &str, n: i64| pair(key, Value::Int(n));
    let (begin, begin_spec) = match spec.begin {
        Begin::Index(index) => ("index", vec![number("index", index as i64)]),
        Begin::Keyword(word, from) => {
            ("keyword", vec![pair("keyword", Value::bulk(word)), number("startfrom", from)])
        }
        Begin::Unknown => ("unknown", vec![]),
    };
    let (find, find_spec) = match (spec.begin, spec.find) {
        (Begin::Unknown, _) | (_, Find::Unknown) => ("unknown", vec![]),
        (_, Find::Range { last, step, limit }) => (
            "range",
            vec![
                number("lastkey", last),
                number("keystep", step as i64),
                number("limit", limit as i64),
            ],
        ),
        (_, Find::KeyNum { count, first, step }) => (
            "keynum",
            vec![
                number("keynumidx", count as i64),
                number("firstkey", first as i64),
                number("keystep", step as i64),
            ],
        ),
    };
    let flags = spec.flags.iter().map(|flag| Value::status(flag)).collect();
    let part = |kind: &str, spec: Vec<(Value, Value)>| {
        cx.map(vec![pair("type", Value::bulk(kind)), pair("spec", cx.map(spec))])
    };
    cx.map(vec![
        pair("flags", cx.set(flags)),
        pair("begin_search", part(begin, begin_spec)),
        pair("find_keys", part(find, find_spec)),
    ])
}

fn info(cx: &Ctx<'_>, command: &Command) -> Value {
    let (first, last, step) = command.key_positions();
    let status = |text: &str| Value::status(text);
    let version = cx.version();
    let subs = command.subcommands().filter(|sub| version.has(sub.since));
    Value::Array(vec![
        Value::bulk(command.name),
        Value::Int(command.arity_in(version).into()),
        cx.set(command.flags_in(version).names().map(status).collect()),
        Value::Int(first),
        Value::Int(last),
        Value::Int(step),
        cx.set(command.categories_in(version).iter().map(|c| status(c)).collect()),
        Value::Array(command.tips.iter().map(Value::bulk).collect()),
        Value::Array(command.keys.iter().map(|spec| spec_value(cx, spec)).collect()),
        Value::Array(subs.map(|sub| info(cx, sub)).collect()),
    ])
}

pub fn command(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::Array(top_level(cx).into_iter().map(|c| info(cx, c)).collect()))
}

fn known(cx: &Ctx<'_>, name: &Bytes) -> Option<&'static Command> {
    let version = cx.version();
    lookup(name).filter(|command| version.has(command.since))
}

pub fn command_info(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if argv.len() == 2 {
        return command(cx, argv);
    }
    let one = |name: &Bytes| known(cx, name).map_or(Value::NilBulk, |c| info(cx, c));
    Ok(Value::Array(argv[2..].iter().map(one).collect()))
}

fn docs(cx: &Ctx<'_>, command: &Command) -> (Value, Value) {
    let mut pairs = vec![
        pair("summary", Value::bulk(command.summary())),
        pair("since", Value::bulk(command.since.text(cx.version()))),
        pair("group", Value::bulk(command.group.name())),
    ];
    let version = cx.version();
    let subs: Vec<_> = command.subcommands().filter(|sub| version.has(sub.since)).collect();
    if !subs.is_empty() {
        let subs = subs.into_iter().map(|sub| docs(cx, sub)).collect();
        pairs.push(pair("subcommands", cx.map(subs)));
    }
    (Value::bulk(command.name), cx.map(pairs))
}

pub fn command_docs(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let chosen: Vec<&Command> = match argv.len() {
        2 => top_level(cx),
        _ => argv[2..].iter().filter_map(|name| known(cx, name)).collect(),
    };
    Ok(cx.map(chosen.into_iter().map(|command| docs(cx, command)).collect()))
}

pub fn command_list(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let mut chosen = top_level(cx);
    match &argv[2..] {
        [] => {}
        [filter, kind, value] if is(filter, "FILTERBY") => match () {
            () if is(kind, "MODULE") => chosen.clear(),
            () if is(kind, "ACLCAT") => {
                let category = format!("@{}", String::from_utf8_lossy(value).to_ascii_lowercase());
                chosen.retain(|command| command.categories.contains(&&*category));
            }
            () if is(kind, "PATTERN") => {
                chosen.retain(|command| glob_match(value, command.name.as_bytes(), true));
            }
            () => return syntax(),
        },
        _ => return syntax(),
    }
    Ok(Value::Array(chosen.into_iter().map(|command| Value::bulk(command.name)).collect()))
}

fn keys(cx: &mut Ctx<'_>, argv: &[Bytes], with_flags: bool) -> Reply {
    let call = &argv[2..];
    let Ok(command) = cx.inst.resolve(call) else {
        return Err("ERR Invalid command specified".into());
    };
    if command.keys.iter().all(|spec| spec.flags.contains(&"not_key")) {
        return Err("ERR The command has no key arguments".into());
    }
    if !command.arity_fits_in(cx.version(), call.len()) {
        return Err("ERR Invalid number of arguments specified for command".into());
    }
    // A count of keys beyond the arguments names none.
    let uses = if has_all_keys(command, call) { key_uses_flags(command, call) } else { vec![] };
    if uses.is_empty() && !command.flags.has(Flags::NO_MANDATORY_KEYS) {
        return Err("ERR Invalid arguments specified for command".into());
    }
    let one = |(key, flags): (Bytes, Vec<&'static str>)| {
        if !with_flags {
            return Value::Bulk(key);
        }
        let flags = flags.into_iter().map(Value::status).collect();
        Value::Array(vec![Value::Bulk(key), cx.set(flags)])
    };
    Ok(Value::Array(uses.into_iter().map(one).collect()))
}

pub fn command_getkeys(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    keys(cx, argv, false)
}

pub fn command_getkeysandflags(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    keys(cx, argv, true)
}
