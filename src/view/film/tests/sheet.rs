//! The runs of the contact sheet (`tests/browser/kinds.json`), whose films the browser tests: each
//! shows at its step what its name says. That is read off the frames before and after the step and
//! off its event; never off the film, which might make the same mistake, nor off a program's text.
//!
//! To add a kind, add a row there, and for a new word of its `shows` an arm to [`shows`].

use std::collections::BTreeSet;

use serde::Deserialize;

use super::*;
use crate::engine::{ConnId, ConnView, Entry, Flags, Group, lookup};
use crate::resp::{Bytes, Value};
use crate::session::link::Link;
use crate::session::{Mode, Session};
use crate::sim::{Call, CallKind, Impossible, conn_id};
use crate::view::stage::gauges::gauges;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    lesson: String,
    variant: String,
    schedule: String,
    step: usize,
    /// True if a token of the client comes from its line to Redis.
    token: bool,
    shows: String,
}

impl Row {
    /// Opens the run as the page does, at its step.
    fn open(&self) -> Session {
        let Row { lesson: id, variant, schedule, step, .. } = self;
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons");
        let link = format!("variant={variant}&mode=schedule&schedule={schedule}&step={step}");
        let lesson = Rc::new(lesson(&root.join(id)));
        let (session, notices) = Session::open(lesson, &Link::parse(&link)).expect("it opens");
        assert!(notices.is_empty(), "{}: {notices:?}", self.name);
        assert_eq!(session.mode(), Mode::Schedule, "{}", self.name);
        assert_eq!(session.timeline().cursor(), *step, "{}", self.name);
        session
    }
}

/// A step, with the frames before and after it.
struct Step<'a> {
    session: &'a Session,
    before: &'a Frame,
    after: &'a Frame,
}

impl Step<'_> {
    /// Returns the client whose step it is; `None` for time and instances.
    fn client(&self) -> Option<ClientId> {
        match &self.after.seen.event {
            Event::Call { client, .. }
            | Event::Send { client, .. }
            | Event::Execute { client, .. }
            | Event::Unheard { client, .. }
            | Event::Reply { client, .. } => Some(*client),
            Event::Other(action) => action.client(),
            Event::Start | Event::Advance { .. } => None,
        }
    }

    /// Returns the command that was executed, and its reply if that came at once.
    fn command(&self) -> Option<(&Call, Option<&Value>)> {
        let (_, call, reply) = self.after.seen.event.executed()?;
        matches!(call.kind, CallKind::Redis { .. }).then_some((call, reply))
    }

    /// Returns true if a command was executed for whose words and reply `holds` is true.
    fn ran(&self, holds: impl Fn(&[Bytes], Option<&Value>) -> bool) -> bool {
        self.command().is_some_and(|(call, reply)| holds(call.argv(), reply))
    }

    fn changes_nothing(&self) -> bool {
        self.after.seen.changes.is_empty() && !self.after.seen.wrote
    }

    /// Returns true if the command names a key that is there before it.
    fn meets_a_key(&self) -> bool {
        let Some((call, _)) = self.command() else { return false };
        let entries: Vec<_> = entries(&self.before.world).collect();
        call.argv().iter().skip(1).any(|word| entries.iter().any(|(_, one)| one.key == *word))
    }

    /// Returns the connection of the command, before and after it.
    fn conn(&self) -> Option<(ConnView, ConnView)> {
        let (call, _) = self.command()?;
        let id = conn_id(self.client()?, call.connection()?);
        let of = |world: &World| world.instance(world.serving(call.node()?))?.conn(id);
        Some((of(&self.before.world)?, of(&self.after.world)?))
    }

    /// Returns true if `holds` is true of the command's connection before and after it.
    fn connects(&self, holds: impl Fn(&ConnView, &ConnView) -> bool) -> bool {
        self.conn().is_some_and(|(was, is)| holds(&was, &is))
    }

    /// Returns true if `holds` is true of a client other than the one whose step it is.
    fn another(&self, holds: impl Fn(ClientId) -> bool) -> bool {
        self.client().is_some()
            && self.after.world.ids().any(|id| Some(id) != self.client() && holds(id))
    }

    /// Returns true if `of` is true of the client after the step, and was not before it.
    fn becomes(&self, of: impl Fn(&Client) -> bool) -> bool {
        let of = |world: &World| self.client().and_then(|id| world.client(id)).is_some_and(&of);
        !of(&self.before.world) && of(&self.after.world)
    }

    /// Returns true if the client has most of the votes of its lesson's quorum.
    fn has_majority(&self, steps: usize) -> bool {
        let mut timeline = self.session.timeline().clone();
        timeline.seek(steps);
        let meter = gauges(&self.session.lesson().panels, &timeline).quorum;
        let mut holders = meter.iter().flat_map(|meter| &meter.holders);
        holders.any(|holder| Some(holder.client) == self.client() && holder.is_majority)
    }
}

/// Returns the keys of all instances that have not expired.
fn entries(world: &World) -> impl Iterator<Item = (NodeId, Entry)> {
    world.setting().node_ids().flat_map(|id| {
        let node = world.node(id).expect("an instance");
        let now_ms = node.now_ms(world.now_ms());
        let of = move |db| node.instance.entries(db, now_ms).map(move |one| (id, one));
        (0..node.instance.databases()).flat_map(of)
    })
}

/// Returns the owner of the mutex that the client waits for; `None` if it waits for none.
fn kept_out_by(world: &World, id: ClientId) -> Option<ClientId> {
    match world.possible(Action::Step(id)) {
        Err(Impossible::Locked { owner, .. } | Impossible::Busy { owner, .. }) => Some(owner),
        _ => None,
    }
}

fn is_ready(world: &World, id: ClientId) -> bool {
    world.next_of(id).is_some()
}

fn is_blocked(client: &Client) -> bool {
    matches!(client.state(), State::Blocked(_))
}

/// Returns the connections with a watched key that has been touched.
fn touched(world: &World) -> BTreeSet<ConnId> {
    let instances = world.nodes().iter().map(|node| &node.instance);
    let conns = instances.flat_map(|one| one.conn_ids().into_iter().filter_map(|id| one.conn(id)));
    conns.filter(|one| one.dirty_cas && !one.watching.is_empty()).map(|one| one.id).collect()
}

/// Returns true if the step is what the word says; `None` for a word that says nothing.
fn shows(word: &str, step: &Step<'_>) -> Option<bool> {
    let Step { session, before, after } = *step;
    let (was, is, event, me) = (&before.world, &after.world, &after.seen.event, step.client());
    let row = |argv: &[Bytes]| lookup(&argv[0]).expect("a command of the table");
    let writes = |argv: &[Bytes]| row(argv).flags.has(Flags::WRITE);
    let declines = |reply: Option<&Value>| reply.is_some_and(|one| one.is_nil() || one.is_error());
    let answers = |reply: Option<&Value>| reply.is_some() && !declines(reply);
    let at = session.timeline().cursor();
    Some(match word {
        "read" => {
            let reads = step.ran(|argv, reply| !writes(argv) && answers(reply));
            reads && step.meets_a_key() && step.changes_nothing()
        }
        "breaks a promise" => {
            let properties = session.timeline().scenario().properties.iter().enumerate();
            let mut promises = properties.filter(|(_, one)| one.kind == Kind::Always);
            let breaks =
                |index: usize| before.decided[index].is_none() && after.decided[index] == Some(at);
            after.seen.wrote && promises.any(|(index, _)| breaks(index))
        }
        // SETNX says no with 0.
        "write refused" => {
            let refuses = |reply: Option<&Value>| declines(reply) || reply == Some(&Value::Int(0));
            let refused = step.ran(|argv, reply| writes(argv) && refuses(reply));
            refused && step.meets_a_key() && step.changes_nothing()
        }
        "script" => {
            let runs =
                step.ran(|argv, reply| row(argv).group == Group::Scripting && answers(reply));
            runs && !after.seen.changes.is_empty()
        }
        "multi" => step.connects(|was, is| !was.in_multi && is.in_multi),
        "queued" => {
            let longer = step.connects(|was, is| is.queued.len() == was.queued.len() + 1);
            longer && step.changes_nothing()
        }
        "exec" => {
            let ends = step.connects(|was, is| !was.queued.is_empty() && !is.in_multi);
            ends && step.ran(|_, reply| answers(reply)) && !after.seen.changes.is_empty()
        }
        "exec refused" => {
            let ends = step.connects(|was, is| !was.queued.is_empty() && !is.in_multi);
            ends && step.ran(|_, reply| declines(reply)) && step.changes_nothing()
        }
        "touches a watched key" => {
            let mine = step.conn().map(|(_, conn)| conn.id);
            let old = touched(was);
            after.seen.wrote && touched(is).iter().any(|id| Some(*id) != mine && !old.contains(id))
        }
        "takes a mutex" => {
            let takes = matches!(event, Event::Call { call, .. }
                if matches!(call.kind, CallKind::Lock { .. }));
            takes && step.another(|id| is_ready(was, id) && kept_out_by(is, id) == me)
        }
        "waits for a mutex" => {
            let kept_out = |id| kept_out_by(is, id).is_some_and(|owner| owner != id);
            me.is_some_and(|id| is_ready(was, id) && kept_out(id))
        }
        "wakes at a mutex" => step.another(|id| kept_out_by(was, id) == me && is_ready(is, id)),
        "waits at Redis" => {
            let held = step.connects(|was, is| was.blocked.is_none() && is.blocked.is_some());
            held && step.becomes(is_blocked)
        }
        "wakes at Redis" => step.another(|id| {
            let blocked = |world: &World| world.client(id).is_some_and(is_blocked);
            let mut late = after.seen.late.iter();
            let gets = late.any(|(client, _, value)| *client == id && answers(Some(value)));
            blocked(was) && !blocked(is) && gets
        }),
        "wakes a sleeper" => {
            let sleeps = |world: &World, id| {
                let state = world.client(id).map(|client| client.state());
                matches!(state, Some(State::Sleeping { .. }))
            };
            let wakes = |id| sleeps(was, id) && is_ready(is, id);
            matches!(event, Event::Advance { .. }) && is.ids().any(wakes)
        }
        "expires" => {
            let mut leased = entries(was).filter(|(_, one)| one.expires_at.is_some());
            let passes = matches!(event, Event::Advance { .. }) && is.now_ms() > was.now_ms();
            let left: BTreeSet<_> = entries(is).map(|(node, one)| (node, one.key)).collect();
            passes && leased.any(|(node, one)| !left.contains(&(node, one.key)))
        }
        "pause" => step.becomes(|client| client.paused().is_some()),
        "crash" => step.becomes(|client| matches!(client.state(), State::Crashed)),
        "fence refuses" => match event {
            Event::Call { call, .. } => match &call.kind {
                CallKind::Resource { name, token: Some(token), .. } => {
                    let highest = was.resources().get(name).and_then(|one| one.highest_token);
                    highest > Some(*token) && was.resources().get(name) == is.resources().get(name)
                }
                _ => false,
            },
            _ => false,
        },
        "send" => step.becomes(|client| matches!(client.state(), State::Sent(_))),
        "execute" => {
            let answered = step.becomes(|client| matches!(client.state(), State::Answered(..)));
            answered && matches!(event, Event::Execute { .. })
        }
        "reply" => {
            let goes_on = step.becomes(|client| !matches!(client.state(), State::Answered(..)));
            goes_on && matches!(event, Event::Reply { .. })
        }
        "failover" => was.setting().node_ids().any(|id| {
            let up = |world: &World| world.node(was.serving(id)).is_some_and(|node| node.up);
            was.serving(id) != is.serving(id) && up(was) && !up(is)
        }),
        "clock jump" => {
            let clocks = |world: &World| {
                let nodes = world.nodes().iter().map(|node| node.clock_ms);
                nodes.chain(world.clients().iter().map(|one| one.clock_ms())).collect::<Vec<_>>()
            };
            was.now_ms() == is.now_ms() && clocks(was) != clocks(is)
        }
        "majority" => !step.has_majority(at - 1) && step.has_majority(at),
        _ => return None,
    })
}

#[test]
fn every_kind_of_the_contact_sheet_shows_what_its_name_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/kinds.json");
    let text = std::fs::read_to_string(path).expect("the kinds");
    let rows: Vec<Row> = serde_json::from_str(&text).expect("a list of kinds");
    let mut problems = Vec::new();
    for row in &rows {
        let session = row.open();
        let frames = session.timeline().frames();
        let (before, after) = (&frames[row.step - 1], &frames[row.step]);
        let step = Step { session: &session, before, after };
        let Row { name, schedule, step: at, .. } = row;
        let mut problem = |what| problems.push(format!("{name} ({schedule}, step {at}): {what}"));
        match shows(&row.shows, &step) {
            Some(true) => {}
            Some(false) => problem(format!("it does not show {:?}", row.shows)),
            None => problem(format!("no check knows {:?}", row.shows)),
        }
        let sends = match &after.seen.event {
            Event::Call { call, .. } | Event::Send { call, .. } => !call.argv().is_empty(),
            _ => false,
        };
        if sends != row.token {
            problem(format!("token is {}, and should be {sends}", row.token));
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}
