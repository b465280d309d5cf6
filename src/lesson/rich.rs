//! Prose with a little structure: what Markdown is compiled to and the page draws.

use serde::{Deserialize, Serialize};

/// A paragraph-sized piece of prose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Block {
    #[serde(rename = "p")]
    Paragraph(Vec<Inline>),
    #[serde(rename = "ul")]
    List(Vec<Vec<Inline>>),
    #[serde(rename = "pre")]
    Code(String),
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Inline {
    #[serde(rename = "t")]
    Text(String),
    #[serde(rename = "b")]
    Strong(Vec<Inline>),
    #[serde(rename = "i")]
    Emphasis(Vec<Inline>),
    #[serde(rename = "c")]
    Code(String),
    #[serde(rename = "a")]
    Link { href: String, text: Vec<Inline> },
}

/// The words alone, for titles of pages and for screen readers' announcements.
pub fn plain(inlines: &[Inline]) -> String {
    let mut out = String::new();
    collect(inlines, &mut out);
    out
}

fn collect(inlines: &[Inline], out: &mut String) {
    for inline in inlines {
        match inline {
            Inline::Text(text) | Inline::Code(text) => out.push_str(text),
            Inline::Strong(inner) | Inline::Emphasis(inner) => collect(inner, out),
            Inline::Link { text, .. } => collect(text, out),
        }
    }
}

impl Block {
    /// The words alone.
    pub fn plain(&self) -> String {
        match self {
            Block::Paragraph(inlines) => plain(inlines),
            Block::List(items) => {
                items.iter().map(|item| plain(item)).collect::<Vec<_>>().join(" ")
            }
            Block::Code(code) => code.clone(),
        }
    }
}
