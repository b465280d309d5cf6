//! Sentences about times to live: which keys expired, which lost their deadline, which were made
//! anew without one. They compare the deadlines of keys before and after a step, and do not look at
//! the words of commands.

use crate::engine::Entry;
use crate::resp::Bytes;
use crate::sim::{Change, Frame, NodeId, Timeline};
use crate::text::{CauseWord, Key, Lang, cause, fill, tr};

use super::explain::{letter, text};
use super::spans::keeps_value;

/// The most keys that one sentence names.
const KEYS_MAX: usize = 4;

fn deadline(entry: &Option<Entry>) -> Option<u64> {
    entry.as_ref().and_then(|entry| entry.expires_at)
}

/// Returns true if the key is gone because its deadline has passed.
pub(super) fn has_expired(change: &Change, frame: &Frame) -> bool {
    let clock_ms = frame.world.node(change.node).map(|node| node.now_ms(frame.world.now_ms()));
    let due = deadline(&change.before).is_some_and(|due| Some(due) <= clock_ms);
    due && change.after.is_none()
}

/// Returns the name of a key, with its instance if there are several.
fn named(change: &Change, frame: &Frame) -> String {
    match frame.world.nodes().len() > 1 {
        true => format!("{}: {}", frame.world.setting().node_name(change.node), text(&change.key)),
        false => text(&change.key),
    }
}

/// Says which keys expired in the step of `frame`, and what a command did to deadlines.
pub(super) fn said(frame: &Frame, lang: Lang) -> Option<String> {
    if frame.seen.changes.is_empty() {
        return None;
    }
    let executed = frame.seen.event.executed();
    let mut words = Vec::new();
    let gone = frame.seen.changes.iter().filter(|change| has_expired(change, frame));
    let mut gone: Vec<String> = gone.take(KEYS_MAX + 1).map(|one| named(one, frame)).collect();
    if gone.len() > KEYS_MAX {
        gone[KEYS_MAX] = "…".to_owned();
    }
    if !gone.is_empty() {
        words.push(fill(tr(lang, Key::SaidExpired), &[&gone.join(", ")]));
    }
    let mut touched = frame.seen.changes.iter().filter(|_| executed.is_some());
    let said = touched.find_map(|change| {
        let before = deadline(&change.before)?;
        let word = match (&change.after, deadline(&change.after)) {
            (Some(_), None) => CauseWord::TtlGone,
            (_, Some(after)) if after < before && keeps_value(change) => CauseWord::TtlShorter,
            _ => return None,
        };
        Some(fill(cause(lang, word), &[&named(change, frame)]))
    });
    words.extend(said);
    (!words.is_empty()).then(|| words.join(" "))
}

/// Describes keys that have no time to live at step `until`, although they, or earlier keys of the
/// same name, had one; each with the step since when.
pub(super) fn closing(timeline: &Timeline, until: usize, lang: Lang) -> Vec<(usize, String)> {
    let mut had: Vec<(NodeId, Bytes)> = Vec::new();
    let mut said: Vec<((NodeId, Bytes), (usize, String))> = Vec::new();
    for (step, frame) in timeline.frames().iter().enumerate().take(until + 1) {
        let by = frame.seen.event.executed().map(|(client, ..)| letter(client));
        for change in &frame.seen.changes {
            let key = (change.node, change.key.clone());
            let is_limited = deadline(&change.after).is_some();
            if is_limited || change.after.is_none() {
                said.retain(|(known, _)| *known != key);
            }
            let word = match (&change.before, deadline(&change.before)) {
                _ if is_limited || change.after.is_none() => None,
                (Some(_), Some(_)) => Some(CauseWord::WhyTtlGone),
                (None, _) if had.contains(&key) => Some(CauseWord::WhyAnew),
                _ => None,
            };
            if let (Some(word), Some(who)) = (word, &by) {
                let values = [&step.to_string(), who, &named(change, frame)];
                let words = fill(cause(lang, word), &values.map(String::as_str));
                said.push((key.clone(), (step, words)));
            }
            if is_limited && !had.contains(&key) {
                had.push(key);
            }
        }
    }
    said.into_iter().map(|(_, words)| words).collect()
}
