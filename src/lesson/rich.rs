//! Prose with a little structure: what Markdown is compiled to and the page draws.

use serde::Serialize;

use crate::json::{Error, FromJson, Json};

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
    fn from_json(json: Json) -> Result<Self, Error> {
        let (tag, content) = json.variant()?;
        Ok(match tag.as_str() {
            "p" => Block::Paragraph(FromJson::from_json(content)?),
            "ul" => Block::List(FromJson::from_json(content)?),
            "pre" => Block::Code(FromJson::from_json(content)?),
            _ => return Err(format!("no block is called {tag}")),
        })
    }
}

impl FromJson for Inline {
    fn from_json(json: Json) -> Result<Self, Error> {
        let (tag, mut content) = json.variant()?;
        Ok(match tag.as_str() {
            "t" => Inline::Text(FromJson::from_json(content)?),
            "b" => Inline::Strong(FromJson::from_json(content)?),
            "i" => Inline::Emphasis(FromJson::from_json(content)?),
            "c" => Inline::Code(FromJson::from_json(content)?),
            "a" => Inline::Link { href: content.field("href")?, text: content.field("text")? },
            _ => return Err(format!("no piece of a line is called {tag}")),
        })
    }
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
