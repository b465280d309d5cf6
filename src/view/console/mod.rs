//! The consoles beside a run: their contents, and the effect of a typed line.
//!
//! A command is a step of the run ([`crate::sim::Typed`]), so its entries are read from the frames
//! up to the cursor, and go back and forth with it. Things that redis-cli does by itself (help, a
//! line that it cannot split, `clear`) are no steps: they are kept here, each with the step after
//! which it was typed.

pub mod docs;
pub mod import;
pub mod line;
#[cfg(not(target_arch = "wasm32"))]
pub mod source;
#[cfg(test)]
mod tests;

use crate::engine::Version;
use crate::resp::{Proto, Value, decode_reply};
use crate::scenario::mistakes::lacking_words;
use crate::sim::{
    Action, CONSOLES_MAX, ClientId, Frame, LINE_MAX, NodeId, State, Timeline, Typed, World, conn_id,
};
use crate::text::{Key, Lang, fill, tr};

use self::docs::Docs;
use self::line::{Line, TIMES_MAX, joined, read};
use super::console::import::Imported;
use crate::session::spelling::lanes;
use crate::session::{Msg, Notice, Session};

/// The number of lines kept for ↑.
pub const HISTORY_MAX: usize = 200;
/// The most entries of a console; older ones are dropped.
const ENTRIES_MAX: usize = 400;
/// The bytes at which a longer reply is cut.
const REPLY_MAX: usize = 32 * 1024;
/// The most messages of the client itself.
const NOTES_MAX: usize = 200;
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
struct Note {
    variant: usize,
    id: ClientId,
    step: usize,
    kind: EntryKind,
    text: String,
}

#[derive(Debug, Clone)]
struct Tab {
    id: ClientId,
    /// The instance chosen for it.
    node: Option<NodeId>,
    /// `--raw` and `--no-raw`, each with the step after which it was typed.
    raw: Vec<(usize, bool)>,
    hints: bool,
    /// The step after which `clear` was typed.
    cleared: Option<usize>,
}

impl Tab {
    fn new(id: ClientId) -> Tab {
        Tab { id, node: None, raw: Vec::new(), hints: true, cleared: None }
    }
}

/// The open consoles.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    pub open: bool,
    tabs: Vec<Tab>,
    /// Consoles of the run that were closed.
    closed: Vec<ClientId>,
    at: Option<ClientId>,
    notes: Vec<Note>,
    /// Typed lines, oldest first.
    pub history: Vec<String>,
    /// Scripts for `--eval`, by name.
    pub scripts: Vec<(String, String)>,
}

/// An action of the user at the panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Do {
    Open(bool),
    /// Lines that were typed, each with Enter.
    Submit(ClientId, Vec<String>),
    /// Ctrl+C.
    Cancel(ClientId),
    /// Ctrl+L.
    Clear(ClientId),
    Add,
    Close(ClientId),
    Select(ClientId),
    /// Chooses the instance that lines go to.
    Node(ClientId, usize),
    /// Adds a script for `--eval`.
    Script(String, String),
}

impl Panel {
    /// Returns the panel for another lesson; the history of lines stays.
    pub fn for_another(&self) -> Panel {
        Panel { history: self.history.clone(), scripts: self.scripts.clone(), ..Panel::default() }
    }

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

    fn tab(&self, id: ClientId) -> Tab {
        self.tabs.iter().find(|tab| tab.id == id).cloned().unwrap_or_else(|| Tab::new(id))
    }

    /// Returns the instance that lines go to: the chosen one, or the last one used.
    fn node(&self, timeline: &Timeline, id: ClientId) -> NodeId {
        let console = timeline.world().client(id);
        let spoken = console.and_then(|console| console.connections().first());
        self.tab(id).node.or(spoken.map(|connection| connection.node)).unwrap_or_default()
    }

    fn tab_mut(&mut self, id: ClientId) -> &mut Tab {
        let at = self.tabs.iter().position(|tab| tab.id == id).unwrap_or_else(|| {
            self.tabs.push(Tab::new(id));
            self.tabs.len() - 1
        });
        &mut self.tabs[at]
    }

    /// Performs an action; returns the notices to show.
    pub fn act(
        &mut self,
        session: &mut Session,
        what: Do,
        docs: Option<&Docs>,
        lang: Lang,
    ) -> Vec<Notice> {
        match what {
            Do::Open(open) => self.open = open,
            Do::Select(id) => self.at = Some(id),
            Do::Clear(id) => self.clear(session, id),
            Do::Node(id, node) => self.tab_mut(id).node = Some(NodeId(node as u8)),
            Do::Add => self.add(session.timeline()),
            Do::Close(id) => return self.close(session, id),
            Do::Cancel(id) => return self.cancel(session, id),
            Do::Script(name, text) => {
                self.scripts.retain(|(known, _)| *known != name);
                self.scripts.push((name, text));
            }
            Do::Submit(id, lines) => {
                let mut notices = Vec::new();
                for (done, line) in lines.iter().enumerate() {
                    if !notices.is_empty() {
                        break;
                    }
                    if done == TIMES_MAX as usize || self.is_waiting(session, id) {
                        self.stopped(session, id, done, lines.len(), lang);
                        break;
                    }
                    notices.extend(self.submit(session, id, line, docs, lang));
                }
                return notices;
            }
        }
        Vec::new()
    }

    fn add(&mut self, timeline: &Timeline) {
        let ids = self.ids(timeline);
        let all = (1..=CONSOLES_MAX as u8).filter_map(ClientId::console);
        let Some(new) = all.into_iter().find(|id| !ids.contains(id)) else { return };
        // The first one, which is there without having been opened, stays.
        for id in ids {
            self.tab_mut(id);
        }
        self.closed.retain(|id| *id != new);
        self.tab_mut(new);
        self.at = Some(new);
    }

    fn close(&mut self, session: &mut Session, id: ClientId) -> Vec<Notice> {
        let notices = self.cancel(session, id);
        let ids = self.ids(session.timeline());
        if ids.len() < 2 {
            self.open = false;
            return notices;
        }
        let at = ids.iter().position(|one| *one == id).unwrap_or(0);
        self.at = ids.get(at + 1).or(ids.get(at.saturating_sub(1))).copied();
        self.tabs.retain(|tab| tab.id != id);
        self.closed.push(id);
        notices
    }

    /// Closes the connection, if there is one.
    fn cancel(&mut self, session: &mut Session, id: ClientId) -> Vec<Notice> {
        match session.timeline().world().is_connected(id) {
            true => session.update(Msg::Disconnect(id)).into_iter().collect(),
            false => Vec::new(),
        }
    }

    fn clear(&mut self, session: &Session, id: ClientId) {
        let (step, variant) = (session.timeline().cursor(), session.variant());
        self.tab_mut(id).cleared = Some(step);
        self.notes.retain(|note| note.id != id || note.variant != variant);
    }

    fn is_waiting(&self, session: &Session, id: ClientId) -> bool {
        let console = session.timeline().world().client(id);
        console.is_some_and(|console| *console.state() != State::Idle)
    }

    fn note(&mut self, session: &Session, id: ClientId, kind: EntryKind, text: String) {
        let (step, variant) = (session.timeline().cursor(), session.variant());
        self.notes.push(Note { variant, id, step, kind, text });
        if self.notes.len() > NOTES_MAX {
            self.notes.remove(0);
        }
    }

    /// Runs typed lines, as Enter does.
    fn submit(
        &mut self,
        session: &mut Session,
        id: ClientId,
        text: &str,
        docs: Option<&Docs>,
        lang: Lang,
    ) -> Vec<Notice> {
        self.at = Some(id);
        self.closed.retain(|closed| *closed != id);
        self.remember(text);
        let said = match read(text) {
            Line::Nothing => return Vec::new(),
            Line::Clear => {
                self.clear(session, id);
                return Vec::new();
            }
            Line::Quit => return self.close(session, id),
            Line::Raw(raw) => {
                let step = session.timeline().cursor();
                self.tab_mut(id).raw.push((step, raw));
                None
            }
            Line::Hints(hints) => {
                self.tab_mut(id).hints = hints;
                None
            }
            Line::Wrong(why) => Some(why),
            // Of what it does not know, redis-cli says an empty line.
            Line::Help(about) => Some(match docs {
                Some(docs) => {
                    let timeline = session.timeline();
                    let node = self.node(timeline, id);
                    docs.help(&about, version(timeline.world(), node), lang)
                }
                None => tr(lang, Key::ConsoleNoDocs).to_owned(),
            }),
            Line::Eval { name, keys, args } => {
                let script = self.scripts.iter().find(|(known, _)| *known == name);
                match script {
                    Some((_, script)) => {
                        let count = keys.len().to_string();
                        let head = [b"EVAL".as_slice(), script.as_bytes(), count.as_bytes()];
                        let head = head.map(Into::into);
                        let words = [head.as_slice(), &keys, &args].concat();
                        return self.send(session, id, &joined(&words), 1, lang);
                    }
                    None => {
                        let known = self.scripts.iter().map(|(name, _)| name.as_str());
                        let known = known.collect::<Vec<_>>().join(", ");
                        let why = format!("Can't open file '{name}': No such file or directory");
                        Some(why + "\n" + &fill(tr(lang, Key::ConsoleScripts), &[&known]))
                    }
                }
            }
            Line::Send { line, times } => {
                return self.send(session, id, &line, times, lang);
            }
        };
        let typed = EntryKind::Typed(prompt(session.timeline(), session.timeline().frame(), id));
        self.drop_future(session);
        self.note(session, id, typed, text.trim().to_owned());
        if let Some(said) = said {
            self.note(session, id, EntryKind::Said, said);
        }
        Vec::new()
    }

    fn send(
        &mut self,
        session: &mut Session,
        id: ClientId,
        line: &str,
        times: u32,
        lang: Lang,
    ) -> Vec<Notice> {
        if line.len() > LINE_MAX {
            let why = fill(tr(lang, Key::ConsoleLong), &[&(LINE_MAX / 1024).to_string()]);
            self.note(session, id, EntryKind::Said, why);
            return Vec::new();
        }
        self.drop_future(session);
        let node = self.node(session.timeline(), id);
        let typed = Typed { console: id, node, line: line.into() };
        for done in 0..times {
            if done == TIMES_MAX || self.is_waiting(session, id) {
                self.stopped(session, id, done as usize, times as usize, lang);
                break;
            }
            let notice = session.update(Msg::Type(typed.clone()));
            if let Some(notice) = notice {
                return vec![notice];
            }
        }
        let timeline = session.timeline();
        let answered = timeline.frame().seen.event.executed();
        let is_answered = answered.is_some_and(|(by, _, reply)| by == id && reply.is_some());
        let lacking = timeline.lacking(id, timeline.cursor()).filter(|_| is_answered);
        if let Some(lacking) = lacking {
            self.note(session, id, EntryKind::Said, lacking_words(&lacking, lang));
        }
        Vec::new()
    }

    /// Adds a note that only a part of the lines or repetitions was done.
    fn stopped(&mut self, session: &Session, id: ClientId, done: usize, of: usize, lang: Lang) {
        let values = [done.to_string(), of.to_string()];
        let said = fill(tr(lang, Key::ConsoleTimes), &values.each_ref().map(String::as_str));
        self.note(session, id, EntryKind::Said, said);
    }

    /// Types an imported recording, each connection at a console of its own, in the recorded order.
    pub fn replay(&mut self, session: &mut Session, imported: &Imported) -> Vec<Notice> {
        self.open = true;
        for (at, line) in &imported.lines {
            let Some(id) = u8::try_from(at + 1).ok().and_then(ClientId::console) else { continue };
            if self.is_waiting(session, id) || line.len() > LINE_MAX {
                continue;
            }
            let typed = Typed { console: id, node: NodeId(0), line: line.as_str().into() };
            if let Some(notice) = session.update(Msg::Type(typed)) {
                return vec![notice];
            }
        }
        Vec::new()
    }

    /// Drops the output and messages that belong to later steps.
    fn drop_future(&mut self, session: &Session) {
        let (step, variant) = (session.timeline().cursor(), session.variant());
        self.tabs.iter_mut().for_each(|tab| tab.raw.retain(|(at, _)| *at <= step));
        self.notes.retain(|note| note.variant != variant || note.step <= step);
    }

    fn remember(&mut self, text: &str) {
        let text = text.trim();
        if text.is_empty() || is_secret(text) || self.history.last().is_some_and(|l| l == text) {
            return;
        }
        self.history.push(text.chars().take(LINE_MAX).collect());
        if self.history.len() > HISTORY_MAX {
            self.history.remove(0);
        }
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
fn version(world: &World, node: NodeId) -> Version {
    let at = world.node(world.serving(node));
    at.map(|at| at.instance.version()).unwrap_or_default()
}

/// Returns true for lines with passwords, which redis-cli does not keep either.
fn is_secret(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let mut words = lower.split_ascii_whitespace();
    match words.next() {
        Some("auth") => true,
        Some("hello" | "migrate") => words.any(|word| word.starts_with("auth")),
        Some("acl") => words.next() == Some("setuser"),
        Some("config") => words.any(|word| word.ends_with("auth") || word == "requirepass"),
        _ => false,
    }
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
fn prompt(timeline: &Timeline, frame: &Frame, id: ClientId) -> String {
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
