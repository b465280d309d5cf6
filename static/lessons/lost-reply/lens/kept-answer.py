import time

import redis

PAY = """
local kept = redis.call("GET", KEYS[1])
if kept then return kept end
redis.call("DECRBY", KEYS[2], 10)
redis.call("SET", KEYS[1], ARGV[1], "PX", 86400000)
return ARGV[1]"""  #@7-13


def pay(r: redis.Redis, request: str) -> str | bytes:
    """Returns the receipt. The request has one id, drawn before the first attempt.

    Raises redis.ConnectionError or redis.TimeoutError where no attempt was answered: it may be
    paid, so ask again later, with the same id.
    """
    for pause in (0.1, 0.5, None):  #@1
        try:
            return r.eval(PAY, 2, f"paid:{request}", "balance", request)  #@2-4,14
        except (redis.ConnectionError, redis.TimeoutError):
            if pause is None:
                raise
            time.sleep(pause)
