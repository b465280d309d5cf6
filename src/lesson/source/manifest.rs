//! `lesson.toml` as it is written.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::sim::Kind;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// How long a first-time reader takes.
    pub minutes: u32,
    /// Commands run beforehand, as one types them into redis-cli.
    #[serde(default)]
    pub setup: Vec<Spanned<String>>,
    #[serde(default, rename = "property")]
    pub properties: Vec<PropertyRow>,
    #[serde(default, rename = "variant")]
    pub variants: Vec<VariantRow>,
    #[serde(default, rename = "walk")]
    pub walks: Vec<WalkRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PropertyRow {
    pub id: Spanned<String>,
    pub kind: Spanned<Kind>,
    pub check: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantRow {
    pub id: Spanned<String>,
    /// A program file per client: A, B, C …
    pub clients: Spanned<Vec<Spanned<String>>>,
    /// In place of the lesson's setup.
    pub setup: Option<Vec<Spanned<String>>>,
    /// Which properties are watched, and what a complete search must answer.
    pub expect: Spanned<BTreeMap<String, Expectation>>,
    pub states: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    pub verdict: Verdict,
    pub steps: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Holds,
    Breaks,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WalkRow {
    pub id: Spanned<String>,
    pub variant: Spanned<String>,
    pub schedule: Spanned<String>,
}

/// The line, from 1, that holds byte `at` of `text`.
pub fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&b| b == b'\n').count() + 1
}
