use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use redis::{Client, Commands, ExistenceCheck, RedisResult, Script, SetExpiry, SetOptions};

const LEASE_MS: u64 = 30_000;
const RENEW: &str = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])";
const RELEASE: &str = "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('DEL', KEYS[1])"; //@9-18

/// Works under the lock, as owner `me`; false where another client does, an error if it was lost.
pub fn work_once(client: &Client, me: &str, work: impl FnOnce()) -> RedisResult<bool> {
    let (mut con, mut other) = (client.get_connection()?, client.get_connection()?);
    let mut until = Instant::now() + Duration::from_millis(LEASE_MS);
    let lease = SetOptions::default() //@1-8
        .conditional_set(ExistenceCheck::NX)
        .with_expiration(SetExpiry::PX(LEASE_MS));
    let taken: Option<String> = con.set_options("lock", me, lease)?; //@20
    if taken.is_none() {
        return Ok(false);
    }
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let (renew, third) = (Script::new(RENEW), Duration::from_millis(LEASE_MS / 3));
            while is_done.recv_timeout(third) == Err(RecvTimeoutError::Timeout) {
                let asked = Instant::now();
                match renew.key("lock").arg(me).arg(LEASE_MS).invoke(&mut other) {
                    Ok(1) => until = asked + 3 * third,
                    Err(_) if asked < until => other = client.get_connection().unwrap_or(other),
                    _ => return, // lost: tell the work, if it can stop
                }
            }
        });
        work(); //@22-23
        drop(done);
    });
    let released = Script::new(RELEASE).key("lock").arg(me).invoke(&mut con)?; //@25
    match released {
        1 => Ok(true),
        _ => Err(std::io::Error::other("the lock was lost during the work").into()),
    }
}
