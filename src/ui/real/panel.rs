//! The panel beside a run that is done on a real Redis too: the connection's state, whether the
//! step's reply was the simulator's, all replies, and the first difference.

use yew::prelude::*;

use crate::app::input::{Input, RealInput};
use crate::real::{Mark, Pace, Phase, Row, Runner};
use crate::session::spelling::command_text;
use crate::text::{Lang, RealWord, fill, real};

/// Rows that are shown; older ones are in the export.
const ROWS_MAX: usize = 300;

pub struct PanelProps<'a> {
    pub lang: Lang,
    pub runner: &'a Runner,
    /// The address of the proxy.
    pub address: &'a str,
    /// True if the replies are shown.
    pub open: bool,
    /// Steps are shown; others than a run's modes have none.
    pub on: &'a Callback<Input>,
}

pub fn panel(props: &PanelProps<'_>) -> Html {
    let (lang, runner, on) = (props.lang, props.runner, props.on);
    let say = |word: RealWord| real(lang, word);
    let press = |input: RealInput| on.reform(move |_: MouseEvent| Input::Real(input.clone()));
    let (state, words) = state(runner, lang);
    let whose = match (runner.server.is_empty(), runner.own) {
        (true, _) => String::new(),
        (false, own) => {
            let word = if own { RealWord::Own } else { RealWord::Shared };
            format!(" · {} · {}", runner.server, say(word))
        }
    };
    let checks = || runner.rows().iter().flat_map(|row| &row.checks);
    let agree = checks().filter(|check| check.mark != Mark::Differs).count().to_string();
    let all = checks().count().to_string();
    let stopped = matches!(runner.phase(), Phase::Stopped(_));
    let again = if stopped { RealWord::Reconnect } else { RealWord::Again };
    // A step that waits for its reply has nothing to say yet.
    let at_work = matches!(runner.phase(), Phase::Working);
    let last = runner.rows().iter().rev().find(|row| !at_work || row.mark().is_some());
    html! {
        <section class="real" aria-label={say(RealWord::Panel)} data-state={state}
            data-real-steps={runner.rows().len().to_string()}>
            <header>
                <h2>{ say(RealWord::Panel) }</h2>
                <p class={classes!("state", state)} role="status" title={props.address.to_owned()}>
                    <i aria-hidden="true"></i>{ words }<span>{ whose }</span></p>
                { badge(last, lang) }
                if all != "0" {
                    <span class="count">
                        { fill(say(RealWord::AllEqual), &[&agree, &all]) }</span>
                }
                <span class="gap"></span>
                if runner.is_waiting() {
                    <button type="button" data-real="hurry" onclick={press(RealInput::Hurry)}>
                        { say(RealWord::Hurry) }</button>
                }
                <button type="button" data-real="again" onclick={press(RealInput::Again)}>
                    { say(again) }</button>
                <button type="button" data-real="replies" aria-expanded={props.open.to_string()}
                    onclick={press(RealInput::Fold)}>{ say(RealWord::Replies) }</button>
                <button type="button" data-real="change" aria-haspopup="dialog"
                    onclick={press(RealInput::Dialog(true))}>{ say(RealWord::Change) }</button>
                <button type="button" data-real="disconnect"
                    onclick={press(RealInput::Disconnect)}>{ say(RealWord::Disconnect) }</button>
            </header>
            if let Phase::Stopped(trouble) = runner.phase() {
                <p class="trouble" role="alert">{ trouble.text(lang) }</p>
            }
            if let Some(version) = runner.other_version() {
                <p class="version">{ fill(say(RealWord::OtherVersion),
                    &[&version.label(), &runner.server]) }</p>
            }
            { first(runner, lang, &press(RealInput::Export)) }
            { left(runner, lang) }
            if props.open { { replies(runner.rows(), lang) } }
        </section>
    }
}

fn state(runner: &Runner, lang: Lang) -> (&'static str, &'static str) {
    let (state, word) = match runner.phase() {
        Phase::Connecting => ("connecting", RealWord::Connecting),
        _ if runner.is_waiting() => ("working", RealWord::Passing),
        Phase::Working => ("working", RealWord::Working),
        Phase::Ready => ("ready", RealWord::Ready),
        Phase::Stopped(_) => ("stopped", RealWord::Stopped),
    };
    (state, real(lang, word))
}

/// Draws whether the last step's replies were those of the simulator.
fn badge(row: Option<&Row>, lang: Lang) -> Html {
    let Some(row) = row else {
        return html! { <span class="badge none">{ real(lang, RealWord::NoStep) }</span> };
    };
    let step = row.step.to_string();
    let (id, sign, words) = match row.mark() {
        Some(mark) => (mark.id(), mark.sign(), mark.said(lang)),
        None => ("none", "–", real(lang, RealWord::Nothing)),
    };
    html! {
        <b class={classes!("badge", id)} data-badge={id} data-badge-step={step.clone()}
            role="status">
            <i aria-hidden="true">{ sign }</i>
            <span class="token" translate="no">{ row.token.clone() }</span>{ words }
        </b>
    }
}

fn first(runner: &Runner, lang: Lang, save: &Callback<MouseEvent>) -> Html {
    let Some(first) = runner.first() else { return Html::default() };
    let differs = first.row.checks.iter().find(|check| check.mark == Mark::Differs);
    let seconds = |ms: u64| format!("{}.{}", ms / 1000, ms % 1000 / 100);
    let (passed, simulated) = (seconds(first.real_ms), seconds(first.simulated_ms));
    // At the schedule's pace nothing expires by itself.
    let late = !first.leases_wait && first.real_ms > first.simulated_ms;
    html! {
        <p class="first-difference" data-first={first.row.step.to_string()}>
            <b>{ fill(real(lang, RealWord::First), &[&first.row.step.to_string()]) }</b>
            if let Some(check) = differs {
                <code translate="no">{ format!("{}: {}", check.client, check.command) }</code>
                { real(lang, RealWord::Simulated) }
                <code translate="no">{ check.simulated.clone() }</code>
                { real(lang, RealWord::Real) }
                <code translate="no">{ check.real.clone() }</code>
            }
            if late {
                <span>{ fill(real(lang, RealWord::FirstLater), &[&passed, &simulated]) }</span>
            }
            <button type="button" data-real="export" onclick={save.clone()}>
                { real(lang, RealWord::Export) }</button>
        </p>
    }
}

/// Draws the time left of the keys, as the real server reports it.
fn left(runner: &Runner, lang: Lang) -> Html {
    if runner.pace != Pace::Clock {
        return Html::default();
    }
    let bars = runner.left().map(|(node, key, ms)| {
        let name = command_text(std::slice::from_ref(key));
        let shown = format!("{}.{}", ms / 1000, ms % 1000 / 100);
        let words = fill(real(lang, RealWord::Left), &[&name, &shown]);
        // A bar of ten seconds: what lasts longer is full.
        let width = format!("width:{}%", (ms / 100).min(100));
        html! {
            <li key={format!("{node} {name}")}><span translate="no">{ words }</span>
                <i aria-hidden="true"><b style={width}></b></i></li>
        }
    });
    html! { <ul class="left">{ for bars }</ul> }
}

fn replies(rows: &[Row], lang: Lang) -> Html {
    let say = |word: RealWord| real(lang, word);
    let from = rows.len().saturating_sub(ROWS_MAX);
    let lines = rows[from..].iter().flat_map(|row| {
        row.checks.iter().enumerate().map(move |(number, check)| {
            let words = check.mark.said(lang);
            html! {
                <tr key={format!("{}.{number}", row.step)} class={check.mark.id()}
                    data-row={row.step.to_string()}>
                    <td>{ row.step }</td>
                    <td translate="no">{ check.client.clone() }</td>
                    <td translate="no"><code>{ check.command.clone() }</code></td>
                    <td translate="no"><code>{ check.simulated.clone() }</code></td>
                    <td translate="no"><code>{ check.real.clone() }</code></td>
                    <td title={words}><i aria-hidden="true">{ check.mark.sign() }</i>
                        <span>{ words }</span></td>
                </tr>
            }
        })
    });
    html! {
        <div class="replies" tabindex="0" role="region" aria-label={say(RealWord::Replies)}>
            <table>
                <thead><tr>
                    <th scope="col">{ say(RealWord::Step) }</th>
                    <th scope="col"><span class="sr">{ "A, B, C" }</span></th>
                    <th scope="col">{ say(RealWord::Command) }</th>
                    <th scope="col">{ say(RealWord::Simulated) }</th>
                    <th scope="col">{ say(RealWord::Real) }</th>
                    <th scope="col"><span class="sr">{ say(RealWord::Equal) }</span></th>
                </tr></thead>
                <tbody>{ for lines }</tbody>
            </table>
        </div>
    }
}
