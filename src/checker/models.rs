//! Models with published numbers of states, by which other checkers are measured too, and random
//! ones, for the tests and benchmarks.

use std::collections::BTreeSet;

use super::components::{Components, Move, View};
use super::whole::Model;

/// Threads that each load a shared counter and then store it plus one: the textbook lost update.
/// Two threads have 13 distinct states, 8 up to symmetry (Stateright's `increment`).
#[derive(Debug)]
pub struct Increment {
    pub threads: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Counting {
    shared: u8,
    /// Each thread's program counter (1: load, 2: store, 3: done) and its loaded value.
    threads: Vec<(u8, u8)>,
}

impl Model for Increment {
    type State = Counting;
    type Action = usize;

    fn initial(&self) -> Counting {
        Counting { shared: 0, threads: vec![(1, 0); self.threads] }
    }
    fn actions(&self, state: &Counting, out: &mut Vec<usize>) {
        out.extend((0..self.threads).filter(|&n| state.threads[n].0 < 3));
    }
    fn next(&self, state: &Counting, n: usize) -> Option<Counting> {
        let mut next = state.clone();
        match next.threads[n].0 {
            1 => next.threads[n] = (2, next.shared),
            _ => {
                next.shared = next.threads[n].1 + 1;
                next.threads[n].0 = 3;
            }
        }
        Some(next)
    }
    fn conditions(&self) -> usize {
        1
    }
    fn holds(&self, _: usize, state: &Counting) -> bool {
        let stored = state.threads.iter().filter(|thread| thread.0 == 3).count();
        usize::from(state.shared) == stored
    }
    fn actors(&self) -> usize {
        self.threads
    }
    fn actor(&self, n: usize) -> usize {
        n
    }
    fn canonical(&self, state: &Counting, renaming: &mut Vec<usize>) -> Option<Counting> {
        let mut order: Vec<usize> = (0..self.threads).collect();
        order.sort_by_key(|&n| state.threads[n]);
        *renaming = vec![0; self.threads];
        order.iter().enumerate().for_each(|(new, &old)| renaming[old] = new);
        let threads = order.iter().map(|&n| state.threads[n]).collect();
        Some(Counting { threads, ..state.clone() })
    }
    fn rename(&self, n: usize, renaming: &[usize]) -> usize {
        renaming[n]
    }
}

/// Two-phase commit after Gray and Lamport, "Consensus on Transaction Commit": 288 states for 3
/// resource managers, 8,832 for 5.
#[derive(Debug)]
pub struct TwoPhaseCommit {
    pub managers: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rm {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Message {
    Prepared(usize),
    Commit,
    Abort,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Committing {
    managers: Vec<Rm>,
    /// The transaction manager's decision.
    decided: Option<Message>,
    prepared: Vec<bool>,
    messages: BTreeSet<Message>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    Decide(Message),
    Hear(usize),
    Prepare(usize),
    Abort(usize),
    Obey(usize, Message),
}

impl Model for TwoPhaseCommit {
    type State = Committing;
    type Action = Phase;

    fn initial(&self) -> Committing {
        Committing {
            managers: vec![Rm::Working; self.managers],
            decided: None,
            prepared: vec![false; self.managers],
            messages: BTreeSet::new(),
        }
    }

    fn actions(&self, state: &Committing, out: &mut Vec<Phase>) {
        if state.decided.is_none() {
            if state.prepared.iter().all(|prepared| *prepared) {
                out.push(Phase::Decide(Message::Commit));
            }
            out.push(Phase::Decide(Message::Abort));
        }
        for n in 0..self.managers {
            if state.decided.is_none() && state.messages.contains(&Message::Prepared(n)) {
                out.push(Phase::Hear(n));
            }
            if state.managers[n] == Rm::Working {
                out.extend([Phase::Prepare(n), Phase::Abort(n)]);
            }
            for message in [Message::Commit, Message::Abort] {
                if state.messages.contains(&message) {
                    out.push(Phase::Obey(n, message));
                }
            }
        }
    }

    fn next(&self, state: &Committing, phase: Phase) -> Option<Committing> {
        let mut next = state.clone();
        match phase {
            Phase::Decide(decision) => {
                next.decided = Some(decision);
                next.messages.insert(decision);
            }
            Phase::Hear(n) => next.prepared[n] = true,
            Phase::Prepare(n) => {
                next.managers[n] = Rm::Prepared;
                next.messages.insert(Message::Prepared(n));
            }
            Phase::Abort(n) => next.managers[n] = Rm::Aborted,
            Phase::Obey(n, Message::Commit) => next.managers[n] = Rm::Committed,
            Phase::Obey(n, _) => next.managers[n] = Rm::Aborted,
        }
        Some(next)
    }

    /// The outcome is consistent; a manager commits; a manager aborts.
    fn conditions(&self) -> usize {
        3
    }

    fn holds(&self, index: usize, state: &Committing) -> bool {
        let any = |what: Rm| state.managers.contains(&what);
        match index {
            0 => !(any(Rm::Aborted) && any(Rm::Committed)),
            1 => any(Rm::Committed),
            _ => any(Rm::Aborted),
        }
    }

    fn canonical(&self, state: &Committing, renaming: &mut Vec<usize>) -> Option<Committing> {
        let mut order: Vec<usize> = (0..self.managers).collect();
        let sent = |n: usize| state.messages.contains(&Message::Prepared(n));
        order.sort_by_key(|&n| (state.managers[n], state.prepared[n], sent(n)));
        *renaming = vec![0; self.managers];
        order.iter().enumerate().for_each(|(new, &old)| renaming[old] = new);
        let message = |message: &Message| match message {
            Message::Prepared(n) => Message::Prepared(renaming[*n]),
            other => *other,
        };
        Some(Committing {
            managers: order.iter().map(|&n| state.managers[n]).collect(),
            decided: state.decided,
            prepared: order.iter().map(|&n| state.prepared[n]).collect(),
            messages: state.messages.iter().map(message).collect(),
        })
    }
}

/// A 3-litre and a 5-litre jug, and 4 litres wanted: 16 states, and 6 steps to the answer
/// (Lamport's `DieHard`).
#[derive(Debug)]
pub struct DieHard;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Jug {
    FillSmall,
    FillBig,
    EmptySmall,
    EmptyBig,
    SmallToBig,
    BigToSmall,
}

impl Model for DieHard {
    type State = (u8, u8);
    type Action = Jug;

    fn initial(&self) -> (u8, u8) {
        (0, 0)
    }
    fn actions(&self, _: &(u8, u8), out: &mut Vec<Jug>) {
        use Jug::*;
        out.extend([FillSmall, FillBig, EmptySmall, EmptyBig, SmallToBig, BigToSmall]);
    }
    fn next(&self, &(small, big): &(u8, u8), jug: Jug) -> Option<(u8, u8)> {
        Some(match jug {
            Jug::FillSmall => (3, big),
            Jug::FillBig => (small, 5),
            Jug::EmptySmall => (0, big),
            Jug::EmptyBig => (small, 0),
            Jug::SmallToBig => {
                let poured = small.min(5 - big);
                (small - poured, big + poured)
            }
            Jug::BigToSmall => {
                let poured = big.min(3 - small);
                (small + poured, big - poured)
            }
        })
    }
    fn conditions(&self) -> usize {
        1
    }
    fn holds(&self, _: usize, state: &(u8, u8)) -> bool {
        state.1 != 4
    }
}

/// Philosophers round a table: each takes the fork on one side, then the other, eats, and puts both
/// down. If all begin on the same side, all can starve.
#[derive(Debug)]
pub struct Philosophers {
    pub seats: usize,
    /// True: the last philosopher takes the forks in the other order.
    pub one_is_left_handed: bool,
}

impl Philosophers {
    fn forks(&self, n: usize) -> [usize; 2] {
        let forks = [n, (n + 1) % self.seats];
        if self.one_is_left_handed && n + 1 == self.seats { [forks[1], forks[0]] } else { forks }
    }
}

impl Model for Philosophers {
    /// The number of forks that each philosopher holds.
    type State = Vec<u8>;
    type Action = usize;

    fn initial(&self) -> Vec<u8> {
        vec![0; self.seats]
    }
    fn actions(&self, state: &Vec<u8>, out: &mut Vec<usize>) {
        let taken = |fork: usize| {
            (0..self.seats).any(|n| self.forks(n)[..usize::from(state[n])].contains(&fork))
        };
        let can = |n: &usize| state[*n] == 2 || !taken(self.forks(*n)[usize::from(state[*n])]);
        out.extend((0..self.seats).filter(can));
    }
    fn next(&self, state: &Vec<u8>, n: usize) -> Option<Vec<u8>> {
        let mut next = state.clone();
        next[n] = (next[n] + 1) % 3;
        Some(next)
    }
    /// The first one eats.
    fn conditions(&self) -> usize {
        1
    }
    fn holds(&self, _: usize, state: &Vec<u8>) -> bool {
        state[0] == 2
    }
    fn actors(&self) -> usize {
        self.seats
    }
    fn actor(&self, n: usize) -> usize {
        n
    }
    fn may_end(&self, _: &Vec<u8>) -> bool {
        false
    }
}

/// Peterson's mutual exclusion for two processes, repeated forever.
#[derive(Debug)]
pub struct Peterson {
    /// False: a process does not give the turn away, so both can be inside.
    pub polite: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Entering {
    wants: [bool; 2],
    turn: usize,
    /// 0: outside, 1: wants, 2: waits, 3: inside.
    at: [u8; 2],
}

impl Model for Peterson {
    type State = Entering;
    type Action = usize;

    fn initial(&self) -> Entering {
        Entering { wants: [false; 2], turn: 0, at: [0; 2] }
    }
    fn actions(&self, _: &Entering, out: &mut Vec<usize>) {
        out.extend([0, 1]);
    }
    fn next(&self, state: &Entering, me: usize) -> Option<Entering> {
        let mut next = state.clone();
        let other = 1 - me;
        match state.at[me] {
            0 => next.wants[me] = true,
            1 if self.polite => next.turn = other,
            1 => {}
            2 if state.wants[other] && state.turn == other => return Some(next),
            2 => {}
            _ => next.wants[me] = false,
        }
        next.at[me] = (state.at[me] + 1) % 4;
        Some(next)
    }
    /// Not both inside; the first one is inside.
    fn conditions(&self) -> usize {
        2
    }
    fn holds(&self, index: usize, state: &Entering) -> bool {
        match index {
            0 => state.at != [3, 3],
            _ => state.at[0] == 3,
        }
    }
    fn actors(&self) -> usize {
        2
    }
    fn actor(&self, me: usize) -> usize {
        me
    }
}

/// Random programs over shared variables: each client runs a list of instructions on its register.
/// The model exists as components, and as whole states for comparison.
#[derive(Debug, Clone)]
pub struct Programs {
    /// The instructions by client.
    pub code: Vec<Vec<Code>>,
    pub variables: usize,
    /// Components met, by slot: values of variables, or clients' (place, register).
    components: Vec<Vec<(u8, u8)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    Load(usize),
    Store(usize),
    Add(usize, u8),
    /// Waits until the variable has this value.
    Await(usize, u8),
    /// Goes to another place if the register is 0.
    Branch(u8),
    /// Goes to another place.
    Jump(u8),
}

/// A client's place and register after an instruction, and the variable it wrote.
type Step = ((u8, u8), Option<(usize, u8)>);

/// Values are small, so that there are few states.
const VALUES: u8 = 4;

impl Programs {
    pub fn new(code: Vec<Vec<Code>>, variables: usize) -> Programs {
        let slots = variables + code.len();
        Programs { code, variables, components: vec![vec![(0, 0)]; slots] }
    }

    fn number(&mut self, slot: usize, component: (u8, u8)) -> u32 {
        let known = &mut self.components[slot];
        let at = known.iter().position(|other| *other == component).unwrap_or_else(|| {
            known.push(component);
            known.len() - 1
        });
        at as u32
    }

    /// The effect of one instruction; `None` if it has to wait or the program has ended.
    fn step(
        &self,
        client: usize,
        (at, register): (u8, u8),
        mut read: impl FnMut(usize) -> u8,
    ) -> Option<Step> {
        let next = at + 1;
        Some(match *self.code[client].get(usize::from(at))? {
            Code::Load(v) => ((next, read(v)), None),
            Code::Store(v) => ((next, 0), Some((v, register))),
            Code::Add(v, n) => ((next, register), Some((v, (read(v) + n) % VALUES))),
            Code::Await(v, n) if read(v) == n => ((next, register), None),
            Code::Await(..) => return None,
            Code::Branch(to) if register == 0 => ((to, register), None),
            Code::Branch(_) => ((next, register), None),
            Code::Jump(to) => ((to, register), None),
        })
    }
}

impl Components for Programs {
    type Action = usize;

    fn slots(&self) -> usize {
        self.components.len()
    }
    fn components(&self, slot: usize) -> u32 {
        self.components[slot].len() as u32
    }
    fn initial(&mut self) -> Vec<u32> {
        vec![0; self.components.len()]
    }
    fn actors(&self) -> usize {
        self.code.len()
    }
    fn home(&self, client: usize) -> Option<usize> {
        Some(self.variables + client)
    }
    fn moves(&mut self, client: usize, view: &mut View, out: &mut Vec<Move<usize>>) {
        let home = self.variables + client;
        let local = self.components[home][view.slot(home) as usize];
        let read = |variable: usize| self.components[variable][view.slot(variable) as usize].0;
        let Some((local, write)) = self.step(client, local, read) else { return };
        let mut writes = vec![(home, self.number(home, local))];
        if let Some((variable, value)) = write {
            writes.push((variable, self.number(variable, (value, 0))));
        }
        out.push(Move { action: client, writes });
    }
    /// Variable 0 is not 3; variable 1 is not 2; the first client has come to its end.
    fn conditions(&self) -> usize {
        3
    }
    fn holds(&mut self, condition: usize, view: &mut View) -> bool {
        match condition {
            0 => self.components[0][view.slot(0) as usize].0 != 3,
            1 => self.components[1][view.slot(1) as usize].0 != 2,
            _ => {
                let home = self.variables;
                view.fact(self, 0, home) == 1
            }
        }
    }
    fn may_end(&mut self, view: &mut View) -> bool {
        (0..self.code.len()).all(|client| {
            let home = self.variables + client;
            view.fact(self, 0, home) == 1
        })
    }
    /// Fact 0: this client has come to its end.
    fn fact(&mut self, _: u16, slot: usize, component: u32) -> u32 {
        let Some(client) = slot.checked_sub(self.variables) else { return 0 };
        let at = usize::from(self.components[slot][component as usize].0);
        u32::from(at >= self.code[client].len())
    }
}

/// The same programs as a model of whole states: the values of the variables, then the clients.
impl Model for Programs {
    type State = Vec<(u8, u8)>;
    type Action = usize;

    fn initial(&self) -> Self::State {
        vec![(0, 0); self.components.len()]
    }
    fn actions(&self, state: &Self::State, out: &mut Vec<usize>) {
        let can = |client: &usize| {
            let local = state[self.variables + client];
            self.step(*client, local, |variable| state[variable].0).is_some()
        };
        out.extend((0..self.code.len()).filter(can));
    }
    fn next(&self, state: &Self::State, client: usize) -> Option<Self::State> {
        let home = self.variables + client;
        let (local, write) = self.step(client, state[home], |variable| state[variable].0)?;
        let mut next = state.clone();
        next[home] = local;
        if let Some((variable, value)) = write {
            next[variable] = (value, 0);
        }
        Some(next)
    }
    fn conditions(&self) -> usize {
        3
    }
    fn holds(&self, condition: usize, state: &Self::State) -> bool {
        match condition {
            0 => state[0].0 != 3,
            1 => state[1].0 != 2,
            _ => usize::from(state[self.variables].0) >= self.code[0].len(),
        }
    }
    fn actors(&self) -> usize {
        self.code.len()
    }
    fn actor(&self, client: usize) -> usize {
        client
    }
    fn may_end(&self, state: &Self::State) -> bool {
        let over = |client: usize| usize::from(state[self.variables + client].0);
        (0..self.code.len()).all(|client| over(client) >= self.code[client].len())
    }
}
