//! Plans a step on a real Redis: commands to send, connections to cut, time to let pass, and the
//! replies to expect.
//!
//! A pure function of the frame and of the world before it. Things outside of Redis (mutexes, SQL,
//! fenced resources, pauses, clients' clocks) stay in the simulator.
//!
//! A new action does nothing until it has an arm here: the match over actions ends in an arm for
//! everything else.

use std::rc::Rc;

use crate::resp::{Bytes, Proto, Value};
use crate::sim::{
    Action, CONNECTIONS_MAX, Call, CallKind, ClientId, Event, Frame, Link, NodeId, Scenario, State,
    World,
};

/// The most keys that a replica is asked about in one step.
const KEYS_MAX: usize = 16;

/// A connection, which is one WebSocket: a client's own, or one that several share, as
/// [`World::line_of`] knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub client: ClientId,
    pub connection: u8,
}

impl Line {
    fn of(world: &World, client: ClientId, connection: u8) -> Line {
        let (client, connection) = world.line_of(client, connection);
        Line { client, connection }
    }

    pub fn is_shared(self) -> bool {
        usize::from(self.connection) >= CONNECTIONS_MAX
    }
}

/// One thing to do, or to wait for.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    /// Sends a command; `hold` are keys whose lease has just begun.
    Send {
        line: Line,
        node: usize,
        asked: Sent,
        hold: Vec<Bytes>,
    },
    /// Expects a reply on the line, also to a command that waited.
    Reply {
        line: Line,
        expected: Value,
    },
    /// Expects no reply: Redis holds it back.
    Waits {
        line: Line,
        node: usize,
    },
    /// Drops the reply on its way, and breaks the connection.
    Lost {
        line: Line,
    },
    /// Expects that no instance answers.
    NoAnswer {
        line: Line,
    },
    /// Expects a message of a channel.
    Message {
        line: Line,
        expected: Value,
    },
    /// Breaks a client's own connections.
    Cut {
        client: ClientId,
    },
    /// Breaks one connection.
    CutLine {
        line: Line,
    },
    /// Takes an instance down; `keep`: its data returns with it.
    Down {
        node: usize,
        keep: bool,
    },
    Up {
        node: usize,
    },
    /// Makes a server a replica of another, with a copy of everything.
    Follow {
        node: usize,
        master: usize,
    },
    /// Ends a server's role as a replica.
    Promote {
        node: usize,
    },
    /// A master has written; with its replicas, and how many entries of its writes each lacks now.
    Written {
        line: Option<Line>,
        node: usize,
        links: Vec<(usize, usize)>,
    },
    /// Delivers the next entry to a replica.
    Deliver {
        node: usize,
    },
    /// Delivers everything to a replica, which in the world lacks nothing.
    Level {
        node: usize,
    },
    /// Asks a server if its data is as in the world.
    Ask {
        node: usize,
        argv: Vec<Bytes>,
        expected: Value,
    },
    /// Lets time pass until these keys have expired.
    Pass {
        ms: u64,
        expire: Vec<(usize, Bytes)>,
    },
    /// Something that no real server here can do.
    Cannot(Cannot),
}

/// A command on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    pub client: ClientId,
    pub argv: Rc<[Bytes]>,
    pub queued: Vec<Rc<[Bytes]>>,
    pub proto: Proto,
    pub lose: bool,
    /// True if it waits in the simulator, and its time passes only with the schedule.
    pub waits: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cannot {
    /// Servers that others use too do not replicate for a visitor.
    Replicas,
    /// A server's clock cannot jump; the keys that the jump expires do expire.
    Clock,
    /// Others may use this server, so it cannot be taken down.
    Shared,
    /// A reply cannot be dropped on a connection that goes on.
    Left,
    /// A server does not come back with the data of the start.
    Snapshot,
    /// Replies are told apart here: none is taken for that of another call.
    Cancel,
}

/// Returns the reason why the scenario cannot run on real servers; `None` if it can. `own`: the
/// servers belong to the visitor alone.
pub fn obstacle(world: &World, node: usize, own: bool) -> Option<Cannot> {
    let linked = |link: &Link| [link.replica, link.master].iter().any(|id| id.index() == node);
    let replicates = world.links().iter().any(|link| linked(link));
    match world.budget().cancel {
        0 => (replicates && !own).then_some(Cannot::Replicas),
        _ => Some(Cannot::Cancel),
    }
}

/// Returns true if a node follows another.
pub fn is_replica(world: &World, node: usize) -> bool {
    world.links().iter().any(|link| link.replica.index() == node)
}

/// Returns the links at the start of the run.
pub fn first_links(world: &World) -> Vec<Deed> {
    let link =
        |link: &Rc<Link>| Deed::Follow { node: link.replica.index(), master: link.master.index() };
    world.links().iter().map(link).collect()
}

/// Returns the number of instances.
pub fn nodes(scenario: &Scenario) -> usize {
    scenario.nodes.len().max(1)
}

/// Returns the commands that put an instance into its first state.
pub fn setup(scenario: &Scenario, node: usize) -> &[Vec<Bytes>] {
    scenario.nodes.get(node).map_or(&[], |def| &def.setup)
}

/// Returns the keys of an instance that have a deadline, with the ms left.
pub fn leases(world: &World, node: usize) -> Vec<(Bytes, u64)> {
    let Some(place) = world.nodes().get(node) else { return Vec::new() };
    let now_ms = place.now_ms(world.now_ms());
    let entries = place.instance.entries(0, now_ms);
    let left = |at: Option<u64>| at.map(|at| at.saturating_sub(now_ms));
    entries.filter_map(|entry| Some((entry.key, left(entry.expires_at)?))).collect()
}

/// Returns what the step to `frame` asks of real servers, in order.
pub fn deeds(before: &World, frame: &Frame) -> Vec<Deed> {
    let mut deeds = Vec::new();
    let seen = &frame.seen;
    let own = match &seen.event {
        Event::Call {
            client, call: Call { kind: CallKind::Close { connection, .. }, .. }, ..
        } => {
            deeds.push(Deed::CutLine { line: Line::of(before, *client, *connection) });
            None
        }
        Event::Call { client, call, reply, lost } => {
            send(before, frame, *client, call, (reply.as_ref(), *lost), &mut deeds)
        }
        // It is not sent.
        Event::Unheard { client, call } => {
            let lines = call.connection().map(|connection| Line::of(before, *client, connection));
            deeds.extend(lines.map(|line| Deed::CutLine { line }));
            None
        }
        Event::Execute { client, call, reply } => {
            send(before, frame, *client, call, (reply.as_ref(), false), &mut deeds)
        }
        Event::Advance { from_ms, to_ms } => {
            deeds.push(Deed::Pass { ms: to_ms - from_ms, expire: expired(frame) });
            for node in frame.world.setting().node_ids() {
                if frame.seen.changes.iter().any(|change| change.node == node) {
                    written(frame, None, node, &mut deeds);
                }
            }
            None
        }
        Event::Other(action) => {
            act(before, frame, *action, &mut deeds);
            // Those that went with their process.
            let open = frame.world.shared_lines();
            let gone = before.shared_lines().into_iter().filter(|line| !open.contains(line));
            for (client, connection) in gone {
                deeds.push(Deed::CutLine { line: Line { client, connection } });
            }
            None
        }
        Event::Start | Event::Send { .. } | Event::Reply { .. } => None,
    };
    for (client, connection, value) in &seen.late {
        let (line, expected) = (Line::of(&frame.world, *client, *connection), value.clone());
        if is_message(value) {
            deeds.push(Deed::Message { line, expected });
        } else if Some(line) != own && !is_confirmation(value) {
            deeds.push(Deed::Reply { line, expected });
        }
    }
    deeds
}

/// Plans a command: sending it, and its reply. Returns the line of a call whose reply is expected
/// already.
fn send(
    before: &World,
    frame: &Frame,
    client: ClientId,
    call: &Call,
    (reply, lost): (Option<&Value>, bool),
    deeds: &mut Vec<Deed>,
) -> Option<Line> {
    let CallKind::Redis { node, connection, argv } = &call.kind else { return None };
    let (at, line) = (before.serving(*node), Line::of(&frame.world, client, *connection));
    let node = at.index();
    let conn_in = |world: &World| world.instance(at)?.conn(world.conn_of(client, *connection));
    let (conn, after) = (conn_in(before), conn_in(&frame.world));
    let exec = argv.first().is_some_and(|name| name.eq_ignore_ascii_case(b"EXEC"));
    let asked = Sent {
        client,
        argv: argv.clone(),
        queued: conn.as_ref().filter(|_| exec).map(|c| c.queued.clone()).unwrap_or_default(),
        // HELLO is answered in the protocol that it chooses.
        proto: after.or(conn).map(|conn| conn.proto).unwrap_or_default(),
        lose: lost,
        waits: reply.is_none(),
    };
    let up = before.node(at).is_some_and(|node| node.up);
    let hold = if up { begun(frame, at, argv) } else { Vec::new() };
    deeds.push(Deed::Send { line, node, asked, hold });
    deeds.push(match reply {
        _ if !up => Deed::NoAnswer { line },
        _ if lost => Deed::Lost { line },
        Some(reply) => Deed::Reply { line, expected: reply.clone() },
        None => Deed::Waits { line, node },
    });
    if up && frame.seen.wrote {
        written(frame, Some(line), at, deeds);
    }
    Some(line)
}

/// Plans a master's write: the entries that its replicas lack.
fn written(frame: &Frame, line: Option<Line>, master: NodeId, deeds: &mut Vec<Deed>) {
    let world = &frame.world;
    let stands = |id| world.node(id).is_some_and(|node| node.up);
    let links = world.links().iter().filter(|link| link.master == master && !link.stale);
    let (behind, level): (Vec<_>, Vec<_>) =
        links.filter(|link| stands(link.replica)).partition(|link| !link.backlog.is_empty());
    deeds.extend(level.iter().map(|link| Deed::Level { node: link.replica.index() }));
    let links: Vec<_> =
        behind.iter().map(|link| (link.replica.index(), link.backlog.len())).collect();
    if !links.is_empty() {
        deeds.push(Deed::Written { line, node: master.index(), links });
    }
}

/// Plans the links of a node that has come up: replicas copy everything.
fn follow(frame: &Frame, node: NodeId, deeds: &mut Vec<Deed>) {
    let world = &frame.world;
    let stands = |id| world.node(id).is_some_and(|node| node.up);
    for link in world.links().iter().filter(|link| link.replica == node || link.master == node) {
        if stands(link.replica) {
            let (node, master) = (link.replica.index(), link.master.index());
            deeds.push(Deed::Follow { node, master });
            has(frame, link.replica, deeds);
        }
    }
}

/// Plans a check if the keys that a step has changed on a replica are really there.
fn has(frame: &Frame, replica: NodeId, deeds: &mut Vec<Deed>) {
    let changes = frame.seen.changes.iter().filter(|change| change.node == replica);
    let changes: Vec<_> = changes.take(KEYS_MAX).collect();
    if changes.is_empty() {
        return;
    }
    let mut argv: Vec<Bytes> = vec![b"EXISTS".as_slice().into()];
    argv.extend(changes.iter().map(|change| change.key.clone()));
    let there = changes.iter().filter(|change| change.after.is_some()).count();
    deeds.push(Deed::Ask { node: replica.index(), argv, expected: Value::int(there) });
}

/// Returns the keys of an instance whose deadline this step may have set: those it changed, and
/// those the command names, because setting the same deadline again is no change.
fn begun(frame: &Frame, at: NodeId, argv: &[Bytes]) -> Vec<Bytes> {
    if !frame.seen.wrote {
        return Vec::new();
    }
    let changed = |key: &Bytes| {
        let mut changes = frame.seen.changes.iter();
        changes.any(|change| change.node == at && change.key == *key)
    };
    let leases = leases(&frame.world, at.index()).into_iter().map(|(key, _)| key);
    leases.filter(|key| changed(key) || argv.contains(key)).collect()
}

/// Returns the keys that are gone since the frame before.
fn expired(frame: &Frame) -> Vec<(usize, Bytes)> {
    let gone = frame.seen.changes.iter().filter(|change| change.after.is_none());
    gone.map(|change| (change.node.index(), change.key.clone())).collect()
}

fn act(before: &World, frame: &Frame, action: Action, deeds: &mut Vec<Deed>) {
    match action {
        Action::Crash(client) | Action::Disconnect(client) => {
            deeds.push(Deed::Cut { client });
            if let Some(State::Blocked(call)) = before.client(client).map(|client| client.state())
                && before.client(client).is_some_and(|client| client.shares(call).is_some())
            {
                deeds.push(Deed::Cannot(Cannot::Left));
            }
        }
        Action::CrashProcess(process) => {
            let members = before.setting().members(process).iter();
            deeds.extend(members.map(|client| Deed::Cut { client: *client }));
        }
        // In wire mode: the reply that was on its way is lost, and the connection with it.
        Action::LoseReply(client) => {
            let of = before.client(client).map(|client| client.state());
            if let Some(State::Answered(call, _)) = of
                && let Some(connection) = call.connection()
            {
                deeds.push(Deed::CutLine { line: Line::of(before, client, connection) });
            }
        }
        Action::Down(node) => deeds.push(Deed::Down { node: node.index(), keep: true }),
        Action::Up(node) => {
            deeds.push(Deed::Up { node: node.index() });
            follow(frame, node, deeds);
            // Keys that expired while it was down.
            deeds.push(Deed::Pass { ms: 0, expire: expired(frame) });
        }
        Action::Restart(node) => {
            deeds.push(Deed::Down { node: node.index(), keep: false });
            deeds.push(Deed::Up { node: node.index() });
            follow(frame, node, deeds);
        }
        Action::Rewind(_) => deeds.push(Deed::Cannot(Cannot::Snapshot)),
        // No server can be told which key to drop. DEL does the same, but for its event.
        Action::Evict(node, _) => {
            for (at, key) in expired(frame) {
                let argv = vec![b"DEL".as_slice().into(), key];
                deeds.push(Deed::Ask { node: at, argv, expected: Value::int(1) });
            }
            written(frame, None, node, deeds);
        }
        Action::JumpNode(_) => {
            deeds.push(Deed::Cannot(Cannot::Clock));
            deeds.push(Deed::Pass { ms: 0, expire: expired(frame) });
        }
        Action::Replicate(replica) => {
            deeds.push(Deed::Deliver { node: replica.index() });
            has(frame, replica, deeds);
        }
        Action::Failover(old) => {
            if before.node(old).is_some_and(|node| node.up) {
                deeds.push(Deed::Down { node: old.index(), keep: true });
            }
            // The old master is the new one's replica from now on.
            let Some(link) = frame.world.link_of(old) else { return };
            let (new, role) = (link.master, Value::bulk("master"));
            deeds.push(Deed::Promote { node: new.index() });
            let argv = vec![b"ROLE".as_slice().into()];
            deeds.push(Deed::Ask { node: new.index(), argv, expected: role });
            follow(frame, new, deeds);
        }
        _ => {}
    }
}

/// Returns true for a message of a channel or of CLIENT TRACKING.
pub fn is_message(value: &Value) -> bool {
    let words: [&[u8]; 5] =
        [b"message", b"pmessage", b"smessage", b"invalidate", b"tracking-redir-broken"];
    begins(value, &words)
}

/// Returns true for a confirmation of a subscription change.
pub fn is_confirmation(value: &Value) -> bool {
    let words: [&[u8]; 6] = [
        b"subscribe",
        b"psubscribe",
        b"ssubscribe",
        b"unsubscribe",
        b"punsubscribe",
        b"sunsubscribe",
    ];
    begins(value, &words)
}

fn begins(value: &Value, words: &[&[u8]]) -> bool {
    let (Value::Push(parts) | Value::Array(parts)) = value else { return false };
    matches!(parts.first(), Some(Value::Bulk(kind)) if words.contains(&kind.as_ref()))
}
