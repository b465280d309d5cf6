//! Prose with a little structure: compiled from Markdown, drawn by the page.

use serde::Serialize;

use crate::json::{FromJson, Json, Wrong};

/// A paragraph-sized piece of prose.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum Block {
    #[serde(rename = "p")]
    Paragraph(Vec<Inline>),
    #[serde(rename = "ul")]
    List(Vec<Vec<Inline>>),
    #[serde(rename = "pre")]
    Code(String),
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
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

impl FromJson for Block {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        let (tag, content) = json.variant(wrong);
        match tag.as_str() {
            "p" => Block::Paragraph(FromJson::made_of(content, wrong)),
            "ul" => Block::List(FromJson::made_of(content, wrong)),
            "pre" => Block::Code(FromJson::made_of(content, wrong)),
            _ => {
                wrong.say(format!("no block is called {tag}"));
                Block::Code(String::new())
            }
        }
    }
}

impl FromJson for Inline {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        let (tag, mut content) = json.variant(wrong);
        match tag.as_str() {
            "t" => Inline::Text(FromJson::made_of(content, wrong)),
            "b" => Inline::Strong(FromJson::made_of(content, wrong)),
            "i" => Inline::Emphasis(FromJson::made_of(content, wrong)),
            "c" => Inline::Code(FromJson::made_of(content, wrong)),
            "a" => {
                let (href, text) = (content.read("href", wrong), content.read("text", wrong));
                Inline::Link { href, text }
            }
            _ => {
                wrong.say(format!("no piece of a line is called {tag}"));
                Inline::Text(String::new())
            }
        }
    }
}

/// Returns the text alone, for titles of pages and for screen readers.
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
    /// Returns the text alone.
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
