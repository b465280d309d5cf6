//! The stop of a story: the step whose outcome the reader has to predict, with the choices. All of
//! it is computed; an author writes none of it.
//!
//! The step is the one that breaks what must always hold; in a story that breaks nothing, the one
//! whose outcome differs most between orders. Its outcome is the value of the one key that it
//! changes, or else its reply; of a stream's entries, their ids. The choices are the values that
//! this key has, or the replies that this line of the program gets, in any state that the clients
//! reach without a fault: in all states if there are at most [`STATES_MAX`], else in the nearest
//! ones.
//!
//! Absent: stops at steps that only pass time or are faults, at SQL statements, and at values too
//! long to choose from.

use std::collections::{BTreeMap, HashSet, VecDeque};

use crate::resp::Value;
use crate::sim::{Call, Event, Kind, Seen, Timeline, World};

use super::super::{Stop, StopQuestion};
use super::placeholders::text_of;

/// The most states searched for each variant: the lessons that most readers begin with have fewer.
pub const STATES_MAX: usize = 500;
/// The most choices.
const CHOICES_MAX: usize = 5;
/// The longest choice, in characters.
const LETTERS_MAX: usize = 24;

/// An outcome of a step: a possible question, and its answer.
type Given = (StopQuestion, String);

/// Returns where the story stops, and its question. `None` if every order has the same outcome.
pub fn stop(timeline: &Timeline, met: &Met) -> Option<Stop> {
    let frames = timeline.frames();
    let always = |index: &usize| timeline.scenario().properties[*index].kind == Kind::Always;
    let breaks = |step: usize| {
        let mut decided = frames[step].decided.iter().enumerate();
        decided.any(|(index, at)| always(&index) && *at == Some(step))
    };
    let mut best: Option<(usize, Stop)> = None;
    for (step, frame) in frames.iter().enumerate().skip(1) {
        for (asked, answer) in given(&frame.seen, &frame.world) {
            let Some(choices) = met.choices(&asked, &answer) else { continue };
            let right = choices.iter().position(|choice| *choice == answer)?;
            let weight = choices.len() + if breaks(step) { 100 } else { 0 };
            // Of steps with as many answers the later one: more has led to it.
            if best
                .as_ref()
                .is_none_or(|(most, stop)| weight > *most || (weight == *most && stop.step != step))
            {
                best = Some((weight, Stop { step, asked, choices, right }));
            }
        }
    }
    best.map(|(_, stop)| stop)
}

/// Returns the possible questions about a step that led to `world`, the value of a key first. A key
/// is left out if there are several instances, as its name is ambiguous; SQL statements and times
/// since 1970 are too long to choose from.
fn given(seen: &Seen, world: &World) -> Vec<Given> {
    let Some((client, call, reply)) = seen.event.executed() else { return Vec::new() };
    let Some(command) = call.argv().first() else { return Vec::new() };
    if let Event::Call { lost: true, .. } = seen.event {
        return Vec::new();
    }
    let (client, command) = (client.name(), String::from_utf8_lossy(command).to_uppercase());
    let mut all = Vec::new();
    if let Some((key, answer)) = written(seen, call, world) {
        let (client, command) = (client.clone(), command.clone());
        all.push((StopQuestion { client, line: 0, key: Some(key), command }, answer));
    }
    if let Some(reply) = reply {
        let answer = ids(&command, reply).unwrap_or_else(|| reply.to_cli_short());
        all.push((StopQuestion { client, line: call.line, key: None, command }, answer));
    }
    let is_short = |text: &str| text.chars().count() <= LETTERS_MAX;
    all.retain(|(asked, answer)| {
        is_short(&asked.command) && is_short(answer) && !is_long_number(answer)
    });
    all
}

/// Returns the ids of the entries of one stream in a reply, as `1-1, 1-2`: a whole entry is too
/// long to choose from. `None` for other replies, and if there is no entry.
fn ids(command: &str, reply: &Value) -> Option<String> {
    fn items(value: &Value) -> Option<&[Value]> {
        if let Value::Array(items) = value { Some(items) } else { None }
    }
    let [stream] = items(reply).filter(|_| command.starts_with("XREAD"))? else { return None };
    let mut ids = Vec::new();
    for entry in items(items(stream)?.get(1)?)? {
        let Value::Bulk(id) = items(entry)?.first()? else { return None };
        ids.push(String::from_utf8_lossy(id));
    }
    (!ids.is_empty()).then(|| ids.join(", "))
}

/// Returns true for a number, such as a time in ms, that cannot be told from another at a glance.
fn is_long_number(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() > 9
}

/// Returns the one key that a command has written, even with the same value, and its value if that
/// is a text; `(nil)` for a key that was removed.
fn written(seen: &Seen, call: &Call, world: &World) -> Option<(String, String)> {
    let key = match seen.changes.as_slice() {
        [change] => &change.key,
        [] if seen.wrote => call.argv().get(1)?,
        _ => return None,
    };
    if world.nodes().len() != 1 {
        return None;
    }
    let value = match world.redis().entry(0, key, world.now_ms()) {
        None => "(nil)".to_owned(),
        Some(entry) => text_of(&entry)?,
    };
    Some((String::from_utf8_lossy(key).into_owned(), value))
}

/// The outcomes in the states that were searched.
#[derive(Default)]
pub struct Met {
    /// The values of each key.
    values: BTreeMap<String, Vec<String>>,
    /// The replies by client and line of its program.
    replies: BTreeMap<(String, u32), Vec<String>>,
}

impl Met {
    /// Searches the states that can be reached from `start`, nearest first.
    pub fn from(start: &World) -> Met {
        let mut met = Met::default();
        for entry in start.redis().entries(0, start.now_ms()) {
            if let Some(value) = text_of(&entry) {
                met.values.insert(String::from_utf8_lossy(&entry.key).into_owned(), vec![value]);
            }
        }
        let (mut known, mut open) = (HashSet::new(), VecDeque::new());
        known.insert(start.clone());
        open.push_back(start.clone());
        while let Some(world) = open.pop_front() {
            for action in world.enabled().into_iter().filter(|action| !action.is_fault()) {
                let mut next = world.clone();
                let Ok(seen) = next.apply(action) else { continue };
                met.see(&seen, &next);
                if known.len() < STATES_MAX && known.insert(next.clone()) {
                    open.push_back(next);
                }
            }
        }
        met
    }

    fn see(&mut self, seen: &Seen, world: &World) {
        for (asked, answer) in given(seen, world) {
            let list = match &asked.key {
                Some(key) => self.values.entry(key.clone()).or_default(),
                None => self.replies.entry((asked.client, asked.line)).or_default(),
            };
            if !list.contains(&answer) {
                list.push(answer);
            }
        }
    }

    /// Returns the choices, `answer` among them, in an order that does not reveal it. `None` if
    /// there is only one.
    fn choices(&self, asked: &StopQuestion, answer: &str) -> Option<Vec<String>> {
        let met = match &asked.key {
            Some(key) => self.values.get(key),
            None => self.replies.get(&(asked.client.clone(), asked.line)),
        };
        let mut all: Vec<String> = vec![answer.to_owned()];
        all.extend(met.into_iter().flatten().filter(|one| *one != answer).cloned());
        all.truncate(CHOICES_MAX);
        all.sort_by_cached_key(|one| {
            let number = one.trim_start_matches("(integer) ").parse::<i64>();
            (number.is_err(), number.unwrap_or_default(), one.clone())
        });
        (all.len() > 1).then_some(all)
    }
}
