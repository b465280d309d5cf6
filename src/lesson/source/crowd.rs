//! Reads the table `[crowd]` of `lesson.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::lesson::{CrowdDef, CrowdProgram, Lesson, MeasureDef, Program};
use crate::load::{Measure, Plan, SEEDS_MAX};
use crate::lua;
use crate::text::Both;

use super::build::Builder;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrowdRow {
    /// Setup commands that replace the lesson's.
    #[serde(default)]
    pub setup: Vec<Spanned<String>>,
    /// The differences from the default plan, as `clients=300,requests=1`.
    #[serde(default)]
    pub plan: BTreeMap<String, Spanned<toml::Value>>,
    pub seeds: Option<Spanned<u32>>,
    /// The variants worth comparing; by default all.
    pub variants: Option<Vec<Spanned<String>>>,
    /// By variant id, a program that replaces the variant's own.
    #[serde(default)]
    pub programs: BTreeMap<String, Spanned<String>>,
    #[serde(default, rename = "measure")]
    pub measures: Vec<MeasureRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureRow {
    pub id: Spanned<String>,
    pub check: Spanned<String>,
    pub label: Both<String>,
    #[serde(default)]
    pub bad: bool,
}

impl Builder<'_> {
    pub fn crowd(&mut self, lesson: &Lesson, row: &CrowdRow) -> CrowdDef {
        let mut plan: Vec<String> = Vec::new();
        for (name, value) in &row.plan {
            let text = match value.get_ref() {
                toml::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let part = format!("{name}={text}");
            match Plan::read(&part, &Plan::default()) {
                Ok(_) => plan.push(part),
                Err(why) => self.in_manifest(value.span(), why, "see src/load/plan.rs"),
            }
        }
        let seeds = row.seeds.as_ref().map_or(20, |seeds| *seeds.get_ref());
        if let Some(row) = row.seeds.as_ref().filter(|_| !(1..=SEEDS_MAX).contains(&seeds)) {
            let message = format!("{seeds} seeds; there may be 1 to {SEEDS_MAX}");
            self.in_manifest(row.span(), message, "20 show how much runs differ");
        }
        let mut variants: Vec<usize> = (0..lesson.variants.len()).collect();
        if let Some(names) = &row.variants {
            variants = names.iter().filter_map(|name| self.crowd_variant(lesson, name)).collect();
        }
        let mut programs = Vec::new();
        for (id, file) in &row.programs {
            let name = Spanned::new(file.span(), id.clone());
            let variant = self.crowd_variant(lesson, &name);
            if let (Some(variant), Some(program)) = (variant, self.crowd_program(file)) {
                programs.push(CrowdProgram { variant, program });
            }
        }
        CrowdDef {
            setup: self.setup(&row.setup),
            plan: plan.join(","),
            seeds: seeds.into(),
            variants,
            programs,
            measures: row.measures.iter().map(|row| self.measure(row)).collect(),
        }
    }

    fn crowd_variant(&mut self, lesson: &Lesson, name: &Spanned<String>) -> Option<usize> {
        let found = lesson.variant(name.get_ref());
        if found.is_none() {
            let message = format!("there is no variant {}", name.get_ref());
            self.in_manifest(name.span(), message, "[crowd] names variants of this lesson");
        }
        found
    }

    fn crowd_program(&mut self, file: &Spanned<String>) -> Option<Program> {
        let name = file.get_ref();
        let source = self.file_in("crowd", file)?;
        if let Err(error) = lua::compile(source.as_bytes(), name) {
            let line = error.line as usize;
            self.problem(name, line, error.message(), "the program is Lua 5.1");
        }
        Some(Program { file: name.clone(), source })
    }

    fn measure(&mut self, row: &MeasureRow) -> MeasureDef {
        let (id, check) = (row.id.get_ref(), row.check.get_ref());
        if let Err(why) = Measure::new(id, check) {
            let remedy = "a measure is a Lua expression, such as number(\"stock\")";
            self.in_manifest(row.check.span(), why, remedy);
        }
        MeasureDef { id: id.clone(), check: check.clone(), label: row.label.clone(), bad: row.bad }
    }
}
