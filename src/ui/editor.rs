//! The editor for programs: a text area over its own text in colours. Undo is not the browser's
//! (see [`crate::session::undo`]): the page takes its keys, and sets the text like any other
//! change.

use wasm_bindgen::JsCast;
use web_sys::{HtmlDocument, HtmlTextAreaElement, InputEvent, KeyboardEvent};
use yew::prelude::*;

use crate::session::undo::difference;
use crate::view::highlight::Kind;

use super::browser;
use super::cards::pieces;

/// The text that the Tab key inserts.
const INDENT: &str = "  ";

#[derive(Properties, PartialEq)]
pub struct EditorProps {
    pub label: String,
    pub source: String,
    pub lines: Vec<Vec<(Kind, String)>>,
    /// Lines with a mistake, from 1.
    pub wrong: Vec<u32>,
    /// Notes after lines, by line number from 1.
    #[prop_or_default]
    pub notes: Vec<(u32, String)>,
    /// Lines at which the run that breaks something makes its calls, from 1, with the letters of
    /// the clients that make them.
    #[prop_or_default]
    pub called: Vec<(u32, String)>,
    /// The ids of elements that describe the editor: its mistakes, its keys.
    pub described: &'static str,
    pub on_input: Callback<String>,
    /// Called when Ctrl+Enter is pressed.
    pub on_submit: Callback<()>,
}

#[component]
pub fn Editor(props: &EditorProps) -> Html {
    // After Escape, Tab leaves: the keyboard is not trapped.
    let leaving = use_mut_ref(|| false);
    let area = use_node_ref();
    // What was typed here. Where the text becomes another one, the cursor goes to the change.
    let typed = use_mut_ref(|| props.source.clone());
    {
        let (area, typed) = (area.clone(), typed.clone());
        use_effect_with(props.source.clone(), move |source| {
            let before = typed.replace(source.clone());
            if let Some(area) = area.cast::<HtmlTextAreaElement>().filter(|_| before != *source) {
                let (at, _, inserted) = difference(&before, source);
                let units = source[..at + inserted.len()].encode_utf16().count() as u32;
                let _ = area.set_selection_range(units, units);
            }
        });
    }
    let oninput = props.on_input.reform(move |event: InputEvent| {
        let area: Option<HtmlTextAreaElement> = event.target_dyn_into();
        let text = area.map(|area| area.value()).unwrap_or_default();
        typed.replace(text.clone());
        text
    });
    let onkeydown = {
        let submit = props.on_submit.clone();
        Callback::from(move |event: KeyboardEvent| {
            let was_leaving = leaving.replace(event.key() == "Escape");
            let plain = !event.shift_key() && !event.alt_key() && !event.meta_key();
            match event.key().as_str() {
                "Enter" if event.ctrl_key() || event.meta_key() => submit.emit(()),
                "Enter" if plain && !event.is_composing() => {
                    let area: Option<HtmlTextAreaElement> = event.target_dyn_into();
                    let indent = area.map(|area| indent_at(&area)).unwrap_or_default();
                    if !insert(&format!("\n{indent}")) {
                        return;
                    }
                }
                "Tab" if plain && !event.ctrl_key() && !was_leaving => {
                    if !insert(INDENT) {
                        return;
                    }
                }
                _ => return,
            }
            event.prevent_default();
        })
    };
    let lines = props.lines.iter().zip(1_u32..).map(|(line, number)| {
        let class = props.wrong.contains(&number).then_some("wrong");
        let note = props.notes.iter().find(|(at, _)| *at == number);
        let called = props.called.iter().find(|(at, _)| *at == number);
        let by = called.map(|(_, letters)| letters.clone());
        html! {
            <span key={number} class={classes!("line", class, called.map(|_| "called"))}
                data-by={by}>
                { pieces(line) }
                { note.map(|(_, note)| html! { <em lang="">{ note.clone() }</em> }) }
                { "\n" }
            </span>
        }
    });
    html! {
        <div class="editor" translate="no" lang="en">
            <pre aria-hidden="true">{ for lines }</pre>
            <textarea ref={area} value={props.source.clone()} {oninput} {onkeydown}
                spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off"
                aria-label={props.label.clone()}
                aria-invalid={(!props.wrong.is_empty()).then_some("true")}
                aria-describedby={props.described} />
        </div>
    }
}
/// Types `text` at the cursor, so that undo removes it. Returns false if the browser cannot.
fn insert(text: &str) -> bool {
    let document = browser::document().and_then(|document| document.dyn_into().ok());
    document.is_some_and(|document: HtmlDocument| {
        let done = document.exec_command_with_show_ui_and_value("insertText", false, text);
        done.unwrap_or(false)
    })
}

/// Returns the white space at the start of the cursor's line.
fn indent_at(area: &HtmlTextAreaElement) -> String {
    // Positions in a text area count UTF-16 units.
    let units: Vec<u16> = area.value().encode_utf16().collect();
    let at = area.selection_start().ok().flatten().unwrap_or(0) as usize;
    let before = String::from_utf16_lossy(&units[..at.min(units.len())]);
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().take_while(|c| *c == ' ').collect()
}
