//! The structure of `lesson.toml`, as authors write it.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

use crate::lesson::FlowKind;
use crate::scenario::manifest::{self, InManifest};
use crate::scenario::tree::Tree;
use crate::sim::{Faults, Kind};
use crate::text::Both;

use super::crowd::CrowdRow;

/// What a lesson has besides the worlds of its variants, which [`Manifest::written`] has.
#[derive(Debug, Deserialize)]
pub struct Manifest {
    #[serde(skip)]
    pub tree: Tree,
    /// The minutes that a first-time reader needs.
    pub minutes: u32,
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
    /// `[flow]` if there is one, `[[flow]]` if there are several.
    #[serde(default, rename = "flow", deserialize_with = "one_or_more")]
    pub flows: Vec<FlowRow>,
    /// A guide: questions and advice instead of variants.
    #[serde(default, rename = "question")]
    pub questions: Vec<QuestionRow>,
    #[serde(default, rename = "advice")]
    pub advice: Vec<AdviceRow>,
    /// Variants that stand in other lessons now.
    #[serde(default)]
    pub moved: Vec<MovedRow>,
}

impl Manifest {
    /// Returns the worlds of the variants as they are written.
    pub fn written(&self) -> impl Iterator<Item = InManifest<'_>> {
        let root = &self.tree;
        manifest::variants(root).iter().map(move |variant| InManifest { root, variant })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PropertyRow {
    pub id: Spanned<String>,
    pub kind: Spanned<Kind>,
    pub check: Spanned<String>,
}

/// What is expected of a variant.
#[derive(Debug, Deserialize)]
pub struct VariantRow {
    pub id: Spanned<String>,
    /// The properties that are checked, with the verdict of a complete search.
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
    /// The `always` property to break.
    pub property: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExerciseRow {
    pub variant: Spanned<String>,
    /// The program that the learner rewrites, or else several.
    pub program: Option<Spanned<String>>,
    #[serde(default)]
    pub programs: Vec<Spanned<String>>,
    /// The file of the learner's first program; the variant's own program if absent.
    pub starter: Option<Spanned<String>>,
    pub solution: Spanned<String>,
    /// Other correct answers.
    #[serde(default)]
    pub accept: Vec<Spanned<String>>,
    /// Typical wrong answers.
    #[serde(default)]
    pub reject: Vec<Spanned<String>>,
    pub properties: Spanned<Vec<Spanned<String>>>,
    /// Faults that replace the variant's.
    pub faults: Option<Spanned<Faults>>,
}

/// A question; one of `answer`, `possible` and `who` says which kind it is.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuizRow {
    pub id: Spanned<String>,
    /// Nothing where `keep` asks about all variants.
    pub variant: Option<Spanned<String>>,
    /// The run that leads to the state that is shown.
    pub schedule: Option<Spanned<String>>,
    /// The steps to make before the answer is read.
    pub then: Option<Spanned<String>>,
    /// A text with placeholders; filled in, it is the right choice.
    pub answer: Option<Spanned<String>>,
    pub choices: Option<Spanned<Vec<Spanned<String>>>>,
    /// A condition; the question is if some continuation makes it true.
    pub possible: Option<Spanned<String>>,
    /// A condition about the client `me`; the question is for which clients some continuation makes
    /// it true.
    pub who: Option<Spanned<String>>,
    /// Properties: which variants keep all of them?
    pub keep: Option<Spanned<Vec<Spanned<String>>>>,
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
    /// The names of the instances that vote; by default all.
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
    /// The first and last line of the program that belong to it.
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
    /// The id of a question or an advice.
    pub to: Spanned<String>,
}

/// An advice; its title and text are a section of the prose.
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
pub struct MovedRow {
    pub variant: Spanned<String>,
    pub lesson: Spanned<String>,
    /// Its id there, if another.
    pub to: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceRow {
    pub lesson: Spanned<String>,
    pub variant: Spanned<String>,
    pub property: Spanned<String>,
}

/// Reads a table, or a list of tables. (An untagged enum would lose the positions.)
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

/// Returns the line, from 1, that holds byte `at` of `text`.
pub fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&b| b == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// serde passes over what it does not know, and `FURTHER` says what is known.
    #[test]
    fn no_field_of_a_lesson_is_passed_over() {
        for name in manifest::FURTHER {
            let read = toml::from_str::<Manifest>(&format!("minutes = 1\n{name} = 0"));
            assert!(read.is_err(), "{name} is no row here");
        }
    }
}
