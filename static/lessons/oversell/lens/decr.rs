use redis::{Commands, Connection, RedisResult};

pub fn buy(con: &mut Connection) -> RedisResult<bool> {
    let left: i64 = con.decr("stock", 1)?; //@1
    if left >= 0 { //@2
        return Ok(true); //@3
    }
    let _: i64 = con.incr("stock", 1)?; //@5
    Ok(false)
}
