//! Deadlines of single hash fields: the HEXPIRE family of Redis 7.4.

use crate::args::{arity, expiry_unit, int, int_within, is};
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use ground::resp::{Bytes, Value};

use super::hashes::set_pairs;

const MISPLACED: &str = "ERR Mandatory argument FIELDS is missing or not at the right position";

/// What HGETEX, HGETDEL and HPERSIST say of a number of fields that is none.
const FEW: &str = "ERR Number of fields must be a positive integer";

/// `FIELDS numfields field...`; `few` is the error for a number below one.
fn fields<'a>(args: &'a [Bytes], few: &'static str) -> Result<&'a [Bytes], Fail> {
    let [word, n, fields @ ..] = args else {
        return Err("ERR wrong number of arguments".into());
    };
    if !is(word, "FIELDS") {
        return Err(MISPLACED.into());
    }
    let n = int(n).ok().filter(|n| *n > 0).ok_or(few)?;
    if n != fields.len() as i64 {
        return Err("ERR The `numfields` parameter must match the number of arguments".into());
    }
    Ok(fields)
}

fn for_each(fields: &[Bytes], mut of: impl FnMut(&Bytes) -> i64) -> Value {
    Value::Array(fields.iter().map(|field| Value::Int(of(field))).collect())
}

fn expire_time(value: &[u8]) -> Result<i64, Fail> {
    let text = Some("ERR invalid expire time, must be >= 0");
    int(value).and_then(|_| int_within(value, 0, i64::MAX, text))
}

/// Returns a field's deadline in ms since the epoch; unlike a key's it may be now.
fn field_deadline(cx: &Ctx<'_>, value: &[u8], unit_ms: i64, absolute: bool) -> Result<u64, Fail> {
    let n = expire_time(value)?;
    // A moment that is given may have passed: that is told by the clock.
    let now = if absolute { cx.now() } else { cx.origin() };
    let base = if absolute { 0 } else { now as i64 };
    let at = n.checked_mul(unit_ms).and_then(|ms| ms.checked_add(base));
    let at = at.filter(|at| *at < 1 << 46).map(|at| at as u64);
    at.ok_or_else(|| format!("ERR invalid expire time in '{}' command", cx.command.name).into())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    None,
    Nx,
    Xx,
    Gt,
    Lt,
}

fn expire_by(cx: &mut Ctx<'_>, argv: &[Bytes], unit_ms: i64, absolute: bool) -> Reply {
    let key = &argv[1];
    cx.hash(key)?;
    let (condition, rest) = match &argv[3] {
        word if is(word, "NX") => (Condition::Nx, &argv[4..]),
        word if is(word, "XX") => (Condition::Xx, &argv[4..]),
        word if is(word, "GT") => (Condition::Gt, &argv[4..]),
        word if is(word, "LT") => (Condition::Lt, &argv[4..]),
        _ => (Condition::None, &argv[3..]),
    };
    let (at, now) = (field_deadline(cx, &argv[2], unit_ms, absolute)?, cx.now());
    let fields = fields(rest, "ERR Parameter `numFields` should be greater than 0")?;
    if cx.hash(key)?.is_none() {
        return Ok(for_each(fields, |_| -2));
    }
    let before = cx.db().field_deadline(key);
    let Some(hash) = cx.hash_mut(key)? else { return Ok(for_each(fields, |_| -2)) };
    let (mut set, mut gone) = (0, 0);
    let reply = for_each(fields, |field| {
        if hash.get(field).is_none() {
            return -2;
        }
        let old = hash.expires_at(field);
        let met = match condition {
            Condition::None => true,
            Condition::Nx => old.is_none(),
            Condition::Xx => old.is_some(),
            Condition::Gt => old.is_some_and(|old| at > old),
            Condition::Lt => old.is_none_or(|old| at < old),
        };
        if !met {
            return 0;
        }
        if at <= now {
            hash.remove(field);
            gone += 1;
            return 2;
        }
        hash.set_expires_at(field, Some(at));
        set += 1;
        1
    });
    cx.db_mut().field_deadline_changed(key, before);
    if set > 0 {
        cx.changed(key, Class::Hash, "hexpire");
    }
    if gone > 0 {
        cx.changed(key, Class::Hash, "hdel");
        cx.drop_if_empty(key);
    }
    Ok(reply)
}

pub fn hexpire(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    expire_by(cx, argv, 1000, false)
}

pub fn hpexpire(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    expire_by(cx, argv, 1, false)
}

pub fn hexpireat(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    expire_by(cx, argv, 1000, true)
}

pub fn hpexpireat(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    expire_by(cx, argv, 1, true)
}

fn deadlines(cx: &mut Ctx<'_>, argv: &[Bytes], of: impl Fn(u64) -> u64) -> Reply {
    cx.now();
    cx.hash(&argv[1])?;
    let fields = fields(&argv[2..], FEW)?;
    let Some(hash) = cx.hash(&argv[1])? else { return Ok(for_each(fields, |_| -2)) };
    Ok(for_each(fields, |field| match (hash.get(field), hash.expires_at(field)) {
        (None, _) => -2,
        (Some(_), None) => -1,
        (Some(_), Some(at)) => of(at) as i64,
    }))
}

pub fn httl(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let now = cx.now();
    deadlines(cx, argv, |at| at.saturating_sub(now).div_ceil(1000))
}

pub fn hpttl(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let now = cx.now();
    deadlines(cx, argv, |at| at.saturating_sub(now))
}

pub fn hexpiretime(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    deadlines(cx, argv, |at| at.div_ceil(1000))
}

pub fn hpexpiretime(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    deadlines(cx, argv, |at| at)
}

pub fn hpersist(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    cx.hash(key)?;
    let fields = fields(&argv[2..], FEW)?;
    if cx.hash(key)?.is_none() {
        return Ok(for_each(fields, |_| -2));
    }
    let before = cx.db().field_deadline(key);
    let Some(hash) = cx.hash_mut(key)? else { return Ok(for_each(fields, |_| -2)) };
    let mut changed = false;
    let reply = for_each(fields, |field| match (hash.get(field), hash.expires_at(field)) {
        (None, _) => -2,
        (Some(_), None) => -1,
        (Some(_), Some(_)) => {
            hash.set_expires_at(field, None);
            changed = true;
            1
        }
    });
    cx.db_mut().field_deadline_changed(key, before);
    if changed {
        cx.changed(key, Class::Hash, "hpersist");
    }
    Ok(reply)
}

/// HGETDEL (8.0): returns the values and removes the fields.
pub fn hgetdel(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    cx.hash(key)?;
    let fields = fields(&argv[2..], FEW)?;
    let hash = cx.hash(key)?;
    let value = |field: &Bytes| hash.and_then(|hash| hash.get(field)).cloned();
    let values: Vec<Option<Bytes>> = fields.iter().map(value).collect();
    let before = cx.db().field_deadline(key);
    if values.iter().any(Option::is_some)
        && let Some(hash) = cx.hash_mut(key)?
    {
        for field in fields {
            hash.remove(field);
        }
        cx.db_mut().field_deadline_changed(key, before);
        cx.changed(key, Class::Hash, "hdel");
        cx.drop_if_empty(key);
    }
    let values = values.into_iter().map(|value| value.map_or(Value::NilBulk, Value::Bulk));
    Ok(Value::Array(values.collect()))
}

/// The options of HGETEX and HSETEX that precede FIELDS.
#[derive(Debug, Default)]
struct ExOptions<'a> {
    fnx: bool,
    fxx: bool,
    /// KEEPTTL of HSETEX, or PERSIST of HGETEX.
    plain: bool,
    expire: Option<(&'a Bytes, i64, bool)>,
    rest: &'a [Bytes],
}

fn ex_options<'a>(args: &'a [Bytes], plain: &str, sets: bool) -> Result<ExOptions<'a>, Fail> {
    let mut options = ExOptions::default();
    let mut at = 0;
    while let Some(arg) = args.get(at).filter(|arg| !is(arg, "FIELDS")) {
        at += 1;
        let unit = expiry_unit(arg);
        let second = options.expire.is_some() || options.plain;
        match unit {
            _ if second && sets && (unit.is_some() || is(arg, plain)) => {
                return Err(format!(
                    "ERR Only one of EX, PX, EXAT, PXAT or {plain} arguments can be specified"
                )
                .into());
            }
            Some((unit, absolute)) if !second => {
                let value = args.get(at).ok_or("ERR missing expire time")?;
                expire_time(value)?;
                options.expire = Some((value, unit, absolute));
                at += 1;
            }
            None if is(arg, plain) && !second => options.plain = true,
            None if sets && is(arg, "FNX") => options.fnx = true,
            None if sets && is(arg, "FXX") => options.fxx = true,
            None if sets => {
                let arg = String::from_utf8_lossy(arg);
                return Err(format!("ERR unknown argument: {arg}").into());
            }
            _ => return Err(MISPLACED.into()),
        }
    }
    if options.fnx && options.fxx {
        return Err("ERR Only one of FXX or FNX arguments can be specified".into());
    }
    options.rest = &args[at..];
    Ok(options)
}

/// Sets or removes the deadlines of fields; fields whose deadline has passed are removed.
fn set_deadlines(
    cx: &mut Ctx<'_>,
    key: &Bytes,
    fields: &[Bytes],
    at: Option<u64>,
) -> Result<(), Fail> {
    let now = cx.now_for_deadlines();
    let over = at.is_some_and(|at| at <= now);
    let before = cx.db().field_deadline(key);
    let Some(hash) = cx.hash_mut(key)? else { return Ok(()) };
    let there: Vec<&Bytes> = fields.iter().filter(|field| hash.get(field).is_some()).collect();
    if there.is_empty() || at.is_none() && there.iter().all(|f| hash.expires_at(f).is_none()) {
        return Ok(());
    }
    for field in there {
        match over {
            true => _ = hash.remove(field),
            false => hash.set_expires_at(field, at),
        }
    }
    cx.db_mut().field_deadline_changed(key, before);
    let event = match at {
        None => "hpersist",
        Some(_) if over => "hdel",
        Some(_) => "hexpire",
    };
    cx.changed(key, Class::Hash, event);
    cx.drop_if_empty(key);
    Ok(())
}

/// `HGETEX key [EX|PX|EXAT|PXAT n|PERSIST] FIELDS numfields field…` (8.0)
pub fn hgetex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    cx.hash(key)?;
    let options = ex_options(&argv[2..], "PERSIST", false)?;
    let fields = fields(options.rest, FEW)?;
    let at = match options.expire {
        Some((value, unit, absolute)) => Some(field_deadline(cx, value, unit, absolute)?),
        None => None,
    };
    let hash = cx.hash(key)?;
    let value = |field| hash.and_then(|hash| hash.get(field)).cloned();
    let values = fields.iter().map(|field| value(field).map_or(Value::NilBulk, Value::Bulk));
    let values = Value::Array(values.collect());
    if at.is_some() || options.plain {
        set_deadlines(cx, key, fields, at)?;
    }
    Ok(values)
}

/// `HSETEX key [FNX|FXX] [EX|PX|EXAT|PXAT n|KEEPTTL] FIELDS numfields field value…` (8.0)
pub fn hsetex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let options = ex_options(&argv[2..], "KEEPTTL", true)?;
    let [word, n, pairs @ ..] = options.rest else {
        return fields(options.rest, FEW).map(|_| Value::Null);
    };
    let n = int(n).ok().filter(|n| *n > 0 && is(word, "FIELDS"));
    let n = n.ok_or("ERR invalid number of fields")?;
    if pairs.len() % 2 != 0 || n != (pairs.len() / 2) as i64 {
        return arity(cx.command.name);
    }
    let at = match options.expire {
        Some((value, unit, absolute)) => Some(field_deadline(cx, value, unit, absolute)?),
        None => None,
    };
    let fields: Vec<Bytes> = pairs.iter().step_by(2).cloned().collect();
    let hash = cx.hash(key)?;
    let is_there = |field: &Bytes| hash.is_some_and(|hash| hash.get(field).is_some());
    let refused = (options.fnx && fields.iter().any(is_there))
        || (options.fxx && !fields.iter().all(is_there));
    if refused {
        return Ok(Value::Int(0));
    }
    let kept: Vec<Option<u64>> =
        fields.iter().map(|f| hash.and_then(|hash| hash.expires_at(f))).collect();
    set_pairs(cx, key, pairs)?;
    if options.plain {
        for (field, at) in fields.iter().zip(kept).filter(|(_, at)| at.is_some()) {
            set_deadlines(cx, key, std::slice::from_ref(field), at)?;
        }
    } else if at.is_some() {
        set_deadlines(cx, key, &fields, at)?;
    }
    Ok(Value::Int(1))
}
