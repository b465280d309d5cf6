use redis::{Commands, Connection, RedisResult};

pub fn reward(con: &mut Connection) -> RedisResult<()> {
    let score: f64 = con.zscore("board", "ada")?; //@1
    con.zadd("board", "ada", score + 10.0) //@2
}
