//! Values in a walk's words are computed, not written: `{reply}` is the reply of the step,
//! `{A.n}` a local or global of a program, `{key stock}` the value of a key, each as it is after
//! the step. A value that cannot be had is the author's mistake.

use crate::engine::EntryValue;
use crate::lua::Data;
use crate::sim::{ClientId, Frame};

use super::super::{Block, Inline};

/// Fills the places in `blocks` from `frame`; each one that cannot be filled is returned.
pub fn fill_blocks(blocks: &mut [Block], frame: &Frame) -> Vec<String> {
    let mut missing = Vec::new();
    for block in blocks {
        match block {
            Block::Paragraph(inlines) => fill_inlines(inlines, frame, &mut missing),
            Block::List(items) => {
                items.iter_mut().for_each(|item| fill_inlines(item, frame, &mut missing));
            }
            Block::Code(code) => *code = fill(code, frame, &mut missing),
        }
    }
    missing
}

fn fill_inlines(inlines: &mut [Inline], frame: &Frame, missing: &mut Vec<String>) {
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => *text = fill(text, frame, missing),
            Inline::Strong(inner) | Inline::Emphasis(inner) => fill_inlines(inner, frame, missing),
            Inline::Link { text, .. } => fill_inlines(text, frame, missing),
        }
    }
}

fn fill(text: &str, frame: &Frame, missing: &mut Vec<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('{') {
        out.push_str(before);
        match from.split_once('}').filter(|(place, _)| is_place(place)) {
            Some((place, after)) => {
                match value(place, frame) {
                    Some(value) => out.push_str(&value),
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
    place == "reply" || place.starts_with("key ") || split_local(place).is_some()
}

/// `A.n` → the client and the name.
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
        let entries = frame.world.redis().entries(0, frame.world.now_ms());
        let entry = entries.into_iter().find(|entry| *entry.key == *key.as_bytes())?;
        return match entry.value {
            EntryValue::Str(value) => Some(String::from_utf8_lossy(&value).into_owned()),
            _ => None,
        };
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
