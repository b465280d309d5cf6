import uuid
from collections.abc import Callable

import redis

UNLOCK = """
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0"""  #@1-5


def work_once(r: redis.Redis, work: Callable[[], None]) -> bool:
    """False where another client has the lock, or no replica has got it in time.

    Raises RuntimeError where the lock was lost: another client may have worked too.
    """
    token = str(uuid.uuid4())  #@6
    with r.client() as conn:  # WAIT speaks for its own connection
        if not conn.set("lock", token, nx=True, px=10_000):  #@7
            return False
        holding, unlocked = False, 0
        try:
            copies = conn.wait(1, 100)  #@8
            owner = conn.get("lock")  #@9
            holding = copies >= 1 and owner in (token, token.encode())  #@10-11
            if holding:
                work()  #@12
        finally:
            unlocked = conn.eval(UNLOCK, 1, "lock", token)  #@15
    if holding and not unlocked:
        raise RuntimeError("the lock was lost during the work")
    return holding
