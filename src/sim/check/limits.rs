//! The bounds of a check, and the reductions it may use when the space is too large without them.
//!
//! To add a reduction, add its switch to [`Limits`], its option in `check::Request`, and its
//! reasons to docs/checker.md.

use crate::checker::Options;

use super::super::scenario::Scenario;
use super::has_eventually;

/// The limits of a search, and its reductions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub states_max: u32,
    pub depth_max: u32,
    pub bytes_max: usize,
    /// If the space has more states than this, it is searched again with the reductions allowed.
    pub plain_max: u32,
    /// The same where faults are allowed: most states that faults lead to differ only in which
    /// faults are left. Less where more than two kinds of faults are allowed.
    pub plain_max_with_faults: u32,
    pub partial_order: bool,
    /// Symmetry: take states that differ by exchanging clients of the same program for one.
    pub symmetry: bool,
    /// Budgets: take a state for one that has no fewer faults left and is equal otherwise.
    pub budgets: bool,
    /// Late faults: put faults off until a client or an instance can meet them.
    pub late_faults: bool,
    /// Dead state: leave out what no step and no open question reads.
    pub unseen: bool,
    /// Search again with unique ids in other orders: no reduction, but what makes "holds" true.
    pub id_orders: bool,
    /// Search again with smaller ticks, where clients may be held up: no reduction either.
    pub finer: bool,
    /// Take the numbers that stand in programs and conditions for times from the start, where
    /// something tells the time. Else they are asked about afterwards ([`Limits::finer`]): a limit
    /// of 2 is no time, and a tick of 1 ms may be too much work.
    pub named_ticks: bool,
    /// Where clients may be held up, let time pass by one tick at a time: the same states, by
    /// longer runs.
    pub single_ticks: bool,
    /// Count the schedules, if the graph is kept.
    pub census: bool,
    /// The number of states searched before partial order relies on what it has learned.
    pub learning: u32,
}

impl Default for Limits {
    /// The limits for a page: half a gigabyte, and a search that a person waits for.
    fn default() -> Self {
        Limits {
            states_max: 10_000_000,
            depth_max: u32::MAX,
            bytes_max: 512 << 20,
            plain_max: 1_000_000,
            plain_max_with_faults: 20_000,
            partial_order: true,
            symmetry: true,
            budgets: true,
            late_faults: true,
            unseen: true,
            id_orders: true,
            finer: true,
            named_ticks: false,
            single_ticks: false,
            census: true,
            learning: Options::default().learning,
        }
    }
}

/// The reductions that a search uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// None: the counts are exact.
    Plain,
    /// As [`Effort::Exact`], with a small bound on states: what is decided here need not be
    /// searched for afterwards, and what no open question reads is left out.
    Scout,
    /// Reductions that keep shortest lengths: budgets and symmetry.
    Exact,
    /// Also partial order, if there are no faults: a fault that may strike any client at any time
    /// commutes with nothing, so looking for steps that do would only take time.
    All,
}

impl Effort {
    /// Returns the next effort that may help.
    pub fn next(self, scenario: &Scenario, limits: Limits) -> Option<Effort> {
        let Limits { symmetry, budgets, late_faults, unseen, .. } = limits;
        let exact = symmetry || budgets || late_faults || unseen;
        match self {
            // Where nothing goes wrong, cycles are looked for in the whole graph.
            _ if has_eventually(scenario) && !scenario.faults.any() => None,
            Effort::Plain if scenario.faults.any() && exact => Some(Effort::Scout),
            Effort::Scout => Some(Effort::Exact),
            Effort::Plain if !scenario.faults.any() && (exact || limits.partial_order) => {
                Some(Effort::All)
            }
            _ => None,
        }
    }

    pub fn options(self, scenario: &Scenario, limits: Limits) -> Options {
        let is_reduced = self != Effort::Plain;
        let kinds = scenario.faults.left().iter().filter(|left| **left > 0).count() as u32;
        let worth_trying = match self {
            // The more can go wrong, the less likely it is that the whole is small.
            Effort::Plain if kinds > 1 => (limits.plain_max_with_faults / (kinds - 1)).max(2),
            Effort::Plain if kinds > 0 => limits.plain_max_with_faults,
            Effort::Scout => limits.plain_max_with_faults,
            _ => limits.plain_max,
        };
        let is_last = self.next(scenario, limits).is_none();
        let states_max = limits.states_max;
        Options {
            states_max: if is_last { states_max } else { worth_trying.min(states_max) },
            depth_max: limits.depth_max,
            bytes_max: limits.bytes_max,
            partial_order: self == Effort::All && limits.partial_order,
            symmetry: is_reduced && limits.symmetry,
            budgets: is_reduced && limits.budgets,
            learning: limits.learning,
            ..Options::default()
        }
    }
}
