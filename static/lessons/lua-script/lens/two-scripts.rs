use redis::{Connection, RedisResult, Script};

const ENOUGH: &str = r#"
local budget = tonumber(redis.call("GET", KEYS[1]))
return budget >= tonumber(ARGV[1])"#; //@1-3

const SPEND: &str = r#"
redis.call("DECRBY", KEYS[1], ARGV[1])
redis.call("RPUSH", KEYS[2], ARGV[1])"#; //@4-6

pub fn spend(con: &mut Connection) -> RedisResult<i64> {
    // True comes back as 1, false as nil.
    let enough: bool = Script::new(ENOUGH).key("budget").arg(6).invoke(con)?; //@7
    if enough {
        let _: () = Script::new(SPEND).key("budget").key("ledger").arg(6).invoke(con)?; //@8
        return Ok(6); //@9
    }
    Ok(0)
}
