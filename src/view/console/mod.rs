//! The consoles beside a run, drawn.
//!
//! A command is a step of the run ([`crate::sim::Typed`]), so its entries are read from the frames
//! up to the cursor, and go back and forth with it. Things that redis-cli does by itself (help, a
//! line that it cannot split, `clear`) are no steps: [`Panel`] has them, each with the step after
//! which it was typed. Absent: what a typed line does (`app::console`).

pub mod docs;
pub mod import;
pub mod line;
#[cfg(not(target_arch = "wasm32"))]
pub mod source;

use crate::engine::Version;
use crate::resp::{Proto, Value, decode_reply};
use crate::session::Session;
use crate::session::spelling::lanes;
use crate::sim::{Action, CONSOLES_MAX, ClientId, Frame, NodeId, State, Timeline, World, conn_id};

/// The most entries of a console; older ones are dropped.
const ENTRIES_MAX: usize = 400;
/// The bytes at which a longer reply is cut.
const REPLY_MAX: usize = 32 * 1024;
/// The most keys offered for completion.
const KEYS_MAX: usize = 500;

/// An entry of a console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The step after which it stands.
    pub step: usize,
    pub kind: EntryKind,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// A typed line, with its prompt.
    Typed(String),
    Reply,
    Error,
    /// A message of the client itself.
    Said,
}

/// One console, ready to be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pane {
    pub id: ClientId,
    /// The lines typed and printed, oldest first.
    pub entries: Vec<Entry>,
    pub prompt: String,
    /// True if it waits for the reply to an earlier line.
    pub waiting: bool,
    /// True if it receives messages or MONITOR until its connection is closed.
    pub listening: bool,
    /// The instance that lines go to.
    pub node: usize,
    /// True if the syntax is shown after the cursor.
    pub hints: bool,
    /// The keys of its database.
    pub keys: Vec<String>,
    /// The version of the instance.
    pub version: Version,
}

/// A message of the client itself.
#[derive(Debug, Clone)]
pub struct Note {
    pub variant: usize,
    pub id: ClientId,
    pub step: usize,
    pub kind: EntryKind,
    pub text: String,
}

/// What was chosen at a console.
#[derive(Debug, Clone)]
pub struct Tab {
    pub id: ClientId,
    /// The instance chosen for it.
    pub node: Option<NodeId>,
    /// `--raw` and `--no-raw`, each with the step after which it was typed.
    pub raw: Vec<(usize, bool)>,
    pub hints: bool,
    /// The step after which `clear` was typed.
    pub cleared: Option<usize>,
}

impl Tab {
    pub fn new(id: ClientId) -> Tab {
        Tab { id, node: None, raw: Vec::new(), hints: true, cleared: None }
    }
}

/// The open consoles.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    pub open: bool,
    pub tabs: Vec<Tab>,
    /// Consoles of the run that were closed.
    pub closed: Vec<ClientId>,
    /// The console whose tab was chosen.
    pub at: Option<ClientId>,
    pub notes: Vec<Note>,
    /// Typed lines, oldest first.
    pub history: Vec<String>,
    /// Scripts for `--eval`, by name.
    pub scripts: Vec<(String, String)>,
}

impl Panel {
    /// Returns the consoles that have a tab: the opened ones, and those of the run.
    pub fn ids(&self, timeline: &Timeline) -> Vec<ClientId> {
        let mut ids: Vec<ClientId> = self.tabs.iter().map(|tab| tab.id).collect();
        let others = lanes(timeline).into_iter().filter(|id| id.is_console());
        ids.extend(others.filter(|id| !self.closed.contains(id)));
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            ids.extend(ClientId::console(1));
        }
        ids
    }

    /// Returns the console whose tab is chosen.
    pub fn at(&self, timeline: &Timeline) -> Option<ClientId> {
        let ids = self.ids(timeline);
        self.at.filter(|at| ids.contains(at)).or(ids.first().copied())
    }

    pub fn can_add(&self, timeline: &Timeline) -> bool {
        self.ids(timeline).len() < CONSOLES_MAX
    }

    pub fn tab(&self, id: ClientId) -> Tab {
        self.tabs.iter().find(|tab| tab.id == id).cloned().unwrap_or_else(|| Tab::new(id))
    }

    /// Returns the instance that lines go to: the chosen one, or the last one used.
    pub fn node(&self, timeline: &Timeline, id: ClientId) -> NodeId {
        let console = timeline.world().client(id);
        let spoken = console.and_then(|console| console.connections().first());
        self.tab(id).node.or(spoken.map(|connection| connection.node)).unwrap_or_default()
    }

    /// Returns true if the console waits for the reply to an earlier line.
    pub fn is_waiting(&self, session: &Session, id: ClientId) -> bool {
        let console = session.timeline().world().client(id);
        console.is_some_and(|console| *console.state() != State::Idle)
    }

    /// Returns a console as it is at the cursor.
    pub fn pane(&self, session: &Session, id: ClientId) -> Pane {
        let timeline = session.timeline();
        let world = timeline.world();
        let tab = self.tab(id);
        let conn = world.console_conn(id);
        let node = self.node(timeline, id);
        let keys = world.node(world.serving(node)).map(|at| {
            let db = conn.as_ref().map_or(0, |conn| conn.db);
            let entries = at.instance.entries(db, at.now_ms(world.now_ms()));
            let names = entries.take(KEYS_MAX);
            names.map(|entry| crate::resp::lossy(&entry.key).into_owned()).collect()
        });
        Pane {
            id,
            entries: self.entries(session, &tab),
            prompt: prompt(timeline, timeline.frame(), id),
            waiting: self.is_waiting(session, id),
            listening: conn.is_some_and(|conn| !conn.subscribed.is_empty())
                || is_monitor(timeline, id),
            node: node.index(),
            hints: tab.hints,
            keys: keys.unwrap_or_default(),
            version: version(world, node),
        }
    }

    fn entries(&self, session: &Session, tab: &Tab) -> Vec<Entry> {
        let (timeline, id) = (session.timeline(), tab.id);
        let cursor = timeline.cursor();
        let from = tab.cleared.filter(|step| *step <= cursor).map_or(0, |step| step + 1);
        let mut entries = Vec::new();
        let notes = |step: usize, entries: &mut Vec<Entry>| {
            let is_here = |note: &&Note| {
                note.id == id && note.step == step && note.variant == session.variant()
            };
            let notes = self.notes.iter().filter(is_here);
            let entry =
                |note: &Note| Entry { step, kind: note.kind.clone(), text: note.text.clone() };
            entries.extend(notes.map(entry));
        };
        let mut asked_ms = 0;
        for step in 0..=cursor {
            if step > 0 {
                let before = entries.len();
                printed(timeline, step, tab, &mut asked_ms, &mut entries);
                entries.truncate(if step < from { before } else { usize::MAX });
            }
            if step + 1 >= from {
                notes(step, &mut entries);
            }
        }
        let more = entries.len().saturating_sub(ENTRIES_MAX);
        entries.drain(..more);
        entries
    }
}

/// Returns the version of the instance that answers for this one.
pub fn version(world: &World, node: NodeId) -> Version {
    let at = world.node(world.serving(node));
    at.map(|at| at.instance.version()).unwrap_or_default()
}

/// Adds the entries that a step put on a console.
fn printed(
    timeline: &Timeline,
    step: usize,
    tab: &Tab,
    asked_ms: &mut u64,
    entries: &mut Vec<Entry>,
) {
    let (frames, id) = (timeline.frames(), tab.id);
    let (before, frame) = (&frames[step - 1], &frames[step]);
    let mut add = |kind, text: String| entries.push(Entry { step, kind, text });
    if let Some(typed) = frame.typed.as_ref().filter(|typed| typed.console == id) {
        add(EntryKind::Typed(prompt(timeline, before, id)), typed.line.to_string());
        *asked_ms = before.world.now_ms();
        let word = typed.line.split_ascii_whitespace().next().unwrap_or_default();
        let listens = |frame: &Frame| {
            let conn = frame.world.console_conn(id);
            conn.is_some_and(|conn| !conn.subscribed.is_empty())
        };
        if word.to_ascii_lowercase().ends_with("subscribe") && !listens(before) && listens(frame) {
            add(EntryKind::Reply, "Reading messages... (press Ctrl-C to quit)".to_owned());
        }
    }
    if frame.token.is_some_and(|token| token.action == Action::Disconnect(id)) {
        add(EntryKind::Typed(prompt(timeline, before, id)), "^C".to_owned());
    }
    let proto = proto(frame, id);
    let raw = tab.raw.iter().rev().find(|(at, _)| *at < step).is_some_and(|(_, raw)| *raw);
    let late = matches!(before.world.client(id).map(|c| c.state()),
        Some(state) if *state != State::Idle);
    for (_, value) in frame.seen.heard.iter().filter(|(to, _)| *to == id) {
        let value = as_sent(value, proto);
        let kind = if value.is_error() { EntryKind::Error } else { EntryKind::Reply };
        let text = if raw { value.to_cli_raw() } else { value.to_cli() };
        add(kind, cut(text));
        let waited_ms = frame.world.now_ms().saturating_sub(*asked_ms);
        if late && waited_ms >= 500 && !raw {
            add(EntryKind::Reply, format!("({}.{:02}s)", waited_ms / 1000, waited_ms % 1000 / 10));
        }
    }
}

fn cut(mut text: String) -> String {
    if text.len() > REPLY_MAX {
        let end = (0..=REPLY_MAX).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let more = text.len() - end;
        text.truncate(end);
        text += &format!("… (+{more})");
    }
    text
}

/// Returns the protocol of a console's connection.
fn proto(frame: &Frame, id: ClientId) -> Proto {
    let world = &frame.world;
    let node = world.client(id).and_then(|console| console.connections().first());
    let node = node.and_then(|connection| world.node(world.serving(connection.node)));
    node.map_or(Proto::Resp2, |node| node.instance.proto(conn_id(id, 0)))
}

/// Returns a reply as the protocol delivers it: RESP2 has fewer types.
fn as_sent(value: &Value, proto: Proto) -> Value {
    match decode_reply(&value.to_bytes(proto)) {
        Ok(Some((sent, _))) => sent,
        _ => value.clone(),
    }
}

/// Returns true if MONITOR was typed since the connection was opened.
fn is_monitor(timeline: &Timeline, id: ClientId) -> bool {
    let frames = timeline.frames()[..=timeline.cursor()].iter().rev();
    let open = frames.take_while(|frame| frame.world.is_connected(id));
    let mut typed = open.filter_map(|frame| frame.typed.as_ref()).filter(|t| t.console == id);
    typed.any(|typed| typed.line.trim().eq_ignore_ascii_case("monitor"))
}

/// Returns the prompt: `c1> `, or with the connection's state `c1[2] (TX, 2 queued)> `.
pub fn prompt(timeline: &Timeline, frame: &Frame, id: ClientId) -> String {
    let world = &frame.world;
    let mut prompt = id.name();
    let node = world.client(id).and_then(|console| console.connections().first());
    if let Some(connection) = node.filter(|_| world.nodes().len() > 1) {
        prompt += "@";
        prompt += timeline.world().setting().node_name(connection.node);
    }
    if let Some(conn) = world.console_conn(id) {
        if conn.db > 0 {
            prompt += &format!("[{}]", conn.db);
        }
        let watched = conn.watching.len();
        if conn.in_multi {
            prompt += &format!(" (TX, {} queued)", conn.queued.len());
        } else if !conn.subscribed.is_empty() {
            prompt += " (subscribed mode)";
        } else if watched > 0 {
            prompt += &format!(" (WATCH {watched})");
        }
    }
    prompt + "> "
}
