//! WATCH: marks the connections whose watched keys have changed.

use std::rc::Rc;

use super::access::Use;
use super::conn::Watched;
use super::{ConnId, Instance};
use ground::resp::Bytes;

impl Instance {
    pub(super) fn watch(&mut self, conn: ConnId, db: usize, key: &Bytes, now_ms: u64) {
        if self.conn_ref(conn).watched.iter().any(|w| w.db == db && w.key == *key) {
            return;
        }
        self.note_key(db, key, Use::Read);
        let expired = self.is_expired(db, key, now_ms);
        let watchers = Rc::make_mut(&mut self.watchers);
        watchers.get_or_default((db, key.clone())).push(conn);
        self.conn_mut(conn).watched.push(Watched { db, key: key.clone(), expired });
    }

    pub(super) fn unwatch_all(&mut self, conn: ConnId) {
        if self.conn_ref(conn).watched.is_empty() {
            return;
        }
        for watched in std::mem::take(&mut self.conn_mut(conn).watched) {
            let place = (watched.db, watched.key);
            let watchers = Rc::make_mut(&mut self.watchers);
            let is_listed = || watchers.get(&place).is_some_and(|list| list.contains(&conn));
            debug_assert!(is_listed(), "{conn} watches a key that does not know of it");
            if let Some(list) = watchers.get_mut(&place) {
                list.retain(|id| *id != conn);
                if list.is_empty() {
                    watchers.remove(&place);
                }
            }
        }
    }

    /// Records a change of `key`: transactions that watch it will fail, and connections that track
    /// it are told.
    pub(super) fn touch(&mut self, db: usize, key: &Bytes) {
        self.note_key(db, key, Use::Write);
        if self.trackers > 0 || !self.tracking.is_empty() {
            self.invalidate(key);
        }
        if self.watchers.is_empty() {
            return;
        }
        let Some(list) = self.watchers.get(&(db, key.clone())) else { return };
        for conn in list.clone() {
            let expired_then = |w: &Watched| w.db == db && w.key == *key && w.expired;
            if self.conn_ref(conn).watched.iter().any(expired_then) {
                // The key had expired when WATCH came. That it is removed now is no change;
                // that it is there again is one.
                if !self.dbs[db].keys().contains(key) {
                    for watched in &mut self.conn_mut(conn).watched {
                        watched.expired &= !(watched.db == db && watched.key == *key);
                    }
                    continue;
                }
            }
            self.conn_mut(conn).dirty_cas = true;
        }
    }

    /// Marks the connections that watch a key of `db`, because all its keys are about to be deleted
    /// (FLUSHDB) or exchanged with those of `other` (SWAPDB).
    pub(super) fn touch_all(&mut self, db: usize, other: Option<usize>, now_ms: u64) {
        let watched: Vec<_> = self.watchers.keys().filter(|(d, _)| *d == db).cloned().collect();
        for (db, key) in watched {
            let here = self.dbs[db].keys().contains(&key) && !self.is_expired(db, &key, now_ms);
            let there = other.is_some_and(|other| self.dbs[other].keys().contains(&key));
            if here || there {
                for conn in self.watchers.get(&(db, key)).cloned().unwrap_or_default() {
                    self.conn_mut(conn).dirty_cas = true;
                }
            }
        }
    }

    /// Returns true if a watched key has expired meanwhile, which EXEC has to check itself.
    pub(super) fn watched_key_expired(&self, conn: ConnId, now_ms: u64) -> bool {
        let watched = &self.conn_ref(conn).watched;
        watched.iter().any(|w| !w.expired && self.is_expired(w.db, &w.key, now_ms))
    }
}
