//! The lenses in Rust, with redis-rs against a real redis-server: what they leave there must be
//! what `cases.json` says. Those in other languages are in tests/lenses.test.mjs. A new lens is a
//! row of the table.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use redis::{Client, Connection, RedisResult, Value};
use serde_json::{Value as Json, json};

use crate::clients::exported::Server;

/// What a lens may be called with.
struct Given<'a> {
    client: &'a Client,
    con: &'a mut Connection,
    work: &'a dyn Fn(),
}

/// Calls a lens. Whether its answer is good news, where it has one.
type Call = fn(Given) -> RedisResult<Option<bool>>;

/// A row is a name for the module, the lens, and how it is called.
macro_rules! lenses {
    ($($name:ident $lesson:literal $program:literal |$given:ident| $call:expr;)*) => {
        $(
            // A lens is shown alone: its functions are private, and some values are not read.
            #[allow(clippy::all, dead_code, unused_assignments, unused_variables)]
            mod $name {
                include!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/static/lessons/", $lesson, "/lens/", $program, ".rs"
                ));

                pub fn call($given: super::Given) -> redis::RedisResult<Option<bool>> {
                    $call
                }
            }
        )*
        const LENSES: &[(&str, Call)] =
            &[$((concat!($lesson, "/", $program), $name::call),)*];
    };
}

lenses! {
    enter_get_set "atomic-counters" "enter-get-set" |g| enter(g.con).map(|()| None);
    enter_incr "atomic-counters" "enter-incr" |g| enter(g.con).map(|_| None);
    hget_hset "atomic-counters" "hget-hset" |g| add_apples(g.con).map(|()| None);
    hincrby "atomic-counters" "hincrby" |g| add_apples(g.con).map(|_| None);
    leave_decr "atomic-counters" "leave-decr" |g| leave(g.con).map(|_| None);
    leave_get_set "atomic-counters" "leave-get-set" |g| leave(g.con).map(|()| None);
    zincrby "atomic-counters" "zincrby" |g| reward(g.con).map(|_| None);
    zscore_zadd "atomic-counters" "zscore-zadd" |g| reward(g.con).map(|()| None);
    deposit_get_set "lost-update" "get-set" |g| deposit(g.con).map(|()| None);
    deposit_incrby "lost-update" "incrby" |g| deposit(g.con).map(|_| None);
    client_side "lua-script" "client-side" |g| spend(g.con).map(|spent| Some(spent > 0));
    spend_eval "lua-script" "eval" |g| spend(g.con).map(|spent| Some(spent > 0));
    two_scripts "lua-script" "two-scripts" |g| spend(g.con).map(|spent| Some(spent > 0));
    buy_decr "oversell" "decr" |g| buy(g.con).map(Some);
    buy_eval "oversell" "eval" |g| buy(g.con).map(Some);
    buy_get_set "oversell" "get-set" |g| buy(g.con).map(Some);
    // Their leases are of 20 ms: on a busy machine they may be late, and say so.
    blind_del "owner-token" "blind-del" |g| run(g.con).map(|()| None);
    get_del "owner-token" "get-del" |g| run(g.con).map(|()| None);
    lua_del "owner-token" "lua-del" |g| run(g.con).map(|_| None);
    acquire "semaphore" "acquire" |g| try_work(g.con, g.work).map(Some);
    script "semaphore" "script" |g| try_work(g.con, g.work).map(Some);
    bounded "setnx-lock" "bounded" |g| sell_next(g.con).map(|a| Some(matches!(a, Answer::Sold)));
    busy "setnx-lock" "busy" |g| sell_next(g.con).map(|a| Some(matches!(a, Answer::Sold)));
    finally "setnx-lock" "finally" |g| sell_next(g.con).map(Some);
    no_finally "setnx-lock" "no-finally" |g| sell_next(g.con).map(Some);
    watch_retry "watch" "watch-retry" |g| double_points(g.con).map(Some);
    worker "watchdog" "worker" |g| work_once(g.client, "me", g.work).map(Some);
}

fn json_of(reply: Value) -> Json {
    match reply {
        Value::Nil => Json::Null,
        Value::Int(number) => json!(number),
        Value::Okay => json!("OK"),
        Value::BulkString(bytes) => json!(String::from_utf8_lossy(&bytes)),
        Value::Array(all) => all.into_iter().map(json_of).collect(),
        other => json!(format!("{other:?}")),
    }
}

fn command(con: &mut Connection, text: &str) -> Json {
    let mut words = text.split(' ');
    let mut command = redis::cmd(words.next().unwrap_or_default());
    let reply = command.arg(words.collect::<Vec<_>>()).query(con);
    json_of(reply.unwrap_or_else(|error| panic!("{text}: {error}")))
}

#[test]
fn lenses_in_rust_do_what_they_say() {
    let cases: Json = serde_json::from_str(include_str!("cases.json")).expect("JSON");
    let server = Server::start();
    let client = Client::open(format!("redis://127.0.0.1:{}/", server.port)).expect("an address");
    let connect = || client.get_connection().expect("a connection");
    let (mut con, mut looking) = (connect(), connect());
    for (lens, call) in LENSES {
        let cases = cases[lens].as_array().unwrap_or_else(|| panic!("no cases for {lens}"));
        for case in cases {
            let work = || {
                let mut con = connect();
                command(&mut con, "INCR worked");
                for (text, reply) in case["during"].as_object().into_iter().flatten() {
                    assert_eq!(command(&mut con, text), *reply, "{lens}: {case}: {text}");
                }
            };
            let setup = case["setup"].as_array().into_iter().flatten().filter_map(Json::as_str);
            // The time of day is for the tests in Node.js.
            if setup.clone().any(|text| text.contains("{past}")) {
                continue;
            }
            command(&mut looking, "FLUSHALL");
            // A lease of the setup ends so long after this, however slow the machine is.
            let started = Instant::now();
            setup.for_each(|text| drop(command(&mut looking, text)));
            let ended = call(Given { client: &client, con: &mut con, work: &work });
            let least = Duration::from_millis(case["at_least_ms"].as_u64().unwrap_or_default());
            assert!(started.elapsed() >= least, "{lens}: {case}: it did not wait");
            let fails = case["fails"].as_bool().unwrap_or_default();
            assert_eq!(ended.is_err(), fails, "{lens}: {case}: {ended:?}");
            for (text, reply) in case["after"].as_object().into_iter().flatten() {
                assert_eq!(command(&mut looking, text), *reply, "{lens}: {case}: {text}");
            }
            if let (Some(won), Ok(Some(good))) = (case["won"].as_bool(), ended) {
                assert_eq!(good, won, "{lens}: {case}");
            }
        }
    }
}

#[test]
fn every_lens_in_rust_is_in_the_table() {
    let lessons = Path::new(env!("CARGO_MANIFEST_DIR")).join("static/lessons");
    let mut there = BTreeSet::new();
    for lesson in lessons.read_dir().expect("lessons").map(|entry| entry.expect("a lesson")) {
        let Ok(files) = lesson.path().join("lens").read_dir() else { continue };
        for file in files {
            let name = file.expect("a file").file_name().into_string().expect("a name");
            let lesson = lesson.file_name().into_string().expect("a name");
            there.extend(name.strip_suffix(".rs").map(|program| format!("{lesson}/{program}")));
        }
    }
    let in_table: BTreeSet<String> = LENSES.iter().map(|(lens, _)| (*lens).to_owned()).collect();
    assert_eq!(in_table, there);
}
