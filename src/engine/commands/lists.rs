//! Lists, and the blocking list commands.

use crate::args::{int, int_within, is, positive, span, syntax};
use crate::blocking::BlockedOn;
use crate::context::{Ctx, Fail, NO_KEY, Reply};
use crate::longdouble::LongDouble;
use crate::notify::Class;
use crate::value::{Kind, List};
use crate::version::Version;
use ground::resp::{Bytes, Value, number};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Left,
    Right,
}

fn end_of(arg: &[u8]) -> Result<End, Fail> {
    match () {
        () if is(arg, "LEFT") => Ok(End::Left),
        () if is(arg, "RIGHT") => Ok(End::Right),
        () => syntax(),
    }
}

fn push_item(list: &mut List, end: End, item: Bytes) {
    match end {
        End::Left => list.push_front(item),
        End::Right => list.push_back(item),
    }
}

fn pop_item(list: &mut List, end: End) -> Option<Bytes> {
    match end {
        End::Left => list.pop_front(),
        End::Right => list.pop_back(),
    }
}

fn push(cx: &mut Ctx<'_>, argv: &[Bytes], end: End, only_existing: bool) -> Reply {
    let key = &argv[1];
    if only_existing && cx.list(key)?.is_none() {
        return Ok(Value::Int(0));
    }
    let list = cx.list_or_new(key)?;
    for item in &argv[2..] {
        push_item(list, end, item.clone());
    }
    let len = list.len();
    cx.changed(key, Class::List, if end == End::Left { "lpush" } else { "rpush" });
    Ok(Value::int(len))
}

pub fn lpush(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    push(cx, argv, End::Left, false)
}

pub fn rpush(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    push(cx, argv, End::Right, false)
}

pub fn lpushx(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    push(cx, argv, End::Left, true)
}

pub fn rpushx(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    push(cx, argv, End::Right, true)
}

/// Removes and returns up to `count` items of a list that exists.
fn take(cx: &mut Ctx<'_>, key: &Bytes, end: End, count: usize) -> Result<Vec<Value>, Fail> {
    let Some(list) = cx.list_mut(key)? else { return Ok(Vec::new()) };
    let count = count.min(list.len());
    let items = (0..count).filter_map(|_| pop_item(list, end)).map(Value::Bulk).collect();
    cx.changed(key, Class::List, if end == End::Left { "lpop" } else { "rpop" });
    cx.drop_if_empty(key);
    Ok(items)
}

fn pop(cx: &mut Ctx<'_>, argv: &[Bytes], end: End) -> Reply {
    let key = &argv[1];
    if argv.len() > 3 {
        return crate::args::arity(cx.command.name);
    }
    let count = argv.get(2).map(|arg| positive(arg)).transpose()?;
    if cx.list(key)?.is_none() {
        return Ok(if count.is_some() { Value::NilArray } else { Value::NilBulk });
    }
    match count {
        Some(0) => Ok(Value::Array(vec![])),
        Some(count) => {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            Ok(Value::Array(take(cx, key, end, count)?))
        }
        None => Ok(take(cx, key, end, 1)?.pop().unwrap_or(Value::NilBulk)),
    }
}

pub fn lpop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    pop(cx, argv, End::Left)
}

pub fn rpop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    pop(cx, argv, End::Right)
}

pub fn llen(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::int(cx.list(&argv[1])?.map_or(0, List::len)))
}

pub fn lrange(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (start, stop) = (int(&argv[2])?, int(&argv[3])?);
    let Some(list) = cx.list(&argv[1])? else { return Ok(Value::Array(vec![])) };
    let (start, end) = span(start, stop, list.len());
    Ok(Value::Array(list.range(start, end).map(|item| Value::Bulk(item.clone())).collect()))
}

/// Returns the position of an index, which is negative from the end; `None` if it is out of range.
fn place(index: i64, len: usize) -> Option<usize> {
    let index = if index < 0 { index.checked_add(len as i64)? } else { index };
    usize::try_from(index).ok().filter(|i| *i < len)
}

pub fn lindex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let Some(list) = cx.list(&argv[1])? else { return Ok(Value::NilBulk) };
    let item = place(int(&argv[2])?, list.len()).and_then(|i| list.get(i));
    Ok(item.map_or(Value::NilBulk, |item| Value::Bulk(item.clone())))
}

pub fn lset(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let Some(len) = cx.list(key)?.map(List::len) else { return Err(NO_KEY.into()) };
    let Some(at) = place(int(&argv[2])?, len) else {
        return Err("ERR index out of range".into());
    };
    if let Some(item) = cx.list_mut(key)?.and_then(|list| list.get_mut(at)) {
        *item = argv[3].clone();
    }
    cx.changed(key, Class::List, "lset");
    Ok(Value::ok())
}

pub fn linsert(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let after = match () {
        () if is(&argv[2], "AFTER") => true,
        () if is(&argv[2], "BEFORE") => false,
        () => return syntax(),
    };
    let Some(list) = cx.list(key)? else { return Ok(Value::Int(0)) };
    let (at, mut len) = (list.iter().position(|item| *item == argv[3]), list.len());
    cx.visits(len)?;
    let Some(at) = at else { return Ok(Value::Int(-1)) };
    if let Some(list) = cx.list_mut(key)? {
        list.insert(at + usize::from(after), argv[4].clone());
        len = list.len();
    }
    cx.changed(key, Class::List, "linsert");
    Ok(Value::int(len))
}

/// Parses a number whose sign is a direction; before 7.2 the least one is taken too.
fn signed(cx: &Ctx<'_>, arg: &[u8]) -> Result<i64, Fail> {
    let min = if cx.version() < Version::V7_2 { i64::MIN } else { -i64::MAX };
    int_within(arg, min, i64::MAX, None)
}

pub fn lrem(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (key, wanted) = (&argv[1], &argv[3]);
    let count = signed(cx, &argv[2])?;
    let Some(list) = cx.list(key)? else { return Ok(Value::Int(0)) };
    let limit = match count.unsigned_abs() {
        0 => usize::MAX,
        some => usize::try_from(some).unwrap_or(usize::MAX),
    };
    let hits = list.iter().enumerate().filter(|(_, item)| *item == wanted).map(|(i, _)| i);
    let (mut hits, len): (Vec<usize>, _) = (hits.collect(), list.len());
    cx.visits(len)?;
    if count < 0 {
        hits.drain(..hits.len().saturating_sub(limit));
    }
    hits.truncate(limit);
    if hits.is_empty() {
        return Ok(Value::Int(0));
    }
    if let Some(list) = cx.list_mut(key)? {
        if hits.len() <= 4 {
            hits.iter().rev().for_each(|at| drop(list.remove(*at)));
        } else {
            let kept = list.iter().enumerate().filter(|(i, _)| hits.binary_search(i).is_err());
            *list = kept.map(|(_, item)| item.clone()).collect();
        }
    }
    cx.changed(key, Class::List, "lrem");
    cx.drop_if_empty(key);
    Ok(Value::int(hits.len()))
}

pub fn ltrim(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let (start, stop) = (int(&argv[2])?, int(&argv[3])?);
    let Some(list) = cx.list_mut(key)? else { return Ok(Value::ok()) };
    let (start, end) = span(start, stop, list.len());
    list.remove_range(end, list.len());
    list.remove_range(0, start);
    cx.changed(key, Class::List, "ltrim");
    cx.drop_if_empty(key);
    Ok(Value::ok())
}

pub fn lpos(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (mut rank, mut count, mut maxlen) = (1, None, 0);
    let mut rest = argv[3..].chunks_exact(2);
    for pair in &mut rest {
        match () {
            () if is(&pair[0], "RANK") => {
                // The least number is its own negative, and no match is before that rank.
                rank = signed(cx, &pair[1])?;
                rank = if rank == i64::MIN { -1 } else { rank };
                if rank == 0 {
                    return Err("ERR RANK can't be zero: use 1 to start from the first match, 2 \
                                from the second ... or use negative to start from the end of the \
                                list"
                        .into());
                }
            }
            () if is(&pair[0], "COUNT") => match number::parse_int(&pair[1]) {
                Some(n) if n >= 0 => count = Some(n),
                _ => return Err("ERR COUNT can't be negative".into()),
            },
            () if is(&pair[0], "MAXLEN") => match number::parse_int(&pair[1]) {
                Some(n) if n >= 0 => maxlen = n,
                _ => return Err("ERR MAXLEN can't be negative".into()),
            },
            () => return syntax(),
        }
    }
    if !rest.remainder().is_empty() {
        return syntax();
    }
    let Some(list) = cx.list(&argv[1])? else {
        return Ok(if count.is_some() { Value::Array(vec![]) } else { Value::NilBulk });
    };
    let wanted = match count {
        None => 1,
        Some(0) => usize::MAX,
        Some(n) => usize::try_from(n).unwrap_or(usize::MAX),
    };
    let limit =
        if maxlen == 0 { usize::MAX } else { usize::try_from(maxlen).unwrap_or(usize::MAX) };
    let skip = usize::try_from(rank.unsigned_abs() - 1).unwrap_or(usize::MAX);
    let len = list.len();
    let hits: Vec<Value> = if rank > 0 {
        let near = list.iter().take(limit).enumerate();
        let hits = near.filter(|(_, item)| **item == argv[2]).skip(skip).take(wanted);
        hits.map(|(i, _)| Value::int(i)).collect()
    } else {
        let near = list.iter().rev().take(limit).enumerate();
        let hits = near.filter(|(_, item)| **item == argv[2]).skip(skip).take(wanted);
        hits.map(|(i, _)| Value::int(len - 1 - i)).collect()
    };
    cx.visits(len.min(limit))?;
    match count {
        Some(_) => Ok(Value::Array(hits)),
        None => Ok(hits.into_iter().next().unwrap_or(Value::NilBulk)),
    }
}

/// Moves one item; nil if `from` does not exist.
fn move_item(cx: &mut Ctx<'_>, from: &Bytes, to: &Bytes, take_from: End, put_to: End) -> Reply {
    if cx.list(from)?.is_none() {
        return Ok(Value::NilBulk);
    }
    // The destination's type is checked before anything is taken.
    cx.list(to)?;
    let Some(item) = cx.list_mut(from)?.and_then(|list| pop_item(list, take_from)) else {
        return Ok(Value::NilBulk);
    };
    if from == to {
        if let Some(list) = cx.list_mut(to)? {
            push_item(list, put_to, item.clone());
        }
    } else {
        push_item(cx.list_or_new(to)?, put_to, item.clone());
    }
    let event = |end, left, right| if end == End::Left { left } else { right };
    cx.notify(Class::List, event(put_to, "lpush", "rpush"), to);
    cx.touch(to);
    cx.changed(from, Class::List, event(take_from, "lpop", "rpop"));
    cx.drop_if_empty(from);
    Ok(Value::Bulk(item))
}

pub fn lmove(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (take_from, put_to) = (end_of(&argv[3])?, end_of(&argv[4])?);
    move_item(cx, &argv[1], &argv[2], take_from, put_to)
}

pub fn rpoplpush(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    move_item(cx, &argv[1], &argv[2], End::Right, End::Left)
}

/// `numkeys key... LEFT|RIGHT [COUNT n]`
fn mpop_args(args: &[Bytes]) -> Result<(&[Bytes], End, usize), Fail> {
    let numkeys = int_within(&args[0], 1, i64::MAX, Some("ERR numkeys should be greater than 0"))?;
    let (keys, rest) = match usize::try_from(numkeys) {
        Ok(n) if n < args.len() - 1 => args[1..].split_at(n),
        _ => return syntax(),
    };
    let end = end_of(&rest[0])?;
    let count = mpop_count(&rest[1..])?;
    Ok((keys, end, count))
}

/// `[COUNT n]`, at most once.
pub fn mpop_count(args: &[Bytes]) -> Result<usize, Fail> {
    match args {
        [] => Ok(1),
        [word, n, more @ ..] if is(word, "COUNT") => {
            let text = Some("ERR count should be greater than 0");
            let n = int_within(n, 1, i64::MAX, text)?;
            if !more.is_empty() {
                return syntax();
            }
            Ok(usize::try_from(n).unwrap_or(usize::MAX))
        }
        _ => syntax(),
    }
}

fn mpop(cx: &mut Ctx<'_>, keys: &[Bytes], end: End, count: usize) -> Result<Option<Value>, Fail> {
    for key in keys {
        if cx.list(key)?.is_some() {
            let items = take(cx, key, end, count)?;
            return Ok(Some(Value::Array(vec![Value::Bulk(key.clone()), Value::Array(items)])));
        }
    }
    Ok(None)
}

pub fn lmpop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (keys, end, count) = mpop_args(&argv[1..])?;
    Ok(mpop(cx, keys, end, count)?.unwrap_or(Value::NilArray))
}

// ---- waiting -------------------------------------------------------------------------------

/// Parses a timeout in seconds and returns it as a deadline; 0 is forever.
pub fn timeout(cx: &Ctx<'_>, arg: &[u8]) -> Result<Option<u64>, Fail> {
    let text = "ERR timeout is not a float or out of range";
    // Redis reads a long double, which has room for 1e400, and then overflows.
    let huge = LongDouble::parse(arg).is_some().then_some(f64::INFINITY);
    let seconds = number::parse_double(arg).or(huge).ok_or(text)?;
    let ms = (seconds * 1000.0).ceil();
    if ms < 0.0 || ms > i64::MAX as f64 {
        return Err("ERR timeout is negative".into());
    }
    if ms == 0.0 {
        return Ok(None);
    }
    match (ms as i64).checked_add(cx.origin() as i64) {
        Some(at) => Ok(Some(at as u64)),
        None => Err("ERR timeout is out of range".into()),
    }
}

/// Returns the keys to look at; if the command is tried again, only the one that is ready.
pub fn candidates(cx: &Ctx<'_>, keys: &[Bytes]) -> Vec<Bytes> {
    match &cx.ready_key {
        Some(key) => vec![key.clone()],
        None => keys.to_vec(),
    }
}

fn blocking_pop(cx: &mut Ctx<'_>, argv: &[Bytes], end: End) -> Reply {
    let keys = &argv[1..argv.len() - 1];
    let until = timeout(cx, &argv[argv.len() - 1])?;
    for key in candidates(cx, keys) {
        if cx.list(&key)?.is_some() {
            let item = take(cx, &key, end, 1)?.pop().unwrap_or(Value::NilBulk);
            return Ok(Value::Array(vec![Value::Bulk(key), item]));
        }
    }
    Ok(cx.wait_for(BlockedOn::List, keys, until, Value::NilArray))
}

pub fn blpop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    blocking_pop(cx, argv, End::Left)
}

pub fn brpop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    blocking_pop(cx, argv, End::Right)
}

fn blocking_move(cx: &mut Ctx<'_>, argv: &[Bytes], from: End, to: End, at: usize) -> Reply {
    let until = timeout(cx, &argv[at])?;
    match cx.kind(&argv[1]) {
        Some(Kind::List) => move_item(cx, &argv[1], &argv[2], from, to),
        Some(_) => Err(crate::context::WRONG_TYPE.into()),
        None => Ok(cx.wait_for(BlockedOn::List, &argv[1..2], until, Value::NilBulk)),
    }
}

pub fn blmove(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (from, to) = (end_of(&argv[3])?, end_of(&argv[4])?);
    blocking_move(cx, argv, from, to, 5)
}

pub fn brpoplpush(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    blocking_move(cx, argv, End::Right, End::Left, 3)
}

pub fn blmpop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (keys, end, count) = mpop_args(&argv[2..])?;
    let until = timeout(cx, &argv[1])?;
    let candidates = candidates(cx, keys);
    match mpop(cx, &candidates, end, count)? {
        Some(reply) => Ok(reply),
        None => Ok(cx.wait_for(BlockedOn::List, keys, until, Value::NilArray)),
    }
}
