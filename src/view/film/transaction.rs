//! Films the end of a transaction. The commands queued at the connection run through the slot as
//! one burst; or EXEC is refused: the threads of the watch flash, and the queue falls to dust.

use std::rc::Rc;

use crate::resp::Bytes;
use crate::session::spelling::{command_text, shortened};

use super::look::Scene;
use super::reel::{Reel, command};
use super::run::Running;
use super::{How, Place, keys, times};

/// The most commands, and pieces of dust, that move one by one.
const QUEUE_MAX: usize = 12;

pub(super) fn exec(reel: &mut Reel<'_>, running: Running<'_>) {
    let Running { client, node, reply, .. } = running;
    let world = &reel.scene.before.world;
    let id = world.conn_of(client, running.connection());
    let conn = world.instance(node).and_then(|one| one.conn(id));
    let queued = conn.map(|conn| conn.queued).unwrap_or_default();
    let refused = reply.is_none_or(|reply| reply.is_error() || reply.is_nil());
    match refused {
        true => dust(reel, running, queued.len()),
        false => burst(reel, running, &queued),
    }
}

fn dust(reel: &mut Reel<'_>, running: Running<'_>, count: usize) {
    let Running { client, node, reply, .. } = running;
    let t0 = reel.t;
    if reply.is_some_and(|reply| reply.is_error()) {
        reel.add(Place::slot(node), How::Shake, t0, t0 + times::SHAKE).by(client);
    }
    let threads = Scene::threads(&reel.scene.before.world).into_iter();
    for thread in threads.filter(|thread| thread.client == client).take(QUEUE_MAX) {
        reel.add(thread.place(), How::Flash, t0, t0 + 200).by(client);
    }
    for number in 0..count.min(QUEUE_MAX) {
        let (from, to) = (t0 + 120, t0 + 120 + times::DUST);
        reel.add(Place::queued(client, number), How::Dust, from, to).by(client);
    }
    let end = t0 + 120 + times::DUST - 80;
    reel.change = (end - 60, end + 60);
    reel.t = end;
}

fn burst(reel: &mut Reel<'_>, running: Running<'_>, queued: &[Rc<[Bytes]>]) {
    let Running { client, node, call, .. } = running;
    let t0 = reel.t;
    let db = keys::database(&reel.scene, client, &call.kind);
    let shown = &queued[..queued.len().min(QUEUE_MAX)];
    // EXEC makes room: there is one slot.
    reel.gone(&command(), t0 + 120);
    for (number, argv) in shown.iter().enumerate() {
        let at = t0 + 80 + number as u32 * times::BURST;
        let place = Place::queued(client, number);
        let token = Place::token(&format!("queued:{number}"));
        let text = shortened(&command_text(argv), 40);
        reel.add(place.clone(), How::Leave, at, at + 40).by(client);
        reel.lift(&token, place, at, at + 20).saying(text).by(client);
        reel.leg(&token, How::Fly, at + 20, at + 120, Some(Place::slot(node)));
        reel.leg(&token, How::Enter, at + 120, at + 150, Some(Place::slot(node)));
        reel.gone(&token, at + times::BURST + 80);
        let (reads, writes) = keys::touched(argv, db);
        let (t0, t1) = (at + 180, at + times::BURST);
        for key in reads {
            reel.light(node, &key, (t0, t1), Some(client));
        }
        for key in writes {
            let later = shown[number + 1..].iter();
            let again = later.clone().any(|argv| keys::touched(argv, db).1.contains(&key));
            let diff = reel.changed_key(node, &key);
            match diff.filter(|_| !again) {
                Some(diff) => reel.change(&diff, Some(client), t0, t1),
                None => reel.light(node, &key, (t0, t1), Some(client)),
            }
        }
    }
    let end = t0 + 160 + shown.len() as u32 * times::BURST;
    reel.change = (end - 60, end + 40);
    for diff in reel.changed(node) {
        reel.change(&diff, Some(client), end - 100, end + 40);
    }
    reel.t = end;
}
