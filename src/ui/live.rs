//! Beside the playground's editor: how the scenario stands, the map of every order, and each
//! condition with its answer. What is about an earlier text is dimmed, never taken away, so that
//! nothing moves while one types.
//!
//! [`crate::app::search`] decides when to search; [`Verdict`] makes the words.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::app::input::{Input, OwnInput};
use crate::app::search::{Beside, LIVE_STATES_MAX};
use crate::app::shell::Playground;
use crate::jobs::map::Sheet;
use crate::playground::{Mistake, MistakePlace, Part};
use crate::session::Msg;
use crate::session::spelling::thousands;
use crate::sim::NAME_MAX;
pub(super) use crate::text::live as words;
use crate::text::{Key, Lang, LiveWord, fill, tr};
use crate::view::find::Tone;
use crate::view::find::live::{Row, Verdict, Watch};

use super::lazy::{Same, memo};
use super::map::map;
use super::strip::cell;

pub struct LiveProps<'p> {
    pub lang: Lang,
    pub play: &'p Playground,
    pub beside: Option<Beside<'p>>,
    /// The verdict of the search beside the editor.
    pub verdict: Option<&'p Verdict>,
    pub on: &'p Callback<Input>,
}

/// The card above all: about the text as it is now, as soon as there is something to say of it.
struct Card {
    /// Its class, and how it stands for tests.
    id: &'static str,
    mark: &'static str,
    head: String,
    about: String,
    is_old: bool,
}

#[inline(never)]
pub fn live(props: &LiveProps) -> Html {
    let LiveProps { lang, play, beside, verdict, .. } = *props;
    let is_wrong = play.unrun || !play.mistakes.is_empty();
    let is_old = is_wrong || beside.is_none_or(|one| !one.is_new);
    let is_map_old = is_wrong || beside.is_none_or(|one| !one.is_map_new);
    let card = card(props, verdict);
    let watch = verdict.and_then(|one| one.watch.as_ref()).filter(|_| !is_wrong);
    let old = |is: bool| is.then_some("old");
    let search = beside.filter(|_| !is_old).map(|one| one.id.to_string());
    let mapped = beside.filter(|_| !is_map_old).map(|one| one.id.to_string());
    html! {
        <section class="own-live" tabindex="0" aria-label={words(lang, LiveWord::Verdict)}
            data-live={card.id} data-search={search} data-map={mapped}>
            <div class={classes!("own-verdict", card.id, old(card.is_old))}>
                <h2><span aria-hidden="true">{ card.mark }</span>
                    <span role="status">{ card.head }</span></h2>
                <p>{ card.about }</p>
                { watch.map(|watch| self::watch(watch, is_old, props)).unwrap_or_default() }
                if verdict.is_some_and(|one| one.is_cut) && !is_old {
                    <button type="button" data-live-do="find" onclick={on(props, Input::Find)}>
                        { words(lang, LiveWord::GoOn) }</button>
                }
            </div>
            <div class={classes!("own-map", old(is_map_old && beside.is_some()))}>
                { match beside.and_then(|one| one.sheet) {
                    Some(sheet) => memo((Same(sheet.clone()), lang), drawn),
                    None => {
                        let word = match is_map_old {
                            true => LiveWord::MapComes,
                            false => LiveWord::NoMap,
                        };
                        html! { <p class="empty">{ words(lang, word) }</p> }
                    }
                } }
            </div>
            if !play.mistakes.is_empty() { { mistakes(props) } }
            if let Some(verdict) = verdict {
                <div class={classes!("own-answers", old(is_old))}>
                    { shown(verdict, is_old, props) }
                    <ul>{ for verdict.rows.iter().map(|one| row(one, verdict, is_old, props)) }</ul>
                    { for verdict.notes.iter().map(|note| html! { <p>{ note.clone() }</p> }) }
                </div>
            }
        </section>
    }
}

fn on(props: &LiveProps, input: Input) -> Callback<MouseEvent> {
    props.on.reform(move |_| input.clone())
}

fn drawn((sheet, lang): &(Same<Sheet>, Lang)) -> Html {
    map(sheet, *lang, None)
}

fn card(props: &LiveProps, verdict: Option<&Verdict>) -> Card {
    let LiveProps { lang, play, beside, .. } = *props;
    let word = |word: LiveWord| words(lang, word).to_owned();
    let (id, mark) = ("checking", "…");
    let open = Card { id, mark, head: String::new(), about: String::new(), is_old: false };
    if play.unrun {
        return Card { head: word(LiveWord::Unrun), ..open };
    }
    if let Some(first) = play.mistakes.first() {
        let head = match play.mistakes.len() {
            1 => word(LiveWord::OneMistake),
            many => fill(words(lang, LiveWord::Mistakes), &[&many.to_string()]),
        };
        let about = first.text(&play.own, lang);
        return Card { id: "mistake", mark: "✕", head, about, is_old: false };
    }
    let (Some(beside), Some(verdict)) = (beside, verdict) else {
        return Card { head: word(LiveWord::Checking), ..open };
    };
    if let Some(met) = beside.met.filter(|_| verdict.tone == Tone::Open || !beside.is_new) {
        let head = fill(words(lang, LiveWord::CheckingSoFar), &[&thousands(met)]);
        return Card { head, ..open };
    }
    let (id, mark) = match verdict.tone {
        Tone::Open if beside.results.is_running() => (id, mark),
        tone => (tone.id(), tone.mark()),
    };
    let about = match verdict.is_cut {
        true => {
            let most = thousands(u64::from(LIVE_STATES_MAX));
            fill(words(lang, LiveWord::FarTooMany), &[&most])
        }
        false => verdict.about.clone(),
    };
    Card { id, mark, head: verdict.head.clone(), about, is_old: !beside.is_new }
}

/// Draws the button that shows the run that breaks the condition.
fn watch(watch: &Watch, is_old: bool, props: &LiveProps) -> Html {
    let open = Input::Session(Msg::Open(watch.run.schedule.clone()));
    html! {
        <button type="button" class="main" data-live-do="watch" disabled={is_old}
            onclick={on(props, open)}
            aria-label={fill(words(props.lang, LiveWord::WatchOf), &[&watch.label])}>
            { words(props.lang, LiveWord::WatchIt) }</button>
    }
}

/// Draws the run that breaks the condition, and the reason.
fn shown(verdict: &Verdict, is_old: bool, props: &LiveProps) -> Html {
    let Some(Watch { run, .. }) = &verdict.watch else { return Html::default() };
    let dense = (run.cells.len() > 40).then_some("dense");
    let schedule = run.schedule.clone();
    let oninput = props.on.reform(move |event: InputEvent| {
        let input: Option<HtmlInputElement> = event.target_dyn_into();
        let name = input.map(|input| input.value()).unwrap_or_default();
        Input::Own(OwnInput::NameFound(schedule.clone(), name))
    });
    html! {
        <>
            if !run.cells.is_empty() {
                <div class={classes!("strip", "shown", dense)} aria-hidden="true">
                    { for run.cells.iter().map(cell) }
                </div>
            }
            if !run.why.is_empty() {
                <ol class="why">
                    { for run.why.iter().map(|said| html! { <li>{ said.clone() }</li> }) }
                </ol>
            }
            <div class="run-named">
                <label>{ words(props.lang, LiveWord::RunName) }
                    <input type="text" maxlength={NAME_MAX.to_string()} disabled={is_old}
                        value={props.play.name_of_found(&run.schedule).to_owned()} {oninput} />
                </label>
                <button type="button" disabled={is_old} data-live-do="copy"
                    onclick={on(props, Input::ShareRun(run.schedule.clone()))}>
                    { tr(props.lang, Key::CopyRun) }</button>
            </div>
        </>
    }
}

fn row(row: &Row, verdict: &Verdict, is_old: bool, props: &LiveProps) -> Html {
    let (class, mark) = (row.tone.id(), row.tone.mark());
    // The card has a button for that one.
    let on_card = verdict.watch.as_ref().map(|watch| &watch.run.schedule);
    let run = row.run.clone().filter(|run| Some(run) != on_card).map(|run| {
        let open = Input::Session(Msg::Open(run));
        html! {
            <button type="button" class="small" disabled={is_old} onclick={on(props, open)}
                aria-label={fill(words(props.lang, LiveWord::WatchOf), &[&row.label])}>
                { words(props.lang, LiveWord::WatchIt) }</button>
        }
    });
    html! {
        <li key={row.id.clone()} class={class} data-answer={row.id.clone()}>
            <span class="mark" aria-hidden="true">{ mark }</span>
            <div><b>{ row.label.clone() }</b>{ " " }<span>{ row.words.clone() }</span></div>
            { run.unwrap_or_default() }
        </li>
    }
}

/// Draws all mistakes; a mistake in another text is a link to that text.
fn mistakes(props: &LiveProps) -> Html {
    let LiveProps { lang, play, .. } = *props;
    let mistake = |(number, mistake): (usize, &Mistake)| {
        let text = mistake.text(&play.own, lang);
        html! {
            <li key={number}>
                { match elsewhere(mistake, play) {
                    Some(part) => html! {
                        <button type="button" onclick={on(props, Input::Own(OwnInput::Show(part)))}>
                            { text }</button>
                    },
                    None => html! { { text } },
                } }
            </li>
        }
    };
    html! {
        <div class="own-state">
            if play.mistakes.len() > 1
                || play.mistakes.iter().any(|one| elsewhere(one, play).is_some())
            {
                <ul>{ for play.mistakes.iter().enumerate().map(mistake) }</ul>
            }
            <p>{ words(lang, LiveWord::Earlier) }</p>
        </div>
    }
}

/// Returns the text with the mistake, if it is not the one that is shown.
fn elsewhere(mistake: &Mistake, play: &Playground) -> Option<Part> {
    match mistake.place {
        MistakePlace::Text(part) | MistakePlace::Name(part) if part != play.part => Some(part),
        _ => None,
    }
}
