//! The syllabus: where to start, chapters with what each teaches, lessons with what was done of
//! them.

use yew::prelude::*;

use crate::lesson::{Card, Index};
use crate::text::{Key, Lang, fill, tr};
use crate::view::progress::Progress;

use super::{browser, rich};

pub fn home(index: Option<&Index>, lang: Lang) -> Html {
    let lessons = || index.iter().flat_map(|index| &index.chapters).flat_map(|c| &c.lessons);
    let title = |id: &str| lessons().find(|card| card.id == id).map(|card| card.title.get(lang));
    let starts = index.iter().flat_map(|index| &index.starts).map(|start| {
        html! {
            <li key={start.lesson.clone()}>
                <span>{ start.know.get(lang).clone() }</span>
                <a href={lesson_link(&start.lesson, lang)}>{ title(&start.lesson).cloned() }</a>
            </li>
        }
    });
    let chapters = index.iter().flat_map(|index| &index.chapters).enumerate();
    html! {
        <main class="home">
            <section class="intro">
                <h1>{ tr(lang, Key::HomeTitle) }</h1>
                <p>{ tr(lang, Key::HomeIntro) }</p>
                <p class="ways">
                    if let Some(card) = lessons().next() {
                        <a class="main" href={lesson_link(&card.id, lang)}>
                            { tr(lang, Key::HomeStart) }</a>
                    }
                    <a href={format!("#page=playground&lang={}", lang.tag())}>
                        { tr(lang, Key::HomePlayground) }</a>
                    <a href={format!("#page=glossary&lang={}", lang.tag())}>
                        { tr(lang, Key::Glossary) }</a>
                </p>
            </section>
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
                        <ul>{ for chapter.lessons.iter().map(|one| lesson(one, lang)) }</ul>
                    </section>
                }) }
            </div>
        </main>
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

fn lesson(card: &Card, lang: Lang) -> Html {
    let minutes = fill(tr(lang, Key::Minutes), &[&card.minutes.to_string()]);
    let variants = fill(tr(lang, Key::Variants), &[&card.variants.to_string()]);
    let done = progress(&card.id);
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
