//! Runs side by side, and the dialog in which they are chosen, named and removed.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::app::input::Input;
use crate::session::{BESIDE_MAX, Beside, Msg, Session};
use crate::sim::Timeline;
use crate::text::{Key, Lang, fill, tr};
use crate::view::stage::compare::{Cell, Comparison, KeyLine, Row};

use super::cards::client_class;
use super::header::chip;
use super::strip::run_name;

#[inline(never)]
pub fn comparison(shown: &Comparison, lang: Lang, on: &Callback<Input>) -> Html {
    let close = on.reform(|_: MouseEvent| Input::Session(Msg::Compare(None)));
    let heads = shown.columns.iter().enumerate().map(|(number, column)| {
        html! {
            <th key={number} scope="col">
                <strong>{ column.title.clone() }</strong>
                <small>{ column.about.clone() }</small>
                <ul class="chips">{ for column.chips.iter().map(chip) }</ul>
            </th>
        }
    });
    html! {
        <section class="compare" aria-label={tr(lang, Key::CompareTitle)}>
            <header>
                <h2>{ tr(lang, Key::CompareTitle) }</h2>
                if shown.parts_at.is_none() { <p>{ tr(lang, Key::CompareSame) }</p> }
                <button type="button" class="close" onclick={close} data-move="compare-close">
                    { tr(lang, Key::CompareClose) }</button>
            </header>
            <table class="run-table">
                <thead><tr><th scope="col">{ tr(lang, Key::ColStep) }</th>{ for heads }</tr></thead>
                <tbody>{ for shown.rows.iter().map(|row| self::row(row, shown, lang, on)) }</tbody>
            </table>
            { keys(shown, lang) }
        </section>
    }
}

fn row(row: &Row, shown: &Comparison, lang: Lang, on: &Callback<Input>) -> Html {
    let step = row.step;
    let onclick = on.reform(move |_: MouseEvent| Input::Session(Msg::Seek(step)));
    let parts = shown.parts_at == Some(step);
    let class = classes!(
        row.now.then_some("now"),
        row.future.then_some("future"),
        row.differs.then_some("differs"),
        parts.then_some("parts")
    );
    html! {
        <tr key={step} {class} data-row={step.to_string()}
            aria-current={row.now.then_some("step")}>
            <th scope="row">
                <button type="button" {onclick}>{ step }</button>
                if parts { <small>{ tr(lang, Key::CompareParts) }</small> }
            </th>
            { for row.cells.iter().map(|cell| self::cell(cell, lang)) }
        </tr>
    }
}

fn cell(cell: &Cell, lang: Lang) -> Html {
    let class = classes!(
        cell.client.map(client_class),
        cell.refused.then_some("refused"),
        cell.breaks.then_some("breaks")
    );
    html! {
        <td {class}>
            if let Some(id) = cell.client { <b class="tag">{ id.letter() }</b> }
            if cell.refused {
                <em>{ cell.what.clone() }</em>
            } else {
                <code translate="no">{ cell.what.clone() }</code>
            }
            if !cell.reply.is_empty() {
                <span class="reply" translate="no">{ "→ " }{ cell.reply.clone() }</span>
            }
            if cell.breaks {
                <strong class="broken">{ "✕ " }{ tr(lang, Key::BreaksHere) }</strong>
            }
        </td>
    }
}

fn keys(shown: &Comparison, lang: Lang) -> Html {
    let heads = shown.columns.iter().enumerate();
    let heads = heads.map(|(n, column)| {
        html! { <th key={n} scope="col">{ column.title.clone() }</th> }
    });
    let line = |line: &KeyLine| {
        let value = |value: &Option<String>| {
            let value = value.clone().unwrap_or_else(|| tr(lang, Key::CompareNothing).to_owned());
            html! { <td translate="no">{ value }</td> }
        };
        let differs = line.differs.then_some("differs");
        html! {
            <tr key={line.key.clone()} class={classes!(differs)}>
                <th scope="row"><span translate="no">{ line.key.clone() }</span>
                    if line.differs { <small>{ tr(lang, Key::CompareDiffers) }</small> }
                </th>
                { for line.values.iter().map(value) }
            </tr>
        }
    };
    html! {
        <table class="key-ends">
            <caption>{ tr(lang, Key::CompareKeys) }</caption>
            <thead><tr><th scope="col">{ tr(lang, Key::ColKey) }</th>{ for heads }</tr></thead>
            <tbody>{ for shown.keys.iter().map(line) }</tbody>
        </table>
    }
}

/// A run as the dialog lists it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEntry {
    id: u32,
    /// Not the run shown.
    kept: bool,
    name: String,
    steps: usize,
}

/// The run shown and those that were kept, in the order in which they were made.
pub fn entries(timeline: &Timeline) -> Vec<RunEntry> {
    let own = RunEntry {
        id: timeline.id(),
        kept: false,
        name: timeline.name().to_owned(),
        steps: timeline.len(),
    };
    let kept = timeline.branches().iter().map(|branch| RunEntry {
        id: branch.id,
        kept: true,
        name: branch.name.clone(),
        steps: branch.frames.len() - 1,
    });
    let mut all: Vec<RunEntry> = kept.chain([own]).collect();
    crate::sorted::sort_by(&mut all, |a, b| a.id.cmp(&b.id));
    all
}

#[derive(Properties, Clone, PartialEq)]
pub struct RunsProps {
    pub lang: Lang,
    pub runs: Vec<RunEntry>,
    /// Number, label and whether it stands beside the run; the one shown is not among them.
    pub variants: Vec<(usize, String, bool)>,
    /// The label of the variant shown.
    pub variant: String,
    pub on: Callback<Input>,
}

/// The variants that may follow the run shown.
pub fn choices(session: &Session, lang: Lang) -> Vec<(usize, String, bool)> {
    let beside = match session.beside() {
        Some(Beside::Variants(list)) => list,
        _ => Vec::new(),
    };
    let all = session.lesson().variants.iter().enumerate();
    all.filter(|(number, _)| *number != session.variant())
        .map(|(number, variant)| {
            (number, variant.label.get(lang).clone(), beside.contains(&number))
        })
        .collect()
}

/// Draws the runs, and the variants of which one or two are chosen to stand beside the run.
#[component]
pub fn Runs(props: &RunsProps) -> Html {
    let lang = props.lang;
    let now: Vec<usize> =
        props.variants.iter().filter(|(.., beside)| *beside).map(|(n, ..)| *n).collect();
    let chosen = {
        let now = now.clone();
        use_state(|| now)
    };
    let hint = fill(tr(lang, Key::BesideHint), &[&props.variant]);
    let variants = props.variants.iter().map(|(number, label, _)| {
        let number = *number;
        let beside = chosen.contains(&number);
        let mut next: Vec<usize> = chosen.iter().filter(|one| **one != number).copied().collect();
        if !beside {
            next.push(number);
        }
        // A third one takes the place of the first.
        let next = next.split_off(next.len().saturating_sub(BESIDE_MAX));
        let chosen = chosen.clone();
        let onclick = Callback::from(move |_: MouseEvent| chosen.set(next.clone()));
        html! {
            <button key={number} type="button" class={classes!("pill", beside.then_some("on"))}
                aria-pressed={beside.to_string()} {onclick} data-beside={number.to_string()}>
                { label.clone() }</button>
        }
    });
    let show = {
        let (on, chosen) = (props.on.clone(), chosen.clone());
        Callback::from(move |_: MouseEvent| {
            let beside = Some(Beside::Variants((*chosen).clone())).filter(|_| !chosen.is_empty());
            on.emit(Input::Session(Msg::Compare(beside)));
            on.emit(Input::Runs(false));
        })
    };
    let label = if chosen.is_empty() { Key::CompareClose } else { Key::BesideShow };
    html! {
        <>
            <h3>{ tr(lang, Key::RunsKept) }</h3>
            if props.runs.len() > 1 {
                <ul class="run-list">{ for props.runs.iter().map(|run| entry(run, props)) }</ul>
            } else {
                <p>{ tr(lang, Key::RunsNone) }</p>
            }
            if !props.variants.is_empty() {
                <h3>{ tr(lang, Key::BesideTitle) }</h3>
                <p>{ hint }</p>
                <div class="pills" role="group" aria-label={tr(lang, Key::BesideTitle)}>
                    { for variants }</div>
                if *chosen != now {
                    <div class="turn">
                        <button type="button" class="main" onclick={show}
                            data-move="beside-show">{ tr(lang, label) }</button>
                    </div>
                }
            }
        </>
    }
}

fn entry(run: &RunEntry, props: &RunsProps) -> Html {
    let lang = props.lang;
    let id = run.id;
    let plain = run_name(id, "", lang);
    let label = fill(tr(lang, Key::RunName), &[&plain]);
    let onchange = props.on.reform(move |event: Event| {
        let input: Option<HtmlInputElement> = event.target_dyn_into();
        let name = input.map(|input| input.value()).unwrap_or_default();
        Input::Session(Msg::NameRun(id, name.trim().to_owned()))
    });
    let steps = fill(tr(lang, Key::Steps), &[&run.steps.to_string()]);
    let name = run_name(id, &run.name, lang);
    let press = |msg: Msg| props.on.reform(move |_: MouseEvent| Input::Session(msg.clone()));
    let named = |key: Key| format!("{}: {name}", tr(lang, key));
    html! {
        <li key={id} data-run={id.to_string()}>
            <input type="text" aria-label={label} placeholder={plain} value={run.name.clone()}
                maxlength="40" {onchange} />
            <small>{ steps }</small>
            if run.kept {
                <button type="button" onclick={press(Msg::TakeBranch(id))} data-do="take"
                    aria-label={named(Key::RunTake)}>{ tr(lang, Key::RunTake) }</button>
                <button type="button" data-do="compare" aria-label={named(Key::RunCompare)}
                    onclick={props.on.reform(move |_: MouseEvent| Input::CompareRun(id))}>
                    { tr(lang, Key::RunCompare) }</button>
                <button type="button" onclick={press(Msg::RemoveRun(id))} data-do="remove"
                    aria-label={named(Key::RunRemove)}>{ tr(lang, Key::RunRemove) }</button>
            } else {
                <em>{ tr(lang, Key::RunShown) }</em>
            }
        </li>
    }
}
