//! Instruments beside the diagram, and flow charts.

use yew::prelude::*;

use crate::app::input::Input;
use crate::lesson::FlowKind;
use crate::text::{Key, Lang, ScreenWord, fill, screen, tr};
use crate::view::film::Place;
use crate::view::stage::flow::{Chart, NODE};
use crate::view::stage::gauges::{Gauges, Holder, Meter, TtlTrace};

use super::cards::{client_class, language};

/// Pixels of the chart of a time to live.
const TTL: (f64, f64) = (260.0, 76.0);

/// Draws how long the key has left, for below the instances.
pub fn ttl(gauges: &Gauges, lang: Lang) -> Html {
    gauges.ttl.as_ref().map(|trace| trace_of(trace, lang)).unwrap_or_default()
}

/// Draws the tally of the votes, for above the instances: the majority is what a lesson is about,
/// an instance its proof.
pub fn tally(gauges: &Gauges, lang: Lang) -> Html {
    gauges.quorum.as_ref().map(|meter| quorum(meter, lang)).unwrap_or_default()
}

#[inline(never)]
fn trace_of(trace: &TtlTrace, lang: Lang) -> Html {
    let x = |at_ms: u64| 4.0 + at_ms as f64 / trace.time_max_ms as f64 * (TTL.0 - 8.0);
    let y = |ttl_ms: u64| TTL.1 - 4.0 - ttl_ms as f64 / trace.ttl_max_ms as f64 * (TTL.1 - 8.0);
    let line = |points: &[crate::view::stage::gauges::TtlPoint]| {
        let place = |point: &crate::view::stage::gauges::TtlPoint| {
            format!("{:.1},{:.1}", x(point.at_ms), y(point.ttl_ms.unwrap_or(0)))
        };
        points.iter().map(place).collect::<Vec<_>>().join(" ")
    };
    let left = |point: &crate::view::stage::gauges::TtlPoint| {
        point.ttl_ms.map_or("–".to_owned(), |ms| ms.to_string())
    };
    let said: Vec<String> = trace.points.iter().take(trace.now + 1).map(left).collect();
    let said = fill(tr(lang, Key::TtlSaid), &[&trace.key, &said.join(", ")]);
    let here = &trace.points[trace.now];
    html! {
        <section class="gauge ttl" data-place={Place::trace().to_string()}>
            <h2>{ fill(tr(lang, Key::TtlTrace), &[&trace.key]) }
                <small>{ left(here) }{ " ms" }</small></h2>
            <svg viewBox={format!("0 0 {} {}", TTL.0, TTL.1)} role="img" aria-label={said}>
                <line class="base" x1="4" x2={(TTL.0 - 4.0).to_string()}
                    y1={y(0).to_string()} y2={y(0).to_string()} />
                <polyline class="future" points={line(&trace.points[trace.now..])} />
                <polyline class="past" points={line(&trace.points[..=trace.now])} />
                <circle cx={x(here.at_ms).to_string()}
                    cy={y(here.ttl_ms.unwrap_or(0)).to_string()} r="4" />
            </svg>
        </section>
    }
}

#[inline(never)]
fn quorum(meter: &Meter, lang: Lang) -> Html {
    let title = match meter.are_keys {
        true => screen(lang, ScreenWord::QuorumKeys),
        false => tr(lang, Key::Quorum),
    };
    html! {
        <section class="gauge quorum">
            <h2>{ title }</h2>
            <ul>{ for meter.holders.iter().map(|one| holder(one, meter, lang)) }</ul>
        </section>
    }
}

fn holder(holder: &Holder, meter: &Meter, lang: Lang) -> Html {
    let has = holder.has.iter().filter(|has| **has).count();
    let count = fill(tr(lang, Key::QuorumOf), &[&has.to_string(), &meter.votes.len().to_string()]);
    let dots = holder.has.iter().zip(&meter.votes).map(|(has, vote)| {
        let class = classes!(has.then_some("has"));
        html! { <i key={vote.clone()} {class} title={vote.clone()}></i> }
    });
    let words = match holder.left_ms {
        None => tr(lang, Key::QuorumNone).to_owned(),
        Some(left) if left > 0 => fill(tr(lang, Key::QuorumValid), &[&left.to_string()]),
        Some(left) => fill(tr(lang, Key::QuorumOver), &[&(-left).to_string()]),
    };
    let share = holder.left_ms.unwrap_or(0).max(0) as f64 / meter.left_max_ms as f64;
    let over = holder.left_ms.is_some_and(|left| left <= 0).then_some("over");
    html! {
        <li key={holder.client.index()} class={client_class(holder.client)}
            data-place={Place::tally(holder.client).to_string()}>
            <b class="tag">{ holder.client.letter() }</b>
            <span class="dots" aria-hidden="true">{ for dots }</span>
            <span class="count">{ count }
                if holder.is_majority { <em>{ " · " }{ tr(lang, Key::QuorumMajority) }</em> }
            </span>
            <span class={classes!("validity", over)}>
                <i aria-hidden="true" style={format!("width:{:.1}%", share * 100.0)}></i>
                <small>{ words }</small>
            </span>
        </li>
    }
}

#[inline(never)]
pub fn flow(chart: &Chart, lang: Lang, on: &Callback<Input>) -> Html {
    let lines = chart.edges.iter().enumerate().map(|(number, edge)| {
        let points = edge.points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>();
        html! {
            <g key={number}>
                <polyline points={points.join(" ")} marker-end="url(#flow-arrow)" />
                if let Some((words, x, y)) = &edge.when {
                    <text x={x.to_string()} y={y.to_string()}>{ words.clone() }</text>
                }
            </g>
        }
    });
    let nodes = chart.nodes.iter().enumerate().map(|(number, node)| {
        let kind = match node.kind {
            FlowKind::Start => "start",
            FlowKind::Action => "action",
            FlowKind::Decision => "decision",
            FlowKind::End => "end",
        };
        let lit = (!node.here.is_empty()).then_some("lit");
        let place =
            format!("left:{}px;top:{}px;width:{}px;height:{}px", node.x, node.y, NODE.0, NODE.1);
        html! {
            <li key={number} class={classes!("node", kind, lit)} style={place}
                aria-current={lit.map(|_| "step")}>
                <span>{ node.text.clone() }</span>
                { for node.here.iter().map(|id| html! {
                    <b class={classes!("tag", client_class(*id))}>{ id.letter() }</b>
                }) }
            </li>
        }
    });
    let size = format!("width:{}px;height:{}px", chart.width, chart.height);
    html! {
        <figure key={chart.file.clone()} class="flow" aria-label={tr(lang, Key::FlowChart)}>
            <figcaption>
                <span translate="no">{ chart.file.clone() }</span>
                { language(&chart.faces, lang, on) }
            </figcaption>
            <div class="field" style={size}>
                <svg aria-hidden="true" width={chart.width.to_string()}
                    height={chart.height.to_string()}>
                    <defs>
                        <marker id="flow-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8"
                            markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" /></marker>
                    </defs>
                    { for lines }
                </svg>
                <ol>{ for nodes }</ol>
            </div>
        </figure>
    }
}
