//! The space–time diagram, drawn where [`crate::view::diagram`] has placed everything.

use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, ResizeObserver};
use yew::prelude::*;

use crate::text::{Key, Lang, tr};
use crate::view::diagram::{
    Band, BandKind, Diagram, Glyph, Lane, Note, Row, RowKind, Server, Window,
};

use super::cards::client_class;

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

/// Reports the element's width, now and whenever it changes.
#[hook]
fn use_width(node: NodeRef, on_width: Callback<i32>) {
    use_effect_with((), move |_| {
        let element = node.cast::<HtmlElement>();
        let observed = element.clone();
        let report = Closure::<dyn Fn()>::new(move || {
            if let Some(element) = &observed {
                on_width.emit(element.client_width());
            }
        });
        let observer = ResizeObserver::new(report.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, &element) {
            observer.observe(element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(report);
        }
    });
}

fn picture(props: &DiagramProps) -> Html {
    let diagram = &props.diagram;
    let redis = &diagram.redis;
    let (width, height) = (diagram.width.to_string(), diagram.height.to_string());
    html! {
        <svg viewBox={format!("0 0 {width} {height}")} {width} {height} role="img"
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
            <g>{ for diagram.windows.iter().map(window) }</g>
            <g>{ for diagram.lanes.iter().map(lane) }</g>
            <g>{ for diagram.bands.iter().map(band) }</g>
            <g>{ for diagram.rows.iter().map(|row| self::row(row, diagram, &props.on_seek)) }</g>
            <g>{ for diagram.windows.iter().filter_map(intrusion) }</g>
        </svg>
    }
}

fn lane(lane: &Lane) -> Html {
    let class = classes!("lane", client_class(lane.client));
    let (x, bottom) = (lane.x, lane.bottom);
    html! {
        <g key={lane.client.index()} {class}>
            <text class="lane-name" x={x.to_string()} y="16" text-anchor="middle">
                { lane.client.letter() }
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

fn window(window: &Window) -> Html {
    let rect = |class: &'static str, top: i32, bottom: i32| {
        html! {
            <rect {class} x={(window.x - 6).to_string()} y={top.to_string()} width="12"
                height={(bottom - top).max(0).to_string()} />
        }
    };
    let class = classes!("window", window.future.then_some("future"));
    let calm_to = window.stale_from.unwrap_or(window.bottom);
    html! {
        <g key={format!("{}.{}", window.read_step, window.x)} {class}>
            { rect("calm", window.top, calm_to) }
            if let Some(stale_from) = window.stale_from {
                { rect("stale", stale_from, window.bottom) }
            }
        </g>
    }
}

fn intrusion(window: &Window) -> Option<Html> {
    let label = window.label.as_ref()?;
    let class = classes!("intrusion", window.future.then_some("future"));
    let key = format!("{}.{}", window.read_step, window.x);
    Some(html! { <g {key} {class}>{ note(label) }</g> })
}

fn note(note: &Note) -> Html {
    html! {
        <text class="note" x={note.x.to_string()} y={note.y.to_string()}>
            { note.text.clone() }
        </text>
    }
}

fn row(row: &Row, diagram: &Diagram, on_seek: &Callback<usize>) -> Html {
    let step = row.step;
    let onclick = on_seek.reform(move |_| step);
    let future = row.future.then_some("future");
    let breaks = row.breaks.then_some("breaks");
    html! {
        <g key={step} class={classes!("row", future, breaks)} {onclick}
            data-step={step.to_string()}>
            <title>{ format!("{step}. {}", row.words) }</title>
            <rect class="hit" x="0" y={row.top.to_string()} width={diagram.width.to_string()}
                height={row.height.to_string()} />
            { row_shape(row, diagram) }
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

fn row_shape(row: &Row, diagram: &Diagram) -> Html {
    let label = diagram.redis.label_x.to_string();
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
            lost,
        } => {
            let mark = if row.breaks { " ✕" } else { "" };
            let dot = *to_x;
            let class = if *wrote { "dot" } else { "dot read" };
            html! {
                <g class={client_class(*client)}>
                    if parts.request {
                        <path class="request" d={format!("M{from_x} {y_request}H{}", dot - 13)} />
                        { arrow_head(dot - 7, *y_request, 1) }
                    }
                    if parts.execution {
                        <circle {class} cx={dot.to_string()} cy={y_request.to_string()}
                            r={if *wrote { "6" } else { "5" }} />
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
                        <text class="answer" x={label} y={(y_reply + 4).to_string()}>
                            { reply.clone() }
                        </text>
                    }
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
                <path class="passed" d={format!("M0 {y}H{}", diagram.width)} />
                <text class="command" x={label} y={(y - 4).to_string()}>{ words.clone() }</text>
            </g>
        },
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

fn band(band: &Band) -> Html {
    let kind = match band.kind {
        BandKind::Paused => "paused",
        BandKind::Waiting => "waiting",
        BandKind::Down => "down",
    };
    let class =
        classes!("band", kind, band.client.map(client_class), band.future.then_some("future"));
    let height = (band.bottom - band.top).max(0);
    html! {
        <g key={format!("{kind}{}.{}", band.x, band.top)} {class}>
            <rect x={(band.x - 5).to_string()} y={band.top.to_string()} width="10"
                height={height.to_string()} rx="3" />
            if band.kind == BandKind::Paused && height > 16 {
                <text class="note" x={(band.x + 9).to_string()}
                    y={(band.top + height / 2 + 4).to_string()}>{ "zzz" }</text>
            }
        </g>
    }
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
    let rows = props.diagram.rows.iter().map(|row| {
        let (client, command, reply) = match &row.kind {
            RowKind::Call { client, command, reply, .. } => {
                (client.letter().to_string(), command.clone(), reply.clone().unwrap_or_default())
            }
            RowKind::Mark { client, label, .. } => {
                let letter = client.map(|id| id.letter().to_string());
                (letter.unwrap_or_default(), label.clone(), String::new())
            }
            RowKind::Advance { label, .. } => (String::new(), label.clone(), String::new()),
        };
        let current = (row.step == props.step).then_some("step");
        html! {
            <tr key={row.step} aria-current={current}>
                <td>{ row.step }</td><td>{ client }</td><td>{ command }</td><td>{ reply }</td>
                <td>{ row.words.clone() }</td>
            </tr>
        }
    });
    html! {
        <div class="twin"><table>
            <caption>{ tr(lang, Key::TableTwin) }</caption>
            <thead><tr>
                <th scope="col">{ tr(lang, Key::ColStep) }</th>
                <th scope="col">{ tr(lang, Key::ColClient) }</th>
                <th scope="col">{ tr(lang, Key::ColCommand) }</th>
                <th scope="col">{ tr(lang, Key::ColReply) }</th>
                <th scope="col">{ tr(lang, Key::ColSaid) }</th>
            </tr></thead>
            <tbody>{ for rows }</tbody>
        </table></div>
    }
}
