use redis::{Commands, Connection, RedisResult};

pub fn spend(con: &mut Connection) -> RedisResult<i64> {
    let budget: i64 = con.get("budget")?; //@1
    if budget >= 6 { //@2
        let _: () = con.set("budget", budget - 6)?; //@3
        let _: i64 = con.rpush("ledger", 6)?; //@4
        return Ok(6); //@5
    }
    Ok(0)
}
