//! The inside of a script or a transaction, which runs in one step: its commands, as MONITOR shows
//! them.

use std::rc::Rc;

use crate::engine::Outcome;
use crate::resp::{Bytes, Value};
use crate::session::spelling::{command_text, shortened};
use crate::sim::{CallKind, Event, Frame, World};

use super::rows::is_whole;

/// The most commands shown; more would be no overview.
const COMMANDS_MAX: usize = 12;
const CHARS_MAX: usize = 60;

/// Returns the commands that ran as one in this step, as text; empty for an ordinary step.
pub fn commands_inside(before: &World, frame: &Frame) -> Vec<String> {
    let all = argvs_inside(before, frame);
    let shown = match all.len() {
        count if count > COMMANDS_MAX => COMMANDS_MAX - 1,
        count => count,
    };
    let text = |argv: &Rc<[Bytes]>| shortened(&command_text(argv), CHARS_MAX);
    let mut commands: Vec<String> = all.iter().take(shown).map(text).collect();
    if all.len() > shown {
        commands.push(format!("… +{}", all.len() - shown));
    }
    commands
}

/// The same as argument lists, all of them. A script is run again on a copy of its instance, in
/// which a MONITOR records it.
pub(in crate::view) fn argvs_inside(before: &World, frame: &Frame) -> Vec<Rc<[Bytes]>> {
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
    let (Some(place), conn) = (before.node(node), before.conn_of(client, *connection)) else {
        return Vec::new();
    };
    if argv[0].eq_ignore_ascii_case(b"EXEC") {
        return place.instance.conn(conn).map(|conn| conn.queued).unwrap_or_default();
    }
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
}

/// Returns the command of a line such as `1767225600.000000 [0 lua] "GET" "lock"`.
fn called(line: &Value) -> Option<Rc<[Bytes]>> {
    let Value::Status(text) = line else { return None };
    let text = String::from_utf8_lossy(text);
    let (_, words) = text.split_once(" lua] ")?;
    crate::resp::split_inline(words.as_bytes()).ok().map(Rc::from)
}
