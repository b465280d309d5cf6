redis.call("RPUSH", "job:7", "done")
finished = true
