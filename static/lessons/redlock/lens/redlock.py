import random
import time
import uuid
from contextlib import suppress

import redis

TTL_MS, DRIFT_MS = 10_000, 102  # drift: 1 % and 2 ms #@7
UNLOCK = """
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0"""  #@1-5


def work_locked(nodes: list[redis.Redis], work) -> bool:  #@6
    """Each client needs a short socket_timeout, and no retries; false where no attempt won."""
    token = str(uuid.uuid4())  #@8
    for attempt in range(2):  #@10
        if attempt > 0:
            time.sleep(random.uniform(0.005, 0.02))  #@27
        start, votes = time.monotonic(), 0  #@11
        for node in nodes:  #@12
            with suppress(redis.RedisError):  # no answer is no vote
                votes += bool(node.set("lock", token, nx=True, px=TTL_MS))  #@13-14
        valid_until = start + (TTL_MS - DRIFT_MS) / 1000  #@16
        try:
            if votes > len(nodes) // 2 and time.monotonic() < valid_until:  #@17
                work(valid_until)  #@18-21
                return True  #@26
        finally:
            for node in nodes:  #@23
                with suppress(redis.RedisError):
                    node.eval(UNLOCK, 1, "lock", token)  #@24
    return False
