//! Asks if the properties that hold still hold where clients may be slower, or begin later.
//!
//! While time is prompt, a key never expires between two steps of a client that could go on, and
//! all clients begin at the same moment. So properties that hold are checked again with later
//! beginnings ([`Scenario::starts_within_ms`]), up to the longest timer; and with a larger
//! [`Scenario::slow_ms`]: the first multiples of the greatest common divisor of all timers, and the
//! longest timer. More slowness allows every run that less of it allows (`sim::ticks`), so the
//! first value that breaks a property is the smallest. It allows later beginnings, too.

use std::collections::BTreeSet;

use super::super::client::{CallKind, Client, Woken};
use super::super::property::Kind;
use super::super::scenario::{Scenario, TimeMode};
use super::super::ticks::common;
use super::super::world::World;
use super::super::{Action, ClientId, START_MS};
use super::vacuous::leases;
use super::worlds::Worlds;
use super::{Check, Limits};

/// The most states of one such search, unless [`AskSlower::within`] says otherwise.
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
    /// The answer for clients that are prompt and begin later; `None` if that was not asked.
    pub late: Option<Late>,
}

/// The answer for clients that begin later.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Late {
    /// How late they may begin, in ms.
    pub within_ms: u32,
    pub breaks: Option<(usize, Vec<Action>)>,
    /// On the run that breaks it, the clients that do not begin at once, and by how many ms later.
    pub begins: Vec<(ClientId, u32)>,
    pub is_open: bool,
}

/// What is allowed in one search.
#[derive(Debug, Clone, Copy)]
enum Try {
    Late(u32),
    Slow(u32),
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
    /// What is left to try, the next one last.
    tries: Vec<Try>,
    /// The most states of one search, and how many are left for all.
    each: u32,
    left: u32,
    check: Option<(Try, Check)>,
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
            tries: Vec::new(),
            each: STATES_MAX,
            left: u32::MAX,
            check: None,
            answer: Slower::default(),
        })
    }

    /// Searches at most so many states in one search, and so many in all.
    pub fn within(self, each: u32, all: u32) -> AskSlower {
        AskSlower { each, left: all, ..self }
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
                    self.tries = self.tries();
                    return self.tries.is_empty();
                }
            }
            return false;
        }
        let Some((tried, check)) = &mut self.check else {
            let Some(next) = self.tries.pop() else { return true };
            let scenario = next.of(&self.scenario);
            let limits = Limits {
                states_max: self.each.min(self.left),
                census: false,
                id_orders: false,
                finer: false,
                named_ticks: true,
                ..Limits::default()
            };
            self.check = Check::new(&scenario, limits).ok().map(|check| (next, check));
            return self.check.is_none();
        };
        let tried = *tried;
        let is_over = check.advance(states);
        let breaks = self.holding.iter().find_map(|&at| {
            let verdict = check.verdict(at);
            let mut trace = verdict.trace.filter(|_| verdict.holds == Some(false))?;
            trace.extend(verdict.cycle);
            Some((at, trace))
        });
        if !is_over && breaks.is_none() {
            return false;
        }
        let is_open = breaks.is_none() && !check.is_complete();
        let tick_ms = check.tick_ms();
        self.left = self.left.saturating_sub(check.counts().states.try_into().unwrap_or(u32::MAX));
        self.check = None;
        match tried {
            Try::Late(within_ms) => {
                let run = breaks.iter().flat_map(|(_, trace)| trace);
                let begins = begins(&tried.of(&self.scenario), run.copied());
                // Only that a client has not begun, which it has where to begin is no step.
                let is_idle = breaks.is_some() && begins.is_empty();
                let (breaks, is_open) = (breaks.filter(|_| !is_idle), is_open || is_idle);
                self.answer.late = Some(Late { within_ms, breaks, begins, is_open });
                false
            }
            Try::Slow(_) if is_open => {
                self.answer.is_open = true;
                true
            }
            Try::Slow(slow_ms) => {
                self.answer = Slower { slow_ms, tick_ms, breaks, ..self.answer.clone() };
                self.answer.breaks.is_some()
            }
        }
    }

    /// Returns the answer; `None` if there are no timers, so nothing was asked.
    pub fn answer(&self) -> Option<&Slower> {
        let is_asked = self.worlds.is_none() && !self.timers.is_empty();
        is_asked.then_some(&self.answer)
    }

    /// Returns what to try, the next one last.
    fn tries(&self) -> Vec<Try> {
        let Some(longest) = self.timers.last().copied() else { return Vec::new() };
        let unit_ms = self.timers.iter().map(|ms| u64::from(*ms)).fold(0, common);
        let multiples = (1..VALUES_MAX as u32).map(|times| unit_ms.saturating_mul(times));
        let mut values: Vec<u32> = multiples.filter(|ms| *ms < longest).collect();
        values.push(longest);
        let is_late = self.scenario.clients.len() < 2 || self.scenario.starts_within_ms > 0;
        let late = (!is_late).then_some(Try::Late(longest));
        values.into_iter().rev().map(Try::Slow).chain(late).collect()
    }
}

impl Try {
    /// Returns the scenario in which that is allowed.
    fn of(self, scenario: &Scenario) -> Scenario {
        let scenario = scenario.clone();
        match self {
            Try::Late(starts_within_ms) => Scenario { starts_within_ms, ..scenario },
            Try::Slow(slow_ms) => Scenario { slow_ms, ..scenario },
        }
    }
}

impl Slower {
    /// Returns the runs that break something: each with the property and with the scenario that
    /// allows it. First the one on which clients only begin later.
    pub fn runs(&self, scenario: &Scenario) -> Vec<(usize, &[Action], Scenario)> {
        let late = self.late.as_ref().and_then(|late| {
            let (at, trace) = late.breaks.as_ref()?;
            Some((*at, trace.as_slice(), Try::Late(late.within_ms).of(scenario)))
        });
        let slow = self.breaks.as_ref();
        let slow =
            slow.map(|(at, run)| (*at, run.as_slice(), Try::Slow(self.slow_ms).of(scenario)));
        late.into_iter().chain(slow).collect()
    }
}

/// Returns a run of a slowed scenario as one of the scenario itself, in which to wake is no step.
/// `None` if it does not break this property there.
pub fn as_prompt(
    scenario: &Scenario,
    (at, run, slowed): &(usize, &[Action], Scenario),
) -> Option<Vec<Action>> {
    let (mut there, _) = World::start(slowed).ok()?;
    let (mut here, _) = World::start(scenario).ok()?;
    let property = &scenario.properties[*at];
    let mut kept = Vec::new();
    for action in *run {
        let is_wake = action.runs().is_some_and(|id| there.wakes(id) && !here.wakes(id));
        there.apply_unseen(*action).ok()?;
        if !is_wake {
            here.apply_unseen(*action).ok()?;
            kept.push(*action);
        }
    }
    let breaks = property.holds(&mut here.facts()).ok() == Some(false);
    breaks.then_some(kept)
}

/// Returns the clients that do not begin at once on a run, and how many ms after it they do.
fn begins(scenario: &Scenario, run: impl Iterator<Item = Action>) -> Vec<(ClientId, u32)> {
    let Ok((mut world, _)) = World::start(scenario) else { return Vec::new() };
    let waits = |world: &World, id: ClientId| {
        let next = world.client(id).and_then(Client::ready);
        next.is_some_and(|call| call.kind == CallKind::Wake(Woken::Start))
    };
    let late_ms = |world: &World| u32::try_from(world.now_ms() - START_MS).unwrap_or(u32::MAX);
    let mut begins: Vec<(ClientId, u32)> = Vec::new();
    for action in run {
        let begun = action.runs().filter(|id| waits(&world, *id));
        begins.extend(begun.map(|id| (id, late_ms(&world))));
        if world.apply_unseen(action).is_err() {
            break;
        }
    }
    begins.extend(world.ids().filter(|id| waits(&world, *id)).map(|id| (id, late_ms(&world))));
    begins.retain(|(_, ms)| *ms > 0);
    begins
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
