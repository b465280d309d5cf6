//! What became of the questions of a lesson's stories in this visit, and in an earlier one.

use super::{Predicted, Session};

/// The predictions of this visit: how many stories asked for one, how many were right, and how many
/// were skipped. A second answer, when the step has been seen, does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Predictions {
    pub right: usize,
    pub skipped: usize,
    pub of: usize,
}

impl Session {
    /// Takes over what the reader said in an earlier visit at the stop of the story `id`; `None`
    /// if it was skipped. What the lesson does not have is ignored.
    pub fn recall(&mut self, id: &str, said: Option<usize>) {
        let stops = self.lesson.walks.iter().map(|walk| (&walk.id, walk.stop.as_ref()));
        let found = stops.enumerate().find(|(_, (walk, _))| *walk == id);
        let Some((walk, (_, Some(stop)))) = found else { return };
        match said {
            None => self.predict(walk, Predicted::Skipped),
            Some(choice) if choice < stop.choices.len() => {
                self.predict(walk, Predicted::Said(choice));
            }
            Some(_) => {}
        }
    }

    /// Returns the stories whose question was met, each with the first answer, if there was one,
    /// and whether that was right.
    pub fn predicted(&self) -> impl Iterator<Item = (&str, Option<usize>, bool)> {
        self.lesson.walks.iter().zip(&self.predicted).filter_map(|(walk, one)| {
            let said = match one {
                Predicted::Open => return None,
                Predicted::Skipped => None,
                Predicted::Said(choice) => Some(*choice),
            };
            Some((&*walk.id, said, said.is_some() && said == walk.stop.as_ref().map(|s| s.right)))
        })
    }

    pub fn predictions(&self) -> Predictions {
        let mut count = Predictions::default();
        for (_, said, right) in self.predicted() {
            count.of += 1;
            count.skipped += usize::from(said.is_none());
            count.right += usize::from(right);
        }
        count
    }
}
