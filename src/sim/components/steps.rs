//! The successors of a state by one actor, computed by the world itself from as few slots as the
//! step needs.
//!
//! To add a fault, give it an arm in `other_moves`: the slots that it reads and writes. The last
//! arm says that nothing happens, so a fault without an arm is never tried. `check oracle` notices
//! that, if `check::oracle::generate` allows the fault.

use std::rc::Rc;

use super::super::EVICTABLE_MAX;
use super::super::action::{Action, ClientId, NodeId, ProcessId};
use super::super::apply::Touched;
use super::super::client::{Call, CallKind, Client, State};
use super::super::scenario::Faults;
use super::super::world::World;
use super::conns::{are_within_reach, is_within_reach};
use super::{
    Assumption, Component, Needs, Slot, TRIED_MAX, Tried, Unfollowed, WorldComponents, is_redis,
    kind_of_fault, lens, runs,
};
use crate::checker::{Move, View};
use crate::engine::{Access, Use};
use crate::lua::Data;
use crate::mutant::{Mutant, is_on};

impl WorldComponents {
    /// Applies `action` in a world of the slots it needs, beginning with `needs`, and returns all
    /// that it needed.
    pub(super) fn attempt(
        &mut self,
        action: Action,
        mut needs: Needs,
        view: &mut View,
        out: &mut Vec<Move<Action>>,
    ) -> Needs {
        loop {
            self.join(&mut needs, view);
            let components =
                needs.slots.iter().map(|slot| (*slot as u32, needs.component(*slot, view)));
            let attempt = (action, components.collect::<Box<[(u32, u32)]>>());
            let tried = match self.tried.get(&attempt) {
                Some(tried) => tried.clone(),
                None => {
                    let (tried, is_all) = self.attempt_once(action, &needs, view);
                    if self.tried.len() >= TRIED_MAX {
                        self.tried.clear();
                    }
                    if is_all || is_on(Mutant::TriedForgotten) {
                        self.tried.insert(attempt, tried.clone());
                    }
                    tried
                }
            };
            match tried {
                Tried::Impossible => return needs,
                Tried::Done(writes) => {
                    out.push(Move { action, writes: writes.to_vec() });
                    return needs;
                }
                Tried::Chance(outcomes) => {
                    let Some(id) = action.runs() else { return needs };
                    for outcome in 0..outcomes {
                        let own = Needs::of(needs.slots.clone());
                        self.attempt(Action::Draw(id, outcome), own, view, out);
                    }
                    return needs;
                }
                Tried::Missing(missing) => needs.add_all(missing.iter().copied()),
            }
        }
    }

    /// Tries the action in a world of these slots. The flag is true if the result depends on their
    /// components alone; a command that reads the whole keyspace reads more of the state.
    fn attempt_once(&mut self, action: Action, needs: &Needs, view: &mut View) -> (Tried, bool) {
        let before = self.assemble(view, needs);
        self.check_assembled(&before, needs, view);
        let mut after = before.clone();
        let Ok(touched) = after.apply_logged(action) else {
            return (Tried::Impossible, true);
        };
        self.see(&touched, &before, action);
        self.see_ids(&after);
        let mut has_used_variables = touched.assumed.has(Assumption::Threads);
        let mut touched = touched.commands;
        let mut outcomes = 0;
        if touched.iter().any(|(_, access)| access.random) && !matches!(action, Action::Draw(..)) {
            let id = action.runs().unwrap_or(ClientId(u16::MAX));
            let drawn = before.drawn(id);
            outcomes = drawn.outcomes.len() as u8;
            // Telling one outcome from another may need everything that any outcome reads.
            has_used_variables |=
                drawn.touched.iter().any(|touched| touched.assumed.has(Assumption::Threads));
            touched.extend(drawn.touched.into_iter().flat_map(|touched| touched.commands));
            // The draw of a command whose reply is lost is not followed.
            let is_followed = outcomes > 0 && !drawn.is_cut;
            if !is_followed {
                self.leave_unfollowed(Unfollowed::Draw(command_of(&before, action)));
            }
        }
        let is_all =
            |(_, access): &(NodeId, Access)| !access.everything && access.keyspace.is_none();
        let is_all = touched.iter().all(is_all);
        let mut missing = self.missing(&touched, &before, &after, needs, view);
        if has_used_variables && !is_on(Mutant::VariablesForgotten) {
            let variables = self.slot(&Slot::Variables);
            missing.extend((!needs.has(variables)).then_some(variables));
        }
        if !missing.is_empty() {
            return (Tried::Missing(missing.into()), is_all);
        }
        if outcomes > 0 {
            self.has_chance = true;
            return (Tried::Chance(outcomes), is_all);
        }
        let writes = self.writes(&before, &after, needs, view);
        if self.exchange.is_asked()
            && !self.is_equivariant(action, needs, &writes, view)
            && !is_on(Mutant::TwinsUnlike)
        {
            self.exchange.failed = true;
        }
        (Tried::Done(writes.into()), is_all)
    }

    /// Returns the slots that differ afterwards, with their new components.
    pub(super) fn writes(
        &mut self,
        before: &World,
        after: &World,
        needs: &Needs,
        view: &mut View,
    ) -> Vec<(usize, u32)> {
        let mut writes = Vec::new();
        for &slot in &needs.slots {
            let held = needs.component(slot, view);
            let mut number = held;
            if self.is_untouched(before, after, slot, held) {
                self.check_slot(after, slot, held, 64);
            } else {
                let was = self.client_component(slot, held).map(|(client, _)| client);
                let component = self.read_off(after, &self.slots[slot], was);
                self.observed.see_component(&component);
                number = self.held[slot].number(component);
                self.note_new(slot, number);
            }
            if number != held || needs.is_overwritten(slot) {
                writes.push((slot, number));
            }
        }
        self.cleared(before, after, needs, &mut writes);
        self.copied(after, needs, &mut writes);
        writes
    }

    /// Returns true if a cheap comparison shows that a step left this slot as it was.
    fn is_untouched(&self, before: &World, after: &World, slot: usize, component: u32) -> bool {
        let same_node = |id: NodeId| {
            let at = id.index();
            Rc::ptr_eq(&before.nodes[at], &after.nodes[at])
        };
        // Times are counted from now.
        if before.now_ms != after.now_ms && !self.times_stay() {
            return false;
        }
        match self.slots[slot] {
            Slot::Node(id) | Slot::Key(id, ..) => same_node(id),
            Slot::Link(at) => Rc::ptr_eq(&before.links[at], &after.links[at]),
            Slot::Entry(at, place) => {
                let there = |world: &World| world.links[at].backlog.get(place).map(Rc::as_ptr);
                there(before) == there(after)
            }
            Slot::Client(id) => {
                let at = id.index();
                let connections = || match self.client_component(slot, component) {
                    Some((_, conns)) => self.conns_of(after, id, self.shift(after)) == *conns,
                    None => false,
                };
                Rc::ptr_eq(&before.clients[at], &after.clients[at])
                    && (after.setting.node_ids().all(same_node) || connections())
            }
            _ => false,
        }
    }

    /// Records the reads of an action.
    fn see(&mut self, touched: &Touched, before: &World, action: Action) {
        self.observed.see(touched);
        self.assumed.join(touched.assumed);
        touched.commands.iter().for_each(|(_, access)| self.assumed.see(access));
        if touched.has_drawn || touched.commands.iter().any(|(_, access)| access.lua_random) {
            self.leave_unfollowed(Unfollowed::Random);
        }
        if touched.commands.iter().any(|(_, access)| access.counters) {
            self.leave_unfollowed(Unfollowed::Counters(command_of(before, action)));
        }
    }

    /// Records what a new component shows: a deadline, values of globals, a client within reach of
    /// others, one that wants a mutex.
    pub(super) fn note_new(&mut self, slot: usize, number: u32) {
        match self.component(slot, number) {
            Component::Shared(_, conns) => self.reach |= are_within_reach(conns),
            Component::Sql(tables) => self.opened |= tables.has_open(),
            _ => {}
        }
        self.assumed.add(Assumption::Starts, self.is_timed(slot, number));
        let Some((client, conns)) = self.client_component(slot, number) else { return };
        let shares = client.connections().iter().any(|one| one.shared.is_some());
        let within_reach = is_within_reach(client, conns);
        let locks = matches!(client.call().map(|call| &call.kind), Some(CallKind::Lock { .. }));
        let values = (0..self.globals.len()).map(|at| (client.id, at));
        let values = values
            .filter(|of| !self.set.contains(of) && client.global(&self.globals[of.1]) != Data::Nil);
        let values: Vec<(ClientId, usize)> = values.collect();
        self.set.extend(values);
        self.reach |= within_reach;
        self.locks |= locks || shares;
        self.shares |= shares;
    }

    /// Returns the slots that an attempt reached for and did not have.
    pub(super) fn missing(
        &mut self,
        touched: &[(NodeId, Access)],
        before: &World,
        after: &World,
        needs: &Needs,
        view: &mut View,
    ) -> Vec<usize> {
        let mut missing = Vec::new();
        for (node, access) in touched {
            let is_used = |how: Use| how == Use::Write || !is_on(Mutant::KeyForgotten);
            for used in access.keys.iter().filter(|used| is_used(used.how)) {
                missing.push(self.slot(&Slot::Key(*node, used.db, used.key.clone())));
            }
            let sees_all = access.everything || access.keyspace.is_some();
            if sees_all && !is_on(Mutant::KeyspaceForgotten) {
                missing.extend(self.keys_of(*node, view));
            }
            if access.keyspace == Some(Use::Write) || access.everything {
                missing.extend((0..after.clients.len()).map(|at| self.client_slot(at)));
                missing.extend(self.numbers.get(&Slot::Shared));
            }
        }
        // Instances that changed though no log says so.
        for (at, (old, new)) in before.nodes.iter().zip(&after.nodes).enumerate() {
            let node = NodeId(at as u8);
            if !Rc::ptr_eq(old, new) {
                missing.push(self.slot(&Slot::Node(node)));
                if needs.emptied.contains(&node) {
                    continue;
                }
                for (db, key) in new.instance.key_names() {
                    missing.push(self.slot(&Slot::Key(node, db, key)));
                }
            }
        }
        for (at, (old, new)) in before.clients.iter().zip(&after.clients).enumerate() {
            if !Rc::ptr_eq(old, new) {
                missing.push(self.client_slot(at));
            }
        }
        missing.extend(self.changed_links(before, after));
        let changed = [
            (before.now_ms != after.now_ms, Slot::Clock),
            (before.routes != after.routes, Slot::Routes),
            (before.mutexes != after.mutexes, Slot::Mutexes),
            (before.variables != after.variables, Slot::Variables),
            (before.shared != after.shared, Slot::Shared),
            (before.sql != after.sql, Slot::Sql),
            (before.resources != after.resources, Slot::Resources),
        ];
        for (_, slot) in changed.iter().filter(|(changed, _)| *changed) {
            missing.push(self.slot(slot));
        }
        let (left, then) = (before.budget.left(), after.budget.left());
        let spent = (0..Faults::KINDS).filter(|kind| left[*kind] != then[*kind]);
        missing.extend(spent.map(|kind| self.slot(&Slot::Budget(kind))));
        missing.retain(|slot| !needs.has(*slot));
        missing
    }

    /// Returns a client's slot: the clients' slots come first.
    pub(super) fn client_slot(&self, at: usize) -> usize {
        debug_assert!(matches!(self.slots.get(at), Some(Slot::Client(id)) if id.index() == at));
        at
    }

    /// Adds what every run of a program may need: the clock, and the mutexes while one is held.
    pub(super) fn surroundings(&mut self, view: &mut View, needs: &mut Needs) {
        if self.known.clock {
            needs.add(self.slot(&Slot::Clock));
        }
        self.held_mutexes(view, needs);
    }

    fn held_mutexes(&mut self, view: &mut View, needs: &mut Needs) {
        let mutexes = self.slot(&Slot::Mutexes);
        if self.locks && view.fact(self, lens::HELD, mutexes) != 0 && !is_on(Mutant::MutexForgotten)
        {
            needs.add(mutexes);
        }
        // A program that ends leaves its transaction.
        if self.opened {
            let sql = self.slot(&Slot::Sql);
            if view.fact(self, lens::HELD, sql) != 0 {
                needs.add(sql);
            }
        }
    }

    /// Adds what a statement reads where transactions are open: the tables, and the statements of
    /// the clients whose transactions may be in its way.
    pub(super) fn join_rows(&mut self, needs: &mut Needs, view: &mut View) {
        if !self.opened {
            return;
        }
        let sql = self.slot(&Slot::Sql);
        let mut is_met = needs.has(sql);
        for at in (0..self.start.clients.len()).filter(|at| needs.has(*at)) {
            let client = self.client_component(at, needs.component(at, view));
            let call = client.and_then(|(client, _)| client.ready()).map(|call| &call.kind);
            is_met |= matches!(call, Some(CallKind::Sql(_)));
        }
        if is_met {
            needs.add(sql);
            if let Component::Sql(tables) = self.component(sql, needs.component(sql, view)) {
                let owners: Vec<usize> = tables.open().map(|id| id.index()).collect();
                needs.add_all(owners);
            }
        }
    }

    /// Adds the variables and shared connections of a process of which a client crashes, and its
    /// other clients: with the last one they go.
    fn things_of(&mut self, process: ProcessId, view: &mut View, needs: &mut Needs) {
        if let Some(&shared) = self.numbers.get(&Slot::Shared)
            && view.fact(self, lens::KEPT, shared) != 0
        {
            needs.add(shared);
        }
        let Some(&variables) = self.numbers.get(&Slot::Variables) else { return };
        if view.fact(self, lens::KEPT, variables) != 0 {
            needs.add(variables);
            let members = self.start.setting.members(process).iter();
            needs.add_all(members.map(|id| self.client_slot(id.index())).collect::<Vec<_>>());
        }
    }

    /// Adds what every command may need: the serving instance, its replicas, and the clients it can
    /// reach.
    pub(super) fn server(&mut self, node: NodeId, view: &mut View, needs: &mut Needs) {
        let mut serving = node;
        if !self.start.links.is_empty() {
            // After a failover another one serves.
            let routes = self.slot(&Slot::Routes);
            needs.add(routes);
            if let Component::Routes(routes) = self.component(routes, view.slot(routes)) {
                serving = if is_on(Mutant::RoutesForgotten) { node } else { routes[node.index()] };
            }
        }
        needs.add(self.slot(&Slot::Node(serving)));
        // One that is down does not answer.
        if self.is_up(serving, view) {
            if !is_on(Mutant::LinksForgotten) {
                needs.add_all(self.link_slots());
            }
            self.within_reach(view, needs);
        }
    }

    pub(super) fn all_nodes(&mut self) -> Vec<usize> {
        (0..self.start.nodes.len()).map(|at| self.slot(&Slot::Node(NodeId(at as u8)))).collect()
    }

    pub(super) fn within_reach(&mut self, view: &mut View, needs: &mut Needs) {
        if self.reach && !is_on(Mutant::ReachForgotten) {
            needs.add_all(self.found(lens::WITHIN_REACH, view));
        }
    }

    pub(super) fn client_moves(
        &mut self,
        id: ClientId,
        view: &mut View,
        out: &mut Vec<Move<Action>>,
    ) {
        let home = self.client_slot(id.index());
        let local = view.slot(home);
        let Some((client, _)) = self.client_component(home, local) else { return };
        if runs(client, self.start.setting.wire) == 0 {
            return;
        }
        let (action, call) = match client.state() {
            State::Ready(call) if self.start.setting.wire && is_redis(&call.kind) => {
                (Action::Send(id), call.clone())
            }
            State::Sent(call) => (Action::Execute(id), call.clone()),
            State::Answered(call, _) => (Action::Reply(id), call.clone()),
            State::Ready(call) => (Action::Step(id), call.clone()),
            _ => return,
        };
        let mut needs = Needs::of(vec![home]);
        self.call_needs(action, &call.kind, view, &mut needs);
        self.attempt(action, needs, view, out);
    }

    pub(super) fn call_needs(
        &mut self,
        action: Action,
        kind: &CallKind,
        view: &mut View,
        needs: &mut Needs,
    ) {
        let executes = !matches!(action, Action::Send(_) | Action::Reply(_));
        match kind {
            CallKind::Redis { node, .. } if executes => self.server(*node, view, needs),
            CallKind::Close { node, .. } => self.server(*node, view, needs),
            CallKind::Sql(_) => needs.add(self.slot(&Slot::Sql)),
            CallKind::Resource { .. } => needs.add(self.slot(&Slot::Resources)),
            CallKind::Lock { .. } => needs.add(self.slot(&Slot::Mutexes)),
            _ => {}
        }
        self.surroundings(view, needs);
    }

    /// Returns what is left of the budget of a kind of fault.
    pub(super) fn budget_left(&mut self, kind: usize, view: &mut View) -> u8 {
        if self.empty.budget.left()[kind] == 0 {
            return 0;
        }
        let slot = self.slot(&Slot::Budget(kind));
        let left = view.slot(slot) as u8;
        debug_assert_eq!(self.component(slot, left.into()), &Component::Budget(left));
        left
    }

    /// Returns true if this client can go on, and waits for no mutex and no row.
    pub(super) fn runs_freely(&mut self, home: usize, view: &mut View) -> bool {
        view.fact(self, lens::RUNS_FREELY, home) != 0
            || !self.opened && view.fact(self, lens::WANTS_ROWS, home) != 0
    }

    pub(super) fn any_runs_freely(&mut self, view: &mut View) -> bool {
        view.any(self, lens::RUNS_FREELY) || !self.opened && view.any(self, lens::WANTS_ROWS)
    }

    /// Returns true if some client is able to go on by itself.
    pub(super) fn somebody_runs(&mut self, view: &mut View) -> bool {
        if self.any_runs_freely(view) {
            return true;
        }
        if !(self.locks || self.opened) || is_on(Mutant::WantsForgotten) {
            return false;
        }
        let mut needs = Needs::of(self.found(lens::WANTS_MUTEX, view));
        needs.add_all(self.found(lens::WANTS_ROWS, view));
        if needs.slots.is_empty() {
            return false;
        }
        needs.add(self.slot(&Slot::Mutexes));
        self.join(&mut needs, view);
        let world = self.assemble(view, &needs);
        world.ids().any(|id| world.next_of(id).is_some())
    }

    pub(super) fn other_moves(
        &mut self,
        action: Action,
        view: &mut View,
        out: &mut Vec<Move<Action>>,
    ) {
        let mut needs = Needs::default();
        if let Some(kind) = kind_of_fault(action) {
            if self.budget_left(kind, view) == 0 {
                return;
            }
            needs.add(self.slot(&Slot::Budget(kind)));
        }
        if self.is_idle(action, view) || self.can_wait(action, view) {
            return;
        }
        match action {
            Action::Pause(id) | Action::JumpClient(id) => {
                needs.add(self.client_slot(id.index()));
                // A pause that time ends begins now.
                needs.add_all(self.known.clock.then(|| self.slot(&Slot::Clock)));
            }
            Action::LoseReply(id) | Action::LoseRequest(id) | Action::Cancel(id) => {
                let home = self.client_slot(id.index());
                let local = view.slot(home);
                let Some((client, _)) = self.client_component(home, local) else { return };
                let Some(call) = self.call_to_end(client, action) else { return };
                needs.add(home);
                self.call_needs(action, &call.kind, view, &mut needs);
            }
            Action::Crash(id) => {
                needs.add(self.client_slot(id.index()));
                self.held_mutexes(view, &mut needs);
                self.things_of(self.start.process(id), view, &mut needs);
            }
            Action::Resume(id) => {
                needs.add(self.client_slot(id.index()));
                self.surroundings(view, &mut needs);
            }
            Action::PauseProcess(id) | Action::ResumeProcess(id) | Action::CrashProcess(id) => {
                let members = self.start.setting.members(id).to_vec();
                needs.add_all(members.into_iter().map(|id| self.client_slot(id.index())));
                self.surroundings(view, &mut needs);
                if let Action::CrashProcess(_) = action {
                    self.things_of(id, view, &mut needs);
                }
            }
            Action::Replicate(at) => {
                let Some(of_backlog) = self.backlog_of(at, view) else { return };
                needs.add_all(of_backlog);
                needs.add_all(self.all_nodes());
                self.within_reach(view, &mut needs);
                self.waiting(view, &mut needs);
                self.surroundings(view, &mut needs);
            }
            Action::Rewind(at) => self.rewind_needs(at, view, &mut needs),
            Action::Evict(at, _) => return self.evictions(at, needs, view, out),
            // With replicas, what happens to the data of one instance happens to others.
            _ if self.goes_on_to_replicas(action, view) => {
                self.data_moves(action, view, &mut needs)
            }
            Action::JumpNode(at) | Action::Up(at) | Action::Down(at) | Action::Restart(at) => {
                needs.add(self.slot(&Slot::Node(at)));
                needs.add(self.slot(&Slot::Routes));
                self.surroundings(view, &mut needs);
                self.instance_needs(action, view, &mut needs);
                needs.emptied.extend(matches!(action, Action::Restart(_)).then_some(at));
            }
            // No instance can take its place, and none follows it.
            _ => return,
        }
        let others = out.len();
        let needs = self.attempt(action, needs, view, out);
        self.forget_keys(&needs, view, &mut out[others..]);
    }

    /// Adds a move for each connection on which a message may arrive at this client.
    pub(super) fn arrivals(&mut self, id: ClientId, view: &mut View, out: &mut Vec<Move<Action>>) {
        let home = self.client_slot(id.index());
        let local = view.slot(home);
        let Some((client, _)) = self.client_component(home, local) else { return };
        for connection in client.arrivals().collect::<Vec<u8>>() {
            let mut needs = Needs::of(vec![home]);
            self.surroundings(view, &mut needs);
            self.attempt(Action::Arrive(id, connection), needs, view, out);
        }
    }

    /// Adds what a restart with a snapshot needs: each key that the instance has now is written,
    /// and each that it had in the beginning.
    fn rewind_needs(&mut self, at: NodeId, view: &mut View, needs: &mut Needs) {
        needs.add(self.slot(&Slot::Node(at)));
        needs.add(self.slot(&Slot::Routes));
        needs.add_all(self.link_slots());
        needs.add_all(self.keys_of(at, view));
        self.surroundings(view, needs);
        self.cut_off(at, view, needs);
    }

    /// Adds a move for each key that the instance may drop. Which one has which number depends on
    /// which keys there are.
    fn evictions(
        &mut self,
        at: NodeId,
        mut needs: Needs,
        view: &mut View,
        out: &mut Vec<Move<Action>>,
    ) {
        needs.add(self.slot(&Slot::Node(at)));
        // Whether it is a master, and who follows it.
        needs.add_all(self.link_slots());
        if !is_on(Mutant::EvictableForgotten) {
            needs.add_all(self.keys_of(at, view));
        }
        self.within_reach(view, &mut needs);
        self.surroundings(view, &mut needs);
        let keys = self.assemble(view, &needs).all_evictable(at).len();
        if keys > EVICTABLE_MAX {
            self.leave_unfollowed(Unfollowed::Evicted);
        }
        for number in 0..keys.min(EVICTABLE_MAX) as u8 {
            needs = self.attempt(Action::Evict(at, number), needs, view, out);
        }
    }

    /// Returns the call whose request or reply the client loses, or which is cancelled.
    fn call_to_end(&self, client: &Client, action: Action) -> Option<Call> {
        let wire = self.start.setting.wire;
        let is_request = matches!(action, Action::LoseRequest(_));
        match client.state() {
            _ if client.paused.is_some() => None,
            State::Answered(call, _) if wire && !is_request => Some(call.clone()),
            State::Sent(call) if is_request => Some(call.clone()),
            State::Ready(call) if !wire || matches!(call.kind, CallKind::Sql(_)) => {
                Some(call.clone())
            }
            State::Blocked(call) if matches!(action, Action::Cancel(_)) => Some(call.clone()),
            _ => None,
        }
    }

    /// Returns true if there is nothing to repair, or nothing left to break.
    fn is_idle(&mut self, action: Action, view: &mut View) -> bool {
        match action {
            Action::Resume(id) => {
                let home = self.client_slot(id.index());
                view.fact(self, lens::PAUSED, home) == 0
            }
            Action::Up(at) => self.is_up(at, view),
            Action::Down(at) | Action::Evict(at, _) => !self.is_up(at, view),
            _ => false,
        }
    }

    /// Returns true if the action concerns more than one instance, in a world with replicas.
    fn goes_on_to_replicas(&mut self, action: Action, view: &mut View) -> bool {
        !self.start.links.is_empty()
            && match action {
                Action::Up(_) => view.any(self, lens::BEHIND),
                Action::Restart(_) | Action::Failover(_) => true,
                _ => false,
            }
    }

    pub(super) fn is_up(&mut self, at: NodeId, view: &mut View) -> bool {
        let home = self.slot(&Slot::Node(at));
        view.fact(self, lens::UP, home) != 0
    }

    /// Returns true if an instance's clock jumps and nothing is due by that clock.
    fn only_its_clock(&mut self, action: Action, view: &mut View) -> bool {
        match action {
            Action::JumpNode(at) => !view.any(self, lens::TIMED_AT + u16::from(at.0)),
            _ => false,
        }
    }

    /// Adds the slots needed when something happens to an instance.
    fn instance_needs(&mut self, action: Action, view: &mut View, needs: &mut Needs) {
        match action {
            Action::Down(at) | Action::Restart(at) => self.cut_off(at, view, needs),
            _ if self.only_its_clock(action, view) => {}
            Action::JumpNode(at) | Action::Up(at) => {
                // Keys may turn out to have expired.
                needs.add_all(self.found(lens::TIMED_AT + u16::from(at.0), view));
                self.within_reach(view, needs);
            }
            _ => {}
        }
    }

    /// Adds the clients whose connections to an instance are cut when it fails.
    pub(super) fn cut_off(&mut self, at: NodeId, view: &mut View, needs: &mut Needs) {
        needs.add_all(self.found(lens::CUT_WITH + u16::from(at.0), view));
        self.within_reach(view, needs);
    }
}

/// Returns the name of the command that a client's action executes; empty for other actions.
fn command_of(before: &World, action: Action) -> String {
    let call = action.runs().and_then(|id| before.client(id)?.call());
    let name = call.and_then(|call| call.argv().first());
    name.map(|name| crate::resp::lossy(name).to_uppercase()).unwrap_or_default()
}
