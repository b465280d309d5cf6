use std::{thread, time::Duration};

use redis::{Commands, Connection, RedisResult};

/// False where every attempt was refused.
pub fn double_points(con: &mut Connection) -> RedisResult<bool> {
    let mut attempts = 0;
    // Runs the closure again for as long as it answers Ok(None).
    redis::transaction(con, &["points"], |con, pipe| { //@4
        let points: i64 = con.get("points")?; //@5
        pipe.set("points", points * 2).ignore(); //@7
        let done: Option<()> = pipe.query(con)?; //@6-8
        attempts += 1;
        if done.is_none() && attempts < 10 {
            thread::sleep(Duration::from_millis(fastrand::u64(..20)));
            return Ok(None);
        }
        Ok(Some(done.is_some()))
    }) //@9
}
