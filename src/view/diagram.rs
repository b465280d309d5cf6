//! The space–time diagram: clients left, Redis right, time downwards.
//!
//! Everything is placed here, in CSS pixels, so that tests can see whether labels collide; the page
//! only draws. Redis is one wide lane; where there are several instances, resources or tables, each
//! has a narrow one and the labels stand to the right of all. A step is one row: the request (solid
//! arrow), its execution (dot on the lane of whom it asks, with the command) and the reply (dashed
//! arrow, with the value). What the program computed from the reply stands below, beside its lane.

mod bands;
mod servers;

use crate::lua::Assigned;
use crate::resp::Value;
use crate::sim::{Action, Call, CallKind, ClientId, Event, Frame, ProcessId, State, Timeline};
use crate::text::{Key, Lang, fill, tr};

use super::windows::{self, RaceWindow};
use super::{call_text, faults, reply_text, shortened};

/// Where the first row begins; above it stand the lanes' names.
const TOP: i32 = 34;
/// From a row's top to its request and to its reply.
const REQUEST: i32 = 11;
const REPLY: i32 = 27;
/// Room for one line of computed values below a row.
const NOTE: i32 = 16;
/// Width of a character of the diagram's monospaced type (11.5 px).
const CHAR: i32 = 7;
const REDIS_WIDTH_MIN: i32 = 128;
const LANE_WIDTH_MAX: i32 = 150;
const MARGIN: i32 = 4;

/// What the diagram is laid out for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// Width to fill.
    pub width: i32,
    /// Rows that a finger can hit.
    pub touch: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    pub width: i32,
    pub height: i32,
    pub lanes: Vec<Lane>,
    pub redis: RedisLane,
    /// Instances, resources, tables, where there are several of them; else the wide lane says all.
    pub servers: Vec<Server>,
    /// What lasts: pauses, waits, instances that are down.
    pub bands: Vec<Band>,
    pub rows: Vec<Row>,
    pub windows: Vec<Window>,
    /// Where the line of the present step stands; nothing at step 0.
    pub cursor: Option<i32>,
    /// The diagram in a sentence, for those who do not see it.
    pub summary: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Lane {
    pub client: ClientId,
    pub x: i32,
    pub top: i32,
    pub bottom: i32,
    /// The program came to its end: the lane is closed with a bar.
    pub closed: bool,
    /// It ended by an error or a crash: with a cross.
    pub failed: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RedisLane {
    pub left: i32,
    pub width: i32,
    /// Of the dots.
    pub x: i32,
    pub label_x: i32,
    pub top: i32,
    pub bottom: i32,
    /// The lane's name, cut to its width.
    pub title: String,
}

/// The narrow lane of one instance, resource or database.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    pub x: i32,
    pub name: String,
}

/// Something that lasts, along a lane.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// Nothing for an instance.
    pub client: Option<ClientId>,
    pub kind: BandKind,
    pub x: i32,
    pub top: i32,
    pub bottom: i32,
    pub future: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BandKind {
    /// Grey, with "zzz".
    Paused,
    /// Open: a reply, a message or an answer is awaited.
    Waiting,
    /// A gap in an instance's lane.
    Down,
}

/// What a mark on a lane looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyph {
    /// Something ends: a crash, an instance that is lost.
    Cross,
    /// A notch: a clock jumps.
    Notch,
    /// Anything else.
    Dot,
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub step: usize,
    pub top: i32,
    pub height: i32,
    pub kind: RowKind,
    /// After the cursor: drawn pale.
    pub future: bool,
    /// An `always` property breaks here.
    pub breaks: bool,
    /// The row in words, for the tooltip and for the table that stands for the picture.
    pub words: String,
    pub notes: Vec<Note>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum RowKind {
    Call {
        client: ClientId,
        from_x: i32,
        /// The lane of whom it asks.
        to_x: i32,
        y_request: i32,
        y_reply: i32,
        /// Cut to the lane's width.
        command: String,
        /// `None` while Redis holds it back.
        reply: Option<String>,
        /// It changed a key.
        wrote: bool,
        /// In wire mode a row is one of the three.
        parts: Parts,
        /// The reply does not arrive.
        lost: bool,
    },
    /// Something that happens to one lane: a fault, a mutex. `label` stands beside it.
    Mark { client: Option<ClientId>, x: i32, y: i32, glyph: Glyph, label: String },
    /// Time passed.
    Advance { y: i32, label: String },
}

/// What of a call a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    pub request: bool,
    pub execution: bool,
    pub reply: bool,
}

impl Parts {
    const ALL: Parts = Parts { request: true, execution: true, reply: true };
}

/// What a program computed after its reply: `n = 20`, beside its lane.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub client: ClientId,
    pub x: i32,
    pub y: i32,
    pub text: String,
}

/// A race window: from a client's read of a key to its write of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    pub client: ClientId,
    pub x: i32,
    pub top: i32,
    pub bottom: i32,
    /// From here on the value it holds is out of date: somebody else changed the key.
    pub stale_from: Option<i32>,
    pub intruder: Option<ClientId>,
    /// Label for the intrusion, beside the band.
    pub label: Option<Note>,
    pub future: bool,
    /// The steps of the read and, where it has been made, the write.
    pub read_step: usize,
    pub write_step: Option<usize>,
}

/// Lays out the whole run; what is after the cursor is marked as future.
pub fn diagram(timeline: &Timeline, space: Space, lang: Lang) -> Diagram {
    let last = timeline.frames().last().map_or(timeline.world(), |frame| &frame.world);
    let servers = servers::names(last);
    let columns = Columns::new(super::lanes(timeline), space.width, &servers);
    let found = windows::find(timeline);
    let rows = rows(timeline, &found, &columns, space, lang);
    let bottom = rows.last().map_or(TOP + 24, |row| row.top + row.height) + 12;
    let lanes = columns.lanes.iter().map(|id| lane(timeline, *id, &columns, &rows, bottom));
    let windows = windows(timeline, &found, &columns, &rows, bottom, lang);
    let several = servers.len() > 1;
    // The name is set larger and bold.
    let title = shortened(tr(lang, Key::OneThread), columns.label_chars() - 2);
    let named = servers.iter().zip(&columns.dots).filter(|_| several);
    let name = |name: &str| shortened(name, (columns.spacing / CHAR) as usize);
    let cursor = timeline.cursor().checked_sub(1).and_then(|at| rows.get(at));
    Diagram {
        width: columns.width,
        height: bottom + 8,
        lanes: lanes.collect(),
        redis: RedisLane {
            left: columns.redis_left,
            width: columns.redis_width,
            x: columns.dot(0),
            label_x: columns.label_x,
            top: TOP - 6,
            bottom,
            title: if several { String::new() } else { title },
        },
        servers: named.map(|(one, x)| Server { x: *x, name: name(one) }).collect(),
        bands: bands::bands(timeline, &columns, &rows, bottom),
        windows,
        cursor: cursor.map(|row| row.top + REQUEST),
        summary: fill(tr(lang, Key::DiagramSummary), &[&rows.len().to_string()]),
        rows,
    }
}

/// Where the lanes stand.
struct Columns {
    width: i32,
    /// From left to right.
    lanes: Vec<ClientId>,
    lane_width: i32,
    redis_left: i32,
    redis_width: i32,
    /// Of the instances, resources and tables; there is at least one.
    dots: Vec<i32>,
    /// Between two of these.
    spacing: i32,
    /// Their names.
    servers: Vec<String>,
    /// Where commands and replies begin.
    label_x: i32,
}

impl Columns {
    fn new(lanes: Vec<ClientId>, width: i32, servers: &[String]) -> Columns {
        let clients = lanes.len() as i32;
        let longest = servers.iter().map(|name| name.chars().count() as i32).max().unwrap_or(0);
        let spacing_max = if width < 480 { 36 } else { 64 };
        let spacing = (longest * CHAR + 8).clamp(28, spacing_max);
        let extra = spacing * (servers.len() as i32 - 1).max(0);
        // Redis gets what the lanes leave, and at least a quarter: its labels are the longest.
        let lane_width_min = if width < 480 { 58 } else { 96 };
        let redis_min = REDIS_WIDTH_MIN + extra;
        let wanted = (width * 42 / 100 + extra).max(redis_min + 2 * MARGIN);
        let lane_width = ((width - wanted) / clients.max(1)).clamp(lane_width_min, LANE_WIDTH_MAX);
        let redis_left = lane_width * clients + MARGIN;
        let redis_width = (width - redis_left - MARGIN).max(redis_min);
        let width = redis_left + redis_width + MARGIN;
        // The first one's name has to have room as well.
        let first = redis_left + if extra > 0 { spacing / 2 } else { 14 };
        let dots: Vec<i32> =
            (0..servers.len().max(1) as i32).map(|number| first + spacing * number).collect();
        let beside = if extra > 0 { spacing / 2 } else { 12 };
        let label_x = first + extra + beside;
        let servers = servers.to_vec();
        Columns {
            width,
            lanes,
            lane_width,
            redis_left,
            redis_width,
            dots,
            spacing,
            servers,
            label_x,
        }
    }

    fn x(&self, id: ClientId) -> i32 {
        let place = self.lanes.iter().position(|lane| *lane == id).unwrap_or(id.index());
        MARGIN + 14 + self.lane_width * place as i32
    }

    fn dot(&self, server: usize) -> i32 {
        self.dots.get(server).or(self.dots.last()).copied().unwrap_or_default()
    }

    fn label_chars(&self) -> usize {
        ((self.redis_left + self.redis_width - self.label_x - 4) / CHAR).max(4) as usize
    }

    /// What a program computed stands below all labels of its row, with room to the right edge.
    fn note_chars(&self, id: ClientId) -> usize {
        ((self.width - self.x(id) - 20) / CHAR).max(6) as usize
    }

    /// An intrusion's label stands beside the replies' labels, so it ends before Redis.
    fn intrusion_chars(&self, id: ClientId) -> usize {
        ((self.redis_left - self.x(id) - 12) / CHAR).max(6) as usize
    }
}

fn rows(
    timeline: &Timeline,
    found: &[RaceWindow],
    columns: &Columns,
    space: Space,
    lang: Lang,
) -> Vec<Row> {
    let row_height = if space.touch { 44 } else { 40 };
    let broken: Vec<usize> =
        super::strip::strip(timeline).iter().filter(|c| c.breaks).map(|c| c.step).collect();
    let mut rows = Vec::new();
    let mut top = TOP;
    for (step, frame) in timeline.frames().iter().enumerate().skip(1) {
        let notes = notes(frame, columns, top + row_height);
        // One below the other: several programs may have gone on at once.
        let height = row_height + NOTE * notes.len() as i32;
        let Some(kind) = row_kind(frame, columns, top, lang) else { continue };
        rows.push(Row {
            step,
            top,
            height,
            kind,
            future: step > timeline.cursor(),
            breaks: broken.contains(&step),
            words: super::explain::row_words(timeline, found, step, lang),
            notes,
        });
        top += height;
    }
    rows
}

/// Nothing for the start.
fn row_kind(frame: &Frame, columns: &Columns, top: i32, lang: Lang) -> Option<RowKind> {
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
            to_x: columns.dot(servers::of(call, world, &columns.servers)),
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

fn lane(timeline: &Timeline, id: ClientId, columns: &Columns, rows: &[Row], bottom: i32) -> Lane {
    // The lane ends with the row after which the client is over.
    let frames = timeline.frames().iter();
    let over = frames.clone().position(|f| f.world.client(id).is_some_and(|c| c.is_over()));
    let last = over.map(|step| match step.checked_sub(1).and_then(|at| rows.get(at)) {
        Some(row) => row.top + row.height - 2,
        None => TOP + 8,
    });
    let failed = timeline.frames().last().and_then(|frame| frame.world.client(id));
    Lane {
        client: id,
        x: columns.x(id),
        top: TOP - 8,
        bottom: last.unwrap_or(bottom),
        closed: last.is_some(),
        failed: failed
            .is_some_and(|client| matches!(client.state(), State::Failed(_) | State::Crashed)),
    }
}

fn windows(
    timeline: &Timeline,
    found: &[RaceWindow],
    columns: &Columns,
    rows: &[Row],
    bottom: i32,
    lang: Lang,
) -> Vec<Window> {
    let request_of = |step: usize| {
        step.checked_sub(1).and_then(|at| rows.get(at)).map_or(bottom, |row| row.top + REQUEST)
    };
    let mut windows: Vec<Window> = Vec::new();
    let mut labelled: Vec<usize> = Vec::new();
    for window in found {
        let x = columns.x(window.client);
        // One write may fall into several windows; it is said once.
        let intrusion = window.intrusion.filter(|(step, _)| !labelled.contains(step));
        let label = intrusion.map(|(step, intruder)| {
            labelled.push(step);
            // Below the intruder's reply arrow, clear of its lines.
            let text = fill(tr(lang, Key::FellInHere), &[&intruder.name()]);
            let text = shortened(&text, columns.intrusion_chars(window.client));
            let y = request_of(step) + REPLY - REQUEST + 14;
            Note { client: window.client, x: x + 9, y, text }
        });
        windows.push(Window {
            client: window.client,
            x,
            top: request_of(window.read_step),
            bottom: window.write_step.map_or(bottom - 6, request_of),
            stale_from: window.intrusion.map(|(step, _)| request_of(step)),
            intruder: window.intrusion.map(|(_, intruder)| intruder),
            label,
            future: window.read_step > timeline.cursor(),
            read_step: window.read_step,
            write_step: window.write_step,
        });
    }
    windows
}
