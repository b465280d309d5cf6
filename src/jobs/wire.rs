//! The messages between the page and the checker, as JSON: the checker may be in a worker, which
//! shares no memory with the page.
//!
//! The page sends a [`Request`], the checker answers with any number of [`Answer`]s. Each carries
//! the number of its search, so that late answers are recognised, and each message carries the
//! [`VERSION`], because a worker may outlive the page's script in a cache.

use crate::json::{Error, FromJson, Json, ToJson};
use crate::json_struct;

use super::crowd::wire::{Begin, Ran, Task, Under};
use super::find::wire::{Found, Near, Progress, Report, Stands, Start};
use super::map::wire::{Along, Ask, Made, Plan};

/// Grows whenever one side could not read the other.
pub const VERSION: u32 = 13;

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

json_struct!(Failure { id, why });

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
    use crate::checker::Bound;
    use crate::checker::map::{Counted, Kind};
    use crate::jobs::crowd::Spot;
    use crate::jobs::find::wire::{Census, IdsShown, Late, Outcome, Run, Slow, Verdict};
    use crate::sim::{Never, Unfollowed};

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
            bound: Some(Bound::States),
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
            ids: Some(IdsShown::Other("B, A".into())),
            unfollowed: Some(Unfollowed::Draw("SPOP".into())),
            never: vec![Never::Runs { program: "a.lua".into(), first: 3, last: 4 }],
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

    /// Each value is another text, and is read from it.
    fn arrive<T: ToJson + FromJson + PartialEq + std::fmt::Debug>(all: &[T]) {
        let written: Vec<String> = all.iter().map(|one| one.to_json().to_string()).collect();
        for (at, (one, text)) in all.iter().zip(&written).enumerate() {
            assert_eq!(crate::json::read::<T>(text).as_ref(), Ok(one), "{text}");
            assert!(!written[..at].contains(text), "{text} is written twice");
        }
        for text in ["\"none\"", "{\"None\":{}}", "null", "7"] {
            assert!(crate::json::read::<T>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_value_of_an_enum_arrives_as_it_was_sent() {
        use IdsShown::{Every, EveryLetter, EveryOrder, Letter, Open, Other, Read, Text, Written};
        let name = String::from("a \"b\"");
        arrive(&[Spot::Form, Spot::Clients(2), Spot::Down(2)]);
        arrive(&[Kind::Lattice, Kind::Terrain]);
        arrive(&[Counted::All, Counted::Endless, Counted::TooMany]);
        arrive(&[Bound::States, Bound::Depth, Bound::Bytes]);
        arrive(&[Bound::Time, Bound::Width, Bound::Moves]);
        arrive(&[Unfollowed::Draw(name.clone()), Unfollowed::Random]);
        arrive(&[Unfollowed::Counters(name.clone()), Unfollowed::Evicted]);
        let other = Other(name.clone());
        arrive(&[other, Written, Read, Open, Every, EveryOrder, EveryLetter, Letter, Text]);
        arrive(&[
            Never::Runs { program: name.clone(), first: 1, last: u32::MAX },
            Never::Fault(3),
            Never::Expires([0, 255, b'"'].as_slice().into()),
            Never::True(name.clone()),
            Never::TrueAfter(name.clone(), 4),
            Never::Set(name),
        ]);
    }

    #[test]
    fn another_version_or_anything_else_is_refused_in_words() {
        assert_eq!(Answer::read("{\"v\":99,\"ready\":null}"), Err("version 99, not 13".into()));
        for text in ["", "{}", "[]", "{\"v\":9}", "{\"v\":9,\"no\":2}", "{\"ready\":1,\"v\":9}"] {
            assert!(Answer::read(text).is_err() && Request::read(text).is_err(), "{text}");
        }
    }
}
