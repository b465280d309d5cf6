//! Race windows: a client reads a key and later writes it, and in between its copy may go out of
//! date.

use crate::engine;
use crate::resp::Bytes;
use crate::sim::{ClientId, NodeId, Timeline};
use crate::sorted::sort_by;

/// From a reading command on a key to the next writing one on the same key by the same client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaceWindow {
    pub client: ClientId,
    /// The instance that holds the key.
    pub node: NodeId,
    pub key: Bytes,
    pub read_step: usize,
    /// `None` while the client stands before its write.
    pub write_step: Option<usize>,
    /// The first change of the key by somebody else in between: step and who.
    pub intrusion: Option<(usize, ClientId)>,
}

/// The windows of a run, in order of their reads. One that has not been closed counts only if the
/// client's next command closes it: what comes after that is not known.
pub fn find(timeline: &Timeline) -> Vec<RaceWindow> {
    let mut open: Vec<RaceWindow> = Vec::new();
    let mut found = Vec::new();
    for (step, frame) in timeline.frames().iter().enumerate().skip(1) {
        let Some((client, call, _)) = frame.seen.event.executed() else { continue };
        let Some(node) = call.node().map(|node| frame.world.serving(node)) else { continue };
        let footprint = engine::footprint(call.argv());
        open.retain_mut(|window| {
            let same = window.client == client && window.node == node;
            let closes = same && footprint.writes.contains(&window.key);
            if closes {
                window.write_step = Some(step);
                found.push(window.clone());
            }
            !closes
        });
        for window in open.iter_mut().filter(|window| window.client != client) {
            let mut changes = frame.seen.changes.iter().filter(|change| change.node == window.node);
            let changed = changes.any(|change| change.key == window.key);
            if changed && window.intrusion.is_none() {
                window.intrusion = Some((step, client));
            }
        }
        for key in &footprint.reads {
            // Reading again makes the copy fresh.
            let same = |w: &RaceWindow| w.client == client && w.node == node && w.key == *key;
            open.retain(|window| !same(window));
            let key = key.clone();
            let window = RaceWindow {
                client,
                node,
                key,
                read_step: step,
                write_step: None,
                intrusion: None,
            };
            open.push(window);
        }
    }
    let last = timeline.frames().last().map(|frame| &frame.world);
    open.retain(|window| {
        let next = last.and_then(|world| world.client(window.client)?.ready());
        next.is_some_and(|call| engine::footprint(call.argv()).writes.contains(&window.key))
    });
    found.extend(open);
    sort_by(&mut found, |a, b| a.read_step.cmp(&b.read_step));
    found
}
