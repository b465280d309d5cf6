//! Questions about a state. Their answers are computed: read after a few more steps, or searched
//! for over all continuations. And questions about all variants: which of them keep a property.
//! Their answers are the claims of the variants, which `check` and the tests compute.

use toml::Spanned;

use crate::lesson::{Block, Inline, Lesson, Quiz, Variant, Words};
use crate::sim::{Action, Check, Kind, Limits, Property, Timeline};
use crate::text::{Both, Lang};

use super::build::Builder;
use super::manifest::QuizRow;
use super::markdown::{Document, Section};
use super::placeholders;
use super::words::{Frames, md};

/// The most states of a search: a lesson is compiled each time the page is built.
const STATES_MAX: u32 = 30_000;

/// The states searched between two checks for an answer.
const PORTION: u32 = 1 << 10;

/// The computed answer.
#[derive(Default)]
struct Answer {
    choices: Vec<Both<String>>,
    several: bool,
    right: Vec<usize>,
    shows: Option<String>,
}

impl Builder<'_> {
    pub fn quiz(
        &mut self,
        lesson: &Lesson,
        row: &QuizRow,
        documents: &Both<Document>,
    ) -> Option<Quiz> {
        if let Some(keep) = &row.keep {
            return self.keeping(lesson, row, keep, documents);
        }
        let (Some(at), Some(run)) = (&row.variant, &row.schedule) else {
            let message = "a quiz is about a state".to_owned();
            let remedy = "give it variant and schedule; or keep, which asks about all variants";
            self.in_manifest(row.id.span(), message, remedy);
            return None;
        };
        let variant = self.variant_called(lesson, at)?;
        let mut timeline = self.play(lesson, variant, at, run)?;
        let (schedule, shown) = (timeline.schedule(), timeline.cursor());
        if let Some(then) = &row.then {
            self.go_on(&mut timeline, then)?;
        }
        let frames = timeline.frames();
        let frames = Frames { label: &frames[shown], body: &frames[timeline.cursor()] };
        let words = self.words(documents, &format!("quiz {}", row.id.get_ref()), Some(&frames));
        let answer = match (&row.answer, &row.possible, &row.who) {
            (Some(answer), None, None) => self.reading(row, answer, &timeline)?,
            (None, Some(condition), None) => self.possible(condition, &timeline)?,
            (None, None, Some(condition)) => self.who(condition, &timeline)?,
            _ => {
                let message = "a quiz asks one thing".to_owned();
                let remedy = "give it one of answer, possible, who and keep";
                self.in_manifest(row.id.span(), message, remedy);
                return None;
            }
        };
        if let Some(choices) = row.choices.as_ref().filter(|_| row.answer.is_none()) {
            let message = "these choices are made by themselves".to_owned();
            self.in_manifest(choices.span(), message, "leave choices out: only answer has them");
        }
        let Answer { choices, several, right, shows } = answer;
        let (id, variant) = (row.id.get_ref().clone(), Some(variant));
        Some(Quiz { id, variant, schedule, choices, several, right, shows, words })
    }

    /// Which variants keep all of these properties? The choices are the variants.
    fn keeping(
        &mut self,
        lesson: &Lesson,
        row: &QuizRow,
        keep: &Spanned<Vec<Spanned<String>>>,
        documents: &Both<Document>,
    ) -> Option<Quiz> {
        let others = [&row.variant, &row.schedule, &row.then, &row.answer, &row.possible, &row.who];
        if others.iter().any(|other| other.is_some()) || row.choices.is_some() {
            let message = "keep asks about all variants, and nothing else".to_owned();
            let remedy = "leave out variant, schedule, then, answer, choices, possible and who";
            self.in_manifest(row.id.span(), message, remedy);
            return None;
        }
        let names = keep.get_ref().iter();
        let wanted: Vec<usize> =
            names.filter_map(|name| self.property_called(lesson, name)).collect();
        for variant in &lesson.variants {
            let has = |at: &usize| variant.claims.iter().any(|claim| claim.property == *at);
            for at in wanted.iter().filter(|at| !has(at)) {
                let (id, property) = (&variant.id, &lesson.properties[*at].id);
                let message = format!("{id} claims nothing of {property}");
                self.in_manifest(keep.span(), message, "add it to the expect of that variant");
            }
        }
        let keeps = |variant: &Variant| broken(variant, &wanted).is_none();
        let right = (0..lesson.variants.len()).filter(|at| keeps(&lesson.variants[*at]));
        let right: Vec<usize> = right.collect();
        if wanted.is_empty() || right.is_empty() || right.len() == lesson.variants.len() {
            let message = "the variants do not differ in what they keep".to_owned();
            let remedy = "name properties that some variants keep and others do not";
            self.in_manifest(keep.span(), message, remedy);
        }
        Some(Quiz {
            id: row.id.get_ref().clone(),
            choices: lesson.variants.iter().map(|variant| variant.label.clone()).collect(),
            several: true,
            right,
            words: self.reasons(lesson, row.id.get_ref(), &wanted, documents),
            ..Quiz::default()
        })
    }

    /// The words of a question about all variants. After the body stands a list: for each variant
    /// what became of it, and the sentence that says why.
    fn reasons(
        &mut self,
        lesson: &Lesson,
        id: &str,
        wanted: &[usize],
        documents: &Both<Document>,
    ) -> Words {
        let key = format!("quiz {id}");
        let mut words = self.words(documents, &key, None);
        for lang in Lang::ALL {
            let sections = &documents.get(lang).sections;
            let Some(section) = sections.iter().find(|section| section.key == key) else {
                continue;
            };
            for step in &section.steps {
                if lesson.variant(&step.heading).is_none() {
                    let message = format!("there is no variant {}", step.heading);
                    let remedy = "### and a variant's id, one for each variant";
                    self.problem(&md(lang), step.line, message, remedy);
                }
            }
            let mut items = Vec::new();
            for variant in &lesson.variants {
                let Some(why) = reason(section, &variant.id) else {
                    let message = format!("{key} does not say why of {}", variant.id);
                    let remedy = format!("add \"### {}\", and one paragraph under it", variant.id);
                    self.problem(&md(lang), section.line, message, &remedy);
                    continue;
                };
                let (mark, after) = became(variant, wanted, lang);
                let mut item = vec![
                    Inline::Text(mark.to_owned()),
                    Inline::Strong(vec![Inline::Text(variant.label.get(lang).clone())]),
                    Inline::Text(after),
                ];
                item.extend(why.iter().cloned());
                items.push(item);
            }
            words.body.get_mut(lang).push(Block::List(items));
        }
        words
    }

    /// Reads the answer from the state; it must be one of the choices.
    fn reading(
        &mut self,
        row: &QuizRow,
        answer: &Spanned<String>,
        timeline: &Timeline,
    ) -> Option<Answer> {
        let computed = match placeholders::fill_exactly(answer.get_ref(), timeline.frame()) {
            Ok(computed) => computed,
            Err(missing) => {
                let message = format!("{} has no value there", missing.join(", "));
                self.in_manifest(answer.span(), message, placeholders::KINDS);
                return None;
            }
        };
        if computed == *answer.get_ref() {
            let message = "an answer is computed, not written".to_owned();
            self.in_manifest(answer.span(), message, placeholders::KINDS);
        }
        let Some(choices) = row.choices.as_ref().filter(|all| all.get_ref().len() >= 2) else {
            let message = format!("there is nothing to choose; the answer is {computed}");
            let remedy = "add choices = [\"…\", \"…\"], two or more";
            self.in_manifest(answer.span(), message, remedy);
            return None;
        };
        let texts: Vec<&String> = choices.get_ref().iter().map(Spanned::get_ref).collect();
        for (at, choice) in choices.get_ref().iter().enumerate() {
            if texts[..at].contains(&choice.get_ref()) {
                let message = format!("{} is there twice", choice.get_ref());
                self.in_manifest(choice.span(), message, "make each choice another one");
            }
        }
        let right: Vec<usize> = (0..texts.len()).filter(|at| *texts[*at] == computed).collect();
        if right.is_empty() {
            let message = format!("the answer, {computed}, is not among the choices");
            self.in_manifest(choices.span(), message, "write it as it stands here");
        }
        Some(Answer {
            choices: texts.iter().map(|text| same(text)).collect(),
            several: false,
            right,
            shows: row.then.as_ref().map(|_| timeline.schedule()),
        })
    }

    /// Answers if some continuation makes the condition true.
    fn possible(&mut self, condition: &Spanned<String>, timeline: &Timeline) -> Option<Answer> {
        let way = self.way(condition, condition.get_ref(), timeline)?;
        let yes = Both { en: "Yes".to_owned(), zh: "有可能".to_owned() };
        let no = Both { en: "No".to_owned(), zh: "不可能".to_owned() };
        let right = usize::from(way.is_none());
        Some(Answer { choices: vec![yes, no], right: vec![right], shows: way, several: false })
    }

    /// Answers for which clients some continuation makes the condition true.
    fn who(&mut self, condition: &Spanned<String>, timeline: &Timeline) -> Option<Answer> {
        let mut answer = Answer { several: true, ..Answer::default() };
        for (place, id) in timeline.world().ids().enumerate() {
            let letter = id.letter().to_string();
            // The line's end, for a condition with a comment behind it.
            let bound = format!("(function(me) return {}\nend)(\"{letter}\")", condition.get_ref());
            let way = self.way(condition, &bound, timeline)?;
            answer.choices.push(same(&letter));
            if way.is_some() {
                answer.right.push(place);
            }
            // A run that shows it of one does not show it of two.
            answer.shows = if answer.right.len() == 1 { way.or(answer.shows) } else { None };
        }
        Some(answer)
    }

    /// Returns a shortest run through the timeline's state to one where the condition is true, if
    /// there is one. Mistakes are reported; then there is no answer.
    fn way(
        &mut self,
        at: &Spanned<String>,
        condition: &str,
        timeline: &Timeline,
    ) -> Option<Option<String>> {
        match search(condition, timeline) {
            Ok(None) => Some(None),
            Ok(Some(trace)) => {
                let mut shown = timeline.clone();
                let played = trace.iter().try_for_each(|action| shown.step(*action));
                Some(played.ok().map(|()| shown.schedule()))
            }
            Err(why) => {
                let remedy = "a condition is Lua, such as sum(\"sold\") == 2; keep the rest of the \
                              run small";
                self.in_manifest(at.span(), why, remedy);
                None
            }
        }
    }
}

/// The first of the properties that a variant does not keep: its steps, where they are pinned.
fn broken(variant: &Variant, wanted: &[usize]) -> Option<Option<usize>> {
    let claims = variant.claims.iter().filter(|claim| wanted.contains(&claim.property));
    claims.filter(|claim| !claim.holds).map(|claim| claim.steps).next()
}

/// What stands before a variant's name, and after it.
fn became(variant: &Variant, wanted: &[usize], lang: Lang) -> (&'static str, String) {
    let broken = broken(variant, wanted);
    let mark = if broken.is_none() { "✓ " } else { "✕ " };
    let after = match (broken.flatten(), lang) {
        (None, Lang::En) => ": ".to_owned(),
        (None, Lang::Zh) => "：".to_owned(),
        (Some(1), Lang::En) => ", broken in 1 step: ".to_owned(),
        (Some(steps), Lang::En) => format!(", broken in {steps} steps: "),
        (Some(steps), Lang::Zh) => format!("，{steps} 步出错："),
    };
    (mark, after)
}

/// The one paragraph under a variant's heading.
fn reason<'s>(section: &'s Section, variant: &str) -> Option<&'s [Inline]> {
    let mut steps = section.steps.iter().filter(|step| step.heading == variant);
    match (steps.next()?.words.as_slice(), steps.next()) {
        ([Block::Paragraph(words)], None) => Some(words),
        _ => None,
    }
}

fn search(condition: &str, timeline: &Timeline) -> Result<Option<Vec<Action>>, String> {
    let property = Property::new(Kind::Sometimes, condition, "the condition");
    let mut scenario = timeline.scenario().clone();
    scenario.properties = vec![property.map_err(|error| error.message())?];
    let limits = Limits {
        states_max: STATES_MAX,
        partial_order: false,
        symmetry: false,
        ..Limits::default()
    };
    let check = Check::starting_at(&scenario, timeline.world(), limits);
    let mut check = check.map_err(|why| why.to_string())?;
    loop {
        let over = check.advance(PORTION);
        if let Some(mistake) = check.mistake() {
            return Err(mistake.to_owned());
        }
        match check.verdict(0).holds {
            Some(true) => return Ok(check.verdict(0).trace),
            Some(false) => return Ok(None),
            None if over => {
                return Err(format!("more than {STATES_MAX} states can come after this one"));
            }
            None => {}
        }
    }
}

/// A text that is the same in both languages.
fn same(text: &str) -> Both<String> {
    Both { en: text.to_owned(), zh: text.to_owned() }
}
