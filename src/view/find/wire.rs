//! The messages between the page and the checker, as JSON: the checker may be in a worker, which
//! shares no memory with the page.
//!
//! The page sends a [`Request`], the checker answers with any number of [`Answer`]s. Each carries
//! the number of its search, so that late answers are recognised, and each message carries the
//! [`VERSION`], because a worker may outlive the page's script in a cache.

use crate::from_json;
use crate::json::{Error, FromJson, Json, ToJson};
use crate::sim::{self, ClientId};
use crate::to_json;
use crate::view::crowd::wire::{Begin, Ran, Task, Under};
use crate::view::map::wire::{Along, Ask, Made, Plan};

/// Grows whenever one side could not read the other.
pub const VERSION: u32 = 12;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    Start(Start),
    /// Ends this search; results stay with the page.
    Stop(u32),
    /// Asks for the distance from the end of this run to a violation.
    Near {
        id: u32,
        schedule: String,
    },
    /// Announces runs of a crowd.
    Crowd(Box<Begin>),
    /// Requests one run of the crowd; requests wait for each other.
    Task(Task),
    /// Requests the map of all schedules of a variant.
    Map(Box<Plan>),
    /// Asks where a run goes in that map.
    Along(Ask),
}

/// A request to search all schedules of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Start {
    pub id: u32,
    /// The lesson's file.
    pub lesson: String,
    pub variant: usize,
    /// The learner's program, if the variant runs it.
    pub answer: Option<String>,
    /// True if the text is a scenario of the learner's, not a lesson.
    pub own: bool,
    pub states_max: u32,
    pub bytes_max: usize,
}

from_json!(Start { id, lesson, variant, answer, own, states_max, bytes_max });
to_json!(Start { id, lesson, variant, answer, own, states_max, bytes_max });

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The checker is ready; sent once, before any request.
    Ready,
    Progress(Progress),
    Found(Found),
    Stands(Stands),
    Done(Box<Report>),
    Stopped(u32),
    /// The search could not begin: a mistake of the lesson's author.
    Failed(Failure),
    /// The checker itself has ended by an error: no more answers will come.
    Ended(u32),
    Near(Near),
    /// The progress of the crowd's run under way.
    Under(Under),
    /// A run of a crowd is over.
    Ran(Box<Ran>),
    /// A map, or the reason why there is none.
    Map(Box<Made>),
    Along(Box<Along>),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    pub id: u32,
    pub why: String,
}

from_json!(Failure { id, why });
to_json!(Failure { id, why });

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    pub id: u32,
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    /// The number of states met and not yet looked at.
    pub waiting: u64,
    pub bytes: usize,
    pub elapsed_ms: u64,
}

from_json!(Progress { id, states, transitions, depth, waiting, bytes, elapsed_ms });
to_json!(Progress { id, states, transitions, depth, waiting, bytes, elapsed_ms });

impl Progress {
    /// Returns the states per second.
    pub fn rate(&self) -> u64 {
        self.states * 1_000 / self.elapsed_ms.max(1)
    }
}

/// A property that is decided by a run before the search is over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Found {
    pub id: u32,
    /// The property; `None`: the run ends in a deadlock.
    pub property: Option<usize>,
    pub run: Run,
}

from_json!(Found { id, property, run });
to_json!(Found { id, property, run });

/// A verdict without a run that is final before the search is over, as there is still something to
/// count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stands {
    pub id: u32,
    /// The property; `None`: the verdict on deadlock.
    pub property: Option<usize>,
    pub holds: bool,
    /// True if orders of steps were left out.
    pub reduced: bool,
}

from_json!(Stands { id, property, holds, reduced });
to_json!(Stands { id, property, holds, reduced });

/// A run as links write it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Run {
    pub schedule: String,
    pub steps: usize,
    /// The number of its last steps that repeat forever.
    pub repeats: usize,
}

from_json!(Run { schedule, steps, repeats });
to_json!(Run { schedule, steps, repeats });

/// All results of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    pub progress: Progress,
    /// The bound that ended it early: `states`, `depth`, `bytes`, `time` or `width`.
    pub bound: Option<String>,
    /// True if orders of commuting steps were left out.
    pub reduced: bool,
    /// The verdicts, in the order of the variant's properties.
    pub verdicts: Vec<Verdict>,
    pub deadlock: Option<Run>,
    /// A mistake in a property; then the verdicts have no meaning.
    pub mistake: Option<String>,
    pub census: Option<Census>,
    /// True if the schedules cannot be counted, because some runs go round forever.
    pub endless: bool,
    /// The answer for slower clients.
    pub slower: Option<Slow>,
    /// True if commands drew at random, and each of their outcomes was followed.
    pub chance: bool,
    /// What other orders and texts of unique ids have shown ([`ids_said`](super::ids_said)): empty
    /// if there is nothing to say; `every`, `every order`, `every letter`, `letter` or `text`, by
    /// what was searched and what was read; `open`, `read` or `written` if something is not decided
    /// or denied for that reason; or the clients of an order that denies a verdict, the one with
    /// the least id first.
    pub ids: String,
    /// The tick in ms, if clients may be held up; else 0.
    pub tick: u32,
    /// What the search takes for granted ([`Assumed`](crate::sim::Assumed)).
    pub assumed: u32,
    /// What the search did not follow: `random`, or `draw` or `counters` with a command; empty if
    /// there is nothing of that kind.
    pub unfollowed: String,
    /// Events that happen in no order; empty if that is not known.
    pub never: Vec<Never>,
}

from_json!(Report {
    progress,
    bound,
    reduced,
    verdicts,
    deadlock,
    mistake,
    census,
    endless,
    slower,
    chance,
    ids,
    tick,
    assumed,
    unfollowed,
    never
});
to_json!(Report {
    progress,
    bound,
    reduced,
    verdicts,
    deadlock,
    mistake,
    census,
    endless,
    slower,
    chance,
    ids,
    tick,
    assumed,
    unfollowed,
    never
});

/// Something that happens in no order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Never {
    /// "runs", "fault", "expires", "true", "set", or "after" and a kind of fault.
    pub what: String,
    /// The program, the kind of fault, the key, the part of a condition, or the global.
    pub name: String,
    /// For a program, the lines.
    pub first: u32,
    pub last: u32,
}

from_json!(Never { what, name, first, last });
to_json!(Never { what, name, first, last });

/// The answer to whether the properties that hold still hold when clients are slower.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slow {
    /// How long clients may be held up, in ms.
    pub ms: u32,
    /// The unit of the delays that were tried, in ms.
    pub tick: u32,
    /// The property that breaks then, and the run that shows it.
    pub property: Option<usize>,
    pub run: Option<Run>,
    /// True if a bound ended the question.
    pub open: bool,
    /// The answer for clients that begin later, if that was asked.
    pub late: Option<Late>,
}

from_json!(Slow { ms, tick, property, run, open, late });
to_json!(Slow { ms, tick, property, run, open, late });

/// The answer to whether the properties that hold still hold when clients begin later.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Late {
    /// How late clients may begin, in ms.
    pub ms: u32,
    /// The property that breaks then, and the run that shows it.
    pub property: Option<usize>,
    pub run: Option<Run>,
    /// On that run, the letters of the clients that do not begin at once.
    pub who: String,
    /// By how many ms each of them does.
    pub later: Vec<u32>,
    /// True if a bound ended the question.
    pub open: bool,
}

from_json!(Late { ms, property, run, who, later, open });
to_json!(Late { ms, property, run, who, later, open });

impl Slow {
    /// Returns what is sent of an answer, with the runs that can be played.
    pub fn of(answer: &sim::Slower, run: [Option<Run>; 2]) -> Slow {
        let [late_run, slow_run] = run;
        let at = |breaks: &Option<(usize, Vec<sim::Action>)>| breaks.as_ref().map(|(at, _)| *at);
        let late = answer.late.as_ref().map(|late| Late {
            ms: late.within_ms,
            property: at(&late.breaks),
            run: late_run,
            who: late.begins.iter().map(|(id, _)| id.letter()).collect(),
            later: late.begins.iter().map(|(_, ms)| *ms).collect(),
            open: late.is_open,
        });
        Slow {
            ms: answer.slow_ms,
            tick: answer.tick_ms,
            property: at(&answer.breaks),
            run: slow_run,
            open: answer.is_open,
            late,
        }
    }

    /// Returns the answer that was sent, without its runs.
    pub fn answer(&self) -> sim::Slower {
        let breaks = |property: Option<usize>| property.map(|at| (at, Vec::new()));
        let late = self.late.as_ref().map(|late| {
            let who = late.who.chars().filter_map(ClientId::from_letter);
            sim::Late {
                within_ms: late.ms,
                breaks: breaks(late.property),
                begins: who.zip(late.later.iter().copied()).collect(),
                is_open: late.open,
            }
        });
        sim::Slower {
            slow_ms: self.ms,
            tick_ms: self.tick,
            breaks: breaks(self.property),
            is_open: self.open,
            late,
        }
    }

    /// Returns the run to show, and the property that it breaks.
    pub fn shown(&self) -> Option<(usize, &Run)> {
        let late = self.late.as_ref().and_then(|late| Some((late.property?, late.run.as_ref()?)));
        late.or_else(|| Some((self.property?, self.run.as_ref()?)))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// `None` if a bound left it open.
    pub holds: Option<bool>,
    /// The run that shows it.
    pub run: Option<Run>,
    pub shortest: bool,
    /// True if it holds only because what it asks for never has a value.
    pub empty: bool,
}

from_json!(Verdict { holds, run, shortest, empty });
to_json!(Verdict { holds, run, shortest, empty });

/// The number of schedules. Numbers of any size are written as text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    pub schedules: String,
    pub classes: Option<String>,
    /// The most frequent ones, at most [`super::OUTCOMES_MAX`].
    pub outcomes: Vec<Outcome>,
    /// The number of outcomes that are not listed, and how many of their schedules go wrong.
    pub more: usize,
    pub more_wrong: String,
    /// False if it is not known what schedules broke before their end.
    pub split: bool,
}

from_json!(Census { schedules, classes, outcomes, more, more_wrong, split });
to_json!(Census { schedules, classes, outcomes, more, more_wrong, split });

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// The values at the end: `stock = 0`, `A.sold = 1`.
    pub left: Vec<String>,
    /// The truth of each property in the end.
    pub truths: Vec<bool>,
    /// By property, true if it is an `always` that these schedules break, in the end or before it.
    pub broke: Vec<bool>,
    /// True if a client got stuck.
    pub stuck: bool,
    pub schedules: String,
    /// The share in millionths.
    pub share: u32,
    pub witness: Run,
}

from_json!(Outcome { left, truths, broke, stuck, schedules, share, witness });
to_json!(Outcome { left, truths, broke, stuck, schedules, share, witness });

/// The steps from a state to the nearest one that breaks an `always`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Near {
    pub id: u32,
    pub schedule: String,
    /// By property; `None` if no such state can be reached, or if it was not asked.
    pub steps: Vec<Option<u32>>,
    /// True if the search has met this state.
    pub known: bool,
}

from_json!(Near { id, schedule, steps, known });
to_json!(Near { id, schedule, steps, known });

// ---- Messages -----------------------------------------------------------------------------------

impl Request {
    pub fn write(&self) -> String {
        let (name, content) = match self {
            Request::Start(start) => ("start", start.to_json()),
            Request::Stop(id) => ("stop", id.to_json()),
            Request::Near { id, schedule } => {
                let near =
                    Near { id: *id, schedule: schedule.clone(), steps: Vec::new(), known: false };
                ("near", near.to_json())
            }
            Request::Crowd(begin) => ("crowd", begin.to_json()),
            Request::Task(task) => ("task", task.to_json()),
            Request::Map(plan) => ("map", plan.to_json()),
            Request::Along(ask) => ("along", ask.to_json()),
        };
        envelope(name, content)
    }

    pub fn read(text: &str) -> Result<Request, Error> {
        let (name, content) = opened(text)?;
        Ok(match name.as_str() {
            "start" => Request::Start(FromJson::from_json(content)?),
            "stop" => Request::Stop(FromJson::from_json(content)?),
            "near" => {
                let near = Near::from_json(content)?;
                Request::Near { id: near.id, schedule: near.schedule }
            }
            "crowd" => Request::Crowd(Box::new(FromJson::from_json(content)?)),
            "task" => Request::Task(FromJson::from_json(content)?),
            "map" => Request::Map(Box::new(FromJson::from_json(content)?)),
            "along" => Request::Along(FromJson::from_json(content)?),
            _ => return Err(format!("no request is called {name}")),
        })
    }
}

impl Answer {
    pub fn write(&self) -> String {
        let (name, content) = match self {
            Answer::Ready => ("ready", Json::Null),
            Answer::Progress(progress) => ("progress", progress.to_json()),
            Answer::Found(found) => ("found", found.to_json()),
            Answer::Stands(stands) => ("stands", stands.to_json()),
            Answer::Done(report) => ("done", report.to_json()),
            Answer::Stopped(id) => ("stopped", id.to_json()),
            Answer::Failed(failure) => ("failed", failure.to_json()),
            Answer::Ended(id) => ("ended", id.to_json()),
            Answer::Near(near) => ("near", near.to_json()),
            Answer::Under(under) => ("under", under.to_json()),
            Answer::Ran(ran) => ("ran", ran.to_json()),
            Answer::Map(made) => ("map", made.to_json()),
            Answer::Along(along) => ("along", along.to_json()),
        };
        envelope(name, content)
    }

    pub fn read(text: &str) -> Result<Answer, Error> {
        let (name, content) = opened(text)?;
        Ok(match name.as_str() {
            "ready" => Answer::Ready,
            "progress" => Answer::Progress(FromJson::from_json(content)?),
            "found" => Answer::Found(FromJson::from_json(content)?),
            "stands" => Answer::Stands(FromJson::from_json(content)?),
            "done" => Answer::Done(Box::new(FromJson::from_json(content)?)),
            "stopped" => Answer::Stopped(FromJson::from_json(content)?),
            "failed" => Answer::Failed(FromJson::from_json(content)?),
            "ended" => Answer::Ended(FromJson::from_json(content)?),
            "near" => Answer::Near(FromJson::from_json(content)?),
            "under" => Answer::Under(FromJson::from_json(content)?),
            "ran" => Answer::Ran(Box::new(FromJson::from_json(content)?)),
            "map" => Answer::Map(Box::new(FromJson::from_json(content)?)),
            "along" => Answer::Along(Box::new(FromJson::from_json(content)?)),
            _ => return Err(format!("no answer is called {name}")),
        })
    }
}

fn envelope(name: &str, content: Json) -> String {
    let fields = vec![("v".to_owned(), VERSION.to_json()), (name.to_owned(), content)];
    Json::Object(fields).to_string()
}

fn opened(text: &str) -> Result<(String, Json), Error> {
    let Json::Object(mut fields) = crate::json::parse(text)? else {
        return Err("a message is an object".to_owned());
    };
    match (fields.pop(), fields.pop(), fields.pop()) {
        (Some(message), Some((v, Json::Number(version))), None) if v == "v" => {
            match version == i64::from(VERSION) {
                true => Ok(message),
                false => Err(format!("version {version}, not {VERSION}")),
            }
        }
        _ => Err("a message has a version and a content".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::crowd::Spot;

    #[test]
    fn requests_arrive_as_they_were_sent() {
        let start = Start {
            id: 7,
            lesson: "{\"id\": \"x\"}\n\u{1}中".into(),
            variant: 2,
            own: true,
            answer: Some("a = 1".into()),
            states_max: 10,
            bytes_max: 1 << 29,
        };
        let near = Request::Near { id: 1, schedule: "A1.B1".into() };
        let begin = Begin { id: 8, changes: "clients=7".into(), ..Begin::default() };
        let task = Task { id: 8, variant: 1, spot: Spot::Form, seed: 9, reduce: true };
        let fewer = Task { spot: Spot::Down(2), reduce: false, ..task };
        let more = Task { spot: Spot::Clients(300), ..fewer };
        let of_crowd = [Request::Crowd(Box::new(begin)), Request::Task(task)];
        let of_crowd = of_crowd.into_iter().chain([fewer, more].map(Request::Task));
        for request in [Request::Start(start), Request::Stop(3), near].into_iter().chain(of_crowd) {
            assert_eq!(Request::read(&request.write()), Ok(request));
        }
    }

    #[test]
    fn answers_arrive_as_they_were_sent() {
        let run = Run { schedule: "A1.B1".into(), steps: 2, repeats: 1 };
        let progress =
            Progress { id: 1, states: i64::MAX as u64, elapsed_ms: 4, ..Progress::default() };
        let outcome = Outcome {
            left: vec!["stock = \"a\\b\"".into()],
            truths: vec![true, false],
            broke: vec![true, true],
            stuck: true,
            schedules: "340282366920938463463374607431768211456".into(),
            share: 999_999,
            witness: run.clone(),
        };
        let report = Report {
            progress,
            bound: Some("states".into()),
            verdicts: vec![Verdict {
                holds: None,
                run: Some(run.clone()),
                shortest: true,
                empty: true,
            }],
            census: Some(Census { outcomes: vec![outcome], ..Census::default() }),
            slower: Some(Slow {
                ms: 30,
                tick: 10,
                property: Some(1),
                run: Some(run.clone()),
                open: false,
                late: Some(Late { ms: 50, who: "B".into(), later: vec![50], ..Late::default() }),
            }),
            ids: "B, A".into(),
            never: vec![Never { what: "runs".into(), name: "a.lua".into(), first: 3, last: 4 }],
            ..Report::default()
        };
        let answers = [
            Answer::Ready,
            Answer::Progress(progress),
            Answer::Found(Found { id: 1, property: None, run }),
            Answer::Stands(Stands { id: 1, property: Some(2), holds: true, reduced: true }),
            Answer::Done(Box::new(report)),
            Answer::Stopped(9),
            Answer::Failed(Failure { id: 1, why: "a \"reason\"".into() }),
            Answer::Ended(7),
            Answer::Near(Near { steps: vec![None, Some(2)], known: true, ..Near::default() }),
            Answer::Under(Under { id: 1, ended: 77 }),
            Answer::Ran(Box::new(Ran { numbers: vec![-1, i64::MIN, 3], ..Ran::default() })),
        ];
        for answer in answers {
            assert_eq!(Answer::read(&answer.write()), Ok(answer));
        }
    }

    #[test]
    fn another_version_or_anything_else_is_refused_in_words() {
        assert_eq!(Answer::read("{\"v\":99,\"ready\":null}"), Err("version 99, not 12".into()));
        for text in ["", "{}", "[]", "{\"v\":9}", "{\"v\":9,\"no\":2}", "{\"ready\":1,\"v\":9}"] {
            assert!(Answer::read(text).is_err() && Request::read(text).is_err(), "{text}");
        }
    }
}
