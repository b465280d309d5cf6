//! Compares the two frames of a film. It adds no movements.
//!
//! To detect something new, add the comparison here, and mark the difference in `follow`.

use std::mem::discriminant;
use std::rc::Rc;

use crate::engine::Entry;
use crate::resp::Bytes;
use crate::session::spelling::call_text_at;
use crate::sim::{Call, Client, ClientId, Event, Frame, Node, NodeId, State, Timeline, World};
use crate::view::stage::cards::is_kept_out;
use crate::view::stage::redis::{key_name, value_text};
use crate::view::stage::spans::{Span, SpanKind};

use super::reel::THINGS_MAX;
use super::{Around, Place};

/// The most characters of an old value.
const VALUE_CHARS: usize = 40;

#[derive(Debug)]
pub struct Scene<'a> {
    pub before: &'a Frame,
    pub after: &'a Frame,
    pub step: usize,
    pub timeline: &'a Timeline,
    pub spans: &'a [Span],
    /// The keys that differ, or that were written with the same value.
    pub keys: Vec<KeyDiff>,
}

/// A key before and after.
#[derive(Debug, Clone)]
pub struct KeyDiff {
    pub node: NodeId,
    pub db: usize,
    pub key: Bytes,
    pub before: Option<Entry>,
    pub after: Option<Entry>,
}

impl KeyDiff {
    pub fn name(&self) -> String {
        key_name(self.db, &self.key)
    }

    /// Returns its old value, on one line.
    pub fn old_text(&self) -> String {
        self.before
            .as_ref()
            .map(|entry| value_text(&entry.value, 12, VALUE_CHARS))
            .unwrap_or_default()
    }
}

/// A watched key, and the client whose connection watches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    pub client: ClientId,
    pub node: NodeId,
    pub key: String,
    pub dirty: bool,
}

impl Thread {
    pub fn place(&self) -> Place {
        Place::thread(self.client, self.node, &self.key)
    }
}

impl<'a> Scene<'a> {
    pub fn new(before: &'a Frame, after: &'a Frame, step: usize, around: &Around<'a>) -> Self {
        let Around { timeline, spans } = *around;
        let keys = keys(before, after);
        Scene { before, after, step, timeline, spans, keys }
    }

    /// Returns the clients of both frames: a console may have been opened.
    pub fn everybody(&self) -> Vec<ClientId> {
        self.after.world.everybody().collect()
    }

    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        self.after.world.setting().node_ids().collect::<Vec<_>>().into_iter()
    }

    pub fn was(&self, id: ClientId) -> Option<&'a Client> {
        self.before.world.client(id)
    }

    pub fn is(&self, id: ClientId) -> Option<&'a Client> {
        self.after.world.client(id)
    }

    pub fn node(&self, id: NodeId) -> (Option<&'a Rc<Node>>, Option<&'a Rc<Node>>) {
        (self.before.world.node(id), self.after.world.node(id))
    }

    /// Returns the instance that a call goes to.
    pub fn serving(&self, call: &Call) -> NodeId {
        self.before.world.serving(call.node().unwrap_or_default())
    }

    /// Returns the lines of a client's next command, before and after; 0 if it has none.
    pub fn lines(&self, id: ClientId) -> (u32, u32) {
        (line(self.was(id)), line(self.is(id)))
    }

    /// Returns where a call starts: its line, or the console.
    pub fn line_of_call(id: ClientId, call: &Call) -> Place {
        match id.is_console() {
            true => Place::client(id),
            false => Place::line(id, call.line),
        }
    }

    /// Returns where a reply ends.
    pub fn line_end(id: ClientId, line: u32) -> Place {
        match id.is_console() {
            true => Place::client(id),
            false => Place::line_end(id, line),
        }
    }

    /// Returns the variables that a client's program set, in the order in which they were first
    /// set.
    pub fn chips(&self, id: ClientId) -> Vec<Place> {
        let runs = self.after.seen.ran.iter().filter(|run| run.client == id);
        let mut chips: Vec<Place> = Vec::new();
        // `_` is the name of what nobody looks at.
        for set in runs.flat_map(|run| &run.trace.assigned).filter(|set| set.name != "_") {
            let chip = Place::chip(id, &set.name);
            if chips.len() < THINGS_MAX && !chips.contains(&chip) {
                chips.push(chip);
            }
        }
        chips
    }

    /// Returns true if its card changes.
    pub fn looks_different(&self, id: ClientId) -> bool {
        let look = |client: Option<&Client>| {
            client.map(|client| {
                (discriminant(client.state()), client.paused(), client.clock_ms(), waits(client))
            })
        };
        look(self.was(id)) != look(self.is(id))
            || is_kept_out(&self.before.world, id) != is_kept_out(&self.after.world, id)
    }

    /// Returns the label of its step button, before and after.
    pub fn button(&self, id: ClientId) -> (Option<String>, Option<String>) {
        let says = |world: &World| {
            let client = world.client(id)?;
            world.next_of(id)?;
            client.call().map(|call| call_text_at(call, world))
        };
        (says(&self.before.world), says(&self.after.world))
    }

    /// Returns the clients with a command on its way, and the instances where it waits.
    pub fn sent(world: &World) -> Vec<(ClientId, NodeId)> {
        at_nodes(world, |state| matches!(state, State::Sent(_)))
    }

    /// Returns the clients with a command that is held back.
    pub fn held(world: &World) -> Vec<(ClientId, NodeId)> {
        at_nodes(world, |state| matches!(state, State::Blocked(_) | State::Waiting(..)))
    }

    /// Returns the clients with a reply that they have not taken.
    pub fn answered(world: &World) -> Vec<(ClientId, NodeId)> {
        at_nodes(world, |state| matches!(state, State::Answered(..)))
    }

    /// Returns the watched keys of all connections.
    pub fn threads(world: &World) -> Vec<Thread> {
        let mut threads = Vec::new();
        for (client, node, number) in connections(world) {
            let conn = world.instance(node).and_then(|one| one.conn(world.conn_of(client, number)));
            let Some(conn) = conn else { continue };
            for (db, key) in &conn.watching {
                let (key, dirty) = (key_name(*db, key), conn.dirty_cas);
                threads.push(Thread { client, node, key, dirty });
            }
        }
        threads
    }

    /// Returns how many commands a client's transaction has queued; `None` outside of a
    /// transaction.
    pub fn queue(world: &World, id: ClientId) -> Option<usize> {
        let mine = connections(world).into_iter().filter(|(client, ..)| *client == id);
        let conns = mine.filter_map(|(client, node, number)| {
            world.instance(node)?.conn(world.conn_of(client, number)).filter(|conn| conn.in_multi)
        });
        conns.map(|conn| conn.queued.len()).reduce(|a, b| a + b)
    }

    /// Returns the step at which a client began the wait that ends now, or goes on.
    pub fn wait_began(&self, id: ClientId) -> usize {
        let mine = |span: &&Span| {
            let lasts = span.to.is_none_or(|to| to >= self.step);
            span.kind == SpanKind::Waiting && span.client == Some(id) && lasts
        };
        let spans = self.spans.iter().filter(|span| span.from < self.step);
        spans.rev().find(mine).map_or(self.step, |span| span.from)
    }

    /// The client that made the step; `None` for a fault or the passing of time.
    pub fn actor(&self) -> Option<ClientId> {
        match &self.after.seen.event {
            Event::Call { client, .. }
            | Event::Send { client, .. }
            | Event::Unheard { client, .. }
            | Event::Execute { client, .. }
            | Event::Reply { client, .. } => Some(*client),
            _ => None,
        }
    }
}

/// Returns how many replicas have caught up, for a client in WAIT.
fn waits(client: &Client) -> usize {
    match client.state() {
        State::Waiting(_, wait) => wait.caught_up(),
        _ => 0,
    }
}

fn line(client: Option<&Client>) -> u32 {
    let Some(client) = client else { return 0 };
    match (client.call(), client.state()) {
        (Some(call), _) => call.line,
        (None, State::Sleeping { .. }) => client.vm().line().unwrap_or_default(),
        _ => 0,
    }
}

fn at_nodes(world: &World, are: impl Fn(&State) -> bool) -> Vec<(ClientId, NodeId)> {
    let mut found = Vec::new();
    for id in world.everybody() {
        let Some(client) = world.client(id).filter(|client| are(client.state())) else { continue };
        if let Some(node) = client.call().and_then(Call::node) {
            found.push((id, world.serving(node)));
        }
    }
    found
}

/// Returns every connection in the world: its client, its instance, and its number at that client.
fn connections(world: &World) -> Vec<(ClientId, NodeId, u8)> {
    let mut all = Vec::new();
    for id in world.everybody() {
        let connections = world.client(id).map(Client::connections).unwrap_or_default();
        let numbered = connections.iter().zip(0_u8..);
        all.extend(numbered.map(|(one, number)| (id, world.serving(one.node), number)));
    }
    all
}

/// Returns the keys of an instance that the panels show, by database and name.
fn entries(world: &World, id: NodeId) -> Vec<(usize, Entry)> {
    let mut all = crate::view::film::board::entries(world, id);
    all.sort_by(|one, other| (one.0, &one.1.key).cmp(&(other.0, &other.1.key)));
    all
}

/// Returns the keys that differ, and those that a write left as they were.
fn keys(before: &Frame, after: &Frame) -> Vec<KeyDiff> {
    let mut keys = Vec::new();
    let same_time = before.world.now_ms() == after.world.now_ms();
    for node in after.world.setting().node_ids() {
        let nodes = before.world.node(node).zip(after.world.node(node));
        if same_time && nodes.is_some_and(|(old, new)| Rc::ptr_eq(old, new)) {
            continue;
        }
        let (old, new) = (entries(&before.world, node), entries(&after.world, node));
        let rewritten = crate::view::stage::redis::written(after, node);
        let rewritten = rewritten.map(|(_, keys)| keys).unwrap_or_default();
        let find = |list: &[(usize, Entry)], place: (usize, &Bytes)| {
            let found = list.binary_search_by(|one| (one.0, &one.1.key).cmp(&place));
            found.ok().map(|at| list[at].1.clone())
        };
        let mut add = |db: usize, key: &Bytes, before: Option<Entry>, after: Option<Entry>| {
            keys.push(KeyDiff { node, db, key: key.clone(), before, after });
        };
        for (db, entry) in &old {
            let now = find(&new, (*db, &entry.key));
            let again = rewritten.iter().any(|place| (place.0, &place.1) == (*db, &entry.key));
            if now.as_ref() != Some(entry) || again {
                add(*db, &entry.key, Some(entry.clone()), now);
            }
        }
        for (db, entry) in &new {
            if find(&old, (*db, &entry.key)).is_none() {
                add(*db, &entry.key, None, Some(entry.clone()));
            }
        }
    }
    keys
}
