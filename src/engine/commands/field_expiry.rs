//! Deadlines of single hash fields: the HEXPIRE family of Redis 7.4.

use crate::engine::args::{int, is};
use crate::engine::context::{Ctx, Fail, Reply};
use crate::engine::notify::Class;
use crate::resp::{Bytes, Value};

/// `FIELDS numfields field...`
fn fields(args: &[Bytes]) -> Result<&[Bytes], Fail> {
    let [word, n, fields @ ..] = args else {
        return Err("ERR wrong number of arguments".into());
    };
    if !is(word, "FIELDS") {
        return Err("ERR Mandatory argument FIELDS is missing or not at the right position".into());
    }
    let n = int(n).ok().filter(|n| *n > 0);
    let Some(n) = n else {
        return Err("ERR Parameter `numFields` should be greater than 0".into());
    };
    if n != fields.len() as i64 {
        return Err("ERR The `numfields` parameter must match the number of arguments".into());
    }
    Ok(fields)
}

fn for_each(fields: &[Bytes], mut of: impl FnMut(&Bytes) -> i64) -> Value {
    Value::Array(fields.iter().map(|field| Value::Int(of(field))).collect())
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
    let (condition, rest) = match &argv[3] {
        word if is(word, "NX") => (Condition::Nx, &argv[4..]),
        word if is(word, "XX") => (Condition::Xx, &argv[4..]),
        word if is(word, "GT") => (Condition::Gt, &argv[4..]),
        word if is(word, "LT") => (Condition::Lt, &argv[4..]),
        _ => (Condition::None, &argv[3..]),
    };
    let invalid =
        || Fail::from(format!("ERR invalid expire time in '{}' command", cx.command.name));
    let n = int(&argv[2])?;
    let fields = fields(rest)?;
    let base = if absolute { 0 } else { cx.now() as i64 };
    let at = n.checked_mul(unit_ms).and_then(|ms| ms.checked_add(base)).ok_or_else(invalid)?;
    if n < 0 || at >= 1 << 46 {
        return Err(invalid());
    }
    let (at, now) = (at as u64, cx.now());
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
    let fields = fields(&argv[2..])?;
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
    let fields = fields(&argv[2..])?;
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

/// HGETDEL (8.0): the values, and the fields are gone.
pub fn hgetdel(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let fields = fields(&argv[2..])?;
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
