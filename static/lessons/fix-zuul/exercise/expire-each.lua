redis.call("INCRBY", "rate", 1)
redis.call("PEXPIRE", "rate", 20)
