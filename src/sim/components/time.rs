//! Time in the search: the next deadlines, and by how much time moves (a clock abstraction as in
//! timed automata; Alur and Dill 1994).
//!
//! As long as no step has read the time, deadlines are counted from now. Moving time then brings
//! all other deadlines nearer by the same amount, and the deadlines alone determine which ones are
//! due.

use std::rc::Rc;

use super::super::START_MS;
use super::super::action::{Action, NodeId};
use super::super::scenario::Faults;
use super::super::ticks::{Ticks, common};
use super::super::world::World;
use super::{Component, Needs, Observed, Slot, TRIED_MAX, WorldComponents, lens};
use crate::checker::{Move, View};
use crate::mutant::{Mutant, is_on};

/// Slots with their deadlines, by an instance's clock and by the world's; and instances with their
/// components.
pub(super) type Deadlines = Box<[(u32, u64, u64)]>;

/// A move of time.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    /// By how much all deadlines move, in ms; negative.
    by: i64,
    /// The slots in which something is due then.
    due: Rc<[usize]>,
}

/// The number of all times that are some seven weeks away or more; their order is not kept.
const FAR: u32 = u32::MAX;

/// Converts a time to a number other than 0; later times are greater, or [`FAR`].
pub(super) fn due_number(at_ms: u64) -> u32 {
    u32::try_from(at_ms.saturating_sub(START_MS)).unwrap_or(FAR - 1).saturating_add(1)
}

impl WorldComponents {
    /// Sets the delays to try, from what is known of the times.
    pub(super) fn set_ticks(&mut self) {
        let Observed { tick_ms: unit_ms, clock, watched: is_watched, .. } = self.known;
        let tells_time = clock && !is_on(Mutant::TickTimeless);
        let ticks = Ticks { unit_ms, tells_time, is_watched, ..self.ticks() };
        self.start.set_ticks(ticks);
        self.empty.set_ticks(ticks);
    }

    /// Lists one tick at a time, where clients may be held up. To be called before the search.
    pub(in crate::sim) fn with_single_ticks(mut self) -> WorldComponents {
        let ticks = Ticks { at_once: 1, ..self.ticks() };
        self.start.set_ticks(ticks);
        self.empty.set_ticks(ticks);
        self
    }

    /// Returns true if something was seen to read the time, or how long a key still has.
    pub(in crate::sim) fn tells_time(&self) -> bool {
        self.observed.clock || self.observed.left && !is_on(Mutant::TickLeft)
    }

    /// Returns the tick in ms that also divides the numbers that stand in programs and conditions.
    pub(in crate::sim) fn named_tick_ms(&self) -> u32 {
        let numbers = self.numbers_named.iter();
        numbers.fold(self.ticks().unit_ms, |unit_ms, ms| common(unit_ms, (*ms).into()))
    }

    /// Takes the numbers that stand in programs and conditions for times from the start.
    pub(in crate::sim) fn with_named_ticks(mut self) -> WorldComponents {
        self.named_ticks = true;
        self
    }

    /// Returns the delays to try where clients may be held up.
    pub(in crate::sim) fn ticks(&self) -> Ticks {
        self.empty.setting.ticks
    }

    pub(super) fn time_moves(&mut self, view: &mut View, out: &mut Vec<Move<Action>>) {
        if !self.start.setting.is_prompt() {
            return self.slow_move(view, out);
        }
        if self.somebody_runs(view) {
            return;
        }
        self.pass(view, out);
        if self.known.tick_ms > 0 {
            self.paused_move(view, out);
        }
    }

    /// Adds the move of time that spends a budget: a client can go on.
    pub(super) fn early_moves(&mut self, view: &mut View, out: &mut Vec<Move<Action>>) {
        let left = self.budget_left(Faults::EARLY, view);
        if left == 0 {
            return;
        }
        let budget = self.slot(&Slot::Budget(Faults::EARLY));
        if !self.start.setting.is_prompt() {
            let mut needs = self.all_clients(view);
            let world = self.assemble(view, &needs);
            let mut clients = world.ids();
            if !world.is_slow_enough() && clients.any(|id| world.next_of(id).is_some()) {
                needs.add(budget);
                self.attempt(Action::Advance, needs, view, out);
            }
            return;
        }
        if !self.somebody_runs(view) {
            return;
        }
        let others = out.len();
        self.pass(view, out);
        // In a world without those who could go on it is not early, and costs nothing. To put one
        // of them in would mean to ask again for each state that it can be in.
        if !is_on(Mutant::EarlyForgotten) {
            let unsaid = |one: &&mut Move<Action>| one.writes.iter().all(|(at, _)| *at != budget);
            let writes = |one: &mut Move<Action>| one.writes.push((budget, (left - 1).into()));
            out[others..].iter_mut().filter(unsaid).for_each(writes);
        }
    }

    /// Adds the move of time to the next deadline, where clients are prompt.
    fn pass(&mut self, view: &mut View, out: &mut Vec<Move<Action>>) {
        if !self.times_stay() && !self.known.clock && !self.known.connections {
            return self.come_nearer(view, out);
        }
        let due = match self.times_stay() {
            true => self.next_due(view),
            false => self.found(lens::TIMED, view),
        };
        let nodes = self.timed_nodes(view);
        self.advance(due, nodes, view, out);
    }

    /// Adds the moves of time where clients may be slow or begin late, computed in a world with all
    /// clients.
    fn slow_move(&mut self, view: &mut View, out: &mut Vec<Move<Action>>) {
        let needs = self.all_clients(view);
        let world = self.assemble(view, &needs);
        if world.is_slow_enough() || world.ids().all(|id| world.next_of(id).is_none()) {
            let own = Needs::of(needs.slots.clone());
            self.attempt(Action::Advance, own, view, out);
        }
        self.tick(&world, &needs, view, out);
    }

    /// Adds the moves of time between two deadlines where clients are prompt: only while one is in
    /// a pause that time ends.
    fn paused_move(&mut self, view: &mut View, out: &mut Vec<Move<Action>>) {
        let needs = self.all_clients(view);
        let world = self.assemble(view, &needs);
        self.tick(&world, &needs, view, out);
    }

    /// Adds the delays that end before the next deadline.
    fn tick(&mut self, world: &World, needs: &Needs, view: &mut View, out: &mut Vec<Move<Action>>) {
        for tick in world.ticks() {
            let own = Needs::of(needs.slots.clone());
            self.attempt(tick, own, view, out);
        }
    }

    /// Returns the slots that move with time, and every client: the time for which each has been
    /// held up is read and changes.
    fn all_clients(&mut self, view: &mut View) -> Needs {
        let mut needs = Needs::of(self.found(lens::TIMED, view));
        needs.add_all((0..self.start.clients.len()).map(|at| self.client_slot(at)));
        needs.add_all(self.timed_nodes(view));
        self.within_reach(view, &mut needs);
        self.surroundings(view, &mut needs);
        if self.locks {
            needs.add(self.slot(&Slot::Mutexes));
        }
        self.join(&mut needs, view);
        needs
    }

    /// Moves time in a world of the slots that may be `due`, by the clocks of `nodes`, with
    /// everything that they may concern.
    fn advance(
        &mut self,
        due: Vec<usize>,
        nodes: Vec<usize>,
        view: &mut View,
        out: &mut Vec<Move<Action>>,
    ) -> Needs {
        let mut needs = Needs::of(due);
        if needs.slots.is_empty() {
            return needs;
        }
        needs.add_all(nodes);
        self.within_reach(view, &mut needs);
        self.surroundings(view, &mut needs);
        self.attempt(Action::Advance, needs, view, out)
    }

    /// Returns the slots of instances whose clock is read: those in which something has a deadline.
    fn timed_nodes(&mut self, view: &mut View) -> Vec<usize> {
        let mut nodes = Vec::new();
        for at in 0..self.start.nodes.len() {
            if self.known.connections || view.any(self, lens::TIMED_AT + at as u16) {
                nodes.push(self.slot(&Slot::Node(NodeId(at as u8))));
            }
        }
        nodes
    }

    /// Moves time and brings all deadlines nearer. No world is needed once it is known what is due.
    fn come_nearer(&mut self, view: &mut View, out: &mut Vec<Move<Action>>) {
        let timed = view.find(self, lens::TIMED);
        let nodes = self.timed_nodes(view);
        let clocks = nodes.iter().map(|slot| (*slot as u32, view.slot(*slot).into(), 0));
        let deadlines = timed.iter().map(|&(slot, component)| {
            let (there, here) = self.due_of(slot, component);
            (slot as u32, there, if is_on(Mutant::MomentMerged) { 0 } else { here })
        });
        let deadlines: Deadlines = deadlines.chain(clocks).collect();
        let first = out.len();
        let Some(moment) = self.moments.get(&deadlines).cloned() else {
            let timed_slots = timed.iter().map(|(slot, _)| *slot).collect();
            let needs = self.advance(timed_slots, nodes, view, out);
            if let Some(made) = out.get(first) {
                let moment = self.moment(&timed, &made.writes, &needs, view);
                if self.moments.len() >= TRIED_MAX {
                    self.moments.clear();
                }
                if !moment.due.is_empty() {
                    self.moments.insert(deadlines, moment);
                }
            }
            return;
        };
        let clocks = self.clocks_of(&timed, &moment.due);
        let needs = self.advance(moment.due.to_vec(), clocks, view, out);
        debug_assert_eq!(self.time_to_deadline(&needs, view), moment.by);
        let nodes = nodes.into_iter().map(|slot| (slot, view.slot(slot)));
        let others: Vec<(usize, u32)> = timed.into_iter().chain(nodes).collect();
        for (slot, component) in others.into_iter().filter(|(slot, _)| !needs.has(*slot)) {
            if is_on(Mutant::NearerForgotten) {
                break;
            }
            let nearer = self.moved(slot, component, moment.by);
            out[first..].iter_mut().for_each(|one| one.writes.push((slot, nearer)));
        }
    }

    /// Returns the instances by whose clocks something is due in these slots.
    fn clocks_of(&mut self, timed: &[(usize, u32)], due: &[usize]) -> Vec<usize> {
        let mut nodes: Vec<NodeId> = Vec::new();
        for &(slot, component) in timed.iter().filter(|(slot, _)| due.contains(slot)) {
            match (&self.slots[slot], self.component(slot, component)) {
                (Slot::Key(node, ..), _) => nodes.push(*node),
                (_, Component::Client(_, conns) | Component::Shared(_, conns)) => {
                    nodes.extend(conns.iter().map(|(node, _)| *node))
                }
                _ => {}
            }
        }
        nodes.into_iter().map(|node| self.slot(&Slot::Node(node))).collect()
    }

    /// Returns by how much time moved in a step with these writes.
    fn moment(
        &mut self,
        timed: &[(usize, u32)],
        writes: &[(usize, u32)],
        needs: &Needs,
        view: &mut View,
    ) -> Moment {
        let by = self.time_to_deadline(needs, view);
        let mut due = Vec::new();
        for &(slot, component) in timed {
            let after = writes.iter().find(|(written, _)| *written == slot);
            if after.map_or(component, |(_, after)| *after) != self.moved(slot, component, by) {
                due.push(slot);
            }
        }
        Moment { by, due: due.into() }
    }

    /// Returns the time to the next deadline in ms, negated.
    fn time_to_deadline(&mut self, needs: &Needs, view: &mut View) -> i64 {
        let world = self.assemble(view, needs);
        let then_ms = world.next_deadline_ms().unwrap_or(world.now_ms);
        world.now_ms as i64 - then_ms as i64
    }

    /// Returns the deadlines of a component by an instance's clock, and by the world's; 0 if there
    /// is none.
    fn due_of(&self, slot: usize, component: u32) -> (u64, u64) {
        match self.component(slot, component) {
            Component::Client(client, conns) => {
                let waits = conns.iter().filter_map(|(_, conn)| conn.timeout_at_ms());
                (waits.min().unwrap_or(0), client.deadline_ms().unwrap_or(0))
            }
            Component::Shared(_, conns) => {
                let waits = conns.iter().filter_map(|(_, conn)| conn.timeout_at_ms());
                (waits.min().unwrap_or(0), 0)
            }
            Component::Key(Some(stored)) => (stored.next_deadline().unwrap_or(0), 0),
            _ => (0, 0),
        }
    }

    /// Returns true if something in a component has a deadline.
    pub(super) fn is_timed(&self, slot: usize, component: u32) -> bool {
        let held = self.component(slot, component);
        let has_own = matches!(held, Component::Node(node) if node.instance.has_own_times());
        has_own || self.due_of(slot, component) != (0, 0)
    }

    /// Returns the component with its deadlines moved by `by` ms.
    fn moved(&mut self, slot: usize, component: u32, by: i64) -> u32 {
        if let Some(known) = self.moved.get(&(slot as u32, component, by)) {
            return *known;
        }
        let moved = match self.component(slot, component) {
            Component::Client(client, conns) => {
                let (mut client, mut conns) = ((**client).clone(), conns.clone());
                client.shift_ms(by, START_MS);
                conns.iter_mut().for_each(|(_, conn)| conn.shift_ms(by));
                Component::Client(Rc::new(client), conns)
            }
            Component::Shared(shared, conns) => {
                let mut conns = conns.clone();
                conns.iter_mut().for_each(|(_, conn)| conn.shift_ms(by));
                Component::Shared(shared.clone(), conns)
            }
            Component::Key(Some(stored)) => {
                let mut stored = stored.clone();
                stored.shift_ms(by);
                Component::Key(Some(stored))
            }
            Component::Entry(Some(effects)) => {
                let mut effects = effects.clone();
                Rc::make_mut(&mut effects).shift_ms(by);
                Component::Entry(Some(effects))
            }
            // The clients blocked there, and until when.
            Component::Node(node) => {
                let mut node = (**node).clone();
                node.instance.shift_waits_ms(by);
                Component::Node(Rc::new(node))
            }
            _ => return component,
        };
        let number = self.held[slot].number(moved);
        self.note_new(slot, number);
        self.moved.insert((slot as u32, component, by), number);
        number
    }

    /// Returns the slots that are due next, where stored times stay the same when the clock moves.
    /// If the next deadline is far away, returns all far ones.
    fn next_due(&mut self, view: &mut View) -> Vec<usize> {
        let clock = self.slot(&Slot::Clock);
        let component = view.slot(clock);
        let Component::Clock(now_ms) = *self.component(clock, component) else { return Vec::new() };
        let now = due_number(now_ms);
        let mut ahead = view.each(self, lens::DUE);
        ahead.retain_mut(|(slot, at)| match self.slots[*slot] {
            // An overdue key waits for its instance to come up.
            Slot::Key(node, ..) => (*at > now || *at == FAR) && self.is_up(node, view),
            _ => {
                *at = now.max(*at);
                true
            }
        });
        let first = ahead.iter().map(|(_, at)| *at).min();
        ahead.retain(|(_, at)| Some(*at) == first);
        ahead.into_iter().map(|(slot, _)| slot).collect()
    }
}
