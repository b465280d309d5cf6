//! Instruments beside the diagram: a key's time to live over the run; and how many of several
//! instances each client holds, and for how long.

use crate::lesson::{Panels, Quorum};
use crate::lua::Data;
use crate::resp::{Bytes, Value};
use crate::sim::{ClientId, Facts, NodeId, Timeline, World};

/// The time to live of one key, step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct TtlTrace {
    pub key: String,
    pub points: Vec<TtlPoint>,
    /// The index of the point at the cursor.
    pub now: usize,
    /// The ends of the scales, in ms; at least 1.
    pub time_max_ms: u64,
    pub ttl_max_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TtlPoint {
    /// The time since the run began, in ms.
    pub at_ms: u64,
    /// The time to live; `None` if the key does not exist or does not expire.
    pub ttl_ms: Option<u64>,
}

/// The votes of one client.
#[derive(Debug, Clone, PartialEq)]
pub struct Holder {
    pub client: ClientId,
    /// For each vote: true if the key has this client's token.
    pub has: Vec<bool>,
    pub is_majority: bool,
    /// How long it may still rely on the lock, by its own clock, in ms; negative when that is over.
    /// `None` if it does not believe that it has the lock.
    pub left_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Meter {
    /// The votes: names of instances, or of keys if one instance has them all.
    pub votes: Vec<String>,
    pub are_keys: bool,
    /// The number of votes that are a majority.
    pub needed: usize,
    pub holders: Vec<Holder>,
    /// The end of the scale of `left_ms`; at least 1.
    pub left_max_ms: i64,
}

/// The instruments of a lesson, if it has any.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gauges {
    pub ttl: Option<TtlTrace>,
    pub quorum: Option<Meter>,
}

pub fn gauges(panels: &Panels, timeline: &Timeline) -> Gauges {
    Gauges {
        ttl: panels.ttl.as_ref().and_then(|key| ttl(key, timeline)),
        quorum: panels.quorum.as_ref().map(|quorum| meter(quorum, timeline)),
    }
}

/// Returns the trace; `None` before the key has had a time to live.
fn ttl(key: &str, timeline: &Timeline) -> Option<TtlTrace> {
    let began_ms = timeline.frames()[0].world.now_ms();
    let point = |world: &World| {
        let node = world.node(world.serving(NodeId::default()));
        let ttl_ms = node.and_then(|node| {
            let now_ms = node.now_ms(world.now_ms());
            let expires_at = node.instance.entry(0, key.as_bytes(), now_ms)?.expires_at?;
            Some(expires_at.saturating_sub(now_ms))
        });
        TtlPoint { at_ms: world.now_ms().saturating_sub(began_ms), ttl_ms }
    };
    let points: Vec<TtlPoint> = timeline.frames().iter().map(|frame| point(&frame.world)).collect();
    let ttl_max_ms = points.iter().filter_map(|point| point.ttl_ms).max()?;
    Some(TtlTrace {
        key: key.to_owned(),
        now: timeline.cursor(),
        time_max_ms: points.last().map_or(1, |point| point.at_ms.max(1)),
        ttl_max_ms: ttl_max_ms.max(1),
        points,
    })
}

/// A key on an instance that counts once.
struct Vote {
    node: NodeId,
    key: String,
}

fn meter(quorum: &Quorum, timeline: &Timeline) -> Meter {
    let world = timeline.world();
    let (votes, are_keys) = votes(quorum, timeline);
    let name = |vote: &Vote| match are_keys {
        true => vote.key.clone(),
        false => world.setting().node_name(vote.node).to_owned(),
    };
    // The scale holds still while the run goes on: the longest validity of the whole run.
    let frames = timeline.frames().iter().flat_map(|frame| {
        let world = &frame.world;
        world.ids().filter_map(move |id| left_ms(quorum, world, id))
    });
    Meter {
        needed: votes.len() / 2 + 1,
        holders: world.ids().map(|id| holder(quorum, &votes, world, id)).collect(),
        left_max_ms: frames.max().unwrap_or(1).max(1),
        votes: votes.iter().map(name).collect(),
        are_keys,
    }
}

fn holder(quorum: &Quorum, votes: &[Vote], world: &World, id: ClientId) -> Holder {
    let mut facts = world.facts();
    let token = facts.global(id, &quorum.owner);
    let has = |vote: &Vote| {
        let asked = [Bytes::from(&b"GET"[..]), Bytes::from(vote.key.as_bytes())];
        match (facts.read(vote.node, &asked), &token) {
            (Some(Value::Bulk(value)), Data::Str(token)) => *value == **token,
            _ => false,
        }
    };
    let has: Vec<bool> = votes.iter().map(has).collect();
    let is_majority = has.iter().filter(|has| **has).count() > votes.len() / 2;
    Holder { client: id, has, is_majority, left_ms: left_ms(quorum, world, id) }
}

/// Returns the key on every instance that has a vote. If there is one instance, the lesson may name
/// several keys of it as votes; then the second value is true.
fn votes(quorum: &Quorum, timeline: &Timeline) -> (Vec<Vote>, bool) {
    let setting = timeline.world().setting();
    let has_vote = |id: &NodeId| {
        quorum.on.is_empty() || quorum.on.iter().any(|name| name == setting.node_name(*id))
    };
    let nodes: Vec<NodeId> = setting.node_ids().filter(has_vote).collect();
    match nodes[..] {
        [node] if !quorum.keys.is_empty() => {
            (quorum.keys.iter().map(|key| Vote { node, key: key.clone() }).collect(), true)
        }
        _ => (
            nodes.iter().map(|node| Vote { node: *node, key: quorum.key.clone() }).collect(),
            false,
        ),
    }
}

fn left_ms(quorum: &Quorum, world: &World, id: ClientId) -> Option<i64> {
    let until = match world.facts().global(id, &quorum.until) {
        Data::Num(ms) => ms as i64,
        _ => return None,
    };
    let now = i64::try_from(world.now_ms()).ok()?;
    Some(until - now - world.client(id)?.clock_ms())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::source::read_folder;
    use crate::session::Session;
    use crate::session::link::Link;
    use std::path::Path;
    use std::rc::Rc;

    fn session(lesson: &str, link: &str) -> Session {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons").join(lesson);
        let lesson = read_folder(&folder).expect("the lesson is right");
        Session::open(Rc::new(lesson), &Link::parse(link)).expect("it opens").0
    }

    #[test]
    fn who_has_how_many_instances() {
        let mut session = session("redlock-limits", "mode=watch&walk=asleep");
        let meter = |session: &Session| {
            let found = gauges(&session.lesson().panels, session.timeline());
            found.quorum.expect("the lesson has a quorum")
        };
        assert_eq!(meter(&session).votes, ["r1", "r2", "r3"]);
        assert!(meter(&session).holders.iter().all(|holder| holder.left_ms.is_none()));
        for _ in 0..3 {
            session.update(crate::session::Msg::Forward);
        }
        let now = meter(&session);
        assert_eq!(now.needed, 2);
        assert!(now.holders[0].is_majority && !now.holders[1].is_majority);
        assert!(now.holders[0].left_ms.is_some_and(|left| left > 0 && left <= now.left_max_ms));
    }

    #[test]
    fn keys_of_one_instance_are_counted_one_by_one() {
        let link = "variant=three-keys&mode=schedule&schedule=A1.A2.A3&step=3";
        let session = session("redlock", link);
        let meter = gauges(&session.lesson().panels, session.timeline()).quorum.expect("a quorum");
        assert_eq!(meter.votes, ["lock:1", "lock:2", "lock:3"]);
        assert!(meter.are_keys && meter.needed == 2 && meter.holders[0].is_majority);
        assert_eq!(meter.holders[0].has, [true, true, true]);
        assert_eq!(meter.holders[1].has, [false, false, false]);
    }

    #[test]
    fn a_lease_runs_down_and_is_renewed() {
        let session = session("watchdog", "mode=watch&walk=renewal");
        let trace = gauges(&session.lesson().panels, session.timeline()).ttl.expect("a trace");
        let left: Vec<u64> = trace.points.iter().filter_map(|point| point.ttl_ms).collect();
        assert!(left.windows(2).any(|pair| pair[0] > pair[1]), "{left:?}");
        assert!(left.windows(2).any(|pair| pair[0] < pair[1]), "{left:?}");
        assert_eq!(left.iter().max(), Some(&trace.ttl_max_ms));
    }
}
