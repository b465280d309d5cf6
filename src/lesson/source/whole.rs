//! Lists what a lesson without mistakes still lacks to be complete.

use crate::lesson::Block;
use crate::text::{Both, Lang};

use super::{Role, Written};

impl Written {
    /// Returns the parts that a whole lesson has and this one lacks. A lesson whose claims all hold
    /// needs none of them: there is nothing to break or to fix. A mixed exercise teaches nothing
    /// new: it needs no belief, no reading and no second question.
    pub fn lacks(&self) -> Vec<&'static str> {
        let lesson = &self.lesson;
        let mut claims = lesson.variants.iter().flat_map(|variant| &variant.claims);
        if claims.all(|claim| claim.holds) {
            return Vec::new();
        }
        let count = |role| self.attempts.iter().filter(|attempt| attempt.role == role).count();
        let is_mixed = lesson.is_mixed();
        let wanted = [
            ("a challenge", lesson.challenge.is_some()),
            ("an exercise", lesson.exercise.is_some()),
            ("another solution to accept", count(Role::Accept) >= 1),
            ("three wrong answers to reject", count(Role::Reject) >= 3),
            ("notes", lesson.notes.is_some()),
            ("two quizzes", is_mixed || lesson.quizzes.len() >= 2),
            ("a misconception", is_mixed || lesson.misconception.is_some()),
            ("reading", is_mixed || lesson.reading.is_some()),
        ];
        wanted.iter().filter(|(_, there)| !there).map(|(what, _)| *what).collect()
    }

    /// Reports texts in which one language has more paragraphs, list items or lines of code than
    /// the other.
    pub fn uneven(&self) -> Vec<String> {
        let lesson = &self.lesson;
        let mut texts: Vec<(String, &Both<Vec<Block>>)> =
            vec![("the introduction".to_owned(), &lesson.intro)];
        texts.extend(lesson.variants.iter().map(|v| (format!("variant {}", v.id), &v.about)));
        texts.extend(lesson.quizzes.iter().map(|q| (format!("quiz {}", q.id), &q.words.body)));
        let advice = lesson.guide.iter().flat_map(|guide| &guide.advice);
        texts.extend(advice.map(|a| (format!("advice {}", a.id), &a.text)));
        let parts = [
            ("challenge", lesson.challenge.as_ref().map(|challenge| &challenge.words)),
            ("exercise", lesson.exercise.as_ref().map(|exercise| &exercise.words)),
            ("misconception", lesson.misconception.as_ref()),
            ("notes", lesson.notes.as_ref()),
            ("reading", lesson.reading.as_ref()),
        ];
        let parts = parts.into_iter().filter_map(|(name, words)| Some((name, words?)));
        texts.extend(parts.map(|(name, words)| (name.to_owned(), &words.body)));
        texts.retain(|(_, text)| is_uneven(text));
        texts.into_iter().map(|(name, _)| name).collect()
    }
}

fn is_uneven(text: &Both<Vec<Block>>) -> bool {
    let shape = |lang: Lang| -> Vec<(u8, usize)> {
        let shape = text.get(lang).iter().map(|block| match block {
            Block::Paragraph(_) => (0, 1),
            Block::List(items) => (1, items.len()),
            Block::Code(code) => (2, code.lines().count()),
        });
        shape.collect()
    };
    shape(Lang::En) != shape(Lang::Zh)
}
