//! ZUNION, ZINTER, ZDIFF and the variants that store or count the result.

use crate::args::{float_or, int, int_within, is, syntax};
use crate::context::{Ctx, Fail, Reply, WRONG_TYPE};
use crate::dict::Dict;
use crate::value::{Data, Score};
use ground::resp::{Bytes, Value};
use ground::sorted::sort_by;

use super::zset_ranges::{members_reply, store_as};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    Union,
    Inter,
    Diff,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aggregate {
    Sum,
    Min,
    Max,
}

impl Aggregate {
    fn of(self, a: f64, b: f64) -> f64 {
        match self {
            // The sum of two infinities of opposite sign is defined to be 0.
            Aggregate::Sum if (a + b).is_nan() => 0.0,
            Aggregate::Sum => a + b,
            Aggregate::Min => a.min(b),
            Aggregate::Max => a.max(b),
        }
    }
}

#[derive(Debug)]
struct Query<'a> {
    keys: &'a [Bytes],
    weights: Vec<f64>,
    aggregate: Aggregate,
    with_scores: bool,
}

/// Parses `numkeys key...`; returns the keys and the rest. Types are checked before options are
/// parsed.
fn keys_of<'a>(cx: &mut Ctx<'_>, args: &'a [Bytes]) -> Result<(&'a [Bytes], &'a [Bytes]), Fail> {
    let n = int(&args[0])?;
    if n < 1 {
        let name = cx.command.name;
        return Err(format!("ERR at least 1 input key is needed for '{name}' command").into());
    }
    let (keys, rest) = match usize::try_from(n) {
        Ok(n) if n < args.len() => args[1..].split_at(n),
        _ => return syntax(),
    };
    for key in keys {
        source(cx, key)?;
    }
    Ok((keys, rest))
}

fn parse<'a>(cx: &mut Ctx<'_>, args: &'a [Bytes], op: Op, store: bool) -> Result<Query<'a>, Fail> {
    let (keys, rest) = keys_of(cx, args)?;
    let weights = vec![1.0; keys.len()];
    let mut query = Query { keys, weights, aggregate: Aggregate::Sum, with_scores: false };
    let mut rest = rest;
    while let Some((word, tail)) = rest.split_first() {
        if op != Op::Diff && is(word, "WEIGHTS") && tail.len() >= keys.len() {
            let (weights, tail) = tail.split_at(keys.len());
            for (weight, arg) in query.weights.iter_mut().zip(weights) {
                *weight = float_or(arg, "ERR weight value is not a float")?;
            }
            rest = tail;
        } else if op != Op::Diff && is(word, "AGGREGATE") && !tail.is_empty() {
            query.aggregate = match () {
                () if is(&tail[0], "SUM") => Aggregate::Sum,
                () if is(&tail[0], "MIN") => Aggregate::Min,
                () if is(&tail[0], "MAX") => Aggregate::Max,
                () => return syntax(),
            };
            rest = &tail[1..];
        } else if !store && is(word, "WITHSCORES") {
            query.with_scores = true;
            rest = tail;
        } else {
            return syntax();
        }
    }
    Ok(query)
}

/// Returns the members of a set or sorted set, with scores (1 for a set's).
fn source(cx: &mut Ctx<'_>, key: &Bytes) -> Result<Option<Data>, Fail> {
    match cx.read(key).map(|obj| obj.data()) {
        None => Ok(None),
        Some(data @ (Data::Set(_) | Data::ZSet(_))) => Ok(Some(data.clone())),
        Some(_) => Err(WRONG_TYPE.into()),
    }
}

fn score_in(source: &Option<Data>, member: &[u8]) -> Option<f64> {
    match source {
        Some(Data::Set(set)) => set.contains(member).then_some(1.0),
        Some(Data::ZSet(zset)) => zset.score(member),
        _ => None,
    }
}

fn members_of(source: &Option<Data>) -> Vec<(Bytes, f64)> {
    match source {
        Some(Data::Set(set)) => set.members().into_iter().map(|member| (member, 1.0)).collect(),
        Some(Data::ZSet(zset)) => zset.iter().map(|(m, s)| (m.clone(), s)).collect(),
        _ => Vec::new(),
    }
}

fn size(source: &Option<Data>) -> usize {
    match source {
        Some(Data::Set(set)) => set.len(),
        Some(Data::ZSet(zset)) => zset.len(),
        _ => 0,
    }
}

/// Returns the resulting members, in order of score, then of member.
fn evaluate(cx: &mut Ctx<'_>, query: &Query<'_>, op: Op) -> Result<Vec<(Bytes, f64)>, Fail> {
    let mut sources = Vec::with_capacity(query.keys.len());
    for (key, weight) in query.keys.iter().zip(&query.weights) {
        sources.push((source(cx, key)?, *weight));
    }
    let weighted = |score: f64, weight: f64| {
        let product = score * weight;
        if product.is_nan() { 0.0 } else { product }
    };
    let mut result: Vec<(Bytes, f64)> = Vec::new();
    match op {
        Op::Diff => {
            if let Some(((first, _), rest)) = sources.split_first() {
                result = members_of(first);
                result.iter().try_for_each(|(m, _)| cx.visits_text(m, query.keys.len()))?;
                result.retain(|(m, _)| !rest.iter().any(|(set, _)| score_in(set, m).is_some()));
            }
        }
        Op::Inter => {
            // Redis goes from the smallest set to the largest; sums of doubles depend on it.
            sort_by(&mut sources, |(a, _), (b, _)| size(a).cmp(&size(b)));
            let Some(((first, weight), rest)) = sources.split_first() else { return Ok(result) };
            'members: for (member, score) in members_of(first) {
                cx.visits_text(&member, query.keys.len())?;
                let mut total = weighted(score, *weight);
                for (set, weight) in rest {
                    let Some(score) = score_in(set, &member) else { continue 'members };
                    total = query.aggregate.of(total, weighted(score, *weight));
                }
                result.push((member, total));
            }
        }
        Op::Union => {
            sort_by(&mut sources, |(a, _), (b, _)| size(a).cmp(&size(b)));
            let mut totals: Dict<Score> = Dict::default();
            for (set, weight) in &sources {
                for (member, score) in members_of(set) {
                    cx.visits_text(&member, 1)?;
                    let score = weighted(score, *weight);
                    match totals.get_mut(&member) {
                        Some(total) => {
                            *total = Score::new(query.aggregate.of(total.get(), score));
                        }
                        None => drop(totals.insert(&member, Score::new(score))),
                    }
                }
            }
            result = totals.iter().map(|(m, s)| (m.clone(), s.get())).collect();
        }
    }
    let by_score = |(a, x): &(Bytes, f64), (b, y): &(Bytes, f64)| {
        Score::new(*x).cmp(&Score::new(*y)).then_with(|| a.cmp(b))
    };
    sort_by(&mut result, by_score);
    Ok(result)
}

fn answer(cx: &mut Ctx<'_>, argv: &[Bytes], op: Op) -> Reply {
    let query = parse(cx, &argv[1..], op, false)?;
    let members = evaluate(cx, &query, op)?;
    Ok(members_reply(cx, members, query.with_scores))
}

fn store(cx: &mut Ctx<'_>, argv: &[Bytes], op: Op, event: &str) -> Reply {
    let query = parse(cx, &argv[2..], op, true)?;
    let members = evaluate(cx, &query, op)?;
    let len = members.len();
    store_as(cx, &argv[1], members, event)?;
    Ok(Value::int(len))
}

pub fn zunion(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    answer(cx, argv, Op::Union)
}

pub fn zinter(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    answer(cx, argv, Op::Inter)
}

pub fn zdiff(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    answer(cx, argv, Op::Diff)
}

pub fn zunionstore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    store(cx, argv, Op::Union, "zunionstore")
}

pub fn zinterstore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    store(cx, argv, Op::Inter, "zinterstore")
}

pub fn zdiffstore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    store(cx, argv, Op::Diff, "zdiffstore")
}

pub fn zintercard(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (keys, mut rest) = keys_of(cx, &argv[1..])?;
    let mut limit = 0;
    while let [word, n, tail @ ..] = rest {
        if !is(word, "LIMIT") {
            return syntax();
        }
        limit = int_within(n, 0, i64::MAX, Some("ERR LIMIT can't be negative"))?;
        rest = tail;
    }
    if !rest.is_empty() {
        return syntax();
    }
    let weights = vec![1.0; keys.len()];
    let query = Query { keys, weights, aggregate: Aggregate::Sum, with_scores: false };
    let found = evaluate(cx, &query, Op::Inter)?.len();
    let limit = if limit == 0 { usize::MAX } else { usize::try_from(limit).unwrap_or(usize::MAX) };
    Ok(Value::int(found.min(limit)))
}
