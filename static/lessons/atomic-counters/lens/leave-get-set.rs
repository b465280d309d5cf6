use redis::{Commands, Connection, RedisResult};

pub fn leave(con: &mut Connection) -> RedisResult<()> {
    let n: i64 = con.get("room")?; //@1
    con.set("room", n - 1) //@2
}
