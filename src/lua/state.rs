//! The state of a program: its heap, its stacks, and the operations on them.
//!
//! Everything that a suspended program consists of is here, as plain data. Heap objects live in
//! arenas and are named by index. Tables and functions are behind reference counts, so copying a
//! state copies pointers, and a table is copied when it is first written. Objects are numbered by
//! reachability (see [`gc`](super::gc)), so equal programs hold equal arenas.

use std::rc::Rc;

use super::Limits;
use super::opcode::Proto;
use super::prelude::Prelude;
use super::table::{Key, NO_META, Table};
use super::value::{FuncId, Str, TableId, ThreadId, Value};

/// The arena index of the globals; the library's tables follow.
pub(super) const GLOBALS: TableId = 0;
/// The arena index of the metatable that strings share.
pub(super) const STRING_META: TableId = 1;
/// The number of registers in a frame's window, whatever it uses: one-byte indices need no check.
pub(super) const WINDOW: usize = 256;
/// The most stack slots of one thread.
const SLOTS_MAX: usize = 1_000_000;

/// The value that a call throws: any Lua value.
pub(super) type Thrown = Value;

/// A function in the heap.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub body: Body,
    pub env: TableId,
    pub identity: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Body {
    Lua {
        proto: Rc<Proto>,
        upvals: Box<[u32]>,
    },
    /// The iterator that `string.gmatch` returns.
    Gmatch {
        text: Str,
        pattern: Str,
        at: u32,
    },
    /// The function that `coroutine.wrap` returns.
    Wrap(ThreadId),
}

/// A variable shared between closures: on its stack while in scope, here afterwards.
#[derive(Clone, Debug)]
pub(super) enum Upval {
    Open { thread: ThreadId, slot: u32 },
    Closed(Value),
}

/// The kind of function that a frame belongs to.
#[derive(Clone, Debug)]
pub(super) enum FrameKind {
    Lua,
    Pcall,
    /// A protected call; the error handler is in the first slot after the function.
    Xpcall,
    /// An error handler in progress; its result is the error.
    Handler,
    /// Awaits the answer of a host function.
    Host(u16),
    /// A guard (see [`super::Profile`]): its host function, and its progress.
    Guard(u16, super::library::guard::Phase),
    /// Awaits the coroutine it resumed; `true` for one made by `wrap`.
    Resume(bool),
    /// A coroutine that has yielded.
    Yield,
    /// Passes on at most this number of results of the function it called.
    Forward(i32),
    Sort(Box<super::library::sort::Sort>),
    Gsub(Box<super::library::gsub::Gsub>),
    /// `table.foreach` (from the key it holds) or `foreachi` (from the index).
    Foreach(Box<Value>),
    /// `load`, with the pieces gathered so far.
    #[allow(clippy::box_collection)] // Boxed to keep frames small.
    Load(Box<Vec<u8>>),
}

/// One activation.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The stack slot of the function; results go from here up.
    pub func: u32,
    /// The slot of the first register.
    pub base: u32,
    /// The index of the next instruction.
    pub pc: u32,
    /// The number of results wanted, or -1 for all.
    pub results: i32,
    pub tail_calls: u32,
    /// True if the call replaces an operation of the frame below: see `finish_op`.
    pub meta: bool,
    pub kind: FrameKind,
}

impl Frame {
    pub fn is_lua(&self) -> bool {
        matches!(self.kind, FrameKind::Lua)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) enum Status {
    Suspended,
    Running,
    /// It has resumed another thread.
    Normal,
    Dead,
}

/// A thread that is not running: its own stack and frames.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub stack: Vec<Value>,
    pub frames: Vec<Frame>,
    pub top: usize,
    pub open: Vec<u32>,
    pub status: Status,
    /// The thread that resumed it.
    pub parent: ThreadId,
    pub identity: u32,
}

impl Thread {
    pub fn new(status: Status) -> Self {
        Self {
            stack: Vec::new(),
            frames: Vec::new(),
            top: 0,
            open: Vec::new(),
            status,
            parent: 0,
            identity: 0,
        }
    }
}

/// A program's whole state.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The stack of the running thread.
    pub stack: Vec<Value>,
    pub frames: Vec<Frame>,
    /// The end of the values just passed or returned.
    pub top: usize,
    /// The open upvalues by slot, lowest first.
    pub open: Vec<u32>,
    pub tables: Vec<Rc<Table>>,
    pub funcs: Vec<Rc<Function>>,
    pub upvals: Vec<Upval>,
    /// Empty until the first coroutine; then the main thread is number 0. The running thread's
    /// entry is a placeholder.
    pub threads: Vec<Thread>,
    pub current: ThreadId,
    pub prelude: Rc<Prelude>,
    pub limits: Limits,
    pub phase: Phase,
    /// The number for the next object that is hashed or printed.
    pub identity_next: u32,
    /// `cjson`'s settings.
    pub json: Rc<super::library::cjson::Config>,
    /// The state of `math.random`.
    pub random: u64,
    /// True if the program has seeded it.
    pub is_seeded: bool,
    /// True if the program has drawn numbers without seeding.
    pub has_drawn: bool,
    /// The fuel left for the present run; negative if a library call cost more than there was. Not
    /// part of the state's identity.
    pub fuel: i64,
    /// The bytes allocated since the last collection, and the number at which the next one is due.
    /// Not part of the state's identity.
    pub allocated: usize,
    pub collect_at: usize,
    /// The host's answer, if it is an error: it is raised when the program continues.
    pub thrown: Option<Value>,
    /// True if pauses do not clear unused values.
    pub keeps_waste: bool,
}

/// The phase of a program's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) enum Phase {
    Ready,
    /// Paused at a host function.
    Waiting,
    Finished,
}

impl State {
    // Tables.

    #[inline]
    pub fn table(&self, id: TableId) -> &Table {
        &self.tables[id as usize]
    }

    #[inline]
    pub fn table_mut(&mut self, id: TableId) -> &mut Table {
        Rc::make_mut(&mut self.tables[id as usize])
    }

    pub fn new_table(&mut self, table: Table) -> Value {
        self.allocated += table.size();
        self.tables.push(Rc::new(table));
        Value::Table(self.tables.len() as TableId - 1)
    }

    pub fn new_function(&mut self, function: Function) -> Value {
        self.allocated += 64;
        self.funcs.push(Rc::new(function));
        Value::Func(self.funcs.len() as FuncId - 1)
    }

    /// Returns the number by which a reference is hashed and printed, assigned at its first use.
    pub fn identity(&mut self, value: &Value) -> u32 {
        let known = self.known_identity(value);
        if known != 0 || !matches!(value, Value::Table(_) | Value::Func(_) | Value::Thread(_)) {
            return known;
        }
        let fresh = self.identity_next;
        self.identity_next += 1;
        match value {
            Value::Table(id) => self.table_mut(*id).identity = fresh,
            Value::Func(id) => Rc::make_mut(&mut self.funcs[*id as usize]).identity = fresh,
            Value::Thread(id) => {
                self.main_thread_entry();
                self.threads[*id as usize].identity = fresh;
            }
            _ => {}
        }
        fresh
    }

    /// The same, but 0 if it has none yet.
    pub fn known_identity(&self, value: &Value) -> u32 {
        match value {
            Value::Table(id) => self.table(*id).identity,
            Value::Func(id) => self.funcs[*id as usize].identity,
            Value::Thread(id) => self.threads.get(*id as usize).map_or(0, |t| t.identity),
            Value::Native(id) => id.0.into(),
            Value::Host(id) | Value::Object(id) => u32::from(*id) + 1,
            Value::Null => 1,
            _ => 0,
        }
    }

    /// Returns `t[key]` without metamethods; nil if absent.
    pub fn raw_get(&self, id: TableId, key: &Value) -> Value {
        let key = Key { value: key, identity: self.known_identity(key) };
        self.table(id).get(key).cloned().unwrap_or_default()
    }

    pub fn raw_get_str(&self, id: TableId, key: &Str) -> Value {
        self.table(id).get_str(key).cloned().unwrap_or_default()
    }

    /// Assigns `t[key] = value` without metamethods. The error has no position.
    pub fn raw_set(&mut self, id: TableId, key: &Value, value: Value) -> Result<(), &'static str> {
        match key {
            Value::Nil => return Err("table index is nil"),
            Value::Num(n) if n.is_nan() => return Err("table index is NaN"),
            _ => {}
        }
        if self.table(id).read_only {
            return Err("Attempt to modify a readonly table");
        }
        let identity = self.identity(key);
        let key = Key { value: key, identity };
        let table = Rc::make_mut(&mut self.tables[id as usize]);
        if table.base.is_none() && table.replace(key, &value) {
            return Ok(());
        }
        let before = table.size();
        table.set(key, value);
        self.allocated += table.size().saturating_sub(before);
        Ok(())
    }

    /// Returns the entry after `key`; `Err` if the key was never here, `None` at the end.
    #[allow(clippy::type_complexity)]
    pub fn next(&mut self, id: TableId, key: &Value) -> Result<Option<(Value, Value)>, ()> {
        self.reads_value(key);
        let mut empty = 0;
        let place = Key { value: key, identity: self.known_identity(key) };
        let found = self.table(id).next(place, &mut empty);
        self.reads(empty);
        found
    }

    pub fn raw_get_int(&self, id: TableId, key: usize) -> Value {
        self.table(id).get_int(key).cloned().unwrap_or_default()
    }

    // Metatables.

    pub fn metatable(&self, value: &Value) -> Option<TableId> {
        match value {
            Value::Table(id) => Some(self.table(*id).meta).filter(|&meta| meta != NO_META),
            Value::Str(_) => Some(STRING_META),
            _ => None,
        }
    }

    /// Returns the metamethod of `value` for `event`; nil if it has none.
    pub fn metamethod(&self, value: &Value, event: Event) -> Value {
        if let (Value::Object(host), Event::Index | Event::NewIndex) = (value, event) {
            return Value::Host(*host);
        }
        match self.metatable(value) {
            Some(meta) => self.raw_get_str(meta, self.prelude.event(event)),
            None => Value::Nil,
        }
    }

    // Upvalues.

    #[inline]
    pub fn upval(&self, id: u32) -> &Value {
        match &self.upvals[id as usize] {
            Upval::Closed(value) => value,
            Upval::Open { thread, slot } if *thread == self.current => &self.stack[*slot as usize],
            Upval::Open { thread, slot } => &self.threads[*thread as usize].stack[*slot as usize],
        }
    }

    #[inline]
    pub fn set_upval(&mut self, id: u32, value: Value) {
        let (thread, slot) = match &mut self.upvals[id as usize] {
            Upval::Closed(place) => {
                *place = value;
                return;
            }
            Upval::Open { thread, slot } => (*thread, *slot as usize),
        };
        if thread == self.current {
            self.stack[slot] = value;
        } else {
            self.threads[thread as usize].stack[slot] = value;
        }
    }

    /// Returns the upvalue open at `slot`, created if there is none.
    pub fn find_upval(&mut self, slot: u32) -> u32 {
        let slot_of = |id: &u32| match self.upvals[*id as usize] {
            Upval::Open { slot, .. } => slot,
            Upval::Closed(_) => 0,
        };
        match self.open.binary_search_by_key(&slot, slot_of) {
            Ok(at) => self.open[at],
            Err(at) => {
                let id = self.upvals.len() as u32;
                self.upvals.push(Upval::Open { thread: self.current, slot });
                self.allocated += 32;
                self.open.insert(at, id);
                id
            }
        }
    }

    /// Closes every upvalue open at `slot` or above.
    pub fn close_upvals(&mut self, slot: usize) {
        while let Some(&id) = self.open.last() {
            let Upval::Open { slot: at, .. } = self.upvals[id as usize] else { break };
            if (at as usize) < slot {
                break;
            }
            self.upvals[id as usize] = Upval::Closed(self.stack[at as usize].clone());
            self.open.pop();
        }
    }

    // The stack.

    /// Extends the stack to `slots`.
    pub fn ensure(&mut self, slots: usize) {
        if self.stack.len() < slots {
            self.stack.resize(slots + WINDOW, Value::Nil);
        }
    }

    /// Extends the stack to `slots`; false if that is beyond the bound.
    pub fn reserve_slots(&mut self, slots: usize) -> bool {
        let fits = slots <= SLOTS_MAX;
        if fits {
            self.ensure(slots);
        }
        fits
    }

    pub fn push(&mut self, value: Value) {
        let top = self.top;
        if top >= self.stack.len() {
            self.ensure(top + 1);
        }
        self.stack[top] = value;
        self.top += 1;
    }

    /// Gives the main thread its entry, before the first coroutine gets one.
    pub fn main_thread_entry(&mut self) {
        if self.threads.is_empty() {
            self.threads.push(Thread::new(Status::Running));
        }
    }

    /// Creates a string at run time, and counts its bytes.
    pub fn new_str(&mut self, bytes: &[u8]) -> Value {
        self.reads(bytes.len());
        self.allocated += 48 + bytes.len();
        Value::str(bytes)
    }

    /// Subtracts `cost` from the fuel.
    pub fn spend(&mut self, cost: usize) {
        self.fuel = self.fuel.saturating_sub_unsigned(cost as u64);
    }

    /// Charges for looking at `length` bytes or elements, if they are many.
    #[inline]
    pub fn reads(&mut self, length: usize) {
        self.spend(cost_of(length));
    }

    /// Charges for an operand that is parsed as a number, if that takes more than a few digits.
    pub fn parses(&mut self, value: &Value) {
        if let Value::Str(text) = value {
            let has_power = || text.as_bytes().iter().any(|c| matches!(c, b'e' | b'E'));
            if text.len() >= LONG_NUMBER || has_power() {
                self.spend(text.len().max(LONG_NUMBER));
            }
        }
    }

    /// Charges for a key or an error message.
    pub fn reads_value(&mut self, value: &Value) {
        if let Value::Str(text) = value {
            self.reads(text.len());
        }
    }

    /// Charges for the comparison of two values.
    pub fn compares(&mut self, x: &Value, y: &Value) {
        if let (Value::Str(x), Value::Str(y)) = (x, y) {
            self.reads(x.len().min(y.len()));
        }
    }
}

/// The length from which the text of a number is charged by its bytes, and the least charge.
const LONG_NUMBER: usize = 40;

/// The fuel for looking at `length` bytes or elements. What is short is part of its instruction.
#[inline]
pub(super) fn cost_of(length: usize) -> usize {
    length / 1024 * 16
}

macro_rules! events {
    ($($name:ident $text:literal),* $(,)?) => {
        /// An operation that a metatable may define.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Event { $($name),* }
        pub(super) const EVENTS: &[&str] = &[$($text),*];
    };
}

events! {
    Index "__index", NewIndex "__newindex", Call "__call", Add "__add", Sub "__sub",
    Mul "__mul", Div "__div", Mod "__mod", Pow "__pow", Unm "__unm", Concat "__concat",
    Eq "__eq", Lt "__lt", Le "__le", ToString "__tostring", Metatable "__metatable",
    Mode "__mode",
}
