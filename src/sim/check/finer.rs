//! Asks if what holds also holds where time is told more finely.
//!
//! A search tries delays that are multiples of a tick (`sim::ticks`). That is exact as long as
//! times are compared by ≤ and ≥ with multiples of it. A strict comparison, of which several come
//! one after the other on a run, or a number that nothing has shown to be a time (one that stands
//! in a program, that it computes, or reads from a value), may need delays between these. So what
//! holds is asked again with smaller ticks, each a divisor of the one before, down to 1 ms, within
//! a bound on all states together. Where something tells the time, the first of them divides the
//! numbers that stand in the programs and conditions: they may be times, and may be none (a limit
//! of 2). Clocks show whole ms: what holds with a tick of 1 ms holds for all delays that the
//! scenario allows.
//!
//! Time passes by one tick at a time here, which leads to the same states by longer runs; delays
//! that follow each other are one in the run that is shown.
//!
//! A break that is found is one: its run can be played. If the bound is met first, the verdict is
//! that of the least tick that was searched to the end, and names it.

use super::super::scenario::{Scenario, StartError};
use super::super::ticks::proper_divisor;
use super::super::world::World;
use super::super::{Action, components::Observed};
use super::{Check, Limits, Verdict};

/// The most states of the search with the numbers that stand in programs.
const NAMED_STATES_MAX: u32 = 10_000;
/// The most states of all other searches together.
const STATES_MAX: u32 = 5_000;

/// The question under way.
#[derive(Debug)]
pub(super) struct Finer {
    scenario: Scenario,
    start: Option<World>,
    limits: Limits,
    observed: Observed,
    /// What is asked: properties, with the answer so far.
    claims: Vec<(usize, bool)>,
    /// True if it is also asked that no client gets stuck.
    asks_deadlock: bool,
    /// The tick by the numbers that stand in programs, in ms, while it is not searched.
    named_ms: Option<u32>,
    /// The states that are left to search.
    left: u32,
    check: Option<Box<Check>>,
    pub answer: Finest,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Finest {
    /// The least tick that was searched to the end, in ms.
    pub tick_ms: u32,
    /// The properties whose answer is another, with the verdict.
    pub others: Vec<(usize, Verdict)>,
    /// A run after which no client can go on and one is not at its end.
    pub deadlock: Option<Vec<Action>>,
}

impl Finer {
    pub fn new(check: &Check, claims: Vec<(usize, bool)>, asks_deadlock: bool) -> Finer {
        let model = check.search.model();
        let tick_ms = model.ticks().unit_ms;
        Finer {
            scenario: check.scenario.clone(),
            start: check.start.clone(),
            limits: Limits {
                id_orders: false,
                finer: false,
                single_ticks: true,
                census: false,
                ..check.limits
            },
            observed: model.observed().clone(),
            claims,
            asks_deadlock,
            named_ms: (model.tells_time() && !check.limits.named_ticks)
                .then(|| model.named_tick_ms())
                .filter(|named_ms| *named_ms < tick_ms),
            left: STATES_MAX,
            check: None,
            answer: Finest { tick_ms, ..Finest::default() },
        }
    }

    /// Returns true if there is something to ask.
    pub fn asks(&self) -> bool {
        !self.claims.is_empty() || self.asks_deadlock
    }

    /// Works on this number of further `states`; true when the answer is known.
    pub fn advance(&mut self, states: u32) -> bool {
        let Some(mut check) = self.check.take() else {
            if self.answer.tick_ms < 2 || self.left == 0 {
                return true;
            }
            self.observed.tick_ms =
                self.named_ms.unwrap_or_else(|| proper_divisor(self.answer.tick_ms));
            self.check = self.next().ok().map(Box::new);
            return self.check.is_none();
        };
        let is_over = check.advance(states);
        let mut is_decided = true;
        for (at, claimed) in &self.claims {
            let verdict = check.verdict(*at);
            is_decided &= verdict.holds == Some(*claimed);
            if verdict.holds == Some(!claimed) {
                let (trace, cycle) = (verdict.trace.map(in_one), in_one(verdict.cycle));
                let verdict = Verdict { trace, cycle, is_shortest: false, ..verdict };
                self.answer.others.push((*at, verdict));
            }
        }
        if self.asks_deadlock {
            self.answer.deadlock = check.deadlock().map(in_one);
        }
        if !self.answer.others.is_empty() || self.answer.deadlock.is_some() {
            return true;
        }
        if !is_over {
            self.check = Some(check);
            return false;
        }
        let is_named = self.named_ms.take().is_some();
        if !is_named {
            let states = u32::try_from(check.counts().states).unwrap_or(u32::MAX);
            self.left = self.left.saturating_sub(states);
        }
        let is_searched = is_decided && check.is_complete();
        if is_searched {
            self.answer.tick_ms = check.tick_ms();
        }
        // Numbers that are no times may be too much work where smaller ticks are not.
        !is_searched && !is_named
    }

    /// Begins the search with the next tick.
    fn next(&self) -> Result<Check, StartError> {
        let left = if self.named_ms.is_some() { NAMED_STATES_MAX } else { self.left };
        let limits = Limits { states_max: left.min(self.limits.states_max), ..self.limits };
        Check::begin(&self.scenario, self.start.clone(), limits, Some(&self.observed))
    }
}

/// Returns the run with delays that follow each other as one.
fn in_one(run: Vec<Action>) -> Vec<Action> {
    let mut merged: Vec<Action> = Vec::new();
    for action in run {
        match (merged.last_mut(), action) {
            (Some(Action::Tick(ms)), Action::Tick(more)) => *ms = ms.saturating_add(more),
            _ => merged.push(action),
        }
    }
    merged
}
