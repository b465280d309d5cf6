//! Sorted sets: adding, scores, ranks, popping. Ranges are in `zset_ranges`, unions and the like
//! in `zset_algebra`, ZSCAN in `scan`.

use crate::args::{arity, float, int_within, is, positive, syntax};
use crate::blocking::BlockedOn;
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use crate::value::ZSetVal;
use ground::resp::{Bytes, Value};

use super::hashes::{check_count, random_count, random_positions};
use super::lists::{candidates, mpop_count, timeout};

#[derive(Debug, Default, Clone, Copy)]
struct ZaddFlags {
    nx: bool,
    xx: bool,
    gt: bool,
    lt: bool,
    ch: bool,
    incr: bool,
}

fn zadd_flags(args: &[Bytes]) -> (ZaddFlags, &[Bytes]) {
    let mut flags = ZaddFlags::default();
    let mut rest = args;
    while let Some((arg, tail)) = rest.split_first() {
        match () {
            () if is(arg, "NX") => flags.nx = true,
            () if is(arg, "XX") => flags.xx = true,
            () if is(arg, "GT") => flags.gt = true,
            () if is(arg, "LT") => flags.lt = true,
            () if is(arg, "CH") => flags.ch = true,
            () if is(arg, "INCR") => flags.incr = true,
            () => break,
        }
        rest = tail;
    }
    (flags, rest)
}

pub fn zadd(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (flags, pairs) = zadd_flags(&argv[2..]);
    add(cx, &argv[1], flags, pairs)
}

pub fn zincrby(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    add(cx, &argv[1], ZaddFlags { incr: true, ..ZaddFlags::default() }, &argv[2..])
}

fn add(cx: &mut Ctx<'_>, key: &Bytes, flags: ZaddFlags, pairs: &[Bytes]) -> Reply {
    if pairs.is_empty() || !pairs.len().is_multiple_of(2) {
        return syntax();
    }
    let ZaddFlags { nx, xx, gt, lt, ch, incr } = flags;
    if nx && xx {
        return Err("ERR XX and NX options at the same time are not compatible".into());
    }
    if (nx && (gt || lt)) || (gt && lt) {
        let text = "ERR GT, LT, and/or NX options at the same time are not compatible";
        return Err(text.into());
    }
    if incr && pairs.len() > 2 {
        return Err("ERR INCR option supports a single increment-element pair".into());
    }
    // All scores are read before anything is changed.
    let mut scores = Vec::with_capacity(pairs.len() / 2);
    for pair in pairs.chunks_exact(2) {
        scores.push(float(&pair[0])?);
    }
    if cx.zset(key)?.is_none() && xx {
        return Ok(if incr { Value::NilBulk } else { Value::Int(0) });
    }
    let limits = cx.limits().clone();
    let (mut added, mut updated, mut result) = (0, 0, None);
    let mut failed = None;
    let zset = cx.zset_or_new(key)?;
    for (pair, score) in pairs.chunks_exact(2).zip(scores) {
        let member = &pair[1];
        let mut score = score;
        match zset.score(member) {
            Some(_) if nx => continue,
            Some(old) => {
                if incr {
                    score += old;
                    if score.is_nan() {
                        failed = Some("ERR resulting score is not a number (NaN)");
                        break;
                    }
                }
                if (lt && score >= old) || (gt && score <= old) {
                    continue;
                }
                if score != old {
                    zset.insert(member, score, &limits);
                    updated += 1;
                }
            }
            None if xx => continue,
            None => {
                zset.insert(member, score, &limits);
                added += 1;
            }
        }
        result = Some(score);
    }
    if added + updated > 0 {
        cx.changed(key, Class::ZSet, if incr { "zincr" } else { "zadd" });
    } else {
        cx.drop_silently_if_empty(key);
    }
    if let Some(text) = failed {
        return Err(text.into());
    }
    if incr {
        return Ok(result.map_or(Value::NilBulk, |score| cx.double(score)));
    }
    Ok(Value::int(if ch { added + updated } else { added }))
}

impl Ctx<'_> {
    /// Removes a value that was created for a command which then added nothing.
    fn drop_silently_if_empty(&mut self, key: &Bytes) {
        if self.db().get(key).is_some_and(|obj| obj.data().is_empty_aggregate()) {
            self.db_mut().remove(key);
        }
    }
}

pub fn zrem(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    if cx.zset(key)?.is_none() {
        return Ok(Value::Int(0));
    }
    let Some(zset) = cx.zset_mut(key)? else { return Ok(Value::Int(0)) };
    let gone = argv[2..].iter().filter(|member| zset.remove(member).is_some()).count();
    if gone > 0 {
        cx.changed(key, Class::ZSet, "zrem");
        cx.drop_if_empty(key);
    }
    Ok(Value::int(gone))
}

pub fn zcard(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::int(cx.zset(&argv[1])?.map_or(0, ZSetVal::len)))
}

pub fn zscore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let score = cx.zset(&argv[1])?.and_then(|zset| zset.score(&argv[2]));
    Ok(score.map_or(Value::NilBulk, |score| cx.double(score)))
}

pub fn zmscore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let zset = cx.zset(&argv[1])?;
    let scores: Vec<Option<f64>> =
        argv[2..].iter().map(|member| zset.and_then(|zset| zset.score(member))).collect();
    let reply = |score: Option<f64>| score.map_or(Value::NilBulk, |score| cx.double(score));
    Ok(Value::Array(scores.into_iter().map(reply).collect()))
}

fn rank(cx: &mut Ctx<'_>, argv: &[Bytes], reverse: bool) -> Reply {
    let with_score = match &argv[3..] {
        [] => false,
        [word] if is(word, "WITHSCORE") => true,
        [_] => return syntax(),
        [..] => return arity(cx.command.name),
    };
    let Some(zset) = cx.zset(&argv[1])? else {
        return Ok(if with_score { Value::NilArray } else { Value::NilBulk });
    };
    let place = zset.rank(&argv[2]).zip(zset.score(&argv[2]));
    let Some((rank, score)) = place else {
        return Ok(if with_score { Value::NilArray } else { Value::NilBulk });
    };
    let rank = Value::int(if reverse { zset.len() - 1 - rank } else { rank });
    if !with_score {
        return Ok(rank);
    }
    Ok(Value::Array(vec![rank, cx.double(score)]))
}

pub fn zrank(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    rank(cx, argv, false)
}

pub fn zrevrank(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    rank(cx, argv, true)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    Min,
    Max,
}

/// Removes and returns up to `count` members of a sorted set that exists.
fn take(
    cx: &mut Ctx<'_>,
    key: &Bytes,
    which: Which,
    count: usize,
) -> Result<Vec<(Bytes, f64)>, Fail> {
    let Some(zset) = cx.zset_mut(key)? else { return Ok(Vec::new()) };
    let len = zset.len();
    let count = count.min(len);
    let gone: Vec<(Bytes, f64)> = match which {
        Which::Min => zset.range(0, count).map(|(m, s)| (m.clone(), s)).collect(),
        Which::Max => zset.range(len - count, len).rev().map(|(m, s)| (m.clone(), s)).collect(),
    };
    match which {
        Which::Min => zset.remove_range(0, count),
        Which::Max => zset.remove_range(len - count, len),
    }
    if count > 0 {
        cx.changed(key, Class::ZSet, if which == Which::Min { "zpopmin" } else { "zpopmax" });
        cx.drop_if_empty(key);
    }
    Ok(gone)
}

/// Returns members with scores: flat in RESP2, as pairs in RESP3 (and always if `nested`).
fn pairs(cx: &Ctx<'_>, members: Vec<(Bytes, f64)>, nested: bool) -> Value {
    let mut out = Vec::with_capacity(members.len());
    for (member, score) in members {
        let pair = [Value::Bulk(member), cx.double(score)];
        if nested {
            out.push(Value::Array(pair.into()));
        } else {
            out.extend(pair);
        }
    }
    Value::Array(out)
}

fn pop(cx: &mut Ctx<'_>, argv: &[Bytes], which: Which) -> Reply {
    if argv.len() > 3 {
        return syntax();
    }
    let count = argv.get(2).map(|arg| positive(arg)).transpose()?;
    if cx.zset(&argv[1])?.is_none() {
        return Ok(Value::Array(vec![]));
    }
    let n = usize::try_from(count.unwrap_or(1)).unwrap_or(usize::MAX);
    let gone = take(cx, &argv[1], which, n)?;
    Ok(pairs(cx, gone, cx.resp3() && count.is_some()))
}

pub fn zpopmin(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    pop(cx, argv, Which::Min)
}

pub fn zpopmax(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    pop(cx, argv, Which::Max)
}

fn mpop_args(args: &[Bytes]) -> Result<(&[Bytes], Which, usize), Fail> {
    let numkeys = int_within(&args[0], 1, i64::MAX, Some("ERR numkeys should be greater than 0"))?;
    let (keys, rest) = match usize::try_from(numkeys) {
        Ok(n) if n < args.len() - 1 => args[1..].split_at(n),
        _ => return syntax(),
    };
    let which = match () {
        () if is(&rest[0], "MIN") => Which::Min,
        () if is(&rest[0], "MAX") => Which::Max,
        () => return syntax(),
    };
    Ok((keys, which, mpop_count(&rest[1..])?))
}

fn mpop(
    cx: &mut Ctx<'_>,
    keys: &[Bytes],
    which: Which,
    count: usize,
) -> Result<Option<Value>, Fail> {
    for key in keys {
        if cx.zset(key)?.is_some() {
            let gone = take(cx, key, which, count)?;
            let members = pairs(cx, gone, true);
            return Ok(Some(Value::Array(vec![Value::Bulk(key.clone()), members])));
        }
    }
    Ok(None)
}

pub fn zmpop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (keys, which, count) = mpop_args(&argv[1..])?;
    Ok(mpop(cx, keys, which, count)?.unwrap_or(Value::NilArray))
}

pub fn bzmpop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (keys, which, count) = mpop_args(&argv[2..])?;
    let until = timeout(cx, &argv[1])?;
    let candidates = candidates(cx, keys);
    match mpop(cx, &candidates, which, count)? {
        Some(reply) => Ok(reply),
        None => Ok(cx.wait_for(BlockedOn::ZSet, keys, until, Value::NilArray)),
    }
}

fn blocking_pop(cx: &mut Ctx<'_>, argv: &[Bytes], which: Which) -> Reply {
    let keys = &argv[1..argv.len() - 1];
    let until = timeout(cx, &argv[argv.len() - 1])?;
    for key in candidates(cx, keys) {
        if cx.zset(&key)?.is_none() {
            continue;
        }
        if let Some((member, score)) = take(cx, &key, which, 1)?.pop() {
            let score = cx.double(score);
            return Ok(Value::Array(vec![Value::Bulk(key), Value::Bulk(member), score]));
        }
    }
    Ok(cx.wait_for(BlockedOn::ZSet, keys, until, Value::NilArray))
}

pub fn bzpopmin(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    blocking_pop(cx, argv, Which::Min)
}

pub fn bzpopmax(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    blocking_pop(cx, argv, Which::Max)
}

pub fn zrandmember(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    if argv.len() == 2 {
        let Some(len) = cx.zset(key)?.map(ZSetVal::len) else { return Ok(Value::NilBulk) };
        let n = cx.random(len);
        let member = cx.zset(key)?.and_then(|zset| zset.nth(n));
        return Ok(member.map_or(Value::NilBulk, |(member, _)| Value::Bulk(member.clone())));
    }
    random_count(&argv[2], false)?;
    let with_scores = match argv.get(3) {
        None => false,
        Some(word) if argv.len() == 4 && is(word, "WITHSCORES") => true,
        Some(_) => return syntax(),
    };
    let count = random_count(&argv[2], with_scores)?;
    let Some(len) = cx.zset(key)?.map(ZSetVal::len) else { return Ok(Value::Array(vec![])) };
    check_count(cx, count)?;
    let positions = random_positions(cx, len, count);
    let Some(zset) = cx.zset(key)? else { return Ok(Value::Array(vec![])) };
    let chosen = positions.into_iter().filter_map(|n| zset.nth(n));
    let chosen: Vec<(Bytes, f64)> = chosen.map(|(member, score)| (member.clone(), score)).collect();
    if with_scores {
        return Ok(pairs(cx, chosen, cx.resp3()));
    }
    Ok(Value::Array(chosen.into_iter().map(|(member, _)| Value::Bulk(member)).collect()))
}
