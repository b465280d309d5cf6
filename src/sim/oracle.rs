//! A second search, to compare the first one with: breadth-first over whole [`World`] values, with
//! the absolute time in them. It reduces, merges and memoises nothing, and shares nothing with
//! `checker` or `components` but [`World::enabled`], [`World::apply`] and arithmetic ([`Natural`]):
//! an error of an abstraction there cannot be here in the same way.
//!
//! - [`Oracle::explore`] visits up to a given number of worlds, nearest first. If there are more,
//!   it still knows all near ones ([`Oracle::horizon`]).
//! - [`Oracle::first`] and [`Oracle::stuck`] are distances of nearest worlds; [`Oracle::never`]
//!   looks for a run on which a property never becomes true, under weak fairness (an actor that can
//!   always act does act eventually; a fault need not happen, an instance may stay down).
//! - [`Oracle::ends`] are the worlds in which runs end, with the number of runs that end there.
//!
//! Worlds are one if they are equal in every component, so a cycle in which the clock moves is not
//! recognised as one. Where a client lists connections, it is also a component when each was opened
//! and last used, and by which command, though equality of worlds ignores it. Counters (INFO) are
//! none.
//!
//! [`choices`] is `World::choices` written again on purpose: a rule that both shared could be wrong
//! in both.

use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::checker::Natural;

use super::client::{Call, CallKind, State, Woken};
use super::property::Property;
use super::scenario::{Scenario, StartError, TimeMode};
use super::world::Event;
use super::{Action, ClientId, NodeId, ProcessId, World};

/// The worlds that were met, and the steps between them.
#[derive(Debug)]
pub struct Oracle {
    worlds: Vec<World>,
    /// By world, the number of steps from the first one.
    depths: Vec<u32>,
    /// By expanded world, each possible action: the actor that has to act in the end, if any, and
    /// the world it leads to.
    moves: Vec<Vec<(Option<Actor>, usize)>>,
    /// All that has happened.
    actions: BTreeSet<Action>,
    /// True if every world was met.
    is_complete: bool,
    /// Delays are multiples of this (ms).
    unit_ms: u32,
}

/// A world; the flag says that it is told from others by the use of its connections, too.
#[derive(Debug)]
struct Whole(World, bool);

impl PartialEq for Whole {
    fn eq(&self, other: &Self) -> bool {
        let mut nodes = self.0.nodes().iter().zip(other.0.nodes());
        self.0 == other.0
            && (!self.1 || nodes.all(|(one, other)| one.instance.is_used_like(&other.instance)))
    }
}
impl Eq for Whole {}

impl Hash for Whole {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// Returns true if a client asked what was seen of connections. (Scripts cannot.)
fn shows_uses(event: &Event) -> bool {
    let Some((_, call, _)) = event.executed() else { return false };
    let CallKind::Redis { argv, .. } = &call.kind else { return false };
    let is = |at: usize, word: &str| {
        argv.get(at).is_some_and(|arg| arg.eq_ignore_ascii_case(word.as_bytes()))
    };
    is(0, "CLIENT") && (is(1, "LIST") || is(1, "INFO"))
}

/// The answer to: is there a run on which the property never becomes true?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Never {
    /// No.
    Happens,
    /// Yes, one that ends; the nearest end is this many steps away.
    Ends(u32),
    /// Yes, one that goes round forever.
    GoesRound,
    /// Not known: it could be among the worlds that were not met.
    Unknown,
}

/// An actor that must act eventually if it always can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Actor {
    Client(ClientId),
    Time,
    Resume(ClientId),
    ResumeProcess(ProcessId),
    Replicate(NodeId),
    Message(ClientId),
}

/// Returns the actor whose action that is. A fault need not happen, and time need not move early,
/// which is a budget that may be left.
fn actor(world: &World, action: Action) -> Option<Actor> {
    match action {
        Action::Advance if is_held_up(world) => None,
        Action::Advance | Action::Tick(_) => Some(Actor::Time),
        Action::Resume(id) => Some(Actor::Resume(id)),
        Action::ResumeProcess(id) => Some(Actor::ResumeProcess(id)),
        Action::Replicate(id) => Some(Actor::Replicate(id)),
        Action::Arrive(id, _) => Some(Actor::Message(id)),
        other => other.runs().map(Actor::Client),
    }
}

/// The delays that the oracle tells apart are multiples of this, to begin with: it divides every
/// number in the text of the scenario but 1 (that one too, where idle times are asked for), and the
/// delays that are allowed, and is less than what divides these. 0 where clients are never held up.
pub fn unit_ms(scenario: &Scenario) -> u32 {
    let faults = &scenario.faults;
    let delays = [scenario.slow_ms, scenario.starts_within_ms, faults.longest_pause_ms()];
    if delays == [0, 0, 0] {
        return 0;
    }
    let asked = scenario.properties.iter().map(|property| property.expression());
    let asked: Vec<String> = asked.map(|text| text.to_string()).collect();
    let mut texts: Vec<&[u8]> = asked.iter().map(|text| text.as_bytes()).collect();
    texts.extend(scenario.clients.iter().map(|client| &**client.program.source()));
    let setup = scenario.nodes.iter().flat_map(|node| &node.setup);
    texts.extend(setup.flatten().map(|word| &**word));
    let words = texts.iter().flat_map(|text| text.split(|b| !b.is_ascii_alphanumeric()));
    let words: Vec<&str> = words.filter_map(|word| std::str::from_utf8(word).ok()).collect();
    let is_idle = |word: &&str| ["XCLAIM", "XAUTOCLAIM", "XPENDING", "IDLE"].contains(word);
    let least = if words.iter().any(is_idle) { 1 } else { 2 };
    let numbers = words.iter().filter_map(|word| word.parse().ok());
    let clocks = scenario.nodes.iter().map(|node| node.clock_ms);
    let clocks = clocks.chain(scenario.clients.iter().map(|client| client.clock_ms));
    let clocks = clocks.chain((faults.jump > 0).then_some(faults.jump_ms));
    let clocks = clocks.map(|ms| ms.unsigned_abs() as u32).chain(delays);
    let common = |unit: u32, number: u32| {
        let (mut unit, mut rest) = (unit, number);
        while rest != 0 {
            (unit, rest) = (rest, unit % rest);
        }
        unit
    };
    let allowed = clocks.fold(0, common);
    // A delay may be shorter than what is allowed.
    let shorter = (1..allowed).rev().find(|by| allowed.is_multiple_of(*by)).unwrap_or(allowed);
    numbers.filter(|number| *number >= least).fold(shorter, common)
}

/// Lists the actions of a search: time waits until no client can go on, unless it may be early, or
/// every client that can go on may be held up for that long. Delays that end before the next
/// deadline are multiples of `unit_ms`.
pub fn choices(world: &World, unit_ms: u32) -> Vec<Action> {
    let mut all = world.enabled();
    let early = world.setting().time == TimeMode::Any && world.budget().early > 0;
    let runs = all.iter().any(|action| action.runs().is_some());
    all.retain(|action| *action != Action::Advance || early || !is_held_up(world));
    if unit_ms > 0 {
        all.extend(delays(world, runs).step_by(unit_ms as usize).skip(1).map(Action::Tick));
    }
    all
}

/// Returns true if some client that can go on would be held up for longer than it may be, were time
/// to reach the next deadline.
fn is_held_up(world: &World) -> bool {
    let more_ms = world.next_deadline_ms().map_or(0, |at| at.saturating_sub(world.now_ms()));
    let is_too_long = |id: ClientId| {
        let (held_ms, most_ms) = held(world, id);
        most_ms == 0 || u64::from(held_ms) + more_ms > most_ms.into()
    };
    world.enabled().iter().filter_map(|action| action.runs()).any(is_too_long)
}

/// Returns for how long a client has been held up that can go on, and for how long it may be: what
/// it is slow, and what it may begin late if it has not begun.
fn held(world: &World, id: ClientId) -> (u32, u32) {
    let Some(client) = world.client(id) else { return (0, 0) };
    let setting = world.setting();
    let first =
        State::Ready(Call { kind: CallKind::Wake(Woken::Start), line: 1, protected: false });
    let late_ms = if *client.state() == first { setting.starts_within_ms } else { 0 };
    (client.held_ms(), setting.slow_ms.saturating_add(late_ms))
}

/// Returns the range of delays that end before anything is due, from 0 on. No client that can go on
/// may be held up for too long; if none can, one is in a pause that time ends, or clients may be
/// slow, so that something else may happen then.
fn delays(world: &World, runs: bool) -> std::ops::Range<u32> {
    let slow_ms = world.setting().slow_ms;
    let before = |ms: u64| u32::try_from(ms).unwrap_or(u32::MAX);
    let next = world.next_deadline_ms().map(|at| before(at.saturating_sub(world.now_ms())));
    let is_in_pause =
        |client: &Rc<super::Client>| client.paused().is_some() && client.deadline_ms().is_some();
    let most = match (runs, next) {
        (true, _) => {
            let able = world.ids().filter(|id| world.next_of(*id).is_some());
            let left = able.map(|id| held(world, id)).map(|(held, most)| most.saturating_sub(held));
            left.min().unwrap_or(0).saturating_add(1)
        }
        (false, Some(_)) if slow_ms > 0 || world.clients().iter().any(is_in_pause) => u32::MAX,
        _ => 0,
    };
    0..most.min(next.unwrap_or(u32::MAX))
}

impl Oracle {
    /// Visits up to this number of worlds. The error is a mistake of the scenario's author.
    pub fn explore(scenario: &Scenario, worlds_max: usize) -> Result<Oracle, StartError> {
        let mut unit_ms = unit_ms(scenario);
        loop {
            let found = Oracle::explore_by(scenario, worlds_max, unit_ms)?;
            // A time that was met makes the unit shorter: all of it once more.
            let common = |unit, world: &World| world.common_tick(unit);
            let shorter = found.worlds.iter().fold(unit_ms, common);
            if unit_ms == 0 || shorter == unit_ms {
                return Ok(found);
            }
            unit_ms = shorter;
        }
    }

    /// The same with delays that are multiples of `unit_ms`, whatever times are met.
    pub fn explore_by(
        scenario: &Scenario,
        worlds_max: usize,
        unit_ms: u32,
    ) -> Result<Oracle, StartError> {
        match Oracle::explore_all(scenario, worlds_max, unit_ms, false)? {
            (found, false) => Ok(found),
            _ => Ok(Oracle::explore_all(scenario, worlds_max, unit_ms, true)?.0),
        }
    }

    /// The same; worlds are told apart by the use of connections, or not. The flag returned is true
    /// if a client lists connections.
    #[allow(clippy::mutable_key_type)] // A world's cells only cache fingerprints.
    fn explore_all(
        scenario: &Scenario,
        worlds_max: usize,
        unit_ms: u32,
        tells_uses: bool,
    ) -> Result<(Oracle, bool), StartError> {
        let (start, _) = World::start(scenario)?;
        let mut lists = false;
        let mut numbers = HashMap::from([(Whole(start.clone(), tells_uses), 0)]);
        let mut found = Oracle {
            worlds: vec![start],
            depths: vec![0],
            moves: Vec::new(),
            actions: BTreeSet::new(),
            is_complete: false,
            unit_ms,
        };
        while found.moves.len() < found.worlds.len() {
            if found.worlds.len() > worlds_max {
                return Ok((found, lists));
            }
            let at = found.moves.len();
            let (world, depth) = (found.worlds[at].clone(), found.depths[at]);
            let mut moves = Vec::new();
            for action in choices(&world, unit_ms) {
                let mut next = world.clone();
                // An enabled action is possible.
                let Ok(seen) = next.apply(action) else { continue };
                lists |= shows_uses(&seen.event);
                found.actions.insert(action);
                let whole = Whole(next, tells_uses);
                let number = *numbers.entry(whole).or_insert_with_key(|Whole(next, _)| {
                    found.worlds.push(next.clone());
                    found.depths.push(depth + 1);
                    found.worlds.len() - 1
                });
                moves.push((actor(&world, action), number));
            }
            found.moves.push(moves);
        }
        found.is_complete = true;
        Ok((found, lists))
    }

    /// Returns the unit of the delays that end before the next deadline, in ms.
    pub fn unit_ms(&self) -> u32 {
        self.unit_ms
    }

    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// Returns all that has happened between these worlds.
    pub fn actions(&self) -> &BTreeSet<Action> {
        &self.actions
    }

    /// Returns true if every reachable world was met.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns the distance up to which every world was met; `u32::MAX` if all were.
    pub fn horizon(&self) -> u32 {
        match self.depths.get(self.moves.len()) {
            Some(depth) => *depth,
            None => u32::MAX,
        }
    }

    /// Returns the truth of the property in each world; false where it cannot be asked.
    pub fn truths(&self, property: &Property) -> Vec<bool> {
        self.worlds.iter().map(|one| property.holds(&mut one.facts()).unwrap_or(false)).collect()
    }

    /// Returns true if the property cannot be evaluated in some world.
    pub fn fails(&self, property: &Property) -> bool {
        self.worlds.iter().any(|one| property.holds(&mut one.facts()).is_err())
    }

    /// Returns the steps to the nearest world in which a property with these truths is `wanted`.
    pub fn first(&self, truths: &[bool], wanted: bool) -> Option<u32> {
        truths.iter().position(|truth| *truth == wanted).map(|at| self.depths[at])
    }

    /// Returns the steps to the nearest world where no client can go on and one is not at its end.
    pub fn stuck(&self) -> Option<u32> {
        let is_stuck = |at: &usize| self.may_stop(*at) && !self.worlds[*at].all_over();
        (0..self.moves.len()).find(is_stuck).map(|at| self.depths[at])
    }

    /// Returns true if no fair actor can move here.
    fn may_stop(&self, at: usize) -> bool {
        self.moves[at].iter().all(|(actor, _)| actor.is_none())
    }

    /// Looks for a run on which a property with these truths is never true.
    pub fn never(&self, truths: &[bool]) -> Never {
        // Worlds that such a run reaches, nearest first, with the steps to each.
        let mut steps: Vec<Option<u32>> = vec![None; self.worlds.len()];
        let mut reached = Vec::new();
        if !truths[0] {
            (steps[0], reached) = (Some(0), vec![0]);
        }
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for &(_, to) in self.moves.get(at).into_iter().flatten() {
                if !truths[to] && steps[to].is_none() {
                    steps[to] = steps[at].map(|steps| steps + 1);
                    reached.push(to);
                }
            }
        }
        let met = reached.len();
        reached.retain(|at| *at < self.moves.len());
        let end = reached.iter().find(|at| self.may_stop(**at)).and_then(|at| steps[*at]);
        if let Some(end) = end.filter(|end| *end < self.horizon()) {
            return Never::Ends(end);
        }
        match self.components(&reached).iter().any(|round| self.is_fair(round)) {
            true => Never::GoesRound,
            false if reached.len() == met => Never::Happens,
            false => Never::Unknown,
        }
    }

    /// Returns true if every fair actor moves in this cycle, or cannot move in some world of it.
    fn is_fair(&self, round: &[usize]) -> bool {
        let inside = |to: &usize| round.contains(to);
        let moves = || round.iter().flat_map(|at| &self.moves[*at]);
        let is_content = |who: Actor| {
            let is_own = |actor: &Option<Actor>| *actor == Some(who);
            moves().any(|(actor, to)| is_own(actor) && inside(to))
                || round.iter().any(|at| !self.moves[*at].iter().any(|(actor, _)| is_own(actor)))
        };
        moves().any(|(_, to)| inside(to)) && moves().filter_map(|(actor, _)| *actor).all(is_content)
    }

    /// The strongly connected components of these worlds, each after those that lead to it
    /// (Kosaraju's algorithm; Sharir 1981).
    fn components(&self, among: &[usize]) -> Vec<Vec<usize>> {
        let mut is_open = vec![false; self.worlds.len()];
        among.iter().for_each(|at| is_open[*at] = true);
        let mut forth = vec![Vec::new(); self.worlds.len()];
        let mut back = forth.clone();
        for &at in among {
            for &(_, to) in self.moves[at].iter().filter(|(_, to)| is_open[*to]) {
                forth[at].push(to);
                back[to].push(at);
            }
        }
        let mut still_open = is_open.clone();
        let left = among.iter().flat_map(|root| after_all(*root, &forth, &mut is_open));
        let left: Vec<usize> = left.collect();
        let roots = left.iter().rev();
        let components = roots.map(|root| after_all(*root, &back, &mut still_open));
        components.filter(|component| !component.is_empty()).collect()
    }

    /// Returns the worlds in which runs end, each with the number of runs that end there. `None` if
    /// runs go round forever, or not all worlds were met.
    pub fn ends(&self) -> Option<Vec<(usize, Natural)>> {
        let all: Vec<usize> = (0..self.moves.len()).collect();
        let components = self.components(&all);
        let to_itself = |at: usize| self.moves[at].iter().any(|(_, to)| *to == at);
        if !self.is_complete || components.iter().any(|one| one.len() > 1 || to_itself(one[0])) {
            return None;
        }
        let mut runs = vec![Natural::default(); self.worlds.len()];
        runs[0] = Natural::from(1);
        for at in components.into_iter().flatten() {
            let here = runs[at].clone();
            self.moves[at].iter().for_each(|(_, to)| runs[*to].add(&here));
        }
        let ends = all.into_iter().filter(|at| self.moves[*at].is_empty());
        Some(ends.map(|at| (at, runs[at].clone())).collect())
    }
}

/// Returns the open nodes that `root` leads to, in postorder (each after all that it leads to), and
/// closes them.
fn after_all(root: usize, leads_to: &[Vec<usize>], is_open: &mut [bool]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut path = Vec::new();
    if std::mem::take(&mut is_open[root]) {
        path.push((root, 0));
    }
    while let Some((at, next)) = path.last_mut() {
        match leads_to[*at].get(*next) {
            Some(&to) => {
                *next += 1;
                if std::mem::take(&mut is_open[to]) {
                    path.push((to, 0));
                }
            }
            None => order.extend(path.pop().map(|(at, _)| at)),
        }
    }
    order
}
