//! Hashes. HINCRBY is in `counters`, HSCAN in `scan`, field expiry in `field_expiry`.

use crate::args::{arity, int, int_within, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use crate::value::HashVal;
use ground::resp::{Bytes, Value};

/// Sets pairs; returns the number of new fields.
pub fn set_pairs(cx: &mut Ctx<'_>, key: &Bytes, pairs: &[Bytes]) -> Result<usize, Fail> {
    let limits = cx.limits().clone();
    let before = cx.db().field_deadline(key);
    let hash = cx.hash_or_new(key)?;
    hash.make_room_for(pairs.iter(), &limits);
    let mut new = 0;
    for pair in pairs.chunks_exact(2) {
        new += usize::from(hash.set(&pair[0], pair[1].clone(), &limits));
    }
    cx.db_mut().field_deadline_changed(key, before);
    cx.changed(key, Class::Hash, "hset");
    Ok(new)
}

pub fn hset(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if !argv.len().is_multiple_of(2) {
        return arity(cx.command.name);
    }
    Ok(Value::int(set_pairs(cx, &argv[1], &argv[2..])?))
}

pub fn hmset(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    hset(cx, argv)?;
    Ok(Value::ok())
}

pub fn hsetnx(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    if cx.hash(&argv[1])?.is_some_and(|hash| hash.get(&argv[2]).is_some()) {
        return Ok(Value::Int(0));
    }
    set_pairs(cx, &argv[1], &argv[2..4])?;
    Ok(Value::Int(1))
}

fn value_of(hash: Option<&HashVal>, field: &[u8]) -> Value {
    let value = hash.and_then(|hash| hash.get(field));
    value.map_or(Value::NilBulk, |value| Value::Bulk(value.clone()))
}

pub fn hget(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(value_of(cx.hash(&argv[1])?, &argv[2]))
}

pub fn hmget(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let hash = cx.hash(&argv[1])?;
    Ok(Value::Array(argv[2..].iter().map(|field| value_of(hash, field)).collect()))
}

pub fn hdel(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    if cx.hash(key)?.is_none() {
        return Ok(Value::Int(0));
    }
    let before = cx.db().field_deadline(key);
    let Some(hash) = cx.hash_mut(key)? else { return Ok(Value::Int(0)) };
    let gone = argv[2..].iter().filter(|field| hash.remove(field)).count();
    cx.db_mut().field_deadline_changed(key, before);
    if gone > 0 {
        cx.changed(key, Class::Hash, "hdel");
        cx.drop_if_empty(key);
    }
    Ok(Value::int(gone))
}

pub fn hexists(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let found = cx.hash(&argv[1])?.is_some_and(|hash| hash.get(&argv[2]).is_some());
    Ok(Value::Int(found.into()))
}

pub fn hlen(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::int(cx.hash(&argv[1])?.map_or(0, HashVal::len)))
}

pub fn hstrlen(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let hash = cx.hash(&argv[1])?;
    let value = hash.and_then(|hash| hash.get(&argv[2]));
    Ok(Value::int(value.map_or(0, |value| value.len())))
}

fn pairs_of(cx: &mut Ctx<'_>, key: &[u8]) -> Result<Vec<(Bytes, Bytes)>, Fail> {
    Ok(cx.hash(key)?.map(HashVal::pairs).unwrap_or_default())
}

pub fn hgetall(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let pairs = pairs_of(cx, &argv[1])?;
    let pairs = pairs.into_iter().map(|(f, v)| (Value::Bulk(f), Value::Bulk(v)));
    Ok(cx.map(pairs.collect()))
}

pub fn hkeys(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let pairs = pairs_of(cx, &argv[1])?;
    Ok(Value::Array(pairs.into_iter().map(|(field, _)| Value::Bulk(field)).collect()))
}

pub fn hvals(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let pairs = pairs_of(cx, &argv[1])?;
    Ok(Value::Array(pairs.into_iter().map(|(_, value)| Value::Bulk(value)).collect()))
}

/// Returns random positions out of `len`: distinct ones, or if `count` is negative that many, with
/// repetitions.
pub fn random_positions(cx: &mut Ctx<'_>, len: usize, count: i64) -> Vec<usize> {
    if len == 0 || count == 0 {
        return Vec::new();
    }
    if count < 0 {
        return (0..count.unsigned_abs()).map(|_| cx.random(len)).collect();
    }
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    if count >= len {
        cx.has_no_order(len);
        return (0..len).collect();
    }
    // A partial Fisher–Yates shuffle over a sparse array.
    let mut moved = std::collections::HashMap::new();
    let mut chosen = Vec::with_capacity(count);
    for i in 0..count {
        let j = i + cx.random(len - i);
        let at_j = moved.get(&j).copied().unwrap_or(j);
        let at_i = moved.get(&i).copied().unwrap_or(i);
        moved.insert(j, at_i);
        chosen.push(at_j);
    }
    chosen
}

/// Checks a negative count against the memory bound, because it repeats elements.
pub fn check_count(cx: &Ctx<'_>, count: i64) -> Result<(), Fail> {
    let repeated = if count < 0 { count.unsigned_abs() } else { 0 };
    cx.inst.check_reply(repeated.saturating_mul(32))
}

/// Parses a count that `HRANDFIELD` and its relatives accept; the limit is half if pairs are
/// returned.
pub fn random_count(arg: &[u8], pairs: bool) -> Result<i64, Fail> {
    let limit = i64::MAX;
    let count = int_within(arg, -limit, limit, None)?;
    if pairs && !(-limit / 2..=limit / 2).contains(&count) {
        return Err("ERR value is out of range".into());
    }
    Ok(count)
}

pub fn hrandfield(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    if argv.len() == 2 {
        let Some(len) = cx.hash(key)?.map(HashVal::len) else { return Ok(Value::NilBulk) };
        let n = cx.random(len);
        let field = cx.hash(key)?.and_then(|hash| hash.nth(n));
        return Ok(field.map_or(Value::NilBulk, |(field, _)| Value::Bulk(field.clone())));
    }
    int(&argv[2]).and(random_count(&argv[2], false))?;
    let with_values = match argv.get(3) {
        None => false,
        Some(word) if argv.len() == 4 && is(word, "WITHVALUES") => true,
        Some(_) => return syntax(),
    };
    let count = random_count(&argv[2], with_values)?;
    let Some(len) = cx.hash(key)?.map(HashVal::len) else { return Ok(Value::Array(vec![])) };
    check_count(cx, count)?;
    let positions = random_positions(cx, len, count);
    let resp3 = cx.resp3();
    let Some(hash) = cx.hash(key)? else { return Ok(Value::Array(vec![])) };
    let mut out = Vec::with_capacity(positions.len());
    for (field, value) in hash.at(positions) {
        let (field, value) = (Value::Bulk(field), Value::Bulk(value));
        match (with_values, resp3) {
            (false, _) => out.push(field),
            (true, false) => out.extend([field, value]),
            (true, true) => out.push(Value::Array(vec![field, value])),
        }
    }
    Ok(Value::Array(out))
}
