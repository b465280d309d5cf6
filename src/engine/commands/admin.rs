//! Administrative commands, as far as a single-user server without disk or replicas has them: ROLE,
//! WAIT, MEMORY, LATENCY, SLOWLOG, ACL, MONITOR, DEBUG.

use crate::args::{int, int_within, is, syntax};
use crate::blocking::BlockedOn;
use crate::context::{BlockRequest, Ctx, Fail, NO_KEY, Reply};
use crate::value::{Data, Obj};
use ground::resp::{Bytes, Value};
use ground::sorted::sort_by;

use super::dump::{deserialize, serialize};
use super::keys::encoding;
use super::refused;

pub fn role(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::Array(vec![Value::bulk("master"), Value::Int(0), Value::Array(vec![])]))
}

/// WAIT. There are no replicas, so a client that asks for one or more waits until its timeout.
pub fn wait(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let replicas = int(&argv[1])?;
    wait_for_replicas(cx, replicas, &argv[2])?;
    Ok(Value::Int(0))
}

fn wait_for_replicas(cx: &mut Ctx<'_>, replicas: i64, timeout: &[u8]) -> Result<(), Fail> {
    let text = "ERR timeout is not an integer or out of range";
    let timeout = crate::args::int_or(timeout, text)?;
    if timeout < 0 {
        return Err("ERR timeout is negative".into());
    }
    if replicas > 0 && !cx.deny_blocking {
        let timeout_at_ms = (timeout > 0).then(|| cx.origin().saturating_add(timeout as u64));
        let keys = Vec::new();
        cx.block = Some(BlockRequest { on: BlockedOn::Time, keys, timeout_at_ms, argv: None });
    }
    Ok(())
}

/// WAITAOF. There is no append-only file either, so it waits for replicas alone.
pub fn waitaof(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let local = int_within(&argv[1], 0, 1, None)?;
    let positive = "ERR value is out of range, must be positive";
    let replicas = int_within(&argv[2], 0, i32::MAX.into(), Some(positive))?;
    let acknowledged = Value::Array(vec![Value::Int(0), Value::Int(0)]);
    wait_for_replicas(cx, replicas, &argv[3])?;
    if local > 0 {
        cx.block = None;
        let text = "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.";
        return Err(text.into());
    }
    Ok(acknowledged)
}

/// REPLICAOF: an instance replicates another by a link of the world, and is told so by the host.
pub fn replicaof(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if is(&argv[1], "NO") && is(&argv[2], "ONE") {
        return Ok(Value::ok());
    }
    int_within(&argv[2], 0, 65535, Some("ERR Invalid master port"))?;
    refused(cx, argv)
}

pub fn lastsave(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::Int((cx.now() / 1000) as i64))
}

pub fn lolwut(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let (product, version) = cx.version().product();
    let name = if product == "valkey" { "Valkey" } else { "Redis" };
    Ok(Value::bulk(format!("{name} ver. {version}\n")))
}

pub fn monitor(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    if !cx.this().is_monitor {
        cx.this_mut().is_monitor = true;
        cx.inst.monitors += 1;
    }
    Ok(Value::ok())
}

pub fn memory_usage(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    match &argv[3..] {
        [] => {}
        [word, n] if is(word, "SAMPLES") => {
            if int(n)? < 0 {
                return syntax();
            }
        }
        _ => return syntax(),
    }
    let key_len = argv[2].len() as i64;
    let data = cx.read(&argv[2]).map(Obj::data);
    let elements = data.map_or(0, Data::elements);
    let bytes = data.map(|data| data.bytes() as i64 + 56 + key_len);
    cx.visits(elements)?;
    Ok(bytes.map_or(Value::NilBulk, Value::Int))
}

pub fn memory_stats(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let used = Value::Int(cx.inst.used_memory() as i64);
    let keys: usize = cx.inst.dbs.iter().map(|db| db.len()).sum();
    let pair = |key: &str, value: Value| (Value::bulk(key), value);
    Ok(cx.map(vec![
        pair("peak.allocated", used.clone()),
        pair("total.allocated", used),
        pair("keys.count", Value::int(keys)),
    ]))
}

pub fn memory_doctor(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::bulk("Sam, I detected no issues in this instance"))
}

pub fn memory_malloc_stats(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::bulk("Stats not supported for the current allocator"))
}

pub fn memory_purge(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::ok())
}

/// Returns an empty array: nothing takes time here, so nothing is slow.
fn nothing(_cx: &mut Ctx<'_>) -> Reply {
    Ok(Value::Array(vec![]))
}

pub fn latency_latest(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    nothing(cx)
}

pub fn latency_history(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    nothing(cx)
}

pub fn latency_histogram(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(cx.map(vec![]))
}

pub fn latency_graph(_cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let event = String::from_utf8_lossy(&argv[2]).into_owned();
    Err(format!("ERR No samples available for event '{event}'").into())
}

pub fn latency_doctor(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::bulk("Latency monitoring is disabled in this engine: nothing takes time."))
}

pub fn latency_reset(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::Int(0))
}

pub fn slowlog_get(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if let Some(n) = argv.get(2) {
        let text = "ERR count should be greater than or equal to -1";
        int_within(n, -1, i64::MAX, Some(text))?;
    }
    if argv.len() > 3 {
        let text =
            "ERR unknown subcommand or wrong number of arguments for 'GET'. Try SLOWLOG HELP.";
        return Err(text.into());
    }
    nothing(cx)
}

pub fn slowlog_len(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::Int(0))
}

pub fn slowlog_reset(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::ok())
}

// ---- ACL: one user, who may do everything ---------------------------------------------------

pub fn acl_whoami(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::bulk("default"))
}

pub fn acl_users(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::Array(vec![Value::bulk("default")]))
}

pub fn acl_list(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Ok(Value::Array(vec![Value::bulk("user default on nopass ~* &* +@all")]))
}

pub fn acl_cat(_cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let rows = crate::commands();
    if let Some(name) = argv.get(2) {
        let category = format!("@{}", String::from_utf8_lossy(name).to_ascii_lowercase());
        let of: Vec<Value> = rows
            .iter()
            .filter(|command| command.categories.contains(&&*category))
            .map(|command| Value::bulk(command.name))
            .collect();
        if of.is_empty() {
            let name = String::from_utf8_lossy(name).into_owned();
            return Err(format!("ERR Unknown category '{name}'").into());
        }
        return Ok(Value::Array(of));
    }
    let mut names: Vec<&str> = rows.iter().flat_map(|c| c.categories.iter().copied()).collect();
    sort_by(&mut names, Ord::cmp);
    names.dedup();
    let names = names.into_iter().filter_map(|name| name.strip_prefix('@'));
    Ok(Value::Array(names.map(Value::bulk).collect()))
}

pub fn acl_getuser(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if &*argv[2] != b"default" {
        return Ok(Value::NilBulk);
    }
    let pair = |key: &str, value: Value| (Value::bulk(key), value);
    let flags = ["on", "nopass"].map(Value::bulk).to_vec();
    Ok(cx.map(vec![
        pair("flags", cx.set(flags)),
        pair("passwords", Value::Array(vec![])),
        pair("commands", Value::bulk("+@all")),
        pair("keys", Value::bulk("~*")),
        pair("channels", Value::bulk("&*")),
        pair("selectors", Value::Array(vec![])),
    ]))
}

pub fn acl_log(_cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let reset = argv.get(2).is_some_and(|word| is(word, "RESET"));
    Ok(if reset { Value::ok() } else { Value::Array(vec![]) })
}

pub fn acl_dryrun(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if &*argv[2] != b"default" {
        let user = String::from_utf8_lossy(&argv[2]).into_owned();
        return Err(format!("ERR User '{user}' not found").into());
    }
    if cx.inst.resolve(&argv[3..]).is_err() {
        let name = String::from_utf8_lossy(&argv[3]).into_owned();
        return Err(format!("ERR Command '{name}' not found").into());
    }
    Ok(Value::ok())
}

pub fn acl_genpass(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let bits = argv.get(2).map_or(Ok(256), |n| int(n))?;
    if !(1..=4096).contains(&bits) {
        return Err(
            "ERR ACL GENPASS argument must be the number of bits for the output password, \
                    a positive number up to 4096"
                .into(),
        );
    }
    let digits = (bits as usize).div_ceil(4);
    let digit = |_| char::from_digit(cx.random(16) as u32, 16).unwrap_or('0');
    Ok(Value::bulk((0..digits).map(digit).collect::<String>()))
}

fn one_user() -> Reply {
    Err("ERR ACL users are not supported by this engine: there is one, 'default'".into())
}

pub fn acl_setuser(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    one_user()
}

pub fn acl_deluser(_cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if argv[2..].iter().any(|user| &**user == b"default") {
        return Err("ERR The 'default' user cannot be removed".into());
    }
    Ok(Value::Int(0))
}

pub fn acl_load(_cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    Err("ERR This Redis instance is not configured to use an ACL file. You may want to specify \
         users via the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a \
         Redis configuration file set) in order to store users in the Redis configuration."
        .into())
}

pub fn acl_save(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    acl_load(cx, argv)
}

// ---- DEBUG ----------------------------------------------------------------------------------

/// DEBUG, with the subcommands that test tools use.
pub fn debug(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    match &argv[1..] {
        [sub, n] if is(sub, "SET-ACTIVE-EXPIRE") => {
            let on = int(n)? != 0;
            std::rc::Rc::make_mut(&mut cx.inst.settings).active_expire = on;
            Ok(Value::ok())
        }
        // Time is the host's to move; a sleeping server would only stop the page.
        [sub, seconds] if is(sub, "SLEEP") => {
            crate::args::float(seconds)?;
            Ok(Value::ok())
        }
        [sub, _] if is(sub, "QUICKLIST-PACKED-THRESHOLD") => Ok(Value::ok()),
        [sub, key] if is(sub, "OBJECT") => object(cx, key),
        [sub, ..] if is(sub, "RELOAD") => reload(cx),
        [sub] if is(sub, "JMAP") || is(sub, "CHANGE-REPL-ID") => Ok(Value::ok()),
        [sub, ..] => {
            let sub = String::from_utf8_lossy(sub).into_owned();
            Err(format!(
                "ERR unknown subcommand or wrong number of arguments for '{sub}'. Try DEBUG HELP."
            )
            .into())
        }
        [] => syntax(),
    }
}

fn object(cx: &mut Ctx<'_>, key: &Bytes) -> Reply {
    let version = cx.version();
    let Some(data) = cx.lookup(key).map(Obj::data) else { return Err(NO_KEY.into()) };
    let text = format!(
        "Value at:0x0 refcount:1 encoding:{} serializedlength:{} lru:0 lru_seconds_idle:0",
        encoding(data, version),
        data.bytes()
    );
    Ok(Value::status(&text))
}

/// DEBUG RELOAD: every value goes through its DUMP form and back.
fn reload(cx: &mut Ctx<'_>) -> Reply {
    let limits = cx.limits().clone();
    for index in 0..cx.inst.dbs.len() {
        let keys = cx.inst.dbs[index].keys().iter();
        let keys: Vec<(Bytes, Data, Option<u64>)> =
            keys.map(|(key, obj)| (key.clone(), obj.data().clone(), obj.expires_at)).collect();
        for (key, data, expires_at) in keys {
            let data = deserialize(&serialize(&data), &limits)
                .ok_or_else(|| Fail::from("ERR Error trying to load the RDB dump"))?;
            cx.inst.dbs[index].insert(&key, Obj::new(data, expires_at));
        }
    }
    Ok(Value::ok())
}
