//! What is too much, and what is not allowed.

use std::io::{Read, Write};
use std::time::Duration;

use interleave::resp::Value;

use super::client::{Frame, Proxy, Redis, Socket, wait_for, wire};
use super::{ALICE, BOB};

/// Each would reach beyond the visitor.
const FORBIDDEN: &[&str] = &[
    "CONFIG SET maxmemory 1",
    "CONFIG REWRITE",
    "CONFIG RESETSTAT",
    "SHUTDOWN NOSAVE",
    "DEBUG SLEEP 0",
    "FLUSHALL",
    "MONITOR",
    "REPLICAOF 127.0.0.1 1",
    "SLAVEOF 127.0.0.1 1",
    "SYNC",
    "PSYNC ? -1",
    "REPLCONF ack 1",
    "MODULE LIST",
    "ACL SETUSER x on",
    "ACL LIST",
    "ACL LOG",
    "MIGRATE 127.0.0.1 1 k 0 1",
    "SAVE",
    "BGSAVE",
    "BGREWRITEAOF",
    "SWAPDB 0 1",
    "CLIENT KILL x",
    "CLIENT PAUSE 1000",
    "CLIENT REPLY OFF",
    "AUTH x",
    "RESET",
    "CLUSTER INFO",
    "FAILOVER",
    "SLOWLOG GET",
    "LATENCY LATEST",
    "SCRIPT DEBUG YES",
    "RESTORE k 0 x",
    "HELLO 3 AUTH default x",
];

/// Besides, where others use the server too.
const FORBIDDEN_SHARED: &[&str] = &[
    "KEYS *",
    "SCAN 0",
    "RANDOMKEY",
    "DBSIZE",
    "FLUSHDB",
    "SELECT 1",
    "MOVE k 1",
    "COPY a b",
    "PSUBSCRIBE *",
    "PUBSUB CHANNELS",
    "FUNCTION LIST",
    "FCALL f 0",
    "SCRIPT FLUSH",
    "SCRIPT KILL",
    "CLIENT LIST",
    "CLIENT TRACKING ON",
    "INFO",
    "CONFIG GET *",
    "SORT l BY w_*",
    "MEMORY STATS",
    "GEORADIUS g 1 1 1 m",
];

fn refuses(socket: &mut Socket, line: &str) {
    let reply = socket.ask(line);
    assert!(reply.starts_with("(error) PROXY "), "{line}: {reply}");
    // Whatever can be said in a script is refused there by the server itself.
    let words: Vec<String> = line.split(' ').map(|word| format!("'{word}'")).collect();
    let script = format!("EVAL \"return redis.call({})\" 0", words.join(","));
    let reply = socket.ask(&script);
    let known = ["can't run this command", "not allowed from script", "permissions", "user"];
    let refused = reply.starts_with("(error)") && known.iter().any(|word| reply.contains(word));
    // HELLO and the like do nothing in a script that they must not.
    assert!(refused, "{script}: {reply}");
}

#[test]
fn whatever_reaches_beyond_the_visitor_is_refused_also_in_scripts() {
    let redis = Redis::start(&[]);
    let proxy =
        Proxy::start(&["--redis", &redis.url(), "--spawn", "1", "--rate", "0", "--scripts"]);
    redis.ask("SET k foreign");
    let mut own = proxy.socket(ALICE, 1);
    let mut shared = proxy.socket(ALICE, 0);
    for line in FORBIDDEN {
        refuses(&mut own, line);
        refuses(&mut shared, line);
    }
    for line in FORBIDDEN_SHARED {
        refuses(&mut shared, line);
    }
    assert_eq!(redis.ask("GET k"), "\"foreign\"");
    assert_eq!(redis.ask("CONFIG GET maxmemory"), "1) \"maxmemory\"\n2) \"536870912\"");
    assert!(proxy.metric("refused_commands_total") >= 80);
}

#[test]
fn too_many_commands_are_refused_and_the_others_answered() {
    let proxy = Proxy::start(&["--spawn", "1", "--rate", "20"]);
    let mut a = proxy.socket(ALICE, 0);
    a.frame(2, &wire("PING").repeat(200));
    let replies: Vec<String> = (0..200).map(|_| a.reply()).collect();
    let answered = replies.iter().filter(|reply| *reply == "PONG").count();
    assert!((20..200).contains(&answered), "{answered}");
    let refused = replies.iter().filter(|reply| reply.contains("more than 20 commands")).count();
    assert_eq!(answered + refused, 200);
    // A visitor's connections share it; another visitor has their own.
    assert_eq!(proxy.socket(BOB, 0).ask("PING"), "PONG");
    wait_for("it is possible again", || a.ask("PING") == "PONG");
}

#[test]
fn an_idle_connection_is_closed() {
    let proxy = Proxy::start(&["--spawn", "1", "--idle", "0.5"]);
    let mut a = proxy.socket(ALICE, 0);
    a.send("BLPOP nothing 0");
    assert_eq!(a.closed(), (4001, "nothing happened for 0 s".into()));
    wait_for("both ends are closed", || {
        proxy.metric("upstreams") == 0 && proxy.metric("websockets") == 0
    });
    assert_eq!(proxy.metric("idle_closed_total"), 1);
}

#[test]
fn what_is_too_large_or_no_command_gets_a_reason() {
    let proxy = Proxy::start(&["--spawn", "1", "--message", "1024"]);
    let mut a = proxy.socket(ALICE, 0);
    let reply = a.ask(&format!("SET k {}", "x".repeat(2000)));
    assert!(reply.contains("1024 are allowed; nothing of it was carried out"), "{reply}");
    assert_eq!(a.ask("GET k"), "(nil)");
    a.send(&format!("SET k {}", "x".repeat(9000)));
    let (code, why) = a.closed();
    assert_eq!((code, why.as_str()), (1009, "a message may have 1024 bytes"));

    for (message, why) in [
        (b"PING\r\n".as_slice(), "a command begins with *, not with byte 0x50"),
        (b"*1\r\n$4\r\nPIN", "a word is longer than the message"),
        (b"*1\r\n", "the message ends in the middle of a command"),
        (b"", "an empty message"),
    ] {
        let mut a = proxy.socket(ALICE, 0);
        a.frame(2, message);
        let reply = a.reply();
        assert_eq!(reply, format!("(error) PROXY this is no command in RESP: {why}"));
        assert_eq!(a.closed(), (1007, format!("this is no command: {why}")));
    }
    let mut a = proxy.socket(ALICE, 0);
    a.frame(9, &[b'x'; 126]);
    let expect = "a control frame has at most 125 bytes, in one piece";
    assert_eq!(a.closed(), (1002, expect.into()));
    // Nothing of a message is carried out of which a part is wrong.
    let mut a = proxy.socket(ALICE, 0);
    a.frame(2, &[wire("SET k 1"), b"*".to_vec()].concat());
    assert!(a.reply().contains("no command in RESP"));
    assert_eq!(proxy.socket(ALICE, 0).ask("GET k"), "(nil)");
}

/// Frames and commands with bytes changed at random: the proxy answers or closes, and lives.
#[test]
fn nonsense_harms_nobody() {
    let proxy =
        Proxy::start(&["--spawn", "1", "--rate", "0", "--message", "4096", "--connections", "500"]);
    let mut good = proxy.socket(BOB, 0);
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    };
    let lines = ["SET k v", "EVAL \"return 1\" 1 k", "SUBSCRIBE c", "MULTI", "XREAD STREAMS a 0"];
    for round in 0..150 {
        let mut socket = proxy.open(&format!("visitor={ALICE}"));
        let mut bytes: Vec<u8> = (0..=random(3)).flat_map(|_| wire(lines[random(5)])).collect();
        for _ in 0..=random(4) {
            let at = random(bytes.len().max(2) - 1);
            match random(3) {
                0 => bytes[at] = random(256) as u8,
                1 if bytes.len() > 2 => _ = bytes.remove(at),
                _ => bytes.truncate(at.max(1)),
            }
        }
        match round % 3 {
            // As a message, as a text, and as the bytes of the connection itself.
            0 => socket.frame(2, &bytes),
            1 => socket.frame(1, &bytes),
            _ => _ = socket.stream.write_all(&bytes),
        }
        if round % 10 == 0 {
            assert_eq!(good.ask("PING"), "PONG", "after round {round}");
        }
    }
    assert_eq!(good.ask("PING"), "PONG");
    wait_for("every broken connection is gone", || proxy.metric("websockets") == 1);
    wait_for("and what it had of Redis", || proxy.metric("upstreams") == 1);
}

#[test]
fn who_does_not_read_is_cut_off_and_memory_stays_bounded() {
    let proxy = Proxy::start(&["--spawn", "1", "--rate", "0"]);
    let mut a = proxy.socket(ALICE, 0);
    a.ask(&format!("SET large {}", "x".repeat(500_000)));
    // Less than the server of one's own keeps for a connection.
    a.frame(2, &wire("GET large").repeat(120));
    let mut most = 0;
    wait_for("the slow reader is cut off", || {
        most = most.max(proxy.memory_mb());
        proxy.metric("slow_readers_total") == 1
    });
    assert!(most < 50, "{most} MB for 60 MB that nobody reads");
    wait_for("its connections are closed", || proxy.metric("upstreams") == 0);
    assert_eq!(proxy.socket(ALICE, 0).ask("PING"), "PONG");
}

#[test]
fn a_long_reply_comes_in_pieces_and_takes_no_memory() {
    let proxy = Proxy::start(&["--spawn", "1", "--rate", "0"]);
    let mut good = proxy.socket(BOB, 0);
    let value = 15_000_000;
    let mut all: Vec<Socket> = Vec::new();
    // As many as fit into the buffers of a server of one's own.
    for visitor in 0..5 {
        for at in 0..5 {
            let mut socket = proxy.socket(&format!("{ALICE}-{visitor}"), 0);
            if at == 0 {
                socket.ask(&format!("SETRANGE b {} x", value - 1));
            } else {
                socket.send("GET b");
            }
            all.push(socket);
        }
    }
    for _ in 0..40 {
        std::thread::sleep(Duration::from_millis(50));
        let memory = proxy.memory_mb();
        assert!(memory < 100, "{memory} MB for 300 MB that nobody reads");
    }
    assert_eq!(good.ask("PING"), "PONG");
    // Whole, if it is read; with what comes after it.
    all[0].send("GET b");
    all[0].send("STRLEN b");
    let Value::Bulk(bytes) = all[0].value() else { panic!("no string") };
    assert_eq!((bytes.len(), bytes.last()), (value, Some(&b'x')));
    assert_eq!(all[0].reply(), "(integer) 15000000");
}

/// Messages that never end, of as many bytes as one may have.
#[test]
fn messages_share_one_budget_and_who_wants_more_is_cut() {
    let memory = (8 << 20).to_string();
    let proxy = Proxy::start(&["--spawn", "1", "--memory", &memory]);
    let mut good = proxy.socket(BOB, 0);
    let mut all: Vec<Socket> = (0..32).map(|_| proxy.socket(ALICE, 0)).collect();
    for socket in &mut all {
        // The head of a frame of 1 MB, and nearly all of it.
        let mut bytes = vec![0x82, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 1, 2, 3, 4];
        bytes.resize(1_000_000, b'*');
        let _ = socket.stream.write_all(&bytes);
    }
    wait_for("some are cut", || proxy.metric("no_room_total") >= 10);
    assert!(proxy.metric("buffered_bytes") <= 8 << 20);
    assert_eq!(good.ask("PING"), "PONG");
    drop(all);
    wait_for("all is given back", || proxy.metric("buffered_bytes") == 0);
    assert_eq!(good.ask(&format!("SET k {}", "x".repeat(900_000))), "OK");
}

#[test]
fn who_takes_no_file_is_cut_off_and_one_address_cannot_take_every_place() {
    let proxy = Proxy::start(&["--spawn", "0", "--send", "1", "--per-address", "20"]);
    std::fs::write(proxy.dir.join("large.wasm"), vec![b'x'; 8_000_000]).unwrap();
    let head = "GET /large.wasm HTTP/1.1\r\nHost: a\r\n\r\n".repeat(6);
    let mut all: Vec<_> = (0..30).map(|_| proxy.connect()).collect();
    for stream in &mut all {
        let _ = stream.write_all(head.as_bytes());
    }
    // Ten are refused at once, twenty when they have taken nothing for a second.
    for stream in &mut all[20..] {
        assert!(!matches!(stream.read(&mut [0; 1]), Ok(n) if n > 0));
    }
    wait_for("they are cut off", || proxy.get("/healthz").ends_with("ok\n"));
    let only_this = "\ninterleave_proxy_sockets 1\n";
    wait_for("all of them", || proxy.get("/metrics").contains(only_this));
    assert!(proxy.metric("crowded_total") >= 10);
    assert!(proxy.memory_mb() < 100, "{} MB", proxy.memory_mb());
    // Who reads gets it.
    let whole = proxy.get("/large.wasm");
    assert!(whole.len() > 8_000_000, "{}", whole.len());
}

#[test]
fn who_dawdles_over_a_request_is_cut_off() {
    let proxy = Proxy::start(&["--spawn", "1"]);
    let mut slow: Vec<_> = (0..50).map(|_| proxy.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET /ws?visitor=x HTTP/1.1\r\nHost: a\r\nX-").unwrap();
    }
    assert_eq!(proxy.socket(ALICE, 0).ask("PING"), "PONG");
    for stream in &mut slow {
        // An answer (408) or none; then the end.
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    wait_for("nothing is left of them", || proxy.metric("sockets") <= 1);
}

#[test]
fn five_hundred_at_once() {
    let proxy = Proxy::start(&["--spawn", "1", "--connections", "500", "--rate", "0"]);
    let mut all: Vec<Socket> = (0..500).map(|_| proxy.socket(ALICE, 0)).collect();
    assert_eq!(proxy.metric("upstreams"), 500);
    for socket in &mut all {
        socket.send("INCR n");
    }
    let mut numbers: Vec<String> = all.iter_mut().map(Socket::reply).collect();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), 500, "each had its turn");
    for socket in &mut all {
        socket.send("BLPOP gate 0");
    }
    assert!(all[0].next_within(Duration::from_millis(200)).is_none());
    let memory = proxy.memory_mb();
    assert!(memory < 300, "{memory} MB");
    drop(all);
    wait_for("nothing is left of them", || {
        proxy.metric("websockets") == 0 && proxy.metric("upstreams") == 0
    });
    let mut socket = proxy.socket(ALICE, 0);
    socket.send("PING");
    assert!(matches!(socket.next(), Frame::Binary(_)));
}
