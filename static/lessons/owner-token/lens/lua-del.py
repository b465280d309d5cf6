import time
import uuid

import redis

RELEASE = """
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("GETDEL", KEYS[1])
end
return false"""  #@1-5


def run(r: redis.Redis) -> bool:
    """False if the lease was over before the job was."""
    me = str(uuid.uuid4())  #@6
    patience = time.monotonic() + 5
    while not r.set("lock", me, nx=True, px=10_000):  #@7
        if time.monotonic() >= patience:
            raise TimeoutError("the lock is taken, please try again")
        time.sleep(0.01)  #@8
    try:
        r.incr("jobs")  #@11
    finally:
        removed = r.eval(RELEASE, 1, "lock", me)  #@13
    return removed is not None
