//! What is done at the consoles: the effect of a typed line on the run and on the [`Panel`].
//!
//! What redis-cli does by itself (help, a line that it cannot split, `clear`) becomes a note of the
//! panel; everything else is a step of the run. To add an action, add a variant of [`Do`].

use crate::scenario::mistakes::lacking_words;
use crate::session::{Msg, Notice, Session};
use crate::sim::{CONSOLES_MAX, ClientId, LINE_MAX, NodeId, Timeline, Typed};
use crate::text::{Key, Lang, fill, tr};
use crate::view::console::docs::Docs;
use crate::view::console::import::Imported;
use crate::view::console::line::{Line, TIMES_MAX, joined, read};
use crate::view::console::{EntryKind, Note, Panel, Tab, prompt, version};

/// The number of lines kept for ↑.
pub const HISTORY_MAX: usize = 200;
/// The most messages of the client itself.
const NOTES_MAX: usize = 200;

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

#[cfg(test)]
mod tests;
