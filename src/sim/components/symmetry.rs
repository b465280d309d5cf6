//! Symmetry between clients that run the same program: the groups of such clients, and the
//! canonical form of a state, the representative of all that differ by a renaming of equal clients.
//!
//! Only their letters tell such clients apart: in the strings that `uuid()` gave them, in the
//! numbers of their connections, in the owner of a mutex. Exchanging two clients means exchanging
//! these everywhere. In a state's canonical form the clients of a group are sorted by their own
//! components, their own letter left out, and by the keys that hold a string of theirs.
//!
//! It is sound as long as every step and every condition is *equivariant*: the step of the
//! exchanged client in the exchanged state leads to the exchanged successor (symmetry reduction by
//! scalarsets; Ip and Dill 1996). That is tested, not concluded from programs: on every step that
//! the model computes, with each pair of clients named in its reads exchanged; see
//! [`WorldComponents::is_equivariant`](super::WorldComponents). A program that orders two names,
//! takes one apart or has one as a constant fails the test, and the search starts again without
//! symmetry. The same happens if a name stands where it cannot be exchanged: in a set, as a key's
//! name, as a table's key. Assumed: a step that no exchange of two clients changes is changed by no
//! permutation of them.

use std::cell::Cell;
use std::num::NonZeroU32;

use crate::checker::at_least;
use crate::engine::StoredConn;
use crate::hash::QuickMap;
use crate::mutant::{Mutant, is_on};
use crate::resp::Bytes;

use super::super::action::ClientId;
use super::super::client::{Call, CallKind, Client, State};
use super::super::connections::Connection;
use super::super::node::{conn_id, conn_owner};
use super::super::scenario::Scenario;

/// A renaming of clients: `to[old] = new`.
pub type Renaming = [u8; 256];

/// A renaming of the clients that may be in groups.
pub type Places = [u8; 16];

/// Returns the renaming under which every client stays.
pub fn identity<const N: usize>() -> [u8; N] {
    std::array::from_fn(|at| at as u8)
}

/// The letter that stands for the client itself in relative components.
pub const MINE: u8 = 15;

/// Returns the groups, each of two or more clients that begin alike.
pub fn groups(scenario: &Scenario) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let is_aimed = scenario.faults.aims() != 0;
    let is_simple =
        scenario.nodes.len() <= 1 && scenario.sql.is_empty() && !scenario.wire && !is_aimed;
    if !is_simple || scenario.clients.len() > usize::from(MINE) {
        return groups;
    }
    for (at, client) in scenario.clients.iter().enumerate() {
        let alike = |group: &&mut Vec<usize>| {
            let other = &scenario.clients[group[0]];
            other.program == client.program
                && (other.clock_ms == client.clock_ms || is_on(Mutant::TwinsClock))
                && (other.process == client.process || is_on(Mutant::TwinsProcess))
                && other.expect_error == client.expect_error
                && other.again == client.again
        };
        match groups.iter_mut().find(alike) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Returns the positions of letters in strings that `uuid()` gives: a letter from a to p, a hyphen,
/// digits, and no letter or digit beside them.
fn names(text: &[u8]) -> impl Iterator<Item = usize> {
    let is_word = |at: Option<&u8>| at.is_some_and(u8::is_ascii_alphanumeric);
    let is_name = move |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        let after = text[*at..].iter().skip(2).take_while(|b| b.is_ascii_digit()).count();
        matches!(text[*at], b'a'..=b'p')
            && text.get(at + 1) == Some(&b'-')
            && after > 0
            && !is_word(before)
            && !is_word(text.get(at + 2 + after))
    };
    (0..text.len()).filter(is_name)
}

pub fn has_name(text: &[u8]) -> bool {
    names(text).next().is_some()
}

/// Returns the clients whose names are in `text`, a bit each.
pub fn named(text: &[u8]) -> u16 {
    names(text).fold(0, |set, at| set | 1 << (text[at] - b'a'))
}

/// Returns the text with its names replaced; `None` if it stays the same.
pub fn renamed(text: &[u8], to: &Renaming) -> Option<Vec<u8>> {
    let mut new: Option<Vec<u8>> = None;
    for at in names(text) {
        let (old, letter) = (text[at] - b'a', to[usize::from(text[at] - b'a')]);
        if letter != old {
            new.get_or_insert_with(|| text.to_vec())[at] = b'a' + letter;
        }
    }
    new
}

fn renamed_bytes(text: &Bytes, to: &Renaming) -> Bytes {
    renamed(text, to).map_or_else(|| text.clone(), Bytes::from)
}

impl Client {
    /// Returns the clients named in its state, and itself; `None` if names cannot be exchanged in
    /// it.
    pub(in crate::sim) fn knows(&self) -> Option<u16> {
        let set = Cell::new(1 << self.id.0);
        let note = |text: &[u8]| set.set(set.get() | named(text));
        self.vm().renamed(&|text| {
            note(text);
            None
        })?;
        let own = set.get();
        self.state.words(&mut |text| note(text));
        // A reply with names, not taken yet, is not taken apart.
        let is_plain = !matches!(
            self.state,
            State::Answered(..)
                | State::Failed(_)
                | State::Ready(Call { kind: CallKind::Wake(_), .. })
        );
        // What stands on a shared connection names its clients, and is not taken apart either.
        let is_tied = |one: &Connection| !one.inbox.is_empty() || one.shared.is_some();
        let is_free = !self.connections.iter().any(is_tied);
        ((is_plain || set.get() == own) && is_free).then(|| set.get())
    }

    /// Returns this client under another letter, with the names in its variables exchanged too.
    pub(in crate::sim) fn renamed(&self, to: &Renaming) -> Option<Client> {
        let vm = self.vm().renamed(&|text| renamed(text, to))?;
        let mut client = self.with_vm(vm);
        client.id = ClientId(to[self.id.index()].into());
        client.state = self.state.renamed(&|text| renamed_bytes(text, to));
        Some(client)
    }
}

/// Returns a connection under its owner's new letter; `None` if it is in the middle of something.
pub fn renamed_conn(conn: &StoredConn, to: &Renaming) -> Option<StoredConn> {
    let (owner, number) = conn_owner(conn.id())?;
    let id = conn_id(ClientId(to[owner.index()].into()), number);
    conn.renamed(id, &|text| renamed_bytes(text, to))
}

/// A memo of facts about components: the clients named in them, and the same components under other
/// names.
#[derive(Debug, Default)]
pub struct Exchange {
    /// Groups of interchangeable clients.
    pub groups: Vec<Vec<usize>>,
    /// By slot and component, the clients named in it.
    pub said: Vec<Vec<Option<Said>>>,
    /// By slot, component, and the new number of each client named in it: the renamed component.
    pub renamed: QuickMap<(u32, u32, u64), u32>,
    /// The same for components that name one client, by the client that takes its place.
    pub renamed_one: ByClient,
    /// By component and client, a number for the component with that client's name left out; equal
    /// clients share it.
    pub relative: ByClient,
    /// All clients of groups, a bit each.
    pub all: u16,
    /// The state that is being renamed.
    pub now: Looks,
    /// The contents of slots before the writes in question, to restore them.
    pub undo: Vec<(usize, (u32, u16))>,
    /// By client, the most unique ids that it was seen to have got.
    pub ids: [u32; 16],
    /// True if clients were found to be told apart by their names.
    pub failed: bool,
    /// True if the search asks for canonical forms.
    pub is_used: bool,
}

/// The clients that a component names.
#[derive(Debug, Clone, Copy)]
pub struct Said {
    /// The clients named in it, a bit each.
    pub named: u16,
    /// True if it names more than one group client.
    pub several: bool,
    /// The only client named, and the component's contribution to its `like`; 0 if there is none.
    pub client: u8,
    pub like: u64,
}

/// A state as symmetry sees it.
#[derive(Debug, Default)]
pub struct Looks {
    /// By slot, its component and the clients named in that, a bit each.
    pub slots: Vec<(u32, u16)>,
    /// By client, a number by which the clients of a group are sorted: its own component first,
    /// then the components that name it.
    pub like: [u64; 16],
    /// The clients that could be exchanged with the one before them in their group without a change
    /// of the state, a bit each.
    pub twins: u16,
}

/// Numbers by slot, component and client.
#[derive(Debug, Default)]
pub struct ByClient(Vec<Vec<[Option<NonZeroU32>; 16]>>);

impl ByClient {
    pub fn get(&self, slot: usize, component: u32, client: usize) -> Option<u32> {
        let number = self.0.get(slot)?.get(component as usize)?[client % 16]?;
        Some(number.get() - 1)
    }

    pub fn set(&mut self, slot: usize, component: u32, client: usize, number: u32) {
        entry(&mut self.0, slot, component)[client % 16] = NonZeroU32::new(number + 1);
    }
}

/// Returns the entry of a table for a slot and component, added if there is none.
pub fn entry<T: Default>(table: &mut Vec<Vec<T>>, slot: usize, component: u32) -> &mut T {
    let components = &mut at_least(table, slot + 1)[slot];
    &mut at_least(components, component as usize + 1)[component as usize]
}

impl Exchange {
    pub fn new(groups: Vec<Vec<usize>>) -> Exchange {
        let all = groups.iter().flatten().fold(0, |all, client| all | 1 << client);
        Exchange { groups, all, ..Exchange::default() }
    }

    /// Returns the renaming that sorts the clients of each group; `None` if they are sorted.
    #[inline(always)]
    pub fn sort(&self, like: &[u64; 16]) -> Option<Places> {
        let mut groups = self.groups.iter();
        let first = groups.by_ref().find(|group| !group.is_sorted_by_key(|at| like[*at]))?;
        let mut to = identity();
        for group in std::iter::once(first).chain(groups) {
            sort(group, like, &mut to);
        }
        Some(to)
    }

    /// Returns true if the search relies on symmetry: it is switched on, there are equal clients,
    /// and no step or condition told them apart.
    pub fn is_asked(&self) -> bool {
        self.is_used && self.is_on()
    }

    pub fn is_on(&self) -> bool {
        !self.groups.is_empty() && !self.failed
    }
}

/// Encodes a renaming, restricted to the clients in `set`, as a number.
pub fn code(to: &Places, set: u16) -> u64 {
    (0..16).filter(|at| set & 1 << at != 0).fold(0, |code, at| code | u64::from(to[at]) << (at * 4))
}

/// Adds to a renaming the exchange that sorts a group by `like`.
fn sort(group: &[usize], like: &[u64; 16], to: &mut Places) {
    let mut order = [(u64::MAX, 0); 16];
    let order = &mut order[..group.len()];
    for (one, &at) in order.iter_mut().zip(group) {
        *one = (like[at], at);
    }
    order.sort_unstable();
    for (&mut (_, old), new) in order.iter_mut().zip(group) {
        to[old] = *new as u8;
    }
    let all = to.iter().fold(0_u32, |all, one| all | 1 << one);
    debug_assert_eq!(all, 0xffff, "two clients become one: {to:?}");
}
