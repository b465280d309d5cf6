//! Streams as data: entries in order of id, consumer groups with their pending entries.
//!
//! DIFFERENCE: Redis stores entries in nodes of up to 100 entries or 4 KB, and `MAXLEN ~` removes
//! whole nodes only. Here a node is 100 entries whatever their size.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::context::Fail;
use super::seq::Seq;
use ground::resp::{Bytes, Value, number};
use ground::sorted::SortedMap;

/// Entries per node, as `stream-node-max-entries` has it.
pub const NODE_ENTRIES: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct StreamId {
    pub ms: u64,
    pub seq: u64,
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ms, self.seq)
    }
}

/// Parses what C's `strtoull` accepts as a whole, after Redis's own quick parse.
pub(super) fn parse_u64(text: &[u8]) -> Option<u64> {
    if let Some(n) = number::parse_int(text) {
        return u64::try_from(n).ok();
    }
    let text = std::str::from_utf8(text).ok()?.trim_start();
    if let Some(digits) = text.strip_prefix('-') {
        let digits = digits.bytes().all(|b| b.is_ascii_digit()).then_some(digits)?;
        return digits.parse().ok().map(u64::wrapping_neg);
    }
    let digits = text.strip_prefix('+').unwrap_or(text);
    digits.bytes().all(|b| b.is_ascii_digit()).then_some(digits)?.parse().ok()
}

const INVALID_ID: &str = "ERR Invalid stream ID specified as stream command argument";

impl StreamId {
    pub const MAX: StreamId = StreamId { ms: u64::MAX, seq: u64::MAX };
    pub const ZERO: StreamId = StreamId { ms: 0, seq: 0 };

    pub fn next(self) -> Option<StreamId> {
        match self.seq.checked_add(1) {
            Some(seq) => Some(StreamId { seq, ..self }),
            None => Some(StreamId { ms: self.ms.checked_add(1)?, seq: 0 }),
        }
    }

    pub fn previous(self) -> Option<StreamId> {
        match self.seq.checked_sub(1) {
            Some(seq) => Some(StreamId { seq, ..self }),
            None => Some(StreamId { ms: self.ms.checked_sub(1)?, seq: u64::MAX }),
        }
    }

    /// Parses `ms[-seq]`; a missing part becomes `missing_seq`.
    pub fn parse(text: &[u8], missing_seq: u64) -> Result<StreamId, Fail> {
        Self::parse_auto(text, missing_seq).and_then(|(id, seq_given)| match seq_given {
            true => Ok(id),
            false => Err(INVALID_ID.into()),
        })
    }

    /// The same, and `ms-*`; also returns true if the second part was given.
    pub fn parse_auto(text: &[u8], missing_seq: u64) -> Result<(StreamId, bool), Fail> {
        let invalid = || Fail::from(INVALID_ID);
        if text.len() > 127 || text == b"-" || text == b"+" {
            return Err(invalid());
        }
        let text = &text[..text.iter().position(|&b| b == 0).unwrap_or(text.len())];
        let (ms, seq) = match text.iter().position(|&b| b == b'-') {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        let ms = parse_u64(ms).ok_or_else(invalid)?;
        match seq {
            None => Ok((StreamId { ms, seq: missing_seq }, true)),
            Some(b"*") => Ok((StreamId { ms, seq: 0 }, false)),
            Some(seq) => Ok((StreamId { ms, seq: parse_u64(seq).ok_or_else(invalid)? }, true)),
        }
    }

    /// Parses a bound of an interval: an id, `-`, `+`, or `(id`. The flag is true for `(`.
    pub fn parse_bound(text: &[u8], missing_seq: u64) -> Result<(StreamId, bool), Fail> {
        match text {
            b"-" => Ok((StreamId::ZERO, false)),
            b"+" => Ok((StreamId::MAX, false)),
            [b'(', rest @ ..] if !rest.is_empty() => Ok((Self::parse(rest, missing_seq)?, true)),
            _ => Ok((Self::parse(text, missing_seq)?, false)),
        }
    }

    pub fn value(self) -> Value {
        Value::bulk(self.to_string())
    }
}

/// Parses the bounds of an interval; the result includes both.
pub fn interval(start: &[u8], end: &[u8]) -> Result<(StreamId, StreamId), Fail> {
    let (mut low, start_excluded) = StreamId::parse_bound(start, 0)?;
    let (mut high, end_excluded) = StreamId::parse_bound(end, u64::MAX)?;
    if start_excluded {
        low = low.next().ok_or("ERR invalid start ID for the interval")?;
    }
    if end_excluded {
        high = high.previous().ok_or("ERR invalid end ID for the interval")?;
    }
    Ok((low, high))
}

/// A delivery that has not been acknowledged.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pending {
    pub consumer: Bytes,
    pub delivered_ms: i64,
    pub count: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Consumer {
    pub seen_ms: u64,
    /// The time of its last delivery; `None` if there was none (shown since 7.2).
    pub active_ms: Option<u64>,
    pub pending: BTreeSet<StreamId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Group {
    pub last_id: StreamId,
    /// The number of entries read; `None` if it cannot be known.
    pub entries_read: Option<i64>,
    pub pending: BTreeMap<StreamId, Pending>,
    pub consumers: SortedMap<Bytes, Consumer>,
}

impl Stream {
    /// Sets every noted time to `now_ms`.
    pub fn note_all_at(&mut self, now_ms: u64) {
        self.note_seen_at(now_ms);
        for group in self.groups.values_mut() {
            let pending = Rc::make_mut(group).pending.values_mut();
            pending.for_each(|one| one.delivered_ms = now_ms as i64);
        }
    }

    /// Sets the times at which consumers were seen and last got something.
    fn note_seen_at(&mut self, now_ms: u64) {
        for group in self.groups.values_mut() {
            for consumer in Rc::make_mut(group).consumers.values_mut() {
                consumer.seen_ms = now_ms;
                consumer.active_ms = consumer.active_ms.map(|_| now_ms);
            }
        }
    }

    /// Returns true if the two differ at most in when consumers were seen and last got something.
    pub fn differs_only_in_seen(&self, other: &Stream) -> bool {
        self.is_equal_after(other, |stream| stream.note_seen_at(0))
    }

    /// Returns true if the two differ at most in the times that are noted.
    pub fn differs_only_in_times(&self, other: &Stream) -> bool {
        self.is_equal_after(other, |stream| stream.note_all_at(0))
    }

    /// Returns true if the two are equal, at least after this change of both.
    fn is_equal_after(&self, other: &Stream, change: impl Fn(&mut Stream)) -> bool {
        let changed = |stream: &Stream| {
            let mut stream = stream.clone();
            change(&mut stream);
            stream
        };
        self == other || changed(self) == changed(other)
    }

    /// Returns true if some delivery has not been acknowledged.
    pub fn has_pending(&self) -> bool {
        self.groups.iter().any(|(_, group)| !group.pending.is_empty())
    }
}

impl Group {
    /// Makes `id` pending for `consumer`, taking it from the consumer that had it.
    pub fn assign(&mut self, id: StreamId, consumer: &Bytes, delivered_ms: i64, count: i64) {
        let pending = Pending { consumer: consumer.clone(), delivered_ms, count };
        if let Some(old) = self.pending.insert(id, pending)
            && old.consumer != *consumer
            && let Some(old) = self.consumers.get_mut(&old.consumer)
        {
            old.pending.remove(&id);
        }
        self.consumers.get_or_default(consumer.clone()).pending.insert(id);
    }

    /// Removes `id` from the pending entries; returns true if it was there.
    pub fn acknowledge(&mut self, id: StreamId) -> bool {
        let Some(pending) = self.pending.remove(&id) else { return false };
        if let Some(consumer) = self.consumers.get_mut(&pending.consumer) {
            let was_there = consumer.pending.remove(&id);
            debug_assert!(was_there, "the group has a delivery that its consumer does not have");
        }
        true
    }
}

pub type StreamEntry = (StreamId, Rc<[Bytes]>);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stream {
    pub entries: Seq<StreamEntry>,
    /// The last id of each node, and how many entries were added to it, with those deleted since.
    nodes: Vec<(StreamId, usize)>,
    pub last_id: StreamId,
    pub max_deleted_id: StreamId,
    pub entries_added: u64,
    pub groups: SortedMap<Bytes, Rc<Group>>,
}

impl Hash for Stream {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.entries.fp());
        self.nodes.hash(state);
        (self.last_id, self.max_deleted_id, self.entries_added, &self.groups).hash(state);
    }
}

impl Stream {
    /// Returns the position of the first entry not before `id`.
    fn position(&self, id: StreamId) -> usize {
        self.entries.partition_point(|(at, _)| *at < id)
    }

    pub fn first_id(&self) -> StreamId {
        self.entries.first().map_or(StreamId::ZERO, |(id, _)| *id)
    }

    /// Returns the id of the last entry that still exists.
    pub fn last_entry_id(&self) -> Option<StreamId> {
        self.entries.last().map(|(id, _)| *id)
    }

    pub fn contains(&self, id: StreamId) -> bool {
        self.get(id).is_some()
    }

    pub fn get(&self, id: StreamId) -> Option<&StreamEntry> {
        self.entries.get(self.position(id)).filter(|(at, _)| *at == id)
    }

    pub fn add(&mut self, id: StreamId, fields: &[Bytes]) {
        debug_assert!(self.last_entry_id() < Some(id), "entries come in the order of their ids");
        match self.nodes.last_mut() {
            Some((last, added)) if *added < NODE_ENTRIES => (*last, *added) = (id, *added + 1),
            _ => self.nodes.push((id, 1)),
        }
        self.entries.push_back((id, fields.into()));
        self.entries_added += 1;
        self.last_id = id;
    }

    /// Removes an entry that stays noted as deleted; returns true if it was there.
    pub fn delete(&mut self, id: StreamId) -> bool {
        let was_there = self.remove(id);
        if was_there {
            self.max_deleted_id = self.max_deleted_id.max(id);
        }
        was_there
    }

    /// Removes an entry, as trimming does; returns true if it was there.
    pub fn remove(&mut self, id: StreamId) -> bool {
        let at = self.position(id);
        let is_there = self.entries.get(at).is_some_and(|(found, _)| *found == id);
        if !is_there || self.entries.remove(at).is_none() {
            return false;
        }
        let node = self.nodes.partition_point(|(last, _)| *last < id);
        let before = node.checked_sub(1).map_or(0, |before| self.end_of(before));
        if node < self.nodes.len() && self.end_of(node) == before {
            self.nodes.remove(node);
        }
        true
    }

    /// Returns the position behind the last entry of a node.
    fn end_of(&self, node: usize) -> usize {
        let behind = self.nodes[node].0.next();
        behind.map_or(self.entries.len(), |id| self.position(id))
    }

    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of entries in the first nodes, as long as `fits` holds for the last id of
    /// a node and the number up to its end.
    pub fn in_whole_nodes(&self, fits: impl Fn(StreamId, usize) -> bool) -> usize {
        let ends = self.nodes.iter().enumerate().map(|(at, (last, _))| (*last, self.end_of(at)));
        ends.take_while(|(last, end)| fits(*last, *end)).last().map_or(0, |(_, end)| end)
    }

    /// Returns the entries from `start` to `end`, both included.
    pub fn range(
        &self,
        start: StreamId,
        end: StreamId,
    ) -> impl DoubleEndedIterator<Item = &StreamEntry> {
        let low = self.position(start);
        let high = end.next().map_or(self.entries.len(), |end| self.position(end));
        self.entries.range(low, high.max(low))
    }

    /// Removes the first `n` entries.
    pub fn remove_first(&mut self, n: usize) {
        if n > 0 {
            self.entries.remove_range(0, n);
            let gone = (0..self.nodes.len()).take_while(|node| self.end_of(*node) == 0).count();
            self.nodes.drain(..gone);
        }
    }

    /// Returns the number of entries before `id`.
    pub fn entries_before(&self, id: StreamId) -> usize {
        self.position(id)
    }

    fn has_tombstones_from(&self, start: StreamId) -> bool {
        !self.entries.is_empty()
            && self.max_deleted_id != StreamId::ZERO
            // A tombstone before the first entry does not count.
            && self.first_id() <= self.max_deleted_id
            && start <= self.max_deleted_id
    }

    /// Returns the number of entries ever added up to `id`; `None` if it cannot be known.
    pub fn distance_from_first(&self, id: StreamId) -> Option<i64> {
        let (added, len) = (self.entries_added as i64, self.entries.len() as i64);
        if added == 0 {
            return Some(0);
        }
        if len == 0 && id <= self.last_id {
            return Some(added);
        }
        match id.cmp(&self.last_id) {
            std::cmp::Ordering::Equal => return Some(added),
            std::cmp::Ordering::Greater => return None,
            std::cmp::Ordering::Less => {}
        }
        let first = self.first_id();
        if self.max_deleted_id == StreamId::ZERO || self.max_deleted_id < first {
            match id.cmp(&first) {
                std::cmp::Ordering::Less => return Some(added - len),
                std::cmp::Ordering::Equal => return Some(added - len + 1),
                std::cmp::Ordering::Greater => {}
            }
        }
        None
    }

    /// Records in `group` that the entry `id` is being delivered.
    pub fn advance_group(&self, group: &mut Group, id: StreamId) {
        if id <= group.last_id {
            return;
        }
        match group.entries_read {
            Some(n) if !self.has_tombstones_from(id) => group.entries_read = Some(n + 1),
            _ if self.entries_added > 0 => group.entries_read = self.distance_from_first(id),
            _ => {}
        }
        group.last_id = id;
    }

    /// Returns the number of entries not yet delivered to the group; `None` if it cannot be known.
    /// `sees_trimmed`: entries that were trimmed away do not count, as since Redis 8.0.
    pub fn lag(&self, group: &Group, sees_trimmed: bool) -> Option<i64> {
        if self.entries_added == 0 {
            return Some(0);
        }
        let first = self.first_id();
        let is_before = group.last_id < first && self.max_deleted_id < first;
        if sees_trimmed && (is_before || self.entries.is_empty()) {
            return Some(self.entries.len() as i64);
        }
        let added = self.entries_added as i64;
        match group.entries_read {
            Some(read) if !self.has_tombstones_from(group.last_id) => Some(added - read),
            _ => self.distance_from_first(group.last_id).map(|read| added - read),
        }
    }

    pub fn plain_entries(&self) -> impl Iterator<Item = (String, Vec<Bytes>)> + '_ {
        self.entries.iter().map(|(id, fields)| (id.to_string(), fields.to_vec()))
    }
}
