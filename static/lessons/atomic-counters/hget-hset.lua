local n = redis.call("HGET", "cart:7", "apples")
redis.call("HSET", "cart:7", "apples", n + 2)
