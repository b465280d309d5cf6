use std::{thread::sleep, time::Duration};

use redis::{Commands, Connection, RedisResult};

fn sell_next(con: &mut Connection) -> RedisResult<bool> {
    let item: String = con.lpop("orders", None)?; //@1
    loop {
        let locked: bool = con.set_nx("lock", "1")?; //@2
        if locked {
            break;
        }
        sleep(Duration::from_millis(10)); //@3
    }
    let sold = sell(con, &item); //@6
    let _: i64 = con.del("lock")?; //@13-14
    sold //@15
}

fn sell(con: &mut Connection, item: &str) -> RedisResult<bool> {
    let stock: i64 = con.get(item)?; //@7
    if stock > 0 { //@8
        let _: () = con.set(item, stock - 1)?; //@9
        return Ok(true); //@10
    }
    Ok(false)
}
