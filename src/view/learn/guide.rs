//! A guide to a decision: the present question, and the advice that the answers lead to.

use crate::lesson::{Advice, Guide, Question};

/// The path taken: ids of questions and, at its end, of an advice; the first question is left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trail {
    ids: Vec<String>,
}

/// The place that a trail has reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GuidePlace<'g> {
    Question(&'g Question),
    Advice(&'g Advice),
}

/// The most answers in a row; no guide has as many questions.
const LENGTH_MAX: usize = 50;

impl Trail {
    /// Returns the shortest trail to `id`; an empty one if none leads there.
    pub fn to(guide: &Guide, id: &str) -> Trail {
        let mut trails = vec![Trail::default()];
        let mut seen: Vec<&str> = Vec::new();
        let mut at = 0;
        while let Some(trail) = trails.get(at).cloned() {
            at += 1;
            let Some(GuidePlace::Question(question)) = trail.place(guide) else { continue };
            for answer in question.answers.iter().filter(|_| trail.ids.len() < LENGTH_MAX) {
                if seen.contains(&answer.to.as_str()) {
                    continue;
                }
                seen.push(&answer.to);
                let mut longer = trail.clone();
                longer.ids.push(answer.to.clone());
                if answer.to == id {
                    return longer;
                }
                trails.push(longer);
            }
        }
        Trail::default()
    }

    pub fn is_start(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the id of the place; `None` at the start.
    pub fn id(&self) -> Option<&str> {
        self.ids.last().map(String::as_str)
    }

    pub fn answer(&mut self, guide: &Guide, number: usize) {
        if let Some(GuidePlace::Question(question)) = self.place(guide)
            && let Some(answer) = question.answers.get(number)
            && self.ids.len() < LENGTH_MAX
        {
            self.ids.push(answer.to.clone());
        }
    }

    pub fn back(&mut self) {
        self.ids.pop();
    }

    pub fn place<'g>(&self, guide: &'g Guide) -> Option<GuidePlace<'g>> {
        let Some(id) = self.ids.last() else {
            return guide.questions.first().map(GuidePlace::Question);
        };
        let question = guide.questions.iter().find(|question| question.id == *id);
        let advice = || guide.advice.iter().find(|advice| advice.id == *id);
        question.map(GuidePlace::Question).or_else(|| advice().map(GuidePlace::Advice))
    }

    /// Returns the questions of the trail with the answers given, oldest first.
    pub fn answered<'g>(&self, guide: &'g Guide) -> Vec<(&'g Question, usize)> {
        let mut out = Vec::new();
        for (length, id) in self.ids.iter().enumerate() {
            let before = Trail { ids: self.ids[..length].to_vec() };
            if let Some(GuidePlace::Question(question)) = before.place(guide)
                && let Some(answer) = question.answers.iter().position(|answer| answer.to == *id)
            {
                out.push((question, answer));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lesson::Answer;

    fn guide() -> Guide {
        let answer = |to: &str| Answer { to: to.to_owned(), ..Answer::default() };
        let question = |id: &str, to: &[&str]| Question {
            id: id.to_owned(),
            answers: to.iter().map(|to| answer(to)).collect(),
            ..Question::default()
        };
        let advice = |id: &str| Advice { id: id.to_owned(), ..Advice::default() };
        Guide {
            questions: vec![question("one", &["two", "x"]), question("two", &["y", "one"])],
            advice: vec![advice("x"), advice("y")],
        }
    }

    #[test]
    fn answers_lead_on_and_back() {
        let guide = guide();
        let mut trail = Trail::default();
        trail.answer(&guide, 0);
        trail.answer(&guide, 0);
        assert!(
            matches!(trail.place(&guide), Some(GuidePlace::Advice(advice)) if advice.id == "y")
        );
        assert_eq!(trail.answered(&guide).len(), 2);
        assert_eq!(trail, Trail::to(&guide, "y"));
        trail.answer(&guide, 0);
        trail.back();
        assert_eq!(trail.id(), Some("two"));
        assert!(Trail::to(&guide, "nowhere").is_start());
    }
}
