//! What lasts over several rows, found by looking at every frame of the run.

use crate::sim::{ClientId, Frame, NodeId, State, Timeline};

use super::{Band, BandKind, Columns, REQUEST, Row};

pub fn bands(timeline: &Timeline, columns: &Columns, rows: &[Row], bottom: i32) -> Vec<Band> {
    let mut bands = Vec::new();
    let world = timeline.world();
    let mut add = |client: Option<ClientId>, kind, x, holds: &dyn Fn(&Frame) -> bool| {
        for (from, to) in runs(timeline, holds) {
            let y = |step: usize| {
                step.checked_sub(1).and_then(|at| rows.get(at)).map(|row| row.top + REQUEST)
            };
            bands.push(Band {
                client,
                kind,
                x,
                top: y(from).unwrap_or(super::TOP - 6),
                bottom: to.and_then(y).unwrap_or(bottom),
                future: from > timeline.cursor(),
            });
        }
    };
    for &id in &columns.lanes {
        let x = columns.x(id);
        let paused = |frame: &Frame| {
            let client = frame.world.client(id);
            client.is_some_and(|client| client.paused().is_some() && !client.is_over())
        };
        let waiting = |frame: &Frame| {
            let state = frame.world.client(id).map(|client| client.state());
            matches!(
                state,
                Some(
                    State::Blocked(_)
                        | State::Waiting(..)
                        | State::Receiving { .. }
                        | State::Unanswered { .. }
                )
            )
        };
        add(Some(id), BandKind::Paused, x, &paused);
        add(Some(id), BandKind::Waiting, x, &waiting);
    }
    for id in world.setting().node_ids() {
        let down = |frame: &Frame| frame.world.node(id).is_some_and(|node| !node.up);
        add(None, BandKind::Down, columns.dot(NodeId::index(id)), &down);
    }
    bands
}

/// From the step that made it so to the one that ended it; nothing where it lasts.
fn runs(timeline: &Timeline, holds: &dyn Fn(&Frame) -> bool) -> Vec<(usize, Option<usize>)> {
    let mut runs: Vec<(usize, Option<usize>)> = Vec::new();
    for (step, frame) in timeline.frames().iter().enumerate() {
        let open = runs.last().is_some_and(|(_, to)| to.is_none());
        match (open, holds(frame)) {
            (false, true) => runs.push((step, None)),
            (true, false) => {
                if let Some((_, to)) = runs.last_mut() {
                    *to = Some(step);
                }
            }
            _ => {}
        }
    }
    runs
}
