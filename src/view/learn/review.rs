//! The beginning and the end of a lesson: the situation, with the program that caused it; and the
//! rule to keep, advice for one's own code, a misconception, and questions about states.

use std::rc::Rc;

use crate::lesson::{Block, Inline, Lesson, Quiz, Words, plain};
use crate::sim::{ClientId, Timeline, schedule};
use crate::text::{Lang, ScreenWord, fill, screen};

use super::calls::{self, Calls};
use crate::view::highlight::{self, Kind};
use crate::view::stage::explain::row_words;
use crate::view::stage::readings::{self, Faces, faces, lens};
use crate::view::stage::redis::panel;
use crate::view::stage::strip::{self, Cell};

/// The learner's answers to a lesson's questions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers {
    /// The answers, by question.
    given: Vec<Given>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Given {
    /// The ticked choices, in order.
    ticked: Vec<usize>,
    /// True if the answer was given; its explanation is shown.
    done: bool,
}

/// The answered questions of the lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Answered {
    pub given: usize,
    pub right: usize,
    pub of: usize,
}

impl Answers {
    pub fn new(lesson: &Lesson) -> Answers {
        Answers { given: vec![Given::default(); lesson.quizzes.len()] }
    }

    /// Ticks a choice; if only one can be right, that is the answer.
    pub fn tick(&mut self, lesson: &Lesson, quiz: usize, choice: usize) {
        let (Some(given), Some(quiz)) = (self.given.get_mut(quiz), lesson.quizzes.get(quiz)) else {
            return;
        };
        if given.done || choice >= quiz.choices.len() {
            return;
        }
        if !quiz.several {
            (given.ticked, given.done) = (vec![choice], true);
            return;
        }
        match given.ticked.binary_search(&choice) {
            Ok(at) => drop(given.ticked.remove(at)),
            Err(at) => given.ticked.insert(at, choice),
        }
    }

    /// Gives the ticked choices as the answer.
    pub fn give(&mut self, quiz: usize) {
        if let Some(given) = self.given.get_mut(quiz) {
            given.done = true;
        }
    }

    pub fn again(&mut self, quiz: usize) {
        if let Some(given) = self.given.get_mut(quiz) {
            *given = Given::default();
        }
    }

    /// Returns how many questions were answered, and how many of them rightly.
    pub fn answered(&self, lesson: &Lesson) -> Answered {
        let right = self.all_given(lesson).filter(|(_, _, right)| *right).count();
        Answered { given: self.all_given(lesson).count(), right, of: lesson.quizzes.len() }
    }

    /// Returns the answered questions, each with the ticked choices and whether they are right.
    pub fn all_given<'a>(
        &'a self,
        lesson: &'a Lesson,
    ) -> impl Iterator<Item = (&'a str, &'a [usize], bool)> {
        let given = self.given.iter().zip(&lesson.quizzes).filter(|(given, _)| given.done);
        given.map(|(given, quiz)| (&*quiz.id, &*given.ticked, given.ticked == quiz.right))
    }

    /// Takes over the answer of an earlier visit to the question `id`. What the lesson does not
    /// have is ignored.
    pub fn recall(&mut self, lesson: &Lesson, id: &str, choices: &[usize]) {
        let Some(quiz) = lesson.quizzes.iter().position(|quiz| quiz.id == id) else { return };
        for choice in choices {
            self.tick(lesson, quiz, *choice);
        }
        if lesson.quizzes[quiz].several {
            self.give(quiz);
        }
    }

    /// Returns true if all questions were answered rightly.
    pub fn all_right(&self, lesson: &Lesson) -> bool {
        let right = |(given, quiz): (&Given, &Quiz)| given.done && given.ticked == quiz.right;
        !lesson.quizzes.is_empty() && self.given.iter().zip(&lesson.quizzes).all(right)
    }
}

/// A heading with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The id, such as `misconception`.
    pub id: &'static str,
    pub label: String,
    pub body: Vec<Block>,
}

/// The program of a situation, and the clients that run it.
#[derive(Debug, Clone, PartialEq)]
pub struct Running {
    /// The variant, if several are to be compared.
    pub of: Option<String>,
    /// The letters of the clients: `A`, `B` …
    pub clients: Vec<String>,
    pub faces: Faces,
    pub lines: Vec<Vec<(Kind, String)>>,
}

impl Running {
    /// Says which clients run it.
    pub fn words(&self, lang: Lang) -> String {
        let word = match self.clients.len() {
            1 => ScreenWord::RunsProgram,
            _ => ScreenWord::RunProgram,
        };
        let names = self.clients.join(if lang == Lang::Zh { "、" } else { ", " });
        fill(screen(lang, word), &[&names])
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Situation {
    pub intro: Vec<Block>,
    /// The programs of the first story, each once; those of all variants where the lesson asks
    /// which variants do what is wanted.
    pub programs: Vec<Running>,
}

/// `face` is the form of the programs asked for.
pub fn situation(lesson: &Lesson, face: &str, lang: Lang) -> Situation {
    let is_mixed = lesson.is_mixed();
    let shown = match is_mixed {
        true => 0..lesson.variants.len(),
        false => {
            let variant = lesson.walks.first().map_or(0, |walk| walk.variant);
            variant..variant + 1
        }
    };
    let programs = shown.flat_map(|variant| programs(lesson, variant, face, lang)).collect();
    Situation { intro: lesson.intro.get(lang).clone(), programs }
}

/// Returns the programs of a variant, each once.
pub(super) fn programs(lesson: &Lesson, variant: usize, face: &str, lang: Lang) -> Vec<Running> {
    let Some(variant) = lesson.variants.get(variant) else { return Vec::new() };
    let mut programs: Vec<(usize, Running)> = Vec::new();
    for (at, program) in variant.programs().enumerate() {
        let name = u16::try_from(at).map(|at| ClientId(at).name()).unwrap_or_default();
        match programs.iter_mut().find(|(known, _)| *known == program) {
            Some((_, running)) => running.clients.push(name),
            None => {
                let faces = faces(lesson, program, face).written();
                let lines = match lens(lesson, program, face) {
                    Some(lens) => readings::lines(lens),
                    None => {
                        let program = lesson.programs.get(program);
                        highlight::lines(program.map_or("", |one| &one.source))
                    }
                };
                let of = lesson.is_mixed().then(|| variant.label.get(lang).clone());
                programs.push((program, Running { of, clients: vec![name], faces, lines }));
            }
        }
    }
    programs.into_iter().map(|(_, running)| running).collect()
}

#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// The rule to keep; empty if the notes have none.
    pub rule: Vec<Inline>,
    /// The introduction of a lesson without a story, which has no part for it.
    pub intro: Vec<Block>,
    pub misconception: Option<Section>,
    pub quizzes: Vec<QuizView>,
    /// The calls of the libraries, which the advice is without then.
    pub calls: Option<Calls>,
    /// Advice for the reader's own code, and further reading.
    pub more: Vec<Section>,
}

/// A question, and the state that it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct QuizView {
    pub id: String,
    pub question: String,
    /// Nothing where the variants are the choices; there is no run then.
    pub variant: Option<usize>,
    pub variant_label: String,
    /// The run so far, step by step.
    pub cells: Vec<Cell>,
    pub said: Vec<String>,
    /// The keys in Redis at that state: name of the instance if there are several, key, value.
    pub keys: Vec<(String, String)>,
    pub choices: Vec<Choice>,
    pub several: bool,
    pub done: bool,
    pub is_right: bool,
    /// True if it is not told which choice is right.
    pub withheld: bool,
    /// The explanation; empty before the answer is given.
    pub explanation: Vec<Block>,
    /// The run so far; and below, the run that shows the answer.
    pub schedule: String,
    pub shows: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub label: String,
    pub ticked: bool,
    /// True for a right choice; known once the answer is given.
    pub right: Option<bool>,
}

/// `face` is the language of the calls asked for.
pub fn review(lesson: &Lesson, answers: &Answers, face: &str, lang: Lang) -> Review {
    let section = |id: &'static str, words: &Option<Words>| {
        words.as_ref().map(|words| Section {
            id,
            label: words.label.get(lang).clone(),
            body: words.body.get(lang).clone(),
        })
    };
    let quizzes = lesson.quizzes.iter().zip(&answers.given);
    let mut notes = section("notes", &lesson.notes);
    let rule = notes.as_mut().and_then(|notes| take_rule(&mut notes.body)).unwrap_or_default();
    let calls = notes.as_mut().and_then(|notes| calls::take(lesson, &mut notes.body, face));
    Review {
        rule,
        calls,
        intro: match lesson.walks.is_empty() && !lesson.has_situation() {
            true => lesson.intro.get(lang).clone(),
            false => Vec::new(),
        },
        misconception: section("misconception", &lesson.misconception),
        quizzes: quizzes.map(|(quiz, given)| quiz_view(lesson, quiz, given, lang)).collect(),
        more: [notes, section("reading", &lesson.reading)].into_iter().flatten().collect(),
    }
}

/// Takes the rule out of the notes: the last paragraph that begins with a word in bold type and a
/// colon. Returns it without that word.
fn take_rule(notes: &mut Vec<Block>) -> Option<Vec<Inline>> {
    let is_rule = |block: &Block| match block {
        Block::Paragraph(words) => {
            matches!(words.first(), Some(Inline::Strong(label))
                if plain(label).ends_with([':', '：']))
        }
        _ => false,
    };
    let at = notes.iter().rposition(is_rule)?;
    let Block::Paragraph(words) = notes.remove(at) else { return None };
    let mut words: Vec<Inline> = words.into_iter().skip(1).collect();
    if let Some(Inline::Text(first)) = words.first_mut() {
        let rest = first.trim_start();
        let mut letters = rest.chars();
        *first = letters
            .next()
            .map_or(String::new(), |letter| letter.to_uppercase().chain(letters.clone()).collect());
    }
    Some(words)
}

impl Review {
    /// Returns the review for an exam: the situation and the questions, without answers.
    pub fn withheld(self) -> Review {
        let withhold = |quiz: QuizView| {
            let unsaid = |choice: Choice| Choice { right: None, ..choice };
            QuizView {
                choices: quiz.choices.into_iter().map(unsaid).collect(),
                is_right: false,
                withheld: true,
                explanation: Vec::new(),
                shows: None,
                ..quiz
            }
        };
        let quizzes = self.quizzes.into_iter().map(withhold).collect();
        Review {
            rule: Vec::new(),
            calls: None,
            intro: self.intro,
            misconception: None,
            quizzes,
            more: Vec::new(),
        }
    }
}

fn quiz_view(lesson: &Lesson, quiz: &Quiz, given: &Given, lang: Lang) -> QuizView {
    let timeline = quiz.variant.and_then(|variant| {
        let scenario = lesson.scenario(variant).ok()?;
        let mut timeline = Timeline::start(Rc::new(scenario)).ok()?;
        schedule::play(&mut timeline, &quiz.schedule).ok()?;
        Some(timeline)
    });
    let steps = |timeline: &Timeline| -> Vec<String> {
        timeline.frames().iter().skip(1).map(|frame| row_words(frame, lang)).collect()
    };
    let variant = quiz.variant.and_then(|at| lesson.variants.get(at));
    let choice = |(number, label): (usize, &crate::text::Both<String>)| Choice {
        label: label.get(lang).clone(),
        ticked: given.ticked.contains(&number),
        right: given.done.then(|| quiz.right.contains(&number)),
    };
    QuizView {
        id: quiz.id.clone(),
        question: quiz.words.label.get(lang).clone(),
        variant: quiz.variant,
        variant_label: variant.map(|v| v.label.get(lang).clone()).unwrap_or_default(),
        cells: timeline.as_ref().map(strip::strip).unwrap_or_default(),
        said: timeline.as_ref().map(steps).unwrap_or_default(),
        keys: timeline.as_ref().map(|timeline| keys(timeline, lang)).unwrap_or_default(),
        choices: quiz.choices.iter().enumerate().map(choice).collect(),
        several: quiz.several,
        done: given.done,
        is_right: given.done && given.ticked == quiz.right,
        withheld: false,
        explanation: match given.done {
            true => quiz.words.body.get(lang).clone(),
            false => Vec::new(),
        },
        schedule: quiz.schedule.clone(),
        shows: quiz.shows.clone(),
    }
}

/// Returns the keys at the end of the run, each on one line.
fn keys(timeline: &Timeline, lang: Lang) -> Vec<(String, String)> {
    let panel = panel(timeline, lang);
    let several = panel.nodes.len() > 1;
    let mut out = Vec::new();
    for node in &panel.nodes {
        for row in node.keys.iter().filter(|row| !row.gone) {
            let items = row.items.iter().filter_map(|item| {
                let now = item.now.as_ref()?;
                Some(match &item.name {
                    Some(name) => format!("{name}: {now}"),
                    None => now.clone(),
                })
            });
            let mut value = items.collect::<Vec<_>>().join(", ");
            if let Some(ttl_ms) = row.ttl_ms {
                value += &format!(" ({ttl_ms} ms)");
            }
            let name =
                if several { format!("{} · {}", node.name, row.key) } else { row.key.clone() };
            out.push((name, value));
        }
    }
    out
}
