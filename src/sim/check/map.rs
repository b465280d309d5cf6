//! The map of a scenario: its graph of states, their fates, and, for two clients and one instance,
//! the position of both in their programs.
//!
//! The search is made on request, over the world's components; late faults and the omission of dead
//! state are off, so its states are those that the census counts. A state is broken where an
//! `always` is false, and where a client is stuck for good: that is a verdict of every scenario,
//! and no order that ends so has ended well.
//!
//! A client stands at the call that it is about to make or waits in, by the call's position in the
//! program, so a call that is tried again keeps its place. One that sleeps stands where it will go
//! on; one that has failed or crashed where it was; one that is done, or about to come again,
//! behind all calls.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::client::{Call, CallKind, Client, State};
use super::super::components::WorldComponents;
use super::super::property::Kind;
use super::super::scenario::{Scenario, StartError};
use super::super::{Action, ClientId};
use super::has_eventually;
use crate::checker::StateId;
use crate::checker::map::{Fates, LATTICE_MAX, Mapping, NoMap, Space};
use crate::resp::Bytes;

/// The most passes over all steps that place clients which make no call.
const ROUNDS_MAX: usize = 64;

/// A call of a program, as it occurs in all states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    pub line: u32,
    /// The call in the first state in which it occurs.
    pub call: Call,
    /// The number of leading words of the command that are the same in all states.
    pub same: usize,
}

/// The positions of two programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lattice {
    pub clients: [ClientId; 2],
    /// By client, the calls in the order of its program text.
    pub sites: [Vec<Site>; 2],
    /// By state, the index of each client's call; one behind the last for a client that is done.
    pub places: Vec<(u16, u16)>,
}

/// The data for a picture of the schedules.
#[derive(Debug, Clone)]
pub struct Mapped {
    pub space: Space<Action>,
    pub fates: Fates,
    pub lattice: Option<Lattice>,
    /// True if there is an `eventually`: a run that only misses that is not counted as wrong.
    pub has_eventually: bool,
}

impl Mapped {
    /// Returns the states that a run passes through, the first one included. Steps that the search
    /// does not have, such as a console's, end it.
    pub fn follow(&self, actions: impl IntoIterator<Item = Action>) -> Vec<StateId> {
        let mut states = vec![0];
        let mut at = 0;
        for action in actions {
            let step = self.space.of(at).iter().find(|(own, _)| *own == action);
            let Some((_, to)) = step else { break };
            at = *to;
            states.push(at);
        }
        states
    }
}

/// A map being computed.
#[derive(Debug)]
pub struct AskMap {
    mapping: Mapping<WorldComponents>,
    /// The two clients of a lattice.
    pair: Option<[ClientId; 2]>,
    has_eventually: bool,
}

impl AskMap {
    /// Starts; the error is a mistake of the scenario's author.
    pub fn new(scenario: &Scenario) -> Result<AskMap, StartError> {
        let model = WorldComponents::new(scenario)?;
        let properties = scenario.properties.iter().enumerate();
        let always = properties.filter(|(_, property)| property.kind == Kind::Always);
        let conditions = always.map(|(at, _)| at).collect();
        let is_pair = scenario.clients.len() == 2 && scenario.nodes.len() <= 1;
        Ok(AskMap {
            mapping: Mapping::new(model, conditions, true),
            pair: is_pair.then_some([ClientId(0), ClientId(1)]),
            has_eventually: has_eventually(scenario),
        })
    }

    /// The number of states met.
    pub fn met(&self) -> u64 {
        self.mapping.met()
    }

    /// Works on this number of further `states`; true when all are there.
    pub fn advance(&mut self, states: u32) -> Result<bool, NoMap> {
        self.mapping.advance(states)
    }

    /// Returns a mistake in a property that showed during the search; then the map means nothing.
    pub fn mistake(&mut self) -> Option<String> {
        self.mapping.search_mut().model().mistake().map(str::to_owned)
    }

    /// Returns the map, once all states are there. It is computed in one call, which
    /// [`crate::checker::map::EDGES_MAX`] bounds.
    pub fn finish(mut self) -> Mapped {
        let pair = self.pair.filter(|_| self.mapping.space().len() <= LATTICE_MAX);
        let lattice = pair.and_then(|clients| lattice(&mut self.mapping, clients));
        let space = self.mapping.space().clone();
        let fates = Fates::of(&space);
        Mapped { space, fates, lattice, has_eventually: self.has_eventually }
    }

    /// Works to the end.
    pub fn run(mut self) -> Result<Mapped, NoMap> {
        while !self.advance(1 << 14)? {}
        Ok(self.finish())
    }
}

/// The position of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ProgramPoint {
    /// At a call: its line, and its index among the instructions.
    Call(u32, u32),
    Done,
}

/// The position of a client as far as its own state shows it.
enum Standing {
    At(ProgramPoint),
    /// It sleeps, and will continue at some call.
    Sleeps,
    /// It failed or crashed at some call.
    Fell,
}

fn standing(client: &Client) -> Standing {
    match client.state() {
        State::Done | State::Idle => Standing::At(ProgramPoint::Done),
        State::Sleeping { .. } => Standing::Sleeps,
        State::Failed(_) | State::Crashed => Standing::Fell,
        _ => match client.call() {
            Some(Call { kind: CallKind::Again, .. }) | None => Standing::At(ProgramPoint::Done),
            Some(call) => {
                let (line, at) = client.vm().place().unwrap_or((call.line, 0));
                Standing::At(ProgramPoint::Call(line, at))
            }
        },
    }
}

fn lattice(mapping: &mut Mapping<WorldComponents>, clients: [ClientId; 2]) -> Option<Lattice> {
    let space = mapping.space().clone();
    let search = mapping.search_mut();
    let rows: Vec<Vec<u32>> =
        (0..space.len() as StateId).map(|state| search.state(state)).collect();
    let model = search.model();
    let mut sites: [Vec<Site>; 2] = Default::default();
    let mut columns: [Vec<u16>; 2] = Default::default();
    for (at, id) in clients.into_iter().enumerate() {
        let mut met: BTreeMap<ProgramPoint, Site> = BTreeMap::new();
        // By the client's component, where it stands.
        let mut points: HashMap<u32, ProgramPoint> = HashMap::new();
        let mut sleeps = BTreeSet::new();
        let mut fell = BTreeSet::new();
        let mut of_state = Vec::new();
        for row in &rows {
            let (client, component) = model.client_of(row, id)?;
            of_state.push(component);
            match standing(client) {
                Standing::At(point) => {
                    points.insert(component, point);
                    note(&mut met, point, client);
                }
                Standing::Sleeps => drop(sleeps.insert(component)),
                Standing::Fell => drop(fell.insert(component)),
            }
        }
        find_others(&space, &of_state, &sleeps, &fell, &mut points);
        let order: Vec<ProgramPoint> = met.keys().copied().collect();
        let column = |component: &u32| {
            let point = points.get(component).copied().unwrap_or(ProgramPoint::Done);
            order.iter().position(|own| *own == point).unwrap_or(order.len()) as u16
        };
        columns[at] = of_state.iter().map(column).collect();
        sites[at] = met.into_values().collect();
    }
    let [own, other] = columns;
    let places = own.into_iter().zip(other).collect();
    Some(Lattice { clients, sites, places })
}

/// Records the call that is made at a point.
fn note(met: &mut BTreeMap<ProgramPoint, Site>, point: ProgramPoint, client: &Client) {
    let (ProgramPoint::Call(line, _), Some(call)) = (point, client.call()) else { return };
    let site = met.entry(point).or_insert_with(|| {
        let same = call.argv().len();
        Site { line, call: call.clone(), same }
    });
    let both = site.call.argv().iter().zip(call.argv());
    let same = both.take_while(|(one, other): &(&Bytes, &Bytes)| one == other).count();
    site.same = site.same.min(same);
}

/// Places the clients that make no call: a sleeping one at its next call, a failed or crashed one
/// at its last.
fn find_others(
    space: &Space<Action>,
    of_state: &[u32],
    sleeps: &BTreeSet<u32>,
    fell: &BTreeSet<u32>,
    points: &mut HashMap<u32, ProgramPoint>,
) {
    for _ in 0..ROUNDS_MAX {
        let known = points.len();
        for (state, component) in of_state.iter().enumerate() {
            for (_, to) in space.of(state as StateId) {
                let next = of_state[*to as usize];
                if sleeps.contains(component)
                    && !points.contains_key(component)
                    && let Some(point) = points.get(&next).copied()
                {
                    points.insert(*component, point);
                }
                if fell.contains(&next)
                    && !points.contains_key(&next)
                    && let Some(point) = points.get(component).copied()
                {
                    points.insert(next, point);
                }
            }
        }
        if points.len() == known {
            return;
        }
    }
}
