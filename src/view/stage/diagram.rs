//! The space–time diagram: clients on the left, Redis on the right, time downwards.
//!
//! Everything is placed here, in CSS pixels, so that tests can check for colliding labels; the page
//! only draws. The clients' lanes are close together on the left, those of instances, resources and
//! tables on the right; the words are between them. A step is one row: the request is a solid line
//! with its command above it, its execution a dot on the server's lane, the reply a dashed line
//! back with its value on it. At the edges there are gutters, through which the film of a step
//! comes from the code and goes on to Redis.
//!
//! A run grows by a row at its end, or is cut and grows again. [`Plan`] keeps its last layout and
//! makes only new rows; the others are returned as the same allocations, so that the page can skip
//! them.

mod bands;
mod columns;
pub(in crate::view) mod inside;
mod join;
mod past;
pub(in crate::view) mod rows;
mod servers;

use std::ops::Range;
use std::rc::Rc;

use crate::sim::{ClientId, Event, Frame, NodeId, Run, State, Timeline, shared_frames};
use crate::text::{Key, Lang, fill, tr};

pub use columns::{CLEAR, NAME_SIZE, above, across, chars_in, chars_px};
use columns::{Columns, lines_of, row_height, rows_expected};

use super::spans;
use super::windows::{self, RaceWindow};
use crate::session::spelling::{call_text, chars_wide};

/// The height of the strip at the top with the lanes' names. The page puts another one over it,
/// which stays while the rows scroll.
pub const HEAD: i32 = 36;
/// The top of the first row.
const TOP: i32 = HEAD;
/// The room below the last row: a picture that is scaled and scrolled may be off by a pixel.
const FOOT: i32 = 6;
/// The height of a line of words beyond the type's size.
const LEADING: i32 = 4;

/// The space that the diagram is laid out for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// The width of the pane, in px.
    pub width: i32,
    pub height: i32,
    /// The least number of steps that the run is expected to have.
    pub total: usize,
    /// True if steps after the present one are left out; false if they are drawn pale.
    pub hides_future: bool,
    /// True if instances have no lanes, because SQL tables are the store.
    pub is_sql: bool,
}

impl Space {
    /// The number of steps expected of a run that is still being made.
    pub const GROWING: usize = 6;
}

impl Default for Space {
    fn default() -> Space {
        Space { width: 560, height: 420, total: Space::GROWING, hides_future: false, is_sql: false }
    }
}

/// A list that is cheap to clone. An item stays the same allocation while it is unchanged.
pub type Items<T> = Rc<Vec<Rc<T>>>;

/// Text in the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The part of the text that fits.
    pub shown: String,
    /// The whole text, if that is more.
    pub whole: Option<String>,
}

impl Label {
    pub fn all(&self) -> &str {
        self.whole.as_deref().unwrap_or(&self.shown)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    pub width: i32,
    pub height: i32,
    /// The size of the type, in px.
    pub size: i32,
    /// The left edge of words.
    pub zone: i32,
    pub lanes: Vec<Lane>,
    /// Instances, resources, tables; at least one.
    pub servers: Vec<Server>,
    /// The bottom of lanes that do not end earlier.
    pub bottom: i32,
    /// Spans of several steps: pauses, waits, leases, instances that are down.
    pub bands: Items<Band>,
    pub rows: Items<Row>,
    pub windows: Items<Window>,
    /// The present step; later rows are drawn pale, or not at all.
    pub step: usize,
    pub hides_future: bool,
    /// From the top of its row to the top of the next one; empty at step 0.
    pub present: Range<i32>,
    /// The time since the start, if time has passed.
    pub clock: Option<String>,
    /// The present step and an earlier one, if the present one breaks something that the earlier
    /// one wrote.
    pub join: Option<(usize, usize)>,
    /// True if there are scripts or transactions that can be opened.
    pub has_inside: bool,
    /// The diagram in a sentence, for screen readers.
    pub summary: String,
}

impl Diagram {
    pub fn row(&self, step: usize) -> Option<&Row> {
        step.checked_sub(1).and_then(|at| self.rows.get(at)).map(|row| &**row)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    pub client: ClientId,
    pub x: i32,
    pub bottom: i32,
    /// The step at which the program ended: the lane is closed with a bar.
    pub ends: Option<usize>,
    /// True if it ended by an error or a crash: the lane is closed with a cross.
    pub failed: bool,
}

/// The lane of an instance, a resource or a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub x: i32,
    pub name: String,
    /// The instance; `None` for a resource or a table.
    pub node: Option<NodeId>,
}

/// A span along a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Band {
    pub kind: BandKind,
    /// The client; `None` for an instance.
    pub client: Option<ClientId>,
    /// The client's name, or the instance's.
    pub whose: String,
    pub x: i32,
    pub top: i32,
    pub bottom: i32,
    /// The step at which it begins, and the step at which it ends.
    pub from: usize,
    pub to: Option<usize>,
    /// The heights at which a lease was renewed.
    pub notches: Vec<i32>,
    /// The height from which a watched key is dirty.
    pub red_from: Option<i32>,
    /// The description.
    pub words: String,
}

/// The look of a band.
pub type BandKind = spans::SpanKind;

/// The shape of a mark on a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyph {
    /// An end: a crash, an instance that fails.
    Cross,
    /// A notch: a clock jump.
    Notch,
    /// Any other fault.
    Fault,
    /// A step of the client alone: it takes a mutex.
    Dot,
    /// No mark: the end of the lane shows it.
    Nothing,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub step: usize,
    pub top: i32,
    pub height: i32,
    pub kind: RowKind,
    /// True if an `always` property breaks here.
    pub breaks: bool,
    /// The row in words, for the tooltip and for the table that replaces the picture.
    pub words: String,
    /// Spans that begin, end or turn here and that `words` does not mention: for the table.
    pub remarks: Vec<String>,
    /// Values that programs computed from their replies, `A: n = 20`. The code shows them beside
    /// its lines; here they are for the table.
    pub notes: Vec<String>,
    /// The clients that were waiting and get their reply by this step.
    pub served: Vec<Served>,
}

impl Row {
    /// Returns the height of the request or event.
    pub fn request_y(&self) -> i32 {
        match self.kind {
            RowKind::Call { y_request, .. } => y_request,
            RowKind::Mark { y, .. } => y,
            RowKind::Advance { y, height, .. } => y + height / 2,
        }
    }

    /// Returns true if several commands ran as one.
    pub fn is_whole(&self) -> bool {
        matches!(self.kind, RowKind::Call { shape: Shape::Whole, .. })
    }

    /// Returns the client that made the step; `None` if no client did.
    pub fn client(&self) -> Option<ClientId> {
        match self.kind {
            RowKind::Call { client, .. } => Some(client),
            RowKind::Mark { client, .. } => client,
            RowKind::Advance { .. } => None,
        }
    }
}

/// A reply to a client that was waiting for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served {
    pub client: ClientId,
    /// The client's lane, and the lane that the reply comes from.
    pub x: i32,
    pub from_x: i32,
    pub y: i32,
    /// The reply; `None` if the time was up.
    pub reply: Option<Label>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowKind {
    Call {
        client: ClientId,
        from_x: i32,
        /// The lane of the server that is called.
        to_x: i32,
        y_request: i32,
        y_reply: i32,
        command: Label,
        /// The reply; `None` while Redis holds it back, or if no instance answers.
        reply: Option<Label>,
        /// The text in place of a reply that is held back.
        waits: Option<String>,
        /// True if no instance answers.
        nowhere: bool,
        /// True if it changed a key.
        wrote: bool,
        /// The parts of the call in this row: in wire mode one of three.
        parts: Parts,
        shape: Shape,
        /// The commands that ran as one, if they are shown.
        inside: Vec<Label>,
        /// True if the reply does not arrive.
        lost: bool,
    },
    /// An event on one lane: a fault, a mutex. `label` is beside it.
    Mark { client: Option<ClientId>, x: i32, y: i32, glyph: Glyph, label: Label },
    /// Time that passed: a band from `y` on, `+20 ms`.
    Advance { y: i32, height: i32, label: String },
}

/// The look of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Dot,
    /// Queued by MULTI, not executed.
    Queued,
    /// Several commands that ran as one: a script, or EXEC.
    Whole,
    /// EXEC refused because a watched key had changed.
    Refused,
}

/// The parts of a call that a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    pub request: bool,
    pub execution: bool,
    pub reply: bool,
}

impl Parts {
    const ALL: Parts = Parts { request: true, execution: true, reply: true };
}

/// A race window: from a client's read of a key to its write of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    pub client: ClientId,
    pub x: i32,
    pub top: i32,
    pub bottom: i32,
    /// The height from which the value read is stale: another client changed the key.
    pub stale_from: Option<i32>,
    pub intruder: Option<ClientId>,
    /// The steps of the read and, if it was made, of the write.
    pub read_step: usize,
    pub write_step: Option<usize>,
    /// Which of the windows that the read opened this is, from 0: one for each key.
    pub nth: usize,
}

impl Window {
    /// Which window of the run it is: who read, at which step, and which of its keys.
    pub fn id(&self) -> (ClientId, usize, usize) {
        (self.client, self.read_step, self.nth)
    }
}

/// Lays out the whole run, with the present cursor.
pub fn diagram(timeline: &Timeline, space: Space, lang: Lang) -> Diagram {
    Plan::default().diagram(timeline, space, lang)
}

/// The last layout, and the facts known of its run.
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
    lengths: Lengths,
}

/// If one of these changes, everything is laid out again.
#[derive(Debug, Clone, PartialEq)]
struct PlanKey {
    lanes: Vec<ClientId>,
    servers: Vec<String>,
    width: i32,
    /// The number of rows that fit, their height, and the size of their type.
    rows: usize,
    row: i32,
    size: i32,
    lang: Lang,
    inside: bool,
}

/// By frame, the length of the longest command up to it.
#[derive(Debug, Default)]
struct Lengths {
    run: Run,
    longest: Vec<usize>,
}

impl Lengths {
    fn follow(&mut self, run: &Run) -> usize {
        self.longest.truncate(shared_frames(&self.run, run));
        for frame in &run[self.longest.len()..] {
            let call = match &frame.seen.event {
                Event::Call { call, .. } | Event::Execute { call, .. } => Some(call),
                Event::Send { call, .. } => Some(call),
                _ => None,
            };
            let length = call.map_or(0, |call| chars_wide(&call_text(call)));
            self.longest.push(self.longest.last().map_or(length, |last| length.max(*last)));
        }
        self.run = run.clone();
        self.longest.last().copied().unwrap_or_default()
    }
}

impl Plan {
    /// Returns true if the commands of scripts and transactions are shown.
    pub fn is_open(&self) -> bool {
        self.inside
    }

    pub fn set_open(&mut self, open: bool) {
        self.inside = open;
    }

    /// Returns the race windows of the run.
    pub fn races(&mut self, timeline: &Timeline) -> Rc<[RaceWindow]> {
        self.races.follow(timeline);
        self.races.found()
    }

    pub fn diagram(&mut self, timeline: &Timeline, space: Space, lang: Lang) -> Diagram {
        let last = timeline.frames().last().map_or(timeline.world(), |frame| &frame.world);
        let run = timeline.run();
        let rows = rows_expected(space, run.len() - 1);
        let row = row_height(space, rows);
        let servers = servers::names(last, space.is_sql);
        let columns =
            Columns::new(crate::session::spelling::lanes(timeline), space.width, &servers)
                .with_type(row, self.lengths.follow(run));
        let key = PlanKey {
            lanes: columns.lanes.clone(),
            servers,
            width: columns.width,
            rows,
            row,
            size: columns.size,
            lang,
            inside: self.inside,
        };
        if self.key.as_ref() != Some(&key) {
            (self.key, self.laid) = (Some(key.clone()), None);
            self.run = Run::default();
        }
        let shared = shared_frames(&self.run, run);
        let mut laid = match self.laid.take() {
            Some(laid) if shared == run.len() && shared == self.run.len() => laid,
            old => self.lay(timeline, old, shared, &columns, &key),
        };
        self.run = run.clone();
        laid.step = timeline.cursor();
        let present = laid.row(laid.step);
        let place = present.map_or(TOP..TOP, |row| row.top..row.top + row.height);
        let broken = present.filter(|row| row.breaks).map(|row| row.step);
        laid.join = broken.and_then(|step| join::join(timeline, step, &key.servers));
        laid.present = place;
        laid.clock = clock(timeline);
        laid.hides_future = space.hides_future;
        self.laid = Some(laid.clone());
        if space.hides_future {
            past::hide_future(&mut laid);
        }
        laid.summary = fill(tr(lang, Key::DiagramSummary), &[&laid.rows.len().to_string()]);
        laid
    }

    /// Lays out a run whose first `shared` frames are those of `old`.
    fn lay(
        &mut self,
        timeline: &Timeline,
        old: Option<Diagram>,
        shared: usize,
        columns: &Columns,
        key: &PlanKey,
    ) -> Diagram {
        let lang = key.lang;
        let found = self.races(timeline);
        self.lasting.follow(timeline);
        let spans = self.lasting.spans();
        let (mut laid_rows, old_bands, old_windows) =
            old.map(|old| (old.rows, old.bands, old.windows)).unwrap_or_default();
        let rows = Rc::make_mut(&mut laid_rows);
        rows.truncate(shared.saturating_sub(1));
        rows::extend(rows, timeline, spans, columns, key);
        let ends = rows.last().map_or(TOP, |row| row.top + row.height);
        let bottom = ends.max(TOP + key.row * key.rows as i32);
        let old_found = std::mem::replace(&mut self.found, found.clone());
        let old_windows = old_found.iter().zip(old_windows.iter());
        let windows = windows(&found, old_windows, shared, columns, rows, ends);
        let lanes = columns.lanes.iter().map(|id| lane(timeline, *id, columns, rows, bottom));
        let bands = bands::bands(spans, timeline, columns, rows, ends, lang);
        let nodes = servers::instances(timeline.world(), &key.servers);
        let server = |(at, name): (usize, &String)| Server {
            x: columns.dot(at),
            name: columns.server_name(name),
            node: (at < nodes).then_some(NodeId(at as u8)),
        };
        Diagram {
            width: columns.width,
            height: bottom + FOOT,
            size: key.size,
            zone: columns.zone,
            lanes: lanes.collect(),
            servers: key.servers.iter().enumerate().map(server).collect(),
            bottom,
            bands: kept(old_bands, bands),
            windows,
            step: 0,
            hides_future: false,
            present: TOP..TOP,
            clock: None,
            join: None,
            has_inside: rows.iter().any(|row| row.is_whole()),
            summary: String::new(),
            rows: laid_rows,
        }
    }
}

/// Returns the time since the start, as `+15 ms`.
fn clock(timeline: &Timeline) -> Option<String> {
    let start = timeline.frames().first()?.world.now_ms();
    let passed = timeline.world().now_ms().saturating_sub(start);
    (passed > 0).then(|| rows::time_label(passed))
}

/// Returns the new items; an unchanged one is the old allocation.
fn kept<T: PartialEq>(old: Items<T>, new: Vec<T>) -> Items<T> {
    let mut old = old.iter();
    let keep = |one: T| match old.next() {
        Some(same) if **same == one => same.clone(),
        _ => Rc::new(one),
    };
    Rc::new(new.into_iter().map(keep).collect())
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
        // A crash is in the middle of its row.
        Some(row) => match row.kind {
            RowKind::Mark { y, .. } => y,
            _ => row.top + row.height - 2,
        },
        None => TOP + 8,
    });
    let failed = timeline.frames().last().and_then(|frame| frame.world.client(id));
    Lane {
        client: id,
        x: columns.x(id),
        bottom: last.unwrap_or(bottom),
        ends: over,
        failed: failed
            .is_some_and(|client| matches!(client.state(), State::Failed(_) | State::Crashed)),
    }
}

/// Lays out the windows in `found`. Those in `old`, of a run whose first `shared` frames are the
/// same, are kept.
fn windows<'o>(
    found: &[RaceWindow],
    old: impl Iterator<Item = (&'o RaceWindow, &'o Rc<Window>)>,
    shared: usize,
    columns: &Columns,
    rows: &[Rc<Row>],
    bottom: i32,
) -> Items<Window> {
    let request_of = |step: usize| {
        step.checked_sub(1).and_then(|at| rows.get(at)).map_or(bottom, |row| row.request_y())
    };
    let mut windows: Vec<Rc<Window>> = Vec::with_capacity(found.len());
    let mut old = old.fuse();
    for window in found {
        let known = old.next().filter(|(known, _)| *known == window);
        if let Some((_, laid)) = known
            && window.write_step.is_some_and(|step| step < shared)
        {
            windows.push(laid.clone());
            continue;
        }
        let x = columns.x(window.client);
        windows.push(Rc::new(Window {
            client: window.client,
            x,
            top: request_of(window.read_step),
            bottom: window.write_step.map_or(bottom, request_of),
            stale_from: window.intrusion.map(|(step, _)| request_of(step)),
            intruder: window.intrusion.map(|(_, intruder)| intruder),
            read_step: window.read_step,
            write_step: window.write_step,
            nth: window.nth,
        }));
    }
    let is_known =
        |(at, one): (usize, &Rc<Window>)| windows[..at].iter().any(|known| known.id() == one.id());
    debug_assert!(!windows.iter().enumerate().any(is_known), "two windows are drawn in one place");
    Rc::new(windows)
}

#[cfg(test)]
mod tests;
