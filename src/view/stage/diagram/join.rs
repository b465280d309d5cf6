//! The two steps that collide: the one that breaks something, and the earlier write.

use crate::engine;
use crate::resp::{Bytes, Value};
use crate::sim::{CallKind, ClientId, Frame, Timeline};

use super::servers;

/// Returns the step `broken`, at which a property breaks, and before it the last earlier step at
/// which another client wrote one of the same things; `None` if there is no such step.
pub fn join(timeline: &Timeline, broken: usize, names: &[String]) -> Option<(usize, usize)> {
    let frames = timeline.frames();
    let (client, written) = written(frames.get(broken)?, names)?;
    let meets = |step: &usize| {
        let earlier = frames.get(*step).and_then(|frame| self::written(frame, names));
        earlier.is_some_and(|(other, keys)| {
            other != client && keys.iter().any(|key| written.contains(key))
        })
    };
    (1..broken).rev().find(meets).map(|earlier| (earlier, broken))
}

/// Returns the client that wrote in this step and the keys it wrote, each with the number of its
/// lane. A write that left a value as it was counts as well.
fn written(frame: &Frame, names: &[String]) -> Option<(ClientId, Vec<(usize, Bytes)>)> {
    let (client, call, reply) = frame.seen.event.executed()?;
    let lane = servers::of(call, &frame.world, names);
    let keys = match &call.kind {
        CallKind::Redis { argv, .. } => {
            let changed = frame.seen.changes.iter();
            let mut keys: Vec<_> =
                changed.map(|change| (change.node.index(), change.key.clone())).collect();
            if frame.seen.wrote {
                let named = engine::footprint(argv).writes;
                keys.extend(named.into_iter().map(|key| (lane, key)));
            }
            keys
        }
        CallKind::Resource { name, .. } if reply == Some(&Value::Bool(true)) => {
            vec![(lane, name.clone())]
        }
        CallKind::Sql(statement) if statement.writes() => vec![(lane, Bytes::from(&b""[..]))],
        _ => Vec::new(),
    };
    Some((client, keys)).filter(|(_, keys)| !keys.is_empty())
}
