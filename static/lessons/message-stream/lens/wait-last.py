import time

import redis


def wait(r: redis.Redis) -> int:
    """Waits a minute at most until job 7 is done; returns the number of entries that were read."""
    last, seen, done = "0", 0, False  #@1-2
    patience = time.monotonic() + 60
    while not done:  #@3
        if time.monotonic() >= patience:
            raise TimeoutError("job 7 is not done within a minute")
        for _, entries in r.xread({"job:7": last}, block=1000):  #@4
            for last, fields in entries:  #@5-6
                seen += 1  #@7
                done = "done" in fields.values() or b"done" in fields.values()  #@8
    return seen  #@10
