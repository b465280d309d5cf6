redis.call("SET", "job:7", "done")
finished = true
reached = redis.call("PUBLISH", "job:7:done", "")
