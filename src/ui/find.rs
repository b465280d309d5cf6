//! Find: what is asked, the button that starts the search, its numbers, and the answers with the
//! runs that show them.

use yew::prelude::*;

use crate::app::input::{Input, RealInput};
use crate::app::search::Pointed;
use crate::jobs::map::Sheet;
use crate::session::Msg;
use crate::text::{Key, Lang, RealWord, fill, real, tr};
use crate::view::find::{Bar, Counted, Panel, Question, RunView};

use super::map::{Pointing, map};
use super::strip::cell;

pub struct FindProps<'p> {
    pub lang: Lang,
    pub variant: String,
    pub panel: &'p Panel,
    /// The map of all schedules, if it is made.
    pub sheet: Option<&'p Sheet>,
    /// The block that is pointed at on the map.
    pub pointed: Option<&'p Pointed>,
    /// True if the search that runs began by itself: one can still ask for all of it.
    pub by_itself: bool,
    /// True if all was searched once: what leads on is then the button to press.
    pub is_done: bool,
    /// True if runs can be opened from here.
    pub opens: bool,
    pub on: Callback<Input>,
}

pub fn find(props: &FindProps) -> Html {
    let FindProps { lang, panel, .. } = *props;
    let questions = panel.questions.iter().map(|one| question(one, lang, &props.on));
    let before = (!panel.begun).then_some("before");
    let counted = panel.counted.as_ref().filter(|counted| !counted.headline.is_empty());
    let headline = counted.map(|counted| counted.headline.as_str());
    let aside = counted.map(|counted| counted.aside.clone()).filter(|said| !said.is_empty());
    let caveat = |one: &String| html! { <p class="intro">{ one.clone() }</p> };
    html! {
        <main class={classes!("find", before)} data-running={panel.running.to_string()}>
            <p class="sr" role="status" aria-live="polite">{ panel.status.clone() }</p>
            <section class="asked" aria-labelledby="find-title">
                <header>
                    <h2 id="find-title">{ fill(tr(lang, Key::FindTitle), &[&props.variant]) }</h2>
                    { start_button(props) }
                </header>
                if !panel.begun { <p class="intro">{ tr(lang, Key::FindIntro) }</p> }
                if let Some(mistake) = &panel.mistake {
                    <p class="banner" role="alert">{ mistake.clone() }</p>
                }
                { for panel.caveats.iter().map(caveat) }
                <ul class="questions">{ for questions }</ul>
            </section>
            <section class="outcomes">
                { props.sheet.map(|sheet| {
                    let (at, plays, on) = (props.pointed, props.opens, &props.on);
                    let pointing = Pointing { at, plays, said: headline, on };
                    map(sheet, lang, Some(pointing))
                }) }
                if let (None, Some(said)) = (props.sheet, headline) { <p>{ said.to_owned() }</p> }
                if let Some(aside) = aside { <p class="intro">{ aside }</p> }
                if let Some(counted) = &panel.counted { { outcomes(counted, props) } }
            </section>
            <section class="numbers" aria-label={tr(lang, Key::FindProgress)}>
                { for panel.notes.iter().map(|note| html! { <p>{ note.clone() }</p> }) }
                { numbers(panel) }
            </section>
        </main>
    }
}

fn start_button(props: &FindProps) -> Html {
    let (input, label) = match (props.panel.running, props.panel.begun) {
        (true, _) if props.by_itself => (Input::Find, Key::FindStart),
        (true, _) => (Input::FindStop, Key::FindStop),
        (false, true) => (Input::Find, Key::FindAgain),
        (false, false) => (Input::Find, Key::FindStart),
    };
    let main = (!props.panel.begun && !props.is_done).then_some("main");
    let onclick = props.on.reform(move |_| input.clone());
    html! {
        <button type="button" class={classes!("search", main)} {onclick}>
            { tr(props.lang, label) }
        </button>
    }
}

pub fn question(question: &Question, lang: Lang, on: &Callback<Input>) -> Html {
    let (class, mark) = (question.tone.id(), question.tone.mark());
    html! {
        <li key={question.id.clone()} class={classes!("question", class)}
            data-question={question.id.clone()}>
            <span class="mark" aria-hidden="true">{ mark }</span>
            <div>
                <h3>{ question.label.clone() }</h3>
                <p class="kind">{ question.asked }</p>
                <p class="verdict">{ question.words.clone() }</p>
                if let Some(run) = &question.run { { self::run(run, question, lang, on) } }
            </div>
        </li>
    }
}

fn run(run: &RunView, question: &Question, lang: Lang, on: &Callback<Input>) -> Html {
    let schedule = run.schedule.clone();
    let play = {
        let schedule = schedule.clone();
        on.reform(move |_| Input::Session(Msg::Open(schedule.clone())))
    };
    let replay = {
        let schedule = schedule.clone();
        on.reform(move |_| Input::Real(RealInput::Replay(schedule.clone())))
    };
    let copy = on.reform(move |_| Input::ShareRun(schedule.clone()));
    let cells = run.cells.iter().map(|one| {
        html! {
            <>
                if run.loop_from == Some(one.step) {
                    <span class="again" aria-hidden="true">{ "↻" }</span>
                }
                { cell(one) }
            </>
        }
    });
    let many = fill(tr(lang, Key::Steps), &[&run.cells.len().to_string()]);
    let label = fill(tr(lang, Key::RunOf), &[&many, &run.schedule]);
    let dense = (run.cells.len() > 40).then_some("dense");
    html! {
        <div class="run-found">
            if !run.cells.is_empty() {
                <div class={classes!("strip", "shown", dense)} role="img" aria-label={label}>
                    { for cells }
                </div>
            }
            if let Some(step) = run.loop_from {
                <p>{ fill(tr(lang, Key::LoopFrom), &[&step.to_string()]) }</p>
            }
            if !run.why.is_empty() {
                <ol class="why">
                    { for run.why.iter().map(|said| html! { <li>{ said.clone() }</li> }) }
                </ol>
            }
            <div class="turn">
                <button type="button" onclick={play} data-play={question.id.clone()}
                    aria-label={fill(tr(lang, Key::PlayRunOf), &[&question.label])}>
                    { tr(lang, Key::PlayRun) }
                </button>
                <button type="button" onclick={copy}>{ tr(lang, Key::CopyRun) }</button>
                <button type="button" onclick={replay} data-replay={question.id.clone()}
                    aria-label={fill(real(lang, RealWord::ReplayOf), &[&question.label])}>
                    { real(lang, RealWord::Replay) }</button>
            </div>
        </div>
    }
}

pub fn numbers(panel: &Panel) -> Html {
    let rows = panel.counts.iter().map(|(name, value)| {
        html! { <div key={*name}><dt>{ *name }</dt><dd>{ value.clone() }</dd></div> }
    });
    html! { <dl>{ for rows }</dl> }
}

fn outcomes(counted: &Counted, props: &FindProps) -> Html {
    let lang = props.lang;
    html! {
        <>
            <h2>{ tr(lang, Key::Outcomes) }</h2>
            <p>{ counted.words.clone() }</p>
            <ul class="bars">{ for counted.bars.iter().map(|bar| self::bar(bar, props)) }</ul>
            if !counted.more.is_empty() { <p>{ counted.more.clone() }</p> }
        </>
    }
}

fn bar(bar: &Bar, props: &FindProps) -> Html {
    let schedule = bar.witness.clone();
    let onclick = props.on.reform(move |_| Input::Session(Msg::Open(schedule.clone())));
    let label = tr(props.lang, Key::OpenOutcome);
    let (class, mark) = if bar.good { ("ok", "✓") } else { ("bad", "✕") };
    html! {
        <li key={bar.witness.clone()} class={class}>
            <button type="button" {onclick} title={label} data-witness={bar.witness.clone()}>
                <span class="left">
                    if bar.said.is_empty() { <b aria-hidden="true">{ mark }</b>{ " " } }
                    if !bar.said.is_empty() { <span class="ends">{ bar.said.clone() }</span> }
                    <span translate="no">{ bar.left.clone() }</span></span>
                <span class="many">{ bar.schedules.clone() }{ " · " }{ bar.percent.clone() }</span>
                <span class="bar" aria-hidden="true">
                    <i style={format!("width:{}%", f64::from(bar.share) / 1e4)}></i>
                </span>
                <span class="sr">{ label }</span>
            </button>
        </li>
    }
}
