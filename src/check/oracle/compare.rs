//! Runs the packed search three times (no reduction, all, a subset that the seed draws) and the
//! oracle once; compares the verdict of each property, the shortest length, deadlocks, and how many
//! schedules end in which way; replays every reported run.
//!
//! Contract: the error says in one sentence what differs. Where a bound ended the oracle, only what
//! is nearer than its horizon is compared.

use std::collections::BTreeMap;

use super::features::Table;
use crate::checker::{Bound, Natural};
use crate::lua::Data;
use crate::sim::oracle::{Never, Oracle, choices};
use crate::sim::{
    Action, Check, ClientId, End, Kind, Limits, NodeId, Property, Scenario, Verdict, World,
};

/// The extent of a comparison that agreed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Compared {
    pub worlds: usize,
    /// True if the oracle has met every world.
    pub is_complete: bool,
    /// The number of ends of schedules that were compared.
    pub ends: usize,
    /// The packed search's tick.
    pub tick_ms: u32,
}

/// The most states of the packed search. Where the oracle has met every world, there are fewer;
/// where it has not, only what is near is compared, and these are enough for a poll whose clock
/// never stops.
const STATES_MAX: u32 = 4_000;
/// The states after which a search that is to use reductions gives up its plain phase.
const FEW: u32 = 3;

/// The states from which partial order learns; most scenarios have more.
const LEARNING: u32 = 10;

/// The limits of a search without reductions.
fn whole() -> Limits {
    Limits {
        states_max: STATES_MAX,
        plain_max: u32::MAX,
        plain_max_with_faults: u32::MAX,
        // The oracle gives ids in the order of the letters, and has one unit of time.
        id_orders: false,
        finer: false,
        named_ticks: true,
        ..Limits::default()
    }
}

/// The limits with every reduction.
fn reduced() -> Limits {
    Limits {
        plain_max: FEW,
        plain_max_with_faults: FEW,
        census: false,
        learning: LEARNING,
        ..whole()
    }
}

/// The limits with the reductions whose bits are set.
fn partly(bits: u64) -> Limits {
    let is_on = |bit: u32| bits >> bit & 1 == 1;
    Limits {
        partial_order: is_on(0),
        symmetry: is_on(1),
        budgets: is_on(2),
        late_faults: is_on(3),
        unseen: is_on(4),
        ..reduced()
    }
}

/// Returns the ways to search that are compared. `seed` chooses the reductions of the third.
pub(super) fn ways(seed: u64) -> [(&'static str, Limits); 3] {
    let bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    [("plain", whole()), ("reduced", reduced()), ("partly", partly(bits))]
}

/// Returns many ways: each reduction alone, and partial order that relies on little that it
/// learned.
#[cfg(test)]
pub(super) fn many_ways() -> Vec<(&'static str, Limits)> {
    let mut ways = vec![("plain", whole()), ("reduced", reduced())];
    ways.extend((0..5).map(|bit| ("partly", partly(1 << bit))));
    ways.extend([1, 2, 5].map(|learning| ("partly", Limits { learning, ..partly(1) })));
    ways
}

/// Compares the two searches of a scenario, and counts its features. The error says how the
/// searches differ. `seed` chooses the reductions of the third way.
pub fn compare(
    scenario: &Scenario,
    seed: u64,
    worlds_max: usize,
    table: Option<&mut Table>,
) -> Result<Compared, String> {
    let known = Known::of(scenario, worlds_max)?;
    let compared = known.compare(&ways(seed));
    if let Some(table) = table {
        table.add(scenario, &known.oracle, compared.as_ref().map_or(0, |done| done.tick_ms));
    }
    compared
}

/// The oracle's results for a scenario.
pub(super) struct Known<'a> {
    scenario: &'a Scenario,
    oracle: Oracle,
    /// The truths by property and world.
    truths: Vec<Vec<bool>>,
}

impl<'a> Known<'a> {
    pub fn of(scenario: &'a Scenario, worlds_max: usize) -> Result<Known<'a>, String> {
        let oracle = Oracle::explore(scenario, worlds_max).map_err(|why| why.to_string())?;
        let truths = scenario.properties.iter().map(|property| oracle.truths(property)).collect();
        Ok(Known { scenario, oracle, truths })
    }

    /// Compares them with the packed search in each of these ways.
    pub fn compare(&self, ways: &[(&str, Limits)]) -> Result<Compared, String> {
        let (worlds, is_complete) = (self.oracle.worlds().len(), self.oracle.is_complete());
        let mut compared = Compared { worlds, is_complete, ends: 0, tick_ms: 0 };
        for &(how, limits) in ways {
            let mut check = Check::new(self.scenario, limits).map_err(|why| why.to_string())?;
            check.run();
            compared.tick_ms = check.tick_ms();
            if let Some((index, _)) = check.mistaken() {
                // Where a condition cannot be evaluated, that is the answer.
                let property = &self.scenario.properties[index];
                if self.oracle.is_complete() && !self.oracle.fails(property) {
                    let text = property.expression();
                    return Err(format!("{how}: {text} can be evaluated in every world"));
                }
                continue;
            }
            compared.ends += self
                .properties(&mut check)
                .and_then(|()| self.stuck(&mut check))
                .and_then(|()| self.ends(&check))
                .map_err(|why| match how {
                    "partly" => format!("{how} ({limits:?}): {why}"),
                    _ => format!("{how}: {why}"),
                })?;
        }
        Ok(compared)
    }

    fn properties(&self, check: &mut Check) -> Result<(), String> {
        for (index, property) in self.scenario.properties.iter().enumerate() {
            let verdict = check.verdict(index);
            let (truths, bound) = (&self.truths[index], check.bound());
            let mut said = property_by(&self.oracle, truths, property.kind, &verdict, bound);
            // A program that asks if the time is a multiple of something may take fewer steps at a
            // moment between two ticks. So lengths, not verdicts, are those of the same unit.
            if said.is_err()
                && agrees(&self.oracle, truths, property.kind, verdict.holds)
                && let Some(oracle) = self.by_tick(check.tick_ms())?
            {
                let truths = oracle.truths(property);
                said = property_by(&oracle, &truths, property.kind, &verdict, bound);
            }
            let said = said.and_then(|()| self.run(property, &verdict));
            said.map_err(|why| {
                let length = verdict.trace.as_ref().map(Vec::len);
                let (kind, text) = (property.kind, property.expression());
                let told = format!("{:?} in {length:?} steps", verdict.holds);
                format!("{kind:?} {text}: the packed search says {told}, but {why}")
            })?;
        }
        Ok(())
    }

    /// Returns the oracle whose unit is the packed search's tick; `None` if it is this one, or
    /// clients are never held up.
    fn by_tick(&self, tick_ms: u32) -> Result<Option<Oracle>, String> {
        if !self.has_ticks() || tick_ms == self.oracle.unit_ms() {
            return Ok(None);
        }
        let oracle = Oracle::explore_by(self.scenario, self.oracle.worlds().len(), tick_ms);
        oracle.map(Some).map_err(|why| why.to_string())
    }

    fn has_ticks(&self) -> bool {
        let Scenario { slow_ms, starts_within_ms, ref faults, .. } = *self.scenario;
        slow_ms > 0 || starts_within_ms > 0 || faults.pause_ms > 0
    }

    /// Checks that the reported run is possible, and shows its verdict.
    fn run(&self, property: &Property, verdict: &Verdict) -> Result<(), String> {
        let Some(trace) = &verdict.trace else { return Ok(()) };
        let is_true = |world: &World| property.holds(&mut world.facts()).unwrap_or(false);
        let (mut world, _) = World::start(self.scenario).map_err(|why| why.to_string())?;
        let unit = self.oracle.unit_ms();
        let rounds = std::iter::repeat_n(&verdict.cycle, 3).flatten();
        let mut was_true = is_true(&world);
        for action in trace.iter().chain(rounds) {
            if !choices(&world, unit).contains(action) || world.apply(*action).is_err() {
                return Err(format!("{action:?} of its run cannot happen: {trace:?}"));
            }
            was_true |= is_true(&world);
        }
        let goes_on = |action: &Action| !(action.is_fault() || matches!(action, Action::Up(_)));
        let shows = match property.kind {
            Kind::Always => !is_true(&world),
            Kind::Sometimes => is_true(&world),
            Kind::Eventually if verdict.cycle.is_empty() => {
                !was_true && !choices(&world, unit).iter().any(goes_on)
            }
            Kind::Eventually => !was_true,
        };
        if shows { Ok(()) } else { Err(format!("its run does not show that: {trace:?}")) }
    }

    fn stuck(&self, check: &mut Check) -> Result<(), String> {
        if !check.is_deadlock_decided() {
            return Ok(());
        }
        let trace = check.deadlock();
        let told = trace.as_ref().map(|trace| trace.len() as u32);
        let known = self.oracle.stuck().filter(|at| *at < self.oracle.horizon());
        let is_far = told.is_none_or(|told| told >= self.oracle.horizon());
        match (told, known) {
            _ if told == known => Ok(()),
            (_, None) if is_far && !self.oracle.is_complete() => Ok(()),
            _ => Err(format!(
                "stuck: the packed search says after {told:?} steps, the oracle {known:?}"
            )),
        }
    }

    /// Compares the ends of schedules, and returns their number.
    fn ends(&self, check: &Check) -> Result<usize, String> {
        let (Some(count), Some(mut known)) = (check.count(), self.ends_of(&self.oracle)) else {
            return Ok(0);
        };
        if check.bound().is_some() {
            return Ok(0);
        }
        let mut told: BTreeMap<String, Natural> = BTreeMap::new();
        for outcome in &count.outcomes {
            let end = format!("{:?} {:?}", outcome.truths, in_order(outcome.end.clone()));
            told.entry(end).or_default().add(&outcome.schedules);
        }
        // How many schedules lead there depends on how finely time is told …
        let has_ticks = self.has_ticks();
        // … and where a program keeps the time, so does which ends there are.
        if has_ticks
            && !told.keys().eq(known.keys())
            && let Some(oracle) = self.by_tick(check.tick_ms())?
        {
            match self.ends_of(&oracle) {
                Some(ends) => known = ends,
                None => return Ok(0),
            }
        }
        if told == known || has_ticks && told.keys().eq(known.keys()) {
            return Ok(known.len());
        }
        let only = |one: &BTreeMap<String, Natural>, other: &BTreeMap<String, Natural>| {
            one.iter()
                .find(|(end, runs)| other.get(*end) != Some(runs))
                .map(|(e, n)| format!("{n} {e}"))
        };
        Err(format!(
            "ends: the packed search counts {:?}, the oracle {:?}",
            only(&told, &known),
            only(&known, &told)
        ))
    }

    /// Returns the ends that an oracle has met, each with the number of runs that lead there;
    /// `None` if it has not met them all.
    fn ends_of(&self, oracle: &Oracle) -> Option<BTreeMap<String, Natural>> {
        let mut known: BTreeMap<String, Natural> = BTreeMap::new();
        for (at, runs) in oracle.ends()? {
            let world = &oracle.worlds()[at];
            let is_true = |one: &Property| one.holds(&mut world.facts()).unwrap_or(false);
            let truths: Vec<bool> = self.scenario.properties.iter().map(is_true).collect();
            known.entry(format!("{truths:?} {:?}", self.end_of(world))).or_default().add(&runs);
        }
        Some(known)
    }

    /// Returns the keys and globals at the end of a run, without times.
    fn end_of(&self, world: &World) -> End {
        let mut end = End::default();
        for (at, node) in world.nodes().iter().enumerate() {
            for mut entry in node.instance.entries(0, node.now_ms(world.now_ms())) {
                entry.expires_at = None;
                end.keys.push((NodeId(at as u8), entry));
            }
        }
        for name in self.scenario.properties.iter().flat_map(Property::names) {
            for (at, client) in world.clients().iter().enumerate() {
                end.globals.push((ClientId(at as u16), name.clone(), client.global(&name)));
            }
        }
        in_order(end)
    }
}

fn in_order(mut end: End) -> End {
    end.globals.retain(|(.., value)| *value != Data::Nil);
    end.globals.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    end.globals.dedup_by(|a, b| (a.0, &a.1) == (b.0, &b.1));
    end
}

/// Returns true if the oracle's verdict is the same, whatever the lengths are.
fn agrees(oracle: &Oracle, truths: &[bool], kind: Kind, holds: Option<bool>) -> bool {
    match kind {
        Kind::Eventually => match oracle.never(truths) {
            Never::Happens => holds == Some(true),
            Never::Ends(_) | Never::GoesRound => holds == Some(false),
            Never::Unknown => false,
        },
        Kind::Always => holds == Some(oracle.first(truths, false).is_none()),
        Kind::Sometimes => holds == Some(oracle.first(truths, true).is_some()),
    }
}

/// Compares the verdict on a property, and its length, with what the oracle says.
fn property_by(
    oracle: &Oracle,
    truths: &[bool],
    kind: Kind,
    verdict: &Verdict,
    bound: Option<Bound>,
) -> Result<(), String> {
    let Some(holds) = verdict.holds else {
        // Counters are part of no state: it says that it cannot tell.
        return match bound {
            Some(Bound::Moves) => Ok(()),
            Some(_) if !oracle.is_complete() => Ok(()),
            _ => Err("it could tell".to_owned()),
        };
    };
    // It may have read a counter, by which the oracle tells no worlds apart: its run is played.
    if verdict.trace.is_some() && bound == Some(Bound::Moves) {
        return Ok(());
    }
    let length = verdict.trace.as_ref().map(|trace| trace.len() as u32);
    let is_near = length.is_some_and(|length| length <= oracle.horizon());
    let fails = |why: String| Err(why);
    if kind == Kind::Eventually {
        let goes_round = !verdict.cycle.is_empty();
        return match (oracle.never(truths), holds) {
            (Never::Ends(steps), _) if holds || goes_round || length != Some(steps) => {
                fails(format!("a run ends without it after {steps} steps"))
            }
            (Never::GoesRound, true) => fails("a run goes round without it".to_owned()),
            (Never::GoesRound, false) if !goes_round && oracle.is_complete() => {
                fails("no run ends without it".to_owned())
            }
            (Never::Happens, false) => fails("it happens on every run".to_owned()),
            (Never::Unknown, false) if !goes_round && length < Some(oracle.horizon()) => {
                fails("no run so short ends without it".to_owned())
            }
            _ => Ok(()),
        };
    }
    let wanted = kind == Kind::Sometimes;
    match oracle.first(truths, wanted) {
        Some(steps) if holds != wanted => fails(format!("it is {wanted} after {steps} steps")),
        Some(steps) if length < Some(steps) => fails(format!("that takes {steps} steps")),
        Some(steps) if verdict.is_shortest && length > Some(steps) => {
            fails(format!("{steps} steps are enough"))
        }
        None if holds == wanted && is_near => fails(format!("it is never {wanted}")),
        _ => Ok(()),
    }
}
