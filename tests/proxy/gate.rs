//! Who is let in.

use std::io::{Read, Write};

use super::client::{Proxy, wait_for};
use super::{ALICE, BOB};

/// The status of a handshake that was refused, and the words.
fn refused(proxy: &Proxy, query: &str, host: &str, origin: Option<&str>) -> (u16, String) {
    match proxy.shake(query, host, origin) {
        Ok(_) => (101, String::new()),
        Err(answer) => {
            let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
            let words = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
            (status, words.to_owned())
        }
    }
}

#[test]
fn foreign_pages_and_names_are_refused_in_words() {
    let options = [
        "--spawn",
        "1",
        "--connections",
        "2",
        "--visitors",
        "1",
        "--allow-origin",
        "https://course.example",
        "--token",
        "none",
    ];
    let proxy = Proxy::start(&options);
    let query = format!("visitor={ALICE}");
    let own = format!("127.0.0.1:{}", proxy.port);
    let here = format!("http://{own}");
    let check = |query: &str, host: &str, origin: Option<&str>, status: u16, why: &str| {
        let (got, words) = refused(&proxy, query, host, origin);
        assert!(got == status && words.contains(why), "{query} {host} {origin:?}: {got} {words}");
    };
    check(&query, &own, Some("http://evil.example"), 403, "allow it with --allow-origin");
    check(&query, &own, Some("null"), 403, "is not this page's");
    let rebound = format!("evil.example:{}", proxy.port);
    check(&query, &rebound, Some(&format!("http://{rebound}")), 421, "is not this proxy's");
    check("visitor=short", &own, Some(&here), 400, "16 to 64 letters");
    check("", &own, Some(&here), 400, "16 to 64 letters");
    check(&format!("{query}&node=1"), &own, Some(&here), 404, "there are 1, from 0");
    check(&format!("{query}&node=x"), &own, Some(&here), 404, "no node x");
    check(&query, &own, Some("https://course.example"), 101, "");
    check(&query, &own, None, 101, "");

    wait_for("these have gone", || proxy.metric("websockets") == 0);
    let (_a, _b) = (proxy.socket(ALICE, 0), proxy.socket(ALICE, 0));
    check(&query, &own, Some(&here), 429, "you have 2 connections open");
    check(&format!("visitor={BOB}"), &own, Some(&here), 503, "1 visitors are here already");
    assert!(proxy.get(&format!("/ws?{query}")).starts_with("HTTP/1.1 426 "));
    assert!(proxy.get("/healthz").ends_with("ok\n"));
    assert!(proxy.metric("refused_handshakes_total") >= 9);
}

/// A browser asks first whether a page of another origin may send the headers with its secrets.
#[test]
fn a_page_of_an_allowed_origin_may_ask_why_and_no_other() {
    let token = "0123456789abcdef";
    let course = "https://course.example";
    let proxy = Proxy::start(&["--spawn", "1", "--allow-origin", course, "--token", token]);
    let ask = |method: &str, origin: &str, more: &str| {
        let mut stream = proxy.connect();
        let head = format!(
            "{method} /ws?node=0 HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: {origin}\r\n\
             Connection: close\r\n{more}\r\n",
            proxy.port
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.to_ascii_lowercase()
    };
    let before = "Access-Control-Request-Method: GET\r\n\
                  Access-Control-Request-Headers: authorization,interleave-visitor\r\n";
    let reads =
        |answer: &str| answer.contains(&format!("access-control-allow-origin: {course}\r\n"));
    let answer = ask("OPTIONS", course, before);
    assert!(answer.starts_with("http/1.1 204 ") && reads(&answer), "{answer}");
    assert!(answer.contains("access-control-allow-headers: authorization, interleave-visitor\r\n"));
    assert!(answer.contains("vary: origin\r\n"), "{answer}");
    // The words of each refusal.
    let answer = ask("GET", course, "");
    assert!(answer.contains("a token is needed") && reads(&answer), "{answer}");
    let secrets = format!("Authorization: Bearer {token}\r\nInterleave-Visitor: {ALICE}\r\n");
    let answer = ask("GET", course, &secrets);
    assert!(answer.starts_with("http/1.1 426 ") && reads(&answer), "{answer}");
    for (method, more) in [("OPTIONS", before), ("GET", ""), ("GET", &secrets)] {
        for origin in ["https://evil.example", "null"] {
            let answer = ask(method, origin, more);
            assert!(answer.starts_with("http/1.1 403 "), "{answer}");
            assert!(!answer.contains("access-control-"), "{answer}");
        }
    }
}

/// A page that connects anew is a new visitor: those before make room, so a class cannot lock
/// itself out.
#[test]
fn who_has_gone_makes_room() {
    let proxy = Proxy::start(&["--spawn", "1", "--visitors", "2"]);
    let mut here = proxy.socket(ALICE, 0);
    here.ask("SET k 1");
    for n in 0..5 {
        assert_eq!(proxy.socket(&format!("{BOB}-{n}"), 0).ask("PING"), "PONG");
        wait_for("it has gone", || proxy.metric("websockets") == 1);
    }
    wait_for("their servers end", || proxy.metric("servers") == 2);
    assert_eq!(here.ask("GET k"), "\"1\"");
}

/// A class of 100, with a tab each and some to spare.
#[test]
fn a_class_of_a_hundred_fits() {
    assert!(interleave::proxy::limits::Limits::default().visitors >= 120);
}

#[test]
fn a_token_is_needed_where_there_is_one() {
    let token = "0123456789abcdef";
    let proxy = Proxy::start(&["--spawn", "1", "--token", token]);
    let host = format!("127.0.0.1:{}", proxy.port);
    let (status, words) = refused(&proxy, &format!("visitor={ALICE}"), &host, None);
    assert!(status == 401 && words.contains("a token is needed"), "{status} {words}");
    let query = format!("visitor={ALICE}&token=0123456789abcdeF");
    let (status, words) = refused(&proxy, &query, &host, None);
    assert!(status == 401 && words.contains("the token is wrong"), "{status} {words}");
    assert_eq!(proxy.open(&format!("visitor={ALICE}&token={token}")).event()["event"], "ready");
    assert!(proxy.get("/metrics").starts_with("HTTP/1.1 401 "));
    assert!(proxy.get(&format!("/metrics?token={token}")).starts_with("HTTP/1.1 200 "));
    assert!(proxy.get("/").starts_with("HTTP/1.1 200 "));
}

#[test]
fn beyond_this_machine_a_token_is_made_up_and_printed() {
    let proxy = Proxy::start_at("0.0.0.0:0", &["--spawn", "1"]);
    let token = proxy.printed[2].rsplit(' ').next().unwrap();
    assert_eq!(token.len(), 32, "{:?}", proxy.printed);
    let host = format!("127.0.0.1:{}", proxy.port);
    assert_eq!(refused(&proxy, &format!("visitor={ALICE}"), &host, None).0, 401);
    assert_eq!(proxy.open(&format!("visitor={ALICE}&token={token}")).event()["event"], "ready");
}

/// As behind a reverse proxy, which speaks to it over loopback.
#[test]
fn where_a_host_is_allowed_a_token_is_made_up() {
    let proxy = Proxy::start(&["--spawn", "1", "--allow-host", "lab.school.example"]);
    let token = proxy.printed[1].rsplit(' ').next().unwrap();
    assert_eq!(token.len(), 32, "{:?}", proxy.printed);
    let (host, query) = ("lab.school.example", format!("visitor={ALICE}"));
    let origin = "https://lab.school.example";
    assert_eq!(refused(&proxy, &query, host, Some(origin)).0, 401);
    assert!(proxy.get("/metrics").starts_with("HTTP/1.1 401 "));
    // The secrets are no part of the address.
    let lines = format!(
        "Origin: {origin}\r\nSec-WebSocket-Protocol: interleave, visitor.{ALICE}, token.{token}\r\n"
    );
    let mut socket = proxy.shake_with("node=0", host, &lines).unwrap_or_else(|why| panic!("{why}"));
    let head = proxy.heads.lock().unwrap().to_ascii_lowercase();
    assert!(head.contains("sec-websocket-protocol: interleave\r\n"), "{head}");
    assert_eq!(socket.event()["event"], "ready");
    let lines = format!("Sec-WebSocket-Protocol: interleave, visitor.{ALICE}, token.wrong\r\n");
    assert!(proxy.shake_with("node=0", host, &lines).is_err_and(|why| why.contains(" 401 ")));
    // Nor of a request for the words of a refusal.
    let lines = format!("Authorization: Bearer {token}\r\nInterleave-Visitor: short\r\n");
    let why = proxy.shake_with("node=0", host, &lines).err().unwrap();
    assert!(why.contains("16 to 64 letters"), "{why}");
}

#[test]
fn without_a_redis_it_says_how_to_get_one() {
    let proxy = Proxy::start(&["--spawn", "0"]);
    let host = format!("127.0.0.1:{}", proxy.port);
    let (status, words) = refused(&proxy, &format!("visitor={ALICE}"), &host, None);
    assert!(status == 404 && words.contains("--redis redis://"), "{status} {words}");
}

/// Anyone can be refused, as often as they like, with words of their own.
#[test]
fn the_log_stays_small_and_keeps_secrets() {
    let token = "abcdefgh-0123456789";
    let proxy = Proxy::start(&["--spawn", "1", "--token", token, "--json-log"]);
    let mut socket = proxy.open(&format!("visitor={ALICE}&node=0&token={token}"));
    assert_eq!(socket.event()["event"], "ready");
    assert_eq!(socket.ask("SET k private"), "OK");
    for _ in 0..50 {
        let host = "\"".repeat(50_000);
        let query = format!("visitor={ALICE}&node=0&token={token}");
        assert!(proxy.shake(&query, &host, None).is_err());
    }
    let log = proxy.log();
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let refused = lines.iter().filter(|line| line["event"] == "refused").count();
    assert!((20..50).contains(&refused), "{log}");
    assert!(log.len() < 20_000, "{} bytes", log.len());
    for secret in [token, ALICE, "private"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
