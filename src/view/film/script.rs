//! Films a script: a folder opens in the slot, its commands run inside, one after the other, each
//! with the keys that it touches, and the folder shuts. A script of very many commands fills a bar
//! first.

use std::rc::Rc;

use crate::resp::Bytes;
use crate::session::spelling::{command_text, shortened};
use crate::view::stage::diagram::inside::argvs_inside;

use super::reel::Reel;
use super::run::Running;
use super::{How, Place, keys, times};

/// The most commands that are shown one by one.
const LINES_MAX: usize = 12;
const LINE_CHARS: usize = 40;

pub(super) fn script(reel: &mut Reel<'_>, running: Running<'_>) {
    let Running { client, node, call, reply } = running;
    let inner = argvs_inside(&reel.scene.before.world, reel.scene.after);
    let shown = &inner[..inner.len().min(LINES_MAX)];
    let db = keys::database(&reel.scene, client, &call.kind);
    let t0 = reel.t;
    let mut at = t0 + times::FOLDER;
    let text = reel.words(client, call);
    let folder = reel.add(Place::folder(), How::Open, t0, at);
    folder.saying(text).by(client).to = Some(Place::slot(node));
    if inner.len() > shown.len() {
        reel.add(Place::folder_bar(), How::Fill, at, at + times::SLOW).by(client);
        at += times::SLOW;
    }
    let first = at;
    for (number, argv) in shown.iter().enumerate() {
        let text = shortened(&command_text(argv), LINE_CHARS);
        let line = Place::folder_line(number);
        reel.add(line, How::Show, at, at + 60).saying(text).by(client);
        touch(reel, running, (argv, &shown[number + 1..]), db, at);
        at += times::INNER;
    }
    // It has looked, and done nothing.
    let nothing = reply.is_some_and(keys::is_nothing) && !reel.scene.after.seen.wrote;
    if let Some(key) = last_read(shown, db).filter(|_| nothing) {
        reel.shake(node, &key, at.saturating_sub(160).max(first), client);
    }
    let shut = at + times::FOLDER / 2;
    reel.add(Place::folder(), How::Shut, shut, shut + times::FOLDER).by(client);
    reel.change = (at.saturating_sub(times::INNER).max(t0), at);
    for diff in reel.changed(node) {
        reel.change(&diff, Some(client), reel.change.0, reel.change.1);
    }
    reel.t = shut + times::FOLDER;
}

/// Lights up the keys of a command. A written key shows its final value with the last command that
/// may write it.
fn touch(
    reel: &mut Reel<'_>,
    running: Running<'_>,
    (argv, later): (&[Bytes], &[Rc<[Bytes]>]),
    db: usize,
    at: u32,
) {
    let Running { client, node, .. } = running;
    let (reads, writes) = keys::touched(argv, db);
    let (t0, t1) = (at + times::FADE, at + times::INNER);
    for key in &reads {
        reel.light(node, key, (t0, t1), Some(client));
    }
    for key in &writes {
        let again = later.iter().any(|argv| keys::touched(argv, db).1.contains(key));
        let diff = reel.changed_key(node, key);
        match diff.filter(|_| !again) {
            Some(diff) => reel.change(&diff, Some(client), t0, t1 - times::FADE),
            None => reel.light(node, key, (t0, t1), Some(client)),
        }
    }
}

fn last_read(shown: &[Rc<[Bytes]>], db: usize) -> Option<String> {
    shown.iter().rev().find_map(|argv| {
        let (reads, writes) = keys::touched(argv, db);
        reads.into_iter().chain(writes).next()
    })
}
