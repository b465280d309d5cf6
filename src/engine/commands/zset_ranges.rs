//! Ranges of sorted sets by rank, score and member: ZRANGE in all its forms, ZRANGESTORE, the
//! older commands, counts and removals.

use std::rc::Rc;

use crate::args::{int, is, span, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use crate::value::{Data, ZSetVal};
use ground::resp::{Bytes, Value, number};

/// One bound of a range; the caller knows if it is the lower or the upper one.
#[derive(Debug, Clone, Copy)]
struct ScoreBound {
    score: f64,
    exclusive: bool,
}

#[derive(Debug, Clone, Copy)]
enum LexBound<'a> {
    Lowest,
    Highest,
    Member { member: &'a [u8], exclusive: bool },
}

#[derive(Debug, Clone, Copy)]
enum Range<'a> {
    Rank(i64, i64),
    Score(ScoreBound, ScoreBound),
    Lex(LexBound<'a>, LexBound<'a>),
}

fn score_bound(arg: &[u8]) -> Result<ScoreBound, Fail> {
    let (text, exclusive) = match arg.strip_prefix(b"(") {
        Some(rest) => (rest, true),
        None => (arg, false),
    };
    // strtod is content with nothing, and skips leading space.
    let text = text.trim_ascii_start();
    let score = if text.is_empty() { Some(0.0) } else { number::parse_double_or_limit(text) };
    match score {
        Some(score) => Ok(ScoreBound { score, exclusive }),
        None => Err("ERR min or max is not a float".into()),
    }
}

fn lex_bound(arg: &[u8]) -> Result<LexBound<'_>, Fail> {
    match arg {
        b"-" => Ok(LexBound::Lowest),
        b"+" => Ok(LexBound::Highest),
        [b'[', member @ ..] => Ok(LexBound::Member { member, exclusive: false }),
        [b'(', member @ ..] => Ok(LexBound::Member { member, exclusive: true }),
        _ => Err("ERR min or max not valid string range item".into()),
    }
}

impl Range<'_> {
    /// Returns the positions in the range, `start..end`.
    fn positions(&self, zset: &ZSetVal, reverse: bool) -> (usize, usize) {
        let len = zset.len();
        match *self {
            Range::Rank(start, stop) => {
                let (start, end) = span(start, stop, len);
                if reverse && start < end { (len - end, len - start) } else { (start, end) }
            }
            Range::Score(min, max) => {
                let below = |s: f64| if min.exclusive { s <= min.score } else { s < min.score };
                let within = |s: f64| if max.exclusive { s < max.score } else { s <= max.score };
                let start = zset.partition_point(|_, s| below(s));
                (start, zset.partition_point(|_, s| within(s)).max(start))
            }
            Range::Lex(min, max) => {
                let start = zset.partition_point(|m, _| match min {
                    LexBound::Lowest => false,
                    LexBound::Highest => true,
                    LexBound::Member { member, exclusive: true } => m <= member,
                    LexBound::Member { member, exclusive: false } => m < member,
                });
                let end = zset.partition_point(|m, _| match max {
                    LexBound::Lowest => false,
                    LexBound::Highest => true,
                    LexBound::Member { member, exclusive: true } => m < member,
                    LexBound::Member { member, exclusive: false } => m <= member,
                });
                (start, end.max(start))
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Rank,
    Score,
    Lex,
    /// Not given yet: BYSCORE or BYLEX may follow.
    Unsaid,
}

/// The options that a form of ZRANGE fixes: ZRANGEBYSCORE, ZREVRANGE and the rest.
#[derive(Debug, Clone, Copy)]
struct Form {
    by: By,
    reverse: Option<bool>,
    store: bool,
}

fn zrange_form(cx: &mut Ctx<'_>, argv: &[Bytes], form: Form) -> Reply {
    let at = if form.store { 2 } else { 1 };
    let (key, first, second) = (&argv[at], &argv[at + 1], &argv[at + 2]);
    let mut by = form.by;
    let mut reverse = form.reverse.unwrap_or(false);
    let (mut with_scores, mut limit) = (false, None);
    let mut rest = argv[at + 3..].iter();
    while let Some(arg) = rest.next() {
        if !form.store && is(arg, "WITHSCORES") {
            with_scores = true;
        } else if is(arg, "LIMIT") && rest.len() >= 2 {
            let mut number = || int(rest.next().map_or(&[][..], |arg| arg));
            limit = Some((number()?, number()?));
        } else if form.reverse.is_none() && is(arg, "REV") {
            reverse = true;
        } else if by == By::Unsaid && is(arg, "BYLEX") {
            by = By::Lex;
        } else if by == By::Unsaid && is(arg, "BYSCORE") {
            by = By::Score;
        } else {
            return syntax();
        }
    }
    if by == By::Unsaid {
        by = By::Rank;
    }
    if limit.is_some() && by == By::Rank {
        return Err(
            "ERR syntax error, LIMIT is only supported in combination with either BYSCORE \
                    or BYLEX"
                .into(),
        );
    }
    if with_scores && by == By::Lex {
        return Err("ERR syntax error, WITHSCORES not supported in combination with BYLEX".into());
    }
    // By score or member, a reversed range is given from its far end.
    let (low, high) = if reverse && by != By::Rank { (second, first) } else { (first, second) };
    let range = match by {
        By::Score => Range::Score(score_bound(low)?, score_bound(high)?),
        By::Lex => Range::Lex(lex_bound(low)?, lex_bound(high)?),
        _ => Range::Rank(int(low)?, int(high)?),
    };
    let found = select(cx, key, range, reverse, limit)?;
    if form.store {
        return store(cx, &argv[1], found);
    }
    Ok(members_reply(cx, found, with_scores))
}

/// Returns the members in `range`, in the requested order.
fn select(
    cx: &mut Ctx<'_>,
    key: &Bytes,
    range: Range<'_>,
    reverse: bool,
    limit: Option<(i64, i64)>,
) -> Result<Vec<(Bytes, f64)>, Fail> {
    let Some(zset) = cx.zset(key)? else { return Ok(Vec::new()) };
    let (start, end) = range.positions(zset, reverse);
    let (mut skip, mut take) = (0, usize::MAX);
    if let Some((offset, count)) = limit {
        if offset < 0 {
            return Ok(Vec::new());
        }
        skip = usize::try_from(offset).unwrap_or(usize::MAX);
        take = usize::try_from(count).unwrap_or(usize::MAX);
    }
    let (start, end) = if reverse {
        let end = end.saturating_sub(skip).max(start);
        (end.saturating_sub(take).max(start), end)
    } else {
        let start = start.saturating_add(skip).min(end);
        (start, start.saturating_add(take).min(end))
    };
    let found = zset.range(start, end).map(|(member, score)| (member.clone(), score));
    Ok(if reverse { found.rev().collect() } else { found.collect() })
}

pub fn members_reply(cx: &Ctx<'_>, members: Vec<(Bytes, f64)>, with_scores: bool) -> Value {
    let mut out = Vec::with_capacity(members.len());
    for (member, score) in members {
        match (with_scores, cx.resp3()) {
            (false, _) => out.push(Value::Bulk(member)),
            (true, false) => out.extend([Value::Bulk(member), cx.double(score)]),
            (true, true) => {
                out.push(Value::Array(vec![Value::Bulk(member), cx.double(score)]));
            }
        }
    }
    Value::Array(out)
}

/// Stores `members` under `to`, replacing its value; an empty list removes the key.
fn store(cx: &mut Ctx<'_>, to: &Bytes, members: Vec<(Bytes, f64)>) -> Reply {
    let len = members.len();
    store_as(cx, to, members, "zrangestore")?;
    Ok(Value::int(len))
}

pub fn store_as(
    cx: &mut Ctx<'_>,
    to: &Bytes,
    members: Vec<(Bytes, f64)>,
    event: &str,
) -> Result<(), Fail> {
    cx.take_room_of(members.iter().map(|(member, _)| member))?;
    if members.is_empty() {
        if cx.delete(to) {
            cx.changed(to, Class::Generic, "del");
        }
        return Ok(());
    }
    let limits = cx.limits().clone();
    let mut zset = ZSetVal::default();
    // Redis builds a skip list, and goes over to a listpack at the end if it can.
    let long = members.iter().any(|(member, _)| member.len() > limits.zset_value);
    if long || members.len() > limits.zset_entries {
        zset.leave_listpack();
    }
    for (member, score) in &members {
        zset.insert(member, *score, &limits);
    }
    // Removed first, so that who waits for the key is told of a new one.
    cx.delete(to);
    cx.add(to, Data::ZSet(Rc::new(zset)));
    cx.changed(to, Class::ZSet, event);
    Ok(())
}

pub fn zrange(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    zrange_form(cx, argv, Form { by: By::Unsaid, reverse: None, store: false })
}

pub fn zrangestore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    zrange_form(cx, argv, Form { by: By::Unsaid, reverse: None, store: true })
}

pub fn zrevrange(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    zrange_form(cx, argv, Form { by: By::Rank, reverse: Some(true), store: false })
}

pub fn zrangebyscore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    zrange_form(cx, argv, Form { by: By::Score, reverse: Some(false), store: false })
}

pub fn zrevrangebyscore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    zrange_form(cx, argv, Form { by: By::Score, reverse: Some(true), store: false })
}

pub fn zrangebylex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    zrange_form(cx, argv, Form { by: By::Lex, reverse: Some(false), store: false })
}

pub fn zrevrangebylex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    zrange_form(cx, argv, Form { by: By::Lex, reverse: Some(true), store: false })
}

fn count(cx: &mut Ctx<'_>, key: &Bytes, range: Range<'_>) -> Reply {
    let Some(zset) = cx.zset(key)? else { return Ok(Value::Int(0)) };
    let (start, end) = range.positions(zset, false);
    Ok(Value::int(end - start))
}

pub fn zcount(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let range = Range::Score(score_bound(&argv[2])?, score_bound(&argv[3])?);
    count(cx, &argv[1], range)
}

pub fn zlexcount(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let range = Range::Lex(lex_bound(&argv[2])?, lex_bound(&argv[3])?);
    count(cx, &argv[1], range)
}

fn remove(cx: &mut Ctx<'_>, key: &Bytes, range: Range<'_>, event: &str) -> Reply {
    let Some(zset) = cx.zset(key)? else { return Ok(Value::Int(0)) };
    let (start, end) = range.positions(zset, false);
    if start < end {
        if let Some(zset) = cx.zset_mut(key)? {
            zset.remove_range(start, end);
        }
        cx.changed(key, Class::ZSet, event);
        cx.drop_if_empty(key);
    }
    Ok(Value::int(end - start))
}

pub fn zremrangebyrank(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let range = Range::Rank(int(&argv[2])?, int(&argv[3])?);
    remove(cx, &argv[1], range, "zremrangebyrank")
}

pub fn zremrangebyscore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let range = Range::Score(score_bound(&argv[2])?, score_bound(&argv[3])?);
    remove(cx, &argv[1], range, "zremrangebyscore")
}

pub fn zremrangebylex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let range = Range::Lex(lex_bound(&argv[2])?, lex_bound(&argv[3])?);
    remove(cx, &argv[1], range, "zremrangebylex")
}
