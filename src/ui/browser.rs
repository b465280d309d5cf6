//! Functions for the browser that cannot panic: a refusal is a return value.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, Document, Element, FocusOptions, HtmlElement, KeyboardEvent, MessageEvent,
    MessageEventInit, Response, Storage, Window, Worker,
};

use crate::app::keys::KeyPress;

/// Returns the browser's window; natively there is none.
pub fn window() -> Option<Window> {
    if cfg!(target_arch = "wasm32") { web_sys::window() } else { None }
}

pub fn document() -> Option<Document> {
    window()?.document()
}

/// Returns whether all parts of the program have loaded; see src/divide.
pub fn is_whole() -> bool {
    let root = document().and_then(|document| document.document_element());
    root.is_none_or(|root| !root.has_attribute("data-later"))
}

/// Returns the part of the URL after `#`, with the `#`.
pub fn fragment() -> String {
    window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// Returns the part of the URL between `?` and `#`, with the `?`.
pub fn query() -> String {
    window().and_then(|window| window.location().search().ok()).unwrap_or_default()
}

/// Makes `text` the fragment of the address. Sets the hash if replacing the history entry failed,
/// as it may on a page with an opaque origin.
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
        let state = history.state().unwrap_or_default();
        let _ = history.replace_state_with_url(&state, "", Some(&format!("#{fragment}")));
    }
}

/// Shows `fragment` in the address bar with a new entry in the history: "Back" leads to where the
/// page was. No event tells of it.
pub fn push_fragment(fragment: &str) {
    let pushed = window().and_then(|window| window.history().ok()).is_some_and(|history| {
        let address = format!("#{fragment}");
        history.push_state_with_url(&JsValue::NULL, "", Some(&address)).is_ok()
    });
    if !pushed {
        replace_fragment(fragment);
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

/// Whether keys of one character do anything: the list of keys has the switch.
pub fn has_letters() -> bool {
    stored("letters").as_deref() != Some("off")
}

/// Stores a value for the next visit; returns false if the browser refuses or has no room.
pub fn store(name: &str, value: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(&format!("interleave.{name}"), value).is_ok())
}

pub fn unstore(name: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(&format!("interleave.{name}"));
    }
}

/// Returns the storage of this tab, which lasts until the tab is closed.
pub fn tab_storage() -> Option<Storage> {
    window()?.session_storage().ok()?
}

/// Returns the tags of the reader's languages, the preferred one first.
pub fn languages() -> Vec<String> {
    let Some(window) = window() else { return Vec::new() };
    window.navigator().languages().iter().filter_map(|tag| tag.as_string()).collect()
}

/// Sets an attribute of the document's root element, unless it has that value already: a change
/// could affect all styles.
pub fn set_root(name: &str, value: &str) {
    if let Some(root) = document().and_then(|document| document.document_element())
        && root.get_attribute(name).as_deref() != Some(value)
    {
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

pub fn set_title(title: &str) {
    if let Some(document) = document().filter(|document| document.title() != title) {
        document.set_title(title);
    }
}

/// Returns the text of a file beside the page; the error is the browser's or the server's message.
pub async fn load(path: String) -> Result<String, String> {
    let window = window().ok_or("no window")?;
    // The page's head may have asked for it already, to be earlier than this program.
    let early = js_sys::Reflect::get(&window, &"interleaveEarly".into());
    let early = early.and_then(|early| js_sys::Reflect::get(&early, &path.as_str().into()));
    let early = early.and_then(|promise| promise.dyn_into::<js_sys::Promise>());
    let fetched = match early {
        // A response can be read once.
        Ok(promise) => {
            let taken = js_sys::Reflect::get(&window, &"interleaveEarly".into());
            let _ = taken.and_then(|taken| {
                js_sys::Reflect::set(&taken, &path.as_str().into(), &JsValue::UNDEFINED)
            });
            promise
        }
        Err(_) => window.fetch_with_str(&path),
    };
    let fetched = JsFuture::from(fetched).await.map_err(words)?;
    let response: Response = fetched.dyn_into().map_err(words)?;
    if !response.ok() {
        return Err(format!("{} {}", response.status(), response.status_text()));
    }
    let text = JsFuture::from(response.text().map_err(words)?).await.map_err(words)?;
    text.as_string().ok_or_else(|| "not a text".to_owned())
}

/// Returns the first file of a file field or a drag, with its name.
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

/// Returns whether files are dragged, not text.
pub fn drags_files(event: &web_sys::Event) -> bool {
    let types = dragged(event).and_then(|data| js_sys::Reflect::get(&data, &"types".into()).ok());
    types.is_some_and(|types| js_sys::Array::from(&types).includes(&"Files".into(), 0))
}

/// Returns the file that was dropped.
pub fn dropped(event: &web_sys::Event) -> Option<(String, Blob)> {
    first_file(&dragged(event)?)
}

/// Returns the key of an event, and where it was pressed.
pub fn key_press(event: &KeyboardEvent) -> KeyPress {
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    let inner = |element: &Element| element.closest("dialog, .log").ok().flatten().is_some();
    KeyPress {
        key: event.key(),
        code: event.code(),
        shift: event.shift_key(),
        alt: event.alt_key(),
        command: event.ctrl_key() || event.meta_key(),
        is_inner: target.as_ref().is_some_and(inner),
        tag: target.map(|element| element.tag_name()).unwrap_or_default(),
    }
}

/// Returns the bytes of a file; the error is the browser's message.
pub async fn bytes(file: &Blob) -> Result<Vec<u8>, String> {
    let buffer = JsFuture::from(file.array_buffer()).await.map_err(words)?;
    Ok(js_sys::Uint8Array::new(&buffer).to_vec())
}

/// Copies `text` to the clipboard; returns false if the browser refuses.
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

/// Returns the address with this fragment in place of its own.
pub fn address_with(fragment: &str) -> String {
    let address = address();
    let page = address.split('#').next().unwrap_or_default();
    format!("{page}#{fragment}")
}

/// Returns the same for the page itself, also where a course page has embedded it.
#[inline(never)]
pub fn page_with(fragment: &str) -> String {
    let address = address();
    let page = address.split(['#', '?']).next().unwrap_or_default();
    format!("{page}#{fragment}")
}

pub use crate::worker::now_ms;

/// Returns the whole address of a link in the document's head.
pub fn linked(selector: &str) -> Option<String> {
    let link = document()?.query_selector(selector).ok()??;
    let href = js_sys::Reflect::get(&link, &"href".into()).ok()?;
    href.as_string()
}

/// Calls `listener` on each `event` of the window.
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

/// Loads one of our programs into the page. Rust cannot call `import()`, and the page's policy
/// forbids adding scripts, so a function in the page's head does it.
pub async fn load_program(script: &str, wasm: &str) -> Result<(), String> {
    let window = window().ok_or("no window")?;
    let load = js_sys::Reflect::get(&window, &"interleaveImport".into()).map_err(words)?;
    let load: js_sys::Function = load.dyn_into().map_err(words)?;
    let loading = load.call2(&JsValue::NULL, &script.into(), &wasm.into()).map_err(words)?;
    let loading: js_sys::Promise = loading.dyn_into().map_err(words)?;
    JsFuture::from(loading).await.map_err(words)?;
    Ok(())
}

/// Starts one of our programs in a worker. A function in the page's head does it, because only that
/// may name a script to run (Trusted Types).
pub fn start_worker(script: &str, wasm: &str) -> Result<Worker, JsValue> {
    let window = window().ok_or(JsValue::NULL)?;
    let start = js_sys::Reflect::get(&window, &"interleaveWorker".into())?;
    let start: js_sys::Function = start.dyn_into()?;
    start.call2(&JsValue::NULL, &script.into(), &wasm.into())?.dyn_into()
}

/// Sends an event with a word to the window.
pub fn tell(event: &str, word: &str) {
    let detail = MessageEventInit::new();
    detail.set_data(&word.into());
    if let (Some(window), Ok(event)) =
        (window(), MessageEvent::new_with_event_init_dict(event, &detail))
    {
        let _ = window.dispatch_event(&event);
    }
}

/// Scrolls each of these panes to the last of its elements that match the first of `parts` found in
/// it.
pub fn scroll_to(panes: &str, parts: &[&str]) {
    let panes = document().and_then(|document| document.query_selector_all(panes).ok());
    let Some(panes) = panes else { return };
    for at in 0..panes.length() {
        if let Some(pane) = panes.get(at).and_then(|pane| pane.dyn_into::<Element>().ok()) {
            scroll_pane_to(&pane, parts);
        }
    }
}

/// Scrolls one pane, as [`scroll_to`] does.
pub fn scroll_pane_to(pane: &Element, parts: &[&str]) {
    let last = |part: &&str| {
        let found = pane.query_selector_all(part).ok()?;
        found.get(found.length().checked_sub(1)?)?.dyn_into::<Element>().ok()
    };
    if let Some(last) = parts.iter().find_map(last) {
        scroll_to_show(pane, &last, 0.0);
    }
}

/// Scrolls a pane as little as is needed to show an element of it, below what covers the pane down
/// to `covered`, a place on the screen.
pub fn scroll_to_show(pane: &Element, element: &Element, covered: f64) {
    let (outer, inner) = (pane.get_bounding_client_rect(), element.get_bounding_client_rect());
    let below = inner.bottom() - outer.bottom();
    let above = outer.top().max(covered) - inner.top();
    let by = if below > 0.0 { below } else { -above.max(0.0) };
    // In the presenter view a px of the page is more than one of the screen.
    let own = pane.dyn_ref::<HtmlElement>().map_or(0, HtmlElement::offset_height);
    let scale = outer.height() / f64::from(own.max(1));
    pane.set_scroll_top(pane.scroll_top() + (by / scale).round() as i32);
}

/// Returns the day, by the reader's clock: `2026-11-28`.
pub fn today() -> String {
    let now = js_sys::Date::new_0();
    format!("{:04}-{:02}-{:02}", now.get_full_year(), now.get_month() + 1, now.get_date())
}

/// Returns a number to seed a random run with.
pub fn seed() -> u64 {
    (js_sys::Math::random() * (1u64 << 53) as f64) as u64
}

/// Returns whether the main pointer is a finger.
pub fn is_touch() -> bool {
    matches("(pointer: coarse)")
}

/// Scrolls the page to its top: a page around it stays where it is.
pub fn to_top() {
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Scrolls an element into view.
pub fn show(selector: &str) {
    let found = document().and_then(|document| document.query_selector(selector).ok().flatten());
    if let Some(element) = found {
        element.scroll_into_view();
    }
}

/// Focuses an element, if the page has the keyboard: a frame does not take it from the page around.
pub fn focus(selector: &str) {
    let has_focus = document().is_some_and(|one| one.has_focus().unwrap_or_default());
    if let Some(element) = found(selector).filter(|_| has_focus) {
        let _ = element.focus();
    }
}

/// Focuses and presses an element.
pub fn press(selector: &str) {
    if let Some(element) = found(selector) {
        let _ = element.focus();
        element.click();
    }
}

fn found(selector: &str) -> Option<HtmlElement> {
    document()?.query_selector(selector).ok()??.dyn_into().ok()
}

/// Opens the browser's dialog for printing.
pub fn print() {
    if let Some(window) = window() {
        let _ = window.print();
    }
}

/// Gives the keyboard to the first element found, also to one that does not take it otherwise.
#[inline(never)]
pub fn skip_to(selectors: [&str; 2]) {
    if let Some(element) = selectors.into_iter().find_map(found) {
        give_focus(&element, true);
    }
}

/// Gives the keyboard to an element, also to one that does not take it otherwise.
pub fn give_focus(element: &HtmlElement, scrolls: bool) {
    if element.tab_index() < 0 {
        element.set_tab_index(-1);
    }
    let options = FocusOptions::new();
    options.set_prevent_scroll(!scrolls);
    let _ = element.focus_with_options(&options);
}

/// Returns the element that has the keyboard.
pub fn focused() -> Option<Element> {
    document()?.active_element()
}

/// Moves the keyboard from `part`, which goes, to an element that had it `before`.
pub fn focus_from(part: &Element, before: Option<Element>) {
    let is_inside = focused().is_some_and(|focused| part.contains(Some(&focused)));
    let before = before.and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(element) = before.filter(|element| is_inside && element.is_connected()) {
        let _ = element.focus();
    }
}

/// Closes a menu if it is open; the focus returns to the button that opened it.
pub fn hide_popover(id: &str) {
    let found = document().and_then(|document| document.get_element_by_id(id));
    if let Some(menu) = found.and_then(|found| found.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = menu.hide_popover();
    }
}

/// Returns whether the reader prefers reduced motion.
pub fn is_calm() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

/// Returns the number of the machine's cores, as the browser reports it.
pub fn cores() -> usize {
    window().map_or(1, |window| window.navigator().hardware_concurrency() as usize)
}

/// Returns whether a media query matches.
pub fn matches(query: &str) -> bool {
    let query = window().and_then(|window| window.match_media(query).ok()).flatten();
    query.is_some_and(|query| query.matches())
}

#[cfg(not(target_arch = "wasm32"))]
pub use super::paint::window_size;

/// Returns the width and height of the window, in px.
#[cfg(target_arch = "wasm32")]
pub fn window_size() -> (i32, i32) {
    let Some(root) = document().and_then(|document| document.document_element()) else {
        return (0, 0);
    };
    (root.client_width(), root.client_height())
}

/// Returns an attribute of the document's root element.
pub fn root(name: &str) -> Option<String> {
    document()?.document_element()?.get_attribute(name)
}

fn words(error: JsValue) -> String {
    let message = js_sys::Reflect::get(&error, &"message".into()).ok();
    message.and_then(|message| message.as_string()).unwrap_or_else(|| format!("{error:?}"))
}

/// Returns the text of a paste or a drop.
pub fn pasted(event: &web_sys::Event) -> Option<String> {
    let data = ["clipboardData", "dataTransfer"].iter().find_map(|name| {
        let data = js_sys::Reflect::get(event, &(*name).into()).ok()?;
        data.is_object().then_some(data)
    })?;
    let get: js_sys::Function =
        js_sys::Reflect::get(&data, &"getData".into()).ok()?.dyn_into().ok()?;
    get.call1(&data, &"text/plain".into()).ok()?.as_string()
}

/// Returns the first `bytes_max` + 1 bytes of a file as text; the extra byte shows that it was cut.
pub async fn file_text(file: &Blob, bytes_max: usize) -> Option<String> {
    let part = file.slice_with_i32_and_i32(0, bytes_max as i32 + 1).ok()?;
    JsFuture::from(part.text()).await.ok()?.as_string()
}
