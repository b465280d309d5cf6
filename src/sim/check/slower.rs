//! The next harder question: does what holds still hold where clients may be slower?
//!
//! While time is prompt, a key never runs out between two steps of a client that could go on. So
//! what holds is asked again with a larger [`Scenario::slow_ms`]: as large as the timers that were
//! met, the smallest first. More slowness allows every run that less of it allows, so the first
//! value that breaks something is the smallest of these.

use super::super::property::Kind;
use super::super::scenario::{Scenario, StartError, TimeMode};
use super::super::world::World;
use super::super::{Action, ClientId};
use super::vacuous::leases;
use super::{Check, Limits};

/// States of one such search.
const STATES_MAX: u32 = 20_000;
/// Worlds that are looked at for timers.
const WORLDS_MAX: usize = 400;
/// So many values are tried: of more timers the shortest ones, and the longest.
const VALUES_MAX: usize = 5;

/// What was found out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slower {
    /// How long clients may be held up, at most: no longer than the longest timer.
    pub slow_ms: u32,
    /// The property that breaks then, with a run. `None`: what held still does.
    pub breaks: Option<(usize, Vec<Action>)>,
    /// Before that a search met its bound.
    pub is_open: bool,
}

/// The question under way.
#[derive(Debug)]
pub struct AskSlower {
    scenario: Scenario,
    /// The properties that hold so far.
    holding: Vec<usize>,
    /// Values of `slow_ms` to be tried, the next one last.
    values: Vec<u32>,
    check: Option<Check>,
    answer: Slower,
}

impl AskSlower {
    /// `holds`: which of the properties were found to hold. `None` where there is nothing to ask:
    /// nothing holds that a run could break, there are no timers, or the scenario says itself how
    /// slow clients may be.
    pub fn new(scenario: &Scenario, holds: &[bool]) -> Option<AskSlower> {
        let is_asked = |at: &usize| {
            holds.get(*at) == Some(&true) && scenario.properties[*at].kind == Kind::Always
        };
        let holding: Vec<usize> = (0..scenario.properties.len()).filter(is_asked).collect();
        let is_prompt = scenario.slow_ms == 0 && scenario.time == TimeMode::Prompt;
        if holding.is_empty() || !is_prompt {
            return None;
        }
        let mut values = timers(scenario).ok()?;
        if values.len() > VALUES_MAX {
            let longest = values.pop();
            values.truncate(VALUES_MAX - 1);
            values.extend(longest);
        }
        values.reverse();
        let scenario = scenario.clone();
        let answer = Slower::default();
        (!values.is_empty()).then_some(AskSlower { scenario, holding, values, check: None, answer })
    }

    /// Looks at some `states` more; true when there is no more to find out.
    pub fn advance(&mut self, states: u32) -> bool {
        let Some(check) = &mut self.check else {
            let Some(slow_ms) = self.values.pop() else { return true };
            self.scenario.slow_ms = slow_ms;
            let limits = Limits { states_max: STATES_MAX, census: false, ..Limits::default() };
            self.check = Check::new(&self.scenario, limits).ok();
            return self.check.is_none();
        };
        let is_over = check.advance(states);
        let broken = self.holding.iter().find_map(|&at| {
            let verdict = check.verdict(at);
            let trace = verdict.trace.filter(|_| verdict.holds == Some(false))?;
            Some((at, trace))
        });
        if let Some(broken) = broken {
            self.answer.slow_ms = self.scenario.slow_ms;
            self.answer.breaks = Some(broken);
            return true;
        }
        if is_over {
            if !check.is_complete() {
                self.answer.is_open = true;
                return true;
            }
            self.answer.slow_ms = self.scenario.slow_ms;
            self.check = None;
        }
        false
    }

    pub fn answer(&self) -> &Slower {
        &self.answer
    }
}

/// How far deadlines lay ahead, in some of the scenario's worlds: in ms, in order, each once.
fn timers(scenario: &Scenario) -> Result<Vec<u32>, StartError> {
    let (start, _) = World::start(scenario)?;
    let mut worlds = vec![start];
    let mut timers: Vec<u32> = Vec::new();
    let mut at = 0;
    while at < worlds.len() && worlds.len() < WORLDS_MAX {
        let world = worlds[at].clone();
        at += 1;
        timers.extend(deadlines(&world));
        for action in world.choices() {
            let mut next = world.clone();
            if next.apply_unseen(action).is_ok() && !worlds.contains(&next) {
                worlds.push(next);
            }
        }
    }
    timers.retain(|ms| *ms > 0);
    timers.sort_unstable();
    timers.dedup();
    Ok(timers)
}

fn deadlines(world: &World) -> Vec<u32> {
    let now_ms = world.now_ms();
    let mut found: Vec<u64> = world.next_deadline_ms().into_iter().collect();
    found.extend(leases(world).map(|(_, at)| at));
    let client = |id: ClientId| world.client(id)?.deadline_ms();
    found.extend(world.ids().filter_map(client));
    let ahead = |at: u64| u32::try_from(at.saturating_sub(now_ms)).ok();
    found.into_iter().filter_map(ahead).collect()
}
