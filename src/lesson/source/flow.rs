//! Reads flow charts of programs, and guides: both lead from one node to the next, and every node
//! must be reachable.

use std::collections::BTreeSet;

use toml::Spanned;

use crate::lesson::{
    ANSWER, Advice, Answer, Evidence, Flow, FlowEdge, FlowKind, FlowNode, Guide, Lesson, Question,
};
use crate::text::Both;

use super::build::Builder;
use super::lens::call_lines;
use super::manifest::{AdviceRow, FlowRow, Manifest, NodeRow};
use super::markdown::Document;

impl Builder<'_> {
    pub fn flow(&mut self, lesson: &Lesson, row: &FlowRow) -> Option<Flow> {
        let program = self.program_called(lesson, &row.program)?;
        let source = &lesson.programs[program].source;
        self.ids_differ(row.nodes.iter().map(|node| &node.id));
        let ids: Vec<&str> = row.nodes.iter().map(|node| node.id.get_ref().as_str()).collect();
        let mut nodes = Vec::new();
        for node in &row.nodes {
            self.edges_fit(node);
            let [first, last] = self.lines_of(node, source.lines().count() as u32);
            let edges = node.next.iter().filter_map(|edge| {
                let to = &edge.to;
                let to = self.place("node", to.get_ref(), to.span(), ids.iter().copied())?;
                Some(FlowEdge { to, when: edge.when.clone().unwrap_or_default() })
            });
            let next = edges.collect();
            nodes.push(FlowNode { kind: node.kind, first, last, text: node.text.clone(), next });
        }
        self.lines_belong(row, source, &nodes);
        let starts = |node: &FlowNode| node.kind == FlowKind::Start;
        if nodes.iter().filter(|node| starts(node)).count() > 1 {
            let message = "the chart starts at two nodes".to_owned();
            self.in_manifest(row.program.span(), message, "leave one of kind = \"start\"");
        }
        let begin = nodes.iter().position(starts).unwrap_or(0);
        let next = |at: usize| nodes[at].next.iter().map(|edge| edge.to).collect();
        self.all_reached(&row.nodes.iter().map(|n| &n.id).collect::<Vec<_>>(), begin, &next);
        Some(Flow { program, nodes })
    }

    /// Checks how many edges leave a node.
    fn edges_fit(&mut self, node: &NodeRow) {
        let mut wrong = |message: &str, remedy: &str| {
            self.in_manifest(node.id.span(), message.to_owned(), remedy);
        };
        let named = node.next.iter().filter(|edge| edge.when.is_some()).count();
        match (node.kind, node.next.len()) {
            (FlowKind::Decision, 2..) if named == node.next.len() => {}
            (FlowKind::Decision, 2..) => {
                wrong("a way on from a decision does not say when", "add when = { en, zh }");
            }
            (FlowKind::Decision, _) => {
                wrong(
                    "a decision with fewer than two ways on",
                    "add them to next, or call it action",
                );
            }
            (FlowKind::End, 0) => {}
            (FlowKind::End, _) => wrong("an end from which it goes on", "remove its next"),
            (_, 1) => {}
            (_, 0) => {
                wrong("it ends here, and is no end", "add next = [{ to = … }], or kind = \"end\"")
            }
            _ => wrong("several ways lead on from it", "call it a decision"),
        }
    }

    fn lines_of(&mut self, node: &NodeRow, count: u32) -> [u32; 2] {
        let Some(lines) = &node.lines else { return [0, 0] };
        let [first, last] = *lines.get_ref();
        if first == 0 || first > last || last > count {
            let message = format!("there are no lines {first} to {last}");
            let remedy = format!("the program has the lines 1 to {count}");
            self.in_manifest(lines.span(), message, &remedy);
        }
        [first, last]
    }

    /// Checks that each line with a call belongs to one node, and no line to two.
    fn lines_belong(&mut self, row: &FlowRow, source: &str, nodes: &[FlowNode]) {
        let covers = |node: &FlowNode, line: u32| node.first <= line && line <= node.last;
        for line in call_lines(source) {
            if !nodes.iter().any(|node| covers(node, line)) {
                let message = format!(
                    "line {line} of {} calls and belongs to no node",
                    row.program.get_ref()
                );
                self.in_manifest(row.program.span(), message, "put it into some node's lines");
            }
        }
        for (at, (node, written)) in nodes.iter().zip(&row.nodes).enumerate() {
            let other = nodes[..at].iter().position(|other| {
                node.first > 0 && (covers(other, node.first) || covers(node, other.first))
            });
            if let Some(other) = other.filter(|other| nodes[*other].first > 0) {
                let message = format!("it shares lines with {}", row.nodes[other].id.get_ref());
                let remedy = "one node is lit at a time: give each its own lines";
                self.in_manifest(written.id.span(), message, remedy);
            }
        }
    }

    /// Checks that ids are unique and plain: they stand in links and in the keys of sections.
    pub fn ids_differ<'i>(&mut self, ids: impl Iterator<Item = &'i Spanned<String>>) {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let mut seen = BTreeSet::new();
        for id in ids {
            let text = id.get_ref();
            if text.is_empty() || !text.chars().all(plain) || text == ANSWER {
                let message = format!("\"{text}\" cannot be an id");
                let remedy = format!("use a-z, 0-9 and hyphens; \"{ANSWER}\" is the learner's own");
                self.in_manifest(id.span(), message, &remedy);
            }
            if !seen.insert(id.get_ref().as_str()) {
                let message = format!("a second {}", id.get_ref());
                self.in_manifest(id.span(), message, "give each an id of its own");
            }
        }
    }

    fn all_reached(
        &mut self,
        ids: &[&Spanned<String>],
        begin: usize,
        next: &dyn Fn(usize) -> Vec<usize>,
    ) {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![begin];
        while let Some(at) = waiting.pop() {
            if at < ids.len() && reached.insert(at) {
                waiting.extend(next(at));
            }
        }
        for (at, id) in ids.iter().enumerate().filter(|(at, _)| !reached.contains(at)) {
            let message = format!("nothing leads to {}", ids[at].get_ref());
            self.in_manifest(id.span(), message, "let something lead there, or remove it");
        }
    }

    /// Reads questions and advice; `None` if the lesson has neither.
    pub fn guide(&mut self, manifest: &Manifest, documents: &Both<Document>) -> Option<Guide> {
        if manifest.questions.is_empty() {
            if let Some(advice) = manifest.advice.first() {
                let message = "there is advice, and no question that leads to it".to_owned();
                self.in_manifest(advice.id.span(), message, "begin with a [[question]]");
            }
            return None;
        }
        if let Some(variant) = manifest.variants.first() {
            let message = "a guide has no variants".to_owned();
            self.in_manifest(
                variant.id.span(),
                message,
                "give the questions a lesson of their own",
            );
        }
        let questions = manifest.questions.iter().map(|question| &question.id);
        let ids: Vec<&Spanned<String>> =
            questions.chain(manifest.advice.iter().map(|advice| &advice.id)).collect();
        self.ids_differ(ids.iter().copied());
        let mut ways: Vec<Vec<usize>> = Vec::new();
        for question in &manifest.questions {
            if question.answers.len() < 2 {
                let message = "a question with fewer than two answers".to_owned();
                self.in_manifest(question.id.span(), message, "add answers, or leave it out");
            }
            let known = || ids.iter().map(|id| id.get_ref().as_str());
            let answers = question.answers.iter().filter_map(|answer| {
                self.place("question or advice", answer.to.get_ref(), answer.to.span(), known())
            });
            ways.push(answers.collect());
        }
        let next = |at: usize| ways.get(at).cloned().unwrap_or_default();
        self.all_reached(&ids, 0, &next);
        let questions = manifest.questions.iter().map(|row| Question {
            id: row.id.get_ref().clone(),
            text: row.text.clone(),
            answers: row
                .answers
                .iter()
                .map(|answer| Answer { text: answer.text.clone(), to: answer.to.get_ref().clone() })
                .collect(),
        });
        let questions = questions.collect();
        let advice = manifest.advice.iter().map(|row| self.advice(row, documents)).collect();
        Some(Guide { questions, advice })
    }

    /// Reads a piece of advice. The verdicts of other lessons that it cites are filled in once all
    /// lessons are read.
    fn advice(&mut self, row: &AdviceRow, documents: &Both<Document>) -> Advice {
        let words = self.words(documents, &format!("advice {}", row.id.get_ref()), None);
        let because = row.because.iter().map(|evidence| Evidence {
            lesson: evidence.lesson.get_ref().clone(),
            variant: evidence.variant.get_ref().clone(),
            property: evidence.property.get_ref().clone(),
            ..Evidence::default()
        });
        Advice {
            id: row.id.get_ref().clone(),
            title: words.label,
            text: words.body,
            lesson: row.lesson.get_ref().clone(),
            because: because.collect(),
        }
    }
}
