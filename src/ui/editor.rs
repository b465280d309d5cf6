//! The editor for programs: a text area over its own text in colours. The browser keeps its undo.

use wasm_bindgen::JsCast;
use web_sys::{HtmlDocument, HtmlTextAreaElement, InputEvent, KeyboardEvent};
use yew::prelude::*;

use crate::view::fix::Mistake;
use crate::view::highlight::Kind;

use super::browser;
use super::cards::pieces;

/// What Tab inserts.
const INDENT: &str = "  ";

#[derive(Properties, PartialEq)]
pub struct EditorProps {
    pub label: String,
    pub source: String,
    pub lines: Vec<Vec<(Kind, String)>>,
    pub mistake: Option<Mistake>,
    pub on_input: Callback<String>,
    /// Ctrl+Enter.
    pub on_submit: Callback<()>,
}

#[component]
pub fn Editor(props: &EditorProps) -> Html {
    // After Escape, Tab leaves: the keyboard is not trapped.
    let leaving = use_mut_ref(|| false);
    let oninput = props.on_input.reform(|event: InputEvent| {
        let area: Option<HtmlTextAreaElement> = event.target_dyn_into();
        area.map(|area| area.value()).unwrap_or_default()
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
    let wrong = props.mistake.as_ref().map(|mistake| mistake.line);
    let lines = props.lines.iter().zip(1_u32..).map(|(line, number)| {
        let class = (Some(number) == wrong).then_some("wrong");
        html! { <span key={number} class={classes!("line", class)}>{ pieces(line) }{ "\n" }</span> }
    });
    html! {
        <div class="editor" translate="no" lang="en">
            <pre aria-hidden="true">{ for lines }</pre>
            <textarea value={props.source.clone()} {oninput} {onkeydown} spellcheck="false"
                autocapitalize="off" autocomplete="off" wrap="off"
                aria-label={props.label.clone()} aria-invalid={wrong.map(|_| "true")}
                aria-describedby="fix-mistake fix-keys" />
        </div>
    }
}

/// Types `text` at the cursor, so that undo takes it back. False where the browser cannot.
fn insert(text: &str) -> bool {
    let document = browser::document().and_then(|document| document.dyn_into().ok());
    document.is_some_and(|document: HtmlDocument| {
        let done = document.exec_command_with_show_ui_and_value("insertText", false, text);
        done.unwrap_or(false)
    })
}

/// The white space that the cursor's line begins with.
fn indent_at(area: &HtmlTextAreaElement) -> String {
    // Positions in a text area count UTF-16 units.
    let units: Vec<u16> = area.value().encode_utf16().collect();
    let at = area.selection_start().ok().flatten().unwrap_or(0) as usize;
    let before = String::from_utf16_lossy(&units[..at.min(units.len())]);
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().take_while(|c| *c == ' ').collect()
}
