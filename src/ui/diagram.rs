//! The space–time diagram, drawn where [`crate::view::stage::diagram`] has placed everything.
//!
//! The parts that change with a step (the tint of its row, the past part of the lanes, the blame,
//! the veil) are drawn apart from the rows and bands, so that a step in a long run redraws only
//! them.

mod lasting;
mod rows;
mod table;

pub use rows::Ends;
pub use table::cells;

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, ResizeObserver};
use yew::prelude::*;

use crate::sim::ClientId;
use crate::text::{Key, Lang, tr};
use crate::view::film::{Place, RowPart};
use crate::view::stage::diagram::{Diagram, HEAD, Lane, NAME_SIZE, Row, Server, chars_px};

use super::browser;
use super::cards::client_class;
use super::lazy::{Reach, memo, use_reach};

/// Selects the row of the present step and the strip of names above it. Before the first step it
/// selects the top of the diagram.
pub const PRESENT: &str = ".present";

#[derive(Properties, PartialEq)]
pub struct DiagramProps {
    pub diagram: Diagram,
    pub lang: Lang,
    pub step: usize,
    pub on_seek: Callback<usize>,
    /// Called with the width and height of the room, in px.
    pub on_size: Callback<(i32, i32)>,
}

#[component]
pub fn DiagramPane(props: &DiagramProps) -> Html {
    let pane = use_node_ref();
    let reach = use_reach(props.diagram.rows.len(), props.step);
    {
        let (on_size, told) = (props.on_size.clone(), Cell::new((0, 0)));
        use_resized(pane.clone(), move |element| {
            let size = (element.client_width(), element.client_height());
            if told.replace(size) != size {
                on_size.emit(size);
            }
            // A pane that became lower, beside a console say, still shows the present row.
            browser::scroll_pane_to(element, &[PRESENT]);
        });
    }
    {
        let pane = pane.clone();
        let present = props.diagram.present.clone();
        let seen = (props.step, props.diagram.height, present.clone());
        use_effect_with(seen, move |_| {
            if let Some(pane) = pane.cast::<HtmlElement>() {
                show_present(&pane, present.start, present.end);
            }
        });
    }
    html! {
        <div class="diagram" ref={pane} tabindex="0" role="group"
            aria-label={tr(props.lang, Key::Time)}>
            { heads(&props.diagram) }
            { picture(props, &reach) }
            { table::table(&props.diagram, &reach, props.lang) }
        </div>
    }
}

/// Scrolls the pane alone until the row of the present step is in it, below the names. At step 0
/// it begins and ends at the top.
fn show_present(pane: &HtmlElement, start: i32, end: i32) {
    /// Of the next row, so that one sees that there is more.
    const SPARE: i32 = 12;
    // A question lies over the foot of the pane.
    let asked = pane.parent_element().and_then(|it| it.query_selector(".ask").ok().flatten());
    let covered = asked.map_or(0, |ask| ask.client_height() + SPARE);
    let (top, height) = (pane.scroll_top(), pane.client_height() - covered);
    let spare = ((height - HEAD - (end - start)) / 2).clamp(0, SPARE);
    if start - HEAD < top || start == end {
        pane.set_scroll_top(start - HEAD - spare);
    } else if end > top + height {
        pane.set_scroll_top(end + spare - height);
    }
}

/// Calls `report` with the element, now and whenever its size changes: then a moment later, as a
/// change of the layout while sizes are being told would ask for another round of them.
#[hook]
pub fn use_resized(node: NodeRef, report: impl Fn(&HtmlElement) + 'static) {
    use_effect_with((), move |_| {
        let element = node.cast::<HtmlElement>();
        let observed = element.clone();
        let report = Rc::new(move || {
            if let Some(element) = &observed {
                report(element);
            }
        });
        report();
        let asked = RefCell::new(None);
        let changed = Closure::<dyn Fn()>::new(move || {
            let report = report.clone();
            asked.replace(Some(Timeout::new(0, move || report())));
        });
        let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, &element) {
            observer.observe(element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            // With it goes what was asked for.
            drop(changed);
        }
    });
}

/// The lanes' names, which stay while the rows scroll below them. The picture has them as well,
/// for when it leaves the page.
fn heads(diagram: &Diagram) -> Html {
    let at = |x: i32| format!("left:{x}px");
    html! {
        <div class="heads" style={format!("width:{}px", diagram.width)} aria-hidden="true"
            translate="no">
            { for diagram.lanes.iter().map(|lane| html! {
                <b key={lane.client.name()} class={classes!("badge", client_class(lane.client))}
                    style={at(lane.x)}>{ lane.client.name() }</b>
            }) }
            <span key="clock" class="clock" style={at(diagram.zone)}
                data-place={Place::clock().to_string()}>
                { diagram.clock.clone().unwrap_or_default() }
            </span>
            { for diagram.servers.iter().enumerate().map(|(number, one)| html! {
                <b key={number} class="server-name" style={at(one.x)}>{ one.name.clone() }</b>
            }) }
        </div>
    }
}

/// The height of the drawing, of which its box shows as much as is needed. When a drawing changes
/// its size, browsers lay out every text in it again: one that is long already does so seldom.
fn drawn_height(height: i32) -> i32 {
    const LONG: i32 = 2_000;
    if height <= LONG { height } else { height.div_euclid(LONG) * LONG + LONG }
}

fn picture(props: &DiagramProps, reach: &Reach) -> Html {
    let diagram = &props.diagram;
    let (width, height) = (diagram.width.to_string(), drawn_height(diagram.height).to_string());
    let style = format!("width:{width}px;aspect-ratio:{width}/{}", diagram.height);
    html! {
        <div class="drawing" {style}><svg viewBox={format!("0 0 {width} {height}")}
            {width} {height} role="img" style={format!("--type:{}px", diagram.size)}
            aria-label={diagram.summary.clone()} translate="no">
            { drawn(diagram, reach, props.on_seek.clone()) }
        </svg></div>
    }
}

/// Draws a piece of the whole picture, for paper: from one height to another, with the names above.
#[inline(never)]
pub fn piece(diagram: &Diagram, part: &Range<i32>) -> Html {
    let (width, style) = (diagram.width, format!("--type:{}px", diagram.size));
    let view = |from: i32, to: i32| {
        let size = (width.to_string(), (to - from).to_string());
        html! {
            <svg viewBox={format!("0 {from} {} {}", size.0, size.1)} width={size.0}
                height={size.1} style={style.clone()} translate="no">
                { drawn(diagram, &Reach::ALL, Callback::noop()) }
            </svg>
        }
    };
    html! {
        <figure class="diagram" role="img" aria-label={diagram.summary.clone()}>
            if part.start > 0 { { view(0, HEAD) } }
            { view(part.start, part.end) }
        </figure>
    }
}

fn drawn(diagram: &Diagram, reach: &Reach, on_seek: Callback<usize>) -> Html {
    let names = Names { lanes: diagram.lanes.iter().map(|lane| (lane.client, lane.x)).collect() };
    let ends = Servers { servers: diagram.servers.clone(), bottom: diagram.bottom };
    html! {
        <>
            <defs>
                <pattern id="hatched" width="12" height="12" patternUnits="userSpaceOnUse"
                    patternTransform="rotate(-45)">
                    <rect class="stripe" width="12" height="6" />
                </pattern>
            </defs>
            <g>{ memo(names, lane_names) }</g>
            <g>{ clock(diagram) }</g>
            <g>{ memo(ends, servers) }</g>
            <g>{ tint(diagram) }</g>
            <g>{ memo(lanes_drawn(diagram), lanes) }</g>
            <g>{ lasting::windows(diagram) }</g>
            <g>{ lasting::bands(diagram) }</g>
            <g>{ rows::rows(diagram, reach, on_seek) }</g>
            <g>{ blames(diagram) }</g>
            <g>{ collision(diagram) }</g>
            <g>{ veil(diagram) }</g>
        </>
    }
}

#[derive(PartialEq)]
struct Names {
    lanes: Vec<(ClientId, i32)>,
}

fn lane_names(names: &Names) -> Html {
    let badge = |(client, x): &(ClientId, i32)| {
        let name = client.name();
        let width = 20.max(chars_px(name.len(), NAME_SIZE) + 6);
        html! {
            <g key={name.clone()} class={client_class(*client)}>
                <rect class="badge" x={(x - width / 2).to_string()} y="8"
                    width={width.to_string()} height="20" rx="5" />
                <text class="letter" x={x.to_string()} y="23" text-anchor="middle">{ name }</text>
            </g>
        }
    };
    names.lanes.iter().map(badge).collect()
}

fn clock(diagram: &Diagram) -> Html {
    let Some(clock) = diagram.clock.clone() else { return Html::default() };
    html! { <text class="passed-by" x={diagram.zone.to_string()} y="23">{ clock }</text> }
}

#[derive(PartialEq)]
struct Servers {
    servers: Vec<Server>,
    bottom: i32,
}

fn servers(drawn: &Servers) -> Html {
    let server = |(number, one): (usize, &Server)| {
        let place = one.node.map(|node| Place::server_lane(node).to_string());
        html! {
            <g key={number} class="server">
                <text class="server-name" x={one.x.to_string()} y="23" text-anchor="middle">
                    { one.name.clone() }
                </text>
                <rect x={(one.x - 6).to_string()} y={HEAD.to_string()} width="12"
                    height={(drawn.bottom - HEAD).to_string()} rx="6" data-place={place} />
            </g>
        }
    };
    drawn.servers.iter().enumerate().map(server).collect()
}

/// Draws the tint of the present step's row.
fn tint(diagram: &Diagram) -> Html {
    let (start, height) = (diagram.present.start, diagram.present.len());
    let client = diagram.row(diagram.step).and_then(|row| row.client());
    let width = diagram.width.to_string();
    html! {
        <>
            <rect class={classes!("tint", client.map(client_class))} x="0" y={start.to_string()}
                width={width.clone()} height={height.to_string()} />
            <rect class="present" x="0" y={(start - HEAD).to_string()} {width}
                height={(height + HEAD as usize).to_string()} />
        </>
    }
}

/// A lane, and the y up to which it is past.
type LaneDrawn = (Lane, i32);

fn lanes_drawn(diagram: &Diagram) -> Rc<[LaneDrawn]> {
    let past = |lane: &Lane| diagram.present.end.min(lane.bottom);
    diagram.lanes.iter().map(|lane| (lane.clone(), past(lane))).collect()
}

fn lanes(lanes: &Rc<[LaneDrawn]>) -> Html {
    lanes.iter().map(lane).collect()
}

fn lane((lane, past): &LaneDrawn) -> Html {
    let (id, x, bottom) = (lane.client, lane.x, lane.bottom);
    let line = |class: &'static str, place: Place, to: i32| {
        html! {
            <rect {class} x={(x - 1).to_string()} y={HEAD.to_string()} width="2"
                height={(to - HEAD).max(0).to_string()} data-place={place.to_string()} />
        }
    };
    let end = lane.ends.map(|_| {
        let (class, shape) = match lane.failed {
            true => ("end failed", format!("M{} {}l10 10m0 -10l-10 10", x - 5, bottom - 5)),
            false => ("end", format!("M{} {bottom}h12", x - 6)),
        };
        html! { <path {class} d={shape} data-place={Place::lane_end(id).to_string()} /> }
    });
    html! {
        <g key={id.name()} class={classes!("lane", client_class(id))}>
            { line("pale", Place::lane(id), bottom) }
            { line("past", Place::lane_past(id), *past) }
            { end.unwrap_or_default() }
        </g>
    }
}

/// Blames the steps that break something, up to the present one. Later ones have not happened.
fn blames(diagram: &Diagram) -> Html {
    let road = rows::Road::of(diagram);
    let breaks = diagram.rows.iter().filter(|row| row.breaks && row.step <= diagram.step);
    let blame = |row: &Rc<Row>| html! { <g key={row.step}>{ rows::blame(row, road) }</g> };
    breaks.map(blame).collect()
}

/// Draws a bracket that joins the present step, which breaks a condition, with the earlier step it
/// conflicts with, and blames that step too.
fn collision(diagram: &Diagram) -> Html {
    let Some((earlier, broken)) = diagram.join else { return Html::default() };
    let (Some(first), Some(second)) = (diagram.row(earlier), diagram.row(broken)) else {
        return Html::default();
    };
    let x = |step: usize| diagram.row(step).and_then(rows::dot_x).unwrap_or_default();
    let (x, from, to) = (x(earlier).max(x(broken)) + 12, first.request_y(), second.request_y());
    let d = format!("M{x} {from}h4q8 0 8 8V{}q0 8 -8 8h-4", to - 8);
    html! {
        <>
            if !first.breaks { { rows::blame(first, rows::Road::of(diagram)) } }
            <path class="join" {d} data-place={Place::join().to_string()} />
        </>
    }
}

/// Draws a translucent veil over the steps after the present one.
fn veil(diagram: &Diagram) -> Html {
    let from = diagram.present.end;
    let height = if diagram.hides_future { 0 } else { diagram.bottom - from };
    html! {
        <rect class="veil" x="0" y={from.to_string()} width={diagram.width.to_string()}
            height={height.max(0).to_string()} />
    }
}

/// Returns the id of a step's row in the page.
pub fn row_id(step: usize) -> String {
    format!("row-{step}")
}

fn row_place(step: usize, part: RowPart) -> String {
    Place::row(step, part).to_string()
}
