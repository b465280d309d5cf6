//! The strip of a run: a cell for each step in its client's colour. It is also the scrubber, which
//! a finger moves through the films, not from step to step.

use std::rc::Rc;

use web_sys::Element;
use yew::prelude::*;

use crate::app::input::Input;
use crate::session::Msg;
use crate::sim::Run;
use crate::text::{Key, Lang, fill, tr};
use crate::view::stage::strip::{self, Cell, DENSE, Kept, Strip};

use super::cards::client_class;
use super::lazy::memo;

/// A movement of a finger on the strip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drag {
    /// The finger is at this place of the run.
    To(f64),
    /// The finger has left the strip.
    Let,
}

pub struct StripProps {
    pub lang: Lang,
    pub step: usize,
    pub steps: usize,
    /// The number of steps that there is room for.
    pub places: usize,
    pub strip: Strip,
    pub kept: Vec<Kept>,
    pub drag: Callback<Drag>,
    pub on: Callback<Input>,
}

pub fn strip(props: &StripProps) -> Html {
    let (lang, step, steps) = (props.lang, props.step, props.steps);
    let places = props.places;
    let kept = props.kept.iter().map(|run| {
        let of = (run.clone(), lang, props.on.clone());
        html! { <div key={run.id}>{ memo(of, kept) }</div> }
    });
    let drag = props.drag.clone();
    let onpointerdown = Callback::from(move |event: PointerEvent| {
        if let Some(strip) = strip_of(&event) {
            let _ = strip.set_pointer_capture(event.pointer_id());
        }
        if let Some(place) = place_at(&event, places, steps) {
            drag.emit(Drag::To(place));
        }
    });
    let drag = props.drag.clone();
    let onpointermove = Callback::from(move |event: PointerEvent| {
        if event.buttons() & 1 == 1
            && let Some(place) = place_at(&event, places, steps)
        {
            drag.emit(Drag::To(place));
        }
    });
    let drag = props.drag.clone();
    let let_go = Callback::from(move |_: PointerEvent| drag.emit(Drag::Let));
    let dense = (places > DENSE).then_some("dense");
    let value = fill(tr(lang, Key::StepOf), &[&step.to_string(), &steps.to_string()]);
    let percent = 100.0 * step as f64 / places.max(1) as f64;
    html! {
        <div class="strips">
            <div class={classes!("strip", dense)} role="slider" tabindex="0"
                aria-label={tr(lang, Key::Scrubber)} aria-valuemin="0"
                aria-valuemax={steps.to_string()} aria-valuenow={step.to_string()}
                aria-valuetext={value} {onpointerdown} {onpointermove}
                onpointerup={let_go.clone()} onpointercancel={let_go}>
                <span class={classes!("start", (step == 0).then_some("now"))} data-step="0"></span>
                <div class="cells" data-places={places.to_string()}>
                    if dense.is_some() {
                        { track(&props.strip, places) }
                    } else {
                        { for (1..=steps).filter_map(|step| props.strip.cell(step))
                            .map(|one| cell(&one)) }
                        { for (steps + 1..=places).map(|step| html! {
                            <span key={step} class="cell empty"><i></i></span>
                        }) }
                    }
                    <i class="thumb" style={format!("left:{percent:.3}%")}></i>
                </div>
            </div>
            { for kept }
        </div>
    }
}

fn strip_of(event: &PointerEvent) -> Option<Element> {
    event.target_dyn_into::<Element>()?.closest(".strip").ok()?
}

/// Returns the place of the run under the pointer: 2.37 is 37 % into the film of step 3.
fn place_at(event: &PointerEvent, places: usize, steps: usize) -> Option<f64> {
    let cells = strip_of(event)?.query_selector(".cells").ok()??.get_bounding_client_rect();
    let part = (f64::from(event.client_x()) - cells.left()) / cells.width().max(1.0);
    Some((part.clamp(0.0, 1.0) * places as f64).min(steps as f64))
}

/// `count` of `all`, as CSS says it. (The library's way to write a fraction is 8 KB of a first
/// visit.)
fn percent(count: usize, all: usize) -> String {
    let thousandths = 100_000 * count / all.max(1);
    format!("{}.{:03}%", thousandths / 1000, thousandths % 1000)
}

/// Draws a strip of many steps: bars, and above them the moving parts.
fn track(strip: &Strip, places: usize) -> Html {
    let steps = strip.steps();
    let place = |from: usize, to: usize| {
        let part = |count: usize| percent(count, steps);
        format!("left:{};width:{}", part(from), part(to - from))
    };
    let now = match strip.cursor.checked_sub(1) {
        Some(before) => place(before, strip.cursor),
        None => "display:none".to_owned(),
    };
    let broken = strip.broken.iter().filter(|step| **step > 0).map(|step| {
        html! { <span key={*step} class="broken" style={place(step - 1, *step)}></span> }
    });
    let wide = format!("flex:0 0 {}", percent(steps, places));
    html! {
        <div class="track" style={wide}>
            { memo(Bars(strip.run.clone()), bars) }
            <span class="veil" style={place(strip.cursor, steps)}></span>
            { for broken }
            <span class="now" style={now}></span>
        </div>
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

/// Returns the learner's name of a run, or its number.
pub fn run_name(id: u32, name: &str, lang: Lang) -> String {
    match name {
        "" => fill(tr(lang, Key::RunNumber), &[&id.to_string()]),
        name => name.to_owned(),
    }
}
