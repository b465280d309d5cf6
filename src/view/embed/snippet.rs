//! The snippets for course pages: the frame, the element, or a plain link.

use super::Embed;
use crate::session::link::{Link, encode};
use crate::text::{Key, Lang, fill, tr};

/// The height in px of a frame whose page does not set it.
pub const FRAME_HEIGHT: u32 = 640;

/// The options of a snippet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recipe {
    /// The address of the page itself, up to its last slash.
    pub base: String,
    pub embed: Embed,
    pub link: Link,
    /// The lesson's title, for the frame's name and the plain link.
    pub title: String,
    /// True if nothing is loaded before a click.
    pub poster: bool,
}

impl Recipe {
    /// Returns the address of the frame.
    pub fn address(&self) -> String {
        let mut query = self.embed.write();
        if self.poster {
            query = query + "&poster=1&title=" + &encode(&self.title);
        }
        // The door is `embed/`: that it is one need not be said twice.
        let query = query.strip_prefix("embed").unwrap_or(&query);
        let query = query.strip_prefix('&').map(|query| format!("?{query}")).unwrap_or_default();
        format!("{}embed/index.html{query}#{}", self.base, self.link.write())
    }

    /// Returns the address of the whole page, at the same place.
    pub fn plain_address(&self) -> String {
        format!("{}#{}", self.base, self.link.write())
    }

    fn name(&self) -> String {
        format!("Interleave: {}", self.title)
    }

    fn height(&self) -> u32 {
        self.embed.height.unwrap_or(FRAME_HEIGHT.min(self.embed.max.unwrap_or(FRAME_HEIGHT)))
    }

    fn fallback(&self, lang: Lang) -> String {
        let words = escaped(&fill(tr(lang, Key::EmbedOpen), &[&self.title]));
        format!("<a href=\"{}\">{words}</a>", escaped(&self.plain_address()))
    }

    /// Returns an `<iframe>` that needs nothing else, with a link below it unless the link would
    /// reveal answers.
    pub fn frame(&self, lang: Lang) -> String {
        let below = match self.embed.answers {
            true => format!("\n<p>{}</p>", self.fallback(lang)),
            false => String::new(),
        };
        format!(
            "<iframe src=\"{}\"\n  title=\"{}\" loading=\"lazy\" \
             sandbox=\"allow-scripts allow-same-origin\"\n  \
             width=\"100%\" height=\"{}\" style=\"border:0\"></iframe>{below}",
            escaped(&self.address()),
            escaped(&self.name()),
            self.height(),
        )
    }

    /// Returns the script that adapts the height of every frame and element to its content.
    pub fn script(&self) -> String {
        format!("<script src=\"{}embed/embed.js\" async></script>", escaped(&self.base))
    }

    /// Returns `<redis-lesson lesson="…">`, whose attributes are the parameters.
    pub fn element(&self, lang: Lang) -> String {
        let mut out = String::from("<redis-lesson");
        let query = self.embed.write();
        let poster = if self.poster { "&poster=1" } else { "" };
        let lang_tag = self.embed.lang.map(Lang::tag);
        let link = Link {
            // A scenario has a page of its own, which need not be said.
            page: self.link.page.clone().filter(|_| self.link.scenario.is_none()),
            lang: self.link.lang.clone().filter(|tag| Some(&**tag) != lang_tag),
            ..self.link.clone()
        };
        let all =
            format!("{}{poster}&{}", query.strip_prefix("embed").unwrap_or(&query), link.write());
        for (name, value) in all.split('&').filter_map(|pair| pair.split_once('=')) {
            // In HTML, lang is the language of what stands between the tags too: the same thing.
            out = out + " " + name + "=\"" + &escaped(&super::decode(value)) + "\"";
        }
        let between = if self.embed.answers { self.fallback(lang) } else { escaped(&self.title) };
        format!("{out}>{between}</redis-lesson>\n{}", self.script())
    }

    /// Returns a plain link, for hosts that take only links.
    pub fn plain(&self, lang: Lang) -> String {
        match self.embed.answers {
            true => self.fallback(lang),
            false => {
                format!("<a href=\"{}\">{}</a>", escaped(&self.address()), escaped(&self.title))
            }
        }
    }
}

/// Escapes text for an attribute's value or between tags. XML has no controls but three, and not
/// U+FFFE and U+FFFF: a picture with one would not open.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
