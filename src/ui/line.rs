//! The page's line to its checker: the program `search`, loaded when it is about to be needed, in a
//! worker; or, where the browser refuses one, on the page, where it works a few milliseconds at a
//! time. Once there it is kept, so that a search begins at once.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, MessagePort, Worker};

use crate::jobs::{Answer, Failure, Request};
use crate::worker::ARRIVED;

use super::browser;

/// The time, in ms, after which a worker that has not stopped is ended.
const STOP_MS: u32 = 80;

enum State {
    /// Nothing was asked, and there is no checker.
    Idle,
    /// The checker loads; the requests wait.
    Loading(Hired, Vec<Request>),
    Working(Hired),
}

type Listener = Closure<dyn Fn(MessageEvent)>;

/// A checker, and the listener to it.
enum Hired {
    Worker(Worker, #[allow(dead_code, reason = "kept while the worker lives")] [Listener; 2]),
    /// On the page: the port to the checker, once it has loaded.
    Here(Option<MessagePort>, [Listener; 2]),
}

impl Hired {
    fn post(&self, request: &Request) {
        let text = request.write().into();
        let _ = match self {
            Hired::Worker(worker, _) => worker.post_message(&text),
            Hired::Here(Some(port), _) => port.post_message(&text),
            Hired::Here(None, _) => Ok(()),
        };
    }
}

impl Drop for Hired {
    fn drop(&mut self) {
        match self {
            Hired::Worker(worker, _) => {
                worker.set_onmessage(None);
                worker.set_onerror(None);
                worker.terminate();
            }
            Hired::Here(port, [_, on_arrival]) => {
                if let Some(port) = port {
                    port.set_onmessage(None);
                }
                browser::unlisten(ARRIVED, on_arrival.as_ref().unchecked_ref());
            }
        }
    }
}

type Shared = Rc<RefCell<State>>;
type Hear = Rc<dyn Fn(Answer)>;

pub struct Line {
    state: Shared,
    hear: Hear,
    asked: LastAsked,
    /// The timer that ends a worker that does not stop.
    patience: RefCell<Option<Timeout>>,
    /// The requests since a stop that is not answered. A worker that replaces the stopped one gets
    /// them again. (`patience` cannot tell: it stays after it has run out.)
    since_stop: Rc<RefCell<Option<Vec<Request>>>>,
}

/// The numbers of the last search and the last crowd that a line was asked for: whoever waits for
/// them hears when the checker ends.
type LastAsked = Rc<Cell<[Option<u32>; 2]>>;

impl Line {
    pub fn new(hear: impl Fn(Answer) + 'static) -> Line {
        Line {
            state: Rc::new(RefCell::new(State::Idle)),
            hear: Rc::new(hear),
            asked: LastAsked::default(),
            patience: RefCell::new(None),
            since_stop: Rc::default(),
        }
    }

    /// Returns whether the checker runs in a worker, beside the page.
    pub fn is_in_worker(&self) -> bool {
        matches!(*self.state.borrow(), State::Working(Hired::Worker(..)))
    }

    pub fn is_idle(&self) -> bool {
        matches!(*self.state.borrow(), State::Idle)
    }

    /// Asks the checker, which is loaded if it is not there.
    pub fn ask(&self, request: Request) {
        let [search, crowd] = self.asked.get();
        match &request {
            Request::Start(start) => self.asked.set([Some(start.id), crowd]),
            Request::Crowd(begin) => self.asked.set([search, Some(begin.id)]),
            _ => {}
        }
        if self.is_idle() {
            hire(&self.state, &self.hear, &self.asked, Vec::new());
        }
        match &mut *self.state.borrow_mut() {
            State::Idle => {}
            State::Loading(_, waiting) => waiting.push(request),
            State::Working(hired) => {
                hired.post(&request);
                if let Some(asked) = &mut *self.since_stop.borrow_mut() {
                    asked.push(request);
                }
            }
        }
    }

    /// Stops search `id`; a worker that does not respond is replaced.
    pub fn stop(&self, id: u32) {
        self.ask(Request::Stop(id));
        if !matches!(*self.state.borrow(), State::Working(Hired::Worker(..))) {
            return;
        }
        self.since_stop.borrow_mut().get_or_insert_default();
        let (state, hear) = (self.state.clone(), self.hear.clone());
        let (since, asked) = (self.since_stop.clone(), self.asked.clone());
        let replace = move || hire(&state, &hear, &asked, since.take().unwrap_or_default());
        *self.patience.borrow_mut() = Some(Timeout::new(STOP_MS, replace));
    }

    /// Notes that the worker answered a stop, so that it is not replaced.
    pub fn stopped(&self) {
        *self.patience.borrow_mut() = None;
        self.since_stop.take();
    }
}

/// Starts a checker in place of the present one; `waiting` are its first requests.
fn hire(state: &Shared, hear: &Hear, asked: &LastAsked, waiting: Vec<Request>) {
    let hired = start_worker(state, hear, asked);
    let hired = hired.unwrap_or_else(|_| load_here(state, hear, asked));
    let before = state.replace(State::Loading(hired, waiting));
    // A listener cannot be dropped while it runs.
    Timeout::new(0, move || drop(before)).forget();
}

/// Returns a listener that passes on the checker's answers.
fn listener(state: &Shared, hear: &Hear) -> Listener {
    let (state, hear) = (state.clone(), hear.clone());
    Closure::new(move |event: MessageEvent| {
        let text = event.data().as_string().unwrap_or_default();
        match Answer::read(&text) {
            Ok(Answer::Ready) => ready(&mut state.borrow_mut()),
            Ok(answer) => hear(answer),
            Err(_) => {}
        }
    })
}

fn ready(state: &mut State) {
    if let State::Loading(..) = state
        && let State::Loading(hired, waiting) = std::mem::replace(state, State::Idle)
    {
        waiting.iter().for_each(|request| hired.post(request));
        *state = State::Working(hired);
    }
}

/// Takes the requests that still wait, if the checker did not load.
fn unasked(state: &Shared) -> Vec<Request> {
    match &mut *state.borrow_mut() {
        State::Loading(_, waiting) => std::mem::take(waiting),
        _ => Vec::new(),
    }
}

/// Handles a checker that ended in an error. The next request starts a new one.
fn ended(state: &Shared, hear: &Hear, asked: &LastAsked) {
    let before = state.replace(State::Idle);
    Timeout::new(0, move || drop(before)).forget();
    asked.take().into_iter().flatten().for_each(|id| hear(Answer::Ended(id)));
}

// ---- In a worker --------------------------------------------------------------------------------

/// An error means that the browser refuses at once. If it refuses later, what was asked is done on
/// the page.
fn start_worker(state: &Shared, hear: &Hear, asked: &LastAsked) -> Result<Hired, JsValue> {
    let Program { script, wasm } = program()?;
    let worker = browser::start_worker(&script, &wasm)?;
    let on_message = listener(state, hear);
    let (of_line, hear, asked) = (state.clone(), hear.clone(), asked.clone());
    let on_error = Listener::new(move |event: MessageEvent| {
        // It is dealt with here.
        event.prevent_default();
        if matches!(*of_line.borrow(), State::Working(_)) {
            return ended(&of_line, &hear, &asked);
        }
        let waiting = unasked(&of_line);
        let here = load_here(&of_line, &hear, &asked);
        let before = of_line.replace(State::Loading(here, waiting));
        Timeout::new(0, move || drop(before)).forget();
    });
    worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
    Ok(Hired::Worker(worker, [on_message, on_error]))
}

// ---- On the page --------------------------------------------------------------------------------

/// Loads the checker into the page. An event reports that it has loaded, or why it has not.
fn load_here(state: &Shared, hear: &Hear, asked: &LastAsked) -> Hired {
    let on_message = listener(state, hear);
    let (of_line, tell, asked) = (state.clone(), hear.clone(), asked.clone());
    let on_arrival = Listener::new(move |event: MessageEvent| {
        let port = event.ports().get(0).dyn_into::<MessagePort>();
        match (&mut *of_line.borrow_mut(), port) {
            (State::Loading(Hired::Here(place, [on_message, _]), _), Ok(port)) => {
                port.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
                *place = Some(port);
                return;
            }
            (_, Ok(_)) => return,
            (_, Err(_)) => {}
        }
        if matches!(*of_line.borrow(), State::Working(_)) {
            return ended(&of_line, &tell, &asked);
        }
        let why = event.data().as_string().unwrap_or_default();
        for request in unasked(&of_line) {
            let id = match request {
                Request::Start(start) => start.id,
                Request::Crowd(begin) => begin.id,
                _ => continue,
            };
            tell(Answer::Failed(Failure { id, why: why.clone() }));
        }
        let before = of_line.replace(State::Idle);
        Timeout::new(0, move || drop(before)).forget();
    });
    browser::listen(ARRIVED, on_arrival.as_ref().unchecked_ref());
    wasm_bindgen_futures::spawn_local(async {
        let loaded = match program() {
            Ok(Program { script, wasm }) => browser::load_program(&script, &wasm).await,
            Err(why) => Err(why.as_string().unwrap_or_default()),
        };
        if let Err(why) = loaded {
            browser::tell(ARRIVED, &why);
        }
    });
    Hired::Here(None, [on_message, on_arrival])
}

/// The addresses of the checker's script and wasm.
struct Program {
    script: String,
    wasm: String,
}

/// The page's head has them: see `check stamp`.
fn program() -> Result<Program, JsValue> {
    let missing = || JsValue::from_str("the page does not name its checker");
    let address = |name: &str| browser::linked(name).ok_or_else(missing);
    Ok(Program {
        script: address("link[rel=search-script]")?,
        wasm: address("link[rel=search-wasm]")?,
    })
}
