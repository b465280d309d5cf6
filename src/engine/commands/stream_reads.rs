//! XREAD and XREADGROUP, with blocking.
//!
//! DIFFERENCE: CLAIM of Redis 8.4 follows its documentation and the tests of Redis; it was not
//! compared with a server. With BLOCK it is refused: here no wait ends because an entry has become
//! old enough.

use std::rc::Rc;

use crate::args::{int, int_or, is, syntax};
use crate::blocking::BlockedOn;
use crate::context::{BlockRequest, Ctx, Fail, Reply};
use crate::notify::Class;
use crate::stream::{Stream, StreamEntry, StreamId};
use crate::version::{Since, Version};
use ground::resp::{Bytes, Value};

use super::streams::entry_value;

#[derive(Debug)]
struct Query<'a> {
    count: usize,
    /// The deadline; `Some(None)` is BLOCK 0: forever.
    block: Option<Option<u64>>,
    group: Option<(&'a Bytes, &'a Bytes)>,
    noack: bool,
    /// CLAIM: how long in ms an entry must be pending to be taken from its consumer.
    min_idle: Option<i64>,
    streams_at: usize,
    keys: &'a [Bytes],
    ids: &'a [Bytes],
}

fn block_timeout(cx: &Ctx<'_>, arg: &[u8]) -> Result<Option<u64>, Fail> {
    let text = "ERR timeout is not an integer or out of range";
    let ms = int_or(arg, text)?;
    if ms < 0 {
        return Err("ERR timeout is negative".into());
    }
    match (ms, ms.checked_add(cx.origin() as i64)) {
        (0, _) => Ok(None),
        (_, Some(at)) => Ok(Some(at as u64)),
        (_, None) => Err("ERR timeout is out of range".into()),
    }
}

fn idle_time(arg: &[u8]) -> Result<i64, Fail> {
    match int_or(arg, "ERR min-idle-time is not an integer")? {
        ms if ms < 0 => Err("ERR min-idle-time must be a positive integer".into()),
        ms => Ok(ms),
    }
}

fn parse<'a>(cx: &Ctx<'_>, argv: &'a [Bytes]) -> Result<Query<'a>, Fail> {
    let groups = cx.command.name == "xreadgroup";
    let only_group = |option: &str| -> Fail {
        format!(
            "ERR The {option} option is only supported by XREADGROUP. You called XREAD instead."
        )
        .into()
    };
    let (mut count, mut block, mut group, mut noack) = (0, None, None, false);
    let mut min_idle = None;
    let mut at = 1;
    while let Some(arg) = argv.get(at) {
        let more = argv.len() - at - 1;
        if is(arg, "BLOCK") && more > 0 {
            if cx.in_script && !cx.version().has(Since::new("7.4.0/8.0.0")) {
                let name = String::from_utf8_lossy(&argv[0]);
                let text =
                    format!("ERR {name} command is not allowed with BLOCK option from scripts");
                return Err(text.into());
            }
            block = Some(block_timeout(cx, &argv[at + 1])?);
            at += 2;
        } else if is(arg, "COUNT") && more > 0 {
            count = int(&argv[at + 1])?.max(0);
            at += 2;
        } else if is(arg, "GROUP") && more >= 2 {
            if !groups {
                return Err(only_group("GROUP"));
            }
            group = Some((&argv[at + 1], &argv[at + 2]));
            at += 3;
        } else if is(arg, "NOACK") {
            if !groups {
                return Err(only_group("NOACK"));
            }
            noack = true;
            at += 1;
        } else if more > 0 && cx.version().has_option("xreadgroup", arg) {
            if !groups {
                return Err(only_group("CLAIM"));
            }
            min_idle = Some(idle_time(&argv[at + 1])?);
            at += 2;
        } else if is(arg, "STREAMS") && more > 0 {
            let rest = &argv[at + 1..];
            if !rest.len().is_multiple_of(2) {
                return Err(unbalanced(cx).into());
            }
            if groups && group.is_none() {
                return Err("ERR Missing GROUP option for XREADGROUP".into());
            }
            let (keys, ids) = rest.split_at(rest.len() / 2);
            let count =
                if count == 0 { usize::MAX } else { usize::try_from(count).unwrap_or(usize::MAX) };
            let streams_at = at + 1;
            return Ok(Query { count, block, group, noack, min_idle, streams_at, keys, ids });
        } else {
            break;
        }
    }
    syntax()
}

fn unbalanced(cx: &Ctx<'_>) -> String {
    let version = cx.version();
    let name = match version {
        Version::V7_0 => "XREAD".to_owned(),
        _ => format!("'{}'", cx.command.name),
    };
    let marks = match cx.command.name {
        "xreadgroup" if version > Version::V7_0 => " or '>'",
        "xread" if version.has_option("xread", b"+") => ", '+', or '$'",
        _ => " or '$'",
    };
    format!(
        "ERR Unbalanced {name} list of streams: for each stream key an ID{marks} must be specified."
    )
}

/// Returns where to read from: after an id, or (`None`) the entries not yet delivered to the group.
fn starts(cx: &mut Ctx<'_>, query: &Query<'_>) -> Result<Vec<Option<StreamId>>, Fail> {
    let mut starts = Vec::with_capacity(query.ids.len());
    let version = cx.version();
    for (key, id) in query.keys.iter().zip(query.ids) {
        let stream = cx.stream(key)?;
        let last_id = stream.map_or(StreamId::ZERO, |stream| stream.last_id);
        if let Some((group, _)) = query.group
            && stream.is_none_or(|stream| !stream.groups.contains_key(group))
        {
            return Err(no_group(key, group));
        }
        starts.push(match (&**id, query.group) {
            (b"$", Some(_)) => {
                return Err(meaningless('$'));
            }
            (b"$", None) => Some(last_id),
            (b"+", group) if version.has_option("xread", id) => {
                if group.is_some() {
                    return Err(meaningless('+'));
                }
                // Before the last entry that is there; Valkey looks at the last that was.
                let last = match version.is_valkey() {
                    true => Some(last_id),
                    false => stream.and_then(Stream::last_entry_id),
                };
                Some(last.and_then(StreamId::previous).unwrap_or(StreamId::ZERO))
            }
            (b">", Some(_)) => None,
            (b">", None) => {
                return Err(
                    "ERR The > ID can be specified only when calling XREADGROUP using the \
                            GROUP <group> <consumer> option."
                        .into(),
                );
            }
            // The greatest id stands for `>` in Redis itself.
            (id, group) => {
                Some(StreamId::parse(id, 0)?).filter(|id| group.is_none() || *id != StreamId::MAX)
            }
        });
    }
    Ok(starts)
}

fn meaningless(id: char) -> Fail {
    format!(
        "ERR The {id} ID is meaningless in the context of XREADGROUP: you want to read the history \
         of this consumer by specifying a proper ID, or use the > ID to get new messages. The {id} \
         ID would just return an empty result set."
    )
    .into()
}

fn no_group(key: &[u8], group: &[u8]) -> Fail {
    let (key, group) = (String::from_utf8_lossy(key), String::from_utf8_lossy(group));
    format!(
        "NOGROUP No such key '{key}' or consumer group '{group}' in XREADGROUP with GROUP option"
    )
    .into()
}

fn read(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let query = parse(cx, argv)?;
    let starts = starts(cx, &query)?;
    if query.min_idle.and(query.block).is_some() && starts.contains(&None) {
        return Err("ERR CLAIM with BLOCK is not simulated: leave out BLOCK, and read again".into());
    }
    let mut found = Vec::new();
    for (key, start) in query.keys.iter().zip(&starts) {
        // Tried again: only the stream that has grown counts.
        if cx.ready_key.as_ref().is_some_and(|ready| ready != key) {
            continue;
        }
        let entries = match query.group {
            None => read_after(cx, key, start.unwrap_or_default(), query.count)?,
            Some((group, consumer)) => {
                let claimed = match (start, query.min_idle) {
                    (None, Some(min_idle)) => {
                        Some(claim(cx, key, group, consumer, min_idle, query.count)?)
                    }
                    _ => None,
                };
                let count = query.count - claimed.as_ref().map_or(0, Vec::len);
                let read = match count {
                    0 => None,
                    _ => read_for(cx, key, group, consumer, *start, count, query.noack)?,
                };
                match claimed {
                    Some(claimed) => {
                        let read = read.into_iter().flatten().map(|entry| with_age(entry, 0, 0));
                        let all: Vec<Value> = claimed.into_iter().chain(read).collect();
                        (!all.is_empty()).then_some(all)
                    }
                    None => read,
                }
            }
        };
        if let Some(entries) = entries {
            found.push((Value::Bulk(key.clone()), Value::Array(entries)));
        }
    }
    if !found.is_empty() {
        return Ok(if cx.resp3() {
            Value::Map(found)
        } else {
            let pair = |(key, entries)| Value::Array(vec![key, entries]);
            Value::Array(found.into_iter().map(pair).collect())
        });
    }
    if let (Some(timeout_at_ms), false) = (query.block, cx.deny_blocking) {
        // `$` means the end of the stream as it is now.
        let mut again = argv.to_vec();
        let ids_at = query.streams_at + query.keys.len();
        for (i, start) in starts.iter().enumerate() {
            if let Some(id) = start {
                again[ids_at + i] = id.to_string().as_bytes().into();
            }
        }
        let on = if query.group.is_some() { BlockedOn::Group } else { BlockedOn::Stream };
        let keys = query.keys.to_vec();
        cx.block = Some(BlockRequest { on, keys, timeout_at_ms, argv: Some(again) });
    }
    Ok(Value::NilArray)
}

/// Returns the entries after `start`; `None` if there are none.
fn read_after(
    cx: &mut Ctx<'_>,
    key: &Bytes,
    start: StreamId,
    count: usize,
) -> Result<Option<Vec<Value>>, Fail> {
    let Some(stream) = cx.stream(key)? else { return Ok(None) };
    if stream.last_entry_id().is_none_or(|last| last <= start) {
        return Ok(None);
    }
    let from = start.next().unwrap_or(StreamId::MAX);
    Ok(Some(stream.range(from, StreamId::MAX).take(count).map(entry_value).collect()))
}

/// Returns an entry's value with how long ago in ms it was delivered, and how many times.
fn with_age(entry: Value, idle_ms: i64, times: i64) -> Value {
    let Value::Array(mut parts) = entry else { return entry };
    parts.extend([Value::Int(idle_ms), Value::Int(times)]);
    Value::Array(parts)
}

/// Delivers to `consumer` what has been pending for at least `min_idle` ms, the oldest first.
fn claim(
    cx: &mut Ctx<'_>,
    key: &Bytes,
    group_name: &Bytes,
    consumer: &Bytes,
    min_idle: i64,
    count: usize,
) -> Result<Vec<Value>, Fail> {
    let now = cx.now_and_span(min_idle);
    let Some(stream) = cx.stream(key)? else { return Ok(Vec::new()) };
    let Some(group) = stream.groups.get(group_name) else { return Ok(Vec::new()) };
    let idle_ms = |delivered_ms: i64| (now as i64).saturating_sub(delivered_ms).max(0);
    let pending = group.pending.iter().map(|(id, pending)| (pending.delivered_ms, *id));
    let is_due = |(delivered_ms, id): &(i64, StreamId)| {
        idle_ms(*delivered_ms) >= min_idle && stream.contains(*id)
    };
    let mut due: Vec<(i64, StreamId)> = pending.filter(is_due).collect();
    if due.is_empty() {
        return Ok(Vec::new());
    }
    due.sort_unstable();
    due.truncate(count);
    let Some(stream) = cx.stream_mut(key)? else { return Ok(Vec::new()) };
    let Some(mut group) = stream.groups.remove(group_name) else { return Ok(Vec::new()) };
    let of_group = Rc::make_mut(&mut group);
    let created = !of_group.consumers.contains_key(consumer);
    let mut claimed = Vec::with_capacity(due.len());
    for (delivered_ms, id) in due {
        let times = of_group.pending.get(&id).map_or(0, |pending| pending.count);
        of_group.assign(id, consumer, now as i64, times + 1);
        let entry = stream.get(id).map(entry_value);
        claimed.extend(entry.map(|entry| with_age(entry, idle_ms(delivered_ms), times)));
    }
    let this = of_group.consumers.get_or_default(consumer.clone());
    (this.seen_ms, this.active_ms) = (now, Some(now));
    stream.groups.insert(group_name.clone(), group);
    if created {
        cx.notify(Class::Stream, "xgroup-createconsumer", key);
    }
    cx.changed_quietly(key, claimed.len());
    Ok(claimed)
}

/// Reads for `consumer`: new entries if `start` is `None`, else its own pending ones after `start`.
/// `None` if the stream or the group is missing, or has nothing new.
fn read_for(
    cx: &mut Ctx<'_>,
    key: &Bytes,
    group_name: &Bytes,
    consumer: &Bytes,
    start: Option<StreamId>,
    count: usize,
    noack: bool,
) -> Result<Option<Vec<Value>>, Fail> {
    let now = cx.origin();
    let Some(stream) = cx.stream(key)? else { return Ok(None) };
    let Some(group) = stream.groups.get(group_name) else { return Ok(None) };
    if start.is_none() && stream.last_entry_id().is_none_or(|last| last <= group.last_id) {
        return Ok(None);
    }
    let Some(stream) = cx.stream_mut(key)? else { return Ok(None) };
    let Some(mut group) = stream.groups.remove(group_name) else { return Ok(None) };
    let of_group = Rc::make_mut(&mut group);
    let created = !of_group.consumers.contains_key(consumer);
    let this = of_group.consumers.get_or_default(consumer.clone());
    this.seen_ms = now;
    let out: Vec<Value> = match start {
        Some(start) => {
            let from = start.next().unwrap_or(StreamId::MAX);
            let ids: Vec<StreamId> = this.pending.range(from..).copied().take(count).collect();
            let mut out = Vec::with_capacity(ids.len());
            for id in ids {
                out.push(match stream.get(id) {
                    Some(entry) => {
                        if let Some(pending) = of_group.pending.get_mut(&id) {
                            pending.delivered_ms = now as i64;
                            pending.count += 1;
                        }
                        entry_value(entry)
                    }
                    // Deleted meanwhile.
                    None => Value::Array(vec![id.value(), Value::NilArray]),
                });
            }
            out
        }
        None => {
            this.active_ms = Some(now);
            let from = of_group.last_id.next().unwrap_or(StreamId::MAX);
            let entries: Vec<StreamEntry> =
                stream.range(from, StreamId::MAX).take(count).cloned().collect();
            for (id, _) in &entries {
                stream.advance_group(of_group, *id);
                if !noack {
                    of_group.assign(*id, consumer, now as i64, 1);
                }
            }
            entries.iter().map(entry_value).collect()
        }
    };
    stream.groups.insert(group_name.clone(), group);
    if created {
        cx.notify(Class::Stream, "xgroup-createconsumer", key);
    }
    cx.changed_quietly(key, 1);
    Ok(Some(out))
}

pub fn xread(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    read(cx, argv)
}

pub fn xreadgroup(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    read(cx, argv)
}
