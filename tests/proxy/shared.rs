//! A Redis that others use: no foreign key is touched, and nothing stays behind.

use std::process::Command;
use std::time::Duration;

use super::client::{Proxy, Redis, redis_program, wait_for, wire};
use super::{ALICE, BOB};

#[test]
fn keys_of_visitors_and_of_others_are_kept_apart() {
    let redis = Redis::start(&[]);
    for line in ["SET stock foreign", "RPUSH list x", "XADD s 1-1 f v", "SET interleave:x y"] {
        redis.ask(line);
    }
    let before: Vec<String> = ["stock", "list", "s", "interleave:x"]
        .iter()
        .map(|key| redis.ask(&format!("DUMP {key}")))
        .collect();
    let proxy =
        Proxy::start(&["--redis", &redis.url(), "--linger", "0", "--rate", "0", "--scripts"]);
    let mut a = proxy.socket(ALICE, 0);
    let mut b = proxy.socket(BOB, 0);

    assert_eq!(a.ask("GET stock"), "(nil)");
    assert_eq!(a.ask("SET stock 10"), "OK");
    assert_eq!(b.ask("SET stock 20"), "OK");
    assert_eq!(a.ask("INCR stock"), "(integer) 11");
    assert_eq!(b.ask("GET stock"), "\"20\"");
    assert_eq!(a.order(r#"{"do":"keys"}"#)["keys"], serde_json::json!(["stock"]));

    // Replies show the names that the program knows.
    a.ask("RPUSH list 1 2 3");
    assert_eq!(a.ask("BLPOP none list 1"), "1) \"list\"\n2) \"1\"");
    assert_eq!(a.ask("LMPOP 2 none list LEFT"), "1) \"list\"\n2) 1) \"2\"");
    a.ask("XADD s 2-1 f v");
    assert!(a.ask("XREAD STREAMS s 0").starts_with("1) 1) \"s\"\n"));
    assert_eq!(a.ask("EVAL \"return KEYS[1]\" 1 stock"), "\"stock\"");
    assert_eq!(a.ask("EVAL \"return redis.call('get', KEYS[1])\" 1 stock"), "\"11\"");
    // WATCH and MULTI see the same keys.
    a.ask("WATCH stock");
    a.ask("MULTI");
    a.ask("DECR stock");
    assert_eq!(a.ask("EXEC"), "1) (integer) 10");

    // A script that makes up a name, or uses another command, is stopped by the server.
    for script in [
        "return redis.call('get', 'stock')",
        "return redis.call('set', 'stock', 'mine')",
        "return redis.call('del', 'interleave:x')",
        "return redis.call('set', 'x' .. KEYS[1], 1)",
        "return redis.call('keys', '*')",
        "return redis.call('scan', '0')",
        "return redis.call('flushdb')",
        "return redis.call('publish', 'c', 'x')",
    ] {
        let reply = a.ask(&format!("EVAL \"{script}\" 1 stock"));
        assert!(reply.starts_with("(error)"), "{script}: {reply}");
    }
    let reply = a.ask("EVAL \"return redis.call('get', 'stock')\" 0");
    assert!(reply.contains("a script has the keys that it is given in KEYS"), "{reply}");

    // Nor does an error or a status show the name that Redis knows.
    assert!(a.ask("XREADGROUP GROUP g c STREAMS none >").contains("No such key 'none'"));
    for reply in ["{ok=KEYS[1]}", "redis.error_reply(KEYS[1])"] {
        let reply = a.ask(&format!("EVAL \"return {reply}\" 1 stock"));
        assert!(reply.ends_with("stock") && !reply.contains("interleave"), "{reply}");
    }
    assert!(a.ask("ZUNION +1 stock").contains("cannot tell the keys"));

    // Channels are apart too.
    let mut c = proxy.socket(ALICE, 0);
    c.send("SUBSCRIBE news");
    assert_eq!(c.reply(), "1) \"subscribe\"\n2) \"news\"\n3) (integer) 1");
    assert_eq!(b.ask("PUBLISH news b"), "(integer) 0");
    assert_eq!(a.ask("PUBLISH news a"), "(integer) 1");
    assert_eq!(c.reply(), "1) \"message\"\n2) \"news\"\n3) \"a\"");

    assert!(redis.ask("ACL USERS").contains("interleave-"));
    assert_eq!(b.order(r#"{"do":"clean"}"#)["event"], "done");
    assert_eq!(b.ask("GET stock"), "(nil)");
    assert_eq!(a.ask("GET stock"), "\"10\"");
    drop((a, b, c));
    wait_for("what they had is removed", || {
        redis.ask("ACL USERS") == "1) \"default\"" && redis.ask("DBSIZE") == "(integer) 5"
    });
    let after: Vec<String> = ["stock", "list", "s", "interleave:x"]
        .iter()
        .map(|key| redis.ask(&format!("DUMP {key}")))
        .collect();
    assert_eq!(before, after, "what belongs to others is as it was");
}

#[test]
fn a_proxy_that_was_killed_is_cleaned_up_after() {
    let redis = Redis::start(&[]);
    redis.ask("SET foreign 1");
    let mut proxy = Proxy::start(&["--redis", &redis.url()]);
    let mut a = proxy.socket(ALICE, 0);
    a.ask("SET stock 1");
    proxy.kill();
    // A foreign key, the sign of life, the visitor's key, its name, and the visitor's.
    assert_eq!(redis.ask("DBSIZE"), "(integer) 5");
    // Its sign of life runs out after three minutes; here, at once.
    let alive = redis.ask("KEYS interleave.alive:*");
    redis.ask(&format!("DEL {}", alive.split('"').nth(1).unwrap()));
    let proxy = Proxy::start(&["--redis", &redis.url()]);
    wait_for("what it left is removed", || {
        redis.ask("KEYS *:stock") == "(empty array)" && redis.ask("ACL USERS") == "1) \"default\""
    });
    assert_eq!(redis.ask("GET foreign"), "\"1\"");
    assert_eq!(proxy.socket(ALICE, 0).ask("GET stock"), "(nil)");
}

/// A million keys of others cost a visitor nothing, and a visitor's order costs them nothing.
#[test]
fn nothing_looks_through_everybodys_keys() {
    let redis = Redis::start(&[]);
    let proxy = Proxy::start(&["--redis", &redis.url(), "--linger", "0", "--rate", "0"]);
    let mut a = proxy.socket(ALICE, 0);
    a.ask("MSET x 1 y 2");
    a.ask("RENAME y z");
    a.ask("GET never");
    a.ask("SET short 1 PX 1");
    a.ask("MULTI");
    a.ask("LPUSH list 1");
    a.ask("EXEC");
    a.ask("BLMOVE list moved LEFT LEFT 1");
    std::thread::sleep(Duration::from_millis(10));
    let keys = a.order(r#"{"do":"keys"}"#);
    assert_eq!(keys["keys"], serde_json::json!(["moved", "x", "z"]));
    assert_eq!(a.order(r#"{"do":"clean"}"#)["event"], "done");
    assert_eq!(a.order(r#"{"do":"keys"}"#)["keys"], serde_json::json!([]));
    // What was cleaned away and comes back is removed too.
    a.ask("SET x 1");
    drop(a);
    wait_for("only the sign of life is left", || redis.ask("DBSIZE") == "(integer) 1");
    // Another that was killed, and who finds what it left.
    let mut killed = Proxy::start(&["--redis", &redis.url()]);
    killed.socket(ALICE, 0).ask("SET x 1");
    killed.kill();
    for key in redis.ask("KEYS interleave.alive:*").split('"').skip(1).step_by(2) {
        redis.ask(&format!("DEL {key}"));
    }
    let _next = Proxy::start(&["--redis", &redis.url()]);
    wait_for("what it left is removed", || redis.ask("DBSIZE") == "(integer) 1");
    let scans = redis.ask("INFO commandstats");
    assert!(scans.contains("cmdstat_sscan") && !scans.contains("cmdstat_scan"), "{scans}");
}

/// Otherwise one visitor fills the server, and everybody's writes fail.
#[test]
fn a_visitors_keys_have_a_quota() {
    let redis = Redis::start(&[]);
    let quota = 1_000_000;
    let options = ["--redis", &redis.url(), "--rate", "0", "--quota", &quota.to_string()];
    let proxy = Proxy::start(&options);
    let used = || -> i64 {
        let info = redis.ask("INFO memory");
        let line = info.split("\\r\\n").find_map(|line| line.split("used_memory:").nth(1));
        line.unwrap_or_else(|| panic!("{info}")).parse().unwrap()
    };
    let (mut a, mut b) = (proxy.socket(ALICE, 0), proxy.socket(BOB, 0));
    let before = used();
    // What is deleted or written over does not count.
    let value = "x".repeat(100_000);
    for _ in 0..30 {
        assert_eq!(a.ask(&format!("SET k {value}")), "OK");
    }
    a.ask("DEL k");
    // One command that takes more than its bytes.
    for line in ["SETRANGE k 2000000 x", "SETBIT k 16000000 1", "BITFIELD k SET u8 16000000 1"] {
        let refused = a.ask(line);
        assert!(refused.contains("PROXY your keys take") && refused.contains("1000000"), "{line}");
    }
    let fill = |a: &mut super::client::Socket| {
        let set = |n: &usize| a.ask(&format!("SET k{n} {value}")) != "OK";
        (0..100).find(set).expect("it is refused")
    };
    let n = fill(&mut a);
    assert!((6..=9).contains(&n), "{n}");
    // Others are not concerned, and who deletes can go on.
    assert_eq!(b.ask(&format!("SET k {value}")), "OK");
    assert_eq!(a.ask("DEL k0 k1 k2 k3"), "(integer) 4");
    // Copies, one after the other, and in a transaction.
    let copies = |a: &mut super::client::Socket| {
        (0..50).filter(|n| !a.ask(&format!("BITOP OR d{n} k4 k5")).contains("PROXY")).count()
    };
    assert!((1..=18).contains(&copies(&mut a)));
    assert_eq!(a.order(r#"{"do":"clean"}"#)["event"], "done");
    fill(&mut a);
    a.ask("DEL k0 k1 k2 k3");
    a.ask("MULTI");
    copies(&mut a);
    assert!(a.ask("EXEC").contains("EXECABORT"));
    for line in ["MULTI", "SET k0 1", "INCR k0"] {
        a.ask(line);
    }
    assert_eq!(a.ask("EXEC"), "1) OK\n2) (integer) 2");
    let more = used() - before;
    assert!(more < 2 * quota + 500_000, "{more}");
    assert!(proxy.metric("over_quota_total") > 10);
}

/// What nobody reads fills a buffer of Redis, which counts as memory in use.
#[test]
fn redis_keeps_one_unread_reply_of_a_visitor() {
    let redis = Redis::start(&[]);
    let proxy = Proxy::start(&["--redis", &redis.url(), "--rate", "0"]);
    let mut b = proxy.socket(BOB, 0);
    let mut readers: Vec<_> = (0..30).map(|_| proxy.socket(ALICE, 0)).collect();
    readers[0].ask("SETRANGE b 14999999 x");
    for reader in &mut readers {
        reader.send("GET b");
        reader.send("GET b");
    }
    for _ in 0..30 {
        std::thread::sleep(Duration::from_millis(50));
        let info = redis.ask("INFO memory");
        let used = info.split("used_memory:").nth(1).and_then(|rest| rest.split('\\').next());
        let used: u64 = used.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{info}"));
        assert!(used < 70_000_000, "{used}");
    }
    assert_eq!(b.ask("SET k 1"), "OK");
    // Who reads gets both, once the others have gone.
    readers.truncate(1);
    for _ in 0..2 {
        assert_eq!(readers[0].value().to_bytes(Default::default()).len(), 15_000_013);
    }
}

/// Whether it is sent by itself or inside a transaction, which then fails as a whole.
#[test]
fn a_name_that_cannot_be_noted_is_refused() {
    let redis = Redis::start(&[]);
    let proxy = Proxy::start(&["--redis", &redis.url()]);
    let mut a = proxy.socket(ALICE, 0);
    let name = "n".repeat(5000);
    assert!(a.ask(&format!("SET {name} 1")).contains("at most 4096 bytes"));
    a.ask("MULTI");
    assert_eq!(a.ask("SET w 1"), "QUEUED");
    assert!(a.ask(&format!("SET {name} 1")).contains("at most 4096 bytes"));
    assert!(a.ask("EXEC").contains("EXECABORT"));
    assert_eq!(a.ask("GET w"), "(nil)");
    assert_eq!(a.ask("SET w 1"), "OK");
}

/// A script may make up a name, but only where any may run.
#[test]
fn what_a_script_makes_up_is_removed() {
    let redis = Redis::start(&[]);
    let proxy = Proxy::start(&["--redis", &redis.url(), "--linger", "0", "--scripts"]);
    let mut a = proxy.socket(ALICE, 0);
    assert_eq!(a.ask("EVAL \"return redis.call('set', KEYS[1]..'x', 1)\" 1 k"), "OK");
    assert_eq!(a.ask("GET kx"), "\"1\"");
    drop(a);
    wait_for("it is removed", || redis.ask("DBSIZE") == "(integer) 1");
}

#[test]
fn where_no_user_can_be_made_scripts_are_refused() {
    let redis = Redis::start(&[]);
    redis.ask("ACL SETUSER app on >secret ~* &* +@all -acl");
    redis.ask("SET stock foreign");
    let url = format!("redis://app:secret@127.0.0.1:{}", redis.port);
    let proxy = Proxy::start(&["--redis", &url]);
    let mut a = proxy.open(&format!("visitor={ALICE}"));
    assert_eq!(a.event()["scripts"], false);
    assert_eq!(a.ask("SET stock 1"), "OK");
    let reply = a.ask("EVAL \"return 1\" 0");
    assert!(reply.contains("PROXY EVAL is not allowed here") && reply.contains("ACL SETUSER"));
    assert!(a.ask("KEYS *").contains("not allowed on a shared server"));
    assert_eq!(redis.ask("GET stock"), "\"foreign\"");
    // A wrong password is said, and never shown.
    let proxy = Proxy::start(&["--redis", &url.replace("secret", "wr0ng")]);
    let event = proxy.open(&format!("visitor={ALICE}")).event();
    let why = event["why"].as_str().unwrap();
    assert!(event["event"] == "lost" && why.contains("refuses the login"), "{event}");
    assert!(!why.contains("wr0ng"), "{event}");
}

/// A script stops everybody's Redis while it runs; those of the lessons end soon.
#[test]
fn only_the_lessons_scripts_run_where_others_use_the_server() {
    let redis = Redis::start(&[]);
    let script = "return redis.call('incr', KEYS[1])";
    let program = format!("local add = [[{script}]] redis.call('EVAL', add, 1, 'n')");
    let lesson = serde_json::json!({ "variants": [{ "program": program }] });
    let file = |dir: &std::path::Path| {
        std::fs::create_dir(dir.join("lessons")).unwrap();
        std::fs::write(dir.join("lessons/x.json"), lesson.to_string()).unwrap();
    };
    let proxy = Proxy::start_with(file, &["--redis", &redis.url(), "--spawn", "1"]);
    let (mut shared, mut own) = (proxy.socket(ALICE, 0), proxy.socket(ALICE, 1));
    assert_eq!(shared.ask(&format!("EVAL \"{script}\" 1 n")), "(integer) 1");
    let sha = shared.ask(&format!("SCRIPT LOAD \"{script}\""));
    assert_eq!(shared.ask(&format!("EVALSHA {} 1 n", sha.trim_matches('"'))), "(integer) 2");
    let search = "return string.find(string.rep('a',200), string.rep('a*',30)..'b')";
    for other in [
        "EVAL \"while true do end\" 0".to_owned(),
        format!("EVAL \"{search}\" 0"),
        format!("EVAL_RO \"{search}\" 0"),
        "SCRIPT LOAD \"return 1\"".to_owned(),
        "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0".to_owned(),
    ] {
        let refused = shared.ask(&other);
        assert!(refused.contains("none of the lessons'"), "{other}: {refused}");
    }
    assert_eq!(own.ask("EVAL \"return 1\" 0"), "(integer) 1");
    assert!(redis.ask("INFO memory").contains("number_of_cached_scripts:1"));
}

/// One visitor's slow commands, pipelined; what another waits for meanwhile.
#[test]
fn a_visitor_with_slow_commands_keeps_nobody_waiting_for_long() {
    let redis = Redis::start(&[]);
    let proxy = Proxy::start(&["--redis", &redis.url()]);
    let (mut a, mut b) = (proxy.socket(ALICE, 0), proxy.socket(BOB, 0));
    assert!(a.ask("LCS x y").contains("product of both lengths"));
    let members: Vec<String> = (0..60_000).map(|n| n.to_string()).collect();
    for key in ["x", "y"] {
        for some in members.chunks(20_000) {
            a.ask(&format!("SADD {key} {}", some.join(" ")));
        }
    }
    a.ask("PING");
    std::thread::sleep(Duration::from_secs(4));
    // Counted, not timed: a busy machine is slow in everything.
    let done = || {
        let stats = redis.ask("INFO commandstats");
        let calls = stats
            .split("cmdstat_sinterstore:calls=")
            .nth(1)
            .and_then(|rest| rest.split(',').next().and_then(|calls| calls.parse::<u32>().ok()));
        calls.unwrap_or(0)
    };
    const MANY: u32 = 150;
    a.frame(2, &wire("SINTERSTORE d x y").repeat(MANY as usize));
    for _ in 0..5 {
        assert_eq!(b.ask("GET k"), "(nil)");
    }
    let before = done();
    assert!(before < MANY / 2, "{before} of {MANY} were carried out before another had replies");
    std::thread::sleep(Duration::from_secs(1));
    assert!(done() > before, "they are carried out, one after the other");
    // And the time they took is taken off what their visitor may send.
    for _ in 0..MANY {
        a.reply();
    }
    let refused = a.ask("PING");
    assert!(refused.contains("slow down"), "{refused}");
    assert_eq!(b.ask("PING"), "PONG");
}

#[test]
fn an_open_policy_shows_the_keys_that_are_there() {
    let redis = Redis::start(&[]);
    redis.ask("SET stock 7");
    let proxy = Proxy::start(&["--redis", &redis.url(), "--policy", "open", "--scripts"]);
    let mut a = proxy.socket(ALICE, 0);
    assert_eq!(a.ask("GET stock"), "\"7\"");
    assert_eq!(a.ask("KEYS *"), "1) \"stock\"");
    assert!(a.ask("FLUSHALL").contains("never allowed"));
    a.ask("SELECT 5");
    assert!(a.ask("FLUSHDB").contains("it deletes everybody's keys"));
    a.ask("SELECT 0");
    for name in ["flushall", "flushdb"] {
        let reply = a.ask(&format!("EVAL \"return redis.call('{name}')\" 0"));
        assert!(reply.starts_with("(error)"), "{reply}");
    }
    assert_eq!(redis.ask("GET stock"), "\"7\"");
}

#[test]
fn a_socket_of_the_file_system_and_tls_lead_to_redis() {
    let dir = std::env::temp_dir().join(format!("proxy-test-tls-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = |name: &str| dir.join(name).display().to_string();
    let openssl = |line: &str| {
        let output = Command::new("openssl").args(line.split(' ')).current_dir(&dir).output();
        output.map(|output| output.status.success())
    };
    std::fs::write(dir.join("ext"), "subjectAltName=DNS:localhost\n").unwrap();
    let made = [
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=ca",
        "req -newkey rsa:2048 -nodes -keyout key.pem -out csr -subj /CN=localhost",
        "x509 -req -in csr -CA ca.pem -CAkey ca.key -CAcreateserial -out cert.pem -days 2 \
         -extfile ext",
    ]
    .iter()
    .all(|line| openssl(line).unwrap_or(false));
    // Without a certificate it ends at once; one that was built without TLS says so.
    let asked = Command::new(redis_program()).args(["--port", "0", "--tls-port", "1"]).output();
    let made =
        made && !String::from_utf8_lossy(&asked.unwrap().stdout).contains("Missing implement");
    let tls_port = {
        let free = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        free.local_addr().unwrap().port().to_string()
    };
    let (cert, key, ca, socket) = (path("cert.pem"), path("key.pem"), path("ca.pem"), path("s"));
    let mut options = vec!["--unixsocket", &socket];
    if made {
        options.extend(["--tls-port", &tls_port, "--tls-cert-file", &cert, "--tls-key-file", &key]);
        options.extend(["--tls-ca-cert-file", &ca, "--tls-auth-clients", "no"]);
    } else {
        eprintln!("no openssl, or a redis-server without TLS: it is not looked at");
    }
    let redis = Redis::start(&options);
    let proxy = Proxy::start(&["--redis", &format!("unix://{socket}?db=3")]);
    let mut a = proxy.socket(ALICE, 0);
    assert_eq!(a.ask("SET k 1"), "OK");
    assert!(redis.ask("INFO keyspace").contains("db3:keys="));
    if made {
        let url = format!("rediss://localhost:{tls_port}");
        let proxy = Proxy::start(&["--redis", &url, "--ca", &ca]);
        assert_eq!(proxy.socket(ALICE, 0).ask("SET k 1"), "OK");
        // An authority that nobody knows is nobody.
        let proxy = Proxy::start(&["--redis", &url]);
        let event = proxy.open(&format!("visitor={ALICE}")).event();
        assert!(event["why"].as_str().unwrap().contains("invalid peer certificate"), "{event}");
    }
    let _ = std::fs::remove_dir_all(&dir);
}
