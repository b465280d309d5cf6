//! The words beside the run: a story's sentence, or what the last step did.

use yew::prelude::*;

use crate::lesson::Block;
use crate::text::{Key, Lang, fill, tr};
use crate::view::challenge::ChallengeView;
use crate::view::session::{Mode, Msg};

use super::app::Input;
use super::rich;

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
pub struct Told {
    pub words: Vec<Block>,
    pub title: String,
    /// The stories of this variant, where there are several: number and title.
    pub others: Vec<(usize, String)>,
    pub walk: usize,
    /// The story after this one.
    pub next: Option<(usize, String)>,
}

pub fn story(props: &StoryProps) -> Html {
    let lang = props.lang;
    match &props.told {
        Some(told) => telling(props, told),
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

fn telling(props: &StoryProps, told: &Told) -> Html {
    let lang = props.lang;
    let pills = told.others.iter().map(|(number, title)| {
        let (number, pressed) = (*number, *number == told.walk);
        let onclick = props.on_walk.reform(move |_| number);
        html! {
            <button key={number} type="button" class={classes!("pill", pressed.then_some("on"))}
                aria-pressed={pressed.to_string()} {onclick}>{ title.clone() }</button>
        }
    });
    let of = fill(tr(lang, Key::StepOf), &[&props.step.to_string(), &props.steps.to_string()]);
    let head = match told.others.is_empty() {
        true => format!("{} · {of}", told.title),
        false => of,
    };
    html! {
        <section class="story told">
            <div class="pills" role="group" aria-label={tr(lang, Key::Walk)}>{ for pills }</div>
            <div class="words" aria-live="polite" aria-atomic="true">
                <small>{ head }</small>
                { rich::blocks(&told.words) }
            </div>
            <div class="turn">
                <button type="button" onclick={props.on_back.reform(|_| ())}
                    disabled={props.step == 0}>{ tr(lang, Key::PrevStep) }</button>
                { onwards(props, told) }
            </div>
        </section>
    }
}

/// The next step; at the end, the learner's turn and the next story.
fn onwards(props: &StoryProps, told: &Told) -> Html {
    let lang = props.lang;
    if props.step < props.steps {
        let onclick = props.on_next.reform(|_| ());
        return html! {
            <button type="button" class="main" {onclick}>{ tr(lang, Key::NextStep) }</button>
        };
    }
    let free = props.on_free.reform(|_| ());
    html! {
        <>
            <button type="button" class="main to-schedule" onclick={free}>
                { tr(lang, Key::TryIt) }</button>
            if let Some((number, title)) = &told.next {
                <button type="button" onclick={
                    let number = *number;
                    props.on_walk.reform(move |_| number)
                }>{ fill(tr(lang, Key::NextStory), &[title]) }</button>
            }
        </>
    }
}

/// The challenge in place of a story.
#[inline(never)]
pub fn challenge(
    dared: &ChallengeView,
    said: Vec<String>,
    lang: Lang,
    on: &Callback<Input>,
) -> Html {
    let (steps, fewest) = (dared.steps.to_string(), dared.fewest.to_string());
    let outcome = dared.done.map(|step| {
        let key = if step <= dared.fewest { Key::ChallengeMet } else { Key::ChallengeMetLonger };
        fill(tr(lang, key), &[&step.to_string(), &fewest])
    });
    let fix = on.reform(|_| Input::Session(Msg::Mode(Mode::Fix)));
    html! {
        <section class="story dared" data-done={dared.done.is_some().to_string()}>
            <h3>{ dared.goal.clone() }</h3>
            if dared.steps == 0 { { rich::blocks(&dared.about) } }
            <small>
                { fill(tr(lang, Key::ChallengeSteps), &[&steps, &fewest]) }
                if let Some(best) = dared.best {
                    { " · " }{ fill(tr(lang, Key::ChallengeBest), &[&best.to_string()]) }
                }
            </small>
            <div aria-live="polite" aria-atomic="true">
                if dared.steps > 0 { { for said.into_iter().map(|one| html! { <p>{ one }</p> }) } }
                if let Some(outcome) = outcome { <p class="met"><strong>{ outcome }</strong></p> }
            </div>
            if dared.done.is_some() {
                <div class="turn">
                    <button type="button" class="main to-fix" onclick={fix}>
                        { tr(lang, Key::ChallengeNext) }</button>
                </div>
            }
        </section>
    }
}
