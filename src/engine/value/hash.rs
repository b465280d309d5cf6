//! Hashes: pairs in order of insertion while small, else a table. Fields may expire (7.4).

use std::collections::BTreeMap;

use super::Limits;
use crate::dict::Dict;
use ground::hash::fingerprint;
use ground::resp::Bytes;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pairs {
    Small(Vec<(Bytes, Bytes)>),
    Table(Dict<Bytes>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HashVal {
    pairs: Pairs,
    /// The deadlines of fields, in ms since the epoch.
    expires: BTreeMap<Bytes, u64>,
}

impl Default for HashVal {
    fn default() -> Self {
        HashVal { pairs: Pairs::Small(Vec::new()), expires: BTreeMap::new() }
    }
}

impl HashVal {
    pub fn len(&self) -> usize {
        match &self.pairs {
            Pairs::Small(pairs) => pairs.len(),
            Pairs::Table(table) => table.len(),
        }
    }

    pub fn get(&self, field: &[u8]) -> Option<&Bytes> {
        match &self.pairs {
            Pairs::Small(pairs) => pairs.iter().find(|(f, _)| **f == *field).map(|(_, v)| v),
            Pairs::Table(table) => table.get(field),
        }
    }

    /// Converts to a table if one of `values` is too long for the small encoding. Redis checks that
    /// before it adds anything.
    pub fn make_room_for<'a>(
        &mut self,
        mut values: impl Iterator<Item = &'a Bytes>,
        limits: &Limits,
    ) {
        if matches!(self.pairs, Pairs::Small(_)) && values.any(|v| v.len() > limits.hash_value) {
            self.make_table();
        }
    }

    /// Sets `field` and removes its deadline; returns true if the field is new.
    pub fn set(&mut self, field: &Bytes, value: Bytes, limits: &Limits) -> bool {
        self.expires.remove(field);
        self.replace(field, value, limits)
    }

    /// Sets `field` and keeps its deadline; returns true if the field is new.
    pub fn replace(&mut self, field: &Bytes, value: Bytes, limits: &Limits) -> bool {
        if field.len().max(value.len()) > limits.hash_value {
            self.make_table();
        }
        match &mut self.pairs {
            Pairs::Small(pairs) => {
                if let Some((_, old)) = pairs.iter_mut().find(|(f, _)| f == field) {
                    *old = value;
                    return false;
                }
                pairs.push((field.clone(), value));
                if pairs.len() > limits.hash_entries {
                    self.make_table();
                }
                true
            }
            Pairs::Table(table) => table.insert(field, value).is_none(),
        }
    }

    fn make_table(&mut self) {
        if let Pairs::Small(pairs) = &self.pairs {
            let mut table = Dict::default();
            for (field, value) in pairs {
                table.insert(field, value.clone());
            }
            self.pairs = Pairs::Table(table);
        }
    }

    pub fn remove(&mut self, field: &[u8]) -> bool {
        self.expires.remove(field);
        match &mut self.pairs {
            Pairs::Small(pairs) => {
                let found = pairs.iter().position(|(f, _)| **f == *field);
                found.map(|at| pairs.remove(at)).is_some()
            }
            Pairs::Table(table) => table.remove(field).is_some(),
        }
    }

    pub fn pairs(&self) -> Vec<(Bytes, Bytes)> {
        self.first(usize::MAX)
    }

    /// Returns at most `max` pairs.
    pub fn first(&self, max: usize) -> Vec<(Bytes, Bytes)> {
        match &self.pairs {
            Pairs::Small(pairs) => pairs.iter().take(max).cloned().collect(),
            Pairs::Table(table) => {
                table.iter().take(max).map(|(f, v)| (f.clone(), v.clone())).collect()
            }
        }
    }

    /// Returns the pairs at `positions`, in that order; see [`super::SetVal::at`].
    pub fn at(&self, positions: Vec<usize>) -> Vec<(Bytes, Bytes)> {
        let all = if positions.len() > super::MANY { self.pairs() } else { Vec::new() };
        let one = |n| self.nth(n).map(|(field, value)| (field.clone(), value.clone()));
        let nth = |n: usize| all.get(n).cloned().or_else(|| one(n));
        positions.into_iter().filter_map(nth).collect()
    }

    pub fn nth(&self, n: usize) -> Option<(&Bytes, &Bytes)> {
        match &self.pairs {
            Pairs::Small(pairs) => pairs.get(n).map(|(f, v)| (f, v)),
            Pairs::Table(table) => table.nth(n),
        }
    }

    /// Returns the table, if the hash has outgrown the small encoding.
    pub fn table(&self) -> Option<&Dict<Bytes>> {
        match &self.pairs {
            Pairs::Small(_) => None,
            Pairs::Table(table) => Some(table),
        }
    }

    pub fn expires_at(&self, field: &[u8]) -> Option<u64> {
        self.expires.get(field).copied()
    }

    pub fn set_expires_at(&mut self, field: &Bytes, deadline: Option<u64>) {
        match deadline {
            Some(ms) => self.expires.insert(field.clone(), ms),
            None => self.expires.remove(field),
        };
    }

    /// Returns the deadline of each field that has one.
    pub fn deadlines(&self) -> impl Iterator<Item = u64> {
        self.expires.values().copied()
    }

    /// Returns the earliest deadline of a field.
    pub fn next_deadline(&self) -> Option<u64> {
        self.expires.values().min().copied()
    }

    /// Returns the fields whose deadline has come.
    pub fn due(&self, now_ms: u64) -> Vec<Bytes> {
        let due = self.expires.iter().filter(|(_, at)| **at <= now_ms);
        due.map(|(field, _)| field.clone()).collect()
    }

    pub fn encoding(&self) -> &'static str {
        match &self.pairs {
            Pairs::Small(_) if self.expires.is_empty() => "listpack",
            Pairs::Small(_) => "listpackex",
            Pairs::Table(_) => "hashtable",
        }
    }

    pub fn fp(&self) -> u64 {
        let pairs = match &self.pairs {
            Pairs::Small(pairs) => fingerprint(pairs),
            Pairs::Table(table) => table.fp(),
        };
        if self.expires.is_empty() { pairs } else { pairs ^ fingerprint(&self.expires) }
    }
}
