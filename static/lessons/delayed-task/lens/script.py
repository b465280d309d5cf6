import time

import redis

CANCEL = """
if redis.call("ZREM", KEYS[1], ARGV[1]) == 0
  or redis.call("GET", KEYS[2]) ~= "open" then return 0 end
redis.call("SET", KEYS[2], "cancelled")
return redis.call("INCR", KEYS[3])"""  #@1-5


def cancel_due(r: redis.Redis) -> bool:
    """Whether an order was due, and its seat is free now."""
    now = int(time.time() * 1000)
    due = r.zrange("due", 0, now, byscore=True, offset=0, num=1)  #@7
    if not due:  #@8
        return False
    order = due[0]
    if isinstance(order, bytes):  # without decode_responses
        order = order.decode()
    cancel = r.register_script(CANCEL)
    return cancel(keys=["due", f"order:{order}", "free"], args=[order]) > 0  #@9
