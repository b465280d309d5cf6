use redis::{Commands, Connection, RedisResult};

pub fn double_points(con: &mut Connection) -> RedisResult<()> {
    // Runs the closure again for as long as it answers Ok(None).
    redis::transaction(con, &["points"], |con, pipe| { //@4
        let points: i64 = con.get("points")?; //@5
        pipe.set("points", points * 2) //@7
            .ignore()
            .query(con) //@6-8
    }) //@9
}
