use redis::{Commands, Connection, RedisResult};

pub fn double_points(con: &mut Connection) -> RedisResult<()> {
    // Runs the closure again for as long as it answers Ok(None).
    redis::transaction(con, &["points"], |con, pipe| { //@5
        let points: i64 = con.get("points")?; //@6
        pipe.set("points", points * 2) //@8
            .ignore()
            .query(con) //@7-9
    }) //@10
}
