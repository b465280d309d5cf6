//! Mistakes on purpose (mutation testing of the search). Whatever the search leaves out or takes
//! for the same has a place in its code at which it can be made wrong. A test makes each mistake in
//! turn; the comparison with the oracle must notice (docs/oracle.md), on the scenario that
//! src/check/oracle/mutants.toml has for it.
//!
//! Tests are compiled with debug assertions, the mistakes with them: a layer's `cfg(test)` does not
//! reach the crates below it. In a release [`is_on`] is always false, so that nothing of it is left
//! in a program. To add a mistake, name it here, ask [`is_on`] where it would be made, and run the
//! test.

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
    /// memo: facts of new components are not learned
    FactForgotten,
    /// memo: what an overview showed is not asked again of the next state
    OverviewKept,
    /// memo: short cuts stay as they are when a slot has more components than they can tell apart
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
    /// observed: what was seen to be read makes nobody begin again
    OutdatedIgnored,
    /// observed: a program that calls now() is not seen
    NowUnseen,
    /// observed: a command that asks what time it is is not seen
    ClockUnseen,
    /// observed: that it asks by the clock of an instance is not seen
    ServerClockUnseen,
    /// observed: times within values and in settings are not seen
    ComponentTimesUnseen,
    /// observed: a time that the tick does not divide makes it no shorter
    TickKept,
    /// observed: time that passes where nothing is due is left out though a client reads the time
    TickTimeless,
    /// observed: numbers with which the time may be compared make no tick shorter
    TickNumbers,
    /// observed: nor where how long a key still has may be compared with them
    TickLeft,
    /// observed: a condition that tells the time is not asked while nobody can go on
    TickUnwatched,
    /// observed: who asks which connections there are is not seen
    ConnectionsUnseen,
    /// observed: who asks when connections were last used, and by which command, is not seen
    UsesUnseen,
    /// observed: who calls a script by its digest is not seen
    DigestsUnseen,
    /// counters: what was found with one is said though its run does not show it
    CountersBelieved,
    /// questions: no condition asks who is at the end
    FateUnasked,
    /// questions: no condition tells a crash from an end
    CrashUnasked,
    /// questions: no condition tells an error from an end
    FailureUnasked,
    /// questions: no condition asks who is paused
    PauseUnasked,
    /// questions: no condition asks for keys
    KeysUnasked,
    /// questions: no condition asks for values of globals
    ValuesUnasked,
    /// time: deadlines of keys are not counted from now
    DeadlineForgotten,
    /// time: ends of sleeps are not counted from now
    WaitForgotten,
    /// time: what is due when is told without the clients
    MomentMerged,
    /// time: what is not due yet comes no nearer
    NearerForgotten,
    /// time: moving early costs nothing
    EarlyForgotten,
    /// time: it has to move early, as long as it may
    EarlyFair,
    /// time: whoever wants a free mutex does not go on
    WantsForgotten,
    /// components: globals that properties ask for are dropped with a finished program
    GlobalsForgotten,
    /// components: transactions and watched keys are dropped
    ConnectionForgotten,
    /// components: a step does not depend on the keys that it reads
    KeyForgotten,
    /// components: a step does not depend on which keys there are
    KeyspaceForgotten,
    /// components: what came of a step is kept though it saw more than its slots
    TriedForgotten,
    /// components: a step does not depend on who holds a mutex
    MutexForgotten,
    /// components: a step does not depend on the variables of the process that it reads
    VariablesForgotten,
    /// components: a step does not depend on the clients with which one shares a connection
    SharedForgotten,
    /// components: a client whose connection is busy counts as able to go on
    SharedFree,
    /// components: a message under way does not keep time from passing
    ArrivalForgotten,
    /// components: a step does not depend on whom it may wake
    ReachForgotten,
    /// components: a write does not depend on the replicas
    LinksForgotten,
    /// components: after a failover the old instance serves
    RoutesForgotten,
    /// components: what was on its way stays when a link is cut
    BacklogKept,
    /// replicas: when a consumer was last seen is sent as a change of its own
    SeenSent,
    /// replicas: that only the time of a delivery may have changed is not seen
    RenewedUnseen,
    /// components: who waits for replicas is not told
    WaitersForgotten,
    /// components: an instance that loses its data keeps its keys
    EmptiedKept,
    /// components: which keys an instance may drop does not depend on which keys there are
    EvictableForgotten,
    /// components: the deadlines of a snapshot are counted from the time of the restart
    SnapshotTimeless,
    /// unseen: globals that the program reads are dropped
    UnseenKept,
    /// late faults: clients are stopped late where rounds are asked about
    LateRounds,
    /// late faults: what happens to an instance after the last program is left out where ends count
    LateEnds,
    /// late faults: the clock of who looks at it jumps late
    LateClock,
    /// late faults: a client is stopped late though nobody else runs
    LateAlone,
    /// late faults: a client crashes late though others notice
    LateTrace,
    /// late faults: an instance's clock jumps late though something is due by it
    LateDue,
    /// late faults: an instance fails late though somebody calls it
    LateMet,
    /// symmetry: clients stand for each other that a property names
    TwinsNamed,
    /// symmetry: clients stand for each other whose steps are not alike
    TwinsUnlike,
    /// symmetry: clients stand for each other whose clocks differ
    TwinsClock,
    /// symmetry: clients stand for each other of different processes
    TwinsProcess,
    /// symmetry: names in keys and variables, and owners of mutexes, are not exchanged
    TwinsKeep,
    /// symmetry: who is named elsewhere has a twin, too
    TwinsKnown,
    /// dead variables: a condition does not read its register
    DeadTest,
    /// dead variables: functions within the program read no globals
    DeadGlobals,
}

#[cfg(debug_assertions)]
thread_local! {
    static ON: std::cell::Cell<Option<Mutant>> = const { std::cell::Cell::new(None) };
}

/// Is this the mistake that is made?
#[cfg(not(debug_assertions))]
#[inline(always)]
pub const fn is_on(_: Mutant) -> bool {
    false
}

/// Is this the mistake that is made?
#[cfg(debug_assertions)]
#[inline]
pub fn is_on(mutant: Mutant) -> bool {
    ON.get() == Some(mutant)
}

/// On this thread, makes this mistake from now on, or none.
#[cfg(debug_assertions)]
pub fn set(mutant: Option<Mutant>) {
    ON.set(mutant);
}
