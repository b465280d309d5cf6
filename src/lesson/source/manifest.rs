//! `lesson.toml` as it is written.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::sim::{Faults, Kind, TimeMode};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// How long a first-time reader takes.
    pub minutes: u32,
    /// Commands run beforehand, as one types them into redis-cli.
    #[serde(default)]
    pub setup: Vec<Spanned<String>>,
    /// Redis instances; the first is the default of `redis.call`. None: one named redis.
    #[serde(default, rename = "instance")]
    pub instances: Vec<InstanceRow>,
    /// Statements run beforehand.
    #[serde(default)]
    pub sql: Vec<Spanned<String>>,
    /// How many faults may happen.
    pub faults: Option<Spanned<Faults>>,
    pub time: Option<TimeMode>,
    pub wire: Option<bool>,
    #[serde(default, rename = "property")]
    pub properties: Vec<PropertyRow>,
    #[serde(default, rename = "variant")]
    pub variants: Vec<VariantRow>,
    #[serde(default, rename = "walk")]
    pub walks: Vec<WalkRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceRow {
    pub name: Spanned<String>,
    /// Commands run on it beforehand; those of the default instance follow the lesson's.
    #[serde(default)]
    pub setup: Vec<Spanned<String>>,
    pub replica_of: Option<Spanned<String>>,
    /// How far its clock is ahead.
    #[serde(default)]
    pub clock_ms: i64,
}

/// A client: its program alone, or with what is special about it.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a client is a file name, or { program = …, process = …, clock_ms = … }"
)]
pub enum ClientRow {
    Program(String),
    Whole(WholeClientRow),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WholeClientRow {
    program: String,
    process: Option<String>,
    #[serde(default)]
    clock_ms: i64,
}

impl ClientRow {
    pub fn program(&self) -> &str {
        match self {
            ClientRow::Program(program) => program,
            ClientRow::Whole(client) => &client.program,
        }
    }

    pub fn process(&self) -> Option<&String> {
        match self {
            ClientRow::Program(_) => None,
            ClientRow::Whole(client) => client.process.as_ref(),
        }
    }

    pub fn clock_ms(&self) -> i64 {
        match self {
            ClientRow::Program(_) => 0,
            ClientRow::Whole(client) => client.clock_ms,
        }
    }
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
    pub clients: Spanned<Vec<Spanned<ClientRow>>>,
    /// In place of the lesson's setup, and of its other settings.
    pub setup: Option<Vec<Spanned<String>>>,
    /// Names of the instances that take part; all, unless said otherwise.
    pub instances: Option<Vec<Spanned<String>>>,
    pub sql: Option<Vec<Spanned<String>>>,
    pub faults: Option<Spanned<Faults>>,
    pub time: Option<TimeMode>,
    pub wire: Option<bool>,
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
