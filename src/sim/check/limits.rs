//! The bounds of a check, and the reductions it may use when the space is too large without them.
//!
//! To add a reduction, add its switch to [`Limits`], its option in `check::Request`, and its
//! reasons to docs/checker.md.

use crate::checker::Options;

use super::super::scenario::Scenario;
use super::has_eventually;

/// How far to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub states_max: u32,
    pub depth_max: u32,
    pub bytes_max: usize,
    /// If the space has more states than this, it is searched again with the reductions allowed.
    pub plain_max: u32,
    /// The same where something can go wrong: most of what faults lead to differs in nothing but
    /// in what else may go wrong. Less where more than two kinds of things can.
    pub plain_max_with_faults: u32,
    pub partial_order: bool,
    /// The same for clients that run the same program.
    pub symmetry: bool,
    /// The same for states that differ only in the faults that may still happen.
    pub budgets: bool,
    /// Put faults off until a client or an instance can meet them.
    pub late_faults: bool,
    /// Leave dead state out: what no step and no open question reads.
    pub unseen: bool,
    /// Count the schedules, where the graph is at hand.
    pub census: bool,
    /// States looked at before partial order relies on what it has learned.
    pub learning: u32,
}

impl Default for Limits {
    /// For a page: half a gigabyte, and a search that a person waits for.
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
            census: true,
            learning: Options::default().learning,
        }
    }
}

/// How a search makes do with fewer states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// It does not: the counts are exact.
    Plain,
    /// As [`Effort::Exact`], but not far: what is decided soon need not be looked at afterwards,
    /// and what is not looked at takes no states.
    Scout,
    /// By what keeps the shortest lengths: budgets and symmetry.
    Exact,
    /// By partial order too, if there are no faults: a fault that may strike any client at any time
    /// commutes with nothing, and looking for steps that do would only take time.
    All,
}

impl Effort {
    /// The next one that may help.
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
