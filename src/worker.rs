//! The checker as the program `search` (src/bin/search.rs), which the page loads shortly before it
//! is needed: in a worker, or on the page if the browser refuses a worker.
//!
//! [`serve`] hands requests to a [`Desk`], and gives it one slice of time after the other. The
//! page's end is `ui::line`. It is no part of `ui`, so that `search` is built without Yew and
//! without the page.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use web_sys::{
    DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessageEventInit, MessagePort,
    Performance,
};

use crate::jobs::desk::Desk;
use crate::jobs::{Answer, Request};

/// The event that reports a checker loaded into the page: it carries a port to the checker, or the
/// reason why there is none. The page's head sends it if the checker has ended with an error.
pub const ARRIVED: &str = "interleave-search";

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
    let desk = Rc::new(RefCell::new(Desk::new(say, now_ms)));
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
