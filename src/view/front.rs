//! The front page: the ways in, and the run that it shows.

use std::rc::Rc;

use crate::lesson::Lesson;
use crate::text::{Key, Lang};

use super::link::Link;
use super::session::{Msg, Session};

/// The lesson whose first story runs on the front page, and with which one begins.
pub const FIRST_LESSON: &str = "lost-update";

/// A way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    pub title: Key,
    pub about: Key,
    /// Where it leads, in the page itself.
    pub href: String,
}

/// The ways in, the main one first.
pub fn ways(first_lesson: &str, lang: Lang) -> [Way; 3] {
    let lang = lang.tag();
    [
        (Key::WayLesson, Key::WayLessonAbout, format!("#lesson={first_lesson}&lang={lang}")),
        (Key::WayPlayground, Key::WayPlaygroundAbout, format!("#page=playground&lang={lang}")),
        (Key::WayEmbed, Key::WayEmbedAbout, format!("#page=embed&lang={lang}")),
    ]
    .map(|(title, about, href)| Way { title, about, href })
}

/// The run that plays on the front page: the lesson's first story. `None` for a lesson without one.
pub fn shown(lesson: Rc<Lesson>) -> Option<Session> {
    let walk = Some(lesson.walks.first()?.id.clone());
    let (session, _) = Session::open(lesson, &Link { walk, ..Link::default() }).ok()?;
    Some(session)
}

/// One step on; after the last comes the start.
pub fn play_on(session: &mut Session) {
    let timeline = session.timeline();
    let msg = match timeline.cursor() < timeline.len() {
        true => Msg::Forward,
        false => Msg::Seek(0),
    };
    session.update(msg);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::source::read_folder;
    use crate::view::chips::{ChipState, chips};

    #[test]
    fn the_front_page_shows_an_update_being_lost() {
        let folder = std::path::Path::new("static/lessons").join(FIRST_LESSON);
        let lesson = read_folder(&folder).unwrap();
        let mut session = shown(Rc::new(lesson)).unwrap();
        let steps = session.timeline().len();
        assert_eq!(session.timeline().cursor(), 0);
        for step in 1..=steps {
            play_on(&mut session);
            assert_eq!(session.timeline().cursor(), step);
        }
        let chips = chips(&session, Lang::En);
        assert!(chips.iter().any(|chip| chip.state == ChipState::Broken(steps)), "{chips:?}");
        play_on(&mut session);
        assert_eq!(session.timeline().cursor(), 0, "and again");
    }
}
