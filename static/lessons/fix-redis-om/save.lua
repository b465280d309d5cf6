local session = redis.call("GET", "session")
redis.call("SET", "session", session .. ",dark")
