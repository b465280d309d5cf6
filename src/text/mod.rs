//! Languages: the list of them, texts in each of them, and the words of the interface.
//!
//! Interface strings are rows of tables, both languages side by side, so that a missing translation
//! does not compile. [`Key`] is the table of the page; [`CauseWord`], [`ClassWord`],
//! [`CrowdWord`], [`KeptWord`], [`MapWord`], [`RealWord`], [`ScreenWord`] and [`VerdictWord`] are
//! tables of parts.
//! Commands, key names, numbers and times are never translated; they are filled into the strings
//! with [`fill`].
//!
//! To add a word: a row in the table of its part. [`Key`] has three files: `strings` for what a
//! first visit shows, `lessons` and `later` for what comes later. To add a table: `words!` in a
//! file of its own, its rows in the test of `strings`, its path in `TABLES` of tests/tidy.rs.
//! Absent: words of lessons, which are in their folders, and those that must stand where the
//! program is not there (index.html, static/broken, static/embed, src/divide/loader.js).

/// Declares a table of words that no first visit needs: an enum that names its rows, and a function
/// that returns a row's text in a language.
macro_rules! words {
    ($words:ident, $of:ident; $($word:ident: $en:literal, $zh:literal;)*) => {
        /// Names a row of the table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $words { $($word),* }

        /// Returns the text of `word` in `lang`.
        #[inline(never)]
        pub fn $of(lang: $crate::text::Lang, word: $words) -> &'static str {
            match (lang, word) {
                $(($crate::text::Lang::En, $words::$word) => $en,
                ($crate::text::Lang::Zh, $words::$word) => $zh),*
            }
        }

        #[cfg(test)]
        pub(super) const ROWS: &[(&str, &str, &str)] = &[$((stringify!($word), $en, $zh)),*];
    };
}
use words;

// Before `strings`, which makes one table of their rows.
#[macro_use]
mod later;
#[macro_use]
mod lessons;

mod cause;
mod class;
mod crowd;
mod kept;
mod live;
mod map;
mod real;
mod screen;
mod strings;
mod verdict;

pub use cause::{CauseWord, cause};
pub use class::{ClassWord, class};
pub use crowd::{CrowdWord, crowd};
pub use kept::{KeptWord, kept};
pub use live::{LiveWord, live};
pub use map::{MapWord, map};
pub use real::{RealWord, real};
pub use screen::{ScreenWord, screen};
pub use strings::{Key, tr};
pub use verdict::{VerdictWord, verdict};

use serde::{Deserialize, Serialize};

use crate::json::{FromJson, Json, Wrong};

/// A language of the interface and of the lessons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    #[default]
    En,
    Zh,
}

impl Lang {
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Zh];

    /// Returns the tag in links, storage and file names: `en`, `zh`.
    pub fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
        }
    }

    /// Returns the tag for the page's `lang` attribute, which selects the glyph variants of the
    /// fonts.
    pub fn html(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh-Hans",
        }
    }

    /// Parses a tag; regional forms (`zh-CN`, `en_GB`) count as their language.
    pub fn from_tag(tag: &str) -> Option<Lang> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        Lang::ALL.into_iter().find(|lang| lang.tag().eq_ignore_ascii_case(primary))
    }

    pub fn other(self) -> Lang {
        match self {
            Lang::En => Lang::Zh,
            Lang::Zh => Lang::En,
        }
    }
}

/// One value per language.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Both<T> {
    pub en: T,
    pub zh: T,
}

impl<T: FromJson> FromJson for Both<T> {
    fn made_of(mut json: Json, wrong: &mut Wrong) -> Self {
        Both { en: json.read("en", wrong), zh: json.read("zh", wrong) }
    }
}

impl<T> Both<T> {
    pub fn get(&self, lang: Lang) -> &T {
        match lang {
            Lang::En => &self.en,
            Lang::Zh => &self.zh,
        }
    }

    pub fn get_mut(&mut self, lang: Lang) -> &mut T {
        match lang {
            Lang::En => &mut self.en,
            Lang::Zh => &mut self.zh,
        }
    }
}

/// Puts `values` into the placeholders `{0}`, `{1}` … of `pattern`; `{0:step|steps}` is the first
/// word if the value is 1, and else the second. A placeholder without a value stays, and braces in
/// the values are not looked at again.
pub fn fill(pattern: &str, values: &[&str]) -> String {
    let mut out = String::with_capacity(pattern.len() + 16);
    let mut rest = pattern;
    while let Some(open) = rest.find('{') {
        let (before, from_brace) = rest.split_at(open);
        out.push_str(before);
        let place = from_brace.find('}').and_then(|close| {
            let place = &from_brace[1..close];
            let (number, forms) = place.split_once(':').unwrap_or((place, ""));
            let value = *values.get(number.parse::<usize>().ok()?)?;
            let form =
                forms.split_once('|').map(|(one, many)| if value == "1" { one } else { many });
            Some((form.unwrap_or(value), close + 1))
        });
        match place {
            Some((value, used)) => {
                out.push_str(value);
                rest = &from_brace[used..];
            }
            None => {
                out.push('{');
                rest = &from_brace[1..];
            }
        }
    }
    out + rest
}

/// Returns the width in characters of a monospaced type.
fn char_width(c: char) -> usize {
    if (c as u32) < 0x1100 { 1 } else { 2 }
}

/// Returns the width of `text` in characters of a monospaced type. A Chinese character counts as
/// two.
pub fn chars_wide(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Returns `text`, cut to `chars_max` characters with an ellipsis. A Chinese character counts as
/// two.
pub fn shortened(text: &str, chars_max: usize) -> String {
    if chars_wide(text) <= chars_max {
        return text.to_owned();
    }
    let mut used = 1;
    let mut out = String::new();
    for c in text.chars() {
        used += char_width(c);
        if used > chars_max {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_replaces_numbered_places_once() {
        assert_eq!(fill("step {0} of {1}", &["3", "17"]), "step 3 of 17");
        assert_eq!(fill("{1}{0}", &["{1}", "b"]), "b{1}");
        assert_eq!(fill("{x} {9} {", &["a"]), "{x} {9} {");
        assert_eq!(fill("{0} {0:step|steps}", &["1"]), "1 step");
        assert_eq!(fill("{1} {1:run|runs} of {0}", &["a|b", "10"]), "10 runs of a|b");
    }

    #[test]
    fn tags_with_a_region_are_understood() {
        assert_eq!(Lang::from_tag("zh-CN"), Some(Lang::Zh));
        assert_eq!(Lang::from_tag("EN_gb"), Some(Lang::En));
        assert_eq!(Lang::from_tag("de"), None);
    }
}
