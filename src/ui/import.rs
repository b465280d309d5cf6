//! The dialog in which a transcript is read in, or a script for `--eval`: pasted, dropped, or
//! opened as a file.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlTextAreaElement, InputEvent};
use yew::prelude::*;

use crate::app::console::Do;
use crate::app::input::Input;
use crate::text::{Key, Lang, fill, tr};
use crate::view::console::import::{Imported, TEXT_MAX, import as read};

use super::browser;
use super::parts::dialog::{Frame, dialog};

/// A longer script does not fit into a line.
const SCRIPT_MAX: usize = 4 * 1024;
/// Notes that are shown.
const NOTES_SHOWN: usize = 20;

/// What is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dialog {
    open: bool,
    /// A script is asked for, not a transcript.
    script: bool,
    text: String,
    name: String,
    read: Option<Rc<Imported>>,
}

#[derive(Debug, Clone)]
pub enum ImportMsg {
    /// True: for a script.
    Open(bool),
    Close,
    Text(String),
    Name(String),
    /// A file that was opened, with its name.
    File(String, String),
    Read,
    /// True: as programs, false: at consoles.
    Take(bool),
    Keep,
}

impl Dialog {
    pub fn update(&mut self, asked: ImportMsg, on: &Callback<Input>) {
        match asked {
            ImportMsg::Open(script) => {
                *self = Dialog { open: true, script, ..Dialog::default() };
                self.name = "script.lua".to_owned();
            }
            ImportMsg::Close => self.open = false,
            ImportMsg::Text(text) => (self.text, self.read) = (text, None),
            ImportMsg::Name(name) => self.name = name,
            ImportMsg::File(name, text) => {
                (self.text, self.read) = (text, None);
                if self.script {
                    self.name = name;
                } else {
                    self.read = Some(Rc::new(read(&self.text)));
                }
            }
            ImportMsg::Read => self.read = Some(Rc::new(read(&self.text))),
            ImportMsg::Take(programs) => {
                self.open = false;
                if let Some(read) = &self.read {
                    on.emit(Input::Imported(read.clone(), programs));
                }
            }
            ImportMsg::Keep => {
                self.open = false;
                let script = Do::Script(self.name.trim().to_owned(), self.text.clone());
                on.emit(Input::Console(script));
            }
        }
    }
}

#[derive(PartialEq)]
struct Import {
    of: Dialog,
    lang: Lang,
    ask: Callback<ImportMsg>,
}

pub fn import(of: &Dialog, lang: Lang, ask: &Callback<ImportMsg>) -> Html {
    let frame = Frame {
        class: "import-dialog",
        lang,
        label: tr(lang, title(of)),
        on_close: ask.reform(|()| ImportMsg::Close),
        forgets: false,
    };
    let shown = of.open.then(|| Import { of: of.clone(), lang, ask: ask.clone() });
    dialog(frame, shown, form)
}

fn title(of: &Dialog) -> Key {
    if of.script { Key::ScriptTitle } else { Key::ImportTitle }
}

fn form(props: &Import) -> Html {
    let Import { of: dialog, lang, ask } = props;
    let lang = *lang;
    let about = if dialog.script { Key::ScriptAbout } else { Key::ImportAbout };
    let say = |asked: ImportMsg| ask.reform(move |_: MouseEvent| asked.clone());
    let oninput = ask.reform(|event: InputEvent| {
        let area: Option<HtmlTextAreaElement> = event.target_dyn_into();
        ImportMsg::Text(area.map(|area| area.value()).unwrap_or_default())
    });
    let on_name = ask.reform(|event: InputEvent| {
        let field: Option<HtmlInputElement> = event.target_dyn_into();
        ImportMsg::Name(field.map(|field| field.value()).unwrap_or_default())
    });
    let on_file = {
        let ask = ask.clone();
        Callback::from(move |event: Event| {
            let field: Option<HtmlInputElement> = event.target_dyn_into();
            take_file(field.and_then(|field| browser::first_file(&field)), &ask);
        })
    };
    let ondrop = {
        let ask = ask.clone();
        Callback::from(move |event: DragEvent| {
            event.prevent_default();
            // Otherwise the page would open it as a scenario.
            event.stop_propagation();
            match browser::dropped(&event) {
                Some(file) => take_file(Some(file), &ask),
                None => {
                    if let Some(text) = browser::pasted(event.unchecked_ref()) {
                        ask.emit(ImportMsg::Text(text));
                    }
                }
            }
        })
    };
    let ondragover = Callback::from(|event: DragEvent| event.prevent_default());
    let ready = !dialog.text.trim().is_empty();
    let fits = dialog.text.len() <= SCRIPT_MAX && !dialog.name.trim().is_empty();
    html! {
        <div {ondrop} {ondragover}>
            <p>{ tr(lang, about) }</p>
            if dialog.script {
                <label>{ tr(lang, Key::ScriptName) }
                    <input type="text" value={dialog.name.clone()} oninput={on_name} /></label>
            }
            <textarea rows="9" spellcheck="false" autocapitalize="off" translate="no"
                autofocus=true aria-label={tr(lang, title(dialog))}
                value={dialog.text.clone()} {oninput}
                placeholder={if dialog.script { "return redis.call('GET', KEYS[1])" }
                    else { "127.0.0.1:6379> WATCH stock\nOK\n127.0.0.1:6380> SET stock 9" }} />
            <div class="turn">
                <label class="open-file">{ tr(lang, Key::ImportFile) }
                    <input type="file" accept=".txt,.log,.lua,text/*" onchange={on_file} /></label>
                if dialog.script {
                    <button type="button" class="main" disabled={!ready || !fits}
                        onclick={say(ImportMsg::Keep)}>{ tr(lang, Key::ScriptKeep) }</button>
                } else {
                    <button type="button" class="main" disabled={!ready}
                        onclick={say(ImportMsg::Read)}>{ tr(lang, Key::ImportRead) }</button>
                }
            </div>
            <div role="status">
                if dialog.script && dialog.text.len() > SCRIPT_MAX {
                    <p class="failure">{ tr(lang, Key::ScriptLong) }</p>
                }
                if let Some(read) = &dialog.read { { result(read, lang, ask) } }
            </div>
        </div>
    }
}

fn result(read: &Imported, lang: Lang, ask: &Callback<ImportMsg>) -> Html {
    let clients = read.clients.iter().zip(b'A'..).map(|(client, letter)| {
        let values =
            [char::from(letter).to_string(), client.name.clone(), client.commands.to_string()];
        let words = fill(tr(lang, Key::ImportClient), &values.each_ref().map(String::as_str));
        html! { <li key={client.name.clone()}>{ words }</li> }
    });
    let more = read.notes.len().saturating_sub(NOTES_SHOWN);
    let notes = read.notes.iter().take(NOTES_SHOWN).enumerate();
    let notes = notes.map(|(at, note)| html! { <li key={at}>{ note.text(lang) }</li> });
    let say = |asked: ImportMsg| ask.reform(move |_: MouseEvent| asked.clone());
    html! {
        <>
            <ul class="read">{ for clients }</ul>
            if !read.notes.is_empty() {
                <ul class="notes">{ for notes }
                    if more > 0 { <li>{ format!("+{more}") }</li> }
                </ul>
            }
            if !read.clients.is_empty() {
                <div class="turn">
                    <button type="button" class="main" data-import="programs"
                        onclick={say(ImportMsg::Take(true))}>
                        { tr(lang, Key::ImportPrograms) }</button>
                    <button type="button" data-import="consoles"
                        onclick={say(ImportMsg::Take(false))}>
                        { tr(lang, Key::ImportConsoles) }</button>
                </div>
            }
        </>
    }
}

/// Reads a file and hands it over.
fn take_file(file: Option<(String, web_sys::Blob)>, ask: &Callback<ImportMsg>) {
    let Some((name, file)) = file else { return };
    let ask = ask.clone();
    wasm_bindgen_futures::spawn_local(async move {
        if let Some(text) = browser::file_text(&file, TEXT_MAX).await {
            ask.emit(ImportMsg::File(name, text));
        }
    });
}
