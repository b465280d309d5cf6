//! Films a call in three steps: its command goes into the inbox; it runs, and its reply is laid in
//! the tray; the reply comes to the client. Others that wait beside it move up. The execution is
//! filmed as in one step.

use crate::resp::Value;
use crate::sim::{Call, CallKind, ClientId, NodeId, State, World};

use super::look::Scene;
use super::reel::{Reel, command, reply as reply_token, reply_words};
use super::run::{self, Running};
use super::{How, Place, RowPart, call, times, woken};

pub(super) fn send(reel: &mut Reel<'_>, client: ClientId, call: &Call) {
    let node = reel.scene.serving(call);
    let place = Place::arrived(node, client);
    reel.leave(client, call);
    reel.travel(client, call, Place::inbox(node), place.clone());
    let t = reel.t;
    reel.add(place, How::Show, t - 20, t + 60).by(client);
    reel.gone(&command(), t + 90);
    reel.goes_on(client, t - 20, t + 80);
    reel.say(t - 60);
    reel.t = t + 100;
}

pub(super) fn execute(reel: &mut Reel<'_>, client: ClientId, call: &Call, reply: Option<&Value>) {
    let CallKind::Redis { .. } = &call.kind else { return reel.plain() };
    let node = reel.scene.serving(call);
    let place = Place::arrived(node, client);
    reel.add(place.clone(), How::Leave, 0, times::FADE).by(client);
    let text = reel.words(client, call);
    reel.lift(&command(), place, 0, times::FADE).saying(text).by(client);
    reel.t = times::FADE;
    let waiting = Scene::sent(&reel.scene.before.world);
    if reel.scene.before.world.goes_nowhere(&call.kind) {
        reel.row();
        call::nobody_there(reel, client, reply.filter(|_| !answered(reel, client)));
        return move_up(reel, client, node, &waiting, Place::arrived);
    }
    reel.enter(client, node);
    move_up(reel, client, node, &waiting, Place::arrived);
    let running = Running { client, node, call, reply };
    let Some(reply) = reply else {
        run::hold_back(reel, running);
        reel.row();
        call::waits(reel, client);
        woken::others(reel);
        return;
    };
    run::run(reel, running);
    let t = reel.t;
    reel.say(t - 40);
    reel.gone(&command(), t);
    reel.add(Place::row(reel.scene.step, RowPart::All), How::Show, t - 40, t + 40);
    reel.grown = t;
    let end = woken::others(reel);
    let (t0, t1) = (t, t + times::MOVE_UP);
    if answered(reel, client) {
        let tray = reel.add(Place::replied(node, client), How::Arrive, t0, t1);
        tray.path(Place::slot(node), Place::replied(node, client));
        tray.saying(reply_words(reply)).by(client);
        reel.goes_on(client, t0, t1);
        reel.t = t1.max(end);
    } else {
        reel.go(client, None);
        reel.t = reel.t.max(end);
    }
}

fn answered(reel: &Reel<'_>, client: ClientId) -> bool {
    reel.scene.is(client).is_some_and(|one| matches!(one.state(), State::Answered(..)))
}

pub(super) fn reply(reel: &mut Reel<'_>, client: ClientId, call: &Call, reply: &Value) {
    let node = reel.scene.serving(call);
    let place = Place::replied(node, client);
    let tray = Scene::answered(&reel.scene.before.world);
    reel.t = 40;
    move_up(reel, client, node, &tray, Place::replied);
    reel.add(place.clone(), How::Leave, 20, 60).by(client);
    let step = reel.scene.step;
    reel.reply(&reply_token(), (client, call.line), place, step, reply_words(reply));
    reel.change = (40, reel.t);
    reel.grown = reel.t;
    reel.say(reel.t - 40);
    reel.go(client, Some(&reply_token()));
}

/// Moves the others that still wait to their new places.
fn move_up(
    reel: &mut Reel<'_>,
    client: ClientId,
    node: NodeId,
    waiting: &[(ClientId, NodeId)],
    place: impl Fn(NodeId, ClientId) -> Place,
) {
    let (t0, t1) = (reel.t, reel.t + times::MOVE_UP);
    let still = |world: &World, id: ClientId| world.client(id).map(|one| one.state().clone());
    for (id, at) in waiting.iter().filter(|(id, at)| *id != client && *at == node) {
        let (was, is) = (still(&reel.scene.before.world, *id), still(&reel.scene.after.world, *id));
        if was == is {
            reel.add(place(*at, *id), How::Shift, t0, t1).by(*id);
        }
    }
}
