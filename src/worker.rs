//! The checker as the program `search` (src/bin/search.rs), which the page loads shortly before it
//! is needed: in a worker, or on the page if the browser refuses a worker.
//!
//! [`serve`] takes requests, searches for a slice of time, and reports its progress ten times a
//! second. The page's end is `ui::line`. It is no part of `ui`, so that `search` is built without
//! Yew and without the page.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use web_sys::{
    DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessageEventInit, MessagePort,
    Performance,
};

use crate::view::crowd;
use crate::view::find::{Answer, Failure, Request, Work};
use crate::view::map;

/// The length of one slice, in ms: a frame of the page has 16 ms.
const SLICE_MS: f64 = 6.0;
const SAY_EVERY_MS: f64 = 100.0;
/// The longest time that a search runs, in ms.
const SEARCH_MS_MAX: f64 = 120_000.0;
/// The event that reports a checker loaded into the page: it carries a port to the checker, or the
/// reason why there is none. The page's head sends it if the checker has ended with an error.
pub const ARRIVED: &str = "interleave-search";

/// Takes requests and works on them in slices.
struct Desk {
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
}

impl Desk {
    fn new(say: Box<dyn Fn(Answer)>) -> Desk {
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
        }
    }

    fn take(&mut self, request: Request) {
        match request {
            Request::Start(start) => {
                self.began_ms = now_ms();
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
                (self.said_ms, self.chunk) = (now_ms(), 1);
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
    fn is_working(&self) -> bool {
        self.busy
            || self.map.as_ref().is_some_and(map::Work::is_working)
            || self.work.as_ref().is_some_and(Work::is_asked)
            || self.crowd.as_ref().is_some_and(crowd::Work::is_working)
    }

    /// Works for a slice of time; returns true if there is more to do.
    fn slice(&mut self) -> bool {
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
        let chunk = &mut self.chunk;
        match self.work.as_mut() {
            Some(work) if self.busy => {
                self.busy = !sliced(chunk, |states| work.advance(states));
                if self.busy && now_ms() - self.began_ms > SEARCH_MS_MAX {
                    work.give_up();
                    self.busy = false;
                }
                self.tell();
            }
            Some(work) if work.is_asked() => {
                let mut answer = None;
                sliced(chunk, |states| {
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
        sliced(&mut self.chunk, |states| {
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
        sliced(&mut self.chunk, |events| {
            found = crowd.advance(events);
            !matches!(found, Ok(None))
        });
        match found {
            Ok(Some(ran)) => (self.say)(Answer::Ran(Box::new(ran))),
            Ok(None) if now_ms() - self.said_ms >= SAY_EVERY_MS => {
                self.said_ms = now_ms();
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
        let elapsed_ms = || (now_ms() - self.began_ms) as u64;
        for found in work.news() {
            (self.say)(Answer::Found(found));
        }
        let settled = work.settled();
        let now_ms = now_ms();
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

/// Returns the milliseconds since the page or the worker began.
pub fn now_ms() -> f64 {
    thread_local! {
        static CLOCK: Option<Performance> = {
            let found = js_sys::Reflect::get(&js_sys::global(), &"performance".into()).ok();
            found.and_then(|found| found.dyn_into().ok())
        };
    }
    CLOCK.with(|clock| clock.as_ref().map_or(0.0, Performance::now))
}

/// The most states or events between two looks at the clock, because each of them may take as long
/// as the longest possible step.
const CHUNK_MAX: u32 = 64;

/// Calls `work` with numbers of states that take a small part of a slice, until the slice is over
/// or `work` reports its end.
fn sliced(chunk: &mut u32, mut work: impl FnMut(u32) -> bool) -> bool {
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

// ---- Serving ------------------------------------------------------------------------------------

/// Answers requests as long as the worker or the page lives.
pub fn serve() {
    match js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
        Ok(scope) => serve_page(scope),
        Err(_) => {
            let _ = serve_on_page();
        }
    }
}

/// Serves the page from a worker.
fn serve_page(scope: DedicatedWorkerGlobalScope) {
    let to_page = scope.clone();
    let say = move |answer: Answer| {
        let _ = to_page.post_message(&answer.write().into());
    };
    let Ok(channel) = MessageChannel::new() else { return };
    let on_message = listener(Box::new(say), |desk| by_messages(channel, desk));
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
}

/// Serves the page on the page itself, through a port that the page gets.
fn serve_on_page() -> Result<(), JsValue> {
    let channel = MessageChannel::new()?;
    let (here, there) = (channel.port1(), channel.port2());
    let detail = MessageEventInit::new();
    detail.set_ports(&js_sys::Array::of1(&there));
    let arrived = MessageEvent::new_with_event_init_dict(ARRIVED, &detail)?;
    if let Some(window) = web_sys::window() {
        window.dispatch_event(&arrived)?;
    }
    let to_page = here.clone();
    let say = move |answer: Answer| {
        let _ = to_page.post_message(&answer.write().into());
    };
    let on_message = listener(Box::new(say), by_timers);
    here.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    Ok(())
}

/// Schedules the next slice: messages are answered between slices.
type Again = Rc<dyn Fn()>;

/// Reports that the checker has loaded, and returns the listener for requests.
fn listener(
    say: Box<dyn Fn(Answer)>,
    ticker: impl FnOnce(Rc<RefCell<Desk>>) -> Again,
) -> Closure<dyn Fn(MessageEvent)> {
    say(Answer::Ready);
    let desk = Rc::new(RefCell::new(Desk::new(say)));
    let again = ticker(desk.clone());
    Closure::new(move |event: MessageEvent| {
        let text = event.data().as_string().unwrap_or_default();
        if let Ok(request) = Request::read(&text) {
            let was_working = desk.borrow().is_working();
            desk.borrow_mut().take(request);
            if !was_working && desk.borrow().is_working() {
                again();
            }
        }
    })
}

/// Schedules slices by messages to itself: timers would wait 4 ms between slices.
fn by_messages(channel: MessageChannel, desk: Rc<RefCell<Desk>>) -> Again {
    let (here, there): (MessagePort, MessagePort) = (channel.port1(), channel.port2());
    let again: Again = Rc::new(move || {
        let _ = there.post_message(&JsValue::NULL);
    });
    let next = again.clone();
    let on_tick = Closure::<dyn Fn()>::new(move || {
        if desk.borrow_mut().slice() {
            next();
        }
    });
    here.set_onmessage(Some(on_tick.as_ref().unchecked_ref()));
    on_tick.forget();
    again
}

/// Schedules slices by timers, so that the page can run between slices.
fn by_timers(desk: Rc<RefCell<Desk>>) -> Again {
    fn later(desk: Rc<RefCell<Desk>>) {
        let slice = move || {
            if desk.borrow_mut().slice() {
                later(desk);
            }
        };
        Timeout::new(0, slice).forget();
    }
    Rc::new(move || later(desk.clone()))
}
