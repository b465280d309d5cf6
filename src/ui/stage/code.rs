//! The code column: the clients, and below them one listing for each program.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use crate::app::input::Input;
use crate::text::{Key, Lang, fill, tr};
use crate::ui::cards::{client_class, language, pieces};
use crate::ui::diagram::use_resized;
use crate::ui::lazy::{Same, memo};
use crate::view::film::Place;
use crate::view::stage::cards::{Card, Status};
use crate::view::stage::listing::{ListLine, Listing, Value, Variable};

#[derive(Properties, PartialEq)]
pub struct CodeProps {
    pub cards: Same<[Rc<Card>]>,
    pub listings: Same<[Rc<Listing>]>,
    pub lang: Lang,
    pub on: Callback<Input>,
}

#[component]
pub fn Code(props: &CodeProps) -> Html {
    let list = use_node_ref();
    {
        let list = list.clone();
        use_effect_with(props.listings.clone(), move |_| {
            if let Some(list) = list.cast::<HtmlElement>() {
                show_lines(&list);
            }
        });
    }
    // A question above may take room away after that.
    use_resized(list.clone(), show_lines);
    let lang = props.lang;
    html! {
        <>
            <ul class="clients">
                { for props.cards.iter().map(|card| {
                    let of = (card.clone(), lang);
                    html! { <li key={card.client.index()}>{ memo(of, client) }</li> }
                }) }
            </ul>
            <div class="listings" ref={list}>
                { for props.listings.iter().enumerate().map(|(at, one)| {
                    let open = one.open.then_some("open");
                    html! {
                        <article key={at} class={classes!("listing", open)}
                            style={format!("--who:{};--widest:{}", one.clients.len(),
                                one.widest.clamp(30, 62))}>
                            <header>
                                <h3 aria-level="2">
                                    <span translate="no">{ one.file.clone() }</span></h3>
                                { language(&one.faces, lang, &props.on) }
                            </header>
                            { memo((one.clone(), lang), lines) }
                        </article>
                    }
                }) }
            </div>
        </>
    }
}

/// Scrolls each listing alone, so that the lines that run next and those that ran are in it; if
/// they have no room, the first that runs next.
fn show_lines(list: &HtmlElement) {
    let Ok(panes) = list.query_selector_all(".lines") else { return };
    for at in 0..panes.length() {
        let pane = panes.get(at).and_then(|pane| pane.dyn_into::<HtmlElement>().ok());
        let Some(pane) = pane.filter(|pane| pane.scroll_height() > pane.client_height()) else {
            continue;
        };
        let outer = pane.get_bounding_client_rect();
        // In the presenter view a px of the page is more than one of the screen.
        let scale = outer.height() / f64::from(pane.offset_height());
        let place = |at: f64| (at - outer.top()) / scale;
        let places = |which: &str| {
            let lines = pane.query_selector_all(which).ok();
            let lines =
                lines.into_iter().flat_map(|all| (0..all.length()).map(move |at| all.get(at)));
            let places = lines.filter_map(|line| {
                let line = line?.dyn_into::<HtmlElement>().ok()?.get_bounding_client_rect();
                Some((place(line.top()), place(line.bottom())))
            });
            places.collect::<Vec<_>>()
        };
        let all = places(".next, .ran");
        let Some(one) = places(".next").first().or(all.first()).copied() else { continue };
        let height = f64::from(pane.client_height());
        let (top, bottom) = all.iter().fold(one, |all, one| (all.0.min(one.0), all.1.max(one.1)));
        let (top, bottom) = if bottom - top > height { one } else { (top, bottom) };
        if top < 0.0 || bottom > height {
            // A line that is higher than its pane is read from its head.
            let by = if bottom - top > height { top } else { (top + bottom - height) / 2.0 };
            pane.set_scroll_top(pane.scroll_top() + by.round() as i32);
        }
    }
}

/// Its letter, and where it stands.
fn client((card, lang): &(Rc<Card>, Lang)) -> Html {
    let state = match card.status {
        Status::Paused => Some("paused"),
        Status::Crashed => Some("crashed"),
        Status::Done | Status::Failed => Some("over"),
        _ => None,
    };
    // That it just ran is what the film shows.
    let label = match card.status {
        Status::JustRan => Key::CardReady,
        other => other.label(),
    };
    html! {
        <div class={classes!("client", client_class(card.client), state)}
            data-place={Place::client(card.client).to_string()}>
            <i class="glow"></i>
            <span class="tag">{ card.client.name() }</span>
            <span class="sr">{ ", " }</span>
            <span class="status">{ tr(*lang, label) }</span>
            if let Some(error) = &card.error {
                <span class="failure" role="alert" title={error.clone()}>{ error.clone() }</span>
            }
            if let Some(ahead_ms) = card.ahead_ms {
                <span class="ahead" data-place={Place::client_clock(card.client).to_string()}
                    title={fill(tr(*lang, Key::NodeClock), &[&format!("{ahead_ms:+}")])}>
                    { format!("{ahead_ms:+} ms") }
                </span>
            }
        </div>
    }
}

fn lines((listing, lang): &(Rc<Listing>, Lang)) -> Html {
    html! {
        <div class="lines" tabindex="0">
            <ol class="code" lang="en" translate="no">
                { for listing.lines.iter().map(|one| line(one, listing, *lang)) }
                { end(listing, *lang) }
            </ol>
        </div>
    }
}

/// The names of a line, of each client, and of its end.
fn names(listing: &Listing, number: u32) -> (String, String) {
    let join = |names: Vec<String>| names.join(" ");
    let line = listing.clients.iter().map(|id| Place::line(*id, number).to_string());
    let end = listing.clients.iter().map(|id| Place::line_end(*id, number).to_string());
    (join(line.collect()), join(end.collect()))
}

fn line(line: &ListLine, listing: &Listing, lang: Lang) -> Html {
    let (mark, class) = match (line.next.is_empty(), line.ran.is_empty()) {
        (false, _) => (Some(Key::LineNext), "next"),
        (_, false) => (Some(Key::LineRan), "ran"),
        _ => (None, ""),
    };
    let markers = listing.clients.iter().map(|id| {
        html! {
            <span key={id.index()} class="cell">
                if line.next.contains(id) {
                    <b class={classes!("tag", client_class(*id))}
                        data-place={Place::marker(*id).to_string()}>{ id.name() }</b>
                }
            </span>
        }
    });
    let (here, end) = names(listing, line.number);
    html! {
        <li key={line.number} class={class} style={format!("--indent:{}ch", line.indent)}
            aria-current={(!line.next.is_empty()).then_some("step")}>
            <i class="glow"></i>
            <span class="cells" data-place={here} title={mark.map(|mark| tr(lang, mark))}>
                { for markers }
            </span>
            <span class="number" aria-hidden="true">{ line.number }</span>
            <span class="text">
                { pieces(&line.pieces) }
                if !line.variables.is_empty() {
                    <span class="values">{ for line.variables.iter().map(variable) }</span>
                }
            </span>
            <i class="road" data-place={end}></i>
        </li>
    }
}

/// `n = 20`, once with the values of all.
fn variable(variable: &Variable) -> Html {
    let some = variable.values.iter().any(|one| one.value.is_some());
    html! {
        <span key={variable.name.clone()} class={classes!("variable", (!some).then_some("none"))}>
            <span class="label">{ format!("{} = ", variable.name) }</span>
            { for variable.values.iter().map(|one| value(&variable.name, one)) }
        </span>
    }
}

/// Draws the value of a variable. A line that has none of it is no place of it: another may be.
fn value(name: &str, value: &Value) -> Html {
    let class = classes!(
        "value",
        client_class(value.client),
        value.fresh.then_some("fresh"),
        value.value.is_none().then_some("none")
    );
    let title = value.whole.as_ref().map(|now| format!("{name} = {now}"));
    html! {
        <span key={value.client.index()} {class} {title}
            style={format!("--chars:{}", value.chars)}
            data-place={value.value.is_some().then(|| Place::chip(value.client, name).to_string())}>
            { value.value.clone().unwrap_or_default() }
        </span>
    }
}

/// The line behind the last one, where the clients that are done stand.
fn end(listing: &Listing, lang: Lang) -> Html {
    let (here, end) = names(listing, 0);
    html! {
        <li key="end" class="last">
            <i class="glow"></i>
            <span class="cells" data-place={here}>
                { for listing.clients.iter().map(|id| html! {
                    <span key={id.index()} class="cell">
                        if listing.done.contains(id) {
                            <b class={classes!("tag", client_class(*id))}
                                data-place={Place::marker(*id).to_string()}>{ id.name() }</b>
                        }
                    </span>
                }) }
            </span>
            <span class="number"></span>
            <span class="text">{ tr(lang, Key::ProgramEnd) }</span>
            <i class="road" data-place={end}></i>
        </li>
    }
}
