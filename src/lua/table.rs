//! Tables: PUC 5.1's array part and hash part, with the same placement of keys.
//!
//! `pairs` shows the order of keys in memory, and `#` finds one of several borders. Both depend on
//! the exact growth rules of `ltable.c`, so these are kept: Brent's variation of chained scatter,
//! the free pointer that only falls, and the array part with the largest power of two that is at
//! least half used.
//!
//! A table may rest on a shared base ([`Table::base`]): the globals of every program begin with the
//! same library, which is stored once. Definition keys and base keys never overlap.

use std::rc::Rc;

use super::value::{Str, TableId, Value};

/// No metatable.
pub(super) const NO_META: TableId = u32::MAX;
/// End of a collision chain.
const END: u32 = u32::MAX;
/// The largest size of an array part, as a power of two.
const BITS_MAX: usize = 26;

#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub key: Value,
    pub value: Value,
    next: u32,
    /// The number by which a reference is hashed; 0 for other keys.
    identity: u32,
}

/// A Lua table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub array: Box<[Value]>,
    /// The hash part: empty, or a power of two of nodes.
    pub nodes: Box<[Node]>,
    /// All nodes from here up have been used at some time.
    free: u32,
    pub meta: TableId,
    /// The number by which this table is hashed as a key and printed; 0 until either happens.
    pub identity: u32,
    /// True if writing raises an error (Redis protects its globals and libraries).
    pub read_only: bool,
    /// The shared table under this one; disjoint from the keys held here.
    pub base: Option<Rc<Table>>,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            array: Box::default(),
            nodes: Box::default(),
            free: 0,
            meta: NO_META,
            identity: 0,
            read_only: false,
            base: None,
        }
    }
}

impl Node {
    pub fn as_key(&self) -> Key<'_> {
        Key { value: &self.key, identity: self.identity }
    }
}

fn array_index(n: f64) -> Option<usize> {
    let index = n as u32;
    (f64::from(index) == n && index > 0).then_some(index as usize)
}

/// A key whose position can be computed: a value, and for references the number of the object.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    pub value: &'a Value,
    pub identity: u32,
}

impl Table {
    /// Creates a table with the sizes that a constructor asks for.
    pub fn with_sizes(array: usize, hash: usize) -> Self {
        let mut table = Self::default();
        if array > 0 {
            table.array = vec![Value::Nil; array].into();
        }
        if hash > 0 {
            table.set_nodes(hash);
        }
        table
    }

    /// Returns the bytes of this table, the same on every target.
    pub fn size(&self) -> usize {
        56 + self.array.len() * 16 + self.nodes.len() * 40
    }

    #[inline]
    pub fn get_int(&self, index: usize) -> Option<&Value> {
        if let Some(value) = self.array.get(index.wrapping_sub(1)) {
            return Some(value);
        }
        self.get_hashed_number(index as f64)
    }

    #[inline]
    pub fn get_num(&self, n: f64) -> Option<&Value> {
        let index = n as u32;
        if f64::from(index) == n
            && let Some(value) = self.array.get((index as usize).wrapping_sub(1))
        {
            return Some(value);
        }
        self.get_hashed_number(n)
    }

    fn get_hashed_number(&self, n: f64) -> Option<&Value> {
        if self.nodes.is_empty() {
            return None;
        }
        let mut at = self.number_position(n);
        loop {
            let node = &self.nodes[at];
            if matches!(node.key, Value::Num(key) if key == n) {
                return Some(&node.value);
            }
            if node.next == END {
                return None;
            }
            at = node.next as usize;
        }
    }

    #[inline]
    pub fn get_str(&self, key: &Str) -> Option<&Value> {
        match self.find_str(key) {
            Some(at) => Some(&self.nodes[at].value),
            None => self.base.as_ref().and_then(|base| base.get_str(key)),
        }
    }

    /// Returns the node that holds a string key, alive or dead.
    #[inline]
    fn find_str(&self, key: &Str) -> Option<usize> {
        let mut at = key.hash() as usize & self.nodes.len().wrapping_sub(1);
        // `END` is no index either.
        while let Some(node) = self.nodes.get(at) {
            if matches!(&node.key, Value::Str(k) if k == key) {
                return Some(at);
            }
            at = node.next as usize;
        }
        None
    }

    /// Returns the value at `key`; `None` and nil both mean absent.
    #[inline]
    pub fn get(&self, key: Key<'_>) -> Option<&Value> {
        match key.value {
            Value::Nil => None,
            Value::Num(n) => self.get_num(*n),
            Value::Str(s) => self.get_str(s),
            _ => self.find(key).map(|at| &self.nodes[at].value),
        }
    }

    /// Returns the node that holds `key`, alive or dead.
    fn find(&self, key: Key<'_>) -> Option<usize> {
        if let Value::Str(key) = key.value {
            return self.find_str(key);
        }
        if self.nodes.is_empty() {
            return None;
        }
        let mut at = self.position(key);
        loop {
            let node = &self.nodes[at];
            if node.key == *key.value {
                return Some(at);
            }
            if node.next == END {
                return None;
            }
            at = node.next as usize;
        }
    }

    fn number_position(&self, n: f64) -> usize {
        if n == 0.0 {
            return 0;
        }
        let bits = n.to_bits();
        self.modulo((bits as u32).wrapping_add((bits >> 32) as u32))
    }

    fn modulo(&self, n: u32) -> usize {
        n as usize % ((self.nodes.len() - 1) | 1)
    }

    /// Returns the main position of `key`: its place if no other key is there.
    fn position(&self, key: Key<'_>) -> usize {
        match key.value {
            Value::Num(n) => self.number_position(*n),
            Value::Str(s) => s.hash() as usize & (self.nodes.len() - 1),
            Value::Bool(b) => usize::from(*b) & (self.nodes.len() - 1),
            _ => self.modulo(key.identity),
        }
    }

    /// Stores at an existing key; false if the key has no place yet.
    #[inline]
    pub fn replace(&mut self, key: Key<'_>, value: &Value) -> bool {
        if let Value::Num(n) = key.value {
            let index = *n as u32;
            if f64::from(index) == *n
                && let Some(slot) = self.array.get_mut((index as usize).wrapping_sub(1))
            {
                *slot = value.clone();
                return true;
            }
        }
        match self.find(key) {
            Some(at) => {
                self.nodes[at].value = value.clone();
                true
            }
            None => false,
        }
    }

    /// Stores over a value that is not nil; false if there is none.
    #[inline]
    pub fn replace_present(&mut self, key: Key<'_>, value: &Value) -> bool {
        let place = match key.value {
            Value::Num(n) if array_index(*n).is_some_and(|index| index <= self.array.len()) => {
                self.array.get_mut(*n as usize - 1)
            }
            _ => self.find(key).map(|at| &mut self.nodes[at].value),
        };
        match place {
            Some(place) if !place.is_nil() => {
                *place = value.clone();
                true
            }
            _ => false,
        }
    }

    /// Stores `value` at `key`, which is neither nil nor NaN.
    pub fn set(&mut self, key: Key<'_>, value: Value) {
        if self.base.as_ref().is_some_and(|base| base.get(key).is_some_and(|v| !v.is_nil())) {
            self.materialise();
        }
        if self.replace(key, &value) {
            return;
        }
        *self.insert(key) = value;
    }

    /// Copies the shared base in before a library entry is overwritten.
    fn materialise(&mut self) {
        let Some(base) = self.base.take() else { return };
        for node in base.nodes.iter().filter(|node| !node.value.is_nil()) {
            self.set(node.as_key(), node.value.clone());
        }
    }

    /// Makes a place for a key that has none.
    fn insert(&mut self, key: Key<'_>) -> &mut Value {
        if self.nodes.is_empty() {
            return self.grow_for(key);
        }
        let mut at = self.position(key);
        if !self.nodes[at].value.is_nil() {
            let Some(free) = self.take_free() else { return self.grow_for(key) };
            let home = self.position(self.nodes[at].as_key());
            if home == at {
                // The resident is at home: the newcomer goes to the free place, behind it.
                self.nodes[free].next = self.nodes[at].next;
                self.nodes[at].next = free as u32;
                at = free;
            } else {
                // The resident is a guest here: it moves out.
                let mut before = home;
                while self.nodes[before].next as usize != at {
                    before = self.nodes[before].next as usize;
                }
                self.nodes[before].next = free as u32;
                self.nodes[free] = std::mem::take(&mut self.nodes[at]);
                self.nodes[at].next = END;
            }
        }
        let node = &mut self.nodes[at];
        node.key = key.value.clone();
        node.identity = key.identity;
        &mut node.value
    }

    fn grow_for(&mut self, key: Key<'_>) -> &mut Value {
        self.rehash(key.value);
        if let Value::Num(n) = key.value
            && let Some(index) = array_index(*n)
            && index <= self.array.len()
        {
            return &mut self.array[index - 1];
        }
        self.insert(key)
    }

    fn take_free(&mut self) -> Option<usize> {
        while self.free > 0 {
            self.free -= 1;
            if self.nodes[self.free as usize].key.is_nil() {
                return Some(self.free as usize);
            }
        }
        None
    }

    /// Counts the integer keys and gives both parts the sizes that fit them and `extra`.
    fn rehash(&mut self, extra: &Value) {
        let mut counts = [0usize; BITS_MAX + 1];
        let mut integers = self.count_array(&mut counts);
        let mut total = integers;
        for node in self.nodes.iter().filter(|node| !node.value.is_nil()) {
            integers += count_integer(&node.key, &mut counts);
            total += 1;
        }
        integers += count_integer(extra, &mut counts);
        total += 1;
        let (array, in_array) = array_size(&counts, integers);
        self.resize(array, total - in_array);
    }

    fn count_array(&self, counts: &mut [usize; BITS_MAX + 1]) -> usize {
        let mut total = 0;
        let (mut from, mut to) = (1, 1);
        for count in counts.iter_mut() {
            let end = to.min(self.array.len());
            if from > end {
                break;
            }
            let used = self.array[from - 1..end].iter().filter(|value| !value.is_nil()).count();
            *count += used;
            total += used;
            (from, to) = (to + 1, to * 2);
        }
        total
    }

    /// Gives both parts new sizes and moves everything over, in PUC's order.
    pub fn resize(&mut self, array: usize, hash: usize) {
        let old = std::mem::take(&mut self.nodes);
        let mut slots = std::mem::take(&mut self.array).into_vec();
        let vanishing = slots.split_off(array.min(slots.len()));
        slots.reserve_exact(array - slots.len());
        slots.resize(array, Value::Nil);
        self.array = slots.into();
        self.set_nodes(hash);
        for (offset, value) in vanishing.into_iter().enumerate() {
            if !value.is_nil() {
                let key = Value::Num((array + offset + 1) as f64);
                self.put(Key { value: &key, identity: 0 }, value);
            }
        }
        for node in old.into_iter().rev() {
            if !node.value.is_nil() {
                self.put(node.as_key(), node.value.clone());
            }
        }
    }

    fn put(&mut self, key: Key<'_>, value: Value) {
        if !self.replace(key, &value) {
            *self.insert(key) = value;
        }
    }

    fn set_nodes(&mut self, size: usize) {
        let size = if size == 0 { 0 } else { size.next_power_of_two() };
        self.nodes = vec![Node { next: END, ..Node::default() }; size].into();
        self.free = size as u32;
    }

    /// Returns the number of places for entries, empty ones too.
    pub fn places(&self) -> usize {
        self.array.len() + self.nodes.len()
    }

    /// Returns `#`: the same border that PUC finds.
    pub fn length(&self) -> usize {
        let size = self.array.len();
        if size > 0 && self.array[size - 1].is_nil() {
            let (mut low, mut high) = (0, size);
            while high - low > 1 {
                let middle = (low + high) / 2;
                if self.array[middle - 1].is_nil() {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return low;
        }
        if self.nodes.is_empty() { size } else { self.unbound_length(size) }
    }

    fn unbound_length(&self, start: usize) -> usize {
        let present = |index: usize| self.get_int(index).is_some_and(|value| !value.is_nil());
        let (mut low, mut high) = (start, start + 1);
        while present(high) {
            low = high;
            high *= 2;
            if high > i32::MAX as usize {
                // Built to mislead: count one by one.
                return (1..).find(|&index| !present(index)).unwrap_or(1) - 1;
            }
        }
        while high - low > 1 {
            let middle = (low + high) / 2;
            if present(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the entry after `key` in traversal order: `Err` if the key was never here, `None` at
    /// the end; and how many empty places it has passed.
    #[allow(clippy::type_complexity)]
    pub fn next(&self, key: Key<'_>, empty: &mut usize) -> Result<Option<(Value, Value)>, ()> {
        let start = match key.value {
            Value::Nil => 0,
            _ => self.traversal_index(key)? + 1,
        };
        for at in start..self.array.len() {
            *empty = at - start;
            if !self.array[at].is_nil() {
                return Ok(Some((Value::Num((at + 1) as f64), self.array[at].clone())));
            }
        }
        let own = self.array.len() + self.nodes.len();
        for at in start.max(self.array.len())..own {
            let node = &self.nodes[at - self.array.len()];
            *empty = at - start;
            if !node.value.is_nil() {
                return Ok(Some((node.key.clone(), node.value.clone())));
            }
        }
        let Some(base) = &self.base else { return Ok(None) };
        Ok(base.nodes[start.max(own) - own..]
            .iter()
            .find(|node| !node.value.is_nil())
            .map(|node| (node.key.clone(), node.value.clone())))
    }

    fn traversal_index(&self, key: Key<'_>) -> Result<usize, ()> {
        if let Value::Num(n) = key.value
            && let Some(index) = array_index(*n)
            && index <= self.array.len()
        {
            return Ok(index - 1);
        }
        if let Some(at) = self.find(key) {
            return Ok(self.array.len() + at);
        }
        let base = self.base.as_ref().ok_or(())?;
        Ok(self.array.len() + self.nodes.len() + base.find(key).ok_or(())?)
    }

    /// Compares exactly, including what every later step can observe: the places of the keys, the
    /// free pointer.
    pub fn same(&self, other: &Self) -> bool {
        let bases = match (&self.base, &other.base) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        };
        let header = |t: &Self| (t.meta, t.identity, t.free, t.read_only);
        bases
            && header(self) == header(other)
            && self.array.len() == other.array.len()
            && self.nodes.len() == other.nodes.len()
            && self.array.iter().zip(&other.array).all(|(a, b)| a.same(b))
            && self.nodes.iter().zip(&other.nodes).all(|(a, b)| {
                a.next == b.next
                    && a.identity == b.identity
                    && a.key.same(&b.key)
                    && a.value.same(&b.value)
            })
    }

    /// Returns the fields of the table that are not values, for the fingerprint.
    pub fn header(&self) -> [u32; 4] {
        [self.meta, self.identity, self.free, u32::from(self.read_only)]
    }
}

/// Counts an integer key into its power-of-two class.
fn count_integer(key: &Value, counts: &mut [usize; BITS_MAX + 1]) -> usize {
    let Value::Num(n) = key else { return 0 };
    match array_index(*n) {
        Some(index) if index <= 1 << BITS_MAX => {
            counts[ceil_log2(index)] += 1;
            1
        }
        _ => 0,
    }
}

fn ceil_log2(n: usize) -> usize {
    (usize::BITS - (n - 1).leading_zeros()) as usize
}

/// Returns the largest power of two of which more than half would be used, and the number of
/// integer keys within it.
fn array_size(counts: &[usize; BITS_MAX + 1], integers: usize) -> (usize, usize) {
    let (mut size, mut inside, mut seen, mut power) = (0, 0, 0, 1);
    for &count in counts {
        if power / 2 >= integers {
            break;
        }
        if count > 0 {
            seen += count;
            if seen > power / 2 {
                (size, inside) = (power, seen);
            }
        }
        if seen == integers {
            break;
        }
        power *= 2;
    }
    (size, inside)
}
