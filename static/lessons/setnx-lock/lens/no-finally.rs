use std::{thread::sleep, time::Duration};

use redis::{Commands, Connection, RedisResult};

fn sell_next(con: &mut Connection) -> RedisResult<bool> {
    let mut sold = false;
    let item: String = con.lpop("orders", None)?; //@1
    loop {
        let locked: bool = con.set_nx("lock", "1")?; //@2
        if locked {
            break;
        }
        sleep(Duration::from_millis(10)); //@3
    }
    let stock: i64 = con.get(&item)?; //@6
    if stock > 0 { //@7
        let _: () = con.set(&item, stock - 1)?; //@8
        sold = true; //@9
    }
    let _: i64 = con.del("lock")?; //@11
    Ok(sold)
}
