//! Garbage collection, which also brings the heap into a canonical form.
//!
//! Live objects are numbered in the order in which a fixed walk from the roots meets them, and the
//! arenas are rebuilt in that order. So two programs in the same state hold the same arenas,
//! whatever they allocated before, and exact equality is comparison of plain data. Mostly nothing
//! has moved, and only the walk is needed.
//!
//! The positions of keys inside a table are not normalised: `pairs` shows them.
//!
//! PUC's collector also forgets removed string keys, which moves them if they are set again. When
//! that happens depends on the collector's pace, so here removed keys stay until the table grows.

use std::collections::HashSet;
use std::rc::Rc;

use super::state::{Body, Event, Frame, FrameKind, State, Thread, Thrown, Upval};
use super::table::{NO_META, Table};
use super::value::{TableId, Value};

const NONE: u32 = u32::MAX;
/// The least allocation between collections, in bytes.
const PAUSE: usize = 1 << 20;
/// Replaces a dead key whose object is gone.
const TOMBSTONE: Value = Value::Thread(u32::MAX);

/// The new numbers of one arena's objects: by old number, and in order.
struct Arena {
    number: Vec<u32>,
    order: Vec<u32>,
}

impl Arena {
    fn new(len: usize) -> Self {
        Self { number: vec![NONE; len], order: Vec::with_capacity(len) }
    }

    fn mark(&mut self, id: u32) {
        if let Some(number) = self.number.get_mut(id as usize)
            && *number == NONE
        {
            *number = self.order.len() as u32;
            self.order.push(id);
        }
    }

    fn is_marked(&self, id: u32) -> bool {
        self.number.get(id as usize).is_none_or(|&number| number != NONE)
    }

    fn moved(&self) -> bool {
        self.order.iter().enumerate().any(|(new, &old)| new as u32 != old)
    }
}

struct Walk<'a> {
    state: &'a State,
    tables: Arena,
    funcs: Arena,
    upvals: Arena,
    threads: Arena,
    /// The tables with weak keys or weak values.
    weak: Vec<(TableId, bool, bool)>,
    /// The tables with a dead key that is a reference.
    dead_keys: Vec<TableId>,
    strings: Option<HashSet<usize>>,
    bytes: usize,
    identity: u32,
}

impl State {
    /// Collects in the middle of a run; the error says that too much is alive.
    pub fn collect(&mut self) -> Result<(), Thrown> {
        let limit = self.frame_limit();
        self.stack.truncate(limit);
        let live = self.compact(true);
        // It walks all that is alive. A program that only hoards would else take many times as long
        // as one that counts.
        self.spend(live / 16);
        if live > self.limits.memory as usize {
            return Err(Value::str(b"not enough memory"));
        }
        Ok(())
    }

    /// Brings a paused program into canonical form: nothing dead on the stacks, arenas in order.
    pub fn settle(&mut self) {
        self.drop_dead_slots();
        self.compact(false);
    }

    /// Shortens the stacks of a paused program to the live slots.
    pub fn drop_dead_slots(&mut self) {
        let live = |frames: &[Frame], top: usize| {
            frames.last().map_or(top, |frame| match frame.kind {
                FrameKind::Host(_) | FrameKind::Yield | FrameKind::Resume(_) => {
                    frame.func as usize + 1
                }
                _ => usize::MAX,
            })
        };
        let limit = live(&self.frames, self.top).min(self.frame_limit());
        self.stack.truncate(limit);
        self.top = limit.min(self.stack.len());
        for thread in &mut self.threads {
            let limit = live(&thread.frames, thread.top).min(thread.stack.len());
            thread.stack.truncate(limit);
            thread.top = limit;
        }
    }

    /// Renumbers live objects and drops the rest; returns the live bytes.
    fn compact(&mut self, count_strings: bool) -> usize {
        let mut walk = Walk {
            state: self,
            tables: Arena::new(self.tables.len()),
            funcs: Arena::new(self.funcs.len()),
            upvals: Arena::new(self.upvals.len()),
            threads: Arena::new(self.threads.len()),
            weak: Vec::new(),
            dead_keys: Vec::new(),
            strings: count_strings.then(HashSet::new),
            bytes: 0,
            identity: 0,
        };
        walk.run();
        let Walk { tables, funcs, upvals, threads, weak, dead_keys, bytes, identity, .. } = walk;
        let marks = Marks { tables, funcs, upvals, threads };
        for (id, keys, values) in weak {
            self.clear_weak(id, keys, values, &marks);
        }
        for id in dead_keys {
            self.bury(id, &marks);
        }
        self.rebuild(&marks);
        self.identity_next = identity + 1;
        self.allocated = bytes;
        self.collect_at = (bytes * 2).max(PAUSE);
        bytes
    }

    fn clear_weak(&mut self, id: TableId, keys: bool, values: bool, marks: &Marks) {
        let dead = |value: &Value| !marks.is_marked(value);
        let table = self.table_mut(id);
        for value in &mut table.array {
            if values && dead(value) {
                *value = Value::Nil;
            }
        }
        for node in &mut table.nodes {
            if keys && dead(&node.key) || values && dead(&node.value) {
                node.value = Value::Nil;
            }
            if node.value.is_nil() && dead(&node.key) {
                node.key = TOMBSTONE;
            }
        }
    }

    /// Replaces the dead keys of a table whose objects are gone.
    fn bury(&mut self, id: TableId, marks: &Marks) {
        for node in &mut self.table_mut(id).nodes {
            if node.value.is_nil() && !marks.is_marked(&node.key) {
                node.key = TOMBSTONE;
            }
        }
    }

    fn rebuild(&mut self, marks: &Marks) {
        if !marks.moved() {
            self.tables.truncate(marks.tables.order.len());
            self.funcs.truncate(marks.funcs.order.len());
            self.upvals.truncate(marks.upvals.order.len());
            self.threads.truncate(marks.threads.order.len());
            self.open
                .retain(|id| marks.upvals.is_marked(*id) && (*id as usize) < self.upvals.len());
            for thread in &mut self.threads {
                thread.open.retain(|id| (*id as usize) < self.upvals.len());
            }
            return;
        }
        self.tables = pick(&self.tables, &marks.tables);
        self.funcs = pick(&self.funcs, &marks.funcs);
        self.upvals = pick(&self.upvals, &marks.upvals);
        self.threads = pick(&self.threads, &marks.threads);
        for table in &mut self.tables {
            marks.renumber_table(table);
        }
        for function in &mut self.funcs {
            let function = Rc::make_mut(function);
            function.env = marks.tables.number[function.env as usize];
            match &mut function.body {
                Body::Lua { upvals, .. } => {
                    for id in upvals {
                        *id = marks.upvals.number[*id as usize];
                    }
                }
                Body::Wrap(id) => *id = marks.threads.number[*id as usize],
                Body::Gmatch { .. } => {}
            }
        }
        for upval in &mut self.upvals {
            match upval {
                Upval::Closed(value) => marks.renumber(value),
                Upval::Open { thread, .. } => *thread = marks.thread(*thread),
            }
        }
        let threads = &mut self.threads;
        for Thread { stack, frames, open, parent, .. } in threads {
            marks.renumber_stack(stack, frames, open);
            *parent = marks.thread(*parent);
        }
        marks.renumber_stack(&mut self.stack, &mut self.frames, &mut self.open);
        self.current = marks.thread(self.current);
        if let Some(value) = &mut self.thrown {
            marks.renumber(value);
        }
    }
}

fn pick<T: Clone>(arena: &[T], marks: &Arena) -> Vec<T> {
    marks.order.iter().map(|&old| arena[old as usize].clone()).collect()
}

struct Marks {
    tables: Arena,
    funcs: Arena,
    upvals: Arena,
    threads: Arena,
}

impl Marks {
    fn moved(&self) -> bool {
        self.tables.moved() || self.funcs.moved() || self.upvals.moved() || self.threads.moved()
    }

    /// Returns true if a value survives the collection.
    fn is_marked(&self, value: &Value) -> bool {
        match value {
            Value::Table(id) => self.tables.is_marked(*id),
            Value::Func(id) => self.funcs.is_marked(*id),
            Value::Thread(id) => self.threads.is_marked(*id),
            _ => true,
        }
    }

    fn thread(&self, id: u32) -> u32 {
        self.threads.number.get(id as usize).copied().unwrap_or(id)
    }

    fn renumber(&self, value: &mut Value) {
        let (arena, id) = match value {
            Value::Table(id) => (&self.tables, id),
            Value::Func(id) => (&self.funcs, id),
            Value::Thread(id) => (&self.threads, id),
            _ => return,
        };
        if let Some(&number) = arena.number.get(*id as usize) {
            *id = number;
        }
    }

    fn changes(&self, value: &Value) -> bool {
        let mut copy = value.clone();
        self.renumber(&mut copy);
        !copy.same(value)
    }

    fn renumber_table(&self, table: &mut Rc<Table>) {
        let meta = table.meta != NO_META && self.tables.number[table.meta as usize] != table.meta;
        let changes = meta
            || table.array.iter().any(|value| self.changes(value))
            || table.nodes.iter().any(|n| self.changes(&n.key) || self.changes(&n.value));
        if !changes {
            return;
        }
        let table = Rc::make_mut(table);
        if meta {
            table.meta = self.tables.number[table.meta as usize];
        }
        table.array.iter_mut().for_each(|value| self.renumber(value));
        for node in &mut table.nodes {
            self.renumber(&mut node.key);
            self.renumber(&mut node.value);
        }
    }

    fn renumber_stack(&self, stack: &mut [Value], frames: &mut [Frame], open: &mut Vec<u32>) {
        stack.iter_mut().for_each(|value| self.renumber(value));
        for frame in frames {
            for value in frame.kind.values_mut() {
                self.renumber(value);
            }
        }
        open.retain(|id| self.upvals.is_marked(*id));
        for id in open {
            *id = self.upvals.number[*id as usize];
        }
    }
}

impl FrameKind {
    /// Returns the values that a frame holds outside of the stack.
    fn values(&self) -> &[Value] {
        match self {
            Self::Foreach(key) => std::slice::from_ref(key),
            Self::Sort(sort) => &sort.held,
            _ => &[],
        }
    }

    fn values_mut(&mut self) -> &mut [Value] {
        match self {
            Self::Foreach(key) => std::slice::from_mut(key),
            Self::Sort(sort) => &mut sort.held,
            _ => &mut [],
        }
    }
}

impl Walk<'_> {
    fn run(&mut self) {
        let state = self.state;
        for id in 0..state.prelude.tables.len() {
            self.tables.mark(id as u32);
        }
        if !state.threads.is_empty() {
            self.threads.mark(0);
            self.threads.mark(state.current);
        }
        self.stack(&state.stack, &state.frames);
        if let Some(value) = &state.thrown {
            self.value(value);
        }
        let (mut tables, mut funcs, mut upvals, mut threads) = (0, 0, 0, 0);
        loop {
            if let Some(&id) = self.tables.order.get(tables) {
                tables += 1;
                self.table(id);
            } else if let Some(&id) = self.funcs.order.get(funcs) {
                funcs += 1;
                self.function(id);
            } else if let Some(&id) = self.upvals.order.get(upvals) {
                upvals += 1;
                self.bytes += 32;
                match &state.upvals[id as usize] {
                    Upval::Closed(value) => self.value(value),
                    Upval::Open { thread, .. } => self.threads.mark(*thread),
                }
            } else if let Some(&id) = self.threads.order.get(threads) {
                threads += 1;
                let thread = &state.threads[id as usize];
                self.identity = self.identity.max(thread.identity);
                self.threads.mark(thread.parent);
                self.stack(&thread.stack, &thread.frames);
            } else {
                break;
            }
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Table(id) => self.tables.mark(*id),
            Value::Func(id) => self.funcs.mark(*id),
            Value::Thread(id) => self.threads.mark(*id),
            Value::Str(s) => match &mut self.strings {
                Some(seen) if s.len() > 64 => {
                    if seen.insert(s.address()) {
                        self.bytes += 48 + s.len();
                    }
                }
                _ => self.bytes += 48 + s.len(),
            },
            _ => {}
        }
    }

    fn stack(&mut self, stack: &[Value], frames: &[Frame]) {
        self.bytes += stack.len() * 16 + frames.len() * 48;
        for value in stack {
            self.value(value);
        }
        for frame in frames {
            for value in frame.kind.values() {
                self.value(value);
            }
        }
    }

    fn function(&mut self, id: u32) {
        let function = &self.state.funcs[id as usize];
        self.bytes += 64;
        self.identity = self.identity.max(function.identity);
        self.tables.mark(function.env);
        match &function.body {
            Body::Lua { upvals, .. } => {
                for &id in upvals {
                    self.upvals.mark(id);
                }
            }
            Body::Wrap(id) => self.threads.mark(*id),
            Body::Gmatch { .. } => {}
        }
    }

    fn table(&mut self, id: TableId) {
        let state = self.state;
        let shared = &state.tables[id as usize];
        if state.prelude.holds(id as usize, shared) {
            return;
        }
        let table: &Table = shared;
        self.bytes += table.size();
        self.identity = self.identity.max(table.identity);
        let (mut weak_keys, mut weak_values) = (false, false);
        if table.meta != NO_META {
            self.tables.mark(table.meta);
            if let Value::Str(mode) = state.metamethod(&Value::Table(id), Event::Mode) {
                weak_keys = mode.as_bytes().contains(&b'k');
                weak_values = mode.as_bytes().contains(&b'v');
            }
            if weak_keys || weak_values {
                self.weak.push((id, weak_keys, weak_values));
            }
        }
        if !weak_values {
            for value in &table.array {
                self.value(value);
            }
        }
        let mut dead = false;
        for node in &table.nodes {
            if node.value.is_nil() {
                dead |= matches!(node.key, Value::Table(_) | Value::Func(_) | Value::Thread(_));
                continue;
            }
            if !weak_keys {
                self.value(&node.key);
            }
            if !weak_values {
                self.value(&node.value);
            }
        }
        if dead {
            self.dead_keys.push(id);
        }
    }
}
