//! Sentences about values that were stale when a client wrote: what it had read, who changed that,
//! and whether the write was computed from it or decided on it ([`basis`](super::basis)). The value
//! is a key's or a row's.

use std::ops::RangeInclusive;
use std::rc::Rc;

use crate::engine::{self, Entry, EntryValue};
use crate::resp::{Bytes, Value};
use crate::session::spelling::{call_text, command_text, reply_text, shortened};
use crate::sim::{CallKind, ClientId, Timeline};
use crate::text::{CauseWord, Key, Lang, cause, fill, tr};

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
    let rows = rows(timeline, *steps.end(), lang, &mut tried).into_iter();
    said.extend(rows.filter(|(write, _)| steps.contains(write)));
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
    let command = frame.seen.event.executed().map(|(_, call, _)| call_text(call));
    let values = vec![
        letter(window.client),
        asked(argv),
        shortened(&reply_text(reply), 40),
        window.read_step.to_string(),
        letter(intruder),
        after,
        step.to_string(),
        shortened(&command.unwrap_or_default(), 60),
    ];
    Some((is_whole, values))
}

/// Describes writes, to a table or to Redis, that were computed from a row that another client had
/// changed since it was read.
fn rows(
    timeline: &Timeline,
    until: usize,
    lang: Lang,
    tried: &mut dyn FnMut(ClientId, usize, usize) -> Basis,
) -> Vec<(usize, String)> {
    let frames = timeline.frames();
    if frames[0].world.sql().is_empty() {
        return Vec::new();
    }
    let calls = |from: usize| {
        let frames = frames.iter().enumerate().take(until + 1).skip(from);
        frames.filter_map(|(step, frame)| Some((step, frame.seen.event.executed()?)))
    };
    let mut said = Vec::new();
    for (read, (reader, call, reply)) in calls(1) {
        let (CallKind::Sql(select), Some(reply)) = (&call.kind, reply) else { continue };
        let tables = |step: usize| frames[step].world.sql();
        let Ok(row) = tables(read).select(select) else { continue };
        let differs = |step: usize| {
            !Rc::ptr_eq(tables(step), tables(step - 1))
                && tables(step).select(select).as_ref() != Ok(&row)
        };
        let changed = calls(read + 1).find(|(step, _)| differs(*step));
        let Some((changed, (intruder, ..))) = changed.filter(|(_, by)| by.0 != reader) else {
            continue;
        };
        let reads_again = |step: usize, call: &CallKind| {
            step < changed && matches!(call, CallKind::Sql(other) if other == select)
        };
        let mut own = calls(read + 1).filter(|(_, by)| by.0 == reader);
        if own.any(|(step, by)| reads_again(step, &by.1.kind)) {
            continue;
        }
        let writes = |step: usize, call: &CallKind| match call {
            CallKind::Sql(statement) => statement.writes(),
            CallKind::Redis { argv, .. } => {
                frames[step].seen.wrote && !engine::footprint(argv).writes.is_empty()
            }
            _ => false,
        };
        let own = calls(changed + 1).filter(|(_, by)| by.0 == reader);
        let mut own = own.take_while(|(_, by)| by.1.kind != call.kind);
        let mut is_computed = |step: usize| tried(reader, read, step) == Basis::Computed;
        let write = own.find(|(step, by)| writes(*step, &by.1.kind) && is_computed(*step));
        let Some((write, _)) = write else { continue };
        let value = shortened(&reply_text(reply), 40);
        let [read, changed, step] = [read, changed, write].map(|step| step.to_string());
        let [row, now, command] = [const { String::new() }; 3];
        let values =
            [letter(reader), row, value, read, letter(intruder), now, changed, command, step];
        said.push((write, filled(lang, CauseWord::ComputedRow, &values)));
    }
    said
}
