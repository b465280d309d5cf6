//! Server commands: TIME, FLUSHDB, FLUSHALL, SWAPDB.

use crate::access::Use;
use crate::args::{is, syntax};
use crate::context::{Ctx, Fail, Reply};
use ground::resp::{Bytes, Value};

use super::keys::db_index;

pub fn time(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let part = |n: u64| Value::bulk(n.to_string());
    // DIFFERENCE: the clock counts milliseconds, so the microseconds are whole ones.
    if let Some(access) = &mut cx.inst.access {
        access.micros = true;
    }
    Ok(Value::Array(vec![part(cx.now() / 1000), part(cx.now() % 1000 * 1000)]))
}

/// Checks `[ASYNC|SYNC]`, which makes no difference here.
fn check_flush_mode(args: &[Bytes]) -> Result<(), Fail> {
    match args {
        [] => Ok(()),
        [mode] if is(mode, "ASYNC") || is(mode, "SYNC") => Ok(()),
        _ => syntax(),
    }
}

fn flush(cx: &mut Ctx<'_>, db: usize) {
    let now = cx.now_for_deadlines();
    cx.inst.note_keyspace(Use::Write);
    cx.inst.touch_all(db, None, now);
    cx.inst.dirty += cx.inst.dbs[db].len() as u64;
    cx.inst.dbs[db] = Default::default();
}

pub fn flushdb(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    check_flush_mode(&argv[1..])?;
    cx.inst.invalidate_all();
    flush(cx, cx.db);
    Ok(Value::ok())
}

pub fn flushall(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    check_flush_mode(&argv[1..])?;
    cx.inst.invalidate_all();
    for db in 0..cx.inst.dbs.len() {
        flush(cx, db);
    }
    Ok(Value::ok())
}

pub fn swapdb(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let a = db_index(cx, &argv[1], "ERR invalid first DB index")?;
    let b = db_index(cx, &argv[2], "ERR invalid second DB index")?;
    if a == b {
        return Ok(Value::ok());
    }
    let now = cx.now_for_deadlines();
    cx.inst.note_keyspace(Use::Write);
    cx.inst.touch_all(a, Some(b), now);
    cx.inst.touch_all(b, Some(a), now);
    cx.inst.dbs.swap(a, b);
    cx.inst.signal_all_ready(a);
    cx.inst.signal_all_ready(b);
    cx.inst.dirty += 1;
    Ok(Value::ok())
}

pub fn command_count(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    let version = cx.version();
    let top = crate::commands().iter().filter(|c| !c.name.contains('|'));
    Ok(Value::int(top.filter(|c| version.has(c.since)).count()))
}
