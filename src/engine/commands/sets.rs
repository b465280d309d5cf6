//! Sets. SSCAN is in `scan`.

use crate::args::{int_within, is, positive, syntax};
use crate::context::{Ctx, Fail, Reply, WRONG_TYPE};
use crate::notify::Class;
use crate::value::{Data, SetVal};
use ground::resp::{Bytes, Value};
use ground::sorted::sort_by;
use std::rc::Rc;

use super::hashes::{check_count, random_count, random_positions};

pub fn sadd(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let limits = cx.limits().clone();
    if cx.set_at(key)?.is_none() {
        cx.add(key, Data::Set(Rc::new(SetVal::new(&argv[2], &limits))));
    }
    let Some(set) = cx.set_mut(key)? else { return Err(WRONG_TYPE.into()) };
    let new = argv[2..].iter().filter(|member| set.add(member, &limits)).count();
    if new > 0 {
        cx.changed(key, Class::Set, "sadd");
    }
    Ok(Value::int(new))
}

pub fn srem(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    if cx.set_at(key)?.is_none() {
        return Ok(Value::Int(0));
    }
    let Some(set) = cx.set_mut(key)? else { return Ok(Value::Int(0)) };
    let gone = argv[2..].iter().filter(|member| set.remove(member)).count();
    if gone > 0 {
        cx.changed(key, Class::Set, "srem");
        cx.drop_if_empty(key);
    }
    Ok(Value::int(gone))
}

pub fn scard(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::int(cx.set_at(&argv[1])?.map_or(0, SetVal::len)))
}

pub fn sismember(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::Int(cx.set_at(&argv[1])?.is_some_and(|set| set.contains(&argv[2])).into()))
}

pub fn smismember(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let set = cx.set_at(&argv[1])?;
    let has = |member: &Bytes| Value::Int(set.is_some_and(|set| set.contains(member)).into());
    Ok(Value::Array(argv[2..].iter().map(has).collect()))
}

fn members_reply(cx: &Ctx<'_>, members: Vec<Bytes>) -> Value {
    cx.set(members.into_iter().map(Value::Bulk).collect())
}

pub fn smembers(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let members = cx.set_at(&argv[1])?.map(SetVal::members).unwrap_or_default();
    Ok(members_reply(cx, members))
}

pub fn smove(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (from, to, member) = (&argv[1], &argv[2], &argv[3]);
    if cx.lookup(from).is_none() {
        return Ok(Value::Int(0));
    }
    let there = cx.set_at(from)?.is_some_and(|set| set.contains(member));
    cx.set_at(to)?;
    if from == to {
        return Ok(Value::Int(there.into()));
    }
    if !there {
        return Ok(Value::Int(0));
    }
    if let Some(set) = cx.set_mut(from)? {
        set.remove(member);
    }
    cx.changed(from, Class::Set, "srem");
    cx.drop_if_empty(from);
    let limits = cx.limits().clone();
    if cx.set_at(to)?.is_none() {
        cx.add(to, Data::Set(Rc::new(SetVal::new(member, &limits))));
    }
    if cx.set_mut(to)?.is_some_and(|set| set.add(member, &limits)) {
        cx.changed(to, Class::Set, "sadd");
    }
    Ok(Value::Int(1))
}

pub fn spop(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let count = match argv {
        [_, _] => None,
        [_, _, count] => Some(positive(count)?),
        _ => return syntax(),
    };
    let Some(len) = cx.set_at(key)?.map(SetVal::len) else {
        return Ok(if count.is_some() { cx.set(vec![]) } else { Value::NilBulk });
    };
    let positions = random_positions(cx, len, count.unwrap_or(1));
    if positions.is_empty() {
        return Ok(cx.set(vec![]));
    }
    let Some(set) = cx.set_mut(key)? else { return Ok(Value::NilBulk) };
    let gone = set.at(positions);
    for member in &gone {
        set.remove(member);
    }
    cx.changed(key, Class::Set, "spop");
    cx.drop_if_empty(key);
    match count {
        Some(_) => Ok(members_reply(cx, gone)),
        None => Ok(gone.into_iter().next().map_or(Value::NilBulk, Value::Bulk)),
    }
}

pub fn srandmember(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let count = match argv {
        [_, _] => None,
        [_, _, count] => Some(random_count(count, false)?),
        _ => return syntax(),
    };
    let Some(len) = cx.set_at(key)?.map(SetVal::len) else {
        return Ok(if count.is_some() { Value::Array(vec![]) } else { Value::NilBulk });
    };
    check_count(cx, count.unwrap_or(1))?;
    let positions = random_positions(cx, len, count.unwrap_or(1));
    let Some(set) = cx.set_at(key)? else { return Ok(Value::NilBulk) };
    let mut chosen = set.at(positions).into_iter().map(Value::Bulk);
    match count {
        Some(_) => Ok(Value::Array(chosen.collect())),
        None => Ok(chosen.next().unwrap_or(Value::NilBulk)),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    Union,
    Inter,
    Diff,
}

/// Returns the members of the combined sets, in the order of the first set that has them.
fn combine(cx: &mut Ctx<'_>, keys: &[Bytes], op: Op) -> Result<Vec<Bytes>, Fail> {
    let mut sets: Vec<Option<Rc<SetVal>>> = Vec::with_capacity(keys.len());
    for key in keys {
        sets.push(match cx.read(key).map(|obj| obj.data().clone()) {
            None => None,
            Some(Data::Set(set)) => Some(set),
            Some(_) => return Err(WRONG_TYPE.into()),
        });
    }
    let has = |set: &Option<Rc<SetVal>>, member: &Bytes| {
        set.as_ref().is_some_and(|set| set.contains(member))
    };
    match op {
        Op::Inter => {
            if sets.iter().any(Option::is_none) {
                return Ok(Vec::new());
            }
            // Redis walks the smallest set.
            let size = |set: &Option<Rc<SetVal>>| set.as_ref().map_or(0, |set| set.len());
            sort_by(&mut sets, |a, b| size(a).cmp(&size(b)));
            let (first, rest) = sets.split_first().map_or((None, &[][..]), |(f, r)| (f.clone(), r));
            let mut members = first.map(|set| set.members()).unwrap_or_default();
            members.iter().try_for_each(|member| cx.visits_text(member, keys.len()))?;
            members.retain(|member| rest.iter().all(|set| has(set, member)));
            Ok(members)
        }
        Op::Diff => {
            let Some((Some(first), rest)) = sets.split_first() else { return Ok(Vec::new()) };
            let mut members = first.members();
            members.iter().try_for_each(|member| cx.visits_text(member, keys.len()))?;
            members.retain(|member| !rest.iter().any(|set| has(set, member)));
            Ok(members)
        }
        Op::Union => {
            let mut seen = crate::dict::Dict::default();
            let mut members = Vec::new();
            for member in sets.iter().flatten().flat_map(|set| set.members()) {
                cx.visits_text(&member, 1)?;
                if seen.insert(&member, ()).is_none() {
                    members.push(member);
                }
            }
            Ok(members)
        }
    }
}

pub fn sunion(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let members = combine(cx, &argv[1..], Op::Union)?;
    Ok(members_reply(cx, members))
}

pub fn sinter(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let members = combine(cx, &argv[1..], Op::Inter)?;
    Ok(members_reply(cx, members))
}

pub fn sdiff(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let members = combine(cx, &argv[1..], Op::Diff)?;
    Ok(members_reply(cx, members))
}

fn store(cx: &mut Ctx<'_>, argv: &[Bytes], op: Op, event: &str) -> Reply {
    let to = &argv[1];
    let members = combine(cx, &argv[2..], op)?;
    if members.is_empty() {
        if cx.delete(to) {
            cx.changed(to, Class::Generic, "del");
        }
        return Ok(Value::Int(0));
    }
    cx.take_room_of(members.iter())?;
    let limits = cx.limits().clone();
    let mut set = SetVal::new(&members[0], &limits);
    for member in &members {
        set.add(member, &limits);
    }
    cx.replace(to, Data::Set(Rc::new(set)), false);
    cx.changed(to, Class::Set, event);
    Ok(Value::int(members.len()))
}

pub fn sunionstore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    store(cx, argv, Op::Union, "sunionstore")
}

pub fn sinterstore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    store(cx, argv, Op::Inter, "sinterstore")
}

pub fn sdiffstore(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    store(cx, argv, Op::Diff, "sdiffstore")
}

/// Parses `numkeys key... [LIMIT n]`, with the error texts that SINTERCARD and ZINTERCARD share.
fn card_args(args: &[Bytes]) -> Result<(&[Bytes], usize), Fail> {
    let n = int_within(&args[0], 1, i64::MAX, Some("ERR numkeys should be greater than 0"))?;
    let keys = &args[1..];
    let (keys, rest) = match usize::try_from(n) {
        Ok(n) if n <= keys.len() => keys.split_at(n),
        _ => return Err("ERR Number of keys can't be greater than number of args".into()),
    };
    let mut limit = 0;
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let Some(n) = rest.next().filter(|_| is(word, "LIMIT")) else { return syntax() };
        limit = int_within(n, 0, i64::MAX, Some("ERR LIMIT can't be negative"))?;
    }
    let limit = if limit == 0 { usize::MAX } else { usize::try_from(limit).unwrap_or(usize::MAX) };
    Ok((keys, limit))
}

pub fn sintercard(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (keys, limit) = card_args(&argv[1..])?;
    Ok(Value::int(combine(cx, keys, Op::Inter)?.len().min(limit)))
}
