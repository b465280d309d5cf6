//! The line to the page around the frame: the origins that listen, and the height of the frame.
//!
//! Learner data goes only to the origin that the address declares or, where it declares none, to
//! the one that greeted. Before somebody listens the page fills its frame and scrolls in it; after
//! that it is as high as it likes, and says so.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlElement, MessageEvent, ResizeObserver, Window};

use crate::json::Json;
use crate::ui::browser;
use crate::view::embed::{Embed, HEIGHT_MAX, compat, message};

use super::paper;

/// Changes of height smaller than this, in px, are not reported.
const SLACK: u32 = 2;
/// How long nothing has been told, in ms, before the height on paper is measured.
const PAPER_MS: u32 = 1000;
/// Windows up to this height have a closer layout: see style.css.
const LOW: i32 = 620;

pub struct Post {
    line: Rc<Line>,
    /// The wait for the next measurement of the height on paper.
    paper: Option<Timeout>,
}

/// The state that the browser's callbacks share with the page.
struct Line {
    parent: Window,
    /// The origin that the address declares, if any.
    declared: Option<String>,
    /// The origin that greeted; `*` for a page without an origin of its own.
    greeted: RefCell<Option<String>>,
    /// True if the host speaks LTI, which has messages of its own.
    lti: bool,
    h5p: Cell<bool>,
    follows: bool,
    max: u32,
    grows: Cell<bool>,
    /// The height reported last, in px.
    height: Cell<u32>,
    /// The page does not get lower than this while it shows the same thing, so that buttons keep
    /// their place under the pointer; it belongs to a width of the window.
    floor: Cell<u32>,
    width: Cell<i32>,
    /// The frame has become low, and with it what is in it; that is taken into account once, so
    /// that two layouts never call each other for ever.
    low: Cell<bool>,
    /// True if a frame of animation was requested.
    pending: Cell<bool>,
    measure: RefCell<Option<Closure<dyn FnMut()>>>,
}

impl Post {
    /// Connects to the page around. `hear` gets its messages, as JSON, with their origin. `None` if
    /// the page is not in a frame.
    pub fn new(asked: &Embed, hear: impl Fn(String, String) + 'static) -> Option<Post> {
        let window = browser::window()?;
        let parent = window.parent().ok()??;
        if js_sys::Object::is(&parent, &window) {
            return None;
        }
        let line = Rc::new(Line {
            parent,
            declared: asked.origin.clone(),
            greeted: RefCell::new(None),
            lti: asked.speaks("lti"),
            h5p: Cell::new(false),
            follows: asked.height.is_none(),
            max: asked.max.unwrap_or(HEIGHT_MAX),
            grows: Cell::new(false),
            height: Cell::new(0),
            floor: Cell::new(0),
            width: Cell::new(0),
            low: Cell::new(false),
            pending: Cell::new(false),
            measure: RefCell::new(None),
        });
        let of = line.clone();
        let listener = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            // Anybody can send anything here; only the page around is listened to.
            let source = event.source().map(JsValue::from).unwrap_or(JsValue::NULL);
            let origin = event.origin();
            let stranger = of.declared.as_ref().is_some_and(|declared| *declared != origin);
            if js_sys::Object::is(&source, &of.parent)
                && !stranger
                && let Some(text) = as_json(&event.data())
            {
                hear(text, origin);
            }
        });
        browser::listen("message", listener.as_ref().unchecked_ref());
        // For as long as the page lives.
        listener.forget();
        if line.lti {
            line.grow();
        }
        if asked.speaks("h5p") {
            line.send(&compat::h5p_hello(), line.declared.as_deref().unwrap_or("*"));
        }
        Some(Post { line, paper: None })
    }

    /// Starts watching the page's height.
    pub fn observe(&self) {
        let page =
            browser::document().and_then(|document| document.query_selector(".page").ok()?);
        let Some(page) = page.and_then(|page| page.dyn_into::<HtmlElement>().ok()) else { return };
        let of = self.line.clone();
        let seen = page.clone();
        *self.line.measure.borrow_mut() = Some(Closure::new(move || of.measured(&seen)));
        let of = self.line.clone();
        let changed = Closure::<dyn Fn()>::new(move || of.ask());
        if let Ok(observer) = ResizeObserver::new(changed.as_ref().unchecked_ref()) {
            observer.observe(&page);
            // For as long as the page lives.
            std::mem::forget(observer);
        }
        changed.forget();
    }

    /// Notes that the page of this origin listens, and how high its window is, in pixels.
    pub fn greeted_by(&self, origin: &str, window: Option<u32>) {
        if let Some(height) = window {
            browser::set_root_style("--window", &format!("{height}px"));
            self.line.set_floor(0);
        }
        let target = if origin == "null" { "*" } else { origin };
        self.line.greeted.replace(Some(target.to_owned()));
        self.line.height.set(0);
        self.line.grow();
    }

    pub fn h5p_greeted(&self) {
        self.line.h5p.set(true);
        self.line.height.set(0);
        self.line.grow();
    }

    /// Sends a message without learner data to any listener.
    pub fn tell(&self, message: &Json) {
        self.line.send(message, self.line.declared.as_deref().unwrap_or("*"));
    }

    /// Sends a message to the teacher's page only; to no one while its origin is not known.
    pub fn confide(&self, message: &Json) {
        let greeted = self.line.greeted.borrow();
        if let Some(target) = self.line.declared.as_ref().or(greeted.as_ref()) {
            self.line.send(message, target);
        }
    }

    /// Reports the height on paper, when nothing has been told for a while, to a page that listens.
    /// The page must be whole.
    #[inline(never)]
    pub fn tell_paper(&mut self) {
        if self.line.greeted.borrow().is_none() {
            return;
        }
        let line = self.line.clone();
        self.paper = Some(Timeout::new(PAPER_MS, move || {
            spawn_local(async move {
                if let Some(height) = paper::height().await {
                    line.send(&message::paper(height), line.declared.as_deref().unwrap_or("*"));
                }
            });
        }));
    }

    /// Sends an answer to the origin of the request.
    pub fn answer(&self, message: &Json, origin: &str) {
        self.line.send(message, if origin == "null" { "*" } else { origin });
    }

    /// Allows the page to become lower, because something else is shown.
    pub fn sink(&self) {
        self.line.set_floor(0);
        self.line.low.set(false);
        self.line.ask();
    }
}

impl Line {
    fn send(&self, message: &Json, target: &str) {
        // A target that is no origin is refused by the browser, as it should be.
        if let Ok(value) = js_sys::JSON::parse(&message.to_string()) {
            let _ = self.parent.post_message(&value, target);
        }
    }

    fn grow(&self) {
        if self.follows {
            self.grows.set(true);
            browser::set_root("data-embed", "grows");
            self.ask();
        }
    }

    /// Requests one measurement at the next frame of animation, which browsers run only while the
    /// page is visible.
    fn ask(&self) {
        if !self.grows.get() || self.pending.get() {
            return;
        }
        let measure = self.measure.borrow();
        if let (Some(window), Some(measure)) = (browser::window(), measure.as_ref()) {
            let asked = window.request_animation_frame(measure.as_ref().unchecked_ref());
            self.pending.set(asked.is_ok());
        }
    }

    fn measured(&self, page: &HtmlElement) {
        self.pending.set(false);
        let (width, window_height) = browser::window_size();
        if width == 0 {
            return;
        }
        if self.width.replace(width) != width {
            self.set_floor(0);
            self.low.set(false);
        }
        if window_height <= LOW && !self.low.replace(true) {
            self.set_floor(0);
        }
        let height = page.get_bounding_client_rect().height().ceil().clamp(0.0, HEIGHT_MAX.into());
        let height = (height as u32).max(self.floor.get());
        self.set_floor(height);
        let height = height.min(self.max);
        if height.abs_diff(self.height.get()) < SLACK {
            return;
        }
        self.height.set(height);
        let open = self.declared.as_deref();
        let greeted = self.greeted.borrow();
        if let Some(target) = open.or(greeted.as_deref()) {
            self.send(&message::resize(height), target);
        }
        if self.lti {
            self.send(&compat::lti_resize(height), open.unwrap_or("*"));
        }
        if self.h5p.get() {
            self.send(&compat::h5p_resize(height), open.unwrap_or("*"));
        }
    }

    fn set_floor(&self, floor: u32) {
        if self.floor.replace(floor) != floor {
            browser::set_root_style("--floor", &format!("{floor}px"));
        }
    }
}

/// Returns the text of a plain object that is a message of ours or of H5P.
fn as_json(data: &JsValue) -> Option<String> {
    if !data.is_object() {
        return None;
    }
    let has = |name: &str| js_sys::Reflect::get(data, &name.into()).is_ok_and(|v| v.is_string());
    if !(has("ns") || has("context")) {
        return None;
    }
    js_sys::JSON::stringify(data).ok()?.as_string()
}
