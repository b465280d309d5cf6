//! The work done on every lesson, as this browser remembers it.

use crate::lesson::{Card, Index};
use crate::playground::kept::Shelf;
use crate::session::mode::Mode;
use crate::session::progress::{LINE, Progress};
use crate::text::Lang;

/// The storage name of the lesson that was worked on last.
pub const LAST: &str = "last";

/// The work done on every lesson, by its id.
#[derive(Debug)]
pub struct Done {
    lessons: Vec<(String, Progress)>,
    /// The lesson that was worked on last.
    last: Option<String>,
}

impl Done {
    pub fn read(index: &Index, shelf: &dyn Shelf) -> Done {
        let of = |card: &Card| (card.id.clone(), progress(&card.id, shelf));
        Done { lessons: index.lessons().map(of).collect(), last: shelf.get(LAST) }
    }

    pub fn of(&self, id: &str) -> Progress {
        let found = self.lessons.iter().find(|(lesson, _)| lesson == id);
        found.map(|(_, progress)| *progress).unwrap_or_default()
    }

    /// Returns the lesson to continue with: the last one, or the first after it with something left
    /// to do. `None` if nothing was begun or everything is done.
    pub fn goes_on<'i>(&self, index: &'i Index) -> Option<&'i Card> {
        let last = self.last.as_ref()?;
        let from = index.lessons().position(|card| card.id == *last)?;
        let left = |card: &&Card| self.of(&card.id).goes_on(&parts(card)).is_some();
        index.lessons().skip(from).chain(index.lessons().take(from)).find(left)
    }
}

/// Returns the storage name of the work done on a lesson.
pub fn stored_as(id: &str) -> String {
    format!("progress.{id}")
}

/// Returns the work done on a lesson.
pub fn progress(id: &str, shelf: &dyn Shelf) -> Progress {
    shelf.get(&stored_as(id)).map(|text| Progress::read(&text)).unwrap_or_default()
}

/// Returns the modes that a lesson has.
pub fn parts(card: &Card) -> Vec<Mode> {
    let has = |mode: &Mode| card.parts.iter().any(|part| part == mode.id());
    LINE.into_iter().filter(has).collect()
}

/// Returns a link to the part of the lesson to continue with, or to the first part if all are done.
pub fn lesson_link(card: &Card, done: Progress, lang: Lang) -> String {
    let mut link = format!("#lesson={}&lang={}", card.id, lang.tag());
    let parts = parts(card);
    if let Some(part) = done.goes_on(&parts).or(parts.first().copied()) {
        link += &format!("&mode={}", part.id());
    }
    link
}
