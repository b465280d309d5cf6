//! Eviction: the keys that a server whose memory is full (`maxmemory`) may drop, and what follows
//! when it drops one. That memory is full is for the world to say (`sim`), not for `memory`.
//!
//! As of Redis 7.0.15 (`performEvictions` in evict.c): before a command, and never within a
//! transaction or a script; not while clients are paused (CLIENT PAUSE). The key goes as by DEL:
//! clients that watch it are marked, replicas are sent it, and consumers that wait for a group of
//! it get an error. The event is `evicted`.
//!
//! DIFFERENCE: any key that the policy allows may be the one that goes. Redis prefers the key that
//! LRU, LFU or the nearest deadline names among a few that it samples, and evicts as many as memory
//! asks for.

use ground::resp::Bytes;

use super::Instance;
use super::notify::Class;

impl Instance {
    /// Returns the keys that may be evicted, by database and name: all; with a `volatile-` policy
    /// those with a time to live; with `noeviction` none, if that is set: a server that evicts has
    /// another policy than the default.
    pub fn evictable(&self) -> Vec<(usize, Bytes)> {
        let policy = self.settings.kept.get("maxmemory-policy").map_or("", String::as_str);
        if policy == "noeviction" || self.pause_until().is_some() {
            return Vec::new();
        }
        let is_volatile = policy.starts_with("volatile");
        let mut keys = self.key_names();
        keys.retain(|(db, key)| {
            let expires = || self.dbs[*db].get(key).is_some_and(|obj| obj.expires_at.is_some());
            !is_volatile || expires()
        });
        keys.sort_unstable();
        keys
    }

    /// Removes a key because memory is full; does nothing if there is no such key.
    pub fn evict(&mut self, db: usize, key: &Bytes) {
        if self.dbs.get_mut(db).and_then(|keys| keys.remove(key)).is_none() {
            return;
        }
        self.stats.evicted_keys += 1;
        self.touch_by_server(db, key);
        self.notify(Class::Evicted, "evicted", db, key);
        self.dirty += 1;
        if self.tracking.has_news() {
            self.broadcast_changes();
        }
        self.release_groupless();
    }
}
