//! The words beside the run: a story's sentence, or what the last step did.

use yew::prelude::*;

use crate::lesson::Block;
use crate::text::{Key, Lang, fill, tr};

use super::rich;

#[derive(Properties, PartialEq)]
pub struct StoryProps {
    pub lang: Lang,
    pub step: usize,
    pub steps: usize,
    /// The story told, where one is.
    pub told: Option<Told>,
    /// What the last step did, sentence by sentence.
    pub said: Vec<String>,
    pub on_walk: Callback<usize>,
    pub on_back: Callback<()>,
    pub on_next: Callback<()>,
    /// At the story's end: to the same variant, free.
    pub on_free: Callback<()>,
}

/// A story at one of its steps.
#[derive(Clone, PartialEq)]
pub struct Told {
    pub words: Vec<Block>,
    /// All stories: their titles, and which is told.
    pub titles: Vec<String>,
    pub walk: usize,
}

#[component]
pub fn Story(props: &StoryProps) -> Html {
    let lang = props.lang;
    match &props.told {
        Some(told) => story(props, told),
        None => {
            let head = match props.step {
                0 => tr(lang, Key::AtStart).to_owned(),
                step => fill(tr(lang, Key::WhatHappened), &[&step.to_string()]),
            };
            html! {
                <section class="story" aria-live="polite" aria-atomic="true">
                    <small>{ head }</small>
                    { for props.said.iter().map(|sentence| html! { <p>{ sentence.clone() }</p> }) }
                </section>
            }
        }
    }
}

fn story(props: &StoryProps, told: &Told) -> Html {
    let lang = props.lang;
    let on_walk = &props.on_walk;
    let titles = told.titles.iter().enumerate().map(|(number, title)| {
        let pressed = number == told.walk;
        let onclick = on_walk.reform(move |_| number);
        html! {
            <button key={number} type="button" class={classes!("pill", pressed.then_some("on"))}
                aria-pressed={pressed.to_string()} {onclick}>{ title.clone() }</button>
        }
    });
    let at_end = props.step == props.steps;
    let back = props.on_back.reform(|_| ());
    let next = props.on_next.reform(|_| ());
    let free = props.on_free.reform(|_| ());
    let of = fill(tr(lang, Key::StepOf), &[&props.step.to_string(), &props.steps.to_string()]);
    html! {
        <section class="story told">
            <div class="pills" role="group" aria-label={tr(lang, Key::Walk)}>{ for titles }</div>
            <div class="words" aria-live="polite" aria-atomic="true">
                <small>{ of }</small>
                { rich::blocks(&told.words) }
            </div>
            <div class="turn">
                <button type="button" onclick={back} disabled={props.step == 0}>
                    { tr(lang, Key::PrevStep) }
                </button>
                if at_end {
                    <button type="button" class="main" onclick={free}>
                        { tr(lang, Key::TryIt) }
                    </button>
                } else {
                    <button type="button" class="main" onclick={next}>
                        { tr(lang, Key::NextStep) }
                    </button>
                }
            </div>
        </section>
    }
}
