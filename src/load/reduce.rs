//! Reduces a crowd to the fewest of its requests, in the order in which they made their calls, that
//! break a property of a small world.
//!
//! Requests that overlapped are tried in pairs, then in triples. Only the interleaving of their
//! calls matters, so each such pattern is tried once.

use std::collections::HashSet;

use crate::sim::{Action, ClientId, Kind, Property, World};

use super::Called;

/// The most patterns tried for each number of requests.
const TRIES_MAX: usize = 4_000;

/// The most pairs and triples that are considered.
const LOOKS_MAX: usize = 400_000;

/// The most requests in a group.
const TOGETHER_MAX: usize = 4;

/// A few requests of a crowd that break a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Small {
    /// The numbers of the requests, in the order of the letters of their clients.
    pub requests: Vec<u32>,
    pub actions: Vec<Action>,
    /// The index of the property that breaks.
    pub property: usize,
}

/// One request of a crowd: the times of its calls.
struct Request {
    number: u32,
    program: u32,
    calls: Vec<usize>,
}

/// `start` is the small world; `programs` says for each of its clients which of the crowd's
/// programs it runs. `None`: no few requests break a property.
pub fn reduce(
    calls: &[Called],
    start: &World,
    properties: &[Property],
    programs: &[u32],
) -> Option<Small> {
    let requests = requests(calls);
    let mut best: Option<Small> = None;
    for together in 1..=TOGETHER_MAX.min(programs.len()) {
        let mut seen = HashSet::new();
        let mut looks = 0;
        for first in 0..requests.len() {
            let mut group = vec![first];
            choose(&requests, together, &mut group, &mut looks, &mut |group| {
                let Some(pattern) = pattern(&requests, group, programs) else { return };
                if seen.len() >= TRIES_MAX || !seen.insert(pattern.clone()) {
                    return;
                }
                let found = replay(start, properties, &pattern);
                let Some((actions, property)) = found else { return };
                if best.as_ref().is_none_or(|best| actions.len() < best.actions.len()) {
                    let numbers = group.iter().map(|at| requests[*at].number).collect();
                    best = Some(Small { requests: numbers, actions, property });
                }
            });
            if looks >= LOOKS_MAX || seen.len() >= TRIES_MAX {
                break;
            }
        }
        if best.is_some() {
            return best;
        }
    }
    None
}

fn requests(calls: &[Called]) -> Vec<Request> {
    let mut requests: Vec<Request> = Vec::new();
    let mut place_of: Vec<Option<usize>> = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        let number = call.request as usize;
        if place_of.len() <= number {
            place_of.resize(number + 1, None);
        }
        let place = *place_of[number].get_or_insert_with(|| {
            let calls = Vec::new();
            requests.push(Request { number: call.request, program: call.program, calls });
            requests.len() - 1
        });
        requests[place].calls.push(at);
    }
    requests
}

/// Returns every group of `together` requests that overlap the group's first.
fn choose(
    requests: &[Request],
    together: usize,
    group: &mut Vec<usize>,
    looks: &mut usize,
    each: &mut dyn FnMut(&[usize]),
) {
    *looks += 1;
    if *looks >= LOOKS_MAX {
        return;
    }
    if group.len() == together {
        return each(group);
    }
    let (Some(first), Some(last)) = (group.first().copied(), group.last().copied()) else { return };
    let until = requests[first].calls.last().copied().unwrap_or_default();
    for next in last + 1..requests.len() {
        // Requests are in the order of their first calls.
        if requests[next].calls.first().is_none_or(|begin| *begin > until) {
            break;
        }
        group.push(next);
        choose(requests, together, group, looks, each);
        group.pop();
    }
}

/// Returns the order of the calls, as places of the small world; `None` if that world has no
/// clients with these programs.
fn pattern(requests: &[Request], group: &[usize], programs: &[u32]) -> Option<Vec<u16>> {
    let mut taken = vec![false; programs.len()];
    let mut order: Vec<(usize, u16)> = Vec::new();
    for at in group {
        let request = &requests[*at];
        let fits = |place: &usize| !taken[*place] && programs[*place] == request.program;
        let place = (0..programs.len()).find(fits)?;
        taken[place] = true;
        order.extend(request.calls.iter().map(|call| (*call, place as u16)));
    }
    order.sort_unstable();
    Some(order.into_iter().map(|(_, place)| place).collect())
}

/// Makes the small world's clients call in that order, until a property breaks.
fn replay(start: &World, properties: &[Property], pattern: &[u16]) -> Option<(Vec<Action>, usize)> {
    let mut world = start.clone();
    let mut actions = Vec::new();
    for place in pattern {
        let id = ClientId(*place);
        // A call is at most three actions; before it a sleep may have to end.
        let mut called = false;
        for _ in 0..8 {
            let next = match world.next_of(id) {
                Some(Action::Step(_) | Action::Send(_)) if called => break,
                Some(action) => action,
                None if called || world.client(id).is_none_or(|client| client.is_over()) => break,
                None => Action::Advance,
            };
            let wakes = world.wakes(id);
            if world.apply_unseen(next).is_err() {
                break;
            }
            called |= !wakes && matches!(next, Action::Step(_) | Action::Send(_));
            actions.push(next);
            let broken = properties.iter().position(|property| {
                property.kind == Kind::Always && property.holds(&mut world.facts()) == Ok(false)
            });
            if let Some(property) = broken {
                return Some((actions, property));
            }
        }
    }
    None
}
