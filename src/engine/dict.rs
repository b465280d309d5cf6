//! A map from Redis strings to values that is cheap to clone and always in the same order.
//!
//! Entries are sorted by the hash of their key, and divided into shards by the hash's top bits; a
//! shard is a short sorted array in which interpolation finds a key. So the order of iteration
//! depends on the contents alone, not on history or on the number of shards: two equal maps answer
//! RANDOMKEY and SCAN alike, and a SCAN cursor is the hash from which to continue, which gives
//! SCAN's guarantee whatever happens in between.
//!
//! A clone copies one pointer. The first change after it copies the list of shards and one
//! shard. Fingerprints are summed per shard and kept until the shard changes.

use std::cell::Cell;
use std::rc::Rc;

use ground::hash::fingerprint;
use ground::resp::Bytes;

/// The mean number of entries per shard at which the number of shards doubles; it halves at an
/// eighth of that.
const SHARD_LEN_MAX: usize = 128;

/// A value whose fingerprint a [`Dict`] can add to its own.
pub trait Fingerprint {
    fn fp(&self) -> u64;
}

impl Fingerprint for () {
    fn fp(&self) -> u64 {
        0
    }
}

impl Fingerprint for Bytes {
    fn fp(&self) -> u64 {
        fingerprint(&**self)
    }
}

#[derive(Debug, Clone)]
struct Shard<V> {
    /// The hashes of `slots`, in an array of their own, so that a search stays within a few cache
    /// lines.
    hashes: Vec<u64>,
    slots: Vec<(Bytes, V)>,
    /// The sum over the entries, or `None` after a change.
    fp: Cell<Option<u64>>,
}

impl<V> Default for Shard<V> {
    fn default() -> Self {
        Shard { hashes: Vec::new(), slots: Vec::new(), fp: Cell::new(None) }
    }
}

#[derive(Debug, Clone)]
pub struct Dict<V> {
    /// The shards, a power of two of them; none while the map has never held anything.
    shards: Rc<Vec<Rc<Shard<V>>>>,
    len: usize,
}

impl<V> Default for Dict<V> {
    fn default() -> Self {
        Dict { shards: Rc::default(), len: 0 }
    }
}

/// The position of an entry, valid until the map changes.
#[derive(Debug, Clone, Copy)]
pub struct EntryPlace {
    shard: usize,
    slot: usize,
}

fn hash_of(key: &[u8]) -> u64 {
    fingerprint(key)
}

impl<V> Shard<V> {
    /// Returns the slot of `key`, or as an error the slot where it would be inserted.
    fn search(&self, hash: u64, bits: u32, key: &[u8]) -> Result<usize, usize> {
        let len = self.hashes.len();
        // Hashes are uniform: the place is near the hash's share of the shard's range.
        let share = hash.checked_shl(bits).unwrap_or(0);
        let mut at = ((u128::from(share) * len as u128) >> 64) as usize;
        while at > 0 && self.hashes[at - 1] >= hash {
            at -= 1;
        }
        while at < len && self.hashes[at] < hash {
            at += 1;
        }
        while at < len && self.hashes[at] == hash {
            match (*self.slots[at].0).cmp(key) {
                std::cmp::Ordering::Equal => return Ok(at),
                std::cmp::Ordering::Greater => return Err(at),
                std::cmp::Ordering::Less => at += 1,
            }
        }
        Err(at)
    }
}

impl<V> Dict<V> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn bits(&self) -> u32 {
        self.shards.len().max(1).trailing_zeros()
    }

    fn shard_of(&self, hash: u64) -> usize {
        hash.checked_shr(64 - self.bits()).unwrap_or(0) as usize
    }

    pub fn find(&self, key: &[u8]) -> Option<EntryPlace> {
        let hash = hash_of(key);
        let shard = self.shard_of(hash);
        let slot = self.shards.get(shard)?.search(hash, self.bits(), key).ok()?;
        Some(EntryPlace { shard, slot })
    }

    pub fn at(&self, place: EntryPlace) -> (&Bytes, &V) {
        let (key, value) = &self.shards[place.shard].slots[place.slot];
        (key, value)
    }

    pub fn get(&self, key: &[u8]) -> Option<&V> {
        self.find(key).map(|place| self.at(place).1)
    }

    pub fn contains(&self, key: &[u8]) -> bool {
        self.find(key).is_some()
    }

    /// Returns all entries, in the order of their hashes.
    pub fn iter(&self) -> impl Iterator<Item = (&Bytes, &V)> {
        self.shards.iter().flat_map(|shard| shard.slots.iter().map(|(key, value)| (key, value)))
    }

    /// Returns the entry at position `n` in that order.
    pub fn nth(&self, mut n: usize) -> Option<(&Bytes, &V)> {
        for shard in self.shards.iter() {
            if let Some((key, value)) = shard.slots.get(n) {
                return Some((key, value));
            }
            n -= shard.slots.len();
        }
        None
    }

    /// Returns at least `count` entries from `cursor` on, and the next cursor; 0 at the end.
    pub fn scan(&self, cursor: u64, count: usize) -> (u64, Vec<(&Bytes, &V)>) {
        let mut found: Vec<(&Bytes, &V)> = Vec::new();
        let mut last = None;
        for shard in self.shards.iter().skip(self.shard_of(cursor)) {
            let from = shard.hashes.partition_point(|&hash| hash < cursor);
            for (hash, (key, value)) in shard.hashes.iter().zip(&shard.slots).skip(from) {
                // Keys of one hash cannot be told apart by a cursor, so they come together.
                if found.len() >= count && last != Some(*hash) {
                    return (*hash, found);
                }
                found.push((key, value));
                last = Some(*hash);
            }
        }
        (0, found)
    }

    /// Calls `visit` with the keys whose entries may differ between the two maps: all keys of every
    /// shard that they do not share.
    pub fn unshared<'a>(&'a self, other: &'a Dict<V>, mut visit: impl FnMut(&'a Bytes)) {
        if Rc::ptr_eq(&self.shards, &other.shards) {
            return;
        }
        let same_cut = self.shards.len() == other.shards.len();
        let mut one_way = |a: &'a Dict<V>, b: &'a Dict<V>| {
            for (i, shard) in a.shards.iter().enumerate() {
                if same_cut && Rc::ptr_eq(shard, &b.shards[i]) {
                    continue;
                }
                shard.slots.iter().for_each(|(key, _)| visit(key));
            }
        };
        one_way(self, other);
        one_way(other, self);
    }
}

impl<V: Clone> Dict<V> {
    fn shard_mut(&mut self, shard: usize) -> &mut Shard<V> {
        let shard = Rc::make_mut(&mut Rc::make_mut(&mut self.shards)[shard]);
        shard.fp.set(None);
        shard
    }

    pub fn at_mut(&mut self, place: EntryPlace) -> &mut V {
        &mut self.shard_mut(place.shard).slots[place.slot].1
    }

    pub fn get_mut(&mut self, key: &[u8]) -> Option<&mut V> {
        self.find(key).map(|place| self.at_mut(place))
    }

    /// Puts `value` under `key`; returns the old value.
    pub fn insert(&mut self, key: &Bytes, value: V) -> Option<V> {
        if self.shards.is_empty() {
            self.shards = Rc::new(vec![Rc::default()]);
        }
        let hash = hash_of(key);
        let (bits, shard) = (self.bits(), self.shard_of(hash));
        match self.shards[shard].search(hash, bits, key) {
            Ok(slot) => Some(std::mem::replace(self.at_mut(EntryPlace { shard, slot }), value)),
            Err(slot) => {
                let shard = self.shard_mut(shard);
                shard.hashes.insert(slot, hash);
                shard.slots.insert(slot, (key.clone(), value));
                let around = || slot.saturating_sub(1)..(slot + 2).min(shard.hashes.len());
                debug_assert!(shard.hashes[around()].is_sorted(), "a key is out of order");
                self.len += 1;
                if self.len > self.shards.len() * SHARD_LEN_MAX {
                    self.double();
                }
                None
            }
        }
    }

    pub fn remove(&mut self, key: &[u8]) -> Option<(Bytes, V)> {
        let place = self.find(key)?;
        let shard = self.shard_mut(place.shard);
        shard.hashes.remove(place.slot);
        let removed = shard.slots.remove(place.slot);
        debug_assert_eq!(shard.hashes.len(), shard.slots.len(), "a hash for each key");
        self.len -= 1;
        if self.len == 0 {
            self.shards = Rc::default();
        } else if self.shards.len() > 1 && self.len < self.shards.len() * SHARD_LEN_MAX / 8 {
            self.halve();
        }
        Some(removed)
    }

    /// Splits every shard in two at the middle of its range.
    fn double(&mut self) {
        let bits = self.bits();
        let mut shards = Vec::with_capacity(self.shards.len() * 2);
        for (i, shard) in Rc::make_mut(&mut self.shards).drain(..).enumerate() {
            let mut low = Rc::unwrap_or_clone(shard);
            let middle = ((i as u64 * 2) + 1) << (63 - bits);
            let cut = low.hashes.partition_point(|&hash| hash < middle);
            let (hashes, slots) = (low.hashes.split_off(cut), low.slots.split_off(cut));
            low.fp.set(None);
            shards.push(Rc::new(low));
            shards.push(Rc::new(Shard { hashes, slots, fp: Cell::new(None) }));
        }
        self.shards = Rc::new(shards);
        self.check_shards();
    }

    /// After a change of the number of shards: each key is in one, in that of its hash.
    fn check_shards(&self) {
        if cfg!(debug_assertions) {
            debug_assert!(self.shards.len().is_power_of_two());
            let held: usize = self.shards.iter().map(|shard| shard.slots.len()).sum();
            debug_assert_eq!(held, self.len, "keys were lost");
            for (at, shard) in self.shards.iter().enumerate() {
                let is_here = |hash: &u64| self.shard_of(*hash) == at;
                debug_assert!(shard.hashes.iter().all(is_here), "a key is in another shard");
            }
        }
    }

    fn halve(&mut self) {
        let mut shards = Vec::with_capacity(self.shards.len() / 2);
        let mut old = Rc::make_mut(&mut self.shards).drain(..);
        while let (Some(low), Some(high)) = (old.next(), old.next()) {
            let (mut low, high) = (Rc::unwrap_or_clone(low), Rc::unwrap_or_clone(high));
            low.hashes.extend(high.hashes);
            low.slots.extend(high.slots);
            low.fp.set(None);
            shards.push(Rc::new(low));
        }
        drop(old);
        self.shards = Rc::new(shards);
        self.check_shards();
    }
}

impl<V: Fingerprint> Dict<V> {
    /// Returns a fingerprint of the contents, whatever their history.
    pub fn fp(&self) -> u64 {
        self.shards.iter().fold(0, |sum, shard| sum.wrapping_add(shard.fp()))
    }
}

impl<V: Fingerprint> Shard<V> {
    fn fp(&self) -> u64 {
        if let Some(fp) = self.fp.get() {
            let is_looked_at = self.slots.len() == 1 || fp.is_multiple_of(256);
            debug_assert!(!is_looked_at || fp == self.fresh_fp(), "a change kept the fingerprint");
            return fp;
        }
        let fp = self.fresh_fp();
        self.fp.set(Some(fp));
        fp
    }

    fn fresh_fp(&self) -> u64 {
        let entries = self.hashes.iter().zip(&self.slots);
        entries.fold(0u64, |sum, (hash, (_, value))| {
            sum.wrapping_add(fingerprint(&(*hash, value.fp())))
        })
    }
}

impl<V: PartialEq> PartialEq for Dict<V> {
    fn eq(&self, other: &Self) -> bool {
        if Rc::ptr_eq(&self.shards, &other.shards) {
            return true;
        }
        if self.len != other.len {
            return false;
        }
        if self.shards.len() != other.shards.len() {
            return self.iter().eq(other.iter());
        }
        self.shards
            .iter()
            .zip(other.shards.iter())
            .all(|(a, b)| Rc::ptr_eq(a, b) || (a.hashes == b.hashes && a.slots == b.slots))
    }
}

impl<V: Eq> Eq for Dict<V> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: usize) -> Bytes {
        Bytes::from(format!("key:{n}").as_bytes())
    }

    #[test]
    fn order_equality_and_fingerprint_forget_history() {
        let (mut grown, mut plain) = (Dict::default(), Dict::default());
        for n in 0..20_000 {
            grown.insert(&key(n), key(n));
        }
        for n in 500..20_000 {
            assert!(grown.remove(&key(n)).is_some());
        }
        for n in (0..500).rev() {
            plain.insert(&key(n), key(n));
        }
        assert_eq!(grown, plain);
        assert_eq!(grown.fp(), plain.fp());
        assert!(grown.iter().map(|(k, _)| k).eq(plain.iter().map(|(k, _)| k)));
        let before = plain.clone();
        plain.insert(&key(3), key(4));
        assert_ne!(before, plain);
        assert_ne!(before.fp(), plain.fp());
        assert_eq!(before, grown);
    }

    #[test]
    fn scan_meets_every_entry_that_stays() {
        let mut dict = Dict::default();
        for n in 0..1000 {
            dict.insert(&key(n), ());
        }
        let (mut cursor, mut seen, mut round) = (0, std::collections::BTreeSet::new(), 0);
        loop {
            let (next, found) = dict.scan(cursor, 10);
            seen.extend(found.into_iter().map(|(k, ())| k.clone()));
            // Odd keys go away and new ones come while the scan is under way.
            dict.remove(&key(round * 2 + 1));
            for n in 0..50 {
                dict.insert(&key(5000 + round * 50 + n), ());
            }
            round += 1;
            cursor = next;
            if cursor == 0 {
                break;
            }
        }
        assert!((0..1000).step_by(2).all(|n| seen.contains(&key(n))));
    }

    #[test]
    fn nth_walks_the_same_order() {
        let mut dict = Dict::default();
        for n in 0..300 {
            dict.insert(&key(n), ());
        }
        for (i, (k, ())) in dict.iter().enumerate() {
            assert_eq!(dict.nth(i).map(|(k, ())| k), Some(k));
        }
        assert!(dict.nth(300).is_none());
    }
}
