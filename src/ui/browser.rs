//! The browser behind functions that cannot panic: whatever it refuses is an answer.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Document, Element, Performance, Response, Storage, Window};

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

/// Shows `fragment` in the address bar without a new entry in the history.
pub fn replace_fragment(fragment: &str) {
    // An opaque origin or a rate limit may refuse; the page works without it.
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{fragment}")));
    }
}

/// Goes to `fragment`, with a new entry in the history; an event tells of it.
pub fn go(fragment: &str) {
    if let Some(window) = window() {
        let _ = window.location().set_hash(fragment);
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

/// The first of the files that a field, or what is dragged, has: its name, and itself.
pub fn first_file(holder: &JsValue) -> Option<(String, Blob)> {
    let files = js_sys::Reflect::get(holder, &"files".into()).ok()?;
    let file = js_sys::Reflect::get(&files, &0.into()).ok()?;
    let name = js_sys::Reflect::get(&file, &"name".into()).ok()?.as_string()?;
    Some((name, file.dyn_into().ok()?))
}

fn dragged(event: &web_sys::Event) -> Option<JsValue> {
    let data = js_sys::Reflect::get(event, &"dataTransfer".into()).ok()?;
    data.is_object().then_some(data)
}

/// Files are being dragged, not text.
pub fn drags_files(event: &web_sys::Event) -> bool {
    let types = dragged(event).and_then(|data| js_sys::Reflect::get(&data, &"types".into()).ok());
    types.is_some_and(|types| js_sys::Array::from(&types).includes(&"Files".into(), 0))
}

/// The file that was dropped.
pub fn dropped(event: &web_sys::Event) -> Option<(String, Blob)> {
    first_file(&dragged(event)?)
}

/// The bytes of a file; the error is in the browser's words.
pub async fn bytes(file: &Blob) -> Result<Vec<u8>, String> {
    let buffer = JsFuture::from(file.array_buffer()).await.map_err(words)?;
    Ok(js_sys::Uint8Array::new(&buffer).to_vec())
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
