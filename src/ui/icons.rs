//! Icons, inline: 16 px squares in the colour of the text.

use yew::prelude::*;

/// A filled 16 × 16 icon by its path.
fn icon(path: &'static str) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"
            fill="currentColor">
            <path d={path} />
        </svg>
    }
}

pub fn theme() -> Html {
    icon("M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.5v11a5.5 5.5 0 0 0 0-11z")
}

pub fn link() -> Html {
    outline(
        "M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7",
    )
}

/// Draws a 16 × 16 icon of lines along `path`.
fn outline(path: &'static str) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"
            fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round">
            <path d={path} />
        </svg>
    }
}
