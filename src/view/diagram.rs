//! The space–time diagram: clients left, Redis right, time downwards.
//!
//! Everything is placed here, in CSS pixels, so that tests can see whether labels collide; the page
//! only draws. The clients' lanes stand close together at the left, those of the instances,
//! resources and tables at the right; between them is the road, with the words. A step is one row:
//! the request is a solid line with its command above it, its execution a dot on the lane of whom
//! it asks, the reply a dashed line back with its value on it. At the edges there are gutters,
//! through which the film of a step comes from the code and goes on to Redis.
//!
//! A run grows by a row at its end, or is cut and grows anew. [`Plan`] keeps what it has laid out
//! and makes only what is new; the rest comes back as the same allocations, so that who draws can
//! tell.

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
use super::{call_text, chars_wide};

/// The strip at the top, with the lanes' names. The page lays another one over it, which stays
/// while the rows scroll.
pub const HEAD: i32 = 36;
/// Where the first row begins.
const TOP: i32 = HEAD;
/// Below the last row: what is scaled and scrolled may be off by a pixel.
const FOOT: i32 = 6;
/// A line of words that are not a row's own takes so much more than the type's size.
const LEADING: i32 = 4;

/// The space that the diagram is laid out for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Space {
    /// Of the pane in which it is seen.
    pub width: i32,
    pub height: i32,
    /// How many steps the run is expected to have at least.
    pub total: usize,
    /// Steps after the present one are left out, not only drawn pale.
    pub hides_future: bool,
}

impl Space {
    /// A run that is still being made is expected to have so many steps.
    pub const GROWING: usize = 6;
}

impl Default for Space {
    fn default() -> Space {
        Space { width: 560, height: 420, total: Space::GROWING, hides_future: false }
    }
}

/// A list that is cheap to hand on. An item stays the same allocation while it stays the same.
pub type Items<T> = Rc<Vec<Rc<T>>>;

/// Words of the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// As much as there is room for.
    pub shown: String,
    /// All of it, where that is more.
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
    /// Of the type, in px.
    pub size: i32,
    /// Where words begin.
    pub zone: i32,
    pub lanes: Vec<Lane>,
    /// Instances, resources, tables; at least one.
    pub servers: Vec<Server>,
    /// Where lanes end that do not end before.
    pub bottom: i32,
    /// Spans of several steps: pauses, waits, leases, instances that are down.
    pub bands: Items<Band>,
    pub rows: Items<Row>,
    pub windows: Items<Window>,
    /// The present step; what begins after it is drawn pale, or not at all.
    pub step: usize,
    pub hides_future: bool,
    /// From the top of its row to where the next one begins; nothing high at step 0.
    pub present: Range<i32>,
    /// Time that has passed since the start, where some has.
    pub clock: Option<String>,
    /// The present step breaks something, and an earlier one has to do with it.
    pub join: Option<(usize, usize)>,
    /// There are scripts or transactions that can be opened.
    pub has_inside: bool,
    /// The diagram in a sentence, for those who do not see it.
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
    /// The step at which the program came to its end: the lane is closed with a bar …
    pub ends: Option<usize>,
    /// … or with a cross, where that was an error or a crash.
    pub failed: bool,
}

/// The lane of an instance, a resource or a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub x: i32,
    pub name: String,
    /// Nothing for what is no instance.
    pub node: Option<NodeId>,
}

/// Something that lasts, along a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Band {
    pub kind: BandKind,
    /// Nothing for an instance.
    pub client: Option<ClientId>,
    /// The client's name, or the instance's.
    pub whose: String,
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

/// The shape of a mark on a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyph {
    /// Something ends: a crash, an instance that is lost.
    Cross,
    /// A notch: a clock jumps.
    Notch,
    /// Any other fault.
    Fault,
    /// Something that the client does by itself: it takes a mutex.
    Dot,
    /// The end of the lane says it.
    Nothing,
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
    /// Spans that begin, end or turn here and that `words` does not mention: for the table.
    pub remarks: Vec<String>,
    /// Values that programs computed from their replies, `A: n = 20`. The code shows them beside
    /// its lines; here they are for the table.
    pub notes: Vec<String>,
    /// The clients to which the step brings what they waited for.
    pub served: Vec<Served>,
}

impl Row {
    /// At what height something happens.
    pub fn request_y(&self) -> i32 {
        match self.kind {
            RowKind::Call { y_request, .. } => y_request,
            RowKind::Mark { y, .. } => y,
            RowKind::Advance { y, height, .. } => y + height / 2,
        }
    }

    /// Several commands ran as one.
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

/// A reply to a client that had waited for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Served {
    pub client: ClientId,
    /// Of the client's lane, and of the lane that it comes from.
    pub x: i32,
    pub from_x: i32,
    pub y: i32,
    /// Nothing where the time was up.
    pub reply: Option<Label>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowKind {
    Call {
        client: ClientId,
        from_x: i32,
        /// The lane of the server that it asks.
        to_x: i32,
        y_request: i32,
        y_reply: i32,
        command: Label,
        /// `None` while Redis holds it back, or if no instance answers.
        reply: Option<Label>,
        /// It is held back: this stands where it would be.
        waits: Option<String>,
        /// No instance answers.
        nowhere: bool,
        /// It changed a key.
        wrote: bool,
        /// In wire mode a row is one of the three.
        parts: Parts,
        shape: Shape,
        /// The commands that ran as one, where they are shown.
        inside: Vec<Label>,
        /// The reply does not arrive.
        lost: bool,
    },
    /// Something that happens to one lane: a fault, a mutex. `label` stands beside it.
    Mark { client: Option<ClientId>, x: i32, y: i32, glyph: Glyph, label: Label },
    /// Time passed: a band from `y` on, `+20 ms`.
    Advance { y: i32, height: i32, label: String },
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
    /// From here on the value it holds is out of date: another client changed the key.
    pub stale_from: Option<i32>,
    pub intruder: Option<ClientId>,
    /// The steps of the read and, where it has been made, the write.
    pub read_step: usize,
    pub write_step: Option<usize>,
}

/// Lays out the whole run, with the cursor where it is.
pub fn diagram(timeline: &Timeline, space: Space, lang: Lang) -> Diagram {
    Plan::default().diagram(timeline, space, lang)
}

/// The diagram laid out last, and the facts known of its run.
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

/// With another one of these, everything is laid out anew.
#[derive(Debug, Clone, PartialEq)]
struct PlanKey {
    lanes: Vec<ClientId>,
    servers: Vec<String>,
    width: i32,
    /// How many rows there is room for, their height, and the size of their type.
    rows: usize,
    row: i32,
    size: i32,
    lang: Lang,
    inside: bool,
}

/// For every frame the length of the longest command up to it.
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
        let run = timeline.run();
        let rows = rows_expected(space, run.len() - 1);
        let row = row_height(space, rows);
        let servers = servers::names(last);
        let columns = Columns::new(super::lanes(timeline), space.width, &servers)
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

    /// Lays out a run of which the first `shared` frames stand in `old`.
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
        let nodes = timeline.world().setting().nodes.len();
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

/// `+15 ms`.
fn clock(timeline: &Timeline) -> Option<String> {
    let start = timeline.frames().first()?.world.now_ms();
    let passed = timeline.world().now_ms().saturating_sub(start);
    (passed > 0).then(|| rows::time_label(passed))
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

/// Lays out the windows in `found`. Those in `old`, in a run of which the first `shared` frames are
/// the same, are left as they are.
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
        }));
    }
    Rc::new(windows)
}

#[cfg(test)]
mod tests;
