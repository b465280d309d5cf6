//! Films an ordinary command in the slot. Absent: scripts and transactions.
//!
//! A command reads and writes keys at once, or is queued by a transaction, or is refused. At the
//! end the command is still in the slot, unless it was laid down elsewhere.

use crate::resp::{Bytes, Value};
use crate::sim::{Call, CallKind, ClientId, NodeId};
use crate::view::stage::diagram::rows::is_whole;
use crate::view::stage::spans::is_queued;

use super::look::Scene;
use super::reel::{Reel, command};
use super::{How, Place, keys, script, times, transaction};

/// A command in the slot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Running<'c> {
    pub client: ClientId,
    pub node: NodeId,
    pub call: &'c Call,
    /// The reply; `None` if it is held back.
    pub reply: Option<&'c Value>,
}

impl Running<'_> {
    pub fn is(&self, name: &[u8]) -> bool {
        self.call.argv().first().is_some_and(|word| word.eq_ignore_ascii_case(name))
    }

    pub fn connection(&self) -> u8 {
        self.call.connection().unwrap_or_default()
    }
}

/// Films from `t` on; afterwards `t` is the time at which the reply can leave.
pub(super) fn run(reel: &mut Reel<'_>, running: Running<'_>) {
    if running.is(b"EXEC") && !running.reply.is_some_and(is_queued) {
        transaction::exec(reel, running);
    } else if is_whole(running.call, running.reply) {
        script::script(reel, running);
    } else {
        ordinary(reel, running);
    }
}

fn ordinary(reel: &mut Reel<'_>, running: Running<'_>) {
    let Running { client, node, call, reply } = running;
    let CallKind::Redis { argv, .. } = &call.kind else { return };
    let (t0, mut end) = (reel.t, reel.t + times::RUN);
    let is_error = reply.is_some_and(Value::is_error);
    if is_error {
        reel.add(Place::slot(node), How::Shake, t0, t0 + times::SHAKE).by(client);
        end = t0 + times::SHAKE;
    }
    if reply.is_some_and(is_queued) {
        end = lay_down(reel, running);
    } else {
        end = end.max(touch(reel, running, argv, end));
    }
    reel.change = (t0 + times::FADE, end);
    reel.t = end;
}

/// Films the keys of the command that runs. Returns when they are at rest.
fn touch(reel: &mut Reel<'_>, running: Running<'_>, argv: &[Bytes], end: u32) -> u32 {
    let Running { client, node, call, reply } = running;
    let (t0, mut rests) = (reel.t, end);
    let db = keys::database(&reel.scene, client, &call.kind);
    let (reads, writes) = keys::touched(argv, db);
    let changed = reel.changed(node);
    for diff in &changed {
        reel.change(diff, Some(client), t0 + times::FADE, end);
    }
    let refuses = changed.is_empty() && keys::refuses(argv, reply);
    for key in reads.iter().chain(&writes) {
        if changed.iter().any(|diff| diff.name() == *key) {
            continue;
        }
        if refuses {
            reel.shake(node, key, t0, client);
            rests = t0 + times::SHAKE;
        } else {
            reel.light(node, key, (t0, end + 60), Some(client));
        }
    }
    rests
}

/// Films a command that a transaction queues: it is laid down at its connection.
fn lay_down(reel: &mut Reel<'_>, running: Running<'_>) -> u32 {
    let Running { client, .. } = running;
    let (t0, end) = (reel.t, reel.t + times::RUN);
    let count = Scene::queue(&reel.scene.before.world, client).unwrap_or_default();
    let place = Place::queued(client, count);
    reel.leg(&command(), How::Rest, t0 + 40, end + 40, Some(place.clone()));
    reel.add(place, How::Show, end + 20, end + 60).by(client);
    reel.gone(&command(), end + 60);
    end + 60
}

/// Films a command that is held back: it is laid on the shelf, and its client waits.
pub(super) fn hold_back(reel: &mut Reel<'_>, running: Running<'_>) {
    let Running { client, node, call, .. } = running;
    let t0 = reel.t;
    let db = keys::database(&reel.scene, client, &call.kind);
    let (reads, writes) = keys::touched(call.argv(), db);
    for key in reads.iter().chain(&writes) {
        reel.light(node, key, (t0, t0 + times::RUN), Some(client));
    }
    let (t1, t2) = (t0 + 80, t0 + 80 + times::REST);
    let shelf = Place::held(node, client);
    reel.leg(&command(), How::Rest, t1, t2, Some(shelf.clone()));
    reel.add(shelf, How::Show, t2 - 30, t2 + 10).by(client);
    reel.gone(&command(), t2 + 30);
    reel.change = (t0, t1);
    reel.t = t2 + 30;
    reel.say(t2 - 130);
}
