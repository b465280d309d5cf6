//! Race windows: a client reads a key and later writes it, and in between its copy may become
//! stale.

use std::rc::Rc;

use crate::engine;
use crate::resp::Bytes;
use crate::sim::{ClientId, Frame, NodeId, Run, Timeline, shared_frames};
use crate::sorted::sort_by;

/// A race window: from a reading command on a key to the next writing one on the same key by the
/// same client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaceWindow {
    pub client: ClientId,
    /// The instance that holds the key.
    pub node: NodeId,
    pub key: Bytes,
    pub read_step: usize,
    /// Which of the keys that the step reads this is, from 0.
    pub nth: usize,
    /// The step of the write; `None` while the client is about to write.
    pub write_step: Option<usize>,
    /// The first change of the key by another client in between: its step and that client.
    pub intrusion: Option<(usize, ClientId)>,
}

/// Returns the windows of a run, in order of their reads. An open one counts only if the client's
/// next command closes it, because later commands are not known.
pub fn find(timeline: &Timeline) -> Rc<[RaceWindow]> {
    let mut finder = Finder::default();
    finder.follow(timeline);
    finder.found()
}

/// Finds the windows of a growing run, reading every frame once.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    run: Run,
    /// The open windows in order of their reads, numbered.
    open: Vec<Numbered>,
    /// The closed windows in order of their writes.
    closed: Vec<Numbered>,
    /// The windows dropped at a step, because their client has read again.
    forgotten: Vec<(usize, Numbered)>,
    /// The number of windows so far.
    count: usize,
    found: Option<Rc<[RaceWindow]>>,
}

type Numbered = (usize, RaceWindow);

impl Finder {
    /// Follows the run to its end, from the point where it differs from the one followed so far.
    pub fn follow(&mut self, timeline: &Timeline) {
        let run = timeline.run();
        if Rc::ptr_eq(run, &self.run) {
            return;
        }
        let shared = shared_frames(&self.run, run);
        if shared < self.run.len() {
            self.cut(shared);
        }
        for (step, frame) in run.iter().enumerate().skip(shared.max(1)) {
            self.see(step, frame);
        }
        (self.run, self.found) = (run.clone(), None);
    }

    /// Undoes everything from `step` on.
    fn cut(&mut self, step: usize) {
        let later = self.forgotten.partition_point(|(at, _)| *at < step);
        self.open.extend(self.forgotten.drain(later..).map(|(_, window)| window));
        let later = self.closed.partition_point(|(_, one)| one.write_step < Some(step));
        self.open.extend(self.closed.drain(later..));
        self.open.retain(|(_, window)| window.read_step < step);
        for (_, window) in &mut self.open {
            window.write_step = None;
            window.intrusion = window.intrusion.filter(|(at, _)| *at < step);
        }
        sort_by(&mut self.open, |a, b| a.0.cmp(&b.0));
    }

    fn see(&mut self, step: usize, frame: &Frame) {
        let Some((client, call, _)) = frame.seen.event.executed() else { return };
        let Some(node) = call.node().map(|node| frame.world.serving(node)) else { return };
        let footprint = engine::footprint(call.argv());
        let closed = &mut self.closed;
        self.open.retain_mut(|one| {
            let window = &mut one.1;
            let same = window.client == client && window.node == node;
            let closes = same && footprint.writes.contains(&window.key);
            if closes {
                window.write_step = Some(step);
                closed.push(one.clone());
            }
            !closes
        });
        for (_, window) in self.open.iter_mut().filter(|(_, window)| window.client != client) {
            let mut changes = frame.seen.changes.iter().filter(|change| change.node == window.node);
            let changed = changes.any(|change| change.key == window.key);
            if changed && window.intrusion.is_none() {
                window.intrusion = Some((step, client));
            }
        }
        // What its program has got is not what is in the key.
        let is_told = !frame.got_older_reply() && !frame.gives_up();
        for (nth, key) in footprint.reads.iter().enumerate().filter(|_| is_told) {
            // Reading again makes the copy fresh.
            let same = |w: &RaceWindow| w.client == client && w.node == node && w.key == *key;
            while let Some(at) = self.open.iter().position(|(_, window)| same(window)) {
                self.forgotten.push((step, self.open.remove(at)));
            }
            let (key, read_step) = (key.clone(), step);
            let (write_step, intrusion) = (None, None);
            self.count += 1;
            let window = RaceWindow { client, node, key, read_step, nth, write_step, intrusion };
            self.open.push((self.count, window));
        }
    }

    /// Returns the windows of the run that was followed.
    pub fn found(&mut self) -> Rc<[RaceWindow]> {
        if let Some(found) = &self.found {
            return found.clone();
        }
        let last = self.run.last().map(|frame| &frame.world);
        let about_to_close = |window: &&RaceWindow| {
            let next = last.and_then(|world| world.client(window.client)?.ready());
            next.is_some_and(|call| engine::footprint(call.argv()).writes.contains(&window.key))
        };
        let closed = self.closed.iter().map(|(_, window)| window);
        let open = self.open.iter().map(|(_, window)| window).filter(about_to_close);
        let mut found: Vec<RaceWindow> = closed.chain(open).cloned().collect();
        sort_by(&mut found, |a, b| a.read_step.cmp(&b.read_step));
        let found: Rc<[RaceWindow]> = found.into();
        self.found = Some(found.clone());
        found
    }
}
