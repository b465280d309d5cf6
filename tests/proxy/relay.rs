//! What passes: commands, transactions, blocking, pub/sub, scripts; on servers of one's own.

use std::time::Duration;

use interleave::resp::Value;

use super::client::{Proxy, wire};
use super::{ALICE, BOB};

#[test]
fn commands_transactions_and_scripts_pass() {
    let proxy = Proxy::start(&["--spawn", "1"]);
    let mut a = proxy.socket(ALICE, 0);
    assert_eq!(a.ask("SET stock 10"), "OK");
    assert_eq!(a.ask("GET stock"), "\"10\"");
    assert_eq!(a.ask("INCR"), "(error) ERR wrong number of arguments for 'incr' command");
    assert_eq!(a.ask("CLIENT SETNAME a"), "OK");

    let mut b = proxy.socket(ALICE, 0);
    assert_eq!(a.ask("WATCH stock"), "OK");
    assert_eq!(b.ask("DECR stock"), "(integer) 9");
    assert_eq!(a.ask("MULTI"), "OK");
    assert_eq!(a.ask("SET stock 9"), "QUEUED");
    assert_eq!(a.ask("EXEC"), "(nil)");

    let script = "EVAL \"return redis.call('decrby', KEYS[1], ARGV[1])\" 1 stock 4";
    assert_eq!(a.ask(script), "(integer) 5");
    assert_eq!(a.ask("KEYS *"), "1) \"stock\"");
    assert_eq!(a.order(r#"{"do":"keys"}"#)["keys"], serde_json::json!(["stock"]));
    assert_eq!(a.order(r#"{"do":"clean"}"#)["event"], "done");
    assert_eq!(a.ask("DBSIZE"), "(integer) 0");

    // Binary, empty and large values are bytes like any others.
    let large = "x".repeat(900_000);
    assert_eq!(a.ask(&format!("SET large {large}")), "OK");
    // As bytes: what is printed of so long a value is cut.
    a.frame(2, &wire("GET large"));
    assert_eq!(a.value(), Value::Bulk(large.as_bytes().into()));
    assert_eq!(a.ask("SET \"\" \"\""), "OK");
    assert_eq!(a.ask("QUIT"), "OK");
    assert_eq!(a.closed(), (1000, "QUIT".into()));
}

#[test]
fn answers_come_in_the_order_of_the_commands_whoever_gives_them() {
    let proxy = Proxy::start(&["--spawn", "1"]);
    let mut a = proxy.socket(ALICE, 0);
    let lines = ["SET k 1", "FLUSHALL", "GET k", "NOSUCH", "INCR k", "HELLO 2 AUTH a b", "GET k"];
    let message: Vec<u8> = lines.iter().flat_map(|line| wire(line)).collect();
    a.frame(2, &message);
    let replies: Vec<String> = lines.iter().map(|_| a.reply()).collect();
    for (at, expect) in [(0, "OK"), (2, "\"1\""), (4, "(integer) 2"), (6, "\"2\"")] {
        assert_eq!(replies[at], expect);
    }
    assert!(replies[1].starts_with("(error) PROXY FLUSHALL is never allowed: "), "{}", replies[1]);
    assert_eq!(replies[3], "(error) PROXY \"NOSUCH\" is no command that the proxy knows");
    assert!(replies[5].starts_with("(error) PROXY the proxy logs in for you"), "{}", replies[5]);

    // Behind a command that waits, too.
    let mut b = proxy.socket(ALICE, 0);
    a.send("BLPOP list 0");
    a.send("FLUSHALL");
    assert!(a.next_within(Duration::from_millis(300)).is_none());
    assert_eq!(b.ask("RPUSH list x"), "(integer) 1");
    assert_eq!(a.reply(), "1) \"list\"\n2) \"x\"");
    assert!(a.reply().contains("never allowed"));

    // A transaction without one of its commands must not be carried out.
    for line in ["MULTI", "SET k 7", "FLUSHALL"] {
        a.ask(line);
    }
    let aborted = "(error) EXECABORT Transaction discarded because of previous errors.";
    assert_eq!(a.ask("EXEC"), aborted);
    assert_eq!(a.ask("GET k"), "\"2\"");
    for line in ["MULTI", "MONITOR"] {
        a.ask(line);
    }
    assert_eq!(a.ask("DISCARD"), "OK");
    assert_eq!(a.ask("EXEC"), "(error) ERR EXEC without MULTI");
}

#[test]
fn messages_are_told_from_replies_in_both_protocols() {
    let proxy = Proxy::start(&["--spawn", "1"]);
    let mut sender = proxy.socket(ALICE, 0);
    for hello in ["HELLO 2", "HELLO 3"] {
        let mut a = proxy.socket(ALICE, 0);
        a.ask(hello);
        a.send("SUBSCRIBE x y");
        for (channel, n) in [("x", 1), ("y", 2)] {
            let expect = format!("1) \"subscribe\"\n2) \"{channel}\"\n3) (integer) {n}");
            assert_eq!(a.reply(), expect, "{hello}");
        }
        a.ask("PSUBSCRIBE p*");
        assert_eq!(sender.ask("PUBLISH x hi"), "(integer) 1");
        assert_eq!(a.reply(), "1) \"message\"\n2) \"x\"\n3) \"hi\"");
        assert!(a.ask("FLUSHALL").contains("never allowed"));
        if hello == "HELLO 3" {
            // A reply that looks like a message is still a reply.
            sender.ask("DEL l");
            sender.ask("RPUSH l message x y");
            assert_eq!(a.ask("LRANGE l 0 -1"), "1) \"message\"\n2) \"x\"\n3) \"y\"");
        }
        a.send("UNSUBSCRIBE");
        let left: Vec<String> = (0..2).map(|_| a.reply()).collect();
        assert!(left.iter().all(|reply| reply.starts_with("1) \"unsubscribe\"")), "{left:?}");
        a.ask("PUNSUBSCRIBE");
        a.send("UNSUBSCRIBE");
        assert_eq!(a.reply(), "1) \"unsubscribe\"\n2) (nil)\n3) (integer) 0");
        assert_eq!(a.ask("PING"), "PONG");
    }
}

#[test]
fn visitors_have_servers_of_their_own() {
    let proxy = Proxy::start(&["--spawn", "1"]);
    let mut a = proxy.socket(ALICE, 0);
    let mut b = proxy.socket(BOB, 0);
    assert_eq!(a.ask("SET stock 10"), "OK");
    assert_eq!(b.ask("GET stock"), "(nil)");
    assert_eq!(b.ask("FLUSHDB"), "OK");
    assert_eq!(a.ask("GET stock"), "\"10\"");
    assert_eq!(a.ask("PUBLISH c x"), "(integer) 0");
    assert_eq!(proxy.metric("servers"), 2);
}

/// Redlock: a majority of five, one of them dead.
#[test]
fn five_servers_of_which_one_is_down() {
    let proxy = Proxy::start(&["--spawn", "5"]);
    let mut nodes: Vec<_> = (0..5).map(|node| proxy.socket(ALICE, node)).collect();
    let take = |nodes: &mut Vec<super::client::Socket>, token: &str| -> Vec<String> {
        nodes.iter_mut().map(|node| node.ask(&format!("SET lock {token} NX PX 60000"))).collect()
    };
    assert_eq!(nodes[2].order(r#"{"do":"down"}"#)["event"], "done");
    assert_eq!(nodes[2].event()["event"], "lost");
    let votes = take(&mut nodes, "alice");
    assert_eq!(votes.iter().filter(|vote| *vote == "OK").count(), 4, "{votes:?}");
    assert!(votes[2].starts_with("(error) PROXY there is no connection to Redis"), "{}", votes[2]);
    assert_eq!(nodes[2].order(r#"{"do":"up"}"#)["event"], "done");
    assert_eq!(nodes[2].event()["event"], "back");
    // It has forgotten everything, and knows the visitor's user again.
    let votes = take(&mut nodes, "bob");
    assert_eq!(votes, ["(nil)", "(nil)", "OK", "(nil)", "(nil)"]);
}
