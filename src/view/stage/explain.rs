//! Explains a step in words made from the run itself: which client read which value when, which
//! write came from a value that was stale. Times of the clock are told from the run's start.

use crate::engine::{self, Entry, EntryValue};
use crate::resp::{Bytes, Value};
use crate::scenario::lacking_words;
use crate::sim::{
    Call, CallKind, Change, ClientId, Event, Frame, START_MS, State, Timeline, Woken,
};
use crate::text::{CauseWord, Key, Lang, VerdictWord, cause, fill, tr, verdict};

use super::deadlines;
use super::faults;
use super::shaped;
use super::stale::{self, place_read};
use super::why::why_until;
use super::windows::{self, RaceWindow};
use crate::session::Session;
use crate::session::spelling::{
    argument_text, call_text, call_text_at, command_text, reply_text, shortened,
};
use crate::view::short::with_times;

/// The text by which redis-cli shows a missing value.
const NIL: &str = "(nil)";

/// Returns the sentences for the step at the cursor.
pub fn explain(session: &Session, lang: Lang) -> Vec<String> {
    explain_with(session, &windows::find(session.timeline()), lang)
}

/// The same with the race windows of the run, if they are known.
pub fn explain_with(session: &Session, found: &[RaceWindow], lang: Lang) -> Vec<String> {
    let timeline = session.timeline();
    let mut said = sentences(timeline, found, timeline.cursor(), lang);
    let step = timeline.cursor();
    let mut properties = session.lesson().properties_of(session.variant()).enumerate();
    let is_broken_now = properties.any(|(index, property)| {
        let is_always = property.kind == crate::sim::Kind::Always;
        step > 0 && is_always && timeline.decided(index) == Some(step)
    });
    if is_broken_now {
        // Values that this very step wrote back too late were explained above.
        let why = why_until(timeline, found, step, step.saturating_sub(1), lang);
        let new: Vec<String> = why.into_iter().filter(|words| !said.contains(words)).collect();
        said.extend(new);
    }
    said
}

/// Returns the sentences that say why the step at the cursor broke a condition; empty if none was
/// found.
pub fn cause_with(session: &Session, found: &[RaceWindow], lang: Lang) -> Vec<String> {
    let (timeline, step) = (session.timeline(), session.timeline().cursor());
    let mut said = in_times(stale::at_step(timeline, found, step, lang));
    said.extend(why_until(timeline, found, step, step.saturating_sub(1), lang));
    said
}

/// Writes the times of the clock in sentences as times since the run's start.
pub(super) fn in_times(mut said: Vec<String>) -> Vec<String> {
    for sentence in &mut said {
        if let Some(told) = with_times(sentence, START_MS) {
            *sentence = told;
        }
    }
    said
}

/// Describes in one line what a step did: for tooltips and the table.
pub fn row_words(frame: &Frame, lang: Lang) -> String {
    let mut said = vec![step_words(frame, lang)];
    said.extend(shared_words(frame, lang));
    said.extend(deadlines::said(frame, lang));
    in_times(said).join(" ")
}

/// Names the connection of the step's call, if the clients of a process share it.
fn shared_words(frame: &Frame, lang: Lang) -> Option<String> {
    let (Event::Call { client, call, .. }
    | Event::Send { client, call }
    | Event::Execute { client, call, .. }
    | Event::Unheard { client, call }
    | Event::Reply { client, call, .. }) = &frame.seen.event
    else {
        return None;
    };
    let name = frame.world.client(*client)?.shares(call)?;
    Some(fill(tr(lang, Key::SaidShared), &[&argument_text(name)]))
}

fn step_words(frame: &Frame, lang: Lang) -> String {
    let command = |call: &Call| shortened(&call_text_at(call, &frame.world), 60);
    match &frame.seen.event {
        Event::Start => tr(lang, Key::SaidStart).to_owned(),
        Event::Advance { from_ms, to_ms } => {
            fill(tr(lang, Key::SaidAdvance), &[&(to_ms - from_ms).to_string()])
        }
        Event::Call { client, call, lost: true, .. } => {
            let is_sql = matches!(call.kind, CallKind::Sql(_));
            let said = match frame.gives_up() {
                true => verdict(lang, VerdictWord::SaidCancelled),
                false if is_sql => verdict(lang, VerdictWord::SaidLostSql),
                false => tr(lang, Key::SaidLost),
            };
            fill(said, &[&letter(*client), &command(call)])
        }
        Event::Call { client, call, reply: Some(reply), .. } if frame.got_older_reply() => {
            let words = [letter(*client), command(call), reply_text(reply)];
            let said = verdict(lang, VerdictWord::SaidOlder);
            fill(said, &words.each_ref().map(String::as_str))
        }
        Event::Call { client, call, reply, .. } | Event::Execute { client, call, reply } => {
            call_words(lang, *client, call, reply.as_ref(), frame)
        }
        Event::Send { client, call } => {
            fill(tr(lang, Key::SaidSend), &[&letter(*client), &command(call)])
        }
        Event::Unheard { client, call } => {
            let said = verdict(lang, VerdictWord::SaidUnheard);
            fill(said, &[&letter(*client), &command(call)])
        }
        Event::Reply { client, call, reply } => {
            let words = [letter(*client), shortened(&call_text(call), 60), reply_text(reply)];
            fill(tr(lang, Key::SaidReply), &words.each_ref().map(String::as_str))
        }
        Event::Other(action) => faults::said(*action, frame, lang),
    }
}

fn sentences(timeline: &Timeline, found: &[RaceWindow], step: usize, lang: Lang) -> Vec<String> {
    let Some(frame) = timeline.frames().get(step) else { return Vec::new() };
    let mut said = vec![row_words(frame, lang)];
    match &frame.seen.event {
        Event::Call { lost: false, .. } | Event::Execute { .. } => {
            said.extend(in_times(stale::at_step(timeline, found, step, lang)));
            // What this step did to a deadline that was there is said already.
            if deadlines::said(frame, lang).is_none() {
                let anew = deadlines::closing(timeline, step, lang).into_iter();
                said.extend(anew.filter(|(at, _)| *at == step).map(|(_, words)| words));
            }
        }
        _ => {}
    }
    for run in &frame.seen.ran {
        if let Some(State::Failed(message)) = frame.world.client(run.client).map(|c| c.state()) {
            said.push(fill(tr(lang, Key::SaidFailed), &[&letter(run.client), message]));
            let lacking = timeline.lacking(run.client, step);
            said.extend(lacking.map(|lacking| lacking_words(&lacking, lang)));
        }
    }
    said
}

fn call_words(
    lang: Lang,
    client: ClientId,
    call: &Call,
    reply: Option<&Value>,
    frame: &Frame,
) -> String {
    let changes = frame.seen.changes.as_slice();
    let who = letter(client);
    let command = shortened(&call_text_at(call, &frame.world), 60);
    let Some(reply) = reply else {
        if frame.world.goes_nowhere(&call.kind) {
            let node = frame.world.setting().node_name(call.node().unwrap_or_default());
            return fill(tr(lang, Key::SaidNoAnswer), &[&who, &command, node]);
        }
        return fill(tr(lang, Key::SaidBlocked), &[&who, &command]);
    };
    if let Some(said) = beside_redis(lang, &who, &command, call, reply) {
        return said;
    }
    if reply.is_error() {
        return fill(tr(lang, Key::SaidError), &[&who, &command, &reply.to_cli_short()]);
    }
    if let Some(said) = served(lang, &who, client, call, reply, frame) {
        return said;
    }
    let footprint = engine::footprint(call.argv());
    let is_script = engine::lookup(&call.argv()[0])
        .is_some_and(|command| command.group == engine::Group::Scripting);
    if is_script {
        let effects: Vec<String> = changes.iter().map(|one| change_text(one, lang)).collect();
        return match effects.is_empty() {
            true => fill(tr(lang, Key::SaidScriptNothing), &[&who]),
            false => {
                let effects = effects.join(tr(lang, Key::ListAnd));
                fill(tr(lang, Key::SaidScript), &[&who, &effects])
            }
        };
    }
    if let Some(said) = shaped::words(lang, &who, call.argv(), reply) {
        return said;
    }
    let place = place_read(call.argv()).unwrap_or_default();
    match (changes, footprint.writes.as_slice(), footprint.reads.as_slice()) {
        ([change], [_], _) => {
            let key = if changes_in_place(call) { Key::SaidAtomic } else { Key::SaidWrote };
            let (name, before, after) = change_parts(change);
            match before == after {
                // What changed is not in the value: a deadline, a group of consumers.
                true => fill(tr(lang, Key::SaidCalled), &[&who, &command, &reply_text(reply)]),
                false => fill(tr(lang, key), &[&who, &name, &before, &after]),
            }
        }
        // SET NX may have found the key taken: then nothing was written.
        ([], [key], _) if frame.seen.wrote => {
            fill(tr(lang, Key::SaidSame), &[&who, &text(key), &value_of(key, frame)])
        }
        (_, [], [_]) if !place.is_empty() => match reply {
            Value::NilBulk | Value::Null if call.argv().len() == 2 => {
                fill(tr(lang, Key::SaidReadNil), &[&who, &place])
            }
            reply => fill(tr(lang, Key::SaidRead), &[&who, &place, &reply_text(reply)]),
        },
        _ => fill(tr(lang, Key::SaidCalled), &[&who, &command, &reply_text(reply)]),
    }
}

/// Describes a call that is no Redis command: a mutex, a table, a resource, a message.
fn beside_redis(
    lang: Lang,
    who: &str,
    command: &str,
    call: &Call,
    reply: &Value,
) -> Option<String> {
    match &call.kind {
        CallKind::Redis { .. } => None,
        CallKind::Lock { name } => Some(fill(tr(lang, Key::SaidLock), &[who, &text(name)])),
        CallKind::Resource { .. } => {
            let accepted = *reply == Value::Bool(true);
            let key = if accepted { Key::SaidAccepted } else { Key::SaidRefused };
            Some(fill(tr(lang, key), &[who, command]))
        }
        CallKind::Wake(woken) => {
            let begins = *woken == Woken::Start;
            let word = if begins { VerdictWord::SaidBegins } else { VerdictWord::SaidWakes };
            Some(fill(verdict(lang, word), &[who]))
        }
        CallKind::Close { .. } => Some(fill(verdict(lang, VerdictWord::SaidClose), &[who])),
        CallKind::Again => Some(fill(verdict(lang, VerdictWord::SaidAgain), &[who])),
        CallKind::Variable(used) if used.is_read() => {
            Some(fill(tr(lang, Key::SaidRead), &[who, command, &reply_text(reply)]))
        }
        CallKind::Variable(_) => Some(format!("{who}: {command}")),
        CallKind::Sql(_) | CallKind::Receive { .. } => {
            Some(fill(tr(lang, Key::SaidCalled), &[who, command, &reply_text(reply)]))
        }
    }
}

/// Describes a command that served clients which were waiting.
fn served(
    lang: Lang,
    who: &str,
    client: ClientId,
    call: &Call,
    reply: &Value,
    frame: &Frame,
) -> Option<String> {
    // Messages of channels are pushes.
    let is_reply = |late: &&(ClientId, u8, Value)| {
        late.0 != client && !matches!(late.2, Value::Push(_)) && !late.2.is_error()
    };
    let late: Vec<_> = frame.seen.late.iter().filter(is_reply).collect();
    let name = call.argv()[0].to_ascii_uppercase();
    match (late.as_slice(), call.argv()) {
        ([], _) => None,
        ([(other, ..)], [_, _, item]) if matches!(name.as_slice(), b"LPUSH" | b"RPUSH") => {
            let values = [who, &argument_text(item), &letter(*other)];
            Some(fill(cause(lang, CauseWord::Pushed), &values))
        }
        (late, argv) => {
            let command = shortened(&command_text(argv), 60);
            let called = fill(tr(lang, Key::SaidCalled), &[who, &command, &reply_text(reply)]);
            let served = late.iter().map(|(other, _, got)| {
                let got = shortened(&reply_text(got), 40);
                fill(cause(lang, CauseWord::Served), &[&letter(*other), &got])
            });
            Some([called].into_iter().chain(served).collect::<Vec<_>>().join(" "))
        }
    }
}

/// Returns true if the command computes the new value from the old one, as INCR does and SET does
/// not.
fn changes_in_place(call: &Call) -> bool {
    let specs = engine::lookup(&call.argv()[0]).map(|command| command.keys.as_slice());
    let in_place = |flags: &[&str]| {
        let has = |flag| flags.contains(&flag);
        // SET reads the old value only where it is asked to return it.
        has("RW") && has("access") && !has("variable_flags")
    };
    specs.unwrap_or_default().iter().any(|spec| in_place(&spec.flags))
}

/// Returns the value of `key` after the step.
fn value_of(key: &Bytes, frame: &Frame) -> String {
    let world = &frame.world;
    let node = frame.seen.event.executed().and_then(|(_, call, _)| call.node());
    let node = world.node(world.serving(node.unwrap_or_default()));
    let entry = node.and_then(|node| node.instance.entry(0, key, node.now_ms(world.now_ms())));
    entry.map_or_else(|| NIL.to_owned(), |entry| whole(Some(&entry), &parts(&entry)))
}

fn change_text(change: &Change, lang: Lang) -> String {
    let (name, before, after) = change_parts(change);
    match before == after {
        true => fill(cause(lang, CauseWord::ValueStays), &[&name]),
        false => format!("{name} {before} → {after}"),
    }
}

/// Returns name, value before and value after: of the key, or of the one member that changed.
pub(super) fn change_parts(change: &Change) -> (String, String, String) {
    let before = change.before.as_ref().map(parts).unwrap_or_default();
    let after = change.after.as_ref().map(parts).unwrap_or_default();
    match only_member(&before, &after) {
        Some((member, was, now)) => (format!("{} {member}", text(&change.key)), was, now),
        None => {
            let before = whole(change.before.as_ref(), &before);
            (text(&change.key), before, whole(change.after.as_ref(), &after))
        }
    }
}

/// Returns the one member that was added or changed, and its value; `None` if several did.
pub fn changed_member(change: &Change) -> Option<(String, String)> {
    let before = change.before.as_ref().map(parts).unwrap_or_default();
    let after = change.after.as_ref().map(parts)?;
    only_member(&before, &after).map(|(member, _, now)| (member, now))
}

type Part = (Option<String>, String);

fn only_member(before: &[Part], after: &[Part]) -> Option<(String, String, String)> {
    // Most parts stand in the same order as before: the next one is looked for after the last.
    let mut at = 0;
    let mut changed =
        after.iter().filter(|part| match before[at..].iter().position(|one| one == *part) {
            Some(further) => {
                at += further + 1;
                false
            }
            None => !before[..at].contains(part),
        });
    match (changed.next(), changed.next()) {
        (Some((Some(member), now)), None) => {
            let was = before.iter().find(|(name, _)| name.as_ref() == Some(member));
            let was = was.map_or_else(|| NIL.to_owned(), |(_, was)| was.clone());
            Some((member.clone(), was, now.clone()))
        }
        _ => None,
    }
}

fn parts(entry: &Entry) -> Vec<Part> {
    crate::session::spelling::members(&entry.value)
}

/// Returns a whole value, with its parts, on one line. The places in a list are no part of it.
fn whole(entry: Option<&Entry>, parts: &[Part]) -> String {
    let is_list = entry.is_some_and(|entry| matches!(entry.value, EntryValue::List(_)));
    let part = |(name, value): &Part| match name.as_ref().filter(|_| !is_list) {
        Some(name) => format!("{name} {value}"),
        None => value.clone(),
    };
    match parts {
        [] => NIL.to_owned(),
        parts => shortened(&parts.iter().map(part).collect::<Vec<_>>().join(", "), 40),
    }
}

pub(super) fn letter(id: ClientId) -> String {
    id.name()
}

pub(super) fn text(bytes: &Bytes) -> String {
    crate::resp::lossy(bytes).into_owned()
}
