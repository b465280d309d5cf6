//! The page's workers: a line to each, made when it is needed.

use std::rc::Rc;

use crate::app::effect::ForWorker;
use crate::jobs::Answer;

use super::line::Line;

pub struct Workers {
    hear: Rc<dyn Fn(usize, Answer)>,
    lines: Vec<Line>,
}

impl Workers {
    /// `hear` takes a worker's number and what it says.
    pub fn new(hear: impl Fn(usize, Answer) + 'static) -> Workers {
        Workers { hear: Rc::new(hear), lines: Vec::new() }
    }

    /// Nothing was asked of the first one yet, or it has ended.
    pub fn is_idle(&self) -> bool {
        self.lines.first().is_none_or(Line::is_idle)
    }

    /// The first one is there, and works beside the page.
    pub fn is_beside(&self) -> bool {
        self.lines.first().is_some_and(Line::is_in_worker)
    }

    pub fn carry_out(&mut self, effect: ForWorker) {
        match effect {
            ForWorker::Ask(number, request) => self.line(number).ask(request),
            ForWorker::Stop(number, id) => {
                if let Some(line) = self.lines.get(number).filter(|line| !line.is_idle()) {
                    line.stop(id);
                }
            }
            ForWorker::Stopped(number) => {
                if let Some(line) = self.lines.get(number) {
                    line.stopped();
                }
            }
            ForWorker::Dismiss => self.lines.truncate(1),
        }
    }

    fn line(&mut self, number: usize) -> &Line {
        while self.lines.len() <= number {
            let (number, hear) = (self.lines.len(), self.hear.clone());
            self.lines.push(Line::new(move |answer| hear(number, answer)));
        }
        &self.lines[number]
    }
}
