//! Mistakes on purpose. Whatever a search leaves out or takes for the same has a place in its code
//! at which it can be made wrong, and a test that the oracle notices (`check::oracle`,
//! docs/oracle.md). Outside of tests [`is_on`] is always false, so that nothing of it is left.

macro_rules! mutants {
    ($($(#[doc = $what:literal])+ $name:ident,)+) => {
        /// What is wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mutant {
            $($(#[doc = $what])+ $name,)+
        }

        impl Mutant {
            pub const ALL: &[Mutant] = &[$(Mutant::$name),+];

            /// In words.
            pub fn what(self) -> &'static str {
                match self {
                    $(Mutant::$name => concat!($($what),+).trim_ascii(),)+
                }
            }
        }
    };
}

mutants! {
    /// memo: the last thing that an answer depends on is not noted
    ReadForgotten,
    /// memo: facts of new parts are not learned
    FactForgotten,
    /// memo: what an overview showed is not asked again of the next state
    OverviewKept,
    /// memo: short cuts stay as they are when a slot has more parts than they can tell apart
    ShortcutOutgrown,
    /// memo: answers stay when the model finds out that they left something out
    EpochIgnored,
    /// store: a state is known if one with a similar hash is
    StoreByHash,
    /// recent: a state was met lately if one in its place was
    RecentByPlace,
    /// budgets: the state with less left stands for the one with more
    BudgetsReversed,
    /// budgets: any state stands for those that differ in what is left
    BudgetsIgnored,
    /// turns: the last one of a fault is never spent
    TurnsShort,
    /// partial order: who reads what others write commutes with them
    AmpleReads,
    /// partial order: moves of which nothing is known commute
    AmpleUnknown,
    /// partial order: what conditions look at is not asked
    AmpleVisible,
    /// partial order: one actor may put the others off for ever
    AmpleIgnoring,
    /// partial order: what was relied on is not verified
    AmpleUnverified,
    /// rounds: every round counts as fair
    RoundsUnfair,
    /// rounds: no round is fair
    RoundsNever,
    /// rounds: a state that another one stands for is that one
    RoundsThroughOthers,
}

#[cfg(test)]
thread_local! {
    static ON: std::cell::Cell<Option<Mutant>> = const { std::cell::Cell::new(None) };
}

/// Is this the mistake that is made?
#[cfg(not(test))]
#[inline(always)]
pub const fn is_on(_: Mutant) -> bool {
    false
}

/// Is this the mistake that is made?
#[cfg(test)]
#[inline]
pub fn is_on(mutant: Mutant) -> bool {
    ON.get() == Some(mutant)
}

/// On this thread, makes this mistake from now on, or none.
#[cfg(test)]
pub fn set(mutant: Option<Mutant>) {
    ON.set(mutant);
}
