//! Films keys. A key that is read lights up; in a written key the old value rolls into the new one;
//! a new key appears; a deleted one falls; a key that is the reason of a refusal shakes.

use crate::engine;
use crate::resp::{Bytes, Value};
use crate::sim::{CallKind, ClientId, NodeId};

use super::look::{KeyDiff, Scene};
use super::reel::{Reel, THINGS_MAX};
use super::{How, Move, Place, times};
use crate::view::stage::redis::key_name;

/// Returns the keys that a command names, with the panel's names: those it reads, and those it may
/// write.
pub(super) fn touched(argv: &[Bytes], db: usize) -> (Vec<String>, Vec<String>) {
    let footprint = engine::footprint(argv);
    let names = |keys: &[Bytes]| -> Vec<String> {
        keys.iter().take(THINGS_MAX).map(|key| key_name(db, key)).collect()
    };
    (names(&footprint.reads), names(&footprint.writes))
}

/// Returns the database in which a call is executed.
pub(super) fn database(scene: &Scene<'_>, client: ClientId, kind: &CallKind) -> usize {
    let CallKind::Redis { node, connection, .. } = kind else { return 0 };
    let world = &scene.before.world;
    let instance = world.instance(world.serving(*node));
    let conn = instance.and_then(|one| one.conn(world.conn_of(client, *connection)));
    conn.map_or(0, |conn| conn.db)
}

/// Returns true if the command changed nothing because of the present value: SET NX, a compare that
/// failed.
pub(super) fn refuses(argv: &[Bytes], reply: Option<&Value>) -> bool {
    let only_if = |word: &Bytes| {
        let words: [&[u8]; 4] = [b"NX", b"XX", b"GT", b"LT"];
        words.iter().any(|one| word.eq_ignore_ascii_case(one))
    };
    let name = argv.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
    let conditional = name.ends_with(b"NX") || argv.iter().skip(2).any(only_if);
    conditional && reply.is_some_and(is_nothing)
}

/// Returns true for the reply of a command that changed nothing.
pub(super) fn is_nothing(reply: &Value) -> bool {
    matches!(
        reply,
        Value::NilBulk | Value::NilArray | Value::Null | Value::Int(0) | Value::Bool(false)
    )
}

impl Reel<'_> {
    pub fn light(&mut self, node: NodeId, key: &str, t: (u32, u32), client: Option<ClientId>) {
        self.add(Place::key(node, key), How::Light, t.0, t.1).by(client);
    }

    /// Shakes the key that is the reason why nothing was changed.
    pub fn shake(&mut self, node: NodeId, key: &str, t0: u32, client: ClientId) {
        let key = Place::key(node, key);
        let lit = |one: &Move| one.what == key && one.how == How::Light && one.t1 > t0;
        if !self.moves.iter().any(lit) {
            self.add(key.clone(), How::Light, t0, t0 + times::SHAKE).by(client);
        }
        self.add(key, How::Shake, t0, t0 + times::SHAKE).by(client);
    }

    /// Returns the keys of an instance that differ, and whose change was not filmed.
    pub fn changed(&self, node: NodeId) -> Vec<KeyDiff> {
        let open = |diff: &&KeyDiff| diff.node == node && !self.is_done(node, &diff.name());
        self.scene.keys.iter().filter(open).cloned().collect()
    }

    /// Returns the one of this name.
    pub fn changed_key(&self, node: NodeId, name: &str) -> Option<KeyDiff> {
        let mine = |diff: &&KeyDiff| diff.node == node && diff.name() == name;
        let diff = self.scene.keys.iter().find(mine)?;
        (!self.is_done(node, name)).then(|| diff.clone())
    }

    fn is_done(&self, node: NodeId, name: &str) -> bool {
        self.keys_done.contains(&Place::key(node, name))
    }

    /// Films the change of a key. If there are too many, the instance changes as a whole.
    pub fn change(&mut self, diff: &KeyDiff, client: Option<ClientId>, t0: u32, t1: u32) {
        let (node, name) = (diff.node, diff.name());
        let key = Place::key(node, &name);
        if self.keys_done.len() >= THINGS_MAX {
            return self.add_if_new(Place::instance(node), How::Swap, t0, t1, client);
        }
        self.keys_done.push(key.clone());
        // Only a key that is alone has its history beside it.
        if self.scene.keys.len() == 1 {
            let written = Place::written(node, &name, self.scene.step);
            self.add(written, How::Show, t0, t1).by(client);
        }
        let (old, new) = match (&diff.before, &diff.after) {
            (None, _) => {
                self.add(key, How::Appear, t0, t1).by(client);
                return;
            }
            (Some(_), None) => {
                if client.is_some() {
                    self.light(node, &name, (t0, t1), client);
                }
                let text = diff.old_text();
                self.add(key, How::Fall, t0, t0 + times::FALL).saying(text).by(client);
                return;
            }
            (Some(old), Some(new)) => (old, new),
        };
        self.light(node, &name, (t0, t1), client);
        if old.value != new.value || old == new {
            let text = diff.old_text();
            self.add(Place::value(node, &name), How::Roll, t0, t1).saying(text).by(client);
            self.add(Place::by(node, &name), How::Swap, t0, t1).by(client);
        }
        let how = match (old.expires_at, new.expires_at) {
            (None, Some(_)) => Some(How::Show),
            (Some(_), None) => Some(How::Leave),
            (was, is) => (was != is).then_some(How::Swap),
        };
        if let Some(how) = how {
            self.add(Place::ttl(node, &name), how, t0, t1).by(client);
        }
    }
}
