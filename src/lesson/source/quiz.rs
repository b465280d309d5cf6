//! Questions about a state. Their answers are computed: read after a few more steps, or searched
//! for over all continuations.

use toml::Spanned;

use crate::lesson::{Lesson, Quiz};
use crate::sim::{Action, Check, Kind, Limits, Property, Timeline};
use crate::text::Both;

use super::build::Builder;
use super::manifest::QuizRow;
use super::markdown::Document;
use super::placeholders;
use super::words::Frames;

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
        let variant = self.variant_called(lesson, &row.variant)?;
        let mut timeline = self.play(lesson, variant, &row.variant, &row.schedule)?;
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
                let remedy = "give it one of answer, possible and who";
                self.in_manifest(row.id.span(), message, remedy);
                return None;
            }
        };
        if let Some(choices) = row.choices.as_ref().filter(|_| row.answer.is_none()) {
            let message = "these choices are made by themselves".to_owned();
            self.in_manifest(choices.span(), message, "leave choices out: only answer has them");
        }
        let Answer { choices, several, right, shows } = answer;
        let id = row.id.get_ref().clone();
        Some(Quiz { id, variant, schedule, choices, several, right, shows, words })
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

fn search(condition: &str, timeline: &Timeline) -> Result<Option<Vec<Action>>, String> {
    let property = Property::new(Kind::Sometimes, condition, "the condition");
    let mut scenario = timeline.scenario().clone();
    scenario.properties = vec![property.map_err(|error| error.message)?];
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
