//! Vacuity: finds what happens in no order. Lines that never run, faults that are allowed and never
//! possible, leases that never expire, ends that a property waits for (at all, or after a fault). A
//! verdict "holds" says little about these (it holds *vacuously*; Beer, Ben-David, Eisner and Rodeh
//! 1997).
//!
//! It walks over whole worlds, breadth-first ([`Worlds`]). If there are more than [`WORLDS_MAX`],
//! not every outcome of chance was followed, or a program reads counters (INFO), it says nothing.
//! Absent: lines of scripts that run in Redis, loops that never run out, branches within one line.
//!
//! To add a condition function that waits for something, add its name to `property::ENDS`, and what
//! it is to `ends_of`.

use std::collections::{BTreeMap, BTreeSet};

use super::super::action::ClientId;
use super::super::facts::{Facts, Fate};
use super::super::property::{ENDS, Property};
use super::super::scenario::{Faults, Scenario, StartError};
use super::super::world::{Seen, World};
use super::super::{Action, NodeId};
use super::worlds::Worlds;
use crate::lua::Data;
use crate::resp::Bytes;

/// The most worlds that are looked at.
const WORLDS_MAX: usize = 3_000;
/// The most findings of each kind.
const TOLD_MAX: usize = 3;

/// Something that never happens in any order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Never {
    /// These lines of a program never run: the first and the last one.
    Runs { program: String, first: u32, last: u32 },
    /// A fault of this kind never happens; the number is its index in `Faults::NAMES`.
    Fault(usize),
    /// This key never expires.
    Expires(Bytes),
    /// This part of a condition is never true.
    True(String),
    /// This part of a condition is true in some runs, and in none after a fault of this kind.
    TrueAfter(String, usize),
    /// No program gives this global a value, and a condition asks for it ([`Check::unset`]).
    ///
    /// [`Check::unset`]: super::Check::unset
    Set(String),
}

/// A function of conditions, and the client that it asks about, if it asks about one.
type EndQuestion = (&'static str, Option<char>);

/// An end of a client, or of all: `done("A")`. It is looked at in every world, also where no
/// condition asks for it: Lua leaves out what stands behind `and` and `or`.
#[derive(Debug, Default)]
struct End {
    /// True if a condition asked for it.
    is_asked: bool,
    /// True if it was true in some world.
    was_true: bool,
    /// The kinds of faults after which it was true, a bit each.
    after: u32,
}

/// The question under way.
#[derive(Debug)]
pub struct AskVacuous {
    scenario: Scenario,
    /// The walk over all worlds; taken out while a call works on it.
    worlds: Option<Worlds>,
    /// By client, the lines that ran.
    lines: Vec<BTreeSet<u32>>,
    /// By client, true if a run was too long to be recorded line by line; then its lines are
    /// unknown.
    is_cut: Vec<bool>,
    /// True for each kind of fault that happened.
    faults: [bool; Faults::KINDS],
    leased: BTreeSet<(NodeId, Bytes)>,
    expired: BTreeSet<(NodeId, Bytes)>,
    /// The ends: the function that asks for one, and the letter of the client.
    ends: BTreeMap<EndQuestion, End>,
    /// True if not every outcome of chance was followed, or worlds that a program tells apart may
    /// have been taken for one.
    is_partial: bool,
}

impl AskVacuous {
    pub fn new(scenario: &Scenario) -> Result<AskVacuous, StartError> {
        let (worlds, start, seen) = Worlds::new(scenario, WORLDS_MAX)?;
        let clients = scenario.clients.len();
        let mut asked = AskVacuous {
            scenario: scenario.clone(),
            worlds: Some(worlds),
            lines: vec![BTreeSet::new(); clients],
            is_cut: vec![false; clients],
            faults: [false; Faults::KINDS],
            leased: BTreeSet::new(),
            expired: BTreeSet::new(),
            ends: BTreeMap::new(),
            is_partial: false,
        };
        asked.see(&seen);
        asked.meet(&start);
        Ok(asked)
    }

    /// Looks at this number of further `worlds`; true when the walk is complete.
    pub fn advance(&mut self, worlds: u32) -> bool {
        let Some(mut met) = self.worlds.take() else { return true };
        let mut is_over = false;
        for _ in 0..worlds {
            let next = met.next(|world, action, seen, next, is_new| {
                self.see(seen);
                let (left, then) = (world.budget().left(), next.budget().left());
                for (kind, happened) in self.faults.iter_mut().enumerate() {
                    *happened |= left[kind] != then[kind];
                }
                if action == Action::Advance {
                    let due = leases(world).filter(|(_, at)| *at <= next.now_ms());
                    self.expired.extend(due.map(|(lease, _)| lease));
                }
                if is_new {
                    self.meet(next);
                }
            });
            is_over = next.is_none();
            if is_over {
                break;
            }
        }
        self.is_partial |= met.is_partial();
        self.worlds = Some(met);
        is_over
    }

    fn see(&mut self, seen: &Seen) {
        for ran in &seen.ran {
            let at = ran.client.index();
            if let (Some(lines), Some(is_cut)) = (self.lines.get_mut(at), self.is_cut.get_mut(at)) {
                lines.extend(&ran.trace.lines);
                *is_cut |= ran.trace.dropped > 0;
            }
        }
    }

    fn meet(&mut self, world: &World) {
        self.is_partial |= world.clients().iter().any(|client| client.vm().has_drawn())
            || world.ids().any(|id| world.drawn(id).is_cut);
        self.leased.extend(leases(world).map(|(lease, _)| lease));
        let budgets = self.scenario.faults.left().into_iter().zip(world.budget().left());
        let spent = budgets.enumerate().filter(|(_, (allowed, left))| left < allowed);
        let spent = spent.fold(0, |mask, (kind, _)| mask | 1 << kind);
        for (asked, is_true) in ends_of(world) {
            let end = self.ends.entry(asked).or_default();
            end.was_true |= is_true;
            end.after |= if is_true { spent } else { 0 };
        }
        for property in &self.scenario.properties {
            note_asked(property, world, &mut self.ends);
        }
    }

    /// The things that never happen; empty if not every world was met, of every outcome of chance
    /// and whatever counters a program reads.
    pub fn answer(&self) -> Vec<Never> {
        if self.is_partial || self.worlds.as_ref().is_none_or(Worlds::is_open) {
            return Vec::new();
        }
        let mut never = self.lines_that_never_run();
        let allowed = self.scenario.faults.left();
        let faults = (0..Faults::KINDS).filter(|kind| allowed[*kind] > 0 && !self.faults[*kind]);
        never.extend(faults.map(Never::Fault));
        let leases = self.leased.difference(&self.expired);
        never.extend(leases.take(TOLD_MAX).map(|(_, key)| Never::Expires(key.clone())));
        let text = |(function, client): &EndQuestion| match client {
            Some(letter) => format!("{function}(\"{letter}\")"),
            None => format!("{function}()"),
        };
        let asked = || self.ends.iter().filter(|(_, end)| end.is_asked);
        let ends = asked().filter(|(_, end)| !end.was_true);
        never.extend(ends.take(TOLD_MAX).map(|(asked, _)| Never::True(text(asked))));
        let after = asked().filter(|(_, end)| end.was_true).flat_map(|(asked, end)| {
            let kinds = (0..Faults::KINDS).filter(|kind| self.faults[*kind]);
            let kinds = kinds.filter(|kind| end.after >> kind & 1 == 0);
            kinds.map(move |kind| Never::TrueAfter(text(asked), kind))
        });
        never.extend(after.take(TOLD_MAX));
        never
    }

    /// Returns the lines that none of the clients with that program runs.
    fn lines_that_never_run(&self) -> Vec<Never> {
        let mut never = Vec::new();
        let clients = &self.scenario.clients;
        for (at, client) in clients.iter().enumerate() {
            // Clients may run one file with values of their own in front of its first line.
            let is_same = |other: &usize| {
                let other = &clients[*other].program;
                other.name() == client.program.name() && other.lines() == client.program.lines()
            };
            if (0..at).any(|other| is_same(&other)) {
                continue;
            }
            let same: Vec<usize> = (at..clients.len()).filter(is_same).collect();
            if same.iter().any(|one| self.is_cut[*one]) {
                continue;
            }
            let program = client.program.name().to_owned();
            let mut ranges: Vec<(u32, u32)> = Vec::new();
            let mut is_open = false;
            for line in client.program.lines() {
                let runs = same.iter().any(|one| self.lines[*one].contains(&line));
                match ranges.last_mut().filter(|_| is_open && !runs) {
                    Some((_, last)) => *last = line,
                    None if !runs => ranges.push((line, line)),
                    None => {}
                }
                is_open = !runs;
            }
            let ranges = ranges.into_iter().take(TOLD_MAX);
            never.extend(ranges.map(|(first, last)| Never::Runs {
                program: program.clone(),
                first,
                last,
            }));
        }
        never
    }
}

/// Returns the keys with a deadline, and each deadline in the world's time.
pub(super) fn leases(world: &World) -> impl Iterator<Item = ((NodeId, Bytes), u64)> + '_ {
    world.nodes().iter().zip(0..).flat_map(|(node, at)| {
        let entries = node.instance.entries(0, node.now_ms(world.now_ms()));
        entries.filter_map(move |entry| {
            let due = node.world_ms(entry.expires_at?);
            Some(((NodeId(at), entry.key), due))
        })
    })
}

/// Returns every end that a condition can ask for, with its truth in this world.
fn ends_of(world: &World) -> Vec<(EndQuestion, bool)> {
    let facts = world.facts();
    let mut ends = Vec::new();
    for id in (0..world.clients().len()).map(|at| ClientId(at as u16)) {
        let (letter, fate) = (Some(id.letter()), facts.fate(id));
        ends.push((("done", letter), fate == Fate::Done));
        ends.push((("over", letter), fate != Fate::Alive));
        // It is recorded if a condition can ask for it.
        ends.extend(facts.was_paused(id).map(|was| (("was_paused", letter), was)));
    }
    let all = |is: fn(Fate) -> bool| world.clients().iter().all(|client| is(Fate::of(client)));
    let has_nothing_to_do = |fate| matches!(fate, Fate::Done | Fate::Crashed);
    ends.push((("all_done", None), all(has_nothing_to_do)));
    ends.push((("all_over", None), all(|fate| fate != Fate::Alive)));
    ends
}

/// Marks the ends that the condition asks for in this world.
fn note_asked(property: &Property, world: &World, ends: &mut BTreeMap<EndQuestion, End>) {
    let mut told = |function: &str, args: &[Data], _: &Data| {
        let mut known = ENDS.into_iter().chain(["was_paused"]);
        let Some(function) = known.find(|known| *known == function) else { return };
        let client = match args.first() {
            Some(Data::Str(name)) if name.len() == 1 => Some(char::from(name[0])),
            Some(Data::Str(_)) => return,
            _ => None,
        };
        if let Some(end) = ends.get_mut(&(function, client)) {
            end.is_asked = true;
        }
    };
    // A condition that cannot be asked has been told of.
    let _ = property.value_told(&mut world.facts(), &mut told);
}
