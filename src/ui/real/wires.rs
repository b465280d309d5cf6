//! The page's WebSockets to the proxy, by number.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{BinaryType, CloseEvent, Headers, MessageEvent, RequestInit, Response, WebSocket};
use yew::Callback;

use crate::real::{Effect, Heard};
use crate::text::{Lang, RealWord, fill, real};
use crate::ui::browser;

/// The proxy's code for a crash that was asked for.
const CRASHED: u16 = 4000;

enum Message {
    Bytes(Vec<u8>),
    Text(String),
}

struct Wire {
    id: u32,
    socket: WebSocket,
    /// The messages to send once the connection is open; `None` from then on.
    waiting: Rc<RefCell<Option<Vec<Message>>>>,
    _on_open: Closure<dyn Fn()>,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_close: Closure<dyn Fn(CloseEvent)>,
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onmessage(None);
        self.socket.set_onclose(None);
        let _ = self.socket.close();
    }
}

/// The address of the proxy, and the WebSockets to it.
pub struct Wires {
    /// `ws://127.0.0.1:8080/ws`.
    pub address: String,
    token: String,
    lang: Lang,
    list: Vec<Wire>,
    hear: Callback<(u32, Heard)>,
}

impl Wires {
    pub fn new(address: &str, token: &str, lang: Lang, hear: Callback<(u32, Heard)>) -> Wires {
        let (address, token) = (address.to_owned(), token.to_owned());
        Wires { address, token, lang, list: Vec::new(), hear }
    }

    /// Does what a machine asks for; what comes back is in how many ms it is to be woken.
    pub fn carry_out(&mut self, effects: Vec<Effect>) -> Option<u32> {
        let mut wake = None;
        for effect in effects {
            match effect {
                Effect::Open { id, node } => self.open(id, node),
                Effect::Bytes { id, bytes } => self.send_bytes(id, bytes),
                Effect::Text { id, text } => self.send_text(id, text),
                Effect::Close { id } => self.close(id),
                Effect::Wake { ms } => wake = Some(ms),
            }
        }
        wake
    }

    fn open(&mut self, id: u32, node: usize) {
        // Servers on the way write addresses down, so no secret stands there.
        let address = format!("{}?node={node}", self.address);
        let protocols = js_sys::Array::new();
        for word in protocols_of(&self.token) {
            protocols.push(&word.into());
        }
        let nobody = fill(real(self.lang, RealWord::NoProxy), &[&self.address]);
        let Ok(socket) = WebSocket::new_with_str_sequence(&address, &protocols) else {
            self.hear.emit((id, Heard::Closed(nobody)));
            return;
        };
        socket.set_binary_type(BinaryType::Arraybuffer);
        let waiting = Rc::new(RefCell::new(Some(Vec::new())));
        let on_open = {
            let (socket, waiting) = (socket.clone(), waiting.clone());
            Closure::<dyn Fn()>::new(move || {
                let all: Option<Vec<Message>> = waiting.borrow_mut().take();
                all.into_iter().flatten().for_each(|message| send(&socket, &message));
            })
        };
        let hear = self.hear.clone();
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            let data = event.data();
            let heard = match data.as_string() {
                Some(text) => Heard::Text(text),
                None => Heard::Bytes(js_sys::Uint8Array::new(&data).to_vec()),
            };
            hear.emit((id, heard));
        });
        let (hear, stood, token) = (self.hear.clone(), waiting.clone(), self.token.clone());
        let on_close = Closure::<dyn Fn(CloseEvent)>::new(move |event: CloseEvent| {
            let (code, reason) = (event.code(), event.reason());
            if stood.borrow().is_none() || code == CRASHED {
                let why = if reason.is_empty() { code.to_string() } else { reason };
                return hear.emit((id, Heard::Closed(why)));
            }
            // Scripts are not told why a WebSocket was refused: the same address says it.
            let (hear, address, nobody) = (hear.clone(), address.clone(), nobody.clone());
            let token = token.clone();
            spawn_local(async move {
                let why = refusal(&address, &token).await.unwrap_or(nobody);
                hear.emit((id, Heard::Closed(why)));
            });
        });
        socket.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(on_close.as_ref().unchecked_ref()));
        self.list.push(Wire {
            id,
            socket,
            waiting,
            _on_open: on_open,
            _on_message: on_message,
            _on_close: on_close,
        });
    }

    fn send_bytes(&self, id: u32, bytes: Vec<u8>) {
        self.send(id, Message::Bytes(bytes));
    }

    fn send_text(&self, id: u32, text: String) {
        self.send(id, Message::Text(text));
    }

    fn send(&self, id: u32, message: Message) {
        let Some(wire) = self.list.iter().find(|wire| wire.id == id) else { return };
        match &mut *wire.waiting.borrow_mut() {
            Some(waiting) => waiting.push(message),
            None => send(&wire.socket, &message),
        }
    }

    pub fn close_all(&mut self) {
        self.list.clear();
    }

    pub fn close(&mut self, id: u32) {
        self.list.retain(|wire| wire.id != id);
    }
}

fn send(socket: &WebSocket, message: &Message) {
    // One that is closing says so itself.
    let _ = match message {
        Message::Bytes(bytes) => socket.send_with_u8_array(bytes),
        Message::Text(text) => socket.send_with_str(text),
    };
}

/// Returns the proxy's answer to a request without a WebSocket.
async fn refusal(address: &str, token: &str) -> Option<String> {
    let plain = address.replacen("ws", "http", 1);
    let headers = Headers::new().ok()?;
    headers.set("Interleave-Visitor", &visitor()).ok()?;
    if !token.is_empty() {
        // One that cannot stand there is none of a proxy's.
        let _ = headers.set("Authorization", &format!("Bearer {token}"));
    }
    let with = RequestInit::new();
    with.set_headers(&headers);
    let asked = browser::window()?.fetch_with_str_and_init(&plain, &with);
    let asked = JsFuture::from(asked).await.ok()?;
    let response: Response = asked.dyn_into().ok()?;
    // 426: it would have been let in.
    if response.ok() || response.status() == 426 {
        return None;
    }
    let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
    let short = text.lines().next().unwrap_or_default();
    // A static host answers with a page of its own.
    (!short.is_empty() && short.len() < 400 && !short.starts_with('<')).then(|| short.to_owned())
}

/// Returns the subprotocols to offer: the proxy's own, and the secrets that let this page in.
fn protocols_of(token: &str) -> Vec<String> {
    let mut words = vec!["interleave".to_owned(), format!("visitor.{}", visitor())];
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._~".contains(c);
    if !token.is_empty() && token.chars().all(fits) {
        words.push(format!("token.{token}"));
    }
    words
}

thread_local! {
    static VISITOR: String = draw();
}

/// Returns the id of this tab, for its run and its crowd: a learner who connects again keeps their
/// servers, and their place among the visitors.
fn visitor() -> String {
    VISITOR.with(String::clone)
}

/// Draws it from the browser's best randomness: with it, others could use the visitor's keys.
fn draw() -> String {
    let bytes = js_sys::Uint8Array::new_with_length(16);
    let drawn = browser::window().and_then(|window| {
        let crypto = js_sys::Reflect::get(&window, &"crypto".into()).ok()?;
        let fill = js_sys::Reflect::get(&crypto, &"getRandomValues".into()).ok()?;
        fill.dyn_into::<js_sys::Function>().ok()?.call1(&crypto, &bytes).ok()
    });
    let random = || format!("{:016x}{:016x}", browser::seed(), browser::seed());
    match drawn {
        Some(_) => bytes.to_vec().iter().map(|byte| format!("{byte:02x}")).collect(),
        None => random(),
    }
}

/// Returns the address that the proxy has if it also serves this page; else a local default.
pub fn own_address() -> String {
    let base = browser::document().and_then(|document| document.base_uri().ok().flatten());
    let base = base.unwrap_or_default();
    let path = base.split(['?', '#']).next().unwrap_or_default();
    let folder = &path[..path.rfind('/').map_or(0, |at| at + 1)];
    match folder.strip_prefix("http") {
        Some(rest) => format!("ws{rest}ws"),
        None => "ws://127.0.0.1:8080/ws".to_owned(),
    }
}
