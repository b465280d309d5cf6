use redis::{Commands, Connection, RedisResult};

pub fn leave(con: &mut Connection) -> RedisResult<i64> {
    con.decr("room", 1) //@1
}
