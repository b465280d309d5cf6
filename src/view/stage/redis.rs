//! The Redis panel: the clients that are ready, the one execution slot, and the keys.

use std::rc::Rc;

use crate::engine::{self, Entry, EntryValue};
use crate::resp::Bytes;
use crate::sim::World;
use crate::sim::{CallKind, Change, ClientId, Frame, NodeId, Plain, ProcessId, Timeline};
use crate::sorted::SortedMap;
use crate::text::{Key, Lang, fill, tr};

use crate::session::spelling::{call_text_at, members, reply_text, shortened};

/// The most members of a hash, list, set or sorted set that are shown; the rest is counted.
const ITEMS_MAX: usize = 12;

/// The most keys of an instance that are read; the others are counted. The board has room for 16.
pub const KEYS_MAX: usize = 200;

/// The most rows of an SQL table, and variables of a process, that are shown.
const ROWS_MAX: usize = 12;
/// The most values shown of a history.
pub const HISTORY_MAX: usize = 6;

/// The most characters shown of the name of a variable and of its value.
const VALUE_CHARS: usize = 24;

#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The next command of every client that can step.
    pub ready: Vec<(ClientId, String)>,
    pub slot: Option<Slot>,
    /// The instances; usually one.
    pub nodes: Vec<NodePanel>,
    pub tables: Vec<TablePanel>,
    pub resources: Vec<ResourcePanel>,
    /// The mutexes that are held: each with its owner, its name, and where it is, in words.
    pub mutexes: Vec<(ClientId, String, String)>,
}

/// One instance.
#[derive(Debug, Clone, PartialEq)]
pub struct NodePanel {
    /// The name; empty if there is only one instance.
    pub name: String,
    pub up: bool,
    /// Notes on its state, in words.
    pub notes: Vec<String>,
    pub keys: Vec<KeyRow>,
    /// The number of further keys.
    pub more: usize,
}

/// An SQL table, or the variables of a process: names of the columns, and the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct TablePanel {
    /// The heading says what it is, the name which one.
    pub heading: Key,
    pub name: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// True if the last step changed it.
    pub changed: bool,
    /// What the row of a table with one row has held, oldest first: the cells that were changed.
    pub history: Vec<Written>,
}

/// A value that was written, with the step and the client that wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub step: usize,
    pub by: Option<ClientId>,
    pub text: String,
}

/// A resource that a lock protects.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourcePanel {
    pub name: String,
    pub token: Option<String>,
    /// Accepted writes, oldest first.
    pub writes: Vec<(ClientId, String)>,
}

/// The command that the last step executed.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    pub client: ClientId,
    pub command: String,
    /// The reply; `None` while Redis holds it back.
    pub reply: Option<String>,
    pub is_error: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct KeyRow {
    pub key: String,
    /// Redis's name of the type: `string`, `hash` …
    pub kind: &'static str,
    pub items: Vec<Item>,
    /// The number of members that are not shown.
    pub more: usize,
    /// The time to live in ms.
    pub ttl_ms: Option<u64>,
    /// The client that changed it last; `None` for the setup and for expiry.
    pub by: Option<ClientId>,
    pub changed: bool,
    /// True if the last step deleted or expired the key.
    pub gone: bool,
}

/// A value, or one member of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The field of a hash or member of a sorted set; `None` for strings.
    pub name: Option<String>,
    /// The value before the last step, if that changed it.
    pub before: Option<String>,
    pub now: Option<String>,
}

pub fn panel(timeline: &Timeline, lang: Lang) -> Panel {
    let world = timeline.world();
    let ready = world.ids().filter_map(|id| {
        let call = world.client(id)?.ready()?;
        let paused = world.client(id)?.paused().is_some();
        let at_redis = matches!(call.kind, CallKind::Redis { .. });
        (at_redis && !paused).then(|| (id, call_text_at(call, world)))
    });
    let executed = timeline.frame().seen.event.executed();
    // A call to something other than Redis does not pass through its slot.
    let executed = executed.filter(|(_, call, _)| !call.argv().is_empty());
    let slot = executed.map(|(client, call, reply)| Slot {
        client,
        command: call_text_at(call, world),
        reply: reply.map(reply_text),
        is_error: reply.is_some_and(|reply| reply.is_error()),
    });
    Panel {
        ready: ready.collect(),
        slot,
        nodes: world.setting().node_ids().map(|id| node(timeline, id, lang)).collect(),
        tables: tables(timeline, lang),
        resources: resources(world, lang),
        mutexes: world
            .mutexes()
            .iter()
            .map(|(process, name, held)| {
                let name = crate::resp::lossy(name).into_owned();
                let process = world.setting().process_name(process);
                let words = fill(tr(lang, Key::MutexHeld), &[&name, process]);
                (held.owner, name, words)
            })
            .collect(),
    }
}

fn node(timeline: &Timeline, id: NodeId, lang: Lang) -> NodePanel {
    let world = timeline.world();
    let setting = world.setting();
    let mut notes = Vec::new();
    let up = world.node(id).is_some_and(|node| node.up);
    if !up {
        notes.push(tr(lang, Key::NodeDown).to_owned());
    }
    if let Some(link) = world.link_of(id) {
        notes.push(fill(tr(lang, Key::NodeReplica), &[setting.node_name(link.master)]));
        if !link.backlog.is_empty() {
            let behind = link.backlog.len().to_string();
            notes.push(fill(tr(lang, Key::NodeBehind), &[&behind]));
        }
    }
    let others = setting.node_ids().filter(|other| *other != id && world.serving(*other) == id);
    notes.extend(others.map(|other| fill(tr(lang, Key::NodeServes), &[setting.node_name(other)])));
    if let Some(clock_ms) = world.node(id).map(|node| node.clock_ms).filter(|ms| *ms != 0) {
        notes.push(fill(tr(lang, Key::NodeClock), &[&format!("{clock_ms:+}")]));
    }
    let one = setting.nodes.len() == 1;
    let name = if one { String::new() } else { setting.node_name(id).to_owned() };
    let (keys, more) = keys(timeline, id);
    NodePanel { name, up, notes, keys, more }
}

fn tables(timeline: &Timeline, lang: Lang) -> Vec<TablePanel> {
    let mut tables = Vec::new();
    if timeline.world().sql().iter().next().is_some() {
        add_sql(timeline, &mut tables);
    }
    if timeline.frames().iter().any(|one| !one.world.variables().is_empty()) {
        add_variables(timeline, lang, &mut tables);
    }
    tables
}

// Functions of their own: few runs need them.
#[inline(never)]
fn add_sql(timeline: &Timeline, panels: &mut Vec<TablePanel>) {
    let before = timeline.cursor().checked_sub(1).and_then(|at| timeline.frames().get(at));
    panels.extend(timeline.world().sql().iter().map(|(name, table)| {
        let rows = table.rows.iter().take(ROWS_MAX);
        let old = before.and_then(|frame| frame.world.sql().get(name).cloned());
        TablePanel {
            heading: Key::Tables,
            name: name.to_owned(),
            columns: table.columns.iter().map(|column| column.name.clone()).collect(),
            rows: rows.map(|row| row.iter().map(ToString::to_string).collect()).collect(),
            changed: old.is_some_and(|old| old != *table),
            history: row_history(&timeline.frames()[..=timeline.cursor()], name),
        }
    }));
}

/// Returns the last contents of the one row of a table, in the columns that have changed. It is
/// empty for other tables, and where nothing has changed.
fn row_history(frames: &[Rc<Frame>], name: &str) -> Vec<Written> {
    let row = |at: usize| match &frames[at].world.sql().get(name)?.rows[..] {
        [row] => Some(row),
        _ => None,
    };
    let is_new = |at: &usize| *at == 0 || row(*at) != row(*at - 1);
    let steps: Vec<usize> = (0..frames.len()).rev().filter(is_new).take(HISTORY_MAX).collect();
    let rows: Option<Vec<_>> = steps.iter().map(|at| row(*at)).collect();
    let Some(rows) = rows else { return Vec::new() };
    let columns = 0..rows.first().map_or(0, |row| row.len());
    let changed = columns.filter(|at| rows.iter().any(|row| row.get(*at) != rows[0].get(*at)));
    let changed: Vec<usize> = changed.collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let all = steps.iter().zip(&rows).rev().map(|(step, row)| {
        let cells = changed.iter().filter_map(|column| row.get(*column));
        let text = cells.map(ToString::to_string).collect::<Vec<_>>().join(" · ");
        let by = frames[*step].seen.event.executed().map(|(by, ..)| by);
        Written { step: *step, by, text: shortened(&text, VALUE_CHARS) }
    });
    all.collect()
}

/// Adds the variables of each process that has some at a step of the run: their place stays.
#[inline(never)]
fn add_variables(timeline: &Timeline, lang: Lang, panels: &mut Vec<TablePanel>) {
    let (world, setting) = (timeline.world(), timeline.world().setting());
    let before = timeline.cursor().checked_sub(1).and_then(|at| timeline.frames().get(at));
    let of = |world: &World, process: ProcessId| -> Vec<Vec<String>> {
        let own = world.variables().iter().filter(|(of, ..)| *of == process);
        let words = |one: &Plain| shortened(&one.to_lua().short(), VALUE_CHARS);
        let name = |one: &Plain| match one.text() {
            [] => words(one),
            text => shortened(&crate::resp::lossy(text), VALUE_CHARS),
        };
        own.map(|(_, one, value)| vec![name(one), words(value)]).collect()
    };
    let processes = setting.processes.iter().zip(0..);
    let shown = processes.filter(|(_, at)| {
        timeline.frames().iter().any(|one| one.world.variables().has_any(ProcessId(*at)))
    });
    panels.extend(shown.map(|(process, at)| {
        let rows = of(world, ProcessId(at));
        let columns = [Key::VariableName, Key::VariableValue].map(|word| tr(lang, word).to_owned());
        TablePanel {
            heading: Key::Variables,
            name: process.name.clone(),
            columns: columns.to_vec(),
            changed: before.is_some_and(|one| of(&one.world, ProcessId(at)) != rows),
            history: Vec::new(),
            rows: rows.into_iter().take(ROWS_MAX).collect(),
        }
    }));
}

fn resources(world: &World, lang: Lang) -> Vec<ResourcePanel> {
    let resources = world.resources().iter();
    resources
        .map(|(name, resource)| ResourcePanel {
            name: crate::resp::lossy(name).into_owned(),
            token: resource
                .highest_token
                .map(|token| fill(tr(lang, Key::HighestToken), &[&token.to_string()])),
            writes: resource
                .writes
                .iter()
                .map(|write| (write.client, crate::resp::lossy(&write.value).into_owned()))
                .collect(),
        })
        .collect()
}

fn keys(timeline: &Timeline, id: NodeId) -> (Vec<KeyRow>, usize) {
    let world = timeline.world();
    let frame = timeline.frame();
    let Some(node) = world.node(id) else { return (Vec::new(), 0) };
    let now_ms = node.now_ms(world.now_ms());
    let changes: &[Change] = if timeline.cursor() == 0 { &[] } else { &frame.seen.changes };
    let mut written = written(frame, id).map(|(_, keys)| keys).unwrap_or_default();
    written.sort_unstable();
    let (mut shown, mut more) = (0, 0);
    // One row per key that is there or has just gone, in order of databases and names.
    let mut rows: SortedMap<DbKey, KeyRow> = SortedMap::default();
    for db in (0..node.instance.databases()).filter(|db| node.instance.db_len(*db) > 0) {
        let entries = node.instance.entries(db, now_ms);
        let room = KEYS_MAX - shown;
        more += entries.len().saturating_sub(room);
        for entry in entries.take(room) {
            shown += 1;
            // A write that left the value as it was is a write: `20 → 20`.
            let key = (db, entry.key.clone());
            let changed = written.binary_search(&key).is_ok();
            let before = changed.then_some(&entry);
            let row = KeyRow { changed, ..row(before, Some(&entry), now_ms) };
            rows.insert(key, row);
        }
    }
    for change in changes.iter().filter(|change| change.node == id).take(KEYS_MAX) {
        let changed = row(change.before.as_ref(), change.after.as_ref(), now_ms);
        rows.insert((change.db, change.key.clone()), KeyRow { changed: true, ..changed });
    }
    let writers = last_writers(timeline, id, rows.iter().map(|(key, _)| key));
    let rows = rows
        .into_iter()
        .map(|(key, row)| KeyRow {
            by: writers.get(&key).copied().flatten(),
            key: match key {
                (0, key) => crate::resp::lossy(&key).into_owned(),
                (db, key) => format!("[{db}] {}", crate::resp::lossy(&key)),
            },
            ..row
        })
        .collect();
    (rows, more)
}

/// A key and its database.
type DbKey = (usize, Bytes);

/// Returns the client whose command counted as a write of instance `id` in `frame`, and the keys it
/// wrote.
pub fn written(frame: &Frame, id: NodeId) -> Option<(ClientId, Vec<DbKey>)> {
    let (client, call, _) = frame.seen.event.executed()?;
    if !frame.seen.wrote || frame.world.serving(call.node()?) != id {
        return None;
    }
    let changed = frame.seen.changes.iter().filter(|change| change.node == id);
    let mut keys: Vec<DbKey> = changed.map(|change| (change.db, change.key.clone())).collect();
    // Declared keys count only if none changed: a script need not write the keys it declares.
    if keys.is_empty() {
        let conn = frame.world.conn_of(client, call.connection().unwrap_or_default());
        let conn = frame.world.instance(id).and_then(|instance| instance.conn(conn));
        let db = conn.map_or(0, |conn| conn.db);
        keys = engine::footprint(call.argv()).writes.into_iter().map(|key| (db, key)).collect();
    }
    Some((client, keys))
}

/// Finds the client that wrote each of the keys last. Searches from the end: most runs
/// write the same few keys again and again.
fn last_writers<'p>(
    timeline: &Timeline,
    id: NodeId,
    wanted: impl Iterator<Item = &'p DbKey>,
) -> SortedMap<DbKey, Option<ClientId>> {
    let mut open: Vec<&DbKey> = wanted.collect();
    let mut writers = SortedMap::default();
    for frame in timeline.frames()[..=timeline.cursor()].iter().rev() {
        if open.is_empty() {
            break;
        }
        let (client, keys) = written(frame, id).unzip();
        let mut keys = keys.unwrap_or_default();
        keys.sort_unstable();
        // Whatever else changed did so by itself: it was set up, it expired, it was replicated.
        let changes = frame.seen.changes.iter().filter(|change| change.node == id);
        // They are in order.
        let changes: Vec<&Change> = changes.collect();
        let changed = |(db, key): &DbKey| {
            changes.binary_search_by(|one| (one.db, &one.key).cmp(&(*db, key))).is_ok()
        };
        open.retain(|key| {
            let by_client = keys.binary_search(key).is_ok();
            let found = by_client || changed(key);
            if found {
                writers.insert((*key).clone(), client.filter(|_| by_client));
            }
            !found
        });
    }
    writers
}

fn row(before: Option<&Entry>, after: Option<&Entry>, now_ms: u64) -> KeyRow {
    let shown = after.or(before);
    let mut items = items(before.map(|entry| &entry.value), after.map(|entry| &entry.value));
    let untold = shown.and_then(|entry| entry.rest).map_or(0, |rest| rest.members);
    let more = items.len().saturating_sub(ITEMS_MAX) + untold;
    items.truncate(ITEMS_MAX);
    KeyRow {
        key: String::new(),
        kind: shown.map_or("", |entry| kind_name(&entry.value)),
        items,
        more,
        ttl_ms: after.and_then(|entry| entry.expires_at).map(|at| at.saturating_sub(now_ms)),
        by: None,
        changed: false,
        gone: after.is_none(),
    }
}

fn kind_name(value: &EntryValue) -> &'static str {
    match value {
        EntryValue::Str(_) => "string",
        EntryValue::Hash(_) => "hash",
        EntryValue::List(_) => "list",
        EntryValue::Set(_) => "set",
        EntryValue::ZSet(_) => "zset",
        _ => "stream",
    }
}

/// Returns the members of both values side by side; a member that did not change has no `before`.
fn items(before: Option<&EntryValue>, after: Option<&EntryValue>) -> Vec<Item> {
    let old = before.map(members).unwrap_or_default();
    let new = after.map(members).unwrap_or_default();
    // The members after the step, each with its value before; then those that were removed.
    let mut items: Vec<Item> = new
        .iter()
        .map(|(name, now)| {
            let was = old.iter().find(|(old_name, _)| old_name == name).map(|(_, was)| was);
            let rewritten = before == after && name.is_none();
            let changed = before.is_some() && (was != Some(now) || rewritten);
            let was = was.cloned().unwrap_or_default();
            let before = changed.then_some(was);
            Item { name: name.clone(), before, now: Some(now.clone()) }
        })
        .collect();
    for (name, was) in old.iter().filter(|(name, _)| !new.iter().any(|(n, _)| n == name)) {
        items.push(Item { name: name.clone(), before: Some(was.clone()), now: None });
    }
    items
}

/// Returns the key's name in the panel.
pub fn key_name(db: usize, key: &[u8]) -> String {
    match db {
        0 => crate::resp::lossy(key).into_owned(),
        db => format!("[{db}] {}", crate::resp::lossy(key)),
    }
}

/// Returns a value on one line: its first members, cut.
pub fn value_text(value: &EntryValue, members_max: usize, chars_max: usize) -> String {
    let member = |(name, value): &(Option<String>, String)| match name {
        Some(name) => format!("{name} {value}").trim_end().to_owned(),
        None => value.clone(),
    };
    let texts: Vec<String> = members(value).iter().take(members_max).map(member).collect();
    shortened(&texts.join(", "), chars_max)
}
