local n = redis.call("INCRBY", "balance", 10)
