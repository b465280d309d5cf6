import sqlite3
import time
import uuid

import redis

UNLOCK = """
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0"""  #@1-4


def sell(r: redis.Redis, db: sqlite3.Connection) -> None:
    """Raises also where the lock was lost: another client may have read the same n."""
    me = str(uuid.uuid4())  #@5
    patience = time.monotonic() + 5
    while not r.set("lock:7", me, nx=True, px=30_000):  #@6
        if time.monotonic() >= patience:
            raise TimeoutError("the lock is taken, please try again")
        time.sleep(0.03)  #@6
    try:
        with db:  # ends with COMMIT, or with ROLLBACK after an exception
            db.execute("BEGIN")
            (n,) = db.execute("SELECT n FROM item WHERE id = 7").fetchone()  #@7
            db.execute("UPDATE item SET n = ? WHERE id = 7", (n - 1,))  #@8
    finally:
        unlocked = r.eval(UNLOCK, 1, "lock:7", me)  #@10
    if unlocked == 0:
        raise RuntimeError("the lock was lost during the work")
