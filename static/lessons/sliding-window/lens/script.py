import time
import uuid

import redis

ENTER = """
local time = redis.call("TIME")
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ms - ARGV[2])
if redis.call("ZCARD", KEYS[1]) >= tonumber(ARGV[1]) then
  return {0, ms}
end
redis.call("ZADD", KEYS[1], ms, ARGV[3])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return {1, ms}"""  #@1-10


def enter(r: redis.Redis) -> bool:
    script = r.register_script(ENTER)  #@1-10
    for attempt in (1, 2):  #@11
        allowed, _ms = script(keys=["hits"], args=[2, 1000, str(uuid.uuid4())])  #@12
        if allowed:  #@13-16
            return True
        if attempt == 1:  #@18
            time.sleep(0.9)  #@18
    return False  #@17
