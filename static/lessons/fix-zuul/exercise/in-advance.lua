redis.call("SET", "rate", 0, "NX", "PX", 20)
redis.call("INCRBY", "rate", 1)
