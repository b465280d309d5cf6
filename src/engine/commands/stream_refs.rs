//! Deletion of stream entries with regard to consumer groups: XDELEX, XACKDEL (Redis 8.2).

use std::rc::Rc;

use crate::args::{int_within, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use crate::stream::{Stream, StreamId};
use ground::resp::{Bytes, Value};

/// What becomes of the references that groups have to a deleted entry, which is pending there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum References {
    /// They stay, as with XDEL.
    #[default]
    Keep,
    Delete,
    /// An entry that some group has not acknowledged, or not read, is not deleted.
    Acked,
}

/// The answers for one id.
const NONE: i64 = -1;
const DELETED: i64 = 1;
const STILL_NEEDED: i64 = 2;

/// Parses `[KEEPREF|DELREF|ACKED] IDS numids id …`, in any order.
fn parse(args: &[Bytes]) -> Result<(References, Vec<StreamId>), Fail> {
    let (mut references, mut ids) = (References::default(), None);
    let mut rest = args;
    while let [word, more @ ..] = rest {
        rest = more;
        match () {
            () if is(word, "KEEPREF") => references = References::Keep,
            () if is(word, "DELREF") => references = References::Delete,
            () if is(word, "ACKED") => references = References::Acked,
            () if is(word, "IDS") && ids.is_none() => {
                let [number, more @ ..] = more else { return syntax() };
                let wrong = "ERR Number of IDs must be a positive integer";
                let number = int_within(number, 1, i64::MAX, Some(wrong))?;
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                let Some((named, more)) = more.split_at_checked(number) else {
                    let wrong = "ERR The `numids` parameter must match the number of arguments";
                    return Err(wrong.into());
                };
                let parsed = named.iter().map(|id| StreamId::parse(id, 0));
                ids = Some(parsed.collect::<Result<Vec<_>, _>>()?);
                rest = more;
            }
            () => return syntax(),
        }
    }
    ids.map_or_else(syntax, |ids| Ok((references, ids)))
}

/// Returns true if a group has still to acknowledge the entry, or to read it.
fn is_needed(stream: &Stream, id: StreamId) -> bool {
    let mut groups = stream.groups.iter();
    groups.any(|(_, group)| group.last_id < id || group.pending.contains_key(&id))
}

/// Takes the entry out of every group's pending ones; returns true if it was in one.
fn forget(stream: &mut Stream, id: StreamId) -> bool {
    let names: Vec<Bytes> = stream.groups.iter().map(|(name, _)| name.clone()).collect();
    let mut found = false;
    for name in names {
        let group = stream.groups.get_mut(&name).filter(|group| group.pending.contains_key(&id));
        found |= group.is_some_and(|group| Rc::make_mut(group).acknowledge(id));
    }
    found
}

/// Deletes the entries, with `group` only those that are pending there, which it acknowledges.
fn delete(cx: &mut Ctx<'_>, key: &Bytes, group: Option<&Bytes>, args: &[Bytes]) -> Reply {
    cx.stream(key)?;
    let (references, ids) = parse(args)?;
    let none = || Value::Array(vec![Value::Int(NONE); ids.len()]);
    let Some(stream) = cx.stream_mut(key)? else { return Ok(none()) };
    let (mut answers, mut deleted, mut changed) = (Vec::new(), 0, 0);
    for id in &ids {
        let acknowledged = group.map(|name| {
            let group = stream.groups.get_mut(name);
            let group = group.filter(|group| group.pending.contains_key(id));
            group.is_some_and(|group| Rc::make_mut(group).acknowledge(*id))
        });
        if acknowledged == Some(false) {
            answers.push(Value::Int(NONE));
            continue;
        }
        changed += usize::from(acknowledged.is_some());
        if references == References::Delete {
            changed += usize::from(forget(stream, *id));
        }
        let is_needed = references == References::Acked && is_needed(stream, *id);
        let is_gone = !is_needed && stream.delete(*id);
        deleted += usize::from(is_gone);
        answers.push(Value::Int(match (is_needed, is_gone) {
            (true, _) if acknowledged.is_some() || stream.contains(*id) => STILL_NEEDED,
            (false, true) => DELETED,
            // Acknowledged, and deleted before.
            (false, false) if acknowledged.is_some() => DELETED,
            _ => NONE,
        }));
    }
    match deleted {
        0 => cx.changed_quietly(key, changed),
        _ => cx.changed(key, Class::Stream, "xdel"),
    }
    Ok(Value::Array(answers))
}

pub fn xdelex(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    delete(cx, &argv[1], None, &argv[2..])
}

pub fn xackdel(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    delete(cx, &argv[1], Some(&argv[2]), &argv[3..])
}
