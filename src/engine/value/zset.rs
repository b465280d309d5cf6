//! Sorted sets: members with scores, in order of score, then of member.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use super::Limits;
use crate::dict::{Dict, Fingerprint};
use crate::seq::Seq;
use ground::resp::Bytes;

/// A score: any double but NaN; the two zeros compare as one.
#[derive(Debug, Clone, Copy)]
pub struct Score(f64);

impl Score {
    pub fn new(score: f64) -> Score {
        debug_assert!(!score.is_nan(), "NaN has no place in the order");
        Score(score)
    }
    /// Returns its bits, equal for equal scores.
    fn bits(self) -> u64 {
        if self.0 == 0.0 { 0 } else { self.0.to_bits() }
    }
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.0 == other.0 { Ordering::Equal } else { self.0.total_cmp(&other.0) }
    }
}
impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Score {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}
impl Eq for Score {}
impl Hash for Score {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}
impl Fingerprint for Score {
    fn fp(&self) -> u64 {
        self.bits()
    }
}

#[derive(Debug, Clone, Default)]
pub struct ZSetVal {
    scores: Dict<Score>,
    order: Seq<(Score, Bytes)>,
    /// True if it has outgrown the listpack encoding; Redis never converts back.
    big: bool,
}

/// Compares scores only; the order follows from them.
impl PartialEq for ZSetVal {
    fn eq(&self, other: &Self) -> bool {
        self.big == other.big && self.scores == other.scores
    }
}
impl Eq for ZSetVal {}

impl ZSetVal {
    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn score(&self, member: &[u8]) -> Option<f64> {
        self.scores.get(member).map(|score| score.0)
    }

    fn index_of(&self, score: Score, member: &[u8]) -> usize {
        self.order.partition_point(|(s, m)| (*s, &**m) < (score, member))
    }

    /// Returns the number of members before `member`.
    pub fn rank(&self, member: &[u8]) -> Option<usize> {
        let score = *self.scores.get(member)?;
        Some(self.index_of(score, member))
    }

    /// Sets the score of `member`; returns the old score.
    pub fn insert(&mut self, member: &Bytes, score: f64, limits: &Limits) -> Option<f64> {
        // A listpack stores whole numbers as integers, and so has no negative zero.
        let score = Score(if score == 0.0 && !self.big { 0.0 } else { score });
        let old = self.scores.insert(member, score);
        if let Some(old) = old {
            if old == score {
                return Some(old.0);
            }
            self.order.remove(self.index_of(old, member));
        }
        self.order.insert(self.index_of(score, member), (score, member.clone()));
        debug_assert_eq!(self.scores.len(), self.order.len(), "each member has its place");
        self.big |= self.len() > limits.zset_entries || member.len() > limits.zset_value;
        old.map(Score::get)
    }

    pub fn remove(&mut self, member: &[u8]) -> Option<f64> {
        let (_, score) = self.scores.remove(member)?;
        self.order.remove(self.index_of(score, member));
        Some(score.0)
    }

    pub fn nth(&self, n: usize) -> Option<(&Bytes, f64)> {
        self.order.get(n).map(|(score, member)| (member, score.0))
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Bytes, f64)> {
        self.order.iter().map(|(score, member)| (member, score.0))
    }

    /// Returns the members at positions `start..end`.
    pub fn range(
        &self,
        start: usize,
        end: usize,
    ) -> impl DoubleEndedIterator<Item = (&Bytes, f64)> {
        self.order.range(start, end).map(|(score, member)| (member, score.0))
    }

    /// Returns the number of members for which `before` holds; those members must come first.
    pub fn partition_point(&self, mut before: impl FnMut(&[u8], f64) -> bool) -> usize {
        self.order.partition_point(|(score, member)| before(member, score.0))
    }

    pub fn remove_range(&mut self, start: usize, end: usize) {
        let gone: Vec<Bytes> = self.order.range(start, end).map(|(_, m)| m.clone()).collect();
        for member in &gone {
            self.scores.remove(member);
        }
        self.order.remove_range(start, end);
        debug_assert_eq!(self.scores.len(), self.order.len(), "each member has its place");
    }

    /// Returns the table of members, which SCAN walks if the set is big.
    pub fn table(&self) -> Option<&Dict<Score>> {
        self.big.then_some(&self.scores)
    }

    pub fn leave_listpack(&mut self) {
        self.big = true;
    }

    pub fn encoding(&self) -> &'static str {
        if self.big { "skiplist" } else { "listpack" }
    }

    pub fn fp(&self) -> u64 {
        self.scores.fp().wrapping_add(u64::from(self.big))
    }
}
