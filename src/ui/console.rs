//! The consoles beside a run: a log and a line to type for each connection.
//!
//! It is a component, because each key typed changes it, and the page need not handle that.
//! [`crate::app::console`] executes the lines.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement, InputEvent, KeyboardEvent};
use yew::prelude::*;

use crate::app::console::Do;
use crate::app::input::{Input, RealInput};
use crate::sim::ClientId;
use crate::text::{Key, Lang, RealWord, fill, real, tr};
use crate::view::console::docs::Docs;
use crate::view::console::{Entry, EntryKind, Pane};

use super::cards::client_class;
use super::focus;
use super::import::{Dialog, import};

/// The most completions shown at once.
const SHOWN_MAX: usize = 24;

#[derive(Properties, PartialEq)]
pub struct ConsoleProps {
    pub lang: Lang,
    pub panes: Vec<Pane>,
    /// The console that is selected.
    pub at: ClientId,
    pub can_add: bool,
    /// True if it can be closed, which it cannot on a page of its own.
    pub closable: bool,
    /// The instances, if there are several.
    pub nodes: Vec<String>,
    pub docs: Option<Rc<Docs>>,
    /// `Some` if there is a real server; true if lines go to it.
    pub real: Option<bool>,
    /// The lines typed before, oldest first.
    pub history: Vec<String>,
    /// A counter that grows when the line should get the focus.
    pub focus: u32,
    pub on: Callback<Input>,
}

#[derive(Debug)]
pub enum Typing {
    Text(ClientId, String),
    Key(ClientId, KeyboardEvent),
    Paste(ClientId, String),
    Enter(ClientId),
    Complete(ClientId),
    Older(ClientId, bool),
    Take(ClientId, String),
    Dialog(super::import::ImportMsg),
}

pub struct Console {
    texts: Vec<(ClientId, String)>,
    /// The position in the history, from 1 at the newest line; `begun` is the text typed before.
    back: usize,
    begun: String,
    /// The completions found; `chosen` is the index of the one that is shown.
    found: Vec<String>,
    chosen: Option<usize>,
    root: NodeRef,
    wants_focus: bool,
    logged: usize,
    dialog: Dialog,
}

impl Component for Console {
    type Message = Typing;
    type Properties = ConsoleProps;

    fn create(_: &Context<Self>) -> Console {
        Console {
            texts: Vec::new(),
            back: 0,
            begun: String::new(),
            found: Vec::new(),
            chosen: None,
            root: NodeRef::default(),
            wants_focus: false,
            logged: 0,
            dialog: Dialog::default(),
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &ConsoleProps) -> bool {
        let props = ctx.props();
        self.wants_focus |= props.focus > old.focus || (props.at != old.at && self.has_focus());
        true
    }

    fn update(&mut self, ctx: &Context<Self>, typing: Typing) -> bool {
        match typing {
            Typing::Text(id, text) => {
                self.set(id, text);
                self.settle();
            }
            Typing::Key(id, event) => return self.key(ctx, id, &event),
            Typing::Paste(id, text) => {
                // Several lines are several commands.
                let begun = self.text(id).to_owned() + &text;
                let lines: Vec<String> = begun.lines().map(str::to_owned).collect();
                self.set(id, String::new());
                self.act(ctx, Do::Submit(id, lines));
            }
            Typing::Enter(id) => self.enter(ctx, id),
            Typing::Complete(id) => {
                self.complete(ctx, id);
                self.wants_focus = true;
            }
            Typing::Older(id, older) => {
                self.older(ctx, id, older);
                self.wants_focus = true;
            }
            Typing::Take(id, text) => {
                self.set(id, text);
                self.settle();
                self.wants_focus = true;
            }
            Typing::Dialog(asked) => self.dialog.update(asked, &ctx.props().on),
        }
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        let Some(root) = self.root.cast::<HtmlElement>() else { return };
        let logged = ctx.props().panes.iter().map(|pane| pane.entries.len()).sum();
        if first || logged != self.logged {
            self.logged = logged;
            if let Ok(logs) = root.query_selector_all(".log") {
                for at in 0..logs.length() {
                    let log = logs.get(at).and_then(|log| log.dyn_into::<HtmlElement>().ok());
                    if let Some(log) = log {
                        log.set_scroll_top(log.scroll_height());
                    }
                }
            }
        }
        if std::mem::take(&mut self.wants_focus) || (first && ctx.props().focus > 0) {
            let line = root.query_selector(".pane.on input").ok().flatten();
            if let Some(line) = line.and_then(|line| line.dyn_into::<HtmlElement>().ok()) {
                let _ = line.focus();
            }
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let lang = props.lang;
        let press = |what: Do| props.on.reform(move |_: MouseEvent| Input::Console(what.clone()));
        let ask = |asked: super::import::ImportMsg| {
            ctx.link().callback(move |_: MouseEvent| Typing::Dialog(asked.clone()))
        };
        let at = props.panes.iter().position(|pane| pane.id == props.at).unwrap_or(0);
        // Where two have room, the one that is typed at has a neighbour.
        let beside = if at + 1 < props.panes.len() { at + 1 } else { at.saturating_sub(1) };
        let tabs = props.panes.iter().map(|pane| {
            let (id, on) = (pane.id, pane.id == props.at);
            let close = fill(tr(lang, Key::ConsoleClose), &[&id.name()]);
            html! {
                <span key={id.index()}
                    class={classes!("tab", client_class(id), on.then_some("on"))}>
                    <button type="button" aria-pressed={on.to_string()} data-tab={id.name()}
                        onclick={press(Do::Select(id))}>{ id.name() }
                        if pane.waiting { <i aria-hidden="true">{ "…" }</i> }
                    </button>
                    <button type="button" class="shut" aria-label={close.clone()} title={close}
                        onclick={press(Do::Close(id))}>{ "×" }</button>
                </span>
            }
        });
        let panes = props.panes.iter().enumerate().map(|(number, pane)| {
            self.pane(ctx, pane, number == at, number == beside && number != at)
        });
        html! {
            <section class="console" ref={self.root.clone()} aria-label={tr(lang, Key::Console)}>
                <header>
                    <h2>{ tr(lang, Key::Console) }</h2>
                    <div class="tabs" role="group" aria-label={tr(lang, Key::ConsoleTabs)}>
                        { for tabs }
                        if props.can_add {
                            <button type="button" class="add" data-console="add"
                                onclick={press(Do::Add)} title={tr(lang, Key::ConsoleAdd)}
                                aria-label={tr(lang, Key::ConsoleAdd)}>{ "+" }</button>
                        }
                    </div>
                    { server_switch(props) }
                    <span class="gap"></span>
                    <button type="button" data-console="script"
                        onclick={ask(super::import::ImportMsg::Open(true))}>
                        { tr(lang, Key::ConsoleScript) }</button>
                    <button type="button" data-console="import"
                        onclick={ask(super::import::ImportMsg::Open(false))}>
                        { tr(lang, Key::ConsoleImport) }</button>
                    if props.closable {
                        <button type="button" class="shut" data-console="close"
                            aria-label={tr(lang, Key::Close)} title={tr(lang, Key::Close)}
                            onclick={press(Do::Open(false))}>{ "×" }</button>
                    }
                </header>
                <div class="panes">{ for panes }</div>
                { import(&self.dialog, lang, &ctx.link().callback(Typing::Dialog)) }
            </section>
        }
    }
}

impl Console {
    fn text(&self, id: ClientId) -> &str {
        let of = self.texts.iter().find(|(one, _)| *one == id);
        of.map_or("", |(_, text)| text.as_str())
    }

    fn set(&mut self, id: ClientId, text: String) {
        self.texts.retain(|(one, _)| *one != id);
        self.texts.push((id, text));
        (self.found, self.chosen) = (Vec::new(), None);
    }

    /// Returns whether the focus is in this console, so that it is not taken from elsewhere.
    fn has_focus(&self) -> bool {
        let active = super::browser::document().and_then(|document| document.active_element());
        let root = self.root.cast::<HtmlElement>();
        root.zip(active).is_some_and(|(root, active)| root.contains(Some(&*active)))
    }

    /// Ends a walk through the history: the text in the line is new input.
    fn settle(&mut self) {
        self.back = 0;
    }

    fn act(&self, ctx: &Context<Self>, what: Do) {
        ctx.props().on.emit(Input::Console(what));
    }

    fn enter(&mut self, ctx: &Context<Self>, id: ClientId) {
        let waiting = ctx.props().panes.iter().any(|pane| pane.id == id && pane.waiting);
        if waiting {
            return;
        }
        let text = self.text(id).to_owned();
        self.set(id, String::new());
        self.settle();
        self.act(ctx, Do::Submit(id, vec![text]));
    }

    fn key(&mut self, ctx: &Context<Self>, id: ClientId, event: &KeyboardEvent) -> bool {
        if event.is_composing() {
            return false;
        }
        let with_control = event.ctrl_key() && !event.alt_key() && !event.meta_key();
        let plain = !event.ctrl_key() && !event.alt_key() && !event.meta_key();
        match event.key().as_str() {
            "Enter" if plain => self.enter(ctx, id),
            "ArrowUp" if plain => self.older(ctx, id, true),
            "ArrowDown" if plain => self.older(ctx, id, false),
            // Where there is nothing to complete, Tab leaves.
            "Tab" if plain && !event.shift_key() => {
                if !self.complete(ctx, id) {
                    return false;
                }
            }
            "Escape" if !self.found.is_empty() => (self.found, self.chosen) = (Vec::new(), None),
            "Escape" => focus::to_page(false),
            "c" if with_control && !has_selection(event) => {
                let busy = ctx.props().panes.iter().find(|pane| pane.id == id);
                if busy.is_some_and(|pane| pane.waiting || pane.listening) {
                    self.act(ctx, Do::Cancel(id));
                }
                self.set(id, String::new());
                self.settle();
            }
            "l" if with_control => self.act(ctx, Do::Clear(id)),
            "u" if with_control => self.set(id, String::new()),
            "r" if with_control => self.search(ctx, id),
            _ => return false,
        }
        event.prevent_default();
        true
    }

    /// Goes to an older or a newer line of the history.
    fn older(&mut self, ctx: &Context<Self>, id: ClientId, older: bool) {
        let history = &ctx.props().history;
        if self.back == 0 {
            self.begun = self.text(id).to_owned();
        }
        let back = if older { self.back + 1 } else { self.back.saturating_sub(1) };
        if back > history.len() {
            return;
        }
        let text = match back.checked_sub(1) {
            Some(at) => history[history.len() - 1 - at].clone(),
            None => self.begun.clone(),
        };
        self.set(id, text);
        self.back = back;
    }

    /// Goes to the next older line that contains the text that was being typed.
    fn search(&mut self, ctx: &Context<Self>, id: ClientId) {
        let history = &ctx.props().history;
        if self.back == 0 {
            self.begun = self.text(id).to_owned();
        }
        let older = history.iter().rev().enumerate().skip(self.back);
        let found = older.into_iter().find(|(_, line)| line.contains(&self.begun));
        if let Some((at, line)) = found {
            self.set(id, line.clone());
            self.back = at + 1;
        }
    }

    /// Completes the text, or shows the next completion. Returns false if there is none.
    fn complete(&mut self, ctx: &Context<Self>, id: ClientId) -> bool {
        let props = ctx.props();
        if self.found.is_empty() {
            let (Some(docs), text) = (&props.docs, self.text(id)) else { return false };
            if text.trim().is_empty() {
                return false;
            }
            let pane = props.panes.iter().find(|pane| pane.id == id);
            let keys = pane.map(|pane| pane.keys.as_slice()).unwrap_or_default();
            let version = pane.map(|pane| pane.version).unwrap_or_default();
            let mut found = docs.complete(text, keys, version);
            if found.len() == 1 {
                // Nothing else is possible: on to the next word.
                found[0].push(' ');
                let text = found.remove(0);
                self.set(id, text);
                self.settle();
                return true;
            }
            self.found = found;
            self.chosen = None;
        }
        if self.found.is_empty() {
            return false;
        }
        let next = self.chosen.map_or(0, |at| (at + 1) % self.found.len());
        let (found, text) = (std::mem::take(&mut self.found), self.text(id).to_owned());
        let text = found.get(next).cloned().unwrap_or(text);
        self.set(id, text);
        (self.found, self.chosen) = (found, Some(next));
        self.settle();
        true
    }

    fn pane(&self, ctx: &Context<Self>, pane: &Pane, on: bool, beside: bool) -> Html {
        let props = ctx.props();
        let (lang, id, link) = (props.lang, pane.id, ctx.link());
        let text = self.text(id).to_owned();
        let hint = props.docs.as_ref().filter(|_| pane.hints && !pane.waiting);
        let hint = hint.map(|docs| docs.hint(&text, pane.version)).unwrap_or_default();
        let oninput = link.callback(move |event: InputEvent| {
            let line: Option<HtmlInputElement> = event.target_dyn_into();
            Typing::Text(id, line.map(|line| line.value()).unwrap_or_default())
        });
        let onkeydown = link.callback(move |event| Typing::Key(id, event));
        let onpaste = link.batch_callback(move |event: Event| {
            let text = super::browser::pasted(&event).filter(|text| text.trim_end().contains('\n'));
            text.map(|text| {
                event.prevent_default();
                Typing::Paste(id, text)
            })
        });
        let onfocus = match on {
            true => Callback::noop(),
            false => props.on.reform(move |_: FocusEvent| Input::Console(Do::Select(id))),
        };
        let press = |make: fn(ClientId) -> Typing| {
            link.callback(move |event: MouseEvent| {
                event.prevent_default();
                make(id)
            })
        };
        let cancel = props.on.reform(move |_: MouseEvent| Input::Console(Do::Cancel(id)));
        let onchange = props.on.reform(move |event: Event| {
            let select: Option<HtmlSelectElement> = event.target_dyn_into();
            let node = select.map_or(0, |select| select.selected_index().max(0) as usize);
            Input::Console(Do::Node(id, node))
        });
        let found = self.found.iter().enumerate().filter(|_| on).take(SHOWN_MAX);
        let found = found.map(|(number, one)| {
            let chosen = Some(number) == self.chosen;
            let last = one.trim_end().rsplit(' ').next().unwrap_or_default().to_owned();
            let whole = one.clone();
            html! {
                <li key={number}><button type="button" tabindex="-1"
                    class={classes!(chosen.then_some("on"))}
                    onclick={link.callback(move |_: MouseEvent| Typing::Take(id, whole.clone()))}>
                    { last }</button></li>
            }
        });
        let label = fill(tr(lang, Key::ConsoleLine), &[&id.name()]);
        let class = classes!(
            "pane",
            client_class(id),
            on.then_some("on"),
            beside.then_some("beside"),
            pane.waiting.then_some("waiting")
        );
        html! {
            <div key={id.index()} {class} data-pane={id.name()}>
                <div class="log" role="log" tabindex="0" translate="no"
                    aria-label={fill(tr(lang, Key::ConsoleLog), &[&id.name()])}>
                    if pane.entries.is_empty() {
                        <p class="said" translate="yes">{ match props.real {
                            Some(true) => real(lang, RealWord::ConsoleEmpty),
                            _ => tr(lang, Key::ConsoleEmpty),
                        } }</p>
                    }
                    { for pane.entries.iter().enumerate().map(|(at, one)| entry(at, one)) }
                </div>
                if !self.found.is_empty() && on {
                    <ul class="found" translate="no">{ for found }</ul>
                }
                <div class="line">
                    if props.nodes.len() > 1 {
                        <select aria-label={tr(lang, Key::ConsoleNode)} {onchange}>
                            { for props.nodes.iter().enumerate().map(|(number, name)| html! {
                                <option key={number} selected={number == pane.node}>
                                    { name.clone() }</option>
                            }) }
                        </select>
                    }
                    if pane.waiting {
                        <span class="prompt busy">{ tr(lang, Key::ConsoleWaits) }</span>
                    } else {
                        <span class="prompt" translate="no">{ pane.prompt.clone() }</span>
                    }
                    <span class="field" translate="no" lang="en">
                        <span class="ghost" aria-hidden="true">
                            <i>{ text.clone() }</i>{ hint.clone() }</span>
                        <input type="text" value={text} {oninput} {onkeydown} {onpaste} {onfocus}
                            spellcheck="false" autocapitalize="off" autocomplete="off"
                            enterkeyhint="send" aria-label={label}
                            aria-description={hint.trim().to_owned()} />
                    </span>
                    <button type="button" class="touch" tabindex="-1"
                        aria-label={tr(lang, Key::ConsoleOlder)}
                        onclick={press(|id| Typing::Older(id, true))}>{ "↑" }</button>
                    <button type="button" class="touch" tabindex="-1"
                        aria-label={tr(lang, Key::ConsoleComplete)}
                        onclick={press(Typing::Complete)}>{ "⇥" }</button>
                    if pane.waiting || pane.listening {
                        <button type="button" class="cancel" onclick={cancel}>
                            { tr(lang, Key::ConsoleCancel) }</button>
                    } else {
                        <button type="button" class="touch" onclick={press(Typing::Enter)}>
                            { tr(lang, Key::ConsoleEnter) }</button>
                    }
                </div>
            </div>
        }
    }
}

/// Draws the switch between the simulator and the real server, if there is one.
fn server_switch(props: &ConsoleProps) -> Html {
    let Some(shown) = props.real else { return Html::default() };
    let word = |one: RealWord| real(props.lang, one);
    let one = |to: bool, label: RealWord| {
        let on = props.on.reform(move |_: MouseEvent| Input::Real(RealInput::Console(to)));
        html! {
            <button type="button" aria-pressed={(shown == to).to_string()} onclick={on}
                data-console={if to { "real" } else { "simulator" }}
                class={classes!((shown == to).then_some("on"))}>{ word(label) }</button>
        }
    };
    html! {
        <div class="segments" role="group" aria-label={word(RealWord::Where)}>
            { one(false, RealWord::Simulator) }{ one(true, RealWord::Panel) }
        </div>
    }
}

/// Returns whether text is selected in the page or in the line, which Ctrl+C then copies.
fn has_selection(event: &KeyboardEvent) -> bool {
    let line: Option<HtmlInputElement> = event.target_dyn_into();
    line.is_some_and(|line| {
        let (from, to) =
            (line.selection_start().ok().flatten(), line.selection_end().ok().flatten());
        from != to
    })
}

fn entry(number: usize, entry: &Entry) -> Html {
    let key = format!("{number}.{}", entry.step);
    match &entry.kind {
        EntryKind::Typed(prompt) => html! {
            <p {key} class="typed"><b>{ prompt.clone() }</b>{ entry.text.clone() }</p>
        },
        EntryKind::Reply => html! { <pre {key}>{ entry.text.clone() }</pre> },
        EntryKind::Error => html! { <pre {key} class="error">{ entry.text.clone() }</pre> },
        EntryKind::Said => html! { <pre {key} class="said">{ entry.text.clone() }</pre> },
    }
}
