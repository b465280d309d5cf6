//! What a script or a transaction does in one go: its commands, as MONITOR shows them.

use crate::engine::Outcome;
use crate::resp::{Bytes, Value};
use crate::sim::{CallKind, Event, Frame, World, conn_id};
use crate::view::{command_text, shortened};

use super::rows::is_whole;

/// More would be no overview.
const COMMANDS_MAX: usize = 12;
const CHARS_MAX: usize = 60;

/// The commands that ran as one in this step; nothing where it was an ordinary one. A script is run
/// again on a copy of its instance, with somebody watching.
pub fn commands_inside(before: &World, frame: &Frame) -> Vec<String> {
    let (client, call) = match &frame.seen.event {
        Event::Call { client, call, reply, .. } | Event::Execute { client, call, reply }
            if is_whole(call, reply.as_ref()) =>
        {
            (*client, call)
        }
        _ => return Vec::new(),
    };
    let CallKind::Redis { node, connection, argv } = &call.kind else { return Vec::new() };
    let node = before.serving(*node);
    let (Some(place), conn) = (before.node(node), conn_id(client, *connection)) else {
        return Vec::new();
    };
    let mut commands: Vec<String> = if argv[0].eq_ignore_ascii_case(b"EXEC") {
        let queued = place.instance.conn(conn).map(|conn| conn.queued).unwrap_or_default();
        queued.iter().map(|argv| shortened(&command_text(argv), CHARS_MAX)).collect()
    } else {
        let mut copy = place.instance.clone();
        let now_ms = place.now_ms(before.now_ms());
        let eye = copy.connect();
        let monitor = [Bytes::from(&b"MONITOR"[..])];
        if !matches!(copy.execute(eye, &monitor, now_ms), Outcome::Reply(_)) {
            return Vec::new();
        }
        copy.execute(conn, argv, now_ms);
        let shown = copy.take_pushes().into_iter().filter(|(to, _)| *to == eye);
        shown.filter_map(|(_, line)| called(&line)).collect()
    };
    if commands.len() > COMMANDS_MAX {
        let more = commands.len() - COMMANDS_MAX + 1;
        commands.truncate(COMMANDS_MAX - 1);
        commands.push(format!("… +{more}"));
    }
    commands
}

/// The command of a line such as `1767225600.000000 [0 lua] "GET" "lock"`.
fn called(line: &Value) -> Option<String> {
    let Value::Status(text) = line else { return None };
    let text = String::from_utf8_lossy(text);
    let (_, words) = text.split_once(" lua] ")?;
    let argv = crate::resp::split_inline(words.as_bytes()).ok()?;
    Some(shortened(&command_text(&argv), CHARS_MAX))
}
