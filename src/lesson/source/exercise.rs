//! Reads and checks the tasks of the learner: "break it" and "fix it".

use std::ops::Range;

use toml::Spanned;

use crate::lesson::{Challenge, Exercise, Lesson, no_piece};
use crate::lua;
use crate::sim::Kind;
use crate::text::{Both, Lang};

use super::build::Builder;
use super::manifest::{ChallengeRow, ExerciseRow};
use super::markdown::Document;
use super::{Attempt, Role};

impl Builder<'_> {
    pub fn challenge(
        &mut self,
        lesson: &Lesson,
        row: &ChallengeRow,
        documents: &Both<Document>,
    ) -> Option<Challenge> {
        let words = self.words(documents, "challenge", None);
        let variant = self.variant_called(lesson, &row.variant)?;
        let property = self.property_called(lesson, &row.property)?;
        let id = row.property.get_ref();
        if lesson.properties[property].kind != Kind::Always {
            let message = format!("{id} is no always-property");
            let remedy = "to break it, one must reach a state in which an always is false";
            self.in_manifest(row.property.span(), message, remedy);
        }
        let claims = &lesson.variants[variant].claims;
        let claim = claims.iter().find(|claim| claim.property == property && !claim.holds);
        let steps = claim.and_then(|claim| claim.steps);
        if steps.is_none() {
            let message = format!("{} pins no steps to break {id}", row.variant.get_ref());
            let remedy = format!("its expect wants {id} = {{ verdict = \"breaks\", steps = … }}");
            self.in_manifest(row.property.span(), message, &remedy);
        }
        Some(Challenge { variant, property, steps: steps?, words })
    }

    /// Reads the exercise, and the answers by which it is tested.
    pub fn exercise(
        &mut self,
        lesson: &Lesson,
        row: &ExerciseRow,
        documents: &Both<Document>,
    ) -> Option<(Exercise, Vec<Attempt>)> {
        let words = self.words(documents, "exercise", None);
        let attempts = self.attempts(row);
        let variant = self.variant_called(lesson, &row.variant)?;
        let mut programs: Vec<usize> = Vec::new();
        for name in row.program.iter().chain(&row.programs) {
            let program = self.program_called(lesson, name)?;
            if !lesson.variants[variant].programs().any(|at| at == program) {
                let message = format!("no client of {} runs it", row.variant.get_ref());
                self.in_manifest(name.span(), message, "name a program of that variant");
            }
            if programs.contains(&program) {
                let message = format!("{} is named twice", name.get_ref());
                self.in_manifest(name.span(), message, "name each program once");
            }
            programs.push(program);
        }
        if row.program.is_some() != row.programs.is_empty() {
            let message = "an exercise has a program, or several programs".to_owned();
            let remedy = "program = \"a.lua\", or programs = [\"a.lua\", \"b.lua\"]";
            self.in_manifest(row.variant.span(), message, remedy);
            return None;
        }
        for attempt in &attempts {
            self.is_lua(lesson, &programs, attempt);
        }
        let properties = self.properties_called(lesson, &row.properties);
        let solution = attempts.iter().find(|attempt| attempt.role == Role::Solution)?;
        let starter = attempts.iter().find(|attempt| attempt.role == Role::Starter);
        let own = lesson.as_they_are(&programs);
        let exercise = Exercise {
            variant,
            starter: starter.map_or(&own, |starter| &starter.source).clone(),
            solution: solution.source.clone(),
            properties,
            faults: row
                .faults
                .as_ref()
                .map_or(lesson.variants[variant].world.faults, |f| *f.get_ref()),
            words,
            programs,
        };
        let mut attempts = attempts;
        if row.starter.is_none() {
            let files = exercise.programs.iter().map(|at| lesson.programs[*at].file.as_str());
            let file = files.collect::<Vec<_>>().join(", ");
            attempts.insert(0, Attempt { role: Role::Starter, file, source: own });
        }
        Some((exercise, attempts))
    }

    /// Reports an answer that is not Lua, or lacks a program.
    fn is_lua(&mut self, lesson: &Lesson, programs: &[usize], attempt: &Attempt) {
        let file = &attempt.file;
        match lesson.pieces(programs, &attempt.source) {
            Ok(pieces) => {
                for piece in pieces {
                    if let Err(error) = lua::compile(piece.text.as_bytes(), file) {
                        let line = piece.before + error.line as usize;
                        self.problem(file, line, error.message(), "the program is Lua 5.1");
                    }
                }
            }
            Err(missing) => {
                let remedy = "each program begins after such a line, also the first";
                self.problem(file, 1, no_piece(&missing, Lang::En), remedy);
            }
        }
    }

    fn properties_called(
        &mut self,
        lesson: &Lesson,
        names: &Spanned<Vec<Spanned<String>>>,
    ) -> Vec<usize> {
        let mut properties: Vec<usize> = Vec::new();
        for name in names.get_ref() {
            properties.extend(self.property_called(lesson, name));
        }
        let has = |kind| properties.iter().any(|at| lesson.properties[*at].kind == kind);
        if !has(Kind::Always) || !has(Kind::Sometimes) {
            let message = "an exercise needs an always and a sometimes property".to_owned();
            let remedy = "without a sometimes, a program that does nothing would solve it";
            self.in_manifest(names.span(), message, remedy);
        }
        properties
    }

    /// Reads the answers that the exercise names, each with the expected verdict.
    fn attempts(&mut self, row: &ExerciseRow) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        let mut add = |name: &Spanned<String>, role: Role| {
            let file = name.get_ref();
            // An answer may be a program that a variant runs: it need not stand there twice.
            let program = self.files.get(file).filter(|_| !file.contains('/')).cloned();
            let Some(source) = program.or_else(|| self.file_in("exercise", name)) else { return };
            if attempts.iter().any(|known: &Attempt| known.file == *file) {
                let message = format!("{file} is named twice");
                self.in_manifest(name.span(), message, "a program either solves it or does not");
            }
            attempts.push(Attempt { role, file: file.clone(), source });
        };
        row.starter.iter().for_each(|name| add(name, Role::Starter));
        add(&row.solution, Role::Solution);
        row.accept.iter().for_each(|name| add(name, Role::Accept));
        row.reject.iter().for_each(|name| add(name, Role::Reject));
        attempts
    }

    /// Returns the text of a file in one of the lesson's subfolders.
    pub fn file_in(&mut self, folder: &str, name: &Spanned<String>) -> Option<String> {
        let file = name.get_ref();
        let inside = file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let found = self.files.get(file).filter(|_| inside);
        if found.is_none() {
            let message = format!("there is no file {file}");
            let remedy = format!("name a file of the lesson's folder {folder}: {folder}/…");
            self.in_manifest(name.span(), message, &remedy);
        }
        self.used.insert(file.clone());
        found.cloned()
    }

    pub fn variant_called(&mut self, lesson: &Lesson, name: &Spanned<String>) -> Option<usize> {
        let known = lesson.variants.iter().map(|variant| variant.id.as_str());
        self.place("variant", name.get_ref(), name.span(), known)
    }

    pub fn property_called(&mut self, lesson: &Lesson, name: &Spanned<String>) -> Option<usize> {
        let known = lesson.properties.iter().map(|property| property.id.as_str());
        self.place("property", name.get_ref(), name.span(), known)
    }

    pub fn program_called(&mut self, lesson: &Lesson, name: &Spanned<String>) -> Option<usize> {
        let known = lesson.programs.iter().map(|program| program.file.as_str());
        self.place("program", name.get_ref(), name.span(), known)
    }

    /// Returns the index of `name` among `known`; reports it if there is none.
    pub fn place<'k>(
        &mut self,
        what: &str,
        name: &str,
        span: Range<usize>,
        known: impl Iterator<Item = &'k str>,
    ) -> Option<usize> {
        let known: Vec<&str> = known.collect();
        let place = known.iter().position(|known| *known == name);
        if place.is_none() {
            let message = format!("there is no {what} {name}");
            self.in_manifest(span, message, &format!("there are: {}", known.join(", ")));
        }
        place
    }
}
