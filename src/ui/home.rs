//! The front page: what this is, shown by a run; the ways in; and the syllabus, chapters with what
//! each teaches, lessons with what was done of them.

use std::collections::BTreeMap;

use yew::prelude::*;

use crate::lesson::{Card, Index};
use crate::text::{Key, Lang, fill, tr};
use crate::view::front::{FIRST_LESSON, Way, ways};
use crate::view::progress::Progress;

use super::front::{Front, Kept};
use super::{browser, rich};

pub struct Home<'h> {
    pub index: Option<&'h Index>,
    pub done: Option<&'h Done>,
    /// The run.
    pub front: &'h Kept,
    pub lang: Lang,
}

/// What was done of every lesson, by its id.
pub struct Done(BTreeMap<String, Progress>);

impl Done {
    pub fn read(index: &Index) -> Done {
        let lessons = index.chapters.iter().flat_map(|chapter| &chapter.lessons);
        Done(lessons.map(|card| (card.id.clone(), progress(&card.id))).collect())
    }

    fn of(&self, id: &str) -> Progress {
        self.0.get(id).copied().unwrap_or_default()
    }
}

/// What stands in the hero stands at the same places in the first paint (`check` writes it), so
/// that nothing moves when this takes over.
pub fn home(shown: &Home<'_>) -> Html {
    let Home { index, done, front, lang } = *shown;
    let done = |id: &str| done.map(|done| done.of(id)).unwrap_or_default();
    let lessons = || index.iter().flat_map(|index| &index.chapters).flat_map(|c| &c.lessons);
    let title = |id: &str| lessons().find(|card| card.id == id).map(|card| card.title.get(lang));
    let starts = index.iter().flat_map(|index| &index.starts).map(|start| {
        html! {
            <li key={start.lesson.clone()}>
                <span>{ start.know.get(lang).clone() }</span>
                <a href={lesson_link(&start.lesson, lang)}>
                    { title(&start.lesson).cloned().unwrap_or_default() }
                </a>
            </li>
        }
    });
    let chapters = index.iter().flat_map(|index| &index.chapters).enumerate();
    let first = lessons().next().map_or(FIRST_LESSON, |card| card.id.as_str());
    html! {
        <main class="home">
            <div class="hero">
                <section class="intro">
                    <h1>{ tr(lang, Key::HomeTitle) }</h1>
                    <p>{ tr(lang, Key::HomeIntro) }</p>
                </section>
                <Front {lang} kept={front.clone()} first={first.to_owned()} />
                <ul class="ways">{ for ways(lang).iter().map(|one| way(one, lang)) }</ul>
            </div>
            if index.is_some_and(|index| !index.starts.is_empty()) {
                <section class="starts">
                    <h2>{ tr(lang, Key::StartBy) }</h2>
                    <ul>{ for starts }</ul>
                </section>
            }
            <div class="chapters">
                { for chapters.map(|(number, chapter)| html! {
                    <section key={number} class="chapter">
                        <h2><span>{ number + 1 }</span>{ chapter.title.get(lang).clone() }</h2>
                        <p>{ chapter.about.get(lang).clone() }</p>
                        <ul>
                            { for chapter.lessons.iter()
                                .map(|one| lesson(one, done(&one.id), lang)) }
                        </ul>
                    </section>
                }) }
            </div>
        </main>
    }
}

fn way(way: &Way, lang: Lang) -> Html {
    html! {
        <li>
            <a href={way.href.clone()}>
                <strong>{ tr(lang, way.title) }</strong>
                <span>{ tr(lang, way.about) }</span>
            </a>
        </li>
    }
}

fn lesson_link(id: &str, lang: Lang) -> String {
    format!("#lesson={id}&lang={}", lang.tag())
}

/// What was done of a lesson, as this browser remembers it.
pub fn progress(id: &str) -> Progress {
    let stored = browser::stored(&format!("progress.{id}"));
    stored.map(|text| Progress::read(&text)).unwrap_or_default()
}

fn lesson(card: &Card, done: Progress, lang: Lang) -> Html {
    let minutes = fill(tr(lang, Key::Minutes), &[&card.minutes.to_string()]);
    let variants = fill(tr(lang, Key::Variants), &[&card.variants.to_string()]);
    let mut marks: Vec<String> = Vec::new();
    let mut mark = |is: bool, key: Key| marks.extend(is.then(|| tr(lang, key).to_owned()));
    mark(done.watched, Key::DoneWatched);
    mark(done.fixed, Key::DoneFixed);
    mark(done.answered, Key::DoneAnswered);
    marks.extend(done.best.map(|best| fill(tr(lang, Key::DoneBroken), &[&best.to_string()])));
    html! {
        <li key={card.id.clone()}>
            <a href={lesson_link(&card.id, lang)}>
                <h3>{ card.title.get(lang).clone() }</h3>
                <p>{ rich::inlines(card.goal.get(lang)) }</p>
                <small>
                    { minutes }
                    if card.variants > 0 { { " · " }{ variants } }
                </small>
                if !marks.is_empty() {
                    <small class="done">{ "✓ " }{ marks.join(" · ") }</small>
                }
            </a>
        </li>
    }
}
