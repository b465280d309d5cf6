use redis::{Connection, RedisResult, Script};

const BUY: &str = r#"
local n = tonumber(redis.call("GET", KEYS[1]))
if n > 0 then
  redis.call("DECR", KEYS[1])
  return 1
end
return 0"#; //@1-7

pub fn buy(con: &mut Connection) -> RedisResult<bool> {
    let sold: i64 = Script::new(BUY).key("stock").invoke(con)?; //@8
    Ok(sold == 1)
}
