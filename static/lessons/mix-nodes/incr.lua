number = redis.call("INCR", "last")
