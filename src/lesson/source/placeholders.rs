//! Values in a walk's text are computed, not written: `{reply}` is the reply of the step, `{A.n}` a
//! local or global of a program, `{key stock}` the value of a key, `{redis HGET h f}` the reply to
//! a reading command, `{on r1 GET lock}` the reply of another instance, `{now}` the time in ms,
//! each as it is after the step. A value that does not exist is the author's mistake.

use crate::engine::{Entry, EntryValue, Flags, lookup};
use crate::lua::Data;
use crate::resp;
use crate::sim::{ClientId, Facts, Frame, NodeId};

use super::super::{Block, Inline};

/// The placeholders that an author may write, for a remedy.
pub const KINDS: &str = "there are {reply}, {A.name} for a program's variable, {key name}, \
                         {redis HGET h f}, {on r1 GET key} and {now}";

/// Fills the placeholders in `blocks` from `frame`; returns those that cannot be filled.
pub fn fill_blocks(blocks: &mut [Block], frame: &Frame) -> Vec<String> {
    let mut missing = Vec::new();
    let mut fill = |text: &mut String| *text = fill(text, Some(frame), PROSE, &mut missing);
    blocks.iter_mut().for_each(|block| each_text(block, true, &mut fill));
    missing
}

/// The same for a line of text.
pub fn fill_text(text: &str, frame: &Frame) -> Result<String, Vec<String>> {
    fill_line(text, frame, PROSE)
}

/// The same, with each reply exactly as redis-cli prints it.
pub fn fill_exactly(text: &str, frame: &Frame) -> Result<String, Vec<String>> {
    fill_line(text, frame, "")
}

/// The prefix that redis-cli puts before a number, left out in a sentence.
const PROSE: &str = "(integer) ";

fn fill_line(text: &str, frame: &Frame, without: &str) -> Result<String, Vec<String>> {
    let mut missing = Vec::new();
    let filled = fill(text, Some(frame), without, &mut missing);
    if missing.is_empty() { Ok(filled) } else { Err(missing) }
}

/// Returns the placeholders in a text that belongs to no state: none of them has a value. Code may
/// look like one.
pub fn places(blocks: &[Block]) -> Vec<String> {
    let mut found = Vec::new();
    let mut look = |text: &mut String| drop(fill(text, None, "", &mut found));
    blocks.to_vec().iter_mut().for_each(|block| each_text(block, false, &mut look));
    found
}

fn each_text(block: &mut Block, with_code: bool, work: &mut dyn FnMut(&mut String)) {
    match block {
        Block::Paragraph(inlines) => each_inline(inlines, work),
        Block::List(items) => items.iter_mut().for_each(|item| each_inline(item, work)),
        Block::Code(code) if with_code => work(code),
        Block::Code(_) => {}
    }
}

fn each_inline(inlines: &mut [Inline], work: &mut dyn FnMut(&mut String)) {
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => work(text),
            Inline::Strong(inner) | Inline::Emphasis(inner) => each_inline(inner, work),
            Inline::Link { text, .. } => each_inline(text, work),
        }
    }
}

/// Fills the placeholders of a text; the prefix `without` is removed from values.
fn fill(text: &str, frame: Option<&Frame>, without: &str, missing: &mut Vec<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('{') {
        out.push_str(before);
        match from.split_once('}').filter(|(place, _)| is_place(place)) {
            Some((place, after)) => {
                match frame.and_then(|frame| value(place, frame)) {
                    Some(value) => out.push_str(value.strip_prefix(without).unwrap_or(&value)),
                    None => missing.push(format!("{{{place}}}")),
                }
                rest = after;
            }
            // A brace of something else, an empty Lua table for instance.
            None => {
                out.push('{');
                rest = from;
            }
        }
    }
    out + rest
}

fn is_place(place: &str) -> bool {
    let words = ["key ", "redis ", "on "];
    matches!(place, "reply" | "now")
        || words.iter().any(|word| place.starts_with(word))
        || split_local(place).is_some()
}

/// Splits `A.n` into the client and the name.
fn split_local(place: &str) -> Option<(ClientId, &str)> {
    let (letter, name) = place.split_once('.')?;
    let mut chars = letter.chars();
    let id = chars.next().and_then(ClientId::from_letter)?;
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (chars.next().is_none() && !name.is_empty() && plain).then_some((id, name))
}

fn value(place: &str, frame: &Frame) -> Option<String> {
    if place == "reply" {
        let (_, _, reply) = frame.seen.event.executed()?;
        return Some(reply?.to_cli_short());
    }
    if let Some(key) = place.strip_prefix("key ") {
        let entry = frame.world.redis().entry(0, key.as_bytes(), frame.world.now_ms())?;
        return text_of(&entry);
    }
    if place == "now" {
        return Some(frame.world.now_ms().to_string());
    }
    if let Some(command) = place.strip_prefix("redis ") {
        return read(frame, NodeId(0), command);
    }
    if let Some((name, command)) = place.strip_prefix("on ").and_then(|on| on.split_once(' ')) {
        return read(frame, frame.world.setting().node(name)?, command);
    }
    let (id, name) = split_local(place)?;
    let client = frame.world.client(id)?;
    let mut locals = client.vm().frames().into_iter().flat_map(|frame| frame.locals);
    // A program that has ended has no frames; what it last assigned is in the trace.
    let local = locals.find(|local| local.name == name).map(|local| local.value);
    match local.unwrap_or_else(|| client.global(name)) {
        Data::Nil => frame.seen.ran.iter().filter(|ran| ran.client == id).find_map(|ran| {
            let mut assigned = ran.trace.assigned.iter().rev();
            assigned.find(|assigned| assigned.name == name).map(|assigned| assigned.value.clone())
        }),
        data => Some(data.short()),
    }
}

/// Returns the value of a key, if it is a text.
pub fn text_of(entry: &Entry) -> Option<String> {
    match &entry.value {
        EntryValue::Str(value) => Some(String::from_utf8_lossy(value).into_owned()),
        _ => None,
    }
}

/// Returns the reply to a command that only reads; `None` for other commands and for an error.
fn read(frame: &Frame, node: NodeId, command: &str) -> Option<String> {
    let argv = resp::split_inline(command.as_bytes()).ok()?;
    lookup(argv.first()?).filter(|command| command.flags.has(Flags::READONLY))?;
    let reply = frame.world.facts().read(node, &argv)?;
    (!reply.is_error()).then(|| reply.to_cli_short())
}
