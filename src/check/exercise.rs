//! Reports the answers to a lesson's exercise, each with the expected verdict, and the computed
//! answers of its quizzes.

use std::fmt::Write as _;

use crate::lesson::Lesson;
use crate::lesson::grade::{Failure, Graded, grade};
use crate::lesson::source::{Attempt, Written};
use crate::sim::{Kind, Limits, Scenario};

use super::count;
use super::format::Case;
use super::report::{NO_ERRORS, schedule, words};

/// The most states: a program that never ends may have infinitely many; a good answer has few.
const STATES_MAX: u32 = 500_000;
const BYTES_MAX: usize = 1 << 30;

/// An answer and its grade.
pub struct Tried<'w> {
    lesson: &'w Lesson,
    attempt: &'w Attempt,
    scenario: Result<Scenario, String>,
    graded: Result<Graded, String>,
}

/// Grades all answers in the lesson's folder.
pub fn try_all(written: &Written, limits: Limits) -> impl Iterator<Item = Tried<'_>> {
    let limits = Limits {
        states_max: limits.states_max.min(STATES_MAX),
        bytes_max: limits.bytes_max.min(BYTES_MAX),
        ..limits
    };
    let lesson = &written.lesson;
    written.attempts.iter().map(move |attempt| Tried {
        lesson,
        attempt,
        scenario: lesson.exercise_scenario(&attempt.source),
        graded: grade(lesson, &attempt.source, limits),
    })
}

impl Tried<'_> {
    /// Returns true if the verdict is as expected. A wrong answer must break a property, not make
    /// it meaningless.
    pub fn agrees(&self) -> bool {
        let Ok(graded) = &self.graded else { return false };
        graded.mistake.is_none() && graded.is_solved() == Some(self.attempt.role.solves())
    }

    pub fn in_lines(&self) -> String {
        let mark = if self.agrees() { ' ' } else { '≠' };
        let role = self.attempt.role.name();
        let name = &self.attempt.file;
        let mut text = format!("{mark} exercise, {role} {name}: {}\n", self.verdict());
        if !self.agrees() {
            let expected = if self.attempt.role.solves() { "hold" } else { "break" };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "    it should {expected}");
        }
        if let Ok(Graded { error: Some((client, why)), .. }) = &self.graded {
            let _ = writeln!(text, "    {} ends with an error: {why}", client.letter());
        }
        text
    }

    fn verdict(&self) -> String {
        let (graded, scenario) = match (&self.graded, &self.scenario) {
            (Ok(graded), Ok(scenario)) => (graded, scenario),
            (Err(why), _) | (_, Err(why)) => return why.clone(),
        };
        if let Some(mistake) = &graded.mistake {
            return format!("a property cannot be asked: {mistake}");
        }
        let states = count(graded.states, "distinct state");
        match (graded.failures.first(), graded.bound) {
            (Some(Failure { property: None, verdict }), _) => {
                let words = words(scenario, Kind::Always, verdict);
                format!("a program ends with an error: {words}")
            }
            (Some(Failure { property: Some(property), verdict }), _) => {
                let property = &self.lesson.properties[*property];
                let words = words(scenario, property.kind, verdict);
                format!("{} {}: {words}", property.kind.word(), property.id)
            }
            (None, Some(bound)) => {
                format!("not decided: {states}, and the bound on {bound:?}").to_lowercase()
            }
            (None, None) => format!("holds ({states})"),
        }
    }

    pub fn case(&self) -> Case {
        let file = &self.attempt.file;
        Case {
            suite: self.lesson.id.clone(),
            name: format!("exercise, {} {file}", self.attempt.role.name()),
            file: format!("{}/{}/{file}", super::LESSONS, self.lesson.id),
            line: 0,
            agrees: self.agrees(),
            words: self.verdict(),
            seconds: 0.0,
        }
    }

    /// Returns one object on one line.
    pub fn in_json(&self) -> String {
        let graded = self.graded.as_ref().ok();
        let failure = graded.and_then(|graded| graded.failures.first());
        let trace = failure.and_then(|failure| failure.verdict.trace.as_ref());
        let error = graded.and_then(|graded| graded.error.as_ref());
        let written = trace.zip(self.scenario.as_ref().ok());
        let line = serde_json::json!({
            "lesson": self.lesson.id,
            "exercise": self.attempt.file,
            "role": self.attempt.role.name(),
            "expected": if self.attempt.role.solves() { "holds" } else { "breaks" },
            "verdict": match graded.and_then(Graded::is_solved) {
                Some(true) => "holds",
                Some(false) => "breaks",
                None => "undecided",
            },
            "agrees": self.agrees(),
            "property": failure.map(|failure| match failure.property {
                Some(at) => self.lesson.properties[at].id.as_str(),
                None => NO_ERRORS,
            }),
            "distinct_states": graded.map(|graded| graded.states),
            "bound": graded.and_then(|graded| graded.bound)
                .map(|bound| format!("{bound:?}").to_lowercase()),
            "trace_len": trace.map(Vec::len),
            "schedule": written.map(|(trace, scenario)| schedule(scenario, trace)),
            "uncaught": error.map(|(client, why)| format!("{}: {why}", client.letter())),
            "error": self.graded.as_ref().err().or(graded.and_then(|g| g.mistake.as_ref())),
        });
        format!("{line}\n")
    }
}

/// Lists the computed answers of the quizzes, so that an author can judge them.
pub fn quizzes(lesson: &Lesson) -> String {
    let mut text = String::new();
    if let Some(guide) = &lesson.guide {
        let (questions, advice) = (guide.questions.len() as u64, guide.advice.len());
        let questions = count(questions, "question");
        let _ = writeln!(text, "{}: {questions}, {advice} kinds of advice", lesson.id);
    }
    for quiz in &lesson.quizzes {
        let right: Vec<&str> = quiz.right.iter().map(|at| quiz.choices[*at].en.as_str()).collect();
        let right = if right.is_empty() { "no choice".to_owned() } else { right.join(", ") };
        let shows = quiz.shows.as_ref().map(|run| format!(" ({run})")).unwrap_or_default();
        let _ = writeln!(text, "  quiz {}: {right}{shows}", quiz.id);
    }
    text
}

/// Lists the parts that a lesson still lacks, and where its languages differ.
pub fn unfinished(written: &Written) -> String {
    let (id, lacks, uneven) = (&written.lesson.id, written.lacks(), written.uneven());
    let mut text = String::new();
    if !lacks.is_empty() {
        let _ = writeln!(text, "  {id} still lacks: {}", lacks.join(", "));
    }
    if !uneven.is_empty() {
        let parts = uneven.join(", ");
        let _ = writeln!(text, "  {id}: en.md and zh.md have other paragraphs or lists in {parts}");
    }
    text
}
