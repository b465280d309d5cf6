import logging
import time
from collections.abc import Callable

import redis

LEASE_MS = 30_000  # longer than any job takes
TAKE = """
for _, job in ipairs(redis.call("LRANGE", KEYS[2], 0, -1)) do
  if redis.call("SET", "lease:" .. job, 1, "NX", "PX", ARGV[1]) then return job end
end
local job = redis.call("LMOVE", KEYS[1], KEYS[2], "LEFT", "RIGHT")
if job then redis.call("SET", "lease:" .. job, 1, "PX", ARGV[1]) end
return job"""  #@3-7


def work_off(r: redis.Redis, send: Callable[[str | bytes], object]) -> None:
    """Returns when no job is left. `send` may be called twice for one job."""
    take = r.register_script(TAKE)
    while r.exists("queue", "doing"):  #@17
        job = take(keys=["queue", "doing"], args=[LEASE_MS])  #@11
        if job is None:
            time.sleep(1)  #@12
            continue
        try:
            send(job)  #@13
        except Exception:
            logging.exception("%s fails, and is taken again after its lease", job)
        else:
            r.lrem("doing", 1, job)  #@14
