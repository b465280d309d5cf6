use redis::{Connection, RedisResult, Script};

const SPEND: &str = r#"
local budget = tonumber(redis.call("GET", KEYS[1]))
local amount = tonumber(ARGV[1])
if budget < amount then
  return 0
end
redis.call("SET", KEYS[1], budget - amount)
redis.call("RPUSH", KEYS[2], amount)
return amount"#; //@1-9

pub fn spend(con: &mut Connection) -> RedisResult<i64> {
    Script::new(SPEND).key("budget").key("ledger").arg(6).invoke(con) //@10
}
