import time
import uuid

import redis

LIMIT = 2
LEASE_MS = 10_000


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def try_work(r: redis.Redis, work) -> bool:
    me = str(uuid.uuid4())  #@1
    r.zremrangebyscore("slots", "-inf", now_ms() - LEASE_MS)  #@2
    r.zadd("slots", {me: now_ms()})  #@3
    rank = r.zrank("slots", me)  #@4
    entered = rank is not None and rank < LIMIT  #@4
    try:
        if entered:
            work()  #@5-7
    finally:
        r.zrem("slots", me)  #@9
    return entered
