use redis::{Commands, Connection, RedisResult};
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::Uuid;

const LIMIT: u64 = 2;
const LEASE_MS: i64 = 10_000;

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("a clock after 1970").as_millis() as i64
}

pub fn try_work(con: &mut Connection, work: impl FnOnce()) -> RedisResult<bool> {
    let id = Uuid::new_v4().to_string(); //@1
    let _: () = con.zrembyscore("slots", "-inf", now_ms() - LEASE_MS)?; //@2
    let _: () = con.zadd("slots", &id, now_ms())?; //@3
    let rank: Option<u64> = con.zrank("slots", &id)?; //@4
    let entered = rank.is_some_and(|rank| rank < LIMIT); //@4
    if entered {
        work(); //@5-7
    }
    let _: () = con.zrem("slots", &id)?; //@9
    Ok(entered)
}
