//! Asks if what holds also holds where unique ids are in another order.
//!
//! A search gives ids in the order of the clients' letters. Which of two ids is the less is chance
//! in truth, and programs can see it: `<` and `table.sort`, equal scores of a sorted set, SMEMBERS,
//! KEYS. Nothing decides beforehand whether one does; the scenario is searched again with ids in
//! other orders ([`IdOrder`]), and the answers are compared.
//!
//! Where each client gets one id at most, every order is searched, as long as that is not too much
//! ([`ORDERS_MAX`], [`STATES_MAX`]). Orders that differ by exchanging clients that are alike count
//! once: only the clients are exchanged then, and no id. Else three orders are searched, among them
//! the one in which each pair of ids is the other way round. If states, transitions and verdicts
//! are the same in all of them, no step has seen the order. If they are not, nothing that would
//! have to hold in every order is decided, unless an order of the clients has the opposite answer,
//! which counts ([`Check::verdict`]).
//!
//! What else a program reads of an id (its length, a number in it) is chance as well. Where there
//! are few states ([`TEXT_STATES_MAX`]), the scenario is searched three times more with ids of
//! other texts in the same order. If states, transitions and verdicts are the same, no step has
//! read the text. Else nothing that would have to hold for every text is decided, unless one of
//! them has the opposite answer. That an id begins with a client's letter is taken for granted:
//! where only the last text, with other letters, makes a difference, that is said.
//!
//! Absent: a run that shows a break in another order. A world's ids are in the order of the
//! letters, so a link could not repeat it.

use super::super::ClientId;
use super::super::ids::{IdOrder, LETTERS};
use super::super::property::Kind;
use super::super::scenario::Scenario;
use super::{Check, Limits};

/// The most orders that are searched where that is all of them.
const ORDERS_MAX: usize = 24;
/// The most states of all these searches together, if each has as many as the first one.
const STATES_MAX: u64 = 2_000_000;
/// The most states of a search with ids of another text.
pub(super) const TEXT_STATES_MAX: u32 = 10_000;

/// What was found about the order of unique ids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ids {
    /// By property, and then for deadlock, true if it is not decided for this reason.
    pub open: Vec<bool>,
    /// An order in which the answer is another: the clients, the one with the least id first.
    pub other: Option<Vec<ClientId>>,
    /// By property, such an order for it.
    pub by_property: Vec<Option<Vec<ClientId>>>,
    /// True if every order was searched, and there is more than one.
    pub every: bool,
    /// True if something that reads the text of an id was looked for.
    pub texts: bool,
    /// True if a step or a condition was seen to depend on that text.
    pub reads_text: bool,
    /// True if one was seen to depend on the letter that an id begins with, and on no more.
    pub reads_letter: bool,
    /// By property, true if the answer is another for ids of another text.
    pub by_text: Vec<bool>,
}

impl Ids {
    pub fn is_open(&self) -> bool {
        self.open.contains(&true)
    }
}

/// The question under way.
#[derive(Debug)]
pub(super) struct Orders {
    scenario: Scenario,
    limits: Limits,
    /// The orders left, the next one last.
    left: Vec<IdOrder>,
    /// What is asked: properties, with what they are in the order of the letters.
    claims: Vec<(usize, bool)>,
    /// True if it is also asked that no client gets stuck.
    asks_deadlock: bool,
    /// The counts of the first search, without reductions that the others lack; `None` if it is
    /// still to be done.
    like: Option<[u64; 3]>,
    check: Option<Check>,
    pub answer: Ids,
}

impl Orders {
    pub fn new(
        check: &Check,
        orders: Vec<IdOrder>,
        texts: bool,
        claims: Vec<(usize, bool)>,
        asks_deadlock: bool,
    ) -> Orders {
        let limits = Limits {
            id_orders: false,
            finer: false,
            symmetry: false,
            census: false,
            ..check.limits
        };
        let every = !orders.is_empty() && !orders.iter().any(|order| order.falls);
        // The last one comes first.
        let mut left: Vec<IdOrder> =
            texts.then(|| [LETTERS, 2, 1].map(with_text)).into_iter().flatten().collect();
        let like = (!check.is_reduced()).then(|| counts(check));
        left.extend(orders);
        // Counts are compared with those of a search with the same reductions.
        left.extend((like.is_none() && !every).then(IdOrder::default));
        let properties = check.scenario.properties.len();
        let answer = Ids {
            open: vec![false; properties + 1],
            by_property: vec![None; properties],
            every,
            texts,
            by_text: vec![false; properties],
            ..Ids::default()
        };
        let scenario = check.scenario.clone();
        Orders { scenario, limits, left, claims, asks_deadlock, like, check: None, answer }
    }

    /// Works on this number of further `states`; true when the answer is known.
    pub fn advance(&mut self, states: u32) -> bool {
        let Some(check) = &mut self.check else {
            let Some(order) = self.left.pop() else { return true };
            let mut limits = self.limits;
            if order.text > 0 {
                limits.states_max = limits.states_max.min(TEXT_STATES_MAX);
            }
            self.scenario.ids = order;
            self.check = Check::new(&self.scenario, limits).ok();
            if self.check.is_none() {
                self.leave_open();
            }
            return self.check.is_none();
        };
        let has_eventually =
            |(at, _): &(usize, bool)| self.scenario.properties[*at].kind == Kind::Eventually;
        let is_over = check.advance(states);
        if !is_over && (!check.is_complete() || self.claims.iter().any(has_eventually)) {
            return false;
        }
        if let Some(check) = self.check.take() {
            self.compare(check);
        }
        self.left.is_empty()
    }

    /// Compares a search of another order or text with what is claimed.
    fn compare(&mut self, mut check: Check) {
        let is_text = self.scenario.ids.text > 0;
        if is_text && !check.is_complete() {
            // Then nothing is known of texts.
            self.left.retain(|order| order.text == 0);
            self.answer.texts = false;
            return;
        }
        let like = *self.like.get_or_insert_with(|| counts(&check));
        if self.scenario.ids.text == LETTERS {
            let mut is_other =
                |(at, claimed): &(usize, bool)| check.verdict(*at).holds != Some(*claimed);
            let mut differs = self.claims.iter().any(&mut is_other);
            differs |= like != counts(&check);
            differs |= self.asks_deadlock && check.deadlock().is_some();
            self.answer.reads_letter = differs && !self.answer.reads_text;
            return;
        }
        let mut differs = false;
        let order = self.order();
        for (at, claimed) in &self.claims {
            let holds = check.verdict(*at).holds;
            let is_open = holds != Some(*claimed);
            self.answer.open[*at] |= is_open;
            self.answer.reads_text |= is_text && is_open;
            if holds == Some(!*claimed) && is_text {
                self.answer.by_text[*at] = true;
            } else if holds == Some(!*claimed) {
                differs = true;
                self.answer.by_property[*at] =
                    self.answer.by_property[*at].take().or(order.clone());
            }
        }
        let last = self.answer.open.len() - 1;
        let is_stuck = check.deadlock().is_some();
        self.answer.open[last] |= self.asks_deadlock && (is_stuck || !check.is_deadlock_decided());
        differs |= self.asks_deadlock && is_stuck && !is_text;
        if differs {
            self.answer.other = self.answer.other.take().or(order);
        }
        if (is_text || !self.answer.every) && like != counts(&check) {
            self.answer.reads_text |= is_text;
            self.leave_open();
        }
    }

    /// Returns the clients in the order that is searched, the one with the least id first. `None`
    /// if the ids of one client fall: that is no order of clients.
    fn order(&self) -> Option<Vec<ClientId>> {
        let IdOrder { places, falls, .. } = &self.scenario.ids;
        let mut clients: Vec<u8> = (0..places.len() as u8).collect();
        clients.sort_unstable_by_key(|client| places[usize::from(*client)]);
        let clients = clients.into_iter().map(|client| ClientId(client.into()));
        (!falls).then(|| clients.collect())
    }

    /// Leaves open all that is asked.
    fn leave_open(&mut self) {
        self.claims.iter().for_each(|(at, _)| self.answer.open[*at] = true);
        let last = self.answer.open.len() - 1;
        self.answer.open[last] |= self.asks_deadlock;
    }
}

fn with_text(text: u8) -> IdOrder {
    IdOrder { text, ..IdOrder::default() }
}

fn counts(check: &Check) -> [u64; 3] {
    let counts = check.counts();
    [counts.states, counts.transitions, counts.depth.into()]
}

/// Returns the orders to search besides that of the letters, for clients that got so many ids.
/// Clients of one of the `groups` are alike.
pub(super) fn others(drawn: &[u32], groups: &[Vec<usize>], states: u64) -> Vec<IdOrder> {
    if drawn.iter().sum::<u32>() < 2 {
        return Vec::new();
    }
    let most = ORDERS_MAX.min(usize::try_from(STATES_MAX / states.max(1)).unwrap_or(ORDERS_MAX));
    let every = drawn.iter().all(|count| *count < 2).then(|| every(drawn, groups, most)).flatten();
    every.unwrap_or_else(|| {
        let clients: Vec<usize> = (0..drawn.len()).filter(|at| drawn[*at] > 0).collect();
        let last_first: Vec<usize> = clients.iter().rev().copied().collect();
        let order = |row: &[usize], falls| IdOrder { falls, ..placed(row, drawn.len()) };
        vec![order(&last_first, false), order(&clients, true), order(&last_first, true)]
    })
}

/// Returns every order of the clients that got an id, but that of the letters; `None` if they are
/// more than `most`.
fn every(drawn: &[u32], groups: &[Vec<usize>], most: usize) -> Option<Vec<IdOrder>> {
    let clients: Vec<usize> = (0..drawn.len()).filter(|at| drawn[*at] > 0).collect();
    let group_of = |client: usize| groups.iter().position(|group| group.contains(&client));
    // Each row begins with the clients that have the least ids. Clients that are alike keep theirs
    // in the order of their letters.
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in &clients {
        let mut longer = Vec::new();
        for row in &rows {
            let free = clients.iter().filter(|client| !row.contains(client));
            for &next in free.clone() {
                let is_first = |other: &&usize| {
                    **other < next && group_of(**other).is_some_and(|at| Some(at) == group_of(next))
                };
                if !free.clone().any(|other| is_first(&other)) {
                    longer.push(row.iter().copied().chain([next]).collect());
                }
            }
        }
        rows = longer;
        if rows.len() > most + 1 {
            return None;
        }
    }
    // The first one is that of the letters.
    Some(rows.iter().skip(1).rev().map(|row| placed(row, drawn.len())).collect())
}

/// Returns the order in which these clients have the least ids, the next ones, and so on.
fn placed(row: &[usize], clients: usize) -> IdOrder {
    let mut places: Vec<u8> = (0..clients as u8).collect();
    let mut sorted = row.to_vec();
    sorted.sort_unstable();
    for (client, place) in row.iter().zip(sorted) {
        places[*client] = place as u8;
    }
    IdOrder { places, ..IdOrder::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_clients_that_are_alike_count_once() {
        let count = |drawn: &[u32], groups: &[Vec<usize>]| others(drawn, groups, 10).len();
        assert_eq!(count(&[1, 0], &[]), 0);
        assert_eq!(others(&[1, 0, 1], &[], 10), [placed(&[2, 0], 3)]);
        assert_eq!(count(&[1, 1, 1, 1], &[]), 23);
        assert_eq!(count(&[1, 1, 1, 1], &[vec![0, 1, 2, 3]]), 0);
        assert_eq!(count(&[1, 1, 1, 1], &[vec![0, 2], vec![1, 3]]), 5);
        // Too many, or several of one client: some of them.
        for drawn in [&[1; 5][..], &[2, 0], &[1, 2]] {
            assert!(others(drawn, &[], 10).iter().any(|order| order.falls));
        }
    }
}
