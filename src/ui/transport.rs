//! The foot of the page: the buttons that move along the run, and the schedule strip that is also
//! the scrubber. On small screens the clients' step buttons stand here, under the thumb.

use std::rc::Rc;

use yew::prelude::*;

use crate::sim::{ClientId, Run};
use crate::text::{Key, Lang, fill, tr};
use crate::view::cards::Card;
use crate::view::console::Do;
use crate::view::session::{Mode, Msg};
use crate::view::strip::{self, Cell, DENSE, Kept, Strip};

use super::app::{Input, SPEEDS};
use super::browser;
use super::cards::{client_class, step_button};
use super::icons;
use super::lazy::memo;

pub struct TransportProps {
    pub lang: Lang,
    pub mode: Mode,
    pub step: usize,
    pub steps: usize,
    pub strip: Strip,
    pub kept: Vec<Kept>,
    pub cards: Rc<[Rc<Card>]>,
    pub hint: Option<AttrValue>,
    pub playing: bool,
    pub speed: usize,
    /// What letting time pass says, where it can.
    pub advance: Option<String>,
    /// Something may go wrong, or be mended.
    pub faults: bool,
    /// There are runs or variants to compare.
    pub runs: bool,
    pub wire: bool,
    /// The consoles are open.
    pub console: bool,
    pub on: Callback<Input>,
}

pub fn transport(props: &TransportProps) -> Html {
    let lang = props.lang;
    let of = fill(tr(lang, Key::StepOf), &[&props.step.to_string(), &props.steps.to_string()]);
    let steps = props.cards.iter().map(|card| {
        let of = (card.clone(), props.hint.clone(), props.on.clone());
        html! { <div key={card.client.index()} class="one">{ memo(of, one) }</div> }
    });
    let kept = props.kept.iter().map(|run| {
        let of = (run.clone(), lang, props.on.clone());
        html! { <div key={run.id}>{ memo(of, kept) }</div> }
    });
    html! {
        <footer class="transport">
            <div class="step-row">{ for steps }</div>
            <div class="moves">
                { memo(Moves {
                    lang,
                    at_start: props.step == 0,
                    at_end: props.step == props.steps,
                    playing: props.playing,
                    on: props.on.clone(),
                }, moves) }
            </div>
            <span class="of">{ of }</span>
            <div class="strips">
                { strip(props) }
                { for kept }
            </div>
            <div class="more">{ memo(More {
                lang,
                mode: props.mode,
                runs_of: props.cards.iter().filter(|card| card.command.is_some())
                    .map(|card| card.client).collect(),
                speed: props.speed,
                advance: props.advance.clone(),
                faults: props.faults,
                runs: props.runs,
                wire: props.wire,
                console: props.console,
                on: props.on.clone(),
            }, more) }</div>
        </footer>
    }
}

/// What steps a client, where the cards are out of sight.
fn one((card, hint, on): &(Rc<Card>, Option<AttrValue>, Callback<Input>)) -> Html {
    step_button(card, hint.clone(), on)
}

/// The buttons that move along the run.
#[derive(PartialEq)]
struct Moves {
    lang: Lang,
    at_start: bool,
    at_end: bool,
    playing: bool,
    on: Callback<Input>,
}

fn moves(props: &Moves) -> Html {
    let (at_start, at_end) = (props.at_start, props.at_end);
    let button =
        |id, label, icon, msg, disabled| move_button(props, id, label, icon, msg, disabled);
    html! {
        <>
            { button("first", Key::First, icons::first(), Msg::Seek(0), at_start) }
            { button("back", Key::Back, icons::back(), Msg::Back, at_start) }
            { button("forward", Key::Forward, icons::forward(), Msg::Forward, at_end) }
            { button("last", Key::Last, icons::last(), Msg::Seek(usize::MAX), at_end) }
            { play_button(props) }
        </>
    }
}

fn move_button(
    props: &Moves,
    id: &'static str,
    label: Key,
    icon: Html,
    msg: Msg,
    disabled: bool,
) -> Html {
    let onclick = props.on.reform(move |_| Input::Session(msg.clone()));
    let label = tr(props.lang, label);
    html! {
        <button type="button" {onclick} {disabled} aria-label={label} title={label} data-move={id}>
            { icon }
        </button>
    }
}

fn play_button(props: &Moves) -> Html {
    let onclick = props.on.reform(|_| Input::Play);
    let (icon, label) = match props.playing {
        true => (icons::pause(), Key::Pause),
        false => (icons::play(), Key::Play),
    };
    let label = tr(props.lang, label);
    // With nothing after the cursor, playing begins again from the start.
    html! {
        <button type="button" {onclick} aria-label={label} title={label} data-move="play"
            disabled={props.at_start && props.at_end}>{ icon }</button>
    }
}

fn strip(props: &TransportProps) -> Html {
    let on_down = props.on.clone();
    let onpointerdown = Callback::from(move |event: PointerEvent| seek_at(&event, &on_down));
    let on_move = props.on.clone();
    let now = props.step;
    let onpointermove = Callback::from(move |event: PointerEvent| {
        if event.buttons() & 1 == 1
            && let Some(step) = browser::step_at(event.client_x(), event.client_y())
            && step != now
        {
            on_move.emit(Input::Session(Msg::Seek(step)));
        }
    });
    let dense = (props.steps > DENSE).then_some("dense");
    let value =
        fill(tr(props.lang, Key::StepOf), &[&props.step.to_string(), &props.steps.to_string()]);
    html! {
        <div class={classes!("strip", dense)} role="slider" tabindex="0"
            aria-label={tr(props.lang, Key::Scrubber)} aria-valuemin="0"
            aria-valuemax={props.steps.to_string()} aria-valuenow={props.step.to_string()}
            aria-valuetext={value} {onpointerdown} {onpointermove}>
            <span class={classes!("start", (props.step == 0).then_some("now"))} data-step="0">
            </span>
            if dense.is_some() {
                { track(&props.strip) }
            } else {
                { for (1..=props.steps).filter_map(|step| props.strip.cell(step))
                    .map(|one| cell(&one)) }
            }
        </div>
    }
}

/// A strip of many steps: bars, and above them what moves.
fn track(strip: &Strip) -> Html {
    let steps = strip.steps();
    let place = |from: usize, to: usize| {
        let percent = |count: usize| 100.0 * count as f64 / steps as f64;
        format!("left:{:.3}%;width:{:.3}%", percent(from), percent(to - from))
    };
    let now = match strip.cursor.checked_sub(1) {
        Some(before) => place(before, strip.cursor),
        None => "display:none".to_owned(),
    };
    let broken = strip.broken.iter().filter(|step| **step > 0).map(|step| {
        html! { <span key={*step} class="broken" style={place(step - 1, *step)}></span> }
    });
    html! {
        <div class="track" data-steps={steps.to_string()}>
            { memo(Bars(strip.run.clone()), bars) }
            <span class="veil" style={place(strip.cursor, steps)}></span>
            { for broken }
            <span class="now" style={now}></span>
        </div>
    }
}

fn seek_at(event: &PointerEvent, on: &Callback<Input>) {
    if let Some(step) = browser::step_at(event.client_x(), event.client_y()) {
        on.emit(Input::Session(Msg::Seek(step)));
    }
}

pub fn cell(cell: &Cell) -> Html {
    let class = classes!(
        "cell",
        cell.client.map_or("nobody".to_owned(), client_class),
        cell.switch.then_some("switch"),
        cell.breaks.then_some("breaks"),
        cell.future.then_some("future"),
        cell.now.then_some("now"),
    );
    html! {
        <span key={cell.step} {class} data-step={cell.step.to_string()}><i>{ cell.mark }</i></span>
    }
}

fn kept((kept, lang, on): &(Kept, Lang, Callback<Input>)) -> Html {
    let id = kept.id;
    let onclick = on.reform(move |_| Input::Session(Msg::TakeBranch(id)));
    let name = run_name(kept.id, &kept.name, *lang);
    let steps = kept.steps().to_string();
    let shared = (kept.shared + 1).to_string();
    let label = fill(tr(*lang, Key::TakeBranch), &[&name, &steps, &shared]);
    html! {
        <button type="button" class="kept" {onclick} aria-label={label.clone()} title={label}>
            if kept.steps() > DENSE {
                { bars(&Bars(kept.run.clone())) }
            } else {
                // Too thin for letters.
                { for kept.cells().into_iter().map(|one| cell(&Cell { mark: ' ', ..one })) }
            }
        </button>
    }
}

/// A run, equal to one with the same end.
struct Bars(Run);

impl PartialEq for Bars {
    fn eq(&self, other: &Bars) -> bool {
        let ends = self.0.last().zip(other.0.last());
        ends.is_some_and(|(ours, theirs)| Rc::ptr_eq(ours, theirs))
    }
}

/// A few nodes where cells would be hundreds: all steps of a colour are one.
fn bars(Bars(run): &Bars) -> Html {
    let bars = strip::bars(run).into_iter().map(|bars| {
        let mut d = String::new();
        for (from, to) in bars.places {
            d += &format!("M{from} 0h{0}v1h-{0}z", to - from);
        }
        let class = bars.client.map_or("nobody".to_owned(), client_class);
        html! { <path {class} {d} /> }
    });
    html! {
        <svg viewBox={format!("0 0 {} 1", run.len() - 1)} preserveAspectRatio="none"
            aria-hidden="true">{ for bars }</svg>
    }
}

/// What the learner calls a run, or its number.
pub fn run_name(id: u32, name: &str, lang: Lang) -> String {
    match name {
        "" => fill(tr(lang, Key::RunNumber), &[&id.to_string()]),
        name => name.to_owned(),
    }
}

/// Everything else that can be done to the run.
#[derive(PartialEq)]
struct More {
    lang: Lang,
    mode: Mode,
    /// Those that can run.
    runs_of: Vec<ClientId>,
    speed: usize,
    advance: Option<String>,
    faults: bool,
    runs: bool,
    wire: bool,
    console: bool,
    on: Callback<Input>,
}

fn more(props: &More) -> Html {
    let lang = props.lang;
    let free = props.mode.is_free();
    let random = props.on.reform(|_| Input::Random);
    let reset = props.on.reform(|_| Input::Session(Msg::Reset));
    let advance = props.on.reform(|_| Input::Session(Msg::Advance));
    let faults = props.on.reform(|_| Input::Faults(true));
    let open = !props.console;
    let console = props.on.reform(move |_| Input::Console(Do::Open(open)));
    let runs_open = props.on.reform(|_| Input::Runs(true));
    let to = !props.wire;
    let wire = props.on.reform(move |_| Input::Session(Msg::Wire(to)));
    let onchange = props.on.reform(|event: Event| {
        let select: Option<web_sys::HtmlSelectElement> = event.target_dyn_into();
        Input::Speed(select.map_or(0, |select| select.selected_index().max(0) as usize))
    });
    let speeds = SPEEDS.iter().enumerate().map(|(number, speed)| {
        html! {
            <option key={number} selected={number == props.speed}>{ format!("{speed}×") }</option>
        }
    });
    let runs = props.runs_of.iter().map(|id| {
        let id = *id;
        let onclick = props.on.reform(move |_| Input::Session(Msg::RunClient(id)));
        let label = fill(tr(lang, Key::RunUntil), &[&id.letter().to_string()]);
        html! {
            <button key={id.index()} type="button" class={classes!("run", client_class(id))}
                {onclick}>{ label }</button>
        }
    });
    html! {
        <>
            if free {
                if let Some(label) = &props.advance {
                    <button type="button" class="advance" onclick={advance}
                        data-move="advance" title={label.clone()}>{ label.clone() }</button>
                }
                if props.faults {
                    <button type="button" onclick={faults} aria-haspopup="dialog"
                        data-move="faults">{ tr(lang, Key::Faults) }</button>
                }
                <button type="button" onclick={wire} aria-pressed={props.wire.to_string()}
                    class={classes!(props.wire.then_some("on"))} data-move="wire"
                    title={tr(lang, Key::WireHint)}>{ tr(lang, Key::Wire) }</button>
                <span class="runs">{ for runs }</span>
                <button type="button" onclick={random}>{ tr(lang, Key::Random) }</button>
            }
            <button type="button" onclick={console} aria-pressed={props.console.to_string()}
                class={classes!(props.console.then_some("on"))} data-move="console"
                aria-label={tr(lang, Key::Console)} title={tr(lang, Key::ConsoleTitle)}>
                <span>{ tr(lang, Key::Console) }</span>
            </button>
            if props.runs {
                <button type="button" onclick={runs_open} aria-haspopup="dialog"
                    title={tr(lang, Key::RunsHint)} data-move="runs">{ tr(lang, Key::Runs) }
                </button>
            }
            <select aria-label={tr(lang, Key::Speed)} title={tr(lang, Key::Speed)} {onchange}>
                { for speeds }
            </select>
            <button type="button" onclick={reset}>{ tr(lang, Key::Reset) }</button>
        </>
    }
}
