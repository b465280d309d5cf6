redis.call("DECR", "stock")
sold = 1
