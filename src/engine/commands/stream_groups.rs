//! Consumer groups: XGROUP, XACK, XPENDING, XCLAIM, XAUTOCLAIM.

use std::rc::Rc;

use crate::args::{int, int_or, int_within, is, syntax};
use crate::context::{Ctx, Fail, Reply};
use crate::notify::Class;
use crate::stream::{Group, Stream, StreamId, interval};
use ground::resp::{Bytes, Value};

use super::streams::entry_value;

fn quoted(bytes: &[u8]) -> String {
    format!("'{}'", String::from_utf8_lossy(bytes))
}

fn sub_syntax<T>(argv: &[Bytes]) -> Result<T, Fail> {
    let sub = String::from_utf8_lossy(&argv[1]).into_owned();
    Err(format!(
        "ERR unknown subcommand or wrong number of arguments for '{sub}'. Try XGROUP HELP."
    )
    .into())
}

#[derive(Debug, Default)]
struct CreateOptions {
    mkstream: bool,
    entries_read: Option<i64>,
}

fn create_options(argv: &[Bytes], create: bool) -> Result<CreateOptions, Fail> {
    let mut options = CreateOptions::default();
    let mut rest = argv[5..].iter();
    while let Some(arg) = rest.next() {
        if create && is(arg, "MKSTREAM") {
            options.mkstream = true;
        } else if is(arg, "ENTRIESREAD") && rest.len() > 0 {
            let n = int(rest.next().map_or(&[][..], |n| n))?;
            if n < -1 {
                return Err("ERR value for ENTRIESREAD must be positive or -1".into());
            }
            options.entries_read = Some(n).filter(|n| *n >= 0);
        } else {
            return sub_syntax(argv);
        }
    }
    Ok(options)
}

/// Checks that the stream exists, and the group too, unless it is about to be created.
fn check_group(cx: &mut Ctx<'_>, argv: &[Bytes], needs_group: bool) -> Result<(), Fail> {
    let Some(stream) = cx.stream(&argv[2])? else {
        return Err(
            "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you \
                    may want to use the MKSTREAM option to create an empty stream automatically."
                .into(),
        );
    };
    if needs_group && !stream.groups.contains_key(&argv[3]) {
        let (group, key) = (quoted(&argv[3]), quoted(&argv[2]));
        return Err(format!("NOGROUP No such consumer group {group} for key name {key}").into());
    }
    Ok(())
}

fn group_mut<'c>(
    cx: &'c mut Ctx<'_>,
    key: &Bytes,
    group: &Bytes,
) -> Result<Option<&'c mut Group>, Fail> {
    let stream = cx.stream_mut(key)?;
    Ok(stream.and_then(|stream| stream.groups.get_mut(group)).map(Rc::make_mut))
}

/// Parses the id from which a group starts: `$` is the end of the stream.
fn start_id(stream: Option<&Stream>, arg: &[u8], lenient: bool) -> Result<StreamId, Fail> {
    match arg {
        b"$" => Ok(stream.map_or(StreamId::ZERO, |stream| stream.last_id)),
        // SETID is content with the ends of an interval.
        b"-" if lenient => Ok(StreamId::ZERO),
        b"+" if lenient => Ok(StreamId::MAX),
        _ => StreamId::parse(arg, 0),
    }
}

pub fn xgroup_create(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (key, group) = (&argv[2], &argv[3]);
    let options = create_options(argv, true)?;
    cx.stream(key)?;
    if !options.mkstream {
        check_group(cx, argv, false)?;
    }
    let last_id = start_id(cx.stream(key)?, &argv[4], false)?;
    if cx.stream(key)?.is_some_and(|stream| stream.groups.contains_key(group)) {
        return Err("BUSYGROUP Consumer Group name already exists".into());
    }
    let entries_read = options.entries_read;
    let new = Group { last_id, entries_read, ..Group::default() };
    let is_new = cx.stream(key)?.is_none();
    cx.stream_or_new(key)?.groups.insert(group.clone(), Rc::new(new));
    match is_new {
        true => cx.changed(key, Class::Stream, "xgroup-create"),
        false => cx.changed_unwatched(key, Class::Stream, "xgroup-create"),
    }
    Ok(Value::ok())
}

pub fn xgroup_setid(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[2];
    let options = create_options(argv, false)?;
    check_group(cx, argv, true)?;
    let last_id = start_id(cx.stream(key)?, &argv[4], true)?;
    if let Some(group) = group_mut(cx, key, &argv[3])? {
        group.last_id = last_id;
        group.entries_read = options.entries_read;
    }
    cx.changed_unwatched(key, Class::Stream, "xgroup-setid");
    Ok(Value::ok())
}

pub fn xgroup_destroy(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[2];
    check_group(cx, argv, false)?;
    let gone = cx.stream_mut(key)?.and_then(|stream| stream.groups.remove(&argv[3]));
    if gone.is_some() {
        cx.changed_unwatched(key, Class::Stream, "xgroup-destroy");
    }
    Ok(Value::Int(gone.is_some().into()))
}

pub fn xgroup_createconsumer(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[2];
    check_group(cx, argv, true)?;
    let now = cx.origin();
    let Some(group) = group_mut(cx, key, &argv[3])? else { return Ok(Value::Int(0)) };
    if group.consumers.contains_key(&argv[4]) {
        return Ok(Value::Int(0));
    }
    group.consumers.get_or_default(argv[4].clone()).seen_ms = now;
    cx.changed_unwatched(key, Class::Stream, "xgroup-createconsumer");
    Ok(Value::Int(1))
}

pub fn xgroup_delconsumer(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[2];
    check_group(cx, argv, true)?;
    let Some(group) = group_mut(cx, key, &argv[3])? else { return Ok(Value::Int(0)) };
    let Some(consumer) = group.consumers.remove(&argv[4]) else { return Ok(Value::Int(0)) };
    for id in &consumer.pending {
        group.pending.remove(id);
    }
    cx.changed_unwatched(key, Class::Stream, "xgroup-delconsumer");
    Ok(Value::int(consumer.pending.len()))
}

pub fn xack(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let key = &argv[1];
    let has_group = cx.stream(key)?.is_some_and(|stream| stream.groups.contains_key(&argv[2]));
    if !has_group {
        return Ok(Value::Int(0));
    }
    let ids: Vec<StreamId> =
        argv[3..].iter().map(|arg| StreamId::parse(arg, 0)).collect::<Result<_, _>>()?;
    let Some(group) = group_mut(cx, key, &argv[2])? else { return Ok(Value::Int(0)) };
    let acknowledged = ids.into_iter().filter(|id| group.acknowledge(*id)).count();
    cx.changed_quietly(key, acknowledged);
    Ok(Value::int(acknowledged))
}

fn no_group(key: &[u8], group: &[u8]) -> Fail {
    let (key, group) = (quoted(key), quoted(group));
    format!("NOGROUP No such key {key} or consumer group {group}").into()
}

pub fn xpending(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let extended = argv.len() > 3;
    // The summary tells no idle times.
    let now = if extended { cx.now() } else { cx.origin() } as i64;
    if extended && (argv.len() < 6 || argv.len() > 9) {
        return syntax();
    }
    let (mut min_idle, mut at) = (0, 3);
    let mut query = None;
    if extended {
        if is(&argv[3], "IDLE") {
            min_idle = int(&argv[4])?;
            cx.now_and_span(min_idle);
            if argv.len() < 8 {
                return syntax();
            }
            at = 5;
        }
        let count = int(&argv[at + 2])?.max(0);
        query = Some((interval(&argv[at], &argv[at + 1])?, count));
    }
    let consumer = argv.get(at + 3);
    let stream = cx.stream(&argv[1])?;
    let Some(group) = stream.and_then(|stream| stream.groups.get(&argv[2])) else {
        return Err(no_group(&argv[1], &argv[2]));
    };
    let Some(((start, end), count)) = query else { return Ok(pending_summary(group)) };
    if consumer.is_some_and(|name| !group.consumers.contains_key(name)) || start > end {
        return Ok(Value::Array(vec![]));
    }
    let found = (group.pending.range(start..=end))
        .filter(|(_, pending)| consumer.is_none_or(|name| pending.consumer == *name))
        .filter(|(_, pending)| now - pending.delivered_ms >= min_idle)
        .take(usize::try_from(count).unwrap_or(usize::MAX));
    let line = |(id, pending): (&StreamId, &crate::stream::Pending)| {
        Value::Array(vec![
            id.value(),
            Value::Bulk(pending.consumer.clone()),
            Value::Int((now - pending.delivered_ms).max(0)),
            Value::Int(pending.count),
        ])
    };
    Ok(Value::Array(found.map(line).collect()))
}

fn pending_summary(group: &Group) -> Value {
    let ends = group.pending.first_key_value().zip(group.pending.last_key_value());
    let Some(((first, _), (last, _))) = ends else {
        return Value::Array(vec![Value::Int(0), Value::NilBulk, Value::NilBulk, Value::NilArray]);
    };
    let busy = group.consumers.iter().filter(|(_, consumer)| !consumer.pending.is_empty());
    let line = |(name, consumer): (&Bytes, &crate::stream::Consumer)| {
        let count = Value::bulk(consumer.pending.len().to_string());
        Value::Array(vec![Value::Bulk(name.clone()), count])
    };
    Value::Array(vec![
        Value::int(group.pending.len()),
        first.value(),
        last.value(),
        Value::Array(busy.map(line).collect()),
    ])
}

#[derive(Debug)]
struct ClaimOptions {
    delivered_ms: i64,
    retry_count: Option<i64>,
    force: bool,
    just_id: bool,
    last_id: StreamId,
}

fn claim_options(args: &[Bytes], now: i64) -> Result<ClaimOptions, Fail> {
    let mut options = ClaimOptions {
        delivered_ms: now,
        retry_count: None,
        force: false,
        just_id: false,
        last_id: StreamId::ZERO,
    };
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let more = rest.len() > 0;
        let mut number = |name: &str| {
            let text = format!("ERR Invalid {name} option argument for XCLAIM");
            int_or(rest.next().map_or(&[][..], |arg| arg), &text)
        };
        match () {
            () if is(arg, "FORCE") => options.force = true,
            () if is(arg, "JUSTID") => options.just_id = true,
            () if is(arg, "IDLE") && more => {
                options.delivered_ms = now.wrapping_sub(number("IDLE")?);
            }
            () if is(arg, "TIME") && more => options.delivered_ms = number("TIME")?,
            () if is(arg, "RETRYCOUNT") && more => {
                options.retry_count = Some(number("RETRYCOUNT")?).filter(|n| *n >= 0);
            }
            () if is(arg, "LASTID") && more => {
                options.last_id = StreamId::parse(rest.next().map_or(&[][..], |arg| arg), 0)?;
            }
            () => {
                let arg = quoted(arg);
                return Err(format!("ERR Unrecognized XCLAIM option {arg}").into());
            }
        }
    }
    if options.delivered_ms < 0 || options.delivered_ms > now {
        options.delivered_ms = now;
    }
    Ok(options)
}

pub fn xclaim(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (key, group_name, consumer) = (&argv[1], &argv[2], &argv[3]);
    if cx.stream(key)?.is_none_or(|stream| !stream.groups.contains_key(group_name)) {
        return Err(no_group(key, group_name));
    }
    let text = "ERR Invalid min-idle-time argument for XCLAIM";
    let min_idle = int_or(&argv[4], text)?.max(0);
    let ids: Vec<StreamId> =
        argv[5..].iter().map_while(|arg| StreamId::parse(arg, 0).ok()).collect();
    let options = &argv[5 + ids.len()..];
    let names_time = options.iter().any(|option| is(option, "TIME"));
    let is_read = min_idle > 0 || names_time;
    let now = if is_read { cx.now_and_span(min_idle) } else { cx.origin() };
    let options = claim_options(options, now as i64)?;
    let Some(stream) = cx.stream_mut(key)? else { return Ok(Value::Array(vec![])) };
    let Some(mut shared) = stream.groups.remove(group_name) else {
        return Err(no_group(key, group_name));
    };
    let group = Rc::make_mut(&mut shared);
    group.last_id = group.last_id.max(options.last_id);
    let mut claimed = Vec::new();
    for id in ids {
        let Some(entry) = stream.get(id) else {
            // The entry was deleted, so no client can acknowledge it: drop it from the pending
            // list.
            group.acknowledge(id);
            continue;
        };
        let known = group.pending.get(&id).map(|p| (p.delivered_ms, p.count));
        let count = match known {
            Some((delivered, _)) if min_idle > 0 && now as i64 - delivered < min_idle => continue,
            Some((_, count)) => count,
            None if options.force => 1,
            None => continue,
        };
        let count = options.retry_count.unwrap_or(count + i64::from(!options.just_id));
        group.assign(id, consumer, options.delivered_ms, count);
        claimed.push(if options.just_id { id.value() } else { entry_value(entry) });
    }
    if let Some(this) = group.consumers.get_mut(consumer) {
        this.seen_ms = now;
        if !claimed.is_empty() {
            this.active_ms = Some(now);
        }
    }
    stream.groups.insert(group_name.clone(), shared);
    cx.changed_quietly(key, claimed.len());
    Ok(Value::Array(claimed))
}

pub fn xautoclaim(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let (key, group_name, consumer) = (&argv[1], &argv[2], &argv[3]);
    let text = "ERR Invalid min-idle-time argument for XAUTOCLAIM";
    let min_idle = int_or(&argv[4], text)?.max(0);
    let now = if min_idle > 0 { cx.now_and_span(min_idle) } else { cx.origin() };
    let (mut start, excluded) = StreamId::parse_bound(&argv[5], 0)?;
    if excluded {
        start = start.next().ok_or("ERR invalid start ID for the interval")?;
    }
    let (mut count, mut just_id) = (100, false);
    let mut rest = argv[6..].iter();
    while let Some(arg) = rest.next() {
        if is(arg, "COUNT") && rest.len() > 0 {
            let n = rest.next().map_or(&[][..], |n| n);
            count = int_within(n, 1, i64::MAX / 16, Some("ERR COUNT must be > 0"))?;
        } else if is(arg, "JUSTID") {
            just_id = true;
        } else {
            return syntax();
        }
    }
    if cx.stream(key)?.is_none_or(|stream| !stream.groups.contains_key(group_name)) {
        return Err(no_group(key, group_name));
    }
    let Some(stream) = cx.stream_mut(key)? else { return Err(no_group(key, group_name)) };
    let Some(mut shared) = stream.groups.remove(group_name) else {
        return Err(no_group(key, group_name));
    };
    let group = Rc::make_mut(&mut shared);
    let (mut claimed, mut deleted) = (Vec::new(), Vec::new());
    let mut attempts = count.saturating_mul(10);
    let mut next = group.pending.range(start..).next().map(|(id, _)| *id);
    while let Some(id) = next {
        if attempts == 0 || count == 0 {
            break;
        }
        attempts -= 1;
        next = id.next().and_then(|from| group.pending.range(from..).next().map(|(id, _)| *id));
        let Some(entry) = stream.get(id) else {
            group.acknowledge(id);
            deleted.push(id.value());
            count -= 1;
            continue;
        };
        let Some(pending) = group.pending.get(&id) else { continue };
        if min_idle > 0 && now as i64 - pending.delivered_ms < min_idle {
            continue;
        }
        let times = pending.count + i64::from(!just_id);
        group.assign(id, consumer, now as i64, times);
        claimed.push(if just_id { id.value() } else { entry_value(entry) });
        count -= 1;
    }
    if let Some(this) = group.consumers.get_mut(consumer) {
        this.seen_ms = now;
        if !claimed.is_empty() {
            this.active_ms = Some(now);
        }
    }
    stream.groups.insert(group_name.clone(), shared);
    cx.changed_quietly(key, claimed.len() + deleted.len());
    let cursor = next.unwrap_or(StreamId::ZERO).value();
    Ok(Value::Array(vec![cursor, Value::Array(claimed), Value::Array(deleted)]))
}
