//! The structure of `en.md` and `zh.md`: prose only, in sections keyed by what they belong to.
//!
//! ```text
//! # Title
//! > The goal, one sentence.
//! Introduction …
//! ## variant naive: Label        then what it does
//! ## property total: Label
//! ## walk lost: Label
//! ### 0                          the words for the start, then one section per step
//! ## challenge: Label            and exercise, quiz id, misconception, notes, reading, advice id
//! ```

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::super::{Block, Inline, plain};

/// A parsed file.
#[derive(Debug, Default)]
pub struct Document {
    pub title: String,
    pub goal: Vec<Inline>,
    pub intro: Vec<Block>,
    pub sections: Vec<Section>,
    /// Markdown that a lesson cannot use: line and description.
    pub unsupported: Vec<(usize, String)>,
    pub fences: Vec<Fence>,
    /// The targets of links, with their lines.
    pub links: Vec<(usize, String)>,
}

/// A block of code.
#[derive(Debug, Default)]
pub struct Fence {
    /// The line of its first line of code.
    pub line: usize,
    /// The word after the opening fence: `redis`.
    pub info: String,
    pub text: String,
}

/// The text under one `##`.
#[derive(Debug, Default)]
pub struct Section {
    pub line: usize,
    /// The key, such as `variant naive`.
    pub key: String,
    pub label: String,
    pub body: Vec<Block>,
    pub steps: Vec<Step>,
}

/// The text under one `###` of a walk.
#[derive(Debug, Default)]
pub struct Step {
    pub line: usize,
    pub heading: String,
    pub words: Vec<Block>,
}

pub fn parse(text: &str) -> Document {
    let mut reader = Reader::default();
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    // Authors type " and ', and read “ and ’, as in the page's own words.
    let parser = Parser::new_ext(text, Options::ENABLE_SMART_PUNCTUATION);
    for (event, range) in parser.into_offset_iter() {
        reader.event(event, 1 + ends.partition_point(|end| *end < range.start));
    }
    reader.document
}

/// Collects inlines into the innermost open element, and blocks into the current section.
#[derive(Default)]
struct Reader {
    document: Document,
    /// The open elements, outermost first; the first is a block's.
    open: Vec<Vec<Inline>>,
    hrefs: Vec<String>,
    items: Vec<Vec<Inline>>,
    in_list: bool,
    in_quote: bool,
    code: Option<Fence>,
    heading_line: usize,
}

impl Reader {
    fn event(&mut self, event: Event<'_>, line: usize) {
        match event {
            Event::Start(tag) => self.start(tag, line),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.text.push_str(&text),
                None => self.text(&text),
            },
            Event::Code(code) => self.inline(Inline::Code(code.to_string())),
            Event::SoftBreak | Event::HardBreak => self.line_break(),
            Event::Html(_) | Event::InlineHtml(_) => self.unsupported(line, "HTML"),
            other => self.unsupported(line, &format!("{other:?}")),
        }
    }

    fn start(&mut self, tag: Tag<'_>, line: usize) {
        match tag {
            Tag::Heading { .. } => {
                self.heading_line = line;
                self.open.push(Vec::new());
            }
            // A loose list's paragraphs belong to its items.
            Tag::Paragraph if self.in_list => {}
            Tag::Paragraph | Tag::Item | Tag::Strong | Tag::Emphasis => self.open.push(Vec::new()),
            Tag::Link { dest_url, .. } => {
                self.document.links.push((line, dest_url.to_string()));
                self.hrefs.push(dest_url.to_string());
                self.open.push(Vec::new());
            }
            Tag::BlockQuote(_) => self.in_quote = true,
            Tag::List(_) if self.in_list => self.unsupported(line, "a list inside a list"),
            Tag::List(_) => self.in_list = true,
            Tag::CodeBlock(kind) => {
                self.code = Some(match kind {
                    CodeBlockKind::Indented => Fence { line, ..Fence::default() },
                    CodeBlockKind::Fenced(info) => {
                        let info = info.trim().to_owned();
                        Fence { line: line + 1, info, ..Fence::default() }
                    }
                });
            }
            Tag::HtmlBlock => {}
            Tag::Image { .. } => self.unsupported(line, "a picture"),
            other => self.unsupported(line, &format!("{other:?}")),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                let heading = plain(&self.open.pop().unwrap_or_default());
                self.heading(level, heading);
            }
            TagEnd::Paragraph if !self.in_list => {
                let inlines = self.open.pop().unwrap_or_default();
                if self.in_quote {
                    self.document.goal.extend(inlines);
                } else {
                    self.block(Block::Paragraph(inlines));
                }
            }
            TagEnd::Item => {
                let item = self.open.pop().unwrap_or_default();
                self.items.push(item);
            }
            TagEnd::List(_) => {
                self.in_list = false;
                let items = std::mem::take(&mut self.items);
                self.block(Block::List(items));
            }
            TagEnd::Strong => self.close(Inline::Strong),
            TagEnd::Emphasis => self.close(Inline::Emphasis),
            TagEnd::Link => {
                let href = self.hrefs.pop().unwrap_or_default();
                self.close(|text| Inline::Link { href, text });
            }
            TagEnd::BlockQuote(_) => self.in_quote = false,
            TagEnd::CodeBlock => {
                let fence = self.code.take().unwrap_or_default();
                self.block(Block::Code(fence.text.trim_end().to_owned()));
                self.document.fences.push(fence);
            }
            _ => {}
        }
    }

    fn heading(&mut self, level: HeadingLevel, heading: String) {
        let line = self.heading_line;
        match level {
            HeadingLevel::H1 => self.document.title = heading,
            HeadingLevel::H2 => {
                // A Chinese author's colon is full-width.
                let (key, label) = heading.split_once([':', '：']).unwrap_or((&heading, ""));
                self.document.sections.push(Section {
                    line,
                    key: key.trim().to_owned(),
                    label: label.trim().to_owned(),
                    ..Section::default()
                });
            }
            HeadingLevel::H3 => match self.document.sections.last_mut() {
                Some(section) => {
                    section.steps.push(Step { line, heading, words: Vec::new() });
                }
                None => self.unsupported(line, "a ### before the first ##"),
            },
            _ => self.unsupported(line, "a heading below ###"),
        }
    }

    fn block(&mut self, block: Block) {
        let section = self.document.sections.last_mut();
        let place = match section {
            None => &mut self.document.intro,
            Some(Section { steps, body, .. }) => match steps.last_mut() {
                None => body,
                Some(step) => &mut step.words,
            },
        };
        place.push(block);
    }

    fn inline(&mut self, inline: Inline) {
        match self.open.last_mut() {
            Some(open) => open.push(inline),
            None => self.block(Block::Paragraph(vec![inline])),
        }
    }

    fn text(&mut self, text: &str) {
        // The parser hands out one run of text in several pieces.
        if let Some(Inline::Text(last)) = self.open.last_mut().and_then(|open| open.last_mut()) {
            last.push_str(text);
        } else {
            self.inline(Inline::Text(text.to_owned()));
        }
    }

    /// Handles the end of a line: a space between English words and nothing between Chinese
    /// characters.
    fn line_break(&mut self) {
        let last = self.open.last().map(|open| plain(open)).unwrap_or_default();
        if last.chars().next_back().is_some_and(|c| (c as u32) < 0x2e80) {
            self.text(" ");
        }
    }

    fn close(&mut self, wrap: impl FnOnce(Vec<Inline>) -> Inline) {
        let inner = self.open.pop().unwrap_or_default();
        self.inline(wrap(inner));
    }

    fn unsupported(&mut self, line: usize, what: &str) {
        self.document.unsupported.push((line, what.to_owned()));
    }
}
