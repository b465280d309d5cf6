//! The dock at the foot of the stage, whose buttons never move: a button for each client, back, the
//! strip, and the one button that leads on. Everything else is in the menu of the head.

use yew::prelude::*;

use crate::app::input::Input;
use crate::app::stage::StageView;
use crate::session::Msg as Run;
use crate::session::progress::Onward;
use crate::text::{Key, fill, tr};
use crate::ui::browser;
use crate::ui::cards::client_class;
use crate::ui::parts::off;
use crate::ui::review::onward;
use crate::ui::strip::{StripProps, strip};
use crate::view::film::Place;
use crate::view::stage::cards::Card;

use super::Msg;

pub struct DockProps<'v> {
    pub view: &'v StageView,
    pub on_front: bool,
    pub onward: Option<&'v Onward>,
    pub on: &'v Callback<Input>,
    pub drag: Callback<Msg>,
}

/// The most clients whose buttons stand beside each other; more are reached by scrolling.
const FIT: usize = 8;

pub fn dock(props: &DockProps<'_>) -> Html {
    let DockProps { view, on, .. } = props;
    let lang = view.lang;
    // The buttons are those of the step that the run is at, also while a film shows another one.
    let cards = view.picture.cards.iter();
    let hint = (!view.mode.is_free()).then(|| tr(lang, Key::WatchOnly));
    html! {
        <footer class="dock">
            if view.is_given {
                { move_button(view, "forward", Key::Forward, Run::Forward, on) }
            } else {
                <div class={classes!("steps", (view.picture.cards.len() > FIT).then_some("many"))}>
                    { for cards.map(|card| step_button(view, card, hint, on)) }
                    { other_step(view, on) }
                    { faults(view, on) }
                </div>
            }
            { move_button(view, "back", Key::Back, Run::Back, on) }
            if props.on_front {
                if browser::has_letters() {
                    <span class="hint">{ tr(lang, Key::FrontKeys) }</span>
                }
            } else {
                { strip(&StripProps {
                    lang,
                    step: view.step,
                    steps: view.steps,
                    places: view.places,
                    strip: view.strip.clone(),
                    kept: view.kept.clone(),
                    drag: props.drag.reform(Msg::Drag),
                    on: (*on).clone(),
                }) }
                { props.onward.map(|one| onward(one, on)) }
            }
        </footer>
    }
}

/// Returns the handler of a button of the dock. A disabled button stays focusable, so that a step
/// that disables it does not lose the focus; its words say why.
fn press(enabled: bool, msg: Run, on: &Callback<Input>) -> Callback<MouseEvent> {
    let on = on.clone();
    Callback::from(move |_| {
        if enabled {
            on.emit(Input::Session(msg.clone()));
        }
    })
}

/// Draws the button that steps a client, with its next command or the reason why it cannot step.
fn step_button(
    view: &StageView,
    card: &Card,
    hint: Option<&'static str>,
    on: &Callback<Input>,
) -> Html {
    let (id, lang) = (card.client, view.lang);
    let onclick = press(card.button.enabled, Run::Step(id), on);
    let name = fill(tr(lang, Key::StepClient), &[&id.name()]);
    let going = card.command.is_some();
    // What it sends, or why it cannot.
    let label = &card.button.label;
    let title = match (card.button.enabled, hint) {
        (false, Some(hint)) if going => hint.to_owned(),
        _ => view.command_shown(card).unwrap_or_else(|| label.clone()),
    };
    let what = view.button_words(card, browser::window_size());
    // In wire mode the label says which part of the call comes.
    let name = if going { label.clone() } else { name };
    html! {
        <button key={id.index()} class={classes!("step", client_class(id))} type="button" {onclick}
            {title} aria-disabled={off(card.button.enabled)}
            data-client={id.letter().to_string()}>
            { who(&name, id.letter()) }
            <code translate="no" data-place={Place::next(id).to_string()}>{ what }</code>
        </button>
    }
}

/// Draws a button's name; in low windows its letter alone is shown.
fn who(name: &str, letter: char) -> Html {
    let (before, after) = name.rsplit_once(letter).unwrap_or((name, ""));
    let (before, after) = (before.to_owned(), after.to_owned());
    html! { <span class="who">{ before }<b>{ letter.to_string() }</b>{ after }</span> }
}

/// Draws the button for the step that no client takes: time that passes, and, in a story, a fault.
#[inline(never)]
fn other_step(view: &StageView, on: &Callback<Input>) -> Html {
    let Some(other) = &view.other else { return Html::default() };
    let (id, msg) = match view.mode.is_free() {
        true => ("advance", Run::Advance),
        false => ("forward", Run::Forward),
    };
    let onclick = press(other.enabled, msg, on);
    html! {
        <button type="button" class="step time" {onclick} aria-disabled={off(other.enabled)}
            data-move={id} title={other.forms.first().cloned()}>
            <span class="who">{ other.who.clone() }</span>
            <code>{ view.on_button(&other.forms, browser::window_size()) }</code>
        </button>
    }
}

/// Draws the button of the faults, if the lesson tells of faults.
fn faults(view: &StageView, on: &Callback<Input>) -> Html {
    if !view.offers_faults() {
        return Html::default();
    }
    let onclick = on.reform(|_| Input::Faults(true));
    let label = tr(view.lang, Key::Faults);
    html! {
        <button type="button" class="go" {onclick} aria-haspopup="dialog" data-move="faults"
            title={tr(view.lang, Key::FaultsHint)}>{ label }</button>
    }
}

fn move_button(
    view: &StageView,
    id: &'static str,
    label: Key,
    msg: Run,
    on: &Callback<Input>,
) -> Html {
    let enabled = if msg == Run::Back { view.step > 0 } else { view.step < view.steps };
    let onclick = press(enabled, msg, on);
    html! {
        <button type="button" class="go" {onclick} data-move={id} aria-disabled={off(enabled)}>
            { tr(view.lang, label) }
        </button>
    }
}
