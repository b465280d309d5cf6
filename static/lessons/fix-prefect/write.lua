redis.call("XADD", "events", "2-1", "run", "done")
