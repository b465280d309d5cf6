//! Films a call in one step: its command travels, runs, and its reply comes back; or no instance
//! answers, or the reply is lost, or Redis holds it back. What a command does in the slot is in
//! `run`. To add another end of a call, add it here.

use crate::resp::Value;
use crate::sim::{Call, CallKind, ClientId};

use super::reel::{Reel, command, reply as reply_token, reply_words};
use super::run::{self, Running};
use super::{How, Place, RowPart, beside, times, woken};

pub(super) fn call(
    reel: &mut Reel<'_>,
    client: ClientId,
    call: &Call,
    reply: Option<&Value>,
    lost: bool,
) {
    match &call.kind {
        CallKind::Redis { .. } => {}
        _ => return beside::call(reel, client, call, reply, lost),
    }
    let node = reel.scene.serving(call);
    reel.leave(client, call);
    reel.travel(client, call, Place::inbox(node), Place::inbox(node));
    if reel.scene.before.world.goes_nowhere(&call.kind) {
        return nobody_there(reel, client, reply);
    }
    reel.enter(client, node);
    let running = Running { client, node, call, reply };
    if reply.is_none() {
        run::hold_back(reel, running);
        waits(reel, client);
        woken::others(reel);
        return;
    }
    run::run(reel, running);
    reel.say(reel.t - 40);
    reel.gone(&command(), reel.t);
    answer(reel, (client, call), Place::slot(node), reply, lost);
}

/// Shows "waits …" in the reply's place, and the client as waiting.
pub(super) fn waits(reel: &mut Reel<'_>, client: ClientId) {
    let t = reel.t;
    let stub = Place::row(reel.scene.step, RowPart::Stub);
    reel.add(stub, How::Show, t - 230, t - 110).by(client);
    reel.goes_on(client, t - 160, t - 40);
}

/// Films a call to an instance that is down: the command fades at its door, and its client waits,
/// or gets an error at once.
pub(super) fn nobody_there(reel: &mut Reel<'_>, client: ClientId, reply: Option<&Value>) {
    let t0 = reel.t;
    reel.leg(&command(), How::Lose, t0, t0 + 260, None);
    reel.change = (t0, t0 + 260);
    reel.t = t0 + 260;
    reel.say(t0 + 140);
    match reply {
        None => waits(reel, client),
        Some(_) => {
            // What it is told stands in the row; nothing came back for it.
            let said = Place::row(reel.scene.step, RowPart::Reply);
            reel.add(said, How::Show, reel.t - 60, reel.t + 40).by(client);
            reel.go(client, None);
        }
    }
}

/// Films the reply, which comes from this place; one that is lost fades on its way.
pub(super) fn answer(
    reel: &mut Reel<'_>,
    (client, call): (ClientId, &Call),
    from: Place,
    reply: Option<&Value>,
    lost: bool,
) {
    let text = reply.map(reply_words).unwrap_or_default();
    let end = woken::others(reel);
    if lost {
        reel.lose(client, from, text);
        reel.go(client, None);
    } else {
        reel.reply(&reply_token(), (client, call.line), from, reel.scene.step, text);
        reel.go(client, Some(&reply_token()));
    }
    reel.t = reel.t.max(end);
}

/// Films a command that is not let in: it bounces at its place, which shakes.
pub(super) fn bounce(reel: &mut Reel<'_>, place: Place) {
    let t0 = reel.t;
    reel.leg(&command(), How::Bounce, t0, t0 + times::BOUNCE, None);
    let actor = reel.scene.actor();
    reel.add(place, How::Shake, t0, t0 + times::SHAKE).by(actor);
    reel.change = (t0, t0 + times::SHAKE);
    reel.t = t0 + times::BOUNCE;
}
