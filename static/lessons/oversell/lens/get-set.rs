use redis::{Commands, Connection, RedisResult};

pub fn buy(con: &mut Connection) -> RedisResult<bool> {
    let stock: i64 = con.get("stock")?; //@1
    if stock > 0 { //@2
        let _: () = con.set("stock", stock - 1)?; //@3
        return Ok(true); //@4
    }
    Ok(false)
}
