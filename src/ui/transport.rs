//! The foot of the page: the buttons that move along the run, and the schedule strip that is also
//! the scrubber. On small screens the clients' step buttons stand here, under the thumb.

use std::ops::Range;
use std::rc::Rc;

use yew::prelude::*;

use crate::sim::{ClientId, Frame};
use crate::text::{Key, Lang, fill, tr};
use crate::view::cards::Card;
use crate::view::console::Do;
use crate::view::session::{Mode, Msg};
use crate::view::strip::{Cell, Kept};

use super::app::{Input, SPEEDS};
use super::browser;
use super::cards::{client_class, step_button};
use super::icons;
use super::lazy::{Lazy, PART, in_parts};

pub struct TransportProps {
    pub lang: Lang,
    pub mode: Mode,
    pub step: usize,
    pub steps: usize,
    pub cells: Vec<Cell>,
    pub frames: Vec<Rc<Frame>>,
    pub kept: Vec<Kept>,
    pub cards: Vec<Card>,
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
    let on_step = props.on.reform(|id: ClientId| Input::Session(Msg::Step(id)));
    let steps = props.cards.iter().map(|card| {
        html! {
            <div key={card.client.index()} class="one">
                { step_button(card, props.hint.clone(), &on_step) }
            </div>
        }
    });
    let of = fill(tr(lang, Key::StepOf), &[&props.step.to_string(), &props.steps.to_string()]);
    let (at_start, at_end) = (props.step == 0, props.step == props.steps);
    html! {
        <footer class="transport">
            <div class="step-row">{ for steps }</div>
            <div class="moves">
                { move_button(props, "first", Key::First, icons::first(), Msg::Seek(0), at_start) }
                { move_button(props, "back", Key::Back, icons::back(), Msg::Back, at_start) }
                { move_button(props, "forward", Key::Forward, icons::forward(),
                    Msg::Forward, at_end) }
                { move_button(props, "last", Key::Last, icons::last(),
                    Msg::Seek(props.steps), at_end) }
                { play_button(props) }
            </div>
            <span class="of">{ of }</span>
            <div class="strips">
                { strip(props) }
                { for props.kept.iter().enumerate().map(|(n, kept)| self::kept(n, kept, props)) }
            </div>
            <div class="more">{ more(props) }</div>
        </footer>
    }
}

fn move_button(
    props: &TransportProps,
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

fn play_button(props: &TransportProps) -> Html {
    let onclick = props.on.reform(|_| Input::Play);
    let (icon, label) = match props.playing {
        true => (icons::pause(), Key::Pause),
        false => (icons::play(), Key::Play),
    };
    let label = tr(props.lang, label);
    // With nothing after the cursor, playing begins again from the start.
    html! {
        <button type="button" {onclick} aria-label={label} title={label} data-move="play"
            disabled={props.steps == 0}>{ icon }</button>
    }
}

fn strip(props: &TransportProps) -> Html {
    let seek = |on: &Callback<Input>| on.reform(|step: usize| Input::Session(Msg::Seek(step)));
    let on_down = seek(&props.on);
    let on_move = seek(&props.on);
    let onpointerdown = Callback::from(move |event: PointerEvent| {
        if let Some(step) = browser::step_at(event.client_x(), event.client_y()) {
            on_down.emit(step);
        }
    });
    let now = props.step;
    let onpointermove = Callback::from(move |event: PointerEvent| {
        if event.buttons() & 1 == 1
            && let Some(step) = browser::step_at(event.client_x(), event.client_y())
            && step != now
        {
            on_move.emit(step);
        }
    });
    let dense = (props.steps > 60).then_some("dense");
    let value =
        fill(tr(props.lang, Key::StepOf), &[&props.step.to_string(), &props.steps.to_string()]);
    html! {
        <div class={classes!("strip", dense)} role="slider" tabindex="0"
            aria-label={tr(props.lang, Key::Scrubber)} aria-valuemin="0"
            aria-valuemax={props.steps.to_string()} aria-valuenow={props.step.to_string()}
            aria-valuetext={value} {onpointerdown} {onpointermove}>
            <span class={classes!("start", (props.step == 0).then_some("now"))} data-step="0">
            </span>
            { cells_in_parts(props) }
        </div>
    }
}

/// A frame stands for itself and all before it, so the last one of a part says what it shows.
fn cells_in_parts(props: &TransportProps) -> Html {
    let cells: Rc<[Cell]> = props.cells.as_slice().into();
    let frames: Rc<[Rc<Frame>]> = props.frames.as_slice().into();
    let step = props.step;
    let of = {
        let cells = cells.clone();
        move |part: Range<usize>| {
            let last = cells[part.clone()].last().and_then(|cell| frames.get(cell.step));
            let of = last.map(|frame| frame.clone() as Rc<dyn std::any::Any>);
            // The cell at `at` is step `at + 1`.
            let past = step.clamp(part.start, part.end);
            let now = usize::from(part.contains(&step.wrapping_sub(1)));
            (of.into_iter().collect(), [past, now, part.len()])
        }
    };
    let len = cells.len();
    let draw = move |part: Range<usize>| html! { <>{ for cells[part].iter().map(cell) }</> };
    in_parts(len, 2 * PART, Rc::new(of), Rc::new(draw))
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

fn kept(number: usize, kept: &Kept, props: &TransportProps) -> Html {
    let onclick = props.on.reform(move |_| Input::Session(Msg::TakeBranch(number)));
    let name = run_name(kept.id, &kept.name, props.lang);
    let steps = kept.steps().to_string();
    let shared = (kept.shared + 1).to_string();
    let label = fill(tr(props.lang, Key::TakeBranch), &[&name, &steps, &shared]);
    let of: Vec<Rc<dyn std::any::Any>> =
        kept.frames.last().iter().map(|frame| (*frame).clone() as Rc<dyn std::any::Any>).collect();
    let run = kept.clone();
    let draw: Rc<dyn Fn() -> Html> = Rc::new(move || {
        // Too thin for letters.
        let cells = run.cells().into_iter().map(|one| Cell { mark: ' ', ..one });
        html! { <>{ for cells.map(|one| cell(&one)) }</> }
    });
    html! {
        <button key={kept.id} type="button" class="kept" {onclick}
            aria-label={label.clone()} title={label}>
            <Lazy {of} with={[0; 3]} {draw} />
        </button>
    }
}

/// What the learner calls a run, or its number.
pub fn run_name(id: u32, name: &str, lang: Lang) -> String {
    match name {
        "" => fill(tr(lang, Key::RunNumber), &[&id.to_string()]),
        name => name.to_owned(),
    }
}

fn more(props: &TransportProps) -> Html {
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
    let runs = props.cards.iter().filter(|card| card.command.is_some()).map(|card| {
        let id = card.client;
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
