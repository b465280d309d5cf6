//! redis-rs, in process.

use std::collections::HashMap;
use std::time::Duration;

use redis::{Client, Commands, Connection, ErrorKind, RedisResult};

use super::Resp;

fn connect(server: &Resp, query: &str) -> Connection {
    let client = Client::open(format!("redis://127.0.0.1:{}/{query}", server.port));
    let connection = client.and_then(|client| client.get_connection());
    let connection = connection.expect("a connection");
    connection.set_read_timeout(Some(Duration::from_secs(5))).expect("a socket");
    connection
}

/// The typical uses, in the protocol that `query` asks for.
fn use_it(server: &Resp, query: &str) -> RedisResult<()> {
    let mut con = connect(server, query);
    redis::cmd("FLUSHALL").exec(&mut con)?;
    let () = con.set_ex("s", "v", 100)?;
    assert_eq!(con.get::<_, String>("s")?, "v");
    assert_eq!(con.get::<_, Option<String>>("none")?, None);
    assert_eq!(con.incr::<_, _, i64>("n", 2)?, 2);
    let () = con.hset_multiple("h", &[("f", 1), ("g", 2)])?;
    let all: HashMap<String, i64> = con.hgetall("h")?;
    assert_eq!(all, HashMap::from([("f".into(), 1), ("g".into(), 2)]));
    let () = con.zadd("z", "m", 1.5)?;
    assert_eq!(con.zscore::<_, _, f64>("z", "m")?, 1.5);

    let mut pipe = redis::pipe();
    for n in 0..1000 {
        pipe.set(format!("p:{n}"), n).ignore();
    }
    let () = pipe.get("p:7").query(&mut con)?;
    let found = con.scan_match::<_, String>("p:*")?.count();
    assert_eq!(found, 1000);

    // Optimistic: the first attempt is disturbed.
    let mut attempts = 0;
    let mut other = connect(server, query);
    let (sum,): (i64,) = redis::transaction(&mut con, &["n"], |con, pipe| {
        attempts += 1;
        let n: i64 = con.get("n")?;
        if attempts == 1 {
            let () = other.set("n", 40)?;
        }
        pipe.set("n", n + 2).ignore().get("n").query(con)
    })?;
    assert_eq!((sum, attempts), (42, 2));

    let release = redis::Script::new(
        "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0",
    );
    let () = con.set("lock", "token")?;
    assert_eq!(release.key("lock").arg("other").invoke::<i64>(&mut con)?, 0);
    assert_eq!(release.key("lock").arg("token").invoke::<i64>(&mut con)?, 1);

    let waiter = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| -> RedisResult<(String, String)> {
            connect(server, query).blpop("queue", 5.0)
        });
        let () = other.rpush("queue", "job")?;
        waiting.join().expect("no panic")
    });
    assert_eq!(waiter?, ("queue".to_string(), "job".to_string()));

    redis::cmd("CLIENT").arg("SETNAME").arg("smoke").exec(&mut con)?;
    let name: String = redis::cmd("CLIENT").arg("GETNAME").query(&mut con)?;
    assert_eq!(name, "smoke");
    let wrong = con.lpush::<_, _, i64>("s", 1).expect_err("a string");
    assert_eq!(wrong.code(), Some("WRONGTYPE"));
    assert_ne!(wrong.kind(), ErrorKind::Io);
    Ok(())
}

#[test]
fn redis_rs_works() {
    let server = Resp::start();
    for query in ["", "?protocol=resp3"] {
        use_it(&server, query).unwrap_or_else(|error| panic!("{query}: {error}"));
    }
}

#[test]
fn redis_rs_hears_messages() {
    let server = Resp::start();
    let (mut con, mut other) = (connect(&server, ""), connect(&server, ""));
    let mut ears = con.as_pubsub();
    ears.subscribe("news").expect("subscribed");
    assert_eq!(other.publish::<_, _, i64>("news", "hello").expect("published"), 1);
    let message = ears.get_message().expect("a message");
    assert_eq!(message.get_payload::<String>().expect("text"), "hello");
}
