//! The program cards.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use crate::sim::ClientId;
use crate::text::{Key, Lang, fill, tr};
use crate::view::cards::{Card, Line};
use crate::view::highlight::Kind;
use crate::view::session::Msg;

use super::app::Input;
use super::lazy::memo;

#[derive(Properties, PartialEq)]
pub struct CardsProps {
    pub cards: Rc<[Rc<Card>]>,
    pub lang: Lang,
    /// Why buttons may be disabled although their client is ready.
    pub hint: Option<AttrValue>,
    pub step: usize,
    pub on: Callback<Input>,
}

#[component]
pub fn Cards(props: &CardsProps) -> Html {
    let list = use_node_ref();
    // Where not all cards have room, the one that just ran is brought into view.
    {
        let list = list.clone();
        use_effect_with((props.step, props.cards.len()), move |_| {
            if let Some(list) = list.cast::<HtmlElement>() {
                show_just_ran(&list);
            }
        });
    }
    let cards = props.cards.iter().map(|card| {
        let of = (card.clone(), props.lang, props.hint.clone(), props.on.clone());
        let letter = card.client.letter().to_string();
        html! {
            <article key={card.client.index()} class={card_class(card)}
                aria-label={fill(tr(props.lang, Key::Program), &[&letter])}>
                { memo(of, inside) }
            </article>
        }
    });
    html! { <div class="cards" ref={list}>{ for cards }</div> }
}

/// Brings the card that just ran into view, and in each card the line where it stands. Scrolls the
/// list and the cards alone, never the page.
fn show_just_ran(list: &HtmlElement) {
    if let Ok(Some(marked)) = list.query_selector(".card.just-ran") {
        reveal(list, &marked);
    }
    let Ok(codes) = list.query_selector_all(".code") else { return };
    for at in 0..codes.length() {
        let Some(code) = codes.get(at).and_then(|code| code.dyn_into::<HtmlElement>().ok()) else {
            continue;
        };
        for line in [".next", ".ran"] {
            if let Ok(Some(line)) = code.query_selector(line) {
                reveal(&code, &line);
                break;
            }
        }
    }
}

/// Scrolls `outer` as little as shows `inner`.
fn reveal(outer: &HtmlElement, inner: &Element) {
    let (frame, inner) = (outer.get_bounding_client_rect(), inner.get_bounding_client_rect());
    let below = inner.bottom() - frame.bottom();
    let above = frame.top() - inner.top();
    if above > 0.0 {
        outer.set_scroll_top(outer.scroll_top() - above.ceil() as i32);
    } else if below > 0.0 {
        outer.set_scroll_top(outer.scroll_top() + below.ceil() as i32);
    }
}

fn card_class(card: &Card) -> Classes {
    classes!("card", client_class(card.client), card.ran_last.then_some("just-ran"))
}

type CardProps = (Rc<Card>, Lang, Option<AttrValue>, Callback<Input>);

fn inside((card, lang, hint, on): &CardProps) -> Html {
    let lang = *lang;
    html! {
        <>
            <header>
                <span class="tag" aria-hidden="true">{ card.client.letter().to_string() }</span>
                <span class="file">{ card.file.clone() }</span>
                <span class="status">{ tr(lang, card.status.label()) }</span>
            </header>
            { memo((card.lines.clone(), lang), code) }
            if let Some(error) = &card.error {
                <p class="failure" role="alert">{ error.clone() }</p>
            }
            { step_button(card, hint.clone(), on) }
        </>
    }
}

fn code((lines, lang): &(Rc<Vec<Line>>, Lang)) -> Html {
    html! {
        <ol class="code" lang="en" translate="no" tabindex="0">
            { for lines.iter().map(|line| code_line(line, *lang)) }
        </ol>
    }
}

/// The button that steps a client, carrying its command; disabled, it says why.
pub fn step_button(card: &Card, hint: Option<AttrValue>, on: &Callback<Input>) -> Html {
    let id = card.client;
    let onclick = on.reform(move |_| Input::Session(Msg::Step(id)));
    let title = if card.button.enabled { card.command.clone().map(AttrValue::from) } else { hint };
    html! {
        <button class={classes!("step", client_class(id))} type="button" {onclick} {title}
            disabled={!card.button.enabled} data-client={id.letter().to_string()}>
            <span class="who">{ card.button.label.clone() }</span>
            if let Some(command) = &card.command {
                <code translate="no">{ command.clone() }</code>
            }
        </button>
    }
}

/// The class that gives a client its colour; consoles take theirs from the far end.
pub fn client_class(id: ClientId) -> String {
    match id.console_number() {
        Some(number) => format!("c{}", 8 - number),
        None => format!("c{}", id.index() % 8),
    }
}

fn code_line(line: &Line, lang: Lang) -> Html {
    let (mark, class) = match (line.next, line.ran) {
        (true, _) => (Some(Key::LineNext), "next"),
        (_, true) => (Some(Key::LineRan), "ran"),
        _ => (None, ""),
    };
    let values = line.values.iter().map(|value| {
        let fresh = value.fresh.then_some("fresh");
        html! {
            <span key={value.name.clone()} class={classes!("value", fresh)}>
                { format!("{} = {}", value.name, value.value) }
            </span>
        }
    });
    html! {
        <li key={line.number} class={class} style={format!("--indent:{}ch", line.indent)}
            aria-current={line.next.then_some("step")}>
            <span class="arrow" aria-hidden={mark.is_none().to_string()}
                title={mark.map(|mark| tr(lang, mark))}></span>
            <span class="text">{ pieces(&line.pieces) }</span>
            <span class="values">{ for values }</span>
        </li>
    }
}

/// A line of source in its colours.
pub fn pieces(pieces: &[(Kind, String)]) -> Html {
    let piece = |(kind, text): &(Kind, String)| match kind {
        Kind::Plain => html! { { text.clone() } },
        Kind::Keyword => html! { <b>{ text.clone() }</b> },
        Kind::String => html! { <s>{ text.clone() }</s> },
        Kind::Number => html! { <u>{ text.clone() }</u> },
        Kind::Comment => html! { <i>{ text.clone() }</i> },
    };
    pieces.iter().map(piece).collect()
}
