//! Films calls that do not go to Redis' slot: to a table, the variables of a process, a resource, a
//! mutex, or for a message.
//! Each has a place of its own; the road there is that of a command.

use crate::resp::Value;
use crate::sim::{Call, CallKind, ClientId};

use super::reel::{Reel, command};
use super::{How, Place, call, times};

pub(super) fn call(
    reel: &mut Reel<'_>,
    client: ClientId,
    call: &Call,
    reply: Option<&Value>,
    lost: bool,
) {
    match &call.kind {
        CallKind::Redis { .. } => reel.plain(),
        CallKind::Sql(statement) => {
            let (before, after) = (&reel.scene.before.world, &reel.scene.after.world);
            let changes = |name: &str| before.sql().get(name) != after.sql().get(name);
            // COMMIT names no table: it goes to one that it changes.
            let names = || after.sql().iter().map(|(name, _)| name);
            let any = || names().find(|name| changes(name)).or_else(|| names().next());
            let Some(name) = statement.table().or_else(any) else { return reel.plain() };
            let (name, changes) = (name.to_owned(), changes(name));
            let name = name.as_str();
            table_used(reel, (client, call), Place::table(name), changes, (reply, lost));
        }
        CallKind::Resource { name, .. } => {
            let name = crate::resp::lossy(name).into_owned();
            resource(reel, (client, call), &name, reply);
        }
        CallKind::Lock { name } => {
            let name = crate::resp::lossy(name).into_owned();
            mutex(reel, (client, call), &name);
        }
        CallKind::Variable(_) => {
            let (before, after) = (&reel.scene.before.world, &reel.scene.after.world);
            let changes = before.variables() != after.variables();
            let process = after.setting().process_name(after.process(client));
            let place = Place::variables(process);
            table_used(reel, (client, call), place, changes, (reply, false));
        }
        CallKind::Again | CallKind::Wake(_) | CallKind::Close { .. } => reel.plain(),
        CallKind::Receive { .. } => receive(reel, (client, call), reply),
    }
}

/// Moves the command to the door of `place`.
fn go_there(reel: &mut Reel<'_>, (client, call): (ClientId, &Call), place: &Place) {
    reel.leave(client, call);
    reel.travel(client, call, place.clone(), place.clone());
}

/// Films a statement, or the use of a variable: its table lights up, and changes if it writes.
fn table_used(
    reel: &mut Reel<'_>,
    made: (ClientId, &Call),
    place: Place,
    changes: bool,
    (reply, lost): (Option<&Value>, bool),
) {
    go_there(reel, made, &place);
    let (t0, t1) = (reel.t, reel.t + times::RUN);
    reel.add(place.clone(), How::Light, t0, t1 + 60).by(made.0);
    if changes {
        reel.add(place.clone(), How::Swap, t0 + times::FADE, t1).by(made.0);
    }
    if reply.is_some_and(Value::is_error) {
        reel.add(place.clone(), How::Shake, t0, t0 + times::SHAKE).by(made.0);
    }
    reel.change = (t0 + times::FADE, t1);
    reel.t = t1;
    reel.say(t1 - 40);
    reel.gone(&command(), t1);
    call::answer(reel, made, place, reply, lost);
}

/// Films a write to a resource: its gate takes the token's number and lets the write through, or
/// the token bounces.
fn resource(reel: &mut Reel<'_>, made: (ClientId, &Call), name: &str, reply: Option<&Value>) {
    let gate = Place::gate(name);
    go_there(reel, made, &gate);
    if reply == Some(&Value::Bool(true)) {
        let t0 = reel.t;
        reel.add(gate.clone(), How::Light, t0, t0 + 240).by(made.0);
        reel.add(gate.clone(), How::Swap, t0 + 60, t0 + 160).by(made.0);
        reel.change = (t0 + 60, t0 + 160);
        reel.t = t0 + times::SHAKE;
    } else {
        call::bounce(reel, gate.clone());
    }
    reel.say(reel.t - times::SAY);
    reel.gone(&command(), reel.t);
    call::answer(reel, made, gate, reply, false);
}

/// Films a mutex, drawn as a hook: the command hangs there, and its client goes on at once.
fn mutex(reel: &mut Reel<'_>, made: (ClientId, &Call), name: &str) {
    let (client, call) = made;
    let place = Place::mutex(name);
    reel.leave(client, call);
    let (t0, t1) = (reel.t, reel.t + times::TRAVEL);
    reel.row();
    let via = reel.road(client, call);
    reel.leg_via(&command(), How::Fly, t0, t1, Some(place.clone()), via);
    reel.leg(&command(), How::Land, t1, t1 + times::GO, None);
    reel.add(place, How::Show, t1 + 40, t1 + times::GO).by(client);
    reel.grown = t1;
    reel.change = (t1, t1 + times::GO);
    reel.say(t1);
    reel.t = t1 + times::GO;
    reel.go(client, None);
}

/// Films `receive`: a message that is there is taken from the connection; otherwise the client
/// waits at it.
fn receive(reel: &mut Reel<'_>, made: (ClientId, &Call), reply: Option<&Value>) {
    let place = Place::conn(made.0);
    go_there(reel, made, &place);
    let t = reel.t;
    reel.add(place.clone(), How::Light, t, t + times::RUN).by(made.0);
    if reply.is_none() {
        reel.leg(&command(), How::Rest, t, t + times::REST, None);
        reel.gone(&command(), t + times::REST + 30);
        reel.change = (t, t + times::REST);
        reel.t = t + times::REST + 30;
        reel.say(t + 100);
        return call::waits(reel, made.0);
    }
    reel.change = (t, t + times::RUN);
    reel.t = t + times::RUN;
    reel.say(t + 100);
    reel.gone(&command(), reel.t);
    call::answer(reel, made, place, reply, false);
}
