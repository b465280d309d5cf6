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

pub fn first() -> Html {
    icon("M2 2h2v12H2zM14 2v12L5 8z")
}

pub fn back() -> Html {
    icon("M12 2v12L3 8z")
}

pub fn forward() -> Html {
    icon("M4 2v12l9-6z")
}

pub fn last() -> Html {
    icon("M12 2h2v12h-2zM2 2v12l9-6z")
}

/// Play: a triangle in a ring, so that it is not taken for "forward".
pub fn play() -> Html {
    icon(
        "M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM6.3 5 \
         11.3 8l-5 3z",
    )
}

pub fn pause() -> Html {
    icon("M3.5 2h3.2v12H3.5zM9.3 2h3.2v12H9.3z")
}

pub fn theme() -> Html {
    icon("M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.5v11a5.5 5.5 0 0 0 0-11z")
}

pub fn link() -> Html {
    icon(
        "M6.6 9.4a.9.9 0 0 1 0-1.3L8.1 6.6a.9.9 0 0 1 1.3 1.3L7.9 9.4a.9.9 0 0 1-1.3 0zM9 3.2l1-1a3 \
         3 0 0 1 4.3 4.2l-2.1 2.2a3 3 0 0 1-2.3.8V8a1.500 1.500 0 0 0 1.200-.400l2.100-2.200a1.500 \
         1.500 0 0 0-2.100-2.100l-1.100 1zM7 12.800l-1 1a3 3 0 0 1-4.300-4.200l2.100-2.200a3 3 0 0 1 \
         2.300-.800V8a1.500 1.500 0 0 0-1.200.400L2.800 10.600a1.500 1.500 0 0 0 2.100 2.100l1.100-1z",
    )
}

pub fn keyboard() -> Html {
    icon(
        "M1 4h14v9H1zm1.500 1.500v6h11v-6zM4 7h1.500v1.300H4zm3.200 0h1.500v1.300H7.200zm3.300 \
         0H12v1.300h-1.500zM5 9.300h6v1.200H5z",
    )
}
