//! Throw-away servers that follow each other: a write is on the replica when its delivery was
//! ordered and no sooner, a failure of the master loses what was held, and nothing is left behind.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use super::client::{PATIENCE, Proxy, Redis, Socket, is_alive, wait_for};
use super::{ALICE, BOB};

const READONLY: &str = "(error) READONLY You can't write against a read only replica.";

/// Does what `order` says, for certain.
fn done(socket: &mut Socket, order: &str) {
    let event = socket.order(order);
    assert_eq!(event["event"], "done", "{order}: {event}");
}

/// A value of INFO.
fn info(socket: &mut Socket, name: &str) -> String {
    let info = socket.ask("INFO");
    let value = info.split(&format!("{name}:")).nth(1).unwrap_or_else(|| panic!("{name} {info}"));
    value.chars().take_while(|c| c.is_ascii_alphanumeric()).collect()
}

fn deliver(offset: &str) -> String {
    format!(r#"{{"do":"deliver","to":{offset}}}"#)
}

/// A master with a replica, which are the first two nodes.
fn pair(proxy: &Proxy, visitor: &str) -> (Socket, Socket) {
    let (mut master, mut replica) = (proxy.socket(visitor, 0), proxy.socket(visitor, 1));
    assert_eq!(master.ask("SET before 1"), "OK");
    assert_eq!(replica.ask("SET other 1"), "OK");
    done(&mut replica, r#"{"do":"follow","node":0}"#);
    assert_eq!(replica.ask("MGET before other"), "1) \"1\"\n2) (nil)");
    (master, replica)
}

/// The same with a second replica, the third node.
fn three(proxy: &Proxy, visitor: &str) -> (Socket, Socket, Socket) {
    let (master, replica) = pair(proxy, visitor);
    let mut second = proxy.socket(visitor, 2);
    done(&mut second, r#"{"do":"follow","node":0}"#);
    (master, replica, second)
}

#[test]
fn a_write_is_on_the_replica_when_it_was_delivered_and_no_sooner() {
    let proxy = Proxy::start(&["--spawn", "2", "--rate", "0"]);
    let (mut master, mut replica) = pair(&proxy, ALICE);
    assert_eq!(master.ask("WAIT 1 0"), "(integer) 1");
    master.ask("SET k 1");
    for line in ["MULTI", "SET x 1", "INCR y", "EXEC"] {
        master.ask(line);
    }
    assert_eq!(replica.ask("MGET k x y"), "1) (nil)\n2) (nil)\n3) (nil)");
    assert_eq!(replica.ask("SET k 2"), READONLY);
    master.send("WAIT 1 0");
    assert!(master.next_within(Duration::from_millis(300)).is_none(), "it waits");
    done(&mut replica, r#"{"do":"deliver"}"#);
    assert_eq!(replica.ask("MGET k x y"), "1) \"1\"\n2) (nil)\n3) (nil)");
    assert!(master.next_within(Duration::from_millis(300)).is_none(), "for both");
    done(&mut replica, r#"{"do":"deliver"}"#);
    assert_eq!(master.reply(), "(integer) 1");
    assert_eq!(replica.ask("MGET k x y"), "1) \"1\"\n2) \"1\"\n3) \"1\"");
    let event = replica.order(r#"{"do":"deliver"}"#);
    assert_eq!(event["why"], "nothing is held: the replica has every write of its master");

    // Up to an offset, and all.
    master.ask("EVAL \"redis.call('INCR', 'n') return redis.call('INCR', 'n')\" 1 n");
    master.ask("INCR n");
    let offset = info(&mut master, "master_repl_offset");
    master.ask("INCR n");
    done(&mut replica, &deliver(&offset));
    assert_eq!(replica.ask("GET n"), "\"3\"");
    done(&mut replica, r#"{"do":"deliver","all":true}"#);
    assert_eq!(replica.ask("GET n"), "\"4\"");
    let event = replica.order(&deliver("99999999"));
    assert!(event["why"].as_str().unwrap().contains("the master has come to"), "{event}");
    // A key runs out on the replica alone.
    done(&mut replica, r#"{"do":"expire","key":"n"}"#);
    wait_for("it has run out", || replica.ask("GET n") == "(nil)");
    assert_eq!(master.ask("GET n"), "\"4\"");
    assert_eq!(replica.ask("SET k 2"), READONLY);
}

#[test]
fn a_master_that_is_killed_takes_with_it_what_was_held() {
    let proxy = Proxy::start(&["--spawn", "3", "--rate", "0"]);
    let (mut master, mut replica, mut second) = three(&proxy, ALICE);
    assert_eq!(master.ask("WAIT 2 0"), "(integer) 2");
    master.ask("SET lock a");
    // The wrong one has it.
    done(&mut second, r#"{"do":"deliver"}"#);
    assert_eq!(second.ask("GET lock"), "\"a\"");
    done(&mut master, r#"{"do":"down","keep":true}"#);
    assert_eq!(master.event()["event"], "lost");
    done(&mut replica, r#"{"do":"promote"}"#);
    assert_eq!(replica.ask("GET lock"), "(nil)");
    assert_eq!(replica.ask("SET lock b NX"), "OK");
    assert!(replica.ask("ROLE").starts_with("1) \"master\""));
    done(&mut second, r#"{"do":"follow","node":1}"#);
    assert_eq!(second.ask("GET lock"), "\"b\"");
    done(&mut master, r#"{"do":"up"}"#);
    assert_eq!(master.event()["event"], "back");
    assert_eq!(master.ask("GET lock"), "\"a\"");
    done(&mut master, r#"{"do":"follow","node":1}"#);
    assert_eq!(master.ask("GET lock"), "\"b\"");
    assert_eq!(replica.ask("WAIT 2 0"), "(integer) 2");
    // And on: what the new master writes is held as well.
    replica.ask("DEL lock");
    assert_eq!(second.ask("GET lock"), "\"b\"");
    done(&mut second, r#"{"do":"deliver"}"#);
    assert_eq!(second.ask("GET lock"), "(nil)");
    // Cleaned, a server is nobody's replica.
    done(&mut second, r#"{"do":"clean"}"#);
    assert_eq!(second.ask("SET k 1"), "OK");
    let event = second.order(r#"{"do":"deliver"}"#);
    assert_eq!(event["why"], "this server follows no other");
}

/// A run with three servers, then one with two: the third, which asks for its master once a second,
/// copied the second run's writes, and WAIT counted it.
#[test]
fn a_clean_master_has_no_replica() {
    let proxy = Proxy::start(&["--spawn", "3", "--rate", "0"]);
    let (mut master, mut replica, mut second) = three(&proxy, ALICE);
    done(&mut master, r#"{"do":"down","keep":true}"#);
    assert_eq!(master.event()["event"], "lost");
    done(&mut master, r#"{"do":"up"}"#);
    assert_eq!(master.event()["event"], "back");
    for socket in [&mut master, &mut replica] {
        done(socket, r#"{"do":"clean"}"#);
    }
    done(&mut replica, r#"{"do":"follow","node":0}"#);
    master.ask("SET k 1");
    master.send("WAIT 1 0");
    assert!(master.next_within(Duration::from_millis(2500)).is_none(), "nobody has it");
    assert_eq!(second.ask("GET k"), "(nil)");
    assert_eq!(second.ask("SET k 2"), "OK");
}

#[test]
fn a_master_that_is_down_is_followed_when_it_comes_back() {
    let proxy = Proxy::start(&["--spawn", "2", "--rate", "0"]);
    let (mut master, mut replica) = pair(&proxy, ALICE);
    master.ask("SET k 1");
    done(&mut master, r#"{"do":"down","keep":true}"#);
    assert_eq!(master.event()["event"], "lost");
    done(&mut replica, r#"{"do":"follow","node":0}"#);
    assert_eq!(replica.ask("GET k"), "(nil)");
    assert_eq!(replica.ask("SET k 2"), READONLY);
    done(&mut master, r#"{"do":"up"}"#);
    wait_for("it has its copy", || replica.ask("GET k") == "\"1\"");
}

#[test]
fn who_follows_whom_is_for_own_servers() {
    let redis = Redis::start(&[]);
    let proxy = Proxy::start(&["--redis", &redis.url(), "--spawn", "2"]);
    let (mut shared, mut own) = (proxy.socket(ALICE, 0), proxy.socket(ALICE, 1));
    let others = "this server is not a throw-away one: others may use it";
    for order in [
        r#"{"do":"follow","node":1}"#,
        r#"{"do":"promote"}"#,
        r#"{"do":"deliver"}"#,
        r#"{"do":"expire","key":"k"}"#,
    ] {
        assert_eq!(shared.order(order)["why"], others, "{order}");
    }
    for (order, why) in [
        (r#"{"do":"follow","node":0}"#, others),
        (r#"{"do":"follow","node":1}"#, "a server does not follow itself"),
        (r#"{"do":"follow","node":7}"#, "there is no node 7"),
        (r#"{"do":"deliver"}"#, "this server follows no other"),
    ] {
        assert_eq!(own.order(order)["why"], why, "{order}");
    }
    // By command nobody makes a replica.
    let refused = own.ask("REPLICAOF 127.0.0.1 1");
    assert!(refused.starts_with("(error) PROXY REPLICAOF is never allowed"), "{refused}");
    assert_eq!(own.ask("WAIT 0 0"), "(integer) 0");
}

/// Is the port open, and does it answer to a question?
fn answers(port: u16) -> Option<bool> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = stream.write_all(b"PING\r\n");
    Some(stream.read(&mut [0; 64]).is_ok_and(|n| n > 0))
}

#[test]
fn nothing_is_left_of_a_link() {
    // The visitor goes.
    let proxy = Proxy::start(&["--spawn", "2", "--linger", "0", "--rate", "0"]);
    let (mut master, mut replica) = pair(&proxy, ALICE);
    let port = info(&mut replica, "master_port").parse().unwrap();
    assert_eq!(answers(port), Some(false), "there is one replica");
    assert_eq!(proxy.metric("links"), 1);
    let pids = [&mut master, &mut replica].map(|one| info(one, "process_id").parse().unwrap());
    let dir = master.ask("CONFIG GET dir").split('"').nth(3).unwrap().to_owned();
    master.ask("SET held 1");
    drop((master, replica));
    wait_for("the link ends", || answers(port).is_none());
    wait_for("the servers end", || !pids.iter().any(|pid| is_alive(*pid)));
    wait_for("the folder goes", || !Path::new(&dir).exists());
    wait_for("it is counted", || proxy.metric("links") == 0 && proxy.metric("servers") == 0);
    // The proxy ends, however it does.
    for gently in [true, false] {
        let mut proxy = Proxy::start(&["--spawn", "2", "--rate", "0"]);
        let (mut master, mut replica) = pair(&proxy, BOB);
        let port = info(&mut replica, "master_port").parse().unwrap();
        let pids = [&mut master, &mut replica].map(|one| info(one, "process_id").parse().unwrap());
        let dir = replica.ask("CONFIG GET dir").split('"').nth(3).unwrap().to_owned();
        master.ask("SET held 1");
        match gently {
            true => proxy.end(),
            false => proxy.kill(),
        }
        wait_for("the servers end", || !pids.iter().any(|pid| is_alive(*pid)));
        wait_for("the folder goes", || !Path::new(&dir).exists());
        assert_eq!(answers(port), None);
    }
}
