//! The fault menu: a dialog in which one thing that may go wrong is chosen.

use web_sys::HtmlDialogElement;
use yew::prelude::*;

use crate::text::{Key, Lang, tr};
use crate::view::faults::{Group, Item};
use crate::view::session::Msg;

use super::app::Input;
use super::cards::client_class;

#[derive(Properties, PartialEq)]
pub struct FaultsProps {
    pub lang: Lang,
    pub open: bool,
    pub groups: Vec<Group>,
    pub on: Callback<Input>,
}

#[component]
pub fn Faults(props: &FaultsProps) -> Html {
    let lang = props.lang;
    let dialog = use_node_ref();
    {
        let dialog = dialog.clone();
        use_effect_with(props.open, move |&open| show(&dialog, open));
    }
    let onclose = props.on.reform(|_| Input::Faults(false));
    let onclick = props.on.reform(|_| Input::Faults(false));
    let groups = props.groups.iter().map(|group| {
        let class = classes!("fault-group", group.client.map(client_class));
        html! {
            <section key={group.title.clone()} {class}>
                <h3>{ group.title.clone() }</h3>
                { for group.items.iter().map(|item| button(item, &props.on)) }
            </section>
        }
    });
    html! {
        <dialog class="faults" ref={dialog} {onclose} aria-label={tr(lang, Key::Faults)}>
            <p>{ tr(lang, Key::FaultsHint) }</p>
            <div class="fault-groups">{ for groups }</div>
            <button type="button" {onclick}>{ tr(lang, Key::Close) }</button>
        </dialog>
    }
}

/// Brings a dialog in line with whether it is to be open.
pub fn show(dialog: &NodeRef, open: bool) {
    if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
        match open {
            true if !dialog.open() => drop(dialog.show_modal()),
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    }
}

fn button(item: &Item, on: &Callback<Input>) -> Html {
    let action = item.action;
    let onclick = on.reform(move |_| Input::Session(Msg::Act(action)));
    html! {
        <button key={item.label.clone()} type="button" {onclick} disabled={!item.enabled}>
            { item.label.clone() }
            if let Some(left) = &item.left { <small>{ left.clone() }</small> }
        </button>
    }
}
