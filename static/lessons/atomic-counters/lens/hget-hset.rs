use redis::{Commands, Connection, RedisResult};

pub fn add_apples(con: &mut Connection) -> RedisResult<()> {
    let n: i64 = con.hget("cart:7", "apples")?; //@1
    con.hset("cart:7", "apples", n + 2) //@2
}
