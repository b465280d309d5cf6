//! Expiry: removes keys whose deadline has passed, when a command meets them or when time is
//! advanced.
//!
//! DIFFERENCE: a key is gone from its deadline on (`now >= deadline`); Redis keeps it for that one
//! millisecond (`now > deadline`), in which PTTL answers 0, so that here a lesson's "30 seconds"
//! end at 30.000. A key that no client asks for goes then, too; Redis removes it later.

use super::Instance;
use super::notify::Class;
use ground::resp::Bytes;

impl Instance {
    pub(super) fn is_expired(&self, db: usize, key: &[u8], now_ms: u64) -> bool {
        let at = self.dbs[db].get(key).and_then(|obj| obj.expires_at);
        at.is_some_and(|at| at <= now_ms)
    }

    /// Removes a key whose deadline has passed.
    pub(super) fn expire_key(&mut self, db: usize, key: &[u8], _now_ms: u64) {
        if let Some((key, _)) = self.dbs[db].remove(key) {
            self.stats.expired_keys += 1;
            self.notify(Class::Expired, "expired", db, &key);
            self.touch_by_server(db, &key);
            self.dirty += 1;
        }
    }

    /// Records that the server itself has changed a key, and no connection.
    pub(super) fn touch_by_server(&mut self, db: usize, key: &Bytes) {
        let changing = self.changing.take();
        self.touch(db, key);
        self.changing = changing;
    }

    /// Returns the earliest time at which something happens by itself: a key or a field expires, or
    /// a client's timeout passes.
    pub fn next_deadline(&self) -> Option<u64> {
        let keys = self.dbs.iter().filter_map(|db| db.first_deadline().map(|(at, _)| *at));
        let fields = self.dbs.iter().filter_map(|db| db.first_field_deadline().map(|(at, _)| *at));
        keys.chain(fields).chain(self.first_timeout()).chain(self.pause_until()).min()
    }

    /// Moves the time to `now_ms` and applies everything that is due, in the order of deadlines.
    pub fn advance(&mut self, now_ms: u64) {
        self.now_ms = self.now_ms.max(now_ms);
        if self.settings.active_expire {
            while let Some((db, key)) = self.first_due_key(now_ms) {
                self.expire_key(db, &key, now_ms);
            }
            while let Some((db, key)) = self.first_due_field(now_ms) {
                self.expire_fields(db, &key, now_ms);
            }
        }
        if self.tracking.has_news() {
            self.broadcast_changes();
        }
        self.time_out(now_ms);
        self.check_nothing_due(now_ms);
        self.end_pause(now_ms);
    }

    /// No key, field or wait of the past is left once time has moved.
    fn check_nothing_due(&self, now_ms: u64) {
        if cfg!(debug_assertions) {
            let is_later = |at: Option<u64>| at.is_none_or(|at| at > now_ms);
            debug_assert!(is_later(self.first_timeout()), "a client waits beyond its timeout");
            let active = self.settings.active_expire;
            for db in self.dbs.iter().filter(|db| active && !db.is_empty()) {
                let first = db.first_deadline().map(|(at, _)| *at);
                debug_assert!(is_later(first), "a key is there after its deadline");
                let first = db.first_field_deadline().map(|(at, _)| *at);
                debug_assert!(is_later(first), "a field is there after its deadline");
            }
        }
    }

    fn first_due_key(&self, now_ms: u64) -> Option<(usize, Bytes)> {
        let firsts = self.dbs.iter().enumerate();
        let due =
            firsts.filter_map(|(db, keys)| keys.first_deadline().map(|(at, key)| (*at, db, key)));
        let (at, db, key) = due.min()?;
        (at <= now_ms).then(|| (db, key.clone()))
    }

    fn first_due_field(&self, now_ms: u64) -> Option<(usize, Bytes)> {
        let firsts = self.dbs.iter().enumerate();
        let due = firsts
            .filter_map(|(db, keys)| keys.first_field_deadline().map(|(at, key)| (*at, db, key)));
        let (at, db, key) = due.min()?;
        (at <= now_ms).then(|| (db, key.clone()))
    }

    /// Removes the expired fields of a hash, and the hash with its last field.
    pub(super) fn expire_fields(&mut self, db: usize, key: &Bytes, now_ms: u64) {
        let before = self.dbs[db].field_deadline(key);
        let Some(place) = self.dbs[db].find(key) else { return };
        let super::value::Data::Hash(hash) = self.dbs[db].at_mut(place).data_mut() else { return };
        let hash = std::rc::Rc::make_mut(hash);
        for field in hash.due(now_ms) {
            hash.remove(&field);
        }
        let empty = hash.len() == 0;
        self.dbs[db].field_deadline_changed(key, before);
        self.notify(Class::Hash, "hexpired", db, key);
        if empty {
            self.dbs[db].remove(key);
            self.notify(Class::Generic, "del", db, key);
        }
        self.touch_by_server(db, key);
        self.dirty += 1;
    }
}
