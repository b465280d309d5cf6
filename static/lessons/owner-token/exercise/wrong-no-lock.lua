me = uuid()
redis.call("INCR", "jobs")
removed = me
