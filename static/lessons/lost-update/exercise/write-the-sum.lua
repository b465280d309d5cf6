redis.call("SET", "balance", 30)
