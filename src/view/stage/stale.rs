//! Sentences about values that were stale when a client wrote: what it had read, who changed that,
//! and whether the write was computed from it or decided on it ([`basis`](super::basis)). The value
//! is a key's or a row's.

use std::ops::RangeInclusive;
use std::rc::Rc;

use crate::engine::{self, Entry, EntryValue};
use crate::resp::{Bytes, Value};
use crate::session::spelling::{command_text, reply_text, shortened};
use crate::sim::sql::Answer;
use crate::sim::{Call, CallKind, Change, ClientId, Event, NodeId, Timeline};
use crate::text::{CauseWord, Key, Lang, cause, fill, tr};
use crate::view::short;

use super::basis::{Basis, basis};
use super::explain::{change_parts, letter, text};
use super::spans::is_queued;
use super::windows::RaceWindow;

/// The most experiments for one text; what is left after them rests on nothing that is known. The
/// latest windows come first.
const EXPERIMENTS_MAX: usize = 100;

/// Says what the step did to race windows: it wrote from an old value, or made others' values old.
pub(super) fn at_step(
    timeline: &Timeline,
    found: &[RaceWindow],
    step: usize,
    lang: Lang,
) -> Vec<String> {
    let here = stale(timeline, found, step..=step, lang).into_iter().next();
    if let Some((_, words)) = here {
        return vec![words];
    }
    if let Some(words) = refused(timeline, step, lang) {
        return vec![words];
    }
    let gone = found.iter().filter(|w| w.intrusion.is_some_and(|(at, _)| at == step));
    gone.filter_map(|window| {
        let (argv, reply) = read_at(timeline, window.read_step)?;
        let frame = &timeline.frames()[step];
        let mut changes = frame.seen.changes.iter();
        let change = changes.find(|one| one.node == window.node && one.key == window.key)?;
        let (_, before, after) = change_parts(change);
        // A status is no value, and what changed may be a deadline.
        if matches!(reply, Value::Status(_)) || before == after {
            return None;
        }
        let (step, who) = (window.read_step.to_string(), letter(window.client));
        let values = [&who, &asked(argv), &reply_text(reply), &step];
        Some(fill(tr(lang, Key::SaidNowStale), &values.map(String::as_str)))
    })
    .collect()
}

/// Describes the writes up to step `until` that rest on stale values, each with its step.
pub(super) fn closing(
    timeline: &Timeline,
    found: &[RaceWindow],
    until: usize,
    lang: Lang,
) -> Vec<(usize, String)> {
    stale(timeline, found, 0..=until, lang)
}

fn stale(
    timeline: &Timeline,
    found: &[RaceWindow],
    steps: RangeInclusive<usize>,
    lang: Lang,
) -> Vec<(usize, String)> {
    let mut left = EXPERIMENTS_MAX;
    let mut tried = |client, read, write| match left.checked_sub(1) {
        Some(rest) => {
            left = rest;
            basis(timeline, client, read, write)
        }
        None => Basis::Neither,
    };
    let closed = found.iter().rev().filter_map(|window| {
        let (changed, intruder) = window.intrusion?;
        let write = written(timeline, window).filter(|write| steps.contains(write))?;
        let basis = tried(window.client, window.read_step, window.write_step?);
        let (is_whole, mut values) = overtaken(timeline, window, changed, intruder)?;
        values.push(write.to_string());
        let word = match (basis, is_whole) {
            (Basis::Neither, _) => return None,
            (Basis::Computed, true) => CauseWord::Computed,
            (Basis::Computed, false) => CauseWord::ComputedPart,
            (Basis::Decided, true) => CauseWord::Decided,
            (Basis::Decided, false) => CauseWord::DecidedPart,
        };
        Some((write, filled(lang, word, &values)))
    });
    let mut said: Vec<_> = closed.collect();
    said.reverse();
    let elsewhere = elsewhere(timeline, *steps.end(), lang, &mut tried).into_iter();
    said.extend(elsewhere.filter(|(write, _)| steps.contains(write)));
    said
}

fn filled(lang: Lang, word: CauseWord, values: &[String]) -> String {
    fill(cause(lang, word), &values.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns the step at which the write of a window took effect: of one that a transaction queued,
/// that of EXEC. `None` if it was refused, or has not come.
pub(super) fn written(timeline: &Timeline, window: &RaceWindow) -> Option<usize> {
    let sent = window.write_step?;
    let frames = timeline.frames();
    let (_, _, reply) = frames[sent].seen.event.executed()?;
    if !reply.is_some_and(is_queued) {
        return frames[sent].seen.wrote.then_some(sent);
    }
    let ends = |step: &usize| {
        let executed = frames[*step].seen.event.executed();
        executed.is_some_and(|(client, call, _)| {
            let name = call.argv().first().map(|name| name.to_ascii_uppercase());
            let name = name.as_deref().unwrap_or_default();
            client == window.client && [b"EXEC".as_slice(), b"DISCARD", b"RESET"].contains(&name)
        })
    };
    let end = (sent + 1..frames.len()).find(ends)?;
    frames[end].seen.wrote.then_some(end)
}

/// Says why EXEC did nothing at `step`: which watched key another client had changed.
fn refused(timeline: &Timeline, step: usize, lang: Lang) -> Option<String> {
    let frames = timeline.frames();
    let (client, exec, reply) = frames[step].seen.event.executed()?;
    let is =
        |argv: &[Bytes], name: &[u8]| argv.first().is_some_and(|w| w.eq_ignore_ascii_case(name));
    if !is(exec.argv(), b"EXEC") || !matches!(reply, Some(Value::NilArray | Value::Null)) {
        return None;
    }
    let own = |at: &usize| {
        let executed = frames[*at].seen.event.executed();
        executed.filter(|by| by.0 == client).map(|by| by.1)
    };
    let ends = |argv: &[Bytes]| {
        [b"EXEC".as_slice(), b"DISCARD", b"UNWATCH"].iter().any(|name| is(argv, name))
    };
    let since = (1..step).rev().find(|at| own(at).is_some_and(|call| ends(call.argv())));
    (since.unwrap_or(0) + 1..step).find_map(|watched| {
        let call = own(&watched).filter(|call| is(call.argv(), b"WATCH"))?;
        let node = frames[watched].world.serving(call.node()?);
        (watched + 1..step).find_map(|changed| {
            let (by, ..) = frames[changed].seen.event.executed()?;
            let mut changes = frames[changed].seen.changes.iter();
            let change = changes
                .find(|change| change.node == node && call.argv()[1..].contains(&change.key))?;
            let (key, other, who) = (text(&change.key), letter(by), letter(client));
            let values = [&other, &key, &changed.to_string(), &who, &watched.to_string()];
            Some(fill(cause(lang, CauseWord::WatchedChanged), &values.map(String::as_str)))
        })
    })
}

/// Returns the command at `step` and its reply.
fn read_at(timeline: &Timeline, step: usize) -> Option<(&[Bytes], &Value)> {
    let (_, call, reply) = timeline.frames().get(step)?.seen.event.executed()?;
    Some((call.argv(), reply?))
}

/// Returns the key, or key and member, whose value is the reply to this command; `None` if the
/// reply says something else.
pub(super) fn place_read(argv: &[Bytes]) -> Option<String> {
    let shown = match argv.first()?.to_ascii_uppercase().as_slice() {
        b"GET" | b"HGETALL" | b"SMEMBERS" => argv.get(1..2),
        b"HGET" | b"ZSCORE" | b"HMGET" => argv.get(1..),
        _ => None,
    };
    shown.map(|words| shortened(&command_text(words), 40))
}

/// Names what was read: `balance`, `cart:7 apples`, or the whole command, `EXISTS lock`.
fn asked(argv: &[Bytes]) -> String {
    place_read(argv).unwrap_or_else(|| shortened(&command_text(argv), 40))
}

/// Returns the facts of a race window: reader, what it read, value and step; then the client that
/// changed the key, its new value, the step and the command. False if the new value is not what
/// would be read now: another member, or only a deadline was changed.
fn overtaken(
    timeline: &Timeline,
    window: &RaceWindow,
    step: usize,
    intruder: ClientId,
) -> Option<(bool, Vec<String>)> {
    let (argv, reply) = read_at(timeline, window.read_step)?;
    let frame = &timeline.frames()[step];
    let mut changes = frame.seen.changes.iter();
    let change = changes.find(|change| change.node == window.node && change.key == window.key)?;
    let (what, before, after) = change_parts(change);
    let single = |entry: &Option<Entry>| {
        entry.as_ref().is_none_or(|entry| matches!(entry.value, EntryValue::Str(_)))
    };
    let strings = single(&change.before) && single(&change.after);
    let place = place_read(argv);
    let is_whole = before != after
        && place.is_some_and(|place| place == what || strings && place == text(&window.key));
    let command = match frame.seen.event.executed() {
        Some((id, call, _)) => short::forms(timeline, id, call),
        None => Default::default(),
    };
    let values = vec![
        letter(window.client),
        asked(argv),
        shortened(&reply_text(reply), 40),
        window.read_step.to_string(),
        letter(intruder),
        after,
        step.to_string(),
        shortened(&command[0], 60),
    ];
    Some((is_whole, values))
}

/// A value that another client has changed since it was read.
struct Outdated {
    reader: ClientId,
    read: usize,
    changed: usize,
    /// The key and its instance; `None` for rows.
    key: Option<(NodeId, Bytes)>,
    /// The words if a write was computed from it, and if the client decided on it.
    words: [CauseWord; 2],
    /// What they say, but the step of the write.
    values: Vec<String>,
}

/// Describes writes that go elsewhere than the value they rest on, which another client had changed
/// since it was read: from rows to a table or to Redis, from a key to a table. Of each value it
/// tells the first write that was computed from it, and the first that was decided on it. What is
/// written back to the key that was read is a [`RaceWindow`].
#[inline(never)]
fn elsewhere(
    timeline: &Timeline,
    until: usize,
    lang: Lang,
    tried: &mut dyn FnMut(ClientId, usize, usize) -> Basis,
) -> Vec<(usize, String)> {
    let mut said = Vec::new();
    if timeline.frames()[0].world.sql().is_empty() {
        return said;
    }
    for read in 1..until {
        let old = rows_outdated(timeline, read, until, lang);
        let Some(old) = old.or_else(|| key_outdated(timeline, read, until)) else { continue };
        let mut found = [None; 2];
        for (step, call, reply) in calls_of(timeline, old.reader, old.changed + 1..=until) {
            if reads_again(timeline, &old, call) {
                break;
            }
            if takes_effect(timeline, &old, step, call, reply) {
                let place = match tried(old.reader, old.read, step) {
                    Basis::Computed => &mut found[0],
                    Basis::Decided => &mut found[1],
                    Basis::Neither => continue,
                };
                place.get_or_insert(step);
            }
        }
        for (word, write) in old.words.iter().zip(found) {
            let Some(write) = write else { continue };
            let mut values = old.values.clone();
            values.push(write.to_string());
            said.push((write, filled(lang, *word, &values)));
        }
    }
    said
}

/// Returns the calls that a client made at these steps and that were answered.
fn calls_of(
    timeline: &Timeline,
    client: ClientId,
    steps: RangeInclusive<usize>,
) -> impl Iterator<Item = (usize, &Call, &Value)> {
    steps.filter_map(move |step| {
        let (by, call, reply) = timeline.frames().get(step)?.seen.event.executed()?;
        (by == client).then_some((step, call, reply?))
    })
}

/// Returns true if the call reads the value once more.
fn reads_again(timeline: &Timeline, old: &Outdated, call: &Call) -> bool {
    let (frame, world) = (&timeline.frames()[old.read], timeline.world());
    match &old.key {
        None => frame.seen.event.executed().is_some_and(|(_, asked, _)| asked.kind == call.kind),
        Some((node, key)) => {
            call.node().is_some_and(|other| world.serving(other) == *node)
                && engine::footprint(call.argv()).reads.contains(key)
        }
    }
}

/// Returns true if the call wrote something that may rest on the value.
fn takes_effect(
    timeline: &Timeline,
    old: &Outdated,
    step: usize,
    call: &Call,
    reply: &Value,
) -> bool {
    match &call.kind {
        // An UPDATE may meet no row.
        CallKind::Sql(statement) => {
            statement.writes() && matches!(reply, Value::Int(rows) if *rows > 0)
        }
        CallKind::Redis { argv, .. } => {
            let wrote = timeline.frames()[step].seen.wrote;
            old.key.is_none() && wrote && !engine::footprint(argv).writes.is_empty()
        }
        _ => false,
    }
}

/// Returns what the client read from a table at `read`, if the same statement gives something else
/// after a step of another client, up to step `until`; `None` if the client has asked again by
/// then.
fn rows_outdated(timeline: &Timeline, read: usize, until: usize, lang: Lang) -> Option<Outdated> {
    let frames = timeline.frames();
    let event = &frames.get(read)?.seen.event;
    let (reader, call, reply) = event.executed()?;
    let CallKind::Sql(select) = &call.kind else { return None };
    // It has read nothing.
    if let Event::Call { lost: true, .. } = event {
        return None;
    }
    let tables = |step: usize| frames[step].world.sql();
    let was = tables(read).select(select).ok()?;
    let differs = |step: &usize| {
        !Rc::ptr_eq(tables(*step), tables(*step - 1))
            && tables(*step).select(select).as_ref() != Ok(&was)
    };
    let changed = (read + 1..=until.min(timeline.len())).find(differs)?;
    let (intruder, ..) = frames[changed].seen.event.executed()?;
    let again = |(_, other, _): (usize, &Call, &Value)| other.kind == call.kind;
    if intruder == reader || calls_of(timeline, reader, read + 1..=changed).any(again) {
        return None;
    }
    let single = |answer: &Answer| match answer {
        Answer::Rows(_, rows) => rows.len() == 1 && !select.sums(),
        Answer::Affected(_) => false,
    };
    let is_row = single(&was) && tables(changed).select(select).as_ref().is_ok_and(single);
    let what = match is_row {
        true => cause(lang, CauseWord::TheRow).to_owned(),
        false => fill(cause(lang, CauseWord::TheTable), &[select.table().unwrap_or_default()]),
    };
    let value = match reply? {
        Value::Array(rows) if rows.is_empty() => cause(lang, CauseWord::NoRow).to_owned(),
        reply => shortened(&reply_text(reply), 40),
    };
    let [read_step, step] = [read, changed].map(|step| step.to_string());
    let [now, command] = [const { String::new() }; 2];
    let values = vec![letter(reader), what, value, read_step, letter(intruder), now, step, command];
    let words = [CauseWord::ComputedRow, CauseWord::DecidedRow];
    Some(Outdated { reader, read, changed, key: None, words, values })
}

/// The same of a key that the client read at `read` with a command that writes nothing.
fn key_outdated(timeline: &Timeline, read: usize, until: usize) -> Option<Outdated> {
    let frames = timeline.frames();
    let frame = frames.get(read)?;
    let (reader, call, _) = frame.seen.event.executed()?;
    let node = frame.world.serving(call.node()?);
    let footprint = engine::footprint(call.argv());
    let is_read = |change: &Change| change.node == node && footprint.reads.contains(&change.key);
    // A key may also expire.
    let made = |step: usize| frames[step].seen.event.executed().is_some();
    let change_at =
        |step: &usize| frames[*step].seen.changes.iter().find(|one| made(*step) && is_read(one));
    let changed = (read + 1..=until.min(timeline.len())).find(|step| change_at(step).is_some())?;
    let (intruder, ..) = frames[changed].seen.event.executed()?;
    if !footprint.writes.is_empty() || intruder == reader {
        return None;
    }
    let key = change_at(&changed)?.key.clone();
    let window = RaceWindow {
        client: reader,
        node,
        key: key.clone(),
        read_step: read,
        nth: 0,
        write_step: None,
        intrusion: Some((changed, intruder)),
    };
    let (is_whole, values) = overtaken(timeline, &window, changed, intruder)?;
    let words = match is_whole {
        true => [CauseWord::Computed, CauseWord::Decided],
        false => [CauseWord::ComputedPart, CauseWord::DecidedPart],
    };
    let old = Outdated { reader, read, changed, key: Some((node, key)), words, values };
    let mut between = calls_of(timeline, reader, read + 1..=changed);
    (!between.any(|(_, call, _)| reads_again(timeline, &old, call))).then_some(old)
}
