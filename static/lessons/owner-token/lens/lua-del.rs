use std::time::{Duration, Instant};
use std::{io, thread::sleep};

use redis::{Commands, Connection, ExistenceCheck, RedisResult, Script, SetExpiry, SetOptions};
use uuid::Uuid;

const RELEASE: &str = r#"
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("GETDEL", KEYS[1])
end
return false"#; //@1-5

/// `Ok(false)` if the lease was over before the job was.
fn run(con: &mut Connection) -> RedisResult<bool> {
    let me = Uuid::new_v4().to_string(); //@6
    let lease = SetOptions::default()
        .conditional_set(ExistenceCheck::NX) //@7
        .with_expiration(SetExpiry::EX(10)); //@7
    let patience = Instant::now() + Duration::from_secs(5);
    loop {
        let locked: Option<String> = con.set_options("lock", &me, lease.clone())?; //@7
        if locked.is_some() {
            break;
        }
        if Instant::now() >= patience {
            return Err(io::Error::other("the lock is taken, please try again").into());
        }
        sleep(Duration::from_millis(10)); //@8
    }
    let worked: RedisResult<i64> = con.incr("jobs", 1); //@11
    let removed: Option<String> = Script::new(RELEASE).key("lock").arg(&me).invoke(con)?; //@13
    worked?;
    Ok(removed.is_some())
}
