//! Liveness without the whole graph: decides an `eventually` if there are too many states to keep
//! them all. Only the states before the condition becomes true matter, and of those that differ in
//! their fault budgets only the ones with the most left.
//!
//! A run that ends without the condition is found at the same distance. A run that goes round
//! forever spends no budget in its cycle, so the state with the most left has the same cycle: a
//! move to a state that another one stands for leads nowhere here, and a cycle of moves that lead
//! somewhere is a cycle of the world.

use crate::checker::{Bound, Graph, Never, Options, Search, StateId, Status};

use super::super::Action;
use super::super::components::WorldComponents;
use super::Verdict;

/// An `eventually` being decided.
#[derive(Debug)]
pub(super) struct Unless {
    pub index: usize,
    search: Search<WorldComponents>,
    graph: Option<Graph>,
    /// By state, the truth of the condition.
    truths: Vec<bool>,
    never: Option<Never>,
    verdict: Option<Verdict>,
}

impl Unless {
    pub fn new(index: usize, model: WorldComponents, options: Options) -> Unless {
        let options = Options { goal: Some(index), ..options };
        let search = Search::new(model, options);
        Unless { index, search, graph: None, truths: Vec::new(), never: None, verdict: None }
    }

    /// Returns true if the condition could not be evaluated somewhere. Then there is no answer.
    pub fn is_mistaken(&self) -> bool {
        self.search.model().mistake().is_some()
    }

    pub fn into_search(self) -> Search<WorldComponents> {
        self.search
    }

    /// Works on this number of further `states`, or on work of the same cost; true when done.
    pub fn advance(&mut self, states: u32) -> bool {
        self.go_on(states) || self.is_mistaken()
    }

    fn go_on(&mut self, states: u32) -> bool {
        if self.search.is_outdated() {
            self.search.begin_anew();
            (self.graph, self.never) = (None, None);
            self.truths.clear();
        }
        match &mut self.graph {
            None => {
                let status = self.search.advance(states);
                if let Some(end) = self.search.first_stop() {
                    self.verdict = Some(broken(self.search.trace(end), Vec::new()));
                    return true;
                }
                if status == Status::Complete {
                    self.graph = Some(Graph::of_rounds());
                }
                matches!(status, Status::Bounded(_))
            }
            Some(graph) if graph.len() < self.search.counts().states as usize => {
                graph.advance(&mut self.search, states).is_none()
            }
            Some(graph) if self.truths.len() < graph.len() => {
                let from = self.truths.len();
                let until = graph.len().min(from.saturating_add(states as usize));
                let states = from as StateId..until as StateId;
                self.truths.extend(states.map(|state| self.search.is_true(self.index, state)));
                false
            }
            Some(graph) => {
                let (search, truths) = (&mut self.search, &self.truths);
                let goal = |state: StateId| truths[state as usize];
                let never = self.never.get_or_insert_with(|| Never::of_search(graph, goal));
                if !never.advance(search, graph, goal, states) {
                    return false;
                }
                let lasso = self.never.take().and_then(|never| never.finish(search, graph));
                self.verdict = Some(match lasso {
                    Some(lasso) => broken(lasso.stem, lasso.cycle),
                    None => Verdict {
                        holds: Some(true),
                        trace: None,
                        cycle: Vec::new(),
                        is_shortest: true,
                    },
                });
                true
            }
        }
    }

    /// Returns the bound that ended the search, if one did.
    pub fn bound(&self) -> Option<Bound> {
        match self.search.status() {
            Status::Bounded(bound) if self.verdict.is_none() => Some(bound),
            _ => None,
        }
    }

    /// The answer; `None` if a bound ended the search.
    pub fn verdict(self) -> Option<Verdict> {
        self.verdict
    }
}

fn broken(trace: Vec<Action>, cycle: Vec<Action>) -> Verdict {
    Verdict { holds: Some(false), trace: Some(trace), cycle, is_shortest: true }
}
