//! CSS classes for the colours of clients and of syntax, and the elements that carry them.

use yew::prelude::*;

use crate::sim::ClientId;
use crate::view::highlight::Kind;

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
