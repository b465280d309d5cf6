from collections.abc import Callable

import redis

ACK_TIMEOUT_MS = 60_000
TAKE = """
local id = redis.call("ZRANGE", KEYS[1], 0, 0)[1]
if not id then return false end
redis.call("ZREM", KEYS[1], id)
redis.call("ZADD", KEYS[2], ARGV[1], id)
return id"""  #@1-6
ACK = """
redis.call("ZREM", KEYS[2], ARGV[1])
if not redis.call("ZRANK", KEYS[1], ARGV[1]) then
  redis.call("HDEL", KEYS[3], ARGV[1])
end"""  #@7-11


def poll(r: redis.Redis, work: Callable[[], object]) -> bool:
    """One message, if there is one. If `work` fails, the message stays in `unacked`."""
    take, ack = r.register_script(TAKE), r.register_script(ACK)
    seconds, micros = r.time()
    due = seconds * 1000 + micros // 1000 + ACK_TIMEOUT_MS
    id = take(keys=["queue", "unacked"], args=[due])  #@13
    if id is None:  #@14
        return False
    work()  #@15
    ack(keys=["queue", "unacked", "messages"], args=[id])  #@16
    return True
