//! The parts of a lesson besides its programs and walks: challenge, exercise, quiz, the same
//! program in other languages, flow charts, instruments and further words.

use serde::Serialize;

use crate::from_json;
use crate::json::{FromJson, Json, Wrong};
use crate::sim::Faults;
use crate::text::Both;

use super::Block;

/// A heading and what stands under it.
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
    /// The `always` property that is to be broken: its place in the lesson's list.
    pub property: usize,
    /// The fewest steps in which it can be done.
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
    /// The program that is replaced, for every client that runs it: its place in the lesson's list.
    pub program: usize,
    /// The learner's first program; it breaks a property.
    pub starter: String,
    /// One answer of several; it holds.
    pub solution: String,
    /// The properties that must hold, by place in the lesson's list.
    pub properties: Vec<usize>,
    pub faults: Faults,
    /// The label is the task.
    pub words: Words,
}

from_json!(Exercise { variant, program, starter, solution, properties, faults, words });

/// A question at a state. The answer was computed when the lesson was compiled.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Quiz {
    pub id: String,
    pub variant: usize,
    /// The run that leads to the state.
    pub schedule: String,
    pub choices: Vec<Both<String>>,
    /// Any number of choices may be ticked, none included.
    pub several: bool,
    /// The choices that are right, in order.
    pub right: Vec<usize>,
    /// A run that begins with `schedule` and shows the answer, where a run can.
    pub shows: Option<String>,
    /// The label is the question; the body explains, once it is answered.
    pub words: Words,
}

from_json!(Quiz { id, variant, schedule, choices, several, right, shows, words });

/// A program written in another language for a client library.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Lens {
    /// The Lua program that it says the same as: its place in the lesson's list.
    pub program: usize,
    /// File name, `get-set.java`.
    pub file: String,
    /// The library and its version: `redis-py 8`.
    pub label: String,
    pub source: String,
    /// For each line of the source, the lines of the Lua program that it stands for.
    pub lines: Vec<Vec<u32>>,
}

from_json!(Lens { program, file, label, source, lines });

impl Lens {
    /// How the file's name ends: `java`.
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
    /// The global that says until when a client may rely on the lock, ms by its clock.
    pub until: String,
    /// Names of the instances that vote; all, where none is named.
    pub on: Vec<String>,
    /// The keys that vote, if all of them are on one instance.
    pub keys: Vec<String>,
}

from_json!(Quorum { key, owner, until, on, keys });

/// A flow chart of one program.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Flow {
    /// The program's place in the lesson's list.
    pub program: usize,
    pub nodes: Vec<FlowNode>,
}

from_json!(Flow { program, nodes });

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct FlowNode {
    pub kind: FlowKind,
    /// First and last line of the program that belong to it; both 0 where none does.
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
    /// The node's place in the chart.
    pub to: usize,
    /// The answer by which a decision leads here; empty for other nodes.
    pub when: Both<String>,
}

from_json!(FlowEdge { to, when });

/// A guide to a decision, in place of programs: questions that lead to advice.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Guide {
    /// One begins with the first.
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
