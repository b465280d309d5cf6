//! The front page: what this is, shown by a run; the ways in; and the syllabus, chapters with what
//! each teaches, lessons with what was done of them, and the mixed exercise.

use yew::prelude::*;

use crate::app::done::{Done, lesson_link, parts};
use crate::lesson::{Card, Chapter, Index};
use crate::session::mode::Mode;
use crate::session::progress::Progress;
use crate::text::{Key, Lang, ScreenWord, fill, screen, tr};
use crate::view::home::front::{FIRST_LESSON, Way, first_way, ways};

use super::front::{Front, Kept};
use super::rich;

pub struct Home<'h> {
    pub index: Option<&'h Index>,
    pub done: Option<&'h Done>,
    /// The run.
    pub front: &'h Kept,
    pub lang: Lang,
}

/// Draws the front page. The elements of the hero have the same positions as in the first paint,
/// which `check` writes, so that nothing moves.
pub fn home(shown: &Home<'_>) -> Html {
    let Home { index, done, front, lang } = *shown;
    let goes_on = done.zip(index).and_then(|(done, index)| done.goes_on(index));
    let done = |id: &str| done.map(|done| done.of(id)).unwrap_or_default();
    let lessons = || index.iter().flat_map(|index| index.lessons());
    let starts = index.iter().flat_map(|index| &index.starts).filter_map(|start| {
        let card = lessons().find(|card| card.id == start.lesson)?;
        Some(html! {
            <li key={start.lesson.clone()}>
                <span>{ start.know.get(lang).clone() }</span>
                <a href={lesson_link(card, done(&card.id), lang)}>
                    { card.title.get(lang).clone() }
                </a>
            </li>
        })
    });
    let starts = index.is_some_and(|index| !index.starts.is_empty()).then(|| {
        html! {
            <section class="starts">
                <h2>{ tr(lang, Key::StartBy) }</h2>
                <ul>{ for starts }</ul>
            </section>
        }
    });
    // Where something was begun, that comes first, and where to start last.
    let (above, below) = if goes_on.is_some() { (None, starts) } else { (starts, None) };
    let chapters = index.iter().flat_map(|index| &index.chapters).enumerate();
    let main_way = match goes_on {
        Some(card) => way_on(card, done(&card.id), lang),
        None => {
            let first = lessons().next().map_or(FIRST_LESSON, |card| card.id.as_str());
            (tr(lang, Key::WayLesson).to_owned(), first_way(first, lang))
        }
    };
    html! {
        <main class="home">
            <div class="hero">
                <section class="intro">
                    <h1>{ tr(lang, Key::HomeTitle) }</h1>
                    <p>{ tr(lang, Key::HomeIntro) }</p>
                </section>
                <Front {lang} kept={front.clone()} way={main_way} />
                <ul class="ways">{ for ways(lang).iter().map(|one| way(one, lang)) }</ul>
            </div>
            { goes_on.map(|card| go_on(card, done(&card.id), lang)) }
            { above }
            <div class="chapters">
                { for chapters.map(|(number, chapter)| html! {
                    <section key={number} class="chapter">
                        <h2><span>{ number + 1 }</span>{ chapter.title.get(lang).clone() }</h2>
                        { bar(chapter, &done, lang) }
                        <p>{ chapter.about.get(lang).clone() }</p>
                        { for chapter.exercise.iter().map(|one| mixed(one, done(&one.id), lang)) }
                        <ul>
                            { for chapter.lessons.iter()
                                .map(|one| lesson(one, done(&one.id), lang)) }
                        </ul>
                    </section>
                }) }
            </div>
            { below }
            { goes_on.is_none().then(|| html! { <p class="mine">{ my_progress(lang) }</p> }) }
        </main>
    }
}

/// Returns the way to the lesson to continue with.
#[inline(never)]
fn way_on(card: &Card, done: Progress, lang: Lang) -> (String, String) {
    let title = card.title.get(lang);
    (format!("{}: {title}", screen(lang, ScreenWord::Continue)), lesson_link(card, done, lang))
}

/// Draws the lesson to continue with: its parts, and the link to the next one.
#[inline(never)]
fn go_on(card: &Card, done: Progress, lang: Lang) -> Html {
    let parts = parts(card);
    let next = done.goes_on(&parts);
    let part = |one: &Mode| {
        let (class, mark) = match (done.has_done(*one), next == Some(*one)) {
            (true, _) => ("done", "✓ "),
            (false, true) => ("now", "● "),
            (false, false) => ("", "○ "),
        };
        html! {
            <li {class}><i aria-hidden="true">{ mark }</i>{ tr(lang, one.label()) }
                if done.has_done(*one) {
                    <span class="sr">{ " " }{ screen(lang, ScreenWord::PartDone) }</span>
                }
            </li>
        }
    };
    let name = next.map(|part| tr(lang, part.label())).unwrap_or_default();
    html! {
        <section class="go-on">
            { picture(card) }
            <div>
                <h2>
                    { screen(lang, ScreenWord::Continue) }
                    { if lang == Lang::Zh { "：" } else { ": " } }
                    { card.title.get(lang).clone() }
                </h2>
                <ol>{ for parts.iter().map(part) }</ol>
                { my_progress(lang) }
            </div>
            <a class="main" href={lesson_link(card, done, lang)}>
                { fill(screen(lang, ScreenWord::ContinuePart), &[name]) }{ "\u{a0}→" }
            </a>
        </section>
    }
}

/// The page that keeps, brings and takes away what was done. Who comes with it from another device
/// has nothing to go on with yet.
fn my_progress(lang: Lang) -> Html {
    html! {
        <a class="more" href={format!("#page=progress&lang={}", lang.tag())}>
            { screen(lang, ScreenWord::MyProgress) }</a>
    }
}

/// Draws the progress in a chapter: a piece for each lesson, and the number of finished ones. Draws
/// nothing before any progress.
fn bar(chapter: &Chapter, done: &impl Fn(&str) -> Progress, lang: Lang) -> Html {
    let states: Vec<(bool, bool)> = chapter
        .lessons
        .iter()
        .map(|card| {
            let (progress, parts) = (done(&card.id), parts(card));
            let begun = parts.iter().any(|part| progress.has_done(*part));
            (begun, begun && progress.goes_on(&parts).is_none())
        })
        .collect();
    if !states.iter().any(|(begun, _)| *begun) {
        return Html::default();
    }
    let whole = states.iter().filter(|(_, whole)| *whole).count();
    let count = [whole.to_string(), states.len().to_string()];
    let words = fill(screen(lang, ScreenWord::OfLessons), &[&count[0], &count[1]]);
    let piece = |(begun, whole): &(bool, bool)| {
        let class = match (whole, begun) {
            (true, _) => "whole",
            (false, true) => "begun",
            (false, false) => "",
        };
        html! { <i {class}></i> }
    };
    html! {
        <p class="chapter-done">
            <span aria-hidden="true">{ for states.iter().map(piece) }</span>
            { words }
        </p>
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

/// Draws the link to the exercise at the end of a chapter.
fn mixed(card: &Card, done: Progress, lang: Lang) -> Html {
    let is_done = done.goes_on(&parts(card)).is_none();
    html! {
        <p class={is_done.then_some("done")}>
            <a href={lesson_link(card, done, lang)}>
                if is_done { { "✓ " } }
                { fill(tr(lang, Key::MixedExercise), &[card.title.get(lang)]) }
            </a>
        </p>
    }
}

/// The lesson's own race, of the file that `check compile` makes of all
/// ([`crate::view::home::race`]). Lessons without a story have none.
fn picture(card: &Card) -> Option<Html> {
    let has_run = card.parts.iter().any(|part| part == Mode::Watch.id());
    let href = format!("lessons/pictures.svg#{}", card.id);
    has_run.then(|| html! { <svg class="race" aria-hidden="true"><use href={href} /></svg> })
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
            <a href={lesson_link(card, done, lang)}>
                { picture(card) }
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
