local n = redis.call("GET", "balance")
redis.call("MULTI")
redis.call("SET", "balance", n + 10)
redis.call("EXEC")
