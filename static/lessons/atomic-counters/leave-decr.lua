local n = redis.call("DECR", "room")
