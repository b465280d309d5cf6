//! The bar above the dock: the sentence of the step, the question before the next one, and at the
//! end the way on.

use web_sys::Element;
use yew::prelude::*;

use crate::app::input::Input;
use crate::app::stage::{Ask, Hint, Say, StageView, Told};
use crate::session::{Mode, Msg};
use crate::text::{Key, Lang, ScreenWord, fill, screen, tr};
use crate::ui::cards::client_class;
use crate::ui::{browser, rich};
use crate::view::film::Place;
use crate::view::learn::challenge::ChallengeView;

/// On the front page the way on stands below the stage.
pub fn say(view: &StageView, on_front: bool, on: &Callback<Input>) -> Html {
    let lang = view.lang;
    let (class, words, ways) = match &view.say {
        Say::Told(told) => ("told", story(told), onwards(view, told, on)),
        Say::Happened(said) => {
            let said = said.iter().map(|one| html! { <p>{ one.clone() }</p> });
            ("happened", said.collect(), at_end(view, on))
        }
        Say::Dared(dared, said) => {
            let class = if dared.steps == 0 { "dared task" } else { "dared" };
            (class, challenge(dared, said, lang), from_challenge(dared, view, on))
        }
    };
    let done = match &view.say {
        Say::Dared(dared, _) => Some(dared.done.is_some().to_string()),
        _ => None,
    };
    html! {
        <section class={classes!("say", class, view.ask.is_some().then_some("asked"))}
            data-done={done}>
            <div class="saying" data-place={Place::say().to_string()}>
                <div class="story words" tabindex="0" role="region"
                    aria-label={tr(lang, Key::WhatHappens)}>
                    <div aria-live="polite" aria-atomic="true">
                        { words }
                        // Read after the sentence of the step that leads to it.
                        if let Some(ask) = &view.ask {
                            <p class="sr">{ ask.question.clone() }</p>
                        }
                    </div>
                    { outlook(&view.say) }
                </div>
                { hint(&view.hint, lang, on) }
                if let Some(ask) = view.ask.clone() {
                    <Question {ask} {lang} on={on.clone()} />
                }
                if !on_front { <div class="ways">{ ways }</div> }
            </div>
        </section>
    }
}

/// Draws the words of a story's step, after the result of the reader's prediction.
fn story(told: &Told) -> Html {
    let guess = told.foretold.as_ref().map(|(right, words)| {
        let class = right.map(|right| if right { "ok" } else { "bad" });
        html! { <p class={classes!("foretold", class)}><strong>{ words.clone() }</strong></p> }
    });
    html! { <>{ guess }{ rich::blocks(&told.words) }</> }
}

#[derive(Properties, PartialEq)]
pub struct QuestionProps {
    pub ask: Ask,
    pub lang: Lang,
    pub on: Callback<Input>,
}

/// The question before a step of the story: the answers to choose from, and the step that gives it.
/// When it goes, and the keyboard is in it, the keyboard returns to where it was before.
#[component]
pub fn Question(props: &QuestionProps) -> Html {
    let root = use_node_ref();
    {
        let root = root.clone();
        use_effect_with((), move |()| {
            let before = browser::focused();
            move || {
                if let Some(root) = root.cast::<Element>() {
                    browser::focus_from(&root, before);
                }
            }
        });
    }
    let QuestionProps { ask, lang, on } = props;
    let lang = *lang;
    let keys = browser::has_letters();
    let choice = |(number, label): (usize, &String)| {
        let onclick = on.reform(move |_: MouseEvent| Input::Session(Msg::Foretell(number)));
        let pressed = (ask.said == Some(number)).to_string();
        html! {
            <button key={number} type="button" {onclick} aria-pressed={pressed} translate="no"
                aria-keyshortcuts={keys.then(|| (number + 1).to_string())}
                data-move={format!("answer-{number}")}>
                if keys { <kbd aria-hidden="true">{ number + 1 }</kbd> }{ label.clone() }</button>
        }
    };
    let forward = on.reform(|_: MouseEvent| Input::Session(Msg::Forward));
    let skip_word = if ask.passes { ScreenWord::AskPass } else { ScreenWord::AskSkip };
    let skip = on.reform(|_: MouseEvent| Input::Session(Msg::Skip));
    html! {
        <section class="ask" aria-labelledby="question" ref={root}>
            <h3 id="question" aria-level="2">{ ask.question.clone() }</h3>
            <div class="answers" role="group" aria-label={screen(lang, ScreenWord::AskAnswers)}>
                { for ask.choices.iter().enumerate().map(choice) }
            </div>
            <div class="turn">
                if ask.said.is_some() {
                    <button type="button" class={ask.by.map(|id| classes!("go", client_class(id)))}
                        data-ask="go" data-move="see" onclick={forward}>
                        { ask.go.clone() }</button>
                } else {
                    <button type="button" class={classes!("way", ask.passes.then_some("passes"))}
                        data-ask="skip" data-move="skip" onclick={skip} aria-live="polite">
                        { screen(lang, skip_word) }</button>
                }
            </div>
        </section>
    }
}

/// Draws the hint on how far the run is from breaking a condition. The menu turns it on.
fn hint(hint: &Hint, lang: Lang, on: &Callback<Input>) -> Html {
    let Hint::Said(words) = hint else { return Html::default() };
    let off = on.reform(|_| Input::Hints(false));
    let close = tr(lang, Key::Close);
    html! {
        <p class="hint" role="status">{ words.clone() }
            <button type="button" onclick={off} aria-label={close} title={close}>{ "✕" }</button>
        </p>
    }
}

/// Draws another way on than the button at the end of the dock: a link beside the sentence.
pub fn way(label: &str, class: &'static str, input: Input, on: &Callback<Input>) -> Html {
    let onclick = on.reform(move |_: MouseEvent| input.clone());
    html! { <button type="button" {class} {onclick}>{ label.to_owned() }</button> }
}

/// Draws the end of a story: the learner's turn, and the next story.
fn onwards(view: &StageView, told: &Told, on: &Callback<Input>) -> Html {
    let lang = view.lang;
    if view.step < view.steps {
        return Html::default();
    }
    html! {
        <>
            if let Some((number, title)) = &told.next {
                { way(title, "next-story", Input::Session(Msg::Walk(*number)), on) }
            }
            { way(tr(lang, Key::TryIt), "to-schedule",
                Input::Session(Msg::Mode(Mode::Schedule)), on) }
        </>
    }
}

/// Draws the way to the hint of a challenge; small windows and Schedule have it in the menu alone.
fn to_hint(view: &StageView, on: &Callback<Input>) -> Html {
    match view.hint {
        Hint::Offered => way(tr(view.lang, Key::HintAsk), "hint-ask", Input::Hints(true), on),
        _ => Html::default(),
    }
}

/// Draws the end of a free run: start again, or search.
fn at_end(view: &StageView, on: &Callback<Input>) -> Html {
    let over = view.mode == Mode::Schedule
        && view.step > 0
        && view.picture.frame.world.enabled().iter().all(|action| action.is_fault());
    if !over {
        return Html::default();
    }
    let again = Input::Session(Msg::Reset);
    html! {
        <>
            { way(tr(view.lang, Key::AnotherOrder), "again", again, on) }
            if Mode::Find.is_in(&view.lesson) {
                { way(tr(view.lang, Key::TryAllOrders), "to-find", Input::Find, on) }
            }
        </>
    }
}

#[inline(never)]
fn challenge(dared: &ChallengeView, said: &[String], lang: Lang) -> Html {
    let (steps, fewest) = (dared.steps.to_string(), dared.fewest.to_string());
    let outcome = dared.done.map(|step| {
        let key = if step <= dared.fewest { Key::ChallengeMet } else { Key::ChallengeMetLonger };
        fill(tr(lang, key), &[&step.to_string(), &fewest])
    });
    let best = dared.best.filter(|best| dared.done.is_none_or(|step| *best < step));
    let best = best.map(|best| fill(tr(lang, Key::ChallengeBest), &[&best.to_string()]));
    let steps = outcome.is_none().then(|| match dared.steps {
        0 => fill(screen(lang, ScreenWord::FewestSteps), &[&fewest]),
        _ => fill(tr(lang, Key::ChallengeSteps), &[&steps, &fewest]),
    });
    let about: Vec<String> = steps.into_iter().chain(best).collect();
    html! {
        <>
            <h3 aria-level="2">
                if let Some(outcome) = outcome {
                    <span class="met">{ outcome }</span>
                } else {
                    { dared.goal.clone() }
                }
                { " " }<small>{ about.join(" · ") }</small>
            </h3>
            if dared.steps == 0 { { rich::blocks(&dared.about) } }
            if dared.steps > 0 { { for said.iter().map(|one| html! { <p>{ one.clone() }</p> }) } }
        </>
    }
}

/// Draws what all orders that are left have in common. It comes later than the step, and is read
/// alone.
fn outlook(say: &Say) -> Html {
    let Say::Dared(dared, _) = say else { return Html::default() };
    html! {
        <div class="outlook" aria-live="polite">
            if let Some(told) = &dared.outlook {
                <p class={classes!("foretold", if told.is_fine { "ok" } else { "bad" })}>
                    <strong>{ told.words.clone() }</strong>
                </p>
            }
        </div>
    }
}

#[inline(never)]
fn from_challenge(dared: &ChallengeView, view: &StageView, on: &Callback<Input>) -> Html {
    let lang = view.lang;
    if let Some(step) = dared.outlook.as_ref().and_then(|told| told.back_to) {
        let label = fill(screen(lang, ScreenWord::BackTo), &[&step.to_string()]);
        return way(&label, "back-to", Input::Session(Msg::Seek(step)), on);
    }
    match dared.done {
        None => to_hint(view, on),
        Some(_) => {
            let input = Input::Session(Msg::Mode(Mode::Fix));
            way(tr(lang, Key::ChallengeNext), "to-fix", input, on)
        }
    }
}
