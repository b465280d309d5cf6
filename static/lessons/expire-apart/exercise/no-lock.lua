redis.call("INCR", "jobs")
