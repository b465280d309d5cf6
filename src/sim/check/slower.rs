//! Asks if the properties that hold still hold where clients may be slower.
//!
//! While time is prompt, a key never expires between two steps of a client that could go on. So
//! properties that hold are checked again with a larger [`Scenario::slow_ms`]: the first multiples
//! of the greatest common divisor of all timers, and the longest timer. More slowness allows every
//! run that less of it allows (`sim::ticks`), so the first value that breaks a property is the
//! smallest.

use std::collections::BTreeSet;

use super::super::property::Kind;
use super::super::scenario::{Scenario, TimeMode};
use super::super::ticks::common;
use super::super::world::World;
use super::super::{Action, ClientId};
use super::vacuous::leases;
use super::worlds::Worlds;
use super::{Check, Limits};

/// The most states of one such search.
const STATES_MAX: u32 = 5_000;
/// The most worlds that are searched for timers.
const WORLDS_MAX: usize = 400;
/// The most worlds looked at in one call: a world costs as much as many states of a search.
const WORLDS_AT_ONCE: u32 = 8;
/// The most values tried: the first multiples of what divides all timers, and the longest timer.
const VALUES_MAX: usize = 5;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slower {
    /// The longest time for which clients may be held up, in ms: at most the longest timer.
    pub slow_ms: u32,
    /// The delays that were tried: this one, and every multiple of it up to `slow_ms`.
    pub tick_ms: u32,
    /// The property that breaks then, with a run (for a run that repeats forever, one cycle).
    /// `None` if all still hold.
    pub breaks: Option<(usize, Vec<Action>)>,
    /// True if a search met its bound before that.
    pub is_open: bool,
}

/// The question under way.
#[derive(Debug)]
pub struct AskSlower {
    scenario: Scenario,
    /// The properties that hold so far.
    holding: Vec<usize>,
    /// The walk that looks for timers; `None` when it is done.
    worlds: Option<Worlds>,
    /// The distances of deadlines from now in all worlds, in ms.
    timers: BTreeSet<u32>,
    /// The values of `slow_ms` left to try, the next one last.
    values: Vec<u32>,
    check: Option<Check>,
    answer: Slower,
}

impl AskSlower {
    /// `holds` says which properties hold. `None` if there is nothing to ask: no property holds
    /// that a run could break, or the scenario itself says how slow clients may be.
    pub fn new(scenario: &Scenario, holds: &[bool]) -> Option<AskSlower> {
        // What happens in some run still does where there are more runs.
        let is_asked = |at: &usize| {
            holds.get(*at) == Some(&true) && scenario.properties[*at].kind != Kind::Sometimes
        };
        let holding: Vec<usize> = (0..scenario.properties.len()).filter(is_asked).collect();
        let is_prompt = scenario.slow_ms == 0 && scenario.time == TimeMode::Prompt;
        if holding.is_empty() || !is_prompt {
            return None;
        }
        let (worlds, start, _) = Worlds::new(scenario, WORLDS_MAX).ok()?;
        Some(AskSlower {
            scenario: scenario.clone(),
            holding,
            worlds: Some(worlds),
            timers: deadlines(&start).collect(),
            values: Vec::new(),
            check: None,
            answer: Slower::default(),
        })
    }

    /// Works on this number of further `states`; true when the answer is known.
    pub fn advance(&mut self, states: u32) -> bool {
        if let Some(worlds) = &mut self.worlds {
            for _ in 0..states.min(WORLDS_AT_ONCE) {
                let timers = &mut self.timers;
                let met = worlds.next(|_, _, _, next, is_new| {
                    if is_new {
                        timers.extend(deadlines(next));
                    }
                });
                if met.is_none() {
                    self.worlds = None;
                    self.values = values(&self.timers);
                    return self.values.is_empty();
                }
            }
            return false;
        }
        let Some(check) = &mut self.check else {
            let Some(slow_ms) = self.values.pop() else { return true };
            self.scenario.slow_ms = slow_ms;
            let limits = Limits {
                states_max: STATES_MAX,
                census: false,
                id_orders: false,
                finer: false,
                named_ticks: true,
                ..Limits::default()
            };
            self.check = Check::new(&self.scenario, limits).ok();
            return self.check.is_none();
        };
        let is_over = check.advance(states);
        let broken = self.holding.iter().find_map(|&at| {
            let verdict = check.verdict(at);
            let mut trace = verdict.trace.filter(|_| verdict.holds == Some(false))?;
            trace.extend(verdict.cycle);
            Some((at, trace))
        });
        if let Some(broken) = broken {
            self.answer.slow_ms = self.scenario.slow_ms;
            self.answer.tick_ms = check.tick_ms();
            self.answer.breaks = Some(broken);
            return true;
        }
        if is_over {
            if !check.is_complete() {
                self.answer.is_open = true;
                return true;
            }
            self.answer.slow_ms = self.scenario.slow_ms;
            self.answer.tick_ms = check.tick_ms();
            self.check = None;
        }
        false
    }

    /// Returns the answer; `None` if there are no timers, so nothing was asked.
    pub fn answer(&self) -> Option<&Slower> {
        let is_asked = self.worlds.is_none() && !self.timers.is_empty();
        is_asked.then_some(&self.answer)
    }
}

/// Returns the values to try, the next one last.
fn values(timers: &BTreeSet<u32>) -> Vec<u32> {
    let Some(longest) = timers.last().copied() else { return Vec::new() };
    let unit_ms = timers.iter().map(|ms| u64::from(*ms)).fold(0, common);
    let multiples = (1..VALUES_MAX as u32).map(|times| unit_ms.saturating_mul(times));
    let mut values: Vec<u32> = multiples.filter(|ms| *ms < longest).collect();
    values.push(longest);
    values.reverse();
    values
}

/// Returns the distances of a world's deadlines from now, in ms.
fn deadlines(world: &World) -> impl Iterator<Item = u32> {
    let now_ms = world.now_ms();
    let mut found: Vec<u64> = world.next_deadline_ms().into_iter().collect();
    found.extend(leases(world).map(|(_, at)| at));
    let client = |id: ClientId| world.client(id)?.deadline_ms();
    found.extend(world.ids().filter_map(client));
    let ahead = move |at: u64| u32::try_from(at.saturating_sub(now_ms)).ok();
    found.into_iter().filter_map(ahead).filter(|ms| *ms > 0)
}
