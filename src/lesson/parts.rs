//! The parts of a lesson besides its programs and walks: challenge, exercise, quiz, the same
//! program in other languages, flow charts, instruments and further texts.

use serde::Serialize;

use crate::from_json;
use crate::json::{FromJson, Json, Wrong};
use crate::sim::Faults;
use crate::text::Both;

use super::Block;

/// A heading and its text.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Words {
    pub label: Both<String>,
    pub body: Both<Vec<Block>>,
}

from_json!(Words { label, body });

/// "Break it": the learner reaches the violation by hand.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Challenge {
    pub variant: usize,
    /// The `always` property to break, by its index in the lesson's list.
    pub property: usize,
    /// The fewest steps that break it.
    pub steps: usize,
    /// The label is the goal.
    pub words: Words,
}

from_json!(Challenge { variant, property, steps, words });

/// "Fix it": the learner rewrites one program of a variant; a search of all schedules grades it
/// ([`super::Lesson::exercise_scenario`]).
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Exercise {
    pub variant: usize,
    /// The programs to replace, for every client that runs them: their indices in the lesson's
    /// list. An answer to several has a line before each (`super::answer`).
    pub programs: Vec<usize>,
    /// The learner's first answer, which breaks a property.
    pub starter: String,
    /// A correct answer; there may be others.
    pub solution: String,
    /// The properties that must hold, by index in the lesson's list.
    pub properties: Vec<usize>,
    pub faults: Faults,
    /// The label is the task.
    pub words: Words,
}

from_json!(Exercise { variant, programs, starter, solution, properties, faults, words });

/// A question at a state, or about all variants. The answer was computed when the lesson was
/// compiled.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Quiz {
    pub id: String,
    /// Nothing where the variants are the choices.
    pub variant: Option<usize>,
    /// The run that leads to the state.
    pub schedule: String,
    pub choices: Vec<Both<String>>,
    /// True if any number of choices may be ticked, or none.
    pub several: bool,
    /// The right choices, in order.
    pub right: Vec<usize>,
    /// A run that begins with `schedule` and shows the answer, if a run can.
    pub shows: Option<String>,
    /// The label is the question; the body explains the answer.
    pub words: Words,
}

from_json!(Quiz { id, variant, schedule, choices, several, right, shows, words });

/// A program written in another language for a client library.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Lens {
    /// The Lua program that it corresponds to, by its index in the lesson's list.
    pub program: usize,
    /// The file name, such as `get-set.java`.
    pub file: String,
    /// The library and its version: `redis-py 8`.
    pub label: String,
    pub source: String,
    /// For each line of the source, the lines of the Lua program that it corresponds to.
    pub lines: Vec<Vec<u32>>,
}

from_json!(Lens { program, file, label, source, lines });

impl Lens {
    /// Returns the file name's extension: `java`.
    pub fn extension(&self) -> &str {
        self.file.rsplit('.').next().unwrap_or_default()
    }
}

/// Instruments shown beside the diagram.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Panels {
    /// The key whose remaining time to live is drawn over the run.
    pub ttl: Option<String>,
    pub quorum: Option<Quorum>,
}

from_json!(Panels { ttl, quorum });

/// A quorum: the number of instances that have each client's token.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Quorum {
    pub key: String,
    /// The global that holds a client's token.
    pub owner: String,
    /// The global that says until when a client may rely on the lock, in ms by its clock.
    pub until: String,
    /// The names of the instances that vote; if empty, all.
    pub on: Vec<String>,
    /// The keys that vote, if all of them are on one instance.
    pub keys: Vec<String>,
}

from_json!(Quorum { key, owner, until, on, keys });

/// A flow chart of one program.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Flow {
    /// The index of the program in the lesson's list.
    pub program: usize,
    pub nodes: Vec<FlowNode>,
}

from_json!(Flow { program, nodes });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct FlowNode {
    pub kind: FlowKind,
    /// The first and last line of the program that belong to it; both 0 if none does.
    pub first: u32,
    pub last: u32,
    pub text: Both<String>,
    pub next: Vec<FlowEdge>,
}

from_json!(FlowNode { kind, first, last, text, next });

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlowKind {
    Start,
    #[default]
    Action,
    Decision,
    End,
}

impl FromJson for FlowKind {
    fn made_of(json: Json, wrong: &mut Wrong) -> Self {
        match String::made_of(json, wrong).as_str() {
            "start" => FlowKind::Start,
            "action" => FlowKind::Action,
            "decision" => FlowKind::Decision,
            "end" => FlowKind::End,
            other => {
                wrong.say(format!("no node of a flow chart is a {other}"));
                FlowKind::Start
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct FlowEdge {
    /// The index of the node in the chart.
    pub to: usize,
    /// The answer by which a decision leads here; empty for other nodes.
    pub when: Both<String>,
}

from_json!(FlowEdge { to, when });

/// A guide to a decision, in place of programs: questions that lead to advice.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Guide {
    /// The questions; the first is where one begins.
    pub questions: Vec<Question>,
    pub advice: Vec<Advice>,
}

from_json!(Guide { questions, advice });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Question {
    pub id: String,
    pub text: Both<String>,
    pub answers: Vec<Answer>,
}

from_json!(Question { id, text, answers });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Answer {
    pub text: Both<String>,
    /// The id of a question or of an advice.
    pub to: String,
}

from_json!(Answer { text, to });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Advice {
    pub id: String,
    pub title: Both<String>,
    pub text: Both<Vec<Block>>,
    pub lesson: String,
    pub because: Vec<Evidence>,
}

from_json!(Advice { id, title, text, lesson, because });

/// A verdict of another lesson that justifies an advice.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Evidence {
    pub lesson: String,
    pub variant: String,
    pub property: String,
    pub holds: bool,
    /// The property's kind and label, and the variant's label, as that lesson has them.
    pub kind: String,
    pub title: Both<String>,
    pub variant_label: Both<String>,
    pub label: Both<String>,
}

from_json!(Evidence { lesson, variant, property, holds, kind, title, variant_label, label });
