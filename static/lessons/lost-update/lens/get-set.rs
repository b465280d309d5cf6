use redis::{Commands, Connection, RedisResult};

pub fn deposit(con: &mut Connection) -> RedisResult<()> {
    let n: i64 = con.get("balance")?; //@1
    let n = n + 10; //@2
    con.set("balance", n) //@3
}
