//! Results without a server: the learner's progress as a file and as a result code, and the page
//! that reads the codes of a class.

use super::*;
use crate::app::carried::{self, Wrong};
use crate::app::done::{parts, progress, stored_as};
use crate::app::input::{ClassInput, Unread};
use crate::session::progress::GOALS;
use crate::text::{ClassWord, class, fill};
use crate::view::class::code::{Code, Entry, NAME_MAX};
use crate::view::class::qr::{Qr, qr};
use crate::view::class::{Read, TEXT_MAX, Table, link};

/// The storage name of the name that the learner typed last.
const NAME: &str = "name";
/// The most characters of a file's name that a message quotes.
const QUOTED: usize = 60;

/// What is typed and pasted, and what became of the file opened last.
#[derive(Debug, Default)]
pub struct ClassState {
    /// The text with the codes of a class, and what was read of it.
    pub text: String,
    pub read: Read,
    /// True if the text is the beginning of what was pasted.
    pub is_cut: bool,
    /// The learner's own name.
    name: String,
    /// True if the code holds all lessons that were begun.
    all: bool,
    opened: Option<Opened>,
}

/// What became of a file with progress, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Opened {
    /// The lessons in it, and how many of them had something new.
    Added(usize, usize),
    NoRoom(String),
    Wrong(String, Wrong),
    Unread(String, Unread),
}

/// The dialog of the result code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultView {
    pub name: String,
    /// The lessons in the code: title, score, goals that are reached, goals.
    pub lessons: Vec<(String, Entry)>,
    /// The number of lessons that were begun, and whether the code holds all of them. `None` where
    /// there is no choice.
    pub all: Option<(usize, bool)>,
    pub link: String,
    pub picture: Option<Qr>,
}

/// Returns what was reached in a lesson with these parts; `None` if none of them has a goal.
fn entry(id: &str, parts: &[Mode], done: Progress) -> Option<Entry> {
    let goals: Vec<Mode> = GOALS.into_iter().filter(|mode| parts.contains(mode)).collect();
    let sum: u32 = goals.iter().map(|mode| done.percent(*mode)).sum();
    let score = sum.checked_div(goals.len() as u32)?;
    let reached = goals.iter().copied().filter(|mode| done.has_done(*mode)).collect();
    Some(Entry { lesson: id.to_owned(), goals, reached, score })
}

impl Shell {
    /// Opens the page of a class, with the code of a link.
    #[inline(never)]
    pub(super) fn open_class(&mut self, link: &Link) {
        let Some(code) = &link.result else { return };
        // One link after the other can be opened.
        if !self.class.text.contains(code.as_str()) {
            let mut text = std::mem::take(&mut self.class.text);
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            self.paste(text + code + "\n");
        }
    }

    fn paste(&mut self, mut text: String) {
        let mut end = text.len().min(TEXT_MAX);
        self.class.is_cut = end < text.len();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        self.class.read = Read::of(&text);
        self.class.text = text;
    }

    #[inline(never)]
    pub(super) fn class_input(&mut self, input: ClassInput) {
        match input {
            ClassInput::Result(open) => {
                if open {
                    self.class.name = self.host.stored(NAME).unwrap_or_default();
                    self.class.all = self.page == Page::Progress;
                }
                self.show(Window::Result, open);
            }
            ClassInput::Name(name) => {
                self.class.name = name.chars().take(NAME_MAX).collect();
                let name = self.class.name.clone();
                self.store(NAME, &name);
            }
            ClassInput::All(all) => self.class.all = all,
            ClassInput::Copy => {
                if let Some(view) = self.result() {
                    self.ask(Effect::Copy("result", view.link));
                }
            }
            ClassInput::Text(text) => self.paste(text),
            ClassInput::SaveCsv => {
                let text = self.class_table().csv(self.lang);
                self.save("class.csv".to_owned(), "text/csv", text);
            }
            ClassInput::SaveProgress => {
                let lessons = self.begun().into_iter().map(|(card, done)| (card.id.clone(), done));
                let text = carried::write(&lessons.collect::<Vec<_>>());
                self.save(carried::FILE.to_owned(), "application/json", text);
            }
            ClassInput::OpenProgress(name, file) => {
                let name = name.chars().take(QUOTED).collect();
                self.class.opened = Some(self.open_progress(name, file));
            }
        }
    }

    /// Adds the progress of a file to what is there.
    fn open_progress(&mut self, name: String, file: Result<Vec<u8>, Unread>) -> Opened {
        let lessons = match file.map(|bytes| carried::read(&bytes)) {
            Ok(Ok(lessons)) => lessons,
            Ok(Err(why)) => return Opened::Wrong(name, why),
            Err(why) => return Opened::Unread(name, why),
        };
        let (mut new, mut kept) = (0, true);
        for (id, more) in &lessons {
            let before = progress(id, self.host.shelf);
            let mut done = before;
            done.add(*more);
            if done != before {
                new += 1;
                kept &= self.host.shelf.set(&stored_as(id), &done.write());
            }
        }
        if kept { Opened::Added(lessons.len(), new) } else { Opened::NoRoom(name) }
    }

    /// Returns what became of the file that was opened last, in words; true if it was opened.
    pub fn progress_opened(&self) -> Option<(String, bool)> {
        let (word, values) = match self.class.opened.as_ref()? {
            Opened::Added(lessons, new) => {
                (ClassWord::Opened, vec![lessons.to_string(), new.to_string()])
            }
            Opened::NoRoom(name) => (ClassWord::OpenNoRoom, vec![name.clone()]),
            Opened::Wrong(name, Wrong::NotOurs) => (ClassWord::OpenNotOurs, vec![name.clone()]),
            Opened::Wrong(name, Wrong::Newer) => (ClassWord::OpenNewer, vec![name.clone()]),
            Opened::Unread(name, Unread::TooBig) => (ClassWord::OpenTooBig, vec![name.clone()]),
            Opened::Unread(name, Unread::Failed(why)) => {
                (ClassWord::OpenFailed, vec![name.clone(), why.clone()])
            }
        };
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        Some((fill(class(self.lang, word), &values), word == ClassWord::Opened))
    }

    /// Returns the lessons in which something was done, in the order of the list.
    fn begun(&self) -> Vec<(&Card, Progress)> {
        let cards = self.index.iter().flat_map(|index| index.lessons());
        let all = cards.map(|card| (card, progress(&card.id, self.host.shelf)));
        all.filter(|(_, done)| *done != Progress::default()).collect()
    }

    /// Returns what was reached in each of the lessons in which something was done, with its title.
    #[inline(never)]
    pub fn results(&self) -> Vec<(String, Entry)> {
        let open = self.lesson.run.session.as_ref();
        let is_open = |id: &str| open.is_some_and(|session| session.lesson().id == id);
        let others = self.begun().into_iter().filter(|(card, _)| !is_open(&card.id));
        let others = others.filter_map(|(card, done)| {
            Some((card.title.get(self.lang).clone(), entry(&card.id, &parts(card), done)?))
        });
        // The open one comes first. What was just done of it is stored a moment later.
        let open = open.and_then(|session| {
            let lesson = session.lesson();
            let entry = entry(&lesson.id, &session.modes(), self.lesson.progress)?;
            Some((lesson.title.get(self.lang).clone(), entry))
        });
        open.into_iter().chain(others).collect()
    }

    /// Returns the dialog of the result code.
    #[inline(never)]
    pub fn result(&self) -> Option<ResultView> {
        let all = self.results();
        let open = self.lesson.run.session.as_ref().map(|session| session.lesson().id.clone());
        let begun = all.len();
        let is_all = self.class.all || open.is_none();
        let is_in = |one: &&(String, Entry)| is_all || Some(&one.1.lesson) == open.as_ref();
        let lessons: Vec<(String, Entry)> = all.iter().filter(is_in).cloned().collect();
        if lessons.is_empty() {
            return None;
        }
        let code = Code {
            name: self.class.name.clone(),
            day: (self.host.today)(),
            lessons: lessons.iter().map(|(_, entry)| entry.clone()).collect(),
        };
        let link = (self.host.address_with)(&link(&code));
        Some(ResultView {
            name: self.class.name.clone(),
            lessons,
            all: (open.is_some() && begun > 1).then_some((begun, is_all)),
            picture: qr(&link),
            link,
        })
    }

    /// Returns the results of the class.
    pub fn class_table(&self) -> Table {
        Table::new(&self.class.read, self.index.as_ref(), self.lang)
    }
}
