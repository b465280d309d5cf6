//! The browser behind functions that cannot panic: whatever it refuses is an answer.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, Element, HtmlElement, Performance, Response, Storage, Window};

pub fn window() -> Option<Window> {
    web_sys::window()
}

pub fn document() -> Option<Document> {
    window()?.document()
}

/// The part of the URL after `#`, with it.
pub fn fragment() -> String {
    window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// The part of the URL between `?` and `#`, with the `?`.
pub fn query() -> String {
    window().and_then(|window| window.location().search().ok()).unwrap_or_default()
}

/// Makes `fragment` the address's, in one way or the other: some refuse the first where the page
/// has no origin of its own.
pub fn go_to_fragment(text: &str) {
    replace_fragment(text);
    if fragment() != format!("#{text}")
        && let Some(window) = window()
    {
        let _ = window.location().set_hash(text);
    }
}

/// Shows `fragment` in the address bar without a new entry in the history.
pub fn replace_fragment(fragment: &str) {
    // An opaque origin or a rate limit may refuse; the page works without it.
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{fragment}")));
    }
}

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

pub fn stored(name: &str) -> Option<String> {
    storage()?.get_item(&format!("interleave.{name}")).ok()?
}

/// Keeps a value for the next visit, where the browser allows it.
pub fn store(name: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(&format!("interleave.{name}"), value);
    }
}

/// The first of the reader's languages that has a tag.
pub fn languages() -> Vec<String> {
    let Some(window) = window() else { return Vec::new() };
    window.navigator().languages().iter().filter_map(|tag| tag.as_string()).collect()
}

/// Sets an attribute of the document's root element.
pub fn set_root(name: &str, value: &str) {
    if let Some(root) = document().and_then(|document| document.document_element()) {
        let _ = root.set_attribute(name, value);
    }
}

/// Sets a property of the root element's style.
pub fn set_root_style(name: &str, value: &str) {
    let root = document().and_then(|document| document.document_element());
    if let Some(root) = root.and_then(|root| root.dyn_into::<HtmlElement>().ok()) {
        let _ = root.style().set_property(name, value);
    }
}

/// The window's width and height; 0 while nobody can see it.
pub fn size() -> (i32, i32) {
    let Some(window) = window() else { return (0, 0) };
    let pixels = |size: Result<JsValue, JsValue>| {
        size.ok().and_then(|size| size.as_f64()).unwrap_or(0.0) as i32
    };
    (pixels(window.inner_width()), pixels(window.inner_height()))
}

pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// The text of a file beside the page; the error is in words of the browser or the server.
pub async fn load(path: String) -> Result<String, String> {
    let window = window().ok_or("no window")?;
    let fetched = JsFuture::from(window.fetch_with_str(&path)).await.map_err(words)?;
    let response: Response = fetched.dyn_into().map_err(words)?;
    if !response.ok() {
        return Err(format!("{} {}", response.status(), response.status_text()));
    }
    let text = JsFuture::from(response.text().map_err(words)?).await.map_err(words)?;
    text.as_string().ok_or_else(|| "not a text".to_owned())
}

/// Puts `text` into the clipboard; false where the browser does not allow it.
pub async fn copy(text: String) -> bool {
    let Some(window) = window() else { return false };
    // Outside a secure context there is no clipboard object at all.
    let navigator = window.navigator();
    let present = js_sys::Reflect::get(&navigator, &"clipboard".into());
    if !present.is_ok_and(|clipboard| clipboard.is_object()) {
        return false;
    }
    JsFuture::from(navigator.clipboard().write_text(&text)).await.is_ok()
}

pub fn address() -> String {
    window().and_then(|window| window.location().href().ok()).unwrap_or_default()
}

/// The address without its fragment, and with this one.
pub fn address_with(fragment: &str) -> String {
    let address = address();
    let page = address.split('#').next().unwrap_or_default();
    format!("{page}#{fragment}")
}

/// Milliseconds since some moment; in a worker too.
pub fn now_ms() -> f64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into()).ok();
    let performance = performance.and_then(|found| found.dyn_into::<Performance>().ok());
    performance.map_or(0.0, |performance| performance.now())
}

/// The whole address that a link in the document's head leads to.
pub fn linked(selector: &str) -> Option<String> {
    let link = document()?.query_selector(selector).ok()??;
    let href = js_sys::Reflect::get(&link, &"href".into()).ok()?;
    href.as_string()
}

/// Calls `listener` when `event` comes to the window.
pub fn listen(event: &str, listener: &js_sys::Function) {
    if let Some(window) = window() {
        let _ = window.add_event_listener_with_callback(event, listener);
    }
}

pub fn unlisten(event: &str, listener: &js_sys::Function) {
    if let Some(window) = window() {
        let _ = window.remove_event_listener_with_callback(event, listener);
    }
}

/// Runs a line of our own JavaScript: what Rust cannot say, such as `import()`.
pub fn run_script(text: &str) {
    let Some(document) = document() else { return };
    if let (Ok(script), Some(head)) = (document.create_element("script"), document.head()) {
        script.set_text_content(Some(text));
        let _ = head.append_child(&script);
        script.remove();
    }
}

/// A number to seed a random run with.
pub fn seed() -> u64 {
    (js_sys::Math::random() * (1u64 << 53) as f64) as u64
}

/// True where a finger is the main pointer.
pub fn is_touch() -> bool {
    let query = window().and_then(|window| window.match_media("(pointer: coarse)").ok()).flatten();
    query.is_some_and(|query| query.matches())
}

/// The element under a point of the window that carries `data-step`, and its value.
pub fn step_at(x: i32, y: i32) -> Option<usize> {
    let element = document()?.element_from_point(x as f32, y as f32)?;
    let carrier: Element = element.closest("[data-step]").ok()??;
    carrier.get_attribute("data-step")?.parse().ok()
}

fn words(error: JsValue) -> String {
    let message = js_sys::Reflect::get(&error, &"message".into()).ok();
    message.and_then(|message| message.as_string()).unwrap_or_else(|| format!("{error:?}"))
}
