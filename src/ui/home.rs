//! The list of lessons, by chapter.

use yew::prelude::*;

use crate::lesson::{Card, Index};
use crate::text::{Key, Lang, fill, tr};

use super::rich;

pub fn home(index: Option<&Index>, lang: Lang) -> Html {
    let first = index.iter().flat_map(|index| &index.chapters).flat_map(|c| &c.lessons).next();
    html! {
        <main class="home">
            <section class="intro">
                <h1>{ tr(lang, Key::HomeTitle) }</h1>
                <p>{ tr(lang, Key::HomeIntro) }</p>
                if let Some(card) = first {
                    <a class="main" href={lesson_link(card, lang)}>{ tr(lang, Key::HomeStart) }</a>
                }
            </section>
            <div class="chapters">
                { for index.iter().flat_map(|index| &index.chapters).enumerate()
                    .map(|(number, chapter)| html! {
                        <section key={number} class="chapter">
                            <h2><span>{ number + 1 }</span>{ chapter.title.get(lang).clone() }</h2>
                            <ul>{ for chapter.lessons.iter().map(|one| lesson(one, lang)) }</ul>
                        </section>
                    }) }
            </div>
        </main>
    }
}

fn lesson_link(card: &Card, lang: Lang) -> String {
    format!("#lesson={}&lang={}", card.id, lang.tag())
}

fn lesson(card: &Card, lang: Lang) -> Html {
    let minutes = fill(tr(lang, Key::Minutes), &[&card.minutes.to_string()]);
    let variants = fill(tr(lang, Key::Variants), &[&card.variants.to_string()]);
    html! {
        <li key={card.id.clone()}>
            <a href={lesson_link(card, lang)}>
                <h3>{ card.title.get(lang).clone() }</h3>
                <p>{ rich::inlines(card.goal.get(lang)) }</p>
                <small>{ minutes }{ " · " }{ variants }</small>
            </a>
        </li>
    }
}
