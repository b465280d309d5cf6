//! The space–time diagram: clients left, Redis right, time downwards.
//!
//! Everything is placed here, in CSS pixels, so that tests can see whether labels collide; the page
//! only draws. Redis is one wide lane; where there are several instances, resources or tables, each
//! has a narrow one and the labels stand to the right of all. A step is one row: the request (solid
//! arrow), its execution (dot on the lane of whom it asks, with the command) and the reply (dashed
//! arrow, with the value). What the program computed from the reply stands below, beside its lane.
//!
//! A run grows by a row at its end, or is cut and grows anew. [`Plan`] keeps what it has laid out
//! and makes only what is new; the rest comes back as the same allocations, so that who draws can
//! tell.

mod bands;
pub(in crate::view) mod inside;
pub(in crate::view) mod rows;
mod servers;

use std::ops::Range;
use std::rc::Rc;

use crate::sim::{ClientId, Frame, Run, State, Timeline, shared_frames};
use crate::text::{Key, Lang, fill, tr};

use super::shortened;
use super::spans;
use super::windows::{self, RaceWindow};

/// Where the first row begins; above it stand the lanes' names.
const TOP: i32 = 34;
/// From a row's top to its request and to its reply.
const REQUEST: i32 = 11;
const REPLY: i32 = 27;
/// Room for one line of computed values below a row.
const NOTE: i32 = 16;
/// Room for one command of a script or a transaction that is opened.
const INSIDE: i32 = 15;
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

/// A list that is cheap to hand on. An item stays the same allocation while it stays the same.
pub type Items<T> = Rc<Vec<Rc<T>>>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    pub width: i32,
    pub height: i32,
    pub lanes: Vec<Lane>,
    pub redis: RedisLane,
    /// Instances, resources, tables, where there are several of them; else the wide lane says all.
    pub servers: Vec<Server>,
    /// What lasts: pauses, waits, leases, instances that are down.
    pub bands: Items<Band>,
    pub rows: Items<Row>,
    pub windows: Items<Window>,
    /// The present step; what begins after it is drawn pale.
    pub step: usize,
    /// Where its line stands; nothing at step 0.
    pub cursor: Option<i32>,
    /// From the top of its row to where the next one begins.
    pub present: Range<i32>,
    /// There are scripts or transactions that can be opened.
    pub has_inside: bool,
    /// The diagram in a sentence, for those who do not see it.
    pub summary: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
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

#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub x: i32,
    pub name: String,
}

/// Something that lasts, along a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Band {
    pub kind: BandKind,
    /// Nothing for an instance.
    pub client: Option<ClientId>,
    pub x: i32,
    pub top: i32,
    pub bottom: i32,
    /// The step that it begins with, and the one that ends it.
    pub from: usize,
    pub to: Option<usize>,
    /// Where a lease was renewed.
    pub notches: Vec<i32>,
    /// From here on a watched key is dirty.
    pub red_from: Option<i32>,
    /// In words.
    pub words: String,
}

/// How a band looks.
pub type BandKind = spans::SpanKind;

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub step: usize,
    pub top: i32,
    pub height: i32,
    pub kind: RowKind,
    /// An `always` property breaks here.
    pub breaks: bool,
    /// The row in words, for the tooltip and for the table that stands for the picture.
    pub words: String,
    /// What begins, ends or turns here and is not said by the words: for the table.
    pub remarks: Vec<String>,
    pub notes: Vec<Note>,
    /// Lanes of those to whom the step brings what they waited for.
    pub served: Vec<(ClientId, i32)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
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
        shape: Shape,
        /// The commands that ran as one, where they are shown.
        inside: Vec<String>,
        /// The reply does not arrive.
        lost: bool,
    },
    /// Something that happens to one lane: a fault, a mutex. `label` stands beside it.
    Mark { client: Option<ClientId>, x: i32, y: i32, glyph: Glyph, label: String },
    /// Time passed.
    Advance { y: i32, label: String },
}

/// How an execution looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Dot,
    /// Not executed but queued, by MULTI.
    Queued,
    /// Several commands in one go: a script, or EXEC.
    Whole,
    /// EXEC refused, because a watched key had changed.
    Refused,
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub client: ClientId,
    pub x: i32,
    pub y: i32,
    pub text: String,
}

/// A race window: from a client's read of a key to its write of it.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The steps of the read and, where it has been made, the write.
    pub read_step: usize,
    pub write_step: Option<usize>,
}

/// Lays out the whole run, with the cursor where it is.
pub fn diagram(timeline: &Timeline, space: Space, lang: Lang) -> Diagram {
    Plan::default().diagram(timeline, space, lang)
}

/// What was laid out last, and what is known of its run.
#[derive(Debug, Default)]
pub struct Plan {
    inside: bool,
    key: Option<PlanKey>,
    run: Run,
    laid: Option<Diagram>,
    /// The windows of `laid`.
    found: Rc<[RaceWindow]>,
    races: windows::Finder,
    lasting: spans::Finder,
}

/// With another one of these, everything is laid out anew.
#[derive(Debug, Clone, PartialEq)]
struct PlanKey {
    lanes: Vec<ClientId>,
    servers: Vec<String>,
    space: Space,
    lang: Lang,
    inside: bool,
}

impl Plan {
    /// Whether the commands of scripts and transactions are shown.
    pub fn is_open(&self) -> bool {
        self.inside
    }

    pub fn set_open(&mut self, open: bool) {
        self.inside = open;
    }

    /// The race windows of the run.
    pub fn races(&mut self, timeline: &Timeline) -> Rc<[RaceWindow]> {
        self.races.follow(timeline);
        self.races.found()
    }

    pub fn diagram(&mut self, timeline: &Timeline, space: Space, lang: Lang) -> Diagram {
        let last = timeline.frames().last().map_or(timeline.world(), |frame| &frame.world);
        let key = PlanKey {
            lanes: super::lanes(timeline),
            servers: servers::names(last),
            space,
            lang,
            inside: self.inside,
        };
        if self.key.as_ref() != Some(&key) {
            (self.key, self.laid) = (Some(key.clone()), None);
            self.run = Run::default();
        }
        let run = timeline.run();
        let shared = shared_frames(&self.run, run);
        let mut laid = match self.laid.take() {
            Some(laid) if shared == run.len() && shared == self.run.len() => laid,
            old => self.lay(timeline, old, shared, &key),
        };
        self.run = run.clone();
        laid.step = timeline.cursor();
        let row = laid.step.checked_sub(1).and_then(|at| laid.rows.get(at));
        laid.cursor = row.map(|row| row.top + REQUEST);
        laid.present = row.map_or(TOP..TOP, |row| row.top..row.top + row.height);
        self.laid = Some(laid.clone());
        laid
    }

    /// Lays out a run of which the first `shared` frames stand in `old`.
    fn lay(
        &mut self,
        timeline: &Timeline,
        old: Option<Diagram>,
        shared: usize,
        key: &PlanKey,
    ) -> Diagram {
        let lang = key.lang;
        let columns = Columns::new(key.lanes.clone(), key.space.width, &key.servers);
        let found = self.races(timeline);
        self.lasting.follow(timeline);
        let spans = self.lasting.spans();
        let (mut laid_rows, old_bands, old_windows) =
            old.map(|old| (old.rows, old.bands, old.windows)).unwrap_or_default();
        let rows = Rc::make_mut(&mut laid_rows);
        rows.truncate(shared.saturating_sub(1));
        rows::extend(rows, timeline, spans, &columns, key);
        let bottom = rows.last().map_or(TOP + 24, |row| row.top + row.height) + 12;
        let old_found = std::mem::replace(&mut self.found, found.clone());
        let old_windows = old_found.iter().zip(old_windows.iter());
        let windows = windows(&found, old_windows, shared, &columns, rows, bottom, lang);
        let lanes = columns.lanes.iter().map(|id| lane(timeline, *id, &columns, rows, bottom));
        let bands = bands::bands(spans, timeline, &columns, rows, bottom, lang);
        let several = key.servers.len() > 1;
        // The name is set larger and bold.
        let title = shortened(tr(lang, Key::OneThread), columns.label_chars() - 2);
        let named = key.servers.iter().zip(&columns.dots).filter(|_| several);
        let name = |name: &str| shortened(name, (columns.spacing / CHAR) as usize);
        let has_inside =
            |row: &Rc<Row>| matches!(row.kind, RowKind::Call { shape: Shape::Whole, .. });
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
            bands: kept(old_bands, bands),
            windows,
            step: 0,
            cursor: None,
            present: TOP..TOP,
            has_inside: rows.iter().any(has_inside),
            summary: fill(tr(lang, Key::DiagramSummary), &[&rows.len().to_string()]),
            rows: laid_rows,
        }
    }
}

/// The new ones; where one is as it was, it is the old allocation.
fn kept<T: PartialEq>(old: Items<T>, new: Vec<T>) -> Items<T> {
    let mut old = old.iter();
    let keep = |one: T| match old.next() {
        Some(same) if **same == one => same.clone(),
        _ => Rc::new(one),
    };
    Rc::new(new.into_iter().map(keep).collect())
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

fn lane(
    timeline: &Timeline,
    id: ClientId,
    columns: &Columns,
    rows: &[Rc<Row>],
    bottom: i32,
) -> Lane {
    // The lane ends with the row after which the client is over. Most are not.
    let is_over = |frame: &Rc<Frame>| frame.world.client(id).is_some_and(|client| client.is_over());
    let frames = timeline.frames();
    let over =
        frames.last().filter(|last| is_over(last)).and_then(|_| frames.iter().position(is_over));
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

/// Lays out the windows in `found`. Those in `old`, in a run of which the first `shared` frames are
/// the same, are left as they are.
fn windows<'o>(
    found: &[RaceWindow],
    old: impl Iterator<Item = (&'o RaceWindow, &'o Rc<Window>)>,
    shared: usize,
    columns: &Columns,
    rows: &[Rc<Row>],
    bottom: i32,
    lang: Lang,
) -> Items<Window> {
    let request_of = |step: usize| {
        step.checked_sub(1).and_then(|at| rows.get(at)).map_or(bottom, |row| row.top + REQUEST)
    };
    let mut windows: Vec<Rc<Window>> = Vec::with_capacity(found.len());
    let mut labelled: Vec<usize> = Vec::new();
    // Whether one has a label depends on all before it.
    let mut alike = true;
    let mut old = old.fuse();
    for window in found {
        let known = old.next().filter(|(known, _)| alike && *known == window);
        alike = known.is_some();
        // One write may fall into several windows; it is said once.
        let intrusion =
            window.intrusion.filter(|(step, _)| !labelled.iter().rev().any(|one| one == step));
        labelled.extend(intrusion.map(|(step, _)| step));
        if let Some((_, laid)) = known
            && window.write_step.is_some_and(|step| step < shared)
        {
            windows.push(laid.clone());
            continue;
        }
        let x = columns.x(window.client);
        let label = intrusion.map(|(step, intruder)| {
            // Below the intruder's reply arrow, clear of its lines.
            let text = fill(tr(lang, Key::FellInHere), &[&intruder.name()]);
            let text = shortened(&text, columns.intrusion_chars(window.client));
            let y = request_of(step) + REPLY - REQUEST + 14;
            Note { client: window.client, x: x + 9, y, text }
        });
        windows.push(Rc::new(Window {
            client: window.client,
            x,
            top: request_of(window.read_step),
            bottom: window.write_step.map_or(bottom - 6, request_of),
            stale_from: window.intrusion.map(|(step, _)| request_of(step)),
            intruder: window.intrusion.map(|(_, intruder)| intruder),
            label,
            read_step: window.read_step,
            write_step: window.write_step,
        }));
    }
    Rc::new(windows)
}

#[cfg(test)]
mod tests;
