//! The checker at work: in a worker of the page's own wasm, or, where the browser refuses one, in
//! slices on the page.
//!
//! [`Desk`] is what both have in common: it takes requests, searches for a slice of time, and says
//! how it stands ten times a second. [`serve`] puts it into a worker, [`Line`] is the page's end.
//! One worker is kept warm, so that a search begins at once.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use web_sys::{
    Blob, BlobPropertyBag, DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, Url, Worker,
    WorkerOptions, WorkerType,
};

use crate::view::find::{Answer, Failure, Request, Work};

use super::browser;

/// How long one slice may take: a frame of the page has 16 ms.
const SLICE_MS: f64 = 6.0;
const SAY_EVERY_MS: f64 = 100.0;
/// A worker that has not stopped by then is ended.
const STOP_MS: u32 = 80;

// ---- What worker and page have in common --------------------------------------------------------

/// Takes requests and works on them in slices.
struct Desk {
    work: Option<Work>,
    /// There is more to search.
    busy: bool,
    began_ms: f64,
    said_ms: f64,
    /// States to look at between two looks at the clock.
    chunk: u32,
    say: Box<dyn Fn(Answer)>,
}

impl Desk {
    fn new(say: Box<dyn Fn(Answer)>) -> Desk {
        Desk { work: None, busy: false, began_ms: 0.0, said_ms: 0.0, chunk: 16, say }
    }

    fn take(&mut self, request: Request) {
        match request {
            Request::Start(start) => {
                self.began_ms = browser::now_ms();
                (self.said_ms, self.chunk) = (self.began_ms, 16);
                match Work::start(&start) {
                    Ok(work) => (self.work, self.busy) = (Some(work), true),
                    Err(why) => (self.say)(Answer::Failed(Failure { id: start.id, why })),
                }
            }
            Request::Stop(id) => {
                if self.work.as_ref().is_some_and(|work| work.id() == id) {
                    (self.work, self.busy) = (None, false);
                }
                (self.say)(Answer::Stopped(id));
            }
            Request::Near { id, schedule } => {
                let work = self.work.as_mut().filter(|work| work.id() == id && !self.busy);
                if let Some(work) = work {
                    (self.say)(Answer::Near(work.near(&schedule)));
                }
            }
        }
    }

    /// Works for a slice of time; true when there is more to do.
    fn slice(&mut self) -> bool {
        let Some(work) = self.work.as_mut().filter(|_| self.busy) else { return false };
        let begin_ms = browser::now_ms();
        let mut now_ms = begin_ms;
        while now_ms - begin_ms < SLICE_MS {
            let done = work.advance(self.chunk);
            let took_ms = browser::now_ms() - now_ms;
            now_ms += took_ms;
            self.chunk = match took_ms {
                ms if ms < 0.5 => (self.chunk * 2).min(1 << 15),
                ms if ms > 2.0 => (self.chunk / 2).max(1),
                _ => self.chunk,
            };
            if done {
                self.busy = false;
                break;
            }
        }
        for found in work.news() {
            (self.say)(Answer::Found(found));
        }
        let elapsed_ms = |now_ms: f64| (now_ms - self.began_ms) as u64;
        if !self.busy {
            let report = work.report(elapsed_ms(browser::now_ms()));
            (self.say)(Answer::Done(Box::new(report)));
        } else if now_ms - self.said_ms >= SAY_EVERY_MS {
            self.said_ms = now_ms;
            (self.say)(Answer::Progress(work.progress(elapsed_ms(now_ms))));
        }
        self.busy
    }
}

/// What comes next: messages are answered between slices.
type Again = Rc<dyn Fn()>;

// ---- In the worker ------------------------------------------------------------------------------

/// Is this script run by a worker? There is no page to be shown then.
pub fn is_worker() -> bool {
    browser::window().is_none()
}

/// Answers requests for as long as the worker lives.
pub fn serve() {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let to_page = scope.clone();
    let say = move |answer: Answer| {
        let _ = to_page.post_message(&answer.write().into());
    };
    say(Answer::Ready);
    let desk = Rc::new(RefCell::new(Desk::new(Box::new(say))));
    let Some(again) = ticker(desk.clone()) else { return };
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let text = event.data().as_string().unwrap_or_default();
        if let Ok(request) = Request::read(&text) {
            let was_busy = desk.borrow().busy;
            desk.borrow_mut().take(request);
            if !was_busy && desk.borrow().busy {
                again();
            }
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
}

/// Slices by messages to oneself: timers would wait 4 ms in between.
fn ticker(desk: Rc<RefCell<Desk>>) -> Option<Again> {
    let channel = MessageChannel::new().ok()?;
    let (here, there) = (channel.port1(), channel.port2());
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
    Some(again)
}

// ---- On the page --------------------------------------------------------------------------------

enum State {
    /// Nothing was asked, and nobody is there.
    Idle,
    /// The worker loads; what is to be asked waits.
    Loading(Hired, Vec<Request>),
    Working(Hired),
    /// There are no workers here.
    Slicing(Rc<RefCell<Desk>>, Rc<Cell<bool>>),
}

/// A worker, and what listens to it.
struct Hired {
    worker: Worker,
    _listeners: [Closure<dyn Fn(MessageEvent)>; 2],
}

impl Drop for Hired {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// The page's line to its checker.
pub struct Line {
    state: Rc<RefCell<State>>,
    hear: Rc<dyn Fn(Answer)>,
    /// Ends a worker that does not stop.
    patience: RefCell<Option<Timeout>>,
}

impl Line {
    pub fn new(hear: impl Fn(Answer) + 'static) -> Line {
        Line {
            state: Rc::new(RefCell::new(State::Idle)),
            hear: Rc::new(hear),
            patience: RefCell::new(None),
        }
    }

    /// Gets a worker, so that it is there when it is needed.
    pub fn warm(&self) {
        if matches!(*self.state.borrow(), State::Idle) {
            let state = match hire(&self.state, &self.hear) {
                Some(hired) => State::Loading(hired, Vec::new()),
                None => slicing(&self.hear),
            };
            *self.state.borrow_mut() = state;
        }
    }

    pub fn ask(&self, request: Request) {
        self.warm();
        ask(&mut self.state.borrow_mut(), request);
    }

    /// Stops search `id`; a worker that is too deep in thought to listen is replaced.
    pub fn stop(&self, id: u32) {
        self.ask(Request::Stop(id));
        if !matches!(*self.state.borrow(), State::Working(_)) {
            return;
        }
        let (state, hear) = (self.state.clone(), self.hear.clone());
        *self.patience.borrow_mut() = Some(Timeout::new(STOP_MS, move || {
            let next = match hire(&state, &hear) {
                Some(hired) => State::Loading(hired, Vec::new()),
                None => slicing(&hear),
            };
            *state.borrow_mut() = next;
        }));
    }

    /// The worker answered a stop: it may stay.
    pub fn stopped(&self) {
        *self.patience.borrow_mut() = None;
    }
}

fn ask(state: &mut State, request: Request) {
    match state {
        State::Idle => {}
        State::Loading(_, waiting) => waiting.push(request),
        State::Working(hired) => {
            let _ = hired.worker.post_message(&request.write().into());
        }
        State::Slicing(desk, running) => {
            let Ok(mut at_work) = desk.try_borrow_mut() else { return };
            at_work.take(request);
            if at_work.busy && !running.replace(true) {
                drop(at_work);
                slice_later(desk.clone(), running.clone());
            }
        }
    }
}

fn slicing(hear: &Rc<dyn Fn(Answer)>) -> State {
    let hear = hear.clone();
    let desk = Desk::new(Box::new(move |answer| hear(answer)));
    State::Slicing(Rc::new(RefCell::new(desk)), Rc::default())
}

/// A slice after the page has had its turn.
fn slice_later(desk: Rc<RefCell<Desk>>, running: Rc<Cell<bool>>) {
    let slice = move || {
        if desk.borrow_mut().slice() {
            slice_later(desk, running);
        } else {
            running.set(false);
        }
    };
    Timeout::new(0, slice).forget();
}

/// Starts a worker; `None` where the browser refuses at once. If it refuses later, what was asked
/// is done on the page.
fn hire(state: &Rc<RefCell<State>>, hear: &Rc<dyn Fn(Answer)>) -> Option<Hired> {
    let worker = start_worker().ok()?;
    let (of_line, tell) = (state.clone(), hear.clone());
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let text = event.data().as_string().unwrap_or_default();
        match Answer::read(&text) {
            Ok(Answer::Ready) => ready(&mut of_line.borrow_mut()),
            Ok(answer) => tell(answer),
            Err(_) => {}
        }
    });
    let (of_line, hear) = (state.clone(), hear.clone());
    let on_error = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        // It is dealt with here.
        event.prevent_default();
        let refused = matches!(*of_line.borrow(), State::Loading(..));
        let before = of_line.replace(slicing(&hear));
        if let (true, State::Loading(_, waiting)) = (refused, &before) {
            let mut state = of_line.borrow_mut();
            waiting.iter().for_each(|request| ask(&mut state, request.clone()));
        }
        // The listener cannot be dropped while it runs.
        Timeout::new(0, move || drop(before)).forget();
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    Some(Hired { worker, _listeners: [on_message, on_error] })
}

fn ready(state: &mut State) {
    if let State::Loading(..) = state
        && let State::Loading(hired, waiting) = std::mem::replace(state, State::Idle)
    {
        *state = State::Working(hired);
        waiting.into_iter().for_each(|request| ask(state, request));
    }
}

/// A worker that loads the page's own script and wasm: their names carry hashes, and the page's
/// head has them. A blob can say them, a file beside the page could not.
fn start_worker() -> Result<Worker, JsValue> {
    let missing = || JsValue::from_str("the page does not name its script");
    let script = browser::linked("link[rel=modulepreload]").ok_or_else(missing)?;
    let wasm = browser::linked("link[rel=preload][type='application/wasm']").ok_or_else(missing)?;
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let module = format!(
        "import init from {};\
         init({{module_or_path:{}}}).catch(e=>setTimeout(()=>{{throw e}}))",
        quoted(&script),
        quoted(&wasm)
    );
    let parts = js_sys::Array::of1(&module.into());
    let kind = BlobPropertyBag::new();
    kind.set_type("text/javascript");
    let blob = Blob::new_with_str_sequence_and_options(&parts, &kind)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    Worker::new_with_options(&url, &options)
}
