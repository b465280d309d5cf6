redis.call("SREM", "members", "ann")
