//! What the lessons teach, on a real Redis: every story and every shortest run to a violation or an
//! example is replayed through the proxy by the machine that the page has, and every reply is equal
//! to the simulator's.
//!
//! DIFFERENCE: the clock. What a script computes from the server's own TIME, and how long a key
//! still lives, differ between two clocks. The machine marks these replies as alike; here they are
//! counted, and only scripts that ask for TIME may have them.
//!
//! `LESSON=failover` in the environment: only that one.

use std::path::Path;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use interleave::lesson::Lesson;
use interleave::lesson::source::read_all;
use interleave::real::{Mark, Pace, Phase, Runner, Why};
use interleave::sim::{Check, Limits, Timeline, schedule};

use super::super::conformance::other_servers;
use super::client::Proxy;
use super::host::Host;

/// A run of a lesson, by name.
struct Run {
    name: String,
    timeline: Timeline,
}

fn start(lesson: &Lesson, variant: usize) -> Timeline {
    let scenario = lesson.scenario(variant).expect("the lesson is whole");
    Timeline::start(Rc::new(scenario)).expect("it starts")
}

fn stories(lesson: &Lesson) -> Vec<Run> {
    let told = lesson.walks.iter().map(|walk| {
        let mut timeline = start(lesson, walk.variant);
        schedule::play(&mut timeline, &walk.schedule).expect("the story can be told");
        Run { name: format!("{} {}", lesson.id, walk.id), timeline }
    });
    told.collect()
}

/// The shortest runs that a search finds, one for each property.
fn found(lesson: &Lesson) -> Vec<Run> {
    let mut runs = Vec::new();
    for (number, variant) in lesson.variants.iter().enumerate() {
        let scenario = lesson.scenario(number).expect("the lesson is whole");
        let limits = Limits { census: false, ..Limits::default() };
        let mut check = Check::new(&scenario, limits).expect("it starts");
        check.run();
        for at in 0..scenario.properties.len() {
            let Some(trace) = check.verdict(at).trace else { continue };
            let mut timeline = start(lesson, number);
            for action in trace {
                timeline.step(action).expect("a trace is possible");
            }
            let name = format!("{} {} {}", lesson.id, variant.id, timeline.schedule());
            if !runs.iter().any(|run: &Run| run.name == name) {
                runs.push(Run { name, timeline });
            }
        }
    }
    runs
}

/// What is wrong with a replay; how many replies were compared.
fn replay(host: &mut Host<'_, Runner>, run: &Run) -> Result<usize, String> {
    host.follow(&run.timeline);
    if *host.machine.phase() != Phase::Ready {
        return Err(format!("{}: {:?}", run.name, host.machine.phase()));
    }
    let rows = host.machine.rows();
    if rows.len() != run.timeline.len() {
        return Err(format!("{}: {} of {} steps", run.name, rows.len(), run.timeline.len()));
    }
    let mut compared = 0;
    for row in rows {
        for check in &row.checks {
            compared += 1;
            let tells_time = ["TTL", "XINFO CONSUMERS", "XPENDING"]
                .iter()
                .any(|name| check.command.contains(name));
            let by_clock = check.command.starts_with("EVAL") || tells_time;
            match check.mark {
                Mark::Equal | Mark::Alike(Why::NoAnswer | Why::Order) | Mark::Undone(_) => {}
                // What such a script has written depends on when it did.
                Mark::Alike(Why::Clock) if by_clock || run.name.starts_with("semaphore") => {}
                // It tells the connection's number.
                Mark::Alike(Why::Server) if check.command == "HELLO 3" => {}
                _ => return Err(format!("{}: step {}: {check:?}", run.name, row.step)),
            }
        }
    }
    Ok(compared)
}

fn all_lessons(
    server: Option<&Path>,
    runs_of: impl Fn(&Lesson) -> Vec<Run> + Sync,
    at_least: usize,
) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons");
    let Ok(course) = read_all(&folder) else { panic!("check -- --all says what is wrong") };
    let mut options = vec!["--spawn", "5", "--rate", "0", "--connections", "500"];
    let server = server.map(|path| path.to_string_lossy().into_owned());
    options.extend(server.iter().flat_map(|path| ["--server", path]));
    let proxy = Proxy::start(&options);
    let only = std::env::var("LESSON").ok();
    let lessons: Vec<&Lesson> = course.lessons.iter().map(|written| &written.lesson).collect();
    let lessons: Vec<&Lesson> = lessons
        .into_iter()
        .filter(|lesson| lesson.guide.is_none())
        .filter(|lesson| only.as_ref().is_none_or(|only| *only == lesson.id))
        .collect();
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let compared = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        // Most of the time a run waits for real time to pass.
        for worker in 0..4 {
            let (next, complaints, lessons) = (&next, &complaints, &lessons);
            let (compared, proxy, runs_of) = (&compared, &proxy, &runs_of);
            scope.spawn(move || {
                let visitor = format!("lessons-0123456789-{worker}");
                let mut host = Host::new(proxy, &visitor, Pace::Schedule);
                while let Some(lesson) = lessons.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // A server of another version than the lesson's answers otherwise, and no call
                    // is cancelled on a real one.
                    let runs = runs_of(lesson).into_iter().filter(|run| {
                        let nodes = &run.timeline.scenario().nodes;
                        nodes.iter().all(|node| node.version.is_none())
                            && !run.timeline.schedule().contains("cancel")
                    });
                    for run in runs {
                        match replay(&mut host, &run) {
                            Ok(count) => drop(compared.fetch_add(count, Ordering::Relaxed)),
                            Err(why) => complaints.lock().unwrap().push(why),
                        }
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{}\n{}", complaints.len(), complaints.join("\n"));
    let compared = compared.into_inner();
    assert!(compared > at_least || only.is_some(), "only {compared} replies were compared");
}

#[test]
fn every_story_is_true_on_a_real_redis() {
    all_lessons(None, stories, 300);
}

#[test]
fn every_shortest_run_is_true_on_a_real_redis() {
    all_lessons(None, found, 300);
}

#[test]
fn every_story_is_true_on_valkey_and_on_redis_8() {
    let others = other_servers();
    if others.is_empty() {
        eprintln!("neither is there (.ci/setup servers): they are not looked at");
    }
    for server in others {
        all_lessons(Some(&server), stories, 300);
    }
}

/// Five servers of which one is really killed, in the middle of the run.
#[test]
fn redlock_with_a_server_that_is_killed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons/redlock");
    let lesson = interleave::lesson::source::read_folder(&folder);
    let lesson = lesson.unwrap_or_else(|_| panic!("check says what is wrong"));
    let five = (0..lesson.variants.len())
        .find(|at| lesson.scenario(*at).is_ok_and(|scenario| scenario.nodes.len() == 5))
        .expect("a variant has five instances");
    let mut scenario = lesson.scenario(five).expect("it is whole");
    scenario.faults.down = 1;
    let mut timeline = Timeline::start(Rc::new(scenario)).expect("it starts");
    let name = timeline.world().setting().nodes[2].clone();
    for token in ["A".to_owned(), format!("down-{name}")] {
        schedule_on(&mut timeline, &token);
    }
    // Whoever can go on does; time moves where nobody can.
    for _ in 0..60 {
        let enabled = timeline.world().enabled();
        let next = enabled.into_iter().find(|action| !action.is_fault() && action.node().is_none());
        let Some(next) = next else { break };
        timeline.step(next).expect("it is enabled");
    }
    let proxy = Proxy::start(&["--spawn", "5", "--rate", "0"]);
    let mut host = Host::new(&proxy, "redlock-0123456789", Pace::Schedule);
    let run = Run { name: "redlock".into(), timeline };
    let compared = replay(&mut host, &run).expect("replies agree");
    assert!(compared >= 8, "{compared}");
    let silent = host.machine.rows().iter().flat_map(|row| &row.checks);
    let silent = silent.filter(|check| check.mark == Mark::Alike(Why::NoAnswer));
    assert!(silent.count() > 0, "nobody asked the server that was killed");
}

fn schedule_on(timeline: &mut Timeline, token: &str) {
    let setting = timeline.world().setting().clone();
    let token = schedule::parse_token(token, &setting).expect("it is a token");
    timeline.step(token.action).expect("it is possible");
}
