//! `lesson.toml` as it is written.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::lesson::FlowKind;
use crate::sim::{Faults, Kind, TimeMode};
use crate::text::Both;

use super::crowd::CrowdRow;

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
    /// No client is held up longer than this between two of its steps.
    pub slow_ms: Option<u32>,
    pub wire: Option<bool>,
    /// Programs may end with an error whose message contains this.
    pub expect_error: Option<String>,
    #[serde(default, rename = "property")]
    pub properties: Vec<PropertyRow>,
    #[serde(default, rename = "variant")]
    pub variants: Vec<VariantRow>,
    #[serde(default, rename = "walk")]
    pub walks: Vec<WalkRow>,
    pub challenge: Option<ChallengeRow>,
    pub exercise: Option<ExerciseRow>,
    #[serde(default, rename = "quiz")]
    pub quizzes: Vec<QuizRow>,
    #[serde(default, rename = "lens")]
    pub lenses: Vec<LensRow>,
    pub panels: Option<PanelsRow>,
    pub crowd: Option<CrowdRow>,
    /// `[flow]` where there is one, `[[flow]]` where there are more.
    #[serde(default, rename = "flow", deserialize_with = "one_or_more")]
    pub flows: Vec<FlowRow>,
    /// A guide: questions and advice in place of variants.
    #[serde(default, rename = "question")]
    pub questions: Vec<QuestionRow>,
    #[serde(default, rename = "advice")]
    pub advice: Vec<AdviceRow>,
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
    expecting = "a client is a file name, or { program = …, process = …, clock_ms = …, \
                 expect_error = …, again = … }"
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
    expect_error: Option<String>,
    #[serde(default)]
    again: bool,
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

    pub fn expect_error(&self) -> Option<&String> {
        match self {
            ClientRow::Program(_) => None,
            ClientRow::Whole(client) => client.expect_error.as_ref(),
        }
    }

    pub fn again(&self) -> bool {
        matches!(self, ClientRow::Whole(client) if client.again)
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
    pub slow_ms: Option<u32>,
    pub wire: Option<bool>,
    pub expect_error: Option<String>,
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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChallengeRow {
    pub variant: Spanned<String>,
    /// An `always` that the variant breaks.
    pub property: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExerciseRow {
    pub variant: Spanned<String>,
    /// Which of its programs the learner rewrites.
    pub program: Spanned<String>,
    /// The file of the learner's first program; the variant's own program if absent.
    pub starter: Option<Spanned<String>>,
    pub solution: Spanned<String>,
    /// Other correct ones.
    #[serde(default)]
    pub accept: Vec<Spanned<String>>,
    /// Typical wrong ones.
    #[serde(default)]
    pub reject: Vec<Spanned<String>>,
    pub properties: Spanned<Vec<Spanned<String>>>,
    /// In place of the variant's.
    pub faults: Option<Spanned<Faults>>,
}

/// One of `answer`, `possible` and `who` says what is asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuizRow {
    pub id: Spanned<String>,
    pub variant: Spanned<String>,
    /// The run that leads to the state that is shown.
    pub schedule: Spanned<String>,
    /// The steps to take before the answer is read.
    pub then: Option<Spanned<String>>,
    /// Places as prose has them; what they say then is the right choice.
    pub answer: Option<Spanned<String>>,
    pub choices: Option<Spanned<Vec<Spanned<String>>>>,
    /// A condition: is there a way to go on after which it is true?
    pub possible: Option<Spanned<String>>,
    /// A condition about the client `me`: for which clients is there such a way?
    pub who: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LensRow {
    pub program: Spanned<String>,
    pub file: Spanned<String>,
    /// The library.
    pub label: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelsRow {
    pub ttl: Option<Spanned<String>>,
    pub quorum: Option<QuorumRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuorumRow {
    pub key: Spanned<String>,
    pub owner: Spanned<String>,
    pub until: Spanned<String>,
    /// Names of the instances that vote; all, unless said otherwise.
    #[serde(default)]
    pub on: Vec<Spanned<String>>,
    /// The keys that vote in a variant of one instance.
    #[serde(default)]
    pub keys: Vec<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlowRow {
    pub program: Spanned<String>,
    #[serde(default, rename = "node")]
    pub nodes: Vec<NodeRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeRow {
    pub id: Spanned<String>,
    /// First and last line of the program that belong to it.
    pub lines: Option<Spanned<[u32; 2]>>,
    #[serde(default)]
    pub kind: FlowKind,
    pub text: Both<String>,
    #[serde(default)]
    pub next: Vec<EdgeRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeRow {
    pub to: Spanned<String>,
    pub when: Option<Both<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionRow {
    pub id: Spanned<String>,
    pub text: Both<String>,
    pub answers: Vec<AnswerRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerRow {
    pub text: Both<String>,
    /// A question or an advice.
    pub to: Spanned<String>,
}

/// Its title and its words are a section of the prose.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdviceRow {
    pub id: Spanned<String>,
    pub lesson: Spanned<String>,
    #[serde(default)]
    pub because: Vec<EvidenceRow>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceRow {
    pub lesson: Spanned<String>,
    pub variant: Spanned<String>,
    pub property: Spanned<String>,
}

/// A table, or a list of them. (An untagged enum would lose where each thing stands.)
fn one_or_more<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct OneOrMore<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMore<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table or a list of tables")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
            Ok(vec![T::deserialize(MapAccessDeserializer::new(map))?])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(seq))
        }
    }

    deserializer.deserialize_any(OneOrMore(PhantomData))
}

/// The line, from 1, that holds byte `at` of `text`.
pub fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&b| b == b'\n').count() + 1
}
