//! Spans of several steps in a run, found frame by frame: pauses, waits, leases, the locks that a
//! client believes it holds, watched keys, transactions. Spans are in steps; the diagram decides
//! where to draw them. To add a kind, add it to [`SpanKind`].

use std::rc::Rc;

use crate::engine::{Entry, EntryValue, KeyChange};
use crate::lua::Data;
use crate::resp::{Bytes, Value};
use crate::sim::{
    CallKind, Client, ClientId, Event, Frame, Kind, NodeId, Run, State, Timeline, World,
    shared_frames,
};

#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    pub kind: SpanKind,
    /// The client; `None` for an instance.
    pub client: Option<ClientId>,
    /// The instance that is down, or that has the key.
    pub node: Option<NodeId>,
    /// The key, or the global of a belief.
    pub name: String,
    /// The step at which it began; and below, the step that ended it, `None` while it lasts.
    pub from: usize,
    pub to: Option<usize>,
    /// The steps at which a lease was renewed, or commands queued; for a watch, the step that made
    /// it dirty.
    pub turns: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    Paused,
    /// A reply, a message or an answer is awaited.
    Waiting,
    /// An instance is unreachable.
    Down,
    /// A key belongs to this client: it took it for a limited time, or only because it was free.
    Lease,
    /// The client believes that it holds what only a limited number may hold.
    Belief,
    /// More clients believe so than may: the mistake itself.
    Clash,
    /// Keys are watched.
    Watch,
    /// A transaction, from MULTI to its end.
    Multi,
}

impl SpanKind {
    /// Returns the word for it in the name of a place.
    pub fn word(self) -> &'static str {
        match self {
            SpanKind::Paused => "paused",
            SpanKind::Waiting => "waiting",
            SpanKind::Down => "down",
            SpanKind::Lease => "lease",
            SpanKind::Belief => "belief",
            SpanKind::Clash => "clash",
            SpanKind::Watch => "watch",
            SpanKind::Multi => "multi",
        }
    }
}

/// A global that a property counts and bounds, `count("holding") <= 1`, and that some program
/// resets (`holding = false`): a client in which it is `true` believes that it is one of the
/// holders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub global: String,
    pub at_most: usize,
}

/// Returns the claim of a run's scenario, if it makes one.
pub fn claim(timeline: &Timeline) -> Option<Claim> {
    let scenario = timeline.scenario();
    let properties = scenario.properties.iter().filter(|property| property.kind == Kind::Always);
    let bounded = properties.filter_map(|property| bounded(&property.expression()));
    let mut given_up = bounded.filter(|claim| {
        let programs = scenario.clients.iter().map(|client| client.program.source());
        let mut texts = programs.map(|source| String::from_utf8_lossy(source));
        texts.any(|text| gives_up(&text, &claim.global))
    });
    given_up.next()
}

/// Parses `count("name") <= 1`, or `< 2`.
fn bounded(expression: &str) -> Option<Claim> {
    let rest = expression.trim().strip_prefix("count(")?;
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (global, rest) = rest[1..].split_once(quote)?;
    let rest = rest.strip_prefix(')')?.trim_start();
    let at_most = match rest.strip_prefix("<=") {
        Some(number) => number.trim().parse().ok()?,
        None => rest.strip_prefix('<')?.trim().parse::<usize>().ok()?.checked_sub(1)?,
    };
    (at_most > 0).then(|| Claim { global: global.to_owned(), at_most })
}

fn gives_up(program: &str, global: &str) -> bool {
    program.match_indices(global).any(|(at, _)| {
        let before = program[..at].chars().next_back();
        let starts = before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '.');
        let rest = program[at + global.len()..].trim_start();
        let value = rest.strip_prefix('=').map(str::trim_start).unwrap_or_default();
        starts && (value.starts_with("false") || value.starts_with("nil"))
    })
}

/// Finds the spans of a growing run, reading every frame once.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    claim: Option<Claim>,
    /// The spans in the order in which they began.
    spans: Vec<Span>,
    /// The indices in `spans` of those that have not ended.
    open: Vec<usize>,
    /// The names that became longer: step, index in `spans`, and the former length.
    named: Vec<(usize, usize, usize)>,
    /// The frames visited so far.
    run: Run,
}

impl Finder {
    /// Returns all spans, in the order in which they began.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Follows the run to its end, from the point where it differs from the one followed so far.
    pub fn follow(&mut self, timeline: &Timeline) {
        let run = timeline.run();
        if Rc::ptr_eq(run, &self.run) {
            return;
        }
        let shared = shared_frames(&self.run, run);
        match shared {
            0 => *self = Finder { claim: claim(timeline), ..Finder::default() },
            _ if shared < self.run.len() => self.cut(shared),
            _ => {}
        }
        for (step, frame) in run.iter().enumerate().skip(shared) {
            self.see(step, frame);
        }
        self.run = run.clone();
    }

    /// Undoes everything from `step` on.
    fn cut(&mut self, step: usize) {
        while let Some((_, at, length)) = self.named.pop_if(|(when, ..)| *when >= step) {
            self.spans[at].name.truncate(length);
        }
        self.spans.truncate(self.spans.partition_point(|span| span.from < step));
        for span in &mut self.spans {
            span.to = span.to.filter(|to| *to < step);
            span.turns.truncate(span.turns.partition_point(|turn| *turn < step));
        }
        let lasting = self.spans.iter().enumerate().filter(|(_, span)| span.to.is_none());
        self.open = lasting.map(|(at, _)| at).collect();
    }
}

impl Finder {
    fn see(&mut self, step: usize, frame: &Frame) {
        self.leases(step, frame);
        self.states(step, frame);
        self.transactions(step, frame);
    }

    /// Begins and ends the spans that depend on the state alone.
    fn states(&mut self, step: usize, frame: &Frame) {
        let world = &frame.world;
        let mut believers = 0;
        for id in world.everybody() {
            let Some(client) = world.client(id) else { continue };
            let over = client.is_over();
            self.turn(SpanKind::Paused, Some(id), None, step, client.paused().is_some() && !over);
            let waits = matches!(
                client.state(),
                State::Blocked(_)
                    | State::Waiting(..)
                    | State::Receiving { .. }
                    | State::Unanswered { .. }
            );
            self.turn(SpanKind::Waiting, Some(id), None, step, waits);
            let Some(claim) = &self.claim else { continue };
            let believes = client.global(&claim.global) == Data::Bool(true)
                && !matches!(client.state(), State::Crashed);
            believers += usize::from(believes);
            if self.turn(SpanKind::Belief, Some(id), None, step, believes)
                && let (Some(claim), Some(span)) = (&self.claim, self.spans.last_mut())
            {
                span.name = claim.global.clone();
            }
        }
        let too_many = self.claim.as_ref().is_some_and(|claim| believers > claim.at_most);
        for id in world.everybody() {
            let one = too_many && self.is_open(SpanKind::Belief, Some(id));
            self.turn(SpanKind::Clash, Some(id), None, step, one);
        }
        for id in world.setting().node_ids() {
            let down = world.node(id).is_some_and(|node| !node.up);
            self.turn(SpanKind::Down, None, Some(id), step, down);
        }
    }

    fn is_open(&self, kind: SpanKind, client: Option<ClientId>) -> bool {
        let spans = self.open.iter().filter_map(|at| self.spans.get(*at));
        spans.into_iter().any(|span| span.kind == kind && span.client == client)
    }

    /// Begins or ends a span according to `holds`. True if it has just begun.
    fn turn(
        &mut self,
        kind: SpanKind,
        client: Option<ClientId>,
        node: Option<NodeId>,
        step: usize,
        holds: bool,
    ) -> bool {
        let same = |span: &Span| (span.kind, span.client, span.node) == (kind, client, node);
        let at = self.open.iter().position(|at| same(&self.spans[*at]));
        match (at, holds) {
            (None, true) => {
                self.begin(kind, client, node, step, String::new());
                true
            }
            (Some(at), false) => {
                self.end(at, step);
                false
            }
            _ => false,
        }
    }

    fn begin(
        &mut self,
        kind: SpanKind,
        client: Option<ClientId>,
        node: Option<NodeId>,
        step: usize,
        name: String,
    ) {
        self.open.push(self.spans.len());
        let (from, to, turns) = (step, None, Vec::new());
        self.spans.push(Span { kind, client, node, name, from, to, turns });
    }

    /// Ends the span at this index of the open ones.
    fn end(&mut self, open: usize, step: usize) {
        let at = self.open.remove(open);
        self.spans[at].to = Some(step);
    }

    fn leases(&mut self, step: usize, frame: &Frame) {
        if step == 0 {
            return;
        }
        let by = frame.seen.event.executed().map(|(client, ..)| client);
        for change in &frame.seen.changes {
            let name = crate::resp::lossy(&change.key);
            let held = self.open.iter().position(|at| {
                let span = &self.spans[*at];
                let same = span.kind == SpanKind::Lease && span.name == name;
                same && span.node == Some(change.node)
            });
            match (held, change.after.as_ref()) {
                (Some(held), None) => self.end(held, step),
                (Some(held), Some(after)) => {
                    let at = self.open[held];
                    let owner = self.spans[at].client;
                    if keeps_value(change) {
                        self.spans[at].turns.push(step);
                    } else if by != owner && matches!(after.value, EntryValue::Str(_)) {
                        // Taken over: GETSET, or SET in a transaction.
                        self.end(held, step);
                        if let Some(by) = by {
                            let (client, node) = (Some(by), Some(change.node));
                            self.begin(SpanKind::Lease, client, node, step, name.into_owned());
                        }
                    }
                }
                (None, Some(_)) => {
                    if let Some(by) = by.filter(|_| is_taken(change, frame)) {
                        let (client, node) = (Some(by), Some(change.node));
                        self.begin(SpanKind::Lease, client, node, step, name.into_owned());
                    }
                }
                (None, None) => {}
            }
        }
    }

    fn transactions(&mut self, step: usize, frame: &Frame) {
        // A watched key may be dirtied by whatever changes it.
        if !frame.seen.changes.is_empty() || matches!(frame.seen.event, Event::Advance { .. }) {
            for at in self.open.clone() {
                let span = &self.spans[at];
                if span.kind == SpanKind::Watch && span.turns.is_empty() && is_dirty(span, frame) {
                    self.spans[at].turns.push(step);
                }
            }
        }
        for id in frame.world.everybody() {
            let shares = |client: &Client| client.connections().iter().any(|c| c.shared.is_some());
            if frame.world.client(id).is_some_and(|client| client.is_over() && !shares(client)) {
                for kind in [SpanKind::Watch, SpanKind::Multi] {
                    self.end_of(kind, id, None, step);
                }
            }
        }
        let Some((client, call, reply)) = frame.seen.event.executed() else { return };
        let CallKind::Redis { node, argv, .. } = &call.kind else { return };
        let is_error = reply.is_some_and(Value::is_error);
        let node = frame.world.serving(*node);
        let is = |name: &[u8]| argv.first().is_some_and(|word| word.eq_ignore_ascii_case(name));
        if is(b"WATCH") && !is_error {
            let keys: Vec<_> = argv[1..].iter().map(|key| crate::resp::lossy(key)).collect();
            let known = self.open.iter().find(|at| {
                let span = &self.spans[**at];
                span.kind == SpanKind::Watch
                    && (span.client, span.node) == (Some(client), Some(node))
            });
            match known.copied() {
                Some(at) => {
                    let name = &mut self.spans[at].name;
                    self.named.push((step, at, name.len()));
                    *name += &format!(" {}", keys.join(" "));
                }
                None => {
                    let name = keys.join(" ");
                    self.begin(SpanKind::Watch, Some(client), Some(node), step, name);
                }
            }
        } else if is(b"MULTI") && !is_error {
            self.begin(SpanKind::Multi, Some(client), Some(node), step, String::new());
        } else if is(b"EXEC") || is(b"DISCARD") || is(b"RESET") {
            self.end_of(SpanKind::Multi, client, Some(node), step);
            self.end_of(SpanKind::Watch, client, Some(node), step);
        } else if is(b"UNWATCH") && !reply.is_some_and(is_queued) {
            self.end_of(SpanKind::Watch, client, Some(node), step);
        } else if reply.is_some_and(is_queued)
            && let Some(at) = self.open.iter().copied().find(|at| {
                let span = &self.spans[*at];
                let others = || span.client.is_some_and(|other| share(&frame.world, client, other));
                span.kind == SpanKind::Multi && (span.client == Some(client) || others())
            })
        {
            self.spans[at].turns.push(step);
        }
        // What one client ends on a shared connection ends for the others, too.
        for other in frame.world.ids().filter(|other| share(&frame.world, client, *other)) {
            let (in_multi, watches) = transacts(&frame.world, other, node);
            for (kind, lasts) in [(SpanKind::Multi, in_multi), (SpanKind::Watch, watches)] {
                if !lasts {
                    self.end_of(kind, other, Some(node), step);
                }
            }
        }
    }

    /// Ends the client's span of this kind, on one instance or on all.
    fn end_of(&mut self, kind: SpanKind, client: ClientId, node: Option<NodeId>, step: usize) {
        let at = self.open.iter().position(|at| {
            let span = &self.spans[*at];
            let same = span.kind == kind && span.client == Some(client);
            same && (node.is_none() || span.node == node)
        });
        if let Some(at) = at {
            self.end(at, step);
        }
    }
}

/// Returns true if a transaction queued the command, so that it was not executed.
pub fn is_queued(reply: &Value) -> bool {
    *reply == Value::status("QUEUED")
}

/// Returns true if the two are clients of one process that share a connection.
fn share(world: &World, one: ClientId, other: ClientId) -> bool {
    let lines = |id: ClientId| {
        let count = world.client(id).map_or(0, |client| client.connections().len() as u8);
        (0..count).map(move |number| world.line_of(id, number))
    };
    one != other && lines(one).any(|line| lines(other).any(|of| of == line))
}

/// Returns true if a client has begun a transaction on an instance, and true if it watches keys.
fn transacts(world: &World, id: ClientId, node: NodeId) -> (bool, bool) {
    let count = world.client(id).map_or(0, |client| client.connections().len() as u8);
    let conns = (0..count).filter_map(|at| world.instance(node)?.conn(world.conn_of(id, at)));
    conns.fold((false, false), |(multi, watches), conn| {
        (multi || conn.in_multi, watches || !conn.watching.is_empty())
    })
}

/// Returns true if EXEC will refuse because of a watched key; a crash or a restart closes
/// connections.
fn is_dirty(span: &Span, frame: &Frame) -> bool {
    let (Some(client), Some(node)) = (span.client, span.node) else { return false };
    let Some(instance) = frame.world.instance(node) else { return false };
    let count = frame.world.client(client).map_or(0, |client| client.connections().len());
    (0..count).any(|connection| {
        let conn = instance.conn(frame.world.conn_of(client, connection as u8));
        conn.is_some_and(|conn| conn.dirty_cas && !conn.watching.is_empty())
    })
}

/// Returns true if only the deadline changed: the lease was renewed.
pub(super) fn keeps_value(change: &KeyChange) -> bool {
    let value = |entry: &Option<Entry>| entry.as_ref().map(|entry| entry.value.clone());
    value(&change.before) == value(&change.after)
}

/// Returns true if a client took this key, which was absent: for a limited time, or only because it
/// was free. A counter that expires is not taken.
pub fn is_taken(change: &KeyChange, frame: &Frame) -> bool {
    let Some(after) = change.after.as_ref().filter(|_| change.before.is_none()) else {
        return false;
    };
    let only_if_free = |argument: &Bytes| {
        argument.eq_ignore_ascii_case(b"NX") || argument.eq_ignore_ascii_case(b"SETNX")
    };
    let call = frame.seen.event.executed().map(|(_, call, _)| call);
    let counter = match &after.value {
        EntryValue::Str(value) => crate::resp::number::parse_int(value).is_some(),
        _ => false,
    };
    call.is_some_and(|call| call.argv().iter().any(only_if_free))
        || (after.expires_at.is_some() && !counter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Scenario;

    /// A's MULTI on a shared connection lasts until B's EXEC, and queues B's GET.
    #[test]
    fn a_transaction_is_that_of_the_connection() {
        let compile = |rest: &str| {
            let text = format!("local c = connect('redis', {{ shared = 'pool' }}) {rest}");
            crate::lua::compile(text.as_bytes(), "a.lua").expect("Lua")
        };
        let programs = vec![
            compile("c:call('MULTI') c:call('PING')"),
            compile("c:call('GET', 'n') c:call('EXEC')"),
        ];
        let mut scenario = Scenario::simple(vec![], programs);
        scenario.clients.iter_mut().for_each(|client| client.process = Some("app".to_owned()));
        let mut timeline = Timeline::start(Rc::new(scenario)).expect("it starts");
        crate::sim::schedule::play(&mut timeline, "A1.B1.B2.A2").expect("it plays");
        let mut finder = Finder::default();
        finder.follow(&timeline);
        let multi: Vec<_> =
            finder.spans().iter().filter(|span| span.kind == SpanKind::Multi).collect();
        assert_eq!(multi.len(), 1);
        assert_eq!((multi[0].from, &*multi[0].turns, multi[0].to), (1, &[2][..], Some(3)));
    }

    #[test]
    fn a_claim_is_read_off_a_property() {
        let claim = |text: &str| bounded(text).map(|claim| (claim.global, claim.at_most));
        assert_eq!(claim("count(\"holding\") <= 1"), Some(("holding".into(), 1)));
        assert_eq!(claim(" count('in_use')  < 3 "), Some(("in_use".into(), 2)));
        for other in ["count(\"a\") == 1", "count(\"a\") <= 0", "sum(\"a\") <= 1", "count(\"a", ""]
        {
            assert_eq!(claim(other), None, "{other}");
        }
        assert!(gives_up("holding = true\nholding  = false", "holding"));
        assert!(!gives_up("is_holding = false x.holding = false holding == false", "holding"));
    }
}
