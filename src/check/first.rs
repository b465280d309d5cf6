//! The first paint: a page that is shown before the program runs, with the words and positions that
//! the program will draw, so that nothing moves when it does.
//!
//! The front page's run is there, too, as it is drawn before anything has run; a press on it is
//! kept by a script in the page's head until the program has drawn it anew. Both languages are in
//! the page; the same script chooses one, and the requested page.
//!
//! What a link to a lesson shows first stands in a file beside the page (`pictures`), which the
//! same script puts in. For a link that says more, and has none, it inserts the lesson's title and
//! goal as soon as they arrive.

use crate::text::{Key, Lang, tr};
use crate::view::home::front::{FIRST_LESSON, first_way, ways};

/// Puts the first paint into the element that is kept for it.
pub fn with_first_paint(page: &str) -> String {
    let texts: String = Lang::ALL.into_iter().map(front).collect();
    let full = format!("<div id=\"first\">{texts}</div>");
    page.replacen("<div id=\"first\"></div>", &full, 1).replacen("<div id=first></div>", &full, 1)
}

fn front(lang: Lang) -> String {
    let ways: String = ways(lang)
        .iter()
        .map(|way| {
            format!(
                "<li><a href=\"{}\"><strong>{}</strong><span>{}</span></a></li>",
                escape(&way.href),
                escape(tr(lang, way.title)),
                escape(tr(lang, way.about)),
            )
        })
        .collect();
    format!(
        "<div class=\"page\" lang=\"{}\"><header class=\"head\">\
         <span class=\"mark\" translate=\"no\">inter<i>leave</i></span></header>\
         <main class=\"home\"><div class=\"hero\"><section class=\"intro\"><h1>{}</h1><p>{}</p>\
         </section><section class=\"front\"><div class=\"frame\">{}</div>\
         <div class=\"outcome\"><div></div><a class=\"main\" href=\"{}\">{} →</a></div></section>\
         <ul class=\"ways\">{ways}</ul></div></main>\
         <div class=\"loading\"><p>{}</p><div class=\"about\" data-lang=\"{}\"><p></p><p></p></div>\
         <div class=\"about own\"><p>{}</p><p>{}</p></div></div></div>",
        lang.html(),
        escape(tr(lang, Key::HomeTitle)),
        escape(tr(lang, Key::HomeIntro)),
        picture(lang).trim_end(),
        escape(&first_way(FIRST_LESSON, lang)),
        escape(tr(lang, Key::WayLesson)),
        escape(tr(lang, Key::Loading)),
        lang.tag(),
        escape(tr(lang, Key::Playground)),
        escape(tr(lang, Key::WayPlaygroundAbout)),
    )
}

/// Returns the frame of the front page's run as the program draws it first, which
/// tests/browser/record.mjs writes.
fn picture(lang: Lang) -> &'static str {
    match lang {
        Lang::En => include_str!("../../static/first/en.html"),
        Lang::Zh => include_str!("../../static/first/zh.html"),
    }
}

/// The folder of the pictures beside the page.
pub const PICTURES: &str = "first";
/// What the page's head says of the pictures: of a page that has none, and of one that has.
const HAS: [&str; 2] = ["const pictures = false;", "const pictures = true;"];

/// Returns the page that asks for them.
pub fn with_pictures(page: &str) -> String {
    page.replace(HAS[0], HAS[1])
}

/// Returns the page that stands without them, in a package.
pub fn without_pictures(page: &str) -> String {
    page.replace(HAS[1], HAS[0])
}

/// Returns the picture for wide windows; a button's words know what stands there in narrow ones.
pub fn with_narrow(wide: &str, narrow: &str) -> String {
    const WORDS: &str = "<code";
    let mut short = narrow.split(WORDS).skip(1);
    let mut parts = wide.split(WORDS);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let words = |part: &str| Some(part.split_once('>')?.1.split_once('<')?.0.to_owned());
        let there = short.next().and_then(words);
        out.push_str(WORDS);
        if let Some(there) = there.filter(|there| Some(there) != words(part).as_ref()) {
            out.push_str(&format!(" data-narrow=\"{}\"", there.replace('"', "&quot;")));
        }
        out.push_str(part);
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_button_knows_what_it_says_in_narrow_windows() {
        let wide = "<p>a <code>b</code></p><code class=\"x\">SET k 1 NX</code>";
        let narrow = "<p>a <code>b</code></p><code class=\"x\">SET \"k\"</code>";
        let both = "<p>a <code>b</code></p>\
                    <code data-narrow=\"SET &quot;k&quot;\" class=\"x\">SET k 1 NX</code>";
        assert_eq!(with_narrow(wide, narrow), both);
    }

    #[test]
    fn both_languages_are_painted_once() {
        for place in ["<div id=\"first\"></div>", "<div id=first></div>"] {
            let page = with_first_paint(&format!("<body>{place}</body>"));
            for lang in Lang::ALL {
                assert_eq!(page.matches(tr(lang, Key::HomeTitle)).count(), 1, "{page}");
            }
            assert!(page.contains("href=\"#lesson=lost-update&amp;lang=zh\""), "{page}");
        }
    }
}
