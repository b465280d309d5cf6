local n = redis.call("HINCRBY", "cart:7", "apples", 2)
