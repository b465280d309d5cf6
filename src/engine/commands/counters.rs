//! INCR and its relatives, on strings and hash fields.

use crate::args::{int, int_or};
use crate::context::{Ctx, Fail, NOT_INT, Reply};
use crate::longdouble::LongDouble;
use crate::notify::Class;
use crate::value::{Data, Str};
use ground::resp::{Bytes, Value, number};

fn add(cx: &mut Ctx<'_>, key: &Bytes, by: i64) -> Reply {
    let old = match cx.string(key)? {
        None => None,
        Some(Str::Int(n)) => Some(*n),
        Some(other) => Some(int(&other.as_bytes())?),
    };
    let Some(sum) = old.unwrap_or(0).checked_add(by) else {
        return Err("ERR increment or decrement would overflow".into());
    };
    match cx.string_mut(key)? {
        Some(s) => *s = Str::Int(sum),
        None => cx.add(key, Data::Str(Str::Int(sum))),
    }
    cx.changed(key, Class::String, "incrby");
    Ok(Value::Int(sum))
}

pub fn incr(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    add(cx, &argv[1], 1)
}

pub fn decr(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    add(cx, &argv[1], -1)
}

pub fn incrby(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let by = int(&argv[2])?;
    add(cx, &argv[1], by)
}

pub fn decrby(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let by = int(&argv[2])?;
    match by.checked_neg() {
        Some(by) => add(cx, &argv[1], by),
        None => Err("ERR decrement would overflow".into()),
    }
}

/// Returns `old + by`, in the extended precision that Redis's replies show.
fn float_sum(old: Option<&[u8]>, by: &[u8], what_is_wrong: &str) -> Result<Bytes, Fail> {
    let old = match old {
        None => LongDouble::ZERO,
        Some(text) => LongDouble::parse(text).ok_or_else(|| Fail::from(what_is_wrong))?,
    };
    let by = LongDouble::parse(by).ok_or_else(|| Fail::from("ERR value is not a valid float"))?;
    match old.add(by) {
        Some(sum) => Ok(sum.to_text().as_bytes().into()),
        None => Err("ERR increment would produce NaN or Infinity".into()),
    }
}

pub fn incrbyfloat(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let old = cx.string(key)?.map(Str::to_shared);
    let sum = float_sum(old.as_deref(), &argv[2], "ERR value is not a valid float")?;
    // The result is a plain string even where it reads as an integer.
    cx.replace(key, Data::Str(Str::Plain(sum.clone())), true);
    cx.changed(key, Class::String, "incrbyfloat");
    Ok(Value::Bulk(sum))
}

pub fn hincrby(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (key, field) = (&argv[1], &argv[2]);
    let by = int_or(&argv[3], NOT_INT)?;
    let old = match cx.hash(key)?.and_then(|hash| hash.get(field)) {
        Some(text) => number::parse_int(text).ok_or("ERR hash value is not an integer")?,
        None => 0,
    };
    let Some(sum) = old.checked_add(by) else {
        return Err("ERR increment or decrement would overflow".into());
    };
    let limits = cx.limits().clone();
    let text = Bytes::from(sum.to_string().as_bytes());
    cx.hash_or_new(key)?.replace(field, text, &limits);
    cx.changed(key, Class::Hash, "hincrby");
    Ok(Value::Int(sum))
}

pub fn hincrbyfloat(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (key, field) = (&argv[1], &argv[2]);
    match LongDouble::parse(&argv[3]) {
        None => return Err("ERR value is not a valid float".into()),
        Some(by) if by.is_infinite() => return Err("ERR value is NaN or Infinity".into()),
        Some(_) => {}
    }
    let old = cx.hash(key)?.and_then(|hash| hash.get(field)).cloned();
    let sum = float_sum(old.as_deref(), &argv[3], "ERR hash value is not a float")?;
    let limits = cx.limits().clone();
    cx.hash_or_new(key)?.replace(field, sum.clone(), &limits);
    cx.changed(key, Class::Hash, "hincrbyfloat");
    Ok(Value::Bulk(sum))
}
