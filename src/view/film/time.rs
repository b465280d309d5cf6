//! Films the passing of time: every lease runs down at one pace, a key falls when it expires, and
//! clients whose sleep or wait ends go on at the end. To make something else run by the clock,
//! drain it here.

use crate::sim::{ClientId, NodeId};

use crate::view::film::board::lease_ms;
use crate::view::stage::redis::KEYS_MAX;

use super::reel::{Reel, THINGS_MAX};
use super::{How, Place, RowPart, times, woken};
use crate::view::stage::redis::key_name;

pub(super) fn advance(reel: &mut Reel<'_>, from_ms: u64, to_ms: u64) {
    let ms = to_ms.saturating_sub(from_ms);
    let end = times::passing(ms);
    let start_ms = crate::sim::START_MS;
    let was = format!("{} ms", from_ms.saturating_sub(start_ms));
    reel.add(Place::clock(), How::Roll, 0, end).saying(was);
    reel.add(Place::row(reel.scene.step, RowPart::All), How::Grow, 0, end);
    reel.grown = end;
    reel.change = (end.saturating_sub(60), end);
    for node in reel.scene.nodes() {
        drain(reel, node, ms, (0, end));
    }
    reel.say(end);
    reel.t = end;
    let woken = woken::others(reel);
    let mut wakes: Vec<ClientId> = Vec::new();
    for run in &reel.scene.after.seen.ran {
        if !reel.gone_on.contains(&run.client) && !wakes.contains(&run.client) {
            wakes.push(run.client);
        }
    }
    for id in wakes {
        if reel.scene.looks_different(id) {
            reel.add_if_new(Place::client(id), How::Swap, end, end + 120, Some(id));
        }
        reel.wait_ends(id, end, end + 120);
        reel.t = end + times::FALL - times::GO;
        reel.go(id, None);
    }
    reel.t = woken.max(end + times::FALL);
}

/// Drains the leases of an instance's keys by `ms`. Those of an instance that is down do not move.
pub(super) fn drain(reel: &mut Reel<'_>, node: NodeId, ms: u64, (t0, end): (u32, u32)) {
    let (Some(was), Some(_)) = reel.scene.node(node) else { return };
    if !was.up {
        return;
    }
    let now_ms = was.now_ms(reel.scene.before.world.now_ms());
    let mut drained = 0;
    for db in (0..was.instance.databases()).filter(|db| was.instance.db_len(*db) > 0) {
        for entry in was.instance.entries(db, now_ms).take(KEYS_MAX) {
            let Some(at_ms) = entry.expires_at.filter(|_| drained < THINGS_MAX) else { continue };
            drained += 1;
            let left_ms = at_ms.saturating_sub(now_ms);
            let whole_ms =
                lease_ms(&reel.scene.timeline.frames()[..reel.scene.step], node, (db, &entry))
                    .max(left_ms)
                    .max(1);
            let parts = |left: u64| (left.min(whole_ms) * 1000 / whole_ms) as u16;
            let name = key_name(db, &entry.key);
            let dies = left_ms <= ms;
            let until = match dies {
                true => t0 + (u64::from(end - t0) * left_ms / ms.max(1)) as u32,
                false => end,
            };
            let ring = reel.add(Place::ttl(node, &name), How::Drain, t0, until);
            ring.left = Some((parts(left_ms), parts(left_ms.saturating_sub(ms))));
            let gone = reel.changed_key(node, &name);
            if let Some(diff) = gone.filter(|diff| dies && diff.after.is_none()) {
                reel.change(&diff, None, until, until + times::FALL);
            }
        }
    }
}
