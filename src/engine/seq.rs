//! A sequence that is cheap to clone, O(1) at both ends and quick to change in the middle: short
//! shared chunks in a deque. Lists, sorted sets, streams and the expiry index are built on it.
//! Equality and fingerprint depend on the items alone, not on the chunks.

use std::cell::Cell;
use std::collections::VecDeque;
use std::hash::Hash;
use std::rc::Rc;

use ground::hash::fingerprint;

const CHUNK_LEN_MAX: usize = 128;
/// The base of the polynomial in a chunk's fingerprint: any odd number.
const BASE: u64 = 0x2545_f491_4f6c_dd1d;

#[derive(Debug, Clone)]
struct Chunk<T> {
    items: VecDeque<T>,
    /// The polynomial of the items' fingerprints, or `None` after a change.
    fp: Cell<Option<u64>>,
}

#[derive(Debug, Clone)]
pub struct Seq<T> {
    /// The chunks; none is empty.
    chunks: VecDeque<Rc<Chunk<T>>>,
    len: usize,
}

impl<T> Default for Seq<T> {
    fn default() -> Self {
        Seq { chunks: VecDeque::new(), len: 0 }
    }
}

impl<T> Seq<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the chunk that holds item `index`, and its position there; one past the end is
    /// allowed.
    fn locate(&self, index: usize) -> (usize, usize) {
        if index > self.len / 2 {
            let mut end = self.len;
            for (c, chunk) in self.chunks.iter().enumerate().rev() {
                let start = end - chunk.items.len();
                if index >= start {
                    return (c, index - start);
                }
                end = start;
            }
        }
        let mut start = 0;
        for (c, chunk) in self.chunks.iter().enumerate() {
            let end = start + chunk.items.len();
            if index < end {
                return (c, index - start);
            }
            start = end;
        }
        (0, 0)
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        if index >= self.len {
            return None;
        }
        let (c, i) = self.locate(index);
        self.chunks.get(c)?.items.get(i)
    }

    pub fn first(&self) -> Option<&T> {
        self.chunks.front()?.items.front()
    }

    pub fn last(&self) -> Option<&T> {
        self.chunks.back()?.items.back()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.chunks.iter().flat_map(|chunk| chunk.items.iter())
    }

    /// Returns items `start..end`; bounds beyond the end are cut.
    pub fn range(&self, start: usize, end: usize) -> impl DoubleEndedIterator<Item = &T> {
        let end = end.min(self.len);
        let start = start.min(end);
        let (c0, i0) = self.locate(start);
        let (c1, i1) = self.locate(end);
        let chunks = if start < end { c0..c1 + 1 } else { 0..0 };
        chunks.flat_map(move |c| {
            let items = &self.chunks[c].items;
            let low = if c == c0 { i0 } else { 0 };
            let high = if c == c1 { i1 } else { items.len() };
            items.range(low..high)
        })
    }

    /// Returns the number of items for which `before` holds; those items must come first.
    pub fn partition_point(&self, mut before: impl FnMut(&T) -> bool) -> usize {
        let c = self.chunks.partition_point(|chunk| chunk.items.front().is_some_and(&mut before));
        if c == 0 {
            return 0;
        }
        let start: usize = self.chunks.range(..c - 1).map(|chunk| chunk.items.len()).sum();
        start + self.chunks[c - 1].items.partition_point(before)
    }
}

impl<T: Clone> Seq<T> {
    fn chunk_mut(&mut self, c: usize) -> &mut VecDeque<T> {
        let chunk = Rc::make_mut(&mut self.chunks[c]);
        chunk.fp.set(None);
        &mut chunk.items
    }

    fn new_chunk(items: VecDeque<T>) -> Rc<Chunk<T>> {
        Rc::new(Chunk { items, fp: Cell::new(None) })
    }

    pub fn push_back(&mut self, item: T) {
        if self.chunks.back().is_none_or(|chunk| chunk.items.len() >= CHUNK_LEN_MAX) {
            self.chunks.push_back(Self::new_chunk(VecDeque::new()));
        }
        self.chunk_mut(self.chunks.len() - 1).push_back(item);
        self.len += 1;
    }

    pub fn push_front(&mut self, item: T) {
        if self.chunks.front().is_none_or(|chunk| chunk.items.len() >= CHUNK_LEN_MAX) {
            self.chunks.push_front(Self::new_chunk(VecDeque::new()));
        }
        self.chunk_mut(0).push_front(item);
        self.len += 1;
    }

    pub fn pop_front(&mut self) -> Option<T> {
        if self.chunks.is_empty() {
            return None;
        }
        let item = self.chunk_mut(0).pop_front();
        debug_assert!(item.is_some(), "a chunk is empty");
        if self.chunks[0].items.is_empty() {
            self.chunks.pop_front();
        }
        self.len -= 1;
        item
    }

    pub fn pop_back(&mut self) -> Option<T> {
        let last = self.chunks.len().checked_sub(1)?;
        let item = self.chunk_mut(last).pop_back();
        debug_assert!(item.is_some(), "a chunk is empty");
        if self.chunks[last].items.is_empty() {
            self.chunks.pop_back();
        }
        self.len -= 1;
        item
    }

    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len {
            return None;
        }
        let (c, i) = self.locate(index);
        self.chunk_mut(c).get_mut(i)
    }

    /// Inserts `item` before item `index`, or last.
    pub fn insert(&mut self, index: usize, item: T) {
        if index >= self.len {
            return self.push_back(item);
        }
        if index == 0 {
            return self.push_front(item);
        }
        let (mut c, mut i) = self.locate(index);
        if self.chunks[c].items.len() >= CHUNK_LEN_MAX {
            let right = self.chunk_mut(c).split_off(CHUNK_LEN_MAX / 2);
            self.chunks.insert(c + 1, Self::new_chunk(right));
            if i > CHUNK_LEN_MAX / 2 {
                (c, i) = (c + 1, i - CHUNK_LEN_MAX / 2);
            }
        }
        self.chunk_mut(c).insert(i, item);
        self.len += 1;
    }

    pub fn remove(&mut self, index: usize) -> Option<T> {
        if index >= self.len {
            return None;
        }
        let (c, i) = self.locate(index);
        let item = self.chunk_mut(c).remove(i);
        debug_assert!(item.is_some(), "item {index} of {} is in no chunk", self.len);
        self.len -= 1;
        self.tidy(c);
        item
    }

    /// Removes an empty chunk, and joins a small one with the next.
    fn tidy(&mut self, c: usize) {
        let len = self.chunks[c].items.len();
        if len == 0 {
            self.chunks.remove(c);
        } else if let Some(next) = self.chunks.get(c + 1)
            && len + next.items.len() <= CHUNK_LEN_MAX / 2
            && let Some(next) = self.chunks.remove(c + 1)
        {
            self.chunk_mut(c).extend(next.items.iter().cloned());
        }
    }

    /// Removes items `start..end`.
    pub fn remove_range(&mut self, start: usize, end: usize) {
        let end = end.min(self.len);
        let mut left = end.saturating_sub(start);
        while left > 0 {
            let (c, i) = self.locate(start);
            let len = self.chunks[c].items.len();
            let here = left.min(len - i);
            if here == len {
                self.chunks.remove(c);
            } else {
                self.chunk_mut(c).drain(i..i + here);
            }
            self.len -= here;
            left -= here;
        }
    }
}

impl<T: Clone> FromIterator<T> for Seq<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut seq = Seq::default();
        items.into_iter().for_each(|item| seq.push_back(item));
        seq
    }
}

impl<T: Hash> Seq<T> {
    /// Returns a fingerprint of the items in their order.
    pub fn fp(&self) -> u64 {
        let (mut sum, mut power) = (self.len as u64, 1u64);
        for chunk in &self.chunks {
            sum = sum.wrapping_add(chunk.fp().wrapping_mul(power));
            power = power.wrapping_mul(BASE.wrapping_pow(chunk.items.len() as u32));
        }
        sum
    }
}

impl<T: Hash> Chunk<T> {
    fn fp(&self) -> u64 {
        if let Some(fp) = self.fp.get() {
            let is_looked_at = self.items.len() == 1 || fp.is_multiple_of(256);
            debug_assert!(!is_looked_at || fp == self.fresh_fp(), "a change kept the fingerprint");
            return fp;
        }
        let fp = self.fresh_fp();
        self.fp.set(Some(fp));
        fp
    }

    fn fresh_fp(&self) -> u64 {
        let (mut sum, mut power) = (0u64, 1u64);
        for item in &self.items {
            sum = sum.wrapping_add(fingerprint(item).wrapping_mul(power));
            power = power.wrapping_mul(BASE);
        }
        sum
    }
}

impl<T: PartialEq> PartialEq for Seq<T> {
    fn eq(&self, other: &Self) -> bool {
        let shared = |(a, b): (&Rc<Chunk<T>>, &Rc<Chunk<T>>)| Rc::ptr_eq(a, b);
        self.len == other.len
            && ((self.chunks.len() == other.chunks.len()
                && self.chunks.iter().zip(&other.chunks).all(shared))
                || self.iter().eq(other.iter()))
    }
}

impl<T: Eq> Eq for Seq<T> {}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn behaves_as_a_vector() {
        let mut rng = rand_chacha();
        let (mut seq, mut vec) = (Seq::default(), Vec::new());
        for step in 0..20_000u32 {
            let at = rng.random_range(0..=vec.len());
            match rng.random_range(0..8) {
                0 => (seq.push_back(step), vec.push(step)).1,
                1 => (seq.push_front(step), vec.insert(0, step)).1,
                2..=4 => (seq.insert(at, step), vec.insert(at, step)).1,
                5 if at < vec.len() => assert_eq!(seq.remove(at), Some(vec.remove(at))),
                6 if !vec.is_empty() => assert_eq!(seq.pop_front(), Some(vec.remove(0))),
                7 if step % 500 == 7 => {
                    let end = rng.random_range(at..=vec.len());
                    seq.remove_range(at, end);
                    vec.drain(at..end);
                }
                _ => assert_eq!(seq.pop_back(), vec.pop()),
            }
            assert_eq!(seq.len(), vec.len());
            assert_eq!(seq.get(at), vec.get(at));
        }
        assert!(seq.iter().eq(vec.iter()));
        let (a, b) = (vec.len() / 3, vec.len() / 2);
        assert!(seq.range(a, b).rev().eq(vec[a..b].iter().rev()));
        let fresh: Seq<u32> = vec.iter().copied().collect();
        assert_eq!(fresh, seq);
        assert_eq!(fresh.fp(), seq.fp());
    }

    fn rand_chacha() -> rand::rngs::ChaCha8Rng {
        rand::rngs::ChaCha8Rng::seed_from_u64(7)
    }
}
