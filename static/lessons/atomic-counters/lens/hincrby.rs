use redis::{Commands, Connection, RedisResult};

pub fn add_apples(con: &mut Connection) -> RedisResult<i64> {
    con.hincr("cart:7", "apples", 2) //@1
}
