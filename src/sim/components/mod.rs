//! The components of a world, for the checker: each key, each client, the rest of each instance,
//! and everything beside them has a slot, and the components that a slot holds in turn are
//! numbered.
//!
//! The world itself computes a step: a small [`World`] is assembled from the slots that the step
//! needs, applies the action, and the slots are read off again. The needed slots are found by
//! trial: the engine reports the keys that a command touched, and a step that reached for a missing
//! slot is tried again with it.
//!
//! States with the same future are one state: times are counted from now, variables that a program
//! will not read again are dropped, and of finished programs only the globals that a property names
//! remain. The time, and other components that are left out while nothing reads them, become part
//! of the state when something does ([`observed`]).

mod actors;
mod conns;
mod exchange;
mod facts;
mod late;
mod lens;
mod links;
mod needs;
mod observed;
mod steps;
mod symmetry;
#[cfg(test)]
mod tests;
mod time;
mod unseen;

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use self::actors::{Actor, actors, is_redis, kind_of_fault, runs};
use self::conns::put_conns;
pub use self::late::QuestionKind;
use self::late::{Late, settled_truth};
use self::links::{outline, put_entry, put_link};
use self::needs::Needs;
pub(super) use self::observed::Observed;
pub use self::observed::{Assumed, Assumption, Unfollowed};
use self::observed::{Questions, named_globals};
use self::symmetry::{Exchange, groups, has_name};
use self::time::{Deadlines, Moment};
use self::unseen::Unseen;
use super::action::{Action, ClientId, NodeId};
use super::client::Client;
use super::connections::SharedConnections;
use super::mutexes::Mutexes;
use super::node::{Link, Node};
use super::property::{Property, Unset};
use super::resource::Resources;
use super::scenario::{Faults, Scenario, StartError, TimeMode};
use super::sql::Tables;
use super::ticks::numbers_named;
use super::variables::Variables;
use super::world::World;
use super::{MAX_NODES, START_MS};
use crate::checker::{Components, Move, View};
use crate::engine::{Effects, Instance, StoredConn, StoredKey};
use crate::hash::QuickMap;
use crate::lua::Data;
use crate::mutant::{Mutant, is_on};
use crate::resp::Bytes;

/// The component of a world that a slot stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Slot {
    /// The time that has passed, where it matters.
    Clock,
    Routes,
    /// The budget of a kind of fault, by its index in [`Faults::left`].
    Budget(usize),
    Mutexes,
    /// The variables of all processes, once a program uses one.
    Variables,
    /// The connections that clients of a process share, once one is used.
    Shared,
    Sql,
    Resources,
    /// A link, by its index in the world's list, without its backlog.
    Link(usize),
    /// The entry at this place of this link's backlog.
    Entry(usize, usize),
    /// An instance without keys and connections, with its clock and state.
    Node(NodeId),
    /// A client with its connections.
    Client(ClientId),
    Key(NodeId, usize, Bytes),
}

/// A client's connections, each with its instance.
type Conns = Vec<(NodeId, StoredConn)>;

/// A value of a slot.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Component {
    Clock(u64),
    Routes([NodeId; MAX_NODES]),
    /// A budget: its components are numbered by what is left.
    Budget(u8),
    Mutexes(Rc<Mutexes>),
    Variables(Rc<Variables>),
    Shared(Rc<SharedConnections>, Conns),
    Sql(Rc<Tables>),
    Resources(Rc<Resources>),
    Link(Rc<Link>),
    Entry(Option<Rc<Effects>>),
    Node(Rc<Node>),
    Client(Rc<Client>, Conns),
    Key(Option<StoredKey>),
}

/// The components that a slot has held, numbered as they came.
#[derive(Debug, Default)]
struct Held {
    components: Vec<Component>,
    numbers: QuickMap<Component, u32>,
}

impl Held {
    fn number(&mut self, component: Component) -> u32 {
        match self.numbers.entry(component) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.components.push(new.key().clone());
                *new.insert(self.components.len() as u32 - 1)
            }
        }
    }
}

/// A step, and the components of the slots with which it was tried.
type Try = (Action, Box<[(u32, u32)]>);

/// The result of trying a step in a world of some slots.
#[derive(Debug, Clone)]
enum Tried {
    Impossible,
    /// It needs these slots too.
    Missing(Rc<[usize]>),
    /// It draws at random, with this number of outcomes.
    Chance(u8),
    /// It writes these components.
    Done(Rc<[(usize, u32)]>),
}

/// The most results of tried steps that are kept.
const TRIED_MAX: usize = 1 << 16;

/// A world as the checker sees it.
#[derive(Debug)]
pub struct WorldComponents {
    start: World,
    /// The lead of the instances' clocks in the beginning, in ms.
    clocks: Vec<i64>,
    /// The first world without keys, and with placeholders for clients.
    empty: World,
    properties: Vec<Property>,
    slots: Vec<Slot>,
    held: Vec<Held>,
    numbers: QuickMap<Slot, usize>,
    actors: Vec<Actor>,
    /// The globals that properties read.
    globals: Vec<String>,
    /// The values of these globals met so far, numbered.
    values: Vec<Data>,
    /// The observed components that belong to a state.
    known: Observed,
    /// The components that were read up to now.
    observed: Observed,
    /// The numbers in programs and conditions: once a program reads the time, it may compare them
    /// with it.
    numbers_named: Vec<u32>,
    /// True if they are taken for times from the start.
    named_ticks: bool,
    /// Something that a step depends on and that the search does not follow: counters, or chance
    /// with too many outcomes.
    unfollowed: Option<Unfollowed>,
    /// True if a command drew at random, and each outcome was followed.
    has_chance: bool,
    assumed: Assumed,
    /// True if some client was met within reach of others, or wanting a mutex. Before, steps need
    /// not look for such clients.
    reach: bool,
    locks: bool,
    /// True if some client was met that shares a connection, or has a transaction open.
    shares: bool,
    opened: bool,
    /// The number of places in backlogs met so far.
    entries: u32,
    /// A mistake in words, and the number of the property that it is in, if it is in one.
    mistake: Option<(String, Option<usize>)>,
    exchange: Exchange,
    /// The components with one client's name left out.
    relative: Held,
    /// Late faults, if they are on.
    late: Option<Late>,
    /// The omission of dead state, if it is on ([`unseen`]).
    unseen: Option<Unseen>,
    /// The results of steps tried in worlds of some slots, by the components of these slots.
    tried: QuickMap<Try, Tried>,
    /// The moves of time, by the deadlines they depend on.
    moments: QuickMap<Deadlines, Moment>,
    /// By slot, component and ms: the component with its deadlines moved by that.
    moved: QuickMap<(u32, u32, i64), u32>,
    /// The properties that are settled, and no longer asked.
    settled: Vec<bool>,
    /// The globals that each property asked for.
    asked: BTreeSet<(usize, Unset)>,
    /// The globals of clients, by index, that had a value in some state.
    set: BTreeSet<(ClientId, usize)>,
}

impl WorldComponents {
    /// A model that starts at the scenario's beginning. The error is a mistake of its author.
    pub fn new(scenario: &Scenario) -> Result<WorldComponents, StartError> {
        let (beginning, _) = World::start(scenario)?;
        Ok(WorldComponents::begin(scenario, &beginning, beginning.clone()))
    }

    /// A model that starts at a world of a run of the scenario, without its consoles.
    pub fn from_world(scenario: &Scenario, world: &World) -> Result<WorldComponents, StartError> {
        let (beginning, _) = World::start(scenario)?;
        Ok(WorldComponents::begin(scenario, &beginning, world.without_consoles()))
    }

    /// Wherever a search starts, its components are those of the scenario's beginning: a fault may
    /// have to be repaired though no more are allowed, and times are counted from there.
    fn begin(scenario: &Scenario, beginning: &World, start: World) -> WorldComponents {
        let mut empty = beginning.clone();
        for client in &mut empty.clients {
            *client = Rc::new(client.absent());
        }
        for node in &mut empty.nodes {
            let instance = node.instance.bare();
            *node = Rc::new(Node { instance, ..(**node).clone() });
        }
        let groups = match Questions::of(scenario.properties.iter()).names {
            true => Vec::new(),
            false => groups(scenario),
        };
        let at_first = Observed::at_first(beginning);
        let mut model = WorldComponents {
            clocks: empty.nodes.iter().map(|node| node.clock_ms).collect(),
            empty,
            properties: scenario.properties.clone(),
            slots: Vec::new(),
            held: Vec::new(),
            numbers: QuickMap::default(),
            actors: actors(beginning),
            globals: named_globals(&scenario.properties),
            values: vec![Data::Nil],
            known: at_first.clone(),
            observed: at_first,
            numbers_named: numbers_named(scenario).collect(),
            named_ticks: false,
            has_chance: false,
            assumed: Assumed::default(),
            unfollowed: start
                .clients
                .iter()
                .any(|one| one.vm().has_drawn())
                .then_some(Unfollowed::Random),
            reach: false,
            locks: false,
            shares: false,
            opened: false,
            entries: 0,
            mistake: None,
            exchange: Exchange::new(groups),
            relative: Held::default(),
            late: None,
            unseen: None,
            tried: QuickMap::default(),
            moments: QuickMap::default(),
            moved: QuickMap::default(),
            settled: Vec::new(),
            asked: BTreeSet::new(),
            set: BTreeSet::new(),
            start,
        };
        model.set_ticks();
        model.name_clients();
        model
    }

    /// Gives the clients the first slots: every state is asked if one of them can go on.
    fn name_clients(&mut self) {
        for id in self.start.ids() {
            self.slot(&Slot::Client(id));
        }
    }

    /// Makes the observed components part of the states; states met before are no longer valid.
    fn begin_anew(&mut self) {
        self.observed.names |= self.exchange.failed;
        let globals = std::mem::take(&mut self.observed.globals);
        if self.named_ticks && self.tells_time() && !is_on(Mutant::TickNumbers) {
            self.numbers_named.iter().for_each(|ms| self.observed.see_ms((*ms).into()));
        }
        self.known.clone_from(&self.observed);
        if let Some(unseen) = &mut self.unseen {
            unseen.keep(&globals);
        }
        self.globals.extend(globals);
        let groups = match self.known.names {
            true => Vec::new(),
            false => std::mem::take(&mut self.exchange.groups),
        };
        self.exchange = Exchange::new(groups);
        (self.reach, self.locks, self.shares, self.opened) = Default::default();
        self.entries = 0;
        self.slots.clear();
        self.held.clear();
        self.numbers.clear();
        self.relative = Held::default();
        self.tried.clear();
        self.moments.clear();
        self.moved.clear();
        self.empty_clocks();
        self.set_ticks();
        self.name_clients();
    }

    /// Sets the clocks of instances that are placeholders as they are in states.
    fn empty_clocks(&mut self) {
        let is_relative = self.is_clock_relative();
        for (empty, start) in self.empty.nodes.iter_mut().zip(&self.clocks) {
            Rc::make_mut(empty).clock_ms = if is_relative { 0 } else { *start };
        }
    }

    /// Returns the globals that a property asked for and that have no value in any state met.
    pub(super) fn unset(&self, property: usize) -> Vec<Unset> {
        let asked = self.asked.iter().filter(|(by, _)| *by == property).map(|(_, one)| one);
        let is_set = |one: &Unset| {
            self.set.iter().any(|(client, at)| {
                self.globals[*at] == one.name && one.client.is_none_or(|only| only == *client)
            })
        };
        asked.filter(|one| !is_set(one)).cloned().collect()
    }

    /// Returns the globals that properties ask for.
    pub fn globals(&self) -> &[String] {
        &self.globals
    }

    /// Returns true if a command drew at random, and each outcome was followed.
    pub fn has_chance(&self) -> bool {
        self.has_chance && self.unfollowed.is_none()
    }

    /// Returns a client of a state, and the number of its component.
    pub(super) fn client_of(&self, row: &[u32], id: ClientId) -> Option<(&Client, u32)> {
        let slot = *self.numbers.get(&Slot::Client(id))?;
        let component = *row.get(slot)?;
        self.client_component(slot, component).map(|(client, _)| (&**client, component))
    }

    /// Returns the index of a slot, which is added if it is new.
    fn slot(&mut self, slot: &Slot) -> usize {
        if let Some(number) = self.numbers.get(slot) {
            return *number;
        }
        let number = self.slots.len();
        self.slots.push(slot.clone());
        self.numbers.insert(slot.clone(), number);
        if let Slot::Key(_, _, name) = slot {
            self.exchange.failed |= has_name(name);
        }
        let mut held = Held::default();
        match *slot {
            // The component in states that were met before the slot was there.
            Slot::Key(..) => {
                held.number(Component::Key(None));
            }
            Slot::Variables => {
                held.number(Component::Variables(Rc::default()));
            }
            Slot::Shared => {
                held.number(Component::Shared(Rc::default(), Conns::new()));
            }
            Slot::Entry(..) => {
                self.entries += 1;
                // The results for links were found with fewer entries.
                self.tried.clear();
                held.number(Component::Entry(None));
            }
            Slot::Budget(kind) => {
                for left in 0..=self.empty.budget.left()[kind] {
                    held.number(Component::Budget(left));
                }
            }
            _ => {}
        }
        self.held.push(held);
        number
    }

    fn component(&self, slot: usize, component: u32) -> &Component {
        &self.held[slot].components[component as usize]
    }

    fn client_component(&self, slot: usize, component: u32) -> Option<(&Rc<Client>, &Conns)> {
        match self.held[slot].components.get(component as usize) {
            Some(Component::Client(client, conns)) => Some((client, conns)),
            _ => None,
        }
    }

    // ---- Taking apart, putting together -------------------------------------------------------

    /// Returns by how much times are moved in states, in ms. Without a clock, times are stored as
    /// if the clock had not moved.
    fn shift(&self, world: &World) -> i64 {
        match self.known.clock {
            true => 0,
            false => START_MS as i64 - world.now_ms as i64,
        }
    }

    /// Returns by how much times on an instance's clock are moved. Where faults come late, jumps of
    /// that clock make no difference: a step that does not read it depends only on what is due.
    fn shift_at(&self, world: &World, node: NodeId, by: i64) -> i64 {
        match self.is_clock_relative() {
            true => by.saturating_sub(world.nodes[node.index()].clock_ms),
            false => by,
        }
    }

    fn is_clock_relative(&self) -> bool {
        self.late.is_some() && !self.known.server_clock && self.start.links.is_empty()
    }

    /// Returns true if stored times stay the same when the clock moves.
    fn times_stay(&self) -> bool {
        self.known.clock && self.is_clock_relative()
    }

    /// Returns the component of `world` in this slot; `was` is the component that a client was put
    /// in with.
    fn read_off(&self, world: &World, slot: &Slot, was: Option<&Rc<Client>>) -> Component {
        let by = self.shift(world);
        match slot {
            Slot::Clock => Component::Clock(if self.known.clock { world.now_ms } else { START_MS }),
            Slot::Routes => Component::Routes(world.routes),
            Slot::Budget(kind) => Component::Budget(world.budget.left()[*kind]),
            Slot::Mutexes => Component::Mutexes(world.mutexes.clone()),
            Slot::Variables => Component::Variables(world.variables.clone()),
            Slot::Shared => Component::Shared(world.shared.clone(), self.shared_conns(world, by)),
            Slot::Sql => Component::Sql(world.sql.clone()),
            Slot::Resources => Component::Resources(world.resources.clone()),
            Slot::Link(at) => Component::Link(outline(&world.links[*at])),
            Slot::Entry(at, place) => {
                let mut effects = world.links[*at].backlog.get(*place).cloned();
                if let Some(effects) = &mut effects
                    && by != 0
                    && effects.has_deadlines()
                {
                    Rc::make_mut(effects).shift_ms(by);
                }
                Component::Entry(effects)
            }
            Slot::Node(id) => {
                let node = &world.nodes[id.index()];
                let mut instance = node.instance.bare();
                if self.unseen.is_some() {
                    Unseen::forget_rest(&mut instance, &self.known);
                }
                instance.shift_waits_ms(self.shift_at(world, *id, by));
                let clock_ms = if self.is_clock_relative() { 0 } else { node.clock_ms };
                Component::Node(Rc::new(Node { instance, clock_ms, ..(**node).clone() }))
            }
            Slot::Key(id, db, key) => {
                let mut stored = world.nodes[id.index()].instance.stored_key(*db, key);
                let by = self.shift_at(world, *id, by);
                if let Some(stored) = &mut stored {
                    stored.shift_ms(if is_on(Mutant::DeadlineForgotten) { 0 } else { by });
                    if !self.known.clock {
                        stored.note_all_at(START_MS);
                    }
                }
                Component::Key(stored)
            }
            Slot::Client(id) => {
                let client = &world.clients[id.index()];
                let mut rest = match &self.unseen {
                    // Nothing has happened to it: it is a component already.
                    _ if was.is_some_and(|was| Rc::ptr_eq(was, client)) => (**client).clone(),
                    Some(unseen) => unseen.rest_of(client),
                    None => {
                        let globals: Vec<&str> = self.globals.iter().map(String::as_str).collect();
                        let is_forgotten = is_on(Mutant::GlobalsForgotten);
                        client.without_dead(if is_forgotten { &[] } else { &globals })
                    }
                };
                // Something overdue waits for a client to go on: since when makes no difference.
                let start_ms = if self.times_stay() { 0 } else { world.now_ms };
                let from_ms = start_ms.saturating_add_signed(by);
                rest.shift_ms(if is_on(Mutant::WaitForgotten) { 0 } else { by }, from_ms);
                Component::Client(Rc::new(rest), self.conns_of(world, *id, by))
            }
        }
    }

    fn put(&self, world: &mut World, slot: usize, component: u32) {
        match (&self.slots[slot], self.component(slot, component)) {
            (_, Component::Clock(now_ms)) => world.now_ms = *now_ms,
            (_, Component::Routes(routes)) => world.routes = *routes,
            (Slot::Budget(kind), Component::Budget(left)) => *world.budget.left_mut(*kind) = *left,
            (_, Component::Mutexes(mutexes)) => world.mutexes = mutexes.clone(),
            (_, Component::Variables(variables)) => world.variables = variables.clone(),
            (_, Component::Shared(shared, conns)) => {
                world.shared = shared.clone();
                put_conns(world, conns);
            }
            (_, Component::Sql(sql)) => world.sql = sql.clone(),
            (_, Component::Resources(resources)) => world.resources = resources.clone(),
            (Slot::Link(at), Component::Link(link)) => put_link(world, *at, link),
            (Slot::Entry(at, place), Component::Entry(Some(effects))) => {
                put_entry(world, *at, *place, effects);
            }
            (Slot::Node(id), Component::Node(node)) => {
                // Keys and connections of other slots may be there already.
                let old = std::mem::replace(&mut world.nodes[id.index()], node.clone());
                let new = &mut Rc::make_mut(&mut world.nodes[id.index()]).instance;
                move_in(&old.instance, new);
            }
            (Slot::Key(id, db, key), Component::Key(Some(stored))) => {
                let node = Rc::make_mut(&mut world.nodes[id.index()]);
                node.instance.put_key(*db, key, stored.clone());
            }
            (Slot::Client(id), Component::Client(client, conns)) => {
                world.clients[id.index()] = client.clone();
                put_conns(world, conns);
            }
            _ => {}
        }
    }

    /// Returns the slots of the faults that can happen. Each kind has its own, so an actor that
    /// spends one does not read the others.
    fn budgets(&self) -> impl Iterator<Item = Slot> + use<> {
        let left = self.empty.budget.left();
        (0..Faults::KINDS).filter(move |kind| left[*kind] > 0).map(Slot::Budget)
    }

    /// Returns the slots in which `world` holds something.
    fn slots_of(&self, world: &World) -> Vec<Slot> {
        let mut slots = vec![Slot::Clock, Slot::Routes, Slot::Mutexes, Slot::Sql, Slot::Resources];
        slots.extend((!world.variables.is_empty()).then_some(Slot::Variables));
        slots.extend((!world.shared.is_empty()).then_some(Slot::Shared));
        slots.extend(self.budgets());
        for (at, link) in world.links.iter().enumerate() {
            slots.push(Slot::Link(at));
            slots.extend((0..link.backlog.len()).map(|place| Slot::Entry(at, place)));
        }
        slots.extend(world.setting.node_ids().map(Slot::Node));
        slots.extend(world.ids().map(Slot::Client));
        for id in world.setting.node_ids() {
            let keys = world.nodes[id.index()].instance.key_names();
            slots.extend(keys.into_iter().map(|(db, key)| Slot::Key(id, db, key)));
        }
        slots
    }

    /// Returns `world` as a state of the search, with a component for every slot.
    pub(super) fn row_of(&mut self, world: &World) -> Vec<u32> {
        for slot in self.slots_of(world) {
            self.slot(&slot);
        }
        let slots = self.slots.clone();
        let component = |slot: &Slot| self.read_off(world, slot, None);
        let components: Vec<Component> = slots.iter().map(component).collect();
        let number = |(held, component): (&mut Held, Component)| held.number(component);
        let row: Vec<u32> = self.held.iter_mut().zip(components).map(number).collect();
        row.iter().enumerate().for_each(|(slot, component)| self.note_new(slot, *component));
        for (slot, component) in row.iter().enumerate() {
            self.observed.see_times(&self.held[slot].components[*component as usize]);
        }
        // A client that holds a mutex here may have taken it before.
        self.locks |= !world.mutexes.is_empty();
        row
    }
}

/// Copies the keys and connections of `old` into `new`.
fn move_in(old: &Instance, new: &mut Instance) {
    for (db, key) in old.key_names() {
        if let Some(stored) = old.stored_key(db, &key) {
            new.put_key(db, &key, stored);
        }
    }
    for conn in old.conn_ids() {
        if let Some(stored) = old.stored_conn(conn) {
            new.put_conn(stored);
        }
    }
}

#[cfg(test)]
impl WorldComponents {
    pub(super) fn show(&self, slot: usize, component: u32) -> String {
        let text = match self.component(slot, component) {
            Component::Client(client, conns) => format!("{:?} {conns:?}", client.state()),
            other => format!("{other:?}"),
        };
        format!(
            "{:?} {component}: {}",
            self.slots[slot],
            text.chars().take(600).collect::<String>()
        )
    }
}

impl Components for WorldComponents {
    type Action = Action;

    fn slots(&self) -> usize {
        self.slots.len()
    }

    fn components(&self, slot: usize) -> u32 {
        self.held[slot].components.len() as u32
    }

    fn initial(&mut self) -> Vec<u32> {
        loop {
            if self.is_outdated() {
                self.begin_anew();
            }
            let start = self.start.clone();
            let row = self.row_of(&start);
            if !self.is_outdated() {
                return row;
            }
        }
    }

    fn is_outdated(&self) -> bool {
        let is_seen = self.observed != self.known && !is_on(Mutant::OutdatedIgnored);
        is_seen || self.exchange.is_used && self.exchange.failed
    }

    fn is_partial(&self) -> bool {
        self.unfollowed.is_some()
    }

    fn actors(&self) -> usize {
        self.actors.len()
    }

    /// Faults need not happen, and no timer has to run out early. The steps of clients and time,
    /// repairs and replication happen eventually, except that an instance may stay down forever.
    fn is_fair(&self, actor: usize) -> bool {
        match self.actors[actor] {
            Actor::Client(_) | Actor::Time => true,
            Actor::Early => is_on(Mutant::EarlyFair),
            Actor::Other(action) => !action.is_fault() && !matches!(action, Action::Up(_)),
        }
    }

    fn home(&self, actor: usize) -> Option<usize> {
        match self.actors[actor] {
            Actor::Client(id) => self.numbers.get(&Slot::Client(id)).copied(),
            _ => None,
        }
    }

    fn is_budget(&self, slot: usize) -> bool {
        matches!(self.slots[slot], Slot::Budget(_))
    }

    fn spends(&self, actor: usize) -> Option<usize> {
        match self.actors[actor] {
            Actor::Other(action) => {
                self.numbers.get(&Slot::Budget(kind_of_fault(action)?)).copied()
            }
            Actor::Early => self.numbers.get(&Slot::Budget(Faults::EARLY)).copied(),
            _ => None,
        }
    }

    fn gives_way(&self, actor: usize) -> bool {
        let setting = &self.start.setting;
        let is_prompt = setting.time == TimeMode::Prompt && setting.is_prompt();
        self.actors[actor] == Actor::Time && is_prompt
    }

    fn epoch(&self) -> u32 {
        let has = |slot| u32::from(self.numbers.contains_key(&slot));
        let met =
            [self.reach, self.locks, self.shares, self.opened].map(u32::from).iter().sum::<u32>();
        met + has(Slot::Variables) + has(Slot::Shared) + self.entries
    }

    fn moves(&mut self, actor: usize, view: &mut View, out: &mut Vec<Move<Action>>) {
        match self.actors[actor] {
            Actor::Client(id) => self.client_moves(id, view, out),
            Actor::Time => self.time_moves(view, out),
            Actor::Early => self.early_moves(view, out),
            Actor::Other(Action::Arrive(id, _)) => self.arrivals(id, view, out),
            Actor::Other(action) => self.other_moves(action, view, out),
        }
    }

    fn is_symmetric(&self) -> bool {
        self.exchange.is_on()
    }

    fn canonical(&mut self, state: &mut Vec<u32>, renaming: &mut Vec<usize>) -> bool {
        self.exchange.is_used = true;
        if !self.exchange.is_on() {
            return false;
        }
        self.depart_from(state);
        let mut changes = Vec::new();
        let Some(to) = self.exchange_after(&[], &mut changes) else { return false };
        changes.into_iter().for_each(|(slot, component)| state[slot] = component);
        renaming.clear();
        renaming.extend((0..self.actors.len()).map(|actor| match self.actors[actor] {
            Actor::Client(id) => usize::from(to[id.index()]),
            _ => actor,
        }));
        true
    }

    fn depart(&mut self, state: &[u32]) {
        if self.exchange.is_on() {
            self.depart_from(state);
        }
    }

    /// Returns true if a client repeats the moves of its twin. (After a restart connection numbers
    /// may tell them apart; a client that could see that is in no group.)
    fn repeats(&self, actor: usize) -> bool {
        self.exchange.is_on() && actor < 16 && self.exchange.now.twins >> actor & 1 != 0
    }

    fn canonical_after(
        &mut self,
        _state: &[u32],
        writes: &[(usize, u32)],
        besides: &mut Vec<(usize, u32)>,
    ) {
        match self.exchange.is_on() {
            true => drop(self.exchange_after(writes, besides)),
            false => besides.clear(),
        }
    }

    /// Renames the client of an action; actors before `Actor::Time` are the clients.
    fn rename(&self, action: Action, renaming: &[usize]) -> Action {
        action.renamed(&|id| ClientId(renaming.get(id.index()).map_or(id.0, |to| *to as u16)))
    }

    fn conditions(&self) -> usize {
        self.properties.len()
    }

    fn holds(&mut self, condition: usize, view: &mut View) -> bool {
        let property = self.properties[condition].clone();
        if self.settled.get(condition).is_some_and(|settled| *settled) {
            return settled_truth(&property);
        }
        self.ask(condition, &property, view)
    }

    fn may_end(&mut self, view: &mut View) -> bool {
        !view.any(self, lens::ALIVE)
    }

    fn fact(&mut self, which: u16, slot: usize, component: u32) -> u32 {
        self.fact_of(which, slot, component)
    }
}
