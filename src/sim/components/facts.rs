//! Answers the questions of properties ([`Facts`]) from the components of a state, and records
//! which components they read.

use std::cell::RefCell;

use super::super::action::{ClientId, NodeId};
use super::super::client::{Client, State};
use super::super::facts::{Facts, Fate, answered, error_of};
use super::super::node::conn_id;
use super::super::property::{Kind, Property, Unset};
use super::super::resource::Resource;
use super::super::sql::{Answer, Prepared};
use super::super::world::World;
use super::conns::{are_within_reach, is_within_reach};
use super::symmetry::Places;
use super::time::due_number;
use super::{Component, Conns, Needs, Slot, Unfollowed, WorldComponents, lens, runs};
use crate::checker::View;
use crate::engine::{Access, ConnId, StoredConn, StoredKey};
use crate::lua::Data;
use crate::resp::{Bytes, Value};

/// Returns true if the global is true and its client has not crashed.
fn counts(client: &Client, name: &str) -> bool {
    Fate::of(client) != Fate::Crashed && client.global(name).truthy()
}

/// Returns a fact about connections, of one client or shared.
fn conns_fact(which: u16, conns: &[(NodeId, StoredConn)]) -> u32 {
    let mut deadlines = conns.iter().filter_map(|(at, conn)| Some((*at, conn.timeout_at_ms()?)));
    match which {
        lens::TIMED => u32::from(deadlines.next().is_some()),
        lens::DUE => deadlines.map(|(_, at)| at).min().map_or(0, due_number),
        lens::WATCHES => u32::from(conns.iter().any(|(_, conn)| conn.is_watching())),
        at if (lens::TIMED_AT..lens::CUT_WITH).contains(&at) => {
            u32::from(deadlines.any(|(node, _)| node == NodeId((at - lens::TIMED_AT) as u8)))
        }
        at if (lens::CUT_WITH..lens::GLOBALS).contains(&at) => {
            let node = NodeId((at - lens::CUT_WITH) as u8);
            u32::from(conns.iter().any(|(at, _)| *at == node))
        }
        _ => 0,
    }
}

/// The most globals that conditions can ask for by computed names.
const GLOBALS_MAX: usize = 1_000;

impl WorldComponents {
    /// Returns a mistake in a property that was found, in words.
    pub fn mistake(&self) -> Option<&str> {
        self.mistake.as_ref().map(|(why, _)| why.as_str())
    }

    /// Returns the number of the property that the mistake is in, if it is in one.
    pub fn mistaken(&self) -> Option<usize> {
        self.mistake.as_ref()?.1
    }

    /// Makes a global part of the states that a condition asks for without naming it in a constant.
    fn observe_global(&mut self, name: &str) {
        let observed = &mut self.observed.globals;
        if self.globals.len() + observed.len() >= GLOBALS_MAX {
            let why = || format!("more than {GLOBALS_MAX} globals are asked for");
            self.mistake.get_or_insert_with(|| (why(), None));
        } else if !observed.iter().any(|known| known == name) {
            observed.push(name.to_owned());
        }
    }

    pub(super) fn fact_of(&mut self, which: u16, slot: usize, component: u32) -> u32 {
        match self.held[slot].components.get(component as usize) {
            Some(Component::Client(client, conns)) => match lens::global(which) {
                Some((what, at)) => match (what, self.globals.get(at)) {
                    (_, None) => 0,
                    (lens::COUNTED, Some(name)) => counts(client, name).into(),
                    (_, Some(name)) => {
                        let value = client.global(name);
                        self.value_number(value)
                    }
                },
                None if which == lens::ERROR => {
                    let message = error_of(client);
                    self.value_number(message)
                }
                None => self.client_fact(which, client, conns),
            },
            Some(Component::Key(stored)) => match &self.slots[slot] {
                Slot::Key(node, ..) if which == lens::KEY_OF + u16::from(node.0) => {
                    u32::from(stored.is_some())
                }
                Slot::Key(node, ..)
                    if which == lens::TIMED || which == lens::TIMED_AT + u16::from(node.0) =>
                {
                    let deadline = stored.as_ref().and_then(StoredKey::next_deadline);
                    deadline.is_some().into()
                }
                Slot::Key(..) if which == lens::DUE => {
                    stored.as_ref().and_then(StoredKey::next_deadline).map_or(0, due_number)
                }
                _ => 0,
            },
            Some(Component::Mutexes(mutexes)) if which == lens::HELD => {
                u32::from(!mutexes.is_empty())
            }
            Some(Component::Sql(tables)) if which == lens::HELD => u32::from(tables.has_open()),
            Some(Component::Variables(variables)) if which == lens::KEPT => {
                u32::from(!variables.is_empty())
            }
            Some(Component::Shared(shared, conns)) => match which {
                lens::KEPT => u32::from(!shared.is_empty()),
                lens::WITHIN_REACH => are_within_reach(conns).into(),
                _ => conns_fact(which, conns),
            },
            Some(Component::Node(node)) if which == lens::UP => u32::from(node.up),
            Some(Component::Link(link)) => match which {
                lens::FOLLOWS => u32::from(link.replica.0) + 1,
                lens::LEADS => u32::from(link.master.0) + 1,
                lens::STALE => u32::from(link.stale),
                lens::BEHIND => u32::from(link.stale || !link.backlog.is_empty()),
                _ => 0,
            },
            Some(Component::Entry(Some(effects))) if which == lens::TIMED => {
                u32::from(effects.has_deadlines())
            }
            Some(Component::Clock(_)) if which == lens::TIMED => u32::from(self.known.clock),
            _ => 0,
        }
    }

    fn client_fact(&self, which: u16, client: &Client, conns: &Conns) -> u32 {
        let runs = runs(client, self.start.setting.wire);
        match which {
            lens::RUNS_FREELY => u32::from(runs == 1),
            lens::WANTS_MUTEX => u32::from(runs == 2),
            lens::WANTS_ROWS => u32::from(runs == 3),
            lens::TIMED => conns_fact(which, conns) | u32::from(client.waits_until_ms().is_some()),
            lens::DUE => {
                let waits = conns.iter().filter_map(|(_, conn)| conn.timeout_at_ms());
                waits.chain(client.deadline_ms()).min().map_or(0, due_number)
            }
            lens::WITHIN_REACH => u32::from(is_within_reach(client, conns)),
            lens::WAITS => u32::from(matches!(client.state(), State::Waiting(..))),
            lens::ALIVE => u32::from(!client.is_over()),
            lens::FATE => Fate::of(client) as u32,
            lens::PAUSED => u32::from(client.paused.is_some()),
            lens::WAS_PAUSED => u32::from(client.was_paused),
            at if (lens::CALLS..lens::TIMED_AT).contains(&at) => {
                let node = NodeId((at - lens::CALLS) as u8);
                u32::from(client.call().is_some_and(|call| call.node() == Some(node)))
            }
            at if (lens::CUT_WITH..lens::GLOBALS).contains(&at) => {
                let node = NodeId((at - lens::CUT_WITH) as u8);
                let state = client.state();
                // The instance it waits for may be served by another one.
                let waits = matches!(
                    state,
                    State::Blocked(_) | State::Waiting(..) | State::Receiving { .. }
                );
                u32::from(waits || conns.iter().any(|(at, _)| *at == node))
            }
            _ => conns_fact(which, conns),
        }
    }

    /// Evaluates a condition. Where symmetry is used, it also checks that the condition does not
    /// tell equal clients apart.
    pub(super) fn ask(&mut self, number: usize, property: &Property, view: &mut View) -> bool {
        let mut facts = ViewFacts {
            inner: RefCell::new((&mut *self, &mut *view)),
            exchanged: None,
            read: Vec::new(),
        };
        let mut globals: Vec<Unset> = Vec::new();
        let mut told =
            |function: &str, args: &[Data], _: &Data| globals.extend(Unset::of(function, args));
        let truth = property.truth(property.value_told(&mut facts, &mut told));
        let read = facts.read;
        self.asked.extend(globals.into_iter().map(|one| (number, one)));
        let pairs = match self.exchange.is_asked() {
            true => self.pairs(&read),
            false => Vec::new(),
        };
        for to in pairs {
            let inner = RefCell::new((&mut *self, &mut *view));
            let mut facts = ViewFacts { inner, exchanged: Some(to), read: Vec::new() };
            let other = property.holds(&mut facts);
            self.exchange.failed |=
                other.is_ok() != truth.is_ok() || other.ok() != truth.clone().ok();
        }
        truth.unwrap_or_else(|why| {
            self.mistake.get_or_insert_with(|| (property.named(why), Some(number)));
            // What the search looks for: so it keeps a run to the first such state.
            property.kind == Kind::Sometimes
        })
    }

    fn value_number(&mut self, value: Data) -> u32 {
        let known = self.values.iter().position(|other| *other == value);
        known.unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        }) as u32
    }
}

/// The facts of a state, read off its components, for properties.
pub(super) struct ViewFacts<'p, 'v, 's> {
    pub inner: RefCell<(&'p mut WorldComponents, &'v mut View<'s>)>,
    /// The clients to exchange in the keys that are read.
    pub exchanged: Option<Places>,
    /// The slots and components that were read in instances.
    pub read: Vec<(usize, u32)>,
}

impl ViewFacts<'_, '_, '_> {
    fn client_fact(&self, client: ClientId, lens: u16) -> u32 {
        let (model, view) = &mut *self.inner.borrow_mut();
        let slot = model.client_slot(client.index());
        view.fact(*model, lens, slot)
    }

    /// Returns a world in which only this slot is filled.
    fn world_with(&self, slot: &Slot) -> World {
        let (model, view) = &mut *self.inner.borrow_mut();
        let slot = model.slot(slot);
        model.assemble(view, &Needs::of(vec![slot]))
    }
}

impl Facts for ViewFacts<'_, '_, '_> {
    fn clients(&self) -> usize {
        self.inner.borrow().0.start.clients.len()
    }

    fn fate(&self, client: ClientId) -> Fate {
        let fates = [Fate::Alive, Fate::Done, Fate::Failed, Fate::Crashed];
        let number = self.client_fact(client, lens::FATE);
        fates.into_iter().find(|fate| *fate as u32 == number).unwrap_or(Fate::Alive)
    }

    fn is_paused(&self, client: ClientId) -> bool {
        self.client_fact(client, lens::PAUSED) != 0
    }

    fn was_paused(&self, client: ClientId) -> Option<bool> {
        let remembers = self.inner.borrow().0.start.setting.remembers_pauses;
        remembers.then(|| self.client_fact(client, lens::WAS_PAUSED) != 0)
    }

    fn error(&self, client: ClientId) -> Data {
        let value = self.client_fact(client, lens::ERROR);
        self.inner.borrow().0.values[value as usize].clone()
    }

    fn global(&self, client: ClientId, name: &str) -> Data {
        let at = self.inner.borrow().0.globals.iter().position(|known| known == name);
        let Some(at) = at else {
            self.inner.borrow_mut().0.observe_global(name);
            return Data::Nil;
        };
        let value = self.client_fact(client, lens::of_global(lens::VALUE, at));
        self.inner.borrow().0.values[value as usize].clone()
    }

    fn counts(&self, client: ClientId, name: &str) -> bool {
        let at = self.inner.borrow().0.globals.iter().position(|known| known == name);
        match at {
            Some(at) => self.client_fact(client, lens::of_global(lens::COUNTED, at)) != 0,
            None => self.global(client, name).truthy(),
        }
    }

    fn nodes(&self) -> Vec<String> {
        self.inner.borrow().0.start.setting.nodes.clone()
    }

    fn read(&mut self, node: NodeId, argv: &[Bytes]) -> Option<Value> {
        let (model, view) = &mut *self.inner.borrow_mut();
        let mut needs = Needs::default();
        if !model.start.links.is_empty() {
            needs.add(model.slot(&Slot::Routes));
        }
        if model.known.clock {
            needs.add(model.slot(&Slot::Clock));
        }
        let serving = model.assemble(view, &needs).serving(node);
        needs.add(model.slot(&Slot::Node(serving)));
        loop {
            let held: Vec<(usize, u32)> =
                needs.slots.iter().map(|slot| (*slot, needs.component(*slot, view))).collect();
            let mut after = match &self.exchanged {
                None => model.assemble(view, &needs),
                Some(to) => {
                    let exchanged = model.exchanged(&held, to);
                    model.assemble(view, &Needs::taken(exchanged))
                }
            };
            let now_ms = after.node(serving)?.now_ms(after.now_ms);
            let instance = after.instance_mut(serving)?;
            // No client's number.
            let conn: ConnId = conn_id(ClientId(u8::MAX.into()), u8::MAX);
            instance.connect_as(conn, now_ms);
            let mut access = Access::default();
            let outcome = instance.execute_logged(conn, argv, now_ms, &mut access);
            model.observed.see_asked(&access);
            if access.counters || access.random {
                let name = crate::resp::lossy(&argv[0]).to_uppercase();
                model.leave_unfollowed(match access.counters {
                    true => Unfollowed::Counters(name),
                    false => Unfollowed::Draw(name),
                });
            }
            model.assumed.see(&access);
            let mut missing: Vec<usize> = Vec::new();
            for used in &access.keys {
                missing.push(model.slot(&Slot::Key(serving, used.db, used.key.clone())));
            }
            if access.everything || access.keyspace.is_some() {
                missing.extend(model.keys_of(serving, view));
            }
            missing.retain(|slot| !needs.has(*slot));
            if missing.is_empty() {
                self.read.extend(held);
                return answered(outcome, instance);
            }
            needs.add_all(missing);
        }
    }

    fn select(&self, statement: &Prepared) -> Result<Answer, String> {
        self.world_with(&Slot::Sql).sql.select(statement)
    }

    fn resource(&self, name: &[u8]) -> Option<Resource> {
        self.world_with(&Slot::Resources).resources.get(name).cloned()
    }
}
