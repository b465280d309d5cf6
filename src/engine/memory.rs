//! Estimated memory, for `maxmemory` and INFO.
//!
//! DIFFERENCE: an estimate by number of keys and length of strings, not an allocator's count.

use super::Instance;
use super::access::Use;

/// What an empty server is said to use.
const BASE_BYTES: u64 = 800 * 1024;
/// Table slot, key header, value header.
const KEY_BYTES: u64 = 96;

impl Instance {
    pub(super) fn used_memory(&self) -> u64 {
        let sizes = self.dbs.iter().map(|db| {
            let keys = db.keys().iter();
            keys.map(|(key, obj)| KEY_BYTES + key.len() as u64 + obj.data().bytes()).sum::<u64>()
        });
        BASE_BYTES + sizes.sum::<u64>()
    }

    pub(super) fn is_out_of_memory(&mut self) -> bool {
        self.note_keyspace(Use::Read);
        self.used_memory() > self.settings.maxmemory
    }
}
