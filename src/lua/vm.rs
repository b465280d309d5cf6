//! A program from its host's side: run, answer, inspect, clone, compare, hash.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;
use std::rc::Rc;

use super::call::Uncaught;
use super::exec::Stop;
use super::memo::Ways;
use super::prelude::prelude;
use super::state::{
    Body, Frame, FrameKind, Function, GLOBALS, Phase, State, Status, Thread, Upval,
};
use super::table::Table;
use super::value::Value;
use super::{Chunk, Data, Limits, Profile, ProfileKind, Trace};

/// A program at some point of its run.
#[derive(Clone, Debug)]
pub struct Vm {
    inner: Rc<Inner>,
}

#[derive(Debug)]
struct Inner {
    state: State,
    /// The fingerprint, computed at the first use.
    fingerprint: Cell<Option<NonZeroU64>>,
    /// The remembered edges from this very state; see [`super::memo`].
    ways: RefCell<Option<Rc<Ways>>>,
}

/// Clones a state that is about to be changed.
impl Clone for Inner {
    fn clone(&self) -> Inner {
        Inner::new(self.state.clone())
    }
}

impl Inner {
    fn new(state: State) -> Inner {
        Inner { state, fingerprint: Cell::new(None), ways: RefCell::new(None) }
    }
}

/// The reason why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Pause {
    /// A host function was called; pass its result to [`Vm::answer`], then run again.
    Call {
        /// The index into [`Profile::host`].
        host: usize,
        args: Vec<Data>,
    },
    /// The chunk has returned.
    Done(Vec<Data>),
    /// An uncaught error.
    Failed(Failure),
    /// The fuel is used up; run again with more.
    OutOfFuel,
}

/// An error that ended a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The value that was thrown.
    pub value: Data,
    /// The name of the chunk in which it happened, with PUC's mark: "@user_script".
    pub origin: Option<String>,
    /// The line, in the innermost Lua function.
    pub line: Option<u32>,
    /// The message, with the position if the program gave one.
    pub message: Vec<u8>,
}

impl Vm {
    /// Creates a program at its first line.
    pub fn new(chunk: &Rc<Chunk>, profile: &'static Profile, limits: Limits) -> Self {
        let prelude = prelude(profile);
        let state = State {
            stack: Vec::new(),
            frames: Vec::new(),
            top: 0,
            open: Vec::new(),
            tables: prelude.tables.clone(),
            funcs: Vec::new(),
            upvals: Vec::new(),
            threads: Vec::new(),
            current: 0,
            json: prelude.json.clone(),
            prelude,
            limits,
            phase: Phase::Ready,
            identity_next: 1,
            random: super::library::RANDOM_START,
            is_seeded: false,
            has_drawn: false,
            fuel: 0,
            allocated: 0,
            collect_at: 1 << 20,
            thrown: None,
            keeps_waste: false,
        };
        let mut vm = Self { inner: Rc::new(Inner::new(state)) };
        vm.begin(chunk);
        vm
    }

    /// Starts another chunk with the same globals. The present run is abandoned.
    pub fn begin(&mut self, chunk: &Rc<Chunk>) {
        let state = self.state_mut();
        if state.current != 0 {
            state.switch_to(0);
        }
        state.close_upvals(0);
        state.frames.clear();
        state.stack.clear();
        state.thrown = None;
        let body = Body::Lua { proto: chunk.proto.clone(), upvals: Box::new([]) };
        let function = state.new_function(Function { body, env: GLOBALS, identity: 0 });
        state.top = 0;
        state.push(function);
        // A main function has no parameters and depth is 0: this cannot fail.
        let _ = state.call(0, 0, -1, false);
        state.phase = Phase::Ready;
    }

    pub(super) fn state(&self) -> &State {
        &self.inner.state
    }

    pub(super) fn state_mut(&mut self) -> &mut State {
        let inner = Rc::make_mut(&mut self.inner);
        inner.fingerprint.set(None);
        *inner.ways.get_mut() = None;
        &mut inner.state
    }

    /// Returns the remembered edges.
    pub(super) fn ways(&self) -> Option<Rc<Ways>> {
        self.inner.ways.borrow().clone()
    }

    /// Makes this state a place of the memo: it is not changed any more, and its next run is
    /// remembered.
    pub(super) fn remember(&mut self) {
        self.state_mut().drop_dead_slots();
        self.inner.ways.replace(Some(Rc::default()));
    }

    pub(super) fn forget_ways(&self) {
        self.inner.ways.replace(None);
    }

    /// Sets a global variable, protected or not.
    pub fn set_global(&mut self, name: &str, value: &Data) {
        self.set_in(GLOBALS, name, value);
    }

    /// Sets a field of a library, protected or not.
    pub fn set_field(&mut self, library: &str, name: &str, value: &Data) {
        let library = self.state().raw_get(GLOBALS, &Value::str(library.as_bytes()));
        if let Value::Table(id) = library {
            self.set_in(id, name, value);
        }
    }

    /// Gives a global variable a second name.
    pub fn alias(&mut self, name: &str, second: &str) {
        let value = self.state().raw_get(GLOBALS, &Value::str(name.as_bytes()));
        self.put_in(GLOBALS, second, value);
    }

    fn set_in(&mut self, id: super::value::TableId, name: &str, value: &Data) {
        if let Ok(value) = self.state_mut().import(value) {
            self.put_in(id, name, value);
        }
    }

    fn put_in(&mut self, id: super::value::TableId, name: &str, value: Value) {
        let state = self.state_mut();
        let was_read_only = state.table(id).read_only;
        if was_read_only {
            state.table_mut(id).read_only = false;
        }
        // A string is always a good key.
        let _ = state.raw_set(id, &Value::str(name.as_bytes()), value);
        if was_read_only {
            state.table_mut(id).read_only = true;
        }
    }

    /// Returns the value of a global variable.
    pub fn global(&self, name: &str) -> Data {
        let state = self.state();
        state.export(&state.raw_get(GLOBALS, &Value::str(name.as_bytes())))
    }

    /// Estimates the bytes of a deep copy, for budgets and benchmarks. Strings and programs are
    /// shared and not counted.
    pub fn unshared_bytes(&self) -> usize {
        /// The size of the two counts of an `Rc`.
        const SHARED: usize = 2 * size_of::<usize>();
        let state = self.state();
        let arenas = state.tables.len() * size_of::<Rc<Table>>()
            + state.funcs.len() * size_of::<Rc<Function>>()
            + state.upvals.len() * size_of::<Upval>()
            + state.threads.len() * size_of::<Thread>()
            + state.open.len() * 4;
        let own = |(id, table): (usize, &Rc<Table>)| match state.prelude.holds(id, table) {
            true => 0,
            false => {
                let (array, nodes) = (table.array.as_ref(), table.nodes.as_ref());
                SHARED + size_of::<Table>() + size_of_val(array) + size_of_val(nodes)
            }
        };
        let tables: usize = state.tables.iter().enumerate().map(own).sum();
        let function = |function: &Rc<Function>| {
            let captured = match &function.body {
                Body::Lua { upvals, .. } => size_of_val(upvals.as_ref()),
                Body::Gmatch { .. } | Body::Wrap(_) => 0,
            };
            SHARED + size_of::<Function>() + captured
        };
        let functions: usize = state.funcs.iter().map(function).sum();
        let stacks = size_of_val(state.stack.as_slice()) + size_of_val(state.frames.as_slice());
        SHARED + size_of::<Inner>() + arenas + tables + functions + stacks
    }

    /// Returns the bytes that were alive when the program paused, strings included: an estimate for
    /// budgets.
    pub fn live_bytes(&self) -> usize {
        self.state().allocated
    }

    /// Marks a program that is never cloned or compared: it does not clear unused values at a
    /// pause, which is faster.
    pub fn keep_waste(&mut self) {
        self.state_mut().keeps_waste = true;
    }

    /// Returns the state of `math.random`. Redis has one for all scripts: pass it on to the next.
    pub fn random(&self) -> u64 {
        self.state().random
    }

    /// Returns true if it has drawn numbers at random before it called `math.randomseed`.
    pub fn has_drawn(&self) -> bool {
        self.state().has_drawn
    }

    /// Sets the state of `math.random`.
    pub fn set_random(&mut self, random: u64) {
        self.state_mut().random = random & ((1 << 48) - 1);
    }

    /// Runs until a host function is called, the end, an error, or the fuel is used up. `trace`
    /// records the lines and assignments.
    pub fn run(&mut self, fuel: &mut u64, trace: Option<&mut Trace>) -> Pause {
        let state = self.state_mut();
        if state.phase == Phase::Finished {
            return Pause::Done(Vec::new());
        }
        if state.phase == Phase::Waiting {
            // The host gave no answer: resume as if its function had returned nothing.
            state.answer(Ok(Vec::new()));
        }
        let end = match trace {
            None => {
                state.fuel = i64::try_from(*fuel).unwrap_or(i64::MAX);
                let end = state.drive();
                *fuel = state.fuel.max(0) as u64;
                end
            }
            Some(trace) => state.drive_traced(fuel, trace),
        };
        state.check_bounds();
        let pause = state.describe(end);
        if state.prelude.profile.kind == ProfileKind::Client
            && pause != Pause::OutOfFuel
            && !state.keeps_waste
        {
            state.settle();
        }
        pause
    }

    /// Sets the result of the host function at which the program is paused: values, or an error
    /// raised at the call.
    pub fn answer(&mut self, result: Result<Vec<Data>, Data>) {
        self.state_mut().answer(result);
    }

    /// Returns the line of the call at which the program is paused, or of the next instruction.
    /// `None` if it has finished.
    pub fn line(&self) -> Option<u32> {
        self.state().next_line()
    }

    /// Returns the position of the innermost call at which the program is paused: its line, and the
    /// index of its instruction in its function. `None` if it has finished.
    pub fn place(&self) -> Option<(u32, u32)> {
        self.state().place()
    }

    /// Returns true if the program has returned or failed.
    pub fn is_finished(&self) -> bool {
        self.state().phase == Phase::Finished
    }

    /// Returns true if a host function was called and not yet answered.
    pub fn is_waiting(&self) -> bool {
        self.state().phase == Phase::Waiting
    }

    /// Returns the activations with their variables, innermost first, including those of coroutines
    /// that wait for the running one.
    pub fn frames(&self) -> Vec<super::FrameView> {
        self.state().frame_views()
    }

    fn fingerprint(&self) -> u64 {
        if let Some(known) = self.inner.fingerprint.get() {
            let is_looked_at = known.get().is_multiple_of(1024);
            debug_assert!(!is_looked_at || known.get() == self.fresh(), "a change kept it");
            return known.get();
        }
        let fresh = self.fresh();
        self.inner.fingerprint.set(NonZeroU64::new(fresh));
        fresh
    }

    fn fresh(&self) -> u64 {
        let mut hasher = ground::hash::Fingerprinter::default();
        self.state().hash_into(&mut hasher);
        hasher.finish()
    }
}

impl PartialEq for Vm {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.inner, &other.inner)
            || (self.fingerprint() == other.fingerprint() && self.state().same(other.state()))
    }
}

impl Eq for Vm {}

impl Hash for Vm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.fingerprint());
    }
}

/// The reason why a drive ended.
pub(super) enum End {
    Host,
    Done,
    Failed(Uncaught),
    OutOfFuel,
}

impl State {
    /// Runs the frame on top, until the host is needed.
    pub fn drive(&mut self) -> End {
        if let Some(error) = self.thrown.take()
            && let Some(uncaught) = self.throw(error)
        {
            return End::Failed(uncaught);
        }
        loop {
            let step = match self.frames.last().map(|frame| &frame.kind) {
                None if self.current == 0 => return End::Done,
                None => {
                    let values = self.take_values(0);
                    self.stack.clear();
                    self.leave_coroutine(Status::Dead, values)
                }
                Some(FrameKind::Host(_)) => return End::Host,
                Some(FrameKind::Lua) => match self.exec() {
                    Ok(Stop::OutOfFuel) => return End::OutOfFuel,
                    Ok(Stop::Frames) => Ok(()),
                    Err(error) => Err(error),
                },
                Some(_) if self.fuel <= 0 => return End::OutOfFuel,
                Some(_) => {
                    self.fuel -= 1;
                    self.continue_native().map(drop)
                }
            };
            if let Err(error) = step
                && let Some(uncaught) = self.throw(error)
            {
                return End::Failed(uncaught);
            }
        }
    }

    /// A program that pauses has its stack and the innermost frames within their bounds.
    fn check_bounds(&self) {
        if cfg!(debug_assertions) {
            debug_assert!(self.top <= self.stack.len(), "the top lies beyond the stack");
            for pair in self.frames.windows(2).rev().take(4) {
                debug_assert!(pair[0].func < pair[1].func, "a frame lies below its caller");
            }
            for frame in self.frames.iter().rev().take(4) {
                let is_within = frame.func < frame.base || !frame.is_lua();
                debug_assert!(is_within, "the registers of a function lie below it");
            }
            let is_open = |id: &u32| matches!(self.upvals[*id as usize], Upval::Open { .. });
            debug_assert!(self.open.iter().all(is_open), "a closed variable is listed as open");
        }
    }

    fn describe(&mut self, end: End) -> Pause {
        match end {
            End::OutOfFuel => Pause::OutOfFuel,
            End::Host => {
                self.phase = Phase::Waiting;
                let Some(Frame { func, kind: FrameKind::Host(host), .. }) = self.frames.last()
                else {
                    return Pause::Done(Vec::new());
                };
                let (host, first) = (usize::from(*host), *func as usize + 1);
                let args = &self.stack[first..self.top.max(first)];
                Pause::Call { host, args: args.iter().map(|value| self.export(value)).collect() }
            }
            End::Done => {
                let values = &self.stack[..self.top];
                let values = values.iter().map(|value| self.export(value)).collect();
                self.finish();
                Pause::Done(values)
            }
            End::Failed(Uncaught { error, at }) => {
                let mut message = Vec::new();
                super::debug::push_text(&mut message, &error);
                if message.is_empty() && !matches!(error, Value::Str(_)) {
                    let text = format!("(error object is a {} value)", error.type_name());
                    message = text.into_bytes();
                }
                let (source, line) = at.unzip();
                let origin = source.map(|source| source.origin.to_string());
                let failure = Failure { value: self.export(&error), origin, line, message };
                self.finish();
                Pause::Failed(failure)
            }
        }
    }

    fn finish(&mut self) {
        self.phase = Phase::Finished;
        self.close_upvals(0);
        self.frames.clear();
        self.stack.clear();
        self.top = 0;
    }

    fn answer(&mut self, result: Result<Vec<Data>, Data>) {
        if self.phase != Phase::Waiting {
            return;
        }
        self.phase = Phase::Ready;
        let Some(frame) = self.frames.last() else { return };
        let is_host = matches!(frame.kind, FrameKind::Host(_));
        debug_assert!(is_host, "the answer is for a host function, and another frame is on top");
        let first = frame.func as usize + 1;
        self.top = first;
        let error = match result {
            Ok(values) => {
                let count = values.len();
                let mut error = None;
                for value in &values {
                    match self.import(value) {
                        Ok(value) => self.push(value),
                        Err(thrown) => error = Some(thrown),
                    }
                }
                error.or_else(|| self.return_from_frame(first, count).err())
            }
            Err(error) => {
                let error = self.import(&error).unwrap_or_default();
                self.frames.pop();
                Some(error)
            }
        };
        self.thrown = error;
    }

    /// Compares exactly everything that a program's future depends on.
    fn same(&self, other: &Self) -> bool {
        let header = |s: &Self| {
            (
                s.phase,
                s.current,
                s.identity_next,
                s.random,
                s.json.clone(),
                s.top,
                s.limits,
                s.thrown.is_some(),
            )
        };
        header(self) == header(other)
            && Rc::ptr_eq(&self.prelude, &other.prelude)
            && same_values(&self.stack, &other.stack)
            && same_frames(self, other)
            && self.open == other.open
            && self.thrown.iter().zip(&other.thrown).all(|(a, b)| a.same(b))
            && self.tables.len() == other.tables.len()
            && self.tables.iter().zip(&other.tables).all(|(a, b)| Rc::ptr_eq(a, b) || a.same(b))
            && self.funcs.len() == other.funcs.len()
            && self.funcs.iter().zip(&other.funcs).all(|(a, b)| Rc::ptr_eq(a, b) || a.same(b))
            && self.upvals.len() == other.upvals.len()
            && self.upvals.iter().zip(&other.upvals).all(|(a, b)| a.same(b))
            && self.threads.len() == other.threads.len()
            && self.threads.iter().zip(&other.threads).all(|(a, b)| a.same(b))
    }

    /// Hashes everything that `same` compares.
    fn hash_into(&self, hasher: &mut impl Hasher) {
        (self.phase, self.current, self.identity_next, self.random, *self.json, self.top)
            .hash(hasher);
        hash_thread(&self.stack, &self.frames, &self.open, hasher);
        if let Some(value) = &self.thrown {
            value.feed(hasher);
        }
        for (id, table) in self.tables.iter().enumerate() {
            if self.prelude.holds(id, table) {
                continue;
            }
            hasher.write_u64(id as u64);
            table.header().hash(hasher);
            hasher.write_u64((table.array.len() as u64) << 32 | table.nodes.len() as u64);
            table.array.iter().for_each(|value| value.feed(hasher));
            for (at, node) in table.nodes.iter().enumerate().filter(|(_, n)| !n.key.is_nil()) {
                hasher.write_u64(at as u64);
                node.key.feed(hasher);
                node.value.feed(hasher);
            }
        }
        for function in &self.funcs {
            function.feed(hasher);
        }
        for upval in &self.upvals {
            match upval {
                Upval::Closed(value) => value.feed(hasher),
                Upval::Open { thread, slot } => (thread, slot).hash(hasher),
            }
        }
        for thread in &self.threads {
            (thread.status, thread.parent, thread.identity).hash(hasher);
            hash_thread(&thread.stack, &thread.frames, &thread.open, hasher);
        }
    }
}

fn same_values(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
}

fn same_frames(a: &State, b: &State) -> bool {
    a.frames.len() == b.frames.len() && a.frames.iter().zip(&b.frames).all(|(x, y)| x.same(y))
}

fn hash_thread(stack: &[Value], frames: &[Frame], open: &[u32], hasher: &mut impl Hasher) {
    hasher.write_u64((stack.len() as u64) << 32 | frames.len() as u64);
    stack.iter().for_each(|value| value.feed(hasher));
    for frame in frames {
        frame.header().hash(hasher);
        frame.kind.feed(hasher);
    }
    open.hash(hasher);
}

impl Value {
    /// Hashes the value; values that are `same` hash alike.
    fn feed(&self, hasher: &mut impl Hasher) {
        let (tag, word) = match self {
            Self::Nil => (0, 0),
            Self::Bool(b) => (1, u64::from(*b)),
            Self::Num(n) => (2, n.to_bits()),
            Self::Str(s) => {
                hasher.write_u64(3 | (s.len() as u64) << 8);
                hasher.write(s.as_bytes());
                return;
            }
            Self::Table(id) => (4, (*id).into()),
            Self::Func(id) => (5, (*id).into()),
            Self::Native(id) => (6, id.0.into()),
            Self::Host(id) => (7, (*id).into()),
            Self::Thread(id) => (8, (*id).into()),
            Self::Null => (9, 0),
            Self::Object(id) => (10, (*id).into()),
        };
        if tag == 2 {
            hasher.write_u64(2);
            hasher.write_u64(word);
        } else {
            hasher.write_u64(word << 8 | tag);
        }
    }
}

impl Frame {
    fn header(&self) -> (u32, u32, u32, i32, u32, bool) {
        (self.func, self.base, self.pc, self.results, self.tail_calls, self.meta)
    }

    fn same(&self, other: &Self) -> bool {
        self.header() == other.header() && self.kind.same(&other.kind)
    }
}

impl FrameKind {
    fn number(&self) -> u32 {
        match self {
            Self::Lua => 0,
            Self::Pcall => 1,
            Self::Xpcall => 2,
            Self::Handler => 3,
            Self::Host(index) => 100 + u32::from(*index),
            Self::Resume(wrap) => 4 + u32::from(*wrap),
            Self::Yield => 6,
            Self::Forward(most) => *most as u32 ^ (1 << 30),
            Self::Sort(_) => 7,
            Self::Gsub(_) => 8,
            Self::Foreach(_) => 9,
            Self::Load(_) => 10,
            Self::Guard(index, phase) => (1 << 20) + u32::from(*index) * 4 + *phase as u32,
        }
    }

    fn same(&self, other: &Self) -> bool {
        self.number() == other.number()
            && match (self, other) {
                (Self::Sort(a), Self::Sort(b)) => a.same(b),
                (Self::Gsub(a), Self::Gsub(b)) => a == b,
                (Self::Foreach(a), Self::Foreach(b)) => a.same(b),
                (Self::Load(a), Self::Load(b)) => a == b,
                _ => true,
            }
    }

    fn feed(&self, hasher: &mut impl Hasher) {
        hasher.write_u32(self.number());
        match self {
            Self::Sort(sort) => sort.numbers().hash(hasher),
            Self::Gsub(gsub) => gsub.numbers().hash(hasher),
            Self::Foreach(key) => key.feed(hasher),
            Self::Load(text) => text.hash(hasher),
            _ => {}
        }
    }
}

impl Function {
    fn same(&self, other: &Self) -> bool {
        self.env == other.env
            && self.identity == other.identity
            && match (&self.body, &other.body) {
                (Body::Lua { proto: p, upvals: u }, Body::Lua { proto: q, upvals: v }) => {
                    u == v && p.same(q)
                }
                (
                    Body::Gmatch { text, pattern, at },
                    Body::Gmatch { text: text2, pattern: pattern2, at: at2 },
                ) => at == at2 && text == text2 && pattern == pattern2,
                (Body::Wrap(a), Body::Wrap(b)) => a == b,
                _ => false,
            }
    }

    fn feed(&self, hasher: &mut impl Hasher) {
        (self.env, self.identity).hash(hasher);
        match &self.body {
            Body::Lua { proto, upvals } => {
                (proto.source.fingerprint, proto.id, upvals).hash(hasher);
            }
            Body::Gmatch { text, pattern, at } => (text, pattern, at).hash(hasher),
            Body::Wrap(id) => id.hash(hasher),
        }
    }
}

impl Upval {
    fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Closed(a), Self::Closed(b)) => a.same(b),
            (
                Self::Open { thread, slot },
                Self::Open { thread: other_thread, slot: other_slot },
            ) => thread == other_thread && slot == other_slot,
            _ => false,
        }
    }
}

impl Thread {
    fn same(&self, other: &Self) -> bool {
        (self.status, self.parent, self.identity, &self.open)
            == (other.status, other.parent, other.identity, &other.open)
            && same_values(&self.stack, &other.stack)
            && self.frames.len() == other.frames.len()
            && self.frames.iter().zip(&other.frames).all(|(a, b)| a.same(b))
    }
}
