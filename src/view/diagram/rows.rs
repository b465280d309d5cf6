//! The rows: one per step, what a step did on its way to Redis and back.

use std::rc::Rc;

use crate::engine;
use crate::lua::Assigned;
use crate::resp::Value;
use crate::sim::{Action, Call, CallKind, ClientId, Event, Frame, ProcessId, State, Timeline};
use crate::text::{Key, Lang, fill, tr};
use crate::view::spans::{self, Span, SpanKind};
use crate::view::{call_text, explain, faults, reply_text, shortened, strip};

use super::inside::commands_inside;
use super::{
    Columns, Glyph, INSIDE, NOTE, Note, Parts, PlanKey, REPLY, REQUEST, Row, RowKind, Shape, TOP,
};

/// A step that becomes a row.
struct Made<'t> {
    frame: &'t Frame,
    /// The commands that ran as one, where they are to be shown.
    inside: Vec<String>,
}

/// Adds the rows that are not there yet.
pub(super) fn extend(
    rows: &mut Vec<Rc<Row>>,
    timeline: &Timeline,
    spans: &[Span],
    columns: &Columns,
    key: &PlanKey,
) {
    let row_height = if key.space.touch { 44 } else { 40 };
    let broken = strip::first_broken(timeline, timeline.frames());
    let mut top = rows.last().map_or(TOP, |row| row.top + row.height);
    let frames = timeline.frames().windows(2).zip(1..).skip(rows.len());
    for (pair, step) in frames {
        let [before, frame] = pair else { continue };
        let inside = match key.inside {
            true => commands_inside(&before.world, frame),
            false => Vec::new(),
        };
        let opened = INSIDE * inside.len() as i32;
        let notes = notes(frame, columns, top + row_height + opened);
        // One below the other: several programs may have gone on at once.
        let height = row_height + opened + NOTE * notes.len() as i32;
        let Some(kind) = row_kind(&Made { frame, inside }, columns, top, key) else { continue };
        let served = served(before, frame);
        let mut remarks = remarks(spans, step, key.lang);
        let arrives = |id: &ClientId| fill(tr(key.lang, Key::SpanServed), &[&id.name()]);
        remarks.extend(served.iter().map(arrives));
        rows.push(Rc::new(Row {
            step,
            top,
            height,
            kind,
            breaks: broken.contains(&step),
            words: explain::row_words(frame, key.lang),
            remarks,
            notes,
            served: served.into_iter().map(|id| (id, columns.x(id))).collect(),
        }));
        top += height;
    }
}

/// Who waited for Redis, and has what it waited for by somebody else's step or by the time.
fn served(before: &Frame, frame: &Frame) -> Vec<ClientId> {
    let by_time = matches!(frame.seen.event, Event::Advance { .. });
    let brings = match frame.seen.event {
        Event::Other(action) => matches!(action, Action::Replicate(_)),
        _ => true,
    };
    let waited = |id: &ClientId| {
        let state = |frame: &Frame| frame.world.client(*id).map(|client| client.state().clone());
        match (state(before), state(frame)) {
            (_, Some(State::Crashed)) => false,
            (Some(State::Blocked(_)), now) => !matches!(now, Some(State::Blocked(_))),
            (Some(State::Waiting(..)), now) => !matches!(now, Some(State::Waiting(..))),
            (Some(State::Receiving { .. }), now) => {
                !by_time && !matches!(now, Some(State::Receiving { .. }))
            }
            _ => false,
        }
    };
    frame.world.everybody().filter(|id| brings && waited(id)).collect()
}

/// What lasts and begins, turns or ends with this step, in words.
fn remarks(spans: &[Span], step: usize, lang: Lang) -> Vec<String> {
    let mut said = Vec::new();
    let mut say = |key: Key, span: &Span| {
        let who = span.client.map(|id| id.name()).unwrap_or_default();
        said.push(fill(tr(lang, key), &[&who, &span.name]));
    };
    for span in spans {
        let (begins, ends, turns) =
            (span.from == step, span.to == Some(step), span.turns.contains(&step));
        match span.kind {
            SpanKind::Lease if begins => say(Key::SpanLease, span),
            SpanKind::Lease if ends => say(Key::SpanLeaseEnd, span),
            SpanKind::Lease if turns => say(Key::SpanRenewed, span),
            SpanKind::Belief if begins => say(Key::SpanBelief, span),
            SpanKind::Belief if ends => say(Key::SpanBeliefEnd, span),
            SpanKind::Clash if begins => say(Key::SpanClash, span),
            SpanKind::Watch if begins => say(Key::SpanWatch, span),
            SpanKind::Watch if turns => say(Key::SpanDirty, span),
            SpanKind::Multi if begins => say(Key::SpanMulti, span),
            _ => {}
        }
    }
    said
}

/// Several commands ran as one.
pub fn is_whole(call: &Call, reply: Option<&Value>) -> bool {
    shape(call, reply) == Shape::Whole
}

fn shape(call: &Call, reply: Option<&Value>) -> Shape {
    let Some(name) = call.argv().first() else { return Shape::Dot };
    let whole = || match reply {
        Some(reply) if reply.is_error() => Shape::Dot,
        _ => Shape::Whole,
    };
    if reply.is_some_and(spans::is_queued) {
        Shape::Queued
    } else if name.eq_ignore_ascii_case(b"EXEC") {
        match reply {
            Some(Value::NilArray | Value::NilBulk | Value::Null) => Shape::Refused,
            _ => whole(),
        }
    } else {
        let runs =
            [b"EVAL".as_slice(), b"EVALSHA", b"EVAL_RO", b"EVALSHA_RO", b"FCALL", b"FCALL_RO"];
        let is_script =
            runs.iter().any(|run| name.eq_ignore_ascii_case(run)) && engine::lookup(name).is_some();
        if is_script { whole() } else { Shape::Dot }
    }
}

/// Nothing for the start.
fn row_kind(made: &Made<'_>, columns: &Columns, top: i32, key: &PlanKey) -> Option<RowKind> {
    let (frame, lang) = (made.frame, key.lang);
    let world = &frame.world;
    let call = |client: ClientId, call: &Call, reply: Option<&Value>, parts: Parts, lost: bool| {
        let label_chars = columns.label_chars();
        if let CallKind::Lock { .. } = call.kind {
            return mark(columns, top, client, Glyph::Dot, call_text(call));
        }
        let executed = parts.execution && !world.goes_nowhere(&call.kind);
        // Room for the mark of a broken row.
        let command = shortened(&call_text(call), label_chars - 2);
        RowKind::Call {
            client,
            from_x: columns.x(client),
            to_x: columns.dot(super::servers::of(call, world, &columns.servers)),
            y_request: top + REQUEST,
            y_reply: top + REPLY,
            command,
            reply: reply.map(|reply| shortened(&reply_text(reply), label_chars)),
            wrote: match &call.kind {
                CallKind::Sql(statement) => statement.writes(),
                CallKind::Resource { .. } => reply == Some(&Value::Bool(true)),
                _ => frame.seen.wrote,
            },
            parts: Parts { execution: executed, ..parts },
            shape: if executed { shape(call, reply) } else { Shape::Dot },
            inside: made.inside.clone(),
            lost,
        }
    };
    let only = Parts { request: false, execution: false, reply: false };
    Some(match &frame.seen.event {
        Event::Start => return None,
        Event::Call { client, call: made, reply, lost } => {
            call(*client, made, reply.as_ref(), Parts::ALL, *lost)
        }
        Event::Send { client, call: made } => {
            call(*client, made, None, Parts { request: true, ..only }, false)
        }
        Event::Execute { client, call: made, reply } => {
            call(*client, made, reply.as_ref(), Parts { execution: true, ..only }, false)
        }
        Event::Reply { client, call: made, reply } => {
            call(*client, made, Some(reply), Parts { reply: true, ..only }, false)
        }
        Event::Advance { from_ms, to_ms } => RowKind::Advance {
            y: top + REQUEST,
            label: fill(tr(lang, Key::SaidAdvance), &[&(to_ms - from_ms).to_string()]),
        },
        Event::Other(action) => {
            let label = faults::label(*action, world.setting(), world.budget().jump_ms, lang);
            let glyph = match action {
                Action::Crash(_) | Action::CrashProcess(_) | Action::Down(_) => Glyph::Cross,
                Action::Failover(_) | Action::Restart(_) => Glyph::Cross,
                Action::JumpClient(_) | Action::JumpNode(_) => Glyph::Notch,
                _ => Glyph::Dot,
            };
            let process = |id: ProcessId| world.setting().members(id).first().copied();
            let client = match *action {
                Action::PauseProcess(id) | Action::ResumeProcess(id) | Action::CrashProcess(id) => {
                    process(id)
                }
                other => other.client(),
            };
            match (client, action.node()) {
                (Some(client), _) => mark(columns, top, client, glyph, label),
                (None, node) => RowKind::Mark {
                    client: None,
                    x: columns.dot(node.map_or(0, |node| node.index())),
                    y: top + REQUEST,
                    glyph,
                    label: shortened(&label, columns.label_chars()),
                },
            }
        }
    })
}

/// Something on a client's lane, with words beside it.
fn mark(columns: &Columns, top: i32, client: ClientId, glyph: Glyph, label: String) -> RowKind {
    let label = shortened(&label, columns.label_chars());
    RowKind::Mark { client: Some(client), x: columns.x(client), y: top + REQUEST, glyph, label }
}

fn notes(frame: &Frame, columns: &Columns, bottom: i32) -> Vec<Note> {
    let mut notes = Vec::new();
    for run in &frame.seen.ran {
        // What each variable ended up with; the cards show the way there.
        let mut last: Vec<&Assigned> = Vec::new();
        // `_` is the name of what nobody looks at.
        for assigned in run.trace.assigned.iter().filter(|assigned| assigned.name != "_") {
            last.retain(|earlier| earlier.name != assigned.name);
            last.push(assigned);
        }
        let values: Vec<String> =
            last.iter().map(|one| format!("{} = {}", one.name, value(one))).collect();
        if !values.is_empty() {
            let text = shortened(&values.join(", "), columns.note_chars(run.client));
            let x = columns.x(run.client) + 8;
            let y = bottom + 6 + NOTE * notes.len() as i32;
            notes.push(Note { client: run.client, x, y, text });
        }
    }
    notes
}

/// A table is named, not spelled out: the card has it.
fn value(assigned: &Assigned) -> &str {
    if assigned.value.starts_with('{') && assigned.value.len() > 12 {
        "{…}"
    } else {
        &assigned.value
    }
}
