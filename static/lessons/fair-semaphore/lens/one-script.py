import time
import uuid

import redis

LIMIT = 2
ENTER = """
local owners, times, tickets = KEYS[1], KEYS[2], KEYS[3]
redis.call("ZREMRANGEBYSCORE", times, "-inf", ARGV[1] - 10000)
redis.call("ZINTERSTORE", owners, 2, owners, times, "WEIGHTS", 1, 0)
local ticket = redis.call("INCR", tickets)
redis.call("ZADD", times, ARGV[1], ARGV[2])
redis.call("ZADD", owners, ticket, ARGV[2])
return redis.call("ZRANK", owners, ARGV[2])"""  #@1-8


def try_work(r: redis.Redis, work) -> bool:
    """False where no slot was free. Raises where the slot was lost during the work."""
    enter = r.register_script(ENTER)  #@1
    me = str(uuid.uuid4())  #@9
    now_ms = time.time_ns() // 1_000_000
    rank = enter(keys=["owners", "times", "tickets"], args=[now_ms, me])  #@10
    entered = rank < LIMIT  #@10
    try:
        if entered:
            work()  #@11-13
    finally:
        r.zrem("owners", me)  #@15
        freed = r.zrem("times", me)  #@16
    if entered and freed == 0:
        raise RuntimeError("the slot was lost during the work")
    return entered
