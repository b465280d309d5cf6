//! Prose of the lessons as nodes.

use yew::prelude::*;

use crate::lesson::{Block, Inline};

pub fn blocks(blocks: &[Block]) -> Html {
    blocks.iter().map(block).collect()
}

fn block(block: &Block) -> Html {
    match block {
        Block::Paragraph(content) => html! { <p>{ inlines(content) }</p> },
        Block::List(items) => {
            let items = items.iter().map(|item| html! { <li>{ inlines(item) }</li> });
            html! { <ul>{ for items }</ul> }
        }
        Block::Code(code) => html! { <pre tabindex="0">{ code.clone() }</pre> },
    }
}

pub fn inlines(inlines: &[Inline]) -> Html {
    inlines.iter().map(inline).collect()
}

fn inline(piece: &Inline) -> Html {
    match piece {
        Inline::Text(text) => html! { { text.clone() } },
        Inline::Code(code) => html! { <code>{ code.clone() }</code> },
        Inline::Strong(inner) => html! { <strong>{ inlines(inner) }</strong> },
        Inline::Emphasis(inner) => html! { <em>{ inlines(inner) }</em> },
        Inline::Link { href, text } => {
            html! { <a href={safe(href)} rel="noopener">{ inlines(text) }</a> }
        }
    }
}

/// Lessons may come from anywhere; a link of theirs may lead to a page, never run a script.
fn safe(href: &str) -> Option<String> {
    let leads = ["https://", "http://", "#"].iter().any(|start| href.starts_with(start));
    leads.then(|| href.to_owned())
}
