import sqlite3
import time
import uuid

import redis

ACQUIRE = """
if redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", 10000) then
  return redis.call("INCR", KEYS[2])
end
return nil"""  #@1-5
RELEASE = """
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0"""  #@6-10
UPDATE = "UPDATE doc SET body = ?, token = ? WHERE id = 1 AND token <= ?"  #@11


def write(r: redis.Redis, body: str, db: sqlite3.Connection) -> bool:
    """False where a newer report is there already."""
    me = str(uuid.uuid4())  #@13
    patience = time.monotonic() + 5
    while (token := r.eval(ACQUIRE, 2, "lock", "fence", me)) is None:  #@14-16
        if time.monotonic() >= patience:
            raise TimeoutError("the lock is taken, please try again")
        time.sleep(0.03)  #@17
    try:
        with db:  # ends with COMMIT
            db.execute(UPDATE, ("draft", token, token))  #@22
        with db:
            rows = db.execute(UPDATE, (body, token, token)).rowcount  #@23
        return rows == 1  #@24-25
    finally:
        # If the lock was lost, this does nothing: the row has refused a late write.
        r.eval(RELEASE, 1, "lock", me)  #@27
