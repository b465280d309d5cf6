//! The messages above the page's content.

use crate::playground::{Definition, Mistake, TEXT_MAX};
use crate::session::link::LeftOut;
use crate::session::{Notice, Session};
use crate::text::{Key, Lang, fill, tr};
use crate::view::embed::Bad;

/// The most characters of an unknown name that a message quotes.
pub const NAME_MAX: usize = 60;

/// A message above the page, until it is dismissed or no longer true.
#[derive(Debug, Clone, PartialEq)]
pub enum Banner {
    NoSuchLesson(String),
    LoadFailed(String, String),
    IndexFailed(String),
    Lang(String),
    /// A bad parameter of the address.
    Param(Bad),
    Lesson(Notice),
    /// An error in the learner's program, in words.
    Answer(String),
    TooLong,
    /// The part of the view that a copied link leaves out.
    LeftOut(LeftOut),
    /// A mistake in the learner's scenario, or in a file to be opened as one.
    Own(Mistake),
    OwnTooLong,
    Examples(String),
    ShareFailed,
    SaveFailed,
    /// The browser keeps nothing for a page inside another one.
    NotKept,
}

impl Banner {
    /// Returns whether trying again may help.
    pub fn can_retry(&self) -> bool {
        matches!(self, Banner::LoadFailed(..) | Banner::IndexFailed(_))
    }

    /// Returns the sentence, or `None` for a notice about a run that is closed. `session` is the
    /// open run, `own` the playground's scenario.
    #[inline(never)]
    pub fn text(
        &self,
        session: Option<&Session>,
        own: Option<&Definition>,
        lang: Lang,
    ) -> Option<String> {
        match self {
            Banner::NoSuchLesson(id) => {
                let id: String = id.chars().take(NAME_MAX).collect();
                Some(fill(tr(lang, Key::NoSuchLesson), &[&id]))
            }
            Banner::LoadFailed(id, why) => Some(fill(tr(lang, Key::LoadFailed), &[id, why])),
            Banner::IndexFailed(why) => Some(fill(tr(lang, Key::IndexFailed), &[why])),
            Banner::Lang(tag) => Some(fill(tr(lang, Key::BadParam), &["lang", tag, "en, zh"])),
            Banner::Param(bad) => {
                Some(fill(tr(lang, Key::BadParam), &[bad.name, &bad.value, &bad.accepted]))
            }
            Banner::Lesson(notice) => session.map(|session| notice.text(lang, session)),
            Banner::Answer(why) => Some(why.clone()),
            Banner::LeftOut(what) => Some(what.text(lang).to_owned()),
            Banner::TooLong => Some(tr(lang, Key::FixTooLong).to_owned()),
            Banner::Own(mistake) => Some(match own {
                Some(own) => mistake.text(own, lang),
                None => mistake.text(&Definition::default(), lang),
            }),
            Banner::OwnTooLong => {
                let kilobytes = (TEXT_MAX / 1024).to_string();
                Some(fill(tr(lang, Key::OwnTooLong), &[&kilobytes]))
            }
            Banner::Examples(why) => Some(fill(tr(lang, Key::OwnExamplesFailed), &[why])),
            Banner::SaveFailed => Some(tr(lang, Key::SaveFailed).to_owned()),
            Banner::NotKept => Some(tr(lang, Key::NotKept).to_owned()),
            Banner::ShareFailed => Some(tr(lang, Key::ShareFailed).to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::source::read_folder;
    use crate::playground::folder;
    use crate::session::link::Link;

    #[test]
    fn what_is_said_has_what_it_speaks_of_in_it() {
        let bad = Bad { name: "theme", value: "pink".into(), accepted: "auto, dark".into() };
        let said = [
            (Banner::NoSuchLesson("looks-like".into()), "looks-like"),
            (Banner::LoadFailed("watch".into(), "503 away".into()), "503 away"),
            (Banner::IndexFailed("no network".into()), "no network"),
            (Banner::Lang("tlh".into()), "tlh"),
            (Banner::Param(bad), "pink"),
            (Banner::Answer("line 3: unexpected end".into()), "line 3: unexpected end"),
            (Banner::Own(folder::too_big("world.zip")), "world.zip"),
            (Banner::OwnTooLong, "16"),
            (Banner::Examples("404".into()), "404"),
        ];
        for (banner, part) in said {
            for lang in [Lang::En, Lang::Zh] {
                let text = banner.text(None, None, lang).unwrap_or_default();
                assert!(text.contains(part), "{banner:?} in {lang:?}: {text:?}");
            }
        }
    }

    #[test]
    fn a_part_that_a_lesson_lacks_has_the_name_of_its_tab() {
        let lesson = read_folder(std::path::Path::new("static/lessons/lost-update")).unwrap();
        let session = Session::open(lesson.into(), &Link::default()).unwrap().0;
        let says = |mode: &str, lang| {
            let banner = Banner::Lesson(Notice::NoSuchMode(mode.into()));
            banner.text(Some(&session), None, lang).unwrap()
        };
        let en = says("edit", Lang::En);
        assert!(
            en.starts_with("This lesson has no part “Edit”. It has: Situation · Watch · "),
            "{en}"
        );
        let zh = says("edit", Lang::Zh);
        assert!(zh.starts_with("本课没有“编辑”这一部分。可选："), "{zh}");
        assert!(says("dance", Lang::En).starts_with("This lesson has no part “dance”."));
    }

    #[test]
    fn a_strange_name_is_said_in_part() {
        let banner = Banner::NoSuchLesson("x".repeat(500));
        let text = banner.text(None, None, Lang::En).unwrap();
        assert!(text.contains(&"x".repeat(60)) && !text.contains(&"x".repeat(61)));
    }

    #[test]
    fn only_what_was_not_loaded_can_be_tried_again() {
        assert!(Banner::LoadFailed(String::new(), String::new()).can_retry());
        assert!(Banner::IndexFailed(String::new()).can_retry());
        assert!(!Banner::NoSuchLesson(String::new()).can_retry() && !Banner::TooLong.can_retry());
    }
}
