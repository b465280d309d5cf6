//! Assembles the parts of a lesson and checks them against each other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use toml::Spanned;

use crate::lua;
use crate::scenario::checks::{check_condition, command};
use crate::scenario::manifest::{FURTHER, InManifest, of_lesson, of_variant, variants};
use crate::scenario::{self, Mistake, MistakePlace, Mistakes};
use crate::sim::{Kind, ScheduleError, State, Timeline, schedule};
use crate::text::{Both, Key, Lang};

use super::super::{
    Block, Claim, Diagnostic, FORMAT, Lesson, Moved, Program, PropertyDef, Variant, Walk,
};
use super::manifest::{Manifest, MovedRow, PropertyRow, VariantRow, Verdict, WalkRow, line_of};
use super::markdown::{Document, Section};
use super::words::{md, mentions};
use super::{Files, Mention, Written, placeholders, predict};

const MANIFEST: &str = "lesson.toml";

pub fn build(id: &str, shown: &str, files: &Files) -> Result<Written, Vec<Diagnostic>> {
    let (used, problems, met) = (BTreeSet::new(), Vec::new(), BTreeMap::new());
    let mut builder = Builder { shown, files, used, problems, met };
    let written = builder.written(id);
    match written {
        Some(written) if builder.problems.is_empty() => Ok(written),
        _ => {
            builder.problems.sort();
            builder.problems.dedup();
            Err(builder.problems)
        }
    }
}

pub(super) struct Builder<'a> {
    shown: &'a str,
    pub(super) files: &'a Files,
    /// The files of subfolders that are used.
    pub(super) used: BTreeSet<String>,
    problems: Vec<Diagnostic>,
    /// By variant, the outcomes that the programs of variants with stories can meet.
    met: BTreeMap<usize, predict::Met>,
}

impl Builder<'_> {
    pub(super) fn problem(&mut self, file: &str, line: usize, message: String, remedy: &str) {
        let file = format!("{}/{file}", self.shown);
        self.problems.push(Diagnostic { file, line, message, remedy: remedy.to_owned() });
    }

    /// Reports a problem at a place of `lesson.toml`.
    pub(super) fn in_manifest(&mut self, span: Range<usize>, message: String, remedy: &str) {
        let line = self.line(&span);
        self.problem(MANIFEST, line, message, remedy);
    }

    /// Reads something of `lesson.toml`, and reports the mistakes in it.
    pub(super) fn noted<T>(&mut self, read: impl FnOnce(&mut Mistakes) -> T) -> T {
        let mut wrong = Mistakes::new(MistakePlace::File(MANIFEST.to_owned()), Key::TomlRemedy);
        let value = read(&mut wrong);
        for one in wrong.found {
            let line = one.line as usize;
            self.problem(MANIFEST, line, one.what(Lang::En), &one.remedy(Lang::En));
        }
        value
    }

    /// Reports a mistake in the world at a place of `lesson.toml`.
    pub(super) fn mistake(&mut self, span: Range<usize>, mistake: &Mistake) {
        self.in_manifest(span, mistake.what(Lang::En), &mistake.remedy(Lang::En));
    }

    fn line(&self, span: &Range<usize>) -> usize {
        self.files.get(MANIFEST).map_or(0, |text| line_of(text, span.start))
    }

    fn written(&mut self, id: &str) -> Option<Written> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if id.is_empty() || !id.chars().all(plain) {
            let message = format!("\"{id}\" cannot be a lesson's id, which is its folder's name");
            self.problem("", 0, message, "use small letters a-z, digits and hyphens");
        }
        let manifest = self.manifest();
        let documents = self.documents();
        let (manifest, documents) = (manifest?, documents?);
        self.sections_known(&manifest, &documents);
        self.ids_differ(manifest.properties.iter().map(|row| &row.id));
        self.ids_differ(manifest.variants.iter().map(|row| &row.id));
        self.ids_differ(manifest.walks.iter().map(|row| &row.id));
        self.ids_differ(manifest.quizzes.iter().map(|row| &row.id));

        let programs = self.programs(&manifest);
        let properties = self.properties(&manifest, &documents);
        let variants = self.variants(&manifest, &documents, &programs, &properties);
        let lesson = Lesson {
            format: FORMAT,
            id: id.to_owned(),
            minutes: manifest.minutes,
            title: self.per_language(&documents, |document| document.title.clone()),
            goal: self.per_language(&documents, |document| document.goal.clone()),
            intro: self.per_language(&documents, |document| document.intro.clone()),
            programs,
            properties,
            variants,
            misconception: self.free_words(&documents, "misconception"),
            notes: self.free_words(&documents, "notes"),
            reading: self.free_words(&documents, "reading"),
            guide: self.guide(&manifest, &documents),
            ..Lesson::default()
        };
        for lang in Lang::ALL {
            if lesson.title.get(lang).is_empty() || lesson.goal.get(lang).is_empty() {
                let remedy = "begin with \"# Title\" and \"> the goal in one sentence\"";
                self.problem(&md(lang), 1, "the title or the goal is missing".into(), remedy);
            }
        }
        if self.problems.is_empty() {
            for (number, row) in manifest.variants.iter().enumerate() {
                self.starts(&lesson, &manifest, number, row);
            }
        }
        // Walks and quizzes run the programs; with a mistake in these theirs would be noise.
        let runs = self.problems.is_empty();
        let mut written = self.with_parts(lesson, &manifest, &documents);
        if runs {
            self.runs(&mut written.lesson, &manifest, &documents);
        }
        Some(written)
    }

    /// Adds the parts for which no program has to run.
    fn with_parts(
        &mut self,
        mut lesson: Lesson,
        manifest: &Manifest,
        documents: &Both<Document>,
    ) -> Written {
        let challenge = manifest.challenge.as_ref();
        lesson.challenge = challenge.and_then(|row| self.challenge(&lesson, row, documents));
        let exercise = manifest.exercise.as_ref();
        let exercise = exercise.and_then(|row| self.exercise(&lesson, row, documents));
        let (exercise, attempts) = exercise.unzip();
        lesson.exercise = exercise;
        let lenses = manifest.lenses.iter().filter_map(|row| self.lens(&lesson, row));
        lesson.lenses = lenses.collect();
        let flows = manifest.flows.iter().filter_map(|row| self.flow(&lesson, row));
        lesson.flows = flows.collect();
        let panels = manifest.panels.as_ref();
        lesson.panels = panels.map(|row| self.panels(&lesson, row)).unwrap_or_default();
        lesson.crowd = manifest.crowd.as_ref().map(|row| self.crowd(&lesson, row));
        lesson.moved = manifest.moved.iter().map(|row| self.moved(&lesson, row)).collect();
        for name in self.files.keys().filter(|name| name.contains('/')) {
            if !self.used.contains(name) {
                let remedy = "name it in lesson.toml, or remove it".to_owned();
                let file = format!("{}/{name}", self.shown);
                let message = "nothing names this file".to_owned();
                self.problems.push(Diagnostic { file, line: 0, message, remedy });
            }
        }
        let mentions = self.mentions(manifest, documents);
        Written { lesson, attempts: attempts.unwrap_or_default(), mentions }
    }

    /// Reads where a variant has gone; that it is there, only all lessons together can tell.
    fn moved(&mut self, lesson: &Lesson, row: &MovedRow) -> Moved {
        let variant = row.variant.get_ref().clone();
        if lesson.variant(&variant).is_some() {
            let message = format!("the variant {variant} stands in this lesson, too");
            self.in_manifest(row.variant.span(), message, "name one that it had before");
        }
        let to = row.to.clone().unwrap_or_else(|| variant.clone());
        Moved { variant, lesson: row.lesson.get_ref().clone(), to }
    }

    /// Adds the walks and quizzes, which show states that the programs reach.
    fn runs(&mut self, lesson: &mut Lesson, manifest: &Manifest, documents: &Both<Document>) {
        for row in &manifest.walks {
            if let Some(walk) = self.walk(lesson, row, documents) {
                lesson.walks.push(walk);
            }
        }
        for row in &manifest.quizzes {
            if let Some(quiz) = self.quiz(lesson, row, documents) {
                lesson.quizzes.push(quiz);
            }
        }
    }

    /// Returns the other lessons that are mentioned, which can only be checked with all lessons.
    fn mentions(&self, manifest: &Manifest, documents: &Both<Document>) -> Vec<Mention> {
        let at = |file: &str, line: usize, lesson: &str| Mention {
            file: format!("{}/{file}", self.shown),
            line,
            lesson: lesson.to_owned(),
            variant: None,
            evidence: None,
        };
        let links = mentions(documents).map(|(file, line, lesson)| at(&file, line, lesson));
        let mut mentions: Vec<Mention> = links.collect();
        for (number, advice) in manifest.advice.iter().enumerate() {
            let row = &advice.lesson;
            mentions.push(at(MANIFEST, self.line(&row.span()), row.get_ref()));
            for (place, row) in advice.because.iter().enumerate() {
                let mention = at(MANIFEST, self.line(&row.lesson.span()), row.lesson.get_ref());
                mentions.push(Mention { evidence: Some((number, place)), ..mention });
            }
        }
        for row in &manifest.moved {
            let mention = at(MANIFEST, self.line(&row.lesson.span()), row.lesson.get_ref());
            let variant = row.to.as_ref().unwrap_or(row.variant.get_ref()).clone();
            mentions.push(Mention { variant: Some(variant), ..mention });
        }
        mentions
    }

    fn manifest(&mut self) -> Option<Manifest> {
        let Some(text) = self.files.get(MANIFEST) else {
            let remedy = "copy one from another lesson: it names clients, properties and variants";
            self.problem(MANIFEST, 0, "the file is missing".into(), remedy);
            return None;
        };
        let tree = scenario::toml::parse(text);
        if let Ok(tree) = &tree {
            self.noted(|wrong| {
                wrong.only(tree, &[&of_lesson(), &FURTHER[..]].concat(), &["variant"]);
                variants(tree).iter().for_each(|one| wrong.only(one, &of_variant(), &["states"]));
            });
        }
        match (toml::from_str::<Manifest>(text), tree) {
            (Ok(manifest), Ok(tree)) => {
                if manifest.variants.is_empty() && manifest.questions.is_empty() {
                    let remedy = "add a [[variant]] with id, clients and expect, or [[question]]s";
                    self.problem(MANIFEST, 0, "the lesson has no variant".into(), remedy);
                }
                Some(Manifest { tree, ..manifest })
            }
            (Err(error), _) => {
                let remedy = "static/lessons/README.md lists the fields";
                self.in_manifest(error.span().unwrap_or(0..0), error.message().to_owned(), remedy);
                None
            }
            (_, Err(why)) => {
                self.noted(|wrong| wrong.note(why.line, why.what, &[&why.found], Key::TomlRemedy));
                None
            }
        }
    }

    fn programs(&mut self, manifest: &Manifest) -> Vec<Program> {
        let mut programs: BTreeMap<String, Program> = BTreeMap::new();
        for (_, name) in manifest.written().flat_map(InManifest::files) {
            let Some(source) = self.files.get(name) else { continue };
            if let Err(error) = lua::compile(source.as_bytes(), name) {
                let line = error.line as usize;
                self.problem(name, line, error.message(), "the program is Lua 5.1");
            }
            let program = Program { file: name.to_owned(), source: source.clone() };
            programs.insert(name.to_owned(), program);
        }
        for name in self.files.keys().filter(|name| name.ends_with(".lua") && !name.contains('/')) {
            if !programs.contains_key(name) {
                let file = format!("{}/{name}", self.shown);
                let message = "no client of any variant runs this program".to_owned();
                let remedy = "name it in a variant's clients, or remove it".to_owned();
                self.problems.push(Diagnostic { file, line: 0, message, remedy });
            }
        }
        programs.into_values().collect()
    }

    fn properties(&mut self, manifest: &Manifest, documents: &Both<Document>) -> Vec<PropertyDef> {
        manifest.properties.iter().map(|row| self.property(row, documents)).collect()
    }

    fn property(&mut self, row: &PropertyRow, documents: &Both<Document>) -> PropertyDef {
        let id = row.id.get_ref();
        let kind = *row.kind.get_ref();
        if let Some(mistake) = check_condition(0, kind, row.check.get_ref(), id) {
            self.mistake(row.check.span(), &mistake);
        }
        let section = self.section(documents, &format!("property {id}"));
        let label =
            |section: Option<&Section>| section.map(|s| s.label.clone()).unwrap_or_default();
        PropertyDef {
            id: id.clone(),
            kind,
            check: row.check.get_ref().clone(),
            label: Both { en: label(section.en), zh: label(section.zh) },
        }
    }

    fn variants(
        &mut self,
        manifest: &Manifest,
        documents: &Both<Document>,
        programs: &[Program],
        properties: &[PropertyDef],
    ) -> Vec<Variant> {
        let rows = manifest.variants.iter().zip(manifest.written());
        rows.map(|(row, written)| self.variant(row, written, documents, programs, properties))
            .collect()
    }

    fn variant(
        &mut self,
        row: &VariantRow,
        written: InManifest,
        documents: &Both<Document>,
        programs: &[Program],
        properties: &[PropertyDef],
    ) -> Variant {
        let section = self.section(documents, &format!("variant {}", row.id.get_ref()));
        let label =
            |section: Option<&Section>| section.map(|s| s.label.clone()).unwrap_or_default();
        let about = |section: Option<&Section>| section.map(|s| s.body.clone()).unwrap_or_default();
        Variant {
            id: row.id.get_ref().clone(),
            label: Both { en: label(section.en), zh: label(section.zh) },
            about: Both { en: about(section.en), zh: about(section.zh) },
            claims: self.claims(row, properties),
            states: row.states,
            world: self.world(written, programs),
        }
    }

    pub(super) fn setup(&mut self, commands: &[toml::Spanned<String>]) -> Vec<Vec<String>> {
        let mut setup = Vec::new();
        for one in commands {
            match command(one.get_ref(), MistakePlace::Whole, 0) {
                Ok(argv) => setup.push(argv),
                Err(mistake) => self.mistake(one.span(), &mistake),
            }
        }
        setup
    }

    fn claims(&mut self, row: &VariantRow, properties: &[PropertyDef]) -> Vec<Claim> {
        let expect = row.expect.get_ref();
        for id in expect.keys() {
            if !properties.iter().any(|property| property.id == *id) {
                let known: Vec<&str> = properties.iter().map(|p| p.id.as_str()).collect();
                let remedy = format!("the properties are: {}", known.join(", "));
                self.in_manifest(row.expect.span(), format!("there is no property {id}"), &remedy);
            }
        }
        let claims = properties.iter().enumerate().filter_map(|(index, property)| {
            let expectation = expect.get(&property.id)?;
            let holds = expectation.verdict == Verdict::Holds;
            Some(Claim { property: index, holds, steps: expectation.steps })
        });
        let claims: Vec<Claim> = claims.collect();
        let has = |kind| claims.iter().any(|claim| properties[claim.property].kind == kind);
        if !has(Kind::Always) || !has(Kind::Sometimes) {
            let message = "a variant needs an always and a sometimes property".to_owned();
            let remedy = "the sometimes shows that nothing holds by doing nothing";
            self.in_manifest(row.expect.span(), message, remedy);
        }
        claims
    }

    fn walk(&mut self, lesson: &Lesson, row: &WalkRow, documents: &Both<Document>) -> Option<Walk> {
        let id = row.id.get_ref();
        let variant = self.variant_called(lesson, &row.variant)?;
        let timeline = self.play(lesson, variant, &row.variant, &row.schedule)?;
        let section = self.section(documents, &format!("walk {id}"));
        let mut walk = Walk {
            id: id.clone(),
            variant,
            schedule: timeline.schedule(),
            title: Both::default(),
            steps: Both::default(),
            stop: None,
        };
        for lang in Lang::ALL {
            let section = (*section.get(lang))?;
            *walk.title.get_mut(lang) = section.label.clone();
            *walk.steps.get_mut(lang) = self.walk_words(section, lang, &timeline);
        }
        let start = &timeline.frames().first()?.world;
        let met = self.met.entry(variant).or_insert_with(|| predict::Met::from(start));
        walk.stop = predict::stop(&timeline, met);
        Some(walk)
    }

    /// Plays `schedule` in a variant; `at` is where the variant is named.
    pub(super) fn play(
        &mut self,
        lesson: &Lesson,
        variant: usize,
        at: &Spanned<String>,
        schedule: &Spanned<String>,
    ) -> Option<Timeline> {
        let start = lesson
            .scenario(variant)
            .and_then(|scenario| Timeline::start(Rc::new(scenario)).map_err(|why| why.to_string()));
        match start {
            Ok(mut timeline) => {
                self.go_on(&mut timeline, schedule)?;
                Some(timeline)
            }
            Err(message) => {
                self.in_manifest(at.span(), message, "mend the variant's setup or programs");
                None
            }
        }
    }

    /// Continues the run on the timeline.
    pub(super) fn go_on(
        &mut self,
        timeline: &mut Timeline,
        schedule: &Spanned<String>,
    ) -> Option<()> {
        let error = match schedule::play(timeline, schedule.get_ref()) {
            Ok(()) => return Some(()),
            Err(error) => error,
        };
        let message = match error {
            ScheduleError::Unknown { step, token } => {
                format!("step {step}, {token}, is no step; steps are joined with dots: A1.B1.T1")
            }
            ScheduleError::Impossible { step, token, .. } => {
                format!("step {step}, {token}, is impossible there")
            }
            ScheduleError::Ordinal { step, token, expected } => {
                format!("step {step} is written {token}; it would be {expected}")
            }
            ScheduleError::TooLarge => "the values of the run are too large".to_owned(),
            ScheduleError::TooLong => "the schedule is too long".to_owned(),
        };
        let world = timeline.world();
        let failed = world.ids().find_map(|id| match world.client(id)?.state() {
            State::Failed(why) => Some(format!("; {} stopped with an error: {why}", id.letter())),
            _ => None,
        });
        let far = match timeline.schedule() {
            none if none.is_empty() => "not even the first step can be made".to_owned(),
            schedule => format!("it can be played as far as {schedule}"),
        };
        let remedy = format!("{far}{}", failed.unwrap_or_default());
        self.in_manifest(schedule.span(), message, &remedy);
        None
    }

    fn walk_words(
        &mut self,
        section: &Section,
        lang: Lang,
        timeline: &Timeline,
    ) -> Vec<Vec<Block>> {
        let file = md(lang);
        let expected = timeline.len() + 1;
        if section.steps.len() != expected {
            let message = format!("{} has {} steps of words", section.key, section.steps.len());
            let remedy = format!("the schedule wants ### 0 to ### {}", expected - 1);
            self.problem(&file, section.line, message, &remedy);
        }
        let mut words = Vec::new();
        for (number, (step, frame)) in section.steps.iter().zip(timeline.frames()).enumerate() {
            if step.heading != number.to_string() || step.words.is_empty() {
                let message =
                    format!("step \"{}\" stands where {number} should, or is empty", step.heading);
                self.problem(&file, step.line, message, "number the steps 0, 1, 2 … in order");
            }
            let mut blocks = step.words.clone();
            for place in placeholders::fill_blocks(&mut blocks, frame) {
                let message = format!("{place} has no value at this step");
                self.problem(&file, step.line, message, placeholders::KINDS);
            }
            words.push(blocks);
        }
        words
    }
}
