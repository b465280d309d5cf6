//! A breadth-first walk over every world of a scenario, each once, for questions that look at whole
//! worlds. Bounded by their number and by their bytes; a walk that met a bound is *open*, and what
//! it says of all worlds is not known. Where clients may be held up, the walk begins again when it
//! meets a time that its ticks do not divide (`sim::ticks`), so worlds come up twice. It also
//! begins again when a command shows how connections were used ([`Access::uses`]): equality of
//! worlds ignores that, so until then two worlds may have been taken for one that the command tells
//! apart. Counters (INFO) are never told apart; a walk on which something reads them is *partial*.
//!
//! [`Access::uses`]: crate::engine::Access::uses

use std::collections::{HashSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::super::scenario::{Scenario, StartError};
use super::super::ticks::Ticks;
use super::super::timeline::bytes_kept;
use super::super::world::{Seen, World};
use crate::sim::Action;

/// The most bytes of values and programs that the worlds of one walk may hold, roughly.
const BYTES_MAX: u64 = 64 << 20;

/// A world that was met; the flag says that it is told from others by the use of its connections,
/// too.
#[derive(Debug)]
struct Met(Rc<World>, bool);

impl PartialEq for Met {
    fn eq(&self, other: &Self) -> bool {
        let mut nodes = self.0.nodes().iter().zip(other.0.nodes());
        self.0 == other.0
            && (!self.1 || nodes.all(|(one, other)| one.instance.is_used_like(&other.instance)))
    }
}
impl Eq for Met {}

impl Hash for Met {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

#[derive(Debug)]
pub struct Worlds {
    start: Rc<World>,
    met: HashSet<Met>,
    queue: VecDeque<Rc<World>>,
    worlds_max: usize,
    bytes: u64,
    is_open: bool,
    /// True if worlds are told apart by the use of their connections.
    tells_uses: bool,
    /// True if a command has read counters.
    is_partial: bool,
}

#[allow(clippy::mutable_key_type)] // A world's cells only cache fingerprints.
impl Worlds {
    /// Starts a walk; also returns the scenario's first world, and what was seen during its setup.
    pub fn new(
        scenario: &Scenario,
        worlds_max: usize,
    ) -> Result<(Worlds, Rc<World>, Seen), StartError> {
        let (mut start, seen) = World::start(scenario)?;
        start.set_ticks(start.setting().ticks.named_by(scenario));
        let start = Rc::new(start);
        let worlds = Worlds {
            start: start.clone(),
            met: HashSet::from([Met(start.clone(), false)]),
            queue: VecDeque::from([start.clone()]),
            worlds_max,
            bytes: bytes_kept(&start, &seen),
            is_open: false,
            tells_uses: false,
            is_partial: false,
        };
        Ok((worlds, start, seen))
    }

    /// Expands the next world: calls `step` for every step out of it, with what was seen, the world
    /// that it leads to, and true if that world is new. `None` at the end, or if a bound was met.
    pub fn next(
        &mut self,
        mut step: impl FnMut(&World, Action, &Seen, &World, bool),
    ) -> Option<()> {
        if self.met.len() > self.worlds_max || self.bytes > BYTES_MAX {
            self.is_open = true;
            self.queue.clear();
        }
        let world = self.queue.pop_front()?;
        let ticks = self.start.setting().ticks;
        let mut unit_ms = ticks.unit_ms;
        let mut tells_uses = self.tells_uses;
        for action in world.choices() {
            let mut next = World::clone(&world);
            // A choice is possible.
            let Ok((seen, touched)) = next.apply_seen_and_logged(action) else { continue };
            tells_uses |= touched.commands.iter().any(|(_, access)| access.uses);
            self.is_partial |= touched.commands.iter().any(|(_, access)| access.counters);
            let bytes = bytes_kept(&next, &seen);
            let next = Rc::new(next);
            let is_new = self.met.insert(Met(next.clone(), self.tells_uses));
            step(&world, action, &seen, &next, is_new);
            if is_new {
                self.bytes += bytes;
                if ticks.unit_ms > 0 {
                    unit_ms = next.common_tick(unit_ms);
                }
                self.queue.push_back(next);
            }
        }
        if unit_ms != ticks.unit_ms || tells_uses != self.tells_uses {
            self.tells_uses = tells_uses;
            self.begin_anew(Ticks { unit_ms, ..ticks });
        }
        Some(())
    }

    fn begin_anew(&mut self, ticks: Ticks) {
        Rc::make_mut(&mut self.start).set_ticks(ticks);
        self.met = HashSet::from([Met(self.start.clone(), self.tells_uses)]);
        self.queue = VecDeque::from([self.start.clone()]);
    }

    /// Returns true if worlds that something tells apart may have been taken for one.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Returns true if not every world was met.
    pub fn is_open(&self) -> bool {
        self.is_open || !self.queue.is_empty()
    }
}
