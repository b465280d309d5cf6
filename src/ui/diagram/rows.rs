//! The rows: a request with its words above it, a dot, a reply with its words on it.

use std::fmt;
use std::rc::Rc;

use yew::prelude::*;

use crate::session::spelling::{chars_wide, shortened};
use crate::ui::cards::client_class;
use crate::ui::lazy::{Drawn, Reach, in_parts};
use crate::view::film::RowPart;
use crate::view::stage::diagram::{
    self, CLEAR, Diagram, Glyph, Label, Row, RowKind, Served, Shape, chars_in, chars_px,
};

use super::{row_id, row_place};

/// The greatest length of a lost reply's line, in px.
const LOST_AT: i32 = 120;

/// The measures of the diagram that a row needs.
#[derive(Clone, Copy)]
pub struct Road {
    /// The x at which words begin, in px.
    zone: i32,
    /// The x at which other words end: before the first instance's lane.
    words_end: i32,
    width: i32,
    size: i32,
}

impl Road {
    pub fn of(diagram: &Diagram) -> Road {
        let first = diagram.servers.first().map_or(diagram.width, |server| server.x);
        let (zone, width) = (diagram.zone, diagram.width);
        Road { zone, words_end: first - CLEAR, width, size: diagram.size }
    }

    /// Returns the baseline of words above a line at `y`.
    fn above(self, y: i32) -> i32 {
        diagram::above(y, self.size)
    }

    /// Returns the baseline of words centred on `y`.
    fn across(self, y: i32) -> i32 {
        diagram::across(y, self.size)
    }

    fn fitting(self, text: &str, from: i32, to: i32) -> String {
        shortened(text, chars_in(to - from, self.size))
    }
}

pub fn rows(diagram: &Diagram, reach: &Reach, on_seek: Callback<usize>) -> Html {
    let road = Road::of(diagram);
    let rows = &diagram.rows;
    let draw = Box::new(move |one: &Row| Some(row(one, road, &on_seek)));
    // A row is laid out once, below all that came before it.
    in_parts(Rc::new(Drawn { items: rows.clone(), settled: true, draw }), rows.len(), reach)
}

/// Returns the x of a row's dot, if it has one.
pub fn dot_x(row: &Row) -> Option<i32> {
    match row.kind {
        RowKind::Call { to_x, .. } => Some(to_x),
        _ => None,
    }
}

fn row(row: &Row, road: Road, on_seek: &Callback<usize>) -> Html {
    let step = row.step;
    let onclick = on_seek.reform(move |_| step);
    let breaks = row.breaks.then_some("breaks");
    html! {
        <g key={step} class={classes!("row", breaks, row.client().map(client_class))} {onclick}
            id={row_id(step)} data-step={step.to_string()}
            data-ends={Ends::of_row(row, road).map(|ends| ends.to_string())}>
            <title>{ title(row) }</title>
            <rect class="hit" x="0" y={row.top.to_string()} width={road.width.to_string()}
                height={row.height.to_string()} />
            { row_shape(row, road) }
            if !row.served.is_empty() {
                <g data-part={RowPart::Served.name()}>
                    { for row.served.iter().enumerate().map(|(at, one)| served(at, one, road)) }
                </g>
            }
        </g>
    }
}

/// Returns the whole text of a row, including text that is cut where it is drawn.
fn title(row: &Row) -> String {
    let mut said = vec![row.words.as_str()];
    if let RowKind::Call { command, reply, .. } = &row.kind {
        let labels = [Some(command), reply.as_ref()].into_iter().flatten();
        said.extend(labels.filter_map(|label| label.whole.as_deref()));
    }
    said.extend(row.notes.iter().chain(&row.remarks).map(String::as_str));
    format!("{}. {}", row.step, said.join(" · "))
}

fn row_shape(row: &Row, road: Road) -> Html {
    match &row.kind {
        RowKind::Call { .. } => call(row, road),
        RowKind::Mark { x, y, glyph, .. } => html! {
            <g class="mark">
                { mark(*glyph, *x, *y) }
                { words(&main_words(row, road), "command") }
            </g>
        },
        RowKind::Advance { y, height, .. } => {
            let said = main_words(row, road);
            let wide = chars_px(chars_wide(&said.text), road.size) + 16;
            let edges = format!("M0 {y}h{0}M0 {1}h{0}", road.width, y + height);
            html! {
                <g class="time">
                    <rect class="passed" x="0" y={y.to_string()} width={road.width.to_string()}
                        height={height.to_string()} />
                    <path class="edge" d={edges} />
                    <rect class="ground" x={(road.zone - 8).to_string()}
                        y={(y + height / 2 - road.size * 3 / 4).to_string()}
                        width={wide.to_string()} height={(road.size * 3 / 2).to_string()} rx="4" />
                    { words(&said, "answer") }
                </g>
            }
        }
    }
}

fn call(row: &Row, road: Road) -> Html {
    let RowKind::Call {
        from_x,
        to_x,
        y_request,
        y_reply,
        command,
        waits,
        nowhere,
        parts,
        shape,
        inside,
        ..
    } = &row.kind
    else {
        return Html::default();
    };
    let said = main_words(row, road);
    let line = road.size + 4;
    html! {
        <>
            if parts.request {
                <g data-part={RowPart::Request.name()}>
                    <path class={classes!("request", nowhere.then_some("nowhere"))}
                        d={format!("M{from_x} {y_request}H{to_x}")} />
                    if *shape == Shape::Queued { { chip(command, *y_request, road) } }
                    { words(&said, "command") }
                </g>
            } else if parts.execution {
                { words(&said, "answer") }
            }
            if parts.request || parts.execution {
                <g data-part={RowPart::Dot.name()}>{ dot(row, road) }</g>
            }
            { reply(row, road) }
            if let Some(waits) = waits {
                <text class="stub" x={road.zone.to_string()}
                    y={road.across(*y_reply).to_string()} data-part={RowPart::Stub.name()}>
                    { waits.clone() }
                </text>
            }
            { for inside.iter().enumerate().map(|(at, one)| html! {
                <text key={at} class="inside" x={(road.zone + road.size).to_string()}
                    y={road.across(y_reply + line * (at as i32 + 1)).to_string()}>
                    { one.shown.clone() }
                </text>
            }) }
        </>
    }
}

/// Draws the dashed line of the reply, interrupted where its value is written.
fn reply(row: &Row, road: Road) -> Html {
    let RowKind::Call { from_x, to_x, y_reply: y, reply, parts, lost, shape, .. } = &row.kind
    else {
        return Html::default();
    };
    let Some(reply) = reply.as_ref().filter(|_| parts.reply) else { return Html::default() };
    let baseline = road.across(*y).to_string();
    // A bar reaches down to here: the line begins at its edge.
    let bar = matches!(shape, Shape::Whole | Shape::Refused);
    let start = if bar { to_x - 7 } else { *to_x };
    let drawn = if *lost {
        let half = half(*to_x, road);
        let text = road.fitting(&format!("✕ {}", reply.shown), road.zone, half - 8);
        html! {
            <>
                <path class="reply" d={format!("M{start} {y}H{half}")} />
                <text class="answer lost" x={(half - 8).to_string()} y={baseline}
                    text-anchor="end">{ text }</text>
            </>
        }
    } else {
        html! {
            <>
                { dashed(*from_x, start, *y, &reply.shown, road) }
                <text class="answer" x={road.zone.to_string()} y={baseline}>
                    { reply.shown.clone() }
                </text>
            </>
        }
    };
    html! { <g data-part={RowPart::Reply.name()}>{ drawn }</g> }
}

fn dashed(to_lane: i32, from: i32, y: i32, text: &str, road: Road) -> Html {
    let words_to = road.zone + chars_px(chars_wide(text), road.size) + 6;
    // A line that is shorter than a dash or two would be a speck.
    let d = match words_to + 12 < from {
        true => format!("M{from} {y}H{words_to}M{} {y}H{to_lane}", road.zone - 6),
        false => format!("M{} {y}H{to_lane}", road.zone - 6),
    };
    html! { <path class="reply" {d} /> }
}

/// Draws the reply to a client that waited, from the lane of the instance.
fn served(at: usize, one: &Served, road: Road) -> Html {
    let text = one.reply.as_ref().map(|reply| reply.shown.as_str()).unwrap_or_default();
    html! {
        <g key={format!("served{at}")} class={classes!("served", client_class(one.client))}>
            if text.is_empty() {
                <path class="reply" d={format!("M{} {}H{}", one.from_x, one.y, one.x)} />
            } else {
                { dashed(one.x, one.from_x, one.y, text, road) }
                <text class="answer" x={road.zone.to_string()}
                    y={road.across(one.y).to_string()}>{ text.to_owned() }</text>
            }
            <path class="tip" d={format!("M{} {}l8 -4v8z", one.x + 1, one.y)} />
        </g>
    }
}

/// Returns the x at which a lost reply ends.
fn half(to_x: i32, road: Road) -> i32 {
    to_x - LOST_AT.min((to_x - road.zone) / 2)
}

/// The ends of the lines along a row, for films; nothing is drawn there. In px from the row's
/// corner; written to an attribute as numbers separated by spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    width: i32,
    height: i32,
    /// The x of the client's lane, of the instance's, and of the end of a lost reply.
    client: i32,
    server: i32,
    half: i32,
    /// The y of the request and of the reply.
    there: i32,
    back: i32,
}

impl Ends {
    /// Returns the ends; `None` if no request goes along the row.
    fn of_row(row: &Row, road: Road) -> Option<Ends> {
        let RowKind::Call { from_x, to_x, y_request, y_reply, .. } = row.kind else {
            return None;
        };
        Some(Ends {
            width: road.width,
            height: row.height,
            client: from_x,
            server: to_x,
            half: half(to_x, road),
            there: y_request - row.top,
            back: y_reply - row.top,
        })
    }

    pub fn parse(words: &str) -> Option<Ends> {
        let numbers: Vec<i32> = words.split(' ').filter_map(|word| word.parse().ok()).collect();
        let [width, height, client, server, half, there, back] = numbers[..] else { return None };
        Some(Ends { width, height, client, server, half, there, back })
    }

    /// Returns the position of an end, as fractions of the row's width and height.
    pub fn of(&self, part: RowPart) -> Option<(f64, f64)> {
        let edge = self.width - 8;
        let (x, y) = match part {
            RowPart::In => (0, self.there),
            RowPart::Client => (self.client, self.there),
            RowPart::Server => (self.server, self.there),
            RowPart::Out => (edge, self.there),
            RowPart::InBack => (0, self.back),
            RowPart::ClientBack => (self.client, self.back),
            RowPart::ServerBack => (self.server, self.back),
            RowPart::OutBack => (edge, self.back),
            RowPart::Half => (self.half, self.back),
            _ => return None,
        };
        let part = |of: i32, whole: i32| f64::from(of) / f64::from(whole.max(1));
        Some((part(x, self.width), part(y, self.height)))
    }
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ends { width, height, client, server, half, there, back } = self;
        write!(f, "{width} {height} {client} {server} {half} {there} {back}")
    }
}

/// The main text of a row, and its position.
struct Words {
    x: i32,
    y: i32,
    /// True if the text ends at `x`, false if it begins there.
    ends: bool,
    text: String,
}

fn main_words(row: &Row, road: Road) -> Words {
    let across =
        |y: i32, text: String| Words { x: road.zone, y: road.across(y), ends: false, text };
    match &row.kind {
        RowKind::Call { command, parts, y_request, y_reply, reply, .. } => {
            let reply = reply.as_ref().map(|reply| reply.shown.as_str()).unwrap_or_default();
            let text = command.shown.clone();
            if parts.request {
                Words { x: road.zone, y: road.above(*y_request), ends: false, text }
            } else if parts.execution {
                let text = match reply {
                    "" => text,
                    _ => road.fitting(&format!("{text} → {reply}"), road.zone, road.words_end),
                };
                Words { x: road.words_end, y: road.across(*y_request), ends: true, text }
            } else {
                across(*y_reply, reply.to_owned())
            }
        }
        RowKind::Mark { y, label, .. } => across(*y, label.shown.clone()),
        RowKind::Advance { y, height, label } => across(y + height / 2, label.clone()),
    }
}

fn words(said: &Words, class: &'static str) -> Html {
    html! {
        <text {class} x={said.x.to_string()} y={said.y.to_string()}
            text-anchor={said.ends.then_some("end")}>{ said.text.clone() }</text>
    }
}

/// Draws the words and the dot of a broken step once more, in red.
pub fn blame(row: &Row, road: Road) -> Html {
    let said = main_words(row, road);
    let marked = Words { text: format!("{} ✕", said.text), ..said };
    let has_dot = matches!(row.kind, RowKind::Call { parts, .. } if parts.execution);
    html! {
        <g class="blame" data-place={row_place(row.step, RowPart::Blame)}>
            { words(&marked, "command") }
            if has_dot { { dot(row, road) } }
        </g>
    }
}

/// On the lane of whom it asks: full where it wrote. What runs as one is a bar, what waits for
/// EXEC a square; who has not answered, or cannot, has a dotted ring.
fn dot(row: &Row, road: Road) -> Html {
    let RowKind::Call {
        to_x: x,
        y_request: y,
        y_reply,
        wrote,
        parts,
        shape,
        inside,
        nowhere,
        waits,
        ..
    } = &row.kind
    else {
        return Html::default();
    };
    let (x, y) = (*x, *y);
    let bottom = y_reply + (road.size + 4) * inside.len() as i32;
    match shape {
        Shape::Dot => {
            let open = !parts.execution || waits.is_some();
            let class = match (open, *wrote) {
                (true, _) => "dot read open",
                (false, true) => "dot",
                (false, false) => "dot read",
            };
            html! {
                <>
                    <circle {class} cx={x.to_string()} cy={y.to_string()} r="6" />
                    if *nowhere {
                        <path class="cross" d={format!("M{} {}l6 6m0 -6l-6 6", x - 3, y - 3)} />
                    }
                </>
            }
        }
        Shape::Queued => html! {
            <rect class="dot read" x={(x - 5).to_string()} y={(y - 5).to_string()}
                width="10" height="10" rx="2" />
        },
        Shape::Whole | Shape::Refused => {
            let class = match shape {
                Shape::Whole if *wrote => "dot whole",
                _ => "dot read whole",
            };
            html! {
                <rect {class} x={(x - 6).to_string()} y={(y - 6).to_string()} width="12"
                    height={(bottom - y + 12).to_string()} rx="4" />
            }
        }
    }
}

/// Draws a frame around the name of a queued command.
fn chip(command: &Label, y: i32, road: Road) -> Html {
    let wide = chars_px(chars_wide(&command.shown), road.size);
    html! {
        <rect class="chip-frame" x={(road.zone - 5).to_string()}
            y={(road.above(y) - road.size).to_string()} width={(wide + 10).to_string()}
            height={(road.size + 5).to_string()} rx="4" />
    }
}

fn mark(glyph: Glyph, x: i32, y: i32) -> Html {
    match glyph {
        Glyph::Cross => {
            html! { <path class="cross" d={format!("M{} {}l10 10m0 -10l-10 10", x - 5, y - 5)} /> }
        }
        Glyph::Notch => html! { <path class="notch" d={format!("M{} {y}l8 -6v12z", x - 4)} /> },
        Glyph::Fault => {
            html! { <path class="fault" d={format!("M{x} {}l7 7l-7 7l-7 -7z", y - 7)} /> }
        }
        Glyph::Dot => html! {
            <circle class="local" cx={x.to_string()} cy={y.to_string()} r="5" />
        },
        Glyph::Nothing => Html::default(),
    }
}
