local n = redis.call("GET", "room")
redis.call("SET", "room", n - 1)
