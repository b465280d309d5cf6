//! Race windows: a client reads a key and later writes it, and in between its copy may go out of
//! date.

use std::rc::Rc;

use crate::engine;
use crate::resp::Bytes;
use crate::sim::{ClientId, Frame, NodeId, Timeline};
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
    let mut finder = Finder::default();
    finder.follow(timeline);
    finder.found(timeline)
}

/// Finds the windows of a run that grows, looking at every frame once.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    open: Vec<RaceWindow>,
    closed: Vec<RaceWindow>,
    seen: Option<Rc<Frame>>,
    steps: usize,
}

impl Finder {
    /// Goes on to the end of the run; begins again where it is another one.
    pub fn follow(&mut self, timeline: &Timeline) {
        let frames = timeline.frames();
        let last = frames.get(self.steps);
        if !self.seen.as_ref().zip(last).is_some_and(|(seen, frame)| Rc::ptr_eq(seen, frame)) {
            *self = Finder::default();
        }
        for (step, frame) in frames.iter().enumerate().skip(self.steps + 1) {
            self.see(step, frame);
        }
        self.steps = frames.len() - 1;
        self.seen = frames.last().cloned();
    }

    fn see(&mut self, step: usize, frame: &Frame) {
        let Some((client, call, _)) = frame.seen.event.executed() else { return };
        let Some(node) = call.node().map(|node| frame.world.serving(node)) else { return };
        let footprint = engine::footprint(call.argv());
        let closed = &mut self.closed;
        self.open.retain_mut(|window| {
            let same = window.client == client && window.node == node;
            let closes = same && footprint.writes.contains(&window.key);
            if closes {
                window.write_step = Some(step);
                closed.push(window.clone());
            }
            !closes
        });
        for window in self.open.iter_mut().filter(|window| window.client != client) {
            let mut changes = frame.seen.changes.iter().filter(|change| change.node == window.node);
            let changed = changes.any(|change| change.key == window.key);
            if changed && window.intrusion.is_none() {
                window.intrusion = Some((step, client));
            }
        }
        for key in &footprint.reads {
            // Reading again makes the copy fresh.
            let same = |w: &RaceWindow| w.client == client && w.node == node && w.key == *key;
            self.open.retain(|window| !same(window));
            let (key, read_step) = (key.clone(), step);
            let (write_step, intrusion) = (None, None);
            self.open.push(RaceWindow { client, node, key, read_step, write_step, intrusion });
        }
    }

    pub fn found(&self, timeline: &Timeline) -> Vec<RaceWindow> {
        let last = timeline.frames().last().map(|frame| &frame.world);
        let about_to_close = |window: &&RaceWindow| {
            let next = last.and_then(|world| world.client(window.client)?.ready());
            next.is_some_and(|call| engine::footprint(call.argv()).writes.contains(&window.key))
        };
        let open = self.open.iter().filter(about_to_close);
        let mut found: Vec<RaceWindow> = self.closed.iter().chain(open).cloned().collect();
        sort_by(&mut found, |a, b| a.read_step.cmp(&b.read_step));
        found
    }
}
