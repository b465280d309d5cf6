-- Usually the id is "*", the time. One of our own says the same in every run.
redis.call("XADD", "job:7", "1-1", "state", "done")
finished = true
