//! The places of bands, which last over several rows.

use std::rc::Rc;

use crate::sim::{ClientId, NodeId, Timeline};
use crate::text::{Key, Lang, fill, tr};
use crate::view::stage::spans::{Span, SpanKind};

use super::{Band, Columns, Row};

/// The offset of bands left of a lane: the client's belief to hold a lease, then the lease itself.
const BELIEF: i32 = -9;
const LEASE: i32 = -13;
/// The offset of a transaction, right of the lane.
const MULTI: i32 = 11;
/// The offset of watches, left of an instance's dots.
const WATCH: i32 = -12;
/// The most bands that are drawn.
const BANDS_MAX: usize = 200;

pub fn bands(
    spans: &[Span],
    timeline: &Timeline,
    columns: &Columns,
    rows: &[Rc<Row>],
    bottom: i32,
    lang: Lang,
) -> Vec<Band> {
    let y =
        |step: usize| step.checked_sub(1).and_then(|at| rows.get(at)).map(|row| row.request_y());
    // A span that never ends by itself lasts to the end of its client.
    let over = |id: ClientId| {
        timeline.frames().iter().position(|f| f.world.client(id).is_some_and(|c| c.is_over()))
    };
    let node_name = |span: &Span| {
        let node = span.node.unwrap_or(NodeId(0));
        timeline.world().setting().node_name(node).to_owned()
    };
    let band = |span: &Span| {
        let lane = span.client.map(|id| columns.x(id)).unwrap_or_default();
        let node = columns.dot(span.node.map_or(0, NodeId::index));
        let to = match span.kind {
            SpanKind::Belief | SpanKind::Clash => span.to.or_else(|| over(span.client?)),
            _ => span.to,
        };
        // A watch that is not alone stands beside the others.
        let rank = span.client.map_or(0, |id| i32::from(id.0 % 3)) * 4;
        Band {
            kind: span.kind,
            client: span.client,
            whose: span.client.map_or_else(|| node_name(span), |id| id.name()),
            x: match span.kind {
                SpanKind::Paused | SpanKind::Waiting => lane,
                SpanKind::Belief | SpanKind::Clash => lane + BELIEF,
                SpanKind::Lease => lane + LEASE,
                SpanKind::Multi => lane + MULTI,
                SpanKind::Watch => node + WATCH - rank,
                SpanKind::Down => node,
            },
            top: y(span.from).unwrap_or(super::TOP),
            bottom: to.and_then(y).unwrap_or(bottom),
            from: span.from,
            to,
            notches: match span.kind {
                SpanKind::Lease | SpanKind::Multi => {
                    span.turns.iter().filter_map(|step| y(*step)).collect()
                }
                _ => Vec::new(),
            },
            red_from: match span.kind {
                SpanKind::Watch => span.turns.first().and_then(|step| y(*step)),
                _ => None,
            },
            words: words(span, lang),
        }
    };
    told_apart(spans).map(band).collect()
}

/// Returns the spans to draw. If a script takes leases on thousands of keys, most of them look the
/// same: only one of those in a row is drawn.
fn told_apart(spans: &[Span]) -> impl Iterator<Item = &Span> {
    let look = |span: &Span| (span.kind, span.client, span.node, span.from, span.to);
    let is_many = spans.len() > BANDS_MAX;
    let alike = move |a: &Span, b: &Span| is_many && look(a) == look(b) && a.turns == b.turns;
    spans.chunk_by(alike).filter_map(<[Span]>::first).take(BANDS_MAX)
}

fn words(span: &Span, lang: Lang) -> String {
    let key = match span.kind {
        SpanKind::Lease => Key::SpanLease,
        SpanKind::Belief => Key::SpanBelief,
        SpanKind::Clash => Key::SpanClash,
        SpanKind::Watch => Key::SpanWatch,
        SpanKind::Multi => Key::SpanMulti,
        SpanKind::Paused => return tr(lang, Key::CardPaused).to_owned(),
        SpanKind::Waiting => return tr(lang, Key::CardBlocked).to_owned(),
        SpanKind::Down => return tr(lang, Key::NodeDown).to_owned(),
    };
    let who = span.client.map(|id| id.name()).unwrap_or_default();
    fill(tr(lang, key), &[&who, &span.name])
}
