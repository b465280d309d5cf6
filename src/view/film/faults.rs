//! Films faults of clients: pauses, crashes, clock jumps, lost replies. The clients are found by
//! comparing the two frames, as an action may strike a whole process.
//!
//! To add an action on a client, add a function here, and its line in `events`.

use crate::sim::{Call, Client, ClientId, State};

use super::reel::{Reel, THINGS_MAX, command, reply_words};
use super::{How, Place, times};
use crate::view::stage::spans::SpanKind;

/// Films a pause: the client, its marker and its values lose their colour, and its lane freezes.
pub(super) fn pause(reel: &mut Reel<'_>) {
    reel.plain();
    let (t0, t1) = reel.change;
    for id in reel.scene.everybody() {
        let paused = |client: Option<&Client>| client.and_then(Client::paused);
        let (was, is) = (paused(reel.scene.was(id)), paused(reel.scene.is(id)));
        if was != is {
            reel.add(Place::client(id), How::Swap, t0, t1).by(id);
            reel.add(Place::marker(id), How::Swap, t0, t1).by(id);
            values(reel, id, t0, t1);
        }
        if was.is_none() && is.is_some() {
            let band = Place::band(SpanKind::Paused.word(), &id.name(), reel.scene.step);
            reel.add(band, How::Extend, t1, t1 + times::FREEZE).by(id);
            reel.t = t1 + times::FREEZE;
        }
    }
}

/// Films the end of a pause: the colours return, and clients whose reply has come or whose deadline
/// has passed go on.
pub(super) fn resume(reel: &mut Reel<'_>) {
    pause(reel);
    let end = reel.t;
    for id in reel.scene.everybody() {
        let answered = match reel.scene.was(id).map(Client::state) {
            Some(State::Answered(call, reply)) => Some((call, reply)),
            _ => None,
        };
        let ran = reel.scene.after.seen.ran.iter().any(|run| run.client == id);
        if let Some((call, reply)) = answered.filter(|_| ran) {
            // The reply has waited for it.
            reel.t = end;
            let from = Place::replied(reel.scene.serving(call), id);
            let token = Place::token(&format!("reply:{}", id.name()));
            reel.add(from.clone(), How::Leave, end, end + 40).by(id);
            let row = reel.scene.step;
            reel.reply(&token, (id, call.line), from, row, reply_words(reply));
            reel.go(id, Some(&token));
        } else if ran {
            reel.t = end;
            reel.go(id, None);
        }
    }
    let shown = reel.moves.iter().map(|one| one.t1).max().unwrap_or_default();
    reel.t = shown.max(end);
}

/// Films a crash: the cards of the crashed clients break.
pub(super) fn crash(reel: &mut Reel<'_>) {
    reel.row();
    for id in reel.scene.everybody() {
        let gone = |client: Option<&Client>| {
            client.is_some_and(|client| matches!(client.state(), State::Crashed))
        };
        if gone(reel.scene.is(id)) && !gone(reel.scene.was(id)) {
            reel.add(Place::client(id), How::Break, 80, 520).by(id);
            reel.add(Place::marker(id), How::Leave, 80, 320).by(id);
            values(reel, id, 80, 320);
        }
    }
    reel.change = (80, 320);
    reel.say(360);
    reel.t = 560;
}

/// Films a jump of a client's clock: the clock on its card turns to the new time. Leases do not
/// move.
pub(super) fn jump(reel: &mut Reel<'_>, id: ClientId) {
    reel.plain();
    let ahead = reel.scene.was(id).map_or(0, Client::clock_ms);
    reel.add(Place::client(id), How::Light, 0, 300).by(id);
    reel.add(Place::client_clock(id), How::Roll, 60, 300).saying(format!("{ahead:+} ms")).by(id);
}

/// Films a lost reply in wire mode: the reply in the tray fades on its way.
pub(super) fn lose_reply(reel: &mut Reel<'_>, id: ClientId) {
    let Some(State::Answered(call, reply)) = reel.scene.was(id).map(Client::state) else {
        return reel.plain();
    };
    reel.row();
    let from = Place::replied(reel.scene.serving(call), id);
    reel.add(from.clone(), How::Leave, 0, 40).by(id);
    reel.lose(id, from, reply_words(reply));
    reel.change = (reel.t - 160, reel.t);
    reel.say(reel.t - 160);
    reel.go(id, None);
}

/// Films a lost request: the command fades on its way; in wire mode, in the inbox.
pub(super) fn lose_request(reel: &mut Reel<'_>, id: ClientId, call: &Call) {
    reel.row();
    match reel.scene.was(id).map(Client::state) {
        Some(State::Sent(_)) => {
            let place = Place::arrived(reel.scene.serving(call), id);
            reel.add(place, How::Leave, 0, times::FADE).by(id);
            reel.t = times::FADE;
        }
        _ => {
            reel.leave(id, call);
            let t0 = reel.t;
            reel.leg(&command(), How::Lose, t0, t0 + times::BOUNCE, None);
            reel.t = t0 + times::BOUNCE;
        }
    }
    reel.change = (reel.t.saturating_sub(times::BOUNCE), reel.t);
    reel.say(reel.change.0);
    reel.go(id, None);
}

/// Films a call that is given up while its reply is on its way or held back: the client goes on.
pub(super) fn cancel(reel: &mut Reel<'_>, id: ClientId) {
    reel.row();
    reel.say(reel.t);
    reel.go(id, None);
}

/// Films a console that closes its connection. What it had queued and watched goes with it
/// (`follow`).
pub(super) fn disconnect(reel: &mut Reel<'_>, id: ClientId) {
    reel.plain();
    let (t0, t1) = reel.change;
    reel.add(Place::conn(id), How::Swap, t0, t1).by(id);
    reel.add(Place::client(id), How::Swap, t0, t1).by(id);
}

/// Takes the colour from the values that a client's program has set, or returns it.
fn values(reel: &mut Reel<'_>, id: ClientId, t0: u32, t1: u32) {
    let mut chips: Vec<Place> = Vec::new();
    let earlier = reel.scene.timeline.frames().iter().take(reel.scene.step);
    for run in earlier.flat_map(|frame| &frame.seen.ran).filter(|run| run.client == id) {
        for set in run.trace.assigned.iter().filter(|set| set.name != "_") {
            let chip = Place::chip(id, &set.name);
            if chips.len() < THINGS_MAX && !chips.contains(&chip) {
                chips.push(chip);
            }
        }
    }
    for chip in chips {
        reel.add(chip, How::Swap, t0, t1).by(id);
    }
}
