//! Late faults: partial-order reduction for faults (persistent sets; Godefroid 1996). A fault is
//! put off until a client or an instance can meet it.
//!
//! A fault that commutes with every next step of the other actors is not tried here but after those
//! steps: for every run there is an equivalent one, as long and with the same end state, that takes
//! its faults late. Conditions for the set F of faults that are put off in a state (the other steps
//! are a persistent set):
//!
//! - every step that another actor can take after faults of F it can also take before them, with
//!   the same effect. So no fault of F may wake a client or let time move; and since time waits for
//!   every client that can run, some client can run with or without the faults of F;
//! - faults of F and their repairs change nothing that an open condition reads.
//!
//! Then a state that breaks a property is found at the same distance: the first step outside F can
//! come first, and a shorter rest of the run is left. Deadlocks are found, too: a state in which a
//! client can run after the faults of F is no deadlock.
//!
//! An infinite run has an equivalent one whose faults come late or not at all. That run need not be
//! fair: a client that a fault stopped may wait forever, the same client without the fault may not.
//! So where liveness is checked, only faults that stop no client are put off: those of instances
//! and of clocks.
//!
//! When every program is over, what happens to an instance is invisible to a question that reads no
//! keys: there such faults are put off for good. Not where liveness is checked: a run may end where
//! time cannot move, and an instance that fails, or loses keys with deadlines, brings such an end
//! nearer.
//!
//! To let another fault come late, add it to `can_wait` with the conditions above; without an arm
//! it is tried in every state, which is always sound.

use super::super::action::{Action, ClientId, NodeId};
use super::super::property::{Kind, Property};
use super::super::scenario::{Faults, TimeMode};
use super::{Questions, Slot, WorldComponents, lens};
use crate::checker::View;
use crate::mutant::{Mutant, is_on};

/// The kind of questions that a search answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionKind {
    /// Which states can be reached.
    States,
    /// Also, which runs go on forever (liveness).
    Rounds,
}

/// The facts that the open questions read, and the kind of these questions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Late {
    asked: QuestionKind,
    questions: Questions,
}

impl WorldComponents {
    /// Drops the properties that are `settled` from the questions. To be called before the search.
    pub fn with_settled(mut self, settled: &[bool]) -> WorldComponents {
        self.settled = settled.to_vec();
        self
    }

    /// Returns the properties that are still open.
    pub(super) fn open(&self) -> impl Iterator<Item = &Property> {
        let settled = self.settled.iter().chain(std::iter::repeat(&false));
        let open = self.properties.iter().zip(settled);
        open.filter(|(_, settled)| !**settled).map(|(property, _)| property)
    }

    /// Switches late faults on. To be called before the search.
    pub fn with_late_faults(mut self, asked: QuestionKind) -> WorldComponents {
        let questions = Questions::of(self.open());
        let late = Late { asked, questions };
        // A command on the wire moves on whether its client does or not. Where time may pass while
        // a client can go on, it matters when a pause begins that time ends, and a paused client
        // does not count as held up.
        let setting = &self.start.setting;
        let waits_for_nobody = setting.is_prompt()
            && (setting.time == TimeMode::Prompt || self.start.budget.pause_ms == 0);
        self.late = (!setting.wire && waits_for_nobody).then_some(late);
        self.empty_clocks();
        self
    }

    /// Returns true if this fault can be put off.
    pub(super) fn can_wait(&mut self, action: Action, view: &mut View) -> bool {
        let Some(late) = self.late else { return false };
        // When every program is over, what happens to an instance has no witness but a condition
        // that looks at keys, and the length of a run up to its end.
        let is_of_instance = action.node().is_some() && !matches!(action, Action::Replicate(_));
        let ends_count = late.asked == QuestionKind::Rounds && !is_on(Mutant::LateEnds);
        if is_of_instance && !late.questions.keys && !ends_count && !view.any(self, lens::ALIVE) {
            return true;
        }
        match action {
            Action::Pause(_) | Action::Crash(_)
                if late.asked == QuestionKind::Rounds && !is_on(Mutant::LateRounds) =>
            {
                false
            }
            Action::Pause(id) => !late.questions.pause && self.others_run_on(id, view),
            Action::Crash(id) => {
                !late.questions.fate
                    && self.others_run_on(id, view)
                    && self.leaves_no_trace(id, view)
            }
            // No step and no condition reads that clock.
            Action::JumpClient(id) => {
                self.known.own_clocks & 1 << id.0 == 0 || is_on(Mutant::LateClock)
            }
            Action::JumpNode(at) => {
                self.nothing_is_due(at, view) || !late.questions.keys && self.nobody_meets(at, view)
            }
            Action::Restart(at) | Action::Evict(at, _) => {
                !late.questions.keys && self.nobody_meets(at, view)
            }
            Action::Down(at) => self.nobody_meets(at, view),
            _ => false,
        }
    }

    /// Returns true if some client can run even after all faults that are put off. Faults of the
    /// first client that runs are not put off, unless more clients run than the budget can stop.
    fn others_run_on(&mut self, id: ClientId, view: &mut View) -> bool {
        let home = self.client_slot(id.index());
        if is_on(Mutant::LateAlone) {
            return true;
        }
        if !self.runs_freely(home, view) {
            return false;
        }
        // The first one that runs is the one that is stopped first, where all have to stop.
        let mut running = 1;
        for other in (0..self.start.clients.len()).filter(|other| *other != id.index()) {
            let home = self.client_slot(other);
            if self.runs_freely(home, view) {
                if other < id.index() {
                    return true;
                }
                running += 1;
            }
        }
        // More run than can be stopped one by one.
        let [crash, pause] = [Faults::CRASH, Faults::PAUSE].map(|k| self.budget_left(k, view));
        running > usize::from(crash) + usize::from(pause)
    }

    /// Returns true if stopping this client removes nothing that others, or an open question, read.
    fn leaves_no_trace(&mut self, id: ClientId, view: &mut View) -> bool {
        let home = self.client_slot(id.index());
        if is_on(Mutant::LateTrace) {
            return true;
        }
        if view.fact(self, lens::WITHIN_REACH, home) != 0 || self.may_close(id) {
            return false;
        }
        for at in 0..self.globals.len() {
            if view.fact(self, lens::of_global(lens::COUNTED, at), home) != 0 {
                return false;
            }
        }
        let (mutexes, sql) = (self.slot(&Slot::Mutexes), self.slot(&Slot::Sql));
        (!self.locks || view.fact(self, lens::HELD, mutexes) == 0)
            && (!self.opened || view.fact(self, lens::HELD, sql) == 0)
    }

    /// Returns true if nothing waits for this instance's clock. A clock serves only to tell if
    /// something is due, so it may then show anything.
    fn nothing_is_due(&mut self, at: NodeId, view: &mut View) -> bool {
        self.start.links.is_empty()
            && !self.known.server_clock
            && (!view.any(self, lens::TIMED_AT + u16::from(at.0)) || is_on(Mutant::LateDue))
    }

    /// Returns true if no client's next step reaches this instance.
    fn nobody_meets(&mut self, at: NodeId, view: &mut View) -> bool {
        if self.start.setting.time != TimeMode::Prompt || !self.start.links.is_empty() {
            return false;
        }
        let home = self.slot(&Slot::Node(at));
        view.fact(self, lens::UP, home) != 0
            && (!view.any(self, lens::CALLS + u16::from(at.0)) || is_on(Mutant::LateMet))
            && self.any_runs_freely(view)
    }
}

/// The truth of a settled property: true for an `always`, false for other kinds, so that nothing is
/// found.
pub(super) fn settled_truth(property: &Property) -> bool {
    property.kind == Kind::Always
}
