use redis::{Commands, Connection, RedisResult};

pub fn deposit(con: &mut Connection) -> RedisResult<i64> {
    con.incr("balance", 10) //@1
}
