use redis::{Commands, Connection, RedisResult};

enum Answer {
    Sold,
    SoldOut,
    Busy,
}

fn sell_next(con: &mut Connection) -> RedisResult<Answer> {
    let item: String = con.lpop("orders", None)?; //@1
    let locked: bool = con.set_nx("lock", "1")?; //@2
    if !locked {
        return Ok(Answer::Busy); //@3-4
    }
    let answer = sell(con, &item); //@7
    let _: i64 = con.del("lock")?; //@14
    answer //@16
}

fn sell(con: &mut Connection, item: &str) -> RedisResult<Answer> {
    let stock: i64 = con.get(item)?; //@8
    if stock > 0 { //@9
        let _: () = con.set(item, stock - 1)?; //@10
        return Ok(Answer::Sold); //@11
    }
    Ok(Answer::SoldOut)
}
