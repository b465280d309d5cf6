use redis::{Commands, Connection, RedisResult};

pub fn reward(con: &mut Connection) -> RedisResult<f64> {
    con.zincr("board", "ada", 10) //@1
}
