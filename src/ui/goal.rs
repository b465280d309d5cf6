//! The goal of a lesson in full, in a dialog: the sentence, the task of the part, every condition
//! with its state in words, every program with its text. The row above the part opens it.

use yew::prelude::*;

use crate::app::input::Input;
use crate::lesson::{Lesson, Words};
use crate::session::{Mode, Msg};
use crate::text::{Key, Lang, ScreenWord, screen, tr};
use crate::view::stage::chips::Chip;

use super::header::sign;
use super::lazy::Same;
use super::rich;

#[derive(PartialEq)]
pub struct SheetProps {
    pub lang: Lang,
    pub lesson: Same<Lesson>,
    pub mode: Mode,
    pub chips: Vec<Chip>,
    pub variant: usize,
    /// True if another program may be chosen.
    pub chooses: bool,
    pub on: Callback<Input>,
}

#[inline(never)]
pub fn sheet(props: &SheetProps) -> Html {
    let (lang, lesson) = (props.lang, &props.lesson);
    let title = |word| html! { <h3>{ screen(lang, word) }</h3> };
    let task = match props.mode {
        Mode::Break => lesson.challenge.as_ref().map(|one| (ScreenWord::Task, &one.words)),
        Mode::Fix => lesson.exercise.as_ref().map(|one| (ScreenWord::Rewrite, &one.words)),
        _ => None,
    };
    let chips = props.chips.iter().map(|chip| condition(chip, props));
    let variants = (0..lesson.variants.len()).map(|number| program(number, props));
    html! {
        <>
            <p class="sentence">{ rich::inlines(lesson.goal.get(lang)) }</p>
            { for task.map(|(word, words)| html! { <>{ title(word) }{ told(words, lang) }</> }) }
            if !props.chips.is_empty() {
                { title(ScreenWord::Conditions) }
                <ul class="conditions">{ for chips }</ul>
            }
            if !lesson.variants.is_empty() {
                { title(ScreenWord::Programs) }
                <ul class="programs">{ for variants }</ul>
            }
        </>
    }
}

fn told(words: &Words, lang: Lang) -> Html {
    html! {
        <>
            <p><strong>{ words.label.get(lang).clone() }</strong></p>
            { rich::blocks(words.body.get(lang)) }
        </>
    }
}

/// Draws a condition; where no run is stepped its state would be that of a run out of sight.
fn condition(chip: &Chip, props: &SheetProps) -> Html {
    let (class, mark) = sign(chip.state);
    let stepped = props.mode.is_stepped();
    html! {
        <li key={chip.id.clone()} class={classes!(stepped.then_some(class))}>
            <span aria-hidden="true">{ if stepped { mark } else { "·" } }</span>
            <span>{ chip.label.clone() }</span>
            if stepped { <small>{ chip.words.clone() }</small> }
        </li>
    }
}

/// Draws a program; one that may be chosen is a button.
fn program(number: usize, props: &SheetProps) -> Html {
    let Some(variant) = props.lesson.variants.get(number) else { return Html::default() };
    let shown = number == props.variant;
    let words = html! {
        <>
            <b>{ variant.label.get(props.lang).clone() }</b>
            { rich::blocks(variant.about.get(props.lang)) }
        </>
    };
    if !props.chooses {
        return html! { <li key={number}>{ words }</li> };
    }
    let on = props.on.clone();
    let onclick = move |_: MouseEvent| {
        on.emit(Input::Goal(false));
        on.emit(Input::Session(Msg::Variant(number)));
    };
    let name = variant.label.get(props.lang).clone();
    html! {
        <li key={number} class={classes!(shown.then_some("on"))}>
            <button type="button" {onclick} aria-label={name} aria-pressed={shown.to_string()}
                data-variant={variant.id.clone()}></button>
            { words }
        </li>
    }
}

/// Draws the button that is as large as the row of the goal, below what else stands in it.
pub fn opener(lang: Lang, on: &Callback<Input>) -> Html {
    let name = tr(lang, Key::Goal);
    html! {
        <button type="button" class="all" aria-haspopup="dialog" aria-label={name} title={name}
            onclick={on.reform(|_: MouseEvent| Input::Goal(true))} data-move="goal"></button>
    }
}
