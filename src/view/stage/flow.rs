//! A flow chart of a program: its nodes in rows and columns, its edges as lines, and the clients at
//! each node.
//!
//! Rows follow the longest path from the first node, so that edges lead down, except those that
//! close a loop. The first edge out of a node goes straight on, the others turn to the right.

use std::rc::Rc;

use crate::lesson::{Flow, FlowKind};
use crate::sim::{ClientId, State, Timeline};
use crate::text::Lang;

use super::readings::{FLOW, Faces, faces};
use crate::session::Session;

/// The size of a node in px, and below, the distance between nodes.
pub const NODE: (i32, i32) = (128, 56);
pub const GAP: (i32, i32) = (24, 30);

#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    pub file: String,
    /// The forms of the program.
    pub faces: Faces,
    pub width: i32,
    pub height: i32,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub kind: FlowKind,
    pub text: String,
    pub x: i32,
    pub y: i32,
    /// The clients whose next call belongs to this node.
    pub here: Vec<ClientId>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The corners, from one node to the other.
    pub points: Vec<(i32, i32)>,
    /// The answer by which a decision takes this edge, and the place of its label.
    pub when: Option<(String, i32, i32)>,
}

/// Returns the charts of the programs of the variant shown.
pub fn charts(session: &Session, lang: Lang) -> Vec<Chart> {
    let lesson = session.lesson();
    let Some(variant) = lesson.variants.get(session.variant()) else { return Vec::new() };
    let shown = lesson.flows.iter().filter(|flow| variant.programs().any(|at| at == flow.program));
    let chart = |flow: &Flow| {
        let mut chart = laid_out(flow, lang);
        let file = lesson.programs.get(flow.program).map(|program| program.file.clone());
        chart.file = file.unwrap_or_default();
        chart.faces = faces(lesson, flow.program, FLOW);
        for id in session.timeline().world().ids() {
            if variant.programs().nth(id.index()) == Some(flow.program)
                && let Some(at) = place(flow, session.timeline(), id)
            {
                chart.nodes[at].here.push(id);
            }
        }
        chart
    };
    shown.map(chart).collect()
}

/// Returns the node of a client.
fn place(flow: &Flow, timeline: &Timeline, id: ClientId) -> Option<usize> {
    let client = timeline.world().client(id)?;
    if matches!(client.state(), State::Done) {
        // Of several ends the one that its last line leads to.
        let ran = timeline.frames()[..=timeline.cursor()].iter().rev();
        let last = ran.flat_map(|frame| &frame.seen.ran).find(|run| run.client == id)?;
        let mut lines = last.trace.lines.iter().rev();
        let end = lines.find_map(|line| {
            flow.nodes.iter().position(|node| node.kind == FlowKind::End && holds(node, *line))
        });
        let any = || flow.nodes.iter().position(|node| node.kind == FlowKind::End);
        return end.or_else(any);
    }
    let line = client.call().map(|call| call.line).or_else(|| client.vm().line())?;
    flow.nodes.iter().position(|node| holds(node, line))
}

fn holds(node: &crate::lesson::FlowNode, line: u32) -> bool {
    node.first > 0 && (node.first..=node.last).contains(&line)
}

fn laid_out(flow: &Flow, lang: Lang) -> Chart {
    let cells = cells(flow);
    let (columns, rows) = cells.iter().fold((1, 1), |(columns, rows), (column, row)| {
        (columns.max(column + 1), rows.max(row + 1))
    });
    let at = |(column, row): (i32, i32)| (column * (NODE.0 + GAP.0), row * (NODE.1 + GAP.1));
    let nodes = flow.nodes.iter().zip(&cells).map(|(node, cell)| {
        let (x, y) = at(*cell);
        let text = node.text.get(lang).clone();
        Node { kind: node.kind, text, x, y, here: Vec::new() }
    });
    let nodes: Vec<Node> = nodes.collect();
    let mut edges = Vec::new();
    for (from, node) in flow.nodes.iter().enumerate() {
        for edge in node.next.iter().filter(|edge| edge.to < nodes.len()) {
            let points = way(&nodes, &cells, from, edge.to);
            let words = edge.when.get(lang);
            let (x, y) = points[0];
            // Beside the line where it leaves downwards, above it where it leaves sideways.
            let down = points.get(1).is_some_and(|next| next.0 == x);
            let label = if down { (x + 5, y + 13) } else { (x + 4, y - 5) };
            let when = (!words.is_empty()).then(|| (words.clone(), label.0, label.1));
            edges.push(Edge { points, when });
        }
    }
    // Ways back run outside, on the right.
    let lanes = edges.iter().flat_map(|edge| &edge.points).map(|point| point.0).max().unwrap_or(0);
    Chart {
        file: String::new(),
        faces: Faces { all: Rc::default(), shown: FLOW },
        width: (columns * (NODE.0 + GAP.0) - GAP.0).max(lanes + 2),
        height: rows * (NODE.1 + GAP.1) - GAP.1,
        nodes,
        edges,
    }
}

/// Returns the column and row of each node.
fn cells(flow: &Flow) -> Vec<(i32, i32)> {
    let count = flow.nodes.len();
    let mut columns = vec![0; count];
    let mut seen = vec![false; count];
    let mut forward = Vec::new();
    let mut path = Vec::new();
    visit(flow, 0, 0, &mut columns, &mut seen, &mut path, &mut forward);
    // Longest ways: as often as there are nodes, which is enough without loops.
    let mut rows = vec![0; count];
    for _ in 0..count {
        for &(from, to) in &forward {
            rows[to] = rows[to].max(rows[from] + 1);
        }
    }
    let mut cells: Vec<(i32, i32)> = Vec::new();
    for at in 0..count {
        let mut cell = (columns[at], rows[at]);
        while cells.contains(&cell) {
            cell.0 += 1;
        }
        cells.push(cell);
    }
    cells
}

/// Traverses the chart from `at`; edges to nodes on the present path close loops and are left out.
fn visit(
    flow: &Flow,
    at: usize,
    column: i32,
    columns: &mut [i32],
    seen: &mut [bool],
    path: &mut Vec<usize>,
    forward: &mut Vec<(usize, usize)>,
) {
    let Some(node) = flow.nodes.get(at) else { return };
    columns[at] = column;
    seen[at] = true;
    path.push(at);
    for (number, edge) in node.next.iter().enumerate() {
        if path.contains(&edge.to) || edge.to >= flow.nodes.len() {
            continue;
        }
        forward.push((at, edge.to));
        if !seen[edge.to] {
            visit(flow, edge.to, column + number as i32, columns, seen, path, forward);
        }
    }
    path.pop();
}

/// Returns the corners of the edge between two nodes.
fn way(nodes: &[Node], cells: &[(i32, i32)], from: usize, to: usize) -> Vec<(i32, i32)> {
    let (source, target) = (&nodes[from], &nodes[to]);
    let middle = |node: &Node| node.x + NODE.0 / 2;
    let (row, column) = (cells[from].1, cells[from].0);
    let (down, side) = (cells[to].1 - row, cells[to].0 - column);
    let bottom = (middle(source), source.y + NODE.1);
    let right = (source.x + NODE.0, source.y + NODE.1 / 2);
    let left = (source.x, right.1);
    let top = (middle(target), target.y);
    let turn = top.1 - GAP.1 / 2;
    // Is there a node below row `first` of a column, and above the target?
    let blocked = |column: i32, first: i32| {
        cells.iter().any(|cell| cell.0 == column && (first..cells[to].1).contains(&cell.1))
    };
    let beside = |to: i32| {
        let (first, last) = (column.min(to) + 1, column.max(to) - 1);
        cells.iter().any(|cell| cell.1 == row && (first..=last).contains(&cell.0))
    };
    if down >= 1 && side == 0 && !blocked(column, row + 1) {
        return vec![bottom, top];
    }
    if down >= 1 && side != 0 && !blocked(cells[to].0, row) && !beside(cells[to].0) {
        let leave = if side > 0 { right } else { left };
        return vec![leave, (top.0, leave.1), top];
    }
    if down >= 1 && side != 0 && !blocked(column, row + 1) {
        return vec![bottom, (bottom.0, turn), (top.0, turn), top];
    }
    // Outside, past everything on the right.
    let widest = nodes.iter().map(|node| node.x + NODE.0).max().unwrap_or(0);
    let lane = widest + GAP.0 / 3 + 6 * from as i32;
    if down > 0 {
        return vec![right, (lane, right.1), (lane, turn), (top.0, turn), top];
    }
    let enter = (target.x + NODE.0, target.y + NODE.1 / 2);
    vec![right, (lane, right.1), (lane, enter.1), enter]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::{FlowEdge, FlowNode};

    fn flow(next: &[&[usize]]) -> Flow {
        let edge = |to: &usize| FlowEdge { to: *to, ..FlowEdge::default() };
        let node = |next: &&[usize]| FlowNode {
            next: next.iter().map(edge).collect(),
            ..FlowNode::default()
        };
        Flow { nodes: next.iter().map(node).collect(), ..Flow::default() }
    }

    /// Returns true if a horizontal or vertical line crosses the inside of a node.
    fn crosses(node: &Node, (from, to): ((i32, i32), (i32, i32))) -> bool {
        let (left, right) = (from.0.min(to.0), from.0.max(to.0));
        let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
        right > node.x && left < node.x + NODE.0 && bottom > node.y && top < node.y + NODE.1
    }

    #[test]
    fn nodes_do_not_overlap_and_edges_go_round_them() {
        let charts = [
            flow(&[&[1], &[2, 3], &[4], &[2, 0], &[]]),
            flow(&[&[1, 2], &[5], &[3, 4], &[5], &[0], &[6], &[]]),
            flow(&[&[1, 4], &[2, 4], &[3, 4], &[5], &[0], &[]]),
        ];
        for flow in charts {
            let chart = laid_out(&flow, Lang::En);
            for (at, node) in chart.nodes.iter().enumerate() {
                let same = |other: &&Node| (other.x, other.y) == (node.x, node.y);
                assert_eq!(chart.nodes.iter().filter(same).count(), 1, "{chart:?}");
                for edge in &chart.edges {
                    for pair in edge.points.windows(2) {
                        assert!(pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1, "{edge:?}");
                        assert!(!crosses(node, (pair[0], pair[1])), "node {at}: {edge:?}");
                    }
                }
                assert!(node.x + NODE.0 <= chart.width && node.y + NODE.1 <= chart.height);
            }
        }
    }
}
