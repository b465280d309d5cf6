redis.call("XADD", "job:7", "MAXLEN", 1, "1-1", "state", "half")
redis.call("XADD", "job:7", "MAXLEN", 1, "1-2", "state", "done")
finished = true
