//! XINFO.
//!
//! DIFFERENCE: `radix-tree-keys` and `radix-tree-nodes` are what a stream of nodes of 100
//! entries would have; there is no radix tree here.

use crate::args::{int, is};
use crate::context::{Ctx, Fail, NO_KEY, Reply};
use crate::stream::{Group, Stream, StreamId};
use crate::version::{Since, Version};
use ground::resp::{Bytes, Value};

use super::streams::entry_value;

type Pairs = Vec<(Value, Value)>;

fn pair(key: &str, value: Value) -> (Value, Value) {
    (Value::bulk(key), value)
}

fn stream_of(cx: &mut Ctx<'_>, key: &Bytes) -> Result<Stream, Fail> {
    match cx.stream(key)? {
        Some(stream) => Ok(stream.clone()),
        None => Err(NO_KEY.into()),
    }
}

fn head(stream: &Stream) -> Pairs {
    let keys = stream.node_count();
    vec![
        pair("length", Value::int(stream.entries.len())),
        pair("radix-tree-keys", Value::int(keys)),
        pair("radix-tree-nodes", Value::int(if keys == 0 { 1 } else { keys + 1 })),
        pair("last-generated-id", stream.last_id.value()),
        pair("max-deleted-entry-id", stream.max_deleted_id.value()),
        pair("entries-added", Value::Int(stream.entries_added as i64)),
        pair("recorded-first-entry-id", stream.first_id().value()),
    ]
}

fn int_or_nil(n: Option<i64>) -> Value {
    n.map_or(Value::NilBulk, Value::Int)
}

pub fn xinfo_stream(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let stream = stream_of(cx, &argv[2])?;
    let mut count = 10;
    let full = argv.len() > 3;
    if full {
        let known = match &argv[3..] {
            [full] => is(full, "FULL"),
            [full, word, _] => is(full, "FULL") && is(word, "COUNT"),
            _ => false,
        };
        if !known {
            let sub = String::from_utf8_lossy(&argv[1]).into_owned();
            return Err(format!(
                "ERR unknown subcommand or wrong number of arguments for '{sub}'. Try XINFO HELP."
            )
            .into());
        }
        if let Some(n) = argv.get(5) {
            count = int(n)?;
            if count < 0 {
                count = 10;
            }
        }
    }
    let mut pairs = head(&stream);
    if full {
        // It tells when entries were delivered.
        cx.now();
        let take =
            if count == 0 { usize::MAX } else { usize::try_from(count).unwrap_or(usize::MAX) };
        let entries = stream.entries.iter().take(take).map(entry_value).collect();
        pairs.push(pair("entries", Value::Array(entries)));
        let groups = stream.groups.iter();
        let groups =
            groups.map(|(name, group)| full_group(cx, &stream, name, group, take)).collect();
        pairs.push(pair("groups", Value::Array(groups)));
    } else {
        pairs.push(pair("groups", Value::int(stream.groups.len())));
        let entry = |entry: Option<_>| entry.map_or(Value::NilBulk, entry_value);
        pairs.push(pair("first-entry", entry(stream.entries.first())));
        pairs.push(pair("last-entry", entry(stream.entries.last())));
    }
    Ok(cx.map(pairs))
}

fn full_group(cx: &Ctx<'_>, stream: &Stream, name: &Bytes, group: &Group, take: usize) -> Value {
    let pel = group.pending.iter().take(take).map(|(id, pending)| {
        Value::Array(vec![
            id.value(),
            Value::Bulk(pending.consumer.clone()),
            Value::Int(pending.delivered_ms),
            Value::Int(pending.count),
        ])
    });
    let consumers = group.consumers.iter().map(|(name, consumer)| {
        let mine = |id: &StreamId| {
            let pending = group.pending.get(id);
            let (at, count) = pending.map_or((0, 0), |p| (p.delivered_ms, p.count));
            Value::Array(vec![id.value(), Value::Int(at), Value::Int(count)])
        };
        let mut pairs = vec![
            pair("name", Value::Bulk(name.clone())),
            pair("seen-time", Value::Int(consumer.seen_ms as i64)),
        ];
        if cx.version() >= Version::V7_2 {
            let active = consumer.active_ms.map_or(-1, |ms| ms as i64);
            pairs.push(pair("active-time", Value::Int(active)));
        }
        pairs.push(pair("pel-count", Value::int(consumer.pending.len())));
        let pel = consumer.pending.iter().take(take).map(mine).collect();
        pairs.push(pair("pending", Value::Array(pel)));
        cx.map(pairs)
    });
    cx.map(vec![
        pair("name", Value::Bulk(name.clone())),
        pair("last-delivered-id", group.last_id.value()),
        pair("entries-read", int_or_nil(group.entries_read)),
        pair("lag", lag(cx, stream, group)),
        pair("pel-count", Value::int(group.pending.len())),
        pair("pending", Value::Array(pel.collect())),
        pair("consumers", Value::Array(consumers.collect())),
    ])
}

fn lag(cx: &Ctx<'_>, stream: &Stream, group: &Group) -> Value {
    int_or_nil(stream.lag(group, cx.version().has(Since::new("8.0.0"))))
}

pub fn xinfo_groups(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let stream = stream_of(cx, &argv[2])?;
    let line = |(name, group): (&Bytes, &std::rc::Rc<Group>)| {
        cx.map(vec![
            pair("name", Value::Bulk(name.clone())),
            pair("consumers", Value::int(group.consumers.len())),
            pair("pending", Value::int(group.pending.len())),
            pair("last-delivered-id", group.last_id.value()),
            pair("entries-read", int_or_nil(group.entries_read)),
            pair("lag", lag(cx, &stream, group)),
        ])
    };
    Ok(Value::Array(stream.groups.iter().map(line).collect()))
}

pub fn xinfo_consumers(cx: &mut Ctx<'_>, argv: &[Bytes]) -> Reply {
    let stream = stream_of(cx, &argv[2])?;
    let Some(group) = stream.groups.get(&argv[3]) else {
        let (group, key) = (String::from_utf8_lossy(&argv[3]), String::from_utf8_lossy(&argv[2]));
        let text = format!("NOGROUP No such consumer group '{group}' for key name '{key}'");
        return Err(text.into());
    };
    let now = cx.now();
    let line = |(name, consumer): (&Bytes, &crate::stream::Consumer)| {
        let idle = Value::Int(now.saturating_sub(consumer.seen_ms) as i64);
        let mut pairs = vec![
            pair("name", Value::Bulk(name.clone())),
            pair("pending", Value::int(consumer.pending.len())),
            pair("idle", idle),
        ];
        if cx.version() >= Version::V7_2 {
            let since = consumer.active_ms.map(|ms| now.saturating_sub(ms) as i64);
            pairs.push(pair("inactive", Value::Int(since.unwrap_or(-1))));
        }
        cx.map(pairs)
    };
    Ok(Value::Array(group.consumers.iter().map(line).collect()))
}
