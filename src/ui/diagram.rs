//! The space–time diagram, drawn where [`crate::view::diagram`] has placed everything.

use std::any::Any;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, ResizeObserver};
use yew::prelude::*;

use crate::sim::ClientId;
use crate::text::{Key, Lang, tr};
use crate::view::diagram::{
    Band, BandKind, Diagram, Glyph, Lane, Note, Row, RowKind, Server, Shape, Window,
};

use super::browser;
use super::cards::client_class;
use super::lazy::{Drawn, Items, Same, in_parts, memo};

/// Width of a character in the diagram's type.
const CHAR: i32 = 7;
/// Where the row of the present step is; without height before the first one.
pub const PRESENT: &str = ".present";
/// Between two commands that ran as one.
const INSIDE: i32 = 15;

#[derive(Properties, PartialEq)]
pub struct DiagramProps {
    pub diagram: Diagram,
    pub lang: Lang,
    pub step: usize,
    pub on_seek: Callback<usize>,
    /// The room that there is, in px.
    pub on_width: Callback<i32>,
}

#[component]
pub fn DiagramPane(props: &DiagramProps) -> Html {
    let pane = use_node_ref();
    use_width(pane.clone(), props.on_width.clone());
    {
        let pane = pane.clone();
        let cursor = props.diagram.cursor;
        use_effect_with((props.step, props.diagram.height), move |_| {
            if let Some(pane) = pane.cast::<HtmlElement>() {
                show_cursor(&pane, cursor);
            }
        });
    }
    html! {
        <div class="diagram" ref={pane} tabindex="0" role="group"
            aria-label={tr(props.lang, Key::Time)}>
            { picture(props) }
            { table(props) }
        </div>
    }
}

/// Scrolls the pane alone until the row of the present step is in it.
fn show_cursor(pane: &HtmlElement, cursor: Option<i32>) {
    /// Room for the row itself, and for a neighbour where the pane is high enough.
    const ABOVE: i32 = 20;
    const BELOW: i32 = 40;
    let Some(y) = cursor else { return pane.set_scroll_top(0) };
    let (top, height) = (pane.scroll_top(), pane.client_height());
    let spare = ((height - ABOVE - BELOW) / 2).clamp(0, 44);
    if y - ABOVE < top {
        pane.set_scroll_top(y - ABOVE - spare);
    } else if y + BELOW > top + height {
        pane.set_scroll_top(y + BELOW + spare - height);
    }
}

/// Reports the element's width, now and whenever it changes: then at the next frame, as a change of
/// the layout while sizes are being told would ask for another round of them.
#[hook]
fn use_width(node: NodeRef, on_width: Callback<i32>) {
    use_effect_with((), move |_| {
        let element = node.cast::<HtmlElement>();
        let observed = element.clone();
        let told = Cell::new(0);
        let report = move || {
            let Some(element) = &observed else { return };
            let width = element.client_width();
            if told.replace(width) != width {
                on_width.emit(width);
            }
            // A pane that became lower, beside a console say, still shows the present row.
            let scale =
                element.get_bounding_client_rect().height() / f64::from(element.offset_height());
            browser::scroll_pane_to(element, &[PRESENT], scale);
        };
        report();
        let asked = Rc::new(Cell::new(None));
        let pending = asked.clone();
        let frame = Closure::<dyn Fn()>::new(move || {
            pending.set(None);
            report();
        });
        let pending = asked.clone();
        let changed = Closure::<dyn Fn()>::new(move || {
            if let (None, Some(window)) = (pending.get(), browser::window()) {
                let frame = frame.as_ref().unchecked_ref();
                pending.set(window.request_animation_frame(frame).ok());
            }
        });
        let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, &element) {
            observer.observe(element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            if let (Some(frame), Some(window)) = (asked.get(), browser::window()) {
                let _ = window.cancel_animation_frame(frame);
            }
            drop(changed);
        }
    });
}

/// What a row has to know of the picture.
#[derive(Clone, Copy)]
struct Place {
    label_x: i32,
    width: i32,
}

/// The height of the drawing, of which its box shows as much as is needed. When a drawing changes
/// its size, browsers lay out every text in it again: one that is long already does so seldom.
fn drawn_height(height: i32) -> i32 {
    const LONG: i32 = 2_000;
    if height <= LONG { height } else { height.div_euclid(LONG) * LONG + LONG }
}

fn picture(props: &DiagramProps) -> Html {
    let diagram = &props.diagram;
    let redis = &diagram.redis;
    let place = Place { label_x: redis.label_x, width: diagram.width };
    let on_seek = props.on_seek.clone();
    let (width, height) = (diagram.width.to_string(), drawn_height(diagram.height).to_string());
    let style = format!("width:{width}px;aspect-ratio:{width}/{}", diagram.height);
    html! {
        <div class="drawing" {style}><svg viewBox={format!("0 0 {width} {height}")}
            {width} {height} role="img"
            aria-label={diagram.summary.clone()} translate="no">
            <rect class="redis-lane" x={redis.left.to_string()} y={redis.top.to_string()}
                width={redis.width.to_string()} height={(redis.bottom - redis.top).to_string()}
                rx="6" />
            <text class="lane-name" x={redis.label_x.to_string()} y="16">
                { redis.title.clone() }
            </text>
            <g>
                if let Some(y) = diagram.cursor {
                    <path class="cursor" d={format!("M0 {y}H{}", diagram.width)} />
                }
            </g>
            <g>{ for diagram.servers.iter().map(|one| server(one, diagram)) }</g>
            <g>{ drawn(&diagram.windows, window) }</g>
            <g>{ memo(Rc::<[Lane]>::from(diagram.lanes.as_slice()), lanes) }</g>
            <g>{ drawn(&diagram.bands, band) }</g>
            <g>{ rows(&diagram.rows, place, on_seek) }</g>
            <g>{ drawn(&diagram.windows, intrusion) }</g>
            <g>{ veil(diagram) }</g>
        </svg></div>
    }
}

fn rows(rows: &Rc<Vec<Rc<Row>>>, place: Place, on_seek: Callback<usize>) -> Html {
    let draw = Box::new(move |one: &Row| Some(row(one, place, &on_seek)));
    // A row is laid out once, below all that came before it.
    in_parts(Rc::new(Drawn { items: rows.clone(), settled: true, draw }), rows.len())
}

fn drawn<T: 'static>(items: &Rc<Vec<Rc<T>>>, draw: fn(&T) -> Option<Html>) -> Html {
    let list = Drawn { items: items.clone(), settled: false, draw: Box::new(draw) };
    in_parts(Rc::new(list), items.len())
}

/// Where the present step's row is, and a veil over what comes after it: moving touches these, and
/// nothing of what they lie on.
fn veil(diagram: &Diagram) -> Html {
    let veiled_from = diagram.present.end;
    let height = diagram.redis.bottom + 8 - veiled_from;
    html! {
        <>
            <rect class="present" x="0" y={diagram.present.start.to_string()}
                width={diagram.width.to_string()}
                height={diagram.present.len().to_string()} />
            <rect class="veil" x="0" y={veiled_from.to_string()}
                width={diagram.width.to_string()} height={height.max(0).to_string()} />
        </>
    }
}

fn lanes(lanes: &Rc<[Lane]>) -> Html {
    lanes.iter().map(lane).collect()
}

fn lane(lane: &Lane) -> Html {
    let class = classes!("lane", client_class(lane.client));
    let (x, bottom) = (lane.x, lane.bottom);
    html! {
        <g key={lane.client.index()} {class}>
            <text class="lane-name" x={x.to_string()} y="16" text-anchor="middle">
                { lane.client.name() }
            </text>
            <path d={format!("M{x} {}V{bottom}", lane.top)} />
            if lane.failed {
                <path class="end" d={format!("M{} {}l10 10m0 -10l-10 10", x - 5, bottom - 5)} />
            } else if lane.closed {
                <path class="end" d={format!("M{} {bottom}h14", x - 7)} />
            }
        </g>
    }
}

fn window(window: &Window) -> Option<Html> {
    let rect = |class: &'static str, top: i32, bottom: i32| {
        html! {
            <rect {class} x={(window.x - 6).to_string()} y={top.to_string()} width="12"
                height={(bottom - top).max(0).to_string()} />
        }
    };
    let calm_to = window.stale_from.unwrap_or(window.bottom);
    Some(html! {
        <g key={format!("{}.{}", window.read_step, window.x)} class="window">
            { rect("calm", window.top, calm_to) }
            if let Some(stale_from) = window.stale_from {
                { rect("stale", stale_from, window.bottom) }
            }
        </g>
    })
}

/// Nothing where the window has no label.
fn intrusion(window: &Window) -> Option<Html> {
    let label = window.label.as_ref()?;
    let key = format!("{}.{}", window.read_step, window.x);
    Some(html! { <g {key} class="intrusion">{ note(label) }</g> })
}

fn note(note: &Note) -> Html {
    html! {
        <text class="note" x={note.x.to_string()} y={note.y.to_string()}>
            { note.text.clone() }
        </text>
    }
}

fn row(row: &Row, place: Place, on_seek: &Callback<usize>) -> Html {
    let step = row.step;
    let onclick = on_seek.reform(move |_| step);
    let said: Vec<&str> =
        std::iter::once(&row.words).chain(&row.remarks).map(String::as_str).collect();
    let breaks = row.breaks.then_some("breaks");
    html! {
        <g key={step} class={classes!("row", breaks)} {onclick}
            data-step={step.to_string()}>
            <title>{ format!("{step}. {}", said.join(" · ")) }</title>
            <rect class="hit" x="0" y={row.top.to_string()} width={place.width.to_string()}
                height={row.height.to_string()} />
            { row_shape(row, place) }
            { for row.notes.iter().map(|one| html! {
                <g class={client_class(one.client)}>
                    <circle class="local" cx={(one.x - 8).to_string()}
                        cy={(one.y - 4).to_string()} r="3" />
                    { note(one) }
                </g>
            }) }
        </g>
    }
}

fn row_shape(row: &Row, place: Place) -> Html {
    let label = place.label_x.to_string();
    match &row.kind {
        RowKind::Call {
            client,
            from_x,
            to_x,
            y_request,
            y_reply,
            command,
            reply,
            wrote,
            parts,
            shape,
            inside,
            lost,
        } => {
            let mark = if row.breaks { " ✕" } else { "" };
            let dot = *to_x;
            let opened = INSIDE * inside.len() as i32;
            html! {
                <g class={client_class(*client)}>
                    if parts.request {
                        <path class="request" d={format!("M{from_x} {y_request}H{}", dot - 13)} />
                        { arrow_head(dot - 7, *y_request, 1) }
                    }
                    if parts.execution {
                        { execution(*shape, dot, *y_request, y_reply + opened, *wrote) }
                    }
                    if *shape == Shape::Queued {
                        { chip(place.label_x, *y_request, command) }
                    }
                    <text class="command" x={label.clone()} y={(y_request + 4).to_string()}>
                        { format!("{command}{mark}") }
                    </text>
                    if let Some(reply) = reply {
                        if *lost {
                            <path class="reply"
                                d={format!("M{dot} {y_reply}H{}", (dot + from_x) / 2)} />
                            { cross((dot + from_x) / 2, *y_reply) }
                        } else if parts.reply {
                            <path class="reply" d={format!("M{dot} {y_reply}H{}", from_x + 9)} />
                            { arrow_head(from_x + 2, *y_reply, -1) }
                        }
                        <text class="answer" x={label.clone()} y={(y_reply + 4).to_string()}>
                            { reply.clone() }
                        </text>
                    }
                    { for inside.iter().enumerate().map(|(at, words)| html! {
                        <text key={at} class="inside" x={(place.label_x + CHAR).to_string()}
                            y={(y_reply + 4 + INSIDE * (at as i32 + 1)).to_string()}>
                            { words.clone() }
                        </text>
                    }) }
                    { served(row, dot, y_reply + 5) }
                </g>
            }
        }
        RowKind::Mark { client, x, y, glyph, label: words } => {
            let shape = match glyph {
                Glyph::Cross => cross(*x, *y),
                Glyph::Notch => {
                    html! { <path class="notch" d={format!("M{} {y}l8 -6v12z", x - 4)} /> }
                }
                Glyph::Dot => html! {
                    <circle class="local" cx={x.to_string()} cy={y.to_string()} r="4" />
                },
            };
            html! {
                <g class={classes!("mark", client.map(client_class))}>
                    { shape }
                    <text class="command" x={label} y={(y + 4).to_string()}>{ words.clone() }</text>
                </g>
            }
        }
        RowKind::Advance { y, label: words } => html! {
            <g class="time">
                { served(row, place.label_x - 12, y + 14) }
                <path class="passed" d={format!("M0 {y}H{}", place.width)} />
                <text class="command" x={label} y={(y - 4).to_string()}>{ words.clone() }</text>
            </g>
        },
    }
}

/// A dot on the lane of whom it asks; what runs as one is a band, what waits for EXEC is open.
fn execution(shape: Shape, x: i32, y: i32, bottom: i32, wrote: bool) -> Html {
    match shape {
        Shape::Dot => html! {
            <circle class={if wrote { "dot" } else { "dot read" }} cx={x.to_string()}
                cy={y.to_string()} r={if wrote { "6" } else { "5" }} />
        },
        Shape::Queued => html! {
            <rect class="dot read" x={(x - 4).to_string()} y={(y - 4).to_string()}
                width="8" height="8" rx="2" />
        },
        Shape::Whole | Shape::Refused => {
            let class = if shape == Shape::Whole { "dot whole" } else { "dot read whole" };
            html! {
                <rect {class} x={(x - 6).to_string()} y={(y - 6).to_string()} width="12"
                    height={(bottom - y + 12).to_string()} rx="4" />
            }
        }
    }
}

/// Replies to those who waited, from the lane at `x`.
fn served(row: &Row, x: i32, y: i32) -> Html {
    let arrow = |(at, (client, to)): (usize, &(ClientId, i32))| {
        let y = y + 5 * at as i32;
        html! {
            <g key={at} class={classes!("served", client_class(*client))}>
                <path class="reply" d={format!("M{x} {y}H{}", to + 9)} />
                { arrow_head(to + 2, y, -1) }
            </g>
        }
    };
    row.served.iter().enumerate().map(arrow).collect()
}

/// A frame around the name of a queued command.
fn chip(x: i32, y: i32, command: &str) -> Html {
    let wide = command.chars().map(|c| if (c as u32) < 0x1100 { CHAR } else { 2 * CHAR - 2 });
    html! {
        <rect class="chip-frame" x={(x - 3).to_string()} y={(y - 8).to_string()}
            width={(wide.sum::<i32>() + 6).to_string()} height="16" rx="4" />
    }
}

fn cross(x: i32, y: i32) -> Html {
    html! { <path class="cross" d={format!("M{} {}l10 10m0 -10l-10 10", x - 5, y - 5)} /> }
}

fn server(server: &Server, diagram: &Diagram) -> Html {
    let x = server.x;
    html! {
        <g key={server.name.clone()} class="server">
            <text class="lane-name" x={x.to_string()} y="16" text-anchor="middle">
                { server.name.clone() }
            </text>
            <path d={format!("M{x} {}V{}", diagram.redis.top + 4, diagram.redis.bottom - 4)} />
        </g>
    }
}

fn band(band: &Band) -> Option<Html> {
    let kind = match band.kind {
        BandKind::Paused => "paused",
        BandKind::Waiting => "waiting",
        BandKind::Down => "down",
        BandKind::Lease => "lease",
        BandKind::Belief => "belief",
        BandKind::Clash => "clash",
        BandKind::Watch => "watch",
        BandKind::Multi => "multi",
    };
    let class = classes!("band", kind, band.client.map(client_class));
    let (x, top, bottom) = (band.x, band.top, band.bottom.max(band.top));
    let bar = |width: i32| {
        html! {
            <rect x={(x - width / 2).to_string()} y={top.to_string()}
                width={width.to_string()} height={(bottom - top).to_string()}
                rx={(width / 3).to_string()} />
        }
    };
    let shape = match band.kind {
        BandKind::Watch => {
            let turn = band.red_from.unwrap_or(bottom);
            html! {
                <>
                    <path d={format!("M{x} {top}V{turn}")} />
                    if band.red_from.is_some() {
                        <path class="dirty" d={format!("M{x} {turn}V{bottom}")} />
                    }
                </>
            }
        }
        BandKind::Multi => html! {
            <>
                <path d={format!("M{} {top}h4V{bottom}h-4", x - 4)} />
                { for band.notches.iter().map(|y| html! {
                    <rect key={*y} x={(x - 3).to_string()} y={(y - 3).to_string()}
                        width="6" height="6" rx="1" />
                }) }
            </>
        },
        BandKind::Lease => html! {
            <>
                { bar(4) }
                { for band.notches.iter().map(|y| html! {
                    <path key={*y} class="renewed" d={format!("M{} {y}h8", x - 4)} />
                }) }
            </>
        },
        BandKind::Belief => bar(3),
        BandKind::Clash => bar(7),
        BandKind::Paused | BandKind::Waiting | BandKind::Down => bar(10),
    };
    Some(html! {
        <g key={format!("{kind}{x}.{top}")} {class}>
            <title>{ band.words.clone() }</title>
            { shape }
            if band.kind == BandKind::Paused && bottom - top > 16 {
                <text class="note" x={(x + 9).to_string()}
                    y={(top + (bottom - top) / 2 + 4).to_string()}>{ "zzz" }</text>
            }
        </g>
    })
}

/// A triangle whose tip is at (`x`, `y`), pointing right (1) or left (-1).
fn arrow_head(x: i32, y: i32, direction: i32) -> Html {
    let back = x - 8 * direction;
    html! { <path class="tip" d={format!("M{x} {y}L{back} {}V{}Z", y - 4, y + 4)} /> }
}

/// The same run as a table: for screen readers, and for print. A table is as high as its rows,
/// whatever its style says: to be hidden, it needs a box around it.
fn table(props: &DiagramProps) -> Html {
    let lang = props.lang;
    let rows = props.diagram.rows.clone();
    let len = rows.len();
    let rows = Rc::new(TableRows { rows, step: props.step, lang });
    html! {
        <div class="twin"><table>
            <caption>{ tr(lang, Key::TableTwin) }</caption>
            { memo(lang, table_head) }
            { in_parts(rows, len) }
        </table></div>
    }
}

fn table_head(lang: &Lang) -> Html {
    html! {
        <thead><tr>
            <th scope="col">{ tr(*lang, Key::ColStep) }</th>
            <th scope="col">{ tr(*lang, Key::ColClient) }</th>
            <th scope="col">{ tr(*lang, Key::ColCommand) }</th>
            <th scope="col">{ tr(*lang, Key::ColReply) }</th>
            <th scope="col">{ tr(*lang, Key::ColSaid) }</th>
            <th scope="col">{ tr(*lang, Key::ColRemarks) }</th>
        </tr></thead>
    }
}

struct TableRows {
    rows: Rc<Vec<Rc<Row>>>,
    step: usize,
    lang: Lang,
}

impl Items for TableRows {
    /// Only the part that has the present step depends on it.
    fn of(&self, part: Range<usize>) -> (Vec<Same<dyn Any>>, usize) {
        let last = self.rows.get(part.end - 1).map(|row| Same(row.clone() as Rc<dyn Any>));
        let here = self.rows[part].iter().position(|row| row.step == self.step);
        (last.into_iter().collect(), here.map_or(0, |at| at + 1))
    }

    fn draw(&self, part: Range<usize>) -> Html {
        let rows = self.rows[part].iter();
        let rows = rows.map(|row| table_row(row, row.step == self.step, self.lang));
        html! { <tbody>{ for rows }</tbody> }
    }
}

fn table_row(row: &Row, here: bool, lang: Lang) -> Html {
    let (client, command, reply, inside) = match &row.kind {
        RowKind::Call { client, command, reply, inside, .. } => {
            let reply = reply.clone().unwrap_or_default();
            (client.name(), command.clone(), reply, inside.join(", "))
        }
        RowKind::Mark { client, label, .. } => {
            let letter = client.map(|id| id.name());
            (letter.unwrap_or_default(), label.clone(), String::new(), String::new())
        }
        RowKind::Advance { label, .. } => {
            (String::new(), label.clone(), String::new(), String::new())
        }
    };
    let notes = row.notes.iter().map(|note| format!("{}: {}", note.client.name(), note.text));
    let breaks = row.breaks.then(|| tr(lang, Key::BreaksHere).to_owned());
    let inside = Some(inside).filter(|inside| !inside.is_empty());
    let remarks = inside.into_iter().chain(notes).chain(row.remarks.iter().cloned()).chain(breaks);
    let remarks = remarks.collect::<Vec<_>>().join("; ");
    html! {
        <tr key={row.step} aria-current={here.then_some("step")}>
            <td>{ row.step }</td><td>{ client }</td><td>{ command }</td><td>{ reply }</td>
            <td>{ row.words.clone() }</td><td>{ remarks }</td>
        </tr>
    }
}
