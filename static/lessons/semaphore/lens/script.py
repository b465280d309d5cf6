import uuid

import redis

ENTER = """
local time = redis.call("TIME")
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - 10000)
if redis.call("ZCARD", KEYS[1]) < 2 then
  return redis.call("ZADD", KEYS[1], ms, ARGV[1])
end
return 0
"""  #@1-8


def try_work(r: redis.Redis, work) -> bool:
    """False where no slot was free. Raises where the slot was lost during the work."""
    enter = r.register_script(ENTER)  #@1
    me = str(uuid.uuid4())  #@9
    if enter(keys=["slots"], args=[me]) == 0:  #@10
        return False
    try:
        work()  #@11-13
    finally:
        freed = r.zrem("slots", me)  #@14
    if freed == 0:
        raise RuntimeError("the slot was lost during the work")
    return True
