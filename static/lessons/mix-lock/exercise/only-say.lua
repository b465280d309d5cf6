redis.call("INCR", "feed")
published = 0
