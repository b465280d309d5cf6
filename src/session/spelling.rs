//! How commands, calls and replies are written, everywhere: in labels, links, logs and sentences.
//! Absent: shorter labels with names for times and scripts (`view::short`).

use crate::engine::{EntryValue, MEMBERS_MAX};
use crate::resp::{Bytes, Value};
use crate::sim::{Call, CallKind, ClientId, Timeline, Woken, World};

pub use crate::text::{chars_wide, shortened};

/// Returns the clients that have a lane in a run: the cast, and the consoles that take part in it.
pub fn lanes(timeline: &Timeline) -> Vec<ClientId> {
    let last = timeline.frames().last().map_or(timeline.world(), |frame| &frame.world);
    last.everybody().collect()
}

/// The most bytes of an argument or a value that a label is made of; a longer one is cut before
/// anything else is done with it. No label has room for a tenth of it.
const LABEL_BYTES: usize = 4096;

/// The length from which a command's text gets no further arguments.
const COMMAND_BYTES: usize = 16 << 10;

/// Returns a command as it is typed: `SET balance 20`, quoted where redis-cli would need it.
pub fn command_text(argv: &[Bytes]) -> String {
    let mut text = String::new();
    for (at, argument) in argv.iter().enumerate() {
        if at > 0 {
            text.push(' ');
        }
        if text.len() > COMMAND_BYTES {
            text.push('…');
            break;
        }
        text.push_str(&argument_text(argument));
    }
    text
}

/// Returns a call as a program makes it, on one line: a command, a statement, a write, a mutex.
pub fn call_text(call: &Call) -> String {
    match &call.kind {
        CallKind::Redis { argv, .. } => command_text(argv),
        CallKind::Receive { timeout_ms, .. } => format!("receive({timeout_ms})"),
        CallKind::Close { .. } => "close()".to_owned(),
        CallKind::Sql(statement) => statement.to_string(),
        CallKind::Resource { name, value, token } => {
            let name = argument_text(name);
            let token = token.map(|token| format!(", token {token}")).unwrap_or_default();
            format!("{name}:write({}{token})", argument_text(value))
        }
        CallKind::Lock { name } => format!("synchronized({})", argument_text(name)),
        CallKind::Variable(used) => used.to_string(),
        CallKind::Again => "↻".to_owned(),
        CallKind::Wake(Woken::Start) => "begin".to_owned(),
        CallKind::Wake(_) => "wake".to_owned(),
    }
}

/// The same, with the name of the instance if there are several: `r2: GET lock`.
pub fn call_text_at(call: &Call, world: &World) -> String {
    match call.node().filter(|_| world.nodes().len() > 1) {
        Some(node) => format!("{}: {}", world.setting().node_name(node), call_text(call)),
        None => call_text(call),
    }
}

pub fn argument_text(argument: &[u8]) -> String {
    if argument.len() > LABEL_BYTES {
        return argument_text(cut(argument)) + "…";
    }
    let plain = |b: &u8| b.is_ascii_graphic() && !matches!(b, b'"' | b'\'' | b'\\');
    let utf8 = std::str::from_utf8(argument).ok();
    match utf8 {
        Some(text) if !argument.is_empty() && argument.iter().all(|b| plain(b) || *b >= 0x80) => {
            text.to_owned()
        }
        // A script would tear a label apart; the program beside it has its text.
        Some(text) if text.contains('\n') => "\"…\"".to_owned(),
        _ => Value::Bulk(argument.into()).to_cli_short(),
    }
}

/// Returns the start of a long string that a label shows; no character is cut in half.
pub fn cut(bytes: &[u8]) -> &[u8] {
    let shown = &bytes[..bytes.len().min(LABEL_BYTES)];
    match std::str::from_utf8(shown) {
        Err(why) if why.error_len().is_none() => &shown[..why.valid_up_to()],
        _ => shown,
    }
}

/// Returns a reply in as little room as possible: a number is shown as a number, whether Redis sent
/// it as an integer or as a string.
pub fn reply_text(reply: &Value) -> String {
    match reply {
        Value::Int(number) => number.to_string(),
        Value::Bulk(bytes) => argument_text(bytes),
        other => other.to_cli_within(LABEL_BYTES),
    }
}

/// Returns the first members of a value as texts, as many as any view shows.
pub fn members(value: &EntryValue) -> Vec<(Option<String>, String)> {
    let text = |bytes: &Bytes| {
        let shown = cut(bytes);
        let more = if shown.len() < bytes.len() { "…" } else { "" };
        match std::str::from_utf8(shown) {
            Ok(text) if !text.chars().any(char::is_control) => format!("{text}{more}"),
            _ => Value::bulk(shown).to_cli_short() + more,
        }
    };
    match value {
        EntryValue::Str(value) => vec![(None, text(value))],
        EntryValue::Hash(fields) => {
            fields.iter().map(|(field, value)| (Some(text(field)), text(value))).collect()
        }
        EntryValue::ZSet(members) => {
            let score = |score: &f64| crate::resp::number::double_g17(*score);
            members.iter().map(|(member, s)| (Some(text(member)), score(s))).collect()
        }
        EntryValue::List(items) => {
            items.iter().enumerate().map(|(at, v)| (Some(at.to_string()), text(v))).collect()
        }
        EntryValue::Set(members) => {
            members.iter().map(|member| (Some(text(member)), String::new())).collect()
        }
        EntryValue::Stream(entries) => {
            let entry = |(id, fields): &(String, Vec<Bytes>)| {
                let fields: Vec<String> = fields.iter().take(MEMBERS_MAX).map(text).collect();
                (Some(id.clone()), fields.join(" "))
            };
            entries.iter().map(entry).collect()
        }
    }
}

/// Returns a number with its digits in groups of three: `1,234`.
pub fn thousands(number: u64) -> String {
    grouped(&number.to_string())
}

/// Writes digits in groups of three.
pub fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
