//! CSS classes for the colours of clients and of syntax, and the elements that carry them; the
//! choice of a listing's language.

use yew::prelude::*;

use crate::app::input::Input;
use crate::sim::ClientId;
use crate::text::{Key, Lang, tr};
use crate::view::highlight::Kind;
use crate::view::stage::readings::{FLOW, Faces};

/// The class that gives a client its colour; consoles take theirs from the far end.
pub fn client_class(id: ClientId) -> String {
    match id.console_number() {
        Some(number) => format!("c{}", 8 - number),
        None => format!("c{}", id.index() % 8),
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

/// Draws the choice of the language of a listing; if there is one only, its name. The choice is
/// kept for all lessons.
pub fn language(faces: &Faces, lang: Lang, on: &Callback<Input>) -> Html {
    let [one] = &*faces.all else { return choice(faces, lang, on) };
    html! { <span class="language" translate="no">{ one.label }</span> }
}

#[inline(never)]
fn choice(faces: &Faces, lang: Lang, on: &Callback<Input>) -> Html {
    let all = faces.all.clone();
    let onchange = on.reform(move |event: Event| {
        let select: Option<web_sys::HtmlSelectElement> = event.target_dyn_into();
        let number = select.map_or(0, |select| select.selected_index().max(0) as usize);
        Input::Face(all.get(number).map_or("", |face| face.id).to_owned())
    });
    let options = faces.all.iter().map(|face| {
        let label = if face.id == FLOW { tr(lang, Key::FlowChart) } else { face.label };
        html! {
            <option key={face.id} value={face.id} selected={face.id == faces.shown}>
                { label }</option>
        }
    });
    html! {
        <select class="language faces" aria-label={tr(lang, Key::Faces)} {onchange}>
            { for options }
        </select>
    }
}
