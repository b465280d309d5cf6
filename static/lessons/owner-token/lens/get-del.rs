use std::{thread::sleep, time::Duration};

use redis::{Commands, Connection, ExistenceCheck, RedisResult, SetExpiry, SetOptions};
use uuid::Uuid;

fn run(con: &mut Connection) -> RedisResult<()> {
    let me = Uuid::new_v4().to_string(); //@1
    let lease = SetOptions::default()
        .conditional_set(ExistenceCheck::NX) //@2
        .with_expiration(SetExpiry::EX(10)); //@2
    loop {
        let locked: Option<String> = con.set_options("lock", &me, lease.clone())?; //@2
        if locked.is_some() {
            break;
        }
        sleep(Duration::from_millis(10)); //@3
    }
    let worked: RedisResult<i64> = con.incr("jobs", 1); //@6
    let owner: Option<String> = con.get("lock")?; //@8
    if owner.as_deref() == Some(me.as_str()) { //@8
        let _: Option<String> = con.get_del("lock")?; //@9
    }
    worked.map(|_| ())
}
