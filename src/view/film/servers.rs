//! Films instances: failures, restarts, replication, failover.
//!
//! Clients that are cut off or served by this are filmed by `woken` and `follow`. To add an action
//! on an instance, add a function here, and its line in `events`.

use std::rc::Rc;

use crate::sim::{Node, NodeId, World};

use super::reel::{Reel, THINGS_MAX};
use super::{How, Place, time, times, woken};

/// The most pieces of dust, and keys that fly.
const PIECES_MAX: usize = 12;

/// Changes the look of an instance.
fn swap(reel: &mut Reel<'_>, id: NodeId, t0: u32, t1: u32) {
    reel.add(Place::instance(id), How::Swap, t0, t1);
    reel.add(Place::server_lane(id), How::Swap, t0, t1);
}

pub(super) fn down(reel: &mut Reel<'_>, id: NodeId) {
    reel.row();
    swap(reel, id, 60, 420);
    reel.change = (60, 420);
    reel.say(200);
    reel.t = 440;
}

/// Films an instance that is reachable again. If it had diverged from its master, it copies
/// everything.
pub(super) fn up(reel: &mut Reel<'_>, id: NodeId) {
    reel.row();
    swap(reel, id, 60, 320);
    reel.change = (60, 320);
    reel.say(600);
    reel.t = 360;
    for replica in reel.scene.nodes() {
        copy(reel, replica);
    }
    let woken = woken::others(reel);
    reel.t = reel.t.max(woken);
}

/// Films the keys that a replica copies from its master; they fly along the link.
fn copy(reel: &mut Reel<'_>, replica: NodeId) {
    let Some(link) = reel.scene.after.world.link_of(replica) else { return };
    let was = reel.scene.before.world.link_of(replica);
    let stale = was.is_some_and(|one| one.stale || one.backlog.len() > link.backlog.len());
    let diffs = reel.changed(replica);
    if !stale || link.stale || diffs.is_empty() {
        return;
    }
    let master = link.master;
    for (number, diff) in diffs.iter().take(PIECES_MAX).enumerate() {
        if diff.after.is_none() {
            continue;
        }
        let token = Place::token(&format!("entry:{}:{number}", replica.0));
        let (from, to) = (Place::key(master, &diff.name()), Place::key(replica, &diff.name()));
        reel.lift(&token, from, 260, 340).saying(diff.name());
        reel.leg_via(&token, How::Fly, 340, 760, Some(to), vec![Place::link(replica)]);
        reel.gone(&token, 800);
    }
    for diff in diffs.iter().take(THINGS_MAX) {
        reel.change(diff, None, 740, 860);
    }
    reel.t = reel.t.max(900);
}

/// Films a restart: the keys of the instance collapse, or become what they were.
pub(super) fn restart(reel: &mut Reel<'_>, id: NodeId) {
    reel.row();
    swap(reel, id, 60, 420);
    for diff in reel.changed(id) {
        reel.change(&diff, None, 120, 360);
    }
    reel.change = (120, 420);
    reel.say(200);
    reel.t = 440;
    for replica in reel.scene.nodes() {
        copy(reel, replica);
    }
}

/// Films an eviction: the key falls.
pub(super) fn evict(reel: &mut Reel<'_>, id: NodeId) {
    reel.row();
    for diff in reel.changed(id) {
        reel.change(&diff, None, 120, 360);
    }
    reel.change = (120, 420);
    reel.say(200);
    reel.t = 440;
    let woken = woken::others(reel);
    reel.t = reel.t.max(woken);
}

/// Films a jump of its clock: the clock turns, the leases run down by as much, and the keys fall
/// whose time is up.
pub(super) fn jump(reel: &mut Reel<'_>, id: NodeId) {
    reel.row();
    reel.add(Place::role(id), How::Roll, 80, 360);
    let (was, is) = reel.scene.node(id);
    let ahead = |node: Option<&Rc<Node>>| node.map_or(0, |node| node.clock_ms);
    let ms = ahead(is).saturating_sub(ahead(was));
    let (t0, end) = (300, 860);
    reel.change = (end - 60, end);
    if let Ok(ms @ 1..) = u64::try_from(ms) {
        time::drain(reel, id, ms, (t0, end));
    }
    reel.say(end - 200);
    reel.t = end;
    reel.t = woken::others(reel).max(end + times::FALL);
}

/// Films replication: the link's oldest entry enters the replica's slot, and its keys change.
pub(super) fn replicate(reel: &mut Reel<'_>, id: NodeId) {
    reel.row();
    let (first, token) = (Place::entry(id, 0), Place::token("entry"));
    let link = reel.scene.before.world.link_of(id);
    let left = link.map_or(0, |link| link.backlog.len());
    let keys = link.and_then(|link| link.backlog.front()).map(|one| super::board::keys_of(one));
    reel.add(first.clone(), How::Leave, 80, 120);
    reel.lift(&token, first, 60, 100).saying(keys.unwrap_or_default());
    reel.leg_via(&token, How::Rest, 100, 420, Some(Place::slot(id)), vec![Place::link(id)]);
    for number in 0..left.saturating_sub(1).min(PIECES_MAX) {
        let (to, from) = (Place::entry(id, number), Place::entry(id, number + 1));
        if number > 0 {
            reel.add(to.clone(), How::Shift, 120, 280).path(from, to);
        }
    }
    reel.add(Place::slot(id), How::Busy, 380, 420);
    reel.change = (460, 560);
    for diff in reel.changed(id) {
        reel.change(&diff, None, 460, 560);
    }
    reel.gone(&token, 580);
    reel.say(420);
    reel.t = 580;
    let woken = woken::others(reel);
    reel.t = woken.max(620);
}

/// Films a failover: the master goes down, the entries on its links fall to dust, and the crown
/// flies to its successor.
pub(super) fn failover(reel: &mut Reel<'_>, old: NodeId) {
    reel.row();
    swap(reel, old, 80, 380);
    let (before, after) = (&reel.scene.before.world, &reel.scene.after.world);
    let links = before.links().iter().filter(|link| link.master == old);
    let lost: Vec<(NodeId, usize)> = links.map(|link| (link.replica, link.backlog.len())).collect();
    let new = successor(before, after);
    let entries = lost
        .iter()
        .flat_map(|(replica, count)| (0..*count).map(|number| Place::entry(*replica, number)));
    for entry in entries.take(PIECES_MAX) {
        reel.add(entry, How::Dust, 200, 700);
    }
    reel.change = (80, 380);
    if let Some(new) = new {
        let crown = Place::token("crown");
        reel.add(Place::crown(old), How::Leave, 400, 440);
        reel.lift(&crown, Place::crown(old), 400, 420);
        reel.leg(&crown, How::Fly, 420, 800, Some(Place::crown(new)));
        reel.gone(&crown, 840);
        reel.add(Place::crown(new), How::Show, 790, 830);
        reel.add(Place::role(new), How::Swap, 760, 840);
        reel.add(Place::role(old), How::Swap, 760, 840);
    }
    reel.say(560);
    reel.t = 900;
}

/// Returns the instance that a name leads to now, if it led to another one before.
pub(super) fn successor(before: &World, after: &World) -> Option<NodeId> {
    let mut nodes = after.setting().node_ids();
    let moved = nodes.find(|id| before.serving(*id) != after.serving(*id))?;
    Some(after.serving(moved))
}

/// Shows a master's write on its links, to be replicated.
pub(super) fn written(reel: &mut Reel<'_>, t0: u32, t1: u32) {
    let (before, after) = (&reel.scene.before.world, &reel.scene.after.world);
    let mut came = Vec::new();
    for link in after.links() {
        let old = before.link_of(link.replica).map_or(0, |old| old.backlog.len());
        let entries = old..link.backlog.len();
        came.extend(entries.map(|number| (link.master, link.replica, number)));
    }
    let text = match reel.scene.after.seen.event.executed() {
        Some((client, call, _)) => reel.words(client, call),
        None => String::new(),
    };
    let actor = reel.scene.actor();
    for (master, replica, number) in came.into_iter().take(PIECES_MAX) {
        let place = Place::entry(replica, number);
        let entry = reel.add(place.clone(), How::Arrive, t1, t1 + (t1 - t0).max(times::RUN));
        entry.path(Place::slot(master), place).saying(text.clone()).by(actor);
    }
}
