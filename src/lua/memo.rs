//! Memoised programs: remembers the runs of programs from one pause to the next. A crowd runs the
//! same few programs thousands of times, mostly through the same states. Then nothing is executed:
//! the program takes the state of an earlier one that came the same way.
//!
//! A remembered program is at a place in a tree: the root is its first line, and from a pause one
//! edge leads on for each answer that the host gave there. Programs at one place share their state,
//! so they behave alike. A program that leaves the tree, or is changed in any other way, gets a
//! state of its own.
//!
//! Places where programs hardly ever get the same answer (each was told its own number) are closed.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::vm::{Pause, Vm};
use super::{Chunk, Data};
use ground::hash::{Quick, QuickMap};
use ground::resp::{Bytes, Value};

/// The most places; beyond, all are forgotten.
const PLACES_MAX: usize = 10_000;
/// The most edges from one place; beyond, they are forgotten.
const WAYS_MAX: usize = 1_024;
/// The number of misses after which a place is judged by its hits.
const TRIES: u32 = 64;

/// The trees of some programs.
#[derive(Debug, Default)]
pub struct Memo {
    roots: Vec<Roots>,
    /// All places, kept to drop them one by one: a chain of them may be long.
    places: Vec<Vm>,
}

/// The roots: where programs begin.
#[derive(Debug)]
struct Roots {
    chunk: Rc<Chunk>,
    score: Score,
    by_hash: QuickMap<u64, Root>,
}

#[derive(Debug)]
struct Root {
    words: Box<[Bytes]>,
    numbers: [u64; 2],
    vm: Vm,
}

/// The number of hits and misses.
#[derive(Debug, Default)]
struct Score {
    known: Cell<u32>,
    unknown: Cell<u32>,
}

/// The edges from a place.
#[derive(Default)]
pub(super) struct Ways {
    score: Score,
    by_hash: RefCell<QuickMap<u64, Way>>,
}

/// An edge; `None` after one program took it. The step is recorded when a second program takes it,
/// so nothing is kept for programs with paths of their own.
type Way = Option<(Answer, Rc<Step>)>;

impl std::fmt::Debug for Ways {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ways").finish_non_exhaustive()
    }
}

/// A run to the next pause.
#[derive(Debug)]
pub struct Step {
    after: Vm,
    pause: Pause,
    /// The fuel that it used.
    used: u64,
    /// A value that the host derived from the pause alone, see [`Went::kept`].
    kept: OnceCell<Box<dyn Any>>,
}

/// The answer that a program got at its pause, kept to compare later ones with.
#[derive(Debug)]
enum Answer {
    Start,
    Reply(Value, u8),
    Data(Result<Vec<Data>, Data>),
}

/// The answer that a program gets at its pause.
#[derive(Debug, Clone, Copy)]
pub enum Told<'a> {
    /// The program begins, or continues without an answer.
    Start,
    /// A reply, and a number for the kind of its conversion to Lua.
    Reply(&'a Value, u8),
    Data(&'a Result<Vec<Data>, Data>),
}

/// How a program came to its next pause.
#[derive(Debug)]
pub enum Went {
    Ran(Pause),
    Known(Rc<Step>),
}

thread_local! {
    static MEMO: RefCell<Option<Memo>> = const { RefCell::new(None) };
}

impl Memo {
    /// Remembers, while `work` runs, the runs of programs that begin with [`root`].
    pub fn during<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let outer = MEMO.replace(Some(std::mem::take(self)));
        let result = work();
        *self = MEMO.replace(outer).unwrap_or_default();
        result
    }

    /// Makes room for one more place.
    fn make_room(&mut self) {
        if self.places.len() >= PLACES_MAX {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.roots.clear();
        // Each by itself: a tree that is dropped by its root is dropped in as many calls as it is
        // deep.
        self.places.iter().for_each(Vm::forget_ways);
        self.places.clear();
    }
}

impl Drop for Memo {
    fn drop(&mut self) {
        self.forget();
    }
}

/// Returns a program at its first line, as created by `make`; everything else it depends on is in
/// `words` and `numbers`. If nothing is being remembered, it is just that.
pub fn root(
    chunk: &Rc<Chunk>,
    words: &[Bytes],
    numbers: [u64; 2],
    make: impl FnOnce() -> Vm,
) -> Vm {
    let find = |memo: &mut Memo| {
        let at = memo.roots.iter().position(|roots| Rc::ptr_eq(&roots.chunk, chunk));
        let at = at.unwrap_or_else(|| {
            let (score, by_hash) = Default::default();
            memo.roots.push(Roots { chunk: chunk.clone(), score, by_hash });
            memo.roots.len() - 1
        });
        let roots = &memo.roots[at];
        if roots.score.is_poor() {
            return (None, None);
        }
        let mut hasher = Quick::default();
        (words, numbers).hash(&mut hasher);
        let hash = hasher.finish();
        match roots.by_hash.get(&hash) {
            Some(root) if *root.words == *words && root.numbers == numbers => {
                roots.score.count(true);
                (Some(root.vm.clone()), None)
            }
            known => {
                roots.score.count(false);
                (None, known.is_none().then_some(hash))
            }
        }
    };
    let found = MEMO.with_borrow_mut(|memo| memo.as_mut().map(find));
    let (vm, hash) = match found {
        Some((Some(vm), _)) => return vm,
        Some((None, hash)) => (make(), hash),
        None => (make(), None),
    };
    let Some(hash) = hash else { return vm };
    let mut vm = vm;
    vm.remember();
    MEMO.with_borrow_mut(|memo| {
        let Some(memo) = memo else { return };
        memo.make_room();
        memo.places.push(vm.clone());
        let roots = memo.roots.iter_mut().find(|roots| Rc::ptr_eq(&roots.chunk, chunk));
        if let Some(roots) = roots {
            roots.by_hash.insert(hash, Root { words: words.into(), numbers, vm: vm.clone() });
        }
    });
    vm
}

impl Score {
    fn count(&self, known: bool) {
        let which = if known { &self.known } else { &self.unknown };
        which.set(which.get().saturating_add(1));
    }

    fn is_poor(&self) -> bool {
        self.unknown.get() >= TRIES && self.known.get() < self.unknown.get()
    }
}

impl Ways {
    /// Returns the step, or the place to record the one that is about to be made.
    fn find(&self, told: &Told<'_>, fuel: u64) -> Result<Rc<Step>, Option<u64>> {
        if self.score.is_poor() {
            return Err(None);
        }
        let hash = told.hash();
        let mut by_hash = self.by_hash.borrow_mut();
        let second = match by_hash.get(&hash) {
            Some(Some((answer, step))) if answer.is(told) && step.used < fuel => {
                self.score.count(true);
                return Ok(step.clone());
            }
            Some(Some(_)) => false,
            Some(None) => true,
            None => {
                if by_hash.len() >= WAYS_MAX {
                    by_hash.clear();
                }
                by_hash.insert(hash, None);
                false
            }
        };
        self.score.count(second);
        Err(second.then_some(hash))
    }
}

impl Told<'_> {
    fn hash(&self) -> u64 {
        let mut hasher = Quick::default();
        match self {
            Told::Start => hasher.write_u8(u8::MAX),
            Told::Reply(reply, how) => {
                hasher.write_u8(how.wrapping_add(2));
                reply.hash(&mut hasher);
            }
            Told::Data(Ok(values)) => values.iter().for_each(|value| feed(value, &mut hasher)),
            Told::Data(Err(error)) => {
                hasher.write_u8(1);
                feed(error, &mut hasher);
            }
        }
        hasher.finish()
    }

    fn owned(&self) -> Answer {
        match self {
            Told::Start => Answer::Start,
            Told::Reply(reply, how) => Answer::Reply((*reply).clone(), *how),
            Told::Data(data) => Answer::Data((*data).clone()),
        }
    }
}

impl Answer {
    fn is(&self, told: &Told<'_>) -> bool {
        match (self, told) {
            (Answer::Start, Told::Start) => true,
            (Answer::Reply(reply, how), Told::Reply(other, other_how)) => {
                how == other_how && reply == *other
            }
            (Answer::Data(Ok(values)), Told::Data(Ok(others))) => {
                values.len() == others.len() && values.iter().zip(others).all(|(a, b)| same(a, b))
            }
            (Answer::Data(Err(error)), Told::Data(Err(other))) => same(error, other),
            _ => false,
        }
    }
}

/// Compares bit by bit: a program may tell 0 from -0.
fn same(a: &Data, b: &Data) -> bool {
    match (a, b) {
        (Data::Num(a), Data::Num(b)) => a.to_bits() == b.to_bits(),
        (Data::Table(a), Data::Table(b)) => {
            let pairs = || a.iter().zip(b);
            a.len() == b.len() && pairs().all(|((k, v), (l, w))| same(k, l) && same(v, w))
        }
        (Data::Num(_) | Data::Table(_), _) => false,
        (a, b) => a == b,
    }
}

fn feed(value: &Data, hasher: &mut Quick) {
    std::mem::discriminant(value).hash(hasher);
    match value {
        Data::Nil => {}
        Data::Bool(b) => b.hash(hasher),
        Data::Num(n) => n.to_bits().hash(hasher),
        Data::Str(s) => s.hash(hasher),
        Data::Table(entries) => {
            for (key, value) in entries {
                feed(key, hasher);
                feed(value, hasher);
            }
        }
        Data::Opaque(kind) => kind.hash(hasher),
        Data::Host(number) => number.hash(hasher),
    }
}

impl Went {
    pub fn pause(&self) -> &Pause {
        match self {
            Went::Ran(pause) => pause,
            Went::Known(step) => &step.pause,
        }
    }

    /// Returns `make()`, called only once where the pause is remembered. Its result must depend
    /// only on the pause and on the run that led to it.
    pub fn kept<T: Clone + 'static>(&self, make: impl FnOnce() -> T) -> T {
        let Went::Known(step) = self else { return make() };
        if let Some(kept) = step.kept.get().and_then(|kept| kept.downcast_ref::<T>()) {
            return kept.clone();
        }
        let made = make();
        let _ = step.kept.set(Box::new(made.clone()));
        made
    }
}

impl Vm {
    /// [`Vm::answer`] and [`Vm::run`]: `answer` converts what the program is `told` to Lua values.
    pub fn go_on(
        &mut self,
        told: Told<'_>,
        answer: impl FnOnce() -> Option<Result<Vec<Data>, Data>>,
        fuel: &mut u64,
    ) -> Went {
        let new = match self.ways() {
            None => None,
            Some(ways) => match ways.find(&told, *fuel) {
                Ok(step) => {
                    *fuel -= step.used;
                    *self = step.after.clone();
                    return Went::Known(step);
                }
                Err(hash) => hash,
            },
        };
        // Kept, so that it is not changed.
        let before = new.map(|hash| (self.clone(), hash));
        if let Some(answer) = answer() {
            self.answer(answer);
        }
        let had = *fuel;
        let pause = self.run(fuel, None);
        let Some((before, hash)) = before else { return Went::Ran(pause) };
        // Where fuel ran out it may have ended otherwise with more.
        if *fuel == 0 {
            return Went::Ran(pause);
        }
        let is_remembered = MEMO.with_borrow_mut(|memo| {
            let Some(memo) = memo else { return false };
            memo.make_room();
            self.remember();
            memo.places.push(self.clone());
            true
        });
        let Some(ways) = before.ways().filter(|_| is_remembered) else { return Went::Ran(pause) };
        debug_assert!(*fuel <= had, "a run has made fuel");
        let used = had - *fuel;
        let step = Rc::new(Step { after: self.clone(), pause, used, kept: OnceCell::new() });
        ways.by_hash.borrow_mut().insert(hash, Some((told.owned(), step.clone())));
        Went::Known(step)
    }
}
