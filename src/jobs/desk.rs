//! The checker's desk: it takes requests, works on them for a slice of time, and reports its
//! progress ten times a second.
//!
//! It has at most one search, one map and one crowd. A map comes first, because it is small; a
//! search and a crowd take turns. Absent: a clock, which is passed in, and the transport of
//! messages (`worker`).

use std::fmt;

use super::find::Work;
use super::{Answer, Failure, Request, crowd, map};

/// The length of one slice, in ms: a frame of the page has 16 ms.
const SLICE_MS: f64 = 6.0;
const SAY_EVERY_MS: f64 = 100.0;
/// The longest time that a search runs, in ms.
const SEARCH_MS_MAX: f64 = 120_000.0;
/// The most states or events between two looks at the clock, because each of them may take as long
/// as the longest possible step.
const CHUNK_MAX: u32 = 64;

/// Returns the ms since some moment in the past.
pub type Clock = fn() -> f64;

/// Takes requests and works on them in slices.
pub struct Desk {
    work: Option<Work>,
    /// The runs of a crowd, which take turns with a search.
    crowd: Option<crowd::Work>,
    crowds_turn: bool,
    /// The map requested last. It is made before other work goes on, because it is small.
    map: Option<map::Work>,
    /// True if there is more to search.
    busy: bool,
    began_ms: f64,
    said_ms: f64,
    /// The number of states between two looks at the clock.
    chunk: u32,
    say: Box<dyn Fn(Answer)>,
    now_ms: Clock,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Desk { work, crowd, map, busy, .. } = self;
        let mut all = f.debug_struct("Desk");
        all.field("work", work).field("crowd", crowd).field("map", map).field("busy", busy);
        all.finish_non_exhaustive()
    }
}

impl Desk {
    /// Returns a desk without work. It answers through `say`, and measures time by `now_ms`.
    pub fn new(say: Box<dyn Fn(Answer)>, now_ms: Clock) -> Desk {
        Desk {
            work: None,
            crowd: None,
            crowds_turn: false,
            map: None,
            busy: false,
            began_ms: 0.0,
            said_ms: 0.0,
            chunk: 1,
            say,
            now_ms,
        }
    }

    /// Takes a request. Work begins with the next slice.
    pub fn take(&mut self, request: Request) {
        match request {
            Request::Start(start) => {
                self.began_ms = (self.now_ms)();
                (self.said_ms, self.chunk) = (self.began_ms, 1);
                match Work::start(&start) {
                    Ok(work) => (self.work, self.busy) = (Some(work), true),
                    Err(why) => (self.say)(Answer::Failed(Failure { id: start.id, why })),
                }
            }
            Request::Stop(id) => {
                if self.work.as_ref().is_some_and(|work| work.id() == id) {
                    (self.work, self.busy) = (None, false);
                }
                self.crowd = self.crowd.take().filter(|crowd| crowd.id() != id);
                self.map = self.map.take().filter(|map| map.id() != id);
                (self.say)(Answer::Stopped(id));
            }
            Request::Near { id, schedule } => {
                if let Some(work) = self.work.as_mut().filter(|work| work.id() == id) {
                    work.ask_near(schedule);
                }
            }
            Request::Crowd(begin) => {
                (self.said_ms, self.chunk) = ((self.now_ms)(), 1);
                match crowd::Work::start(&begin) {
                    Ok(crowd) => self.crowd = Some(crowd),
                    Err(why) => (self.say)(Answer::Failed(Failure { id: begin.id, why })),
                }
            }
            Request::Map(plan) => match map::Work::start(&plan) {
                Ok(map) => self.map = Some(map),
                Err(why) => (self.say)(Answer::Failed(Failure { id: plan.id, why })),
            },
            Request::Along(ask) => {
                let map = self.map.as_ref().filter(|map| map.id() == ask.id);
                if let Some(along) = map.and_then(|map| map.along(&ask)) {
                    (self.say)(Answer::Along(Box::new(along)));
                }
            }
            Request::Task(task) => {
                if let Some(crowd) = self.crowd.as_mut().filter(|crowd| crowd.id() == task.id) {
                    crowd.take(task);
                }
            }
        }
    }

    /// Returns whether there is work to do.
    pub fn is_working(&self) -> bool {
        self.busy
            || self.map.as_ref().is_some_and(map::Work::is_working)
            || self.work.as_ref().is_some_and(Work::is_asked)
            || self.crowd.as_ref().is_some_and(crowd::Work::is_working)
    }

    /// Works for a slice of time; returns true if there is more to do.
    pub fn slice(&mut self) -> bool {
        if self.map.as_ref().is_some_and(map::Work::is_working) {
            self.make_map();
            return self.is_working();
        }
        let has_runs = self.crowd.as_ref().is_some_and(crowd::Work::is_working);
        self.crowds_turn = has_runs && !self.crowds_turn;
        if self.crowds_turn {
            self.run_crowd();
            return self.is_working();
        }
        let (now_ms, chunk) = (self.now_ms, &mut self.chunk);
        match self.work.as_mut() {
            Some(work) if self.busy => {
                self.busy = !sliced(now_ms, chunk, |states| work.advance(states));
                if self.busy && now_ms() - self.began_ms > SEARCH_MS_MAX {
                    work.give_up();
                    self.busy = false;
                }
                self.tell();
            }
            Some(work) if work.is_asked() => {
                let mut answer = None;
                sliced(now_ms, chunk, |states| {
                    answer = work.near(states);
                    answer.is_some()
                });
                answer.into_iter().for_each(|near| (self.say)(Answer::Near(near)));
            }
            _ => self.run_crowd(),
        }
        self.is_working()
    }

    fn make_map(&mut self) {
        let Some(map) = self.map.as_mut() else { return };
        let mut made = Ok(None);
        sliced(self.now_ms, &mut self.chunk, |states| {
            made = map.advance(states);
            !matches!(made, Ok(None))
        });
        match made {
            Ok(Some(made)) => (self.say)(Answer::Map(Box::new(made))),
            Ok(None) => {}
            Err(why) => {
                let id = map.id();
                self.map = None;
                (self.say)(Answer::Failed(Failure { id, why }));
            }
        }
    }

    fn run_crowd(&mut self) {
        let Some(crowd) = self.crowd.as_mut() else { return };
        let mut found = Ok(None);
        sliced(self.now_ms, &mut self.chunk, |events| {
            found = crowd.advance(events);
            !matches!(found, Ok(None))
        });
        match found {
            Ok(Some(ran)) => (self.say)(Answer::Ran(Box::new(ran))),
            Ok(None) if (self.now_ms)() - self.said_ms >= SAY_EVERY_MS => {
                self.said_ms = (self.now_ms)();
                (self.say)(Answer::Under(crowd.under()));
            }
            Ok(None) => {}
            Err(why) => {
                let id = crowd.id();
                self.crowd = None;
                (self.say)(Answer::Failed(Failure { id, why }));
            }
        }
    }

    /// Reports the progress or the result of the search.
    fn tell(&mut self) {
        let Some(work) = self.work.as_mut() else { return };
        let elapsed_ms = || ((self.now_ms)() - self.began_ms) as u64;
        for found in work.news() {
            (self.say)(Answer::Found(found));
        }
        let settled = work.settled();
        let now_ms = (self.now_ms)();
        if !self.busy {
            settled.into_iter().for_each(|stands| (self.say)(Answer::Stands(stands)));
            let report = work.report(elapsed_ms());
            (self.say)(Answer::Done(Box::new(report)));
        } else if !settled.is_empty() || now_ms - self.said_ms >= SAY_EVERY_MS {
            self.said_ms = now_ms;
            // The counts first: the verdicts are about the states that were seen.
            (self.say)(Answer::Progress(work.progress(elapsed_ms())));
            settled.into_iter().for_each(|stands| (self.say)(Answer::Stands(stands)));
        }
    }
}

/// Calls `work` with numbers of states that take a small part of a slice, until the slice is over
/// or `work` reports its end.
fn sliced(now_ms: Clock, chunk: &mut u32, mut work: impl FnMut(u32) -> bool) -> bool {
    let begin_ms = now_ms();
    let mut last_ms = begin_ms;
    while last_ms - begin_ms < SLICE_MS {
        let done = work(*chunk);
        let took_ms = now_ms() - last_ms;
        last_ms += took_ms;
        *chunk = match took_ms {
            ms if ms < 0.5 => (*chunk * 2).min(CHUNK_MAX),
            ms if ms > 2.0 => ((f64::from(*chunk) / ms) as u32).max(1),
            _ => *chunk,
        };
        if done {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use super::*;
    use crate::checker::Bound;
    use crate::jobs::crowd::wire::{Begin, Task};
    use crate::jobs::find::Start;
    use crate::jobs::map::wire::Plan;
    use crate::playground::Definition;

    thread_local! {
        static NOW_MS: Cell<f64> = const { Cell::new(0.0) };
    }

    /// Each look at this clock takes a millisecond.
    fn ticking() -> f64 {
        NOW_MS.with(|now| now.replace(now.get() + 1.0))
    }

    type Said = Rc<RefCell<Vec<Answer>>>;

    fn desk() -> (Desk, Said) {
        let said = Said::default();
        let heard = said.clone();
        (Desk::new(Box::new(move |answer| heard.borrow_mut().push(answer)), ticking), said)
    }

    fn start(id: u32) -> Request {
        let start =
            Start { id, lesson: Definition::first().write(), own: true, ..Start::default() };
        Request::Start(Start { states_max: 10_000, bytes_max: 1 << 26, ..start })
    }

    #[test]
    fn a_map_comes_first_and_neither_search_nor_crowd_is_forgotten() {
        let (mut desk, said) = desk();
        let lesson = || Definition::first().write();
        desk.take(start(1));
        let begin = Begin { id: 9, lesson: lesson(), own: true, ..Begin::default() };
        desk.take(Request::Crowd(Box::new(begin)));
        desk.take(Request::Task(Task { id: 9, seed: 1, ..Task::default() }));
        let plan = Plan { id: 1, lesson: lesson(), own: true, width: 600, ..Plan::default() };
        desk.take(Request::Map(Box::new(plan)));
        while desk.slice() {}
        let said = said.borrow();
        let place = |is_it: fn(&Answer) -> bool| said.iter().position(is_it).expect("an answer");
        let map = place(|answer| matches!(answer, Answer::Map(_)));
        let ran = place(|answer| matches!(answer, Answer::Ran(_)));
        let done = place(|answer| matches!(answer, Answer::Done(_)));
        assert!(map < ran && map < done, "{said:?}");
        assert!(!desk.is_working());
    }

    #[test]
    fn a_search_ends_when_it_is_stopped_or_takes_too_long() {
        let (mut desk, said) = desk();
        desk.take(start(1));
        desk.take(Request::Stop(1));
        assert!(!desk.is_working() && !desk.slice());
        assert_eq!(said.take(), [Answer::Stopped(1)]);

        desk.take(start(2));
        NOW_MS.with(|now| now.set(now.get() + SEARCH_MS_MAX));
        assert!(!desk.slice(), "what is left is given up");
        let said = said.take();
        let Some(Answer::Done(report)) = said.last() else { panic!("{said:?}") };
        assert_eq!(report.bound, Some(Bound::Time));
    }
}
