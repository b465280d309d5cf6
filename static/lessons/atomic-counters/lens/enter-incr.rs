use redis::{Commands, Connection, RedisResult};

pub fn enter(con: &mut Connection) -> RedisResult<i64> {
    con.incr("room", 1) //@1
}
