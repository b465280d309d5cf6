//! Streams without groups: XADD, ranges, trimming, deletion, XSETID.

use crate::args::{arity, int, is, syntax};
use crate::context::{Ctx, Fail, NO_KEY, Reply};
use crate::notify::Class;
use crate::stream::{NODE_ENTRIES, Stream, StreamEntry, StreamId, interval};
use crate::value::Kind;
use ground::resp::{Bytes, Value};

use super::stream_refs::{References, forget, is_needed};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    Len(u64),
    From(StreamId),
}

#[derive(Debug, Default)]
struct AddOrTrim {
    no_mkstream: bool,
    keep: Option<Keep>,
    approximate: bool,
    limit: Option<i64>,
    references: Option<References>,
    /// The position of XADD's id among the arguments, and the id; `None` for `*`.
    id_at: usize,
    id: Option<(StreamId, bool)>,
}

fn parse(cx: &Ctx<'_>, argv: &[Bytes], xadd: bool) -> Result<AddOrTrim, Fail> {
    let mut out = AddOrTrim::default();
    let mut at = 2;
    while let Some(arg) = argv.get(at) {
        let more = argv.len() - 1 - at;
        let maxlen = is(arg, "MAXLEN");
        if xadd && &**arg == b"*" {
            break;
        } else if (maxlen || is(arg, "MINID")) && more > 0 {
            if out.keep.is_some() {
                return Err("ERR syntax error, MAXLEN and MINID options at the same time are not \
                            compatible"
                    .into());
            }
            let sign = &*argv[at + 1];
            out.approximate = more >= 2 && sign == b"~";
            at += usize::from(more >= 2 && (sign == b"~" || sign == b"=")) + 1;
            out.keep = Some(if maxlen {
                match int(&argv[at])? {
                    n if n < 0 => return Err("ERR The MAXLEN argument must be >= 0.".into()),
                    n => Keep::Len(n as u64),
                }
            } else {
                Keep::From(StreamId::parse(&argv[at], 0)?)
            });
        } else if is(arg, "LIMIT") && more > 0 {
            at += 1;
            match int(&argv[at])? {
                n if n < 0 => return Err("ERR The LIMIT argument must be >= 0.".into()),
                n => out.limit = Some(n),
            }
        } else if xadd && is(arg, "NOMKSTREAM") {
            out.no_mkstream = true;
        } else if out.references.is_none() && cx.version().has_option(cx.command.name, arg) {
            out.references = References::of_word(arg);
        } else if xadd {
            out.id = Some(StreamId::parse_auto(arg, 0)?);
            break;
        } else {
            return syntax();
        }
        at += 1;
    }
    out.id_at = at;
    if out.limit.is_some_and(|n| n != 0) && out.keep.is_none() {
        return Err(
            "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy".into(),
        );
    }
    if !xadd && out.keep.is_none() {
        return Err("ERR syntax error, XTRIM must be called with a trimming strategy".into());
    }
    if out.limit.is_some() && !out.approximate {
        return Err("ERR syntax error, LIMIT cannot be used without the special ~ option".into());
    }
    Ok(out)
}

/// Trims the stream; returns the number of entries removed.
fn trim(stream: &mut Stream, how: &AddOrTrim) -> usize {
    let Some(keep) = how.keep else { return 0 };
    let len = stream.entries.len();
    let mut surplus = match keep {
        Keep::Len(max) => len.saturating_sub(usize::try_from(max).unwrap_or(usize::MAX)),
        Keep::From(id) => stream.entries_before(id),
    };
    let references = how.references.unwrap_or_default();
    if references != References::Keep {
        // Redis looks at each entry then, and removes no node as a whole.
        return if how.approximate { 0 } else { trim_each(stream, keep, surplus, references) };
    }
    if how.approximate {
        // Whole nodes only, and no more than LIMIT allows.
        let limit = match how.limit.map(usize::try_from) {
            None => 100 * NODE_ENTRIES,
            Some(Ok(0) | Err(_)) => usize::MAX,
            Some(Ok(limit)) => limit,
        };
        surplus = stream.in_whole_nodes(|last, end| {
            let is_surplus = match keep {
                Keep::Len(_) => end <= surplus,
                Keep::From(id) => last < id,
            };
            is_surplus && end <= limit
        });
    }
    stream.remove_first(surplus);
    surplus
}

/// Removes `surplus` entries with the references to them, or those that no group needs.
fn trim_each(stream: &mut Stream, keep: Keep, surplus: usize, references: References) -> usize {
    // What a group needs may be long, so that later entries go in its place.
    let among = match (keep, references) {
        (Keep::Len(_), References::Acked) => stream.entries.len(),
        _ => surplus,
    };
    let ids = stream.entries.range(0, among).map(|(id, _)| *id);
    let ids: Vec<StreamId> = match references {
        References::Acked => ids.filter(|id| !is_needed(stream, *id)).take(surplus).collect(),
        _ => ids.collect(),
    };
    for id in &ids {
        if references == References::Delete {
            forget(stream, *id);
        }
        stream.remove(*id);
    }
    ids.len()
}

pub fn xadd(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let how = parse(cx, argv, true)?;
    let fields = argv.get(how.id_at + 1..).unwrap_or_default();
    if fields.len() < 2 || !fields.len().is_multiple_of(2) {
        return arity(cx.command.name);
    }
    if how.id == Some((StreamId::ZERO, true)) {
        return Err("ERR The ID specified in XADD must be greater than 0-0".into());
    }
    if how.no_mkstream && cx.stream(key)?.is_none() {
        return Ok(Value::NilBulk);
    }
    let last = cx.stream_or_new(key)?.last_id;
    if last == StreamId::MAX {
        return Err(
            "ERR The stream has exhausted the last possible ID, unable to add more items".into()
        );
    }
    let id = match how.id {
        Some((id, true)) => Some(id),
        // The next one within that millisecond.
        Some((id, false)) if id.ms == last.ms => {
            last.seq.checked_add(1).map(|seq| StreamId { seq, ..last })
        }
        Some((id, false)) => Some(id),
        None if cx.now() > last.ms => Some(StreamId { ms: cx.now(), seq: 0 }),
        None => last.next(),
    };
    let Some(id) = id.filter(|id| *id > last) else {
        let text =
            "ERR The ID specified in XADD is equal or smaller than the target stream top item";
        return Err(text.into());
    };
    let stream = cx.stream_or_new(key)?;
    stream.add(id, fields);
    let trimmed = trim(stream, &how);
    cx.changed(key, Class::Stream, "xadd");
    if trimmed > 0 {
        cx.notify(Class::Stream, "xtrim", key);
    }
    let db = cx.db;
    cx.inst.signal_ready(db, key, Kind::Stream);
    Ok(id.value())
}

pub fn xtrim(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let how = parse(cx, argv, false)?;
    let Some(stream) = cx.stream_mut(key)? else { return Ok(Value::Int(0)) };
    let trimmed = trim(stream, &how);
    if trimmed > 0 {
        cx.changed(key, Class::Stream, "xtrim");
    }
    Ok(Value::int(trimmed))
}

pub fn xlen(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    Ok(Value::int(cx.stream(&argv[1])?.map_or(0, |stream| stream.entries.len())))
}

/// `[id, [field, value, ...]]`
pub fn entry_value((id, fields): &StreamEntry) -> Value {
    let fields = fields.iter().map(|field| Value::Bulk(field.clone())).collect();
    Value::Array(vec![id.value(), Value::Array(fields)])
}

fn range(cx: &mut Ctx<'_>, argv: &[Bytes], reverse: bool) -> Reply {
    let (start, end) = if reverse { (&argv[3], &argv[2]) } else { (&argv[2], &argv[3]) };
    let (start, end) = interval(start, end)?;
    let mut count = None;
    for option in argv[4..].chunks(2) {
        match option {
            [word, n] if is(word, "COUNT") => count = Some(int(n)?.max(0)),
            _ => return syntax(),
        }
    }
    let Some(stream) = cx.stream(&argv[1])? else { return Ok(Value::Array(vec![])) };
    let count = match count {
        Some(0) => return Ok(Value::NilArray),
        Some(n) => usize::try_from(n).unwrap_or(usize::MAX),
        None => usize::MAX,
    };
    let entries = stream.range(start, end);
    Ok(Value::Array(if reverse {
        entries.rev().take(count).map(entry_value).collect()
    } else {
        entries.take(count).map(entry_value).collect()
    }))
}

pub fn xrange(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    range(cx, argv, false)
}

pub fn xrevrange(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    range(cx, argv, true)
}

pub fn xdel(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    if cx.stream(key)?.is_none() {
        return Ok(Value::Int(0));
    }
    let ids: Vec<StreamId> =
        argv[2..].iter().map(|arg| StreamId::parse(arg, 0)).collect::<Result<_, _>>()?;
    let Some(stream) = cx.stream_mut(key)? else { return Ok(Value::Int(0)) };
    let gone = ids.into_iter().filter(|id| stream.delete(*id)).count();
    if gone > 0 {
        cx.changed(key, Class::Stream, "xdel");
    }
    Ok(Value::int(gone))
}

pub fn xsetid(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let id = StreamId::parse(&argv[2], 0)?;
    let (mut added, mut deleted) = (None, None);
    for option in argv[3..].chunks(2) {
        match option {
            [word, n] if is(word, "ENTRIESADDED") => {
                let n = int(n)?;
                if n < 0 {
                    return Err("ERR entries_added must be positive".into());
                }
                added = Some(n as u64);
            }
            [word, max] if is(word, "MAXDELETEDID") => {
                let max = StreamId::parse(max, 0)?;
                if id < max {
                    return Err("ERR The ID specified in XSETID is smaller than the provided \
                                max_deleted_entry_id"
                        .into());
                }
                deleted = Some(max);
            }
            _ => return syntax(),
        }
    }
    let Some(stream) = cx.stream(key)? else { return Err(NO_KEY.into()) };
    if let Some(last) = stream.last_entry_id() {
        if id < last {
            return Err(
                "ERR The ID specified in XSETID is smaller than the target stream top item".into(),
            );
        }
        if added.is_some_and(|added| (stream.entries.len() as u64) > added) {
            return Err("ERR The entries_added specified in XSETID is smaller than the target \
                        stream length"
                .into());
        }
    }
    if let Some(stream) = cx.stream_mut(key)? {
        stream.last_id = id;
        stream.entries_added = added.unwrap_or(stream.entries_added);
        if let Some(deleted) = deleted.filter(|id| *id != StreamId::ZERO) {
            stream.max_deleted_id = deleted;
        }
    }
    cx.changed_unwatched(key, Class::Stream, "xsetid");
    Ok(Value::ok())
}
