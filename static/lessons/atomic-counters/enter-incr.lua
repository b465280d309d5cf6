local n = redis.call("INCR", "room")
