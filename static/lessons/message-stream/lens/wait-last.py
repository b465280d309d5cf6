import redis


def wait(r: redis.Redis) -> int:
    """Waits until job 7 is done, and returns the number of entries that were read."""
    last, seen, done = "0", 0, False  #@1-2
    while not done:  #@3
        for _, entries in r.xread({"job:7": last}, block=1000):  #@4
            for last, fields in entries:  #@5-6
                seen += 1  #@7
                done = "done" in fields.values() or b"done" in fields.values()  #@8
    return seen  #@10
