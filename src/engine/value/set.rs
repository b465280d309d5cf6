//! Sets: sorted integers while all members are integers, else a table (a short list since 7.2).

use super::Limits;
use crate::dict::Dict;
use ground::resp::{Bytes, number};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetVal {
    /// Integers, sorted.
    Ints(Vec<i64>),
    /// Members in order of insertion.
    Small(Vec<Bytes>),
    Table(Dict<()>),
}

fn int_bytes(n: i64) -> Bytes {
    n.to_string().as_bytes().into()
}

impl SetVal {
    /// An empty set in the encoding that `first` needs.
    pub fn new(first: &[u8], limits: &Limits) -> SetVal {
        if number::parse_int(first).is_some() && limits.set_ints > 0 {
            SetVal::Ints(Vec::new())
        } else if limits.set_entries > 0 {
            SetVal::Small(Vec::new())
        } else {
            SetVal::Table(Dict::default())
        }
    }

    pub fn len(&self) -> usize {
        match self {
            SetVal::Ints(ints) => ints.len(),
            SetVal::Small(members) => members.len(),
            SetVal::Table(table) => table.len(),
        }
    }

    pub fn contains(&self, member: &[u8]) -> bool {
        match self {
            SetVal::Ints(ints) => {
                number::parse_int(member).is_some_and(|n| ints.binary_search(&n).is_ok())
            }
            SetVal::Small(members) => members.iter().any(|m| **m == *member),
            SetVal::Table(table) => table.contains(member),
        }
    }

    /// Adds `member`; returns true if it is new.
    pub fn add(&mut self, member: &Bytes, limits: &Limits) -> bool {
        if let SetVal::Ints(ints) = self {
            match number::parse_int(member) {
                Some(n) => match ints.binary_search(&n) {
                    Ok(_) => return false,
                    Err(at) => {
                        ints.insert(at, n);
                        if ints.len() > limits.set_ints {
                            self.widen(member, limits);
                        }
                        return true;
                    }
                },
                None => self.widen(member, limits),
            }
        }
        if let SetVal::Small(members) = self {
            if members.contains(member) {
                return false;
            }
            if members.len() < limits.set_entries && member.len() <= limits.set_value {
                members.push(member.clone());
                return true;
            }
            self.make_table();
        }
        match self {
            SetVal::Table(table) => table.insert(member, ()).is_none(),
            _ => false,
        }
    }

    /// Converts from integers to an encoding that has room for `member` too.
    fn widen(&mut self, member: &[u8], limits: &Limits) {
        let room = self.len() < limits.set_entries;
        if room && member.len() <= limits.set_value {
            *self = SetVal::Small(self.members());
        } else {
            self.make_table();
        }
    }

    fn make_table(&mut self) {
        let mut table = Dict::default();
        for member in self.members() {
            table.insert(&member, ());
        }
        *self = SetVal::Table(table);
    }

    pub fn remove(&mut self, member: &[u8]) -> bool {
        match self {
            SetVal::Ints(ints) => {
                let found = number::parse_int(member).and_then(|n| ints.binary_search(&n).ok());
                found.map(|at| ints.remove(at)).is_some()
            }
            SetVal::Small(members) => {
                let found = members.iter().position(|m| **m == *member);
                found.map(|at| members.remove(at)).is_some()
            }
            SetVal::Table(table) => table.remove(member).is_some(),
        }
    }

    pub fn members(&self) -> Vec<Bytes> {
        self.first(usize::MAX)
    }

    /// Returns at most `max` members.
    pub fn first(&self, max: usize) -> Vec<Bytes> {
        match self {
            SetVal::Ints(ints) => ints.iter().take(max).map(|&n| int_bytes(n)).collect(),
            SetVal::Small(members) => members.iter().take(max).cloned().collect(),
            SetVal::Table(table) => {
                table.iter().take(max).map(|(member, ())| member.clone()).collect()
            }
        }
    }

    /// Returns the members at `positions`, in that order. In a table each look-up is slow, so for
    /// many positions a list of all members is built.
    pub fn at(&self, positions: Vec<usize>) -> Vec<Bytes> {
        let all = if positions.len() > super::MANY { self.members() } else { Vec::new() };
        let nth = |n: usize| all.get(n).cloned().or_else(|| self.nth(n));
        positions.into_iter().filter_map(nth).collect()
    }

    pub fn nth(&self, n: usize) -> Option<Bytes> {
        match self {
            SetVal::Ints(ints) => ints.get(n).map(|&n| int_bytes(n)),
            SetVal::Small(members) => members.get(n).cloned(),
            SetVal::Table(table) => table.nth(n).map(|(member, ())| member.clone()),
        }
    }

    pub fn encoding(&self) -> &'static str {
        match self {
            SetVal::Ints(_) => "intset",
            SetVal::Small(_) => "listpack",
            SetVal::Table(_) => "hashtable",
        }
    }

    pub fn fp(&self) -> u64 {
        match self {
            SetVal::Ints(ints) => ground::hash::fingerprint(ints),
            SetVal::Small(members) => ground::hash::fingerprint(members).wrapping_add(1),
            SetVal::Table(table) => table.fp().wrapping_add(2),
        }
    }
}
