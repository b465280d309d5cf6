//! Delays that end between two deadlines, which a search tries where clients may be held up.
//!
//! Where a client may be slow ([`Scenario::slow_ms`](super::Scenario)) or begin late
//! (`starts_within_ms`), or its pause ends after at most so many ms, it may be held up for any time
//! up to that. A search tries the multiples of a
//! *tick*: the greatest common divisor of all times that were met (digital clocks; Henzinger,
//! Manna, Pnueli: *What good are digital clocks?*, 1992). A run whose delays are any numbers can be
//! rounded to one whose delays are multiples of the tick, with the same steps in the same order, as
//! long as times are compared with multiples of it by ≤ and ≥. (By < too, where the moment before a
//! deadline is a multiple: so the tick is less than what divides the delays that are allowed.)
//!
//! The tick is *observed*: `components::observed` reports which times there are, and a search
//! begins again when it meets one that the tick does not divide.
//!
//! Absent: ticks where clients are prompt and no pause has an end. There time stops at deadlines
//! only, also while a client is paused until a step ends its pause.

use std::rc::Rc;

use super::START_MS;
use super::action::Action;
use super::property::Property;
use super::scenario::Scenario;
use super::world::World;

/// The most multiples of the tick that are listed at once; longer delays are sums of these.
const MULTIPLES_MAX: u32 = 32;

/// The delays that a world lists, part of its setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Ticks {
    /// The tick in ms; 0: time moves from deadline to deadline.
    pub unit_ms: u32,
    /// The most multiples of it that are listed at once. One is enough to reach every state; more
    /// make runs shorter.
    pub at_once: u32,
    /// A program or condition can tell the time though nothing is due. If not, time that passes
    /// while nothing is due only takes from the time for which clients may still be held up.
    pub tells_time: bool,
    /// Something can happen though no client can go on: a fault, or replication.
    pub others_act: bool,
    /// A condition reads how long a key still has, or the time: then a delay in which nothing
    /// happens may make it true or false.
    pub is_watched: bool,
}

impl Ticks {
    /// Returns the ticks of a scenario before any time was met except those that it names itself.
    pub(super) fn of(scenario: &Scenario) -> Ticks {
        let faults = &scenario.faults;
        let pause_ms = faults.longest_pause_ms();
        let lates_ms = [scenario.slow_ms, scenario.starts_within_ms, pause_ms];
        if lates_ms == [0, 0, 0] {
            return Ticks::default();
        }
        let clocks = scenario.nodes.iter().map(|node| node.clock_ms);
        let clocks = clocks.chain(scenario.clients.iter().map(|client| client.clock_ms));
        let jump_ms = if faults.jump > 0 { faults.jump_ms } else { 0 };
        let named = clocks.chain([jump_ms]).map(i64::unsigned_abs);
        let named = named.chain(lates_ms.map(u64::from));
        Ticks {
            unit_ms: proper_divisor(named.fold(0, common)),
            at_once: MULTIPLES_MAX,
            tells_time: true,
            others_act: faults.any() || scenario.nodes.iter().any(|one| one.replica_of.is_some()),
            is_watched: true,
        }
    }

    /// Returns the ticks for a program that reads the time, or how long a key still has, and
    /// compares it with the numbers that stand in programs and conditions.
    pub(super) fn named_by(self, scenario: &Scenario) -> Ticks {
        match self.unit_ms {
            0 => self,
            unit_ms => Ticks {
                unit_ms: numbers_named(scenario).map(u64::from).fold(unit_ms, common),
                ..self
            },
        }
    }
}

/// Returns the numbers that stand in the programs and conditions of a scenario.
pub(super) fn numbers_named(scenario: &Scenario) -> impl Iterator<Item = u32> {
    let programs = scenario.clients.iter().map(|client| &*client.program);
    let chunks = programs.chain(scenario.properties.iter().map(Property::chunk));
    chunks.flat_map(|chunk| chunk.numbers())
}

/// Returns the largest proper divisor; for 1 and 0 the number itself.
pub(super) fn proper_divisor(number: u32) -> u32 {
    let mut small = (2..=number.isqrt()).filter(|by| number.is_multiple_of(*by));
    match (number, small.next()) {
        (0 | 1, _) => number,
        (_, Some(least)) => number / least,
        (_, None) => 1,
    }
}

/// Returns the greatest common divisor of a tick and a duration (Euclid); 0 is a multiple of
/// everything.
pub(super) fn common(unit_ms: u32, ms: u64) -> u32 {
    let (mut a, mut b) = (u64::from(unit_ms), ms);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // Not longer than one of the two; where no tick fits a number, it is as if it were not there.
    u32::try_from(a).unwrap_or(unit_ms)
}

impl World {
    /// Returns the delays that end before the next deadline, shortest first, where a search has to
    /// try them: no client is held up for longer than it may be. Where clients are prompt, only
    /// while one is in a pause that time ends.
    pub(super) fn ticks(&self) -> Vec<Action> {
        let Ticks { unit_ms, at_once, tells_time, others_act, is_watched } = self.setting.ticks;
        let unit_ms = u64::from(unit_ms);
        if unit_ms == 0 {
            return Vec::new();
        }
        let ahead_ms = self.next_deadline_ms().map(|at| at.saturating_sub(self.now_ms));
        let slow_ms = self.setting.slow_ms;
        let running = self.ids().filter(|id| self.next_of(*id).is_some());
        let left_ms = running.map(|id| self.patience_ms(id)).min();
        let makes_a_difference = match (left_ms, ahead_ms) {
            (_, None) if !tells_time => false,
            (None, None) => false,
            (Some(left_ms), _) => left_ms > 0,
            (None, Some(_)) if slow_ms > 0 => others_act || is_watched,
            (None, Some(_)) => self.clients.iter().any(|client| client.pause_end_ms.is_some()),
        };
        if !makes_a_difference {
            return Vec::new();
        }
        let before_ms = ahead_ms.map_or(u64::MAX, |ms| ms.saturating_sub(1));
        let most_ms = before_ms.min(left_ms.unwrap_or(u64::MAX));
        let multiples = (1..=u64::from(at_once)).map(|times| times * unit_ms);
        let ticks = multiples.take_while(|ms| *ms <= most_ms);
        ticks.filter_map(|ms| u32::try_from(ms).ok()).map(Action::Tick).collect()
    }

    /// Returns the largest tick that divides `unit_ms` and every time of this world, counted from
    /// its beginning.
    pub(super) fn common_tick(&self, unit_ms: u32) -> u32 {
        let mut unit_ms = unit_ms;
        let mut meet = |at: Option<u64>| {
            unit_ms = at.map_or(unit_ms, |at| common(unit_ms, at.abs_diff(START_MS)));
        };
        for client in &self.clients {
            meet(client.waits_until_ms());
        }
        for node in &self.nodes {
            node.instance.waits_until(&mut |at| meet(Some(at)));
            for (db, key) in node.instance.key_names() {
                let stored = node.instance.stored_key(db, &key);
                stored.iter().for_each(|one| one.deadlines(&mut |at| meet(Some(at))));
            }
        }
        unit_ms
    }

    /// Sets the ticks of this world.
    pub(super) fn set_ticks(&mut self, ticks: Ticks) {
        if self.setting.ticks != ticks {
            Rc::make_mut(&mut self.setting).ticks = ticks;
        }
    }
}
