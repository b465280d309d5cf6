//! Deletion of stream entries with regard to consumer groups (Redis 8.2): XDELEX, XACKDEL, and what
//! XADD and XTRIM share with them.

use std::rc::Rc;

use crate::args::{int_within, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use crate::stream::{Stream, StreamId};
use ground::resp::{Bytes, Value};

/// What becomes of the references that groups have to a deleted entry, which is pending there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum References {
    /// They stay, as with XDEL.
    #[default]
    Keep,
    Delete,
    /// An entry that some group has not acknowledged, or not read, is not deleted.
    Acked,
}

impl References {
    /// Returns what an option asks for.
    pub fn of_word(word: &[u8]) -> Option<References> {
        let words = [
            ("KEEPREF", References::Keep),
            ("DELREF", References::Delete),
            ("ACKED", References::Acked),
        ];
        words.into_iter().find(|(known, _)| is(word, known)).map(|(_, references)| references)
    }
}

/// The answers for one id.
const NONE: i64 = -1;
const DELETED: i64 = 1;
const STILL_NEEDED: i64 = 2;

/// Parses `[KEEPREF|DELREF|ACKED] IDS numids id …`, in any order.
fn parse(args: &[Bytes]) -> Result<(References, &[Bytes]), Fail> {
    let (mut references, mut ids) = (None, None);
    let mut rest = args;
    while let [word, more @ ..] = rest {
        rest = more;
        match References::of_word(word) {
            Some(asked) if references.is_none() => references = Some(asked),
            None if is(word, "IDS") => {
                let [number, more @ ..] = more else { return syntax() };
                let wrong = "ERR Number of IDs must be a positive integer";
                let number = int_within(number, 1, i64::MAX, Some(wrong))?;
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                let Some((named, more)) = more.split_at_checked(number) else {
                    let wrong = "ERR The `numids` parameter must match the number of arguments";
                    return Err(wrong.into());
                };
                ids = Some(named);
                rest = more;
            }
            _ => return syntax(),
        }
    }
    ids.map_or_else(syntax, |ids| Ok((references.unwrap_or_default(), ids)))
}

/// Returns true if a group has still to acknowledge the entry, or to read it.
///
/// DIFFERENCE: Redis 8.2.3 keeps the least position of all groups, and does not look for it again
/// when XGROUP DESTROY removes the group that was there: entries that only this group had not read
/// stay until another group moves. Here they may go at once.
pub fn is_needed(stream: &Stream, id: StreamId) -> bool {
    let mut groups = stream.groups.iter();
    groups.any(|(_, group)| group.last_id < id || group.pending.contains_key(&id))
}

/// Takes the entry out of every group's pending ones; returns true if it was in one.
pub fn forget(stream: &mut Stream, id: StreamId) -> bool {
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
    let has_group = |stream: &Stream| group.is_none_or(|group| stream.groups.contains_key(group));
    if !cx.stream(key)?.is_some_and(has_group) {
        return Ok(Value::Array(vec![Value::Int(NONE); ids.len()]));
    }
    let ids: Vec<StreamId> =
        ids.iter().map(|id| StreamId::parse(id, 0)).collect::<Result<_, _>>()?;
    let Some(stream) = cx.stream_mut(key)? else { return Ok(Value::Array(Vec::new())) };
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
            (true, _) => STILL_NEEDED,
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
