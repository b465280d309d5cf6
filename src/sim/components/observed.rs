//! The components that belong to a state: those that a step or a condition was seen to read.
//!
//! A component is left out of the states of a search (an abstraction by predicates that are never
//! evaluated, a *cone of influence* that is found on the way) as long as no step and no condition
//! has read it. The engine's access log and the clients' own calls say what they read when they do
//! ([`Instance::execute_logged`](crate::engine::Instance::execute_logged), [`Touched`]). The first
//! read makes the component a part of every state, and the search begins again
//! ([`Components::is_outdated`](crate::checker::Components::is_outdated)): with what it had left
//! out until then, it may have taken states for one that the reader tells apart.
//!
//! Why that is sound: states that agree in everything but unread components take the same steps to
//! states that agree again, up to the first step that reads one. If such a step exists on any run,
//! one exists at the end of a run on which nothing before reads anything, so the search meets it.
//!
//! No decision looks at a program's text. The questions of a condition follow from the functions
//! that its bytecode names ([`Chunk::globals_read`](crate::lua::Chunk::globals_read)); if these are
//! not known, the condition may ask everything.
//!
//! To add a component: add a field here, report it in [`Observed::see`], and leave it out in
//! [`WorldComponents::read_off`](super::WorldComponents).

use std::rc::Rc;

use super::super::START_MS;
use super::super::action::ClientId;
use super::super::apply::Touched;
use super::super::node::Node;
use super::super::property::Property;
use super::super::ticks::common;
use super::super::world::World;
use super::{Component, WorldComponents};
use crate::engine::Access;
use crate::mutant::{Mutant, is_on};

/// The components that something was seen to read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::sim) struct Observed {
    /// The time was read: by a client's `now()`, a command, or a condition. Otherwise times are
    /// counted from now.
    pub clock: bool,
    /// The clock of an instance was read.
    pub server_clock: bool,
    /// The clients that read their own clocks, a bit each.
    pub own_clocks: u32,
    /// The existence or the numbers of connections were read.
    pub connections: bool,
    /// When connections were opened and last used, or by which command, was read.
    pub uses: bool,
    /// Some step or condition looked up a script by its digest.
    pub digests: bool,
    /// Some step or condition told equal clients apart.
    pub names: bool,
    /// The unit by which time moves where clients may be held up (`sim::ticks`), in ms: a common
    /// divisor of all times met. 0: time moves from deadline to deadline.
    pub tick_ms: u32,
    /// Where clients may be held up: something has read how long a key still has.
    pub left: bool,
    /// Where clients may be held up: a condition has read that, or the time.
    pub watched: bool,
    /// The globals of clients that conditions read without naming them in a constant.
    pub globals: Vec<String>,
}

/// Something that a search takes for granted about steps or conditions that it met. To add one, add
/// a row here, set it where it is met, and give it words in `view::find::conditions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// Clients share variables: threads of a process switch only at calls, sleeps and mutexes.
    Threads,
    /// A command listed several elements of a set, a hash or the keyspace: in one order only.
    Order,
    /// A program got the microseconds of TIME: they are whole milliseconds here.
    Micros,
    /// Keys that had run out were counted, or a message told of one: they are gone at once here.
    Expiry,
    /// At one moment a wait or a key ran out and a client woke up: that comes after it here.
    Ties,
    /// Something has a deadline: what came first, or when, may decide what runs out.
    Starts,
    /// With `wire`, a message came on a shared connection: it comes at once there.
    Messages,
    /// A client had a transaction of the tables open: its isolation level is READ COMMITTED.
    Isolation,
}

/// What a search takes for granted about the steps and conditions that it met: a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Assumed(u8);

impl Assumed {
    pub fn has(self, one: Assumption) -> bool {
        self.0 & 1 << one as u8 != 0
    }

    /// Adds one of them, if it `is` met.
    pub fn add(&mut self, one: Assumption, is: bool) {
        self.0 |= u8::from(is) << one as u8;
    }

    /// Adds those of another set.
    pub(in crate::sim) fn join(&mut self, other: Assumed) {
        self.0 |= other.0;
    }

    /// Adds what the steps of an access log take for granted.
    pub(in crate::sim) fn see(&mut self, access: &Access) {
        self.add(Assumption::Order, access.order);
        self.add(Assumption::Micros, access.micros);
        self.add(Assumption::Expiry, access.lazy);
    }

    /// Returns the set as a number, in which it is sent.
    pub fn bits(self) -> u32 {
        self.0.into()
    }

    /// Returns the set of a number; what is none is left out.
    pub fn of_bits(bits: u32) -> Assumed {
        Assumed(bits as u8)
    }
}

/// A step or condition that depends on something that a search does not follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfollowed {
    /// This command draws at random and has too many outcomes, or its reply may be lost.
    Draw(String),
    /// A program or script draws random numbers without a seed of its own.
    Random,
    /// This command shows counters, which are part of no state.
    Counters(String),
    /// An instance has more keys than may be evicted.
    Evicted,
}

impl WorldComponents {
    /// Returns something that the search did not follow, if it met that.
    pub fn unfollowed(&self) -> Option<&Unfollowed> {
        self.unfollowed.as_ref()
    }

    /// Records that a step depends on what the search does not follow. The first one is kept.
    pub(super) fn leave_unfollowed(&mut self, what: Unfollowed) {
        self.unfollowed.get_or_insert(what);
    }

    /// Returns the model with what another search knows: the components that it has observed, and
    /// what it took for granted.
    pub(in crate::sim) fn knowing(mut self, known: (&Observed, Assumed)) -> WorldComponents {
        self.observed.clone_from(known.0);
        self.assumed = known.1;
        self
    }

    /// Returns what a search of this model knows, for another one: see
    /// [`WorldComponents::knowing`].
    pub(in crate::sim) fn known(&self) -> (&Observed, Assumed) {
        (&self.observed, self.assumed)
    }

    /// Returns the components that were seen to be read.
    pub(in crate::sim) fn observed(&self) -> &Observed {
        &self.observed
    }

    /// Returns what the steps and conditions met so far take for granted.
    pub(in crate::sim) fn assumed(&self) -> Assumed {
        self.assumed
    }
}

impl Observed {
    /// What is read however the world goes on. The deadlines of a snapshot stand at their times,
    /// however much time has passed when it comes back.
    pub fn at_first(beginning: &World) -> Observed {
        let setting = &beginning.setting;
        let has_deadline = |node: &Rc<Node>| node.instance.next_deadline().is_some();
        let is_timed = setting.saved.iter().any(has_deadline) && !is_on(Mutant::SnapshotTimeless);
        let (clock, server_clock) = (is_timed, is_timed);
        Observed { clock, server_clock, tick_ms: setting.ticks.unit_ms, ..Observed::default() }
    }

    /// Records the reads of an action.
    pub fn see(&mut self, touched: &Touched) {
        for (_, access) in &touched.commands {
            self.see_access(access);
        }
        for ClientId(client) in touched.clocks.iter().filter(|_| !is_on(Mutant::NowUnseen)) {
            self.clock = true;
            self.own_clocks |= 1 << client;
        }
    }

    /// Records the reads of a command.
    pub fn see_access(&mut self, access: &Access) {
        self.clock |= access.clock && !is_on(Mutant::ClockUnseen);
        self.server_clock |= access.clock && !is_on(Mutant::ServerClockUnseen);
        self.connections |= access.connections && !is_on(Mutant::ConnectionsUnseen);
        self.uses |= access.uses && !is_on(Mutant::UsesUnseen);
        self.digests |= access.digests && !is_on(Mutant::DigestsUnseen);
        self.left |= access.left && self.tick_ms > 0;
        access.spans.iter().for_each(|ms| self.see_ms(*ms));
    }

    /// Records the reads of a condition.
    pub fn see_asked(&mut self, access: &Access) {
        self.see_access(access);
        let tells_time = access.left || access.clock;
        self.watched |= tells_time && self.tick_ms > 0 && !is_on(Mutant::TickUnwatched);
    }

    /// Records a duration: the tick becomes a divisor of it.
    pub fn see_ms(&mut self, ms: u64) {
        if self.tick_ms > 0 && !is_on(Mutant::TickKept) {
            self.tick_ms = common(self.tick_ms, ms);
        }
    }

    /// Records the times in a component. They are counted from the beginning, or from now: a tick
    /// divides both or none, since time has moved by ticks and to deadlines.
    pub(super) fn see_times(&mut self, component: &Component) {
        if self.tick_ms == 0 {
            return;
        }
        let mut times = Vec::new();
        match component {
            Component::Key(Some(stored)) => stored.deadlines(&mut |at| times.push(at)),
            Component::Client(client, conns) => {
                times.extend(client.waits_until_ms());
                times.extend(conns.iter().filter_map(|(_, conn)| conn.timeout_at_ms()));
            }
            Component::Shared(_, conns) => {
                times.extend(conns.iter().filter_map(|(_, conn)| conn.timeout_at_ms()));
            }
            Component::Node(node) => node.instance.waits_until(&mut |at| times.push(at)),
            _ => {}
        }
        times.into_iter().for_each(|at| self.see_ms(at.abs_diff(START_MS)));
    }

    /// Records a new component: if it holds times that do not move with the others, time becomes a
    /// component.
    pub(super) fn see_component(&mut self, component: &Component) {
        let holds_time = match component {
            Component::Key(Some(stored)) => stored.has_inner_deadlines(),
            Component::Node(node) => node.instance.has_own_times(),
            _ => false,
        };
        let holds_time = holds_time && !is_on(Mutant::ComponentTimesUnseen);
        self.clock |= holds_time;
        self.server_clock |= holds_time;
        self.see_times(component);
    }
}

/// The questions that conditions may ask, found from the functions that they can call.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Questions {
    /// They ask if clients ended or crashed.
    pub fate: bool,
    /// They tell a crash from an end.
    pub crash: bool,
    /// They tell an error from an end.
    pub failure: bool,
    /// They read the messages of errors.
    pub message: bool,
    pub pause: bool,
    pub keys: bool,
    /// They read the values of globals, not only whether one is true in a client that has not
    /// crashed.
    pub values: bool,
    /// They can tell equal clients apart.
    pub names: bool,
}

impl Questions {
    pub fn of<'p>(properties: impl Iterator<Item = &'p Property>) -> Questions {
        let mut all = Questions::default();
        for property in properties {
            let read = property.chunk().globals_read();
            let asks = |names: &[&str]| {
                read.as_ref().is_none_or(|read| {
                    read.iter().any(|one| names.iter().any(|name| **one == *name.as_bytes()))
                })
            };
            // A letter, or part of a message.
            let has_texts = !named_globals(std::slice::from_ref(property)).is_empty();
            let ends_well = ["done", "count_done"];
            // To `all_done` a crash is an end like any other, and an error is none.
            let all_done = asks(&["all_done"]);
            all.fate |= (asks(&ends_well) || all_done || asks(&["crashed", "over", "all_over"]))
                && !is_on(Mutant::FateUnasked);
            all.crash |= (asks(&ends_well) || asks(&["crashed"])) && !is_on(Mutant::CrashUnasked);
            all.failure |=
                (asks(&ends_well) || all_done || asks(&["failed", "error", "no_errors"]))
                    && !is_on(Mutant::FailureUnasked);
            all.message |= asks(&["error"]) || asks(&["no_errors"]) && has_texts;
            all.pause |= asks(&["paused", "was_paused"]) && !is_on(Mutant::PauseUnasked);
            all.keys |= asks(&["redis", "number", "on"]) && !is_on(Mutant::KeysUnasked);
            all.values |= asks(&["global", "sum", "each"]) && !is_on(Mutant::ValuesUnasked);
            // Clients that are alike are expected to end alike: then it tells none of them apart.
            let names_in_errors = asks(&["no_errors"]) && has_texts && !property.is_no_errors();
            all.names |= (names_in_errors
                || asks(&["done", "failed", "crashed", "over", "error", "paused", "was_paused"])
                || asks(&["global", "each", "resource"]))
                && !is_on(Mutant::TwinsNamed);
        }
        all
    }
}

/// Returns the constants of the conditions that may name globals of clients. A condition that names
/// a global in another way is noticed when it does.
pub(super) fn named_globals(properties: &[Property]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for property in properties {
        let own = property.chunk().globals_read().unwrap_or_default();
        let others = property.chunk().strings().into_iter().filter(|name| !own.contains(name));
        for name in others.filter_map(|name| String::from_utf8(name.to_vec()).ok()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}
