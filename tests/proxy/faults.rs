//! What breaks: Redis dies, stands still, forgets a reply; the proxy dies; scripts never end.

use std::time::Duration;

use super::client::{Proxy, Redis, Socket, is_alive, signal, wait_for, wire};
use super::{ALICE, BOB};

/// The process behind a connection.
fn server_pid(socket: &mut Socket) -> u32 {
    let info = socket.ask("INFO server");
    let pid = info.split("process_id:").nth(1).unwrap();
    pid.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

#[test]
fn redis_killed_in_mid_conversation() {
    let mut redis = Redis::start(&[]);
    let proxy = Proxy::start(&["--redis", &redis.url()]);
    let mut a = proxy.socket(ALICE, 0);
    let mut b = proxy.socket(ALICE, 0);
    a.ask("SET k 1");
    a.send("BLPOP nothing 0");
    b.send("SUBSCRIBE c");
    b.reply();
    signal("-9", redis.pid());
    let error = a.reply();
    assert!(error.starts_with("(error) PROXY the connection to Redis was lost"), "{error}");
    assert!(error.ends_with("whether this command was carried out is not known"), "{error}");
    for socket in [&mut a, &mut b] {
        assert_eq!(socket.event()["event"], "lost");
        let refused = socket.ask("PING");
        assert!(refused.starts_with("(error) PROXY there is no connection to Redis"), "{refused}");
    }
    redis.start_again();
    for socket in [&mut a, &mut b] {
        let back = socket.event();
        assert_eq!(back["event"], "back", "{back}");
        assert_eq!(socket.ask("GET k"), "(nil)");
        // The subscription is gone; this is an ordinary connection again.
        assert_eq!(socket.ask("PING"), "PONG");
    }
    assert!(proxy.metric("upstream_lost_total") >= 2);
}

#[test]
fn health_says_what_is_wrong() {
    let mut redis = Redis::start(&[]);
    let proxy = Proxy::start(&["--redis", &redis.url(), "--spawn", "1"]);
    assert!(proxy.get("/healthz").ends_with("\r\n\r\nok\n"));
    signal("-STOP", redis.pid());
    wait_for("it is paused", || proxy.get("/healthz").contains(" 503 "));
    let answer = proxy.get("/healthz");
    assert!(answer.ends_with("\r\n\r\nnode 0: Redis does not answer\n"), "{answer}");
    signal("-CONT", redis.pid());
    wait_for("it goes on", || proxy.get("/healthz").ends_with("ok\n"));
    signal("-9", redis.pid());
    wait_for("it has gone", || proxy.get("/healthz").contains("cannot connect to Redis"));
    redis.start_again();
    wait_for("it is back", || proxy.get("/healthz").ends_with("ok\n"));
}

/// One without maxmemory is no place for visitors; nor is it when it comes later.
#[test]
fn a_redis_that_may_use_all_memory_is_refused() {
    let redis = Redis::start(&["--maxmemory", "0"]);
    let words = Proxy::fails(&["--redis", &redis.url()]);
    assert!(words.contains("maxmemory 0") && words.contains("--any-memory"), "{words}");
    let proxy = Proxy::start(&["--redis", &redis.url(), "--any-memory"]);
    assert_eq!(proxy.socket(ALICE, 0).ask("SET k 1"), "OK");
    assert!(proxy.get("/healthz").ends_with("ok\n"));
    redis.ask("CONFIG SET maxmemory 100mb");
    signal("-STOP", redis.pid());
    let proxy = Proxy::start(&["--redis", &redis.url()]);
    signal("-CONT", redis.pid());
    redis.ask("CONFIG SET maxmemory 0");
    let event = proxy.open(&format!("visitor={ALICE}")).event();
    assert!(event["why"].as_str().unwrap().contains("maxmemory 0"), "{event}");
}

#[test]
fn a_server_of_ones_own_dies_and_comes_back() {
    let proxy = Proxy::start(&["--spawn", "1"]);
    let mut a = proxy.socket(ALICE, 0);
    a.ask("SET k 1");
    // By itself …
    signal("-9", server_pid(&mut a));
    assert_eq!(a.event()["event"], "lost");
    assert_eq!(a.order(r#"{"do":"up"}"#)["event"], "done");
    assert_eq!(a.event()["event"], "back");
    assert_eq!(a.ask("GET k"), "(nil)");
    // … on request, with its keys …
    a.ask("SET k 2");
    assert_eq!(a.order(r#"{"do":"down","keep":true}"#)["event"], "done");
    assert_eq!(a.event()["event"], "lost");
    // What is sent at once waits until the connection stands.
    assert_eq!(a.order(r#"{"do":"up"}"#)["event"], "done");
    assert_eq!(a.ask("GET k"), "\"2\"");
    assert_eq!(a.event()["event"], "back");
    // … and without.
    a.order(r#"{"do":"down"}"#);
    a.event();
    a.order(r#"{"do":"up"}"#);
    assert_eq!(a.event()["event"], "back");
    assert_eq!(a.ask("GET k"), "(nil)");
}

#[test]
fn a_server_that_stands_still_answers_later_or_is_given_up() {
    let proxy = Proxy::start(&["--spawn", "1"]);
    let mut a = proxy.socket(ALICE, 0);
    assert_eq!(a.order(r#"{"do":"resume"}"#)["why"], "the server is not paused");
    assert_eq!(a.order(r#"{"do":"pause"}"#)["event"], "done");
    a.send("INCR n");
    assert!(a.next_within(Duration::from_millis(500)).is_none(), "it stands still");
    assert_eq!(a.order(r#"{"do":"resume"}"#)["event"], "done");
    assert_eq!(a.reply(), "(integer) 1");

    // Half open: there is a connection, and nobody answers. Nobody waits for ever.
    let proxy = Proxy::start(&["--spawn", "1", "--reply", "0.5"]);
    let mut a = proxy.socket(ALICE, 0);
    a.order(r#"{"do":"pause"}"#);
    a.send("INCR n");
    let error = a.reply();
    assert!(error.starts_with("(error) PROXY Redis has not answered for 0 s"), "{error}");
    assert_eq!(a.event()["event"], "lost");
    a.order(r#"{"do":"resume"}"#);
    let mut event = a.event();
    while event["event"] != "back" {
        event = a.event();
    }
    // Once at most: the proxy has not sent it a second time.
    let n = a.ask("GET n");
    assert!(["\"1\"", "(nil)"].contains(&n.as_str()), "{n}");
}

#[test]
fn a_reply_is_lost_and_its_command_was_carried_out_once() {
    let proxy = Proxy::start(&["--spawn", "1"]);
    let mut a = proxy.socket(ALICE, 0);
    assert_eq!(a.order(r#"{"do":"lose-reply"}"#)["event"], "done");
    a.send("INCR n");
    a.send("GET n");
    assert_eq!(a.event()["event"], "reply-lost");
    assert_eq!(a.reply(), "\"1\"");
    assert_eq!(a.order(r#"{"do":"delay","ms":300}"#)["event"], "done");
    let began = std::time::Instant::now();
    a.ask("PING");
    assert!(began.elapsed() >= Duration::from_millis(300));
    let mut b = proxy.socket(ALICE, 0);
    b.ask("SET lock b");
    b.send("BLPOP nothing 0");
    b.frame(1, br#"{"do":"crash"}"#);
    assert_eq!(b.closed(), (4000, "a crash that was asked for".into()));
    assert_eq!(proxy.socket(ALICE, 0).ask("GET lock"), "\"b\"");
    for (order, why) in [("x", "this is no order"), (r#"{"do":"fly"}"#, "unknown variant")] {
        let error = proxy.socket(BOB, 0).order(order);
        assert!(error["why"].as_str().unwrap().contains(why), "{error}");
    }
}

#[test]
fn servers_of_others_are_not_touched_on_request() {
    let redis = Redis::start(&[]);
    let proxy = Proxy::start(&["--redis", &redis.url()]);
    let mut a = proxy.socket(ALICE, 0);
    for fault in ["down", "up", "pause", "resume"] {
        let error = a.order(&format!(r#"{{"do":"{fault}"}}"#));
        assert_eq!(error["why"], "this server is not a throw-away one: others may use it");
    }
    assert_eq!(a.ask("PING"), "PONG");
    // What happens to a connection only is allowed.
    a.order(r#"{"do":"lose-reply"}"#);
    a.send("PING");
    assert_eq!(a.event()["event"], "reply-lost");
}

#[test]
fn nothing_is_left_of_a_proxy_however_it_ends() {
    for gently in [true, false] {
        let mut proxy = Proxy::start(&["--spawn", "2"]);
        let mut a = proxy.socket(ALICE, 0);
        let mut b = proxy.socket(ALICE, 1);
        let pids = [server_pid(&mut a), server_pid(&mut b)];
        let dir = a.ask("CONFIG GET dir").split('"').nth(3).unwrap().to_owned();
        assert!(std::path::Path::new(&dir).join("redis.conf").exists(), "{dir}");
        b.order(r#"{"do":"pause"}"#);
        assert!(pids.iter().all(|pid| is_alive(*pid)));
        if gently {
            proxy.end();
            assert_eq!(a.closed(), (1001, "the proxy ends".into()));
        } else {
            proxy.kill();
        }
        wait_for("the servers end", || !pids.iter().any(|pid| is_alive(*pid)));
        wait_for("the folder goes", || !std::path::Path::new(&dir).exists());
    }
}

/// Also where Redis does not answer, and a page neither reads nor closes.
#[test]
fn it_ends_within_two_seconds() {
    let redis = Redis::start(&[]);
    let mut proxy = Proxy::start(&["--redis", &redis.url(), "--spawn", "1", "--rate", "0"]);
    let mut own = proxy.socket(ALICE, 1);
    let pid = server_pid(&mut own);
    let mut shared = proxy.socket(BOB, 0);
    own.ask("SETRANGE b 15000000 x");
    own.frame(2, &wire("GET b").repeat(9));
    signal("-STOP", redis.pid());
    shared.send("GET k");
    std::thread::sleep(Duration::from_millis(300));
    let began = std::time::Instant::now();
    proxy.end();
    let took = began.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    wait_for("the server ends", || !is_alive(pid));
}

#[test]
fn servers_end_when_their_visitor_has_gone() {
    let proxy = Proxy::start(&["--spawn", "1", "--linger", "0"]);
    let mut a = proxy.socket(ALICE, 0);
    let pid = server_pid(&mut a);
    drop(a);
    wait_for("the server ends", || !is_alive(pid));
    wait_for("it is counted", || proxy.metric("servers") == 0 && proxy.metric("visitors") == 0);
    assert_eq!(proxy.metric("upstreams"), 0);
    // And again.
    assert_eq!(proxy.socket(ALICE, 0).ask("PING"), "PONG");
}

#[test]
fn a_script_that_never_ends_is_ended() {
    let proxy = Proxy::start(&["--spawn", "1", "--script", "0.3"]);
    let mut a = proxy.socket(ALICE, 0);
    let error = a.ask("EVAL \"while true do end\" 0");
    assert!(error.contains("Script killed by user"), "{error}");
    assert_eq!(a.ask("SET k 1"), "OK");
    // One that has written cannot be stopped: the server is started anew.
    let error = a.ask("EVAL \"redis.call('set', 'k', 2) while true do end\" 0");
    assert!(error.starts_with("(error) PROXY the connection to Redis was lost"), "{error}");
    assert_eq!(a.event()["event"], "lost");
    assert_eq!(a.event()["event"], "back");
    assert_eq!(a.ask("GET k"), "(nil)");
    assert_eq!(proxy.metric("scripts_stopped_total"), 2);
    // Nor can one in the middle of a search, where Redis hears nothing.
    let pid = server_pid(&mut a);
    let search = "return string.find(string.rep('a',200), string.rep('a*',30)..'b')";
    let error = a.ask(&format!("EVAL \"{search}\" 0"));
    assert!(error.starts_with("(error) PROXY the connection to Redis was lost"), "{error}");
    assert_eq!(a.event()["event"], "lost");
    wait_for("it does not go on", || !is_alive(pid));
    assert_eq!(a.event()["event"], "back");
    assert_eq!(proxy.metric("scripts_stopped_total"), 3);
    // One that was told to stand still is left alone.
    a.order(r#"{"do":"pause"}"#);
    a.send("EVAL \"return 1\" 0");
    assert!(a.next_within(Duration::from_secs(3)).is_none());
    a.order(r#"{"do":"resume"}"#);
    assert_eq!(a.reply(), "(integer) 1");
}

/// Memory, files and what it says are bounded; what it takes is told.
#[test]
fn a_server_of_ones_own_has_limits() {
    let proxy = Proxy::start(&["--spawn", "1", "--rate", "0", "--script", "20"]);
    let mut a = proxy.socket(ALICE, 0);
    let dir = a.ask("CONFIG GET dir").split('"').nth(3).unwrap().to_owned();
    let log = "local s=string.rep('x',1000) for i=1,100000 do redis.log(redis.LOG_WARNING,s) end \
               return 1";
    assert_eq!(a.ask(&format!("EVAL \"{log}\" 0")), "(integer) 1");
    let size = std::fs::metadata(format!("{dir}/log")).unwrap().len();
    assert!(size < 64 * 1024, "{size} bytes of log");
    wait_for("it is measured", || {
        proxy.metric("servers_memory_bytes") > 1 << 20 && proxy.metric("servers_cpu_ms") > 0
    });
    assert!(proxy.metric("servers_file_bytes") < 1 << 20);
    let lua = "local t = {} for i = 1, 40 do t[i] = string.rep('x', 25000000) .. i end return 1";
    for too_much in ["SETRANGE b 536870000 x".to_owned(), format!("EVAL \"{lua}\" 0")] {
        let pid = server_pid(&mut a);
        let error = a.ask(&too_much);
        let known = ["PROXY the connection to Redis was lost", "not enough memory"];
        assert!(known.iter().any(|words| error.contains(words)), "{too_much}: {error}");
        if error.contains("PROXY") {
            assert_eq!(a.event()["event"], "lost");
            wait_for("it has ended", || !is_alive(pid));
            a.order(r#"{"do":"up"}"#);
            assert_eq!(a.event()["event"], "back");
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", server_pid(&mut a)));
        let status = status.unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmPeak:")).unwrap();
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak <= 400 * 1024, "{peak} kB");
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", server_pid(&mut a)));
        let limits = limits.unwrap();
        for name in ["Max cpu time", "Max file size", "Max address space"] {
            let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
            assert!(!line.contains("unlimited"), "{line}");
        }
    }
}
