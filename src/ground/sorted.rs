//! Sorting, and small sorted maps and sets.
//!
//! The standard library does the same faster, but with much code for every type: about 5 KB for a
//! `BTreeMap`, 3 KB for a sort. Here the code that does not depend on the type exists once.
//!
//! Absent: large maps. Insertion and removal move all later entries, so these are for the names of
//! channels, groups, libraries, watched keys: hundreds, perhaps thousands.

use std::borrow::Borrow;
use std::cmp::Ordering;

/// Sorts `items`; the sort is stable.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order = order(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    // Each place takes the item that belongs there, cycle by cycle.
    for start in 0..items.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start || from == at {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

/// Returns the numbers below `len` in the order of `compare`, by a bottom-up merge sort.
fn order(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    let mut from = order.clone();
    let mut run = 1;
    while run < len {
        std::mem::swap(&mut order, &mut from);
        for start in (0..len).step_by(2 * run) {
            let (middle, end) = ((start + run).min(len), (start + 2 * run).min(len));
            let (mut left, mut right) = (start, middle);
            for place in &mut order[start..end] {
                let is_left = left < middle
                    && (right == end || compare(from[left], from[right]) != Ordering::Greater);
                let next = if is_left { &mut left } else { &mut right };
                *place = from[*next];
                *next += 1;
            }
        }
        run *= 2;
    }
    order
}

/// A map sorted by its keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<K, V> SortedMap<K, V> {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }

    pub fn iter(&self) -> Entries<'_, K, V> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> {
        self.entries.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Returns the index of `key`, or as an error the index at which to insert it.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.entries.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| &self.entries[at].1)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| &mut self.entries[at].1)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// Inserts a value and returns the value it replaces.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.entries[at].1, value)),
            Err(at) => {
                self.entries.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes a key and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| self.entries.remove(at).1)
    }

    /// Returns the value at `key`; inserts the default if there is none.
    pub fn get_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let at = match self.find(&key) {
            Ok(at) => at,
            Err(at) => {
                self.entries.insert(at, (key, V::default()));
                at
            }
        };
        &mut self.entries[at].1
    }
}

/// An iterator over keys and values, in the order of the keys.
pub type Entries<'a, K, V> =
    std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Entries<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

/// A set of items in sorted order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SortedSet<T> {
    items: Vec<T>,
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T> SortedSet<T> {
    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn first(&self) -> Option<&T> {
        self.items.first()
    }
}

impl<T: Ord> SortedSet<T> {
    pub fn contains<Q: Ord + ?Sized>(&self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.items.binary_search_by(|known| known.borrow().cmp(item)).is_ok()
    }

    /// Inserts an item; returns false if it was there already.
    pub fn insert(&mut self, item: T) -> bool {
        let place = self.items.binary_search(&item);
        if let Err(at) = place {
            self.items.insert(at, item);
        }
        place.is_err()
    }

    /// Removes an item; returns whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let place = self.items.binary_search_by(|known| known.borrow().cmp(item));
        place.map(|at| self.items.remove(at)).is_ok()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut random = rand::rngs::ChaCha8Rng::seed_from_u64(1);
        for len in (0..40).chain([1000]) {
            let items: Vec<(u32, usize)> =
                (0..len).map(|at| (random.random_range(0..10), at)).collect();
            let (mut ours, mut reference) = (items.clone(), items);
            sort_by(&mut ours, |a, b| a.0.cmp(&b.0));
            reference.sort_by_key(|item| item.0);
            assert_eq!(ours, reference);
        }
    }

    #[test]
    fn maps_and_sets_do_as_the_standard_library_does() {
        let mut random = rand::rngs::ChaCha8Rng::seed_from_u64(2);
        let (mut map, mut map_reference) = (SortedMap::default(), BTreeMap::new());
        let (mut set, mut set_reference) = (SortedSet::default(), BTreeSet::new());
        for step in 0..2000 {
            let key: u8 = random.random_range(0..50);
            match random.random_range(0..4) {
                0 => assert_eq!(map.insert(key, step), map_reference.insert(key, step)),
                1 => assert_eq!(map.remove(&key), map_reference.remove(&key)),
                2 => *map.get_or_default(key) += *map_reference.entry(key).or_default() + 1,
                _ => assert_eq!(map.get(&key), map_reference.get(&key)),
            }
            map_reference = map.iter().map(|(key, value)| (*key, *value)).collect();
            match random.random_range(0..3) {
                0 => assert_eq!(set.insert(key), set_reference.insert(key)),
                1 => assert_eq!(set.remove(&key), set_reference.remove(&key)),
                _ => assert_eq!(set.contains(&key), set_reference.contains(&key)),
            }
            assert!(map.keys().eq(map_reference.keys()) && set.iter().eq(&set_reference));
            assert_eq!((map.len(), set.len()), (map_reference.len(), set_reference.len()));
        }
    }
}
