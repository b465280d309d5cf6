//! The fault menu: a dialog in which one thing that may go wrong is chosen.

use yew::prelude::*;

use crate::app::input::Input;
use crate::session::Msg;
use crate::text::{Key, Lang, tr};
use crate::view::stage::faults::{Group, Item};

use super::cards::client_class;

#[derive(PartialEq)]
pub struct FaultsProps {
    pub lang: Lang,
    pub groups: Vec<Group>,
    pub on: Callback<Input>,
}

#[inline(never)]
pub fn faults(props: &FaultsProps) -> Html {
    let lang = props.lang;
    let mut items = props.groups.iter().flat_map(|group| &group.items);
    let first = items.find(|item| item.enabled);
    let groups = props.groups.iter().map(|group| {
        let class = classes!("fault-group", group.client.map(client_class));
        html! {
            <section key={group.title.clone()} {class}>
                <h3>{ group.title.clone() }</h3>
                { for group.items.iter().map(|item| button(item, first == Some(item), &props.on)) }
            </section>
        }
    });
    html! {
        <>
            <p>{ tr(lang, Key::FaultsHint) }</p>
            <div class="fault-groups">{ for groups }</div>
        </>
    }
}

fn button(item: &Item, autofocus: bool, on: &Callback<Input>) -> Html {
    let action = item.action;
    let onclick = on.reform(move |_| Input::Session(Msg::Act(action)));
    html! {
        <button key={item.label.clone()} type="button" {onclick} {autofocus}
            disabled={!item.enabled}>
            { item.label.clone() }
            if let Some(left) = &item.left { <small>{ left.clone() }</small> }
        </button>
    }
}
