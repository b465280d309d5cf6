//! Films the consequences of any step. [`rest`] marks every difference between the frames that no
//! other movement has mentioned, at the moment when Redis changes or the clients go on; [`page`]
//! adds lanes, bands, step buttons, verdicts.
//!
//! This makes a film complete. To make something new part of every film, add it here.

use crate::sim::{Client, ClientId, Event, Frame, Kind, NodeId, Property, World};
use crate::view::stage::cards::is_kept_out;
use crate::view::stage::spans::Span;

use super::look::Scene;
use super::reel::{Reel, THINGS_MAX};
use super::{How, Place, RowPart, servers, times};

/// Marks all differences that nothing else has shown.
pub(super) fn rest(reel: &mut Reel<'_>) {
    let (t0, t1) = reel.change;
    let actor = reel.scene.actor();
    for node in reel.scene.nodes() {
        for diff in reel.changed(node) {
            reel.change(&diff, actor, t0, t1);
        }
    }
    connections(reel, t0, t1);
    at_instances(reel, t0, t1);
    instances(reel, t0, t1);
    servers::written(reel, t0, t1);
    beside_redis(reel, t0, t1);
    let now_ms = |frame: &Frame| frame.world.now_ms();
    if now_ms(reel.scene.before) != now_ms(reel.scene.after) || !reel.scene.keys.is_empty() {
        reel.add(Place::trace(), How::Swap, t0, t1);
    }
    clients(reel);
}

/// Marks changes of watches and transactions.
fn connections(reel: &mut Reel<'_>, t0: u32, t1: u32) {
    let (before, after) = (&reel.scene.before.world, &reel.scene.after.world);
    let (old, new) = (Scene::threads(before), Scene::threads(after));
    for thread in new.iter().take(THINGS_MAX) {
        let was = old.iter().find(|one| one.place() == thread.place());
        match was {
            None => {
                let spun = reel.add(thread.place(), How::Spin, t0, t1 + 120).by(thread.client);
                spun.path(Place::conn(thread.client), Place::key(thread.node, &thread.key));
            }
            Some(was) if thread.dirty && !was.dirty => {
                let from = t1.saturating_sub(40);
                reel.add(thread.place(), How::Redden, from, t1 + 120).by(thread.client);
            }
            Some(_) => {}
        }
    }
    for thread in old.iter().take(THINGS_MAX) {
        if !new.iter().any(|one| one.place() == thread.place()) {
            let (from, to) = (t1.saturating_sub(60), t1 + 60);
            reel.add(thread.place(), How::Leave, from, to).by(thread.client);
        }
    }
    for id in reel.scene.everybody() {
        let queue = |world: &World| Scene::queue(world, id);
        let (was, is) = (queue(before), queue(after));
        let watches =
            |threads: &[super::look::Thread]| threads.iter().filter(|one| one.client == id).count();
        if was.is_some() != is.is_some() || watches(&old) != watches(&new) {
            reel.add_if_new(Place::conn(id), How::Swap, t0, t1 + 40, Some(id));
        }
        let (was, is) = (was.unwrap_or_default(), is.unwrap_or_default());
        // A queue that ran was filmed by EXEC. One that was given up, or whose connection is gone,
        // falls to dust.
        let has_run = reel.mentions(&Place::queued(id, 0));
        let (how, end) = if has_run { (How::Leave, t1) } else { (How::Dust, t0 + times::DUST) };
        for number in (is..was).take(THINGS_MAX) {
            reel.add_if_new(Place::queued(id, number), how, t0, end, Some(id));
        }
        for number in (was..is).take(THINGS_MAX) {
            reel.add_if_new(Place::queued(id, number), How::Show, t0, t1, Some(id));
        }
    }
}

/// Marks commands in inboxes and on shelves, and replies in trays.
fn at_instances(reel: &mut Reel<'_>, t0: u32, t1: u32) {
    type Find = fn(&World) -> Vec<(ClientId, NodeId)>;
    type Put = fn(NodeId, ClientId) -> Place;
    let kinds: [(Find, Put); 3] = [
        (Scene::sent, Place::arrived),
        (Scene::held, Place::held),
        (Scene::answered, Place::replied),
    ];
    for (find, put) in kinds {
        let (old, new) = (find(&reel.scene.before.world), find(&reel.scene.after.world));
        for (id, node) in old.iter().filter(|one| !new.contains(one)) {
            reel.add_if_new(put(*node, *id), How::Leave, t0, t1, Some(*id));
        }
        for (id, node) in new.iter().filter(|one| !old.contains(one)) {
            reel.add_if_new(put(*node, *id), How::Show, t0, t1, Some(*id));
        }
    }
}

/// Marks changes of instances, their roles and links.
fn instances(reel: &mut Reel<'_>, t0: u32, t1: u32) {
    let (before, after) = (&reel.scene.before.world, &reel.scene.after.world);
    for id in reel.scene.nodes() {
        let up = |world: &World| world.node(id).map(|node| node.up);
        if up(before) != up(after) {
            reel.add_if_new(Place::instance(id), How::Swap, t0, t1, None);
            reel.add_if_new(Place::server_lane(id), How::Swap, t0, t1, None);
        }
        let master = |world: &World| world.link_of(id).map(|link| link.master);
        if master(before) != master(after) {
            reel.add_if_new(Place::role(id), How::Swap, t0, t1, None);
        }
        let link = |world: &World| world.link_of(id).map(|link| (link.master, link.stale));
        if link(before) != link(after) {
            reel.add_if_new(Place::link(id), How::Swap, t0, t1, None);
        }
        let entries = |world: &World| world.link_of(id).map_or(0, |link| link.backlog.len());
        let (was, is) = (entries(before), entries(after));
        for number in (is..was).take(THINGS_MAX) {
            reel.add_if_new(Place::entry(id, number), How::Leave, t0, t1, None);
        }
    }
}

/// Marks changes of resources, tables, mutexes.
fn beside_redis(reel: &mut Reel<'_>, t0: u32, t1: u32) {
    let (before, after) = (&reel.scene.before.world, &reel.scene.after.world);
    let actor = reel.scene.actor();
    for (name, resource) in after.resources().iter() {
        if before.resources().get(name) != Some(resource) {
            let gate = Place::gate(&crate::resp::lossy(name));
            reel.add_if_new(gate, How::Swap, t0, t1, actor);
        }
    }
    for (name, table) in after.sql().iter() {
        if before.sql().get(name) != Some(table) {
            reel.add_if_new(Place::table(name), How::Swap, t0, t1, actor);
        }
    }
    let held = |world: &World| -> Vec<(String, ClientId)> {
        let all = world.mutexes().iter();
        all.map(|(_, name, held)| (crate::resp::lossy(name).into_owned(), held.owner)).collect()
    };
    let (old, new) = (held(before), held(after));
    // It is released by a program that goes on.
    let end = reel.t.max(times::GO);
    for (name, owner) in old.iter().filter(|one| !new.contains(one)) {
        reel.add_if_new(Place::mutex(name), How::Leave, end - times::GO, end, Some(*owner));
    }
    for (name, owner) in new.iter().filter(|one| !old.contains(one)) {
        reel.add_if_new(Place::mutex(name), How::Show, t0, t1, Some(*owner));
    }
}

/// Marks programs that ran, and cards that look different, at the end. A mutex keeps others out as
/// soon as it is taken, and lets them go after it was released; a shared connection keeps them out
/// once the command that is sent on it is there.
fn clients(reel: &mut Reel<'_>) {
    let end = reel.t.max(times::GO);
    let mut last = end;
    for id in reel.scene.everybody() {
        let out = |world: &World| is_kept_out(world, id);
        let (t0, t1) = match (out(&reel.scene.before.world), out(&reel.scene.after.world)) {
            (false, true) if Some(id) != reel.scene.actor() => {
                let is_sent = matches!(reel.scene.after.seen.event, Event::Send { .. });
                if is_sent { (end, end + times::SAY) } else { reel.change }
            }
            (true, false) => (end, end + times::SAY),
            _ => continue,
        };
        reel.add_if_new(Place::client(id), How::Swap, t0, t1, Some(id));
        last = last.max(t1);
    }
    for id in reel.scene.everybody() {
        let ran = reel.scene.after.seen.ran.iter().any(|run| run.client == id);
        if ran && !reel.gone_on.contains(&id) {
            reel.t = end - times::GO;
            reel.wait_ends(id, reel.t, end);
            reel.go(id, None);
        } else {
            reel.goes_on(id, end - times::GO, end);
        }
        let over = |client: Option<&Client>| client.is_some_and(Client::is_over);
        if over(reel.scene.is(id)) && !over(reel.scene.was(id)) {
            reel.add(Place::lane_end(id), How::Show, end - 60, end).by(id);
        }
        if reel.scene.was(id).is_none() {
            reel.add_if_new(Place::client(id), How::Show, 0, 120, Some(id));
        }
    }
    reel.t = last;
}

/// Adds lanes, bands, buttons, verdicts, and the sentence.
pub(super) fn page(reel: &mut Reel<'_>) {
    let (t, grown) = (reel.t, reel.grown);
    for id in reel.scene.everybody() {
        reel.add(Place::lane_past(id), How::Extend, 0, grown).by(id);
        let (was, is) = reel.scene.button(id);
        if was != is {
            let text = was.unwrap_or_default();
            let (from, place) = (t.saturating_sub(times::GO), Place::next(id));
            reel.add(place, How::Roll, from, t).saying(text).by(id);
        }
        // Votes are counted by what the client knows, or by the keys that there are.
        let counts = reel.scene.after.world.nodes().len() > 1;
        if counts && !(reel.scene.chips(id).is_empty() && reel.scene.keys.is_empty()) {
            reel.add(Place::tally(id), How::Swap, t.saturating_sub(times::GO), t).by(id);
        }
    }
    bands(reel, grown);
    let (was, is) = (reel.scene.before.world.now_ms(), reel.scene.after.world.now_ms());
    if was != is {
        reel.add_if_new(Place::clock(), How::Roll, 0, grown, None);
    }
    reel.say(t.saturating_sub(times::GO));
    verdicts(reel);
}

fn bands(reel: &mut Reel<'_>, grown: u32) {
    let step = reel.scene.step;
    let there = |span: &&Span| span.from <= step && span.to.is_none_or(|to| to >= step);
    let spans: Vec<Span> = reel.scene.spans.iter().filter(there).cloned().collect();
    for span in spans {
        let whose = match (span.client, span.node) {
            (Some(client), _) => client.name(),
            (None, Some(node)) => reel.scene.after.world.setting().node_name(node).to_owned(),
            (None, None) => String::new(),
        };
        let band = Place::band(span.kind.word(), &whose, span.from);
        let (how, t0, t1) = match span.from < step {
            true => (How::Extend, 0, grown),
            false => (How::Show, reel.t.saturating_sub(60), reel.t),
        };
        reel.add_if_new(band, how, t0, t1, span.client);
    }
}

/// Shows the verdicts that the step decides, after everything else, and removes the line of the
/// step before.
fn verdicts(reel: &mut Reel<'_>) {
    let (t, step) = (reel.t, reel.scene.step);
    let decided = |index: usize| {
        let of = |decided: &[Option<usize>]| decided.get(index).copied().flatten();
        (of(&reel.scene.before.decided), of(&reel.scene.after.decided))
    };
    let mut turned = Vec::new();
    let (mut breaks, mut broke) = (false, false);
    let properties = &reel.scene.timeline.scenario().properties;
    for (index, Property { kind, .. }) in properties.iter().enumerate() {
        let (was, is) = decided(index);
        turned.extend((was != is).then_some(index));
        breaks |= *kind == Kind::Always && was != is && is == Some(step);
        broke |= *kind == Kind::Always && was == Some(step.saturating_sub(1)) && step > 1;
    }
    for index in &turned {
        reel.add(Place::claim(*index), How::Turn, t, t + times::VERDICT);
    }
    if breaks {
        reel.add(Place::row(step, RowPart::Blame), How::Show, t, t + 200);
        reel.add(Place::join(), How::Join, t, t + times::VERDICT);
    } else if broke {
        reel.add(Place::join(), How::Leave, 0, 120);
    }
    if breaks || !turned.is_empty() {
        reel.t = t + times::VERDICT + times::FADE;
    }
}
