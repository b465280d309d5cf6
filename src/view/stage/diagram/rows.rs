//! The rows: one per step, with its way to Redis and back.

use std::rc::Rc;

use crate::engine;
use crate::lua::Assigned;
use crate::resp::Value;
use crate::session::spelling::{call_text, reply_text};
use crate::sim::{Action, Call, CallKind, ClientId, Event, Frame, ProcessId, State, Timeline};
use crate::text::{Key, Lang, fill, tr};
use crate::view::short::{began_ms, forms, with_times};
use crate::view::stage::spans::{self, Span, SpanKind};
use crate::view::stage::{explain, faults, strip};

use super::inside::commands_inside;
use super::{Columns, Glyph, LEADING, Parts, PlanKey, Row, RowKind, Served, Shape, TOP, lines_of};

/// A step that becomes a row.
struct Made<'t> {
    timeline: &'t Timeline,
    frame: &'t Frame,
    /// The commands that ran as one, if they are to be shown.
    inside: Vec<String>,
    top: i32,
}

/// Returns `+20 ms`.
pub fn time_label(ms: u64) -> String {
    format!("+{ms} ms")
}

/// Adds the rows that are missing.
pub(super) fn extend(
    rows: &mut Vec<Rc<Row>>,
    timeline: &Timeline,
    spans: &[Span],
    columns: &Columns,
    key: &PlanKey,
) {
    let line = columns.size + LEADING;
    let broken = strip::first_broken(timeline, timeline.frames());
    let mut top = rows.last().map_or(TOP, |row| row.top + row.height);
    let frames = timeline.frames().windows(2).zip(1..).skip(rows.len());
    for (pair, step) in frames {
        let [before, frame] = pair else { continue };
        let inside = match key.inside {
            true => commands_inside(&before.world, frame),
            false => Vec::new(),
        };
        let opened = line * inside.len() as i32;
        let made = Made { timeline, frame, inside, top };
        let Some(kind) = row_kind(&made, columns, key) else { continue };
        let mut served = served(before, frame, columns);
        for (at, one) in served.iter_mut().enumerate() {
            one.y = match &kind {
                RowKind::Call { y_reply, .. } => y_reply + opened,
                RowKind::Mark { y, .. } => *y,
                RowKind::Advance { y, height, .. } => y + height,
            } + line * (at as i32 + 1);
            if let RowKind::Call { to_x, .. } = kind {
                one.from_x = to_x;
            }
        }
        let mut remarks = remarks(spans, step, key.lang);
        let arrives = |one: &Served| fill(tr(key.lang, Key::SpanServed), &[&one.client.name()]);
        remarks.extend(served.iter().map(arrives));
        let height = key.row + opened + line * served.len() as i32;
        rows.push(Rc::new(Row {
            step,
            top,
            height,
            kind,
            breaks: broken.contains(&step),
            words: explain::row_words(frame, key.lang),
            remarks,
            notes: notes(frame),
            served,
        }));
        top += height;
    }
}

/// Returns the clients that waited for Redis and were served by another client's step or by time.
fn served(before: &Frame, frame: &Frame, columns: &Columns) -> Vec<Served> {
    let by_time = matches!(frame.seen.event, Event::Advance { .. });
    let brings = match frame.seen.event {
        Event::Other(action) => matches!(action, Action::Replicate(_) | Action::Arrive(..)),
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
    let served = |client: ClientId| {
        let reply = frame.seen.late.iter().find(|(to, ..)| *to == client);
        let reply = reply.map(|(.., value)| columns.label(reply_text(value)));
        Served { client, x: columns.x(client), from_x: columns.dot(0), y: 0, reply }
    };
    frame.world.everybody().filter(|id| brings && waited(id)).map(served).collect()
}

/// The most remarks on a step.
const REMARKS_MAX: usize = 40;

/// Says which spans begin, turn or end with this step.
fn remarks(spans: &[Span], step: usize, lang: Lang) -> Vec<String> {
    let remark = |span: &Span| {
        let (begins, ends, turns) =
            (span.from == step, span.to == Some(step), span.turns.contains(&step));
        let key = match span.kind {
            SpanKind::Lease if begins => Key::SpanLease,
            SpanKind::Lease if ends => Key::SpanLeaseEnd,
            SpanKind::Lease if turns => Key::SpanRenewed,
            SpanKind::Belief if begins => Key::SpanBelief,
            SpanKind::Belief if ends => Key::SpanBeliefEnd,
            SpanKind::Clash if begins => Key::SpanClash,
            SpanKind::Watch if begins => Key::SpanWatch,
            SpanKind::Watch if turns => Key::SpanDirty,
            SpanKind::Multi if begins => Key::SpanMulti,
            _ => return None,
        };
        let who = span.client.map(|id| id.name()).unwrap_or_default();
        Some(fill(tr(lang, key), &[&who, &span.name]))
    };
    let mut remarks = spans.iter().filter_map(remark);
    let mut said: Vec<String> = remarks.by_ref().take(REMARKS_MAX).collect();
    said.extend(remarks.next().map(|_| "…".to_owned()));
    said
}

/// Returns true if several commands ran as one.
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

/// Returns the mark of a fault, or of its repair.
fn glyph_of(action: Action) -> Glyph {
    match action {
        Action::Crash(_) | Action::CrashProcess(_) => Glyph::Nothing,
        Action::Down(_) | Action::Failover(_) | Action::Restart(_) | Action::Rewind(_) => {
            Glyph::Cross
        }
        Action::JumpClient(_) | Action::JumpNode(_) => Glyph::Notch,
        Action::Arrive(..) => Glyph::Dot,
        _ => Glyph::Fault,
    }
}

/// Returns the kind of a row; `None` for the start.
fn row_kind(made: &Made<'_>, columns: &Columns, key: &PlanKey) -> Option<RowKind> {
    let (frame, top, lang) = (made.frame, made.top, key.lang);
    let world = &frame.world;
    let (request, back) = lines_of(key.row);
    let y_mark = top + key.row / 2;
    let mark = |client: ClientId, glyph: Glyph, label: String| RowKind::Mark {
        client: Some(client),
        x: columns.x(client),
        y: y_mark,
        glyph,
        label: columns.label(label),
    };
    let call = |client: ClientId, call: &Call, reply: Option<&Value>, parts: Parts, lost: bool| {
        if let CallKind::Lock { .. }
        | CallKind::Variable(_)
        | CallKind::Again
        | CallKind::Wake(_)
        | CallKind::Close { .. } = call.kind
        {
            return mark(client, Glyph::Dot, call_text(call));
        }
        let nowhere = parts.execution && world.goes_nowhere(&call.kind);
        let executed = parts.execution && !nowhere;
        // Commands that ran as one stand below each other, a little to the right.
        let began_ms = began_ms(made.timeline.frames());
        let told =
            |text: String, less: i32| columns.label_for(with_times(&text, began_ms), text, less);
        let forms = forms(made.timeline, client, call);
        let inside = |text: &String| told(text.clone(), columns.size);
        RowKind::Call {
            client,
            from_x: columns.x(client),
            to_x: columns.dot(super::servers::of(call, world, &columns.servers)),
            y_request: top + request,
            y_reply: top + back,
            command: columns.label_of(&forms, call_text(call)),
            reply: reply.map(|reply| told(reply_text(reply), 0)),
            waits: (executed && reply.is_none()).then(|| tr(lang, Key::ReplyWaits).to_owned()),
            nowhere,
            wrote: match &call.kind {
                CallKind::Sql(statement) => statement.writes(),
                CallKind::Resource { .. } => reply == Some(&Value::Bool(true)),
                _ => frame.seen.wrote,
            },
            parts: Parts { execution: executed, ..parts },
            shape: if executed { shape(call, reply) } else { Shape::Dot },
            inside: made.inside.iter().map(inside).collect(),
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
        Event::Unheard { client, .. } => {
            let lost = Action::LoseRequest(*client);
            mark(*client, Glyph::Fault, faults::label_of(lost, frame, lang))
        }
        Event::Advance { from_ms, to_ms } => RowKind::Advance {
            y: top + key.row / 5,
            height: key.row - key.row / 5 * 2,
            label: time_label(to_ms - from_ms),
        },
        Event::Other(action) => {
            let label = faults::label_of(*action, frame, lang);
            let process = |id: ProcessId| world.setting().members(id).first().copied();
            let client = match *action {
                Action::PauseProcess(id) | Action::ResumeProcess(id) | Action::CrashProcess(id) => {
                    process(id)
                }
                other => other.client(),
            };
            match (client, action.node()) {
                (Some(client), _) => mark(client, glyph_of(*action), label),
                (None, node) => RowKind::Mark {
                    client: None,
                    x: columns.dot(node.map_or(0, |node| node.index())),
                    y: y_mark,
                    glyph: glyph_of(*action),
                    label: columns.label(label),
                },
            }
        }
    })
}

/// Returns the final value of each variable that the step set; the code shows the values between.
fn notes(frame: &Frame) -> Vec<String> {
    let mut notes = Vec::new();
    for run in &frame.seen.ran {
        let mut last: Vec<&Assigned> = Vec::new();
        // `_` names a value that the program ignores.
        for assigned in run.trace.assigned.iter().filter(|assigned| assigned.name != "_") {
            last.retain(|earlier| earlier.name != assigned.name);
            last.push(assigned);
        }
        let values: Vec<String> =
            last.iter().map(|one| format!("{} = {}", one.name, value(one))).collect();
        if !values.is_empty() {
            notes.push(format!("{}: {}", run.client.name(), values.join(", ")));
        }
    }
    notes
}

/// Returns the value; a table is only named, because the code shows it.
fn value(assigned: &Assigned) -> &str {
    if assigned.value.starts_with('{') && assigned.value.len() > 12 {
        "{…}"
    } else {
        &assigned.value
    }
}
