//! One run of a crowd: events in the order of their times, each an action of the world.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;

use crate::lua::memo::Memo;
use crate::resp::Bytes;
use crate::sim::{
    Action, CROWD_MAX, CallKind, Client, ClientId, Fate, Faults, NodeId, ProcessId, START_MS,
    StartError, State, World,
};

use super::job::{CrowdFacts, Having, Sum, Watched};
use super::tally::jain;
use super::{Arrival, Job, Pcg, Plan, Tally};

/// The most events of one run.
pub const EVENTS_MAX: u64 = 100_000_000;

/// The most calls that are recorded for [`super::reduce()`].
const CALLS_KEPT: usize = 200_000;

const MS: u64 = 1_000_000;

/// A call, and the request that made it: the order of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Called {
    pub request: u32,
    /// The program that it ran.
    pub program: u32,
}

/// An event, ordered by time, then by when it was scheduled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    at: u64,
    number: u64,
    what: Happening,
    /// The number of a client, or of a place.
    of: u32,
    /// The place's turn at scheduling: the event is void if the place has gone on meanwhile.
    turn: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    /// A client's next request arrives.
    Arrive,
    /// A command arrives at its instance.
    Serve,
    /// A reply arrives at its client.
    Reply,
    /// A sleep or a wait ends.
    Wake,
    /// A pause ends.
    Resume,
    /// A call to something beside Redis arrives.
    Outside,
    /// The answer of such a call arrives.
    Proceed,
    /// Something on an instance may be due, for which a client waits.
    Expire,
}

/// A place, and the request that it is running.
#[derive(Debug, Clone, Default)]
struct PlaceState {
    process: u32,
    client: u32,
    request: u32,
    program: u32,
    arrived: u64,
    /// The part of its time spent waiting.
    waited: u64,
    /// The time since which it waits for a mutex or for a push.
    since: u64,
    turn: u32,
    having: Having,
}

#[derive(Debug, Clone, Default)]
struct Host {
    clock_ms: i64,
    places: u32,
    free: Vec<u32>,
    /// Requests that wait for a thread: the client, and since when.
    queue: VecDeque<(u32, u64)>,
    /// Places that wait for each mutex, longest wait first.
    locked: Vec<(Bytes, VecDeque<u32>)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Asker {
    left: u32,
    ended: u32,
    response: f64,
}

/// A run of one seed.
#[derive(Debug)]
pub struct Run {
    plan: Plan,
    job: Rc<Job>,
    world: World,
    /// The memoised programs; `None`: every program is run.
    memo: Option<Memo>,
    pcg: Pcg,
    due: BinaryHeap<Reverse<Due>>,
    /// The number of events scheduled so far.
    number: u64,
    now: u64,
    places: Vec<PlaceState>,
    hosts: Vec<Host>,
    askers: Vec<Asker>,
    /// The time at which each instance is free again.
    free_at: Vec<u64>,
    /// Places that get a reply or a message only by another event.
    parked: Vec<u32>,
    /// Places that can go on at once.
    ready: Vec<u32>,
    /// The time of the next [`Happening::Expire`].
    expire_at: u64,
    under_way: u64,
    requests: u32,
    sums: Vec<Sum>,
    watched: Vec<Watched>,
    calls: Option<Vec<Called>>,
    events_max: u64,
    tally: Tally,
    done: bool,
}

impl Run {
    /// Starts a run; the error is a mistake of the job's author.
    pub fn new(plan: &Plan, job: &Rc<Job>, seed: u64) -> Result<Run, StartError> {
        let mut world = World::empty(&job.scenario)?;
        let instances = world.nodes().len();
        for down in 0..(plan.down as usize).min(instances) {
            world.set_budget(Faults { down: 1, ..Faults::default() });
            // It is up, and there is a budget: this cannot fail.
            let _ = world.apply_unseen(Action::Down(NodeId((instances - 1 - down) as u8)));
        }
        let clients = plan.clients.clamp(1, CROWD_MAX as u32);
        let processes = if plan.processes == 0 { clients } else { plan.processes.min(clients) };
        let mut pcg = Pcg::new(seed, 1);
        let skew = i64::from(plan.skew_ms);
        let hosts = (0..processes).map(|_| Host {
            clock_ms: i64::from(pcg.below(2 * plan.skew_ms + 1)) - skew,
            ..Host::default()
        });
        let mut run = Run {
            world,
            memo: Some(Memo::default()),
            due: BinaryHeap::new(),
            number: 0,
            now: 0,
            places: Vec::new(),
            hosts: hosts.collect(),
            askers: vec![Asker { left: plan.requests, ..Asker::default() }; clients as usize],
            free_at: vec![0; instances],
            parked: Vec::new(),
            ready: Vec::new(),
            expire_at: u64::MAX,
            under_way: 0,
            requests: 0,
            sums: vec![Sum::default(); job.globals.len()],
            watched: vec![Watched::default(); job.watched.len()],
            calls: None,
            events_max: EVENTS_MAX,
            tally: Tally { seed, busy_ns: vec![0; instances], ..Tally::default() },
            done: job.programs.is_empty(),
            plan: plan.clone(),
            job: job.clone(),
            pcg,
        };
        run.first_arrivals();
        Ok(run)
    }

    /// Cuts the run after this number of events.
    pub fn within(mut self, events: u64) -> Run {
        self.events_max = events.min(EVENTS_MAX);
        self
    }

    /// Also records the order of the calls.
    pub fn recording(mut self) -> Run {
        self.calls = Some(Vec::new());
        self
    }

    /// Switches memoisation off; the results must be the same.
    #[cfg(test)]
    pub fn forgetting(self) -> Run {
        Run { memo: None, ..self }
    }

    pub fn calls(&self) -> &[Called] {
        self.calls.as_deref().unwrap_or_default()
    }

    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the number of requests that have ended.
    pub fn ended(&self) -> u64 {
        self.tally.ended()
    }

    pub fn events(&self) -> u64 {
        self.tally.events
    }

    /// Advances by this number of events; true when the run is over.
    pub fn advance(&mut self, events: u64) -> bool {
        let Some(mut memo) = self.memo.take() else { return self.go_on_for(events) };
        let over = memo.during(|| self.go_on_for(events));
        self.memo = Some(memo);
        over
    }

    fn go_on_for(&mut self, events: u64) -> bool {
        for _ in 0..events {
            if self.done {
                break;
            }
            let Some(Reverse(due)) = self.due.pop() else {
                self.tally.deadlocked = self.under_way > 0 || self.is_queued();
                self.done = true;
                break;
            };
            if due.at > u64::from(self.plan.limit_ms) * MS || self.tally.events >= self.events_max {
                self.tally.cut = true;
                self.done = true;
                break;
            }
            if self.is_void(&due) {
                continue;
            }
            debug_assert!(due.at >= self.now, "an event of the past comes now");
            self.tally.presence += (due.at - self.now) as f64 * self.under_way as f64;
            self.now = due.at;
            self.tally.events += 1;
            self.world.set_now_ms(START_MS + due.at / MS);
            self.happen(due);
        }
        self.done
    }

    /// Returns the results. `Err` names a measure that cannot be taken, and why.
    pub fn finish(mut self) -> Result<Tally, String> {
        let queued: u64 = self.hosts.iter().map(|host| host.queue.len() as u64).sum();
        self.tally.stuck = self.under_way + queued;
        self.tally.end_ns = self.now;
        let means = self.askers.iter().filter(|asker| asker.ended > 0);
        self.tally.fairness = jain(means.map(|asker| asker.response / f64::from(asker.ended)));
        // The globals of requests that never ended count too.
        for at in 0..self.places.len() as u32 {
            let client = self.client(at);
            if client.is_some_and(|client| !client.is_over()) {
                self.take_globals(at, Fate::Alive);
            }
        }
        let mut watched = self.watched.iter();
        let mut facts = CrowdFacts {
            of_world: self.world.facts(),
            names: &self.job.globals,
            sums: &self.sums,
            done: self.tally.finished,
            read: None,
        };
        let mut values = Vec::new();
        for measure in &self.job.measures {
            values.push(measure.value(&mut facts, &mut watched)?);
        }
        drop(facts);
        self.tally.values = values;
        Ok(self.tally)
    }

    // ---- Arrivals -------------------------------------------------------------------------------

    fn first_arrivals(&mut self) {
        let clients = self.askers.len() as u64;
        for client in 0..clients as u32 {
            match self.plan.arrival {
                Arrival::AtOnce => self.put(0, Happening::Arrive, client, 0),
                Arrival::Ramp => {
                    let over = u64::from(self.plan.ramp_ms) * MS;
                    self.put(over * u64::from(client) / clients, Happening::Arrive, client, 0);
                }
                Arrival::Poisson => {}
            }
        }
        if self.plan.arrival == Arrival::Poisson {
            self.next_of_stream(0);
        }
    }

    /// Schedules the next request of an open stream; its clients take turns.
    fn next_of_stream(&mut self, client: u32) {
        let gap = self.pcg.exponential(1e9 / f64::from(self.plan.rate)) as u64;
        self.put(self.now + gap, Happening::Arrive, client, 0);
    }

    fn arrive(&mut self, client: u32) {
        let asker = &mut self.askers[client as usize];
        asker.left = asker.left.saturating_sub(1);
        let number = self.tally.arrived;
        self.tally.arrived += 1;
        if self.plan.arrival == Arrival::Poisson && self.tally.arrived < self.plan.total() {
            self.next_of_stream((client + 1) % self.askers.len() as u32);
        }
        let host = match self.plan.processes {
            0 => client % self.hosts.len() as u32,
            _ => (number % self.hosts.len() as u64) as u32,
        };
        match self.place_in(host) {
            Some(place) => self.start(place, client, self.now),
            None => self.hosts[host as usize].queue.push_back((client, self.now)),
        }
    }

    /// Returns a free thread, or a new one if the process may have one more.
    fn place_in(&mut self, host: u32) -> Option<u32> {
        let at = &mut self.hosts[host as usize];
        if let Some(place) = at.free.pop() {
            return Some(place);
        }
        if self.plan.threads > 0 && at.places >= self.plan.threads {
            return None;
        }
        let program = &self.job.programs[0];
        let id = self.world.add_place(ProcessId(host as u16), program, at.clock_ms)?;
        at.places += 1;
        self.places.push(PlaceState { process: host, ..PlaceState::default() });
        Some(u32::from(id.0))
    }

    fn start(&mut self, at: u32, client: u32, arrived: u64) {
        self.under_way += 1;
        let request = self.requests;
        self.requests += 1;
        let which = client as usize % self.job.programs.len();
        let place = &mut self.places[at as usize];
        place.client = client;
        place.request = request;
        place.program = which as u32;
        place.arrived = arrived;
        place.waited = self.now - arrived;
        place.turn += 1;
        self.world.begin(id(at), &self.job.programs[which]);
        self.ran(at);
    }

    // ---- Events ---------------------------------------------------------------------------------

    fn put(&mut self, at: u64, what: Happening, of: u32, turn: u32) {
        self.number += 1;
        self.due.push(Reverse(Due { at, number: self.number, what, of, turn }));
    }

    /// Schedules an event of a place, which is void if the place goes on otherwise.
    fn put_for(&mut self, at: u64, what: Happening, place: u32) {
        let state = &mut self.places[place as usize];
        state.turn += 1;
        let turn = state.turn;
        self.put(at, what, place, turn);
    }

    fn is_void(&self, due: &Due) -> bool {
        match due.what {
            Happening::Arrive => false,
            Happening::Expire => due.at != self.expire_at,
            _ => self.places[due.of as usize].turn != due.turn,
        }
    }

    fn happen(&mut self, due: Due) {
        match due.what {
            Happening::Arrive => self.arrive(due.of),
            Happening::Serve => self.serve(due.of),
            Happening::Reply => {
                self.apply(Action::Reply(id(due.of)));
                self.ran(due.of);
            }
            Happening::Wake => {
                self.world.wake(id(due.of));
                self.unpark(due.of);
                self.ran(due.of);
            }
            Happening::Resume => {
                self.apply(Action::Resume(id(due.of)));
                self.send(due.of);
            }
            Happening::Outside => {
                self.note(due.of);
                self.apply(Action::Step(id(due.of)));
                let back = self.way();
                self.put_for(self.now + back, Happening::Proceed, due.of);
            }
            Happening::Proceed => self.ran(due.of),
            Happening::Expire => {
                self.expire_at = u64::MAX;
                self.world.expire_all();
                self.look_at_parked(self.now);
            }
        }
        self.go_on();
    }

    /// Applies an action and says whether it was possible; an impossible one changes nothing.
    fn apply(&mut self, action: Action) -> bool {
        self.world.apply_unseen(action).is_ok()
    }

    /// Executes a command at its instance, when those before it are done.
    fn serve(&mut self, at: u32) {
        let call = self.client(at).and_then(Client::call);
        let Some(node) = call.and_then(|call| call.node()) else { return };
        let node = self.world.serving(node).index();
        self.note(at);
        if !self.world.nodes()[node].up {
            self.apply(Action::Execute(id(at)));
            return self.ran(at);
        }
        let start = self.now.max(self.free_at[node]);
        self.world.set_now_ms(START_MS + start / MS);
        let work = |world: &World| world.nodes()[node].instance.work();
        let before = work(&self.world);
        self.apply(Action::Execute(id(at)));
        let did = work(&self.world).saturating_sub(before);
        let service = u64::from(self.plan.command_ns) + did * u64::from(self.plan.instruction_ns);
        let done = start + service;
        self.free_at[node] = done;
        self.tally.busy_ns[node] += service;
        self.tally.commands += 1;
        self.tally.queueing.add(start - self.now);
        self.places[at as usize].waited += start - self.now;
        match self.world.is_parked(id(at)) {
            true => self.park(at),
            false => self.reply(at, done),
        }
        self.look_at_parked(done);
        self.world.set_now_ms(START_MS + self.now / MS);
    }

    /// Sends a reply.
    fn reply(&mut self, at: u32, when: u64) {
        let back = self.way();
        self.put_for(when + back, Happening::Reply, at);
    }

    /// Draws the time of one way through the network.
    fn way(&mut self) -> u64 {
        let half = |us: u32| f64::from(us) * 500.0;
        let mean = half(self.plan.rtt_us);
        // Two halves, each with 1/√2 of the deviation, have the whole's.
        let deviation = f64::from(self.plan.jitter_us) * 1000.0 / core::f64::consts::SQRT_2;
        self.plan.spread.draw(mean, deviation, &mut self.pcg) as u64
    }

    // ---- Programs -------------------------------------------------------------------------------

    /// Handles a place whose program has run on: it has a new call, or has ended.
    fn ran(&mut self, at: u32) {
        self.look_at_watched(at);
        self.ready.push(at);
    }

    /// Lets every ready place run on, until none is ready.
    fn go_on(&mut self) {
        while let Some(at) = self.ready.pop() {
            self.proceed(at);
            self.grant(self.places[at as usize].process);
        }
    }

    fn proceed(&mut self, at: u32) {
        let Some(client) = self.client(at) else { return };
        match client.state() {
            State::Ready(call) => match &call.kind {
                CallKind::Lock { .. } => self.lock(at),
                CallKind::Receive { .. }
                | CallKind::Close { .. }
                | CallKind::Variable(_)
                | CallKind::Again
                | CallKind::Wake(_) => {
                    self.note(at);
                    self.apply(Action::Step(id(at)));
                    match self.world.is_parked(id(at)) {
                        true => self.park(at),
                        false => self.ran(at),
                    }
                }
                CallKind::Redis { .. } | CallKind::Sql(_) | CallKind::Resource { .. } => {
                    self.set_out(at);
                }
            },
            State::Sleeping { until_ms } => {
                let ms = until_ms.saturating_sub(self.world.now_ms());
                self.tally.sleeps += 1;
                self.places[at as usize].waited += ms * MS;
                self.put_for(self.now + ms * MS, Happening::Wake, at);
            }
            State::Unanswered { until_ms, .. } => {
                let until = until_ms.saturating_sub(START_MS) * MS;
                self.put_for(until.max(self.now), Happening::Wake, at);
            }
            State::Answered(..) => {
                self.apply(Action::Reply(id(at)));
                self.ran(at);
            }
            State::Done => self.end(at, Fate::Done),
            State::Failed(_) => self.end(at, Fate::Failed),
            State::Crashed => self.end(at, Fate::Crashed),
            State::Blocked(_) | State::Waiting(..) | State::Receiving { .. } => self.park(at),
            State::Sent(_) | State::Idle => {}
        }
    }

    /// Sends a call, unless a fault of the thread happens before.
    fn set_out(&mut self, at: u32) {
        if self.pcg.happens(self.plan.crash_ppm) {
            self.world.set_budget(Faults { crash: 1, ..Faults::default() });
            if self.apply(Action::Crash(id(at))) {
                return self.ran(at);
            }
        }
        if self.pcg.happens(self.plan.pause_ppm) {
            self.world.set_budget(Faults { pause: 1, ..Faults::default() });
            if self.apply(Action::Pause(id(at))) {
                let until = self.now + u64::from(self.plan.pause_ms) * MS;
                return self.put_for(until, Happening::Resume, at);
            }
        }
        self.send(at);
    }

    fn send(&mut self, at: u32) {
        let there = self.now + self.way();
        match self.apply(Action::Send(id(at))) {
            true => self.put_for(there, Happening::Serve, at),
            false => self.put_for(there, Happening::Outside, at),
        }
    }

    fn lock(&mut self, at: u32) {
        let Some(call) = self.client(at).and_then(Client::ready) else { return };
        let CallKind::Lock { name } = &call.kind else { return };
        let name = name.clone();
        if self.apply(Action::Step(id(at))) {
            self.note(at);
            return self.ran(at);
        }
        let place = &mut self.places[at as usize];
        place.since = self.now;
        let locked = &mut self.hosts[place.process as usize].locked;
        match locked.iter_mut().find(|(known, _)| *known == name) {
            Some((_, queue)) => queue.push_back(at),
            None => locked.push((name, VecDeque::from([at]))),
        }
    }

    /// Grants each free mutex of a process to the client that has waited longest for it.
    fn grant(&mut self, host: u32) {
        for name in 0..self.hosts[host as usize].locked.len() {
            let first = self.hosts[host as usize].locked[name].1.front().copied();
            let Some(at) = first.filter(|at| self.apply(Action::Step(id(*at)))) else { continue };
            self.hosts[host as usize].locked[name].1.pop_front();
            self.note(at);
            let place = &mut self.places[at as usize];
            place.waited += self.now - place.since;
            self.ran(at);
        }
    }

    /// Ends a request; the thread takes the next one.
    fn end(&mut self, at: u32, fate: Fate) {
        self.under_way -= 1;
        match fate {
            Fate::Failed => self.tally.failed += 1,
            Fate::Crashed => self.tally.crashed += 1,
            _ => self.tally.finished += 1,
        }
        self.take_globals(at, fate);
        let place = &mut self.places[at as usize];
        for (bit, watched) in self.watched.iter_mut().enumerate() {
            watched.end(bit, &place.having);
        }
        place.having = Having::default();
        place.turn += 1;
        let (client, host) = (place.client, place.process as usize);
        let response = self.now - place.arrived;
        self.tally.response.add(response);
        self.tally.waiting.add(place.waited.min(response));
        let asker = &mut self.askers[client as usize];
        asker.ended += 1;
        asker.response += response as f64;
        if self.plan.arrival != Arrival::Poisson && asker.left > 0 {
            let think = match self.plan.think_ms {
                0 => 0,
                ms => self.pcg.exponential(f64::from(ms) * MS as f64) as u64,
            };
            self.put(self.now + think, Happening::Arrive, client, 0);
        }
        match self.hosts[host].queue.pop_front() {
            Some((client, arrived)) => self.start(at, client, arrived),
            None => self.hosts[host].free.push(at),
        }
    }

    fn take_globals(&mut self, at: u32, fate: Fate) {
        let Some(client) = self.world.client(id(at)) else { return };
        for (name, sum) in self.job.globals.iter().zip(&mut self.sums) {
            sum.add(&client.global(name), fate);
        }
    }

    fn look_at_watched(&mut self, at: u32) {
        if self.watched.is_empty() {
            return;
        }
        let Some(client) = self.world.client(id(at)) else { return };
        let place = &mut self.places[at as usize];
        let since = self.now - place.arrived;
        for (bit, (watched, name)) in self.watched.iter_mut().zip(&self.job.watched).enumerate() {
            watched.see(bit, client.global(name).truthy(), &mut place.having, since);
        }
    }

    // ---- Waiting for others ---------------------------------------------------------------------

    fn park(&mut self, at: u32) {
        self.places[at as usize].since = self.now;
        self.parked.push(at);
        let Some(client) = self.world.client(id(at)) else { return };
        let until_ms = client.deadline_ms();
        if let Some(until_ms) = until_ms {
            let until = until_ms.saturating_sub(START_MS) * MS;
            self.put_for(until.max(self.now), Happening::Wake, at);
        }
        self.expect_expiry();
    }

    fn unpark(&mut self, at: u32) {
        if let Some(place) = self.parked.iter().position(|parked| *parked == at) {
            self.parked.swap_remove(place);
            let state = &mut self.places[at as usize];
            state.waited += self.now.saturating_sub(state.since);
        }
    }

    /// Lets the parked places run on that an event at `when` (ns) has served.
    fn look_at_parked(&mut self, when: u64) {
        if self.parked.is_empty() {
            return;
        }
        let mut at = 0;
        while at < self.parked.len() {
            let place = self.parked[at];
            if self.world.is_parked(id(place)) {
                at += 1;
                continue;
            }
            self.parked.swap_remove(at);
            let state = &mut self.places[place as usize];
            state.waited += when.saturating_sub(state.since);
            self.reply_or_run(place, when);
        }
        self.expect_expiry();
    }

    /// Sends a reply now; a message was delivered with the command that sent it.
    fn reply_or_run(&mut self, at: u32, when: u64) {
        let back = self.way();
        match self.client(at).map(Client::state) {
            Some(State::Answered(..)) => self.put_for(when + back, Happening::Reply, at),
            _ => self.put_for(when + back, Happening::Proceed, at),
        }
    }

    /// While a place is parked, schedules the next event that instances cause by themselves: keys
    /// that expire, blocking commands that time out.
    fn expect_expiry(&mut self) {
        if self.parked.is_empty() {
            return;
        }
        let now_ms = self.world.now_ms();
        let next = self.world.nodes().iter().filter_map(|node| node.next_deadline_ms(now_ms));
        let Some(next) = next.min() else { return };
        let at = (next.saturating_sub(START_MS) * MS).max(self.now);
        if at < self.expire_at {
            self.expire_at = at;
            self.put(at, Happening::Expire, 0, 0);
        }
    }

    // ---- Helpers --------------------------------------------------------------------------------

    fn client(&self, at: u32) -> Option<&Client> {
        self.world.client(id(at))
    }

    fn is_queued(&self) -> bool {
        self.hosts.iter().any(|host| !host.queue.is_empty())
    }

    fn note(&mut self, at: u32) {
        let place = &self.places[at as usize];
        let called = Called { request: place.request, program: place.program };
        if let Some(calls) = self.calls.as_mut().filter(|calls| calls.len() < CALLS_KEPT) {
            calls.push(called);
        }
    }
}

fn id(place: u32) -> ClientId {
    ClientId(place as u16)
}
