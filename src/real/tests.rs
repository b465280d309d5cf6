//! The machine against a server that this file makes up: what is sent when, and what is said of it.

use std::rc::Rc;

use super::compare::{Asked, Match, compare};
use super::run::{Pace, Phase, Runner, Trouble};
use super::sockets::{Effect, Heard};
use super::*;
use crate::engine::Version;
use crate::resp::{Bytes, Decoder, Proto, Value};
use crate::sim::{Scenario, Timeline, schedule};

fn words(line: &str) -> Vec<Bytes> {
    line.split(' ').map(|word| Bytes::from(word.as_bytes())).collect()
}

fn matched(line: &str, mine: Value, theirs: Value) -> Match {
    let argv = words(line);
    let asked = Asked { argv: &argv, queued: &[], proto: Proto::Resp2, by_clock: false };
    compare(asked, &mine, &theirs)
}

#[test]
fn replies_are_equal_alike_or_different() {
    let (int, bulk) = (Value::Int, |text: &str| Value::bulk(text));
    let list = |words: &[&str]| Value::Array(words.iter().map(Value::bulk).collect());
    let error = |text: &str| Value::error(text);
    assert_eq!(matched("GET a", bulk("1"), bulk("1")), Match::Equal);
    assert_eq!(matched("GET a", bulk("1"), bulk("2")), Match::Differs);
    assert_eq!(matched("GET a", bulk("1"), int(1)), Match::Differs);
    assert_eq!(matched("GET a", Value::NilBulk, bulk("")), Match::Differs);
    assert_eq!(matched("PTTL a", int(20), int(11)), Match::Alike(Why::Clock));
    assert_eq!(matched("PTTL a", int(20), int(-2)), Match::Differs);
    assert_eq!(matched("TTL a", int(-1), int(-2)), Match::Alike(Why::Clock));
    let (ab, ba) = (list(&["a", "b"]), list(&["b", "a"]));
    assert_eq!(matched("SMEMBERS s", ab.clone(), ba.clone()), Match::Alike(Why::Order));
    assert_eq!(matched("LRANGE l 0 -1", ab.clone(), ba), Match::Differs);
    assert_eq!(matched("SMEMBERS s", ab, list(&["a", "c"])), Match::Differs);
    assert_eq!(matched("client id", int(5), int(77)), Match::Alike(Why::Server));
    let consumer = |pending: i64, idle: i64, more: &[Value]| {
        let fields =
            [bulk("name"), bulk("a"), bulk("pending"), int(pending), bulk("idle"), int(idle)];
        Value::Array(vec![Value::Array([&fields, more].concat())])
    };
    let newer = [bulk("inactive"), int(200)];
    let idle = matched("XINFO CONSUMERS s g", consumer(1, 30, &[]), consumer(1, 131, &newer));
    assert_eq!(idle, Match::Alike(Why::Clock));
    let pending = matched("XINFO CONSUMERS s g", consumer(1, 30, &[]), consumer(2, 30, &newer));
    assert_eq!(pending, Match::Differs);
    let waits = |idle: i64, times: i64| {
        Value::Array(vec![Value::Array(vec![bulk("1-1"), bulk("a"), int(idle), int(times)])])
    };
    let idle = matched("XPENDING s g IDLE 50 - + 10", waits(50, 1), waits(81, 1));
    assert_eq!(idle, Match::Alike(Why::Clock));
    assert_eq!(matched("XPENDING s g - + 10", waits(50, 1), waits(50, 2)), Match::Differs);
    let stream = matched("XADD s * f v", bulk("1-0"), bulk("2-0"));
    assert_eq!(stream, Match::Alike(Why::Clock));
    assert_eq!(matched("XADD s 1-0 f v", bulk("1-0"), bulk("2-0")), Match::Differs);
    let wording = matched("EVAL x 0", error("ERR at 0x1"), error("ERR at 0x2"));
    assert_eq!(wording, Match::Alike(Why::Wording));
    let code = matched("EVAL x 0", error("ERR a"), error("WRONGTYPE a"));
    assert_eq!(code, Match::Differs);
    assert_eq!(matched("GET a", error("ERR a"), bulk("a")), Match::Differs);
}

#[test]
fn a_transactions_replies_are_compared_one_by_one() {
    let (exec, queued) = (words("EXEC"), [words("PTTL a").into(), words("GET a").into()]);
    let asked = Asked { argv: &exec, queued: &queued, proto: Proto::Resp2, by_clock: false };
    let reply = |ms: i64, text: &str| Value::Array(vec![Value::Int(ms), Value::bulk(text)]);
    assert_eq!(compare(asked, &reply(5, "x"), &reply(9, "x")), Match::Alike(Why::Clock));
    assert_eq!(compare(asked, &reply(5, "x"), &reply(9, "y")), Match::Differs);
    assert_eq!(compare(asked, &reply(5, "x"), &Value::NilArray), Match::Differs);
}

/// A proxy with one throw-away server that answers every GET with 10, every other command with OK.
struct Fake {
    runner: Runner,
    now_ms: u64,
    sent: Vec<String>,
    /// Where in `sent` each message with commands begins.
    begins: Vec<usize>,
    open: Vec<u32>,
    get: &'static str,
    nodes: usize,
    own: bool,
}

impl Fake {
    fn new(pace: Pace) -> Fake {
        let (runner, sent, begins, open) = (Runner::new(pace), vec![], vec![], vec![]);
        Fake { runner, now_ms: 1, sent, begins, open, get: "10", nodes: 1, own: true }
    }

    /// Answers until there is nothing to answer.
    fn run(&mut self) {
        for _ in 0..10_000 {
            let effects = self.runner.take_effects();
            if effects.is_empty() {
                return;
            }
            for effect in effects {
                self.answer(effect);
            }
        }
        panic!("it never rests: {:?}", self.runner.phase());
    }

    fn hear(&mut self, id: u32, heard: Heard) {
        self.runner.hear(id, heard, self.now_ms);
    }

    fn ready(&self, event: &str) -> String {
        let (nodes, own) = (self.nodes, self.own);
        format!(r#"{{"event":"{event}","node":0,"nodes":{nodes},"server":"redis 7","own":{own}}}"#)
    }

    fn answer(&mut self, effect: Effect) {
        match effect {
            Effect::Open { id, .. } => {
                self.open.push(id);
                self.hear(id, Heard::Text(self.ready("ready")));
            }
            Effect::Text { id, text } => {
                self.sent.push(text.clone());
                if text.contains("crash") {
                    return self.hear(id, Heard::Closed("4000".into()));
                }
                let order = text.replace("{\"do\":", "{\"event\":\"done\",\"do\":");
                self.hear(id, Heard::Text(order));
                if text.contains("\"up\"") {
                    self.hear(id, Heard::Text(self.ready("back")));
                }
            }
            Effect::Bytes { id, bytes } => {
                self.begins.push(self.sent.len());
                let mut decoder = Decoder::default();
                decoder.feed(&bytes);
                let mut out = Vec::new();
                while let Ok(Some(argv)) = decoder.next_request() {
                    let line = crate::session::spelling::command_text(&argv);
                    let reply = match line.split(' ').next().unwrap_or_default() {
                        "GET" => Value::bulk(self.get),
                        "CLIENT" => Value::Int(7),
                        "EXISTS" => Value::Int(0),
                        "INFO" => Value::bulk("blocked_clients:1\r\nmaster_repl_offset:77\r\n"),
                        "ROLE" => Value::Array(vec![Value::bulk("master"), Value::Int(0)]),
                        "PTTL" => Value::Int(15),
                        _ => Value::ok(),
                    };
                    self.sent.push(line);
                    reply.encode(Proto::Resp2, &mut out);
                }
                // In two pieces, as a network would.
                let rest = out.split_off(out.len() / 2);
                self.hear(id, Heard::Bytes(out));
                self.hear(id, Heard::Bytes(rest));
            }
            Effect::Close { id } => self.open.retain(|one| *one != id),
            Effect::Wake { ms } => {
                self.now_ms += u64::from(ms);
                if *self.runner.phase() == Phase::Working || self.runner.is_waiting() {
                    self.runner.wake(self.now_ms);
                }
            }
        }
    }
}

fn timeline(program: &str, run: &str) -> Timeline {
    let program = crate::lua::compile(program.as_bytes(), "p").expect("it compiles");
    let programs = vec![Rc::clone(&program), program];
    let scenario = Scenario::simple(vec![words("SET n 10")], programs);
    let mut timeline = Timeline::start(Rc::new(scenario)).expect("it starts");
    schedule::play(&mut timeline, run).expect("it plays");
    timeline
}

const DEPOSIT: &str = "local n = redis.call('GET', 'n')\nredis.call('SET', 'n', n + 1)";

#[test]
fn one_command_is_released_at_a_time_and_compared() {
    let mut fake = Fake::new(Pace::Schedule);
    let mut run = timeline(DEPOSIT, "A1.B1.A2.B2");
    run.seek(0);
    fake.runner.aim(&run, 1);
    fake.run();
    assert_eq!(*fake.runner.phase(), Phase::Ready);
    assert_eq!(fake.runner.rows(), []);
    for step in 1..=4 {
        run.forward();
        fake.runner.aim(&run, fake.now_ms);
        fake.run();
        assert_eq!(fake.runner.rows().len(), step);
        assert_eq!(fake.runner.rows()[step - 1].mark(), Some(Mark::Equal));
    }
    let commands: Vec<&str> = fake.sent.iter().map(String::as_str).collect();
    let commands = commands.into_iter().filter(|line| line.contains(" n"));
    assert!(commands.eq(["SET n 10", "GET n", "GET n", "SET n 11", "SET n 11"]), "{:?}", fake.sent);
    assert_eq!(fake.runner.first(), None);
}

#[test]
fn going_back_cleans_and_begins_anew() {
    let mut fake = Fake::new(Pace::Schedule);
    let mut run = timeline(DEPOSIT, "A1.A2.B1.B2");
    fake.get = "10";
    run.seek(2);
    fake.runner.aim(&run, 1);
    fake.run();
    fake.sent.clear();
    run.back();
    fake.runner.aim(&run, fake.now_ms);
    fake.run();
    assert!(fake.sent.iter().any(|line| line.contains("clean")), "{:?}", fake.sent);
    assert_eq!(fake.sent.last().map(String::as_str), Some("GET n"));
    assert_eq!(fake.runner.rows().len(), 1);
    // A's old connection is gone with what it knew.
    assert_eq!(fake.open.len(), 2, "{:?}", fake.open);
}

#[test]
fn the_first_difference_is_kept_and_can_be_exported() {
    let mut fake = Fake::new(Pace::Schedule);
    let mut run = timeline(DEPOSIT, "A1.B1");
    fake.get = "12";
    fake.runner.aim(&run, 1);
    fake.run();
    run.back();
    fake.get = "10";
    fake.runner.aim(&run, fake.now_ms);
    fake.run();
    assert_eq!(fake.runner.rows()[0].mark(), Some(Mark::Equal));
    let first = fake.runner.first().expect("it is kept");
    assert_eq!((first.row.step, first.schedule.as_str()), (1, "A1"));
    let text = report::export(first, "lost-update", "naive");
    for part in [r#""lesson":"lost-update""#, r#""simulator":"\"10\"""#, r#""real":"\"12\"""#] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(crate::json::parse(&text).is_ok());
}

#[test]
fn a_lease_waits_for_the_schedule_or_runs_by_the_clock() {
    let program = "redis.call('SET', 'l', 'me', 'PX', 20)\nsleep(30)\nredis.call('GET', 'n')";
    let run = timeline(program, "A1.T1");
    let mut fake = Fake::new(Pace::Schedule);
    fake.runner.aim(&run, 1);
    fake.run();
    let at = |fake: &Fake, line: &str| fake.sent.iter().position(|one| one == line);
    let (set, held) = (at(&fake, "SET l me PX 20"), at(&fake, "PEXPIRE l 3600000"));
    assert_eq!(held, set.map(|at| at + 1), "{:?}", fake.sent);
    assert!(at(&fake, "PEXPIRE l 1") > held && at(&fake, "EXISTS l").is_some());
    let mut fake = Fake::new(Pace::Clock);
    fake.runner.aim(&run, 1);
    fake.run();
    assert!(!fake.sent.iter().any(|line| line.starts_with("PEXPIRE")), "{:?}", fake.sent);
    assert!(fake.now_ms >= 20, "{}", fake.now_ms);
}

/// On a slow line, or a slow machine, a session of 20 ms is over before the next message.
#[test]
fn a_deadline_of_the_setup_is_moved_away_by_the_message_that_sets_it() {
    let program = crate::lua::compile(b"redis.call('GET', 'n')", "p").expect("it compiles");
    let setup = ["HSET s user ann", "PEXPIRE s 20", "SET n 10"].map(words);
    let scenario = Scenario::simple(setup.to_vec(), vec![program]);
    let mut timeline = Timeline::start(Rc::new(scenario)).expect("it starts");
    schedule::play(&mut timeline, "A1").expect("it plays");
    for (pace, held) in [(Pace::Schedule, true), (Pace::Clock, false)] {
        let mut fake = Fake::new(pace);
        fake.runner.aim(&timeline, 1);
        fake.run();
        let set = fake.sent.iter().position(|line| line == "PEXPIRE s 20").expect("it is sent");
        assert_eq!(fake.sent[set + 1] == "PEXPIRE s 3600000", held, "{:?}", fake.sent);
        assert_eq!(fake.begins.contains(&(set + 1)), !held, "{:?}", fake.sent);
    }
}

#[test]
fn a_lost_connection_stops_the_run_and_nothing_is_sent_again() {
    let mut fake = Fake::new(Pace::Schedule);
    let mut run = timeline(DEPOSIT, "A1.B1");
    run.seek(1);
    fake.runner.aim(&run, 1);
    fake.run();
    let id = fake.open[1];
    fake.hear(id, Heard::Text(r#"{"event":"lost","why":"killed"}"#.into()));
    assert_eq!(*fake.runner.phase(), Phase::Stopped(Trouble::Lost("killed".into())));
    run.forward();
    fake.sent.clear();
    fake.runner.aim(&run, fake.now_ms);
    fake.run();
    assert_eq!(fake.sent, Vec::<String>::new());
    fake.runner.again(fake.now_ms);
    fake.run();
    assert_eq!(*fake.runner.phase(), Phase::Ready);
    assert_eq!(fake.runner.rows().len(), 2);
}

#[test]
fn a_crash_closes_the_clients_connections() {
    let mut run = timeline(DEPOSIT, "A1");
    let mut scenario = run.scenario().clone();
    scenario.faults.crash = 1;
    run = Timeline::start(Rc::new(scenario)).expect("it starts");
    schedule::play(&mut run, "A1.crashA.B1").expect("it plays");
    let mut fake = Fake::new(Pace::Schedule);
    fake.runner.aim(&run, 1);
    fake.run();
    assert_eq!(*fake.runner.phase(), Phase::Ready);
    let marks: Vec<_> = fake.runner.rows().iter().map(Row::mark).collect();
    assert_eq!(marks, [Some(Mark::Equal), None, Some(Mark::Equal)]);
    assert_eq!(fake.open.len(), 2);
    assert!(fake.sent.iter().any(|line| line.contains("crash")));
}

/// What two clients share is one socket, which the crash of one leaves open.
#[test]
fn a_shared_connection_is_one_socket() {
    let program =
        "local c = connect('redis', { shared = 'pool' })\nc:call('GET', 'n') c:call('MULTI')";
    let mut scenario = timeline(program, "").scenario().clone();
    scenario.faults.crash = 1;
    scenario.clients.iter_mut().for_each(|client| client.process = Some("app".to_owned()));
    let mut run = Timeline::start(Rc::new(scenario)).expect("it starts");
    schedule::play(&mut run, "A1.B1.crashA.B2").expect("it plays");
    let mut fake = Fake::new(Pace::Schedule);
    fake.runner.aim(&run, 1);
    fake.run();
    assert_eq!(*fake.runner.phase(), Phase::Ready);
    let checks = fake.runner.rows().iter().flat_map(|row| &row.checks);
    let checks: Vec<_> = checks.map(|one| (&*one.client, &*one.command, one.mark)).collect();
    let equal = |client, command| (client, command, Mark::Equal);
    assert_eq!(checks, [equal("A", "GET n"), equal("B", "GET n"), equal("B", "MULTI")]);
    // That one, and the one that looks on.
    assert_eq!(fake.open.len(), 2);
    // No reply is left there for another call.
    let mut scenario = run.scenario().clone();
    scenario.faults.cancel = 1;
    let mut fake = Fake::new(Pace::Schedule);
    fake.runner.aim(&Timeline::start(Rc::new(scenario)).expect("it starts"), 1);
    fake.run();
    let cannot = Trouble::Cannot(super::plan::Cannot::Cancel);
    assert_eq!(*fake.runner.phase(), Phase::Stopped(cannot));
    assert!(fake.sent.is_empty(), "{:?}", fake.sent);
}

#[test]
fn a_server_of_another_version_is_known() {
    let program = crate::lua::compile(b"redis.call('SET', 'n', 1)", "p");
    let mut scenario = Scenario::simple(vec![], vec![program.expect("it compiles")]);
    let mut other = |version: Option<Version>, server: &str| {
        scenario.nodes[0].version = version;
        let timeline = Timeline::start(Rc::new(scenario.clone())).expect("it starts");
        let mut fake = Fake::new(Pace::Schedule);
        fake.runner.aim(&timeline, 1);
        fake.runner.server = server.to_owned();
        fake.runner.other_version().map(Version::label)
    };
    assert_eq!(other(None, "redis 7.0.15"), None);
    assert_eq!(other(None, "redis 7.4.1").as_deref(), Some("Redis 7.0"));
    assert_eq!(other(Some(Version::V8_4), "redis 8.4.2"), None);
    assert_eq!(other(Some(Version::Valkey8), "valkey 8.1.3"), None);
    assert_eq!(other(Some(Version::Valkey8), "redis 7.2.4").as_deref(), Some("Valkey 8"));
    assert_eq!(other(None, ""), None, "none has answered yet");
}

#[test]
fn a_failover_is_a_kill_and_a_promotion() {
    let program = crate::lua::compile(b"redis.call('SET', 'n', 1) redis.call('WAIT', 1, 50)", "p");
    let mut scenario = Scenario::simple(vec![], vec![program.expect("it compiles")]);
    let node = |name: &str| crate::sim::NodeDef { name: name.into(), ..Default::default() };
    scenario.nodes = vec![node("redis"), node("r1"), node("r2")];
    for at in [1, 2] {
        scenario.nodes[at].replica_of = Some("redis".into());
    }
    scenario.faults.failover = 1;
    let mut timeline = Timeline::start(Rc::new(scenario)).expect("it starts");
    let run = "A1.A2.replicate-r2.failover-redis.up-redis";
    schedule::play(&mut timeline, run).expect("it plays");
    let mut fake = Fake::new(Pace::Schedule);
    fake.nodes = 3;
    fake.runner.aim(&timeline, 1);
    fake.run();
    assert_eq!(*fake.runner.phase(), Phase::Ready);
    let words = ["SET", "WAIT", "follow", "deliver", "down", "promote", "\"up\""];
    let sent = fake.sent.iter().filter(|line| words.iter().any(|word| line.contains(word)));
    let expected = [
        r#"{"do":"follow","node":0}"#,
        r#"{"do":"follow","node":0}"#,
        "SET n 1",
        // It waits until the schedule says that its time is up.
        "WAIT 1 0",
        r#"{"do":"deliver","to":77}"#,
        r#"{"do":"down","keep":true}"#,
        r#"{"do":"promote"}"#,
        r#"{"do":"follow","node":1}"#,
        r#"{"do":"up"}"#,
        r#"{"do":"follow","node":1}"#,
    ];
    assert!(sent.eq(expected), "{:?}", fake.sent);
    // Servers that others use do not follow each other.
    let mut fake = Fake::new(Pace::Schedule);
    (fake.nodes, fake.own) = (3, false);
    fake.runner.aim(&timeline, 1);
    fake.run();
    let cannot = Trouble::Cannot(super::plan::Cannot::Replicas);
    assert_eq!(*fake.runner.phase(), Phase::Stopped(cannot));
    assert!(fake.sent.is_empty(), "{:?}", fake.sent);
}

#[test]
fn a_console_has_a_connection_of_its_own() {
    let mut fake = Fake::new(Pace::Schedule);
    let run = timeline(DEPOSIT, "A1");
    fake.runner.aim(&run, 1);
    fake.run();
    fake.runner.type_line(1, 0, "GET n");
    assert_eq!(fake.runner.console_state(1), (true, false));
    fake.run();
    assert_eq!(fake.runner.console_state(1), (false, false));
    let said: Vec<_> = fake.runner.said(1).cloned().collect();
    assert_eq!(said, [Said::Typed("GET n".into()), Said::Reply(Value::bulk("10"))]);
    fake.runner.type_line(1, 0, "get \"n");
    let last = fake.runner.said(1).last().cloned();
    assert_eq!(last, Some(Said::Gone("Invalid argument(s)".into())));
    assert_eq!(fake.runner.rows().len(), 1, "it is no step of the run");
}
