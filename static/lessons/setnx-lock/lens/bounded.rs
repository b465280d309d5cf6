use std::thread::sleep;
use std::time::{Duration, Instant};

use redis::{Commands, Connection, RedisResult};

enum Answer {
    Sold,
    SoldOut,
    Busy,
}

fn sell_next(con: &mut Connection) -> RedisResult<Answer> {
    let item: String = con.lpop("orders", None)?; //@1
    let patience = Instant::now() + Duration::from_secs(2); //@2
    loop {
        let locked: bool = con.set_nx("lock", "1")?; //@3
        if locked {
            break;
        }
        if Instant::now() >= patience { //@4
            let _: i64 = con.rpush("orders", &item)?; //@5
            return Ok(Answer::Busy); //@6-7
        }
        sleep(Duration::from_millis(10)); //@9
    }
    let answer = sell(con, &item); //@12
    let _: i64 = con.del("lock")?; //@19
    answer //@21
}

fn sell(con: &mut Connection, item: &str) -> RedisResult<Answer> {
    let stock: i64 = con.get(item)?; //@13
    if stock > 0 { //@14
        let _: () = con.set(item, stock - 1)?; //@15
        return Ok(Answer::Sold); //@16
    }
    Ok(Answer::SoldOut)
}
