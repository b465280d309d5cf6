//! `table.sort`: PUC's quicksort, step for step, as a state machine that can wait for a comparison.
//!
//! Equal elements and wrong order functions reveal the comparisons and their order, so these are
//! the same as PUC's.

use std::hash::{Hash, Hasher};

use crate::call::{Args, Called, Flow};
use crate::meta::plain_compare;
use crate::opcode::Op;
use crate::state::{Event, FrameKind, State, Thrown};
use crate::value::{TableId, Value};

/// The cost of a comparison in instructions, which includes reading and writing elements.
const COMPARISON: usize = 10;

/// A sort under way.
#[derive(Clone, Debug)]
pub(crate) struct Sort {
    low: i32,
    high: i32,
    i: i32,
    j: i32,
    phase: Phase,
    /// The ranges left to be sorted.
    pending: Vec<(i32, i32)>,
    /// The two elements compared, and the pivot.
    pub held: [Value; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Start,
    Ends,
    MiddleLow,
    MiddleHigh,
    Up,
    Down,
}

enum Step {
    /// Asks if the first is less than the second; the numbers are indices into `held`.
    Compare(usize, usize),
    Done,
    Invalid,
}

impl Sort {
    pub fn numbers(&self) -> impl Hash + use<> {
        let mut hasher = ground::hash::Fingerprinter::default();
        self.pending.hash(&mut hasher);
        let held = self.held.each_ref().map(|value| match value {
            Value::Num(n) => n.to_bits(),
            Value::Str(s) => s.hash().into(),
            Value::Table(id) => (*id).into(),
            _ => 0,
        });
        (hasher.finish(), self.low, self.high, self.i, self.j, self.phase, held)
    }

    pub fn same(&self, other: &Self) -> bool {
        (self.low, self.high, self.i, self.j, self.phase, &self.pending)
            == (other.low, other.high, other.i, other.j, other.phase, &other.pending)
            && self.held.iter().zip(&other.held).all(|(a, b)| a.same(b))
    }

    fn load(&mut self, state: &State, table: TableId, place: usize, index: i32) {
        self.held[place] = state.raw_get(table, &Value::Num(index.into()));
    }

    fn put(
        &self,
        state: &mut State,
        table: TableId,
        index: i32,
        place: usize,
    ) -> Result<(), Thrown> {
        let value = self.held[place].clone();
        state
            .raw_set(table, &Value::Num(index.into()), value)
            .map_err(|message| state.run_error(message))
    }

    /// Continues to the next comparison, given the answer to the last.
    fn step(&mut self, state: &mut State, table: TableId, less: bool) -> Result<Step, Thrown> {
        match self.phase {
            Phase::Start => {}
            Phase::Ends => {
                if less {
                    self.put(state, table, self.low, 1)?;
                    self.put(state, table, self.high, 0)?;
                }
                if self.high - self.low > 1 {
                    self.i = self.low + (self.high - self.low) / 2;
                    self.load(state, table, 0, self.i);
                    self.load(state, table, 1, self.low);
                    self.phase = Phase::MiddleLow;
                    return Ok(Step::Compare(0, 1));
                }
                return Ok(self.next_range(state, table));
            }
            Phase::MiddleLow => {
                if !less {
                    self.load(state, table, 1, self.high);
                    self.phase = Phase::MiddleHigh;
                    return Ok(Step::Compare(1, 0));
                }
                self.put(state, table, self.i, 1)?;
                self.put(state, table, self.low, 0)?;
                return self.partition(state, table);
            }
            Phase::MiddleHigh => {
                if less {
                    self.put(state, table, self.i, 1)?;
                    self.put(state, table, self.high, 0)?;
                }
                return self.partition(state, table);
            }
            Phase::Up => {
                if less {
                    if self.i > self.high {
                        return Ok(Step::Invalid);
                    }
                    return Ok(self.up(state, table));
                }
                return Ok(self.down(state, table));
            }
            Phase::Down => {
                if less {
                    if self.j < self.low {
                        return Ok(Step::Invalid);
                    }
                    return Ok(self.down(state, table));
                }
                if self.j >= self.i {
                    self.put(state, table, self.i, 1)?;
                    self.put(state, table, self.j, 0)?;
                    return Ok(self.up(state, table));
                }
                return self.split(state, table);
            }
        }
        self.pending.push((self.low, self.high));
        Ok(self.next_range(state, table))
    }

    fn next_range(&mut self, state: &State, table: TableId) -> Step {
        while let Some((low, high)) = self.pending.pop() {
            if low < high {
                (self.low, self.high) = (low, high);
                self.load(state, table, 0, low);
                self.load(state, table, 1, high);
                self.phase = Phase::Ends;
                return Step::Compare(1, 0);
            }
        }
        Step::Done
    }

    /// Chooses the median of three as the pivot, and puts it next to the end.
    fn partition(&mut self, state: &mut State, table: TableId) -> Result<Step, Thrown> {
        if self.high - self.low == 2 {
            return Ok(self.next_range(state, table));
        }
        self.load(state, table, 2, self.i);
        self.load(state, table, 1, self.high - 1);
        self.put(state, table, self.i, 1)?;
        self.put(state, table, self.high - 1, 2)?;
        (self.i, self.j) = (self.low, self.high - 1);
        Ok(self.up(state, table))
    }

    fn up(&mut self, state: &State, table: TableId) -> Step {
        self.i += 1;
        self.load(state, table, 0, self.i);
        self.phase = Phase::Up;
        Step::Compare(0, 2)
    }

    fn down(&mut self, state: &State, table: TableId) -> Step {
        self.j -= 1;
        self.load(state, table, 1, self.j);
        self.phase = Phase::Down;
        Step::Compare(2, 1)
    }

    /// Puts the pivot into its place; the smaller half is sorted first, the larger one later.
    fn split(&mut self, state: &mut State, table: TableId) -> Result<Step, Thrown> {
        self.load(state, table, 0, self.high - 1);
        self.load(state, table, 1, self.i);
        self.put(state, table, self.high - 1, 1)?;
        self.put(state, table, self.i, 0)?;
        let (below, above) = ((self.low, self.i - 1), (self.i + 1, self.high));
        if self.i - self.low < self.high - self.i {
            self.pending.extend([above, below]);
        } else {
            self.pending.extend([below, above]);
        }
        Ok(self.next_range(state, table))
    }
}

pub(crate) fn sort(state: &mut State, args: Args) -> Result<Flow, Thrown> {
    let id = state.check_table(args, 1)?;
    let high = state.table(id).length() as i32;
    if !state.arg(args, 2).is_nil() {
        state.check_function(args, 2)?;
    } else {
        state.ensure(args.func + 3);
        state.stack[args.func + 2] = Value::Nil;
    }
    let sort = Sort {
        low: 1,
        high,
        i: 0,
        j: 0,
        phase: Phase::Start,
        pending: Vec::new(),
        held: [const { Value::Nil }; 3],
    };
    state.push_frame(args, FrameKind::Sort(Box::new(sort)))?;
    go_on(state, false)?;
    Ok(Flow::Frame)
}

/// Continues after the order function has returned.
pub(crate) fn resume(state: &mut State) -> Result<Called, Thrown> {
    let func = state.frames.last().map_or(0, |frame| frame.func as usize);
    let less = state.stack[func + 3].truthy();
    go_on(state, less)
}

fn go_on(state: &mut State, mut less: bool) -> Result<Called, Thrown> {
    let at = state.frames.len() - 1;
    let func = state.frames[at].func as usize;
    let Value::Table(table) = state.stack[func + 1] else { return Ok(Called::Done) };
    let comparator = state.stack[func + 2].clone();
    // Taken out of its frame to be worked on; put back before anyone can look.
    let kind = std::mem::replace(&mut state.frames[at].kind, FrameKind::Forward(0));
    let FrameKind::Sort(mut sort) = kind else { return Ok(Called::Done) };
    loop {
        state.spend(COMPARISON);
        let (x, y) = match sort.step(state, table, less)? {
            Step::Compare(x, y) => (sort.held[x].clone(), sort.held[y].clone()),
            Step::Done => {
                state.return_from_frame(func + 1, 0)?;
                return Ok(Called::Done);
            }
            Step::Invalid => {
                state.frames.pop();
                return Err(state.lib_error("invalid order function for sorting"));
            }
        };
        let function = if comparator.is_nil() {
            state.compares(&x, &y);
            match plain_compare(Op::Lt, &x, &y) {
                Some(holds) if state.fuel > 0 => {
                    less = holds;
                    continue;
                }
                Some(holds) => {
                    // It waits for fuel as it would for an order function's answer.
                    state.ensure(func + 4);
                    state.stack[func + 3] = Value::Bool(holds);
                    state.top = func + 4;
                    state.frames[at].kind = FrameKind::Sort(sort);
                    return Ok(Called::Frame);
                }
                None => state.order_handler(&x, &y, Event::Lt)?,
            }
        } else {
            comparator.clone()
        };
        let slot = func + 3;
        state.ensure(slot + 3);
        state.stack[slot] = function;
        state.stack[slot + 1] = x;
        state.stack[slot + 2] = y;
        let called = state.call(slot, 2, 1, false)?;
        if called != Called::Done {
            state.frames[at].kind = FrameKind::Sort(sort);
            return Ok(called);
        }
        less = state.stack[slot].truthy();
    }
}
