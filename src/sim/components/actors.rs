//! The actors of a world for the checker: clients, time, and each fault or repair; and the budget
//! that a fault spends.
//!
//! To add a fault, add its kind ([`kind_of_fault`]), and its actors, in the
//! order of `World::enabled` ([`actors`]). A fault that is not listed here is never searched.

use super::super::action::{Action, ClientId, ProcessId};
use super::super::client::{Call, CallKind, Client, State};
use super::super::scenario::{FaultKind, TimeMode};
use super::super::world::World;
use crate::mutant::{Mutant, is_on};

/// An actor of the search: a client, time, or a fault or its mending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Actor {
    Client(ClientId),
    Time,
    /// Time that moves although a client can go on. It need not, as a fault need not happen.
    Early,
    Other(Action),
}

/// Returns the index in [`Faults::left`](super::super::scenario::Faults::left) of the budget that
/// an action spends; `None` if it spends none.
pub(super) fn kind_of_fault(action: Action) -> Option<usize> {
    let kind = match action {
        Action::Crash(_) | Action::CrashProcess(_) => FaultKind::Crash,
        Action::Pause(_) | Action::PauseProcess(_) => FaultKind::Pause,
        Action::LoseReply(_) => FaultKind::Lose,
        Action::JumpClient(_) | Action::JumpNode(_) => FaultKind::Jump,
        Action::Down(_) => FaultKind::Down,
        Action::Restart(_) => FaultKind::Restart,
        Action::Failover(_) => FaultKind::Failover,
        Action::Cancel(_) => FaultKind::Cancel,
        Action::Evict(..) => FaultKind::Evict,
        Action::LoseRequest(_) => FaultKind::Drop,
        Action::Rewind(_) => FaultKind::Rewind,
        _ => return None,
    };
    Some(kind as usize)
}

/// Returns all actors, in the order of `World::enabled`.
pub(super) fn actors(world: &World) -> Vec<Actor> {
    let setting = &world.setting;
    let clients = || world.ids();
    let processes = || {
        let all = (0..setting.processes.len() as u16).map(ProcessId);
        all.filter(|process| setting.members(*process).len() > 1)
    };
    let nodes = || setting.node_ids();
    let budget = &world.budget;
    let mut actors: Vec<Actor> = clients().map(Actor::Client).collect();
    actors.push(Actor::Time);
    if setting.time == TimeMode::Any && budget.early > 0 {
        actors.push(Actor::Early);
    }
    let mut list = |count: u8, actions: &mut dyn Iterator<Item = Action>| {
        if count > 0 {
            actors.extend(actions.map(Actor::Other));
        }
    };
    // One for all connections of a client.
    list(u8::from(setting.wire), &mut clients().map(|id| Action::Arrive(id, 0)));
    list(budget.pause, &mut clients().map(Action::Resume));
    list(budget.pause, &mut processes().map(Action::ResumeProcess));
    let down = budget.down.max(budget.failover);
    list(down, &mut nodes().map(Action::Up));
    // After a failover the old master follows.
    list(world.links.len() as u8, &mut nodes().map(Action::Replicate));
    list(budget.lose, &mut clients().map(Action::LoseReply));
    list(budget.pause, &mut clients().map(Action::Pause));
    list(budget.pause, &mut processes().map(Action::PauseProcess));
    list(budget.crash, &mut clients().map(Action::Crash));
    list(budget.crash, &mut processes().map(Action::CrashProcess));
    list(budget.jump, &mut clients().map(Action::JumpClient));
    list(budget.jump, &mut nodes().map(Action::JumpNode));
    list(budget.down, &mut nodes().map(Action::Down));
    list(budget.restart, &mut nodes().map(Action::Restart));
    list(budget.failover, &mut nodes().map(Action::Failover));
    list(budget.cancel, &mut clients().map(Action::Cancel));
    // One for all keys of an instance.
    list(budget.evict, &mut nodes().map(|id| Action::Evict(id, 0)));
    list(budget.drop, &mut clients().map(Action::LoseRequest));
    list(budget.rewind, &mut nodes().map(Action::Rewind));
    actors
}

/// Returns 1 if this client can go on by itself, 2 if that depends on others: on who holds a mutex,
/// or whose call is on the connection that it shares; 3 if on who has locked rows; else 0.
pub(super) fn runs(client: &Client, wire: bool) -> u32 {
    let shares = client.is_on_shared() && !is_on(Mutant::SharedFree);
    let alone = if shares { 2 } else { 1 };
    match client.state() {
        // A command on the wire arrives without its client.
        State::Sent(_) if wire => alone,
        _ if wire && client.arrivals().next().is_some() && !is_on(Mutant::ArrivalForgotten) => 1,
        _ if client.paused.is_some() => 0,
        State::Ready(call) if matches!(call.kind, CallKind::Lock { .. }) => 2,
        State::Ready(Call { kind: CallKind::Sql(prepared), .. }) if prepared.may_wait() => 3,
        State::Ready(call) if wire && is_redis(&call.kind) => 1,
        State::Ready(_) => alone,
        State::Answered(..) if wire => alone,
        _ => 0,
    }
}

pub(super) fn is_redis(kind: &CallKind) -> bool {
    matches!(kind, CallKind::Redis { .. })
}
