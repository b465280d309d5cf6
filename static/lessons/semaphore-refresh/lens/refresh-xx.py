import time
import uuid

import redis

ENTER = """
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ARGV[1] - 10000)
if redis.call("ZCARD", KEYS[1]) < 2 then
  return redis.call("ZADD", KEYS[1], ARGV[1], ARGV[2])
end
return 0"""  #@1-6


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def try_work(r: redis.Redis, step) -> bool:
    """False where no slot was free, or the slot was lost during the work."""
    enter = r.register_script(ENTER)  #@1
    me = str(uuid.uuid4())  #@7
    if enter(keys=["times"], args=[now_ms(), me]) == 0:  #@8
        return False
    try:
        step()  #@9-10
        # With CH the reply counts changed entries: 0 where this one has been removed.
        if r.zadd("times", {me: now_ms()}, xx=True, ch=True) == 0:  #@11-12
            return False
        step()  #@13-14
    finally:
        freed = r.zrem("times", me)  #@16-17
    return freed == 1
