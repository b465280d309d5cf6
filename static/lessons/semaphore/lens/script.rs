use redis::{Commands, Connection, RedisResult, Script};
use uuid::Uuid;

const ENTER: &str = r#"
local time = redis.call("TIME")
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - 10000)
if redis.call("ZCARD", KEYS[1]) < 2 then
  return redis.call("ZADD", KEYS[1], ms, ARGV[1])
end
return 0"#; //@1-8

/// False where no slot was free, an error where the slot was lost during the work.
pub fn try_work(con: &mut Connection, work: impl FnOnce()) -> RedisResult<bool> {
    let id = Uuid::new_v4().to_string(); //@9
    let entered: i32 = Script::new(ENTER).key("slots").arg(&id).invoke(con)?; //@10
    if entered == 0 {
        return Ok(false); //@10
    }
    work(); //@11-13
    let freed: i32 = con.zrem("slots", &id)?; //@14
    if freed == 0 {
        return Err(std::io::Error::other("the slot was lost during the work").into());
    }
    Ok(true)
}
