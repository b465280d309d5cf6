//! Commands for keys of any type: deletion, expiry, renaming, copies, OBJECT.

use crate::args::{int, int_within, is, syntax};
use crate::context::{Ctx, Fail, NO_KEY, NOT_INT, Reply};
use crate::glob::Counted;
use crate::notify::Class;
use crate::value::{Data, Obj};
use crate::version::Version;
use ground::resp::{Bytes, Value};

pub fn del(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let mut gone = 0;
    for key in &argv[1..] {
        if cx.delete(key) {
            cx.changed(key, Class::Generic, "del");
            gone += 1;
        }
    }
    Ok(Value::Int(gone))
}

pub fn unlink(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    del(cx, argv)
}

pub fn exists(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::int(argv[1..].iter().filter(|key| cx.read(key).is_some()).count()))
}

pub fn touch(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    exists(cx, argv)
}

pub fn type_of(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::status(cx.kind(&argv[1]).map_or("none", |kind| kind.name())))
}

pub fn keys(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let now = cx.now_for_deadlines();
    let pattern = Counted::new(&argv[1], cx.inst.room.max > 0);
    let live = cx.keyspace().iter().filter(|(_, obj)| obj.expires_at.is_none_or(|at| at > now));
    let matching = live.filter(|(key, _)| pattern.matches(key));
    let found = Value::Array(matching.map(|(key, _)| Value::Bulk(key.clone())).collect());
    let keys = cx.db().keys().len();
    cx.visits(keys + pattern.visits())?;
    Ok(found)
}

pub fn randomkey(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    // Redis tries up to 100 times to find a key that has not expired.
    for _ in 0..100 {
        let len = cx.keyspace().len();
        if len == 0 {
            break;
        }
        let n = cx.random(len);
        let Some((key, _)) = cx.keyspace().nth(n) else { break };
        let key = key.clone();
        if cx.exists(&key) {
            return Ok(Value::Bulk(key));
        }
    }
    Ok(Value::NilBulk)
}

pub fn dbsize(cx: &mut Ctx<'_>, _argv: &[Bytes]) -> Reply {
    cx.counts_keys();
    Ok(Value::int(cx.keyspace().len()))
}

/// Returns true if a key with this deadline is expired at once. (A script sees one time
/// throughout.)
pub fn already_over(cx: &Ctx<'_>, at: u64) -> bool {
    at <= cx.origin()
}

#[derive(Debug, Default, Clone, Copy)]
struct ExpireOptions {
    nx: bool,
    xx: bool,
    gt: bool,
    lt: bool,
}

fn expire_options(args: &[Bytes]) -> Result<ExpireOptions, Fail> {
    let mut options = ExpireOptions::default();
    for arg in args {
        match () {
            () if is(arg, "NX") => options.nx = true,
            () if is(arg, "XX") => options.xx = true,
            () if is(arg, "GT") => options.gt = true,
            () if is(arg, "LT") => options.lt = true,
            () => {
                let arg = String::from_utf8_lossy(arg);
                return Err(format!("ERR Unsupported option {arg}").into());
            }
        }
    }
    let ExpireOptions { nx, xx, gt, lt } = options;
    if nx && (xx || gt || lt) {
        return Err("ERR NX and XX, GT or LT options at the same time are not compatible".into());
    }
    if gt && lt {
        return Err("ERR GT and LT options at the same time are not compatible".into());
    }
    Ok(options)
}

fn expire_by(cx: &mut Ctx<'_>, argv: &[Bytes], unit_ms: i64, absolute: bool) -> Reply {
    let key = &argv[1];
    let options = expire_options(&argv[3..])?;
    let n = int(&argv[2])?;
    let invalid =
        || Fail::from(format!("ERR invalid expire time in '{}' command", cx.command.name));
    let mut at = n.checked_mul(unit_ms).ok_or_else(invalid)?;
    if absolute {
        cx.now();
    } else {
        if options.gt || options.lt {
            let span_ms = at.unsigned_abs();
            cx.inst.note(|access| access.spans.push(span_ms));
        }
        at = at.checked_add(cx.origin() as i64).ok_or_else(invalid)?;
    }
    let Some(old) = cx.lookup(key).map(|obj| obj.expires_at) else { return Ok(Value::Int(0)) };
    let old = old.map(|ms| ms as i64);
    let refused = (options.nx && old.is_some())
        || (options.xx && old.is_none())
        // No deadline counts as one infinitely far.
        || (options.gt && old.is_none_or(|old| at <= old))
        || (options.lt && old.is_some_and(|old| at >= old));
    if refused {
        return Ok(Value::Int(0));
    }
    if at <= cx.origin() as i64 {
        cx.delete(key);
        cx.changed(key, Class::Generic, "del");
    } else {
        cx.db_mut().set_deadline(key, Some(at as u64));
        cx.changed(key, Class::Generic, "expire");
    }
    Ok(Value::Int(1))
}

pub fn expire(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    expire_by(cx, argv, 1000, false)
}

pub fn pexpire(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    expire_by(cx, argv, 1, false)
}

pub fn expireat(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    expire_by(cx, argv, 1000, true)
}

pub fn pexpireat(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    expire_by(cx, argv, 1, true)
}

/// Replies -2 without key, -1 without deadline, else `of` the deadline.
fn deadline_reply(cx: &mut Ctx<'_>, key: &[u8], of: impl FnOnce(u64, &Ctx<'_>) -> u64) -> Reply {
    Ok(Value::Int(match cx.read(key).map(|obj| obj.expires_at) {
        None => -2,
        Some(None) => -1,
        Some(Some(at)) => of(at, cx) as i64,
    }))
}

/// Returns a deadline itself. It tells the time to a program that knows the key's lifetime.
fn itself(at: u64, cx: &Ctx<'_>) -> u64 {
    cx.now();
    at
}

pub fn ttl(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    deadline_reply(cx, &argv[1], |at, cx| (cx.left(at) + 500) / 1000)
}

pub fn pttl(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    deadline_reply(cx, &argv[1], |at, cx| cx.left(at))
}

pub fn expiretime(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    deadline_reply(cx, &argv[1], |at, cx| itself(at, cx).saturating_add(500) / 1000)
}

pub fn pexpiretime(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    deadline_reply(cx, &argv[1], itself)
}

pub fn persist(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    if cx.lookup(key).is_none_or(|obj| obj.expires_at.is_none()) {
        return Ok(Value::Int(0));
    }
    cx.db_mut().set_deadline(key, None);
    cx.changed(key, Class::Generic, "persist");
    Ok(Value::Int(1))
}

/// Moves the value at `from` to `to`; `false` if `to` exists and must not be overwritten.
fn rename_to(cx: &mut Ctx<'_>, from: &Bytes, to: &Bytes, overwrite: bool) -> Result<bool, Fail> {
    if !cx.exists(from) {
        return Err(NO_KEY.into());
    }
    if from == to {
        return Ok(overwrite);
    }
    if cx.exists(to) {
        if !overwrite {
            return Ok(false);
        }
        cx.delete(to);
    }
    if let Some((_, obj)) = cx.db_mut().remove(from) {
        place_obj(cx, to, obj);
    }
    cx.touch(from);
    cx.touch(to);
    cx.notify(Class::Generic, "rename_from", from);
    cx.notify(Class::Generic, "rename_to", to);
    cx.inst.dirty += 1;
    Ok(true)
}

/// Puts a value with its deadline under a free key.
fn place_obj(cx: &mut Ctx<'_>, key: &Bytes, obj: Obj) {
    let kind = obj.data().kind();
    cx.db_mut().insert(key, obj);
    cx.added(key, kind);
}

pub fn rename(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    rename_to(cx, &argv[1], &argv[2], true)?;
    Ok(Value::ok())
}

pub fn renamenx(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::Int(rename_to(cx, &argv[1], &argv[2], false)?.into()))
}

/// Parses the number of a database.
pub fn db_index(cx: &Ctx<'_>, arg: &[u8], not_int: &str) -> Result<usize, Fail> {
    let (min, max) = (i32::MIN.into(), i32::MAX.into());
    let text = Some(not_int).filter(|text| *text != NOT_INT);
    let n = int_within(arg, min, max, text)?;
    let index = usize::try_from(n).ok().filter(|n| *n < cx.inst.dbs.len());
    index.ok_or_else(|| "ERR DB index is out of range".into())
}

pub fn move_key(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let to = db_index(cx, &argv[2], NOT_INT)?;
    let from = cx.db;
    if to == from {
        return Err("ERR source and destination objects are the same".into());
    }
    if !cx.exists(key) {
        return Ok(Value::Int(0));
    }
    cx.db = to;
    let taken = cx.exists(key);
    cx.db = from;
    if taken {
        return Ok(Value::Int(0));
    }
    if let Some((_, obj)) = cx.db_mut().remove(key) {
        cx.db = to;
        place_obj(cx, key, obj);
        cx.db = from;
    }
    cx.changed(key, Class::Generic, "move_from");
    cx.db = to;
    cx.touch(key);
    cx.notify(Class::Generic, "move_to", key);
    cx.db = from;
    Ok(Value::Int(1))
}

pub fn copy(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (from, to) = (&argv[1], &argv[2]);
    let (home, mut db, mut replace) = (cx.db, cx.db, false);
    let mut rest = argv[3..].iter();
    while let Some(arg) = rest.next() {
        if is(arg, "REPLACE") {
            replace = true;
        } else if is(arg, "DB") {
            let Some(index) = rest.next() else { return syntax() };
            db = db_index(cx, index, NOT_INT)?;
        } else {
            return syntax();
        }
    }
    if db == home && from == to {
        return Err("ERR source and destination objects are the same".into());
    }
    let Some(obj) = cx.lookup(from).cloned() else { return Ok(Value::Int(0)) };
    cx.db = db;
    let taken = cx.exists(to);
    if let Err(fail) = cx.inst.take_room(obj.data().bytes()) {
        cx.db = home;
        return Err(fail);
    }
    if taken && replace {
        cx.delete(to);
    }
    if !taken || replace {
        place_obj(cx, to, obj);
        cx.changed(to, Class::Generic, "copy_to");
    }
    cx.db = home;
    Ok(Value::Int((!taken || replace).into()))
}

fn obj_of<'c>(cx: &'c mut Ctx<'_>, key: &[u8]) -> Option<&'c Obj> {
    cx.lookup(key)
}

pub fn object_encoding(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let version = cx.version();
    let Some(obj) = obj_of(cx, &argv[2]) else { return Ok(Value::NilBulk) };
    Ok(Value::bulk(encoding(obj.data(), version)))
}

pub fn encoding(data: &Data, version: Version) -> &'static str {
    /// A quicklist node holds 8 KB (list-max-listpack-size -2), and since 7.2 a list that
    /// would be one node is a listpack. DIFFERENCE: Redis goes back only at half the size.
    const LISTPACK_BYTES_MAX: usize = 8192;
    match data {
        Data::Str(s) => s.encoding(),
        Data::List(list) if version >= Version::V7_2 => {
            let bytes: usize =
                list.iter().take(LISTPACK_BYTES_MAX).map(|item| item.len() + 2).sum();
            if bytes <= LISTPACK_BYTES_MAX { "listpack" } else { "quicklist" }
        }
        Data::List(_) => "quicklist",
        Data::Set(set) => set.encoding(),
        Data::Hash(hash) => hash.encoding(),
        Data::ZSet(zset) => zset.encoding(),
        Data::Stream(_) => "stream",
    }
}

pub fn object_refcount(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(match obj_of(cx, &argv[2]).map(Obj::data) {
        None => Value::NilBulk,
        // Redis shares the integers below 10000 among all keys, and counts them as immortal.
        // DIFFERENCE: some ways to such a value (COPY, INCR) give it one of its own there.
        Some(Data::Str(crate::value::Str::Int(0..=9999))) => Value::Int(i32::MAX.into()),
        Some(_) => Value::Int(1),
    })
}

/// DIFFERENCE: reads do not change an instance here, so idle times are not known: always 0.
pub fn object_idletime(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(obj_of(cx, &argv[2]).map_or(Value::NilBulk, |_| Value::Int(0)))
}

pub fn object_freq(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if obj_of(cx, &argv[2]).is_none() {
        return Ok(Value::NilBulk);
    }
    Err("ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note \
         that when switching between policies at runtime LRU and LFU data will take some time to \
         adjust."
        .into())
}
